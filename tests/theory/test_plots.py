"""Plots show the values that were measured."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from weaklearn import theory

matplotlib = pytest.importorskip("matplotlib")
plt = pytest.importorskip("matplotlib.pyplot")
matplotlib.use("agg")


@pytest.fixture(autouse=True)
def close_figures() -> Iterator[None]:
    yield
    plt.close("all")


def trial(gamma: list[float]) -> theory.Advantages:
    n = len(gamma)
    numbers = np.arange(1, n + 1)
    return theory.Advantages(numbers, np.array(gamma), 1.0 / numbers, 0.1 / numbers, numbers - 1)


def curves(ax: Any) -> dict[str, np.ndarray]:
    return {line.get_label(): line.get_ydata() for line in ax.lines}


def test_plot_of_criteria() -> None:
    ax = theory.plot_criteria(["km", "entropy"], largest_q=0.1)
    assert len(ax.lines) == 2
    x, y = ax.lines[0].get_data()
    assert x.max() == pytest.approx(0.1)
    np.testing.assert_allclose(y, 2 * np.sqrt(x * (1 - x)))
    assert len(theory.gini.plot().lines) == 1
    with pytest.raises(ValueError, match=r"got largest_q=2, expected a share"):
        theory.plot_criteria(largest_q=2)


@pytest.mark.parametrize(("criterion", "gain"), [("gini", 0.36), ("error", 0.4)])
def test_plot_of_a_gain(criterion: str, gain: float) -> None:
    ax = theory.plot_gain(criterion, p=0.1, r=0.7, tau=0.5)
    assert ax.get_title() == f"gain {gain:.3f}"
    low, high = ax.lines[-1].get_ydata()
    assert high - low == pytest.approx(gain)
    assert theory.plot_gain("error", p=0.1, r=0.3, tau=0.5).get_title() == "gain 0.000"
    with pytest.raises(ValueError, match=r"got tau=-1, expected a share from 0 to 1"):
        theory.plot_gain("km", 0.1, 0.2, -1)


def test_means_end_where_fewer_than_half_of_the_trials_go_on() -> None:
    trials = [trial([0.1, 0.2, 0.3]), trial([0.3, np.nan]), trial([0.5])]
    ax = theory.plot_advantages({"TopDown": trials, "AdaBoost": trials[0]})
    drawn = curves(ax)
    np.testing.assert_allclose(drawn["TopDown"], [0.3, 0.2])
    np.testing.assert_allclose(drawn["AdaBoost"], [0.1, 0.2, 0.3])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["TopDown", "AdaBoost"]
    assert trials[0].plot().get_legend() is None


def test_scatter_plots_show_every_split() -> None:
    trials = [trial([0.1, np.nan, 0.3]), trial([0.4])]
    for plot, quantity in (
        (theory.plot_advantage_by_weight, "weight"),
        (theory.plot_advantage_by_gain, "gain"),
    ):
        points = plot(trials).collections[0].get_offsets()
        np.testing.assert_allclose(points[:, 0], [0.1, 0.3, 0.4])
        values = np.concatenate([getattr(t, quantity) for t in trials])
        np.testing.assert_allclose(points[:, 1], values[[0, 2, 3]])


def test_plot_of_the_errors_of_two_methods() -> None:
    ax = theory.plot_errors([0.1, 0.2], [0.15, 0.1], ("AdaBoost", "C4.5"))
    assert ax.get_xlabel() == "error of AdaBoost"
    assert ax.collections[0].get_offsets().tolist() == [[0.1, 0.15], [0.2, 0.1]]
    with pytest.raises(ValueError, match=r"shapes \(1,\) and \(2,\), expected one of each per"):
        theory.plot_errors([0.1], [0.1, 0.2])


def test_plots_of_bounds() -> None:
    bound = theory.training_bound([0.2, 0.1, 0.0])
    ax = bound.plot()
    np.testing.assert_allclose(ax.lines[0].get_ydata(), bound.exponential)
    np.testing.assert_allclose(ax.lines[1].get_ydata()[:2], bound.product[:2])
    ax = theory.plot_rounds_needed(0.2)
    assert len(ax.lines) == 4
    ax.figure.draw_without_rendering()
    with pytest.raises(ValueError, match=r"got least_error=0.7, expected"):
        theory.plot_rounds_needed(0.2, 0.7)


def test_plots_use_the_given_axes() -> None:
    _, ax = plt.subplots()
    assert theory.km.plot(ax) is ax
    assert trial([0.1]).plot(ax) is ax


def test_other_objects_than_trials_are_errors() -> None:
    with pytest.raises(TypeError, match=r"got list, expected the result of wl.theory.adv"):
        theory.plot_advantages({"a": [[0.1]]})
    with pytest.raises(ValueError, match=r"got no trial"):
        theory.plot_advantage_by_gain([])


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r'pip install "weaklearn\[plot\]"'):
        wl.theory.km.plot()
