"""Explanations in words, and as plain data."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from weaklearn.explain.taken_paths import TakenPaths, count_text
from weaklearn.show.node_text import printable

if TYPE_CHECKING:
    from weaklearn.explain.explanation import Explanation
    from weaklearn.explain.explanations import Explanations
    from weaklearn.explain.fired_rules import FiredRules
    from weaklearn.explain.members import ExplainedMember
    from weaklearn.schema import Label

#: How many features, members of a committee and rows are shown unless told otherwise.
FEATURES_SHOWN, MEMBERS_SHOWN, ROWS_SHOWN = 5, 3, 10
#: How many classes are listed in a line, and how many paths of one row.
_CLASSES_IN_A_LINE, _PATHS_SHOWN = 4, 10
#: A smaller share of the votes would be printed as 0.0%.
_LEAST_SHARE = 0.0005
_SCORE_OF = {"share": "share of", "vote": "votes for", "output": "output for"}


def to_text(
    explanations: Explanations,
    rows: int | None,
    features: int | None,
    members: int | None,
    width: int,
) -> str:
    """Return explanations in words; see `Explanations.to_text`."""
    lines = [explanations.note] if explanations.note else []
    shown = explanations[:rows]
    for explanation in shown:
        lines.append(f"row {explanation.position}: {heading(explanation)}")
        lines += row_lines(explanation, features, members)
    if left_out := parts_left_out(shown, features, members):
        arguments = ", ".join(f"{part}=None" for part in left_out)
        lines.append(f"... all {' and '.join(left_out)}: to_text({arguments})")
    if len(shown) < len(explanations):
        lines.append(f"... all {len(explanations):,} rows: to_text(rows=None)")
    return "\n".join(wrapped(line, width) for line in lines)


def parts_left_out(
    explanations: Explanations, features: int | None, members: int | None
) -> list[str]:
    """Return which of "features" and "members" are not all shown for these rows."""
    left_out = []
    if features is not None and any(len(ordered_contributions(e)) > features for e in explanations):
        left_out.append("features")
    if members is not None and explanations.members and len(explanations.members) > members:
        left_out.append("members")
    return left_out


def wrapped(line: str, width: int) -> str:
    """Return a line broken to a width; what follows is indented more than its beginning."""
    indent = len(line) - len(line.lstrip())
    return textwrap.fill(
        line.strip(),
        width,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + 2),
        break_on_hyphens=False,  # a name with a hyphen stays in one line
    )


def heading(explanation: Explanation) -> str:
    """Return the predicted class and its probability."""
    return f"{printable(explanation.label)}, probability {100 * explanation.probability:.1f}%"


def one_line(explanation: Explanation) -> str:
    """Return the most important reason in one line."""
    reason = explanation.reason
    if reason is not None:
        if reason.label == explanation.label:
            return reason.text
        return f"{printable(explanation.label)}, which has the least expected cost; {reason.text}"
    label = printable(explanation.label)
    parts = [f"{label}, {_score_text(explanation, explanation.scores[explanation.label])}"]
    largest = _largest_contributions(explanation)[:2]
    if largest:
        parts.append("most from " + ", ".join(f"{cell} ({amount})" for cell, amount in largest))
    return "; ".join(parts)


def row_lines(
    explanation: Explanation, features: int | None, members: int | None, first: int = 0
) -> list[str]:
    """Return everything about a row but its heading, in lines that are not broken yet.

    Members are counted from `first`.
    """
    lines = reason_lines(explanation.reason)
    if explanation.parent.unit == "vote":
        lines.append(f"  {votes_text(explanation)}")
    lines += _contribution_lines(explanation, features)
    lines += member_lines(explanation, members, first)
    cheapest = cost_line(explanation)
    return [*lines, cheapest] if cheapest else lines


def cost_line(explanation: Explanation) -> str:
    """Return a line that costs decide if the predicted class lacks the largest score, or ""."""
    scores = explanation.scores
    reason = explanation.reason
    best = max(scores.values()) if reason is None else scores[reason.label]
    if scores[explanation.label] >= best - 1e-9 * max(1.0, abs(best)):
        return ""
    return f"  {printable(explanation.label)} has the least expected cost"


# -- paths and rules ------------------------------------------------------------------------------
def reason_lines(reason: TakenPaths | FiredRules | None) -> list[str]:
    """Return the paths or rules of a row; lines that belong to a path are indented further."""
    if reason is None:
        return []
    if not isinstance(reason, TakenPaths):
        lines = [f"  because {reason.text.partition(', because ')[2]}"]
        if reason.others:
            numbers = ", ".join(str(rule.number) for rule in reason.others)
            lines.append(f"  also fired: {'rules' if len(reason.others) > 1 else 'rule'} {numbers}")
        return lines
    if len(reason.paths) == 1:
        (path,) = reason.paths
        return [f"  because {path.conditions_text}", f"    {_leaf_text(path.class_weights)}"]
    n_paths = len(reason.paths)
    lines = [f"  values are missing, so that the row takes {n_paths} paths"]
    if not n_paths:
        lines = ["  a missing value leads to no leaf, because no training row had one here"]
    for path in reason.paths[:_PATHS_SHOWN]:
        lines.append(f"  {100 * path.share:.1f}%: {path.conditions_text}")
        lines.append(f"    {_leaf_text(path.class_weights)}")
    if n_paths > _PATHS_SHOWN:
        share = sum(path.share for path in reason.paths[_PATHS_SHOWN:])
        lines.append(
            f"  {100 * share:.1f}%: {n_paths - _PATHS_SHOWN} more paths, listed by to_frame()"
        )
    return lines


def _leaf_text(class_weights: dict[Label, float]) -> str:
    if not class_weights:
        return "leaf without training rows"
    ordered = sorted(class_weights.items(), key=lambda item: -item[1])
    parts = [f"{count_text(w)} {printable(label)}" for label, w in ordered[:_CLASSES_IN_A_LINE]]
    if len(ordered) > _CLASSES_IN_A_LINE:
        rest = sum(weight for _, weight in ordered[_CLASSES_IN_A_LINE:])
        n_more = len(ordered) - _CLASSES_IN_A_LINE
        parts.append(f"{count_text(rest)} of {n_more} other class{'es' * (n_more > 1)}")
    total = sum(class_weights.values())
    return f"leaf with {count_text(total)} training rows: {', '.join(parts)}"


# -- votes and contributions ----------------------------------------------------------------------
def votes_text(explanation: Explanation) -> str:
    """Return the votes for each class, and how many members predict it."""
    members = explanation.parent.members
    assert members is not None, "only committees vote"
    scores = explanation.parent.scores[explanation.index]
    counts = np.bincount(members.predictions.classes[:, explanation.index], minlength=len(scores))
    classes = explanation.parent.schema.classes
    order = np.argsort(-scores, kind="stable").tolist()
    voted = [k for k in order if scores[k] >= _LEAST_SHARE or counts[k] > 0]
    parts = [
        f"{printable(classes[k])} {amount_text(explanation, scores[k])} ({counts[k]} of "
        f"{len(members)} members)"
        for k in voted[:_CLASSES_IN_A_LINE]
    ]
    n_more = len(voted) - _CLASSES_IN_A_LINE
    if n_more > 0:
        parts.append(f"{n_more} more class{'es' * (n_more > 1)}")
    return f"votes: {', '.join(parts)}"


def amount_text(explanation: Explanation, amount: float, sign: str = "") -> str:
    """Return a score or a part of it: in per cent, unless it is an output."""
    if explanation.parent.unit == "output":
        return f"{amount:{sign}.3g}"
    return f"{100 * amount:{sign}.1f}%"


def _score_text(explanation: Explanation, score: float) -> str:
    amount = amount_text(explanation, score)
    return {
        "share": f"share {amount}",
        "vote": f"{amount} of the votes",
        "output": f"H = {amount}",
    }[explanation.parent.unit]


def ordered_contributions(explanation: Explanation) -> list[tuple[int, float]]:
    """Return the features that contribute, as index and amount, the largest first."""
    contributions = explanation.parent.contributions
    if contributions is None:
        return []
    values = contributions.values[explanation.index, :, explanation.predicted]
    order = np.argsort(-np.abs(values), kind="stable")
    return [(j, float(values[j])) for j in order.tolist() if abs(values[j]) > 1e-12]


def _largest_contributions(explanation: Explanation) -> list[tuple[str, str]]:
    return [
        (explanation.value_text(feature), amount_text(explanation, amount, "+"))
        for feature, amount in ordered_contributions(explanation)
    ]


def score_line(explanation: Explanation) -> str:
    """Return the score of the predicted class: where it starts and where it ends."""
    base = explanation.base
    assert base is not None, "there are contributions"
    label = explanation.label
    start = amount_text(explanation, base[label])
    end = amount_text(explanation, explanation.scores[label])
    what = _SCORE_OF[explanation.parent.unit]
    return f"{what} {printable(label)}: {start} if nothing is known, {end} for this row"


def _contribution_lines(explanation: Explanation, features: int | None) -> list[str]:
    if explanation.parent.contributions is None:
        return []
    ordered = _largest_contributions(explanation)
    shown = ordered[:features]
    width = max((len(amount) for _, amount in shown), default=0)
    lines = [f"  {score_line(explanation)}"]
    lines += [f"    {amount:>{width}}  {cell}" for cell, amount in shown]
    if len(ordered) > len(shown):
        rest = sum(amount for _, amount in ordered_contributions(explanation)[len(shown) :])
        n_more = len(ordered) - len(shown)
        amount = amount_text(explanation, rest, "+")
        lines.append(f"    {amount:>{width}}  {n_more} more feature{'s' * (n_more > 1)}")
    return lines


def member_lines(explanation: Explanation, members: int | None, first: int = 0) -> list[str]:
    """Return the members of a committee that count most, a line each, counted from `first`."""
    every = explanation.parent.members
    shown = explanation.telling_members(members)
    if every is None or not shown:
        return []
    what = "hypotheses" if explanation.parent.unit == "output" else "members"
    lines = [f"  {what} that count most:" if len(shown) < len(every) else f"  {what}:"]
    return lines + [f"    {_member_text(explanation, member, first)}" for member in shown]


def _member_text(explanation: Explanation, member: ExplainedMember, first: int) -> str:
    """Return the vote and the reason of a member in one line."""
    if explanation.parent.unit == "output":
        label = explanation.label
        added = f"adds {member.given[label]:+.3g} to the output for {printable(label)}"
        return f"hypothesis {member.index + first} {added}"
    vote = f"member {member.index + first} ({100 * member.vote:.1f}% of the votes)"
    return f"{vote}: {printable(member.label) if member.reason is None else member.reason.text}"


# -- plain data -----------------------------------------------------------------------------------
def row_dict(explanation: Explanation, members: int | None) -> dict[str, Any]:
    """Return the explanation of a row as plain data; see `Explanation.to_dict`."""
    document: dict[str, Any] = {
        "row": explanation.position,
        "prediction": explanation.label,
        "probability": explanation.probability,
        "scores": _by_text(explanation.scores),
    }
    contributions = explanation.parent.contributions
    if contributions is not None:
        document["base"] = _by_text(explanation.base or {})
        classes = [str(label) for label in explanation.parent.schema.classes]
        document["contributions"] = [
            {
                "feature": feature.name,
                "value": _json_value(value),
                "contribution": dict(zip(classes, amounts.tolist(), strict=True)),
            }
            for feature, value, amounts in zip(
                explanation.parent.schema.features,
                explanation.values,
                contributions.values[explanation.index],
                strict=True,
            )
        ]
    if (reason := explanation.reason) is not None:
        document |= reason.to_dict()
    if explanation.parent.members is not None:
        document["members"] = [
            {
                "member": member.index,
                "vote": member.vote,
                "prediction": member.label,
                "given": _by_text(member.given),
                **({} if member.reason is None else member.reason.to_dict()),
            }
            for member in explanation.telling_members(members)
        ]
    return document


def _by_text(numbers: Any) -> dict[str, float]:
    return {str(label): number for label, number in numbers.items()}


def _json_value(value: Any) -> Any:
    """Return a value that JSON can hold: infinities become text."""
    return str(value) if isinstance(value, float) and not np.isfinite(value) else value


def shortened(text: str, longest: int = 100) -> str:
    """Return a text that is cut if it is too long for a line."""
    return text if len(text) <= longest else f"{text[: longest - 4]} ..."
