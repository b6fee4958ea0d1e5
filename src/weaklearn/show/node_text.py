"""What one node says of itself, for every way of showing a graph: words, colour, nested dict."""

from __future__ import annotations

import colorsys
from collections import Counter
from typing import TYPE_CHECKING, Any

from weaklearn.show.label_text import number_words, values_words, words
from weaklearn.show.oblique_sum_text import sum_words, term_fields

if TYPE_CHECKING:
    from weaklearn.models.graph import Graph

# Hues that stay apart for most colour-blind readers, for the first classes.
_FIRST_HUES = (0.58, 0.09, 0.42, 0.92, 0.15, 0.75, 0.0, 0.5)
_GOLDEN_RATIO = 0.618034


def leaf_words(graph: Graph, node: int) -> str:
    """Return what a leaf answers, as ``class (n)`` or ``class (n/e)`` where there are errors."""
    errors = f"/{graph.errors[node]:.1f}" if graph.errors[node] > 0 else ""
    return f"{words(graph.label_of(node))} ({graph.weight[node]:.1f}{errors})"


def asked_words(graph: Graph, node: int) -> str:
    """Return what a test asks for: its feature, or the sum of an oblique one in short."""
    if graph.test(node) == "oblique":
        return sum_words(graph, node)
    return words(graph.feature_of(node).name)


def branch_words(graph: Graph, node: int) -> list[str]:
    """Return the answer that leads down each branch: ``<= 2.5``, ``= red``, ``in {red, blue}``."""
    if graph.test(node) == "oblique":
        return [f"<= {graph.threshold[node]:g}", f"> {graph.threshold[node]:g}"]
    feature = graph.feature_of(node)
    if graph.test(node) == "<=":
        threshold = number_words(float(graph.threshold[node]), feature)
        return [f"<= {threshold}", f"> {threshold}"]
    return [values_words(values) for values in graph.branch_values(node)]


def fill_colour(graph: Graph, node: int) -> str:
    """Return ``#rrggbb``: the hue of the majority class, the stronger the purer the node."""
    weights = [weight for _, weight in graph.class_weights(node)]
    total = sum(weights)
    if total <= 0 or graph.weight[node] <= 0:
        return "#ffffff"
    chance = 1 / max(len(graph.schema.classes), 2)
    purity = max(0.0, (max(weights) / total - chance) / (1 - chance))
    label = int(graph.label[node])
    hue = _FIRST_HUES[label] if label < len(_FIRST_HUES) else label * _GOLDEN_RATIO % 1
    # Never darker than black text can be read on.
    rgb = colorsys.hls_to_rgb(hue, 0.96 - 0.22 * purity, 0.75)
    return "#" + "".join(f"{round(255 * part):02x}" for part in rgb)


def shared_nodes(graph: Graph) -> set[int]:
    """Return the nodes at the end of more than one branch; none in a tree."""
    parents = Counter(child for node, _ in graph.walk() for child in graph.children(node))
    return {node for node, count in parents.items() if count > 1}


def to_dict(graph: Graph) -> dict[str, Any]:
    """Return a graph as nested nodes, the form in which trees compare directly.

    Every node has ``class`` (majority label), ``n`` (weight of the training instances), ``e``
    (errors) and ``dist`` (class -> weight, zeros left out). A node with a test adds ``attr``,
    ``index`` (the feature's number), ``test``, ``children`` in branch order, and

    * ``threshold`` for ``test: "<="``: children are [value <= threshold, value > threshold];
    * ``values`` for ``test: "value"``: one child per declared value;
    * ``subsets`` for ``test: "subset"``: one child per list of values;
    * ``terms`` and ``threshold`` for ``test: "oblique"``, in place of ``attr`` and ``index``:
      children are [sum of terms <= threshold, sum > threshold]. A term has ``attr``, ``index``,
      ``form``, ``unknown`` (what an unknown value adds), ``influence``, and what a known one adds:
      ``coefficient``; ``cuts`` and ``scores``, one more than cuts; or ``scores``, one per value.

    A node that several branches of a program reach is written where it comes first in pre-order,
    with an ``id``; the others hold ``{"ref": id}``. A test of a program also has ``flow``, the
    weight of the training instances that take each branch.

    Parameters
    ----------
    graph : Graph
        A fitted tree or program, of any depth.

    Returns
    -------
    dict
        The root node.
    """
    shared = shared_nodes(graph)
    placed: set[int] = set()
    top: list[dict[str, Any]] = []
    # A node, and the list of children that its dict goes to; pre-order appends them in order.
    stack = [(0, top)]
    while stack:
        node, siblings = stack.pop()
        if node in placed and node in shared:
            siblings.append({"ref": node})
            continue
        placed.add(node)
        described = _describe(graph, node)
        if node in shared:
            described["id"] = node
        siblings.append(described)
        if not graph.is_leaf(node):
            children: list[dict[str, Any]] = []
            described["children"] = children
            stack.extend((child, children) for child in reversed(graph.children(node)))
    return top[0]


def _describe(graph: Graph, node: int) -> dict[str, Any]:
    described: dict[str, Any] = {}
    test = graph.test(node)
    if test == "oblique":
        terms = [term_fields(graph, term) for term in graph.terms(node)]
        described |= {"test": test, "terms": terms, "threshold": float(graph.threshold[node])}
    elif test != "leaf":
        feature = graph.feature_of(node)
        described |= {"attr": feature.name, "index": int(graph.feature[node]), "test": test}
        if test == "<=":
            described["threshold"] = float(graph.threshold[node])
        elif test == "value":
            described["values"] = list(feature.values)
        else:
            described["subsets"] = graph.subsets(node)
    if test != "leaf" and graph.has_flow:
        described["flow"] = graph.flow(node)
    classes = graph.schema.classes
    described |= {
        "class": graph.label_of(node),
        "n": float(graph.weight[node]),
        "e": float(graph.errors[node]),
        "dist": {classes[k]: weight for k, weight in graph.class_weights(node) if weight != 0},
    }
    return described
