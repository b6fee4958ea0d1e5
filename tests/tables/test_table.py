from pathlib import Path

import pandas as pd

from weaklearn.tables import Table, read


def test_the_schema_has_the_declared_values_and_classes(tmp_path: Path) -> None:
    path = tmp_path / "t.arff"
    path.write_text(
        "@relation r\n@attribute size real\n@attribute colour {red, never, blue}\n"
        "@attribute class {no, yes, maybe}\n@data\n1,blue,yes\n?,?,no\n"
    )
    schema = read(path).schema
    assert schema.names == ["size", "colour"]
    assert [attribute.kind for attribute in schema.attributes] == ["continuous", "nominal"]
    colour = schema.attributes[1]
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
