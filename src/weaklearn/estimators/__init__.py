"""The door most people use: scikit-learn classifiers over the learners."""

from weaklearn.estimators.adaboost_m1 import AdaBoostM1Classifier
from weaklearn.estimators.bagged import BaggedClassifier
from weaklearn.estimators.c45 import C45Classifier
from weaklearn.estimators.ensemble_committee import EnsembleCommittee, as_committee
from weaklearn.estimators.oc1 import OC1Classifier
from weaklearn.estimators.program import BranchingProgramClassifier
from weaklearn.estimators.pruned import PrunedClassifier
from weaklearn.estimators.sadt import SADTClassifier
from weaklearn.estimators.stump import StumpClassifier
from weaklearn.estimators.topdown import TopDownClassifier
from weaklearn.models import load

__all__ = [
    "AdaBoostM1Classifier",
    "BaggedClassifier",
    "BranchingProgramClassifier",
    "C45Classifier",
    "EnsembleCommittee",
    "OC1Classifier",
    "PrunedClassifier",
    "SADTClassifier",
    "StumpClassifier",
    "TopDownClassifier",
    "as_committee",
    "load",
]
