"""What `dir` and an import see of the package; `typed_program.py` is what a type checker sees."""

import ast
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import puzzlekit
from puzzlekit import Puzzle, errors
from puzzlekit.cli.program import COMMANDS

ROOT = Path(__file__).resolve().parents[2]


def test_dir_lists_the_api_and_each_name_is_there() -> None:
    assert set(puzzlekit.__all__) <= set(dir(puzzlekit))
    assert {"load", "Puzzle", "Solution", "Query", "Run", "errors"} <= set(puzzlekit.__all__)
    for name in puzzlekit.__all__:
        assert getattr(puzzlekit, name).__name__.endswith(name)
    with pytest.raises(AttributeError, match="has no attribute 'lod'"):
        puzzlekit.lod  # type: ignore[attr-defined]  # noqa: B018


def test_what_is_imported_for_type_checkers_is_what_is_exported() -> None:
    tree = ast.parse((ROOT / "puzzlekit" / "__init__.py").read_text(encoding="utf-8"))
    (branch,) = (node for node in tree.body if isinstance(node, ast.If))
    imported = [
        alias.name
        for node in branch.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    assert sorted(imported) == sorted(puzzlekit.__all__)


def test_the_typed_program_uses_all_that_is_exported() -> None:
    program = (ROOT / "tests" / "api" / "typed_program.py").read_text(encoding="utf-8")
    assert [name for name in puzzlekit.__all__ if not re.search(rf"\b{name}\b", program)] == []


def test_the_page_has_a_function_for_each_command() -> None:
    """And each of these functions or methods is there."""
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in page.splitlines() if line.startswith("| `")]
    table = {command: row[2] for row in rows for command in re.findall(r"`([a-z-]+)`", row[1])}
    assert set(COMMANDS) <= set(table)
    for command in COMMANDS:
        names = re.findall(r"`([a-z_]+)`", table[command])
        assert names and all(map(_is_public, names))


def _is_public(name: str) -> bool:
    """Whether a name is a function, a method of a puzzle, or a package with such a function."""
    is_package = find_spec(f"puzzlekit.{name}") is not None
    return hasattr(puzzlekit, name) or hasattr(Puzzle, name) or is_package


def test_no_name_is_that_of_a_package() -> None:
    """An import of the package would replace it."""
    packages = {path.stem for path in (ROOT / "puzzlekit").iterdir()}
    assert packages & set(puzzlekit.__all__) == {"errors"}


def test_every_error_is_exported() -> None:
    made_here = [
        name
        for name, value in vars(errors).items()
        if isinstance(value, type)
        and issubclass(value, Exception)
        and value.__module__ == errors.__name__
    ]
    assert set(made_here) <= set(puzzlekit.__all__)


def test_the_path_of_a_spec_is_not_tried_as_a_link() -> None:
    code = (
        "import sys, puzzlekit\npuzzlekit.load(None, 'specs/queens/n4.yaml')\n"
        "assert not [n for n in sys.modules if n.startswith('puzzlekit.links.')]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_the_package_alone_imports_next_to_nothing() -> None:
    code = (
        "import sys, puzzlekit\ndir(puzzlekit)\nassert not [n for n in sys.modules "
        "if n.startswith('puzzlekit.')]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
