"""Explanations of the predictions of a committee."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from weaklearn.encoding import EncodedRows
from weaklearn.explain.contributions import Contributions, mean_of
from weaklearn.explain.explanations import Explanations
from weaklearn.explain.members import Members

if TYPE_CHECKING:
    from weaklearn.estimators.committee.base import Committee


def explain_committee(committee: Committee, rows: Any, n_threads: int) -> Explanations:
    """Explain the predictions of a committee by its votes, features and members.

    Parameters
    ----------
    committee : Committee
        A fitted committee.
    rows : EncodedRows, or as the members read them
        The rows.
    n_threads : int
        Threads to predict with.
    """
    voters, votes = committee._voters, committee.votes_
    total = float(votes.sum()) or 1.0
    scores = voters.scores(rows, votes, n_threads) / total
    members = Members(
        [getattr(member, "_reason_source", None) for member in voters.members],
        [voters.columns_of(index) for index in range(len(votes))],
        votes,
        voters.member_predictions(rows, n_threads),
    )
    contributions = _contributions(committee, rows, n_threads)
    note = ""
    if contributions is None:
        kinds = sorted({type(member).__name__ for member in voters.members})
        note = (
            f"The members are of kind {', '.join(kinds)}, for which the contributions of features "
            "are not known: the votes are the whole explanation."
        )
    return Explanations(
        committee._schema,
        rows if isinstance(rows, EncodedRows) else None,
        committee.predict_class_indices(rows, n_threads),
        committee.predict_class_shares(rows, n_threads),
        scores,
        "vote",
        contributions,
        None,
        members,
        note,
        np.arange(len(scores)),
    )


def _contributions(committee: Committee, rows: Any, n_threads: int) -> Contributions | None:
    """Return what features contribute to the votes; None if that of a member is not known."""
    voters: Any = committee._voters
    if not isinstance(rows, EncodedRows):
        return None
    columns = [voters.columns_of(index) for index in range(len(voters.members))]
    parts = (
        member._vote_contributions(
            rows if own is None else rows.take_columns(own), voters.form, n_threads
        )
        for member, own in zip(voters.members, columns, strict=True)
    )
    return mean_of(parts, committee.votes_, columns, len(committee._schema.features))
