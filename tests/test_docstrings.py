"""The examples in the docstrings run and give what they show."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import weaklearn

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(weaklearn.__path__, "weaklearn.")
    if not module.name.endswith(("._core", ".__main__"))
)


#: Modules whose examples use a package that an installation may lack.
NEEDS = {
    "weaklearn.export.onnx_file": "onnxruntime",
    "weaklearn.export.onnx_pipelines": "skl2onnx",
}


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name], reason=f"the examples of {name} need it")
    if name.startswith("weaklearn.dask"):
        pytest.importorskip("dask.dataframe", reason="weaklearn.dask needs the extra cluster")
        pytest.importorskip("distributed", reason="weaklearn.dask needs the extra cluster")
    monkeypatch.chdir(tmp_path)  # an example may write a file
    # The examples show the tables that every user has.
    monkeypatch.delenv("WEAKLEARN_DATA", raising=False)
    module = importlib.import_module(name)
    options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    assert doctest.testmod(module, optionflags=options).failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    tests = [t for name in MODULES for t in finder.find(importlib.import_module(name))]
    assert sum(bool(t.examples) for t in tests) > 20
