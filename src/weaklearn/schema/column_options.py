"""What a user declares about the columns of a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from weaklearn.tables.missing_values import MissingValues, as_missing_values

ColumnNames = Iterable[str | int] | None


@dataclass(frozen=True, slots=True)
class ColumnOptions:
    """The parameters about columns that every classifier has.

    Parameters
    ----------
    nominal, continuous : names or positions
        Columns whose kind is given rather than inferred.
    ignore : names or positions
        Columns to leave out.
    missing_values : tuple of texts and numbers, or None
        The cells that are missing, as `weaklearn.tables.missing_values` explains.
    """

    nominal: Iterable[str | int] = ()
    continuous: Iterable[str | int] = ()
    ignore: Iterable[str | int] = ()
    missing_values: tuple[str | float, ...] | None = None

    @classmethod
    def from_parameters(
        cls, nominal: ColumnNames, continuous: ColumnNames, ignore: ColumnNames, missing_values: Any
    ) -> ColumnOptions:
        """Return the options of these parameters; None stands for the default."""
        as_missing_values(missing_values)  # raises an error for anything but a list
        values = None
        if missing_values is not None:
            plain = [v.item() if isinstance(v, np.generic) else v for v in missing_values]
            values = tuple(dict.fromkeys(v for v in plain if v is not None and v == v))
        return cls(nominal or (), continuous or (), ignore or (), values)

    @property
    def missing(self) -> MissingValues:
        """The cells that are missing."""
        return as_missing_values(self.missing_values)

    def or_those_of(self, other: ColumnOptions) -> ColumnOptions:
        """Return each option, or that of the other one where this one is not set."""
        own = self.missing_values
        return ColumnOptions(
            self.nominal or other.nominal,
            self.continuous or other.continuous,
            self.ignore or other.ignore,
            other.missing_values if own is None else own,
        )
