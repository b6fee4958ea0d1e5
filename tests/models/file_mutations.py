"""Alter bytes of binary model files and check that loading gives an error or a model that works.

``python tests/models/file_mutations.py 100000`` tries so many mutations of the files of all kinds.
"""

from __future__ import annotations

import random
import struct
import sys
import tempfile
import warnings
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

import weaklearn as wl
from models.sample_models import MODELS, fitted, table
from weaklearn.models import LoadError

#: Bytes at which mistakes are likely: limits of types, signs, infinities, quotes, digits.
_BYTES = (0, 1, 2, 127, 128, 254, 255, *b'"{}[],:-0189eE.')


def saved_models(folder: Path) -> list[bytes]:
    """Return the bytes of a file of each kind of model."""
    models: list[Any] = [fitted(name) for name in MODELS]
    models += [fitted("c45").tree_, fitted("rules").ruleset_]
    saved = []
    for model in models:
        model.save(folder / "model.wl")
        saved.append((folder / "model.wl").read_bytes())
    return saved


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Return a file with some bytes altered, removed or inserted; often with a new checksum."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        at = chance.randrange(len(changed))
        action = chance.choice(("bit", "byte", "number", "insert", "remove", "cut", "copy"))
        if action == "bit":
            changed[at] ^= 1 << chance.randrange(8)
        elif action == "byte":
            changed[at] = chance.choice(_BYTES)
        elif action == "number":
            at -= at % 8
            number = chance.choice((0, 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1, 0x7FF0 << 48))
            changed[at : at + 8] = struct.pack("<Q", number)[: len(changed) - at]
        elif action == "insert":
            changed[at:at] = bytes(chance.choice(_BYTES) for _ in range(chance.choice((1, 8))))
        elif action == "remove":
            del changed[at : at + chance.choice((1, 8))]
        elif action == "cut":
            del changed[max(at, 33) :]
        else:
            source = chance.randrange(len(changed))
            changed[at : at + 8] = changed[source : source + 8]
        if len(changed) < 33:
            break
    if chance.random() < 0.9 and len(changed) > 32:
        repair(changed)
    return bytes(changed)


def repair(changed: bytearray) -> None:
    """Set the size and the checksum of a file, so that the checks behind them are reached."""
    struct.pack_into("<Q", changed, 16, len(changed))
    struct.pack_into("<I", changed, 12, zlib.crc32(changed[16:]))


def try_file(path: Path) -> bool:
    """Return whether a file loads; the loaded model must be able to predict."""
    X, _ = table()
    try:
        model = wl.load(path)
    except LoadError:
        return False
    rows = np.array(X, dtype=object)[:7, : len(_schema_of(model).features)]
    while rows.shape[1] < len(_schema_of(model).features):
        rows = np.hstack([rows, rows[:, :1]])
    with suppress(LoadError):  # a graph or a ruleset alone
        predictor = wl.load_predictor(path)
        with suppress(ValueError, TypeError):
            assert len(predictor.predict(rows)) == len(rows)
    with suppress(ValueError, TypeError):  # a feature may have become one of another kind
        assert len(model.predict(rows)) == len(rows)
    return True


def _schema_of(model: Any) -> Any:
    return model.schema if hasattr(model, "schema") else model._schema


def try_mutations(folder: Path, n_mutations: int, seed: int) -> int:
    """Try mutations of all kinds of files in turn, and return how many of them load."""
    chance = random.Random(seed)
    originals = saved_models(folder)
    n_loaded = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for index in range(n_mutations):
            path = folder / "mutated.wl"
            path.write_bytes(mutated(originals[index % len(originals)], chance))
            try:
                n_loaded += try_file(path)
            except BaseException:
                print(f"seed {seed}, mutation {index}: see {path}", file=sys.stderr)
                raise
    return n_loaded


if __name__ == "__main__":
    target = Path(tempfile.mkdtemp())
    count, first_seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    print(f"{try_mutations(target, count, first_seed)} of {count} mutations load")
