"""Draw the figures of docs/guides/theory.md: criteria, gains, bounds, advantage sequences."""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import weaklearn as wl
from weaklearn import theory
from weaklearn.tables import Table

TABLE = "breast-cancer-wisconsin-diagnostic"
TRIALS = 20
ROUNDS = 60


def draw_criteria() -> plt.Figure:
    """Draw Figures 3 to 6 of Dietterich, Kearns and Mansour."""
    figure, axes = plt.subplots(2, 2, figsize=(8.0, 5.6), layout="constrained")
    theory.plot_gain("entropy", p=0.08, r=0.45, tau=0.5, ax=axes[0, 0])
    theory.plot_gain("error", p=0.08, r=0.45, tau=0.5, ax=axes[0, 1])
    theory.plot_criteria(["km", "entropy", "gini", "error"], ax=axes[1, 0])
    theory.plot_criteria(["km", "entropy", "gini", "error"], largest_q=0.05, ax=axes[1, 1])
    return figure


def draw_bounds() -> plt.Figure:
    """Draw the numbers of rounds that are proven to be enough, and the bound of one committee."""
    figure, axes = plt.subplots(1, 2, figsize=(8.4, 3.4), layout="constrained")
    theory.plot_rounds_needed(0.2, ax=axes[0])
    table = wl.datasets.load(TABLE)
    model = wl.AdaBoostM1Classifier(wl.StumpClassifier(), ROUNDS).fit(table.X, table.y)
    theory.training_bound(model.errors_).plot(axes[1])
    errors = [float(np.mean(a != table.y.to_numpy())) for a in model.staged_predict(table.X)]
    shown = [error if error > 0 else np.nan for error in errors]
    axes[1].plot(range(1, len(errors) + 1), shown, color="#888888", label="training error")
    axes[1].legend(frameon=False)
    axes[1].set_title(f"AdaBoost over stumps, {table.n_rows} rows")
    return figure


def trials_of(table: Table) -> tuple[list[theory.Advantages], list[theory.Advantages]]:
    """Compute the advantages of trees and committees, each fitted to 19/20 of the rows."""
    fold_of_row = np.random.default_rng(0).permutation(table.n_rows) % TRIALS
    trees, committees = [], []
    for fold in range(TRIALS):
        X, y = table.X[fold_of_row != fold], table.y[fold_of_row != fold]
        tree = wl.C45Classifier("gain", min_objects=1, prune=False, threshold_penalty=False)
        trees.append(theory.advantages(tree.fit(X, y)))
        committee = wl.AdaBoostM1Classifier(wl.StumpClassifier(), ROUNDS)
        committees.append(theory.advantages(committee.fit(X, y)))
    return trees, committees


def draw_advantages() -> plt.Figure:
    """Draw Figures 8 to 12 of Dietterich, Kearns and Mansour, on an embedded table."""
    trees, committees = trials_of(wl.datasets.load(TABLE))
    figure, axes = plt.subplots(1, 3, figsize=(11.0, 3.4), layout="constrained")
    theory.plot_advantages({"C4.5, best first": trees, "AdaBoost": committees}, ax=axes[0])
    theory.plot_advantage_by_weight(trees, ax=axes[1])
    theory.plot_advantage_by_gain(trees, ax=axes[2])
    return figure


FIGURES = {
    "theory_criteria": draw_criteria,
    "theory_bounds": draw_bounds,
    "theory_advantages": draw_advantages,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    here = Path(__file__).parents[1] / "docs" / "figures"
    parser.add_argument("-o", "--folder", type=Path, default=here, help="where to save the figures")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    plt.switch_backend("agg")
    for name, draw in FIGURES.items():
        figure = draw()
        figure.savefig(folder / f"{name}.png", dpi=75)
        plt.close(figure)


if __name__ == "__main__":
    main()
