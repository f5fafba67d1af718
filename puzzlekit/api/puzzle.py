"""Load puzzles and query them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from puzzlekit.api.solution import Solution
from puzzlekit.api.sources import FileText, Given, check_then, open_spec, open_type
from puzzlekit.api.understood import UnderstoodPuzzle
from puzzlekit.catalogue import is_spec, same_name
from puzzlekit.clock import LOADING, Clock
from puzzlekit.errors import InputError, Problem, Problems
from puzzlekit.lang import bind, settings_of_values, spec_of_values
from puzzlekit.options import Loading
from puzzlekit.python_settings import collector_at_rest
from puzzlekit.query import Asked, Kind, Query

if TYPE_CHECKING:
    from puzzlekit.api.run import Run


class Puzzle(UnderstoodPuzzle):
    """A puzzle type bound to a spec, as `puzzlekit.load` returns it.

    A puzzle is a mapping from the fields of the spec to their values, as plain Python values. Two
    puzzles are equal if their types have the same text and their fields the same values. Puzzles
    can be hashed, copied and pickled. Unpickling binds the puzzle again, with the lexicons that are
    installed there. A notebook draws puzzles.

    Attributes:
        type: The puzzle type.
        spec: The spec, as its file states it.
        instance: The bound puzzle: data, unknowns and rules.
        seconds: The seconds that loading took.

    Examples:
        >>> import puzzlekit
        >>> puzzle = puzzlekit.load("examples/magic_square.yaml", {"size": 3})
        >>> puzzle
        <Puzzle magic_square: 9 unknowns, 9 constraints>
        >>> puzzle["size"], puzzle.count()
        (3, 8)
    """

    def run(
        self,
        query: Query,
        backend: str = "auto",
        timeout: float | None = None,
        isolated: bool = False,
        clock: Clock | None = None,
        total_within: float | None = None,
        statistics: bool = False,
    ) -> Run:
        """Start a query.

        Args:
            query: The query.
            backend: The name of a backend, or "auto".
            timeout: Seconds for the whole run.
            isolated: Whether each backend runs in a process of its own.
            clock: A running clock, instead of `timeout`.
            total_within: Seconds of processor time for counting all solutions first. If that is
                enough, the run's `total` is their number.
            statistics: Whether the run collects what the backend reports of its work.

        Returns:
            The run. Iterate over it for the solutions; its `status`, `count`, `value` and `seconds`
            are final at the end.

        Raises:
            InputError: The type has no such goal, there is no such backend, or an argument is not
                valid.

        Examples:
            >>> import puzzlekit
            >>> puzzle = puzzlekit.load("examples/magic_square.yaml", {"size": 3})
            >>> run = puzzle.run(puzzlekit.Query(limit=3))
            >>> len(list(run)), run.status
            (3, 'complete')
        """
        if timeout is not None and not timeout >= 0:  # true for NaN, too
            raise InputError(f"--timeout requires a number of seconds from 0, got {timeout}")
        from puzzlekit.api.run import Run  # when it is needed: loading does without solvers

        return Run(self, query, backend, timeout, isolated, clock, total_within, statistics)

    def solve(
        self,
        backend: str = "auto",
        goal: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        rank: str | None = None,
    ) -> Iterator[Solution]:
        """Iterate over the solutions.

        Args:
            backend: The name of a backend, or "auto".
            goal: The name of a goal: list only the optimal solutions.
            limit: The most solutions to list; None for all.
            timeout: Seconds for all solutions together.
            rank: The name of a goal: list solutions in its order, the best first, each with its
                `value`.

        Returns:
            The solutions, one at a time, each checked against the rules. The iterator ends after
            all solutions, or after `limit` of them.

        Raises:
            Stopped: The time is up.
            Undecided: The backend gave up.
            Unsupported: The backend does not support a rule of the type.
            InputError: An argument is not valid, or the backend's library is not installed.

        Examples:
            >>> import puzzlekit
            >>> puzzle = puzzlekit.load("examples/magic_square.yaml", "examples/magic_square_4.yaml")
            >>> for solution in puzzle.solve():
            ...     print(solution["number"][0])
            [16, 3, 2, 13]
        """
        asked = Asked(goal or "none", rank, limit, everything=limit is None)
        run = self.run(asked.query(), backend, timeout)
        yield from run
        run.raise_reason()

    def count(
        self, backend: str = "auto", goal: str | None = None, timeout: float | None = None
    ) -> int:
        """Count the solutions, without listing them if possible.

        Args:
            backend: The name of a backend, or "auto".
            goal: The name of a goal: count only the optimal solutions.
            timeout: Seconds.

        Returns:
            The exact number of solutions.

        Raises:
            Stopped: The time is up.
            Undecided: The backend gave up.
            InputError: An argument is not valid.

        Examples:
            >>> import puzzlekit
            >>> puzzlekit.load("examples/magic_square.yaml", {"size": 3}).count()
            8
        """
        return self._finished(Query(Kind.COUNT, goal=goal), backend, timeout)[0].count

    def sample(
        self,
        number: int,
        seed: int | None = None,
        backend: str = "auto",
        goal: str | None = None,
        timeout: float | None = None,
        uniform: bool = False,
    ) -> list[Solution]:
        """Draw solutions independently at random, each with the same probability.

        If the solutions cannot be counted within a moment, the draws are only nearly uniform
        (`docs/command-line.md` says how they are made). `Run.uniform` reports which they are.

        Args:
            number: The number of solutions to draw, from 1.
            seed: A number that makes the draws reproducible.
            backend: The name of a backend, or "auto".
            goal: The name of a goal: draw only optimal solutions.
            timeout: Seconds.
            uniform: Whether the draws must be exactly uniform, however long that takes.

        Returns:
            The solutions; none if the puzzle has none.

        Raises:
            Stopped: The time is up.
            Undecided: The backend gave up.
            InputError: An argument is not valid.

        Examples:
            >>> import puzzlekit
            >>> puzzle = puzzlekit.load("examples/magic_square.yaml", {"size": 3})
            >>> puzzle.sample(5, seed=1) == puzzle.sample(5, seed=1)
            True
        """
        return self._finished(Query(Kind.SAMPLE, number, goal, seed, uniform), backend, timeout)[1]

    def best(
        self, goal: str | None = None, backend: str = "auto", timeout: float | None = None
    ) -> Solution | None:
        """Find a solution that is proven optimal.

        Args:
            goal: The name of the goal; None for the type's first goal.
            backend: The name of a backend, or "auto".
            timeout: Seconds.

        Returns:
            The solution, or None if the puzzle has none.

        Raises:
            Stopped: The time is up.
            Undecided: The backend gave up.
            InputError: The type has no goal, or none of this name, or an argument is not valid.

        Examples:
            >>> import puzzlekit
            >>> puzzle = puzzlekit.load("puzzle: p\\nvariables: {x: 'between(1, 9)'}\\ngoals: {high: maximise(x)}")
            >>> dict(puzzle.best("high"))
            {'x': 9}
        """
        goal = goal or next(iter(self.instance.goals), None)
        if self.goal(goal) is None:
            raise InputError(f"{self.type.name} has no goal")
        return next(iter(self._finished(Query(Kind.OPTIMISE, 1, goal), backend, timeout)[1]), None)

    def _finished(
        self, query: Query, backend: str, timeout: float | None
    ) -> tuple[Run, list[Solution]]:
        """A run at its end, and its solutions. Raises the error that ended it early."""
        run = self.run(query, backend, timeout)
        found = list(run)
        run.raise_reason()
        return run, found


def load(
    type: str | Path | Mapping[str, Any] | None = None,  # noqa: A002
    spec: str | Path | FileText | Mapping[str, Any] | None = None,
    words: str | None = None,
    settings: Mapping[str, Any] | None = None,
    fold_accents: bool = False,
    timeout: float | None = None,
    clock: Clock | None = None,
    steps: int | None = None,
    ignore_marks: bool = False,
) -> Puzzle:
    """Load a puzzle: bind a type to the data of a spec.

    The type and the spec are each given as a file, as YAML text, or as a mapping of Python values.
    A `pathlib.Path` is always a file. A `str` is YAML text if it has a line break or a colon
    followed by a blank, and otherwise a path.

    Args:
        type: The type: its name, the path of its file, its YAML text, or a mapping of its sections.
            None if the spec names its type under `puzzle`.
        spec: The spec: the path of its file (`"-"` is standard input), its YAML text, a link to a
            puzzle (`docs/links.md`), a mapping of its fields, or a `FileText`, a file that was read
            elsewhere. A board is a list of rows, each a `str` or a list of cells, with None for an
            empty cell. None if `settings` and the defaults of the type give all data.
        words: A lexicon instead of the spec's: a name or a path; `a+b` joins two.
        settings: Fields instead of the spec's, with values as in a mapping of the spec. Text is
            read as `--set` reads it.
        fold_accents: Whether letters lose their accents, in the spec and in its lexicons.
        timeout: Seconds for loading.
        clock: A running clock, instead of `timeout`.
        steps: The most steps of all expressions together, from 1; None for no bound but that on
            time and memory. A step is a turn of a loop, an operation, or a part of a value that is
            made or searched. Unlike time, they are the same on every machine.
        ignore_marks: Whether a link is read that has marks which no field stands for. They are left out.

    Returns:
        The puzzle.

    Raises:
        Problems: The type or the data has errors. Each problem has its place: line and column in a
            text or a file, the expression of the value (`spec['givens'][2]`) in a mapping.
        InputError: There is no such type, or a file cannot be read.
        Stopped: The time is up.

    Examples:
        >>> import puzzlekit
        >>> puzzlekit.load("examples/magic_square.yaml", "examples/magic_square_4.yaml").count()
        1
        >>> givens = [[2, None, 6], [None, None, None], [None, None, None]]
        >>> puzzlekit.load("examples/magic_square.yaml", {"size": 3, "givens": givens}).count()
        1
        >>> pair = {
        ...     "puzzle": "pair",
        ...     "data": {"total": "int"},
        ...     "variables": {"x": "between(1, 9)", "y": "between(1, 9)"},
        ...     "rules": {"they make the total": "x + y == total", "the first is less": "x < y"},
        ... }
        >>> [dict(solution) for solution in puzzlekit.load(pair, "total: 4").solve()]
        [{'x': 1, 'y': 3}]
    """
    clock = clock or Clock(timeout)
    began = time.perf_counter()
    with collector_at_rest(), clock.stage(LOADING), clock.running():
        puzzle = _load(
            type, spec, Loading(words, fold_accents, settings or {}, steps, ignore_marks)
        )
        clock.check()  # a small puzzle is loaded without a look at it
    puzzle.seconds = time.perf_counter() - began
    return puzzle


def _load(type_given: Given | None, spec_given: Given | FileText | None, how: Loading) -> Puzzle:
    if how.steps is not None and how.steps < 1:
        raise InputError(f"expected a number of steps from 1, got {how.steps}")
    type_given = None if type_given == "" else type_given
    spec, folder = open_spec(spec_given, type_given, how.ignore_marks)
    named = spec.text("puzzle")
    if type_given is None and not named:
        if spec_given is None:
            raise InputError("a type or a spec is required")
        raise Problems(
            [
                Problem(
                    "this spec does not name its type",
                    spec.source.place(0, 0),
                    "add: puzzle: the type's name",
                )
            ]
        )
    try:
        type_ = open_type(named if type_given is None else type_given, folder)
    except Problems:
        if spec_given is None and isinstance(type_given, (str, Path)) and is_spec(Path(type_given)):
            raise InputError(
                f"{type_given} is a spec, not a type\n     = load(None, spec) reads a spec that names its type"
            ) from None
        raise
    except InputError as error:
        if type_given is not None:
            raise
        spec.source.problem(str(error), spec.about["puzzle"])
        spec.source.raise_problems()
        raise
    if isinstance(spec_given, Mapping):
        spec = spec_of_values(spec_given, type_.fields)  # now that the boards are known
    by_path = (
        Path(named).name == Path(type_.source.path).name
    )  # as where the spec names the file of its type
    if (
        named
        and not by_path
        and not any(same_name(named, name) for name in (type_.name, *type_.also))
    ):
        spec.source.problem(f"this spec is for {named}, not for {type_.name}", spec.about["puzzle"])
        spec.source.raise_problems()
    check_then(type_)
    given = settings_of_values(how.settings, type_.fields)
    bound = bind(
        type_, spec, given, folder, how.steps, words=how.words, fold_accents=how.fold_accents
    )
    return Puzzle(type_, spec, bound)
