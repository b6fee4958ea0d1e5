"""Write predictions to a file, batch by batch: Parquet by its suffix, otherwise CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from numpy.typing import NDArray

from weaklearn.files import open_atomically
from weaklearn.optional_packages import require_package

#: Writes the labels, and the probabilities if they were asked for, of some rows.
Write: TypeAlias = Callable[[NDArray[Any], NDArray[Any] | None], None]


@contextmanager
def prediction_writer(path: Path | None, header: Sequence[str]) -> Iterator[Write]:
    """Open a file of predictions; it is complete when the with statement ends, or not there.

    Parameters
    ----------
    path : Path or None
        The file. None if nothing is written.
    header : sequence of str
        The names of the columns: of the prediction, and of the probabilities if there are any.

    Yields
    ------
    callable
        Writes the predictions of some rows.
    """
    if path is None:
        yield lambda labels, shares: None
        return
    if path.suffix == ".parquet":
        require_package("pyarrow", "parquet", "writing Parquet")
        with open_atomically(path) as file, _parquet_writer(file, header) as write:
            yield write
        return
    with open_atomically(path) as file:
        _write_lines(file, [list(header)])

        def write_rows(labels: NDArray[Any], shares: NDArray[Any] | None) -> None:
            rows = [[label] for label in labels.tolist()]
            if shares is not None:
                rows = [[*row, *of_row] for row, of_row in zip(rows, shares.tolist(), strict=True)]
            _write_lines(file, rows)

        yield write_rows


def _write_lines(file: Any, rows: Sequence[Sequence[Any]]) -> None:
    lines = io.StringIO(newline="")
    csv.writer(lines).writerows(rows)
    file.write(lines.getvalue().encode("utf-8"))


@contextmanager
def _parquet_writer(file: Any, header: Sequence[str]) -> Iterator[Write]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    writer: Any = None

    def write(labels: NDArray[Any], shares: NDArray[Any] | None) -> None:
        nonlocal writer
        columns = [pa.array(labels.tolist())]
        if shares is not None:
            columns.extend(pa.array(column) for column in shares.T)
        table = pa.Table.from_arrays(columns, names=list(header))
        if writer is None:
            writer = pq.ParquetWriter(file, table.schema)
        writer.write_table(table)

    try:
        yield write
    finally:
        if writer is not None:
            writer.close()
