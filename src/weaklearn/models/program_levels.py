"""The levels of a branching program: sizes and impurities, recorded while it was grown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from weaklearn.optional_packages import require_package

if TYPE_CHECKING:
    import pandas as pd

_COUNTS = ("nodes", "children", "next_nodes")
_IMPURITIES = ("grid_width", "before", "after", "merged")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Levels:
    """The levels of a program as it grew, one entry of each array per level.

    Impurities are sums of weight times impurity over nodes. The weights are scaled so that those
    of the nodes split on this level sum to 1.

    Parameters
    ----------
    nodes : array of int64
        Number of nodes that were split.
    children : array of int64
        Number of their children, pure ones included.
    next_nodes : array of int64
        Number of nodes that the impure children were merged into.
    grid_width : array of float64
        Number of cells of the grid, empty ones included; 0 without a grid.
    before, after, merged : array of float64
        The impurity before splitting, after splitting, and after merging.
    forced : array of bool
        Whether the level was split although the splits gain nothing.
    advantages : tuple of arrays of float64
        Per level the advantage of each split over guessing, with balanced classes at its node.
    """

    nodes: NDArray[np.int64]
    children: NDArray[np.int64]
    next_nodes: NDArray[np.int64]
    grid_width: NDArray[np.float64]
    before: NDArray[np.float64]
    after: NDArray[np.float64]
    merged: NDArray[np.float64]
    forced: NDArray[np.bool_]
    advantages: tuple[NDArray[np.float64], ...]

    def __len__(self) -> int:
        return len(self.nodes)

    def __repr__(self) -> str:
        return f"Levels({len(self)} levels, {self.nodes.sum()} splits)"

    @property
    def kept(self) -> NDArray[np.float64]:
        """The share of the gain of splitting that remains after merging; NaN if forced."""
        gained = np.where(self.forced, np.nan, self.before - self.after)
        return (self.before - self.merged) / gained

    def to_frame(self) -> pd.DataFrame:
        """Return the levels as a pandas frame.

        Returns
        -------
        pandas DataFrame
            One row per level; ``advantage`` is the mean over its splits.
        """
        require_package("pandas", "tables", "to_frame")
        import pandas as pd

        columns: dict[str, Any] = {"level": np.arange(1, len(self) + 1)}
        columns |= {
            name: getattr(self, name) for name in (*_COUNTS, *_IMPURITIES, "kept", "forced")
        }
        columns["advantage"] = [float(of_level.mean()) for of_level in self.advantages]
        return pd.DataFrame(columns)

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Make levels from arrays; ``advantages`` holds those of all splits of all levels.

        Raises
        ------
        ValueError
            If the lengths of the arrays do not fit together.
        """
        named: dict[str, Any] = {name: arrays[name].astype(np.int64) for name in _COUNTS}
        impurities: dict[str, Any] = {name: arrays[name].astype(np.float64) for name in _IMPURITIES}
        forced, advantages = arrays["forced"].astype(bool), arrays["advantages"].astype(np.float64)
        lengths = {len(array) for array in (*named.values(), *impurities.values(), forced)}
        if len(lengths) != 1 or (named["nodes"] < 1).any():
            raise ValueError("the arrays of its levels do not fit together")
        ends = np.cumsum(named["nodes"])
        if len(advantages) != (ends[-1] if len(ends) else 0):
            raise ValueError("its levels must have one advantage per node")
        by_level = tuple(np.split(advantages, ends[:-1])) if len(ends) else ()
        return cls(**named, **impurities, forced=forced, advantages=by_level)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the arrays as lists, by the names that `from_arrays` expects."""
        lists = {name: getattr(self, name).tolist() for name in (*_COUNTS, *_IMPURITIES)}
        lists["forced"] = self.forced.astype(int).tolist()
        lists["advantages"] = [gamma for level in self.advantages for gamma in level.tolist()]
        return lists
