"""The kinds of model that the command line knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import weaklearn
from weaklearn.estimators.parameters import Parameter


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
    has_seed : bool
        Whether every fit depends on a seed.
    """

    estimator: str
    fixed: Mapping[str, Any] = field(default_factory=dict)
    members: ModelKind | None = None
    has_seed: bool = False

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
        if self.members is None:
            return self.own_options
        member = self.new_member()
        of_members = {
            name: replace(parameter, default=getattr(member, name))
            for name, parameter in self.members.options.items()
        }
        return {**of_members, **self.own_options}

    def new_member(self) -> Any:
        """Return an unfitted member of a committee: the default, if it is of the right kind."""
        assert self.members is not None
        default = getattr(weaklearn, self.estimator)()._default_parts()["estimator"]
        if type(default).__name__ == self.members.estimator and not self.members.fixed:
            return default
        return getattr(weaklearn, self.members.estimator)(**self.members.fixed)

    def depends_on_seed(self, given: Mapping[str, Any]) -> bool:
        """Return whether a fit with these options depends on a seed."""
        draws_features = "max_features" in self.options and given.get("max_features") is not None
        return self.has_seed or draws_features


_C45 = ModelKind("C45Classifier")
_RULES = ModelKind("RulesClassifier")

MODELS: dict[str, ModelKind] = {
    "c45": _C45,
    "rules": _RULES,
    "topdown": ModelKind("TopDownClassifier"),
    "bag": ModelKind("BaggedClassifier", {"vote": "equal"}, _C45, has_seed=True),
    "boost": ModelKind("AdaBoostM1Classifier", {"vote": "error"}, _C45, has_seed=True),
    "boost-confidence": ModelKind(
        "AdaBoostM1Classifier", {"vote": "confidence"}, _C45, has_seed=True
    ),
    "boost-rules": ModelKind("AdaBoostM1Classifier", {"vote": "error"}, _RULES, has_seed=True),
    "ten-trials": ModelKind(
        "AdaBoostM1Classifier",
        {"vote": "shares", "step": 0.5, "n_rounds": 10},
        ModelKind(
            "C45Classifier",
            {"missing": "branch", "subset": True, "threshold_penalty": False, "shrinkage": 5.0},
        ),
        has_seed=True,
    ),
    "boosted-forest": ModelKind("BoostedForestClassifier", {}, _C45, has_seed=True),
    "program": ModelKind("BranchingProgramClassifier"),
    "oc1": ModelKind("OC1Classifier", has_seed=True),
    "sadt": ModelKind("SADTClassifier", has_seed=True),
    "real-adaboost": ModelKind("RealAdaBoostClassifier"),
    "boost-odt": ModelKind("BoostODTClassifier"),
}
KINDS_OF_MODEL = ", ".join(MODELS)


def make_model(name: str, given: Mapping[str, Any], **settings: Any) -> Any:
    """Return an unfitted classifier.

    Parameters
    ----------
    name : str
        One of `MODELS`.
    given : mapping
        The value of each option; None if it was not given. Options that this model does not have
        are ignored; `model_options.check_options` rejects an option that no model has.
    **settings
        Other parameters of the classifier, such as ``n_jobs``.
    """
    kind = MODELS[name]
    chosen = {option: given[option] for option in kind.own_options if given.get(option) is not None}
    if kind.members is not None:
        # An option of both, such as the columns per member and per node, is that of the committee.
        of_members = {
            option: given[option]
            for option in kind.members.own_options
            if option not in kind.own_options and given.get(option) is not None
        }
        chosen["estimator"] = kind.new_member().set_params(**of_members)
    return getattr(weaklearn, kind.estimator)(**kind.fixed, **chosen, **settings)
