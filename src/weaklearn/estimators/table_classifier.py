"""What every classifier on tables shares: frames in, answers out, in scikit-learn's manners."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any, ClassVar, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from weaklearn.encoding import (
    Dataset,
    EncodedRows,
    check_sample_weight,
    encode_columns,
    match_columns,
)
from weaklearn.estimators.parameters import Parameter, check_parameters
from weaklearn.models.saving import write
from weaklearn.schema import Label, Schema, infer_classes, infer_features
from weaklearn.tables.column import sort_labels
from weaklearn.tables.frames import Columns, as_columns

_NUMBER_OF_THREADS = "a whole number >= 1, -1 for all processors, or None for one"


class TableClassifier(ClassifierMixin, BaseEstimator):
    """Base of the classifiers that take tables as they are.

    A subclass declares its learner's parameters in `_parameters`, fits its model to an encoded
    dataset in `fit_dataset`, and answers encoded rows. Whoever fits many models to the same rows,
    as cross-validation does, encodes them once and calls these directly.
    """

    _parameters: ClassVar[Mapping[str, Parameter]]
    nominal: Iterable[str | int] | None
    continuous: Iterable[str | int] | None
    n_jobs: int | None

    @abstractmethod
    def fit_dataset(
        self, dataset: Dataset, weights: NDArray[np.float64], n_threads: int = 1
    ) -> None:
        """Fit the model to an encoded dataset; rows of weight 0 are absent."""

    @abstractmethod
    def predict_class_indices(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.int32]:
        """Answer with the number of each row's class in the schema."""

    @abstractmethod
    def predict_class_shares(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.float64]:
        """Answer with each row's weight per class of the schema."""

    @property
    @abstractmethod
    def _schema(self) -> Schema:
        """The schema of the fitted model."""

    def _describe_fit(self, dataset: Dataset, n_threads: int) -> None:
        """Note what only the training rows can tell of the fitted model."""

    def _needs_single_precision(self) -> bool:
        """Whether numbers must be held in single precision."""
        return False

    def _given_kinds(self) -> tuple[Iterable[str | int], Iterable[str | int]]:
        """Return the columns that the user calls nominal, and those called continuous."""
        return self.nominal or (), self.continuous or ()

    def _settings(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._parameters}

    def _n_threads(self) -> int:
        n_jobs = self.n_jobs
        whole = isinstance(n_jobs, int | np.integer) and not isinstance(n_jobs, bool)
        if n_jobs is not None and (not whole or n_jobs == 0):
            raise ValueError(f"n_jobs={n_jobs!r}: n_jobs must be {_NUMBER_OF_THREADS}.")
        return 1 if n_jobs is None else int(effective_n_jobs(n_jobs))

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the model to a table.

        Parameters
        ----------
        X : frame
            A pandas or polars DataFrame, a pyarrow Table, a NumPy array or a list of rows. Nominal
            columns and missing values (NaN, None, NA, ``"?"``) go in as they are.
        y : Series, array or list
            The class of each row.
        sample_weight : array, optional
            A weight per row, taken as a count: 2 is the row twice, 0 the row left out.

        Returns
        -------
        self
            The fitted classifier.
        """
        self.check_parameters()
        n_threads = self._n_threads()
        columns = as_columns(X)
        classes, codes = infer_classes(y, columns.n_rows)
        weights = check_sample_weight(sample_weight, columns.n_rows)
        if not weights.all():
            present = np.flatnonzero(weights)
            columns = columns.take_rows(present)
            classes, codes = infer_classes(_take(y, present), len(present))
            weights = weights[present]
        _, dataset = self.encode_training(columns, classes, codes, _name_of(y), n_threads)
        self.fit_dataset(dataset, weights, n_threads)
        self._describe_fit(dataset, n_threads)

        self._note_columns(columns)
        occurring = np.flatnonzero(np.bincount(codes, minlength=len(classes)))
        self.classes_ = sorted_labels([classes[k] for k in occurring], getattr(y, "dtype", None))
        return self

    def _note_columns(self, columns: Columns) -> None:
        self.n_features_in_ = columns.n_columns
        if columns.names is not None:
            self.feature_names_in_ = np.array(columns.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def check_parameters(self) -> None:
        """Raise a ValueError for the first parameter outside its domain."""
        check_parameters(self._parameters, self._settings(), type(self).__name__)

    def encode_training(
        self,
        columns: Columns,
        classes: tuple[Label, ...],
        codes: NDArray[np.int32],
        target: str | None = None,
        n_threads: int = 1,
    ) -> tuple[EncodedRows, Dataset]:
        """Encode a training table as this classifier needs it, as rows to answer and to fit to."""
        features = infer_features(columns, *self._given_kinds())
        rows = encode_columns(columns, features)
        single = self._needs_single_precision()
        schema = Schema(features, classes, target)
        return rows, Dataset(rows, schema, codes, single=single, n_threads=n_threads)

    def _class_order(self) -> NDArray[np.intp]:
        """Return the number in the schema of each class of ``classes_``.

        The schema keeps the declared order and classes that never occur; ``classes_`` is sorted, as
        scikit-learn's scores expect.
        """
        number_of = {label: number for number, label in enumerate(self._schema.classes)}
        return np.array([number_of[label] for label in self.classes_.tolist()], dtype=np.intp)

    def _encode(self, X: Any) -> EncodedRows:
        check_is_fitted(self)
        columns = match_columns(
            as_columns(X), self._schema, type(self).__name__, hasattr(self, "feature_names_in_")
        )
        return encode_columns(columns, self._schema.features)

    def predict(self, X: Any) -> NDArray[Any]:
        """Answer with the class of each row.

        Parameters
        ----------
        X : frame
            Columns are matched by name where they have names. A nominal value that training never
            saw counts as missing; `count_unseen` tells how many there are.

        Returns
        -------
        array of labels
            One per row.
        """
        rows = self._encode(X)
        numbers = self.predict_class_indices(rows, self._n_threads())
        place_of = np.zeros(len(self._schema.classes), dtype=np.intp)
        place_of[self._class_order()] = np.arange(len(self.classes_))
        answers: NDArray[Any] = self.classes_[place_of[numbers]]
        return answers

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Answer with a probability per class and row.

        Parameters
        ----------
        X : frame
            As for `predict`.

        Returns
        -------
        array of shape (n_rows, n_classes)
            In the order of ``classes_``; every row sums to one.
        """
        rows = self._encode(X)
        weights = self.predict_class_shares(rows, self._n_threads())
        order = self._class_order()
        in_order = len(order) == weights.shape[1] and bool((np.diff(order) > 0).all())
        return weights if in_order else weights[:, order]

    def count_unseen(self, X: Any) -> dict[str, int]:
        """Count the nominal values that training never saw; they are treated as missing.

        Parameters
        ----------
        X : frame
            As for `predict`.

        Returns
        -------
        dict
            Per feature that has any, the number of rows.
        """
        return self._encode(X).unseen

    @abstractmethod
    def _content(self) -> dict[str, Any]:
        """Return the fitted classifier, ready for JSON."""

    def save(self, path: str | PathLike[str]) -> None:
        """Save the fitted classifier as JSON, for `weaklearn.load`.

        Parameters
        ----------
        path : path
            Ends in ``.json``, or in ``.json.gz`` to compress it. The file is written whole or not
            at all.

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


def sorted_labels(labels: list[Label], dtype: object) -> NDArray[Any]:
    """Sort labels, numbers before strings, in an array of NumPy's type if they came in one."""
    ordered = sort_labels(labels)
    if isinstance(dtype, np.dtype):
        return np.array(ordered, dtype=dtype)
    mixed = len({isinstance(label, str) for label in ordered}) > 1
    return np.array(ordered, dtype=object if mixed else None)


def _take(y: Any, rows: NDArray[np.intp]) -> Any:
    from sklearn.utils import _safe_indexing

    return _safe_indexing(y, rows)


def _name_of(y: Any) -> str | None:
    name = getattr(y, "name", None)
    return name if isinstance(name, str) else None
