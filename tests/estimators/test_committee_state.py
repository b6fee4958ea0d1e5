"""What a fitted committee keeps: margins of its training rows, a callback, its representation."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl
from weaklearn.models.voters import GraphVoters

random = np.random.default_rng(1)
X = random.normal(size=(80, 3))
y = np.where((X[:, 0] + X[:, 1] > 0) ^ (random.random(80) < 0.1), "yes", "no")
STUMP = wl.C45Classifier(max_depth=1, prune=False)

COMMITTEES: dict[str, Any] = {
    "adaboost": lambda **p: wl.AdaBoostM1Classifier(STUMP, 4, **p),
    "bagged": lambda **p: wl.BaggedClassifier(STUMP, 4, random_state=0, **p),
    "sklearn members": lambda **p: wl.AdaBoostM1Classifier(
        DecisionTreeClassifier(max_depth=1, random_state=0), 4, **p
    ),
    "committees of separators": lambda **p: wl.BaggedClassifier(
        wl.RealAdaBoostClassifier(2), 3, random_state=0, **p
    ),
}
for_each = pytest.mark.parametrize("make", COMMITTEES.values(), ids=COMMITTEES.keys())


# -- margins of the training rows -------------------------------------------------------------


@for_each
def test_margins_are_computed_when_first_read(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    model = make()
    compute = GraphVoters.margins

    def counting(*arguments: Any) -> Any:
        calls.append(1)
        return compute(*arguments)

    monkeypatch.setattr(GraphVoters, "margins", counting)
    model.fit(X, y)
    assert not calls
    margins = model.margins_
    assert np.array_equal(margins, model.margins(X, y))
    n_calls = len(calls)
    assert model.margins_ is margins
    assert len(calls) == n_calls


@for_each
def test_copies_and_pickles_keep_the_margins_but_not_the_rows(make: Any) -> None:
    rows, labels = np.tile(X, (50, 8)), np.tile(y, 50)
    model = make().fit(rows, labels)
    data = pickle.dumps(model)
    assert len(data) < rows.nbytes / 2
    for again in (copy.copy(model), copy.deepcopy(model), pickle.loads(data)):
        assert np.array_equal(again.margins_, model.margins(rows, labels))


def test_training_rows_are_released_once_the_margins_are_read() -> None:
    model = wl.AdaBoostM1Classifier(STUMP, 3).fit(X, y)
    assert model._training_margins._compute is not None
    assert len(model.margins_) == 80
    assert model._training_margins._compute is None


def test_parts_and_loaded_committees_have_no_margins(tmp_path: Path) -> None:
    model = wl.AdaBoostM1Classifier(STUMP, 3).fit(X, y)
    model.save(tmp_path / "model.json")
    for other in (model[:2], model.with_votes(model.votes_), wl.load(tmp_path / "model.json")):
        assert not hasattr(other, "margins_")
        with pytest.raises(AttributeError, match=r"has no margins_: .* Use margins\(X, y\)"):
            _ = other.margins_
    assert hasattr(model, "margins_")
    unfitted = wl.AdaBoostM1Classifier()
    assert not hasattr(unfitted, "margins_")
    with pytest.raises(AttributeError, match="has no members_ before fit"):
        _ = unfitted.members_


# -- callbacks --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["adaboost", "bagged"])
def test_a_committee_with_a_callback_can_be_saved(name: str, tmp_path: Path) -> None:
    rounds: list[int] = []
    model = COMMITTEES[name](callback=lambda progress: rounds.append(progress.done)).fit(X, y)
    assert rounds == [1, 2, 3, 4]
    model.save(tmp_path / "model.json")
    again = wl.load(tmp_path / "model.json")
    assert again.callback is None
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    without = COMMITTEES[name]().fit(X, y)
    without.save(tmp_path / "without.json")
    assert again.get_params(deep=False).keys() == without.get_params(deep=False).keys()
    assert wl.load(tmp_path / "without.json").votes_.tolist() == again.votes_.tolist()


def test_members_with_a_function_still_cannot_be_saved(tmp_path: Path) -> None:
    model = wl.BaggedClassifier(wl.TopDownClassifier(wl.theory.km), 2, random_state=0).fit(X, y)
    with pytest.raises(TypeError, match="criterion is a function, which a file cannot hold"):
        model.save(tmp_path / "model.json")
    assert not list(tmp_path.iterdir())


# -- members ----------------------------------------------------------------------------------


@for_each
def test_other_members_can_be_put_in_place(make: Any) -> None:
    model = make().fit(X, y)
    reversed_members = model.members_[::-1]
    expected = model[::-1].predict_proba(X)
    model.members_, model.votes_ = reversed_members, model.votes_[::-1]
    assert model.members_ == reversed_members
    assert np.array_equal(model.predict_proba(X), expected)


@pytest.mark.parametrize("name", ["adaboost", "bagged"])
def test_members_that_are_changed_in_place_predict_at_once(name: str) -> None:
    model = COMMITTEES[name]().fit(X, y)
    deeper = wl.C45Classifier(max_depth=2, prune=False).fit(X, y)
    program = wl.BranchingProgramClassifier().fit(X, y)

    def as_new() -> Any:
        """Return the probabilities of a committee of the same members that is compiled anew."""
        new = copy.copy(model)
        new.members_ = list(model.members_)
        return new.predict_proba(X)

    before = model.predict_proba(X)
    model.members_[3].graph_ = deeper.graph_
    assert np.array_equal(model.predict_proba(X), as_new())
    model.members_[0].tree_ = deeper.graph_
    assert np.array_equal(model.predict_proba(X), as_new())
    assert not np.array_equal(model.predict_proba(X), before)
    model.members_[1] = program  # its graph has another name
    assert np.array_equal(model.predict_proba(X), as_new())
    program.program_ = deeper.graph_
    assert np.array_equal(model.predict_proba(X), as_new())
    model.members_.pop()
    model.votes_ = model.votes_[:-1]
    assert np.array_equal(model.predict_proba(X), as_new())


# -- representations --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "model",
    [
        *(make() for make in COMMITTEES.values()),
        wl.PrunedClassifier(wl.AdaBoostM1Classifier(STUMP, n_rounds=8), size=2),
        wl.G2Classifier(
            wl.G2Classifier(wl.ConstantLearner(), wl.ListGraph(wl.StumpClassifier())),
            wl.TreeGraph(wl.G2Classifier(graph=wl.ProgramGraph(wl.StumpClassifier())), 2),
        ),
        wl.C45Classifier(nominal=[]),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_representation_fits_on_a_screen(model: Any) -> None:
    for shown in (repr(model), repr(model.fit(X, y))):
        lines = shown.splitlines()
        assert len(lines) <= 24
        assert max(map(len, lines)) <= 120


def test_representations_of_wrapped_ensembles() -> None:
    committee = wl.as_committee(RandomForestClassifier(200, random_state=0).fit(X, y))
    assert repr(committee) == (
        "EnsembleCommittee(estimator=RandomForestClassifier(n_estimators=200, random_state=0))"
    ).replace("n_estimators=200, ", "n_estimators=200,\n" + " " * 51)


@pytest.mark.parametrize(
    "member", [wl.C45Classifier(max_depth=2), DecisionTreeClassifier(max_depth=2)]
)
def test_margins_of_a_class_without_weight(member: Any) -> None:
    """No member votes for the class, so its margin is minus the share of the most votes."""
    X, y = load_iris(return_X_y=True)
    weights = np.where(y == 1, 0.0, 1.0)
    model = wl.BaggedClassifier(member, n_members=5, random_state=0).fit(X, y, weights)
    margins = model.margins(X, y)
    shares = model.predict_proba(X)
    assert shares[:, 1].max() == 0
    expected = np.where(y == 1, -shares.max(axis=1), 2 * shares[np.arange(len(y)), y] - 1)
    np.testing.assert_allclose(margins, expected, atol=1e-12)
