"""Fitted models: graphs and their nodes, votes, impurities, and files."""

from weaklearn.models.graph import Graph
from weaklearn.models.graph_builder import GraphBuilder
from weaklearn.models.saving import LoadError, load

__all__ = ["Graph", "GraphBuilder", "LoadError", "load"]
