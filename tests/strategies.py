"""Hypothesis strategies: small random tables with difficult values, and options for C4.5."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from oracles.c45 import Options, Table

CRITERIA = ["gain_ratio", "gain", "gini", "km"]

# Pools of numbers a continuous column draws from: few, so that values repeat and splits tie.
NUMBER_POOLS: list[list[float]] = [
    [0.0, 1.0, 2.0, 3.0],
    [-2.5, -0.1, 0.1, 0.3, 0.7, 1.1],
    [1.0, 1.000001, 1.000005, 1.00002, 2.0],  # closer than 1e-5: never separated
    [1.0, 1.0 + 1e-9, 1.5, 2.0],  # equal in single precision
    [16777216.0, 16777217.0, 16777218.0, 16777220.0],  # the end of single precision's integers
    [0.0, 1e-40, 1e-6, 1e-4],
    [-1e30, -1.0, 0.0, 1.0, 1e30],
    [-1e300, 0.0, 1e300, 1.7e308],  # beyond single precision
    [-999.0, -1.0, 0.0, 999.0],  # -999, an old marker of missing values, is a plain number
]
# Pools of weights. None differ only in their last digits: two programs need not agree on which of
# two weights that are 1e-9 apart is larger.
WEIGHT_POOLS: list[list[float]] = [
    [0.0, 1.0, 2.0, 3.0],
    [0.1, 0.25, 0.5, 1 / 3, 0.7, 1.0, 1.5, 2.5],
    [0.0, 1e12, 2e12, 3e12],
    [0.5, 1.0, 1e12],
    [5e-324, 1e-310, 1.0, 2.0],
    [5e-324, 1e-310],
]


def _cells(pool: list[Any], n_rows: int, missing: bool) -> st.SearchStrategy[list[Any]]:
    choices = [*pool, None] if missing else pool
    return st.lists(st.sampled_from(choices), min_size=n_rows, max_size=n_rows)


def weights(n_rows: int) -> st.SearchStrategy[list[float]]:
    """Draw one weight per row, at least one of them positive, that count rows.

    A fit takes weights that sum to at most 1 as a distribution. Here they are scaled already.
    """
    drawn = st.sampled_from(WEIGHT_POOLS).flatmap(
        lambda pool: st.lists(st.sampled_from(pool), min_size=n_rows, max_size=n_rows).filter(any)
    )
    return drawn.map(lambda numbers: counts_of(numbers) if sum(numbers) <= 1 else numbers)


def counts_of(distribution: list[float]) -> list[float]:
    """Scale weights to the number of positive ones."""
    n_present = sum(weight > 0 for weight in distribution)
    return [weight / sum(distribution) * n_present for weight in distribution]


@st.composite
def continuous_columns(draw: st.DrawFn, n_rows: int) -> list[float | None]:
    pool = draw(st.sampled_from(NUMBER_POOLS))
    return draw(_cells(pool, n_rows, missing=draw(st.booleans())))


@st.composite
def nominal_columns(draw: st.DrawFn, n_rows: int) -> tuple[list[str | None], list[str]]:
    """Draw cells and declared values; some values may never occur."""
    n_values = draw(st.sampled_from([1, 2, 2, 3, 3, 4, 4, 300]))
    values = [f"v{i}" for i in range(n_values)]
    used = values[: draw(st.integers(1, n_values))]
    return draw(_cells(used, n_rows, missing=draw(st.booleans()))), values


@st.composite
def labels(draw: st.DrawFn, columns: list[list[Any]], classes: list[str]) -> list[str]:
    """Draw classes at random, or by a rule over two columns with noise, which grows more trees."""
    n_rows = len(columns[0])
    chance = draw(_cells(classes, n_rows, missing=False))
    if draw(st.integers(0, 3)) == 0:
        return chance
    first, second = draw(st.sampled_from(columns)), draw(st.sampled_from(columns))
    noisy = draw(st.sets(st.integers(0, n_rows - 1), max_size=3))
    codes = [
        _codes(first)[cell] + _codes(second)[other]
        for cell, other in zip(first, second, strict=True)
    ]
    return [
        chance[i] if i in noisy else classes[code % len(classes)] for i, code in enumerate(codes)
    ]


def _codes(column: list[Any]) -> dict[Any, int]:
    return {cell: code for code, cell in enumerate(sorted(set(column), key=str))}


@st.composite
def tables(
    draw: st.DrawFn, max_rows: int = 30, max_columns: int = 5, weighted: bool = True
) -> Table:
    """Draw a table of 1 to `max_rows` rows; all values of a column may be missing."""
    n_rows = draw(st.sampled_from(range(1, max_rows + 1)))  # integers() favours small ones
    columns: list[list[Any]] = []
    kinds, values = [], []
    for _ in range(draw(st.integers(1, max_columns))):
        kind = draw(st.sampled_from(["continuous", "nominal"]))
        cells: list[Any]
        declared: list[str] = []
        if kind == "continuous":
            cells = list(draw(continuous_columns(n_rows)))
        else:
            nominal, declared = draw(nominal_columns(n_rows))
            cells = list(nominal)
        if draw(st.integers(0, 9)) == 0:
            cells = [None] * n_rows
        columns.append(cells)
        kinds.append(kind)
        values.append(declared)
    classes = [f"c{i}" for i in range(draw(st.sampled_from([1, 2, 2, 3, 3, 4])))]
    used = classes[: draw(st.sampled_from([4, 4, 4, 3, 2, 1]))]
    return Table(
        columns=columns,
        kinds=kinds,
        values=values,
        classes=classes,
        y=draw(labels(columns, used)),
        weights=draw(weights(n_rows)) if weighted and draw(st.booleans()) else [],
    )


@st.composite
def longer_tables(draw: st.DrawFn, most_values: int) -> Table:
    """Draw a table with columns of more than 255 distinct numbers.

    The core keeps such columns in sorted order, and counts columns of fewer values at each node.
    Small tables have only columns of the second kind.
    """
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_rows = draw(st.sampled_from([280, 340, 420]))
    decimals = draw(st.sampled_from([9, 3, 2]))
    few = chance.integers(0, 5, n_rows).astype(float)
    first, second = chance.normal(size=(2, n_rows)).round(decimals)
    names = [f"v{i}" for i in range(300)]
    many = [names[i] for i in chance.integers(0, most_values, n_rows)]
    score = first + second * (few > 2) + chance.normal(scale=0.3, size=n_rows)
    classes = ["c0", "c1", "c2"]
    y = [classes[k] for k in np.digitize(score, [-0.5, 0.7])]
    columns: list[list[object]] = [first.tolist(), few.tolist(), second.tolist(), list(many)]
    for column in columns:
        if draw(st.booleans()):
            for i in np.flatnonzero(chance.random(n_rows) < 0.1):
                column[i] = None
    weights = draw(
        st.sampled_from(
            [
                [],
                chance.integers(0, 4, n_rows).astype(float).tolist(),
                chance.choice([0.25, 0.4, 1.0, 1.3], n_rows).tolist(),
            ]
        )
    )
    kinds = ["continuous"] * 3 + ["nominal"]
    return Table(columns, kinds, [[], [], [], names], classes, y, weights)


@st.composite
def tables_of_many_values(draw: st.DrawFn) -> Table:
    """Draw a table with a nominal column that has too many declared values for subsets.

    Some of its values are frequent, others rare, and most do not occur. The column has more than
    1,000 values, or values for more than a fifth of the rows.
    """
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_rows = int(chance.choice([5, 12, 30, 60]))
    n_classes = int(chance.choice([2, 3]))
    n_values = draw(st.sampled_from([60, 1001]))
    names = [f"v{i}" for i in range(n_values)]
    n_used = int(chance.choice([2, 4, 9, n_rows]))
    used = chance.choice(n_values, n_used, replace=False)
    places = np.minimum(chance.geometric(0.25, n_rows) - 1, n_used - 1)
    key = chance.permutation(n_rows) if n_used == n_rows else places
    values = [names[used[i]] for i in key]
    number = chance.integers(0, 4, n_rows).astype(float)
    score = np.where(chance.random(n_rows) < 0.7, used[key] + number, chance.integers(0, 9, n_rows))
    classes = [f"c{k}" for k in range(n_classes)]
    y = [classes[int(k) % n_classes] for k in score]
    columns: list[list[Any]] = [list(values), number.tolist()]
    for i in np.flatnonzero(chance.random(n_rows) < draw(st.sampled_from([0.0, 0.2]))):
        columns[0][i] = None
    weights = draw(st.sampled_from([[], chance.choice([0.4, 1.0, 2.5], n_rows).tolist()]))
    return Table(columns, ["nominal", "continuous"], [names, []], classes, y, weights)


@st.composite
def tables_of_some_values(draw: st.DrawFn) -> Table:
    """Draw a table for a search for subsets that takes many steps.

    Either many values differ in their classes, or most values weigh less than one row.
    """
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    are_light = draw(st.booleans())
    n_rows = int(chance.choice([6, 8, 12] if are_light else [16, 30, 50]))
    n_classes = int(chance.choice([2, 3, 4]))
    n_values = int(chance.integers(4, 11))
    shares = chance.dirichlet(np.full(n_values, chance.choice([0.5, 2.0])))
    codes = chance.choice(n_values, n_rows, p=shares)
    noise = chance.integers(0, n_classes, n_rows)
    is_clear = chance.random(n_rows) < chance.choice([0.0, 0.3])
    y = np.where(is_clear, codes % n_classes, noise)
    pools = [[0.6, 0.7, 0.9], [0.3, 0.6, 1.2]] if are_light else [[1.0], [0.6, 0.9, 1.0, 3.0]]
    weights = chance.choice(draw(st.sampled_from(pools)), n_rows).tolist()
    cells: list[Any] = [f"v{code}" for code in codes]
    for i in np.flatnonzero(chance.random(n_rows) < draw(st.sampled_from([0.0, 0.0, 0.1]))):
        cells[i] = None
    values, classes = [f"v{i}" for i in range(n_values)], [f"c{k}" for k in range(n_classes)]
    return Table([cells], ["nominal"], [values], classes, [classes[k] for k in y], weights)


@st.composite
def tables_missing_for_a_reason(draw: st.DrawFn) -> Table:
    """Draw a table of few rows and values in which missing cells have to do with the class.

    Splits that send missing values either way then compete, and often tie.
    """
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_rows = int(chance.choice([4, 6, 8, 10, 12, 16, 24, 40]))
    n_classes = int(chance.choice([2, 2, 3]))
    classes = [f"c{k}" for k in range(n_classes)]
    y = chance.integers(0, n_classes, n_rows)
    columns: list[list[Any]] = []
    kinds, values = [], []
    for _ in range(int(chance.integers(1, 4))):
        n_values = int(chance.choice([1, 2, 3, 4, 8]))
        noise = chance.integers(0, n_values, n_rows)
        codes = np.where(chance.random(n_rows) < 0.5, y * n_values // n_classes, noise)
        # How often a cell is missing depends on the class.
        is_missing = chance.random(n_rows) < chance.choice([0.0, 0.2, 0.5, 0.9], n_classes)[y]
        nominal = chance.random() < 0.25
        cells = [f"v{code}" if nominal else float(code) for code in codes]
        columns.append([None if gap else x for x, gap in zip(cells, is_missing, strict=True)])
        kinds.append("nominal" if nominal else "continuous")
        values.append([f"v{code}" for code in range(n_values)] if nominal else [])
    weights = draw(
        st.sampled_from(
            [
                [],
                chance.integers(1, 4, n_rows).astype(float).tolist(),
                chance.choice([0.3, 0.5, 1.0, 1.5], n_rows).tolist(),
            ]
        )
    )
    labels = [classes[k] for k in y]
    return Table(columns, kinds, values, classes, labels, weights)


def options() -> st.SearchStrategy[Options]:
    return st.builds(
        Options,
        criterion=st.sampled_from(CRITERIA),
        min_objects=st.sampled_from([0.5, 1, 1, 1.5, 2, 2, 3, 30]),
        confidence=st.sampled_from([0.0005, 0.01, 0.05, 0.25, 0.5, 1.0]),
        subset=st.booleans(),
        threshold_penalty=st.booleans(),
        max_depth=st.sampled_from([None, None, None, None, 0, 1, 2, 5]),
        missing=st.sampled_from(["fraction", "branch"]),
    )
