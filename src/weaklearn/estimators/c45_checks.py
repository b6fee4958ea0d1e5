"""Checks of parameters and weights that C4.5's tree and its rules have in common."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.encoding import Dataset

_NOT_IN_RELEASE8 = (
    "max_leaves",
    "min_impurity_decrease",
    "ccp_alpha",
    "max_features",
    "max_bins",
    "shrinkage",
)
#: Weights that keep sums and quotients within the range of float32.
_LEAST_SINGLE, _GREATEST_SINGLE = 1e-30, 1e30


def check_release8_classes(class_weight: Any, costs: Any) -> None:
    """Raise a ValueError for class weights or costs with the arithmetic of Release 8."""
    if class_weight is not None or costs is not None:
        raise ValueError(
            "arithmetic='release8' follows the original program, which has neither class_weight "
            "nor costs: leave them out, or use arithmetic='double'."
        )


def check_release8_defaults(model: Any) -> None:
    """Raise a ValueError for a parameter that Release 8 does not have and that is set."""
    for name in _NOT_IN_RELEASE8:
        if getattr(model, name):
            raise ValueError(
                f"arithmetic='release8' follows the original program, which has no {name}: "
                f"leave {name} at its default, or use arithmetic='double'."
            )


def check_release8_subset(dataset: Dataset) -> None:
    """Raise a ValueError if a feature has too many values for the subset splits of Release 8."""
    for feature in dataset.schema.features:
        if len(feature.values) > _core.MOST_SUBSET_VALUES:
            raise ValueError(
                f"subset=True with arithmetic='release8' tries all pairs of values, and "
                f"{feature.name!r} has {len(feature.values):,} of them (at most "
                f"{_core.MOST_SUBSET_VALUES:,} are feasible): use arithmetic='double', which makes "
                f"two groups of so many values, or leave the column out: ignore=[{feature.name!r}]."
            )


def check_single_weights(weights: NDArray[np.float64]) -> None:
    """Raise a ValueError if weights are beyond the range of the arithmetic of Release 8."""
    least, greatest = float(weights[weights > 0].min()), float(weights.max())
    if least < _LEAST_SINGLE or greatest > _GREATEST_SINGLE:
        raise ValueError(
            f"arithmetic='release8' counts in float32, and the weights range from {least:g} to "
            f"{greatest:g}; expected {_LEAST_SINGLE:g} to {_GREATEST_SINGLE:g}. Divide them by "
            "their mean, or use arithmetic='double'."
        )
