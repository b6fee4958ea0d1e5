"""Times and sizes that pages of the docs report, for ``benchmarks.docs_figures``."""

from __future__ import annotations

import gzip
import sqlite3
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import weaklearn as wl
from benchmarks import data
from benchmarks.docs_data import Content
from benchmarks.paper_tables.henry07 import SHORT as OBLIQUE_LEARNERS
from benchmarks.timing import alternate, in_fresh_process
from weaklearn.experiments import cross_validate, read_plan
from weaklearn.experiments.classifier_from_plan import make_classifier
from weaklearn.experiments.load_problem import load_problem


def seconds_of(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the processor time of one run, and what it returned."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def programs() -> Content:
    """Measure branching programs with each way of merging."""
    program = wl.BranchingProgramClassifier
    learners = {
        "C4.5, unpruned": wl.C45Classifier(prune=False, min_objects=1),  # as for programs
        '`"none"`': program(merge="none"),
        '`"grid"`': program(merge="grid"),
        '`"width"`, 64': program(merge="width", max_width=64),
        '`"budget"`, 0.1': program(merge="budget", merge_share=0.1),
        '`"budget"`, 0.5': program(merge="budget", merge_share=0.5),
    }
    rows = []
    for name in ("adult", "connect-4"):
        table = wl.datasets.load(name)
        for merge, learner in learners.items():
            if "grid" in merge and table.y.nunique() > 2:
                continue
            seconds, model = seconds_of(lambda x=learner, t=table: x.fit(t.X, t.y))
            graph = model.program_ if isinstance(model, program) else model.tree_
            n_splits = graph.n_nodes - graph.n_leaves
            rows.append([name, merge, f"{seconds:.2g}", f"{n_splits:,}", f"{graph.depth:,}"])
    return {"cost": (["table", "`merge`", "seconds", "splits", "levels"], rows)}, {}


def oblique_times() -> Content:
    """Measure one cross-validation of each learner of ``weaklearn reproduce henry07``."""
    experiment = read_plan("henry07").experiments["oblique"]
    rows = []
    ratios_of_large = []
    for problem in experiment.problems:
        table = load_problem(experiment.table_of(problem))
        seconds = {}
        for learner, parameters in experiment.learners.items():
            validate = partial(cross_validate, make_classifier(parameters), table.X, table.y)
            seconds[learner], _ = seconds_of(validate)
        ratios = [seconds["OC1"] / seconds[f"BoostODT {n_stumps}"] for n_stumps in (50, 200)]
        if table.n_rows > 200:
            ratios_of_large.append(ratios)
        times = [f"{value:.2f}" for value in seconds.values()]
        rows.append([problem, f"{table.n_rows:,}", *times, *(f"{ratio:.0f}" for ratio in ratios)])
    headings = ["problem", "rows", *OBLIQUE_LEARNERS.values(), "OC1 / ODT 50", "OC1 / ODT 200"]
    limits = zip((50, 200), *(f(ratios_of_large, axis=0) for f in (np.min, np.max)), strict=True)
    figures = {
        f"{n_stumps}-stumps": f"{least:.0f} to {most:.0f}" for n_stumps, least, most in limits
    }
    return {"seconds": (headings, rows)}, figures


# The process imports nothing but NumPy before it counts. It keeps bytecode, as installing does.
_SERVE = """
import sys, time
sys.dont_write_bytecode = False
import numpy as np
def memory():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS:"))
file, rows = sys.argv[1:]
rows = np.load(rows)
before, start = memory(), time.process_time()
import weaklearn as wl
model = wl.load_predictor(file)
print(time.process_time() - start, memory() - before)
model.predict(rows[:1])
print(memory() - before)
model.predict(rows)
print(memory() - before)
row = rows[:1]
runs = []
for _ in range(2000):
    start = time.perf_counter()
    model.predict(row)
    runs.append(time.perf_counter() - start)
print(np.median(runs))
"""


def serving() -> Content:
    """Measure processes that load a model and predict."""
    table = data.letter()
    models = {
        "a small tree": wl.C45Classifier(max_depth=4),
        "100 boosted trees of letter": wl.AdaBoostM1Classifier(n_rounds=100),
    }
    rows, one_row = [], []
    with tempfile.TemporaryDirectory() as folder:
        inputs = Path(folder, "rows.npy")
        np.save(inputs, table.X)
        for name, model in models.items():
            path = Path(folder, "model.wl")
            model.fit(table.X, table.y).save(path)
            # The least of several processes: the machine has other work.
            arguments = ("-X", f"pycache_prefix={folder}", "-c", _SERVE, str(path), str(inputs))
            runs = [in_fresh_process(*arguments) for _ in range(5)]
            seconds, *sizes, row_seconds = np.min(runs, axis=0)
            row = [f"`wl.load_predictor`, {name}", f"{1e3 * seconds:.0f} ms"]
            rows.append([*row, *(f"{size / 1e6:.0f} MB" for size in sizes)])
            one_row.append(row_seconds)
    headings = ["", "import and load", "memory beyond NumPy", "after one row", "after 20,000 rows"]
    figures = {"one-row-tree": f"{1e6 * one_row[0]:.0f}", "one-row": f"{1e6 * one_row[1]:.0f}"}
    return {"serving-a-model": (headings, rows)}, figures


def export_onnx() -> dict[str, str]:
    """Measure 100 boosted trees of letter in ONNX on one thread."""
    import onnxruntime

    table = data.letter()
    model = wl.AdaBoostM1Classifier(n_rounds=100).fit(table.X, table.y)
    content = wl.export.onnx(model).SerializeToString()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    load_seconds, session = seconds_of(
        lambda: onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    )
    with_missing = table.X[:1000].copy()
    with_missing[np.random.default_rng(0).random(with_missing.shape) < 0.02] = np.nan
    names = [x.name for x in session.get_inputs()]
    rates = []
    for X in (table.X[:5000], with_missing):
        inputs = {name: X[:, [i]] for i, name in enumerate(names)}
        seconds = min(seconds_of(lambda x=inputs: session.run(None, x))[0] for _ in range(3))
        rates.append(f"{float(f'{len(X) / seconds:.2g}'):,.0f}")
    return {
        "onnx-nodes": f"{sum(member.tree_.n_nodes for member in model):,}",
        "onnx-size": f"{len(content) / 1e6:.0f}",
        "onnx-compressed": f"{len(gzip.compress(content)) / 1e6:.0f}",
        "onnx-load-seconds": f"{load_seconds:.1f}",
        "onnx-rows": rates[0],
        "onnx-rows-missing": rates[1],
    }


def export_sql() -> dict[str, str]:
    """Measure the query of a tree of letter in SQLite and DuckDB."""
    import duckdb

    table = wl.datasets.load("letter")
    tree = wl.C45Classifier().fit(table.X, table.y)
    query = wl.export.sql(tree)
    names = ", ".join(f'"{name}" DOUBLE' for name in table.X.columns)
    marks = ", ".join("?" * table.X.shape[1])
    seconds = []
    for database in (sqlite3.connect(":memory:"), duckdb.connect(config={"threads": 1})):
        database.execute(f"CREATE TABLE data ({names})")
        database.executemany(f"INSERT INTO data VALUES ({marks})", table.X[:300].values.tolist())
        seconds.append(seconds_of(lambda x=database: x.execute(query).fetchall())[0])
    return {
        "sql-leaves": f"{tree.tree_.n_leaves:,}",
        "sql-size": f"{len(query) / 1e6:.1f}",
        "sqlite-seconds": f"{seconds[0]:.1f}",
        "duckdb-seconds": f"{seconds[1]:.1f}",
    }


def export() -> Content:
    """Measure exported models."""
    return {}, export_onnx() | export_sql()


def committee_pruning() -> Content:
    """Measure how kappas are counted, and how selections by margins differ."""
    chance = np.random.default_rng(0)
    predictions = chance.integers(0, 26, size=(1000, 20_000), dtype=np.int32)
    weights = chance.random(20_000)
    plain, weighted = alternate(
        lambda: wl.pruning.kappas_of(predictions, 26),
        lambda: wl.pruning.kappas_of(predictions, 26, weights),
        least_runs=1,
    )
    figures = {
        "agreement-seconds": f"{plain.cpu:.1f}",
        "agreement-seconds-weights": f"{weighted.cpu:.1f}",
    }
    table = wl.datasets.load("titanic")
    stumps = wl.AdaBoostM1Classifier(wl.StumpClassifier(), n_rounds=30).fit(table.X, table.y)
    price = 2 / len(table.y)
    for name, model in {
        "all-stumps": stumps,
        "exact-without-price": wl.pruning.exact(stumps, table.X, table.y, size=5),
        "exact-with-price": wl.pruning.exact(stumps, table.X, table.y, size=5, price=price),
    }.items():
        figures[name] = f"{100 * (1 - model.score(table.X, table.y)):.1f}"
    # Keeping the part theta of every member is feasible; by how much the optimum is cheaper.
    gaps: dict[str, list[float]] = {}
    for name in ("vehicle", "credit-a", "glass", "sonar"):
        table = wl.datasets.load(name)
        trees = wl.AdaBoostM1Classifier(n_rounds=30).fit(table.X, table.y)
        for theta in (0.2, 0.5):
            pruned = wl.pruning.margin_lp(trees, table.X, table.y, theta=theta, random_state=0)
            gap = 1 - pruned.pruning_.relaxed_cost / (theta * len(trees))
            gaps.setdefault("sonar-gap" if name == "sonar" else "gap", []).append(abs(100 * gap))
    return {}, figures | {name: f"{max(values):.1f}" for name, values in gaps.items()}
