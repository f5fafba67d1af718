"""The interface of formats: write a lowered model, and read what a solver prints for it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from puzzlekit.backends.base import Budget
from puzzlekit.lowering.planner import Supports
from puzzlekit.model import Model, Value, Variable

# a name in the file and the text of its value, which together say that a variable has a value
Place = tuple[str, str]
Placing = Callable[[Variable, Value], Place]  # where the file has a value of a variable
ABSENT = "0"  # the value of a name that a solver does not print
Assignment = Mapping[str, str]  # the value of each name that a solver prints


class Claim(StrEnum):
    """What another solver says about the model."""

    SOLUTION = "solution"
    OPTIMAL = "optimal"  # its last solution is the best
    NONE = "no solution"
    UNKNOWN = "unknown"  # it gave up


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
    def read(self, text: str) -> Printed:
        """Read what a solver printed. Raises InputError if it is no output of such a solver."""
