"""`solve --backbone`: the picture, what would tell most, JSON and exit codes."""

import json

from tests.commands import Command

BERRIES = "specs/cipher/finnish.yaml"
EMPTY = "puzzle: sudoku\nbox: 2x2\ngivens: |\n  12..\n  34..\n  ....\n  ....\n"


def test_the_picture_says_what_is_open(puzzlekit: Command) -> None:
    done = puzzlekit("solve", BERRIES, "--backbone")
    assert done.returncode == 0
    assert (
        "  🌾 🍄 🐟 🐞 🍄 ⚡ ⚡ 🌊\n"
        "   ?  U  O  L  U  K  K  A\n"
        "    words: mansikka mustikka ?uolukka\n" in done.stdout
    )
    assert (
        "in all solutions: 10 fixed, 1 open (?)\nmost informative, in both solutions:\n"
        in done.stdout
    )
    assert "1.00 bits  words[2]: juolukka (1), puolukka (1)\n" in done.stdout
    assert "both solutions · exact-cover" in done.stdout


def test_json(puzzlekit: Command) -> None:
    done = puzzlekit("solve", BERRIES, "--backbone", "--json")
    report = json.loads(done.stdout)
    assert (report["any"], report["status"], report["basis"], report["solutions"]) == (
        True,
        "complete",
        "all",
        2,
    )
    assert report["fixed"]["letter"]["🐟"] == ["o"]
    assert report["open"] == {"letter": {"🌾": ["j", "p"]}}
    assert (report["unsettled"], report["goal"]) == ({}, None)
    assert report["tells"][0] == {
        "what": "words[2]",
        "bits": 1.0,
        "values": {"juolukka": 1, "puolukka": 1},
    }


def test_boards_and_lines(puzzlekit: Command) -> None:
    board = puzzlekit("solve", "-", "--backbone", stdin=EMPTY)
    assert "┃ 1' 2'┃ ?  ? ┃\n" in board.stdout
    assert "4 fixed, 12 open (?)" in board.stdout
    lines = puzzlekit("solve", "slitherlink", "-", "--backbone", stdin="clues: |\n  3.\n  ..\n")
    assert lines.returncode == 0
    assert "line, true in some solutions: " in lines.stdout


def test_exit_codes(puzzlekit: Command) -> None:
    none = puzzlekit("solve", "-", "--backbone", stdin=EMPTY.replace("12..", "13.."))
    assert (none.returncode, "no solution, proven" in none.stdout) == (1, True)
    stopped = puzzlekit("solve", BERRIES, "--backbone", "--timeout", "0")
    assert (
        stopped.returncode,
        "stopped: the time is up during loading; no solution yet" in stopped.stdout,
    ) == (3, True)
    refused = puzzlekit("solve", BERRIES, "--backbone", "--all")
    assert (refused.returncode, "--backbone cannot be combined with" in refused.stderr) == (2, True)


ZEBRA = (
    "puzzle: zebra\ngroups:\n  name: peter eric arnold\n  drink: tea water milk\n"
    "right_of: [water arnold]\nat: {peter: 2}\n"
)


def test_named_values_are_shown_as_far_as_they_are_settled(puzzlekit: Command) -> None:
    done = puzzlekit("solve", "-", "--backbone", stdin=ZEBRA)
    assert "    name  │ arnold  peter  eric\n    drink │ ?       water  ?\n" in done.stdout
    assert (
        "    boards: 2\n"
        in puzzlekit("solve", "specs/unwordle_answers/one.yaml", "--backbone").stdout
    )


def test_the_picture_is_that_of_the_type(puzzlekit: Command) -> None:
    regions = "[aaabb, aaaba, dcdbb, ccccc, ceccc]"
    stars = puzzlekit(
        "solve", "star_battle", "-", "--backbone", stdin=f"stars: 1\nregions: {regions}\n"
    ).stdout
    picture = stars[: stars.index("in all solutions")]
    assert "★" in picture and "?" in picture and "■" not in picture
    assert f"{picture.count('?')} open (?)" in stars
    numbers = puzzlekit("solve", "hitori", "-", "--backbone", stdin="numbers: [112, 123, 231]\n")
    assert "  [1] 1  2\n     ?  ?\n   1  2  3\n  ?  ?  ?\n   2  3  1\n" in numbers.stdout


def test_presolve_is_named_where_it_did_everything(puzzlekit: Command) -> None:
    done = puzzlekit("solve", "specs/sudoku/first.yaml", "--backbone", "--backend", "sat")
    assert "the only solution · " in done.stdout
    trivial = "puzzle: zebra\ngroups: {name: [ann, bob]}\nat: {ann: 1}\n"
    assert (
        "the only solution · presolve, "
        in puzzlekit("solve", "-", "--backbone", "--backend", "sat", stdin=trivial).stdout
    )
    report = json.loads(puzzlekit("solve", "-", "--backbone", "--json", stdin=trivial).stdout)
    assert report["backend"] == "presolve"
