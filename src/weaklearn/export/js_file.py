"""Export as JavaScript: an ES module without dependencies."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from weaklearn.encoding.encode_columns import codes_of_meanings
from weaklearn.export.describe import describe
from weaklearn.export.description import Description
from weaklearn.export.flat_tables import FlatTables, Table, fill_template, flatten
from weaklearn.export.texts import plain_name, read_template
from weaklearn.files import write_atomically
from weaklearn.tables.column import MAX_EXACT_FLOAT, Label


def js(model: Any, path: str | PathLike[str]) -> list[Path]:
    """Write a fitted model as a JavaScript module.

    The module exports ``predict(row)``, ``predictProba(row)`` and ``scores(row)``, and needs
    nothing else. It predicts the same classes and the same probabilities to the last bit, missing
    values included.

    Parameters
    ----------
    model : classifier, Graph or Ruleset
        A fitted model of this package.
    path : path
        The file to write; ``.mjs`` or ``.js``. Without a suffix, ``.mjs`` is added.

    Returns
    -------
    list of Path
        The file.

    Raises
    ------
    TypeError
        If a part of the model is not of this package.

    Examples
    --------
    >>> import tempfile
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("iris")
    >>> model = wl.C45Classifier().fit(table.X, table.y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [module] = wl.export.js(model, f"{folder}/iris")
    ...     print(module.name, "export function predict(row)" in module.read_text())
    iris.mjs True
    """
    file = Path(path)
    if file.suffix not in (".js", ".mjs"):
        file = file.with_name(f"{file.name}.mjs")
    described = describe(model)
    write_atomically(file, _source(described, flatten(described)).encode("ascii"))
    return [file]


def _source(described: Description, flat: FlatTables) -> str:
    lines = [f"const {name} = {_number(value)};" for name, value in flat.numbers.items()]
    lines += [_array(name, table) for name, table in flat.tables.items()]
    meanings = [codes_of_meanings(i.values) for i in described.inputs]
    texts = [{v: c for c, v in enumerate(i.values) if isinstance(v, str)} for i in described.inputs]
    numbers = [{k: c for k, c in m.items() if not isinstance(k, str | bool)} for m in meanings]
    bools = [{k: c for k, c in m.items() if isinstance(k, bool)} for m in meanings]
    return fill_template(
        read_template("model.js"),
        flat.flags,
        {
            "model_name": plain_name(described.model_name),
            "inputs": _listed(_literal(i.name) for i in described.inputs),
            "input_kinds": _listed(_literal(i.kind) for i in described.inputs),
            "labels": _listed(map(_literal, described.labels)),
            "n_classes": str(described.n_classes),
            "tables": "\n".join(lines),
            "codes_of_texts": _entries(texts),
            "codes_of_numbers": _entries(numbers),
            "codes_of_booleans": _entries(bools),
            "scores": "the sum of votes" if "committee" in flat.flags else "shares or outputs",
        },
    )


def _entries(codes: list[dict[Any, int]]) -> str:
    """Return per input a list of pairs of value and code."""
    return _listed(
        _listed(f"[{_literal(value)}, {code}]" for value, code in of_input.items())
        for of_input in codes
    )


def _literal(value: Label) -> str:
    """Return a label as a literal, in ASCII, that ends no script element and no template.

    A whole number that is not a float64 is a BigInt.
    """
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > MAX_EXACT_FLOAT:
        return f"{value}n"
    return re.sub("[<>&@]", lambda match: f"\\u{ord(match.group()):04x}", json.dumps(value))


def _array(name: str, table: Table) -> str:
    kind = "Int32Array" if table.dtype.kind == "i" else "Float64Array"
    return f"const {name} = {kind}.from({_listed(map(_number, table.tolist()))});"


def _listed(entries: Iterable[str]) -> str:
    """Return an array literal, in lines of a bearable length."""
    listed = list(entries)
    lines = [", ".join(listed[i : i + 12]) for i in range(0, len(listed), 12)]
    return "[" + ",\n  ".join(lines) + "]"


def _number(value: float) -> str:
    if value in (np.inf, -np.inf):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(value)
