"""Check the solutions of a spec against its `expect`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from puzzlekit.api.puzzle import Puzzle
from puzzlekit.api.solution import Solution, matches, plain, rows_of
from puzzlekit.backends import Budget
from puzzlekit.boards import Cell, Grid
from puzzlekit.clock import Clock
from puzzlekit.errors import Problem, Problems, nearest
from puzzlekit.lang import Family, unused_values
from puzzlekit.limits import limits
from puzzlekit.query import Asked, Kind, Query
from puzzlekit.render import scenes_of

FEW = 10  # expected solutions: they are listed, up to one more; of more, the number is counted


def expected(puzzle: Puzzle) -> dict[str, Any]:
    """The `expect` of a spec as plain data; scalars are text. Raises Problems if not a mapping."""
    node = puzzle.spec.about.get("expect")
    if node is None:
        return {}
    if not isinstance(node, MappingNode):
        puzzle.spec.source.problem("expected expect to be a mapping", node, "write for example expect: {solutions: 1}")
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


def check_spec(puzzle: Puzzle, backend: str = "auto", clock: Clock | None = None) -> str:
    """Check what the loading of a puzzle leaves open, and its solutions against its `expect`.

    Returns:
        The result in words.

    Raises:
        Problems: A value is not used, the picture cannot be drawn, or an expectation is not met.
        Stopped: The time is up.
        Undecided: The backend gave up.
    """
    if unused := unused_values(puzzle.instance):
        raise Problems(unused)
    scenes_of(puzzle.instance, None)  # raises what its picture cannot show
    if "expect" not in puzzle.spec.about:
        return "a valid spec; it has no expect"
    left = None if clock is None else clock.left()
    problems = unmet_problems(puzzle, backend, left, lambda solution: scenes_of(solution.instance, solution.assignment))
    if problems:
        raise Problems(problems)
    return "as expected"


def unmet(puzzle: Puzzle, backend: str = "auto", timeout: float | None = None) -> list[str]:
    """The expectations of a spec that its solutions do not meet, as sentences.

    `solutions` is the number of solutions, and `goal` the best value of each named goal. The name
    of an unknown or a shown value, or `answer` for the first unknown, is its value in a solution.
    The name of a type under `then` is the `count` of its result.

    Args:
        puzzle: The puzzle.
        backend: The name of a backend, or "auto".
        timeout: Seconds for all queries together.

    Raises:
        Stopped: The time is up.
        Undecided: The backend gave up.
    """
    return [problem.message for problem in unmet_problems(puzzle, backend, timeout)]


def unmet_problems(
    puzzle: Puzzle,
    backend: str = "auto",
    timeout: float | None = None,
    inspect: Callable[[Solution], object] = lambda solution: None,
) -> list[Problem]:
    """As `unmet`, each with its place in the spec; `inspect` is called with the first solution of each search."""
    return list(_Expectation(puzzle, backend, Budget.of(timeout), inspect).unmet(expected(puzzle)))


@dataclass(frozen=True)
class _Expectation:
    puzzle: Puzzle
    backend: str
    budget: Budget  # of all queries together
    inspect: Callable[[Solution], object]

    def unmet(self, required: dict[str, Any]) -> Iterator[Problem]:
        families = [unknowns.name for unknowns in self.puzzle.type.unknowns if not unknowns.auxiliary]
        shown = [shown.name for shown in self.puzzle.type.show if shown.expression is not None]
        then = [then.name for then in self.puzzle.type.then]
        values: dict[str, str] = {}  # by the key of `expect`, the name of the value
        for key, value in required.items():
            match key:
                case "solutions" if not str(value).replace("_", "").isdecimal():
                    yield self._problem("expected the number of solutions", key, hint="write for example solutions: 1")
                case "solutions":
                    wanted = int(str(value).replace("_", ""))
                    found = self._few(wanted) if wanted < FEW else self.puzzle.count(self.backend, timeout=self.budget.left())
                    if found != wanted:
                        more = " or more" if wanted < FEW and found > wanted else ""
                        yield self._problem(f"expected {value} solution{'s' * (wanted != 1)}, found {found}{more}", key)
                case "goal" if isinstance(value, dict):
                    yield from self.goals(value)
                case "answer":
                    values[key] = families[0]
                case _ if key in (*families, *shown, *then):
                    values[key] = key
                case _:
                    known = ["solutions", "goal", "answer", *families, *shown, *then]
                    yield self._problem(f"expect has no key {key}", key, hint=nearest(key, known))
        if values:
            yield from self.values(values, {key: required[key] for key in values})

    def _few(self, wanted: int) -> int:
        """Count the solutions, but stop where there are more than wanted."""
        run = self.puzzle.run(Query(limit=wanted + 1, goal="none", ordered=False), self.backend, self.budget.left())
        found = sum(1 for _ in run)
        run.raise_reason()
        return found

    def goals(self, required: dict[str, str]) -> Iterator[Problem]:
        for name, value in required.items():
            if name not in self.puzzle.instance.goals:
                hint = nearest(name, self.puzzle.instance.goals)
                yield self._problem(f"{self.puzzle.type.name} has no goal {name}", "goal", name, hint=hint)
                continue
            run = self.puzzle.run(Query(Kind.OPTIMISE, 1, name), self.backend, self.budget.left())
            found = list(run)
            run.raise_reason()
            for solution in found[:1]:
                self.inspect(solution)
            if str(run.value) != value:
                got = run.value if found else "no solution"
                yield self._problem(f"expected {name} {value}, found {got}", "goal", name)

    def values(self, names: dict[str, str], required: dict[str, Any]) -> Iterator[Problem]:
        """Nothing if a solution has all required values; else what the closest solution lacks."""
        goal = None if self.puzzle.instance.goals else "none"
        most = limits().reporting.expected_solutions
        run = self.puzzle.run(Asked(goal, limit=most).query(), self.backend, self.budget.left())
        nearest_miss: dict[str, Any] | None = None
        boards: dict[str, bool] = {}
        for number, solution in enumerate(run):
            if number == 0:
                self.inspect(solution)
            misses = {key: got for key, value in required.items() if not matches(value, got := _part(solution, names[key]))}
            if not misses:
                return
            if nearest_miss is None or len(misses) < len(nearest_miss):
                nearest_miss = misses
                boards = {key: _is_board(solution, names[key]) for key in misses}
        run.raise_reason()
        listed, first = ", ".join(names.values()), next(iter(names))
        if nearest_miss is None:
            yield self._problem(f"expected {listed}, but there is no solution", first)
        elif not run.counted:
            message = f"expected {listed}, but none of the first {most:,} solutions has these values"
            yield self._problem(message, first)
        else:
            for key, got in nearest_miss.items():
                message, hint = _mismatch(names[key], required[key], got, boards[key])
                yield self._problem(message, key, hint=hint)

    def _problem(self, message: str, *keys: str, hint: str = "") -> Problem:
        """A problem at a key of `expect`, or at a key below it."""
        node: Node | None = self.puzzle.spec.about.get("expect")
        at = node
        for name in keys:
            pairs = node.value if isinstance(node, MappingNode) else []
            at, node = next(((key, value) for key, value in pairs if key.value == name), (at, None))
        return Problem(message, None if at is None else self.puzzle.spec.source.start(at), hint)


def _part(solution: Solution, key: str) -> Any:
    if key in solution.then:
        return solution.then[key].get("count", solution.then[key].json())
    return plain(solution.shown_or_family(key))


def _is_board(solution: Solution, key: str) -> bool:
    if key in solution.then:
        return False
    value = solution.shown_or_family(key)
    return isinstance(value, Grid) or (isinstance(value, Family) and value.over_cells())


def _mismatch(name: str, required: Any, got: Any, board: bool) -> tuple[str, str]:
    """What differs, and a hint; of a board, its size or its first differing cells."""
    if not board:
        return f"expected {name} {required}, found {got}", ""
    rows, found = rows_of(required), [["." if cell is None else str(cell) for cell in row] for row in got]
    hint = "a hole is _ or ."
    if len(rows) != len(found):
        return f"expected {name} with {_many(len(rows), 'row')}, found {_many(len(found), 'row')}", hint
    for number, (row, other) in enumerate(zip(rows, found), 1):
        if len(row) != len(other):
            size = _many(len(row), "cell")
            return f"expected {name} with {size} in row {number}, found {_many(len(other), 'cell')}", hint
    cells = [
        f"{Cell(r, c)} is {_cell(found_cell)}, not {_cell(cell)}"
        for r, (row, other) in enumerate(zip(rows, found), 1)
        for c, (cell, found_cell) in enumerate(zip(row, other), 1)
        if cell != found_cell and (cell, found_cell) != ("_", ".")
    ]
    most = limits().reporting.named_values
    more = f" and {len(cells) - most:,} more" if len(cells) > most else ""
    return f"{name} is not as expected: {', '.join(cells[:most])}{more}", ""


def _cell(text: str) -> str:
    return "a hole" if text in (".", "_") else text


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
