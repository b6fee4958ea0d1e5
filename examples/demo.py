"""The main job on embedded data: train, cross-validate, compare, read the tree, write a report.

Run by ``make demo``.
"""

import subprocess
import sys
import time

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Screen
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl
from weaklearn.experiments import cross_validate, deal_folds
from weaklearn.tables import Table

SEED = 0
FOLDS = 10
MEMBERS = 10
MODELS = {
    "C4.5": wl.C45Classifier(),
    "TopDown": wl.TopDownClassifier(prune=True),
    "bagged": wl.BaggedClassifier(n_members=MEMBERS),
    "boosted": wl.AdaBoostM1Classifier(n_rounds=MEMBERS),
}
#: What the report at the end is about; 'weaklearn reproduce all --quick' has more.
PAPERS_TABLES = ("iris", "titanic", "majority-5", "majority-11", "xor-7", "led-even", "pima")
REPORT = "build/demo"
TABLES = ("titanic", "iris", "wine", "breast-cancer-wisconsin-diagnostic", "digits")


def with_holes(table: Table, share: float) -> Table:
    """Blank a share of the cells: real tables have holes, and the embedded ones do not."""
    rng = np.random.default_rng(SEED)
    holes = rng.random(table.X.shape) < share
    return Table(f"{table.name}, {share:.0%} blank", table.X.mask(holes), table.y)


def scikit_learn_tree(table: Table) -> object:
    """The nearest peer, with the encoder and the imputers that it needs in front."""
    kinds = table.X.dtypes == "category"
    nominal, numeric = list(table.X.columns[kinds]), list(table.X.columns[~kinds])
    return make_pipeline(
        make_column_transformer(
            (make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder()), nominal),
            (SimpleImputer(strategy="median"), numeric),
        ),
        DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=SEED),
    )


def peer_error(table: Table, fold_of_row: np.ndarray) -> tuple[float, float]:
    """Error and mean size of the peer over the same folds."""
    wrong, sizes = 0, []
    for fold in range(FOLDS):
        test = fold_of_row == fold
        model = scikit_learn_tree(table).fit(table.X[~test], table.y[~test])
        wrong += int((model.predict(table.X[test]) != table.y[test]).sum())
        sizes.append(model[-1].tree_.node_count)
    return wrong / table.n_rows, float(np.mean(sizes))


def main() -> None:
    start = time.perf_counter()
    console = Console()
    tables = [wl.datasets.load(name) for name in TABLES]
    tables.insert(1, with_holes(tables[0], 0.2))
    tables.append(with_holes(tables[3], 0.2))

    screen = Screen(
        title=f"Test error % and nodes, stratified {FOLDS}-fold cross-validation",
        box=SIMPLE_HEAD,
        show_edge=False,
        collapse_padding=True,
    )
    screen.add_column("table", overflow="fold")
    for heading in ("rows", *MODELS, "sklearn"):
        screen.add_column(heading, justify="right", no_wrap=True)
    for table in tables:
        codes = table.y.cat.codes.to_numpy()
        folds = deal_folds(codes, FOLDS, np.random.default_rng(SEED))
        found = []
        for model in MODELS.values():
            ours = cross_validate(model, table.X, table.y, fold_of_row=folds)
            found.append((ours.error.mean, ours.size.mean))
        found.append(peer_error(table, folds))
        cells = [f"{100 * error:.1f} {size:>5.0f}" for error, size in found]
        screen.add_row(table.name, f"{table.n_rows}", *cells)
    console.print(screen)
    console.print(
        f"\nBagged and boosted are committees of {MEMBERS} C4.5 trees; their nodes are added up.\n"
        "TopDown splits by the criterion of Kearns and Mansour, pruned like C4.5.\n"
        "All took every table as it is; scikit-learn's tree stands behind a one-hot\n"
        "encoder and imputers.\n"
    )

    titanic = tables[1]
    model = wl.C45Classifier().fit(titanic.X, titanic.y)
    console.print(f"The tree of '{titanic.name}' (weight/estimated errors at the leaves):\n")
    print(model.tree_.to_text())
    print("\nAs a rule: " + str(model.tree_.rules()[0]))

    print("\nThe experiments of five papers, as far as embedded tables and generators go:\n")
    sys.stdout.flush()
    asked = ("all", "--quick", "--datasets", ",".join(PAPERS_TABLES), "--out", REPORT)
    subprocess.run([sys.executable, "-m", "weaklearn", "reproduce", *asked], check=True)
    print(f"\nDone in {time.perf_counter() - start:.1f} s.")


if __name__ == "__main__":
    main()
