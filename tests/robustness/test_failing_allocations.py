"""Calls of classifiers for which there is no memory raise MemoryError, and the next call works."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

HERE = Path(__file__).parent


# nanobind ends the process if its own tables of objects cannot grow. Without the GIL there are many
# small ones, and addresses decide when they grow.
@pytest.mark.skipif(
    bool(sysconfig.get_config_var("Py_GIL_DISABLED")), reason="tables of nanobind may not fail"
)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs LD_PRELOAD")
def test_allocations_of_the_core_fail(tmp_path: Path) -> None:
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        pytest.skip("needs a C++ compiler")
    library = tmp_path / "failing_new.so"
    source = HERE / "failing_new.cpp"
    subprocess.run(
        [compiler, "-std=c++17", "-shared", "-fPIC", source, "-o", library], check=True, timeout=600
    )
    # Every 40th allocation. All of them take a minute: fail_allocations.py LIBRARY 1.
    command = [sys.executable, HERE / "fail_allocations.py", library, "40"]
    done = subprocess.run(
        command, env={**os.environ, "LD_PRELOAD": str(library)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(done.stdout.splitlines()) == 14
