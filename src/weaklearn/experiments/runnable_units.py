"""Find the units of a plan that can run here, and the tables and classifiers that are absent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from weaklearn import datasets
from weaklearn.datasets import data_folder
from weaklearn.experiments.classifier_from_plan import why_unavailable
from weaklearn.experiments.load_problem import checksum, load_problem
from weaklearn.experiments.plan import Plan
from weaklearn.experiments.work_units import WorkUnit


@dataclass(frozen=True, slots=True)
class PreparedPlan:
    """A plan whose tables and classifiers have been looked up.

    Parameters
    ----------
    plan : Plan
        The plan.
    units : tuple of WorkUnit
        The units that can run, with the checksums of their tables.
    absent_tables : mapping
        For each experiment and problem whose table is not here: how to get it.
    absent_learners : mapping
        For each experiment and learner that this version does not have: the reason.
    n_rows : mapping
        For each experiment and problem whose table is here: how many rows it has.
    """

    plan: Plan
    units: tuple[WorkUnit, ...]
    absent_tables: Mapping[tuple[str, str], str]
    absent_learners: Mapping[tuple[str, str], str]
    n_rows: Mapping[tuple[str, str], int]

    def __repr__(self) -> str:
        return (
            f"PreparedPlan({self.plan.paper}: {len(self.units):,} units can run; "
            f"{len(self.absent_tables)} tables and {len(self.absent_learners)} learners are absent)"
        )


def prepare(plan: Plan) -> PreparedPlan:
    """Load the tables of a plan and look up its classifiers.

    Parameters
    ----------
    plan : Plan
        The whole plan or a reduced one.

    Returns
    -------
    PreparedPlan
        What can run, what cannot, and why.

    Examples
    --------
    >>> from weaklearn.experiments.plan import read_plan
    >>> prepare(read_plan("quinlan96").only(["iris"]).quick())
    PreparedPlan(quinlan96: 40 units can run; 0 tables and 0 learners are absent)
    """
    absent_tables: dict[tuple[str, str], str] = {}
    absent_learners: dict[tuple[str, str], str] = {}
    n_rows: dict[tuple[str, str], int] = {}
    loaded: dict[str, tuple[str, int]] = {}  # several experiments may use the same table
    units: list[WorkUnit] = []
    for name, experiment in plan.experiments.items():
        for learner, described in experiment.learners.items():
            reason = why_unavailable(described)
            if reason:
                absent_learners[name, learner] = reason
        checksums: dict[str, str] = {}
        for problem in experiment.problems:
            table_entry = experiment.table_of(problem)
            advice = how_to_get(table_entry)
            if advice:
                absent_tables[name, problem] = advice
                continue
            text = json.dumps(table_entry, sort_keys=True)
            if text not in loaded:
                table = load_problem(table_entry)
                loaded[text] = checksum(table), table.n_rows
            checksums[problem], n_rows[name, problem] = loaded[text]
        units += [
            replace(unit, checksum=checksums[unit.problem])
            for unit in experiment.units(plan.paper)
            if unit.problem in checksums and (name, unit.learner) not in absent_learners
        ]
    return PreparedPlan(plan, tuple(units), absent_tables, absent_learners, n_rows)


def how_to_get(problem: Mapping[str, Any]) -> str | None:
    """Return instructions for getting a problem's table, or None if it is here.

    Parameters
    ----------
    problem : mapping
        As for `check_problem`.

    Returns
    -------
    str or None
        What to do or to type.

    Examples
    --------
    >>> how_to_get({"load": "iris"}) is None
    True
    >>> how_to_get({"load": "no-such-table"})
    'put no-such-table.arff (or .csv) into a folder and set WEAKLEARN_DATA to it'
    """
    name = problem.get("load")
    if name is None:
        return None
    entry = next((entry for entry in datasets.available() if entry.name == name), None)
    from_file = f"put {name}.arff (or .csv) into a folder and set WEAKLEARN_DATA to it"
    if entry is None:
        return from_file
    if not entry.here:
        return f"{entry.where}, or {from_file}"
    if problem.get("with_test_part") and data_folder.find_file(name, "test") is None:
        return f"put {name}.test.arff, its test rows, into the folder that WEAKLEARN_DATA names"
    return None
