"""Committees made of what others have fitted."""

from __future__ import annotations

from typing import Any

from weaklearn.estimators.ensemble_committee import WRAPPABLE, EnsembleCommittee
from weaklearn.estimators.g2 import G2Classifier
from weaklearn.estimators.real_adaboost import RealAdaBoostClassifier
from weaklearn.estimators.separator_committee import SeparatorCommittee


def as_committee(ensemble: Any) -> EnsembleCommittee:
    """Give a fitted ensemble as a committee, to cut and to prune.

    Parameters
    ----------
    ensemble : classifier
        A fitted AdaBoostClassifier, BaggingClassifier, RandomForestClassifier or
        ExtraTreesClassifier of scikit-learn's, or a G2Classifier on a SeparatorGraph.

    Returns
    -------
    EnsembleCommittee
        It answers as the ensemble does; ties go to the class that is first in ``classes_``.

    Examples
    --------
    >>> import weaklearn as wl
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> table = wl.datasets.load("iris")
    >>> forest = RandomForestClassifier(30, random_state=0).fit(table.X, table.y)
    >>> small = wl.pruning.kappa(wl.as_committee(forest), table.X, table.y, size=5)
    >>> len(small), float((small.predict(table.X) == table.y).mean()) > 0.9
    (5, True)
    """
    if isinstance(ensemble, G2Classifier):
        return SeparatorCommittee.of(ensemble)
    if isinstance(ensemble, RealAdaBoostClassifier):
        raise TypeError(
            "a RealAdaBoostClassifier has added its stumps up and keeps none of them: fit the same "
            "as a composition, wl.as_committee(model.as_g2().fit(X, y))."
        )
    if not isinstance(ensemble, WRAPPABLE):
        known = ", ".join(kind.__name__ for kind in WRAPPABLE)
        raise TypeError(
            f"got {type(ensemble).__name__}, expected a fitted {known} of scikit-learn's, a "
            "G2Classifier, or a committee of ours, which needs no wrapping."
        )
    return EnsembleCommittee.of(ensemble)
