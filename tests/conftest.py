"""Settings for all tests, such as the folder of tables by name; a browser for pages."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import Phase, settings

from shared import SHARED

if (SHARED / "data").is_dir():
    os.environ.setdefault("WEAKLEARN_DATA", str(SHARED / "data"))

# A test must not fail because the machine is busy.
settings.register_profile("no deadline", deadline=None)
# Mutation testing asks only whether a test fails, so failing examples are not made smaller.
_PHASES = [Phase.explicit, Phase.reuse, Phase.generate]
settings.register_profile("mutation", deadline=None, phases=_PHASES)
settings.load_profile("no deadline")

_BROWSERS = ("chromium", "chromium-browser", "chromium-headless-shell")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Start a browser without a window; tests that need it are skipped if there is none."""
    chromium = next((path for name in _BROWSERS if (path := shutil.which(name))), None)
    if chromium is None:
        pytest.skip("chromium is absent")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is absent")
    with playwright.sync_playwright() as started:
        program = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield program
        program.close()
