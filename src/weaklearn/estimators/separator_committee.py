"""What G2 has learned on one path, as a committee."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from weaklearn.estimators.decision_graphs import SeparatorGraph
from weaklearn.estimators.ensemble_committee import EnsembleCommittee
from weaklearn.estimators.g2 import G2Classifier
from weaklearn.estimators.hypotheses import outputs_of


class SeparatorCommittee(EnsembleCommittee):
    """The hypotheses of a separator, which vote with their coefficients.

    Parameters
    ----------
    estimator : G2Classifier
        On a SeparatorGraph.
    n_jobs : int or None
        Not used: members answer one after the other.

    Attributes
    ----------
    members_ : list
        The hypotheses.
    votes_ : array of float64
        What each adds to H(x) at most: the artanh of its normalised margin.
    classes_, n_features_in_, feature_names_in_
        As usual.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.RealAdaBoostClassifier(10).as_g2().fit(table.X, table.y)
    >>> small = wl.pruning.margin_lp(wl.as_committee(model), table.X, table.y, size=3)
    >>> len(small), round(small.score(table.X, table.y), 3)
    (3, 0.776)
    """

    @staticmethod
    def _wrappable() -> tuple[type, ...]:
        return (G2Classifier,)

    def _wrap(self, ensemble: Any) -> None:
        if not isinstance(ensemble.graph_, SeparatorGraph):
            raise TypeError(
                f"this G2Classifier has grown a {type(ensemble.graph_).__name__}: only on a "
                "SeparatorGraph does every row meet every hypothesis, as members of a committee do."
            )
        self._take_members(ensemble, ensemble.hypotheses_)
        # alpha h is alpha h* = artanh(mu) times h / h*, which is at most 1, as a plain vote is.
        self.votes_ = np.arctanh(np.abs(ensemble.mu_))
        vote_or_one = np.where(self.votes_ > 0, self.votes_, 1.0)
        self._scales = ensemble.alphas_ / vote_or_one
        self._boosted = False  # as scikit-learn's, by plain votes

    def _forget(self, chosen: NDArray[np.intp]) -> None:
        super(EnsembleCommittee, self)._forget(chosen)
        self._scales = self._scales[chosen]

    def _committee(self) -> None:
        """Return nothing: trees among the members say more than classes."""

    def _encode(self, X: Any) -> Any:
        check_is_fitted(self)
        return X

    def _outputs(self, rows: Any) -> Iterator[NDArray[np.float64]]:
        for member, scale in zip(self.members_, self._scales, strict=True):
            output = scale * outputs_of(member, rows)
            given = np.zeros((len(output), len(self.classes_)))
            given[:, 0] = np.maximum(-output, 0.0)
            given[:, -1] = np.maximum(output, 0.0)
            yield given
