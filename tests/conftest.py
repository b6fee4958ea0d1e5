"""Settings for all tests: the folder of tables by name, if there is one beside the checkout."""

from __future__ import annotations

import os

from shared import SHARED

if (SHARED / "data").is_dir():
    os.environ.setdefault("WEAKLEARN_DATA", str(SHARED / "data"))
