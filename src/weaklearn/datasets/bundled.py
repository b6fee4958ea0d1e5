"""Real tables that need no network: Titanic is part of weaklearn, four are part of scikit-learn."""

from __future__ import annotations

import itertools

import numpy as np

from weaklearn.datasets.catalogue import SCIKIT_LEARN_TABLES
from weaklearn.optional_packages import require_package
from weaklearn.tables import Table
from weaklearn.tables.build_table import nominal_series

N_TITANIC_ROWS = 2201

_TITANIC_VALUES = {
    "class": ("1st", "2nd", "3rd", "crew"),
    "sex": ("male", "female"),
    "age": ("child", "adult"),
    "survived": ("no", "yes"),
}
# The number of persons by class, sex, age and survived; the last one changes fastest.
_TITANIC_COUNTS = (
    *(0, 5, 118, 57, 0, 1, 4, 140),
    *(0, 11, 154, 14, 0, 13, 13, 80),
    *(35, 13, 387, 75, 17, 14, 89, 76),
    *(0, 0, 670, 192, 0, 0, 3, 20),
)


def load_titanic() -> Table:
    """Return one row per person on the Titanic: class, sex and age, and whether they survived.

    The counts are those of the report on the loss of the ship, as R. J. MacG. Dawson gives them
    in "The 'Unusual Episode' Data Revisited", Journal of Statistics Education 3(3), 1995.
    """
    require_package("pandas", "tables", "a table")
    import pandas as pd

    sizes = (range(len(values)) for values in _TITANIC_VALUES.values())
    codes = np.repeat(np.array(list(itertools.product(*sizes))), _TITANIC_COUNTS, axis=0)
    columns = {
        name: nominal_series(name, codes[:, i], values)
        for i, (name, values) in enumerate(_TITANIC_VALUES.items())
    }
    y = columns.pop("survived")
    return Table("titanic", pd.DataFrame(columns), y, ("counts of Dawson (1995)",))


def load_from_scikit_learn(name: str) -> Table:
    """Return one of scikit-learn's tables, its classes in scikit-learn's order."""
    require_package("pandas", "tables", "a table")
    from sklearn import datasets

    loader, _ = SCIKIT_LEARN_TABLES[name]
    bunch = getattr(datasets, loader)(as_frame=True)
    classes = [str(label) for label in bunch.target_names]
    return Table(
        name=name,
        X=bunch.data.astype("float64"),
        y=nominal_series("class", bunch.target.to_numpy(), classes),
        notes=(f"bundled with scikit-learn ({loader})",),
    )
