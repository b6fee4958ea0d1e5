"""Workers that die, fits that are cancelled or run at the same time, and wrong arguments."""

from __future__ import annotations

import _thread
import os
import pickle
import signal
import threading

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import weaklearn as wl
from dask_tables import in_partitions, odd_table, own_keys, saved, wait_until

pytest.importorskip("distributed", reason="weaklearn.dask needs the extra cluster")
dd = pytest.importorskip("dask.dataframe", reason="Dask's DataFrames need pandas and pyarrow")

from distributed import Client, LocalCluster, get_worker  # noqa: E402

import dask  # noqa: E402
from weaklearn import dask as wld  # noqa: E402

STARTS = [0, 150, 300, 400]


def kill_once(rows, path):
    """End the process of the worker that reads a partition, the first time."""
    if not path.exists():
        path.touch()
        os._exit(1)
    return rows


@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_changes_nothing(client, tmp_path):
    X, y, _, _ = odd_table()
    parts = [X.iloc[:150], X.iloc[150:300], X.iloc[300:]]
    delayed = [dask.delayed(kill_once)(part, tmp_path / f"{i}") for i, part in enumerate(parts[:1])]
    delayed += [dask.delayed(part) for part in parts[1:]]
    collection = dd.from_delayed(delayed, meta=X.iloc[:0], verify_meta=False)
    model = wld.DaskC45Classifier(client=client, missing="branch")
    model.fit(collection, in_partitions(y, STARTS))
    assert (tmp_path / "0").exists()
    local = wl.C45Classifier(missing="branch", max_bins=255).fit(X, y)
    assert saved(model.to_local(), tmp_path) == saved(local, tmp_path)


@pytest.mark.filterwarnings("ignore")
def test_a_worker_killed_before_codes_are_gathered_changes_nothing(client, tmp_path, monkeypatch):
    X, y, _, _ = odd_table()
    from weaklearn.dask import fit_on_cluster

    gather, killed = fit_on_cluster._gather, []

    def kill_then_gather(tasks, calls, workers):
        killed.append(workers[0])
        client.run(os._exit, 1, workers=killed, on_error="ignore")
        return gather(tasks, calls, workers)

    monkeypatch.setattr(fit_on_cluster, "_gather", kill_then_gather)
    model = wld.DaskC45Classifier(client=client, missing="branch")
    model.fit(in_partitions(X, STARTS), in_partitions(y, STARTS))
    assert killed
    local = wl.C45Classifier(missing="branch", max_bins=255).fit(X, y)
    assert saved(model.to_local(), tmp_path) == saved(local, tmp_path)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("trees_over_rows")
def test_a_worker_killed_while_a_tree_grows_changes_nothing(client, tmp_path, monkeypatch):
    X, y, _, _ = odd_table()
    from weaklearn.dask import cluster_tasks

    tables, killed = cluster_tasks.CountedParts.tables, []

    def kill_then_count(self, tree, nodes):
        if self.n_rounds == 2 and not killed:
            killed.append(next(worker for worker in self._workers if worker))
            client.run(os._exit, 1, workers=killed, on_error="ignore")
        return tables(self, tree, nodes)

    monkeypatch.setattr(cluster_tasks.CountedParts, "tables", kill_then_count)
    model = wld.DaskC45Classifier(client=client, missing="branch")
    model.fit(in_partitions(X, STARTS), in_partitions(y, STARTS))
    assert killed
    local = wl.C45Classifier(missing="branch", max_bins=255).fit(X, y)
    assert saved(model.to_local(), tmp_path) == saved(local, tmp_path)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("most_bytes_here", [0, 2**25], ids=["over-rows", "gathered"])
def test_two_fits_at_the_same_time(client, monkeypatch, tmp_path, most_bytes_here):
    from weaklearn.dask import fit_on_cluster

    monkeypatch.setattr(fit_on_cluster, "_MOST_BYTES_HERE", most_bytes_here)
    X, y, _, _ = odd_table()
    models = {}

    def fit(n_rounds):
        model = wld.DaskTopDownClassifier(client=client, n_rounds=n_rounds)
        models[n_rounds] = model.fit(in_partitions(X, STARTS), in_partitions(y, STARTS))

    threads = [threading.Thread(target=fit, args=[n_rounds]) for n_rounds in (3, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for n_rounds in (3, 9):
        local = wl.TopDownClassifier(n_rounds=n_rounds, max_bins=255).fit(X, y)
        assert saved(models[n_rounds].to_local(), tmp_path) == saved(local, tmp_path)
    wait_until(lambda: not own_keys(client))


@pytest.mark.filterwarnings("ignore")
def test_an_interrupted_fit_from_codes_frees_the_memory_of_workers(client, monkeypatch):
    X, y, _, _ = odd_table()

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(wl.TopDownClassifier, "_fit_core", interrupt)
    model = wld.DaskTopDownClassifier(client=client, n_rounds=3)
    with pytest.raises(KeyboardInterrupt):
        model.fit(in_partitions(X, STARTS), in_partitions(y, STARTS))
    assert not hasattr(model, "classes_")
    wait_until(lambda: not own_keys(client))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("trees_over_rows")
def test_an_interrupted_fit_frees_the_memory_of_workers(client, monkeypatch):
    X, y, _, _ = odd_table()
    from weaklearn.dask import cluster_tasks

    seen = []

    def interrupt(self, tree, nodes):
        seen.extend(own_keys(client))
        raise KeyboardInterrupt

    monkeypatch.setattr(cluster_tasks.CountedParts, "tables", interrupt)
    model = wld.DaskTopDownClassifier(client=client, n_rounds=3)
    with pytest.raises(KeyboardInterrupt):
        model.fit(in_partitions(X, STARTS), in_partitions(y, STARTS))
    assert seen
    assert not hasattr(model, "classes_")
    wait_until(lambda: not own_keys(client))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("kind", "size"),
    [(wld.DaskAdaBoostM1Classifier, "n_rounds"), (wld.DaskBaggedClassifier, "n_members")],
)
@pytest.mark.usefixtures("interruptible")
def test_an_interrupted_committee_ends_its_loop_on_the_worker(client, kind, size, tmp_path):
    X, y, _, _ = odd_table()
    started, interrupted = tmp_path / "started", tmp_path / "interrupted"

    def note(progress):
        started.touch()
        wait_until(interrupted.exists)

    tree = wl.TopDownClassifier(n_rounds=2, max_bins=9)
    model = kind(client=client, estimator=tree, callback=note, **{size: 100_000})

    def interrupt():
        wait_until(started.exists)
        _thread.interrupt_main()  # as Ctrl-C does
        interrupted.touch()

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        model.fit(in_partitions(X, STARTS), in_partitions(y, STARTS))
    thread.join()
    assert not hasattr(model, "classes_")
    wait_until(lambda: not any(client.run(n_held).values()))


@pytest.fixture
def interruptible():
    """Let Ctrl-C raise KeyboardInterrupt, also in a process that a shell started in background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def n_held(dask_worker):
    """Return the number of results that a worker holds and of tasks that it runs."""
    return len(dask_worker.data) + dask_worker.state.executing_count


def test_a_cluster_without_workers_is_an_error():
    X, y, _, _ = odd_table()
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "1s"}),
        LocalCluster(n_workers=0, dashboard_address=":0") as cluster,
        Client(cluster) as client,
        pytest.raises(RuntimeError, match="no worker for 1 seconds"),
    ):
        wld.DaskC45Classifier(client=client).fit(in_partitions(X, STARTS), in_partitions(y, STARTS))


def test_wrong_arguments(client):
    X, y, _, _ = odd_table()
    collections = in_partitions(X, STARTS), in_partitions(y, STARTS)
    with pytest.raises(TypeError, match="expected a Dask DataFrame"):
        wld.DaskC45Classifier(client=client).fit(X, y)
    with pytest.raises(ValueError, match="X has 3 partitions, y has 1"):
        wld.DaskC45Classifier(client=client).fit(collections[0], in_partitions(y, [0, 400]))
    with pytest.raises(ValueError, match=r"needs bins.*max_bins=255"):
        wld.DaskBaggedClassifier(client=client).fit(*collections)
    with pytest.raises(ValueError, match=r"partition [12]: .*inconsistent numbers of samples"):
        wld.DaskC45Classifier(client=client).fit(
            collections[0], in_partitions(y, [0, 150, 299, 400])
        )
    with pytest.raises(ValueError, match="min_objects"):
        wld.DaskC45Classifier(client=client, min_objects=-1).fit(*collections)


@pytest.mark.filterwarnings("ignore")
def test_too_little_memory_says_how_much_is_needed(client, monkeypatch):
    from weaklearn.dask import fit_from_codes

    X, y, _, _ = odd_table()
    monkeypatch.setattr(fit_from_codes, "_SHARE_OF_MEMORY", 1e-9)
    model = wld.DaskBaggedClassifier(
        client=client, estimator=wl.BranchingProgramClassifier(max_bins=9), n_members=2
    )
    with pytest.raises(MemoryError, match=r"memory_limit=.*GiB"):
        model.fit(in_partitions(X, STARTS), in_partitions(y, STARTS))


def test_partitions_of_different_kinds_are_an_error(client):
    parts = [pd.DataFrame({"a": [1.0, 2.0]}), pd.DataFrame({"a": ["x", "y"]}, dtype=object)]
    X = dd.from_delayed([dask.delayed(p) for p in parts], meta=parts[0][:0], verify_meta=False)
    y = in_partitions(pd.Series(["p", "q", "p", "q"]), [0, 2, 4])
    with pytest.raises(TypeError, match="holds numbers in some partitions and labels in others"):
        wld.DaskC45Classifier(client=client).fit(X, y)


def test_a_clone_has_the_same_client_and_a_pickle_has_none(client):
    model = wld.DaskC45Classifier(client=client, min_objects=3)
    assert clone(model).get_params() == model.get_params()
    restored = pickle.loads(pickle.dumps(model))
    assert restored.get_params() == {**model.get_params(), "client": None}


def test_a_callback_sees_the_rounds_of_a_committee(client, tmp_path):
    X, y, _, _ = odd_table()

    def note(progress):
        (tmp_path / f"{progress.done}-of-{progress.planned}").write_text(get_worker().address)

    model = wld.DaskAdaBoostM1Classifier(
        client=client,
        estimator=wl.TopDownClassifier(n_rounds=2, max_bins=9),
        n_rounds=3,
        callback=note,
        random_state=np.random.RandomState(0),
    )
    model.fit(in_partitions(X.drop(columns="number"), STARTS), in_partitions(y, STARTS))
    n_rounds = len(model.to_local().members_)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f"{done}-of-3" for done in range(1, n_rounds + 1)]
