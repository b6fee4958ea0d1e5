"""Which package may import which, and how long a file may be."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import weaklearn

PACKAGE = Path(weaklearn.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
MOST_LINES = 410

#: The packages and modules that each one may import when it is imported itself. The order is
#: cli -> report -> experiments -> estimators -> {boosting, pruning, theory, explain, export,
#: show} -> models -> encoding -> schema -> tables.
_DATA = {"tables", "schema", "encoding", "user_warnings", "optional_packages"}
_MODELS = {*_DATA, "models"}
MAY_IMPORT: dict[str, set[str]] = {
    "files": set(),
    "optional_packages": set(),
    "user_warnings": set(),
    "tables": {"user_warnings", "optional_packages", "_core"},
    "schema": {"tables", "user_warnings"},
    "datasets": {"tables", "schema", "files", "user_warnings", "optional_packages"},
    "encoding": {"tables", "schema", "user_warnings", "_core"},
    "costs": _DATA,
    "models": {*_DATA, "files", "_core"},
    "boosting": {*_MODELS, "_core"},
    "theory": _MODELS,
    "show": _MODELS,
    "explain": {*_MODELS, "show"},
    "export": {*_MODELS, "files"},
    "pruning": {*_MODELS, "boosting", "theory", "_core"},
    "estimators": {
        *(*_MODELS, "boosting", "pruning", "theory", "explain", "export", "costs", "_core"),
    },
    "rules": {"models", "estimators", "explain"},
    "experiments": {
        *(*_MODELS, "boosting", "costs", "pruning", "theory", "show", "datasets", "estimators"),
    },
    "dask": {*_DATA, "boosting", "models", "estimators", "_core"},
    "report": {"tables", "schema", "models", "theory", "pruning", "show", "experiments", "files"},
    "cli": {
        *(*_MODELS, "boosting", "pruning", "theory", "explain", "show", "datasets", "files"),
        *("costs", "estimators", "experiments", "export", "report", "weaklearn"),
    },
    "__main__": {"cli"},
    "weaklearn": set(),  # the package itself imports the others only when they are used
}
#: Imports against this order. They are inside a function, and run when it is called.
LAZY = {
    ("tables/table.py", "schema"),
    ("models/graph.py", "show"),
    ("models/graph.py", "explain"),
    ("models/ruleset.py", "show"),
    ("models/ruleset.py", "explain"),
    ("models/impurity.py", "theory"),
    ("experiments/classifier_from_plan.py", "weaklearn"),
    ("export/onnx_pipelines.py", "estimators"),
}


def package_of(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "weaklearn" if first == "__init__" else first


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield the packages that a file imports, and whether it does so when it is imported itself.

    Imports for type checking do not count.
    """
    stack: list[tuple[ast.AST, bool]] = [(ast.parse(path.read_text()), True)]
    while stack:
        node, at_once = stack.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            stack.extend((child, at_once) for child in node.orelse)
            continue
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write the import from the root"
            names = [node.module or ""]
            if node.module == "weaklearn":
                names = [f"weaklearn.{alias.name}" for alias in node.names]
        for name in names:
            root, _, rest = name.partition(".")
            if root == "weaklearn":
                package = rest.partition(".")[0]
                yield "weaklearn" if package in ("", "__version__") else package, at_once
        inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        stack.extend((child, at_once and not inside) for child in ast.iter_child_nodes(node))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    package = package_of(path)
    assert package in MAY_IMPORT, f"{package} is new: list in MAY_IMPORT what it may import"
    for imported, at_once in imports(path):
        if imported == package:
            continue
        is_lazy = not at_once and (path.relative_to(PACKAGE).as_posix(), imported) in LAZY
        assert imported in MAY_IMPORT[package] or is_lazy, f"{package} must not import {imported}"


def test_the_import_order_has_no_circle() -> None:
    remaining = {package: others - {"_core"} for package, others in MAY_IMPORT.items()}
    while remaining:
        free = {package for package, others in remaining.items() if not others & remaining.keys()}
        assert free, f"a circle among {sorted(remaining)}"
        remaining = {p: others for p, others in remaining.items() if p not in free}


def test_only_some_packages_import_the_compiled_module() -> None:
    importing = {package_of(path) for path in FILES for name, _ in imports(path) if name == "_core"}
    assert importing == {
        *("boosting", "dask", "encoding", "estimators", "models", "pruning", "tables")
    }


def test_no_file_is_too_long() -> None:
    too_long = {
        str(path.relative_to(PACKAGE)): n
        for path in FILES
        if (n := len(path.read_text().splitlines())) > MOST_LINES
    }
    assert not too_long


def modules_after(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300
    )
    return set(done.stdout.split())


def test_importing_the_package_is_light() -> None:
    heavy = {"pandas", "matplotlib", "typer", "rich", "polars", "pyarrow"}
    assert not modules_after("import weaklearn") & heavy
