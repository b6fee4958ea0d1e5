"""A graph as C4.5 prints it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from weaklearn.show.first_levels import FirstLevels
from weaklearn.show.node_text import (
    branch_texts,
    is_linear,
    printable,
    shared_nodes,
    split_text,
    sum_lines,
    sum_text,
    sum_threshold_text,
)

if TYPE_CHECKING:
    from weaklearn.models.graph import Graph
    from weaklearn.schema import Label

_WIDTH = 80
_INDENT = "|   "
# The columns that C4.5 adds to names when it estimates the length of a line.
_AROUND_SPLIT = 4  # for the comparison and its spaces
_NUMBER = 4  # for a threshold, whatever its real length
_AROUND_LEAF = 6  # for the weight in its brackets
_AFTER_VALUE = 11  # for what may follow a value inside ``in {...}``


def to_text(graph: Graph, max_depth: int | None = None) -> str:
    """Return a graph as C4.5 Release 8 prints a decision tree.

    There is one line per branch, with ``|   `` per level. A leaf is ``class (n)``, or
    ``class (n/e)`` if it has errors. Branches that end in a leaf come first. A subtree that would
    not fit into about 80 columns is replaced by ``[S1]`` and printed below as ``Subtree [S1]``.

    The following is as in the original: the wording, spaces and order of lines; thresholds with six
    digits (``%g``); how wide a subtree may be before it is printed below, and how these subtrees
    are numbered; how the values of a subset wrap; a branch without values is not printed.

    The following differs. The heading ``Decision Tree:`` is not printed, nor the space before a
    tree that is a single leaf. Subtrees are numbered beyond ``[S99]``, where the original prints
    ``[S??]`` and drops the subtree. A feature compared in double precision shows 15 digits.
    Characters that do not print are escaped. A split that several branches of a program share is
    printed once, as a ``Subtree``. A shared leaf is printed at each branch, with its whole weight.

    A split that has learned a branch for missing values (``missing="branch"``) prints ``or
    missing`` there: ``x <= 3 or missing :``. A branch for missing values only is ``x missing:``.

    An oblique split on values times coefficients shows its three most influential terms. The sum of
    another oblique split is named ``[C1]``, and its ten most influential terms are printed below as
    ``Sum [C1]``. `to_dict` has all terms.

    Parameters
    ----------
    graph : Graph
        A fitted tree or program.
    max_depth : int, optional
        The most levels of splits to print. A split below them is printed like a leaf, with the
        number of leaves below it and the errors of all of these leaves:
        ``no (1731.0/379.4) ... 12 leaves``.

    Returns
    -------
    str
        Lines, without a line end after the last.
    """
    shown = FirstLevels(graph, max_depth)
    if shown.ends_at(0):
        return shown.end_text(0)
    shared = shared_nodes(graph)
    roots = [0]
    index_of = {0: 0}
    sums: list[int] = []

    def subtree_name(node: int) -> str:
        if node not in index_of:
            index_of[node] = len(roots)
            roots.append(node)
        return f"[S{index_of[node]}]"

    def sum_name(node: int) -> str:
        if is_linear(graph, node):
            return sum_text(graph, node)
        sums.append(node)
        return f"[C{len(sums)}]"

    def subtree_lines(root: int) -> Iterator[str]:
        stack = [(root, 0, "")]
        while stack:
            node, depth, head = stack.pop()
            if shown.ends_at(node):
                yield f"{head} {shown.end_text(node)}"
            elif depth and (node in shared or _too_wide(graph, node, depth)):
                yield head + subtree_name(node)
            else:
                if depth:
                    yield head
                heads = _heads(graph, node, _INDENT * depth, sum_name)
                branches = [
                    (child, depth + 1, line)
                    for child, line in zip(graph.children(node), heads, strict=True)
                    if line
                ]
                # sorted() is stable: it keeps the order among leaves, and among the others.
                branches = sorted(branches, key=lambda branch: not shown.ends_at(branch[0]))
                stack.extend(reversed(branches))

    text = "\n".join(subtree_lines(0))
    # The list of subtrees grows while they are printed.
    for root in roots:
        if root:
            text += f"\n\n\nSubtree [S{index_of[root]}]\n\n" + "\n".join(subtree_lines(root))
    for number, node in enumerate(sums, 1):
        text += f"\n\n\nSum [C{number}]\n\n" + "\n".join(sum_lines(graph, node))
    return text


def _heads(graph: Graph, node: int, indent: str, sum_name: Callable[[int], str]) -> list[str]:
    """Return the text before each branch's colon; empty for a branch without values."""
    if graph.split_kind(node) == "oblique":
        start = f"{indent}{sum_name(node)}"
        return [f"{start} {sign} {sum_threshold_text(graph, node)} :" for sign in ("<=", ">")]
    start = indent + printable(graph.feature_of(node).name)
    if graph.split_kind(node) == "threshold":
        return [f"{start} {text} :" for text in branch_texts(graph, node)]
    heads = []
    for branch, values in enumerate(graph.branch_values(node)):
        if len(values) == 1:
            head = f"{start} = {printable(values[0])}"
        else:
            head = _subset_head(start, indent, values)
        if branch == graph.missing_branch(node):
            head = f"{head} or missing" if head else f"{start} missing"
        heads.append(head and f"{head}:")
    return heads


def _subset_head(start: str, indent: str, values: list[Label]) -> str:
    if not values:
        return ""
    opening = f"{start} in {{"
    skip = len(opening) - len(indent)
    lines = [opening]
    # The indentation is not counted, as in C4.5, so a deep list may be wider than 80 columns.
    used, empty = skip, True
    for value in map(printable, values):
        if not empty and used + len(value) + _AFTER_VALUE > _WIDTH:
            lines.append(indent + " " * skip)
            used = skip
        lines[-1] += value + ","
        used += len(value) + 1
        empty = False
    return "\n".join(lines)[:-1] + "}"


def _too_wide(graph: Graph, node: int, depth: int) -> bool:
    """Return whether the longest line of a split is estimated to exceed 80 columns.

    As in C4.5, the estimate for branch k of a subset split uses the name of the feature's value k,
    whatever the subset holds.
    """
    is_named = graph.split_kind(node) == "oblique" and not is_linear(graph, node)
    split = "[C1]" if is_named else split_text(graph, node)
    if graph.split_kind(node) in ("threshold", "oblique"):
        lengths = [_NUMBER, _NUMBER]
    else:
        lengths = [len(printable(value)) for value in graph.feature_of(node).values]
        lengths.append(len("missing"))
    longest = 0
    # A subset split made by hand may have more branches than values; the others are not printed.
    for child, length in zip(graph.children(node), lengths, strict=False):
        leaf = len(printable(graph.label_of(child))) + _AROUND_LEAF if graph.is_leaf(child) else 0
        longest = max(longest, length + 1 + leaf)
    estimate = len(split) + _AROUND_SPLIT + longest
    return len(_INDENT) * depth + estimate > _WIDTH
