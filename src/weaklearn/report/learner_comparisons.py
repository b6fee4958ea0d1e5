"""Compare two learners over the problems of an experiment: as plain data, and in sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from weaklearn.experiments.combine_results import PairedComparison, PlanResults
from weaklearn.experiments.paired_tests import SignTest, paired_t_test, sign_test
from weaklearn.experiments.plan_measures import is_share
from weaklearn.report.format_text import finite_or_none, slug


def make_comparison(results: PlanResults, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Compare two learners over the problems of an experiment.

    Parameters
    ----------
    results : PlanResults
        The results of the plan.
    entry : mapping
        An entry of the plan's ``comparisons``.

    Returns
    -------
    dict
        A row for each problem that has results of both learners, and ``overall`` counts and tests
        over these problems.
    """
    plan, experiment = results.plan, entry["experiment"]
    first, second, quantity = entry["first"], entry["second"], entry["quantity"]
    scale = 100.0 if is_share(quantity) else 1.0
    published = plan.published.get(entry.get("published", ""), {})
    compared: dict[str, PairedComparison] = {}
    for problem in plan.experiments[experiment].problems:
        comparison = results.compare(experiment, problem, first, second, quantity)
        if comparison is not None:
            compared[problem] = comparison
    rows = [
        _comparison_row(
            problem, comparison, scale, published.get(problem, {}), entry.get("paper", {})
        )
        for problem, comparison in compared.items()
    ]
    return {
        "name": slug(plan.paper, entry["title"]),
        "title": entry["title"],
        "first": first,
        "second": second,
        "quantity": quantity,
        "paper_says": entry.get("paper_says"),
        "paper_columns": list(entry.get("paper", {})),
        "rows": rows,
        "overall": _overall(results, entry, compared) if compared else None,
    }


def _comparison_row(
    problem: str,
    comparison: PairedComparison,
    scale: float,
    published: Mapping[str, float],
    columns: Mapping[str, str],
) -> dict[str, Any]:
    interval = comparison.interval
    return {
        "problem": problem,
        "first": scale * comparison.first,
        "second": scale * comparison.second,
        **_counts(comparison.repeats),
        "ratio": finite_or_none(comparison.ratio),
        "low": None if interval is None else scale * interval.low,
        "high": None if interval is None else scale * interval.high,
        "p": comparison.p,
        "for_first": comparison.for_first,
        "for_second": comparison.for_second,
        "paper": {name: published.get(column) for name, column in columns.items()},
    }


def _overall(
    results: PlanResults, entry: Mapping[str, Any], compared: Mapping[str, PairedComparison]
) -> dict[str, Any]:
    """Compute counts, tests and mean ratios over all problems, and the same for the paper."""
    firsts = [comparison.first for comparison in compared.values()]
    seconds = [comparison.second for comparison in compared.values()]
    signs = sign_test(firsts, seconds)
    ratios = [c.ratio for c in compared.values() if math.isfinite(c.ratio)]
    positive = [ratio for ratio in ratios if ratio > 0]
    over_problems = paired_t_test(firsts, seconds).p if len(firsts) > 1 else None
    significant = [c for c in compared.values() if c.interval and c.interval.significant]
    return {
        "n_problems": len(compared),
        **_counts(signs),
        "sign_p": signs.p,
        "t_p": over_problems,
        "mean_ratio": _mean(ratios),
        "geometric_ratio": float(np.exp(np.mean(np.log(positive)))) if positive else None,
        "significant_wins": sum(c.interval.difference > 0 for c in significant if c.interval),
        "significant_losses": sum(c.interval.difference < 0 for c in significant if c.interval),
        "pairs_p": _p_of_all_pairs(results, entry, compared),
        "paper": _paper_overall(results, entry, list(compared)),
    }


def _p_of_all_pairs(
    results: PlanResults, entry: Mapping[str, Any], compared: Mapping[str, PairedComparison]
) -> float | None:
    """Test the sizes in the first draws of all problems at once, as Table 1 of dietterich96."""
    experiment = results.plan.experiments[entry["experiment"]]
    if experiment.splits["kind"] != "sets" or is_share(entry["quantity"]):
        return None
    pairs: list[list[float]] = [[], []]
    for problem in compared:
        for sizes, learner in zip(pairs, (entry["first"], entry["second"]), strict=True):
            trials = results.values(experiment.name, problem, learner, entry["quantity"])
            assert trials is not None
            sizes.extend(trials.values[trials.repeats == trials.repeats[0]].tolist())
    return paired_t_test(*pairs).p if len(pairs[0]) > 1 else None


def _paper_overall(
    results: PlanResults, entry: Mapping[str, Any], problems: Sequence[str]
) -> dict[str, Any] | None:
    """Compute counts, the sign test and the mean ratio from the paper's values.

    Return None unless the plan's tables have published columns for both learners.
    """
    columns = [
        next(
            (
                (table["published"], column["published"])
                for table in results.plan.tables
                for column in table["columns"]
                if table["experiment"] == entry["experiment"]
                and (column["learner"], column["quantity"]) == (learner, entry["quantity"])
                and "published" in column
            ),
            None,
        )
        for learner in (entry["first"], entry["second"])
    ]
    if columns[0] is None or columns[1] is None:
        return None
    values = [
        [results.plan.published[table][problem][column] for problem in problems]
        for table, column in (columns[0], columns[1])
    ]
    signs = sign_test(*values)
    ratios = [a / b for a, b in zip(*values, strict=True) if b]
    return {**_counts(signs), "sign_p": signs.p, "mean_ratio": _mean(ratios)}


def sentences_of(comparison: Mapping[str, Any]) -> list[str]:
    """Describe the outcome of a comparison in sentences."""
    overall = comparison["overall"]
    if overall is None:
        return ["There is nothing to compare here."]
    first, second = comparison["first"], comparison["second"]
    sentences = [
        f"{comparison['quantity'].capitalize()}: {first} is lower than {second} on "
        f"{overall['wins']} of {overall['n_problems']} problems, higher on {overall['losses']}, "
        f"equal on {overall['ties']}; two-tailed sign test {_p(overall['sign_p'])}."
    ]
    if overall["mean_ratio"] is not None:
        geometric = overall["geometric_ratio"]
        also = "" if geometric is None else f" (geometric mean {geometric:.3f})"
        sentences.append(f"The mean ratio {first} / {second} is {overall['mean_ratio']:.3f}{also}.")
    if any(row["low"] is not None for row in comparison["rows"]):
        sentences.append(
            f"The 95% interval of the difference excludes zero in favour of {first} on "
            f"{overall['significant_wins']} problems, in favour of {second} on "
            f"{overall['significant_losses']}."
        )
    if any(row["for_first"] or row["for_second"] for row in comparison["rows"]):
        sentences.append(
            "The intervals are those of the first draw of the training sets. Below each interval "
            "is the number of draws in which it excludes zero in favour of each learner."
        )
    if overall["pairs_p"] is not None:
        sentences.append(f"A t-test of all pairs of the first draw has {_p(overall['pairs_p'])}.")
    paper = overall["paper"]
    if paper is not None:
        ratio = "" if paper["mean_ratio"] is None else f", mean ratio {paper['mean_ratio']:.3f}"
        sentences.append(
            f"The paper's values on the same problems: lower on {paper['wins']}, higher on "
            f"{paper['losses']}, equal on {paper['ties']}; sign test {_p(paper['sign_p'])}{ratio}."
        )
    return sentences


def _p(p: float) -> str:
    return f"p = {p:.3f}" if p >= 0.001 else f"p = {p:.1e}"


def _counts(signs: SignTest) -> dict[str, int]:
    return {"wins": signs.wins, "ties": signs.ties, "losses": signs.losses}


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None
