"""Turns the boards of a page into values of unknowns, and values into moves on a board."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import repeat
from typing import Any

from puzzlekit.api import Puzzle, Solution
from puzzlekit.boards import Grid
from puzzlekit.errors import InputError
from puzzlekit.model import Value, Variable
from puzzlekit.play import Entry, Game, Moves, token_text
from puzzlekit.render import CELL, scene_svg
from puzzlekit.scene import Point, middle

WORD = re.compile(r"[^\s,\[\]\"']+")  # a cell of a row with blanks
Tokens = list[Any]  # for each position of an entry the number of its token, or a text


class PlayedBoard:
    """The board of a puzzle as a page enters it.

    Attributes:
        puzzle: The puzzle.
        game: What is entered.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.game = Game(puzzle)
        self._domains = puzzle.model.domains
        self._keys: dict[Variable, tuple[str, Any]] = {}  # the name and the index of an unknown
        for name, family in puzzle.instance.families.items():
            for key, variable in family.members.items():
                self._keys[variable] = (name, key)
        self.moves = Moves(self.game)

    @cached_property
    def data(self) -> dict[str, Any]:
        """The data by which the page draws and takes input."""
        game = self.game
        boards = [scene_svg(scene, CELL, by_cell=True) for scene in game.scenes]
        return {
            "game": game.data(),
            "boards": boards,
            "signs": game.signs(),
            "clues": clues_of(self.puzzle),
        }

    def solution_hashes(self, solutions: Sequence[Solution]) -> dict[str, Any]:
        """Return the hashes by which the page recognises all solutions of the puzzle.

        They come with a new `game` if more may be entered or other positions are fixed than without
        a solution. Raises InputError if the solutions cannot be entered.
        """
        entries = self.game.entries
        try:
            game = self.game.data(solutions[0]) | self.game.solution_hashes(solutions)
        finally:
            self.game.entries = entries
        if game["entries"] != self.data["game"]["entries"]:
            return {"game": game}
        return {"known": {name: game[name] for name in ("pieces", "facts", "answers")}}

    def marks(self, boards: Any) -> dict[str, Any]:
        """Return the marks on the boards of a page.

        They are the value of an unknown by its name, or values by index, and under `not` the values
        that are excluded. Raises InputError if a text is entered that is no value of its unknown.
        """
        marks: dict[str, Any] = {}
        remaining: dict[Variable, list[Value]] = {}
        for number, (entry, board) in enumerate(self._entered(boards)):
            if entry.category == "pieces":
                for name, key in self._complete_pieces(number, _numbers(board, "held")):
                    marks.setdefault(name, {})[key] = True
                continue
            if entry.category == "words" and entry.free:
                remaining |= self._spelt(entry, board)
            if number in self.moves.regions:
                regions = self.moves.regions[number]
                labels = regions.read(_numbers(board, "held"), _numbers(board, "crossed"))
                remaining |= {variable: [label] for variable, label in labels.items()}
            self._restrict(remaining, entry, board)
        for variable, values in remaining.items():
            self._add_mark(marks, variable, values)
        return marks

    def is_begun(self, boards: Any) -> bool:
        """Return whether anything is entered on the boards of a page but what is fixed there."""
        for (_, board), entry in zip(self._entered(boards), self.data["game"]["entries"]):
            entered = dict(enumerate(_members(board, "held")))
            for number in entry.get("fixed", ()):
                entered.pop(number, None)
            if any(entered.values()) or _members(board, "crossed"):
                return True
        return False

    def _entered(self, boards: Any) -> Iterator[tuple[Entry, Any]]:
        """Yield the entries, each with what a page sent for it."""
        if not isinstance(boards, list):
            return
        for entry, board, entry_data in zip(
            self.game.entries, boards, self.data["game"]["entries"]
        ):
            yield entry, _without_unmoved(board, entry_data)

    def _restrict(self, remaining: dict[Variable, list[Value]], entry: Entry, board: Any) -> None:
        """Restrict the values of unknowns to those that an entry has on its board."""
        if not entry.by_value:
            return
        crossed = _numbers(board, "crossed")
        notes = _notes(entry, board)
        for position, (variable, token) in enumerate(zip(entry.unknowns, _numbers(board, "held"))):
            if variable is None:
                continue
            if token or position in crossed:
                tokens = {token}
            elif position in notes:
                tokens = notes[position]
            else:
                continue
            domain = self._domains[variable]
            by_value = zip(domain, entry.by_value[position])
            allowed = {value for value, value_token in by_value if value_token in tokens}
            remaining[variable] = [
                value for value in remaining.get(variable, domain) if value in allowed
            ]

    def _add_mark(self, marks: dict[str, Any], variable: Variable, values: Sequence[Value]) -> None:
        """Add the value of an unknown, or its excluded values if several are remaining."""
        name, key = self._keys[variable]
        if len(values) == 1 and key == ():
            marks[name] = values[0]
        elif len(values) == 1:
            marks.setdefault(name, {})[key] = values[0]
        else:
            excluded = [value for value in self._domains[variable] if value not in values]
            if excluded:
                marks.setdefault("not", {}).setdefault(name, {})[key] = excluded

    def _spelt(self, entry: Entry, board: Any) -> dict[Variable, list[Value]]:
        """Return the values of unknowns whose texts are entered. Raises InputError."""
        values: dict[Variable, list[Value]] = {}
        for label, variable, token in zip(entry.positions, entry.unknowns, _tokens(board)):
            if variable is None or not isinstance(token, str):
                continue
            text = token.strip().lower()
            if text:
                domain = self._domains[variable]
                values[variable] = [value for value in domain if str(value).lower() == text]
                if not values[variable]:
                    raise InputError(f"{label} cannot be {text[:40]!r}")
        return values

    def _complete_pieces(self, number: int, tokens: Tokens) -> Iterator[tuple[str, Any]]:
        """Yield the name and the index of each unknown whose piece is complete on a board."""
        pieces: dict[Any, set[int]] = {}
        for cell, piece in enumerate(tokens):
            if piece:
                pieces.setdefault(piece, set()).add(cell)
        for cells in pieces.values():
            matches = [group for group in self.moves.pieces[number] if group[0] == cells]
            if len(matches) == 1:  # the same cells may be several pieces
                _, _, name, key = matches[0]
                yield name, key

    def unread(self, boards: Any) -> bool:
        """Return whether something is entered that `marks` leaves out.

        Examples are borders of regions, and pieces that are not complete.
        """
        for entry, board in self._entered(boards):
            if entry.category == "pieces":
                if any(_numbers(board, "held")):
                    return True
                continue
            unknowns = entry.unknowns or repeat(None)
            for text, unknown in zip(_texts(entry, board), unknowns):
                if text is not None and unknown is None:
                    return True
        return False

    def differ(self, boards: Any, solution: Solution) -> list[Point]:
        """Return the points at which a board has something else than a solution."""
        points: list[Point] = []
        for (entry, board), answer in zip(self._entered(boards), self.game.entered(solution)):
            if entry.category == "pieces":
                points += _differing_cells(entry, board, answer)
            elif entry.category != "words":
                texts = _texts(entry, board)
                for position, text, solved in zip(entry.positions, texts, answer):
                    if text is not None and text != solved:
                        is_pair = isinstance(position[0], tuple)
                        points.append(middle(*position) if is_pair else position)
        return points


def _without_unmoved(board: Any, entry_data: Mapping[str, Any]) -> Any:
    """Return a board without the texts that stand where they began, and may be moved."""
    start = entry_data.get("moved")
    if not start or not isinstance(board, dict):
        return board
    fixed = entry_data.get("fixed", {})
    tokens = []
    for position, (token, first) in enumerate(zip(_members(board, "held"), start)):
        tokens.append(token if token != first or position in fixed else 0)
    return {**board, "held": tokens}


def _differing_cells(entry: Entry, board: Any, answer: Sequence[str]) -> list[Point]:
    """Return the cells of the pieces on a board that are in no piece of a solution."""
    tokens = _numbers(board, "held")
    solved = [set(map(int, piece.split())) for piece in answer]
    points: list[Point] = []
    for piece in set(tokens) - {0}:
        cells = {cell for cell, token in enumerate(tokens) if token == piece}
        if not any(cells <= solved_cells for solved_cells in solved):
            on_board = [cell for cell in sorted(cells) if cell < len(entry.positions)]
            points += [entry.positions[cell] for cell in on_board]
    return points


def _texts(entry: Entry, board: Any) -> list[str | None]:
    """Return what a page entered at each position: a text, empty for a cross; None for nothing."""
    crossed = set(_numbers(board, "crossed"))
    texts: list[str | None] = []
    for position, token in enumerate(_tokens(board)):
        if isinstance(token, str):  # where any text may be entered
            texts.append(f"text:{token}" if token else None)
        elif isinstance(token, int) and 0 < token < len(entry.tokens):
            texts.append(token_text(entry.tokens[token]))
        else:
            texts.append("" if position in crossed else None)
    return texts


def _tokens(board: Any) -> Tokens:
    """Return what a page sent for each position of an entry."""
    tokens = board.get("held") if isinstance(board, dict) else None
    return tokens if isinstance(tokens, list) else []


def _notes(entry: Entry, board: Any) -> dict[int, set[int]]:
    """Return the notes that a page sent: by position, the numbers of the tokens with their texts.

    Notes in the middle of a cell are what may stand there. Those in its corners count where there
    are none in the middle.
    """
    by_position: dict[int, set[int]] = {}
    for field in ("notes", "centre"):
        sent = board.get(field) if isinstance(board, dict) else None
        for position, texts in sent.items() if isinstance(sent, dict) else ():
            if isinstance(texts, list) and str(position).isdecimal():
                numbers = enumerate(entry.tokens)
                tokens = {number for number, token in numbers if _typed_text(token) in texts}
                if tokens:
                    by_position[int(position)] = tokens
    return by_position


def _typed_text(token: Iterable[tuple[str, str]]) -> str:
    """Return the text of a token as a page shows it."""
    contents = (content for type_, content in token if type_ in ("text", "corner"))
    return "".join(contents)


def _numbers(board: Any, name: str) -> list[int]:
    """Return the numbers of a list that a page sent; 0 for a text, which stands for no value."""
    members = _members(board, name)
    return [number if isinstance(number, int) else 0 for number in members]


def _members(board: Any, name: str) -> list[Any]:
    """Return the members of a list that a page sent; none if it sent no list."""
    members = board.get(name) if isinstance(board, dict) else None
    return members if isinstance(members, list) else []


def clues_of(puzzle: Puzzle) -> dict[str, Any] | None:
    """Return where the cells of the first board of a spec stand in its text.

    A page can then write there.

    Returns:
        The name of the field, and for each cell its row and column, and its line, column and length
        in the spec, from 0. None if no field of the spec is a board with a character or a word a
        cell.
    """
    for name, grid in puzzle.instance.data.items():
        if isinstance(grid, Grid):
            cells = _cell_texts(puzzle, name, grid)
            if cells is not None:
                return {"field": name, "cells": cells}
    return None


def _cell_texts(puzzle: Puzzle, name: str, grid: Grid) -> list[list[int]] | None:
    """Return the row, column, line, start and length of each cell; None if cells share a text."""
    source = puzzle.spec.source
    cells = []
    starts = set()
    for cell in grid.cells:
        position = puzzle.instance.positions((name, cell))
        if position is None or position.path != source.path or not position.line:
            return None
        line_number = position.line - 1
        line = source.lines[line_number]
        start = position.column - 1
        word = WORD.match(line, start) if " " in line.strip() else None
        length = len(word[0]) if word else 1
        cells.append([cell.row, cell.column, line_number, start, length])
        starts.add((line_number, start))
    return cells if len(starts) == len(cells) else None
