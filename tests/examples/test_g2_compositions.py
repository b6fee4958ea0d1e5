"""The example of compositions of G2, on small tables."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, cross_val_predict

EXAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "g2_compositions.py"))


def test_the_printed_errors_and_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    """The errors are those of scikit-learn's cross-validation, and no bound is violated."""
    EXAMPLE["main"](["--rows", "250", "--folds", "2"])
    rows = [line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines()[2:]]
    printed = {(table, name): list(map(float, numbers)) for name, table, *numbers in rows}
    tables = EXAMPLE["tables"](250)
    assert printed.keys() == {(t.name, name) for t in tables for name in EXAMPLE["COMPOSITIONS"]}
    folds = StratifiedKFold(2, shuffle=True, random_state=0)
    for table in tables:
        y = np.asarray(table.y)
        for name, model in EXAMPLE["COMPOSITIONS"].items():
            error, training, bound = printed[table.name, name]
            predicted = cross_val_predict(clone(model), table.X, y, cv=folds)
            assert error == round(100 * np.mean(predicted != y), 1)
            fitted = clone(model).fit(table.X, y)
            assert training == round(100 * np.mean(fitted.predict(table.X) != y), 1)
            assert training <= bound + 0.1  # both are rounded to one decimal
    # The best single split of titanic is by sex. It misclassifies the 367 men who survived and the
    # 126 women who did not, of 2,201 people: 22.4 %. Every composition does better.
    titanic = [numbers[1] for (table, _), numbers in printed.items() if table == "titanic"]
    assert max(titanic) < 22.4
