"""Prune a committee: keep some of its members, so that it predicts nearly the same.

methods/                        one file per method
registry.py                     the list of methods
selection.py                    which members are kept; what a method is
sample_with_votes.py            rows with their classes and the votes of all members
agreement.py                    kappa of two members
linear_and_integer_program.py   the margin LP and exact selection as problems for a solver
randomized_rounding.py          solve the margin LP, and round its solution to whole members
check_arguments.py              checks of what users pass to a method
size_curves.py                  error and margin of every method by the number of members kept
plots.py                        plots of these curves, and of kappa against error
"""

from weaklearn.pruning import registry
from weaklearn.pruning.agreement import kappas_of
from weaklearn.pruning.plots import plot_kappa_error, plot_pruning
from weaklearn.pruning.registry import *  # noqa: F403 - a function per method
from weaklearn.pruning.selection import Selection
from weaklearn.pruning.size_curves import Curve, curve

__all__ = ["Curve", "Selection", "curve", "kappas_of", "plot_kappa_error", "plot_pruning"]
__all__ += registry.__all__
