"""A puzzle as it is played: its pictures, what is entered, and the hashes of its solution."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import chain, combinations
from typing import Any

from puzzlekit.api import Puzzle, Solution
from puzzlekit.clock import check
from puzzlekit.libraries.words import Lexicon
from puzzlekit.model import Value, Variable
from puzzlekit.play.columns import columns_pictures
from puzzlekit.play.entries import Entry, Token, entries_of, token_text
from puzzlekit.play.moved import moved_tokens
from puzzlekit.play.rules import rules_of
from puzzlekit.play.spoken import spoken
from puzzlekit.presolve import Inconsistent, presolve
from puzzlekit.query import Presolve
from puzzlekit.reasons import cells_in
from puzzlekit.render import CELL, Frame, board_picture, class_of, pictures_of, sign_svg
from puzzlekit.scene import Cages, Scene, Text, centre

CROSS = "×"  # at a position that remains empty
LISTED = 200  # words beside a board
DIGITS = 10  # of a hash: one wrong entry in a million million passes for a right one
DomainValues = Mapping[Variable, Sequence[Value]]
PositionText = str | list[str] | None  # a text, possible texts, or nothing
Board = list[PositionText]


class Game:
    """A puzzle as it is played: its pictures, and what is entered.

    Attributes:
        puzzle: The puzzle.
        scenes: Its pictures without a solution.
        entries: What is entered.
        id: A text that no other puzzle has; it salts the hashes.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        instance = puzzle.instance
        pictures = [picture for picture in pictures_of(instance) if picture.expressions]
        drawings = [board_picture(instance, picture) for picture in pictures]
        self.puzzle = puzzle
        columns = [] if pictures else columns_pictures(instance)
        self.scenes = [drawing.scene(instance, None) for drawing in drawings]
        self.scenes += [picture.scene() for picture in columns]
        self.entries = entries_of(instance, pictures, columns)
        texts = f"{puzzle.type.source.text}\n{puzzle.spec.source.text}"
        self.id = sha256(texts.encode()).hexdigest()[:16]

    def entered(self, solution: Solution) -> list[list[str]]:
        """Return what a player enters for a solution, for each entry."""
        instance = self.puzzle.instance
        return [entry.entered(instance, solution.assignment) for entry in self.entries]

    def data(self, solution: Solution | None = None) -> dict[str, Any]:
        """Return the data by which a script draws and takes input.

        With a solution, entries have room for it, and given texts that are a part of it are fixed;
        without one, those are fixed that presolve determines to be the value there. What each rule
        by itself decides at clues is fixed, too. Raises InputError if the solution cannot be
        entered.
        """
        level = Presolve.FULL if solution is None else Presolve.LIGHT
        domains = self._presolved(level)
        if solution is not None:
            entered = self.entered(solution)
            self.entries = [entry.widened(texts) for entry, texts in zip(self.entries, entered)]
        model_domains = self.puzzle.model.domains
        decided = [_determined(entry, model_domains, domains) for entry in self.entries]
        answers: Sequence[Sequence[str | None]] = decided
        if solution is not None:
            answers = self.entered(solution)
        given_texts = [_given_texts(scene) for scene in self.scenes]
        entries = []
        for entry, answer, texts in zip(self.entries, answers, decided):
            at_clues = _at_clues(entry, given_texts, texts)
            entry_data = _entry_data(entry, answer, at_clues, self.scenes)
            if entry.category == "paths":
                entry_data = {**entry_data, "words": self._listed_words()}
            moved = moved_tokens(entry, self.puzzle.model, given_texts)
            if moved:
                entry_data = {**entry_data, "moved": moved}
            entries.append(entry_data)
        fields = self.puzzle.instance.data.values()
        has_lexicon = any(isinstance(field, Lexicon) for field in fields)
        scenes = list(map(_scene_data, self.scenes))
        rules = rules_of(self.puzzle.model, self.entries)
        return {
            "id": self.id,
            "title": self.puzzle.title,
            "cell": CELL,
            "scenes": scenes,
            "entries": entries,
            "spelt": has_lexicon,
            "check": rules,
            "pieces": [],
            "facts": None,
            "answers": [],
        }

    def _listed_words(self) -> list[str]:
        """Return the words of a short lexicon."""
        for field in self.puzzle.instance.data.values():
            if isinstance(field, Lexicon) and len(field) <= LISTED:
                return sorted(chain.from_iterable(map(field.of_length, field.lengths)))
        return []

    def _presolved(self, level: Presolve) -> DomainValues:
        """Return the domains after presolve; empty if there is no solution."""
        with suppress(Inconsistent):
            return presolve(self.puzzle.model, check, level).domains
        return {}

    def solution_hashes(self, solutions: Sequence[Solution]) -> dict[str, Any]:
        """Return the salted hashes by which a script recognises all solutions of the puzzle."""
        answers = list(map(self.entered, solutions))
        if len(answers) == 1:
            (answer,) = answers
            facts = _fact_hashes(self.id, self.entries, answer)
            return {"pieces": list(map(len, answer)), "facts": facts}
        hashes = {_hash(self.id, _joined(answer)) for answer in answers}
        return {"answers": sorted(hashes)}

    def partial_boards(
        self, values: Mapping[Variable, Value], remaining: DomainValues | None = None
    ) -> list[Board]:
        """Return a board that is solved in part, for each entry, as a script enters it.

        A position has a text, None if nothing is known of it, a cross if it remains empty, or a
        list of its possible texts if its unknown is in `remaining`. Of pieces the board has only
        those that are known.

        Args:
            values: The values of unknowns that are known.
            remaining: The values that are not excluded, of unknowns of which some are.
        """
        boards: list[Board] = []
        for entry in self.entries:
            if entry.category == "pieces":
                boards.append([*self._known_pieces(entry, values)])
            else:
                numbers = range(len(entry.positions))
                candidates = remaining or {}
                board = [
                    self._position_text(entry, number, values, candidates) for number in numbers
                ]
                _drop_redundant_crosses(board, entry)
                boards.append(board)
        return boards

    def _known_pieces(self, entry: Entry, values: Mapping[Variable, Value]) -> Iterator[str]:
        """Yield the cells of the pieces that are known to be on the board."""
        for cells, variable, _, _ in self.groups(entry):
            if values.get(variable) is True:
                yield " ".join(map(str, sorted(cells)))

    def _position_text(
        self, entry: Entry, number: int, values: Mapping[Variable, Value], remaining: DomainValues
    ) -> PositionText:
        """Return what is known of a position: its text, or a list of its possible texts."""
        variable = entry.unknowns[number] if entry.unknowns else None
        if variable is None:
            return None
        if entry.category == "words":
            return str(values[variable]) if variable in values else None
        if not entry.by_value:
            return None
        domain = self.puzzle.model.domains[variable]
        texts = [token_text(entry.tokens[token]) or CROSS for token in entry.by_value[number]]
        if variable in values:
            return texts[domain.index(values[variable])]
        if variable in remaining:
            return [texts[domain.index(value)] for value in remaining[variable]]
        return None

    def groups(self, entry: Entry) -> list[tuple[frozenset[int], Variable, str, Any]]:
        """Return the unknowns that stand for a piece.

        Returns:
            For each, the numbers of the positions of its cells, the unknown, its name and index.
        """
        numbers = {position: number for number, position in enumerate(entry.positions)}
        domains = self.puzzle.model.domains
        pieces = []
        for name in entry.name.split(", "):
            for key, variable in self.puzzle.instance.families[name].members.items():
                points = [centre((cell.row, cell.column)) for cell in cells_in(key)]
                is_condition = set(domains[variable]) <= {True, False}
                is_on_board = bool(points) and numbers.keys() >= set(points)
                if is_condition and is_on_board:
                    cells = frozenset(numbers[point] for point in points)
                    pieces.append((cells, variable, name, key))
        return pieces

    def signs(self) -> Mapping[str, str]:
        """Return the signs that are entered, in the middle of a square of side 1."""
        names = set[str]()
        for entry in self.entries:
            for token in entry.tokens:
                names.update(name for type_, name in token if type_ == "sign")
        return {name: sign_svg(name, 0, 0, 1, given=False) for name in sorted(names)}


def _drop_redundant_crosses(board: Board, entry: Entry) -> None:
    """Remove the crosses of an unknown that has another text at a linked position."""
    for group in entry.linked:
        if any(board[number] not in (None, CROSS) for number in group):
            for number in group:
                if board[number] == CROSS:
                    board[number] = None


def _determined(entry: Entry, domains: DomainValues, remaining: DomainValues) -> list[str | None]:
    """Return the texts of positions whose unknowns have one remaining value; None at the others."""
    texts: list[str | None] = [None] * len(entry.positions)
    for number, (tokens, variable) in enumerate(zip(entry.by_value, entry.unknowns)):
        values = () if variable is None else remaining.get(variable, ())
        if variable is not None and len(values) == 1:
            value_number = domains[variable].index(values[0])
            texts[number] = token_text(entry.tokens[tokens[value_number]])
    return texts


def _at_clues(
    entry: Entry,
    given_texts: Sequence[Mapping[Any, Sequence[str]]],
    decided: Sequence[str | None],
) -> dict[int, str]:
    """Return what is decided at clues, by the number of the position.

    It is the text of a clue, on whichever board it stands, or one text at all clues. If only some
    are decided, that is a step of the solution.
    """
    if entry.category != "cells":
        return {}
    clues = given_texts[entry.scene]
    at_clues = {}
    for number, position in enumerate(entry.positions):
        if position in clues:
            at_clues[number] = decided[number]
    texts_at_clues = set(at_clues.values())
    if len(at_clues) < 2 or len(texts_at_clues) > 1:
        at_clues = {}
    for number, (position, text) in enumerate(zip(entry.positions, decided)):
        if any(text in texts.get(position, ()) for texts in given_texts):
            at_clues[number] = text
    return {number: text for number, text in at_clues.items() if text is not None}


def _hash(salt: str, text: str) -> str:
    salted = f"{salt}|{text}"
    return sha256(salted.encode()).hexdigest()[:DIGITS]


def _fact_hashes(
    salt: str, entries: Sequence[Entry], answer: Sequence[Sequence[str]]
) -> list[list[str]]:
    """Return the hash of the text of each position.

    Of pieces they are the hashes of each piece, and of each pair of its cells.
    """
    hashes = []
    for number, (entry, entered) in enumerate(zip(entries, answer)):
        if entry.category == "pieces":
            facts = [*entered]
            for piece in entered:
                pairs = combinations(piece.split(), 2)
                facts += map("-".join, pairs)
            piece_hashes = [_hash(salt, f"{number}|{fact}") for fact in facts]
            hashes.append(sorted(piece_hashes))
        else:
            facts = [f"{number}|{position}|{text}" for position, text in enumerate(entered)]
            hashes.append([_hash(salt, fact) for fact in facts])
    return hashes


def _joined(answer: Sequence[Sequence[str]]) -> str:
    return "\n".join("|".join(entered) for entered in answer)


def _scene_data(scene: Scene) -> Mapping[str, Any]:
    """Return the data of a board for a script: its cells, as row, column and coordinates."""
    frame = Frame(scene, CELL)
    cells = [_position_data(centre(cell), frame) for cell in scene.cells]
    cornered = any(layer.corner for layer in scene.of_type(Text))
    low = cornered or any(scene.of_type(Cages))
    data: dict[str, Any] = {"cells": cells, "low": low, "said": spoken(scene)}
    if scene.form != "square":
        data["rings"] = [_coordinates(frame.polygon(cell)) for cell in scene.cells]
    return data


def _coordinates(points: Iterable[tuple[float, float]]) -> list[float]:
    """Return the rounded coordinates of points, in one list."""
    return list(map(_rounded, chain.from_iterable(points)))


def _rounded(number: float) -> float:
    if number == int(number):
        return int(number)
    return round(number, 1)


def _entry_data(
    entry: Entry, answer: Sequence[str | None], at_clues: Mapping[int, str], scenes: Sequence[Scene]
) -> Mapping[str, Any]:
    """Return the data of an entry for a script: positions, tokens, and what is fixed."""
    tokens = list(map(_token_data, entry.tokens))
    keys = list(map(token_text, entry.tokens))
    data: dict[str, Any] = {
        "name": entry.name.replace("_", " "),
        "kind": entry.category,
        "scene": entry.scene,
        **_positions_data(entry, scenes),
        "tokens": tokens,
        "keys": keys,
    }
    every_token = tuple(range(len(entry.tokens)))
    if entry.free:
        data["free"] = True
    elif any(tokens != every_token for tokens in entry.open):
        data["open"] = entry.open
    linked = entry.linked
    if linked:
        by_value = entry.by_value
        data["linked"] = [[[number, by_value[number]] for number in group] for group in linked]
    given = _given_answers(entry, answer, scenes)
    fixed = {**_forced_texts(entry), **at_clues, **given}
    if fixed:
        data["fixed"] = fixed
    if given:
        data["shown"] = list(given)
    return data


def _given_answers(
    entry: Entry, answer: Sequence[str | None], scenes: Sequence[Scene]
) -> dict[int, str | None]:
    """Return the texts of an answer that are given on the board, by the number of the position."""
    if entry.category != "cells":
        return {}
    given_texts = _given_texts(scenes[entry.scene])
    texts = {}
    for number, position in enumerate(entry.positions):
        if answer[number] in given_texts.get(position, ()):
            texts[number] = answer[number]
    return texts


def _positions_data(entry: Entry, scenes: Sequence[Scene]) -> dict[str, Any]:
    """Return the positions of an entry; of points also their coordinates, of sides their ends."""
    if entry.category in ("paths", "words"):
        return {"places": entry.positions}
    frame = Frame(scenes[entry.scene], CELL)
    data = {"places": [_position_data(position, frame) for position in entry.positions]}
    if entry.category == "sides":
        data["ends"] = [_coordinates(frame.side(side)) for side in entry.positions]
    return data


def _token_data(token: Token) -> list[list[str]]:
    """Return the types and contents of a token; those of shades are classes of a style sheet."""
    data = []
    for type_, content in token:
        data.append([type_, class_of(content) if type_ == "shade" else content])
    return data


def _forced_texts(entry: Entry) -> dict[int, str]:
    """Return the texts of positions that have the same token for each value."""
    texts = {}
    for number, tokens in enumerate(entry.by_value):
        if len(set(tokens)) == 1:
            texts[number] = token_text(entry.tokens[tokens[0]])
    return texts


def _given_texts(scene: Scene) -> dict[Any, list[str]]:
    """Return the given texts of cells, as tokens."""
    texts: dict[Any, list[str]] = {}
    for layer in scene.of_type(Text):
        if layer.is_given:
            type_ = "corner" if layer.corner else "text"
            for cell, text in layer.texts.items():
                cell_texts = texts.setdefault(centre(cell), [])
                cell_texts.append(f"{type_}:{text}")
    return texts


def _position_data(position: Any, frame: Frame) -> list[float]:
    """Return a point in half steps and its coordinates; of a pair, those of both ends."""
    ends = position if isinstance(position[0], tuple) else (position,)
    numbers: list[float] = []
    for point in ends:
        coordinates = map(_rounded, frame.xy(point))
        numbers += [*point, *coordinates]
    return numbers
