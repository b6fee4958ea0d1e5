"""CSV and TSV files: kinds, missing values, delimiters, errors."""

from pathlib import Path

import numpy as np
import pytest

from weaklearn.tables import ReadError
from weaklearn.tables.missing_values import MISSING_TEXTS
from weaklearn.tables.read import read


def read_text(tmp_path: Path, text: str, name: str = "t.csv", **options):
    path = tmp_path / name
    path.write_text(text, "utf-8", newline="")
    return read(path, **options)


def test_known_values_decide_the_kind_of_a_column(tmp_path: Path) -> None:
    table = read_text(tmp_path, "n,s,m,e,class\n1, b ,1,,yes\n-2e1,a,x,?,no\n?,NA,2,NaN,yes\n")
    assert table.X.dtypes.astype(str).to_dict() == {
        "n": "float64", "s": "category", "m": "category", "e": "float64"
    }  # fmt: skip
    assert list(table.X["s"].cat.categories) == ["a", "b"]
    assert list(table.X["m"].cat.categories) == ["1", "2", "x"]


@pytest.mark.parametrize("token", sorted(MISSING_TEXTS))
def test_missing_values(tmp_path: Path, token: str) -> None:
    table = read_text(tmp_path, f'n,s,class\n1,a,y\n{token},"{token}",n\n')
    assert np.isnan(table.X["n"][1])
    assert table.X["s"].isna().tolist() == [False, True]


def test_none_in_lower_case_is_a_value(tmp_path: Path) -> None:
    assert read_text(tmp_path, "s,class\nnone,y\n").X["s"].tolist() == ["none"]


def test_options_overrule_the_kinds(tmp_path: Path) -> None:
    table = read_text(tmp_path, "zip,n,class\n01,1,y\n1,2,n\n10,3,n\n", nominal=["zip"])
    assert list(table.X["zip"].cat.categories) == ["01", "1", "10"]
    with pytest.raises(ReadError, match=r"line 3, column 'n': got 'x', expected a number"):
        read_text(tmp_path, "n,class\n1,y\nx,n\n", continuous="n")


def test_numeric_classes_are_sorted_as_numbers(tmp_path: Path) -> None:
    table = read_text(tmp_path, "a,class\n1,10\n2,9\n3,10\n")
    assert table.y.cat.categories.tolist() == [9, 10]
    assert table.y.tolist() == [10, 9, 10]
    assert read_text(tmp_path, "a,c\n1,1.5\n2,-1\n").y.cat.categories.tolist() == [-1.0, 1.5]
    named = read_text(tmp_path, "a,class\n1,10\n2,9\n", nominal="class")
    assert named.y.cat.categories.tolist() == ["9", "10"]


def test_delimiters(tmp_path: Path) -> None:
    assert read_text(tmp_path, "a;b;c\n1;x,y;2\n").X["b"].tolist() == ["x,y"]
    assert read_text(tmp_path, 'a,"b;;;",c\n1,2,3\n').X.columns.tolist() == ["a", "b;;;"]
    assert read_text(tmp_path, "a\tb,b\tc\n1\t2\t3\n", "t.tsv").X.columns.tolist() == ["a", "b,b"]


def test_decimal_commas(tmp_path: Path) -> None:
    table = read_text(tmp_path, "a;b;c;d\n1,5;1,250;x;1,5\n-2e1;?;1,5;2\n3;,5;1,5;2\n")
    assert table.X["a"].tolist() == [1.5, -20.0, 3.0]
    assert list(table.X["b"].cat.categories) == [",5", "1,250"]
    assert list(table.X["c"].cat.categories) == ["1,5", "x"]
    assert list(table.y.cat.categories) == ["1,5", "2"]
    assert table.notes[0] == "numbers with decimal commas: 'a'"
    # A column that may be thousands is decided by the others.
    table = read_text(tmp_path, "a\tb\tc\n1,5\t1,250\tx\n2\t?\ty\n", "t.tsv")
    assert table.X["b"].tolist()[0] == 1.25
    table = read_text(tmp_path, "b;c\n1,250;x\n2,125;y\n")
    assert list(table.X["b"].cat.categories) == ["1,250", "2,125"]
    table = read_text(tmp_path, "a;b;c\n1,5;1,25;x\n2;2;y\n", nominal=["b"])
    assert list(table.X["b"].cat.categories) == ["1,25", "2"]


def test_a_byte_order_mark_is_not_part_of_the_first_name(tmp_path: Path) -> None:
    assert list(read_text(tmp_path, "\ufeffa,c\n1,y\n").X.columns) == ["a"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a,c\n1,y\n\n2\n", ["line 4", "got 1 values, expected 2"]),
        ('a,c\n"x\ny",y\n2,n,3\n', ["line 4", "got 3 values, expected 2"]),
        ("a,a,c\n1,2,y\n", ["line 1", "called 'a'", "first line must name the columns"]),
        (",a,c\n0,1,y\n", ["line 1", "column 1 has no name", "index=False"]),
        ("a\n1\n", ["line 1", "at least one feature"]),
        ('a,c\n"1,y\n', ["line 2", "quoting"]),
        ('a,c\n"1"2,y\n', ["line 2", "quoting"]),
        ("a,c\n1,y\n2,?\n3,?\n", ["line 3", "'c'", "class is missing", "in 2 of 3 rows"]),
        ("a,c\n1,y\ninf,n\n", ["line 3", "'a'", "'inf'", "a finite number", "nominal=['a']"]),
        ("a,c\n", ["no rows"]),
        (" \n", ["is empty"]),
        ('""\n', ["has no name"]),
    ],
)
def test_bad_files_are_errors(tmp_path: Path, text: str, parts: list[str]) -> None:
    with pytest.raises(ReadError) as caught:
        read_text(tmp_path, text)
    for part in ("t.csv", *parts):
        assert part in str(caught.value)
