"""The description lengths of C4.5rules, formula by formula."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

from .c45_table import Table, more

LN2 = 0.69314718055994530942


def log2(x: float) -> float:
    return math.log(x) / LN2


@cache
def log2_factorial(n: int, number: Any) -> float:
    """Return log2(n!) as a sum of logarithms that are rounded by `number`."""
    total = 0.0
    for i in range(2, n + 1):
        total += float(number(log2(i)))
    return total


def branch_bits(table: Table, number: Any) -> list[Any]:
    """Return the bits of a condition on each column, without naming the column."""
    return [
        _nominal_bits(table, index, number)
        if table.kinds[index] == "nominal"
        else _continuous_bits(table, index, number)
        for index in range(len(table.columns))
    ]


def _nominal_bits(table: Table, index: int, number: Any) -> Any:
    if len(table.values[index]) < 2:
        return number(0)
    total = sum(table.weights)
    bits = number(0)
    for value in table.values[index]:
        rows = zip(table.columns[index], table.weights, strict=True)
        weight = sum(w for cell, w in rows if cell == value)
        if weight > 0:
            difference = number(log2(total)) - number(log2(weight))
            bits = number(float(bits) + weight / total * float(difference))
    return bits


def _continuous_bits(table: Table, index: int, number: Any) -> Any:
    n_distinct = len(set(table.columns[index]))  # None, a missing value, is one of them
    return number(1) + number(log2(n_distinct)) / number(2) if n_distinct > 1 else number(0)


def column_bits(bits: Sequence[Any], number: Any) -> Any:
    """Return the bits that name a column."""
    total = number(0)
    for b in bits:
        total = number(total + b)
    result = number(0)
    for b in bits:
        if b > 0:
            share = number(b / total)
            result = number(float(result) - float(share) * math.log(float(share)) / LN2)
    return result


def rule_bits(
    conditions: Sequence[Any], table: Table, branches: Sequence[Any], redundancy: float, number: Any
) -> Any:
    """Return the bits of a rule; `branches` are the `branch_bits` of the table."""
    name = column_bits(branches, number)
    total = number(0)
    for condition in conditions:
        subset = condition["operator"] == "in"
        index = condition["index"]
        branch = number(len(table.values[index])) if subset else branches[index]
        total = number(total + number(number(name / number(redundancy)) + branch))
    size = len(conditions)
    with_log = number(total + number(log2(size)))
    return number(float(with_log) - log2_factorial(size, number))


def error_bits(n: float, errors: float, expected: float, number: Any) -> Any:
    expected = number(expected)
    if expected <= 1e-6:
        return number(0 if errors <= 1e-6 else 1e6)
    if expected >= n - 1e-6:
        return number(0 if errors >= n - 1e-6 else 1e6)
    rate = number(expected / number(n))
    other = number(number(1) - rate)
    return number(-errors * log2(float(rate)) - (n - errors) * log2(float(other)))


def exception_bits(
    n: float, covered: float, fp: float, fn: float, number: Any, tolerant: bool
) -> Any:
    """Return the bits that name `fp` of the covered rows and `fn` of the others."""
    if more(covered, n / 2) if tolerant else covered > n / 2:
        in_covered, in_others = 0.5 * (fp + fn), fn
    else:
        in_covered, in_others = fp, 0.5 * (fp + fn)
    return number(
        log2(n)
        + float(error_bits(covered, fp, in_covered, number))
        + float(error_bits(n - covered, fn, in_others, number))
    )
