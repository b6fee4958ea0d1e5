"""Nominal columns from which a model learns something that its user does not expect."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.tables.column import Label
from weaklearn.tables.dates import find_form
from weaklearn.tables.messages import quote
from weaklearn.tables.missing_values import parse_number

_LEAST_VALUES = 10
_MOST_ODD_VALUES = 10
#: The least share of rows that a rule about most of the rows asks for.
SHARE_OF_NUMBERS = 0.9
_SHARE_OF_VALUES = 0.2
#: A rule applies if what it found would happen by chance with less than this probability.
_LOG_CHANCE = math.log(1e-9)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?")
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")


class LabelCounts:
    """How many rows have each value of a nominal column, and which classes these rows have.

    Parameters
    ----------
    n_values, n_classes : int
        The number of values and of classes.
    """

    def __init__(self, n_values: int, n_classes: int) -> None:
        self.n_rows_of = np.zeros(n_values, dtype=np.int64)
        self.n_rows_of_class = np.zeros(n_classes, dtype=np.int64)
        self._least = np.full(n_values, n_classes, dtype=np.int32)
        self._greatest = np.full(n_values, -1, dtype=np.int32)

    def add(self, codes: NDArray[Any], classes: NDArray[np.integer[Any]]) -> None:
        """Add rows; a code that is not that of a value means missing."""
        known = codes < len(self.n_rows_of)
        codes, classes = codes[known].astype(np.intp), classes[known]
        self.n_rows_of += np.bincount(codes, minlength=len(self.n_rows_of))
        self.n_rows_of_class += np.bincount(classes, minlength=len(self.n_rows_of_class))
        np.minimum.at(self._least, codes, classes)
        np.maximum.at(self._greatest, codes, classes)

    def merge(self, other: LabelCounts) -> None:
        """Add the rows of another part of the column."""
        self.n_rows_of += other.n_rows_of
        self.n_rows_of_class += other.n_rows_of_class
        np.minimum(self._least, other._least, out=self._least)
        np.maximum(self._greatest, other._greatest, out=self._greatest)

    def determine_classes(self) -> bool:
        """Return whether all rows of a value have the same class, more than chance explains."""
        present = self.n_rows_of > 0
        is_determined = bool((self._least[present] == self._greatest[present]).all())
        n_values, n_classes = int(present.sum()), int((self.n_rows_of_class > 0).sum())
        return is_determined and n_classes > 1 and is_beyond_chance(self.n_rows_of_class, n_values)


def is_beyond_chance(n_rows_of_class: NDArray[np.integer[Any]], n_groups: int) -> bool:
    """Return whether groups of rows are hardly of one class each by chance."""
    n_rows = int(n_rows_of_class.sum())
    shares = n_rows_of_class / n_rows
    return (n_rows - n_groups) * math.log(float((shares**2).sum())) < _LOG_CHANCE


def problems_of_counts(
    name: str,
    values: tuple[Label, ...],
    counts: NDArray[np.integer[Any]],
    n_rows: int,
    determines: Callable[[], bool],
) -> Iterator[tuple[str, str]]:
    """Yield the problem of a nominal column, of which `counts` rows have each value."""
    n_values = int(np.count_nonzero(counts))
    if n_values <= 1:
        yield "constant", name
        return
    text_problem = _text_problem(name, values, counts) if n_values >= _LEAST_VALUES else None
    if text_problem is not None:
        yield text_problem, name
    elif n_values == n_rows:
        yield "key", name
    elif n_values > max(_SHARE_OF_VALUES * n_rows, _LEAST_VALUES):
        yield "many values", name
    elif determines():
        yield "determines", name


def labels_determine(
    codes: NDArray[np.integer[Any]], classes: NDArray[np.integer[Any]], n_values: int
) -> bool:
    """Return whether all rows of a value have the same class, more than chance explains."""
    class_of = np.zeros(int(codes.max()) + 1, dtype=classes.dtype)
    class_of[codes] = classes
    is_determined = bool((class_of[codes] == classes).all())
    return (
        is_determined
        and classes.min() < classes.max()
        and is_beyond_chance(np.bincount(classes), n_values)
    )


def _text_problem(
    column: str, values: tuple[Label, ...], counts: NDArray[np.integer[Any]]
) -> str | None:
    """Return the problem of a column whose texts are numbers or dates, apart from a few."""
    name = quote(column)
    present = [(v, int(n)) for v, n in zip(values, counts.tolist(), strict=True) if n]
    if not all(isinstance(value, str) for value, _ in present):
        return None
    total = sum(n for _, n in present)
    odd = [(str(v), n) for v, n in present if math.isnan(parse_number(str(v)))]
    if odd and _are_few(odd, total) and len(present) - len(odd) >= _LEAST_VALUES:
        listed = ", ".join(repr(text) for text, _ in odd)
        return (
            f"column {name} is nominal because of {listed}; its other values are numbers. If "
            f"these are missing: missing_values=[*wl.MISSING_TEXTS, {listed}]."
        )
    for pattern, mark, what in (
        (_THOUSANDS, "", "commas between thousands"),
        (_DECIMAL_COMMA, ".", "decimal commas"),
    ):
        written = [text for text, _ in odd if pattern.fullmatch(text)]
        rest = [(text, n) for text, n in odd if not pattern.fullmatch(text)]
        if written and _are_few(rest, total) and len(present) - len(rest) >= _LEAST_VALUES:
            listed = ", ".join(repr(text) for text, _ in rest)
            return (
                f"column {name} is nominal because its numbers have {what}: {written[0]!r}"
                f"{f', and because of {listed}' if rest else ''}. Write them without; in pandas: "
                f"X[{name}] = pandas.to_numeric(X[{name}].str.replace(',', {mark!r}), "
                "errors='coerce')."
            )
    return _date_problem(name, present, total)


def _are_few(odd: Sequence[tuple[str, int]], total: int) -> bool:
    """Return whether few rows have one of these texts, each with its number of rows."""
    n_rows = sum(n for _, n in odd)
    return n_rows <= (1 - SHARE_OF_NUMBERS) * total and len(odd) <= _MOST_ODD_VALUES


def _date_problem(name: str, present: Sequence[tuple[Label, int]], total: int) -> str | None:
    odd = [(str(value), n) for value, n in present if find_form([str(value)]) is None]
    if not odd or not _are_few(odd, total):
        return None
    listed = ", ".join(repr(text) for text, _ in odd)
    return (
        f"column {name} is nominal because of {listed}; its other values are dates. If these are "
        f"missing: missing_values=[*wl.MISSING_TEXTS, {listed}]."
    )
