"""Random features at a node: SplitMix64 and a draw without replacement, written out plainly."""

from __future__ import annotations

from collections.abc import Iterator

_STEP = 0x9E3779B97F4A7C15
_WORD = 2**64


def _mixed(z: int) -> int:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % _WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % _WORD
    return z ^ (z >> 31)


def seed_of_child(seed: int, branch: int) -> int:
    """Return the seed of the node that this branch of a node leads to."""
    return _mixed((_mixed((seed + _STEP) % _WORD) + (branch + 1) * _STEP) % _WORD)


class SplitMix:
    """The generator of the core."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def next(self) -> int:
        self._state = (self._state + _STEP) % _WORD
        return _mixed(self._state)

    def coin(self) -> bool:
        return self.next() >> 63 == 1

    def uniform(self) -> float:
        return (self.next() >> 11) / 2**53  # in [0, 1)

    def below(self, bound: int) -> int:
        return int(self.uniform() * bound)


def drawn_features(seed: int, n_features: int) -> Iterator[int]:
    """Draw all features in random order: exchange each place with itself or a later one."""
    order, random = list(range(n_features)), SplitMix(seed)
    for place in range(n_features):
        other = place + random.below(n_features - place)
        order[place], order[other] = order[other], order[place]
        yield order[place]
