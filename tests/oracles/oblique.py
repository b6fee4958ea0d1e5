"""Trees of OC1 and SADT in plain Python: held-out rows, growing, cost-complexity pruning."""

from __future__ import annotations

from .c45_table import Node, Table, less
from .oblique_problem import Options, Problem, Random, SadtOptions, lower, seed_of
from .oblique_search import find, is_left


def hold_out(n: int, options: Options | SadtOptions) -> tuple[list[int], list[int]]:
    rows, n_held_out = list(range(n)), int(options.validation_share * n)
    random = Random(seed_of(options.seed, 0))
    for i in range(n, n - n_held_out, -1):
        j = int(random.uniform() * i)
        rows[i - 1], rows[j] = rows[j], rows[i - 1]
    return sorted(rows[: n - n_held_out]), rows[n - n_held_out :]


def grow(table: Table, options: Options | SadtOptions) -> Node:
    problem = Problem(table, options)
    rows, held_out = hold_out(len(problem.y), options)
    root = _grow(problem, rows, held_out, 0, seed_of(options.seed, 1))
    return _finish(prune(root) if held_out else root)


def _grow(problem: Problem, rows: list[int], held_out: list[int], depth: int, seed: int) -> Node:
    total = problem.weights(rows)
    label = next(k for k, x in enumerate(total) if not less(x, max(total)))
    classes = problem.table.classes
    node: Node = {
        "class": classes[label],
        "n": sum(total),
        "e": sum(x for k, x in enumerate(total) if k != label),
        "dist": {classes[k]: x for k, x in enumerate(total) if x},
        "held_out": sum(problem.w[i] for i in held_out if problem.y[i] != label),
    }
    if node["e"] == 0 or depth == problem.options.max_depth or not problem.features:
        return node
    plane, constant, impurity = find(problem, rows, seed)
    if not lower(impurity, problem.impurity_of([], rows)):
        return node
    sides: list[Node] = []
    for position, is_first in enumerate((True, False)):
        own, other = (
            [i for i in some if is_left(problem, plane, constant, i) == is_first]
            for some in (rows, held_out)
        )
        if not own:
            return node
        seed_below = seed_of(seed, 1000000 + position)
        sides.append(_grow(problem, own, other, depth + 1, seed_below))
    return {**node, "plane": plane, "constant": constant, "children": sides}


def leaves(node: Node) -> list[Node]:
    return (
        [leaf for child in node["children"] for leaf in leaves(child)]
        if "children" in node
        else [node]
    )


def strength(node: Node) -> float:
    below = leaves(node)
    own: float = node["e"]
    return (own - sum(leaf["e"] for leaf in below)) / (len(below) - 1)


def prune(root: Node) -> Node:
    """Return the best tree of the cost-complexity sequence; ties go to the smallest."""
    best, fewest = root, sum(leaf["held_out"] for leaf in leaves(root))
    tree = root
    while len(leaves(tree)) > 2:
        inner = _inner(tree)[1:]
        if not inner:
            break
        least = min(strength(node) for node in inner)
        tree = _cut(tree, [node for node in inner if not less(least, strength(node))])
        errors = sum(leaf["held_out"] for leaf in leaves(tree))
        if not less(fewest, errors):
            best, fewest = tree, errors
    return best


def _inner(node: Node) -> list[Node]:
    if "children" not in node:
        return []
    return [node, *(below for child in node["children"] for below in _inner(child))]


def _cut(node: Node, weak: list[Node]) -> Node:
    if any(node is other for other in weak) or "children" not in node:
        return {key: node[key] for key in ("class", "n", "e", "dist", "held_out")}
    return {**node, "children": [_cut(child, weak) for child in node["children"]]}


def _finish(node: Node) -> Node:
    """Return the tree in which the errors of an inner node are those of its leaves."""
    if "children" not in node:
        return node
    children = [_finish(child) for child in node["children"]]
    return {**node, "children": children, "e": sum(child["e"] for child in children)}
