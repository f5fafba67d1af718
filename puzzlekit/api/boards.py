"""Pictures of boards in the making: what is known so far, and what a step or a judgement is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

from puzzlekit.api.pictures import drawable, puzzle_parts, together
from puzzlekit.api.solution import LoadedPuzzle
from puzzlekit.api.spec_progress import marks_of
from puzzlekit.lang import Instance
from puzzlekit.lang.puzzle_type import Picture
from puzzlekit.model import Model, Value, Variable
from puzzlekit.reasons.checking import Check
from puzzlekit.reasons.conflicts import Conflict
from puzzlekit.reasons.literals import ValueLiteral
from puzzlekit.reasons.narration import ExplainedStep
from puzzlekit.reasons.places import cells_in
from puzzlekit.reasons.words import FactText, RuleInstance
from puzzlekit.render.build import scenes_of
from puzzlekit.render.make_layers import point_of
from puzzlekit.scene import Highlight, PencilMarks, PicturePart, Point, Scene, Symbols, Text, upper

CROSS, DOT = "cross", "dot"  # the signs of what is excluded, between cells and in them


class _Known(dict[Variable, Value]):
    """Values of some unknowns; the others have none."""

    def __missing__(self, variable: Variable) -> None:
        return None


_PLAIN: WeakKeyDictionary[Instance, tuple[Picture, ...]] = (
    WeakKeyDictionary()
)  # kept, since drawings are known by them


def _pictures(bound: Instance) -> tuple[Picture, ...]:
    """Return the pictures of a puzzle without the layers that are computed from unknowns."""
    if bound not in _PLAIN:
        _PLAIN[bound] = tuple(
            replace(
                picture,
                layers=tuple(
                    layer
                    for layer in picture.layers
                    if layer.expression.names.isdisjoint(
                        bound.families.keys() | bound.definitions.keys()
                    )
                    or layer.expression.text.text.strip() in bound.families
                ),
            )
            for picture in drawable(bound)
        )
    return _PLAIN[bound]


def board_parts(
    bound: Instance, values: Mapping[Variable, Value], highlights: Mapping[Point, str] | None = None
) -> list[PicturePart]:
    """Return the picture of a board where these values are known; what is known to be false has a
    cross or a dot.
    """
    return together(_boards(bound, values, highlights or {}))


def _boards(
    bound: Instance, values: Mapping[Variable, Value], highlights: Mapping[Point, str]
) -> list[Scene]:
    scenes = [scene for scene in scenes_of(bound, _Known(values), _pictures(bound)) if scene.cells]
    return [_marked(scene, bound, values, highlights) for scene in scenes]


def loaded_parts(puzzle: LoadedPuzzle) -> list[PicturePart]:
    """Return the picture of a puzzle with the progress of its spec, if it has some. Raises Problems
    if that is wrong.
    """
    if "progress" not in puzzle.spec.about:
        return puzzle_parts(puzzle.instance)
    values, left = known_of(puzzle.model, marks_of(puzzle))
    scenes = [
        _with_candidates(scene, puzzle.instance, left)
        for scene in _boards(puzzle.instance, values, {})
    ]
    return puzzle_parts(puzzle.instance, scenes if values or left else None)


def known_of(
    model: Model, facts: Iterable[ValueLiteral]
) -> tuple[dict[Variable, Value], dict[Variable, list[Value]]]:
    """Return the values that facts state, and of unknowns of which values are excluded those that
    are left.
    """
    values, left = dict[Variable, Value](), dict[Variable, list[Value]]()
    for fact in facts:
        if fact.positive:
            values[fact.unknown] = fact.value
        else:
            own = left.get(fact.unknown, model.domains[fact.unknown])
            left[fact.unknown] = [value for value in own if value != fact.value]
    known = {variable: own[0] for variable, own in left.items() if len(own) == 1} | values
    return known, {variable: own for variable, own in left.items() if variable not in known}


def _with_candidates(
    scene: Scene, bound: Instance, left: Mapping[Variable, Sequence[Value]]
) -> Scene:
    """Return the scene with what may still stand in cells that have no text."""
    written = {cell for layer in scene.of_type(Text) for cell in layer.texts}
    texts = {
        (place[0] // 2, place[1] // 2): tuple(map(upper, left[variable]))
        for family in bound.families.values()
        for key, variable in family.members.items()
        if variable in left
        and (place := point_of(key)) is not None
        and place[0] % 2 == place[1] % 2 == 0
    }
    small = {
        cell: own for cell, own in texts.items() if cell in scene.cells and cell not in written
    }
    return replace(scene, layers=(*scene.layers, PencilMarks(False, small))) if small else scene


def _marked(
    scene: Scene, bound: Instance, values: Mapping[Variable, Value], highlights: Mapping[Point, str]
) -> Scene:
    found = [
        point_of(key)
        for f in bound.families.values()
        for key, v in f.members.items()
        if values.get(v) is False
    ]
    written = {
        (2 * row, 2 * column) for layer in scene.of_type(Text) for row, column in layer.texts
    }
    shown = {
        name
        for picture in _pictures(bound)
        for layer in picture.layers
        for name in layer.expression.names
    }
    hidden = {
        point_of(key)
        for name, f in bound.families.items()
        if name not in shown
        for key in f.members
    }
    signs = {
        place: DOT if place[0] % 2 == place[1] % 2 == 0 else CROSS
        for place in found
        if place is not None and place not in hidden and place not in written
    }
    layers = [*scene.layers, *([Symbols(False, signs)] if signs else [])]
    if highlights:
        layers.append(Highlight(False, highlights))
    return replace(scene, layers=tuple(layers))


def _places(parts: Iterable[Any], kind: str) -> dict[Point, str]:
    """Return places on the board: of a group of cells, those of each."""
    found: dict[Point, str] = {}
    for part in parts:
        if (place := point_of(part)) is not None:
            found[place] = kind
        else:
            found |= _places(cells_in(part), kind)
    return found


def step_highlights(step: ExplainedStep) -> dict[Point, str]:
    """Return the places that a step is about: its scope, its reasons and what is new."""
    return _highlights(step.rules, step.reasons, step.facts)


def _highlights(
    rules: Sequence[RuleInstance], reasons: Sequence[FactText], new: Sequence[FactText]
) -> dict[Point, str]:
    return {
        **_places(
            (
                place
                for rule in rules
                for place in (*rule.indexes, *(index for _, index in rule.clues))
            ),
            "scope",
        ),
        **_places((fact.index_cell for fact in reasons), "reason"),
        **_places((fact.index_cell for fact in new), "new"),
    }


def step_parts(
    bound: Instance, step: ExplainedStep, before: Mapping[Variable, Value]
) -> list[PicturePart]:
    """Return the picture of a step: the board with what is new, and what the step is about."""
    values = dict(before)
    for fact in step.facts:
        if fact.positive:
            values[bound.families[fact.name].members[fact.index]] = fact.value
    return board_parts(bound, values, step_highlights(step))


def hint_parts(
    puzzle: LoadedPuzzle, step: ExplainedStep, progress: Mapping[str, Any] | None
) -> list[PicturePart]:
    """Return the picture of the next step on a board with progress."""
    return step_parts(
        puzzle.instance,
        step,
        {fact.unknown: fact.value for fact in marks_of(puzzle, progress) if fact.positive},
    )


def conflict_highlights(found: Conflict) -> dict[Point, str]:
    """Return the places of rules that clash, or where solutions differ."""
    rules = found.conflicts[0] if found.conflicts else ()
    places = [place for rule in rules for place in rule.indexes]
    given = [rule.indexes[0] for rule in rules if len(rule.indexes) == 1] + [
        one.index_cell for one, _ in found.differences
    ]
    return {**_places(places, "scope" if given else "reason"), **_places(given, "reason")}


def conflict_parts(bound: Instance, found: Conflict) -> list[PicturePart]:
    """Return the picture of a puzzle where rules that clash, or places where solutions differ,
    stand out.
    """
    return board_parts(bound, {}, conflict_highlights(found))


def check_highlights(judgement: Check) -> dict[Point, str]:
    """Return the places of marks that are to blame, and of the rule that they break."""
    rules = judgement.rules[:1] if judgement.verdict == "violates" else ()
    return _highlights(rules, judgement.marks, ())


def check_parts(
    bound: Instance, marks: Sequence[ValueLiteral], judgement: Check
) -> list[PicturePart]:
    """Return the picture of marks, where those to blame stand out."""
    values = {fact.unknown: fact.value for fact in marks if fact.positive}
    return board_parts(bound, values, check_highlights(judgement))
