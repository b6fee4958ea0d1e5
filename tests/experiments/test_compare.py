"""Comparisons of models: results, resuming, failures, ranks, wins and losses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import weaklearn as wl
from weaklearn.experiments import (
    PEERS,
    ComparedModel,
    Comparison,
    compare,
    cross_validate,
    peer_models,
    wilcoxon_test,
)
from weaklearn.experiments.compare_models import as_tables
from weaklearn.experiments.comparison import TableFacts
from weaklearn.experiments.result_store import StoredResult
from weaklearn.experiments.work_units import WorkUnit

MODELS = {
    "tree": wl.C45Classifier(),
    "bag": wl.BaggedClassifier(n_members=5),
    "rules": wl.RulesClassifier(),
}


class Refuses(ClassifierMixin, BaseEstimator):
    """A classifier that cannot handle more than two classes."""

    def fit(self, X: Any, y: Any) -> Refuses:
        if len(np.unique(y)) > 2:
            raise ValueError("more than two classes")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return np.zeros(len(X), dtype=int)


def without_times(result: Comparison) -> pd.DataFrame:
    return result.to_frame().drop(columns=["fit_seconds", "predict_seconds"])


def test_results_are_those_of_cross_validate() -> None:
    titanic = wl.datasets.load("titanic")
    result = compare(titanic, MODELS, n_folds=4, n_seeds=2, seed=3)
    frame = result.to_frame().set_index("model")
    for name, model in MODELS.items():
        expected = cross_validate(model, titanic.X, titanic.y, n_folds=4, n_repeats=2, seed=3)
        row = frame.loc[name]
        assert row["error"] == expected.error.mean
        assert row["standard_error"] == pytest.approx(expected.error.standard_error)
        assert expected.predictions is not None
        assert row["log_loss"] == pytest.approx(expected.predictions.log_loss)
        assert row["auc"] == pytest.approx(expected.predictions.auc)


def test_sizes() -> None:
    table = wl.datasets.load("iris")
    result = compare(table, {**MODELS, "forest": "sk-random-forest"}, n_folds=3, n_members=4)
    frame = result.to_frame().set_index("model")
    expected = cross_validate(MODELS["tree"], table.X, table.y, n_folds=3)
    assert expected.size is not None
    assert expected.n_leaves is not None
    assert frame.loc["tree", "leaves"] == expected.n_leaves.mean
    assert frame.loc["tree", "conditions"] == expected.size.mean - expected.n_leaves.mean
    assert np.isnan(frame.loc["tree", "members"])
    assert frame.loc["bag", "members"] == 5
    assert frame.loc["forest", "members"] == 4
    assert frame.loc["forest", "leaves"] == frame.loc["forest", "conditions"] + 4
    assert frame.loc["rules", "conditions"] >= frame.loc["rules", "leaves"] > 1


def test_the_number_of_workers_does_not_matter() -> None:
    models = {**MODELS, "forest": RandomForestClassifier(5)}
    results = [compare(["iris", "wine"], models, n_folds=3, n_jobs=n) for n in (1, 2)]
    pd.testing.assert_frame_equal(*map(without_times, results))
    assert results[0].digest == results[1].digest


def test_an_interrupted_comparison_continues(tmp_path: Path) -> None:
    whole = compare(["iris", "wine"], MODELS, n_folds=3)
    n_done = 0

    def interrupt(progress: Any) -> None:
        nonlocal n_done
        n_done += 1
        if n_done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compare(["iris", "wine"], MODELS, n_folds=3, folder=tmp_path, progress=interrupt)
    counted: list[int] = []
    again = compare(
        *(["iris", "wine"], MODELS),
        n_folds=3,
        folder=tmp_path,
        progress=lambda now: counted.append(now.n_done),
    )
    assert counted == list(range(8, 19))  # seven of 18 units were stored
    pd.testing.assert_frame_equal(without_times(again), without_times(whole))
    assert again.digest == whole.digest


def test_results_of_other_libraries_outlive_changes_of_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> Any:
        raise AssertionError("a fit was run again")

    models = {"tree": wl.C45Classifier(), "forest": "sk-random-forest"}
    compare("iris", models, n_folds=2, n_members=2, folder=tmp_path)
    module = "weaklearn.experiments.compare_models.code_version"
    real = wl.experiments.code_version
    monkeypatch.setattr(module, lambda only=None: real(only) if only else "another version")
    monkeypatch.setattr(RandomForestClassifier, "fit", fail)
    again = compare("iris", models, n_folds=2, n_members=2, folder=tmp_path)
    assert not again.failures
    more = compare("iris", models, n_folds=2, n_members=3, folder=tmp_path)
    assert list(more.failures) == [("iris", "forest")]  # other parameters are other results


def test_a_model_that_fails_has_a_reason_and_the_others_go_on() -> None:
    models = {**MODELS, "two": ComparedModel(Refuses())}
    result = compare({"3": "iris", "2": "titanic"}, models, n_folds=2)
    assert list(result.failures) == [("3", "two")]
    assert result.failures["3", "two"].startswith("more than two classes (ValueError in fit")
    frame = result.to_frame().set_index(["table", "model"])
    assert np.isnan(frame.loc[("3", "two"), "error"])
    assert frame.loc[("3", "tree"), "error"] < 0.2
    assert np.isfinite(frame.loc[("2", "two"), "error"])
    assert np.isnan(frame.loc[("2", "two"), "log_loss"])  # it predicts no probabilities
    assert list(result.ranks().columns) == ["tree", "bag", "rules"]
    wins = result.wins_and_losses().query("second == 'two'")
    assert (wins[["wins", "losses", "ties"]].sum(axis=1) == 1).all()  # only where both have results
    assert np.isnan(result.summary().loc["two", "error"])


@pytest.mark.parametrize("name", PEERS)
def test_every_peer_handles_nominal_columns_and_missing_values(
    name: str, messy: tuple[pd.DataFrame, list[str]]
) -> None:
    pytest.importorskip(PEERS[name].module)
    if name == "catboost":
        model: Any = PEERS[name].model(2)
        model.estimator.set_params(iterations=2)
    else:
        model = name
    result = compare({"messy": messy}, {"peer": model}, n_folds=3, n_members=2)
    assert not result.failures
    frame = result.to_frame()
    assert frame["error"].between(0, 1).all()
    assert np.isfinite(frame[["log_loss", "auc", "fit_seconds", "predict_seconds"]]).all(axis=None)
    again = compare({"messy": messy}, {"peer": model}, n_folds=3, n_members=2)
    assert again.digest == result.digest  # the seeds are set


@pytest.fixture
def messy() -> tuple[pd.DataFrame, list[str]]:
    """Missing values, a name with brackets, a value and a class that occur once."""
    generator = np.random.default_rng(0)
    size = generator.normal(size=60)
    size[::7] = np.nan
    colour = generator.choice(["red", "blue", "dark [blue]"], 60).astype(object)
    colour[::5] = None
    colour[3] = "pink"
    classes = np.where(np.nan_to_num(size) > 0, "yes", "no").astype(object)
    classes[4] = "perhaps"
    return pd.DataFrame({"size <cm>": size, "colour": colour}), classes.tolist()


def test_classifiers_of_other_kinds(messy: tuple[pd.DataFrame, list[str]]) -> None:
    pipeline = make_pipeline(DummyClassifier(strategy="uniform"))
    models = [LogisticRegression(max_iter=1000), pipeline, wl.C45Classifier()]
    result = compare([messy], models, n_folds=2)
    assert not result.failures
    assert list(result.models) == ["LogisticRegression", "Pipeline", "C45Classifier"]
    encodings = [model.encoding for model in result.models.values()]
    assert encodings == ["one-hot", "frame", "frame"]
    again = compare([messy], models, n_folds=2)
    assert again.digest == result.digest  # the parts of a pipeline have seeds, too


def test_absent_libraries_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[[str], Any] = peer_models.find_spec
    monkeypatch.setattr(peer_models, "find_spec", lambda n: None if n == "lightgbm" else real(n))
    result = compare("iris", {"tree": wl.C45Classifier(), "light": "lightgbm"}, n_folds=2)
    assert list(result.models) == ["tree"]
    assert result.absent == {"light": 'lightgbm is not installed: pip install "weaklearn[compare]"'}
    assert result.conclusion() is None


def test_tables_in_every_form(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "b": ["x", "y", None, "x"]})
    y = ["no", "yes", "yes", "no"]
    path = tmp_path / "iris.csv"
    path.write_text("a,b\n1,x\n2,y\n3,x\n")
    tables = as_tables(["iris", path, (frame, y)])
    assert list(tables) == ["iris", "iris (2)", "table 3"]
    assert tables["iris (2)"].n_rows == 3
    assert tables["table 3"].X["a"].tolist() == [1.0, 2.0, 3.0, 4.0]
    assert tables["table 3"].X["b"].cat.codes.tolist() == [0, 1, -1, 0]
    assert list(as_tables((frame, y))) == ["table 1"]
    assert list(as_tables((tables["iris"], tables["table 3"]))) == ["iris", "table 3"]
    assert list(as_tables(((frame, y), (frame, y)))) == ["table 1", "table 2"]
    assert list(as_tables({"mine": path})) == ["mine"]


@pytest.mark.parametrize(
    ("tables", "models", "message"),
    [
        ([], ["sk-bagging"], "got no table"),
        ("iris", [], "got no model"),
        ("iris", ["sk-forest"], "no model 'sk-forest'; expected one of sk-random-forest"),
        ("iris", [wl.C45Classifier(), wl.C45Classifier()], "two models have the name"),
        (([[1], [2]], ["a", "a"]), ["sk-bagging"], "rows of one class only"),
        (([[1], [2]], ["a", "b"]), ["sk-bagging"], "n_folds must be at most 2"),
        (([[1], [2]], ["a", None]), ["sk-bagging"], "drop the rows without one"),
    ],
)
def test_bad_arguments(tables: Any, models: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compare(tables, models)


def test_bad_encoding_and_model() -> None:
    with pytest.raises(ValueError, match="encoding must be one of frame, native, text, one-hot"):
        ComparedModel(wl.C45Classifier(), "numbers")
    with pytest.raises(TypeError, match="expected a classifier or one of sk-random-forest"):
        compare("iris", {"a": 3})


def comparison_of(errors: dict[str, list[list[int]]], baseline: str | None = None) -> Comparison:
    """A comparison with these numbers of errors in folds of 10 rows, by model and table."""
    outcomes = {
        WorkUnit("compare", "folds", f"t{table}", model, 0, fold, "{}"): StoredResult(
            {"n_test": 10, "errors": n, "seconds": {"fit": 1, "predict": 1}, "size": None},
            None,
            1.0,
        )
        for model, tables in errors.items()
        for table, folds in enumerate(tables)
        for fold, n in enumerate(folds)
    }
    tables = tuple(
        TableFacts(f"t{i}", 20, 1, 0, (10, 10), 0.0)
        for i in range(len(next(iter(errors.values()))))
    )
    models = {name: ComparedModel(wl.C45Classifier()) for name in errors}
    n_folds = len(next(iter(errors.values()))[0])
    return Comparison(tables, models, {}, baseline, n_folds, 1, 0, outcomes)


def test_wins_and_losses() -> None:
    generator = np.random.default_rng(1)
    errors = {name: generator.integers(0, 4, size=(9, 2)).tolist() for name in "abc"}
    result = comparison_of(errors)
    for row in result.wins_and_losses().to_dict("records"):
        first, second = (np.sum(errors[row[name]], axis=1) / 20 for name in ("first", "second"))
        wins, losses = int((first < second).sum()), int((first > second).sum())
        assert (row["wins"], row["losses"], row["ties"]) == (wins, losses, 9 - wins - losses)
        assert row["sign_test_p"] == pytest.approx(stats.binomtest(wins, wins + losses).pvalue)
        assert row["wilcoxon_p"] == wilcoxon_test(first, second)
        assert row["mean_difference"] == pytest.approx((second - first).mean())
    assert len(result.wins_and_losses()) == 3


def test_the_baseline_is_not_ranked() -> None:
    errors = {"base": [[9, 9]] * 3, "a": [[1, 2]] * 3, "b": [[1, 2]] * 2 + [[5, 5]]}
    result = comparison_of(errors, baseline="base")
    assert result.ranks().to_numpy().tolist() == [[1.5, 1.5], [1.5, 1.5], [1, 2]]
    assert list(result.summary().index) == ["a", "b", "base"]
    assert result.wins_and_losses()[["first", "second"]].to_numpy().tolist() == [["a", "b"]]


def test_conclusion_on_one_table() -> None:
    folds = [0, 1, 0, 1, 0, 1, 0, 1, 0, 1]
    errors = {"good": [folds], "same": [folds[::-1]], "bad": [[n + 5 for n in folds]]}
    found = comparison_of(errors).conclusion()
    assert found is not None
    assert (found.best, found.not_worse, found.worse) == ("good", ("same",), ("bad",))


def test_conclusion_on_several_tables() -> None:
    errors = {
        "bad": [[5, n % 5] for n in range(20)],
        "good": [[0, n % 5] for n in range(20)],
        "same": [[0, n % 5] for n in range(20)],
    }
    found = comparison_of(errors).conclusion()
    assert found is not None
    assert (found.best, found.not_worse, found.worse) == ("good", ("same",), ("bad",))


def test_plot(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    errors = {name: [[i, n % 3] for n in range(6)] for i, name in enumerate("abcd")}
    ax = comparison_of(errors).plot()
    texts = [text.get_text() for text in ax.texts]
    assert {"a  1.00", "b  2.00", "3.00  c", "4.00  d"} <= set(texts)
    with pytest.raises(ValueError, match="at least two tables"):
        comparison_of({"a": [[1, 2]], "b": [[1, 2]]}).plot()


def test_measures_have_names() -> None:
    with pytest.raises(ValueError, match="measure must be one of error, log_loss, auc"):
        comparison_of({"a": [[1, 2]]}).ranks("accuracy")


def test_stored_results_are_plain_data(tmp_path: Path) -> None:
    result = compare("iris", {"tree": wl.C45Classifier()}, n_folds=2, folder=tmp_path)
    for stored in result.outcomes.values():
        assert set(json.loads(json.dumps(stored.result))) == {
            *("n_test", "errors", "log_loss", "pairs_won", "pairs", "seconds", "size")
        }
