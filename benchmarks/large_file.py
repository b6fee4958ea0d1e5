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
    """Fit a committee and print the seconds, the most memory in bytes and a digest of the model."""
    import pyarrow.parquet as pq

    import weaklearn as wl
    from benchmarks.memory import resident_bytes

    model = wl.BaggedClassifier(
        wl.C45Classifier(max_bins=255, min_objects=100), n_members=10, random_state=0
    )
    started = time.perf_counter()
    if how == "scan":
        model.fit(wl.scan(path, "class"))
    else:
        frame = pq.read_table(path)
        model.fit(frame.drop(["class"]), frame["class"].to_pandas().rename("class"))
    seconds = time.perf_counter() - started
    most = resident_bytes("VmHWM")
    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder, "model.json")
        model.save(saved)
        digest = hashlib.sha256(saved.read_bytes()).hexdigest()
    print(seconds, most, digest)


def _run(path: Path, how: str) -> tuple[float, float, str]:
    command = [sys.executable, "-m", "benchmarks.large_file", how, str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, most, digest = result.stdout.split()
    return float(seconds), float(most), digest


def compare(n_rows: int) -> Iterator[Result]:
    """Yield memory and time of a fit to a scan, against the fit to the table in memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "large.parquet")
        write_table(path, n_rows)
        seconds, most, digest = _run(path, "scan")
        seconds_in_memory, most_in_memory, digest_in_memory = _run(path, "memory")
    if digest != digest_in_memory:
        raise AssertionError("the model of the scan differs from that of the table in memory")
    work = f"10 trees, {n_rows:,} x {N_COLUMNS}, read in batches"
    note = f"the table in memory: {most_in_memory / 1e9:.2f} GB; same model"
    yield Result(f"{work}: memory", most, target=_MOST_BYTES, unit="bytes", note=note)
    yield Result(f"{work}: time", seconds, seconds_in_memory, note="peer: the table in memory")


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
