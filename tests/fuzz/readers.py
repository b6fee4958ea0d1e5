"""Fuzz the readers of files: a file gives a result, or the error that its reader documents.

``python tests/fuzz/readers.py --seconds 60`` tries mutations of the files in ``corpus/readers`` and
of model files that are made at the start, and mutations of mutations that could be read; ``--inputs
100000`` tries so many of each kind. A finding is kept in the folder ``--findings``, and the program
ends with status 1.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

import weaklearn as wl
from fuzz.figures import record_fuzzing
from fuzz.mutate import mutate_bytes, mutate_gzip, mutate_json, mutate_parquet
from models.file_mutations import mutated as mutate_wl
from models.file_mutations import try_file as try_model
from models.sample_models import MODELS, fitted, table
from weaklearn.experiments.plan import PlanError, papers, parse_plan
from weaklearn.models import LoadError
from weaklearn.tables import ReadError

CORPUS = Path(__file__).parent / "corpus" / "readers"
#: Files in memory are written many times faster than files on a disk.
MEMORY = Path("/dev/shm")
#: Mutations of each target that are mutated again.
MOST_KEPT = 50
Mutate = Callable[[bytes, list[bytes], random.Random], bytes]


@dataclass(frozen=True)
class Target:
    """A kind of file: its seeds, how to mutate them, and what to do with a file."""

    seeds: list[bytes]
    suffix: str
    run: Callable[[Path], bool]
    mutate: Mutate = mutate_bytes


def read_table(path: Path) -> bool:
    """Return whether a table can be read; it must then be consistent."""
    try:
        read = wl.read(path)
    except ReadError:
        return False
    assert read.n_rows == len(read.y) == len(read.X) > 0
    assert not read.y.isna().any()
    assert read.X.shape[1] > 0
    return True


def read_plan(path: Path) -> bool:
    """Return whether a plan can be read."""
    try:
        text = path.read_bytes().decode()
    except UnicodeDecodeError:
        return False
    try:
        plan = parse_plan("paper", text)
    except PlanError:
        return False
    assert plan.title is not None
    return True


def load_json(path: Path) -> bool:
    """Return whether a model can be loaded from JSON; it must then work."""
    try:
        return try_model(path)
    except LoadError:
        return False


def targets(folder: Path) -> dict[str, Target]:
    """Return the kinds of files by name. Companions of C4.5's files are written to the folder."""

    def seeds(suffix: str) -> list[bytes]:
        return [path.read_bytes() for path in sorted(CORPUS.glob(f"*{suffix}"))]

    (folder / "input.names").write_bytes(seeds(".names")[0])
    (folder / "input.data").write_bytes(seeds(".data")[0])
    saved: dict[str, list[bytes]] = {"wl": [], "json": []}
    for model in [*map(fitted, MODELS), fitted("c45").tree_, fitted("rules").ruleset_]:
        for suffix, contents in saved.items():
            model.save(folder / f"seed.{suffix}")
            contents.append((folder / f"seed.{suffix}").read_bytes())
    plans = [(_plans() / f"{name}.toml").read_bytes() for name in papers()]
    return {
        "arff": Target(seeds(".arff"), ".arff", read_table),
        "names": Target(seeds(".names"), ".names", read_table),
        "data": Target(seeds(".data"), ".data", read_table),
        "csv": Target(seeds(".csv"), ".csv", read_table),
        "tsv": Target([s.replace(b",", b"\t") for s in seeds(".csv")], ".tsv", read_table),
        "gz": Target(seeds(".csv.gz"), ".csv.gz", read_table, mutate_gzip),
        "parquet": Target(seeds(".parquet"), ".parquet", read_table, mutate_parquet),
        "plan": Target([*seeds(".toml"), *plans], ".toml", read_plan),
        "json": Target(saved["json"], ".json", load_json, mutate_json),
        "wl": Target(
            saved["wl"], ".wl", try_model, lambda data, _, chance: mutate_wl(data, chance)
        ),
    }


def _plans() -> Path:
    import weaklearn.experiments

    return Path(weaklearn.experiments.__file__).parent / "plans"


class Inputs:
    """The seeds, then mutations of them and of what could be read; the same for the same seed."""

    def __init__(self, target: Target, seed: int) -> None:
        self._target, self._chance = target, random.Random(seed)
        self._parents = list(target.seeds)
        self._most_bytes = 2 * max(map(len, target.seeds))

    def __iter__(self) -> Iterator[bytes]:
        yield from self._target.seeds
        while True:
            parent = self._chance.choice(self._parents)
            yield self._target.mutate(parent, self._target.seeds, self._chance)

    def keep(self, data: bytes) -> None:
        """Add a mutation that could be read to the parents of the next ones, in a random place."""
        if len(data) > self._most_bytes:
            return
        n_seeds = len(self._target.seeds)
        if len(self._parents) < n_seeds + MOST_KEPT:
            self._parents.append(data)
        else:
            self._parents[n_seeds + self._chance.randrange(MOST_KEPT)] = data


def run(target: Target, name: str, data: bytes, folder: Path) -> bool:
    """Try one input and return whether it could be read."""
    path = folder / f"input{target.suffix}"
    original = path.read_bytes() if name in ("names", "data") else None
    path.write_bytes(data)
    try:
        return target.run(path)
    finally:
        if original is not None:
            path.write_bytes(original)


def main(arguments: list[str] | None = None) -> int:
    """Fuzz the chosen targets in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--inputs", type=int, default=None, help="inputs of each target")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="*", default=None, help="names of targets")
    parser.add_argument("--findings", type=Path, default=Path("findings"))
    parser.add_argument("--record", type=Path, default=None, help="file that collects the runs")
    options = parser.parse_args(arguments)
    table()
    all_found = 0
    with (
        tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name,
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
    ):
        warnings.simplefilter("ignore")
        folder = Path(name)
        chosen = {
            kind: target
            for kind, target in targets(folder).items()
            if options.only is None or kind in options.only
        }
        for kind, target in chosen.items():
            end = time.monotonic() + options.seconds / len(chosen)
            start = time.monotonic()
            tried = read = found = 0
            inputs = Inputs(target, options.seed)
            for data in inputs:
                if tried == options.inputs or time.monotonic() > end:
                    break
                tried += 1
                try:
                    if run(target, kind, data, folder):
                        read += 1
                        inputs.keep(data)
                except Exception:
                    found += 1
                    options.findings.mkdir(parents=True, exist_ok=True)
                    place = options.findings / f"{kind}-{options.seed}-{tried}{target.suffix}"
                    place.write_bytes(data)
                    print(f"{place}:\n{traceback.format_exc(limit=-4)}", flush=True)
            print(f"{kind}: {tried:,} inputs, {read:,} of them could be read", flush=True)
            all_found += found
            if options.record is not None:
                record = {"target": kind, "seed": options.seed, "inputs": tried, "read": read}
                record |= {"seconds": round(time.monotonic() - start), "findings": found}
                record_fuzzing(options.record, record)
    return int(all_found > 0)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        sys.exit(main())
