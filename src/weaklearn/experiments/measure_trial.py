"""What a unit of a plan measures: one learner on the rows of one trial.

Every measure gives figures, plain numbers by name, of which tables are made, and details, such as
sequences, of which figures are drawn. Both are ready for JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np

from weaklearn.experiments.classifiers import make_classifier
from weaklearn.experiments.equal_rounds import equal_rounds
from weaklearn.experiments.problem_tables import load_problem
from weaklearn.experiments.train_test_splits import Split
from weaklearn.experiments.trial import EncodedTable, count_errors, encode_table
from weaklearn.models.graph import Graph
from weaklearn.models.saving import graph_content
from weaklearn.pruning import curve


@dataclass(frozen=True, slots=True)
class Trial:
    """All that a measure may look at.

    Parameters
    ----------
    problem : mapping
        Which table, as `weaklearn.experiments.problem_tables` reads it.
    learner : mapping
        Which classifier, as `make_classifier` reads it.
    measure : mapping
        What is to be measured, and how.
    split : Split
        The rows.
    seed : SeedSequence
        The trial's own.
    """

    problem: Mapping[str, Any]
    learner: Mapping[str, Any]
    measure: Mapping[str, Any]
    split: Split
    seed: np.random.SeedSequence

    @property
    def number(self) -> int:
        """The seed as one number."""
        return int(self.seed.generate_state(1)[0])

    def rows(self, which: np.ndarray) -> tuple[Any, Any]:
        """Give some rows and their classes."""
        table = load_problem(self.problem)
        assert table.y is not None
        places = np.flatnonzero(which)
        return table.X.iloc[places], table.y.iloc[places]

    def fitted(self) -> Any:
        """Give the classifier fitted to the training rows as a frame."""
        model = make_classifier(self.learner)
        if model.get_params(deep=False).get("random_state", 0) is None:
            model.set_params(random_state=self.number)
        return model.fit(*self.rows(self.split.train))


def measure(trial: Trial) -> dict[str, Any]:
    """Measure what the trial asks for.

    Parameters
    ----------
    trial : Trial
        Its ``measure`` names one of `MEASURES`.

    Returns
    -------
    dict
        ``n_test``, the figures and the details.
    """
    figures, details = MEASURES[trial.measure["kind"]](trial)
    return {"n_test": int(trial.split.test.sum()), "figures": figures, "details": details}


Found = tuple[dict[str, float], dict[str, Any]]


def _errors(trial: Trial) -> Found:
    """Note error rates and sizes; which test rows are wrong, where the trials share them."""
    texts = (json.dumps(part, sort_keys=True) for part in (trial.problem, trial.learner))
    model, wrong = _encoded(*texts).try_out(make_classifier(trial.learner), trial.split, trial.seed)
    fold = count_errors(model, wrong, trial.split, 0)
    figures: dict[str, float] = {
        "error": fold.test_errors / fold.n_test,
        "train error": fold.train_errors / fold.n_train,
    }
    if fold.size is not None:
        figures["size"] = fold.size
    if fold.size is not None and fold.n_leaves is not None:
        figures["tests"] = fold.size - fold.n_leaves
    if fold.n_members is not None:
        figures["members"] = fold.n_members
    if not trial.measure.get("note_wrong"):
        return figures, {}
    return figures, {"wrong": np.flatnonzero(wrong[trial.split.test]).tolist()}


@lru_cache(maxsize=8)  # the learners of a problem
def _encoded(problem: str, learner: str) -> EncodedTable:
    table = load_problem(json.loads(problem))
    return encode_table(make_classifier(json.loads(learner)), table.X, table.y)


def _rounds(trial: Trial) -> Found:
    """Let one learner run to its end, and give the others as many rounds."""
    table = load_problem(trial.problem)
    learners: dict[str, Callable[[int | None], Any]] = {
        name: partial(_of_rounds, learner)
        for name, learner in trial.learner.items()
        if isinstance(learner, Mapping)
    }
    leader = trial.learner["leader"]
    found = equal_rounds(learners, table.X, table.y, [trial.split], leader, seed=trial.number)
    figures: dict[str, float] = {}
    details = {}
    for run in found.runs:
        outcome = run.outcome
        figures[f"{run.learner}, rounds"] = run.n_rounds
        figures[f"{run.learner}, train error"] = outcome.train_errors / outcome.n_train
        figures[f"{run.learner}, error"] = outcome.test_errors / outcome.n_test
        details[run.learner] = {
            name: getattr(run.advantages, name).tolist() for name in ("gamma", "weight", "gain")
        }
    return figures, details


def _of_rounds(learner: Mapping[str, Any], n_rounds: int | None) -> Any:
    return make_classifier({**learner, "n_rounds": n_rounds})


def _pruning(trial: Trial) -> Found:
    """Note errors of a committee, and of what several methods keep of it, at shares of its size."""
    model, rates = trial.fitted(), trial.measure["rates"]
    # floor(rate T), whatever the rounding of the product
    size_of = {rate: max(1, int(rate * len(model) + 1e-9)) for rate in rates}
    found = _curve(trial, model, set(size_of.values()))
    figures = {"error": found.full_error, "members": found.n_members}
    for method in trial.measure["methods"]:
        for rate, size in size_of.items():
            error = found.errors[method][found.sizes.index(size)]
            figures[f"{method} {rate}"] = float(error)
    return figures, {}


def _sizes(trial: Trial) -> Found:
    """Note error and margin by the number of members kept, for all numbers or those asked for."""
    model = trial.fitted()
    asked = trial.measure.get("sizes")
    sizes = None if asked is None else {min(size, len(model)) for size in (*asked, len(model))}
    found = _curve(trial, model, sizes)
    details = {
        "sizes": list(found.sizes),
        "errors": {name: errors.tolist() for name, errors in found.errors.items()},
        "margins": {name: margins.tolist() for name, margins in found.margins.items()},
    }
    figures: dict[str, float] = {"error": found.full_error, "members": found.n_members}
    for method, size in found.smallest_within(0.005).items():
        figures[f"{method}, smallest"] = found.n_members if size is None else size
    return figures, details


def _curve(trial: Trial, model: Any, sizes: set[int] | None) -> Any:
    X, y = trial.rows(trial.split.train)
    X_test, y_test = trial.rows(trial.split.test)
    return curve(
        model,
        X,
        y,
        X_test=X_test,
        y_test=y_test,
        sizes=sizes,
        methods=trial.measure["methods"],
        random_state=trial.number,
    )


def _stages(trial: Trial) -> Found:
    """Note the error after each round of a committee."""
    model = trial.fitted()
    X, y = trial.rows(trial.split.test)
    labels = np.asarray(y)
    errors = [float(np.mean(answers != labels)) for answers in model.staged_predict(X)]
    return {"error": errors[-1], "members": len(errors)}, {"errors": errors}


def _graph(trial: Trial) -> Found:
    """Keep the graph itself, to be drawn."""
    model = trial.fitted()
    graph = model.graph_
    assert isinstance(graph, Graph)
    X, y = trial.rows(trial.split.test)
    error = float(np.mean(model.predict(X) != np.asarray(y)))
    figures = {"error": error, "size": graph.size, "tests": graph.size - graph.n_leaves}
    return figures, {"graph": graph_content(graph)}


MEASURES: dict[str, Callable[[Trial], Found]] = {
    "errors": _errors,
    "rounds": _rounds,
    "pruning": _pruning,
    "sizes": _sizes,
    "stages": _stages,
    "graph": _graph,
}
