"""A described model, interpreted operation by operation in plain Python: what exports must equal.

A row has one entry per input: a number, NaN or None if missing; of a nominal input a code, -1 if
missing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from weaklearn.export import description as d
from weaklearn.models import probabilities

Row = Sequence[float | int | None]


def predict(described: d.Description, row: Row) -> object:
    """Return the label of a row."""
    model = described.model
    if described.costs is not None:
        cheapest = _cheapest(described.costs, _probabilities(described, row))
        return described.labels[described.label_of_class[cheapest]]
    label = _scores(model, described.n_classes, row)[1]
    return described.labels[described.label_of_class[label]]


def predict_proba(described: d.Description, row: Row) -> list[float]:
    """Return the probability of each label."""
    of_class = _probabilities(described, row)
    return [of_class[k] if k >= 0 else 0.0 for k in described.class_of_label]


def scores(described: d.Description, row: Row) -> list[float]:
    """Return the votes, the outputs of separators, or the class shares, of each class."""
    model = described.model
    if isinstance(model, d.DescribedSeparators):
        return _outputs(model, row)
    return _scores(model, described.n_classes, row)[0]


def _probabilities(described: d.Description, row: Row) -> list[float]:
    model = described.model
    result, label = _scores(model, described.n_classes, row)
    if isinstance(model, d.DescribedCommittee):
        result = _committee_probabilities(model, result, label, row)
    if described.costs is None:
        return result
    factors = described.costs.factors.tolist()
    restored = [p / f if f > 0 else 0.0 for p, f in zip(result, factors, strict=True)]
    total = _sum(restored)
    return [p / total for p in restored] if total > 0 else result


def _scores(
    model: d.Member | d.DescribedCommittee, n_classes: int, row: Row
) -> tuple[list[float], int]:
    """Return the class shares and the class of a member, or the votes and the class they elect."""
    if not isinstance(model, d.DescribedCommittee):
        shares, label, _ = _predict_member(model, n_classes, row)
        return shares, label
    votes = _count_votes(model, model.form, n_classes, row)
    best = model.priority[0]
    for k in model.priority:
        if votes[k] > votes[best] * (1.0 + d.TIE):
            best = k
    return votes, best


def _count_votes(model: d.DescribedCommittee, form: str, n_classes: int, row: Row) -> list[float]:
    votes = [0.0] * n_classes
    for member, vote in zip(model.members, model.votes.tolist(), strict=True):
        shares, label, confidence = _predict_member(member, n_classes, row)
        if form == "shares":
            votes = [s + vote * share for s, share in zip(votes, shares, strict=True)]
        else:
            votes[label] += vote * confidence if form == "confidence" else vote
    return votes


def _committee_probabilities(
    model: d.DescribedCommittee, votes: list[float], label: int, row: Row
) -> list[float]:
    if model.shares_decide:
        votes = _count_votes(model, "shares", len(votes), row)
    total = _sum(votes)
    p = [v / total for v in votes] if total > 0 else [1.0 / len(votes)] * len(votes)
    if model.calibration is not None:
        p = _calibrated(model.calibration, p)
    largest = max(p)
    if p.index(largest) == label:
        return p
    divisor = 1.0 + (largest - p[label])
    p = [x / divisor for x in p]
    p[label] = max(p) * (1.0 + 2.0 * 2.0**-52)
    return p


def _calibrated(calibration: d.DescribedCalibration, shares: list[float]) -> list[float]:
    powers = []
    for x in shares:
        power = 1.0
        for digit in calibration.digits:
            power = math.sqrt(power)
            if digit:
                power *= math.sqrt(x)
        for _ in range(calibration.whole):
            power *= x
        powers.append(power)
    total = _sum(powers)
    return [
        (power / total * calibration.total + rate) / (calibration.total + 1.0)
        for power, rate in zip(powers, calibration.base_rates, strict=True)
    ]


def _cheapest(costs: d.DescribedCosts, probabilities: list[float]) -> int:
    expected = [
        _sum([p * cost for p, cost in zip(probabilities, column, strict=True)])
        if factor > 0
        else math.inf
        for column, factor in zip(costs.matrix.T.tolist(), costs.factors.tolist(), strict=True)
    ]
    least = min(expected)
    return next(k for k, cost in enumerate(expected) if cost <= least * (1 + d.TIE))


def _predict_member(member: d.Member, n_classes: int, row: Row) -> tuple[list[float], int, float]:
    """Return class shares, class and confidence."""
    if isinstance(member, d.DescribedGraph):
        return _predict_graph(member, n_classes, row)
    if isinstance(member, d.DescribedRules):
        rule = next(r for r in range(member.n_rules + 1) if _fires(member, r, row))
        return member.shares[rule].tolist(), int(member.label[rule]), math.nan
    outputs = _outputs(member, row)
    present = [_logistic(output) for output in outputs]
    shares = [p if k in member.present else 0.0 for k, p in enumerate(present)]
    total = _sum(shares)
    return [share / total for share in shares], outputs.index(max(outputs)), math.nan


def _fires(rules: d.DescribedRules, rule: int, row: Row) -> bool:
    if rule == rules.n_rules:
        return True
    for c in range(rules.first_condition[rule], rules.first_condition[rule + 1]):
        value, threshold = row[rules.feature[c]], rules.threshold[c]
        if _is_missing(value):
            return False
        holds = {
            d.AT_MOST: lambda v, t, _: v <= t,
            d.ABOVE: lambda v, t, _: v > t,
            d.ONE_OF: lambda v, _, codes: v in codes,
        }[int(rules.kind[c])]
        if not holds(value, threshold, rules.codes[c]):
            return False
    return True


def _outputs(member: d.DescribedSeparators, row: Row) -> list[float]:
    outputs = member.output.tolist()
    for s, positive in enumerate(member.positive.tolist()):
        first = int(member.first_term[s])
        total = _sum_of_terms(member.terms, first, int(member.n_terms[s]), row)
        outputs[positive] = total - float(member.threshold[s])
    if len(member.present) == 2:
        outputs[member.present[0]] = -outputs[member.present[1]]
    return outputs


def _logistic(output: float) -> float:
    x = min(max(-2.0 * output, -700.0), 700.0)
    k = math.floor(x * probabilities.LOG2_E + 0.5)
    rest = x - k * probabilities.LN2_HIGH - k * probabilities.LN2_LOW
    series = probabilities.TAYLOR[0]
    for coefficient in probabilities.TAYLOR[1:]:
        series = series * rest + coefficient
    return 1.0 / (1.0 + math.ldexp(series, k))


def _predict_graph(
    graph: d.DescribedGraph, n_classes: int, row: Row
) -> tuple[list[float], int, float]:
    reach = [0.0] * graph.n_nodes
    reach[0] = 1.0
    is_mixed = False
    leaves = []
    for node in range(graph.n_nodes):
        if reach[node] == 0.0:  # a share may underflow to 0, which adds nothing further on
            continue
        if graph.kind[node] == d.LEAF:
            leaves.append(node)
            continue
        first = int(graph.first_branch[node])
        branch = _branch(graph, node, row)
        if branch >= 0:
            reach[graph.child[first + branch]] += reach[node]
            continue
        is_mixed = True
        for b in range(first, first + int(graph.n_branches[node])):
            if graph.branch_share[b] > 0:
                reach[graph.child[b]] += reach[node] * float(graph.branch_share[b])
    shares, weights, weight = [0.0] * n_classes, [0.0] * n_classes, 0.0
    for leaf in leaves:
        weight += reach[leaf] * float(graph.leaf_weight[leaf])
        for c in range(graph.first_class[leaf], graph.first_class[leaf] + graph.n_classes[leaf]):
            shares[graph.class_index[c]] += reach[leaf] * float(graph.class_share[c])
            weights[graph.class_index[c]] += reach[leaf] * float(graph.class_weight[c])
    if not is_mixed:
        return shares, int(graph.label[leaves[0]]), float(graph.confidence[leaves[0]])
    total = _sum(shares)
    if total > 0:
        shares = [share / total for share in shares]
    else:
        shares[graph.label[0]] = 1.0
    best = 0
    for k in range(1, n_classes):
        if shares[k] > shares[best] + d.TIE * max(1.0, shares[best]):
            best = k
    return shares, best, (weights[best] + 1.0) / (weight + 2.0)


def _branch(graph: d.DescribedGraph, node: int, row: Row) -> int:
    """Return the branch that a row takes; -1 if it is mixed."""
    if graph.kind[node] == d.OBLIQUE:
        first, n_terms = int(graph.first_term[node]), int(graph.n_terms[node])
        return int(_sum_of_terms(graph.terms, first, n_terms, row) > graph.threshold[node])
    value = row[graph.feature[node]]
    if not _is_missing(value):
        if graph.kind[node] == d.THRESHOLD:
            return int(value > graph.threshold[node])
        branch = int(graph.branch_of_value[graph.first_value[node] + value])
        if branch >= 0:
            return branch
    return int(graph.missing_branch[node])


def _sum_of_terms(terms: d.Terms, first: int, n_terms: int, row: Row) -> float:
    total = 0.0
    for t in range(first, first + n_terms):
        value, start, n_cuts = row[terms.feature[t]], int(terms.first[t]), int(terms.n_cuts[t])
        numbers = terms.numbers[start:]
        if _is_missing(value):
            total += float(terms.missing[t])
        elif terms.form[t] in (d.LINEAR, d.SINGLE):
            with np.errstate(over="ignore"):
                factor = np.float32(value) if terms.form[t] == d.SINGLE else value
            total += float(numbers[0]) * float(factor)
        elif terms.form[t] == d.STEPS:
            n_below = sum(1 for cut in numbers[:n_cuts].tolist() if cut < value)
            total += float(numbers[n_cuts + n_below])
        else:
            total += float(numbers[value])
    return total


def _is_missing(value: float | int | None) -> bool:
    return value is None or math.isnan(value) or (isinstance(value, int) and value < 0)


def _sum(numbers: Sequence[float]) -> float:
    total = 0.0
    for number in numbers:
        total += number
    return total
