"""Scores of held-back predictions, compared with scikit-learn's."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, confusion_matrix, log_loss, roc_auc_score

import weaklearn as wl
from weaklearn.experiments import Predictions, cross_validate


@st.composite
def predictions(draw):
    """Draw predictions of one repeat and one fold, in which every class occurs."""
    n_classes = draw(st.integers(2, 4))
    classes = [*range(n_classes), *draw(st.lists(st.integers(0, n_classes - 1), max_size=20))]
    shares = draw(
        st.lists(
            st.lists(st.sampled_from([0.1, 0.2, 0.5, 1.0]), min_size=n_classes, max_size=n_classes),
            min_size=len(classes),
            max_size=len(classes),
        )
    )
    shares = np.array(shares) / np.sum(shares, axis=1, keepdims=True)
    return Predictions(
        tuple("abcd"[:n_classes]),
        np.array(classes, dtype=np.int32),
        shares.argmax(axis=1).astype(np.int32)[None],
        shares[None],
        np.zeros((1, len(classes)), dtype=np.intp),
    )


@given(predictions())
def test_scores_are_scikit_learns(given):
    classes, predicted, shares = given.classes, given.predicted[0], given.shares[0]
    assert given.confusion.tolist() == confusion_matrix(classes, predicted).tolist()
    assert given.balanced_error == pytest.approx(1 - balanced_accuracy_score(classes, predicted))
    assert given.log_loss == pytest.approx(log_loss(classes, shares))
    if len(given.labels) == 2:
        assert given.auc == pytest.approx(roc_auc_score(classes, shares[:, 1]))
    else:
        weighted = roc_auc_score(classes, shares, multi_class="ovr", average="weighted")
        assert given.auc == pytest.approx(weighted)


def test_rows_of_different_folds_are_not_compared():
    classes = np.array([0, 1, 0, 1], dtype=np.int32)
    positive = np.array([0.1, 0.2, 0.8, 0.9])
    shares = np.column_stack([1 - positive, positive])[None]
    predicted = shares.argmax(axis=2).astype(np.int32)
    two_folds = np.array([[0, 0, 1, 1]])
    assert Predictions((0, 1), classes, predicted, shares, two_folds).auc == 1.0
    assert Predictions((0, 1), classes, predicted, shares, 0 * two_folds).auc == 0.75


def test_a_share_of_zero_for_the_true_class_is_finite_and_one_class_has_no_auc():
    none = Predictions(
        ("a", "b"),
        np.zeros(3, dtype=np.int32),
        np.ones((1, 3), dtype=np.int32),
        np.tile([0.0, 1.0], (1, 3, 1)),
        np.zeros((1, 3), dtype=np.intp),
    )
    assert 30 < none.log_loss < math.inf
    assert math.isnan(none.auc)
    assert none.to_dict()["auc"] is None
    assert none.to_dict()["recalls"] == [0.0, None]


def test_a_constant_has_an_auc_of_a_half():
    table = wl.datasets.load("titanic")
    results = cross_validate(wl.C45Classifier(max_depth=0), table.X, table.y)
    assert results.predictions.auc == pytest.approx(0.5)
    assert results.predictions.balanced_error == pytest.approx(0.5)
