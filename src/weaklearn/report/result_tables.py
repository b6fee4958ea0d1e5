"""Make the tables of a report as plain data: our values beside the paper's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from weaklearn.experiments.agreement_with_paper import check_agreement
from weaklearn.experiments.combine_results import PlanResults, TrialValues
from weaklearn.experiments.cross_validation import Estimate
from weaklearn.experiments.plan_measures import is_share
from weaklearn.report.format_text import finite_or_none, slug


def make_table(results: PlanResults, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Make a table from an entry of a plan's ``tables``.

    Parameters
    ----------
    results : PlanResults
        The results of the plan.
    entry : mapping
        The title, the experiment, and the columns of the table.

    Returns
    -------
    dict
        Title, headings and rows. A row has its problem, the number of rows and trials, and a cell
        for each column; ``absent`` says how to get the problem's table if it is not here.
    """
    experiment = entry["experiment"]
    rows = [_row(results, entry, name) for name in results.plan.experiments[experiment].problems]
    return {
        "name": slug(results.plan.paper, entry["title"]),
        "title": entry["title"],
        "headings": [column["heading"] for column in entry["columns"]],
        "learner_absent": [
            results.prepared.absent_learners.get((experiment, column["learner"]))
            for column in entry["columns"]
        ],
        "has_paper": any("published" in column for column in entry["columns"]),
        "rows": rows,
        "means": _means(rows) if entry.get("means") else None,
    }


def _row(results: PlanResults, entry: Mapping[str, Any], problem: str) -> dict[str, Any]:
    name = entry["experiment"]
    experiment = results.plan.experiments[name]
    published = results.plan.published.get(entry.get("published", ""), {}).get(problem, {})
    cells = [
        _cell(
            results.values(name, problem, column["learner"], column["quantity"]),
            is_share(column["quantity"]),
            published.get(column.get("published", "")),
            column.get("digits", 2),
        )
        for column in entry["columns"]
    ]
    return {
        "problem": problem,
        "n_rows": results.prepared.n_rows.get((name, problem)),
        "trials": f"{experiment.n_repeats_of(problem)} x {experiment.n_trials(problem)}",
        "absent": results.prepared.absent_tables.get((name, problem)),
        "cells": cells,
    }


def _cell(
    values: TrialValues | None, is_percent: bool, paper: float | None, digits: int
) -> dict[str, Any]:
    """Make a cell. Numbers that do not exist are None and never NaN, which JSON lacks."""
    cell: dict[str, Any] = {
        **dict.fromkeys(("ours", "error", "low", "high", "difference", "verdict")),
        "paper": paper,
        "digits": digits,
        # One decimal is enough for a mean count that is not compared with a published value.
        "shown": 2 if is_percent or paper is not None else 1,
        "n_trials": 0 if values is None else len(values.values),
    }
    if values is None:
        return cell
    scale = 100.0 if is_percent else 1.0
    estimate = values.estimate
    ours = Estimate(scale * estimate.mean, scale * estimate.standard_error)
    cell |= {"ours": ours.mean, "error": finite_or_none(ours.standard_error)}
    if paper is not None:
        agreement = check_agreement(ours, len(values.values), paper, digits)
        cell |= {
            "low": finite_or_none(agreement.low),
            "high": finite_or_none(agreement.high),
            "difference": agreement.difference,
            "verdict": agreement.verdict,
        }
    return cell


def _means(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Compute the mean of each column, over the problems that have a value in every column.

    Columns without any value do not count. Our means and the paper's are over the same problems,
    so they can be compared.
    """
    n_columns = len(rows[0]["cells"]) if rows else 0
    filled = [n for n in range(n_columns) if any(_ours(row, n) is not None for row in rows)]
    common = [row for row in rows if all(_ours(row, n) is not None for n in filled)]
    means = []
    for column in range(n_columns):
        ours = [row["cells"][column]["ours"] for row in common] if column in filled else []
        paper = [row["cells"][column]["paper"] for row in common]
        has_paper = bool(paper) and None not in paper
        means.append(
            {
                "ours": float(np.mean(ours)) if ours else None,
                "paper": float(np.mean(paper)) if has_paper else None,
                "n_problems": len(common),
            }
        )
    return means


def _ours(row: Mapping[str, Any], column: int) -> float | None:
    ours: float | None = row["cells"][column]["ours"]
    return ours
