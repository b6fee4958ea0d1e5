"""Which criterion should boosted trees split by: gain ratio, entropy, or km for K classes?

Dietterich, Kearns and Mansour (1996) prove their criterion for two classes and leave more to
others. Here C4.5's trees, pruned, are boosted with each criterion on every table of more than two
classes that is here: one stratified 10-fold cross-validation, the same folds for all, after 10 and
after 100 rounds. ``python examples/boosted_criteria.py >> docs/topdown.md`` prints Markdown;
names choose among the tables.
"""

import argparse
import sys
from collections.abc import Sequence

import numpy as np

import weaklearn as wl
from weaklearn.experiments import sign_test, split_folds
from weaklearn.tables import Table

SEED = 0
ROUNDS = (10, 100)
CRITERIA = {"gain ratio": "gain_ratio", "entropy": "gain", "km": "km"}
#: The tables of more than two classes, quick ones first.
TABLES = (
    *("zoo", "iris", "wine", "lymph", "glass", "auto", "audiology", "primary-tumor"),
    *("balance-scale", "soybean", "vehicle", "anneal", "anneal-na", "vowel", "car", "segment"),
    *("splice", "hypo", "page-blocks", "nursery", "waveform-5000", "phoneme", "satellite"),
    *("optdigits", "pendigits", "letter", "shuttle", "isolet-1v5", "connect-4"),
)
Errors = dict[tuple[str, int], float]


def compare(table: Table, n_folds: int = 10) -> Errors:
    """Error rates by criterion and number of rounds; one round is a single tree."""
    splits = split_folds(table.y, n_folds, seed=SEED)
    labels = np.asarray(table.y, dtype=object)
    wrong = {(name, rounds): 0 for name in CRITERIA for rounds in (1, *ROUNDS)}
    for split in splits:
        for name, criterion in CRITERIA.items():
            boosted = wl.AdaBoostM1Classifier(
                wl.C45Classifier(criterion), n_rounds=max(ROUNDS)
            ).fit(table.X[split.train], labels[split.train])
            for rounds in (1, *ROUNDS):
                answers = boosted[:rounds].predict(table.X[split.test])
                wrong[name, rounds] += int(np.sum(answers != labels[split.test]))
    return {key: count / len(labels) for key, count in wrong.items()}


def table_names() -> list[str]:
    """The tables that are here."""
    here = {entry.name for entry in wl.datasets.available() if entry.here}
    return [name for name in TABLES if name in here]


def print_report(errors: dict[str, Errors]) -> None:
    """Print a row per table, the means and the sign tests."""
    columns = [(name, rounds) for rounds in (1, *ROUNDS) for name in CRITERIA]
    print("| table |", " | ".join(f"{name}, {rounds}" for name, rounds in columns), "|")
    print("| --- |", " | ".join("---:" for _ in columns), "|")
    for name, found in errors.items():
        print(f"| {name} |", " | ".join(f"{100 * found[key]:.2f}" for key in columns), "|")
    means = [np.mean([100 * found[key] for found in errors.values()]) for key in columns]
    print("| mean |", " | ".join(f"{mean:.2f}" for mean in means), "|")
    print("\n| km against | rounds | lower on | higher on | equal on | sign test |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for rounds in (1, *ROUNDS):
        for other in ("gain ratio", "entropy"):
            test = sign_test(
                [found["km", rounds] for found in errors.values()],
                [found[other, rounds] for found in errors.values()],
            )
            counts = f"{test.wins} | {test.losses} | {test.ties}"
            print(f"| {other} | {rounds} | {counts} | p = {test.p:.3f} |")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the tables asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", help="names of tables (all of more than two classes)")
    parser.add_argument("--folds", type=int, default=10, help="folds of the cross-validation")
    options = parser.parse_args(arguments)
    errors = {}
    for name in options.tables or table_names():
        errors[name] = compare(wl.datasets.load(name), options.folds)
        print(f"{name} is done", file=sys.stderr, flush=True)
    print_report(errors)


if __name__ == "__main__":
    main()
