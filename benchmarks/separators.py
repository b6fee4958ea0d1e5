"""Boosted stumps and oblique trees: AdaBoostR and scikit-learn's AdaBoost over stumps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from benchmarks.registry import Result, benchmark
from benchmarks.timing import alternate
from weaklearn import BoostODTClassifier, RealAdaBoostClassifier

_ROWS, _COLUMNS, _ROUNDS = 100_000, 20, 200


@benchmark("separators", slow=True)
def boost_stumps() -> Iterator[Result]:
    """Measure a table of distinct values: the stump search reads every row of every column."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(_ROWS, _COLUMNS))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=_ROWS) > 0).astype(int)
    ours = RealAdaBoostClassifier(_ROUNDS)
    peer = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=_ROUNDS)
    our_time, peer_time = alternate(lambda: ours.fit(X, y), lambda: peer.fit(X, y), least_runs=1)
    yield Result(
        f"AdaBoostR, {_ROUNDS} stumps, {_ROWS:,} x {_COLUMNS}",
        our_time.wall,
        peer_time.wall,
        target=5,
        note=f"training error {1 - ours.score(X, y):.4f}, peer {1 - peer.score(X, y):.4f}",
    )
    our_time, peer_time = alternate(lambda: ours.predict(X), lambda: peer.predict(X), least_runs=2)
    yield Result(f"  predict {_ROWS:,} rows", our_time.wall, peer_time.wall)
    tree = BoostODTClassifier()
    our_time, _ = alternate(lambda: tree.fit(X, y), lambda: None, least_runs=1)
    yield Result(
        f"BoostODT, 50 stumps, {_ROWS:,} x {_COLUMNS}",
        our_time.wall,
        note=f"{tree.tree_.n_leaves} leaves, training error {1 - tree.score(X, y):.4f}",
    )
