"""Reading any file returns a table or raises a ReadError."""

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from weaklearn.tables import ReadError, Table
from weaklearn.tables.read import read

ARFF = rb"""% a comment
@relation 'odd "name"'
@attribute 'a b' numeric % why not
@attribute colour {red, 'dark \'green\'', "?"}
@attribute when date "yyyy-MM-dd HH:mm"
@attribute word string
@attribute class {yes, no}
@data
1.5, red, "2001-02-03 04:05", x, yes
?, 'dark \'green\'', '1999-12-31 23:59', "y, z", no
{0 3, 2 '2001-02-03 04:05', 3 w, 4 no}
"""
NAMES = rb"""yes, no.  | classes
a b: continuous.
colour: red, dark\, green, x.y.
town: discrete 3.
id: ignore.
"""
DATA = b"1.5, red, here, 7, yes.\n?, dark\\, green, there, 8, no | comment\n-2e3, ?, here, 9, no\n"
CSV = b'a,"b ""c""",class\n1,x,yes\n,"y, z",no\n2.5,NA,no\n'
FILES = {
    "t.arff": ARFF,
    "t.names": NAMES,
    "t.data": DATA,
    "t.test": DATA,
    "t.csv": CSV,
    "t.tsv": CSV.replace(b",", b"\t"),
}

few = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def damage(content: bytes) -> st.SearchStrategy[bytes]:
    """Cut, replace, drop or repeat pieces of a good file."""
    place = st.integers(0, len(content))
    fragment = st.binary(max_size=3) | st.sampled_from(
        [b"'", b'"', b"{", b"}", b"?", b",", b"\\", b"%", b"|", b".", b"\n", b"\t", b"@", b"1e999"]
    )

    def apply(edits: list[tuple[int, int, bytes]]) -> bytes:
        text = content
        for start, end, piece in edits:
            text = text[:start] + piece + text[max(start, end) :]
        return text

    edit = st.one_of(
        st.tuples(place, st.integers(0, 3), fragment).map(lambda e: (e[0], e[0] + e[1], e[2])),
        place.map(lambda start: (start, len(content) * 2, b"")),
        st.tuples(place, place).map(lambda e: (e[0], e[0], content[e[1] : e[1] + 12])),
    )
    return st.lists(edit, min_size=1, max_size=4).map(apply)


def assert_table_or_read_error(path: Path) -> None:
    try:
        table = read(path)
    except ReadError:
        return
    assert isinstance(table, Table)
    assert table.n_rows == len(table.y) > 0
    assert not table.y.isna().any()
    assert table.X.shape[1] > 0


@pytest.mark.parametrize("name", FILES)
@few
@given(data=st.data())
def test_damaged_files_give_a_table_or_an_error(tmp_path: Path, name: str, data) -> None:
    for good, content in FILES.items():
        (tmp_path / good).write_bytes(content)
    (tmp_path / name).write_bytes(data.draw(damage(FILES[name])))
    assert_table_or_read_error(tmp_path / name)


@pytest.mark.parametrize("name", FILES)
def test_the_undamaged_files_are_good(tmp_path: Path, name: str) -> None:
    for good, content in FILES.items():
        (tmp_path / good).write_bytes(content)
    assert read(tmp_path / name).n_rows == 3


@pytest.mark.parametrize("name", [*FILES, "t.parquet", "t.csv.gz"])
@few
@given(content=st.binary(max_size=200))
def test_random_bytes_give_a_table_or_an_error(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / "t.names").write_bytes(NAMES)
    (tmp_path / "t.data").write_bytes(DATA)
    (tmp_path / name).write_bytes(content)
    assert_table_or_read_error(tmp_path / name)


@few
@given(data=st.data())
def test_damaged_containers_give_a_table_or_an_error(tmp_path: Path, data) -> None:
    columns = {"a": [1.5, None], "b": pa.array(["x", "é"]).dictionary_encode(), "c": ["y", "n"]}
    pq.write_table(pa.table(columns), tmp_path / "t.parquet")
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(CSV))
    for name in ("t.parquet", "t.csv.gz"):
        content = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(data.draw(damage(content)))
        assert_table_or_read_error(tmp_path / name)


@pytest.mark.parametrize("piece", ["'", " ", "\t", "{", "\\", "1,", "'a' ", ".", "|", '"'])
def test_long_odd_lines_take_linear_time(tmp_path: Path, piece: str) -> None:
    for good, content in FILES.items():
        (tmp_path / good).write_bytes(content + piece.encode() * 100_000)
    for name in FILES:
        assert_table_or_read_error(tmp_path / name)
