"""The terms of an oblique test: what each attribute's value adds to the sum that it compares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weaklearn.schema import Attribute

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
    """What the value of one attribute adds to the sum of an oblique test.

    Parameters
    ----------
    attribute : int
        The attribute's number.
    form : "linear", "steps" or "values"
        A coefficient of the value; a score per interval of a continuous attribute; a score per
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

    attribute: int
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

    def added(self, cells: NDArray[Any], attribute: Attribute) -> NDArray[np.float64]:
        """Return what the term adds for each cell of its column, bit for bit as in the core."""
        if self.form == "values":
            scores = np.array([*self.scores, self.unknown])  # the last serves the code -1
            return np.asarray(scores[cells], dtype=np.float64)
        values = cells
        cuts = np.array(self.cuts)
        if attribute.precision == "single":
            with np.errstate(over="ignore"):
                values = cells.astype(np.float32).astype(np.float64)
                cuts = cuts.astype(np.float32).astype(np.float64)
        if self.form == "linear":
            added = self.numbers[0] * values
        else:
            added = np.array(self.scores)[np.searchsorted(cuts, values, side="left")]
        return np.where(np.isnan(cells), self.unknown, added)


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
