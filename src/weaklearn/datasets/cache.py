"""The folder of fetched tables: each is an ARFF file, with its SHA-256 in a second file.

The checksum is verified at every load, so a truncated or edited file is never used. Both files are
written atomically.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

from weaklearn.files import write_atomically
from weaklearn.tables import Table
from weaklearn.tables.write_arff import arff_lines

VARIABLE = "WEAKLEARN_CACHE"


def cache_folder() -> Path:
    """Return the folder of fetched tables: ``WEAKLEARN_CACHE``, or the platform's cache folder."""
    folder_name = os.environ.get(VARIABLE)
    if folder_name:
        return Path(folder_name).expanduser()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "weaklearn"


def cached_file(name: str) -> Path:
    """Return the path of a table in the cache; the file need not exist."""
    return cache_folder() / f"{name}.arff"


def is_intact(path: Path) -> bool:
    """Return whether the file exists and has the checksum that was recorded for it."""
    recorded = _checksum_file(path)
    if not (path.is_file() and recorded.is_file()):
        return False
    words = recorded.read_text(encoding="utf-8").split()
    return bool(words) and words[0] == hashlib.sha256(path.read_bytes()).hexdigest()


def store(table: Table, path: Path) -> None:
    """Write the table, then its checksum."""
    content = "".join(f"{line}\n" for line in arff_lines(table)).encode("utf-8")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, content)
    digest = hashlib.sha256(content).hexdigest()
    # `sha256sum --check` can read this line.
    write_atomically(_checksum_file(path), f"{digest}  {path.name}\n".encode())


def _checksum_file(path: Path) -> Path:
    return path.with_name(path.name + ".sha256")
