"""Train, cross-validate and compare models on embedded tables, print a tree and write a report.

``make demo`` runs this file.
"""

import subprocess
import sys
import time

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as RichTable
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
#: The tables of the report at the end; 'weaklearn reproduce all --quick' has more.
REPORT_TABLES = ("iris", "titanic", "majority-5", "majority-11", "xor-7", "led-even", "pima")
REPORT_FOLDER = "build/demo"
TABLES = ("titanic", "iris", "wine", "breast-cancer-wisconsin-diagnostic", "digits")


def with_missing_values(table: Table, share: float) -> Table:
    """Remove a share of the values. Real tables miss values, and the embedded tables do not."""
    rng = np.random.default_rng(SEED)
    removed = rng.random(table.X.shape) < share
    return Table(f"{table.name}, {share:.0%} missing", table.X.mask(removed), table.y)


def scikit_learn_tree(table: Table) -> object:
    """Return scikit-learn's tree, with the encoder and the imputers that it needs."""
    is_nominal = table.X.dtypes == "category"
    nominal, numeric = list(table.X.columns[is_nominal]), list(table.X.columns[~is_nominal])
    return make_pipeline(
        make_column_transformer(
            (make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder()), nominal),
            (SimpleImputer(strategy="median"), numeric),
        ),
        DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=SEED),
    )


def cross_validate_scikit_learn(table: Table, fold_of_row: np.ndarray) -> tuple[float, float]:
    """Return the error and the mean size of scikit-learn's tree over the same folds."""
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
    tables.insert(1, with_missing_values(tables[0], 0.2))
    tables.append(with_missing_values(tables[3], 0.2))

    comparison = RichTable(
        title=f"Test error in % and number of nodes, {FOLDS}-fold cross-validation",
        box=SIMPLE_HEAD,
        show_edge=False,
        collapse_padding=True,
    )
    comparison.add_column("table", overflow="fold")
    for heading in ("rows", *MODELS, "sklearn"):
        comparison.add_column(heading, justify="right", no_wrap=True)
    for table in tables:
        codes = table.y.cat.codes.to_numpy()
        folds = deal_folds(codes, FOLDS, np.random.default_rng(SEED))
        errors_and_sizes = []
        for model in MODELS.values():
            results = cross_validate(model, table.X, table.y, fold_of_row=folds)
            errors_and_sizes.append((results.error.mean, results.size.mean))
        errors_and_sizes.append(cross_validate_scikit_learn(table, folds))
        cells = [f"{100 * error:.1f} {size:>5.0f}" for error, size in errors_and_sizes]
        comparison.add_row(table.name, f"{table.n_rows}", *cells)
    console.print(comparison)
    console.print(
        f"\nBagged and boosted are committees of {MEMBERS} C4.5 trees. Their nodes are summed.\n"
        "TopDown uses the criterion of Kearns and Mansour, and is pruned like C4.5.\n"
        "These four models read the tables as they are. scikit-learn's tree needs a\n"
        "one-hot encoder and imputers.\n"
    )

    titanic = tables[1]
    model = wl.C45Classifier().fit(titanic.X, titanic.y)
    console.print(f"C4.5's tree for '{titanic.name}' (weight/estimated errors at each leaf):\n")
    print(model.tree_.to_text())
    print("\nIts first rule: " + str(model.tree_.rules()[0]))

    print("\nThe experiments of five papers, on embedded and generated tables:\n")
    sys.stdout.flush()
    arguments = ("all", "--quick", "--datasets", ",".join(REPORT_TABLES), "--out", REPORT_FOLDER)
    subprocess.run([sys.executable, "-m", "weaklearn", "reproduce", *arguments], check=True)
    print(f"\nDone in {time.perf_counter() - start:.1f} s.")


if __name__ == "__main__":
    main()
