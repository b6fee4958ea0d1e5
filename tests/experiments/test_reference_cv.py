"""The stored cross-validations of the original program, fold by fold."""

import json
from pathlib import Path

import numpy as np
import pytest

import weaklearn as wl
from weaklearn.experiments import cross_validate, deal_folds

SHARED = Path(__file__).resolve().parents[3] / "shared"
REFERENCE = SHARED / "reference" / "c45r8"
NAMES = [
    "anneal", "auto", "breast-cancer", "credit-a", "diabetes", "glass", "heart-c", "hypo", "iris",
    "kr-vs-kp", "labor", "letter", "segment", "sonar", "soybean", "tic-tac-toe", "vote",
    "waveform-5000",
]  # fmt: skip

pytestmark = pytest.mark.skipif(
    not REFERENCE.is_dir(), reason="the reference outputs are not beside this checkout"
)


@pytest.mark.parametrize("name", NAMES)
def test_every_fold_is_that_of_release_8(name):
    document = json.loads((REFERENCE / f"{name}.json").read_text())
    cv = document["cv"]
    table = wl.read(SHARED / "data" / Path(document["source_file"]).name)
    for prune, key in ((False, "unpruned"), (True, "pruned")):
        model = wl.C45Classifier(arithmetic="release8", prune=prune)
        results = cross_validate(model, table.X, table.y, fold_of_row=cv["fold_of_row"])
        got = [
            (fold.n_test, fold.size, fold.train_errors, fold.test_errors) for fold in results.folds
        ]
        expected = [
            (fold["test_cases"], *(fold[key][f] for f in ("size", "train_errors", "test_errors")))
            for fold in cv["per_fold"]
        ]
        assert got == expected
        assert 100 * results.error.mean == pytest.approx(cv[f"{key}_error_pct"], abs=1e-4)
        assert results.size.mean == pytest.approx(cv[f"mean_{key}_size"])


@pytest.mark.parametrize("name", NAMES)
def test_seed_0_deals_the_reference_folds(name):
    document = json.loads((REFERENCE / f"{name}.json").read_text())
    table = wl.read(SHARED / "data" / Path(document["source_file"]).name)
    classes = table.y.cat.codes.to_numpy().astype(np.int32)
    folds = deal_folds(classes, 10, np.random.default_rng(0))
    assert folds.tolist() == document["cv"]["fold_of_row"]
