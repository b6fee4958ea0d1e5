"""The memory that a fit needs is compared with what there is before work starts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import weaklearn as wl
from weaklearn.encoding import dataset, memory

ROWS = np.random.default_rng(0).random((70_000, 2))
CLASSES = (ROWS[:, 0] > 0.5).astype(int)


def give(monkeypatch: pytest.MonkeyPatch, n_bytes: int) -> None:
    """Pretend that the machine has so many bytes, and no swap."""
    for module in (dataset, memory):
        monkeypatch.setattr(module, "available_memory", lambda: n_bytes)
    monkeypatch.setattr(memory, "_from_meminfo", lambda name: 0)


def test_a_fit_that_cannot_succeed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # Two columns of 70,000 values: a code of four bytes and a place of four in each, 16 per row.
    needed = 70_000 * (16 + 2 * 8)
    give(monkeypatch, needed - 1)
    message = r"fitting 70,000 rows of 2 columns needs at least 2.1 MiB of memory.*max_bins=255"
    with pytest.raises(MemoryError, match=message):
        wl.C45Classifier().fit(ROWS, CLASSES)
    wl.C45Classifier(max_bins=255).fit(ROWS, CLASSES)
    give(monkeypatch, needed)
    wl.C45Classifier().fit(ROWS, CLASSES)


def test_bins_need_a_byte_per_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    give(monkeypatch, 70_000 * 18 - 1)
    with pytest.raises(MemoryError, match=r"Pass fewer rows, or leave out columns with ignore="):
        wl.C45Classifier(max_bins=255).fit(ROWS, CLASSES)
    give(monkeypatch, 70_000 * 18)
    wl.C45Classifier(max_bins=255).fit(ROWS, CLASSES)


def test_a_system_that_does_not_say_refuses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (dataset, memory):
        monkeypatch.setattr(module, "available_memory", lambda: None)
    wl.C45Classifier().fit(ROWS, CLASSES)


def write_group(folder: Path, **files: str) -> None:
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / f"memory.{name}").write_text(text)


def test_limits_of_control_groups(tmp_path: Path) -> None:
    stat = "anon 5\nactive_file 30\ninactive_file 20\n"
    write_group(tmp_path / "job", max="1000\n", current="700\n", stat=stat)
    write_group(tmp_path / "job/step", max="max\n", current="600\n", stat=stat)
    assert list(memory._free_in_groups(tmp_path, "0::/job/step\n")) == [350]
    assert list(memory._free_in_groups(tmp_path, "0::/elsewhere\n")) == []
    first = {"limit_in_bytes": "500\n", "usage_in_bytes": "490\n", "stat": stat}
    write_group(tmp_path / "memory/old", **first)
    assert list(memory._free_in_groups(tmp_path, "3:cpu:/old\n2:memory:/old\n")) == [60]
