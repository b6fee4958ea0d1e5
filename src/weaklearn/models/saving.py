"""Save models in versioned files and load them again, also from untrusted files.

A file holds ``{"format": "weaklearn", "version": 2, "kind": ..., ...}``, as JSON or in the binary
form of `binary_file`. Each kind of model registers its loader with `register_kind`. Models that
hold graphs call `graphs_content` and `graphs_from_content` of `graph_content`.
"""

from __future__ import annotations

import gzip
import json
import math
import os
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, TypeVar

from weaklearn.files import write_atomically
from weaklearn.models.binary_file import MAGIC, binary_document, newer_version, read_binary
from weaklearn.models.file_content import plain, take

FORMAT = "weaklearn"
#: The version of the content. This weaklearn reads all versions up to it.
VERSION = 2
#: The largest text that is loaded; a small compressed file could otherwise fill the memory.
MAX_BYTES = 1 << 30

Loader = Callable[[dict[str, Any]], Any]
_LOADERS: dict[str, Loader] = {}
_T = TypeVar("_T")


def _json_document(content: Mapping[str, Any]) -> bytes:
    return json.dumps(plain(content), allow_nan=False, separators=(",", ":")).encode("ascii")


def _compressed_document(content: Mapping[str, Any]) -> bytes:
    return gzip.compress(_json_document(content), mtime=0)


#: The forms of a model file by the suffix of its name. `load` recognises them by their content.
FORMS: dict[str, Callable[[Mapping[str, Any]], bytes]] = {
    ".wl": binary_document,
    ".json": _json_document,
    ".json.gz": _compressed_document,
}


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
        Its suffix, one of `FORMS`, chooses the form. An existing file is replaced.
    kind : str
        The kind of model, by which `load` finds the loader.
    content : mapping
        What the loader needs: values for JSON, and arrays of finite numbers.
    """
    target = Path(path)
    check_model_path(target)
    form = next(form for suffix, form in FORMS.items() if target.name.endswith(suffix))
    write_atomically(target, form({"format": FORMAT, "version": VERSION, "kind": kind, **content}))


def check_model_path(path: Path) -> None:
    """Raise a ValueError if the name of a file does not end in a suffix of `FORMS`."""
    if not path.name.endswith(tuple(FORMS)):
        *others, last = FORMS
        raise ValueError(
            f"cannot save to {str(path)!r}: name a file that ends in {', '.join(others)} or {last}"
        )


def load(path: str | os.PathLike[str]) -> Any:
    """Load a model from a file.

    Loading runs no code from the file, and every index in it is checked, so a file from an
    untrusted source can do no harm.

    Parameters
    ----------
    path : path
        A file that ``save`` wrote, in any form and by this version of weaklearn or an earlier one.

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
    return read_model(path, _model_of)


def read_model(path: str | os.PathLike[str], make: Callable[[dict[str, Any]], _T]) -> _T:
    """Read the content of a file, and make something of it; a LoadError says what is wrong.

    Parameters
    ----------
    path : path
        The file.
    make : callable
        Takes the content; raises ValueError, with the reason, if it is not valid.
    """
    source = Path(path)
    try:
        return make(_content_of(source))
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


def _content_of(source: Path) -> dict[str, Any]:
    with open(source, "rb") as file:
        if file.read(len(MAGIC)) == MAGIC:
            content: Any = read_binary(file, _parsed)
        else:
            file.seek(0)
            content = _parsed(_read_text(file))
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ValueError(f'it is not a weaklearn model: no "format": "{FORMAT}" at its start')
    _check_version(content)
    return content


def _read_text(file: BinaryIO) -> bytes:
    compressed = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    stream = gzip.GzipFile(fileobj=file) if compressed else file
    chunks: list[bytes] = []
    size = 0
    while chunk := stream.read(1 << 20):
        chunks.append(chunk)
        size += len(chunk)
        if size > MAX_BYTES:
            raise ValueError(f"it holds more than {MAX_BYTES:,} bytes of text")
    return b"".join(chunks)


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(
            data.decode("utf-8"), parse_constant=_refuse_constant, parse_float=_finite
        )
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"it is not JSON ({error})") from error


def _refuse_constant(token: str) -> NoReturn:
    raise ValueError(f"it holds {token}, which is not a number")


def _finite(token: str) -> float:
    value = float(token)
    if not math.isfinite(value):
        raise ValueError(f"it holds {token}, which is too large a number")
    return value


def _model_of(document: dict[str, Any]) -> Any:
    kind = take(document, "kind", str)
    if kind not in _LOADERS:
        raise ValueError(f"it holds a {kind!r}; known kinds are {', '.join(sorted(_LOADERS))}")
    return _LOADERS[kind](document)


def _check_version(document: dict[str, Any]) -> None:
    version = take(document, "version", int)
    if version > VERSION:
        raise ValueError(newer_version(version, VERSION))
    if version < 1:
        raise ValueError(f'its "version" is {version}, and versions count from 1')
