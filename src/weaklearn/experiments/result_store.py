"""Store the outcomes of work units in one append-only SQLite file.

A run may be killed at any moment, so each outcome must be safe as soon as it exists. SQLite commits
outcomes one by one. A Parquet file cannot be appended to, and many small files would need an index
of their own. SQLite also comes with Python, and many tools can read its files.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from weaklearn.experiments.work_units import Outcome, WorkUnit

#: The number that marks the file as a store ("wkln"), and the version of its tables.
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


#: Packages that only show results: changing them does not change a result.
_DISPLAY_PACKAGES = ("cli", "report", "show")


class StoreError(ValueError):
    """A file that is not a store that this version can use; the message says which, and why."""


@dataclass(frozen=True, slots=True)
class StoredResult:
    """The outcome of a unit, as read from the store.

    Parameters
    ----------
    result : dict or None
        What was measured; None if the unit has only failed so far.
    error : str or None
        Why the unit failed.
    seconds : float
        How long it took.
    """

    result: dict[str, Any] | None
    error: str | None
    seconds: float

    def __repr__(self) -> str:
        state = f"failed: {self.error}" if self.result is None else "done"
        return f"StoredResult({state}, {self.seconds:.3g} s)"

    @property
    def lasting_result(self) -> dict[str, Any] | None:
        """The result without measured times, which no two runs share."""
        if self.result is None:
            return None
        return {name: value for name, value in self.result.items() if name != "seconds"}


class Store:
    """An append-only store of outcomes; open it in a ``with`` statement.

    Parameters
    ----------
    path : Path
        The file. It is created if it does not exist.
    code : str or callable
        The version of the code, or a function that returns it for a unit; see `code_version`.
        Outcomes of other versions stay in the file but are not read.

    Examples
    --------
    >>> from pathlib import Path
    >>> from weaklearn.experiments.work_units import Outcome, WorkUnit
    >>> unit = WorkUnit("a", "b", "c", "d", 0, 0, "{}", "checksum")
    >>> with Store(Path("results.sqlite"), code="1") as store:
    ...     store.append(Outcome(unit, '{"n_test":3}', None, 0.5))
    ...     store.read([unit])[unit].result
    {'n_test': 3}
    """

    def __init__(self, path: Path, code: str | Callable[[WorkUnit], str]) -> None:
        self.path, self.code = path, code

    def __repr__(self) -> str:
        code = "by unit" if callable(self.code) else self.code
        return f"Store({str(self.path)!r}, code {code})"

    def __enter__(self) -> Self:
        is_new = not self.path.exists() or self.path.stat().st_size == 0
        with self._explained_errors():
            self._file = sqlite3.connect(self.path, timeout=60.0, isolation_level=None)
            self._file.execute("PRAGMA trusted_schema = OFF")
            if is_new:
                self._create_tables()
            else:
                self._check()
            # A commit survives if this process is killed. A crash of the whole machine may lose
            # the last commits, but does not damage the file.
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
        """Write an outcome to the file. A unit that has a result keeps its first one.

        Parameters
        ----------
        outcome : Outcome
            With a result or an error.
        """
        unit, now = outcome.unit, datetime.now(UTC).isoformat(timespec="seconds")
        key = self._key(unit)
        seal = _checksum(key, outcome.result, outcome.error)
        row = (*key, outcome.result, outcome.error, outcome.seconds, now, seal)
        with self._explained_errors(), self._transaction():
            self._file.execute(
                "INSERT OR IGNORE INTO recipes VALUES (?, ?)", (unit.digest, unit.recipe)
            )
            self._file.execute(
                f"INSERT OR IGNORE INTO outcomes ({_KEY}, result, error, seconds, at, seal) VALUES "
                f"({', '.join('?' * len(row))})",
                row,
            )

    def read(self, units: Iterable[WorkUnit]) -> dict[WorkUnit, StoredResult]:
        """Read the stored outcomes of some units.

        Parameters
        ----------
        units : iterable of WorkUnit
            Units with the checksums of their tables.

        Returns
        -------
        dict
            Only the units that this version of the code has run on the same tables. A unit that
            has both a result and an error is read with its result.
        """
        keys = {unit: self._key(unit) for unit in units}
        codes = sorted({key[-1] for key in keys.values()})
        known: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        with self._explained_errors():
            for *key, result, error, seconds, seal in self._file.execute(
                f"SELECT {_KEY}, result, error, seconds, seal FROM outcomes WHERE code IN "
                f"({', '.join('?' * len(codes))}) ORDER BY result IS NOT NULL, number",
                codes,
            ):
                known[tuple(key)] = (result, error, seconds, seal)
        return {
            unit: self._checked_result(unit, *known[key])
            for unit, key in keys.items()
            if key in known
        }

    def digest(self, units: Iterable[WorkUnit]) -> str:
        """Compute the SHA-256 of the outcomes of some units; their order and times do not matter.

        Parameters
        ----------
        units : iterable of WorkUnit
            As for `read`.

        Returns
        -------
        str
            Equal for two stores if and only if all results and errors are equal, bit for bit. The
            version of the code and measured times are not part of it.
        """
        digest = hashlib.sha256()
        for line in sorted(
            json.dumps([*self._key(unit)[:-1], stored.lasting_result, stored.error], sort_keys=True)
            for unit, stored in self.read(units).items()
        ):
            digest.update(line.encode() + b"\n")
        return digest.hexdigest()

    def _key(self, unit: WorkUnit) -> tuple[Any, ...]:
        code = self.code(unit) if callable(self.code) else self.code
        return (*unit.group, unit.repeat, unit.fold, unit.digest, unit.checksum, code)

    def _checked_result(
        self, unit: WorkUnit, result: Any, error: Any, seconds: Any, seal: Any
    ) -> StoredResult:
        """Check a row's checksum, because SQLite does not notice a digit that has changed."""
        if seal != _checksum(self._key(unit), result, error):
            raise StoreError(
                f"{self.path} is damaged: the checksum of '{unit.name}' is wrong. {_ADVICE}"
            )
        return StoredResult(None if result is None else json.loads(result), error, float(seconds))

    def _create_tables(self) -> None:
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
                f"{self.path} has format version {form}, but this weaklearn reads version {_FORM}. "
                f"{_ADVICE}"
            )
        (verdict,) = self._file.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise StoreError(f"{self.path} is damaged ({verdict}). {_ADVICE}")
        # The file may be untrusted. A view or trigger that is not ours could run when we read it.
        schema = [text for (text,) in self._file.execute("SELECT sql FROM sqlite_master") if text]
        if sorted(schema) != sorted(_SCHEMA):
            raise StoreError(
                f"{self.path} has other tables or triggers than a store of results. {_ADVICE}"
            )

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
    def _explained_errors(self) -> Iterator[None]:
        """Turn errors of SQLite into errors that name the file and what to do."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise StoreError(
                f"{self.path} cannot be used as a store of results ({error}). {_ADVICE}"
            ) from error


def code_version(only: Sequence[str] | None = None) -> str:
    """Return the package's version, and a digest of the files that results depend on.

    Parameters
    ----------
    only : list of str, optional
        Only these files of the package matter: for results that other libraries compute.

    Returns
    -------
    str
        It changes whenever a file of the package changes, except those that only show results.
    """
    package = Path(__file__).parents[1]
    digest = hashlib.sha256()
    if only is not None:
        for name in sorted(only):
            digest.update(name.encode() + b"\0" + (package / name).read_bytes() + b"\0")
        return f"files+{digest.hexdigest()[:12]}"
    for path in sorted(package.rglob("*.py")):
        relative = path.relative_to(package)
        if relative.parts[0] not in _DISPLAY_PACKAGES:
            digest.update(relative.as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    compiled = find_spec("weaklearn._core")
    if compiled is not None and compiled.origin is not None:
        digest.update(Path(compiled.origin).read_bytes())
    return f"{version('weaklearn')}+{digest.hexdigest()[:12]}"


def _checksum(key: tuple[Any, ...], result: Any, error: Any) -> str:
    return hashlib.sha256(json.dumps([*key, result, error], default=str).encode()).hexdigest()


_ADVICE = "Move the file away, or choose another folder with --out."
