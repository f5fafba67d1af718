"""What is told of the clues of a puzzle: how they lie, which decide all alone,
which could be left out.
"""

import puzzlekit
from puzzlekit.making.quality import quality


def test_clues_of_a_loop() -> None:
    puzzle = puzzlekit.load("slitherlink", {"clues": ["22.2", "2..2", "2..2", "22.2"]})
    told = quality(puzzle, 60)
    assert told["density"] == 0.625 and told["empty"] == 4 and told["trivial"] == 0


def test_trivial_redundant_and_needed_clues() -> None:
    spec = {"clues": ["0...", "....", ".3..", "...3"]}
    told = quality(puzzlekit.load("slitherlink", spec), 60)
    assert (
        told["trivial"] == 1
    )  # 0 decides its four sides; a given decides only its own cell, which is no merit
    sudoku = {"box": [2, 2], "givens": ["12..", "34..", "2..3", "..2."]}
    puzzle = puzzlekit.load("sudoku", sudoku)
    told = quality(puzzle, 60)
    left_out = []
    for row, line in enumerate(sudoku["givens"]):
        for column, digit in enumerate(line):
            if digit != ".":
                others = [list(own) for own in sudoku["givens"]]
                others[row][column] = "."
                left_out.append(
                    puzzlekit.load(
                        "sudoku", {**sudoku, "givens": ["".join(own) for own in others]}
                    ).count()
                    == 1
                )
    assert puzzle.count() == 1 and told["redundant"] == sum(left_out) and told["trivial"] == 0


def test_symmetry_is_that_of_the_places_and_clues_outside_have_none() -> None:
    symmetric = puzzlekit.load("slitherlink", {"clues": ["1..3", "....", "....", "2..0"]})
    assert quality(symmetric, 60)["symmetry"] == ["rotate", "mirror", "flip", "diagonal"]
    assert quality(puzzlekit.load(None, "specs/skyscrapers/tiny.yaml"), 60)["symmetry"] is None
    assert quality(puzzlekit.load("queens", {"size": 4}), 60) == dict.fromkeys(
        ("density", "symmetry", "empty", "taste", "trivial", "redundant")
    )


def test_no_time_leaves_two_numbers_out() -> None:
    told = quality(puzzlekit.load(None, "specs/sudoku/six.yaml"), 0.0)
    assert told["trivial"] is None and told["redundant"] is None and told["density"] == 0.278
