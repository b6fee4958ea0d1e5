"""The terms of an oblique split: what the value of each feature adds to the sum."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.schema import Label

if TYPE_CHECKING:
    from weaklearn.schema import Feature

#: The name of each form of a term in the arrays of a graph.
TERM_FORMS: tuple[str, ...] = _core.TERM_FORMS

#: What a feature adds to a sum: a coefficient, (cuts, scores), or a score per value.
Addend = float | tuple[Sequence[float], Sequence[float]] | Mapping[Label, float]


@dataclass(frozen=True, slots=True)
class Term:
    """What the value of one feature adds to the sum of an oblique split.

    Parameters
    ----------
    feature : int
        The index of the feature.
    form : str
        ``linear``: a coefficient of the value; ``steps``: a score per interval of a continuous
        feature; ``values``: a score per value of a nominal one.
    numbers : tuple of float
        ``linear``: the coefficient. ``steps``: ascending cuts, then the scores, one more than
        cuts; a cut belongs to the interval below it. ``values``: the scores in declared order.
    missing : float
        What a missing value adds.
    influence : float
        How much the term varied among the training rows (the standard deviation of what it adds).
        It orders the terms that are shown and divides the importance of the split among them.
    """

    feature: int
    form: str
    numbers: tuple[float, ...]
    missing: float = 0.0
    influence: float = 0.0

    @property
    def cuts(self) -> tuple[float, ...]:
        """The cuts of ``steps``; the other forms have none."""
        return self.numbers[: len(self.numbers) // 2] if self.form == "steps" else ()

    @property
    def scores(self) -> tuple[float, ...]:
        """The score of each interval or value; for a linear term the coefficient."""
        return self.numbers[len(self.cuts) :]

    def added(self, cells: NDArray[Any], feature: Feature) -> NDArray[np.float64]:
        """Return what the term adds for each cell of its column, bit for bit as in the core."""
        if self.form == "values":
            scores = np.array(
                [*self.scores, self.missing]
            )  # the last is for the code -1, a missing value
            return np.asarray(scores[cells], dtype=np.float64)
        values = cells
        cuts = np.array(self.cuts)
        if feature.precision == "single":
            with np.errstate(over="ignore"):
                values = cells.astype(np.float32).astype(np.float64)
                cuts = cuts.astype(np.float32).astype(np.float64)
        if self.form == "linear":
            added = self.numbers[0] * values
        else:
            added = np.array(self.scores)[np.searchsorted(cuts, values, side="left")]
        return np.where(np.isnan(cells), self.missing, added)


def make_term(index: int, feature: Feature, addend: Addend, missing: float) -> Term:
    """Make a term by hand; its influence is half of the range of its scores.

    Parameters
    ----------
    index : int
        The index of the feature.
    feature : Feature
        The feature.
    addend : float, pair of cuts and scores, or mapping
        What its values add; 0 for a value of a nominal feature that is not listed.
    missing : float
        What a missing value adds.

    Raises
    ------
    ValueError
        If these are not numbers, or do not fit together.
    """
    form = "linear"
    numbers: list[Any] = [addend]
    scores = numbers
    if isinstance(addend, Mapping):
        form = "values"
        numbers = scores = [addend.get(value, 0.0) for value in feature.values]
    elif isinstance(addend, tuple) and len(addend) == 2:
        form = "steps"
        cuts, scores = map(list, addend)
        numbers = [*cuts, *scores]
        ascending = all(low < high for low, high in itertools.pairwise(cuts))
        if not ascending or len(scores) != len(cuts) + 1:
            raise ValueError(
                f"the steps of {feature.name!r} are {addend!r}; expected ascending cuts, and one "
                "score more than cuts"
            )
    if not all(map(is_number, [*numbers, missing])):
        raise ValueError(
            f"the term of {feature.name!r} is {addend!r}, {missing!r} where missing; expected "
            "finite numbers: a coefficient, (cuts, scores), or a score per value"
        )
    spread = max(scores) - min(scores) if form != "linear" else 2 * abs(scores[0])
    return Term(index, form, tuple(map(float, numbers)), float(missing), float(spread) / 2)


def is_number(value: Any) -> bool:
    """Return whether a value is a finite number and not a bool."""
    kinds = int | float | np.integer | np.floating
    return isinstance(value, kinds) and not isinstance(value, bool) and math.isfinite(value)


def terms_of(records: NDArray[np.void], term_numbers: NDArray[np.float64]) -> list[Term]:
    """Return terms from their records in the arrays of a graph, in the same order."""
    terms = []
    for record in records:
        first = int(record["first_number"])
        numbers = term_numbers[first : first + int(record["n_numbers"])]
        terms.append(
            Term(
                int(record["column"]),
                TERM_FORMS[int(record["form"])],
                tuple(numbers.tolist()),
                float(record["missing"]),
                float(record["influence"]),
            )
        )
    return terms
