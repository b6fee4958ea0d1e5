"""Fitting for every classifier that learns from an encoded dataset."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from weaklearn.costs import check_costs
from weaklearn.encoding import (
    Dataset,
    EncodedRows,
    encode_columns,
    encode_rows,
    warn_of_columns,
)
from weaklearn.estimators.class_weights import (
    RowWeights,
    check_class_weight,
    weigh_classes,
)
from weaklearn.estimators.failed_fits import restores_on_failure
from weaklearn.estimators.learned_nothing import likely_cause
from weaklearn.estimators.parameters import Parameter, check_parameters
from weaklearn.estimators.scanned_training import read_scanned_table
from weaklearn.estimators.schema_classifier import SchemaClassifier
from weaklearn.estimators.training_table import TrainingTable, read_training_table
from weaklearn.estimators.winnowing import winnow
from weaklearn.schema import ColumnOptions, Label, Schema, infer_features
from weaklearn.tables.frames import Columns
from weaklearn.tables.messages import quote_list
from weaklearn.tables.scan import as_scan
from weaklearn.user_warnings import warn_user

#: What a fit to a table notes of its classes and columns.
_NOTED = ("classes_", "n_features_in_", "feature_names_in_")


class TableClassifier(SchemaClassifier):
    """Base of the classifiers that learn from tables with nominal columns and missing values.

    A subclass declares its parameters in `_parameters` and fits its model to an encoded dataset in
    `_fit_core`. Code that fits many models to the same rows, such as cross-validation, encodes
    them once with `encode_training` and calls `fit_dataset` and `predict_class_indices` itself.
    """

    _parameters: ClassVar[Mapping[str, Parameter]]
    class_weight: Any = None
    costs: Any = None
    #: Whether features are removed before the fit; a parameter of some classifiers.
    winnow: bool = False
    #: The most bins of a column of numbers; a parameter of some classifiers.
    max_bins: int | None = None
    random_state: Any
    features_kept_: NDArray[Any]
    winnowed_: NDArray[Any]
    nominal: Iterable[str | int] | None
    continuous: Iterable[str | int] | None
    ignore: Iterable[str | int] | None = None
    missing_values: Iterable[str | float] | None = None

    @abstractmethod
    def _fit_core(self, dataset: Dataset, weights: RowWeights, n_threads: int) -> None:
        """Fit the model to an encoded dataset; the weights have the factors of classes."""

    def fit_dataset(
        self, dataset: Dataset, weights: NDArray[np.float64], n_threads: int = 1
    ) -> None:
        """Fit the model to an encoded dataset; rows of weight 0 are absent."""
        self.fit_weighted(dataset, RowWeights(weights), n_threads)

    def fit_weighted(self, dataset: Dataset, weights: RowWeights, n_threads: int = 1) -> None:
        """Fit the model as a member: the committee's factors of classes are in the weights."""
        own = self._weigh_classes(dataset.schema.classes, dataset.classes, weights)
        if self.winnow:
            self._fit_winnowed(dataset, own, n_threads)
            return
        self.__dict__.pop("features_kept_", None)
        self.__dict__.pop("winnowed_", None)
        self._fit_core(dataset, own, n_threads)

    def fit_member(
        self, dataset: Dataset, weights: RowWeights, n_threads: int = 1
    ) -> NDArray[np.integer[Any]] | None:
        """Fit as `fit_weighted` does, and return the leaf of each row.

        The result is None if the learner does not know it: predict the rows then.
        """
        self.fit_weighted(dataset, weights.in_full(), n_threads)
        return None

    def _fit_winnowed(self, dataset: Dataset, weights: RowWeights, n_threads: int) -> None:
        """Fit the model to the columns that remain after winnowing."""
        columns = winnow(self, dataset, weights, n_threads)
        self._fit_core(dataset.take_columns(columns), weights, n_threads)
        self._widen(dataset.schema, np.array(columns, dtype=np.intp))
        self._note_kept_columns(columns)

    def _note_kept_columns(self, columns: Sequence[int]) -> None:
        names = np.array(self._schema.names, dtype=object)
        is_kept = np.isin(np.arange(len(names)), columns)
        self.features_kept_, self.winnowed_ = names[is_kept], names[~is_kept]

    def _widen(self, schema: Schema, columns: NDArray[np.intp]) -> None:
        """Make a model of some columns one of all columns of a schema."""
        raise TypeError(f"{type(self).__name__} has no winnow")

    def _used_columns(self) -> list[int]:
        """Return the columns that the fitted model reads, in ascending order."""
        raise TypeError(f"{type(self).__name__} has no winnow")

    def _weigh_classes(
        self, classes: Sequence[Label], class_indices: NDArray[np.int32], weights: RowWeights
    ) -> RowWeights:
        """Return the weights with the factors of this classifier, and note how to predict."""
        own, self._cost_rule = weigh_classes(
            self.class_weight, self.costs, classes, class_indices, weights
        )
        return own

    @abstractmethod
    def _has_learned(self) -> bool:
        """Return whether the fitted model is more than a constant."""

    def _needs_single_precision(self) -> bool:
        """Return whether the dataset must hold its numbers in single precision."""
        return False

    def _bins(self) -> int | None:
        """Return the most bins into which the dataset cuts numbers, or None for no bins."""
        return self.max_bins

    def _separates_close_values(self) -> bool:
        """Return whether thresholds are also tried between values less than 1e-5 apart."""
        return True

    def _missing_is_value(self) -> bool:
        """Return whether splits learn from the cells that are missing."""
        return False

    def column_options(self) -> ColumnOptions:
        """Return what the user declares about the columns."""
        return ColumnOptions.from_parameters(
            self.nominal, self.continuous, self.ignore, self.missing_values
        )

    def check_parameters(self) -> None:
        """Raise a ValueError for the first parameter outside its domain."""
        given = {name: getattr(self, name) for name in self._parameters}
        check_parameters(self._parameters, given, type(self).__name__)
        check_class_weight(self.class_weight, type(self).__name__)
        check_costs(self.costs, type(self).__name__)

    @restores_on_failure
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit the model to a table.

        Parameters
        ----------
        X : frame
            A pandas or polars DataFrame, a pyarrow Table, a NumPy array or a list of rows. Nominal
            columns, dates and missing values (NaN, None, and texts such as NA and ?) need no
            preparation; see `weaklearn.schema.infer`. With ``max_bins``, also a table that is
            larger than memory: `weaklearn.scan`, a pyarrow Dataset or a polars LazyFrame.
        y : Series, array or list
            The class of each row. Not needed for a scan that has a target; the name of a column
            for a Dataset or LazyFrame.
        sample_weight : array or number, optional
            A weight per row, taken as a count: 2 is the row twice, 0 the row left out. Weights that
            sum to at most 1 are a distribution, and are scaled to the number of rows.

        Returns
        -------
        self
            The fitted classifier.
        """
        self.check_parameters()
        n_threads = self._n_threads()
        scan = as_scan(X, y)
        if scan is None:
            table = read_training_table(X, y, sample_weight, self.column_options().missing)
        else:
            table = read_scanned_table(self, scan, y, sample_weight, n_threads)
        self._fit_table(table, n_threads)
        note_columns(self, table)
        return self

    def _fit_table(self, table: TrainingTable, n_threads: int) -> None:
        dataset = self._encode_table(table, n_threads)
        self.fit_dataset(dataset, table.weights, n_threads)
        if not self._has_learned():
            warn_user(
                f"{type(self).__name__} learned nothing: it predicts the same class for every row. "
                f"Likely cause: {likely_cause(self, dataset, table.weights, n_threads)}"
            )

    def _encode_table(self, table: TrainingTable, n_threads: int) -> Dataset:
        if table.dataset is not None:
            self._warn_of_close_values(table.dataset)
            return table.dataset
        rows, dataset = self.encode_training(
            table.columns, table.classes, table.class_indices, table.target, n_threads
        )
        table.class_indices = dataset.classes  # so that they are in memory once
        missing_is_value = self._missing_is_value()
        warn_of_columns(rows, dataset.schema.features, table.class_indices, missing_is_value)
        return dataset

    def encode_training(
        self,
        columns: Columns,
        classes: tuple[Label, ...],
        class_indices: NDArray[np.int32],
        target: str | None = None,
        n_threads: int = 1,
    ) -> tuple[EncodedRows, Dataset]:
        """Encode a training table as this classifier needs it.

        Parameters
        ----------
        columns : Columns
            The features.
        classes : tuple of labels
            The classes.
        class_indices : array of int32
            The class index of each row.
        target : str, optional
            The name of the class column.
        n_threads : int
            Threads to encode with.

        Returns
        -------
        rows : EncodedRows
            The rows, for `predict_class_indices`.
        dataset : Dataset
            The same rows with their classes, for `fit_dataset`.
        """
        options = self.column_options()
        features = infer_features(columns, options)
        rows = encode_columns(columns, features)
        schema = Schema(features, classes, target, options.missing_values)
        single = self._needs_single_precision()
        dataset = Dataset(rows, schema, class_indices, single, n_threads, self._bins())
        self._warn_of_close_values(dataset)
        return rows, dataset

    def _warn_of_close_values(self, dataset: Dataset) -> None:
        if dataset.inseparable and not self._separates_close_values():
            listed = quote_list(dataset.inseparable)
            warn_user(
                f"{type(self).__name__} does not separate values less than 1e-5 apart, as C4.5 "
                f"does not, and these columns vary by less: {listed}. Multiply them to use them, "
                "for example by 1e6."
            )

    def _take_columns_from(
        self, fitted: SchemaClassifier, columns: NDArray[np.intp] | None = None
    ) -> None:
        """Take over the classes and columns of a classifier fitted to the same table.

        `fit_dataset` alone does not know them. A committee calls this for its members. `columns`
        are those that this classifier was fitted to; None for all.
        """
        for name in _NOTED:
            if hasattr(fitted, name):
                setattr(self, name, getattr(fitted, name))
        if columns is None:
            return
        self.n_features_in_ = len(columns)
        if hasattr(fitted, "feature_names_in_"):
            self.feature_names_in_ = fitted.feature_names_in_[columns]

    def _require_fit(self) -> None:
        if "classes_" not in self.__dict__:  # scikit-learn's check takes longer than a prediction
            check_is_fitted(self)

    def _encode(self, X: Any) -> EncodedRows:
        self._require_fit()
        return encode_rows(X, self._schema, type(self).__name__, hasattr(self, "feature_names_in_"))

    def count_unseen(self, X: Any) -> dict[str, int]:
        """Count the nominal values that did not occur in training; they are treated as missing.

        Parameters
        ----------
        X : frame
            As for `predict`.

        Returns
        -------
        dict
            For each feature that has any, the number of rows.
        """
        return self._encode(X).unseen


def note_columns(model: Any, table: TrainingTable) -> None:
    """Set what scikit-learn expects of every fitted classifier: classes and columns."""
    model.classes_ = table.sorted_classes
    model.n_features_in_ = table.columns.n_columns
    if table.columns.names is not None:
        model.feature_names_in_ = np.array(table.columns.names, dtype=object)
    elif hasattr(model, "feature_names_in_"):
        del model.feature_names_in_
