"""What a type checker and `dir` see of the package."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import puzzlekit
from puzzlekit import errors

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
from pathlib import Path

import puzzlekit
from puzzlekit import Puzzle, Query, Run, Sequel, Solution, Stopped, Undecided, errors

puzzle: Puzzle = puzzlekit.load("type", {"rows": [[1, None]]}, settings={"n": 3})
same: Puzzle = puzzlekit.load({"puzzle": "p"}, Path("spec.yaml"), timeout=2.5)
number: int = puzzle.count(timeout=2.0)
best: Solution | None = puzzle.best()
run: Run = puzzle.run(Query(limit=2))
try:
    for solution in puzzle.solve(limit=3):
        values: dict[str, object] = dict(solution)
        then: Sequel = solution.sequels["next"]
except (Stopped, Undecided, errors.InputError):
    pass
puzzlekit.lod("x")  # wrong
puzzle.solv()  # wrong
puzzlekit.load("type", spec=5)  # wrong
from puzzlekit import Answer  # wrong
"""


def test_a_type_checker_sees_mistakes_and_nothing_else(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "mypy",
        str(program),
    ]  # strict, as it is for the package, whose cache it shares
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    found = [int(line) for line in re.findall(r"program\.py:(\d+): error", done.stdout)]
    assert found == [at for at, line in enumerate(PROGRAM.split("\n"), 1) if "# wrong" in line], (
        done.stdout + done.stderr
    )
    assert 'has no attribute "lod"; maybe "load"?' in done.stdout


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
    code = "import sys, puzzlekit\ndir(puzzlekit)\nassert not [n for n in sys.modules if n.startswith('puzzlekit.')]\n"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
