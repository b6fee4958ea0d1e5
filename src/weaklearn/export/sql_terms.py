"""Sums over columns in SQL, and the functions of them that separators need."""

from __future__ import annotations

from collections.abc import Sequence

from weaklearn.export import description as d
from weaklearn.export.sql_query import INFINITY, SqlQuery, case, number
from weaklearn.models.probabilities import LN2_HIGH, LN2_LOW, LOG2_E, TAYLOR

#: Added and subtracted, it rounds a number below 2**51 to a whole number.
_ROUNDER = 1.5 * 2.0**52


def sum_of_terms(
    query: SqlQuery, inputs: Sequence[str], terms: d.Terms, first: int, n_terms: int
) -> str:
    """Return the sum of a range of terms."""
    return query.sum([_term(query, inputs, terms, t) for t in range(first, first + n_terms)])


def _term(query: SqlQuery, inputs: Sequence[str], terms: d.Terms, t: int) -> str:
    x, start, form = inputs[terms.feature[t]], int(terms.first[t]), int(terms.form[t])
    missing = number(float(terms.missing[t]))
    if form in (d.LINEAR, d.SINGLE):
        value = _as_single(query, x) if form == d.SINGLE else x
        product = f"{number(float(terms.numbers[start]))} * {value}"
        return case([(f"{x} IS NULL", missing)], product)
    if form == d.SCORES:
        known = [(f"{x} = {code}", number(score)) for code, score in enumerate(_scores(terms, t))]
        return case(known, missing)
    n_cuts = int(terms.n_cuts[t])
    cuts = [number(cut) for cut in terms.numbers[start : start + n_cuts].tolist()]
    scores = [number(x) for x in terms.numbers[start + n_cuts : start + 2 * n_cuts + 1].tolist()]
    cases = [(f"{x} <= {cut}", score) for cut, score in zip(cuts, scores, strict=False)]
    return case([*cases, (f"{x} IS NOT NULL", scores[-1])], missing)


def _scores(terms: d.Terms, t: int) -> list[float]:
    """Return the scores of a term, up to where the next one starts."""
    start = int(terms.first[t])
    later = terms.first[terms.first > start]
    end = int(later.min()) if len(later) else len(terms.numbers)
    scores: list[float] = terms.numbers[start:end].tolist()
    return scores


def _as_single(query: SqlQuery, x: str) -> str:
    """Return a number rounded to float32, which SQLite does not have.

    The greatest and the least numbers are rounded by comparison and by adding a constant. For the
    others the product with 2**29 + 1 leaves 24 binary digits (Veltkamp's splitting).
    """
    above_all, below_all = 2.0**128 - 2.0**103, 2.0**-126
    rounder = 1.5 * 2.0 ** (52 - 149)
    large = query.let(f"{x} * {number(2.0**29 + 1)}")
    cases = [
        (f"{x} >= {number(above_all)}", INFINITY),
        (f"{x} <= {number(-above_all)}", f"(-{INFINITY})"),
        (
            f"{x} < {number(below_all)} AND {x} > {number(-below_all)}",
            f"(({x} + {number(rounder)}) - {number(rounder)})",
        ),
    ]
    return query.let(case(cases, f"({large} - ({large} - {x}))"))


def logistic(query: SqlQuery, output: str) -> str:
    """Return 1 / (1 + exp(-2 h)), with the operations of `probabilities.exponential`."""
    x = query.let(f"{number(-2.0)} * {output}")
    x = query.let(case([(f"{x} < -700e0", "(-700e0)"), (f"{x} > 700e0", "700e0")], x))
    scaled = query.let(f"{x} * {number(LOG2_E)} + {number(0.5)}")
    rounded = query.let(f"({scaled} + {number(_ROUNDER)}) - {number(_ROUNDER)}")
    k = query.let(case([(f"{rounded} > {scaled}", f"{rounded} - 1e0")], rounded))
    rest = query.let(f"{x} - {k} * {number(LN2_HIGH)} - {k} * {number(LN2_LOW)}")
    series = number(TAYLOR[0])
    for coefficient in TAYLOR[1:]:
        series = query.let(f"{series} * {rest} + {number(coefficient)}")
    size = query.let(f"CAST({case([(f'{k} < 0e0', f'-{k}')], k)} AS BIGINT)")
    power = query.let(
        " * ".join(
            case([(f"({size} & {2**bit}) > 0", number(2.0**2**bit))], "1e0") for bit in range(10)
        )
    )
    scaled_series = case([(f"{k} < 0e0", f"{series} / {power}")], f"{series} * {power}")
    return query.let(f"1e0 / (1e0 + {scaled_series})")
