"""The kinds of model that the command line knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import typer

import weaklearn
from weaklearn.estimators.parameters import Choice, Flag, Number, Parameter


@dataclass(frozen=True, slots=True)
class ModelKind:
    """A kind of model.

    Parameters
    ----------
    estimator : str
        The name of its class in `weaklearn`.
    fixed : mapping
        The parameters that the kind sets itself. They are not options.
    members : ModelKind, optional
        The kind of a committee's members. Their options are passed on to them.
    """

    estimator: str
    fixed: Mapping[str, Any] = field(default_factory=dict)
    members: ModelKind | None = None

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """The declared parameters of its class."""
        declared: Mapping[str, Parameter] = getattr(weaklearn, self.estimator)._parameters
        return declared

    @property
    def own_options(self) -> dict[str, Parameter]:
        """The parameters of the model itself that are options."""
        return {n: parameter for n, parameter in self.parameters.items() if n not in self.fixed}

    @property
    def options(self) -> dict[str, Parameter]:
        """The parameters of the model and of its members that are options."""
        return {**(self.members.options if self.members else {}), **self.own_options}


_C45 = ModelKind("C45Classifier")

MODELS: dict[str, ModelKind] = {
    "c45": _C45,
    "topdown": ModelKind("TopDownClassifier"),
    "bag": ModelKind("BaggedClassifier", {"vote": "equal"}, _C45),
    "boost": ModelKind("AdaBoostM1Classifier", {"vote": "error"}, _C45),
    "boost-confidence": ModelKind("AdaBoostM1Classifier", {"vote": "confidence"}, _C45),
    "program": ModelKind("BranchingProgramClassifier"),
    "oc1": ModelKind("OC1Classifier"),
    "sadt": ModelKind("SADTClassifier"),
    "real-adaboost": ModelKind("RealAdaBoostClassifier"),
    "boost-odt": ModelKind("BoostODTClassifier"),
}
KINDS_OF_MODEL = ", ".join(MODELS)


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
            raise ValueError(f"the model {', '.join(options_of)} has no option {dashed(option)}")
        if not having:
            models = ", ".join(options_of)
            raise ValueError(f"none of the models {models} has the option {dashed(option)}")
        for name, parameter in having.items():
            if not parameter.domain.allows(value):
                raise ValueError(
                    f"{dashed(option)} {value}: the model {name} expects "
                    f"{domain_text(parameter.domain)} (default: {parameter.default})"
                )


def make_model(name: str, given: Mapping[str, Any], **settings: Any) -> Any:
    """Return an unfitted classifier.

    Parameters
    ----------
    name : str
        One of `MODELS`.
    given : mapping
        The value of each option; None if it was not given. Options that this model does not have
        are ignored; `check_options` rejects an option that no model has.
    **settings
        Other parameters of the classifier, such as ``n_jobs``.
    """
    return _make(MODELS[name], given, settings)


def _make(kind: ModelKind, given: Mapping[str, Any], settings: Mapping[str, Any]) -> Any:
    chosen = {option: given[option] for option in kind.own_options if given.get(option) is not None}
    if kind.members is not None:
        chosen["estimator"] = _make(kind.members, given, {})
    return getattr(weaklearn, kind.estimator)(**kind.fixed, **chosen, **settings)


def parse_model(text: str) -> str:
    """Return the name of a model; raise BadParameter for an unknown name."""
    if text not in MODELS:
        raise typer.BadParameter(f"got {text!r}, expected one of {KINDS_OF_MODEL}")
    return text


def parse_models(text: str) -> list[str]:
    """Return the names of models that are separated by commas."""
    return [parse_model(name.strip()) for name in text.split(",")]


def dashed(name: str) -> str:
    """Return the option for a parameter.

    Examples
    --------
    >>> dashed("min_objects")
    '--min-objects'
    """
    return f"--{name.replace('_', '-')}"


def domain_text(domain: Number | Choice | Flag) -> str:
    """Describe the values that can be typed; None and functions cannot."""
    if isinstance(domain, Choice):
        return f"one of {', '.join(domain.names)}"
    if isinstance(domain, Number):
        domain = replace(domain, optional=False)
    return str(domain).replace("'", "")
