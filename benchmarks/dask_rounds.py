"""Check the cost model of docs/guides/dask.md: ``python -m benchmarks.dask_rounds``.

Prints the time that a worker takes to count a row of a column, the time of a round without rows,
and for some tables the time of fits on four workers, as the model predicts their rounds and as they
were measured, and that of local fits with two threads. Both alternate; the figures are medians.
Trees are fitted a second time over the rows of workers, as those of larger tables are.
``--record docs/data/dask.json`` writes the file that the page is filled from.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from statistics import median
from unittest import mock

import dask.array as da
import numpy as np
from distributed import Client, LocalCluster, wait

import weaklearn as wl
from benchmarks.docs_data import write_docs_data
from weaklearn import _core
from weaklearn import dask as wld
from weaklearn.dask import cluster_tasks, fit_on_cluster

N_COLUMNS, N_WORKERS = 20, 4
TREE = wl.TopDownClassifier(n_rounds=30, max_bins=255)
#: Local fits and the client have as many threads.
N_THREADS = 2
COMMITTEE = {"estimator": TREE, "random_state": 0}
#: The classifier on a cluster, and its parameters.
WORK = {
    "TopDown tree of 30 splits": (wld.DaskTopDownClassifier, {"n_rounds": 30, "max_bins": 255}),
    "C4.5 tree of depth 8": (wld.DaskC45Classifier, {"max_depth": 8, "max_bins": 255}),
    "bagging of 8 such TopDown trees": (wld.DaskBaggedClassifier, {**COMMITTEE, "n_members": 8}),
    "AdaBoost of 8 such TopDown trees": (
        wld.DaskAdaBoostM1Classifier,
        {**COMMITTEE, "n_rounds": 8},
    ),
}
TREES = [name for name in WORK if " tree of " in name]


def table(n_rows):
    random = np.random.default_rng(0)
    X = random.normal(size=(n_rows, N_COLUMNS))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + random.normal(size=n_rows) > 0).astype(int)
    return X, y


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def time_per_cell(n_rows=200_000):
    """Return the seconds to count a row of a column at the root, with 255 bins and two classes."""
    X, y = table(n_rows)
    dataset = _core.Dataset(list(X.T.copy()), [0] * N_COLUMNS, y.astype(np.int32), 2, max_bins=255)
    unit = _core.WeightUnit.from_sum(_core.WeightUnit.first_unit(1.0, n_rows), n_rows)
    part = _core.PartOfRows(dataset, np.ones(n_rows), unit)
    trees = []
    counter = mock.Mock()
    counter.tables = lambda tree, nodes: (trees.append((tree, nodes)), part.tables(tree, 1, nodes))[
        1
    ]
    rows = _core.CountedRows(counter, unit, True)
    _core.fit_c45(dataset, np.zeros(0), max_depth=1, prune=False, counted=rows)
    return min(seconds(lambda: part.tables(trees[0][0], 2, trees[0][1])) for _ in range(5)) / (
        n_rows * N_COLUMNS
    )


def on_workers(client, X, y):
    """Return X and y as arrays that the workers hold, in two partitions per worker."""
    chunk = -(-len(y) // (2 * N_WORKERS))
    arrays = client.persist([da.from_array(X, (chunk, -1)), da.from_array(y, chunk)])
    wait(arrays)
    return arrays


def fit(client, collections, kind, parameters):
    """Return the seconds of the fit, and those of each of its rounds but the first.

    The first round waits for the encoded rows.
    """
    rounds = []
    add_up = cluster_tasks.CountedParts._add_up

    def timed(self, *arguments):
        start = time.perf_counter()
        result = add_up(self, *arguments)
        rounds.append(time.perf_counter() - start)
        return result

    model = kind(client=client, n_jobs=N_THREADS, **parameters)
    with mock.patch.object(cluster_tasks.CountedParts, "_add_up", timed):
        total = seconds(lambda: model.fit(*collections))
    return total, rounds[1:]


def compare(client, n_rows, kind, parameters, n_repeats):
    """Return the median seconds on the cluster, of its rounds, and of local fits."""
    X, y = table(n_rows)
    collections = on_workers(client, X, y)
    fit(client, collections, kind, parameters)  # the workers import what they need
    totals, of_rounds, local = [], [], []
    for _ in range(n_repeats):
        total, rounds = fit(client, collections, kind, parameters)
        totals.append(total)
        of_rounds.append(sum(rounds))
        model = kind._local_class(n_jobs=N_THREADS, **parameters)
        local.append(seconds(lambda model=model: model.fit(X, y)))
    return median(totals), len(rounds), median(of_rounds), median(local)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rows", nargs="*", type=int, default=[100_000, 1_000_000])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--record", type=Path)
    options = parser.parse_args()
    cell = time_per_cell()
    print(f"counting: {1e9 * cell:.2f} ns per row and column")
    lines = []
    with (
        LocalCluster(n_workers=N_WORKERS, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        over_rows = mock.patch.object(fit_on_cluster, "_MOST_BYTES_HERE", 0)
        small = on_workers(client, *table(2000))
        tree = WORK["TopDown tree of 30 splits"]
        with over_rows:
            fit(client, small, *tree)
            latency = median([t for _ in range(5) for t in fit(client, small, *tree)[1]])
        print(f"a round without rows: {1000 * latency:.1f} ms")

        def add_line(title, n_rows, work):
            total, n_rounds, spent, local = compare(client, n_rows, *work, options.repeats)
            predicted = n_rounds * (latency + n_rows * N_COLUMNS * cell / 2)  # two processors
            lines.append(
                [
                    title,
                    f"{n_rows:,}",
                    n_rounds or "",
                    f"{predicted:.2f} s" if n_rounds else "",
                    f"{spent:.2f} s" if n_rounds else "",
                    f"{total:.2f} s",
                    f"{local:.2f} s",
                    f"{total / local:.1f}",
                ]
            )
            print(lines[-1], flush=True)

        for n_rows in options.rows:
            for name, work in WORK.items():
                add_line(name, n_rows, work)
            with over_rows:
                for name in TREES:
                    add_line(f"{name}, over rows", n_rows, WORK[name])
    if options.record is not None:
        headings = ["work", "rows", "rounds", "predicted", "measured"]
        headings += ["whole fit, four workers", "local fit, two threads", "ratio"]
        write_docs_data(
            options.record,
            "python -m benchmarks.dask_rounds --record docs/data/dask.json",
            {"fits": (headings, lines)},
            {"cell": f"{1e9 * cell:.1f}", "round": f"{1000 * latency:.0f}"},
        )


if __name__ == "__main__":
    main()
