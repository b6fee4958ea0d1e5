"""A ruleset as text, sentences, a frame and HTML."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING

from weaklearn.optional_packages import require_package
from weaklearn.show.node_text import printable, threshold_text, values_text

if TYPE_CHECKING:
    import pandas as pd

    from weaklearn.models.rule import Condition, Rule
    from weaklearn.models.ruleset import Ruleset
    from weaklearn.schema import Schema

#: How many rules the short text shows, and how many a notebook shows.
_RULES_SHOWN = 10
_RULES_IN_HTML = 500
_LONGEST_LINE = 100

_STYLE = """<style>
.weaklearn-rules {border-collapse: collapse; font-size: 13px}
.weaklearn-rules th, .weaklearn-rules td {padding: .2em .8em; text-align: left; vertical-align: top;
 border-bottom: 1px solid rgba(128,128,128,.3)}
.weaklearn-rules td.number {text-align: right; font-variant-numeric: tabular-nums}
.weaklearn-rules small {opacity: .65}
</style>"""


# -- conditions and rules -------------------------------------------------------------------------
def condition_text(condition: Condition, schema: Schema) -> str:
    """Return a condition as ``x <= 3``, ``colour = red`` or ``colour in {red, blue}``."""
    feature = schema.features[condition.feature]
    name = printable(feature.name)
    if condition.operator in ("<=", ">"):
        return f"{name} {condition.operator} {threshold_text(condition.value, feature)}"
    values = (condition.value,) if condition.operator == "=" else condition.value
    return f"{name} {values_text(values)}"


def conditions_text(rule: Rule, schema: Schema) -> str:
    """Return all conditions of a rule, joined by ``and``."""
    return " and ".join(condition_text(c, schema) for c in rule.conditions) or "true"


def certainty_text(rule: Rule) -> str:
    """Return the certainty of a rule in percent, or that it never fires."""
    return "never fires" if rule.never_fires else f"{100 * rule.certainty:.1f}%"


def _rule_line(rule: Rule, schema: Schema) -> str:
    conditions = conditions_text(rule, schema)
    return f"if {conditions} then {printable(rule.label)} [{certainty_text(rule)}]"


def to_short_text(ruleset: Ruleset) -> str:
    """Return a title and the first rules, a line each."""
    n_more = len(ruleset) - _RULES_SHOWN
    lines = [f"Ruleset: {_title(ruleset)}"]
    for rule in ruleset.rules[:_RULES_SHOWN]:
        line = f"  Rule {rule.number}: {_rule_line(rule, ruleset.schema)}"
        lines.append(line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 4]} ...")
    if n_more > 0:
        lines.append(f"  ... and {n_more:,} more")
    lines.append(f"  otherwise {printable(ruleset.default_class)}")
    return "\n".join(lines)


def _count(n: int, noun: str, plural: str | None = None) -> str:
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


# -- the whole ruleset ----------------------------------------------------------------------------
def to_text(ruleset: Ruleset) -> str:
    """Return a ruleset as C4.5rules prints it.

    Parameters
    ----------
    ruleset : Ruleset
        A fitted ruleset.

    Returns
    -------
    str
        A paragraph per rule: its number, a line per condition, and a line with the class and the
        certainty of the rule in percent. Lines are indented by tabs. The default class comes last.
    """
    paragraphs = []
    for rule in ruleset.rules:
        conditions = [
            f"    \t{condition_text(condition, ruleset.schema)}\n" for condition in rule.conditions
        ]
        certainty = f"{100 * rule.certainty:.1f}%"
        paragraphs.append(
            f"Rule {rule.number}:\n{''.join(conditions)}"
            f"\t->  class {printable(rule.label)}  [{certainty}]\n"
        )
    return "\n".join([*paragraphs, f"Default class: {printable(ruleset.default_class)}"])


def to_sentences(ruleset: Ruleset) -> list[str]:
    """Return a sentence per rule, and one for the default class.

    Conditions on the same feature are joined.

    Parameters
    ----------
    ruleset : Ruleset
        A fitted ruleset.
    """
    sentences = []
    for rule in ruleset.rules:
        right, covered = rule.covered - rule.covered_errors, rule.covered
        figures = f"{right:g} of {covered:g} rows, certainty {certainty_text(rule)}"
        conditions = _phrases(rule, ruleset.schema)
        consequence = f"the class is {printable(rule.label)} ({figures})."
        opening = f"If {conditions}, then " if conditions else "Always "
        sentences.append(opening + consequence)
    default = printable(ruleset.default_class)
    sentences.append(f"{'Otherwise' if sentences else 'Always'} the class is {default}.")
    return sentences


def _phrases(rule: Rule, schema: Schema) -> str:
    phrases: dict[int, list[str]] = {}
    for condition in rule.conditions:
        phrases.setdefault(condition.feature, []).append(_phrase(condition, schema))
    return " and ".join(
        f"{printable(schema.features[feature].name)} is {' and '.join(parts)}"
        for feature, parts in phrases.items()
    )


def _phrase(condition: Condition, schema: Schema) -> str:
    if condition.operator in ("<=", ">"):
        threshold = threshold_text(condition.value, schema.features[condition.feature])
        return f"{'at most' if condition.operator == '<=' else 'above'} {threshold}"
    if condition.operator == "=":
        return printable(condition.value)
    *first, last = map(printable, condition.value)
    return f"{', '.join(first)} or {last}" if first else last


def to_frame(ruleset: Ruleset) -> pd.DataFrame:
    """Return a table with a line per rule; see `Ruleset.to_frame` for its columns.

    Parameters
    ----------
    ruleset : Ruleset
        A fitted ruleset.
    """
    require_package("pandas", "tables", "to_frame")
    import pandas as pd

    weights = ruleset.core.class_weights
    total = sum(weights)
    share_of = {
        label: weight / total if total else float("nan")
        for label, weight in zip(ruleset.schema.classes, weights, strict=True)
    }
    rows = [
        {
            "number": rule.number,
            "class": rule.label,
            "conditions": conditions_text(rule, ruleset.schema),
            "coverage": rule.covered / total if total else float("nan"),
            "precision": rule.precision,
            "lift": rule.precision / share_of[rule.label] if share_of[rule.label] else float("nan"),
            "certainty": rule.certainty,
        }
        for rule in ruleset.rules
    ]
    columns = ["number", "class", "conditions", "coverage", "precision", "lift", "certainty"]
    return pd.DataFrame(rows, columns=columns)


def to_json(ruleset: Ruleset) -> str:
    """Return the dict of `Ruleset.to_dict` as indented JSON."""
    return json.dumps(ruleset.to_dict(), indent=2, ensure_ascii=False)


def to_html(ruleset: Ruleset) -> str:
    """Return a ruleset as an HTML table for notebooks.

    Every name is escaped, so a ruleset from an untrusted file can be shown. After 500 rules the
    table ends with a note.

    Parameters
    ----------
    ruleset : Ruleset
        A fitted ruleset.

    Returns
    -------
    str
        A ``<table>`` with its own style.
    """
    parts = [
        _STYLE,
        '<table class="weaklearn-rules"><tr><th>rule</th><th>if</th><th>then</th>'
        "<th>certainty</th><th>rows</th><th>wrong</th></tr>",
    ]
    for rule in ruleset.rules[:_RULES_IN_HTML]:
        conditions = "<br>".join(
            escape(condition_text(condition, ruleset.schema)) for condition in rule.conditions
        )
        parts.append(
            f"<tr><td>{rule.number}</td><td>{conditions or 'true'}</td>"
            f"<td>{escape(printable(rule.label))}</td>"
            f'<td class="number">{certainty_text(rule)}</td>'
            f'<td class="number">{rule.covered:g}</td>'
            f'<td class="number">{rule.covered_errors:g}</td></tr>'
        )
    n_more = len(ruleset) - _RULES_IN_HTML
    if n_more > 0:
        parts.append(f'<tr><td colspan="6"><small>{n_more:,} more rules</small></td></tr>')
    parts.append(
        f"<tr><td></td><td>otherwise</td><td>{escape(printable(ruleset.default_class))}</td>"
        "<td></td><td></td><td></td></tr></table>"
    )
    return "".join(parts)


def to_page(ruleset: Ruleset) -> str:
    """Return the HTML of `to_html` as a page of its own, for a file."""
    head = f'<meta charset="utf-8"><title>{escape(_title(ruleset))}</title>'
    return f"<!DOCTYPE html>\n<html><head>{head}</head><body>{to_html(ruleset)}</body></html>"


def _title(ruleset: Ruleset) -> str:
    counts = [
        _count(len(ruleset), "rule"),
        _count(ruleset.n_conditions, "condition"),
        _count(len(ruleset.schema.classes), "class", "classes"),
    ]
    return ", ".join(counts)
