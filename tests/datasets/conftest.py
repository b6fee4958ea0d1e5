"""Folders for the tests alone, and replacements for the network."""

from __future__ import annotations

import urllib.error
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from weaklearn.datasets import keel, openml
from weaklearn.datasets.catalogue import OpenMLTable
from weaklearn.tables import Table


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder and an empty cache, so that no test uses those of the machine."""
    data = tmp_path / "data"
    data.mkdir()
    monkeypatch.setenv("WEAKLEARN_DATA", str(data))
    monkeypatch.setenv("WEAKLEARN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(keel, "find_spec", lambda name: None)
    return data


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str, described: OpenMLTable) -> Table:
        raise urllib.error.URLError("no route to host")

    monkeypatch.setattr(openml, "fetch_table", fail)


@pytest.fixture
def fake_openml(
    awkward_table: Callable[[str], Table], monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """A fetcher that needs no network; the list has the names of the fetched tables."""
    fetched: list[str] = []

    def fetch_table(name: str, described: OpenMLTable) -> Table:
        fetched.append(name)
        return awkward_table(name)

    monkeypatch.setattr(openml, "fetch_table", fetch_table)
    return fetched


@pytest.fixture
def awkward_table() -> Callable[[str], Table]:
    """A function that returns a small table with values that are hard to write to a file."""

    def make(name: str) -> Table:
        X = pd.DataFrame(
            {
                "plain": [1.0, 0.1 + 0.2, np.nan],
                "it's, odd": pd.Categorical.from_codes(
                    [1, -1, 0], ["a b", "c'd", "never, here", "%"]
                ),
            }
        )
        y = pd.Series(pd.Categorical.from_codes([0, 1, 1], ["z", "a", "m"]), name="the class")
        return Table(name, X, y, ("from a test",))

    return make
