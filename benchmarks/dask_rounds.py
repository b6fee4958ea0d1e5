"""Check the cost model of docs/guides/dask.md: ``python -m benchmarks.dask_rounds``.

Prints the time that a worker takes to count a row of a column, the time of a round without rows,
and for some tables the time of a fit on four workers, as the model predicts it, as it was measured,
and that of a local fit with two threads in the same run.
"""

from __future__ import annotations

import argparse
import time
from unittest import mock

import dask.array as da
import numpy as np
from distributed import Client, LocalCluster, wait

import weaklearn as wl
from weaklearn import _core
from weaklearn.dask import DaskBaggedClassifier, DaskTopDownClassifier, cluster_tasks

N_COLUMNS, N_WORKERS = 20, 4


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


def fit(client, n_rows, **parameters):
    """Return the seconds of the fit, those of its rounds, and the number of rounds."""
    collections = on_workers(client, *table(n_rows))
    rounds = []
    add_up = cluster_tasks.CountedParts._add_up

    def timed(self, *arguments):
        start = time.perf_counter()
        result = add_up(self, *arguments)
        rounds.append(time.perf_counter() - start)
        return result

    model = DaskTopDownClassifier(client=client, **parameters)
    with mock.patch.object(cluster_tasks.CountedParts, "_add_up", timed):
        total = seconds(lambda: model.fit(*collections))
    return total, sum(rounds), len(rounds)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rows", nargs="*", type=int, default=[100_000, 1_000_000])
    rows = parser.parse_args().rows
    cell = time_per_cell()
    print(f"counting: {1e9 * cell:.2f} ns per row and column")
    with (
        LocalCluster(n_workers=N_WORKERS, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        _, spent, n_rounds = fit(client, 2000, n_rounds=30)
        latency = spent / n_rounds
        print(f"a round without rows: {1000 * latency:.0f} ms ({n_rounds} rounds)")
        for n_rows in rows:
            X, y = table(n_rows)
            total, spent, n_rounds = fit(client, n_rows, n_rounds=30)
            predicted = n_rounds * (latency + n_rows * N_COLUMNS * cell / 2)  # two processors
            local = seconds(
                lambda X=X, y=y: wl.TopDownClassifier(n_rounds=30, max_bins=255, n_jobs=2).fit(X, y)
            )
            print(
                f"{n_rows:,} rows, 30 splits: {n_rounds} rounds, predicted up to {predicted:.2f} s"
                f", measured {spent:.2f} s; whole fit {total:.2f} s, local {local:.2f} s"
            )
            tree = wl.TopDownClassifier(n_rounds=30, max_bins=255)
            collections = on_workers(client, X, y)
            bagged = DaskBaggedClassifier(
                client=client, estimator=tree, n_members=8, random_state=0
            )
            total = seconds(lambda b=bagged, c=collections: b.fit(*c))
            local_model = wl.BaggedClassifier(tree, n_members=8, random_state=0, n_jobs=2)
            local = seconds(lambda m=local_model, X=X, y=y: m.fit(X, y))
            print(
                f"{n_rows:,} rows, bagging of 8 trees: {total:.2f} s, local {local:.2f} s, "
                f"ratio {total / local:.2f}"
            )


if __name__ == "__main__":
    main()
