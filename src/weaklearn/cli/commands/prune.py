"""``weaklearn prune``: remove members of a committee, and print what changes."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weaklearn.boosting.sampling import draw_seed
from weaklearn.cli.describe_model import is_committee
from weaklearn.cli.output import percent, print_json, print_note, print_table, print_wrapped
from weaklearn.cli.read_tables import read_rows
from weaklearn.cli.shared_options import AsJson, Data
from weaklearn.files import write_atomically
from weaklearn.pruning import METHODS, plot_kappa_error

if TYPE_CHECKING:
    import pandas as pd

_METHODS = {method.name.replace("_", "-"): method for method in METHODS.values()}


def _parse_method(text: str) -> str:
    if text not in _METHODS:
        raise typer.BadParameter(f"got {text!r}, expected one of {', '.join(_METHODS)}")
    return text


@dataclass(frozen=True, slots=True)
class _Change:
    """A figure of the committee before and after pruning."""

    name: str
    before: float
    after: float

    @property
    def cells(self) -> list[str]:
        change = self.after - self.before
        if self.name in ("members", "nodes"):
            share = f"{100 * change / self.before:+.0f}%"
            return [self.name, f"{self.before:,.0f}", f"{self.after:,.0f}", share]
        if self.name.startswith("error"):
            points = f"{100 * change:+.2f} points"
            return [self.name, percent(self.before), percent(self.after), points]
        return [self.name, f"{self.before:.3f}", f"{self.after:.3f}", f"{change:+.3f}"]


def prune(
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="A committee saved by 'weaklearn fit'.")
    ],
    data: Data,
    size: Annotated[
        int | None, typer.Option(metavar="N", help="The number of members to keep.")
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="Or the share of members to keep, such as 0.5."),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            parser=_parse_method,
            metavar="NAME",
            help="; ".join(f"{name}: {method.summary}" for name, method in _METHODS.items()),
        ),
    ] = "kappa",
    shift: Annotated[
        bool, typer.Option("--shift", help="The same as --method kappa-shift.")
    ] = False,
    test: Annotated[
        str | None,
        typer.Option(metavar="DATA", help="Other rows to compare the two committees on."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Save the smaller committee."),
    ] = None,
    diagram: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Save a plot of the kappa and error of pairs of members."
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, help="The seed of margin-lp and exact.")
    ] = 0,
    time_limit: Annotated[
        float, typer.Option(metavar="S", help="The most seconds for the method exact.")
    ] = 60.0,
    as_json: AsJson = False,
) -> None:
    """Remove members of a committee, and print what that changes.

    DATA has rows with classes to prune on. Usually these are the training rows.

    Example:  weaklearn prune boosted.json credit.csv --size 10 --shift -o small.json
    """
    from weaklearn.estimators import load

    if shift and not method.startswith("kappa"):
        raise ValueError(f"--shift works with --method kappa only, not with {method}: leave it out")
    if (size is None) == (rate is None):
        got = "neither --size nor --rate" if size is None else "both --size and --rate"
        raise ValueError(
            f"got {got}: give the number of members to keep (--size 10) or the share of them "
            "(--rate 0.5)"
        )
    committee = load(model)
    if not is_committee(committee):
        raise ValueError(
            f"{model} is a single tree, not a committee: fit a committee, for example weaklearn "
            f"fit {data} --model boost -o boosted.json"
        )
    rows = _read(data, committee)
    small = _METHODS["kappa-shift" if shift else method].prune(
        committee, *rows, size=size, rate=rate, seed=draw_seed(seed), time_limit=time_limit
    )
    samples = {"these rows": rows}
    if test is not None:
        samples["new rows"] = _read(test, committee)
    changes = list(_compare(committee, small, samples))
    changed = int((committee.predict(rows[0]) != small.predict(rows[0])).sum())
    if output is not None:
        small.save(output)
    if diagram is not None:
        _plot(committee, small, rows, diagram)
    if as_json:
        print_json(_document(small, changes, changed, output))
        return
    headings = ("", f"all {len(committee)}", f"{len(small)} kept", "change")
    print_table(headings, [change.cells for change in changes], numbers=headings[1:])
    kept = ", ".join(str(index + 1) for index in small.pruning_.kept)
    print(f"\npredictions changed: {changed:,} of {len(rows[1]):,} rows")
    print_wrapped(f"members kept: {kept}")
    if small.pruning_.gap is not None and small.pruning_.gap > 1e-5:
        print_note(
            f"note: time limit reached; a better choice may exist (gap {small.pruning_.gap:.3g})"
        )
    for file in (output, diagram):
        if file is not None:
            print(f"saved in {file}")


def _read(data: str, committee: Any) -> tuple[pd.DataFrame, pd.Series[Any]]:
    X, y = read_rows(data, committee._schema)
    if y is None:
        raise ValueError(
            f"{data} has no column {committee._schema.target!r}; pruning needs the classes"
        )
    return X, y


def _compare(committee: Any, small: Any, samples: dict[str, tuple[Any, Any]]) -> Iterator[_Change]:
    before, after = _figures(committee, samples), _figures(small, samples)
    for name, value in before.items():
        yield _Change(name, value, after[name])


def _figures(committee: Any, samples: dict[str, tuple[Any, Any]]) -> dict[str, float]:
    figures: dict[str, float] = {
        "members": len(committee),
        "nodes": sum(member.graph_.size for member in committee.members_),
    }
    for where, (X, y) in samples.items():
        margins = committee.margins(X, y)
        figures[f"error on {where}"] = float((committee.predict(X) != y.to_numpy()).mean())
        figures[f"mean margin on {where}"] = float(margins.mean())
        figures[f"least margin on {where}"] = float(margins.min())
    return figures


def _document(
    small: Any, changes: list[_Change], changed: int, output: Path | None
) -> dict[str, Any]:
    facts = {c.name: {"before": c.before, "after": c.after} for c in changes}
    kept = [int(index) + 1 for index in small.pruning_.kept]
    document: dict[str, Any] = {"kept": kept, "votes": small.votes_.tolist(), "changed": changed}
    if small.pruning_.gap is not None:
        document["gap"] = small.pruning_.gap
    return document | {"facts": facts} | ({} if output is None else {"saved": str(output)})


def _plot(committee: Any, small: Any, rows: tuple[Any, Any], path: Path) -> None:
    ax = plot_kappa_error(committee, *rows)
    if len(small) > 1:
        plot_kappa_error(small, *rows, ax=ax)
    picture = io.BytesIO()
    figure: Any = ax.figure
    figure.savefig(picture, format=path.suffix.removeprefix(".") or None)
    write_atomically(path, picture.getvalue())
