"""Fixtures of the tests of estimators."""

from __future__ import annotations

from typing import Any

import pytest

from weaklearn.boosting.distribution import Distribution


@pytest.fixture
def weights_seen(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return a list that receives the weights of each round of boosting, kept or dropped."""
    seen: list[Any] = []
    error = Distribution.error

    def record(distribution: Any, learned: Any) -> float:
        seen.append(distribution.rows.weights)
        return error(distribution, learned)

    monkeypatch.setattr(Distribution, "error", record)
    return seen
