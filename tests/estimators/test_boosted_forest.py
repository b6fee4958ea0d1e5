"""BoostedForestClassifier: parts, continued fits, threads, kinds of members."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

import weaklearn as wl

IRIS = load_iris(return_X_y=True)
TITANIC = wl.datasets.load("titanic")
quiet = pytest.mark.filterwarnings("ignore::UserWarning")


def forest(**parameters: Any) -> Any:
    defaults: dict[str, Any] = {"n_members": 12, "run_length": 5, "random_state": 0}
    return wl.BoostedForestClassifier(**{**defaults, **parameters})


# -- the whole and its parts ----------------------------------------------------------------------
def assert_same(one: Any, other: Any) -> None:
    assert [m.graph_ for m in one.members_] == [m.graph_ for m in other.members_]
    for name in ("votes_", "errors_", "_samples", "oob_proba_", "margins_"):
        assert np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True), name
    assert one.oob_error_ == other.oob_error_
    X = TITANIC.X
    assert np.array_equal(one.predict_proba(X), other.predict_proba(X))


@quiet
@pytest.mark.parametrize("n_jobs", [2, 3, -1])
def test_threads_change_nothing(n_jobs: int) -> None:
    one = forest(n_members=23).fit(TITANIC.X, TITANIC.y)
    assert_same(forest(n_members=23, n_jobs=n_jobs).fit(TITANIC.X, TITANIC.y), one)


@quiet
@pytest.mark.parametrize("first", [1, 5, 8, 10])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_warm_start_equals_fitting_at_once(first: int, n_jobs: int) -> None:
    for table in (TITANIC, wl.datasets.load("iris")):
        warm = forest(n_members=first, warm_start=True, n_jobs=n_jobs).fit(table.X, table.y)
        members = list(warm.members_)
        warm.set_params(n_members=18).fit(table.X, table.y)
        assert all(a is b for a, b in zip(members, warm.members_, strict=False))
        at_once = forest(n_members=18).fit(table.X, table.y)
        assert np.array_equal(warm.votes_, at_once.votes_)
        assert np.array_equal(warm.oob_proba_, at_once.oob_proba_, equal_nan=True)
        assert np.array_equal(warm.predict_proba(table.X), at_once.predict_proba(table.X))


@quiet
def test_a_loaded_forest_and_first_members_can_be_continued(tmp_path: Path) -> None:
    model = forest(n_members=10, warm_start=True).fit(*IRIS)
    model.save(tmp_path / "model.json")
    at_once = forest(n_members=15).fit(*IRIS)
    for start in (wl.load(tmp_path / "model.json"), model[:7]):
        start.set_params(n_members=15).fit(*IRIS)
        assert np.array_equal(start.predict_proba(IRIS[0]), at_once.predict_proba(IRIS[0]))
        assert start.oob_error_ == at_once.oob_error_
    with pytest.raises(ValueError, match="another part of one"):
        model[[0, 3]].set_params(n_members=15).fit(*IRIS)
    with pytest.raises(ValueError, match="run_length=3 and random_trees=None with warm_start=True"):
        model.set_params(n_members=15, run_length=3).fit(*IRIS)


@quiet
def test_a_part_has_no_out_of_bag_votes() -> None:
    model = forest().fit(*IRIS)
    assert len(model[:5]) == model[:5].n_members == 5
    for part in (model[:5], model.with_votes(np.ones(12))):
        with pytest.raises(AttributeError, match="no out-of-bag votes"):
            part.oob_error_  # noqa: B018
    assert model[:5].votes_.tolist() == model.votes_[:5].tolist()


@quiet
def test_a_callback_ends_the_fit_after_any_member() -> None:
    whole = forest(n_members=12).fit(*IRIS)
    for n_jobs in (1, 2):
        seen: list[int] = []

        def stop_at_seven(progress: Any, seen: list[int] = seen) -> bool:
            seen.append(progress.done)
            assert progress.planned == 12
            assert 0 <= progress.error < 1
            return bool(progress.done == 7)

        model = forest(callback=stop_at_seven, n_jobs=n_jobs).fit(*IRIS)
        assert seen == list(range(1, 8))
        assert len(model) == 7
        assert not model.interrupted_
        assert np.array_equal(model.votes_, whole.votes_[:7])


@quiet
def test_an_interrupted_fit_keeps_its_members() -> None:
    def interrupt(progress: Any) -> None:
        if progress.done == 3:
            raise KeyboardInterrupt

    with pytest.warns(UserWarning, match="interrupted after 3 of 12 members"):
        model = forest(callback=interrupt).fit(*IRIS)
    assert model.interrupted_
    assert len(model) == 3
    assert model.score(*IRIS) > 0.8


@quiet
def test_pruning_and_pruned_classifier() -> None:
    model = forest().fit(*IRIS)
    for method in (wl.pruning.kappa, wl.pruning.margin_lp):
        small = method(model, *IRIS, size=4)
        assert isinstance(small, wl.BoostedForestClassifier)
        assert len(small) <= 4
        assert small.score(*IRIS) > 0.85
    pruned = wl.PrunedClassifier(forest(), size=4, random_state=0).fit(*IRIS)
    assert len(pruned.committee_) <= 4


@quiet
def test_the_default_member_learns_where_missing_values_go() -> None:
    """Rows are of the second class if, and only if, x is missing."""
    chance = np.random.default_rng(0)
    y = chance.integers(0, 2, 200)
    X = np.where(y[:, None] == 1, np.nan, chance.random((200, 1)))
    model = forest().fit(X, y)
    assert model.oob_error_ == 0
    assert (model.predict(X) == y).all()


# -- parameters of members ------------------------------------------------------------------------
@quiet
def test_max_features_is_passed_on_to_members_that_leave_it_open() -> None:
    assert forest(max_features="log2").fit(*IRIS)[0].max_features == "log2"
    assert forest(max_features=None).fit(*IRIS)[0].max_features is None
    own = forest(estimator=wl.C45Classifier(max_features=1))
    assert own.fit(*IRIS)[0].max_features == 1
    template = wl.C45Classifier()
    assert forest(estimator=template).fit(*IRIS)[0].max_features == "sqrt"
    assert template.max_features is None
    assert forest(estimator=wl.StumpClassifier()).fit(*IRIS).score(*IRIS) > 0.6


@quiet
def test_class_weights_and_costs() -> None:
    X, y = TITANIC.X, TITANIC.y
    plain = forest().fit(X, y)
    balanced = forest(class_weight="balanced").fit(X, y)
    costly = forest(costs={("yes", "no"): 5, ("no", "yes"): 1}).fit(X, y)
    assert (balanced.predict(X) == "yes").sum() > (plain.predict(X) == "yes").sum()
    assert (costly.predict(X) == "yes").sum() > (plain.predict(X) == "yes").sum()
    matrix = {("yes", "no"): 5, ("no", "yes"): 1}
    assert wl.costs.mean_cost(y, costly.predict(X), matrix) < wl.costs.mean_cost(
        y, plain.predict(X), matrix
    )


# -- random trees ---------------------------------------------------------------------------------
@pytest.mark.parametrize("random_trees", [0, 1, 2])
def test_random_trees_stand_beside_each_boosted_one(random_trees: int) -> None:
    model = forest(random_trees=random_trees).fit(TITANIC.X, TITANIC.y)
    kinds = [member.splits for member in model.members_]
    assert kinds == (["best", *["random"] * random_trees] * 12)[:12]
    for index in range(len(model)):
        assert model.votes_[index] == model.votes_[index - index % (1 + random_trees)]


def test_a_random_tree_is_learned_from_all_rows() -> None:
    model = forest().fit(TITANIC.X, TITANIC.y)
    member = model.members_[1]
    alone = wl.C45Classifier(**member.get_params()).fit(TITANIC.X, TITANIC.y)
    assert alone.tree_ == member.tree_
    assert not member.prune
    assert member.min_objects == 1


def test_the_boosted_half_does_not_depend_on_the_random_one() -> None:
    """The samples have seeds of their own; the members, too, but these come from their index."""
    tree = wl.C45Classifier(subset=True, threshold_penalty=False)
    alone = forest(estimator=tree, n_members=5, max_features=None, random_trees=0).fit(*IRIS)
    beside = forest(estimator=tree, n_members=10, max_features=None).fit(*IRIS)
    assert [m.tree_ for m in alone.members_] == [m.tree_ for m in beside.members_[::2]]
    assert np.array_equal(alone.votes_, beside.votes_[::2])
    assert alone.oob_error_ == beside.oob_error_


def test_other_estimators_have_no_random_trees_by_default() -> None:
    model = forest(estimator=wl.StumpClassifier()).fit(*IRIS)
    assert {type(member) for member in model.members_} == {wl.StumpClassifier}


def test_warm_start_keeps_the_kinds(tmp_path: Path) -> None:
    model = forest(warm_start=True).fit(*IRIS)
    model.save(tmp_path / "forest.json")
    loaded = wl.load(tmp_path / "forest.json")
    assert [m.splits for m in loaded.members_] == [m.splits for m in model.members_]
    loaded.set_params(n_members=24, random_trees=0, warm_start=True)
    with pytest.raises(
        ValueError, match="random_trees=0 with warm_start=True: the forest has others"
    ):
        loaded.fit(*IRIS)


def test_the_default_size_has_enough_out_of_bag_votes() -> None:
    """Five runs leave one row in ten without out-of-bag votes, and two leave two in five."""
    model = wl.BoostedForestClassifier(run_length=10, random_state=0).fit(TITANIC.X, TITANIC.y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert 0 < model.oob_error_ < 0.3
    small = model.set_params(n_members=40).fit(TITANIC.X, TITANIC.y)
    with pytest.warns(UserWarning, match="rows have no out-of-bag vote"):
        assert small.oob_error_ < 0.3
