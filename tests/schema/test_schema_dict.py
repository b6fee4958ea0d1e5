"""A schema is read back from JSON; in a wrong one the error names the place."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weaklearn.schema import Feature, Schema

labels = st.one_of(
    st.text(), st.integers(), st.booleans(), st.floats(allow_nan=False, allow_infinity=False)
)
label_tuples = st.lists(labels, unique=True).map(tuple)
continuous = st.builds(
    Feature,
    st.text(),
    st.just("continuous"),
    precision=st.sampled_from(["single", "double"]),
)
nominal = st.builds(Feature, st.text(), st.just("nominal"), label_tuples)
schemas = st.builds(
    Schema,
    st.lists(continuous | nominal, min_size=1, unique_by=lambda feature: feature.name).map(tuple),
    label_tuples.filter(len),
    st.none() | st.text(),
)


@given(schemas)
def test_a_schema_is_read_back_from_json(schema):
    read = Schema.from_dict(json.loads(json.dumps(schema.to_dict())))
    assert read == schema
    assert [type(label) for label in read.classes] == [type(label) for label in schema.classes]


GOOD = Schema(
    (Feature("a", "continuous"), Feature("b", "nominal", ("x", 1))), ("no", "yes"), "t"
).to_dict()


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ((), [], r"schema is \[\]; expected an object"),
        (("features",), {}, "schema.features is {}; expected a list"),
        (("features",), [], "schema.features is empty"),
        (("features", 0), None, r"schema.features\[0\] is None"),
        (("features", 0, "name"), 3, r"schema.features\[0\].name is 3; expected a string"),
        (("features", 0, "name"), "b", "'b' more than once"),
        (("features", 0, "kind"), ["nominal"], r"kind is \['nominal'\]; expected one of"),
        (("features", 0, "kind"), "nominal", "has the keys .* expected"),
        (("features", 0, "precision"), "half", "precision is 'half'; expected one of"),
        (("features", 1, "values"), "xy", "values is 'xy'; expected a list"),
        (("features", 1, "values"), [[1]], r"values\[0\] is \[1\]; expected a string"),
        (("features", 1, "values"), [None], r"values\[0\] is None"),
        (("features", 1, "values"), [1, True], "True more than once"),
        (("features", 1, "values"), ["x", "x"], "'x' more than once"),
        (("features", 1, "values"), [float("nan")], "expected a finite number"),
        (("classes",), [], "schema.classes is empty"),
        (("classes",), ["a", float("inf")], r"schema.classes\[1\] is inf"),
        (("classes",), [1, 1.0], "1.0 more than once"),
        (("classes",), {"a": 1}, "schema.classes is .* expected a list"),
        (("target",), 1, "schema.target is 1"),
        (("extra",), 1, "schema has the keys .* expected"),
    ],
)
def test_the_error_names_the_place(path, value, message):
    data = copy.deepcopy(GOOD)
    if path:
        holder = data
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = value
    else:
        data = value
    with pytest.raises(ValueError, match=message):
        Schema.from_dict(data)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["features", "classes", "target", "name", "kind", "values"]), inner
        )
    ),
)


@given(json_values)
def test_any_json_gives_a_schema_or_a_value_error(data):
    try:
        schema = Schema.from_dict(data)
    except ValueError:
        return
    assert Schema.from_dict(schema.to_dict()) == schema
