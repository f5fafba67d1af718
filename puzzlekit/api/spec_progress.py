"""The progress of a player as facts: of an argument, else of the spec."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from yaml.nodes import MappingNode

from puzzlekit.api.solution import LoadedPuzzle
from puzzlekit.errors import InputError
from puzzlekit.reasons import ValueLiteral, read_marks
from puzzlekit.yaml_nodes import plain_node

Progress = Mapping[str, Any]


def progress_facts(
    puzzle: LoadedPuzzle, progress: Progress | None = None, to_judge: bool = False
) -> list[ValueLiteral]:
    """Return the facts of the progress, which is that of the spec by default.

    With `to_judge`, a value that its unknown never has is a fact, too.

    Raises:
        Problems: The progress in the spec is wrong.
        InputError: The given progress is wrong.
    """
    if progress is not None:
        if not isinstance(progress, Mapping):
            raise InputError(
                f"expected progress as a mapping, got {type(progress).__name__}",
                help='write for example {"NAME OF AN UNKNOWN": ["1 . .", ". . 2"]}',
            )
        return read_marks(puzzle.instance, progress, to_judge)
    node = puzzle.spec.about.get("progress")
    if node is None:
        return []
    source = puzzle.spec.source
    if not isinstance(node, MappingNode):
        source.problem(
            "expected progress to be a mapping", node, "write for example progress: {answer: …}"
        )
        source.raise_problems()
    try:
        return read_marks(puzzle.instance, plain_node(node), to_judge)
    except InputError as error:
        source.problem(str(error), node, error.help)
        source.raise_problems()
        raise
