"""Explanations as HTML for notebooks and pages, without scripts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from weaklearn.explain.text import (
    FEATURES_SHOWN,
    MEMBERS_SHOWN,
    ROWS_SHOWN,
    amount_text,
    cost_line,
    heading,
    member_lines,
    ordered_contributions,
    parts_left_out,
    reason_lines,
    score_line,
)
from weaklearn.show.node_text import printable

if TYPE_CHECKING:
    from weaklearn.explain.explanation import Explanation
    from weaklearn.explain.explanations import Explanations

#: How many classes have a bar.
_CLASSES_SHOWN = 5

# Bars have half-transparent colours, and all text has that of the page, so that light and dark
# themes both work.
_STYLE = """<style>
.weaklearn-explain {font: 13px/1.5 system-ui, sans-serif; max-width: 60em}
.weaklearn-explain details {border-bottom: 1px solid rgba(128,128,128,.35); padding: .3em 0}
.weaklearn-explain summary {cursor: pointer; font-weight: 600}
.weaklearn-explain summary small {font-weight: normal}
.weaklearn-explain section {margin: .4em 0 .6em 1.2em}
.weaklearn-explain p {margin: .15em 0; overflow-wrap: anywhere}
.weaklearn-explain p.more {padding-left: 1.5em; opacity: .75}
.weaklearn-explain small {opacity: .75}
.weaklearn-explain table {border-collapse: collapse; margin: .2em 0}
.weaklearn-explain td {padding: .05em .6em .05em 0; text-align: left; background: none}
.weaklearn-explain td.number {text-align: right; font-variant-numeric: tabular-nums}
.weaklearn-explain td.name {max-width: 24em; overflow-wrap: anywhere}
.weaklearn-explain .track {position: relative; width: 16em; height: .9em;
 background: rgba(128,128,128,.14); border-radius: 2px}
.weaklearn-explain .track i {position: absolute; top: 0; bottom: 0; border-radius: 2px}
.weaklearn-explain .up {background: rgba(38,128,235,.75)}
.weaklearn-explain .down {background: rgba(226,103,25,.75)}
</style>"""


def to_html(explanations: Explanations) -> str:
    """Return explanations as HTML; a click unfolds a row.

    Every name is escaped, so that a model from an untrusted file can be shown. After ten rows a
    note says how to see the others.

    Parameters
    ----------
    explanations : Explanations
        The explanations.

    Returns
    -------
    str
        A ``<div>`` with its own style.
    """
    parts = [_STYLE, '<div class="weaklearn-explain">']
    if explanations.note:
        parts.append(f"<p><small>{escape(explanations.note)}</small></p>")
    for index, explanation in enumerate(explanations[:ROWS_SHOWN]):
        title = f"row {explanation.position}: {heading(explanation)}"
        parts.append(
            f"<details{' open' if index == 0 else ''}><summary>{escape(title)}</summary>"
            f"<section>{_row_html(explanation)}</section></details>"
        )
    if left_out := parts_left_out(explanations[:ROWS_SHOWN], FEATURES_SHOWN, MEMBERS_SHOWN):
        arguments = ", ".join(f"{part}=None" for part in left_out)
        hint = f"all {' and '.join(left_out)}: to_text({arguments})"
        parts.append(f"<p><small>{hint}</small></p>")
    n_more = len(explanations) - ROWS_SHOWN
    if n_more > 0:
        hint = f"{n_more:,} more rows: show a part, such as explanations[{ROWS_SHOWN}:]"
        parts.append(f"<p><small>{hint}</small></p>")
    return "".join([*parts, "</div>"])


def _row_html(explanation: Explanation) -> str:
    parts = [_lines_html(reason_lines(explanation.reason))]
    if explanation.parent.unit == "vote":
        parts.append(_votes_html(explanation))
    if explanation.parent.contributions is not None:
        parts.append(f"<p>{escape(score_line(explanation))}</p>{_contributions_html(explanation)}")
    parts.append(_lines_html(member_lines(explanation, MEMBERS_SHOWN)))
    if cheapest := cost_line(explanation):
        parts.append(_lines_html([cheapest]))
    return "".join(parts)


def _lines_html(lines: list[str]) -> str:
    """Return lines as paragraphs; a line that is indented further belongs to the one above."""
    kinds = ['class="more"' if line.startswith("    ") else "" for line in lines]
    return "".join(
        f"<p {kind}>{escape(line.strip())}</p>" for kind, line in zip(kinds, lines, strict=True)
    )


def _votes_html(explanation: Explanation) -> str:
    scores = explanation.parent.scores[explanation.index]
    members = explanation.parent.members
    assert members is not None, "only committees vote"
    counts = np.bincount(members.predictions.classes[:, explanation.index], minlength=len(scores))
    order = np.argsort(-scores, kind="stable")[:_CLASSES_SHOWN].tolist()
    rows = [
        (
            printable(explanation.parent.schema.classes[k]),
            float(scores[k]),
            amount_text(explanation, scores[k]),
            f"{counts[k]} of {len(members)} members",
        )
        for k in order
        if scores[k] != 0 or counts[k]
    ]
    return _bars(rows, 1.0)


def _contributions_html(explanation: Explanation) -> str:
    ordered = ordered_contributions(explanation)
    shown = ordered[:FEATURES_SHOWN]
    rows = [
        (explanation.value_text(feature), amount, amount_text(explanation, amount, "+"), "")
        for feature, amount in shown
    ]
    if len(ordered) > len(shown):
        rest = sum(amount for _, amount in ordered[len(shown) :])
        n_more = len(ordered) - len(shown)
        name = f"{n_more} more feature{'s' * (n_more > 1)}"
        rows.append((name, rest, amount_text(explanation, rest, "+"), ""))
    return _bars(rows, max([abs(amount) for _, amount, _, _ in rows], default=1.0))


def _bars(rows: list[tuple[str, float, str, str]], longest: float) -> str:
    """Return a table of name, bar, amount and remark; bars to the left are negative."""
    has_negative = any(amount < 0 for _, amount, _, _ in rows)
    scale, zero = (50.0, 50.0) if has_negative else (100.0, 0.0)
    lines = []
    for name, amount, text, remark in rows:
        width = scale * min(abs(amount) / longest, 1.0)
        start = zero - width if amount < 0 else zero
        place = f"left:{start:.2f}%;width:{width:.2f}%"
        bar = f'<i class="{"down" if amount < 0 else "up"}" style="{place}"></i>'
        lines.append(
            f'<tr><td class="name">{escape(name)}</td><td><div class="track">{bar}</div></td>'
            f'<td class="number">{escape(text)}</td><td><small>{escape(remark)}</small></td></tr>'
        )
    return f"<table>{''.join(lines)}</table>"
