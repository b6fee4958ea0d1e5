"""The text and the colour of one node, for every format: labels, splits, branches, leaves."""

from __future__ import annotations

import colorsys
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weaklearn.models.graph import Graph
    from weaklearn.models.oblique_terms import Term
    from weaklearn.schema import Feature, Label

# Hues of the first classes, which most colour-blind readers can tell apart.
_FIRST_HUES = (0.58, 0.09, 0.42, 0.92, 0.15, 0.75, 0.0, 0.5)
_GOLDEN_RATIO = 0.618034
#: How many terms of an oblique split are shown in one line, and in a list.
_TERMS_IN_A_LINE = 3
_TERMS_IN_A_LIST = 10


# -- labels and values ----------------------------------------------------------------------------
def printable(label: Label) -> str:
    """Return a label or name as one line of text; characters that do not print are escaped."""
    text = str(label)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def threshold_text(value: float, feature: Feature) -> str:
    """Return a threshold as C4.5 prints it, with more digits for features in double precision.

    A threshold of dates is printed as a date.
    """
    if feature.date is not None:
        return feature.date.to_text(value)
    return f"{value:.15g}" if feature.precision == "double" else f"{value:g}"


def values_text(values: list[Label] | tuple[Label, ...]) -> str:
    """Return a set of nominal values as ``= red`` or ``in {red, blue}``."""
    if len(values) == 1:
        return f"= {printable(values[0])}"
    return "in {" + ", ".join(printable(value) for value in values) + "}"


# -- nodes ----------------------------------------------------------------------------------------
def leaf_text(graph: Graph, node: int) -> str:
    """Return the class of a node as ``class (n)``, or ``class (n/e)`` if there are errors."""
    errors = f"/{graph.errors[node]:.1f}" if graph.errors[node] > 0 else ""
    return f"{printable(graph.label_of(node))} ({graph.weight[node]:.1f}{errors})"


def split_text(graph: Graph, node: int) -> str:
    """Return what a node splits on: a feature, or the short form of an oblique sum."""
    if graph.split_kind(node) == "oblique":
        return sum_text(graph, node)
    return printable(graph.feature_of(node).name)


def branch_texts(graph: Graph, node: int) -> list[str]:
    """Return the condition of each branch: ``<= 2.5``, ``= red``, ``in {red, blue}``.

    ``or missing`` follows the condition of the branch that missing values take, if it is one.
    """
    if graph.split_kind(node) == "oblique":
        threshold = sum_threshold_text(graph, node)
        return [f"<= {threshold}", f"> {threshold}"]
    if graph.separates_missing(node):
        return ["known", "missing"]
    if graph.split_kind(node) == "threshold":
        threshold = threshold_text(float(graph.threshold[node]), graph.feature_of(node))
        texts = [f"<= {threshold}", f"> {threshold}"]
    else:
        texts = [values_text(values) if values else "" for values in graph.branch_values(node)]
    return [with_missing(graph, node, branch, text) for branch, text in enumerate(texts)]


def with_missing(graph: Graph, node: int, branch: int, condition: str) -> str:
    """Return the condition of a branch, with ``or missing`` if missing values take it."""
    if branch != graph.missing_branch(node):
        return condition
    return f"{condition} or missing" if condition else "missing"


def fill_colour(graph: Graph, node: int) -> str:
    """Return ``#rrggbb``: the hue of the majority class, stronger for a purer node."""
    weights = [weight for _, weight in graph.class_weights(node)]
    total = sum(weights)
    if total <= 0 or graph.weight[node] <= 0:
        return "#ffffff"
    chance = 1 / max(len(graph.schema.classes), 2)
    purity = max(0.0, (max(weights) / total - chance) / (1 - chance))
    label = int(graph.label[node])
    hue = _FIRST_HUES[label] if label < len(_FIRST_HUES) else label * _GOLDEN_RATIO % 1
    # The colour stays light enough for black text.
    rgb = colorsys.hls_to_rgb(hue, 0.96 - 0.22 * purity, 0.75)
    return "#" + "".join(f"{round(255 * part):02x}" for part in rgb)


def shared_nodes(graph: Graph) -> set[int]:
    """Return the nodes with more than one parent branch; a tree has none."""
    parents = Counter(child for node, _ in graph.walk() for child in graph.children(node))
    return {node for node, count in parents.items() if count > 1}


# -- sums of oblique splits -----------------------------------------------------------------------
def is_linear(graph: Graph, node: int) -> bool:
    """Return whether all terms of an oblique split are values times coefficients."""
    return all(term.form == "linear" for term in graph.terms(node))


def sum_text(graph: Graph, node: int) -> str:
    """Return a sum in short: ``2 x - 0.5 y ... and 3 more``, ``score of x, y ... and 3 more``."""
    terms = _by_influence(graph, node)
    names = [printable(graph.schema.features[term.feature].name) for term in terms]
    if is_linear(graph, node):
        text = ""
        for term, name in list(zip(terms, names, strict=True))[:_TERMS_IN_A_LINE]:
            factor = abs(term.numbers[0])
            size = name if factor == 1 else f"{factor:.4g} {name}"
            negative = term.numbers[0] < 0
            sign = (" - " if negative else " + ") if text else ("-" if negative else "")
            text += sign + size
    else:
        names = list(dict.fromkeys(names))  # a feature may have several terms
        text = "score of " + ", ".join(names[:_TERMS_IN_A_LINE])
    n_more = len(names) - _TERMS_IN_A_LINE
    return f"{text} ... and {n_more} more" if n_more > 0 else text


def sum_threshold_text(graph: Graph, node: int) -> str:
    """Return the threshold of an oblique split; as a date if the sum is a single date."""
    terms = graph.terms(node)
    if len(terms) == 1 and terms[0].form == "linear" and terms[0].numbers[0] == 1:
        feature = graph.schema.features[terms[0].feature]
        if feature.date is not None:
            return feature.date.to_text(float(graph.threshold[node]))
    return f"{graph.threshold[node]:g}"


def sum_lines(graph: Graph, node: int) -> list[str]:
    """Return a line per term with what it adds; the most influential terms come first."""
    terms = _by_influence(graph, node)
    lines = [_term_text(graph, term) for term in terms[:_TERMS_IN_A_LIST]]
    n_more = len(terms) - _TERMS_IN_A_LIST
    return [*lines, f"... and {n_more} more"] if n_more > 0 else lines


def _by_influence(graph: Graph, node: int) -> list[Term]:
    return sorted(graph.terms(node), key=lambda term: -term.influence)


def _term_text(graph: Graph, term: Term) -> str:
    """Return a term as ``x: -0.3 up to 1.5, 0.7 above; 0.1 if missing``."""
    feature = graph.schema.features[term.feature]
    if term.form == "linear":
        scores = [f"{term.numbers[0]:.4g} times its value"]
    elif term.form == "steps":
        steps = [f"up to {threshold_text(cut, feature)}" for cut in term.cuts]
        steps.append("above" if steps else "always")
        scores = [f"{score:.4g} {step}" for score, step in zip(term.scores, steps, strict=True)]
    else:
        groups: dict[float, list[Label]] = {}
        for value, score in zip(feature.values, term.scores, strict=True):
            groups.setdefault(score, []).append(value)
        ordered = sorted(groups.items(), key=lambda group: group[0])
        scores = [f"{score:.4g} {values_text(values)}" for score, values in ordered]
    missing = f"; {term.missing:.4g} if missing" if term.missing else ""
    return f"{printable(feature.name)}: {', '.join(scores)}{missing}"
