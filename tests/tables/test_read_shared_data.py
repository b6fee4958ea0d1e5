"""Every reference table has the counts that its index states."""

import csv

import pytest

from shared import SHARED
from weaklearn.tables.read import read

DATA = SHARED / "data"


def index() -> list[dict[str, str]]:
    if not (DATA / "INDEX.csv").exists():
        return []
    with (DATA / "INDEX.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


pytestmark = pytest.mark.skipif(not index(), reason="the tables (../shared/data) are absent")


@pytest.mark.parametrize("entry", index(), ids=lambda entry: entry["name"])
def test_counts_are_those_of_the_index(entry: dict[str, str]) -> None:
    train = read(DATA / entry["file"])
    tables = [train]
    counts = [int(entry["rows"])]
    if entry["test_file"]:
        tables.append(read(DATA / entry["test_file"]))
        counts.append(int(entry["test_rows"]))
    assert [table.n_rows for table in tables] == counts
    assert train.y.nunique() == int(entry["classes"])
    nominal = sum(dtype == "category" for dtype in train.X.dtypes)
    assert nominal == int(entry["nominal"])
    assert train.X.shape[1] - nominal == int(entry["numeric"])
    missing = [int(table.X.isna().sum().sum()) for table in tables]
    assert missing == [int(count) for count in entry["missing_cells"].split("+")]
    assert all(note.startswith("column") for table in tables for note in table.notes)
