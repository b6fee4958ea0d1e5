"""Run commands in this process, and a small table to run them on."""

from __future__ import annotations

import json
from typing import Any

from typer.testing import CliRunner, Result

from weaklearn.cli.app import app

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


def run(*arguments: Any) -> Result:
    """Run a command in a terminal of 80 columns."""
    given = [str(argument) for argument in arguments]
    return CliRunner().invoke(app, given, env={"COLUMNS": "80"})


def run_well(*arguments: Any) -> Result:
    result = run(*arguments)
    assert result.exit_code == 0, result.stderr
    return result


def run_json(*arguments: Any) -> Any:
    return json.loads(run_well(*arguments, "--json").stdout)
