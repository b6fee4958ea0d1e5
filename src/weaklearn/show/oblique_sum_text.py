"""The sum that an oblique test compares: in short, as lines of text, and as fields of a dict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weaklearn.show.label_text import number_words, values_words, words

if TYPE_CHECKING:
    from weaklearn.models.graph import Graph
    from weaklearn.models.oblique_terms import Term
    from weaklearn.schema import Label

_IN_A_LINE = 3  # terms of a sum in short
_IN_A_LIST = 10  # terms that are listed with all they add


def is_linear(graph: Graph, node: int) -> bool:
    """Whether the sum of an oblique test is one of values times coefficients."""
    return all(term.form == "linear" for term in graph.terms(node))


def by_influence(graph: Graph, node: int) -> list[Term]:
    """Return the terms of an oblique test, those that decide most first."""
    return sorted(graph.terms(node), key=lambda term: -term.influence)


def sum_words(graph: Graph, node: int) -> str:
    """Return a sum in short: ``2 x - 0.5 y ... and 3 more``, ``score of x, y ... and 3 more``."""
    terms = by_influence(graph, node)
    names = [words(graph.schema.features[term.feature].name) for term in terms]
    if is_linear(graph, node):
        text = ""
        for term, name in list(zip(terms, names, strict=True))[:_IN_A_LINE]:
            factor = abs(term.numbers[0])
            size = name if factor == 1 else f"{factor:.4g} {name}"
            negative = term.numbers[0] < 0
            sign = (" - " if negative else " + ") if text else ("-" if negative else "")
            text += sign + size
    else:
        names = list(dict.fromkeys(names))  # a feature may have several terms
        text = "score of " + ", ".join(names[:_IN_A_LINE])
    left = len(names) - _IN_A_LINE
    return f"{text} ... and {left} more" if left > 0 else text


def sum_lines(graph: Graph, node: int) -> list[str]:
    """Return what each term adds, a line per term, those that decide most first."""
    terms = by_influence(graph, node)
    lines = [_term_words(graph, term) for term in terms[:_IN_A_LIST]]
    left = len(terms) - _IN_A_LIST
    return [*lines, f"... and {left} more"] if left > 0 else lines


def _term_words(graph: Graph, term: Term) -> str:
    """Return a term as ``x: -0.3 up to 1.5, 0.7 above; 0.1 if unknown``."""
    feature = graph.schema.features[term.feature]
    if term.form == "linear":
        said = [f"{term.numbers[0]:.4g} times its value"]
    elif term.form == "steps":
        cuts = [f"up to {number_words(cut, feature)}" for cut in term.cuts]
        said = [
            f"{score:.4g} {where}"
            for score, where in zip(
                term.scores, [*cuts, "above" if cuts else "always"], strict=True
            )
        ]
    else:
        groups: dict[float, list[Label]] = {}
        for value, score in zip(feature.values, term.scores, strict=True):
            groups.setdefault(score, []).append(value)
        ordered = sorted(groups.items(), key=lambda group: group[0])
        said = [f"{score:.4g} {values_words(values)}" for score, values in ordered]
    unknown = f"; {term.unknown:.4g} if unknown" if term.unknown else ""
    return f"{words(feature.name)}: {', '.join(said)}{unknown}"


def term_fields(graph: Graph, term: Term) -> dict[str, Any]:
    """Return a term as a dict; see `weaklearn.show.to_dict` for its fields."""
    fields: dict[str, Any] = {
        "attr": graph.schema.features[term.feature].name,
        "index": term.feature,
        "form": term.form,
        "unknown": term.unknown,
        "influence": term.influence,
    }
    if term.form == "linear":
        return fields | {"coefficient": term.numbers[0]}
    if term.form == "steps":
        return fields | {"cuts": list(term.cuts), "scores": list(term.scores)}
    return fields | {"scores": list(term.scores)}
