"""Count again what the rules of a ruleset do, on any rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.encoding import EncodedRows
from weaklearn.models.rule import Rule

if TYPE_CHECKING:
    from weaklearn.models.ruleset import Ruleset

RulesetType = TypeVar("RulesetType", bound="Ruleset")


def recount(
    ruleset: RulesetType,
    rows: EncodedRows,
    classes: NDArray[np.int32],
    weights: NDArray[np.float64],
    confidence: float,
) -> RulesetType:
    """Return the same rules with the weights and errors that they have on some rows.

    Parameters
    ----------
    ruleset : Ruleset
        The rules.
    rows : EncodedRows
        The rows to count.
    classes : array of int32
        The class index of each row.
    weights : array of float64
        The weight of each row.
    confidence : float
        The confidence of the pessimistic error rates.
    """
    n_rules, n_classes = len(ruleset), len(ruleset.schema.classes)
    covered, covered_errors = _covered(ruleset, rows, classes, weights)
    counted = [
        replace(rule, covered=n, covered_errors=e, error=_error_rate(rule, n, e, confidence))
        for rule, n, e in zip(ruleset, covered.tolist(), covered_errors.tolist(), strict=True)
    ]
    # Which rule fires first depends on the new errors.
    firing = ruleset.with_rules(counted)
    first = firing.first_match(rows)
    wrong = firing.predict_class_indices(rows) != classes
    used = np.bincount(first + 1, weights, n_rules + 1)[1:]
    used_errors = np.bincount(first + 1, weights * wrong, n_rules + 1)[1:]
    return ruleset.from_rules(
        ruleset.schema,
        (
            replace(rule, used=n, used_errors=e)
            for rule, n, e in zip(counted, used.tolist(), used_errors.tolist(), strict=True)
        ),
        ruleset.default_class,
        np.bincount(classes, weights, n_classes).tolist(),
        np.bincount(classes, weights * (first < 0), n_classes).tolist(),
    )


def _covered(
    ruleset: Ruleset, rows: EncodedRows, classes: NDArray[np.int32], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the weight of the rows that satisfy each rule, and of those of another class."""
    # A rule of high error never fires, but here it is counted as well.
    every = ruleset.with_rules(replace(rule, error=0.0) for rule in ruleset)
    positions, starts = every.all_matches(rows)
    row_of = np.repeat(np.arange(rows.n_rows), np.diff(starts))
    labels = np.array([rule.label for rule in ruleset.core.rules], dtype=np.int32)
    wrong = labels[positions] != classes[row_of]
    n_rules = len(ruleset)
    covered = np.bincount(positions, weights[row_of], n_rules)
    errors = np.bincount(positions, weights[row_of] * wrong, n_rules)
    return covered.astype(np.float64), errors.astype(np.float64)


def _error_rate(rule: Rule, weight: float, errors: float, confidence: float) -> float:
    if weight == 0:
        return rule.error
    return (errors + _core.extra_errors(confidence, weight, min(errors, weight))) / weight
