"""What a table's columns are: features, classes, and the rule that finds them."""

from weaklearn.schema.infer import infer_classes, infer_features, number_classes
from weaklearn.schema.schema import Feature, Kind, Label, Schema

__all__ = [
    "Feature",
    "Kind",
    "Label",
    "Schema",
    "infer_classes",
    "infer_features",
    "number_classes",
]
