"""How one line of an ARFF file is taken apart: quotes, escapes, comments, dense and sparse rows."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Possessive repeats (``*+``) keep every match linear, whatever a hostile file holds.
QUOTED = r"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\""
_FIELD = re.compile(
    rf"[ \t]*+(?:(?P<quoted>{QUOTED})|(?P<plain>[^,\t'\"{{}}%]*+))[ \t]*(?P<end>[,\t}}%]|\Z)"
)
_INDEX = re.compile(r"[ \t]*+([0-9]{1,9}+)[ \t]++")
_WEIGHT = re.compile(r"[^{}'\"%]*+\{[ \t0-9.eE+-]*+\}[ \t]*+(?:%|\Z)")
_ESCAPE = re.compile(r"\\(u(?![dD][89a-fA-F])[0-9a-fA-F]{4}|.)", re.DOTALL)
_CONTROL = {"n": "\n", "r": "\r", "t": "\t"}

# A line without any of these is fields between commas and nothing else.
_NEEDS_CARE = re.compile(r"[ ?\t'\"{}%]")
_NEEDS_TOKENS = re.compile(r"[\t'\"{}%]")


class LineProblem(Exception):
    """What is wrong with a line, and in which field (counted from 0) where that is known."""

    def __init__(self, problem: str, field: int | None = None) -> None:
        super().__init__(problem)
        self.field = field


def unquote(text: str) -> str:
    """Take the quotes off and resolve the escapes; a text without quotes stays as it is."""
    if text[:1] not in ("'", '"'):
        return text
    return _ESCAPE.sub(_unescape, text[1:-1])


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) == 5 else _CONTROL.get(code, code)


def split_dense(line: str) -> list[str | None]:
    """Give the values of a dense row; None is missing."""
    if not _NEEDS_CARE.search(line):
        fields: list[str | None] = list(line.split(","))
    elif not _NEEDS_TOKENS.search(line):
        texts = (text.strip(" ") for text in line.split(","))
        fields = [None if text == "?" else text for text in texts]
    else:
        return split_tokens(line)
    if "" in fields:
        raise LineProblem("the value is empty; a missing value is written ?", fields.index(""))
    return fields


def split_tokens(line: str) -> list[str | None]:
    """Give the values of a dense row that may have quotes, tabs or a comment."""
    return [value for value, _ in _fields(line, 0, closing="")]


def split_nominal(text: str) -> tuple[list[str], int]:
    """Give the values declared in ``{a, b}``, and where the text goes on after the brace."""
    fields = list(_fields(text, 1, closing="}"))
    return ["?" if value is None else value for value, _ in fields], fields[-1][1]


def split_sparse(line: str, n_attributes: int) -> dict[int, str | None]:
    """Give the written values of a sparse row ``{3 x, 7 1.5}`` by attribute index."""
    values: dict[int, str | None] = {}
    start = line.index("{") + 1
    if line[start:].lstrip(" \t").startswith("}"):
        _check_rest(line, line.index("}") + 1)
        return values
    while True:
        head = _INDEX.match(line, start)
        if head is None:
            raise LineProblem(
                f"expected 'index value' at position {start + 1} of the sparse row, "
                f"got {line[start : start + 20]!r}"
            )
        index = int(head[1])
        if index >= n_attributes:
            raise LineProblem(
                f"index {index} of the sparse row is beyond the last attribute's, "
                f"which is {n_attributes - 1}"
            )
        if index in values:
            raise LineProblem(f"index {index} stands twice in the sparse row", index)
        field = _match_field(line, head.end(), index)
        values[index] = _value(field, index)
        start = field.end()
        if field["end"] == "}":
            _check_rest(line, start)
            return values
        if field["end"] != ",":
            raise LineProblem("the sparse row has no closing }", index)


def _fields(line: str, start: int, closing: str) -> Iterator[tuple[str | None, int]]:
    """Walk over the fields up to ``closing`` ("" is the end of the line or a comment)."""
    last = (closing,) if closing else ("", "%")
    for index in range(len(line) + 1):
        field = _match_field(line, start, index)
        start = field.end()
        if field["end"] not in (",", "\t", *last):
            got = "a comment" if field["end"] == "%" else repr(field["end"] or "end of line")
            raise LineProblem(f"expected , or {closing or 'the end of the line'}, got {got}", index)
        yield _value(field, index), start
        if field["end"] in last:
            return


def _match_field(line: str, start: int, index: int) -> re.Match[str]:
    field = _FIELD.match(line, start)
    if field is not None:
        return field
    rest = line[start:].lstrip(" \t")
    if _WEIGHT.match(rest):
        raise LineProblem(_WEIGHT_PROBLEM)
    if rest[:1] in ("'", '"') and not re.match(QUOTED, rest):
        raise LineProblem(f"the quote {rest[0]} is never closed", index)
    if rest[:1] in ("'", '"'):
        raise LineProblem("expected a comma after the closing quote", index)
    raise LineProblem(
        f"got {rest[:20]!r}: a value with a quote or a brace must stand in quotes", index
    )


def _value(field: re.Match[str], index: int) -> str | None:
    if field["quoted"] is not None:
        return unquote(field["quoted"])
    text = field["plain"].strip(" ")
    if not text:
        raise LineProblem("the value is empty; a missing value is written ?", index)
    return None if text == "?" else text


_WEIGHT_PROBLEM = "the row ends with an instance weight {...}, which is not supported; remove it"


def _check_rest(line: str, start: int) -> None:
    rest = line[start:].lstrip(" \t")
    if _WEIGHT.match(rest):
        raise LineProblem(_WEIGHT_PROBLEM)
    if rest and not rest.startswith("%"):
        raise LineProblem(f"expected the end of the line after }}, got {rest[:20]!r}")
