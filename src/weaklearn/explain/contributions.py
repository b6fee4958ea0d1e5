"""What each feature contributes to the scores of a row: the path attribution.

The value of a leaf is what the model gives to each class there: class shares, or a vote. The value
of a split is the mean of the values of its children, weighted by the training rows of its branches:
what a row gets that comes this far and of which nothing more is known. The base is the value of the
root. When a row takes a branch, the change of the value counts for the feature of the split, so
that base and contributions add up to the value of the leaf. Saabas (2014) and the package
treeinterpreter define it like this for class shares.

* A missing value takes all branches in shares, so that it changes nothing. But a member that votes
  for one class gives it the whole vote, even if the row is on leaves of several classes. The
  difference to the mean vote of the leaves counts for the features that are missing, in proportion
  to the share of the row that was shared out at their splits.
* At an oblique split, the change is divided among the features that push the row to its side, in
  proportion to what they add to the sum beyond what a missing value adds.
* A separator is a sum: a feature contributes what it adds beyond what a missing value adds.
* A ruleset changes from the prediction for a row without any value to the prediction of the rule
  that decides. The features of this rule share the change in equal parts.

A committee adds up the contributions of its members, times their votes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from weaklearn.explain.row_steps import Steps, take_steps
from weaklearn.models.graph_splits import ranges
from weaklearn.models.votes import SLACK, VoteForm

if TYPE_CHECKING:
    from weaklearn.encoding import EncodedRows
    from weaklearn.models.graph import Graph
    from weaklearn.models.oblique_terms import Term
    from weaklearn.models.ruleset import Ruleset
    from weaklearn.models.separators import Separators
    from weaklearn.schema import Schema

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Contributions:
    """What features contribute to the scores of rows.

    Parameters
    ----------
    base : array of float64, (n_classes,)
        The scores of a row of which nothing is known.
    values : array of float64, (n_rows, n_features, n_classes)
        By how much each feature raises the score of each class. Base and values add up to scores.
    """

    base: Floats
    values: Floats

    def __repr__(self) -> str:
        n_rows, n_features, n_classes = self.values.shape
        return f"Contributions({n_rows} rows, {n_features} features, {n_classes} classes)"

    @property
    def scores(self) -> Floats:
        """The scores that they add up to, (n_rows, n_classes)."""
        return np.asarray(self.base + self.values.sum(axis=1))

    def take_rows(self, positions: NDArray[np.intp]) -> Contributions:
        """Return those of some rows."""
        return Contributions(self.base, self.values[positions])


def mean_of(
    parts: Iterable[Contributions | None],
    votes: Floats,
    columns: Sequence[NDArray[np.intp] | None],
    n_features: int,
) -> Contributions | None:
    """Return the mean of the contributions of members, weighted by their votes.

    Parameters
    ----------
    parts : iterable of Contributions or None
        One per member. They are added up one by one, so that a generator saves memory. The result
        is None if one of them is None.
    votes : array of float64
        One per member.
    columns : sequence of arrays of int or None
        The features that each member reads; None for all.
    n_features : int
        The number of features of the committee.
    """
    mean: Contributions | None = None
    for part, vote, own in zip(parts, (votes / votes.sum()).tolist(), columns, strict=True):
        if part is None:
            return None
        if mean is None:
            n_rows, _, n_classes = part.values.shape
            mean = Contributions(np.zeros(n_classes), np.zeros((n_rows, n_features, n_classes)))
        mean.base[:] += vote * part.base
        mean.values[:, slice(None) if own is None else own] += vote * part.values
    return mean


# -- graphs ---------------------------------------------------------------------------------------
def of_graph(
    graph: Graph, rows: EncodedRows, form: VoteForm = "shares", n_threads: int = 1
) -> Contributions:
    """Return what features contribute to what a tree or program gives to each class.

    Parameters
    ----------
    graph : Graph
        A fitted tree or program.
    rows : EncodedRows
        The rows.
    form : {"label", "confidence", "shares"}
        What it gives to the classes; see `GraphCommittee`.
    n_threads : int
        Threads to follow the rows with.
    """
    from scipy.sparse import csr_matrix

    values = node_values(graph, form)
    steps = take_steps(graph, rows, n_threads)
    # A slot for each feature, and one for each oblique split, which is divided below.
    n_rows, n_features = rows.n_rows, len(graph.schema.features)
    oblique = np.flatnonzero((graph.feature < 0) & (graph.nodes["n_branches"] > 0))
    slot = graph.feature.astype(np.intp)
    slot[oblique] = n_features + np.arange(len(oblique))
    n_slots = n_features + len(oblique)
    inside = graph.nodes["n_branches"][steps.node] > 0
    entries = csr_matrix(
        (
            np.concatenate([steps.taken_share, -steps.share[inside]]),
            (
                np.concatenate(
                    [
                        steps.taken_row * n_slots + slot[steps.parent],
                        steps.row[inside] * n_slots + slot[steps.node[inside]],
                    ]
                ),
                np.concatenate([steps.child, steps.node[inside]]),
            ),
        ),
        shape=(n_rows * n_slots, graph.n_nodes),
    )
    changes = (entries @ values).reshape(n_rows, n_slots, -1)
    result = np.ascontiguousarray(changes[:, :n_features])
    for place, node in enumerate(oblique.tolist(), start=n_features):
        here = steps.rows_at(node)
        pushes = _pushes(graph.terms(node), graph, rows, here, steps.branch_taken(node))
        for term, part in zip(graph.terms(node), pushes.T, strict=True):
            result[here, term.feature] += part[:, None] * changes[here, place]
    _give_rest_to_missing(result, _outputs(graph, rows, form, n_threads) - values[0], graph, steps)
    return Contributions(values[0], result)


def node_values(graph: Graph, form: VoteForm) -> Floats:
    """Return the value of each node: of a leaf what it gives, of a split the mean below it."""
    shares = graph.predicted_shares()
    is_leaf = graph.nodes["n_branches"] == 0
    given = shares
    if form != "shares":
        labels = _largest(shares)
        given = np.zeros_like(shares)
        given[np.arange(len(shares)), labels] = (
            1.0 if form == "label" else _confidences(graph, labels)
        )
    given = np.where(is_leaf[:, None], given, 0.0)
    owner, place = ranges(graph.nodes["first_branch"], graph.nodes["n_branches"])
    child = graph.arrays["children"][place]
    weights = graph.arrays["branch_weights"][place] if graph.has_branch_weights else None
    weights = graph.weight[child] if weights is None else weights
    totals = np.bincount(owner, weights, graph.n_nodes)[owner]
    n_branches = graph.nodes["n_branches"][owner]
    taken = np.where(totals > 0, weights / np.where(totals > 0, totals, 1.0), 1.0 / n_branches)
    for edges in reversed(_edges_by_level(graph, child)):  # children before parents
        np.add.at(given, owner[edges], taken[edges, None] * given[child[edges]])
    return given


def _edges_by_level(graph: Graph, child: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Return the branches of each level: all parents of its nodes are in the levels above."""
    n_branches = graph.nodes["n_branches"]
    first_edge = np.cumsum(n_branches) - n_branches
    n_parents = np.bincount(child, minlength=graph.n_nodes)
    levels = []
    nodes = np.zeros(1, dtype=np.intp)
    while len(nodes):
        _, edges = ranges(first_edge[nodes], n_branches[nodes])
        levels.append(edges)
        np.subtract.at(n_parents, child[edges], 1)
        below = np.unique(child[edges])
        nodes = below[n_parents[below] == 0]
    return levels


def _largest(shares: Floats) -> NDArray[np.intp]:
    """Return the class with the largest share at each node; ties go to the lowest index."""
    best = np.zeros(len(shares), dtype=np.intp)
    most = shares[:, 0].copy()
    for k in range(1, shares.shape[1]):
        better = shares[:, k] > most + SLACK
        best[better] = k
        most[better] = shares[better, k]
    return best


def _outputs(graph: Graph, rows: EncodedRows, form: VoteForm, n_threads: int) -> Floats:
    """Return what a graph gives to each class in each row."""
    if form == "shares":
        return graph.predict_class_shares(rows, n_threads)
    classes, strengths = graph.forest.predict_members(rows.arrays, rows.n_rows, form, n_threads)
    outputs = np.zeros((rows.n_rows, len(graph.schema.classes)))
    outputs[np.arange(rows.n_rows), classes] = strengths if form == "confidence" else 1.0
    return outputs


def _confidences(graph: Graph, labels: NDArray[np.intp]) -> Floats:
    """Return the Laplace ratio of a class at each node."""
    owner, place = ranges(graph.nodes["first_class"], graph.nodes["n_classes"])
    is_label = graph.arrays["class_index"][place] == labels[owner]
    # An empty leaf stores a copy of its parent's class weights.
    counted = np.where(is_label & (graph.weight[owner] > 0), graph.arrays["class_weight"][place], 0)
    of_label = np.bincount(owner, counted, graph.n_nodes)
    return np.asarray((of_label + 1.0) / (graph.weight + 2.0))


def _pushes(
    terms: Sequence[Term],
    graph: Graph,
    rows: EncodedRows,
    here: NDArray[np.intp],
    branches: NDArray[np.intp],
) -> Floats:
    """Return the part of each term in the decision of an oblique split, (n_rows, n_terms).

    Parts of a row sum to one. They are equal if no term pushes the row to the side that it takes.
    """
    sign = np.where(branches > 0, 1.0, -1.0)
    pushes = np.empty((len(here), len(terms)))
    with np.errstate(over="ignore", invalid="ignore"):
        for index, term in enumerate(terms):
            feature = graph.schema.features[term.feature]
            added = term.added(rows.arrays[term.feature][here], feature)
            pushes[:, index] = np.nan_to_num(sign * (added - term.missing), nan=0.0)
    pushes = np.maximum(pushes, 0.0)
    largest = pushes.max(axis=1, keepdims=True)
    # Division by the largest keeps the sum of huge pushes finite.
    pushes = np.where(largest > 0, pushes / np.where(largest > 0, largest, 1.0), 1.0)
    return np.asarray(pushes / pushes.sum(axis=1, keepdims=True))


def _give_rest_to_missing(result: Floats, wanted: Floats, graph: Graph, steps: Steps) -> None:
    """Add what is not explained yet to the features whose splits shared out rows, in place."""
    rows, features, shares = steps.shared_out(graph)
    if not len(rows):
        return
    shared_out = np.zeros(result.shape[:2])
    np.add.at(shared_out, (rows, features), shares)
    here = np.unique(rows)
    parts = shared_out[here] / shared_out[here].sum(axis=1, keepdims=True)
    rest = wanted[here] - result[here].sum(axis=1)
    result[here] += parts[:, :, None] * rest[:, None, :]


# -- rulesets and separators ----------------------------------------------------------------------
def of_ruleset(
    ruleset: Ruleset, rows: EncodedRows, form: VoteForm, n_threads: int = 1
) -> Contributions:
    """Return what features contribute to what a ruleset gives to each class.

    Parameters
    ----------
    ruleset : Ruleset
        A fitted ruleset.
    rows : EncodedRows
        The rows.
    form : {"label", "shares"}
        Whether it gives 1 to the class that it predicts, or a share to each class.
    n_threads : int
        Threads to match rules with.
    """
    n_features, n_classes = len(ruleset.schema.features), len(ruleset.schema.classes)
    given = ruleset.rule_shares
    if form != "shares":
        given = np.eye(n_classes)[ruleset.rule_labels]
    parts = np.zeros((len(given), n_features))
    for position, rule in enumerate(ruleset.rules):
        used = sorted({condition.feature for condition in rule.conditions})
        parts[position, used] = 1.0 / max(len(used), 1)
    # Without any value the first rule without conditions fires, or else the default class decides.
    always = [p for p, r in enumerate(ruleset.rules) if not r.conditions and not r.never_fires]
    base = given[always[0] if always else -1]
    fired = ruleset.first_match(rows, n_threads)
    changes = (given - base)[fired]
    return Contributions(base, parts[fired][:, :, None] * changes[:, None, :])


def of_separators(separators: Separators, rows: EncodedRows) -> Contributions:
    """Return what features contribute to the outputs H(x) of separators.

    Parameters
    ----------
    separators : Separators
        Those of a fitted RealAdaBoostClassifier.
    rows : EncodedRows
        The rows.
    """
    schema = separators.schema
    nothing = _without_values(schema)
    base = separators.class_outputs(nothing)[0]
    values = np.zeros((rows.n_rows, len(schema.features), len(schema.classes)))
    for separator in separators.each:
        for term in separator.graph.terms(0):
            added = term.added(rows.arrays[term.feature], schema.features[term.feature])
            values[:, term.feature, separator.positive] += added - term.missing
    if len(separators.present) == 2:
        first, second = separators.present
        values[:, :, first] = -values[:, :, second]
    return Contributions(base, values)


def _without_values(schema: Schema) -> EncodedRows:
    """Return one row of which every value is missing."""
    from weaklearn.encoding import EncodedRows

    arrays = [
        np.full(1, -1, dtype=np.int32) if feature.kind == "nominal" else np.full(1, np.nan)
        for feature in schema.features
    ]
    return EncodedRows(arrays, 1)
