"""The stump with the fewest errors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from weaklearn import _core
from weaklearn.encoding import Dataset
from weaklearn.estimators.class_weights import RowWeights
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.estimators.parameters import Parameter
from weaklearn.models.graph import Graph


class StumpClassifier(GraphClassifier):
    """A single split, the one with the fewest errors: the weak hypothesis of boosting.

    A continuous feature is split by ``value <= threshold``, a nominal one into a branch per value.
    Each branch predicts its largest class. Rows whose value is missing count in every branch, in
    proportion to the known weight there. Ties go to the lowest feature, then to the lowest
    threshold. If no split makes fewer errors than the largest class alone, the stump is a leaf.

    Parameters
    ----------
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
        Not used: the stump is deterministic.

    Attributes
    ----------
    tree_ : Graph
        The split and its leaves, or a single leaf.
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
    >>> model = wl.StumpClassifier().fit(table.X, table.y)
    >>> print(model.tree_.to_text())
    sex = male: no (1731.0/367.0)
    sex = female: yes (470.0/126.0)
    """

    _parameters: ClassVar[Mapping[str, Parameter]] = {}

    def __init__(
        self,
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
        self.class_weight = class_weight
        self.costs = costs
        self.nominal = nominal
        self.continuous = continuous
        self.ignore = ignore
        self.missing_values = missing_values
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _fit_core(self, dataset: Dataset, weights: RowWeights, n_threads: int) -> None:
        core = _core.fit_stump(
            dataset.core, weights.rows, classes=weights.for_core(), n_threads=n_threads
        )
        self.tree_ = Graph(core, dataset.schema)
