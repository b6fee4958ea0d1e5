"""Random tables, written in each text format, are read back unchanged."""

import gzip
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from table_writers import (
    ODD,
    assert_reads_as,
    raw_tables,
    write_arff,
    write_csv,
    write_names,
)

from weaklearn.tables.arff_syntax import LineProblem, split_dense, split_tokens
from weaklearn.tables.c45_files import _split_escaped_row, _split_row
from weaklearn.tables.read import read

reuse_folder = settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
arff_texts = st.text(ODD + "\n\r", max_size=8)
c45_texts = st.text(ODD, min_size=1, max_size=8)
# A leading letter keeps a value from looking like a number or a missing value.
csv_texts = st.text(ODD + "\n\r", max_size=8).map(lambda text: f"v{text}".strip())


@reuse_folder
@given(newline=st.sampled_from(["\n", "\r\n", "\r"]), table=raw_tables(arff_texts))
def test_arff_is_read_back(tmp_path: Path, newline: str, table) -> None:
    path = tmp_path / "t.arff"
    path.write_bytes(write_arff(table).replace("\n", newline).encode())
    assert_reads_as(read(path), table)


@reuse_folder
@given(suffix=st.sampled_from([".names", ".data", ".test"]), table=raw_tables(c45_texts))
def test_c45_files_are_read_back(tmp_path: Path, suffix: str, table) -> None:
    expected = table.with_target("class")
    names, rows = write_names(expected)
    (tmp_path / "t.names").write_text(names, "utf-8")
    (tmp_path / f"t{suffix.replace('names', 'data')}").write_text(rows, "utf-8")
    assert_reads_as(read(tmp_path / f"t{suffix}"), expected)


@reuse_folder
@given(delimiter=st.sampled_from([",", ";", "\t"]), table=raw_tables(csv_texts))
def test_csv_is_read_back(tmp_path: Path, delimiter: str, table) -> None:
    path = tmp_path / ("t.tsv" if delimiter == "\t" else "t.csv")
    path.write_text(write_csv(table, delimiter), "utf-8", newline="")
    nominal = [column.name for column in table.columns if column.declared]
    assert_reads_as(read(path, nominal=nominal), table.with_sorted_values())


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(table=raw_tables(st.text("ab é'", min_size=1, max_size=4).map(lambda t: f"v{t}".strip())))
def test_gzipped_files_read_like_plain_ones(tmp_path: Path, table) -> None:
    names, rows = write_names(table)
    texts = {"t.arff": write_arff(table), "t.csv": write_csv(table), "t.names": names}
    for name, text in {**texts, "t.data": rows}.items():
        (tmp_path / name).write_text(text, "utf-8", newline="")
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    for name in texts:
        plain, zipped = read(tmp_path / name), read(tmp_path / f"{name}.gz")
        assert plain.X.equals(zipped.X)
        assert plain.y.equals(zipped.y)
        assert (plain.name, plain.notes) == (zipped.name, zipped.notes)


def split_or_problem(split, line):
    try:
        return split(line)
    except LineProblem as problem:
        return str(problem), problem.field


@given(st.lists(st.text("ab ?.1\\é\xa0", max_size=4), min_size=1, max_size=5).map(",".join))
def test_arff_short_cuts_agree_with_the_tokenizer(line: str) -> None:
    line = line.strip(" \t")
    assert split_or_problem(split_dense, line) == split_or_problem(split_tokens, line)


@given(st.lists(st.text("ab ?.1\té\xa0", max_size=4), min_size=1, max_size=5).map(",".join))
def test_c45_short_cut_agrees_with_the_full_split(line: str) -> None:
    assert _split_row(line) == _split_escaped_row(line)
    assert _split_row(line) == _split_row(line + "| a, comment.")
