"""Reading files: `weaklearn.read` compared with `pandas.read_csv`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from benchmarks import data
from benchmarks.registry import Result, benchmark
from benchmarks.timing import alternate
from weaklearn import read


@benchmark("read")
def read_letter() -> Iterator[Result]:
    """Read letter from a CSV and from an ARFF file."""
    table = data.letter()
    frame = pd.DataFrame(table.X.astype(int), columns=[f"x{i}" for i in range(table.X.shape[1])])
    frame["letter"] = table.y
    declared = [f"@attribute {name} numeric" for name in frame.columns[:-1]]
    classes = ",".join(np.unique(table.y))
    with TemporaryDirectory() as folder:
        csv, arff = Path(folder) / "letter.csv", Path(folder) / "letter.arff"
        frame.to_csv(csv, index=False)
        body = frame.to_csv(index=False, header=False)
        header = ["@relation letter", *declared, f"@attribute letter {{{classes}}}", "@data"]
        arff.write_text("\n".join([*header, body]))
        from_csv, from_arff, pandas_csv = alternate(
            lambda: read(csv), lambda: read(arff), lambda: pd.read_csv(csv)
        )
    yield Result("read 20,000 x 17 from CSV", from_csv.wall, pandas_csv.wall)
    yield Result("  from ARFF", from_arff.cpu, target=0.5, note="processor time")
