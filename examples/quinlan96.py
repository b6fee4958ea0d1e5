"""Quinlan's comparison of C4.5, bagged and boosted, done again beside his figures.

J. R. Quinlan, "Bagging, Boosting, and C4.5", AAAI-96, pp. 725-730: committees of ten, stratified
10-fold cross-validations. ``python examples/quinlan96.py --repeats 10 -o quinlan96.md`` runs the
tables that are here and says how to get the others; names choose among them.
"""

import argparse
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Screen

import weaklearn as wl
from weaklearn.experiments import Results, cross_validate
from weaklearn.tables import Table

SEED = 0
LARGE = 10_000  # rows from which a table gets one repeat, unless --large-repeats says otherwise
MODELS = {
    "C4.5": wl.C45Classifier(),
    "bagged": wl.BaggedClassifier(n_members=10),
    "boosted": wl.AdaBoostM1Classifier(n_rounds=10),
    "confident": wl.AdaBoostM1Classifier(n_rounds=10, vote="confidence"),
}
RATIOS = (("bagged", "C4.5"), ("boosted", "C4.5"), ("boosted", "bagged"))
#: Error % of C4.5, bagged and boosted in the paper's Table 1.
PUBLISHED = {
    "anneal": (7.67, 6.25, 4.73),
    "audiology": (22.12, 19.29, 15.71),
    "auto": (17.66, 19.66, 15.22),
    "breast-w": (5.28, 4.23, 4.09),
    "chess": (8.55, 8.33, 4.59),
    "colic": (14.92, 15.19, 18.83),
    "credit-a": (14.70, 14.13, 15.64),
    "credit-g": (28.44, 25.81, 29.14),
    "diabetes": (25.39, 23.63, 28.18),
    "glass": (32.48, 27.01, 23.55),
    "heart-c": (22.94, 21.52, 21.39),
    "heart-h": (21.53, 20.31, 21.05),
    "hepatitis": (20.39, 18.52, 17.68),
    "hypo": (0.48, 0.45, 0.36),
    "iris": (4.80, 5.13, 6.53),
    "labor": (19.12, 14.39, 13.86),
    "letter": (11.99, 7.51, 4.66),
    "lymphography": (21.69, 20.41, 17.43),
    "phoneme": (19.44, 18.73, 16.36),
    "segment": (3.21, 2.74, 1.87),
    "sick": (1.34, 1.22, 1.05),
    "sonar": (25.62, 23.80, 19.62),
    "soybean": (7.73, 7.58, 7.16),
    "splice": (5.91, 5.58, 5.43),
    "vehicle": (27.09, 25.54, 22.72),
    "vote": (5.06, 4.37, 5.29),
    "waveform": (27.33, 19.77, 18.53),
}
#: Where our name of a table is another than the paper's.
OUR_NAMES = {"lymphography": "lymph"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one table: the results of each model over the same folds."""

    name: str
    results: dict[str, Results]

    @property
    def n_repeats(self) -> int:
        return self.results["C4.5"].n_repeats

    def error(self, model: str) -> float:
        """Mean error in percent."""
        return 100 * self.results[model].error.mean

    def ratio(self, model: str, other: str) -> float:
        """The mean error of one over that of the other, as Quinlan divides them."""
        ours, theirs = self.error(model), self.error(other)
        return ours / theirs if theirs else float("nan")

    def published(self, model: str) -> float:
        return PUBLISHED[self.name][list(MODELS).index(model)]

    def published_ratio(self, model: str, other: str) -> float:
        return self.published(model) / self.published(other)

    def wins_and_losses(self, model: str, other: str) -> tuple[int, int]:
        """In how many repeats one makes fewer errors than the other, and in how many more."""
        difference = self._errors(model) - self._errors(other)
        return int((difference < 0).sum()), int((difference > 0).sum())

    def _errors(self, model: str) -> np.ndarray:
        """Test errors of each repeat."""
        folds = self.results[model].folds
        return np.bincount([f.repeat for f in folds], [f.test_errors for f in folds])


def load_table(name: str) -> Table | None:
    """The table of a name in the paper, or None if it is not here."""
    if name == "waveform":  # the paper's has 300 rows, drawn by the generator of the CART book
        return wl.datasets.make_waveform(300, random_state=SEED)
    ours = OUR_NAMES.get(name, name)
    here = any(entry.name == ours and entry.here for entry in wl.datasets.available())
    return wl.datasets.load(ours) if here else None


def compare(name: str, table: Table, n_repeats: int = 1) -> Outcome:
    """Cross-validate all models on a table, with the same folds."""
    results = {
        model: cross_validate(classifier, table.X, table.y, n_repeats=n_repeats, seed=SEED)
        for model, classifier in MODELS.items()
    }
    return Outcome(name, results)


def error_rows(outcomes: Sequence[Outcome]) -> list[list[str]]:
    """A row per table, and the means: ours, then the paper's."""
    rows = []
    for outcome in outcomes:
        cells = [outcome.name, f"{outcome.n_repeats}"]
        for model in MODELS:
            cells.append(f"{outcome.error(model):.2f}")
            if model != "confident":  # the paper gives no figures per table for it
                cells.append(f"{outcome.published(model):.2f}")
        rows.append(cells)
    columns = list(zip(*(row[2:] for row in rows), strict=True))
    means = [f"{np.mean([float(cell) for cell in column]):.2f}" for column in columns]
    return [*rows, ["mean", "", *means]]


def ratio_rows(outcomes: Sequence[Outcome]) -> list[list[str]]:
    """A row per table, and the means: wins and losses, our ratio, the paper's."""
    rows = []
    for outcome in outcomes:
        cells = [outcome.name]
        for pair in RATIOS:
            wins, losses = outcome.wins_and_losses(*pair)
            cells += [
                f"{wins}-{losses}",
                f"{outcome.ratio(*pair):.3f}",
                f"{outcome.published_ratio(*pair):.3f}",
            ]
        rows.append(cells)
    means = ["mean"]
    for pair in RATIOS:
        ours = np.nanmean([outcome.ratio(*pair) for outcome in outcomes])
        theirs = np.mean([outcome.published_ratio(*pair) for outcome in outcomes])
        means += ["", f"{ours:.3f}", f"{theirs:.3f}"]
    return [*rows, means]


def confidence_summary(outcomes: Sequence[Outcome]) -> str:
    """On how many tables votes by confidence do no worse than votes by error."""
    lower = sum(o.error("confident") < o.error("boosted") for o in outcomes)
    equal = sum(o.error("confident") == o.error("boosted") for o in outcomes)
    return (
        f"Votes by confidence make fewer errors than votes by error on {lower} of "
        f"{len(outcomes)} tables, as many on {equal} (paper: 25 and 1 of 27)."
    )


ERROR_HEADINGS = ("table", "CVs", "C4.5", "paper", "bag", "paper", "boost", "paper", "conf.")
RATIO_HEADINGS = (
    *("table", "w-l", "bag / C4.5", "paper", "w-l", "boost / C4.5", "paper"),
    *("w-l", "boost / bag", "paper"),
)
PARTS = (
    ("Test error %: ours, and the paper's", ERROR_HEADINGS, error_rows),
    ("Ratios of errors, and cross-validations won and lost", RATIO_HEADINGS, ratio_rows),
)


def on_screen(title: str, headings: Iterable[str], rows: Iterable[Sequence[str]]) -> Screen:
    screen = Screen(title=title, box=SIMPLE_HEAD, show_edge=False, collapse_padding=True)
    for number, heading in enumerate(headings):
        screen.add_column(heading, justify="right" if number else "left", no_wrap=not number)
    for row in rows:
        screen.add_row(*row)
    return screen


def as_markdown(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    rule = ["---", *["---:"] * (len(headings) - 1)]
    lines = [f"| {' | '.join(cells)} |" for cells in (headings, rule, *rows)]
    return "\n".join([f"{title}:", "", *lines, ""])


def chosen_tables(names: Sequence[str], console: Console) -> dict[str, Table]:
    """The tables asked for that are here; says of the others how to get them."""
    unknown = [name for name in names if name not in PUBLISHED]
    if unknown:
        raise SystemExit(f"no table {unknown[0]!r} in the paper: {', '.join(PUBLISHED)}")
    loaded = {name: load_table(name) for name in names or PUBLISHED}
    absent = [name for name, table in loaded.items() if table is None]
    if absent:
        console.print(
            f"Left out, since they are not here: {', '.join(absent)}. 'weaklearn data list' says "
            "how to get those that have a name; WEAKLEARN_DATA may name a folder of your own.\n"
        )
    return {name: table for name, table in loaded.items() if table is not None}


def main() -> None:
    parser = argparse.ArgumentParser(description="Quinlan's comparison of 1996, done again.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="tables of the paper; all")
    parser.add_argument("--repeats", type=int, default=1, metavar="N", help="cross-validations")
    parser.add_argument(
        "--large-repeats", type=int, default=1, metavar="N", help=f"for {LARGE:,} rows or more"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="Markdown goes there")
    options = parser.parse_args()
    start = time.perf_counter()
    console = Console()
    tables = chosen_tables(options.names, console)
    if not tables:
        raise SystemExit("none of the tables is here")
    outcomes = []
    with Console(stderr=True).status("") as status:
        for name, table in tables.items():
            status.update(f"{name}, {table.n_rows:,} rows")
            repeats = options.large_repeats if table.n_rows >= LARGE else options.repeats
            outcomes.append(compare(name, table, repeats))
    written = []
    for title, headings, rows_of in PARTS:
        rows = rows_of(outcomes)
        console.print(on_screen(title, headings, rows), "")
        written.append(as_markdown(title, headings, rows))
    summary = confidence_summary(outcomes)
    console.print(summary)
    if options.output is not None:
        options.output.write_text("\n".join([*written, summary, ""]), encoding="utf-8")
    console.print(f"\nDone in {time.perf_counter() - start:.0f} s.")


if __name__ == "__main__":
    main()
