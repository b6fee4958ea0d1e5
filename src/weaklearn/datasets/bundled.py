"""The small real tables that scikit-learn carries: always there, no network."""

from __future__ import annotations

from weaklearn.datasets.catalogue import BUNDLED_TABLES
from weaklearn.datasets.nominal import nominal
from weaklearn.tables import Table


def load_bundled(name: str) -> Table:
    """Give one of scikit-learn's tables, its classes in scikit-learn's order."""
    from sklearn import datasets

    loader, _ = BUNDLED_TABLES[name]
    bunch = getattr(datasets, loader)(as_frame=True)
    return Table(
        name=name,
        X=bunch.data.astype("float64"),
        y=nominal("class", bunch.target.to_numpy(), bunch.target_names),
        notes=(f"bundled with scikit-learn ({loader})",),
    )
