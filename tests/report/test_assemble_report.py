"""The data of a report: its numbers are those of the results, and its sentences fit them."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from small_plan import small_plan
from weaklearn.experiments import PlanResults, Store, StoredResult, prepare, run_units
from weaklearn.report import make_paper_data, make_report_data, to_markdown
from weaklearn.report.csv_files import comparison_to_csv, table_to_csv


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> PlanResults:
    prepared = prepare(small_plan())
    with Store(Path(tmp_path_factory.mktemp("store") / "r.sqlite"), "1") as store:
        return PlanResults(prepared, run_units(prepared.units, store))


@pytest.fixture(scope="module")
def paper(results: PlanResults) -> dict[str, Any]:
    return make_paper_data(results)


@pytest.fixture(scope="module")
def report(results: PlanResults) -> dict[str, Any]:
    return make_report_data([results], code="1", digest="d", seconds=3.0)


def test_the_data_can_be_written_as_json(report: dict[str, Any]) -> None:
    assert json.loads(json.dumps(report, allow_nan=False)) is not None


def test_cells_hold_our_value_the_papers_and_the_difference(
    results: PlanResults, paper: dict[str, Any]
) -> None:
    table = paper["tables"][0]
    row = next(row for row in table["rows"] if row["problem"] == "iris")
    tree, bag, oracle = row["cells"]
    errors = results.values("folds", "iris", "tree", "error")
    assert errors is not None
    assert tree["ours"] == pytest.approx(100 * errors.estimate.mean)
    assert tree["paper"] == 5.0
    assert tree["difference"] == pytest.approx(tree["ours"] - 5.0)
    assert tree["low"] < 5.0 < tree["high"]
    assert tree["verdict"] == "too noisy"  # 37 rows in a fold tell little
    assert bag["verdict"] == "differs"  # the small plan publishes an error of 80%
    assert oracle["ours"] is None
    assert oracle["verdict"] is None
    assert row["trials"] == "2 x 4"
    assert row["n_rows"] == 150


def test_means_are_over_problems_with_a_value_in_every_column(paper: dict[str, Any]) -> None:
    table = paper["tables"][0]
    here = [row for row in table["rows"] if not row["absent"]]
    for number in (0, 1):
        mean = table["means"][number]
        assert mean["n_problems"] == 2
        assert mean["ours"] == pytest.approx(sum(r["cells"][number]["ours"] for r in here) / 2)
        assert mean["paper"] == pytest.approx(sum(r["cells"][number]["paper"] for r in here) / 2)


def test_an_absent_table_is_a_row_that_says_how_to_get_it(paper: dict[str, Any]) -> None:
    table = paper["tables"][0]
    (lost,) = (row for row in table["rows"] if row["absent"])
    assert lost["problem"] == "lost"
    assert "put no-such-table.arff" in lost["absent"]
    assert table["learner_absent"] == [
        None,
        None,
        "this version of weaklearn has no OracleClassifier",
    ]
    assert [entry["what"] for entry in paper["absent"]] == ["the table lost", "the learner oracle"]


def test_the_verdict_counts_the_cells(paper: dict[str, Any]) -> None:
    cells = [c for t in paper["tables"] for r in t["rows"] for c in r["cells"]]
    verdicts = Counter(cell["verdict"] for cell in cells)
    n_agreeing, n_differing = verdicts["agrees"], verdicts["differs"]
    assert (paper["n_agreeing"], paper["n_differing"]) == (n_agreeing, n_differing)
    assert n_agreeing + n_differing + paper["n_too_noisy"] == 4
    assert paper["n_not_run"] == 2  # those of the table that is absent
    assert len(paper["differing"]) == n_differing
    assert paper["differing"][0]["heading"] == "bag"
    assert paper["verdict"].startswith(
        f"small: {n_agreeing} of {n_agreeing + n_differing} cells agree with the paper; "
        f"{paper['n_too_noisy']} more are too noisy to judge; 2 of 6 not run; "
    )


def test_a_reduced_plan_says_what_it_left_out(tmp_path: Path) -> None:
    prepared = prepare(small_plan().only(["iris"]))
    with Store(tmp_path / "r.sqlite", "1") as store:
        paper = make_paper_data(PlanResults(prepared, run_units(prepared.units, store)))
    assert paper["n_not_run"] == 4
    assert "; 4 of 6 not run; " in paper["verdict"]


def test_comparisons_count_problems_and_repeats(paper: dict[str, Any]) -> None:
    comparison = paper["comparisons"][0]
    overall = comparison["overall"]
    assert [row["problem"] for row in comparison["rows"]] == ["iris", "monks"]
    lower = sum(row["first"] < row["second"] for row in comparison["rows"])
    assert overall["wins"] == lower
    for row in comparison["rows"]:
        assert row["wins"] + row["ties"] + row["losses"] == 2
        assert row["ratio"] == pytest.approx(row["first"] / row["second"])
    # The published errors are 80 against 5, and 2 against 3.
    assert (overall["paper"]["wins"], overall["paper"]["losses"]) == (1, 1)
    assert comparison["rows"][0]["paper"] == {"ratio": 0.9}
    assert f"on {lower} of 2 problems" in comparison["sentences"][0]
    differ = [row for row in comparison["rows"] if row["first"] != row["second"]]
    same = sum((r["first"] < r["second"]) == (r["problem"] == "monks") for r in differ)
    assert f"on {same} of {len(differ)} problems." in comparison["sentences"][1]
    assert f"is better in {same} of {len(differ)} comparisons" in paper["verdict"]


def test_there_is_no_test_over_fewer_than_five_problems(paper: dict[str, Any]) -> None:
    comparison = paper["comparisons"][0]
    assert comparison["overall"]["sign_p"] is None
    assert comparison["overall"]["t_p"] is None
    assert comparison["overall"]["paper"]["sign_p"] is None
    assert "too few problems for a two-tailed sign test" in comparison["sentences"][0]


def test_every_figure_has_something_to_draw(paper: dict[str, Any]) -> None:
    kinds = [figure["kind"] for figure in paper["figures"]]
    assert kinds == [
        *("stages", "advantages", "split_advantages", "sizes_and_errors"),
        *("pruning", "graph", "points"),
    ]
    for figure in paper["figures"]:
        assert figure["panels"]
        for panel in figure["panels"]:
            if figure["kind"] != "graph":
                assert panel["series"]
            for series in panel["series"]:
                assert len(series["x"]) == len(series["y"]) > 0
    names = [x["name"] for kind in ("tables", "comparisons", "figures") for x in paper[kind]]
    assert len(set(names)) == len(names)


def test_an_experiment_without_problems_is_not_shown() -> None:
    prepared = prepare(small_plan().only(["titanic"]))
    paper = make_paper_data(
        PlanResults(prepared, {unit: StoredResult(None, "no", 0.0) for unit in prepared.units})
    )
    assert [table["title"] for table in paper["tables"]] == ["Pruned"]
    assert paper["comparisons"] == []
    assert paper["figures"] == []
    assert len(paper["failures"]) == len(prepared.units)


def test_markdown_has_every_table_and_number(report: dict[str, Any]) -> None:
    text = to_markdown(report)
    for table in report["papers"][0]["tables"]:
        assert f"### {table['title']}" in text
        for row in table["rows"]:
            for cell in row["cells"]:
                assert cell["ours"] is None or f"{cell['ours']:.{cell['shown']}f}" in text
    assert "| lost | not here: put no-such-table.arff" in text
    assert "| bag (this" not in text
    assert "oracle (this version of weaklearn has no OracleClassifier)" in text


def test_csv_files_hold_the_same_numbers(report: dict[str, Any]) -> None:
    table = report["papers"][0]["tables"][0]
    rows = list(csv.DictReader(io.StringIO(table_to_csv(table))))
    assert len(rows) == 3 * 3
    cells = [cell for row in table["rows"] for cell in row["cells"]]
    for row, cell in zip(rows, cells, strict=True):
        assert (float(row["ours"]) if row["ours"] else None) == cell["ours"]
        assert row["verdict"] == (cell["verdict"] or "")
    comparison = report["papers"][0]["comparisons"][0]
    rows = list(csv.DictReader(io.StringIO(comparison_to_csv(comparison))))
    assert [float(row["ratio"]) for row in rows] == [r["ratio"] for r in comparison["rows"]]
    assert [float(row["paper ratio"]) for row in rows] == [0.9, 0.7]
