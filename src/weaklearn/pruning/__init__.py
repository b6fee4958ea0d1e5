"""Prune a committee: keep some of its members, so that it predicts nearly the same."""

from weaklearn.pruning import registry
from weaklearn.pruning.agreement import kappas_of
from weaklearn.pruning.plots import plot_kappa_error, plot_pruning
from weaklearn.pruning.registry import *  # noqa: F403 - a function per method
from weaklearn.pruning.selection import Selection
from weaklearn.pruning.size_curves import Curve, curve

__all__ = ["Curve", "Selection", "curve", "kappas_of", "plot_kappa_error", "plot_pruning"]
__all__ += registry.__all__
