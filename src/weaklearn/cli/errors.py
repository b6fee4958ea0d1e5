"""Errors as a shell expects them: one line on stderr, and a code to leave with.

0 is success, 1 something wrong with the data, a file or a value, 2 a command that was not
understood, 130 interrupted.
"""

from __future__ import annotations

import sys
import traceback
import warnings
from typing import Any, NoReturn, TextIO

import typer
from typer.core import TyperGroup

# Every misuse of an option or an argument; typer has no public name for it.
_UsageError: type[Exception] = typer.BadParameter.__bases__[0]
_USER_ERRORS = (ValueError, TypeError, OSError, ImportError)
INTERRUPTED = 130


class OneLineErrors(TyperGroup):
    """A group of commands whose errors and warnings are one line each."""

    def main(self, *arguments: Any, **options: Any) -> NoReturn:
        """Run a command and leave with its code."""
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                # A terminal that cannot show a name gets a question mark, not a failure.
                stream.reconfigure(errors="replace")
        options["standalone_mode"] = False
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
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
            _say(f"error: {message.rstrip('.')}. Try: {command} --help")
            return 2
        except _USER_ERRORS as error:
            _say(f"error: {_reason(error)}")
            return 1
        except Exception:
            traceback.print_exc()
            _say("error: this is a fault of weaklearn; please report the lines above")
            return 1


def one_line(message: str) -> str:
    """Join the lines of a message; those that begin with a dash are a list."""
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
    return one_line(str(error)) or type(error).__name__


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    _say(f"warning: {one_line(str(message))}")


def _say(text: str) -> None:
    print(one_line(text), file=sys.stderr)
