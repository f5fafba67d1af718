"""Puzzles of the shipped types that say under `make:` how they are made."""

from collections.abc import Iterator
from functools import cache
from itertools import islice
from types import SimpleNamespace

import pytest

import puzzlekit
from puzzlekit import Puzzle, Query
from puzzlekit.boards import Grid
from puzzlekit.catalogue import find
from puzzlekit.cli.generation import base_puzzle
from puzzlekit.lang import read_type
from puzzlekit.making.by_rules import PuzzleNumber, RuleGenerator
from puzzlekit.making.fields import clue_fields
from puzzlekit.making.generators import Tools
from tests.shipped import MADE

SMALL = {  # of what takes longer at its own size
    **dict.fromkeys(
        (
            "akari",
            "chocona",
            "heyawake",
            "nurikabe",
            "numberlink",
            "makaro",
            "shikaku",
            "shakashaka",
            "tents",
            "hitori",
        ),
        "6x6",
    ),
    **dict.fromkeys(("curving_road", "yajilin", "linesweeper", "koburin", "star_battle"), "5x5"),
    **dict.fromkeys(("shingoki", "balance_loop", "kakkuru", "shugaku", "moon_or_sun"), "5x5"),
    **dict.fromkeys(("crossword", "codeword"), "7x7"),
    "ripple_effect": "6x6",
    "detour": "6x6",  # an odd number of cells has no loop through all
    "dominosa": "4x5",
}
ALONE = {
    "fivecells": "5x5",
    "kuroshuto": "6x6",
}  # make puzzles without it, but not of their smallest spec
SLOW = (
    *(
        "aquarium",
        "battleships",
        "dominosa",
        "kakuro",
        "killer",
        "lits",
        "norinori",
        "numberlink",
        "ripple_effect",
    ),
    *(
        "spiral_galaxies",
        "tatamibari",
        "aqre",
        "graeco_latin_square",
        "one_to_x",
        "renban",
        "shimaguni",
        "yonmasu",
        "cryptarithm",
        "cryptogram",
        "strands",
        "word_ladder",
    ),
)
MANY = 20
NAMES = [name for name in (*MADE, *ALONE) if name != "bosanowa"]  # which takes minutes for each


@cache
def maker(name: str, size: str | None) -> RuleGenerator:
    kind = read_type(find(name))
    options = SimpleNamespace(
        size=size, like=None, set=[], symmetry=None, density=None, minimal=False, level=None
    )
    made = RuleGenerator(base_puzzle(kind, options))
    made.begin(options, Tools(kind, 1, lambda message: None))
    return made


def puzzles(name: str, many: int) -> Iterator[Puzzle]:
    """Yield so many puzzles of a type: of some numbers there is none."""
    own = maker(name, {**SMALL, **ALONE}.get(name))
    made = [*islice(filter(None, map(own.generated, map(PuzzleNumber, range(1, 3 * MANY)))), many)]
    assert len(made) == many
    yield from (puzzlekit.load(name, one.fields) for one in made)


def has_one_solution(puzzle: Puzzle, backend: str) -> bool:
    return len(list(puzzle.run(Query(limit=2, ordered=False), backend))) == 1


@pytest.mark.sampled(20)
@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.slow] if n in SLOW else []) for n in NAMES],
)
def test_a_puzzle_of_each_type_has_one_solution(name: str) -> None:
    assert all(has_one_solution(puzzle, "auto") for puzzle in puzzles(name, 1))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_many_puzzles_of_each_type_have_one_solution_by_two_backends(name: str) -> None:
    assert all(
        has_one_solution(puzzle, "z3") for puzzle in puzzles(name, MANY)
    )  # auto has found them


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_boards_and_lists_that_are_no_clues_differ(name: str) -> None:
    first, second = puzzles(name, 2)
    data = first.instance.data
    clues = clue_fields(first.type, data)
    drawn = [field for field in data if field not in clues and isinstance(data[field], Grid)]
    equal = [field for field in drawn if data[field] == second.instance.data[field]]
    assert equal == []
