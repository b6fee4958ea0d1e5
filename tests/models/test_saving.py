import gzip
import json
import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import weaklearn as wl
from models.saved_graphs import assert_same, document, small, write_text
from random_graphs import chain, doubling_program, graphs
from reference_nodes import graph_of, leaf, reference_trees
from weaklearn.models import Graph, LoadError, load
from weaklearn.models.file_content import take
from weaklearn.models.saving import register_kind, write
from weaklearn.schema import Feature, Schema

same_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


# -- save and load ---------------------------------------------------------------------------


@given(graphs())
@same_folder
def test_any_graph_comes_back(tmp_path, graph):
    for name in ("model.json", "model.json.gz"):
        graph.save(tmp_path / name)
        assert_same(load(tmp_path / name), graph)


@pytest.mark.parametrize(("name", "runs"), reference_trees())
def test_reference_trees_come_back(tmp_path, name, runs):
    for graph, nodes in runs():
        graph.save(str(tmp_path / "tree.json"))
        assert load(str(tmp_path / "tree.json")).to_dict() == nodes


@pytest.mark.parametrize(("shape", "n_levels"), [(chain, 10_000), (doubling_program, 40)])
def test_unusual_shapes_come_back(tmp_path, shape, n_levels):
    graph = shape(n_levels)
    graph.save(tmp_path / "model.json.gz")
    assert_same(load(tmp_path / "model.json.gz"), graph)


def test_labels_keep_their_types(tmp_path):
    labels = ("a", 2, 2.5, True)
    schema = Schema((Feature("v", "nominal", labels),), (False, 7, "yes", 0.5))
    graph_of(leaf("yes", 1), schema).save(tmp_path / "model.json")
    again = load(tmp_path / "model.json").schema
    assert again == schema
    assert [type(x) for x in again.classes] == [bool, int, str, float]


def test_the_file_is_as_described(tmp_path):
    small().save(tmp_path / "model.json")
    text = json.loads((tmp_path / "model.json").read_text())
    assert list(text) == ["format", "version", "kind", "schema", "graph"]
    assert (text["format"], text["version"], text["kind"]) == ("weaklearn", 2, "graph")
    assert text["graph"]["n_nodes"] == [5]
    assert text["graph"]["column"] == [0, 1]
    assert text["graph"]["listed_value"] == [1]


def test_the_same_graph_gives_the_same_bytes(tmp_path):
    for name in ("one.json.gz", "two.json.gz"):
        small().save(tmp_path / name)
    assert (tmp_path / "one.json.gz").read_bytes() == (tmp_path / "two.json.gz").read_bytes()


def test_a_compressed_file_needs_no_special_name_to_load(tmp_path):
    path = write_text(tmp_path, gzip.compress(json.dumps(document()).encode()), "model.bin")
    assert_same(load(path), small())


# -- saving -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["model.pkl", "model", "model.gz"])
def test_other_endings_are_refused(tmp_path, name):
    with pytest.raises(ValueError, match=r"ends in \.wl, \.json or \.json\.gz"):
        small().save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("label", [("a", "b"), None, np.int64(3), b"x"])
def test_labels_that_json_cannot_hold_are_refused(tmp_path, label):
    schema = Schema((Feature("x", "continuous"),), (label,))
    with pytest.raises(TypeError, match=r"the class has the value .* only str, int, float"):
        graph_of(leaf(label, 1), schema).save(tmp_path / "model.json")
    schema = Schema((Feature("x", "nominal", (label,)),), ("no",))
    with pytest.raises(TypeError, match=r"the feature 'x' has the value"):
        graph_of(leaf("no", 1), schema).save(tmp_path / "model.json")
    assert list(tmp_path.iterdir()) == []


def test_labels_that_are_not_finite_are_refused(tmp_path):
    schema = Schema((Feature("x", "continuous"),), (float("inf"),))
    with pytest.raises(ValueError, match="inf, which JSON cannot hold"):
        graph_of(leaf(float("inf"), 1), schema).save(tmp_path / "model.json")


def test_a_failed_save_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "model.json"
    small().save(path)
    before = path.read_bytes()

    def fail(*_):
        raise OSError("the disk is full")

    for name in ("replace", "fsync"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, fail)
            with pytest.raises(OSError, match="the disk is full"):
                chain(3).save(path)
        assert path.read_bytes() == before
        assert list(tmp_path.iterdir()) == [path]


def test_a_saved_file_has_ordinary_permissions(tmp_path):
    small().save(tmp_path / "model.json")
    (tmp_path / "other").touch()
    assert (tmp_path / "model.json").stat().st_mode == (tmp_path / "other").stat().st_mode


# -- other kinds ------------------------------------------------------------------------------


def test_other_kinds_register_their_loader(tmp_path):
    register_kind("number of this test", lambda content: take(content, "value", int))
    write(tmp_path / "model.json", "number of this test", {"value": 12})
    assert load(tmp_path / "model.json") == 12
    write(tmp_path / "model.json", "number of this test", {"value": "x"})
    with pytest.raises(LoadError, match="its \"value\" is 'x'; expected int"):
        load(tmp_path / "model.json")


def test_a_kind_that_is_registered_again_is_replaced(tmp_path):
    """A notebook cell that defines a classifier may run twice."""

    def define():
        class RedefinedClassifier(wl.C45Classifier):
            pass

        return RedefinedClassifier

    define()
    redefined = define()
    redefined().fit([[0.0], [1.0]], [0, 1]).save(tmp_path / "model.json")
    assert type(load(tmp_path / "model.json")) is redefined


def test_a_pickle_of_the_other_order_of_bytes_is_the_same_graph() -> None:
    graph = wl.C45Classifier().fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1]).tree_
    swapped = {
        name: array.astype(array.dtype.newbyteorder("S")) for name, array in graph.arrays.items()
    }
    assert not swapped["nodes"].dtype.isnative
    assert Graph.from_arrays(graph.schema, swapped) == graph
