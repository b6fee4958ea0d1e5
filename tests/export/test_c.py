"""Models exported to C predict the same bits as the library."""

from __future__ import annotations

import math
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weaklearn as wl
from export.models import (
    FACTORIES,
    encoded,
    fitted,
    predictions,
    random_cells,
    rows_of,
    training_table,
)
from export.run_c import COMPILERS, FLAGS, CModel
from oracles import exported
from random_graphs import graphs
from weaklearn.encoding import EncodedRows
from weaklearn.models import Graph


def c_rows(compiled: CModel, described: Any, X: pd.DataFrame, rows: Any) -> list[list[float]]:
    """Return rows for C: numbers as they are, nominal values by their texts."""
    columns = []
    for index, read in enumerate(described.inputs):
        if read.kind == "nominal":
            cells = X[read.name].tolist()
            texts = [cell if isinstance(cell, str) else None for cell in cells]
            columns.append([compiled.encode(index, text) for text in texts])
        else:
            columns.append(rows.arrays[index].tolist())
    return [list(row) for row in zip(*columns, strict=True)]


@pytest.mark.parametrize("name", FACTORIES)
def test_the_same_bits(name: str, tmp_path: Path) -> None:
    model = fitted(name)
    described = wl.export.describe(model)
    _, source = wl.export.c(model, tmp_path / "exported")
    compiled = CModel(source)
    X = rows_of(np.random.default_rng(2), 300)
    rows = encoded(model, X)
    labels, probabilities = predictions(model, rows)
    n_labels = len(described.labels)
    cells = c_rows(compiled, described, X, rows)
    assert [described.labels[compiled.predict(row)] for row in cells] == labels
    assert [compiled.numbers("predict_proba", row, n_labels) for row in cells] == probabilities
    oracle_rows = zip(*(array.tolist() for array in rows.arrays), strict=True)
    wanted = [exported.scores(described, row) for row in oracle_rows][:40]
    order = described.class_of_label
    of_labels = [[scores[k] for k in order] for scores in wanted]
    assert [compiled.numbers("scores", row, n_labels) for row in cells[:40]] == of_labels


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("name", ["boosted-forest", "real-adaboost", "oc1", "bagged-programs"])
def test_optimised_code_does_not_fuse_products_and_sums(
    name: str, compiler: str, tmp_path: Path
) -> None:
    if compiler not in COMPILERS:
        pytest.skip(f"no {compiler}")
    cpu = Path("/proc/cpuinfo")
    if not cpu.is_file() or " fma" not in cpu.read_text():
        pytest.skip("this processor cannot fuse products and sums")
    model = fitted(name)
    described = wl.export.describe(model)
    _, source = wl.export.c(model, tmp_path / "exported")
    # GCC fuses by default where the processor can, except with -std=c99; the file forbids it.
    flags = [flag for flag in FLAGS if flag not in ("-std=c99", "-O0")]
    compiled = CModel(source, compiler, (*flags, "-std=gnu99", "-O3", "-mfma"))
    X = rows_of(np.random.default_rng(4), 100)
    rows = encoded(model, X)
    wanted = predictions(model, rows)[1]
    cells = c_rows(compiled, described, X, rows)
    n_labels = len(described.labels)
    assert [compiled.numbers("predict_proba", row, n_labels) for row in cells] == wanted


def test_the_header_is_also_for_cpp(tmp_path: Path) -> None:
    header, _ = wl.export.c(fitted("c45"), tmp_path / "exported")
    for compiler in COMPILERS:
        language = ["-x", "c++", "-std=c++11", "-fsyntax-only", *FLAGS[1:5]]
        done = subprocess.run(
            [compiler, *language, str(header)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr


def test_codes_outside_the_values_are_missing(tmp_path: Path) -> None:
    model = fitted("c45-subset")
    described = wl.export.describe(model)
    _, source = wl.export.c(model, tmp_path / "exported.c")
    compiled = CModel(source)
    n_labels = len(described.labels)
    row = [0.5, 1.0, 16777220.0, math.nan, math.nan, math.nan, math.nan]
    missing = compiled.numbers("predict_proba", row, n_labels)
    for wrong in (-1.0, 8.0, 1e300, -1e300, math.inf, -math.inf, 0.5):
        changed = [*row[:3], wrong, *row[4:]]
        assert compiled.numbers("predict_proba", changed, n_labels) == missing
    known = [*row[:3], 0.0, *row[4:]]
    assert compiled.numbers("predict_proba", known, n_labels) != missing


def test_an_unsuitable_compilation_is_refused(tmp_path: Path) -> None:
    _, source = wl.export.c(fitted("c45"), tmp_path / "exported")
    with pytest.raises(AssertionError, match="compile without -ffast-math"):
        CModel(source, flags=(*FLAGS, "-ffast-math"))


def test_g2(tmp_path: Path) -> None:
    X, y = training_table()
    model = wl.G2Classifier(graph=wl.SeparatorGraph(9)).fit(X, (y == "no").to_numpy())
    described = wl.export.describe(model)
    _, source = wl.export.c(model, tmp_path / "exported")
    compiled = CModel(source)
    rows = rows_of(np.random.default_rng(6), 50)
    cells = c_rows(compiled, described, rows, model.hypotheses_[0]._encode(rows))
    wanted = model.predict_proba(rows).tolist()
    assert [compiled.numbers("predict_proba", row, 2) for row in cells] == wanted
    assert [bool(compiled.predict(row)) for row in cells] == model.predict(rows).tolist()


@settings(max_examples=8)
@given(graph=graphs(), seed=st.integers(0, 2**32))
def test_any_graph(graph: Graph, seed: int) -> None:
    chance = np.random.default_rng(seed)
    described = wl.export.describe(graph)
    arrays = [random_cells(chance, i, 30) for i in described.inputs]
    rows = EncodedRows(arrays, 30)
    with tempfile.TemporaryDirectory() as folder:
        compiled = CModel(wl.export.c(graph, Path(folder) / "exported")[1])
    cells = [[float(x) for x in row] for row in zip(*arrays, strict=True)]
    assert [compiled.predict(row) for row in cells] == graph.predict_class_indices(rows).tolist()
    shares = [compiled.numbers("predict_proba", row, 3) for row in cells]
    np.testing.assert_array_equal(shares, graph.predict_class_shares(rows))


@pytest.mark.skipif(len(COMPILERS) < 2, reason="no second C compiler")
def test_another_compiler_has_no_warnings(tmp_path: Path) -> None:
    sources = [str(wl.export.c(fitted(name), tmp_path / name)[1]) for name in FACTORIES]
    command = [COMPILERS[1], *FLAGS[:5], "-fsyntax-only", *sources]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
