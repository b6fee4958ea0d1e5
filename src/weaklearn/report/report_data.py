"""Make everything that a report says as one plain dict, for templates, files and tests."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from weaklearn.experiments.agreement_with_paper import RULE
from weaklearn.experiments.plan import Experiment
from weaklearn.experiments.plan_results import PlanResults
from weaklearn.report.figure_data import figure_of_table, make_figure
from weaklearn.report.table_data import make_comparison, make_table

_PACKAGES = ("weaklearn", "numpy", "scipy", "scikit-learn", "pandas", "joblib")


def make_report_data(
    results: Sequence[PlanResults], *, code: str, digest: str, seconds: float
) -> dict[str, Any]:
    """Make the data of a report on one or more papers.

    Parameters
    ----------
    results : list of PlanResults
        One for each paper.
    code : str
        The version of the code.
    digest : str
        The digest of the stored outcomes.
    seconds : float
        The total time of all units.

    Returns
    -------
    dict
        The ``papers``, the ``rule`` of agreement, and the ``environment``.
    """
    papers = [make_paper_data(one) for one in results]
    return {
        "title": "Reproduced: " + ", ".join(paper["paper"] for paper in papers),
        "is_quick": any(one.plan.is_quick for one in results),
        "summary": [paper["verdict"] for paper in papers],
        "rule": RULE,
        "papers": papers,
        "environment": _environment(results, code, digest, seconds),
    }


def make_paper_data(results: PlanResults) -> dict[str, Any]:
    """Make the data of one paper.

    Parameters
    ----------
    results : PlanResults
        The results of the paper's plan.

    Returns
    -------
    dict
        Title and source, a verdict in words, tables, comparisons, figures, and what was absent.
    """
    plan = results.plan
    # An experiment without problems, in a reduced plan, has nothing to show.
    shown = [name for name, one in plan.experiments.items() if one.problems]
    tables = [make_table(results, entry) for entry in plan.tables if entry["experiment"] in shown]
    comparisons = [
        make_comparison(results, entry)
        for entry in plan.comparisons
        if entry["experiment"] in shown
    ]
    figures = [make_figure(results, entry) for entry in plan.figures]
    figures += [figure_of_table(results, table) for table in tables]
    cells = list(_judged_cells(tables))
    n_agreeing = sum(cell["agrees"] for *_, cell in cells)
    absent = _absent(results)
    return {
        "paper": plan.paper,
        "title": plan.title,
        "source": plan.source,
        "about": plan.about,
        "notes": list(plan.notes),
        "is_quick": plan.is_quick,
        "n_agreeing": n_agreeing,
        "n_judged": len(cells),
        "verdict": _verdict(plan.paper, n_agreeing, len(cells), absent, len(results.failures)),
        "agreeing": _agreeing_by_table(tables),
        "disagreeing": [
            {"table": table, "problem": problem, "heading": heading, **cell}
            for table, problem, heading, cell in sorted(cells, key=_distance, reverse=True)
            if not cell["agrees"]
        ],
        "absent": absent,
        "failures": [
            {"unit": unit.name, "experiment": unit.experiment, "error": error}
            for unit, error in results.failures.items()
        ],
        "tables": tables,
        "comparisons": [{**one, "sentences": _sentences(one)} for one in comparisons],
        "figures": [figure for figure in figures if figure is not None],
        "design": [_design(experiment) for experiment in plan.experiments.values()],
    }


JudgedCell = tuple[str, str, str, dict[str, Any]]


def _judged_cells(tables: Sequence[Mapping[str, Any]]) -> Iterator[JudgedCell]:
    """Return each cell that agrees or disagrees, with its table, problem and column."""
    for table in tables:
        for row in table["rows"]:
            for heading, cell in zip(table["headings"], row["cells"], strict=True):
                if cell["agrees"] is not None:
                    yield table["title"], row["problem"], heading, cell


def _distance(judged: JudgedCell) -> float:
    """Return how far a cell is from the paper's value, relative to the width of its interval."""
    cell = judged[-1]
    return float(abs(cell["difference"]) / (cell["high"] - cell["low"]))


def _agreeing_by_table(tables: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    counts = []
    for table in tables:
        cells = [cell for *_, cell in _judged_cells([table])]
        if cells:
            n_agreeing = sum(cell["agrees"] for cell in cells)
            counts.append(
                {"title": table["title"], "n_agreeing": n_agreeing, "n_judged": len(cells)}
            )
    return counts


def _absent(results: PlanResults) -> list[dict[str, str]]:
    """List the tables and learners that are absent, each once, and what to do about it."""
    prepared = results.prepared
    tables = {f"the table {name}": how for (_, name), how in prepared.absent_tables.items()}
    learners = {f"the learner {name}": why for (_, name), why in prepared.absent_learners.items()}
    return [{"what": what, "how": how} for what, how in (tables | learners).items()]


def _verdict(
    paper: str, n_agreeing: int, n_judged: int, absent: Sequence[Any], n_failures: int
) -> str:
    if n_judged:
        agreement = f"{n_agreeing} of {n_judged} cells agree with the paper"
    else:
        agreement = "no published values to compare with; see the paper's claims beside ours"
    without = f"; absent: {', '.join(entry['what'] for entry in absent)}" if absent else ""
    failed = f"; {n_failures} units failed" if n_failures else ""
    return f"{paper}: {agreement}{without}{failed}."


def _sentences(comparison: Mapping[str, Any]) -> list[str]:
    """Describe the outcome of a comparison in sentences."""
    overall = comparison["overall"]
    if overall is None:
        return ["There is nothing to compare here."]
    first, second = comparison["first"], comparison["second"]
    sentences = [
        f"{comparison['quantity'].capitalize()}: {first} is lower than {second} on "
        f"{overall['wins']} of {overall['n_problems']} problems, higher on {overall['losses']}, "
        f"equal on {overall['ties']}; two-tailed sign test {_p(overall['sign_p'])}."
    ]
    if overall["mean_ratio"] is not None:
        geometric = overall["geometric_ratio"]
        also = "" if geometric is None else f" (geometric mean {geometric:.3f})"
        sentences.append(f"The mean ratio {first} / {second} is {overall['mean_ratio']:.3f}{also}.")
    if any(row["low"] is not None for row in comparison["rows"]):
        sentences.append(
            f"The 95% interval of the difference excludes zero in favour of {first} on "
            f"{overall['significant_wins']} problems, in favour of {second} on "
            f"{overall['significant_losses']}."
        )
    if any(row["for_first"] or row["for_second"] for row in comparison["rows"]):
        sentences.append(
            "The intervals are those of the first draw of the training sets. Below each interval "
            "is the number of draws in which it excludes zero in favour of each learner."
        )
    if overall["pairs_p"] is not None:
        sentences.append(f"A t-test of all pairs of the first draw has {_p(overall['pairs_p'])}.")
    paper = overall["paper"]
    if paper is not None:
        ratio = "" if paper["mean_ratio"] is None else f", mean ratio {paper['mean_ratio']:.3f}"
        sentences.append(
            f"The paper's values on the same problems: lower on {paper['wins']}, higher on "
            f"{paper['losses']}, equal on {paper['ties']}; sign test {_p(paper['sign_p'])}{ratio}."
        )
    return sentences


def _p(p: float) -> str:
    return f"p = {p:.3f}" if p >= 0.001 else f"p = {p:.1e}"


def _design(experiment: Experiment) -> dict[str, Any]:
    return {
        "name": experiment.name,
        "splits": dict(experiment.splits),
        "measure": dict(experiment.measure),
        "n_repeats": experiment.n_repeats,
        "seed": experiment.seed,
        "learners": {name: dict(learner) for name, learner in experiment.learners.items()},
        "problems": list(experiment.problems),
    }


def _environment(
    results: Sequence[PlanResults], code: str, digest: str, seconds: float
) -> dict[str, Any]:
    return {
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "code": code,
        "results": digest,
        "units": sum(len(one.prepared.units) for one in results),
        "seconds": seconds,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
        "packages": {name: version(name) for name in _PACKAGES},
    }
