"""Single trees: C45Classifier compared with scikit-learn's DecisionTreeClassifier."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any

from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.datasets import load_iris
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from benchmarks import data
from benchmarks.registry import Result, benchmark
from benchmarks.timing import alternate, in_fresh_process
from weaklearn import BranchingProgramClassifier, C45Classifier, TopDownClassifier
from weaklearn.encoding import encode_columns
from weaklearn.schema import infer_classes, infer_features
from weaklearn.tables.frames import as_columns

# Processor time of Quinlan's own program on letter, measured on another machine. The ratio is a
# rough guide.
_ORIGINAL_SECONDS = 0.31


def _peer() -> Any:
    return DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)


@benchmark("letter")
def fit_letter() -> Iterator[Result]:
    """Fit a pruned tree to a table with many equal values and many classes."""
    table = data.letter()
    ours, peer = alternate(
        lambda: C45Classifier().fit(table.X, table.y), lambda: _peer().fit(table.X, table.y)
    )
    yield Result(f"fit {table.name}, 20,000 x 16", ours.wall, peer.wall, target=4)
    yield Result(
        "  compared with the original program",
        ours.cpu,
        _ORIGINAL_SECONDS,
        target=10,
        note="processor time; the original's 0.31 s was measured elsewhere",
    )


@benchmark("continuous")
def fit_continuous() -> Iterator[Result]:
    """Fit a pruned tree to a table of distinct values."""
    X, y = data.noisy_numbers(100_000)
    fit = C45Classifier().fit
    ours, peer = alternate(partial(fit, X, y), lambda: _peer().fit(X, y))
    yield Result("fit 100,000 x 20 distinct numbers", ours.wall, peer.wall, target=6)
    # Two threads need two idle processors; with more runs this happens at least once.
    one, two = alternate(
        partial(fit, X, y), partial(C45Classifier(n_jobs=2).fit, X, y), least_runs=12
    )
    yield Result(
        "  two threads, compared with one",
        two.wall,
        one.wall,
        target=1.6,
        note="the peer is our own single thread",
    )


@benchmark("topdown")
def topdown() -> Iterator[Result]:
    """Grow best first to the end; compare with depth first by the same criterion."""
    table = data.letter()
    X, y = data.noisy_numbers(100_000)
    c45 = C45Classifier("km", min_objects=1, threshold_penalty=False, prune=False)
    for name, rows, labels in (
        (f"topdown, {table.name}", table.X, table.y),
        ("topdown, 100,000 x 20 distinct numbers", X, y),
    ):
        unlimited, limited, depth_first = alternate(
            partial(TopDownClassifier().fit, rows, labels),
            partial(TopDownClassifier(n_rounds=10**9).fit, rows, labels),
            partial(c45.fit, rows, labels),
        )
        peer = "the peer is our own C4.5 by the same criterion, unpruned"
        yield Result(name, unlimited.wall, depth_first.wall, target=1 / 1.3, note=peer)
        yield Result("  with a limit on rounds", limited.wall, depth_first.wall, note=peer)


@benchmark("program")
def program() -> Iterator[Result]:
    """Compare the cost per split of a branching program and of C4.5's tree."""
    X, y, name = data.adult()
    grid, c45 = BranchingProgramClassifier(merge="grid"), C45Classifier(prune=False)
    ours, peer = alternate(lambda: grid.fit(X, y), lambda: c45.fit(X, y))
    n_ours, n_peer = (graph.n_nodes - graph.n_leaves for graph in (grid.program_, c45.tree_))
    yield Result(
        f"program by the grid, {name}, per split",
        ours.wall / n_ours,
        peer.wall / n_peer,
        target=1,
        note=f"the peer is our own C4.5, unpruned; splits: {n_ours:,}, C4.5 {n_peer:,}",
    )


@benchmark("growth", slow=True)
def growth() -> Iterator[Result]:
    """Measure how the time of a fit grows with the number of rows."""
    rows = (10_000, 100_000, 1_000_000)
    # All sizes run equally often, because the best of many runs is lower than the best of two.
    # There is one thread, so processor time does not depend on other work of the machine.
    fits = [partial(C45Classifier().fit, *data.noisy_numbers(n_rows)) for n_rows in rows]
    times = [best.cpu for best in alternate(*fits, least_runs=6)]
    steps = [log(after / before, 10) for before, after in pairwise(times)]
    yield Result(
        "fit, exponent of time, 10k to 1M",
        sum(steps) / len(steps),
        target=1.15,
        unit="number",
        note=f"processor time: {', '.join(f'{t:.3g} s' for t in times)}; "
        f"exponent {steps[0]:.2f}, then {steps[1]:.2f}",
    )


@benchmark("memory", slow=True)
def memory() -> Iterator[Result]:
    """Measure the peak memory of a fit as a multiple of the size of the encoded dataset."""
    if not Path("/proc/self/status").exists():
        return
    peak, encoded, _ = in_fresh_process("-m", "benchmarks.memory", "1000000")
    yield Result(
        "fit 1M x 20, peak memory",
        peak / encoded,
        target=3,
        unit="times",
        note=f"{peak / 2**20:.0f} MiB beyond the given arrays; "
        f"the encoded dataset has {encoded / 2**20:.0f} MiB",
    )


@benchmark("mixed")
def fit_mixed() -> Iterator[Result]:
    """Fit nominal columns and missing values; the peer needs imputers and one-hot columns."""
    n_training = 50_000
    frame, y = data.mixed(n_training + 10_000)
    training, held_out = frame[:n_training], frame[n_training:]
    # The peer is faster with a dense table than with the sparse default of the encoder.
    prepare = make_column_transformer(
        (
            make_pipeline(
                SimpleImputer(strategy="most_frequent"),
                OneHotEncoder(handle_unknown="ignore", sparse_output=False),
            ),
            make_column_selector(dtype_include="category"),
        ),
        remainder=SimpleImputer(strategy="median"),
    )
    our_model, peer_model = C45Classifier(), make_pipeline(prepare, _peer())
    ours, peer = alternate(
        lambda: our_model.fit(training, y[:n_training]),
        lambda: peer_model.fit(training, y[:n_training]),
    )
    our_error, peer_error = (
        1 - float(model.score(held_out, y[n_training:])) for model in (our_model, peer_model)
    )
    yield Result(
        "fit 50,000 mixed rows",
        ours.wall,
        peer.wall,
        target=1,
        note="20 nominal + 10 continuous, 10% missing; the peer has imputers and one-hot "
        f"columns; errors on held-out rows: {our_error:.1%}, peer {peer_error:.1%}",
    )


@benchmark("predict")
def predict_letter() -> Iterator[Result]:
    """Predict all rows of letter."""
    table = data.letter()
    ours, peer = C45Classifier().fit(table.X, table.y), _peer().fit(table.X, table.y)
    for method in ("predict", "predict_proba"):
        our_time, peer_time = alternate(
            partial(getattr(ours, method), table.X), partial(getattr(peer, method), table.X)
        )
        yield Result(f"{method}, {table.name}, 1 tree", our_time.wall, peer_time.wall, target=1)


@benchmark("iris")
def fit_iris() -> Iterator[Result]:
    """Measure the cost of a small fit beyond the validation of its input."""
    X, y = load_iris(return_X_y=True)

    def validate() -> None:
        columns = as_columns(X)
        infer_classes(y, columns.n_rows)
        encode_columns(columns, infer_features(columns))

    fit, validation, peer = alternate(
        lambda: C45Classifier().fit(X, y), validate, lambda: _peer().fit(X, y)
    )
    yield Result("fit iris, beyond validation", fit.wall - validation.wall, target=0.0005)
    yield Result("fit iris, in total", fit.wall, peer.wall)


@benchmark("import")
def import_package() -> Iterator[Result]:
    """Measure, in new processes, how much longer the import takes than that of scikit-learn."""
    script = (
        "from time import perf_counter as now\n"
        "start = now(); import sklearn; sklearn_done = now()\n"
        "import weaklearn; from weaklearn import C45Classifier\n"
        "print(now() - sklearn_done, sklearn_done - start)\n"
    )
    runs = [in_fresh_process("-c", script) for _ in range(5)]
    additional, sklearn_itself = (min(times) for times in zip(*runs, strict=True))
    yield Result(
        "import, in addition to scikit-learn",
        additional,
        target=0.2,
        note=f"import sklearn itself: {sklearn_itself:.2g} s",
    )
