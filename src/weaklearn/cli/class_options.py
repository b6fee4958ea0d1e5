"""The options --class-weight and --cost: their texts, read as parameters of a classifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weaklearn.tables.messages import quote, quote_list

if TYPE_CHECKING:
    from weaklearn.schema import Label

ClassWeight = Annotated[
    list[str] | None,
    typer.Option(
        metavar="CLASS=NUMBER",
        help="How much a class weighs, or 'balanced' for the same weight of all classes. Can be "
        "repeated.",
    ),
]
Cost = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TRUE:PREDICTED=NUMBER",
        help="What it costs to predict a class for another; 1 if not given. Can be repeated.",
    ),
]


def class_parameters(
    class_weight: Sequence[str] | None, cost: Sequence[str] | None, classes: Sequence[Label]
) -> dict[str, Any]:
    """Return ``class_weight`` and ``costs`` as a classifier takes them, as far as they are given.

    Examples
    --------
    >>> class_parameters(["sick=3"], ["sick:well=8"], ["sick", "well"])
    {'class_weight': {'sick': 3.0}, 'costs': {('sick', 'well'): 8.0}}
    """
    parameters: dict[str, Any] = {}
    label_of = {str(label): label for label in classes}
    if class_weight == ["balanced"]:
        parameters["class_weight"] = "balanced"
    elif class_weight:
        parameters["class_weight"] = {
            _label(name, label_of, text, "--class-weight"): number
            for text in class_weight
            for name, number in [_parse(text, "--class-weight", "CLASS=NUMBER, or balanced")]
        }
    if cost:
        parameters["costs"] = dict(_parse_cost(text, label_of) for text in cost)
    return parameters


def _parse_cost(text: str, label_of: dict[str, Label]) -> tuple[tuple[Label, Label], float]:
    pair, number = _parse(text, "--cost", "TRUE:PREDICTED=NUMBER")
    names = pair.split(":")
    if len(names) != 2:
        raise ValueError(f"--cost {text}: expected TRUE:PREDICTED=NUMBER, such as sick:well=8")
    true, predicted = (_label(name, label_of, text, "--cost") for name in names)
    return (true, predicted), number


def _parse(text: str, option: str, expected: str) -> tuple[str, float]:
    name, _, number = text.rpartition("=")
    try:
        return name, float(number)
    except ValueError:
        raise ValueError(f"{option} {text}: expected {expected}") from None


def _label(name: str, label_of: dict[str, Label], text: str, option: str) -> Label:
    if name not in label_of:
        raise ValueError(
            f"{option} {text}: there is no class {quote(name)}; expected one of "
            f"{quote_list(label_of)}"
        )
    return label_of[name]
