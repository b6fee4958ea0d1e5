"""From the text of a file to columns.

All text formats use this module, so that numbers, declared values and missing values mean the
same in each of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weaklearn.tables.column import MISSING_CODE, CategoryColumn, Column
from weaklearn.tables.messages import quote, quote_list
from weaklearn.tables.read_options import ReadOptions
from weaklearn.tables.source_file import SourceFile

Cells: TypeAlias = Sequence[str | None]
"""One text per row; None where the value is missing."""

Place: TypeAlias = Callable[[int], str]
"""Returns where a row is in its file, for messages: ``"line 7"``."""


def parse_number(text: str) -> float:
    """Return the number that a text represents, or NaN if it is not a number.

    Python's ``float`` alone would also accept ``1_000`` and the digits of other scripts.
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
        One text per row; None where the value is missing.
    kind : {"continuous", "nominal", "undeclared"}
        What the file declares. An undeclared column is continuous if it holds only numbers.
    values : tuple of str or None
        The declared values of a nominal column; None: the values that occur, sorted.
    parse : callable
        Returns the number of a continuous cell, or NaN if it cannot be read.
    expected : str
        What a cell that cannot be read should have been, for the message.
    """

    name: str
    cells: Cells
    kind: Literal["continuous", "nominal", "undeclared"]
    values: tuple[str, ...] | None = None
    parse: Callable[[str], float] = parse_number
    expected: str = "a number"

    def to_column(self, source: SourceFile, place: Place, options: ReadOptions) -> Column:
        """Convert the cells to the kind that the caller or the file declares."""
        if self.name in options.continuous:
            return self._to_numbers(source, place)
        if self.name in options.nominal and self.kind == "continuous":
            # Equal numbers must become one value, for example 1 and 1.0.
            texts = numbers_as_text(self._to_numbers(source, place))
            return self._to_categories(source, place, texts)
        if (
            self.kind == "nominal"
            or self.name in options.nominal
            or (self.kind == "undeclared" and not self._holds_only_numbers())
        ):
            return self._to_categories(source, place, self.cells)
        hint = (
            "" if self.kind == "continuous" else f" (to read it as text: nominal=[{self.name!r}])"
        )
        return self._to_numbers(source, place, hint)

    def _holds_only_numbers(self) -> bool:
        distinct = dict.fromkeys(self.cells)
        return not any(text is not None and math.isnan(self.parse(text)) for text in distinct)

    def _to_numbers(self, source: SourceFile, place: Place, hint: str = "") -> NDArray[np.float64]:
        # Most columns repeat their values, so each distinct text is parsed once.
        parsed = {text: math.nan if text is None else self.parse(text) for text in set(self.cells)}
        numbers = np.fromiter(map(parsed.__getitem__, self.cells), float, len(self.cells))
        for row in np.flatnonzero(~np.isfinite(numbers)).tolist():
            text = self.cells[row]
            if text is not None:
                expected = self.expected if math.isnan(numbers[row]) else "a finite number"
                raise source.error(
                    f"got {quote(text)}, expected {expected}{hint}",
                    at=place(row),
                    column=self.name,
                )
        return numbers

    def _to_categories(self, source: SourceFile, place: Place, cells: Cells) -> CategoryColumn:
        values = self.values
        if values is None:
            values = _sort_texts({text for text in cells if text is not None})
        code_of: dict[str | None, int] = {value: code for code, value in enumerate(values)}
        code_of[None] = MISSING_CODE
        try:
            codes = np.fromiter(map(code_of.__getitem__, cells), np.int32, len(cells))
        except KeyError:
            row, text = next((r, t) for r, t in enumerate(cells) if t not in code_of)
            raise source.error(
                f"got {quote(text)}, expected one of the declared values {quote_list(values)}",
                at=place(row),
                column=self.name,
            ) from None
        return CategoryColumn(codes, values, declared=True)


def _sort_texts(values: set[str]) -> tuple[str, ...]:
    """Sort texts as numbers if all of them are numbers, otherwise as texts."""
    number_of = {value: parse_number(value) for value in values}
    if any(math.isnan(number) for number in number_of.values()):
        return tuple(sorted(values))
    return tuple(sorted(values, key=lambda value: (number_of[value], value)))


def numbers_as_text(numbers: NDArray[np.float64]) -> list[str | None]:
    """Write each number as text, a whole one without a fraction; None where it is missing."""
    return [
        None if math.isnan(number) else str(int(number)) if number.is_integer() else repr(number)
        for number in numbers.tolist()
    ]
