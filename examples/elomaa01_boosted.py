"""Compare boosted branching programs with boosted trees of the same total size.

Mansour and McAllester prove that a program can be smaller than a tree of the same training error.
Elomaa and Kaariainen (ECML 2001) did not find smaller programs in practice. Does merging help in a
committee? ``python examples/elomaa01_boosted.py`` boosts small trees and small programs with
AdaBoost.M1; a member has at most 15 internal nodes. It keeps the first members of each committee
whose internal nodes sum to at most a total, and compares the test errors.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from elomaa01_settings import chosen_tables, markdown, program

import weaklearn as wl
from weaklearn.experiments import sign_test, split_folds
from weaklearn.tables import Table

MEMBER_NODES = 15  # internal nodes of a member: four full levels
TOTALS = (15, 30, 60, 120, 240, 480)
N_ROUNDS = 60
TABLES = (
    *("breast-cancer", "breast-w", "kr-vs-kp", "diabetes", "euthyroid", "credit-g", "glass"),
    *("heart-statlog", "hepatitis", "ionosphere", "bupa", "sonar", "tic-tac-toe", "vote"),
    *("majority-17", "multiplexer-11"),
)
#: "levels" is a tree that grows level by level like a program, without merging. It separates the
#: effect of merging from the effect of the order of growing.
MEMBERS: dict[str, Any] = {
    "trees": wl.TopDownClassifier("km", grouping=True, n_rounds=MEMBER_NODES),
    "levels": program(merge="none", max_nodes=MEMBER_NODES),
    "grid": program(max_nodes=MEMBER_NODES),
    "budget": program(merge="budget", max_nodes=MEMBER_NODES),
    "width 3": program(merge="width", max_width=3, max_nodes=MEMBER_NODES),
}


def errors_at(model: Any, totals: Sequence[int], X: Any, y: Any) -> list[float]:
    """Compute the error at each total: of the first members whose internal nodes sum to at most it.

    At least one member is kept.
    """
    sizes = np.cumsum([m.graph_.size - m.graph_.n_leaves for m in model.members_])
    wrong = [float(np.mean(predicted != y)) for predicted in model.staged_predict(X)]
    return [wrong[max(int(np.searchsorted(sizes, total, side="right")), 1) - 1] for total in totals]


def run(table: Table, members: dict[str, Any], n_repeats: int) -> dict[str, np.ndarray]:
    """Compute the mean test error of each kind of committee at each total, over the same folds."""
    y = np.asarray(table.y)
    errors: dict[str, list[list[float]]] = {name: [] for name in members}
    for seed in range(n_repeats):
        for split in split_folds(table.y, seed=seed):
            for name, member in members.items():
                committee = wl.AdaBoostM1Classifier(member, n_rounds=N_ROUNDS)
                committee.fit(table.X[split.train], table.y[split.train])
                errors[name].append(
                    errors_at(committee, TOTALS, table.X[split.test], y[split.test])
                )
    return {name: np.mean(of_folds, axis=0) for name, of_folds in errors.items()}


def error_rows(outcomes: dict[str, dict[str, np.ndarray]], total: int) -> list[list[str]]:
    """Make a row of errors in percent for each table, at one total, and a row of their means."""
    place = TOTALS.index(total)
    rows = [
        [name, *(f"{100 * errors[place]:.1f}" for errors in of_table.values())]
        for name, of_table in outcomes.items()
    ]
    means = np.mean([[e[place] for e in of.values()] for of in outcomes.values()], axis=0)
    return [*rows, ["mean", *(f"{100 * mean:.2f}" for mean in means)]]


def total_rows(outcomes: dict[str, dict[str, np.ndarray]]) -> Iterable[list[str]]:
    """Make a row for each total: mean errors, and tables won and lost against trees."""
    for place, total in enumerate(TOTALS):
        cells = [f"{total}"]
        errors = {
            name: np.array([of[name][place] for of in outcomes.values()])
            for name in next(iter(outcomes.values()))
        }
        for name, of_name in errors.items():
            cells.append(f"{100 * of_name.mean():.2f}")
            if name != "trees":
                signs = sign_test(of_name, errors["trees"])
                cells.append(f"{signs.wins}-{signs.losses} (p = {signs.p:.2f})")
        yield cells


def needed_rows(outcomes: dict[str, dict[str, np.ndarray]]) -> Iterable[list[str]]:
    """Make a row for each table: the totals at which each kind and trees reach the same error.

    That error is the higher one of the two at the largest total, so both reach it. The last row
    counts the tables on which each kind needs fewer and more internal nodes than trees.
    """
    kinds = list(next(iter(outcomes.values())))[1:]
    needed: dict[str, list[tuple[int, int]]] = {kind: [] for kind in kinds}
    for name, of_table in outcomes.items():
        for kind, pairs in needed.items():
            goal = max(of_table[kind][-1], of_table["trees"][-1])
            first, second = (
                TOTALS[np.flatnonzero(errors <= goal)[0]]
                for errors in (of_table[kind], of_table["trees"])
            )
            pairs.append((first, second))
        yield [name, *(f"{pairs[-1][0]} : {pairs[-1][1]}" for pairs in needed.values())]
    signs = [sign_test(*zip(*pairs, strict=True)) for pairs in needed.values()]
    yield ["fewer-more", *(f"{test.wins}-{test.losses} (p = {test.p:.2f})" for test in signs)]


def main() -> None:
    parser = argparse.ArgumentParser(description="Boosted programs against boosted trees.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="tables of the plan; by default all small ones"
    )
    parser.add_argument(
        "--repeats", type=int, default=3, metavar="N", help="number of cross-validations"
    )
    options = parser.parse_args()
    outcomes = {}
    for name, table in chosen_tables(options.names or TABLES).items():
        print(f"{name}, {table.n_rows:,} rows", file=sys.stderr, flush=True)
        outcomes[name] = run(table, MEMBERS, options.repeats)
    if not outcomes:
        raise SystemExit("none of the tables is here")
    total = TOTALS[-2]
    title = f"Error % at {total} internal nodes"
    print(markdown(title, ("table", *MEMBERS), error_rows(outcomes, total)))
    against = ["trees", *(cell for name in list(MEMBERS)[1:] for cell in (name, "won-lost"))]
    title = "Mean error %, and tables won and lost against trees"
    print(markdown(title, ("internal nodes", *against), total_rows(outcomes)))
    title = "Internal nodes that each kind and trees need for the same error"
    print(markdown(title, ("table", *list(MEMBERS)[1:]), needed_rows(outcomes)))


if __name__ == "__main__":
    main()
