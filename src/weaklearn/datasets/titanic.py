"""The passengers and crew of the Titanic: a real table of nominal columns, small enough to carry.

The counts are those of the report on the loss of the ship, as R. J. MacG. Dawson gives them in "The
'Unusual Episode' Data Revisited", Journal of Statistics Education 3(3), 1995.
"""

from __future__ import annotations

import itertools

import numpy as np

from weaklearn.datasets.nominal import nominal
from weaklearn.tables import Table

N_PERSONS = 2201

_DECLARED = {
    "class": ("1st", "2nd", "3rd", "crew"),
    "sex": ("male", "female"),
    "age": ("child", "adult"),
    "survived": ("no", "yes"),
}
# How many, by class, sex, age and survived, the last changing fastest.
_COUNTS = (
    *(0, 5, 118, 57, 0, 1, 4, 140),
    *(0, 11, 154, 14, 0, 13, 13, 80),
    *(35, 13, 387, 75, 17, 14, 89, 76),
    *(0, 0, 670, 192, 0, 0, 3, 20),
)


def load_titanic() -> Table:
    """Give one row per person: class, sex and age, and whether they survived."""
    import pandas as pd

    cells = np.array(list(itertools.product(*(range(len(v)) for v in _DECLARED.values()))))
    codes = np.repeat(cells, _COUNTS, axis=0)
    columns = {
        name: nominal(name, codes[:, i], values)
        for i, (name, values) in enumerate(_DECLARED.items())
    }
    y = columns.pop("survived")
    return Table("titanic", pd.DataFrame(columns), y, ("counts of Dawson (1995)",))
