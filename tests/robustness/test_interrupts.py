"""An interrupted fit keeps its finished members, or raises and leaves the model as it was."""

from __future__ import annotations

import signal
from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from robustness.run_faults import interrupt_fits
from test_installed_package import CLASSIFIERS, table
from weaklearn.boosting.interrupts import interrupt_waits


def test_fits_that_are_interrupted_at_random_lines() -> None:
    assert len(interrupt_fits(140)) == 7


def test_an_interrupt_waits_until_a_member_is_stored() -> None:
    done = []
    # A job in the background ignores the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012
            with interrupt_waits():
                signal.raise_signal(signal.SIGINT)
                done.append("stored")
            done.append("more")
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert done == ["stored"]


@pytest.mark.parametrize("model", CLASSIFIERS.values(), ids=CLASSIFIERS.keys())
def test_a_fit_that_fails_leaves_the_model_as_it_was(
    model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, classes = table()
    fitted = type(model)(**model.get_params(deep=False)).fit(rows, classes)
    shares, before = fitted.predict_proba(rows), set(vars(fitted))

    def fail(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr("weaklearn.estimators.table_classifier.note_columns", fail)
    with pytest.raises(MemoryError):
        fitted.fit([[row[0], row[0]] for row in rows], [name.upper() for name in classes])
    assert set(vars(fitted)) == before
    assert np.array_equal(fitted.predict_proba(rows), shares)


def test_a_fit_of_g2_that_fails_leaves_the_model_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = np.arange(20.0).reshape(-1, 1), np.arange(20) > 9
    fitted = wl.G2Classifier().fit(X, y)
    before = vars(fitted).copy()

    def fail(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("weaklearn.estimators.g2.note_columns", fail)
    with pytest.raises(KeyboardInterrupt):
        fitted.fit(X, ~y)
    assert vars(fitted) == before
