"""Make the tables of docs/papers/elomaa01.md that compare programs with trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from benchmarks.docs_data import Content, DocsTable
from benchmarks.paper_tables.paper_results import Floats, PaperResults, texts
from weaklearn.experiments import Plan, corrected_t_test, paired_t_test
from weaklearn.experiments.paired_tests import TTest
from weaklearn.report import make_paper_data

EXPERIMENT = "programs"
TREE = "tree"
PROGRAMS = ("grid", "budget")
QUANTITIES = ("error", "internal nodes")
LEVEL = 0.05


def make_tables(results: PaperResults) -> Content:
    """Return accuracies and sizes with stars, and how programs compare with trees."""
    tables = {
        "accuracy": _table(results, "error"),
        "sizes": _table(results, "internal nodes"),
        "against-tree": _summary(results),
    }
    return tables, _figures(results) | figures_of_tables(results.plan, tables)


def _trials(results: PaperResults, problem: str, learner: str, quantity: str) -> Floats:
    return results.trials(EXPERIMENT, problem, learner, quantity).values


def _tests(results: PaperResults, problem: str, learner: str, quantity: str) -> tuple[TTest, TTest]:
    """Test a learner against the tree: by the plain and by the corrected t-test."""
    pair = [_trials(results, problem, name, quantity) for name in (learner, TREE)]
    n_folds = results.plan.experiments[EXPERIMENT].splits_of(problem)["n_folds"]
    return paired_t_test(*pair), corrected_t_test(*pair, n_folds)


def _table(results: PaperResults, quantity: str) -> DocsTable:
    learners = list(results.plan.experiments[EXPERIMENT].learners)
    rows = []
    for problem in results.problems(EXPERIMENT):
        trials = results.trials(EXPERIMENT, problem, TREE, quantity)
        cells = []
        for learner in learners:
            values = _trials(results, problem, learner, quantity)
            mean = 100 - values.mean() if quantity == "error" else values.mean()
            stars = "*" * sum(t.p < LEVEL for t in _tests(results, problem, learner, quantity))
            cells.append(f"{mean:.1f} ± {values.std(ddof=1):.1f}{stars}")
        rows.append([problem, f"{trials.n_repeats} x {trials.n_trials}", *cells])
    return ["table", "folds", *learners], rows


def _summary(results: PaperResults) -> DocsTable:
    """Count the published tables on which a program is better and worse than the tree."""
    problems = [p for p in results.problems(EXPERIMENT) if _is_published(results.plan, p)]
    rows = []
    for program in PROGRAMS:
        cells = []
        for quantity in QUANTITIES:
            tests = [_tests(results, problem, program, quantity) for problem in problems]
            plain, corrected = zip(*tests, strict=True)
            cells += [_counts(plain, 1.0), _counts(plain, LEVEL), _counts(corrected, LEVEL)]
        sizes = np.log(
            [
                [_trials(results, p, name, "internal nodes").mean() for name in (program, TREE)]
                for p in problems
            ]
        )
        rows.append([program, *cells, *texts([np.exp(np.mean(sizes[:, 0] - sizes[:, 1]))], 3)])
    tests_of = ["significant", "corrected"]
    headings = ["", "fewer errors - more", *tests_of, "smaller - larger", *tests_of, "size"]
    return headings, rows


def _is_published(plan: Plan, problem: str) -> bool:
    """Return whether a table is loaded by name; the others are generated."""
    return "load" in plan.experiments[EXPERIMENT].table_of(problem)


def _counts(tests: Sequence[TTest], level: float) -> str:
    """Write how many tests of a p up to a level are for and against the program."""
    signs = Counter(np.sign(t.difference) for t in tests if t.p <= level)
    return f"{signs[1.0]}-{signs[-1.0]}"


def _figures(results: PaperResults) -> dict[str, str]:
    """Return the counts over all tables, the generated ones included."""
    figures = {"n-tables": str(len(results.problems(EXPERIMENT)))}
    overall = {
        comparison["quantity"]: comparison["overall"]
        for comparison in make_paper_data(results)["comparisons"]
        if comparison["first"] == "grid"
    }
    errors, sizes = (overall[quantity] for quantity in QUANTITIES)
    for count in ("wins", "losses"):
        figures[f"error-{count}"] = str(errors[count])
    for count in ("wins", "losses", "ties"):
        figures[f"internal-nodes-{count}"] = str(sizes[count])
    figures["error-p"] = f"{errors['sign_p']:.2f}"
    n_significant = errors["significant_wins"] + errors["significant_losses"]
    figures["error-significant"] = str(n_significant)
    figures["internal-nodes-ratio"] = f"{sizes['geometric_ratio']:.2f}"
    return figures


def figures_of_tables(plan: Plan, tables: Mapping[str, DocsTable]) -> dict[str, str]:
    """Count what the sentences of the page say about the tables.

    Parameters
    ----------
    plan : Plan
        The plan of the paper.
    tables : mapping
        The tables as the page shows them.

    Returns
    -------
    dict of str
        The counts by name.
    """
    headings, summary = tables["against-tree"]
    grid = summary[PROGRAMS.index("grid")]
    smaller, larger = grid[headings.index("smaller - larger")].split("-")
    # The first of the two columns with this heading belongs to the errors.
    differing = grid[headings.index("corrected")].split("-")
    headings, accuracies = tables["accuracy"]
    sizes = {row[0]: row for row in tables["sizes"][1]}
    tree, grid_column, budget = (headings.index(name) for name in (TREE, *PROGRAMS))
    tendencies: dict[bool, Counter[bool]] = {True: Counter(), False: Counter()}
    synthetic = []
    for row in accuracies:
        is_published = _is_published(plan, row[0])
        gain, growth = (
            round(_mean_of(of[grid_column]) - _mean_of(of[tree]), 1) for of in (row, sizes[row[0]])
        )
        if gain and growth:
            tendencies[is_published][(gain > 0) != (growth > 0)] += 1
        if not is_published:
            is_better = _mean_of(row[budget]) > _mean_of(row[tree])
            synthetic.append(row[budget].count("*") if is_better else 0)
    published, both = tendencies[True], tendencies[True] + tendencies[False]
    return {
        "n-published": str(len(accuracies) - len(synthetic)),
        "n-synthetic": str(len(synthetic)),
        "grid-differing": str(sum(map(int, differing))),
        "grid-smaller": smaller,
        "grid-larger": larger,
        "published-with-tendency": f"{published[True]} of {published.total()}",
        "all-with-tendency": f"{both[True]} of {both.total()}",
        "synthetic-plain": str(sum(stars >= 1 for stars in synthetic)),
        "synthetic-corrected": str(sum(stars == 2 for stars in synthetic)),
    }


def _mean_of(cell: str) -> float:
    """Return the mean of a cell such as ``81.5 ± 0.4**``."""
    return float(cell.split(" ± ")[0])
