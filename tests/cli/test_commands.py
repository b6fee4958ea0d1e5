"""The commands on a small table: fit, predict, show, evaluate, data."""

import csv
import io
import json
import re

import numpy as np
import pytest

import weaklearn as wl
from command_line import GOLF, run, run_json, run_well
from weaklearn.cli.model_kinds import MODELS

# -- fit -------------------------------------------------------------------------------------------


def test_fit_saves_the_same_tree_as_the_estimator(golf, tmp_path):
    path = tmp_path / "model.json.gz"
    result = run_well("fit", golf, "--target", "play", "-o", path)
    table = wl.read(golf)
    expected = wl.C45Classifier().fit(table.X, table.y)
    assert wl.load(path).tree_ == expected.tree_
    assert "8 nodes, 5 leaves" in result.stdout
    assert "0.00% (0 of 14 rows)" in result.stdout
    assert str(path) in result.stdout


NOT_IN_RELEASE8 = (
    *("max_leaves", "min_impurity_decrease", "ccp_alpha"),
    *("max_features", "max_bins", "splits", "missing", "shrinkage"),
)


@pytest.mark.parametrize("release8", [True, False])
def test_fit_sets_every_parameter(golf, tmp_path, release8):
    values = {
        "criterion": "gain",
        "min_objects": 1.5,
        "confidence": 0.1,
        "prune": False,
        "subset": True,
        "threshold_penalty": False,
        "arithmetic": "release8" if release8 else "double",
        "max_depth": 3,
        "max_leaves": 5,
        "min_impurity_decrease": 0.01,
        "ccp_alpha": 0.02,
        "max_features": "sqrt",
        "max_bins": 100,
        "missing": "branch",
        "shrinkage": 2.5,
        "winnow": True,
        "splits": "random",
    }
    assert values.keys() == MODELS["c45"].parameters.keys()
    if release8:
        values = {name: value for name, value in values.items() if name not in NOT_IN_RELEASE8}
    options = []
    for name, value in values.items():
        dashed = "missing-rule" if name == "missing" else name.replace("_", "-")
        if isinstance(value, bool):
            options.append(f"--{dashed}" if value else f"--no-{dashed}")
        else:
            options += [f"--{dashed}", value]
    path = tmp_path / "model.json"
    run_well("fit", golf, "-o", path, *options)
    got = wl.load(path).get_params()
    assert {name: got[name] for name in values} == values


def test_an_option_of_a_committee_and_its_members_is_the_committees(golf, tmp_path):
    path = tmp_path / "m.json"
    run_well("fit", golf, "-o", path, "--model", "bag", "--max-features", 2, "--min-objects", 1)
    got = wl.load(path).get_params()
    assert got["max_features"] == 2
    assert got["estimator__max_features"] is None
    assert got["estimator__min_objects"] == 1
    run_well("fit", golf, "-o", path, "--model", "boost", "--max-features", "log2")
    assert wl.load(path).get_params()["estimator__max_features"] == "log2"


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


# -- predict ---------------------------------------------------------------------------------------


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


# -- show ------------------------------------------------------------------------------------------


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


def test_predict_leaves_rows_without_a_class_out_of_the_error(golf, tmp_path):
    model, rows = tmp_path / "m.json", tmp_path / "rows.csv"
    run_well("fit", golf, "-o", model)
    lines = GOLF.splitlines()
    rows.write_text("\n".join([*lines[:5], lines[5].rsplit(",", 1)[0] + ","]))
    report = run_json("predict", model, rows)
    assert report["rows"] == 5
    assert report["error"] == report["errors"] / 4
    assert "of 4 rows; 1 row without a class)" in run_well("predict", model, rows).stderr


@pytest.mark.parametrize("name", ["oc1", "sadt", "bag"])
def test_fit_with_a_seed_gives_the_same_model_again(tmp_path, name):
    models = []
    for seed in ([], ["--seed", 0], ["--seed", 0], ["--seed", 7]):
        run_well("fit", "iris", "--model", name, "-o", tmp_path / "m.json", *seed)
        models.append((tmp_path / "m.json").read_text())
    assert models[0] == models[1] == models[2] != models[3]
    run_well("fit", "iris", "--max-features", 2, "--seed", 1, "-o", tmp_path / "m.json")
    assert wl.load(tmp_path / "m.json").get_params()["random_state"] == 1
    refused = run("fit", "iris", "--seed", 1, "-o", tmp_path / "m.json")
    assert "--seed: the model c45 does not depend on a seed" in refused.stderr


def test_a_list_of_missing_values_is_one_text(golf, tmp_path):
    options = ("--missing", "-1,unknown", "-o", tmp_path / "m.json")
    stderr = run_well("fit", golf, *options).stderr
    assert "repeat the option: --missing -1 --missing unknown" in stderr


def test_what_the_notes_say_of_columns_is_not_repeated(tmp_path):
    path = tmp_path / "t.csv"
    rows = [f'"{1000 + 7 * i:,}",{i % 3},{"yn"[i % 2]}' for i in range(60)]
    path.write_text("\n".join(["amount,x,c", *rows]))
    stderr = run_well("evaluate", path, "--models", "c45", "--folds", 2).stderr
    assert stderr.count("commas between thousands") == 1


def test_a_wrong_name_is_explained_in_terms_of_the_command_line():
    stderr = run("data", "info", "iriss").stderr
    assert "did you mean 'iris'" in stderr
    assert "? 'weaklearn data list' lists the names; a file has a suffix" in stderr
    assert "weaklearn.read" not in stderr


def test_show_prints_the_first_levels_of_a_large_tree(tmp_path):
    rng = np.random.default_rng(0)
    lines = [
        f"{x:.4f},{y:.4f},{int(12 * x) % 2 ^ int(12 * y) % 2}" for x, y in rng.random((900, 2))
    ]
    (tmp_path / "board.csv").write_text("x,y,class\n" + "\n".join(lines))
    model = tmp_path / "model.json"
    options = ["--criterion", "gini", "--min-objects", 1, "--no-prune"]
    run_well("fit", tmp_path / "board.csv", *options, "-o", model)
    tree = wl.load(model).tree_
    assert tree.n_leaves > 60
    cut = run_well("show", model)
    assert "leaves" in cut.stdout
    assert len(cut.stdout.splitlines()) < len(tree.to_text().splitlines())
    assert f"of {tree.depth} levels; {tree.n_leaves} leaves in all" in cut.stderr
    assert run_well("show", model, "--all").stdout == tree.to_text() + "\n"
    two = run_well("show", model, "--depth", 2)
    assert two.stdout == tree.to_text(max_depth=2) + "\n"
    rules = run_well("show", model, "--format", "rules")
    assert len(rules.stdout.splitlines()) == 60
    assert f"60 of {tree.n_leaves} lines. All: --all" in rules.stderr
    refused = run("show", model, "--format", "dot", "--depth", 2)
    assert refused.exit_code == 1
    assert "expected --format text and plot" in refused.stderr


# -- evaluate --------------------------------------------------------------------------------------


def test_evaluate_is_cross_validate(golf):
    from weaklearn.experiments import cross_validate

    table = wl.read(golf)
    options = ["--folds", 4, "--repeats", 2, "--seed", 3, "--min-objects", 1]
    report = run_json("evaluate", golf, "--jobs", 2, *options)
    expected = cross_validate(
        wl.C45Classifier(min_objects=1), table.X, table.y, n_folds=4, n_repeats=2, seed=3
    )
    assert report["table"] == "golf"
    assert list(report["models"]) == ["majority class", "c45"]
    assert report["models"]["c45"] == expected.to_dict()
    assert report["models"]["majority class"]["error"]["mean"] == pytest.approx(5 / 14)
    text = run_well("evaluate", golf, *options)
    assert "2 times 4-fold cross-validation, seed 3" in text.stdout
    assert f"{100 * expected.error.mean:.2f} ± " in text.stdout
    assert f"{expected.size.mean:.1f} " in text.stdout
    assert f"{expected.predictions.log_loss:.3f} " in text.stdout
    assert text.stderr == ""
    assert max(map(len, text.stdout.splitlines())) <= 80


def test_evaluate_marks_models_that_do_not_beat_the_majority_class(tmp_path):
    lines = [f"{i % 7},{'yes' if i % 3 else 'no'}" for i in range(60)]
    (tmp_path / "noise.csv").write_text("x,class\n" + "\n".join(lines))
    text = run_well("evaluate", tmp_path / "noise.csv", "--models", "c45").stdout
    assert "c45 *" in text
    assert "* no lower error than the majority class" in text


def test_fit_calls_a_program_a_program(tmp_path):
    text = run_well("fit", "titanic", "--model", "program", "-o", tmp_path / "m.json").stdout
    assert re.search(r"^program +\d+ nodes", text, re.M), text
    assert not re.search(r"^tree", text, re.M)


def test_evaluate_continues_if_one_model_refuses_the_table(tmp_path):
    lines = [f"{i % 20},{'abc'[i % 20 // 7]}" for i in range(60)]
    (tmp_path / "three.csv").write_text("x,class\n" + "\n".join(lines))
    arguments = ["evaluate", tmp_path / "three.csv", "--merge", "grid", "--folds", 3]
    both = run_well(*arguments, "--models", "program,c45")
    assert re.search(r"^program +refused", both.stdout, re.M)
    assert re.search(r"^c45 +\d", both.stdout, re.M)
    assert "warning: program is left out: " in both.stderr
    assert "--merge grid" in both.stderr
    assert run(*arguments, "--models", "program").exit_code == 1
    report = run_json(*arguments, "--models", "program,c45")["models"]
    assert "3 classes" in report["program"]["refused"]


def test_class_weights_and_costs(golf, tmp_path):
    table = wl.read(golf)
    weighted = ["--class-weight", "no=3", "--class-weight", "yes=1"]
    costs = ["--cost", "no:yes=3", "--cost", "yes:no=2"]
    for options, parameters in (
        (weighted, {"class_weight": {"no": 3.0, "yes": 1.0}}),
        (["--class-weight", "balanced"], {"class_weight": "balanced"}),
        (costs, {"costs": {("no", "yes"): 3.0, ("yes", "no"): 2.0}}),
    ):
        run_well("fit", golf, *options, "-o", tmp_path / "m.json")
        expected = wl.C45Classifier(**parameters).fit(table.X, table.y)
        model = wl.load(tmp_path / "m.json")
        assert model.tree_.to_dict() == expected.tree_.to_dict()
        assert model.predict(table.X).tolist() == expected.predict(table.X).tolist()
    models = run_json("evaluate", golf, "--folds", 3, *costs)["models"]
    (of_no, wrong_no), (wrong_yes, of_yes) = models["c45"]["confusion"]
    assert of_no + wrong_no + wrong_yes + of_yes == 14
    assert models["c45"]["mean_cost"] == pytest.approx((3 * wrong_no + 2 * wrong_yes) / 14)
    assert models["majority class"]["mean_cost"] == pytest.approx(3 * 5 / 14)
    text = run_well("evaluate", golf, "--folds", 3, *costs).stdout
    assert "mean cost" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--class-weight", "maybe=3"], "there is no class 'maybe'; expected one of 'no', 'yes'"),
        (["--class-weight", "no"], "--class-weight no: expected CLASS=NUMBER, or balanced"),
        (["--cost", "no=3"], "--cost no=3: expected TRUE:PREDICTED=NUMBER"),
        (["--cost", "no:yes=much"], "--cost no:yes=much: expected TRUE:PREDICTED=NUMBER"),
    ],
)
def test_wrong_class_weights_and_costs_are_explained(golf, tmp_path, options, message):
    result = run("fit", golf, *options, "-o", tmp_path / "m.json")
    assert result.exit_code == 1
    assert message in result.stderr
    assert not (tmp_path / "m.json").exists()


@pytest.mark.parametrize("n_classes", [3, 12])
def test_evaluate_detail_shows_which_classes_are_confused(tmp_path, n_classes):
    lines = [f"{i % n_classes},class{i % n_classes}" for i in range(12 * n_classes)]
    lines[0] = "1,class0"
    (tmp_path / "many.csv").write_text("x,y\n" + "\n".join(lines))
    text = run_well("evaluate", tmp_path / "many.csv", "--target", "y", "--detail").stdout
    assert re.search(r"class0 +(11 +1 +0|12 +91\.7 +class1 \(1\))", text)
    assert max(map(len, text.splitlines())) <= 80


# -- data ------------------------------------------------------------------------------------------


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
