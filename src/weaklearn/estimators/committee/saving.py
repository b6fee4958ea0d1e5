"""What the file of a committee holds: the schema once, and the model and vote of each member."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.estimators.rules import RulesClassifier
from weaklearn.estimators.saving import (
    common_content,
    estimator_content,
    estimator_from_content,
    restore_common,
    unfitted_from_content,
)
from weaklearn.models.committee_content import (
    calibration_content,
    member_graphs,
    member_rulesets,
    priority_from_content,
    votes_from_content,
)
from weaklearn.models.file_content import schema_content, take
from weaklearn.models.graph_content import graphs_content
from weaklearn.models.ruleset_content import rules_content
from weaklearn.models.voters import GraphVoters, TableVoters, Voters
from weaklearn.schema import Schema

if TYPE_CHECKING:
    from weaklearn.estimators.committee.base import Committee
    from weaklearn.estimators.committee.learned import LearnedCommittee

Learned = TypeVar("Learned", bound="LearnedCommittee")


def members_content(model: Committee) -> dict[str, Any]:
    """Return the members and votes of a fitted committee, ready for JSON.

    Raises
    ------
    TypeError
        If its members are neither graphs nor rulesets.
    """
    members = _contents_of_members(model._voters)
    if members is None:
        raise TypeError(
            f"members of the kind {type(model.members_[0]).__name__} cannot be saved as JSON; use "
            "joblib.dump(model, path), and load such files from people you trust only."
        )
    return {
        "schema": schema_content(model._schema),
        "members": members,
        "votes": model.votes_.tolist(),
        "priority": model._priority.tolist(),
        "interrupted": model.interrupted_,
    }


def _contents_of_members(voters: Voters) -> dict[str, Any] | list[dict[str, Any]] | None:
    graphs = voters.graphs()
    if graphs is not None:
        return graphs_content(graphs)
    if not all(isinstance(member, RulesClassifier) for member in voters.members):
        return None
    columns = [voters.columns_of(index) for index in range(len(voters.members))]
    return [
        {
            **rules_content(member.ruleset_),
            "columns": None if own is None else own.tolist(),
        }
        for member, own in zip(voters.members, columns, strict=True)
    ]


def committee_content(model: LearnedCommittee) -> dict[str, Any]:
    """Return a fitted committee of graphs or rulesets, ready for JSON."""
    members = members_content(model)
    return {
        **common_content(model),
        "estimator": {
            **estimator_content(model._member_estimator()),
            "is_default": model.estimator is None,
        },
        **members,
        "voting": {
            "form": model._vote_form,
            "needs_class_shares": model._needs_class_shares,
            "calibration": calibration_content(model._calibration(len(model.votes_))),
        },
    }


def committee_from_content(kind: type[Learned], content: Mapping[str, Any]) -> Learned:
    """Make a committee from the result of `committee_content`.

    Raises
    ------
    ValueError
        If its entries contradict each other.
    """
    stored = take(content, "estimator", dict)
    template = estimator_from_content(stored, (GraphClassifier, RulesClassifier))
    model = unfitted_from_content(kind, content)
    model.estimator = None if take(stored, "is_default", bool) else template
    model._schema_ = Schema.from_dict(take(content, "schema", dict))
    priority = priority_from_content(content, len(model._schema_.classes))
    model.votes_ = votes_from_content(content)
    if content.get("version") != 1:
        take(content, "voting", dict)
    restore_common(model, content)
    if isinstance(template, RulesClassifier):
        model._voters = _voters_with_rules(model, template, content, priority)
    else:
        model._voters = _voters_with_graphs(model, template, content, priority)
    n_members = len(model._voters.members)
    if not n_members or n_members != len(model.votes_):
        raise ValueError(f"it has {n_members} members and {len(model.votes_)} votes")
    model.interrupted_ = take(content, "interrupted", bool)
    return model


def _voters_with_graphs(
    model: LearnedCommittee,
    template: GraphClassifier,
    content: Mapping[str, Any],
    priority: NDArray[np.uint32],
) -> GraphVoters:
    members = []
    for graph in member_graphs(content, model._schema_):
        member = copy(template)
        member.graph_ = graph
        member._take_columns_from(model)
        members.append(member)
    return GraphVoters(members, priority, model._vote_form)


def _voters_with_rules(
    model: LearnedCommittee,
    template: RulesClassifier,
    content: Mapping[str, Any],
    priority: NDArray[np.uint32],
) -> TableVoters:
    members, columns = [], []
    for ruleset, own in member_rulesets(content, model._schema_):
        member = copy(template)
        member.ruleset_ = ruleset
        member._take_columns_from(model, own)
        members.append(member)
        columns.append(own)
    return TableVoters(members, priority, columns, model._vote_form)
