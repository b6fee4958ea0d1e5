"""The tables of problems: conversions and checksums."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import weaklearn as wl
from weaklearn.experiments.load_problem import checksum, load_problem, n_rows_of_test_part
from weaklearn.experiments.runnable_units import how_to_get
from weaklearn.tables import Table

HEAD = "@relation r\n@attribute a real\n@attribute b {x,y}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WEAKLEARN_DATA", str(tmp_path))
    return tmp_path


def test_the_test_part_comes_last(folder: Path) -> None:
    (folder / "two_parts.arff").write_text(
        HEAD + "@attribute c {1,2,3}\n@data\n1,x,1\n2,x,2\n3,y,3\n"
    )
    problem = {"load": "two_parts", "with_test_part": True, "one_versus_rest": "1"}
    assert "two_parts.test.arff" in str(how_to_get(problem))
    (folder / "two_parts.test.arff").write_text(
        HEAD + "@attribute c {1,2,3}\n@data\n5,x,3\n6,y,1\n"
    )
    assert how_to_get(problem) is None
    table = load_problem(problem)
    assert table.X["a"].tolist() == [1, 2, 3, 5, 6]
    assert table.y is not None
    assert table.y.tolist() == ["1", "rest", "rest", "rest", "1"]
    assert n_rows_of_test_part("two_parts") == 2


def test_regrouping_merges_classes_and_drops_the_others(folder: Path) -> None:
    (folder / "kinds.arff").write_text(
        HEAD + "@attribute c {p,q,r,s}\n@data\n1,x,p\n2,x,q\n3,y,r\n4,y,s\n"
    )
    table = load_problem({"load": "kinds", "regroup": {"B": ["s", "p"], "A": ["q"]}})
    assert table.y is not None
    assert table.y.tolist() == ["B", "A", "B"]
    assert table.y.cat.categories.tolist() == ["A", "B"]
    assert table.X.index.tolist() == [0, 1, 2]
    assert table.X["a"].tolist() == [1, 2, 4]


def test_missing_values_are_filled(folder: Path) -> None:
    (folder / "holes.arff").write_text(
        HEAD + "@attribute e real\n@attribute c {p,q}\n@data\n1,x,?,p\n?,?,?,q\n4,x,?,p\n"
    )
    X = load_problem({"load": "holes", "fill_missing": True}).X
    assert X["a"].tolist() == [1.0, 2.5, 4.0]
    assert X["b"].tolist() == ["x", "unknown", "x"]
    assert X["e"].tolist() == [0.0] * 3


def test_the_checksum_depends_on_content_only() -> None:
    X = pd.DataFrame({"a": [1.0, None], "b": pd.Categorical(["x", None], categories=["x", "y"])})
    y = pd.Series(["p", "q"], name="c", dtype="category")
    table = Table("t", X, y)
    first = checksum(table)
    assert first == checksum(Table("other name", X.copy(), y.copy(), notes=("read",)))
    others = [
        Table("t", X.assign(a=[1.0, 2.0]), y),
        Table("t", X.rename(columns={"a": "A"}), y),
        Table("t", X.assign(b=X["b"].cat.remove_categories("y")), y),
        Table("t", X, y.cat.rename_categories({"p": "P"})),
        Table("t", X, y[::-1].reset_index(drop=True)),
    ]
    assert len({first, *map(checksum, others)}) == 6


def test_integers_and_equal_floats_have_the_same_checksum() -> None:
    table = wl.datasets.load("iris")
    as_integers = Table("t", table.X.round().astype("int64"), table.y)
    assert checksum(as_integers) == checksum(Table("t", table.X.round(), table.y))
