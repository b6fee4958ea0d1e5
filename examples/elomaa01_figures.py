"""Draw what happens in each level of branching programs and trees.

``python examples/elomaa01_figures.py docs/figures`` draws the impurity and the advantages of each
level for three tables of Elomaa and Kaariainen (2001).
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np
from elomaa01_settings import load_table, program

PROFILED = ("diabetes", "majority-11", "xor-7")
LEVELS = 60  # programs that merge by budget have more levels, which are not shown
COLOURS = {"tree": "#555555", "grid": "#1f77b4", "budget": "#d95f02"}


def draw_levels(names: Sequence[str], path: Path) -> None:
    """Draw what each level gains and what merging takes back, and below it the mean advantage."""
    figure, panels = plt.subplots(2, len(names), figsize=(4.2 * len(names), 6.2), squeeze=False)
    for column, name in enumerate(names):
        table = load_table(name)
        assert table is not None
        merges: dict[str, Any] = {"tree": "none", "grid": "grid", "budget": "budget"}
        models = {k: program(merge=v).fit(table.X, table.y) for k, v in merges.items()}
        _draw_impurity(panels[0][column], models["budget"].levels_, name)
        for label, model in models.items():
            means = [level.mean() for level in model.levels_.advantages]
            panels[1][column].plot(
                np.arange(1, len(means) + 1), means, ".-", label=label, color=COLOURS[label]
            )
        panels[1][column].set(xlabel="level", ylim=(0, 0.52), xlim=(0, LEVELS + 1))
    panels[0][0].set_ylabel("impurity of the level (budget)")
    panels[1][0].set_ylabel("mean advantage of a level's splits")
    panels[0][0].legend(frameon=False)
    panels[1][0].legend(frameon=False)
    _save(figure, path)


def _draw_impurity(panel: plt.Axes, levels: Any, name: str) -> None:
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
    draw_levels([name for name in PROFILED if load_table(name)], folder / "programs_levels.png")


if __name__ == "__main__":
    main()
