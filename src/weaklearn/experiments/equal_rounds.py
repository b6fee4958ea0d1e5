"""Learners that proceed by rounds, compared after equally many.

A round adds one test: a split of TopDown's tree, a stump of AdaBoost's committee. T. Dietterich,
M. Kearns and Y. Mansour, "Applying the weak learning framework to understand and improve C4.5",
ICML 1996, let TopDown run until it makes no training error and give AdaBoost as many rounds, trial
by trial (Table 2); the advantages of the rounds are their Figures 8 to 10.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from weaklearn.experiments.cross_validation import Estimate
from weaklearn.experiments.train_test_splits import Split, check_whole
from weaklearn.experiments.trial import (
    Fold,
    TableLearner,
    count_errors,
    encode_table,
    seed_of_trial,
)
from weaklearn.theory.advantages import Advantages, advantages

LearnerOfRounds = Callable[[int | None], TableLearner]
"""Gives a classifier of so many rounds; of as many as it can use, for None."""


@dataclass(frozen=True, slots=True)
class Run:
    """What came of one learner, one number of rounds and one trial.

    Parameters
    ----------
    learner : str
        The learner.
    n_rounds : int
        How many rounds it was given, or took if it was free to go on.
    outcome : Fold
        Errors and sizes; ``fold`` is the number of the trial.
    advantages : Advantages
        The rounds with their advantages; of a graph its splits.
    """

    learner: str
    n_rounds: int
    outcome: Fold
    advantages: Advantages


@dataclass(frozen=True, slots=True)
class EqualRounds:
    """What came of learners that had equally many rounds.

    Parameters
    ----------
    runs : tuple of Run
        Learner by learner, for each the numbers of rounds, for each of these the trials.
    rounds : tuple of int, or str
        The numbers of rounds, or the learner that was free to go on and set them.
    """

    runs: tuple[Run, ...]
    rounds: tuple[int, ...] | str

    def of(self, learner: str, n_rounds: int | None = None) -> tuple[Run, ...]:
        """Give the runs of a learner, trial by trial.

        Parameters
        ----------
        learner : str
            The learner.
        n_rounds : int, optional
            Of how many rounds; not where a learner set them.

        Returns
        -------
        tuple of Run
            One for each trial.
        """
        names = dict.fromkeys(run.learner for run in self.runs)
        if learner not in names:
            raise ValueError(f"there is no learner {learner!r}; expected one of {list(names)}.")
        free = isinstance(self.rounds, str)
        if (n_rounds is not None) if free else (n_rounds not in self.rounds):
            expected = "None, since a learner set them" if free else f"one of {self.rounds}"
            raise ValueError(f"n_rounds={n_rounds!r}: expected {expected}.")
        return tuple(
            run
            for run in self.runs
            if run.learner == learner and (free or run.n_rounds == n_rounds)
        )

    def n_rounds(self, learner: str, n_rounds: int | None = None) -> Estimate:
        """Give the mean number of rounds, over the trials.

        Parameters
        ----------
        learner, n_rounds
            As for `of`.

        Returns
        -------
        Estimate
            How many rounds it was given, or took if it was free to go on.
        """
        return _estimate([run.n_rounds for run in self.of(learner, n_rounds)])

    def train_error(self, learner: str, n_rounds: int | None = None) -> Estimate:
        """Give the mean share of training rows that are misclassified, over the trials.

        Parameters
        ----------
        learner, n_rounds
            As for `of`.

        Returns
        -------
        Estimate
            Its standard error is that of the trials.
        """
        outcomes = [run.outcome for run in self.of(learner, n_rounds)]
        return _estimate([fold.train_errors / fold.n_train for fold in outcomes])

    def test_error(self, learner: str, n_rounds: int | None = None) -> Estimate:
        """Give the mean share of test rows that are misclassified, over the trials.

        Parameters
        ----------
        learner, n_rounds
            As for `of`.

        Returns
        -------
        Estimate
            Its standard error is that of the trials.
        """
        outcomes = [run.outcome for run in self.of(learner, n_rounds)]
        return _estimate([fold.test_errors / fold.n_test for fold in outcomes])

    def mean_advantages(self, learner: str, n_rounds: int | None = None) -> NDArray[np.float64]:
        """Give the mean advantage of each round, over the trials that had so many.

        Parameters
        ----------
        learner, n_rounds
            As for `of`.

        Returns
        -------
        array of float
            As long as the longest trial.
        """
        sequences = [run.advantages.gamma for run in self.of(learner, n_rounds)]
        longest = max(map(len, sequences))
        return np.array(
            [np.mean([s[t] for s in sequences if t < len(s)]) for t in range(longest)],
            dtype=np.float64,
        )

    def to_dict(self) -> dict[str, Any]:
        """Give the results as plain data, ready for JSON.

        Returns
        -------
        dict
            The numbers of rounds, or the learner that set them; and the runs.
        """
        rounds = self.rounds if isinstance(self.rounds, str) else list(self.rounds)
        runs = [
            {
                "learner": run.learner,
                "n_rounds": run.n_rounds,
                "outcome": asdict(run.outcome),
                "advantages": run.advantages.gamma.tolist(),
            }
            for run in self.runs
        ]
        return {"rounds": rounds, "runs": runs}


def equal_rounds(
    learners: Mapping[str, LearnerOfRounds],
    X: Any,
    y: Any,
    splits: Sequence[Split],
    rounds: Sequence[int] | str,
    *,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: Callable[[], None] | None = None,
) -> EqualRounds:
    """Compare learners that proceed by rounds, after equally many.

    Parameters
    ----------
    learners : dict
        By the names that their results will have: what gives a classifier of weaklearn for a number
        of rounds. Where a classifier's ``random_state`` is None, it gets one that depends on
        ``seed`` and the number of the trial only.
    X : frame
        As for ``fit``.
    y : Series, array or list
        The class of each row.
    splits : list of Split
        The rows of each trial, as `split_folds` and `split_sets` give them.
    rounds : list of int, or str
        How many rounds; or the name of the learner that sets their number. It is asked for with
        None rounds, and in each trial the others get as many as it took.
    seed : int
        What the classifiers' own seeds are derived from.
    n_jobs : int or None
        Trials at a time, by threads; -1 for all processors, None for one.
    progress : callable, optional
        Called after each trial, from the thread that did it.

    Returns
    -------
    EqualRounds
        Errors, sizes and advantages of every run, and their means.

    Examples
    --------
    >>> import weaklearn as wl
    >>> from weaklearn.experiments import equal_rounds, split_folds
    >>> table = wl.datasets.make_xd6(200, random_state=0)
    >>> stumps = lambda n: wl.AdaBoostM1Classifier(wl.StumpClassifier(), n_rounds=n)
    >>> trials = split_folds(table.y, 5)
    >>> results = equal_rounds({"AdaBoost": stumps}, table.X, table.y, trials, [1, 20])
    >>> one, twenty = (results.train_error("AdaBoost", n).mean for n in (1, 20))
    >>> twenty < one, len(results.of("AdaBoost", 20)[0].advantages)
    (True, 20)
    """
    if not learners or not splits:
        raise ValueError(f"got {len(learners)} learners and {len(splits)} splits; expected some.")
    check_whole("seed", seed, 0)
    if isinstance(rounds, str):
        if rounds not in learners:
            raise ValueError(f"rounds={rounds!r}: expected numbers, or one of {list(learners)}.")
        leader, numbers = rounds, []
    else:
        leader, numbers = None, sorted(set(rounds))
        if not numbers:
            raise ValueError("rounds is empty; expected numbers of rounds, such as [1, 10, 100].")
        for number in numbers:
            check_whole("rounds", number, 1)
    tables = {
        name: encode_table(of_rounds(None if name == leader else 1), X, y)
        for name, of_rounds in learners.items()
    }
    root = np.random.SeedSequence(seed)

    def run(name: str, asked: int | None, trial: int) -> Run:
        learner, split = learners[name](asked), splits[trial]
        model, wrong = tables[name].try_out(learner, split, seed_of_trial(root, trial))
        outcome = count_errors(model, wrong, split, trial)
        taken = _rounds_taken(outcome, name) if asked is None else asked
        return Run(name, taken, outcome, advantages(model))

    def run_trial(trial: int) -> list[Run]:
        if leader is None:
            runs = [run(name, number, trial) for name in learners for number in numbers]
        else:
            first = run(leader, None, trial)
            # Rows of one class need no round, and a committee has at least one.
            given = max(first.n_rounds, 1)
            runs = [first if name == leader else run(name, given, trial) for name in learners]
        if progress is not None:
            progress()
        return runs

    # Threads share the datasets, and the core works without Python's lock.
    trials = Parallel(n_jobs=n_jobs, require="sharedmem")(
        delayed(run_trial)(trial) for trial in range(len(splits))
    )
    runs = tuple(run for of_all_trials in zip(*trials, strict=True) for run in of_all_trials)
    return EqualRounds(runs, leader if leader is not None else tuple(numbers))


def _rounds_taken(outcome: Fold, learner: str) -> int:
    """Count the tests of a tree, or the members of a committee."""
    if outcome.n_members is not None:
        return outcome.n_members
    if outcome.size is None or outcome.n_leaves is None:
        raise ValueError(
            f"rounds={learner!r}: its model is neither a tree nor a committee of graphs, so it "
            "cannot be told how many rounds it took; give numbers of rounds."
        )
    return outcome.size - outcome.n_leaves


def _estimate(values: Sequence[float]) -> Estimate:
    """Give the mean of the trials, and how sure it is; of one trial alone nobody knows."""
    numbers = np.array(values, dtype=np.float64)
    deviation = float(numbers.std(ddof=1)) if len(numbers) > 1 else float("nan")
    return Estimate(float(numbers.mean()), deviation / len(numbers) ** 0.5)
