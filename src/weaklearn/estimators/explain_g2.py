"""Explanations of the predictions of G2: the hypotheses on the path of a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import _safe_indexing

from weaklearn.estimators.decision_graphs import SeparatorGraph
from weaklearn.estimators.real_adaboost import RealAdaBoostClassifier
from weaklearn.estimators.weak_hypotheses import outputs_of
from weaklearn.explain.contributions import Contributions
from weaklearn.explain.explanations import Explanations
from weaklearn.explain.members import Members
from weaklearn.models.votes import MemberPredictions
from weaklearn.schema import Feature, Schema
from weaklearn.tables.frames import as_columns

if TYPE_CHECKING:
    from weaklearn.estimators.g2 import G2Classifier

_NOTE = (
    "The contributions of features are known for stumps on a SeparatorGraph only: the hypotheses "
    "on the path of the row are the whole explanation."
)


def explain_g2(model: G2Classifier, X: Any) -> Explanations:
    """Explain the predictions of G2.

    Parameters
    ----------
    model : G2Classifier
        A fitted classifier.
    X : frame
        The rows.
    """
    n_rows = as_columns(X).n_rows
    learned = tuple(model.learned_classes_.tolist())
    added = np.zeros((len(model.hypotheses_), n_rows))  # to H(x), by each hypothesis
    nodes = zip(added, model.graph_.visited(X), model.hypotheses_, model.alphas_, strict=True)
    for of_node, rows, hypothesis, alpha in nodes:
        if len(rows):
            of_node[rows] = alpha * outputs_of(hypothesis, _safe_indexing(X, rows))
    signs = np.array([-1.0, 1.0])[-len(learned) :]  # of the classes in H(x)
    last = np.int32(len(learned) - 1)
    members = Members(
        [None] * len(added),
        [None] * len(added),
        np.ones(len(added)),
        MemberPredictions(
            np.where(added > 0, last, 0).astype(np.int32),
            np.arange(len(learned), dtype=np.uint32),
            outputs=added[:, :, None] * signs,
        ),
    )
    stumps = _stumps(model, X)
    rows, contributions = None, None
    names = getattr(model, "feature_names_in_", range(model.n_features_in_))
    features = tuple(Feature(str(name), "continuous") for name in names)
    if stumps is not None:
        rows, features = stumps[0].rows, stumps[0].schema.features
        contributions = _added_up(model, stumps, signs)
    positive = model.decision_function(X)
    is_learned = np.isin(model.classes_, model.learned_classes_)
    return Explanations(
        Schema(features, learned),
        rows,
        np.where(positive > 0, last, 0).astype(np.int32),
        model.predict_proba(X)[:, is_learned],
        positive[:, None] * signs,
        "output",
        contributions,
        None,
        members,
        "" if stumps is not None else _NOTE,
        np.arange(n_rows),
    )


def _stumps(model: G2Classifier, X: Any) -> list[Explanations] | None:
    """Return the explanations of hypotheses that are sums over features; None if some are not."""
    if not isinstance(model.graph_, SeparatorGraph) or len(model.learned_classes_) != 2:
        return None
    explanations: list[Explanations] = []
    for hypothesis in model.hypotheses_:
        if not isinstance(hypothesis, RealAdaBoostClassifier):
            return None
        explained = hypothesis.explain(X)
        if len(explained.schema.classes) != 2:
            return None
        explanations.append(explained)
    return explanations


def _added_up(model: G2Classifier, stumps: list[Explanations], signs: Any) -> Contributions:
    base, values = 0.0, 0.0
    for stump, alpha in zip(stumps, model.alphas_.tolist(), strict=True):
        assert stump.contributions is not None, "separators have contributions"
        base += alpha * stump.contributions.base[-1]
        values = values + alpha * stump.contributions.values[:, :, -1]
    return Contributions(base * signs, np.asarray(values)[:, :, None] * signs)
