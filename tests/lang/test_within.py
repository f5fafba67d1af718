"""What a field may hold, `in 0..4`: reported at the cell, item or key;
and parts that may be left out, and blank lines.
"""

import pytest

from puzzlekit.errors import Problems
from puzzlekit.lang import bind, read_spec, type_of_text
from tests.lang.languages import places_of, problems_of, type_with


@pytest.mark.parametrize(
    ("field", "spec", "found"),
    [
        ("int in 1..9", "f: 12", [("12 is not from 1 to 9", 1, 4)]),
        ("int in 1..", "f: 0", [("0 is not 1 or more", 1, 4)]),
        ("int in ..5", "f: 6", [("6 is not 5 or less", 1, 4)]),
        ("int in -2..2", "f: -3", [("-3 is not from -2 to 2", 1, 4)]),
        ("int in (1, 2, 4)", "f: 3", [("3 is not one of 1, 2, 4", 1, 4)]),
        ("int in 1.. | None", "f: 0", [("0 is not 1 or more", 1, 4)]),
        (
            "grid[int | None] in 0..4",
            "f: |\n  .5.\n  7_4\n",
            [("5 is not from 0 to 4", 2, 4), ("7 is not from 0 to 4", 3, 3)],
        ),
        ("grid[int in 0..4 | None]", "f: |\n  . 5 .\n", [("5 is not from 0 to 4", 2, 5)]),
        (
            "grid[int | None] ragged in 0..4 | None",
            "f: |\n  .5\n  .\n",
            [("5 is not from 0 to 4", 2, 4)],
        ),
        ("list[int] in 0..4", "f: 1 5 2", [("5 is not from 0 to 4", 1, 6)]),
        ("list[list[int]] in 0..4", "f: |\n  1 2\n  3 5\n", [("5 is not from 0 to 4", 3, 5)]),
        ("list[list[int in 0..4]]", "f: [[1, 2], [3, 5]]", [("5 is not from 0 to 4", 1, 17)]),
        ("map[symbol, int] in 0..4", "f: {a: 1, b: 5}", [("5 is not from 0 to 4", 1, 14)]),
        ("map[int in 0..4, int]", "f: {1: 9, 5: 1}", [("5 is not from 0 to 4", 1, 11)]),
        ("map[int, list[int in 0..4]]", "f: {9: 1 2 5}", [("5 is not from 0 to 4", 1, 12)]),
        (
            "list[tuple[symbol in 'ab', int in 0..4]]",
            "f: |\n  a 5\n",
            [("5 is not from 0 to 4", 2, 5)],
        ),
        (
            "list[tuple[symbol in 'ab', int in 0..4]]",
            "f: |\n  c 1\n",
            [("c is not one of a, b", 2, 3)],
        ),
        (
            "grid[tuple[int | None, int | None] in 1..9 | None]",
            "f: |\n  \\ 3\\ .\n  0\\ \\12 1\\2\n",
            [("0 is not from 1 to 9", 3, 3), ("12 is not from 1 to 9", 3, 6)],
        ),
        ("grid[choice(#, b)]", "f: |\n  #b\n  x#\n", [("expected one of #, b, got 'x'", 3, 3)]),
    ],
)
def test_what_a_field_may_not_hold_is_reported_at_its_place(
    field: str, spec: str, found: list[tuple[str, int, int]]
) -> None:
    assert places_of(type_with(f'"{field}"'), spec) == found


def test_the_message_shows_the_line_a_caret_and_the_declaration() -> None:
    (problem,) = problems_of(type_with("grid[int | None] in 0..4"), "f: |\n  .5\n")
    assert str(problem) == (
        "spec.yaml:2:4: 5 is not from 0 to 4\n   2 |   .5\n     |    ^\n"
        "     = t declares f: grid[int | None] in 0..4"
    )


def test_bounds_may_speak_of_other_fields_and_of_what_let_works_out() -> None:
    text = type_with(
        "grid[int | None] in 1..n * most", "  most: int = 1\n", "let:\n  n: len(f.rows)\n"
    )
    assert places_of(text, "f: |\n  .3\n  2.\n") == [("3 is not from 1 to 2", 2, 4)]
    bind(type_of_text("t.yaml", text), read_spec("s.yaml", "f: |\n  .3\n  2.\nmost: 2\n"))
    text = type_with("map[symbol in b, int]", "  b: grid[symbol | None]\n")
    assert places_of(text, "b: |\n  PQ.\nf: {P: 1, R: 2}\n") == [("R is not one of P, Q", 3, 11)]


def test_a_value_that_is_left_out_and_a_default_and_a_setting_are_held_to_it_too() -> None:
    kind = type_of_text("t.yaml", type_with("int in 1..3 | None"))
    assert bind(kind, read_spec("s.yaml", "title: none")).data["f"] is None
    with pytest.raises(Problems, match=r"settings\['f'\]:1:3: 4 is not from 1 to 3"):
        bind(kind, read_spec("s.yaml", "title: none"), {"f": "4"})
    (problem,) = problems_of(type_with("int in 1..3 = 7"), "title: none")
    assert str(problem).startswith("type.yaml:3:20: 7 is not from 1 to 3")


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("int in", "expected a range or a collection after `in`: 0..4, 1.. or a name"),
        ("int in ..", "expected a range or a collection after `in`: 0..4, 1.. or a name"),
        ("int in 1..most", "most is not known here"),
        ("int in 1..3 4", "this is not an expression: invalid syntax. Perhaps you forgot a comma?"),
        ("int in 1..x", "x is not known here"),
        ("list[int in 1..]]", "'list[int in 1..]]' is not a type: unexpected ']'"),
    ],
)
def test_what_is_wrong_with_a_declaration(field: str, message: str) -> None:
    with pytest.raises(Problems) as caught:
        type_of_text("t.yaml", type_with(f'"{field}"'))
    assert message in [problem.message for problem in caught.value.problems]


def test_ends_that_are_no_numbers_are_the_types_problem() -> None:
    (problem,) = problems_of(type_with("int in 1..'a'"), "f: 3")
    assert str(problem).startswith("type.yaml:3:")
    assert problem.message == "expected whole numbers as the ends of 1..'a', got 'a'"
    (problem,) = problems_of(type_with("symbol in 1..3"), "f: b")
    assert problem.message == "1..3 requires numbers, but this field has 'b'"
    (problem,) = problems_of(type_with("int in 1..3 // 0"), "f: 3")
    assert (problem.message, str(problem.position)) == ("division by zero", "type.yaml:3:16")


@pytest.mark.parametrize(
    ("field", "spec", "value"),
    [
        ("list[int | None]", "f: 1 . 3", (1, None, 3)),
        ("list[int | None]", "f: |\n  1\n\n  3\n\n", (1, None, 3)),
        ("list[int | None]", "f: [1, '', 3]", (1, None, 3)),
        ("tuple[int | None, symbol]", "f: . a", (None, "a")),
        ("map[symbol, int | None]", "f: {a: ., b: 2}", {"a": None, "b": 2}),
        ("map[symbol, int | None]", "f:\n  a:\n  b: 2\n", {"a": None, "b": 2}),
        ("list[list[int]]", "f:\n  - 1 2\n  -\n  - 0\n", ((1, 2), (), (0,))),
        ("list[list[int]]", "f: |\n  1 2\n  []\n  0\n", ((1, 2), (), (0,))),
        ("list[text]", "f: |\n  one\n\n  two\n", ("one", "", "two")),
        ("list[int]", "f: |\n  1\n  2\n\n\n", (1, 2)),
    ],
)
def test_parts_that_are_left_out(field: str, spec: str, value: object) -> None:
    assert (
        bind(type_of_text("t.yaml", type_with(field)), read_spec("s.yaml", spec)).data["f"] == value
    )


@pytest.mark.parametrize(
    ("field", "spec", "found"),
    [
        ("list[list[int]]", "f: |\n  1 2\n\n  3\n", [("this line is blank", 3, 1)]),
        ("list[list[int]]", "f: |\n\n  1 2\n  3\n", [("this line is blank", 2, 1)]),
        ("list[list[int]]", "f: |\n  1\n\n\n  3\n", [("this line is blank", n, 1) for n in (3, 4)]),
        ("list[tuple[symbol, int]]", "f: |\n  a 2\n\n  b 3\n", [("this line is blank", 3, 1)]),
        ("list[int]", "f: |\n  1\n\n  3\n", [("this line is blank", 3, 1)]),
        ("list[int]", "f: 1,,2", [("an item is missing here", 1, 5)]),
        ("list[int]", "f: ', 1, 2'", [("an item is missing here", 1, 5)]),
        ("shape", "f: |\n  #\n\n  #\n", [("this line is blank", 3, 1)]),
        ("grid[int | None]", "f: |\n  1\n\n  2\n", [("this line is blank", 3, 1)]),
        (
            "grid[int | None]",
            "f: |\r\n  1 \r\n\r\n  x\r\n",
            [
                ("this line is blank", 3, 1),
                ("'x' is not a whole number (of at most 15 digits)", 4, 3),
            ],
        ),
        (
            "grid[int | None]",
            "f: |2\n   1\n   x\n   3\n",
            [("'x' is not a whole number (of at most 15 digits)", 3, 4)],
        ),
        (
            "grid[int | None]",
            "f: |\n1\n2\n",
            [("this line is not part of the block above, and has no colon", 2, 1)],
        ),
        (
            "grid[int | None]",
            "f: |\n  1\n2\n  3\n",
            [("this line is not part of the block above, and has no colon", 3, 1)],
        ),
        (
            "grid[int | None]",
            "f: |\n    1\n  2\n",
            [("this line begins further left than the one above it", 3, 3)],
        ),
        ("grid[int | None]", "g 2\nf: 3\nh: 3\n", [("could not find expected ':'", 1, 1)]),
        ("grid[int | None]", "f: 1\n# g\ng:2\nh: 3\n", [("could not find expected ':'", 3, 1)]),
        ("grid[int | None]", "f: 1\ng 2\nh: 3\n", [("could not find expected ':'", 2, 1)]),
    ],
)
def test_no_line_in_the_middle_is_dropped(
    field: str, spec: str, found: list[tuple[str, int, int]]
) -> None:
    assert places_of(type_with(field), spec) == found


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("1\\2\\3", "expected 2 values with \\ between them, such as 1\\2, got '1\\\\2\\\\3'"),
        ("12", "expected 2 values with \\ between them, such as 1\\2, got '12'"),
        ("1/2", "expected 2 values with \\ between them, such as 1\\2, got '1/2'"),
        ("1\\", "'' is not a whole number (of at most 15 digits)"),
    ],
)
def test_cells_of_several_values(cell: str, message: str) -> None:
    (problem,) = problems_of(
        type_with('"grid[tuple[int | None, int] | None]"'), f"f: |\n  . \\3\n  {cell} 1\\2\n"
    )
    assert (
        problem.message,
        problem.position and (problem.position.line, problem.position.column),
    ) == (
        message,
        (3, 3),
    )
    assert problem.help == ("write 1\\2" if "/" in cell else "")


def test_a_board_that_is_not_as_wide_as_the_spec_says() -> None:
    text = type_with("{type: 'grid[letter]', columns: wide}", "  wide: int = 2\n")
    assert places_of(text, "f: abcdef\nwide: 4\n") == [
        ("6 cells cannot be split into rows of 4", 1, 4)
    ]
    assert places_of(text, "f: |\n  abc\n  def\nwide: 2\n") == [
        ("wide is 2, but f has 3 columns", 4, 7)
    ]
    bind(
        type_of_text("t.yaml", text), read_spec("s.yaml", "f: |\n  abc\n  def\n")
    )  # the default says nothing of this board
    bind(type_of_text("t.yaml", text), read_spec("s.yaml", "f: |\n  abc\n  def\nwide: 3\n"))


def test_a_check_stands_at_the_cell_or_the_first_cell_of_a_group() -> None:
    rest = "let:\n  n: 2\nrequire:\n  no {c} is large: f[c] <= n for c in f.cells\n"
    assert places_of(type_with("grid[int]", rest=rest), "f: |\n  12\n  31\n") == [
        ("this does not hold: no r2c1 is large", 3, 3)
    ]
    rest = 'require:\n  "{r} adds up": sum(f[r]) == 3 for r in f.rows\n'
    assert places_of(type_with("grid[int]", rest=rest), "f: |\n  12\n  31\n") == [
        ("this does not hold: row 2 adds up", 3, 3)
    ]


def test_a_part_of_a_board_and_its_runs_across_and_down() -> None:
    rest = "let:\n  part_of: part(f, [c for c in f.cells if f[c] == 1])\n"
    made = bind(
        type_of_text("t.yaml", type_with("grid[int]", rest=rest)),
        read_spec("s.yaml", "f: |\n  112\n  121\n"),
    )
    kept = made.scope["part_of"]
    assert [str(run) for run in kept.across(1)] == ["r1c1 across", "r2c1 across", "r2c3 across"]
    assert [str(run) for run in kept.down()] == ["r1c1 down"]
    for wrong, message in (
        ("part(f, [cell(9, 9)])", "this board has no cell r9c9"),
        ("part(torus(2, 2), [])", "part(…) cannot be used on a torus"),
    ):
        found = problems_of(type_with("grid[int]", rest=f"let:\n  p: {wrong}\n"), "f: |\n  1\n")
        assert found[0].message.startswith(message)


@pytest.mark.parametrize(
    ("check", "help"),
    [
        ("a: f[c] <= n for c in f.cells", "here f[c] is 3 and n is 2"),
        ("a: 0 < f[c] <= n for c in f.cells", "here f[c] is 3 and n is 2"),
        ("a: 2 * n == 5 or len(f) == 3", "here 2 * n is 4"),
        ("a: 1 == 2", ""),
        ("a: len(f.rows) == 1 and n == 2", ""),
        ("a: sorted(f) == [1, 2]", ""),
        ("a: n < n < n", "here n is 2"),
        ("a: from == 3", "here from is 4"),
    ],
)
def test_a_comparison_that_does_not_hold_shows_its_sides(check: str, help: str) -> None:
    text = type_with("grid[int]", rest=f"let:\n  n: 2\n  from: n + n\nrequire:\n  {check}\n")
    assert [problem.help for problem in problems_of(text, "f: |\n  12\n  31\n")] == [help]
