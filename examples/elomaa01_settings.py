"""Compare many settings of branching programs with pruned trees.

T. Elomaa and M. Kaariainen compare programs with unpruned trees ("On the practice of branching
program boosting", ECML 2001); that experiment is ``weaklearn reproduce elomaa01``. ``python
examples/elomaa01_settings.py`` tries many settings on the small tables of the same plan. With
``--levels`` it shows what merging does to each table. ``elomaa01_xor.py`` is about exclusive-or,
and ``elomaa01_boosted.py`` about committees of programs.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import weaklearn as wl
from weaklearn.experiments import (
    Fold,
    Results,
    corrected_t_test,
    cross_validate,
    read_plan,
)
from weaklearn.experiments.load_problem import load_problem
from weaklearn.experiments.runnable_units import how_to_get
from weaklearn.models.graph import Graph
from weaklearn.tables import Table

SEED = 0
LARGE = 10_000  # tables with at least this many rows would take too long
PLAN = read_plan("elomaa01").experiments["programs"]
TABLES = tuple(PLAN.problems)
SYNTHETIC = tuple(name for name in TABLES if "make" in PLAN.table_of(name))


def program(**parameters: Any) -> wl.BranchingProgramClassifier:
    return wl.BranchingProgramClassifier("km", **parameters)


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
    """The results of each model on one table, over the same folds."""

    name: str
    results: dict[str, Results]

    def error(self, model: str) -> float:
        """Return the mean error in percent."""
        return 100 * self.results[model].error.mean

    def size(self, model: str) -> float:
        """Return the mean number of internal nodes."""
        return float(np.mean([n_internal(fold) for fold in self.results[model].folds]))

    def is_better(self, model: str, other: str) -> int:
        """Return 1 if a model's error is significantly lower, -1 if it is higher, else 0.

        The test is the corrected t-test at 5%.
        """
        first, second = (
            [fold.test_errors / fold.n_test for fold in self.results[name].folds]
            for name in (model, other)
        )
        test = corrected_t_test(first, second, self.results[model].n_folds)
        return int(np.sign(test.difference)) if test.p < 0.05 else 0


def n_internal(fold: Fold) -> int:
    """Return the number of internal nodes, the paper's measure of size."""
    assert fold.size is not None
    assert fold.n_leaves is not None
    return fold.size - fold.n_leaves


def run(name: str, table: Table, models: dict[str, Any], n_repeats: int) -> Outcome:
    """Cross-validate all models with the same folds."""
    results = {
        model: cross_validate(classifier, table.X, table.y, n_repeats=n_repeats, seed=SEED)
        for model, classifier in models.items()
    }
    return Outcome(name, results)


def size_ratio(outcomes: Sequence[Outcome], model: str, other: str) -> float:
    """Compute the geometric mean of the ratios of mean sizes; a single leaf counts as size 1."""
    ratios = [max(o.size(model), 1) / max(o.size(other), 1) for o in outcomes]
    return float(np.exp(np.mean(np.log(ratios))))


def shared_nodes(graph: Graph) -> int:
    """Count the internal nodes that several branches lead to."""
    children = [child for node in range(graph.n_nodes) for child in graph.children(node)]
    n_parents = np.bincount(children, minlength=graph.n_nodes)
    return sum(n_parents[node] > 1 and not graph.is_leaf(node) for node in range(graph.n_nodes))


def level_row(name: str, table: Table) -> list[str]:
    """Make the row that shows what merging by the grid does to a table."""
    grown = program().fit(table.X, table.y)
    tree = program(merge="none").fit(table.X, table.y)
    levels, graph = grown.levels_, grown.program_
    counts = [
        *(tree.program_.depth, len(levels), graph.size - graph.n_leaves, shared_nodes(graph)),
        *(int((levels.nodes[1:] == 1).sum()), int(levels.nodes.max())),
    ]
    widest = [f"{levels.grid_width.max():,.0f}", f"{100 * levels.kept.min():.1f}"]
    advantages = [
        f"{np.mean(np.concatenate(model.levels_.advantages)):.3f}" for model in (tree, grown)
    ]
    return [name, *map(str, counts), *widest, *advantages]


def settings() -> dict[str, Any]:
    """Make programs that might be smaller than pruned trees, and trees with the same limits."""
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
        merge + limit: program(**merging, **limits_of)
        for merge, merging in choices.items()
        for limit, limits_of in limits.items()
    }


def setting_rows(outcomes: Sequence[Outcome], models: Iterable[str]) -> list[list[str]]:
    """Make a row for each setting: mean error; sizes, wins and losses against pruned trees."""
    rows = []
    for model in models:
        cells = [model, f"{np.mean([outcome.error(model) for outcome in outcomes]):.2f}"]
        for tree in PRUNED_TREES:
            verdicts = [outcome.is_better(model, tree) for outcome in outcomes]
            smaller = sum(outcome.size(model) < outcome.size(tree) for outcome in outcomes)
            ratio = size_ratio(outcomes, model, tree)
            cells += [f"{ratio:.2f}", f"{smaller}", f"{verdicts.count(1)}-{verdicts.count(-1)}"]
        rows.append(cells)
    return rows


def markdown(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    rule = ["---", *["---:"] * (len(headings) - 1)]
    lines = [f"| {' | '.join(cells)} |" for cells in (headings, rule, *rows)]
    return "\n".join([f"{title}:", "", *lines, ""])


LEVEL_HEADINGS = (
    *("table", "levels of the tree", "of the program", "nodes", "shared", "one-node levels"),
    *("widest level", "widest grid", "least kept %", "advantage, tree", "program"),
)
SETTING_HEADINGS = (
    *("setting", "mean error %", "size / C4.5", "smaller", "better-worse"),
    *("size / tree, pruned", "smaller", "better-worse"),
)


def load_table(name: str) -> Table | None:
    """Load a table of the plan, as the plan converts it; None if it is not here."""
    problem = PLAN.table_of(name)
    return load_problem(problem) if how_to_get(problem) is None else None


def chosen_tables(names: Sequence[str]) -> dict[str, Table]:
    """Load the named tables that are here, and print how to get the others."""
    for name in names:
        if name not in TABLES:
            raise SystemExit(
                f"there is no table {name} in the experiment; expected one of {', '.join(TABLES)}"
            )
    loaded = {name: load_table(name) for name in names or TABLES}
    absent = [name for name, table in loaded.items() if table is None]
    if absent:
        print(
            f"These tables are not here and are left out: {', '.join(absent)}. 'weaklearn data "
            "list' shows how to get them; or set WEAKLEARN_DATA to a folder that has them.\n",
            file=sys.stderr,
        )
    return {name: table for name, table in loaded.items() if table is not None}


def print_levels(tables: dict[str, Table]) -> None:
    title = "Levels of programs merged by the grid, grown on all rows"
    rows = [level_row(name, table) for name, table in tables.items()]
    print(markdown(title, LEVEL_HEADINGS, rows))


def print_settings(tables: dict[str, Table], n_repeats: int) -> None:
    models = settings()
    outcomes = []
    for name, table in tables.items():
        if table.n_rows < LARGE:
            print(f"{name}, {table.n_rows:,} rows", file=sys.stderr, flush=True)
            outcomes.append(run(name, table, {**PRUNED_TREES, **models}, n_repeats))
    synthetic = [outcome for outcome in outcomes if outcome.name in SYNTHETIC]
    real = [outcome for outcome in outcomes if outcome.name not in SYNTHETIC]
    for kind, of_kind in (("UCI", real), ("synthetic", synthetic)):
        if of_kind:
            title = f"Programs against pruned trees, {len(of_kind)} {kind} tables"
            rows = setting_rows(of_kind, [*PRUNED_TREES, *models])
            print(markdown(title, SETTING_HEADINGS, rows))


def main() -> None:
    parser = argparse.ArgumentParser(description="Branching programs against pruned trees.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="tables of the plan; by default all"
    )
    parser.add_argument(
        "--repeats", type=int, default=3, metavar="N", help="number of cross-validations"
    )
    parser.add_argument(
        "--levels", action="store_true", help="show what merging does to each table instead"
    )
    options = parser.parse_args()
    tables = chosen_tables(options.names)
    if not tables:
        raise SystemExit("none of the tables is here")
    if options.levels:
        print_levels(tables)
    else:
        print_settings(tables, options.repeats)


if __name__ == "__main__":
    main()
