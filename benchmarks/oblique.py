"""Oblique trees: BoostODT beside OC1, and beside the packages that grow such trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import data
from benchmarks.registry import Result, benchmark
from benchmarks.timing import alternate
from weaklearn import BoostODTClassifier, OC1Classifier, SADTClassifier

_ROWS = 4_000  # half of them to fit to, half to test on
_DEPTH = 4


def _planes() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Ten numbers, two classes by three planes that cross, a tenth of the classes wrong."""
    chance = np.random.default_rng(0)
    X = chance.standard_normal((_ROWS, 10))
    sides = chance.standard_normal((10, 3)).T @ X.T > 0
    wrong = chance.random(_ROWS) < 0.1
    return X, ((sides.sum(axis=0) >= 2) ^ wrong).astype(np.int64)


def _error(model: Any, X: Any, y: Any) -> float:
    return float((model.predict(X) != y).mean())


@benchmark("oblique")
def beside_oc1() -> Iterator[Result]:
    """The claim of Henry, Nock and Nielsen: ten to a hundred times faster than OC1."""
    X, y = _planes()
    mixed, label = data.mixed(_ROWS)
    half = _ROWS // 2
    for name, rows, classes in (("planes", X, y), ("mixed, 10% missing", mixed, label)):
        ours = BoostODTClassifier()
        for peer in (OC1Classifier(random_state=0), SADTClassifier(random_state=0)):
            our_time, peer_time = alternate(
                lambda ours=ours, rows=rows, classes=classes: ours.fit(rows[:half], classes[:half]),
                lambda peer=peer, rows=rows, classes=classes: peer.fit(rows[:half], classes[:half]),
                least_runs=1,
            )
            errors = [_error(model, rows[half:], classes[half:]) for model in (ours, peer)]
            kind = type(peer).__name__.removesuffix("Classifier")
            yield Result(
                f"BoostODT beside {kind}, {name}, {half:,} rows",
                our_time.wall,
                peer_time.wall,
                asked=10 if kind == "OC1" and name == "planes" else None,
                note=f"errors on other rows: {errors[0]:.1%}, {kind} {errors[1]:.1%}",
            )
    one, two = alternate(
        lambda: OC1Classifier(random_state=0).fit(X[:half], y[:half]),
        lambda: OC1Classifier(random_state=0, n_jobs=2).fit(X[:half], y[:half]),
        least_runs=1,
    )
    yield Result(
        "  OC1 by two threads beside one", two.wall, one.wall, note="the peer is our single thread"
    )


def _rivals() -> Iterator[tuple[str, Callable[[], Any] | str]]:
    """Give name and maker of each rival of the same depth; where there is none, why."""
    kinds: list[tuple[str, str, str]] = [
        ("obliquetree", "obliquetree", "Classifier"),
        ("treeple", "treeple.tree", "ObliqueDecisionTreeClassifier"),
    ]
    for name, module, kind in kinds:
        try:
            rival = getattr(import_module(module), kind)
        except ImportError:
            yield name, f"{name} is not installed: pip install {name}"
        except ValueError as error:  # compiled for another version of scikit-learn
            yield name, f"{name} cannot be imported here: {str(error)[:60]}..."
        else:
            yield name, lambda rival=rival: rival(max_depth=_DEPTH, random_state=0)


def _refused(make: Callable[[], Any]) -> str:
    """Say which of two kinds of table a rival does not take, ours taking both."""
    numbers = np.random.default_rng(0).standard_normal((40, 3))
    names = numbers.astype(object)
    numbers[3, 1] = np.nan
    names[:, 2] = np.where(np.arange(40) % 3 == 0, "red", "blue")
    refused = []
    for what, table in (("NaN", numbers), ("names of values", names)):
        try:
            make().fit(table, np.arange(40) % 2)
        except (TypeError, ValueError):
            refused.append(what)
    return f"; it refuses {' and '.join(refused)}" if refused else ""


@benchmark("oblique-rivals")
def beside_rivals() -> Iterator[Result]:
    """The same rows and the same depth."""
    X, y = _planes()
    half = _ROWS // 2
    ours = BoostODTClassifier(max_depth=_DEPTH)
    for name, make in _rivals():
        work = f"BoostODT beside {name}, depth {_DEPTH}, {half:,} x {X.shape[1]}"
        if isinstance(make, str):
            (our_time,) = alternate(lambda: ours.fit(X[:half], y[:half]), least_runs=1)
            yield Result(work, our_time.wall, note=make)
            continue
        rival = make()
        our_time, its_time = alternate(
            lambda: ours.fit(X[:half], y[:half]),
            lambda rival=rival: rival.fit(X[:half], y[:half]),
            least_runs=1,
        )
        errors = [_error(model, X[half:], y[half:]) for model in (ours, rival)]
        yield Result(
            work,
            our_time.wall,
            its_time.wall,
            note=f"errors on other rows: {errors[0]:.1%}, {name} {errors[1]:.1%}{_refused(make)}",
        )
