"""Make the tables and comparisons of a report as plain data: our values beside the paper's."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from weaklearn.experiments.agreement_with_paper import check_agreement
from weaklearn.experiments.cross_validation import Estimate
from weaklearn.experiments.measure_trial import is_share
from weaklearn.experiments.paired_tests import SignTest, paired_t_test, sign_test
from weaklearn.experiments.plan_results import PairedComparison, PlanResults, TrialValues


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
        **dict.fromkeys(("ours", "error", "low", "high", "difference", "agrees")),
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
    cell |= {"ours": ours.mean, "error": _number(ours.standard_error)}
    if paper is not None:
        agreement = check_agreement(ours, len(values.values), paper, digits)
        cell |= {
            "low": _number(agreement.low),
            "high": _number(agreement.high),
            "difference": agreement.difference,
            "agrees": agreement.agrees,
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


def make_comparison(results: PlanResults, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Compare two learners over the problems of an experiment.

    Parameters
    ----------
    results : PlanResults
        The results of the plan.
    entry : mapping
        An entry of the plan's ``comparisons``.

    Returns
    -------
    dict
        A row for each problem that has results of both learners, and ``overall`` counts and tests
        over these problems.
    """
    plan, experiment = results.plan, entry["experiment"]
    first, second, quantity = entry["first"], entry["second"], entry["quantity"]
    scale = 100.0 if is_share(quantity) else 1.0
    published = plan.published.get(entry.get("published", ""), {})
    compared: dict[str, PairedComparison] = {}
    for problem in plan.experiments[experiment].problems:
        comparison = results.compare(experiment, problem, first, second, quantity)
        if comparison is not None:
            compared[problem] = comparison
    rows = [
        _comparison_row(
            problem, comparison, scale, published.get(problem, {}), entry.get("paper", {})
        )
        for problem, comparison in compared.items()
    ]
    return {
        "name": slug(plan.paper, entry["title"]),
        "title": entry["title"],
        "first": first,
        "second": second,
        "quantity": quantity,
        "paper_says": entry.get("paper_says"),
        "paper_columns": list(entry.get("paper", {})),
        "rows": rows,
        "overall": _overall(results, entry, compared) if compared else None,
    }


def _comparison_row(
    problem: str,
    comparison: PairedComparison,
    scale: float,
    published: Mapping[str, float],
    columns: Mapping[str, str],
) -> dict[str, Any]:
    interval = comparison.interval
    return {
        "problem": problem,
        "first": scale * comparison.first,
        "second": scale * comparison.second,
        **_counts(comparison.repeats),
        "ratio": _number(comparison.ratio),
        "low": None if interval is None else scale * interval.low,
        "high": None if interval is None else scale * interval.high,
        "p": comparison.p,
        "for_first": comparison.for_first,
        "for_second": comparison.for_second,
        "paper": {name: published.get(column) for name, column in columns.items()},
    }


def _overall(
    results: PlanResults, entry: Mapping[str, Any], compared: Mapping[str, PairedComparison]
) -> dict[str, Any]:
    """Compute counts, tests and mean ratios over all problems, and the same for the paper."""
    firsts = [comparison.first for comparison in compared.values()]
    seconds = [comparison.second for comparison in compared.values()]
    signs = sign_test(firsts, seconds)
    ratios = [c.ratio for c in compared.values() if math.isfinite(c.ratio)]
    positive = [ratio for ratio in ratios if ratio > 0]
    over_problems = paired_t_test(firsts, seconds).p if len(firsts) > 1 else None
    significant = [c for c in compared.values() if c.interval and c.interval.significant]
    return {
        "n_problems": len(compared),
        **_counts(signs),
        "sign_p": signs.p,
        "t_p": over_problems,
        "mean_ratio": _mean(ratios),
        "geometric_ratio": float(np.exp(np.mean(np.log(positive)))) if positive else None,
        "significant_wins": sum(c.interval.difference > 0 for c in significant if c.interval),
        "significant_losses": sum(c.interval.difference < 0 for c in significant if c.interval),
        "pairs_p": _p_of_all_pairs(results, entry, compared),
        "paper": _paper_overall(results, entry, list(compared)),
    }


def _p_of_all_pairs(
    results: PlanResults, entry: Mapping[str, Any], compared: Mapping[str, PairedComparison]
) -> float | None:
    """Test the sizes in the first draws of all problems at once, as Table 1 of dietterich96."""
    experiment = results.plan.experiments[entry["experiment"]]
    if experiment.splits["kind"] != "sets" or is_share(entry["quantity"]):
        return None
    pairs: list[list[float]] = [[], []]
    for problem in compared:
        for sizes, learner in zip(pairs, (entry["first"], entry["second"]), strict=True):
            trials = results.values(experiment.name, problem, learner, entry["quantity"])
            assert trials is not None
            sizes.extend(trials.values[trials.repeats == trials.repeats[0]].tolist())
    return paired_t_test(*pairs).p if len(pairs[0]) > 1 else None


def _paper_overall(
    results: PlanResults, entry: Mapping[str, Any], problems: Sequence[str]
) -> dict[str, Any] | None:
    """Compute counts, the sign test and the mean ratio from the paper's values.

    Return None unless the plan's tables have published columns for both learners.
    """
    columns = [
        next(
            (
                (table["published"], column["published"])
                for table in results.plan.tables
                for column in table["columns"]
                if table["experiment"] == entry["experiment"]
                and (column["learner"], column["quantity"]) == (learner, entry["quantity"])
                and "published" in column
            ),
            None,
        )
        for learner in (entry["first"], entry["second"])
    ]
    if columns[0] is None or columns[1] is None:
        return None
    values = [
        [results.plan.published[table][problem][column] for problem in problems]
        for table, column in (columns[0], columns[1])
    ]
    signs = sign_test(*values)
    ratios = [a / b for a, b in zip(*values, strict=True) if b]
    return {**_counts(signs), "sign_p": signs.p, "mean_ratio": _mean(ratios)}


def slug(*words: str) -> str:
    """Make a name that can be a file's name and an anchor of a page.

    Examples
    --------
    >>> slug("tamon00", "Table 2: test error %, all")
    'tamon00-table-2-test-error-all'
    """
    text = "".join(c if c.isalnum() else " " for c in " ".join(words).lower())
    return "-".join(text.split())


def _counts(signs: SignTest) -> dict[str, int]:
    return {"wins": signs.wins, "ties": signs.ties, "losses": signs.losses}


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
