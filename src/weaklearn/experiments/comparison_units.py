"""The work units of a comparison: one model on one fold of one table, for one seed.

Folds and seeds are those of `cross_validate`, so a classifier of weaklearn has the same results in
both. The tables of a comparison are written to a temporary folder, from which every worker reads
them once.
"""

from __future__ import annotations

import json
import pickle
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from threadpoolctl import ThreadpoolController

from weaklearn.boosting.sampling import deal_folds
from weaklearn.experiments.load_problem import checksum
from weaklearn.experiments.model_size import model_size
from weaklearn.experiments.peer_encodings import EncodedTrial, encode_trial
from weaklearn.experiments.peer_models import ComparedModel
from weaklearn.experiments.prediction_scores import Predictions
from weaklearn.experiments.train_test_splits import check_n_folds, seed_of_repeat, seed_of_trial
from weaklearn.experiments.work_units import Outcome, WorkUnit, canonical_json, outcome_of
from weaklearn.tables import Table

#: The files that the results of other libraries depend on, below the package's folder. While they
#: stay the same, stored results of peers are used again, whatever else changes in weaklearn.
FILES_BEHIND_PEERS = (
    "boosting/sampling.py",
    "experiments/comparison_units.py",
    "experiments/model_size.py",
    "experiments/peer_encodings.py",
    "experiments/prediction_scores.py",
    "experiments/train_test_splits.py",
)


@dataclass(frozen=True, slots=True)
class RunInFolder:
    """Run the units of a comparison whose tables are in a folder.

    Parameters
    ----------
    folder : str
        Where `write_tables` has put the tables.
    models : mapping
        The models, by name.
    """

    folder: str
    models: Mapping[str, ComparedModel]

    def __call__(self, unit: WorkUnit) -> Outcome:
        """Fit the unit's model to the training rows of its fold, and score the test rows."""
        path = _path(self.folder, unit.checksum)
        model = self.models[unit.learner]
        return outcome_of(unit, lambda: _read_table(path), lambda: _measure(unit, path, model))


def make_units(
    tables: Mapping[str, Table],
    models: Mapping[str, ComparedModel],
    n_folds: int,
    n_seeds: int,
    seed: int,
) -> list[WorkUnit]:
    """Make the units of a comparison.

    Models of the same fold follow each other, because they can share its encoded rows.
    """
    recipes = {
        name: canonical_json({"n_folds": n_folds, "seed": seed, "model": model.recipe})
        for name, model in models.items()
    }
    units = []
    for name, table in tables.items():
        check_n_folds(n_folds, table.n_rows)
        data = checksum(table)
        units += [
            WorkUnit("compare", "folds", name, model, repeat, fold, recipe, data)
            for repeat in range(n_seeds)
            for fold in range(n_folds)
            for model, recipe in recipes.items()
        ]
    return units


def write_tables(tables: Mapping[str, Table], units: Sequence[WorkUnit], folder: str) -> None:
    """Write the tables of units to a folder, for `RunInFolder`."""
    for name, data in {(unit.problem, unit.checksum) for unit in units}:
        table = tables[name]
        assert table.y is not None
        _path(folder, data).write_bytes(pickle.dumps((table.X, table.y), protocol=5))


def _path(folder: str, data: str) -> Path:
    return Path(folder) / f"{data}.pickle"


@lru_cache(maxsize=2)  # the units of a table run one after another
def _read_table(path: Path) -> tuple[Any, Any]:
    # The file is ours: this run has written it into a folder that only its user can write to.
    X, y = pickle.loads(path.read_bytes())
    return X, y


@lru_cache(maxsize=4)
def _test_rows(path: Path, n_folds: int, seed: int, repeat: int, fold: int) -> NDArray[np.bool_]:
    _, y = _read_table(path)
    classes = y.cat.codes.to_numpy(dtype=np.int32)
    generator = np.random.default_rng(seed_of_repeat(seed, repeat))
    is_test: NDArray[np.bool_] = deal_folds(classes, n_folds, generator) == fold
    return is_test


@lru_cache(maxsize=4)  # one fold in each encoding
def _encoded_trial(
    path: Path, n_folds: int, seed: int, repeat: int, fold: int, encoding: str
) -> EncodedTrial:
    X, _ = _read_table(path)
    is_test = _test_rows(path, n_folds, seed, repeat, fold)
    return encode_trial(encoding, X[~is_test], X[is_test])


def _measure(unit: WorkUnit, path: Path, model: ComparedModel) -> dict[str, Any]:
    recipe = _parsed(unit.recipe)
    trial = (path, recipe["n_folds"], recipe["seed"], unit.repeat, unit.fold)
    is_test = _test_rows(*trial)
    rows = _encoded_trial(*trial, model.encoding)
    _, y = _read_table(path)
    seed = seed_of_trial(seed_of_repeat(recipe["seed"], unit.repeat), unit.fold)
    estimator = seeded_clone(model.estimator, seed)
    if rows.nominal and model.encoding == "text":
        estimator.set_params(cat_features=list(rows.nominal))
    # Workers run side by side, so each fit gets one thread; then times can be compared.
    with _thread_pools(model.package).limit(limits=1), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the caller has seen the notes about the table
        scores, fitted = _fit_and_score(estimator, rows, y, is_test)
    size = model_size(fitted)
    return {**scores, "size": None if size is None else asdict(size)}


@lru_cache(maxsize=16)
def _thread_pools(package: str) -> ThreadpoolController:
    """Find the thread pools of the libraries in use, once for each package: it takes a while."""
    return ThreadpoolController()


@lru_cache(maxsize=64)
def _parsed(recipe: str) -> Any:
    return json.loads(recipe)


def seeded_clone(estimator: Any, seed: np.random.SeedSequence) -> Any:
    """Clone a classifier and set its seed, or those of its parts, where they are None."""
    copy = clone(estimator)
    number = int(seed.generate_state(1)[0])
    own = copy.get_params(deep=False)
    if type(copy).__module__.startswith("catboost"):
        copy.set_params(random_seed=number % 2**31)  # get_params leaves out what was not given
    elif "random_state" in own:
        if own["random_state"] is None:
            is_ours = type(copy).__module__.startswith("weaklearn")
            copy.set_params(random_state=number if is_ours else number % 2**31)
    else:
        parts = [n for n in copy.get_params() if n.endswith("__random_state")]
        unset = [name for name in parts if copy.get_params()[name] is None]
        copy.set_params(**dict.fromkeys(unset, number % 2**31))
    return copy


def _fit_and_score(
    estimator: Any, rows: EncodedTrial, y: Any, is_test: NDArray[np.bool_]
) -> tuple[dict[str, Any], Any]:
    codes = y.cat.codes.to_numpy(dtype=np.int32)
    # Labels of other libraries are 0, 1, ... without gaps, whichever classes the fold lacks.
    present, train_labels = np.unique(codes[~is_test], return_inverse=True)
    start = time.perf_counter()
    estimator.fit(rows.train, train_labels)
    fitted = time.perf_counter()
    predicted = present[np.asarray(estimator.predict(rows.test)).ravel().astype(np.intp)]
    end = time.perf_counter()
    test_classes = codes[is_test]
    scores: dict[str, Any] = {
        "n_test": len(test_classes),
        "errors": int(np.count_nonzero(predicted != test_classes)),
        "seconds": {
            "fit": rows.train_seconds + fitted - start,
            "predict": rows.test_seconds + end - fitted,
        },
    }
    if hasattr(estimator, "predict_proba"):
        shares = np.zeros((1, len(test_classes), len(y.cat.categories)))
        shares[0][:, present] = estimator.predict_proba(rows.test)
        folds = np.zeros((1, len(test_classes)), dtype=np.intp)
        labels = tuple(y.cat.categories.tolist())
        predictions = Predictions(labels, test_classes, predicted[None], shares, folds)
        wins, n_pairs = predictions.pairs_won
        scores |= {
            "log_loss": predictions.log_loss,
            "pairs_won": wins.tolist(),
            "pairs": n_pairs.tolist(),
        }
    return scores, estimator
