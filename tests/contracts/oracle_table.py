"""Convert the oracle's tables to frames, and compare its nodes with those of `to_dict`."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st

import weaklearn as wl
from oracles.c45 import Node, Options, Table
from oracles.c45_table import precision_of
from strategies import tables

SPLIT_KEYS = ("attr", "index", "test", "values", "subsets", "missing", "class")
# Effective numbers are quotients of sums. Weights of very different sizes would make them noise.
moderate = tables().filter(lambda table: all(w == 0 or 0.1 <= w <= 4 for w in table.weights))
amounts = st.sampled_from([0.2, 0.5, 1.0, 1.0, 2.0, 3.0, 7.0])
four_amounts = st.lists(amounts, min_size=4, max_size=4)


def frame_of(table: Table) -> pd.DataFrame:
    columns = {}
    for name, kind, cells, values in zip(
        table.names, table.kinds, table.columns, table.values, strict=True
    ):
        columns[name] = (
            pd.Series([np.nan if cell is None else cell for cell in cells], dtype=float)
            if kind == "continuous"
            else pd.Series(pd.Categorical(cells, categories=values))
        )
    return pd.DataFrame(columns)


def labels_of(table: Table) -> pd.Series[Any]:
    return pd.Series(pd.Categorical(table.y, categories=table.classes), name="class")


def of_present_rows(table: Table) -> Table:
    """Set the precision of each column by the rows of positive weight; the others are absent."""
    precision = [
        precision_of([cell for cell, w in zip(column, table.weights, strict=True) if w > 0])
        for column in table.columns
    ]
    return replace(table, precision=precision)


def classifier_of(options: Options, **others: Any) -> wl.C45Classifier:
    return wl.C45Classifier(
        criterion=options.criterion,
        min_objects=options.min_objects,
        confidence=options.confidence,
        subset=options.subset,
        threshold_penalty=options.threshold_penalty,
        max_depth=options.max_depth,
        missing=options.missing,
        **others,
    )


def difference(ours: Node, oracle: Node, relative: float = 1e-6) -> str | None:
    """Describe the first difference, or return None if both are equal up to noise in weights."""
    stack = [(ours, oracle, "root")]
    while stack:
        a, b, path = stack.pop()
        if "ref" in a or "ref" in b:  # a node that was visited before
            if a.get("ref") != b.get("ref"):
                return f"{path}: {a.get('ref')!r} is visited again, the oracle's {b.get('ref')!r}"
            continue
        for key in SPLIT_KEYS:
            if a.get(key) != b.get(key):
                return f"{path}: {key} is {a.get(key)!r}, the oracle's {b.get(key)!r}"
        if (sums := _sum_of(a)) != (others := _sum_of(b)):
            return f"{path}: compares {sums!r}, the oracle {others!r}"
        weights = [("n", a["n"], b["n"]), ("e", a["e"], b["e"])]
        weights += [
            (f"dist[{k}]", a["dist"].get(k, 0.0), b["dist"].get(k, 0.0))
            for k in {*a["dist"], *b["dist"]}
        ]
        for key, x, y in weights:
            # Errors are a difference of weights, so their noise is relative to the node weight.
            # Numbers near the smallest one have few digits.
            if not math.isclose(x, y, rel_tol=relative, abs_tol=relative * b["n"] + 1e-315):
                return f"{path}: {key} is {x!r}, the oracle's {y!r}"
        below, other = a.get("children", []), b.get("children", [])
        if len(below) != len(other):
            return f"{path}: {len(below)} branches, the oracle's {len(other)}"
        pairs = zip(below, other, strict=True)
        stack.extend((x, y, f"{path}/{i}") for i, (x, y) in enumerate(pairs))
    return None


def _sum_of(node: Node) -> object:
    """Return the threshold of a split, and the terms of an oblique split up to noise."""
    if node.get("test") != "oblique":
        return node.get("threshold")
    return round(node["threshold"], 9) + 0.0, [
        (term["index"], term["form"], term.get("cuts"), [round(x, 9) + 0.0 for x in term["scores"]])
        for term in node["terms"]
    ]


# -- class weights ----------------------------------------------------------------------------
def factors_of(table: Table, given: dict[str, float]) -> list[float]:
    """Return the factor of each class, scaled so that the total weight does not change."""
    pairs = list(zip(table.y, table.weights, strict=True))
    scale = sum(w for _, w in pairs) / sum(w * given[label] for label, w in pairs)
    return [given[label] * scale for label in table.classes]


def weighted(table: Table, factors: list[float]) -> Table:
    """Return the table with its weights multiplied by the factors of classes."""
    of_class = dict(zip(table.classes, factors, strict=True))
    weights = [w * of_class[label] for label, w in zip(table.y, table.weights, strict=True)]
    return replace(table, weights=weights)


def factors_known_to(table: Table, given: dict[str, float]) -> tuple[float, ...]:
    """Return the factors of classes for an oracle: none if all classes that occur have the same."""
    present = {label for label, w in zip(table.y, table.weights, strict=True) if w > 0}
    differ = len({given[label] for label in present}) > 1
    return tuple(factors_of(table, given)) if differ else ()
