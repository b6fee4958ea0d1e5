"""Errors and warnings are one line each, in the terms of the command line."""

import json

import pytest

import weaklearn as wl
from command_line import GOLF, run, run_well
from weaklearn.cli.errors import in_option_terms, one_line


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["fit", "no.csv", "-o", "m.json"], 1, "no.csv does not exist"),
        (["fit", "irs", "-o", "m.json"], 1, "did you mean 'iris'"),
        (["fit", "iris", "--target", "x", "-o", "m.json"], 1, "leave out --target, --nominal, "),
        (["fit", "GOLF", "--target", "pley", "-o", "m.json"], 1, "did you mean 'play'"),
        (["fit", "GOLF", "-o", "m.txt"], 1, "ends in .wl, .json"),
        (["fit", "GOLF", "-o", "no/m.json"], 1, "there is no folder no"),
        (["fit", "GOLF"], 2, "-o"),
        (
            ["fit", "GOLF", "-o", "m.json", "--criterion", "x"],
            2,
            "one of gain_ratio, gain, gini",
        ),
        (["fit", "GOLF", "-o", "m.json", "--confidence", "2"], 2, "a number > 0 and <= 1"),
        (["fit", "GOLF", "-o", "m.json", "--max-depth", "1.5"], 2, "a whole number >= 0"),
        (["fit", "GOLF", "-o", "m.json", "--model", "x"], 2, "expected one of c45"),
        (["fit", "GOLF", "-o", "m.json", "--jobs", "0"], 1, "--jobs 0: expected a whole number"),
        (["evaluate", "GOLF", "--models", "c45,x"], 2, "got 'x', expected one of c45"),
        (["evaluate", "GOLF", "--folds", "99"], 1, "at most 14, the number of rows"),
        (["evaluate", "GOLF", "--folds", "0"], 1, "--folds must be a whole number"),
        (["show", "BROKEN"], 1, "it is not JSON"),
        (["show", "MODEL", "--format", "x"], 2, "text, rules, dot, json, html, plot"),
        (["show", "MODEL", "--format", "plot"], 1, "-o tree.png"),
        (["predict", "MODEL", "FEWER"], 1, "now missing: windy"),
        (["predict", "GOLF", "GOLF"], 1, "it is not JSON"),
        (["predict", "MODEL", "GOLF", "-o", "no/out.csv"], 1, "no/out.csv: No such file"),
        (["data", "fetch", "iris"], 1, "needs no fetching"),
        (["nonsense"], 2, "No such command 'nonsense'. Try: "),
        (["fitt", "GOLF"], 2, "No such command 'fitt'. Did you mean 'fit'? Try: "),
        (["fit", "GOLF", "-o", "m.json", "--min-objects", "0"], 2, "expected a number > 0. Try"),
        (["fit", "GOLF", "-o", "m.json", "--nominal", "play", "--continuous", "play"], 1, "--nomi"),
        (
            ["fit", "GOLF", "-o", "m.json", "--merge", "width", "--model", "program"],
            1,
            "no --max-w",
        ),
        (["evaluate", "GOLF", "--jobs", "0"], 1, "--jobs 0: expected a whole number"),
        (["fit", "--nonsense"], 2, "--nonsense"),
    ],
)
def test_an_error_is_one_line(arguments, code, message, golf, model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fewer = tmp_path / "fewer.csv"
    fewer.write_text("\n".join(",".join(line.split(",")[:3]) for line in GOLF.splitlines()))
    broken = tmp_path / "broken.json"
    broken.write_text(model.read_text()[:-20])
    paths = {"GOLF": golf, "MODEL": model, "FEWER": fewer, "BROKEN": broken}
    result = run(*(paths.get(argument, argument) for argument in arguments))
    assert result.exit_code == code
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr


def test_a_bare_graph_cannot_predict(golf, model):
    wl.load(model).tree_.save(model)
    result = run("predict", model, golf)
    assert result.exit_code == 1
    assert "is a graph without its classifier" in result.stderr
    assert run_well("show", model).stdout


def test_an_internal_error_asks_for_a_report(golf, tmp_path, monkeypatch):
    def fail(*_arguments):
        raise ZeroDivisionError

    monkeypatch.setattr("weaklearn.cli.commands.fit.read_table", fail)
    result = run("fit", golf, "-o", tmp_path / "m.json")
    assert result.exit_code == 1
    assert "ZeroDivisionError" in result.stderr
    assert result.stderr.endswith("please report the lines above\n")


def test_warnings_are_one_line_on_stderr(tmp_path):
    path = tmp_path / "small.csv"
    path.write_text("x,z,y\n" + "".join(f"{i * 1e-9},{i},{i // 10}\n" for i in range(20)))
    result = run_well("fit", path, "-o", tmp_path / "m.json", "--json")
    assert result.stderr.startswith("warning: C45Classifier does not separate values")
    assert result.stderr.count("\n") == 1
    assert json.loads(result.stdout)["rows"] == 20


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("merge='grid' is for two classes", "--merge grid is for two classes"),
        ("say n_jobs=2, not n_jobs", "say --jobs 2, not --jobs"),
        ("n_jobs=0: n_jobs must be >= 1", "--jobs 0: must be >= 1"),
        ("rate must be above 0, got rate", "--rate must be above 0, got rate"),
        ("use prune=False or prune=True.", "use --no-prune or --prune."),
        ("got max_width=None, and rate=0.5.", "got no --max-width, and --rate 0.5."),
        (
            "nominal=['a'] or nominal=[...] or nominal=",
            "--nominal a or --nominal COLUMN or --nominal",
        ),
        ("the model's value 'rate=3' of 'x'", "the model's value 'rate=3' of 'x'"),
        ("grate=3 and merge 'grid'", "grate=3 and merge 'grid'"),
    ],
)
def test_messages_name_options_and_not_parameters(message, expected):
    options = {
        "merge": ("--merge", ""),
        "n_jobs": ("--jobs", ""),
        "prune": ("--prune", "--no-prune"),
        "max_width": ("--max-width", ""),
        "rate": ("--rate", ""),
        "nominal": ("--nominal", ""),
    }
    assert in_option_terms(message, options) == expected


def test_one_line_keeps_lists():
    assert one_line("unseen:\n- a\n- b\nmissing:\n- c") == "unseen: a, b; missing: c"
    assert one_line("first.\n  second") == "first. second"
