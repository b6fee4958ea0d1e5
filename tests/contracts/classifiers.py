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
    "c45-unpruned": _with(wl.C45Classifier, prune=False, min_objects=1),
    "c45-gain-subset": _with(wl.C45Classifier, criterion="gain", subset=True),
    "c45-gini": _with(wl.C45Classifier, criterion="gini", confidence=0.5),
    "c45-km-subset": _with(wl.C45Classifier, criterion="km", subset=True, prune=False),
}
#: Those that follow a program whose rounding depends on the order of rows and classes.
ROUNDING: dict[str, Factory] = {
    "c45-release8": _with(wl.C45Classifier, arithmetic="release8"),
    "c45-release8-subset": _with(wl.C45Classifier, arithmetic="release8", subset=True, prune=False),
}
ALL = {**EXACT, **ROUNDING}
