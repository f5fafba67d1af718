"""Each package exports the same names to type checkers and to programs."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOORS = [
    path
    for path in sorted((ROOT / "puzzlekit").rglob("__init__.py"))
    if "door(" in path.read_text(encoding="utf-8")
]


def exported(tree: ast.Module) -> dict[str, str]:
    """Return the names that a type checker sees behind a door, with their modules."""
    return {
        alias.asname or alias.name: statement.module or ""
        for branch in tree.body
        if isinstance(branch, ast.If)
        for statement in branch.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }


@pytest.mark.parametrize("path", DOORS, ids=lambda path: path.parent.name)
def test_a_door_opens_what_type_checkers_see(path: Path) -> None:
    package = import_module(".".join(path.parent.relative_to(ROOT).parts))
    names = exported(ast.parse(path.read_text(encoding="utf-8")))
    assert names
    for name, module in names.items():
        assert getattr(package, name) is getattr(import_module(module), name)


def test_a_door_has_nothing_else() -> None:
    package = import_module("puzzlekit.render")
    with pytest.raises(
        AttributeError, match=r"module 'puzzlekit.render' has no attribute 'nought'"
    ):
        package.nought  # noqa: B018
