"""AdaBoost for real-valued hypotheses as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from weaklearn.encoding import Dataset, EncodedRows
from weaklearn.estimators.g2 import G2Classifier, SeparatorGraph
from weaklearn.estimators.real_valued import RealValuedClassifier
from weaklearn.estimators.storing import common_content, restore_common, unfitted
from weaklearn.learners import real_adaboost
from weaklearn.models.graph import Graph
from weaklearn.models.saving import register_kind, schema_content, take
from weaklearn.models.separators import Separators
from weaklearn.schema import Schema


class RealAdaBoostClassifier(RealValuedClassifier):
    """AdaBoostR: stumps, each with a coefficient, added up to a separator.

    It is G2 on a graph that is one path (Henry, Nock and Nielsen 2007; Nock and Nielsen 2006).
    A stump says -1 or 1: on the two sides of a cut; for each value of a nominal feature what
    most of its weight says. Where the value is missing it abstains. The coefficients are those of
    discrete AdaBoost as long as no stump abstains. All stumps on a feature are folded into one
    step function, so that answering takes a look-up per feature, however many rounds there were.

    Of more than two classes each is separated from the others, and the largest output wins:
    the theorems hold for each of these separators, and one that tells all classes apart would
    need weak hypotheses that do.

    Parameters
    ----------
    n_rounds : int
        Most stumps of a separator; fewer where one makes no error or none is of use.
    nominal, continuous : list of names or positions, optional
        Columns whose kind is given rather than inferred from their type.
    n_jobs : int or None
        Threads to fit and answer with; the result does not depend on it.
    random_state : object
        Not used: nothing is left to chance.

    Attributes
    ----------
    separators_ : Separators
        One for each class, of two classes one for the second; ``separators_.each[0].graph`` shows
        its terms.
    mu_ : array of float64, or list of arrays
        The normalised margin of each round; of more than two classes a list with one array each.
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

    _parameters = real_adaboost.PARAMETERS
    separators_: Separators

    def __init__(
        self,
        n_rounds: int = 50,
        *,
        nominal: Iterable[str | int] | None = None,
        continuous: Iterable[str | int] | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_rounds = n_rounds
        self.nominal = nominal
        self.continuous = continuous
        self.n_jobs = n_jobs
        self.random_state = random_state

    def as_g2(self) -> G2Classifier:
        """Return the same learner, unfitted, as a composition of G2's parts; for two classes."""
        stump = RealAdaBoostClassifier(1, nominal=self.nominal, continuous=self.continuous)
        return G2Classifier(stump, SeparatorGraph(self.n_rounds))

    def fit_dataset(
        self, dataset: Dataset, weights: NDArray[np.float64], n_threads: int = 1
    ) -> None:
        """Fit the separators to an encoded dataset; rows of weight 0 are absent."""
        self.separators_ = real_adaboost.grow(dataset, weights, self._settings(), n_threads)

    @property
    def _schema(self) -> Schema:
        return self.separators_.schema

    @property
    def mu_(self) -> NDArray[np.float64] | list[NDArray[np.float64]]:
        """The normalised margin of each round."""
        check_is_fitted(self, "separators_")
        each = self.separators_.each
        return each[0].mu if len(each) == 1 else [one.mu for one in each]

    @property
    def alphas_(self) -> NDArray[np.float64] | list[NDArray[np.float64]]:
        """The coefficient of each round."""
        check_is_fitted(self, "separators_")
        each = self.separators_.each
        return each[0].alphas if len(each) == 1 else [one.alphas for one in each]

    @property
    def margin_bound_(self) -> float:
        """Theorem 1's bound on the margin error of the training rows at 0; of two classes."""
        check_is_fitted(self, "separators_")
        if len(self.separators_.each) > 1:
            raise AttributeError("Theorem 1 is of two classes: there is no margin_bound_ of more")
        return float(np.prod(np.sqrt(1.0 - self.separators_.each[0].mu ** 2)))

    def class_outputs(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.float64]:
        """Answer with the output in favour of each class of the schema, per row."""
        return self.separators_.class_outputs(rows, n_threads)

    def predict_class_indices(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.int32]:
        """Answer with the number of each row's class: the largest output, the lowest of equals."""
        largest: NDArray[np.intp] = self.class_outputs(rows, n_threads).argmax(axis=1)
        return largest.astype(np.int32)

    def predict_class_shares(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.float64]:
        """Answer with a probability per class: outputs are half the logarithm of the odds."""
        outputs = self.class_outputs(rows, n_threads)
        shares = 1.0 / (1.0 + np.exp(np.clip(-2.0 * outputs, -700.0, 700.0)))
        absent = np.setdiff1d(np.arange(shares.shape[1]), self.separators_.present)
        shares[:, absent] = 0.0
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Per column the share of what its term varies among the training rows."""
        check_is_fitted(self, "separators_")
        influence = np.zeros(len(self._schema.features))
        for one in self.separators_.each:
            for term in one.graph.terms(0):
                influence[term.feature] += term.influence
        total = influence.sum()
        return influence / total if total > 0 else influence

    @property
    def separator_(self) -> Graph:
        """The separator of two classes as a graph of one oblique test."""
        check_is_fitted(self, "separators_")
        if len(self.separators_.each) > 1:
            raise AttributeError("there is a separator for each class: see separators_.each")
        return self.separators_.each[0].graph

    def _content(self) -> dict[str, Any]:
        return {
            **common_content(self),
            "schema": schema_content(self._schema),
            **self.separators_.to_dict(),
        }

    @classmethod
    def _from_content(cls, content: Mapping[str, Any]) -> Self:
        model = unfitted(cls, take(content, "parameters", dict))
        schema = Schema.from_dict(take(content, "schema", dict))
        model.separators_ = Separators.from_dict(schema, content)
        restore_common(model, content)
        return model


register_kind("RealAdaBoostClassifier", RealAdaBoostClassifier._from_content)
