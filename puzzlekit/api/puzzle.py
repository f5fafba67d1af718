"""A puzzle and the queries about it: its solutions, and questions about an unfinished board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from puzzlekit.api.solution import LoadedPuzzle, Solution
from puzzlekit.clock import Clock, choose_clock
from puzzlekit.errors import InputError, Stopped, option
from puzzlekit.query import Query, QueryOptions, Task

if TYPE_CHECKING:
    from puzzlekit.api.answers import Check, Conflict, Explanation, Hint, Rating
    from puzzlekit.api.backbone import Backbone
    from puzzlekit.api.exporting import Exported
    from puzzlekit.api.picture_formats import Picture
    from puzzlekit.api.rule_conditions import RuleConditions
    from puzzlekit.api.run import Run
    from puzzlekit.model import Values
    from puzzlekit.reasons import Pattern
    from puzzlekit.scene import PicturePart


SOLUTIONS_SECONDS = 1.0  # for the only solution, by which a check judges quickly


class Puzzle(LoadedPuzzle):
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
        options: How it was loaded.

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
        clock: Clock | None = None,
        isolated: bool = False,
        total_within: float | None = None,
        statistics: bool = False,
    ) -> Run:
        """Start a query.

        Args:
            query: The query.
            backend: The name of a backend, or "auto".
            timeout: Seconds for the whole run.
            clock: A running clock, instead of `timeout`.
            isolated: Whether each backend runs in a process of its own.
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
        from puzzlekit.api.run import Run  # when it is needed, as loading needs no solvers

        return Run(self, query, backend, timeout, clock, isolated, total_within, statistics)

    def solve(
        self,
        backend: str = "auto",
        goal: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        rank: str | None = None,
        clock: Clock | None = None,
    ) -> Iterator[Solution]:
        """Iterate over the solutions.

        Args:
            backend: The name of a backend, or "auto".
            goal: The name of a goal: list only the optimal solutions.
            limit: The most solutions to list; None for all.
            timeout: Seconds for all solutions together.
            rank: The name of a goal: list solutions in its order, the best first, each with its
                `value`.
            clock: A running clock, instead of `timeout`.

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
            >>> type_, spec = "examples/magic_square.yaml", "examples/magic_square_4.yaml"
            >>> for solution in puzzlekit.load(type_, spec).solve():
            ...     print(solution["number"][0])
            [16, 3, 2, 13]
        """
        options = QueryOptions(goal or "none", rank, limit, everything=limit is None)
        run = self.run(options.query(), backend, timeout, clock)
        yield from run
        run.raise_reason()

    def count(
        self,
        backend: str = "auto",
        goal: str | None = None,
        timeout: float | None = None,
        clock: Clock | None = None,
    ) -> int:
        """Count the solutions, without listing them if possible.

        Args:
            backend: The name of a backend, or "auto".
            goal: The name of a goal: count only the optimal solutions.
            timeout: Seconds.
            clock: A running clock, instead of `timeout`.

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
        query = Query(Task.COUNT, goal=goal)
        return self._finished(query, backend, timeout, clock)[0].count

    def sample(
        self,
        number: int,
        seed: int | None = None,
        backend: str = "auto",
        goal: str | None = None,
        timeout: float | None = None,
        uniform: bool = False,
        clock: Clock | None = None,
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
            clock: A running clock, instead of `timeout`.

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
        query = Query(Task.SAMPLE, number, goal, seed, uniform)
        return self._finished(query, backend, timeout, clock)[1]

    def best(
        self,
        goal: str | None = None,
        backend: str = "auto",
        timeout: float | None = None,
        clock: Clock | None = None,
    ) -> Solution | None:
        """Find a solution that is proven optimal.

        Args:
            goal: The name of the goal; None for the type's first goal.
            backend: The name of a backend, or "auto".
            timeout: Seconds.
            clock: A running clock, instead of `timeout`.

        Returns:
            The solution, or None if the puzzle has none.

        Raises:
            Stopped: The time is up.
            Undecided: The backend gave up.
            InputError: The type has no goal, or none of this name, or an argument is not valid.

        Examples:
            >>> import puzzlekit
            >>> type_ = "puzzle: p\\nvariables: {x: 'between(1, 9)'}\\ngoals: {high: maximise(x)}"
            >>> dict(puzzlekit.load(type_).best("high"))
            {'x': 9}
        """
        goal = goal or next(iter(self.instance.goals), None)
        if self.goal(goal) is None:
            raise InputError(f"{self.type.name} has no goal")
        query = Query(Task.OPTIMISE, 1, goal)
        _, solutions = self._finished(query, backend, timeout, clock)
        return next(iter(solutions), None)

    def check(
        self,
        progress: Mapping[str, Any] | None = None,
        timeout: float | None = None,
        clock: Clock | None = None,
    ) -> Check:
        """Check an unfinished board, without giving the solution away. An empty cell is no error.

        Args:
            progress: By the name of an unknown its known values, as `expect` of a spec states a
                solution, with `.` where nothing is known; a list of values is notes; under `not`
                the excluded values. None for the progress of the spec.
            timeout: Seconds.
            clock: A running clock, instead of `timeout`.

        Returns:
            Whether the marks are right so far, violate a rule, or lead to a dead end, and the marks
            and rules to blame. It is true if they are right so far.

        Raises:
            InputError: The progress is not that of this puzzle.
            Unsupported: A rule of the type has too many combinations of values.
            Stopped: The time is up.

        Examples:
            >>> import puzzlekit
            >>> puzzle = puzzlekit.load("examples/magic_square.yaml", {"size": 3})
            >>> print(puzzle.check({"number": ["2 . .", ". 5 .", ". . ."]}))
            Right so far: several solutions are left.
            >>> print(puzzle.check({"number": ["2 . .", ". 4 .", ". . ."]}).facts[0])
            r2c2 is 4
        """
        from puzzlekit.reasons import check

        with self._explaining(timeout, clock, progress) as (explainer, facts):
            return check(explainer, facts, self._solutions_or_two)

    def hint(
        self,
        progress: Mapping[str, Any] | None = None,
        timeout: float | None = None,
        clock: Clock | None = None,
    ) -> Hint:
        """Find the easiest next step from the progress.

        Args:
            progress: The progress, which is given as in `check`.
            timeout: Seconds.
            clock: A running clock, instead of `timeout`.

        Returns:
            The check of the marks and, if they are right, a step that follows from them.

        Raises:
            InputError: The progress is not that of this puzzle.
            Unsupported: A rule of the type has too many combinations of values.
            Stopped: The time is up.

        Examples:
            >>> import puzzlekit
            >>> type_, spec = "examples/magic_square.yaml", "examples/magic_square_4.yaml"
            >>> hint = puzzlekit.load(type_, spec).hint()
            >>> hint.where
            'Look at column 2.'
        """
        from puzzlekit.api.answers import Explanation, Hint
        from puzzlekit.reasons import check

        with self._explaining(timeout, clock, progress) as (explainer, facts):
            verdict = check(explainer, facts, self._solutions_or_two)
            explanation = Explanation(self, progress)
            step = next(iter(explanation), None) if verdict else None
        return Hint(verdict, step, self, progress, None if step is None else explanation)

    def explain(
        self,
        progress: Mapping[str, Any] | None = None,
        timeout: float | None = None,
        clock: Clock | None = None,
        without: str | Iterable[str] = (),
        assume_unique: bool = False,
    ) -> Explanation:
        """Explain the solution step by step: iterate over the explanation, the simplest step first.

        Args:
            progress: The progress to begin with, which is given as in `check`.
            timeout: Seconds from now for all steps.
            clock: A running clock, instead of `timeout`. With neither, the steps obey the clock
                that runs in the thread when they are asked for.
            without: Names of patterns that are not looked for, or of classes of patterns; also as a
                text with commas between them.
            assume_unique: Whether patterns are looked for that assume that there is one solution:
                unique rectangles. Such a step does not follow from the rules alone, and says so.

        Returns:
            The explanation. Its `status` and `steps` are final at the end. Its loop raises Stopped
            when the time is up, and Unsupported if a rule of the type has too many combinations of
            values.

        Raises:
            InputError: The progress is not that of this puzzle, the timeout is not valid, or there
                is no such pattern. At the first step, if one solution is assumed and there are
                several.

        Examples:
            >>> import puzzlekit
            >>> pair = {"puzzle": "pair", "variables": {"x": "between(1, 3)", "y": "between(1, 3)"}}
            >>> pair["rules"] = {"x is greater": "x > y", "x is not 3": "x != 3"}
            >>> for step in puzzlekit.load(pair).explain():
            ...     print(step)
            X is 2: x is greater
            Y is 1, as x is 2: x is greater
        """
        from puzzlekit.api.answers import Explanation

        limited = timeout is not None or clock is not None
        steps_clock = choose_clock(timeout, clock) if limited else None
        return Explanation(self, progress, steps_clock, without, assume_unique)

    def conflict(
        self, most: int = 1, timeout: float | None = None, clock: Clock | None = None
    ) -> Conflict:
        """Find out why there is no solution, or why there are several.

        Args:
            most: The most conflicts to find, if there is no solution.
            timeout: Seconds.
            clock: A running clock, instead of `timeout`.

        Returns:
            Without a solution, rules and givens that cannot all hold, of which none can be left
            out. With several, where two of them differ, and facts that would decide. It is false
            if there is one solution.

        Raises:
            Unsupported: A rule of the type has too many combinations of values.
            Stopped: The time is up.

        Examples:
            >>> import puzzlekit
            >>> pair = {"puzzle": "pair", "variables": {"x": "between(1, 3)", "y": "between(1, 3)"}}
            >>> pair["rules"] = {"x is greater": "x > y", "y is 3": "y == 3"}
            >>> [str(rule) for rule in puzzlekit.load(pair).conflict().conflicts[0]]
            ['x is greater', 'y is 3']
        """
        from puzzlekit.api.blamed_clues import blamed_clues
        from puzzlekit.reasons import conflict

        if not isinstance(most, int) or most < 1:
            raise InputError(
                f"{option('most')} requires a number of conflicts from 1, got {most!r}"
            )
        clock = choose_clock(timeout, clock)
        with self._explaining(None, clock) as (explainer, _):
            reason = conflict(explainer, most)
            if reason.solutions != "none":
                return reason
            return reason.blaming(blamed_clues(self, reason.cells, clock))

    def rate(
        self,
        timeout: float | None = None,
        clock: Clock | None = None,
        without: str | Iterable[str] = (),
    ) -> Rating:
        """Rate the difficulty by the steps of the explanation.

        Args:
            timeout: Seconds.
            clock: A running clock, instead of `timeout`.
            without: Names of patterns that are not looked for, as for `explain`. If nothing follows
                without them, there is no level.

        Returns:
            The level, the patterns that the steps need, and the score. If the time is up, they are
            those of the steps so far.

        Raises:
            InputError: There is no such pattern.
            Unsupported: A rule of the type has too many combinations of values.

        Examples:
            >>> import puzzlekit
            >>> spec = {"size": 3, "givens": ["2.6", "...", "..."]}
            >>> puzzlekit.load("examples/magic_square.yaml", spec).rate().solved
            True
        """
        from puzzlekit.api.explanation import rating_of_steps
        from puzzlekit.reasons import easiest_class, harder_patterns, patterns_named

        clock = choose_clock(timeout, clock)
        left_out = patterns_named(without)
        harder: frozenset[Pattern] = frozenset()
        remaining = clock.remaining()
        half = None if remaining is None else remaining / 2
        with suppress(Stopped), self._explaining(half, None) as (explainer, _):
            hardest = easiest_class(explainer, left_out)
            if hardest is not None:
                harder = harder_patterns(hardest.level)
        # the class knows all that its patterns give at once: the steps one by one may need more
        rating = rating_of_steps(self, clock, left_out | harder)
        if rating.status == "stuck" and not harder <= left_out:
            rating = rating_of_steps(self, clock, left_out)
        return rating

    def is_solved_at(
        self, level: str, timeout: float | None = None, clock: Clock | None = None
    ) -> bool:
        """Return whether the patterns of a level, with those of easier levels, solve the puzzle.

        It is much faster than `rate` where a puzzle is harder.

        Args:
            level: "easy", "medium", "hard", "expert" or "extreme".
            timeout: Seconds.
            clock: A running clock, instead of `timeout`.

        Raises:
            InputError: There is no such level.
            Stopped: The time is up.
            Unsupported: A rule of the type has too many combinations of values.

        Examples:
            >>> import puzzlekit
            >>> spec = {"size": 3, "givens": ["2.6", "...", "..."]}
            >>> puzzlekit.load("examples/magic_square.yaml", spec).is_solved_at("extreme")
            True
        """
        from puzzlekit.reasons import LEVELS, is_solved_at

        if level not in LEVELS:
            raise InputError(f"expected {', '.join(LEVELS)} as a level, got {level!r}")
        with self._explaining(timeout, clock) as (explainer, _):
            return is_solved_at(explainer, level)

    def backbone(
        self,
        goal: str | None = None,
        backend: str = "auto",
        timeout: float | None = None,
        clock: Clock | None = None,
    ) -> Backbone:
        """Find out what all solutions share, and which differences are most informative.

        Args:
            goal: The name of a goal: only the optimal solutions count.
            backend: The name of a backend, or "auto".
            timeout: Seconds. What is known when they are over is in the backbone.
            clock: A running clock, instead of `timeout`.

        Raises:
            InputError: An argument is not valid.

        Examples:
            >>> import puzzlekit
            >>> puzzle = puzzlekit.load("examples/magic_square.yaml", {"size": 3})
            >>> backbone = puzzle.backbone()
            >>> backbone.status, len(backbone.fixed), len(backbone.open)
            ('complete', 1, 8)
        """
        from puzzlekit.api.backbone import Backbone

        task = Task.ENUMERATE if goal in (None, "none") else Task.OPTIMISE
        return Backbone(self, Query(task, 1, goal), backend, timeout, clock)

    def draw(
        self, solutions: bool = False, backend: str = "auto", timeout: float | None = None
    ) -> Picture:
        """Draw the puzzle with the progress of its spec.

        Args:
            solutions: Whether it is solved, and its solution is drawn below it.
            backend: The name of the backend that solves it, or "auto".
            timeout: Seconds for solving it.

        Raises:
            Problems: The progress is wrong.
            InputError: An argument is not valid.
            Unsupported: The backend does not support a rule of the type.

        Examples:
            >>> import puzzlekit
            >>> puzzle = puzzlekit.load("examples/magic_square.yaml", {"size": 3})
            >>> puzzle.draw().svg[:4]
            '<svg'
        """
        from puzzlekit.api.drawings import draw

        return draw(self, solutions, backend, timeout)

    def export(
        self,
        format: str,  # noqa: A002
        goal: str | None = None,
        presolve: str = "none",
        timeout: float | None = None,
        clock: Clock | None = None,
    ) -> Exported:
        """Write the puzzle in the notation of another program, or for another solver.

        Args:
            format: The name of the notation or format, as `puzzlekit.formats()` lists them.
            goal: For solvers, the name of a goal; "none" for no goal; None for the type's default.
            presolve: For solvers, how much is solved before: "none", "light" or "full".
            timeout: Seconds.
            clock: A running clock, instead of `timeout`.

        Returns:
            The file: `str()` is its text, `notes` say what it lacks.

        Raises:
            InputError: There is no such format or goal, or it cannot express the puzzle.
            Stopped: The time is up.

        Examples:
            >>> import puzzlekit
            >>> puzzle = puzzlekit.load("examples/magic_square.yaml", {"size": 3})
            >>> str(puzzle.export("minizinc")).splitlines()[0]
            '% Magic square'
        """
        from puzzlekit.api.exporting import export

        return export(self, format, goal, timeout, clock, presolve)

    def link(self, notation: str = "puzzlink") -> str:
        """Return the puzzle in a notation of programs that draw puzzles, most often a link.

        Args:
            notation: The name of the notation, such as "puzzlink" or "penpa".

        Raises:
            InputError: There is no such notation, or it cannot carry the puzzle.

        Examples:
            >>> import puzzlekit
            >>> line = 80 * "." + "1"
            >>> puzzlekit.load(None, line).link("line") == line
            True
        """
        from puzzlekit.api.exporting import link

        return link(self, notation)

    def rules(self) -> list[RuleConditions]:
        """Return what each rule becomes for the puzzle, in the order of the type.

        Examples:
            >>> import puzzlekit
            >>> rules = puzzlekit.load("examples/magic_square.yaml", {"size": 3}).rules()
            >>> rules[0].name, rules[0].number
            ('every number stands once', 1)
        """
        from puzzlekit.api.rule_conditions import rule_conditions

        return rule_conditions(self)

    @contextmanager
    def _explaining(
        self,
        timeout: float | None,
        clock: Clock | None,
        progress: Mapping[str, Any] | None = MappingProxyType({}),
    ) -> Iterator[tuple[Any, Any]]:
        """Yield the explainer of the puzzle and the facts of the progress, while a clock runs."""
        from puzzlekit.api.spec_progress import progress_facts
        from puzzlekit.reasons import explainer_of

        facts = progress_facts(self, progress, to_judge=True)
        with choose_clock(timeout, clock).running():
            yield explainer_of(self.instance), facts

    def _solutions_or_two(self) -> list[Values] | None:
        """Return all solutions, or two of them if there are more; None if that takes long."""
        query = Query(limit=2, ordered=False, goal="none")
        run = self.run(query, timeout=SOLUTIONS_SECONDS)
        solutions = [solution.assignment for solution in run]
        if run.interrupted:
            raise KeyboardInterrupt
        return solutions if run.status == "complete" else None

    def _repr_html_(self) -> str:
        return self.draw()._repr_html_()

    def parts(self) -> list[PicturePart]:
        """Return the picture of the puzzle with the progress of its spec.

        Raises:
            Problems: The progress is wrong.
        """
        from puzzlekit.api.boards import loaded_parts

        return loaded_parts(self)

    def _finished(
        self, query: Query, backend: str, timeout: float | None, clock: Clock | None
    ) -> tuple[Run, list[Solution]]:
        """Return a finished run and its solutions. Raises the error that ended it early."""
        run = self.run(query, backend, timeout, clock)
        solutions = list(run)
        run.raise_reason()
        return run, solutions
