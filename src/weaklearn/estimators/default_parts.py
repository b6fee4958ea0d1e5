"""Parameters that are estimators themselves: their defaults, and what is passed on to them."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

from sklearn.base import BaseEstimator


class DefaultParts(BaseEstimator):
    """Base of the estimators with parts: parameters that are estimators, and None by default.

    None stands for a part with default parameters. These are parameters of the whole too, as if
    the part had been passed: ``set_params(estimator__min_objects=5)`` works on a committee that
    was made without an estimator.
    """

    @abstractmethod
    def _default_parts(self) -> dict[str, Any]:
        """Return for each part, by the name of its parameter, a new estimator for None."""

    def _part_or_default(self, name: str) -> Any:
        part = getattr(self, name)
        return self._default_parts()[name] if part is None else part

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters.

        Parameters
        ----------
        deep : bool
            Whether to return the parameters of parts too, as ``part__parameter``.

        Returns
        -------
        dict
            A value for each name.
        """
        parameters: dict[str, Any] = super().get_params(deep=deep)
        if not deep:
            return parameters
        for part, default in self._default_parts().items():
            if parameters[part] is None:
                of_part = default.get_params(deep=True)
                parameters |= {f"{part}__{name}": value for name, value in of_part.items()}
        return parameters

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters.

        Parameters
        ----------
        **parameters : object
            Values by name; ``part__parameter`` for the parameters of parts.

        Returns
        -------
        self
            The estimator.
        """
        nested = {name.partition("__")[0] for name in parameters if "__" in name}
        for part, default in self._default_parts().items():
            if part in nested and parameters.get(part, getattr(self, part)) is None:
                parameters[part] = default
        super().set_params(**parameters)
        return self


def pass_on_n_jobs(estimator: Any, n_jobs: int | None) -> None:
    """Set the ``n_jobs`` of an estimator that has this parameter and leaves it at None."""
    if n_jobs is None or not hasattr(estimator, "get_params"):
        return
    if estimator.get_params(deep=False).get("n_jobs", n_jobs) is None:
        estimator.set_params(n_jobs=n_jobs)
