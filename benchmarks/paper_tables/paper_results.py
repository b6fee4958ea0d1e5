"""Read the stored results of a paper's plan, and write numbers as the pages show them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from weaklearn.experiments import PlanResults, Store, code_version, prepare, read_plan
from weaklearn.experiments.combine_results import TrialValues
from weaklearn.experiments.plan_measures import is_share
from weaklearn.report import make_paper_data
from weaklearn.report.learner_comparisons import count_directions

Floats = NDArray[np.float64]


class PaperResults(PlanResults):
    """The results of a paper's plan, with shares in percent as the pages show them."""

    def problems(self, experiment: str) -> list[str]:
        """List the problems of an experiment whose tables are here."""
        names = self.plan.experiments[experiment].problems
        return [name for name in names if (experiment, name) not in self.prepared.absent_tables]

    def trials(self, experiment: str, problem: str, learner: str, quantity: str) -> TrialValues:
        """Return the values of all trials; shares are in percent."""
        values = self.values(experiment, problem, learner, quantity)
        if values is None:
            raise SystemExit(f"{experiment}, {problem}, {learner}: no trial has {quantity!r}")
        if is_share(quantity):
            values.values[:] *= 100
        return values

    def mean(self, experiment: str, problem: str, learner: str, quantity: str) -> float:
        """Return the mean over all trials; shares are in percent."""
        return self.trials(experiment, problem, learner, quantity).estimate.mean


def read_results(folder: Path, paper: str) -> PaperResults:
    """Read the results that this version of the code has stored in a folder.

    Parameters
    ----------
    folder : Path
        The folder that ``weaklearn reproduce`` was given with ``--out``.
    paper : str
        The name of the paper's plan.

    Returns
    -------
    PaperResults
        The results of all units that can run here. The program ends if some are missing.
    """
    prepared = prepare(read_plan(paper))
    with Store(folder / "results.sqlite", code_version()) as store:
        stored = store.read(prepared.units)
    n_done = sum(outcome.result is not None for outcome in stored.values())
    if n_done < len(prepared.units):
        raise SystemExit(
            f"{folder} has {n_done:,} of {len(prepared.units):,} results of {paper} by this "
            f"version of the code. Run: weaklearn reproduce {paper} --out {folder}"
        )
    return PaperResults(prepared, stored)


def agreement_figures(results: PlanResults) -> dict[str, str]:
    """Return how many cells agree with the paper, for the page on all papers."""
    paper = make_paper_data(results)
    figures = {"n-units": f"{len(results.prepared.units):,}"}
    if results.plan.published:
        counts = ("n_agreeing", "n_differing", "n_too_noisy")
        figures |= {name.replace("_", "-"): str(paper[name]) for name in counts}
    n_same, n_compared = count_directions(paper["comparisons"])
    if n_compared:
        figures["same-direction"] = f"{n_same} of {n_compared}"
    return figures


def texts(values: Iterable[float], digits: int = 2) -> list[str]:
    """Write numbers with a number of digits behind the point."""
    return [f"{value:.{digits}f}" for value in values]
