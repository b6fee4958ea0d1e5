"""Compare classifiers of this and of other libraries on several tables."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from weaklearn import datasets
from weaklearn.encoding import encode_columns
from weaklearn.experiments.comparison import Comparison, TableFacts
from weaklearn.experiments.comparison_units import (
    FILES_BEHIND_PEERS,
    RunInFolder,
    make_units,
    write_tables,
)
from weaklearn.experiments.peer_models import as_models
from weaklearn.experiments.result_store import Store, code_version
from weaklearn.experiments.run_on_workers import Progress, run_units
from weaklearn.experiments.train_test_splits import check_whole
from weaklearn.experiments.work_units import WorkUnit
from weaklearn.schema import infer_classes, infer_features
from weaklearn.tables import Table
from weaklearn.tables.build_table import nominal_series
from weaklearn.tables.frames import as_columns
from weaklearn.tables.read import read

#: The file below the folder of a comparison that keeps the result of each unit.
STORE = "results.sqlite"


def compare(
    tables: Any,
    models: Any,
    *,
    n_folds: int = 10,
    n_seeds: int = 1,
    seed: int = 0,
    n_members: int = 100,
    baseline: str | None = None,
    n_jobs: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    progress: Callable[[Progress], None] | None = None,
    estimated: Callable[[float, int], None] | None = None,
) -> Comparison:
    """Cross-validate models on tables, all with the same folds, and compare them.

    Each fit uses one thread. A model that fails on a table has no result there; the others go on.

    Parameters
    ----------
    tables : table, list or mapping
        A table is a `Table`, a pair ``(X, y)``, the name of a table in `weaklearn.datasets`, or the
        path of a file. In a mapping the tables have names of your own.
    models : list or mapping
        Classifiers, and names of classifiers of other libraries: ``sk-random-forest``,
        ``sk-extra-trees``, ``sk-hist-boosting``, ``sk-adaboost``, ``sk-bagging``, ``lightgbm``,
        ``xgboost``, ``catboost``. In a mapping the models have names of your own. A classifier that
        is neither of weaklearn nor a pipeline gets one-hot encoded rows without missing values;
        `ComparedModel` chooses another encoding.
    n_folds : int
        How many folds a table has.
    n_seeds : int
        How many times to cross-validate, each time with new folds and new seeds of the models.
    seed : int
        The seed from which all others are derived; as for `cross_validate`.
    n_members : int
        How many members or rounds the named models have. CatBoost has its own default.
    baseline : str, optional
        The name of a model that the others have to beat. It is not ranked.
    n_jobs : int or None
        How many fits to run at the same time, in processes; -1 for all processors, None for one.
        The results do not depend on it.
    folder : path, optional
        Where to keep results. A comparison that was interrupted, or that gets more tables, models
        or seeds, continues with what is there. Results of other libraries are kept while their
        versions stay the same; those of weaklearn while its code stays the same.
    progress, estimated : callable, optional
        As for `run_units`.

    Returns
    -------
    Comparison
        Errors, log losses, areas under the curve, ranks, tests, times and sizes.

    Examples
    --------
    >>> import weaklearn as wl
    >>> from weaklearn.experiments import compare
    >>> models = {"tree": wl.C45Classifier(), "rules": wl.RulesClassifier()}
    >>> result = compare(["iris", "wine"], models, n_folds=3)
    >>> result
    Comparison(2 models on 2 tables, 1 seed x 3 folds)
    >>> result.values("error").round(3).loc["iris"].to_dict()
    {'tree': 0.053, 'rules': 0.053}
    """
    check_whole("n_seeds", n_seeds, 1)
    check_whole("seed", seed, 0)
    check_whole("n_members", n_members, 1)
    named_tables = as_tables(tables)
    runnable, absent = as_models(models, n_members)
    units = make_units(named_tables, runnable, n_folds, n_seeds, seed)
    code_of_ours, code_of_peers = code_version(), code_version(FILES_BEHIND_PEERS)

    def code_of(unit: WorkUnit) -> str:
        return code_of_ours if runnable[unit.learner].is_ours else code_of_peers

    with tempfile.TemporaryDirectory(prefix="weaklearn-") as temporary:
        write_tables(named_tables, units, temporary)
        store_folder = Path(temporary if folder is None else folder)
        store_folder.mkdir(parents=True, exist_ok=True)
        with Store(store_folder / STORE, code_of) as store:
            known = run_units(
                *(units, store),
                run=RunInFolder(temporary, runnable),
                n_jobs=n_jobs,
                progress=progress,
                estimated=estimated,
            )
            digest = store.digest(units)
    return Comparison(
        tables=tuple(_facts(name, table) for name, table in named_tables.items()),
        models=runnable,
        absent=absent,
        baseline=baseline,
        n_folds=n_folds,
        n_seeds=n_seeds,
        seed=seed,
        outcomes=known,
        digest=digest,
    )


def as_tables(tables: Any) -> dict[str, Table]:
    """Return tables by name; raise a ValueError for a table without two classes.

    Parameters
    ----------
    tables : table, list or mapping
        As for `compare`.

    Returns
    -------
    dict
        The tables.

    Examples
    --------
    >>> list(as_tables(["iris", ([[1.0], [2.0]], ["a", "b"])]))
    ['iris', 'table 2']
    """
    if isinstance(tables, Mapping):
        named = {str(name): _as_table(table, str(name)) for name, table in tables.items()}
    else:
        is_one = isinstance(tables, str | os.PathLike | Table)
        if isinstance(tables, tuple) and len(tables) == 2:
            is_one = not isinstance(tables[0], str | os.PathLike | Table | tuple)
        given: Iterable[Any] = [tables] if is_one else tables
        named = {}
        for index, one in enumerate(given):
            table = _as_table(one, f"table {index + 1}")
            name = table.name
            number = 2
            while name in named:  # files in different folders may have the same name
                name, number = f"{table.name} ({number})", number + 1
            named[name] = table
    if not named:
        raise ValueError("got no table; expected at least one.")
    for name, table in named.items():
        _check_classes(name, table)
    return named


def _as_table(table: Any, name: str) -> Table:
    if isinstance(table, Table):
        return table
    if isinstance(table, tuple):
        return _table_of_frame(name, *table)
    if isinstance(table, os.PathLike) or Path(table).suffix:
        return read(table)
    return datasets.load(table)


def _table_of_frame(name: str, X: Any, y: Any) -> Table:
    """Convert a frame as a fit would: nominal columns to categories, all others to numbers."""
    import pandas as pd

    columns = as_columns(X)
    features = infer_features(columns)
    arrays = encode_columns(columns, features).arrays
    frame = pd.DataFrame(
        {
            feature.name: nominal_series(feature.name, array, feature.values)
            if feature.kind == "nominal"
            else pd.Series(array, name=feature.name)
            for feature, array in zip(features, arrays, strict=True)
        }
    )
    labels, codes = infer_classes(y, columns.n_rows)
    return Table(name, frame, nominal_series("class", codes, labels))


def _check_classes(name: str, table: Table) -> None:
    if table.y is None:
        raise ValueError(f"table {name!r} has no class; read it with its target.")
    n_missing = int(table.y.isna().sum())
    if n_missing:
        raise ValueError(
            f"table {name!r}: {n_missing} classes are missing; drop the rows without a class."
        )
    if table.y.nunique() < 2:
        raise ValueError(f"table {name!r} has rows of one class only; expected at least two.")


def _facts(name: str, table: Table) -> TableFacts:
    assert table.y is not None
    n_nominal = sum(str(dtype) == "category" for dtype in table.X.dtypes)
    return TableFacts(
        name=name,
        n_rows=table.n_rows,
        n_continuous=table.X.shape[1] - n_nominal,
        n_nominal=n_nominal,
        n_rows_of_class=tuple(int(n) for n in table.y.value_counts(sort=False)),
        missing_share=float(table.X.isna().to_numpy().mean()) if table.X.size else 0.0,
    )
