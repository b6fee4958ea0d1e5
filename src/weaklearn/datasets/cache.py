"""The folder of fetched tables: each an ARFF file with its SHA-256 beside it.

The sum is checked at every load, so that a file that was cut short or edited is never taken for
the table; both files appear only when whole.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from weaklearn.files import write_whole
from weaklearn.tables import Table

VARIABLE = "WEAKLEARN_CACHE"

_PLAIN_WORD = re.compile(r"[A-Za-z0-9_.+<>=/:;*-]+")


def cache_folder() -> Path:
    """Give the folder of fetched tables: ``WEAKLEARN_CACHE``, or the platform's cache folder."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "weaklearn"


def cached_file(name: str) -> Path:
    """Give the place of a table in the cache, whether it is there or not."""
    return cache_folder() / f"{name}.arff"


def is_whole(path: Path) -> bool:
    """Say whether the file is there and is, byte for byte, what was fetched."""
    recorded = _sum_file(path)
    if not (path.is_file() and recorded.is_file()):
        return False
    words = recorded.read_text(encoding="utf-8").split()
    return bool(words) and words[0] == hashlib.sha256(path.read_bytes()).hexdigest()


def store(table: Table, path: Path) -> None:
    """Write the table and its sum, each in one step, the sum last."""
    content = "".join(f"{line}\n" for line in arff_lines(table)).encode("utf-8")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content)
    digest = hashlib.sha256(content).hexdigest()
    # The line that `sha256sum --check` reads.
    write_whole(_sum_file(path), f"{digest}  {path.name}\n".encode())


def arff_lines(table: Table) -> Iterator[str]:
    """Give the table as the lines of an ARFF file, the class last."""
    frame = table.X if table.y is None else table.X.assign(**{str(table.y.name): table.y})
    for note in table.notes:
        yield f"% {note}"
    yield f"@relation {_quoted(table.name)}"
    columns: list[list[str]] = []
    for name in frame.columns:
        column = frame[name]
        missing = column.isna().tolist()
        if str(column.dtype) == "category":
            declared = [_quoted(str(value)) for value in column.cat.categories]
            yield f"@attribute {_quoted(str(name))} {{{','.join(declared)}}}"
            cells = [declared[code] if code >= 0 else "?" for code in column.cat.codes]
        else:
            yield f"@attribute {_quoted(str(name))} numeric"
            # repr is the shortest text that reads back as the same number.
            numbers = column.tolist()
            cells = [
                "?" if gone else repr(float(number)).removesuffix(".0")
                for number, gone in zip(numbers, missing, strict=True)
            ]
        columns.append(cells)
    yield "@data"
    for row in zip(*columns, strict=True):
        yield ",".join(row)


def _quoted(text: str) -> str:
    if _PLAIN_WORD.fullmatch(text):
        return text
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _sum_file(path: Path) -> Path:
    return path.with_name(path.name + ".sha256")
