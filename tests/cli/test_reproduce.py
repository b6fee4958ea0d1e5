"""``weaklearn reproduce``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from weaklearn.cli import main
from weaklearn.experiments import load_problem, papers, plan_measures


@pytest.fixture
def embedded_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder, with only the embedded tables available."""
    forget_tables()
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("WEAKLEARN_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("WEAKLEARN_CACHE", str(tmp_path / "data"))
    yield tmp_path
    forget_tables()


def forget_tables() -> None:
    """Empty the caches of tables, which do not know that another folder has another iris."""
    load_problem._load.cache_clear()
    load_problem.n_rows_of_test_part.cache_clear()
    plan_measures._encoded_table.cache_clear()


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["weaklearn", *arguments])
    with pytest.raises(SystemExit) as exit_info:
        main()
    code = exit_info.value.code
    assert isinstance(code, int)
    return code


def test_it_writes_a_report_and_continues_from_its_store(
    embedded_only: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = (
        "reproduce",
        "quinlan96",
        "--quick",
        "--jobs",
        "1",
        "--datasets",
        "iris,glass,chess",
    )
    assert run(monkeypatch, *arguments, "--out", str(embedded_only / "out")) == 0
    first = capsys.readouterr()
    assert "chess is left out: put chess.arff" in first.err
    assert "quinlan96: no cell can be judged, 3 are too noisy; 78 of 81 not run" in first.out
    assert (embedded_only / "out" / "report.html").is_file()
    assert run(monkeypatch, *arguments, "--out", str(embedded_only / "out")) == 0
    again = capsys.readouterr()
    assert "about" not in again.err  # no unit remained
    assert again.out.split("results ")[1][:12] == first.out.split("results ")[1][:12]


def test_the_help_lists_every_paper(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "reproduce", "--help") == 0
    printed = capsys.readouterr().out
    for paper in papers():
        assert paper in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["breiman01"], f"no plan for 'breiman01'; expected one of {', '.join(papers())}"),
        (
            ["quinlan96", "--datasets", "roses"],
            "--datasets: quinlan96 has no table 'roses'",
        ),
    ],
)
def test_unknown_names_are_errors(
    embedded_only: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    assert run(monkeypatch, "reproduce", *arguments, "--out", str(embedded_only / "out")) == 1
    assert message in capsys.readouterr().err


def test_the_folder_for_results_is_not_a_file(
    embedded_only: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (embedded_only / "out").write_text("some text")
    arguments = ("reproduce", "quinlan96", "--quick", "--out", str(embedded_only / "out"))
    assert run(monkeypatch, *arguments) == 1
    assert "out: expected a folder, got a file" in capsys.readouterr().err


def test_a_file_that_is_not_a_store_is_not_changed(
    embedded_only: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (embedded_only / "results.sqlite").write_text("some text")
    arguments = (
        "reproduce",
        "quinlan96",
        "--quick",
        "--datasets",
        "iris",
        "--out",
        str(embedded_only),
    )
    assert run(monkeypatch, *arguments) == 1
    assert "results.sqlite cannot be used as a store" in capsys.readouterr().err
    assert (embedded_only / "results.sqlite").read_text() == "some text"


def test_every_plan_runs_on_the_embedded_tables(
    embedded_only: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = "iris,titanic,majority-5,yellow-small,isolet-E,auto"
    arguments = ("reproduce", "all", "--quick", "--jobs", "1", "--datasets", names)
    assert run(monkeypatch, *arguments, "--out", str(embedded_only / "out")) == 0
    printed = capsys.readouterr()
    assert "isolet-E is left out: " in printed.err
    for paper in papers():
        assert f"{paper}: " in printed.out
