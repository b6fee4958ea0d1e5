"""scikit-learn's tools for other estimators work over every classifier, with nominal columns.

RFE and ClassifierChain convert the table to numbers before any classifier sees it. They get the
codes of the nominal columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import RFE, SelectFromModel
from sklearn.model_selection import HalvingGridSearchCV, learning_curve
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import ClassifierChain

import weaklearn as wl

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

#: Small versions of each classifier, with a parameter to search over. Others have their defaults.
SMALL: dict[str, tuple[dict[str, Any], str]] = {
    "AdaBoostM1Classifier": ({"n_rounds": 3}, "estimator__min_objects"),
    "BaggedClassifier": ({"n_members": 3, "random_state": 0}, "estimator__min_objects"),
    "BoostedForestClassifier": (
        {"n_members": 4, "run_length": 2, "random_state": 0},
        "run_length",
    ),
    "BoostODTClassifier": ({"n_stumps": 3, "max_depth": 2}, "n_stumps"),
    "G2Classifier": ({"graph": wl.SeparatorGraph(3)}, "graph__n_rounds"),
    "OC1Classifier": ({"n_restarts": 2, "random_state": 0}, "n_restarts"),
    "PrunedClassifier": (
        {"estimator": wl.AdaBoostM1Classifier(n_rounds=3), "size": 2, "random_state": 0},
        "estimator__n_rounds",
    ),
    "RealAdaBoostClassifier": ({"n_rounds": 3}, "n_rounds"),
    "SADTClassifier": ({"patience": 50, "random_state": 0}, "patience"),
    "StumpClassifier": ({}, "n_jobs"),
}
NAMES = [name for name in wl.__all__ if name.endswith("Classifier")]
for_each = pytest.mark.parametrize("name", NAMES)


def make(name: str, **others: Any) -> Any:
    return getattr(wl, name)(**SMALL.get(name, ({}, ""))[0], **others)


def mixed_table() -> tuple[pd.DataFrame, pd.Series[Any], pd.Series[Any]]:
    """Make a table whose classes depend on `size` and `colour`; two and three classes."""
    chance = np.random.default_rng(0)
    n_rows = 150
    size, colour = chance.normal(size=n_rows), chance.choice(["red", "green", "blue"], n_rows)
    total = size + (colour == "red")
    frame = pd.DataFrame(
        {
            "noise": chance.normal(size=n_rows),
            "colour": colour,
            "size": size,
            "kind": pd.Categorical(chance.choice(["a", "b"], n_rows)),
        }
    )
    frame.loc[chance.random(n_rows) < 0.1, "size"] = np.nan
    frame.loc[chance.random(n_rows) < 0.1, "colour"] = None
    two = pd.Series(np.where(total > 0.4, "yes", "no"))
    three = pd.Series(np.select([total < 0, total < 0.8], ["low", "mid"], "high"))
    return frame, two, three


FRAME, TWO, THREE = mixed_table()
CODES = FRAME.assign(
    colour=FRAME["colour"].astype("category").cat.codes,
    kind=FRAME["kind"].cat.codes,
    size=FRAME["size"].fillna(0.0),
)
MAJORITY = THREE.value_counts(normalize=True).max()


def classes_for(name: str) -> pd.Series[Any]:
    return TWO if name == "G2Classifier" else THREE


@for_each
def test_select_from_model(name: str) -> None:
    y = classes_for(name)
    selector = SelectFromModel(make(name)).fit(FRAME, y)
    chosen = selector.get_feature_names_out()
    assert 1 <= len(chosen) < 4
    assert np.array_equal(chosen, FRAME.columns[selector.get_support()])
    # A stump has one split, so one of the two columns that matter is enough.
    assert {"size", "colour"} & set(chosen)


@for_each
def test_recursive_feature_elimination(name: str) -> None:
    selector = RFE(make(name), n_features_to_select=2).fit(CODES, classes_for(name))
    assert selector.support_.sum() == 2
    assert selector.score(CODES, classes_for(name)) > MAJORITY
    assert "size" in selector.get_feature_names_out()


@for_each
def test_one_versus_rest(name: str) -> None:
    model = OneVsRestClassifier(make(name)).fit(FRAME, THREE)
    assert model.classes_.tolist() == ["high", "low", "mid"]
    assert model.score(FRAME, THREE) > MAJORITY


@for_each
def test_a_chain_of_classifiers(name: str) -> None:
    """Columns are appended to the table, so the positions of the nominal ones stay the same."""
    Y = np.column_stack([TWO == "yes", CODES["size"] > 0]).astype(int)
    options: dict[str, Any] = {"nominal": [1, 3]}
    if name in ("G2Classifier", "PrunedClassifier"):
        options = {}  # their parts have it
    chain = ClassifierChain(make(name, **options)).fit(CODES.to_numpy(), Y)
    predicted = chain.predict(CODES.to_numpy())
    assert predicted.shape == Y.shape
    assert (predicted == Y).mean() > 0.6
    assert chain.predict_proba(CODES.to_numpy()).shape == Y.shape


@for_each
@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_calibration(name: str, method: str) -> None:
    y = classes_for(name)
    model = CalibratedClassifierCV(make(name), cv=3, method=method).fit(FRAME, y)
    np.testing.assert_allclose(model.predict_proba(FRAME).sum(axis=1), 1)
    assert model.score(FRAME, y) >= y.value_counts(normalize=True).max() - 0.05


@for_each
def test_halving_search(name: str) -> None:
    parameter = SMALL.get(name, ({}, "min_objects"))[1]
    search = HalvingGridSearchCV(
        make(name), {parameter: [1, 2]}, cv=3, min_resources=60, random_state=0
    )
    search.fit(FRAME, classes_for(name))
    assert search.best_params_[parameter] in (1, 2)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


@for_each
def test_learning_curve(name: str) -> None:
    y = classes_for(name)
    sizes, training, held_out = learning_curve(
        make(name), FRAME, y, train_sizes=[0.4, 1.0], cv=3, n_jobs=2
    )
    assert sizes.tolist() == [40, 100]
    assert np.isfinite(training).all()
    assert np.isfinite(held_out).all()
