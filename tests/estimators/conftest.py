"""Fixtures of the tests of estimators."""

from __future__ import annotations

from typing import Any

import pytest

from weaklearn.boosting import adaboost_m1_loop as boosting


@pytest.fixture
def weights_seen(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return a list that receives the weights of each round of boosting, kept or dropped."""
    seen: list[Any] = []
    error = boosting.Distribution.error

    def record(distribution: Any, wrong: Any) -> float:
        seen.append(distribution.weights)
        return error(distribution, wrong)

    monkeypatch.setattr(boosting.Distribution, "error", record)
    return seen
