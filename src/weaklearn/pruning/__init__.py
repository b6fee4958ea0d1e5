"""Pruning: from a committee to a smaller one that answers nearly the same."""

from weaklearn.pruning.agreement import kappas_of
from weaklearn.pruning.choice import METHODS, Selection
from weaklearn.pruning.curves import Curve, curve
from weaklearn.pruning.methods import exact, first_rounds, kappa, margin_lp
from weaklearn.pruning.plots import plot_kappa_error, plot_pruning

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
