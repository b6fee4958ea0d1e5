"""Saving a model as versioned JSON, and loading it again, even from a stranger.

A file is ``{"format": "weaklearn", "version": 1, "kind": ..., ...}``. Each kind of model brings its
own loader with `register_kind`; a graph's is below, and models that hold graphs reuse
`graph_content` and `graph_from_content`.
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

from weaklearn.files import write_atomically
from weaklearn.models.graph import Graph
from weaklearn.models.oblique_terms import PER_NODE, TERM_ARRAYS
from weaklearn.schema import Schema

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from weaklearn.schema import Label

FORMAT = "weaklearn"
VERSION = 1
#: No model is larger; a small compressed file could otherwise fill the memory.
MAX_BYTES = 1 << 30

Loader = Callable[[dict[str, Any]], Any]
_LOADERS: dict[str, Loader] = {}
_T = TypeVar("_T")

# One entry per node, then one per branch, value and class. Terms are left out where there are none.
_PER_NODE: dict[str, np.dtype[Any]] = {
    "test": np.dtype(np.uint8),
    "attribute": np.dtype(np.int32),
    "label": np.dtype(np.int32),
    "threshold": np.dtype(np.float64),
    "weight": np.dtype(np.float64),
    "errors": np.dtype(np.float64),
    "first_branch": np.dtype(np.uint32),
    "n_branches": np.dtype(np.uint32),
    "first_value": np.dtype(np.uint32),
    "n_values": np.dtype(np.uint32),
    "first_class": np.dtype(np.uint32),
    "n_classes": np.dtype(np.uint32),
}
_PER_BRANCH_VALUE_CLASS: dict[str, np.dtype[Any]] = {
    "branches": np.dtype(np.uint32),
    "flow": np.dtype(np.float64),
    "value_branch": np.dtype(np.int32),
    "class_index": np.dtype(np.int32),
    "class_weight": np.dtype(np.float64),
}
#: The arrays of a graph.
ARRAYS = {**_PER_NODE, **_PER_BRANCH_VALUE_CLASS, **TERM_ARRAYS}


class LoadError(ValueError):
    """A file that holds no model this version can use; says which file, and why."""


def register_kind(kind: str, loader: Loader) -> None:
    """Teach `load` a kind of model.

    Parameters
    ----------
    kind : str
        The name that `write` puts into the file.
    loader : callable
        Makes the model from the file's content; raises ValueError, with the reason, if it cannot.
        `take` helps to check the content.
    """
    if _LOADERS.setdefault(kind, loader) is not loader:
        raise ValueError(f"the kind {kind!r} has a loader already")


def write(path: str | os.PathLike[str], kind: str, content: Mapping[str, Any]) -> None:
    """Write a model's content to a file, wholly or not at all.

    Parameters
    ----------
    path : path
        Ends in ``.json``, or in ``.json.gz`` to compress it. A file of that name is replaced.
    kind : str
        The kind of model, for `load` to find the loader.
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

    Loading runs no code from the file, and every index in it is checked.

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
        Whatever is wrong with the file; a ValueError that names the file and the reason.

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
    """Return an entry of a file's content, checked to be there and of the type expected."""
    if name not in content:
        raise ValueError(f'its "{name}" is missing')
    value = content[name]
    # JSON's true is no integer, though Python's is.
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
    """Return a graph without its schema, ready for JSON."""
    arrays = graph.core.arrays()
    left_out = () if len(arrays["term_form"]) else TERM_ARRAYS
    return {name: arrays[name].tolist() for name in ARRAYS if name not in left_out}


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
    """Make a graph from what `graph_content` gave; ValueError if it does not hold together."""
    schema = Schema.from_dict(take(content, "schema", dict))
    return graph_from_nodes(schema, take(content, "graph", dict))


def graph_from_nodes(schema: Schema, stored: Mapping[str, Any]) -> Graph:
    """Make a graph from what `nodes_content` gave; ValueError if it does not hold together."""
    left_out = TERM_ARRAYS if TERM_ARRAYS.keys().isdisjoint(stored) else ()
    arrays = {
        name: _array(take(stored, name, list), name, dtype)
        for name, dtype in ARRAYS.items()
        if name not in left_out
    }
    n_nodes = len(arrays["test"])
    for name in (*_PER_NODE, *PER_NODE):
        if name in arrays and len(arrays[name]) != n_nodes:
            raise ValueError(f'its "{name}" has {len(arrays[name])} entries for {n_nodes} nodes')
    return Graph.from_arrays(schema, arrays)


def _array(values: list[Any], name: str, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return a list of JSON numbers as an array: nothing wrapped round or cut off."""
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
