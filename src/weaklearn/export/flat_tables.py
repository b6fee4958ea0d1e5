"""The tables of a described model in one namespace, as the programs in C and JavaScript read them.

The nodes, rules or separators of all members follow each other; the template of each language
walks them. A table that a model does not need is left out, or has one entry that is never read,
since C has no empty arrays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weaklearn.export import description as d
from weaklearn.export.describe_models import join_terms
from weaklearn.models import probabilities

Table: TypeAlias = NDArray[np.int32] | NDArray[np.float64]


@dataclass(slots=True, eq=False, repr=False)
class FlatTables:
    """What a template needs.

    Parameters
    ----------
    flags : set of str
        The parts of the template that the model needs.
    numbers : dict of name to number
        Constants.
    tables : dict of name to array
        Arrays of integers or floats.
    """

    flags: set[str] = field(default_factory=set)
    numbers: dict[str, int | float] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)

    def add_ints(self, **tables: Any) -> None:
        """Add arrays of integers."""
        for name, table in tables.items():
            self.tables[name] = np.asarray(table, np.int64).astype(np.int32)

    def add_floats(self, **tables: Any) -> None:
        """Add arrays of floats."""
        for name, table in tables.items():
            self.tables[name] = np.asarray(table, np.float64).ravel()


def flatten(described: d.Description) -> FlatTables:
    """Return the tables of a described model.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("iris")
    >>> model = wl.C45Classifier().fit(table.X, table.y)
    >>> sorted(flatten(wl.export.describe(model)).flags)
    ['alone', 'graphs', 'mixed', 'terms']
    """
    flat = FlatTables(numbers={"TIE": d.TIE, "LOWEST_SCORE": 0.0})
    flat.add_ints(
        class_of_label=described.class_of_label,
        label_of_class=described.label_of_class,
        n_values=[len(i.values) for i in described.inputs],
    )
    kind = type(described.members[0])
    # All members of a committee are of the same kind, that of its estimator.
    _ADD_MEMBERS[kind](flat, described.members, described)
    if isinstance(described.model, d.DescribedCommittee):
        _add_committee(flat, described.model)
    else:
        flat.flags.add("alone")
    if described.costs is not None:
        flat.flags.add("costs")
        flat.add_floats(cost_matrix=described.costs.matrix, cost_factors=described.costs.factors)
    return flat


def _add_graphs(
    flat: FlatTables, graphs: Sequence[d.DescribedGraph], described: d.Description
) -> None:
    flat.flags |= {"graphs", "terms"}
    n_nodes = [g.n_nodes for g in graphs]
    nodes, branches, values, classes, terms, leaves = (
        _starts(counts)
        for counts in (
            n_nodes,
            [len(g.child) for g in graphs],
            [len(g.branch_of_value) for g in graphs],
            [len(g.class_index) for g in graphs],
            [len(g.terms.form) for g in graphs],
            [int(np.count_nonzero(g.kind == d.LEAF)) for g in graphs],
        )
    )
    first, count, extra = [], [], []
    for i, g in enumerate(graphs):
        is_leaf, is_oblique = g.kind == d.LEAF, g.kind == d.OBLIQUE
        leaf = np.cumsum(is_leaf) - 1
        first.append(np.where(is_leaf, g.first_class + classes[i], g.first_branch + branches[i]))
        of_split = np.where(is_oblique, g.n_terms, g.n_branches)
        count.append(np.where(is_leaf, g.n_classes, of_split))
        of_split = np.where(is_oblique, g.first_term + terms[i], g.first_value + values[i])
        extra.append(np.where(is_leaf, leaf + leaves[i], of_split))
    flat.numbers |= {
        "NODE_LEAF": d.LEAF,
        "NODE_THRESHOLD": d.THRESHOLD,
        "NODE_OBLIQUE": d.OBLIQUE,
    }
    flat.add_ints(
        first_node=[*nodes, sum(n_nodes)],
        node_kind=_joined([g.kind for g in graphs]),
        node_feature=_joined([g.feature for g in graphs]),
        node_missing=_joined([g.missing_branch for g in graphs]),
        node_first=_joined(first),
        node_count=_joined(count),
        node_extra=_joined(extra),
        child=_joined([g.child + nodes[i] for i, g in enumerate(graphs)]),
        branch_of_value=_joined([g.branch_of_value for g in graphs]),
        class_index=_joined([g.class_index for g in graphs]),
        leaf_label=_joined([g.label[g.kind == d.LEAF] for g in graphs]),
    )
    flat.add_floats(
        node_threshold=_joined([g.threshold for g in graphs]),
        class_share=_joined([g.class_share for g in graphs]),
    )
    if any(map(_mixes, graphs)):
        flat.flags.add("mixed")
        flat.numbers["MOST_NODES"] = max(n_nodes)
        flat.add_ints(root_label=[g.label[0] for g in graphs])
        flat.add_floats(branch_share=_joined([g.branch_share for g in graphs]))
    model = described.model
    if isinstance(model, d.DescribedCommittee) and model.form == "confidence":
        flat.add_floats(leaf_confidence=_joined([g.confidence[g.kind == d.LEAF] for g in graphs]))
        if "mixed" in flat.flags:
            flat.add_floats(
                leaf_weight=_joined([g.leaf_weight[g.kind == d.LEAF] for g in graphs]),
                class_weight=_joined([g.class_weight for g in graphs]),
            )
    _add_terms(flat, [g.terms for g in graphs])


def _mixes(graph: d.DescribedGraph) -> bool:
    """Return whether a row with missing values may take several branches."""
    by_feature = (graph.kind == d.THRESHOLD) | (graph.kind == d.VALUES)
    return bool((graph.missing_branch[by_feature] < 0).any())


def _add_terms(flat: FlatTables, terms: Sequence[d.Terms]) -> None:
    flat.numbers |= {"TERM_SINGLE": d.SINGLE, "TERM_STEPS": d.STEPS, "TERM_SCORES": d.SCORES}
    joined = join_terms(terms)
    flat.add_ints(
        term_feature=joined.feature,
        term_form=joined.form,
        term_first=joined.first,
        term_cuts=joined.n_cuts,
    )
    flat.add_floats(term_missing=joined.missing, term_numbers=joined.numbers)


def _add_rules(
    flat: FlatTables, rulesets: Sequence[d.DescribedRules], described: d.Description
) -> None:
    """Add rules; the default class is a rule without conditions, which always fires."""
    flat.flags.add("rules")
    n_conditions = np.concatenate([np.append(np.diff(r.first_condition), 0) for r in rulesets])
    codes = [codes for r in rulesets for codes in r.codes]
    flat.numbers |= {"CONDITION_AT_MOST": d.AT_MOST, "CONDITION_ABOVE": d.ABOVE}
    flat.add_ints(
        first_rule=_starts([r.n_rules + 1 for r in rulesets]),
        first_condition=np.cumsum([0, *n_conditions]),
        condition_feature=_joined([r.feature for r in rulesets]),
        condition_kind=_joined([r.kind for r in rulesets]),
        first_code=np.cumsum([0, *map(len, codes)]),
        codes=[code for of_condition in codes for code in of_condition],
        rule_label=_joined([r.label for r in rulesets]),
    )
    flat.add_floats(
        condition_threshold=_joined([r.threshold for r in rulesets]),
        rule_shares=_joined([r.shares.ravel() for r in rulesets]),
    )


def _add_separators(
    flat: FlatTables, members: Sequence[d.DescribedSeparators], described: d.Description
) -> None:
    flat.flags |= {"separators", "terms"}
    n_terms = [n for m in members for n in m.n_terms.tolist()]
    pairs = [m.present if len(m.present) == 2 else (-1, -1) for m in members]
    if isinstance(described.model, d.DescribedSeparators):
        flat.numbers["LOWEST_SCORE"] = described.model.lowest
    flat.numbers |= {
        "LOG2_E": probabilities.LOG2_E,
        "LN2_HIGH": probabilities.LN2_HIGH,
        "LN2_LOW": probabilities.LN2_LOW,
    }
    flat.add_ints(
        first_separator=np.cumsum([0, *(len(m.positive) for m in members)]),
        separator_class=_joined([m.positive for m in members]),
        first_term=np.cumsum([0, *n_terms]),
        is_present=[k in m.present for m in members for k in range(described.n_classes)],
        first_of_two=[first for first, _ in pairs],
        second_of_two=[second for _, second in pairs],
    )
    flat.add_floats(
        separator_threshold=_joined([m.threshold for m in members]),
        first_output=_joined([m.output for m in members]),
        taylor=probabilities.TAYLOR,
    )
    _add_terms(flat, [m.terms for m in members])


_ADD_MEMBERS: dict[type, Callable[..., None]] = {
    d.DescribedGraph: _add_graphs,
    d.DescribedRules: _add_rules,
    d.DescribedSeparators: _add_separators,
}


def _add_committee(flat: FlatTables, model: d.DescribedCommittee) -> None:
    flat.flags |= {"committee", model.form}
    flat.numbers["N_MEMBERS"] = len(model.members)
    flat.add_ints(priority=model.priority)
    flat.add_floats(votes=model.votes)
    if model.calibration is not None:
        flat.flags.add("calibration")
        flat.numbers |= {
            "EXPONENT_WHOLE": model.calibration.whole,
            "N_DIGITS": len(model.calibration.digits),
            "TOTAL_WEIGHT": model.calibration.total,
        }
        flat.add_ints(exponent_digits=model.calibration.digits)
        flat.add_floats(base_rates=model.calibration.base_rates)


def fill_template(template: str, flags: set[str], texts: dict[str, str]) -> str:
    r"""Return a template with the parts for these flags only, and texts in place of ``@name@``.

    A part starts with a line ``//# if flag``, or ``//# if no_flag`` for models without the flag,
    and ends with ``//# end``; parts may be nested.

    Examples
    --------
    >>> fill_template("a\n//# if x\nb\n//# end\n@c@\n", set(), {"c": "d"})
    'a\nd\n'
    """
    lines: list[str] = []
    shown = [True]
    for line in template.splitlines():
        if line.startswith("//# if "):
            flag = line.removeprefix("//# if ")
            is_set = flag in flags if not flag.startswith("no_") else flag[3:] not in flags
            shown.append(shown[-1] and is_set)
        elif line == "//# end":
            shown.pop()
        elif shown[-1]:
            lines.append(line)
    result = "\n".join(lines) + "\n"
    # Texts are filled in one pass, so that one that looks like a name is left as it is.
    return re.sub("@([a-z_]+)@", lambda match: texts[match.group(1)], result)


def _starts(counts: Sequence[int]) -> list[int]:
    return [0, *np.cumsum(counts).tolist()][:-1]


def _joined(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(parts)
