"""``weaklearn reproduce`` from the shell."""

from __future__ import annotations

from pathlib import Path

import pytest

from weaklearn.cli import main


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With the embedded tables alone."""
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("WEAKLEARN_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("WEAKLEARN_CACHE", str(tmp_path / "data"))
    return tmp_path


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["weaklearn", *arguments])
    with pytest.raises(SystemExit) as left:
        main()
    code = left.value.code
    assert isinstance(code, int)
    return code


def test_it_writes_a_page_and_goes_on_from_its_store(
    alone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("reproduce", "quinlan96", "--quick", "--jobs", "1", "--datasets", "iris,glass,chess")
    assert run(monkeypatch, *asked, "--out", str(alone / "out")) == 0
    first = capsys.readouterr()
    assert "chess is left out: put chess.arff" in first.err
    assert "quinlan96: 3 of 3 cells agree" in first.out
    assert (alone / "out" / "report.html").is_file()
    assert run(monkeypatch, *asked, "--out", str(alone / "out")) == 0
    again = capsys.readouterr()
    assert "about" not in again.err  # nothing was left to do
    assert again.out.split("results ")[1][:12] == first.out.split("results ")[1][:12]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["breiman01"], "there is no plan for 'breiman01'; expected one of dietterich96"),
        (["quinlan96", "--datasets", "roses"], "there is no problem 'roses' in quinlan96"),
    ],
)
def test_what_is_not_there_is_refused(
    alone: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    assert run(monkeypatch, "reproduce", *arguments, "--out", str(alone / "out")) == 1
    assert message in capsys.readouterr().err


def test_a_file_that_is_no_store_is_left_alone(
    alone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (alone / "results.sqlite").write_text("my diary")
    asked = ("reproduce", "quinlan96", "--quick", "--datasets", "iris", "--out", str(alone))
    assert run(monkeypatch, *asked) == 1
    assert "results.sqlite cannot be used as a store" in capsys.readouterr().err
    assert (alone / "results.sqlite").read_text() == "my diary"


def test_every_plan_goes_as_far_as_the_embedded_tables_do(
    alone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = "iris,titanic,majority-5,yellow-small,isolet-E,auto"
    asked = ("reproduce", "all", "--quick", "--jobs", "1", "--datasets", names)
    assert run(monkeypatch, *asked, "--out", str(alone / "out")) == 0
    said = capsys.readouterr()
    assert "isolet-E is left out: " in said.err
    for paper in ("dietterich96", "elomaa01", "henry07", "quinlan96", "tamon00"):
        assert f"{paper}: " in said.out
