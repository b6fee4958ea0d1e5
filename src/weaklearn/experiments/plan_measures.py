"""Measure one learner on the rows of one trial: the measures that a plan can ask for.

Every measure returns quantities and details. Quantities are numbers by name, such as an error rate;
the report's tables are made of them. Details are other plain data, such as the error after each
round; the report's figures are drawn from them. A new measure is one function and one line in
`MEASURES`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np

from weaklearn.experiments.classifier_from_plan import make_classifier
from weaklearn.experiments.equal_rounds import equal_rounds
from weaklearn.experiments.fit_and_count_errors import EncodedTable, count_errors, encode_table
from weaklearn.experiments.load_problem import load_problem
from weaklearn.experiments.train_test_splits import Split
from weaklearn.models.file_content import plain
from weaklearn.models.graph import Graph
from weaklearn.models.graph_content import graph_content
from weaklearn.pruning import curve

#: The quantities that count something. All others are shares, and reports show them in percent.
_COUNTS = ("size", "internal nodes", "members", "rounds", "smallest")


def is_share(quantity: str) -> bool:
    """Return whether a quantity is a share, such as an error rate, and not a count.

    Examples
    --------
    >>> is_share("AdaBoost, train error"), is_share("TopDown, rounds")
    (True, False)
    """
    return quantity.split(", ")[-1] not in _COUNTS


@dataclass(frozen=True, slots=True)
class Trial:
    """The inputs of a measure.

    Parameters
    ----------
    problem : mapping
        The table, as `weaklearn.experiments.load_problem` reads it.
    learner : mapping
        The classifier, as `make_classifier` reads it.
    measure : mapping
        The measure and its settings.
    split : Split
        The rows.
    seed : SeedSequence
        The seed of the trial.
    """

    problem: Mapping[str, Any]
    learner: Mapping[str, Any]
    measure: Mapping[str, Any]
    split: Split
    seed: np.random.SeedSequence

    @property
    def integer_seed(self) -> int:
        """The seed as one integer."""
        return int(self.seed.generate_state(1)[0])

    def rows(self, mask: np.ndarray) -> tuple[Any, Any]:
        """Return the rows that a mask selects, and their classes."""
        table = load_problem(self.problem)
        assert table.y is not None
        indices = np.flatnonzero(mask)
        return table.X.iloc[indices], table.y.iloc[indices]

    def fitted_model(self) -> Any:
        """Return the classifier, fitted to the training rows as a frame."""
        model = make_classifier(self.learner)
        if model.get_params(deep=False).get("random_state", 0) is None:
            model.set_params(random_state=self.integer_seed)
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
        ``n_test``, the ``quantities`` and the ``details``, as plain data.
    """
    quantities, details = MEASURES[trial.measure["kind"]](trial)
    return {"n_test": int(trial.split.test.sum()), "quantities": quantities, "details": details}


Measured = tuple[dict[str, float], dict[str, Any]]


def _measure_errors(trial: Trial) -> Measured:
    """Measure error rates and sizes; with ``keep_wrong_rows`` also list the wrong test rows."""
    texts = (json.dumps(part, sort_keys=True) for part in (trial.problem, trial.learner))
    table = _encoded_table(*texts)
    model, wrong = table.fit_and_test(make_classifier(trial.learner), trial.split, trial.seed)
    fold = count_errors(model, wrong, trial.split, 0)
    quantities: dict[str, float] = {
        "error": fold.test_errors / fold.n_test,
        "train error": fold.train_errors / fold.n_train,
    }
    if fold.size is not None:
        quantities["size"] = fold.size
    if fold.size is not None and fold.n_leaves is not None:
        quantities["internal nodes"] = fold.size - fold.n_leaves
    if fold.n_members is not None:
        quantities["members"] = fold.n_members
    if not trial.measure.get("keep_wrong_rows"):
        return quantities, {}
    return quantities, {"wrong_rows": np.flatnonzero(wrong[trial.split.test]).tolist()}


@lru_cache(maxsize=8)  # a problem has at most about eight learners
def _encoded_table(problem: str, learner: str) -> EncodedTable:
    table = load_problem(json.loads(problem))
    return encode_table(make_classifier(json.loads(learner)), table.X, table.y)


def _measure_rounds(trial: Trial) -> Measured:
    """Run the ``leader`` until it stops by itself, and the other learners for as many rounds."""
    table = load_problem(trial.problem)
    learners: dict[str, Callable[[int | None], Any]] = {
        name: partial(_with_rounds, learner)
        for name, learner in trial.learner.items()
        if isinstance(learner, Mapping)
    }
    leader = trial.learner["leader"]
    results = equal_rounds(
        learners, table.X, table.y, [trial.split], leader, seed=trial.integer_seed
    )
    quantities: dict[str, float] = {}
    details = {}
    for run in results.runs:
        outcome = run.outcome
        quantities[f"{run.learner}, rounds"] = run.n_rounds
        quantities[f"{run.learner}, train error"] = outcome.train_errors / outcome.n_train
        quantities[f"{run.learner}, error"] = outcome.test_errors / outcome.n_test
        details[run.learner] = {
            name: getattr(run.advantages, name).tolist() for name in ("gamma", "weight", "gain")
        }
    return quantities, details


def _with_rounds(learner: Mapping[str, Any], n_rounds: int | None) -> Any:
    return make_classifier({**learner, "n_rounds": n_rounds})


def _measure_pruning(trial: Trial) -> Measured:
    """Measure the error of a committee, whole and pruned by several methods to several rates."""
    model, rates = trial.fitted_model(), trial.measure["rates"]
    # The size is floor(rate * T). The small addend makes up for the rounding of the product.
    size_of = {rate: max(1, int(rate * len(model) + 1e-9)) for rate in rates}
    pruned = _pruning_curve(trial, model, set(size_of.values()))
    quantities = {"error": pruned.full_error, "members": pruned.n_members}
    for method in trial.measure["methods"]:
        for rate, size in size_of.items():
            error = pruned.errors[method][pruned.sizes.index(size)]
            quantities[f"{method} {rate}"] = float(error)
    return quantities, {}


def _measure_sizes(trial: Trial) -> Measured:
    """Measure error and margin by the number of members kept: every number, or ``sizes``."""
    model = trial.fitted_model()
    asked = trial.measure.get("sizes")
    sizes = None if asked is None else {min(size, len(model)) for size in (*asked, len(model))}
    pruned = _pruning_curve(trial, model, sizes)
    details = {
        "sizes": list(pruned.sizes),
        "errors": {name: errors.tolist() for name, errors in pruned.errors.items()},
        "margins": {name: margins.tolist() for name, margins in pruned.margins.items()},
    }
    quantities: dict[str, float] = {"error": pruned.full_error, "members": pruned.n_members}
    for method, size in pruned.smallest_within(0.005).items():
        quantities[f"{method}, smallest"] = pruned.n_members if size is None else size
    return quantities, details


def _pruning_curve(trial: Trial, model: Any, sizes: set[int] | None) -> Any:
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
        random_state=trial.integer_seed,
    )


def _measure_stages(trial: Trial) -> Measured:
    """Measure the test error after each round of a committee."""
    model = trial.fitted_model()
    X, y = trial.rows(trial.split.test)
    labels = np.asarray(y)
    errors = [float(np.mean(predicted != labels)) for predicted in model.staged_predict(X)]
    return {"error": errors[-1], "members": len(errors)}, {"errors": errors}


def _measure_graph(trial: Trial) -> Measured:
    """Keep the graph itself, for a drawing."""
    model = trial.fitted_model()
    graph = model.graph_
    assert isinstance(graph, Graph)
    X, y = trial.rows(trial.split.test)
    error = float(np.mean(model.predict(X) != np.asarray(y)))
    n_internal = graph.size - graph.n_leaves
    quantities = {"error": error, "size": graph.size, "internal nodes": n_internal}
    return quantities, {"graph": plain(graph_content(graph))}


#: The values of ``kind`` in a plan's ``measure``.
MEASURES: dict[str, Callable[[Trial], Measured]] = {
    "errors": _measure_errors,
    "rounds": _measure_rounds,
    "pruning": _measure_pruning,
    "sizes": _measure_sizes,
    "stages": _measure_stages,
    "graph": _measure_graph,
}
