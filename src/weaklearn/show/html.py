"""A graph as HTML for notebooks and pages: nested nodes that fold, without scripts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from weaklearn.show.node_text import (
    branch_texts,
    fill_colour,
    leaf_text,
    shared_nodes,
    split_text,
)

if TYPE_CHECKING:
    from weaklearn.models.graph import Graph

#: Longer pages cannot be read, and browsers do not support deeper nesting.
MAX_NODES = 2_000
MAX_DEPTH = 100
_OPEN_LEVELS = 3

# Only the marks of classes have colours of their own, so light and dark themes both work.
_STYLE = """<style>
.weaklearn-graph {font: 13px/1.6 ui-monospace, monospace}
.weaklearn-graph details > div {margin-left: .45em; padding-left: 1.2em;
 border-left: 1px solid rgba(128,128,128,.45)}
.weaklearn-graph summary {cursor: pointer}
.weaklearn-graph .leaf {padding-left: 1.1em}
.weaklearn-graph i {display: inline-block; width: .75em; height: .75em; margin: 0 .4em;
 border: 1px solid rgba(128,128,128,.8); border-radius: 2px}
.weaklearn-graph small {opacity: .65}
</style>"""


def to_html(graph: Graph) -> str:
    """Return a graph as HTML in which a click folds or unfolds a node.

    Every name is escaped, so a model from an untrusted file can be shown. A graph of more than
    2,000 nodes or 100 levels is cut, with a note.

    Parameters
    ----------
    graph : Graph
        A fitted tree or program.

    Returns
    -------
    str
        A ``<div>`` with its own style.
    """
    shared = shared_nodes(graph)
    written: set[int] = set()
    n_lines = 0
    is_cut = False
    parts = [_STYLE, '<div class="weaklearn-graph">', f"<div>{escape(_title(graph))}</div>"]
    # Either HTML to write, or a node with its depth and the text of the branch to it.
    stack: list[str | tuple[int, int, str]] = [(0, 0, "")]
    while stack:
        entry = stack.pop()
        if isinstance(entry, str):
            parts.append(entry)
            continue
        node, depth, branch = entry
        if n_lines >= MAX_NODES or depth > MAX_DEPTH:
            is_cut = True
            continue
        n_lines += 1
        if node in shared and node in written and not graph.is_leaf(node):
            parts.append(f'<div class="leaf">{escape(branch)} <small>as node {node}</small></div>')
            continue
        written.add(node)
        mark = f'<i style="background:{fill_colour(graph, node)}"></i>'
        if graph.is_leaf(node):
            leaf = escape(leaf_text(graph, node))
            parts.append(f'<div class="leaf">{escape(branch)}{mark}{leaf}</div>')
            continue
        name = split_text(graph, node)
        node_id = f" <small>node {node}</small>" if node in shared else ""
        size = f"<small>{escape(leaf_text(graph, node))}</small>"
        opened = " open" if depth < _OPEN_LEVELS else ""
        parts.append(f"<details{opened}><summary>{escape(branch)}{mark}<b>{escape(name)}</b>? ")
        parts.append(f"{size}{node_id}</summary><div>")
        stack.append("</div></details>")
        branches = zip(graph.children(node), branch_texts(graph, node), strict=True)
        stack.extend((child, depth + 1, text) for child, text in reversed(list(branches)))
    if is_cut:
        parts.append(
            f"<div><small>The rest of {graph.n_nodes:,} nodes is left out; "
            "to_text() prints them all.</small></div>"
        )
    parts.append("</div>")
    return "".join(parts)


def to_page(graph: Graph) -> str:
    """Return the HTML of `to_html` as a page of its own, for a file."""
    head = f'<meta charset="utf-8"><title>{escape(_title(graph))}</title>'
    return f"<!DOCTYPE html>\n<html><head>{head}</head><body>{to_html(graph)}</body></html>"


def _title(graph: Graph) -> str:
    return f"{graph.n_nodes:,} nodes, {graph.n_leaves:,} leaves, depth {graph.depth:,}"
