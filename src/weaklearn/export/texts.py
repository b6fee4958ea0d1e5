"""Labels and values as texts, for targets that read nominal values as texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from weaklearn.tables.column import Label


def read_template(name: str) -> str:
    """Return the text of a template."""
    return (Path(__file__).parent / "templates" / name).read_text(encoding="utf-8")


def plain_name(name: str) -> str:
    """Return a name with ``_`` in place of all but ASCII letters and digits, as a part of code.

    Examples
    --------
    >>> plain_name("C45Classifier"), plain_name("größe */")
    ('C45Classifier', 'gr__e___')
    """
    return re.sub("[^A-Za-z0-9_]", "_", name)


def text_of(label: Label) -> str:
    """Return a label as text; a whole number has no decimal point.

    Examples
    --------
    >>> text_of("red"), text_of(True), text_of(3.0), text_of(1.5)
    ('red', 'true', '3', '1.5')
    """
    if isinstance(label, bool):
        return "true" if label else "false"
    if isinstance(label, float) and label.is_integer() and abs(label) < 2**53:
        return str(int(label))
    return str(label)


def codes_of_texts(values: Sequence[Label]) -> dict[str, int]:
    """Return the code of each text that stands for one of these values.

    A number may be written with or without ``.0``, and a bool as ``true``, ``True`` or ``TRUE``.

    Examples
    --------
    >>> codes_of_texts(["red", 3])
    {'red': 0, '3': 1, '3.0': 1}
    """
    codes = {value: code for code, value in enumerate(values) if isinstance(value, str)}
    for code, value in enumerate(values):
        if isinstance(value, str):
            continue
        texts = [text_of(value), str(value)]
        if isinstance(value, bool):
            texts.append(str(value).upper())
        elif text_of(value).lstrip("-").isdigit():
            texts.append(f"{text_of(value)}.0")
        for text in texts:
            codes.setdefault(text, code)
    return codes
