"""A table: named columns and a class, with what the reader decided about them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from weaklearn.schema import Schema

_REST = "rest"


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Named columns and a class, ready for every estimator.

    Parameters
    ----------
    name : str
        What the table is called.
    X : pandas.DataFrame
        The features. Continuous ones are ``float64``, nominal ones ``category`` whose
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
        """Give the table with two classes: one of its classes, and all others as one.

        Parameters
        ----------
        label : label
            The class that stays.

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
            known = ", ".join(map(repr, classes))
            raise ValueError(f"there is no class {label!r} in {self.name!r}; expected {known}.")
        if label == _REST:
            raise ValueError(f"the class {_REST!r} cannot stay: so the others will be called.")
        import pandas as pd

        # A missing class stays missing: the row is of neither class.
        codes = (self.y != label).astype("int8").where(self.y.notna(), -1)
        binary = pd.Categorical.from_codes(codes.tolist(), categories=pd.Index([label, _REST]))
        note = f"class {label} against the rest"
        y = pd.Series(binary, index=self.y.index, name=self.y.name)
        return replace(self, name=f"{self.name}-{label}", y=y, notes=(*self.notes, note))

    def __repr__(self) -> str:
        nominal = sum(str(dtype) == "category" for dtype in self.X.dtypes)
        text = (
            f"Table {self.name!r}: {self.n_rows} rows, "
            f"{self.X.shape[1] - nominal} continuous + {nominal} nominal features"
        )
        if self.y is None:
            return f"{text}, no target"
        return f"{text}, target {self.y.name!r} with {len(self.y.cat.categories)} classes"
