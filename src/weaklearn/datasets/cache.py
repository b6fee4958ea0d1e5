"""The folder of fetched tables: each is an ARFF file, with its SHA-256 in a second file.

The checksum is verified at every load, so a truncated or edited file is never used. Both files are
written atomically.
"""

from __future__ import annotations

import hashlib
import math
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from weaklearn.files import write_atomically
from weaklearn.tables import Table
from weaklearn.tables.column import MISSING_CODE, MISSING_TEXT

VARIABLE = "WEAKLEARN_CACHE"

_PLAIN_WORD = re.compile(r"[A-Za-z0-9_.+<>=/:;*-]+")


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


def arff_lines(table: Table) -> Iterator[str]:
    """Yield the lines of an ARFF file with the table, the class as its last attribute."""
    frame = table.X if table.y is None else table.X.assign(**{str(table.y.name): table.y})
    for note in table.notes:
        yield f"% {note}"
    yield f"@relation {_quote_word(table.name)}"
    columns: list[list[str]] = []
    for name in frame.columns:
        column = frame[name]
        if str(column.dtype) == "category":
            declared = [_quote_word(str(value)) for value in column.cat.categories]
            yield f"@attribute {_quote_word(str(name))} {{{','.join(declared)}}}"
            cells = [
                MISSING_TEXT if code == MISSING_CODE else declared[code]
                for code in column.cat.codes
            ]
        else:
            yield f"@attribute {_quote_word(str(name))} numeric"
            # repr is the shortest text that reads back as the same number.
            cells = [
                MISSING_TEXT if math.isnan(number) else repr(number).removesuffix(".0")
                for number in column.astype("float64").tolist()
            ]
        columns.append(cells)
    yield "@data"
    for row in zip(*columns, strict=True):
        yield ",".join(row)


def _quote_word(text: str) -> str:
    if _PLAIN_WORD.fullmatch(text):
        return text
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _checksum_file(path: Path) -> Path:
    return path.with_name(path.name + ".sha256")
