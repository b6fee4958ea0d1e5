"""The list of mutants that cannot be noticed follows the code."""

from __future__ import annotations

from pathlib import Path

from mutation.core_files import Mutant, switched
from mutation.figures import why_unnoticed
from mutation.python_files import mutants_of

ROOT = Path(__file__).parents[2]


def test_explained_mutants_exist() -> None:
    by_file: dict[str, set[str]] = {}
    for key in why_unnoticed():
        by_file.setdefault(key.split(": ")[0], set()).add(key)
    for file, keys in by_file.items():
        text = (ROOT / file).read_text()
        if file.endswith(".py"):
            known = {f"{file}: {description}" for _, description, _ in mutants_of(text)}
        else:
            mutants: list[Mutant] = []
            switched(text, file, mutants, set())
            known = {mutant.key for mutant in mutants}
        assert not keys - known, "their lines have changed: remove them, and try the new ones"
