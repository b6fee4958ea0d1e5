"""ARFF files: syntax, kinds, sparse rows, errors."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weaklearn.tables import ReadError
from weaklearn.tables.date_patterns import date_parser
from weaklearn.tables.read import read
from weaklearn.tables.write_arff import arff_lines

HEAD = """@relation r
@attribute size numeric
@attribute colour {red, 'dark green', blue}
@attribute class {yes, no}
@data
"""


def read_text(tmp_path: Path, text: str, **options):
    path = tmp_path / "t.arff"
    path.write_text(text, "utf-8")
    return read(path, **options)


def error_message(tmp_path: Path, text: str, **options) -> str:
    with pytest.raises(ReadError) as caught:
        read_text(tmp_path, text, **options)
    assert str(tmp_path / "t.arff") in str(caught.value)
    return str(caught.value)


def test_tabs_comments_blank_lines_and_keywords_in_any_case(tmp_path: Path) -> None:
    table = read_text(
        tmp_path,
        "% first\n\n\t@RELATION\t'my data'\n@Attribute  size\tREAL % metres\n"
        "@attribute colour{red,\t'dark green' ,blue}\n@ATTRIBUTE class {yes,no}%end\n"
        "@DATA % go\n\n  % inner\n 1 ,\t'dark green',yes % trailing\n2\tred\tno\n",
    )
    assert table.name == "my data"
    assert table.X["size"].tolist() == [1.0, 2.0]
    assert table.X["colour"].tolist() == ["dark green", "red"]
    assert table.y.tolist() == ["yes", "no"]
    assert table.notes == ()


def test_declared_order_and_values_that_never_occur_are_kept(tmp_path: Path) -> None:
    table = read_text(tmp_path, HEAD + "1,blue,no\n")
    assert list(table.X["colour"].cat.categories) == ["red", "dark green", "blue"]
    assert list(table.y.cat.categories) == ["yes", "no"]


def test_a_quoted_question_mark_is_a_value(tmp_path: Path) -> None:
    text = "@relation r\n@attribute a {x,'?'}\n@attribute c {y,n}\n@data\n?,y\n'?',n\n"
    assert read_text(tmp_path, text).X["a"].cat.codes.tolist() == [-1, 1]


def test_spaces_inside_an_unquoted_value_are_kept(tmp_path: Path) -> None:
    assert read_text(tmp_path, HEAD + "1, dark green ,no\n").X["colour"].tolist() == ["dark green"]


def test_escapes_in_quotes(tmp_path: Path) -> None:
    text = (
        "@relation r\n@attribute a string\n@attribute c {y,n}\n@data\n"
        + r"'it\'s',y"
        + "\n"
        + r'"a\tb\\ \u0041 \% \"",n'
        + "\n"
        + r"plain\n,y"
        + "\n"
    )
    assert read_text(tmp_path, text).X["a"].tolist() == ["it's", 'a\tb\\ A % "', r"plain\n"]


def test_string_is_nominal_with_sorted_values_and_a_note(tmp_path: Path) -> None:
    text = "@relation r\n@attribute a string\n@attribute c {y,n}\n@data\nzoo,y\n'an ant',n\n?,n\n"
    table = read_text(tmp_path, text)
    assert list(table.X["a"].cat.categories) == ["an ant", "zoo"]
    assert table.notes == ("string attribute 'a' read as nominal",)


@pytest.mark.parametrize(
    ("pattern", "text", "moment"),
    [
        ("", "2001-02-03T04:05:06", datetime(2001, 2, 3, 4, 5, 6)),
        ("yyyyMMdd", "20010203", datetime(2001, 2, 3)),
        ("'yyyy-MM-dd HH:mm ss.SSS'", "2001-02-03 04:05 6.5", datetime(2001, 2, 3, 4, 5, 6, 5000)),
        ("'EEE, d MMM yyyy'", "Sat, 3 Feb 2001", datetime(2001, 2, 3)),
        ('"MMMM d yyyy h:mm a"', "February 3 2001 12:05 AM", datetime(2001, 2, 3, 0, 5)),
        ('"yyyy-MM-dd HH:mm Z"', "2001-02-03 04:05 +0130", datetime(2001, 2, 3, 2, 35)),
        ("yyyy-MM-ddX", "2001-02-03-02", datetime(2001, 2, 3, 2)),
        ("yyyy", "1969", datetime(1969, 1, 1)),
        (r"""'\'year\' yyyy'""", "year 2001", datetime(2001, 1, 1)),
    ],
)  # fmt: skip
def test_dates_follow_their_pattern(
    tmp_path: Path, pattern: str, text: str, moment: datetime
) -> None:
    table = read_text(
        tmp_path,
        f"@relation r\n@attribute d date {pattern}\n@attribute c {{y,n}}\n@data\n'{text}',y\n?,n\n",
    )
    assert table.X["d"][0] == moment
    assert table.X["d"].isna().tolist() == [False, True]
    assert table.schema.features[0].date is not None


@given(st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30)))
def test_every_date_is_read_back(moment: datetime) -> None:
    parse = date_parser("yyyyMMdd HHmmss.SSS")
    text = moment.strftime("%m%d %H%M%S") + f".{moment.microsecond // 1000:03}"
    exact = moment.replace(microsecond=moment.microsecond // 1000 * 1000, tzinfo=UTC)
    assert parse(f"{moment.year:04}{text}") == pytest.approx(exact.timestamp(), abs=1e-4)


@pytest.mark.parametrize(
    ("pattern", "letter"), [("yyyy-ww", "'w'"), ("yy-MM", "yyyy"), ("G", "'G'")]
)
def test_unsupported_date_letters_are_errors(tmp_path: Path, pattern: str, letter: str) -> None:
    text = f"@relation r\n@attribute d date {pattern}\n@attribute c {{y,n}}\n@data\n1,y\n"
    message = error_message(tmp_path, text)
    assert "line 2" in message
    assert letter in message


def test_sparse_rows(tmp_path: Path) -> None:
    table = read_text(
        tmp_path, HEAD + "{}\n{1 'dark green', 0 2.5}\n{2 no,1 ?}  % end\n{ 0\t1 }\n3,blue,no\n"
    )
    assert table.X["size"].tolist() == [0, 2.5, 0, 1, 3]
    assert table.X["colour"].cat.codes.tolist() == [0, 1, -1, 0, 2]
    assert table.y.tolist() == ["yes", "yes", "no", "yes", "no"]


@given(st.data())
def test_sparse_rows_equal_their_dense_ones(tmp_path_factory, data) -> None:
    defaults = {0: "0", 1: "red", 2: "yes"}
    written = data.draw(
        st.dictionaries(st.integers(0, 2), st.integers(0, 1)).map(
            lambda d: {i: (["0", "7.5"], ["?", "blue"], ["yes", "no"])[i][v] for i, v in d.items()}
        )
    )
    folder = tmp_path_factory.mktemp("sparse")
    sparse = "{" + ", ".join(f"{i} {v}" for i, v in written.items()) + "}"
    dense = ",".join({**defaults, **written}.values())
    ours, theirs = read_text(folder, HEAD + sparse), read_text(folder, HEAD + dense)
    assert ours.X.equals(theirs.X)
    assert ours.y.equals(theirs.y)


@pytest.mark.parametrize(
    ("rows", "line", "parts"),
    [
        ("1,red,yes\n2,pink,no", 7, ["'colour'", "'pink'", "'red', 'dark green', 'blue'"]),
        ("1,red,yes\n\n%\n2,red", 9, ["got 2 values, expected 3"]),
        ("1,red,yes,no", 6, ["got 4 values, expected 3"]),
        ("one,red,yes", 6, ["'size'", "'one'", "a number"]),
        ("1_0,red,yes", 6, ["'size'", "'1_0'", "a number"]),
        ("nan,red,yes", 6, ["'size'", "'nan'", "a number"]),
        ("-inf,red,yes", 6, ["'size'", "'-inf'", "a finite number"]),
        ("1e999,red,yes", 6, ["'size'", "'1e999'", "a finite number"]),
        ("1,red,?", 6, ["'class'", "class is missing", "at least half of the rows"]),
        ("1,,yes", 6, ["'colour'", "empty", "written ?"]),
        ("1,'red,yes", 6, ["'colour'", "never closed"]),
        ("1,'red'x,yes", 6, ["'colour'", "comma after the closing quote"]),
        ("1,re'd,yes", 6, ["'colour'", "must be in quotes"]),
        ("1,red,yes,{5}", 6, ["instance weight"]),
        ("1,red,yes {5}", 6, ["instance weight"]),
        ("{0 1},{5}", 6, ["instance weight"]),
        ("{0 1, 0 2}", 6, ["'size'", "twice"]),
        ("{3 1}", 6, ["index 3", "from 0 to 2"]),
        ("{x 1}", 6, ["index value"]),
        ("{0 1", 6, ["closing }"]),
        ("{0 1} 5", 6, ["end of the line"]),
    ],
)
def test_bad_rows_name_line_column_and_what_was_expected(
    tmp_path: Path, rows: str, line: int, parts: list[str]
) -> None:
    message = error_message(tmp_path, HEAD + rows)
    assert re.search(rf"line {line}\b", message)
    for part in parts:
        assert part in message


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("@relation r\n@attribute a\n", ["line 2", "'a'", "numeric, real"]),
        ("@relation r\n@attribute a float\n", ["line 2", "'float'", "numeric, real"]),
        ("@relation r\n@attribute\n", ["line 2", "expected a name"]),
        ("@relation r\n@attribute a relational\n", ["line 2", "relational", "not supported"]),
        ("@relation r\n@attribute a {x,y\n", ["line 2", "'a'", "}"]),
        ("@relation r\n@attribute a {x,x}\n", ["line 2", "'x' twice"]),
        ("@relation r\n@attribute a {}\n", ["line 2", "empty"]),
        ("@relation r\n@attribute a real extra\n", ["line 2", "'extra'", "end of the line"]),
        ("@relation r\n@attributes a real\n", ["line 2", "expected @relation, @attribute, @data"]),
        ("a,b\n1,2\n", ["line 1", "expected @relation"]),
        ("@relation r\n@attribute a real\n@attribute b real\n", ["no @data"]),
        ("@relation r\n@data\n1\n", ["at least one feature"]),
        ("@relation r\n@attribute a real\n@data\n1\n", ["at least one feature"]),
        ("@relation r\n@attribute a real\n@attribute a real\n@data\n1,2\n", ["called 'a'"]),
        (HEAD, ["no rows"]),
        (
            "@relation r\n@attribute t string\n@attribute c {y}\n@data\n{1 y}",
            ["line 5", "'t'", "string attribute", "no default"],
        ),
    ],
)
def test_bad_headers_are_errors(tmp_path: Path, text: str, parts: list[str]) -> None:
    message = error_message(tmp_path, text)
    for part in parts:
        assert part in message


def test_latin_1_is_the_fallback_and_noted(tmp_path: Path) -> None:
    path = tmp_path / "t.arff"
    path.write_bytes((HEAD.replace("blue", "bleuâtre") + "1,bleuâtre,no\n").encode("latin-1"))
    table = read(path)
    assert table.X["colour"].tolist() == ["bleuâtre"]
    assert "Latin-1" in table.notes[0]


def test_a_numeric_target_has_its_distinct_values_as_classes(tmp_path: Path) -> None:
    table = read_text(tmp_path, HEAD + "10,red,yes\n9.0,blue,no\n10,?,no\n", target="size")
    assert table.y.tolist() == [10, 9, 10]
    assert table.y.cat.categories.tolist() == [9, 10]
    assert table.y.cat.categories.dtype == "int64"
    assert list(table.X.columns) == ["colour", "class"]


def test_equal_numbers_stay_one_value_when_read_as_nominal(tmp_path: Path) -> None:
    table = read_text(tmp_path, HEAD + "10,red,yes\n9.50,blue,no\n10.0,?,no\n", nominal="size")
    assert table.X["size"].tolist() == ["10", "9.5", "10"]
    assert list(table.X["size"].cat.categories) == ["9.5", "10"]


def test_written_dates_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("d,c\n31/01/2020 10:30:05.25,y\n,n\n01/12/1950,y\n")
    table = read(path)
    copy = read_text(tmp_path, "\n".join(arff_lines(table)))
    assert copy.X["d"].tolist()[::2] == table.X["d"].tolist()[::2]
    assert copy.X["d"].isna().tolist() == [False, True, False]
