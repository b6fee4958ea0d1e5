"""The design of DELVE: disjoint training sets, one test set, every learner on all of them.

G. Hinton, R. Neal, R. Tibshirani and others, "Assessing learning procedures using DELVE",
University of Toronto, 1995. T. Dietterich, M. Kearns and Y. Mansour, "Applying the weak learning
framework to understand and improve C4.5", ICML 1996, compare splitting criteria so (Table 1).

Results from disjoint sets are independent but for the test set, which all of them share; intervals
of error rates account for that by looking at the test rows, tests of sizes need not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from weaklearn.experiments.cross_validation import Results
from weaklearn.experiments.paired_tests import (
    Interval,
    SignTest,
    TTest,
    marginal_homogeneity,
    paired_t_test,
    sign_test,
)
from weaklearn.experiments.train_test_splits import split_sets
from weaklearn.experiments.trial import (
    Fold,
    TableLearner,
    count_errors,
    encode_table,
    seed_of_trial,
)


@dataclass(frozen=True, slots=True, eq=False)
class DelveResults:
    """What came of learners on disjoint training sets and one test set.

    Parameters
    ----------
    results : dict
        Per learner, its `Results`: a fold for each training set.
    wrong : dict
        Per learner, which test rows (columns) the hypothesis of each training set (rows) gets
        wrong.
    test_rows : array of int
        The rows of the table that are the test set.
    """

    results: dict[str, Results]
    wrong: dict[str, NDArray[np.bool_]]
    test_rows: NDArray[np.intp]

    def error_interval(self, first: str, second: str) -> Interval:
        """Bound the difference of two learners' error rates.

        Parameters
        ----------
        first, second : str
            The learners.

        Returns
        -------
        Interval
            Of the second's error rate minus the first's; see `marginal_homogeneity`.
        """
        self._require(first, second)
        return marginal_homogeneity(self.wrong[first], self.wrong[second])

    def size_test(self, first: str, second: str) -> TTest:
        """Test whether two learners' models differ in size, over the training sets.

        Parameters
        ----------
        first, second : str
            The learners; their models are graphs or committees of graphs.

        Returns
        -------
        TTest
            Of the second's sizes minus the first's.
        """
        return paired_t_test(self.sizes(first), self.sizes(second))

    def sizes(self, learner: str) -> list[int]:
        """Give the size of a learner's model for each training set.

        Parameters
        ----------
        learner : str
            Whose models are graphs or committees of graphs.

        Returns
        -------
        list of int
            Nodes, set by set.
        """
        self._require(learner)
        sizes = [fold.size for fold in self.results[learner].folds]
        known = [size for size in sizes if size is not None]
        if len(known) < len(sizes):
            raise ValueError(f"the models of {learner!r} have no size: they are not graphs.")
        return known

    def to_dict(self) -> dict[str, Any]:
        """Give the results as plain data, ready for JSON.

        Returns
        -------
        dict
            The test rows; per learner what `Results` gives, and which test rows the hypothesis of
            each training set gets wrong.
        """
        learners = {
            name: {
                **results.to_dict(),
                "wrong": [self.test_rows[wrong].tolist() for wrong in self.wrong[name]],
            }
            for name, results in self.results.items()
        }
        return {"test_rows": self.test_rows.tolist(), "learners": learners}

    def _require(self, *learners: str) -> None:
        for learner in learners:
            if learner not in self.results:
                raise ValueError(
                    f"there is no learner {learner!r}; expected one of {', '.join(self.results)}."
                )


def delve(
    learners: Mapping[str, TableLearner],
    X: Any,
    y: Any,
    *,
    n_sets: int = 4,
    test: Any = None,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: Callable[[], None] | None = None,
) -> DelveResults:
    """Train every learner on each of some disjoint sets, and test all on the same rows.

    Parameters
    ----------
    learners : dict
        Classifiers of weaklearn, by the names that their results will have. Each is cloned for
        each training set; where its ``random_state`` is None, the clone gets one that depends on
        ``seed`` and the number of the set only.
    X : frame
        As for ``fit``.
    y : Series, array or list
        The class of each row.
    n_sets : int
        How many training sets.
    test : int or array of bool, optional
        How many rows the test set has, or which rows they are. By default it is as large as a
        training set.
    seed : int
        What the sets are drawn with; see `split_sets`.
    n_jobs : int or None
        Fits at a time, by threads; -1 for all processors, None for one.
    progress : callable, optional
        Called after each fit, from the thread that did it.

    Returns
    -------
    DelveResults
        Errors and sizes of each learner on every set, and how to compare two learners.

    Examples
    --------
    >>> import weaklearn as wl
    >>> from weaklearn.experiments import delve
    >>> iris = wl.datasets.load("iris")
    >>> learners = {name: wl.C45Classifier(criterion=name) for name in ("km", "gain")}
    >>> results = delve(learners, iris.X, iris.y, n_sets=3, test=60)
    >>> results.wrong["km"].shape, results.error_interval("km", "gain").significant
    ((3, 60), False)
    """
    if not learners:
        raise ValueError("learners is empty; expected at least one classifier and its name.")
    tables = {name: encode_table(learner, X, y) for name, learner in learners.items()}
    splits = split_sets(y, n_sets, test=test, seed=seed)
    is_test = splits[0].test
    root = np.random.SeedSequence(seed)

    def run(name: str, number: int) -> tuple[Fold, NDArray[np.bool_]]:
        split = splits[number]
        model, wrong = tables[name].try_out(learners[name], split, seed_of_trial(root, number))
        if progress is not None:
            progress()
        return count_errors(model, wrong, split, number), wrong[is_test]

    tasks = [(name, number) for name in learners for number in range(n_sets)]
    # Threads share the datasets, and the core works without Python's lock.
    outcomes = Parallel(n_jobs=n_jobs, require="sharedmem")(delayed(run)(*task) for task in tasks)
    results, wrong = {}, {}
    for place, name in enumerate(learners):
        folds, errors = zip(*outcomes[place * n_sets : (place + 1) * n_sets], strict=True)
        results[name] = Results(folds, len(is_test), n_sets, 1, seed)
        wrong[name] = np.stack(errors)
    return DelveResults(results, wrong, np.flatnonzero(is_test))


def combined_sign_test(problems: Sequence[DelveResults], first: str, second: str) -> SignTest:
    """Test over several problems whether one learner has the lower error rate more often.

    Parameters
    ----------
    problems : list of DelveResults
        One for each problem.
    first, second : str
        The learners.

    Returns
    -------
    SignTest
        On how many problems the first's mean error is the lower.

    Examples
    --------
    >>> import weaklearn as wl
    >>> from weaklearn.experiments import combined_sign_test, delve
    >>> learners = {"tree": wl.C45Classifier(), "stump": wl.StumpClassifier()}
    >>> tables = [wl.datasets.load(name) for name in ("iris", "wine")]
    >>> problems = [delve(learners, table.X, table.y) for table in tables]
    >>> combined_sign_test(problems, "tree", "stump")
    SignTest(wins=2, losses=0, ties=0, p=0.5)
    """
    for problem in problems:
        problem._require(first, second)
    errors = [[p.results[name].error.mean for p in problems] for name in (first, second)]
    return sign_test(*errors)


def combined_t_test(problems: Sequence[DelveResults], first: str, second: str) -> TTest:
    """Test over all training sets of several problems whether two learners' models differ in size.

    The differences of all problems are taken together as they are, in nodes, so problems with
    large trees count for more.

    Parameters
    ----------
    problems : list of DelveResults
        One for each problem.
    first, second : str
        The learners.

    Returns
    -------
    TTest
        Of the second's sizes minus the first's.

    Examples
    --------
    >>> import weaklearn as wl
    >>> from weaklearn.experiments import combined_t_test, delve
    >>> learners = {"pruned": wl.C45Classifier(), "full": wl.C45Classifier(prune=False)}
    >>> tables = [wl.datasets.load(name) for name in ("iris", "wine")]
    >>> problems = [delve(learners, table.X, table.y) for table in tables]
    >>> test = combined_t_test(problems, "pruned", "full")
    >>> test.difference >= 0, test.n_pairs
    (True, 8)
    """
    sizes = [[size for p in problems for size in p.sizes(name)] for name in (first, second)]
    return paired_t_test(*sizes)
