"""Files of models that are wrong, or damaged by chance."""

import gzip
import json
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from models.saved_graphs import assert_same, document, oblique, refused, write_text
from weaklearn import _core
from weaklearn.models import Graph, LoadError, load

same_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)

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
