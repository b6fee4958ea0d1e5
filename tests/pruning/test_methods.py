"""Every pruning method: its committee is of the same kind, can be saved and pruned again."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier

import weaklearn as wl
from contracts.classifiers import COMMITTEES, Factory
from contracts.oracle_table import frame_of, labels_of
from oracles.c45 import Table
from strategies import tables

quick = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
#: The options that make the public function of a method deterministic and fast.
OPTIONS = {
    "kappa_shift": {"shift_votes": True},
    "margin_lp": {"random_state": 0},
    "exact": {"time_limit": 5},
}
FUNCTIONS: dict[str, Any] = {
    name: partial(getattr(wl.pruning, name.removesuffix("_shift")), **OPTIONS.get(name, {}))
    for name in wl.pruning.METHODS
}
for_each_method = pytest.mark.parametrize("prune", FUNCTIONS.values(), ids=FUNCTIONS.keys())


def fails(message: str, kind: type[Exception] = ValueError) -> Any:
    return pytest.raises(kind, match=re.escape(message))


def mixed(n_rows: int = 150) -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(7)
    X = pd.DataFrame(rng.normal(size=(n_rows, 3)), columns=["a", "b", "c"])
    X["d"] = rng.choice(["x", "y", "z"], n_rows)
    score = X["a"] + (X["d"] == "x") + rng.normal(scale=0.7, size=n_rows)
    return X, np.array(["low", "mid", "high"])[np.digitize(score, [0.0, 1.0])]


X, y = mixed()
SMALL = wl.C45Classifier(max_depth=3, prune=False)
MODELS = {
    "boosted": wl.AdaBoostM1Classifier(SMALL, n_rounds=12),
    "confident": wl.AdaBoostM1Classifier(SMALL, n_rounds=12, vote="confidence"),
    "bagged": wl.BaggedClassifier(SMALL, n_members=12, random_state=0),
}


@pytest.fixture(scope="module", params=MODELS)
def model(request: pytest.FixtureRequest) -> Any:
    return clone(MODELS[request.param]).fit(X, y)


@pytest.fixture(scope="module")
def boosted() -> Any:
    return clone(MODELS["boosted"]).fit(X, y)


@for_each_method
@pytest.mark.parametrize("make", COMMITTEES.values(), ids=COMMITTEES.keys())
@quick
@given(table=tables().filter(lambda table: sum(table.weights) < 1e6))
@pytest.mark.filterwarnings("ignore:.* does not separate values:UserWarning")
def test_keeping_all_members_changes_nothing(make: Factory, prune: Any, table: Table) -> None:
    frame, labels = frame_of(table), labels_of(table)
    model = make().fit(frame, labels, table.weights)
    same = prune(model, frame, labels, size=len(model))
    assert np.array_equal(same.predict(frame), model.predict(frame))
    assert np.array_equal(same.predict_proba(frame), model.predict_proba(frame))
    assert np.array_equal(prune(model, frame, labels, rate=1.0).votes_, model.votes_)


@for_each_method
def test_a_pruned_committee_is_of_the_same_kind(model: Any, prune: Any, tmp_path: Path) -> None:
    small = prune(model, X, y, size=5)
    assert type(small) is type(model)
    assert len(small) == 5
    assert len(model) == 12
    assert small.members_ == [model.members_[i] for i in small.pruning_.kept]
    assert np.array_equal(small.votes_, small.pruning_.votes)
    small.save(tmp_path / "small.json")
    loaded = wl.load(tmp_path / "small.json")
    assert np.array_equal(loaded.predict_proba(X), small.predict_proba(X))
    again = prune(loaded, X, y, size=2)
    assert len(again) == 2
    assert set(again.pruning_.kept) <= set(range(5))
    assert not hasattr(small[:3], "pruning_")  # a slice was not pruned
    assert len(prune(model, X, y, rate=0.5)) == 6
    assert len(prune(model, X, y, rate=0.01)) == 1


def test_kappa_keeps_votes_or_shifts_them(model: Any) -> None:
    plain = wl.pruning.kappa(model, X, y, size=4)
    assert np.array_equal(plain.votes_, model.votes_[plain.pruning_.kept])
    shifted = wl.pruning.kappa(model, X, y, size=4, shift_votes=True)
    assert np.array_equal(plain.pruning_.kept, shifted.pruning_.kept)
    assert shifted.votes_.sum() == pytest.approx(model.votes_.sum(), rel=1e-12)


def test_a_weight_of_two_equals_a_row_twice(model: Any) -> None:
    counts = np.random.default_rng(1).integers(0, 3, len(y))
    repeated = np.repeat(np.arange(len(y)), counts)
    weighted, drawn = (
        [
            wl.pruning.kappa(model, *rows, size=4, sample_weight=weights).pruning_,
            wl.pruning.exact(model, *rows, size=4, sample_weight=weights, price=0.01).pruning_,
        ]
        for rows, weights in (((X, y), counts), ((X.iloc[repeated], y[repeated]), None))
    )
    assert np.array_equal(weighted[0].kept, drawn[0].kept)
    assert weighted[1].cost == pytest.approx(drawn[1].cost, abs=1e-6)


def test_a_curve_equals_pruning_to_each_size(model: Any) -> None:
    train, test = slice(0, 100), slice(100, None)
    names = list(wl.pruning.METHODS)
    curve = wl.pruning.curve(
        model,
        X[train],
        y[train],
        X_test=X[test],
        y_test=y[test],
        sizes=[9, 3, 12],
        methods=names,
        random_state=0,
        time_limit=5,
    )
    assert curve.sizes == (3, 9, 12)
    assert curve.full_error == np.mean(model.predict(X[test]) != y[test])
    for name in set(names) - {"exact"}:  # it may end at another selection that is as good
        for position, size in enumerate(curve.sizes):
            small = FUNCTIONS[name](model, X[train], y[train], size=size)
            assert curve.errors[name][position] == np.mean(small.predict(X[test]) != y[test])
            mean = small.margins(X[test], y[test]).mean()
            assert curve.margins[name][position] == pytest.approx(mean, abs=1e-12)


def test_rows_of_weight_zero_have_no_margin_to_keep(boosted: Any) -> None:
    weights = np.ones(len(y))
    weights[boosted.margins(X, y) < 0.2] = 0.0
    easy = wl.pruning.margin_lp(boosted, X, y, theta=0.5, sample_weight=weights, random_state=0)
    present = weights > 0
    same = wl.pruning.margin_lp(boosted, X[present], y[present], theta=0.5, random_state=0)
    assert np.array_equal(easy.pruning_.kept, same.pruning_.kept)


def test_slack_and_price(boosted: Any) -> None:
    tight, loose = (
        wl.pruning.margin_lp(boosted, X, y, size=5, slack=slack, random_state=0).pruning_
        for slack in (0.0, 1.0)
    )
    assert loose.missed <= tight.missed
    costs = [
        wl.pruning.exact(boosted, X, y, theta=0.5, price=price, random_state=0).pruning_.cost
        for price in (0.01, 0.1, 1.0)
    ]
    assert costs == sorted(costs)
    assert costs[0] < 12


def test_the_solver_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    """HiGHS prints a line for some integer programs, such as this one, even if output is off."""
    table = wl.datasets.load("digits")
    forest = RandomForestClassifier(20, random_state=0).fit(table.X, table.y)
    wl.pruning.exact(wl.as_committee(forest), table.X, table.y, size=5, time_limit=30)
    assert capfd.readouterr() == ("", "")


# -- bad input ------------------------------------------------------------------------------------


@for_each_method
def test_bad_sizes(prune: Any, boosted: Any) -> None:
    with fails("got size=13, and the committee has 12 members: ask for at most that"):
        prune(boosted, X, y, size=13)
    for size in (0, -1, 2.5, "auto", True):
        with fails(f"got size={size!r}, expected a whole number from 1 to 12."):
            prune(boosted, X, y, size=size)
    for rate in (0, 1.5, -0.1, "half", float("nan")):
        with fails(f"got rate={rate!r}, expected a share above 0 and up to 1"):
            prune(boosted, X, y, rate=rate)
    with fails("got neither of size and rate: set how many members to keep (size=10)"):
        prune(boosted, X, y)
    with fails("got both of size and rate"):
        prune(boosted, X, y, size=3, rate=0.5)


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - {"first_rounds"}))  # it needs no rows
def test_bad_samples(name: str, boosted: Any) -> None:
    prune = FUNCTIONS[name]
    with fails("Feature names seen at fit time, yet now missing:\n- c"):
        prune(boosted, X.drop(columns="c"), y, size=3)
    with fails("y holds 'huge', which is not a class of the training table"):
        prune(boosted, X, np.where(y == "low", "huge", y), size=3)
    with fails("y is missing: pass the rows to prune on, X and y."):
        prune(boosted, X, None, size=3)
    with fails("sample_weight.shape == (2,), expected (150,)"):
        prune(boosted, X, y, size=3, sample_weight=[1, 2])


@for_each_method
def test_models_that_are_not_fitted_committees(prune: Any) -> None:
    with fails("got C45Classifier, expected a fitted committee", TypeError):
        prune(wl.C45Classifier().fit(X, y), X, y, size=1)
    with fails("this AdaBoostM1Classifier is not fitted: call fit(X, y) first.", TypeError):
        prune(wl.AdaBoostM1Classifier(), X, y, size=1)
    forest = RandomForestClassifier(3, random_state=0).fit(X[["a", "b"]], y)
    with fails("got a RandomForestClassifier: wrap it first, wl.as_committee(mod", TypeError):
        prune(forest, X[["a", "b"]], y, size=1)
    real = wl.RealAdaBoostClassifier(3)
    with fails("got a G2Classifier: wrap it first, wl.as_committee(model)", TypeError):
        prune(real.as_g2().fit(X, y == "low"), X, y == "low", size=1)
    with fails("fit it as a composition, wl.as_committee(model.as_g2().fit(X, y))", TypeError):
        prune(real.fit(X, y), X, y, size=1)


def test_bad_margins_prices_and_limits(boosted: Any) -> None:
    for prune in (wl.pruning.margin_lp, wl.pruning.exact):
        with fails("theta=5 cannot be reached: no votes of these members keep that share"):
            prune(boosted, X, y, theta=5)
        with fails("got theta with size or rate"):
            prune(boosted, X, y, theta=0.5, size=3)
        for theta in (0, -1, "all", float("inf")):
            with fails(f"got theta={theta!r}, expected a number > 0."):
                prune(boosted, X, y, theta=theta)
        with fails("got price=0, expected a number > 0."):
            prune(boosted, X, y, size=3, price=0)
    with fails("got slack=2, expected a share from 0 to 1."):
        wl.pruning.margin_lp(boosted, X, y, size=3, slack=2)
    with fails("got n_draws=0, expected a whole number >= 1."):
        wl.pruning.margin_lp(boosted, X, y, size=3, n_draws=0)
    with fails("got time_limit=0, expected a number > 0."):
        wl.pruning.exact(boosted, X, y, size=3, time_limit=0)
    wrong = np.array(["mid", "high", "low"])[
        pd.Series(boosted.predict(X)).map({"low": 0, "mid": 1, "high": 2})
    ]
    with fails("the committee gets no row of the sample right"):
        wl.pruning.margin_lp(boosted, X, wrong, size=3)
    with fails("got method='magic', expected one of 'kappa', 'kappa_shift'"):
        wl.pruning.curve(boosted, X, y, methods=["magic"])
    with fails("y is missing"):
        wl.pruning.curve(boosted, X, y, X_test=X)


# -- plots ----------------------------------------------------------------------------------------


def test_plots_show_every_method_and_pair(boosted: Any) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    curve = wl.pruning.curve(boosted, X, y, sizes=[1, 4, 12], random_state=0)
    ax = wl.pruning.plot_pruning(curve)
    drawn = {line.get_label(): line.get_ydata() for line in ax.get_lines()}
    assert np.array_equal(drawn["kappa"], 100 * curve.errors["kappa"])
    assert len(ax.get_legend().get_texts()) == len(curve.errors)
    ax = wl.pruning.plot_kappa_error(boosted, X, y)
    wl.pruning.plot_kappa_error(wl.pruning.kappa(boosted, X, y, size=4), X, y, ax)
    full, small = (np.asarray(points.get_offsets()) for points in ax.collections)
    assert len(full) == 12 * 11 / 2
    assert {tuple(pair) for pair in small} <= {tuple(pair) for pair in full}
    assert full[:, 0].min() in small[:, 0]  # the pair of lowest kappa is kept
    with fails("got a committee of one member, expected at least two for a pair."):
        wl.pruning.plot_kappa_error(boosted[:1], X, y)


# -- the registry ---------------------------------------------------------------------------------


def test_the_documentation_describes_every_method() -> None:
    text = (Path(__file__).parents[2] / "docs" / "guides" / "pruning.md").read_text()
    for method in wl.pruning.METHODS.values():
        assert f"| `{method.name}` | {method.label} |" in text


def test_importing_the_registry_is_fast() -> None:
    """The command line reads it at every start."""
    code = "import sys, weaklearn.pruning; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"sklearn", "scipy", "pandas", "matplotlib"} & set(done.stdout.split())


def test_reprs_fit_on_a_screen(boosted: Any) -> None:
    small = wl.pruning.margin_lp(boosted, X, y, size=11, random_state=0)
    assert re.fullmatch(
        r"Selection\(method='margin_lp', 11 kept: \[(\d+, ){10}\.\.\.\], cost=.*, missed=\d+\)",
        repr(small.pruning_),
    )
    curve = wl.pruning.curve(boosted, X, y, methods=["kappa"])
    assert repr(curve) == "Curve(n_sizes=12, from 1 to 12 of 12 members, methods: kappa)"
