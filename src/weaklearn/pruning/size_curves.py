"""Errors and margins of a committee pruned to many sizes by many methods."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting.sampling import draw_seed
from weaklearn.pruning.check_arguments import check_numbers, size_of
from weaklearn.pruning.registry import METHODS, find_method
from weaklearn.pruning.sample_with_votes import Sample, sample_of
from weaklearn.pruning.selection import Selection


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Curve:
    """Errors and margins of pruned committees.

    Parameters
    ----------
    sizes : tuple of int
        How many members were kept, ascending.
    errors : mapping
        For each method its error at each size, on the test rows.
    margins : mapping
        For each method its mean margin at each size, on the test rows.
    full_error : float
        The error of the full committee on the test rows.
    n_members : int
        How many members the full committee has.
    """

    sizes: tuple[int, ...]
    errors: Mapping[str, NDArray[np.float64]]
    margins: Mapping[str, NDArray[np.float64]]
    full_error: float
    n_members: int

    def __repr__(self) -> str:
        return (
            f"Curve(n_sizes={len(self.sizes)}, from {min(self.sizes)} to {max(self.sizes)} of "
            f"{self.n_members} members, methods: {', '.join(self.errors)})"
        )

    def smallest_within(self, loss: float) -> dict[str, int | None]:
        """Return the smallest size from which on a method loses no more than this.

        Parameters
        ----------
        loss : float
            By how much the error may exceed that of the full committee: 0.005 is half a percentage
            point.

        Returns
        -------
        dict
            The size for each method; None if even the largest size loses more.

        Examples
        --------
        >>> errors = {"kappa": np.array([0.3, 0.1, 0.2, 0.1])}
        >>> Curve((1, 2, 3, 4), errors, {}, 0.1, 4).smallest_within(0.05)
        {'kappa': 4}
        """
        smallest: dict[str, int | None] = {}
        for method, errors in self.errors.items():
            too_many = np.flatnonzero(errors > self.full_error + loss + 1e-12)
            first = int(too_many[-1]) + 1 if len(too_many) else 0
            smallest[method] = self.sizes[first] if first < len(self.sizes) else None
        return smallest


def curve(
    committee: Any,
    X: Any,
    y: Any,
    *,
    X_test: Any = None,
    y_test: Any = None,
    sizes: Iterable[int] | None = None,
    methods: Iterable[str] | None = None,
    time_limit: float = 10.0,
    sample_weight: Any = None,
    random_state: Any = None,
) -> Curve:
    """Prune a committee to many sizes by many methods.

    Parameters
    ----------
    committee : classifier
        A fitted committee.
    X : frame
        Rows to prune on.
    y : Series, array or list
        Their classes.
    X_test, y_test : optional
        Rows to measure errors and margins on, and their classes. The default is X and y.
    sizes : iterable of int, optional
        How many members to keep. The default is every size from 1 to all.
    methods : iterable of str, optional
        Some of `METHODS`. The default is all of them but the slow "exact".
    time_limit : float
        Seconds for each size by "exact".
    sample_weight : array, optional
        A weight per row of X.
    random_state : int, RandomState or None
        Seed of the draws in "margin_lp" and "exact".

    Returns
    -------
    Curve
        Errors and margins.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.AdaBoostM1Classifier(n_rounds=5).fit(table.X, table.y)
    >>> curve = wl.pruning.curve(model, table.X, table.y, methods=["kappa"])
    >>> curve.sizes, bool(curve.errors["kappa"][-1] == curve.full_error)
    ((1, 2, 3, 4, 5), True)
    """
    if methods is None:
        methods = [method.name for method in METHODS.values() if not method.has_time_limit]
    chosen = [find_method(name) for name in methods]
    check_numbers({"time_limit": time_limit})
    sample = sample_of(committee, X, y, sample_weight)
    has_test_rows = X_test is not None or y_test is not None
    test = sample_of(committee, X_test, y_test) if has_test_rows else sample
    n_members = len(committee)
    requested = range(1, n_members + 1) if sizes is None else sizes
    kept_sizes = tuple(sorted({size_of(n_members, size, None) for size in requested}))
    seed = draw_seed(random_state)
    errors: dict[str, NDArray[np.float64]] = {}
    margins: dict[str, NDArray[np.float64]] = {}
    for method in chosen:
        selections = (method.choose(sample, size, seed, time_limit) for size in kept_sizes)
        measured = [_measure(test, selection) for selection in selections]
        errors[method.name], margins[method.name] = map(np.array, zip(*measured, strict=True))
    return Curve(kept_sizes, errors, margins, test.error(test.votes), n_members)


def _measure(sample: Sample, selection: Selection) -> tuple[float, float]:
    """Return the error and the mean margin of selected members."""
    votes = np.zeros(sample.n_members)
    votes[selection.kept] = selection.votes
    margins = sample.margins(votes)
    present = sample.weights > 0
    return sample.error(votes), float(np.average(margins, weights=sample.weights[present]))
