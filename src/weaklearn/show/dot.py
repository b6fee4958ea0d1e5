"""A graph as text for Graphviz."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weaklearn.show.node_text import branch_texts, fill_colour, leaf_text, split_text

if TYPE_CHECKING:
    from weaklearn.models.graph import Graph


def to_dot(graph: Graph) -> str:
    """Return a graph in the DOT language of Graphviz.

    A box has the colour of its majority class, stronger for a purer node. Leaves are rounded. A
    shared node of a program appears once.

    Parameters
    ----------
    graph : Graph
        A fitted tree or program.

    Returns
    -------
    str
        The text of a file for ``dot -Tsvg``.
    """
    lines = [
        "digraph weaklearn {",
        '  node [shape=box, style=filled, fontname="sans-serif"];',
        '  edge [fontname="sans-serif", fontsize=11];',
    ]
    for node, _ in graph.walk():
        colour = fill_colour(graph, node)
        if graph.is_leaf(node):
            label = _quoted(leaf_text(graph, node))
            lines.append(
                f'  n{node} [label={label}, style="filled,rounded", fillcolor="{colour}"];'
            )
            continue
        label = _quoted(split_text(graph, node))
        lines.append(f'  n{node} [label={label}, fillcolor="{colour}"];')
        for child, branch in zip(graph.children(node), branch_texts(graph, node), strict=True):
            lines.append(f"  n{node} -> n{child} [label={_quoted(branch)}];")
    return "\n".join([*lines, "}", ""])


def _quoted(text: str) -> str:
    """Return a string literal that Graphviz shows unchanged, without escapes or entities."""
    return '"' + text.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"') + '"'
