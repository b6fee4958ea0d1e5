"""Rulesets in model files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weaklearn import _core
from weaklearn.models.ruleset import Ruleset
from weaklearn.models.ruleset_rules import RulesetRules
from weaklearn.models.saving import register_kind, schema_content, take
from weaklearn.schema import Schema

_FIGURES = ("error", "covered", "covered_errors", "used", "used_errors")
_WEIGHTS = ("class_weights", "default_weights")


def ruleset_content(ruleset: RulesetRules) -> dict[str, Any]:
    """Return a ruleset with its schema, ready for JSON."""
    return {"schema": schema_content(ruleset.schema), "ruleset": rules_content(ruleset)}


def rules_content(ruleset: RulesetRules) -> dict[str, Any]:
    """Return a ruleset without its schema, ready for JSON."""
    core = ruleset.core
    return {
        "rules": [_rule_content(rule) for rule in core.rules],
        "default_class": core.default_class,
        **{name: getattr(core, name) for name in _WEIGHTS},
    }


def _rule_content(rule: _core.Rule) -> dict[str, Any]:
    return {
        "label": rule.label,
        "number": rule.number,
        **{name: getattr(rule, name) for name in _FIGURES},
        "conditions": [
            {"column": c.column, "kind": c.kind, "threshold": c.threshold, "values": c.values}
            for c in rule.conditions
        ],
    }


def ruleset_from_content(content: Mapping[str, Any]) -> Ruleset:
    """Make a ruleset from the result of `ruleset_content`; ValueError if it is not valid."""
    schema = Schema.from_dict(take(content, "schema", dict))
    return ruleset_from_rules(schema, take(content, "ruleset", dict))


def ruleset_from_rules(schema: Schema, content: Mapping[str, Any]) -> Ruleset:
    """Make a ruleset from the result of `rules_content`; ValueError if it is not valid."""
    rules = [_rule_from_content(rule) for rule in _dicts(content, "rules")]
    weights = [_numbers(content, name) for name in _WEIGHTS]
    if any(len(numbers) != len(schema.classes) for numbers in weights):
        raise ValueError("its weights are not one per class")
    columns = [(len(f.values), f.precision == "single") for f in schema.features]
    default_class = _index(content, "default_class")
    return Ruleset(_core.Ruleset(columns, rules, default_class, *weights), schema)


def _rule_from_content(content: Mapping[str, Any]) -> _core.Rule:
    conditions = [
        _core.Condition(
            _index(entry, "column"),
            _index(entry, "kind"),
            _number(entry, "threshold"),
            [_checked_index(value, "values") for value in take(entry, "values", list)],
        )
        for entry in _dicts(content, "conditions")
    ]
    figures = {name: _number(content, name) for name in _FIGURES}
    return _core.Rule(
        label=_index(content, "label"),
        number=_index(content, "number"),
        conditions=conditions,
        **figures,
    )


def _dicts(content: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    entries = take(content, name, list)
    if not all(isinstance(entry, dict) for entry in entries):
        raise ValueError(f'its "{name}" is not a list of objects')
    return entries


def _index(content: Mapping[str, Any], name: str) -> int:
    return _checked_index(take(content, name, int), name)


def _checked_index(value: object, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**31:
        raise ValueError(f'its "{name}" holds {value!r}; expected a whole number from 0')
    return value


def _number(content: Mapping[str, Any], name: str) -> float:
    return _checked_number(content.get(name), name)


def _numbers(content: Mapping[str, Any], name: str) -> list[float]:
    return [_checked_number(value, name) for value in take(content, name, list)]


def _checked_number(value: object, name: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ValueError(f'its "{name}" holds {value!r}; expected a number')
    return float(value)


register_kind("ruleset", ruleset_from_content)
