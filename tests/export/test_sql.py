"""Models in SQL predict the same classes, and the same probabilities to the last bit."""

from __future__ import annotations

import math
import random
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from export.models import FACTORIES, encoded, fitted, predictions, rows_of
from export.random_rows import random_rows
from random_graphs import SCHEMA, chain, doubling_program, full_tree, graphs
from weaklearn.encoding import EncodedRows
from weaklearn.export.description import Description
from weaklearn.export.sql_query import identifier, number


def _duckdb() -> Any:
    return pytest.importorskip("duckdb", reason="these queries run in DuckDB").connect()


def _sqlite() -> Any:
    if sqlite3.sqlite_version_info < (3, 35):
        pytest.skip("the queries need SQLite 3.35 or newer")
    database = sqlite3.connect(":memory:")
    try:
        database.execute("SELECT sqrt(4)")
    except sqlite3.OperationalError:  # built without mathematical functions
        database.create_function("sqrt", 1, math.sqrt)
    return database


DATABASES = pytest.mark.parametrize("connect", [_sqlite, _duckdb], ids=["sqlite", "duckdb"])
Connect = Callable[[], Any]


def fill(database: Any, names: Sequence[str], columns: Sequence[Sequence[Any]]) -> None:
    """Make the table `data`, with a key and these columns."""
    kinds = ["VARCHAR" if any(isinstance(x, str) for x in c) else "DOUBLE" for c in columns]
    declared = [f"{identifier(n)} {kind}" for n, kind in zip(names, kinds, strict=True)]
    database.execute(f"CREATE TABLE data ({', '.join(['key BIGINT', *declared])})")
    cells = list(zip(range(len(columns[0])), *columns, strict=True))
    if cells:
        places = ", ".join("?" * len(cells[0]))
        database.executemany(f"INSERT INTO data VALUES ({places})", cells)


def fill_encoded(database: Any, described: Description, rows: EncodedRows) -> None:
    """Make the table `data` of encoded rows."""
    names, columns = [], []
    for x, array in zip(described.inputs, rows.arrays, strict=True):
        if x.kind == "ignored":
            continue
        names.append(x.name)
        if x.kind == "nominal":
            is_text = any(isinstance(value, str) for value in x.values)
            cells = [str(value) if is_text else float(value) for value in x.values]
            columns.append([cells[code] if code >= 0 else None for code in array.tolist()])
        else:
            columns.append(array.tolist())
    fill(database, names, columns)


def run(database: Any, query: str) -> tuple[list[Any], list[list[float]]]:
    """Return the labels and probabilities in the order of the key."""
    result = sorted(database.execute(query).fetchall())
    return [line[1] for line in result], [list(line[2:]) for line in result]


#: Models whose queries DuckDB takes seconds to plan.
LARGE = ("adaboost-confidence", "adaboost-costs", "bagged-confidence", "c45-shrunk", "pruned")


@pytest.mark.parametrize(
    ("name", "connect"),
    [
        *((name, _sqlite) for name in FACTORIES),
        *((name, _duckdb) for name in FACTORIES if name not in LARGE),
    ],
)
def test_every_kind_of_model(name: str, connect: Connect) -> None:
    model, database = fitted(name), connect()
    rows = encoded(model, rows_of(np.random.default_rng(7), 60))
    fill_encoded(database, wl.export.describe(model), rows)
    assert run(database, wl.export.sql(model, key="key")) == predictions(model, rows)


@DATABASES
@given(graph=graphs(max_splits=8), seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_random_trees_and_programs(connect: Connect, graph: Any, seed: int) -> None:
    described = wl.export.describe(graph)
    # A split without weight and with branches that have some does not occur in fitted models.
    assume(np.isfinite(described.model.branch_share).all())
    rows = random_rows(seed)
    expected = [str(SCHEMA.classes[k]) for k in graph.predict_class_indices(rows)]
    shares = graph.predict_class_shares(rows).tolist()
    database = connect()
    fill_encoded(database, described, rows)
    labels, probabilities = run(database, wl.export.sql(graph, key="key"))
    assert labels == expected
    assert probabilities == shares


@DATABASES
@pytest.mark.parametrize("graph", [chain(150), doubling_program(12)], ids=["chain", "program"])
def test_deep_graphs(graph: Any, connect: Connect) -> None:
    x = np.array([np.nan, -np.inf, np.inf, -0.0, 3.5, 77.0])
    rows, database = EncodedRows([x], len(x)), connect()
    fill(database, ["x"], [x.tolist()])
    labels = [graph.schema.classes[k] for k in graph.predict_class_indices(rows)]
    shares = graph.predict_class_shares(rows).tolist()
    assert run(database, wl.export.sql(graph, key="key")) == (labels, shares)


def test_more_leaves_than_sqlite_has_columns() -> None:
    graph = full_tree(11)
    x = np.array([np.nan, 3.5, 2000.0])
    rows, database = EncodedRows([x], len(x)), _sqlite()
    fill(database, ["x"], [x.tolist()])
    shares = graph.predict_class_shares(rows).tolist()
    assert run(database, wl.export.sql(graph, key="key"))[1] == shares


@DATABASES
def test_names_and_values_are_quoted(connect: Connect) -> None:
    drop = "x'; DROP TABLE data; --"
    names = ["select", 'quo"te', drop, "v1", "s0", "rows", "a\nb"]
    values = [drop, 'y"', "v1", "it''s", "\\"]
    chance = random.Random(0)
    frame = pd.DataFrame({n: [chance.choice(values) for _ in range(80)] for n in names})
    y = np.where((frame[drop] == drop) ^ (frame["v1"] == "\\"), "'; DROP TABLE data; --", 'b"')
    model = wl.C45Classifier(min_objects=1, subset=True, confidence=0.9).fit(frame, y)
    database = connect()
    frame.loc[:5, "v1"], frame.loc[5:9, drop] = None, None
    cells = frame.astype(object).where(frame.notna(), None)
    fill(database, names, [cells[name].tolist() for name in names])
    labels, probabilities = run(database, wl.export.sql(model, key="key"))
    assert labels == model.predict(frame).tolist()
    assert probabilities == model.predict_proba(frame).tolist()
    assert database.execute("SELECT count(*) FROM data").fetchall() == [(80,)]


@DATABASES
def test_a_table_may_have_any_name(connect: Connect) -> None:
    model, database = fitted("stump"), connect()
    rows = encoded(model, rows_of(np.random.default_rng(7), 5))
    fill_encoded(database, wl.export.describe(model), rows)
    database.execute('ALTER TABLE data RENAME TO "a ""table"""')
    assert len(database.execute(wl.export.sql(model, table='a "table"')).fetchall()) == 5


@DATABASES
def test_numbers_are_exact(connect: Connect) -> None:
    chance = np.random.default_rng(0)
    bits = chance.integers(0, 2**64, 500, dtype=np.uint64).view(np.float64)
    shares = chance.random(400)
    awkward = [0.0, -0.0, 0.1, 1e22, 1e23, 5e-324, 2.0**-1022, 1.7976931348623157e308, np.inf]
    numbers = [x for x in [*bits, *shares, *(-bits), *awkward, -np.inf] if not np.isnan(x)]
    database = connect()
    for start in range(0, len(numbers), 500):
        part = [float(x) for x in numbers[start : start + 500]]
        (line,) = database.execute(f"SELECT {', '.join(map(number, part))}").fetchall()
        assert [float(x) for x in line] == part


@DATABASES
def test_values_of_other_types(connect: Connect) -> None:
    frame = pd.DataFrame({"code": [1, 1, 2, 2, 3, 3] * 3, "flag": [True, False] * 9})
    y = [code == 2 or flag for code, flag in zip(frame["code"], frame["flag"], strict=True)]
    model = wl.C45Classifier(nominal=["code"], min_objects=1).fit(frame, y)
    database = connect()
    database.execute("CREATE TABLE data (key BIGINT, code INTEGER, flag BOOLEAN)")
    cells = [(i, int(c), bool(f)) for i, (c, f) in enumerate(frame.itertuples(index=False))]
    database.executemany("INSERT INTO data VALUES (?, ?, ?)", cells)
    labels, probabilities = run(database, wl.export.sql(model, key="key"))
    assert [bool(label) for label in labels] == model.predict(frame).tolist()
    assert probabilities == model.predict_proba(frame).tolist()


def test_a_column_without_case_is_compared_as_it_is() -> None:
    model = wl.C45Classifier().fit(pd.DataFrame({"x": ["a", "b"] * 8}), ["no", "yes"] * 8)
    database = _sqlite()
    database.execute("CREATE TABLE data (key INTEGER, x TEXT COLLATE NOCASE)")
    database.executemany("INSERT INTO data VALUES (?, ?)", [(0, "a"), (1, "A")])
    expected = model.predict_proba(pd.DataFrame({"x": ["a", "A"]})).tolist()
    assert run(database, wl.export.sql(model, key="key"))[1] == expected


def test_errors() -> None:
    frame = pd.DataFrame({"x": ["a\0", "b"] * 8, "prediction": [1.0, 2.0] * 8})
    model = wl.C45Classifier().fit(frame, ["no", "yes"] * 8)
    with pytest.raises(ValueError, match="has a null character, which SQL cannot express"):
        wl.export.sql(model)
    model = wl.C45Classifier().fit(frame[["prediction"]], ["no", "yes"] * 8)
    with pytest.raises(ValueError, match="the result would have two columns 'prediction'"):
        wl.export.sql(model, key="prediction")
    with pytest.raises(ValueError, match="the name '' cannot be written in SQL"):
        wl.export.sql(model, table="")
    with pytest.raises(TypeError, match="expected a fitted classifier of this package"):
        wl.export.sql(3)


def test_the_file_is_what_is_returned(tmp_path: Any) -> None:
    path = tmp_path / "model.sql"
    assert path.parent.is_dir()
    query = wl.export.sql(fitted("stump"), path)
    assert path.read_text() == query
