"""The files for installation and release agree with pyproject.toml and the Makefile."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import requires
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml", reason="needs PyYAML, which check-jsonschema installs")

ROOT = Path(__file__).resolve().parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def project() -> dict[str, Any]:
    content: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return content


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def test_other_files_repeat_the_version_of_pyproject() -> None:
    version = project()["version"]
    assert read("CITATION.cff")["version"] == version
    assert read("packaging/conda-forge/recipe.yaml")["context"]["version"] == version
    first = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert first is not None
    assert first[1] == version


def test_numpy_and_scikit_learn_bring_all_dependencies() -> None:
    def names(lines: list[str]) -> set[str]:
        return {re.split("[<>=! ]", line)[0] for line in lines if "extra ==" not in line}

    brought = {"numpy", "scikit-learn"} | names(requires("scikit-learn") or [])
    brought.add("narwhals")  # scikit-learn needs it from 1.9 on
    assert names(project()["dependencies"]) <= brought


def test_the_conda_recipe_has_the_dependencies_of_pyproject() -> None:
    recipe = read("packaging/conda-forge/recipe.yaml")["requirements"]
    assert [line.replace(" ", "") for line in recipe["run"][1:]] == project()["dependencies"]
    content = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert {line.replace(" ", "") for line in recipe["host"][2:]} == set(
        content["build-system"]["requires"]
    )


def test_the_workflows_call_targets_that_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z][a-z-]*):", makefile, re.M))
    called: set[str] = set()
    for path in WORKFLOWS:
        for job in read(str(path.relative_to(ROOT)))["jobs"].values():
            matrix = job.get("strategy", {}).get("matrix", {})
            for step in job.get("steps", ()):
                for name in re.findall(
                    r"make (\$\{\{ matrix\.target \}\}|\S+)", step.get("run", "")
                ):
                    called |= set(matrix["target"]) if "matrix" in name else {name}
    assert called
    assert called <= targets


def test_the_workflows_test_files_that_exist() -> None:
    for path in (*WORKFLOWS, ROOT / "pyproject.toml"):
        for name in re.findall(r"tests/[\w/]+(?:\.py)?", path.read_text()):
            assert (ROOT / name).exists(), (path.name, name)


def test_every_target_of_the_makefile_is_described() -> None:
    phony = re.findall(r"^\.PHONY: ((?:.*\\\n)*.*)", (ROOT / "Makefile").read_text(), re.M)
    described = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    known = {"demo", "lint", "core-tests", "clean"}  # parts of others, or obvious
    for target in set(" ".join(phony).replace("\\", " ").split()) - known:
        assert f"`make {target}" in described, target


FORMS = {
    "vendor.github-workflows": [str(path.relative_to(ROOT)) for path in WORKFLOWS],
    "vendor.github-issue-forms": [
        ".github/ISSUE_TEMPLATE/bug.yml",
        ".github/ISSUE_TEMPLATE/feature.yml",
    ],
    "vendor.dependabot": [".github/dependabot.yml"],
    "vendor.citation-file-format": ["CITATION.cff"],
}


@pytest.mark.parametrize(("schema", "files"), FORMS.items(), ids=FORMS.keys())
def test_files_follow_their_schemas(schema: str, files: list[str]) -> None:
    pytest.importorskip("check_jsonschema")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *files]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
