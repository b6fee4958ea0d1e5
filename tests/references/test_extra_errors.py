"""Compare the extra errors of pessimistic pruning with those of the original routine."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from shared import EMBEDDED
from weaklearn import _core


def stored_cases() -> list[tuple[float, float, float, float]]:
    """Return confidence in percent, weight, errors and extra errors of each stored case."""
    with (EMBEDDED / "c45r8" / "adderrs.csv").open() as file:
        return [
            (float(row["CF_percent"]), float(row["N"]), float(row["e"]), float(row["extra_errors"]))
            for row in csv.DictReader(file)
        ]


def test_double_is_close_to_the_original() -> None:
    cases = stored_cases()
    assert len(cases) > 4000
    for percent, n, e, stored in cases:
        ours = _core.extra_errors(percent / 100, n, e)
        assert ours == pytest.approx(stored, rel=1e-5, abs=1e-5), (percent, n, e)


def test_release8_equals_the_original_to_the_last_bit() -> None:
    for percent, n, e, stored in stored_cases():
        ours = _core.extra_errors_release8(percent, n, e)
        assert np.float32(ours) == np.float32(stored), (percent, n, e)
