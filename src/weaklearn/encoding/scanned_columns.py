"""What a first pass over a table learns of its columns, so that a second pass can encode them."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.schema import Feature, Label
from weaklearn.tables.column import (
    CategoryColumn,
    Column,
    DateColumn,
    as_categories,
    as_float64,
    recode,
    sort_labels,
)
from weaklearn.tables.dates import DateForm
from weaklearn.tables.messages import describe_column, quote
from weaklearn.tables.suspicious_columns import KeyRanges, key_ranges, merge_key_ranges

_UNITS = ("day", "minute", "second", "microsecond")
#: A nominal column with more values than this would take too much memory.
_MOST_VALUES = 5_000_000


@dataclass(eq=False, repr=False)
class ScannedColumn:
    """Everything that is known of the rows of one column so far.

    Parameters
    ----------
    name : str
        The name of the column.
    max_bins : int
        The most bins of its numbers.
    nominal : bool
        Whether the user declared the column nominal.
    ignored : bool
        Whether the user leaves the column out.
    """

    name: str
    max_bins: int
    nominal: bool = False
    ignored: bool = False
    code_of: dict[Label, int] = field(default_factory=dict)
    declared: bool = False
    undecided: bool = False
    form: DateForm | None = None
    is_nominal_date: bool = False
    holds_labels: bool = False
    n_rows: int = 0

    def __post_init__(self) -> None:
        self.summary = _core.BinSummary(self.max_bins)
        self.key: KeyRanges = ()
        self._seconds: dict[float, None] = {}
        self._checksum = 0

    def add(self, column: Column) -> None:
        """Add the rows of a batch, without those that do not take part."""
        if self.ignored:
            return
        if isinstance(column, DateColumn):
            self.form = column.form if self.form is None else _finer(self.form, column.form)
        if isinstance(column, DateColumn) and self.nominal:
            # How a date is written depends on the unit of all dates.
            self.is_nominal_date = True
            known = column.seconds[~np.isnan(column.seconds)]
            self._seconds.update(dict.fromkeys(np.unique(known).tolist()))
        elif self.nominal or isinstance(column, CategoryColumn):
            self._add_labels(as_categories(column, describe_column(self.name)))
        else:
            self.add_numbers(_numbers(column), self.n_rows)
        self._checksum = zlib.crc32(self._bytes(column), self._checksum)
        self.n_rows += _n_rows(column)

    def add_numbers(self, numbers: NDArray[np.float64], first_row: int) -> None:
        """Add the numbers of a batch, whose first row has this position."""
        self.summary.add(numbers, first_row)
        if self.key is not None:
            self.key = merge_key_ranges(self.key, key_ranges(numbers))

    def _add_labels(self, column: CategoryColumn) -> None:
        self.holds_labels = True
        self.declared = self.declared or column.declared
        self.undecided = self.undecided or column.undecided
        for label in column.labels:
            self.code_of.setdefault(label, len(self.code_of))
        if len(self.code_of) > _MOST_VALUES:
            raise ValueError(
                f"column {quote(self.name)} has more than {_MOST_VALUES:,} different values that "
                f"are not numbers. Leave it out: ignore=[{self.name!r}]."
            )

    def without_rows(self) -> Column:
        """Return a column that has no rows, but the labels or the form of all rows."""
        no_codes = np.zeros(0, dtype=np.intp)
        if self.is_nominal_date:
            assert self.form is not None
            texts = dict.fromkeys(self.form.to_text(s) for s in sorted(self._seconds))
            return CategoryColumn(no_codes, tuple(texts))
        if self.holds_labels:
            labels = tuple(self.code_of)
            return CategoryColumn(no_codes, labels, self.declared, self.undecided)
        if self.form is not None:
            return DateColumn(np.zeros(0), self.form)
        return np.zeros(0)

    def as_scanned(self, column: Column) -> Column:
        """Return the column of a batch in the form of all rows."""
        if isinstance(column, DateColumn) and self.form is not None:
            return replace(column, form=self.form)
        return column

    def start_again(self) -> int:
        """Return the checksum of all rows, and begin a new one."""
        before, self._checksum = self._checksum, 0
        return before

    def check(self, column: Column) -> None:
        """Add the rows of a batch of a later pass to the checksum."""
        if not self.ignored:
            self._checksum = zlib.crc32(self._bytes(column), self._checksum)

    def _bytes(self, column: Column) -> bytes:
        if isinstance(column, CategoryColumn):
            # The order of labels may differ from one batch or pass to the other.
            new_codes = [self.code_of.get(label, -2) for label in column.labels]
            return recode(column.codes, new_codes, np.int32).tobytes()
        return np.ascontiguousarray(_numbers(column)).tobytes()


def _numbers(column: NDArray[Any] | DateColumn) -> NDArray[np.float64]:
    return column.seconds if isinstance(column, DateColumn) else as_float64(column)


def _n_rows(column: Column) -> int:
    if isinstance(column, CategoryColumn):
        return len(column.codes)
    return len(column.seconds) if isinstance(column, DateColumn) else len(column)


def _finer(form: DateForm, other: DateForm) -> DateForm:
    """Return the form of dates of which some are written in one form and some in the other."""
    return max(form, other, key=lambda f: _UNITS.index(f.unit))


class ScannedLabels:
    """The classes of the batches so far, as `infer_classes` would find them in all rows.

    Numbers are floats if any batch has floats, as a column of integers with a missing one is.
    """

    def __init__(self) -> None:
        self.code_of: dict[Label, int] = {}
        self._has_floats = False
        self._declared = False

    def add(
        self, labels: Sequence[Label], codes: NDArray[np.int32], column: Column
    ) -> NDArray[np.int32]:
        """Add the classes of a batch; return its rows with the codes of all batches."""
        if isinstance(column, CategoryColumn):
            self._declared = self._declared or column.declared
        elif isinstance(column, np.ndarray):
            self._has_floats = self._has_floats or column.dtype.kind == "f"
        new_codes = [self.code_of.setdefault(label, len(self.code_of)) for label in labels]
        recoded: NDArray[np.int32] = recode(codes, new_codes, np.int32)
        return recoded

    def in_order(self) -> tuple[tuple[Label, ...], NDArray[np.int32]]:
        """Return the classes, and the index of each code of `add` among them."""
        ordered = tuple(self.code_of) if self._declared else sort_labels(self.code_of)
        index_of = np.zeros(len(ordered), dtype=np.int32)
        for index, label in enumerate(ordered):
            index_of[self.code_of[label]] = index
        return tuple(self.typed(ordered)), index_of

    def typed(self, labels: Iterable[Label]) -> list[Label]:
        """Return labels of some batch in the type that they have in all rows."""
        return [float(label) if self._has_floats else label for label in labels]


def narrow_codes(
    array: NDArray[Any], feature: Feature, bins: _core.Bins | None
) -> NDArray[np.unsignedinteger[Any]]:
    """Return encoded rows of one column as the core stores them."""
    if bins is not None:
        codes: Any = bins.codes(array)
        return np.asarray(codes)
    n_values = len(feature.values)
    return np.where(array < 0, n_values, array).astype(code_type(n_values))


def code_type(n_codes: int) -> type[np.unsignedinteger[Any]]:
    """Return the narrowest type that holds this many codes and one that means missing."""
    if n_codes <= np.iinfo(np.uint8).max:
        return np.uint8
    return np.uint16 if n_codes <= np.iinfo(np.uint16).max else np.uint32
