"""Figures of a plan as plain data: panels with series of points, for any way of drawing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np

from weaklearn.experiments.findings import Findings
from weaklearn.report.table_data import slug
from weaklearn.theory.plot_axes import COLOURS

#: More points than this do not show more; every so many-th is drawn.
MOST_POINTS = 4000
#: What the methods of pruning are called before people.
METHODS = {
    "kappa": "kappa",
    "kappa_shift": "kappa, votes shifted",
    "margin_lp": "margin program",
    "first_rounds": "first rounds",
}


def make_figure(findings: Findings, said: Mapping[str, Any]) -> dict[str, Any] | None:
    """Make a figure as its plan says.

    Parameters
    ----------
    findings : Findings
        What is known.
    said : mapping
        A plan's ``figures`` entry; its kind is one of `KINDS`.

    Returns
    -------
    dict or None
        Name, title, kind and panels; None where there is nothing to draw.
    """
    panels = KINDS[said["kind"]](findings, said)
    return _figure(findings, said["title"], said["kind"], panels) if panels else None


def figure_of_table(findings: Findings, table: Mapping[str, Any]) -> dict[str, Any] | None:
    """Draw a table's values against the paper's; None where it has no two to compare.

    Parameters
    ----------
    findings : Findings
        Whose table it is.
    table : mapping
        As `make_table` gives it.

    Returns
    -------
    dict or None
        One panel, a series per column.
    """
    series = []
    for number, heading in enumerate(table["headings"]):
        points = [
            (row["cells"][number]["paper"], row["cells"][number]["ours"], row["problem"])
            for row in table["rows"]
            if row["cells"][number]["paper"] is not None
            and row["cells"][number]["ours"] is not None
        ]
        if points:
            x, y, labels = (list(column) for column in zip(*points, strict=True))
            series.append(_points(heading, x, y, labels))
    if not series:
        return None
    if len(series) > len(COLOURS):  # one colour for all tells more than one for two
        series = [
            _points(
                "all columns",
                [x for one in series for x in one["x"]],
                [y for one in series for y in one["y"]],
                [f"{label}, {one['name']}" for one in series for label in one["labels"]],
            )
        ]
    panel = _panel("", "the paper's", "ours", series, diagonal=True)
    return _figure(findings, f"Ours against the paper's: {table['title']}", "points", [panel])


def _figure(
    findings: Findings, title: str, kind: str, panels: list[dict[str, Any]]
) -> dict[str, Any]:
    return {
        "name": slug(findings.plan.paper, title),
        "title": title,
        "kind": kind,
        "panels": panels,
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


def _stages(findings: Findings, said: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Draw the mean error after each round; a committee that ended keeps its last error."""
    one = findings.plan.experiments[said["experiment"]]
    panels = []
    for problem in one.problems:
        series = []
        for learner in one.learners:
            trials = [d["errors"] for d in findings.details(one.name, problem, learner)]
            if trials:
                longest = max(map(len, trials))
                filled = [errors + errors[-1:] * (longest - len(errors)) for errors in trials]
                mean = 100 * np.mean(filled, axis=0)
                series.append(_line(learner, range(1, longest + 1), mean.tolist()))
        if series:
            panels.append(_panel(problem, "members", "test error %", series))
    return panels


def _advantages(findings: Findings, said: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Draw the mean advantage of each round, over the trials that had so many."""
    one = findings.plan.experiments[said["experiment"]]
    panels = []
    for problem in one.problems:
        trials = [d for name in one.learners for d in findings.details(one.name, problem, name)]
        series = []
        for learner in trials[0] if trials else ():
            rounds = zip_longest(*(trial[learner]["gamma"] for trial in trials))
            means = [_mean_of_known(values) for values in rounds]
            series.append(_line(learner, range(1, len(means) + 1), means))
        if series:
            panels.append(_panel(problem, "round", "mean advantage", series))
    return panels


def _mean_of_known(values: Sequence[float | None]) -> float:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else 0.0


def _splits(findings: Findings, said: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Draw every split of every trial: advantage against the node's weight, and against gain."""
    one = findings.plan.experiments[said["experiment"]]
    panels = []
    for problem in one.problems:
        trials = [d for name in one.learners for d in findings.details(one.name, problem, name)]
        splits = [
            split
            for trial in trials
            for split in zip(
                *(trial[said["learner"]][name] for name in ("gamma", "weight", "gain")), strict=True
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


def _sizes_and_errors(findings: Findings, said: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Draw a point per problem: how much larger, and how much more accurate, one is."""
    one = findings.plan.experiments[said["experiment"]]
    points = []
    for problem in one.problems:
        sizes = findings.contest(one.name, problem, said["first"], said["second"], "tests")
        errors = findings.contest(one.name, problem, said["first"], said["second"], "error")
        if sizes and errors and sizes.second:
            points.append((sizes.ratio, 100 * (errors.second - errors.first), problem))
    if not points:
        return []
    x, y, labels = (list(column) for column in zip(*points, strict=True))
    first, second = said["first"], said["second"]
    return [
        _panel(
            "",
            f"tests of {first} / tests of {second}",
            f"accuracy of {first} minus {second}'s, points",
            [_points(first, x, y, labels)],
            log_x=True,
            cross=(1.0, 0.0),
        )
    ]


def _pruning(findings: Findings, said: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Draw error and margin by the number of members kept, of the first trial of each problem."""
    one = findings.plan.experiments[said["experiment"]]
    panels = []
    for problem in one.problems:
        for learner in one.learners:
            for trial in findings.details(one.name, problem, learner)[:1]:
                errors = [
                    _line(METHODS[m], trial["sizes"], [100 * e for e in values])
                    for m, values in trial["errors"].items()
                ]
                margins = [
                    _line(METHODS[m], trial["sizes"], values)
                    for m, values in trial["margins"].items()
                ]
                panels.append(_panel(problem, "members kept", "test error %", errors))
                panels.append(_panel(problem, "members kept", "mean margin", margins))
    return panels


def _graphs(findings: Findings, said: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Give graphs to be drawn: of the first problem that is here."""
    one = findings.plan.experiments[said["experiment"]]
    for problem in one.problems:
        panels = [
            {"title": f"{problem}, {learner}", "graph": details["graph"], "series": []}
            for learner in one.learners
            for details in findings.details(one.name, problem, learner)
        ]
        if panels:
            return panels
    return []


KINDS: dict[str, Callable[[Findings, Mapping[str, Any]], list[dict[str, Any]]]] = {
    "stages": _stages,
    "advantages": _advantages,
    "splits": _splits,
    "sizes_and_errors": _sizes_and_errors,
    "pruning": _pruning,
    "graph": _graphs,
}
