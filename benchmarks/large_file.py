"""A committee fitted to a table that is read in batches, against the table in memory.

``python -m benchmarks.large_file ROWS`` writes a table of 20 columns, fits ten trees to it in a
process of its own, and compares the model with that of the table in memory.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.registry import Result, benchmark

N_COLUMNS = 20
_BLOCK = 250_000
_MOST_BYTES = 1.5e9


def write_table(path: Path, n_rows: int) -> None:
    """Write a table block by block: numbers, the fifth of them whole, and a class of two."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    writer = None
    for first in range(0, n_rows, _BLOCK):
        random = np.random.default_rng(first)
        n = min(_BLOCK, n_rows - first)
        X = random.normal(size=(N_COLUMNS, n))
        X[4] = np.rint(10 * X[4])
        score = X[0] + X[1] * (X[2] > 0) + 0.2 * X[4] + random.normal(size=n)
        data = {f"x{i}": column for i, column in enumerate(X)}
        table = pa.table({**data, "class": np.where(score > 0, "yes", "no")})
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def fit_and_report(path: Path, how: str) -> None:
    """Fit a committee and print what a `Run` holds."""
    import pyarrow.parquet as pq

    import weaklearn as wl
    from benchmarks.memory import resident_bytes

    model = wl.BaggedClassifier(
        wl.C45Classifier(max_bins=255, min_objects=100), n_members=10, random_state=0
    )
    started, processor_started = time.perf_counter(), time.process_time()
    if how == "scan":
        model.fit(wl.scan(path, "class"))
    else:
        frame = pq.read_table(path)
        model.fit(frame.drop(["class"]), frame["class"].to_pandas().rename("class"))
    seconds = time.perf_counter() - started
    processor_seconds = time.process_time() - processor_started
    most = resident_bytes("VmHWM")
    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder, "model.json")
        model.save(saved)
        digest = hashlib.sha256(saved.read_bytes()).hexdigest()
    print(seconds, processor_seconds, most, digest)


class Run(NamedTuple):
    """A fit in a process of its own."""

    seconds: float
    processor_seconds: float
    most_bytes: float  # of resident memory
    digest: str  # of the saved model


def _run(path: Path, how: str) -> Run:
    command = [sys.executable, "-m", "benchmarks.large_file", how, str(path)]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    *numbers, digest = result.stdout.split()
    seconds, processor_seconds, most = map(float, numbers)
    return Run(seconds, processor_seconds, most, digest)


def run_both(n_rows: int) -> tuple[Run, Run]:
    """Fit to a table that is read in batches and to the same table in memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "large.parquet")
        write_table(path, n_rows)
        scanned, in_memory = _run(path, "scan"), _run(path, "memory")
    if scanned.digest != in_memory.digest:
        raise AssertionError("the model of the scan differs from that of the table in memory")
    return scanned, in_memory


def compare(n_rows: int) -> Iterator[Result]:
    """Yield memory and time of a fit to a scan, against the fit to the table in memory."""
    scanned, in_memory = run_both(n_rows)
    work = f"10 trees, {n_rows:,} x {N_COLUMNS}, read in batches"
    note = f"the table in memory: {in_memory.most_bytes / 1e9:.2f} GB; same model"
    yield Result(f"{work}: memory", scanned.most_bytes, target=_MOST_BYTES, unit="bytes", note=note)
    note = "processor time; peer: the table in memory"
    yield Result(f"{work}: time", scanned.processor_seconds, in_memory.processor_seconds, note=note)


@benchmark("large-file", slow=True)
def large_file() -> Iterator[Result]:
    """Ten trees from a table of ten million rows that is not in memory."""
    return compare(10_000_000)


if __name__ == "__main__":
    if sys.argv[1] in ("scan", "memory"):
        fit_and_report(Path(sys.argv[2]), sys.argv[1])
    else:
        for row in compare(int(sys.argv[1])):
            print(row)
