"""The interface of formats: write a lowered model, and read what a solver prints for it.

The comments of an exported file say which puzzle it is, and which values its names stand for.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

from puzzlekit.backends.base import Budget
from puzzlekit.errors import InputError, printable
from puzzlekit.lowering.planner import Supports
from puzzlekit.model import Domain, Model, Value, Values, Variable

# a name in the file and the text of its value, which together say that a variable has a value
Assigned = tuple[str, str]
Placing = Callable[[Variable, Value], Assigned]  # where the file has a value of a variable
ABSENT = "0"  # the value of a name that a solver does not print
Assignment = Mapping[str, str]  # the value of each name that a solver prints


class Claim(StrEnum):
    """What another solver says about the model."""

    SOLUTION = "solution"
    OPTIMAL = "optimal"  # its last solution is the best
    NONE = "no solution"
    UNKNOWN = "unknown"  # it gave up


CLAIMS = {
    "SATISFIABLE": Claim.SOLUTION,
    "SAT": Claim.SOLUTION,
    "OPTIMUM FOUND": Claim.OPTIMAL,
    "UNSATISFIABLE": Claim.NONE,
    "UNSAT": Claim.NONE,
    "UNKNOWN": Claim.UNKNOWN,
    "INDET": Claim.UNKNOWN,
}  # what SAT, MaxSAT, pseudo-Boolean and ASP solvers print


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
        place: Returns where the file has a value of a variable.
    """

    head: Iterable[str]
    body: Iterable[str]
    place: Placing


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
    def write(self, model: Model, kept: Sequence[Variable], budget: Budget) -> Written:
        """Write a model that is lowered to the forms that the format supports.

        A solver must print the values of the variables in `kept`, which may be auxiliary; other
        ones are not read back.

        Raises: Unsupported, with the rule; Stopped if the budget is used up.
        """

    @abstractmethod
    def read(self, text: str, names: Collection[str]) -> Printed:
        """Read what a solver printed for a file with these names. Raises InputError if it is no
        output of such a solver.
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
        options: How it was loaded: `words`, `fold_accents`, `settings`.
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
    """The comments of a file, read back: for each variable its name, and where each value stands.

    A variable with one value in the file has no place for it.
    """

    header: Header
    variables: Sequence[tuple[str, Mapping[str, Assigned | None]]] = field(default_factory=list)

    @property
    def is_settled(self) -> bool:
        """Whether each variable has one value in the file."""
        return all(place is None for _, places in self.variables for place in places.values())

    @property
    def names(self) -> set[str]:
        """The names in the file."""
        return {
            place[0]
            for _, places in self.variables
            for place in places.values()
            if place is not None
        }

    def lift(self, model: Model, assignment: Assignment) -> Values:
        """Return the values of the model's variables. Raises InputError if one has none, or two."""
        if [name for name, _ in self.variables] != [variable.name for variable in model.domains]:
            raise InputError("the file names other unknowns than the puzzle has")
        return {
            v: _value(v, model.domains[v], places, assignment)
            for v, (_, places) in zip(model.domains, self.variables)
        }


def _value(
    variable: Variable,
    domain: Domain,
    places: Mapping[str, Assigned | None],
    assignment: Assignment,
) -> Value:
    known = dict(zip(texts_of(domain), domain))
    found = [
        text
        for text, place in places.items()
        if place is None or assignment.get(place[0], ABSENT) == place[1]
    ]
    if len(found) != 1:
        which = f"the values {' and '.join(found[:3])}" if found else "no value"
        raise InputError(f"the solution gives {variable.name} {which}; expected one")
    if found[0] not in known:
        raise InputError(
            f"the file gives {variable.name} the value {found[0][:60]}, which is not in its domain"
        )
    return known[found[0]]


def texts_of(domain: Domain) -> list[str]:
    """Return a different text for each value.

    >>> texts_of((1, 2)), texts_of((1, "1"))
    (['1', '2'], ['1', "'1'"])
    """
    texts = [str(value) for value in domain]
    return texts if len(set(texts)) == len(texts) else [repr(value) for value in domain]


def comments(header: Header, model: Model, lowered: Model, place: Placing) -> Iterator[str]:
    """Yield the lines of comment: the header, then a line per variable of the model."""
    yield json.dumps({"puzzlekit": header.puzzlekit, **asdict(header)}, separators=(",", ":"))
    for variable, domain in model.domains.items():
        texts = dict(zip(domain, texts_of(domain)))
        left = lowered.domains.get(variable, ())
        places = {texts[value]: place(variable, value) if len(left) > 1 else None for value in left}
        yield json.dumps([variable.name, places], separators=(",", ":"))


def read_comments(lines: Iterator[str], comment: str) -> NameMap:
    """Read the comments of a file. Raises InputError if these are not those of an export."""
    header: Header | None = None
    variables: list[tuple[str, Mapping[str, Assigned | None]]] = []
    for number, line in enumerate(lines, 1):
        text = line.removeprefix(comment).strip()
        try:
            if header is None and text.startswith(HEADER):
                header = _header(**json.loads(text))
            elif header is not None and line.startswith(comment) and text.startswith(NAMED):
                variables.append(_named(json.loads(text)))
            elif header is not None and variables and not line.startswith(comment):
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
            f"the file has comments of version {header.puzzlekit}, expected {VERSION}: export it anew"
        )
    return NameMap(header, variables)


def _header(**found: Any) -> Header:
    """Return the header with these entries. Raises TypeError or ValueError if they are of other
    types.
    """
    header = Header(**found)
    options = header.options
    texts = [
        header.format,
        header.puzzle,
        header.digest,
        header.spec or "",
        header.goal or "",
        options.get("words") or "",
    ]
    settings = options.get("settings") or {}
    if not all(isinstance(text, str) for text in [*texts, *settings, *settings.values()]):
        raise ValueError("expected texts")
    return header


def _named(found: Any) -> tuple[str, Mapping[str, Assigned | None]]:
    name, places = found
    return str(name), {
        str(text): None if at is None else (str(at[0]), str(at[1])) for text, at in places.items()
    }
