"""Compare RulesClassifier with the rulesets that the original rule generator wrote."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from shared import ALL_OUTPUTS_PRESENT, read_reference, read_source, reference_names
from weaklearn.tables import Table

OPTIONS: dict[str, dict[str, Any]] = {
    "default": {},
    "-F 5": {"fisher": 0.05},
    "-F 0.05": {"fisher": 0.0005},
    "-c 10": {"confidence": 0.1},
    "-r 4": {"redundancy": 4},
    "-a": {"annealing": True},
    "tree -s": {"subset": True},
}
by_name = pytest.mark.parametrize("name", reference_names("c45rules"))


@cache
def reference(name: str) -> dict[str, Any]:
    return read_reference(name, "c45rules")


@cache
def source_table(name: str) -> Table:
    return read_source(reference(name))


def comparable(rules: list[Any]) -> list[Any]:
    """Return class, error and conditions of rules; numbers are compared as float32."""
    return [
        (
            label,
            np.float32(error),
            [
                (feature, operator, np.float32(value) if operator in ("<=", ">") else value)
                for feature, operator, value in conditions
            ],
        )
        for label, error, conditions in rules
    ]


def rules_of(model: wl.RulesClassifier) -> list[Any]:
    rules = model.ruleset_.to_dict()["rules"]
    return comparable([(rule["class"], rule["error"], rule["conditions"]) for rule in rules])


def n_errors(model: wl.RulesClassifier, X: Any, y: Any) -> int:
    return int(np.sum(model.predict(X) != y.to_numpy()))


def test_the_expected_number_of_rulesets_is_stored() -> None:
    n_runs = sum(len(reference(name)["runs"]) for name in reference_names("c45rules"))
    assert n_runs >= (114 if ALL_OUTPUTS_PRESENT else 53)


@by_name
def test_release8_repeats_every_stored_ruleset_to_the_last_bit(name: str) -> None:
    table = source_table(name)
    for run, stored in reference(name)["runs"].items():
        model = wl.RulesClassifier(arithmetic="release8", **OPTIONS[run]).fit(table.X, table.y)
        final = stored["final"]
        wanted = [(rule["class"], rule["error"], rule["conditions"]) for rule in final["rules"]]
        assert rules_of(model) == comparable(wanted), run
        assert model.ruleset_.default_class == final["default_class"], run
        assert n_errors(model, table.X, table.y) == final["train_errors"], run
        figures = [(rule.number, rule.used, rule.used_errors) for rule in model.ruleset_]
        assert figures == [(r["number"], r["used"], r["wrong"]) for r in final["rules"]], run


@by_name
def test_release8_repeats_the_stored_cross_validation(name: str) -> None:
    table = source_table(name)
    cv = reference(name)["cv"]
    fold_of_row = np.array(read_reference(name)["cv"]["fold_of_row"])
    for fold, stored in enumerate(cv["per_fold"]):
        train, test = fold_of_row != fold, fold_of_row == fold
        model = wl.RulesClassifier(arithmetic="release8").fit(table.X[train], table.y[train])
        assert rules_of(model) == comparable(stored["ruleset"]), f"fold {fold}"
        assert model.ruleset_.default_class == stored["default_class"], f"fold {fold}"
        assert n_errors(model, table.X[train], table.y[train]) == stored["train_errors"], (
            f"fold {fold}"
        )
        assert n_errors(model, table.X[test], table.y[test]) == stored["test_errors"], (
            f"fold {fold}"
        )
