"""Assemble everything that the page of a comparison says, as plain data."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from weaklearn.experiments.comparison import LEVEL, RANKED_MEASURES, Comparison
from weaklearn.experiments.peer_encodings import ENCODINGS
from weaklearn.report.assemble_report import describe_environment
from weaklearn.report.comparison_tables import (
    all_wins_data,
    figures_data,
    models_data,
    overview_data,
    records_of,
    value_tables_data,
    wins_of_best_data,
)
from weaklearn.report.format_text import equal_or_below, slug


def conclusions(comparison: Comparison) -> list[str]:
    """Write in sentences which model is best by error, and whether the difference counts.

    Parameters
    ----------
    comparison : Comparison
        With one table or several.

    Returns
    -------
    list of str
        Whole sentences.
    """
    conclusion = comparison.conclusion()
    if conclusion is None:
        return ["Fewer than two models have results, so there is nothing to compare."]
    summary = comparison.summary()
    errors = summary["error"].to_dict()
    error = f"{100 * errors[conclusion.best]:.2f} %"
    test = comparison.rank_test()
    equal: tuple[str, ...] = ()
    if test is None:
        equal = tuple(
            name for name in conclusion.not_worse if errors[name] == errors[conclusion.best]
        )
        have = "have" if equal else "has"
        sentences = [f"{_join((conclusion.best, *equal))} {have} the lowest error, {error}."]
    else:
        sentences = [
            f"{conclusion.best} has the best mean rank by error, {test.mean_ranks[0]:.2f} of "
            f"{len(test.models)}, with a mean error of {error}.",
            f"Friedman's test {'finds' if test.p < LEVEL else 'does not find'} that the models "
            f"differ (p {equal_or_below(test.p)}). By Nemenyi's test, two mean ranks differ if "
            f"they are more than {test.critical_difference:.2f} apart.",
        ]
    lead = "Their lead" if equal else "Its lead"
    if conclusion.worse:
        sentences.append(f"{lead} counts against {_join(conclusion.worse)} ({conclusion.test}).")
    not_worse = tuple(name for name in conclusion.not_worse if name not in equal)
    if not_worse:
        test_name = "" if conclusion.worse else f" ({conclusion.test})"
        sentences.append(
            f"{'It' if conclusion.worse else lead} does not count against {_join(not_worse)}: the "
            f"difference may be chance{test_name}."
        )
    not_ranked = [
        name
        for name, rank in summary["error_rank"].items()
        if name != comparison.baseline and math.isnan(rank)
    ]
    if not_ranked:
        sentences.append(
            f"Not ranked, because they failed on a table: {', '.join(map(str, not_ranked))}."
        )
    return sentences


def make_comparison_data(comparison: Comparison, code: str) -> dict[str, Any]:
    """Make the data of the page of a comparison.

    Parameters
    ----------
    comparison : Comparison
        The comparison.
    code : str
        The version of the code.

    Returns
    -------
    dict
        Everything that the page, the Markdown file and the CSV and JSON files say.
    """
    document = comparison_document(comparison)
    n_models = len(comparison.models) - (comparison.baseline in comparison.models)
    seeds = "one seed" if comparison.n_seeds == 1 else f"{comparison.n_seeds} seeds"
    packages = {model.package.split(" ")[0] for model in comparison.models.values()}
    return {
        "template": "comparison.html",
        "title": f"{_counted(n_models, 'model')} on {_counted(len(comparison.tables), 'table')}",
        "summary": document["conclusions"],
        "notes": _notes(comparison),
        "overview": overview_data(comparison),
        "absent": document["absent"],
        "failures": [
            {"table": table, "model": model, "reason": reason}
            for (table, model), reason in comparison.failures.items()
        ],
        "figures": figures_data(comparison),
        "wins": wins_of_best_data(comparison),
        "all_wins": all_wins_data(comparison),
        "tables": value_tables_data(comparison),
        "models": models_data(comparison),
        "encodings": {
            name: ENCODINGS[name].description
            for name in dict.fromkeys(model.encoding for model in comparison.models.values())
        },
        "design": f"{comparison.n_folds} stratified folds, {seeds} (first seed {comparison.seed}).",
        "records": {
            "results": document["results"],
            "summary": document["summary"],
            **{f"wins-{slug(n)}": records for n, records in document["wins_and_losses"].items()},
        },
        "document": document,
        "environment": describe_environment(
            *(len(comparison.outcomes), code, comparison.digest, comparison.seconds),
            sorted(packages - {"", "scikit-learn"}),
        ),
    }


def _notes(comparison: Comparison) -> list[str]:
    notes = [
        "Means over tables give every table the same weight. Log loss is the mean of -log of the "
        "probability of the true class, which is taken to be at least 2.2e-16. The area under the "
        "ROC curve is one class against the others, weighted by the rows of the class.",
        "Conditions are the splits of a tree or the conditions of all rules of a ruleset; those of "
        "a committee are summed over its members. Models of other libraries have a size where "
        "scikit-learn's trees can be counted.",
    ]
    if comparison.baseline is not None:
        notes.insert(
            0,
            f"{comparison.baseline} predicts the share of each class in the training rows; it is "
            "not ranked.",
        )
    return notes


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def comparison_document(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as plain data that can be written as JSON; None where undefined.

    Parameters
    ----------
    comparison : Comparison
        The comparison.

    Returns
    -------
    dict
        Design, tables, models, results, summary, tests and conclusions.
    """
    conclusion = comparison.conclusion()
    return {
        "n_folds": comparison.n_folds,
        "n_seeds": comparison.n_seeds,
        "seed": comparison.seed,
        "results_digest": comparison.digest,
        "tables": [asdict(table) for table in comparison.tables],
        "models": {
            name: {
                "class": type(model.estimator).__name__,
                "library": model.package or "weaklearn",
                "encoding": model.encoding,
                "encoding_text": ENCODINGS[model.encoding].description,
            }
            for name, model in comparison.models.items()
        },
        "absent": dict(comparison.absent),
        "results": records_of(comparison.to_frame()),
        "summary": records_of(comparison.summary().reset_index()),
        "rank_tests": {
            measure: None if (test := comparison.rank_test(measure)) is None else asdict(test)
            for measure in RANKED_MEASURES
        },
        "wins_and_losses": {
            measure: records_of(comparison.wins_and_losses(measure)) for measure in RANKED_MEASURES
        },
        "conclusion": None if conclusion is None else asdict(conclusion),
        "conclusions": conclusions(comparison),
    }


def _join(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
