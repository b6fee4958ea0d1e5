"""Branching programs of Mansour and McAllester: levels of shared nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.encoding import Dataset
from weaklearn.estimators.c45 import MISSING
from weaklearn.estimators.class_weights import RowWeights
from weaklearn.estimators.criterion import CRITERION, core_criterion
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.estimators.parameters import (
    MAX_BINS,
    MAX_UINT64,
    Choice,
    Flag,
    Number,
    Parameter,
    core_limit,
)
from weaklearn.models.file_content import take, take_numbers
from weaklearn.models.graph import Graph
from weaklearn.models.program_levels import Levels

#: The reasons why the core stops growing, as users read them.
_WHY_STOPPED: Mapping[str, str] = {
    "no node left": "every node is pure, or no split improves it",
    "no gain": "splitting and merging the level would not lower its impurity",
    "max_levels": "the next level would be one more than max_levels",
    "max_nodes": "the next level would take the program past max_nodes",
    "repeated": "an earlier level had the same rows in the same nodes",
}


class BranchingProgramClassifier(GraphClassifier):
    """A branching program: a tree whose nodes are shared, grown level by level.

    All nodes of a level are split, each by its best split with two branches. Then similar children
    are merged, and the merged nodes are the next level (Mansour and McAllester 2002). Where a tree
    must learn the same subtree in many places, a program can learn it once.

    Parameters
    ----------
    criterion : {"km", "entropy", "gini", "error"} or callable
        The impurity that splits lower; a callable as for `TopDownClassifier`.
    merge : {"auto", "grid", "budget", "width", "none"}
        Which children become one node. ``"auto"``: the grid with two classes, the budget with more.
        ``"grid"``, for two classes: children in the same cell of a grid of class shares, which is
        fine enough to keep half of the level's gain. ``"budget"``: the pairs that are cheapest to
        merge, as long as all of them together cost at most `merge_share` of the level's gain.
        ``"width"``: the cheapest pairs, until `max_width` nodes
        remain; then splits and groups are changed one by one as long as that lowers the impurity
        (as in the decision jungles of Shotton et al. 2013). ``"none"``: no merging, so the program
        is a tree.
    max_levels : int or None
        The most levels of splits; None for no limit.
    max_nodes : int or None
        The most internal nodes, that is nodes with a split, before pruning; None for no limit. The
        leaves do not count. A level that would exceed it is not split at all, so that a program
        may have fewer. (Nodes are shared, so their number does not follow from that of the leaves;
        this is why there is no ``max_leaves`` as for trees.)
    prune : bool
        Whether to prune the program by its pessimistic error, and to merge nodes that predict the
        same.
    merge_share : float
        With ``merge="budget"``: the share of a level's gain that merging may cost.
    max_width : int or None
        With ``merge="width"``: the most nodes of a level.
    split_without_gain : bool
        Whether a level that no split improves is split nevertheless, without merging. This finds an
        exclusive or, which no single split improves.
    min_objects : float
        Both branches of a split must have this weight. As in C4.5, both sides of a threshold must
        also have a tenth of the average class weight, but at most 25.
    confidence : float
        Confidence of pruning, a share. The smaller, the smaller the program.
    missing : {"fraction", "branch"}
        Where rows go whose value is missing at a split. "fraction" is C4.5's rule: down both
        branches, with a share of their weight. "branch": down one branch, which the split learns;
        use it where values are missing for a reason. See docs/guides/missing_values.md.
    max_bins : int or None
        Columns of numbers with more distinct values are cut into at most this many bins of about
        equally many rows, once for the whole table: on large tables trees grow faster, and
        thresholds are still values of the table. Up to 255 is fastest. See
        docs/guides/large_tables.md.
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
        Not used: growing a program is deterministic.

    Attributes
    ----------
    program_ : Graph
        The program.
    levels_ : Levels
        For each level, before pruning: the number of nodes, the weighted impurity before splitting,
        after splitting and after merging, and the advantage of each split.
    stopped_ : str
        Why growing ended.
    classes_ : array
        The classes that occur, sorted.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : array of str
        Their names, where they have any.

    Notes
    -----
    A split on a nominal feature puts its values into two groups. With two classes the best grouping
    is found. With more, the values are ordered by the share of one class, each class in turn, and
    the best cut of these orders is taken. A feature may be split on again further down.

    References
    ----------
    Y. Mansour, D. McAllester: Boosting using branching programs. Journal of Computer and System
    Sciences 64, 2002.

    T. Elomaa, M. Kaariainen: On the practice of branching program boosting. ECML 2001.

    J. Shotton and others: Decision jungles: compact and rich models for classification. NIPS 2013.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.BranchingProgramClassifier(merge="budget", max_levels=3).fit(table.X, table.y)
    >>> model.levels_.to_frame()[["nodes", "children", "next_nodes", "kept"]].round(2)
       nodes  children  next_nodes  kept
    0      1         2           2  1.00
    1      2         4           2  0.55
    2      2         4           3  0.74
    >>> model.stopped_
    'the next level would be one more than max_levels'
    """

    _parameters: ClassVar[Mapping[str, Parameter]] = {
        "criterion": CRITERION,
        "merge": Parameter(
            "auto",
            Choice(("auto", *_core.merge_rules())),
            "which children become one node: auto, grid (two classes), budget, width, none",
        ),
        "max_levels": Parameter(
            None, Number(low=0, whole=True, optional=True), "most levels of splits; None: no limit"
        ),
        "max_nodes": Parameter(
            None, Number(low=0, whole=True, optional=True), "most internal nodes; None: no limit"
        ),
        "prune": Parameter(False, Flag(), "whether to prune the program by its pessimistic error"),
        "merge_share": Parameter(
            0.5,
            Number(low=0, high=1),
            "with budget, the share of a level's gain that merging may cost",
        ),
        "max_width": Parameter(
            None, Number(low=1, whole=True, optional=True), "with width, most nodes of a level"
        ),
        "split_without_gain": Parameter(
            False, Flag(), "whether to split a level that no split improves, without merging"
        ),
        "min_objects": Parameter(
            1, Number(low=0, above_low=True), "least weight of both branches of a split"
        ),
        "confidence": Parameter(
            0.25,
            Number(low=0, above_low=True, high=1),
            "confidence of pruning: the smaller, the smaller the program",
        ),
        "missing": MISSING,
        "max_bins": MAX_BINS,
    }
    _graph_name = "program_"
    program_: Graph
    levels_: Levels
    stopped_: str

    def __init__(
        self,
        criterion: str | Callable[[NDArray[np.float64]], Any] = "km",
        merge: str = "auto",
        max_levels: int | None = None,
        max_nodes: int | None = None,
        prune: bool = False,
        merge_share: float = 0.5,
        max_width: int | None = None,
        split_without_gain: bool = False,
        min_objects: float = 1,
        confidence: float = 0.25,
        *,
        missing: str = "fraction",
        max_bins: int | None = None,
        class_weight: Any = None,
        costs: Any = None,
        nominal: Iterable[str | int] | None = None,
        continuous: Iterable[str | int] | None = None,
        ignore: Iterable[str | int] | None = None,
        missing_values: Iterable[str | float] | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.criterion = criterion
        self.merge = merge
        self.max_levels = max_levels
        self.max_nodes = max_nodes
        self.prune = prune
        self.merge_share = merge_share
        self.max_width = max_width
        self.split_without_gain = split_without_gain
        self.min_objects = min_objects
        self.confidence = confidence
        self.missing = missing
        self.max_bins = max_bins
        self.class_weight = class_weight
        self.costs = costs
        self.nominal = nominal
        self.continuous = continuous
        self.ignore = ignore
        self.missing_values = missing_values
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _separates_close_values(self) -> bool:
        return False

    def _missing_is_value(self) -> bool:
        return self.missing == "branch"

    def _fit_core(self, dataset: Dataset, weights: RowWeights, n_threads: int) -> None:
        self._check_merge(len(dataset.schema.classes))
        criterion, impurities = core_criterion(self.criterion)
        core, levels, stopped = _core.fit_program(
            dataset.core,
            weights.rows,
            criterion=criterion,
            impurities=impurities,
            merge=self._merge_rule(len(dataset.schema.classes)),
            merge_share=float(self.merge_share),
            max_width=core_limit(self.max_width, MAX_UINT64),
            max_levels=core_limit(self.max_levels, MAX_UINT64),
            max_nodes=core_limit(self.max_nodes, MAX_UINT64),
            split_without_gain=bool(self.split_without_gain),
            min_objects=float(self.min_objects),
            prune=bool(self.prune),
            confidence=float(self.confidence),
            missing_takes_branch=self.missing == "branch",
            classes=weights.for_core(),
            n_threads=n_threads,
        )
        self.program_ = Graph(core, dataset.schema)
        self.levels_ = Levels.from_arrays(levels)
        self.stopped_ = _WHY_STOPPED[stopped]

    def _merge_rule(self, n_classes: int) -> str:
        if self.merge != "auto":
            return self.merge
        return "grid" if n_classes <= 2 else "budget"

    def _check_merge(self, n_classes: int) -> None:
        if self.merge == "grid" and n_classes > 2:
            raise ValueError(
                f"Only binary classification is supported by merge='grid', and there are "
                f"{n_classes} classes: use merge='budget', which works for any number, or "
                "merge='none'."
            )
        if self.merge == "width" and self.max_width is None:
            raise ValueError(
                "merge='width' needs a limit on the width of a level, and got max_width=None: set "
                "for example max_width=16."
            )

    def _content(self) -> dict[str, Any]:
        grown = {"levels": self.levels_.to_dict(), "stopped": self.stopped_}
        return {**super()._content(), **grown}

    @classmethod
    def _from_content(cls, content: Mapping[str, Any]) -> Self:
        model = super()._from_content(content)
        levels = take(content, "levels", dict)
        names = ("nodes", "children", "next_nodes", "grid_width", "before", "after", "merged")
        model.levels_ = Levels.from_arrays(
            {n: take_numbers(levels, n) for n in (*names, "forced", "advantages")}
        )
        model.stopped_ = take(content, "stopped", str)
        return model

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.merge != "grid"
        return tags
