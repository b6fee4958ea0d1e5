"""The figures of Dietterich, Kearns and Mansour (1996) that show advantages, from our own runs.

``python examples/dietterich96_figures.py docs/figures`` draws, for the problems of Table 2 that are
here, the advantage by round of TopDown and AdaBoost over stumps (Figures 8 to 10), and of TopDown's
splits the advantage against the weight of the node (11) and against the gain (12).
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
from dietterich96 import PUBLISHED_2, is_here, run_rounds

from weaklearn import theory
from weaklearn.experiments import EqualRounds

OUR_NAMES = {"pima": "diabetes"}
NAMES = {"TopDown": "TopDown, entropy", "AdaBoost": "AdaBoost over stumps"}


def draw_rounds(results: dict[str, EqualRounds], path: Path) -> None:
    """The mean advantage of each round, one picture per problem."""
    figure, panels = plt.subplots(1, len(results), figsize=(4.2 * len(results), 3.2), squeeze=False)
    for panel, (name, result) in zip(panels[0], results.items(), strict=True):
        trials = {
            shown: [run.advantages for run in result.of(learner)]
            for learner, shown in NAMES.items()
        }
        theory.plot_advantages(trials, ax=panel)
        panel.set_title(name)
    _save(figure, path)


def draw_splits(results: dict[str, EqualRounds], path: Path) -> None:
    """All splits of all trials: advantage against weight above, against gain below."""
    width = 4.2 * len(results)
    figure, panels = plt.subplots(2, len(results), figsize=(width, 6.4), squeeze=False)
    for column, (name, result) in enumerate(results.items()):
        trials = [run.advantages for run in result.of("TopDown")]
        theory.plot_advantage_by_weight(trials, ax=panels[0][column]).set_title(name)
        theory.plot_advantage_by_gain(trials, ax=panels[1][column])
    _save(figure, path)


def _save(figure: plt.Figure, path: Path) -> None:
    figure.tight_layout()
    figure.savefig(path, dpi=80)
    plt.close(figure)


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    folder.mkdir(parents=True, exist_ok=True)
    names = [n for n in PUBLISHED_2 if n == "decision-list" or is_here(OUR_NAMES.get(n, n))]
    results = {name: run_rounds(name) for name in names}
    draw_rounds(results, folder / "advantage-by-round.png")
    draw_splits(results, folder / "advantage-by-split.png")


if __name__ == "__main__":
    main()
