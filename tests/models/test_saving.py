import gzip
import json
import os
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from models.version_1 import version_1_document
from random_graphs import chain, doubling_program, graphs
from reference_nodes import graph_of, leaf, reference_trees
from weaklearn import _core
from weaklearn.models import Graph, LoadError, load
from weaklearn.models.file_content import take
from weaklearn.models.saving import register_kind, write
from weaklearn.schema import Feature, Schema

same_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def assert_same(one, other):
    assert one.schema == other.schema
    arrays, others = one.arrays, other.arrays
    assert arrays.keys() == others.keys()
    for name in arrays:
        assert arrays[name].dtype == others[name].dtype, name
        np.testing.assert_array_equal(arrays[name], others[name], err_msg=name)


def small():
    schema = Schema(
        (Feature("x", "continuous"), Feature("v", "nominal", ("a", "b", "c"))), ("no", "yes")
    )
    below = {
        **{"attr": "v", "index": 1, "test": "subset", "subsets": [["a", "c"], ["b"]]},
        **leaf("no", 5, 1.5, {"no": 4.0, "yes": 1.0}),
        "children": [leaf("no", 3, 0.5), leaf("yes", 2, 1.0)],
        "flow": [3.0, 2.0],
    }
    root = {"attr": "x", "index": 0, "test": "<=", "threshold": 0.1, **leaf("no", 9, 2.5)}
    return graph_of({**root, "children": [below, leaf("yes", 4)], "flow": [5.0, 4.0]}, schema)


def oblique():
    """An oblique split with one term, and branch weights."""
    schema = Schema(
        (Feature("x", "continuous"), Feature("v", "nominal", ("a", "b", "c"))), ("no", "yes")
    )
    below = {
        **{"attr": "v", "index": 1, "test": "subset", "subsets": [["a", "c"], ["b"]]},
        **leaf("no", 5, 1.5, {"no": 4.0, "yes": 1.0}),
        "children": [leaf("no", 3, 0.5), leaf("yes", 2, 1.0)],
        "flow": [3.0, 2.0],
    }
    term = {"attr": "x", "index": 0, "form": "linear", "unknown": 0.5, "influence": 1.0}
    root = {"test": "oblique", "terms": [{**term, "coefficient": 2.0}], "threshold": 0.1}
    children = [below, leaf("yes", 4)]
    return graph_of({**root, **leaf("no", 9, 2.5), "children": children, "flow": [5, 4]}, schema)


def document(graph=None):
    return version_1_document(graph or small())


def write_text(folder, text, name="model.json"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refused(folder, changed):
    text = changed if isinstance(changed, str | bytes) else json.dumps(changed)
    path = write_text(folder, text)
    with pytest.raises(LoadError) as caught:
        load(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


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


# -- files that are wrong ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        ("[1, 2]", "not a weaklearn model"),
        ('{"format": "other"}', "not a weaklearn model"),
        ('{"format": "weaklearn"}', 'its "version" is missing'),
        ('{"format": "weaklearn", "version": true}', 'its "version" is True'),
        ('{"format": "weaklearn", "version": 0}', "versions count from 1"),
        ('{"format": "weaklearn", "version": 1}', 'its "kind" is missing'),
        ('{"format": "weaklearn", "version": 1, "kind": "cake"}', "a 'cake'; known kinds are"),
        ('{"format": "weaklearn", "version": NaN}', "NaN, which is not a number"),
        ('{"format": "weaklearn", "version": -Infinity}', "-Infinity, which is not a number"),
        ('{"format": "weaklearn", "version": 1e999}', "1e999, which is too large"),
        ("[" * 200_000, "nested too deeply"),
        ('{"format":' * 200_000, "nested too deeply"),
        (b"\x1f\x8b", "cannot be read"),
        (gzip.compress(b"{}" * 1000, mtime=0)[:-9], "cannot be read"),
        (b"\x1f\x8b\x08" + b"\x00" * 40, "cannot be read"),
    ],
)
def test_not_a_model(tmp_path, text, reason):
    assert reason in refused(tmp_path, text)


def test_a_newer_version_says_what_to_do(tmp_path):
    reason = refused(tmp_path, {**document(), "version": 3})
    assert "version 3 of the format, and this weaklearn reads up to version 2" in reason
    assert "pip install --upgrade weaklearn" in reason


def test_no_file(tmp_path):
    with pytest.raises(LoadError, match=r"missing\.json.*No such file"):
        load(tmp_path / "missing.json")
    with pytest.raises(LoadError, match="directory"):
        load(tmp_path)


def test_a_small_file_that_unpacks_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr("weaklearn.models.saving.MAX_BYTES", 1 << 20)
    assert "more than 1,048,576 bytes" in refused(tmp_path, gzip.compress(b" " * (1 << 22)))


@pytest.mark.parametrize("key", ["schema", "graph"])
def test_missing_and_wrong_parts(tmp_path, key):
    whole = document()
    assert f'its "{key}" is missing' in refused(tmp_path, {k: whole[k] for k in whole if k != key})
    for wrong in (None, 1, "x", [], True):
        assert f'its "{key}" is' in refused(tmp_path, {**whole, key: wrong})


def array_paths():
    """Return the path of every list of a stored graph: of an array, or of a field of records.

    Branches of missing values and shrinkage are tested with the trees that have them.
    """
    for name, dtype in _core.GRAPH_DTYPES.items():
        if name in ("missing_branch", "shrinkage"):
            continue
        yield from [(name,)] if dtype.names is None else [(name, field) for field in dtype.names]


@pytest.mark.parametrize("path", list(array_paths()), ids=".".join)
def test_missing_and_wrong_arrays(tmp_path, path):
    *above, name = path
    numbers = holder_of(document(oblique()), path)[name]

    def reason(wrong=None, drop=False):
        whole = document(oblique())
        holder = holder_of(whole, path)
        holder[name] = wrong
        if drop:
            del holder[name]
        return refused(tmp_path, whole)

    assert f'its "{name}" is missing' in reason(drop=True)
    for wrong in (None, 7, "abc", {}):
        assert f'its "{name}" is' in reason(wrong)
    for wrong in ("1", None, True, [1], {}):
        assert f'its "{name}" is not a list of' in reason([wrong, *numbers[1:]])
    reason([10**400, *numbers[1:]])
    if isinstance(numbers[0], int):
        for wrong in (10**30, -(10**30)):
            assert f'its "{name}" holds a number outside' in reason([wrong, *numbers[1:]])
    reason(numbers[:-1])
    if name != "branch_weights":  # a graph may be without them
        reason([])
    if above:
        assert "differ in length" in reason([*numbers, numbers[0]])


def holder_of(whole, path):
    holder = whole["graph"]
    for key in path[:-1]:
        holder = holder[key]
    return holder


@pytest.mark.parametrize(
    ("name", "reason"),
    [("nodes", "the unknown column"), ("terms", 'its "terms" is missing')],
)
def test_missing_and_wrong_records(tmp_path, name, reason):
    whole = document()
    del whole["graph"][name]
    whole["graph"].pop("missing_branch", None)
    assert reason in refused(tmp_path, whole)
    for wrong in (None, 7, "abc", [], [1]):
        whole["graph"][name] = wrong
        assert f'its "{name}" is' in refused(tmp_path, whole)


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("split", 0, 4),
        ("split", 0, 5),
        ("split", 0, 2**32 - 1),
        ("column", 0, 2),
        ("column", 0, -1),
        ("label", 0, 2),
        ("label", 4, -1),
        ("weight", 0, -1.0),
        ("first_branch", 0, 3),
        ("first_branch", 0, 2**32 - 1),
        ("n_branches", 0, 3),
        ("n_branches", 4, 1),
        ("n_branches", 0, 2**32 - 1),
        ("first_value", 1, 1),
        ("first_value", 1, 2**32 - 1),
        ("first_class", 0, 2**32 - 1),
        ("n_classes", 0, 2**32 - 1),
        ("children", 0, 5),
        ("children", 2, 0),
        ("children", 2, 1),
        ("value_branch", 0, 2),
        ("value_branch", 0, -2),
        ("class_index", 0, 2),
        ("class_index", 0, -1),
        ("class_weight", 0, -0.5),
    ],
)
def test_indices_out_of_range_and_cycles(tmp_path, name, place, value):
    whole = document()
    graph = whole["graph"]
    (graph if name in graph else graph["nodes"])[name][place] = value
    refused(tmp_path, whole)


# -- files damaged by chance ------------------------------------------------------------------


def places(value, path=()):
    """Return the path of every entry inside nested lists and dicts."""
    entries = value.items() if isinstance(value, dict) else enumerate(value)
    for key, entry in entries:
        yield (*path, key)
        if isinstance(entry, dict | list):
            yield from places(entry, (*path, key))


values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 8),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from([[], {}, [[]], [0], {"a": 1}, 2**31, 2**32, -1, 10**400]),
)


def equal_or_refused(path):
    try:
        again = load(path)
    except LoadError:
        return
    # A change that does not matter to the checks must still give a graph that works.
    assert isinstance(again, Graph)
    again.to_text()
    again.to_dict()
    again.to_dot()
    again.rules()
    again._repr_html_()
    again.save(path)
    saved = load(path)  # without the numbers that no node refers to
    assert saved.to_dict() == again.to_dict()
    saved.save(path)
    assert_same(load(path), saved)


@given(st.integers(0, 2**32), st.lists(values, min_size=1, max_size=3))
@settings(same_folder, max_examples=300)
def test_changed_entries(tmp_path, seed, news):
    chance = random.Random(seed)
    whole = document()
    for new in news:
        *path, key = chance.choice(list(places(whole)))
        holder = whole
        for step in path:
            holder = holder[step]
        action = chance.choice(["replace", "drop", "repeat"])
        if action == "replace":
            holder[key] = new
        elif action == "drop":
            del holder[key]
        elif isinstance(holder, list):
            holder.insert(key, holder[key])
    equal_or_refused(write_text(tmp_path, json.dumps(whole)))


@given(st.data(), st.booleans())
@settings(same_folder, max_examples=200)
def test_damaged_bytes(tmp_path, data, compressed):
    text = json.dumps(document()).encode()
    text = gzip.compress(text, mtime=0) if compressed else text
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.sampled_from([start, start + 1, start + 5, len(text)]))
    middle = data.draw(st.binary(max_size=6))
    equal_or_refused(write_text(tmp_path, text[:start] + middle + text[end:]))


@given(st.binary(max_size=60))
@same_folder
def test_random_bytes(tmp_path: Path, data):
    refused(tmp_path, data)


def test_a_pickle_of_the_other_order_of_bytes_is_the_same_graph() -> None:
    graph = wl.C45Classifier().fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1]).tree_
    swapped = {
        name: array.astype(array.dtype.newbyteorder("S")) for name, array in graph.arrays.items()
    }
    assert not swapped["nodes"].dtype.isnative
    assert Graph.from_arrays(graph.schema, swapped) == graph
