"""Tables that are read in batches give the models, to the byte, of the same tables in memory."""

import errno
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl
from weaklearn.encoding import codes_file, memory
from weaklearn.encoding.scanned_table import TableScanner

pa = pytest.importorskip("pyarrow", reason="tables are read in batches by pyarrow")
pq = pytest.importorskip("pyarrow.parquet", reason="tables are read in batches by pyarrow")
ds = pytest.importorskip("pyarrow.dataset", reason="tables are read in batches by pyarrow")
pl = pytest.importorskip("polars", reason="LazyFrames are those of polars")

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

N_ROWS = 80_000  # bins are made from a sample of so many rows
MODELS = [
    wl.C45Classifier(max_bins=63),
    wl.TopDownClassifier(n_rounds=20, max_bins=300),
    wl.BranchingProgramClassifier(max_bins=40, max_levels=5),
    wl.AdaBoostM1Classifier(
        wl.TopDownClassifier(n_rounds=8, max_bins=63), n_rounds=3, random_state=0
    ),
    wl.BaggedClassifier(wl.C45Classifier(max_bins=31), n_members=2, random_state=0, n_jobs=2),
    wl.BoostedForestClassifier(
        wl.TopDownClassifier(n_rounds=8, max_bins=63), n_members=2, random_state=0
    ),
]


def saved(model, folder: Path) -> bytes:
    path = folder / "model.json"
    model.save(path)
    return path.read_bytes()


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Return the path of a table, and the table in memory: features, classes and weights."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame({f"x{i}": random.normal(size=N_ROWS) for i in range(3)})
    frame["many"] = random.integers(0, 10**6, N_ROWS)
    frame["few"] = random.integers(0, 20, N_ROWS) / 10
    frame["kind"] = random.choice(["red", "green", "blue"], N_ROWS)
    frame["size"] = pd.Categorical(random.choice(["small", "large"], N_ROWS), ["small", "large"])
    frame["text"] = random.integers(0, 300, N_ROWS).astype(str)
    score = frame.x0 + frame.x1 * (frame.kind == "red") + frame.few
    frame["class"] = np.where(score + random.normal(size=N_ROWS) > 1, "yes", "no")
    for name in ("x1", "kind", "text"):
        frame.loc[random.random(N_ROWS) < 0.1, name] = None
    frame.loc[random.random(N_ROWS) < 0.001, "class"] = None
    frame.loc[N_ROWS - 1, "kind"] = "seen once"
    frame["weight"] = random.integers(0, 4, N_ROWS).astype(float)
    path = tmp_path_factory.mktemp("scan") / "large.parquet"
    table = pa.Table.from_pandas(frame, preserve_index=False)
    pq.write_table(table, path, row_group_size=30_000)
    table = pq.read_table(path)
    y = pd.Series(table["class"].to_pandas(), name="class", dtype=object)
    return path, table.drop(["class", "weight"]), y, frame["weight"].to_numpy()


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_models_are_those_of_the_table_in_memory(model, large, tmp_path):
    path, X, y, weights = large
    folder = tmp_path / "temporary"
    folder.mkdir()
    in_memory = model.fit(X, y, weights)
    expected, probabilities = saved(in_memory, tmp_path), in_memory.predict_proba(X)
    labels = in_memory.predict(X)
    for batch_rows in (17_001, N_ROWS):
        table = wl.scan(
            path, "class", weight="weight", batch_rows=batch_rows, temporary_folder=folder
        )
        scanned = model.fit(table)
        assert saved(scanned, tmp_path) == expected
        assert os.listdir(folder) == []
    assert np.array_equal(scanned.predict_proba(table), probabilities)
    assert np.array_equal(scanned.predict(table), labels)
    if hasattr(scanned, "margins_"):
        assert np.array_equal(scanned.margins_, in_memory.fit(X, y, weights).margins_)


def test_other_sources(large, tmp_path):
    path, X, y, weights = large
    model = wl.C45Classifier(max_bins=63, ignore=["text"], nominal=["few"])
    expected = saved(model.fit(X, y, weights), tmp_path)
    folder = tmp_path / "parts"
    table = pq.read_table(path)
    ds.write_dataset(
        table.drop(["weight"]),
        folder,
        format="parquet",
        max_rows_per_file=50_000,
        max_rows_per_group=50_000,
    )
    assert saved(model.fit(wl.scan(folder, "class"), sample_weight=weights), tmp_path) == expected
    dataset = ds.dataset(table.drop(["weight"]))
    assert saved(model.fit(dataset, "class", weights), tmp_path) == expected
    query = pl.scan_parquet(path).drop("weight")
    frame = query.collect()
    expected = saved(model.fit(frame.drop("class"), frame["class"], weights), tmp_path)
    assert saved(model.fit(query, "class", weights), tmp_path) == expected
    assert np.array_equal(model.predict(query), model.predict(frame.drop("class")))


CELLS = {
    "number": st.one_of(st.none(), st.floats(-1e300, 1e300), st.sampled_from([-0.0, 0.0, 1.5])),
    "integer": st.one_of(st.none(), st.integers(-5, 5)),
    "text": st.sampled_from([None, "a", "b", "NA", " a", "true"]),
    "number as text": st.sampled_from([None, "1", "2.5", "1.0", "?", "-3e2"]),
    "date as text": st.sampled_from([None, "2020-01-31", "1999-12-01", "2020-01-31 10:30"]),
    "bool": st.sampled_from([None, True, False]),
    "moment": st.one_of(st.none(), st.datetimes().map(lambda d: d.replace(microsecond=0))),
}
TYPES = {
    "number": pa.float64(),
    "integer": pa.int64(),
    "bool": pa.bool_(),
    "moment": pa.timestamp("us"),
}


@st.composite
def small_tables(draw):
    n_rows = draw(st.integers(1, 30))
    kinds = draw(st.lists(st.sampled_from(list(CELLS)), min_size=1, max_size=4))
    data = {}
    for i, kind in enumerate(kinds):
        cells = draw(st.lists(CELLS[kind], min_size=n_rows, max_size=n_rows))
        array = pa.array(cells, TYPES.get(kind, pa.string()))
        is_dictionary = kind == "text" and draw(st.booleans())
        data[f"{kind} {i}"] = array.dictionary_encode() if is_dictionary else array
    labels = draw(st.sampled_from([[0, 1], ["no", "yes"], [0, None, 2], ["b", "a", "NA"]]))
    classes = draw(st.lists(st.sampled_from(labels), min_size=n_rows, max_size=n_rows))
    is_text = isinstance(labels[0], str)
    data["class"] = pa.array(classes, pa.string() if is_text else pa.int64())
    nominal = [name for name in list(data)[:-1] if draw(st.integers(0, 5)) == 0]
    weights = draw(
        st.none() | st.lists(st.sampled_from([0.0, 1.0, 2.5]), min_size=n_rows, max_size=n_rows)
    )
    return pa.table(data), nominal, weights


@settings(max_examples=60, deadline=None)
@given(small_tables(), st.integers(1, 8), st.integers(2, 6))
def test_small_tables(tmp_path_factory, case, batch_rows, max_bins):
    table, nominal, weights = case
    folder = tmp_path_factory.mktemp("small")
    model = wl.C45Classifier(max_bins=max_bins, prune=False, min_objects=1, nominal=nominal)
    y = pl.from_arrow(table["class"]).alias("class")
    pq.write_table(table, folder / "t.parquet", row_group_size=7)
    table = pq.read_table(folder / "t.parquet")
    scan = wl.scan(folder / "t.parquet", "class", batch_rows=batch_rows)
    expected = model_or_error(model, folder, table.drop(["class"]), y, weights)
    assert model_or_error(model, folder, scan, None, weights) == expected


def model_or_error(model, folder, X, y, weights):
    """Return the saved model, or the type of the error if the table cannot be used."""
    try:
        return saved(model.fit(X, y, weights), folder)
    except ValueError as error:
        return type(error)


# -- what goes wrong ------------------------------------------------------------------------------
@pytest.fixture
def small(tmp_path):
    frame = pd.DataFrame({"x": np.arange(1000.0), "y": ["no", "yes"] * 500})
    frame.to_parquet(tmp_path / "small.parquet", row_group_size=100)
    folder = tmp_path / "temporary"
    folder.mkdir()
    yield wl.scan(tmp_path / "small.parquet", "y", batch_rows=50, temporary_folder=folder)
    assert os.listdir(folder) == []
    if Path("/proc/self/fd").exists():
        opened = [os.readlink(f) for f in Path("/proc/self/fd").iterdir() if f.is_symlink()]
        assert not [path for path in opened if path.startswith(str(folder))]


TREE = wl.C45Classifier(max_bins=10)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (wl.C45Classifier(), r"only with bins: C45Classifier\(max_bins=255\)\. At most"),
        (
            wl.BaggedClassifier(wl.TopDownClassifier(), n_members=5),
            r": BaggedClassifier\(estimator=TopDownClassifier\(max_bins=255\), n_members=5\)\.",
        ),
        (
            wl.BoostedForestClassifier(),
            r": BoostedForestClassifier\(estimator=C45Classifier\(max_bins=255, missing='branch', "
            r"subset=True, threshold_penalty=False\)\)\.",
        ),
        (wl.BaggedClassifier(DecisionTreeClassifier()), r"cannot learn from a table that is read"),
        (wl.OC1Classifier(), r"OC1Classifier cannot learn from a table that is read in batches"),
    ],
)
def test_models_without_bins(model, message, small):
    with pytest.raises((ValueError, TypeError), match=message):
        model.fit(small)


@pytest.mark.parametrize("model", [TREE, wl.BaggedClassifier(TREE)])
@pytest.mark.parametrize("method", ["predict", "predict_proba"])
def test_models_that_are_not_fitted(model, method, small):
    with pytest.raises(NotFittedError):
        getattr(clone(model), method)(small)


def test_wrong_arguments(small, tmp_path):
    path, weighted = tmp_path / "small.parquet", tmp_path / "weighted.parquet"
    pd.read_parquet(path).assign(w=1.0).to_parquet(weighted)
    with pytest.raises(ValueError, match="has no target: name the column"):
        TREE.fit(wl.scan(path))
    with pytest.raises(ValueError, match="y was passed, but the classes are in column 'y'"):
        TREE.fit(small, ["no"] * 1000)
    with pytest.raises(ValueError, match=r"target='z': small.parquet has no such column"):
        wl.scan(path, "z")
    with pytest.raises(ValueError, match="expected two columns"):
        wl.scan(path, "y", weight="y")
    with pytest.raises(ValueError, match="expected one of the two"):
        TREE.fit(wl.scan(weighted, "y", weight="w"), sample_weight=np.ones(1000))
    with pytest.raises(FileNotFoundError, match="does not exist"):
        wl.scan(tmp_path / "absent.parquet")
    with pytest.raises(TypeError, match="expected the path of a Parquet file"):
        wl.scan(pd.DataFrame({"x": [1.0]}))
    with pytest.raises(ValueError, match="batch_rows=0"):
        wl.scan(path, batch_rows=0)
    (tmp_path / "text.parquet").write_text("x,y\n1,no\n")
    with pytest.raises(ValueError, match="cannot be read as Parquet"):
        wl.scan(tmp_path / "text.parquet")


def test_full_disk(small, monkeypatch):
    usage = codes_file.shutil.disk_usage(".")
    monkeypatch.setattr(codes_file.shutil, "disk_usage", lambda _: usage._replace(free=10))
    with pytest.raises(OSError, match=r"1,000 rows and 1 columns need .* are free\. Free some"):
        TREE.fit(small)
    monkeypatch.undo()

    def fails(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(codes_file.os, "posix_fallocate", fails, raising=False)
    with pytest.raises(OSError, match="No space left") as caught:
        TREE.fit(small)
    assert caught.value.errno == errno.ENOSPC


def test_disk_that_becomes_full(small):
    resource = pytest.importorskip("resource", reason="limits of files are those of Unix")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, limits[1]))
    try:
        with pytest.raises(OSError, match=r"need 0\.0 MiB in .*temporary"):
            TREE.fit(small)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize("after", [5, 25])
def test_interrupted(after, small, monkeypatch):
    n_batches = 0

    def interrupt(*_):
        nonlocal n_batches
        n_batches += 1
        if n_batches == after:
            raise KeyboardInterrupt

    before = TableScanner.__init__

    def with_interrupt(self, *arguments):
        before(self, *arguments)
        self._report = interrupt

    monkeypatch.setattr(TableScanner, "__init__", with_interrupt)
    model = wl.BaggedClassifier(TREE, n_members=2)
    with pytest.raises(KeyboardInterrupt):
        model.fit(small)
    assert n_batches == after
    assert not hasattr(model, "members_")


@pytest.mark.parametrize("change", ["a number", "a row", "a value", "an order"])
def test_file_that_changes(change, small, tmp_path, monkeypatch):
    path = tmp_path / "small.parquet"
    frame = pd.read_parquet(path)
    frame["kind"] = ["a", "b"] * 500
    frame.to_parquet(path)
    table = wl.scan(path, "y", batch_rows=50, temporary_folder=small.temporary_folder)
    before = TableScanner._features

    def with_change(self):
        if change == "a number":
            frame.loc[500, "x"] = 500.5
        elif change == "a value":
            frame.loc[500, "kind"] = "c"
        changed = frame[:999] if change == "a row" else frame
        (changed[::-1] if change == "an order" else changed).to_parquet(path)
        # What a dataset knows of a file when it is opened may be out of date.
        self._scan = wl.scan(path, "y", batch_rows=50, temporary_folder=small.temporary_folder)
        return before(self)

    monkeypatch.setattr(TableScanner, "_features", with_change)
    with pytest.raises(ValueError, match=r"gave other rows when it was read again"):
        TREE.fit(table)


def test_query_without_order(small):
    turn = iter([False, False, True])
    frame = pl.DataFrame({"x": np.arange(100.0), "y": ["no", "yes"] * 50})
    query = frame.lazy().map_batches(lambda f: f.reverse() if next(turn, True) else f)
    with pytest.raises(ValueError, match=r"frame\.sink_parquet"):
        TREE.fit(query, "y")


def test_too_little_memory(small, monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 1000)
    with pytest.raises(MemoryError, match=r"1,000 rows of 1 columns needs about .* available\."):
        TREE.fit(small)
    with pytest.raises(MemoryError, match="Lower max_bins to 255"):
        wl.C45Classifier(max_bins=1000).fit(small)


def test_progress(small, capfd):
    pytest.importorskip("rich", reason="bars are those of rich")
    wl.BaggedClassifier(TREE, n_members=2, verbose=1).fit(small)
    printed = capfd.readouterr().err
    assert "rows read" in printed
    assert "2000/2000" in printed
    assert "members" in printed


def test_all_classes_missing(tmp_path):
    table = pa.table({"x": [1.0, 2.0], "y": pa.array([None, None], pa.string())})
    pq.write_table(table, tmp_path / "t.parquet")
    with pytest.raises(ValueError, match="2 of 2 classes in column 'y' are missing"):
        TREE.fit(wl.scan(tmp_path / "t.parquet", "y"))
