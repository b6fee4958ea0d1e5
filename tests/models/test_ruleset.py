"""Rulesets that people read, change and save."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from weaklearn.models.rule import Condition, Rule
from weaklearn.models.ruleset import Ruleset
from weaklearn.models.saving import LoadError
from weaklearn.schema import Feature, Schema

SCHEMA = Schema(
    (Feature("age", "continuous"), Feature("colour", "nominal", ("red", "green", "blue"))),
    ("no", "yes"),
)
OLD = Rule("yes", (Condition(0, ">", 60.5),), 0.2, 1, 5, 1, 5, 1)
RED = Rule("no", (Condition(0, "<=", 30), Condition(1, "in", ("red", "blue"))), 0.1, 2, 4, 0, 4, 0)
GREEN = Rule("yes", (Condition(1, "=", "green"),), 0.3, 3, 3, 0, 2, 0)
X = pd.DataFrame(
    {"age": [70, 20, 20, np.nan, 40, 90.0], "colour": ["red", "red", "green", "green", "red", None]}
)


def ruleset(*rules: Rule, default: str = "no") -> Ruleset:
    return Ruleset.from_rules(SCHEMA, rules or (OLD, RED, GREEN), default, [6, 6], [2, 1])


def test_the_first_rule_that_fires_decides_and_a_missing_value_fails() -> None:
    rules = ruleset()
    assert rules.predict(X).tolist() == ["yes", "no", "yes", "yes", "no", "yes"]
    fired = rules.explain(X)
    assert [f.reason.rule and f.reason.rule.number for f in fired] == [1, 2, 3, 3, None, 1]
    assert fired[4].text == "no, because no rule fires"
    assert fired[1].text == (
        "no, because age <= 30 and colour in {red, blue} (rule 2, certainty 90.0%)"
    )
    both = ruleset(OLD, replace(OLD, number=7, label="no")).explain(X[:1])[0].reason
    assert both.rule is not None
    assert (both.rule.number, [rule.number for rule in both.others]) == (1, [7])


def test_probabilities_follow_from_certainty_and_class_weights() -> None:
    shares = ruleset().predict_class_shares(ruleset().encode(X))
    assert shares[0].tolist() == pytest.approx([0.2, 0.8])
    assert shares[4].tolist() == pytest.approx([3 / 5, 2 / 5])  # (2 + 1) / (3 + 2)
    weak = ruleset(replace(OLD, error=0.65))
    assert weak.predict_class_shares(weak.encode(X[:1]))[0].tolist() == pytest.approx(
        [0.499, 0.501]
    )


def test_a_rule_of_too_high_error_never_fires() -> None:
    never = replace(OLD, error=0.71)
    assert never.never_fires
    assert ruleset(never).predict(X[:1]).tolist() == ["no"]
    assert "[never fires]" in repr(ruleset(never))


def test_text_as_the_original_prints() -> None:
    assert ruleset(RED, GREEN).to_text() == (
        "Rule 2:\n    \tage <= 30\n    \tcolour in {red, blue}\n\t->  class no  [90.0%]\n"
        "\nRule 3:\n    \tcolour = green\n\t->  class yes  [70.0%]\n"
        "\nDefault class: no"
    )


def test_sentences() -> None:
    between = replace(OLD, conditions=(Condition(0, ">", 20), Condition(0, "<=", 30)))
    assert ruleset(between, RED).to_sentences() == [
        "If age is above 20 and at most 30, then the class is yes (4 of 5 rows, certainty 80.0%).",
        "If age is at most 30 and colour is red or blue, then the class is no "
        "(4 of 4 rows, certainty 90.0%).",
        "Otherwise the class is no.",
    ]
    assert ruleset().with_rules([]).to_sentences() == ["Always the class is no."]


def test_frame() -> None:
    frame = ruleset().to_frame()
    assert frame["class"].tolist() == ["yes", "no", "yes"]
    assert frame["conditions"].tolist()[2] == "colour = green"
    assert frame["coverage"].tolist() == pytest.approx([5 / 12, 4 / 12, 3 / 12])
    assert frame["precision"].tolist() == pytest.approx([0.8, 1, 1])
    assert frame["lift"].tolist() == pytest.approx([1.6, 2, 2])
    assert ruleset().with_rules([]).to_frame().shape == (0, 7)


def test_html_escapes_names() -> None:
    schema = Schema((Feature("<b>", "continuous"),), ("<i>", "yes"))
    rules = Ruleset.from_rules(schema, [Rule("<i>", (Condition(0, ">", 1),))], "yes", [1, 1])
    html = rules._repr_html_()
    assert "<b>" not in html
    assert "<i>" not in html
    assert "&lt;b&gt; &gt; 1" in html


def test_a_long_ruleset_is_shown_in_part() -> None:
    many = ruleset(*(replace(GREEN, number=i) for i in range(2000)))
    assert len(many) == 2000
    lines = repr(many).splitlines()
    assert len(lines) == 13
    assert lines[-2] == "  ... and 1,990 more"
    assert "1,500 more rules" in many._repr_html_()
    assert many.predict(X).tolist() == ["no", "no", "yes", "yes", "no", "no"]


def test_dropping_and_editing() -> None:
    rules = ruleset()
    assert [rule.number for rule in rules.drop(1, 3)] == [2]
    assert len(rules) == 3
    with pytest.raises(ValueError, match="there is no rule 9; the rules are 1, 2, 3"):
        rules.drop(9)
    edited = rules.with_rules([replace(OLD, conditions=(Condition(0, ">", 80),))], "yes")
    assert edited.predict(X).tolist() == ["yes"] * 6
    assert edited.default_class == "yes"


def test_counting_again() -> None:
    y = ["yes", "no", "yes", "yes", "no", "no"]
    counted = ruleset().recount(X, y, sample_weight=[10] * 6)
    figures = [(r.covered, r.covered_errors, r.used, r.used_errors) for r in counted]
    assert figures == [(20, 10, 20, 10), (10, 0, 10, 0), (20, 0, 20, 0)]
    assert counted.core.class_weights == [30, 30]
    assert counted.core.default_weights == [10, 0]
    assert counted[1].error == pytest.approx(1 - 0.25 ** (1 / 10))
    assert ruleset().score(X, y) == pytest.approx(5 / 6)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (replace(OLD, label="maybe"), "predicts 'maybe'; expected one of 'no', 'yes'"),
        (replace(OLD, error=1.5), "rule 0: its error is not in"),
        (replace(OLD, conditions=(Condition(2, ">", 1),)), "feature 2; expected 0 to 1"),
        (replace(OLD, conditions=(Condition(1, ">", 1),)), "the feature is nominal"),
        (replace(OLD, conditions=(Condition(0, ">", np.inf),)), "a threshold that is not finite"),
        (replace(OLD, conditions=(Condition(1, "=", "pink"),)), "'pink'; expected one of 'red'"),
        (replace(OLD, conditions=(Condition(0, "=", "red"),)), "it is continuous"),
        (replace(OLD, conditions=(Condition(1, "in", ()),)), "has no values"),
        (replace(OLD, conditions=(Condition(0, "<", 1),)), "has the operator '<'"),  # type: ignore[arg-type]
    ],
)
def test_a_rule_that_does_not_fit_is_refused(rule: Rule, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ruleset(rule)
    with pytest.raises(ValueError, match="the default class is 'maybe'; expected one of"):
        ruleset(default="maybe")


def change(content: dict[str, Any], path: list[Any], value: Any) -> None:
    for key in path[:-1]:
        content = content[key]
    content[path[-1]] = value


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["rules", "label", 0], 2),
        (["rules", "label", 0], -1),
        (["rules", "error", 0], "x"),
        (["rules", "covered", 0], -1),
        (["rules", "n_conditions", 0], 2),
        (["rules", "number"], [1, 2]),
        (["conditions", "column", 0], 2),
        (["conditions", "kind", 0], 4),
        (["conditions", "kind", 0], 0),
        (["conditions", "n_values", 2], 3),
        (["conditions", "values"], [0, 3, 1]),
        (["conditions", "values"], [2, 0, 1]),
        (["conditions", "values"], [0, True, 1]),
        (["conditions"], []),
        (["default_class"], 2),
        (["class_weights"], [1]),
        (["rules"], {}),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, path: list[Any], value: Any) -> None:
    file = tmp_path / "rules.json"
    ruleset().save(file)
    assert wl.load(file) == ruleset()
    document = json.loads(file.read_text())
    change(document["ruleset"], path, value)
    file.write_text(json.dumps(document))
    with pytest.raises(LoadError, match=r"cannot load .*rules\.json"):
        wl.load(file)


# -- fitted classifiers ---------------------------------------------------------------------------
@pytest.mark.filterwarnings("ignore:RulesClassifier learned nothing:UserWarning")
@pytest.mark.parametrize("arithmetic", ["double", "release8"])
def test_one_class_and_one_leaf_give_a_default_class_only(arithmetic: str) -> None:
    one_class = wl.RulesClassifier(arithmetic=arithmetic).fit([[1], [2], [3]], ["a", "a", "a"])
    assert len(one_class.ruleset_) == 0
    assert one_class.predict([[7]]).tolist() == ["a"]
    assert one_class.predict_proba([[7]]).tolist() == [[1.0]]
    one_leaf = wl.RulesClassifier(arithmetic=arithmetic).fit([[1], [1], [1]], ["a", "b", "b"])
    assert len(one_leaf.ruleset_) == 0
    assert one_leaf.predict([[1]]).tolist() == ["b"]
    assert one_leaf.explain([[1]])[0].reason.rule is None


def test_a_class_without_rules_can_be_the_default() -> None:
    table = wl.datasets.load("iris")
    rare = table.y.astype(str).where(np.arange(150) != 149, "rare")
    model = wl.RulesClassifier().fit(table.X, rare)
    assert "rare" not in {rule.label for rule in model.ruleset_}
    assert model.predict_proba(table.X).shape == (150, 4)
    assert np.mean(model.predict(table.X) == rare) > 0.9


def test_an_edited_ruleset_predicts_and_is_saved(tmp_path: Path) -> None:
    table = wl.datasets.load("iris")
    model = wl.RulesClassifier().fit(table.X, table.y)
    model.ruleset_ = model.ruleset_.drop(3).recount(table.X, table.y)
    model.save(tmp_path / "model.json")
    loaded = wl.load(tmp_path / "model.json")
    assert loaded.ruleset_ == model.ruleset_
    assert np.array_equal(loaded.predict(table.X), model.ruleset_.predict(table.X))
    assert [rule.number for rule in loaded.ruleset_] == [1, 2, 5]


@pytest.mark.parametrize(
    "committee",
    [
        wl.AdaBoostM1Classifier(wl.RulesClassifier(redundancy=2), n_rounds=3),
        wl.BaggedClassifier(wl.RulesClassifier(), n_members=3, max_features=3, random_state=0),
    ],
    ids=["boosted", "bagged"],
)
def test_committees_of_rulesets_are_saved(tmp_path: Path, committee: Any) -> None:
    table = wl.datasets.load("iris")
    committee.fit(table.X, table.y)
    committee.save(tmp_path / "model.json")
    loaded = wl.load(tmp_path / "model.json")
    assert np.array_equal(loaded.predict_proba(table.X), committee.predict_proba(table.X))
    assert loaded.feature_importances_.tolist() == committee.feature_importances_.tolist()
    assert loaded.estimator.get_params() == committee.estimator.get_params()
    document = json.loads((tmp_path / "model.json").read_text())
    document["members"][0]["columns"] = [9]
    (tmp_path / "model.json").write_text(json.dumps(document))
    with pytest.raises(LoadError, match="are not columns of the schema"):
        wl.load(tmp_path / "model.json")


def test_importances_are_shares_of_the_conditions() -> None:
    table = wl.datasets.load("iris")
    shares = wl.RulesClassifier().fit(table.X, table.y).feature_importances_
    assert shares.sum() == pytest.approx(1)
    assert shares[:2].tolist() == [0, 0]


def test_fisher_needs_whole_weights() -> None:
    with pytest.raises(ValueError, match="Fisher's test counts rows"):
        wl.RulesClassifier(fisher=0.1).fit([[1], [2], [3]], [0, 1, 1], [1.5, 1, 1])
