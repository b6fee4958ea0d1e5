"""Fit and predict on a Dask cluster, with the same model to the bit as a local fit.

The classes have the parameters of the local classifiers, and a `client`. See docs/guides/dask.md.
"""

from weaklearn.optional_packages import require_package

require_package("distributed", "cluster", "weaklearn.dask")

from weaklearn.dask.classifiers import (  # noqa: E402
    DaskAdaBoostM1Classifier,
    DaskBaggedClassifier,
    DaskBoostedForestClassifier,
    DaskC45Classifier,
    DaskTopDownClassifier,
)

__all__ = [
    "DaskAdaBoostM1Classifier",
    "DaskBaggedClassifier",
    "DaskBoostedForestClassifier",
    "DaskC45Classifier",
    "DaskTopDownClassifier",
]
