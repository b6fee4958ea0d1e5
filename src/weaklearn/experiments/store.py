"""The store: what came of every unit, in one SQLite file that only ever grows.

SQLite and not Parquet, because a run is killed at any moment: each outcome is committed by itself
and is then on the disk, whereas a Parquet file is whole or nothing and many small ones are a
database written by hand. It comes with Python, and any tool can look into it.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from weaklearn.experiments.work_units import Outcome, Unit

#: Marks the file as ours ("wkln"), and says which form its tables have.
_APPLICATION, _FORM = 0x776B6C6E, 1
_KEY = "paper, experiment, problem, learner, repeat, fold, recipe, data, code"
_SCHEMA = (
    "CREATE TABLE recipes (digest TEXT PRIMARY KEY, recipe TEXT NOT NULL)",
    "CREATE TABLE outcomes (number INTEGER PRIMARY KEY, paper TEXT NOT NULL, experiment TEXT "
    "NOT NULL, problem TEXT NOT NULL, learner TEXT NOT NULL, repeat INTEGER NOT NULL, fold "
    "INTEGER NOT NULL, recipe TEXT NOT NULL, data TEXT NOT NULL, code TEXT NOT NULL, result "
    "TEXT, error TEXT, seconds REAL NOT NULL, at TEXT NOT NULL, seal TEXT NOT NULL)",
    f"CREATE UNIQUE INDEX once ON outcomes ({_KEY}) WHERE result IS NOT NULL",
    *(
        f"CREATE TRIGGER {table}_{what.lower()} BEFORE {what} ON {table} BEGIN SELECT "
        "RAISE(ABORT, 'the store only grows'); END"
        for table in ("recipes", "outcomes")
        for what in ("UPDATE", "DELETE")
    ),
)


class StoreError(ValueError):
    """A file that holds no results this version can use; says which file, and why."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What the store knows of a unit.

    Parameters
    ----------
    result : dict or None
        What was measured; None if the unit failed the last time.
    error : str or None
        Why it failed.
    seconds : float
        How long it took.
    """

    result: dict[str, Any] | None
    error: str | None
    seconds: float


class Store:
    """An append-only store of outcomes; open it in a ``with`` statement.

    Parameters
    ----------
    path : Path
        The file; made where there is none.
    code : str
        The version of the code whose outcomes are read and written. Those of others stay in the
        file, unseen.

    Examples
    --------
    >>> from pathlib import Path
    >>> from weaklearn.experiments.work_units import Outcome, Unit
    >>> unit = Unit("a", "b", "c", "d", 0, 0, "{}", "checksum")
    >>> with Store(Path("results.sqlite"), code="1") as store:
    ...     store.append(Outcome(unit, '{"n_test":3}', None, 0.5))
    ...     store.read([unit])[unit].result
    {'n_test': 3}
    """

    def __init__(self, path: Path, code: str) -> None:
        self.path, self.code = path, code

    def __enter__(self) -> Self:
        is_new = not self.path.exists() or self.path.stat().st_size == 0
        with self._told():
            self._file = sqlite3.connect(self.path, timeout=60.0, isolation_level=None)
            self._file.execute("PRAGMA trusted_schema = OFF")
            if is_new:
                self._make()
            else:
                self._check()
            # A commit survives the end of this process at once, that of the machine in a moment.
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = NORMAL")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def append(self, outcome: Outcome) -> None:
        """Put an outcome on the disk; one that is there already changes nothing.

        Parameters
        ----------
        outcome : Outcome
            With a result or an error.
        """
        unit, now = outcome.unit, datetime.now(UTC).isoformat(timespec="seconds")
        key = self._key(unit)
        seal = _seal(key, outcome.result, outcome.error)
        row = (*key, outcome.result, outcome.error, outcome.seconds, now, seal)
        with self._told(), self._transaction():
            self._file.execute(
                "INSERT OR IGNORE INTO recipes VALUES (?, ?)", (unit.digest, unit.recipe)
            )
            self._file.execute(
                f"INSERT OR IGNORE INTO outcomes ({_KEY}, result, error, seconds, at, seal) VALUES "
                f"({', '.join('?' * len(row))})",
                row,
            )

    def read(self, units: Iterable[Unit]) -> dict[Unit, Stored]:
        """Give what is known of some units.

        Parameters
        ----------
        units : iterable of Unit
            Whose tables have been looked at.

        Returns
        -------
        dict
            Of the units that were done, by this version of the code and on these data; a result
            counts for more than an error.
        """
        known: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        with self._told():
            for *key, result, error, seconds, seal in self._file.execute(
                f"SELECT {_KEY}, result, error, seconds, seal FROM outcomes WHERE code = ? "
                "ORDER BY result IS NOT NULL, number",
                (self.code,),
            ):
                known[tuple(key)] = (result, error, seconds, seal)
        return {
            unit: self._stored(unit, *known[key])
            for unit in units
            if (key := self._key(unit)) in known
        }

    def digest(self, units: Iterable[Unit]) -> str:
        """Give the SHA-256 of the outcomes of some units, whatever their order and times.

        Parameters
        ----------
        units : iterable of Unit
            Whose tables have been looked at.

        Returns
        -------
        str
            Equal for two stores exactly where all results and errors are, bit for bit; the version
            of the code has no part in it.
        """
        found = hashlib.sha256()
        for line in sorted(
            json.dumps([*self._key(unit)[:-1], stored.result, stored.error], sort_keys=True)
            for unit, stored in self.read(units).items()
        ):
            found.update(line.encode() + b"\n")
        return found.hexdigest()

    def _key(self, unit: Unit) -> tuple[Any, ...]:
        place = (unit.paper, unit.experiment, unit.problem, unit.learner)
        return (*place, unit.repeat, unit.fold, unit.digest, unit.data, self.code)

    def _stored(self, unit: Unit, result: Any, error: Any, seconds: Any, seal: Any) -> Stored:
        """Give a row as it was written; SQLite itself would not notice a digit that has changed."""
        if seal != _seal(self._key(unit), result, error):
            raise StoreError(
                f"{self.path}: what it holds of '{unit.name}' is not what was written. {_ADVICE}"
            )
        return Stored(None if result is None else json.loads(result), error, float(seconds))

    def _make(self) -> None:
        with self._transaction():
            for statement in _SCHEMA:
                self._file.execute(statement)
            self._file.execute(f"PRAGMA application_id = {_APPLICATION}")
            self._file.execute(f"PRAGMA user_version = {_FORM}")

    def _check(self) -> None:
        (mark,) = self._file.execute("PRAGMA application_id").fetchone()
        (form,) = self._file.execute("PRAGMA user_version").fetchone()
        if mark != _APPLICATION:
            raise StoreError(f"{self.path} is a database, but not a store of results. {_ADVICE}")
        if form != _FORM:
            raise StoreError(
                f"{self.path} has form {form}, and this version of weaklearn reads form {_FORM}. "
                f"{_ADVICE}"
            )
        (verdict,) = self._file.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise StoreError(f"{self.path} is damaged ({verdict}). {_ADVICE}")
        # Nothing but our own tables and triggers: a stranger's could do anything on reading.
        made = [text for (text,) in self._file.execute("SELECT sql FROM sqlite_master") if text]
        if sorted(made) != sorted(_SCHEMA):
            raise StoreError(f"{self.path} holds other tables than a store of results. {_ADVICE}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._file.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._file.execute("ROLLBACK")
            raise
        self._file.execute("COMMIT")

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say which file it was, and what to do."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise StoreError(
                f"{self.path} cannot be used as a store of results ({error}). {_ADVICE}"
            ) from error


def _seal(key: tuple[Any, ...], result: Any, error: Any) -> str:
    return hashlib.sha256(json.dumps([*key, result, error], default=str).encode()).hexdigest()


_ADVICE = "Move it away, or name another folder with --out."
