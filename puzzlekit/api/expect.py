"""What a spec expects of its answers, and where they are not so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from puzzlekit.api.answers import Answer, matches
from puzzlekit.api.puzzle import Puzzle, Request
from puzzlekit.errors import nearest

LISTED = 1_000  # answers that are listed to find an expected one


def expected(puzzle: Puzzle) -> dict[str, Any]:
    """The spec's `expect` as plain data; every scalar is text."""
    node = puzzle.spec.about.get("expect")
    found = plain_node(node) if node is not None else {}
    return found if isinstance(found, dict) else {}


def plain_node(node: Node) -> Any:
    """A node as dicts, lists and text."""
    if isinstance(node, MappingNode):
        return {str(key.value): plain_node(value) for key, value in node.value}
    if isinstance(node, SequenceNode):
        return [plain_node(item) for item in node.value]
    assert isinstance(node, ScalarNode)
    return str(node.value)


def unmet(puzzle: Puzzle, backend: str = "auto", timeout: float | None = None) -> list[str]:
    """What the spec expects and does not get, in sentences. Raises Stopped or Undecided if that could not be seen.

    `solutions` is the number of answers; `goal` the best value of each goal named; the name of an unknown, or `answer` for the
    first one, what it is in some answer; the name of a type that follows, the `count` that it comes to.
    """
    return list(_unmet(puzzle, expected(puzzle), backend, timeout))


def _unmet(puzzle: Puzzle, wanted: dict[str, Any], backend: str, timeout: float | None) -> Iterator[str]:
    families = [unknowns.name for unknowns in puzzle.type.unknowns if not unknowns.auxiliary]
    then = [then.name for then in puzzle.type.then]
    values = {}
    for key, value in wanted.items():
        match key:
            case "solutions":
                count = puzzle.count(backend, timeout=timeout)
                if str(count) != value.replace("_", ""):
                    yield f"expected {value} solutions, found {count}"
            case "goal" if isinstance(value, dict):
                yield from _goals(puzzle, value, backend, timeout)
            case _ if key in families or key in then:
                values[key] = value
            case "answer":
                values[families[0]] = value
            case _:
                yield f"expect has no {key}; {nearest(key, ['solutions', 'goal', 'answer', *families, *then])}"
    if values and not any(_fits(answer, values) for answer in _listed(puzzle, backend, timeout)):
        yield f"no answer has the expected {', '.join(values)}"


def _goals(puzzle: Puzzle, wanted: dict[str, str], backend: str, timeout: float | None) -> Iterator[str]:
    for name, value in wanted.items():
        run = puzzle.run(Request(backend, name, timeout=timeout))
        for _ in run:
            pass
        run.raise_reason()
        if str(run.value) != value:
            yield f"expected {name} {value}, found {run.value}"


def _listed(puzzle: Puzzle, backend: str, timeout: float | None) -> Iterator[Answer]:
    goal = None if puzzle.instance.goals else "none"
    yield from puzzle.run(Request(backend, goal, limit=LISTED, timeout=timeout))


def _fits(answer: Answer, wanted: dict[str, Any]) -> bool:
    found = answer.json()
    for key, value in wanted.items():
        got = found["then"][key]["count"] if key in answer.then else found[key]
        if not matches(value, got):
            return False
    return True
