"""The C4.5 oracle: grow, prune and predict, rule by rule and without optimisation."""

from .c45_grow import grow
from .c45_prune import extra_errors, prune
from .c45_table import Node, Options, Table
from .c45_walk import predict_proba

__all__ = ["Node", "Options", "Table", "extra_errors", "grow", "predict_proba", "prune"]
