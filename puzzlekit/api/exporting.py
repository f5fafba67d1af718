"""Write a puzzle in the notation of another program, or for another solver."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from puzzlekit import links
from puzzlekit.api.solution import LoadedPuzzle
from puzzlekit.api.values import python_value
from puzzlekit.backends import Budget
from puzzlekit.catalogue import find
from puzzlekit.clock import BUILDING, PRESOLVE, Clock, checked, choose_clock
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import FunctionError, InputError, Unsupported, nearest, option
from puzzlekit.exports import FORMATS, FileFormat, Header, comments, load_format, one_line
from puzzlekit.lowering import NEVER, lower
from puzzlekit.model import Constraint, Model, Objective, Origin
from puzzlekit.presolve import Inconsistent, presolve as presolved
from puzzlekit.python_settings import gc_paused
from puzzlekit.query import Presolve
from puzzlekit.reading import STDIN

LOADED_WITH = ("lexicon", "fold_accents", "settings")  # options that a file names
ELSEWHERE = "-"  # stands for a spec that came from no file
# Names that people know a format by, and the name that it has here
ALIASES = {
    "puzz.link": "puzzlink",
    "f-puzzles": "fpuzzles",
    "minizinc": "mzn",
    "smtlib": "smt2",
    "smt-lib": "smt2",
    "cnf": "dimacs",
    "pb": "opb",
    "clingo": "asp",
}


@dataclass(frozen=True)
class Exported:
    """A puzzle in a notation of another program; as a `str`, its text.

    Attributes:
        format: The name of the notation or format.
        content: The file: text, or bytes for a notation of bytes.
        notes: What the file lacks, in words.
        goal: The goal in the file; None if there is none.
    """

    format: str
    content: str | bytes
    notes: tuple[str, ...] = ()
    goal: Objective | None = None

    def __str__(self) -> str:
        if isinstance(self.content, bytes):
            raise InputError(f"the notation {self.format} is bytes, not text")
        return self.content


def formats() -> list[str]:
    """Return the names of the notations and formats: first those of programs that draw puzzles."""
    return [*links.NOTATIONS, *links.BINARY, *FORMATS]


def format_named(name: str) -> str:
    """Return the notation or format of a name, perhaps of another name that it has.

    Raises:
        InputError: There is none.

    Examples:
        >>> format_named("puzz.link"), format_named("MiniZinc"), format_named("dimacs")
        ('puzzlink', 'mzn', 'dimacs')
    """
    names = formats()
    folded = str(name).lower()
    canonical = ALIASES.get(folded, folded)
    if canonical in names:
        return canonical
    help = nearest(folded, [*names, *ALIASES])
    raise InputError(f"{option('format')} {name}: there is no such format; {help}")


def export(
    puzzle: LoadedPuzzle,
    format: str,  # noqa: A002
    goal: str | None = None,
    timeout: float | None = None,
    clock: Clock | None = None,
    presolve: Presolve | str = Presolve.NONE,
) -> Exported:
    """Write a puzzle in the notation of another program, or its lowered model for another solver.

    A model is one file, also where `solve` would split it into components. Comments name its
    variables, so that `read_solution` can read back what the solver prints.

    Args:
        puzzle: The puzzle.
        format: The name of the notation or format, as `formats` lists them.
        goal: The name of a goal; "none" for no goal; None for the type's default goal.
        timeout: Seconds.
        clock: A running clock, instead of `timeout`.
        presolve: How much smaller presolve makes the model. `none` leaves the complete puzzle.

    Returns:
        The file, and what it lacks.

    Raises:
        InputError: There is no such format or goal, the format has no goals, or it cannot express a
            rule or carry the puzzle.
        Stopped: The time is up.

    Examples:
        >>> import puzzlekit
        >>> puzzle = puzzlekit.load("examples/magic_square.yaml", {"size": 3})
        >>> str(export(puzzle, "dimacs"))[:14]
        'c Magic square'
    """
    name = format_named(format)
    level = Presolve.of(presolve)
    if name not in FORMATS:
        return _notation(puzzle, name, goal, level)
    file_format = load_format(name)
    objective = puzzle.goal(goal)
    if objective is not None and goal is not None and not file_format.goals:
        help = f"formats with goals: {', '.join(_with_goals())}"
        raise InputError(f"the format {name} has no goals", help=help)
    exported = objective if file_format.goals else None
    notes = []
    if objective is not None and exported is None:
        notes.append(f"the format {name} has no goals: {objective.name} is left out")
    budget = Budget.on(choose_clock(timeout, clock))
    try:
        with gc_paused(), budget.clock.running():
            lines = _lines(puzzle, file_format, exported, budget, level)
    except Unsupported as error:
        help = "try another format"
        if level is not Presolve.FULL:
            help = f"try {option('presolve')} full, or another format"
        message = f"the format {name} cannot express the puzzle: {error}"
        raise InputError(message, help=help) from None
    content = "".join(f"{line}\n" for line in lines)
    return Exported(name, content, tuple(notes), exported)


def link(puzzle: LoadedPuzzle, notation: str = "puzzlink") -> str:
    """Return a puzzle in a notation of programs that draw puzzles, most often a link.

    Args:
        puzzle: The puzzle.
        notation: The name of the notation, as `formats` lists them.

    Raises:
        InputError: There is no such notation, or it cannot carry the puzzle.
    """
    name = format_named(notation)
    if name not in links.NOTATIONS:
        raise InputError(f"{name} is no notation of links: {', '.join(links.NOTATIONS)}")
    return str(export(puzzle, name)).rstrip("\n")


def _notation(puzzle: LoadedPuzzle, name: str, goal: str | None, level: Presolve) -> Exported:
    """Return the notation of a puzzle for programs that draw puzzles."""
    if goal is not None:
        raise InputError(f"{option('goal')} {goal}: the notation {name} states no goals")
    if level is not Presolve.NONE:
        raise InputError(
            f"{option('presolve')} {level}: the notation {name} states the whole puzzle"
        )
    module = import_module({**links.NOTATIONS, **links.BINARY}[name])
    content: str | bytes = module.write(puzzle.instance)
    notes = []
    if links.PROGRESS in puzzle.spec.about and name not in links.WITH_PROGRESS:
        notes.append(f"the notation {name} carries no progress: it is left out")
    if isinstance(content, str) and not content.endswith("\n"):
        content += "\n"
    return Exported(name, content, tuple(notes))


def _with_goals() -> Iterator[str]:
    return (name for name in FORMATS if load_format(name).goals)


def _lines(
    puzzle: LoadedPuzzle,
    file_format: FileFormat,
    goal: Objective | None,
    budget: Budget,
    level: Presolve,
) -> list[str]:
    model = replace(puzzle.model, goal=goal)
    command = f"puzzlekit export --format {file_format.name} --presolve {level}"
    notes = [puzzle.title, f"written by {command}"]
    try:
        with budget.clock.stage(PRESOLVE):
            reduced = presolved(model, budget.check, level)
    except Inconsistent as conflict:
        notes.append(f"presolve proves that there is no solution: {conflict}")
        reduced = Model({}, (Constraint(NEVER, Origin("no solution")),))
    except FunctionError as error:
        raise InputError(str(error)) from error
    with budget.clock.stage(BUILDING):
        lowered = lower(reduced, file_format.supports, budget.check)
        written = file_format.write(lowered, tuple(puzzle.model.domains), budget)
        header = _header(puzzle, file_format.name, goal)
        names = comments(header, puzzle.model, lowered, written.literal_of)
        texts = [*map(one_line, notes), *names]
        commented = [f"{file_format.comment} {text}" for text in texts]
        return [*written.head, *commented, *checked(written.body)]


def _header(puzzle: LoadedPuzzle, format_name: str, goal: Objective | None) -> Header:
    spec = puzzle.spec.source.path
    from_file = spec != STDIN and not spec.startswith(("<", "spec["))
    path = spec if from_file else ELSEWHERE
    options = {name: getattr(puzzle.options, name) for name in LOADED_WITH}
    set_options = {name: value for name, value in options.items() if value}
    goal_name = goal.name if goal else None
    type_name = _type_name(puzzle)
    return Header(format_name, type_name, path or None, set_options, digest(puzzle), goal_name)


def _type_name(puzzle: LoadedPuzzle) -> str:
    """Return the name of the type if the type is found by it, else the path of its file."""
    path = puzzle.type.source.path
    try:
        return puzzle.type.name if find(puzzle.type.name) == Path(path) else path
    except InputError:
        return path


def digest(puzzle: LoadedPuzzle) -> str:
    """Return a text that identifies the text of a puzzle's type and its data."""
    data = {name: python_value(value) for name, value in puzzle.instance.data.items()}
    text = json.dumps([puzzle.type.source.text, data], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
