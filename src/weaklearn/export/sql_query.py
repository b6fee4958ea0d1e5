"""Build SQL queries that DuckDB and SQLite both understand, and that compute the same bits.

A query is a chain of SELECTs. Each adds columns that are computed from those of the SELECT before,
so no expression is written twice or nested deeply. A number is written as a quotient or product of
whole numbers and powers of ten or two, which has no rounding error of its own: SQLite's reader of
decimal numbers is not always exact.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal

from weaklearn.tables.column import Label

#: Columns of a SELECT, operators below each other, and levels of CASE in CASE. SQLite allows 2000,
#: 1000 and 18.
_COLUMNS_OF_SQLITE = 2000
MOST_COLUMNS, MOST_TERMS, MOST_LEVELS = 1000, 200, 7

#: A number that no number is above. Only NaN, which counts as missing, is greater in DuckDB.
INFINITY = "9e999"

#: A condition that does not hold.
NEVER = "FALSE"

_COLUMN = re.compile(r"\bv\d+\b")


def number(x: float) -> str:
    """Return a float64 in SQL, exactly.

    Examples
    --------
    >>> number(2.0), number(-0.1), number(1 / 3)
    ('2e0', '(-1/1e1)', '(3333333333333333/1e16)')
    """
    if math.isinf(x):
        return INFINITY if x > 0 else f"(-{INFINITY})"
    if x == 0 or (x.is_integer() and abs(x) < 2**53):
        return f"{int(x)}e0" if x >= 0 else f"({int(x)}e0)"
    sign, digits, exponent = Decimal(repr(x)).as_tuple()
    whole = int("".join(map(str, digits)))
    # The quotient of two exact numbers is rounded once, as the reader of Python rounds.
    if whole < 2**53 and isinstance(exponent, int) and -22 <= exponent < 0:
        return f"({'-' if sign else ''}{whole}/1e{-exponent})"
    mantissa, power = math.frexp(x)
    mantissa, power = int(mantissa * 2**53), power - 53
    step = "/" if power < 0 else "*"
    factors = [2**62] * (abs(power) // 62) + [2 ** (abs(power) % 62)]
    return f"({mantissa}*1e0{''.join(f'{step}{factor}' for factor in factors)})"


def text(value: str) -> str:
    """Return a text in SQL.

    Examples
    --------
    >>> text("it's")
    "'it''s'"
    """
    if "\0" in value:
        raise ValueError(f"the text {value!r} has a null character, which SQL cannot express.")
    return "'" + value.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """Return the name of a table or a column in SQL.

    Examples
    --------
    >>> identifier('a "b" c')
    '"a ""b"" c"'
    """
    if "\0" in name or not name:
        raise ValueError(f"the name {name!r} cannot be written in SQL: rename the column.")
    return '"' + name.replace('"', '""') + '"'


def labels(values: Sequence[Label]) -> list[str]:
    """Return class labels in SQL: all are texts if one is, since a column has one type.

    Examples
    --------
    >>> labels(["a", 1]), labels([True, False]), labels([1, 2])
    (["'a'", "'1'"], ['TRUE', 'FALSE'], ['1', '2'])
    """
    if any(isinstance(value, str) for value in values):
        return [text(str(value)) for value in values]
    if all(isinstance(value, bool) for value in values):
        return ["TRUE" if value else "FALSE" for value in values]
    are_whole = all(isinstance(value, int) for value in values)
    return [str(int(value)) if are_whole else number(float(value)) for value in values]


def case(cases: Sequence[tuple[str, str]], otherwise: str = "NULL") -> str:
    """Return the result of the first condition that holds."""
    if not cases:
        return otherwise
    whens = " ".join(f"WHEN {condition} THEN {result}" for condition, result in cases)
    return f"CASE {whens} ELSE {otherwise} END"


def one_of(x: str, numbers: Sequence[int]) -> str:
    """Return whether a whole number is one of several, which ascend.

    DuckDB would join a table for each IN, so ranges are compared instead.

    Examples
    --------
    >>> one_of("v1", [0, 1, 2, 5])
    '(v1 BETWEEN 0 AND 2 OR v1 = 5)'
    """
    ranges: list[list[int]] = []
    for n in numbers:
        if ranges and ranges[-1][1] == n - 1:
            ranges[-1][1] = n
        else:
            ranges.append([n, n])
    parts = [f"{x} = {a}" if a == b else f"{x} BETWEEN {a} AND {b}" for a, b in ranges]
    while len(parts) > 1:  # in groups, so that no expression is deep
        groups = [parts[i : i + MOST_TERMS] for i in range(0, len(parts), MOST_TERMS)]
        parts = [f"({' OR '.join(group)})" for group in groups]
    return parts[0] if parts else NEVER


class SqlQuery:
    """A chain of SELECTs over the rows of a table.

    Parameters
    ----------
    table : str
        The name of the table.
    """

    def __init__(self, table: str) -> None:
        self._table = table
        self._expressions: list[str] = []
        self._levels: list[int] = []
        self._lowest = 1

    def column(self, name: str) -> str:
        """Return a column of the table; only the first SELECT may use it."""
        return f"rows.{identifier(name)}"

    def read(self, expression: str) -> str:
        """Add a column that is computed from the table, and return its name."""
        return self._add(expression, 0)

    def let(self, expression: str) -> str:
        """Add a column that is computed from other columns, and return its name."""
        if _COLUMN.fullmatch(expression):
            return expression
        used = [self._levels[int(name[1:])] for name in _COLUMN.findall(_without_texts(expression))]
        return self._add(expression, max(self._lowest, *(level + 1 for level in used), 0))

    def _add(self, expression: str, level: int) -> str:
        self._expressions.append(expression)
        self._levels.append(level)
        return f"v{len(self._expressions) - 1}"

    def start_anew(self) -> None:
        """Compute what follows after all columns so far, so that fewer are needed at a time."""
        self._lowest = max(self._levels, default=0) + 1

    def sum(self, terms: Sequence[str]) -> str:
        """Return the sum of terms, added from left to right."""
        total = ""
        for start in range(0, len(terms), MOST_TERMS):
            part = " + ".join(terms[start : start + MOST_TERMS])
            total = self.let(f"{total} + {part}" if total else part)
        return total or number(0.0)

    def largest(self, numbers: Sequence[str]) -> str:
        """Return the largest of some columns."""
        remaining = list(numbers)
        while len(remaining) > 1:
            pairs = list(zip(remaining[::2], remaining[1::2], strict=False))
            odd = remaining[-1:] if len(remaining) % 2 else []
            remaining = [self.let(case([(f"{a} >= {b}", a)], b)) for a, b in pairs] + odd
        return remaining[0]

    def text(self, outputs: Sequence[tuple[str, str]]) -> str:
        """Return the query.

        Parameters
        ----------
        outputs : sequence of (name, expression)
            The columns of the result.
        """
        n_levels = max(self._levels, default=0) + 1
        at_level: list[list[int]] = [[] for _ in range(n_levels)]
        last_use = list(self._levels)
        for v, (level, expression) in enumerate(zip(self._levels, self._expressions, strict=True)):
            at_level[level].append(v)
            for name in _COLUMN.findall(_without_texts(expression)) if level else ():
                last_use[int(name[1:])] = max(last_use[int(name[1:])], level)
        for _, expression in outputs:
            for name in _COLUMN.findall(_without_texts(expression)):
                last_use[int(name[1:])] = n_levels
        steps: list[str] = []
        alive: list[int] = []
        for level, new in enumerate(at_level):
            alive = [v for v in alive if last_use[v] > level]
            columns = [f"v{v}" for v in alive]
            kept = [v for v in new if last_use[v] > level]
            columns += [f"{self._expressions[v]} AS v{v}" for v in kept]
            alive += kept
            if len(alive) > _COLUMNS_OF_SQLITE:
                raise ValueError(
                    f"the query would have {len(alive)} columns in one SELECT, and SQLite allows "
                    f"{_COLUMNS_OF_SQLITE}: use a smaller model, or wl.export.c or wl.export.onnx."
                )
            source = f"{identifier(self._table)} AS rows" if level == 0 else f"s{level - 1}"
            select = "SELECT " + ",\n    ".join(columns or ["1 AS v"])
            steps.append(f"s{level} AS MATERIALIZED (\n  {select}\n  FROM {source})")
        result = ",\n  ".join(f"{expression} AS {identifier(name)}" for name, expression in outputs)
        chain = ",\n".join(steps)
        return f"WITH {chain}\nSELECT\n  {result}\nFROM s{n_levels - 1}\n"


def _without_texts(expression: str) -> str:
    """Return an expression without what is quoted in it."""
    return re.sub(r"'[^']*'|\"[^\"]*\"", "", expression)
