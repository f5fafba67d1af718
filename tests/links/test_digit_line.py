"""Boards of digits on a line, in a grid, and on standard input."""

from pathlib import Path

import pytest

import puzzlekit
from puzzlekit import links
from puzzlekit.errors import InputError
from puzzlekit.lang import read_type
from puzzlekit.links import digit_line
from tests.commands import called as command
from tests.shipped import ROOT, SPECS

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ROWS = [LINE[start : start + 9] for start in range(0, 81, 9)]
PRETTY = "+---+---+---+\n" + "".join(
    f"|{row[:3]}|{row[3:6]}|{row[6:]}|\n" + ("+---+---+---+\n" if number % 3 == 2 else "")
    for number, row in enumerate(ROWS)
)


def givens(text: str) -> list[str]:
    assert digit_line.recognises(text)
    (found,) = links.read(text)
    assert found.type == "sudoku"
    rows: list[str] = found.fields["givens"]
    return rows


@pytest.mark.parametrize("empty", ".0-*_x")
def test_signs_of_an_empty_cell(empty: str) -> None:
    assert givens(LINE.replace(".", empty)) == ROWS


@pytest.mark.parametrize("rest", [" 4.5 hard", ";7", ",easy", "#1", f",{SOLVED}", "\n"])
def test_what_follows_the_board(rest: str) -> None:
    assert givens(LINE + rest) == ROWS
    assert ("expect" in links.read(LINE + rest)[0].fields) is (SOLVED in rest)


@pytest.mark.parametrize(
    "text",
    [
        PRETTY,
        PRETTY.replace(".", " . "),
        "\n".join(ROWS),
        PRETTY.replace(".", "0"),
        "\n".join(map(" ".join, ROWS)),
    ],
)
def test_grids_of_several_lines(text: str) -> None:
    assert givens(text) == ROWS


def test_dashes_are_rulers_or_empty_cells() -> None:
    assert givens("\n".join(ROWS).replace(".", "-")) == ROWS


@pytest.mark.parametrize(
    "address",
    ["https://x.org/sudoku.htm?bd={}", "https://x.org/play/?s={}&d=3", "x.org/?a=1&p={}#top"],
)
def test_a_link_may_hold_a_board(address: str) -> None:
    assert givens(address.format(LINE)) == ROWS


def test_a_file_may_begin_with_comments() -> None:
    assert givens("#Asomebody\n#B2020-01-01\n" + "\n".join(ROWS)) == ROWS
    assert givens("#A\n[Puzzle]\n" + "\n".join(ROWS)) == ROWS


def test_sixteen_lines_of_sixteen_characters_are_one_board() -> None:
    found = givens("\n".join(["1" + "." * 15, *["." * 16] * 15]))
    assert (len(found), found[0][:4]) == (16, "1 . ")


def test_sides_above_nine() -> None:
    letters = "G" + "." * 254 + "1"
    assert givens(letters)[0].startswith("16 . .") and givens(letters)[-1].endswith(" 1")
    assert givens("0F" + "." * 254)[0].startswith("1 16 .")  # the digits begin at 0
    assert givens("0G" + "0" * 254)[0].startswith(". 16 .")
    assert givens("16" + "00" * 254 + "01")[0].startswith("16 . .")
    assert links.read("1...........2.......3.4.............")[0].fields["box"] == "2x3"


def test_candidates() -> None:
    cells = ["123456789"] * 81
    cells[0], cells[80] = "1...5....", "........9"
    found = links.read("".join(cells))[0].fields["candidates"]
    assert (found["r1c1"], found["r9c9"], len(found)) == ("1 5", "9", 81)
    with pytest.raises(InputError, match=r"character 10 of the board: expected 1 or ., got '2'"):
        links.read("." * 9 + "2" + "." * 719)


@pytest.mark.parametrize("spec", [name for name in SPECS if name.startswith("sudoku/")])
def test_what_is_written_is_read_back(spec: str) -> None:
    puzzle = puzzlekit.load(None, SPECS[spec])
    try:
        text = digit_line.write(puzzle.instance)
    except InputError as error:
        assert "this puzzle has the field" in str(error) or "even and odd" in str(error)
        return
    assert dict(puzzlekit.load(None, links.read(text)[0].text)) == dict(puzzle)


def test_other_types_and_wrong_digits() -> None:
    with pytest.raises(InputError, match=r"masyu has no boards of digits on a line; sudoku has"):
        links.read(LINE, read_type(ROOT / "puzzles/masyu.yaml"))
    with pytest.raises(
        InputError, match=r"character 2 of the board: expected a digit up to 6 .*, got '7'"
    ):
        links.read(".7" + "." * 34)
    for text in (
        "abc",
        "123",
        "1" * 80,
        "https://example.org/" + "1" * 61,
        "x" * 100_000,
        "word\n" * 9,
        "\n",
        "2024",
    ):
        assert not digit_line.recognises(text)


def test_a_file_of_many_boards(tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text(
        f"# easy ones\n{LINE};1.2\n\n{LINE},{SOLVED}\n{'7' + LINE[1:-1] + 'q'}\n"
    )
    done = command("import", str(tmp_path / "many.txt"))
    assert done.stdout.count("puzzle: sudoku") == 2 and done.stdout.count("expect:") == 1
    assert done.returncode == 2 and "many.txt:5" in done.stderr
    (tmp_path / "one.txt").write_text(PRETTY)
    assert (
        command("import", "sudoku", str(tmp_path / "one.txt")).stdout.count("puzzle: sudoku") == 1
    )


def test_a_bare_board_on_standard_input() -> None:
    assert (
        "the only solution" in command("solve", "akari", "-", stdin="2 . .\n. x 1\n. . .\n").stdout
    )
    done = command("solve", "sudoku", "-", stdin="\n".join(ROWS).replace("195", "19q"))
    assert done.returncode == 2 and "<stdin>['givens'][1]: expected digit" in done.stderr
    assert "is missing" in command("solve", "tents", "-", stdin="T..\n...\n").stderr
    assert (
        command("solve", "heyawake", "-", stdin="AAB\nACB\n").returncode == 2
    )  # two boards are required
