"""A graph as C4.5 prints it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from weaklearn.show.label_text import number_words, words
from weaklearn.show.node_text import asked_words, leaf_words, shared_nodes
from weaklearn.show.oblique_sum_text import is_linear, sum_lines, sum_words

if TYPE_CHECKING:
    from weaklearn.models.graph import Graph
    from weaklearn.schema import Label

_WIDTH = 80
_INDENT = "|   "
# What C4.5 allows for around names when it guesses how long a line will be.
_AROUND_TEST = 4  # the comparison and its blanks
_NUMBER = 4  # a threshold, however long it really is
_AROUND_LEAF = 6  # the weight in its brackets
_AFTER_VALUE = 11  # what may follow a value inside ``in {...}``


def to_text(graph: Graph) -> str:
    """Return a graph as C4.5 Release 8 prints a decision tree.

    One line per branch, ``|   `` per level; a leaf is ``class (n)``, or ``class (n/e)`` where its
    errors are above zero. Of a node's branches those that end in a leaf come first. A part that
    would not fit into about 80 columns is left out as ``[S1]`` and follows as ``Subtree [S1]``.

    As in the original: the wording, spaces and order of lines, thresholds with six digits
    (``%g``), how wide a part may be before it is broken off and how these parts are numbered,
    how the values of a subset wrap, and that a branch for no value at all is not printed.
    Ours: the heading ``Decision Tree:`` is left to the caller, and so is the blank before a tree
    that is a single leaf; the numbers go on after ``[S99]``, where the original prints ``[S??]``
    and drops the part; a feature compared in double precision shows 15 digits; characters
    that do not print are escaped; and a test shared by several branches of a program is printed
    once, as a ``Subtree``, while a shared leaf is printed at each of them, with all its weight.
    An oblique test of values times coefficients shows the three terms that decide most; of
    another the sum is named ``[C1]``, and the ten terms that decide most follow as
    ``Sum [C1]``; `to_dict` has them all.

    Parameters
    ----------
    graph : Graph
        A fitted tree or program.

    Returns
    -------
    str
        Lines, without a line end after the last.
    """
    if graph.is_leaf(0):
        return leaf_words(graph, 0)
    shared = shared_nodes(graph)
    starts = [0]
    number_of = {0: 0}
    sums: list[int] = []

    def part_name(node: int) -> str:
        if node not in number_of:
            number_of[node] = len(starts)
            starts.append(node)
        return f"[S{number_of[node]}]"

    def sum_name(node: int) -> str:
        if is_linear(graph, node):
            return sum_words(graph, node)
        sums.append(node)
        return f"[C{len(sums)}]"

    def block(start: int) -> Iterator[str]:
        stack = [(start, 0, "")]
        while stack:
            node, depth, head = stack.pop()
            if graph.is_leaf(node):
                yield f"{head} {leaf_words(graph, node)}"
            elif depth and (node in shared or _too_wide(graph, node, depth)):
                yield head + part_name(node)
            else:
                if depth:
                    yield head
                heads = _heads(graph, node, _INDENT * depth, sum_name)
                branches = [
                    (child, depth + 1, line)
                    for child, line in zip(graph.children(node), heads, strict=True)
                    if line
                ]
                # sorted() keeps the branches' order among leaves, and among the others.
                branches = sorted(branches, key=lambda branch: not graph.is_leaf(branch[0]))
                stack.extend(reversed(branches))

    text = "\n".join(block(0))
    # The list of parts grows while they are printed.
    for start in starts:
        if start:
            text += f"\n\n\nSubtree [S{number_of[start]}]\n\n" + "\n".join(block(start))
    for number, node in enumerate(sums, 1):
        text += f"\n\n\nSum [C{number}]\n\n" + "\n".join(sum_lines(graph, node))
    return text


def _heads(graph: Graph, node: int, indent: str, sum_name: Callable[[int], str]) -> list[str]:
    """Return what is printed before each branch; empty for a branch that no value takes."""
    if graph.test(node) == "oblique":
        start = f"{indent}{sum_name(node)}"
        return [f"{start} {sign} {graph.threshold[node]:g} :" for sign in ("<=", ">")]
    feature = graph.feature_of(node)
    start = indent + words(feature.name)
    if graph.test(node) == "<=":
        threshold = number_words(float(graph.threshold[node]), feature)
        return [f"{start} <= {threshold} :", f"{start} > {threshold} :"]
    return [
        f"{start} = {words(values[0])}:"
        if len(values) == 1
        else _subset_head(start, indent, values)
        for values in graph.branch_values(node)
    ]


def _subset_head(start: str, indent: str, values: list[Label]) -> str:
    if not values:
        return ""
    opening = f"{start} in {{"
    skip = len(opening) - len(indent)
    lines = [opening]
    # The indentation is not counted, so that a deep list may pass the margin.
    used, empty = skip, True
    for value in map(words, values):
        if not empty and used + len(value) + _AFTER_VALUE > _WIDTH:
            lines.append(indent + " " * skip)
            used = skip
        lines[-1] += value + ","
        used += len(value) + 1
        empty = False
    return "\n".join(lines)[:-1] + "}:"


def _too_wide(graph: Graph, node: int, depth: int) -> bool:
    """Whether a test's longest line is guessed to pass the margin.

    The guess for a branch of a subset takes the name of the value with the branch's number,
    whatever its subset holds: so does C4.5.
    """
    named = graph.test(node) == "oblique" and not is_linear(graph, node)
    asked = "[C1]" if named else asked_words(graph, node)
    if graph.test(node) in ("<=", "oblique"):
        lengths = [_NUMBER, _NUMBER]
    else:
        lengths = [len(words(value)) for value in graph.feature_of(node).values]
    longest = 0
    # A hand-made subset test may have more branches than values; the surplus is not printed.
    for child, length in zip(graph.children(node), lengths, strict=False):
        answer = len(words(graph.label_of(child))) + _AROUND_LEAF if graph.is_leaf(child) else 0
        longest = max(longest, length + 1 + answer)
    guess = len(asked) + _AROUND_TEST + longest
    return len(_INDENT) * depth + guess > _WIDTH
