"""The kinds of boosted forests, and the choice of one for a noisy table.

docs/studies/boosted_forest_protocol.md says how the numbers here were found.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting.adaboost_m1_loop import Learn
from weaklearn.boosting.boosted_forest_loop import ForestTask, RunRules, grow_forest
from weaklearn.estimators.c45 import C45Classifier
from weaklearn.estimators.committee.member_learners import DatasetMemberLearner, MemberLearner
from weaklearn.models.votes import winners

#: A table is noisy if a pruned tree has this error on the rows that it is learned from.
_NOISY = 0.06
#: The least rows of a branch on a noisy table, if out-of-bag rows do not speak against it.
_LEAST_ROWS = 5.0
#: The trees that are learned to find that out, with and without it.
_N_TRIED = 25


class ForestKind(NamedTuple):
    """How long the runs of a forest are, and what its members are like.

    Parameters
    ----------
    run_length : int
        Boosted members of a run.
    random_trees : int
        Random trees beside each boosted member.
    min_objects : float or None
        The least rows of a branch. None for that of the estimator, and whole random trees.
    """

    run_length: int
    random_trees: int
    min_objects: float | None = None

    def learners(
        self, learner: MemberLearner, max_features: str | float | None
    ) -> tuple[Learn[Any], Learn[Any]]:
        """Return what learns boosted members, and what learns random trees."""
        learn = learn_random = learner.learn
        if isinstance(learner, DatasetMemberLearner):
            if self.min_objects is not None:
                learn = learner.with_parameters(min_objects=self.min_objects).learn
            if self.random_trees:
                tree = random_tree(max_features, self.min_objects)
                learn_random = learner.with_estimator(tree).learn
        return learn, learn_random


def random_tree(max_features: str | float | None, min_objects: float | None) -> C45Classifier:
    """Return the unfitted tree that random members are learned with."""
    return C45Classifier(
        criterion="gain",
        min_objects=min_objects or 1,
        prune=False,
        missing="branch",
        splits="random",
        max_features=max_features,
    )


def is_noisy(learner: DatasetMemberLearner) -> bool:
    """Return whether a pruned tree does not fit the rows that it is learned from.

    The trees of a forest evaluate few columns at a node and pay no penalty for thresholds, so they
    would fit noise. With a key any tree would.
    """
    plain = learner.without_keys().with_parameters(
        max_features=None, threshold_penalty=True, prune=True
    )
    rows = learner.all_rows()
    return rows.error(plain.learn(rows.weights, 0)) >= _NOISY


def choose_for_noise(
    task_of: Callable[[ForestKind], ForestTask[Any]],
    learner: DatasetMemberLearner,
    random_trees: int | None,
    n_threads: int,
) -> ForestKind:
    """Return the kind of forest for a noisy table that out-of-bag rows prefer.

    Parameters
    ----------
    task_of : callable
        Returns the task of a kind.
    learner : DatasetMemberLearner
        What the tasks learn with.
    random_trees : int or None
        The number of random trees beside each member, if it is given.
    n_threads : int
        Members to learn at a time.
    """
    assert isinstance(learner.estimator, C45Classifier)
    least_rows = max(_LEAST_ROWS, float(learner.estimator.min_objects))
    pruned = ForestKind(1, 0 if random_trees is None else random_trees)
    broad = ForestKind(1, 1 if random_trees is None else random_trees, least_rows)

    def error_of(kind: ForestKind) -> float:
        task = task_of(kind)
        # The choice must not depend on the number of members, which warm starts may raise.
        task = replace(task, n_members=_N_TRIED, rules=RunRules(1, 0))
        votes = learner.forest_votes()
        if grow_forest(task, votes, n_threads).stopped == "interrupted":
            raise KeyboardInterrupt
        return votes.judge(partial(_judge_votes, learner.priority)).error

    return broad if error_of(broad) < error_of(pruned) else pruned


def _judge_votes(
    priority: NDArray[np.uint32],
    votes: NDArray[np.float64],
    class_shares: NDArray[np.float64],
    classes: NDArray[np.int32],
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.float64]]:
    has_votes = np.asarray(votes.any(axis=1))
    return has_votes, has_votes & (winners(votes, priority) != classes), class_shares
