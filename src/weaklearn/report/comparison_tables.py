"""Make the tables and figures of a comparison as plain data.

A table of values has a row for each table that models were compared on, like the tables of papers.
A table of records has cells with a text and, to sort by, a value.
"""

from __future__ import annotations

import math
from dataclasses import asdict
from importlib.metadata import version
from typing import Any, Literal, NamedTuple

from weaklearn.experiments.comparison import LEVEL, Comparison
from weaklearn.report.format_text import (
    decimal,
    equal_or_below,
    finite_or_none,
    probability,
    signed,
    slug,
)


class _Measure(NamedTuple):
    """A column of a comparison's frame, and how tables show it."""

    column: str
    title: str
    heading: str
    factor: float
    digits: int
    best: Literal["min", "max"] | None


_MEASURES = (
    _Measure("error", "Error %", "error %", 100.0, 2, "min"),
    _Measure("log_loss", "Log loss", "log loss", 1.0, 3, "min"),
    _Measure("auc", "Area under the ROC curve", "AUC", 1.0, 3, "max"),
    _Measure(
        *("conditions", "Conditions: splits of trees, conditions of rules", "conditions"),
        *(1.0, 1, None),
    ),
    _Measure("leaves", "Leaves of trees, rules of rulesets", "leaves or rules", 1.0, 1, None),
    _Measure("fit_seconds", "Seconds to fit", "seconds to fit", 1.0, 3, None),
    _Measure(
        *("predict_seconds", "Seconds to predict the test rows of a fold", "seconds to predict"),
        *(1.0, 4, None),
    ),
)
_RANKED = {"error": "error", "log_loss": "log loss", "auc": "AUC"}


def overview_data(comparison: Comparison) -> dict[str, Any]:
    """Make the table with a line for each model."""
    summary = comparison.summary()
    measures = [*_MEASURES]
    if len(comparison.tables) > 1:
        measures[:0] = [
            _Measure(f"{measure}_rank", "", f"rank by {name}", 1.0, 2, "min")
            for measure, name in _RANKED.items()
        ]
    best = {measure: _best(summary[measure.column], measure, comparison) for measure in measures}
    rows = []
    for name, record in zip(summary.index, summary.to_dict("records"), strict=True):
        cells = [_cell(str(name))]
        for measure in measures:
            value = float(record[measure.column])
            text = decimal(finite_or_none(measure.factor * value), measure.digits)
            cells.append(_cell(text, value, value == best[measure]))
        rows.append(cells)
    return {
        "name": "overview",
        "title": "Means over all tables" if len(comparison.tables) > 1 else "Every model",
        "headings": ["model", *(measure.heading for measure in measures)],
        "rows": rows,
    }


def value_tables_data(comparison: Comparison) -> list[dict[str, Any]]:
    """Make a table for each measure, with a row for each table and a column for each model."""
    return [table for measure in _MEASURES if (table := _value_table(comparison, measure))]


def _value_table(comparison: Comparison, measure: _Measure) -> dict[str, Any] | None:
    """Make the table of a measure; None if no model has it."""
    values = comparison.values(measure.column)
    values = values.loc[:, values.notna().any()]
    if values.empty:
        return None
    errors = comparison.values("standard_error").to_dict("index")
    rows = []
    for table, (name, row) in zip(comparison.tables, values.iterrows(), strict=True):
        best = _best(row, measure, comparison)
        cells = []
        for model, value in row.items():
            error = errors[name][model] if measure.column == "error" else math.nan
            cells.append(
                {
                    **dict.fromkeys(("low", "high", "difference", "verdict", "paper")),
                    "ours": finite_or_none(measure.factor * value),
                    "error": finite_or_none(measure.factor * error),
                    "digits": measure.digits,
                    "shown": measure.digits,
                    "failure": comparison.failures.get((table.name, str(model))),
                    "is_best": bool(value == best),
                }
            )
        rows.append(
            {
                "problem": table.name,
                "n_rows": table.n_rows,
                "trials": f"{comparison.n_seeds} x {comparison.n_folds}",
                "absent": None,
                "cells": cells,
            }
        )
    known = values.dropna(how="all")
    means = [
        {
            # A mean over fewer tables could not be compared with the others.
            "ours": finite_or_none(measure.factor * float(known[model].mean(skipna=False))),
            "paper": None,
            "shown": measure.digits,
            "n_problems": len(known),
        }
        for model in values.columns
    ]
    return {
        "name": slug(measure.column),
        "title": measure.title,
        "headings": list(values.columns),
        "learner_absent": [None] * values.shape[1],
        "has_paper": False,
        "rows": rows,
        "means": means if len(rows) > 1 else None,
    }


def _best(values: Any, measure: _Measure, comparison: Comparison) -> float:
    """Return the best value of the models other than the baseline; NaN if none is the best."""
    if measure.best is None:
        return math.nan
    ranked = values.drop(comparison.baseline or [], errors="ignore")
    return float(getattr(ranked, measure.best)())


def figures_data(comparison: Comparison) -> list[dict[str, Any]]:
    """Make a diagram of ranks for each measure, and a plot of error against time."""
    figures: list[dict[str, Any]] = []
    for measure, name in _RANKED.items():
        test = comparison.rank_test(measure)
        if test is not None:
            title = (
                f"Mean ranks by {name}, {test.n_tables} tables (Friedman: p "
                f"{equal_or_below(test.p)}; critical difference {test.critical_difference:.2f})"
            )
            panel: dict[str, Any] = {"title": "", "test": asdict(test), "series": []}
            figures.append(_figure(f"ranks-by-{slug(name)}", title, "ranks", panel))
    summary = comparison.summary().drop(comparison.baseline or [], errors="ignore")
    summary = summary[summary["error"].notna()]
    if len(summary) > 1 and figures:
        points = {
            "name": "models",
            "x": summary["fit_seconds"].tolist(),
            "y": (100 * summary["error"]).tolist(),
            "labels": list(summary.index),
            "line": False,
        }
        panel = {
            "title": "",
            "x_label": "mean seconds to fit (one thread)",
            "y_label": "mean error %",
            "log_x": True,
            "names_points": True,
            "series": [points],
        }
        figures.append(_figure("error-and-time", "Error and time", "times", panel))
    return figures


def _figure(name: str, title: str, kind: str, panel: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "title": title, "kind": kind, "panels": [panel], "panels_per_row": 1}


def wins_of_best_data(comparison: Comparison) -> list[dict[str, Any]]:
    """Make a table for each measure: the model with the best mean rank against each other."""
    tables = []
    for measure, name in _RANKED.items():
        test = comparison.rank_test(measure)
        if test is None:
            continue
        best = test.models[0]
        frame = comparison.wins_and_losses(measure)
        chosen = [
            row if row["first"] == best else _swapped(row)
            for row in records_of(frame)
            if best in (row["first"], row["second"])
        ]
        title = f"{best}, the best by mean rank of {name}, against each other model"
        tables.append(_wins_table(f"wins-of-best-{slug(name)}", title, chosen, measure))
    return tables


def all_wins_data(comparison: Comparison) -> list[dict[str, Any]]:
    """Make a table for each measure: all pairs of models."""
    if len(comparison.tables) < 2:
        return []
    return [
        _wins_table(
            *(f"wins-{slug(measure)}", f"All pairs of models by {name}"),
            *(records_of(comparison.wins_and_losses(measure)), measure),
        )
        for measure, name in _RANKED.items()
    ]


def _swapped(row: dict[str, Any]) -> dict[str, Any]:
    """Return the comparison of two models with the second model first."""
    names = {"first": row["second"], "second": row["first"]}
    counts = {"wins": row["losses"], "losses": row["wins"]}
    return {**row, **names, **counts, "mean_difference": -row["mean_difference"]}


def _wins_table(
    name: str, title: str, records: list[dict[str, Any]], measure: str
) -> dict[str, Any]:
    factor, digits = (100.0, 2) if measure == "error" else (1.0, 3)
    rows = [
        [
            _cell(row["first"]),
            _cell(row["second"]),
            *(_cell(str(row[count]), row[count]) for count in ("wins", "losses", "ties")),
            *(
                _cell(probability(row[p]), row[p], row[p] < LEVEL)
                for p in ("sign_test_p", "wilcoxon_p")
            ),
            _cell(signed(factor * row["mean_difference"], digits), row["mean_difference"]),
        ]
        for row in records
    ]
    headings = ["first", "second", "wins", "losses", "ties", "sign test p", "Wilcoxon p"]
    headings.append("mean of second minus first" + (", %" if measure == "error" else ""))
    return {"name": name, "title": title, "headings": headings, "rows": rows}


def models_data(comparison: Comparison) -> dict[str, Any]:
    """Make the table of models, with their parameters and encodings."""
    rows = [
        [
            _cell(name),
            _cell(" ".join(repr(model.estimator).split())),
            _cell(model.package or f"weaklearn {version('weaklearn')}"),
            _cell(model.encoding),
        ]
        for name, model in comparison.models.items()
    ]
    headings = ["model", "class and parameters", "library", "encoding"]
    return {"name": "models", "title": "Models", "headings": headings, "rows": rows}


def _cell(text: str, value: float | None = None, is_best: bool = False) -> dict[str, Any]:
    known = value is None or not math.isfinite(value)
    return {"text": text, "value": None if known else value, "is_best": bool(is_best)}


def records_of(frame: Any) -> list[dict[str, Any]]:
    """Return the rows of a frame as dicts, with None in place of NaN, which JSON lacks."""
    return [
        {
            name: None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in row.items()
        }
        for row in frame.to_dict("records")
    ]
