"""Learners: from a dataset, weights and parameters to a model."""
