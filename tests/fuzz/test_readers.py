"""The seeds of the reader fuzzer and some mutations of them, which are the same in every run."""

from __future__ import annotations

import warnings
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pyarrow", reason="needs Parquet files")

from fuzz.readers import Inputs, Target, run, targets

NAMES = ["arff", "names", "data", "csv", "tsv", "gz", "parquet", "plan", "json", "wl"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("readers")


@pytest.fixture(scope="module")
def all_targets(folder: Path) -> dict[str, Target]:
    return targets(folder)


@pytest.mark.parametrize("name", NAMES)
def test_seeds_are_read_and_mutations_are_read_or_refused(
    name: str, all_targets: dict[str, Target], folder: Path
) -> None:
    assert list(all_targets) == NAMES
    target = all_targets[name]
    n_read = 0
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for data in islice(Inputs(target, seed=1), len(target.seeds) + 60):
            n_read += run(target, name, data, folder)
    assert len(target.seeds) <= n_read < len(target.seeds) + 60
