"""C4.5's .names, .data and .test files: syntax, kinds, errors."""

import re
from pathlib import Path

import pytest

from weaklearn.tables import ReadError
from weaklearn.tables.read import read

NAMES = r"""| the classes
good, very  bad.      | two

age: continuous.
colour of hair: red, dark\, green,
    St\. Patrick's, 1.5.
town: discrete 3
id: ignore.
"""
DATA = "12, red, York, 7, good.\n?, dark\\, green, Ely, ?, very bad | odd\n\n 1.5,1.5,York,9,good\n"


def write(tmp_path: Path, names: str = NAMES, data: str = DATA, test: str | None = None) -> None:
    (tmp_path / "t.names").write_text(names)
    (tmp_path / "t.data").write_text(data)
    if test is not None:
        (tmp_path / "t.test").write_text(test)


@pytest.mark.parametrize("suffix", ["names", "data"])
def test_comments_escapes_periods_and_kinds(tmp_path: Path, suffix: str) -> None:
    write(tmp_path)
    table = read(tmp_path / f"t.{suffix}")
    assert list(table.X.columns) == ["age", "colour of hair", "town"]
    assert table.X["age"].fillna(-1).tolist() == [12, -1, 1.5]
    hair = table.X["colour of hair"]
    assert hair.tolist() == ["red", "dark, green", "1.5"]
    assert list(hair.cat.categories) == ["red", "dark, green", "St. Patrick's", "1.5"]
    assert list(table.X["town"].cat.categories) == ["York", "Ely"]
    assert table.y.tolist() == ["good", "very bad", "good"]
    assert list(table.y.cat.categories) == ["good", "very bad"]
    assert (table.name, table.y.name) == ("t", "class")
    assert table.notes == ("attribute 'id' ignored, as the .names file says",)


def test_discrete_values_have_the_same_codes_in_training_and_test_files(
    tmp_path: Path,
) -> None:
    write(tmp_path, test="1,red,Hull,1,good\n2,red,Ely,1,good\n")
    table = read(tmp_path / "t.test")
    assert table.n_rows == 2
    assert list(table.X["town"].cat.categories) == ["York", "Ely", "Hull"]
    (tmp_path / "t.data").unlink()
    assert list(read(tmp_path / "t.test").X["town"].cat.categories) == ["Hull", "Ely"]


def test_minus_999_is_a_number(tmp_path: Path) -> None:
    write(tmp_path, data="-999, red, York, 7, good\n")
    assert read(tmp_path / "t.data").X["age"].tolist() == [-999.0]


def test_an_escaped_question_mark_is_a_value(tmp_path: Path) -> None:
    write(tmp_path, "y, n.\na: x, \\?.\n", "\\?, y\n?, n\n")
    assert read(tmp_path / "t.data").X["a"].cat.codes.tolist() == [1, -1]


def test_another_target_makes_the_class_a_feature(tmp_path: Path) -> None:
    write(tmp_path)
    table = read(tmp_path / "t.names", target="town")
    assert list(table.X.columns) == ["age", "colour of hair", "class"]
    assert list(table.y.cat.categories) == ["York", "Ely"]


def test_an_attribute_called_class_keeps_its_name(tmp_path: Path) -> None:
    write(tmp_path, "y, n.\nclass: continuous.\n", "1, y\n")
    table = read(tmp_path / "t.data")
    assert (list(table.X.columns), table.y.name) == (["class"], "class_")


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        ("1,red,York,7,good\n1,pink,York,7,good", ["t.data, line 2", "colour of hair", "'pink'"]),
        ("1,red,York,7", ["line 1", "got 4 values, expected 5"]),
        ("old,red,York,7,good", ["line 1", "'age'", "'old'", "a number"]),
        ("1e400,red,York,7,good", ["line 1", "'age'", "a finite number"]),
        ("1,red,York,7,?", ["line 1", "'class'", "missing"]),
        ("1,red,York,7,fine", ["line 1", "'class'", "'good', 'very bad'"]),
        ("1,,York,7,good", ["line 1", "colour of hair", "empty"]),
        ("".join(f"1,red,{t},7,good\n" for t in "ABCD"), ["line 4", "'town'", "'D'", "discrete 3"]),
        ("| nothing\n", ["no rows"]),
        ("", ["is empty"]),
    ],
)  # fmt: skip
def test_bad_rows_are_errors(tmp_path: Path, data: str, parts: list[str]) -> None:
    write(tmp_path, data=data)
    with pytest.raises(ReadError) as caught:
        read(tmp_path / "t.names")
    for part in parts:
        assert part in str(caught.value)


@pytest.mark.parametrize(
    ("names", "parts"),
    [
        ("| nothing\n", ["classes first"]),
        ("a: continuous.\n", ["line 1", "'a'", "classes first"]),
        ("y, y.\na: continuous.\n", ["line 1", "'y' twice"]),
        ("y, n.\na: x, x.\n", ["line 2", "'a'", "'x' twice"]),
        ("y, n.\n\na: continous.\n", ["line 3", "'a'", "'continous'", "'discrete n'"]),
        ("y, n.\na\n", ["line 2", "'a'", "name: value"]),
        ("y, n.\na: b: c.\n", ["line 2", "second ':'"]),
        ("y, n.\na: b,, c.\n", ["line 2", "','"]),
        ("y, n.\na: b, \n", ["ends inside an entry"]),
        ("y, n.\na: continuous.\na: continuous.\n", ["called 'a'"]),
        ("y, n.\na: ignore.\n", ["at least one feature"]),
        ("y, n.\n", ["at least one feature"]),
    ],
)
def test_bad_declarations_are_errors(tmp_path: Path, names: str, parts: list[str]) -> None:
    width = names.count(": ")
    write(tmp_path, names, ",".join(["1"] * width + ["y"]))
    with pytest.raises(ReadError) as caught:
        read(tmp_path / "t.data")
    assert "t.names" in str(caught.value)
    for part in parts:
        assert part in str(caught.value)


def test_a_missing_companion_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.data").write_text(DATA)
    with pytest.raises(FileNotFoundError, match=re.escape("needs t.names beside it")):
        read(tmp_path / "t.data")
