"""One fitted model of every kind that can be exported, and rows that are hard to predict."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

import weaklearn as wl
from weaklearn.encoding import EncodedRows
from weaklearn.export.description import Input

COLOURS = ("red", "green", 'quo"te', "back\\slash", "*/ #error", "süß", "??/", "</script>")
CITIES = tuple(f"city {i}" for i in range(24))
CLASSES = ("no", "yes", "per'haps", "never")

_SMALL = wl.C45Classifier(max_depth=3, min_objects=1, prune=False)
_RULES = wl.RulesClassifier(confidence=0.5)
_COSTS = [[0, 1, 2, 3], [5, 0, 1, 1], [1, 9, 0, 1], [2, 2, 2, 0]]


def _of(kind: Any, **parameters: Any) -> Callable[[], Any]:
    return lambda: kind(**parameters)


#: Models for four classes.
FACTORIES: dict[str, Callable[[], Any]] = {
    "c45": _of(wl.C45Classifier, min_objects=1),
    "c45-subset": _of(wl.C45Classifier, subset=True, min_objects=1, confidence=0.9),
    "c45-branch": _of(wl.C45Classifier, missing="branch", min_objects=1, prune=False),
    "c45-branch-subset": _of(wl.C45Classifier, missing="branch", subset=True, prune=False),
    "c45-shrunk": _of(wl.C45Classifier, shrinkage=3.0, min_objects=1, prune=False),
    "c45-release8": _of(wl.C45Classifier, arithmetic="release8", subset=True),
    "c45-costs": _of(wl.C45Classifier, costs=_COSTS, prune=False),
    "c45-one-leaf": _of(wl.C45Classifier, max_depth=0),
    "topdown": _of(wl.TopDownClassifier, n_rounds=15, grouping=True),
    "program": _of(wl.BranchingProgramClassifier, merge="width", max_width=3, max_levels=7),
    "program-branch": _of(wl.BranchingProgramClassifier, missing="branch", max_levels=7),
    "stump": _of(wl.StumpClassifier),
    "oc1": _of(wl.OC1Classifier, n_restarts=2, random_state=3),
    "sadt": _of(wl.SADTClassifier, patience=50, random_state=3),
    "boost-odt": _of(wl.BoostODTClassifier, n_stumps=5, max_depth=3),
    "real-adaboost": _of(wl.RealAdaBoostClassifier, n_rounds=8),
    "real-adaboost-costs": _of(wl.RealAdaBoostClassifier, n_rounds=5, costs=_COSTS),
    "rules": _of(wl.RulesClassifier, confidence=0.9, subset=True),
    "rules-costs": _of(wl.RulesClassifier, costs=_COSTS),
    "adaboost": _of(wl.AdaBoostM1Classifier, n_rounds=6),
    "adaboost-confidence": _of(
        wl.AdaBoostM1Classifier, estimator=_SMALL, n_rounds=6, vote="confidence"
    ),
    "adaboost-shares": _of(wl.AdaBoostM1Classifier, estimator=_SMALL, n_rounds=6, vote="shares"),
    "adaboost-costs": _of(wl.AdaBoostM1Classifier, estimator=_SMALL, n_rounds=5, costs=_COSTS),
    "adaboost-rules": _of(wl.AdaBoostM1Classifier, estimator=_RULES, n_rounds=4),
    "bagged-programs": _of(
        wl.BaggedClassifier,
        estimator=wl.BranchingProgramClassifier(merge="width", max_width=3, max_levels=6),
        n_members=4,
        vote="confidence",
        random_state=1,
    ),
    "adaboost-separators": _of(
        wl.AdaBoostM1Classifier, estimator=wl.RealAdaBoostClassifier(3), n_rounds=3
    ),
    "bagged": _of(wl.BaggedClassifier, n_members=5, random_state=1),
    "bagged-confidence": _of(
        wl.BaggedClassifier, estimator=_SMALL, n_members=5, vote="confidence", random_state=1
    ),
    "bagged-columns": _of(
        wl.BaggedClassifier, estimator=_RULES, n_members=5, max_features=0.5, random_state=1
    ),
    "bagged-tree-columns": _of(wl.BaggedClassifier, n_members=5, max_features=4, random_state=1),
    "boosted-forest": _of(wl.BoostedForestClassifier, n_members=8, run_length=2, random_state=1),
    "pruned": _of(
        wl.PrunedClassifier,
        estimator=wl.AdaBoostM1Classifier(estimator=_SMALL, n_rounds=8),
        method="margin_lp",
        size=3,
        random_state=1,
    ),
}


@cache
def training_table(seed: int = 0, n_rows: int = 160) -> tuple[pd.DataFrame, pd.Series[Any]]:
    """Return a table with numbers, dates, nominal and ignored columns, and missing values."""
    chance = np.random.default_rng(seed)
    frame = rows_of(chance, n_rows, unseen=False)
    score = frame["size"].fillna(0.0) + 2.0 * frame["colour"].isin(COLOURS[:3])
    score += (frame["close"].fillna(0.0) > 16777220.5) + chance.normal(scale=0.25, size=n_rows)
    index = np.digitize(score, [-0.5, 0.9, 2.2])
    return frame, pd.Series(np.array(CLASSES, object)[index], name="answer")


def rows_of(chance: np.random.Generator, n_rows: int, unseen: bool = True) -> pd.DataFrame:
    """Draw rows; with `unseen`, some values are extreme or did not occur."""
    size = chance.normal(size=n_rows).round(1)
    if unseen:
        near = chance.random(n_rows) < 0.2
        size[near] = np.nextafter(size[near].astype(np.float32), np.float32(9)).astype(float)
        rare = chance.random(n_rows) < 0.2
        size[rare] = chance.choice([-0.0, 1e300, -1e300, 5e-324], rare.sum())
    colours = [*COLOURS, *(("violet", "", "RED") if unseen else ())]
    cities = [*CITIES, *(("nowhere", "\0", "city") if unseen else ())]
    days = pd.Timestamp("2020-01-01") + pd.to_timedelta(chance.integers(0, 500, n_rows), "D")
    frame = pd.DataFrame(
        {
            "size": size,
            "int": chance.integers(0, 4, n_rows).astype(float),
            "close": 16777216.0 + chance.integers(0, 10, n_rows),
            "colour": pd.Series(chance.choice(colours, n_rows), dtype=object),
            "city": pd.Series(chance.choice(cities, n_rows), dtype=object),
            "day": pd.Series(days),
            "note": chance.normal(size=n_rows),
        }
    )
    for name in frame.columns:
        frame.loc[chance.random(n_rows) < 0.15, name] = None
    return frame


@cache
def fitted(name: str) -> Any:
    """Return the model of this name, fitted."""
    frame, y = training_table()
    model = FACTORIES[name]()
    if hasattr(model, "ignore"):
        model.set_params(ignore=["note"])
    elif hasattr(model, "estimator"):
        model.set_params(estimator__ignore=["note"])
    if getattr(model, "costs", None) is not None:
        model.set_params(costs=_costs())
    return model.fit(frame, y)


def encoded(model: Any, X: pd.DataFrame) -> EncodedRows:
    """Return rows as a model reads them, with infinities, which tables may not hold."""
    owner = getattr(model, "committee_", model)
    rows: EncodedRows = owner._encode(X)
    size = rows.arrays[0].copy()
    size[::7], size[1::7] = np.inf, -np.inf
    return EncodedRows([size, *rows.arrays[1:]], rows.n_rows)


def predictions(model: Any, rows: EncodedRows) -> tuple[list[Any], list[list[float]]]:
    """Return the labels and the probabilities that the library predicts for encoded rows."""
    owner = getattr(model, "committee_", model)
    positions = owner._positions_in_classes(owner.predict_class_indices(rows))
    probabilities = owner._in_class_order(owner.predict_class_shares(rows))
    return model.classes_[positions].tolist(), probabilities.tolist()


def _costs() -> dict[tuple[str, str], float]:
    return {
        (CLASSES[k], CLASSES[j]): float(_COSTS[k][j]) for k in range(4) for j in range(4) if k != j
    }


def random_cells(chance: np.random.Generator, given: Input, n_rows: int) -> Any:
    """Draw cells of an input, as encoded rows have them."""
    if given.kind == "nominal":
        return chance.integers(-1, len(given.values), n_rows).astype(np.int32)
    pool = [np.nan, np.inf, -np.inf, 0.0, -0.0, 0.1, -2.5, 1e-300, 3e38, *chance.normal(size=3)]
    return chance.choice(pool, n_rows)
