"""Check which folders of the core include which, and that one header holds compiler extensions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
FILES = sorted(
    path
    for folder in ("core", "bindings")
    for suffix in ("*.hpp", "*.cpp")
    for path in (PROJECT / folder).rglob(suffix)
)
BELOW_SPLITS = {"parallel", "data", "criteria", "graph"}

#: A folder, and the other folders whose headers its files may include.
MAY_INCLUDE = {
    "parallel": set(),
    "data": {"parallel"},
    "criteria": {"parallel"},
    "graph": {"parallel", "data", "criteria"},
    "explain": {"parallel", "data", "graph"},
    "splits": BELOW_SPLITS,
    "tree": {"splits", *BELOW_SPLITS},
    "release8": {"parallel", "data", "graph"},
    "program": {"tree", "splits", *BELOW_SPLITS},
    "oblique": {"tree", "splits", *BELOW_SPLITS},
    "separators": {"tree", "splits", *BELOW_SPLITS},
    "rules": {"release8", "tree", "splits", *BELOW_SPLITS},
    "fit": {
        *("release8", "program", "oblique", "separators", "rules", "tree", "splits"),
        *BELOW_SPLITS,
    },
}
MAY_INCLUDE["tests"] = set(MAY_INCLUDE)
MAY_INCLUDE["bindings"] = {"fit", "data", "graph", "explain", "rules", "criteria"}
#: Formulas that Python asks for by themselves, without a fit.
FORMULAS_FOR_PYTHON = {
    "tree/pessimistic_errors.hpp",
    "release8/pessimistic_errors.hpp",
    "separators/g2_arithmetic.hpp",
}


def folder_of(path: Path) -> str:
    """Return the folder of the core that a file is in, or "bindings"."""
    parts = path.relative_to(PROJECT).parts
    return parts[0] if parts[0] == "bindings" else parts[1]


def includes(path: Path) -> Iterator[str]:
    """Yield the headers that a file includes from this project."""
    for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(), flags=re.MULTILINE):
        yield name if "/" in name else f"{folder_of(path)}/{name}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PROJECT)))
def test_includes_go_one_way(path: Path) -> None:
    folder = folder_of(path)
    assert folder in MAY_INCLUDE, f"{folder} is a new folder: add it to MAY_INCLUDE"
    for header in includes(path):
        included = header.partition("/")[0]
        if included == folder or (folder == "bindings" and header in FORMULAS_FOR_PYTHON):
            continue
        assert included in MAY_INCLUDE[folder], f"{folder} must not include {header}"


def test_the_exceptions_are_needed() -> None:
    of_bindings = {
        header for path in FILES if folder_of(path) == "bindings" for header in includes(path)
    }
    assert of_bindings >= FORMULAS_FOR_PYTHON


def test_the_include_order_has_no_cycle() -> None:
    remaining = {folder: set(others) for folder, others in MAY_INCLUDE.items()}
    while remaining:
        free = {folder for folder, others in remaining.items() if not others & remaining.keys()}
        assert free, f"a cycle among {sorted(remaining)}"
        remaining = {folder: others for folder, others in remaining.items() if folder not in free}


def test_the_search_finds_includes() -> None:
    assert "data/dataset.hpp" in {header for path in FILES for header in includes(path)}


def test_compiler_extensions_are_in_one_header() -> None:
    extension = re.compile(
        r"__attribute__|__builtin_|__int128|__restrict|aligned_alloc|\bM_PI\b|\bssize_t\b|\[\[gnu::|immintrin\.h"
    )
    users = [
        path.relative_to(PROJECT / "core") for path in FILES if extension.search(path.read_text())
    ]
    assert [path.as_posix() for path in users] == ["parallel/simd.hpp"]


def test_nothing_is_used_that_clang_14_cannot_compile() -> None:
    # Its support for concepts lacks what these templates of libstdc++ 12 need.
    lacking = re.compile(r"ranges::(unique|remove|remove_if|subrange)\b|views::")
    assert [path for path in FILES if lacking.search(path.read_text())] == []
