"""A described model in SQL: from columns to the class and the class shares."""

from __future__ import annotations

from collections.abc import Sequence

from weaklearn.export import description as d
from weaklearn.export.sql_graphs import GraphInSql, write_graph
from weaklearn.export.sql_query import INFINITY, MOST_COLUMNS, SqlQuery, case, number, one_of
from weaklearn.export.sql_terms import logistic, sum_of_terms


def write_model(
    query: SqlQuery, inputs: Sequence[str], described: d.Description
) -> tuple[str, list[str]]:
    """Add a model, and return columns with the class index and the share of each class."""
    model, n_classes = described.model, described.n_classes
    if isinstance(model, d.DescribedCommittee):
        label, shares = _vote(query, inputs, model, n_classes)
    else:
        wanted = frozenset({"shares", "label"})
        result = _write_member(query, inputs, model, n_classes, wanted)
        label, shares = result.label, result.shares
    if described.costs is not None:
        return _count_costs(query, described.costs, shares)
    return label, shares


def _write_member(
    query: SqlQuery,
    inputs: Sequence[str],
    member: d.Member,
    n_classes: int,
    wanted: frozenset[str],
) -> GraphInSql:
    if isinstance(member, d.DescribedGraph):
        return write_graph(query, inputs, member, n_classes, wanted)
    if isinstance(member, d.DescribedRules):
        return _fire_rules(query, inputs, member)
    return _separate(query, inputs, member)


def _fire_rules(query: SqlQuery, inputs: Sequence[str], rules: d.DescribedRules) -> GraphInSql:
    """Return what the first rule predicts that fires."""
    cases = []
    for r in range(rules.n_rules):
        first, end = int(rules.first_condition[r]), int(rules.first_condition[r + 1])
        conditions = [_condition(inputs, rules, c) for c in range(first, end)]
        cases.append((" AND ".join(conditions) or "TRUE", str(r)))
    rule = query.let(case(cases, str(rules.n_rules)))

    def of_rule(numbers: list[str]) -> str:
        rules_of: dict[str, list[int]] = {}
        for r, x in enumerate(numbers[:-1]):
            if x != numbers[-1]:
                rules_of.setdefault(x, []).append(r)
        return query.let(case([(one_of(rule, rs), x) for x, rs in rules_of.items()], numbers[-1]))

    shares = [of_rule([number(x) for x in of_class]) for of_class in rules.shares.T.tolist()]
    return GraphInSql(shares, of_rule([str(k) for k in rules.label.tolist()]), "")


def _condition(inputs: Sequence[str], rules: d.DescribedRules, c: int) -> str:
    x, kind = inputs[rules.feature[c]], int(rules.kind[c])
    if kind == d.ONE_OF:
        return one_of(x, rules.codes[c])
    operator = "<=" if kind == d.AT_MOST else ">"
    return f"{x} {operator} {number(float(rules.threshold[c]))}"


def _separate(
    query: SqlQuery, inputs: Sequence[str], separators: d.DescribedSeparators
) -> GraphInSql:
    """Return what separators predict."""
    outputs = [number(x) for x in separators.output.tolist()]
    for s, positive in enumerate(separators.positive.tolist()):
        first, n_terms = int(separators.first_term[s]), int(separators.n_terms[s])
        total = sum_of_terms(query, inputs, separators.terms, first, n_terms)
        outputs[positive] = query.let(f"{total} - {number(float(separators.threshold[s]))}")
    present = separators.present
    if len(present) == 2:
        outputs[present[0]] = query.let(f"-{outputs[present[1]]}")
    outputs = [query.let(output) for output in outputs]
    best = query.largest(outputs)
    label = query.let(case([(f"{x} = {best}", str(k)) for k, x in enumerate(outputs)]))
    powers = [
        logistic(query, output) if k in present else number(0.0) for k, output in enumerate(outputs)
    ]
    total = query.sum(powers)
    return GraphInSql([query.let(f"{x} / {total}") for x in powers], label, "")


def _vote(
    query: SqlQuery, inputs: Sequence[str], committee: d.DescribedCommittee, n_classes: int
) -> tuple[str, list[str]]:
    """Return the class and the probabilities of a committee."""
    form, with_shares = committee.form, committee.form == "shares" or committee.shares_decide
    wanted = {"shares"} if with_shares else set()
    wanted |= set() if form == "shares" else {"label"}
    wanted |= {"confidence"} if form == "confidence" else set()
    scores, sums = [number(0.0)] * n_classes, [number(0.0)] * n_classes
    n_columns = 0
    for member, vote in zip(committee.members, committee.votes.tolist(), strict=True):
        size = member.n_nodes if isinstance(member, d.DescribedGraph) else n_classes
        n_columns += size
        if n_columns > MOST_COLUMNS and n_columns > size:
            query.start_anew()
            n_columns = size
        result = _write_member(query, inputs, member, n_classes, frozenset(wanted))
        for k in range(n_classes):
            if with_shares:
                sums[k] = query.let(f"{sums[k]} + {number(vote)} * {result.shares[k]}")
            if form != "shares":
                strength = number(vote)
                if form == "confidence":
                    strength += f" * {result.confidence}"
                counted = case([(f"{result.label} = {k}", strength)], "0e0")
                scores[k] = query.let(f"{scores[k]} + {counted}")
    if form == "shares":
        scores = sums
    first = committee.priority[0]
    label, best = str(first), scores[first]
    for k in committee.priority[1:]:
        condition = f"{scores[k]} > {best} * {number(1.0 + d.TIE)}"
        label = query.let(case([(condition, str(k))], label))
        best = query.let(case([(condition, scores[k])], best))
    return label, _probabilities(query, committee, sums if with_shares else scores, label)


def _probabilities(
    query: SqlQuery, committee: d.DescribedCommittee, votes: list[str], label: str
) -> list[str]:
    """Return probabilities from votes; that of the label is the largest."""
    total = query.sum(votes)
    equal = number(1.0 / len(votes))
    result = [query.let(case([(f"{total} > 0e0", f"{x} / {total}")], equal)) for x in votes]
    if committee.calibration is not None:
        result = _calibrate(query, committee.calibration, result)
    largest = query.largest(result)
    of_label = query.let(case([(f"{label} = {k}", x) for k, x in enumerate(result)]))
    leader = query.let(case([(f"{x} = {largest}", str(k)) for k, x in enumerate(result)]))
    divisor = query.let(f"1e0 + ({largest} - {of_label})")
    lowered = [query.let(f"{x} / {divisor}") for x in result]
    raised = query.let(f"{query.largest(lowered)} * {number(1.0 + 2.0 * 2.0**-52)}")
    return [
        query.let(case([(f"{leader} = {label}", x), (f"{label} = {k}", raised)], y))
        for k, (x, y) in enumerate(zip(result, lowered, strict=True))
    ]


def _calibrate(
    query: SqlQuery, calibration: d.DescribedCalibration, shares: list[str]
) -> list[str]:
    powers = []
    for x in shares:
        root, power = query.let(f"sqrt({x})"), "1e0"
        for digit in calibration.digits:
            power = query.let(f"sqrt({power}) * {root}" if digit else f"sqrt({power})")
        for _ in range(calibration.whole):
            power = query.let(f"{power} * {x}")
        powers.append(power)
    total = query.sum(powers)
    weight, divisor = number(calibration.total), number(calibration.total + 1.0)
    return [
        query.let(f"({power} / {total} * {weight} + {number(rate)}) / {divisor}")
        for power, rate in zip(powers, calibration.base_rates, strict=True)
    ]


def _count_costs(
    query: SqlQuery, costs: d.DescribedCosts, shares: list[str]
) -> tuple[str, list[str]]:
    """Return the class of least expected cost, and the shares without the factors of classes."""
    factors = costs.factors.tolist()
    restored = [
        query.let(f"{x} / {number(factor)}") if factor > 0 else number(0.0)
        for x, factor in zip(shares, factors, strict=True)
    ]
    total = query.sum(restored)
    result = [
        query.let(case([(f"{total} > 0e0", f"{x} / {total}")], share))
        for x, share in zip(restored, shares, strict=True)
    ]
    expected = [
        query.sum([f"{p} * {number(cost)}" for p, cost in zip(result, of_class, strict=True)])
        if factor > 0
        else INFINITY
        for of_class, factor in zip(costs.matrix.T.tolist(), factors, strict=True)
    ]
    negated = [query.let(f"-{x}") for x in expected]
    least = query.largest(negated)
    bound = query.let(f"-{least} * {number(1 + d.TIE)}")
    label = query.let(case([(f"{x} <= {bound}", str(k)) for k, x in enumerate(expected)]))
    return label, result
