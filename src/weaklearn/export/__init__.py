"""Export fitted models, so that they predict without this package.

`describe` returns a model as plain tables, from which all exports are written.
"""

from weaklearn.export.describe import describe

__all__ = ["describe"]
