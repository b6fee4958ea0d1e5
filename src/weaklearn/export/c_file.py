"""Export as C99: one file of code and tables, and its header."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from weaklearn.export.describe import describe
from weaklearn.export.description import Description
from weaklearn.export.flat_tables import FlatTables, Table, fill_template, flatten
from weaklearn.export.texts import codes_of_texts, plain_name, read_template, text_of
from weaklearn.files import write_atomically

#: The characters of a string that need no escape. There is no question mark among them, so there
#: are no trigraphs.
_PLAIN = (string.ascii_letters + string.digits + " _-.,:;()").encode()

#: C99 compilers need not take longer strings.
_LONGEST_STRING = 4095


def c(model: Any, path: str | PathLike[str]) -> list[Path]:
    """Write a fitted model as a C99 source file and its header.

    The code needs the C library alone, allocates nothing and does not recurse. It predicts the
    same classes and the same probabilities to the last bit, missing values included.

    Parameters
    ----------
    model : classifier, Graph or Ruleset
        A fitted model of this package.
    path : path
        The path of both files without a suffix, or that of one of them. The names of all functions
        start with the file's name; characters that C does not allow in a name become ``_``.

    Returns
    -------
    list of Path
        The header and the source file.

    Raises
    ------
    TypeError
        If a part of the model is not of this package.
    ValueError
        If a name, value or label holds the NUL character, which ends a string in C.

    Examples
    --------
    >>> import tempfile
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("iris")
    >>> model = wl.C45Classifier().fit(table.X, table.y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     header, source = wl.export.c(model, f"{folder}/iris")
    ...     print(header.name, source.name, "int iris_predict(" in header.read_text())
    iris.h iris.c True
    """
    described = describe(model)
    stem = Path(path)
    if stem.suffix in (".c", ".h"):
        stem = stem.with_suffix("")
    if not re.fullmatch(r"[\w .+-]+", stem.name):
        raise ValueError(
            f"{stem.name!r:.60} cannot be the name of a header in C; expected letters, digits, "
            "spaces and the characters . + - _ only."
        )
    name = _identifier(stem.name)
    header, source = (stem.with_name(f"{stem.name}.{suffix}") for suffix in ("h", "c"))
    flat = flatten(described)
    contents = {
        header: _header(described, flat, name),
        source: _source(described, flat, name, header.name),
    }
    for file, text in contents.items():
        write_atomically(file, text.encode())
    return [header, source]


def _header(described: Description, flat: FlatTables, name: str) -> str:
    template = read_template("model.h")
    texts = {
        "name": name,
        "upper": name.upper(),
        "model_name": plain_name(described.model_name),
        "n_inputs": str(len(described.inputs)),
        "n_labels": str(len(described.labels)),
        "n_bytes": str(8 * int(flat.numbers.get("MOST_NODES", 0)) + 64 * described.n_classes + 512),
    }
    return fill_template(template, flat.flags, texts)


def _source(described: Description, flat: FlatTables, name: str, header: str) -> str:
    lines = [f"#define {key} {_number(value)}" for key, value in flat.numbers.items()]
    lines += [_array(key, table) for key, table in flat.tables.items()]
    lines += _string_tables(described, name)
    is_confident = "confidence" in flat.flags
    texts = {
        "name": name,
        "header": header,
        "n_inputs": str(len(described.inputs)),
        "n_labels": str(len(described.labels)),
        "n_classes": str(described.n_classes),
        "tables": "\n".join(lines),
        "confidence_argument": ", double *confidence" if is_confident else "",
        "confidence_value": ", confidence" if is_confident else "",
        "confidence_comment": " and its confidence" if is_confident else "",
    }
    return fill_template(read_template("model.c"), flat.flags, texts)


def _string_tables(described: Description, name: str) -> list[str]:
    """Return the names of inputs, the labels, and per input the texts of values, sorted."""
    texts: list[str] = []
    codes: list[int] = []
    first = [0]
    for i in described.inputs:
        by_bytes = sorted(codes_of_texts(i.values).items(), key=lambda item: _bytes(item[0]))
        texts += [text for text, _ in by_bytes]
        codes += [code for _, code in by_bytes]
        first.append(len(texts))
    labels = [text_of(label) for label in described.labels]
    return [
        *_strings(f"const char *const {name}_inputs", [i.name for i in described.inputs]),
        *_strings(f"const char *const {name}_input_kinds", [i.kind for i in described.inputs]),
        *_strings(f"const char *const {name}_labels", labels),
        *_strings("static const char *const texts", texts or [""]),
        _array("text_code", np.array(codes, np.int32)),
        _array("first_text", np.array(first, np.int32)),
    ]


def _strings(declaration: str, texts: Sequence[str]) -> list[str]:
    """Return the definition of an array of strings; very long ones are arrays of their own."""
    entries: list[str] = []
    definitions: list[str] = []
    prefix = re.sub(".* |[*]", "", declaration)
    for i, text in enumerate(texts):
        content = _bytes(text)
        if b"\0" in content:
            raise ValueError(
                f"{text!r:.60} holds the NUL character, which ends a string in C: rename it before "
                "the fit, or export to JavaScript."
            )
        if len(content) <= _LONGEST_STRING:
            entries.append(f'"{_escaped(text)}"')
            continue
        characters = _wrapped(f"'\\{byte:03o}'" for byte in (*content, 0))
        definitions.append(f"static const char {prefix}_{i}[] = {{\n{characters}\n}};")
        entries.append(f"{prefix}_{i}")
    listed = ",\n".join(f"  {entry}" for entry in entries)
    return [*definitions, f"{declaration}[] = {{\n{listed}\n}};"]


def _escaped(text: str) -> str:
    """Return the content of a string literal, with all but plain characters in octal."""
    return "".join(chr(byte) if byte in _PLAIN else f"\\{byte:03o}" for byte in _bytes(text))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _array(name: str, table: Table) -> str:
    """Return the definition of an array, of the smallest type that holds its numbers."""
    kind = "double"
    if table.dtype.kind == "i":
        most = max(int(np.abs(table.astype(np.int64)).max(initial=0)), 1)
        kind = "int8_t" if most < 2**7 else "int16_t" if most < 2**15 else "int32_t"
    numbers = table.tolist() or [0]
    return f"static const {kind} {name}[] = {{\n{_wrapped(map(_number, numbers))}\n}};"


def _wrapped(entries: Iterable[str]) -> str:
    listed = list(entries)
    return ",\n".join("  " + ", ".join(listed[i : i + 12]) for i in range(0, len(listed), 12))


def _number(value: float) -> str:
    if value in (np.inf, -np.inf):
        return "INFINITY" if value > 0 else "-INFINITY"
    return repr(value)


def _identifier(text: str) -> str:
    """Return a name that C allows, as the start of the names of functions."""
    name = plain_name(text)
    return name if re.match("[A-Za-z]", name) else f"model_{name}"
