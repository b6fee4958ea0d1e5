"""Describe committees for export."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.export.description import DescribedCalibration, DescribedCommittee, Member
from weaklearn.models.probabilities import Calibration, base_rates, exponent_digits
from weaklearn.models.voters import GraphVoters, TableVoters, Voters


def describe_committee(
    voters: Voters, votes: NDArray[np.float64], calibration: Calibration | None
) -> DescribedCommittee:
    """Return the tables of a committee, with all that its members are.

    Raises
    ------
    TypeError
        If members are not graphs, rulesets or separators of this package.
    """
    if not isinstance(voters, GraphVoters | TableVoters):
        kind = type(voters.members[0]).__name__
        raise TypeError(
            f"the members are {kind} models that vote in their own way, which cannot be exported; "
            "expected members of this package, such as those of estimator=C45Classifier()."
        )
    columns = [voters.columns_of(index) for index in range(len(voters.members))]
    return DescribedCommittee(
        tuple(map(_describe_member, voters.members, columns)),
        votes,
        voters.form,
        voters.form != "shares",
        tuple(voters.priority.tolist()),
        None if calibration is None else _describe_calibration(calibration),
    )


def _describe_member(member: Any, columns: NDArray[np.intp] | None) -> Member:
    described: Member | DescribedCommittee = member._describe(columns)
    if isinstance(described, DescribedCommittee):
        raise TypeError(
            f"the members are committees ({type(member).__name__}), and a committee of committees "
            "cannot be exported; export one of its members."
        )
    return described


def _describe_calibration(calibration: Calibration) -> DescribedCalibration:
    weights = calibration.class_weights
    return DescribedCalibration(
        *exponent_digits(calibration.exponent),
        float(weights.sum()),
        tuple(base_rates(weights).tolist()),
    )
