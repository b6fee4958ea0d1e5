"""What a table's columns are: attributes, classes, and the rule that finds them."""

from weaklearn.schema.infer import infer_attributes, infer_classes, number_classes
from weaklearn.schema.schema import Attribute, Kind, Label, Schema

__all__ = [
    "Attribute",
    "Kind",
    "Label",
    "Schema",
    "infer_attributes",
    "infer_classes",
    "number_classes",
]
