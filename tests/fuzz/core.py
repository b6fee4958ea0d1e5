"""Fuzz the core with libFuzzer: each target in turn, from the inputs that earlier runs kept.

``python tests/fuzz/core.py build/fuzz --seconds 60`` runs the targets that CMake built there with
``-DWEAKLEARN_FUZZ=-fsanitize=fuzzer``. A finding is kept in ``build/fuzz/findings``, and the
program ends with status 1.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from fuzz.figures import record_fuzzing

CORPUS = Path(__file__).parent / "corpus"
NAMES = ["graph_arrays", "compact_graphs", "datasets"]


def main() -> int:
    """Fuzz the chosen targets in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path, help="folder in which CMake built the targets")
    parser.add_argument("--seconds", type=int, default=60, help="time of each target")
    parser.add_argument("--inputs", type=int, default=-1, help="inputs of each target")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", choices=NAMES, default=NAMES)
    parser.add_argument("--record", type=Path, default=None, help="file that collects the runs")
    options = parser.parse_args()
    findings = options.build / "findings"
    findings.mkdir(exist_ok=True)
    status = 0
    for name in options.only:
        kept = options.build / "inputs" / name
        kept.mkdir(parents=True, exist_ok=True)
        command = [options.build / "tests" / "fuzz" / f"fuzz_{name}", kept, CORPUS / name]
        command += [f"-max_total_time={options.seconds}", f"-seed={options.seed}", "-verbosity=0"]
        command += [
            f"-runs={options.inputs}",
            "-print_final_stats=1",
            f"-artifact_prefix={findings / name}-",
        ]
        start = time.monotonic()
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        tried = re.search(r"number_of_executed_units: (\d+)", done.stderr)
        assert tried is not None, done.stderr
        found = int(done.returncode != 0)  # libFuzzer ends at the first finding
        if found:
            print(done.stderr, file=sys.stderr)
            status = 1
        print(f"{name}: {int(tried[1]):,} inputs", flush=True)
        if options.record is not None:
            run = {"target": name, "seed": options.seed, "inputs": int(tried[1])}
            run |= {"seconds": round(time.monotonic() - start), "findings": found}
            record_fuzzing(options.record, run)
    return status


if __name__ == "__main__":
    sys.exit(main())
