"""Compare ways to boost with Table 2 of C. Tamon and J. Xiang, cell by cell.

"On the boosting pruning problem" (ECML 2000) prunes boosted committees of C4.5 trees by kappa, and
few of its values agree with ``weaklearn reproduce tamon00``. ``python examples/tamon00_variants.py
results.sqlite`` repeats the experiment of that plan with other ways to boost and writes the tables
of docs/papers/tamon00_variants.md. Results are stored in the file that is named, and a second run
continues.
"""

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from weaklearn.experiments import (
    Estimate,
    PlanResults,
    Store,
    code_version,
    prepare,
    read_plan,
    run_units,
)
from weaklearn.experiments.agreement_with_paper import Agreement, check_agreement
from weaklearn.experiments.combine_results import TrialValues
from weaklearn.experiments.load_problem import load_problem
from weaklearn.experiments.plan import Plan
from weaklearn.experiments.plan_splits import split_of

UNPRUNED = {"class": "C45Classifier", "prune": False}
#: By name: what a learner has in place of the plan's parameters.
LEARNERS: dict[str, dict[str, Any]] = {
    "as published": {},
    "restart": {"restart": True},
    "resample": {"method": "resample"},
    "restart, resample": {"restart": True, "method": "resample"},
    "unpruned": {"estimator": UNPRUNED},
    "10 rounds": {"n_rounds": 10},
    "10 rounds, unpruned": {"n_rounds": 10, "estimator": UNPRUNED},
}
#: Learners that are tried on the small tables only.
ON_SMALL_TABLES: dict[str, dict[str, Any]] = {
    "subset splits": {"estimator": {"class": "C45Classifier", "subset": True}},
    "release 8": {"estimator": {"class": "C45Classifier", "arithmetic": "release8"}},
    "confidence": {"vote": "confidence"},
    "half steps": {"step": 0.5},
}
LARGE = ("letter", "waveform")
#: These learn from half of the rows of a small table, and the other half is the test set.
FROM_HALF = {f"{name}, half of the rows": name for name in ("as published", "unpruned")}
#: In these a committee of one member is pruned to none, which predicts the first class.
NONE_KEPT = {
    f"{name}, none kept": name for name in ("as published", "10 rounds", "10 rounds, unpruned")
}
VARIANTS = (*LEARNERS, *FROM_HALF, *NONE_KEPT, *ON_SMALL_TABLES)
MARKS = {"agrees": "=", "too noisy": "~", "differs": "x"}


@dataclass(frozen=True, slots=True)
class Cell:
    """Our value beside the paper's."""

    ours: float
    paper: float
    agreement: Agreement


def plan_of(tables: Sequence[str] | None, n_repeats: int) -> Plan:
    """Return the plan with all learners and without what it adds to the paper's Table 2."""
    plan = read_plan("tamon00")
    trees, pruned = plan.experiments["trees"], plan.experiments["pruned"]
    problems = dict(pruned.problems)
    problems["letter"] = {**problems["letter"], "splits": {"n_used": 5}}
    whole = replace(
        pruned,
        problems=problems,
        n_repeats=n_repeats,
        measure={**pruned.measure, "methods": ["kappa", "kappa_shift"]},
    )

    def with_changes(changes: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
        return {name: {**pruned.learners["boosted"], **c} for name, c in changes.items()}

    small = whole.only([name for name in problems if name not in LARGE])
    from_half = with_changes({name: LEARNERS[same] for name, same in FROM_HALF.items()})
    experiments = {
        "trees": replace(trees, problems=problems, n_repeats=n_repeats),
        "folds": replace(whole, name="folds", learners=with_changes(LEARNERS)),
        "small": replace(small, name="small", learners=with_changes(ON_SMALL_TABLES)),
        "halves": replace(
            small,
            name="halves",
            learners=from_half,
            splits={"kind": "folds", "n_folds": 2},
            n_repeats=5 * n_repeats,
        ),
    }
    changed = replace(plan, experiments=experiments, tables=plan.tables[:2], figures=())
    return changed.only(tables or list(problems))


def values_of(
    results: PlanResults, column: Mapping[str, Any], problem: str, variant: str
) -> TrialValues | None:
    """Return the errors of a variant in a column of the table, one for each trial."""
    quantity = column["quantity"]
    if column["learner"] == "C4.5":
        return results.values("trees", problem, "C4.5", quantity)
    learner = NONE_KEPT.get(variant, variant)
    name = next(n for n, e in results.plan.experiments.items() if learner in e.learners)
    values = results.values(name, problem, learner, quantity)
    members = results.values(name, problem, learner, "members")
    if values is None or members is None or learner == variant or quantity == "error":
        return values
    return with_empty_committees(results, problem, values, members)


def with_empty_committees(
    results: PlanResults, problem: str, values: TrialValues, members: TrialValues
) -> TrialValues:
    """Return the values if a committee of one member is pruned to none."""
    units = [unit for unit in results.prepared.units if unit.experiment == "folds"]
    recipe = next(json.loads(unit.recipe) for unit in units if unit.problem == problem)
    table = load_problem(recipe["problem"])
    codes = np.unique(np.asarray(table.y), return_inverse=True)[1]
    errors = values.values.copy()
    for i in np.flatnonzero(members.values == 1):
        test = split_of(recipe, int(values.repeats[i]), int(values.folds[i])).test
        errors[i] = np.mean(codes[test] != 0)
    return replace(values, values=errors)


def cells_of(results: PlanResults, problem: str, variant: str) -> list[Cell]:
    """Return the cells of a problem's row in the paper's table; none if it was not run."""
    cells = []
    for table in results.plan.tables:
        published = results.plan.published[table["published"]][problem]
        for column in table["columns"]:
            values = values_of(results, column, problem, variant)
            if values is None:
                return []
            ours, paper = values.estimate, published[column["published"]]
            percent = Estimate(100 * ours.mean, 100 * ours.standard_error)
            agreement = check_agreement(percent, len(values.values), paper, column["digits"])
            cells.append(Cell(percent.mean, paper, agreement))
    return cells


def table_text(rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table; the first row has the headings."""
    head, *others = rows
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *others))


def summary(cells: Mapping[tuple[str, str], Sequence[Cell]]) -> str:
    """Return the counts of verdicts of each variant, and its mean distance from the paper."""
    problems = list(dict.fromkeys(problem for _, problem in cells))
    rows = [["variant", "agree", "too noisy", "differ", "mean distance", *problems]]
    for variant in dict.fromkeys(variant for variant, _ in cells):
        of_all = [cell for problem in problems for cell in cells[variant, problem]]
        if not of_all:
            continue
        counts = Counter(cell.agreement.verdict for cell in of_all)
        distance = np.mean([abs(cell.ours - cell.paper) for cell in of_all])
        per_problem = [
            str(sum(c.agreement.verdict == "differs" for c in own)) if own else "-"
            for own in (cells[variant, problem] for problem in problems)
        ]
        verdicts = [str(counts[name]) for name in MARKS]
        rows.append([variant, *verdicts, f"{distance:.1f}", *per_problem])
    return table_text(rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the variants and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path, help="the file of results")
    parser.add_argument("--repeats", type=int, default=1, help="how often rows are dealt to folds")
    parser.add_argument("--tables", help="names, separated by commas")
    options = parser.parse_args(arguments)
    plan = plan_of(options.tables and options.tables.split(","), options.repeats)
    prepared = prepare(plan)
    with Store(options.store, code_version()) as store:
        results = PlanResults(prepared, run_units(prepared.units, store))
    problems = list(plan.experiments["folds"].problems)
    cells = {(v, p): cells_of(results, p, v) for v in VARIANTS for p in problems}
    print(summary(cells))
    headings = [column["heading"] for table in plan.tables for column in table["columns"]]
    for problem in problems:
        rows = [[problem, *headings]]
        rows.append(["paper", *(f"{cell.paper:.1f}" for cell in cells[VARIANTS[0], problem])])
        for variant in VARIANTS:
            own = cells[variant, problem]
            texts = [f"{cell.ours:.1f} {MARKS[cell.agreement.verdict]}" for cell in own]
            rows += [[variant, *texts]] if own else []
        print(f"\n{table_text(rows)}")


if __name__ == "__main__":
    main()
