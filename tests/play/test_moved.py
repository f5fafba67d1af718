"""Boards of texts that are only moved, without a browser."""

import pytest

import puzzlekit
from puzzlekit.play.game import Game
from puzzlekit.questions.played import PlayedBoard

TYPE = """
puzzle: shuffled
data: {letters: "grid[letter]"}
variables: {"answer[c]": distinct(letters) for c in letters.cells}
rules:
  letters are only moved: COUNT
  letters rise: answer[cell(1, 1)] != answer[cell(1, 2)]
show: {picture: [{title: start, text: letters}, {title: solution, text: answer}]}
"""
MOVED = "count(answer, l) == count(letters, l) for l in distinct(letters)"
SPEC = "puzzle: shuffled\nletters: |\n  aab\n  bcc\n"


def moved(count: str) -> object:
    puzzle = puzzlekit.load(TYPE.replace("COUNT", count), SPEC)
    (entry,) = Game(puzzle).data()["entries"]
    return entry.get("moved")


def test_texts_are_moved_where_the_rules_count_each() -> None:
    assert moved(MOVED) == [1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize(
    "count",
    [
        "count(answer, l) == 2 for l in distinct(letters) if l != letters[cell(1, 1)]",
        "count(answer, l) <= count(letters, l) for l in distinct(letters)",
        "count(answer[row], l) == count(letters[row], l) for row in letters.rows"
        " for l in distinct(letters)",
    ],
)
def test_texts_are_typed_where_the_rules_say_less(count: str) -> None:
    assert moved(count) is None


def test_texts_that_stand_where_they_began_are_no_marks() -> None:
    played = PlayedBoard(puzzlekit.load(TYPE.replace("COUNT", MOVED), SPEC))
    start = [1, 1, 2, 2, 3, 3]
    assert played.marks([{"held": start, "crossed": []}]) == {}
    assert not played.is_begun([{"held": start, "crossed": []}])
    swapped = [2, 1, 1, 2, 3, 3]
    marks = played.marks([{"held": swapped, "crossed": []}])
    assert {str(cell): value for cell, value in marks["answer"].items()} == {
        "r1c1": "b",
        "r1c3": "a",
    }
    assert played.is_begun([{"held": swapped, "crossed": []}])
