"""Make the tables of docs/papers/henry07.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.docs_data import Content, DocsTable
from benchmarks.paper_tables.paper_results import PaperResults, texts
from weaklearn.experiments import paired_t_test
from weaklearn.report import make_paper_data

EXPERIMENT = "oblique"
#: How the page names the learners.
SHORT = {
    "BoostODT 50": "ODT 50",
    "BoostODT 200": "ODT 200",
    "OC1": "OC1",
    "OC1 unpruned": "unpruned",
    "AdaBoost + C4.5": "AdaBoost",
}


def make_tables(results: PaperResults) -> Content:
    """Return the errors beside the paper's, and which learner is better."""
    paper = make_paper_data(results)
    tables = {
        "errors": _error_table(results, paper["tables"][0]),
        "wins": _win_table(results, paper["comparisons"]),
    }
    return tables, figures_of_tables(tables)


def _error_table(results: PaperResults, errors: dict[str, Any]) -> DocsTable:
    """Return the errors; a star marks a cell that differs from the paper."""
    (entry,) = results.plan.tables
    headings = ["problem", "rows"]
    columns = entry["columns"]
    # Both forms of OC1 are compared with the same column of the paper, which is shown once.
    is_last = [
        column["published"] not in (other["published"] for other in columns[index + 1 :])
        for index, column in enumerate(columns)
    ]
    for column, ends in zip(columns, is_last, strict=True):
        headings += [SHORT[column["learner"]], *(["paper"] if ends else [])]
    rows = []
    for row in errors["rows"]:
        cells = []
        for cell, ends in zip(row["cells"], is_last, strict=True):
            cells.append(f"{cell['ours']:.2f}{'*' if cell['verdict'] == 'differs' else ''}")
            cells += texts([cell["paper"]]) if ends else []
        rows.append([row["problem"], f"{row['n_rows']:,}", *cells])
    return headings, rows


def _win_table(results: PaperResults, comparisons: list[dict[str, Any]]) -> DocsTable:
    """Return sign tests over problems, and how often a t-test of one cross-validation differs."""
    rows = []
    for comparison in comparisons:
        pair = comparison["first"], comparison["second"]
        overall = comparison["overall"]
        counts = [
            f"{of['wins']}-{of['losses']}-{of['ties']}, p = {of['sign_p']:.3f}"
            for of in (overall, overall["paper"])
        ]
        tests = []
        for problem in results.problems(EXPERIMENT):
            trials = [results.trials(EXPERIMENT, problem, name, "error") for name in pair]
            tests.append(paired_t_test(*(of.values[of.repeats == 0] for of in trials)))
        differences = [test.difference for test in tests if test.p < 0.05]
        significant = f"{sum(d > 0 for d in differences)}-{sum(d < 0 for d in differences)}"
        rows.append([" against ".join(SHORT[name] for name in pair), *counts, significant])
    return ["", "won-lost-tied", "paper", "significantly won-lost"], rows


def figures_of_tables(tables: Mapping[str, DocsTable]) -> dict[str, str]:
    """Count the errors of BoostODT, and of the other learners, that differ from the paper."""
    headings, rows = tables["errors"]
    figures = {}
    for group, is_odt in (("odt", True), ("others", False)):
        columns = [
            index
            for index, heading in enumerate(headings)
            if heading in SHORT.values() and heading.startswith("ODT") == is_odt
        ]
        stars = [row[index].endswith("*") for row in rows for index in columns]
        figures |= {f"{group}-cells": str(len(stars)), f"{group}-differing": str(sum(stars))}
    return figures
