"""The interface of formats: write a lowered model, and read what a solver prints for it.

The comments of an exported file say which puzzle it is, and which values its names stand for.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, field
from enum import StrEnum
from typing import Any, ClassVar

from puzzlekit.backends import Budget
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, printable
from puzzlekit.lowering import Supports
from puzzlekit.model import Domain, Model, Value, Values, Variable

# a name in the file and the text of its value, which together say that a variable has a value
FileLiteral = tuple[str, str]
LiteralOf = Callable[[Variable, Value], FileLiteral]
ABSENT = "0"  # the value of a name that a solver does not print
Assignment = Mapping[str, str]  # the value of each name that a solver prints
ValueLiterals = Mapping[str, FileLiteral | None]  # by the texts of values; None for a fixed value


class Claim(StrEnum):
    """What another solver says about the model."""

    SOLUTION = "solution"
    OPTIMAL = "optimal"  # its last solution is the best
    NONE = "no solution"
    UNKNOWN = "unknown"  # it gave up


CLAIMS = {  # what SAT, MaxSAT, pseudo-Boolean and ASP solvers print
    "SATISFIABLE": Claim.SOLUTION,
    "SAT": Claim.SOLUTION,
    "OPTIMUM FOUND": Claim.OPTIMAL,
    "UNSATISFIABLE": Claim.NONE,
    "UNSAT": Claim.NONE,
    "UNKNOWN": Claim.UNKNOWN,
    "INDET": Claim.UNKNOWN,
}


@dataclass(frozen=True)
class Printed:
    """What another solver printed: its claim and its solutions, the best one last."""

    claim: Claim
    assignments: tuple[Assignment, ...] = ()


@dataclass(frozen=True)
class Written:
    """A file without the comments that name its variables.

    Attributes:
        head: The lines before these comments.
        body: The lines after them.
        literal_of: Returns what says in the file that a variable has a value.
    """

    head: Iterable[str]
    body: Iterable[str]
    literal_of: LiteralOf


class FileFormat(ABC):
    """A format of files for other solvers.

    Attributes:
        name: Its name on the command line.
        about: What it is, and which solvers read it.
        comment: What begins a line of comment.
        supports: The forms of constraint that its files have.
        goals: Whether its files have goals.
    """

    name: ClassVar[str]
    about: ClassVar[str]
    comment: ClassVar[str]
    supports: ClassVar[Supports]
    goals: ClassVar[bool]

    @abstractmethod
    def write(self, model: Model, reported: Sequence[Variable], budget: Budget) -> Written:
        """Write a model that is lowered to the forms that the format supports.

        Args:
            model: The model.
            reported: The variables whose values a solver must print. They may be auxiliary; the
                values of others are not read back.
            budget: The time that is left.

        Raises:
            Unsupported: The format cannot express a rule, which is named.
            Stopped: The budget is used up.
        """

    @abstractmethod
    def read(self, text: str, names: Collection[str]) -> Printed:
        """Read what a solver printed for a file with these names.

        Raises:
            InputError: The text is no output of such a solver.
        """


def one_line(text: str) -> str:
    """Return a text for a comment."""
    return printable(" ".join(text.split()))


VERSION = 1
HEADER = '{"puzzlekit":'
NAMED = '["'


@dataclass(frozen=True)
class Header:
    """What a file is about.

    Attributes:
        puzzlekit: The version of these comments.
        format: The name of the format.
        puzzle: The type, as a name or a path.
        spec: The path of the spec; - if it came from no file, None if there is none.
        options: How it was loaded: `lexicon`, `fold_accents`, `settings`.
        digest: Identifies the type and the data.
        goal: The name of the goal in the file; None if there is none.
    """

    format: str
    puzzle: str
    spec: str | None
    options: Mapping[str, Any]
    digest: str
    goal: str | None
    puzzlekit: int = VERSION


@dataclass(frozen=True)
class NameMap:
    """The comments of a file, read back: for each variable its name, and the literal of each value.

    A variable with one value in the file has no literal for it.
    """

    header: Header
    variables: Sequence[tuple[str, ValueLiterals]] = field(default_factory=list)

    @property
    def is_settled(self) -> bool:
        """Whether each variable has one value in the file."""
        return all(literal is None for literal in self._literals())

    def _literals(self) -> Iterator[FileLiteral | None]:
        for _, literals in self.variables:
            yield from literals.values()

    @property
    def names(self) -> set[str]:
        """The names in the file."""
        return {literal[0] for literal in self._literals() if literal is not None}

    def lift(self, model: Model, assignment: Assignment) -> Values:
        """Return the values of the model's variables. Raises InputError if one has none, or two."""
        names = [name for name, _ in self.variables]
        if names != [variable.name for variable in model.domains]:
            raise InputError("the file names other unknowns than the puzzle has")
        values: dict[Variable, Value] = {}
        for variable, (_, literals) in zip(model.domains, self.variables):
            domain = model.domains[variable]
            values[variable] = _value(variable, domain, literals, assignment)
        return values


def _value(
    variable: Variable, domain: Domain, literals: ValueLiterals, assignment: Assignment
) -> Value:
    texts = [text for text, literal in literals.items() if _is_true(literal, assignment)]
    if len(texts) != 1:
        which = f"the values {' and '.join(texts[:3])}" if texts else "no value"
        raise InputError(f"the solution gives {variable.name} {which}; expected one")
    (text,) = texts
    values = dict(zip(texts_of(domain), domain))
    if text not in values:
        raise InputError(
            f"the file gives {variable.name} the value {text[:60]}, which is not in its domain"
        )
    return values[text]


def _is_true(literal: FileLiteral | None, assignment: Assignment) -> bool:
    if literal is None:
        return True
    name, text = literal
    return assignment.get(name, ABSENT) == text


def texts_of(domain: Domain) -> list[str]:
    """Return a different text for each value.

    >>> texts_of((1, 2)), texts_of((1, "1"))
    (['1', '2'], ['1', "'1'"])
    """
    texts = [str(value) for value in domain]
    if len(set(texts)) < len(texts):
        return list(map(repr, domain))
    return texts


def comments(header: Header, model: Model, lowered: Model, literal_of: LiteralOf) -> Iterator[str]:
    """Yield the lines of comment: the header, then a line per variable of the model."""
    yield _json({"puzzlekit": header.puzzlekit, **asdict(header)})
    for variable, domain in model.domains.items():
        texts = dict(zip(domain, texts_of(domain)))
        remaining = lowered.domains.get(variable, ())
        is_fixed = len(remaining) == 1
        literals = {
            texts[value]: None if is_fixed else literal_of(variable, value) for value in remaining
        }
        yield _json([variable.name, literals])


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def read_comments(lines: Iterator[str], comment: str) -> NameMap:
    """Read the comments of a file. Raises InputError if these are not those of an export."""
    header: Header | None = None
    variables: list[tuple[str, ValueLiterals]] = []
    for number, line in enumerate(lines, 1):
        is_comment = line.startswith(comment)
        text = line.removeprefix(comment).strip()
        try:
            if header is None:
                if text.startswith(HEADER):
                    header = _header(json.loads(text))
            elif is_comment and text.startswith(NAMED):
                variables.append(_literals_of_variable(json.loads(text)))
            elif variables and not is_comment:
                break
        except (ValueError, TypeError, AttributeError, IndexError, RecursionError):
            raise InputError(
                f"line {number}: expected a comment of puzzlekit export, got {text[:60]}"
            ) from None
    if header is None:
        raise InputError(
            "expected a file of puzzlekit export, found no comment that names its puzzle"
        )
    if header.puzzlekit != VERSION:
        raise InputError(
            f"the file has comments of version {header.puzzlekit}, expected {VERSION}:"
            " export it anew"
        )
    return NameMap(header, variables)


def _header(entries: Mapping[str, Any]) -> Header:
    """Return the header with these entries. Raises TypeError or ValueError if they are of other
    types.
    """
    header = Header(**entries)
    lexicon = header.options.get("lexicon")
    settings = header.options.get("settings") or {}
    texts = [header.format, header.puzzle, header.digest]
    texts += [text for text in (header.spec, header.goal, lexicon) if text]
    texts += [*settings, *settings.values()]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("expected texts")
    return header


def _literals_of_variable(comment: Any) -> tuple[str, ValueLiterals]:
    """Return the name of a variable, and the literal of each value."""
    name, literals = comment
    by_text = {str(text): _file_literal(literal) for text, literal in literals.items()}
    return str(name), by_text


def _file_literal(literal: Any) -> FileLiteral | None:
    if literal is None:
        return None
    return str(literal[0]), str(literal[1])
