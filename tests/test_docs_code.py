"""The Python examples of README.md and of the pages in docs/ run and print what they show.

The blocks of a page run from top to bottom in one namespace, in an empty working directory. A
block of text directly after a block of Python is its expected output. A block that starts with
```python no-run is skipped, and a comment in its first line says why.
"""

from __future__ import annotations

import contextlib
import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [
    path
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if "```python" in path.read_text()
]

#: Packages that pages may use, and that an installation may lack.
OPTIONAL = ("duckdb", "fastapi", "onnxruntime", "pyarrow", "skl2onnx")

_FENCE = re.compile(r"^```(?P<kind>[^\n`]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A block of Python with the line where it starts, and the output that the page shows."""

    line: int
    code: str
    runs: bool
    output: str | None


def read_blocks(page: str) -> list[Block]:
    """Return the Python blocks of a page."""
    fences = list(_FENCE.finditer(page))
    blocks = []
    for fence, following in zip(fences, [*fences[1:], None], strict=False):
        language, *options = fence["kind"].split() or [""]
        if language != "python":
            continue
        shows_output = (
            following is not None
            and following["kind"].strip() == "text"
            and not page[fence.end() : following.start()].strip()
        )
        line = page.count("\n", 0, fence.start("body")) + 1
        output = following["body"] if following is not None and shows_output else None
        blocks.append(Block(line, fence["body"], "no-run" not in options, output))
    return blocks


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_page_runs_and_prints_what_it_shows(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WEAKLEARN_DATA", raising=False)  # pages show what every user sees
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for block in read_blocks(path.read_text()):
        if not block.runs:
            reason = block.code.lstrip().splitlines()[0]
            assert reason.startswith("# "), f"{path.name}:{block.line}: say why it does not run"
            continue
        printed = io.StringIO()
        # Empty lines in front, so that a traceback shows the line of the page.
        code = compile("\n" * (block.line - 1) + block.code, str(path), "exec")
        try:
            with contextlib.redirect_stdout(printed):
                exec(code, namespace)
        except ModuleNotFoundError as error:
            if error.name not in OPTIONAL:
                raise
            pytest.skip(f"{path.name}:{block.line} needs {error.name}")
        if block.output is not None:
            assert printed.getvalue() == block.output, f"{path.name}:{block.line}"


def test_blocks_are_found_with_their_options_and_output() -> None:
    page = (
        "```python\na = 1\n```\n\n```text\none\n```\n\n"
        "```python no-run\n# why\n```\n\nBetween.\n\n```text\nnot output\n```\n\n```sh\nmake\n```\n"
    )
    first, second = read_blocks(page)
    assert first == Block(2, "a = 1\n", True, "one\n")
    assert second == Block(10, "# why\n", False, None)


def test_tests_and_programs_that_pages_name_exist() -> None:
    named = re.compile(r"\b(?:tests|examples|benchmarks)/[\w/]+\.py\b")
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        absent = [name for name in named.findall(path.read_text()) if not (ROOT / name).exists()]
        assert absent == [], path.name
