"""The file that a table is read from: its content, and the errors that name a place in it."""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass
from pathlib import Path

from weaklearn.tables.messages import quote


class ReadError(ValueError):
    """A file does not hold a table; the message has the place and what was expected."""


@dataclass(frozen=True)
class SourceFile:
    """One file, plain or gzipped.

    Parameters
    ----------
    path : Path
        The file's path.
    """

    path: Path

    @property
    def plain_name(self) -> str:
        """The file's name without a trailing ``.gz``."""
        name = self.path.name
        return name[:-3] if name.lower().endswith(".gz") else name

    @property
    def suffix(self) -> str:
        """The suffix of the plain name in lower case; it decides the format."""
        return Path(self.plain_name).suffix.lower()

    @property
    def stem(self) -> str:
        """The file's name without its suffixes."""
        return Path(self.plain_name).stem

    def read_bytes(self) -> bytes:
        """Return the file's content, unzipped. An empty or damaged file is an error."""
        if self.path.is_dir():
            raise self.error("is a directory; expected a file")
        content = self.path.read_bytes()
        if self.path.suffix.lower() == ".gz":
            try:
                content = gzip.decompress(content)
            except (OSError, EOFError, zlib.error) as problem:
                raise self.error(
                    f"is not a complete gzip file ({problem}); expected one because of its suffix "
                    ".gz. Copy the file again, or rename it if it is not compressed"
                ) from None
        if not content.strip():
            raise self.error("is empty; expected a table")
        return content

    def read_text(self, notes: list[str]) -> str:
        """Return the file's text. A file that is not UTF-8 is read as Latin-1, with a note."""
        content = self.read_bytes()
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError:
            notes.append(f"{self.path.name} is not UTF-8, read as Latin-1")
            return content.decode("latin-1")

    def read_lines(self, notes: list[str]) -> list[str]:
        r"""Return the lines of the text; a line ends with ``\n``, ``\r\n`` or ``\r``.

        ``str.splitlines`` would also split at characters that may occur inside a value.
        """
        text = self.read_text(notes)
        return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")

    def error(self, problem: str, *, at: str = "", column: str | None = None) -> ReadError:
        """Return the error for a problem at a line or row (``at``) and in a column."""
        place = str(self.path)
        if at:
            place += f", {at}"
        if column is not None:
            place += f", column {quote(column)}"
        return ReadError(f"{place}: {problem}")
