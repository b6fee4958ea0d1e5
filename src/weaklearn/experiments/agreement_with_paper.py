"""Decide whether a value agrees with the value that a paper prints: one rule for every table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from scipy import stats

from weaklearn.experiments.cross_validation import Estimate

#: An interval that reaches further than this share of the value cannot tell much.
WIDEST = 0.25

#: The rule in words, for the readers of a report.
RULE = (
    "A cell agrees with the paper when the paper's value lies within our 95% interval and the "
    "interval is narrow enough to tell: it reaches at most 25% of the value (ours or the paper's, "
    "whichever is larger) to each side. A cell whose wider interval holds the paper's value is too "
    "noisy to judge. A cell whose interval does not hold it differs. The "
    "interval is our mean ± t · s · √2, plus half a unit of the last digit that the paper prints. "
    "s is the standard error of our mean: the deviation between the trials (folds or training "
    "sets), divided by the square root of the number of trials in one repeat. Where all trials "
    "share their test rows, the variance due to the test rows is added. t is the 97.5% point of "
    "Student's distribution for our number of trials. The factor √2 assumes that the paper's value "
    "is as uncertain as ours. More repeats make our mean more precise, but they test on the same "
    "rows, so they do not narrow the interval."
)

Verdict = Literal["agrees", "differs", "too noisy"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Our value compared with a paper's.

    Parameters
    ----------
    low, high : float
        The interval of values that are compatible with ours; NaN where there is one trial only,
        because its standard error cannot be estimated.
    difference : float
        Our value minus the paper's.
    verdict : str
        "agrees", "differs", or "too noisy" to judge, by `RULE`.
    """

    low: float
    high: float
    difference: float
    verdict: Verdict


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
        The interval, the difference, and the verdict.

    Examples
    --------
    >>> from weaklearn.experiments import Estimate
    >>> check_agreement(Estimate(5.0, 0.3), 10, 5.5, digits=2).verdict
    'agrees'
    >>> check_agreement(Estimate(5.0, 0.9), 10, 5.5, digits=2).verdict
    'too noisy'
    >>> check_agreement(Estimate(5.0, 0.0), 10, 5.1, digits=1).verdict
    'differs'
    """
    difference = ours.mean - published
    if n_trials < 2 or not math.isfinite(ours.standard_error):
        return Agreement(math.nan, math.nan, difference, "too noisy")
    t = float(stats.t.ppf(0.975, n_trials - 1))
    rounding = 0.5 * 10.0**-digits
    half = t * ours.standard_error * math.sqrt(2) + rounding
    verdict: Verdict
    # The float nearest to a printed 5.05 may lie slightly above 5.05, so the limit has a tolerance.
    if abs(difference) > half * (1 + 1e-9):
        verdict = "differs"
    elif half - rounding > WIDEST * max(abs(ours.mean), abs(published)):
        verdict = "too noisy"
    else:
        verdict = "agrees"
    return Agreement(ours.mean - half, ours.mean + half, difference, verdict)
