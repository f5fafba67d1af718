"""Puzzles of types whose clues are words, sentences, pieces, or numbers in circles."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import puzzlekit
from puzzlekit import Puzzle
from puzzlekit.boards import Cell, Grid
from puzzlekit.libraries.words import load

ANY_WORD = """
puzzle: any_word
title: Any word
about: Choose the first word.
libraries: [words]
data:
  words: list[word]
variables:
  number: between(1, len(words))
rules:
  it is the first: number == 1
show: number
make:
  layout:
    words: sorted(lexicon('english-familiar').of_length(6))
"""


@cache
def made(name: str, size: str | None = None, minimal: bool = False) -> Puzzle:
    return next(puzzlekit.generate(name, seed=1, size=size, minimal=minimal))


def has_one_solution(name: str, fields: Any) -> bool:
    return puzzlekit.load(name, fields).count() == 1


def field(puzzle: Puzzle, name: str) -> Any:
    return puzzle.instance.data[name]


def data(puzzle: Puzzle, **changed: Any) -> dict[str, Any]:
    """Return the fields that the spec states, some of them changed."""
    return {name: puzzle[name] for name in puzzle.spec.nodes} | changed


def rows(board: Grid, absent: Cell) -> list[str]:
    """Return the rows of a board of five columns without what one cell has."""
    texts = [str(board[cell] or ".") if cell != absent else "." for cell in board.cells]
    return ["".join(texts[start : start + 5]) for start in range(0, 25, 5)]


def without_entry(puzzle: Puzzle, name: str, number: int) -> dict[str, Any]:
    entries = puzzle[name]
    if isinstance(entries, dict):
        pairs = list(entries.items())
        return data(puzzle, **{name: dict(pairs[:number] + pairs[number + 1 :])})
    return data(puzzle, **{name: entries[:number] + entries[number + 1 :]})


def test_a_crossword_is_a_fill_in_on_a_symmetric_board() -> None:
    puzzle = made("crossword", "7x7")
    board = field(puzzle, "board")
    black = {cell for cell in board.cells if board[cell] == "#"}
    assert black == {Cell(8 - cell.row, 8 - cell.column) for cell in black}
    words = list(field(puzzle, "words"))
    assert len(words) >= 6 and {len(word) for word in words} <= set(range(3, 8))
    assert puzzle.count() == 1


@pytest.mark.parametrize("seed", range(4))
def test_islands_of_a_hashi_reach_all_sides(seed: int) -> None:
    board = field(next(puzzlekit.generate("hashi", seed=seed, size="6x6")), "islands")
    assert {1, 6} <= {cell.row for cell in board.given}
    assert {1, 6} <= {cell.column for cell in board.given}


def test_ends_of_a_numberlink_are_apart() -> None:
    board = field(made("numberlink", "6x6"), "numbers")
    assert not any(board[a] and board[b] for a, b in board.adjacent)


def test_a_loop_has_black_and_white_circles() -> None:
    for name, field_name in (("masyu", "pearls"), ("dotchi_loop", "circles")):
        circles = field(made(name, "6x6"), field_name)
        assert {"b", "w"} <= {*circles.values.values()}


def test_a_codeword_has_the_numbers_from_one_and_no_letter_too_many() -> None:
    puzzle = made("codeword", "7x7")
    numbers = {number for number in field(puzzle, "board").values.values() if number != "#"}
    assert numbers == set(range(1, len(numbers) + 1))
    for number in range(len(field(puzzle, "known"))):
        assert not has_one_solution("codeword", without_entry(puzzle, "known", number))


def test_words_that_are_drawn_do_not_offend(tmp_path: Path) -> None:
    path = tmp_path / "any_word.yaml"
    path.write_text(ANY_WORD, encoding="utf-8")
    puzzle = next(puzzlekit.generate(str(path), seed=1))
    drawn = set(field(puzzle, "words"))
    left_out = set(load("english-familiar").of_length(6)) - drawn
    assert left_out and left_out <= set(load("english-offensive"))


def test_a_word_search_takes_the_words_that_the_command_sets() -> None:
    words = ["apple", "cherry", "grape", "lemon"]
    puzzle = next(puzzlekit.generate("word_search", seed=1, settings={"words": words}))
    assert sorted(field(puzzle, "words")) == words and puzzle.count() == 1


def test_a_zebra_needs_each_of_its_sentences() -> None:
    puzzle = made("zebra", minimal=True)
    fields = ("same", "beside", "right_of", "after", "at")
    entries = [(name, number) for name in fields for number in range(len(field(puzzle, name)))]
    assert 8 <= len(entries) <= 18 and len({name for name, _ in entries}) >= 4
    for name, number in entries:
        assert not has_one_solution("zebra", without_entry(puzzle, name, number))


def test_a_zebra_takes_the_groups_that_the_command_sets() -> None:
    groups = {"cat": ["tom", "kit", "lux"], "toy": ["ball", "mouse", "string"]}
    puzzle = next(puzzlekit.generate("zebra", seed=1, settings={"groups": groups}))
    assert {name: list(members) for name, members in field(puzzle, "groups").items()} == groups


@pytest.mark.parametrize("name", ["shingoki", "balance_loop"])
def test_each_circle_is_needed_with_its_number(name: str) -> None:
    puzzle = made(name, "5x5", minimal=True)
    circles, sums = field(puzzle, "circles"), field(puzzle, "sums")
    assert set(sums.given) <= set(circles.given)
    for cell in circles.given:
        fewer = {"circles": rows(circles, cell), "sums": rows(sums, cell)}
        assert not has_one_solution(name, fewer)


def test_half_of_the_clues_of_a_mathrax_are_there() -> None:
    puzzle = made("mathrax", "5x5")
    assert 2 * len(field(puzzle, "clues").given) >= len(field(puzzle, "clues").cells)
    assert len(field(puzzle, "givens").given) <= 6


def test_what_a_layout_puts_into_a_field_of_clues_stays() -> None:
    puzzle = made("makaro", "5x5")
    givens, light = field(puzzle, "givens"), field(puzzle, "regions")
    dark = [cell for cell in givens.cells if light[cell] is None]
    assert dark and all(givens[cell] in (*"^>v<", "x") for cell in dark)
    assert any(givens[cell] is None for cell in givens.cells)


def test_pieces_are_written_as_a_spec_reads_them() -> None:
    puzzle = made("pentominoes", "6x6")
    text = puzzle.spec.source.text
    assert re.search(r'[FILNPTUVWXYZ]: "[#.]+ [#. ]+"', text)
    assert sum(map(len, field(puzzle, "pieces").values())) == len(field(puzzle, "field").cells)
    assert puzzlekit.load(None, text).count() == 1


@pytest.mark.parametrize("name", ["queens", "cipher", "kakkuru"])
def test_a_seed_makes_the_same_puzzle_again(name: str) -> None:
    puzzle = made(name)
    again = next(puzzlekit.generate(name, seed=1))
    assert again.spec.source.text == puzzle.spec.source.text
