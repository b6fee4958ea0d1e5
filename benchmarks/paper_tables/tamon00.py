"""Make the tables of docs/papers/tamon00.md."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

import numpy as np

from benchmarks.docs_data import Content, DocsTable
from benchmarks.paper_tables.paper_results import Floats, PaperResults, texts

#: How the page names the methods. The paper has the first two.
SHORT = {"kappa": "kp", "kappa_shift": "ws", "margin_lp": "lp", "first_rounds": "first"}
IN_PAPER = ("kp", "ws")
LEARNER = "boosted"
#: The sizes at which the page shows the loss of a committee of 200 rounds.
SIZES = (5, 10, 20, 40, 80)
#: The most that a small committee may lose against the whole one, in percentage points.
TOLERANCE = 0.5


def make_tables(results: PaperResults) -> Content:
    """Return Table 2, what each method loses, and how small a committee of 200 rounds can be."""
    curves = {name: Curve(results, name) for name in results.problems("study")}
    tables = {
        "committees": _committee_table(results),
        "pruned": _pruned_table(results),
        "losses": _loss_table(results),
        "smallest": _smallest_table(curves),
        "losses-by-size": _size_table(curves),
    }
    return tables, figures_of_tables(tables)


def _mean(results: PaperResults, problem: str, quantity: str) -> float:
    return results.mean("pruned", problem, LEARNER, quantity)


def _rates(results: PaperResults) -> list[float]:
    return list(results.plan.experiments["pruned"].measure["rates"])


def _committee_table(results: PaperResults) -> DocsTable:
    """Return errors and members: their mean, the least, and how many folds end early."""
    n_rounds = results.plan.experiments["pruned"].learners[LEARNER]["n_rounds"]
    rows = []
    for problem in results.problems("pruned"):
        members = results.trials("pruned", problem, LEARNER, "members").values
        counts = [f"{members.mean():.1f}", f"{members.min():.0f}", str((members < n_rounds).sum())]
        paper = results.plan.published["table2"][problem]
        errors = (
            *(results.mean("trees", problem, "C4.5", "error"), paper["c45"]),
            *(_mean(results, problem, "error"), paper["adaboost_T30"]),
        )
        rows.append([problem, *counts, *texts(errors)])
    headings = ["table", "members", "least", "early"]
    return [*headings, "C4.5", "paper", "boost", "paper"], rows


def _pruned_table(results: PaperResults) -> DocsTable:
    headings = ["table", "rate"]
    for short in SHORT.values():
        headings += [short, "paper"] if short in IN_PAPER else [short]
    rows = []
    for problem in results.problems("pruned"):
        paper = results.plan.published["table2"][problem]
        for rate in _rates(results):
            cells = []
            for method, short in SHORT.items():
                cells.append(_mean(results, problem, f"{method} {rate}"))
                cells += [paper[f"{short}{100 * rate:.0f}"]] if short in IN_PAPER else []
            rows.append([problem, str(rate), *texts(cells)])
    return headings, rows


def _loss_table(results: PaperResults) -> DocsTable:
    """Return the mean loss over the tables against the whole committee, by rate."""
    problems = results.problems("pruned")
    rows = []
    for rate in _rates(results):
        losses = [
            [_mean(results, p, f"{method} {rate}") - _mean(results, p, "error") for p in problems]
            for method in SHORT
        ]
        rows.append([str(rate), *_signed(np.mean(losses, axis=1))])
    return ["rate", *SHORT.values()], rows


def _signed(losses: Iterable[float]) -> list[str]:
    """Write losses with one digit, and a loss that rounds to zero without a sign."""
    return [text if float(text) else "0.0" for text in texts(losses, 1)]


class Curve:
    """Mean errors in percent by the number of members kept, over the trials of a problem.

    Trials that end early have fewer sizes. ``sizes`` are those that all trials have, and
    ``losses`` the errors at these sizes minus that of the whole committee, by method.
    """

    def __init__(self, results: PaperResults, problem: str) -> None:
        members = results.trials("study", problem, LEARNER, "members").values
        self.fewest, self.most = int(members.min()), int(members.max())
        trials = results.details("study", problem, LEARNER)
        asked = results.plan.experiments["study"].measure["sizes"]
        self.sizes = [size for size in asked if all(size in of["sizes"] for of in trials)]
        self.error = results.mean("study", problem, LEARNER, "error")
        # The trials have different numbers of test rows.
        weights = results.trials("study", problem, LEARNER, "error").weights
        self.losses: dict[str, Floats] = {}
        for method in SHORT:
            errors = [
                [of["errors"][method][of["sizes"].index(size)] for size in self.sizes]
                for of in trials
            ]
            means = 100 * np.average(errors, axis=0, weights=weights)
            # A loss that equals the tolerance must not exceed it by a rounding error.
            self.losses[method] = (means - self.error).round(9)

    def smallest(self, method: str) -> str:
        """Return the smallest size from which on the loss stays within the tolerance."""
        too_high = np.flatnonzero(self.losses[method] > TOLERANCE)
        first = too_high[-1] + 1 if len(too_high) else 0
        return str(self.sizes[first]) if first < len(self.sizes) else f"over {self.sizes[-1]}"


def _smallest_table(curves: dict[str, Curve]) -> DocsTable:
    rows = []
    for problem, of in curves.items():
        members = str(of.most) if of.fewest == of.most else f"{of.fewest} to {of.most}"
        cells = [of.smallest(method) for method in SHORT]
        rows.append([problem, members, f"{of.error:.2f}", *cells])
    return ["table", "members", "error %", *SHORT.values()], rows


def _size_table(curves: dict[str, Curve]) -> DocsTable:
    """Return the mean loss at some sizes, over the tables that have them in all trials."""
    rows = []
    for size in SIZES:
        with_size = [of for of in curves.values() if size in of.sizes]
        losses = np.array(
            [[of.losses[method][of.sizes.index(size)] for of in with_size] for method in SHORT]
        )
        cells = _signed([*losses.mean(axis=1), losses[-1].max()])
        rows.append([str(size), str(len(with_size)), *cells])
    return ["members", "tables", *SHORT.values(), "first, at most"], rows


def figures_of_tables(tables: Mapping[str, DocsTable]) -> dict[str, str]:
    """Return by how many points shifted votes lower the error of kappa: at least and at most.

    The gain is the mean over the tables, at each rate.
    """
    headings, rows = tables["pruned"]
    gains = defaultdict(list)
    for row in rows:
        of = dict(zip(headings, row, strict=True))
        gains[of["rate"]].append(float(of["kp"]) - float(of["ws"]))
    means = [np.mean(of_rate) for of_rate in gains.values()]
    return {"shift-least": f"{min(means):.1f}", "shift-most": f"{max(means):.1f}"}
