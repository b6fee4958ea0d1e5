"""Statistical tests and confidence intervals for the paired results of two methods.

A difference is the second method's value minus the first's. For errors and sizes, where less is
better, a positive difference is in favour of the first method.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

_NORMAL_975 = 1.96  # a normal variable lies within 1.96 deviations of its mean in 95% of cases


@dataclass(frozen=True, slots=True)
class Interval:
    """A difference and its 95% confidence interval.

    Parameters
    ----------
    difference : float
        The observed difference, the second's value minus the first's.
    low, high : float
        The ends of the interval.
    """

    difference: float
    low: float
    high: float

    @property
    def significant(self) -> bool:
        """Whether zero lies outside the interval."""
        return not self.low <= 0 <= self.high


@dataclass(frozen=True, slots=True)
class TTest:
    """A two-tailed paired t-test.

    Parameters
    ----------
    difference : float
        The mean of the second's values minus the first's.
    t : float
        Student's t; infinite where all differences are equal and not zero.
    p : float
        The probability of a t at least as large, of either sign, if the differences have mean zero.
    n_pairs : int
        The number of pairs.
    """

    difference: float
    t: float
    p: float
    n_pairs: int


@dataclass(frozen=True, slots=True)
class SignTest:
    """A two-tailed sign test.

    Parameters
    ----------
    wins, losses, ties : int
        In how many pairs the first is less than, more than, and equal to the second.
    p : float
        The probability of counts at least as unequal if wins and losses are equally likely. Ties
        are not counted.
    """

    wins: int
    losses: int
    ties: int
    p: float


def paired_t_test(first: Any, second: Any) -> TTest:
    """Test whether the means of paired numbers differ.

    Parameters
    ----------
    first, second : array of numbers
        The results of two methods in the same trials, in the same order.

    Returns
    -------
    TTest
        Its t is positive where the second's numbers are larger.

    Examples
    --------
    >>> from weaklearn.experiments import paired_t_test
    >>> test = paired_t_test([19, 21, 23, 25], [23, 25, 27, 25])
    >>> test.difference, round(test.t, 3), round(test.p, 3)
    (3.0, 3.0, 0.058)
    """
    before, after = _pairs(first, second)
    if len(before) < 2:
        raise ValueError(f"a t-test needs at least two pairs, got {len(before)}.")
    differences = after - before
    mean = float(differences.mean())
    # t divides by the deviation, which is zero here, or would be without rounding.
    if np.ptp(differences) <= 1e-12 * np.abs(differences).max():
        return (
            TTest(mean, math.copysign(math.inf, mean), 0.0, len(before))
            if mean
            else TTest(0.0, 0.0, 1.0, len(before))
        )
    test = stats.ttest_1samp(differences, 0.0)
    return TTest(mean, float(test.statistic), float(test.pvalue), len(before))


def corrected_t_test(first: Any, second: Any, n_folds: int) -> TTest:
    """Test whether the mean results of two cross-validations differ.

    Folds share training rows, and repeats share all rows. So their results are not independent, and
    the plain t-test reports differences that are not there. C. Nadeau and Y. Bengio, "Inference for
    the generalization error" (Machine Learning 52, 2003), correct it: they add the ratio of test
    rows to training rows to 1 / n.

    Parameters
    ----------
    first, second : array of numbers
        The results of two methods in the same folds, of one repeat or more, in the same order.
    n_folds : int
        How many folds a repeat has.

    Returns
    -------
    TTest
        Its t is positive where the second's numbers are larger.

    Examples
    --------
    >>> from weaklearn.experiments import corrected_t_test
    >>> test = corrected_t_test([19, 21, 23, 25], [23, 25, 27, 25], n_folds=4)
    >>> round(test.t, 3), round(test.p, 3)
    (1.964, 0.144)
    """
    plain = paired_t_test(first, second)
    t = plain.t / math.sqrt(1 + plain.n_pairs / (n_folds - 1))
    return replace(plain, t=t, p=float(2 * stats.t.sf(abs(t), plain.n_pairs - 1)))


def sign_test(first: Any, second: Any) -> SignTest:
    """Test whether one of two methods has the smaller number more often than the other.

    Parameters
    ----------
    first, second : array of numbers
        The results of two methods on the same problems or trials, in the same order.

    Returns
    -------
    SignTest
        How often the first is smaller, larger and equal, and the p of these counts.

    Examples
    --------
    >>> from weaklearn.experiments import sign_test
    >>> sign_test([1, 1, 1, 1, 1, 1, 1, 1, 3], [2] * 9)
    SignTest(wins=8, losses=1, ties=0, p=0.0390625)
    """
    before, after = _pairs(first, second)
    wins = int(np.count_nonzero(before < after))
    losses = int(np.count_nonzero(before > after))
    decided = wins + losses
    p = float(stats.binomtest(wins, decided).pvalue) if decided else 1.0
    return SignTest(wins, losses, len(before) - decided, p)


def wilcoxon_test(first: Any, second: Any) -> float:
    """Return the p-value of Wilcoxon's two-tailed signed-rank test of paired numbers.

    Equal numbers count half for each side, as in J. Demsar, "Statistical comparisons of classifiers
    over multiple data sets" (JMLR 7, 2006). The p-value is exact, also with ties.

    Parameters
    ----------
    first, second : array of numbers
        The results of two methods on the same tables, in the same order.

    Returns
    -------
    float
        The probability of rank sums at least as unequal if neither method is better; 1 if all
        pairs are equal.

    Examples
    --------
    >>> from weaklearn.experiments import wilcoxon_test
    >>> wilcoxon_test([1, 2, 3, 4, 5], [2, 4, 6, 8, 10])
    0.0625
    """
    before, after = _pairs(first, second)
    if len(before) == 0:
        raise ValueError("a Wilcoxon test needs at least one pair, got none.")
    differences = after - before
    ranks = np.rint(2 * stats.rankdata(np.abs(differences))).astype(np.int64)  # twice: whole
    ranks, is_positive = ranks[differences != 0], (differences > 0)[differences != 0]
    # Each rank is positive with probability 1/2. Element s: the probability of the sum s.
    probabilities = np.zeros(ranks.sum() + 1)
    probabilities[0] = 1.0
    for rank in ranks:
        probabilities[rank:] += probabilities[:-rank].copy()
        probabilities /= 2
    observed = ranks[is_positive].sum()
    tails = probabilities[: observed + 1].sum(), probabilities[observed:].sum()
    return float(min(1.0, 2 * min(tails)))


def holm_correction(p_values: Any) -> NDArray[np.float64]:
    """Return p-values that are corrected for the number of tests (S. Holm 1979).

    Parameters
    ----------
    p_values : array of float
        The p-value of each test.

    Returns
    -------
    array of float64
        In the same order; each at least as large as before.

    Examples
    --------
    >>> from weaklearn.experiments import holm_correction
    >>> holm_correction([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(given, kind="stable")
    factors = np.arange(len(given), 0, -1)
    corrected = np.empty_like(given)
    corrected[order] = np.minimum(np.maximum.accumulate(factors * given[order]), 1.0)
    return corrected


def marginal_homogeneity(first: Any, second: Any) -> Interval:
    """Compute a 95% interval for the difference of two error rates on the same test rows.

    Each method has fitted n models, one to each of n training sets, and all 2n models predict the
    same N test rows. Suppose that i models of the first method and j models of the second predict
    a row correctly. The difference d is the mean of (i - j) / n over the rows, and the interval is

        d ± 1.96 sqrt((mean of (i - j)² / n² - d²) / N).

    This is the large-sample interval for the difference between the means of the margins of a
    square table (Y. Bishop, S. Fienberg and P. Holland, Discrete Multivariate Analysis, 1975).
    Rows that both methods misclassify cancel, which makes the interval narrow. It accounts for the
    choice of test rows, and not for the choice of training sets.

    Parameters
    ----------
    first, second : array of bool, of shape (n_models, n_rows)
        Which test rows each model of a method misclassifies.

    Returns
    -------
    Interval
        For the second's error rate minus the first's.

    Examples
    --------
    >>> from weaklearn.experiments import marginal_homogeneity
    >>> first = [[False, False, False, True], [False, False, True, False]]
    >>> second = [[True, False, False, True], [True, False, False, True]]
    >>> marginal_homogeneity(first, second).difference
    0.25
    """
    wrong = [np.asarray(errors) for errors in (first, second)]
    shapes = [errors.shape for errors in wrong]
    if shapes[0] != shapes[1] or len(shapes[0]) != 2 or 0 in shapes[0]:
        raise ValueError(
            f"got errors of shapes {shapes[0]} and {shapes[1]}; expected the same shape for both, "
            "(number of models, number of test rows)."
        )
    if any(errors.dtype != np.bool_ for errors in wrong):
        raise ValueError(
            f"got errors of types {wrong[0].dtype} and {wrong[1].dtype}; expected True where a "
            "model misclassifies a row and False elsewhere."
        )
    n_models, n_rows = shapes[0]
    shares = (wrong[1].sum(axis=0) - wrong[0].sum(axis=0)) / n_models
    difference = float(shares.mean())
    half = _NORMAL_975 * math.sqrt(float(shares.var()) / n_rows)
    return Interval(difference, difference - half, difference + half)


def _pairs(first: Any, second: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    numbers = [np.asarray(values, dtype=np.float64) for values in (first, second)]
    if numbers[0].shape != numbers[1].shape or numbers[0].ndim != 1:
        raise ValueError(
            f"got numbers of shapes {numbers[0].shape} and {numbers[1].shape}; expected one number "
            "for each trial, for the same trials in both."
        )
    if not all(np.isfinite(values).all() for values in numbers):
        raise ValueError("got a number that is missing or infinite; expected finite numbers only.")
    return numbers[0], numbers[1]
