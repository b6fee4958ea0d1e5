"""Find the outputs of original programs and the tables that they were made from.

A part of them is in the repository, in ``tests/references``. The others are used where a folder
``shared`` lies beside the checkout.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

import weaklearn as wl
from weaklearn.tables import Table

EMBEDDED = Path(__file__).resolve().parent / "references"
SHARED = Path(__file__).resolve().parents[2] / "shared"
#: Folders with the outputs of C4.5 Release 8 and of its rule generator, and folders with the
#: tables. The first match counts.
OUTPUTS = {
    program: (EMBEDDED / program, SHARED / "reference" / program)
    for program in ("c45r8", "c45rules")
}
TABLES = (EMBEDDED / "data", SHARED / "data")
ALL_OUTPUTS_PRESENT = all(folders[1].is_dir() for folders in OUTPUTS.values())


def reference_names(program: str = "c45r8") -> list[str]:
    """Return the names of all tables with stored outputs of a program."""
    return sorted({path.stem for folder in OUTPUTS[program] for path in folder.glob("*.json")})


def read_reference(name: str, program: str = "c45r8") -> dict[str, Any]:
    """Read the outputs of a program for one table."""
    record: dict[str, Any] = json.loads(_first(OUTPUTS[program], f"{name}.json").read_text())
    return record


def source_path(record: dict[str, Any]) -> Path:
    """Return the file that a reference was made from.

    A file outside the repository may be absent or changed; the test is then skipped.
    """
    path = _first(TABLES, record["source_file"])
    if not path.is_file():
        pytest.skip(f"{path.name} (../shared/data) is absent")
    if hashlib.sha256(path.read_bytes()).hexdigest() != record["source_sha256"]:
        message = f"{path} is not the file that the reference was made from"
        assert EMBEDDED not in path.parents, message
        pytest.skip(message)
    return path


def read_source(record: dict[str, Any]) -> Table:
    """Read the table that a reference was made from."""
    return wl.read(source_path(record))


def _first(folders: tuple[Path, ...], name: str) -> Path:
    return next(
        (folder / name for folder in folders if (folder / name).is_file()), folders[0] / name
    )
