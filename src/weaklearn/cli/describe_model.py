"""Describe a fitted model: a tree, program or ruleset, a committee, separators."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeGuard

from weaklearn.cli.output import counted, percent

if TYPE_CHECKING:
    from weaklearn.estimators.committee.base import Committee

_WHY_STOPPED = {
    "perfect": "the last member makes no training error and decides alone",
    "error": "the next member was wrong on half the weight or more",
    "zero_error": "the committee makes no training error",
    "interrupted": "interrupted",
}


@dataclass(frozen=True, slots=True)
class Description:
    """The main facts of a fitted model.

    Parameters
    ----------
    lines : list of pairs
        Headings and texts, to print.
    document : dict
        The same facts for JSON.
    """

    lines: list[tuple[str, str]]
    document: dict[str, Any]


def is_committee(model: object) -> TypeGuard[Committee]:
    """Return whether a model has members that vote."""
    return hasattr(model, "members_")


def describe(classifier: Any) -> Description:
    """Describe a fitted model."""
    if is_committee(classifier):
        return _describe_committee(classifier)
    if hasattr(classifier, "separators_"):
        return _describe_separators(classifier)
    if hasattr(classifier, "ruleset_"):
        return _describe_ruleset(classifier)
    return _describe_graph(classifier)


def _describe_committee(model: Any) -> Description:
    """Describe a fitted committee."""
    has_rules = hasattr(model.members_[0], "ruleset_")
    sizes = [len(m.ruleset_) if has_rules else m.graph_.size for m in model.members_]
    mean = sum(sizes) / len(sizes)
    members, parts = counted(len(sizes), "member"), "rule" if has_rules else "node"
    text = f"{members}, {counted(sum(sizes), parts)}, {mean:,.1f} per member"
    lines = [("committee", text)]
    document = {"members": len(sizes), "size": sum(sizes), "mean_size": mean}
    if hasattr(model, "oob_error_"):
        known = not math.isnan(model.oob_error_)
        rate = percent(model.oob_error_) if known else "none: every member was trained on every row"
        lines.append(("out-of-bag error", rate))
        document["oob_error"] = model.oob_error_ if known else None
    if _is_bounded(model):
        bound = f"{percent(model.training_bound_)} (the training error is at most this)"
        lines.append(("training bound", bound))
        document["training_bound"] = model.training_bound_
    stopped = getattr(model, "stopped_", "interrupted" if model.interrupted_ else "members")
    if stopped in _WHY_STOPPED:
        lines.append(("stopped early", _WHY_STOPPED[stopped]))
    if _holds_back(model):
        lines.append(("rounds kept", "the number chosen by the rows held back"))
    return Description(lines, {**document, "stopped": stopped, "interrupted": model.interrupted_})


def _is_bounded(model: Any) -> bool:
    """Return whether the bound holds for the training error that is printed.

    It is proven for votes by error, and for the rows that the members were trained on.
    """
    return hasattr(model, "training_bound_") and model.vote == "error" and not _holds_back(model)


def _holds_back(model: Any) -> bool:
    return getattr(model, "n_rounds", None) == "auto"


def _describe_separators(classifier: Any) -> Description:
    separators = classifier.separators_.each
    stumps = sum(len(separator.mu) for separator in separators)
    document = {"separators": len(separators), "stumps": stumps}
    text = f"{counted(len(separators), 'separator')}, {counted(stumps, 'stump')}"
    return Description([("model", text)], document)


def _describe_ruleset(classifier: Any) -> Description:
    ruleset = classifier.ruleset_
    text = f"{counted(len(ruleset), 'rule')}, {counted(ruleset.n_conditions, 'condition')}"
    document = {"rules": len(ruleset), "conditions": ruleset.n_conditions}
    return Description([("ruleset", text)], document)


def _describe_graph(classifier: Any) -> Description:
    graph = classifier.graph_
    name = "program" if hasattr(classifier, "program_") else "tree"
    text = f"{counted(graph.size, 'node')}, {counted(graph.n_leaves, 'leaf')}"
    document = {"size": graph.size, "leaves": graph.n_leaves, "depth": graph.depth}
    return Description([(name, text)], document)


def member_headings(model: Any) -> Iterator[str]:
    """Yield a line for each member: its position, its vote, and its error if that is known."""
    errors = getattr(model, "errors_", None)
    times = " times its confidence" if model.vote == "confidence" else ""
    for index, vote in enumerate(model.votes_):
        error = "" if errors is None else f", error {percent(errors[index])}"
        yield f"member {index + 1} of {len(model)}: vote {vote:.4g}{times}{error}"
