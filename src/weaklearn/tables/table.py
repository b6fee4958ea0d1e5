"""A table: named columns and a class, with notes about what the reader decided."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from weaklearn.tables.column import MISSING_CODE
from weaklearn.tables.messages import quote, quote_list

if TYPE_CHECKING:
    import pandas as pd

    from weaklearn.schema import Schema

_REST = "rest"


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Named columns and a class, as every estimator accepts them.

    Parameters
    ----------
    name : str
        The table's name.
    X : pandas.DataFrame
        The features. Continuous ones are ``float64``, dates ``datetime64``, nominal ones
        ``category`` whose categories are the declared values in declared order. A missing value is
        NaN or NaT.
    y : pandas.Series or None
        The class of each row, as ``category`` with the declared classes in declared order.
    notes : tuple of str
        Decisions of the reader that a user should know.

    Examples
    --------
    >>> import pandas as pd
    >>> from weaklearn.tables import Table
    >>> X = pd.DataFrame({"size": [1.0, 2.0], "colour": pd.Categorical(["red", "blue"])})
    >>> Table("marbles", X, pd.Series(["no", "yes"], name="rolls", dtype="category"))
    Table 'marbles': 2 rows, 1 continuous + 1 nominal features, target 'rolls' with 2 classes
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
        """The ordered features and the class."""
        from weaklearn.schema import Schema, infer_features
        from weaklearn.tables.frames import as_columns

        features = infer_features(as_columns(self.X))
        if self.y is None:
            return Schema(features)
        return Schema(features, tuple(self.y.cat.categories.tolist()), str(self.y.name))

    def one_versus_rest(self, label: Any) -> Table:
        """Return the table with two classes: one of its classes, and all others merged into one.

        Parameters
        ----------
        label : label
            The class to keep.

        Returns
        -------
        Table
            With the same features and the classes ``label`` and ``"rest"``, in this order.

        Examples
        --------
        >>> import weaklearn as wl
        >>> table = wl.datasets.load("wine")
        >>> table.one_versus_rest(table.schema.classes[0]).y.value_counts(sort=False).tolist()
        [59, 119]
        """
        if self.y is None:
            raise ValueError(f"table {self.name!r} has no class; read it with its target.")
        classes = self.y.cat.categories.tolist()
        if label not in classes:
            raise ValueError(
                f"table {self.name!r} has no class {label!r}; expected one of "
                f"{quote_list(classes)}."
            )
        if label == _REST:
            raise ValueError(
                f"the class {_REST!r} cannot be kept, because the merged classes get this name; "
                "rename the class first."
            )
        import pandas as pd

        # A row without a class belongs to neither of the two.
        codes = (self.y != label).astype("int8").where(self.y.notna(), MISSING_CODE)
        binary = pd.Categorical.from_codes(codes.tolist(), categories=pd.Index([label, _REST]))
        note = f"class {label} against the rest"
        y = pd.Series(binary, index=self.y.index, name=self.y.name)
        return replace(self, name=f"{self.name}-{label}", y=y, notes=(*self.notes, note))

    def __repr__(self) -> str:
        nominal = sum(str(dtype) == "category" for dtype in self.X.dtypes)
        text = (
            f"Table {quote(self.name)}: {self.n_rows} rows, "
            f"{self.X.shape[1] - nominal} continuous + {nominal} nominal features"
        )
        if self.y is None:
            return f"{text}, no target"
        return f"{text}, target {quote(self.y.name)} with {len(self.y.cat.categories)} classes"
