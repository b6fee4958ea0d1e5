"""The data and the reference outputs that lie beside the checkout, where they are there."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

import weaklearn as wl
from weaklearn.tables import Table

SHARED = Path(__file__).resolve().parents[2] / "shared"
REFERENCE = SHARED / "reference" / "c45r8"

needs_reference = pytest.mark.skipif(
    not (REFERENCE / "README.md").is_file(),
    reason="the outputs of the original program (../shared/reference/c45r8) are absent",
)


def reference_names() -> list[str]:
    return sorted(path.stem for path in REFERENCE.glob("*.json"))


def read_reference(name: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((REFERENCE / f"{name}.json").read_text())
    return record


def read_source(record: dict[str, Any]) -> Table:
    """The table a reference was made from; skips if it is absent or another one."""
    path = SHARED / "data" / record["source_file"]
    if not path.is_file():
        pytest.skip(f"{path.name} (../shared/data) is absent")
    if hashlib.sha256(path.read_bytes()).hexdigest() != record["source_sha256"]:
        pytest.skip(f"{path.name} is not the file that the reference was made from")
    return wl.read(path)
