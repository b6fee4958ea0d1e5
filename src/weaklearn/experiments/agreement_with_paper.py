"""Does a value agree with the one that a paper prints? One rule for every cell of every table."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy import stats

from weaklearn.experiments.cross_validation import Estimate

#: The rule in words, for those who read the results.
RULE = (
    "A cell agrees with the paper when the paper's value lies within our 95% interval, widened for "
    "the paper's own: ours ± t · s · √2, and half a unit of the last digit that the paper prints. "
    "s is the standard error of our mean: the deviation between the trials (folds, training sets) "
    "over the root of their number in one repeat; where all trials share their test rows, the "
    "variance that these rows bring is added. t is the 97.5% point of Student's distribution for "
    "our number of trials; √2 supposes that the paper's value is as unsure as ours. More repeats "
    "steady our mean, but look at the same rows again, so they do not narrow the interval."
)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Our value beside a paper's.

    Parameters
    ----------
    low, high : float
        Between which the paper's value agrees with ours; NaN where one trial alone says nothing
        about its own chance.
    difference : float
        Ours minus the paper's.
    agrees : bool or None
        None where nobody can tell.
    """

    low: float
    high: float
    difference: float
    agrees: bool | None


def agreement(ours: Estimate, n_trials: int, published: float, digits: int) -> Agreement:
    """Tell whether a published value agrees with ours, by `RULE`.

    Parameters
    ----------
    ours : Estimate
        Our mean and its standard error.
    n_trials : int
        How many trials, of all repeats, it is the mean of.
    published : float
        What the paper prints.
    digits : int
        To how many decimals.

    Returns
    -------
    Agreement
        The widened interval, the difference and the verdict.

    Examples
    --------
    >>> from weaklearn.experiments import Estimate
    >>> agreement(Estimate(5.0, 0.5), 10, 6.5, digits=2).agrees
    True
    >>> agreement(Estimate(5.0, 0.0), 10, 5.1, digits=1).agrees
    False
    """
    difference = ours.mean - published
    if n_trials < 2 or not math.isfinite(ours.standard_error):
        return Agreement(math.nan, math.nan, difference, None)
    t = float(stats.t.ppf(0.975, n_trials - 1))
    half = t * ours.standard_error * math.sqrt(2) + 0.5 * 10.0**-digits
    # A value that is printed as 5.05 may lie above the number of that name.
    agrees = abs(difference) <= half * (1 + 1e-9)
    return Agreement(ours.mean - half, ours.mean + half, difference, agrees)
