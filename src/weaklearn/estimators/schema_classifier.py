"""Prediction for every classifier whose fitted model has a schema: labels in, labels out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from weaklearn.estimators.class_weights import CostRule
from weaklearn.estimators.probabilistic_classifier import ProbabilisticClassifier
from weaklearn.models.saving import write
from weaklearn.schema import Schema

if TYPE_CHECKING:
    from weaklearn.encoding import EncodedRows
    from weaklearn.explain.contributions import Contributions
    from weaklearn.explain.explanations import Explanations
    from weaklearn.explain.members import Source
    from weaklearn.export.description import DescribedCommittee, Description, Member
    from weaklearn.models.votes import VoteForm


class SchemaClassifier(ProbabilisticClassifier):
    """Base of the classifiers whose fitted model has a schema of features and classes.

    A subclass encodes rows and predicts class indices and class shares. This class turns them into
    labels and probabilities in the order of ``classes_``.
    """

    n_jobs: int | None
    #: How a model that was fitted with costs predicts.
    _cost_rule: CostRule | None = None

    @property
    @abstractmethod
    def _schema(self) -> Schema:
        """The schema of the fitted model."""

    @abstractmethod
    def _encode(self, X: Any) -> Any:
        """Return the rows of a frame as the fitted model reads them."""

    @abstractmethod
    def predict_class_indices(self, rows: Any, n_threads: int = 1) -> NDArray[np.int32]:
        """Return the index in the schema of the class predicted for each encoded row."""

    @abstractmethod
    def predict_class_shares(self, rows: Any, n_threads: int = 1) -> NDArray[np.float64]:
        """Return the share of each class of the schema for each encoded row."""

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

    def _class_order(self) -> NDArray[np.intp]:
        """Return the index in the schema of each class of ``classes_``, or -1.

        The schema keeps the declared order and the classes that never occur. ``classes_`` is
        sorted, as scikit-learn's scores expect. A class whose training rows all had weight 0 is in
        ``classes_``, but not in the schema unless it is declared.
        """
        index_of = {label: index for index, label in enumerate(self._schema.classes)}
        return np.array([index_of.get(label, -1) for label in self.classes_.tolist()], np.intp)

    def _in_class_order(
        self, of_schema: NDArray[np.float64], without_weight: float = 0.0
    ) -> NDArray[np.float64]:
        """Return columns for the classes of the schema as columns in the order of ``classes_``.

        A class that is not in the schema has `without_weight` in every row.
        """
        order = self._class_order()
        if np.array_equal(order, np.arange(of_schema.shape[1])):
            return of_schema
        columns = of_schema[:, order]
        columns[:, order < 0] = without_weight
        return columns

    def _positions_in_classes(self, indices: NDArray[np.int32]) -> NDArray[np.intp]:
        """Return the positions in ``classes_`` of class indices of the schema."""
        position_of = np.zeros(len(self._schema.classes), dtype=np.intp)
        order = self._class_order()
        position_of[order[order >= 0]] = np.flatnonzero(order >= 0)
        return position_of[indices]

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of each row.

        Parameters
        ----------
        X : frame
            Columns are matched by name where they have names. A nominal value that did not occur in
            training counts as missing; `count_unseen` counts such values.

        Returns
        -------
        array of labels
            One per row.
        """
        rows = self._encode(X)
        indices = self.predict_class_indices(rows, self._n_threads())
        labels: NDArray[Any] = self.classes_[self._positions_in_classes(indices)]
        return labels

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the probability of each class for each row.

        Parameters
        ----------
        X : frame
            As for `predict`.

        Returns
        -------
        array of shape (n_rows, n_classes)
            In the order of ``classes_``; every row sums to one. A class whose training rows all
            had weight 0 has the probability 0.
        """
        rows = self._encode(X)
        return self._in_class_order(self.predict_class_shares(rows, self._n_threads()))

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
            docs/explanations.md defines them.

        Examples
        --------
        >>> import weaklearn as wl
        >>> table = wl.datasets.load("titanic")
        >>> model = wl.C45Classifier(max_depth=1).fit(table.X, table.y)
        >>> model.explain(table.X[:1])[0].text
        'no, because sex = male (1364 of 1731 training rows)'
        """
        return self._explain_rows(self._encode(X), self._n_threads())

    @abstractmethod
    def _explain_rows(self, rows: Any, n_threads: int) -> Explanations:
        """Explain the prediction for each row, as the model reads it."""

    @property
    def _reason_source(self) -> Source | None:
        """The graph or ruleset with a reason for each prediction, if the model is one."""
        return None

    def _vote_contributions(
        self, rows: EncodedRows, form: VoteForm, n_threads: int
    ) -> Contributions | None:
        """Return what features contribute to the vote of this classifier as a member, if known."""
        return None

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
