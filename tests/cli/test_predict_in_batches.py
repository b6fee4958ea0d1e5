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
