"""Tables in a folder of the user's own, which come before every other source."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from weaklearn.datasets.catalogue import DatasetError

VARIABLE = "WEAKLEARN_DATA"

# ARFF first: it declares its types, so nothing has to be inferred.
_SUFFIXES = (".arff", ".names", ".csv", ".tsv", ".parquet")
_ENDINGS = tuple(suffix + zipped for suffix in _SUFFIXES for zipped in ("", ".gz"))

_INDEX = "INDEX"  # describes the folder's tables and is none of them


def data_folder() -> Path | None:
    """Give the folder of tables: ``WEAKLEARN_DATA``, or one that lies beside a checkout.

    The second is a convenience for those who work on the package itself: it is looked for only
    where this file belongs to a source tree, never beside an installed package.
    """
    chosen = os.environ.get(VARIABLE)
    if chosen:
        folder = Path(chosen).expanduser()
        if not folder.is_dir():
            raise DatasetError(
                f"{VARIABLE} is {chosen!r}, which is not a folder: point it at a folder of "
                f"tables, or unset it"
            )
        return folder
    checkout = Path(__file__).resolve().parents[3]
    beside = checkout.parent / "shared" / "data"
    return beside if (checkout / "pyproject.toml").is_file() and beside.is_dir() else None


def find_file(name: str, part: str | None = None) -> Path | None:
    """Give the folder's file of a table, or of its ``part`` ("test"), or None."""
    folder = data_folder()
    if folder is None or Path(name).name != name:
        return None
    stem = name if part is None else f"{name}.{part}"
    candidates = [folder / (stem + ending) for ending in _ENDINGS]
    if part is not None and (folder / f"{name}.names").is_file():
        candidates.append(folder / stem)
    return next((path for path in candidates if path.is_file()), None)


def files() -> Iterator[tuple[str, Path]]:
    """Give the name and the file of every table of the folder; test parts are not listed."""
    folder = data_folder()
    if folder is None:
        return
    seen: set[str] = set()
    for path in sorted(folder.iterdir()):
        ending = next((e for e in _ENDINGS if path.name.endswith(e)), None)
        if ending is None or not path.is_file():
            continue
        name = path.name[: -len(ending)]
        if name.endswith(".test") or name in seen or name == _INDEX:
            continue
        seen.add(name)
        # The same choice as load's, where a table is there in two formats.
        yield name, find_file(name) or path
