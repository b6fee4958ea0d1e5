"""Proven bounds for boosting: on the training error, and on the number of rounds.

Each result names its theorem and the assumptions of that theorem.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TrainingBound:
    """An upper bound on the training error of a boosted committee, after each round.

    Parameters
    ----------
    product : array of float64
        prod 2 sqrt(eps (1 - eps)) over the rounds so far.
    exponential : array of float64
        exp(-2 sum gamma^2), gamma = 1/2 - eps. It is never below the product.
    theorem : str
        The name of the theorem.
    assumes : str
        Its assumptions.
    """

    product: NDArray[np.float64]
    exponential: NDArray[np.float64]
    theorem: str
    assumes: str

    def __repr__(self) -> str:
        last = f", after the last at most {self.product[-1]:.3g}" if len(self.product) else ""
        return f"TrainingBound({len(self.product)} rounds{last}; {self.theorem})"

    def plot(self, ax: Axes | None = None) -> Axes:
        """Plot both forms by round.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw, and what is returned; by default a new figure.

        Examples
        --------
        >>> training_bound(model.errors_).plot()  # doctest: +SKIP
        """
        from weaklearn.theory.plot_functions import plot_training_bound

        return plot_training_bound(self, ax)


def training_bound(errors: ArrayLike | Any) -> TrainingBound:
    """Bound the training error of AdaBoost by the errors of its rounds.

    Parameters
    ----------
    errors : array of float, or fitted committee
        The error eps of each round's member on the distribution of its round, at most 1/2. A
        committee stores them as ``errors_``.

    Returns
    -------
    TrainingBound
        The product and the exponential form, after each round.

    Examples
    --------
    >>> bound = training_bound([0.1, 0.2])
    >>> bound.product.round(3).tolist(), bound.exponential.round(3).tolist()
    ([0.6, 0.48], [0.726, 0.607])
    >>> bound.assumes
    'votes log((1 - eps) / eps), weights times eps / (1 - eps) where right; every eps <= 1/2'
    """
    eps = np.asarray(getattr(errors, "errors_", errors), dtype=np.float64)
    if eps.ndim != 1 or not ((eps >= 0) & (eps <= 0.5)).all():
        bad = eps[~((eps >= 0) & (eps <= 0.5))] if eps.ndim == 1 else eps.shape
        raise ValueError(
            f"got {bad} among the errors, expected a list of numbers from 0 to 1/2, one per round: "
            "the theorem does not cover a round with a larger error."
        )
    return TrainingBound(
        product_bound(eps),
        np.exp(-2.0 * np.cumsum((0.5 - eps) ** 2)),
        "Freund and Schapire 1997, Theorems 6 (two classes) and 10 (AdaBoost.M1)",
        "votes log((1 - eps) / eps), weights times eps / (1 - eps) where right; every eps <= 1/2",
    )


def product_bound(errors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute prod 2 sqrt(eps (1 - eps)) after each round."""
    return np.cumprod(2.0 * np.sqrt(errors * (1.0 - errors)), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class RoundsNeeded:
    """The number of rounds after which the training error is proven to be below a target.

    Parameters
    ----------
    rounds : float
        A whole number; infinite if it is too large for floating point.
    log10 : float
        Its logarithm, before it is rounded up.
    theorem : str
        The name of the theorem.
    assumes : str
        Its assumptions.
    """

    rounds: float
    log10: float
    theorem: str
    assumes: str


@dataclass(frozen=True, slots=True)
class _TopDown:
    """The bound for a criterion: ln N = c exponent(error) / gamma^2, with a valid c."""

    exponent: Callable[[float], float]
    c: float
    theorem: str


_KEARNS_MANSOUR = "Kearns and Mansour 1999"
_DIETTERICH = "Dietterich, Kearns and Mansour 1996"
_TOP_DOWN: Mapping[str, _TopDown] = {
    "km": _TopDown(
        lambda error: -math.log(error),
        1 / 2,
        f"(1/error)^(c / gamma^2): {_KEARNS_MANSOUR}; equation 4 of {_DIETTERICH}",
    ),
    "entropy": _TopDown(
        lambda error: math.log(error) ** 2,
        1 / 4,
        f"(1/error)^(c ln(1/error) / gamma^2): {_KEARNS_MANSOUR}; Theorem 2.2 of {_DIETTERICH}",
    ),
    "gini": _TopDown(
        lambda error: -math.log(error) / error**2,
        1 / 64,
        f"(1/error)^(c / (gamma^2 error^2)): {_KEARNS_MANSOUR}",
    ),
}
ALGORITHMS = ("adaboost", *_TOP_DOWN)


def rounds_needed(
    gamma: float, error: float, criterion: str = "adaboost", c: float | None = None
) -> RoundsNeeded:
    """Compute the rounds after which the training error is proven to be below `error`.

    Parameters
    ----------
    gamma : float
        The advantage of every round, above 0 and up to 1/2.
    error : float
        The target for the training error, between 0 and 1.
    criterion : {"adaboost", "km", "entropy", "gini"}
        AdaBoost, or TopDown with this criterion. The rounds of TopDown are splits.
    c : float, optional
        The constant of TopDown's bounds, which the theorems do not specify. The defaults are
        valid: 1/2 for km, 1/4 for entropy (with natural logarithms), 1/64 for gini.

    Returns
    -------
    RoundsNeeded
        The number of rounds, the theorem and its assumptions.

    Notes
    -----
    docs/guides/theory.md proves the default constants. Henry, Nock and Nielsen (2007) state c = 2
    for km. Their gamma bounds 1 - 2 eps, which is twice the advantage, so this is c = 1/2 here.

    Examples
    --------
    >>> rounds_needed(0.1, 0.01).rounds
    231.0
    >>> round(rounds_needed(0.1, 0.01, "km").log10, 6)
    100.0
    >>> rounds_needed(0.1, 0.01).theorem
    'ln(1/error) / (2 gamma^2): Freund and Schapire 1997; Theorem 2.1 of Dietterich, ...'
    """
    if not 0.0 < gamma <= 0.5:
        raise ValueError(f"got gamma={gamma!r}, expected an advantage above 0 and up to 1/2.")
    if not 0.0 < error < 1.0:
        raise ValueError(f"got error={error!r}, expected a number between 0 and 1.")
    if criterion == "adaboost":
        if c is not None:
            raise ValueError(f"got c={c!r}, but AdaBoost's bound has no constant: leave c out.")
        log10 = math.log10(-math.log(error) / (2.0 * gamma**2))
        return _rounded(
            log10,
            f"ln(1/error) / (2 gamma^2): Freund and Schapire 1997; Theorem 2.1 of {_DIETTERICH}",
            f"every member errs at most {0.5 - gamma:g} on the distribution of its round",
        )
    if criterion not in _TOP_DOWN:
        known = ", ".join(map(repr, ALGORITHMS))
        raise ValueError(f"got criterion={criterion!r}, expected one of {known}.")
    bound = _TOP_DOWN[criterion]
    factor = bound.c if c is None else c
    if not factor > 0.0:
        raise ValueError(f"got c={c!r}, expected a number above 0.")
    return _rounded(
        factor * bound.exponent(error) / gamma**2 / math.log(10.0),
        f"{bound.theorem}, with c = {factor:g}",
        "two classes, splits of two branches, the largest gain first; at every leaf some split "
        f"errs at most {0.5 - gamma:g} on the leaf's balanced distribution",
    )


def _rounded(log10: float, theorem: str, assumes: str) -> RoundsNeeded:
    least = 10.0**log10 if log10 < 308.0 else math.inf
    # A floating-point error must not raise a whole number to the next.
    whole = math.ceil(least * (1.0 - 1e-12)) if math.isfinite(least) else math.inf
    return RoundsNeeded(max(1.0, float(whole)), log10, theorem, assumes)
