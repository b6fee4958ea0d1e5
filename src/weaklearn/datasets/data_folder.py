"""The user's own folder of tables, which `load` searches before every other source."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from weaklearn.datasets.catalogue import DatasetError
from weaklearn.tables.read import TABLE_SUFFIXES

VARIABLE = "WEAKLEARN_DATA"

_SUFFIXES = tuple(suffix + zipped for suffix in TABLE_SUFFIXES for zipped in ("", ".gz"))

_INDEX = "INDEX"  # a file of this name describes the folder's tables


def data_folder() -> Path | None:
    """Return the folder that the environment variable ``WEAKLEARN_DATA`` names, or None."""
    folder_name = os.environ.get(VARIABLE)
    if not folder_name:
        return None
    folder = Path(folder_name).expanduser()
    if not folder.is_dir():
        raise DatasetError(
            f"{VARIABLE} is {folder_name!r}, which is not a folder: set it to a folder of tables, "
            "or unset it"
        )
    return folder


def find_file(name: str, part: str | None = None) -> Path | None:
    """Return the folder's file of a table, or of its part "test"; None if there is no such file."""
    folder = data_folder()
    if folder is None or Path(name).name != name:
        return None
    stem = name if part is None else f"{name}.{part}"
    candidates = [folder / (stem + suffix) for suffix in _SUFFIXES]
    if part is not None and (folder / f"{name}.names").is_file():
        candidates.append(folder / stem)
    return next((path for path in candidates if path.is_file()), None)


def list_files() -> Iterator[tuple[str, Path]]:
    """Yield the name and the file of every table of the folder, without the test parts."""
    folder = data_folder()
    if folder is None:
        return
    seen: set[str] = set()
    for path in sorted(folder.iterdir()):
        suffix = next((suffix for suffix in _SUFFIXES if path.name.endswith(suffix)), None)
        if suffix is None or not path.is_file():
            continue
        name = path.name[: -len(suffix)]
        if name.endswith(".test") or name in seen or name == _INDEX:
            continue
        seen.add(name)
        # If a table is there in two formats, `find_file` chooses the one that `load` reads.
        yield name, find_file(name) or path
