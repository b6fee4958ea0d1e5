"""Compare learners that work in rounds after equally many rounds.

A round adds one split: to TopDown's tree, or as a stump to AdaBoost's committee. T. Dietterich, M.
Kearns and Y. Mansour ("Applying the weak learning framework to understand and improve C4.5", ICML
1996) run TopDown until it makes no training error, and give AdaBoost as many rounds in each trial
(Table 2). The advantages of the rounds are their Figures 8 to 10.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from weaklearn.experiments.cross_validation import Estimate
from weaklearn.experiments.fit_and_count_errors import (
    Fold,
    TableLearner,
    count_errors,
    encode_table,
)
from weaklearn.experiments.train_test_splits import Split, check_whole, seed_of_trial
from weaklearn.theory.advantages import Advantages, advantages

LearnerOfRounds = Callable[[int | None], TableLearner]
"""Makes a classifier that runs for this many rounds, or for None until it stops by itself."""


@dataclass(frozen=True, slots=True)
class Run:
    """One learner in one trial, with one number of rounds.

    Parameters
    ----------
    learner : str
        The name of the learner.
    n_rounds : int
        How many rounds it was given, or took if it ran until it stopped by itself.
    outcome : Fold
        Errors and sizes; ``fold`` is the index of the trial.
    advantages : Advantages
        The advantages of the rounds; of a graph those of its splits.
    """

    learner: str
    n_rounds: int
    outcome: Fold
    advantages: Advantages

    def __repr__(self) -> str:
        errors = f"{self.outcome.test_errors} of {self.outcome.n_test} test rows wrong"
        return f"Run({self.learner}, trial {self.outcome.fold}, {self.n_rounds} rounds, {errors})"


@dataclass(frozen=True, slots=True)
class EqualRounds:
    """The results of learners that had equally many rounds.

    Parameters
    ----------
    runs : tuple of Run
        Sorted by learner, then by number of rounds, then by trial.
    rounds : tuple of int, or str
        The numbers of rounds, or the name of the learner that ran until it stopped by itself and
        so set the number for the others.
    """

    runs: tuple[Run, ...]
    rounds: tuple[int, ...] | str

    def __repr__(self) -> str:
        learners = ", ".join(self._learners())
        rounds = f"as many rounds as {self.rounds}"
        if not isinstance(self.rounds, str):
            rounds = f"rounds {', '.join(map(str, self.rounds[:8]))}"
            rounds += ", ..." * (len(self.rounds) > 8)
        return f"EqualRounds({learners}: {rounds}, {len(self.runs)} runs)"

    def of(self, learner: str, n_rounds: int | None = None) -> tuple[Run, ...]:
        """Return the runs of a learner, one for each trial.

        The methods below take the same arguments.

        Parameters
        ----------
        learner : str
            The name of the learner.
        n_rounds : int, optional
            One of the numbers of rounds. Leave it out where a learner set the number.

        Returns
        -------
        tuple of Run
            One for each trial.
        """
        if learner not in self._learners():
            expected = ", ".join(self._learners())
            raise ValueError(f"there is no learner {learner!r}; expected one of {expected}.")
        if isinstance(self.rounds, str):
            if n_rounds is not None:
                raise ValueError(
                    f"got n_rounds {n_rounds!r}, but {self.rounds!r} set the number of rounds; "
                    "leave n_rounds out."
                )
        elif n_rounds not in self.rounds:
            expected = ", ".join(map(str, self.rounds))
            raise ValueError(f"got n_rounds {n_rounds!r}; expected one of {expected}.")
        return tuple(
            run for run in self.runs if run.learner == learner and n_rounds in (None, run.n_rounds)
        )

    def n_rounds(self, learner: str, n_rounds: int | None = None) -> Estimate:
        """Compute the mean number of rounds that the learner was given, or took by itself."""
        return _estimate([run.n_rounds for run in self.of(learner, n_rounds)])

    def train_error(self, learner: str, n_rounds: int | None = None) -> Estimate:
        """Compute the mean share of training rows that are misclassified, over the trials."""
        folds = [run.outcome for run in self.of(learner, n_rounds)]
        return _estimate([fold.train_errors / fold.n_train for fold in folds])

    def test_error(self, learner: str, n_rounds: int | None = None) -> Estimate:
        """Compute the mean share of test rows that are misclassified, over the trials."""
        folds = [run.outcome for run in self.of(learner, n_rounds)]
        return _estimate([fold.test_errors / fold.n_test for fold in folds])

    def mean_advantages(self, learner: str, n_rounds: int | None = None) -> NDArray[np.float64]:
        """Compute the mean advantage of each round, over the trials that had that round.

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
        """Return the results as plain data that can be written as JSON.

        Returns
        -------
        dict
            The numbers of rounds, or the learner that set the number; and the runs.
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

    def _learners(self) -> list[str]:
        return list(dict.fromkeys(run.learner for run in self.runs))


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
    """Compare learners that work in rounds after equally many rounds.

    Parameters
    ----------
    learners : dict
        For each name a function that takes a number of rounds and returns a classifier of
        weaklearn. Where the classifier's ``random_state`` is None, it gets one that depends only
        on ``seed`` and the trial.
    X : frame
        As for ``fit``.
    y : Series, array or list
        The class of each row.
    splits : list of Split
        The rows of each trial, as `split_folds` and `split_sets` return them.
    rounds : list of int, or str
        The numbers of rounds to try, or the name of the learner that sets the number. That
        learner's function is called with None, and in each trial the other learners get as many
        rounds as it took.
    seed : int
        The classifiers' own seeds are derived from it.
    n_jobs : int or None
        How many trials to run at the same time, in threads; -1 for all processors, None for one.
    progress : callable, optional
        Called after each trial, from the thread that ran it.

    Returns
    -------
    EqualRounds
        The errors, sizes and advantages of every run, and their means.

    Examples
    --------
    >>> import weaklearn as wl
    >>> from weaklearn.experiments import equal_rounds, split_folds
    >>> table = wl.datasets.make_xd6(200, random_state=0)
    >>> stumps = lambda n: wl.AdaBoostM1Classifier(wl.StumpClassifier(), n_rounds=n)
    >>> trials = split_folds(table.y, 5)
    >>> results = equal_rounds({"AdaBoost": stumps}, table.X, table.y, trials, [1, 20])
    >>> results
    EqualRounds(AdaBoost: rounds 1, 20, 10 runs)
    >>> [round(results.train_error("AdaBoost", n).mean, 3) for n in (1, 20)]
    [0.34, 0.184]
    """
    if not learners or not splits:
        raise ValueError(
            f"got {len(learners)} learners and {len(splits)} splits; expected at least one of each."
        )
    check_whole("seed", seed, 0)
    if isinstance(rounds, str):
        if rounds not in learners:
            raise ValueError(
                f"got rounds {rounds!r}; expected numbers, or one of {', '.join(learners)}."
            )
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

    def run(name: str, n_rounds: int | None, trial: int) -> Run:
        learner, split = learners[name](n_rounds), splits[trial]
        model, wrong = tables[name].fit_and_test(learner, split, seed_of_trial(root, trial))
        outcome = count_errors(model, wrong, split, trial)
        n_taken = _rounds_taken(outcome, name) if n_rounds is None else n_rounds
        return Run(name, n_taken, outcome, advantages(model))

    def run_trial(trial: int) -> list[Run]:
        if leader is None:
            runs = [run(name, number, trial) for name in learners for number in numbers]
        else:
            first = run(leader, None, trial)
            # A tree needs no round for rows of one class, but a committee has at least one.
            n_rounds = max(first.n_rounds, 1)
            runs = [first if name == leader else run(name, n_rounds, trial) for name in learners]
        if progress is not None:
            progress()
        return runs

    # Threads can share the datasets because the core releases Python's global lock.
    trials = Parallel(n_jobs=n_jobs, require="sharedmem")(
        delayed(run_trial)(trial) for trial in range(len(splits))
    )
    runs = tuple(run for of_all_trials in zip(*trials, strict=True) for run in of_all_trials)
    return EqualRounds(runs, leader if leader is not None else tuple(numbers))


def _rounds_taken(outcome: Fold, learner: str) -> int:
    """Count the splits of a tree, or the members of a committee."""
    if outcome.n_members is not None:
        return outcome.n_members
    if outcome.size is None or outcome.n_leaves is None:
        raise ValueError(
            f"{learner!r} cannot set the number of rounds: its model is neither a tree nor a "
            "committee of graphs. Give numbers of rounds instead."
        )
    return outcome.size - outcome.n_leaves


def _estimate(values: Sequence[float]) -> Estimate:
    """Compute the mean of the trials and its standard error, which is NaN for one trial."""
    numbers = np.array(values, dtype=np.float64)
    deviation = float(numbers.std(ddof=1)) if len(numbers) > 1 else float("nan")
    return Estimate(float(numbers.mean()), deviation / len(numbers) ** 0.5)
