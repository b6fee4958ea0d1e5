"""Show a graph: as text, rules, nested dicts, DOT, HTML or a plot."""

from weaklearn.show.dot import to_dot
from weaklearn.show.html import to_html
from weaklearn.show.nested_dict import to_dict
from weaklearn.show.plot import plot
from weaklearn.show.rules import Interval, Missing, Rule, RuleList, Side, ValueSet, rules
from weaklearn.show.text import to_text

__all__ = [
    "Interval",
    "Missing",
    "Rule",
    "RuleList",
    "Side",
    "ValueSet",
    "plot",
    "rules",
    "to_dict",
    "to_dot",
    "to_html",
    "to_text",
]
