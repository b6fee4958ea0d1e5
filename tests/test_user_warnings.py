"""A warning names the file and line of the user's code, however deep in the package it arises."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from weaklearn.user_warnings import warn_user

X = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0], "b": [1.0, 0.0, 1.0, 0.0]})
y = np.array([0, 0, 1, 1])


def test_message_and_category_are_those_given() -> None:
    with pytest.warns(DeprecationWarning, match="^use b$"):
        warn_user("use b", DeprecationWarning)
    with pytest.warns(UserWarning, match="^drop a$"):
        warn_user("drop a")


TREE = wl.C45Classifier(min_objects=1).fit(X, y)
COMMITTEE = wl.BaggedClassifier(wl.C45Classifier(), n_members=2, random_state=0).fit(X, y)
CALLS: dict[str, Callable[[np.ndarray], object]] = {
    "predict": TREE.predict,
    "predict_proba": TREE.predict_proba,
    "apply": TREE.apply,
    "graph": TREE.tree_.predict,
    "committee": COMMITTEE.predict,
    "theory": lambda rows: wl.theory.margins(COMMITTEE, rows, y),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_warning_about_columns_points_to_the_callers_file(call: Callable) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(X.to_numpy())
    assert caught
    for warning in caught:
        assert "does not have valid feature names" in str(warning.message)
        assert warning.filename == __file__


def test_the_line_is_the_one_with_the_call(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy as np, pandas as pd, weaklearn as wl\n"
        "X = pd.DataFrame({'a': [0.0, 1.0], 'b': [1.0, 0.0]})\n"
        "tree = wl.C45Classifier().fit(X, [0, 1])\n"
        "tree.predict(np.ones((1, 2)))\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=True, timeout=300
    )
    assert f"{script}:4: UserWarning: X does not have valid feature names" in done.stderr
