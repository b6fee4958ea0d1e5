"""Assemble everything that a report says as one plain dict, for templates, files and tests."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from weaklearn.experiments.agreement_with_paper import RULE
from weaklearn.experiments.combine_results import PlanResults
from weaklearn.experiments.plan import Experiment
from weaklearn.report.figure_panels import figure_of_table, make_figure
from weaklearn.report.learner_comparisons import (
    count_directions,
    make_comparison,
    sentences_of,
)
from weaklearn.report.result_tables import make_table
from weaklearn.report.verdict import (
    count_verdicts,
    distance_from_paper,
    judged_cells,
    verdict_of,
    verdicts_by_table,
)

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
    papers = [make_paper_data(paper_results) for paper_results in results]
    return {
        "template": "page.html",
        "title": "Reproduced: " + ", ".join(paper["paper"] for paper in papers),
        "is_quick": any(paper_results.plan.is_quick for paper_results in results),
        "summary": [paper["verdict"] for paper in papers],
        "rule": RULE,
        "papers": papers,
        "environment": describe_environment(
            sum(len(paper_results.prepared.units) for paper_results in results),
            *(code, digest, seconds),
        ),
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
    shown = [name for name, experiment in plan.experiments.items() if experiment.problems]
    tables = [make_table(results, entry) for entry in plan.tables if entry["experiment"] in shown]
    comparisons = [
        make_comparison(results, entry)
        for entry in plan.comparisons
        if entry["experiment"] in shown
    ]
    figures = [make_figure(results, entry) for entry in plan.figures]
    figures += [figure_of_table(results, table) for table in tables]
    cells = list(judged_cells(tables))
    counts = count_verdicts(cells)
    n_published = (plan.whole or plan).count_published()
    differing = [judged for judged in cells if judged[-1]["verdict"] == "differs"]
    absent = _absent(results)
    return {
        "paper": plan.paper,
        "title": plan.title,
        "source": plan.source,
        "about": plan.about,
        "notes": list(plan.notes),
        "is_quick": plan.is_quick,
        **counts,
        "n_not_run": n_published - len(cells),
        "verdict": verdict_of(
            plan.paper,
            counts,
            n_published,
            count_directions(comparisons),
            absent,
            len(results.failures),
        ),
        "verdicts": verdicts_by_table(tables),
        "differing": [
            {"table": table, "problem": problem, "heading": heading, **cell}
            for table, problem, heading, cell in sorted(
                differing, key=distance_from_paper, reverse=True
            )
        ],
        "absent": absent,
        "failures": [
            {"unit": unit.name, "experiment": unit.experiment, "error": error}
            for unit, error in results.failures.items()
        ],
        "tables": tables,
        "comparisons": [{**c, "sentences": sentences_of(c)} for c in comparisons],
        "figures": [figure for figure in figures if figure is not None],
        "design": [_design(experiment) for experiment in plan.experiments.values()],
    }


def _absent(results: PlanResults) -> list[dict[str, str]]:
    """List the tables and learners that are absent, each once, and what to do about it."""
    prepared = results.prepared
    tables = {f"the table {name}": how for (_, name), how in prepared.absent_tables.items()}
    learners = {f"the learner {name}": why for (_, name), why in prepared.absent_learners.items()}
    return [{"what": what, "how": how} for what, how in (tables | learners).items()]


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


def describe_environment(
    n_units: int, code: str, digest: str, seconds: float, packages: Sequence[str] = ()
) -> dict[str, Any]:
    """Describe how results were computed: code, units, time, system and packages.

    Parameters
    ----------
    n_units : int
        The number of work units.
    code : str
        The version of the code.
    digest : str
        The digest of the stored outcomes.
    seconds : float
        The total time of all units.
    packages : sequence of str
        Packages to name besides those that every report names.

    Returns
    -------
    dict
        For the end of a page.
    """
    return {
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "code": code,
        "results": digest,
        "units": n_units,
        "seconds": seconds,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
        "packages": {name: version(name) for name in (*_PACKAGES, *packages)},
    }
