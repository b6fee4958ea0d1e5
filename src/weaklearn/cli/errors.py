"""Errors and warnings as one line on stderr, in the terms of the command line.

Exit codes: 0 for success, 1 for an error in the data, a file or a value, 2 for a command line that
cannot be parsed, 130 for an interrupted command.
"""

from __future__ import annotations

import re
import shlex
import sys
import traceback
import warnings
from typing import Any, NoReturn, TextIO

import typer
from typer.core import TyperGroup

# The base class of every error in the use of an option or an argument. Typer does not export it.
_UsageError: type[Exception] = typer.BadParameter.__bases__[0]
_USER_ERRORS = (ValueError, TypeError, OSError, ImportError)
INTERRUPTED = 130

#: Options that have another name in Python.
_PYTHON_NAMES = {
    "jobs": "n_jobs",
    "folds": "n_folds",
    "repeats": "n_repeats",
    "seeds": "n_seeds",
    "shift": "shift_votes",
}
#: The options about columns, by their parameters in Python.
COLUMN_OPTIONS = {
    "nominal": ("--nominal", ""),
    "continuous": ("--continuous", ""),
    "ignore": ("--ignore", ""),
    "missing_values": ("--missing", ""),
}


class OneLineErrors(TyperGroup):
    """A group of commands whose errors and warnings are one line each."""

    def main(self, *arguments: Any, **options: Any) -> NoReturn:
        """Run a command and exit with its code."""
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                # A terminal that cannot show a character shows a question mark instead.
                stream.reconfigure(errors="replace")
        options["standalone_mode"] = False
        with warnings.catch_warnings():
            warnings.showwarning = self._print_warning
            sys.exit(self._run(*arguments, **options))

    def _run(self, *arguments: Any, **options: Any) -> int:
        try:
            return super().main(*arguments, **options) or 0
        except typer.Abort:
            return INTERRUPTED
        except _UsageError as error:
            context = getattr(error, "ctx", None)
            command = context.command_path if context else "weaklearn"
            message = getattr(error, "format_message", error.__str__)()
            stop = "" if message.endswith((".", "?", "!")) else "."
            _print_line(f"error: {message}{stop} Try: {command} --help")
            return 2
        except _USER_ERRORS as error:
            _print_line(f"error: {in_option_terms(_reason(error), _options(self))}")
            return 1
        except Exception:
            traceback.print_exc()
            _print_line("error: this is a fault of weaklearn; please report the lines above")
            return 1

    def _print_warning(
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        _print_line(f"warning: {in_option_terms(str(message), _options(self))}")


def in_option_terms(message: str, options: dict[str, tuple[str, str]]) -> str:
    """Rewrite the Python parameters in a message as command-line options.

    Parameters
    ----------
    message : str
        A message of the library.
    options : dict
        The option of each parameter, and the option that switches it off.

    Examples
    --------
    >>> options = {"merge": ("--merge", ""), "prune": ("--prune", "--no-prune")}
    >>> in_option_terms("merge='grid' needs two classes: use merge='none'.", options)
    '--merge grid needs two classes: use --merge none.'
    >>> in_option_terms("use prune=False", options)
    'use --no-prune'
    """
    if not options:
        return message
    names = "|".join(map(re.escape, options))
    value = r"'[^']*'|\[[^\]]*\]|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|\w+"
    # A quoted text may hold anything, also "size=3": it is matched first and stays as it is.
    pattern = rf"(?P<quoted>(?<![\w=\[])'[^']*')|\b(?P<name>{names})=(?P<value>{value})?"

    def as_option(match: re.Match[str]) -> str:
        if match["quoted"]:
            return match["quoted"]
        switched_on, switched_off = options[match["name"]]
        items = _items(match["value"] or "")
        if items:
            return " ".join(f"{switched_on} {shlex.quote(item)}" for item in items)
        text = (match["value"] or "").strip("[]'")
        if text in ("", "True"):
            return switched_on
        if text == "False":
            return switched_off or switched_on
        if text == "None":
            return f"no {switched_on}"
        return f"{switched_on} {'COLUMN' if text == '...' else text}"

    message = re.sub(pattern, as_option, message)
    # A name alone is the parameter if it is not an English word, or in "seed must be ...".
    for name, (option, _) in options.items():
        alone = rf"(?<![\w'-]){name}(?![\w'=])" if "_" in name else rf"^{name}(?= must be )"
        message = re.sub(alone, option, message)
    # "--jobs 0: --jobs must be" names the option twice.
    return re.sub(r"(--[\w-]+)( \S+: )\1 ", r"\1\2", message)


def _items(value: str) -> list[str]:
    """Return the texts and numbers of a list as Python writes it; none for ``[...]``."""
    if not value.startswith("["):
        return []
    matches = re.findall(r"'([^']*)'|(?<![\w.])(-?\d+(?:\.\d+)?)(?![\w.])", value)
    return [text or number for text, number in matches]


def _options(group: Any) -> dict[str, tuple[str, str]]:
    """Return the options of all commands of a group, by the parameter that each sets."""
    options: dict[str, tuple[str, str]] = {}
    for command in group.commands.values():
        if hasattr(command, "commands"):
            options |= _options(command)
        for parameter in command.params:
            if parameter.opts[-1].startswith("--"):
                off = parameter.secondary_opts
                name = _PYTHON_NAMES.get(parameter.name, parameter.name)
                options[name] = (parameter.opts[-1], off[-1] if off else "")
    return options


def one_line(message: str) -> str:
    """Join the lines of a message; lines that start with a dash become a list with commas."""
    text = ""
    for line in message.splitlines():
        item = line.strip()
        if item.startswith("- "):
            text += f"{' ' if text.endswith(':') else ', '}{item[2:]}"
        elif item:
            separator = " " if not text or text[-1] in ".:;," else "; "
            text += f"{separator if text else ''}{item}"
    return text


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(error) or type(error).__name__


def _print_line(text: str) -> None:
    print(one_line(text), file=sys.stderr)
