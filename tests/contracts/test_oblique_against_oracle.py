"""OC1Classifier and SADTClassifier against plain Python, on small random tables."""

from __future__ import annotations

import dataclasses
import os
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from oracles import oblique
from oracles.c45 import Table
from oracles.oblique_problem import Options, Problem, SadtOptions, seed_of

from .oracle_table import frame_of, labels_of, of_present_rows

EXAMPLES = int(os.environ.get("WEAKLEARN_EXAMPLES", "100"))
patient = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
pytestmark = pytest.mark.filterwarnings("ignore:.* does not separate values:UserWarning")
CRITERIA = ["twoing", "gain", "gini", "max_minority", "sum_minority", "variance"]


@st.composite
def oblique_tables(draw: st.DrawFn) -> Table:
    """Draw tables with few columns and many rows, whose classes are noisy planes."""
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_rows = draw(st.sampled_from([3, 14, 20, 30, 40]))
    columns: list[list[Any]] = []
    kinds, values = [], []
    score = chance.normal(scale=draw(st.sampled_from([0.0, 0.5])), size=n_rows)
    for _ in range(draw(st.sampled_from([1, 2, 2, 3]))):
        kind = draw(st.sampled_from(["grid", "grid", "real", "real", "nominal"]))
        if kind == "nominal":
            names = [f"v{i}" for i in range(draw(st.integers(1, 4)))]
            codes = chance.integers(0, len(names), n_rows)
            score += codes % 2
            columns.append([names[code] for code in codes])
        else:
            names = []
            numbers = (
                chance.normal(size=n_rows) if kind == "real" else chance.integers(-2, 4, n_rows)
            )
            score += numbers
            columns.append([float(x) for x in numbers])
        kinds.append("nominal" if kind == "nominal" else "continuous")
        values.append(names)
        if draw(st.integers(0, 3)) == 0:
            for i in np.flatnonzero(chance.random(n_rows) < 0.2):
                columns[-1][i] = None
    classes = [f"c{k}" for k in range(draw(st.sampled_from([2, 2, 3])))]
    cuts = np.quantile(score, np.linspace(0, 1, len(classes) + 1)[1:-1])
    weights: list[float] = draw(
        st.sampled_from([[], chance.choice([0.0, 1.0, 2.0, 3.0], n_rows).tolist()])
    )
    if weights and not any(weights):
        weights[0] = 1.0
    y = [classes[k] for k in np.digitize(score, cuts)]
    return Table(columns, kinds, values, classes, y, weights)


def options() -> st.SearchStrategy[Options]:
    return st.builds(
        Options,
        criterion=st.sampled_from(["twoing", "twoing", *CRITERIA]),
        n_restarts=st.sampled_from([0, 1, 2, 3, 4]),
        n_jumps=st.sampled_from([0, 1, 5]),
        validation_share=st.sampled_from([0.0, 0.1, 0.4]),
        max_depth=st.sampled_from([0, 1, 50, 50]),
        seed=st.integers(0, 1000),
    )


def sadt_options() -> st.SearchStrategy[SadtOptions]:
    return st.builds(
        SadtOptions,
        criterion=st.sampled_from(CRITERIA),
        temperature=st.sampled_from([0.0, 0.5, 10.0]),
        cooling=st.sampled_from([0.9, 0.99, 1.0]),
        patience=st.sampled_from([1, 30, 100]),
        validation_share=st.sampled_from([0.0, 0.2]),
        max_depth=st.sampled_from([1, 50]),
        seed=st.integers(0, 1000),
    )


def fitted(table: Table, options: Options | SadtOptions) -> Any:
    class Fixed(np.random.RandomState):
        """Return the seed of the oracle."""

        def randint(self, *_: Any, **__: Any) -> int:
            return options.seed

    parameters = dataclasses.asdict(options)
    del parameters["seed"]
    kind = wl.OC1Classifier if isinstance(options, Options) else wl.SADTClassifier
    model = kind(**parameters, random_state=Fixed())
    return model.fit(frame_of(table), labels_of(table), table.weights)


def assert_same(ours: Any, theirs: Any, problem: Problem, path: str = "root") -> None:
    assert ours["class"] == theirs["class"], path
    assert ours["dist"] == pytest.approx(theirs["dist"]), path
    assert ours["e"] == pytest.approx(theirs["e"]), path
    assert ("children" in ours) == ("children" in theirs), path
    if "children" not in ours:
        return
    plane: list[float] = []
    terms = {term["index"]: term for term in ours["terms"]}
    for a, value in problem.features:
        term = terms.get(a)
        if term is None:
            plane.append(0.0)
        elif value is None:
            plane.append(term["coefficient"])
        else:
            plane.append(term["scores"][problem.table.values[a].index(value)])
    assert plane == pytest.approx(theirs["plane"], rel=1e-9, abs=1e-9), path
    assert -ours["threshold"] == pytest.approx(theirs["constant"], rel=1e-9, abs=1e-9), path
    for side, (a, b) in enumerate(zip(ours["children"], theirs["children"], strict=True)):
        assert_same(a, b, problem, f"{path}/{side}")


@patient
@given(table=oblique_tables(), options=options() | sadt_options())
def test_the_tree_equals_the_oracles(table: Table, options: Options) -> None:
    table = of_present_rows(table)
    model = fitted(table, options)
    expected = oblique.grow(table, options)
    assert_same(model.tree_.to_dict(), expected, Problem(table, options))


# The comparison would mean little without planes of several features, jumps and pruning.
def test_the_tables_have_planes() -> None:
    planes: list[int] = []
    pruned: list[bool] = []

    @settings(patient, max_examples=200, database=None, derandomize=True)
    @given(oblique_tables(), options())
    def collect(table: Table, options: Options) -> None:
        table = of_present_rows(table)
        whole = fitted(table, dataclasses.replace(options, max_depth=50)).tree_
        planes.append(
            sum(len(whole.terms(i)) > 1 for i in range(whole.n_nodes) if not whole.is_leaf(i))
        )
        if options.validation_share:
            problem = Problem(table, options)
            rows, held_out = oblique.hold_out(len(problem.y), options)
            unpruned = oblique._grow(problem, rows, held_out, 0, seed_of(options.seed, 1))
            pruned.append(
                len(oblique.leaves(unpruned)) > len(oblique.leaves(oblique.prune(unpruned)))
            )

    collect()
    assert sum(n > 0 for n in planes) > 30
    assert sum(pruned) > 15


@pytest.mark.parametrize("n_jobs", [2, 5])
@settings(patient, max_examples=10)
@given(seed=st.integers(0, 1000))
def test_threads_do_not_matter(n_jobs: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    X = chance.normal(size=(600, 4))
    y = (X @ chance.normal(size=4) + chance.normal(size=600) > 0).astype(int)
    one = wl.OC1Classifier(n_restarts=6, random_state=seed).fit(X, y)
    many = wl.OC1Classifier(n_restarts=6, random_state=seed, n_jobs=n_jobs).fit(X, y)
    assert one.tree_ == many.tree_


def test_climbing_ends_for_numbers_of_any_size() -> None:
    """Sums of large numbers are rounded, and may seem to improve in every step."""
    chance = np.random.default_rng(51)
    X = chance.integers(-3, 4, (20, 3)) * np.array([1e300, 1.0, 1.0])
    X[chance.random(X.shape) < 0.1] = np.nan
    y = chance.integers(0, 2, 20)
    weights = chance.choice([1, 1, 1e12, 1e-12], 20)
    for seed in range(20):
        model = wl.OC1Classifier(n_restarts=3, random_state=seed).fit(X, y, weights)
        assert np.isfinite(model.predict_proba(X)).all()
