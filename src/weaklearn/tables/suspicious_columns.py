"""Columns from which a model learns something that its user does not expect.

`find_suspicious` looks at encoded columns and returns a sentence for each problem, with the names
of the columns and the line to type. The sentences hold no counts of rows, so that the folds of a
cross-validation give the same ones, and Python shows the warning once.

Each rule asks for more than chance explains, because a false alarm costs the user more time than a
missed one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.tables.column import Label
from weaklearn.tables.dates import find_form
from weaklearn.tables.messages import quote
from weaklearn.tables.missing_values import parse_number

_LEAST_ROWS = 20
_LEAST_VALUES = 10
_MOST_ODD_VALUES = 10
_FEW_CODES = 3
_SHARE_OF_NUMBERS = 0.9
_SHARE_OF_VALUES = 0.2
#: A rule applies if what it found would happen by chance with less than this probability.
_LOG_CHANCE = math.log(1e-9)
#: How many rows of a column that should determine the class are looked at first.
_SAMPLE = 200
_SHORT_COLUMN = 1000
#: Rows whose numbers are read together.
_BLOCK = 8192
_MOST_NAMES = 8
_MOST_TYPED = 50
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?")
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")


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
    assumed = [column.name for column in columns if column.is_assumed_order]
    found: dict[str, list[str]] = {"assumed order": assumed} if assumed else {}
    sentences = []
    if columns and len(columns[0].array) >= _LEAST_ROWS:
        numeric = [column for column in columns if column.array.dtype.kind == "f"]
        for problem, name in _problems_of_numbers(numeric, classes):
            if problem in _SENTENCES:
                found.setdefault(problem, []).append(name)
            else:
                sentences.append(problem)
        for column in columns:
            if column.array.dtype.kind != "f":
                for problem, name in _problems_of_labels(column, classes):
                    if problem in _SENTENCES:
                        found.setdefault(problem, []).append(name)
                    else:
                        sentences.append(problem)
    if missing_is_value and "constant" in found:
        complete = {column.name for column in columns if not _has_missing(column.array)}
        found["constant"] = [name for name in found["constant"] if name in complete]
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
    # Distinct whole numbers in a narrow range do not happen by chance.
    half_width = highest / 2 - lowest / 2  # the whole may overflow
    is_narrow = half_width < n_rows * (n_rows - 1) / 40
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
    """Return the lowest and the highest known number of each column, NaN if it has none."""
    if len(arrays[0]) <= _SHORT_COLUMN:  # short columns are cheaper all at once
        numbers = np.stack(arrays)
        return np.fmin.reduce(numbers, axis=1), np.fmax.reduce(numbers, axis=1)
    lows, highs = np.full(len(arrays), np.nan), np.full(len(arrays), np.nan)
    # Columns are often views of one array, row by row: a block of its rows stays in the cache.
    for first in range(0, len(arrays[0]), _BLOCK):
        for i, column in enumerate(arrays):
            numbers = column[first : first + _BLOCK]
            lowest, highest = numbers.min(), numbers.max()
            if math.isnan(lowest):  # fmin and fmax pass over NaN, but they are slower
                lowest, highest = np.fmin.reduce(numbers), np.fmax.reduce(numbers)
            lows[i], highs[i] = np.fmin(lows[i], lowest), np.fmax(highs[i], highest)
    return lows, highs


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
    if known.mean() < _SHARE_OF_NUMBERS:
        return False
    order = np.argsort(numbers[known], kind="stable")
    values, of_rows = numbers[known][order], classes[known][order]
    changes = np.flatnonzero(of_rows[1:] != of_rows[:-1])
    n_classes = len(np.unique(of_rows))
    if n_classes < 2 or len(changes) != n_classes - 1:
        return False
    at_threshold = bool((values[changes] < values[changes + 1]).all())
    return at_threshold and _is_beyond_chance(of_rows, n_classes)


def _is_beyond_chance(classes: NDArray[np.integer[Any]], n_groups: int) -> bool:
    """Return whether groups of rows are hardly of one class each by chance."""
    shares = np.bincount(classes) / len(classes)
    return (len(classes) - n_groups) * math.log(float((shares**2).sum())) < _LOG_CHANCE


# -- labels ---------------------------------------------------------------------------------------
def _problems_of_labels(
    column: EncodedColumn, classes: NDArray[np.integer[Any]] | None
) -> Iterator[tuple[str, str]]:
    codes = column.array
    known = codes >= 0
    counts = np.bincount(codes[known], minlength=len(column.values))
    n_values = int(np.count_nonzero(counts))
    if n_values <= 1:
        yield "constant", column.name
        return
    text_problem = _text_problem(column, counts) if n_values >= _LEAST_VALUES else None
    if text_problem is not None:
        yield text_problem, column.name
    elif n_values == len(codes):
        yield "key", column.name
    elif n_values > max(_SHARE_OF_VALUES * len(codes), _LEAST_VALUES):
        yield "many values", column.name
    elif classes is not None and _labels_determine(codes[known], classes[known], n_values):
        yield "determines", column.name


def _labels_determine(
    codes: NDArray[np.integer[Any]], classes: NDArray[np.integer[Any]], n_values: int
) -> bool:
    class_of = np.zeros(int(codes.max()) + 1, dtype=classes.dtype)
    class_of[codes] = classes
    is_determined = bool((class_of[codes] == classes).all())
    return is_determined and classes.min() < classes.max() and _is_beyond_chance(classes, n_values)


def _text_problem(column: EncodedColumn, counts: NDArray[np.intp]) -> str | None:
    """Return the problem of a column whose texts are numbers or dates, apart from a few."""
    name = quote(column.name)
    present = [(v, int(n)) for v, n in zip(column.values, counts.tolist(), strict=True) if n]
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
    return n_rows <= (1 - _SHARE_OF_NUMBERS) * total and len(odd) <= _MOST_ODD_VALUES


def _date_problem(name: str, present: Sequence[tuple[Label, int]], total: int) -> str | None:
    odd = [(str(value), n) for value, n in present if find_form([str(value)]) is None]
    if not odd or not _are_few(odd, total):
        return None
    listed = ", ".join(repr(text) for text, _ in odd)
    return (
        f"column {name} is nominal because of {listed}; its other values are dates. If these are "
        f"missing: missing_values=[*wl.MISSING_TEXTS, {listed}]."
    )
