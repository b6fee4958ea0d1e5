"""How the members of a fitted committee vote on rows.

`Voters` is the protocol. `GraphVoters` asks graphs, compiled into one forest. `TableVoters` asks
models that read encoded rows one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter, is_
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from weaklearn.encoding import EncodedRows, encode_rows
from weaklearn.models.graph import Graph
from weaklearn.models.graph_committee import GraphCommittee
from weaklearn.models.votes import MemberPredictions, VoteForm, add_votes, margins, winners
from weaklearn.schema import Schema

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_NO_NODES = (
    "apply and decision_path need members that are graphs, such as those of C45Classifier(); "
    "call them on the members, model.members_[i], if these have them."
)
AnyVoters = TypeVar("AnyVoters", bound="Voters")


class VoteCounter(Protocol):
    """What counts the votes of members, and knows in which order classes win ties."""

    priority: NDArray[np.uint32]

    def predict(self, rows: Any, votes: NDArray[np.float64], n_threads: int) -> NDArray[np.int32]:
        """Return the class index with the most votes for each row."""
        ...

    def scores(self, rows: Any, votes: NDArray[np.float64], n_threads: int) -> NDArray[np.float64]:
        """Return the votes of all members per row and class."""
        ...

    def shares(self, rows: Any, votes: NDArray[np.float64], n_threads: int) -> NDArray[np.float64]:
        """Return the sum of vote times class shares of all members per row and class."""
        ...


class Voters(VoteCounter, Protocol):
    """The members of a fitted committee, and how they vote.

    ``members`` lists the members. ``priority`` lists all class indices in the order in which they
    win ties. Votes are arguments: one number per member. An implementation is a dataclass. It must
    define `member_predictions`, `stages` and `share_stages`, and it may replace other methods by
    faster ones.
    """

    members: list[Any]
    priority: NDArray[np.uint32]

    def take(self, chosen: NDArray[np.intp]) -> Self:
        """Return the voters at these indices."""
        return with_members(self, [self.members[i] for i in chosen])

    def encode(self, X: Any, schema: Schema, model_name: str, fitted_with_names: bool) -> Any:
        """Return the rows of a frame as the members read them: encoded, unless overridden."""
        return encode_rows(X, schema, model_name, fitted_with_names)

    def member_predictions(self, rows: Any, n_threads: int) -> MemberPredictions:
        """Return the predictions of each member for each row, before votes are counted."""
        ...

    def stages(
        self, rows: Any, votes: NDArray[np.float64], n_threads: int
    ) -> Iterator[NDArray[np.float64]]:
        """Yield the votes per row and class after each member, always in the same array."""
        ...

    def share_stages(
        self, rows: Any, votes: NDArray[np.float64], n_threads: int
    ) -> Iterator[NDArray[np.float64]]:
        """Yield the sum of vote times class shares after each member, always in the same array.

        These are the votes if members vote with their class shares.
        """
        ...

    def columns_of(self, index: int) -> NDArray[np.intp] | None:
        """Return the columns that a member reads; None for all."""
        return None

    def importances(self, votes: NDArray[np.float64], n_features: int) -> NDArray[np.float64]:
        """Return the importance of each column: the mean over the members, weighted by votes."""
        total = np.zeros(n_features)
        for index, (member, vote) in enumerate(zip(self.members, votes, strict=True)):
            columns = self.columns_of(index)
            of_member = vote * member.feature_importances_
            total[slice(None) if columns is None else columns] += of_member
        return np.asarray(total / votes.sum())

    def graphs(self) -> list[Graph] | None:
        """Return the graph of each member, or None if the members are not graphs."""
        return None

    def apply(self, rows: Any, n_threads: int) -> NDArray[np.int32]:
        """Return the leaf that each row reaches in each member."""
        raise TypeError(_NO_NODES)

    def decision_path(self, rows: Any, n_threads: int) -> tuple[csr_matrix, NDArray[np.int64]]:
        """Return the share of each row at each node, and the first node of each member."""
        raise TypeError(_NO_NODES)

    def scores(self, rows: Any, votes: NDArray[np.float64], n_threads: int) -> NDArray[np.float64]:
        """Return the votes of all members per row and class."""
        return _last(self.stages(rows, votes, n_threads), len(self.priority))

    def shares(self, rows: Any, votes: NDArray[np.float64], n_threads: int) -> NDArray[np.float64]:
        """Return the sum of vote times class shares of all members per row and class."""
        return _last(self.share_stages(rows, votes, n_threads), len(self.priority))

    def predict(self, rows: Any, votes: NDArray[np.float64], n_threads: int) -> NDArray[np.int32]:
        """Return the class index with the most votes for each row."""
        return winners(self.scores(rows, votes, n_threads), self.priority)

    def margins(
        self,
        rows: Any,
        classes: NDArray[np.int32],
        votes: NDArray[np.float64],
        n_threads: int,
    ) -> NDArray[np.float64]:
        """Return the votes for each row's class minus the most for another, as a share of all."""
        return margins(self.scores(rows, votes, n_threads), classes)


@dataclass(eq=False, repr=False)
class GraphVoters(Voters):
    """Members that are graphs, compiled into one forest.

    Parameters
    ----------
    members : list of GraphClassifier
        The members.
    priority : array of uint32
        All class indices in the order in which they win ties.
    form : {"label", "confidence", "shares"}
        What a member gives its vote to.
    """

    members: list[Any]
    priority: NDArray[np.uint32]
    form: VoteForm
    _compiled: GraphCommittee | None = field(default=None, init=False)  # kept for its forest
    _graph_of: attrgetter[Graph] = field(default=attrgetter("graph_"), init=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_compiled": None}

    def graphs(self) -> list[Graph]:
        """Return the graph of each member."""
        return [member.graph_ for member in self.members]

    def compiled(self, votes: NDArray[np.float64], form: VoteForm | None = None) -> GraphCommittee:
        """Return the members with these votes, compiled into a forest.

        The forest is kept for the next call, and compiled again if a member's graph was replaced.
        """
        kept = self._compiled
        is_valid = kept is not None and self._has_graphs(kept.members)
        graphs = kept.members if kept is not None and is_valid else self.graphs()
        committee = GraphCommittee(graphs, votes, form or self.form, self.priority)
        if kept is not None and is_valid:
            committee.forest = kept.forest
        else:
            self._compiled = committee
            names = {getattr(member, "_graph_name", "graph_") for member in self.members}
            self._graph_of = attrgetter(names.pop() if len(names) == 1 else "graph_")
        return committee

    def _has_graphs(self, graphs: Sequence[Graph]) -> bool:
        """Return whether these are the graphs of the members.

        Each prediction asks for it, so it is one loop that Python runs in C. The property
        ``graph_`` of a member would take longer than the attribute that it returns.
        """
        if len(self.members) != len(graphs):
            return False
        try:
            return all(map(is_, map(self._graph_of, self.members), graphs))
        except AttributeError:  # a new member that calls its graph otherwise
            return False

    def member_predictions(self, rows: EncodedRows, n_threads: int) -> MemberPredictions:
        """Return the predictions of each member for each row, before votes are counted."""
        committee = self.compiled(np.ones(len(self.members)))
        classes, counted = committee.predict_members(rows, n_threads)
        if self.form == "shares":
            return MemberPredictions(classes, self.priority, outputs=counted)
        return MemberPredictions(classes, self.priority, counted)

    def stages(
        self, rows: EncodedRows, votes: NDArray[np.float64], n_threads: int
    ) -> Iterator[NDArray[np.float64]]:
        """Yield the votes per row and class after each member, always in the same array."""
        if self.form == "shares":
            yield from self.share_stages(rows, votes, n_threads)
            return
        classes, confidences = self.compiled(votes).predict_members(rows, n_threads)
        scores = np.zeros((classes.shape[1], len(self.priority)))
        for index, vote in enumerate(votes):
            counted = vote if confidences is None else vote * confidences[index]
            add_votes(scores, classes[index], counted)
            yield scores

    def share_stages(
        self, rows: EncodedRows, votes: NDArray[np.float64], n_threads: int
    ) -> Iterator[NDArray[np.float64]]:
        """Yield the sum of vote times class shares after each member, always in the same array."""
        scores = np.zeros((rows.n_rows, len(self.priority)))
        for vote, graph in zip(votes, self.graphs(), strict=True):
            scores += vote * graph.predict_class_shares(rows, n_threads)
            yield scores

    def apply(self, rows: EncodedRows, n_threads: int) -> NDArray[np.int32]:
        """Return the leaf that each row reaches in each member."""
        return self.compiled(np.ones(len(self.members))).apply(rows, n_threads)

    def decision_path(
        self, rows: EncodedRows, n_threads: int
    ) -> tuple[csr_matrix, NDArray[np.int64]]:
        """Return the share of each row at each node, and the first node of each member."""
        return self.compiled(np.ones(len(self.members))).decision_path(rows, n_threads)

    def scores(
        self, rows: EncodedRows, votes: NDArray[np.float64], n_threads: int
    ) -> NDArray[np.float64]:
        """Return the votes of all members per row and class."""
        return self.compiled(votes).count_votes(rows, n_threads)

    def shares(
        self, rows: EncodedRows, votes: NDArray[np.float64], n_threads: int
    ) -> NDArray[np.float64]:
        """Return the sum of vote times class shares of all members per row and class."""
        return self.compiled(votes, "shares").count_votes(rows, n_threads)

    def predict(
        self, rows: EncodedRows, votes: NDArray[np.float64], n_threads: int
    ) -> NDArray[np.int32]:
        """Return the class index with the most votes for each row."""
        return self.compiled(votes).predict_class_indices(rows, n_threads)

    def margins(
        self,
        rows: EncodedRows,
        classes: NDArray[np.int32],
        votes: NDArray[np.float64],
        n_threads: int,
    ) -> NDArray[np.float64]:
        """Return the votes for each row's class minus the most for another, as a share of all."""
        return self.compiled(votes).margins(rows, classes, n_threads)


class OneByOneVoters(Voters, Protocol):
    """Members that are asked one by one for the class index, or the class shares, of each row."""

    columns: list[NDArray[np.intp] | None]
    form: VoteForm

    def predict_member(self, index: int, rows: Any, n_threads: int) -> NDArray[np.int32]:
        """Return the class index that the member of this index predicts for each row."""
        ...

    def shares_of_member(self, index: int, rows: Any, n_threads: int) -> NDArray[np.float64]:
        """Return the class shares that the member of this index predicts for each row."""
        ...

    def take(self, chosen: NDArray[np.intp]) -> Self:
        """Return the voters at these indices."""
        taken = super().take(chosen)
        taken.columns = [self.columns[i] for i in chosen]
        return taken

    def columns_of(self, index: int) -> NDArray[np.intp] | None:
        """Return the columns that a member reads; None for all."""
        return self.columns[index]

    def member_predictions(self, rows: Any, n_threads: int) -> MemberPredictions:
        """Return the predictions of each member for each row, before votes are counted."""
        indices = range(len(self.members))
        predictions = np.array([self.predict_member(i, rows, n_threads) for i in indices])
        if self.form != "shares":
            return MemberPredictions(predictions, self.priority)
        outputs = np.array([self.shares_of_member(i, rows, n_threads) for i in indices])
        return MemberPredictions(predictions, self.priority, outputs=outputs)

    def stages(
        self, rows: Any, votes: NDArray[np.float64], n_threads: int
    ) -> Iterator[NDArray[np.float64]]:
        """Yield the votes per row and class after each member, always in the same array."""
        if self.form == "shares":
            yield from self.share_stages(rows, votes, n_threads)
            return
        scores: NDArray[np.float64] | None = None
        for index, vote in enumerate(votes):
            predicted = self.predict_member(index, rows, n_threads)
            if scores is None:
                scores = np.zeros((len(predicted), len(self.priority)))
            add_votes(scores, predicted, float(vote))
            yield scores

    def share_stages(
        self, rows: Any, votes: NDArray[np.float64], n_threads: int
    ) -> Iterator[NDArray[np.float64]]:
        """Yield the sum of vote times class shares after each member, always in the same array."""
        scores: NDArray[np.float64] | None = None
        for index, vote in enumerate(votes):
            counted = float(vote) * self.shares_of_member(index, rows, n_threads)
            scores = counted if scores is None else np.add(scores, counted, out=scores)
            yield scores


@dataclass(eq=False, repr=False)
class TableVoters(OneByOneVoters):
    """Members that are classifiers of this package, but not graphs: they share encoded rows.

    Parameters
    ----------
    members : list of TableClassifier
        The members.
    priority : array of uint32
        All class indices in the order in which they win ties.
    columns : list of arrays of int or None
        The columns that each member reads; None for all.
    form : {"label", "shares"}
        What a member gives its vote to.
    """

    members: list[Any]
    priority: NDArray[np.uint32]
    columns: list[NDArray[np.intp] | None]
    form: VoteForm = "label"

    def predict_member(self, index: int, rows: EncodedRows, n_threads: int) -> NDArray[np.int32]:
        """Return the class index that the member of this index predicts for each row."""
        predicted: NDArray[np.int32] = self.members[index].predict_class_indices(
            self._rows_for(index, rows), n_threads
        )
        return predicted

    def shares_of_member(
        self, index: int, rows: EncodedRows, n_threads: int
    ) -> NDArray[np.float64]:
        """Return the class shares that the member of this index predicts for each row."""
        shares: NDArray[np.float64] = self.members[index].predict_class_shares(
            self._rows_for(index, rows), n_threads
        )
        return shares

    def _rows_for(self, index: int, rows: EncodedRows) -> EncodedRows:
        columns = self.columns[index]
        return rows if columns is None else rows.take_columns(columns)


def with_members(voters: AnyVoters, members: list[Any]) -> AnyVoters:
    """Return voters of the same kind with other members."""
    dataclass_voters: Any = voters  # each kind of voters is a dataclass
    changed: AnyVoters = replace(dataclass_voters, members=list(members))
    return changed


def _last(stages: Iterator[NDArray[np.float64]], n_classes: int) -> NDArray[np.float64]:
    scores = np.zeros((0, n_classes))
    for stage in stages:
        scores = stage
    return scores
