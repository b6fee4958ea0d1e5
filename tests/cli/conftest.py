"""A small table as a file, and a model fitted to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import GOLF, run_well


@pytest.fixture
def golf(tmp_path: Path) -> Path:
    path = tmp_path / "golf.csv"
    path.write_text(GOLF)
    return path


@pytest.fixture
def model(golf: Path) -> Path:
    path = golf.with_name("golf.json")
    run_well("fit", golf, "-o", path)
    return path
