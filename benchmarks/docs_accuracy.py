"""Errors and probabilities that pages of the docs report, for ``benchmarks.docs_figures``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import recall_score

import weaklearn as wl
from benchmarks.data import messy_table
from benchmarks.docs_data import Content
from benchmarks.paper_tables import henry07
from weaklearn.experiments import cross_validate, read_plan, split_folds
from weaklearn.experiments.classifier_from_plan import make_classifier
from weaklearn.experiments.fit_and_count_errors import encode_table
from weaklearn.experiments.load_problem import load_problem
from weaklearn.tables import Table

_NAMES = """
anneal audiology auto breast-cancer breast-w colic credit-a credit-g diabetes glass heart-c heart-h
hepatitis ionosphere iris labor lymph sonar soybean tic-tac-toe vehicle vote
"""
#: Tables of 57 to 1,000 rows.
SMALL_TABLES = _NAMES.split()
_TABLES_OF_2007 = """
breast-cancer breast-w bupa colic credit-a credit-g diabetes hepatitis ionosphere sonar vote
"""
#: Tables of Henry, Nock and Nielsen (2007) of at most 1,000 rows.
TABLES_OF_2007 = _TABLES_OF_2007.split()


def weights_and_costs() -> Content:
    """Compare class weights with the same weights of rows, for a tree and for rules."""
    frame, labels = messy_table()
    other_frame, other_labels = messy_table(seed=107)
    shares = labels.value_counts(normalize=True)
    balanced = (len(labels) / len(shares) / labels.value_counts())[labels].to_numpy()
    figures = {"classes": ", ".join(f"{100 * share:.0f}" for share in shares)}
    for learner in (wl.C45Classifier, wl.RulesClassifier):
        models = {
            "unweighted": learner().fit(frame, labels),
            "balanced": learner(class_weight="balanced").fit(frame, labels),
            "sample-weight": learner().fit(frame, labels, balanced),
        }
        of = "tree" if learner is wl.C45Classifier else "rules"
        for name, model in models.items():
            predicted = model.predict(other_frame)
            recall = recall_score(other_labels, predicted, average="macro", zero_division=0)
            size = model.tree_.n_nodes if of == "tree" else len(model.ruleset_)
            figures |= {f"{of}-size-{name}": f"{size:,}", f"{of}-recall-{name}": f"{recall:.2f}"}
    return {}, figures


def scores(probabilities: NDArray[np.float64], classes: NDArray[np.int32]) -> list[float]:
    """Return the log loss, with at least 1e-15 for a probability, and the Brier score."""
    of_class = probabilities[np.arange(len(classes)), classes]
    log_loss = -np.log(np.maximum(of_class, 1e-15)).mean()
    brier = (probabilities**2).sum(axis=1) - 2 * of_class + 1
    return [float(log_loss), float(brier.mean())]


def committee_scores(name: str, learners: Mapping[str, Any]) -> list[list[list[float]]]:
    """Cross-validate committees on a table; return log loss and Brier score of each.

    They are those of three kinds of probabilities: shares of the votes, what `predict_proba`
    returns, and the logistic function of the votes.
    """
    table = wl.datasets.load(name)
    encoded = encode_table(wl.C45Classifier(), table.X, table.y)
    results = []
    for learner in learners.values():
        kinds = np.zeros((3, len(encoded.classes), len(encoded.dataset.schema.classes)))
        for split in split_folds(table.y, 3):
            learner.fit_dataset(encoded.dataset, split.train.astype(np.float64))
            test = encoded.rows.take_rows(np.flatnonzero(split.test))
            votes = learner._voters.scores(test, learner.votes_, 1)
            powers = np.exp(votes - votes.max(axis=1, keepdims=True))
            kinds[0, split.test] = votes / votes.sum(axis=1, keepdims=True)
            kinds[1, split.test] = learner.predict_class_shares(test)
            kinds[2, split.test] = powers / powers.sum(axis=1, keepdims=True)
        results.append([scores(kind, encoded.classes) for kind in kinds])
    return results


def committees() -> Content:
    """Compare the probabilities of committees with shares of their votes."""
    boost = wl.AdaBoostM1Classifier
    learners = {
        "AdaBoost.M1, 10 rounds": boost(n_rounds=10),
        "AdaBoost.M1, 50 rounds": boost(n_rounds=50),
        "AdaBoost.M1, 50 rounds, votes by confidence": boost(n_rounds=50, vote="confidence"),
        "AdaBoost.M1, 100 stumps": boost(wl.StumpClassifier(), n_rounds=100),
        "bagging, 50 members": wl.BaggedClassifier(n_members=50, random_state=0),
    }
    means = np.mean([committee_scores(name, learners) for name in SMALL_TABLES], axis=0)
    rows = [
        [committee, *(", ".join(f"{score:.3f}" for score in kind) for kind in kinds[:2])]
        for committee, kinds in zip(learners, means, strict=True)
    ]
    headings = ["committee", "shares of votes: log loss, Brier", "`predict_proba`: log loss, Brier"]
    figures = {
        "n-tables": str(len(SMALL_TABLES)),
        "logistic-10": f"{means[0, 2, 0]:.2f}",
        "logistic-50": f"{means[1, 2, 0]:.2f}",
    }
    return {"probabilities": (headings, rows)}, figures


def error_of(learner: Any, name: str, *, n_folds: int = 10, **problem: Any) -> tuple[float, float]:
    """Cross-validate a tree; return its error in percent and its leaves."""
    table = load_problem({"load": name, **problem})
    result = cross_validate(learner, table.X, table.y, n_folds=n_folds)
    return 100 * result.error.mean, 0.0 if result.n_leaves is None else result.n_leaves.mean


def boost_odt() -> Content:
    """Cross-validate boosted oblique trees with 50 stumps and four levels."""
    tree = wl.BoostODTClassifier()
    monks = {
        "monks-1": (tree, "monks-1"),
        "monks-2": (tree, "monks-2"),
        "monks-2-single": (wl.RealAdaBoostClassifier(50), "monks-2"),
    }
    figures = {
        key: f"{error_of(learner, name, with_test_part=True)[0]:.1f}"
        for key, (learner, name) in monks.items()
    }
    for name in ("segment", "vowel", "waveform-5000"):
        figures[name] = f"{error_of(tree, name, n_folds=5)[0]:.1f}"
    for key, prune in {"unpruned": False, "pruned": True}.items():
        learner = wl.BoostODTClassifier(prune=prune)
        error, leaves = np.mean([error_of(learner, name) for name in TABLES_OF_2007], axis=0)
        figures |= {f"error-{key}": f"{error:.1f}", f"leaves-{key}": f"{leaves:.1f}"}
    return {}, figures


def problems_of_2007() -> dict[str, list[Table]]:
    """Return one or more samples of forms of the problems that the plan of the paper lacks."""
    make = wl.datasets
    problems = {
        "monks-2, test rows": [make.load("monks-2", "test")],
        "parity of 8 bits": [make.make_parity(8)],
        "led-even-17, 10 % noise": [
            make.make_led_even(400, irrelevant=17, class_noise=0.1, random_state=seed)
            for seed in range(4)
        ],
    }
    for percent, n_samples in {0: 1, 4: 2, 10: 1, 20: 1, 30: 1}.items():
        problems[f"xd6, {percent} % noise"] = [
            make.make_xd6(3000, class_noise=percent / 100, random_state=seed)
            for seed in range(n_samples)
        ]
    return problems


def henry07_problems() -> Content:
    """Cross-validate the learners of Henry, Nock and Nielsen (2007) on other problems.

    An error of several samples is the lowest and the highest of them.
    """
    learners = read_plan("henry07").experiments[henry07.EXPERIMENT].learners
    rows = []
    for problem, samples in problems_of_2007().items():
        cells = []
        for learner in learners.values():
            model = make_classifier(learner)
            errors = [100 * cross_validate(model, table.X, table.y).error.mean for table in samples]
            texts = [f"{error:.1f}" for error in (min(errors), max(errors))]
            cells.append(" to ".join(dict.fromkeys(texts)))
        rows.append([problem, f"{samples[0].n_rows:,}", str(len(samples)), *cells])
    headings = ["problem", "rows", "samples", *(henry07.SHORT[name] for name in learners)]
    return {"errors": (headings, rows)}, {}
