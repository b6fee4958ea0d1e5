"""Pruning: from a committee to a smaller one that answers nearly the same."""

from weaklearn.pruning.agreement import kappas_of
from weaklearn.pruning.choice import METHODS, Selection
from weaklearn.pruning.methods import exact, first_rounds, kappa, margin_lp
from weaklearn.pruning.plot_curves import plot_kappa_error, plot_pruning
from weaklearn.pruning.size_curves import Curve, curve

__all__ = [
    "METHODS",
    "Curve",
    "Selection",
    "curve",
    "exact",
    "first_rounds",
    "kappa",
    "kappas_of",
    "margin_lp",
    "plot_kappa_error",
    "plot_pruning",
]
