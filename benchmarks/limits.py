"""Time and memory at the limits: ``python -m benchmarks.limits`` writes docs/data/limits.json.

Each case runs in a process of its own, which measures its greatest memory. Times are those of the
processor, so that a busy machine changes little. ``python -m benchmarks.limits CASE`` runs one case
and prints its steps.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import weaklearn as wl
from benchmarks.docs_data import write_docs_data

OUTPUT = Path(__file__).resolve().parent.parent / "docs" / "data" / "limits.json"
Step = tuple[str, Callable[[], Any]]


def files_of(model: Callable[[], Any]) -> Iterator[Step]:
    """Yield the steps that save and load a model in both forms."""
    for name in ("model.wl", "model.json"):
        yield f"save {name[6:]}", lambda name=name: model().save(name)
        yield f"load {name[6:]}", lambda name=name: wl.load(name)


def fit_predict_save(X: Any, y: Any, model: Any) -> Iterator[Step]:
    """Yield the steps of a classifier on a table."""
    yield "fit", lambda: model.fit(X, y)
    yield "predict", lambda: model.predict(X)
    yield from files_of(lambda: model)


def columns() -> Iterator[Step]:
    """100,000 columns of numbers, 200 rows"""
    chance = np.random.default_rng(1)
    X = chance.normal(size=(200, 100_000))
    yield from fit_predict_save(X, X[:, 70_000] > 0, wl.C45Classifier())


def categories() -> Iterator[Step]:
    """1,000,000 categories of one column, 2,000,000 rows"""
    values = np.array([f"value {i}" for i in range(1_000_000)], dtype=object).repeat(2)
    X = {"number": np.arange(2_000_000.0) % 7, "name": values}
    y = (np.arange(2_000_000) // 2) % 3 == 0
    yield from fit_predict_save(X, y, wl.C45Classifier(nominal=["name"], prune=False))


def classes() -> Iterator[Step]:
    """10,000 classes, 100,000 rows of two numbers"""
    y = np.arange(100_000) % 10_000
    X = np.column_stack([y // 100, y % 100]) + np.random.default_rng(1).normal(
        0, 0.05, (100_000, 2)
    )
    yield from fit_predict_save(X, y, wl.C45Classifier())


def deep_tree(n_levels: int) -> Any:
    """Return a classifier whose tree is a chain: at each level a threshold and a leaf."""
    small = wl.C45Classifier(min_objects=1, prune=False).fit([[0.0], [1.0]], [0, 1])
    arrays = {name: array[:0] for name, array in small.tree_.arrays.items()}
    n_nodes = 2 * n_levels + 1
    nodes = np.zeros(n_nodes, dtype=small.tree_.arrays["nodes"].dtype)
    is_split = (np.arange(n_nodes) % 2 == 0) & (np.arange(n_nodes) < n_nodes - 1)
    nodes["split"] = is_split
    nodes["column"] = np.where(is_split, 0, -1)
    nodes["threshold"] = np.where(is_split, np.arange(n_nodes) // 2, 0)
    nodes["n_branches"] = np.where(is_split, 2, 0)
    nodes["first_branch"] = np.cumsum(nodes["n_branches"]) - nodes["n_branches"]
    nodes["label"] = np.arange(n_nodes) // 2 % 2
    nodes["weight"] = np.where(is_split, n_levels + 1 - np.arange(n_nodes) // 2, 1)
    nodes["first_class"] = np.arange(n_nodes)
    nodes["n_classes"] = 1
    arrays["nodes"] = nodes
    arrays["children"] = np.arange(1, n_nodes, dtype=arrays["children"].dtype)
    arrays["class_index"] = nodes["label"].astype(arrays["class_index"].dtype)
    arrays["class_weight"] = nodes["weight"].copy()
    small.tree_ = type(small.tree_).from_arrays(small.tree_.schema, arrays)
    return small


def depth(n_levels: int = 100_000) -> Iterator[Step]:
    """A tree of 100,000 levels"""
    models: list[Any] = []
    yield "build", lambda: models.append(deep_tree(n_levels))
    (model,) = models
    X = np.linspace(0, n_levels, 101).reshape(-1, 1)
    yield "predict", lambda: model.predict(X)
    yield "predict a missing value", lambda: model.predict_proba([[np.nan]])
    yield "apply", lambda: model.apply(X)
    yield "print", lambda: model.tree_.to_text()
    yield "to_dict", lambda: model.tree_.to_dict()
    yield "to_dot", lambda: model.tree_.to_dot()
    yield from files_of(lambda: model)
    yield "explain a row", lambda: model.explain(X[:1]).to_text()
    yield "export to C", lambda: wl.export.c(model, "model")
    yield "export to JavaScript", lambda: wl.export.js(model, "model.js")
    yield "export to SQL", lambda: wl.export.sql(model)
    yield "export to ONNX", lambda: wl.export.onnx(model, "model.onnx")


def strings() -> Iterator[Step]:
    """Values, names and classes of 1 MB each"""
    long = [letter * 1_000_000 for letter in "abcd"]
    X = {long[0]: np.array([*long[:3], None] * 20, dtype=object), "x": np.arange(80.0)}
    model = wl.C45Classifier(min_objects=1)
    yield from fit_predict_save(X, np.array([long[1], long[3]] * 40, dtype=object), model)
    yield "print", lambda: model.tree_.to_text()
    yield "export to C", lambda: wl.export.c(model, "model")
    yield "export to SQL", lambda: wl.export.sql(model)


CASES: dict[str, Callable[[], Iterator[Step]]] = {
    case.__name__: case for case in (columns, categories, classes, depth, strings)
}


def measure(case: str) -> dict[str, Any]:
    """Run a case and return the seconds of its steps and its greatest memory."""
    start_memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    steps: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import os

        os.chdir(folder)
        for name, step in CASES[case]():
            start = time.process_time()
            try:
                step()
                steps[name] = time.process_time() - start
            except (ValueError, RecursionError, MemoryError) as error:
                steps[name] = -1
                print(f"{case}, {name}: {error!s:.200}", file=sys.stderr)
        os.chdir("/")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start_memory
    return {"steps": steps, "memory": memory / 1024}


def two_digits(seconds: float) -> str:
    """Write a number with two digits that count, without an exponent."""
    return f"{float(f'{seconds:.2g}'):g}"


def main() -> None:
    """Run all cases and write the table."""
    rows = []
    for name, case in CASES.items():
        command = [sys.executable, "-m", "benchmarks.limits", name]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        result = json.loads(done.stdout)
        steps = ", ".join(
            f"{step} {'refused' if seconds < 0 else two_digits(seconds)}"
            for step, seconds in result["steps"].items()
        )
        rows.append([case.__doc__, steps, f"{result['memory']:,.0f} MB"])
        print(*rows[-1], sep=": ", flush=True)
    cases = (["what", "seconds of processor time", "memory"], rows)
    write_docs_data(OUTPUT, "python -m benchmarks.limits", {"cases": cases})


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measure(sys.argv[1])))
    else:
        main()
