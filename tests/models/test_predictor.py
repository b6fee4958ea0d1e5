"""Predictors: the same bits as the classifier, in a process with few imports."""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from models.sample_models import MODELS, fitted, table
from weaklearn.models import LoadError

VERSION_1 = Path(__file__).parent / "version1"
for_all = pytest.mark.parametrize("name", MODELS)


def rows_of(X: pd.DataFrame) -> list[list[Any]]:
    days = [None if pd.isna(day) else day.to_pydatetime() for day in X["day"]]
    columns = [X["size"], X["shade"], X["colour"], days]
    return [[None if pd.isna(cell) else cell for cell in row] for row in zip(*columns, strict=True)]


@for_all
def test_a_predictor_predicts_the_same_bits(name: str, tmp_path: Path) -> None:
    X, _ = table()
    model = fitted(name)
    model.save(tmp_path / "model.wl")
    predictor = wl.load_predictor(tmp_path / "model.wl", n_threads=2)
    rows = rows_of(X)
    as_dict = {name: [row[i] for row in rows] for i, name in enumerate(X.columns)}
    assert predictor.feature_names == list(X.columns)
    for frame in (X, X[:1], as_dict):
        assert predictor.predict(frame).tolist() == model.predict(frame).tolist()
        assert predictor.predict_proba(frame).tobytes() == model.predict_proba(frame).tobytes()
    assert predictor.predict_proba(as_dict).tobytes() == model.predict_proba(X).tobytes()


@for_all
def test_a_loaded_model_does_not_need_its_file(name: str, tmp_path: Path) -> None:
    X, _ = table()
    model = fitted(name)
    path = tmp_path / "model.wl"
    model.save(path)
    classifier, predictor = wl.load(path), wl.load_predictor(path)
    path.write_bytes(bytes(path.stat().st_size))  # in place: mapped pages change
    for loaded in (classifier, predictor):
        assert loaded.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()
    classifier.save(tmp_path / "again.wl")
    model.save(path)
    assert (tmp_path / "again.wl").read_bytes() == path.read_bytes()


def test_files_without_a_classifier_and_of_version_1(tmp_path: Path) -> None:
    fitted("c45").tree_.save(tmp_path / "tree.wl")
    with pytest.raises(LoadError, match="a graph without its classifier"):
        wl.load_predictor(tmp_path / "tree.wl")
    with pytest.raises(LoadError, match=r"wl\.load\(path\)\.save\(path\)"):
        wl.load_predictor(VERSION_1 / "adaboost.json")
    assert wl.load_predictor(VERSION_1 / "c45.json").kind == "C45Classifier"
    with pytest.raises(ValueError, match="n_threads=0; expected a whole number >= 1"):
        wl.load_predictor(VERSION_1 / "c45.json", n_threads=0)


PROGRAM = """
import json, sys, datetime
import numpy as np
import weaklearn as wl
model = wl.load_predictor(sys.argv[1])
nan, when = float("nan"), datetime.datetime
rows = [
    [0.5, 1, "red", when(2024, 10, 1)],
    [None, 0.25, "blue", None],
    [nan, 2.0, "pink", when(2024, 3, 4)],
]
columns = {name: [row[i] for row in rows] for i, name in enumerate(model.feature_names)}
results = [model.predict_proba(columns).tolist()]
many = {name: cells * 20 for name, cells in columns.items()}
results.append(model.predict_proba(many).tolist())
results.append(model.predict(columns).tolist())
imported = sorted({name.split(".")[0] for name in sys.modules})
print(json.dumps([results, imported]))
"""
HEAVY = ("pandas", "scipy", "sklearn", "joblib", "narwhals", "typer", "rich", "matplotlib")


@pytest.mark.parametrize(
    "name", ["c45", "adaboost", "adaboost-rules", "real-adaboost", "c45-costs"]
)
def test_a_process_that_only_predicts_imports_little(name: str, tmp_path: Path) -> None:
    fitted(name).save(tmp_path / "model.wl")
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "model.wl")]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
    results, imported = json.loads(done.stdout)
    assert [module for module in HEAVY if module in imported] == []
    # The process with pandas computes the same bits from the same cells.
    when = datetime.datetime
    rows = [
        [0.5, 1, "red", when(2024, 10, 1)],
        [None, 0.25, "blue", None],
        [float("nan"), 2.0, "pink", when(2024, 3, 4)],
    ]
    columns = {name: [row[i] for row in rows] for i, name in enumerate(table()[0].columns)}
    model = fitted(name)
    assert results[0] == model.predict_proba(columns).tolist()
    assert results[0] == model.predict_proba(pd.DataFrame(columns)).tolist()
    assert results[1] == model.predict_proba(pd.DataFrame(columns)).tolist() * 20
    assert results[2] == model.predict(columns).tolist()


def test_an_array_of_numbers_imports_little(tmp_path: Path) -> None:
    chance = np.random.default_rng(0)
    X = chance.normal(size=(50, 3))
    wl.AdaBoostM1Classifier(n_rounds=3).fit(X, X[:, 0] > X[:, 1]).save(tmp_path / "model.wl")
    program = (
        "import sys, numpy as np, weaklearn as wl\n"
        "model = wl.load_predictor(sys.argv[1])\n"
        "model.predict(np.zeros((2, 3))), model.predict([[0.5, 1, None], [1, 2.0, 3]])\n"
        f"print([name for name in {HEAVY} if name in sys.modules])\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "model.wl")]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "[]"


def test_an_arrow_table_needs_no_pandas(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    X = np.arange(40.0).reshape(20, 2)
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1]})
    wl.C45Classifier().fit(frame, X[:, 0] > 15).save(tmp_path / "model.wl")
    program = (
        "import sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'pandas':\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Absent())\n"
        "import numpy as np, pyarrow as pa, weaklearn as wl\n"
        "model = wl.load_predictor(sys.argv[1])\n"
        "for n in (1, 40):\n"
        "    print(model.predict(pa.table({'a': np.full(n, float(n)), 'b': np.zeros(n)}))[0])\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "model.wl")]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["False", "True"]
