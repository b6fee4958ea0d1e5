"""Impurity functions: how mixed the classes of a node are, from 0 (pure) to 1 (uniform)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: A user's function is checked at so many shares q of the second class, evenly from 0 to 1.
N_GRID = 4097
#: The largest error allowed at q = 0, 1/2 and 1, and between the two sides of the function.
_SLACK = 1e-9
#: A concave function may lie below the mean of its neighbours by this much, due to rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Impurity:
    """A permissible impurity function: concave, symmetric, 0 at a pure node, 1 at a uniform one.

    Parameters
    ----------
    name : str
        The name that options use.
    formula : str
        The formula for two classes, in terms of the share q of one of them.
    formula_of_classes : str
        The formula for K classes, in terms of their shares p.
    of_shares : callable
        The function itself: a table of shares (n, K), K >= 2, to n values.
    error_factor_of : callable
        Returns for K classes the least c such that the error of predicting the majority, 1 - max p,
        is at most c times the impurity for all shares p.

    Examples
    --------
    >>> from weaklearn.theory import km
    >>> km(0.5), km(0.0)
    (1.0, 0.0)
    >>> km.of([[8.0, 2.0], [5.0, 5.0], [3.0, 0.0]]).round(3).tolist()
    [0.8, 1.0, 0.0]
    """

    name: str
    formula: str
    formula_of_classes: str
    of_shares: Callable[[NDArray[np.float64]], NDArray[np.float64]] = field(repr=False)
    error_factor_of: Callable[[int], float] = field(repr=False)

    def __call__(self, q: ArrayLike) -> Any:
        """Compute the impurity of two classes, one of which has the share q.

        Parameters
        ----------
        q : float or array
            From 0 to 1.

        Returns
        -------
        float or array
            One value per share.
        """
        share = np.asarray(q, dtype=np.float64)
        if not ((share >= 0) & (share <= 1)).all():
            raise ValueError(f"got q={q!r}, expected a share of a class, from 0 to 1.")
        values = self.of(np.stack([1.0 - share, share], axis=-1).reshape(-1, 2))
        return float(values[0]) if share.ndim == 0 else values.reshape(share.shape)

    def of(self, class_weights: ArrayLike) -> NDArray[np.float64]:
        """Compute the impurity of nodes from the weights of their classes.

        Parameters
        ----------
        class_weights : array, (n, K)
            A row per node and a column per class, all >= 0; classes without weight count in K.

        Returns
        -------
        array of float64
            One value per node; 0 for a node without weight or with a single class.
        """
        weights = np.asarray(class_weights, dtype=np.float64)
        if weights.ndim != 2 or not (np.isfinite(weights) & (weights >= 0)).all():
            raise ValueError(
                f"got class weights of shape {weights.shape}, expected finite numbers >= 0 in a "
                "table of a row per node and a column per class, such as [[8.0, 2.0]]."
            )
        values = np.zeros(len(weights))
        total = weights.sum(axis=1)
        filled = total > 0
        if weights.shape[1] > 1 and filled.any():
            values[filled] = self.of_shares(weights[filled] / total[filled, None])
        return np.clip(values, 0.0, 1.0)  # rounding may exceed the bounds slightly

    def error_factor(self, n_classes: int) -> float:
        """Return the least c such that 1 - max p <= c times the impurity for all shares p.

        Parameters
        ----------
        n_classes : int
            Number of classes.

        Returns
        -------
        float
            1/2 for two classes, for every impurity function.
        """
        return self.error_factor_of(n_classes) if n_classes > 1 else 0.0

    def plot(self, ax: Axes | None = None) -> Axes:
        """Plot the function for two classes, as `weaklearn.theory.plot_criteria` does.

        Examples
        --------
        >>> km.plot().figure.savefig("km.png")  # doctest: +SKIP
        """
        from weaklearn.theory.plot_functions import plot_criteria

        return plot_criteria([self], ax=ax)


def _entropy(p: NDArray[np.float64]) -> NDArray[np.float64]:
    bits = -(p * np.log2(p, out=np.zeros_like(p), where=p > 0)).sum(axis=1)
    return np.asarray(bits / np.log2(p.shape[1]))


def _gini(p: NDArray[np.float64]) -> NDArray[np.float64]:
    n_classes = p.shape[1]
    return np.asarray(2.0 * _sum_over_pairs(p) * n_classes / (n_classes - 1))


def _km(p: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(2.0 * _sum_over_pairs(np.sqrt(p)) / (p.shape[1] - 1))


def _sum_over_pairs(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute half of (sum x)^2 - sum x^2 as a sum of products, without cancellation."""
    return np.asarray((x[:, 1:] * np.cumsum(x, axis=1)[:, :-1]).sum(axis=1))


def _error(p: NDArray[np.float64]) -> NDArray[np.float64]:
    n_classes = p.shape[1]
    return np.asarray((1.0 - p.max(axis=1)) * n_classes / (n_classes - 1))


entropy = Impurity(
    "entropy",
    "-q log2 q - (1-q) log2 (1-q)",
    "-sum p_k log2 p_k / log2 K",
    _entropy,
    lambda n_classes: float(np.log2(n_classes)) / 2,
)
gini = Impurity(
    "gini",
    "4 q (1-q)",
    "(1 - sum p_k^2) K / (K-1)",
    _gini,
    lambda n_classes: (n_classes - 1) / n_classes,
)
km = Impurity(
    "km",
    "2 sqrt(q (1-q))",
    "((sum sqrt p_k)^2 - 1) / (K-1)",
    _km,
    lambda n_classes: (n_classes - 1) / 2,
)
error = Impurity(
    "error",
    "2 min(q, 1-q)",
    "(1 - max p_k) K / (K-1)",
    _error,
    lambda n_classes: (n_classes - 1) / n_classes,
)

IMPURITIES: Mapping[str, Impurity] = MappingProxyType(
    {impurity.name: impurity for impurity in (entropy, gini, km, error)}
)


def impurity_of(criterion: str | Impurity | Callable[..., Any]) -> Impurity:
    """Return the impurity function with a name.

    Parameters
    ----------
    criterion : str, Impurity or callable
        ``"entropy"``, ``"gini"``, ``"km"`` or ``"error"``; ``"gain"`` and ``"gain_ratio"`` mean
        entropy. An `Impurity` is returned unchanged; a function of two class weights is checked.

    Returns
    -------
    Impurity
        The function.

    Examples
    --------
    >>> impurity_of("gain_ratio").name
    'entropy'
    """
    if isinstance(criterion, Impurity):
        return criterion
    if callable(criterion):
        return _sum_over_classes(criterion)
    name = "entropy" if criterion in ("gain", "gain_ratio") else criterion
    if name not in IMPURITIES:
        known = ", ".join(map(repr, IMPURITIES))
        raise ValueError(f"got criterion={criterion!r}, expected one of {known}, or a function.")
    return IMPURITIES[name]


def _sum_over_classes(function: Callable[[NDArray[np.float64]], Any]) -> Impurity:
    check_permissible(function)

    def at(p: NDArray[np.float64]) -> NDArray[np.float64]:
        return tabulate(function, p.ravel()).reshape(p.shape)

    def at_uniform(n_classes: int) -> float:
        return n_classes * float(at(np.array([1.0 / n_classes]))[0])

    return Impurity(
        getattr(function, "__name__", "given"),
        "f(q)",
        "sum f(p_k) / (K f(1/K))",
        lambda p: at(p).sum(axis=1) / at_uniform(p.shape[1]),
        # f(q) >= 2 min(q, 1-q), so the sum is at least 2 (1 - max p), and twice that for 2 classes.
        lambda n_classes: at_uniform(n_classes) / (4 if n_classes == 2 else 2),
    )


def tabulate(
    function: Callable[[NDArray[np.float64]], Any], q: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Compute the values of a function at given shares q of the second of two classes.

    Parameters
    ----------
    function : callable
        Takes an array with two class weights per row, 1 - q and q, and returns a number per row.
    q : array of float64
        The shares, from 0 to 1.

    Returns
    -------
    array of float64
        One finite value per share.

    Raises
    ------
    ValueError
        If the function returns anything else, with the first such q and the value there.

    Examples
    --------
    >>> tabulate(lambda weights: 4 * weights.prod(axis=1), np.array([0.0, 0.25, 0.5])).tolist()
    [0.0, 0.75, 1.0]
    """
    with np.errstate(all="ignore"):  # the check below reports the first bad value
        given = function(np.stack([1.0 - q, q], axis=1))
    try:
        values = np.array(given, dtype=np.float64)
    except (TypeError, ValueError) as problem:
        raise ValueError(f"the impurity function must return numbers: {problem}") from problem
    if values.shape != q.shape:
        raise ValueError(
            f"the impurity function returned values of shape {values.shape} for class weights of "
            f"shape ({len(q)}, 2), expected one value per row: compute along axis=1."
        )
    bad = ~np.isfinite(values)
    if bad.any():
        i = int(np.argmax(bad))
        raise ValueError(
            f"the impurity function returns {values[i]} at q={q[i]:g}, expected a finite number: "
            "handle a class of weight 0, e.g. with scipy.special.xlogy(w, w) for w log w."
        )
    return values


def check_permissible(function: Callable[[NDArray[np.float64]], Any]) -> NDArray[np.float64]:
    """Check that a function of two class weights is permissible, on a grid of 4,097 shares.

    A permissible function is 0 at a pure node and 1 at the uniform one, symmetric and concave.

    Parameters
    ----------
    function : callable
        Takes an array with two class weights per row, 1 - q and q, and returns a number per row.

    Returns
    -------
    array of float64
        Its values at these shares.

    Raises
    ------
    ValueError
        With the first check that fails, the q where it fails most, and the values there.

    Examples
    --------
    >>> float(check_permissible(lambda weights: (4 * weights.prod(axis=1)) ** 0.75).max())
    1.0
    >>> check_permissible(lambda weights: (4 * weights.prod(axis=1)) ** 2)
    Traceback (most recent call last):
    ...
    ValueError: the impurity function is not concave: ...
    """
    q = np.linspace(0.0, 1.0, N_GRID)
    values = tabulate(function, q)
    for i, expected in ((0, 0.0), (N_GRID - 1, 0.0), (N_GRID // 2, 1.0)):
        if abs(values[i] - expected) > _SLACK:
            raise ValueError(
                f"the impurity function is {values[i]:.12g} at q={q[i]:g}, expected {expected:g}: "
                "it must be 0 at a pure node and 1 at the uniform one."
            )
    apart = np.abs(values - values[::-1])
    i = int(np.argmax(apart))
    if apart[i] > _SLACK:
        raise ValueError(
            f"the impurity function is not symmetric: {values[i]:.12g} at q={q[i]:g}, but "
            f"{values[-1 - i]:.12g} at q={q[-1 - i]:g}."
        )
    below = (values[:-2] + values[2:]) / 2 - values[1:-1]
    i = int(np.argmax(below))
    if below[i] > _ROUNDING:
        raise ValueError(
            f"the impurity function is not concave: {values[i + 1]:.12g} at q={q[i + 1]:g} is "
            f"below the mean of its neighbours, {values[i]:.12g} at q={q[i]:g} and "
            f"{values[i + 2]:.12g} at q={q[i + 2]:g}."
        )
    return values
