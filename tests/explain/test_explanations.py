"""Laws of explanations for every classifier, and the ways to show them."""

from __future__ import annotations

import json
import math
import pickle
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

import weaklearn as wl
from contracts.classifiers import ALL, COMMITTEES
from random_graphs import graphs
from weaklearn.explain import Explanations, FiredRules, TakenPaths
from weaklearn.models import Graph
from weaklearn.models.votes import winners

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
SMALL = settings(
    max_examples=6,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
MORE: dict[str, Any] = {
    "rules": lambda: wl.RulesClassifier(min_objects=1),
    "boosted-rules": lambda: wl.AdaBoostM1Classifier(wl.RulesClassifier(min_objects=1), n_rounds=3),
    "bagged-rules-shares": lambda: wl.BaggedClassifier(
        wl.RulesClassifier(min_objects=1), n_members=3, vote="shares", random_state=3
    ),
    "bagged-features": lambda: wl.BaggedClassifier(
        n_members=3, max_features=2, vote="shares", random_state=3
    ),
    "adaboost-programs": lambda: wl.AdaBoostM1Classifier(
        wl.BranchingProgramClassifier(max_levels=4), n_rounds=3
    ),
    "bagged-separators": lambda: wl.BaggedClassifier(
        wl.RealAdaBoostClassifier(3), n_members=3, random_state=3
    ),
    "pruned": lambda: wl.PrunedClassifier(wl.AdaBoostM1Classifier(n_rounds=4), "kappa", size=2),
    "costs": lambda: wl.C45Classifier(costs={("yes", "no"): 5.0}),
}
MODELS = {**ALL, **COMMITTEES, **MORE}


@st.composite
def tables(draw: st.DrawFn) -> tuple[pd.DataFrame, list[str], pd.DataFrame]:
    """Draw a table, its classes, and rows with other values, of which many are missing."""
    n_rows = draw(st.integers(2, 30))
    seed = draw(st.integers(0, 2**32 - 1))
    chance = np.random.default_rng(seed)

    def frame(n: int, colours: list[Any], numbers: list[float]) -> pd.DataFrame:
        columns = {
            "colour": chance.choice(np.array(colours, dtype=object), n),
            "kind": chance.choice(np.array(["x", "y", None], dtype=object), n),
            "size": chance.choice(numbers, n),
            "age": chance.choice([-1.0, 0.25, 4.0, 1e30], n),
        }
        return pd.DataFrame(columns).astype({"colour": object, "kind": object})

    X = frame(n_rows, ["red", "blue", "grey", None], [0.0, 1.0, 2.0, 3.5, math.nan])
    new = frame(8, ["red", "pink", None, None], [-9.0, 1.5, -0.0, math.nan, math.nan])
    y = chance.choice(["no", "yes", "perhaps"][: draw(st.integers(2, 3))], n_rows).tolist()
    return X, [*y[:-2], "no", "yes"], new


def check(model: Any, X: Any) -> Explanations:
    explanations: Explanations = model.explain(X)
    assert len(explanations) == len(X)
    assert [e.label for e in explanations] == model.predict(X).tolist()
    own = explanations.probabilities[np.arange(len(X)), explanations.predicted]
    by_model = model.predict_proba(X)[np.arange(len(X)), _positions(model, X)]
    assert own == pytest.approx(by_model, abs=1e-12)
    found = explanations.contributions
    if found is not None:
        np.testing.assert_allclose(found.scores, explanations.scores, rtol=0, atol=1e-9)
    for explanation in explanations:
        reasons = [explanation.reason, *(member.reason for member in explanation.members)]
        for reason in reasons:
            if isinstance(reason, TakenPaths) and reason.paths:
                assert sum(path.share for path in reason.paths) == pytest.approx(1.0, abs=1e-9)
    assert json.loads(json.dumps(explanations.to_dict(None), allow_nan=False))
    assert max(map(len, explanations.to_text().splitlines())) <= 80
    return explanations


def _positions(model: Any, X: Any) -> list[int]:
    return [model.classes_.tolist().index(label) for label in model.predict(X).tolist()]


@pytest.mark.parametrize("name", MODELS)
@SMALL
@given(table=tables())
def test_laws(name: str, table: tuple[pd.DataFrame, list[str], pd.DataFrame]) -> None:
    X, y, new = table
    model = MODELS[name]().fit(X, y)
    explanations = check(model, new)
    assert (explanations.contributions is None) == (name == "bagged-separators")


@pytest.mark.parametrize("name", COMMITTEES)
def test_votes_are_those_of_the_committee(name: str) -> None:
    table = wl.datasets.load("iris")
    X = table.X.mask(np.random.default_rng(1).random(table.X.shape) < 0.1)
    model = COMMITTEES[name]().fit(X, table.y)
    explanations = model.explain(X)
    counted = model.member_predictions(X).count_votes(model.votes_)
    np.testing.assert_allclose(explanations.scores * model.votes_.sum(), counted, atol=1e-9)
    of_features = explanations.contributions.scores
    classes = np.array(model._schema.classes)
    assert (classes[winners(of_features, model._priority)] == model.predict(X)).mean() > 0.99
    first = explanations[0]
    assert sum(member.vote for member in first.members) == pytest.approx(1.0)
    for label, score in first.scores.items():
        assert sum(m.given[label] for m in first.members) == pytest.approx(score)
    assert [m.label for m in sorted(first.members, key=lambda m: m.index)] == [
        member.predict(X[:1])[0] for member in model.members_
    ]


@pytest.mark.parametrize("shape", ["separator", "tree"])
def test_hypotheses_of_g2(shape: str) -> None:
    table = wl.datasets.load("titanic")
    model = {
        "separator": wl.G2Classifier(graph=wl.SeparatorGraph(6)),
        "tree": wl.G2Classifier(wl.ConstantLearner(), wl.TreeGraph(wl.StumpClassifier())),
    }[shape].fit(table.X, table.y)
    explanations = check(model, table.X[::200])
    outputs = model.decision_function(table.X[::200])
    assert explanations.scores[:, 1] == pytest.approx(outputs)
    assert (explanations.contributions is not None) == (shape == "separator")
    assert ("SeparatorGraph only" in explanations.to_text()) == (shape == "tree")
    for explanation, output in zip(explanations, outputs.tolist(), strict=True):
        assert sum(m.given["yes"] for m in explanation.members) == pytest.approx(output)


def test_members_of_scikit_learn_have_votes_only() -> None:
    table = wl.datasets.load("iris")
    bagged = wl.BaggedClassifier(GaussianNB(), n_members=3, random_state=1).fit(table.X, table.y)
    forest = RandomForestClassifier(4, random_state=1).fit(table.X, table.y)
    for model in (bagged, wl.as_committee(forest)):
        explanations = check(model, table.X[::40])
        assert "the votes are the whole explanation" in explanations.to_text()
        assert list(explanations.to_frame()) == [
            *("row", "prediction", "member", "vote", "member_prediction")
        ]
        with pytest.raises(ValueError, match="there are no contributions of features"):
            explanations.to_frame("contributions")


# -- showing --------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def forest() -> tuple[Any, pd.DataFrame]:
    table = wl.datasets.load("titanic")
    model = wl.BoostedForestClassifier(n_members=10, random_state=0).fit(table.X, table.y)
    X = table.X[::200].copy()
    X.iloc[1, 1] = None
    return model, X


def test_a_committee_is_shown_by_what_counts_most(forest: tuple[Any, pd.DataFrame]) -> None:
    model, X = forest
    explanations = model.explain(X)
    text = explanations[:1].to_text(features=1, members=2)
    lines = text.splitlines()
    assert lines[0].startswith("row 0: ")
    assert lines[1].startswith("  votes: ")
    assert "if nothing is known" in lines[2]
    assert "2 more features" in lines[4]
    assert lines[5] == "  members that count most:"
    assert text.count("  member ") == 2
    assert lines[-1] == "... all features and members: to_text(features=None, members=None)"
    everything = explanations[:1].to_text(features=None, members=None)
    assert everything.count("  member ") == 10
    assert "..." not in everything
    assert len(repr(explanations)) < 800
    assert len(explanations[0].to_dict()["members"]) == 3
    counts = [abs(m.given["no"] - m.given["yes"]) for m in explanations[0].members]
    assert counts == sorted(counts, reverse=True)


def test_frames(forest: tuple[Any, pd.DataFrame]) -> None:
    model, X = forest
    explanations = model.explain(X)
    paths = explanations.to_frame()
    assert paths.groupby(["row", "member"])["share"].sum().to_numpy() == pytest.approx(1.0)
    assert paths["row"].nunique() == len(X)
    assert paths["member"].nunique() == 10
    some = explanations.to_frame(members=2)
    assert (some.groupby("row")["member"].nunique() == 2).all()
    contributions = explanations.to_frame("contributions")
    own = explanations.scores[np.arange(len(X)), explanations.predicted]
    base = explanations.contributions.base[explanations.predicted]
    total = contributions.groupby("row")["contribution"].sum().to_numpy()
    assert total + base == pytest.approx(own)
    assert contributions["value"][4] is None
    votes = explanations.to_frame("votes")
    assert (votes.groupby("row")["members"].sum() == 10).all()
    with pytest.raises(ValueError, match="to_frame\\('leaves'\\): expected one of 'paths'"):
        explanations.to_frame("leaves")


def test_frames_of_rules() -> None:
    table = wl.datasets.load("titanic")
    model = wl.RulesClassifier().fit(table.X, table.y)
    explanations = model.explain(table.X)
    frame = explanations.to_frame()
    deciding = frame[frame["decides"]]
    assert deciding["row"].tolist() == list(range(len(table.X)))
    assert deciding["class"].tolist() == model.predict(table.X).tolist()
    assert isinstance(explanations[0].reason, FiredRules)


def test_parts_are_sequences(forest: tuple[Any, pd.DataFrame]) -> None:
    model, X = forest
    explanations = model.explain(X)
    part = explanations[2:5]
    assert [e.position for e in part] == [2, 3, 4]
    assert part[-1].to_dict() == explanations[4].to_dict()
    assert explanations[[4, 2]][0].text == explanations[4].text
    with pytest.raises(IndexError):
        explanations[len(X)]
    assert pickle.loads(pickle.dumps(part)).to_text() == part.to_text()
    assert repr(explanations[0]).startswith("<Explanation of row 0: ")


def test_a_class_with_the_least_cost_is_named() -> None:
    table = wl.datasets.load("titanic")
    model = wl.C45Classifier(costs={("yes", "no"): 1.0, ("no", "yes"): 1.0})
    model.fit(table.X, table.y)
    model._cost_rule.costs[:] = [[0.0, 1.0], [1000.0, 0.0]]
    explanation = model.explain(table.X[1000:1001])[0]
    assert explanation.label == "yes" != explanation.reason.label
    assert "yes has the least expected cost" in explanation.to_text()
    assert "which has the least expected cost" in explanation.text


def test_many_paths_are_cut() -> None:
    codes = [f"v{i % 12}" for i in range(48)]
    X = pd.DataFrame({"code": codes, "size": np.arange(48.0)}, dtype=object)
    model = wl.C45Classifier(prune=False).fit(X, [int(code[1:]) % 2 for code in codes])
    nothing = pd.DataFrame([[None, None]], columns=X.columns, dtype=object)
    explanation = model.explain(nothing)[0]
    assert len(explanation.reason.paths) == 12
    assert "16.7%: 2 more paths, listed by to_frame()" in explanation.to_text()
    assert len(model.explain(nothing).to_frame()) == 12
    assert explanation.contributions == pytest.approx({"code": 0.0, "size": 0.0})


# -- HTML -----------------------------------------------------------------------------------------
class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        self.seen.add(tag)
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def check_html(html: str) -> None:
    tags = _Tags()
    tags.feed(html)
    assert not tags.open
    allowed = {"style", "div", "details", "summary", "section", "p", "small", "table", "tr", "td"}
    assert tags.seen <= {*allowed, "i"}


@settings(max_examples=40)
@given(graph=graphs(max_splits=6), data=st.data())
def test_html_is_escaped(graph: Graph, data: st.DataObject) -> None:
    # The shares of the branches of a split without weight are not defined.
    assume(all(graph.weight[n] > 0 or graph.is_leaf(n) for n in range(graph.n_nodes)))
    features = graph.schema.features
    cells = [
        st.sampled_from([*feature.values, None]) if feature.values else st.sampled_from([0.0, 3.0])
        for feature in features
    ]
    rows = [data.draw(st.tuples(*cells)) for _ in range(2)]
    frame = pd.DataFrame(rows, columns=[f.name for f in features], dtype=object)
    html = graph.explain(frame)._repr_html_()
    check_html(html)
    assert "<script>" not in html
    assert "<b>" not in html


def test_html_of_committees(forest: tuple[Any, pd.DataFrame]) -> None:
    model, X = forest
    html = model.explain(X)._repr_html_()
    check_html(html)
    assert html.count("<details") == 10
    assert "2 more rows: show a part, such as explanations[10:]" in html
    assert "all members: to_text(members=None)" in html
    named = clone(model).fit(X, [f"<script>{i % 2}" for i in range(len(X))])
    html = named.explain(X)._repr_html_()
    check_html(html)
    assert "&lt;script&gt;" in html
    table = wl.datasets.load("titanic")
    for other in (wl.RealAdaBoostClassifier(5), wl.RulesClassifier(), wl.G2Classifier()):
        check_html(other.fit(table.X, table.y).explain(X)[0]._repr_html_())
