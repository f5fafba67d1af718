"""The pictures of solutions and puzzles, as parts that every renderer draws."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from puzzlekit.api.equality import is_library_value
from puzzlekit.boards import Grid, HexBoard
from puzzlekit.lang import BoundPuzzle, Family
from puzzlekit.lang.expressions.values import all_of_one_type
from puzzlekit.render import Figure, Part, Spot, board, chosen, embedded, rows, value

if TYPE_CHECKING:
    from puzzlekit.api.solution import Solution


def sections(solution: Solution) -> Iterator[tuple[str, list[Part]]]:
    """The picture of a solution and of each result of `then`, with headings."""
    yield "", _own(solution)
    yield from _sequels(solution)


def _own(solution: Solution, in_heading: str = "") -> list[Part]:
    """The picture of a solution without `then`, and without the value in its heading."""
    own: list[Part] = []
    for shown in solution.instance.puzzle.show:
        if shown.expression is None:
            colours = solution.instance.evaluate(shown.colour, solution.assignment) if shown.colour else None
            own += picture(solution.families[shown.name], colours, solution.instance)
        elif shown.name != in_heading:
            own += _value(shown.name, solution.shown[shown.name], solution.instance)
    return own


def _sequels(solution: Solution) -> Iterator[tuple[str, list[Part]]]:
    for sequel in solution.then.values():
        count = f"{sequel['count']}, " if "count" in sequel else ""
        yield f"{sequel.title}: {count}{sequel.outcome}", [] if sequel.solution is None else _own(sequel.solution, "count")
        if sequel.solution is not None:
            yield from _sequels(sequel.solution)


def _value(name: str, what: Any, instance: BoundPuzzle) -> list[Part]:
    """The picture of a value that a type shows under a name."""
    if isinstance(what, Grid):
        return [[Spot(f"  {name}:")], *board(what.values)]
    if not isinstance(what, Family):
        return value(name, what)
    drawn = picture(Family(name, what.members, what.arity), None, instance)
    named = drawn and isinstance(drawn[0], list) and drawn[0][0].text.startswith(f"  {name}:")
    return drawn if named else [[Spot(f"  {name}:")], *drawn]


def picture(family: Family, colours: object, instance: BoundPuzzle) -> list[Part]:
    """The picture of one unknown."""
    members = family.members
    if not members:
        return []
    if family.over_cells():
        return board(members, colours.values if isinstance(colours, Grid) else None)
    if family.arity == 0:
        return value(family.name, members[()])
    if all(isinstance(item, bool) for item in members.values()):
        true = [index for index, item in members.items() if item]
        grids = instance.grids
        known = all_of_one_type(members)
        if known is not None and known.chosen is not None:
            own: list[Part] = known.chosen(true, grids[0] if grids else None)
            return own
        return chosen(true, members, grids) or value(family.name, true)
    if list(members) == list(range(len(members))):
        texts = [str(item) for item in members.values()]
        if isinstance(colours, tuple) and list(map(len, colours)) == list(map(len, texts)):
            return rows(texts, colours)
        return [[Spot(text)] for text in texts]
    return value(family.name, {str(index): item for index, item in members.items()})


def solution_html(solution: Solution) -> str:
    """The picture of a solution and of each result of `then`, for a page such as a notebook."""
    parts: list[Part] = []
    for heading, drawn in sections(solution):
        parts += [*([[Spot("")], [Spot(heading)]] if heading else []), *drawn]
    puzzle = solution.instance.puzzle
    return embedded(f"Solution of {puzzle.title or puzzle.name}", parts)


def puzzle_html(title: str, instance: BoundPuzzle) -> str:
    """The data of a puzzle for a page such as a notebook: boards as pictures, the rest as text."""
    boards = iter(instance.grids)
    parts: list[Part] = [[Spot(title)]]
    for name, what in instance.data.items():
        if isinstance(what, Grid):
            slanted = isinstance(next(boards), HexBoard)
            parts += [replace(part, slanted=slanted) if isinstance(part, Figure) else part for part in board(what.values)]
        elif what is not None:
            parts += value(name, what.as_data() if is_library_value(what) else what)
    return embedded(title, parts)
