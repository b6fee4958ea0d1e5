"""Every generator against its definition, written again in plain Python."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared import SHARED
from weaklearn import datasets
from weaklearn.tables import Table

needs_shared = pytest.mark.skipif(
    not (SHARED / "data").is_dir(), reason="the published tables (../shared/data) are absent"
)

seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=25, deadline=None)


def rows_of(table: Table) -> list[tuple[list[str], str]]:
    assert table.y is not None
    return list(zip(table.X.to_numpy().tolist(), table.y.tolist(), strict=True))


def bits_of(row: list[str]) -> list[int]:
    return [int(value) for value in row]


def published(name: str) -> list[tuple[list[str], str]]:
    lines = (SHARED / "data" / f"{name}.arff").read_text().splitlines()
    data = [line.split(",") for line in lines[lines.index("@data") + 1 :]]
    return [(row[:-1], row[-1]) for row in data]


def xd6_rule(x: list[int]) -> bool:
    return bool((x[0] and x[1] and x[2]) or (x[3] and x[4] and x[5]) or (x[6] and x[7] and x[8]))


MAKERS: dict[str, Callable[..., Table]] = {
    "xd6": datasets.make_xd6,
    "led_even": datasets.make_led_even,
    "parity": lambda n, **options: datasets.make_parity(6, n, **options),
    "xor": lambda n, **options: datasets.make_xor(3, 4, n, **options),
    "majority": lambda n, **options: datasets.make_majority(6, n, **options),
    "multiplexer": lambda n, **options: datasets.make_multiplexer(2, n, **options),
    "decision_list": lambda n, **options: datasets.make_decision_list(n_samples=n, **options),
    "waveform": datasets.make_waveform,
}


@pytest.mark.parametrize("name", MAKERS)
def test_same_seed_same_table(name: str) -> None:
    first = MAKERS[name](50, class_noise=0.2, random_state=7)
    again = MAKERS[name](50, class_noise=0.2, random_state=np.random.default_rng(7))
    other = MAKERS[name](50, class_noise=0.2, random_state=8)
    pd.testing.assert_frame_equal(first.X, again.X)
    pd.testing.assert_series_equal(first.y, again.y)
    assert first.n_rows == 50
    assert not first.X.equals(other.X)


@pytest.mark.parametrize("name", MAKERS)
def test_class_noise_touches_only_classes_and_as_many_as_it_says(name: str) -> None:
    n, share = 4000, 0.15
    clean = MAKERS[name](n, random_state=3)
    noisy = MAKERS[name](n, class_noise=share, random_state=3)
    pd.testing.assert_frame_equal(clean.X, noisy.X)
    changed = sum(a != b for a, b in zip(clean.y, noisy.y, strict=True))
    # Five standard deviations of the binomial count.
    assert abs(changed - n * share) < 5 * (n * share * (1 - share)) ** 0.5
    certain = MAKERS[name](200, class_noise=1.0, random_state=3)
    right = MAKERS[name](200, random_state=3)
    assert all(a != b for a, b in zip(certain.y, right.y, strict=True))


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("bad", [-0.1, 1.5, float("nan"), "much"])
def test_bad_noise_is_an_error(name: str, bad: object) -> None:
    with pytest.raises(ValueError, match=r"class_noise must be a number from 0 to 1, got"):
        MAKERS[name](10, class_noise=bad)


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("bad", [0, -3, 2.5, True])
def test_bad_size_is_an_error(name: str, bad: object) -> None:
    with pytest.raises(ValueError, match=r"n_samples must be a whole number at least 1, got"):
        MAKERS[name](bad)


@given(seed=seeds)
@few
def test_xd6_obeys_its_rule(seed: int) -> None:
    table = datasets.make_xd6(100, random_state=seed)
    for row, label in rows_of(table):
        assert len(row) == 10
        assert label == str(int(xd6_rule(bits_of(row))))


@given(seed=seeds, noise=st.sampled_from([0.0, 0.1, 0.3, 0.5]))
@few
def test_xd6_margins_are_those_of_the_model(seed: int, noise: float) -> None:
    """The right class has probability 1 - noise, so the margin is 1 - 2 noise, or minus that."""
    table = datasets.make_xd6(100, class_noise=noise, random_state=seed)
    margins = datasets.xd6_margins(table.X, table.y, noise)
    for (row, label), margin in zip(rows_of(table), margins, strict=True):
        likely = noise if int(xd6_rule(bits_of(row))) != int(label) else 1 - noise
        assert margin == pytest.approx(likely - (1 - likely))


@given(n=st.integers(1, 8))
@few
def test_full_tables_have_each_row_once_in_counting_order(n: int) -> None:
    parity, majority = datasets.make_parity(n), datasets.make_majority(n)
    for table in (parity, majority):
        assert table.X.to_numpy().tolist() == [list(row) for row in product("01", repeat=n)]
    assert parity.y.tolist() == [str(row.count("1") % 2) for row, _ in rows_of(parity)]
    assert majority.y.tolist() == [
        "1" if row.count("1") > row.count("0") else "0" for row, _ in rows_of(majority)
    ]


@given(relevant=st.integers(1, 5), irrelevant=st.integers(0, 5), seed=seeds)
@few
def test_xor_depends_on_its_relevant_bits_alone(relevant: int, irrelevant: int, seed: int) -> None:
    table = datasets.make_xor(relevant, irrelevant, 60, random_state=seed)
    for row, label in rows_of(table):
        assert len(row) == relevant + irrelevant
        assert label == str(row[:relevant].count("1") % 2)


@given(address_bits=st.integers(1, 4), seed=seeds)
@few
def test_multiplexer_gives_the_addressed_bit(address_bits: int, seed: int) -> None:
    table = datasets.make_multiplexer(address_bits, 60, random_state=seed)
    for row, label in rows_of(table):
        assert len(row) == address_bits + 2**address_bits
        assert label == row[address_bits + int("".join(row[:address_bits]), 2)]


@given(n_bits=st.integers(2, 8), n_rules=st.integers(1, 6), literals=st.integers(1, 2), seed=seeds)
@few
def test_decision_list_is_the_one_in_the_notes(
    n_bits: int, n_rules: int, literals: int, seed: int
) -> None:
    table = datasets.make_decision_list(n_bits, n_rules, literals, 60, random_state=seed)
    *rules, otherwise = table.notes
    assert len(rules) == n_rules

    def predict(row: list[str]) -> str:
        for rule in rules:
            condition, label = rule.removeprefix("if ").split(" then ")
            comparisons = [literal.split("=") for literal in condition.split(" and ")]
            assert len(comparisons) == literals
            if all(row[int(name[1:]) - 1] == value for name, value in comparisons):
                return label
        return otherwise.removeprefix("otherwise ")

    assert [label for _, label in rows_of(table)] == [predict(row) for row, _ in rows_of(table)]
    assert rules[-1][-1] != otherwise[-1]


def test_led_without_faults_shows_the_ten_digits() -> None:
    table = datasets.make_led_even(2000, segment_noise=0, random_state=0)
    rows = {(tuple(row), label) for row, label in rows_of(table)}
    assert len(rows) == 10
    lamps = {row: label for row, label in rows}
    # 1 lights the two right lamps, 4 adds the middle and the upper left, 8 lights all, ...
    assert lamps[tuple("0010010")] == "odd"
    assert lamps[tuple("0111010")] == "even"
    assert lamps[tuple("1111111")] == "even"
    assert lamps[tuple("1110111")] == "even"
    assert lamps[tuple("1010010")] == "odd"
    assert sorted(row.count("1") for row in lamps) == [2, 3, 4, 5, 5, 5, 6, 6, 6, 7]


def test_led_faults_have_their_rate_and_leave_the_class() -> None:
    n = 3000
    right = datasets.make_led_even(n, segment_noise=0, random_state=5)
    faulty = datasets.make_led_even(n, random_state=5)
    assert right.y.equals(faulty.y)
    wrong = (right.X.to_numpy() != faulty.X.to_numpy()).mean()
    assert abs(wrong - 0.1) < 5 * (0.09 / (7 * n)) ** 0.5


def test_led_irrelevant_bits_are_fair() -> None:
    table = datasets.make_led_even(3000, irrelevant=17, random_state=1)
    assert table.X.shape == (3000, 24)
    ones = (table.X.iloc[:, 7:] == "1").to_numpy().mean(axis=0)
    assert np.abs(ones - 0.5).max() < 5 * 0.5 / 3000**0.5


def monk_rule(problem: int, a: list[int]) -> bool:
    if problem == 1:
        return a[0] == a[1] or a[4] == 1
    if problem == 2:
        return a.count(1) == 2
    return (a[4] == 3 and a[3] == 1) or (a[4] != 4 and a[1] != 3)


@pytest.mark.parametrize("problem", [1, 2, 3])
def test_monks_obey_their_rules(problem: int) -> None:
    table = datasets.make_monks(problem)
    assert table.n_rows == 432
    assert len(table.X.drop_duplicates()) == 432
    for row, label in rows_of(table):
        assert label == str(int(monk_rule(problem, bits_of(row))))


@needs_shared
@pytest.mark.parametrize("problem", [1, 2, 3])
def test_monks_are_the_published_test_sets(problem: int) -> None:
    assert rows_of(datasets.make_monks(problem)) == published(f"monks-{problem}.test")


@pytest.mark.parametrize(("problem", "size"), [(1, 124), (2, 169), (3, 122)])
def test_monks_samples_are_different_rows_of_the_full_set(problem: int, size: int) -> None:
    table = datasets.make_monks(problem, full=False, random_state=0)
    assert table.n_rows == size
    assert len(table.X.drop_duplicates()) == size
    assert all(label == str(int(monk_rule(problem, bits_of(row)))) for row, label in rows_of(table))
    noisy = datasets.make_monks(problem, full=False, class_noise=0.05, random_state=0)
    pd.testing.assert_frame_equal(table.X, noisy.X)


@needs_shared
@pytest.mark.parametrize("rule", ["adult-stretch", "yellow-small"])
def test_balloons_are_the_published_files(rule: str) -> None:
    assert rows_of(datasets.make_balloons(rule)) == published(rule)


@pytest.mark.parametrize("rule", ["adult-stretch", "yellow-small"])
def test_balloons_obey_their_rules(rule: str) -> None:
    for (color, size, act, age), label in rows_of(datasets.make_balloons(rule)):
        if rule == "adult-stretch":
            assert (label == "T") == (act == "STRETCH" or age == "ADULT")
        else:
            assert (label == "T") == (color == "YELLOW" and size == "SMALL")


def test_waveform_has_breimans_moments() -> None:
    n = 30000
    table = datasets.make_waveform(n, n_features=40, random_state=2)
    triangles = {p: [max(6 - abs(i - p), 0) for i in range(1, 22)] for p in (7, 11, 15)}
    for label, (p, q) in {"0": (7, 15), "1": (7, 11), "2": (15, 11)}.items():
        part = table.X[table.y == label].to_numpy()
        assert abs(len(part) - n / 3) < 5 * (n * 2 / 9) ** 0.5
        a, b = np.array(triangles[p]), np.array(triangles[q])
        mean = np.concatenate([(a + b) / 2, np.zeros(19)])
        # The mixing share is uniform, of variance 1/12; the noise has variance 1.
        variance = np.concatenate([(a - b) ** 2 / 12 + 1, np.ones(19)])
        assert np.abs((part.mean(axis=0) - mean) / np.sqrt(variance / len(part))).max() < 5
        assert np.abs(part.var(axis=0) / variance - 1).max() < 0.1


@needs_shared
def test_waveform_agrees_with_the_published_sample() -> None:
    rows = published("waveform-5000")
    made = datasets.make_waveform(20000, n_features=40, random_state=0)
    for label in "012":
        real = np.array([row for row, given in rows if given == label], dtype=float)
        ours = made.X[made.y == label].to_numpy()
        error = np.sqrt(real.var(axis=0) / len(real) + ours.var(axis=0) / len(ours))
        assert np.abs((real.mean(axis=0) - ours.mean(axis=0)) / error).max() < 5


def test_declared_values_include_those_that_do_not_occur() -> None:
    table = datasets.make_xd6(1, random_state=0)
    assert all(list(table.X[name].cat.categories) == ["0", "1"] for name in table.X)
    assert list(table.y.cat.categories) == ["0", "1"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: datasets.make_monks(4), "problem must be 1, 2 or 3, got 4"),
        (lambda: datasets.make_balloons("red"), "rule must be 'adult-stretch' or"),
        (lambda: datasets.make_waveform(n_features=30), "n_features must be 21 or 40, got 30"),
        (lambda: datasets.make_parity(21), "Set n_samples"),
        (lambda: datasets.make_multiplexer(7), "address_bits must be a whole number from 1 to 6"),
        (lambda: datasets.make_decision_list(3, literals=4), "literals must be a whole number"),
        (lambda: datasets.make_led_even(irrelevant=-1), "irrelevant must be a whole number"),
        (lambda: datasets.make_led_even(segment_noise=2), "segment_noise must be a number"),
    ],
)
def test_bad_arguments_are_errors(call: Callable[[], Table], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
