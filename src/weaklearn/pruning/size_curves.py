"""What pruning costs, size by size and method by method."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.pruning.choice import Chooser, check_method, check_numbers
from weaklearn.pruning.committee_sample import Sample, sample_of, seed_of, size_of


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Errors and margins of pruned committees.

    Parameters
    ----------
    sizes : tuple of int
        How many members were kept, ascending.
    errors : mapping
        Per method the error of each size, on the test rows.
    margins : mapping
        Per method the mean margin of each size, on the test rows.
    full_error : float
        The error of the full committee there.
    n_members : int
        How many members that has.
    """

    sizes: tuple[int, ...]
    errors: Mapping[str, NDArray[np.float64]]
    margins: Mapping[str, NDArray[np.float64]]
    full_error: float
    n_members: int

    def smallest_within(self, loss: float) -> dict[str, int | None]:
        """Give the least size from which on a method loses no more than this.

        Parameters
        ----------
        loss : float
            How much larger than the full committee's the error may be: 0.005 is half a percentage
            point.

        Returns
        -------
        dict
            Per method the size; None if even the largest loses more.

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
    methods: Iterable[str] = ("kappa", "kappa_shift", "margin_lp", "first_rounds"),
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
        Rows to judge by, and their classes; by default those pruned on.
    sizes : iterable of int, optional
        How many members to keep; by default every number from 1 to all.
    methods : iterable of str
        Some of "kappa", "kappa_shift" (votes shifted), "margin_lp", "exact" and "first_rounds".
    time_limit : float
        Seconds for each size by "exact".
    sample_weight : array, optional
        A weight per row pruned on.
    random_state : int, RandomState or None
        What "margin_lp" and "exact" draw with.

    Returns
    -------
    Curve
        Errors and margins.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.AdaBoostM1Classifier(n_rounds=5).fit(table.X, table.y)
    >>> found = wl.pruning.curve(model, table.X, table.y, methods=["kappa"])
    >>> found.sizes, bool(found.errors["kappa"][-1] == found.full_error)
    ((1, 2, 3, 4, 5), True)
    """
    names = [check_method(method) for method in methods]
    check_numbers({"time_limit": time_limit})
    chooser = Chooser(sample_of(committee, X, y, sample_weight))
    is_tested = X_test is not None or y_test is not None
    judges = sample_of(committee, X_test, y_test) if is_tested else chooser.sample
    n_members = len(committee)
    asked = range(1, n_members + 1) if sizes is None else sizes
    kept_sizes = tuple(sorted({size_of(n_members, size, None) for size in asked}))
    seed = seed_of(random_state)
    errors: dict[str, NDArray[np.float64]] = {}
    margins: dict[str, NDArray[np.float64]] = {}
    for method in names:
        found = [
            _judged(judges, chooser.choose(method, size, seed, time_limit)) for size in kept_sizes
        ]
        errors[method], margins[method] = (np.array(column) for column in zip(*found, strict=True))
    return Curve(kept_sizes, errors, margins, judges.error(judges.votes), n_members)


def _judged(sample: Sample, choice: Any) -> tuple[float, float]:
    votes = np.zeros(sample.n_members)
    votes[choice.kept] = choice.votes
    margins = sample.margins(votes)
    present = sample.weights > 0
    return sample.error(votes), float(np.average(margins, weights=sample.weights[present]))
