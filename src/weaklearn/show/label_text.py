"""Names, labels and numbers as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weaklearn.schema import Feature, Label


def words(label: Label) -> str:
    """Return a label or name as one line of text: what does not print is escaped."""
    text = str(label)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def number_words(value: float, feature: Feature) -> str:
    """Return a threshold as C4.5 prints it, with more digits where double precision is compared."""
    return f"{value:.15g}" if feature.precision == "double" else f"{value:g}"


def values_words(values: list[Label] | tuple[Label, ...]) -> str:
    """Return a set of nominal values as ``= red`` or ``in {red, blue}``."""
    if len(values) == 1:
        return f"= {words(values[0])}"
    return "in {" + ", ".join(words(value) for value in values) + "}"
