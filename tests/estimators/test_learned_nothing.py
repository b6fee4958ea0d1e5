"""A fit that learned nothing says so once, with the likely cause and what to try."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.dummy import DummyClassifier

import weaklearn as wl

RNG = np.random.default_rng(3)
NOISE = RNG.normal(size=(200, 3))
COIN = RNG.integers(0, 2, 200)
LETTERS = np.array(list("abc"), dtype=object)[RNG.integers(0, 3, (200, 4))]
USEFUL = NOISE[:, 0] > 0


def warnings_of(model: Any, X: Any, y: Any, **options: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X, y, **options)
    assert all(w.filename == __file__ for w in caught)
    messages = [str(w.message) for w in caught]
    return [message for message in messages if not message.startswith("suspicious columns")]


def only_warning(model: Any, X: Any, y: Any, **options: Any) -> str:
    messages = warnings_of(model, X, y, **options)
    assert len(messages) == 1, messages
    return messages[0]


TREES = [
    wl.C45Classifier(),
    wl.TopDownClassifier(),
    wl.StumpClassifier(),
    wl.BranchingProgramClassifier(),
    wl.OC1Classifier(random_state=0),
    wl.SADTClassifier(random_state=0),
    wl.BoostODTClassifier(),
    wl.RealAdaBoostClassifier(),
]
COMMITTEES = [wl.AdaBoostM1Classifier(), wl.BaggedClassifier(random_state=0)]


@pytest.mark.parametrize("model", [*TREES, *COMMITTEES], ids=lambda m: type(m).__name__)
def test_constant_columns_are_named_as_the_cause(model: Any) -> None:
    message = only_warning(clone(model), np.zeros((40, 2)), np.arange(40) % 2)
    assert message.startswith(f"{type(model).__name__} learned nothing")
    assert "no column has two different values" in message


@pytest.mark.parametrize("model", [*TREES, *COMMITTEES], ids=lambda m: type(m).__name__)
def test_a_fit_that_learned_does_not_warn(model: Any) -> None:
    X = np.column_stack([NOISE, USEFUL])
    noisy = np.where(RNG.random(200) < 0.05, ~USEFUL, USEFUL)  # so that boosting has work to do
    assert warnings_of(clone(model), X, noisy) == []


@pytest.mark.parametrize(
    ("parameters", "X", "y", "cause", "remedy"),
    [
        ({"prune": False}, NOISE, np.zeros(200), "all rows have the same class", {}),
        ({"max_depth": 0}, NOISE, USEFUL, "max_depth=0 allows no split", {"max_depth": 1}),
        ({"min_objects": 150}, NOISE, USEFUL, "min_objects=150", {"min_objects": 2}),
        ({"confidence": 1e-6}, LETTERS, COIN, "pruning removed every split", {"prune": False}),
    ],
)
def test_cause_and_remedy_of_a_single_leaf(
    parameters: dict[str, Any], X: Any, y: Any, cause: str, remedy: dict[str, Any]
) -> None:
    model = wl.C45Classifier(**parameters)
    assert cause in only_warning(model, X, y)
    if remedy:
        assert warnings_of(clone(model).set_params(**remedy), X, y) == []


def test_a_nominal_column_that_never_repeats_is_named() -> None:
    key = np.array([f"k{i}" for i in range(60)], dtype=object)[:, None]
    message = only_warning(wl.C45Classifier(prune=False), key, np.arange(60) % 2)
    assert "hardly a value twice" in message
    assert "ignore=[" in message


def test_boosting_that_stops_in_round_1_says_why() -> None:
    coarse = wl.AdaBoostM1Classifier(DummyClassifier())
    assert "needs less than 50 %" in only_warning(coarse, NOISE, np.arange(200) % 3)
    perfect = wl.AdaBoostM1Classifier(wl.C45Classifier(prune=False))
    assert "makes no training error" in only_warning(perfect, NOISE, USEFUL)


def test_one_round_that_was_asked_for_does_not_warn() -> None:
    model = wl.AdaBoostM1Classifier(wl.C45Classifier(prune=False), n_rounds=1)
    assert warnings_of(model, NOISE, USEFUL) == []


def test_bagging_that_is_worse_than_the_majority_class_says_so() -> None:
    message = only_warning(wl.BaggedClassifier(random_state=0), NOISE, COIN * (NOISE[:, 1] > 0))
    assert "predicting the most frequent class" in message


def test_g2_without_a_useful_hypothesis_says_so() -> None:
    message = only_warning(wl.G2Classifier(), np.zeros((40, 2)), np.arange(40) % 2)
    assert "no weak hypothesis is better than chance" in message
