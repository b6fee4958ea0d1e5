"""Mutation testing of the core: all mutants are compiled at once, and one is chosen at run time.

``python tests/mutation/core_files.py core/splits core/criteria`` alters one operator, condition or
number of these files at a time, and runs the core's own tests, then Python tests (``--python``) if
those do not notice. ``--sample 200`` tries so many mutants, drawn at random, and ``--only
core/splits/subset`` those of some of the files that were compiled. It prints each mutant
that survives, and the share that was killed. ``--record FILE`` keeps the result, and ``--survivors
FILE`` tries only what survived the last run of the same files. unnoticed.toml says why a mutant
cannot be noticed; such a mutant is not tried.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from mutation.figures import Result, key_of, last_run, record_mutation, why_unnoticed

ROOT = Path(__file__).resolve().parent.parent.parent
HEADER = Path(__file__).resolve().parent / "switches.hpp"
_BINARY = {
    **{"<": "Less", "<=": "AtMost", ">": "Greater", ">=": "AtLeast", "==": "Equal"},
    **{"!=": "Unequal", "+": "Plus", "-": "Minus", "*": "Times", "/": "Over"},
    **{"+=": "Add", "-=": "Subtract", "*=": "Multiply"},
}
#: What is altered. clang-format puts spaces around binary operators, and none into templates.
_PLACES = re.compile(
    r"(?<= )(?P<binary><=|>=|==|!=|\+=|-=|\*=|[<>+\-*/])(?=\s)|(?<= )(?P<logic>&&|\|\|)(?=\s)"
    r"|(?P<negation>!)(?!=)|\b(?P<truth>true|false)\b|(?P<skip>continue;)"
    r"|(?<![\w.])(?P<number>\d+\.\d+(?:e-?\d+)?f?|\d+e-?\d+)(?![\w.])"
)
#: Lines that the compiler evaluates, or that are not expressions.
_FIXED = re.compile(r"^\s*(#|template|using|static_assert|concept)|constexpr|requires|operator")

#: An editable install finds its package before PYTHONPATH is read. Python runs this when it starts.
_WITHOUT_EDITABLE = """import sys
sys.meta_path[:] = [f for f in sys.meta_path if type(f).__name__ != "ScikitBuildRedirectingFinder"]
"""


@dataclass(frozen=True)
class Mutant:
    """A place of a file, and how it is altered."""

    file: str
    line: int
    text: str
    change: str
    compiles: bool

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}  [{self.change}]"

    @property
    def key(self) -> str:
        """What unnoticed.toml names the mutant by: lines move."""
        return f"{self.file}: {self.text}  [{self.change}]"


def switched(text: str, file: str, mutants: list[Mutant], dropped: set[tuple[str, int]]) -> str:
    """Return the text with a switch at each place, and add the mutants to the list."""
    lines = []
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        code = re.sub(r"//.*|\"[^\"]*\"|'[^']'", lambda found: "~" * len(found[0]), line)
        if _FIXED.search(code):
            lines.append(line)
            continue
        compiles = (file, number) not in dropped and "..." not in code
        pieces, end, first = [], 0, len(mutants)
        for found in _PLACES.finditer(code):
            pieces.append(line[end : found.start()])
            end = found.end()

            def new(change: str, place: tuple[str, int, str] = (file, number, line.strip())) -> int:
                same = re.compile(rf"(#\d+ )?{re.escape(change)}")
                earlier = [m for m in mutants[first:] if same.fullmatch(m.change)]  # noqa: B023
                nth = f"#{len(earlier) + 1} " if earlier else ""
                mutants.append(Mutant(*place, nth + change, compiles))  # noqa: B023
                return len(mutants) - 1

            pieces.append(_switch(found, new))
        # The others keep their numbers, so that their files are not compiled again.
        lines.append("".join(pieces) + line[end:] if compiles else line)
    return "".join(lines)


def _switch(found: re.Match[str], new) -> str:  # type: ignore[no-untyped-def]
    text = found[0]
    if found["binary"]:
        return f"{text} mutation::{_BINARY[text]}<{new(text)}>{{}} {text}"
    if found["logic"]:
        kind, joint = ("True", "|") if text == "&&" else ("False", "&")
        first, second = new(f"without what is before {text}"), new(f"without what is after {text}")
        before = f"{joint} mutation::{kind}<{first}>{{}}"
        return f"{before} {text} mutation::{kind}<{second}>{{}} {joint}"
    if found["negation"]:
        return f"mutation::Not<{new('!')}>{{}}->*"
    if found["truth"]:
        return f"mutation::flip<{new(text)}>({text})"
    if found["skip"]:
        return f"{{ if (mutation::on<{new('break for continue')}>()) break; continue; }}"
    return f"mutation::number<{new(text)}>({text})"


def write_if_new(path: Path, text: str) -> None:
    """Write a file unless it has this text, so that it is not compiled again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def build(work: Path, sources: list[str]) -> list[Mutant]:
    """Compile the core with all mutants, its tests and the Python module; return the mutants."""
    tree = work / "tree"
    files = [path for name in sources for path in _sources(ROOT / name)]
    for name in ("bindings", "core", "tests/fuzz", "CMakeLists.txt"):
        for path in [ROOT / name, *(ROOT / name).rglob("*")]:
            if path.suffix in (".cpp", ".hpp", ".txt") and path not in files:
                write_if_new(tree / path.relative_to(ROOT), path.read_text())
    dropped: set[tuple[str, int]] = set()
    for _ in range(8):
        mutants: list[Mutant] = []
        for path in files:
            file = str(path.relative_to(ROOT))
            write_if_new(tree / file, switched(path.read_text(), file, mutants, dropped))
        write_if_new(work / "switches.hpp", HEADER.read_text())
        if _compiled(work, dropped):
            return mutants
    raise SystemExit("the mutants cannot be compiled: see build.log")


def _sources(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    else:
        yield from sorted([*path.glob("*.hpp"), *path.glob("*.cpp")])


def _compiled(work: Path, dropped: set[tuple[str, int]]) -> bool:
    """Compile; on errors, add the places where they are to `dropped`."""
    python = sys.executable
    command = [python, "-m", "nanobind", "--cmake_dir"]
    nanobind = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    # Checks of the standard library notice a loop that reads beyond the end of a vector.
    flags = "-std=c++20 -w -O1 -D_GLIBCXX_ASSERTIONS -DMUTATION_COUNT=20000"
    flags += f" -include {work / 'switches.hpp'}"
    configure = ["cmake", "-S", work / "tree", "-B", work / "build", "-G", "Ninja"]
    configure += ["-DWEAKLEARN_TESTS=ON", "-DWEAKLEARN_BINDINGS=ON", "-DCMAKE_BUILD_TYPE=None"]
    configure += [f"-DCMAKE_CXX_FLAGS={flags}", f"-DPython_EXECUTABLE={python}"]
    configure += [f"-Dnanobind_DIR={nanobind}"]
    if shutil.which("ccache"):
        configure.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    with (work / "build.log").open("w") as log:
        subprocess.run(configure, stdout=log, stderr=log, check=True)
        make = ["cmake", "--build", work / "build", "-j2", "--target", "core_tests", "_core"]
        done = subprocess.run([*make, "--", "-k", "0"], stdout=log, stderr=log)
    text = (work / "build.log").read_text()
    places = re.findall(rf"{re.escape(str(work / 'tree'))}/(\S+?):(\d+):\d+: error", text)
    if done.returncode:
        print(f"{len(set(places))} lines cannot be altered", flush=True)
    dropped |= {(file, int(line)) for file, line in places}
    return done.returncode == 0


class Tests:
    """The tests, the mutants that each of them reaches, and the time that it takes."""

    def __init__(self, work: Path, python_tests: list[str]) -> None:
        build, self._environment = work / "build", {**os.environ, "WEAKLEARN_EXAMPLES": "40"}
        package = work / "package"
        shutil.copytree(ROOT / "src" / "weaklearn", package / "weaklearn", dirs_exist_ok=True)
        (module,) = build.glob("_core*.so")
        shutil.copy(module, package / "weaklearn")
        (package / "sitecustomize.py").write_text(_WITHOUT_EDITABLE)
        self._environment["PYTHONPATH"] = f"{package}{os.pathsep}{ROOT / 'tests'}"
        pytest = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        pytest.append("--hypothesis-profile=mutation")
        programs = [
            path for path in sorted((build / "core/tests").glob("test_*")) if path.is_file()
        ]
        commands = [[str(path)] for path in programs if os.access(path, os.X_OK)]
        commands += [[*pytest, name] for name in python_tests]
        self.known: list[tuple[float, list[str], set[int]]] = []
        for command in commands:
            record = work / "reached.txt"
            record.unlink(missing_ok=True)
            start = os.times()
            done = self._run(command, {"WEAKLEARN_REACHED": str(record)}, 3600)
            end = os.times()
            assert done == 0, f"{command} fails without a mutant"
            seconds = end.children_user + end.children_system
            seconds -= start.children_user + start.children_system
            reached = (
                {int(line) for line in record.read_text().split()} if record.exists() else set()
            )
            self.known.append((seconds, command, reached))
            print(f"{command[-1]}: {seconds:.1f} s, reaches {len(reached)}", flush=True)
            assert reached or command[0] != sys.executable, "it imports another weaklearn"

    def _run(self, command: list[str], extra: dict[str, str], seconds: float) -> int:
        def limit() -> None:
            # Time of the processor, so that a busy machine changes nothing.
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        environment = {**self._environment, **extra}
        pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.run(
            command, env=environment, cwd=ROOT, preexec_fn=limit, **pipes
        ).returncode

    def killer_of(self, mutant: int) -> str | None:
        """Return the first test that notices a mutant, the quickest ones first."""
        for seconds, command, reached in sorted(self.known, key=lambda test: test[0]):
            if mutant in reached:
                limit = 10 + 5 * seconds
                if self._run(command, {"WEAKLEARN_MUTANT": str(mutant)}, limit):
                    return Path(command[-1]).name
        return None


def main() -> None:
    """Try the mutants of the chosen files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="+", help="files or folders of the core")
    parser.add_argument("--python", nargs="*", default=[], help="Python tests")
    parser.add_argument("--only", default="", help="the beginning of the names of files")
    parser.add_argument("--sample", type=int, default=None)
    parser.add_argument("--survivors", type=Path, default=None)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "mutation")
    parser.add_argument("--record", type=Path, default=None)
    options = parser.parse_args()
    work = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    mutants = build(work, options.sources)
    tests = Tests(work, options.python)
    tried = [mutant.compiles and mutant.file.startswith(options.only) for mutant in mutants]
    chosen = [index for index in range(len(mutants)) if tried[index]]
    sources = [options.only] if options.only else options.sources
    n_mutants = n_tried = len(chosen)
    if options.survivors is not None:
        last = last_run(options.survivors, sources)
        n_tried = last["tried"]
        keys = {key_of(name) for name in last["survivors"]}
        chosen = [index for index in chosen if mutants[index].key in keys]
    elif options.sample is not None and options.sample < n_mutants:
        chosen = sorted(random.Random(options.seed).sample(chosen, options.sample))
        n_tried = len(chosen)
    result = Result(sources, n_mutants, n_tried, options.seed)
    reasons = why_unnoticed()
    result.explained = [str(mutants[i]) for i in chosen if mutants[i].key in reasons]
    chosen = [index for index in chosen if mutants[index].key not in reasons]
    start = time.monotonic()
    with ThreadPoolExecutor(options.jobs) as workers:
        for index, killer in zip(chosen, workers.map(tests.killer_of, chosen), strict=True):
            if killer is None:
                result.survivors.append(str(mutants[index]))
                print(f"{index} survives: {mutants[index]}", flush=True)
    print(f"{result}, in {(time.monotonic() - start) / 60:.0f} minutes")
    if options.record is not None:
        record_mutation(options.record, result)


if __name__ == "__main__":
    main()
