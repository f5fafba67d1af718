"""The board of a page, as what is known of unknowns, and what is known of unknowns, as a board."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import repeat
from types import MappingProxyType
from typing import Any

from puzzlekit.api import Puzzle, Solution
from puzzlekit.boards import Grid
from puzzlekit.clock import check
from puzzlekit.errors import InputError
from puzzlekit.model import Value, Variable
from puzzlekit.play.entries import Entry, token_text
from puzzlekit.play.page import Game
from puzzlekit.presolve.domains import Inconsistent
from puzzlekit.presolve.pipeline import presolve
from puzzlekit.query import Presolve
from puzzlekit.reasons.words import FactText
from puzzlekit.render.svg import CELL
from puzzlekit.render.svg_layers import scene_svg
from puzzlekit.render.svg_shapes import Frame
from puzzlekit.scene import Point, centre, middle
from puzzlekit.serve.regions import Regions

WORD = re.compile(r"[^\s,\[\]\"']+")  # a cell of a row with blanks
Held = list[Any]  # for each place of an entry the number of its token


class PlayedBoard:
    """What a page enters for a puzzle.

    Attributes:
        puzzle: The puzzle.
        game: What is entered.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle, self.game = puzzle, Game(puzzle)
        self._domains = puzzle.model.domains
        self._keys = {
            v: (name, key)
            for name, family in puzzle.instance.families.items()
            for key, v in family.members.items()
        }
        self._places: dict[Variable, list[tuple[int, int]]] = {}
        for number, entry in enumerate(self.game.entries):
            for place, unknown in enumerate(entry.unknowns):
                if unknown is not None:
                    self._places.setdefault(unknown, []).append((number, place))
        self._regions = {
            n: regions
            for n, entry in enumerate(self.game.entries)
            if (regions := self._regions_of(entry))
        }
        self._pieces = {
            number: self.game.groups(e)
            for number, e in enumerate(self.game.entries)
            if e.kind == "pieces"
        }

    def _regions_of(self, entry: Entry) -> Regions | None:
        """Return the regions whose sides are entered; None if it is not one label of each cell that
        says where they are.
        """
        family = self.puzzle.instance.families.get(entry.name)
        if entry.kind != "sides" or family is None or not family.over_cells():
            return None
        sure: Mapping[Variable, Sequence[Value]] = {}
        with suppress(Inconsistent):
            sure = presolve(self.puzzle.model, check, Presolve.LIGHT).domains
        return Regions(
            entry,
            family,
            self._domains,
            {v: values[0] for v, values in sure.items() if len(values) == 1},
        )

    @cached_property
    def data(self) -> dict[str, Any]:
        """What the page draws, and takes input by."""
        return {
            "game": self.game.data(),
            "boards": [scene_svg(scene, CELL, by_cell=True) for scene in self.game.scenes],
            "signs": self.game.signs(),
            "clues": clues_of(self.puzzle),
        }

    def known(self, solutions: Sequence[Solution]) -> dict[str, Any]:
        """Return how the page recognises these solutions, all that there are: `known` of the game.

        With a `game` anew, if more may be entered or other places are fixed than without a
        solution. Raises InputError if they cannot be entered.
        """
        entries = self.game.entries
        try:
            anew = self.game.data(solutions[0]) | self.game.known(solutions)
        finally:
            self.game.entries = entries
        if anew["entries"] != self.data["game"]["entries"]:
            return {"game": anew}
        return {"known": {name: anew[name] for name in ("pieces", "facts", "answers")}}

    def marks(self, now: Any) -> dict[str, Any]:
        """Return the marks on a board: by the name of an unknown its value, or values by index, and
        under `not` those excluded.

        Raises InputError if a text is entered that is no value of its unknown.
        """
        found: dict[str, Any] = {}
        left: dict[Variable, list[Value]] = {}
        for number, (entry, own) in enumerate(
            zip(self.game.entries, now if isinstance(now, list) else ())
        ):
            held, crossed = (_numbers(own, name) for name in ("held", "crossed"))
            if entry.kind == "pieces":
                for key in self._made(number, held):
                    found.setdefault(key[0], {})[key[1]] = True
                continue
            if entry.kind == "words" and entry.free:
                left |= self._spelt(entry, own)
            if number in self._regions:
                left |= {
                    variable: [value]
                    for variable, value in self._regions[number].read(held, crossed).items()
                }
            for place, (variable, token) in enumerate(zip(entry.unknowns, held)):
                if variable is not None and (token or place in crossed) and entry.by_value:
                    values = {
                        value
                        for value, own in zip(self._domains[variable], entry.by_value[place])
                        if own == token
                    }
                    left[variable] = [
                        value
                        for value in left.get(variable, self._domains[variable])
                        if value in values
                    ]
        for variable, kept in left.items():
            name, key = self._keys[variable]
            if len(kept) == 1 and key == ():
                found[name] = kept[0]
            elif len(kept) == 1:
                found.setdefault(name, {})[key] = kept[0]
            elif others := [value for value in self._domains[variable] if value not in kept]:
                found.setdefault("not", {}).setdefault(name, {})[key] = others
        return found

    def _spelt(self, entry: Entry, own: Any) -> dict[Variable, list[Value]]:
        """Return the values of unknowns whose texts are entered. Raises InputError."""
        held = own.get("held") if isinstance(own, dict) else None
        found: dict[Variable, list[Value]] = {}
        for label, variable, text in zip(
            entry.places, entry.unknowns, held if isinstance(held, list) else ()
        ):
            if variable is not None and isinstance(text, str) and (wanted := text.strip().lower()):
                found[variable] = [
                    value for value in self._domains[variable] if str(value).lower() == wanted
                ]
                if not found[variable]:
                    raise InputError(f"{label} cannot be {wanted[:40]!r}")
        return found

    def _made(self, number: int, held: Held) -> Iterator[tuple[str, Any]]:
        """Yield the unknowns of the pieces on a board that are whole."""
        pieces: dict[Any, set[int]] = {}
        for cell, piece in enumerate(held):
            if piece:
                pieces.setdefault(piece, set()).add(cell)
        for cells in pieces.values():
            known = [unknown for own, _, *unknown in self._pieces[number] if own == cells]
            if len(known) == 1:  # the same cells may be a piece in several ways
                yield known[0][0], known[0][1]

    def unread(self, now: Any) -> bool:
        """Return whether something is entered that `marks` leaves out, as borders of regions, or
        pieces that are not whole.
        """
        boards = zip(self.game.entries, now if isinstance(now, list) else ())
        return any(
            any(_numbers(own, "held"))
            if entry.kind == "pieces"
            else any(
                text is not None
                for text, u in zip(_texts(entry, own), entry.unknowns or repeat(None))
                if u is None
            )
            for entry, own in boards
        )

    def differ(self, now: Any, solution: Solution) -> list[Point]:
        """Return the places at which a board has something else than a solution."""
        found: list[Point] = []
        for entry, own, answer in zip(self.game.entries, now, self.game.entered(solution)):
            if entry.kind == "pieces":
                held, right = (
                    _numbers(own, "held"),
                    [set(map(int, piece.split())) for piece in answer],
                )
                for piece in {*held} - {0}:
                    cells = {cell for cell, other in enumerate(held) if other == piece}
                    if not any(cells <= whole for whole in right):
                        found += [
                            entry.places[cell] for cell in sorted(cells) if cell < len(entry.places)
                        ]
            elif entry.kind != "words":
                pairs = zip(entry.places, _texts(entry, own), answer)
                found += [
                    middle(*place) if isinstance(place[0], tuple) else place
                    for place, text, right in pairs
                    if text is not None and text != right
                ]
        return found

    def moves(
        self,
        values: Mapping[Variable, Value],
        known: Mapping[Variable, Value] = MappingProxyType({}),
    ) -> list[list[Any]]:
        """Return what values add to a board: an entry, a place and a token, -1 for a cross; of a
        piece its cells.

        Args:
            values: The new values.
            known: Those that were known before, for what depends on two.
        """
        moves: list[list[Any]] = [
            [number, place, token]
            for number, own in self._regions.items()
            for place, token in own.moves(values, known)
        ]
        for variable, value in values.items():
            if variable in self._places:
                index = self._domains[variable].index(value)
                places = [
                    (n, place)
                    for n, place in self._places[variable]
                    if self.game.entries[n].by_value
                ]
                shown = [
                    [n, place, self.game.entries[n].by_value[place][index]] for n, place in places
                ]
                moves += [move for move in shown if move[2]] or [
                    [n, place, -1] for n, place in places
                ]
            elif value is True:
                for number, groups in self._pieces.items():
                    moves += [
                        [number, 0, sorted(cells)] for cells, own, *_ in groups if own == variable
                    ]
        return moves

    def told(self, facts: Iterable[FactText]) -> dict[Variable, Value]:
        """Return the values that facts state."""
        families = self.puzzle.instance.families
        return {
            families[fact.name].members[fact.index]: fact.value for fact in facts if fact.positive
        }

    def lit(self, highlights: Mapping[Point, str]) -> list[list[Any]]:
        """Return places that stand out on the first board, with their coordinates; those that are
        no cells are small.
        """
        if not self.game.scenes:
            return []
        ground = Frame(self.game.scenes[0], CELL)
        cells = set(map(centre, self.game.scenes[0].cells))
        return [
            [
                0,
                *(round(part, 1) for part in ground.at(place)),
                kind if place in cells else f"{kind} small-place",
            ]
            for place, kind in highlights.items()
        ]


def _texts(entry: Entry, own: Any) -> list[str | None]:
    """Return what a page entered at each place: a text, empty for a cross; None for nothing."""
    held = own.get("held") if isinstance(own, dict) else None
    crossed = {*_numbers(own, "crossed")}
    found: list[str | None] = []
    for place, token in enumerate(held if isinstance(held, list) else ()):
        if isinstance(token, str):  # where any text may be entered
            found.append(f"text:{token}" if token else None)
        elif isinstance(token, int) and 0 < token < len(entry.tokens):
            found.append(token_text(entry.tokens[token]))
        else:
            found.append("" if place in crossed else None)
    return found


def _numbers(own: Any, name: str) -> list[int]:
    """Return the numbers of a list that a page sent; 0 for a text, which stands for no value."""
    found = own.get(name) if isinstance(own, dict) else None
    return [one if isinstance(one, int) else 0 for one in found] if isinstance(found, list) else []


def clues_of(puzzle: Puzzle) -> dict[str, Any] | None:
    """Return where the cells of the first board of a spec stand in its text, so that a page can
    write there.

    Returns:
        The name of the field, and for each cell its row and column, and its line, column and length
        in the spec, from 0. None if no field of the spec is a board with a character or a word a
        cell.
    """
    instance, source = puzzle.instance, puzzle.spec.source
    for name, grid in instance.data.items():
        if not isinstance(grid, Grid):
            continue
        cells = []
        for cell in grid.cells:
            place = instance.positions((name, cell))
            if place is None or place.path != source.path or not place.line:
                break
            line, start = source.lines[place.line - 1], place.column - 1
            word = WORD.match(line, start) if " " in line.strip() else None
            cells.append(
                [cell.row, cell.column, place.line - 1, start, len(word[0]) if word else 1]
            )
        else:
            if len({(line, start) for _, _, line, start, _ in cells}) == len(cells):
                return {"field": name, "cells": cells}
    return None
