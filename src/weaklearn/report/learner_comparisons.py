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

#: A test over fewer problems could not reach any usual level of significance.
FEWEST_PROBLEMS = 5


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
    paper_pairs = _paper_pairs(results, entry)
    rows = [
        {
            **_comparison_row(
                problem, comparison, scale, published.get(problem, {}), entry.get("paper", {})
            ),
            "same_direction": _same_direction(comparison, paper_pairs.get(problem)),
        }
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
        "overall": _overall(results, entry, compared, paper_pairs) if compared else None,
    }


def count_directions(comparisons: Sequence[Mapping[str, Any]]) -> tuple[int, int]:
    """Count the problems on which the same learner is better here and in the paper.

    Parameters
    ----------
    comparisons : sequence of mapping
        What `make_comparison` returns.

    Returns
    -------
    n_same, n_compared : int
        A problem is compared if the two learners differ both here and in the paper.
    """
    directions = [row["same_direction"] for comparison in comparisons for row in comparison["rows"]]
    compared = [same for same in directions if same is not None]
    return sum(compared), len(compared)


def _same_direction(ours: PairedComparison, paper: tuple[float, float] | None) -> bool | None:
    """Return whether the same learner is better; None without a difference in ours or theirs."""
    if paper is None or paper[0] == paper[1] or ours.first == ours.second:
        return None
    return (ours.first < ours.second) == (paper[0] < paper[1])


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
    results: PlanResults,
    entry: Mapping[str, Any],
    compared: Mapping[str, PairedComparison],
    paper_pairs: Mapping[str, tuple[float, float]],
) -> dict[str, Any]:
    """Compute counts, tests and mean ratios over all problems, and the same for the paper."""
    firsts = [comparison.first for comparison in compared.values()]
    seconds = [comparison.second for comparison in compared.values()]
    signs = sign_test(firsts, seconds)
    ratios = [c.ratio for c in compared.values() if math.isfinite(c.ratio)]
    positive = [ratio for ratio in ratios if ratio > 0]
    over_problems = paired_t_test(firsts, seconds).p if len(firsts) >= FEWEST_PROBLEMS else None
    significant = [c for c in compared.values() if c.interval and c.interval.significant]
    return {
        "n_problems": len(compared),
        **_counts(signs),
        "sign_p": _sign_p(signs, len(compared)),
        "t_p": over_problems,
        "mean_ratio": _mean(ratios),
        "geometric_ratio": float(np.exp(np.mean(np.log(positive)))) if positive else None,
        "significant_wins": sum(c.interval.difference > 0 for c in significant if c.interval),
        "significant_losses": sum(c.interval.difference < 0 for c in significant if c.interval),
        "pairs_p": _p_of_all_pairs(results, entry, compared),
        "paper": _paper_overall([pair for name, pair in paper_pairs.items() if name in compared]),
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


def _paper_pairs(results: PlanResults, entry: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """Return by problem the paper's values of the two learners, as far as its tables have both."""
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
        return {}
    pairs = {}
    for problem in results.plan.experiments[entry["experiment"]].problems:
        first, second = (
            results.plan.published[table].get(problem, {}).get(column)
            for table, column in (columns[0], columns[1])
        )
        if first is not None and second is not None:
            pairs[problem] = (first, second)
    return pairs


def _paper_overall(pairs: Sequence[tuple[float, float]]) -> dict[str, Any] | None:
    """Compute counts, the sign test and the mean ratio from the paper's values."""
    if not pairs:
        return None
    signs = sign_test(*zip(*pairs, strict=True))
    ratios = [first / second for first, second in pairs if second]
    return {
        **_counts(signs),
        "sign_p": _sign_p(signs, len(pairs)),
        "mean_ratio": _mean(ratios),
    }


def _sign_p(signs: SignTest, n_problems: int) -> float | None:
    return signs.p if n_problems >= FEWEST_PROBLEMS else None


def sentences_of(comparison: Mapping[str, Any]) -> list[str]:
    """Describe the outcome of a comparison in sentences."""
    overall = comparison["overall"]
    if overall is None:
        return ["There is nothing to compare here."]
    first, second = comparison["first"], comparison["second"]
    sentences = [
        f"{comparison['quantity'].capitalize()}: {first} is lower than {second} on "
        f"{overall['wins']} of {overall['n_problems']} problems, higher on {overall['losses']}, "
        f"equal on {overall['ties']}{_test_text('two-tailed sign test', overall['sign_p'])}."
    ]
    n_same, n_compared = count_directions([comparison])
    if n_compared:
        sentences.append(
            f"The same learner is better here and in the paper on {n_same} of {n_compared} "
            "problems."
        )
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
            f"{paper['losses']}, equal on {paper['ties']}"
            f"{_test_text('sign test', paper['sign_p'])}{ratio}."
        )
    return sentences


def _test_text(name: str, p: float | None) -> str:
    return f"; {name} {_p(p)}" if p is not None else f"; too few problems for a {name}"


def _p(p: float) -> str:
    return f"p = {p:.3f}" if p >= 0.001 else f"p = {p:.1e}"


def _counts(signs: SignTest) -> dict[str, int]:
    return {"wins": signs.wins, "ties": signs.ties, "losses": signs.losses}


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None
