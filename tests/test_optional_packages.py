"""Without pandas, typer and rich the library learns and predicts, and says what to install."""

from __future__ import annotations

import subprocess
import sys

LEARN = """
import numpy as np
import weaklearn as wl
rows = [[i % 7, "red" if i % 3 else "blue", None if i % 5 == 0 else i / 3] for i in range(60)]
y = ["yes" if i % 3 and i % 7 > 2 else "no" for i in range(60)]
model = wl.AdaBoostM1Classifier(n_rounds=3).fit(rows, y)
print(np.mean(model.predict(rows) == y) > 0.9, model.predict([[6, "red", None]]).tolist())
print(wl.C45Classifier().fit({"x": np.arange(9.0)}, np.arange(9) > 4).tree_.n_leaves)
"""


def run(program: str, *absent: str) -> subprocess.CompletedProcess[str]:
    hide = f"import sys\nsys.modules.update(dict.fromkeys({absent}))\n"
    command = [sys.executable, "-W", "ignore", "-c", hide + program]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_learning_and_predicting_without_pandas() -> None:
    done = run(LEARN, "pandas", "typer", "rich")
    assert done.stdout.split("\n")[:2] == ["True ['yes']", "2"], done.stderr


def test_reading_a_table_says_what_to_install() -> None:
    done = run('import weaklearn as wl\nwl.read("a.csv")', "pandas")
    assert 'needs pandas, which is not installed: type  pip install "weaklearn[tables]"' in (
        done.stderr
    )
    assert (
        "weaklearn[tables]"
        in run("import weaklearn as wl\nwl.datasets.load('iris')", "pandas").stderr
    )


def test_the_command_line_says_what_to_install() -> None:
    done = run("from weaklearn.cli import main\nmain()", "typer")
    assert done.returncode == 1
    assert done.stderr.startswith("the command line needs typer, which is not installed: type  pip")


def test_a_bar_says_what_to_install() -> None:
    program = "import weaklearn as wl\nwl.AdaBoostM1Classifier(verbose=1).fit([[0], [1]], [0, 1])"
    assert 'verbose=1 needs rich, which is not installed: type  pip install "weaklearn[cli]"' in (
        run(program, "rich").stderr
    )
