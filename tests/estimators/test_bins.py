"""Bins of numbers: the same trees as those of the exact learner on a table of binned values."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weaklearn as wl
from contracts.oracle_table import classifier_of, difference, frame_of, labels_of
from oracles.c45 import Table, grow, prune
from strategies import options as options_of_trees
from strategies import tables as mixed_tables
from weaklearn.encoding import Dataset
from weaklearn.estimators.class_weights import RowWeights

# C4.5 charges a threshold for the cuts that a column has without bins. The binned table does not
# show them, so the charge has a test of its own.
LEARNERS = {
    "c45": lambda **options: wl.C45Classifier(threshold_penalty=False, **options),
    "c45-branch": lambda **options: wl.C45Classifier(
        missing="branch", threshold_penalty=False, **options
    ),
    "topdown": lambda **options: wl.TopDownClassifier(**options),
    "topdown-7": lambda **options: wl.TopDownClassifier(n_rounds=7, min_objects=2, **options),
    "program": lambda **options: wl.BranchingProgramClassifier(merge="budget", **options),
}


def bins_of(numbers, max_bins):
    """Return the value of each bin, slowly: bins of about equal counts, frequent values alone."""
    values, counts = np.unique(numbers[~np.isnan(numbers)] + 0.0, return_counts=True)
    if len(values) <= max_bins:
        return values
    tops, in_bin, remaining = [], 0, counts.sum()
    for i, (value, count) in enumerate(zip(values, counts, strict=True)):
        wanted = remaining / (max_bins - len(tops))
        if in_bin and len(tops) + 1 < max_bins and count >= wanted:
            tops.append(values[i - 1])
            remaining, in_bin = remaining - in_bin, 0
        in_bin += count
        if len(tops) + 1 < max_bins and in_bin >= wanted:
            tops.append(value)
            remaining, in_bin = remaining - in_bin, 0
    return np.array([*tops, values[-1]]) if in_bin else np.array(tops)


def binned(X, max_bins, weights=None):
    """Return the table with the value of its bin in place of each number.

    Rows of weight 0 are left out, as everywhere; their values are not changed.
    """
    result = X.copy()
    present = np.ones(len(X), bool) if weights is None else np.array(weights) > 0
    for column in range(X.shape[1]):
        tops = bins_of(X[present, column], max_bins)
        known = present & ~np.isnan(X[:, column])
        result[known, column] = tops[np.searchsorted(tops, X[known, column])]
    return result


def splits_of(graph):
    """Return the printed splits without the weights of leaves, which bins round a little."""
    return re.sub(r"\([^)]*\)", "", graph.to_text())


@st.composite
def tables(draw):
    n_rows = draw(st.integers(2, 60))
    n_columns = draw(st.integers(1, 3))
    number = st.one_of(
        st.integers(-3, 3).map(float),
        st.floats(-100, 100, width=32).map(lambda x: round(x, 1)),
        st.just(float("nan")),
    )
    cells = draw(
        st.lists(
            st.lists(number, min_size=n_columns, max_size=n_columns),
            min_size=n_rows,
            max_size=n_rows,
        )
    )
    y = draw(st.lists(st.sampled_from("abc"), min_size=n_rows, max_size=n_rows))
    weights = draw(
        st.one_of(
            st.none(),
            st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0]), min_size=n_rows, max_size=n_rows),
        )
    )
    if weights is not None and not any(weights):
        weights = None
    return np.array(cells).astype(np.float32).astype(np.float64), np.array(y), weights


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", LEARNERS)
@given(table=tables(), max_bins=st.integers(2, 12))
@settings(max_examples=40, deadline=None)
def test_bins_are_the_exact_learner_on_binned_values(name, table, max_bins):
    X, y, weights = table
    with_bins = LEARNERS[name](max_bins=max_bins).fit(X, y, weights)
    X_binned = binned(X, max_bins, weights)
    exact = LEARNERS[name]().fit(X_binned, y, weights)
    assert splits_of(with_bins.graph_) == splits_of(exact.graph_)
    predicted = with_bins.predict_proba(X_binned)
    assert np.allclose(predicted, exact.predict_proba(X_binned), rtol=0, atol=1e-12)


def shared_bins(numbers, max_bins):
    """Return how many numbers share a bin with others, and the share of the rows with them."""
    numbers = numbers[~np.isnan(numbers)] + 0.0
    values, counts = np.unique(numbers, return_counts=True)
    if len(values) <= max_bins:
        return 0, 0.0
    bins = np.searchsorted(bins_of(numbers, max_bins), values)
    sharing = np.bincount(bins)[bins] > 1
    return int(sharing.sum()), counts[sharing].sum() / len(numbers)


@pytest.mark.filterwarnings("ignore")
@given(
    table=tables(), max_bins=st.integers(2, 12), options=options_of_trees(), pruned=st.booleans()
)
@settings(max_examples=300, deadline=None)
def test_thresholds_pay_for_the_cuts_that_bins_hide(table, max_bins, options, pruned):
    X, y, weights = table
    model = classifier_of(options, prune=pruned, max_bins=max_bins).fit(X, y, weights)
    present = np.ones(len(y), bool) if weights is None else np.array(weights) > 0
    columns = [
        [None if np.isnan(cell) else cell for cell in column]
        for column in binned(X, max_bins, weights).T
    ]
    n_columns = len(columns)
    of_oracle = Table(
        columns,
        ["continuous"] * n_columns,
        [[]] * n_columns,
        list(model.classes_),
        list(y),
        weights or [],
        names=[f"x{i}" for i in range(n_columns)],
        shared_bins=[shared_bins(column, max_bins) for column in X[present].T],
    )
    tree = grow(of_oracle, options)
    if pruned:
        tree = prune(tree, of_oracle, options)
    text = difference(model.tree_.to_dict(), tree)
    assert text is None, text


ORDERED = LEARNERS | {
    "c45-charged": lambda **options: wl.C45Classifier(**options),
    "c45-subset": lambda **options: wl.C45Classifier(subset=True, **options),
    "c45-costs": lambda **options: wl.C45Classifier(costs={("c0", "c1"): 3.0}, **options),
    "topdown-pruned": lambda **options: wl.TopDownClassifier(prune=True, grouping=True, **options),
    "program-pruned": lambda **options: wl.BranchingProgramClassifier(
        merge="budget", prune=True, **options
    ),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ORDERED)
@given(table=mixed_tables(max_rows=60), max_bins=st.integers(2, 4), data=st.data())
@settings(max_examples=25, deadline=None)
def test_no_order_of_rows_changes_a_bit(name, table, max_bins, data):
    # Rows are shared among branches where values are missing, and their shares are rounded.
    X, y = frame_of(table), labels_of(table)
    # The factors of costs come from class weights that are summed before any are rounded.
    weights = np.array(table.weights) if table.weights and name != "c45-costs" else None
    order = data.draw(st.permutations(range(len(y))))
    model = ORDERED[name](max_bins=max_bins)
    graph = model.fit(X, y, weights).graph_
    again = model.fit(
        X.iloc[order], y.iloc[order], None if weights is None else weights[order]
    ).graph_
    assert graph == again
    assert graph.to_dict() == again.to_dict()


def large_table(n_rows=30_000, n_classes=2, seed=0, missing=0.0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 6)).astype(np.float32).astype(np.float64)
    score = X[:, 0] * X[:, 1] + X[:, 2] + 0.3 * random.normal(size=n_rows)
    y = np.digitize(score, np.quantile(score, np.arange(1, n_classes) / n_classes))
    X[random.random(X.shape) < missing] = np.nan
    return X, y


@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize("missing", [0.0, 0.05])
@pytest.mark.parametrize("weighted", [False, True])
def test_tables_handed_down_change_nothing(n_classes, missing, weighted):
    # Nodes of this table are large enough to hand their tables down; those of parts of it are not.
    X, y = large_table(n_classes=n_classes, missing=missing)
    weights = np.random.default_rng(1).exponential(size=len(y)) if weighted else None
    trees = [
        wl.TopDownClassifier(n_rounds=40, max_bins=100, n_jobs=n_jobs).fit(X, y, weights).tree_
        for n_jobs in (1, 2)
    ]
    assert trees[0] == trees[1]
    order = np.random.default_rng(2).permutation(len(y))
    shuffled = wl.TopDownClassifier(n_rounds=40, max_bins=100).fit(
        X[order], y[order], None if weights is None else weights[order]
    )
    assert shuffled.tree_ == trees[0]
    if not weighted and not missing:
        exact = wl.TopDownClassifier(n_rounds=40).fit(binned(X, 100), y)
        assert exact.tree_.to_text() == trees[0].to_text()


@pytest.mark.parametrize("weighted", [False, True])
def test_splits_of_nodes_whose_tables_were_handed_down_are_the_best(weighted):
    # Every learner with few values hands tables down, so each node is searched again from its rows.
    X, y = large_table()
    weights = np.random.default_rng(1).integers(1, 4, len(y)) * (0.5 if weighted else 0.0) + 1.0
    model = wl.TopDownClassifier("gini", n_rounds=25, max_bins=50).fit(X, y, weights)
    X_binned, graph = binned(X, 50), model.tree_
    reached = np.asarray(model.decision_path(X).todense()) > 0

    def impurity(first, second):
        return 2 * first * second / np.maximum(first + second, 1e-300)

    n_searched = 0
    for node in np.flatnonzero(graph.feature >= 0):
        here = reached[:, node]
        total = np.array([weights[here & (y == k)].sum() for k in (0, 1)])
        least = np.clip(0.1 * total.sum() / 2, 1.0, 25.0)
        drops = {}
        for column in range(X.shape[1]):
            values, codes = np.unique(X_binned[here, column], return_inverse=True)
            low = np.array(
                [np.bincount(codes, weights[here] * (y[here] == k), len(values)) for k in (0, 1)]
            ).cumsum(axis=1)
            high = total[:, None] - low
            allowed = (low.sum(axis=0) >= least) & (high.sum(axis=0) >= least)
            drop = impurity(*total) - impurity(*low) - impurity(*high)
            drops |= {(column, values[i]): drop[i] for i in np.flatnonzero(allowed)}
        chosen = int(graph.feature[node]), graph.threshold[node]
        assert drops[chosen] == pytest.approx(max(drops.values()), rel=1e-9)
        n_searched += 1
    assert n_searched == 25


@pytest.mark.parametrize("weighted", [False, True])
def test_tables_of_a_criterion_of_the_user(weighted):
    # Such a criterion is not a sum over classes, so its search does not count rows.
    X, y = large_table(20_000)
    weights = np.full(len(y), 2.0) if weighted else None

    def gini(shares):
        shares = shares / shares.sum(axis=1, keepdims=True)
        return 4 * shares[:, 0] * shares[:, 1]

    options = {"n_rounds": 20, "max_bins": 60}
    own = wl.TopDownClassifier(gini, **options).fit(X, y, weights)
    known = wl.TopDownClassifier("gini", **options).fit(X, y, weights)
    assert own.tree_.to_text() == known.tree_.to_text()


def test_thresholds_are_values_of_the_table():
    X, y = large_table(5000)
    tree = wl.C45Classifier(max_bins=16).fit(X, y).tree_
    used = tree.threshold[tree.feature >= 0]
    assert len(used)
    assert np.isin(used, X).all()


def test_columns_of_few_values_stay_exact():
    table = wl.datasets.load("iris")
    exact = wl.C45Classifier().fit(table.X, table.y)
    with_bins = wl.C45Classifier(max_bins=60).fit(table.X, table.y)
    assert with_bins.tree_.to_text() == exact.tree_.to_text()


def test_committees_cut_numbers_once_for_all_members():
    X, y = large_table(3000)
    member = wl.TopDownClassifier(n_rounds=10, max_bins=8)
    for committee in (
        wl.AdaBoostM1Classifier(member, n_rounds=3),
        wl.BaggedClassifier(member, n_members=3, random_state=0),
        wl.BoostedForestClassifier(wl.C45Classifier(max_bins=8), n_members=4, random_state=0),
    ):
        committee.fit(X, y)
        thresholds = {
            found
            for tree in committee.members_
            for found in re.findall(r"(x\d) <= (-?[\d.e-]+)", tree.tree_.to_text())
        }
        assert 1 < len(thresholds) <= 6 * 8


@pytest.mark.parametrize("bad", [1, 0, 65536, 2.5, "many"])
def test_a_bad_number_of_bins_is_refused(bad):
    with pytest.raises(ValueError, match="max_bins must be"):
        wl.C45Classifier(max_bins=bad).fit([[1.0], [2.0]], ["a", "b"])


def test_release8_has_no_bins():
    with pytest.raises(ValueError, match="no max_bins"):
        wl.C45Classifier(max_bins=10, arithmetic="release8").fit([[1.0], [2.0]], ["a", "b"])


@pytest.mark.parametrize("max_bins", [None, 30])
@pytest.mark.parametrize("options", [{}, {"min_objects": 200}, {"max_depth": 3}, {"n_rounds": 0}])
@pytest.mark.parametrize("table", ["numbers", "missing", "absent"])
def test_a_member_knows_the_leaves_of_its_rows(max_bins, options, table):
    X, y = large_table(4000, missing=0.1 if table == "missing" else 0.0)
    member = wl.TopDownClassifier(**{"n_rounds": 12, "max_bins": max_bins, **options}).fit(X, y)
    weights = np.random.default_rng(3).exponential(size=len(y))
    weights[:7] = 0.0 if table == "absent" else 1.0
    rows = member._encode(X)
    dataset = Dataset(rows, member.tree_.schema, y.astype(np.int32), max_bins=max_bins)
    leaves = member.fit_member(dataset, RowWeights(weights))
    if table == "numbers":
        assert (leaves == member.apply(X)).all()
    else:
        assert leaves is None
