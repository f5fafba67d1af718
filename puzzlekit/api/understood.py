"""A puzzle that answers what people ask of a board in the making. What it needs is imported when it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from puzzlekit.api.solution import LoadedPuzzle

if TYPE_CHECKING:
    from puzzlekit.api.understanding import Conflict, Explanation, Hint, Judgement, Rating


class UnderstoodPuzzle(LoadedPuzzle):
    """A loaded puzzle with the questions of those who solve it, and of those who set it.

    Its guarded model is made at the first question, and answers the next ones.
    """

    def check(
        self, marks: Mapping[str, Any] | None = None, timeout: float | None = None
    ) -> Judgement:
        """Judge a board in the making, without giving the solution away. An empty cell is no error.

        Args:
            marks: By the name of an unknown what is known of it, as `expect` of a spec states a
                solution, with `.` where nothing is known; under `not` what is excluded. None for the
                marks of the spec.
            timeout: Seconds.

        Returns:
            Whether the marks are right so far, break a rule, or lead nowhere, and the marks and rules
            to blame. It is true if they are right so far.

        Raises:
            InputError: The marks are not those of this puzzle.
            Unsupported: A rule of the type has too many combinations of values.
            Stopped: The time is up.

        Examples:
            >>> import puzzlekit
            >>> puzzle = puzzlekit.load("examples/magic_square.yaml", {"size": 3})
            >>> print(puzzle.check({"number": ["2 . .", ". 5 .", ". . ."]}))
            Right so far: several solutions are left.
            >>> print(puzzle.check({"number": ["2 . .", ". 4 .", ". . ."]}).marks[0])
            r2c2 is 4
        """
        from puzzlekit.api.understanding import check_marks

        return check_marks(self, marks, timeout)

    def hint(self, marks: Mapping[str, Any] | None = None, timeout: float | None = None) -> Hint:
        """Find the easiest next step from marks.

        Args:
            marks: The marks, which are given as in `check`.
            timeout: Seconds.

        Returns:
            The judgement of the marks and, if they are right, a step that follows from them.

        Raises:
            InputError: The marks are not those of this puzzle.
            Unsupported: A rule of the type has too many combinations of values.
            Stopped: The time is up.

        Examples:
            >>> import puzzlekit
            >>> puzzle = puzzlekit.load("examples/magic_square.yaml", "examples/magic_square_4.yaml")
            >>> hint = puzzle.hint()
            >>> hint.where
            'Look at column 1.'
        """
        from puzzlekit.api.understanding import hinted

        return hinted(self, marks, timeout)

    def explain(self, marks: Mapping[str, Any] | None = None) -> Explanation:
        """Explain the solution step by step: iterate over the result for the steps, the simplest first.

        Args:
            marks: Marks to begin with, which are given as in `check`.

        Returns:
            The explanation. Its `status` and `steps` are final at the end. Its loop raises Unsupported
            if a rule of the type has too many combinations of values.

        Raises:
            InputError: The marks are not those of this puzzle.

        Examples:
            >>> import puzzlekit
            >>> pair = {"puzzle": "pair", "variables": {"x": "between(1, 3)", "y": "between(1, 3)"}}
            >>> pair["rules"] = {"x is greater": "x > y", "x is not 3": "x != 3"}
            >>> for step in puzzlekit.load(pair).explain():
            ...     print(step)
            X is 2, since nothing else is left: x is greater and x is not 3
            Y is 1, since x is 2: x is greater
        """
        from puzzlekit.api.understanding import explained

        return explained(self, marks)

    def conflict(self, most: int = 1, timeout: float | None = None) -> Conflict:
        """Find out why there is no solution, or why there are several.

        Args:
            most: The most conflicts to find, if there is no solution.
            timeout: Seconds.

        Returns:
            Without a solution, rules and givens that cannot all hold, of which none can be left out.
            With several, where two of them differ, and a fact that would decide. It is false if there
            is one solution.

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
        from puzzlekit.api.understanding import clashes

        return clashes(self, most, timeout)

    def rate(self, timeout: float | None = None) -> Rating:
        """Rate the difficulty by the steps of the explanation.

        Args:
            timeout: Seconds.

        Returns:
            The score, the highest tier, the steps of each tier, and how many were open at the narrowest place.
            If the time is up, they are those of the steps so far.

        Raises:
            Unsupported: A rule of the type has too many combinations of values.

        Examples:
            >>> import puzzlekit
            >>> puzzle = puzzlekit.load("examples/magic_square.yaml", {"size": 3, "givens": ["2.6", "...", "..."]})
            >>> puzzle.rate().solved
            True
        """
        from puzzlekit.api.understanding import rated

        return rated(self, timeout)
