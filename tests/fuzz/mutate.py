"""Mutations of files: bytes, pieces of other files, and values of JSON documents."""

from __future__ import annotations

import gzip
import json
import random
import struct
from typing import Any

#: Pieces of text at which readers often go wrong.
_PIECES = [
    *(
        b"'",
        b'"',
        b"{",
        b"}",
        b"[",
        b"]",
        b"?",
        b",",
        b"\\",
        b"%",
        b"|",
        b".",
        b":",
        b"=",
        b"@",
        b"#",
    ),
    *(
        b"\n",
        b"\r\n",
        b"\r",
        b"\t",
        b" ",
        b"\x00",
        b"\xef\xbb\xbf",
        b"\xff",
        b"\xe2\x80\xa8",
        b"\xc3",
    ),
    *(
        b"nan",
        b"inf",
        b"-0",
        b"1e999",
        b"1e-400",
        b"0x1",
        b"1_0",
        b"9" * 30,
        b"-1",
        b"true",
        b"null",
    ),
    *(b"@data", b"@attribute", b"numeric", b"date", b"continuous", b"discrete 3", b"ignore", b"NA"),
]
_VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 2**31, 2**32, 2**63, -(2**63), 10**400, 0.5, 1e308, 5e-324),
    *("", "a", "continuous", "\ud800", [], {}, [[]], [0], {"a": 1}),
]


def mutate_bytes(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    """Return a file with one to four places altered."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 3, 4))):
        at = chance.randrange(len(changed) + 1)
        action = chance.randrange(8)
        if action == 0:
            changed[at : at + 1] = bytes([chance.randrange(256)])
        elif action == 1 and at < len(changed):
            changed[at] ^= 1 << chance.randrange(8)
        elif action == 2:
            changed[at:at] = chance.choice(_PIECES)
        elif action == 3:
            changed[at : at + chance.choice((1, 2, 8))] = chance.choice(_PIECES)
        elif action == 4:
            del changed[at : at + chance.choice((1, 2, 8, 40))]
        elif action == 5:
            start = chance.randrange(len(changed) + 1)
            changed[at:at] = changed[start : start + chance.choice((1, 8, 60))]
        elif action == 6:
            other = chance.choice(others)
            start = chance.randrange(len(other) + 1)
            changed[at:at] = other[start : start + chance.choice((1, 8, 60))]
        elif chance.random() < 0.3:
            del changed[at:]
    return bytes(changed)


def mutate_gzip(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    """Return a compressed file with altered contents, or altered itself."""
    if chance.random() < 0.3:
        return mutate_bytes(data, others, chance)
    contents = mutate_bytes(
        gzip.decompress(data), [gzip.decompress(other) for other in others], chance
    )
    return gzip.compress(contents, mtime=0)


def mutate_parquet(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    """Return a Parquet file with altered metadata at its end, or altered anywhere."""
    if chance.random() < 0.3:
        return mutate_bytes(data, others, chance)
    (size,) = struct.unpack("<I", data[-8:-4])
    metadata = mutate_bytes(data[-8 - size : -8], [data[-8 - size : -8]], chance)
    return data[: -8 - size] + metadata + struct.pack("<I", len(metadata)) + b"PAR1"


def mutate_json(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    """Return a JSON document with values replaced, dropped, repeated or exchanged."""
    if chance.random() < 0.3:
        return mutate_bytes(data, others, chance)
    document = json.loads(data)
    for _ in range(chance.choice((1, 1, 2, 3))):
        holder: Any = document
        while True:
            keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            if not keys:
                break
            key = chance.choice(keys)
            if isinstance(holder[key], dict | list) and holder[key] and chance.random() < 0.8:
                holder = holder[key]
                continue
            _mutate_entry(holder, key, keys, chance)
            break
    try:
        return json.dumps(document).encode()
    except (ValueError, UnicodeEncodeError):
        return data


def _mutate_entry(holder: Any, key: Any, keys: list[Any], chance: random.Random) -> None:
    action = chance.randrange(5)
    if action == 0:
        del holder[key]
    elif action == 1:
        other = chance.choice(keys)
        holder[key], holder[other] = holder[other], holder[key]
    elif action == 2 and isinstance(holder, list):
        holder.insert(key, holder[key])
    elif action == 3 and type(holder[key]) is int:
        holder[key] += chance.choice((-1, 1, 100))
    else:
        holder[key] = chance.choice(_VALUES)
