"""Compiled expressions of the types that ship: stored, found again, and never relied on."""

import sys
from pathlib import Path

import pytest

from puzzlekit import reading
from puzzlekit.errors import Problems
from puzzlekit.lang import bind, read_spec, type_of_text
from puzzlekit.lang.expressions import code_cache
from puzzlekit.lang.expressions.code_cache import CodeCache
from puzzlekit.lang.expressions.whitelist import Rewriter

TEXT = """
puzzle: pair
data:
  total: int
  parts: list[int]
variables:
  x[i]: between(1, 9) for i in range(2)
rules:
  they make the total: x[0] + x[1] == total
  no part is one of them: x[i] != part // (part - 3) for part in parts for i in range(2)
"""
SPEC = "total: 4\nparts: [6, 3]"


@pytest.fixture(name="path")
def _path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(reading, "SHIPPED", (tmp_path,))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    return tmp_path / "pair.yaml"


def stored(path: Path) -> Path:
    (file,) = (path.parent / "__pycache__").iterdir()
    return file


def problem(path: Path) -> str:
    with pytest.raises(Problems) as raised:
        bind(type_of_text(str(path), TEXT), read_spec("pair.spec", SPEC))
    return str(raised.value)


def compiled(path: Path, text: str = TEXT) -> int:
    """Read a type, and return how many of its expressions were compiled."""
    number = 0

    class Counted(Rewriter):
        def __init__(self, *arguments: object) -> None:
            nonlocal number
            number += 1
            super().__init__(*arguments)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("puzzlekit.lang.expressions.Rewriter", Counted)
        type_of_text(str(path), text)
    return number


def test_the_second_reading_compiles_nothing(path: Path) -> None:
    assert compiled(path) == 3
    assert compiled(path) == 0


def test_an_error_has_the_same_text_and_position(path: Path) -> None:
    at_first = problem(path)
    assert "division by zero" in at_first
    assert "part is 3" in at_first
    assert "pair.yaml:10:35" in at_first
    assert problem(path) == at_first
    assert stored(path).exists()


def test_a_changed_type_is_compiled_anew(path: Path) -> None:
    compiled(path)
    assert compiled(path, TEXT.replace("between(1, 9)", "between(1, 8)")) == 3


def test_a_damaged_cache_is_written_anew(path: Path) -> None:
    compiled(path)
    content = stored(path).read_bytes()
    changed = bytes([content[-1] ^ 1])
    for damaged in (b"", content[:10], content[:-1], content[:-1] + changed, content + b"x"):
        stored(path).write_bytes(damaged)
        assert compiled(path) == 3
        assert stored(path).read_bytes() == content


def test_a_cache_of_another_python_is_not_used(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(path)
    monkeypatch.setattr("puzzlekit.lang.expressions.code_cache.MAGIC_NUMBER", b"\0\0\r\n")
    assert compiled(path) == 3


def test_a_type_with_a_problem_is_not_stored(path: Path) -> None:
    with pytest.raises(Problems):
        type_of_text(str(path), TEXT.replace("parts for", "shares for"))
    assert not (path.parent / "__pycache__").exists()


def test_nothing_is_written_where_that_is_impossible_or_unwanted(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path.parent / "__pycache__").write_text("a file where the folder would be")
    assert compiled(path) == compiled(path) == 3
    (path.parent / "__pycache__").unlink()
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert compiled(path) == 3
    assert [*path.parent.iterdir()] == []


def test_only_types_that_ship_are_stored(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "SHIPPED", (path.parent / "puzzles",))
    assert compiled(path) == compiled(path) == 3
    assert [*path.parent.iterdir()] == []


def test_nothing_is_stored_without_the_sources_of_the_compiler(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_cache, "COMPILERS", ("absent.py",))
    assert compiled(path) == compiled(path) == 3
    assert [*path.parent.iterdir()] == []


def test_an_expression_is_found_only_with_its_names(path: Path) -> None:
    compiled(path)
    cache = CodeCache(path, TEXT)
    text = "x[0] + x[1] == total"
    assert cache.find(text, True, {"x", "total", "y"})
    assert cache.find(text, True, {"x"}) is None
    assert cache.find(text, False, {"x", "total"}) is None
