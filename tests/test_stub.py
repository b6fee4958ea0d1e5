"""The stub of the compiled module says what the module offers now."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import weaklearn


def test_stub_is_current(tmp_path: Path) -> None:
    pytest.importorskip("nanobind", reason="nanobind, which writes the stub, is not installed")
    pytest.importorskip("ruff", reason="ruff, which formats the stub, is not installed")
    written = tmp_path / "_core.pyi"
    project = Path(__file__).resolve().parents[1]
    for command in (
        ["nanobind.stubgen", "-q", "-m", "weaklearn._core", "-o", str(written)],
        ["ruff", "format", "-q", "--config", str(project / "pyproject.toml"), str(written)],
    ):
        subprocess.run([sys.executable, "-m", *command], check=True, timeout=300)
    stored = Path(weaklearn.__file__).with_name("_core.pyi")
    assert written.read_text() == stored.read_text(), "out of date: type  make stub"
