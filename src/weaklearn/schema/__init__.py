"""What each column of a table is.

A `Feature` is continuous (numbers) or nominal (one of some declared values); a `Schema` is the
features in order and the classes. `infer_features` and `infer_classes` apply the rule that
`weaklearn.schema.infer` documents; `encode_classes` finds labels among the classes of a model.
"""

from weaklearn.schema.column_options import ColumnOptions
from weaklearn.schema.infer import (
    check_number_of_labels,
    classes_of,
    column_positions,
    encode_classes,
    infer_classes,
    infer_features,
    read_classes,
)
from weaklearn.schema.schema import Feature, Kind, Label, Schema

__all__ = [
    "ColumnOptions",
    "Feature",
    "Kind",
    "Label",
    "Schema",
    "check_number_of_labels",
    "classes_of",
    "column_positions",
    "encode_classes",
    "infer_classes",
    "infer_features",
    "read_classes",
]
