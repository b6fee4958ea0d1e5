"""Make the tables of docs/papers/elomaa01.md that compare programs with trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from benchmarks.docs_data import Content, DocsTable
from benchmarks.paper_tables.paper_results import Floats, PaperResults, texts
from weaklearn.experiments import corrected_t_test, paired_t_test
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
    return tables, _figures(results)


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
    experiment = results.plan.experiments[EXPERIMENT]
    problems = [p for p in results.problems(EXPERIMENT) if "load" in experiment.table_of(p)]
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
