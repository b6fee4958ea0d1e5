"""Columns from which a model learns something that its user does not expect.

`find_suspicious` looks at encoded columns and returns a sentence for each problem, with the names
of the columns and the line to type. The sentences hold no counts of rows, so that the folds of a
cross-validation give the same ones, and Python shows the warning once.

Each rule asks for more than chance explains, because a false alarm costs the user more time than a
missed one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.tables.column import Label
from weaklearn.tables.messages import quote
from weaklearn.tables.suspicious_labels import (
    SHARE_OF_NUMBERS,
    LabelCounts,
    is_beyond_chance,
    labels_determine,
    problems_of_counts,
)

_LEAST_ROWS = 20
_FEW_CODES = 3
#: How many rows of a column that should determine the class are looked at first.
_SAMPLE = 200
_MOST_NAMES = 8
_MOST_TYPED = 50


#: The ranges of parts of a column that have a different whole number in every row, ascending. None
#: if two rows of a part have the same number, or a row has none.
KeyRanges = tuple[tuple[float, float], ...] | None


@dataclass(frozen=True, slots=True, eq=False)
class EncodedColumn:
    """A column to look at.

    Parameters
    ----------
    name : str
        Its name.
    array : array
        float64 numbers, NaN where missing, or codes of its values, negative where missing.
    values : tuple of labels
        The values of a nominal column.
    is_assumed_order : bool
        Whether it holds dates whose order of day and month is assumed.
    """

    name: str
    array: NDArray[Any]
    values: tuple[Label, ...] = ()
    is_assumed_order: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class CountedColumn:
    """What is known of a column whose rows are not in memory.

    Parameters
    ----------
    name : str
        Its name.
    labels : LabelCounts or None
        The counts of a nominal column; None for numbers.
    values : tuple of labels
        The values of a nominal column.
    is_constant : bool
        Whether numbers have no two different values.
    key : KeyRanges
        The ranges of numbers that may be a key; None if they are not.
    has_missing : bool
        Whether any row has no value.
    is_assumed_order : bool
        Whether it holds dates whose order of day and month is assumed.
    """

    name: str
    labels: LabelCounts | None = None
    values: tuple[Label, ...] = ()
    is_constant: bool = False
    key: KeyRanges = None
    has_missing: bool = False
    is_assumed_order: bool = False


def find_suspicious(
    columns: Sequence[EncodedColumn],
    classes: NDArray[np.integer[Any]] | None = None,
    missing_is_value: bool = False,
) -> tuple[str, ...]:
    """Return a sentence for each problem that some columns have.

    Parameters
    ----------
    columns : sequence of EncodedColumn
        The features.
    classes : array of int, optional
        The class index of each row.
    missing_is_value : bool
        Whether a model learns from the cells that are missing. A column with a single value and
        missing cells is then not constant.

    Examples
    --------
    >>> number = EncodedColumn("number", np.arange(100.0))
    >>> find_suspicious([number])
    ("column 'number' has a different value in every row, as a key does. Leave it out: \
ignore=['number'].",)
    """
    problems: list[tuple[str, str]] = []
    if columns and len(columns[0].array) >= _LEAST_ROWS:
        numeric = [column for column in columns if column.array.dtype.kind == "f"]
        problems += _problems_of_numbers(numeric, classes)
        for column in columns:
            if column.array.dtype.kind != "f":
                problems += _problems_of_labels(column, classes)
    assumed = [column.name for column in columns if column.is_assumed_order]
    return _sentences(
        problems,
        assumed,
        lambda: {column.name for column in columns if _has_missing(column.array)},
        missing_is_value,
    )


def key_ranges(numbers: NDArray[np.float64]) -> KeyRanges:
    """Return the range of some rows of a column that may be a key.

    Examples
    --------
    >>> key_ranges(np.array([3.0, 5.0, 4.0])), key_ranges(np.array([3.0, 4.0, 3.0]))
    (((3.0, 5.0),), None)
    """
    if not len(numbers):
        return ()
    lowest, highest = float(numbers.min()), float(numbers.max())
    if not (lowest.is_integer() and highest - lowest >= len(numbers) - 1):
        return None
    return ((lowest, highest),) if _is_key(numbers) else None


def merge_key_ranges(first: KeyRanges, second: KeyRanges) -> KeyRanges:
    """Return the ranges of the rows of both; None if they overlap, because numbers may repeat."""
    if first is None or second is None:
        return None
    ranges = tuple(sorted(first + second))
    overlap = any(a[1] >= b[0] for a, b in pairwise(ranges))
    return None if overlap else ranges


def _is_key_of_parts(column: CountedColumn, n_rows: int) -> bool:
    if not column.key or column.has_missing:
        return False
    return column.key[-1][1] / 2 - column.key[0][0] / 2 < _most_half_width(n_rows)


def _most_half_width(n_rows: int) -> float:
    """Return how far distinct whole numbers may reach that do not happen by chance."""
    return n_rows * (n_rows - 1) / 40


def find_suspicious_counts(
    columns: Sequence[CountedColumn], n_rows: int, missing_is_value: bool = False
) -> tuple[str, ...]:
    """Return what `find_suspicious` can say of columns whose rows are not in memory.

    Sentinels among numbers, and numbers that determine the class, are not looked for. A number that
    is a key is found if each part of the table has its own range of numbers.

    Parameters
    ----------
    columns : sequence of CountedColumn
        The features.
    n_rows : int
        The number of rows.
    missing_is_value : bool
        As for `find_suspicious`.

    Examples
    --------
    >>> find_suspicious_counts([CountedColumn("number", is_constant=True)], 100)
    ("column 'number' has no two different values. Leave it out: ignore=['number'].",)
    """
    problems: list[tuple[str, str]] = []
    if n_rows >= _LEAST_ROWS:
        for column in columns:
            if column.labels is None and column.is_constant:
                problems.append(("constant", column.name))
            elif column.labels is None and _is_key_of_parts(column, n_rows):
                problems.append(("key", column.name))
        for column in columns:
            if (labels := column.labels) is not None:
                problems += problems_of_counts(
                    column.name, column.values, labels.n_rows_of, n_rows, labels.determine_classes
                )
    assumed = [column.name for column in columns if column.is_assumed_order]
    return _sentences(
        problems,
        assumed,
        lambda: {column.name for column in columns if column.has_missing},
        missing_is_value,
    )


def _sentences(
    problems: Sequence[tuple[str, str]],
    assumed: list[str],
    names_with_missing: Callable[[], set[str]],
    missing_is_value: bool,
) -> tuple[str, ...]:
    """Return a sentence per problem; some problems list the names of their columns."""
    found: dict[str, list[str]] = {"assumed order": assumed} if assumed else {}
    sentences = []
    for problem, name in problems:
        if problem in _SENTENCES:
            found.setdefault(problem, []).append(name)
        else:
            sentences.append(problem)
    if missing_is_value and "constant" in found:
        incomplete = names_with_missing()
        found["constant"] = [name for name in found["constant"] if name not in incomplete]
        if not found["constant"]:
            del found["constant"]
    listed = [_sentence(problem, names) for problem, names in found.items()]
    return (*listed, *sentences)


def _has_missing(array: NDArray[Any]) -> bool:
    return bool((np.isnan(array) if array.dtype.kind == "f" else array < 0).any())


_SENTENCES = {
    "key": ("a different value in every row, as a key does. Leave {it} out: ignore=[{names}]."),
    "many values": (
        "a value for more than a fifth of the rows, so hardly any value repeats. Leave {it} out: "
        "ignore=[{names}], or group the values."
    ),
    "constant": "no two different values. Leave {it} out: ignore=[{names}].",
    "determines": (
        "values that determine the class. If they are known only after the class, leave {it} out: "
        "ignore=[{names}]."
    ),
    "assumed order": (
        "dates that fit both orders of day and month. They are read with the month first. If the "
        "day comes first, write them as 2020-01-31; in pandas: "
        "X[{first}] = pandas.to_datetime(X[{first}], dayfirst=True)."
    ),
}


def _sentence(problem: str, names: Sequence[str]) -> str:
    shown = ", ".join(map(quote, names[:_MOST_NAMES]))
    n_more = len(names) - _MOST_NAMES
    subject = f"columns {shown} and {n_more} more" if n_more > 0 else f"columns {shown}"
    verb, it = "have", "them"
    if len(names) == 1:
        subject, verb, it = f"column {shown}", "has", "it"
    typed = ", ".join([*map(repr, names[:_MOST_TYPED]), *["..."][: len(names) > _MOST_TYPED]])
    remedy = _SENTENCES[problem].format(it=it, names=typed, first=repr(names[0]))
    return f"{subject} {verb} {remedy}"


# -- numbers --------------------------------------------------------------------------------------
def _problems_of_numbers(
    columns: Sequence[EncodedColumn], classes: NDArray[np.integer[Any]] | None
) -> Iterator[tuple[str, str]]:
    if not columns:
        return
    n_rows = len(columns[0].array)
    lowest, highest = _ranges_of([column.array for column in columns])
    is_constant = ~(lowest < highest)
    half_width = highest / 2 - lowest / 2  # the whole may overflow
    is_narrow = half_width < _most_half_width(n_rows)
    may_be_key = is_narrow & (lowest == np.floor(lowest)) & (half_width >= (n_rows - 1) / 2)
    may_have_sentinel = _is_sentinel(lowest) | _is_sentinel(highest) | (lowest == -1)
    may_determine = _may_determine(columns, classes)
    for i, column in enumerate(columns):
        if is_constant[i]:
            yield "constant", column.name
        elif may_be_key[i] and _is_key(column.array):
            yield "key", column.name
        elif may_determine[i] and _determines(column.array, classes):
            yield "determines", column.name
        if may_have_sentinel[i]:
            yield from _sentinel_problem(column.name, column.array, lowest[i], highest[i])


def _ranges_of(
    arrays: Sequence[NDArray[np.float64]],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the lowest and the highest known number of each column; infinities if it has none."""
    lowest, highest, _ = zip(*_core.ranges_of_columns(list(arrays)), strict=True)
    return np.array(lowest), np.array(highest)


def _is_key(numbers: NDArray[np.float64]) -> bool:
    if np.isnan(numbers).any() or not np.array_equal(numbers, np.floor(numbers)):
        return False
    return len(np.unique(numbers)) == len(numbers)


def _is_sentinel(numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which numbers are written with nines only: 99, -999, 9999, ..."""
    sizes = 10.0 ** np.arange(2, 10) - 1
    return np.isin(np.abs(numbers), sizes)


def _sentinel_problem(
    name: str, numbers: NDArray[np.float64], lowest: float, highest: float
) -> Iterator[tuple[str, str]]:
    for end in (lowest, highest):
        if not _is_sentinel(np.array([end]))[0] and end != -1:
            continue
        others = numbers[(numbers != end) & ~np.isnan(numbers)]
        repeats = int((numbers == end).sum()) >= max(3, 0.002 * len(numbers))
        if not len(others) or not repeats:
            continue
        gap = min(abs(end - others.min()), abs(end - others.max()))
        is_far = gap / 2 > others.max() / 2 - others.min() / 2
        is_only_negative = end < 0.0 <= others.min()
        if end == -1 and not (is_only_negative and len(np.unique(others)) > _FEW_CODES):
            continue  # -1 is a value like others among -1, 0, 1
        if is_far or is_only_negative:
            how = "far from its other values" if is_far else "its only negative value"
            yield (
                f"column {quote(name)} holds {end:g}, {how}. If it stands for a missing value: "
                f"missing_values=[{end:g}].",
                name,
            )


def _may_determine(
    columns: Sequence[EncodedColumn], classes: NDArray[np.integer[Any]] | None
) -> NDArray[np.bool_]:
    """Return which columns determine the class in a sample of the rows."""
    if classes is None:
        return np.zeros(len(columns), dtype=np.bool_)
    rows = np.linspace(0, len(classes) - 1, min(_SAMPLE, len(classes))).astype(np.intp)
    sample = np.stack([column.array[rows] for column in columns])
    sorted_classes = classes[rows][np.argsort(sample, axis=1, kind="stable")]
    n_changes = (sorted_classes[:, 1:] != sorted_classes[:, :-1]).sum(axis=1)
    return np.asarray(n_changes <= len(np.unique(classes)))


def _determines(numbers: NDArray[np.float64], classes: NDArray[np.integer[Any]] | None) -> bool:
    """Return whether thresholds, one fewer than there are classes, separate the classes."""
    assert classes is not None
    known = ~np.isnan(numbers)
    if known.mean() < SHARE_OF_NUMBERS:
        return False
    order = np.argsort(numbers[known], kind="stable")
    values, of_rows = numbers[known][order], classes[known][order]
    changes = np.flatnonzero(of_rows[1:] != of_rows[:-1])
    n_classes = len(np.unique(of_rows))
    if n_classes < 2 or len(changes) != n_classes - 1:
        return False
    at_threshold = bool((values[changes] < values[changes + 1]).all())
    return at_threshold and is_beyond_chance(np.bincount(of_rows), n_classes)


# -- labels ---------------------------------------------------------------------------------------
def _problems_of_labels(
    column: EncodedColumn, classes: NDArray[np.integer[Any]] | None
) -> Iterator[tuple[str, str]]:
    codes = column.array
    known = codes >= 0
    counts = np.bincount(codes[known], minlength=len(column.values))

    def determines() -> bool:
        n_values = int(np.count_nonzero(counts))
        return classes is not None and labels_determine(codes[known], classes[known], n_values)

    return problems_of_counts(column.name, column.values, counts, len(codes), determines)
