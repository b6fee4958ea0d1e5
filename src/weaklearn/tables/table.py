"""A table: named columns and a class, with what the reader decided about them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from weaklearn.schema import Schema


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Named columns and a class, ready for every estimator.

    Parameters
    ----------
    name : str
        What the table is called.
    X : pandas.DataFrame
        The attributes. Continuous ones are ``float64``, nominal ones ``category`` whose
        categories are the declared values in declared order; missing is NaN in both.
    y : pandas.Series or None
        The class of each row, as ``category`` with the declared classes in declared order.
    notes : tuple of str
        What the reader decided that a person should know.

    Examples
    --------
    >>> import pandas as pd
    >>> from weaklearn.tables import Table
    >>> X = pd.DataFrame({"size": [1.0, 2.0], "colour": pd.Categorical(["red", "blue"])})
    >>> Table("marbles", X, pd.Series(["no", "yes"], name="rolls", dtype="category"))
    Table 'marbles': 2 rows, 1 continuous + 1 nominal attributes, target 'rolls' with 2 classes
    """

    name: str
    X: pd.DataFrame
    y: pd.Series | None = None
    notes: tuple[str, ...] = ()

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.X)

    @cached_property
    def schema(self) -> Schema:
        """The ordered attributes and the class."""
        from weaklearn.schema import Schema, infer_attributes
        from weaklearn.tables.frames import as_columns

        attributes = infer_attributes(as_columns(self.X))
        if self.y is None:
            return Schema(attributes)
        return Schema(attributes, tuple(self.y.cat.categories.tolist()), str(self.y.name))

    def __repr__(self) -> str:
        nominal = sum(str(dtype) == "category" for dtype in self.X.dtypes)
        text = (
            f"Table {self.name!r}: {self.n_rows} rows, "
            f"{self.X.shape[1] - nominal} continuous + {nominal} nominal attributes"
        )
        if self.y is None:
            return f"{text}, no target"
        return f"{text}, target {self.y.name!r} with {len(self.y.cat.categories)} classes"
