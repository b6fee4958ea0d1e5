"""Ten trials of boosting in many variants, by cross-validation.

``python -m benchmarks.ten_trials [--folds FOLDER] [--tables NAME ...] [--learnings NAME ...] FILE``
``python -m benchmarks.ten_trials --classifiers [--folds FOLDER] [--tables NAME ...] FILE``

A variant is a way to learn ten trees and a way to count their votes. The trees of a way to learn
are grown once, and their votes are counted in all ways. Errors in percent are added to FILE, a JSON
document, table by table; what it holds already is not computed again. The last lines are the mean
error over the tables of each variant. With ``--classifiers`` the variants are classifiers of the
package. docs/studies/ten_trials.md has the protocol and the results.
"""

from __future__ import annotations

import argparse
import json
import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

import weaklearn as wl
from weaklearn.encoding import Dataset, EncodedRows
from weaklearn.experiments import split_folds
from weaklearn.experiments.fit_and_count_errors import encode_table
from weaklearn.models import Graph

TRIALS = 10
_DEVELOPMENT = """
anneal auto breast-cancer credit-a diabetes glass heart-c hypo iris kr-vs-kp labor segment sonar
soybean tic-tac-toe vote waveform-5000 letter
"""
_CHECK = """
audiology balance-scale breast-w bupa car colic credit-g heart-h hepatitis ionosphere lymph phoneme
primary-tumor promoter satellite sick splice vehicle vowel wine zoo
"""
#: The tables on which variants are compared, and others on which the best are checked.
DEVELOPMENT, CHECK = _DEVELOPMENT.split(), _CHECK.split()

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Tree:
    """A member: its class shares for all rows, the weight of their leaves, and its error.

    ``goal`` is the weight that its errors have in the next round.
    """

    shares: Floats
    weight: Floats
    error: float
    goal: float
    predictions: NDArray[np.int32]


@dataclass(frozen=True)
class Learning:
    """How ten trees are learned.

    ``step`` is how far a round moves the weight of the misclassified rows to one half: 1 in
    AdaBoost. After a tree without error, or with an error of a half or more, boosting stops, or
    goes on with weights drawn anew if ``restart``. ``tree`` has the parameters of the trees.
    """

    step: float = 1.0
    restart: bool = False
    tree: dict[str, Any] = field(default_factory=dict)
    bag: bool = False


LEARNINGS = {
    "full": Learning(),
    "half": Learning(step=0.5),
    "half+restart": Learning(step=0.5, restart=True),
    "full+restart": Learning(restart=True),
    "quarter+restart": Learning(step=0.25, restart=True),
    "half+restart,unpruned": Learning(0.5, True, {"prune": False}),
    "half+restart,subset": Learning(0.5, True, {"subset": True}),
    "half+restart,m1": Learning(0.5, True, {"min_objects": 1}),
    "half+restart,m4": Learning(0.5, True, {"min_objects": 4}),
    "half+restart,ccp": Learning(0.5, True, {"ccp_alpha": 0.002}),
    "half+restart,c10": Learning(0.5, True, {"confidence": 0.1}),
    "half+restart,c50": Learning(0.5, True, {"confidence": 0.5}),
    "half+restart,nopenalty": Learning(0.5, True, {"threshold_penalty": False}),
    "half+restart,gain": Learning(0.5, True, {"criterion": "gain"}),
    "half,nopenalty": Learning(0.5, False, {"threshold_penalty": False}),
    "half+restart,nopenalty,m4": Learning(
        0.5, True, {"threshold_penalty": False, "min_objects": 4}
    ),
    "half+restart,nopenalty,unpruned": Learning(
        0.5, True, {"threshold_penalty": False, "prune": False}
    ),
    "half+restart,nopenalty,subset": Learning(
        0.5, True, {"threshold_penalty": False, "subset": True}
    ),
    "third+restart,nopenalty": Learning(1 / 3, True, {"threshold_penalty": False}),
    "twothirds+restart,nopenalty": Learning(2 / 3, True, {"threshold_penalty": False}),
    "full+restart,nopenalty": Learning(1.0, True, {"threshold_penalty": False}),
    "full+restart,unpruned": Learning(1.0, True, {"prune": False}),
    "full+restart,subset": Learning(1.0, True, {"subset": True}),
    "full,shrink5": Learning(tree={"shrinkage": 5}),
    "full,shrink10": Learning(tree={"shrinkage": 10}),
    "half,shrink5": Learning(0.5, tree={"shrinkage": 5}),
    "half,shrink10": Learning(0.5, tree={"shrinkage": 10}),
    "half,unpruned": Learning(0.5, tree={"prune": False}),
    "half,unpruned,shrink10": Learning(0.5, tree={"prune": False, "shrinkage": 10}),
    "bag": Learning(bag=True),
    "bag,unpruned": Learning(bag=True, tree={"prune": False}),
}


_RECIPE: dict[str, Any] = {
    "missing": "branch",
    "subset": True,
    "threshold_penalty": False,
    "shrinkage": 5,
}


def _recipe(step: float = 0.5, **changes: Any) -> wl.AdaBoostM1Classifier:
    tree = wl.C45Classifier(**{**_RECIPE, **changes})
    return wl.AdaBoostM1Classifier(tree, n_rounds=TRIALS, vote="shares", step=step)


#: Classifiers of ten trees, each with the seeds that it is run with.
CLASSIFIERS: dict[str, tuple[Any, tuple[int, ...]]] = {
    "AdaBoost.M1": (wl.AdaBoostM1Classifier(n_rounds=TRIALS), (1,)),
    "confidence votes": (wl.AdaBoostM1Classifier(n_rounds=TRIALS, vote="confidence"), (1,)),
    "recipe": (_recipe(), (1,)),
    "recipe, full steps, shrinkage 10": (_recipe(1.0, shrinkage=10), (1,)),
    "recipe, shrinkage 10": (_recipe(shrinkage=10), (1,)),
    "recipe, shrinkage 20": (_recipe(shrinkage=20), (1,)),
    "recipe, no shrinkage": (_recipe(shrinkage=0), (1,)),
    "recipe, shrinkage 10, fractions": (_recipe(shrinkage=10, missing="fraction"), (1,)),
    "recipe, shrinkage 10, no groups of values": (_recipe(shrinkage=10, subset=False), (1,)),
    "recipe, shrinkage 10, penalty": (_recipe(shrinkage=10, threshold_penalty=True), (1,)),
    "recipe, shrinkage 10, gain": (_recipe(shrinkage=10, criterion="gain"), (1,)),
    "recipe, shrinkage 10, unpruned": (_recipe(shrinkage=10, prune=False), (1,)),
    "recipe, shrinkage 10, half of the columns": (_recipe(shrinkage=10, max_features=0.5), (1,)),
    "recipe, shrinkage 10, unpruned, half of the columns": (
        _recipe(shrinkage=10, prune=False, max_features=0.5),
        (1,),
    ),
    "boosted forest": (wl.BoostedForestClassifier(n_members=TRIALS), (1, 2)),
    "boosted forest, all columns": (
        wl.BoostedForestClassifier(n_members=TRIALS, max_features=None),
        (1, 2),
    ),
    "boosted forest, half of the columns": (
        wl.BoostedForestClassifier(n_members=TRIALS, max_features=0.5),
        (1, 2),
    ),
}


def learn(
    how: Learning, dataset: Dataset, rows: EncodedRows, counts: Floats, seed: int
) -> list[Tree]:
    """Return up to ten trees learned from the rows of positive count."""
    random = np.random.default_rng(seed)
    present = counts > 0
    weights = counts.copy()
    total = counts.sum()
    trees: list[Tree] = []
    for _ in range(3 * TRIALS):
        if len(trees) == TRIALS:
            break
        if how.bag:
            drawn = random.choice(np.flatnonzero(present), int(total))
            weights = np.bincount(drawn, minlength=len(counts)).astype(np.float64)
        model = wl.C45Classifier(**how.tree)
        model.fit_dataset(dataset, weights)
        tree = _member(model.tree_, rows, dataset.classes, weights, how.step)
        stops = not how.bag and (tree.error >= 0.5 - 1e-9 or tree.error <= 1e-9)
        if not stops or tree.error < 0.5 or not trees:
            trees.append(tree)
        if how.bag:
            continue
        if stops and not how.restart:
            break
        if stops:
            # Exponential variables as weights: a smooth bootstrap of the rows.
            weights = np.where(present, random.exponential(size=len(counts)), 0.0)
        else:
            wrong = tree.predictions != dataset.classes
            weights = weights * np.where(
                wrong, tree.goal / tree.error, (1.0 - tree.goal) / (1.0 - tree.error)
            )
        weights *= total / weights.sum()
    return trees


def _member(
    graph: Graph,
    rows: EncodedRows,
    classes: NDArray[np.int32],
    weights: Floats,
    step: float,
) -> Tree:
    shares = graph.predict_class_shares(rows)
    predicted = graph.predict_class_indices(rows)
    leaves = graph.apply(rows)
    weight = np.where(leaves >= 0, graph.weight[leaves], 0.0)
    error = float(weights[predicted != classes].sum() / weights.sum())
    return Tree(shares, weight, error, error + step * (0.5 - error), predicted)


def _one_hot(tree: Tree) -> Floats:
    result = np.zeros_like(tree.shares)
    result[np.arange(len(result)), tree.predictions] = 1.0
    return result


def by_error(tree: Tree, prior: Floats) -> Floats:
    """AdaBoost.M1's vote; a tree without error has the vote of an error of 1 in 1,000."""
    error = min(max(tree.error, 1e-3), 0.499)
    return math.log((1 - error) / error) * _one_hot(tree)


def by_step(tree: Tree, prior: Floats) -> Floats:
    """The logarithm of the ratio by which the errors gain weight: AdaBoost.M1 if step is 1."""
    error = min(max(tree.error, 1e-3), 0.499)
    goal = min(max(tree.goal, 1e-3), 0.5)
    ratio = goal * (1 - error) / (error * (1 - goal))
    return math.log(max(ratio, 1.001)) * _one_hot(tree)


def by_error_alone(tree: Tree, prior: Floats) -> Floats:
    """The same, but a tree without error decides alone."""
    if tree.error <= 1e-9:
        return 1e6 * _one_hot(tree)
    return by_error(tree, prior)


def by_confidence(tree: Tree, prior: Floats) -> Floats:
    """The Laplace ratio of the predicted class."""
    confidence = (tree.shares.max(axis=1) * tree.weight + 1) / (tree.weight + 2)
    return confidence[:, None] * _one_hot(tree)


def by_shares(tree: Tree, prior: Floats) -> Floats:
    """The class shares of the leaf."""
    return tree.shares


def by_smooth_shares(tree: Tree, prior: Floats) -> Floats:
    """The class shares of the leaf and of one more row that has the shares of the root."""
    smooth: Floats = (tree.shares * tree.weight[:, None] + prior) / (tree.weight[:, None] + 1)
    return smooth


def by_error_and_smooth_shares(tree: Tree, prior: Floats) -> Floats:
    """Smooth shares, times AdaBoost.M1's vote."""
    error = min(max(tree.error, 1e-3), 0.499)
    return math.log((1 - error) / error) * by_smooth_shares(tree, prior)


def by_error_and_shares(tree: Tree, prior: Floats) -> Floats:
    """Class shares, times AdaBoost.M1's vote."""
    error = min(max(tree.error, 1e-3), 0.499)
    return math.log((1 - error) / error) * tree.shares


def plainly(tree: Tree, prior: Floats) -> Floats:
    """One vote per tree."""
    return _one_hot(tree)


VOTES: dict[str, Callable[[Tree, Floats], Floats]] = {
    "error": by_error,
    "error-alone": by_error_alone,
    "step": by_step,
    "confidence": by_confidence,
    "shares": by_shares,
    "smooth": by_smooth_shares,
    "error*shares": by_error_and_shares,
    "error*smooth": by_error_and_smooth_shares,
    "plain": plainly,
}


def count_errors(
    trees: list[Tree], classes: NDArray[np.int32], train: NDArray[np.bool_]
) -> dict[str, int]:
    """Return the errors on the other rows for each way to count votes.

    A name that ends in ``+cut`` keeps the first trees with the fewest training errors.
    """
    prior = np.bincount(classes[train], minlength=trees[0].shares.shape[1]) / train.sum()
    errors = {}
    for name, vote in VOTES.items():
        sums = np.cumsum([vote(tree, prior) for tree in trees], axis=0)
        # Ties go to the more frequent class.
        wrong = (sums + 1e-9 * prior).argmax(axis=2) != classes
        errors[name] = int(wrong[-1, ~train].sum())
        best = int(wrong[:, train].sum(axis=1).argmin())
        errors[f"{name}+cut"] = int(wrong[best, ~train].sum())
    errors["one tree"] = int((trees[0].predictions != classes)[~train].sum())
    return errors


def test_rows(name: str, y: Any, folds: Path | None) -> list[NDArray[np.bool_]]:
    """Return the test rows of each fold of a table."""
    if folds is None or not (folds / f"{name}.csv").is_file():
        return [split.test for split in split_folds(y, seed=1)]
    of_row = np.loadtxt(folds / f"{name}.csv", skiprows=1, dtype=int)
    return [of_row == fold for fold in range(10)]


def run_classifiers(name: str, classifiers: list[str], folds: Path | None) -> dict[str, float]:
    """Return the error rate in percent of each classifier on a table."""
    table = wl.datasets.load(name)
    y = np.asarray(table.y, dtype=object)
    tests = test_rows(name, table.y, folds)
    # A committee of one tree is a result here like any other.
    warnings.simplefilter("ignore", UserWarning)
    rates = {}
    for classifier in classifiers:
        model, seeds = CLASSIFIERS[classifier]
        errors = 0
        for seed in seeds:
            for test in tests:
                fitted = clone(model).set_params(random_state=seed).fit(table.X[~test], y[~test])
                errors += int((fitted.predict(table.X[test]) != y[test]).sum())
        rates[f"{classifier}: error"] = 100 * errors / (len(y) * len(seeds))
    return rates


def run_table(name: str, learnings: list[str], folds: Path | None) -> dict[str, float]:
    """Return the error rate in percent of each variant on a table."""
    table = wl.datasets.load(name)
    encoded = encode_table(wl.C45Classifier(), table.X, table.y)
    dataset, rows = encoded.dataset, encoded.rows
    tests = test_rows(name, table.y, folds)
    totals: dict[str, int] = {}
    for fold, test in enumerate(tests):
        for learning in learnings:
            trees = learn(LEARNINGS[learning], dataset, rows, (~test).astype(np.float64), fold)
            for vote, errors in count_errors(trees, dataset.classes, ~test).items():
                key = f"{learning}: {vote}"
                totals[key] = totals.get(key, 0) + errors
    return {key: 100 * errors / rows.n_rows for key, errors in totals.items()}


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--folds", type=Path, help="a folder with the fold of each row, NAME.csv")
    parser.add_argument("--tables", nargs="+", default=DEVELOPMENT, help="names, or check")
    parser.add_argument("--learnings", nargs="+", default=list(LEARNINGS), help=str([*LEARNINGS]))
    parser.add_argument("--classifiers", action="store_true", help="classifiers of the package")
    options = parser.parse_args()
    wanted = list(CLASSIFIERS) if options.classifiers else options.learnings
    compute = run_classifiers if options.classifiers else run_table
    tables = CHECK if options.tables == ["check"] else options.tables
    results = json.loads(options.file.read_text()) if options.file.is_file() else {}
    for name in tables:
        known = results.setdefault(name, {})
        missing = [key for key in wanted if f"{key}: error" not in known]
        if missing:
            known |= compute(name, missing, options.folds)
            options.file.write_text(json.dumps(results, indent=1) + "\n")
            print(name, flush=True)
    variants = [key for key in results[tables[0]] if all(key in results[t] for t in tables)]
    means = {key: np.mean([results[table][key] for table in tables]) for key in variants}
    for key in sorted(means, key=lambda key: means[key]):
        print(f"{means[key]:6.2f}  {key}")


if __name__ == "__main__":
    main()
