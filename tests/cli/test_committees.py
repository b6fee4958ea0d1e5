"""Committees on the command line: fit, evaluate, show, predict."""

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import weaklearn as wl
from command_line import run
from weaklearn.cli.model_kinds import MODELS
from weaklearn.estimators.parameters import Flag
from weaklearn.experiments import cross_validate

KINDS = ("bag", "boost", "boost-confidence", "boosted-forest")


def run_well(*arguments):
    result = run(*arguments)
    assert result.exit_code == 0, result.stderr
    assert max(map(len, result.stdout.splitlines()), default=0) <= 80
    return result


def run_with_error(*arguments):
    result = run(*arguments)
    assert result.exit_code != 0
    return " ".join(result.stderr.split())


def run_json(*arguments):
    return json.loads(run_well(*arguments, "--json").stdout)


@pytest.fixture(scope="module")
def titanic():
    return wl.datasets.load("titanic")


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return "m.json"


def direct(kind):
    """Return the classifier for a kind of model."""
    if kind == "bag":
        return wl.BaggedClassifier(random_state=0)
    if kind == "boosted-forest":
        return wl.BoostedForestClassifier(random_state=0)
    vote = "confidence" if kind == "boost-confidence" else "error"
    return wl.AdaBoostM1Classifier(vote=vote)


def test_ten_trials_are_the_documented_recipe(path, titanic):
    run_well("fit", "titanic", "--model", "ten-trials", "-o", path)
    tree = wl.C45Classifier(missing="branch", subset=True, threshold_penalty=False, shrinkage=5)
    recipe = wl.AdaBoostM1Classifier(tree, n_rounds=10, vote="shares", step=0.5)
    recipe.fit(titanic.X, titanic.y)
    saved = wl.load(path)
    assert same_members(saved, recipe)
    assert np.array_equal(saved.predict_proba(titanic.X), recipe.predict_proba(titanic.X))


def test_options_of_ten_trials_are_passed_on_to_its_trees(path, titanic):
    run_well("fit", "titanic", "--model", "ten-trials", "--min-objects", "20", "-o", path)
    assert {member.min_objects for member in wl.load(path).members_} == {20}


def same_members(model, other):
    return [m.tree_ for m in model.members_] == [m.tree_ for m in other.members_]


# -- options --------------------------------------------------------------------------------------


def test_an_option_is_a_flag_in_every_model_or_in_none():
    flags = {}
    for kind in MODELS.values():
        for name, parameter in kind.options.items():
            is_flag = isinstance(parameter.domain, Flag)
            assert flags.setdefault(name, is_flag) == is_flag, name


def test_an_option_takes_the_values_of_its_models(path):
    options = ["--model", "topdown", "-o", path]
    run_well("fit", "titanic", *options, "--criterion", "entropy", "--n-rounds", 0)
    model = wl.load(path)
    assert (model.criterion, model.n_rounds, model.tree_.n_leaves) == ("entropy", 0, 1)
    error = run_with_error("fit", "titanic", *options, "--criterion", "gain_ratio")
    expected = "the model topdown expects one of entropy, gini, km, error (default: km)"
    assert f"--criterion gain_ratio: {expected}" in error
    error = run_with_error("fit", "titanic", *options, "--criterion", "purity")
    assert "got 'purity', expected one of gain_ratio, gain, gini, km (c45, bag" in error


@pytest.mark.parametrize("kind", KINDS)
def test_a_committee_and_its_members_share_no_other_option(kind):
    members = MODELS[kind].members
    assert members is MODELS["c45"]
    # --max-features is that of the committee
    shared = {"max_features"} if kind in ("bag", "boosted-forest") else set()
    assert MODELS[kind].own_options.keys() & members.options.keys() == shared
    assert "vote" not in MODELS[kind].options  # set by the kind of model


def test_options_go_to_the_committee_or_to_its_members(path):
    options = ["--n-rounds", 3, "--method", "resample", "--keep-class-weights", "--seed", 7]
    run_well("fit", "titanic", "--model", "boost", "-o", path, *options, "--min-objects", 5)
    model = wl.load(path)
    assert len(model) == 3
    assert (model.method, model.keep_class_weights, model.random_state) == ("resample", True, 7)
    assert model.estimator.min_objects == 5
    assert model.estimator.confidence == MODELS["c45"].parameters["confidence"].default


def test_options_go_to_the_default_members_of_a_forest(path):
    options = ["--n-members", 5, "--run-length", 2, "--max-features", "log2", "--min-objects", 5]
    run_well("fit", "titanic", "--model", "boosted-forest", "-o", path, *options)
    model = wl.load(path)
    assert (len(model), model.run_length, model.max_features) == (5, 2, "log2")
    assert (model.estimator.min_objects, model.estimator.subset) == (5, True)
    run_well("fit", "titanic", "--model", "boosted-forest", "-o", path, "--no-subset")
    assert not wl.load(path).estimator.subset


def test_rounds_may_be_auto(path):
    result = run_well("fit", "titanic", "--model", "boost", "--n-rounds", "auto", "-o", path)
    assert wl.load(path).n_rounds == "auto"
    assert "rows held back" in result.stdout
    assert "bound" not in result.stdout  # it would hold for the rows trained on only


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit", "titanic", "-o", "m.json", "--n-rounds", "3"], "the model c45 has no option --n-"),
        (["fit", "titanic", "-o", "m.json", "--model", "bag", "--method", "resample"], "--method"),
        (
            ["fit", "titanic", "-o", "m.json", "--seed", "3"],
            "--seed: the model c45 does not depend on a seed",
        ),
        (
            ["evaluate", "titanic", "--models", "c45,bag", "--n-rounds", "3"],
            "none of the models c45, bag has the option --n-rounds",
        ),
    ],
)
def test_an_option_that_no_model_has(arguments, message, path):
    result = run(*arguments)
    assert result.exit_code == 1
    assert result.stderr.startswith("error: ")
    assert message in result.stderr
    assert result.stdout == ""


def test_a_seed_is_not_negative(path):
    result = run("fit", "titanic", "--model", "bag", "--seed", -1, "-o", path)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: Invalid value for '--seed'")


# -- fit ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_fit_saves_what_the_estimator_would(kind, path, titanic):
    result = run_well("fit", "titanic", "--model", kind, "-o", path)
    expected = direct(kind).fit(titanic.X, titanic.y)
    saved = wl.load(path)
    assert same_members(saved, expected)
    assert saved.vote == expected.vote
    assert (saved.predict(titanic.X) == expected.predict(titanic.X)).all()
    assert f"{len(expected.members_)} members, " in result.stdout
    wrong = int((expected.predict(titanic.X) != titanic.y.to_numpy()).sum())
    assert f"({wrong} of 2,201 rows)" in result.stdout
    assert ("out-of-bag error" in result.stdout) == (kind in ("bag", "boosted-forest"))
    assert ("training bound" in result.stdout) == (kind == "boost")


def test_fit_reports_in_json(path, titanic):
    report = run_json("fit", "titanic", "--model", "bag", "--n-members", 4, "-o", path)
    model = wl.BaggedClassifier(n_members=4, random_state=0).fit(titanic.X, titanic.y)
    sizes = [member.tree_.size for member in model.members_]
    assert (report["members"], report["size"], report["mean_size"]) == (
        4,
        sum(sizes),
        sum(sizes) / 4,
    )
    assert report["oob_error"] == model.oob_error_
    assert report["interrupted"] is False
    boosted = run_json("fit", "titanic", "--model", "boost", "-o", path)
    assert boosted["training_bound"] == wl.load(path).training_bound_
    assert boosted["training_error"] <= boosted["training_bound"]
    assert boosted["stopped"] == "rounds"


def test_fit_prints_why_boosting_stopped(path):
    options = ["--min-objects", 1, "--no-prune"]
    result = run_well("fit", "iris", "--model", "boost", "-o", path, *options)
    assert "stopped early" in result.stdout
    assert "makes no training error and decides alone" in result.stdout


def interrupted_in_terminal(arguments, when):
    """Run a command in a terminal, type Ctrl-C when its output matches; return output and code."""
    pty = pytest.importorskip("pty", reason="terminals are those of POSIX systems")
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["COLUMNS"] = "80"
        # Tests that run in the background ignore interrupts, and their children inherit that.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.execv(sys.executable, [sys.executable, "-m", "weaklearn", *arguments])
    output, typed, deadline = "", False, time.monotonic() + 600
    while time.monotonic() < deadline:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                output += os.read(terminal, 65536).decode(errors="replace")
            except OSError:  # the other end is closed
                break
        if not typed and re.search(when, output):
            os.write(terminal, b"\x03")
            typed = True
    else:
        os.kill(pid, signal.SIGKILL)
    return output, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("kind", ["boost", "bag"])
def test_ctrl_c_saves_the_members_fitted_so_far(kind, path):
    count = "--n-members" if kind == "bag" else "--n-rounds"
    arguments = ["fit", "digits", "--model", kind, count, "100000", "-o", path]
    output, code = interrupted_in_terminal(arguments, r"[2-9]/100000")
    assert code == 130
    assert "has the committee so far" in output
    saved = wl.load(path)
    assert saved.interrupted_
    assert 2 <= len(saved) < 100_000


def test_a_pipe_gets_no_bar(path):
    command = [sys.executable, "-m", "weaklearn", "fit", "titanic", "--model", "bag", "-o", path]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == "note: counts of Dawson (1995)\n"


# -- evaluate -------------------------------------------------------------------------------------


def test_evaluate_passes_to_each_model_the_options_it_has(titanic):
    options = ["--folds", 3, "--seed", 5, "--n-rounds", 4, "--n-members", 3, "--min-objects", 9]
    arguments = ["evaluate", "titanic", "--models", ",".join(MODELS), *options]
    report = run_json(*arguments)["models"]
    member = wl.C45Classifier(min_objects=9)
    expected = {
        "c45": member,
        "bag": wl.BaggedClassifier(member, n_members=3),
        "boost": wl.AdaBoostM1Classifier(member, n_rounds=4),
        "boost-confidence": wl.AdaBoostM1Classifier(member, n_rounds=4, vote="confidence"),
    }
    for name, classifier in expected.items():
        results = cross_validate(classifier, titanic.X, titanic.y, n_folds=3, seed=5)
        assert report[name] == results.to_dict()
    assert report["c45"]["n_members"] is None
    assert report["bag"]["n_members"]["mean"] == 3
    assert report["bag"]["size"]["mean"] > report["c45"]["size"]["mean"]
    assert report["bag"]["depth"] is None
    text = run_well(*arguments).stdout
    assert "members" in text
    assert "depth" not in text
    assert "depth" in run_well("evaluate", "titanic", "--folds", 3).stdout


# -- show -----------------------------------------------------------------------------------------


@pytest.fixture
def boosted(path):
    run_well("fit", "titanic", "--model", "boost", "--n-rounds", 3, "-o", path)
    return path


def test_show_prints_every_member_below_its_vote_and_error(boosted):
    model = wl.load(boosted)
    text = run("show", boosted).stdout
    for number, member in enumerate(model.members_):
        heading = (
            f"member {number + 1} of 3: vote {model.votes_[number]:.4g}, "
            f"error {100 * model.errors_[number]:.2f}%"
        )
        assert f"{heading}\n\n{member.tree_.to_text()}\n" in text
    assert "if sex = " in run("show", boosted, "--format", "rules").stdout


def test_show_prints_the_first_member_of_a_large_committee(path):
    run_well("fit", "titanic", "--model", "bag", "-o", path)
    result = run_well("show", path)
    first = wl.load(path).members_[0].tree_.to_text()
    assert result.stdout == f"member 1 of 10: vote 1\n\n{first}\n"
    assert "member 1 of 10. Another member: --member N. All members: --all" in result.stderr
    assert run_well("show", path, "--member", 1).stdout == f"{first}\n"
    run_well("show", path, "-o", "all.txt")
    assert Path("all.txt").read_text() == run_well("show", path, "--all").stdout


def test_show_prints_the_votes_of_bagging_and_confidence(path):
    run_well("fit", "titanic", "--model", "bag", "-o", path)
    assert "member 10 of 10: vote 1\n" in run("show", path, "--all").stdout
    run_well("fit", "titanic", "--model", "boost-confidence", "-o", path)
    assert "member 1 of 10: vote 1 times its confidence, error " in run("show", path).stdout


def test_show_one_member_in_every_format(boosted, tmp_path):
    tree = wl.load(boosted)[1].tree_
    assert run("show", boosted, "--member", 2).stdout == tree.to_text() + "\n"
    dot = run("show", boosted, "--member", 2, "--format", "dot")
    assert dot.stdout == tree.to_dot() + "\n"
    assert json.loads(run("show", boosted, "--member", 2, "--json").stdout) == tree.to_dict()
    rules = run("show", boosted, "--member", 2, "--format", "rules").stdout
    assert rules.splitlines() == list(map(str, tree.rules()))
    pytest.importorskip("matplotlib")
    run_well("show", boosted, "--member", 2, "--format", "plot", "-o", "tree.svg")
    assert "<svg" in (tmp_path / "tree.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "dot"], "dot shows one tree, and this is a committee of 3: add --member N"),
        (["--format", "plot", "-o", "x.png"], "plot shows one tree"),
        (["--json"], "json shows one tree"),
        (["--member", "4"], "--member 4: the committee has members 1 to 3"),
        (["--member", "0"], "the committee has members 1 to 3"),
    ],
)
def test_errors_of_show(arguments, message, boosted):
    result = run("show", boosted, *arguments)
    assert result.exit_code == 1
    assert message in " ".join(result.stderr.split())


def test_a_tree_has_no_members(path):
    run_well("fit", "titanic", "-o", path)
    result = run("show", path, "--member", 1)
    assert result.exit_code == 1
    assert "is a single model, not a committee: leave out --member" in result.stderr


# -- predict --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_predict_with_a_saved_committee(kind, path, titanic):
    run_well("fit", "titanic", "--model", kind, "-o", path)
    report = run_json("predict", path, "titanic", "--proba")
    model = direct(kind).fit(titanic.X, titanic.y)
    assert report["predictions"] == model.predict(titanic.X).tolist()
    assert report["probabilities"] == model.predict_proba(titanic.X).tolist()
