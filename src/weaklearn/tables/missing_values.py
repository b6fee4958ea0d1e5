"""Which cells are missing.

NaN, None, ``pandas.NA``, ``pandas.NaT``, nulls of polars and Arrow, and empty cells are always
missing. `MISSING_TEXTS` are missing in every text whose values are not declared: in CSV and TSV
files and in text columns of frames. White space around a text does not count. The list contains
all texts that ``pandas.read_csv`` reads as missing.

Where values are declared (ARFF files, C4.5's files, pandas categories, polars Categorical and Enum,
Arrow dictionaries) only ``?`` is missing, because ``NA`` may be one of the declared values.

``missing_values=[...]`` changes this for all columns. Texts in the list take the place of
`MISSING_TEXTS`. Numbers in the list are missing in addition, however they are written. They are not
missing in the class, because -1 may be one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from typing import Any

from weaklearn.tables.messages import quote

MISSING_TEXT = "?"
"""The string that means a missing value in ARFF files and in C4.5's files."""

MISSING_TEXTS = (
    *(MISSING_TEXT, "", "NA", "N/A", "n/a", "n.a.", "N.A.", "NaN", "nan", "-NaN", "-nan", "NaT"),
    *("null", "NULL", "None", "<NA>", "#N/A", "#NA", "#N/A N/A"),
    *("1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"),
)
"""The texts that mean a missing value unless ``missing_values`` has others."""


def parse_number(text: str) -> float:
    """Return the number that a text represents, or NaN if it is not a number.

    Python's ``float`` alone would also accept ``1_000``, ``nan`` and the digits of other scripts.

    Examples
    --------
    >>> parse_number(" 1e3"), parse_number("1,000")
    (1000.0, nan)
    """
    if "_" in text or not text.isascii():
        return math.nan
    try:
        return float(text)
    except ValueError:
        return math.nan


@dataclass(frozen=True, slots=True)
class MissingValues:
    """The cells that are missing besides NaN, None and empty ones.

    Parameters
    ----------
    texts : frozenset of str
        Missing in text columns without declared values.
    declared_texts : frozenset of str
        Missing in columns with declared values.
    numbers : frozenset of float
        Missing in all columns.
    keeps_space : bool
        Whether other texts keep the white space around them, as class labels do: predictions
        must equal the labels that were passed.
    """

    texts: frozenset[str] = frozenset(MISSING_TEXTS)
    declared_texts: frozenset[str] = frozenset({MISSING_TEXT})
    numbers: frozenset[float] = frozenset()
    keeps_space: bool = False

    def holds_text(self, text: str, declared: bool = False) -> bool:
        """Return whether a text without white space around it is missing."""
        if text in (self.declared_texts if declared else self.texts):
            return True
        return bool(self.numbers) and parse_number(text) in self.numbers


DEFAULT_MISSING = MissingValues()


def as_missing_values(given: Iterable[Any] | None) -> MissingValues:
    """Return what ``missing_values=`` means; None stands for the default.

    Examples
    --------
    >>> as_missing_values([-999]).holds_text("NA"), as_missing_values(["-"]).holds_text("NA")
    (True, False)
    """
    if given is None:
        return DEFAULT_MISSING
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise TypeError(
            f"missing_values={given!r} is not a list; expected a list of texts and numbers: "
            f"missing_values=[{given!r}]."
        )
    texts: set[str] = set()
    numbers: set[float] = set()
    given = list(given)
    for value in given:
        if isinstance(value, str):
            number = parse_number(value)
            if math.isnan(number):
                texts.add(value.strip())
            else:
                numbers.add(number)
        elif isinstance(value, Real):
            if not math.isnan(value):
                numbers.add(float(value))
        elif value is not None:
            raise TypeError(
                f"missing_values=[...] holds {quote(value)} of type {type(value).__name__}; "
                "expected texts and numbers."
            )
    if not texts and given:
        return MissingValues(numbers=frozenset(numbers))
    chosen = frozenset({*texts, ""})
    return MissingValues(chosen, frozenset({*texts}), frozenset(numbers))
