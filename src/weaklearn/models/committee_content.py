"""Members and votes in model files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.encoding import EncodedRows
from weaklearn.models.file_content import take, take_class_weights, take_numbers
from weaklearn.models.graph import Graph
from weaklearn.models.graph_content import graphs_from_content, stored_graphs
from weaklearn.models.graph_nodes import StoredGraphs
from weaklearn.models.prediction import VotingModel
from weaklearn.models.probabilities import GREATEST_EXPONENT, Calibration
from weaklearn.models.ruleset import Ruleset
from weaklearn.models.ruleset_content import ruleset_from_rules
from weaklearn.models.voters import TableVoters, VoteCounter
from weaklearn.models.votes import VoteForm
from weaklearn.schema import Schema


def votes_from_content(content: Mapping[str, Any]) -> NDArray[np.float64]:
    """Return the vote of each member."""
    votes = take_numbers(content, "votes")
    if (votes < 0).any() or not votes.any():
        raise ValueError('its "votes" are negative or all zero')
    return votes


def priority_from_content(content: Mapping[str, Any], n_classes: int) -> NDArray[np.uint32]:
    """Return the class indices in the order in which they win ties."""
    priority = take(content, "priority", list)
    all_whole = all(type(index) is int for index in priority)
    if not all_whole or sorted(priority) != list(range(n_classes)):
        raise ValueError('its "priority" does not list every class once')
    return np.array(priority, dtype=np.uint32)


def member_graphs(content: Mapping[str, Any], schema: Schema) -> list[Graph]:
    """Return the graphs of a committee; version 1 has a list of them."""
    if isinstance(content.get("members"), list):
        return graphs_from_content(schema, content["members"])
    return graphs_from_content(schema, take(content, "members", dict))


def member_rulesets(
    content: Mapping[str, Any], schema: Schema
) -> Iterator[tuple[Ruleset, NDArray[np.intp] | None]]:
    """Yield the rulesets of a committee, each with the columns that it reads; None for all."""
    stored = take(content, "members", list)
    if not all(isinstance(member, dict) for member in stored):
        raise ValueError("a member is not a graph or a ruleset")
    for rules in stored:
        own = _columns_from(rules, len(schema.features))
        features = schema.features if own is None else tuple(schema.features[i] for i in own)
        yield ruleset_from_rules(replace(schema, features=features), rules), own


def _columns_from(content: Mapping[str, Any], n_features: int) -> NDArray[np.intp] | None:
    columns = content.get("columns")
    if columns is None:
        return None
    known = range(n_features)
    if not isinstance(columns, list) or not all(type(c) is int and c in known for c in columns):
        raise ValueError('the "columns" of a member are not columns of the schema')
    return np.array(columns, dtype=np.intp)


class _ForestVotes:
    """Graphs that only vote: they become a forest with the first prediction, and are dropped."""

    def __init__(self, graphs: StoredGraphs, priority: NDArray[np.uint32], form: VoteForm) -> None:
        self.priority = priority
        self._form = form
        self._graphs: StoredGraphs | None = graphs
        self._forest: _core.Forest | None = None

    def _made_forest(self) -> _core.Forest:
        graphs = self._graphs
        if graphs is not None:
            self._forest = graphs.forest()
            self._graphs = None  # after the forest is there, for other threads
        assert self._forest is not None
        return self._forest

    def predict(
        self, rows: EncodedRows, votes: NDArray[np.float64], n_threads: int
    ) -> NDArray[np.int32]:
        """Return the class index with the most votes for each row."""
        return self._made_forest().predict(
            rows.arrays, rows.n_rows, votes, self._form, self.priority, n_threads
        )

    def scores(
        self, rows: EncodedRows, votes: NDArray[np.float64], n_threads: int
    ) -> NDArray[np.float64]:
        """Return the votes of all members per row and class."""
        return self._counted(rows, votes, self._form, n_threads)

    def shares(
        self, rows: EncodedRows, votes: NDArray[np.float64], n_threads: int
    ) -> NDArray[np.float64]:
        """Return the sum of vote times class shares of all members per row and class."""
        return self._counted(rows, votes, "shares", n_threads)

    def _counted(
        self, rows: EncodedRows, votes: NDArray[np.float64], form: VoteForm, n_threads: int
    ) -> NDArray[np.float64]:
        forest = self._made_forest()
        scores = forest.count_votes(rows.arrays, rows.n_rows, votes, form, n_threads)
        return scores.reshape(rows.n_rows, len(self.priority))


def voting_model_from_content(content: Mapping[str, Any], schema: Schema) -> VotingModel:
    """Make the members of a committee and its way of voting, without estimators."""
    if content.get("version") == 1:
        raise ValueError(
            "it is a committee of version 1: write it anew with  wl.load(path).save(path)"
        )
    voting = take(content, "voting", dict)
    form: Any = take(voting, "form", str)
    if form not in get_args(VoteForm):
        raise ValueError(f'its "form" is {form!r}; known are {", ".join(get_args(VoteForm))}')
    priority = priority_from_content(content, len(schema.classes))
    votes = votes_from_content(content)
    voters: VoteCounter
    if isinstance(content.get("members"), list):
        rulesets = list(member_rulesets(content, schema))
        members, columns = [r for r, _ in rulesets], [own for _, own in rulesets]
        voters = TableVoters(members, priority, columns, form)
        n_members = len(members)
    else:
        graphs = stored_graphs(schema, take(content, "members", dict))
        voters = _ForestVotes(graphs, priority, form)
        n_members = len(graphs)
    if not n_members or n_members != len(votes):
        raise ValueError(f"it has {n_members} members and {len(votes)} votes")
    calibration = _calibration_from(voting, len(schema.classes))
    needs_class_shares = take(voting, "needs_class_shares", bool)
    return VotingModel(voters, votes, needs_class_shares, lambda: calibration)


def _calibration_from(voting: Mapping[str, Any], n_classes: int) -> Calibration | None:
    if voting.get("calibration") is None:
        return None
    content = take(voting, "calibration", dict)
    exponent = take(content, "exponent", float)
    if not 0 < exponent <= GREATEST_EXPONENT:
        raise ValueError(f'its "exponent" is {exponent}; expected 0 to {GREATEST_EXPONENT}')
    return Calibration(exponent, take_class_weights(content, n_classes))


def calibration_content(calibration: Calibration | None) -> dict[str, Any] | None:
    """Return how shares of votes become probabilities, for a file."""
    if calibration is None:
        return None
    weights = calibration.class_weights.tolist()
    return {"exponent": calibration.exponent, "class_weights": weights}
