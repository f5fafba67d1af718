"""Values of several types: `int | choice(?, x) | None` in boards, lists, mappings and tuples."""

from collections.abc import Mapping
from typing import Any

import pytest

import puzzlekit
from puzzlekit.errors import Problems
from puzzlekit.lang import bind, read_spec, spec_of_values, type_of_text
from puzzlekit.lang.data.type_syntax import parse_field_type
from puzzlekit.lang.unused import unused_values
from tests.lang.languages import build, only, places_of, problems_of, type_with

BOARD = "grid[int | choice(?, x) | None]"


def data_of(field: str, spec: str) -> Any:
    found = bind(type_of_text("t.yaml", type_with(f'"{field}"')), read_spec("s.yaml", spec)).data[
        "f"
    ]
    return list(found) if hasattr(found, "cells") else found


@pytest.mark.parametrize(
    ("field", "spec", "value"),
    [
        (BOARD, "f: |\n  1?\n  .x\n", [1, "?", None, "x"]),
        (BOARD, "f: |\n  10 ?\n  . _\n", [10, "?", None]),
        (BOARD, "f: ['1?', '.x']", [1, "?", None, "x"]),
        ("grid[tuple[int | choice(?), int | None]]", "f: |\n  ?\\3 2\\\n", [("?", 3), (2, None)]),
        ("list[int | choice(?) | None]", "f: 3 ? .", (3, "?", None)),
        ("list[int | choice(?) | None]", "f: [3, '?', ]", (3, "?")),
        ("list[int | choice(?) | None]", "f: |\n  ?\n\n  -7\n", ("?", None, -7)),
        ("list[list[int | choice(?)]]", "f: |\n  1 ?\n  ?\n", ((1, "?"), ("?",))),
        ("map[symbol, int | word]", "f: {a: 7, b: No}", {"a": 7, "b": "no"}),
        ("map[int | choice(x), int]", "f: {3: 1, x: 2}", {3: 1, "x": 2}),
        ("tuple[int | symbol, letter | int]", "f: a1 7", ("a1", 7)),
        ("int | choice(all)", "f: all", "all"),
        ("int | choice(all) | None", "f:", None),
        ("bool | int | text", "f: yes", True),
        ("bool | int | text", "f: 12", 12),
        ("bool | int | text", "f: a b", "a b"),
        ("choice(1) | int", "f: 1", "1"),  # in order
    ],
)
def test_the_first_type_that_can_read_the_text_gives_the_value(
    field: str, spec: str, value: Any
) -> None:
    found = data_of(field, spec)
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize(
    ("field", "spec", "found"),
    [
        (BOARD, "f: |\n  1?\n  b.\n", [("expected int or one of ?, x, got 'b'", 3, 3)]),
        ("list[int | symbol in 'ab']", "f: 3 b c", [("3 is not one of a, b", 1, 4)]),  # the numbers
        ("list[letter | int]", "f: a 3 +", [("expected letter or int, got '+'", 1, 8)]),
        ("list[letter | int]", "f: [a, [b]]", [("expected letter | int, got a list", 1, 8)]),
        (f"{BOARD} in 0..4", "f: |\n  4?\n  5x\n", [("5 is not from 0 to 4", 3, 3)]),
        (
            "grid[int in 0..4 | choice(?) | None]",
            "f: |\n  4?\n  5.\n",
            [("5 is not from 0 to 4", 3, 3)],
        ),
        ("list[int | choice(?) in (1, 2)]", "f: 1 ? 3", [("3 is not one of 1, 2", 1, 8)]),
        ("map[symbol, int | word] in 1..", "f: {a: 0, b: zero}", [("0 is not 1 or more", 1, 8)]),
        (
            "list[tuple[symbol, int | choice(?) in 0..4]]",
            "f: |\n  a 5\n  b ?\n",
            [("5 is not from 0 to 4", 2, 5)],
        ),
        ("map[int | choice(x) in 1..3, int]", "f: {x: 9, 4: 9}", [("4 is not from 1 to 3", 1, 11)]),
        ("int | choice(all) in 1..3", "f: 4", [("4 is not from 1 to 3", 1, 4)]),
        (
            "list[letter | choice(?) in 'ab?']",
            "f: a ? c",
            [("c is not one of a, b, ?", 1, 8)],
        ),  # there is no number
    ],
)
def test_wrong_values(field: str, spec: str, found: list[tuple[str, int, int]]) -> None:
    assert places_of(type_with(f'"{field}"'), spec) == found


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("list[int] | int", "only single values can stand beside |, such as int | choice(?, x) or int | symbol, not list[int]"),
        ("int | size", "only single values can stand beside |, such as int | choice(?, x) or int | symbol, not size"),
        ("symbol | int", "symbol reads any value: write it last, after int"),
        ("list[text | int | bool]", "text reads any value: write it last, after bool"),
        ("grid[int | None | choice(?)]", "None stands last, as in int | choice(?) | None"),
        ("int | bool | int", "int stands beside | twice"),
        ("None | int", "None stands last, as in int | None"),
        ("int |", "this is not a type: a name is missing"),
        ("int | wrd", "'wrd' is not a type; did you mean word?"),
        ("int" + " | int" * 200, "'int | int | int | int | int | int | int…' is not a type"),
    ],
)  # fmt: skip
def test_declarations_that_are_refused(field: str, message: str) -> None:
    (problem,) = problems_of(type_with(f'"{field}"'), "f: 1")
    assert problem.message == message


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
    assert (
        str(
            parse_field_type(
                text, type_of_text("t.yaml", type_with("int")).language.data_types
            ).type
        )
        == text
    )


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
        f"puzzle: t\ndata:\n  g: {BOARD}\nvariables:\n  d[c]: between(0, 4) for c in g.cells\nrules:\n{rules}",
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
    first = f"puzzle: t\ndata:\n  g: {BOARD}\nvariables:\n  d[c]: (0, g[c], '?') if c in g.given else (0, '?') for c in g.cells\n"
    (tmp_path / "first.yaml").write_text(
        first
        + "rules:\n  r: d[c] == g[c] for c in g.given\n  s: d[c] != 0 for c in g.cells\nthen:\n  next.yaml: {g: d}\n"
    )
    (tmp_path / "s.yaml").write_text("g: |\n  1?x\n  .4?\n")
    (solution,) = puzzlekit.load(tmp_path / "first.yaml", tmp_path / "s.yaml").solve()
    following = solution.then["next.yaml"].solution
    assert following is not None and list(following.instance.data["g"]) == [
        1,
        "?",
        "x",
        "?",
        4,
        "?",
    ]


NEVER = [
    ("choice(king, rook) = king", "f != 'kign'", "f is never 'kign'", "did you mean king?"),
    (
        "choice(king, rook) | None = king",
        "'queen' == f",
        "f is never 'queen'",
        "known here: king, rook",
    ),
    (BOARD, "f[c] == 'X' for c in f.cells", "f[…] is never 'X'", "known here: ?, x"),
    ("list[choice(up, down)]", "f[0] == 'upp'", "f[…] is never 'upp'", "did you mean up?"),
    (
        "map[int, choice(up, down)]",
        "f[0] == 1 != f[1] == 'left'",
        "f[…] is never 'left'",
        "known here: up, down",
    ),
]


@pytest.mark.parametrize(
    ("field", "rule", "message", "hint"), NEVER, ids=[rule for _, rule, *_ in NEVER]
)
def test_a_choice_is_not_compared_with_another_name(
    field: str, rule: str, message: str, hint: str
) -> None:
    with pytest.raises(Problems) as raised:
        type_of_text(
            "t.yaml",
            f'puzzle: t\ndata:\n  f: "{field}"\nvariables:\n  x: bool\nrules:\n  r: |\n    {rule}\n',
        )
    (wrong,) = raised.value.problems
    assert (wrong.message, wrong.hint) == (message, hint)
    assert wrong.place is not None
    assert wrong.place.line == 8
    assert wrong.place.text[wrong.place.column - 1] == "'"


@pytest.mark.parametrize(
    ("field", "rule"),
    [
        ("grid[symbol]", "f[c] == 'X' for c in f.cells"),
        ("grid[choice(a, b) | letter]", "f[c] == 'X' for c in f.cells"),
        ("choice(king, rook)", "all(f == 'x' for f in ('x', 'y'))"),
        ("choice(king, rook)", "f < 'x'"),
        ("list[list[choice(a, b)]]", "f[0] != 'ab'"),
        (BOARD, "f[c] == '?' for c in f.cells"),
        ("grid[choice(a, b)]", "x == any(f[r] == 'ab' for r in f.rows)"),
        ("list[choice(up, down)]", "f[0:1] == 'x'"),
    ],
)
def test_other_comparisons_with_texts_are_left_alone(field: str, rule: str) -> None:
    type_of_text(
        "t.yaml",
        f'puzzle: t\ndata:\n  f: "{field}"\nvariables:\n  x: bool\nrules:\n  r: |\n    {rule}\n',
    )
