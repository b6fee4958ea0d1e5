"""The options and the errors that all file formats share."""

import re
import sys
from pathlib import Path

import pandas as pd
import pytest

from weaklearn.tables import ReadError, Table
from weaklearn.tables.read import READERS, find_reader, read
from weaklearn.tables.source_file import SourceFile

CSV = "length,width,species\n1,2,a\n3,4,b\n"


@pytest.fixture
def csv_path(tmp_path: Path) -> Path:
    path = tmp_path / "Flowers.CSV"
    path.write_text(CSV)
    return path


def test_name_target_and_line(csv_path: Path) -> None:
    table = read(str(csv_path))
    assert repr(table) == (
        "Table 'Flowers': 2 rows, 2 continuous + 0 nominal features, "
        "target 'species' with 2 classes"
    )
    assert read(csv_path, "length").y.name == "length"
    assert repr(Table("t", pd.DataFrame({"a": [1.0]}))).endswith("features, no target")


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        ({"target": "specie"}, ["no column 'specie'; did you mean 'species'?", "'length'"]),
        ({"target": "xyz"}, ["no column 'xyz'", "'length', 'width', 'species'"]),
        ({"nominal": ["widht"]}, ["no column 'widht'; did you mean 'width'?"]),
        ({"continuous": "heigth"}, ["no column 'heigth'"]),
        ({"nominal": "width", "continuous": ["width"]}, ["both nominal= and continuous="]),
        ({"target": "width", "continuous": ["width"]}, ["target 'width' is in continuous="]),
    ],
)
def test_options_that_do_not_fit_the_file(csv_path: Path, options, parts: list[str]) -> None:
    with pytest.raises(ReadError) as caught:
        read(csv_path, **options)
    for part in ("Flowers.CSV", *parts):
        assert part in str(caught.value)


def test_paths_without_a_table(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"none\.csv does not exist"):
        read(tmp_path / "none.csv")
    (tmp_path / "d.csv").mkdir()
    with pytest.raises(ReadError, match="is a directory"):
        read(tmp_path / "d.csv")
    for name in ("t.xlsx", "t", "t.gz"):
        (tmp_path / name).write_text(CSV)
        with pytest.raises(ReadError, match=r"got the suffix .*; expected one of \.arff"):
            read(tmp_path / name)
    for name in ("t.arff", "t.csv", "t.parquet"):
        (tmp_path / name).write_bytes(b"")
        with pytest.raises(ReadError, match="is empty"):
            read(tmp_path / name)
    (tmp_path / "t.csv.gz").write_text(CSV)
    with pytest.raises(ReadError, match="not a complete gzip file"):
        read(tmp_path / "t.csv.gz")


def test_every_reader_is_named_in_the_message_and_documents_its_rules(tmp_path: Path) -> None:
    (tmp_path / "t.xlsx").write_text(CSV)
    with pytest.raises(ReadError, match=re.escape(" ".join(READERS))):
        read(tmp_path / "t.xlsx")
    for suffix in READERS:
        reader = find_reader(SourceFile(Path(f"t{suffix}.gz")))
        assert reader is READERS[suffix]
        assert sys.modules[reader.__module__].__doc__.startswith("The reader of ")


def test_a_line_in_the_table_of_readers_adds_a_format(
    csv_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(READERS, ".txt", READERS[".csv"])
    path = csv_path.rename(csv_path.with_suffix(".txt"))
    assert read(path, nominal="width").schema.names == ["length", "width"]


def test_many_nominal_values(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("a,c\n" + "".join(f"v{i},{i % 2}\n" for i in range(10_000)))
    assert len(read(path).X["a"].cat.categories) == 10_000
