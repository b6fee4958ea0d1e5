"""Save models as versioned JSON and load them again, also from untrusted files.

A file is ``{"format": "weaklearn", "version": 1, "kind": ..., ...}``. Each kind of model registers
its loader with `register_kind`. The loader of graphs is in this module, and models that hold graphs
call `graph_content` and `graph_from_content`.
"""

from __future__ import annotations

import gzip
import json
import math
import os
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as np

from weaklearn import _core
from weaklearn.files import write_atomically
from weaklearn.models.graph import Graph
from weaklearn.schema import Schema

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from weaklearn.schema import Label

FORMAT = "weaklearn"
VERSION = 1
#: The largest text that is loaded; a small compressed file could otherwise fill the memory.
MAX_BYTES = 1 << 30
#: Arrays of a graph that are empty unless the model has been asked for what they hold.
_OPTIONAL_ARRAYS = ("missing_branch", "shrinkage")

Loader = Callable[[dict[str, Any]], Any]
_LOADERS: dict[str, Loader] = {}
_T = TypeVar("_T")


class LoadError(ValueError):
    """A file does not hold a model that this version can load; names the file and the reason."""


def register_kind(kind: str, loader: Loader) -> None:
    """Register the loader of a kind of model, in place of an earlier one for that kind.

    Parameters
    ----------
    kind : str
        The name that `write` puts into the file.
    loader : callable
        Makes the model from the file's content; raises ValueError, with the reason, if it cannot.
        `take` helps to check the content.
    """
    _LOADERS[kind] = loader


def write(path: str | os.PathLike[str], kind: str, content: Mapping[str, Any]) -> None:
    """Write a model's content to a file, completely or not at all.

    Parameters
    ----------
    path : path
        Ends in ``.json``, or in ``.json.gz`` to compress it. An existing file is replaced.
    kind : str
        The kind of model, by which `load` finds the loader.
    content : mapping
        What the loader needs, ready for JSON.
    """
    target = Path(path)
    if not target.name.endswith((".json", ".json.gz")):
        raise ValueError(
            f"cannot save to {str(target)!r}: name a file that ends in .json or .json.gz"
        )
    document = {"format": FORMAT, "version": VERSION, "kind": kind, **content}
    data = json.dumps(document, allow_nan=False, separators=(",", ":")).encode("ascii")
    if target.name.endswith(".gz"):
        data = gzip.compress(data, mtime=0)
    write_atomically(target, data)


def load(path: str | os.PathLike[str]) -> Any:
    """Load a model that was saved as JSON.

    Loading runs no code from the file, and every index in it is checked, so a file from an
    untrusted source can do no harm.

    Parameters
    ----------
    path : path
        A file that ``save`` wrote, compressed or not.

    Returns
    -------
    Graph, or an estimator
        What was saved.

    Raises
    ------
    LoadError
        If anything is wrong with the file; a ValueError that names the file and the reason.

    Examples
    --------
    >>> import weaklearn as wl
    >>> wl.load("model.json")  # doctest: +SKIP
    C45Classifier()
    """
    source = Path(path)
    try:
        return _model_of(_parsed(_read(source)))
    except (OSError, EOFError, zlib.error) as error:
        reason = f"it cannot be read ({getattr(error, 'strerror', None) or error})"
        cause: Exception = error
    except RecursionError as error:
        reason, cause = "it is nested too deeply", error
    except MemoryError as error:
        reason, cause = "it does not fit into the memory", error
    except (ValueError, TypeError, LookupError, ArithmeticError) as error:
        reason, cause = str(error), error
    raise LoadError(f"cannot load {str(source)!r}: {reason}") from cause


def _read(source: Path) -> bytes:
    with open(source, "rb") as raw:
        compressed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        stream = gzip.GzipFile(fileobj=raw) if compressed else raw
        chunks: list[bytes] = []
        size = 0
        while chunk := stream.read(1 << 20):
            chunks.append(chunk)
            size += len(chunk)
            if size > MAX_BYTES:
                raise ValueError(f"it holds more than {MAX_BYTES:,} bytes of text")
    return b"".join(chunks)


def _parsed(data: bytes) -> dict[str, Any]:
    try:
        document = json.loads(
            data.decode("utf-8"), parse_constant=_refuse_constant, parse_float=_finite
        )
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"it is not JSON ({error})") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f'it is not a weaklearn model: no "format": "{FORMAT}" at its start')
    return document


def _refuse_constant(token: str) -> NoReturn:
    raise ValueError(f"it holds {token}, which is not a number")


def _finite(token: str) -> float:
    value = float(token)
    if not math.isfinite(value):
        raise ValueError(f"it holds {token}, which is too large a number")
    return value


def _model_of(document: dict[str, Any]) -> Any:
    version = take(document, "version", int)
    if version > VERSION:
        raise ValueError(
            f"it is written in version {version} of the format, and this weaklearn reads up to "
            f"version {VERSION}: type  pip install --upgrade weaklearn"
        )
    if version < 1:
        raise ValueError(f'its "version" is {version}, and versions count from 1')
    kind = take(document, "kind", str)
    if kind not in _LOADERS:
        raise ValueError(f"it holds a {kind!r}; known kinds are {', '.join(sorted(_LOADERS))}")
    return _LOADERS[kind](document)


def take(content: Mapping[str, Any], name: str, expected: type[_T]) -> _T:
    """Return an entry of a file's content; ValueError if it is missing or of another type."""
    if name not in content:
        raise ValueError(f'its "{name}" is missing')
    value = content[name]
    # In Python a bool is an int; in JSON true is not an integer.
    if not isinstance(value, expected) or (isinstance(value, bool) and expected is not bool):
        raise ValueError(f'its "{name}" is {_shown(value)}; expected {expected.__name__}')
    return value


def _shown(value: object) -> str:
    text = f"a {type(value).__name__}" if isinstance(value, dict | list) else repr(value)
    return text if len(text) <= 60 else text[:60] + "…"


# -- graphs -----------------------------------------------------------------------------------


def graph_content(graph: Graph) -> dict[str, Any]:
    """Return a graph with its schema, ready for JSON."""
    return {"schema": schema_content(graph.schema), "graph": nodes_content(graph)}


def schema_content(schema: Schema) -> dict[str, Any]:
    """Return a schema, ready for JSON."""
    for feature in schema.features:
        _check_labels(feature.values, f"the feature {feature.name!r}")
    _check_labels(schema.classes, "the class")
    return schema.to_dict()


def nodes_content(graph: Graph) -> dict[str, Any]:
    """Return a graph without its schema, ready for JSON: its arrays as lists.

    An array of records, such as the nodes, is a mapping with one list per field. Branches of
    missing values and shrinkage are left out if the graph has none.
    """
    return {
        name: _to_json(array)
        for name, array in graph.arrays.items()
        if name not in _OPTIONAL_ARRAYS or len(array)
    }


def _to_json(array: NDArray[Any]) -> Any:
    if array.dtype.names is None:
        return array.tolist()
    return {name: array[name].tolist() for name in array.dtype.names}


def _check_labels(labels: tuple[Label, ...], of: str) -> None:
    for label in labels:
        if not isinstance(label, str | int | float | bool):
            raise TypeError(
                f"{of} has the value {label!r} of type {type(label).__name__}; only str, int, "
                "float and bool can be saved: convert that column before fitting (.astype(str))"
            )
        if isinstance(label, float) and not math.isfinite(label):
            raise ValueError(f"{of} has the value {label!r}, which JSON cannot hold")


def graph_from_content(content: Mapping[str, Any]) -> Graph:
    """Make a graph from the result of `graph_content`; ValueError if it is not a valid graph."""
    schema = Schema.from_dict(take(content, "schema", dict))
    return graph_from_nodes(schema, take(content, "graph", dict))


def graph_from_nodes(schema: Schema, content: Mapping[str, Any]) -> Graph:
    """Make a graph from the result of `nodes_content`; ValueError if it is not a valid graph."""
    arrays = {
        name: _from_json(content, name, dtype)
        for name, dtype in _core.GRAPH_DTYPES.items()
        if name not in _OPTIONAL_ARRAYS or name in content
    }
    return Graph.from_arrays(schema, arrays)


def _from_json(content: Mapping[str, Any], name: str, dtype: np.dtype[Any]) -> NDArray[Any]:
    if dtype.names is None:
        return number_array(take(content, name, list), name, dtype)
    lists = take(content, name, dict)
    fields = {
        field: number_array(take(lists, field, list), field, dtype[field]) for field in dtype.names
    }
    lengths = {len(array) for array in fields.values()}
    if len(lengths) > 1:
        raise ValueError(f'the lists of its "{name}" differ in length: {sorted(lengths)}')
    records = np.empty(lengths.pop(), dtype=dtype)
    for field, array in fields.items():
        records[field] = array
    return records


def number_array(values: list[Any], name: str, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return a list of JSON numbers as an array; ValueError if one does not fit into the dtype."""
    if dtype.kind == "f":
        if not all(type(value) in (int, float) for value in values):
            raise ValueError(f'its "{name}" is not a list of numbers')
        return np.array(values, dtype=dtype)
    if not all(type(value) is int for value in values):
        raise ValueError(f'its "{name}" is not a list of whole numbers')
    limits = np.iinfo(dtype)
    if values and not (limits.min <= min(values) and max(values) <= limits.max):
        raise ValueError(f'its "{name}" holds a number outside {limits.min} to {limits.max}')
    return np.array(values, dtype=dtype)


register_kind("graph", graph_from_content)
