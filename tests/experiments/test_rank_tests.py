"""Ranks, Friedman's test and the critical difference, against definitions and published values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from weaklearn.experiments import critical_difference, rank_test, ranks_of

#: Demsar (JMLR 7, 2006), table 5a: q for 2 to 10 models at the level 0.05.
Q_05 = (1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164)
#: The same at the level 0.10.
Q_10 = (1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920)


@pytest.mark.parametrize(("level", "published"), [(0.05, Q_05), (0.10, Q_10)])
def test_the_critical_difference_is_the_published_one(
    level: float, published: tuple[float, ...]
) -> None:
    for n_models, q in enumerate(published, start=2):
        for n_tables in (5, 30):
            scale = math.sqrt(n_models * (n_models + 1) / (6 * n_tables))
            difference = critical_difference(n_models, n_tables, level)
            assert difference / scale == pytest.approx(q, abs=0.0015)


def plain_ranks(values: list[float]) -> list[float]:
    """One plus the number of better values, plus half the number of other equal values."""
    return [1 + sum(w < v for w in values) + (sum(w == v for w in values) - 1) / 2 for v in values]


@given(st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=6))
def test_ranks_with_ties(rows: list[list[float]]) -> None:
    assert ranks_of(rows).tolist() == [plain_ranks(row) for row in rows]
    reversed_rows = [[-value for value in row] for row in rows]
    assert ranks_of(reversed_rows, higher_is_better=True).tolist() == ranks_of(rows).tolist()


def test_ranks_need_every_value() -> None:
    with pytest.raises(ValueError, match="expected a finite number for each table"):
        ranks_of([[0.1, float("nan")]])


def test_demsars_example() -> None:
    """His four models on 14 tables have these mean ranks, chi-squared 9.28 and F 3.69."""
    means = np.array([3.143, 2.000, 2.893, 1.964])
    test = rank_test(["C4.5", "+m", "+cf", "+m+cf"], np.tile(means, (14, 1)))
    assert test.chi_squared == pytest.approx(9.28, abs=0.03)
    assert test.p == pytest.approx(stats.f.sf(3.69, 3, 39), abs=0.0005)
    assert test.critical_difference == pytest.approx(1.25, abs=0.005)
    assert test.models == ("+m+cf", "+m", "+cf", "C4.5")


def test_without_ties_chi_squared_is_scipys() -> None:
    values = np.random.default_rng(0).random((9, 5))
    test = rank_test(list("abcde"), ranks_of(values))
    assert test.chi_squared == pytest.approx(stats.friedmanchisquare(*values.T).statistic)


def test_models_that_always_have_the_same_order_differ() -> None:
    test = rank_test(list("abc"), [[1, 2, 3]] * 40)
    assert test.p == 0
    assert test.groups == []
    assert test.tied_with_best == ()
    same = rank_test(list("abc"), [[2, 2, 2]] * 40)
    assert same.p == 1
    assert same.groups == [("a", "b", "c")]


@given(st.lists(st.floats(1, 9), min_size=2, max_size=8), st.integers(2, 60))
def test_groups_are_the_largest_runs_within_the_difference(
    means: list[float], n_tables: int
) -> None:
    names = [f"m{i}" for i in range(len(means))]
    test = rank_test(names, np.tile(means, (n_tables, 1)))
    rank_of = dict(zip(test.models, test.mean_ranks, strict=True))
    near = {
        (a, b)
        for i, a in enumerate(test.models)
        for b in test.models[i + 1 :]
        if rank_of[b] - rank_of[a] <= test.critical_difference
    }
    covered = {(a, b) for group in test.groups for i, a in enumerate(group) for b in group[i + 1 :]}
    assert covered == near
    for group in test.groups:
        assert not any(set(group) < set(other) for other in test.groups)


def test_too_few_tables() -> None:
    with pytest.raises(ValueError, match="got 2 models on 1 tables"):
        rank_test(["a", "b"], [[1, 2]])
