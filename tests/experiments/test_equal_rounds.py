"""Learners that work in rounds, compared after equally many rounds."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from weaklearn.experiments import EqualRounds, Fold, Run, equal_rounds, split_folds, split_sets
from weaklearn.theory import Advantages

TABLE = wl.datasets.make_decision_list(8, 6, 2, 240, class_noise=0.05, random_state=4)


def full_tree(n_rounds: int | None) -> wl.C45Classifier:
    """Make a tree, in which a round is a split; it always grows until it stops by itself."""
    assert n_rounds is None
    return wl.C45Classifier("gain", min_objects=1, threshold_penalty=False, prune=False)


def adaboost(n_rounds: int | None) -> wl.AdaBoostM1Classifier:
    return wl.AdaBoostM1Classifier(wl.StumpClassifier(), n_rounds=n_rounds)


def sampled(n_rounds: int | None) -> wl.AdaBoostM1Classifier:
    return wl.AdaBoostM1Classifier(wl.StumpClassifier(), n_rounds=n_rounds, method="resample")


BOTH = {"tree": full_tree, "boosted": adaboost}


def compare(learners: Any, rounds: Any, **options: Any) -> EqualRounds:
    return equal_rounds(learners, TABLE.X, TABLE.y, split_folds(TABLE.y, 4), rounds, **options)


def test_the_other_learners_get_as_many_rounds_as_the_leader_took() -> None:
    results = compare(BOTH, "tree")
    for trial, (split, tree, boosted) in enumerate(
        zip(split_folds(TABLE.y, 4), results.of("tree"), results.of("boosted"), strict=True)
    ):
        model = full_tree(None).fit(TABLE.X[split.train], TABLE.y[split.train])
        assert tree.n_rounds == model.tree_.n_nodes - model.tree_.n_leaves > 1
        committee = adaboost(tree.n_rounds).fit(TABLE.X[split.train], TABLE.y[split.train])
        assert boosted.n_rounds == tree.n_rounds
        assert boosted.outcome.fold == trial
        # The experiment sums the weights of all rows, with zeros for the rows that are not trained
        # on, so the last digits differ.
        assert boosted.advantages.gamma == pytest.approx(committee.advantages_, abs=1e-12)
        wrong = committee.predict(TABLE.X) != TABLE.y.to_numpy()
        assert boosted.outcome.train_errors == wrong[split.train].sum()
        assert boosted.outcome.test_errors == wrong[split.test].sum()


def test_given_numbers_of_rounds_are_tried_in_every_trial() -> None:
    results = compare({"a": adaboost, "b": sampled}, [5, 1, 5])
    assert results.rounds == (1, 5)
    assert [(r.learner, r.n_rounds, r.outcome.fold) for r in results.runs] == [
        (learner, n, trial) for learner in "ab" for n in (1, 5) for trial in range(4)
    ]
    # The first round of five is the same as the only round of one.
    for short, long in zip(results.of("a", 1), results.of("a", 5), strict=True):
        assert long.advantages.gamma[:1] == short.advantages.gamma


def test_threads_and_other_learners_change_nothing() -> None:
    def runs_of_b(results: EqualRounds) -> list[dict[str, Any]]:
        runs = results.to_dict()["runs"]
        return [run for run in runs if (run["learner"], run["n_rounds"]) == ("b", 6)]

    both = compare({"a": adaboost, "b": sampled}, [3, 6], seed=9)
    again = compare({"a": adaboost, "b": sampled}, [3, 6], seed=9, n_jobs=2)
    assert both.to_dict() == again.to_dict()
    assert runs_of_b(compare({"b": sampled}, [6], seed=9)) == runs_of_b(both)
    assert runs_of_b(compare({"b": sampled}, [6], seed=10)) != runs_of_b(both)


def test_means_are_over_trials() -> None:
    def run(trial: int, n_rounds: int, errors: int, *advantages: float) -> Run:
        gamma = np.array(advantages)
        rounds = Advantages(np.arange(len(gamma)) + 1, gamma, gamma, gamma, np.arange(len(gamma)))
        return Run("a", n_rounds, Fold(0, trial, 10, 4 + 4 * trial, errors, errors), rounds)

    results = EqualRounds((run(0, 3, 1, 0.5, 0.3, 0.1), run(1, 1, 2, 0.25)), "a")
    assert results.n_rounds("a").mean == 2
    assert results.train_error("a").mean == pytest.approx(0.15)
    assert results.test_error("a").mean == pytest.approx((1 / 4 + 2 / 8) / 2)
    assert results.n_rounds("a").standard_error == pytest.approx(np.std([3, 1], ddof=1) / 2**0.5)
    assert results.mean_advantages("a").tolist() == [0.375, 0.3, 0.1]


def test_training_sets_of_one_class_need_no_round() -> None:
    y = np.array(["a"] * 20 + ["b"] * 20)
    splits = split_sets(y, 2, test=np.arange(40) >= 20)
    results = equal_rounds(BOTH, np.arange(40.0).reshape(-1, 1), y, splits, "tree")
    assert [run.n_rounds for run in results.of("tree")] == [0, 0]
    assert [run.n_rounds for run in results.of("boosted")] == [1, 1]


def test_reprs_are_one_short_line() -> None:
    results = compare(BOTH, "tree")
    assert repr(results) == "EqualRounds(tree, boosted: as many rounds as tree, 8 runs)"
    assert repr(results.runs[0]).startswith("Run(tree, trial 0, ")
    many = EqualRounds(results.runs, tuple(range(1, 100)))
    assert "rounds 1, 2, 3, 4, 5, 6, 7, 8, ..., 8 runs" in repr(many)


def test_results_go_to_json() -> None:
    data = json.loads(json.dumps(compare(BOTH, "tree").to_dict()))
    assert data["rounds"] == "tree"
    assert len(data["runs"]) == 8
    assert len(data["runs"][-1]["advantages"]) == data["runs"][-1]["outcome"]["n_members"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: compare({}, [1]), "got 0 learners and 4 splits"),
        (
            lambda: compare(BOTH, "bagged"),
            "got rounds 'bagged'; expected numbers, or one of tree, boosted",
        ),
        (lambda: compare({"a": adaboost}, []), "rounds is empty; expected numbers"),
        (
            lambda: compare({"a": adaboost}, [0]),
            "rounds must be a whole number of at least 1, got 0",
        ),
        (lambda: compare({"a": adaboost}, [1]).of("b", 1), "no learner 'b'; expected one of a"),
        (lambda: compare({"a": adaboost}, [1, 2]).of("a"), "n_rounds None; expected one of 1, 2"),
        (lambda: compare(BOTH, "tree").of("tree", 3), "n_rounds 3, but 'tree' set the number"),
    ],
)
def test_bad_input_is_explained(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
