"""Prediction for every classifier whose fitted model has a schema: labels in, labels out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils.validation import check_is_fitted

from weaklearn.estimators.probabilistic_classifier import ProbabilisticClassifier
from weaklearn.models.prediction import LabelPrediction
from weaklearn.models.saving import write

if TYPE_CHECKING:
    from weaklearn.encoding import EncodedRows
    from weaklearn.explain.contributions import Contributions
    from weaklearn.explain.explanations import Explanations
    from weaklearn.export.description import DescribedCommittee, Description, Member
    from weaklearn.models.graph import Graph
    from weaklearn.models.ruleset import Ruleset
    from weaklearn.models.votes import VoteForm


class SchemaClassifier(LabelPrediction, ProbabilisticClassifier):
    """Base of the classifiers whose fitted model has a schema of features and classes.

    A subclass encodes rows and has a model of encoded rows. `LabelPrediction` turns what the model
    predicts into labels and probabilities in the order of ``classes_``.
    """

    n_jobs: int | None

    @abstractmethod
    def _content(self) -> dict[str, Any]:
        """Return the fitted classifier, ready for JSON."""

    @abstractmethod
    def _describe(self, columns: Sequence[int] | None = None) -> Member | DescribedCommittee:
        """Return the tables of the model for export, without classes and costs.

        `columns` are the inputs that the features of the model stand for; None for all in order.
        """

    def _description(self) -> Description:
        """Return the fitted classifier for export."""
        from weaklearn.export.describe_models import describe_input
        from weaklearn.export.description import DescribedCosts, Description

        check_is_fitted(self)
        rule, classes = self._cost_rule, np.arange(len(self._schema.classes), dtype=np.int32)
        return Description(
            type(self).__name__,
            tuple(describe_input(feature) for feature in self._schema.features),
            tuple(self.classes_.tolist()),
            tuple(self._class_order().tolist()),
            tuple(self._positions_in_classes(classes).tolist()),
            self._describe(),
            None if rule is None else DescribedCosts(rule.costs, rule.factors),
        )

    def _n_threads(self) -> int:
        n_jobs = self.n_jobs
        is_whole = isinstance(n_jobs, int | np.integer) and not isinstance(n_jobs, bool)
        if n_jobs is not None and (not is_whole or n_jobs == 0):
            raise ValueError(
                f"n_jobs={n_jobs!r}: n_jobs must be a whole number >= 1, -1 for all processors, or "
                "None for one."
            )
        return 1 if n_jobs is None else int(effective_n_jobs(n_jobs))

    def explain(self, X: Any) -> Explanations:
        """Explain the prediction for each row.

        Parameters
        ----------
        X : frame
            As for `predict`.

        Returns
        -------
        Explanations
            One per row: the paths that it takes with its share on each, or the rules that fire;
            the class weights at the leaves; the votes of a committee; and what each feature
            contributes. ``to_text()``, ``to_frame()``, ``to_dict()`` and notebooks show them;
            docs/guides/explanations.md defines them.

        Examples
        --------
        >>> import weaklearn as wl
        >>> table = wl.datasets.load("titanic")
        >>> model = wl.C45Classifier(max_depth=1).fit(table.X, table.y)
        >>> model.explain(table.X[:1])[0].text
        'no, because sex = male (1364 of 1731 training rows)'
        """
        return self._explain_rows(self._encode(X), self._n_threads())

    def _explain_rows(self, rows: Any, n_threads: int) -> Explanations:
        """Explain the prediction for each row, as the model reads it."""
        from weaklearn.explain.explain_models import explain_source

        predicted = self.predict_class_indices(rows, n_threads)
        shares = self.predict_class_shares(rows, n_threads)
        source = self._reason_source
        assert source is not None, "other models replace this method"
        return explain_source(source, rows, n_threads, (predicted, shares))

    @property
    def _reason_source(self) -> Graph | Ruleset | None:
        """The graph or ruleset with a reason for each prediction, if the model is one."""
        return None

    def _vote_contributions(
        self, rows: EncodedRows, form: VoteForm, n_threads: int
    ) -> Contributions | None:
        """Return what features contribute to the vote of this classifier as a member, if known."""
        source = self._reason_source
        return None if source is None else source.contributions(rows, form, n_threads)

    def save(self, path: str | PathLike[str]) -> None:
        """Save the fitted classifier in a file, for `weaklearn.load`.

        Parameters
        ----------
        path : path
            Its suffix chooses the form: ``.wl`` is small and loads quickly, ``.json`` and
            ``.json.gz`` can be read by other programs. The file is written completely or not at
            all.

        Examples
        --------
        >>> model.save("model.json")  # doctest: +SKIP
        """
        check_is_fitted(self)
        write(path, type(self).__name__, self._content())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
