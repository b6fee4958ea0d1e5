"""Classifiers by what a plan says of them: the name of a class and its parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def make_classifier(learner: Mapping[str, Any]) -> Any:
    """Make an unfitted classifier.

    Parameters
    ----------
    learner : mapping
        ``class``, a name of the package, and its parameters; a parameter that is a mapping with a
        ``class`` is a classifier itself.

    Returns
    -------
    classifier
        Not fitted.

    Examples
    --------
    >>> make_classifier({"class": "BaggedClassifier", "estimator": {"class": "StumpClassifier"}})
    BaggedClassifier(estimator=StumpClassifier())
    """
    reason = why_unknown(learner)
    if reason:
        raise ValueError(reason)
    import weaklearn

    parameters = {
        name: make_classifier(value) if isinstance(value, Mapping) else value
        for name, value in learner.items()
        if name != "class"
    }
    return getattr(weaklearn, learner["class"])(**parameters)


def why_unknown(learner: Mapping[str, Any]) -> str | None:
    """Say which classifier this version has not, or None if it has all.

    Parameters
    ----------
    learner : mapping
        As for `make_classifier`.

    Returns
    -------
    str or None
        A sentence.

    Examples
    --------
    >>> why_unknown({"class": "OracleClassifier"})
    'this version of weaklearn has no OracleClassifier'
    """
    import weaklearn

    for name in _class_names(learner):
        if name not in weaklearn.__all__ or not name.endswith("Classifier"):
            return f"this version of weaklearn has no {name}"
    return None


def _class_names(learner: Mapping[str, Any]) -> Iterator[str]:
    if "class" in learner:
        yield str(learner["class"])
    for value in learner.values():
        if isinstance(value, Mapping):
            yield from _class_names(value)
