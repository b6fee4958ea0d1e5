"""Explanations as tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from weaklearn.explain.taken_paths import TakenPaths
from weaklearn.show.ruleset_text import conditions_text

if TYPE_CHECKING:
    import pandas as pd

    from weaklearn.explain.explanation import Explanation
    from weaklearn.explain.explanations import Explanations
    from weaklearn.explain.fired_rules import FiredRules
    from weaklearn.explain.members import Members
    from weaklearn.schema import Label

Line = dict[str, Any]


def _paths_frame(explanations: Explanations, members: int | None) -> pd.DataFrame:
    import pandas as pd

    lines: list[Line] = []
    if explanations.members is None:
        reasons = explanations.reasons() or [None] * len(explanations)
        for explanation, reason in zip(explanations, reasons, strict=True):
            lines += [{**_row(explanation), **line} for line in _reason_lines(reason)]
        return pd.DataFrame(lines)
    if members is None:
        return _all_members_frame(explanations, explanations.members)
    for explanation in explanations:
        for member in explanation.telling_members(members):
            of_member = _member(member.index, member.vote, member.label)
            reason_lines = _reason_lines(member.reason)
            lines += [{**_row(explanation), **of_member, **line} for line in reason_lines]
    return pd.DataFrame(lines)


def _all_members_frame(explanations: Explanations, members: Members) -> pd.DataFrame:
    """Return the paths in all members: all rows of a member at a time, which is faster."""
    import pandas as pd

    of_rows: list[list[Line]] = [[] for _ in explanations]
    rows = [_row(explanation) for explanation in explanations]
    votes = members.votes / (explanations[0].total_vote if rows else 1.0)
    for index, classes in enumerate(members.predictions.classes.tolist()):
        reasons = explanations.reasons(index) or [None] * len(rows)
        for row, lines, k, reason in zip(rows, of_rows, classes, reasons, strict=True):
            of_member = _member(index, float(votes[index]), explanations.schema.classes[k])
            lines += [{**row, **of_member, **line} for line in _reason_lines(reason)]
    return pd.DataFrame([line for lines in of_rows for line in lines])


def _member(index: int, vote: float, label: Label) -> Line:
    return {"member": index, "vote": vote, "member_prediction": label}


def _row(explanation: Explanation) -> Line:
    return {"row": explanation.position, "prediction": explanation.label}


def _reason_lines(reason: TakenPaths | FiredRules | None) -> list[Line]:
    if reason is None:
        return [{}]
    if isinstance(reason, TakenPaths):
        paths: list[Line] = [
            {
                "share": path.share,
                "class": path.label,
                "conditions": path.conditions_text,
                "leaf": path.leaf,
                "weight": path.weight,
                "weight_of_class": path.class_weights.get(path.label, 0.0),
            }
            for path in reason.paths
        ]
        return paths or [{"share": 0.0, "conditions": "a missing value leads to no leaf"}]
    lines: list[Line] = [
        {
            "rule": rule.number,
            "decides": rule is reason.rule,
            "class": rule.label,
            "conditions": conditions_text(rule, reason.schema),
            "certainty": rule.certainty,
        }
        for rule in reason.rules
    ]
    # The default class decides if no rule fires.
    return lines or [{"rule": None, "decides": True, "class": reason.label, "conditions": ""}]


def _contributions_frame(explanations: Explanations, members: int | None) -> pd.DataFrame:
    import pandas as pd

    contributions = explanations.contributions
    if contributions is None:
        raise ValueError(f"there are no contributions of features: {explanations.note}")
    n_rows, n_features = contributions.values.shape[:2]
    names = [feature.name for feature in explanations.schema.features]
    own = contributions.values[np.arange(n_rows), :, explanations.predicted]
    return pd.DataFrame(
        {
            "row": np.repeat(explanations.positions, n_features),
            "prediction": np.repeat(_labels(explanations), n_features),
            "feature": names * n_rows,
            "value": pd.Series([v for e in explanations for v in e.values], dtype=object),
            "contribution": own.ravel(),
        }
    )


def _votes_frame(explanations: Explanations, members: int | None) -> pd.DataFrame:
    import pandas as pd

    n_rows, n_classes = explanations.scores.shape
    columns: dict[str, Any] = {
        "row": np.repeat(explanations.positions, n_classes),
        "prediction": np.repeat(_labels(explanations), n_classes),
        "class": list(explanations.schema.classes) * n_rows,
        "probability": explanations.probabilities.ravel(),
        "score": explanations.scores.ravel(),
    }
    if explanations.members is not None:
        predicted = explanations.members.predictions.classes[:, :, None]
        columns["members"] = (predicted == np.arange(n_classes)).sum(axis=0).ravel()
    return pd.DataFrame(columns)


def _labels(explanations: Explanations) -> Any:
    classes = np.empty(len(explanations.schema.classes), dtype=object)
    classes[:] = explanations.schema.classes
    return classes[explanations.predicted]


#: What `Explanations.to_frame` can list.
FRAMES: Mapping[str, Callable[[Explanations, int | None], pd.DataFrame]] = {
    "paths": _paths_frame,
    "contributions": _contributions_frame,
    "votes": _votes_frame,
}
