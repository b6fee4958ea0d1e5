"""Tables that are read in batches of rows, because they may be larger than memory."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.optional_packages import require_package
from weaklearn.tables.messages import did_you_mean, quote, quote_list

#: Rows that are in memory at a time.
BATCH_ROWS = 1 << 16
#: After so many batches pyarrow returns memory to the system.
_BATCHES_TO_RELEASE = 8

_PANDAS_INDEX = re.compile(r"__index_level_[0-9]+__")


@dataclass(frozen=True, eq=False, repr=False)
class Scan:
    """A table that is read in batches, each time it is needed.

    `scan` makes it. ``fit`` and ``predict`` accept it in place of a frame.

    Parameters
    ----------
    source : pyarrow Dataset or polars LazyFrame
        Where the rows come from.
    name : str
        What messages call the table.
    column_names : list of str
        All columns, in order.
    n_rows : int
        The number of rows.
    target : str or None
        The column that holds the class.
    weight : str or None
        The column that holds the weights of the rows.
    batch_rows : int
        The most rows in memory at a time.
    temporary_folder : str or None
        Where a fit writes the file with its codes.
    verbose : int
        Whether a fit shows how many rows it has read.
    """

    source: Any
    name: str
    column_names: list[str]
    n_rows: int
    target: str | None = None
    weight: str | None = None
    batch_rows: int = BATCH_ROWS
    temporary_folder: str | None = None
    verbose: int = 0

    @property
    def feature_names(self) -> list[str]:
        """The columns that are features, in order."""
        return [name for name in self.column_names if name not in (self.target, self.weight)]

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """Yield the rows in order, as frames of at most ``batch_rows`` rows.

        Parameters
        ----------
        columns : sequence of str, optional
            The columns to read; all by default.

        Yields
        ------
        frame
            A pyarrow Table or a polars DataFrame.
        """
        names = list(self.column_names if columns is None else columns)
        if hasattr(self.source, "collect_batches"):
            yield from _polars_batches(self.source, names, self.batch_rows)
        else:
            yield from _arrow_batches(self.source, names, self.batch_rows)

    def predict_batches(
        self, predict: Callable[[Any], NDArray[Any]], features: Sequence[str]
    ) -> NDArray[Any]:
        """Return what a function predicts for all rows, computed batch by batch.

        Parameters
        ----------
        predict : callable
            Returns an array with one entry per row of a frame.
        features : sequence of str
            The features of the model. Only these columns are read, if all of them are there.
        """
        own = self.feature_names
        columns = list(features) if set(features) <= set(own) else own
        return np.concatenate([predict(batch) for batch in self.batches(columns)])

    def __repr__(self) -> str:
        target = "no target" if self.target is None else f"target {quote(self.target)}"
        n = len(self.feature_names)
        features = "1 feature" if n == 1 else f"{n:,} features"
        return f"Scan {quote(self.name)}: {self.n_rows:,} rows, {features}, {target}"


def scan(
    source: Any,
    target: str | None = None,
    *,
    weight: str | None = None,
    batch_rows: int = BATCH_ROWS,
    temporary_folder: str | os.PathLike[str] | None = None,
    verbose: int = 0,
) -> Scan:
    """Describe a table that is too large for memory, for ``fit`` and ``predict``.

    No row is read yet. ``fit`` reads the table twice and keeps one byte per cell in a temporary
    file; the model is the one that the table in memory gives, bit for bit. ``predict`` reads the
    table once.

    Parameters
    ----------
    source : path, pyarrow Dataset or polars LazyFrame
        A Parquet file, a folder of Parquet files, or a query that is not computed yet. Its rows
        must come in the same order each time.
    target : str, optional
        The column that holds the class; needed to fit.
    weight : str, optional
        A column that holds the weights of rows, as ``sample_weight`` does. It is not a feature.
    batch_rows : int
        The most rows that are in memory at a time. It has no influence on results.
    temporary_folder : path, optional
        Where a fit writes its temporary file; by default where the system has such files. The
        file has no name, so that nothing is left behind, whatever happens.
    verbose : int
        1 shows how many rows a fit has read, and the remaining time.

    Returns
    -------
    Scan
        For ``fit(scan)``, ``predict(scan)`` and ``predict_proba(scan)``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import pandas as pd
    >>> import weaklearn as wl
    >>> path = pathlib.Path(tempfile.mkdtemp(), "large.parquet")
    >>> frame = pd.DataFrame({"age": range(100), "old": ["no"] * 60 + ["yes"] * 40})
    >>> frame.to_parquet(path)
    >>> table = wl.scan(path, target="old")
    >>> table
    Scan 'large.parquet': 100 rows, 1 feature, target 'old'
    >>> model = wl.C45Classifier(max_bins=255).fit(table)
    >>> model.predict(table)[:3]
    array(['no', 'no', 'no'], dtype='<U3')
    """
    if isinstance(batch_rows, bool) or not isinstance(batch_rows, int) or batch_rows < 1:
        raise ValueError(f"batch_rows={batch_rows!r}: expected a whole number >= 1.")
    if hasattr(source, "collect_batches"):
        import polars as pl

        name, native = "polars LazyFrame", source
        columns = source.collect_schema().names()
        n_rows = int(source.select(pl.len()).collect(engine="streaming").item())
    else:
        require_package("pyarrow", "parquet", "reading a table in batches")
        name, native = _arrow_dataset(source)
        columns = [column for column in native.schema.names if not is_pandas_index(column)]
        n_rows = native.count_rows()
    for option, column in (("target", target), ("weight", weight)):
        if column is not None and column not in columns:
            raise ValueError(
                f"{option}={column!r}: {name} has no such column{did_you_mean(column, columns)} "
                f"The columns are {quote_list(columns)}."
            )
    if target is not None and target == weight:
        raise ValueError(f"target and weight are both {target!r}; expected two columns.")
    folder = None if temporary_folder is None else os.fspath(temporary_folder)
    return Scan(native, name, columns, n_rows, target, weight, batch_rows, folder, verbose)


def as_scan(X: Any, target: Any = None) -> Scan | None:
    """Return the scan of a scan, a pyarrow Dataset or a polars LazyFrame; None for other types.

    Parameters
    ----------
    X : object
        What a user passed as the rows.
    target : object
        What a user passed as the classes: for a Dataset or LazyFrame the name of a column.
    """
    if isinstance(X, Scan):
        return X
    module = type(X).__module__.partition(".")[0]
    is_dataset = module == "pyarrow" and hasattr(X, "to_batches") and hasattr(X, "count_rows")
    if is_dataset or (module == "polars" and hasattr(X, "collect_batches")):
        return scan(X, target if isinstance(target, str) else None)
    return None


def is_pandas_index(name: str) -> bool:
    """Return whether a column is an index that pandas saved.

    It is the last column, so it would be taken for the class.
    """
    return _PANDAS_INDEX.fullmatch(name) is not None


def _arrow_dataset(source: Any) -> tuple[str, Any]:
    """Return the name and the pyarrow Dataset of a path or a Dataset."""
    import pyarrow as pa
    import pyarrow.dataset as ds

    if isinstance(source, ds.Dataset):
        return "pyarrow Dataset", source
    if not isinstance(source, str | os.PathLike):
        raise TypeError(
            f"got {type(source).__name__}; expected the path of a Parquet file or folder, a "
            "pyarrow Dataset or a polars LazyFrame. Pass a frame in memory to fit as it is."
        )
    path = Path(source)
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist; expected a Parquet file or a folder")
    try:
        return path.name, ds.dataset(path, format="parquet")
    except (pa.ArrowException, OSError) as problem:
        raise ValueError(f"{path} cannot be read as Parquet: {problem}") from problem


def _arrow_batches(dataset: Any, names: list[str], batch_rows: int) -> Iterator[Any]:
    import pyarrow as pa
    import pyarrow.dataset as ds

    # By default pyarrow reads 16 batches and 4 files ahead, which may be most of the table.
    options: dict[str, Any] = {"batch_readahead": 1, "fragment_readahead": 1}
    if isinstance(getattr(dataset, "format", None), ds.ParquetFileFormat):
        options["fragment_scan_options"] = ds.ParquetFragmentScanOptions(
            use_buffered_stream=True, pre_buffer=False
        )
    batches = dataset.to_batches(columns=names, batch_size=batch_rows, **options)
    for index, batch in enumerate(batches):
        if batch.num_rows:
            yield pa.Table.from_batches([batch])
        if index % _BATCHES_TO_RELEASE == 0:
            # Otherwise pyarrow keeps memory that it does not use, hundreds of megabytes of it.
            pa.default_memory_pool().release_unused()
    del batches
    pa.default_memory_pool().release_unused()


def _polars_batches(frame: Any, names: list[str], batch_rows: int) -> Iterator[Any]:
    for batch in frame.select(names).collect_batches(chunk_size=batch_rows, maintain_order=True):
        for part in batch.iter_slices(batch_rows):  # chunk_size is a wish
            if part.height:
                yield part
