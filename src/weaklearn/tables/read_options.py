"""What the caller of ``read`` may choose: the target, the kinds of columns, missing values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from weaklearn.tables.distinct import first_repeated
from weaklearn.tables.messages import did_you_mean, quote, quote_list
from weaklearn.tables.missing_values import DEFAULT_MISSING, MissingValues
from weaklearn.tables.source_file import SourceFile


@dataclass(frozen=True)
class ReadOptions:
    """The options of ``read``.

    Parameters
    ----------
    target : str, False or None
        The column that holds the class; False: none does; None: the last one.
    nominal, continuous : frozenset of str
        Columns whose kind is given by the caller.
    ignore : frozenset of str
        Columns to leave out.
    missing : MissingValues
        The cells that are missing.
    missing_is_given : bool
        Whether the caller chose them. If not, files that declare their values have only their own
        mark for missing values.
    """

    target: str | Literal[False] | None = None
    nominal: frozenset[str] = frozenset()
    continuous: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    missing: MissingValues = DEFAULT_MISSING
    missing_is_given: bool = False

    def check(self, source: SourceFile, names: Sequence[str], at: str = "", hint: str = "") -> None:
        """Raise a ReadError for repeated names, and for options that do not fit the names.

        Parameters
        ----------
        source : SourceFile
            The file, for messages.
        names : sequence of str
            The names of all columns.
        at : str
            Where the file names its columns, for messages.
        hint : str
            What to add to the message about repeated names.
        """
        repeated = first_repeated(names)
        if repeated is not None:
            raise source.error(
                f"two columns are called {quote(repeated)}; expected distinct names{hint}", at=at
            )
        if self.target is not False and len(names) < 2:
            raise source.error(
                f"got {len(names)} columns; expected at least one feature and the target", at=at
            )
        named = (*sorted(self.nominal), *sorted(self.continuous), *sorted(self.ignore))
        for name in (self.target or None, *named):
            if name is not None and name not in names:
                raise source.error(
                    f"there is no column {quote(name)}{did_you_mean(name, names)} The columns are "
                    f"{quote_list(names)}"
                )
        for name in sorted(self.nominal & self.continuous):
            raise source.error(
                f"column {quote(name)} is in both nominal= and continuous=; keep it in one of them"
            )
        target = self.choose_target(names)
        if target in self.ignore:
            raise source.error(
                f"the target {quote(target)} is in ignore=; remove it there, or choose another "
                "target="
            )
        if not set(names) - {target} - self.ignore:
            raise source.error("ignore= leaves out every feature; expected it to keep one at least")
        if self.target in self.continuous:
            raise source.error(
                f"the target {quote(self.target)} is in continuous=; expected a column of classes. "
                "Remove it from continuous=, or choose another target="
            )

    def choose_target(self, names: Sequence[str]) -> str | None:
        """Return the name of the class column, or None if the rows have no class."""
        return None if self.target is False else self.target or names[-1]
