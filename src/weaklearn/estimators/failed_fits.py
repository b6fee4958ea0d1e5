"""A fit that fails leaves the classifier as it was."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

Fit = TypeVar("Fit", bound=Callable[..., Any])


def restores_on_failure(fit: Fit) -> Fit:
    """Return a method that restores all attributes of its object if it raises an exception.

    An error or an interrupt (Ctrl-C) may come when some attributes are those of the new fit, and
    others are those of an earlier fit or absent.

    Parameters
    ----------
    fit : callable
        A method.

    Examples
    --------
    >>> class Model:
    ...     @restores_on_failure
    ...     def fit(self):
    ...         self.half = True
    ...         raise KeyboardInterrupt
    >>> model = Model()
    >>> try:
    ...     model.fit()
    ... except KeyboardInterrupt:
    ...     vars(model)
    {}
    """

    @wraps(fit)
    def fit_or_restore(self: Any, *args: Any, **options: Any) -> Any:
        before = dict(self.__dict__)
        try:
            return fit(self, *args, **options)
        except BaseException:
            self.__dict__ = before
            raise

    return cast(Fit, fit_or_restore)
