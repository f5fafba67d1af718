"""Results as people share them, as a field and as a whole spec;
and checks that the data of a spec must meet.
"""

import pytest

from puzzlekit.errors import Problems
from puzzlekit.lang import Instance, bind, read_spec, type_of_text
from tests.lang.languages import places_of, problems_of

TYPE = """\
puzzle: rows
data:
  board: list[marks]
  width: int = 3
  most: int = 0
  size: {type: "map[word, int]", default: {}}
require:
  row {t} has {n} marks, and {n} is the width: >
    n == width for t, row in enumerate(board, 1) for n in [len(row)]
  "the width is odd": width % 2 == 1
  "the size is no more than the width": width >= most
  "{name} has as many letters": len(name) == size[name] for name in size
variables:
  x: bool
"""
RESULT = "Game 1,812 3/6*\n\n⬛🟨⬛\n🟩⬛🟨\n🟩🟩🟩\n\nhttps://example.org/2/6\n"
MARKS = ["byb", "gby", "ggg"]


def bound(spec: str, **settings: str) -> Instance:
    return bind(type_of_text("type.yaml", TYPE), read_spec("spec.yaml", spec), settings)


def board(spec: str) -> list[str]:
    return ["".join(map(str, row)) for row in bound(spec).data["board"]]


def test_a_result_is_a_board() -> None:
    assert board("board: |\n" + "".join(f"  {line}\n" for line in RESULT.splitlines())) == MARKS


@pytest.mark.parametrize(
    "swap",
    ["🟩🟧 🟨🟦", "⬛⬜", "🟩🟩\ufe0f ⬛⬛\ufe0f"],
    ids=["high contrast", "light", "variation selectors"],
)
def test_a_result_is_a_spec(swap: str) -> None:
    text = RESULT
    for pair in swap.split():
        text = text.replace(pair[0], pair[1:])
    assert board(text) == MARKS
    assert read_spec("spec.yaml", text).text("title") == "Game 1,812 3/6*"


@pytest.mark.parametrize("text", ["⬛🟨⬛\n🟩⬛🟨\n🟩🟩🟩", "\ufeff⬛🟨⬛\r\n🟩⬛🟨\r\n🟩🟩🟩\r\n"])
def test_a_result_needs_no_heading(text: str) -> None:
    assert board(text)[-1] == "ggg"
    assert read_spec("spec.yaml", text).text("title") == ""


def test_a_game_that_was_lost_has_all_its_rows() -> None:
    assert len(board("Game 7 X/2\n⬛🟨⬛\n🟩⬛🟨")) == 2


@pytest.mark.parametrize(
    ("spec", "message", "line"),
    [
        ("Game 7 X/6\n⬛🟨⬛\n🟩⬛🟨", "X/6 announces 6 rows, but there are 2", 1),
        ("Game 7 3/6\n\n⬛🟨⬛\n🟩🟩🟩", "3/6 announces 3 rows, but there are 2", 1),
        ("Game 7\n\n⬛🟨⬛\n🟩🟪🟩", "'🟪' is not a mark: write g y b (or w), or 🟩 🟨 ⬛ ⬜", 4),
    ],
)
def test_what_is_wrong_with_a_result_is_told_at_its_row(spec: str, message: str, line: int) -> None:
    assert places_of(TYPE, spec) == [(message, line, 1)]


def test_a_type_without_rows_of_marks_takes_no_result() -> None:
    (problem,) = problems_of("puzzle: t\ndata:\n  n: int\nvariables:\n  x: bool\n", RESULT)
    assert problem.message == "this is a shared result, but t has no field of rows of marks"


def test_no_result_is_made_of_control_characters() -> None:
    with pytest.raises(Problems, match="special characters are not allowed"):
        read_spec("spec.yaml", "\x1b[31mGame\n⬛🟨⬛\n")


BROKEN = "this does not hold: "


@pytest.mark.parametrize(
    ("spec", "settings", "places"),
    [
        (
            "width: 4\nboard: |\n  bbbb\n  bby\n",
            {},
            ["spec.yaml:1:8", "spec.yaml:4:3"],
        ),  # the field, and the item
        ("board: |\n  bbb\n  bby\n  bb\n", {}, ["spec.yaml:4:3"]),
        ("board: [bbb, bby,\n  bb]\n", {}, ["spec.yaml:2:3"]),
        ("board: bbb bb\n", {}, ["spec.yaml:1:12"]),
        ("Game\n\n⬛🟨⬛\n🟩⬛\n", {}, ["spec.yaml:4:1"]),
        ("board: bbb\nsize:\n  ab: 2\n  cd: 3\n", {}, ["spec.yaml:4:3"]),
        ("width: 3\n", {"board": "bbb bb"}, ["settings['board']:1:11"]),
        ("board: bbbb", {"width": "5"}, ["spec.yaml:1:8"]),
        (
            "board: bbb",
            {"most": "4"},
            ["settings['most']:1:6"],
        ),  # and not where the type has its default of the width
        ("width: 5", {"board": "bbbb"}, ["settings['board']:1:7"]),
    ],
)
def test_what_does_not_hold_is_told_at_its_place(
    spec: str, settings: dict[str, str], places: list[str]
) -> None:
    found = problems_of(TYPE, spec, settings)
    assert [str(problem.position) for problem in found] == places
    assert all(problem.message.startswith(BROKEN) for problem in found)


def test_a_check_is_told_by_its_name() -> None:
    found = problems_of(TYPE, "width: 4\nboard: |\n  bbbb\n  bby\n")
    names = ["the width is odd", "row 2 has 3 marks, and 3 is the width"]
    assert [problem.message for problem in found] == [BROKEN + name for name in names]


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ("a: 1", "expected a condition as the requirement, got 1"),
        ("a: x", "x is not known here"),
        ("a: later == 2", "this does not hold: a"),
        (
            "a {j}: True for i in range(2)",
            "the name of the requirement shows j, but the requirement has no loop over it",
        ),
        ("a: 1 // 0 == 1", "division by zero"),
    ],
)
def test_what_is_wrong_with_a_check(check: str, message: str) -> None:
    text = f"puzzle: t\nrequire:\n  {check}\nlet:\n  later: 1\nvariables:\n  x: bool\n"
    assert message in [problem.message for problem in problems_of(text)]
