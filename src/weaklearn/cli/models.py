"""The models that the shell knows, and the options that each brings along."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer

from weaklearn.estimators.parameters import Choice, Flag, Parameter


@dataclass(frozen=True, slots=True)
class ModelKind:
    """A kind of model.

    Parameters
    ----------
    estimator : str
        The name of its class in `weaklearn`.
    fixed : mapping
        The parameters that its name settles; there is no option for them.
    members : ModelKind, optional
        What a committee is made of. Options that are theirs go to them.
    """

    estimator: str
    fixed: Mapping[str, Any] = field(default_factory=dict)
    members: ModelKind | None = None

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """The declared parameters of its class."""
        import weaklearn

        declared: Mapping[str, Parameter] = getattr(weaklearn, self.estimator)._parameters
        return declared

    @property
    def own_options(self) -> dict[str, Parameter]:
        """What can be said about the model itself."""
        return {n: parameter for n, parameter in self.parameters.items() if n not in self.fixed}

    @property
    def options(self) -> dict[str, Parameter]:
        """What can be said about the model and its members."""
        return {**(self.members.options if self.members else {}), **self.own_options}


_C45 = ModelKind("C45Classifier")


def _boosted(vote: str) -> ModelKind:
    return ModelKind("AdaBoostM1Classifier", {"vote": vote}, _C45)


MODELS: dict[str, ModelKind] = {
    "c45": _C45,
    "topdown": ModelKind("TopDownClassifier"),
    "bag": ModelKind("BaggedClassifier", {"vote": "equal"}, _C45),
    "boost": _boosted("error"),
    "boost-confidence": _boosted("confidence"),
    "program": ModelKind("BranchingProgramClassifier"),
    "oc1": ModelKind("OC1Classifier"),
    "sadt": ModelKind("SADTClassifier"),
    "real-adaboost": ModelKind("RealAdaBoostClassifier"),
    "boost-odt": ModelKind("BoostODTClassifier"),
}
KINDS_OF_MODEL = ", ".join(MODELS)


def check_options(names: Iterable[str], given: Mapping[str, Any]) -> None:
    """Raise a ValueError for an option that none of the models has.

    Parameters
    ----------
    names : iterable of str
        Some of `MODELS`.
    given : mapping
        What the user said about the learners' parameters; None for nothing.
    """
    names = list(names)
    known = {option for name in names for option in MODELS[name].options}
    for option, value in given.items():
        if value is not None and option not in known:
            dashed = f"--{option.replace('_', '-')}"
            if len(names) == 1:
                raise ValueError(f"the model {names[0]} has no option {dashed}")
            raise ValueError(f"none of the models {', '.join(names)} has the option {dashed}")


def make_model(name: str, given: Mapping[str, Any], **settings: Any) -> Any:
    """Make an unfitted classifier.

    Parameters
    ----------
    name : str
        One of `MODELS`.
    given : mapping
        What the user said about the learners' parameters; None for nothing. What this model does
        not have is passed over: see `check_options`.
    **settings
        What else the classifier is to be told, beside its learner's parameters.
    """
    return _make(MODELS[name], given, settings)


def _make(kind: ModelKind, given: Mapping[str, Any], settings: Mapping[str, Any]) -> Any:
    import weaklearn

    said = {option: given[option] for option in kind.own_options if given.get(option) is not None}
    if kind.members is not None:
        said["estimator"] = _make(kind.members, given, {})
    return getattr(weaklearn, kind.estimator)(**kind.fixed, **said, **settings)


def parse_model(text: str) -> str:
    """Read the name of a model."""
    if text not in MODELS:
        raise typer.BadParameter(f"got {text!r}, expected one of {KINDS_OF_MODEL}")
    return text


def parse_models(text: str) -> list[str]:
    """Read names of models, separated by commas."""
    return [parse_model(name.strip()) for name in text.split(",")]


def with_learner_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command an option for each parameter of each model, in place of its ``**learner``.

    An option that is not given is None, so that a learner's own default holds.
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
    """Declare an option that some models have, not all of them with the same default or values."""
    dashed = name.replace("_", "-")
    models_of: dict[int, list[str]] = {}  # by the identity of the parameter
    parameters: list[Parameter] = []
    for model, kind in MODELS.items():
        if name in kind.options:
            parameter = kind.options[name]
            if id(parameter) not in models_of:
                parameters.append(parameter)
            models_of.setdefault(id(parameter), []).append(model)
    text = "  ".join(_help(name, p, models_of[id(p)]) for p in parameters)
    if isinstance(parameters[0].domain, Flag):
        return Annotated[bool | None, typer.Option(f"--{dashed}/--no-{dashed}", help=text)]

    def parse(text: str) -> str | int | float:
        value = _number(text)
        for p in parameters:
            given = text if isinstance(p.domain, Choice) else value
            if p.domain.allows(given):
                return given
        expected = " or ".join(dict.fromkeys(_said(p) for p in parameters))
        raise typer.BadParameter(f"got {text!r}, expected {expected}")

    only_names = all(isinstance(p.domain, Choice) for p in parameters)
    metavar = "NAME" if only_names else "NUMBER"
    return Annotated[Any, typer.Option(f"--{dashed}", parser=parse, metavar=metavar, help=text)]


def _help(name: str, parameter: Parameter, models: list[str]) -> str:
    text = f"{parameter.help[0].upper()}{parameter.help[1:]}."
    if len(models) < len(MODELS):
        text = f"For {', '.join(models)}: {parameter.help}."
    if isinstance(parameter.domain, Flag):
        return f"{text}  [default: {'' if parameter.default else 'no-'}{name.replace('_', '-')}]"
    return text if parameter.default is None else f"{text}  [default: {parameter.default}]"


def _said(parameter: Parameter) -> str:
    """Say what may be typed: neither None nor a function."""
    domain = parameter.domain
    if isinstance(domain, Choice):
        domain = Choice(domain.names)
    return str(domain).removesuffix(" or None")


def _number(text: str) -> int | float | str:
    for number_type in (int, float):
        try:
            return number_type(text)
        except ValueError:
            pass
    return text
