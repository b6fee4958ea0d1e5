"""Classifiers with a real-valued output H(x) in favour of each class."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.encoding import EncodedRows
from weaklearn.estimators.table_classifier import TableClassifier
from weaklearn.models.separators import leaf_outputs
from weaklearn.schema import encode_classes


class RealValuedClassifier(TableClassifier):
    """Base of the classifiers with an output H(x), whose sign is the class."""

    @abstractmethod
    def class_outputs(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.float64]:
        """Return the output of each row in favour of each class of the schema."""

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Compute H(x), the real-valued output, for each row.

        Parameters
        ----------
        X : frame
            As for `predict`.

        Returns
        -------
        array of float64
            With two classes one number per row, above 0 for the second of ``classes_``. With more
            classes one number per row and class, in favour of that class against the others.
        """
        rows = self._encode(X)
        in_schema = self.class_outputs(rows, self._n_threads())
        outputs = self._in_class_order(in_schema, without_weight=leaf_outputs(np.eye(1, 2))[0, 1])
        return outputs if outputs.shape[1] > 2 else outputs[:, -1]

    def margins(self, X: Any, y: Any) -> NDArray[np.float64]:
        """Compute the margin of each row: tanh(y H(x) / 2), with H in favour of the row's class.

        Parameters
        ----------
        X : frame
            As for `predict`.
        y : Series, array or list
            The class of each row.

        Returns
        -------
        array of float64
            From -1 to 1; below 0 the prediction is wrong.
        """
        rows = self._encode(X)
        classes = encode_classes(y, self._schema.classes, rows.n_rows)
        outputs = self.class_outputs(rows, self._n_threads())
        own: NDArray[np.float64] = outputs[np.arange(rows.n_rows), classes]
        return np.tanh(own / 2.0)
