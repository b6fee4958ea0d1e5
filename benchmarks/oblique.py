"""Oblique trees: BoostODT compared with OC1, SADT and other packages."""

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

_ROWS = 4_000  # half for training, half for testing
_DEPTH = 4


def _planes() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return ten columns and two classes, decided by three planes, with 10% label noise."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((_ROWS, 10))
    sides = rng.standard_normal((10, 3)).T @ X.T > 0
    wrong = rng.random(_ROWS) < 0.1
    return X, ((sides.sum(axis=0) >= 2) ^ wrong).astype(np.int64)


def _error(model: Any, X: Any, y: Any) -> float:
    return float((model.predict(X) != y).mean())


@benchmark("oblique")
def compare_oc1() -> Iterator[Result]:
    """Check the claim of Henry, Nock and Nielsen: 10 to 100 times faster than OC1."""
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
                f"BoostODT, compared with {kind}, {name}, {half:,} rows",
                our_time.wall,
                peer_time.wall,
                target=10 if kind == "OC1" and name == "planes" else None,
                note=f"errors on other rows: {errors[0]:.1%}, {kind} {errors[1]:.1%}",
            )
    one, two = alternate(
        lambda: OC1Classifier(random_state=0).fit(X[:half], y[:half]),
        lambda: OC1Classifier(random_state=0, n_jobs=2).fit(X[:half], y[:half]),
        least_runs=1,
    )
    yield Result(
        "  OC1, two threads compared with one",
        two.wall,
        one.wall,
        note="the peer is our single thread",
    )


def _packages() -> Iterator[tuple[str, Callable[[], Any] | str]]:
    """Yield each peer's name and a function that makes it, or the reason why it is missing."""
    kinds: list[tuple[str, str, str]] = [
        ("obliquetree", "obliquetree", "Classifier"),
        ("treeple", "treeple.tree", "ObliqueDecisionTreeClassifier"),
    ]
    for name, module, kind in kinds:
        try:
            peer = getattr(import_module(module), kind)
        except ImportError:
            yield name, f"{name} is not installed: pip install {name}"
        except ValueError as error:  # compiled for another version of scikit-learn
            yield name, f"{name} cannot be imported here: {str(error)[:60]}..."
        else:
            yield name, lambda peer=peer: peer(max_depth=_DEPTH, random_state=0)


def _refused(make: Callable[[], Any]) -> str:
    """Return which of two kinds of table a peer refuses; weaklearn accepts both."""
    numbers = np.random.default_rng(0).standard_normal((40, 3))
    names = numbers.astype(object)
    numbers[3, 1] = np.nan
    names[:, 2] = np.where(np.arange(40) % 3 == 0, "red", "blue")
    refused = []
    for kind, table in (("NaN", numbers), ("strings", names)):
        try:
            make().fit(table, np.arange(40) % 2)
        except (TypeError, ValueError):
            refused.append(kind)
    return f"; it refuses {' and '.join(refused)}" if refused else ""


@benchmark("oblique-packages")
def compare_packages() -> Iterator[Result]:
    """Compare with other packages on the same rows and at the same depth."""
    X, y = _planes()
    half = _ROWS // 2
    ours = BoostODTClassifier(max_depth=_DEPTH)
    for name, make in _packages():
        work = f"BoostODT, compared with {name}, depth {_DEPTH}, {half:,} x {X.shape[1]}"
        if isinstance(make, str):
            (our_time,) = alternate(lambda: ours.fit(X[:half], y[:half]), least_runs=1)
            yield Result(work, our_time.wall, note=make)
            continue
        peer = make()
        our_time, peer_time = alternate(
            lambda: ours.fit(X[:half], y[:half]),
            lambda peer=peer: peer.fit(X[:half], y[:half]),
            least_runs=1,
        )
        errors = [_error(model, X[half:], y[half:]) for model in (ours, peer)]
        yield Result(
            work,
            our_time.wall,
            peer_time.wall,
            note=f"errors on other rows: {errors[0]:.1%}, {name} {errors[1]:.1%}{_refused(make)}",
        )
