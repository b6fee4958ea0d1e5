"""Suspicious columns: what is reported, what is not, and that each remedy works."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from shared import SHARED
from weaklearn.experiments import cross_validate
from weaklearn.tables.read import read
from weaklearn.tables.suspicious_columns import key_ranges, merge_key_ranges
from weaklearn.tables.suspicious_labels import LabelCounts

rng = np.random.default_rng(1)
N = 400
X = rng.normal(size=N)
LABELS = np.where(X + rng.normal(size=N) > 0, "yes", "no")
DATES = (pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, N), "D")).astype(str)
SOME = rng.random(N) < 0.05

SUSPICIOUS = {
    "key": (np.arange(N) + 5000, r"different value in every row.*ignore=\['it'\]"),
    "shuffled key": (rng.permutation(10 * N)[:N], "different value in every row"),
    "text key": ([f"k{i}" for i in range(N)], "different value in every row"),
    "many values": ([f"k{i}" for i in rng.integers(0, N, N)], r"a fifth.*ignore=\['it'\]"),
    "constant": (np.ones(N), r"no two different values.*ignore=\['it'\]"),
    "constant text": (["a"] * N, "no two different values"),
    "constant with holes": (np.where(SOME, np.nan, 1.0), "no two different values"),
    "empty": ([None] * N, "no two different values"),
    "determines": (np.where(LABELS == "yes", "paid", "open"), r"determine the class.*\['it'\]"),
    "separates": (np.where(LABELS == "yes", 1.0, -1.0) * rng.random(N), "determine the class"),
    "odd cells": (np.where(SOME, "none yet", X.round(3).astype(str)),
                  r"because of 'none yet'.*\[\*wl.MISSING_TEXTS, 'none yet'\]"),
    "thousands": ([f"{1000 + 7 * i:,}" for i in rng.integers(0, N, N)],
                  r"between thousands.*replace\(',', ''"),
    "decimal commas": ([f"{v:.3f}".replace(".", ",") for v in X], r"decimal commas.*',', '\.'"),
    "only negative": (
        np.where(SOME, -999, rng.integers(1_000, 200_000, N)),
        r"-999, its only negative value.*missing_values=\[-999\]",
    ),
    "sentinel": (np.where(SOME, -999, rng.integers(18, 90, N)), r"-999.*missing_values=\[-999\]"),
    "thousands with odd cells": (
        np.where(SOME, "unknown", [f"{900 + 7 * i:,}" for i in range(N)]),
        r"between thousands: '1,.*, and because of 'unknown'.*replace\(',', ''\), errors='coerce'",
    ),
    "-1": (np.where(SOME, -1, rng.integers(1, 6, N)), r"-1, its only.*missing_values=\[-1\]"),
    "odd dates": (np.where(SOME, "soon", DATES), "because of 'soon'; its other values are dates"),
    "order": ([f"{a:02}/{b:02}/2020" for a, b in rng.integers(1, 13, (N, 2))], "both orders"),
}  # fmt: skip

PLAIN = {
    "measurements": X,
    "whole measurements": (X * 1e6).round(),
    "few distinct numbers": rng.integers(0, 5, N),
    "rounded": X.round(1),
    "codes": rng.integers(0, 40, N).astype(str),
    "cities": [f"c{i}" for i in rng.integers(0, 60, N)],
    "numbers with holes": np.where(SOME, "NA", X.astype(str)),
    "dates": DATES,
    "huge numbers": np.where(SOME, 1.7e308, -1.7e308),
    "99 among ages": rng.integers(1, 100, N),
    "-1 among few codes": rng.integers(-1, 3, N),
    "-1 among negative numbers": rng.integers(-2, 9, N).clip(-2, 9) - (rng.random(N) < 0.1),
    "bools": rng.random(N) < 0.3,
    "almost the class": np.where(SOME, "open", LABELS),
}


def warnings_of(action) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        action()
    messages = [str(w.message) for w in caught]
    return [message for message in messages if message.startswith("suspicious columns")]


def frame_of(column) -> pd.DataFrame:
    return pd.DataFrame({"x": X, "it": column})


@pytest.mark.parametrize("name", SUSPICIOUS)
def test_a_suspicious_column_is_named_with_its_remedy(name, tmp_path):
    column, message = SUSPICIOUS[name]
    (warning,) = warnings_of(lambda: wl.C45Classifier().fit(frame_of(column), LABELS))
    assert "'it'" in warning
    assert pd.Series([warning]).str.contains(f"(?s){message}")[0], warning
    assert "'x'" not in warning
    path = tmp_path / "t.csv"
    frame_of(column).assign(c=LABELS).to_csv(path, index=False)
    table = read(path)
    (note,) = table.notes
    assert pd.Series([note]).str.contains(message)[0], note
    assert warnings_of(lambda: wl.C45Classifier().fit(table.X, table.y)) or name == "order"


@pytest.mark.parametrize("name", PLAIN)
def test_a_plain_column_is_not_suspicious(name):
    assert warnings_of(lambda: wl.C45Classifier().fit(frame_of(PLAIN[name]), LABELS)) == []


@pytest.mark.parametrize("name", SUSPICIOUS)
def test_a_column_that_is_left_out_is_not_reported(name):
    X = frame_of(SUSPICIOUS[name][0])
    assert warnings_of(lambda: wl.C45Classifier(ignore=["it"]).fit(X, LABELS)) == []


def test_the_other_remedies_work():
    numbers = frame_of(SUSPICIOUS["odd cells"][0])
    model = wl.C45Classifier(missing_values=[*wl.MISSING_TEXTS, "none yet"])
    assert warnings_of(lambda: model.fit(numbers, LABELS)) == []
    assert model._schema.features[1].kind == "continuous"
    for name, number in (("sentinel", -999), ("-1", -1)):
        X = frame_of(SUSPICIOUS[name][0])
        model = wl.C45Classifier(missing_values=[number])
        assert warnings_of(lambda model=model, X=X: model.fit(X, LABELS)) == []
    for name, mark in (
        *(("thousands", ""), ("thousands with odd cells", "")),
        ("decimal commas", "."),
    ):
        X = frame_of(SUSPICIOUS[name][0])
        X["it"] = pd.to_numeric(X["it"].str.replace(",", mark), errors="coerce")
        assert warnings_of(lambda X=X: wl.C45Classifier().fit(X, LABELS)) == []
    order = frame_of(SUSPICIOUS["order"][0])
    order["it"] = pd.to_datetime(order["it"], dayfirst=True)
    assert warnings_of(lambda: wl.C45Classifier().fit(order, LABELS)) == []


def test_one_warning_names_all_columns():
    frame = pd.DataFrame({name: column for name, (column, _) in SUSPICIOUS.items()})
    (warning,) = warnings_of(lambda: wl.C45Classifier().fit(frame, LABELS))
    assert all(repr(name) in warning for name in SUSPICIOUS)


@pytest.mark.parametrize(
    "fit",
    [
        lambda X, y: wl.BaggedClassifier(n_members=3).fit(X, y),
        lambda X, y: wl.AdaBoostM1Classifier(n_rounds=3).fit(X, y),
        lambda X, y: wl.PrunedClassifier(wl.BaggedClassifier(n_members=4), n_folds=2).fit(X, y),
        lambda X, y: wl.G2Classifier().fit(X, y),
        lambda X, y: cross_validate(wl.C45Classifier(), X, y, n_folds=3),
    ],
)
def test_members_and_folds_do_not_repeat_the_warning(fit):
    X = frame_of(np.arange(N))
    assert len(warnings_of(lambda: fit(X, LABELS))) == 1


def test_small_tables_are_not_judged():
    X = pd.DataFrame({"name": ["a", "b", "c"], "one": 1})
    assert warnings_of(lambda: wl.C45Classifier().fit(X, ["n", "y", "y"])) == []


@pytest.mark.skipif(not (SHARED / "data").is_dir(), reason="needs the tables in ../shared/data")
def test_public_tables_are_suspicious_only_for_constant_columns():
    for path in sorted((SHARED / "data").glob("*.arff")):
        for note in read(path).notes:
            if "ignore=" in note or "missing_values=" in note:
                is_capped = path.name.startswith("adult") and "'capital-gain' holds 99999" in note
                assert is_capped or "no two different values" in note, (path.name, note)


#: What needs the rows themselves, and is not looked for where they are not in memory.
NOT_COUNTED = {"shuffled key", "separates", "only negative", "sentinel", "-1"}


def test_a_table_that_is_read_in_batches_gives_the_same_sentences(tmp_path):
    pytest.importorskip("pyarrow", reason="Parquet files need pyarrow")
    columns = {name: column for name, (column, _) in SUSPICIOUS.items()} | PLAIN
    frame = pd.DataFrame({"x": X, **columns}).assign(c=LABELS)
    frame.to_parquet(tmp_path / "t.parquet")
    for missing in ("fraction", "branch"):
        model = wl.C45Classifier(max_bins=9, missing=missing)
        (local,) = warnings_of(lambda model=model: model.fit(frame.drop(columns="c"), LABELS))
        scan = wl.scan(tmp_path / "t.parquet", "c", batch_rows=130)
        (scanned,) = warnings_of(lambda model=model, scan=scan: model.fit(scan))
        said = {name for name in SUSPICIOUS if f"'{name}'" in scanned}
        assert said == {n for n in SUSPICIOUS if f"'{n}'" in local} - NOT_COUNTED
        counted = frame.drop(columns=["c", *NOT_COUNTED])
        (expected,) = warnings_of(lambda model=model, X=counted: model.fit(X, LABELS))
        assert scanned == expected


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([[3, 1], [], [7, 9]], ((1, 3), (7, 9))),
        ([[7, 9], [3, 1]], ((1, 3), (7, 9))),
        ([[1, 3], [2]], None),  # the ranges overlap
        ([[1, 3], [3, 4]], None),
        ([[1, 1], [3]], None),
        ([[1, 2.5]], None),
        ([[1, np.nan]], None),
    ],
)
def test_ranges_of_keys_are_merged(parts, expected):
    merged = ()
    for part in parts:
        merged = merge_key_ranges(merged, key_ranges(np.array(part, dtype=float)))
    assert merged == expected


@pytest.mark.parametrize("n_parts", [1, 3, 400])
def test_counts_of_labels_are_merged(n_parts):
    codes = rng.integers(0, 12, N).astype(np.uint8)
    codes[SOME] = 12
    classes = codes % 3
    parts = []
    for rows in np.array_split(np.arange(N), n_parts):
        parts.append(LabelCounts(12, 3))
        parts[-1].add(codes[rows], classes[rows])
    merged = parts[0]
    for part in parts[1:]:
        merged.merge(part)
    assert merged.n_rows_of.tolist() == np.bincount(codes, minlength=13)[:12].tolist()
    assert merged.n_rows_of_class.tolist() == np.bincount(classes[~SOME]).tolist()
    assert merged.determine_classes()
    merged.add(codes[:1], classes[:1] + 1 if classes[0] < 2 else classes[:1] - 1)
    assert not merged.determine_classes()
