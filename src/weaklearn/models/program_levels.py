"""What growing a branching program was like, level by level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

_COUNTS = ("nodes", "children", "next_nodes")
_INDICES = ("grid_width", "before", "after", "merged")


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """The levels of a program as it grew, one entry of each array per level.

    An index is the sum of weight times impurity over nodes, the weights scaled so that those of the
    nodes split on this level sum to 1.

    Parameters
    ----------
    nodes : array of int64
        Nodes that were split.
    children : array of int64
        Their children, pure ones included.
    next_nodes : array of int64
        What the children that are not pure were merged into.
    grid_width : array of float64
        Cells of the grid, empty ones included; 0 where there was none.
    before, after, merged : array of float64
        The index before splitting, after it, and after merging.
    forced : array of bool
        Whether the level was split though that gains nothing.
    advantages : tuple of arrays of float64
        Per level the advantage of each split over guessing on the balanced classes of its node.
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

    @property
    def kept(self) -> NDArray[np.float64]:
        """The share of what splitting gained that is left after merging; NaN if forced."""
        gained = np.where(self.forced, np.nan, self.before - self.after)
        return (self.before - self.merged) / gained

    def to_frame(self) -> pd.DataFrame:
        """Give the levels as a pandas frame.

        Returns
        -------
        pandas DataFrame
            A row per level; ``advantage`` is the mean over its splits.
        """
        import pandas as pd

        columns: dict[str, Any] = {"level": np.arange(1, len(self) + 1)}
        columns |= {name: getattr(self, name) for name in (*_COUNTS, *_INDICES, "kept", "forced")}
        columns["advantage"] = [float(of_level.mean()) for of_level in self.advantages]
        return pd.DataFrame(columns)

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Make levels from arrays, ``advantages`` being that of all splits in one.

        Raises
        ------
        ValueError
            If they do not belong together.
        """
        named: dict[str, Any] = {name: arrays[name].astype(np.int64) for name in _COUNTS}
        indices: dict[str, Any] = {name: arrays[name].astype(np.float64) for name in _INDICES}
        forced, advantages = arrays["forced"].astype(bool), arrays["advantages"].astype(np.float64)
        lengths = {len(array) for array in (*named.values(), *indices.values(), forced)}
        if len(lengths) != 1 or (named["nodes"] < 1).any():
            raise ValueError("the arrays of its levels do not belong together")
        ends = np.cumsum(named["nodes"])
        if len(advantages) != (ends[-1] if len(ends) else 0):
            raise ValueError("its levels need one advantage per node")
        by_level = tuple(np.split(advantages, ends[:-1])) if len(ends) else ()
        return cls(**named, **indices, forced=forced, advantages=by_level)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the arrays as lists; what `from_arrays` takes as arrays."""
        lists = {name: getattr(self, name).tolist() for name in (*_COUNTS, *_INDICES)}
        lists["forced"] = self.forced.astype(int).tolist()
        lists["advantages"] = [gamma for level in self.advantages for gamma in level.tolist()]
        return lists
