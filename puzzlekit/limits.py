"""The limits at which a stage gives up, reports an error, or switches to another method.

A limit belongs here if another number would also be right: on another machine, for larger puzzles,
or in a test. Numbers that cannot change stay where they are used: the size of a machine word,
codes, colours, sizes of a picture, the steps that an operation costs. The limits of the supervisor
are in `processes/`, which imports next to nothing.

Code reads a limit when it needs it, and once before a loop:

    most = limits().presolve.tracked_combinations

A name says what is counted, and no two limits share a name. A test replaces some of them:

    with replaced(tracked_combinations=4, listed_solutions=1):
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager


class Stage:
    """The limits of one stage, as read-only attributes."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} is a read-only limit: use replaced({name}=...) to change it for a time")

    @classmethod
    def names(cls) -> Iterator[str]:
        """The names of the limits."""
        return iter(cls.__annotations__)

    def but(self, values: Mapping[str, object]) -> Stage:
        """A copy of these limits with some values replaced."""
        made = type(self)()
        made.__dict__.update(self.__dict__, **values)
        return made


class Reading(Stage):
    """The size of a type or a spec."""

    file_characters: int = 300_000
    board_side: int = 200  # rows or columns

    @property
    def file_bytes(self) -> int:
        """Four bytes per character, and a byte order mark."""
        return 4 * self.file_characters + 3


class Rules(Stage):
    """The size of a type's expressions, and the work of evaluating them."""

    expression_levels: int = 100  # of nesting
    steps: int = 0  # of all expressions of one run together, which `--steps` bounds; 0 for no bound


class Boards(Stage):
    """The results of functions on boards and graphs."""

    cycles: int = 200_000
    cycle_arcs: int = 2_000_000  # in all cycles together
    cycle_steps: int = 2_000_000  # of the search for cycles


class Presolve(Stage):
    """The size of tables in presolve."""

    tracked_combinations: int = 4_096  # of values up to which a truth table tracks a condition
    literal_gain: int = 2  # combinations of values per combination of literals, to track those
    truth_bits: int = 8  # values of a variable up to which such a table is stored as bits
    function_combinations: int = 400_000  # of values for which a function of unknowns is evaluated
    values_read_by_bit: int = 64  # up to which a mask is read bit by bit rather than as an array


class Lowering(Stage):
    """The size of tables that lowering passes make."""

    table_combinations: int = 20_000  # of values up to which a condition becomes its truth table


class Sampling(Stage):
    """How solutions are drawn where there are too many to count."""

    exact_seconds: float = 0.3  # of processor time, for the first trial to count or list all
    nearly_seconds: float = 0.6  # for the first trial to draw without that
    trial_growth: int = 4  # of these seconds after each pair of trials
    tuned_blocks: int = 10  # of unknowns that are opened and filled anew, to find their size
    refilled_blocks: int = 10  # for each draw
    listed_fillings: int = 40  # of a block that is not too large
    block_growth: float = 1.25  # of the size while it is tuned


class Searching(Stage):
    """How backends state a model and search it."""

    prime_columns: int = 11  # of a table that is encoded without row literals
    prime_combinations: int = 2_048  # of values of such a table
    prime_clauses: int = 4  # per row of such a table
    row_literals: int = 150  # rows of a table, beyond which one with a function has none
    pairwise_literals: int = 6  # up to which "at most one" has a clause per pair
    native_bound: int = 4  # up to which a SAT solver counts true or false literals itself
    count_clauses: int = 100  # up to which a count is encoded without new literals
    totalizer_size: int = 50_000  # literals times the bound
    diagram_edges: int = 150_000  # of a decision diagram
    choice_pairs: int = 20_000  # that z3 combines; beyond, it computes with integers
    solutions_ahead: int = 100  # buffered by cp-sat
    single_solutions: int = 8  # with a shape, found one by one before cp-sat lists all
    vain_solutions: int = 64  # listed by cp-sat before it restarts with lazy cuts
    soon_conflicts: int = 1_000  # of a call of a SAT solver that nothing interrupts,
    soon_propagations: int = 100_000  # and its propagations
    soon_clauses: int = 2_000  # of a problem whose first call may be that short
    reached_areas: int = 4  # of a part, from which `auto` takes a backend that knows reachability
    sum_span: int = 5_000  # of a sum's values, beyond which `auto` takes it as long
    cover_literals: int = 2  # at once, from which a cardinality does not fit a cover


class Ranking(Stage):
    """How solutions are ranked."""

    ranking_seconds: float = 3.0  # for a default ranking
    sorted_solutions: int = 20_000  # of a part that are listed and sorted
    sorted_seconds: float = 1.5  # for that; a part that takes longer is searched band by band
    band_solutions: int = 500  # up to which the next band is twice as wide
    open_combinations: int = 500_000  # in the priority queue


class Checking(Stage):
    """Solutions checked at once, and those also checked against the text of the rules."""

    checked_solutions: int = 16_384  # per block
    checked_values: int = 2_000_000  # per block, in all its solutions together
    checked_growth: int = 4  # of a block relative to the one before
    checked_alone: int = 12  # solutions up to which checking one by one is faster
    checked_seconds: float = 0.1  # for which a solution waits for others
    checked_share: float = 0.2  # of the elapsed time that it may wait, if that is longer
    reread_solutions: int = 100  # checked against the rules' text as well as against the conditions
    reread_seconds: float = 0.002  # for that, after which no more are checked
    type_seconds: float = 5.0  # of running a type's rules on specs beside it
    type_specs: int = 3  # on which they are run
    type_files: int = 100  # in which specs are looked for


class Reporting(Stage):
    """Defaults for how much is searched and printed when the user gives no number."""

    listed_solutions: int = 1_000  # for a backbone; if there are more, a sample of that size
    listing_seconds: float = 10.0  # for listing them
    drawing_seconds: float = 5.0  # for drawing the sample
    expected_solutions: int = 1_000  # searched for an expected one
    chained_types: int = 20  # that follow one another
    ranked_solutions: int = 10  # printed by default if solutions are ranked
    compared_solutions: int = 100  # for what all pictures of a backbone share
    telling_facts: int = 5  # printed, the most informative differences
    named_indexes: int = 8  # printed of what holds in some solutions
    named_values: int = 8  # printed of each difference, the most frequent first
    pictured_solutions: int = 200  # per file
    png_pixels: int = 25_000_000  # of a picture; it is drawn more coarsely instead
    counting_seconds: float = 1.0  # for the count above a picture


class Exporting(Stage):
    """Files for other solvers, and what these print."""

    model_bytes: int = 200_000_000  # of an exported file, whose comments are read back
    printed_bytes: int = 100_000_000  # of what another solver prints


class Batches(Stage):
    """Batches, and the worker processes of one."""

    puzzle_seconds: float = 60.0  # for each puzzle, without `--timeout`
    late_seconds: float = 2.0  # after which a worker that does not stop is ended
    worker_deaths: int = 3  # over one puzzle, after which it is given up
    least_worker_bytes: int = 2**30  # of memory that a worker may use, without `--memory`
    kept_worker_bytes: int = 2**30  # that a worker may have used to get another puzzle
    idle_seconds: float = 60.0  # after which a worker ends
    line_characters: int = 64 * 2**20  # of the solutions in one result
    sync_seconds: float = 1.0  # between two syncs of the file of results
    sent_puzzles: int = 100  # that a cluster gets together
    sent_work_seconds: float = 0.25  # that they take together
    cluster_seconds: float = 30.0  # for a cluster to answer


class Limits(Stage):
    """All limits, by stage. No two share a name."""

    reading: Reading = Reading()
    rules: Rules = Rules()
    boards: Boards = Boards()
    presolve: Presolve = Presolve()
    lowering: Lowering = Lowering()
    sampling: Sampling = Sampling()
    searching: Searching = Searching()
    ranking: Ranking = Ranking()
    checking: Checking = Checking()
    reporting: Reporting = Reporting()
    exporting: Exporting = Exporting()
    batches: Batches = Batches()

    def with_values(self, values: Mapping[str, float]) -> Limits:
        """A copy of these limits with some values replaced; raise TypeError for an unknown name."""
        stages: dict[str, Stage] = {}
        unknown = set(values)
        for name in self.names():
            stage: Stage = getattr(self, name)
            known = {limit: values[limit] for limit in stage.names() if limit in values}
            unknown -= known.keys()
            stages[name] = stage.but(known)
        if unknown:
            raise TypeError(f"there is no limit {', '.join(sorted(unknown))}")
        made = Limits()
        made.__dict__.update(stages)
        return made


_limits = Limits()


def limits() -> Limits:
    """The current limits, for all threads and for the child processes that search now."""
    return _limits


def adopt(held: Limits) -> None:
    """Take over the limits of the parent process."""
    global _limits
    _limits = held


@contextmanager
def replaced(**values: float) -> Iterator[Limits]:
    """Replace limits of the whole process for a time."""
    global _limits
    before, _limits = _limits, _limits.with_values(values)
    try:
        yield _limits
    finally:
        _limits = before
