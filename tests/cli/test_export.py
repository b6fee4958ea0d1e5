"""``weaklearn export``."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import GOLF, run, run_json, run_well
from weaklearn.export.registry import TARGETS


@pytest.fixture
def model(tmp_path: Path) -> Path:
    data, saved = tmp_path / "golf.csv", tmp_path / "golf.json"
    data.write_text(GOLF)
    run_well("fit", data, "-o", saved)
    return saved


def test_export_to_c_and_javascript(model: Path, tmp_path: Path) -> None:
    stem = tmp_path / "exported"
    printed = run_well("export", model, "--to", "c", "-o", f"{stem}.c").stdout
    assert printed == f"saved in {stem}.h and {stem}.c\n"
    assert "int exported_predict(const double *row);" in Path(f"{stem}.h").read_text()
    printed = run_json("export", model, "--to", "js", "-o", f"{stem}.mjs")
    assert printed == {"model": "C45Classifier", "to": "js", "saved": [f"{stem}.mjs"]}
    assert "export function predict(row)" in Path(f"{stem}.mjs").read_text()


def test_export_to_sql(model: Path, tmp_path: Path) -> None:
    run_well("export", model, "--to", "sql", "-o", tmp_path / "golf.sql")
    assert (tmp_path / "golf.sql").read_text().startswith("WITH s0 AS MATERIALIZED (")


def test_export_to_onnx_in_float32(model: Path, tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="exporting to ONNX needs onnx")
    types = []
    for options in ((), ("--float32",)):
        run_well("export", model, "--to", "onnx", *options, "-o", tmp_path / "golf.onnx")
        exported = onnx.load(tmp_path / "golf.onnx").graph
        (number,) = (x for x in exported.input if x.name == "humidity")
        types.append(
            [x.type.tensor_type.elem_type for x in (number, exported.output[1])],
        )
    double, single = onnx.TensorProto.DOUBLE, onnx.TensorProto.FLOAT
    assert types == [[double, double], [single, single]]


def test_the_default_file_has_the_name_of_the_model(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert run_json("export", model, "--to", "js")["saved"] == ["golf.mjs"]
    assert [path.name for path in folder.iterdir()] == ["golf.mjs"]


def test_the_help_lists_the_targets() -> None:
    printed = run_well("export", "--help").stdout
    for target in TARGETS:
        assert f"{target} (" in printed
    assert "Example:  weaklearn export credit.json -o credit.c" in printed


@pytest.mark.parametrize("target", ["c", "js", "sql"])
def test_the_suffix_of_the_output_names_the_target(
    model: Path, tmp_path: Path, target: str
) -> None:
    output = tmp_path / f"golf{TARGETS[target].suffix}"
    printed = run_json("export", model, "-o", output)
    assert printed["to"] == target
    named = tmp_path / "named" / output.name
    named.parent.mkdir()
    run_well("export", model, "--to", target, "-o", named)
    assert output.read_text() == named.read_text()


def test_errors(model: Path, tmp_path: Path) -> None:
    result = run("export", model, "--to", "cobol")
    assert result.exit_code == 2
    assert "got 'cobol', expected one of " in result.stderr
    for options, got in (((), "got neither"), (("-o", "x.txt"), "got -o x.txt")):
        result = run("export", model, *options)
        assert result.exit_code == 2
        assert "expected --to onnx|sql|c|js, or -o FILE" in result.stderr
        assert got in result.stderr
    result = run("export", model, "--to", "c", "-o", tmp_path / "no" / "x.c")
    assert result.exit_code == 1
    assert "there is no folder" in result.stderr
    result = run("export", tmp_path / "none.json", "--to", "c")
    assert result.exit_code == 1
    assert "none.json" in result.stderr
    result = run("export", model, "--to", "c", "--float32", "-o", tmp_path / "x.c")
    assert result.exit_code == 2
    assert "--float32 is for --to onnx; got --to c" in result.stderr
    assert not (tmp_path / "x.c").exists()
