"""Our SHAP values against those of shap, on the models that shap can represent."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weaklearn as wl

MODELS = {
    "tree": wl.C45Classifier(min_objects=1, prune=False),
    "double precision": wl.TopDownClassifier(),
    "missing branch": wl.C45Classifier(missing="branch"),
    "stump": wl.StumpClassifier(),
    "shrunk": wl.C45Classifier(shrinkage=5.0),
    "bagged": wl.BaggedClassifier(n_members=5, random_state=0),
    "boosted": wl.AdaBoostM1Classifier(n_rounds=4, vote="shares"),
    "forest": wl.BoostedForestClassifier(n_members=6, random_state=0),
}


def numbers(n_rows: int) -> tuple[Any, Any]:
    chance = np.random.default_rng(0)
    X = chance.normal(size=(n_rows, 6)).round(2)
    score = X[:, 0] * X[:, 1] + X[:, 2] + chance.normal(scale=0.3, size=n_rows)
    return X, np.digitize(score, [-0.5, 0.7])


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # of shap, on import
@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())
def test_values_equal_those_of_shap(model: Any) -> None:
    shap = pytest.importorskip("shap", reason="compares with shap", exc_type=ImportError)
    X, y = numbers(200)
    model.fit(X, y)
    explainer = shap.TreeExplainer(wl.explain.to_shap(model))
    ours = wl.explain.shap_values(model, X[:40])
    theirs = explainer.shap_values(X[:40], check_additivity=False)
    np.testing.assert_allclose(ours.values, theirs, rtol=0, atol=1e-9)
    np.testing.assert_allclose(ours.base_values[0], explainer.expected_value, rtol=0, atol=1e-9)


def test_the_arrays_predict_as_the_tree_does() -> None:
    X, y = numbers(200)
    model = wl.C45Classifier(min_objects=1, prune=False).fit(X, y)
    tree = wl.explain.to_shap(model)["trees"][0]
    close = np.nextafter(X, np.inf) + 1e-9  # these round to the same single-precision numbers
    for row, expected in zip(close, model.predict_proba(close), strict=True):
        node = 0
        while tree["children_left"][node] >= 0:
            goes_left = row[tree["features"][node]] <= tree["thresholds"][node]
            node = tree["children_left" if goes_left else "children_right"][node]
        assert tree["values"][node].tolist() == expected.tolist()


def test_models_that_shap_cannot_represent() -> None:
    X, y = [["a", 1.0], ["b", 2.0], ["c", 3.0]] * 4, ["k", "l", "m"] * 4
    with pytest.raises(ValueError, match="a multiway split, and shap represents trees whose"):
        wl.explain.to_shap(wl.C45Classifier(ignore=[1]).fit(X, y))
    numeric, classes = numbers(100)
    with pytest.raises(ValueError, match="an oblique split"):
        wl.explain.to_shap(wl.SADTClassifier(random_state=0).fit(numeric, classes))
    program = wl.BranchingProgramClassifier(max_levels=4, max_width=2).fit(numeric, classes)
    with pytest.raises(ValueError, match="shared nodes, and shap"):
        wl.explain.to_shap(program)
    with pytest.raises(ValueError, match="RealAdaBoostClassifier has no trees"):
        wl.explain.to_shap(wl.RealAdaBoostClassifier(3).fit(numeric, classes))
