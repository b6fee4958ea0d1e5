"""Assemble everything that the page of a comparison says, as plain data."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from weaklearn.experiments.comparison import RANKED_MEASURES, Comparison
from weaklearn.experiments.peer_encodings import ENCODINGS
from weaklearn.report.format_text import probability

_NAMES = {"error": "error", "log_loss": "log loss", "auc": "AUC"}


def conclusions(comparison: Comparison) -> list[str]:
    """Say in sentences which model is best by error, and whether the difference counts.

    Parameters
    ----------
    comparison : Comparison
        With one table or several.

    Returns
    -------
    list of str
        Whole sentences.
    """
    found = comparison.conclusion()
    if found is None:
        return ["Fewer than two models have results, so there is nothing to compare."]
    summary = comparison.summary()
    error = f"{100 * summary['error'].to_dict()[found.best]:.2f} %"
    test = comparison.rank_test()
    if test is None:
        sentences = [f"{found.best} has the lowest error, {error}."]
    else:
        sentences = [
            f"{found.best} has the best mean rank by error, {test.mean_ranks[0]:.2f} of "
            f"{len(test.models)}, with a mean error of {error}.",
            "Friedman's test "
            + ("finds" if test.p < 0.05 else "does not find")
            + f" that the models differ (p {_p(test.p)}). By Nemenyi's test, two mean ranks differ "
            f"if they are more than {test.critical_difference:.2f} apart.",
        ]
    if found.worse:
        sentences.append(f"Its lead counts against {_join(found.worse)} ({found.test}).")
    if found.not_worse:
        subject = "It" if found.worse else "Its lead"
        sentences.append(
            f"{subject} does not count against {_join(found.not_worse)}: the difference may be "
            f"chance{'' if found.worse else f' ({found.test})'}."
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
    found = comparison.conclusion()
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
        "results": _records(comparison.to_frame()),
        "summary": _records(comparison.summary().reset_index()),
        "rank_tests": {
            measure: None if (test := comparison.rank_test(measure)) is None else asdict(test)
            for measure in RANKED_MEASURES
        },
        "wins_and_losses": {
            measure: _records(comparison.wins_and_losses(measure)) for measure in RANKED_MEASURES
        },
        "conclusion": None if found is None else asdict(found),
        "conclusions": conclusions(comparison),
    }


def _records(frame: Any) -> list[dict[str, Any]]:
    """Return the rows of a frame as dicts, with None in place of NaN, which JSON lacks."""
    return [
        {
            name: None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in row.items()
        }
        for row in frame.to_dict("records")
    ]


def _p(p: float) -> str:
    text = probability(p)
    return text if text.startswith("<") else f"= {text}"


def _join(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
