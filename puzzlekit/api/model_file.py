"""Read back and check the solutions that another solver prints for an exported puzzle."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from puzzlekit.api.exporting import ELSEWHERE, digest
from puzzlekit.api.loading import load
from puzzlekit.api.puzzle import Puzzle
from puzzlekit.api.solution import Solution
from puzzlekit.clock import Clock
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, Problem, Problems
from puzzlekit.exports import (
    Claim,
    FileFormat,
    Header,
    NameMap,
    load_format,
    read_comments,
)
from puzzlekit.model import Objective, Values


@dataclass(frozen=True)
class ReadBack:
    """The checked answer of another solver.

    Attributes:
        puzzle: The puzzle.
        goal: The goal of the exported file; None if it has none.
        claim: What the solver says. Puzzlekit proves neither that there is no solution nor that a
            solution is the best.
        solutions: The solutions, each once and checked against the rules; with a goal, the last.
    """

    puzzle: Puzzle
    goal: Objective | None
    claim: Claim
    solutions: tuple[Solution, ...]

    @property
    def value(self) -> int | None:
        """The value of the goal; None without a goal or a solution."""
        if self.goal is None or not self.solutions:
            return None
        return int(self.goal.term.value(self.solutions[0].assignment))


def read_solution(
    lines: Iterable[str],
    printed: str,
    puzzle: Puzzle | None = None,
    clock: Clock | None = None,
) -> ReadBack:
    """Read what another solver printed for an exported file.

    Args:
        lines: The lines of the exported file.
        printed: What the solver printed.
        puzzle: The puzzle; None to load it again from the paths that the file names.
        clock: A running clock.

    Returns:
        The claim and the checked solutions of the solver.

    Raises:
        InputError: The file is no exported one, the puzzle is another one than it was exported
            from, or the solver printed something else than a solution of the file.
        Problems: A solution violates a rule.
        Stopped: The time is up.

    Examples:
        >>> import puzzlekit
        >>> puzzle = puzzlekit.load(
        ...     "puzzle: p\\nvariables: {x: 'between(1, 2)'}\\nrules: {r: 'x > 0'}"
        ... )
        >>> lines = str(puzzle.export("dimacs")).splitlines()
        >>> dict(read_solution(lines, "s SATISFIABLE\\nv 1 2 0", puzzle).solutions[0])
        {'x': 2}
    """
    lines = list(lines)
    file_format = _format_of(lines)
    names = read_comments(iter(lines), file_format.comment)
    header = names.header
    puzzle = _load_again(header, clock) if puzzle is None else puzzle
    if digest(puzzle) != header.digest:
        raise InputError(
            "the type or the spec has changed since the file was exported", help="export it again"
        )
    goal = puzzle.goal(header.goal) if header.goal is not None else None
    output = file_format.read(printed, names.names)
    claim = output.claim
    assignments = output.assignments if goal is None else output.assignments[-1:]
    if claim in (Claim.NONE, Claim.UNKNOWN):
        assignments = ()
    elif not assignments and names.is_settled:
        assignments = ({},)
    solutions: dict[tuple[Any, ...], Solution] = {}
    for assignment in assignments:
        solution = _checked(puzzle, names, assignment)
        solutions.setdefault(solution.key(), solution)
    if not solutions and claim in (Claim.SOLUTION, Claim.OPTIMAL):
        raise InputError(
            "the solver reports a solution but prints no values",
            help="ask it to print the solution",
        )
    return ReadBack(puzzle, goal, claim, tuple(solutions.values()))


def _format_of(lines: Iterable[str]) -> FileFormat:
    """Return the format that the header names."""
    for line in lines:
        start = line.find('{"puzzlekit":')
        if 0 <= start <= 3:
            try:
                name = json.loads(line[start:])["format"]
            except (ValueError, KeyError, TypeError, RecursionError):
                break
            return load_format(str(name))
    raise InputError("expected a file of puzzlekit export, found no comment that names its puzzle")


def _load_again(header: Header, clock: Clock | None) -> Puzzle:
    if header.spec == ELSEWHERE or header.puzzle == "<type>":
        raise InputError(
            "the file does not name its type and its spec",
            help="name the type and the spec after the two files",
        )
    spec = Path(header.spec) if header.spec is not None else None
    options = header.options
    lexicon = options.get("lexicon")
    settings = options.get("settings") or {}
    fold_accents = bool(options.get("fold_accents"))
    return load(header.puzzle, spec, lexicon, settings, fold_accents, clock=clock)


def _checked(puzzle: Puzzle, names: NameMap, assignment: Mapping[str, str]) -> Solution:
    """Return the solution. Raises Problems with the rule that it violates."""
    values: Values = names.lift(puzzle.model, assignment)
    violated = puzzle.model.violated(values)
    origin = violated.origin if violated is not None else puzzle.instance.check(values)
    if origin is not None:
        message = f"the solution of the other solver violates the rule: {origin}"
        raise Problems([Problem(message, origin.position)])
    solution = Solution(puzzle.instance, values)
    solution.evaluate_outputs()
    return solution
