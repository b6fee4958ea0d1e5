"""The binary form of model files, with the suffix ``.wl``: a header in JSON, then arrays.

All numbers are little-endian. The file starts with 32 bytes: the magic bytes, the version of the
form (uint32), the CRC-32 of all bytes from byte 16 (uint32), the size of the file (uint64) and the
size of the header (uint64). The header is JSON text: ``content``, in which ``{"array": 3}`` stands
for an array, and ``arrays``, the type, the length and the place of each.
docs/guides/files.md describes the form for readers of files.
"""

from __future__ import annotations

import json
import mmap
import struct
import zlib
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

MAGIC = b"\x89WLM\r\n\x1a\n"
VERSION = 1
#: Magic bytes, version, checksum, size of the file, size of the header.
_START = struct.Struct("<8sIIQQ")
_CHECKED_FROM = 16
_ALIGNMENT = 8
_WHOLE = ("u1", "i1", "u2", "i2", "u4", "i4", "i8")
_TYPES = {name: np.dtype(f"<{name}") for name in (*_WHOLE, "f4", "f8")}
#: Arrays with at most so many distinct numbers are stored as codes of a table.
_MAX_TABLE = 1 << 16


def binary_document(content: Mapping[str, Any]) -> bytes:
    """Return the bytes of a file.

    Parameters
    ----------
    content : mapping
        Values for JSON and arrays of finite numbers.
    """
    arrays: list[dict[str, Any]] = []
    parts: list[bytes] = []
    end = 0

    def stored(array: NDArray[Any]) -> dict[str, Any]:
        nonlocal end
        name = array.dtype.str[1:]
        data = array.astype(_TYPES[name], copy=False).tobytes()
        entry = {"type": name, "n": len(array), "at": end}
        parts.append(data + bytes(-len(data) % _ALIGNMENT))
        end += len(parts[-1])
        return entry

    def refer(value: Any) -> dict[str, Any]:
        if not isinstance(value, np.ndarray):
            raise TypeError(f"a file cannot hold a {type(value).__name__}")
        codes, table = _packed(value)
        entry = stored(codes)
        arrays.append(entry if table is None else {**entry, "table": stored(table)})
        return {"array": len(arrays) - 1}

    text = json.dumps(content, allow_nan=False, separators=(",", ":"), default=refer)
    header = f'{{"content":{text},"arrays":{json.dumps(arrays, separators=(",", ":"))}}}'.encode()
    header += b" " * (-len(header) % _ALIGNMENT)
    rest = b"".join([header, *parts])
    size = _START.size + len(rest)
    sizes = struct.pack("<QQ", size, len(header))
    checksum = zlib.crc32(rest, zlib.crc32(sizes))
    return _START.pack(MAGIC, VERSION, checksum, size, len(header)) + rest


def _packed(array: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any] | None]:
    """Return an array in a narrow type; codes and a table of numbers if that is smaller."""
    if array.dtype.kind in "iu":
        return _narrow(array), None
    candidates: list[tuple[NDArray[Any], NDArray[Any] | None]] = [(array, None)]
    bits = array.view(np.uint64)
    with np.errstate(invalid="ignore", over="ignore"):
        for shorter in (array.astype(np.float32), array.astype(np.int64)):
            if np.array_equal(shorter.astype(np.float64).view(np.uint64), bits):
                candidates.append(
                    (_narrow(shorter) if shorter.dtype == np.int64 else shorter, None)
                )
    table, codes = np.unique(bits, return_inverse=True)
    if len(table) <= _MAX_TABLE:
        candidates.append((_narrow(codes.reshape(-1)), table.view(np.float64)))
    return min(
        candidates,
        key=lambda pair: pair[0].nbytes + (0 if pair[1] is None else 64 + pair[1].nbytes),
    )


def _narrow(array: NDArray[Any]) -> NDArray[Any]:
    least, most = (int(array.min()), int(array.max())) if len(array) else (0, 0)
    for name in _WHOLE:
        limits = np.iinfo(name)
        if limits.min <= least and most <= limits.max:
            return array.astype(name, copy=False)
    raise ValueError(f"a file cannot hold the number {most}")


def read_binary(file: BinaryIO, parse: Callable[[bytes], Any]) -> dict[str, Any]:
    """Return the content of a file, with arrays that are views of the mapped file.

    Parameters
    ----------
    file : binary file
        Open for reading.
    parse : callable
        Parses JSON text.

    Raises
    ------
    ValueError
        If it is not such a file, or if it was altered, with the reason.
    """
    with_bytes = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    if len(with_bytes) < _START.size:
        raise ValueError(f"it is cut off: it has {len(with_bytes)} bytes")
    _, version, checksum, size, header_size = _START.unpack_from(with_bytes)
    if version > VERSION:
        raise ValueError(newer_version(version, VERSION))
    if size != len(with_bytes):
        raise ValueError(f"it has {len(with_bytes):,} bytes, expected {size:,}: it is not complete")
    if version < 1 or zlib.crc32(with_bytes[_CHECKED_FROM:]) != checksum:
        raise ValueError("its checksum is wrong: it was damaged or altered")
    start = _START.size + header_size
    if start > size or start % _ALIGNMENT:
        raise ValueError("its header has a wrong size")
    header = parse(bytes(with_bytes[_START.size : start]))
    if not isinstance(header, dict) or not isinstance(header.get("content"), dict):
        raise ValueError("its header has no content")
    entries = header.get("arrays")
    if not isinstance(entries, list):
        raise ValueError("its header has no list of arrays")
    arrays = [_array_from(entry, with_bytes[start:]) for entry in entries]
    resolved: dict[str, Any] = _resolved(header["content"], arrays)
    return resolved


def newer_version(version: int, known: int) -> str:
    """Return why a file of a later version cannot be loaded, and what to do."""
    return (
        f"it is written in version {version} of the format, and this weaklearn reads up to "
        f"version {known}: type  pip install --upgrade weaklearn"
    )


def _array_from(entry: Any, data: memoryview) -> NDArray[Any]:
    array = _plain_array_from(entry, data)
    if "table" not in entry:
        return array
    table = _plain_array_from(entry["table"], data)
    if array.dtype.kind != "u" or (len(array) and int(array.max()) >= len(table)):
        raise ValueError("an array has codes that are not in its table")
    decoded: NDArray[Any] = table[array]
    return decoded


def _plain_array_from(entry: Any, data: memoryview) -> NDArray[Any]:
    if not isinstance(entry, dict) or entry.get("type") not in list(_TYPES):
        raise ValueError("an array has no known type")
    dtype = _TYPES[entry["type"]]
    n, at = entry.get("n"), entry.get("at")
    if type(n) is not int or type(at) is not int or n < 0 or at < 0 or at % _ALIGNMENT:
        raise ValueError("an array has no valid place")
    if at + n * dtype.itemsize > len(data):
        raise ValueError("an array lies beyond the end of the file")
    array: NDArray[Any] = np.frombuffer(data, dtype=dtype, count=n, offset=at)
    if dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError("an array holds a number that is not finite")
    return array


def _resolved(value: Any, arrays: list[NDArray[Any]]) -> Any:
    """Return content with arrays in place of the references to them."""
    if isinstance(value, list):
        return [_resolved(entry, arrays) for entry in value] if _may_refer(value) else value
    if not isinstance(value, dict):
        return value
    if value.keys() != {"array"}:
        return {key: _resolved(entry, arrays) for key, entry in value.items()}
    index = value["array"]
    if type(index) is not int or not 0 <= index < len(arrays):
        raise ValueError(f"it refers to the array {index!r}, which does not exist")
    return arrays[index]


def _may_refer(values: list[Any]) -> bool:
    # Lists of labels are long, and lists hold values of one kind.
    return any(isinstance(value, dict | list) for value in values)
