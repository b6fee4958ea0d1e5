"""A file that is written is the old one or the new one, whatever goes wrong."""

from __future__ import annotations

import ast
import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import weaklearn as wl
from test_installed_package import table
from weaklearn.files import write_atomically

SOURCE = Path(wl.__file__).parent
on_posix = pytest.mark.skipif(sys.platform == "win32", reason="needs limits of processes")


def write_table(path: Path) -> None:
    from weaklearn.datasets.cache import store

    pytest.importorskip("pandas")
    store(wl.read(Path(__file__).parent.parent / "fuzz/corpus/readers/small.arff"), path)


def write_onnx(fitted: Any, path: Path) -> None:
    pytest.importorskip("onnx")
    wl.export.onnx(fitted, path)


def model() -> Any:
    return wl.AdaBoostM1Classifier(n_rounds=3).fit(*table())


#: Every way to write a file, by the name of the file.
WRITERS: dict[str, Callable[[Any, Path], object]] = {
    "model.json": lambda fitted, path: fitted.save(path),
    "model.wl": lambda fitted, path: fitted.save(path),
    "tree.json": lambda fitted, path: fitted.members_[0].graph_.save(path),
    "model.h": lambda fitted, path: wl.export.c(fitted, path.with_suffix("")),
    "model.js": lambda fitted, path: wl.export.js(fitted, path),
    "model.sql": lambda fitted, path: wl.export.sql(fitted, path=path),
    "model.onnx": write_onnx,
    "table.arff": lambda fitted, path: write_table(path),
}
for_all = pytest.mark.parametrize("name", WRITERS)


@for_all
@on_posix
@pytest.mark.parametrize("n_bytes", [0, 1, 200])
def test_a_full_disk_keeps_the_old_file(name: str, n_bytes: int, tmp_path: Path) -> None:
    import resource

    path = tmp_path / name
    fitted = model()
    path.write_bytes(b"old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, limits[1]))  # write() fails beyond it
    try:
        with pytest.raises(OSError, match="too large"):
            WRITERS[name](fitted, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
    WRITERS[name](fitted, path)
    assert path.read_bytes() != b"old"


READ_ONLY = """
import os, sys
from pathlib import Path
from weaklearn.files import write_atomically
folder = Path(sys.argv[1])
if os.geteuid() == 0:
    os.setuid(65534)  # the administrator may write everywhere
for name in ("old", "new"):
    try:
        write_atomically(folder / name, b"new content")
    except PermissionError:
        print("refused")
"""


@on_posix
def test_a_read_only_folder_keeps_the_old_file(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "old").write_bytes(b"old")
    for parent in (tmp_path, *tmp_path.parents[:2]):
        parent.chmod(0o755)
    folder.chmod(0o555)
    try:
        done = subprocess.run(
            [sys.executable, "-c", READ_ONLY, str(folder)], capture_output=True, text=True
        )
    finally:
        folder.chmod(0o755)
    assert done.stdout.split() == ["refused", "refused"], done.stderr
    assert [entry.name for entry in folder.iterdir()] == ["old"]
    assert (folder / "old").read_bytes() == b"old"


KILLED = """
import sys
from pathlib import Path
from weaklearn.files import write_atomically
path, size = Path(sys.argv[1]), int(sys.argv[2])
while True:
    for letter in (b"a", b"b"):
        write_atomically(path, letter * size)
        print(letter.decode(), flush=True)
"""


@pytest.mark.parametrize("n_writes", [1, 2, 5, 9])
def test_a_killed_process_leaves_a_whole_file(n_writes: int, tmp_path: Path) -> None:
    path, size = tmp_path / "file", 1 << 20
    command = [sys.executable, "-c", KILLED, str(path), str(size)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(n_writes):
            process.stdout.readline()
        process.kill()  # in the middle of the next write, or between two
    content = path.read_bytes()
    assert content in (b"a" * size, b"b" * size)
    drafts = [entry for entry in tmp_path.iterdir() if entry != path]
    assert len(drafts) <= 1
    assert all(entry.name.endswith(".tmp") for entry in drafts)


def test_a_failure_while_renaming_keeps_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    for name in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, fail)
            with pytest.raises(KeyboardInterrupt):
                write_atomically(path, b"new")
        assert path.read_bytes() == b"old"
        assert list(tmp_path.iterdir()) == [path]


def test_the_error_of_a_full_disk_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space left on device") as caught:
        write_atomically(path, b"new")
    assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, str(path))
    assert not list(tmp_path.iterdir())


def test_the_error_of_a_file_that_cannot_be_made_names_it(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 255)  # with the suffix of a draft, the name is too long
    with pytest.raises(OSError, match=path.name) as caught:
        write_atomically(path, b"new")
    assert caught.value.filename == str(path)


#: Calls that write files in other ways, and why that is right.
OTHER_WRITERS = {
    "files.py: open",  # this is the one that the others use
    "models/saving.py: open",  # opened for reading
    "experiments/comparison_units.py: write_bytes",  # in a temporary folder of its own
    "experiments/result_store.py: connect",  # SQLite has a journal: see test_result_store.py
}


def test_all_files_are_written_by_one_function() -> None:
    found = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            module = getattr(getattr(node.func, "value", None), "id", "")
            if name in ("write_text", "write_bytes", "mkstemp") or (
                (module, name) in (("", "open"), ("sqlite3", "connect"), ("os", "open"))
            ):
                found.add(f"{path.relative_to(SOURCE).as_posix()}: {name}")
    assert found == OTHER_WRITERS
