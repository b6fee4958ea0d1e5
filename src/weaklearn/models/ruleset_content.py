"""Rulesets in model files: columns of rules and conditions; in version 1 a list of rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from weaklearn import _core
from weaklearn.models.file_content import schema_content, take, take_array
from weaklearn.models.graph_nodes import core_columns
from weaklearn.models.ruleset import Ruleset
from weaklearn.models.ruleset_rules import RulesetRules
from weaklearn.models.saving import register_kind
from weaklearn.schema import Schema

_FIGURES = ("error", "covered", "covered_errors", "used", "used_errors")
_WEIGHTS = ("class_weights", "default_weights")
_INDEX, _NUMBER = np.dtype(np.uint32), np.dtype(np.float64)
#: The columns of the rules and of their conditions.
_OF_RULES = dict.fromkeys(("label", "number"), _INDEX) | dict.fromkeys(_FIGURES, _NUMBER)
_OF_CONDITIONS = dict.fromkeys(("column", "kind"), _INDEX) | {"threshold": _NUMBER}


def ruleset_content(ruleset: RulesetRules) -> dict[str, Any]:
    """Return a ruleset with its schema for a file."""
    return {"schema": schema_content(ruleset.schema), "ruleset": rules_content(ruleset)}


def rules_content(ruleset: RulesetRules) -> dict[str, Any]:
    """Return a ruleset without its schema for a file."""
    core = ruleset.core
    rules = core.rules
    conditions = [condition for rule in rules for condition in rule.conditions]
    values = [value for condition in conditions for value in condition.values]
    return {
        "rules": {
            **_columns(rules, _OF_RULES),
            "n_conditions": np.array([len(rule.conditions) for rule in rules], _INDEX),
        },
        "conditions": {
            **_columns(conditions, _OF_CONDITIONS),
            "n_values": np.array([len(condition.values) for condition in conditions], _INDEX),
            "values": np.array(values, _INDEX),
        },
        "default_class": core.default_class,
        **{name: getattr(core, name) for name in _WEIGHTS},
    }


def _columns(records: list[Any], dtypes: Mapping[str, np.dtype[Any]]) -> dict[str, Any]:
    return {
        name: np.array([getattr(record, name) for record in records], dtype)
        for name, dtype in dtypes.items()
    }


def ruleset_from_content(content: Mapping[str, Any]) -> Ruleset:
    """Make a ruleset from the result of `ruleset_content`; ValueError if it is not valid."""
    schema = Schema.from_dict(take(content, "schema", dict))
    return ruleset_from_rules(schema, take(content, "ruleset", dict))


def ruleset_from_rules(schema: Schema, content: Mapping[str, Any]) -> Ruleset:
    """Make a ruleset from the result of `rules_content`; ValueError if it is not valid."""
    if isinstance(content.get("rules"), list):
        content = {**content, **_columns_of_version_1(content["rules"])}
    rules = _rules_from(take(content, "rules", dict), take(content, "conditions", dict))
    weights = [take_array(content, name, _NUMBER).tolist() for name in _WEIGHTS]
    if any(len(numbers) != len(schema.classes) for numbers in weights):
        raise ValueError("its weights are not one per class")
    default_class = _checked_index(take(content, "default_class", int), "default_class")
    core = _core.Ruleset(core_columns(schema), rules, default_class, *weights)
    return Ruleset(core, schema)


def _rules_from(stored: Mapping[str, Any], conditions: Mapping[str, Any]) -> list[_core.Rule]:
    values = _lists_of(conditions, "n_values", take_array(conditions, "values", _INDEX).tolist())
    made = [
        _core.Condition(**figures, values=own)
        for figures, own in zip(
            _records(conditions, _OF_CONDITIONS, len(values)), values, strict=True
        )
    ]
    parts = _lists_of(stored, "n_conditions", made)
    records = _records(stored, _OF_RULES, len(parts))
    return [
        _core.Rule(**record, conditions=own) for record, own in zip(records, parts, strict=True)
    ]


def _lists_of(content: Mapping[str, Any], counts_name: str, entries: list[Any]) -> list[list[Any]]:
    """Return consecutive entries as lists, with as many in each as the counts say."""
    counts = take_array(content, counts_name, _INDEX).astype(np.int64)
    ends = np.cumsum(counts).tolist()
    if (ends[-1] if ends else 0) != len(entries):
        raise ValueError(f'its "{counts_name}" do not add up to {len(entries)}')
    return [entries[end - count : end] for count, end in zip(counts.tolist(), ends, strict=True)]


def _records(
    content: Mapping[str, Any], dtypes: Mapping[str, np.dtype[Any]], n_records: int
) -> list[dict[str, Any]]:
    columns = {name: take_array(content, name, dtype) for name, dtype in dtypes.items()}
    for name, column in columns.items():
        if len(column) != n_records:
            raise ValueError(f'its "{name}" has {len(column)} numbers, expected {n_records}')
        if column.dtype == _INDEX and len(column):
            _checked_index(int(column.max()), name)
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _checked_index(value: int, name: str) -> int:
    if not 0 <= value < 2**31:
        raise ValueError(f'its "{name}" holds {value!r}; expected a whole number from 0')
    return value


def _columns_of_version_1(rules: list[Any]) -> dict[str, Any]:
    """Return the rules of a file of version 1, a list of objects, in columns."""
    conditions = [entry for rule in _objects(rules) for entry in take(rule, "conditions", list)]
    values = [take(entry, "values", list) for entry in _objects(conditions)]
    return {
        "rules": {
            **{name: [rule.get(name) for rule in rules] for name in _OF_RULES},
            "n_conditions": [len(rule["conditions"]) for rule in rules],
        },
        "conditions": {
            **{name: [entry.get(name) for entry in conditions] for name in _OF_CONDITIONS},
            "n_values": [len(own) for own in values],
            "values": [value for own in values for value in own],
        },
    }


def _objects(entries: list[Any]) -> list[dict[str, Any]]:
    if not all(isinstance(entry, dict) for entry in entries):
        raise ValueError("a rule or a condition is not an object")
    return entries


register_kind("ruleset", ruleset_from_content)
