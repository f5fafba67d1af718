"""The marks of a board in the making: those given, else those of the spec."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from yaml.nodes import MappingNode

from puzzlekit.api.solution import LoadedPuzzle
from puzzlekit.errors import InputError
from puzzlekit.reasons.literals import Fact
from puzzlekit.reasons.marks import read_marks
from puzzlekit.yaml_nodes import plain_node

Marks = Mapping[str, Any]


def marks_of(puzzle: LoadedPuzzle, marks: Marks | None = None) -> list[Fact]:
    """Return the facts of marks: those given, else those of the spec.

    Raises:
        Problems: The marks of the spec are wrong.
        InputError: The given marks are wrong.
    """
    if marks is not None:
        return read_marks(puzzle.instance, marks)
    node = puzzle.spec.about.get("marks")
    if node is None:
        return []
    source = puzzle.spec.source
    if not isinstance(node, MappingNode):
        source.problem(
            "expected marks to be a mapping", node, "write for example marks: {answer: …}"
        )
        source.raise_problems()
    try:
        return read_marks(puzzle.instance, plain_node(node))
    except InputError as error:
        source.problem(str(error), node, error.help)
        source.raise_problems()
        raise
