"""Export fitted models, so that they predict without this package.

`describe` returns a model as plain tables, from which all exports are written.
"""

from weaklearn.export.c_file import c
from weaklearn.export.describe import describe
from weaklearn.export.js_file import js
from weaklearn.export.onnx_file import onnx
from weaklearn.export.onnx_pipelines import register_skl2onnx
from weaklearn.export.sql_file import sql

__all__ = ["c", "describe", "js", "onnx", "register_skl2onnx", "sql"]
