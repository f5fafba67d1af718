"""The bounds on the steps, the time and the memory of one run of expressions."""

from __future__ import annotations

import os

from puzzlekit.clock import check, thread_seconds
from puzzlekit.errors import option
from puzzlekit.lang.expressions.values import ExpressionError

MAX_EVALUATIONS = 0  # of all expressions of one run together; 0 for no bound
# at the clock, the processor time and the memory: at most a tenth of a second
STEPS_BETWEEN_LOOKS = 20_000
RULE_SECONDS = 120.0  # of the processor, for all expressions of one run
RULE_BYTES = 3 * 2**30  # by which memory may grow meanwhile
PARTS = 10_000_000  # of a value that one operation makes or searches


class StepBudget:
    """Counts the steps of a run of expressions, and stops a run that exceeds a bound.

    The operations that run most often subtract a step from `remaining` themselves, and call
    `check_bounds` once it is negative.

    Args:
        max_evaluations: The most steps of the run, by default the limit on rules; 0 for no bound.

    Attributes:
        max_evaluations: The most steps; 0 for no bound.
        remaining: The steps until the bounds are checked again.
        exceeded: The bound that the run has exceeded; empty as long as there is none.
    """

    def __init__(self, max_evaluations: int | None = None) -> None:
        self.max_evaluations = MAX_EVALUATIONS if max_evaluations is None else max_evaluations
        self.start_run()

    def start_run(self) -> None:
        """Start a run, with all steps and no time or memory used."""
        self.exceeded = ""
        # the processor time and the memory at the first check; a short run has none
        self._started: tuple[float, int] | None = None
        self._later_steps = self.max_evaluations  # after the next check, if steps are bounded
        self._allow_steps()

    def _allow_steps(self) -> None:
        """Allow steps until the next check of the bounds."""
        self.remaining = STEPS_BETWEEN_LOOKS
        if self.max_evaluations:
            self.remaining = min(self._later_steps, STEPS_BETWEEN_LOOKS)
        self._later_steps -= self.remaining

    def spend(self, amount: int) -> None:
        """Spend so many steps. Raises ExpressionError if a bound is exceeded."""
        self.remaining -= amount
        if self.remaining < 0:
            self.check_bounds(amount)

    def check_bounds(self, amount: int) -> None:
        """Check the clock and the bounds, and allow more steps if none is exceeded.

        Args:
            amount: The steps of the operation that asks for more.

        Raises:
            Stopped: The time is up.
            ExpressionError: A bound is exceeded.
        """
        check()
        if not self.exceeded:
            self.exceeded = self._exceeded_bound(amount)
        if self.exceeded:
            help = "that is the limit for the rules of one puzzle"
            if self.max_evaluations:
                help += f", set by {option('max_evaluations')}"
            raise ExpressionError(f"this takes more than {self.exceeded}", help=help)
        self._allow_steps()

    def _exceeded_bound(self, amount: int) -> str:
        """Return the text of the bound that is exceeded; empty if none is."""
        if self.max_evaluations:
            self._later_steps += self.remaining  # less what was spent beyond the last check
            return f"{self.max_evaluations:,} evaluations" if self._later_steps < 0 else ""
        if amount > PARTS:
            return f"{PARTS:,} evaluations at once"
        if self._started is None:
            self._started = thread_seconds(), _resident_memory()
            return ""
        start_time, start_memory = self._started
        if thread_seconds() - start_time > RULE_SECONDS:
            return f"{RULE_SECONDS:g} seconds"
        if _resident_memory() - start_memory > RULE_BYTES:
            return f"{RULE_BYTES // 2**20:,} MB of memory"
        return ""


def _resident_memory() -> int:
    """Return the memory that this process uses, in bytes; 0 where the system does not say."""
    try:
        with open("/proc/self/statm") as file:  # noqa: PTH123 (a path takes longer)
            pages = int(file.read().split()[1])
    except (OSError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
