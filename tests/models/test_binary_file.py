"""Binary files from elsewhere: cut off, altered, of a later version."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from models.file_mutations import repair, try_mutations
from models.sample_models import fitted
from weaklearn.models import LoadError
from weaklearn.models.binary_file import MAGIC, binary_document, read_binary


def saved(folder: Path, name: str = "adaboost") -> bytearray:
    fitted(name).save(folder / "model.wl")
    return bytearray((folder / "model.wl").read_bytes())


def refused(folder: Path, data: bytes) -> str:
    path = folder / "model.wl"
    path.write_bytes(data)
    with pytest.raises(LoadError) as caught:
        wl.load(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_the_file_is_as_described(tmp_path: Path) -> None:
    data = saved(tmp_path)
    magic, version, _, size, header_size = struct.unpack_from("<8sIIQQ", data)
    assert (magic, version, size) == (MAGIC, 1, len(data))
    header = json.loads(data[32 : 32 + header_size])
    assert header_size % 8 == 0
    content = header["content"]
    assert (content["format"], content["version"]) == ("weaklearn", 2)
    entry = header["arrays"][content["members"]["n_nodes"]["array"]]
    stored = np.frombuffer(data, f"<{entry['type']}", entry["n"], 32 + header_size + entry["at"])
    assert stored.tolist() == [member.tree_.n_nodes for member in fitted("adaboost").members_]


@pytest.mark.parametrize("share", [0.0, 0.001, 0.01, 0.3, 0.9, 0.9999])
def test_a_file_that_is_cut_off(tmp_path: Path, share: float) -> None:
    data = saved(tmp_path)
    reason = refused(tmp_path, data[: int(len(data) * share)])
    assert any(words in reason for words in ("cut off", "not complete", "not JSON"))


def test_altered_bytes_are_noticed(tmp_path: Path) -> None:
    data = saved(tmp_path, "stump")
    for at in [*range(64), *range(64, len(data), 7)]:
        data[at] ^= 4
        refused(tmp_path, data)
        data[at] ^= 4


def test_a_later_version_says_what_to_do(tmp_path: Path) -> None:
    data = saved(tmp_path)
    struct.pack_into("<I", data, 8, 2)
    assert "version 2 of the format, and this weaklearn reads up to version 1" in refused(
        tmp_path, data
    )


def damaged_header(data: bytearray, change: Any) -> bytearray:
    (size,) = struct.unpack_from("<Q", data, 24)
    header = json.loads(data[32 : 32 + size])
    result = change(header)
    header = header if result is None else result
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    changed = data[:24] + struct.pack("<Q", len(text)) + text + data[32 + size :]
    repair(changed)
    return changed


def set_entry(name: str, value: Any) -> Any:
    def change(header: Any) -> None:
        header["arrays"][0][name] = value

    return change


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda _: [], "its header has no content"),
        (lambda header: {"content": header["content"]}, "no list of arrays"),
        (lambda header: {**header, "arrays": []}, "the array 0, which does not exist"),
        (lambda header: {**header, "arrays": [3]}, "an array has no known type"),
        (set_entry("type", "O"), "an array has no known type"),
        (set_entry("type", []), "an array has no known type"),
        (set_entry("n", -1), "an array has no valid place"),
        (set_entry("n", True), "an array has no valid place"),
        (set_entry("n", 10**30), "beyond the end of the file"),
        (set_entry("at", 10**30 + 1), "an array has no valid place"),
        (set_entry("at", 8 * 10**30), "beyond the end of the file"),
        (set_entry("at", 4), "an array has no valid place"),
        (set_entry("table", 5), "an array has no known type"),
        (set_entry("table", {"type": "f8", "n": 0, "at": 0}), "codes that are not in its table"),
    ],
)
def test_wrong_headers(tmp_path: Path, change: Any, reason: str) -> None:
    assert reason in refused(tmp_path, damaged_header(saved(tmp_path), change))


def test_numbers_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.wl"
    path.write_bytes(binary_document({"numbers": np.array([0.1, 1 / 3, np.inf])}))
    with open(path, "rb") as file, pytest.raises(ValueError, match="not finite"):
        read_binary(file, json.loads)


@pytest.mark.parametrize(
    "numbers",
    [
        [],
        [0.0, -0.0],
        [1.0, 2.0, 3.0],
        [1e300, 5e-324],
        [0.5, 0.25],
        [0.1] * 50,
        [2.0**40, 2.0**53, 2.0**63],
        [-1.0, 255.0],
    ],
)
def test_numbers_are_packed_without_loss(tmp_path: Path, numbers: list[float]) -> None:
    path = tmp_path / "model.wl"
    array = np.array(numbers)
    path.write_bytes(binary_document({"numbers": array, "whole": np.array([-3, 2**40])}))
    with open(path, "rb") as file:
        content = read_binary(file, json.loads)
    assert content["numbers"].astype(np.float64).tobytes() == array.tobytes()
    assert content["whole"].tolist() == [-3, 2**40]


def test_mutations_give_an_error_or_a_model_that_predicts(tmp_path: Path) -> None:
    """The program file_mutations tries more of them."""
    assert 0 < try_mutations(tmp_path, 600, seed=1) < 600
