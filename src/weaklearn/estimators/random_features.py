"""Random features and random splits of a tree: the parameters, and what the core takes."""

from __future__ import annotations

import math
from typing import Any, TypedDict, cast

from weaklearn.boosting.sampling import draw_seed, number_of_columns
from weaklearn.estimators.parameters import MAX_UINT32, Choice, Parameter, ShareOrCount

MAX_FEATURES = Parameter(
    None,
    ShareOrCount(optional=True, words=("sqrt", "log2")),
    "features to draw and evaluate at each node: a share such as 0.5, a number, sqrt or log2; "
    "None: all",
)

SPLITS = Parameter(
    "best",
    Choice(("best", "random")),
    "the split of a feature: best (searched), or random (drawn, as in extremely random trees)",
)


class RandomFeatures(TypedDict):
    """Arguments of the core: the number of features to evaluate at a node, and a seed."""

    max_features: int
    seed: int


def random_features(
    max_features: str | float | None,
    random_state: Any,
    n_features: int,
    random_splits: bool = False,
) -> RandomFeatures:
    """Return how many features a tree evaluates at each node, and the seed of their draws.

    Parameters
    ----------
    max_features : None, "sqrt", "log2", float or int
        All features, the square root or the binary logarithm of their number, a share of them, or
        a number. Anything but a number is rounded down, to at least one.
    random_state : int, RandomState or None
        What the seed is drawn from, if features or splits are drawn.
    n_features : int
        The number of all features.
    random_splits : bool
        Whether the split of a feature is drawn, too.

    Examples
    --------
    >>> random_features("sqrt", 0, 17)["max_features"]
    4
    >>> random_features(0.5, 0, 17)["max_features"]
    8
    """
    if max_features is None:
        seed = draw_seed(random_state) if random_splits else 0
        return {"max_features": MAX_UINT32, "seed": seed}
    if max_features == "sqrt":
        n_drawn = max(1, math.isqrt(n_features))
    elif max_features == "log2":
        n_drawn = max(1, n_features.bit_length() - 1)
    else:
        n_drawn = number_of_columns(n_features, cast(float, max_features))
    return {"max_features": n_drawn, "seed": draw_seed(random_state)}
