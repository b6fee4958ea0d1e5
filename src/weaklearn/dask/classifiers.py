"""Classifiers that fit and predict on a Dask cluster."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter, Signature, signature
from typing import Any, ClassVar, Self

from distributed import Client, default_client
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from weaklearn.dask.collections import map_partitions
from weaklearn.dask.fit_on_cluster import fit_on_cluster
from weaklearn.estimators import (
    AdaBoostM1Classifier,
    BaggedClassifier,
    BoostedForestClassifier,
    C45Classifier,
    TopDownClassifier,
)
from weaklearn.estimators.table_classifier import TableClassifier


class DaskClassifier(ClassifierMixin, BaseEstimator):
    """Base of the classifiers for Dask collections.

    The fitted model is an ordinary classifier, which `to_local` returns. Its file is the same, byte
    for byte, as that of a local fit to the whole table, for any number of partitions and workers.

    Parameters
    ----------
    client : distributed.Client, optional
        The client of the cluster; by default the one that was made last.
    **parameters
        Those of the local classifier.
    """

    _local_class: ClassVar[type[TableClassifier]]
    _defaults: ClassVar[Mapping[str, Any]] = {}
    __signature__: ClassVar[Signature]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        parameters = list(signature(cls._local_class).parameters.values())
        client = Parameter("client", Parameter.KEYWORD_ONLY, default=None)
        cls.__signature__ = Signature(
            [p.replace(kind=Parameter.KEYWORD_ONLY) for p in [client, *parameters]]
        )

    def __init__(self, *, client: Client | None = None, **parameters: Any) -> None:
        self.client = client
        self._local = self._local_class(**{**self._defaults, **parameters})

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters of the local classifier, and the client."""
        return {"client": self.client, **self._local.get_params(deep)}

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters of the local classifier, or the client."""
        if "client" in parameters:
            self.client = parameters.pop("client")
        self._local.set_params(**parameters)
        return self

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the model to collections on a cluster.

        Parameters
        ----------
        X : dask DataFrame or Array
            The table. Nominal columns, dates and missing values need no preparation.
        y : dask Series or Array
            The class of each row, in as many partitions as X.
        sample_weight : dask Series or Array, optional
            A weight per row, in as many partitions as X.

        Returns
        -------
        self
            The fitted classifier.
        """
        client = self.client or default_client()  # type: ignore[no-untyped-call]
        fitted = fit_on_cluster(client, clone(self._local), X, y, sample_weight)
        self._local.__dict__.update(fitted.__dict__)
        return self

    def to_local(self) -> Any:
        """Return the fitted model as an ordinary classifier of this package."""
        local = self._local_class(**self._local.get_params(deep=False))
        local.__dict__.update(self._local.__dict__)
        return local

    def predict(self, X: Any) -> Any:
        """Predict the class of each row of a Dask collection; the result is lazy."""
        return map_partitions(self.to_local(), "predict", X)

    def predict_proba(self, X: Any) -> Any:
        """Predict the probability of each class for each row; the result is lazy."""
        return map_partitions(self.to_local(), "predict_proba", X)

    def __getattr__(self, name: str) -> Any:
        if name.endswith("_") and not name.startswith("_") and "_local" in self.__dict__:
            return getattr(self._local, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __sklearn_clone__(self) -> Self:
        # A client cannot be copied.
        return type(self)(client=self.client, **clone(self._local).get_params(deep=False))

    def __getstate__(self) -> dict[str, Any]:
        return {"client": None, "_local": self._local}

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self._local, "classes_")


class DaskC45Classifier(DaskClassifier):
    """`C45Classifier` for Dask collections, learned from the rows of all workers.

    The codes of a small table are gathered in the process of the client. The rows of a larger one
    stay on their workers, which send sums of weights by value and class. `max_bins` is 255 unless
    it is set.

    Parameters
    ----------
    client : distributed.Client, optional
        The client of the cluster; by default the one that was made last.
    **parameters
        Those of `C45Classifier`.

    Examples
    --------
    >>> import dask.dataframe as dd
    >>> from distributed import Client
    >>> import weaklearn as wl
    >>> from weaklearn.dask import DaskC45Classifier
    >>> table = wl.datasets.load("iris")
    >>> with Client(processes=False, dashboard_address=":0") as client:
    ...     X = dd.from_pandas(table.X, npartitions=3)
    ...     y = dd.from_pandas(table.y, npartitions=3)
    ...     model = DaskC45Classifier(client=client).fit(X, y).to_local()
    >>> model.get_n_leaves()
    5
    """

    _local_class = C45Classifier
    _defaults: ClassVar[Mapping[str, Any]] = {"max_bins": 255}


class DaskTopDownClassifier(DaskClassifier):
    """`TopDownClassifier` for Dask collections, learned as `DaskC45Classifier` is.

    Parameters
    ----------
    client : distributed.Client, optional
        The client of the cluster; by default the one that was made last.
    **parameters
        Those of `TopDownClassifier`. `max_bins` is 255 unless it is set.
    """

    _local_class = TopDownClassifier
    _defaults: ClassVar[Mapping[str, Any]] = {"max_bins": 255}


class DaskAdaBoostM1Classifier(DaskClassifier):
    """`AdaBoostM1Classifier` for Dask collections, boosted on one worker or over rows.

    Parameters
    ----------
    client : distributed.Client, optional
        The client of the cluster; by default the one that was made last.
    **parameters
        Those of `AdaBoostM1Classifier`. The `estimator` must have `max_bins`.
    """

    _local_class = AdaBoostM1Classifier


class DaskBaggedClassifier(DaskClassifier):
    """`BaggedClassifier` for Dask collections, with members learned on all workers or over rows.

    Parameters
    ----------
    client : distributed.Client, optional
        The client of the cluster; by default the one that was made last.
    **parameters
        Those of `BaggedClassifier`. The `estimator` must have `max_bins`.
    """

    _local_class = BaggedClassifier


class DaskBoostedForestClassifier(DaskClassifier):
    """`BoostedForestClassifier` for Dask collections, learned on all workers or over rows.

    Parameters
    ----------
    client : distributed.Client, optional
        The client of the cluster; by default the one that was made last.
    **parameters
        Those of `BoostedForestClassifier`. The `estimator` must have `max_bins`.
    """

    _local_class = BoostedForestClassifier
