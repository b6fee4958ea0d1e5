"""The classifiers, with scikit-learn's conventions: one file each."""

from weaklearn.estimators.adaboost_m1 import AdaBoostM1Classifier
from weaklearn.estimators.bagged import BaggedClassifier
from weaklearn.estimators.boost_odt import BoostODTClassifier
from weaklearn.estimators.boosted_forest import BoostedForestClassifier
from weaklearn.estimators.branching_program import BranchingProgramClassifier
from weaklearn.estimators.c45 import C45Classifier
from weaklearn.estimators.committee.wrapped_ensembles import EnsembleCommittee, as_committee
from weaklearn.estimators.g2 import (
    ConstantLearner,
    G2Classifier,
    ListGraph,
    ProgramGraph,
    SeparatorGraph,
    TreeGraph,
)
from weaklearn.estimators.oc1 import OC1Classifier
from weaklearn.estimators.pruned import PrunedClassifier
from weaklearn.estimators.real_adaboost import RealAdaBoostClassifier
from weaklearn.estimators.rules import RulesClassifier
from weaklearn.estimators.sadt import SADTClassifier
from weaklearn.estimators.stump import StumpClassifier
from weaklearn.estimators.topdown import TopDownClassifier
from weaklearn.models import load

__all__ = [
    "AdaBoostM1Classifier",
    "BaggedClassifier",
    "BoostODTClassifier",
    "BoostedForestClassifier",
    "BranchingProgramClassifier",
    "C45Classifier",
    "ConstantLearner",
    "EnsembleCommittee",
    "G2Classifier",
    "ListGraph",
    "OC1Classifier",
    "ProgramGraph",
    "PrunedClassifier",
    "RealAdaBoostClassifier",
    "RulesClassifier",
    "SADTClassifier",
    "SeparatorGraph",
    "StumpClassifier",
    "TopDownClassifier",
    "TreeGraph",
    "as_committee",
    "load",
]
