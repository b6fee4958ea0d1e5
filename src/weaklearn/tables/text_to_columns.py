"""From the cells of a file to typed columns, and from typed columns to a Table.

Every reader ends here, so that a number, an undeclared value, a target and a missing class
mean the same in every format.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from weaklearn.tables.source_file import Source, listed, shown
from weaklearn.tables.table import Table

if TYPE_CHECKING:
    import pandas as pd

Cells = Sequence[str | None]
Place = Callable[[int], str]  # where a row is in its file, for messages


@dataclass(frozen=True)
class Numbers:
    """A continuous column; NaN is missing."""

    name: str
    numbers: NDArray[np.float64]


@dataclass(frozen=True)
class Names:
    """A nominal column: the declared values, and the code of each row (-1 is missing)."""

    name: str
    codes: NDArray[np.int32]
    values: tuple[str, ...]


@dataclass(frozen=True)
class Choices:
    """What the caller of ``read`` asked for."""

    target: str | Literal[False] | None = None
    nominal: frozenset[str] = frozenset()
    continuous: frozenset[str] = frozenset()

    def check(self, source: Source, names: Sequence[str], at: str = "") -> None:
        """Refuse names that the file does not have, and wishes that contradict each other."""
        if self.target is not False and len(names) < 2:
            raise source.error(
                f"got {len(names)} columns, expected at least one feature and the target", at=at
            )
        for name in (self.target or None, *sorted(self.nominal), *sorted(self.continuous)):
            if name is not None and name not in names:
                close = difflib.get_close_matches(name, names, n=3)
                hint = f"did you mean {listed(close)}? " if close else ""
                raise source.error(
                    f"there is no column {shown(name)}; {hint}It has {listed(names)}"
                )
        for name in sorted(self.nominal & self.continuous):
            raise source.error(f"column {shown(name)} is in both nominal= and continuous=")
        if self.target in self.continuous:
            raise source.error(
                f"the target {shown(str(self.target))} is in continuous=; it must hold classes"
            )

    def target_among(self, names: Sequence[str]) -> str | None:
        """Name the column that holds the class: the last one where nothing was asked for."""
        return None if self.target is False else self.target or names[-1]


def parse_number(text: str) -> float:
    """Read a decimal number; NaN stands for "not a number".

    Python's ``float`` alone would also take ``1_000`` and digits of other scripts.
    """
    if "_" in text or not text.isascii():
        return math.nan
    try:
        return float(text)
    except ValueError:
        return math.nan


@dataclass(frozen=True)
class TextColumn:
    """A column as the file has it.

    Parameters
    ----------
    name : str
        The column's name.
    cells : sequence of str or None
        One text per row, None where the value is missing.
    kind : {"continuous", "nominal", "guess"}
        What the file declares; "guess" means it declares nothing.
    values : tuple of str or None
        The declared values of a nominal column; None: those that occur, sorted.
    parse : callable
        How a continuous cell is read; it answers NaN for a text it cannot read.
    expected : str
        What such a cell should have been, for the message.
    """

    name: str
    cells: Cells
    kind: Literal["continuous", "nominal", "guess"]
    values: tuple[str, ...] | None = None
    parse: Callable[[str], float] = parse_number
    expected: str = "a number"

    def typed(self, source: Source, place: Place, choices: Choices) -> Numbers | Names:
        """Convert the cells to what the file or the caller says they are."""
        if self.name in choices.continuous:
            return self._numbers(source, place)
        if self.name in choices.nominal and self.kind == "continuous":
            # Declared numbers that are equal must stay equal: 1 and 1.0 are one value.
            texts = numbers_as_text(self._numbers(source, place).numbers)
            return self._names(source, place, texts)
        if (
            self.kind == "nominal"
            or self.name in choices.nominal
            or (self.kind == "guess" and not self._holds_only_numbers())
        ):
            return self._names(source, place, self.cells)
        hint = f" (to read it as names: nominal=[{self.name!r}])" if self.kind == "guess" else ""
        return self._numbers(source, place, hint)

    def _holds_only_numbers(self) -> bool:
        distinct = dict.fromkeys(self.cells)
        return not any(text is not None and math.isnan(self.parse(text)) for text in distinct)

    def _numbers(self, source: Source, place: Place, hint: str = "") -> Numbers:
        # Most columns repeat their values: each distinct text is parsed once.
        parsed = {text: math.nan if text is None else self.parse(text) for text in set(self.cells)}
        values = np.fromiter(map(parsed.__getitem__, self.cells), float, len(self.cells))
        for row in np.flatnonzero(~np.isfinite(values)).tolist():
            text = self.cells[row]
            if text is not None:
                expected = self.expected if math.isnan(values[row]) else "a finite number"
                raise source.error(
                    f"got {shown(text)}, expected {expected}{hint}",
                    at=place(row),
                    column=self.name,
                )
        return Numbers(self.name, values)

    def _names(self, source: Source, place: Place, cells: Cells) -> Names:
        values = self.values
        if values is None:
            values = _sorted_values({text for text in cells if text is not None})
        codes: dict[str | None, int] = {value: code for code, value in enumerate(values)}
        codes[None] = -1
        try:
            coded = np.fromiter(map(codes.__getitem__, cells), np.int32, len(cells))
        except KeyError:
            row, text = next((r, t) for r, t in enumerate(cells) if t not in codes)
            raise source.error(
                f"got {shown(str(text))}, expected one of the declared values {listed(values)}",
                at=place(row),
                column=self.name,
            ) from None
        return Names(self.name, coded, values)


def _sorted_values(values: set[str]) -> tuple[str, ...]:
    """Sort by number where every value is one, otherwise by text."""
    numbers = {value: parse_number(value) for value in values}
    if any(math.isnan(number) for number in numbers.values()):
        return tuple(sorted(values))
    return tuple(sorted(values, key=lambda value: (numbers[value], value)))


def numbers_as_text(values: NDArray[np.float64]) -> list[str | None]:
    """Write each number as a name: whole ones without a fraction, missing ones as None."""
    return [
        None if math.isnan(value) else str(int(value)) if value.is_integer() else repr(value)
        for value in values.tolist()
    ]


def check_names(source: Source, names: Sequence[str], at: str = "", hint: str = "") -> None:
    """Refuse a table of which two columns share a name."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise source.error(f"two columns are called {shown(name)}{hint}", at=at)
        seen.add(name)


def build_table(
    source: Source,
    name: str,
    columns: Sequence[Numbers | Names],
    target: str | None,
    place: Place,
    notes: Sequence[str],
) -> Table:
    """Put the typed columns together, the target apart if there is one."""
    import pandas as pd

    features = {
        column.name: column.numbers
        if isinstance(column, Numbers)
        else _categorical(column.codes, column.values)
        for column in columns
        if column.name != target
    }
    X = pd.DataFrame(features)
    if len(X) == 0:
        raise source.error("holds no rows; expected at least one")
    if target is None:
        return Table(name, X, None, tuple(notes))
    labels = _classes(next(column for column in columns if column.name == target))
    missing = np.flatnonzero(labels.codes < 0)
    if len(missing):
        raise source.error(
            f"the class is missing ({len(missing)} such rows in all); "
            "drop the rows without a class, or choose another target=",
            at=place(int(missing[0])),
            column=target,
        )
    return Table(name, X, pd.Series(labels, name=target), tuple(notes))


def _classes(column: Numbers | Names) -> pd.Categorical:
    """Give the labels; the classes of a numeric target are its distinct values in order."""
    if isinstance(column, Names):
        return _categorical(column.codes, column.values)
    known = ~np.isnan(column.numbers)
    classes = np.unique(column.numbers[known])
    codes = np.where(known, np.searchsorted(classes, column.numbers), -1)
    if np.all((np.abs(classes) <= 2.0**53) & (classes == np.trunc(classes))):
        classes = classes.astype(np.int64)
    return _categorical(codes, classes.tolist())


def _categorical(codes: NDArray[Any], values: Sequence[str | float]) -> pd.Categorical:
    import pandas as pd

    categories: Any = pd.Index(values)
    labels: pd.Categorical = pd.Categorical.from_codes(codes, categories=categories)
    return labels
