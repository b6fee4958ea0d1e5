"""Random graphs for hypothesis: trees and programs with every kind of split and awkward names."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from reference_nodes import graph_of
from weaklearn.schema import Feature, Schema

AWKWARD = ("plain", 'quo"te', "back\\slash", "<b>&amp;", "two\nlines", "dollar$1$", "süß", "{,}")
SCHEMA = Schema(
    (
        Feature("size", "continuous"),
        Feature("time\t<i>", "continuous", precision="double"),
        Feature('colour "x"', "nominal", AWKWARD),
        Feature("flag", "nominal", (True, False)),
        Feature("code", "nominal", (3, 1.5, "a\\N")),
    ),
    ("no", "<script>alert(1)</script>", 7),
    "target",
)


@st.composite
def graphs(draw, shared=True, max_splits=12, oblique=True):
    """Draw a tree, or a program if nodes may be shared.

    Hypothesis draws the sizes and can shrink them. All else comes from a seed, which is faster.
    """
    n_leaves, n_splits = draw(st.integers(1, 4)), draw(st.integers(0, max_splits))
    chance = random.Random(draw(st.integers(0, 2**32)))
    nodes = [_leaf(number, chance) for number in range(n_leaves)]
    used = set()
    with_branch_weights = shared and chance.random() < 0.5
    for number in range(n_splits):
        split = _oblique_split(chance) if oblique and chance.random() < 0.25 else _split(chance)
        two_ways = split["test"] in ("<=", "oblique")
        n_branches = 2 if two_ways else len(split.get("subsets") or split["values"])
        children = []
        for branch in range(n_branches):
            free = [k for k in range(len(nodes)) if shared or k not in used]
            if free and chance.random() < 0.5:
                children.append(chance.choice(free))
            else:
                nodes.append(_leaf(f"{number}.{branch}", chance))
                children.append(len(nodes) - 1)
            used.add(children[-1])
        flow = {"flow": [_weight(chance) for _ in children]} if with_branch_weights else {}
        nodes.append({**_leaf(f"split {number}", chance), **split, **flow, "children": children})
    return graph_of(_nested(nodes), SCHEMA)


def _weight(chance):
    return chance.choice([0.5, 1.0, 3.0, 1e-9, chance.uniform(0.1, 1e4)])


def _leaf(name, chance):
    present = chance.sample(SCHEMA.classes, chance.randint(0, len(SCHEMA.classes)))
    dist = {label: _weight(chance) for label in present}
    label = chance.choice(SCHEMA.classes)
    errors = chance.choice([0.0, _weight(chance)])
    return {"id": name, "class": label, "n": sum(dist.values()), "e": errors, "dist": dist}


def _split(chance):
    index = chance.randrange(len(SCHEMA.features))
    feature = SCHEMA.features[index]
    common = {"attr": feature.name, "index": index}
    if feature.kind == "continuous":
        threshold = chance.choice([0.0, 0.1, -2.5, 1e-300, chance.uniform(-1e6, 1e6)])
        return {**common, "test": "<=", "threshold": threshold}
    if chance.random() < 0.5:
        return {**common, "test": "value", "values": list(feature.values)}
    n_subsets = chance.randint(1, 4)
    branch_of = [chance.randint(-1, n_subsets - 1) for _ in feature.values]
    subsets = [
        [v for v, b in zip(feature.values, branch_of, strict=True) if b == branch]
        for branch in range(n_subsets)
    ]
    return {**common, "test": "subset", "subsets": subsets}


def _oblique_split(chance):
    terms = [_term(chance) for _ in range(chance.randint(1, 12))]
    return {"test": "oblique", "terms": terms, "threshold": chance.choice([0.0, 0.5, -1e3])}


def _term(chance):
    index = chance.randrange(len(SCHEMA.features))
    feature = SCHEMA.features[index]
    common = {"attr": feature.name, "index": index}
    varied = {"unknown": chance.choice([0.0, -0.5]), "influence": chance.choice([0.0, 1.0, 2.5])}
    if feature.kind == "nominal":
        scores = [_score(chance) for _ in feature.values]
        return {**common, "form": "values", **varied, "scores": scores}
    if chance.random() < 0.5:
        return {**common, "form": "linear", **varied, "coefficient": _score(chance)}
    cuts = sorted({chance.choice([0.0, 0.1, chance.uniform(-10, 10)]) for _ in range(3)})
    scores = [_score(chance) for _ in range(len(cuts) + 1)]
    return {**common, "form": "steps", **varied, "cuts": cuts, "scores": scores}


def _score(chance):
    return chance.choice([0.0, 1.0, -1.0, chance.uniform(-3, 3)])


def _nested(nodes):
    seen = set()

    def expand(number):
        node = nodes[number]
        if number in seen:
            return {"ref": node["id"]}
        seen.add(number)
        if "children" in node:
            return {**node, "children": [expand(child) for child in node["children"]]}
        return node

    return expand(len(nodes) - 1)


def chain(n_levels):
    """Return a tree in which every split has one leaf and one further split."""
    schema = Schema((Feature("x", "continuous"),), ("no", "yes"))
    bottom = {"class": "no", "n": 1.0, "e": 0.0, "dist": {"no": 1.0}}
    node = bottom
    for level in range(n_levels):
        leaf = {"class": "yes", "n": 1.0, "e": 0.0, "dist": {"yes": 1.0}}
        node = {
            **{"attr": "x", "index": 0, "test": "<=", "threshold": float(level)},
            **{"class": "yes", "n": level + 2.0, "e": 1.0, "dist": {"no": 1.0, "yes": level + 1.0}},
            "children": [node, leaf],
        }
    return graph_of(node, schema)


def doubling_program(n_levels):
    """Return a program with 2 nodes per level and 2**n_levels paths."""
    schema = Schema((Feature("x", "continuous"),), ("no", "yes"))
    below = [
        {"id": f"leaf {k}", "class": k, "n": 1.0, "e": 0.0, "dist": {k: 1.0}} for k in ("no", "yes")
    ]
    rest = {"class": "yes", "n": 1.0, "e": 0.0, "dist": {"yes": 1.0}}
    for level in range(n_levels):
        refs = [{"ref": node["id"]} for node in below]
        split = {"attr": "x", "index": 0, "test": "<=", "threshold": float(level), **rest}
        last = level == n_levels - 1
        first = {**split, "id": f"{level} a", "children": below}
        below = [first] if last else [first, {**split, "id": f"{level} b", "children": refs}]
    return graph_of(below[0], schema)


def full_tree(n_levels):
    """Return a tree with two branches at each split, and all leaves at the same depth."""
    schema = Schema((Feature("x", "continuous"),), ("a", "b"))

    def node(level, low, high):
        figures = {"class": "a", "n": 1.0, "e": 0.0, "dist": {"a": 1.0}}
        if level == n_levels:
            return figures
        middle = (low + high) / 2
        children = [node(level + 1, low, middle), node(level + 1, middle, high)]
        split = {"attr": "x", "index": 0, "test": "<=", "threshold": middle}
        return {**figures, **split, "children": children}

    return graph_of(node(0, 0.0, 2.0**n_levels), schema)
