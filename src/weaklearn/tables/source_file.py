"""The file behind a table: its bytes, its text, and the errors that point into it."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


class ReadError(ValueError):
    """A file that is not the table it should be; the message says where and what was expected."""


@dataclass(frozen=True)
class Source:
    """One file, plain or gzipped.

    Parameters
    ----------
    path : Path
        Where the file is.
    """

    path: Path

    @property
    def plain_name(self) -> str:
        """The file's name without a trailing ``.gz``."""
        name = self.path.name
        return name[:-3] if name.lower().endswith(".gz") else name

    @property
    def suffix(self) -> str:
        """The suffix that tells the format, in lower case."""
        return Path(self.plain_name).suffix.lower()

    @property
    def stem(self) -> str:
        """The file's name without its suffixes."""
        return Path(self.plain_name).stem

    def read_bytes(self) -> bytes:
        """Give the file's content, unzipped; missing, empty and broken files are errors."""
        if self.path.is_dir():
            raise self.error("is a directory; expected a file")
        content = self.path.read_bytes()
        if self.path.suffix.lower() == ".gz":
            try:
                content = gzip.decompress(content)
            except (OSError, EOFError, zlib.error) as problem:
                raise self.error(f"is not a whole gzip file ({problem})") from None
        if not content.strip():
            raise self.error("is empty; expected a table")
        return content

    def read_text(self, notes: list[str]) -> str:
        """Give the file's text; one that is not UTF-8 is taken as Latin-1, and noted."""
        content = self.read_bytes()
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError:
            notes.append(f"{self.path.name} is not UTF-8, read as Latin-1")
            return content.decode("latin-1")

    def read_lines(self, notes: list[str]) -> list[str]:
        """Give the lines of the text, whichever of the three line ends it uses.

        ``str.splitlines`` would also split at characters that may stand inside a value.
        """
        text = self.read_text(notes)
        return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")

    def error(self, problem: str, *, at: str = "", column: str | None = None) -> ReadError:
        """Make the error for ``problem``, found ``at`` a line or row and in a column."""
        place = str(self.path)
        if at:
            place += f", {at}"
        if column is not None:
            place += f", column {shown(column)}"
        return ReadError(f"{place}: {problem}")


def shown(text: str) -> str:
    """Quote ``text`` for a message, shortened where it is long."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def listed(values: Iterable[str], most: int = 12) -> str:
    """Write the first few values in one line."""
    values = list(values)
    rest = f", ... ({len(values)} in all)" if len(values) > most else ""
    return ", ".join(shown(value) for value in values[:most]) + rest
