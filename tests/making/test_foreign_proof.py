"""Puzzles of thirty types have one solution by the rules in `clingo/`, which were written for
clingo from the words of the rules alone.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import clingo
import pytest

import puzzlekit
from puzzlekit import Puzzle
from puzzlekit.boards import Corner, Grid

RULES = Path(__file__).parent / "clingo"
TYPES = sorted(path.stem for path in RULES.glob("*.lp"))
SHARED = {"board", "latin", "loop", "shading"}
SIZES = {
    **dict.fromkeys(("sudoku", "nonogram"), None),
    **dict.fromkeys(("zebra", "cryptarithm"), None),
    **dict.fromkeys(("skyscrapers", "futoshiki"), "5x5"),
    **dict.fromkeys(("shingoki", "star_battle", "queens"), "7x7"),
    "dominosa": "4x5",
}
PUZZLES = 17  # of each type: more than 500 together
QUICK = ("akari", "heyawake", "queens", "slitherlink", "zebra")

Atom = tuple[Any, ...]


def types() -> list[str]:
    return [name for name in TYPES if name not in SHARED]


def term(value: Any) -> str:
    """Return a value as clingo writes it."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int):
        return str(value)
    if isinstance(value, tuple):
        return f"({','.join(map(term, value))})"
    return '"' + str(value) + '"'


def facts(puzzle: Puzzle) -> Iterator[str]:
    """Yield the fields of a puzzle as facts."""
    for name, entry in puzzle.type.fields.items():
        value = puzzle.instance.data[name]
        is_word = str(entry.type) in ("word", "list[word]")
        for keys, member in members(value, is_word):
            if member is not None:
                yield f"{name}({','.join(map(term, (*keys, member)))})."
        if isinstance(value, tuple) and str(entry.type).startswith("list"):
            yield f'length("{name}",{len(value)}).'
        if isinstance(value, Grid):
            yield from (f"cell({row},{column})." for row, column in value.cells)


def members(value: Any, is_word: bool) -> Iterator[tuple[Atom, Any]]:
    """Yield the members of a field, each with the keys that lead to it. A letter of a word has two:
    from the left, and from the right.
    """
    if isinstance(value, Grid):
        yield from (((*cell,), member) for cell, member in value.values.items())
    elif isinstance(value, str) and is_word:
        for number, letter in enumerate(value):
            yield (number + 1, len(value) - number - 1), letter
    elif isinstance(value, dict):
        for key, member in value.items():
            yield from (((key, *keys), inner) for keys, inner in members(member, is_word))
    elif type(value) is tuple or hasattr(value, "rows"):
        for number, member in enumerate(value, 1):
            yield from (((number, *keys), inner) for keys, inner in members(member, is_word))
    else:
        yield (), tuple(value) if isinstance(value, tuple) else value


def answers(puzzle: Puzzle) -> list[set[str]]:
    """Return up to two answers of a puzzle, by clingo."""
    control = clingo.Control(["2", "--project=show", "--warn=none"])
    control.load(str(RULES / f"{puzzle.type.name}.lp"))
    names = puzzle.type.fields
    declared = "\n".join(f"#defined {name}/{arity}." for name in names for arity in range(1, 5))
    control.add("base", [], "\n".join(facts(puzzle)) + "\n" + declared)
    control.ground([("base", [])])
    found: list[set[str]] = []
    control.solve(on_model=lambda model: found.append({str(s) for s in model.symbols(shown=True)}))
    return found


def own_answer(puzzle: Puzzle) -> set[str]:
    """Return the only solution as the atoms that clingo shows, where unknowns have those names."""
    (solution,) = puzzle.solve(limit=2)
    atoms = set()
    for unknowns in puzzle.type.unknowns:
        for index, variable in solution.instance.families[unknowns.name].members.items():
            value = solution.assignment[variable]
            if value is not False:
                keys = flat(index) if value is True else (*flat(index), value)
                atoms.add(f"{unknowns.name}({','.join(map(term, keys))})")
    return atoms


def flat(index: Any) -> Atom:
    if isinstance(index, Corner):
        return index.row, index.column
    if not isinstance(index, tuple):
        return (index,)
    return tuple(number for part in index for number in flat(part))


def require_one_answer(name: str, count: int, number: int = 1) -> None:
    puzzles = list(
        puzzlekit.generate(name, count, seed=58, number=number, size=SIZES.get(name, "6x6"))
    )
    assert len(puzzles) == count
    for puzzle in puzzles:
        (answer,) = answers(puzzle)
        shown = {atom.split("(")[0] for atom in answer}
        own = {atom for atom in own_answer(puzzle) if atom.split("(")[0] in shown}
        assert not own or own == answer


@pytest.mark.parametrize("name", QUICK)
def test_a_puzzle_has_one_solution_by_rules_of_clingo(name: str) -> None:
    require_one_answer(name, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", types())
def test_many_puzzles_have_one_solution_by_rules_of_clingo(name: str) -> None:
    require_one_answer(name, PUZZLES)


def test_clingo_tells_a_puzzle_with_several_solutions() -> None:
    puzzle = puzzlekit.load("akari", {"walls": ["...", ".2.", "..."]})
    assert len(answers(puzzle)) == 2
