"""The models that a comparison knows: classifiers of other libraries, and any given classifier."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import joblib

from weaklearn.experiments.peer_encodings import ENCODINGS

INSTALL_PEERS = 'pip install "weaklearn[compare]"'


@dataclass(frozen=True, slots=True, eq=False)
class ComparedModel:
    """A classifier and the encoding that it gets.

    Parameters
    ----------
    estimator : classifier
        Not fitted. Seeds that are None are set for each trial.
    encoding : {"frame", "native", "text", "one-hot"}
        How the features are encoded; see `weaklearn.experiments.peer_encodings`.
    package : str
        The name and version of the library that it is from; empty for a classifier of weaklearn.
    """

    estimator: Any
    encoding: str = "frame"
    package: str = ""

    def __post_init__(self) -> None:
        if self.encoding not in ENCODINGS:
            raise ValueError(
                f"encoding must be one of {', '.join(ENCODINGS)}, got {self.encoding!r}."
            )

    def __repr__(self) -> str:
        return f"ComparedModel({self.estimator!r}, {self.encoding!r})"

    @property
    def is_ours(self) -> bool:
        """Whether weaklearn's own code fits it, so that its results depend on that code."""
        return not self.package

    @property
    def recipe(self) -> dict[str, str]:
        """What determines its results, besides the code and the table, as plain data."""
        return {
            "class": type(self.estimator).__name__,
            "parameters": joblib.hash(self.estimator.get_params(deep=True)),
            "encoding": self.encoding,
            "package": self.package or _library_of(self.estimator),
        }


@dataclass(frozen=True, slots=True)
class Peer:
    """A classifier of another library, with that library's defaults.

    Parameters
    ----------
    distribution : str
        The name of the library for pip.
    module : str
        The name of the library for import.
    encoding : str
        One of `ENCODINGS`.
    make : callable
        Makes the classifier, given the number of its members or rounds. It uses one thread.
    """

    distribution: str
    module: str
    encoding: str
    make: Callable[[int], Any]

    @property
    def is_installed(self) -> bool:
        """Whether the library can be imported."""
        return find_spec(self.module) is not None

    def model(self, n_members: int) -> ComparedModel:
        """Return the model with this number of members or rounds."""
        package = f"{self.distribution} {version(self.distribution)}"
        return ComparedModel(self.make(n_members), self.encoding, package)


def _random_forest(n_members: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(n_members, n_jobs=1)


def _extra_trees(n_members: int) -> Any:
    from sklearn.ensemble import ExtraTreesClassifier

    return ExtraTreesClassifier(n_members, n_jobs=1)


def _hist_boosting(n_members: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(max_iter=n_members, categorical_features="from_dtype")


def _adaboost(n_members: int) -> Any:
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.tree import DecisionTreeClassifier

    # Whole trees make no training error, and then boosting ends with the first of them. Of several
    # limits on 10 small tables, leaves of at least two rows had the lowest mean error.
    trees = DecisionTreeClassifier(min_samples_leaf=2)
    return AdaBoostClassifier(trees, n_estimators=n_members)


def _bagging(n_members: int) -> Any:
    from sklearn.ensemble import BaggingClassifier

    return BaggingClassifier(n_estimators=n_members, n_jobs=1)


def _lightgbm(n_members: int) -> Any:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(n_estimators=n_members, n_jobs=1, verbose=-1)


def _xgboost(n_members: int) -> Any:
    from xgboost import XGBClassifier

    return XGBClassifier(n_estimators=n_members, n_jobs=1, verbosity=0, enable_categorical=True)


def _catboost(n_members: int) -> Any:
    from catboost import CatBoostClassifier

    # CatBoost chooses its learning rate for its own default number of rounds.
    return CatBoostClassifier(thread_count=1, verbose=False, allow_writing_files=False)


_SCIKIT_LEARN = ("scikit-learn", "sklearn")

#: The classifiers of other libraries, by the names that users type.
PEERS: dict[str, Peer] = {
    "sk-random-forest": Peer(*_SCIKIT_LEARN, "one-hot", _random_forest),
    "sk-extra-trees": Peer(*_SCIKIT_LEARN, "one-hot", _extra_trees),
    "sk-hist-boosting": Peer(*_SCIKIT_LEARN, "native", _hist_boosting),
    "sk-adaboost": Peer(*_SCIKIT_LEARN, "one-hot", _adaboost),
    "sk-bagging": Peer(*_SCIKIT_LEARN, "one-hot", _bagging),
    "lightgbm": Peer("lightgbm", "lightgbm", "native", _lightgbm),
    "xgboost": Peer("xgboost", "xgboost", "native", _xgboost),
    "catboost": Peer("catboost", "catboost", "text", _catboost),
}


def absent_peers(names: Iterable[str]) -> dict[str, str]:
    """Return for each of these peers that is not installed what to type.

    Examples
    --------
    >>> absent_peers(["sk-random-forest"])
    {}
    """
    return {
        name: f"{PEERS[name].distribution} is not installed: {INSTALL_PEERS}"
        for name in names
        if not PEERS[name].is_installed
    }


def as_models(models: Any, n_members: int = 100) -> tuple[dict[str, ComparedModel], dict[str, str]]:
    """Return the models that can run, by name, and for the others what to install.

    Parameters
    ----------
    models : mapping or list
        Names of `PEERS`, classifiers and `ComparedModel`; in a mapping with names of your own.
    n_members : int
        How many members or rounds the peers get.

    Returns
    -------
    models, absent : dict
        Both by name.
    """
    named = dict(models) if isinstance(models, Mapping) else _by_name(models)
    if not named:
        raise ValueError("got no model; expected at least one.")
    peers = {value for value in named.values() if isinstance(value, str)}
    for name in peers:
        if name not in PEERS:
            raise ValueError(f"there is no model {name!r}; expected one of {', '.join(PEERS)}.")
    not_installed = absent_peers(peers)
    absent = {
        name: not_installed[value]
        for name, value in named.items()
        if isinstance(value, str) and value in not_installed
    }
    return {
        name: _as_model(value, n_members) for name, value in named.items() if name not in absent
    }, absent


def _by_name(models: Iterable[Any]) -> dict[str, Any]:
    named: dict[str, Any] = {}
    for model in models:
        estimator = model.estimator if isinstance(model, ComparedModel) else model
        name = model if isinstance(model, str) else type(estimator).__name__
        if name in named:
            raise ValueError(f"two models have the name {name!r}; pass a dict with other names.")
        named[name] = model
    return named


def _library_of(estimator: Any) -> str:
    """Return the library of a classifier and its version; empty for weaklearn."""
    name = type(estimator).__module__.partition(".")[0]
    library_version = getattr(import_module(name), "__version__", "")
    return "" if name == "weaklearn" else f"{name} {library_version}"


def _as_model(value: Any, n_members: int) -> ComparedModel:
    if isinstance(value, ComparedModel):
        return value
    if isinstance(value, str):
        return PEERS[value].model(n_members)
    if not hasattr(value, "get_params"):
        raise TypeError(f"got {value!r}, expected a classifier or one of {', '.join(PEERS)}.")
    if not _library_of(value):
        return ComparedModel(value)
    # A pipeline encodes its columns itself. Other classifiers take numbers without gaps.
    return ComparedModel(value, "frame" if hasattr(value, "steps") else "one-hot")
