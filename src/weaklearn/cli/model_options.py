"""Options that describe a model: its kind, and one option for each parameter of each kind."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any

import typer

from weaklearn.cli.model_kinds import KINDS_OF_MODEL, MODELS
from weaklearn.estimators.parameters import Choice, Flag, Number, Parameter, ShareOrCount

#: Parameters whose own name is an option about columns already.
_OTHER_NAMES = {"missing": "--missing-rule"}


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


def parse_model(text: str) -> str:
    """Return the name of a model; raise BadParameter for an unknown name."""
    if text not in MODELS:
        raise typer.BadParameter(f"got {text!r}, expected one of {KINDS_OF_MODEL}")
    return text


def parse_models(text: str) -> list[str]:
    """Return the names of models that are separated by commas."""
    return [parse_model(name.strip()) for name in text.split(",")]


def check_options(names: Iterable[str], given: Mapping[str, Any]) -> None:
    """Raise a ValueError for an option that no model has, or a value that a model cannot take.

    Parameters
    ----------
    names : iterable of str
        Some of `MODELS`.
    given : mapping
        The value of each option; None if it was not given.
    """
    options_of = {name: MODELS[name].options for name in names}
    for option, value in given.items():
        if value is None:
            continue
        having = {
            name: options[option] for name, options in options_of.items() if option in options
        }
        if not having and len(options_of) == 1:
            raise ValueError(f"the model {', '.join(options_of)} has no option {_dashed(option)}")
        if not having:
            models = ", ".join(options_of)
            raise ValueError(f"none of the models {models} has the option {_dashed(option)}")
        for name, parameter in having.items():
            if not parameter.domain.allows(value):
                raise ValueError(
                    f"{_dashed(option)} {value}: the model {name} expects "
                    f"{_domain_text(parameter.domain)} (default: {parameter.default})"
                )


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
        switch = f"{_dashed(name)}/--no-{_dashed(name).removeprefix('--')}"
        return Annotated[bool | None, typer.Option(switch, help=text)]

    def parse(text: str) -> str | int | float:
        for value in (text, _number(text)):
            if any(domain.allows(value) for domain in domains):
                return value
        raise typer.BadParameter(f"got {text!r}, expected {_expected(models_of)}")

    only_names = all(isinstance(domain, Choice) for domain in domains)
    metavar = "NAME" if only_names else "NUMBER"
    return Annotated[Any, typer.Option(_dashed(name), parser=parse, metavar=metavar, help=text)]


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
        models_of_text.setdefault(_domain_text(parameter.domain), []).extend(models)
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


def _dashed(name: str) -> str:
    """Return the option for a parameter.

    Examples
    --------
    >>> _dashed("min_objects")
    '--min-objects'
    """
    return _OTHER_NAMES.get(name, f"--{name.replace('_', '-')}")


def _domain_text(domain: Number | ShareOrCount | Choice | Flag) -> str:
    """Describe the values that can be typed; None and functions cannot."""
    if isinstance(domain, Choice):
        return f"one of {', '.join(domain.names)}"
    if isinstance(domain, Number | ShareOrCount):
        domain = replace(domain, optional=False)
    return str(domain).replace("'", "")
