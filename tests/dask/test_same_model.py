"""A fit on a cluster gives the file of the local fit, byte for byte."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import weaklearn as wl
from dask_tables import in_partitions, odd_table, saved

pytest.importorskip("distributed", reason="weaklearn.dask needs the extra cluster")
pytest.importorskip("dask.dataframe", reason="Dask's DataFrames need pandas and pyarrow")
da = pytest.importorskip("dask.array")

from weaklearn import dask as wld  # noqa: E402
from weaklearn.dask import cluster_tasks, fit_on_cluster  # noqa: E402

TREE = wl.C45Classifier(max_bins=20)
LEARNERS = {
    "c45": (wld.DaskC45Classifier, {"missing": "branch", "max_bins": 20}),
    "c45-shares": (wld.DaskC45Classifier, {"max_bins": 255}),
    "c45-groups": (wld.DaskC45Classifier, {"subset": True, "max_bins": 9, "confidence": 0.1}),
    "c45-unpruned": (
        wld.DaskC45Classifier,
        {"prune": False, "subset": True, "max_bins": 9, "class_weight": "balanced"},
    ),
    "topdown-pruned": (
        wld.DaskTopDownClassifier,
        {"prune": True, "grouping": True, "max_bins": 20, "costs": {("yes", "no"): 3}},
    ),
    "topdown": (wld.DaskTopDownClassifier, {"n_rounds": 12, "max_bins": 255, "ignore": ["day"]}),
    "adaboost": (
        wld.DaskAdaBoostM1Classifier,
        {
            "estimator": wl.TopDownClassifier(n_rounds=4, max_bins=20),
            "n_rounds": 4,
            "random_state": 0,
        },
    ),
    "bagging": (
        wld.DaskBaggedClassifier,
        {"estimator": TREE, "n_members": 5, "random_state": 0, "costs": {("yes", "no"): 3}},
    ),
    "forest": (
        wld.DaskBoostedForestClassifier,
        {"estimator": TREE, "n_members": 8, "run_length": 2, "random_state": 0},
    ),
}

TREES = [name for name in LEARNERS if name.startswith(("c45", "topdown"))]


def fit_both(client, name, X, y, weights, starts):
    kind, parameters = LEARNERS[name]
    collections = [
        None if rows is None else in_partitions(rows, starts) for rows in (X, y, weights)
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        distributed = kind(client=client, **parameters).fit(*collections)
        local = kind._local_class(**parameters).fit(X, y, weights)
    return distributed, local


@pytest.mark.parametrize(
    ("client", "weighted"),
    [(1, True), (2, False), (4, True)],
    indirect=["client"],
    ids=["1-process", "2-processes", "4-processes"],
)
def test_the_file_is_that_of_the_local_fit(client, weighted, tmp_path):
    X, y, weights, starts = odd_table()
    for name in LEARNERS:  # trees are learned in this process
        distributed, local = fit_both(client, name, X, y, weights if weighted else None, starts)
        assert saved(distributed.to_local(), tmp_path) == saved(local, tmp_path), name
    predicted = distributed.predict(in_partitions(X, starts))
    assert (predicted.compute().to_numpy() == local.predict(X)).all()
    shares = distributed.predict_proba(in_partitions(X, starts)).compute()
    assert (shares.to_numpy() == local.predict_proba(X)).all()
    assert list(shares.columns) == list(local.classes_)


@pytest.mark.parametrize(
    ("client", "weighted"),
    [(1, False), (2, True), (4, False)],
    indirect=["client"],
    ids=["1-process", "2-processes", "4-processes"],
)
@pytest.mark.usefixtures("trees_over_rows")
def test_the_file_of_a_tree_over_rows_is_that_of_the_local_fit(client, weighted, tmp_path):
    X, y, weights, starts = odd_table()
    for name in TREES:
        distributed, local = fit_both(client, name, X, y, weights if weighted else None, starts)
        assert saved(distributed.to_local(), tmp_path) == saved(local, tmp_path), name


@pytest.mark.parametrize("most_bytes_here", [0, 2**25], ids=["over-rows", "gathered"])
def test_workers_are_asked_directly_or_by_tasks(client, monkeypatch, tmp_path, most_bytes_here):
    X, y, _, starts = odd_table()
    monkeypatch.setattr(fit_on_cluster, "_MOST_BYTES_HERE", most_bytes_here)
    tasks = cluster_tasks.ClusterTasks
    ask, succeeded = tasks.ask_workers, []

    def ask_and_note(self, *arguments):
        results = ask(self, *arguments)
        succeeded.append(results is not None)
        return results

    def fit():
        model = wld.DaskC45Classifier(client=client, missing="branch", max_bins=20)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(in_partitions(X, starts), in_partitions(y, starts))
        return saved(model.to_local(), tmp_path)

    monkeypatch.setattr(tasks, "ask_workers", ask_and_note)
    directly = fit()
    assert len(succeeded) > 1
    assert all(succeeded)
    monkeypatch.setattr(tasks, "ask_workers", lambda *_: None)
    monkeypatch.setattr(cluster_tasks, "_FAN_IN", 2)  # results are merged in a tree
    assert fit() == directly
    monkeypatch.setattr(fit_on_cluster, "_MOST_COLUMNS_HERE", 0)  # a worker makes the bins
    monkeypatch.setattr(tasks, "ask_workers", ask)
    assert fit() == directly


def test_an_arrow_dictionary_declares_classes_that_do_not_occur(client, tmp_path):
    pd = pytest.importorskip("pandas")
    pa = pytest.importorskip("pyarrow")
    X, y, _, starts = odd_table()
    indices = pa.array((y == y.iloc[0]).astype("int32"))
    labels = pa.DictionaryArray.from_arrays(indices, pa.array(["z", "b", "never"]))
    y = pd.Series(labels, dtype=pd.ArrowDtype(labels.type), index=y.index)
    model = wld.DaskC45Classifier(client=client, missing="branch", max_bins=20)
    local = wl.C45Classifier(missing="branch", max_bins=20)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(in_partitions(X, starts), in_partitions(y, starts))
        local.fit(X, y)
    assert saved(model.to_local(), tmp_path) == saved(local, tmp_path)
    assert model.classes_.tolist() == local.classes_.tolist() == ["b", "z"]


@pytest.mark.parametrize("most_bytes_here", [0, 2**25], ids=["over-rows", "gathered"])
def test_suspicious_columns_are_named_as_in_a_local_fit(client, monkeypatch, most_bytes_here):
    monkeypatch.setattr(fit_on_cluster, "_MOST_BYTES_HERE", most_bytes_here)
    X, y, _, starts = odd_table()
    X = X.assign(
        key=range(400), text_key=[f"k{i}" for i in range(400)], one=1.0, label="a", status=y + "!"
    )

    def warning_of(model, *table):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model.fit(*table)
        return [str(w.message) for w in caught if "suspicious" in str(w.message)]

    model = wld.DaskTopDownClassifier(client=client, n_rounds=1)
    distributed = warning_of(model, in_partitions(X, starts), in_partitions(y, starts))
    assert distributed == warning_of(wl.TopDownClassifier(n_rounds=1, max_bins=255), X, y)
    for name in ("key", "text_key", "one", "label", "status"):
        assert f"'{name}'" in distributed[0]


@pytest.mark.parametrize("most_bytes_here", [0, 2**25], ids=["over-rows", "gathered"])
def test_arrays_and_a_distribution_as_weights(client, monkeypatch, tmp_path, most_bytes_here):
    monkeypatch.setattr(fit_on_cluster, "_MOST_BYTES_HERE", most_bytes_here)
    random = np.random.default_rng(1)
    X = random.normal(size=(300, 4)).round(1)
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    weights = random.random(300)
    weights /= weights.sum()
    model = wld.DaskTopDownClassifier(client=client, n_rounds=9).fit(
        da.from_array(X, chunks=((100, 120, 80), (2, 2))),
        da.from_array(y, chunks=((100, 120, 80),)),
        da.from_array(weights, chunks=((100, 120, 80),)),
    )
    local = wl.TopDownClassifier(n_rounds=9, max_bins=255).fit(X, y, weights)
    assert saved(model.to_local(), tmp_path) == saved(local, tmp_path)
    predicted = model.predict(da.from_array(X, chunks=(70, 4)))
    assert (predicted.compute() == local.predict(X)).all()
    shares = model.predict_proba(da.from_array(X, chunks=(70, 2)))
    assert (shares.compute() == local.predict_proba(X)).all()
    assert model.classes_.tolist() == [0, 1]
