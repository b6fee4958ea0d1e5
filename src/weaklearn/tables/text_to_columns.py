"""From the text of a file to columns.

All text formats use this module, so that numbers, declared values and missing values mean the
same in each of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weaklearn.tables.column import (
    MISSING_CODE,
    CategoryColumn,
    Column,
    DateColumn,
    as_categories,
    recode,
    sort_labels,
)
from weaklearn.tables.dates import DateForm, find_unit, parse_date
from weaklearn.tables.messages import quote, quote_list
from weaklearn.tables.missing_values import MissingValues, parse_number
from weaklearn.tables.read_options import ReadOptions
from weaklearn.tables.source_file import SourceFile
from weaklearn.tables.text_kind import as_bools, find_text_kind

Cells: TypeAlias = Sequence[str | None]
"""One text per row; None where the value is missing."""

Place: TypeAlias = Callable[[int], str]
"""Returns where a row is in its file, for messages: ``"line 7"``."""


@dataclass(frozen=True)
class TextColumn:
    """A column as the file has it.

    Parameters
    ----------
    name : str
        The column's name.
    cells : sequence of str or None
        One text per row; None where the value is missing.
    kind : {"continuous", "date", "nominal", "undeclared"}
        What the file declares. An undeclared column holds what `find_text_kind` finds in it.
    values : tuple of str or None
        The declared values of a nominal column; None: the values that occur, sorted.
    parse : callable
        Returns the number of a continuous cell or the seconds of a date, or NaN if the cell cannot
        be read.
    expected : str
        What a cell that cannot be read should have been, for the message.
    """

    name: str
    cells: Cells
    kind: Literal["continuous", "date", "nominal", "undeclared"]
    values: tuple[str, ...] | None = None
    parse: Callable[[str], float] = parse_number
    expected: str = "a number"

    def to_column(self, source: SourceFile, place: Place, options: ReadOptions) -> Column:
        """Convert the cells to the kind that the caller or the file declares."""
        if self.kind == "undeclared" or options.missing_is_given:
            column = replace(self, cells=self._known_cells(options.missing))
        else:
            column = self
        is_nominal = self.name in options.nominal
        if column.kind == "undeclared":
            return column._decide(source, place, is_nominal, self.name in options.continuous)
        if self.name in options.continuous:
            return column._to_numbers(source, place)
        if column.kind == "continuous" and is_nominal:
            # Equal numbers must become one value, for example 1 and 1.0.
            texts = numbers_as_text(column._to_numbers(source, place))
            return column._to_categories(source, place, texts)
        if column.kind == "date":
            seconds = column._to_numbers(source, place)
            dates = DateColumn(seconds, DateForm(unit=find_unit(seconds)))
            return as_categories(dates, self.name) if is_nominal else dates
        if column.kind == "nominal":
            return column._to_categories(source, place, column.cells)
        return column._to_numbers(source, place)

    def to_classes(self, source: SourceFile, place: Place, options: ReadOptions) -> Column:
        """Convert undeclared cells to classes: numbers stay exact, and dates are texts."""
        missing = replace(options.missing, numbers=frozenset())
        column = replace(self, cells=self._known_cells(missing))
        labels = {text for text in column.cells if text is not None}
        kind = "labels" if self.name in options.nominal else find_text_kind(labels)
        if kind == "bools":
            return column._to_bools(source, place)
        if kind != "numbers":
            return column._to_categories(source, place, column.cells)
        column._to_numbers(source, place)  # raises an error if a number is infinite
        number_of = {text: _exact_number(text) for text in labels}
        classes = sort_labels(set(number_of.values()))
        code_of = {label: code for code, label in enumerate(classes)}
        codes = [
            MISSING_CODE if text is None else code_of[number_of[text]] for text in column.cells
        ]
        return CategoryColumn(np.array(codes, dtype=np.int32), classes, declared=True)

    def _known_cells(self, missing: MissingValues) -> Cells:
        declared = self.kind != "undeclared"
        kept = {
            text: None if text is None or missing.holds_text(text, declared) else text
            for text in set(self.cells)
        }
        return [kept[text] for text in self.cells]

    def _decide(self, source: SourceFile, place: Place, nominal: bool, continuous: bool) -> Column:
        """Convert the cells to what they stand for, unless the caller declares it."""
        kind = find_text_kind({text for text in self.cells if text is not None})
        if kind == "bools" and not continuous:
            return self._to_bools(source, place)
        if isinstance(kind, DateForm) and not nominal:
            order = kind.order
            dates = replace(self, parse=lambda text: parse_date(text, order))
            return DateColumn(dates._to_numbers(source, place), kind)
        if nominal or (kind == "labels" and not continuous):
            return self._to_categories(source, place, self.cells)
        hint = "" if continuous else f" (to read it as text: nominal=[{self.name!r}])"
        return self._to_numbers(source, place, hint)

    def _to_bools(self, source: SourceFile, place: Place) -> CategoryColumn:
        texts = self._to_categories(source, place, self.cells)
        bools = as_bools(texts.labels)
        values = sort_labels(set(bools))
        codes = recode(texts.codes, [values.index(value) for value in bools], np.int32)
        return CategoryColumn(codes, values)

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
        return CategoryColumn(codes, values, declared=self.values is not None)


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


def _exact_number(text: str) -> int | float:
    """Return a whole number as an int, exact however large it is."""
    try:
        return int(text)
    except ValueError:
        number = parse_number(text)
        return int(number) if number.is_integer() else number
