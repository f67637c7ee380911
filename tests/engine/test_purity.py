"""What `engine` may import (no clock, no chance, no threads, no input, no output), and which packages are ours."""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FORBIDDEN = {
    "asyncio",
    "io",
    "multiprocessing",
    "os",
    "pathlib",
    "random",
    "secrets",
    "shutil",
    "signal",
    "socket",
    "sqlite3",
    "subprocess",
    "tempfile",
    "threading",
    "time",
    "datetime",
    "uuid",
}
FORBIDDEN_CALLS = {"open", "input", "print", "exec", "eval", "__import__"}
FILES = sorted((ROOT / "engine").rglob("*.py"))


def imported(tree: ast.AST) -> set[str]:
    """The top-level packages that the module imports."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").split(".")[0])
    return names


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_the_engine_is_pure(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    names = imported(tree)
    assert names <= set(sys.stdlib_module_names) | {"engine"}
    assert not names & FORBIDDEN
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not called & FORBIDDEN_CALLS


@pytest.mark.parametrize("package", ["engine", "vision", "hardware", "cardtable"])
def test_the_packages_are_the_repositorys_own(package: str) -> None:
    found = import_module(package).__file__
    assert found is not None
    assert Path(found).resolve() == (ROOT / package / "__init__.py").resolve()


@pytest.mark.parametrize("package", ["vision", "hardware"])
def test_the_edges_use_only_the_engines_public_values(package: str) -> None:
    public = {"cards", "seats", "events", "errors", "ties"}
    for file in (ROOT / package).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("engine"):
                assert (node.module or "").split(".")[1:2] in [[name] for name in public], file
