"""The store keeps every outcome unchanged, and refuses files that are damaged or not stores."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weaklearn.experiments.result_store import Store, StoreError
from weaklearn.experiments.work_units import Outcome, WorkUnit


def unit(fold: int = 0, checksum: str = "sum") -> WorkUnit:
    return WorkUnit("paper", "experiment", "problem", "learner", 0, fold, '{"seed":0}', checksum)


def result(error: float = 1.0) -> str:
    return f'{{"quantities":{{"error":{error}}}}}'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.sqlite"


def test_outcomes_are_read_as_they_were_written(path: Path) -> None:
    with Store(path, "1") as store:
        store.append(Outcome(unit(0), result(0.25), None, 1.5))
        store.append(Outcome(unit(1), None, "ValueError: no", 0.5))
    with Store(path, "1") as store:
        known = store.read([unit(0), unit(1), unit(2)])
    assert known.keys() == {unit(0), unit(1)}
    assert known[unit(0)].result == {"quantities": {"error": 0.25}}
    assert known[unit(1)].error == "ValueError: no"
    assert known[unit(1)].result is None


def test_outcomes_of_other_code_or_other_tables_are_not_read(path: Path) -> None:
    with Store(path, "1") as store:
        store.append(Outcome(unit(), result(), None, 1.0))
        assert store.read([unit(checksum="other")]) == {}
    with Store(path, "2") as store:
        assert store.read([unit()]) == {}
        store.append(Outcome(unit(), result(2.0), None, 1.0))
    with Store(path, "1") as store:
        assert store.read([unit()])[unit()].result == {"quantities": {"error": 1.0}}


def test_units_can_depend_on_different_code(path: Path) -> None:
    with Store(path, lambda unit: f"code {unit.fold}") as store:
        store.append(Outcome(unit(0), result(), None, 1.0))
        store.append(Outcome(unit(1), result(), None, 1.0))
        assert store.read([unit(0), unit(1)]).keys() == {unit(0), unit(1)}
        assert store.read([]) == {}
    with Store(path, lambda unit: "code 0") as store:
        assert store.read([unit(0), unit(1)]).keys() == {unit(0)}


def test_measured_times_are_not_part_of_the_digest(path: Path) -> None:
    digests = []
    for code, seconds, errors in (("1", 0.5, 3), ("2", 0.7, 3), ("3", 0.5, 4)):
        with Store(path, code) as store:
            text = f'{{"errors":{errors},"seconds":{{"fit":{seconds}}}}}'
            store.append(Outcome(unit(), text, None, seconds))
            digests.append(store.digest([unit()]))
    assert digests[0] == digests[1] != digests[2]


def test_the_first_result_is_kept_and_preferred_to_errors(path: Path) -> None:
    with Store(path, "1") as store:
        store.append(Outcome(unit(), None, "first", 1.0))
        store.append(Outcome(unit(), result(1.0), None, 1.0))
        store.append(Outcome(unit(), result(2.0), None, 1.0))
        store.append(Outcome(unit(), None, "again", 1.0))
        assert store.read([unit()])[unit()].result == {"quantities": {"error": 1.0}}


@pytest.mark.parametrize("statement", ["UPDATE outcomes SET result = ''", "DELETE FROM outcomes"])
def test_outcomes_cannot_be_changed_or_deleted(path: Path, statement: str) -> None:
    with Store(path, "1") as store:
        store.append(Outcome(unit(), result(), None, 1.0))
    with sqlite3.connect(path) as file, pytest.raises(sqlite3.IntegrityError, match="only grows"):
        file.execute(statement)


@given(order=st.permutations(range(5)), seconds=st.floats(0, 10))
def test_the_digest_depends_on_results_only(order: list[int], seconds: float) -> None:
    with Store(Path(":memory:"), "1") as first, Store(Path(":memory:"), "1") as second:
        units = [unit(fold) for fold in range(5)]
        for fold in range(5):
            first.append(Outcome(units[fold], result(fold), None, 1.0))
        for fold in order[:-1]:
            second.append(Outcome(units[fold], result(fold), None, seconds))
        assert first.digest(units) != second.digest(units)
        second.append(Outcome(units[order[-1]], result(order[-1]), None, seconds))
        assert first.digest(units) == second.digest(units)
        assert first.digest(units[:3]) != second.digest(units[2:])


def test_files_that_are_not_stores_are_refused(path: Path) -> None:
    path.write_bytes(b"this is not a database, however long it may be" * 100)
    with pytest.raises(StoreError, match=r"results.sqlite cannot be used .*Move the file away, or"):
        Store(path, "1").__enter__()
    path.unlink()
    with sqlite3.connect(path) as file:
        file.execute("CREATE TABLE t (x)")
    content = path.read_bytes()
    with pytest.raises(StoreError, match="a database, but not a store of results"):
        Store(path, "1").__enter__()
    assert path.read_bytes() == content


def test_other_format_versions_are_refused(path: Path) -> None:
    with Store(path, "1"):
        pass
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA user_version = 7")
    with pytest.raises(StoreError, match="has format version 7, but this weaklearn reads"):
        Store(path, "1").__enter__()


def test_untrusted_triggers_are_refused(path: Path) -> None:
    with Store(path, "1"):
        pass
    with sqlite3.connect(path) as file:
        file.execute(
            "CREATE TRIGGER evil AFTER INSERT ON outcomes BEGIN INSERT INTO recipes VALUES "
            "('', ''); END"
        )
    with pytest.raises(StoreError, match="has other tables or triggers than a store"):
        Store(path, "1").__enter__()


@settings(deadline=None, max_examples=50)
@given(place=st.floats(0.1, 0.99), damage=st.binary(min_size=1, max_size=64), cut=st.booleans())
def test_a_damaged_store_raises_an_error_or_gives_the_right_results(
    tmp_path_factory: pytest.TempPathFactory, place: float, damage: bytes, cut: bool
) -> None:
    path = tmp_path_factory.mktemp("damaged") / "results.sqlite"
    units = [unit(fold) for fold in range(40)]
    with Store(path, "1") as store:
        for fold, one in enumerate(units):
            store.append(Outcome(one, result(fold), None, 1.0))
    content = bytearray(path.read_bytes())
    start = int(place * len(content))
    if cut:
        content = content[:start]
    else:
        content[start : start + len(damage)] = damage
    path.write_bytes(content)
    try:
        with Store(path, "1") as store:
            known = store.read(units)
    except StoreError:
        return
    for fold, one in enumerate(units):
        if one in known:
            assert known[one].result == {"quantities": {"error": fold}}


def test_a_changed_digit_is_noticed(path: Path) -> None:
    with Store(path, "1") as store:
        store.append(Outcome(unit(), result(0.25), None, 1.0))
    content = path.read_bytes()
    assert content.count(b"0.25") == 1
    path.write_bytes(content.replace(b"0.25", b"0.15"))
    with Store(path, "1") as store, pytest.raises(StoreError, match="damaged: the checksum of"):
        store.read([unit()])


def test_the_repr_names_the_file_and_the_code(path: Path) -> None:
    assert repr(Store(path, "0.1.0+abc")) == f"Store({str(path)!r}, code 0.1.0+abc)"
    failed = Outcome(unit(), None, "out of memory", 0.25)
    assert repr(failed) == (
        "Outcome(problem, learner, repeat 0, trial 0: failed: out of memory, 0.25 s)"
    )
