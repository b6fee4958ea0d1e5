"""The syntax of one line of an ARFF file: quotes, escapes, comments, dense and sparse rows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from weaklearn.tables.messages import quote
from weaklearn.tables.missing_values import MISSING_TEXT

# Possessive repeats (``*+``) keep the time of every match linear, also for a hostile file.
QUOTED = r"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\""
_FIELD = re.compile(
    rf"[ \t]*+(?:(?P<quoted>{QUOTED})|(?P<plain>[^,\t'\"{{}}%]*+))[ \t]*(?P<end>[,\t}}%]|\Z)"
)
_INDEX = re.compile(r"[ \t]*+([0-9]{1,9}+)[ \t]++")
_WEIGHT = re.compile(r"[^{}'\"%]*+\{[ \t0-9.eE+-]*+\}[ \t]*+(?:%|\Z)")
_ESCAPE = re.compile(r"\\(u(?![dD][89a-fA-F])[0-9a-fA-F]{4}|.)", re.DOTALL)
_CONTROL = {"n": "\n", "r": "\r", "t": "\t"}

# A line without any of these characters is values between commas and nothing else.
_NEEDS_STRIPPING = re.compile(r"[ ?\t'\"{}%]")
# A line without any of these is values, spaces and ? between commas.
_NEEDS_TOKENS = re.compile(r"[\t'\"{}%]")

_EMPTY_PROBLEM = f"the value is empty; a missing value is written {MISSING_TEXT}"
_WEIGHT_PROBLEM = "the row ends with an instance weight {...}, which is not supported; remove it"


class LineProblem(Exception):
    """What is wrong with a line, and in which field (counted from 0) if that is known."""

    def __init__(self, problem: str, field: int | None = None) -> None:
        super().__init__(problem)
        self.field = field


def unquote(text: str) -> str:
    """Remove the quotes and resolve the escapes; a text without quotes is returned as it is."""
    if text[:1] not in ("'", '"'):
        return text
    return _ESCAPE.sub(_unescape, text[1:-1])


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) == 5 else _CONTROL.get(code, code)


def split_dense(line: str) -> list[str | None]:
    """Return the values of a dense row; None where a value is missing."""
    if not _NEEDS_STRIPPING.search(line):
        fields: list[str | None] = list(line.split(","))
    elif not _NEEDS_TOKENS.search(line):
        texts = (text.strip(" ") for text in line.split(","))
        fields = [None if text == MISSING_TEXT else text for text in texts]
    else:
        return split_tokens(line)
    if "" in fields:
        raise LineProblem(_EMPTY_PROBLEM, fields.index(""))
    return fields


def split_tokens(line: str) -> list[str | None]:
    """Return the values of a dense row that may have quotes, tabs or a comment."""
    return [value for value, _ in _fields(line, 0, closing="")]


def split_nominal(text: str) -> tuple[list[str], int]:
    """Return the values declared in ``{a, b}``, and the position after the closing brace."""
    fields = list(_fields(text, 1, closing="}"))
    return [MISSING_TEXT if value is None else value for value, _ in fields], fields[-1][1]


def split_sparse(line: str, n_attributes: int) -> dict[int, str | None]:
    """Return the written values of a sparse row ``{3 x, 7 1.5}`` by attribute index."""
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
                f"got {quote(line[start:], 24)}"
            )
        index = int(head[1])
        if index >= n_attributes:
            raise LineProblem(
                f"got index {index} in the sparse row, expected an index from 0 to "
                f"{n_attributes - 1}"
            )
        if index in values:
            raise LineProblem(
                f"index {index} occurs twice in the sparse row; expected it once", index
            )
        field = _match_field(line, head.end(), index)
        values[index] = _value(field, index)
        start = field.end()
        if field["end"] == "}":
            _check_rest(line, start)
            return values
        if field["end"] != ",":
            raise LineProblem("the sparse row has no closing }; expected one at its end", index)


def _fields(line: str, start: int, closing: str) -> Iterator[tuple[str | None, int]]:
    """Yield each value and the position after it, up to ``closing``.

    An empty ``closing`` means the end of the line or a comment.
    """
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
        raise LineProblem(
            f"the quote {rest[0]} is never closed; expected it after the value", index
        )
    if rest[:1] in ("'", '"'):
        raise LineProblem("expected a comma after the closing quote", index)
    raise LineProblem(
        f"got {quote(rest, 24)}; a value with a quote or a brace must be in quotes", index
    )


def _value(field: re.Match[str], index: int) -> str | None:
    if field["quoted"] is not None:
        return unquote(field["quoted"])
    text = field["plain"].strip(" ")
    if not text:
        raise LineProblem(_EMPTY_PROBLEM, index)
    return None if text == MISSING_TEXT else text


def _check_rest(line: str, start: int) -> None:
    rest = line[start:].lstrip(" \t")
    if _WEIGHT.match(rest):
        raise LineProblem(_WEIGHT_PROBLEM)
    if rest and not rest.startswith("%"):
        raise LineProblem(f"expected the end of the line after }}, got {quote(rest, 24)}")
