"""Steps of an explanation as data for a page on which the puzzle is played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from puzzlekit.api import (
    Explanation,
    known_values,
    phrases_of,
    progress_facts,
    step_degrees,
    step_overlay,
    step_text,
    struck_values,
)
from puzzlekit.model import Value, Variable
from puzzlekit.play.game import Game
from puzzlekit.play.moves import Moves
from puzzlekit.reasons import ExplainedStep, FactText
from puzzlekit.render import CELL, Frame, lit_square

FactKey = tuple[str, Any, Value]  # the name and the index of an unknown, and a value


def step_data(moves: Moves, explanation: Explanation, step: ExplainedStep) -> dict[str, Any]:
    """Return a step with what is drawn for it.

    Returns:
        `text`: the text. `phrases`: for each phrase of the text that is about points of the first
        board, where it begins and ends, and the squares that light up, each with its middle and its
        side. `drawn`: for each board, the shapes over it. `notes`: what an elimination leaves, for
        each position that it strikes values at.
    """
    game = moves.game
    text = step_text(step)
    phrases = []
    if game.scenes:
        frame = Frame(game.scenes[0], CELL)
        for start, stop, points in phrases_of(step, text):
            squares = [list(lit_square(frame, point)) for point in points]
            phrases.append([start, stop, squares])
    candidates = explanation.candidates(step)
    instance = game.puzzle.instance
    drawn = step_overlay(instance, game.scenes, step, candidates)
    notes = moves.notes(struck_values(instance, step), candidates)
    return {"text": text, "phrases": phrases, "drawn": drawn, "notes": notes}


def hints_data(game: Game, explanation: Explanation) -> dict[str, Any]:
    """Return all steps of an explanation as hints.

    Returns:
        `shapes`: the shapes over boards, each once. `steps`: each as in `step_data`, with the
        numbers of shapes in `drawn`; besides, `where` to look, the `pattern` there, the `moves`
        that enter all that is known after it, of which the first `explained` are those of the step,
        and the numbers of the later steps that it is `for`.

    Raises:
        Stopped: The time is up.
    """
    writer = _HintWriter(game, explanation)
    steps = [writer.hint(step) for step in explanation]
    for hint, later in zip(steps, _users(explanation.steps)):
        hint["for"] = later
    return {"shapes": list(writer.shapes), "steps": steps}


class _HintWriter:
    """Writes steps as hints.

    Attributes:
        shapes: The shapes over boards, with their numbers.
    """

    def __init__(self, game: Game, explanation: Explanation) -> None:
        self.explanation = explanation
        self.moves = Moves(game)
        self.shapes: dict[str, int] = {}
        model = game.puzzle.model
        self._fixed, _ = known_values(model, progress_facts(game.puzzle))

    def hint(self, step: ExplainedStep) -> dict[str, Any]:
        """Return a step with what it adds to the board."""
        hint = step_data(self.moves, self.explanation, step)
        hint["drawn"] = [self._numbers(shapes) for shapes in hint["drawn"]]
        hint["where"], hint["pattern"] = step_degrees(step)
        explained = self._new_moves(self.moves.fact_values(step.facts))
        plain = self._new_moves(self.explanation.values(step))
        hint["moves"] = [*explained, *plain]
        hint["explained"] = len(explained)
        return hint

    def _numbers(self, shapes: Iterable[str]) -> list[int]:
        return [self.shapes.setdefault(shape, len(self.shapes)) for shape in shapes]

    def _new_moves(self, values: Mapping[Variable, Value]) -> list[list[Any]]:
        """Return the moves to values that were not known before."""
        new = {variable: value for variable, value in values.items() if variable not in self._fixed}
        moves = self.moves.moves(new, self._fixed)
        self._fixed.update(new)
        return moves


def _users(steps: Sequence[ExplainedStep]) -> list[list[int]]:
    """Return for each step the numbers, from 0, of the later steps that need what it says."""
    users: list[list[int]] = [[] for _ in steps]
    sources: dict[FactKey, int] = {}
    for number, step in enumerate(steps):
        needed = {sources[key] for key in map(_key, step.reasons) if key in sources}
        for source in sorted(needed):
            users[source].append(number)
        sources |= dict.fromkeys(map(_key, step.facts), number)
    return users


def _key(fact: FactText) -> FactKey:
    return fact.name, fact.index, fact.value
