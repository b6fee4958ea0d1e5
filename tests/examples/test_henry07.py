"""The example that draws Figure 4 of Henry, Nock and Nielsen."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np

EXAMPLES = Path(__file__).parents[2] / "examples"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look up their module there
    spec.loader.exec_module(module)
    return module


def test_the_margins_of_the_figure() -> None:
    """Both margins have the same sign, and the one of the output is closer to 0."""
    figure = load("henry07_figure")
    table = figure.wl.datasets.make_xd6(200, class_noise=0.1, random_state=0)
    by_output, by_shares = figure.fold_margins(table).values()
    output, shares = np.concatenate(by_output), np.concatenate(by_shares)
    assert len(output) == len(shares) == 200
    assert np.array_equal(np.sign(output), np.sign(shares))
    assert (np.abs(output) <= np.abs(shares) + 1e-12).all()
