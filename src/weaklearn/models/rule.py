"""A rule: conditions on features, the class that they predict, and what it did on rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from weaklearn import _core
from weaklearn.schema import Feature, Label, Schema
from weaklearn.tables.messages import quote, quote_list

Operator = Literal["=", "<=", ">", "in"]
OPERATORS: tuple[Operator, ...] = get_args(Operator)
#: The operator of each kind of condition of the compiled core.
OPERATOR_OF_KIND: tuple[Operator, ...] = _core.CONDITION_KINDS


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on one feature; a row whose value is missing fails it.

    Parameters
    ----------
    feature : int
        The index of the feature.
    operator : {"=", "<=", ">", "in"}
        How the value of a row is compared.
    value : float, label or tuple of labels
        A threshold for "<=" and ">", a declared value for "=", several of them for "in".
    """

    feature: int
    operator: Operator
    value: Any


@dataclass(frozen=True, slots=True)
class Rule:
    """If all conditions hold, the class is `label`.

    Parameters
    ----------
    label : label
        The class that the rule predicts.
    conditions : tuple of Condition
        They hold for a row only if all its values that they need are known.
    error : float
        The pessimistic estimate of the error rate. The certainty of the rule is ``1 - error``. A
        rule with an error above 0.7 never fires, as in C4.5rules.
    number : int
        Identifies the rule, for `Ruleset.drop`. C4.5rules counts rules in the order of the leaves.
    covered, covered_errors : float
        The weight of the training rows that satisfy the conditions, and of those of another class.
    used, used_errors : float
        The same for the rows for which the rule is the first of the ruleset that fires.
    """

    label: Label
    conditions: tuple[Condition, ...]
    error: float = 0.0
    number: int = 0
    covered: float = 0.0
    covered_errors: float = 0.0
    used: float = 0.0
    used_errors: float = 0.0

    @property
    def certainty(self) -> float:
        """The pessimistic estimate of how often the rule is right."""
        return 1.0 - self.error

    @property
    def precision(self) -> float:
        """The share of the covered training rows that have the rule's class; NaN without rows."""
        if self.covered == 0:
            return float("nan")
        return (self.covered - self.covered_errors) / self.covered

    @property
    def never_fires(self) -> bool:
        """Whether the error is so high that C4.5rules ignores the rule."""
        return self.error > _core.HIGHEST_RULE_ERROR


def core_rule(rule: Rule, schema: Schema) -> _core.Rule:
    """Return a rule as the core takes it; ValueError if it does not fit to the schema."""
    if rule.label not in schema.classes:
        raise ValueError(
            f"a rule predicts {quote(rule.label)}; expected one of {quote_list(schema.classes)}"
        )
    return _core.Rule(
        schema.classes.index(rule.label),
        float(rule.error),
        int(rule.number),
        [_core_condition(condition, schema) for condition in rule.conditions],
        float(rule.covered),
        float(rule.covered_errors),
        float(rule.used),
        float(rule.used_errors),
    )


def _core_condition(condition: Condition, schema: Schema) -> _core.Condition:
    if not 0 <= condition.feature < len(schema.features):
        raise ValueError(
            f"a condition is on feature {condition.feature}; expected 0 to "
            f"{len(schema.features) - 1}"
        )
    feature = schema.features[condition.feature]
    if condition.operator not in OPERATORS:
        raise ValueError(
            f"a condition on {quote(feature.name)} has the operator {quote(condition.operator)}; "
            f"expected one of {quote_list(OPERATORS)}"
        )
    kind = OPERATOR_OF_KIND.index(condition.operator)
    if condition.operator in ("<=", ">"):
        if feature.kind == "nominal":
            raise ValueError(
                f"a condition compares {quote(feature.name)} with a threshold, and the feature is "
                'nominal; expected the operator "=" or "in"'
            )
        threshold = float(condition.value)
        if feature.precision == "single":
            threshold = float(np.float32(threshold))
        return _core.Condition(condition.feature, kind, threshold, [])
    values = (condition.value,) if condition.operator == "=" else tuple(condition.value)
    codes = sorted(_code(value, feature) for value in values)
    return _core.Condition(condition.feature, kind, 0.0, codes)


def _code(value: Label, feature: Feature) -> int:
    if value not in feature.values:
        raise ValueError(
            f"a condition on {quote(feature.name)} has the value {quote(value)}; expected one of "
            f"{quote_list(feature.values) if feature.values else 'no values: it is continuous'}"
        )
    return feature.values.index(value)


def rule_of(rule: _core.Rule, schema: Schema) -> Rule:
    """Return a rule of the core with the names of the schema."""
    return Rule(
        label=schema.classes[rule.label],
        conditions=tuple(_condition_of(condition, schema) for condition in rule.conditions),
        error=rule.error,
        number=rule.number,
        covered=rule.covered,
        covered_errors=rule.covered_errors,
        used=rule.used,
        used_errors=rule.used_errors,
    )


def _condition_of(condition: _core.Condition, schema: Schema) -> Condition:
    operator = OPERATORS[condition.kind]
    feature = schema.features[condition.column]
    if operator == "=":
        return Condition(condition.column, operator, feature.values[condition.values[0]])
    if operator == "in":
        values = tuple(feature.values[code] for code in condition.values)
        return Condition(condition.column, operator, values)
    threshold = condition.threshold
    if feature.precision == "single":
        threshold = shortest(threshold)
    return Condition(condition.column, operator, threshold)


def shortest(number: float) -> float:
    """Return a float32 number as the shortest decimal that rounds to it; others unchanged.

    Examples
    --------
    >>> shortest(0.10000000149011612)
    0.1
    """
    single = np.float32(number)
    return float(str(single)) if float(single) == number else number
