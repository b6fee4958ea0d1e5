"""Dates as texts: which texts are dates, in which order, and how they are printed."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weaklearn.tables.dates import DateForm, find_form, parse_date

moments = st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30)).map(
    lambda moment: moment.replace(microsecond=0)
)


def seconds(moment: datetime) -> float:
    return (moment.replace(tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()


@pytest.mark.parametrize(
    "text",
    [
        "2001-02-03",
        "2001/2/3",
        "2001.02.03",
        "3 Feb 2001",
        "03-February-2001",
        "Feb 3, 2001",
        "Sat, 3 Feb 2001",
        "saturday 3 feb 2001",
        " 2001-02-03 ",
    ],
)
def test_forms_that_need_no_order(text):
    form = find_form([text])
    assert form == DateForm("year first", "day")
    assert parse_date(text, form.order) == seconds(datetime(2001, 2, 3))


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2001-02-03 04:05", datetime(2001, 2, 3, 4, 5)),
        ("2001-02-03T04:05:06", datetime(2001, 2, 3, 4, 5, 6)),
        ("2001-02-03 4:05:06.5", datetime(2001, 2, 3, 4, 5, 6, 500000)),
        ("2001-02-03 12:05 AM", datetime(2001, 2, 3, 0, 5)),
        ("2001-02-03 1:05pm", datetime(2001, 2, 3, 13, 5)),
        ("2001-02-03T04:05Z", datetime(2001, 2, 3, 4, 5)),
        ("2001-02-03 04:05 UTC", datetime(2001, 2, 3, 4, 5)),
        ("2001-02-03T04:05+01:30", datetime(2001, 2, 3, 2, 35)),
        ("2001-02-03T04:05-0130", datetime(2001, 2, 3, 5, 35)),
        ("2001-02-03T04:05+01", datetime(2001, 2, 3, 3, 5)),
    ],
)
def test_times_and_zones(text, moment):
    assert parse_date(text, "year first") == seconds(moment)


@pytest.mark.parametrize(
    "text",
    ["", "soon", "2001-13-01", "2001-02-30", "20010203", "01/02/03", "2001-02", "12:30", "2001-2/3",
     "2001-02-03 25:00", "2001-02-03 13:00 PM", "1.2.3", "1-2-2001x", "٢٠٠١-٠٢-٠٣"],
)  # fmt: skip
def test_what_is_not_a_date(text):
    assert find_form([text]) is None
    assert math.isnan(parse_date(text, "year first"))


@pytest.mark.parametrize(
    ("texts", "order"),
    [
        (["01/02/2020", "31/01/2020"], "day first"),
        (["01/02/2020", "01/31/2020"], "month first"),
        (["01-02-2020"], "month first, assumed"),
        (["01.02.2020"], "day first"),
        (["05/05/2020"], "day first"),
        (["2020-01-31", "01/02/2020", "31/01/2020"], "day first"),
    ],
)
def test_the_values_of_the_column_decide_the_order(texts, order):
    assert find_form(texts).order == order


def test_a_column_that_fits_no_order_is_not_a_column_of_dates():
    assert find_form(["31/01/2020", "01/31/2020"]) is None


@given(st.lists(moments, min_size=1), st.sampled_from(["%d/%m/%Y", "%m/%d/%Y"]))
def test_a_wrong_order_is_never_chosen(dates, pattern):
    """The chosen order reads every date back, unless the column fits both orders."""
    texts = [date.strftime(pattern.replace("%Y", "{}")).format(f"{date.year:04}") for date in dates]
    form = find_form(texts)
    assert form is not None
    if form.order != "month first, assumed":
        midnight = [date.replace(hour=0, minute=0, second=0) for date in dates]
        assert [parse_date(text, form.order) for text in texts] == list(map(seconds, midnight))
    else:
        assert all(date.day <= 12 for date in dates)


@given(moments)
def test_printed_dates_are_read_back(moment):
    text = DateForm(unit="second").to_text(seconds(moment))
    assert parse_date(text, "year first") == seconds(moment)


@given(moments, st.integers(0, 86399), st.integers(-3, 3))
def test_a_day_is_up_to_a_threshold_iff_it_is_up_to_the_shown_date(moment, offset, days):
    day = moment.replace(hour=0, minute=0, second=0)
    threshold = seconds(day) + offset
    other = seconds(day) + 86400 * days
    shown = parse_date(DateForm(unit="day").to_text(threshold), "year first")
    assert (other <= threshold) == (other <= shown)


def test_the_unit_shows_every_value():
    start = datetime(2020, 1, 1)
    for step, unit in (
        (timedelta(days=1), "day"),
        (timedelta(minutes=5), "minute"),
        (timedelta(seconds=7), "second"),
        (timedelta(milliseconds=250), "microsecond"),
    ):
        texts = [str(start + k * step) for k in range(5)]
        form = find_form(texts)
        assert form.unit == unit
        shown = [form.to_text(seconds(start + k * step)) for k in range(5)]
        assert len(set(shown)) == 5


def test_dates_with_a_zone_are_shown_in_utc():
    form = find_form(["2020-01-01T01:00+01:00"])
    assert form == DateForm("year first", "day", has_zone=True)
    assert form.to_text(seconds(datetime(2020, 1, 1))) == "2020-01-01Z"


def test_a_form_is_plain_data_and_back():
    form = DateForm("day first", "minute", True)
    assert DateForm.from_dict(form.to_dict(), "date") == form
    for bad in (None, {}, {**form.to_dict(), "unit": "week"}, {**form.to_dict(), "has_zone": 1}):
        with pytest.raises(ValueError, match="expected order, unit and has_zone"):
            DateForm.from_dict(bad, "date")


def test_large_and_small_thresholds_print():
    assert DateForm(unit="day").to_text(-86400.0 * 366) == "1968-12-31"
    assert np.datetime64(DateForm(unit="microsecond").to_text(0.25)) == np.datetime64(250, "ms")
