"""A file gives the same tree through wl.read, pandas.read_csv and polars.read_csv."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weaklearn as wl
from weaklearn.tables import ReadError

pl = pytest.importorskip("polars")

rng = np.random.default_rng(5)
N = 60
NUMBERS = rng.normal(size=N)
Y = np.where(rng.normal(size=N) / 3 < NUMBERS, "yes", "no")


def column(*cells: str) -> list[str]:
    """Cells that depend on the class, so that a tree uses them: the first one means no."""
    return [
        rng.choice(cells[1:]) if label == "yes" or rng.random() < 0.1 else cells[0] for label in Y
    ]


def numbers(pattern: str = "{:.3f}", missing: str = "") -> list[str]:
    return [missing if i % 9 == 0 else pattern.format(v) for i, v in enumerate(NUMBERS)]


NASTY = {
    "numbers": numbers(),
    "quoted numbers": numbers('"{:.3f}"'),
    "exponents": numbers("{:.4e}"),
    "spaces": numbers("  {:.3f} "),
    "missing as empty": numbers(missing=""),
    "missing as NA": numbers(missing="NA"),
    "missing as N/A": numbers(missing="N/A"),
    "missing as n.a.": numbers(missing="n.a."),
    "missing as null": numbers(missing="null"),
    "missing as NaN": numbers(missing="NaN"),
    "missing as ?": numbers(missing="?"),
    "missing as ? in quotes": numbers(missing='"?"'),
    "missing as #N/A": numbers(missing="#N/A"),
    "missing with spaces": numbers(missing=" NA "),
    "whole numbers": column("1", "2", "3"),
    "whole numbers with holes": column("1", "2", ""),
    "leading zeros": column("007", "08", "100"),
    "signs": column("-1", "+2", "+3"),
    "texts": column("a", "b", "c"),
    "texts with spaces": column(" a", "b ", " c c "),
    "quoted texts": column('"a"', '"b, c"', '"say ""hi"""'),
    "texts with holes": column("a", "b", "", "?", "n.a."),
    "mixed": column("1", "2", "x"),
    "bools": column("true", "false"),
    "python bools": column("True", "False"),
    "bools with holes": column("true", "false", ""),
    "yes and no": column("yes", "no"),
    "all missing": ["" for _ in Y],
    "all missing in two ways": ["NA" if i % 2 else "?" for i in range(N)],
    "days": column("2020-01-31", "2021-12-01", "2022-02-28"),
    "days with holes": column("2020-01-31", "2021-12-01", ""),
    "days, day first": column("31/01/2020", "01/12/2021"),
    "days, month first": column("01/31/2020", "12/01/2021"),
    "times": column("2020-01-31 10:30", "2021-12-01 00:00", "2021-12-01 23:59"),
    "times with zones": column("2020-01-31T10:30Z", "2021-12-01T00:00+01:00"),
    "month names": column("31 Jan 2020", "1 Dec 2021"),
    "not quite dates": column("2020-01-31", "2021-13-01"),
    "unicode": column("é", "ü", "日本"),
    "constant": ["k" for _ in Y],
    "large integers": column("9007199254740993", "9007199254740995"),
}


def write(path: Path, columns: dict[str, list[str]], end: str = "\n", start: str = "") -> None:
    names = list(columns)
    rows = [",".join(cells) for cells in zip(*columns.values(), Y, strict=True)]
    text = end.join([",".join([*(f'"{name}"' for name in names), "class"]), *rows, ""])
    path.write_bytes((start + text).encode())


def trees_of(path: Path) -> dict[str, str]:
    """The tree of a file, as text and as the kinds of its columns, by each way to read it."""
    table = wl.read(path)
    pandas, polars = pd.read_csv(path), pl.read_csv(path, infer_schema_length=None)
    models = {
        "weaklearn": wl.C45Classifier(min_objects=1).fit(table.X, table.y),
        "pandas": wl.C45Classifier(min_objects=1).fit(
            pandas.drop(columns="class"), pandas["class"]
        ),
        "polars": wl.C45Classifier(min_objects=1).fit(polars.drop("class"), polars["class"]),
    }
    return {name: f"{model.tree_.to_text()}\n{kinds_of(model)}" for name, model in models.items()}


def kinds_of(model) -> list[object]:
    """The kinds and values of the columns, except those that have no value at all."""
    return [(f.kind, f.values) for f in model._schema.features if not f.name.startswith("all ")]


def assert_same(trees: dict[str, str]) -> None:
    assert trees["pandas"] == trees["weaklearn"]
    assert trees["polars"] == trees["weaklearn"]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", NASTY)
def test_one_nasty_column(name, tmp_path):
    path = tmp_path / "t.csv"
    write(path, {name: NASTY[name], "noise": numbers("{:.0f}")})
    trees = trees_of(path)
    assert_same(trees)
    assert "\n" in trees["weaklearn"]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_all_columns_with_every_end_of_line_and_mark(end, start, tmp_path):
    path = tmp_path / "t.csv"
    write(path, NASTY, end, start)
    assert_same(trees_of(path))


def test_repeated_names_are_an_error_in_files(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,a,class\n1,2,y\n")
    with pytest.raises(ReadError, match="two columns are called 'a'"):
        wl.read(path)


CELLS = st.sampled_from(
    ["", "NA", "?", "n.a.", "1", "01", "-2.5", "1e3", "a", " a", "b ", "true", "False",
     "2020-01-31", "31/01/2020", "null", "None", "nan", "inf?", "x,y"]
)  # fmt: skip


@pytest.mark.filterwarnings("ignore::UserWarning")
@given(st.lists(CELLS, min_size=2, max_size=12))
@settings(max_examples=100, deadline=None)
def test_random_columns(cells):
    text = "a,class\n" + "".join(f'"{cell}",{"yn"[i % 2]}\n' for i, cell in enumerate(cells))
    pandas = pd.read_csv(io.StringIO(text))
    polars = pl.read_csv(io.BytesIO(text.encode()), infer_schema_length=None)
    models = [
        wl.C45Classifier(min_objects=1, prune=False).fit(X, y)
        for X, y in (
            (pandas[["a"]], pandas["class"]),
            (polars[["a"]], polars["class"]),
            (pd.DataFrame({"a": cells}), ["yn"[i % 2] for i in range(len(cells))]),
        )
    ]
    texts = {model.tree_.to_text() for model in models}
    assert len(texts) == 1
