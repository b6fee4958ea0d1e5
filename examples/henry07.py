"""The comparison of Henry, Nock and Nielsen, done again beside their figures.

C. Henry, R. Nock, F. Nielsen, "Real boosting a la carte with an application to boosting oblique
decision trees", IJCAI 2007, pp. 842-847: 25 domains of two classes, one stratified ten-fold
cross-validation each. ``python examples/henry07.py -o henry07.md`` runs the domains that are here
and says which are not; names choose among them. ``--figure margins.png`` draws Figure 4.
"""

import argparse
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Screen

import weaklearn as wl
from weaklearn.experiments import Results, cross_validate, paired_t_test, sign_test
from weaklearn.tables import Table

SEED = 0
BOOSTED = ("ODT 50", "ODT 200")
OPPONENTS = ("OC1", "unpruned", "AdaBoost")
MODELS = {
    "ODT 50": wl.BoostODTClassifier(n_stumps=50),
    "ODT 200": wl.BoostODTClassifier(n_stumps=200),
    "OC1": wl.OC1Classifier(),
    "unpruned": wl.OC1Classifier(validation_share=0),
    "AdaBoost": wl.AdaBoostM1Classifier(wl.C45Classifier(prune=False), n_rounds=5),
}
#: Which column of the paper's Table 1 a model is compared with. It does not say whether OC1 pruned.
COLUMNS = {"ODT 50": 0, "ODT 200": 1, "OC1": 2, "unpruned": 2, "AdaBoost": 3}
#: Error % of BoostODT with 50 and with 200 stumps, OC1 and AdaBoost in the paper's Table 1.
PUBLISHED = {
    "adult-stretch": (0.00, 0.00, 0.15, 0.00),
    "breast-cancer": (28.67, 27.27, 37.76, 33.92),
    "breast-w": (3.72, 3.86, 6.01, 4.43),
    "bupa": (28.12, 28.12, 37.97, 31.59),
    "colic": (17.66, 18.21, 23.91, 18.21),
    "colic-orig": (13.86, 15.76, 16.03, 32.07),
    "credit-a": (14.64, 14.93, 20.43, 15.51),
    "credit-g": (26.50, 25.40, 31.10, 28.40),
    "diabetes": (25.91, 23.44, 34.64, 29.82),
    "hepatitis": (20.65, 18.71, 20.65, 18.71),
    "ionosphere": (7.41, 6.27, 9.12, 7.41),
    "kr-vs-kp": (3.38, 3.35, 3.69, 0.69),
    "labor": (10.53, 10.53, 15.79, 12.28),
    "led-even": (15.25, 14.75, 9.75, 10.50),
    "led-even-17": (22.75, 21.50, 38.25, 30.75),
    "monks-1": (25.36, 25.36, 0.00, 2.16),
    "monks-2": (1.00, 0.67, 0.33, 26.96),
    "monks-3": (1.44, 2.17, 2.71, 2.53),
    "mushroom": (0.00, 0.00, 0.05, 0.00),
    "parity": (47.66, 47.27, 46.88, 44.14),
    "sick": (2.15, 1.91, 2.41, 1.09),
    "sonar": (13.94, 12.50, 33.17, 18.27),
    "vote": (3.91, 3.45, 4.37, 5.29),
    "xd6": (20.57, 18.77, 5.33, 5.40),
    "yellow-small": (0.00, 0.00, 0.00, 0.00),
}


def _with_test_rows(name: str) -> Table | None:
    """The published training rows and test rows as one table: as many rows as the paper's."""
    if not _is_here(name):
        return None
    table = wl.datasets.load(name)
    every = wl.datasets.make_monks(int(name[-1]))  # what the published test rows are
    X = pd.concat([table.X.astype(str), every.X.astype(str).set_axis(table.X.columns, axis=1)])
    y = pd.concat([table.y.astype(str), every.y.astype(str)])
    return Table(name=name, X=X.reset_index(drop=True), y=y.reset_index(drop=True))


def _is_here(name: str) -> bool:
    return any(entry.name == name and entry.here for entry in wl.datasets.available())


#: Artificial domains. The paper does not say how many rows they have, nor their noise: each error
#: that it prints is a multiple of one row, which tells the number; the noise is the least that
#: fits. See docs/henry07.md.
GENERATED: dict[str, Callable[[], Table | None]] = {
    "adult-stretch": lambda: wl.datasets.make_balloons("adult-stretch"),
    "yellow-small": lambda: wl.datasets.make_balloons("yellow-small"),
    "led-even": lambda: wl.datasets.make_led_even(400, random_state=SEED),
    "led-even-17": lambda: wl.datasets.make_led_even(400, irrelevant=17, random_state=SEED),
    "monks-1": lambda: _with_test_rows("monks-1"),
    "monks-2": lambda: _with_test_rows("monks-2"),
    "monks-3": lambda: _with_test_rows("monks-3"),
    "parity": lambda: wl.datasets.make_parity(16, 256, random_state=SEED),
    "xd6": lambda: wl.datasets.make_xd6(3000, class_noise=0.05, random_state=SEED),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one domain: the results of each model over the same folds, and their times."""

    name: str
    results: dict[str, Results]
    seconds: dict[str, float]

    def error(self, model: str) -> float:
        """Mean error in percent."""
        return 100 * self.results[model].error.mean

    def published(self, model: str) -> float:
        return PUBLISHED[self.name][COLUMNS[model]]

    def gain(self, model: str, other: str) -> float:
        """By how much a model's error is the lower, where a t-test over folds is sure; else 0."""
        test = paired_t_test(self._by_fold(model), self._by_fold(other))
        return test.difference if test.p < 0.05 else 0.0

    def noise(self, model: str) -> float:
        """Two standard errors of the error, in percent, from its variance between folds."""
        return 200 * self.results[model].error.standard_error

    def _by_fold(self, model: str) -> np.ndarray:
        """Error rates of the folds of the first repeat: further ones test the same rows again."""
        folds = [fold for fold in self.results[model].folds if fold.repeat == 0]
        return np.array([fold.test_errors / fold.n_test for fold in folds])


def load_table(name: str) -> Table | None:
    """The table of a domain, or None if it is not here."""
    if name in GENERATED:
        return GENERATED[name]()
    return wl.datasets.load(name) if _is_here(name) else None


def compare(name: str, table: Table, n_repeats: int = 1) -> Outcome:
    """Cross-validate all models on a table, with the same folds."""
    results, seconds = {}, {}
    for model, classifier in MODELS.items():
        start = time.process_time()
        results[model] = cross_validate(
            classifier, table.X, table.y, n_repeats=n_repeats, seed=SEED
        )
        seconds[model] = time.process_time() - start
    return Outcome(name, results, seconds)


def error_rows(outcomes: Sequence[Outcome], absent: Iterable[str]) -> list[list[str]]:
    """A row per domain: ours and the paper's. A star: further apart than the noise of folds."""
    rows = []
    for outcome in outcomes:
        cells = [outcome.name, f"{outcome.results['OC1'].n_rows:,}"]
        for model in MODELS:
            ours, theirs = outcome.error(model), outcome.published(model)
            # The paper's figure is one draw of folds too, so both have that noise.
            far = abs(ours - theirs) > max(outcome.noise(model) * np.sqrt(2), 0.01)
            cells.append(f"{ours:.2f}{'*' if far else ''}")
            if model != "OC1":  # its figures follow those of the tree that was not pruned
                cells.append(f"{theirs:.2f}")
        rows.append(cells)
    return [*rows, *([name, "not here", *[""] * (len(ERROR_HEADINGS) - 2)] for name in absent)]


def test_rows(outcomes: Sequence[Outcome]) -> list[list[str]]:
    """A row per pair: domains won and lost, the sign test, those won and lost significantly."""
    rows = []
    for boosted in BOOSTED:
        for other in OPPONENTS:
            ours = [[outcome.error(model) for outcome in outcomes] for model in (boosted, other)]
            theirs = [
                [outcome.published(model) for outcome in outcomes] for model in (boosted, other)
            ]
            gains = [outcome.gain(boosted, other) for outcome in outcomes]
            rows.append(
                [
                    f"{boosted} against {other}",
                    wins_and_losses(*ours),
                    wins_and_losses(*theirs),
                    f"{sum(gain > 0 for gain in gains)}-{sum(gain < 0 for gain in gains)}",
                ]
            )
    return rows


def wins_and_losses(first: Sequence[float], second: Sequence[float]) -> str:
    """The sign test of two columns of errors, as they are printed."""
    test = sign_test(np.round(first, 2), np.round(second, 2))
    p = f"p = {test.p:.3f}" if test.p >= 0.0005 else "p < 0.001"
    return f"{test.wins}-{test.losses}-{test.ties}, {p}"


def time_rows(outcomes: Sequence[Outcome]) -> list[list[str]]:
    """A row per domain: processor time of a cross-validation, and OC1's as a multiple."""
    rows = []
    for outcome in outcomes:
        cells = [outcome.name, *(f"{outcome.seconds[model]:.2f}" for model in MODELS)]
        for boosted in BOOSTED:
            cells.append(f"{outcome.seconds['OC1'] / outcome.seconds[boosted]:.0f}")
        rows.append(cells)
    return rows


ERROR_HEADINGS = (
    *("domain", "rows", "ODT 50", "paper", "ODT 200", "paper"),
    *("OC1", "unpruned", "paper", "AdaBoost", "paper"),
)
TEST_HEADINGS = ("", "won-lost-tied", "paper", "significantly won-lost")
TIME_HEADINGS = ("domain", *MODELS, *(f"OC1 / {boosted}" for boosted in BOOSTED))


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


def main() -> None:
    parser = argparse.ArgumentParser(description="Henry, Nock and Nielsen's Table 1, done again.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="domains of the paper; all")
    parser.add_argument("--repeats", type=int, default=1, metavar="N", help="cross-validations")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="Markdown goes there")
    options = parser.parse_args()
    console = Console()
    unknown = [name for name in options.names if name not in PUBLISHED]
    if unknown:
        raise SystemExit(f"no domain {unknown[0]!r} in the paper: {', '.join(PUBLISHED)}")
    tables = {name: load_table(name) for name in options.names or PUBLISHED}
    outcomes = []
    with Console(stderr=True).status("") as status:
        for name, table in tables.items():
            if table is not None:
                status.update(f"{name}, {table.n_rows:,} rows")
                outcomes.append(compare(name, table, options.repeats))
    if not outcomes:
        raise SystemExit("none of the domains is here")
    absent = [name for name, table in tables.items() if table is None]
    parts = (
        ("Test error %", ERROR_HEADINGS, error_rows(outcomes, absent)),
        ("Domains won and lost", TEST_HEADINGS, test_rows(outcomes)),
        ("Processor time of the cross-validation, in seconds", TIME_HEADINGS, time_rows(outcomes)),
    )
    for part in parts:
        console.print(on_screen(*part), "")
    if options.output is not None:
        written = [as_markdown(*part) for part in parts]
        options.output.write_text("\n".join(written), encoding="utf-8")


if __name__ == "__main__":
    main()
