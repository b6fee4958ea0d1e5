"""The tables of docs/papers are made from results: here from hand-made results of few problems."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from weaklearn.experiments import StoredResult, read_plan
from weaklearn.experiments.runnable_units import PreparedPlan
from weaklearn.experiments.work_units import WorkUnit

ROOT = Path(__file__).parents[1]
#: What a unit measured: quantities and details.
Measured = tuple[dict[str, float], dict[str, Any]]


@pytest.fixture(autouse=True)
def _checkout_is_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))


def results_of(
    paper: str, problems: list[str], measure: Callable[[WorkUnit], Measured], n_test: int = 100
) -> Any:
    """Make the results of a plan whose problems have 1,000 rows each."""
    from benchmarks.paper_tables.paper_results import PaperResults

    plan = read_plan(paper).only(problems)
    stored = {}
    for unit in plan.units():
        quantities, details = measure(unit)
        result = {"n_test": n_test, "quantities": quantities, "details": details}
        stored[unit] = StoredResult(result, None, 0.0)
    n_rows = {(name, p): 1000 for name, e in plan.experiments.items() for p in e.problems}
    return PaperResults(PreparedPlan(plan, tuple(stored), {}, {}, n_rows), stored)


def test_dietterich96() -> None:
    from benchmarks.paper_tables import dietterich96
    from benchmarks.paper_tables.paper_results import agreement_figures

    def measure(unit: WorkUnit) -> Measured:
        if unit.experiment != "criteria":
            gamma = [0.3, None, 0.1] if unit.fold else [0.1, 0.02]
            names = ("TopDown, rounds", "AdaBoost, train error", "TopDown, error")
            values = dict(zip((*names, "AdaBoost, error"), (12, 0.2, 0.25, 0.225), strict=True))
            rounds = {"gamma": gamma, "weight": gamma, "gain": gamma}
            return values, {"AdaBoost": rounds, "TopDown": rounds}
        # G has one error fewer, and its trees are smaller, but not in the second draw of pima.
        is_g = unit.learner[0] == "G"
        wrong = list(range(unit.fold + (2 if is_g else 3)))
        is_larger = unit.problem == "pima" and unit.repeat == 1
        size = 20 + unit.fold + (2 * unit.fold + 4 if is_g == is_larger else 0)
        quantities = {"error": len(wrong) / 100, "size": float(size)}
        return quantities, {"wrong_rows": wrong}

    results = results_of("dietterich96", ["pima", "kr-vs-kp"], measure)
    tables, figures = dietterich96.make_tables(results)
    rows = {row[0]: row for row in tables["errors"][1]}
    assert rows["kr-vs-kp"][1:4] == ["4 x 225 / 100", "3.50", "4.50"]
    assert rows["kr-vs-kp"][-3:] == ["1.69", "1.83", "[-0.07, 0.37]"]
    assert rows["pima"][1] == "2 x 450 / 100"
    sizes = {row[0]: row for row in tables["sizes"][1]}
    assert sizes["kr-vs-kp"][1:3] == ["21.50", "28.50"]
    assert float(sizes["kr-vs-kp"][3]) > 0
    assert sizes["pima"][-2] == "-3.000"  # the paper's trees of G are larger
    combined = {row[0]: row[1:] for row in tables["combined"][1]}
    assert combined["error: problems where G's is lower, higher"] == ["2, 0", "2, 0"]
    assert combined["size: problems where G's tree is smaller, larger"] == ["2, 0", "1, 1"]
    (pairs,) = (row for row in tables["combined"][1] if row[0].startswith("t-test"))
    assert pairs[0] == "t-test of all 6 pairs of sizes"
    assert pairs[1].endswith(f"(H larger by {(4 * 7 + 2 * 5) / 6:.2f} nodes)")
    draws = {row[0]: row for row in tables["draws"][1]}
    assert draws["pima"][-1] == "19, 1"
    assert draws["kr-vs-kp"][-1] == "20, 0"
    assert tables["rounds"][1][0][:6] == ["pima", "12.0", "20.0", "25.0", "22.5", "2"]
    assert figures["problems-smaller"] == "2"
    assert figures["draws-smaller"] == "20"
    assert figures["least-gain"] == "1.00"
    counts = agreement_figures(results)
    assert counts["n-units"] == f"{20 * 4 * 6 + 20:,}"
    assert counts["same-direction"] == "3 of 4"


def test_elomaa01() -> None:
    from benchmarks.paper_tables import elomaa01

    def measure(unit: WorkUnit) -> Measured:
        # The grid has half of the tree's errors in every fold; the budget's differ by chance.
        error = 0.1 + 0.01 * unit.fold
        if unit.learner == "grid":
            error /= 2
        if unit.learner == "budget":
            error += 0.01 * (-1) ** unit.fold
        nodes = {"tree": 10, "grid": 20, "budget": 10}.get(unit.learner, 5) + unit.fold
        return {"error": error, "internal nodes": float(nodes)}, {"graph": None}

    names = ["glass", "vote", "bupa", "sonar", "adult", "xor-7"]
    tables, figures = elomaa01.make_tables(results_of("elomaa01", names, measure))
    headings, rows = tables["accuracy"]
    assert headings == ["table", "folds", "tree", "grid", "budget", "C4.5", "tree, pruned"]
    of_table = {row[0]: row for row in rows}
    deviation = np.std(np.repeat(range(10), 10), ddof=1)
    assert of_table["glass"][1:4] == [
        "10 x 10",
        f"85.5 ± {deviation:.1f}",
        f"92.8 ± {deviation / 2:.1f}**",
    ]
    assert "*" not in of_table["glass"][4]
    assert of_table["adult"][1] == "1 x 10"
    sizes = {row[0]: row for row in tables["sizes"][1]}
    assert sizes["glass"][3] == f"24.5 ± {deviation:.1f}**"
    against = {row[0]: row[1:] for row in tables["against-tree"][1]}
    # The generated table does not count.
    assert against["grid"] == ["5-0", "5-0", "5-0", "0-5", "0-5", "0-5", f"{24.5 / 14.5:.3f}"]
    assert against["budget"][1:3] == ["0-0", "0-0"]
    assert against["budget"][-1] == "1.000"
    assert (figures["n-tables"], figures["error-wins"]) == ("6", "6")
    assert (figures["n-published"], figures["n-synthetic"]) == ("5", "1")
    assert (figures["grid-smaller"], figures["grid-larger"]) == ("0", "5")
    assert figures["grid-differing"] == "5"
    # The grid is larger and more accurate everywhere.
    assert figures["published-with-tendency"] == "0 of 5"
    assert figures["all-with-tendency"] == "0 of 6"
    assert (figures["synthetic-plain"], figures["synthetic-corrected"]) == ("0", "0")


def test_figures_of_the_tables_of_elomaa01() -> None:
    from benchmarks.paper_tables.elomaa01 import figures_of_tables

    headings = ["table", "folds", "tree", "grid", "budget"]
    accuracies = [
        ["glass", "", "80.0 ± 1.0", "81.0 ± 1.0", "79.0 ± 1.0**"],  # smaller and more accurate
        ["vote", "", "90.0 ± 1.0", "89.9 ± 1.0", "90.0 ± 1.0"],  # larger and less accurate
        ["bupa", "", "70.0 ± 1.0", "70.0 ± 1.0*", "70.0 ± 1.0"],  # as accurate
        ["xor-7", "", "70.0 ± 1.0", "71.0 ± 1.0", "72.0 ± 1.0*"],  # larger and more accurate
        ["xor-10", "", "60.0 ± 1.0", "61.0 ± 1.0", "65.0 ± 1.0**"],  # as large
        ["majority-11", "", "60.0 ± 1.0", "61.0 ± 1.0", "55.0 ± 1.0**"],  # smaller and ...
    ]
    sizes = [
        [name, "", "10.0 ± 1.0", f"{size} ± 1.0", "10.0 ± 1.0"]
        for (name, *_), size in zip(accuracies, (9.9, 11.0, 12.0, 13.0, 10.0, 9.0), strict=True)
    ]
    columns = ["", "fewer errors - more", "corrected", "smaller - larger", "corrected"]
    summary = [["grid", "2-1", "3-4", "5-6", "7-8"], ["budget", "0-0", "0-0", "0-0", "0-0"]]
    assert figures_of_tables(
        read_plan("elomaa01"),
        {
            "accuracy": (headings, accuracies),
            "sizes": (headings, sizes),
            "against-tree": (columns, summary),
        },
    ) == {
        "n-published": "3",
        "n-synthetic": "3",
        "grid-differing": "7",
        "grid-smaller": "5",
        "grid-larger": "6",
        "published-with-tendency": "2 of 2",
        "all-with-tendency": "3 of 4",
        "synthetic-plain": "2",
        "synthetic-corrected": "1",
    }


def test_henry07() -> None:
    from benchmarks.paper_tables import henry07

    def measure(unit: WorkUnit) -> Measured:
        # vote: no difference from the paper. bupa: BoostODT is far better than in the paper.
        if unit.problem == "bupa" and unit.learner.startswith("BoostODT"):
            return {"error": 0.01 + 0.001 * unit.fold}, {}
        return {"error": 0.03 + 0.02 * (unit.fold % 2)}, {}

    names = ["bupa", "vote", "labor", "sick", "sonar"]
    tables, figures = henry07.make_tables(results_of("henry07", names, measure))
    headings, rows = tables["errors"]
    assert headings[2:9] == ["ODT 50", "paper", "ODT 200", "paper", "OC1", "unpruned", "paper"]
    of_problem = {row[0]: row for row in rows}
    assert of_problem["bupa"][1:4] == ["1,000", "1.45*", "28.12"]
    assert of_problem["vote"][2:4] == ["4.00", "3.91"]
    wins = {row[0]: row[1:] for row in tables["wins"][1]}
    assert wins["ODT 50 against OC1"] == ["1-0-4, p = 1.000", "5-0-0, p = 0.062", "1-0"]
    assert wins["ODT 50 against AdaBoost"][2] == "1-0"
    stars = {
        name: [row[headings.index(name)].endswith("*") for row in rows]
        for name in henry07.SHORT.values()
    }
    n_stars = sum(stars["ODT 50"]) + sum(stars["ODT 200"])
    assert (figures["odt-cells"], figures["odt-differing"]) == ("10", str(n_stars))
    n_stars = sum(stars["OC1"]) + sum(stars["unpruned"]) + sum(stars["AdaBoost"])
    assert (figures["others-cells"], figures["others-differing"]) == ("15", str(n_stars))


def test_quinlan96() -> None:
    from benchmarks.paper_tables import quinlan96

    errors = {"iris": (0.04, 0.05, 0.02, 0.02), "vote": (0.08, 0.04, 0.02, 0.03)}

    def measure(unit: WorkUnit) -> Measured:
        of_problem = dict(zip(quinlan96.SHORT, errors[unit.problem], strict=True))
        error = of_problem[unit.learner]
        if unit.problem == "iris" and unit.learner == "bagged" and unit.repeat < 3:
            error = 0.03
        return {"error": error}, {}

    tables, figures = quinlan96.make_tables(results_of("quinlan96", list(errors), measure))
    headings, rows = tables["errors"]
    assert headings == ["table", "C4.5", "paper", "bag", "paper", "boost", "paper", "conf."]
    published = read_plan("quinlan96").published["table1"]
    mean = np.mean([published[name]["bag_err"] for name in errors])
    assert rows[-1][4] == f"{mean:.2f}"
    assert rows[-1][1::2] == ["6.00", "4.20", "2.00", "2.50"]
    _, ratios = tables["ratios"]
    assert ratios[0][:3] == ["iris", "3-7", "1.100"]
    assert ratios[-1][:3] == ["mean", "", "0.800"]
    assert figures["n-tables"] == "2"
    assert (figures["bag-c45-lower"], figures["bag-c45-higher"]) == ("1", "1")
    assert (figures["conf-boost-lower"], figures["conf-boost-higher"]) == ("0", "1")
    assert figures["confidence-gain"] == "-25.0"


def test_tamon00() -> None:
    from benchmarks.paper_tables import tamon00

    asked = read_plan("tamon00").experiments["study"].measure["sizes"]

    def measure(unit: WorkUnit) -> Measured:
        if unit.experiment == "pruned":
            members = 30 - 10 * (unit.fold == 0)
            pruned = {
                f"{method} {rate}": 0.2 + index * (1 - rate) / 10
                for index, method in enumerate(tamon00.SHORT)
                for rate in (0.9, 0.8, 0.7, 0.6, 0.5)
            }
            return {"error": 0.2, "members": members, **pruned}, {}
        # A committee of n members loses 1 / n points, by kappa twice as many.
        members = 60 if unit.problem == "splice" and unit.fold == 0 else 200
        sizes = [size for size in asked if size < members] + [members]
        losses = {method: 0.02 if method == "kappa" else 0.01 for method in tamon00.SHORT}
        errors = {
            method: [0.1 + loss / size * (size < members) for size in sizes]
            for method, loss in losses.items()
        }
        return {"error": 0.1, "members": members}, {"sizes": sizes, "errors": errors}

    results = results_of("tamon00", ["auto", "segment", "splice"], measure)
    tables, figures = tamon00.make_tables(results)
    assert tables["committees"][1] == [
        ["auto", "29.0", "20", "1", "10.00", "22.40", "20.00", "17.40"]
    ]
    pruned = {row[1]: row for row in tables["pruned"][1]}
    assert pruned["0.5"] == [*("auto", "0.5", "20.00", "22.40", "25.00", "22.40", "30.00", "35.00")]
    assert tables["losses"][1][0] == ["0.9", "0.0", "1.0", "2.0", "3.0"]
    smallest = {row[0]: row[1:] for row in tables["smallest"][1]}
    assert smallest["segment"] == ["200", "10.00", "5", "2", "2", "2"]
    assert smallest["splice"][:2] == ["60 to 200", "10.00"]
    by_size = {row[0]: row[1:] for row in tables["losses-by-size"][1]}
    assert by_size["5"] == ["2", "0.4", "0.2", "0.2", "0.2", "0.2"]
    assert by_size["80"][0] == "1"  # a committee of splice has 60 members
    # Shifted votes lose a tenth of what is pruned.
    assert (figures["shift-least"], figures["shift-most"]) == ("-5.0", "-1.0")


@pytest.mark.parametrize("paper", ["elomaa01", "henry07", "tamon00"])
def test_figures_follow_from_the_tables_beside_them(paper: str) -> None:
    """Check the figures that are made from tables alone in the files themselves."""
    maker = importlib.import_module(f"benchmarks.paper_tables.{paper}")
    document = json.loads((ROOT / f"docs/data/{paper}.json").read_text(encoding="utf-8"))
    tables = {name: (of["headings"], of["rows"]) for name, of in document["tables"].items()}
    arguments = (read_plan(paper), tables) if paper == "elomaa01" else (tables,)
    figures = maker.figures_of_tables(*arguments)
    assert figures.items() <= document["figures"].items()


def test_a_run_that_is_not_whole_is_refused(tmp_path: Path) -> None:
    from benchmarks.paper_tables.paper_results import read_results

    with pytest.raises(SystemExit, match=r"has 0 of .* results of elomaa01 by this version"):
        read_results(tmp_path, "elomaa01")


def test_printed_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from benchmarks import printed_tables

    monkeypatch.setattr(printed_tables, "DATA", tmp_path)
    printed = tmp_path / "printed.md"
    printed.write_text("A:\n\n| a | b |\n| --- | ---: |\n| x, y | 1 |\n\nB:\n\n| c |\n|---|\n| |\n")
    monkeypatch.setattr(sys, "argv", ["", "elomaa01_xor", str(printed)])
    printed_tables.main()
    written = (tmp_path / "elomaa01_xor.json").read_text()
    assert (
        '"truth-tables": {\n   "headings": ["a", "b"],\n   "rows": [\n    ["x, y", "1"]' in written
    )
    monkeypatch.setattr(sys, "argv", ["", "elomaa01_levels", str(printed)])
    with pytest.raises(SystemExit):
        printed_tables.main()
    assert "has 2 tables; expected levels" in capsys.readouterr().err
