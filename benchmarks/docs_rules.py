"""Errors, sizes and times of rulesets that docs/algorithms/rules.md reports."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

import weaklearn as wl
from benchmarks.docs_data import Content
from benchmarks.timing import alternate
from weaklearn.experiments import compare

_CHECKOUT = Path(__file__).resolve().parent.parent
#: Outputs of the original program: a part is in the repository, the others beside it.
_REFERENCES = [_CHECKOUT / "tests" / "references" / "c45rules"]
_REFERENCES += [folder / "shared" / "reference" / "c45rules" for folder in _CHECKOUT.parents]
_REFERENCE_TABLES = """
anneal auto breast-cancer credit-a diabetes glass heart-c hypo iris kr-vs-kp labor segment sonar
soybean tic-tac-toe vote waveform-5000
"""
#: The tables whose rulesets are compared with those of the original program, without letter.
REFERENCE_TABLES = _REFERENCE_TABLES.split()
_TABLES_OF_1996 = """
anneal audiology auto breast-w colic credit-a credit-g diabetes glass heart-c heart-h hepatitis hypo
iris kr-vs-kp labor letter lymph phoneme segment sick sonar soybean splice vehicle vote
waveform-5000
"""
#: The tables of Quinlan (1996), with kr-vs-kp for chess, which is not public.
TABLES_OF_1996 = _TABLES_OF_1996.split()


def two_arithmetics() -> dict[str, str]:
    """Compare the errors and sizes of both arithmetics over ten folds."""
    learners = {name: wl.RulesClassifier(arithmetic=name) for name in ("release8", "double")}
    means = compare(REFERENCE_TABLES, learners).summary()
    return {
        f"{measure}-{name}": f"{factor * means.loc[name, column]:.1f}"
        for measure, column, factor in (("error", "error", 100), ("rules", "leaves", 1))
        for name in learners
    } | {"n-reference-tables": str(len(REFERENCE_TABLES))}


def seconds_of_original(name: str) -> str:
    """Return what tree and rules took in the original program; nothing if it is not known."""
    for folder in _REFERENCES:
        path = folder / f"{name}.json"
        if path.is_file():
            run = json.loads(path.read_text())["runs"]["default"]
            return f"{run['fit_seconds_incl_io'] + run['tree_fit_seconds_incl_io']:.2g} s"
    return ""


def times(X: object, y: object) -> list[float]:
    """Return the processor time of a fit in each arithmetic."""
    single = wl.RulesClassifier(arithmetic="release8")
    double = wl.RulesClassifier()
    return [best.cpu for best in alternate(lambda: single.fit(X, y), lambda: double.fit(X, y))]


def speed() -> Content:
    """Measure fits, and how their time grows with the rows of letter."""
    rows = []
    for name in ("hypo", "kr-vs-kp", "segment", "waveform-5000"):
        table = wl.datasets.load(name)
        ours = [f"{seconds:.2g} s" for seconds in times(table.X, table.y)]
        rows.append([name, f"{len(table.X):,}", seconds_of_original(name), *ours])
    table = wl.datasets.load("letter")
    sizes = [2500, 5000, 10_000, 20_000]
    seconds = np.array([times(table.X[:n], table.y[:n]) for n in sizes])
    # The original ran on letter beside other work, so that its time there means nothing.
    rows.append(["letter", f"{sizes[-1]:,}", "", *(f"{x:.2g} s" for x in seconds[-1])])
    exponents = np.polyfit(np.log(sizes), np.log(seconds), 1)[0]
    headings = ["table", "rows", "original (tree + rules)", "`release8`", "`double`"]
    return {"speed": (headings, rows)}, {
        "exponent-release8": f"{exponents[0]:.2f}",
        "exponent-double": f"{exponents[1]:.2f}",
    }


def beside_trees() -> Content:
    """Compare rules with trees, alone and boosted."""
    models = {
        "tree": wl.C45Classifier(),
        "rules": wl.RulesClassifier(),
        "ten boosted trees": wl.AdaBoostM1Classifier(n_rounds=10),
        "ten boosted rulesets": wl.AdaBoostM1Classifier(wl.RulesClassifier(), n_rounds=10),
    }
    result = compare(TABLES_OF_1996, models, seed=100)
    if result.failures:
        raise RuntimeError(f"some models failed: {result.failures}")
    means = result.summary()
    rows = []
    for name in models:
        of = means.loc[name]
        row = [name, f"{100 * of['error']:.2f}", f"{of['error_rank']:.2f}", f"{of['log_loss']:.3f}"]
        rows.append([*row, f"{of['leaves']:,.0f}", f"{of['conditions']:,.0f}"])
    headings = ["", "mean error %", "mean rank", "log loss", "leaves or rules"]
    return {"error-and-size-beside-trees": ([*headings, "splits or conditions"], rows)}, {
        "n-tables": str(len(TABLES_OF_1996))
    }


def rules() -> Content:
    """Compute all figures of the page."""
    speed_tables, speed_figures = speed()
    tables, figures = beside_trees()
    return speed_tables | tables, two_arithmetics() | speed_figures | figures
