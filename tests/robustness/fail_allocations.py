"""Make allocations of the core fail during the fit and the prediction of every classifier.

Runs with the library of ``failing_new.cpp`` preloaded: ``fail_allocations.py LIBRARY STEP``. Every
STEP-th allocation fails once. Prints a line per classifier, and ends with status 1 if a call does
anything but raise MemoryError, loses memory, or changes the next result.
"""

from __future__ import annotations

import ctypes
import pickle
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from test_installed_package import CLASSIFIERS, table

library = ctypes.CDLL(sys.argv[1])
library.fail_after.argtypes = [ctypes.c_long]
library.remaining.restype = ctypes.c_long
library.live.restype = ctypes.c_long


def fail_one_by_one(work: Callable[[], Any], step: int) -> int:
    """Call work until no allocation fails, and return how many calls failed."""
    work()
    n = n_failed = 0
    while True:
        library.fail_after(n)
        try:
            work()
        except MemoryError:
            n_failed += 1
        finally:
            none_left = library.remaining() >= 0
            library.fail_after(-1)
        if none_left:
            return n_failed
        n += step


def check(name: str, model: Any, step: int) -> None:
    """Fail the allocations of a classifier."""
    rows, classes = table()
    rows, classes = rows[:120], classes[:120]

    def fit() -> Any:
        return pickle.loads(pickle.dumps(model)).fit(rows, classes)

    fitted = fit()
    shares = fitted.predict_proba(rows)
    in_fit = fail_one_by_one(fit, step)
    in_predict = fail_one_by_one(lambda: fitted.predict_proba(rows), 1)
    before = library.live()
    for _ in range(3):
        fail_one_by_one(fit, 16 * step)
    lost = library.live() - before
    assert np.array_equal(fitted.predict_proba(rows), shares), name
    assert np.array_equal(fit().predict_proba(rows), shares), name
    assert lost < 20, f"{name} has lost {lost} allocations"
    assert in_fit > 0, name
    print(f"{name}: {in_fit} calls of fit and {in_predict} predictions failed", flush=True)


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    for kind, classifier in CLASSIFIERS.items():
        check(kind, classifier, int(sys.argv[2]))
