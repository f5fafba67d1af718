"""Write a puzzle for another solver, and read back and check the solutions that it prints."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from puzzlekit.api.loading import load
from puzzlekit.api.puzzle import Puzzle
from puzzlekit.api.solution import Solution
from puzzlekit.api.values import python_value
from puzzlekit.backends import Budget
from puzzlekit.catalogue import find
from puzzlekit.clock import BUILDING, PRESOLVE, Clock, checked, choose_clock
from puzzlekit.errors import FunctionError, InputError, Problem, Problems
from puzzlekit.exports import (
    FORMATS,
    Claim,
    FileFormat,
    Header,
    NameMap,
    comments,
    load_format,
    one_line,
    read_comments,
)
from puzzlekit.lowering import NEVER, lower
from puzzlekit.model import Constraint, Model, Objective, Origin, Values
from puzzlekit.presolve import Inconsistent, presolve
from puzzlekit.python_settings import gc_paused
from puzzlekit.query import Presolve
from puzzlekit.reading import STDIN

ELSEWHERE = "-"  # stands for a spec that came from no file


@dataclass(frozen=True)
class Exported:
    """A puzzle in a format of another solver.

    Attributes:
        lines: The lines of the file.
        goal: The goal in the file; None if there is none.
        left_out: The default goal of the type, if the format has no goals; else None.
    """

    lines: Iterable[str]
    goal: Objective | None
    left_out: Objective | None


def export(
    puzzle: Puzzle,
    format: str,  # noqa: A002
    goal: str | None = None,
    timeout: float | None = None,
    clock: Clock | None = None,
    options: Mapping[str, Any] | None = None,
    level: Presolve = Presolve.NONE,
) -> Exported:
    """Write the lowered model of a puzzle in a format of another solver.

    The model is one file, also where `solve` would split it into components. Comments name its
    variables, so that `read_solution` can read back what the solver prints.

    Args:
        puzzle: The puzzle.
        format: The name of the format: one of `puzzlekit.exports.FORMATS`.
        goal: The name of a goal; "none" for no goal; None for the type's default goal.
        timeout: Seconds.
        clock: A running clock, instead of `timeout`.
        options: How the puzzle was loaded: `lexicon`, `fold_accents` and `settings` of `load`.
        level: How much smaller presolve makes the model. `none` leaves the complete puzzle.

    Returns:
        The lines of the file, and which goal it has.

    Raises:
        InputError: There is no such format or goal, or the format has no goals.
        Unsupported: A rule cannot be expressed in the format, perhaps only at this level.
        Stopped: The time is up.

    Examples:
        >>> import puzzlekit
        >>> puzzle = puzzlekit.load("examples/magic_square.yaml", {"size": 3})
        >>> next(iter(export(puzzle, "dimacs").lines))
        'c Magic square'
    """
    file_format = load_format(format)
    objective = puzzle.goal(goal)
    if objective is not None and goal is not None and not file_format.goals:
        help = f"formats with goals: {', '.join(_with_goals())}"
        raise InputError(f"the format {format} has no goals", help=help)
    exported, left_out = (objective, None) if file_format.goals else (None, objective)
    budget = Budget.on(choose_clock(timeout, clock))
    with gc_paused(), budget.clock.running():
        lines = _lines(puzzle, file_format, exported, budget, options or {}, level)
    return Exported(lines, exported, left_out)


def _with_goals() -> Iterator[str]:
    return (name for name in FORMATS if load_format(name).goals)


def _lines(
    puzzle: Puzzle,
    file_format: FileFormat,
    goal: Objective | None,
    budget: Budget,
    options: Mapping[str, Any],
    level: Presolve,
) -> list[str]:
    model = replace(puzzle.model, goal=goal)
    command = f"puzzlekit export --format {file_format.name} --presolve {level}"
    notes = [puzzle.title, f"written by {command}"]
    try:
        with budget.clock.stage(PRESOLVE):
            reduced = presolve(model, budget.check, level)
    except Inconsistent as conflict:
        notes.append(f"presolve proves that there is no solution: {conflict}")
        reduced = Model({}, (Constraint(NEVER, Origin("no solution")),))
    except FunctionError as error:
        raise InputError(str(error)) from error
    with budget.clock.stage(BUILDING):
        lowered = lower(reduced, file_format.supports, budget.check)
        written = file_format.write(lowered, tuple(puzzle.model.domains), budget)
        header = _header(puzzle, file_format.name, goal, options)
        names = comments(header, puzzle.model, lowered, written.literal_of)
        texts = [*map(one_line, notes), *names]
        commented = [f"{file_format.comment} {text}" for text in texts]
        return [*written.head, *commented, *checked(written.body)]


def _header(
    puzzle: Puzzle, format_name: str, goal: Objective | None, options: Mapping[str, Any]
) -> Header:
    spec = puzzle.spec.source.path
    from_file = spec != STDIN and not spec.startswith(("<", "spec["))
    path = spec if from_file else ELSEWHERE
    set_options = {name: value for name, value in options.items() if value}
    goal_name = goal.name if goal else None
    type_name = _type_name(puzzle)
    return Header(format_name, type_name, path or None, set_options, digest(puzzle), goal_name)


def _type_name(puzzle: Puzzle) -> str:
    """Return the name of the type if the type is found by it, else the path of its file."""
    path = puzzle.type.source.path
    try:
        return puzzle.type.name if find(puzzle.type.name) == Path(path) else path
    except InputError:
        return path


def digest(puzzle: Puzzle) -> str:
    """Return a text that identifies the text of a puzzle's type and its data."""
    data = {name: python_value(value) for name, value in puzzle.instance.data.items()}
    text = json.dumps([puzzle.type.source.text, data], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


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
        >>> lines = list(export(puzzle, "dimacs").lines)
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
