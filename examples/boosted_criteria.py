"""Compare criteria for boosted trees on tables of more than two classes.

Dietterich, Kearns and Mansour (1996) analyse their criterion, km, for two classes only. This
example boosts pruned C4.5 trees with the gain ratio, the entropy and the form of km for K classes.
It uses one stratified 10-fold cross-validation of each table, with the same folds for all criteria,
and shows the errors of 1, 10 and 100 rounds.

``python examples/boosted_criteria.py`` prints Markdown for every such table that
is here. ``python examples/boosted_criteria.py iris wine`` prints it for two of them.
"""

import argparse
import sys
from collections.abc import Sequence

import numpy as np

import weaklearn as wl
from weaklearn.experiments import sign_test, split_folds
from weaklearn.report.format_text import equal_or_below
from weaklearn.tables import Table

SEED = 0
ROUNDS = (10, 100)
CRITERIA = {"gain ratio": "gain_ratio", "entropy": "gain", "km": "km"}
#: The tables of more than two classes; those that take least time come first.
TABLES = (
    *("zoo", "iris", "wine", "lymph", "glass", "auto", "audiology", "primary-tumor"),
    *("balance-scale", "soybean", "vehicle", "anneal", "anneal-na", "vowel", "car", "segment"),
    *("splice", "hypo", "page-blocks", "nursery", "waveform-5000", "phoneme", "satellite"),
    *("optdigits", "pendigits", "letter", "shuttle", "isolet-1v5", "connect-4"),
)
Errors = dict[tuple[str, int], float]


def compare(table: Table, n_folds: int = 10) -> Errors:
    """Compute error rates by criterion and number of rounds; one round is a single tree."""
    splits = split_folds(table.y, n_folds, seed=SEED)
    labels = np.asarray(table.y, dtype=object)
    wrong = {(name, rounds): 0 for name in CRITERIA for rounds in (1, *ROUNDS)}
    for split in splits:
        for name, criterion in CRITERIA.items():
            boosted = wl.AdaBoostM1Classifier(
                wl.C45Classifier(criterion), n_rounds=max(ROUNDS)
            ).fit(table.X[split.train], labels[split.train])
            for rounds in (1, *ROUNDS):
                predicted = boosted[:rounds].predict(table.X[split.test])
                wrong[name, rounds] += int(np.sum(predicted != labels[split.test]))
    return {key: count / len(labels) for key, count in wrong.items()}


def table_names() -> list[str]:
    """List the tables that are here."""
    here = {entry.name for entry in wl.datasets.available() if entry.here}
    return [name for name in TABLES if name in here]


def print_report(errors: dict[str, Errors]) -> None:
    """Print a row for each table, the means and the sign tests."""
    columns = [(name, rounds) for rounds in (1, *ROUNDS) for name in CRITERIA]
    print("| table |", " | ".join(f"{name}, {rounds}" for name, rounds in columns), "|")
    print("| --- |", " | ".join("---:" for _ in columns), "|")
    for name, of_table in errors.items():
        print(f"| {name} |", " | ".join(f"{100 * of_table[key]:.2f}" for key in columns), "|")
    means = [np.mean([100 * of_table[key] for of_table in errors.values()]) for key in columns]
    print("| mean |", " | ".join(f"{mean:.2f}" for mean in means), "|")
    print("\n| km against | rounds | lower on | higher on | equal on | sign test |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for rounds in (1, *ROUNDS):
        for other in ("gain ratio", "entropy"):
            test = sign_test(
                [of_table["km", rounds] for of_table in errors.values()],
                [of_table[other, rounds] for of_table in errors.values()],
            )
            counts = f"{test.wins} | {test.losses} | {test.ties}"
            print(f"| {other} | {rounds} | {counts} | p {equal_or_below(test.p)} |")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the tables that the command names, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", help="names of tables; by default all that are here")
    parser.add_argument("--folds", type=int, default=10, help="number of folds")
    options = parser.parse_args(arguments)
    errors = {}
    for name in options.tables or table_names():
        errors[name] = compare(wl.datasets.load(name), options.folds)
        print(f"{name} is done", file=sys.stderr, flush=True)
    print_report(errors)


if __name__ == "__main__":
    main()
