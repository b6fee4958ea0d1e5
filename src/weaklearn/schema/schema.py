"""What the columns of a table are: the features in order, and the class."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from weaklearn.tables.column import Label as Label
from weaklearn.tables.dates import DateForm
from weaklearn.tables.distinct import first_repeated
from weaklearn.tables.messages import quote, quote_list

Kind = Literal["continuous", "nominal"]
Precision = Literal["single", "double"]


# A repr must fit on a screen: 20 lines, 1,000 characters.
_MAX_FEATURES_SHOWN = 8
_MAX_LINE_LENGTH = 76
_MAX_VALUES_SHOWN = 4
_MAX_LABEL_LENGTH = 16


@dataclass(frozen=True, slots=True, repr=False)
class Feature:
    """What one column of features holds.

    Parameters
    ----------
    name : str
        The column's name.
    kind : {"continuous", "nominal"}
        Whether its values are numbers with an order or labels without one.
    values : tuple of labels
        The declared values of a nominal feature, in order, also those that never occur.
    precision : {"single", "double"}
        How a continuous feature is compared with a threshold. C4.5 keeps values in single
        precision; double is used where single would make two different values equal, and for dates.
    date : DateForm or None
        How the dates of a continuous feature are written; None if its values are plain numbers. The
        numbers of dates are seconds since 1970-01-01 UTC.
    ignored : bool
        Whether the column is left out: a model takes all its values as missing.
    """

    name: str
    kind: Kind
    values: tuple[Label, ...] = ()
    precision: Precision = "single"
    date: DateForm | None = None
    ignored: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the feature as plain data for JSON.

        Examples
        --------
        >>> Feature("colour", "nominal", ("red", "blue")).to_dict()
        {'name': 'colour', 'kind': 'nominal', 'values': ['red', 'blue']}
        >>> Feature("age", "continuous").to_dict()
        {'name': 'age', 'kind': 'continuous', 'precision': 'single'}
        """
        if self.kind == "nominal":
            return {"name": self.name, "kind": self.kind, "values": list(self.values)}
        data: dict[str, Any] = {"name": self.name, "kind": self.kind, "precision": self.precision}
        if self.date is not None:
            data["date"] = self.date.to_dict()
        if self.ignored:
            data["ignored"] = True
        return data

    @classmethod
    def from_dict(cls, data: object, where: str = "feature") -> Feature:
        """Read the result of `to_dict`, with every part of it checked.

        Parameters
        ----------
        data : object
            Plain data, possibly from an untrusted file.
        where : str
            What messages call the data.
        """
        entry = _as_dict(data, where)
        kind = _one_of(entry.get("kind"), get_args(Kind), f"{where}.kind")
        if kind == "nominal":
            _require_keys(entry, {"name", "kind", "values"}, where)
            values = _distinct_labels(entry["values"], f"{where}.values")
            return cls(_text(entry["name"], f"{where}.name"), kind, values)
        optional = {"date", "ignored"} & set(entry)
        _require_keys(entry, {"name", "kind", "precision", *optional}, where)
        name = _text(entry["name"], f"{where}.name")
        precision = _one_of(entry["precision"], get_args(Precision), f"{where}.precision")
        date = DateForm.from_dict(entry["date"], f"{where}.date") if "date" in entry else None
        ignored = _one_of(entry.get("ignored", False), (True, False), f"{where}.ignored")
        return cls(name, kind, precision=precision, date=date, ignored=ignored)

    def __repr__(self) -> str:
        if self.kind == "nominal":
            return f"Feature({quote(self.name)}, 'nominal', {_shown_labels(self.values)})"
        if self.ignored:
            return f"Feature({quote(self.name)}, {self.kind!r}, ignored=True)"
        precision = "" if self.precision == "single" else f", precision={self.precision!r}"
        date = "" if self.date is None else f", date={self.date.unit!r}"
        return f"Feature({quote(self.name)}, {self.kind!r}{precision}{date})"


@dataclass(frozen=True, slots=True, repr=False)
class Schema:
    """The features of a table in order, and its classes.

    Parameters
    ----------
    features : tuple of Feature
        One per column, in the table's order.
    classes : tuple of labels
        The declared classes, in order, also those that never occur.
    target : str or None
        The name of the class column, or None if it is not known.
    missing_values : tuple of texts and numbers, or None
        The cells that the user declared missing; None for the default of
        `weaklearn.tables.missing_values`.
    """

    features: tuple[Feature, ...]
    classes: tuple[Label, ...] = ()
    target: str | None = None
    missing_values: tuple[str | float, ...] | None = None

    @property
    def names(self) -> list[str]:
        """The features' names, in order."""
        return [feature.name for feature in self.features]

    def count_kinds(self) -> str:
        """Return the number of features of each kind as text.

        Examples
        --------
        >>> Schema((Feature("age", "continuous"),)).count_kinds()
        '1 continuous + 0 nominal features'
        """
        n_nominal = sum(feature.kind == "nominal" for feature in self.features)
        return f"{len(self.features) - n_nominal} continuous + {n_nominal} nominal features"

    def to_dict(self) -> dict[str, Any]:
        """Return the schema as plain data for JSON.

        Examples
        --------
        >>> schema = Schema((Feature("age", "continuous"),), ("no", "yes"), "ill")
        >>> Schema.from_dict(schema.to_dict()) == schema
        True
        """
        data = {
            "features": [feature.to_dict() for feature in self.features],
            "classes": list(self.classes),
            "target": self.target,
        }
        if self.missing_values is not None:
            data["missing_values"] = list(self.missing_values)
        return data

    @classmethod
    def from_dict(cls, data: object) -> Schema:
        """Read the result of `to_dict` for a table with classes, with every part of it checked.

        Parameters
        ----------
        data : object
            Plain data, possibly from an untrusted file.

        Raises
        ------
        ValueError
            For a wrong type, a missing or additional key, a repeated name, value or class, a
            number that is not finite, no feature or no class. The message has the place and what
            was expected there.
        """
        entry = _as_dict(data, "schema")
        optional = {"missing_values"} & set(entry)
        _require_keys(entry, {"features", "classes", "target", *optional}, "schema")
        entries = _as_list(entry["features"], "schema.features")
        if not entries:
            raise ValueError("schema.features is empty; expected at least one feature.")
        features = tuple(
            Feature.from_dict(value, f"schema.features[{i}]") for i, value in enumerate(entries)
        )
        _require_distinct([feature.name for feature in features], "schema.features (names)")
        classes = _distinct_labels(entry["classes"], "schema.classes")
        if not classes:
            raise ValueError("schema.classes is empty; expected at least one class.")
        target = entry["target"]
        if target is not None:
            target = _text(target, "schema.target")
        missing = entry.get("missing_values")
        if missing is not None:
            missing = _distinct_labels(missing, "schema.missing_values")
        return cls(features, classes, target, missing)

    def __repr__(self) -> str:
        lines = [f"Schema: {self.count_kinds()}"]
        for feature in self.features[:_MAX_FEATURES_SHOWN]:
            line = f"  {feature!r}"
            lines.append(line if len(line) <= _MAX_LINE_LENGTH else f"{line[:_MAX_LINE_LENGTH]}...")
        if len(self.features) > _MAX_FEATURES_SHOWN:
            lines.append(f"  ... ({len(self.features) - _MAX_FEATURES_SHOWN} more)")
        if self.target is not None:
            lines.append(f"  target {quote(self.target)}")
        if self.classes:
            lines.append(f"  classes {_shown_labels(self.classes)}")
        return "\n".join(lines)


def _as_dict(data: object, where: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise ValueError(f"{where} is {quote(data)}; expected an object with named entries.")
    return data


def _as_list(data: object, where: str) -> list[Any]:
    if not isinstance(data, list):
        raise ValueError(f"{where} is {quote(data)}; expected a list.")
    return data


def _require_keys(entry: dict[str, Any], keys: set[str], where: str) -> None:
    if set(entry) != keys:
        got = sorted(map(str, entry))
        raise ValueError(f"{where} has the keys {got}; expected {sorted(keys)}.")


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{where} is {quote(value)}; expected a string.")
    return value


def _one_of(value: object, choices: tuple[Any, ...], where: str) -> Any:
    for choice in choices:
        if value == choice:
            return choice
    raise ValueError(f"{where} is {quote(value)}; expected one of {list(choices)}.")


def _distinct_labels(data: object, where: str) -> tuple[Label, ...]:
    labels = _as_list(data, where)
    for i, label in enumerate(labels):
        if not isinstance(label, str | int | float):
            raise ValueError(
                f"{where}[{i}] is {quote(label)}; expected a string, a number or a bool."
            )
        if isinstance(label, float) and not math.isfinite(label):
            raise ValueError(f"{where}[{i}] is {label}; expected a finite number.")
    _require_distinct(labels, where)
    return tuple(labels)


def _require_distinct(labels: Sequence[Label], where: str) -> None:
    repeated = first_repeated(labels)
    if repeated is not None:
        raise ValueError(f"{where} holds {quote(repeated)} more than once; expected it once.")


def _shown_labels(labels: tuple[Label, ...]) -> str:
    """Return the repr of a tuple of labels, shortened if it is long."""
    text = quote_list(labels, _MAX_VALUES_SHOWN, _MAX_LABEL_LENGTH)
    return f"({text},)" if len(labels) == 1 else f"({text})"
