"""Commands whose modules are imported when they are used.

``weaklearn --help`` lists all commands, and importing them all would take more than a second.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand


class LazyCommand(TyperCommand):
    """A command whose function is imported when the command is run or its help is printed."""

    location: tuple[str, str]  # module and function

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options and arguments."""
        if not self.params:
            module, function = self.location
            app = typer.Typer(add_completion=False, rich_markup_mode=None)
            app.command()(getattr(import_module(module), function))
            command = typer.main.get_command(app)
            self.params, self.callback, self.help = command.params, command.callback, command.help
        return super().get_params(ctx)


def add_command(group: typer.Typer, name: str, location: tuple[str, str], summary: str) -> None:
    """Add a command to a group.

    Parameters
    ----------
    group : Typer
        The group.
    name : str
        The name of the command.
    location : tuple of str
        The module and the function of the command.
    summary : str
        One line for the help of the group.
    """
    kind = type("LazyCommand", (LazyCommand,), {"location": location})
    group.command(name, cls=kind, help=summary)(lambda: None)
