"""The models that the shell knows, and the options that each brings along."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from weaklearn.learners import c45
from weaklearn.learners.parameters import Choice, Flag, Parameter


@dataclass(frozen=True, slots=True)
class ModelKind:
    """A kind of model.

    Parameters
    ----------
    estimator : str
        The name of its class in `weaklearn`.
    parameters : mapping
        What its learner can be told.
    """

    estimator: str
    parameters: Mapping[str, Parameter]


MODELS: dict[str, ModelKind] = {
    "c45": ModelKind("C45Classifier", c45.PARAMETERS),
}


def make_model(name: str, given: Mapping[str, Any], jobs: int | None = None) -> Any:
    """Make an unfitted classifier.

    Parameters
    ----------
    name : str
        One of `MODELS`.
    given : mapping
        What the user said about the learners' parameters; None for nothing.
    jobs : int or None
        Threads to fit and answer with.
    """
    import weaklearn

    kind = MODELS[name]
    said = {parameter: value for parameter, value in given.items() if value is not None}
    for parameter in said:
        if parameter not in kind.parameters:
            raise ValueError(f"the model {name} has no option --{parameter.replace('_', '-')}")
    return getattr(weaklearn, kind.estimator)(**said, n_jobs=jobs)


def parse_model(text: str) -> str:
    """Read the name of a model."""
    if text not in MODELS:
        raise typer.BadParameter(f"got {text!r}, expected one of {', '.join(MODELS)}")
    return text


def parse_models(text: str) -> list[str]:
    """Read names of models, separated by commas."""
    return [parse_model(name.strip()) for name in text.split(",")]


def with_learner_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command an option for each parameter of each model, in place of its ``**learner``.

    An option that is not given is None, so that a learner's own default holds.
    """
    declared = {
        name: parameter for kind in MODELS.values() for name, parameter in kind.parameters.items()
    }
    options = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=_option(name, parameter),
        )
        for name, parameter in declared.items()
    ]
    signature = inspect.signature(command, eval_str=True)
    own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    command.__signature__ = signature.replace(parameters=[*own, *options])  # type: ignore[attr-defined]
    return command


def _option(name: str, parameter: Parameter) -> Any:
    dashed = name.replace("_", "-")
    domain = parameter.domain
    text = f"{parameter.help[0].upper()}{parameter.help[1:]}."
    if isinstance(domain, Flag):
        shown = f"{'' if parameter.default else 'no-'}{dashed}"
        return Annotated[
            bool | None,
            typer.Option(f"--{dashed}/--no-{dashed}", help=f"{text}  [default: {shown}]"),
        ]
    if parameter.default is not None:
        text += f"  [default: {parameter.default}]"

    def parse(text: str) -> str | int | float:
        value = text if isinstance(domain, Choice) else _number(text)
        if not domain.allows(value):
            expected = str(domain).removesuffix(" or None")
            raise typer.BadParameter(f"got {text!r}, expected {expected}")
        return value

    metavar = "NAME" if isinstance(domain, Choice) else "NUMBER"
    return Annotated[Any, typer.Option(f"--{dashed}", parser=parse, metavar=metavar, help=text)]


def _number(text: str) -> int | float | str:
    for number_type in (int, float):
        try:
            return number_type(text)
        except ValueError:
            pass
    return text
