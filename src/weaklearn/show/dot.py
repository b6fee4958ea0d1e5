"""A graph as text for Graphviz."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weaklearn.show.node_text import asked_words, branch_words, fill_colour, leaf_words

if TYPE_CHECKING:
    from weaklearn.models.graph import Graph


def to_dot(graph: Graph) -> str:
    """Return a graph in the DOT language of Graphviz.

    Boxes take the colour of the majority class, the stronger the purer the node; leaves are
    rounded. Shared nodes of a program appear once.

    Parameters
    ----------
    graph : Graph
        A fitted tree or program.

    Returns
    -------
    str
        For a file that ``dot -Tsvg`` reads.
    """
    lines = [
        "digraph weaklearn {",
        '  node [shape=box, style=filled, fontname="sans-serif"];',
        '  edge [fontname="sans-serif", fontsize=11];',
    ]
    for node, _ in graph.walk():
        colour = fill_colour(graph, node)
        if graph.is_leaf(node):
            label = _quoted(leaf_words(graph, node))
            lines.append(
                f'  n{node} [label={label}, style="filled,rounded", fillcolor="{colour}"];'
            )
            continue
        label = _quoted(asked_words(graph, node))
        lines.append(f'  n{node} [label={label}, fillcolor="{colour}"];')
        for child, answer in zip(graph.children(node), branch_words(graph, node), strict=True):
            lines.append(f"  n{node} -> n{child} [label={_quoted(answer)}];")
    return "\n".join([*lines, "}", ""])


def _quoted(text: str) -> str:
    """Return a string that Graphviz shows as it is: no escapes, no entities."""
    return '"' + text.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"') + '"'
