"""Measures of weak learning: impurities, advantages, margins and bounds, with plots."""

from weaklearn.models.graph_splits import rounds
from weaklearn.models.impurity import (
    Impurity,
    check_permissible,
    entropy,
    error,
    gini,
    km,
    tabulate,
)
from weaklearn.theory.advantages import Advantages, advantages
from weaklearn.theory.bounds import RoundsNeeded, TrainingBound, rounds_needed, training_bound
from weaklearn.theory.margins import margin_bound, margin_error, margins
from weaklearn.theory.plot_functions import plot_criteria, plot_gain, plot_rounds_needed
from weaklearn.theory.plot_measurements import (
    plot_advantage_by_gain,
    plot_advantage_by_weight,
    plot_advantages,
    plot_errors,
    plot_margins,
)
from weaklearn.theory.weighted_impurity import weighted_impurity

__all__ = [
    "Advantages",
    "Impurity",
    "RoundsNeeded",
    "TrainingBound",
    "advantages",
    "check_permissible",
    "entropy",
    "error",
    "gini",
    "km",
    "margin_bound",
    "margin_error",
    "margins",
    "plot_advantage_by_gain",
    "plot_advantage_by_weight",
    "plot_advantages",
    "plot_criteria",
    "plot_errors",
    "plot_gain",
    "plot_margins",
    "plot_rounds_needed",
    "rounds",
    "rounds_needed",
    "tabulate",
    "training_bound",
    "weighted_impurity",
]
