"""The command itself: help, version, and what it imports."""

import subprocess
import sys
from pathlib import Path

import pytest

import weaklearn as wl
from command_line import run_well
from weaklearn.cli.app import COMMANDS, DATA_COMMANDS


def test_help_names_every_command():
    text = run_well().stdout
    for command in ("fit", "predict", "show", "evaluate", "data"):
        assert f"\n  {command} " in text
        assert "Usage" in run_well(command, "--help").stdout


@pytest.mark.parametrize("name", [*COMMANDS, *(f"data {name}" for name in DATA_COMMANDS)])
def test_the_summary_of_a_command_is_the_first_line_of_its_help(name):
    summary = COMMANDS.get(name) or DATA_COMMANDS[name.removeprefix("data ")][1]
    assert f"\n\n  {summary}\n" in run_well(*name.split(), "--help").stdout


@pytest.mark.parametrize(
    "name", [*(c for c in COMMANDS if c != "data"), *(f"data {name}" for name in DATA_COMMANDS)]
)
def test_every_help_has_an_example_and_every_command_prints_json(name):
    text = run_well(*name.split(), "--help").stdout
    assert f"\n  Example:  weaklearn {name}" in text
    assert "\n  --json " in text


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
