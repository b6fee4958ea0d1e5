"""A small table and a small fitted model of every kind that files can hold."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

import weaklearn as wl

_SMALL = wl.C45Classifier(max_depth=2, min_objects=1, prune=False)


@cache
def table() -> tuple[pd.DataFrame, list[str]]:
    """Return numbers, nominal values and dates, some of them missing, and three classes."""
    chance = np.random.default_rng(12)
    n = 90
    size, shade = chance.normal(size=n), chance.normal(size=n)
    colour = chance.choice(["red", "green", "blue", 'a "quoted" one', "grün"], n)
    day = np.datetime64("2024-03-01") + chance.integers(0, 400, n)
    score = size + (colour == "red") - (colour == "blue") + (day > np.datetime64("2024-09-01"))
    y = np.array(["no", "perhaps", "yes"])[np.digitize(score + 0.3 * shade, [0.0, 1.0])]
    frame = pd.DataFrame({"size": size, "shade": shade, "colour": colour, "day": day})
    for column in frame.columns:
        frame.loc[chance.random(n) < 0.1, column] = None
    return frame, y.tolist()


MODELS: dict[str, Callable[[], Any]] = {
    "c45": lambda: wl.C45Classifier(),
    "c45-subset": lambda: wl.C45Classifier(subset=True, criterion="gain", confidence=0.5),
    "c45-branch": lambda: wl.C45Classifier(missing="branch", prune=False),
    "c45-release8": lambda: wl.C45Classifier(arithmetic="release8"),
    "c45-shrunk": lambda: wl.C45Classifier(shrinkage=2.0),
    "c45-costs": lambda: wl.C45Classifier(costs={("yes", "no"): 5}, class_weight={"no": 2.0}),
    "c45-winnowed": lambda: wl.C45Classifier(winnow=True, random_state=3),
    "c45-nominal": lambda: wl.C45Classifier(nominal=["colour"], missing_values=["red"]),
    "stump": lambda: wl.StumpClassifier(),
    "topdown": lambda: wl.TopDownClassifier(n_rounds=6, grouping=True),
    "program": lambda: wl.BranchingProgramClassifier(max_levels=5),
    "oc1": lambda: wl.OC1Classifier(n_restarts=2, random_state=3),
    "sadt": lambda: wl.SADTClassifier(patience=50, random_state=3),
    "boost-odt": lambda: wl.BoostODTClassifier(n_stumps=3, max_depth=2),
    "real-adaboost": lambda: wl.RealAdaBoostClassifier(n_rounds=4),
    "rules": lambda: wl.RulesClassifier(),
    "rules-of-forest": lambda: wl.RulesClassifier(
        estimator=wl.BaggedClassifier(n_members=3, random_state=3)
    ),
    "adaboost": lambda: wl.AdaBoostM1Classifier(n_rounds=4),
    "adaboost-confidence": lambda: wl.AdaBoostM1Classifier(_SMALL, 4, vote="confidence"),
    "adaboost-programs": lambda: wl.AdaBoostM1Classifier(
        wl.BranchingProgramClassifier(max_levels=3), 3
    ),
    "adaboost-rules": lambda: wl.AdaBoostM1Classifier(wl.RulesClassifier(), 3),
    "bagged": lambda: wl.BaggedClassifier(n_members=3, random_state=3),
    "bagged-rules": lambda: wl.BaggedClassifier(
        wl.RulesClassifier(), n_members=3, max_features=0.5, random_state=3
    ),
    "boosted-forest": lambda: wl.BoostedForestClassifier(n_members=5, run_length=3, random_state=3),
}


@cache
def fitted(name: str) -> Any:
    """Return the fitted model of this name."""
    return MODELS[name]().fit(*table())
