"""The codes of a dataset in a temporary file that is mapped into memory."""

from __future__ import annotations

import errno
import mmap
import os
import shutil
import tempfile
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from weaklearn.tables.messages import describe_bytes

_ALIGNMENT = 64  # bytes: the first code of a column begins a cache line


class CodesFile:
    """A file with the codes of each column, one column after the other.

    It is a context: after an error, also after Ctrl-C, the file is closed. The file has no name
    where the system allows that, and is deleted when it is closed elsewhere. So nothing is left
    behind. Arrays from `arrays` keep it open as long as they exist.

    Parameters
    ----------
    n_rows : int
        The number of rows.
    types : sequence of types
        The type of the codes of each column.
    folder : str or None
        Where to write; None for the system's folder for temporary files.

    Raises
    ------
    OSError
        If there is not enough space, before anything is written where the system can tell.
    """

    def __init__(self, n_rows: int, types: Sequence[DTypeLike], folder: str | None) -> None:
        self._folder = tempfile.gettempdir() if folder is None else folder
        self._types = [np.dtype(kind) for kind in types]
        self._n_rows = n_rows
        self._offsets = []
        self.nbytes = 0
        for kind in self._types:
            self._offsets.append(self.nbytes)
            self.nbytes += -(-n_rows * kind.itemsize // _ALIGNMENT) * _ALIGNMENT
        if not os.path.isdir(self._folder):
            raise FileNotFoundError(
                f"temporary_folder={self._folder!r} does not exist; create it first."
            )
        if shutil.disk_usage(self._folder).free < self.nbytes:
            raise self._no_space(None)
        self._file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115 - __exit__ closes it
        try:
            if hasattr(os, "posix_fallocate") and self.nbytes:
                os.posix_fallocate(self._file.fileno(), 0, self.nbytes)
            else:
                self._file.truncate(self.nbytes)
        except OSError as problem:
            self._file.close()
            raise self._no_space(problem) from problem

    def write(self, column: int, first_row: int, codes: NDArray[Any]) -> None:
        """Write the codes of consecutive rows of a column."""
        kind = self._types[column]
        assert codes.dtype == kind
        assert first_row + len(codes) <= self._n_rows
        try:
            self._file.seek(self._offsets[column] + first_row * kind.itemsize)
            self._file.write(codes.data)
        except OSError as problem:
            raise self._no_space(problem) from problem

    def arrays(self) -> list[NDArray[Any]]:
        """Return the codes of each column, mapped into memory; they cannot be changed."""
        try:
            self._file.flush()
        except OSError as problem:
            raise self._no_space(problem) from problem
        if self.nbytes == 0:
            return [np.zeros(0, dtype=kind) for kind in self._types]
        mapped = mmap.mmap(self._file.fileno(), self.nbytes, access=mmap.ACCESS_READ)
        return [
            np.frombuffer(mapped, kind, self._n_rows, offset)
            for kind, offset in zip(self._types, self._offsets, strict=True)
        ]

    def _no_space(self, problem: OSError | None) -> OSError:
        number = errno.ENOSPC if problem is None or problem.errno is None else problem.errno
        free = describe_bytes(shutil.disk_usage(self._folder).free)
        because = "" if problem is None else f" ({problem.strerror})"
        wide = " Lower max_bins to 255, which halves it." if np.uint16 in self._types else ""
        return OSError(
            number,
            f"the codes of {self._n_rows:,} rows and {len(self._types)} columns need "
            f"{describe_bytes(self.nbytes)} in {self._folder}, where {free} are free{because}. "
            f"Free some space, name another folder: wl.scan(..., temporary_folder=...), or leave "
            f"out columns: ignore=[...].{wide}",
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # A map stays valid after its file is closed.
        try:
            self._file.close()
        except OSError:  # what is still buffered cannot be written; the first error has said so
            if error is None:
                raise
