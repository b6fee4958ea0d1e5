"""What the file of a committee holds."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.estimators.storing import (
    common_content,
    numbers_from,
    restore_common,
    storable,
    unfitted,
)
from weaklearn.models.saving import graph_from_nodes, nodes_content, schema_content, take
from weaklearn.schema import Schema

if TYPE_CHECKING:
    from weaklearn.estimators.committee_classifier import CommitteeClassifier

Committee = TypeVar("Committee", bound="CommitteeClassifier")


def committee_content(model: CommitteeClassifier) -> dict[str, Any]:
    """Return a fitted committee of graphs, ready for JSON."""
    member = model.members_[0]
    if not isinstance(member, GraphClassifier):
        raise TypeError(
            f"members of the kind {type(member).__name__} cannot be saved as JSON; use "
            "joblib.dump(model, path), and load such files from people you trust only."
        )
    return {
        **common_content(model),
        "estimator": {
            "kind": type(member).__name__,
            "parameters": storable(model._member_estimator().get_params(deep=False)),
            "is_default": model.estimator is None,
        },
        "schema": schema_content(model._schema),
        "members": [nodes_content(one.graph_) for one in model.members_],
        "votes": model.votes_.tolist(),
        "priority": model._priority.tolist(),
        "interrupted": model.interrupted_,
    }


def committee_from_content(kind: type[Committee], content: Mapping[str, Any]) -> Committee:
    """Make a committee from what `committee_content` gave; ValueError if it does not hold."""
    stored = take(content, "estimator", dict)
    kinds = {one.__name__: one for one in GraphClassifier.__subclasses__()}
    member_kind = kinds.get(take(stored, "kind", str))
    if member_kind is None:
        raise ValueError(f"its members are {stored['kind']!r}; known are {', '.join(kinds)}")
    template = unfitted(member_kind, take(stored, "parameters", dict))
    model = unfitted(kind, take(content, "parameters", dict))
    model.estimator = None if take(stored, "is_default", bool) else template
    model._schema_ = Schema.from_dict(take(content, "schema", dict))
    model._priority = _priority_from(content, len(model._schema_.classes))
    model.votes_ = numbers_from(content, "votes")
    members = take(content, "members", list)
    if not members or len(members) != len(model.votes_):
        raise ValueError(f"it has {len(members)} members and {len(model.votes_)} votes")
    if (model.votes_ < 0).any() or not model.votes_.any():
        raise ValueError('its "votes" are negative or all zero')
    restore_common(model, content)
    model.members_ = []
    for nodes in members:
        if not isinstance(nodes, dict):
            raise ValueError("a member is no graph")
        member = copy(template)
        member.graph_ = graph_from_nodes(model._schema_, nodes)
        model._introduce(member)
        model.members_.append(member)
    model.interrupted_ = take(content, "interrupted", bool)
    return model


def _priority_from(content: Mapping[str, Any], n_classes: int) -> NDArray[np.uint32]:
    priority = take(content, "priority", list)
    whole = all(type(number) is int for number in priority)
    if not whole or sorted(priority) != list(range(n_classes)):
        raise ValueError('its "priority" does not list every class once')
    return np.array(priority, dtype=np.uint32)
