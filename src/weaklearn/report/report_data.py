"""What a report says, as one plain dict: testable, and ready for JSON and templates."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from weaklearn.experiments.agreement_with_paper import RULE
from weaklearn.experiments.findings import Findings
from weaklearn.report.figure_data import figure_of_table, make_figure
from weaklearn.report.table_data import make_comparison, make_table

_PACKAGES = ("weaklearn", "numpy", "scipy", "scikit-learn", "pandas", "joblib")


def make_content(
    findings: Sequence[Findings], *, code: str, digest: str, seconds: float
) -> dict[str, Any]:
    """Put everything together.

    Parameters
    ----------
    findings : list of Findings
        Of each paper.
    code : str
        The version of the code.
    digest : str
        The digest of the store's outcomes.
    seconds : float
        How long all units together took one worker.

    Returns
    -------
    dict
        ``papers``, the ``rule`` of agreement, and the ``environment``.
    """
    papers = [make_paper(one) for one in findings]
    is_quick = any(one.plan.is_quick for one in findings)
    return {
        "title": "Reproduced: " + ", ".join(paper["paper"] for paper in papers),
        "is_quick": is_quick,
        "summary": [paper["verdict"] for paper in papers],
        "rule": RULE,
        "papers": papers,
        "environment": _environment(findings, code, digest, seconds),
    }


def make_paper(findings: Findings) -> dict[str, Any]:
    """Give what there is to say about one paper.

    Parameters
    ----------
    findings : Findings
        What is known of its plan.

    Returns
    -------
    dict
        The paper, a verdict in words, tables, comparisons, figures, and what was missing.
    """
    plan = findings.plan
    # An experiment that was left with no problem has nothing to show.
    shown = [name for name, one in plan.experiments.items() if one.problems]
    tables = [make_table(findings, said) for said in plan.tables if said["experiment"] in shown]
    comparisons = [
        make_comparison(findings, said) for said in plan.comparisons if said["experiment"] in shown
    ]
    drawn = [make_figure(findings, said) for said in plan.figures]
    drawn += [figure_of_table(findings, table) for table in tables]
    cells = list(_judged(tables))
    agreeing = sum(cell["agrees"] for *_, cell in cells)
    missing = _missing(findings)
    return {
        "paper": plan.paper,
        "title": plan.title,
        "source": plan.source,
        "about": plan.about,
        "notes": list(plan.notes),
        "is_quick": plan.is_quick,
        "n_agreeing": agreeing,
        "n_judged": len(cells),
        "verdict": _verdict(plan.paper, agreeing, len(cells), missing, len(findings.failures)),
        "agreeing": _by_table(tables),
        "disagreeing": [
            {"table": table, "problem": problem, "heading": heading, **cell}
            for table, problem, heading, cell in sorted(cells, key=_distance, reverse=True)
            if not cell["agrees"]
        ],
        "missing": missing,
        "failures": [
            {"unit": unit.name, "experiment": unit.experiment, "error": error}
            for unit, error in findings.failures.items()
        ],
        "tables": tables,
        "comparisons": [{**one, "words": _words(one)} for one in comparisons],
        "figures": [figure for figure in drawn if figure is not None],
        "design": [_design(one) for one in plan.experiments.values()],
    }


Judged = tuple[str, str, str, dict[str, Any]]


def _judged(tables: Sequence[Mapping[str, Any]]) -> Iterator[Judged]:
    """Give every cell that was judged, with its table, problem and column."""
    for table in tables:
        for row in table["rows"]:
            for heading, cell in zip(table["headings"], row["cells"], strict=True):
                if cell["agrees"] is not None:
                    yield table["title"], row["problem"], heading, cell


def _distance(judged: Judged) -> float:
    """Measure a difference by the width of its interval."""
    cell = judged[-1]
    return float(abs(cell["difference"]) / (cell["high"] - cell["low"]))


def _by_table(tables: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    counted = []
    for table in tables:
        cells = [cell for *_, cell in _judged([table])]
        if cells:
            agreeing = sum(cell["agrees"] for cell in cells)
            counted.append({"title": table["title"], "agreeing": agreeing, "judged": len(cells)})
    return counted


def _missing(findings: Findings) -> list[dict[str, str]]:
    """Say what is not to be had, each thing once, and what to do about it."""
    tables = {f"the table {name}": how for (_, name), how in findings.ready.absent.items()}
    learners = {f"the learner {name}": why for (_, name), why in findings.ready.unknown.items()}
    return [{"what": what, "how": how} for what, how in (tables | learners).items()]


def _verdict(
    paper: str, agreeing: int, judged: int, missing: Sequence[Any], n_failures: int
) -> str:
    if judged:
        share = f"{agreeing} of {judged} cells agree with the paper"
    else:
        share = "there is no published value to compare with; what the paper says stands beside"
    lacking = f"; missing: {', '.join(m['what'] for m in missing)}" if missing else ""
    failed = f"; {n_failures} units failed" if n_failures else ""
    return f"{paper}: {share}{lacking}{failed}."


def _words(comparison: Mapping[str, Any]) -> list[str]:
    """Say in sentences what a comparison found."""
    together = comparison["together"]
    if together is None:
        return ["There is nothing to compare here."]
    first, second = comparison["first"], comparison["second"]
    what = comparison["figure"]
    lines = [
        f"Less {what} for {first} on {together['wins']} of {together['n_problems']} problems, more "
        f"on {together['losses']}, equal on {together['ties']}; two-tailed sign test "
        f"{_p(together['sign_p'])}."
    ]
    if together["mean_ratio"] is not None:
        geometric = together["geometric_ratio"]
        also = "" if geometric is None else f" (geometric mean {geometric:.3f})"
        lines.append(f"The mean ratio {first} / {second} is {together['mean_ratio']:.3f}{also}.")
    if any(row["low"] is not None for row in comparison["rows"]):
        lines.append(
            f"The 95% interval of the difference excludes zero for {first} on "
            f"{together['significant_wins']} problems, for {second} on "
            f"{together['significant_losses']}."
        )
    if any(row["for_first"] or row["for_second"] for row in comparison["rows"]):
        lines.append(
            "Intervals are those of the first draw of the training sets; below each stands in how "
            "many draws the interval speaks for which."
        )
    if together["pairs_p"] is not None:
        lines.append(f"A t-test of all pairs of the first draw has {_p(together['pairs_p'])}.")
    paper = together["paper"]
    if paper is not None:
        ratio = "" if paper["mean_ratio"] is None else f", mean ratio {paper['mean_ratio']:.3f}"
        lines.append(
            f"The paper's figures on the same problems: less on {paper['wins']}, more on "
            f"{paper['losses']}, equal on {paper['ties']}; sign test {_p(paper['sign_p'])}{ratio}."
        )
    return lines


def _p(p: float) -> str:
    return f"p = {p:.3f}" if p >= 0.001 else f"p = {p:.1e}"


def _design(one: Any) -> dict[str, Any]:
    return {
        "name": one.name,
        "splits": dict(one.splits),
        "measure": dict(one.measure),
        "n_repeats": one.n_repeats,
        "seed": one.seed,
        "learners": {name: dict(recipe) for name, recipe in one.learners.items()},
        "problems": list(one.problems),
    }


def _environment(
    findings: Sequence[Findings], code: str, digest: str, seconds: float
) -> dict[str, Any]:
    n_units = sum(len(one.ready.units) for one in findings)
    return {
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "code": code,
        "results": digest,
        "units": n_units,
        "seconds": seconds,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
        "packages": {name: version(name) for name in _PACKAGES},
    }
