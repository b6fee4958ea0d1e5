"""Options of ``fit`` and ``evaluate``: one for each parameter of each kind of model."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from weaklearn.cli.models import MODELS, dashed, domain_text
from weaklearn.estimators.parameters import Choice, Flag, Parameter


def with_model_options(command: Callable[..., None]) -> Callable[..., None]:
    """Replace the ``**model_options`` of a command by an option for each parameter of each model.

    An option that is not given is None, and the model uses its own default.
    """
    names = dict.fromkeys(name for kind in MODELS.values() for name in kind.options)
    options = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_option(name)
        )
        for name in names
    ]
    signature = inspect.signature(command, eval_str=True)
    own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    vars(command)["__signature__"] = signature.replace(parameters=[*own, *options])
    return command


def _option(name: str) -> Any:
    """Declare the option for a parameter that some models have.

    The models can have different defaults, values and help texts for it.
    """
    models_of: dict[Parameter, list[str]] = {}
    for model, kind in MODELS.items():
        if name in kind.options:
            models_of.setdefault(kind.options[name], []).append(model)
    text = "  ".join(_help(name, parameter, models) for parameter, models in models_of.items())
    domains = [parameter.domain for parameter in models_of]
    if isinstance(domains[0], Flag):
        switch = f"{dashed(name)}/--no-{dashed(name).removeprefix('--')}"
        return Annotated[bool | None, typer.Option(switch, help=text)]

    def parse(text: str) -> str | int | float:
        for value in (text, _number(text)):
            if any(domain.allows(value) for domain in domains):
                return value
        raise typer.BadParameter(f"got {text!r}, expected {_expected(models_of)}")

    only_names = all(isinstance(domain, Choice) for domain in domains)
    metavar = "NAME" if only_names else "NUMBER"
    return Annotated[Any, typer.Option(dashed(name), parser=parse, metavar=metavar, help=text)]


def _help(name: str, parameter: Parameter, models: list[str]) -> str:
    # "most nodes; None: no limit" says what happens without the option.
    text, _, without = parameter.help.partition("; None: ")
    if len(models) < len(MODELS):
        text = f"for {', '.join(models)}: {text}"
    text = f"{text[0].upper()}{text[1:]}."
    default = without if parameter.default is None else str(parameter.default)
    if isinstance(parameter.default, bool):
        default = f"{'' if parameter.default else 'no-'}{name.replace('_', '-')}"
    return f"{text}  [default: {default}]" if default else text


def _expected(models_of: dict[Parameter, list[str]]) -> str:
    """Describe the values of an option, with the models where these differ."""
    models_of_text: dict[str, list[str]] = {}
    for parameter, models in models_of.items():
        models_of_text.setdefault(domain_text(parameter.domain), []).extend(models)
    if len(models_of_text) == 1:
        return next(iter(models_of_text))
    return ", or ".join(f"{text} ({', '.join(m)})" for text, m in models_of_text.items())


def _number(text: str) -> int | float | str:
    for number_type in (int, float):
        try:
            return number_type(text)
        except ValueError:
            pass
    return text
