"""Random tables, and simple writers of each text format, for the round-trip tests."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, replace

import pandas as pd
from hypothesis import strategies as st

ODD = "ab Z0.1,;:'\"%?{}\\|\t#@_-+é漢\u2028\x85\x1c\xa0"


@dataclass(frozen=True)
class RawColumn:
    name: str
    cells: list[float | str | None]
    declared: tuple[str, ...] | None  # None: continuous


@dataclass(frozen=True)
class RawTable:
    features: list[RawColumn]
    target: RawColumn

    def with_sorted_values(self) -> RawTable:
        """Return the table as a reader of a format without declarations sees it."""

        def occurring(column: RawColumn) -> RawColumn:
            if column.declared is None:
                return column
            return replace(
                column, declared=tuple(sorted({c for c in column.cells if c is not None}))
            )

        return RawTable([occurring(column) for column in self.features], occurring(self.target))

    def with_target(self, name: str) -> RawTable:
        return RawTable(self.features, replace(self.target, name=name))

    @property
    def columns(self) -> list[RawColumn]:
        return [*self.features, self.target]

    def rows(self):
        return zip(*(column.cells for column in self.columns), strict=True)


def raw_tables(texts: st.SearchStrategy[str]) -> st.SearchStrategy[RawTable]:
    """Draw tables whose names and values come from ``texts``."""

    @st.composite
    def build(draw) -> RawTable:
        width = draw(st.integers(1, 4))
        n_rows = draw(st.integers(1, 6))
        names = draw(st.lists(texts, min_size=width + 1, max_size=width + 1, unique=True))
        numbers = st.none() | st.floats(allow_nan=False, allow_infinity=False)

        def column(name: str, nominal: bool, missing: bool) -> RawColumn:
            if not nominal:
                cells = draw(st.lists(numbers, min_size=n_rows, max_size=n_rows))
                return RawColumn(name, cells, None)
            values = draw(st.lists(texts, min_size=2, max_size=4, unique=True))
            choice = st.sampled_from([*values, None] if missing else values)
            cells = draw(st.lists(choice, min_size=n_rows, max_size=n_rows))
            return RawColumn(name, cells, tuple(values))

        features = [column(name, draw(st.booleans()), True) for name in names[:-1]]
        return RawTable(features, column(names[-1], True, False))

    return build()


def assert_reads_as(table, expected: RawTable) -> None:
    assert list(table.X.columns) == [column.name for column in expected.features]
    assert table.n_rows == len(expected.target.cells)
    for column in expected.features:
        _assert_column(table.X[column.name], column)
    assert table.y.name == expected.target.name
    _assert_column(table.y, expected.target)


def _assert_column(series: pd.Series, column: RawColumn) -> None:
    cells = [None if pd.isna(value) else value for value in series.tolist()]
    assert cells == column.cells
    if column.declared is None:
        assert series.dtype == "float64"
    else:
        assert tuple(series.cat.categories) == column.declared


def write_arff(table: RawTable) -> str:
    lines = ["@relation 'a table' % comment"]
    for column in table.columns:
        kind = "{" + ", ".join(map(_arff, column.declared)) + "}" if column.declared else "real"
        lines.append(f"@ATTRIBUTE {_arff(column.name)}\t{kind} % 'comment' {{")
    lines += ["", "@Data"]
    lines += [",".join(map(_arff, row)) for row in table.rows()]
    return "\n".join(lines) + "\n"


def _arff(cell: float | str | None) -> str:
    if cell is None:
        return "?"
    if isinstance(cell, float):
        return repr(cell)
    if cell.isalnum():
        return cell
    quote = "'" if len(cell) % 2 else '"'
    escaped = cell.replace("\\", "\\\\").replace(quote, "\\" + quote)
    return quote + escaped.replace("\n", "\\n").replace("\r", "\\r") + quote


def write_names(table: RawTable) -> tuple[str, str]:
    lines = [", ".join(map(_c45, table.target.declared)) + ".  | classes"]
    for column in table.features:
        values = ", ".join(map(_c45, column.declared)) if column.declared else "continuous"
        lines.append(f"{_c45(column.name)}: {values}.")
    rows = [", ".join(map(_c45, row)) for row in table.rows()]
    return "\n\n".join(lines), "\n".join(rows)


def _c45(cell: float | str | None) -> str:
    if cell is None:
        return "?"
    if isinstance(cell, float):
        return repr(cell)
    return "".join(c if c.isalnum() else "\\" + c for c in cell)


def write_csv(table: RawTable, delimiter: str = ",") -> str:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerow(
        [column.name for column in table.columns]
    )
    writer = csv.writer(out, delimiter=delimiter)
    for row in table.rows():
        writer.writerow(["" if c is None else repr(c) if isinstance(c, float) else c for c in row])
    return out.getvalue()
