"""Rulesets: make them of fitted models, read them, and write them by hand."""

from weaklearn.estimators.simplify_rules import simplify
from weaklearn.explain.fired_rules import FiredRules
from weaklearn.models.rule import Condition, Rule
from weaklearn.models.ruleset import Ruleset

__all__ = ["Condition", "FiredRules", "Rule", "Ruleset", "simplify"]
