"""Committees of tables that no worker can hold are learned over rows, with the same file."""

from __future__ import annotations

import os
import warnings

import pytest

import weaklearn as wl
from dask_tables import in_partitions, odd_table, own_keys, saved, wait_until

pytest.importorskip("distributed", reason="weaklearn.dask needs the extra cluster")
pytest.importorskip("dask.dataframe", reason="Dask's DataFrames need pandas and pyarrow")

from weaklearn import dask as wld
from weaklearn.boosting import bagging, boosted_forest_loop
from weaklearn.dask import fit_from_codes

STUMPS = wl.TopDownClassifier(n_rounds=2, max_bins=20)
TREE = wl.C45Classifier(missing="branch", max_bins=20, max_depth=2)
COMMITTEES = {
    "adaboost": (wld.DaskAdaBoostM1Classifier, {"estimator": STUMPS, "n_rounds": 3}),
    "adaboost-classes": (
        wld.DaskAdaBoostM1Classifier,
        {
            "estimator": wl.C45Classifier(missing="branch", max_bins=9, max_depth=2),
            "n_rounds": 2,
            "vote": "confidence",
            "keep_class_weights": True,
            "restart": True,
            "step": 0.5,
            "class_weight": "balanced",
        },
    ),
    "adaboost-samples": (
        wld.DaskAdaBoostM1Classifier,
        {"estimator": STUMPS, "n_rounds": 2, "method": "resample", "vote": "shares"},
    ),
    "bagging": (
        wld.DaskBaggedClassifier,
        {"estimator": TREE, "n_members": 2, "costs": {("yes", "no"): 3}},
    ),
    "bagging-columns": (
        wld.DaskBaggedClassifier,
        {
            "estimator": wl.TopDownClassifier(n_rounds=2, max_bins=9, max_features="sqrt"),
            "n_members": 2,
            "max_samples": 0.6,
            "max_features": 0.5,
            "vote": "shares",
        },
    ),
    "forest": (
        wld.DaskBoostedForestClassifier,
        {"estimator": TREE, "n_members": 6, "run_length": 2, "class_weight": "balanced"},
    ),
    "adaboost-zero-error": (
        wld.DaskAdaBoostM1Classifier,
        {
            "estimator": wl.C45Classifier(max_bins=255, prune=False, min_objects=1, max_depth=6),
            "n_rounds": 30,
            "stop_at_zero_error": True,
            "vote": "confidence",
        },
    ),
    "adaboost-auto": (
        wld.DaskAdaBoostM1Classifier,
        {"estimator": wl.C45Classifier(max_bins=9, max_depth=2), "n_rounds": "auto"},
    ),
    "adaboost-auto-error": (
        wld.DaskAdaBoostM1Classifier,
        {
            "estimator": STUMPS,
            "n_rounds": "auto",
            "metric": "error",
            "validation_share": 0.4,
            "costs": {("yes", "no"): 3},
        },
    ),
    "bagging-without-replacement": (
        wld.DaskBaggedClassifier,
        {
            "estimator": wl.C45Classifier(max_bins=20),
            "n_members": 3,
            "bootstrap": False,
            "max_samples": 0.5,
        },
    ),
    "bagging-auto": (wld.DaskBaggedClassifier, {"estimator": STUMPS, "n_members": "auto"}),
    "bagging-auto-error": (
        wld.DaskBaggedClassifier,
        {"estimator": STUMPS, "n_members": "auto", "metric": "error", "vote": "shares"},
    ),
    "forest-auto": (
        wld.DaskBoostedForestClassifier,
        {"estimator": STUMPS, "n_members": "auto", "run_length": 10, "max_features": 2},
    ),
    "forest-noise": (wld.DaskBoostedForestClassifier, {"estimator": TREE, "n_members": 2}),
}


@pytest.fixture
def small_workers(monkeypatch):
    """Make the workers seem too small for the gathered table."""
    monkeypatch.setattr(fit_from_codes, "_SHARE_OF_MEMORY", 1e-9)
    # Automatic sizes end after fewer members.
    for loop in (bagging, boosted_forest_loop):
        monkeypatch.setattr(loop, "LEAST_STEP", 3)


def fit_both(client, name, X, y, weights, starts):
    kind, parameters = COMMITTEES[name]
    collections = [
        None if rows is None else in_partitions(rows, starts) for rows in (X, y, weights)
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        distributed = kind(client=client, random_state=0, **parameters).fit(*collections)
        local = kind._local_class(random_state=0, **parameters).fit(X, y, weights)
    return distributed.to_local(), local


@pytest.mark.usefixtures("small_workers")
@pytest.mark.parametrize(
    ("client", "weighted", "names"),
    [
        (1, True, ["adaboost", "bagging", "adaboost-auto-error"]),
        (2, False, COMMITTEES),
        (
            4,
            True,
            [
                "adaboost-samples",
                "adaboost-zero-error",
                "bagging-columns",
                "bagging-without-replacement",
                "forest",
            ],
        ),
    ],
    indirect=["client"],
    ids=["1-process", "2-processes", "4-processes"],
)
def test_the_file_is_that_of_the_local_fit(client, weighted, names, tmp_path):
    X, y, weights, starts = odd_table()
    for name in names:
        distributed, local = fit_both(client, name, X, y, weights if weighted else None, starts)
        assert saved(distributed, tmp_path) == saved(local, tmp_path), name
        if hasattr(local, "validation_losses_"):
            assert (distributed.validation_losses_ == local.validation_losses_).all(), name
        if name == "adaboost-zero-error":
            assert local.stopped_ == "zero_error"
        if hasattr(local, "oob_error_"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                assert distributed.oob_error_ == local.oob_error_
                with pytest.raises(AttributeError, match="over the rows of a cluster"):
                    distributed.oob_proba_  # noqa: B018


@pytest.mark.usefixtures("small_workers")
def test_rows_of_keys_are_counted_on_workers(client, tmp_path):
    X, y, weights, starts = odd_table()
    X = X.assign(name=[f"name {i // 2 if i % 2 else i // 11}" for i in range(len(X))])
    members = wl.C45Classifier(
        missing="branch", subset=True, max_bins=20, max_depth=4, max_features=3
    )
    kind, parameters = wld.DaskBoostedForestClassifier, {"estimator": members, "n_members": 4}
    collections = [in_partitions(rows, starts) for rows in (X, y, weights)]
    for run_length in (2, "auto"):
        options = {**parameters, "run_length": run_length, "random_state": 0}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            distributed = kind(client=client, **options).fit(*collections)
            local = wl.BoostedForestClassifier(**options).fit(X, y, weights)
        assert saved(distributed.to_local(), tmp_path) == saved(local, tmp_path), run_length
        assert local.feature_importances_[-1] > 0.0


@pytest.mark.usefixtures("small_workers")
def test_a_killed_worker_changes_nothing_and_a_cancelled_fit_frees_memory(client, tmp_path):
    X, y, _, starts = odd_table()
    kind, parameters = COMMITTEES["adaboost"]
    collections = in_partitions(X, starts), in_partitions(y, starts)
    seen = []

    def kill_one(progress):
        if progress.done == 1:
            seen.append(next(iter(client.nthreads())))
            client.run(os._exit, 1, workers=seen, on_error="ignore")

    def cancel(progress):
        seen.extend(own_keys(client))
        raise RuntimeError("cancelled by the callback")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = kind(client=client, random_state=0, callback=kill_one, **parameters)
        model.fit(*collections)
        # A file has the parameter callback only if it is None.
        local = kind._local_class(random_state=0, callback=lambda _: None, **parameters).fit(X, y)
        assert seen
        assert saved(model.to_local(), tmp_path) == saved(local, tmp_path)
        seen.clear()
        with pytest.raises(RuntimeError, match="cancelled by the callback"):
            kind(client=client, callback=cancel, **parameters).fit(*collections)
    assert seen
    wait_until(lambda: not own_keys(client))
