"""The writer of ARFF files."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from weaklearn.tables.column import MISSING_CODE
from weaklearn.tables.missing_values import MISSING_TEXT
from weaklearn.tables.table import Table

_PLAIN_WORD = re.compile(r"[A-Za-z0-9_.+<>=/:;*-]+")


def arff_lines(table: Table) -> Iterator[str]:
    """Yield the lines of an ARFF file with the table, the class as its last attribute."""
    frame = table.X if table.y is None else table.X.assign(**{str(table.y.name): table.y})
    for note in table.notes:
        yield f"% {note}"
    yield f"@relation {_quote_word(table.name)}"
    columns: list[list[str]] = []
    for name in frame.columns:
        column = frame[name]
        if str(column.dtype) == "category":
            declared = [_quote_word(str(value)) for value in column.cat.categories]
            yield f"@attribute {_quote_word(str(name))} {{{','.join(declared)}}}"
            cells = [
                MISSING_TEXT if code == MISSING_CODE else declared[code]
                for code in column.cat.codes
            ]
        elif column.dtype.kind == "M":
            pattern = "yyyy-MM-dd'T'HH:mm:ss.SSS"
            yield f'@attribute {_quote_word(str(name))} date "{pattern}"'
            texts = column.dt.strftime("%Y-%m-%dT%H:%M:%S.%f").str[:-3]
            cells = texts.where(texts.notna(), MISSING_TEXT).tolist()
        else:
            yield f"@attribute {_quote_word(str(name))} numeric"
            # repr is the shortest text that reads back as the same number.
            cells = [
                MISSING_TEXT if math.isnan(number) else repr(number).removesuffix(".0")
                for number in column.astype("float64").tolist()
            ]
        columns.append(cells)
    yield "@data"
    for row in zip(*columns, strict=True):
        yield ",".join(row)


def _quote_word(text: str) -> str:
    if _PLAIN_WORD.fullmatch(text):
        return text
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
