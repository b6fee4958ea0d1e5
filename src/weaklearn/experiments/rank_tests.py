"""Rank models on several tables, and test whether the mean ranks differ.

The tests are those that J. Demsar recommends in "Statistical comparisons of classifiers over
multiple data sets" (JMLR 7, 2006): Friedman's test with the statistic of Iman and Davenport, and
the critical difference of Nemenyi.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats


@dataclass(frozen=True, slots=True)
class RankTest:
    """The mean ranks of models, best first, and whether they differ.

    Parameters
    ----------
    models : tuple of str
        The models, the lowest mean rank first.
    mean_ranks : tuple of float
        Their mean ranks; 1 is the best.
    n_tables : int
        The number of tables.
    chi_squared, p : float
        Friedman's statistic, and the p-value of Iman and Davenport's F, which is made of it.
    critical_difference : float
        Mean ranks that differ by more differ significantly at 5 % (Nemenyi).
    """

    models: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    n_tables: int
    chi_squared: float
    p: float
    critical_difference: float

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """The largest sets of at least two models that do not differ significantly."""
        groups: list[tuple[str, ...]] = []
        end = 0
        for first, rank in enumerate(self.mean_ranks):
            last = max(
                i for i, r in enumerate(self.mean_ranks) if r - rank <= self.critical_difference
            )
            if last > first and last >= end:
                groups.append(self.models[first : last + 1])
                end = last + 1
        return groups

    @property
    def tied_with_best(self) -> tuple[str, ...]:
        """The models that do not differ significantly from the best, without the best itself."""
        limit = self.mean_ranks[0] + self.critical_difference
        return tuple(
            m for m, r in zip(self.models[1:], self.mean_ranks[1:], strict=True) if r <= limit
        )


def ranks_of(values: Any, *, higher_is_better: bool = False) -> NDArray[np.float64]:
    """Rank the models on each table; equal values share the mean of their ranks.

    Parameters
    ----------
    values : array of float, shape (n_tables, n_models)
        The result of each model on each table.
    higher_is_better : bool
        Whether the highest value gets rank 1.

    Returns
    -------
    array of float64, shape (n_tables, n_models)
        The ranks; 1 is the best.

    Examples
    --------
    >>> from weaklearn.experiments import ranks_of
    >>> ranks_of([[0.1, 0.3, 0.1]]).tolist()
    [[1.5, 3.0, 1.5]]
    """
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.ndim != 2 or not np.isfinite(numbers).all():
        raise ValueError(
            f"got values of shape {numbers.shape}; expected a finite number for each table (rows) "
            "and model (columns)."
        )
    ranks: NDArray[np.float64] = stats.rankdata(-numbers if higher_is_better else numbers, axis=1)
    return ranks


def rank_test(models: Sequence[str], ranks: Any) -> RankTest:
    """Test whether the mean ranks of models differ.

    Parameters
    ----------
    models : list of str
        The names of at least two models.
    ranks : array of float, shape (n_tables, n_models)
        As `ranks_of` returns them, for at least two tables.

    Returns
    -------
    RankTest
        The models in the order of their mean ranks.

    Examples
    --------
    >>> from weaklearn.experiments import rank_test
    >>> test = rank_test(["a", "b", "c"], [[1, 2, 3]] * 5 + [[2, 1, 3]] * 5)
    >>> test.models, test.mean_ranks, round(test.critical_difference, 3)
    (('a', 'b', 'c'), (1.5, 1.5, 3.0), 1.048)
    >>> test.groups
    [('a', 'b')]
    """
    table = np.asarray(ranks, dtype=np.float64)
    n_tables, n_models = table.shape
    if n_models < 2 or n_tables < 2:
        raise ValueError(
            f"got {n_models} models on {n_tables} tables; a test of ranks needs two of both."
        )
    means = table.mean(axis=0)
    spread = float((means**2).sum() - n_models * (n_models + 1) ** 2 / 4)
    chi_squared = max(0.0, 12 * n_tables / (n_models * (n_models + 1)) * spread)
    most = n_tables * (n_models - 1)  # the statistic if all tables agree
    if chi_squared >= most * (1 - 1e-12):
        p = 0.0
    else:
        f = (n_tables - 1) * chi_squared / (most - chi_squared)
        p = float(stats.f.sf(f, n_models - 1, (n_models - 1) * (n_tables - 1)))
    order = np.argsort(means, kind="stable")
    return RankTest(
        tuple(models[i] for i in order),
        tuple(float(means[i]) for i in order),
        n_tables,
        chi_squared,
        p,
        critical_difference(n_models, n_tables),
    )


def critical_difference(n_models: int, n_tables: int, level: float = 0.05) -> float:
    """Return the least significant difference of mean ranks, by Nemenyi's test.

    It is q sqrt(k (k + 1) / (6 N)) for k models and N tables, where q is the quantile of the
    studentized range for infinitely many degrees of freedom, divided by sqrt(2).

    Parameters
    ----------
    n_models, n_tables : int
        How many there are.
    level : float
        The level of significance.

    Returns
    -------
    float
        The difference.

    Examples
    --------
    >>> from weaklearn.experiments import critical_difference
    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    q = _quantile(n_models, level) / math.sqrt(2)
    return q * math.sqrt(n_models * (n_models + 1) / (6 * n_tables))


@lru_cache(maxsize=64)  # it takes a tenth of a second
def _quantile(n_models: int, level: float) -> float:
    return float(stats.studentized_range.ppf(1 - level, n_models, math.inf))
