"""The door most people use: scikit-learn classifiers over the learners."""

from weaklearn.estimators.c45 import C45Classifier
from weaklearn.estimators.stump import StumpClassifier
from weaklearn.models import load

__all__ = ["C45Classifier", "StumpClassifier", "load"]
