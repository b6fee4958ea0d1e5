"""When a committee of automatic size ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from weaklearn.boosting.automatic_size import MOST_MEMBERS, PATIENCE, RoundChoice


class Held:
    """Rows whose losses are given; the standard error of each rise is 0.1."""

    def __init__(self, losses: list[float]) -> None:
        self.losses = losses
        self.kept = np.nan

    def add(self, learned: Any, index: int, vote: float, calibration: Any) -> tuple[float, float]:
        self.current = self.losses[index]
        return self.current, self.current

    def keep_losses(self) -> None:
        self.kept = self.current

    def rise(self) -> tuple[float, float]:
        return self.current - self.kept, 0.01


def test_the_limits_are_those_of_the_docs() -> None:
    assert (MOST_MEMBERS, PATIENCE) == (1000, 50)


@pytest.mark.parametrize("metric", ["error", "log_loss"])
def test_rounds_settle_fifty_after_the_best(metric: Any) -> None:
    losses = [0.9, 0.5, 0.7, 0.3, 0.39, *[0.45] * 100]
    choice = RoundChoice(Held(losses), metric, np.ones(2))
    settled = []
    for _ in losses[:60]:
        choice.add(None, 1.0)  # type: ignore[arg-type]
        settled.append(choice.has_settled)
    assert settled.index(True) + 1 == 4 + 50
    # The last round that is not worse by more than the standard error.
    assert choice.chosen == 5
    assert choice.losses == losses[:60]
