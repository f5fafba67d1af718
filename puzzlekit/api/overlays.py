"""What is drawn over boards that are played: what a step, a check or a conflict is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from puzzlekit.api.boards import (
    step_highlights,
    step_labels,
    struck_values,
    unwritten_candidates,
)
from puzzlekit.lang import Instance
from puzzlekit.model import Value, Variable
from puzzlekit.reasons import ExplainedStep
from puzzlekit.render import CELL, overlay_elements
from puzzlekit.scene import Highlight, PencilMarks, Point, Scene, centre

OverlayShapes = list[list[str]]  # for each board, the elements that are drawn over it


def highlights_overlay(scenes: Sequence[Scene], roles: Mapping[Point, str]) -> OverlayShapes:
    """Return the elements that let points stand out on boards."""
    highlight = Highlight(False, roles)
    return [overlay_elements(scene, [_within(highlight, scene)], CELL) for scene in scenes]


def step_overlay(
    instance: Instance,
    scenes: Sequence[Scene],
    step: ExplainedStep,
    candidates: Mapping[Variable, Sequence[Value]] = MappingProxyType({}),
) -> OverlayShapes:
    """Return the elements that show a step on boards.

    Pencil marks are drawn in the cells that the step is about: the player has notes in others.

    Args:
        instance: The puzzle.
        scenes: The boards.
        step: The step.
        candidates: The values that remained before it.
    """
    highlight = Highlight(False, step_highlights(step), step_labels(step))
    struck = struck_values(instance, step)
    overlay = []
    for scene in scenes:
        marks = unwritten_candidates(scene, instance, candidates, struck)
        about = _about(marks, highlight)
        overlay.append(overlay_elements(scene, [_within(highlight, scene), about], CELL))
    return overlay


def _about(marks: PencilMarks, highlight: Highlight) -> PencilMarks:
    """Return the pencil marks of cells that stand out."""
    texts = {cell: text for cell, text in marks.texts.items() if centre(cell) in highlight.roles}
    return replace(marks, texts=texts)


def _within(highlight: Highlight, scene: Scene) -> Highlight:
    """Return what stands out on a board or at its rim."""
    top, bottom, left, right = scene.extent

    def is_within(point: Point) -> bool:
        row, column = point
        is_between_rows = 2 * top - 2 < row < 2 * bottom + 2
        is_between_columns = 2 * left - 2 < column < 2 * right + 2
        return is_between_rows and is_between_columns

    roles = {point: role for point, role in highlight.roles.items() if is_within(point)}
    labels = {point: label for point, label in highlight.labels.items() if is_within(point)}
    return replace(highlight, roles=roles, labels=labels)
