"""Committees compared with scikit-learn and with gradient boosting."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from importlib import import_module
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from sklearn.datasets import load_iris
from sklearn.ensemble import (
    AdaBoostClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from benchmarks import data
from benchmarks.registry import Result, benchmark
from benchmarks.timing import Best, alternate
from weaklearn import AdaBoostM1Classifier, BoostedForestClassifier

_TRAINING_ROWS = 16_000  # the published training rows of letter; the other 4,000 are for testing


def _peer(n_rounds: int) -> Any:
    tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2)
    return AdaBoostClassifier(tree, n_estimators=n_rounds, random_state=0)


def _fit_both(n_rounds: int, table: data.Letter, least_runs: int) -> tuple[Any, Any, Best, Best]:
    ours, peer = AdaBoostM1Classifier(n_rounds=n_rounds), _peer(n_rounds)
    our_time, peer_time = alternate(
        lambda: ours.fit(table.X, table.y),
        lambda: peer.fit(table.X, table.y),
        least_runs=least_runs,
    )
    return ours, peer, our_time, peer_time


@benchmark("boosting")
def boost_letter() -> Iterator[Result]:
    """Measure a committee on letter: fit, growth with the rounds, prediction, size."""
    table = data.letter()
    times = {}
    for n_rounds, least_runs in ((10, 2), (100, 1)):
        ours, peer, our_time, peer_time = _fit_both(n_rounds, table, least_runs)
        times[n_rounds] = our_time.cpu
        yield Result(
            f"boost {table.name}, {n_rounds} rounds",
            our_time.wall,
            peer_time.wall,
            target=4,
            note=f"members: {len(ours)}, peer {len(peer.estimators_)}",
        )
    yield Result(
        "  exponent of time, 10 to 100 rounds",
        log(times[100] / times[10], 10),
        target=1.1,
        unit="number",
        note=f"processor time: {times[10]:.3g} s, {times[100]:.3g} s",
    )
    our_time, peer_time = alternate(
        lambda: ours.predict(table.X), lambda: peer.predict(table.X), least_runs=2
    )
    yield Result(f"predict, {table.name}, 100 members", our_time.wall, peer_time.wall, target=5)
    yield from _sizes(ours, peer)


def _sizes(ours: Any, peer: Any) -> Iterator[Result]:
    """Measure the size of a committee in memory and in files."""
    nodes = sum(member.tree_.size for member in ours.members_)
    arrays = ours._voters.compiled(ours.votes_).forest.nbytes
    yield Result(
        "100 members on letter, layout for prediction",
        arrays,
        unit="bytes",
        note=f"{nodes:,} nodes",
    )
    yield Result("  pickled", len(pickle.dumps(ours)), len(pickle.dumps(peer)), unit="bytes")
    with TemporaryDirectory() as folder:
        for suffix in (".json", ".json.gz"):
            path = Path(folder) / f"model{suffix}"
            ours.save(path)
            yield Result(f"  saved as {suffix}", path.stat().st_size, unit="bytes")


@benchmark("boosting-continuous", slow=True)
def boost_continuous() -> Iterator[Result]:
    """Fit a table of distinct values with one thread and with two."""
    X, y = data.noisy_numbers(100_000)
    ours, two_threads, peer = alternate(
        lambda: AdaBoostM1Classifier().fit(X, y),
        lambda: AdaBoostM1Classifier(n_jobs=2).fit(X, y),
        lambda: _peer(10).fit(X, y),
        least_runs=1,
    )
    yield Result("boost 100,000 x 20, 10 rounds", ours.wall, peer.wall, target=10)
    yield Result(
        "  two threads, compared with one",
        two_threads.wall,
        ours.wall,
        target=1.6,
        note="the peer is our own single thread",
    )


@benchmark("boosted-forest")
def fit_boosted_forest() -> Iterator[Result]:
    """Fit the default boosted forest: letter with one thread and with two, and iris."""
    table = data.letter()
    one, two, peer = alternate(
        lambda: BoostedForestClassifier(random_state=0, n_jobs=1).fit(table.X, table.y),
        lambda: BoostedForestClassifier(random_state=0, n_jobs=2).fit(table.X, table.y),
        lambda: RandomForestClassifier(n_jobs=1, random_state=0).fit(table.X, table.y),
        least_runs=5,
    )
    yield Result(
        f"boosted forest, {table.name}, 100 members",
        one.cpu,
        peer.cpu,
        target=1,
        note="RandomForestClassifier of 100 trees; processor time of one thread",
    )
    yield Result(
        "  two threads, compared with one",
        two.wall,
        one.wall,
        target=1.6,
        note="the peer is our own single thread",
    )
    X, y = load_iris(return_X_y=True)
    (iris,) = alternate(lambda: BoostedForestClassifier(random_state=0, n_jobs=1).fit(X, y))
    yield Result("boosted forest, iris, 100 members", iris.cpu, target=0.06, note="processor time")


def _gradient_boosters() -> Iterator[tuple[str, Callable[[], Any] | None]]:
    """Yield each peer's name and a function that makes it; None if it is not installed.

    The peers run 100 iterations on one thread.
    """
    yield "HistGradientBoosting", lambda: HistGradientBoostingClassifier(early_stopping=False)
    optional: list[tuple[str, str, str, dict[str, Any]]] = [
        ("LightGBM", "lightgbm", "LGBMClassifier", {"verbose": -1}),
        ("XGBoost", "xgboost", "XGBClassifier", {}),
    ]
    for name, module, kind, options in optional:
        try:
            peer = getattr(import_module(module), kind)
        except ImportError:
            yield name, None
        else:
            settings = {"n_estimators": 100, "n_jobs": 1, **options}
            yield name, lambda peer=peer, settings=settings: peer(**settings)


@benchmark("gradient-boosting")
def compare_gradient_boosting() -> Iterator[Result]:
    """Compare 100 rounds with 100 iterations on letter; errors are on its test rows."""
    table = data.letter()
    classes = np.unique(table.y, return_inverse=True)[1]
    X, y = table.X[:_TRAINING_ROWS], classes[:_TRAINING_ROWS]

    def error(model: Any) -> float:
        predicted = model.predict(table.X[_TRAINING_ROWS:])
        return float((predicted != classes[_TRAINING_ROWS:]).mean())

    committee = AdaBoostM1Classifier(n_rounds=100)
    (our_time,) = alternate(lambda: committee.fit(X, y), least_runs=1)
    our_error = error(committee)
    for name, make in _gradient_boosters():
        work = f"boost {table.name}, 100 rounds, compared with {name}"
        if make is None:
            yield Result(work, our_time.wall, note=f"{name} is not installed: pip install .[bench]")
            continue
        peer = make()
        with threadpool_limits(1):
            (peer_time,) = alternate(lambda peer=peer: peer.fit(X, y), least_runs=1)
            peer_error = error(peer)
        yield Result(
            work,
            our_time.wall,
            peer_time.wall,
            target=1,
            note=f"{len(X):,} rows; errors on the others: {our_error:.2%}, {name} {peer_error:.2%}",
        )
