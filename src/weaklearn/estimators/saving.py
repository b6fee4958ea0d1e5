"""What the file of every classifier holds besides its model: parameters, classes, column names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from weaklearn.estimators.schema_classifier import SchemaClassifier
from weaklearn.estimators.table_classifier import TableClassifier
from weaklearn.models.cost_rule import CostRule
from weaklearn.models.file_content import take
from weaklearn.models.prediction import classes_from_content

Classifier = TypeVar("Classifier", bound=TableClassifier)


def parameters_content(model: Any) -> dict[str, Any]:
    """Return the parameters of a classifier, ready for JSON.

    The estimator of a committee, a callback and a random generator are left out. The first has an
    entry of its own, the others are None in the loaded classifier.
    """
    stored: dict[str, Any] = {}
    for name, value in model.get_params(deep=False).items():
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, str | int | float | None):
            stored[name] = value
        elif name in ("nominal", "continuous", "ignore", "missing_values"):
            stored[name] = [v.item() if isinstance(v, np.generic) else v for v in value]
        elif name == "class_weight":
            stored[name] = [[_plain(label), float(weight)] for label, weight in value.items()]
        elif name == "costs" and isinstance(value, Mapping):
            pairs = [[*map(_plain, pair), float(cost)] for pair, cost in value.items()]
            stored[name] = {"pairs": pairs}
        elif name == "costs":
            stored[name] = {"matrix": np.asarray(value, dtype=np.float64).tolist()}
        elif callable(value) and name != "callback":
            raise TypeError(
                f"{name} is a function, which a file cannot hold: save the graph alone, "
                "model.tree_.save(path) or model.program_.save(path), "
                "or use a function known by name."
            )
    return stored


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label


def _restored_parameters(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters of a file as the classifier takes them."""
    parameters = dict(stored)
    try:
        if isinstance(parameters.get("class_weight"), list):
            parameters["class_weight"] = dict(parameters["class_weight"])
        if isinstance(parameters.get("costs"), dict):
            costs = parameters["costs"]
            pairs = costs.get("pairs")
            parameters["costs"] = (
                costs["matrix"]
                if pairs is None
                else {(true, predicted): cost for true, predicted, cost in pairs}
            )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f'its "class_weight" or "costs" cannot be read: {error}') from error
    return parameters


def common_content(model: SchemaClassifier) -> dict[str, Any]:
    """Return parameters, classes and whether columns have names, ready for JSON."""
    rule = model._cost_rule
    return {
        **({} if rule is None else {"cost_rule": rule.content()}),
        "parameters": parameters_content(model),
        "classes": model.classes_.tolist(),
        "classes_are_objects": model.classes_.dtype == object,
        "has_names": hasattr(model, "feature_names_in_"),
        **({"features_kept": _kept_columns(model)} if hasattr(model, "features_kept_") else {}),
    }


def _kept_columns(model: Any) -> list[int]:
    position = {name: index for index, name in enumerate(model._schema.names)}
    return [position[name] for name in model.features_kept_]


def unfitted_from_content(kind: type[Classifier], content: Mapping[str, Any]) -> Classifier:
    """Make an unfitted classifier with the parameters of a file, and check them."""
    parameters = _restored_parameters(take(content, "parameters", dict))
    unknown = sorted(set(parameters) - set(kind._get_param_names()))
    if unknown:
        raise ValueError(f"{kind.__name__} has no parameter {unknown[0]!r}")
    model = kind(**parameters)
    model.check_parameters()
    return model


def estimator_content(estimator: Any) -> dict[str, Any]:
    """Return an unfitted classifier of this package, ready for JSON: its kind and parameters."""
    part = getattr(estimator, "estimator", None)
    return {
        "kind": type(estimator).__name__,
        "parameters": parameters_content(estimator),
        **({} if part is None else {"estimator": estimator_content(part)}),
    }


def estimator_from_content(
    content: Mapping[str, Any], kinds: Sequence[type[TableClassifier]] = (TableClassifier,)
) -> Any:
    """Make an unfitted classifier from the result of `estimator_content`.

    Parameters
    ----------
    content : mapping
        The content of a file.
    kinds : sequence of classes
        The classifier is one of these classes or of their subclasses.

    Raises
    ------
    ValueError
        If it is of another kind, or if a parameter is outside its domain.
    """
    # The base classes have no parameters.
    known = {name: k for name, k in _kinds_below(kinds).items() if hasattr(k, "_parameters")}
    name = take(content, "kind", str)
    if name not in known:
        raise ValueError(f"its estimator is {name!r}; known are {', '.join(known)}")
    model: Any = unfitted_from_content(known[name], content)
    if "estimator" in content:
        if "estimator" not in model.get_params(deep=False):
            raise ValueError(f"{name} has no parameter 'estimator'")
        model.estimator = estimator_from_content(take(content, "estimator", dict))
        model.check_parameters()
    return model


def _kinds_below(kinds: Sequence[type[Classifier]]) -> dict[str, type[Classifier]]:
    """Return classes and their subclasses by name; of one name, the one defined last."""
    named: dict[str, type[Classifier]] = {}
    for kind in kinds:
        named |= {kind.__name__: kind, **_kinds_below(kind.__subclasses__())}
    return named


def restore_common(model: TableClassifier, content: Mapping[str, Any]) -> None:
    """Restore what `common_content` stored, in a classifier that has its model already."""
    schema = model._schema
    model.classes_ = classes_from_content(content, schema)
    model.n_features_in_ = len(schema.features)
    if "cost_rule" in content:
        model._cost_rule = CostRule.from_content(
            take(content, "cost_rule", dict), len(schema.classes)
        )
    if "features_kept" in content:
        kept = take(content, "features_kept", list)
        if not all(
            type(column) is int and column in range(len(schema.features)) for column in kept
        ):
            raise ValueError('its "features_kept" are not columns of its schema')
        model._note_kept_columns(kept)
    if take(content, "has_names", bool):
        model.feature_names_in_ = np.array(schema.names, dtype=object)


def take_seed(content: Mapping[str, Any]) -> int:
    """Return the seed of a fit from a file."""
    seed = take(content, "seed", int)
    if not 0 <= seed < 2**31:
        raise ValueError(f'its "seed" is {seed}; expected 0 to 2^31 - 1')
    return seed
