"""A graph for notebooks: nested parts that fold, in HTML that needs nothing else."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from weaklearn.show.node_text import (
    asked_words,
    branch_words,
    fill_colour,
    leaf_words,
    shared_nodes,
)

if TYPE_CHECKING:
    from weaklearn.models.graph import Graph

#: A longer page helps nobody, and a browser gives up on deeper nesting.
MAX_NODES = 2_000
MAX_DEPTH = 100
_OPEN_LEVELS = 3

# Colours come from the page, apart from the classes' marks: light and dark themes both work.
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
    """Return a graph as HTML whose parts unfold with a click.

    Every name is escaped, so that a model from a stranger can be shown. Beyond 2,000 nodes or
    100 levels the rest is left out with a note.

    Parameters
    ----------
    graph : Graph
        A fitted tree or program.

    Returns
    -------
    str
        A ``<div>`` that stands on its own.
    """
    shared = shared_nodes(graph)
    written: set[int] = set()
    n_rows = 0
    left_out = False
    parts = [_STYLE, '<div class="weaklearn-graph">', f"<div>{escape(_title(graph))}</div>"]
    # Either HTML to write, or a node with its depth and the words on the branch to it.
    stack: list[str | tuple[int, int, str]] = [(0, 0, "")]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        node, depth, answer = item
        if n_rows >= MAX_NODES or depth > MAX_DEPTH:
            left_out = True
            continue
        n_rows += 1
        if node in shared and node in written and not graph.is_leaf(node):
            parts.append(f'<div class="leaf">{escape(answer)} <small>as node {node}</small></div>')
            continue
        written.add(node)
        mark = f'<i style="background:{fill_colour(graph, node)}"></i>'
        if graph.is_leaf(node):
            said = escape(leaf_words(graph, node))
            parts.append(f'<div class="leaf">{escape(answer)}{mark}{said}</div>')
            continue
        name = asked_words(graph, node)
        number = f" <small>node {node}</small>" if node in shared else ""
        size = f"<small>{escape(leaf_words(graph, node))}</small>"
        opened = " open" if depth < _OPEN_LEVELS else ""
        parts.append(f"<details{opened}><summary>{escape(answer)}{mark}<b>{escape(name)}</b>? ")
        parts.append(f"{size}{number}</summary><div>")
        stack.append("</div></details>")
        branches = zip(graph.children(node), branch_words(graph, node), strict=True)
        stack.extend((child, depth + 1, said) for child, said in reversed(list(branches)))
    if left_out:
        parts.append(
            f"<div><small>The rest of {graph.n_nodes:,} nodes is left out; "
            "to_text() prints them all.</small></div>"
        )
    parts.append("</div>")
    return "".join(parts)


def _title(graph: Graph) -> str:
    return f"{graph.n_nodes:,} nodes, {graph.n_leaves:,} leaves, depth {graph.depth:,}"
