"""Compare two builds of the package: how long a fit and small predictions take with each.

``python -m benchmarks.two_builds FOLDER OTHER [--record FILE]`` runs both in turn, in processes of
their own; each FOLDER holds a package ``weaklearn``. The times are those of the processor, and the
ratio is the median over the rounds. The calls into the compiled module are the difference between
a build for the stable ABI and one for a version of Python, so the smallest calls show it best.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.docs_data import write_docs_data


def cases() -> dict[str, Callable[[], object]]:
    """Return what is measured."""
    import numpy as np

    import weaklearn as wl

    chance = np.random.default_rng(0)
    X = chance.normal(size=(20_000, 16)).round(1)  # as large as the table letter
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0) * 2 + (X[:, 3] > X[:, 4])
    tree = wl.C45Classifier().fit(X, y)
    forest = wl.BaggedClassifier(n_members=20, random_state=0).fit(X[:2000], y[:2000])
    one = X[:1]
    return {
        "one row by a tree": lambda: [tree.predict(one) for _ in range(300)],
        "one row by 20 trees": lambda: [forest.predict(one) for _ in range(300)],
        "20,000 rows by 20 trees": lambda: forest.predict(X),
        "fit of 20,000 rows": lambda: wl.C45Classifier().fit(X, y),
    }


def measure() -> dict[str, float]:
    """Return the least time of three of each case."""
    times = {}
    for name, case in cases().items():
        times[name] = float("inf")
        for _ in range(3):
            start = time.process_time()
            case()
            times[name] = min(times[name], time.process_time() - start)
    return times


def main() -> None:
    """Run both builds in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs=2, type=Path)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--record", type=Path, default=None)
    options = parser.parse_args()
    ratios: dict[str, list[float]] = {}
    for _ in range(options.rounds):
        times = []
        for folder in options.folders:
            environment = {**os.environ, "PYTHONPATH": str(folder)}
            command = [sys.executable, "-m", "benchmarks.two_builds", "--here"]
            done = subprocess.run(
                command, env=environment, stdout=subprocess.PIPE, text=True, check=True
            )
            times.append(json.loads(done.stdout))
        for name in times[0]:
            ratios.setdefault(name, []).append(times[0][name] / times[1][name])
    medians = {name: round(statistics.median(values), 3) for name, values in ratios.items()}
    print(json.dumps(medians, indent=1))
    if options.record is not None:
        rows = [[name, f"{ratio:.2f}"] for name, ratio in medians.items()]
        command = "python -m benchmarks.two_builds STABLE PLAIN --record docs/data/stable_abi.json"
        write_docs_data(options.record, command, {"ratios": (["work", "stable / plain"], rows)})


if __name__ == "__main__":
    if sys.argv[1:] == ["--here"]:
        print(json.dumps(measure()))
    else:
        main()
