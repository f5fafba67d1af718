"""Values of several types: `int | choice(?, x) | None` in boards, lists, mappings and tuples."""

from collections.abc import Mapping
from typing import Any

import pytest

import puzzlekit
from puzzlekit.errors import Problems
from puzzlekit.lang import bind, read_spec, spec_of_values, type_of_text
from puzzlekit.lang.data.type_syntax import parse_field_type
from puzzlekit.lang.discovery import language
from puzzlekit.lang.unused import unused_values
from tests.lang.languages import build, only, type_with

BOARD = "grid[int | choice(?, x) | None]"


def data_of(field: str, spec: str) -> Any:
    found = bind(type_of_text("t.yaml", type_with(f'"{field}"')), read_spec("s.yaml", spec)).data[
        "f"
    ]
    return list(found) if hasattr(found, "cells") else found


@pytest.mark.parametrize(
    "text",
    [
        BOARD,
        "map[int | choice(x), int | word]",
        "tuple[int | choice(|, -), bool | int]",
        "int | text",
    ],
)
def test_a_type_is_spelled_as_it_is_written(text: str) -> None:
    assert str(parse_field_type(text, language().data_types).type) == text


@pytest.mark.parametrize(
    "rule",
    [
        "3 == 'x'",
        "3 < 'x'",
        "'x' < 3",
        "'x' >= 3",
        "not 3 != 'x'",
        "2 < 'x' < 4",
        "3 in 'x3'",
        "True > 'x'",
    ],
)
def test_a_number_is_never_equal_to_a_text_nor_less_or_greater(rule: str) -> None:
    assert only(build(rule), "k") == []


def kind_of(rules: str) -> Any:
    return type_of_text(
        "t.yaml",
        (
            f"puzzle: t\ndata:\n  g: {BOARD}\nvariables:\n  d[c]: between(0, 4) for c in g.cells\n"
            f"rules:\n{rules}"
        ),
    )


SPEC = "g: |\n  1?x\n  .4?\n"


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        ("g.numbers", "r1c1 r2c2"),
        ("g.having('?')", "r1c2 r2c3"),
        ("g.having('?', 'x', 4)", "r1c2 r1c3 r2c2 r2c3"),
        ("g.having(None)", "r2c1"),
        ("g.having()", ""),
        ("g.having('y')", ""),
    ],
)
def test_cells_with_numbers_and_with_some_values(cells: str, found: str) -> None:
    bound = bind(kind_of(f"  r: d[c] == 0 for c in {cells}\n"), read_spec("s.yaml", SPEC))
    assert " ".join(str(dict(c.origin.bindings)["c"]) for c in bound.model.constraints) == found


def test_true_and_false_are_no_numbers() -> None:
    kind = type_of_text("t.yaml", type_with('"grid[bool | int]"', "", "let:\n  n: f.numbers\n"))
    assert len(bind(kind, read_spec("s.yaml", "f: yes 3\n")).scope["n"]) == 1


@pytest.mark.parametrize(
    ("rules", "unread"),
    [
        ("  r: d[c] == g[c] for c in g.numbers\n", ["'?'", "'x'", "'?'"]),
        ("  r: d[c] == 1 for c in g.having('?')\n", ["1", "'x'", "4"]),
        ("  r: d[c] == 1 for c in g.given\n", []),
    ],
)
def test_values_that_nothing_reads(rules: str, unread: list[str]) -> None:
    kind = kind_of(rules + "  first: d[cell(1, 1)] == 1\n")
    kind.pictures = kind_of("  r: len(d) > 1\n").pictures
    found = unused_values(bind(kind, read_spec("s.yaml", SPEC)))
    assert [p.message.removeprefix("this value is not used: ") for p in found] == unread


@pytest.mark.parametrize(
    ("values", "data"),
    [
        ({"g": [[1, "?"], [None, "x"]]}, [1, "?", None, "x"]),
        ({"g": ["1?", ".x"]}, [1, "?", None, "x"]),
        ({"g": "1?\n.x\n"}, [1, "?", None, "x"]),
    ],
)
def test_values_of_python(values: Mapping[str, Any], data: list[Any]) -> None:
    kind = kind_of("  r: d[c] == 0 for c in g.given\n")
    assert list(bind(kind, spec_of_values(values, kind.fields)).data["g"]) == data
    with pytest.raises(Problems, match=r"spec\['g'\]\[0\]: expected int or one of \?, x, got 'a'"):
        bind(kind, spec_of_values({"g": [[1, "a"]]}, kind.fields))


def test_a_type_that_follows_takes_a_board_of_numbers_and_signs(tmp_path: Any) -> None:
    (tmp_path / "next.yaml").write_text(
        kind_of("  r: d[c] == g[c] for c in g.numbers\n").source.text.replace(
            "puzzle: t", "puzzle: next"
        )
    )
    first = (
        f"puzzle: t\ndata:\n  g: {BOARD}\nvariables:\n"
        f"  d[c]: (0, g[c], '?') if c in g.given else (0, '?') for c in g.cells\n"
    )
    (tmp_path / "first.yaml").write_text(
        first
        + (
            "rules:\n  r: d[c] == g[c] for c in g.given\n  s: d[c] != 0 for c in g.cells\nthen:\n"
            "  next.yaml: {g: d}\n"
        )
    )
    (tmp_path / "s.yaml").write_text("g: |\n  1?x\n  .4?\n")
    (solution,) = puzzlekit.load(tmp_path / "first.yaml", tmp_path / "s.yaml").solve()
    following = solution.sequels["next.yaml"].solution
    assert following is not None and list(following.instance.data["g"]) == [
        1,
        "?",
        "x",
        "?",
        4,
        "?",
    ]
