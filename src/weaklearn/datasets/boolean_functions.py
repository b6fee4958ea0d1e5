"""Boolean functions as tables: bits ``x1, x2, ...`` and a class, all of them "0" or "1".

Noise changes classes only, and is drawn after the features: the same seed with another
``class_noise`` gives the same features.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.datasets.check_arguments import check_count, check_probability
from weaklearn.datasets.generated_tables import (
    Codes,
    RandomState,
    add_class_noise,
    boolean_table,
    make_bits,
)
from weaklearn.tables import Table


def make_xd6(
    n_samples: int = 500, *, class_noise: float = 0.0, random_state: RandomState = None
) -> Table:
    """Draw rows of XD6: a disjunction of three conjunctions, and one irrelevant bit.

    Ten fair bits; the class is 1 exactly when ``x1 x2 x3 or x4 x5 x6 or x7 x8 x9``; ``x10`` is
    irrelevant. The problem is from W. Buntine and T. Niblett, "A further comparison of splitting
    rules for decision-tree induction", Machine Learning 8 (1992), and is used with class noise.

    Parameters
    ----------
    n_samples : int, default=500
        The number of rows to draw.
    class_noise : float, default=0.0
        The probability that a row's class is the wrong one.
    random_state : int, numpy.random.Generator or None
        The seed; the same seed gives the same table.

    Returns
    -------
    Table
        With ten nominal features.

    Examples
    --------
    >>> from weaklearn.datasets import make_xd6
    >>> make_xd6(200, class_noise=0.1, random_state=0)
    Table 'xd6': 200 rows, 0 continuous + 10 nominal features, target 'class' with 2 classes
    """
    rng = np.random.default_rng(random_state)
    check_count("n_samples", n_samples)
    rows = make_bits(10, n_samples, rng)
    return _make_table("xd6", rows, _xd6(rows), class_noise, rng, "x1x2x3 or x4x5x6 or x7x8x9")


def xd6_margins(X: Any, y: Any, class_noise: float) -> NDArray[np.float64]:
    """Return the margin of each row of XD6 under the model that the rows were drawn from.

    The margin is ``y (Pr[+ | x] - Pr[- | x])``, with ``y`` = 1 for class 1 and -1 for class 0. It
    equals ``tanh(y H(x) / 2)`` for the logistic output ``H(x) = log(Pr[+ | x] / Pr[- | x])``. It is
    ``1 - 2 class_noise`` if the row's class obeys the rule, and the negative of that if noise
    changed the class. A learner that knew the distribution would have these margins.

    Parameters
    ----------
    X, y : frame and Series
        Rows drawn by `make_xd6` and their classes.
    class_noise : float
        The noise that they were drawn with.

    Returns
    -------
    array of float64
        One margin per row.

    Examples
    --------
    >>> from weaklearn.datasets import make_xd6, xd6_margins
    >>> table = make_xd6(200, class_noise=0.25, random_state=0)
    >>> sorted(set(xd6_margins(table.X, table.y, 0.25).tolist()))
    [-0.5, 0.5]
    """
    check_probability("class_noise", class_noise)
    obeys = _xd6(np.asarray(X).astype(np.int64)) == (np.asarray(y) == "1")
    return np.where(obeys, 1.0, -1.0) * (1.0 - 2.0 * class_noise)


def _xd6(rows: Codes) -> NDArray[np.bool_]:
    products = rows[:, [0, 3, 6]] * rows[:, [1, 4, 7]] * rows[:, [2, 5, 8]]
    return np.asarray(products.sum(axis=1) > 0)


def make_parity(
    n_bits: int = 5,
    n_samples: int | None = None,
    *,
    class_noise: float = 0.0,
    random_state: RandomState = None,
) -> Table:
    """Return the parity of all bits: the class is 1 exactly when an odd number of them is 1.

    The class is independent of every single bit, so every greedy split looks worthless. It is the
    case in which the weak learning assumption of M. Kearns and Y. Mansour, "On the boosting
    ability of top-down decision tree learning algorithms" (STOC 1996), fails for splits on single
    features.

    Parameters
    ----------
    n_bits : int, default=5
        The number of bits.
    n_samples : int or None
        The number of rows to draw; None: each of the ``2 ** n_bits`` rows once.
    class_noise : float, default=0.0
        The probability that a row's class is the wrong one.
    random_state : int, numpy.random.Generator or None
        The seed; the same seed gives the same table.

    Returns
    -------
    Table
        With ``n_bits`` nominal features.

    Examples
    --------
    >>> from weaklearn.datasets import make_parity
    >>> make_parity(2).y.tolist()
    ['0', '1', '1', '0']
    """
    check_count("n_bits", n_bits)
    rng = np.random.default_rng(random_state)
    rows = make_bits(n_bits, n_samples, rng)
    odd = rows.sum(axis=1) % 2
    return _make_table(f"parity-{n_bits}", rows, odd, class_noise, rng, f"parity of {n_bits} bits")


def make_xor(
    n_relevant: int = 2,
    n_irrelevant: int = 8,
    n_samples: int | None = 500,
    *,
    class_noise: float = 0.0,
    random_state: RandomState = None,
) -> Table:
    """Return the exclusive or of the first bits; the other bits are irrelevant.

    The class is 1 exactly when an odd number of ``x1 ... x(n_relevant)`` is 1. With two relevant
    bits this is the exclusive or that M. Minsky and S. Papert, "Perceptrons" (1969), showed to be
    beyond a linear threshold function; the irrelevant bits hide it from a greedy learner.

    Parameters
    ----------
    n_relevant : int, default=2
        The number of bits that the class depends on; they come first.
    n_irrelevant : int, default=8
        The number of irrelevant bits.
    n_samples : int or None, default=500
        The number of rows to draw; None: each possible row once.
    class_noise : float, default=0.0
        The probability that a row's class is the wrong one.
    random_state : int, numpy.random.Generator or None
        The seed; the same seed gives the same table.

    Returns
    -------
    Table
        With ``n_relevant + n_irrelevant`` nominal features.

    Examples
    --------
    >>> from weaklearn.datasets import make_xor
    >>> make_xor(2, 1, n_samples=None).y.tolist()
    ['0', '0', '1', '1', '1', '1', '0', '0']
    """
    check_count("n_relevant", n_relevant)
    check_count("n_irrelevant", n_irrelevant, minimum=0)
    rng = np.random.default_rng(random_state)
    rows = make_bits(n_relevant + n_irrelevant, n_samples, rng)
    odd = rows[:, :n_relevant].sum(axis=1) % 2
    rule = f"exclusive or of x1 to x{n_relevant}"
    return _make_table(f"xor-{n_relevant}", rows, odd, class_noise, rng, rule)


def make_majority(
    n_bits: int = 7,
    n_samples: int | None = None,
    *,
    class_noise: float = 0.0,
    random_state: RandomState = None,
) -> Table:
    """Return the majority of the bits: the class is 1 exactly when more than half of them are 1.

    A tie, which is possible with an even number of bits, is class 0. A vote of single bits with
    equal weights is exact, but a tree needs a size that is exponential in ``n_bits``. This is a
    threshold function in the sense of N. Littlestone, "Learning quickly when irrelevant
    features abound", Machine Learning 2 (1988).

    Parameters
    ----------
    n_bits : int, default=7
        The number of bits.
    n_samples : int or None
        The number of rows to draw; None: each of the ``2 ** n_bits`` rows once.
    class_noise : float, default=0.0
        The probability that a row's class is the wrong one.
    random_state : int, numpy.random.Generator or None
        The seed; the same seed gives the same table.

    Returns
    -------
    Table
        With ``n_bits`` nominal features.

    Examples
    --------
    >>> from weaklearn.datasets import make_majority
    >>> make_majority(3).y.tolist()
    ['0', '0', '0', '1', '0', '1', '1', '1']
    """
    check_count("n_bits", n_bits)
    rng = np.random.default_rng(random_state)
    rows = make_bits(n_bits, n_samples, rng)
    most = 2 * rows.sum(axis=1) > n_bits
    return _make_table(
        f"majority-{n_bits}", rows, most, class_noise, rng, f"majority of {n_bits} bits"
    )


def make_multiplexer(
    address_bits: int = 2,
    n_samples: int | None = None,
    *,
    class_noise: float = 0.0,
    random_state: RandomState = None,
) -> Table:
    """Return the multiplexer: some bits are the address of the bit that is the class.

    The first ``address_bits`` bits are a binary number, with ``x1`` as the most significant bit.
    It is the index, from 0, of the class among the ``2 ** address_bits`` bits that follow. Used
    for decision trees by J. R. Quinlan, "An empirical comparison of genetic and decision-tree
    classifiers" (ICML 1988).

    Parameters
    ----------
    address_bits : int, default=2
        The number of bits of the address, from 1 to 6: 2 is the 6-bit problem, 3 the 11-bit one.
    n_samples : int or None
        The number of rows to draw; None: each possible row once.
    class_noise : float, default=0.0
        The probability that a row's class is the wrong one.
    random_state : int, numpy.random.Generator or None
        The seed; the same seed gives the same table.

    Returns
    -------
    Table
        With ``address_bits + 2 ** address_bits`` nominal features.

    Examples
    --------
    >>> from weaklearn.datasets import make_multiplexer
    >>> make_multiplexer(1).y.tolist()
    ['0', '0', '1', '1', '0', '1', '0', '1']
    """
    check_count("address_bits", address_bits, maximum=6)
    n_bits = address_bits + 2**address_bits
    rng = np.random.default_rng(random_state)
    rows = make_bits(n_bits, n_samples, rng)
    address = rows[:, :address_bits] @ (1 << np.arange(address_bits - 1, -1, -1))
    chosen = rows[np.arange(len(rows)), address_bits + address]
    rule = f"of the last {2**address_bits} bits, the one that the first {address_bits} address"
    return _make_table(f"multiplexer-{n_bits}", rows, chosen, class_noise, rng, rule)


def make_decision_list(
    n_bits: int = 10,
    n_rules: int = 8,
    literals: int = 2,
    n_samples: int | None = 500,
    *,
    class_noise: float = 0.0,
    random_state: RandomState = None,
) -> Table:
    """Draw a random decision list, and rows that it classifies.

    The list has ``n_rules`` rules "if these literals hold, this class", applied in order, and a
    default class. Each rule compares ``literals`` different bits, drawn at random, with values
    drawn by a fair coin, and its class is drawn by a fair coin. The default is the opposite of
    the last rule's class, because otherwise the last rule would have no effect. Decision lists
    are from R. Rivest, "Learning decision lists", Machine Learning 2 (1987).

    Parameters
    ----------
    n_bits : int, default=10
        The number of bits.
    n_rules : int, default=8
        The number of rules before the default.
    literals : int, default=2
        The number of bits that each rule compares.
    n_samples : int or None, default=500
        The number of rows to draw; None: each possible row once.
    class_noise : float, default=0.0
        The probability that a row's class is the wrong one.
    random_state : int, numpy.random.Generator or None
        The seed of the list and of the rows; the same seed gives the same table.

    Returns
    -------
    Table
        With ``n_bits`` nominal features; its ``notes`` are the rules, one note per rule.

    Examples
    --------
    >>> from weaklearn.datasets import make_decision_list
    >>> table = make_decision_list(n_bits=4, n_rules=2, random_state=1)
    >>> table.notes[-1]
    'otherwise 1'
    """
    check_count("n_bits", n_bits)
    check_count("n_rules", n_rules)
    check_count("literals", literals, maximum=n_bits)
    rng = np.random.default_rng(random_state)
    rules = []
    for _ in range(n_rules):
        positions = np.sort(rng.choice(n_bits, size=literals, replace=False))
        rules.append((positions, rng.integers(0, 2, size=literals), int(rng.integers(0, 2))))
    default = 1 - rules[-1][2]
    rows = make_bits(n_bits, n_samples, rng)
    classes = np.full(len(rows), default, dtype=np.int64)
    # The rules are applied from the last to the first, so the first rule that holds decides.
    for positions, values, label in reversed(rules):
        classes[(rows[:, positions] == values).all(axis=1)] = label
    classes = add_class_noise(classes, 2, class_noise, rng)
    notes = [
        "if "
        + " and ".join(f"x{bit + 1}={value}" for bit, value in zip(positions, values, strict=True))
        + f" then {label}"
        for positions, values, label in rules
    ]
    return boolean_table("decision-list", rows, classes, *notes, f"otherwise {default}")


def _make_table(
    name: str,
    rows: Codes,
    truth: NDArray[np.bool_] | Codes,
    class_noise: float,
    rng: np.random.Generator,
    rule: str,
) -> Table:
    classes = add_class_noise(truth.astype(np.int64), 2, class_noise, rng)
    noise = f", {class_noise:.0%} class noise" if class_noise else ""
    return boolean_table(name, rows, classes, f"class 1: {rule}{noise}")
