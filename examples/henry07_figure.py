"""Draw Figure 4 of Henry, Nock and Nielsen (2007) from our own runs.

``python examples/henry07_figure.py docs/figures`` draws the margins of BoostODT with 50 stumps on
XD6 with 10, 20 and 30% class noise, over the test folds of a ten-fold cross-validation. There are
two definitions: by the output H, as in the paper, and by the class shares at the leaves. The figure
also shows the margins of the true model, from which the rows were drawn.
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np

import weaklearn as wl
from weaklearn.experiments import deal_folds
from weaklearn.tables import Table

SEED = 0
N_ROWS = 3000
NOISE = (0.1, 0.2, 0.3)


def fold_margins(table: Table) -> dict[str, list[np.ndarray]]:
    """Compute the margins of the rows of each test fold, by two definitions."""
    positive = (table.y == "1").to_numpy()
    folds = deal_folds(positive.astype(np.int32), 10, np.random.default_rng(SEED))
    by_output, by_shares = [], []
    for fold in range(10):
        train, test = folds != fold, folds == fold
        model = wl.BoostODTClassifier(n_stumps=50).fit(table.X[train], table.y[train])
        by_output.append(wl.theory.margins(model, table.X[test], table.y[test]))
        difference = model.predict_proba(table.X[test]) @ [-1.0, 1.0]
        by_shares.append(np.where(positive[test], difference, -difference))
    return {"tanh(y H / 2)": by_output, "class shares": by_shares}


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    folder.mkdir(parents=True, exist_ok=True)
    figure, panels = plt.subplots(1, len(NOISE), figsize=(4.2 * len(NOISE), 3.4))
    for panel, noise in zip(panels, NOISE, strict=True):
        table = wl.datasets.make_xd6(N_ROWS, class_noise=noise, random_state=SEED)
        exact = wl.datasets.xd6_margins(table.X, table.y, noise)
        wl.theory.plot_margins(fold_margins(table), model=exact, ax=panel)
        panel.set_title(f"XD6, {noise:.0%} class noise")
    figure.tight_layout()
    figure.savefig(folder / "xd6-margins.png", dpi=80)
    plt.close(figure)


if __name__ == "__main__":
    main()
