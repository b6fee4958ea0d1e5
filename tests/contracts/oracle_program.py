"""Compare branching programs with those of the oracle."""

from __future__ import annotations

import math
from typing import Any

import weaklearn as wl
from oracles.c45 import Table
from oracles.program import Level, Options, Program

from .oracle_table import SPLIT_KEYS, frame_of, labels_of

REASONS = {
    "no node left": "every node is pure, or no split improves it",
    "no gain": "splitting and merging the level would not lower its impurity",
    "max_levels": "the next level would be one more than max_levels",
    "max_nodes": "the next level would take the program past max_nodes",
    "repeated": "an earlier level had the same rows in the same nodes",
}


def fitted(table: Table, options: Options, **others: Any) -> wl.BranchingProgramClassifier:
    model = wl.BranchingProgramClassifier(
        criterion=options.criterion,
        merge=options.merge,
        merge_share=options.merge_share,
        max_width=options.max_width,
        max_levels=options.max_levels,
        max_nodes=options.max_nodes,
        split_without_gain=options.split_without_gain,
        min_objects=options.min_objects,
        confidence=options.confidence,
        missing=options.missing,
        **others,
    )
    return model.fit(frame_of(table), labels_of(table), table.weights)


def nodes_of(program: wl.models.Graph) -> list[dict[str, Any]]:
    """Return the nodes by index, in the oracle's form."""
    tree, by_index = program.to_dict(), {}
    stack = [(0, tree)]
    while stack:
        index, node = stack.pop()
        if "ref" in node:
            continue
        children = program.children(index)
        below = node.get("children", [])
        stack.extend(zip(children, below, strict=True))
        by_index[index] = {**node, "children": children} if children else node
    return [by_index[index] for index in range(program.n_nodes)]


def difference(ours: wl.BranchingProgramClassifier, oracle: Program) -> str | None:
    """Describe the first difference, or return None if both are equal up to noise in weights."""
    nodes = nodes_of(ours.program_)
    for index, (a, b) in enumerate(zip(nodes, oracle.nodes, strict=False)):
        for key in (*SPLIT_KEYS, "children"):
            if a.get(key) != b.get(key):
                return f"node {index}: {key} is {a.get(key)!r}, the oracle's {b.get(key)!r}"
        numbers = [("n", a["n"], b["n"]), ("e", a["e"], b["e"])]
        numbers += [
            ("flow", x, y) for x, y in zip(a.get("flow", []), b.get("flow", []), strict=True)
        ]
        classes = {*a["dist"], *b["dist"]}
        numbers += [(f"dist[{k}]", a["dist"].get(k, 0.0), b["dist"].get(k, 0.0)) for k in classes]
        for key, x, y in numbers:
            if not math.isclose(x, y, rel_tol=1e-6, abs_tol=1e-6 * b["n"]):
                return f"node {index}: {key} is {x!r}, the oracle's {y!r}"
    if len(nodes) != len(oracle.nodes):
        return f"{len(nodes)} nodes, the oracle's {len(oracle.nodes)}"
    return None


def difference_of_levels(ours: wl.BranchingProgramClassifier, oracle: Program) -> str | None:
    """Describe the first difference of the levels, or return None."""
    if len(ours.levels_) != len(oracle.levels):
        return f"{len(ours.levels_)} levels, the oracle's {len(oracle.levels)}"
    if ours.stopped_ != REASONS[oracle.stopped]:
        return f"stopped because {ours.stopped_}, the oracle {oracle.stopped}"
    for index, level in enumerate(oracle.levels):
        text = _difference_of_level(ours, index, level)
        if text is not None:
            return f"level {index + 1}: {text}"
    return None


def _difference_of_level(
    ours: wl.BranchingProgramClassifier, index: int, oracle: Level
) -> str | None:
    levels = ours.levels_
    for key in ("nodes", "children", "next_nodes", "forced"):
        if getattr(levels, key)[index] != getattr(oracle, key):
            return f"{key} is {getattr(levels, key)[index]}, the oracle's {getattr(oracle, key)}"
    if not math.isclose(levels.grid_width[index], oracle.width or 0, rel_tol=1e-6):
        return f"the grid has {levels.grid_width[index]} cells, the oracle's {oracle.width}"
    numbers = [
        (k, getattr(levels, k)[index], getattr(oracle, k)) for k in ("before", "after", "merged")
    ]
    gammas = levels.advantages[index].tolist()
    numbers += [
        ("advantage", x, y) for x, y in zip(gammas, oracle.advantages or gammas, strict=True)
    ]
    for key, x, y in numbers:
        if not math.isclose(x, y, rel_tol=1e-6, abs_tol=1e-9):
            return f"{key} is {x}, the oracle's {y}"
    return None
