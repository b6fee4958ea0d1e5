"""A cluster of processes."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module")
def client(request):
    """Start two processes, or as many as the parameter asks for."""
    from distributed import Client, LocalCluster

    n_workers = getattr(request, "param", 2)
    with (
        LocalCluster(n_workers=n_workers, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture
def trees_over_rows(monkeypatch):
    """Grow trees of small tables over the rows of workers, as those of large tables do."""
    from weaklearn.dask import fit_on_cluster

    monkeypatch.setattr(fit_on_cluster, "_MOST_BYTES_HERE", 0)
