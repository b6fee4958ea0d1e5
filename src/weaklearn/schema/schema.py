"""What a table's columns are: the attributes in order, and the class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Label = str | int | float | bool
Kind = Literal["continuous", "nominal"]


@dataclass(frozen=True, slots=True)
class Attribute:
    """One described column.

    Parameters
    ----------
    name : str
        The column's name.
    kind : {"continuous", "nominal"}
        Whether its values are numbers to be ordered or names to be told apart.
    values : tuple of labels
        The declared values of a nominal attribute, in order; values that never occur count.
    precision : {"single", "double"}
        How a continuous attribute is compared with a threshold. C4.5 keeps values in single
        precision; double is used where single would make two different values equal.
    """

    name: str
    kind: Kind
    values: tuple[Label, ...] = ()
    precision: Literal["single", "double"] = "single"


@dataclass(frozen=True, slots=True)
class Schema:
    """The ordered attributes of a table, and its class.

    Parameters
    ----------
    attributes : tuple of Attribute
        One per column, in the table's order.
    classes : tuple of labels
        The declared classes, in order; classes that never occur count.
    target : str or None
        The name of the class column, where there is one.
    """

    attributes: tuple[Attribute, ...]
    classes: tuple[Label, ...] = ()
    target: str | None = None

    @property
    def names(self) -> list[str]:
        """The attributes' names, in order."""
        return [attribute.name for attribute in self.attributes]


