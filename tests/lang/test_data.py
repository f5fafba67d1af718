"""Data: every type reads its values, says what is wrong at the right row and column,
and guesses nothing.
"""

import unicodedata
from pathlib import Path
from typing import Any

import pytest

from puzzlekit.boards import Cell, Grid
from puzzlekit.errors import InputError, Problem
from puzzlekit.lang import Size, bind, language, read_spec, type_of_text
from puzzlekit.lang.data.type_syntax import parse_field_type
from puzzlekit.libraries.words import Mark
from tests.lang.languages import problems_of, type_with, under_caret


def read(field: str, spec: str) -> Any:
    return bind(type_of_text("t.yaml", type_with(field)), read_spec("s.yaml", spec)).data["f"]


def wrong(field: str, spec: str) -> Problem:
    (problem,) = problems_of(type_with(field), spec)
    return problem


def rows(grid: Grid) -> list[str]:
    return [
        "".join(str(grid.values.get(Cell(r, c), "_")) for c in range(1, grid.width + 1))
        for r in range(1, grid.height + 1)
    ]


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("int", "010", 10),
        ("int", "-3", -3),
        ("bool", "no", False),
        ("bool", "Yes", True),
        ("text", "1e3", "1e3"),
        ("text", "'  a: b '", "a: b"),
        ("word", "no", "no"),
        ("word", "NULL", "null"),
        ("word", "Ärger", "ärger"),
        ("word", "A\u0308rger", "ärger"),
        ("letter", "Y", "y"),
        ("letter", "\u0130", None),
        ("symbol", "12:30", "12:30"),
        ("symbol", "1e3", "1e3"),
        ("symbol", "010", "010"),
        ("symbol", "⚓️", "⚓"),
        ("size", "3x4", Size(3, 4)),
        ("size", "3 × 4", Size(3, 4)),
        ("mark", "🟩", Mark.GREEN),
        ("mark", "⬛️", Mark.GREY),
        ("marks", "gyb", (Mark.GREEN, Mark.YELLOW, Mark.GREY)),
        ("marks", "🟩 🟨 ⬜️", (Mark.GREEN, Mark.YELLOW, Mark.GREY)),
        ("choice(a, b)", "b", "b"),
        ("list[int]", "[1, 2]", (1, 2)),
        ("list[int]", "1 2,3", (1, 2, 3)),
        ("list[int]", "[]", ()),
        ("list[word]", "[no, yes, null, on]", ("no", "yes", "null", "on")),
        ("list[text]", "[no, 010, 1e3, 12:30, ~]", ("no", "010", "1e3", "12:30", "~")),
        ("list[symbol]", "no 010 1e3 12:30", ("no", "010", "1e3", "12:30")),
        ("list[text]", "one, and two", ("one, and two",)),
        ("list[list[symbol]]", "[[a, b], c d]", (("a", "b"), ("c", "d"))),
        ("tuple[symbol, int]", "a 1", ("a", 1)),
        ("tuple[symbol, list[int]]", "[a, [1, 2]]", ("a", (1, 2))),
        ("list[tuple[symbol, int]]", "[[a, 1], 'b, 2']", (("a", 1), ("b", 2))),
        (
            "list[tuple[word, word, int]]",
            "|\n    up down 1\n    left right 2",
            (("up", "down", 1), ("left", "right", 2)),
        ),
        ("map[symbol, tuple[int, int]]", "{a: 1 2}", {"a": (1, 2)}),
        ("list[marks]", "gyb bbb", ((2, 1, 0), (0, 0, 0))),
        ("map[word, int]", "{a: 1, B: 2}", {"a": 1, "b": 2}),
        ("map[choice(a, b), list[int]]", "{a: 1 2}", {"a": (1, 2)}),
        ("int | None", "", None),
        ("int | None", "4", 4),
        ("int = 5", "6", 6),
    ],
)
def test_values(field: str, text: str, value: Any) -> None:
    if value is None and text:
        assert "is not a letter" in wrong(field, f"f: {text}").message
    else:
        assert read(field, f"f: {text}") == value


@pytest.mark.parametrize(
    ("field", "text", "message"),
    [
        ("int", "1e3", "'1e3' is not a whole number (of at most 15 digits)"),
        (
            "int",
            "9999999999999999",
            "'9999999999999999' is not a whole number (of at most 15 digits)",
        ),
        ("int", "١", "'١' is not a whole number (of at most 15 digits)"),
        ("int", "[1]", "expected int, got a list"),
        ("int", "", "'' is not a whole number (of at most 15 digits)"),
        ("bool", "1", "'1' is not true or false"),
        ("letter", "ab", "'ab' is not a letter"),
        ("letter", "1", "'1' is not a letter"),
        ("word", "''", "expected a word, got nothing"),
        ("word", "1e3", "'1e3' is not a word: '1' is not a letter"),
        ("list[word]", "[no, 12:30]", "'12:30' is not a word: '1' is not a letter"),
        ("symbol", "a b", "'a b' is not a symbol: a symbol contains no blanks"),
        ("size", "3", "'3' is not a size: write rows x columns, as in 3x3"),
        ("size", "0x3", "'0x3' is not a size: write rows x columns, as in 3x3"),
        ("mark", "q", "'q' is not a mark: write g y b (or w), or 🟩 🟨 ⬛ ⬜"),
        ("choice(king, rook)", "kign", "expected one of king, rook, got 'kign'"),
        ("list[int]", "{a: 1}", "expected list[int], got a mapping"),
        ("list[int]", "", "expected list[int], got nothing"),
        ("tuple[symbol, int]", "[a, 1, 2]", "expected tuple[symbol, int], got 3 values"),
        ("tuple[symbol, int]", "a", "expected tuple[symbol, int], got 1 value"),
        ("tuple[symbol, int]", "{a: 1}", "expected tuple[symbol, int], got a mapping"),
        ("tuple[symbol, list[int]]", "a 1", "expected tuple[symbol, list[int]], got text"),
        ("tuple[symbol, int]", "a b", "'b' is not a whole number (of at most 15 digits)"),
        ("map[word, int]", "{a: 1, A: 2}", "the key A is given twice"),
        ("map[word, int]", "a", "expected map[word, int], got text"),
        ("lexicon", "nowhere", None),
        ("lexicon", "[up, d0wn]", "'d0wn' is not a word: '0' is not a letter"),
        (
            "lexicon",
            "{a: b}",
            "expected a name, a path or a list of words as the lexicon, got a mapping",
        ),
        ("grid[letter]", "", "expected a board as block text, each row on a line (begin with |)"),
        (
            "grid[letter]",
            "{a: b}",
            "expected a board as block text, each row on a line (begin with |)",
        ),
        ("grid[letter]", "'___'", "this board has no cells"),
        ("grid[letter]", "ab\n  cd", "the rows of a board are on one line"),
        ("grid[letter]", "[ab, [c]]", "expected each row of a board as one line of text"),
        ("grid[letter]", '"' + "a" * 201 + '"', "a board has at most 200 rows and columns"),
    ],
)
def test_wrong_values(field: str, text: str, message: str | None) -> None:
    problem = wrong(field, f"f: {text}")
    assert message is None or problem.message == message


@pytest.mark.parametrize(
    ("field", "block", "expected"),
    [
        ("grid[letter]", "AB\nc_", ["ab", "c_"]),
        ("grid[letter]", "ab\n.c", ["ab", "_c"]),
        ("grid[letter]", "abc\nd f\nghi", ["abc", "d_f", "ghi"]),
        ("grid[letter]", "S I I Y Ä\na b c d e", ["siiyä", "abcde"]),
        ("grid[letter]", "a b\n_ .\nc d", ["ab", "__", "cd"]),
        ("grid[symbol] ragged", "ab c\nd", ["abc", "d_"]),
        ("grid[symbol] ragged", "+-+\n|_|\n+-+", ["+-+", "|_|", "+-+"]),
        ("grid[letter] ragged", "ab\nc", ["ab", "c_"]),
        ("grid[letter]", unicodedata.normalize("NFD", "äö\nåé"), ["äö", "åé"]),
        ("grid[letter]", unicodedata.normalize("NFD", "한국"), ["한국"]),
        ("grid[int]", "12\n34", ["12", "34"]),
        ("grid[int | None]", "1.\n_2", ["1None", "_2"]),
        ("grid[mark]", "🟩🟨\n⬛⬜", ["gy", "bb"]),
        ("grid[mark]", "🟩️🟨\n⬛️⬜️", ["gy", "bb"]),
        ("grid[mark]", "g y\nw x", ["gy", "bb"]),
        ("grid[symbol]", "⚓️♥\n♥⚓", ["⚓♥", "♥⚓"]),
        ("grid[text]", "ab c\nd ef", ["abc", "def"]),
        ("grid[bool]", "yes no\nno yes", ["TrueFalse", "FalseTrue"]),
    ],
)
def test_boards(field: str, block: str, expected: list[str]) -> None:
    text = "f: |\n" + "\n".join(f"  {line}" for line in block.split("\n")) + "\n\n"
    assert rows(read(field, text)) == expected
    assert rows(read(field, text.replace("\n", "\r\n"))) == expected
    listed = "f:\n" + "\n".join(f"  - '{line}'" for line in block.split("\n"))
    assert rows(read(field, listed)) == expected


def test_numbers_of_several_digits() -> None:
    lines = [
        " ".join(str((r * 16 + c) % 16 + 1) if (r + c) % 3 else "." for c in range(16))
        for r in range(16)
    ]
    grid = read("grid[int | None]", "f: |\n" + "\n".join("  " + line for line in lines))
    assert (grid.height, grid.width, len(grid)) == (16, 16, 256)
    assert grid[Cell(1, 16)] is None or grid[Cell(1, 16)] == 16
    assert max(value for value in grid if value is not None) == 16


@pytest.mark.parametrize(
    ("field", "block", "line", "column", "message"),
    [
        ("grid[letter]", "abc\nd1f", 3, 4, "'1' is not a letter"),
        ("grid[letter]", "a b c\nd e 1", 3, 7, "'1' is not a letter"),
        ("grid[int]", "10 11\n12 x3", 3, 6, "'x3' is not a whole number (of at most 15 digits)"),
        ("grid[mark]", "🟩️🟨\n⬛️q", 3, 5, "'q' is not a mark: write g y b (or w), or 🟩 🟨 ⬛ ⬜"),
        ("grid[letter]", "a\u0308b\na\u03081", 3, 5, "'1' is not a letter"),
        ("grid[letter]", "abc\nde", 3, 3, "row 2 has 2 cells, but row 1 has 3"),
        ("grid[letter]", "abc\nd", 3, 3, "row 2 has 1 cell, but row 1 has 3"),
        ("grid[letter]", "ab\nabc\ndef", 2, 3, "row 1 has 2 cells, but row 2 has 3"),
        ("grid[symbol]", "ab\n12\n1\n34", 4, 3, "row 3 has 1 cell, but row 1 has 2"),
        ("grid[letter]", "ab\tc\ndefg", 2, 5, "there is a tab between these cells"),
        ("list[int]", "1\n2x", 3, 3, "'2x' is not a whole number (of at most 15 digits)"),
        ("list[marks]", "gyb\nggq", 3, 3, "'q' is not a mark: write g y b (or w), or 🟩 🟨 ⬛ ⬜"),
        ("list[list[int]]", "1 2\n3 x", 3, 5, "'x' is not a whole number (of at most 15 digits)"),
    ],
)
def test_the_place_of_a_wrong_value_in_a_block(
    field: str, block: str, line: int, column: int, message: str
) -> None:
    problem = wrong(field, "f: |\n" + "\n".join(f"  {part}" for part in block.split("\n")))
    assert problem.position is not None
    assert (problem.message, problem.position.line, problem.position.column) == (
        message,
        line,
        column,
    )


def test_every_wrong_cell_of_a_board_is_told() -> None:
    found = problems_of(type_with("grid[letter]"), "f: |\n  1a2\n  b3c\n")
    assert [(p.position.line, p.position.column) for p in found if p.position] == [
        (2, 3),
        (2, 5),
        (3, 4),
    ]
    many = problems_of(type_with("list[int]"), "f: " + " ".join(f"x{n}" for n in range(150)) + "\n")
    assert len(many) == 101
    assert many[-1].message == "and 50 more problems"


@pytest.mark.parametrize(
    ("cells", "found"),
    [(5, ["0 is not 1 or more"] * 5), (150, ["0 is not 1 or more (150 times; this is the first)"])],
)
def test_a_mistake_that_is_made_everywhere_is_told_once(cells: int, found: list[str]) -> None:
    told = problems_of(type_with("grid[int | None] in 1.."), "f: |\n" + "  " + "0" * cells + "\n")
    assert [problem.message for problem in told] == found
    assert {problem.help for problem in told} == {"write . where nothing is given"}


LIKE = """
puzzle: t
data:
  a: list[list[symbol]]
  t: list[text]
  m: {type: "map[symbol, int]", like: a}
  n: {type: "map[letter, int]", like: t}
variables:
  x: bool
"""


def test_keys_that_must_stand_in_another_field() -> None:
    good = bind(
        type_of_text("t.yaml", LIKE),
        read_spec("s.yaml", "a: [[p, q], [r]]\nt: It is.\nm: {r: 1}\nn: {I: 1, s: 2}\n"),
    )
    assert (good.data["m"], good.data["n"]) == ({"r": 1}, {"i": 1, "s": 2})
    found = problems_of(LIKE, "a: [[p, q], [r]]\nt: It is.\nm: {p: 1, z: 1, y: 2}\nn: {x: 1}\n")
    assert [(problem.message, str(problem.position)) for problem in found] == [
        ("m has z, but a does not", "spec.yaml:3:11"),
        ("m has y, but a does not", "spec.yaml:3:17"),
        ("n has x, but t does not", "spec.yaml:4:5"),
    ]
    letters = problems_of(LIKE, "a: [[p]]\nt: a\nm: {}\nn: {a: 1, A: 2, 12: 3}\n")
    assert [problem.message for problem in letters] == [
        "the key A is given twice",
        "'12' is not a letter",
    ]


def test_boards_that_must_be_alike() -> None:
    text = (
        "puzzle: t\ndata:\n  a: grid[letter]\n  b: {type: 'grid[mark]', like: a}\nvariables:\n"
        "  x: bool\n"
    )
    (problem,) = problems_of(text, "a: |\n  ab\n  cd\nb: |\n  gg\n")
    help = "b and a must have the same cells"
    assert (
        str(problem)
        == f"spec.yaml:4:4: b has 1 row, but a has 2\n   4 | b: |\n     |    ^\n     = {help}"
    )
    assert (
        problems_of(text, "a: |\n  ab\nb: |\n  ggg\n")[0].message == "b has 3 columns, but a has 2"
    )
    assert (
        problems_of(text, "a: |\n  ab\n  cd\nb: |\n  gg\n  _g\n")[0].message
        == "a has a cell at r2c1, but b has none"
    )
    assert (
        problems_of(text, "a: |\n  ab\n  c_\nb: |\n  gg\n  gg\n")[0].message
        == "b has a cell at r2c2, but a has none"
    )


def test_what_a_spec_must_not_say() -> None:
    text = (
        "puzzle: t\ndata:\n  colours: int\n  b: {type: int, about: how many}\nvariables:\n"
        "  x: bool\n"
    )
    found = problems_of(text, "title: a\ncolurs: 1\n")
    assert [(p.message, p.help) for p in found] == [
        ("the field colours is missing", "t requires colours: int"),
        ("the field b is missing: how many", "t requires b: int"),
        ("t has no field colurs", "did you mean colours?"),
    ]
    with pytest.raises(InputError, match="expected text as title, got a list"):
        read_spec("s", "title: [a]")
    with pytest.raises(InputError, match="the key `a` is given twice; the first is in line 1"):
        read_spec("s", "a: 1\na: 2")
    with pytest.raises(InputError, match="expected plain text as a key of a spec, got a mapping"):
        read_spec("s", "{a: b}: 1")


def test_settings() -> None:
    puzzle = type_of_text(
        "t.yaml",
        (
            "puzzle: t\ndata:\n  n: int = 1\n  g: grid[letter] = ab\n  l: list[int] = 1 2\n"
            "variables:\n  x: bool\n"
        ),
    )
    spec = read_spec("s.yaml", "n: 2")
    assert bind(puzzle, spec).data["n"] == 2
    made = bind(puzzle, spec, {"n": "3", "g": "ab\ncd", "l": "[4, 5]"}).data
    assert (made["n"], rows(made["g"]), made["l"]) == (3, ["ab", "cd"], (4, 5))
    with pytest.raises(InputError) as raised:
        bind(puzzle, spec, {"n": "three", "g": "ab\nc1", "l": "[4, x]", "nn": "1"})
    told = str(raised.value)
    assert "settings['n']:1:3: 'three' is not a whole number" in told
    assert "settings['g']:3:2: '1' is not a letter" in told
    assert "'x' is not a whole number" in told
    assert "settings: t has no field nn" in told
    with pytest.raises(InputError, match=r"^lexicon: t has no field of type lexicon"):
        bind(puzzle, spec, lexicon="english")


def test_words_from_a_file_beside_the_spec(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("up\ndown\n", encoding="utf-8")
    puzzle = type_of_text("t.yaml", type_with("lexicon"))
    made = bind(puzzle, read_spec("s.yaml", "f: mine.txt"), folder=tmp_path)
    assert sorted(made.data["f"]) == ["down", "up"]
    again = bind(puzzle, read_spec("s.yaml", "f: [one]"), lexicon="mine.txt", folder=tmp_path)
    assert sorted(again.data["f"]) == ["down", "up"]
    by_name = bind(
        puzzle, read_spec("s.yaml", "f: [one]"), {"f": "[two]"}, lexicon="mine.txt", folder=tmp_path
    )
    assert sorted(by_name.data["f"]) == ["two"]
    block = bind(puzzle, read_spec("s.yaml", "f: |\n  one\n  two\n"))
    assert sorted(block.data["f"]) == ["one", "two"]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "int",
            "list[list[symbol]]",
            "tuple[symbol, list[int], word]",
            "map[word, list[int]]",
            "grid[int | None]",
        ),
        *("grid[letter] ragged", "choice(a, b)", "lexicon"),
    ],
)
def test_types_spell_themselves(text: str) -> None:
    types = language().data_types
    assert str(parse_field_type(text, types).type) == text
    optional = parse_field_type(f"{text} | None", types)
    assert (str(optional.type), optional.optional) == (text, True)


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("itn", "'itn' is not a type; did you mean int?"),
        ("list[int", "this is not a type: ] is missing"),
        ("tuple[int]", "a tuple has two values or more, but tuple[int] has one"),
        ("list[int] x", "'list[int] x' is not a type: unexpected 'x'"),
        ("map[grid[int], int]", "expected a single value as a key, got grid[int]"),
        ("grid[list[int]]", "a cell holds a value or a tuple of values, not list[int]"),
        ("grid[marks]", "a cell holds a value or a tuple of values, not marks"),
        (
            "grid[tuple[int, list[int]]]",
            "a cell holds a value or a tuple of values, not tuple[int, list[int]]",
        ),
        ("int | symbl", "'symbl' is not a type; did you mean symbol?"),
        ("choice()", "this is not a type: a name is missing"),
        ("'int!'", "'int!' is not a type: unexpected '!'"),
        ("int = x", "'x' is not a whole number (of at most 15 digits)"),
        ("choice(a, b) = c", "expected one of a, b, got 'c'"),
        ("{typ: int}", "there is no option typ"),
        ("{about: a}", "the field f has no type"),
        ("{type: int, like: g}", "there is no field g"),
        ("[int]", "expected text as a type, got a list"),
    ],
)
def test_wrong_types(field: str, message: str) -> None:
    found = problems_of(type_with(field))
    assert message in [problem.message.split("; write grid")[0] for problem in found]


def test_the_place_of_a_wrong_default() -> None:
    (problem,) = problems_of(type_with("list[int] = 1 2 x"))
    assert under_caret(problem) == "x"
