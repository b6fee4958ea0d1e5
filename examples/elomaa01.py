"""The experiment of Elomaa and Kaariainen with branching programs, done again, and beyond.

T. Elomaa and M. Kaariainen, "On the practice of branching program boosting", ECML 2001: programs
grown as Y. Mansour and D. McAllester would, against unpruned trees of the same criterion.
``python examples/elomaa01.py > elomaa01.md`` runs the tables that are here, ten times ten-fold, the
large ones once; names choose among them, ``--repeats`` says how often. ``--settings`` tries many
settings of programs against pruned trees instead. What merging does to exclusive-or is in
``elomaa01_xor.py``, committees of programs are in ``elomaa01_boosted.py``.
"""

import argparse
import math
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import weaklearn as wl
from weaklearn.experiments import Fold, Results, TTest, cross_validate, paired_t_test, sign_test
from weaklearn.models.graph import Graph
from weaklearn.tables import Table

SEED = 0
LARGE = 10_000  # from so many rows on one cross-validation is enough
#: Holte's two-class form of glass: float-processed windows or not, other glass left out (R. Holte,
#: "Very simple classification rules perform well on most commonly used datasets", 1993).
FLOAT, NOT_FLOAT = ("build wind float", "vehic wind float"), "build wind non-float"

#: The paper's "breast" may be either of two tables; "heart" is the one without missing values.
UCI = (
    *("adult", "breast-cancer", "breast-w", "kr-vs-kp", "connect-4", "diabetes", "euthyroid"),
    *("credit-g", "glass", "heart-statlog", "hepatitis", "ionosphere", "bupa", "sonar"),
    *("tic-tac-toe", "vote"),
)
#: The paper's numbers of bits and rows are lost; these leave something to learn.
SYNTHETIC: dict[str, Callable[[], Table]] = {
    "majority-11": lambda: wl.datasets.make_majority(11, 1000, random_state=SEED),
    "majority-17": lambda: wl.datasets.make_majority(17, 1000, random_state=SEED),
    "multiplexer-11": lambda: wl.datasets.make_multiplexer(3, 1000, random_state=SEED),
    "xor-7": lambda: wl.datasets.make_xor(7, 0, 300, random_state=SEED),
    "xor-10": lambda: wl.datasets.make_xor(10, 0, 1000, random_state=SEED),
}
TABLES = (*UCI, *SYNTHETIC)


def program(**parameters: Any) -> wl.BranchingProgramClassifier:
    return wl.BranchingProgramClassifier("km", **parameters)


#: Trees of the same criterion and the same tests, until no test gains anything, as the paper's.
TREE = wl.TopDownClassifier("km", grouping=True)
#: What the paper compares, and our own way of merging.
UNPRUNED: dict[str, Any] = {
    "tree": TREE,
    "grid": program(),
    "budget": program(merge="budget"),
}
PRUNED_TREES: dict[str, Any] = {
    "C4.5": wl.C45Classifier(),
    "tree, pruned": wl.TopDownClassifier("km", grouping=True, prune=True),
}

#: What `settings` tries: shares of merge="budget", widths of merge="width", min_objects.
SHARES = (0.1, 0.5)
WIDTHS = (4, 8)
LEAST_ROWS = (5, 10, 20)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one table: the results of each model over the same folds."""

    name: str
    results: dict[str, Results]

    def accuracy(self, model: str) -> float:
        """Mean accuracy in percent."""
        return 100 * (1 - self.results[model].error.mean)

    def tests(self, model: str) -> float:
        """Mean number of internal nodes."""
        return float(np.mean([count_tests(fold) for fold in self.results[model].folds]))

    def compare(self, model: str, other: str, figure: Callable[[Fold], float]) -> "Comparison":
        """Test whether two models differ in a figure, over all folds of all repeats."""
        first, second = ([figure(f) for f in self.results[m].folds] for m in (model, other))
        plain = paired_t_test(first, second)
        return Comparison(plain, corrected(plain, self.results[model].n_folds))


@dataclass(frozen=True, slots=True)
class Comparison:
    """A difference (the other's minus the model's), tested as in 2001 and as one would today."""

    plain: TTest
    corrected: TTest

    @property
    def stars(self) -> str:
        """One for p < 0.05 of the plain test, two if the corrected one agrees."""
        return "**" if self.corrected.p < 0.05 else "*" if self.plain.p < 0.05 else ""


def corrected(test: TTest, n_folds: int) -> TTest:
    """Allow for training sets that overlap.

    Folds share training rows and repeats share all rows, so that their results vary together and
    the plain test finds too much. C. Nadeau and Y. Bengio, "Inference for the generalization error"
    (2003), add to 1 / n the ratio of test to training rows.
    """
    t = test.t / math.sqrt(1 + test.n_pairs / (n_folds - 1))
    return replace(test, t=t, p=float(2 * stats.t.sf(abs(t), test.n_pairs - 1)))


def error_rate(fold: Fold) -> float:
    return fold.test_errors / fold.n_test


def count_tests(fold: Fold) -> float:
    """Internal nodes, the paper's measure of size."""
    assert fold.size is not None
    assert fold.n_leaves is not None
    return fold.size - fold.n_leaves


def load_table(name: str) -> Table | None:
    """A table of the paper with two classes and no missing value; None if it is not here."""
    if name in SYNTHETIC:
        return SYNTHETIC[name]()
    if not any(entry.name == name and entry.here for entry in wl.datasets.available()):
        return None
    table = wl.datasets.load(name)
    if name == "connect-4":
        table = table.one_versus_rest("win")  # draw and loss united
    elif name == "glass":
        table = two_kinds_of_windows(table)
    return fill_unknown(table)


def two_kinds_of_windows(table: Table) -> Table:
    labels = table.y.astype(str)
    rows = labels.isin([*FLOAT, NOT_FLOAT])
    y = pd.Series(np.where(labels[rows].isin(FLOAT), "float", "not float"), name=table.y.name)
    return Table("glass", table.X[rows].reset_index(drop=True), y.astype("category"))


def fill_unknown(table: Table) -> Table:
    """Unknown becomes a value of its own, or the median; the paper got rid of them somehow."""
    X = table.X.copy()
    for name, column in table.X.items():
        if not column.hasnans:
            continue
        if isinstance(column.dtype, pd.CategoricalDtype):
            X[name] = column.cat.add_categories("unknown").fillna("unknown")
        else:
            X[name] = column.fillna(column.median() if column.notna().any() else 0.0)
    return Table(table.name, X, table.y)


def run(name: str, table: Table, models: dict[str, Any], n_repeats: int) -> Outcome:
    """Cross-validate all models with the same folds."""
    results = {
        model: cross_validate(classifier, table.X, table.y, n_repeats=n_repeats, seed=SEED)
        for model, classifier in models.items()
    }
    return Outcome(name, results)


def rows_of(
    outcomes: Sequence[Outcome], models: Sequence[str], figure: Callable[[Fold], float]
) -> list[list[str]]:
    """Per table each model's mean and deviation over the folds, with stars against the first's."""
    rows = []
    for outcome in outcomes:
        first = outcome.results[models[0]]
        cells = [outcome.name, f"{first.n_repeats} x {first.n_folds}"]
        for model in models:
            figures = [figure(fold) for fold in outcome.results[model].folds]
            stars = outcome.compare(model, models[0], figure).stars if model != models[0] else ""
            cells.append(f"{np.mean(figures):.1f} ± {np.std(figures, ddof=1):.1f}{stars}")
        rows.append(cells)
    return rows


def accuracy_of(fold: Fold) -> float:
    return 100 * (1 - error_rate(fold))


def verdict(outcomes: Sequence[Outcome], model: str, other: str) -> list[str]:
    """What the tables say of two models together."""
    lines = []
    for what, figure in (("errors", error_rate), ("tests", count_tests)):
        found = [outcome.compare(model, other, figure) for outcome in outcomes]
        signs = sign_test(
            [0.0] * len(found), [np.round(comparison.plain.difference, 9) for comparison in found]
        )
        counts = {
            marks: [
                sum(marks in c.stars and (c.plain.difference > 0) == favours for c in found)
                for favours in (True, False)
            ]
            for marks in ("*", "**")
        }
        lines.append(
            f"* {model} against {other}, {what}: fewer on {signs.wins} of {len(found)} tables, "
            f"more on {signs.losses} (sign test p = {signs.p:.3f}); significantly so on "
            f"{counts['*'][0]} and {counts['*'][1]}, by the corrected test on "
            f"{counts['**'][0]} and {counts['**'][1]}."
        )
    ratio = size_ratio(outcomes, model, other)
    lines.append(f"* {model} has {ratio:.3f} of the tests of {other} (geometric mean).")
    agree, differ = smaller_is_better(outcomes, model, other)
    lines.append(
        f"* The smaller of {model} and {other} is the more accurate on {agree} tables, the less "
        f"accurate on {differ}."
    )
    return lines


def size_ratio(outcomes: Sequence[Outcome], model: str, other: str) -> float:
    """The geometric mean of the ratios of mean sizes; a leaf alone counts as one test."""
    ratios = [max(o.tests(model), 1) / max(o.tests(other), 1) for o in outcomes]
    return float(np.exp(np.mean(np.log(ratios))))


def smaller_is_better(outcomes: Sequence[Outcome], model: str, other: str) -> tuple[int, int]:
    signs = [
        np.sign(o.tests(other) - o.tests(model)) * np.sign(o.accuracy(model) - o.accuracy(other))
        for o in outcomes
    ]
    return int(np.sum(np.array(signs) > 0)), int(np.sum(np.array(signs) < 0))


def shared_tests(graph: Graph) -> int:
    """Tests that several branches lead to."""
    ends = [child for node in range(graph.n_nodes) for child in graph.children(node)]
    arriving = np.bincount(ends, minlength=graph.n_nodes)
    return sum(arriving[node] > 1 and not graph.is_leaf(node) for node in range(graph.n_nodes))


def level_row(name: str, table: Table) -> list[str]:
    """What merging by the grid does to a table: widths, bottlenecks, and advantages."""
    grown = program().fit(table.X, table.y)
    tree = program(merge="none").fit(table.X, table.y)
    levels, graph = grown.levels_, grown.program_
    n_tests = graph.size - graph.n_leaves
    counts = [
        *(tree.program_.depth, len(levels), n_tests, shared_tests(graph)),
        *(int((levels.nodes[1:] == 1).sum()), int(levels.nodes.max())),
    ]
    widest = [f"{levels.grid_width.max():,.0f}", f"{100 * levels.kept.min():.1f}"]
    advantages = [
        f"{np.mean(np.concatenate(model.levels_.advantages)):.3f}" for model in (tree, grown)
    ]
    return [name, *map(str, counts), *widest, *advantages]


def settings() -> dict[str, Any]:
    """Programs that might be smaller than pruned trees, and trees with as much leave."""
    choices: dict[str, dict[str, Any]] = {
        "none": {"merge": "none"},
        "grid": {},
        **{f"budget {share}": {"merge": "budget", "merge_share": share} for share in SHARES},
        **{f"width {width}": {"merge": "width", "max_width": width} for width in WIDTHS},
    }
    limits: dict[str, dict[str, Any]] = {"": {}, ", pruned": {"prune": True}} | {
        f", pruned, {rows} rows": {"prune": True, "min_objects": rows} for rows in LEAST_ROWS
    }
    trees = {f"C4.5, {rows} rows": wl.C45Classifier(min_objects=rows) for rows in LEAST_ROWS}
    return trees | {
        merge + limit: program(**how, **until)
        for merge, how in choices.items()
        for limit, until in limits.items()
    }


def setting_rows(outcomes: Sequence[Outcome], models: Iterable[str]) -> list[list[str]]:
    """Per setting the mean error, and against each pruned tree sizes, wins and losses."""
    rows = []
    for model in models:
        errors = [100 - outcome.accuracy(model) for outcome in outcomes]
        cells = [model, f"{np.mean(errors):.2f}"]
        for tree in PRUNED_TREES:
            found = [outcome.compare(model, tree, error_rate) for outcome in outcomes]
            better = sum("**" in c.stars and c.plain.difference > 0 for c in found)
            worse = sum("**" in c.stars and c.plain.difference < 0 for c in found)
            smaller = sum(outcome.tests(model) < outcome.tests(tree) for outcome in outcomes)
            ratio = size_ratio(outcomes, model, tree)
            cells += [f"{ratio:.2f}", f"{smaller}", f"{better}-{worse}"]
        rows.append(cells)
    return rows


def markdown(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    rule = ["---", *["---:"] * (len(headings) - 1)]
    lines = [f"| {' | '.join(cells)} |" for cells in (headings, rule, *rows)]
    return "\n".join([f"{title}:", "", *lines, ""])


LEVEL_HEADINGS = (
    *("table", "levels of the tree", "of the program", "tests", "shared", "one-node levels"),
    *("widest level", "widest grid", "least kept %", "advantage, tree", "program"),
)
SETTING_HEADINGS = (
    *("setting", "mean error %", "size / C4.5", "smaller", "better-worse"),
    *("size / tree, pruned", "smaller", "better-worse"),
)


def chosen_tables(names: Sequence[str]) -> dict[str, Table]:
    """The tables asked for that are here; says of the others how to get them."""
    unknown = [name for name in names if name not in TABLES]
    if unknown:
        raise SystemExit(f"no table {unknown[0]!r} in the experiment: {', '.join(TABLES)}")
    loaded = {name: load_table(name) for name in names or TABLES}
    absent = [name for name, table in loaded.items() if table is None]
    if absent:
        print(
            f"Left out, since they are not here: {', '.join(absent)}. 'weaklearn data list' says "
            "how to get those that have a name; WEAKLEARN_DATA may name a folder of your own.\n",
            file=sys.stderr,
        )
    return {name: table for name, table in loaded.items() if table is not None}


def run_all(tables: dict[str, Table], models: dict[str, Any], n_repeats: int) -> list[Outcome]:
    outcomes = []
    for name, table in tables.items():
        print(f"{name}, {table.n_rows:,} rows", file=sys.stderr, flush=True)
        repeats = 1 if table.n_rows >= LARGE else n_repeats
        outcomes.append(run(name, table, models, repeats))
    return outcomes


def print_paper(tables: dict[str, Table], n_repeats: int) -> None:
    models = {**UNPRUNED, **PRUNED_TREES}
    outcomes = run_all(tables, models, n_repeats)
    headings = ("table", "folds", *models)
    print(markdown("Accuracy %", headings, rows_of(outcomes, list(models), accuracy_of)))
    print(markdown("Internal nodes", headings, rows_of(outcomes, list(models), count_tests)))
    kinds = {
        "All tables": outcomes,
        "UCI": [outcome for outcome in outcomes if outcome.name in UCI],
        "synthetic": [outcome for outcome in outcomes if outcome.name in SYNTHETIC],
    }
    for kind, some in kinds.items():
        if some and (kind == "All tables" or len(some) < len(outcomes)):
            print(f"{kind}:", "", *verdict(some, "grid", "tree"), sep="\n")
            print(*verdict(some, "budget", "tree"), "", sep="\n")
    title = "Levels of the grid's programs, grown on all rows"
    rows = [level_row(name, table) for name, table in tables.items()]
    print(markdown(title, LEVEL_HEADINGS, rows))


def print_settings(tables: dict[str, Table], n_repeats: int) -> None:
    models = settings()
    small = {name: table for name, table in tables.items() if table.n_rows < LARGE}
    outcomes = run_all(small, {**PRUNED_TREES, **models}, n_repeats)
    for kind, names in (("UCI", UCI), ("synthetic", SYNTHETIC)):
        if some := [outcome for outcome in outcomes if outcome.name in names]:
            title = f"Programs against pruned trees, {len(some)} {kind} tables"
            rows = setting_rows(some, [*PRUNED_TREES, *models])
            print(markdown(title, SETTING_HEADINGS, rows))


def main() -> None:
    parser = argparse.ArgumentParser(description="Branching programs against trees, as in 2001.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="tables of the paper; all")
    parser.add_argument("--repeats", type=int, default=10, metavar="N", help="cross-validations")
    parser.add_argument(
        "--settings", action="store_true", help="programs against pruned trees, small tables"
    )
    options = parser.parse_args()
    tables = chosen_tables(options.names)
    if not tables:
        raise SystemExit("none of the tables is here")
    (print_settings if options.settings else print_paper)(tables, options.repeats)


if __name__ == "__main__":
    main()
