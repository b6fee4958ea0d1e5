"""Tables and comparisons of a plan as plain data: ours, the paper's, and whether they agree."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from weaklearn.experiments.agreement_with_paper import agreement
from weaklearn.experiments.cross_validation import Estimate
from weaklearn.experiments.findings import Contest, Findings, Series, is_share
from weaklearn.experiments.paired_tests import paired_t_test, sign_test


def make_table(findings: Findings, said: Mapping[str, Any]) -> dict[str, Any]:
    """Make a table as its plan says.

    Parameters
    ----------
    findings : Findings
        What is known.
    said : mapping
        A plan's ``tables`` entry.

    Returns
    -------
    dict
        Title, headings and rows; a row has its problem, the rows and trials of it, a cell per
        column, and in place of cells the reason if the problem is absent.
    """
    experiment = said["experiment"]
    one = findings.plan.experiments[experiment]
    rows = [_row(findings, said, problem) for problem in one.problems]
    return {
        "name": slug(findings.plan.paper, said["title"]),
        "title": said["title"],
        "headings": [column["heading"] for column in said["columns"]],
        "missing": [
            findings.ready.unknown.get((experiment, column["learner"]))
            for column in said["columns"]
        ],
        "has_paper": any("published" in column for column in said["columns"]),
        "rows": rows,
        "means": _means(rows) if said.get("means") else None,
    }


def _row(findings: Findings, said: Mapping[str, Any], problem: str) -> dict[str, Any]:
    experiment = said["experiment"]
    one = findings.plan.experiments[experiment]
    absent = findings.ready.absent.get((experiment, problem))
    printed = findings.plan.published.get(said.get("published", ""), {}).get(problem, {})
    cells = [
        _cell(
            findings.series(experiment, problem, column["learner"], column["figure"]),
            is_share(column["figure"]),
            printed.get(column.get("published", "")),
            column.get("digits", 2),
        )
        for column in said["columns"]
    ]
    return {
        "problem": problem,
        "n_rows": findings.ready.n_rows.get((experiment, problem)),
        "trials": f"{one.repeats_of(problem)} x {one.n_parts(problem)}",
        "absent": absent,
        "cells": cells,
    }


def _cell(
    series: Series | None, is_percent: bool, paper: float | None, digits: int
) -> dict[str, Any]:
    """Give a cell: numbers or None, never NaN."""
    cell: dict[str, Any] = {
        **dict.fromkeys(("ours", "error", "low", "high", "difference", "agrees")),
        "paper": paper,
        "digits": digits,
        # Counts that nothing is compared with need no hundredths.
        "shown": 2 if is_percent or paper is not None else 1,
        "n_trials": 0 if series is None else len(series.values),
    }
    if series is None:
        return cell
    scale = 100.0 if is_percent else 1.0
    found = series.estimate
    ours = Estimate(scale * found.mean, scale * found.standard_error)
    cell |= {"ours": ours.mean, "error": _number(ours.standard_error)}
    if paper is not None:
        verdict = agreement(ours, len(series.values), paper, digits)
        cell |= {
            "low": _number(verdict.low),
            "high": _number(verdict.high),
            "difference": verdict.difference,
            "agrees": verdict.agrees,
        }
    return cell


def _means(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Give the mean of each column, over the problems that all filled columns have.

    Ours and the paper's are means over the same problems, or they would not compare.
    """
    n_columns = len(rows[0]["cells"]) if rows else 0
    filled = [n for n in range(n_columns) if any(_ours(row, n) is not None for row in rows)]
    common = [row for row in rows if all(_ours(row, n) is not None for n in filled)]
    means = []
    for number in range(n_columns):
        ours = [row["cells"][number]["ours"] for row in common] if number in filled else []
        paper = [row["cells"][number]["paper"] for row in common]
        has_paper = bool(paper) and None not in paper
        means.append(
            {
                "ours": float(np.mean(ours)) if ours else None,
                "paper": float(np.mean(paper)) if has_paper else None,
                "n_problems": len(common),
            }
        )
    return means


def _ours(row: Mapping[str, Any], number: int) -> float | None:
    ours: float | None = row["cells"][number]["ours"]
    return ours


def make_comparison(findings: Findings, said: Mapping[str, Any]) -> dict[str, Any]:
    """Compare two learners over the problems of an experiment.

    Parameters
    ----------
    findings : Findings
        What is known.
    said : mapping
        A plan's ``comparisons`` entry.

    Returns
    -------
    dict
        A row per problem that both learners have done, and what they say together.
    """
    plan, experiment = findings.plan, said["experiment"]
    scale = 100.0 if is_share(said["figure"]) else 1.0
    published = plan.published.get(said.get("published", ""), {})
    contests: dict[str, Contest] = {}
    for problem in plan.experiments[experiment].problems:
        found = findings.contest(experiment, problem, said["first"], said["second"], said["figure"])
        if found is not None:
            contests[problem] = found
    rows = [
        _contest_row(problem, contest, scale, published.get(problem, {}), said.get("paper", {}))
        for problem, contest in contests.items()
    ]
    return {
        "name": slug(plan.paper, said["title"]),
        "title": said["title"],
        "first": said["first"],
        "second": said["second"],
        "figure": said["figure"],
        "says": said.get("says"),
        "paper_has": list(said.get("paper", {})),
        "rows": rows,
        "together": _together(findings, said, contests) if contests else None,
    }


def _contest_row(
    problem: str,
    contest: Contest,
    scale: float,
    printed: Mapping[str, float],
    columns: Mapping[str, str],
) -> dict[str, Any]:
    interval = contest.interval
    return {
        "problem": problem,
        "first": scale * contest.first,
        "second": scale * contest.second,
        "wins": contest.repeats.wins,
        "ties": contest.repeats.ties,
        "losses": contest.repeats.losses,
        "ratio": _number(contest.ratio),
        "low": None if interval is None else scale * interval.low,
        "high": None if interval is None else scale * interval.high,
        "p": contest.p,
        "for_first": contest.for_first,
        "for_second": contest.for_second,
        "paper": {name: printed.get(column) for name, column in columns.items()},
    }


def _together(
    findings: Findings, said: Mapping[str, Any], contests: Mapping[str, Contest]
) -> dict[str, Any]:
    """Say what all problems say: means of ratios, tests, and the same of the paper's figures."""
    firsts = [contest.first for contest in contests.values()]
    seconds = [contest.second for contest in contests.values()]
    signs = sign_test(firsts, seconds)
    ratios = [c.ratio for c in contests.values() if math.isfinite(c.ratio)]
    positive = [ratio for ratio in ratios if ratio > 0]
    over_problems = paired_t_test(firsts, seconds).p if len(firsts) > 1 else None
    significant = [c for c in contests.values() if c.interval and c.interval.significant]
    return {
        "n_problems": len(contests),
        "wins": signs.wins,
        "ties": signs.ties,
        "losses": signs.losses,
        "sign_p": signs.p,
        "t_p": over_problems,
        "mean_ratio": float(np.mean(ratios)) if ratios else None,
        "geometric_ratio": float(np.exp(np.mean(np.log(positive)))) if positive else None,
        "significant_wins": sum(c.interval.difference > 0 for c in significant if c.interval),
        "significant_losses": sum(c.interval.difference < 0 for c in significant if c.interval),
        "pairs_p": _all_pairs(findings, said, contests),
        "paper": _paper_signs(findings, said, list(contests)),
    }


def _all_pairs(
    findings: Findings, said: Mapping[str, Any], contests: Mapping[str, Contest]
) -> float | None:
    """Test the sizes of all pairs of all problems' first draws at once, as Table 1 of 1996 does."""
    one = findings.plan.experiments[said["experiment"]]
    if one.splits["kind"] != "sets" or is_share(said["figure"]):
        return None
    pairs: list[list[float]] = [[], []]
    for problem in contests:
        for values, learner in zip(pairs, (said["first"], said["second"]), strict=True):
            series = findings.series(one.name, problem, learner, said["figure"])
            assert series is not None
            values.extend(series.values[series.repeats == series.repeats[0]].tolist())
    return paired_t_test(*pairs).p if len(pairs[0]) > 1 else None


def _paper_signs(
    findings: Findings, said: Mapping[str, Any], problems: Sequence[str]
) -> dict[str, Any] | None:
    """Test what the paper prints of the same problems, and average its ratios."""
    columns = [
        next(
            (
                (table["published"], column["published"])
                for table in findings.plan.tables
                for column in table["columns"]
                if table["experiment"] == said["experiment"]
                and (column["learner"], column["figure"]) == (learner, said["figure"])
                and "published" in column
            ),
            None,
        )
        for learner in (said["first"], said["second"])
    ]
    if columns[0] is None or columns[1] is None:
        return None
    values = [
        [findings.plan.published[table][problem][column] for problem in problems]
        for table, column in (columns[0], columns[1])
    ]
    signs = sign_test(*values)
    ratios = [a / b for a, b in zip(*values, strict=True) if b]
    return {
        "wins": signs.wins,
        "ties": signs.ties,
        "losses": signs.losses,
        "sign_p": signs.p,
        "mean_ratio": float(np.mean(ratios)) if ratios else None,
    }


def slug(*words: str) -> str:
    """Make a name that serves as a file's and as an anchor.

    Examples
    --------
    >>> slug("tamon00", "Table 2: test error %, all")
    'tamon00-table-2-test-error-all'
    """
    text = "".join(c if c.isalnum() else " " for c in " ".join(words).lower())
    return "-".join(text.split())


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
