"""Importances by one call, and scikit-learn's partial dependence of every classifier."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.inspection import partial_dependence, permutation_importance

import weaklearn as wl

CLASSIFIERS = [name for name in wl.__all__ if name.endswith("Classifier")]


def table(n_rows: int = 120, missing: bool = False) -> tuple[pd.DataFrame, Any]:
    chance = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "noise": chance.normal(size=n_rows),
            "number": chance.normal(size=n_rows),
            "letter": chance.choice(list("pqr"), n_rows),
            "flag": chance.random(n_rows) > 0.5,
        }
    )
    y = np.where(frame["number"] + (frame["letter"] == "p") * 1.5 > 0.6, "yes", "no")
    if missing:
        frame.loc[::7, "letter"] = None
        frame.loc[::5, "number"] = np.nan
    return frame, y


def fitted(name: str, X: Any, y: Any) -> Any:
    model = getattr(wl, name)()
    small = {"n_rounds": 4, "n_members": 4, "random_state": 0}
    model.set_params(**{key: value for key, value in small.items() if key in model.get_params()})
    if name == "PrunedClassifier":
        model.set_params(estimator=wl.AdaBoostM1Classifier(n_rounds=4), size=2)
    return model.fit(X, y)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_partial_dependence_of_every_classifier(name: str, missing: bool) -> None:
    X, y = table(missing=missing)
    model = fitted(name, X, y)
    values = {"number": [-1.0, 0.0, 1.0], "flag": [False, True], "letter": ["p", "q", "r"]}
    options: dict[str, Any] = {"method": "brute", "grid_resolution": 4}
    has_custom_values = "custom_values" in inspect.signature(partial_dependence).parameters
    for feature, grid in values.items():
        nominal = [feature] if feature != "number" else None
        if feature == "flag" and not has_custom_values:
            continue  # scikit-learn 1.6 takes the two points of a grid for two classes
        if missing and feature != "flag":  # scikit-learn's own grid needs complete columns
            if not has_custom_values:
                continue
            options["custom_values"] = {feature: grid}
        result = partial_dependence(model, X, [feature], categorical_features=nominal, **options)
        expected = []
        for value in result["grid_values"][0]:
            replaced = X.copy()
            replaced[feature] = value
            expected.append(model.predict_proba(replaced)[:, 1].mean())
        assert len(expected) > 1
        np.testing.assert_allclose(result["average"][0], expected, rtol=1e-12, atol=1e-15)
        options.pop("custom_values", None)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_partial_dependence_display_with_nominal_columns() -> None:
    pytest.importorskip("matplotlib", reason="draws")
    from sklearn.inspection import PartialDependenceDisplay

    X, y = table()
    model = wl.C45Classifier().fit(X, y)
    display = PartialDependenceDisplay.from_estimator(
        model, X, ["number", "letter", ("letter", "flag")], categorical_features=["letter", "flag"]
    )
    assert len(display.pd_results) == 3


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_permutation_is_that_of_scikit_learn(name: str) -> None:
    X, y = table(missing=True)
    model = fitted(name, X, y)
    ours = wl.explain.importances(model, X, y, kind="permutation", n_repeats=3, random_state=1)
    theirs = permutation_importance(model, X, y, n_repeats=3, random_state=1)
    by_name = ours.set_index("feature").loc[X.columns.tolist()]
    np.testing.assert_array_equal(by_name["importance"], theirs.importances_mean)
    np.testing.assert_array_equal(by_name["deviation"], theirs.importances_std)
    assert ours["importance"].is_monotonic_decreasing


def test_permutation_with_another_score_and_weights() -> None:
    X, y = table(missing=True)
    model = wl.BaggedClassifier(random_state=0).fit(X, y)
    options: dict[str, Any] = {"scoring": "neg_log_loss", "n_repeats": 2, "random_state": 3}
    weights = np.arange(len(y)) % 3 + 1.0
    ours = wl.explain.importances(
        model, X, y, kind="permutation", sample_weight=weights, **options
    ).set_index("feature")
    theirs = permutation_importance(model, X, y, sample_weight=weights, **options)
    expected = pd.Series(theirs.importances_mean, X.columns)
    np.testing.assert_allclose(ours["importance"][X.columns], expected, rtol=1e-12)


def test_gain_and_shap() -> None:
    X, y = table()
    model = wl.C45Classifier().fit(X, y)
    by_gain = wl.explain.importances(model).set_index("feature")["importance"]
    np.testing.assert_array_equal(by_gain[X.columns], model.feature_importances_)
    by_shap = wl.explain.importances(model, X, kind="shap").set_index("feature")["importance"]
    score = model.additive_score()
    values, _ = score.shap_values(score.encode(X))
    np.testing.assert_allclose(by_shap[X.columns], np.abs(values[:, :, 1]).mean(axis=0))
    without_names = wl.C45Classifier().fit(X[["noise", "number"]].to_numpy(), y)
    assert wl.explain.importances(without_names)["feature"].tolist() == ["1", "0"]


def test_wrong_arguments() -> None:
    X, y = table()
    model = wl.C45Classifier().fit(X, y)
    with pytest.raises(ValueError, match="expected one of 'gain', 'permutation', 'shap'"):
        wl.explain.importances(model, kind="split")
    with pytest.raises(ValueError, match='kind="shap" needs rows'):
        wl.explain.importances(model, kind="shap")
    with pytest.raises(ValueError, match="pass y as well"):
        wl.explain.importances(model, X, kind="permutation")
