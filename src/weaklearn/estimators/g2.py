"""G2 of Henry, Nock and Nielsen: boosting of any weak learner on any decision graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import _safe_indexing, get_tags
from sklearn.utils.validation import check_is_fitted

from weaklearn.boosting.g2_loop import boost
from weaklearn.costs import check_costs
from weaklearn.estimators.class_weights import (
    RowWeights,
    check_class_weight,
    weigh_classes,
)
from weaklearn.estimators.decision_graphs import (
    DecisionGraph,
    ListGraph,
    ProgramGraph,
    SeparatorGraph,
    TreeGraph,
)
from weaklearn.estimators.default_parts import DefaultParts, pass_on_n_jobs
from weaklearn.estimators.failed_fits import restores_on_failure
from weaklearn.estimators.probabilistic_classifier import ProbabilisticClassifier
from weaklearn.estimators.table_classifier import note_columns
from weaklearn.estimators.training_table import indexable, read_training_table
from weaklearn.estimators.weak_hypotheses import ConstantLearner, outputs_of
from weaklearn.models.probabilities import logistic
from weaklearn.models.votes import row_sums
from weaklearn.schema import encode_classes
from weaklearn.tables.frames import as_columns
from weaklearn.user_warnings import muted_warnings, warn_user

if TYPE_CHECKING:
    from weaklearn.explain.explanations import Explanations
    from weaklearn.export.description import Description

__all__ = [
    "ConstantLearner",
    "DecisionGraph",
    "G2Classifier",
    "ListGraph",
    "ProgramGraph",
    "SeparatorGraph",
    "TreeGraph",
]


class G2Classifier(ProbabilisticClassifier, DefaultParts):
    """G2: boost any weak learner on any decision graph, for two classes.

    The output H(x) is the sum of coefficient times output over the hypotheses on the path of x.
    On a graph with one path, G2 is AdaBoost. On a tree with constants, it is the top-down growing
    of trees. The weak learner and the splitter of the nodes may be a G2Classifier again (Henry,
    Nock and Nielsen 2007).

    Parameters
    ----------
    weak_learner : classifier, optional
        Learns a hypothesis: ``fit(X, y, sample_weight)`` with y of -1 and 1, then
        ``decision_function(X)`` or else ``predict(X)``. By default the best stump.
    graph : decision graph, optional
        It decides which hypotheses lie on the path of a row: `SeparatorGraph`, `TreeGraph`,
        `ListGraph`, `ProgramGraph`, or any object with ``grow`` and ``visited`` as
        `weaklearn.estimators.decision_graphs` describes them. By default a separator.
    class_weight : None, "balanced" or dict
        Weights of classes; see docs/guides/weights_and_costs.md.
    costs : None, matrix or dict
        Costs of errors, such as ``{(true, predicted): cost}``; see there too.
    n_jobs : int or None
        Passed on to the weak learner and to the splitter of the graph, if they leave theirs at
        None.

    Attributes
    ----------
    graph_ : decision graph
        The graph as it was grown.
    hypotheses_ : list
        One per node.
    mu_ : array of float64
        The normalised margin of each hypothesis on the rows that visit it, from -1 to 1.
    alphas_ : array of float64
        The coefficient of each hypothesis.
    margin_bound_ : float
        Theorem 1's bound on the margin error of the training rows at 0.
    classes_ : array
        The classes that occur, sorted.
    learned_classes_ : array
        The classes of ``classes_`` that have weight, two at most; the last is the positive one.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : array of str
        Their names, where they have any.

    Examples
    --------
    AdaBoost over oblique trees:

    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> trees = wl.BoostODTClassifier(n_stumps=3, max_depth=2)
    >>> model = wl.G2Classifier(trees, wl.SeparatorGraph(n_rounds=3)).fit(table.X, table.y)
    >>> round(model.score(table.X, table.y), 3)
    0.783
    >>> model.mu_.round(3)
    array([0.341, 0.271, 0.196])
    """

    def __init__(
        self,
        weak_learner: Any = None,
        graph: Any = None,
        *,
        class_weight: Any = None,
        costs: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.weak_learner = weak_learner
        self.graph = graph
        self.class_weight = class_weight
        self.costs = costs
        self.n_jobs = n_jobs

    @restores_on_failure
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Boost on a table.

        Parameters
        ----------
        X : frame
            Any table that the weak learner and the graph take.
        y : Series, array or list
            The class of each row, one of two.
        sample_weight : array or number, optional
            A weight per row, as for a single tree.

        Returns
        -------
        self
            The fitted classifier.
        """
        learner, graph = self._parts()
        check_class_weight(self.class_weight, type(self).__name__)
        check_costs(self.costs, type(self).__name__)
        table = read_training_table(X, y, sample_weight)
        table.warn_of_columns()
        class_indices = table.indices_in_sorted_classes()
        present = np.unique(class_indices)
        if len(present) > 2:
            raise ValueError(
                f"Only binary classification is supported. y holds {len(present)} classes: use "
                "BoostODTClassifier or RealAdaBoostClassifier, or wrap this in "
                "sklearn.multiclass.OneVsRestClassifier."
            )
        learned = table.sorted_classes[present]
        is_last = class_indices == present[-1]
        weighed, self._cost_rule = weigh_classes(
            self.class_weight,
            self.costs,
            learned.tolist(),
            is_last.astype(np.int32) if len(present) == 2 else np.zeros(len(is_last), np.int32),
            RowWeights(table.weights),
        )
        kept = np.flatnonzero(weighed.rows)  # a class may have the weight 0
        X = _safe_indexing(table.rows_as_given(), kept)
        weights, signs = weighed.rows[kept], np.where(is_last, 1.0, -1.0)[kept]
        visiting: list[float] = []  # per hypothesis the weight of its training rows

        def learn(rows: Any, row_weights: Any) -> tuple[Any, NDArray[np.float64]]:
            visitors = _safe_indexing(X, rows)
            hypothesis = clone(learner, safe=False)
            pass_on_n_jobs(hypothesis, self.n_jobs)
            visiting.append(float(weights[rows].sum()))
            hypothesis.fit(visitors, signs[rows], sample_weight=row_weights)
            return hypothesis, outputs_of(hypothesis, visitors)

        with muted_warnings():
            boosted = boost(graph.grow(X, signs, weights), learn, signs, weights)
        note_columns(self, table)
        self.learned_classes_ = learned
        self.graph_ = graph
        self.hypotheses_ = boosted.hypotheses
        self.mu_, self.alphas_ = boosted.mu, boosted.alphas
        self.margin_bound_ = boosted.bound
        if not any(self.alphas_):
            warn_user(
                "G2Classifier learned nothing: no weak hypothesis is better than chance. Check the "
                "columns, or use another weak_learner or graph."
            )
        self._visiting = np.array(visiting)
        return self

    def _default_parts(self) -> dict[str, Any]:
        from weaklearn.estimators.real_adaboost import RealAdaBoostClassifier

        return {"weak_learner": RealAdaBoostClassifier(1), "graph": SeparatorGraph()}

    def _parts(self) -> tuple[Any, Any]:
        learner = self._part_or_default("weak_learner")
        if not callable(getattr(learner, "fit", None)) or isinstance(learner, type):
            raise TypeError(
                f"weak_learner={learner!r} has no fit to call; expected a classifier such as "
                "StumpClassifier()"
            )
        graph = clone(self._part_or_default("graph"), safe=False)
        if hasattr(graph, "splitter"):
            pass_on_n_jobs(graph.splitter, self.n_jobs)
        for method in ("grow", "visited"):
            if not callable(getattr(graph, method, None)) or isinstance(graph, type):
                raise TypeError(
                    f"graph={self.graph!r} has no {method} to call; expected a graph such as "
                    "SeparatorGraph() or TreeGraph(StumpClassifier())"
                )
        return learner, graph

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Compute H(x) for each row: above 0 for the second of ``classes_``.

        Parameters
        ----------
        X : frame
            As for `fit`.

        Returns
        -------
        array of float64
            One per row.
        """
        check_is_fitted(self)
        X = indexable(X)
        outputs = np.zeros(as_columns(X).n_rows)
        nodes = zip(self.graph_.visited(X), self.hypotheses_, self.alphas_, strict=True)
        for rows, hypothesis, alpha in nodes:
            if len(rows):
                outputs[rows] += alpha * outputs_of(hypothesis, _safe_indexing(X, rows))
        return outputs

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of each row: the second of ``classes_`` where H(x) is above 0.

        Parameters
        ----------
        X : frame
            As for `fit`.

        Returns
        -------
        array of labels
            One per row.
        """
        positive = self.decision_function(X) > 0
        labels: NDArray[Any] = self.learned_classes_[np.where(positive, -1, 0)]
        return labels

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the probability of each class: H(x) is half the logarithm of the odds.

        Parameters
        ----------
        X : frame
            As for `fit`.

        Returns
        -------
        array of shape (n_rows, n_classes)
            In the order of ``classes_``.
        """
        outputs = self.decision_function(X)
        learned = np.ones((len(outputs), 1))
        if len(self.learned_classes_) == 2:
            learned = logistic(np.column_stack([-outputs, outputs]))
            learned /= row_sums(learned)
            if self._cost_rule is not None:
                learned = self._cost_rule.restored(learned)
        shares = np.zeros((len(outputs), len(self.classes_)))
        shares[:, np.isin(self.classes_, self.learned_classes_)] = learned
        return shares

    def _description(self) -> Description:
        from weaklearn.estimators.describe_g2 import describe_g2

        check_is_fitted(self)
        return describe_g2(self)

    def explain(self, X: Any) -> Explanations:
        """Explain the prediction for each row by the hypotheses on its path.

        Parameters
        ----------
        X : frame
            As for `fit`.

        Returns
        -------
        Explanations
            One per row. The scores are H(x) and -H(x), and the members are the hypotheses. On a
            `SeparatorGraph` of stumps the contributions of features are known, too.
        """
        from weaklearn.estimators.explain_g2 import explain_g2

        check_is_fitted(self)
        return explain_g2(self, indexable(X))

    def margins(self, X: Any, y: Any) -> NDArray[np.float64]:
        """Compute the margin of each row: tanh(y H(x) / 2).

        Parameters
        ----------
        X : frame
            As for `fit`.
        y : Series, array or list
            The class of each row.

        Returns
        -------
        array of float64
            From -1 to 1; below 0 the prediction is wrong.
        """
        outputs = self.decision_function(X)
        classes = encode_classes(y, tuple(self.classes_.tolist()), len(outputs))
        is_positive = self.classes_[classes] == self.learned_classes_[-1]
        signs = np.where(is_positive, 1.0, -1.0)
        return np.asarray(np.tanh(signs * outputs / 2.0))

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The importance of each column: the weighted mean over hypotheses and splitters.

        A hypothesis counts with the most that it adds to H(x), artanh of its normalised margin,
        times the weight of the training rows that visit it. A splitter counts with the drop of the
        impurity of Kearns and Mansour at its node. Those without importances, such as constants,
        are left out.
        """
        check_is_fitted(self)
        most_added = np.arctanh(np.abs(self.mu_)) * self._visiting
        parts = list(zip(self.hypotheses_, most_added, strict=True))
        if hasattr(self.graph_, "weighted_splitters"):
            parts += self.graph_.weighted_splitters()
        parts = [part for part in parts if hasattr(part[0], "feature_importances_")]
        if not parts:
            raise AttributeError(
                "neither the hypotheses nor the splitters of this G2Classifier have "
                "feature_importances_"
            )
        total = np.zeros(self.n_features_in_)
        for part, weight in parts:
            total += weight * part.feature_importances_
        return total / total.sum() if total.any() else total

    def save(self, path: Any) -> None:
        """Raise a TypeError: a file that is safe to load cannot hold weak learners of any kind."""
        raise TypeError(
            "a G2Classifier cannot be saved as JSON; use joblib.dump(model, path), "
            "and load such files from people you trust only. BoostODTClassifier and "
            "RealAdaBoostClassifier can be saved."
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        learner, graph = self._parts()
        parts = [learner, getattr(graph, "splitter", learner)]
        tags.input_tags.allow_nan = all(get_tags(part).input_tags.allow_nan for part in parts)
        return tags
