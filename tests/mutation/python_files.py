"""Mutation testing of Python files: alter one operator or number at a time; a test has to fail.

``python tests/mutation/python_files.py FILE TEST ... [--sample 50] [--seed 1]`` prints each mutant
that survives and the share that was killed. ``--record FILE`` keeps the result, and ``--survivors
FILE`` tries only what survived the last run of the file. A mutant of which
unnoticed.toml says why it cannot be noticed is not tried. core_files.py does the same for the core.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import resource
import shutil
import sys
import sysconfig
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

# Each mutant is tested in a fork of this process, which has what takes long to import.
import hypothesis  # noqa: F401
import numpy as np  # noqa: F401
import pandas as pd  # noqa: F401
import pytest
import sklearn.base
import sklearn.model_selection  # noqa: F401

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from mutation.figures import Result, key_of, last_run, record_mutation, why_unnoticed

ROOT = Path(__file__).resolve().parent.parent.parent
_PYTHON: dict[type[ast.AST], type[ast.AST]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq},
    **{ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And},
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult},
}


def mutants_of(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line of each mutant, its description, and the text of the file."""
    count = sum(1 for _ in _places(ast.parse(text)))
    lines = text.splitlines()
    seen: Counter[str] = Counter()
    for index in range(count):
        tree = ast.parse(text)
        line, change = list(_places(tree))[index]()
        altered = ast.unparse(ast.fix_missing_locations(tree))
        seen[f"{line} {change}"] += 1
        nth = seen[f"{line} {change}"]
        change = f"#{nth} {change}" if nth > 1 else change
        yield line, f"{lines[line - 1].strip()}  [{change}]", altered


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
            if ast.unparse(node.test) != "TYPE_CHECKING":  # for mypy only
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


def passes(package: Path, tests: list[str], seconds: int) -> bool:
    """Return whether the tests pass, within this time, with the package of a folder."""
    assert "weaklearn" not in sys.modules, "the tests would not import the altered package"
    child = os.fork()
    if child == 0:
        # Time of the processor, so that a busy machine changes nothing. Some mutants do not end.
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        os.environ["WEAKLEARN_EXAMPLES"] = "40"
        sys.path[:0] = [str(package), str(ROOT / "tests")]
        # An editable install finds its package before these folders are searched.
        editable = "ScikitBuildRedirectingFinder"
        sys.meta_path[:] = [f for f in sys.meta_path if type(f).__name__ != editable]
        os.chdir(ROOT)
        options = ["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-profile=mutation"]
        os._exit(int(pytest.main([*options, *tests])))
    return os.waitpid(child, 0)[1] == 0


def main() -> None:
    """Try the mutants of a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("--sample", type=int, default=None, help="so many mutants, at random")
    parser.add_argument("--survivors", type=Path, default=None)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", type=Path, default=None)
    options = parser.parse_args()
    path = options.file.resolve()
    text = path.read_text()
    mutants = list(mutants_of(text))
    result = Result([str(path.relative_to(ROOT))], len(mutants), len(mutants), options.seed)
    if options.survivors is not None:
        last = last_run(options.survivors, result.sources)
        result.tried = last["tried"]
        keys = {key_of(name) for name in last["survivors"]}
        mutants = [mutant for mutant in mutants if f"{result.sources[0]}: {mutant[1]}" in keys]
    elif options.sample is not None and options.sample < len(mutants):
        mutants = random.Random(options.seed).sample(mutants, options.sample)
        result.tried = options.sample
    reasons = why_unnoticed()
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder)
        shutil.copytree(ROOT / "src" / "weaklearn", package / "weaklearn")
        (module,) = Path(sysconfig.get_path("platlib"), "weaklearn").glob("_core*")
        shutil.copy(module, package / "weaklearn")
        altered = package / path.relative_to(ROOT / "src")
        assert passes(package, options.tests, 3600), "the tests fail without a mutant"
        limit = 10 + 5 * int(os.times().children_user + os.times().children_system)
        for line, description, mutant in mutants:
            name = f"{result.sources[0]}:{line}: {description}"
            if f"{result.sources[0]}: {description}" in reasons:
                result.explained.append(name)
                continue
            altered.write_text(mutant)
            if passes(package, options.tests, limit):
                result.survivors.append(name)
                print(f"survives: {name}", flush=True)
    print(result)
    if options.record is not None:
        record_mutation(options.record, result)


if __name__ == "__main__":
    main()
