"""Print the peak memory of a fit and the size of the encoded dataset, both in bytes.

``python -m benchmarks.memory ROWS`` runs in its own process, because a peak never falls again.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from benchmarks.data import noisy_numbers
from weaklearn import C45Classifier
from weaklearn.encoding import Dataset, encode_columns
from weaklearn.schema import Schema, infer_classes, infer_features
from weaklearn.tables.frames import as_columns


def encoded_size(X: np.ndarray, y: np.ndarray) -> int:
    """Return the size in bytes of the dataset that a fit encodes."""
    columns = as_columns(X)
    features = infer_features(columns)
    classes, codes = infer_classes(y, columns.n_rows)
    schema = Schema(features, classes)
    return Dataset(encode_columns(columns, features), schema, codes).nbytes


def resident_bytes(line: str) -> int:
    """Return the memory of this process: now with "VmRSS", its peak with "VmHWM"."""
    # getrusage may report the peak of the process that started this one.
    for words in map(str.split, Path("/proc/self/status").read_text().splitlines()):
        if words[0] == f"{line}:":
            return int(words[1]) * 1024
    raise KeyError(line)


def main(n_rows: int) -> None:
    """Fit once and print both sizes."""
    C45Classifier().fit(*noisy_numbers(1000))  # imports and other one-time costs do not count
    X, y = noisy_numbers(n_rows)
    before = resident_bytes("VmRSS")
    C45Classifier().fit(X, y)
    print(resident_bytes("VmHWM") - before, encoded_size(X, y))


if __name__ == "__main__":
    main(int(sys.argv[1]))
