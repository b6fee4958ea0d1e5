"""Make the figures of a report as plain data: panels with points and lines.

The page draws them with Plotly, and draw_figures.py with matplotlib. A new kind of figure is one
function and one line in `FIGURE_KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np

from weaklearn.experiments.combine_results import PlanResults
from weaklearn.pruning import METHODS
from weaklearn.report.format_text import slug
from weaklearn.theory.plot_axes import COLOURS

#: A plot of more points shows nothing more. Of more points, every second or third is drawn.
MOST_POINTS = 4000


def make_figure(results: PlanResults, entry: Mapping[str, Any]) -> dict[str, Any] | None:
    """Make a figure from an entry of a plan's ``figures``.

    Parameters
    ----------
    results : PlanResults
        The results of the plan.
    entry : mapping
        The title, the experiment, and the kind, which is one of `FIGURE_KINDS`.

    Returns
    -------
    dict or None
        Name, title, kind and panels; None where there is nothing to draw.
    """
    kind = FIGURE_KINDS[entry["kind"]]
    panels = kind.make_panels(results, entry)
    if not panels:
        return None
    return _figure(results, entry["title"], entry["kind"], panels, kind.panels_per_row)


def figure_of_table(results: PlanResults, table: Mapping[str, Any]) -> dict[str, Any] | None:
    """Plot a table's values against the paper's; None where the paper has none of them.

    Parameters
    ----------
    results : PlanResults
        The results that the table was made from.
    table : mapping
        As `make_table` returns it.

    Returns
    -------
    dict or None
        A figure of one panel, with a series for each column.
    """
    series = []
    for index, heading in enumerate(table["headings"]):
        points = [
            (row["cells"][index]["paper"], row["cells"][index]["ours"], row["problem"])
            for row in table["rows"]
            if row["cells"][index]["paper"] is not None and row["cells"][index]["ours"] is not None
        ]
        if points:
            x, y, labels = (list(column) for column in zip(*points, strict=True))
            series.append(_points(heading, x, y, labels))
    if not series:
        return None
    if len(series) > len(COLOURS):  # two columns of the same colour would mislead
        series = [
            _points(
                "all columns",
                [x for column in series for x in column["x"]],
                [y for column in series for y in column["y"]],
                [f"{label}, {column['name']}" for column in series for label in column["labels"]],
            )
        ]
    panel = _panel("", "the paper's", "ours", series, diagonal=True)
    title = f"Ours against the paper's: {table['title']}"
    return _figure(results, title, "points", [panel], 1)


def _figure(
    results: PlanResults, title: str, kind: str, panels: list[dict[str, Any]], panels_per_row: int
) -> dict[str, Any]:
    return {
        "name": slug(results.plan.paper, title),
        "title": title,
        "kind": kind,
        "panels": panels,
        "panels_per_row": panels_per_row,
    }


def _panel(
    title: str, x_label: str, y_label: str, series: Sequence[Mapping[str, Any]], **more: Any
) -> dict[str, Any]:
    return {"title": title, "x_label": x_label, "y_label": y_label, "series": series, **more}


def _points(
    name: str, x: Sequence[float], y: Sequence[float], labels: Sequence[str] | None = None
) -> dict[str, Any]:
    return {"name": name, "x": list(x), "y": list(y), "labels": labels, "line": False}


def _line(name: str, x: Sequence[float], y: Sequence[float]) -> dict[str, Any]:
    return {"name": name, "x": list(x), "y": list(y), "labels": None, "line": True}


def _stages(results: PlanResults, entry: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Plot the mean error after each round; a committee that stopped early keeps its last error."""
    experiment = results.plan.experiments[entry["experiment"]]
    panels = []
    for problem in experiment.problems:
        series = []
        for learner in experiment.learners:
            trials = [d["errors"] for d in results.details(experiment.name, problem, learner)]
            if trials:
                longest = max(map(len, trials))
                filled = [errors + errors[-1:] * (longest - len(errors)) for errors in trials]
                mean = 100 * np.mean(filled, axis=0)
                series.append(_line(learner, range(1, longest + 1), mean.tolist()))
        if series:
            panels.append(_panel(problem, "members", "test error %", series))
    return panels


def _advantages(results: PlanResults, entry: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Plot the mean advantage of each round, over the trials that had that round."""
    panels = []
    for problem, trials in _trials_by_problem(results, entry):
        series = []
        for learner in trials[0]:
            rounds = zip_longest(*(trial[learner]["gamma"] for trial in trials))
            means = [_mean_of_known(values) for values in rounds]
            series.append(_line(learner, range(1, len(means) + 1), means))
        panels.append(_panel(problem, "round", "mean advantage", series))
    return panels


def _trials_by_problem(
    results: PlanResults, entry: Mapping[str, Any]
) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the details of all trials for each problem that has any."""
    experiment = results.plan.experiments[entry["experiment"]]
    trials = [
        (
            problem,
            [d for n in experiment.learners for d in results.details(experiment.name, problem, n)],
        )
        for problem in experiment.problems
    ]
    return [(problem, details) for problem, details in trials if details]


def _mean_of_known(values: Sequence[float | None]) -> float:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else 0.0


def _split_advantages(results: PlanResults, entry: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Plot the advantage of every split of every trial against the node's weight and the gain."""
    panels = []
    for problem, trials in _trials_by_problem(results, entry):
        splits = [
            split
            for trial in trials
            for split in zip(
                *(trial[entry["learner"]][name] for name in ("gamma", "weight", "gain")),
                strict=True,
            )
            if None not in split
        ]
        if not splits:
            continue
        shown = splits[:: -(-len(splits) // MOST_POINTS)]
        gamma, weight, gain = (list(column) for column in zip(*shown, strict=True))
        for x, x_label in ((weight, "weight of the node"), (gain, "gain")):
            series = [_points(problem, x, gamma)]
            panels.append(_panel(problem, x_label, "advantage", series, log_x=True))
    return panels


def _sizes_and_errors(results: PlanResults, entry: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Plot a point for each problem: the ratio of sizes against the difference of accuracies."""
    experiment = results.plan.experiments[entry["experiment"]]
    first, second = entry["first"], entry["second"]
    points = []
    for problem in experiment.problems:
        sizes = results.compare(experiment.name, problem, first, second, "internal nodes")
        errors = results.compare(experiment.name, problem, first, second, "error")
        if sizes and errors and sizes.second:
            points.append((sizes.ratio, 100 * (errors.second - errors.first), problem))
    if not points:
        return []
    x, y, labels = (list(column) for column in zip(*points, strict=True))
    return [
        _panel(
            "",
            f"internal nodes of {first} / internal nodes of {second}",
            f"accuracy of {first} minus {second}'s, points",
            [_points(first, x, y, labels)],
            log_x=True,
            cross=(1.0, 0.0),
        )
    ]


def _pruning(results: PlanResults, entry: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Plot error and margin by the number of members kept, for the first trial of each problem."""
    experiment = results.plan.experiments[entry["experiment"]]
    panels = []
    for problem in experiment.problems:
        for learner in experiment.learners:
            for trial in results.details(experiment.name, problem, learner)[:1]:
                errors = [
                    _line(METHODS[m].label, trial["sizes"], [100 * e for e in values])
                    for m, values in trial["errors"].items()
                ]
                margins = [
                    _line(METHODS[m].label, trial["sizes"], values)
                    for m, values in trial["margins"].items()
                ]
                panels.append(_panel(problem, "members kept", "test error %", errors))
                panels.append(_panel(problem, "members kept", "mean margin", margins))
    return panels


def _graphs(results: PlanResults, entry: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the graphs of the first problem that has any."""
    experiment = results.plan.experiments[entry["experiment"]]
    for problem in experiment.problems:
        panels = [
            {"title": f"{problem}, {learner}", "graph": details["graph"], "series": []}
            for learner in experiment.learners
            for details in results.details(experiment.name, problem, learner)
        ]
        if panels:
            return panels
    return []


class FigureKind(NamedTuple):
    """How the panels of a figure are made, and how many are drawn side by side."""

    make_panels: Callable[[PlanResults, Mapping[str, Any]], list[dict[str, Any]]]
    panels_per_row: int = 3


#: The values of ``kind`` in a plan's ``figures``. Two panels per row: a problem has two panels.
FIGURE_KINDS: dict[str, FigureKind] = {
    "stages": FigureKind(_stages),
    "advantages": FigureKind(_advantages),
    "split_advantages": FigureKind(_split_advantages, panels_per_row=2),
    "sizes_and_errors": FigureKind(_sizes_and_errors),
    "pruning": FigureKind(_pruning, panels_per_row=2),
    "graph": FigureKind(_graphs),
}
