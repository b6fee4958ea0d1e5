"""The rooms of the package: what may import what, and how large a file may grow."""

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
MOST_LINES = 450

#: A room and the rooms that its modules may import when they are imported themselves.
MAY_IMPORT = {
    "files": set(),
    "tables": set(),
    "schema": {"tables"},
    "datasets": {"tables", "schema", "files"},
    "encoding": {"schema", "tables", "_core"},
    "models": {"encoding", "schema", "tables", "files", "_core"},
    "boosting": {"models", "encoding", "schema", "tables", "_core"},
    "pruning": {"boosting", "theory", "models", "encoding", "schema", "tables", "_core"},
    "theory": {"models", "encoding", "schema", "tables"},
    "show": {"models", "encoding", "schema", "tables"},
    "estimators": {
        "_core",
        "boosting",
        "pruning",
        "theory",
        "models",
        "encoding",
        "schema",
        "tables",
    },
    "experiments": {
        *("show", "theory", "pruning", "boosting"),
        *("datasets", "models", "encoding", "schema", "tables"),
    },
    "report": {"experiments", "show", "theory", "models", "schema", "tables", "files"},
    "cli": {
        *(
            "report",
            "experiments",
            "show",
            "theory",
            "pruning",
            "estimators",
            "boosting",
        ),
        *("datasets", "models", "encoding", "schema", "tables", "files", "weaklearn"),
    },
    "__main__": {"cli"},
    "weaklearn": set(),  # the package itself enters rooms only when they are used
}
#: Imports against the stream, made inside a function when it is called.
LAZY = {
    ("tables/table.py", "schema"),
    ("models/graph.py", "show"),
    ("models/impurity.py", "theory"),
    ("experiments/classifier_from_plan.py", "weaklearn"),
}


def room_of(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "weaklearn" if first == "__init__" else first


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """Rooms that a file imports, and whether it does so on being imported; types do not count."""
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
            package, _, rest = name.partition(".")
            if package == "weaklearn":
                room = rest.partition(".")[0]
                yield "weaklearn" if room in ("", "__version__") else room, at_once
        inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        stack.extend((child, at_once and not inside) for child in ast.iter_child_nodes(node))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    room = room_of(path)
    assert room in MAY_IMPORT, f"{room} is a new room: say in this test what it may import"
    for imported, at_once in imports(path):
        if imported == room:
            continue
        is_lazy = not at_once and (path.relative_to(PACKAGE).as_posix(), imported) in LAZY
        assert imported in MAY_IMPORT[room] or is_lazy, f"{room} must not import {imported}"


def test_the_rooms_have_no_circle() -> None:
    left = {room: set(others) - {"_core"} for room, others in MAY_IMPORT.items()}
    while left:
        free = {room for room, others in left.items() if not others & left.keys()}
        assert free, f"a circle among {sorted(left)}"
        left = {room: others for room, others in left.items() if room not in free}


def test_only_five_packages_touch_the_compiled_module() -> None:
    touching = {room_of(path) for path in FILES for room, _ in imports(path) if room == "_core"}
    assert touching <= {"boosting", "encoding", "estimators", "models", "pruning"}
    assert touching, "the search for imports finds none"


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
