"""Decide whether a value agrees with the value that a paper prints: one rule for every table."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy import stats

from weaklearn.experiments.cross_validation import Estimate

#: The rule in words, for the readers of a report.
RULE = (
    "A cell agrees with the paper when the paper's value lies within our 95% interval. The "
    "interval is our mean ± t · s · √2, plus half a unit of the last digit that the paper prints. "
    "s is the standard error of our mean: the deviation between the trials (folds or training "
    "sets), divided by the square root of the number of trials in one repeat. Where all trials "
    "share their test rows, the variance due to the test rows is added. t is the 97.5% point of "
    "Student's distribution for our number of trials. The factor √2 assumes that the paper's value "
    "is as uncertain as ours. More repeats make our mean more precise, but they test on the same "
    "rows, so they do not narrow the interval."
)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Our value compared with a paper's.

    Parameters
    ----------
    low, high : float
        The interval of values that agree with ours; NaN where there is one trial only, because
        its standard error cannot be estimated.
    difference : float
        Our value minus the paper's.
    agrees : bool or None
        Whether the paper's value lies in the interval; None where there is no interval.
    """

    low: float
    high: float
    difference: float
    agrees: bool | None


def check_agreement(ours: Estimate, n_trials: int, published: float, digits: int) -> Agreement:
    """Decide by `RULE` whether a published value agrees with ours.

    Parameters
    ----------
    ours : Estimate
        Our mean and its standard error.
    n_trials : int
        How many trials, in all repeats, our mean is made of.
    published : float
        The value that the paper prints.
    digits : int
        How many decimals the paper prints.

    Returns
    -------
    Agreement
        The interval, the difference, and whether the values agree.

    Examples
    --------
    >>> from weaklearn.experiments import Estimate
    >>> check_agreement(Estimate(5.0, 0.5), 10, 6.5, digits=2).agrees
    True
    >>> check_agreement(Estimate(5.0, 0.0), 10, 5.1, digits=1).agrees
    False
    """
    difference = ours.mean - published
    if n_trials < 2 or not math.isfinite(ours.standard_error):
        return Agreement(math.nan, math.nan, difference, None)
    t = float(stats.t.ppf(0.975, n_trials - 1))
    half = t * ours.standard_error * math.sqrt(2) + 0.5 * 10.0**-digits
    # The float nearest to a printed 5.05 may lie slightly above 5.05, so the limit has a tolerance.
    agrees = abs(difference) <= half * (1 + 1e-9)
    return Agreement(ours.mean - half, ours.mean + half, difference, agrees)
