"""AdaBoost for real-valued hypotheses (AdaBoostR) over stumps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from weaklearn import _core
from weaklearn.encoding import Dataset, EncodedRows
from weaklearn.estimators.class_weights import RowWeights
from weaklearn.estimators.g2 import G2Classifier, SeparatorGraph
from weaklearn.estimators.parameters import MAX_UINT32, Number, Parameter
from weaklearn.estimators.real_valued_classifier import RealValuedClassifier
from weaklearn.estimators.saving import common_content, restore_common, unfitted_from_content
from weaklearn.explain.separator_score import SeparatorScore
from weaklearn.models.file_content import schema_content, take
from weaklearn.models.graph import Graph
from weaklearn.models.saving import register_kind
from weaklearn.models.separators import Separator, Separators, separated
from weaklearn.schema import Schema

if TYPE_CHECKING:
    from weaklearn.explain.explanations import Explanations
    from weaklearn.export.description import DescribedSeparators


class RealAdaBoostClassifier(RealValuedClassifier):
    """AdaBoostR: a separator, which is a sum of stumps with coefficients.

    It is G2 on a graph that is one path (Henry, Nock and Nielsen 2007; Nock and Nielsen 2006).
    The output of a stump is -1 or 1: on the two sides of a threshold, or for each value of a
    nominal feature by the heavier class. Where the value is missing, the stump abstains. As long as
    no stump abstains, the coefficients are those of discrete AdaBoost. All stumps on a feature are
    added up to one step function, so that prediction takes one look-up per feature, whatever the
    number of rounds.

    With more than two classes, each class is separated from the others, and the class with the
    largest output is predicted. The theorems hold for each of these separators.

    Parameters
    ----------
    n_rounds : int
        The most stumps of a separator. There are fewer if a stump makes no error, or if none helps.
    class_weight : None, "balanced" or dict
        Weights of classes; see docs/guides/weights_and_costs.md.
    costs : None, matrix or dict
        Costs of errors, such as ``{(true, predicted): cost}``; see there too.
    nominal, continuous : list of names or positions, optional
        Columns whose kind is given rather than inferred from their type.
    ignore : list of names or positions, optional
        Columns to leave out.
    missing_values : list of texts and numbers, optional
        Cells that are missing: texts in place of ``wl.MISSING_TEXTS``, numbers in addition.
    n_jobs : int or None
        Threads to fit and predict with; the result does not depend on it.
    random_state : object
        Not used: AdaBoostR is deterministic.

    Attributes
    ----------
    separators_ : Separators
        One for each class; for two classes, one for the second class. The graph
        ``separators_.each[0].graph`` shows its terms.
    mu_ : array of float64, or list of arrays
        The normalised margin of each round; with more than two classes a list of one array per
        class.
    alphas_ : array of float64, or list of arrays
        The coefficient of each round, likewise.
    classes_ : array
        The classes that occur, sorted.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : array of str
        Their names, where they have any.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.RealAdaBoostClassifier(n_rounds=5).fit(table.X, table.y)
    >>> round(model.score(table.X, table.y), 3)
    0.776
    >>> model.mu_.round(3)
    array([0.552, 0.188, 0.184, 0.032, 0.027])
    """

    _parameters: ClassVar[Mapping[str, Parameter]] = {
        "n_rounds": Parameter(
            50, Number(low=1, high=MAX_UINT32, whole=True), "most stumps of a separator"
        ),
    }
    separators_: Separators

    def __init__(
        self,
        n_rounds: int = 50,
        *,
        class_weight: Any = None,
        costs: Any = None,
        nominal: Iterable[str | int] | None = None,
        continuous: Iterable[str | int] | None = None,
        ignore: Iterable[str | int] | None = None,
        missing_values: Iterable[str | float] | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_rounds = n_rounds
        self.class_weight = class_weight
        self.costs = costs
        self.nominal = nominal
        self.continuous = continuous
        self.ignore = ignore
        self.missing_values = missing_values
        self.n_jobs = n_jobs
        self.random_state = random_state

    def as_g2(self) -> G2Classifier:
        """Return an unfitted G2Classifier that learns the same model, for two classes."""
        stump = RealAdaBoostClassifier(
            1,
            nominal=self.nominal,
            continuous=self.continuous,
            ignore=self.ignore,
            missing_values=self.missing_values,
        )
        return G2Classifier(
            stump,
            SeparatorGraph(self.n_rounds),
            class_weight=self.class_weight,
            costs=self.costs,
        )

    def _fit_core(self, dataset: Dataset, weights: RowWeights, n_threads: int) -> None:
        present = np.unique(dataset.classes[weights.rows > 0]).tolist()
        separators = []
        for positive in separated(present):
            core, mu, alphas = _core.fit_separator(
                dataset.core, weights.rows, positive, int(self.n_rounds), n_threads
            )
            graph = Graph(core, dataset.schema)
            separators.append(Separator(graph, positive, mu, alphas))
        self.separators_ = Separators(tuple(separators), tuple(present))

    @property
    def _schema(self) -> Schema:
        return self.separators_.schema

    def _has_learned(self) -> bool:
        return any(separator.alphas.any() for separator in self.separators_.each)

    @property
    def mu_(self) -> NDArray[np.float64] | list[NDArray[np.float64]]:
        """The normalised margin of each round."""
        check_is_fitted(self, "separators_")
        each = self.separators_.each
        return each[0].mu if len(each) == 1 else [separator.mu for separator in each]

    @property
    def alphas_(self) -> NDArray[np.float64] | list[NDArray[np.float64]]:
        """The coefficient of each round."""
        check_is_fitted(self, "separators_")
        each = self.separators_.each
        return each[0].alphas if len(each) == 1 else [separator.alphas for separator in each]

    @property
    def margin_bound_(self) -> float:
        """Theorem 1's bound on the margin error of the training rows at 0, for two classes."""
        check_is_fitted(self, "separators_")
        if len(self.separators_.each) > 1:
            raise AttributeError(
                "margin_bound_ is defined for two classes only: Theorem 1 does not cover more"
            )
        return float(np.prod(np.sqrt(1.0 - self.separators_.each[0].mu ** 2)))

    def class_outputs(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.float64]:
        """Return the output of each row in favour of each class of the schema."""
        return self.separators_.class_outputs(rows, n_threads)

    @property
    def _model(self) -> Separators:
        return self.separators_

    def _describe(self, columns: Sequence[int] | None = None) -> DescribedSeparators:
        from weaklearn.export.describe_models import describe_separators

        return describe_separators(self.separators_, columns)

    def _explain_rows(self, rows: EncodedRows, n_threads: int) -> Explanations:
        from weaklearn.explain.explain_models import explain_separators

        predicted = self.predict_class_indices(rows, n_threads)
        shares = self.predict_class_shares(rows, n_threads)
        return explain_separators(self.separators_, rows, n_threads, (predicted, shares))

    def additive_score(self) -> SeparatorScore:
        """Return the output H(x) for each class, which `weaklearn.explain.shap_values` explains."""
        check_is_fitted(self, "separators_")
        return SeparatorScore(
            self.separators_, self._encode, self._class_order(), self.classes_.tolist()
        )

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The share of each column in the variation of the output among the training rows."""
        check_is_fitted(self, "separators_")
        influence = np.zeros(len(self._schema.features))
        for separator in self.separators_.each:
            for term in separator.graph.terms(0):
                influence[term.feature] += term.influence
        total = influence.sum()
        return influence / total if total > 0 else influence

    @property
    def separator_(self) -> Graph:
        """The separator of two classes as a graph with one oblique split."""
        check_is_fitted(self, "separators_")
        if len(self.separators_.each) > 1:
            raise AttributeError("there is a separator for each class: use separators_.each")
        return self.separators_.each[0].graph

    def _content(self) -> dict[str, Any]:
        return {
            **common_content(self),
            "schema": schema_content(self._schema),
            **self.separators_.to_dict(),
        }

    @classmethod
    def _from_content(cls, content: Mapping[str, Any]) -> Self:
        model = unfitted_from_content(cls, content)
        schema = Schema.from_dict(take(content, "schema", dict))
        model.separators_ = Separators.from_dict(schema, content)
        restore_common(model, content)
        return model


register_kind("RealAdaBoostClassifier", RealAdaBoostClassifier._from_content)
