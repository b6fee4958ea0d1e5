"""The pruning methods: the only place where their names are listed.

`curve`, `PrunedClassifier(method=...)`, ``weaklearn prune --method``, plots and reports read
`METHODS`. `weaklearn.pruning` exports everything in ``__all__``.
"""

from __future__ import annotations

from typing import Any

from weaklearn.pruning.methods.exact_selection import EXACT, exact
from weaklearn.pruning.methods.first_rounds import FIRST_ROUNDS, first_rounds
from weaklearn.pruning.methods.kappa import KAPPA, KAPPA_SHIFT, kappa
from weaklearn.pruning.methods.margin_lp import MARGIN_LP, margin_lp
from weaklearn.pruning.selection import Method

__all__ = ["METHODS", "exact", "first_rounds", "kappa", "margin_lp"]

#: Methods by name, in the order in which plots and messages show them.
METHODS: dict[str, Method] = {
    method.name: method for method in (KAPPA, KAPPA_SHIFT, MARGIN_LP, EXACT, FIRST_ROUNDS)
}


def find_method(name: Any) -> Method:
    """Return a method by its name, or raise a ValueError that lists the names."""
    if not isinstance(name, str) or name not in METHODS:
        raise ValueError(f"got method={name!r}, expected one of {', '.join(map(repr, METHODS))}.")
    return METHODS[name]
