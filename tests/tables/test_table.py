"""The schema of a table, and one class against the rest."""

from pathlib import Path

import pandas as pd
import pytest

from weaklearn.tables import Table
from weaklearn.tables.read import read


def test_the_schema_has_the_declared_values_and_classes(tmp_path: Path) -> None:
    path = tmp_path / "t.arff"
    path.write_text(
        "@relation r\n@attribute size real\n@attribute colour {red, never, blue}\n"
        "@attribute class {no, yes, maybe}\n@data\n1,blue,yes\n?,?,no\n"
    )
    schema = read(path).schema
    assert schema.names == ["size", "colour"]
    assert [feature.kind for feature in schema.features] == ["continuous", "nominal"]
    colour = schema.features[1]
    assert colour.values == ("red", "never", "blue")
    assert schema.classes == ("no", "yes", "maybe")
    assert schema.target == "class"


def test_numeric_classes_are_python_numbers_in_the_schema(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,c\n1,10\n2,9\n")
    classes = read(path).schema.classes
    assert classes == (9, 10)
    assert all(type(label) is int for label in classes)


def test_a_table_without_a_target_has_no_classes() -> None:
    schema = Table("t", pd.DataFrame({"a": [1.0]})).schema
    assert (schema.names, schema.classes, schema.target) == (["a"], (), None)


def make_table(*labels: str | None) -> Table:
    y = pd.Series(list(labels), name="kind", dtype=pd.CategoricalDtype(["a", "b", "c"]))
    return Table("t", pd.DataFrame({"x": range(len(labels))}, dtype=float), y, ("a note",))


def test_one_class_is_kept_and_the_others_become_the_rest() -> None:
    table = make_table("b", "a", None, "c", "b")
    binary = table.one_versus_rest("b")
    assert binary.y is not None
    assert binary.y.cat.categories.tolist() == ["b", "rest"]
    assert binary.y.astype(object).where(binary.y.notna(), None).tolist() == [
        *("b", "rest", None, "rest", "b")
    ]
    assert (binary.name, binary.schema.target) == ("t-b", "kind")
    assert binary.X is table.X
    assert binary.notes == ("a note", "class b against the rest")
    assert table.y is not None
    assert table.y.cat.categories.tolist() == ["a", "b", "c"], "the table itself is unchanged"


def test_a_class_that_never_occurs_can_be_kept() -> None:
    binary = make_table("a", "b").one_versus_rest("c")
    assert binary.y is not None
    assert binary.y.tolist() == ["rest", "rest"]


def test_classes_that_cannot_be_kept_are_errors() -> None:
    with pytest.raises(ValueError, match="'t' has no class 'd'; expected one of 'a', 'b', 'c'"):
        make_table("a").one_versus_rest("d")
    with pytest.raises(ValueError, match="the class 'rest' cannot be kept"):
        make_table("a").one_versus_rest("b").one_versus_rest("rest")
    with pytest.raises(ValueError, match="table 't' has no class; read it with its target"):
        Table("t", pd.DataFrame({"a": [1.0]})).one_versus_rest("a")
