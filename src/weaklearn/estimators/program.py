"""Branching programs as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from weaklearn.encoding import Dataset
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.estimators.storing import numbers_from
from weaklearn.learners import program
from weaklearn.models.graph import Graph
from weaklearn.models.program_levels import Levels
from weaklearn.models.saving import take


class BranchingProgramClassifier(GraphClassifier):
    """A branching program: a tree whose nodes are shared, grown level by level.

    All nodes of a level are split, each by its best test of two branches; then children that are
    much alike are merged, and what they become is the next level (Mansour and McAllester 2002).
    Where a tree must learn the same thing in many places, a program can learn it in one. Rows whose
    value is missing go down both branches with a share of their weight, and may meet again.

    Parameters
    ----------
    criterion : {"km", "entropy", "gini", "error"} or callable
        The impurity that splits lower; a callable as for `TopDownClassifier`.
    merge : {"grid", "budget", "width", "none"}
        Which children become one node. ``"grid"``, for two classes: those in the same cell of a
        grid of class shares, so fine that half of what the level gained is left. ``"budget"``: the
        pairs whose union costs least, while all of them cost at most `merge_share` of what the
        level gained. ``"width"``: whatever costs least, until there are `max_width` nodes; then
        tests and groups are changed, one by one, as long as that lowers the index (as in the
        decision jungles of Shotton et al. 2013).
        ``"none"``: nothing is merged, a tree.
    max_levels : int or None
        Most levels of tests.
    max_nodes : int or None
        Most tests. A level is split wholly or not at all.
    prune : bool
        Whether to prune the program by its pessimistic error, and to unite nodes that answer alike.
    merge_share : float
        With ``merge="budget"``: the share of a level's gain that merging may cost.
    max_width : int or None
        With ``merge="width"``: most nodes of a level.
    split_without_gain : bool
        Whether a level that no test improves is split all the same, without merging: so that an
        exclusive or is found, which no first test improves.
    min_objects : float
        Both branches of a test must have this weight. As in C4.5, a threshold leaves a tenth of the
        average class on both sides, up to a weight of 25, if that is more.
    confidence : float
        Confidence of pruning, a share. The smaller, the smaller the program.
    nominal, continuous : list of names or positions, optional
        Columns whose kind is given rather than inferred from their type.
    n_jobs : int or None
        Threads to fit and answer with; the result does not depend on it.
    random_state : object
        Not used: nothing is left to chance.

    Attributes
    ----------
    program_ : Graph
        The program.
    levels_ : Levels
        Per level, before pruning: how many nodes there were, the index before splitting, after it
        and after merging, and the advantage of each split.
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
    A test on a nominal feature puts its values into two groups: the best for two classes; for
    more, the best of those that order the values by the share of one class (each class in turn)
    and cut the order in two. The same feature may be tested again further down.

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

    _parameters = program.PARAMETERS
    _graph_name = "program_"
    program_: Graph
    levels_: Levels
    stopped_: str

    def __init__(
        self,
        criterion: str | Callable[[NDArray[np.float64]], Any] = "km",
        merge: str = "grid",
        max_levels: int | None = None,
        max_nodes: int | None = None,
        prune: bool = False,
        merge_share: float = 0.5,
        max_width: int | None = None,
        split_without_gain: bool = False,
        min_objects: float = 1,
        confidence: float = 0.25,
        *,
        nominal: Iterable[str | int] | None = None,
        continuous: Iterable[str | int] | None = None,
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
        self.nominal = nominal
        self.continuous = continuous
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit_dataset(
        self, dataset: Dataset, weights: NDArray[np.float64], n_threads: int = 1
    ) -> None:
        """Fit the program to an encoded dataset; rows of weight 0 are absent."""
        grown = program.grow(dataset, weights, self._settings(), n_threads)
        self.program_, self.levels_, self.stopped_ = grown

    def _content(self) -> dict[str, Any]:
        grown = {"levels": self.levels_.to_dict(), "stopped": self.stopped_}
        return {**super()._content(), **grown}

    @classmethod
    def _from_content(cls, content: Mapping[str, Any]) -> Self:
        model = super()._from_content(content)
        levels = take(content, "levels", dict)
        names = ("nodes", "children", "next_nodes", "grid_width", "before", "after", "merged")
        model.levels_ = Levels.from_arrays(
            {n: numbers_from(levels, n) for n in (*names, "forced", "advantages")}
        )
        model.stopped_ = take(content, "stopped", str)
        return model

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.merge != "grid"
        return tags
