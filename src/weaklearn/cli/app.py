"""The ``weaklearn`` command with its subcommands."""

from __future__ import annotations

from typing import Annotated

import typer

from weaklearn.cli.errors import OneLineErrors
from weaklearn.cli.lazy_commands import add_command

app = typer.Typer(
    cls=OneLineErrors,
    help="Train and use classifiers on tables with nominal columns and missing values.",
    epilog="Start with:  weaklearn data list   and   weaklearn evaluate iris",
    # Plain help: boxes take a third of a narrow terminal.
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
data_app = typer.Typer()

#: The commands and their summaries. Each is a function in a module of the same name.
COMMANDS = {
    "fit": "Fit a model to a table and save it.",
    "predict": "Predict the class of each row of a table.",
    "explain": "Explain each prediction: paths or rules, votes, contributions of features.",
    "show": "Show the tree or the rules of a model, or those of each member of a committee.",
    "export": "Write a model in another language, so that it predicts without weaklearn.",
    "evaluate": "Cross-validate models on a table, with stratified folds.",
    "compare": "Compare models of this and other libraries on one or more tables.",
    "prune": "Remove members of a committee, and print what that changes.",
    "reproduce": "Repeat a paper's experiments and write a report.",
}
#: The commands below ``weaklearn data``: their functions and summaries.
DATA_COMMANDS = {
    "list": ("list_tables", "List the tables that have a name."),
    "fetch": ("fetch", "Download a table from OpenML into the cache."),
    "info": ("info", "Describe a table: its columns, their kinds, and its classes."),
}
for _name, _summary in COMMANDS.items():
    add_command(app, _name, (f"weaklearn.cli.commands.{_name}", _name), _summary)
for _name, (_function, _summary) in DATA_COMMANDS.items():
    add_command(data_app, _name, ("weaklearn.cli.commands.data", _function), _summary)
app.add_typer(data_app, name="data")


def _print_version(requested: bool) -> None:
    if requested:
        from weaklearn import __version__

        typer.echo(f"weaklearn {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@data_app.callback(invoke_without_command=True)
def _start_data(context: typer.Context) -> None:
    """List, describe or download tables."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
