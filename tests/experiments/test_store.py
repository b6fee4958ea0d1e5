"""The store only grows, keeps what it was given, and refuses what is none."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weaklearn.experiments.store import Store, StoreError
from weaklearn.experiments.work_units import Outcome, Unit


def unit(number: int = 0, data: str = "sum") -> Unit:
    return Unit("paper", "experiment", "problem", "learner", 0, number, '{"seed":0}', data)


def result(number: float = 1.0) -> str:
    return f'{{"figures":{{"error":{number}}}}}'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.sqlite"


def test_it_gives_back_what_it_was_given(path: Path) -> None:
    with Store(path, "1") as store:
        store.append(Outcome(unit(0), result(0.25), None, 1.5))
        store.append(Outcome(unit(1), None, "ValueError: no", 0.5))
    with Store(path, "1") as store:
        known = store.read([unit(0), unit(1), unit(2)])
    assert known.keys() == {unit(0), unit(1)}
    assert known[unit(0)].result == {"figures": {"error": 0.25}}
    assert known[unit(1)].error == "ValueError: no"
    assert known[unit(1)].result is None


def test_another_code_or_other_data_are_not_seen(path: Path) -> None:
    with Store(path, "1") as store:
        store.append(Outcome(unit(), result(), None, 1.0))
        assert store.read([unit(data="other")]) == {}
    with Store(path, "2") as store:
        assert store.read([unit()]) == {}
        store.append(Outcome(unit(), result(2.0), None, 1.0))
    with Store(path, "1") as store:
        assert store.read([unit()])[unit()].result == {"figures": {"error": 1.0}}


def test_a_result_stays_and_beats_an_error(path: Path) -> None:
    with Store(path, "1") as store:
        store.append(Outcome(unit(), None, "once", 1.0))
        store.append(Outcome(unit(), result(1.0), None, 1.0))
        store.append(Outcome(unit(), result(2.0), None, 1.0))
        store.append(Outcome(unit(), None, "again", 1.0))
        assert store.read([unit()])[unit()].result == {"figures": {"error": 1.0}}


@pytest.mark.parametrize("statement", ["UPDATE outcomes SET result = ''", "DELETE FROM outcomes"])
def test_nothing_can_be_changed_or_taken_away(path: Path, statement: str) -> None:
    with Store(path, "1") as store:
        store.append(Outcome(unit(), result(), None, 1.0))
    with sqlite3.connect(path) as file, pytest.raises(sqlite3.IntegrityError, match="only grows"):
        file.execute(statement)


@given(order=st.permutations(range(5)), seconds=st.floats(0, 10))
def test_the_digest_is_about_results_alone(order: list[int], seconds: float) -> None:
    with Store(Path(":memory:"), "1") as first, Store(Path(":memory:"), "1") as second:
        units = [unit(number) for number in range(5)]
        for number in range(5):
            first.append(Outcome(units[number], result(number), None, 1.0))
        for number in order[:-1]:
            second.append(Outcome(units[number], result(number), None, seconds))
        assert first.digest(units) != second.digest(units)
        second.append(Outcome(units[order[-1]], result(order[-1]), None, seconds))
        assert first.digest(units) == second.digest(units)
        assert first.digest(units[:3]) != second.digest(units[2:])


def test_what_is_no_store_is_refused(path: Path) -> None:
    path.write_bytes(b"this is not a database, however long it may be" * 100)
    with pytest.raises(StoreError, match=r"results.sqlite cannot be used .*Move it away, or name"):
        Store(path, "1").__enter__()
    path.unlink()
    with sqlite3.connect(path) as file:
        file.execute("CREATE TABLE t (x)")
    content = path.read_bytes()
    with pytest.raises(StoreError, match="a database, but not a store of results"):
        Store(path, "1").__enter__()
    assert path.read_bytes() == content


def test_another_form_is_refused(path: Path) -> None:
    with Store(path, "1"):
        pass
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA user_version = 7")
    with pytest.raises(StoreError, match="has form 7, and this version of weaklearn reads form 1"):
        Store(path, "1").__enter__()


def test_tables_and_triggers_of_a_stranger_are_refused(path: Path) -> None:
    with Store(path, "1"):
        pass
    with sqlite3.connect(path) as file:
        file.execute(
            "CREATE TRIGGER evil AFTER INSERT ON outcomes BEGIN INSERT INTO recipes VALUES "
            "('', ''); END"
        )
    with pytest.raises(StoreError, match="holds other tables than a store"):
        Store(path, "1").__enter__()


@settings(deadline=None, max_examples=50)
@given(place=st.floats(0.1, 0.99), damage=st.binary(min_size=1, max_size=64), cut=st.booleans())
def test_a_damaged_store_is_told_or_still_right(
    tmp_path_factory: pytest.TempPathFactory, place: float, damage: bytes, cut: bool
) -> None:
    path = tmp_path_factory.mktemp("damaged") / "results.sqlite"
    units = [unit(number) for number in range(40)]
    with Store(path, "1") as store:
        for number, one in enumerate(units):
            store.append(Outcome(one, result(number), None, 1.0))
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
    for number, one in enumerate(units):
        if one in known:
            assert known[one].result == {"figures": {"error": number}}


def test_a_number_that_has_changed_is_noticed(path: Path) -> None:
    with Store(path, "1") as store:
        store.append(Outcome(unit(), result(0.25), None, 1.0))
    content = path.read_bytes()
    assert content.count(b"0.25") == 1
    path.write_bytes(content.replace(b"0.25", b"0.15"))
    with Store(path, "1") as store, pytest.raises(StoreError, match="not what was written"):
        store.read([unit()])
