"""What a spec expects of its solutions, and where they are not so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from puzzlekit.api.puzzle import Puzzle
from puzzlekit.api.solution import Solution, matches, plain
from puzzlekit.backends import Budget
from puzzlekit.errors import nearest
from puzzlekit.limits import limits
from puzzlekit.query import Kind, Query


def expected(puzzle: Puzzle) -> dict[str, Any]:
    """The spec's `expect` as plain data; every scalar is text. Raises Problems where it is no mapping."""
    node = puzzle.spec.about.get("expect")
    if node is None:
        return {}
    if not isinstance(node, MappingNode):
        puzzle.spec.source.problem("expect is a mapping: solutions: 1, say", node)
        puzzle.spec.source.raise_problems()
    found: dict[str, Any] = plain_node(node)
    return found


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

    `solutions` is the number of solutions; `goal` the best value of each goal named; the name of an unknown or shown value, or
    `answer` for the first unknown, what it is in some answer; the name of a type that follows, the `count` that it comes to.
    """
    return list(_Expectation(puzzle, backend, Budget.of(timeout)).unmet(expected(puzzle)))


@dataclass(frozen=True)
class _Expectation:
    puzzle: Puzzle
    backend: str
    budget: Budget  # for all questions together

    def unmet(self, wanted: dict[str, Any]) -> Iterator[str]:
        families = [unknowns.name for unknowns in self.puzzle.type.unknowns if not unknowns.auxiliary]
        shown = [shown.name for shown in self.puzzle.type.show if shown.expression is not None]
        then = [then.name for then in self.puzzle.type.then]
        values = {}
        for key, value in wanted.items():
            match key:
                case "solutions":
                    count = self.puzzle.count(self.backend, timeout=self.budget.left())
                    if str(count) != str(value).replace("_", ""):
                        yield f"expected {value} solutions, found {count}"
                case "goal" if isinstance(value, dict):
                    yield from self.goals(value)
                case "answer":
                    values[families[0]] = value
                case _ if key in (*families, *shown, *then):
                    values[key] = value
                case _:
                    yield f"expect has no {key}; {nearest(key, ['solutions', 'goal', 'answer', *families, *shown, *then])}"
        if values:
            yield from self.values(values)

    def goals(self, wanted: dict[str, str]) -> Iterator[str]:
        for name, value in wanted.items():
            if name not in self.puzzle.instance.goals:
                yield f"expect: {self.puzzle.type.name} has no goal {name}; {nearest(name, self.puzzle.instance.goals)}"
                continue
            run = self.puzzle.run(Query(Kind.OPTIMISE, 1, name), self.backend, self.budget.left())
            found = [solution.json() for solution in run]
            run.raise_reason()
            if str(run.value) != value:
                yield f"expected {name} {value}, found {run.value if found else 'no solution'}"

    def values(self, wanted: dict[str, Any]) -> Iterator[str]:
        """Nothing, if one solution has all that is wanted; else what the solution that has most of it lacks."""
        goal = None if self.puzzle.instance.goals else "none"
        most = limits().reporting.expected_solutions
        run = self.puzzle.run(Query.of_options(goal, most), self.backend, self.budget.left())
        nearest_miss: dict[str, Any] | None = None
        for solution in run:
            misses = {key: got for key, value in wanted.items() if not matches(value, got := _part(solution, key))}
            if not misses:
                return
            if nearest_miss is None or len(misses) < len(nearest_miss):
                nearest_miss = misses
        run.raise_reason()
        if nearest_miss is None:
            yield f"expected {', '.join(wanted)}, and there is no solution"
        elif not run.counted:
            yield f"expected {', '.join(wanted)}: none of the first {most:,} solutions has that"
        else:
            yield "; ".join(f"expected {key} {wanted[key]}, found {got}" for key, got in nearest_miss.items())


def _part(solution: Solution, key: str) -> Any:
    if key in solution.then:
        return solution.then[key].get("count", solution.then[key].json())
    return plain(solution.shown_or_family(key))
