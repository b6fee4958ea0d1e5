"""Options about columns, such as --ignore, and notes in the terms of the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import weaklearn as wl
from command_line import run, run_well


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    lines = ["id,when,x,age,zip,y"]
    for i in range(200):
        x = rng.normal()
        day = f"{rng.integers(1, 29):02}/{rng.integers(1, 13):02}/2020"
        age = -999 if i % 20 == 0 else rng.integers(20, 80)
        label = "" if i < 30 else "true" if x > rng.normal() / 2 else "false"
        text = "unknown" if i % 50 == 1 else f"{x:.3f}"
        lines.append(f"{i + 7000},{day},{text},{age},{rng.integers(100, 110)},{label}")
    path = tmp_path / "messy.csv"
    path.write_text("\n".join(lines))
    return path


def test_notes_have_the_option_to_type(messy):
    notes = json.loads(run_well("data", "info", messy, "--json").stdout)["notes"]
    assert notes[0] == "30 of 200 rows have no class and are left out"
    text = " ".join(notes)
    for remedy in ("--ignore id.", "--missing -999.", "--missing unknown."):
        assert remedy in text
    assert "=[" not in text
    options = ("--ignore", "id", "--missing", "unknown", "--missing", "-999")
    notes = json.loads(run_well("data", "info", messy, *options, "--json").stdout)["notes"]
    assert notes == ["30 of 200 rows have no class and are left out"]


def test_columns_are_described_by_their_options(messy):
    options = ("--nominal", "zip", "--ignore", "id", "--missing", "unknown", "--json")
    document = json.loads(run_well("data", "info", messy, *options).stdout)
    kind_of = {feature["name"]: feature["kind"] for feature in document["features"]}
    assert kind_of == {"when": "date", "x": "continuous", "age": "continuous", "zip": "nominal"}
    when = document["features"][0]
    assert when["range"][0].startswith("2020-01-")
    result = run("data", "info", messy, "--continuous", "x")
    assert "expected a number" in result.stderr


def test_a_model_reads_other_files_as_its_training_file(messy, tmp_path):
    model = tmp_path / "model.json"
    options = ("--ignore", "id", "--missing", "unknown", "--missing", "-999")
    fitted = run_well("fit", messy, "-o", model, *options)
    assert "suspicious" not in fitted.stderr
    loaded = wl.load(model)
    assert loaded.ignore == ["id"]
    table = wl.read(messy, ignore="id", missing_values=[*wl.MISSING_TEXTS, "unknown", -999])
    expected = loaded.predict(table.X).tolist()

    # All these dates fit both orders, and one column is absent.
    header, *rows = messy.read_text().splitlines()
    ambiguous = [row for row in rows[30:] if int(row.split(",")[1][:2]) <= 12]
    new = tmp_path / "new.csv"
    new.write_text("\n".join(row.partition(",")[2] for row in [header, *ambiguous]))
    document = json.loads(run_well("predict", model, new, "--json").stdout)
    kept = [expected[rows.index(row) - 30] for row in ambiguous]
    assert document["predictions"] == kept
    labels = [row.rpartition(",")[2] == "true" for row in ambiguous]
    assert document["errors"] == sum(a != b for a, b in zip(kept, labels, strict=True))


def test_evaluate_takes_the_options(messy):
    options = (
        "--folds",
        "2",
        "--ignore",
        "id",
        "--missing",
        "unknown",
        "--missing",
        "-999",
    )
    result = run_well("evaluate", messy, *options)
    assert result.stderr.splitlines() == ["note: 30 of 200 rows have no class and are left out"]


def test_a_table_by_name_can_leave_out_columns():
    document = json.loads(run_well("data", "info", "titanic", "--ignore", "sex", "--json").stdout)
    assert [feature["name"] for feature in document["features"]] == ["class", "age"]
    assert "did you mean 'sex'" in run("data", "info", "titanic", "--ignore", "sx").stderr
    assert "for files" in run("data", "info", "titanic", "--missing", "x").stderr


def test_declared_values_of_a_file_stay_values(tmp_path):
    path = tmp_path / "t.arff"
    path.write_text(
        "@relation r\n@attribute a {NA,x}\n@attribute c {y,n}\n@data\n" + "NA,y\nx,n\n" * 3
    )
    options = ("--missing", "x", "--json")
    (feature,) = json.loads(run_well("data", "info", path, *options).stdout)["features"]
    assert feature["missing"] == 3


def test_where_missing_values_go_is_an_option_of_the_model(messy, tmp_path):
    model = tmp_path / "model.json"
    options = ("--ignore", "id", "--missing", "unknown", "--missing-rule", "branch")
    run_well("fit", messy, "-o", model, *options)
    assert wl.load(model).missing == "branch"
    assert "or missing" in run_well("show", model).stdout
    assert "expected one of fraction, branch" in run("fit", messy, "--missing-rule", "x").stderr
