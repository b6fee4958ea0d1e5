"""The tests that docs/guarantees.md names exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "guarantees.md"


def test_every_promise_names_a_test_that_exists() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    for row in rows[1:]:
        names = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", row)
        assert names, row
        for path, function in names:
            tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
            defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
            assert not function or function in defined, f"{path}::{function}"
    assert len(rows) > 15
