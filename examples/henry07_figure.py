"""Figure 4 of Henry, Nock and Nielsen (2007), from our own runs.

``python examples/henry07_figure.py docs/figures`` draws the margins of BoostODT, of 50 stumps, on
XD6 with 10, 20 and 30% class noise, over the test folds of a ten-fold cross-validation, beside
those of the model that the rows were drawn from; below, those of trees that are stopped earlier.
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np

import weaklearn as wl
from weaklearn.experiments import deal_folds

SEED = 0
N_ROWS = 3000
NOISE = (0.1, 0.2, 0.3)
LEARNERS = {
    "BoostODT, 4 levels": wl.BoostODTClassifier(n_stumps=50),
    "1 level": wl.BoostODTClassifier(n_stumps=50, max_depth=1),
    "AdaBoostR, 50 stumps": wl.RealAdaBoostClassifier(n_rounds=50),
}


def fold_margins(learner: object, table: wl.tables.Table) -> list[np.ndarray]:
    """The margins of the rows of each test fold."""
    classes = (table.y == "1").to_numpy().astype(np.int32)
    folds = deal_folds(classes, 10, np.random.default_rng(SEED))
    found = []
    for fold in range(10):
        train, test = folds != fold, folds == fold
        model = learner.fit(table.X[train], table.y[train])
        found.append(wl.theory.margins(model, table.X[test], table.y[test]))
    return found


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    folder.mkdir(parents=True, exist_ok=True)
    figure, panels = plt.subplots(1, len(NOISE), figsize=(4.2 * len(NOISE), 3.4))
    for panel, noise in zip(panels, NOISE, strict=True):
        table = wl.datasets.make_xd6(N_ROWS, class_noise=noise, random_state=SEED)
        margins = {name: fold_margins(learner, table) for name, learner in LEARNERS.items()}
        exact = wl.datasets.xd6_margins(table, noise)
        wl.theory.plot_margins(margins, model=exact, ax=panel)
        panel.set_title(f"XD6, {noise:.0%} class noise")
    figure.tight_layout()
    figure.savefig(folder / "xd6-margins.png", dpi=80)


if __name__ == "__main__":
    main()
