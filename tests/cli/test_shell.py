"""The commands on a small table, and their error messages."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import weaklearn as wl
from weaklearn.cli.app import COMMANDS, DATA_COMMANDS, app
from weaklearn.cli.errors import in_option_terms, one_line
from weaklearn.cli.models import MODELS

GOLF = """outlook,temperature,humidity,windy,play
sunny,85,85,no,no
sunny,80,90,yes,no
overcast,83,78,no,yes
rain,70,96,no,yes
rain,68,80,no,yes
rain,65,70,yes,no
overcast,64,65,yes,yes
sunny,72,95,no,no
sunny,69,70,no,yes
rain,75,80,no,yes
sunny,75,70,yes,yes
overcast,72,90,yes,yes
overcast,81,75,no,yes
rain,71,80,yes,no
"""


def run(*arguments):
    environment = {"COLUMNS": "80"}
    return CliRunner().invoke(app, [str(argument) for argument in arguments], env=environment)


def run_well(*arguments):
    result = run(*arguments)
    assert result.exit_code == 0, result.stderr
    return result


def run_json(*arguments):
    return json.loads(run_well(*arguments, "--json").stdout)


@pytest.fixture
def golf(tmp_path):
    path = tmp_path / "golf.csv"
    path.write_text(GOLF)
    return path


@pytest.fixture
def model(golf):
    path = golf.with_name("golf.json")
    run_well("fit", golf, "-o", path)
    return path


# -- fit ------------------------------------------------------------------------------------------


def test_fit_saves_the_same_tree_as_the_estimator(golf, tmp_path):
    path = tmp_path / "model.json.gz"
    result = run_well("fit", golf, "--target", "play", "-o", path)
    table = wl.read(golf)
    expected = wl.C45Classifier().fit(table.X, table.y)
    assert wl.load(path).tree_ == expected.tree_
    assert "8 nodes, 5 leaves" in result.stdout
    assert "0.00% (0 of 14 rows)" in result.stdout
    assert str(path) in result.stdout


def test_fit_sets_every_parameter(golf, tmp_path):
    values = {
        "criterion": "gain",
        "min_objects": 1.5,
        "confidence": 0.1,
        "prune": False,
        "subset": True,
        "threshold_penalty": False,
        "arithmetic": "release8",
        "max_depth": 3,
    }
    assert values.keys() == MODELS["c45"].parameters.keys()
    options = []
    for name, value in values.items():
        dashed = name.replace("_", "-")
        if isinstance(value, bool):
            options.append(f"--{dashed}" if value else f"--no-{dashed}")
        else:
            options += [f"--{dashed}", value]
    path = tmp_path / "model.json"
    run_well("fit", golf, "-o", path, *options)
    got = wl.load(path).get_params()
    assert {name: got[name] for name in values} == values


def test_an_option_not_given_has_its_default(model):
    got = wl.load(model).get_params()
    for name, parameter in MODELS["c45"].parameters.items():
        assert got[name] == parameter.default


def test_fit_reports_in_json(golf, tmp_path):
    report = run_json("fit", golf, "-o", tmp_path / "m.json", "--nominal", "humidity")
    assert report["rows"] == 14
    assert report["target"] == "play"
    assert report["size"] == wl.load(tmp_path / "m.json").tree_.size
    assert wl.load(tmp_path / "m.json").tree_.schema.features[2].kind == "nominal"


def test_fit_replaces_a_model(golf, model):
    run_well("fit", golf, "-o", model, "--max-depth", "0")
    assert wl.load(model).tree_.n_nodes == 1


# -- predict --------------------------------------------------------------------------------------


def read_csv(text):
    return list(csv.reader(io.StringIO(text)))


def test_predict_with_the_target_prints_the_error(golf, model):
    result = run_well("predict", model, golf)
    assert read_csv(result.stdout) == [["prediction"], *([row] for row in golf_classes())]
    assert result.stderr == "error 0.00% (0 of 14 rows)\n"


def golf_classes():
    return [line.rpartition(",")[2] for line in GOLF.splitlines()[1:]]


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 4, 0, 1]])
def test_predict_takes_columns_by_name_with_or_without_the_target(tmp_path, model, order):
    rows = [[line.split(",")[i] for i in order] for line in GOLF.splitlines()]
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(map(",".join, rows)))
    result = run_well("predict", model, path)
    assert [row[0] for row in read_csv(result.stdout)[1:]] == golf_classes()
    assert ("error" in result.stderr) == (4 in order)


def test_predict_probabilities_to_a_file(golf, model, tmp_path):
    out = tmp_path / "out.csv"
    result = run_well("predict", model, golf, "--proba", "-o", out)
    assert result.stdout == f"14 predictions saved in {out}\n"
    header, *rows = read_csv(out.read_text())
    assert header == ["prediction", "P(no)", "P(yes)"]
    expected = wl.load(model).predict_proba(wl.read(golf).X)
    assert np.array([row[1:] for row in rows], dtype=float).tolist() == expected.tolist()


def test_predict_in_json(golf, model):
    report = run_json("predict", model, golf, "--proba")
    assert report["predictions"] == golf_classes()
    assert report["errors"] == 0
    assert report["classes"] == ["no", "yes"]
    assert len(report["probabilities"]) == 14


def test_predict_counts_unseen_values(golf, model):
    golf.write_text(GOLF.replace("overcast", "fog"))
    assert (
        "not seen in training are read as missing: 4 in outlook"
        in run_well("predict", model, golf).stderr
    )
    assert run_json("predict", model, golf)["unseen"] == {"outlook": 4}


def test_kinds_at_predict_are_those_of_fit(tmp_path):
    train = tmp_path / "train.csv"
    train.write_text("code,n,y\n" + "".join(f"{i % 3},{i},{'ab'[i % 3 == 1]}\n" for i in range(30)))
    path = tmp_path / "m.json"
    run_well("fit", train, "-o", path, "--nominal", "code")
    result = run_well("predict", path, train)
    assert result.stderr == "error 0.00% (0 of 30 rows)\n"


def test_classes_of_numbers_match_classes_of_names(tmp_path):
    train = tmp_path / "train.arff"
    rows = "".join(f"{i},{i // 10}\n" for i in range(20))
    train.write_text(f"@relation r\n@attribute x numeric\n@attribute y {{0,1}}\n@data\n{rows}")
    path = tmp_path / "m.json"
    run_well("fit", train, "-o", path)
    test = tmp_path / "test.csv"
    test.write_text("x,y\n" + rows)
    assert run_json("predict", path, test)["errors"] == 0


# -- show -----------------------------------------------------------------------------------------


def test_show_every_format(model, tmp_path):
    tree = wl.load(model).tree_
    assert run_well("show", model).stdout == tree.to_text() + "\n"
    assert run_well("show", model, "--format", "dot").stdout == tree.to_dot() + "\n"
    assert json.loads(run_well("show", model, "--format", "json").stdout) == tree.to_dict()
    assert run_json("show", model) == tree.to_dict()
    rules = run_well("show", model, "--format", "rules").stdout.splitlines()
    assert rules == list(map(str, tree.rules()))
    assert tree._repr_html_() in run_well("show", model, "--format", "html").stdout
    out = tmp_path / "tree.txt"
    run_well("show", model, "-o", out)
    assert out.read_text() == tree.to_text() + "\n"


def test_show_a_plot(model, tmp_path):
    pytest.importorskip("matplotlib")
    out = tmp_path / "tree.png"
    run_well("show", model, "--format", "plot", "-o", out)
    assert out.read_bytes().startswith(b"\x89PNG")


# -- evaluate -------------------------------------------------------------------------------------


def test_evaluate_is_cross_validate(golf):
    from weaklearn.experiments import cross_validate

    table = wl.read(golf)
    options = ["--folds", 4, "--repeats", 2, "--seed", 3, "--min-objects", 1]
    report = run_json("evaluate", golf, "--jobs", 2, *options)
    expected = cross_validate(
        wl.C45Classifier(min_objects=1), table.X, table.y, n_folds=4, n_repeats=2, seed=3
    )
    assert report == {"table": "golf", "models": {"c45": expected.to_dict()}}
    text = run_well("evaluate", golf, *options)
    assert "2 times 4-fold cross-validation, seed 3" in text.stdout
    assert f"{100 * expected.error.mean:.2f} ± " in text.stdout
    assert f"{expected.size.mean:.1f} ± " in text.stdout
    assert text.stderr == ""
    assert max(map(len, text.stdout.splitlines())) <= 80


# -- data -----------------------------------------------------------------------------------------


def test_data_list():
    names = {entry["name"]: entry for entry in run_json("data", "list")}
    assert names["iris"]["here"]
    assert "iris" in run_well("data", "list").stdout


def test_data_info(golf):
    report = run_json("data", "info", golf)
    assert report["rows"] == 14
    assert [a["kind"] for a in report["features"]] == [
        "nominal",
        "continuous",
        "continuous",
        "nominal",
    ]
    assert report["classes"] == [{"class": "no", "rows": 5}, {"class": "yes", "rows": 9}]
    text = run_well("data", "info", golf).stdout
    assert "64.29%" in text
    assert "How .csv files are read:" in text
    assert "--nominal and --continuous overrule" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80


def test_data_info_of_every_file_format(golf, tmp_path):
    table = wl.read(golf)
    table.X.assign(play=table.y).to_parquet(tmp_path / "golf.parquet")
    (tmp_path / "golf.tsv").write_text(GOLF.replace(",", "\t"))
    (tmp_path / "golf.arff").write_text(
        "@relation golf\n@attribute x numeric\n@attribute y {a,b}\n@data\n1,a\n2,b\n"
    )
    (tmp_path / "golf.names").write_text("a, b.\nx: continuous.\n")
    (tmp_path / "golf.data").write_text("1,a\n2,b\n")
    for suffix in (".csv", ".tsv", ".arff", ".names", ".data", ".parquet"):
        text = run_well("data", "info", golf.with_suffix(suffix)).stdout
        assert f"How {suffix} files are read:" in text
        assert max(map(len, text.splitlines())) <= 80


def test_data_info_by_name():
    assert run_json("data", "info", "iris")["rows"] == 150


# -- errors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["fit", "no.csv", "-o", "m.json"], 1, "no.csv does not exist"),
        (["fit", "irs", "-o", "m.json"], 1, "did you mean 'iris'"),
        (["fit", "iris", "--target", "x", "-o", "m.json"], 1, "leave out --target, --nominal and"),
        (["fit", "GOLF", "--target", "pley", "-o", "m.json"], 1, "did you mean 'play'"),
        (["fit", "GOLF", "-o", "m.txt"], 1, "ends in .json"),
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

    monkeypatch.setattr("weaklearn.cli.fit.read_table", fail)
    result = run("fit", golf, "-o", tmp_path / "m.json")
    assert result.exit_code == 1
    assert "ZeroDivisionError" in result.stderr
    assert result.stderr.endswith("please report the lines above\n")


def test_warnings_are_one_line_on_stderr(tmp_path):
    path = tmp_path / "small.csv"
    path.write_text("x,z,y\n" + "".join(f"{i * 1e-9},{i},{i // 10}\n" for i in range(20)))
    result = run_well("fit", path, "-o", tmp_path / "m.json", "--json")
    assert result.stderr.startswith("warning: column 'x' varies")
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


# -- the command itself ---------------------------------------------------------------------------


def test_help_names_every_command():
    text = run_well().stdout
    for command in ("fit", "predict", "show", "evaluate", "data"):
        assert f"\n  {command} " in text
        assert "Usage" in run_well(command, "--help").stdout


@pytest.mark.parametrize("name", [*COMMANDS, *(f"data {name}" for name in DATA_COMMANDS)])
def test_the_summary_of_a_command_is_the_first_line_of_its_help(name):
    summary = COMMANDS.get(name) or DATA_COMMANDS[name.removeprefix("data ")][1]
    assert f"\n\n  {summary}\n" in run_well(*name.split(), "--help").stdout


def test_as_a_process(golf, tmp_path):
    def shell(*arguments):
        command = [sys.executable, "-m", "weaklearn", *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)

    assert shell("--version").stdout == f"weaklearn {wl.__version__}\n"
    assert shell("fit", golf.name, "-o", "m.json").returncode == 0
    assert Path(tmp_path, "m.json").is_file()
    failed = shell("fit", "no.csv", "-o", "m.json")
    assert failed.returncode == 1
    assert "error: no.csv does not exist" in failed.stderr
    assert "Traceback" not in failed.stderr


def test_help_does_not_import_the_classifiers():
    code = (
        "import sys; from weaklearn.cli.app import app; sys.argv = ['weaklearn', '--help']\n"
        "try: app()\n"
        "except SystemExit: sys.exit(len({'sklearn', 'pandas', 'numpy'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0


def test_importing_the_package_does_not_import_typer():
    code = "import sys, weaklearn, weaklearn.cli; sys.exit('typer' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize("kind", ["real-adaboost", "boost-odt"])
def test_boosted_separators_are_fitted_and_shown(kind, tmp_path):
    path = tmp_path / "model.json"
    rounds = {"real-adaboost": "--n-rounds", "boost-odt": "--n-stumps"}[kind]
    run_well("fit", "titanic", "--model", kind, rounds, 4, "-o", path)
    model = wl.load(path)
    shown = run_well("show", path).stdout
    assert "Sum [C1]" in shown
    assert "sex: " in shown
    assert run_well("show", path, "--format", "rules").stdout.startswith("if score of ")
    table = wl.datasets.load("titanic")
    assert 0.75 < model.score(table.X, table.y) < 0.85


def test_show_prints_the_separator_of_each_class(tmp_path):
    path = tmp_path / "model.json"
    wl.RealAdaBoostClassifier(2).fit([[0.0], [1.0], [2.0]], ["a", "b", "c"]).save(path)
    shown = run_well("show", path).stdout
    assert "a from the other classes" in shown
    assert "c from the other classes" in shown
    assert run_well("show", path, "--member", 2).stdout in shown
