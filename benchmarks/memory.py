"""Print the peak memory of a fit, the size of the encoded dataset and that of the trees, in bytes.

``python -m benchmarks.memory ROWS [leaves|boosted|tree|bagged]`` runs in its own process, because a
peak never falls again. With the second argument the learner has 255 bins.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import noisy_numbers
from weaklearn import AdaBoostM1Classifier, BaggedClassifier, C45Classifier, TopDownClassifier
from weaklearn.encoding import Dataset, encode_columns
from weaklearn.schema import Schema, infer_classes, infer_features
from weaklearn.tables.frames import as_columns


def encoded_size(X: np.ndarray, y: np.ndarray, max_bins: int | None) -> int:
    """Return the size in bytes of the dataset that a fit encodes."""
    columns = as_columns(X)
    features = infer_features(columns)
    classes, codes = infer_classes(y, columns.n_rows)
    schema = Schema(features, classes)
    return Dataset(encode_columns(columns, features), schema, codes, max_bins=max_bins).nbytes


def _learner(name: str) -> Any:
    of_31_leaves = TopDownClassifier(n_rounds=30, max_bins=255)
    pruned = C45Classifier(max_bins=255)
    return {
        "exact": C45Classifier(),
        "leaves": of_31_leaves,
        "boosted": AdaBoostM1Classifier(of_31_leaves, n_rounds=3),
        "tree": pruned,
        "bagged": BaggedClassifier(pruned, n_members=3, random_state=0),
    }[name]


def size_of_trees(model: Any) -> int:
    """Return the size in bytes of the finished trees of a model."""
    trees = [member.tree_ for member in getattr(model, "estimators_", [model])]
    return sum(array.nbytes for tree in trees for array in tree.arrays.values())


def resident_bytes(line: str) -> int:
    """Return the memory of this process: now with "VmRSS", its peak with "VmHWM"."""
    # getrusage may report the peak of the process that started this one.
    for words in map(str.split, Path("/proc/self/status").read_text().splitlines()):
        if words[0] == f"{line}:":
            return int(words[1]) * 1024
    raise KeyError(line)


def main(n_rows: int, learner: str = "exact") -> None:
    """Fit once and print the sizes."""
    _learner(learner).fit(*noisy_numbers(1000))  # imports and other one-time costs do not count
    X, y = noisy_numbers(n_rows)
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # free memory that the fit could use again
    before = resident_bytes("VmRSS")
    # The peak starts here, not while the numbers are drawn.
    Path("/proc/self/clear_refs").write_text("5")
    model = _learner(learner).fit(X, y)
    peak = resident_bytes("VmHWM") - before
    encoded = encoded_size(X, y, None if learner == "exact" else 255)
    print(peak, encoded, size_of_trees(model))


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
