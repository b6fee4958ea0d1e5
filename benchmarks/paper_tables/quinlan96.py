"""Make the tables of docs/papers/quinlan96.md."""

from __future__ import annotations

import numpy as np

from benchmarks.docs_data import Content
from benchmarks.paper_tables.paper_results import Floats, PaperResults, texts

EXPERIMENT = "committees"
#: How the page names the learners, and the columns of the paper's Table 1.
SHORT = {"C4.5": "C4.5", "bagged": "bag", "boosted": "boost", "confident": "conf."}
PUBLISHED = {"C4.5": "c45_err", "bagged": "bag_err", "boosted": "boost_err"}
PAIRS = (("bagged", "C4.5"), ("boosted", "C4.5"), ("boosted", "bagged"))


def make_tables(results: PaperResults) -> Content:
    """Return the errors, their ratios, and on how many tables one is lower."""
    problems = results.problems(EXPERIMENT)
    published = results.plan.published["table1"]
    ours = {
        learner: np.array([results.mean(EXPERIMENT, name, learner, "error") for name in problems])
        for learner in SHORT
    }
    paper = {
        learner: np.array([published[name][column] for name in problems])
        for learner, column in PUBLISHED.items()
    }
    columns = [["table", *problems, "mean"]]
    for learner, short in SHORT.items():
        columns.append([short, *_with_mean(ours[learner], 2)])
        if learner in paper:
            columns.append(["paper", *_with_mean(paper[learner], 2)])
    ratios = [columns[0]]
    figures = {"n-tables": str(len(problems))}
    for first, second in PAIRS:
        compared = [results.compare(EXPERIMENT, p, first, second, "error") for p in problems]
        counts = [f"{of.repeats.wins}-{of.repeats.losses}" for of in compared if of is not None]
        ratio = _with_mean(ours[first] / ours[second], 3)
        ratios.append(["w-l", *counts, ""])
        ratios.append([f"{SHORT[first]} / {SHORT[second]}", *ratio])
        ratios.append(["paper", *_with_mean(paper[first] / paper[second], 3)])
    for first, second in (*PAIRS, ("confident", "boosted")):
        key = f"{SHORT[first]}-{SHORT[second]}".replace(".", "").lower()
        # Means of the same counts may differ in the last bits.
        difference = (ours[first] - ours[second]).round(9)
        figures[f"{key}-lower"] = str((difference < 0).sum())
        figures[f"{key}-higher"] = str((difference > 0).sum())
    gain = 1 - ours["confident"].mean() / ours["boosted"].mean()
    figures["confidence-gain"] = f"{100 * gain:.1f}"
    tables = {}
    for name, of_table in (("errors", columns), ("ratios", ratios)):
        headings, *rows = (list(row) for row in zip(*of_table, strict=True))
        tables[name] = headings, rows
    return tables, figures


def _with_mean(values: Floats, digits: int) -> list[str]:
    return texts((*values, values.mean()), digits)
