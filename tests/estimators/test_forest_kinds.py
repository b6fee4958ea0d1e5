"""The kind of a boosted forest: chosen by noise and by out-of-bag rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weaklearn as wl


def noisy(share: float) -> tuple[Any, Any]:
    """Return a table whose class follows from two columns, but for a share of the rows."""
    rng = np.random.default_rng(1)
    names = np.array(["a", "b", "c"], dtype=object)[rng.integers(3, size=(300, 3))]
    same = names[:, 0] == names[:, 1]
    return names, np.where(same ^ (rng.random(300) < share), "same", "different")


def member(**parameters: Any) -> wl.C45Classifier:
    """Return the default member of the forest with some other parameters."""
    return wl.C45Classifier(subset=True, missing="branch", **parameters)


def kind(model: wl.BoostedForestClassifier) -> tuple[int, int, float | None]:
    return model.run_length_, model.random_trees_, model.min_objects_


@given(
    seed=st.integers(0, 10**6),
    n_rows=st.integers(1, 60),
    n_classes=st.integers(1, 3),
    share=st.sampled_from([0.0, 0.1, 0.3]),
    weighted=st.booleans(),
)
def test_the_choice_is_that_of_a_tree_and_of_two_forests(
    seed: int, n_rows: int, n_classes: int, share: float, weighted: bool
) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(4, size=(n_rows, 3)).astype(float)
    rows[rng.random(rows.shape) < 0.1] = np.nan
    classes = np.nan_to_num(rows[:, 0]).astype(int) % n_classes
    changed = rng.random(n_rows) < share
    classes[changed] = rng.integers(n_classes, size=int(changed.sum()))
    weights = rng.choice([0.0, 0.5, 1.0, 3.0], size=n_rows) if weighted else np.ones(n_rows)
    weights[0] = 1.0

    def fit(model: Any) -> Any:
        return model.fit(rows, classes, sample_weight=weights)

    def forest(min_objects: int) -> Any:
        trees = member(threshold_penalty=False, min_objects=min_objects)
        return fit(wl.BoostedForestClassifier(trees, 25, 1, random_trees=0, random_state=seed))

    wrong = fit(member()).predict(rows) != classes
    expected: tuple[int, int, float | None] = (10, 0, None)
    if weights[wrong].sum() >= 0.06 * weights.sum():
        errors = [forest(min_objects)._oob.error for min_objects in (2, 5)]
        expected = (1, 0, 5.0 if errors[1] < errors[0] else None)
    model = fit(wl.BoostedForestClassifier(n_members=3, random_trees=0, random_state=seed))
    assert kind(model) == expected


def test_noise_changes_the_kind_of_forest() -> None:
    clean, changed = noisy(0.0), noisy(0.25)
    parameters: dict[str, Any] = {"n_members": 20, "random_state": 0}
    model = wl.BoostedForestClassifier(**parameters)
    assert kind(model.fit(*clean)) == (10, 1, None)
    assert {m.min_objects for m in model.members_} == {2, 1}
    with_runs = wl.BoostedForestClassifier(run_length=10, **parameters).fit(*clean)
    assert np.array_equal(with_runs.predict_proba(clean[0]), model.predict_proba(clean[0]))
    assert kind(model.fit(*changed)) == (1, 1, 5.0)
    assert {m.min_objects for m in model.members_} == {5}
    threads = wl.BoostedForestClassifier(n_jobs=2, **parameters).fit(*changed)
    assert np.array_equal(threads.predict_proba(changed[0]), model.predict_proba(changed[0]))
    # The same forest as by its own parameters.
    model.set_params(random_trees=0).fit(*changed)
    trees = member(threshold_penalty=False, min_objects=5)
    forest = wl.BoostedForestClassifier(trees, run_length=1, random_trees=0, **parameters)
    forest.fit(*changed)
    assert np.array_equal(forest.predict_proba(changed[0]), model.predict_proba(changed[0]))
    # What is asked for is not replaced.
    model.set_params(run_length=10, random_trees=None).fit(*changed)
    assert kind(model) == (10, 1, None)
    stumps = wl.BoostedForestClassifier(wl.StumpClassifier(), **parameters).fit(*changed)
    assert kind(stumps) == (10, 0, None)


def test_blocks_of_few_rows_keep_small_branches() -> None:
    """Branches of five rows cannot follow classes that change every four rows."""
    rng = np.random.default_rng(0)
    number = np.arange(200.0)
    classes = np.array(["a", "b", "c"])[(number // 4).astype(int) % 3]
    classes[rng.random(200) < 0.2] = "a"
    model = wl.BoostedForestClassifier(n_members=5, random_state=0).fit(number[:, None], classes)
    assert kind(model) == (1, 0, None)


@pytest.mark.parametrize("share", [0.0, 0.25])
def test_a_forest_goes_on_as_it_began(share: float, tmp_path: Path) -> None:
    rows, classes = noisy(share)
    model = wl.BoostedForestClassifier(n_members=50, random_state=0).fit(rows, classes)
    part = wl.BoostedForestClassifier(n_members=7, random_state=0).fit(rows, classes)
    part.save(tmp_path / "part.json")
    loaded = wl.load(tmp_path / "part.json")
    assert [m.min_objects for m in loaded.members_] == [m.min_objects for m in part.members_]
    for begun in (part, loaded, model[:1]):
        begun.set_params(n_members=50, warm_start=True).fit(rows, classes)
        assert kind(begun) == kind(model)
        assert np.array_equal(begun.predict_proba(rows), model.predict_proba(rows))
