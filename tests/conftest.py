"""Settings for all tests: the folder of tables by name, if there is one beside the checkout."""

from __future__ import annotations

import os

from hypothesis import settings

from shared import SHARED

if (SHARED / "data").is_dir():
    os.environ.setdefault("WEAKLEARN_DATA", str(SHARED / "data"))

# A test must not fail because the machine is busy.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
