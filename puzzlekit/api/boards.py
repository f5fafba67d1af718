"""Pictures of unfinished boards: what is known so far, and what a step or a check is about."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any
from weakref import WeakKeyDictionary

from puzzlekit.api.pictures import drawable, puzzle_parts, together
from puzzlekit.api.solution import LoadedPuzzle
from puzzlekit.api.spec_progress import progress_facts
from puzzlekit.lang import Instance, Picture, PictureLayer
from puzzlekit.model import Model, Value, Variable
from puzzlekit.reasons import (
    Check,
    Conflict,
    ExplainedStep,
    FactText,
    RuleInstance,
    ValueLiteral,
    cells_in,
)
from puzzlekit.render import point_of, scenes_of
from puzzlekit.scene import Highlight, PencilMarks, PicturePart, Point, Scene, Symbols, Text, upper

MOST_CANDIDATES = 9  # of a cell that are drawn
CROSS, DOT = "cross", "dot"  # of false values, between cells and in them


class _PartialValues(dict[Variable, Value]):
    """Values of some unknowns; the others have none."""

    def __missing__(self, variable: Variable) -> None:
        return None


# The renderer caches drawings by the identity of their pictures, so each is computed only once.
_PLAIN: WeakKeyDictionary[Instance, tuple[Picture, ...]] = WeakKeyDictionary()


def _pictures(instance: Instance) -> tuple[Picture, ...]:
    """Return the pictures of a puzzle without the layers that are computed from unknowns."""
    if instance not in _PLAIN:
        _PLAIN[instance] = tuple(
            replace(picture, layers=_plain_layers(picture, instance))
            for picture in drawable(instance)
        )
    return _PLAIN[instance]


def _plain_layers(picture: Picture, instance: Instance) -> tuple[PictureLayer, ...]:
    """Return the layers that show only data, or unknowns as they are."""
    unknowns = instance.families.keys()
    not_data = unknowns | instance.definitions.keys()
    layers = []
    for layer in picture.layers:
        expression = layer.expression
        shows_data = expression.names.isdisjoint(not_data)
        if shows_data or expression.text.text.strip() in unknowns:
            layers.append(layer)
    return tuple(layers)


def board_parts(
    bound: Instance, values: Mapping[Variable, Value], highlights: Mapping[Point, str] | None = None
) -> list[PicturePart]:
    """Return the picture of a board where these values are known.

    What is known to be false has a cross or a dot.
    """
    return together(_boards(bound, values, Highlight(False, highlights or {})))


def _boards(
    instance: Instance, values: Mapping[Variable, Value], highlight: Highlight
) -> list[Scene]:
    scenes = scenes_of(instance, _PartialValues(values), _pictures(instance))
    return [_marked(scene, instance, values, highlight) for scene in scenes if scene.cells]


def loaded_parts(puzzle: LoadedPuzzle) -> list[PicturePart]:
    """Return the picture of a puzzle with the progress of its spec, if it has some.

    Raises:
        Problems: The progress is wrong.
    """
    instance = puzzle.instance
    if "progress" not in puzzle.spec.about:
        return puzzle_parts(instance)
    values, candidates = known_values(puzzle.model, progress_facts(puzzle))
    if not values and not candidates:
        return puzzle_parts(instance)
    boards = _boards(instance, values, Highlight(False, {}))
    scenes = [_with_candidates(scene, instance, candidates) for scene in boards]
    return puzzle_parts(instance, scenes)


def known_values(
    model: Model, facts: Iterable[ValueLiteral]
) -> tuple[dict[Variable, Value], dict[Variable, list[Value]]]:
    """Return what facts state of unknowns.

    Returns:
        The values of the unknowns that have only one left, and the remaining values of the other
        unknowns of which values are excluded.
    """
    values: dict[Variable, Value] = {}
    candidates: dict[Variable, list[Value]] = {}
    for fact in facts:
        unknown = fact.unknown
        if fact.positive:
            values[unknown] = fact.value
            continue
        domain = candidates.get(unknown, model.domains[unknown])
        candidates[unknown] = [value for value in domain if value != fact.value]
    single = {unknown: domain[0] for unknown, domain in candidates.items() if len(domain) == 1}
    values = single | values
    several = {unknown: domain for unknown, domain in candidates.items() if unknown not in values}
    return values, several


def _is_cell(point: Point) -> bool:
    """Whether a point is the centre of a cell, not on a side or a corner."""
    return point[0] % 2 == point[1] % 2 == 0


def _with_candidates(
    scene: Scene,
    instance: Instance,
    candidates: Mapping[Variable, Sequence[Value]],
    struck: Mapping[Variable, Collection[Value]] = MappingProxyType({}),
) -> Scene:
    """Return the scene with the remaining values of cells that have no text."""
    marks = _pencil_marks(scene, instance, candidates, struck)
    return replace(scene, layers=(*scene.layers, marks)) if marks.texts else scene


def unwritten_candidates(
    scene: Scene,
    instance: Instance,
    candidates: Mapping[Variable, Sequence[Value]],
    struck: Mapping[Variable, Collection[Value]],
) -> PencilMarks:
    """Return the remaining values of unknowns that a picture shows, where they are few."""
    return _pencil_marks(scene, instance, shown_candidates(instance, candidates), struck)


def _pencil_marks(
    scene: Scene,
    instance: Instance,
    candidates: Mapping[Variable, Sequence[Value]],
    struck: Mapping[Variable, Collection[Value]],
) -> PencilMarks:
    """Return the remaining values of cells that have no text; those that are struck are crossed
    out.
    """
    written = {cell for layer in scene.of_type(Text) for cell in layer.texts}
    pencil_marks = {}
    crossed_out = {}
    for family in instance.families.values():
        for index, variable in family.members.items():
            if variable not in candidates:
                continue
            point = point_of(index)
            if point is None or not _is_cell(point):
                continue
            cell = (point[0] // 2, point[1] // 2)
            if cell in scene.cells and cell not in written:
                pencil_marks[cell] = tuple(map(upper, candidates[variable]))
                if variable in struck:
                    crossed_out[cell] = frozenset(map(upper, struck[variable]))
    return PencilMarks(False, pencil_marks, crossed_out)


def _drawn_names(instance: Instance) -> set[str]:
    """Return the names that the pictures of a puzzle show."""
    layers = [layer for picture in _pictures(instance) for layer in picture.layers]
    return {name for layer in layers for name in layer.expression.names}


def _marked(
    scene: Scene,
    instance: Instance,
    values: Mapping[Variable, Value],
    highlight: Highlight,
) -> Scene:
    """Return the scene with crosses and dots where values are false, and with highlights."""
    drawn = _drawn_names(instance)
    texts = (layer.texts for layer in scene.of_type(Text))
    without_sign: set[Point | None] = set()
    for cells in texts:
        without_sign.update((2 * row, 2 * column) for row, column in cells)
    for name, family in instance.families.items():
        if name not in drawn:
            without_sign.update(map(point_of, family.members))
    signs = {}
    for family in instance.families.values():
        for index, variable in family.members.items():
            if values.get(variable) is not False:
                continue
            point = point_of(index)
            if point is not None and point not in without_sign:
                signs[point] = DOT if _is_cell(point) else CROSS
    layers = [*scene.layers]
    if signs:
        layers.append(Symbols(False, signs))
    if highlight.roles:
        layers.append(highlight)
    return replace(scene, layers=tuple(layers))


def _points(indexes: Iterable[Any], role: str) -> dict[Point, str]:
    """Return the role of each point on the board: of a group of cells, those of its cells."""
    roles: dict[Point, str] = {}
    for index in indexes:
        point = point_of(index)
        if point is not None:
            roles[point] = role
        else:
            roles |= _points(cells_in(index), role)
    return roles


def step_highlights(step: ExplainedStep) -> dict[Point, str]:
    """Return the points that a step is about, with their roles.

    The scope are the cards of its cover, or what its rules are about. Beside a cover or a chain,
    only reasons that are values stand out: pencil marks that are missing show themselves.
    """
    roles: dict[Point, str] = {}
    if step.cover:
        roles = _points([index for card in step.cover for index in card.indexes], "scope")
    elif not _is_chain(step):
        roles = _points(_scope(step.rules), "scope")
    reasons = step.reasons
    if step.cover or _is_chain(step):
        reasons = tuple(fact for fact in reasons if fact.positive)
    roles |= _fact_points(reasons, "reason")
    for card in step.base:
        roles |= _fact_points(card.facts, "base")
    for line in step.lines:
        roles |= _fact_points(line.facts, "line")
    for line in step.lines:
        roles |= _points(line.indexes, "contradiction")
    roles |= _fact_points(step.struck, "struck")
    for line in step.lines:
        if line.is_assumption and _is_chain(step):
            roles |= _fact_points(line.facts, "assumed")
    return roles | _fact_points(step.placed, "new")


def _is_chain(step: ExplainedStep) -> bool:
    """Return whether something follows from an assumption before the contradiction."""
    return any(line.facts and not line.is_assumption for line in step.lines)


def step_labels(step: ExplainedStep) -> dict[Point, str]:
    """Return the labels of the lines of a chain: `?` for an assumption, and the numbers of what
    follows.
    """
    labels: dict[Point, str] = {}
    if not _is_chain(step):
        return labels
    number = 0
    for line in step.lines:
        number += not line.is_assumption
        label = "?" if line.is_assumption else str(number)
        for point in _fact_points(line.facts, ""):
            labels.setdefault(point, label)
    return labels


def _fact_points(facts: Iterable[FactText], role: str) -> dict[Point, str]:
    return _points([fact.index_cell for fact in facts], role)


def points_of(indexes: Iterable[Any]) -> list[Point]:
    """Return the points on the board of indexes."""
    return list(_points(indexes, ""))


def _highlights(
    rules: Sequence[RuleInstance], reasons: Sequence[FactText], new: Sequence[FactText]
) -> dict[Point, str]:
    roles = _points(_scope(rules), "scope")
    roles |= _fact_points(reasons, "reason")
    roles |= _fact_points(new, "new")
    return roles


def _scope(rules: Iterable[RuleInstance]) -> list[Any]:
    """Return the indexes that rules are about, with those of their clues."""
    scope: list[Any] = []
    for rule in rules:
        scope += rule.indexes
        scope += [index for _, index in rule.clues]
    return scope


def step_parts(
    bound: Instance,
    step: ExplainedStep,
    before: Mapping[Variable, Value],
    candidates: Mapping[Variable, Sequence[Value]] = MappingProxyType({}),
) -> list[PicturePart]:
    """Return the picture of a step: the board with the new facts, and what the step is about.

    Args:
        bound: The puzzle.
        step: The step.
        before: The values that were known before it.
        candidates: The values that remained for the other unknowns; they are drawn small.
    """
    struck = struck_values(bound, step)
    placed = {
        bound.families[fact.name].members[fact.index]: fact.value
        for fact in step.facts
        if fact.positive
    }
    values = {**before, **placed}
    highlight = Highlight(False, step_highlights(step), step_labels(step))
    boards = _boards(bound, values, highlight)
    if candidates:
        drawn = shown_candidates(bound, candidates)
        boards = [_with_candidates(scene, bound, drawn, struck) for scene in boards]
    return together(boards)


def struck_values(bound: Instance, step: ExplainedStep) -> dict[Variable, set[Value]]:
    """Return the values that a step strikes, by their unknowns."""
    struck: dict[Variable, set[Value]] = {}
    for fact in step.facts:
        if not fact.positive:
            variable = bound.families[fact.name].members[fact.index]
            struck.setdefault(variable, set()).add(fact.value)
    return struck


def shown_candidates(
    bound: Instance, candidates: Mapping[Variable, Sequence[Value]]
) -> dict[Variable, Sequence[Value]]:
    """Return the remaining values of the unknowns that a picture shows, where they are few."""
    shortened = {}
    for name in _drawn_names(bound) & bound.families.keys():
        for variable in bound.families[name].members.values():
            remaining = candidates.get(variable, ())
            if 0 < len(remaining) <= MOST_CANDIDATES:
                shortened[variable] = remaining
    return shortened


def conflict_highlights(conflict: Conflict) -> dict[Point, str]:
    """Return the points of rules that cannot all hold, or where solutions differ."""
    rules = conflict.conflicts[0] if conflict.conflicts else ()
    scope = [index for rule in rules for index in rule.indexes]
    givens = [rule.indexes[0] for rule in rules if len(rule.indexes) == 1]
    givens += [fact.index_cell for fact, _ in conflict.differences]
    return {**_points(scope, "scope" if givens else "reason"), **_points(givens, "reason")}


def conflict_parts(bound: Instance, conflict: Conflict) -> list[PicturePart]:
    """Return the picture of a puzzle that highlights its conflict, or how its solutions differ."""
    return board_parts(bound, {}, conflict_highlights(conflict))


def check_highlights(verdict: Check) -> dict[Point, str]:
    """Return the points of the marks to blame, and of the rule that they violate."""
    rules = verdict.rules[:1] if verdict.verdict == "violates" else ()
    return _highlights(rules, verdict.facts, ())


def check_parts(
    bound: Instance, marks: Sequence[ValueLiteral], verdict: Check
) -> list[PicturePart]:
    """Return the picture of marks that highlights those to blame."""
    values = {fact.unknown: fact.value for fact in marks if fact.positive}
    return board_parts(bound, values, check_highlights(verdict))
