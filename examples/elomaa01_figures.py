"""Figures of programs and trees: sizes and accuracies, and what happens level by level.

``python examples/elomaa01_figures.py docs/figures`` draws, for the tables of ``elomaa01.py`` that
are here, programs beside unpruned trees, and for three of them the index and the
advantages by level.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np
from elomaa01 import LARGE, SYNTHETIC, UNPRUNED, Outcome, load_table, program, run

TABLES = (
    *("breast-cancer", "breast-w", "kr-vs-kp", "diabetes", "euthyroid", "credit-g", "glass"),
    *("heart-statlog", "hepatitis", "ionosphere", "bupa", "sonar", "tic-tac-toe", "vote"),
    *SYNTHETIC,
)
PROFILED = ("diabetes", "majority-11", "xor-7")
LEVELS = 60  # shown; merging by budget goes on
COLOURS = {"tree": "#555555", "grid": "#1f77b4", "budget": "#d95f02"}


def draw_sizes(outcomes: Sequence[Outcome], path: Path) -> None:
    """Each program against the tree of the same folds: a point per table, square if made."""
    figure, panels = plt.subplots(1, 2, figsize=(9, 3.8), sharey=True)
    for panel, model in zip(panels, ("grid", "budget"), strict=True):
        panel.axhline(0, color="#aaaaaa", linewidth=0.8)
        panel.axvline(1, color="#aaaaaa", linewidth=0.8)
        for outcome in outcomes:
            x = outcome.tests(model) / outcome.tests("tree")
            y = outcome.accuracy(model) - outcome.accuracy("tree")
            made = outcome.name in SYNTHETIC
            panel.plot(x, y, "s" if made else "o", color=COLOURS[model], alpha=0.5 if made else 1)
            if made or abs(y) > 2:
                left = x < 1  # away from the crowd at 1
                panel.annotate(
                    outcome.name,
                    (x, y),
                    xytext=(-5 if left else 5, 3),
                    textcoords="offset points",
                    ha="right" if left else "left",
                    size=7,
                )
        panel.set_xscale("log")
        ticks = [0.5, 0.7, 1, 1.4, 2, 3, 4]
        panel.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        panel.minorticks_off()
        panel.set(title=model, xlabel="tests of the program / tests of the tree")
    panels[0].set_ylabel("accuracy of the program - the tree's, %")
    _save(figure, path)


def draw_levels(names: Sequence[str], path: Path) -> None:
    """Above what a level gains and what merging takes back, below the mean advantage."""
    figure, panels = plt.subplots(2, len(names), figsize=(4.2 * len(names), 6.2), squeeze=False)
    for column, name in enumerate(names):
        table = load_table(name)
        assert table is not None
        merges: dict[str, Any] = {"tree": "none", "grid": "grid", "budget": "budget"}
        models = {k: program(merge=v).fit(table.X, table.y) for k, v in merges.items()}
        _draw_index(panels[0][column], models["budget"].levels_, name)
        for label, model in models.items():
            means = [level.mean() for level in model.levels_.advantages]
            panels[1][column].plot(
                np.arange(1, len(means) + 1), means, ".-", label=label, color=COLOURS[label]
            )
        panels[1][column].set(xlabel="level", ylim=(0, 0.52), xlim=(0, LEVELS + 1))
    panels[0][0].set_ylabel("index of the level (budget)")
    panels[1][0].set_ylabel("mean advantage of a level's tests")
    panels[0][0].legend(frameon=False)
    panels[1][0].legend(frameon=False)
    _save(figure, path)


def _draw_index(panel: plt.Axes, levels: Any, name: str) -> None:
    numbers = np.arange(1, len(levels) + 1)
    panel.plot(numbers, levels.before, "_", color="#555555", label="before splitting")
    panel.vlines(numbers, levels.after, levels.before, color="#1f77b4", label="gained")
    lost = levels.merged > levels.after + 1e-12
    panel.vlines(
        numbers[lost],
        levels.after[lost],
        levels.merged[lost],
        color="#d95f02",
        linewidth=3,
        label="taken back by merging",
    )
    panel.set(title=name, xlabel="level", ylim=(0.5, 1.02), xlim=(0, LEVELS + 1))


def _save(figure: plt.Figure, path: Path) -> None:
    figure.tight_layout()
    figure.savefig(path, dpi=80)
    plt.close(figure)


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    folder.mkdir(parents=True, exist_ok=True)
    loaded = {name: load_table(name) for name in TABLES}
    here = {n: t for n, t in loaded.items() if t is not None and t.n_rows < LARGE}
    outcomes = [run(name, table, UNPRUNED, 10) for name, table in here.items()]
    draw_sizes(outcomes, folder / "programs_sizes.png")
    draw_levels([name for name in PROFILED if name in here], folder / "programs_levels.png")


if __name__ == "__main__":
    main()
