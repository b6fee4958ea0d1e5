"""What a table's columns are: the features in order, and the class."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from weaklearn.tables.array_to_column import Label as Label

Kind = Literal["continuous", "nominal"]
Precision = Literal["single", "double"]


@dataclass(frozen=True, slots=True)
class Feature:
    """One described column.

    Parameters
    ----------
    name : str
        The column's name.
    kind : {"continuous", "nominal"}
        Whether its values are numbers to be ordered or names to be told apart.
    values : tuple of labels
        The declared values of a nominal feature, in order; values that never occur count.
    precision : {"single", "double"}
        How a continuous feature is compared with a threshold. C4.5 keeps values in single
        precision; double is used where single would make two different values equal.
    """

    name: str
    kind: Kind
    values: tuple[Label, ...] = ()
    precision: Precision = "single"

    def to_dict(self) -> dict[str, Any]:
        """Give the feature as plain data, ready for JSON.

        Examples
        --------
        >>> Feature("colour", "nominal", ("red", "blue")).to_dict()
        {'name': 'colour', 'kind': 'nominal', 'values': ['red', 'blue']}
        >>> Feature("age", "continuous").to_dict()
        {'name': 'age', 'kind': 'continuous', 'precision': 'single'}
        """
        if self.kind == "nominal":
            return {"name": self.name, "kind": self.kind, "values": list(self.values)}
        return {"name": self.name, "kind": self.kind, "precision": self.precision}

    @classmethod
    def from_dict(cls, data: object, where: str = "feature") -> Feature:
        """Read what `to_dict` gave, trusting nothing.

        Parameters
        ----------
        data : object
            Plain data, perhaps from a stranger.
        where : str
            What messages call it.
        """
        entry = _as_dict(data, where)
        kind = _one_of(entry.get("kind"), get_args(Kind), f"{where}.kind")
        if kind == "nominal":
            _require_keys(entry, {"name", "kind", "values"}, where)
            values = _distinct_labels(entry["values"], f"{where}.values")
            return cls(_text(entry["name"], f"{where}.name"), kind, values)
        _require_keys(entry, {"name", "kind", "precision"}, where)
        name = _text(entry["name"], f"{where}.name")
        precision = _one_of(entry["precision"], get_args(Precision), f"{where}.precision")
        return cls(name, kind, precision=precision)


@dataclass(frozen=True, slots=True)
class Schema:
    """The ordered features of a table, and its class.

    Parameters
    ----------
    features : tuple of Feature
        One per column, in the table's order.
    classes : tuple of labels
        The declared classes, in order; classes that never occur count.
    target : str or None
        The name of the class column, where there is one.
    """

    features: tuple[Feature, ...]
    classes: tuple[Label, ...] = ()
    target: str | None = None

    @property
    def names(self) -> list[str]:
        """The features' names, in order."""
        return [feature.name for feature in self.features]

    def to_dict(self) -> dict[str, Any]:
        """Give the schema as plain data, ready for JSON.

        Examples
        --------
        >>> schema = Schema((Feature("age", "continuous"),), ("no", "yes"), "ill")
        >>> Schema.from_dict(schema.to_dict()) == schema
        True
        """
        return {
            "features": [feature.to_dict() for feature in self.features],
            "classes": list(self.classes),
            "target": self.target,
        }

    @classmethod
    def from_dict(cls, data: object) -> Schema:
        """Read what `to_dict` gave for a table with classes, trusting nothing.

        Parameters
        ----------
        data : object
            Plain data, perhaps from a stranger.

        Raises
        ------
        ValueError
            With the place and what was expected there: a wrong type, a missing or unknown key, a
            repeated name, value or class, a number that is not finite, no feature or no class.
        """
        entry = _as_dict(data, "schema")
        _require_keys(entry, {"features", "classes", "target"}, "schema")
        entries = _as_list(entry["features"], "schema.features")
        if not entries:
            raise ValueError("schema.features is empty; expected at least one feature.")
        features = tuple(
            Feature.from_dict(item, f"schema.features[{i}]") for i, item in enumerate(entries)
        )
        _require_distinct([feature.name for feature in features], "schema.features (names)")
        classes = _distinct_labels(entry["classes"], "schema.classes")
        if not classes:
            raise ValueError("schema.classes is empty; expected at least one class.")
        target = entry["target"]
        return cls(features, classes, None if target is None else _text(target, "schema.target"))


def _as_dict(data: object, where: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise ValueError(f"{where} is {_shown(data)}; expected an object with named entries.")
    return data


def _as_list(data: object, where: str) -> list[Any]:
    if not isinstance(data, list):
        raise ValueError(f"{where} is {_shown(data)}; expected a list.")
    return data


def _require_keys(entry: dict[str, Any], keys: set[str], where: str) -> None:
    if set(entry) != keys:
        got = sorted(map(str, entry))
        raise ValueError(f"{where} has the keys {got}; expected {sorted(keys)}.")


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{where} is {_shown(value)}; expected a string.")
    return value


def _one_of(value: object, choices: tuple[Any, ...], where: str) -> Any:
    for choice in choices:
        if value == choice:
            return choice
    raise ValueError(f"{where} is {_shown(value)}; expected one of {list(choices)}.")


def _distinct_labels(data: object, where: str) -> tuple[Label, ...]:
    labels = _as_list(data, where)
    for i, label in enumerate(labels):
        if not isinstance(label, str | int | float):
            raise ValueError(
                f"{where}[{i}] is {_shown(label)}; expected a string, a number or a bool."
            )
        if isinstance(label, float) and not math.isfinite(label):
            raise ValueError(f"{where}[{i}] is {label}; expected a finite number.")
    _require_distinct(labels, where)
    return tuple(labels)


def _require_distinct(items: Sequence[Label], where: str) -> None:
    seen: set[Label] = set()
    for item in items:
        if item in seen:
            raise ValueError(f"{where} holds {_shown(item)} more than once; expected it once.")
        seen.add(item)


def _shown(value: object) -> str:
    text = repr(value)
    return f"{text[:60]}..." if len(text) > 60 else text
