"""Declared parameters of classifiers: default, allowed values, one line of help.

Each classifier declares its own in ``_parameters``. Checks before a fit, the options of the command
line and the tests read them there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a range.

    Parameters
    ----------
    low, high : float
        The range; `low` belongs to it unless `above_low`, `high` always does.
    above_low : bool
        Whether the value must be greater than `low`.
    whole : bool
        Whether it must be a whole number.
    optional : bool
        Whether None is allowed.
    words : tuple of str
        Words that are allowed instead of a number.
    """

    low: float = -math.inf
    high: float = math.inf
    above_low: bool = False
    whole: bool = False
    optional: bool = False
    words: tuple[str, ...] = ()

    def allows(self, value: object) -> bool:
        """Return whether the value belongs to the domain."""
        if value is None:
            return self.optional
        if isinstance(value, str):
            return value in self.words
        if isinstance(value, bool) or not isinstance(value, Integral if self.whole else Real):
            return False
        number = float(value)
        over_low = number > self.low if self.above_low else number >= self.low
        return math.isfinite(number) and over_low and number <= self.high

    def __str__(self) -> str:
        text = "a whole number" if self.whole else "a number"
        if self.low > -math.inf:
            text += f" {'>' if self.above_low else '>='} {_limit_text(self.low)}"
        if self.high < math.inf:
            text += f"{' and' if self.low > -math.inf else ''} <= {_limit_text(self.high)}"
        text += "".join(f" or {word!r}" for word in self.words)
        return text + (" or None" if self.optional else "")


def _limit_text(limit: float) -> str:
    """Write a limit without rounding it, unless it has more than 15 digits."""
    return f"{limit:,.0f}" if limit == round(limit) and abs(limit) < 1e15 else f"{limit:g}"


@dataclass(frozen=True, slots=True)
class ShareOrCount:
    """A share above 0 up to 1.0, if it is a float, or a whole number from 1 on.

    Parameters
    ----------
    optional : bool
        Whether None is allowed.
    words : tuple of str
        Words that are allowed instead of a number.
    """

    optional: bool = False
    words: tuple[str, ...] = ()

    def allows(self, value: object) -> bool:
        """Return whether the value belongs to the domain."""
        if value is None:
            return self.optional
        if isinstance(value, str):
            return value in self.words
        if isinstance(value, bool) or not isinstance(value, Real):
            return False
        if isinstance(value, Integral):
            return int(value) >= 1
        return 0.0 < float(value) <= 1.0

    def __str__(self) -> str:
        text = "a share > 0 and <= 1.0 or a whole number >= 1"
        text += "".join(f" or {word!r}" for word in self.words)
        return text + (" or None" if self.optional else "")


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some names.

    Parameters
    ----------
    names : tuple of str
        The names.
    or_callable : bool
        Whether a function is allowed instead of a name.
    """

    names: tuple[str, ...]
    or_callable: bool = False

    def allows(self, value: object) -> bool:
        """Return whether the value belongs to the domain."""
        if self.or_callable and callable(value):
            return True
        return isinstance(value, str) and value in self.names

    def __str__(self) -> str:
        text = f"one of {', '.join(map(repr, self.names))}"
        return f"{text}, or a function" if self.or_callable else text


@dataclass(frozen=True, slots=True)
class Flag:
    """True or False."""

    def allows(self, value: object) -> bool:
        """Return whether the value belongs to the domain."""
        return isinstance(value, bool | np.bool_)

    def __str__(self) -> str:
        return "True or False"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A declared parameter of a classifier.

    Parameters
    ----------
    default : object
        Its default value.
    domain : Number, ShareOrCount, Choice or Flag
        Its allowed values.
    help : str
        One line for the command line and the docs.
    """

    default: Any
    domain: Number | ShareOrCount | Choice | Flag
    help: str


#: The largest whole numbers of 32 and 64 bits. In the core they mean "no limit".
MAX_UINT32, MAX_UINT64 = 2**32 - 1, 2**64 - 1


def core_limit(limit: int | None, no_limit: int) -> int:
    """Return a limit as the core takes it: `no_limit` for None."""
    return no_limit if limit is None else min(int(limit), no_limit)


def check_parameters(
    declared: Mapping[str, Parameter], given: Mapping[str, Any], owner: str
) -> None:
    """Raise a ValueError for the first parameter outside its domain.

    Parameters
    ----------
    declared : mapping
        The declared parameters.
    given : mapping
        A value for each of them.
    owner : str
        The classifier's name, for the message.

    Examples
    --------
    >>> declared = {"n": Parameter(2, Number(low=1, whole=True), "how many")}
    >>> check_parameters(declared, {"n": 0}, "Learner")
    Traceback (most recent call last):
        ...
    ValueError: Learner(n=0): n must be a whole number >= 1; the default is n=2.
    """
    for name, parameter in declared.items():
        value = given[name]
        if not parameter.domain.allows(value):
            raise ValueError(
                f"{owner}({name}={value!r}): {name} must be {parameter.domain}; the default is "
                f"{name}={parameter.default!r}."
            )


#: Bins of numbers, for every classifier that can learn from them.
MAX_BINS = Parameter(
    None,
    Number(low=2, high=65535, whole=True, optional=True),
    "most bins of a column of numbers; None: every value counts",
)
