"""The classifiers that the laws hold for: a new one joins by a line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import weaklearn as wl

Factory = Callable[..., Any]  # takes further parameters by name


def _with(kind: Any, **parameters: Any) -> Factory:
    return lambda **others: kind(**{**parameters, **others})


#: Exact ones: what is equal in real arithmetic counts as equal.
EXACT: dict[str, Factory] = {
    "c45": _with(wl.C45Classifier),
    "c45-unpruned": _with(wl.C45Classifier, criterion="gini", min_objects=1, prune=False),
    "c45-subset": _with(wl.C45Classifier, criterion="gain", subset=True, confidence=0.5),
    "stump": _with(wl.StumpClassifier),
}
#: Those that follow a program whose rounding depends on the order of rows and classes.
ROUNDING: dict[str, Factory] = {
    "c45-release8": _with(wl.C45Classifier, arithmetic="release8", subset=True, min_objects=1),
}
ALL = {**EXACT, **ROUNDING}
