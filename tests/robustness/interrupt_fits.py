"""Interrupt fits at random moments: ``interrupt_fits.py COUNT [SEED]``.

SIGINT arrives before a line of weaklearn that is drawn from all lines that a whole fit executes, so
that nothing depends on the speed of the machine. (A signal that arrives while the core computes
takes effect at the next line.) A committee then has its finished members, equal to the first ones
of a whole fit, or the interrupt is raised. Prints how often each happened, and ends with status 1
for anything else.
"""

from __future__ import annotations

import random
import signal
import sys
import warnings
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError

import weaklearn as wl

MODELS = {
    "c45": lambda: wl.C45Classifier(),
    "adaboost": lambda n=8: wl.AdaBoostM1Classifier(n_rounds=n),
    "auto": lambda: wl.AdaBoostM1Classifier(n_rounds="auto", random_state=1),
    "bagged": lambda n=8: wl.BaggedClassifier(n_members=n, random_state=1),
    "bagged-threads": lambda n=8: wl.BaggedClassifier(n_members=n, random_state=1, n_jobs=2),
    "forest": lambda n=8: wl.BoostedForestClassifier(n_members=n, random_state=1),
    "g2": lambda: wl.RealAdaBoostClassifier(n_rounds=5),
}
ARRAYS = ("votes_", "errors_", "oob_decision_function_")
PACKAGE = str(Path(wl.__file__).parent)


class Lines:
    """Counts the lines of weaklearn that are executed, and interrupts before one of them."""

    def __init__(self, interrupt_at: int) -> None:
        self.count, self.interrupt_at = 0, interrupt_at

    def __enter__(self) -> Lines:
        sys.settrace(self.trace)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def trace(self, frame: FrameType, event: str, argument: object) -> Any:
        """Follow a function of weaklearn."""
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        if event == "line":
            self.count += 1
            if self.count == self.interrupt_at:
                signal.raise_signal(signal.SIGINT)
        return self.trace


def interrupt(name: str, line: int) -> str:
    """Interrupt a fit before a line and return what became of it."""
    model, result = MODELS[name](), "raised"
    try:
        with Lines(line):
            model.fit(X, y)
        result = "kept" if getattr(model, "interrupted_", False) else "finished"
    except KeyboardInterrupt:
        pass
    check(name, model, result)
    return result


def check(name: str, model: Any, result: str) -> None:
    """Check a model of which a fit was interrupted."""
    if result == "raised":
        try:
            model.predict(X)
        except NotFittedError:
            return
        assert np.array_equal(model.predict_proba(X), whole(name).predict_proba(X))
    elif result == "finished":
        assert np.array_equal(model.predict_proba(X), whole(name).predict_proba(X))
    elif name == "auto":
        assert len(model.predict(X)) == len(X)
        assert len(model.members_) == len(model.votes_) == len(model.errors_)
    else:
        short = whole(name, len(model.members_))
        assert [m.graph_ for m in model.members_] == [m.graph_ for m in short.members_]
        assert np.array_equal(model.predict_proba(X), short.predict_proba(X))
        for array in ARRAYS:
            if hasattr(short, array):
                np.testing.assert_array_equal(getattr(model, array), getattr(short, array))


cache: dict[Any, Any] = {}


def whole(name: str, *n_members: int) -> Any:
    """Return a model that was not interrupted, with so many members."""
    if (name, n_members) not in cache:
        cache[name, n_members] = MODELS[name](*n_members).fit(X, y)
    return cache[name, n_members]


def main(count: int, seed: int) -> None:
    """Interrupt all kinds of models in turn."""
    chance = random.Random(seed)
    n_lines = {}
    for name in MODELS:
        whole(name)
        with Lines(-1) as lines:
            MODELS[name]().fit(X, y)
        n_lines[name] = lines.count
    results: Counter[tuple[str, str]] = Counter()
    for index in range(count):
        name = list(MODELS)[index % len(MODELS)]
        results[name, interrupt(name, chance.randint(1, n_lines[name]))] += 1
    assert {"raised", "kept"} <= {result for _, result in results}
    for name in MODELS:
        print(name, {r: results[name, r] for r in ("raised", "kept", "finished")}, flush=True)


if __name__ == "__main__":
    generator = np.random.default_rng(3)
    X = generator.normal(size=(200, 4))
    X[generator.random(X.shape) < 0.05] = np.nan
    y = (np.nan_to_num(X[:, 0]) * np.nan_to_num(X[:, 1]) + generator.normal(size=200) > 0).astype(
        int
    )
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
