"""Dates, ignored columns and declared missing values, through fit, predict, save and load."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl
from weaklearn.schema import Feature, Schema

pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

CLASSIFIERS = [
    wl.C45Classifier,
    wl.TopDownClassifier,
    wl.StumpClassifier,
    wl.BranchingProgramClassifier,
    wl.AdaBoostM1Classifier,
    wl.BaggedClassifier,
    wl.RealAdaBoostClassifier,
    wl.BoostODTClassifier,
    wl.OC1Classifier,
    wl.SADTClassifier,
]
rng = np.random.default_rng(3)
DAYS = pd.Series(pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 800, 120), "D"))
DAYS[7] = pd.NaT
LAST_EARLY = DAYS[DAYS <= "2021-02-03"].max()
LATE = np.where(DAYS > LAST_EARLY, "late", "early")
TEXTS = DAYS.dt.strftime("%d/%m/%Y")
OBJECTS = [None if pd.isna(day) else day.date() for day in DAYS]

DATES = {
    "pandas": pd.DataFrame({"day": DAYS}),
    "pandas with a zone": pd.DataFrame({"day": DAYS.dt.tz_localize("UTC")}),
    "pandas nanoseconds": pd.DataFrame({"day": DAYS.astype("datetime64[ns]")}),
    "pandas objects": pd.DataFrame({"day": pd.Series(OBJECTS, dtype=object)}),
    "texts, day first": pd.DataFrame({"day": TEXTS}),
    "ISO texts": pd.DataFrame({"day": DAYS.dt.strftime("%Y-%m-%d")}),
    "polars texts": pl.DataFrame({"day": DAYS.dt.strftime("%Y-%m-%d").replace(np.nan, None)}),
    "polars Date": pl.DataFrame({"day": OBJECTS}),
    "polars Datetime": pl.DataFrame({"day": OBJECTS}).cast(pl.Datetime("ms")),
    "arrow date": pa.table({"day": pa.array(OBJECTS)}),
    "arrow timestamp": pa.table({"day": pa.array(OBJECTS).cast(pa.timestamp("s"))}),
}


@pytest.mark.parametrize("X", DATES.values(), ids=DATES)
def test_every_kind_of_date_gives_the_same_tree(X):
    tree = wl.C45Classifier().fit(X, LATE).tree_
    text = tree.to_text().replace("Z :", " :")
    assert text.startswith(f"day <= {LAST_EARLY:%Y-%m-%d} :")
    assert tree.threshold[0] == LAST_EARLY.timestamp()
    expected = wl.C45Classifier().fit(DATES["pandas"], LATE).tree_
    np.testing.assert_array_equal(tree.weight, expected.weight)


def test_dates_are_printed_in_every_view():
    tree = wl.C45Classifier().fit(DATES["texts, day first"], LATE).tree_
    shown = f"{LAST_EARLY:%Y-%m-%d}"
    assert f"day > {shown}" in str(tree.rules())
    assert tree.to_dict()["date"] == shown
    assert shown in tree.to_dot()
    assert shown in tree._repr_html_()
    assert f"{LAST_EARLY.timestamp():g}" not in tree.to_text()


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_a_loaded_model_reads_dates_in_the_order_of_the_training_table(classifier, tmp_path):
    X = DATES["texts, day first"].assign(noise=rng.normal(size=120))
    model = classifier(random_state=0).fit(X, LATE)
    model.save(tmp_path / "model.json")
    loaded = wl.load(tmp_path / "model.json")
    new = pd.DataFrame({"day": ["02/01/2021", "01/03/2021", None], "noise": [0.0, 0.0, 0.0]})
    same = new.assign(day=pd.to_datetime(["2021-01-02", "2021-03-01", None]))
    if classifier is wl.C45Classifier:
        assert loaded.predict(new)[:2].tolist() == ["early", "late"]
    np.testing.assert_array_equal(loaded.predict_proba(new), model.predict_proba(same))


def test_a_date_column_must_stay_a_date_column():
    model = wl.C45Classifier().fit(DATES["pandas"], LATE)
    with pytest.raises(TypeError, match=r"'day' held dates .* now holds numbers"):
        model.predict(pd.DataFrame({"day": [1.5e9]}))
    with pytest.raises(ValueError, match="'day' holds dates, but 'soon' is not a date"):
        model.predict(pd.DataFrame({"day": ["soon"]}))
    with pytest.raises(ValueError, match="'01/02/2020' is not a date"):
        model.predict(pd.DataFrame({"day": ["01/02/2020"]}))  # the order is not known
    model.predict(pd.DataFrame({"day": [np.nan]}))
    numbers = wl.C45Classifier().fit([[float(i)] for i in range(120)], LATE)
    with pytest.raises(TypeError, match="'x0' holds dates; expected numbers"):
        numbers.predict(DATES["pandas"].to_numpy())


def test_times_after_2038_are_printed_exactly():
    """Seconds since 1970 are rounded to minutes in single precision, which C4.5 computes in."""
    start = pd.Timestamp("2040-01-01 10:01:07")
    moments = pd.Series([start + pd.Timedelta(hours=7 * k) for k in range(20)])
    tree = wl.C45Classifier().fit(moments.to_frame("when"), np.arange(20) > 9).tree_
    assert tree.to_text().startswith(f"when <= {moments[9]} :")


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_ignored_columns_and_missing_values_are_saved(classifier, tmp_path):
    X = pd.DataFrame({"key": [f"k{i}" for i in range(120)], "n": rng.normal(size=120), "m": 1.0})
    X.loc[::5, "n"] = -999
    X["m"] = np.where(X["n"] > 0, "yes", "no")
    y = np.where(X["n"] > 0, "a", "b")
    model = classifier(ignore=["key"], missing_values=[-999]).fit(X, y)
    cleaned = X[["n", "m"]].replace(-999, np.nan)
    expected = classifier(random_state=0).fit(cleaned, y)
    model.set_params(random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(cleaned))
    model.save(tmp_path / "model.json")
    loaded = wl.load(tmp_path / "model.json")
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    # The ignored column may be absent or hold anything.
    np.testing.assert_array_equal(loaded.predict(X[["m", "n"]]), model.predict(X))
    np.testing.assert_array_equal(loaded.predict(X.assign(key=1.5)), model.predict(X))
    assert loaded.get_params()["ignore"] == ["key"]
    assert loaded.get_params()["missing_values"] == [-999]
    assert loaded.n_features_in_ == 3


def test_a_committee_takes_the_options_of_its_members():
    X = pd.DataFrame({"key": range(40), "n": [-1.0, 5.0] * 20})
    y = ["a", "b"] * 20
    member = wl.C45Classifier(ignore=["key"], missing_values=[5])
    model = wl.BaggedClassifier(member, n_members=3, random_state=0).fit(X, y)
    assert model._schema.features[0].ignored
    assert np.isnan(model._encode(X).arrays[1][1::2]).all()


def test_a_schema_with_options_is_plain_data_and_back():
    features = (Feature("a", "continuous", ignored=True), Feature("b", "nominal", ("x", "y")))
    schema = Schema(features, ("n", "y"), "c", ("-", -999))
    assert Schema.from_dict(schema.to_dict()) == schema


def test_rows_without_a_class_are_left_out_with_a_warning():
    X, y = DATES["pandas"], pd.Series(LATE, dtype=object)
    some = y.where(np.arange(120) % 4 > 0, None)
    with pytest.warns(UserWarning, match="30 of 120 rows have no class and are left out"):
        model = wl.C45Classifier().fit(X, some)
    expected = wl.C45Classifier().fit(X[some.notna()], some[some.notna()])
    assert model.tree_.to_dict() == expected.tree_.to_dict()
    with pytest.raises(ValueError, match="90 of 120 classes are missing"):
        wl.C45Classifier().fit(X, y.where(np.arange(120) % 4 == 0, None))


@pytest.mark.parametrize("size", [2, "auto"])
def test_a_pruned_committee_leaves_out_rows_without_a_class(size):
    X = DATES["pandas"].assign(noise=rng.normal(size=120))
    y = pd.Series(LATE, dtype=object).where(np.arange(120) % 4 > 0, None)
    model = wl.PrunedClassifier(wl.BaggedClassifier(n_members=4), size=size, random_state=0)
    with pytest.warns(UserWarning, match="30 of 120 rows have no class") as caught:
        model.fit(X, y)
    assert sum("no class" in str(w.message) for w in caught) == 1
    assert model.classes_.tolist() == ["early", "late"]


@pytest.mark.parametrize("classifier", [*CLASSIFIERS, wl.G2Classifier])
def test_rows_without_a_class_are_not_scored(classifier):
    X = np.arange(40.0).reshape(-1, 1)
    y = pd.Series(np.where(X[:, 0] < 17, "low", "high"), dtype=object)
    model = classifier().fit(X, y)
    holes = y.where(np.arange(40) % 4 != 0)
    with pytest.warns(UserWarning, match="10 of 40 rows have no class"):
        score = model.score(X, holes)
    known = holes.notna().to_numpy()
    assert score == model.score(X[known], y[known])


@pytest.mark.parametrize(
    "labels",
    [(2**63, 2**63 + 1), (-1, 2**63), (2**70, 2**70 + 1), ("a", "a\0"), (b"no", b"yes")],
)
@pytest.mark.parametrize("classifier", [*CLASSIFIERS, wl.G2Classifier])
def test_labels_that_numpy_would_merge_stay_apart(classifier, labels):
    X = np.arange(40.0).reshape(-1, 1) % 2
    y = [labels[int(value)] for value in X[:, 0]]
    seed = {} if classifier is wl.G2Classifier else {"random_state": 0}
    model = classifier(**seed).fit(X, np.array(y) if isinstance(labels[0], bytes) else y)
    expected = [label.decode() if isinstance(label, bytes) else label for label in y]
    assert model.predict(X).tolist() == expected


def test_classes_of_a_file_stay_exact(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(f"a,c\n1,{2**63}\n2,{2**63 + 1}\n")
    assert wl.read(path).y.tolist() == [2**63, 2**63 + 1]


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_only_learners_that_do_not_separate_close_values_say_so(classifier):
    X, y = np.arange(40.0).reshape(-1, 1) * 1e-7, np.arange(40) > 19
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = classifier(random_state=0).fit(X, y)
    messages = [str(w.message) for w in caught if "does not separate" in str(w.message)]
    predicts_one_class = len(np.unique(model.predict(X))) == 1
    assert len(messages) == predicts_one_class
    for message in messages:
        assert message.startswith(f"{classifier.__name__} does not separate")
        assert "'x0'" in message


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_flags_of_numpy_are_flags(classifier):
    X, y = rng.normal(size=(40, 2)), np.arange(40) > 19
    flags = {n: v for n, v in classifier().get_params(deep=False).items() if isinstance(v, bool)}
    expected = classifier(**flags, random_state=0).fit(X, y)
    numpy_flags = {name: np.bool_(value) for name, value in flags.items()}
    model = classifier(**numpy_flags, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(X))


def test_members_that_read_the_table_themselves_take_no_options():
    model = wl.BaggedClassifier(DecisionTreeClassifier(), ignore=["a"])
    with pytest.raises(ValueError, match="DecisionTreeClassifier reads the table itself"):
        model.fit(pd.DataFrame({"a": [1.0, 2.0], "b": [1.0, 2.0]}), ["n", "y"])
