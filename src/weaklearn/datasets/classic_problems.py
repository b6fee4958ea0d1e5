"""Artificial problems from the literature: LED display, MONK's problems, balloons, waveforms."""

from __future__ import annotations

from itertools import product
from typing import Literal

import numpy as np

from weaklearn.datasets.check_arguments import check_count, check_probability
from weaklearn.datasets.generated_tables import (
    BITS,
    RandomState,
    add_class_noise,
    nominal_table,
)
from weaklearn.optional_packages import require_package
from weaklearn.tables import Table
from weaklearn.tables.build_table import nominal_series

# Rows: the digits 0 to 9. Columns: top, upper left, upper right, middle, lower left, lower right,
# bottom.
_SEGMENTS = np.array(
    [[int(lamp) for lamp in digit] for digit in (
        *("1110111", "0010010", "1011101", "1011011", "0111010"),
        *("1101011", "1101111", "1010010", "1111111", "1111011"),
    )]
)  # fmt: skip

_MONKS_VALUES = (3, 3, 2, 3, 4, 2)
_MONKS_TRAINING_ROWS = {1: 124, 2: 169, 3: 122}

_BALLOONS = (
    ("color", ("YELLOW", "PURPLE")),
    ("size", ("SMALL", "LARGE")),
    ("act", ("STRETCH", "DIP")),
    ("age", ("ADULT", "CHILD")),
)

# Breiman's three triangles: height 6 at the peak, 0 six steps away.
_PEAKS = (7, 15, 11)
_PAIRS = ((0, 1), (0, 2), (1, 2))


def make_led_even(
    n_samples: int = 500,
    *,
    segment_noise: float = 0.1,
    irrelevant: int = 0,
    class_noise: float = 0.0,
    random_state: RandomState = None,
) -> Table:
    """Draw digits of a faulty seven-segment display; the class is whether the digit is even.

    A digit from 0 to 9 is drawn, all equally likely; each of its seven lamps ``s1 ... s7`` (top,
    upper left, upper right, middle, lower left, lower right, bottom) is shown inverted with
    probability ``segment_noise``; irrelevant fair bits ``i1, i2, ...`` may follow. The
    display is from L. Breiman, J. Friedman, R. Olshen and C. Stone, "Classification and
    Regression Trees" (1984); "LED-even+17" of C. Henry, R. Nock and F. Nielsen (2007) is
    ``irrelevant=17``.

    Parameters
    ----------
    n_samples : int, default=500
        The number of rows to draw.
    segment_noise : float, default=0.1
        The probability that a lamp shows the opposite of what it should.
    irrelevant : int, default=0
        The number of irrelevant bits to add.
    class_noise : float, default=0.0
        The probability that a row's class is the wrong one.
    random_state : int, numpy.random.Generator or None
        The seed; the same seed gives the same table.

    Returns
    -------
    Table
        With ``7 + irrelevant`` nominal features, and the classes "odd" and "even".

    Examples
    --------
    >>> from weaklearn.datasets import make_led_even
    >>> make_led_even(300, irrelevant=17, random_state=0).X.shape
    (300, 24)
    """
    check_count("n_samples", n_samples)
    check_count("irrelevant", irrelevant, minimum=0)
    check_probability("segment_noise", segment_noise)
    rng = np.random.default_rng(random_state)
    digits = rng.integers(0, 10, size=n_samples)
    faults = rng.random((n_samples, 7)) < segment_noise
    lamps = _SEGMENTS[digits] ^ faults
    rows = np.hstack([lamps, rng.integers(0, 2, size=(n_samples, irrelevant))])
    even = add_class_noise(1 - digits % 2, 2, class_noise, rng)
    names = [f"s{i}" for i in range(1, 8)] + [f"i{i}" for i in range(1, irrelevant + 1)]
    return nominal_table(
        f"led-even+{irrelevant}" if irrelevant else "led-even",
        [(name, BITS) for name in names],
        rows,
        even,
        ("odd", "even"),
        f"lamps inverted with probability {segment_noise:g}, class noise {class_noise:g}",
    )


def make_monks(
    problem: Literal[1, 2, 3] = 1,
    *,
    full: bool = True,
    class_noise: float = 0.0,
    random_state: RandomState = None,
) -> Table:
    """Return one of the three MONK's problems.

    Six features ``a1 ... a6`` with 3, 3, 2, 3, 4 and 2 values, named from "1" up; 432 possible
    rows. The class is 1 exactly when

    1. ``a1 = a2 or a5 = 1``;
    2. exactly two of the six features are 1;
    3. ``(a5 = 3 and a4 = 1) or (a5 != 4 and a2 != 3)``.

    From S. Thrun and 23 others, "The MONK's problems: a performance comparison of different
    learning algorithms", CMU-CS-91-197 (1991). The published training set of the third problem
    has 5% wrong classes; ``make_monks(3, full=False, class_noise=0.05)`` draws a similar one.

    Parameters
    ----------
    problem : {1, 2, 3}, default=1
        Which rule.
    full : bool, default=True
        True gives all 432 rows in order, which is the published test set; False draws as many
        different rows as the published training set has (124, 169 or 122), in order.
    class_noise : float, default=0.0
        The probability that a row's class is the wrong one.
    random_state : int, numpy.random.Generator or None
        The seed; the same seed gives the same table.

    Returns
    -------
    Table
        With six nominal features and the classes "0" and "1".

    Examples
    --------
    >>> from weaklearn.datasets import make_monks
    >>> make_monks(2).y.value_counts().to_dict()
    {'0': 290, '1': 142}
    """
    if problem not in _MONKS_TRAINING_ROWS:
        raise ValueError(f"problem must be 1, 2 or 3, got {problem!r}")
    rng = np.random.default_rng(random_state)
    rows = np.array(list(product(*(range(1, count + 1) for count in _MONKS_VALUES))))
    if not full:
        chosen = rng.choice(len(rows), size=_MONKS_TRAINING_ROWS[problem], replace=False)
        rows = rows[np.sort(chosen)]
    a1, a2, _, a4, a5, _ = rows.T
    if problem == 1:
        truth = (a1 == a2) | (a5 == 1)
    elif problem == 2:
        truth = (rows == 1).sum(axis=1) == 2
    else:
        truth = ((a5 == 3) & (a4 == 1)) | ((a5 != 4) & (a2 != 3))
    classes = add_class_noise(truth.astype(np.int64), 2, class_noise, rng)
    features = [
        (f"a{i}", [str(value) for value in range(1, count + 1)])
        for i, count in enumerate(_MONKS_VALUES, start=1)
    ]
    note = f"class noise {class_noise:g}"
    return nominal_table(f"monks-{problem}", features, rows - 1, classes, BITS, note)


def make_balloons(rule: Literal["adult-stretch", "yellow-small"] = "adult-stretch") -> Table:
    """Return one of two balloons tables of 20 rows; the class is whether the balloon inflates.

    The features color, size, act and age have two values each. With "adult-stretch" a balloon
    inflates (T) if the act is STRETCH or the age is ADULT; with "yellow-small", if it is YELLOW
    and SMALL. Each of the 16 possible rows is there, and four of them occur twice: those with DIP
    and CHILD for the first rule, the yellow small ones for the second. So T and F have 12 and 8
    rows for the first rule, 8 and 12 for the second. From M. Pazzani, "The influence of prior
    knowledge on concept acquisition" (J. Exp. Psych.: LMC 17, 1991). The rows are those of the
    published files, in their order.

    Parameters
    ----------
    rule : {"adult-stretch", "yellow-small"}, default="adult-stretch"
        Which rule.

    Returns
    -------
    Table
        With four nominal features and the classes "T" and "F".

    Examples
    --------
    >>> from weaklearn.datasets import make_balloons
    >>> make_balloons("yellow-small").y.value_counts().to_dict()
    {'F': 12, 'T': 8}
    """
    combinations = list(product((0, 1), repeat=4))
    if rule == "adult-stretch":
        codes = [row for row in combinations for _ in range(2 if row[2:] == (1, 1) else 1)]
    elif rule == "yellow-small":
        codes = combinations[:4] + combinations
    else:
        raise ValueError(f"rule must be 'adult-stretch' or 'yellow-small', got {rule!r}")
    rows = np.array(codes)
    color, size, act, age = rows.T
    inflates = (act == 0) | (age == 0) if rule == "adult-stretch" else (color == 0) & (size == 0)
    # Code 0 is the first value of each feature, and class index 0 is T.
    return nominal_table(rule, _BALLOONS, rows, 1 - inflates.astype(np.int64), ("T", "F"))


def make_waveform(
    n_samples: int = 5000,
    *,
    n_features: Literal[21, 40] = 21,
    class_noise: float = 0.0,
    random_state: RandomState = None,
) -> Table:
    """Draw waveforms: each is a random mix of two of three triangles, with noise on every point.

    The triangles are ``h_p(i) = max(6 - |i - p|, 0)`` at ``i = 1 ... 21``, with their peaks at
    ``p`` = 7, 15 and 11. Class 0 mixes the triangles at 7 and 15, class 1 those at 7 and 11,
    class 2 those at 15 and 11; the classes are equally likely. A row is
    ``u h_p + (1 - u) h_q + e``, with ``u`` uniform on [0, 1] and each ``e_i`` standard normal. With
    40 features, the last 19 are standard normal noise. The Bayes error is about 14%. From
    L. Breiman, J. Friedman, R. Olshen and C. Stone, "Classification and Regression Trees" (1984).

    Parameters
    ----------
    n_samples : int, default=5000
        The number of rows to draw.
    n_features : {21, 40}, default=21
        Without or with the 19 irrelevant features.
    class_noise : float, default=0.0
        The probability that a row's class is a wrong one.
    random_state : int, numpy.random.Generator or None
        The seed; the same seed gives the same table.

    Returns
    -------
    Table
        With continuous features ``x1, x2, ...`` and the classes "0", "1" and "2".

    Examples
    --------
    >>> from weaklearn.datasets import make_waveform
    >>> make_waveform(300, n_features=40, random_state=0).X.shape
    (300, 40)
    """
    require_package("pandas", "tables", "a table")
    import pandas as pd

    check_count("n_samples", n_samples)
    if n_features not in (21, 40):
        raise ValueError(f"n_features must be 21 or 40, got {n_features!r}")
    rng = np.random.default_rng(random_state)
    points = np.arange(1, 22)
    triangles = np.array([np.maximum(6 - np.abs(points - peak), 0) for peak in _PEAKS])
    classes = rng.integers(0, 3, size=n_samples)
    first, second = np.array(_PAIRS)[classes].T
    mix = rng.random((n_samples, 1))
    values = rng.standard_normal((n_samples, n_features))
    values[:, :21] += mix * triangles[first] + (1 - mix) * triangles[second]
    labels = add_class_noise(classes, 3, class_noise, rng)
    names = [f"x{i}" for i in range(1, n_features + 1)]
    return Table(
        name=f"waveform-{n_features}",
        X=pd.DataFrame(values, columns=names),
        y=nominal_series("class", labels, ("0", "1", "2")),
        notes=(f"class noise {class_noise:g}",),
    )
