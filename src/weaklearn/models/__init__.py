"""Fitted models: what they hold, how they answer, how they are saved and loaded."""

from weaklearn.models.graph import Graph
from weaklearn.models.graph_builder import GraphBuilder
from weaklearn.models.saving import LoadError, load

__all__ = ["Graph", "GraphBuilder", "LoadError", "load"]
