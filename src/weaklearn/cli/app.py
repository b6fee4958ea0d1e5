"""The commands, put together."""

from __future__ import annotations

from typing import Annotated

import typer

from weaklearn.cli.data import data_app
from weaklearn.cli.errors import OneLineErrors
from weaklearn.cli.evaluate import evaluate
from weaklearn.cli.fit import fit
from weaklearn.cli.predict import predict
from weaklearn.cli.prune import prune
from weaklearn.cli.reproduce import reproduce
from weaklearn.cli.show import show

app = typer.Typer(
    cls=OneLineErrors,
    help="Classifiers for tables, as they are: nominal columns and missing values go in.",
    epilog="Start with:  weaklearn data list   and   weaklearn evaluate iris",
    # Plain help: boxes take a third of a narrow terminal.
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(fit)
app.command()(predict)
app.command()(show)
app.command()(evaluate)
app.command()(prune)
app.command()(reproduce)
app.add_typer(data_app, name="data")


def _print_version(asked: bool) -> None:
    if asked:
        from weaklearn import __version__

        typer.echo(f"weaklearn {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Say the version."),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
