"""The targets of exports: the only place where their names are listed.

``weaklearn export --to`` reads `TARGETS`. A new target is a file of this package and a line here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weaklearn.export.c_file import c
from weaklearn.export.js_file import js
from weaklearn.export.onnx_file import onnx
from weaklearn.export.sql_file import sql


@dataclass(frozen=True, slots=True)
class Target:
    """A language or format that models are exported to.

    Parameters
    ----------
    name : str
        Its name on the command line.
    summary : str
        A few words about it, for the help of the command line.
    suffix : str
        The suffix of the file, with the dot.
    write : callable
        Writes a model to a path, and returns the files that it has written.
    has_float32 : bool
        Whether ``write`` takes ``float32=True`` for inputs and outputs in float32.
    """

    name: str
    summary: str
    suffix: str
    write: Callable[..., list[Path]]
    has_float32: bool = False


def _write_onnx(model: Any, path: Path, float32: bool = False) -> list[Path]:
    onnx(model, path, float32=float32)
    return [path]


def _write_sql(model: Any, path: Path) -> list[Path]:
    sql(model, path)
    return [path]


#: Targets by name, in the order in which messages show them.
TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        Target("onnx", "a graph for onnxruntime", ".onnx", _write_onnx, has_float32=True),
        Target("sql", "a query for DuckDB and SQLite", ".sql", _write_sql),
        Target("c", "C99, a source file and its header", ".c", c),
        Target("js", "a JavaScript module", ".mjs", js),
    )
}
