"""The rule of agreement, checked against its description."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from weaklearn.experiments import Estimate
from weaklearn.experiments.agreement_with_paper import check_agreement

means, errors = st.floats(0, 100), st.floats(0, 10)


@given(mean=means, error=errors, n=st.integers(2, 200), paper=means, digits=st.integers(0, 3))
def test_the_interval_follows_the_rule(
    mean: float, error: float, n: int, paper: float, digits: int
) -> None:
    agreement = check_agreement(Estimate(mean, error), n, paper, digits)
    half = stats.t(n - 1).ppf(0.975) * math.sqrt(error**2 + error**2) + 0.5 / 10**digits
    assert agreement.low == pytest.approx(mean - half)
    assert agreement.high == pytest.approx(mean + half)
    assert agreement.difference == mean - paper
    if abs(abs(mean - paper) - half) > 1e-6:
        inside = agreement.low < paper < agreement.high
        reach = (agreement.high - agreement.low - 10.0**-digits) / 2
        narrow = reach <= 0.25 * max(abs(mean), abs(paper))
        assert agreement.verdict == (
            "differs" if not inside else "agrees" if narrow else "too noisy"
        )


@given(mean=means, error=errors, n=st.integers(2, 200), shift=st.floats(-50, 50))
def test_it_does_not_matter_on_which_side_the_paper_is(
    mean: float, error: float, n: int, shift: float
) -> None:
    above = check_agreement(Estimate(mean, error), n, mean + shift, 2)
    below = check_agreement(Estimate(mean, error), n, mean - shift, 2)
    assert (above.verdict == "differs") == (below.verdict == "differs")


@pytest.mark.parametrize(
    ("paper", "verdict"), [(5.05, "agrees"), (4.95, "agrees"), (5.06, "differs")]
)
def test_without_deviation_only_rounding_is_allowed_for(paper: float, verdict: str) -> None:
    assert check_agreement(Estimate(5.0, 0.0), 10, paper, digits=1).verdict == verdict


def test_one_trial_has_no_interval_and_no_verdict() -> None:
    agreement = check_agreement(Estimate(5.0, math.nan), 1, 5.0, 2)
    assert agreement.verdict == "too noisy"
    assert math.isnan(agreement.low)
    assert agreement.difference == 0
