"""The terms of an oblique test: what each feature's value adds to the sum that it compares."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from weaklearn.schema import Label

if TYPE_CHECKING:
    from weaklearn.schema import Feature

#: What a feature adds to a sum: a coefficient, (cuts, scores), or a score per value.
Addend = float | tuple[Sequence[float], Sequence[float]] | Mapping[Label, float]
Form = Literal["linear", "steps", "values"]
FORMS: tuple[Form, ...] = ("linear", "steps", "values")

#: The arrays of the terms of oblique tests among those of a graph: per node, per term, all numbers.
PER_NODE = ("first_term", "n_terms")
TERM_ARRAYS: dict[str, np.dtype[Any]] = {
    "first_term": np.dtype(np.uint32),
    "n_terms": np.dtype(np.uint32),
    "term_attribute": np.dtype(np.int32),
    "term_form": np.dtype(np.uint8),
    "term_unknown": np.dtype(np.float64),
    "term_influence": np.dtype(np.float64),
    "term_first_number": np.dtype(np.uint32),
    "term_n_numbers": np.dtype(np.uint32),
    "term_numbers": np.dtype(np.float64),
}


@dataclass(frozen=True, slots=True)
class Term:
    """What the value of one feature adds to the sum of an oblique test.

    Parameters
    ----------
    feature : int
        The feature's number.
    form : "linear", "steps" or "values"
        A coefficient of the value; a score per interval of a continuous feature; a score per
        value of a nominal one.
    numbers : tuple of float
        ``linear``: the coefficient. ``steps``: ascending cuts, then the scores, one more than
        cuts; a cut belongs to the interval below it. ``values``: the scores in declared order.
    unknown : float
        What an unknown value adds.
    influence : float
        How much the term varied among the training instances (the standard deviation of what it
        adds); orders the terms that are shown, and shares out importances.
    """

    feature: int
    form: Form
    numbers: tuple[float, ...]
    unknown: float = 0.0
    influence: float = 0.0

    @property
    def cuts(self) -> tuple[float, ...]:
        """The cuts of ``steps``; none of the other forms."""
        return self.numbers[: len(self.numbers) // 2] if self.form == "steps" else ()

    @property
    def scores(self) -> tuple[float, ...]:
        """What is added: per interval, per value; of a linear term the coefficient."""
        return self.numbers[len(self.cuts) :]

    def added(self, cells: NDArray[Any], feature: Feature) -> NDArray[np.float64]:
        """Return what the term adds for each cell of its column, bit for bit as in the core."""
        if self.form == "values":
            scores = np.array([*self.scores, self.unknown])  # the last serves the code -1
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
        return np.where(np.isnan(cells), self.unknown, added)


def term_of(number: int, feature: Feature, said: Addend, unknown: float) -> Term:
    """Make a term by hand; its influence is half of how far its scores are apart.

    Parameters
    ----------
    number : int
        The feature's number.
    feature : Feature
        The feature.
    said : float, pair of cuts and scores, or mapping
        What its values add; of a nominal one 0 where a value is not listed.
    unknown : float
        What an unknown value adds.

    Raises
    ------
    ValueError
        If these are no numbers, or do not belong together.
    """
    form: Form = "linear"
    numbers: list[Any] = [said]
    scores = numbers
    if isinstance(said, Mapping):
        form = "values"
        numbers = scores = [said.get(value, 0.0) for value in feature.values]
    elif isinstance(said, tuple) and len(said) == 2:
        form = "steps"
        cuts, scores = map(list, said)
        numbers = [*cuts, *scores]
        ascending = all(low < high for low, high in itertools.pairwise(cuts))
        if not ascending or len(scores) != len(cuts) + 1:
            raise ValueError(
                f"the steps of {feature.name!r} are {said!r}; expected ascending cuts, and one "
                "score more than cuts"
            )
    if not all(map(is_number, [*numbers, unknown])):
        raise ValueError(
            f"the term of {feature.name!r} is {said!r}, {unknown!r} where unknown; expected "
            "finite numbers: a coefficient, (cuts, scores), or a score per value"
        )
    spread = max(scores) - min(scores) if form != "linear" else 2 * abs(scores[0])
    return Term(number, form, tuple(map(float, numbers)), float(unknown), float(spread) / 2)


def is_number(value: Any) -> bool:
    """Whether a value is a finite number, and no flag."""
    kinds = int | float | np.integer | np.floating
    return isinstance(value, kinds) and not isinstance(value, bool) and math.isfinite(value)


def terms_of(arrays: Mapping[str, NDArray[Any]], node: int) -> list[Term]:
    """Return the terms of a node from the arrays of its graph, in the order of the sum."""
    first = int(arrays["first_term"][node])
    terms = []
    for t in range(first, first + int(arrays["n_terms"][node])):
        start = int(arrays["term_first_number"][t])
        numbers = arrays["term_numbers"][start : start + int(arrays["term_n_numbers"][t])]
        terms.append(
            Term(
                int(arrays["term_attribute"][t]),
                FORMS[int(arrays["term_form"][t])],
                tuple(numbers.tolist()),
                float(arrays["term_unknown"][t]),
                float(arrays["term_influence"][t]),
            )
        )
    return terms


def no_terms(n_nodes: int) -> dict[str, NDArray[Any]]:
    """Return the arrays of terms of a graph without oblique tests."""
    return {
        name: np.zeros(n_nodes if name in PER_NODE else 0, dtype=dtype)
        for name, dtype in TERM_ARRAYS.items()
    }
