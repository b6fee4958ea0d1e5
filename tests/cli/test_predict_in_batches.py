"""``weaklearn predict`` on Parquet files, which are read and written in batches."""

import pandas as pd
import pytest

import weaklearn as wl
from command_line import run, run_json, run_well
from weaklearn.tables import scan as scan_module

pq = pytest.importorskip("pyarrow.parquet", reason="Parquet is read by pyarrow")


@pytest.fixture
def rows(golf, tmp_path, monkeypatch):
    """Return a Parquet file that is read in batches of three rows."""
    path = tmp_path / "golf.parquet"
    frame = pd.read_csv(golf)
    frame.loc[13, frame.columns[-1]] = None
    frame.to_parquet(path, row_group_size=5)
    before = scan_module.scan
    monkeypatch.setattr(scan_module, "scan", lambda data: before(data, batch_rows=3))
    return path


@pytest.mark.parametrize("proba", [False, True])
def test_parquet_to_parquet(rows, golf, model, tmp_path, proba):
    out = tmp_path / "out.parquet"
    options = ["--proba"] if proba else []
    result = run_well("predict", model, rows, "-o", out, *options)
    assert result.stdout == f"14 predictions saved in {out}\n"
    assert "of 13 rows; 1 row without a class" in result.stderr
    written = pq.read_table(out).to_pandas()
    classifier, X = wl.load(model), wl.read(golf).X
    assert written["prediction"].tolist() == classifier.predict(X).tolist()
    assert list(written)[1:] == (["P(no)", "P(yes)"] if proba else [])
    if proba:
        assert (written.to_numpy()[:, 1:] == classifier.predict_proba(X)).all()


def test_parquet_to_csv_is_csv_to_csv(rows, golf, model, tmp_path):
    outputs = [tmp_path / "a.csv", tmp_path / "b.csv"]
    report = run_json("predict", model, rows, "-o", outputs[0], "--proba")
    assert (report["rows"], report["errors"]) == (14, 0)
    run_well("predict", model, golf, "-o", outputs[1], "--proba")
    assert outputs[0].read_bytes() == outputs[1].read_bytes()


def test_csv_to_parquet(golf, model, tmp_path):
    out = tmp_path / "out.parquet"
    run_well("predict", model, golf, "-o", out)
    assert pq.read_table(out).column_names == ["prediction"]


def test_failure_leaves_nothing(rows, model, tmp_path, monkeypatch):
    before = sorted(tmp_path.iterdir())
    predict = wl.C45Classifier.predict
    n_calls = 0

    def fails_later(self, X):
        nonlocal n_calls
        n_calls += 1
        if n_calls == 3:
            raise ValueError("the third batch cannot be predicted")
        return predict(self, X)

    monkeypatch.setattr(wl.C45Classifier, "predict", fails_later)
    for name in ("out.parquet", "out.csv"):
        n_calls = 0
        result = run("predict", model, rows, "-o", tmp_path / name)
        assert result.exit_code != 0
        assert "third batch" in result.stderr
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_columns_that_the_model_does_not_use_are_left_out(golf, model, tmp_path, suffix):
    frame = pd.read_csv(golf)
    frame.insert(0, "day", [f"day {i}" for i in range(14)])
    wider = tmp_path / f"wider{suffix}"
    frame.to_csv(wider, index=False) if suffix == ".csv" else frame.to_parquet(wider)
    for name in ("a.csv", "b.csv"):
        result = run_well(
            "predict", model, golf if name == "a.csv" else wider, "-o", tmp_path / name
        )
        notes = result.stderr.splitlines()[:-1]
        expected = "note: the model does not use these columns, which are left out: 'day'"
        assert notes == ([] if name == "a.csv" else [expected])
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_a_column_under_another_name_is_not_left_out(golf, model, tmp_path):
    renamed = tmp_path / "renamed.csv"
    renamed.write_text(golf.read_text().replace("outlook", "outlok", 1))
    result = run("predict", model, renamed)
    assert result.exit_code == 1
    assert "outlook (X has 'outlok': is it the same feature?)" in result.stderr
    assert "left out" not in result.stderr
