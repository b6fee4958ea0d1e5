"""The best binary test of a node: a threshold, or a grouping of nominal values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .c45_grow import threshold_split
from .c45_table import EPS, TIE, Item, Node, Table, class_counts, more, weight_of
from .c45_table import Options as C45Options
from .c45_value import UNUSABLE, Split, gain_of
from .program_table import Options

IMPROVING = 0.0  # a test must gain more than this
ANY = -EPS  # a test that gains nothing will do


def best_test(table: Table, options: Options, items: list[Item], least: float) -> Node | None:
    """The test of greatest gain above `least`; of equals the lowest attribute, the lowest cut.

    The gain is C4.5's: the impurity removed on the rows whose value is known, times their share.
    """
    criterion = "gain" if options.criterion == "entropy" else options.criterion
    rules = C45Options(criterion, options.min_objects, threshold_penalty=False)
    best, chosen = least, None
    for index, kind in enumerate(table.kinds):
        find = threshold_split if kind == "continuous" else grouping_split
        split = find(table, rules, items, index, least)
        if more(split.gain, best):
            best, chosen = split.gain, split.test
    return chosen


def grouping_split(
    table: Table, rules: C45Options, items: list[Item], index: int, least: float
) -> Split:
    """The best division into two groups of the values that occur here.

    Values that do not occur belong to neither group. The first group is that of the first value
    that occurs; both list their values as declared.
    """
    column = table.columns[index]
    counts = {
        value: class_counts(table, here)
        for value in table.values[index]
        if (here := [item for item in items if column[item[0]] == value])
    }
    unknown = weight_of([item for item in items if column[item[0]] is None])
    known = [sum(by_class) for by_class in zip(*counts.values(), strict=True)]
    best, chosen = least, None
    for cut in _cuts(counts):
        sides = [[counts[v] for v in counts if (v in cut) == inside] for inside in (True, False)]
        branches = [[sum(by_class) for by_class in zip(*side, strict=True)] for side in sides]
        gain = gain_of(branches, known, unknown, rules.min_objects, rules)
        if more(gain, best):
            best, chosen = gain, cut
    if chosen is None:
        return UNUSABLE
    first = next(iter(counts)) in chosen
    groups = [[v for v in counts if (v in chosen) == inside] for inside in (first, not first)]
    name = table.names[index]
    return Split(best, 0.0, {"attr": name, "index": index, "test": "subset", "subsets": groups})


def _cuts(counts: dict[str, list[float]]) -> Iterator[list[str]]:
    """The values up to each cut, in the order of their share of a class, for each class in turn.

    For two classes the order by the first is enough, and the best of these groupings is the best of
    all (Breiman et al. 1984, theorem 4.5). For more it is a heuristic.
    """
    n_classes = len(next(iter(counts.values()), []))
    for k in range(1 if n_classes == 2 else n_classes):
        ordered = _by_share({value: c[k] / sum(c) for value, c in counts.items()})
        for end in range(1, len(ordered)):
            yield ordered[:end]


def _by_share(shares: dict[str, float]) -> list[str]:
    """Ascending; a run of values whose shares are equal but for noise keeps the declared order."""
    declared = list(shares)
    runs: list[list[str]] = []
    for value in sorted(declared, key=lambda value: shares[value]):
        if runs and shares[value] - shares[runs[-1][-1]] <= TIE:
            runs[-1].append(value)
        else:
            runs.append([value])
    return [value for run in runs for value in sorted(run, key=declared.index)]


def advantage(branches: Sequence[Sequence[float]]) -> float:
    """Of a split of two classes: 1/4 the difference of where the classes go (spec, section 4)."""
    first, second = (sum(branch[k] for branch in branches) for k in (0, 1))
    return sum(abs(branch[0] / first - branch[1] / second) for branch in branches) / 4
