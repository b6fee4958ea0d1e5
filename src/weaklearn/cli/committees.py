"""What the shell says of a committee."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeGuard

from weaklearn.cli.output import counted, percent

if TYPE_CHECKING:
    from weaklearn.estimators.committee_classifier import CommitteeClassifier

_WHY_STOPPED = {
    "perfect": "the last member makes no error and decides alone",
    "error": "a further member was wrong on half the weight or more",
    "zero_error": "the committee makes no training error",
    "interrupted": "interrupted",
}


@dataclass(frozen=True, slots=True)
class Described:
    """A fitted model in a few facts.

    Parameters
    ----------
    lines : list of pairs
        Headings, and what to print beside them.
    document : dict
        The same for machines.
    """

    lines: list[tuple[str, str]]
    document: dict[str, Any]


def is_committee(model: object) -> TypeGuard[CommitteeClassifier]:
    """Whether a model has members that vote."""
    return hasattr(model, "members_")


def describe_committee(model: Any) -> Described:
    """Give the facts that are reported of a fitted committee."""
    sizes = [member.graph_.size for member in model.members_]
    mean = sum(sizes) / len(sizes)
    members = counted(len(sizes), "member")
    text = f"{members}, {counted(sum(sizes), 'node')}, {mean:,.1f} per member"
    lines = [("committee", text)]
    document = {"members": len(sizes), "size": sum(sizes), "mean_size": mean}
    if hasattr(model, "oob_error_"):
        known = not math.isnan(model.oob_error_)
        rate = percent(model.oob_error_) if known else "unknown: every member saw every row"
        lines.append(("out-of-bag error", rate))
        document["oob_error"] = model.oob_error_ if known else None
    if _is_bounded(model):
        lines.append(
            (
                "training bound",
                f"{percent(model.training_bound_)} (the training error is at most this)",
            )
        )
        document["training_bound"] = model.training_bound_
    stopped = getattr(model, "stopped_", "interrupted" if model.interrupted_ else "members")
    if stopped in _WHY_STOPPED:
        lines.append(("stopped early", _WHY_STOPPED[stopped]))
    if _holds_back(model):
        lines.append(("rounds kept", "those that answer the rows held back best"))
    return Described(lines, {**document, "stopped": stopped, "interrupted": model.interrupted_})


def _is_bounded(model: Any) -> bool:
    """Whether the bound holds for the training error that is reported.

    It is proven of votes by error, and of the rows that the members were trained on.
    """
    return hasattr(model, "training_bound_") and model.vote == "error" and not _holds_back(model)


def _holds_back(model: Any) -> bool:
    return getattr(model, "n_rounds", None) == "auto"


def member_headings(model: Any) -> Iterator[str]:
    """Give a line per member: its number, its vote, its error where that is noted."""
    errors = getattr(model, "errors_", None)
    times = " times its confidence" if model.vote == "confidence" else ""
    for number, vote in enumerate(model.votes_):
        error = "" if errors is None else f", error {percent(errors[number])}"
        yield f"member {number + 1} of {len(model)}: vote {vote:.4g}{times}{error}"
