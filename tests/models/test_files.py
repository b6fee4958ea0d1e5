"""Model files in every form: models come back to the bit, and old files still load."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings

import weaklearn as wl
from models.sample_models import MODELS, fitted, table
from random_graphs import chain, doubling_program, graphs
from weaklearn.models.graph_content import graphs_content, graphs_from_content
from weaklearn.models.saving import FORMS
from weaklearn.schema import Feature

VERSION_1 = Path(__file__).parent / "version1"
for_all = pytest.mark.parametrize("name", MODELS)
same_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def graphs_of(model: Any) -> list[Any]:
    if hasattr(model, "separators_"):
        return [separator.graph for separator in model.separators_.each]
    members = [member for member in getattr(model, "members_", [model])]
    return [member.graph_ for member in members if hasattr(member, "graph_")]


def rulesets_of(model: Any) -> list[Any]:
    members = [member for member in getattr(model, "members_", [model])]
    return [member.ruleset_ for member in members if hasattr(member, "ruleset_")]


def assert_same_graph(one: Any, other: Any) -> None:
    assert one.schema == other.schema
    for name, array in one.arrays.items():
        assert array.tobytes() == other.arrays[name].tobytes(), name


def assert_same(again: Any, model: Any) -> None:
    X, _ = table()
    assert type(again) is type(model)
    for name, value in again.get_params(deep=False).items():
        given = getattr(model, name)
        assert value == given or repr(value) == repr(given), name
    assert again.predict(X).tolist() == model.predict(X).tolist()
    assert again.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()
    for one, other in zip(graphs_of(again), graphs_of(model), strict=True):
        assert_same_graph(one, other)
        assert one.to_text() == other.to_text()
    assert rulesets_of(again) == rulesets_of(model)
    if hasattr(model, "explain"):
        assert repr(again.explain(X[:5])) == repr(model.explain(X[:5]))


@pytest.mark.filterwarnings("ignore:suspicious columns:UserWarning")
@for_all
def test_a_model_comes_back_to_the_bit(name: str, tmp_path: Path) -> None:
    model = fitted(name)
    for suffix in FORMS:
        model.save(tmp_path / f"model{suffix}")
        again = wl.load(tmp_path / f"model{suffix}")
        assert_same(again, model)
        again.save(tmp_path / f"again{suffix}")
        saved = [(tmp_path / f"{which}{suffix}").read_bytes() for which in ("model", "again")]
        assert saved[0] == saved[1]


def test_graphs_and_rulesets_come_back(tmp_path: Path) -> None:
    for suffix in FORMS:
        path = tmp_path / f"model{suffix}"
        tree, ruleset = fitted("c45").tree_, fitted("rules").ruleset_
        tree.save(path)
        assert_same_graph(wl.load(path), tree)
        ruleset.save(path)
        assert wl.load(path) == ruleset


@given(graphs())
@same_folder
def test_any_graph_comes_back(tmp_path: Path, graph: Any) -> None:
    graph.save(tmp_path / "model.wl")
    assert_same_graph(wl.load(tmp_path / "model.wl"), graph)


@pytest.mark.parametrize(("shape", "n_levels"), [(chain, 10_000), (doubling_program, 40)])
def test_unusual_shapes_come_back(tmp_path: Path, shape: Any, n_levels: int) -> None:
    graph = shape(n_levels)
    graph.save(tmp_path / "model.wl")
    assert_same_graph(wl.load(tmp_path / "model.wl"), graph)


def test_trees_and_programs_together() -> None:
    """Graphs of one file may be trees, programs, and trees with missing branches or shrinkage."""
    of_models = [fitted(name) for name in ("c45", "c45-branch", "c45-shrunk", "program", "stump")]
    together = [model.graph_ for model in of_models]
    again = graphs_from_content(together[0].schema, graphs_content(together))
    for one, other in zip(again, together, strict=True):
        for name, array in one.arrays.items():
            assert array.tobytes() == other.arrays[name].tobytes(), name


@pytest.mark.parametrize("weights", ["huge", "denormal", "mixed"])
def test_weights_of_any_size_come_back(weights: str, tmp_path: Path) -> None:
    X, y = table()
    chance = np.random.default_rng(3)
    factors = {
        "huge": 1e140,
        "denormal": 5e-324,
        "mixed": 10.0 ** chance.integers(-9, 9, len(y)),
    }
    sample_weight = np.ceil(chance.random(len(y)) * 9) * factors[weights]
    model = wl.C45Classifier(min_objects=1, prune=False).fit(X, y, sample_weight)
    for suffix in FORMS:
        model.save(tmp_path / f"model{suffix}")
        assert_same(wl.load(tmp_path / f"model{suffix}"), model)


def test_a_hundred_thousand_values(tmp_path: Path) -> None:
    cities = tuple(f"city {i}" for i in range(100_000))
    builder = wl.GraphBuilder([Feature("city", "nominal", cities)], ["no", "yes"])
    no, yes = builder.leaf("no"), builder.leaf("yes")
    graph = builder.build(builder.subsets("city", [(cities[:9], no), (cities[-9:], yes)]))
    graph.save(tmp_path / "model.wl")
    assert_same_graph(wl.load(tmp_path / "model.wl"), graph)


@for_all
def test_learning_goes_on_after_loading(name: str, tmp_path: Path) -> None:
    model = fitted(name)
    size = {"n_rounds", "n_members"} & set(model.get_params(deep=False))
    if "warm_start" not in model.get_params(deep=False) or not size:
        pytest.skip("the classifier has no warm start")
    X, y = table()
    model.save(tmp_path / "model.wl")
    further = {"warm_start": True, size.pop(): 6}
    again = wl.load(tmp_path / "model.wl").set_params(**further).fit(X, y)
    whole = MODELS[name]().set_params(**further).fit(X, y)
    assert_same(again, whole)


# -- sizes -------------------------------------------------------------------------------------


def test_files_hold_no_number_that_follows_from_others(tmp_path: Path) -> None:
    """A boosted tree needs fewer than 40 bytes a node, and JSON fewer than 90."""
    chance = np.random.default_rng(0)
    X = chance.integers(0, 16, (2000, 8)).astype(float)
    y = (X[:, 0] * X[:, 1] + X[:, 2] * X[:, 3]) // 60
    model = wl.AdaBoostM1Classifier(n_rounds=5).fit(X, y)
    n_nodes = sum(graph.n_nodes for graph in graphs_of(model))
    for suffix, most in ((".wl", 40), (".json", 90)):
        model.save(tmp_path / f"model{suffix}")
        assert os.path.getsize(tmp_path / f"model{suffix}") < most * n_nodes + 4000


def test_empty_branches_take_little_space(tmp_path: Path) -> None:
    """A multiway split on a feature with many values has mostly empty branches."""
    chance = np.random.default_rng(0)
    X = pd.DataFrame({"city": chance.choice([f"c{i}" for i in range(100)], 400)})
    X["x"] = chance.random(400)
    by_city = X["city"].str.len() + X["city"].str[-1].astype(int) > 6
    y = np.where(X["x"] < 0.8, "low", np.where(by_city, "high", "highest"))
    model = wl.C45Classifier(prune=False, max_depth=2, criterion="gain").fit(X, y)
    is_empty = model.tree_.weight == 0
    assert is_empty.sum() > 20
    model.save(tmp_path / "model.wl")
    stored = graphs_content([model.tree_])
    assert len(stored["n_classes"]) == model.tree_.n_nodes - is_empty.sum()
    assert_same_graph(wl.load(tmp_path / "model.wl").tree_, model.tree_)


# -- files of version 1 ------------------------------------------------------------------------


def expected_of_version_1() -> tuple[pd.DataFrame, dict[str, Any]]:
    stored = json.loads((VERSION_1 / "expected.json").read_text(encoding="utf-8"))
    rows = pd.DataFrame(stored["rows"])
    rows["day"] = pd.to_datetime(rows["day"])
    return rows, stored["probabilities"]


@for_all
def test_files_of_version_1_still_load(name: str, tmp_path: Path) -> None:
    rows, probabilities = expected_of_version_1()
    expected = np.array(
        [[float.fromhex(number) for number in line] for line in probabilities[name]]
    )
    model = wl.load(VERSION_1 / f"{name}.json")
    model.save(tmp_path / "model.wl")
    for loaded in (model, wl.load(tmp_path / "model.wl")):
        if name != "c45-costs":  # which does not predict the class of the highest probability
            assert (loaded.predict(rows) == loaded.classes_[expected.argmax(axis=1)]).all()
        # How committees and separators turn votes into probabilities may change.
        if hasattr(loaded, "graph_") or hasattr(loaded, "ruleset_"):
            assert loaded.predict_proba(rows).tolist() == expected.tolist()


def test_graphs_and_rulesets_of_version_1_still_load() -> None:
    rows, probabilities = expected_of_version_1()
    expected = [[float.fromhex(number) for number in line] for line in probabilities["c45"]]
    assert wl.load(VERSION_1 / "graph.json").predict_proba(rows).tolist() == expected
    ruleset = wl.load(VERSION_1 / "ruleset.json")
    assert ruleset == wl.load(VERSION_1 / "rules.json").ruleset_
    assert len(ruleset) > 1
