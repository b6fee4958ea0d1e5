"""Mutation testing: alter one operator or number of a file at a time and run tests that must fail.

``python tests/mutation.py FILE TEST ... [--sample 50] [--seed 1] [--build FOLDER]`` prints each
mutant that survives and the share that was killed. A file of the core is compiled and linked again
for each mutant: FOLDER is a build folder of CMake that has made the compiled module.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: An operator or number of C++, and what replaces it. Spaces keep templates and includes apart.
_CPP = [
    *((" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != ")),
    *((" != ", " == "), (" + ", " - "), (" - ", " + "), (" * ", " / "), (" / ", " * ")),
    *((" && ", " || "), (" || ", " && "), (" += ", " -= "), ("++", "--"), ("!", "")),
    *(
        ("continue;", "break;"),
        ("break;", "continue;"),
        ("1.0", "2.0"),
        ("0.5", "0.6"),
        ("0.0", "1.0"),
    ),
]
_PYTHON: dict[type[ast.AST], type[ast.AST]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq},
    **{ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And},
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult},
}


def python_mutants(text: str) -> Iterator[tuple[str, str]]:
    """Yield a description of each mutant and its text."""
    count = sum(1 for _ in _places(ast.parse(text)))
    for index in range(count):
        tree = ast.parse(text)
        line, description = list(_places(tree))[index]()
        yield f"line {line}: {description}", ast.unparse(ast.fix_missing_locations(tree))


def _places(tree: ast.AST) -> Iterator[object]:
    """Yield a function for each place that alters the tree there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            for i, operator in enumerate(node.ops):
                if type(operator) in _PYTHON:
                    yield lambda node=node, i=i: _swap(node, node.ops, i)
        elif isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(node.op) in _PYTHON:
            yield lambda node=node: _swap_operator(node)
        elif isinstance(node, ast.If | ast.While | ast.IfExp):
            yield lambda node=node: _negate(node)
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            yield lambda node=node: _next_number(node)


def _swap(node: ast.Compare, operators: list[ast.cmpop], i: int) -> tuple[int, str]:
    before = ast.unparse(node)
    operators[i] = _PYTHON[type(operators[i])]()
    return node.lineno, f"{before}  ->  {ast.unparse(node)}"


def _swap_operator(node: ast.BinOp | ast.BoolOp | ast.AugAssign) -> tuple[int, str]:
    before = ast.unparse(node)
    node.op = _PYTHON[type(node.op)]()
    return node.lineno, f"{before}  ->  {ast.unparse(node)}"


def _negate(node: ast.If | ast.While | ast.IfExp) -> tuple[int, str]:
    before = ast.unparse(node.test)
    node.test = ast.UnaryOp(ast.Not(), node.test)
    return node.lineno, f"if {before}  ->  if not"


def _next_number(node: ast.Constant) -> tuple[int, str]:
    node.value += 1
    return node.lineno, f"{node.value - 1}  ->  {node.value}"


def cpp_mutants(text: str) -> Iterator[tuple[str, str]]:
    """Yield a description of each mutant and its text."""
    start = 0
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        code = re.sub(r"//.*|\"[^\"]*\"", lambda found: " " * len(found[0]), line)
        if not code.lstrip().startswith(("#", "template", "using")):
            for old, new in _CPP:
                for found in re.finditer(re.escape(old), code):
                    at = start + found.start()
                    mutant = text[:at] + new + text[at + len(old) :]
                    yield f"line {number}: {line.strip()}  [{old} -> {new}]", mutant
        start += len(line)


class Package:
    """A copy of the package in which one file is altered."""

    def __init__(self, folder: Path, path: Path, build: Path | None) -> None:
        self.folder, self.path, self.build = folder, path, build
        shutil.copytree(ROOT / "src" / "weaklearn", folder / "weaklearn")

    def alter(self, text: str) -> bool:
        """Write a mutant, and return whether it compiles."""
        if self.path.suffix == ".py":
            (self.folder / self.path.relative_to(ROOT / "src")).write_text(text)
            return True
        assert self.build is not None, "a file of the core needs --build"
        source, compiled = self.folder / "mutant.cpp", self.folder / "mutant.o"
        source.write_text(text)
        options = ["-std=c++20", "-O1", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off"]
        command = ["g++", *options, f"-I{ROOT / 'core'}", "-c", source, "-o", compiled]
        if subprocess.run(command, capture_output=True).returncode:
            return False
        (module,) = (self.folder / "weaklearn").glob("_core*.so")
        link = shlex.split((self.build / "CMakeFiles" / "_core.dir" / "link.txt").read_text())
        place = link.index("-o")
        link[place : place + 2] = ["-o", str(module), str(compiled)]
        return subprocess.run(link, cwd=self.build, capture_output=True).returncode == 0

    def passes(self, tests: list[str]) -> bool:
        """Return whether the tests pass."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
        environment = {
            **os.environ,
            "PYTHONPATH": f"{self.folder}{os.pathsep}{ROOT / 'tests'}",
            "WEAKLEARN_EXAMPLES": "40",
        }
        try:
            done = subprocess.run(
                command, env=environment, cwd=ROOT, capture_output=True, timeout=600
            )
        except subprocess.TimeoutExpired:  # the mutant does not end
            return False
        return done.returncode == 0


def main() -> None:
    """Try the mutants of a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("--sample", type=int, default=None, help="so many mutants, at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--build", type=Path, default=None)
    options = parser.parse_args()
    path = options.file.resolve()
    text = path.read_text()
    mutants = list(python_mutants(text) if path.suffix == ".py" else cpp_mutants(text))
    if options.sample is not None and options.sample < len(mutants):
        mutants = random.Random(options.seed).sample(mutants, options.sample)
    with tempfile.TemporaryDirectory() as folder:
        package = Package(Path(folder), path, options.build and options.build.resolve())
        assert package.alter(text), "the file does not compile"
        assert package.passes(options.tests), "the tests fail without a mutant"
        n_killed = n_tried = 0
        for description, mutant in mutants:
            if not package.alter(mutant):
                continue
            n_tried += 1
            if package.passes(options.tests):
                print(f"survives: {description}", flush=True)
            else:
                n_killed += 1
    print(f"{path.name}: {n_killed} of {n_tried} mutants were killed")


if __name__ == "__main__":
    main()
