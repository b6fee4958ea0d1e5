"""Ways to look at a graph: text, nested nodes, DOT, a plot, HTML, rules."""

from weaklearn.show.dot import to_dot
from weaklearn.show.html import to_html
from weaklearn.show.node_text import to_dict
from weaklearn.show.plot import plot
from weaklearn.show.rules import Interval, Rule, Side, ValueSet, rules
from weaklearn.show.text import to_text

__all__ = [
    "Interval",
    "Rule",
    "Side",
    "ValueSet",
    "plot",
    "rules",
    "to_dict",
    "to_dot",
    "to_html",
    "to_text",
]
