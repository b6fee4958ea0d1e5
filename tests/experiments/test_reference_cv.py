"""Cross-validation gives the stored results of C4.5 Release 8, fold by fold."""

import numpy as np
import pytest

import weaklearn as wl
from shared import read_reference, read_source, reference_names
from weaklearn.experiments import cross_validate, deal_folds

NAMES = [name for name in reference_names() if "cv" in read_reference(name)]


@pytest.mark.parametrize("name", NAMES)
def test_every_fold_is_that_of_release_8(name):
    record = read_reference(name)
    cv, table = record["cv"], read_source(record)
    for prune, key in ((False, "unpruned"), (True, "pruned")):
        model = wl.C45Classifier(arithmetic="release8", prune=prune)
        results = cross_validate(model, table.X, table.y, fold_of_row=cv["fold_of_row"])
        actual = [
            (fold.n_test, fold.size, fold.train_errors, fold.test_errors) for fold in results.folds
        ]
        expected = [
            (fold["test_cases"], *(fold[key][f] for f in ("size", "train_errors", "test_errors")))
            for fold in cv["per_fold"]
        ]
        assert actual == expected
        assert 100 * results.error.mean == pytest.approx(cv[f"{key}_error_pct"], abs=1e-4)
        assert results.size.mean == pytest.approx(cv[f"mean_{key}_size"])


@pytest.mark.parametrize("name", NAMES)
def test_seed_0_deals_the_reference_folds(name):
    record = read_reference(name)
    classes = read_source(record).y.cat.codes.to_numpy().astype(np.int32)
    folds = deal_folds(classes, 10, np.random.default_rng(0))
    assert folds.tolist() == record["cv"]["fold_of_row"]
