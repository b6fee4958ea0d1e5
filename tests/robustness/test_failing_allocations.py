"""Calls of classifiers for which there is no memory raise MemoryError, and the next call works."""

from __future__ import annotations

import shutil
import sys
import sysconfig
from pathlib import Path

import pytest

from robustness.run_faults import fail_allocations


# nanobind ends the process if its own tables of objects cannot grow. Without the GIL there are many
# small ones, and addresses decide when they grow.
@pytest.mark.skipif(
    bool(sysconfig.get_config_var("Py_GIL_DISABLED")), reason="tables of nanobind may not fail"
)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs LD_PRELOAD")
def test_allocations_of_the_core_fail(tmp_path: Path) -> None:
    if shutil.which("c++") is None and shutil.which("g++") is None:
        pytest.skip("needs a C++ compiler")
    # All of them take a minute: run_faults.py.
    assert len(fail_allocations(tmp_path, 40)) == 14
