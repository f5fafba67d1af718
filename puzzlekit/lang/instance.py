"""A type bound to data: its model, and its rules as the referee of every solution."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from puzzlekit.boards import Grid
from puzzlekit.errors import Place
from puzzlekit.lang.data.scalars import Places
from puzzlekit.lang.evaluation import Evaluator
from puzzlekit.lang.expressions.compiler import Expression
from puzzlekit.lang.expressions.runtime import Runtime
from puzzlekit.lang.expressions.values import Family, NoValueError
from puzzlekit.lang.model_building import built
from puzzlekit.lang.puzzle_type import PuzzleType
from puzzlekit.model import Origin, Value, Variable


class BoundPuzzle:
    """A type bound to data. `model` states the puzzle; `check` runs its rules on a solution.

    Args:
        puzzle: The type.
        data: The value of each field.
        places: Where the values are written.
        runtime: The run of expressions; by default a new one.

    Attributes:
        model: The puzzle for backends.
        facts: The values that are shown before the solutions.
        goals: The goals by name.
        lacking: Why the data do not allow a goal, by its name.
        starts: The known optimal solution of a goal, by its name.

    Raises:
        Problems: All problems of the data and the rules.
    """

    def __init__(
        self,
        puzzle: PuzzleType,
        data: Mapping[str, Any],
        places: Places | None = None,
        runtime: Runtime | None = None,
    ) -> None:
        self.puzzle = puzzle
        self.data = dict(data)
        self.places = places or Places()
        self.runtime = runtime or Runtime()
        self.bound_from: tuple[Any, ...] | None = None  # the arguments of `bind`, to pickle it
        self.token: bytes | None = None  # identifies it in its pickles
        self._run = Evaluator(puzzle, self.data, self.runtime)
        made = built(self._run, self.data, self.places)
        self.model, self.facts = made.model, made.facts
        self.goals, self.lacking, self.starts = made.goals, made.lacking, made.starts

    def __deepcopy__(self, memo: Any) -> BoundPuzzle:
        return self

    @property
    def scope(self) -> dict[str, Any]:
        """The names of the type, with its unknowns as variables."""
        return self._run.scope

    @property
    def families(self) -> Mapping[str, Family]:
        """The unknowns by name."""
        return self._run.families

    @property
    def definitions(self) -> Mapping[str, Any]:
        """What the names of `define` stand for: terms of unknowns, or families of terms."""
        return self._run.definitions

    @property
    def rule_seconds(self) -> list[tuple[str, Place, float]]:
        """The name, the place and the processor time in seconds of each definition and rule."""
        return self._run.rule_seconds

    @property
    def grids(self) -> list[Grid]:
        """The boards in the data, as hexagons or triangles if a `let` makes them so."""
        lets = [self.scope.get(let.name) for let in self.puzzle.lets]
        made = [value for value in lets if isinstance(value, Grid) and value.form != "square"]
        boards = [value for value in self.data.values() if isinstance(value, Grid)]
        return [next((tiled for tiled in made if tiled == board), board) for board in boards]

    def check(self, values: Mapping[Variable, Value]) -> Origin | None:
        """Run the rules on the values of a solution.

        Returns:
            The first rule that the values break; None if all rules hold.

        Raises:
            Problems: All errors in running a rule.
        """
        broken = self._run.broken(values)
        self.puzzle.source.raise_problems()
        return broken

    def evaluate(self, expression: Expression, values: Mapping[Variable, Value] | None) -> Any:
        """Return the value of an expression of the type in a solution; None if it has no value.

        Without a solution, the expression reads only the data.

        Raises:
            Problems: The error in running the expression.
        """
        result = None
        with self._run.settled(), suppress(NoValueError):
            scope = self.scope if values is None else self._run.solution_scope(values, expression.names)
            result = self._run.value(expression, scope)
        self.puzzle.source.raise_problems()
        return result
