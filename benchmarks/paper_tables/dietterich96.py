"""Make the tables of docs/papers/dietterich96.md."""

from __future__ import annotations

import math
from itertools import zip_longest
from typing import Any

import numpy as np

from benchmarks.docs_data import Content, DocsTable
from benchmarks.paper_tables.paper_results import Floats, PaperResults, texts
from weaklearn.experiments import paired_t_test, sign_test

#: The advantage that AdaBoost falls below in Table 2.
LOW_ADVANTAGE = 0.05
#: What the paper prints for its t-test of all pairs of sizes.
PAPER_PAIRS = "p < 0.0002"


def make_tables(results: PaperResults) -> Content:
    """Return Table 1 for one draw of the training sets and for all draws, and Table 2."""
    draws = Draws(results)
    tables = {
        "errors": _error_table(draws),
        "sizes": _size_table(draws),
        "combined": _combined_table(draws),
        "draws": _draw_table(draws),
        "rounds": _round_table(results),
    }
    return tables, _figures(draws)


class Draws:
    """Errors of pruned trees in percent and sizes of unpruned ones, by problem and draw."""

    def __init__(self, results: PaperResults) -> None:
        self.results = results
        self.problems = results.problems("criteria")
        self.published = results.plan.published["table1"]
        self.errors = {name: self._pair(name, "", "error") for name in self.problems}
        self.sizes = {name: self._pair(name, " unpruned", "size") for name in self.problems}

    def _pair(self, problem: str, suffix: str, quantity: str) -> Floats:
        """Return an array of criteria (G, H) x draws x training sets."""
        trials = [
            self.results.trials("criteria", problem, name + suffix, quantity) for name in "GH"
        ]
        return np.array([of.values.reshape(of.n_repeats, of.n_trials) for of in trials])

    def means(self, quantity: dict[str, Floats], draw: int | slice = slice(None)) -> Floats:
        """Return the means of a draw or of all draws: an array of problems x criteria."""
        return np.array([np.mean(of[:, draw].reshape(2, -1), axis=1) for of in quantity.values()])


def _error_table(draws: Draws) -> DocsTable:
    rows = []
    means = draws.means(draws.errors, 0)
    for problem, (g, h) in zip(draws.problems, means, strict=True):
        trials = draws.results.trials("criteria", problem, "G", "error")
        n_test, n_sets = int(trials.weights[0]), trials.n_trials
        n_train = (draws.results.prepared.n_rows["criteria", problem] - n_test) / n_sets
        compared = draws.results.compare("criteria", problem, "G", "H", "error")
        assert compared is not None
        assert compared.interval is not None
        paper = draws.published[problem]
        rows.append(
            [
                *(problem, f"{n_sets} x {n_train:.0f} / {n_test}"),
                *texts((g, h)),
                _interval(100 * compared.interval.low, 100 * compared.interval.high),
                *texts((paper["err_G"], paper["err_H"])),
                _interval(paper["ci_low"], paper["ci_high"]),
            ]
        )
    headings = ["problem", "sets / test", "G", "H", "95% interval", "paper: G", "H", "interval"]
    return headings, rows


def _interval(low: float, high: float) -> str:
    star = "" if low <= 0 <= high else "*"
    return f"[{low:.2f}, {high:.2f}]{star}"


def _size_table(draws: Draws) -> DocsTable:
    rows = []
    for problem, (g, h) in zip(draws.problems, draws.means(draws.sizes, 0), strict=True):
        test = paired_t_test(*draws.sizes[problem][:, 0])
        paper = draws.published[problem]
        sizes = paper["size_G"], paper["size_H"]
        # The paper prints t without its sign.
        t = math.copysign(paper["t"], sizes[1] - sizes[0])
        of_paper = [*texts(sizes), *texts((t, paper["p_t"]), 3)]
        rows.append([problem, *texts((g, h)), *texts((test.t, test.p), 3), *of_paper])
    return ["problem", "G", "H", "t", "p", "paper: G", "H", "t", "p"], rows


def _combined_table(draws: Draws) -> DocsTable:
    rows: list[list[str]] = []
    for quantity, of_name, columns in (
        ("error: problems where G's is lower, higher", draws.errors, ("err_G", "err_H")),
        ("size: problems where G's tree is smaller, larger", draws.sizes, ("size_G", "size_H")),
    ):
        published = [[draws.published[name][c] for name in draws.problems] for c in columns]
        signs = [sign_test(*draws.means(of_name, 0).T), sign_test(*published)]
        rows.append([quantity, *(f"{test.wins}, {test.losses}" for test in signs)])
        rows.append(["sign test of that", *(f"p = {test.p:.3f}" for test in signs)])
    test = _test_all_pairs(draws, 0)
    larger = "H" if test.difference > 0 else "G"
    ours = f"p = {test.p:.3f} ({larger} larger by {abs(test.difference):.2f} nodes)"
    rows.append([f"t-test of all {test.n_pairs} pairs of sizes", ours, PAPER_PAIRS])
    return ["", "ours", "paper"], rows


def _test_all_pairs(draws: Draws, draw: int) -> Any:
    return paired_t_test(*np.concatenate([of[:, draw] for of in draws.sizes.values()], axis=1))


def _draw_table(draws: Draws) -> DocsTable:
    rows = []
    for name, errors, sizes in zip(
        draws.problems, draws.means(draws.errors), draws.means(draws.sizes), strict=True
    ):
        compared = draws.results.compare("criteria", name, "G", "H", "error")
        assert compared is not None
        smaller = sign_test(*draws.sizes[name].mean(axis=2))
        intervals = f"{compared.for_first}, {compared.for_second}"
        counts = f"{smaller.wins}, {smaller.losses}"
        rows.append([name, *texts(errors), intervals, *texts(sizes), counts])
    headings = ["problem", "error G", "error H", "intervals for G, for H", "size G", "size H"]
    return [*headings, "draws with G's, H's smaller"], rows


def _round_table(results: PaperResults) -> DocsTable:
    columns = ("TopDown, rounds", "AdaBoost, train error", "TopDown, error", "AdaBoost, error")
    rows = []
    for problem in results.problems("rounds"):
        ours = [results.mean("rounds", problem, "both", column) for column in columns]
        trials = results.details("rounds", problem, "both")
        of_rounds = zip_longest(*(trial["AdaBoost"]["gamma"] for trial in trials))
        means = [np.mean([gamma for gamma in of if gamma is not None]) for of in of_rounds]
        low = [number for number, mean in enumerate(means, 1) if mean < LOW_ADVANTAGE]
        paper = list(results.plan.published["table2"][problem].values())
        first_low = str(low[0]) if low else "never"
        rows.append([problem, *texts(ours, 1), first_low, *texts(paper, 1)])
    errors = ["AdaBoost train", "TopDown test", "AdaBoost test"]
    return ["problem", "rounds", *errors, "< 0.05 from", "paper: rounds", *errors], rows


def _figures(draws: Draws) -> dict[str, str]:
    errors, sizes = draws.means(draws.errors), draws.means(draws.sizes)
    n_draws = draws.errors[draws.problems[0]].shape[1]
    # A positive difference is in favour of G.
    gains = errors[:, 1] - errors[:, 0]
    logs = np.log(sizes)
    paper = np.log([[draws.published[n][f"size_{c}"] for c in "GH"] for n in draws.problems])
    tests = [_test_all_pairs(draws, draw) for draw in range(n_draws)]
    differences = [test.difference for test in tests]
    signs = [sign_test(*draws.means(draws.errors, draw).T) for draw in range(n_draws)]
    error_signs, size_signs = sign_test(*errors.T), sign_test(*sizes.T)
    return {
        "n-problems": str(len(draws.problems)),
        "n-draws": str(n_draws),
        "size-ratio": f"{math.exp(np.mean(logs[:, 0] - logs[:, 1])):.3f}",
        "size-ratio-paper": f"{math.exp(np.mean(paper[:, 0] - paper[:, 1])):.2f}",
        "size-ratio-p": f"{paired_t_test(*logs.T).p:.3f}",
        "problems-smaller": str(size_signs.wins),
        "problems-lower": str(error_signs.wins),
        "problems-lower-p": f"{error_signs.p:.2f}",
        "least-gain": f"{gains[gains > 0].min():.2f}",
        "most-gain": f"{gains.max():.1f}",
        "draws-smaller": str(sum(difference > 0 for difference in differences)),
        "draws-significant": str(sum(t.p < 0.05 and t.difference > 0 for t in tests)),
        "draws-against": str(sum(t.p < 0.05 and t.difference < 0 for t in tests)),
        "least-difference": f"{min(differences):.1f}",
        "most-difference": f"{max(differences):.1f}",
        "least-p": f"{min(test.p for test in tests):.4f}",
        "median-p": f"{np.median([test.p for test in tests]):.2f}",
        "draws-with-sign": str(sum(test.p < 0.05 for test in signs)),
    }
