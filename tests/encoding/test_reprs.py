"""The repr of every object on the way from a table to a dataset fits on a screen."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from weaklearn.encoding import Dataset, EncodedRows, encode_columns
from weaklearn.schema import Feature, Schema, infer_classes, infer_features
from weaklearn.tables import Table
from weaklearn.tables.column import CategoryColumn
from weaklearn.tables.frames import as_columns

MAX_LINES = 20
MAX_CHARACTERS = 1000


def make_table(n_columns: int, n_values: int, n_classes: int, text: str = "") -> Table:
    """Return a table with half of its columns continuous; all names and values end in `text`."""
    n_rows = max(n_values, n_classes)
    labels = np.arange(n_rows)
    columns = {
        f"column {i}{text}": labels % n_values
        if i % 2
        else pd.Categorical([f"v{k % n_values}{text}" for k in range(n_rows)])
        for i in range(n_columns)
    }
    y = pd.Series([f"c{k % n_classes}{text}" for k in range(n_rows)], name=f"class{text}")
    return Table(f"t{text}", pd.DataFrame(columns), y.astype("category"))


def objects_of(table: Table) -> list[object]:
    columns = as_columns(table.X)
    features = infer_features(columns)
    classes, codes = infer_classes(table.y)
    schema = Schema(features, classes, str(table.y.name))
    rows = encode_columns(columns, features)
    unseen = EncodedRows(rows.arrays, rows.n_rows, {feature.name: 1 for feature in features})
    dataset = Dataset(rows, schema, codes)
    return [
        *(table, schema, table.schema, dataset, rows, unseen, columns),
        *features[:2],
        *(column for column in columns.data if isinstance(column, CategoryColumn)),
    ]


@pytest.mark.parametrize("text", ["", " and so on" * 30, "\n" * 200, "'\\é\x00" * 50])
def test_reprs_of_wide_tables_fit_on_a_screen(text: str) -> None:
    for value in objects_of(make_table(200, 300, 250, text)):
        assert len(repr(value)) <= MAX_CHARACTERS, type(value)
        assert len(repr(value).splitlines()) <= MAX_LINES, type(value)


def test_a_small_schema_is_shown_completely() -> None:
    table = make_table(3, 2, 2)
    assert repr(table.schema) == (
        "Schema: 1 continuous + 2 nominal features\n"
        "  Feature('column 0', 'nominal', ('v0', 'v1'))\n"
        "  Feature('column 1', 'continuous')\n"
        "  Feature('column 2', 'nominal', ('v0', 'v1'))\n"
        "  target 'class'\n"
        "  classes ('c0', 'c1')"
    )


@pytest.mark.parametrize(
    "feature",
    [
        Feature("a", "continuous"),
        Feature("a", "continuous", precision="double"),
        Feature("a", "nominal"),
        Feature("a", "nominal", ("x",)),
        Feature("a", "nominal", ("x", 1, 2.5, True)),
    ],
)
def test_the_repr_of_a_small_feature_is_its_constructor(feature: Feature) -> None:
    assert eval(repr(feature)) == feature


def test_what_is_not_shown_is_counted() -> None:
    wide = make_table(30, 9, 7)
    assert "  ... (22 more)" in repr(wide.schema)
    assert "... (7 in all))" in repr(wide.schema)
    assert "... (9 in all))" in repr(wide.schema.features[0])


def test_counts_of_rows_and_columns_are_shown() -> None:
    table = make_table(4, 3, 2)
    columns = as_columns(table.X)
    assert repr(columns).startswith("Columns: 3 rows, 4 columns: 'column 0', ")
    assert repr(columns.data[0]) == "CategoryColumn: 3 rows, 3 labels: 'v0', 'v1', 'v2'"
    features = infer_features(columns)
    rows = encode_columns(columns, features)
    assert repr(rows) == "EncodedRows: 3 rows, 2 arrays of numbers, 2 of codes"
    classes, codes = infer_classes(table.y)
    dataset = Dataset(rows, Schema(features, classes), codes)
    expected = "Dataset: 3 rows, 2 continuous + 2 nominal features, 2 classes, "
    assert repr(dataset).startswith(expected)
