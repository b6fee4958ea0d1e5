"""The command line: ``weaklearn fit``, ``predict``, ``show``, ``evaluate`` and others.

app.py             the ``weaklearn`` command and the list of its subcommands
commands/          one file per subcommand
lazy_commands.py   subcommands that are imported when they are used
shared_options.py  options and arguments of several commands
model_kinds.py     the kinds of model, and how one is made
model_options.py   options for the kind of model and its parameters
read_tables.py     read the table that a command works on
describe_model.py  the size and the facts of a fitted model, as lines and for JSON
output.py          how results and notes are printed
errors.py          errors and warnings as one line, in the terms of the command line
"""

import sys


def main() -> None:
    """Run the command with the arguments of this process."""
    from weaklearn.optional_packages import require_package

    try:
        for package in ("typer", "rich", "pandas"):
            require_package(package, "cli", "the command line")
    except ImportError as error:
        sys.exit(str(error))
    # Imported here, so that importing the package does not import typer.
    from weaklearn.cli.app import app

    app(prog_name="weaklearn")
