"""Sizes of the files of a large committee: ``python -m benchmarks.model_files``.

Writes docs/data/files.json, which docs/guides/files.md and docs/studies/speed.md show.
"""

from __future__ import annotations

import pickle
import tempfile
from pathlib import Path

import weaklearn as wl
from benchmarks.docs_data import write_docs_data

OUTPUT = Path(__file__).resolve().parent.parent / "docs" / "data" / "files.json"
FORMS = {
    ".wl": "binary: small, loads quickly",
    ".json": "text that any program can read",
    ".json.gz": "the same text, compressed",
}


def main() -> None:
    """Boost 100 trees on letter, save them in each form, and write the sizes."""
    table = wl.datasets.load("letter")
    model = wl.AdaBoostM1Classifier(n_rounds=100).fit(table.X, table.y)
    n_nodes = sum(member.tree_.n_nodes for member in model)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for suffix, form in FORMS.items():
            path = Path(folder, f"letter{suffix}")
            model.save(path)
            rows.append([f"`{suffix}`", form, f"{path.stat().st_size / 1e6:.1f} MB"])
    pickled = f"{len(pickle.dumps(model)) / 1e6:.0f} MB"
    write_docs_data(
        OUTPUT,
        "python -m benchmarks.model_files",
        {"forms": (["suffix", "form", f"{len(model)} boosted trees of letter"], rows)},
        {"n-nodes": f"{n_nodes:,}", "pickled": pickled},
    )
    print(*rows, f"{n_nodes:,} nodes, pickled {pickled}", sep="\n")


if __name__ == "__main__":
    main()
