"""Error messages say what was got, what was expected and what to do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import weaklearn as wl

X = pd.DataFrame({"size": [1.0, 2.0, 3.0, 4.0], "colour": ["red", "blue", "red", "blue"]})
y = ["no", "no", "yes", "yes"]


def fails(message: str, kind: type[Exception] = ValueError) -> Any:
    """Expect an error whose message contains these words."""
    return pytest.raises(kind, match=re.escape(message))


# -- small tables ---------------------------------------------------------------------------------


def test_empty_tables() -> None:
    with fails("0 sample(s) (shape=(0, 2)) while a minimum of 1 is required"):
        wl.C45Classifier().fit(X[:0], [])
    with fails("0 feature(s) (shape=(4, 0)) while a minimum of 1 is required"):
        wl.C45Classifier().fit(X[[]], y)
    model = wl.C45Classifier().fit(X, y)
    with fails("0 sample(s)"):
        model.predict(X[:0])


@pytest.mark.parametrize("arithmetic", ["double", "release8"])
def test_one_class_is_a_leaf(arithmetic: str) -> None:
    model = wl.C45Classifier(arithmetic=arithmetic, prune=False).fit(X, ["no"] * 4)
    assert model.tree_.to_text() == "no (4.0)"
    assert model.predict_proba(X).tolist() == [[1.0]] * 4
    assert model.predict(X).tolist() == ["no"] * 4


@pytest.mark.parametrize("arithmetic", ["double", "release8"])
def test_one_row_is_a_leaf(arithmetic: str) -> None:
    model = wl.C45Classifier(arithmetic=arithmetic).fit(X[:1], ["no"])
    # The pessimistic estimate of the errors is n (1 - CF^(1/n)).
    assert model.tree_.to_dict() == {"class": "no", "n": 1.0, "e": 0.75, "dist": {"no": 1.0}}


@pytest.mark.parametrize("arithmetic", ["double", "release8"])
def test_columns_without_a_value_are_never_split_on(arithmetic: str) -> None:
    empty = pd.DataFrame({"number": [np.nan] * 4, "name": pd.Series([None] * 4, dtype=object)})
    model = wl.C45Classifier(arithmetic=arithmetic, prune=False).fit(empty, y)
    assert model.tree_.to_text() == "no (4.0/2.0)"
    assert model.predict_proba(empty).tolist() == [[0.5, 0.5]] * 4
    both = wl.C45Classifier(arithmetic=arithmetic, prune=False).fit(X.join(empty), y)
    assert both.tree_.to_text() == "size <= 2 : no (2.0)\nsize > 2 : yes (2.0)"


# -- targets --------------------------------------------------------------------------------------


def test_wrong_targets() -> None:
    with fails("[4, 3]. Expected y to hold one class for each row of X."):
        wl.C45Classifier().fit(X, y[:3])
    with fails("y contains NaN: 3 of 4 classes are missing, the first in row 1."):
        wl.C45Classifier().fit(X, ["no", None, "?", "NA"])
    with fails("y holds fractions, as a regression target does. Name the classes"):
        wl.C45Classifier().fit(X, [0.5, 1.5, 2.0, 3.0])
    with fails("array of shape (4, 2) instead. Expected one label per row."):
        wl.C45Classifier().fit(X, np.ones((4, 2)))
    with fails("the target y is None"):
        wl.C45Classifier().fit(X, None)


# -- weights --------------------------------------------------------------------------------------

BAD_WEIGHTS: dict[str, tuple[Any, str]] = {
    "negative": ([1, -1, 1, 1], "a negative weight in row 1; expected numbers >= 0"),
    "nan": ([1, 1, np.nan, 1], "NaN in row 2; expected numbers >= 0"),
    "infinite": ([1, np.inf, 1, 1], "has an infinite weight in row 1; expected numbers >= 0"),
    "too large": ([1e200] * 4, "sums to 4e+200; expected at most 1e+150. Divide the weights"),
    "all zero": ([0] * 4, "zero in every row: at least one must be positive"),
    "too few": ([1] * 3, "sample_weight.shape == (3,), expected (4,): one weight per row"),
    "two columns": ([[1, 1]] * 4, "got shape (4, 2), expected one weight for each of 4 rows"),
    "words": (["heavy"] * 4, "cannot be read as numbers (could not convert string to float"),
}


@pytest.mark.parametrize(("weights", "message"), BAD_WEIGHTS.values(), ids=BAD_WEIGHTS.keys())
def test_bad_weights(weights: Any, message: str) -> None:
    with fails(message):
        wl.C45Classifier().fit(X, y, sample_weight=weights)


# -- parameters -----------------------------------------------------------------------------------

BAD_PARAMETERS: dict[str, tuple[list[Any], str]] = {
    "criterion": (["entropy", None, 3], "must be one of 'gain_ratio', 'gain', 'gini', 'km'"),
    "min_objects": ([0, -1, "2", None, np.nan, np.inf, True], "must be a number > 0"),
    "confidence": ([0, 1.5, -0.25, None, "25%"], "must be a number > 0 and <= 1"),
    "prune": ([1, "yes", None], "must be True or False"),
    "subset": ([0, None], "must be True or False"),
    "threshold_penalty": (["no", 1.0], "must be True or False"),
    "arithmetic": (["float", "Release8", None], "must be one of 'double', 'release8'"),
    "max_depth": ([-1, 2.5, "3", True], "must be a whole number >= 0 or None"),
    "max_leaves": ([0, 2.5, "3", True], "must be a whole number >= 1 or None"),
    "min_impurity_decrease": ([-0.1, None, np.nan, True], "must be a number >= 0"),
    "ccp_alpha": ([-0.1, None, np.inf, "0.1"], "must be a number >= 0"),
    "splits": (["worst", None, True], "must be one of 'best', 'random'"),
    "max_features": (
        [0, 1.5, "half", True],
        "must be a share > 0 and <= 1.0 or a whole number >= 1 or 'sqrt' or 'log2' or None",
    ),
    "missing": (["both", None, 1], "must be one of 'fraction', 'branch'"),
    "max_bins": ([1, 65536, 2.5, "all"], "must be a whole number >= 2 and <= 65,535 or None"),
    "shrinkage": ([-1, None, np.inf, "1"], "must be a number >= 0"),
    "winnow": ([1, "yes", None], "must be True or False"),
}


@pytest.mark.parametrize("name", BAD_PARAMETERS)
def test_bad_parameters(name: str) -> None:
    values, expected = BAD_PARAMETERS[name]
    default = wl.C45Classifier().get_params()[name]
    for value in values:
        message = (
            f"C45Classifier({name}={value!r}): {name} {expected}; the default is {name}={default!r}"
        )
        with fails(message):
            wl.C45Classifier(**{name: value}).fit(X, y)


def test_every_parameter_is_covered() -> None:
    others = {"nominal", "continuous", "ignore", "missing_values", "n_jobs", "random_state"}
    tested_elsewhere = {"class_weight", "costs"}
    assert set(wl.C45Classifier().get_params()) == {*BAD_PARAMETERS, *others, *tested_elsewhere}


@pytest.mark.parametrize("n_jobs", [0, "2", 1.5, True])
def test_bad_n_jobs(n_jobs: Any) -> None:
    message = f"n_jobs={n_jobs!r}: n_jobs must be a whole number >= 1, -1 for all processors"
    with fails(message):
        wl.C45Classifier(n_jobs=n_jobs).fit(X, y)
    model = wl.C45Classifier().fit(X, y).set_params(n_jobs=n_jobs)
    with fails(message):
        model.predict(X)


BAD_KINDS: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"nominal": "size"}, TypeError, "is a string; expected a list: nominal=['size']"),
    ({"nominal": ["sise"]}, ValueError, "not a column; did you mean 'size'?"),
    ({"nominal": [2]}, ValueError, "holds the position 2; expected positions from 0 to 1"),
    ({"continuous": [1.5]}, TypeError, "expected names or positions of columns"),
    ({"continuous": ["colour"]}, ValueError, "'colour' is continuous, but its value 'red' is not"),
    (
        {"nominal": ["size"], "continuous": [0]},
        ValueError,
        "expected each column in one of the two",
    ),
]


@pytest.mark.parametrize(("parameters", "kind", "message"), BAD_KINDS)
def test_bad_kinds(parameters: dict[str, Any], kind: type[Exception], message: str) -> None:
    with fails(message, kind):
        wl.C45Classifier(**parameters).fit(X, y)


def test_limits_of_release8() -> None:
    for criterion in ("gini", "km"):
        with fails(f"no criterion '{criterion}': use criterion='gain_ratio' or 'gain', or"):
            wl.C45Classifier(arithmetic="release8", criterion=criterion).fit(X, y)
    with fails("column 'size' holds 1e+39, which is too large for the single precision"):
        wl.C45Classifier(arithmetic="release8").fit(X.assign(size=[1e39, 2, 3, 4]), y)
    with fails("weights range from 1e+39 to 1e+39; expected 1e-30 to 1e+30. Divide them"):
        wl.C45Classifier(arithmetic="release8").fit(X, y, [1e39] * 4)
    with fails("weights range from 1e-60 to 1"):
        wl.C45Classifier(arithmetic="release8").fit(X, y, [1e-60, 1, 1, 1])


def test_too_many_values_to_group() -> None:
    frame = pd.DataFrame({"id": [f"v{i}" for i in range(1001)]})
    labels = [i % 2 for i in range(1001)]
    for model in (wl.C45Classifier, wl.RulesClassifier):
        with fails("'id' has 1,001 of them (at most 1,000 are feasible): use arithmetic='double'"):
            model(subset=True, arithmetic="release8").fit(frame, labels)
    assert wl.C45Classifier(subset=True, prune=False).fit(frame[:1000], labels[:1000]).tree_.depth


# -- predicting -----------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["predict", "predict_proba", "count_unseen"])
def test_predicting_before_fit(method: str) -> None:
    with fails("not fitted yet. Call 'fit'", NotFittedError):
        getattr(wl.C45Classifier(), method)(X)


def test_save_before_fit(tmp_path: Path) -> None:
    with fails("not fitted yet. Call 'fit'", NotFittedError):
        wl.C45Classifier().save(tmp_path / "model.json")
    assert not list(tmp_path.iterdir())


def test_a_failed_fit_leaves_no_half_fitted_model() -> None:
    model = wl.C45Classifier()
    with pytest.raises(ValueError, match="sample_weight"):
        model.fit(X, y, [-1] * 4)
    with pytest.raises(NotFittedError):
        model.predict(X)


def test_other_columns_than_in_training() -> None:
    model = wl.C45Classifier().fit(X, y)
    with fails("yet now missing:\n- colour\nExpected columns: 'size', 'colour'."):
        model.predict(X[["size"]])
    with fails("unseen at fit time:\n- weight\nExpected columns"):
        model.predict(X.assign(weight=1.0))
    with fails("- size (X has 'Size': is it the same feature?)"):
        model.predict(X.rename(columns={"size": "Size"}))
    nameless = wl.C45Classifier().fit(np.eye(4), y)
    with fails("X has 3 features, but C45Classifier is expecting 4 features as input"):
        nameless.predict(np.eye(3))


def test_infinite_values_are_errors_that_name_the_column() -> None:
    infinite = X.assign(size=[1.0, np.inf, 3.0, 4.0])
    with fails("infinity or a value too large for dtype('float64') in column 'size'"):
        wl.C45Classifier().fit(infinite, y)
    model = wl.C45Classifier().fit(X, y)
    with fails("in column 'size'. Expected finite numbers; write NaN where a value is missing."):
        model.predict(infinite)
    with fails("in column 'x1'"):
        wl.C45Classifier().fit([[0.0, 1.0], [1.0, np.inf]], [0, 1])


def test_unseen_values_count_as_missing() -> None:
    frame = pd.DataFrame({"colour": ["red"] * 6 + ["blue"] * 4})
    model = wl.C45Classifier(prune=False).fit(frame, ["a"] * 6 + ["b"] * 4)
    new = pd.DataFrame({"colour": ["red", "green", None]})
    assert model.predict_proba(new).tolist() == [[1.0, 0.0], [0.6, 0.4], [0.6, 0.4]]
    assert model.count_unseen(new) == {"colour": 1}
