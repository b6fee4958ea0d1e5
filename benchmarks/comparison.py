"""Summarise stores of ``weaklearn compare`` for docs/choosing.md.

``python -m benchmarks.comparison --out docs/data/comparison.json FOLDER ...``

Each FOLDER was the ``--out`` of a comparison. If several have a result of the same model, table,
seed and fold, the last one counts. Versions of the code are not compared: a long comparison may go
on while the code changes in ways that do not concern it.

All peers with five seeds take many hours. ``--results docs/data/comparison_results.csv.gz`` adds
the results of the folders to those of this file, so that the work can be done in parts. Without
``--out`` nothing else is written.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.docs_data import DocsTable, write_docs_data
from weaklearn.experiments import ranks_of, sign_test
from weaklearn.experiments.compare_models import STORE
from weaklearn.files import write_atomically
from weaklearn.report.format_text import equal_or_below

#: The model that the others are compared with, and how pages name the models, in their order.
FIRST = "boosted-forest"
NAMES = {
    FIRST: "`BoostedForestClassifier`",
    "bag": "`BaggedClassifier`",
    "boost": "`AdaBoostM1Classifier`",
    "sk-random-forest": "RandomForest, one-hot",
    "sk-extra-trees": "ExtraTrees, one-hot",
    "sk-bagging": "bagging of scikit-learn, one-hot",
    "sk-adaboost": "AdaBoost of scikit-learn, one-hot",
    "sk-hist-boosting": "HistGradientBoosting",
    "xgboost": "XGBoost",
    "lightgbm": "LightGBM",
    "catboost": "CatBoost",
}
#: The tables that the first comparison had. The others were added when the default was chosen.
_EARLIER_NAMES = """
anneal audiology auto breast-cancer breast-w colic credit-a credit-g diabetes glass heart-c heart-h
hepatitis hypo ionosphere iris kr-vs-kp labor lymph mushroom segment sick sonar soybean splice
tic-tac-toe vehicle vote
"""
EARLIER = set(_EARLIER_NAMES.split())


class Score(NamedTuple):
    """Errors in percent and log loss of a model on a table, over all folds of some seeds."""

    error: float
    log_loss: float


#: Errors, rows and log loss by model, table, seed and fold.
Trials = dict[tuple[str, str, int, int], tuple[int, int, float]]
_FIELDS = ("model", "table", "seed", "fold", "errors", "n_test", "log_loss")


def read_store(folder: Path) -> Trials:
    """Read the results of a folder of ``weaklearn compare``."""
    trials: Trials = {}
    uri = f"{(folder / STORE).resolve().as_uri()}?mode=ro"
    with sqlite3.connect(uri, uri=True) as store:
        for model, table, seed, fold, text in store.execute(
            "SELECT learner, problem, repeat, fold, result FROM outcomes "
            "WHERE result IS NOT NULL ORDER BY number"
        ):
            result = json.loads(text)
            numbers = (result["errors"], result["n_test"], result["log_loss"])
            trials[model, table, seed, fold] = numbers
    return trials


def read_results(path: Path) -> Trials:
    """Read the results of a file that `write_results` wrote."""
    with gzip.open(path, "rt", newline="") as file:
        return {
            (row["model"], row["table"], int(row["seed"]), int(row["fold"])): (
                int(row["errors"]),
                int(row["n_test"]),
                float(row["log_loss"]),
            )
            for row in csv.DictReader(file)
        }


def write_results(path: Path, trials: Trials) -> None:
    """Write results as compressed CSV. The same results give the same bytes."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_FIELDS)
    for key, (errors, n_test, loss) in sorted(trials.items()):
        writer.writerow([*key, errors, n_test, f"{loss:.6g}"])
    write_atomically(path, gzip.compress(text.getvalue().encode(), mtime=0))


class Results:
    """The results of comparisons. The tables are those that the first model has with all seeds."""

    def __init__(self, trials: Trials, n_seeds: int) -> None:
        self.trials = trials
        self.n_folds = 1 + max(fold for *_, fold in self.trials)
        tables = sorted({table for _, table, _, _ in self.trials})
        self.tables = [table for table in tables if self.score(FIRST, table, n_seeds)]

    def n_rows(self, table: str) -> int:
        """Return the number of rows of a table: those of the test folds of one seed."""
        return sum(self.trials[FIRST, table, 0, fold][1] for fold in range(self.n_folds))

    def score(self, model: str, table: str, n_seeds: int) -> Score | None:
        """Return the score over the first seeds; None if a fold has no result."""
        keys = [(model, table, seed, f) for seed in range(n_seeds) for f in range(self.n_folds)]
        trials = [self.trials[key] for key in keys if key in self.trials]
        if len(trials) < len(keys):
            return None
        errors, n_test, losses = np.array(trials).T
        return Score(100 * errors.sum() / n_test.sum(), (losses * n_test).sum() / n_test.sum())

    def known_tables(self, model: str, n_seeds: int) -> list[str]:
        """Return the tables on which a model has all results."""
        return [table for table in self.tables if self.score(model, table, n_seeds)]

    def complete_models(self, n_seeds: int, tables: Sequence[str]) -> list[str]:
        """Return the models that have all results on these tables, in the order of `NAMES`."""
        return [name for name in NAMES if all(self.score(name, table, n_seeds) for table in tables)]

    def shared_tables(self) -> list[str]:
        """Return the tables that each model has with the first seed, if it has any table."""
        known = [self.known_tables(model, 1) for model in NAMES]
        return [table for table in self.tables if all(table in own for own in known if own)]

    def values(self, models: Sequence[str], tables: Sequence[str], n_seeds: int) -> Any:
        """Return an array of shape (2, tables, models): errors and log losses."""
        scores = [[self.score(model, table, n_seeds) for model in models] for table in tables]
        return np.array(scores).transpose(2, 0, 1)


def counts(first: Any, other: Any) -> str:
    """Write on how many tables the other is better and worse, with the p of the sign test."""
    # Means of the same counts may differ in the last bits.
    test = sign_test(np.round(other, 9), np.round(first, 9))
    text = f"{test.wins}, {test.losses} (p {equal_or_below(test.p)})"
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def means_table(results: Results, n_seeds: int, tables: Sequence[str]) -> DocsTable:
    """Make a table of means, mean ranks and comparisons with the first model, best first."""
    models = results.complete_models(n_seeds, tables)
    errors, losses = results.values(models, tables, n_seeds)
    ranks, loss_ranks = (ranks_of(np.round(x, 9)).mean(axis=0) for x in (errors, losses))
    headings = ["", "error %", "rank", "log loss", "rank"]
    headings += ["better, worse by error", "better, worse by log loss"]
    rows = []
    for i in np.argsort(errors.mean(axis=0), kind="stable"):
        row = [NAMES[models[i]], f"{errors[:, i].mean():.2f}", f"{ranks[i]:.2f}"]
        row += [f"{losses[:, i].mean():.3f}", f"{loss_ranks[i]:.2f}"]
        is_first = models[i] == FIRST
        row += [
            "" if is_first else counts(x[:, models.index(FIRST)], x[:, i]) for x in (errors, losses)
        ]
        rows.append(row)
    return headings, rows


def parts_table(results: Results, n_seeds: int) -> DocsTable:
    """Make a table of the models on the earlier tables and on the others."""
    models = results.complete_models(n_seeds, results.tables)
    parts = [
        [table for table in results.tables if (table in EARLIER) == earlier]
        for earlier in (True, False)
    ]
    headings, columns = [""], []
    for part, name in zip(parts, ("earlier", "other"), strict=True):
        headings += [f"{len(part)} {name} tables: error %", "rank", "log loss"]
        errors, losses = results.values(models, part, n_seeds)
        ranks = ranks_of(np.round(errors, 9)).mean(axis=0)
        columns += [(errors.mean(axis=0), 2), (ranks, 2), (losses.mean(axis=0), 3)]
    rows = [
        [NAMES[model], *(f"{values[i]:.{digits}f}" for values, digits in columns)]
        for i, model in enumerate(models)
    ]
    return headings, rows


def best_case(results: Results, model: str) -> tuple[Any, Any]:
    """Return mean errors and ranks over all tables, as if a model were best where it has no result.

    They are those of the first model and of this one, with the first seed.
    """
    others = results.complete_models(1, results.tables)
    errors, _ = results.values(others, results.tables, 1)
    own = []
    for table, least in zip(results.tables, errors.min(axis=1), strict=True):
        score = results.score(model, table, 1)
        own.append(score.error if score else least - 1e-6)
    errors = np.round(np.column_stack([errors, own]), 9)
    both = [others.index(FIRST), -1]
    return errors.mean(axis=0)[both], ranks_of(errors).mean(axis=0)[both]


def all_tables(results: Results, n_seeds: int) -> DocsTable:
    """Make a table of the errors on each table, where the first model is furthest behind first."""
    models = results.complete_models(n_seeds, results.tables)
    errors, _ = results.values(models, results.tables, n_seeds)
    behind = errors[:, models.index(FIRST)] - np.delete(errors, models.index(FIRST), 1).min(axis=1)
    headings = ["table", "rows", *(NAMES[model] for model in models)]
    rows = [
        [
            results.tables[i],
            f"{results.n_rows(results.tables[i]):,}",
            *(f"**{e:.1f}**" if e - errors[i].min() < 1e-9 else f"{e:.1f}" for e in errors[i]),
        ]
        for i in np.argsort(-behind, kind="stable")
    ]
    return headings, rows


def main() -> None:
    """Write the summary of the folders that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.comparison", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--results", type=Path, metavar="FILE", help="results to add to")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the summary")
    parser.add_argument("--seeds", type=int, default=5, help="seeds of the first table")
    options = parser.parse_args()
    kept = options.results
    trials = read_results(kept) if kept and kept.exists() else {}
    for folder in options.folders:
        trials |= read_store(folder)
    if kept:
        write_results(kept, trials)
    if not options.out:
        return
    results = Results(trials, options.seeds)
    rows = [results.n_rows(table) for table in results.tables]
    errors, ranks = best_case(results, "catboost")
    write_docs_data(
        options.out,
        "python -m benchmarks.comparison --results docs/data/comparison_results.csv.gz "
        "--out docs/data/comparison.json FOLDER ...",
        {
            "all-seeds": means_table(results, options.seeds, results.tables),
            "shared-tables": means_table(results, 1, results.shared_tables()),
            "parts": parts_table(results, options.seeds),
            "tables": all_tables(results, options.seeds),
        },
        {
            "n-tables": str(len(results.tables)),
            "n-shared-tables": str(len(results.shared_tables())),
            "n-seeds": str(options.seeds),
            "fewest-rows": f"{min(rows):,}",
            "most-rows": f"{max(rows):,}",
            "best-case-error": f"{errors[1]:.2f}",
            "best-case-rank": f"{ranks[1]:.2f}",
            "best-case-first-error": f"{errors[0]:.2f}",
            "best-case-first-rank": f"{ranks[0]:.2f}",
        },
    )


if __name__ == "__main__":
    main()
