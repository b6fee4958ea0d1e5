"""Large tables: trees and committees with bins, compared with LightGBM and scikit-learn."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from importlib import import_module
from math import log
from typing import Any

from sklearn.ensemble import RandomForestClassifier

from benchmarks import data
from benchmarks.registry import Result, benchmark
from benchmarks.timing import alternate, in_fresh_process
from weaklearn import AdaBoostM1Classifier, BaggedClassifier, C45Classifier, TopDownClassifier

_COLUMNS = 20
_TEST_ROWS = 100_000
_ONE_THREAD = "processor time of one thread"


def _boosted(n_rounds: int) -> AdaBoostM1Classifier:
    member = TopDownClassifier(n_rounds=30, max_bins=255)  # 31 leaves
    return AdaBoostM1Classifier(member, n_rounds=n_rounds, n_jobs=1)


@benchmark("bins", slow=True)
def boost_with_bins() -> Iterator[Result]:
    """Boost trees of 31 leaves as LightGBM does, with the same number of bins."""
    try:
        make_peer = import_module("lightgbm").LGBMClassifier
    except ImportError:
        make_peer = None
    n_rounds = 100
    for n_rows in (100_000, 1_000_000):
        X, y = data.noisy_numbers(n_rows + _TEST_ROWS)
        training, held_out = (X[:n_rows], y[:n_rows]), (X[n_rows:], y[n_rows:])
        models: list[Any] = [_boosted(n_rounds)]
        if make_peer is not None:
            models += [make_peer(n_estimators=n_rounds, num_leaves=31, n_jobs=1, verbose=-1)]
        times = alternate(
            *(lambda m=model, table=training: m.fit(*table) for model in models),
            least_runs=3 if n_rows < 1_000_000 else 1,
        )
        errors = [f"{1 - float(model.score(*held_out)):.1%}" for model in models]
        work = f"boost {n_rows:,} x 20, {n_rounds} trees of 31 leaves"
        if make_peer is None:
            yield Result(work, times[0].cpu, note="LightGBM is not installed: pip install .[bench]")
            continue
        yield Result(
            work,
            times[0].cpu,
            times[1].cpu,
            target=1,
            note=f"LightGBM; {_ONE_THREAD}; errors on held-out rows: {errors[0]}, peer {errors[1]}",
        )


@benchmark("bins-tree", slow=True)
def fit_tree_with_bins() -> Iterator[Result]:
    """Fit one full C4.5 tree to a million rows, with and without bins."""
    n_rows = 1_000_000
    X, y = data.noisy_numbers(n_rows + _TEST_ROWS)
    for options in ({}, {"min_objects": 20}):
        models: list[Any] = [C45Classifier(max_bins=255, **options), C45Classifier(**options)]
        times = alternate(*(lambda m=model: m.fit(X[:n_rows], y[:n_rows]) for model in models))
        errors = [1 - float(model.score(X[n_rows:], y[n_rows:])) for model in models]
        name = "".join(f", {key}={value}" for key, value in options.items())
        yield Result(
            f"C4.5, 1,000,000 x 20, 255 bins{name}",
            times[0].cpu,
            times[1].cpu,
            target=3,
            note=f"the same learner without bins; {_ONE_THREAD}",
        )
        yield Result(
            "  points of error beyond those without bins",
            100 * (errors[0] - errors[1]),
            target=0.3,
            unit="number",
            note=f"errors on held-out rows: {errors[0]:.2%}, without bins {errors[1]:.2%}",
        )


@benchmark("bins-forest", slow=True)
def fit_forest_with_bins() -> Iterator[Result]:
    """Fit ten trees of a forest to a million rows; a hundred take ten times as long."""
    X, y = data.noisy_numbers(1_000_000 + _TEST_ROWS)
    training, held_out = (X[:-_TEST_ROWS], y[:-_TEST_ROWS]), (X[-_TEST_ROWS:], y[-_TEST_ROWS:])
    member = C45Classifier("gini", max_features="sqrt", prune=False, max_bins=255)
    ours = BaggedClassifier(member, n_members=10, n_jobs=1, random_state=0)
    peer = RandomForestClassifier(n_estimators=10, n_jobs=1, random_state=0)
    times = []
    for model in (ours, peer):
        start = time.process_time()
        model.fit(*training)
        times.append(time.process_time() - start)
    errors = [1 - float(model.score(*held_out)) for model in (ours, peer)]
    yield Result(
        "10 trees of a forest, 1,000,000 x 20",
        times[0],
        times[1],
        target=10,
        note=f"RandomForestClassifier; {_ONE_THREAD}; errors on held-out rows: {errors[0]:.1%}, "
        f"peer {errors[1]:.1%}",
    )


@benchmark("bins-growth", slow=True)
def growth_with_bins() -> Iterator[Result]:
    """Boost ten trees on 10,000 to 10 million rows, and measure the peak of memory."""
    seconds = {}
    for n_rows in (10_000, 100_000, 1_000_000, 10_000_000):
        X, y = data.noisy_numbers(n_rows)
        (ours,) = alternate(lambda t=(X, y): _boosted(10).fit(*t), least_runs=1)
        seconds[n_rows] = ours.cpu
        del X, y
        gc.collect()
    each = ", ".join(f"{n:,}: {s:.3g} s" for n, s in seconds.items())
    yield Result(
        "exponent of time, 10,000 to 10 million rows",
        log(seconds[10_000_000] / seconds[10_000], 1000),
        target=1.05,
        unit="number",
        note=f"10 boosted trees of 31 leaves, 255 bins; {_ONE_THREAD}; {each}",
    )
    n_rows = 1_000_000
    for learner in ("boosted", "tree"):
        peak, *_ = in_fresh_process("-m", "benchmarks.memory", str(n_rows), learner)
        yield Result(
            f"peak memory of a fit of 1,000,000 x 20, {learner}",
            peak,
            target=(1.5 * _COLUMNS + 16) * n_rows,
            unit="bytes",
            note="beyond the table of the user; 255 bins",
        )
