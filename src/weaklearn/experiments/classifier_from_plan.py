"""Make the classifiers that a plan describes by the name of a class and its parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def make_classifier(learner: Mapping[str, Any]) -> Any:
    """Make an unfitted classifier.

    Parameters
    ----------
    learner : mapping
        ``class``, the name of a classifier of weaklearn, and its parameters. A parameter that is
        itself a mapping describes another classifier.

    Returns
    -------
    classifier
        The classifier, not fitted.

    Examples
    --------
    >>> make_classifier({"class": "BaggedClassifier", "estimator": {"class": "StumpClassifier"}})
    BaggedClassifier(estimator=StumpClassifier())
    """
    reason = why_unavailable(learner)
    if reason:
        raise ValueError(reason)
    import weaklearn

    parameters = {
        name: make_classifier(value) if isinstance(value, Mapping) else value
        for name, value in learner.items()
        if name != "class"
    }
    return getattr(weaklearn, learner["class"])(**parameters)


def why_unavailable(learner: Mapping[str, Any]) -> str | None:
    """Return why a learner cannot be made, or None if it can.

    Parameters
    ----------
    learner : mapping
        As for `make_classifier`.

    Returns
    -------
    str or None
        The reason names the class that this version of weaklearn does not have.

    Examples
    --------
    >>> why_unavailable({"class": "OracleClassifier"})
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
