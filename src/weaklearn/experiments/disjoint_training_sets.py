"""Compare learners on disjoint training sets and one test set: the design of DELVE.

G. Hinton, R. Neal, R. Tibshirani and others describe it in "Assessing learning procedures using
DELVE", University of Toronto, 1995. T. Dietterich, M. Kearns and Y. Mansour compare splitting
criteria in this way (Table 1 of "Applying the weak learning framework to understand and improve
C4.5", ICML 1996).

The results of disjoint training sets are independent, except that they share the test set. So the
interval of a difference of error rates is computed from the test rows (`marginal_homogeneity`).
Sizes do not depend on the test set, so a paired t-test will do for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from weaklearn.experiments.cross_validation import Results
from weaklearn.experiments.fit_and_count_errors import (
    Fold,
    TableLearner,
    count_errors,
    encode_table,
)
from weaklearn.experiments.paired_tests import (
    Interval,
    SignTest,
    TTest,
    marginal_homogeneity,
    paired_t_test,
    sign_test,
)
from weaklearn.experiments.train_test_splits import seed_of_trial, split_sets


@dataclass(frozen=True, slots=True, eq=False)
class DisjointSetsResults:
    """The results of learners on disjoint training sets and one test set.

    Parameters
    ----------
    results : dict
        The `Results` of each learner, with a fold for each training set.
    wrong : dict
        For each learner an array of shape (n_sets, n_test_rows): True where the model of a training
        set misclassifies a test row.
    test_rows : array of int
        The indices of the test rows in the table.
    """

    results: dict[str, Results]
    wrong: dict[str, NDArray[np.bool_]]
    test_rows: NDArray[np.intp]

    def __repr__(self) -> str:
        learners, n_sets = ", ".join(self.results), len(next(iter(self.wrong.values())))
        return (
            f"DisjointSetsResults({learners}: {n_sets} training sets, {len(self.test_rows):,} test "
            "rows)"
        )

    def error_interval(self, first: str, second: str) -> Interval:
        """Return a 95% interval for the second learner's error rate minus the first's.

        Parameters
        ----------
        first, second : str
            The names of the learners.

        Returns
        -------
        Interval
            Computed by `marginal_homogeneity`.
        """
        self._require(first, second)
        return marginal_homogeneity(self.wrong[first], self.wrong[second])

    def size_test(self, first: str, second: str) -> TTest:
        """Test whether two learners' models differ in size, over the training sets.

        Parameters
        ----------
        first, second : str
            The names of learners whose models are graphs or committees of graphs.

        Returns
        -------
        TTest
            Its difference is the second's mean size minus the first's.
        """
        return paired_t_test(self.sizes(first), self.sizes(second))

    def sizes(self, learner: str) -> list[int]:
        """Return the size of a learner's model for each training set.

        Parameters
        ----------
        learner : str
            The name of a learner whose models are graphs or committees of graphs.

        Returns
        -------
        list of int
            The number of nodes, one for each training set.
        """
        self._require(learner)
        sizes = [fold.size for fold in self.results[learner].folds]
        known = [size for size in sizes if size is not None]
        if len(known) < len(sizes):
            raise ValueError(f"the models of {learner!r} have no size: they are not graphs.")
        return known

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain data that can be written as JSON.

        Returns
        -------
        dict
            The test rows, and for each learner its `Results` and the test rows that the model of
            each training set misclassifies.
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


def compare_on_disjoint_sets(
    learners: Mapping[str, TableLearner],
    X: Any,
    y: Any,
    *,
    n_sets: int = 4,
    test: Any = None,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: Callable[[], None] | None = None,
) -> DisjointSetsResults:
    """Train every learner on each of several disjoint sets, and test all on the same rows.

    Parameters
    ----------
    learners : dict
        Classifiers of weaklearn by name. Each is cloned for each training set. Where its
        ``random_state`` is None, the clone gets one that depends only on ``seed`` and the set.
    X : frame
        As for ``fit``.
    y : Series, array or list
        The class of each row.
    n_sets, test, seed
        As for `split_sets`.
    n_jobs : int or None
        How many models to fit at the same time, in threads; -1 for all processors, None for one.
    progress : callable, optional
        Called after each fit, from the thread that ran it.

    Returns
    -------
    DisjointSetsResults
        The errors and sizes of each learner on every set, with methods that compare two learners.

    Examples
    --------
    >>> import weaklearn as wl
    >>> from weaklearn.experiments import compare_on_disjoint_sets
    >>> iris = wl.datasets.load("iris")
    >>> learners = {name: wl.C45Classifier(criterion=name) for name in ("km", "gain")}
    >>> results = compare_on_disjoint_sets(learners, iris.X, iris.y, n_sets=3, test=60)
    >>> results
    DisjointSetsResults(km, gain: 3 training sets, 60 test rows)
    >>> results.error_interval("km", "gain").significant
    False
    """
    if not learners:
        raise ValueError("learners is empty; expected at least one classifier and its name.")
    tables = {name: encode_table(learner, X, y) for name, learner in learners.items()}
    splits = split_sets(y, n_sets, test=test, seed=seed)
    is_test = splits[0].test
    root = np.random.SeedSequence(seed)

    def run(name: str, index: int) -> tuple[Fold, NDArray[np.bool_]]:
        split = splits[index]
        model, wrong = tables[name].fit_and_test(learners[name], split, seed_of_trial(root, index))
        if progress is not None:
            progress()
        return count_errors(model, wrong, split, index), wrong[is_test]

    tasks = [(name, index) for name in learners for index in range(n_sets)]
    # Threads can share the datasets because the core releases Python's global lock.
    trials = Parallel(n_jobs=n_jobs, require="sharedmem")(delayed(run)(*task) for task in tasks)
    results, wrong = {}, {}
    for place, name in enumerate(learners):
        folds, errors = zip(*trials[place * n_sets : (place + 1) * n_sets], strict=True)
        results[name] = Results(folds, len(is_test), n_sets, 1, seed)
        wrong[name] = np.stack(errors)
    return DisjointSetsResults(results, wrong, np.flatnonzero(is_test))


def combined_sign_test(
    problems: Sequence[DisjointSetsResults], first: str, second: str
) -> SignTest:
    """Test over several problems whether one learner has the lower error rate more often.

    Parameters
    ----------
    problems : list of DisjointSetsResults
        One for each problem.
    first, second : str
        The names of the learners.

    Returns
    -------
    SignTest
        Its wins are the problems on which the first learner's mean error is the lower.

    Examples
    --------
    >>> import weaklearn as wl
    >>> from weaklearn.experiments import combined_sign_test, compare_on_disjoint_sets
    >>> learners = {"tree": wl.C45Classifier(), "stump": wl.StumpClassifier()}
    >>> tables = [wl.datasets.load(name) for name in ("iris", "wine")]
    >>> problems = [compare_on_disjoint_sets(learners, table.X, table.y) for table in tables]
    >>> combined_sign_test(problems, "tree", "stump")
    SignTest(wins=2, losses=0, ties=0, p=0.5)
    """
    for problem in problems:
        problem._require(first, second)
    errors = [[p.results[name].error.mean for p in problems] for name in (first, second)]
    return sign_test(*errors)


def combined_t_test(problems: Sequence[DisjointSetsResults], first: str, second: str) -> TTest:
    """Test over all training sets of several problems whether two learners' models differ in size.

    The differences of all problems are in nodes and are not scaled, so problems with large trees
    count for more.

    Parameters
    ----------
    problems, first, second
        As for `combined_sign_test`.

    Returns
    -------
    TTest
        Its difference is the second's mean size minus the first's.

    Examples
    --------
    >>> import weaklearn as wl
    >>> from weaklearn.experiments import combined_t_test, compare_on_disjoint_sets
    >>> learners = {"pruned": wl.C45Classifier(), "full": wl.C45Classifier(prune=False)}
    >>> tables = [wl.datasets.load(name) for name in ("iris", "wine")]
    >>> problems = [compare_on_disjoint_sets(learners, table.X, table.y) for table in tables]
    >>> test = combined_t_test(problems, "pruned", "full")
    >>> test.difference >= 0, test.n_pairs
    (True, 8)
    """
    sizes = [[size for p in problems for size in p.sizes(name)] for name in (first, second)]
    return paired_t_test(*sizes)
