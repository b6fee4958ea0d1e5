"""Describe G2 for export, where its hypotheses are stumps that every row visits."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from weaklearn.estimators.decision_graphs import SeparatorGraph
from weaklearn.estimators.real_adaboost import RealAdaBoostClassifier
from weaklearn.export.describe_models import describe_input, describe_separators, join_terms
from weaklearn.export.description import (
    SCORES,
    STEPS,
    DescribedSeparators,
    Description,
    Terms,
)
from weaklearn.schema import Schema

if TYPE_CHECKING:
    from weaklearn.estimators.g2 import G2Classifier


def describe_g2(model: G2Classifier) -> Description:
    """Return a G2Classifier of stumps on a separator graph: one sum with a term per stump.

    Raises
    ------
    TypeError
        For other hypotheses, another graph, or costs.
    """
    if not isinstance(model.graph_, SeparatorGraph):
        raise _error(f"it has grown a {type(model.graph_).__name__}")
    if model._cost_rule is not None:
        raise _error("it has costs")
    labels, learned = model.classes_.tolist(), model.learned_classes_.tolist()
    n_sums = len(learned) - 1  # none for a single class
    terms = join_terms(
        [
            _scaled_stump(hypothesis, float(alpha))
            for hypothesis, alpha in zip(model.hypotheses_, model.alphas_, strict=True)
            if n_sums and alpha != 0
        ]
    )
    return Description(
        type(model).__name__,
        tuple(describe_input(feature) for feature in model.hypotheses_[0]._schema.features),
        tuple(labels),
        tuple(learned.index(label) if label in learned else -1 for label in labels),
        tuple(labels.index(label) for label in learned),
        DescribedSeparators(
            output=np.zeros(len(learned)),
            lowest=0.0,
            present=tuple(range(len(learned))),
            positive=np.ones(n_sums, np.int32),
            threshold=np.zeros(n_sums),
            first_term=np.zeros(n_sums, np.int32),
            n_terms=np.full(n_sums, len(terms.form), np.int32),
            terms=terms,
        ),
    )


def _scaled_stump(hypothesis: Any, alpha: float) -> Terms:
    """Return the term of a stump with all scores multiplied by its coefficient.

    A stump is one term minus a threshold. Each score is computed here as G2 does for a row.
    """
    if not isinstance(hypothesis, RealAdaBoostClassifier):
        raise _error(f"its hypotheses are {type(hypothesis).__name__} models")
    stump = describe_separators(hypothesis.separators_)
    if not len(stump.positive):
        return _constant_term(hypothesis._schema, alpha * stump.output[1])
    if len(stump.terms.form) != 1:
        raise _error("a hypothesis is not a stump")
    threshold, numbers = float(stump.threshold[0]), stump.terms.numbers.copy()
    n_cuts = int(stump.terms.n_cuts[0])
    numbers[n_cuts:] = alpha * (numbers[n_cuts:] - threshold)
    return replace(stump.terms, numbers=numbers, missing=alpha * (stump.terms.missing - threshold))


def _constant_term(schema: Schema, score: float) -> Terms:
    """Return a term that is the same for every row, whatever the value of a feature is."""
    read = [index for index, feature in enumerate(schema.features) if not feature.ignored]
    feature = next((i for i in read if schema.features[i].kind == "continuous"), read[0])
    n_values = len(schema.features[feature].values)
    return Terms(
        feature=np.array([feature], np.int32),
        form=np.array([SCORES if n_values else STEPS], np.int32),
        missing=np.array([score]),
        first=np.zeros(1, np.int32),
        n_cuts=np.zeros(1, np.int32),
        numbers=np.full(max(n_values, 1), score),
    )


def _error(reason: str) -> TypeError:
    return TypeError(
        f"this G2Classifier cannot be exported, because {reason}. Expected stumps on a "
        "SeparatorGraph, as by default, without costs; or use BoostODTClassifier or "
        "RealAdaBoostClassifier."
    )
