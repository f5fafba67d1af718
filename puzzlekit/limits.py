"""How much each stage may take before it gives up, refuses, or goes about it in another way.

A limit belongs here if another number would be right as well: on another machine, for larger puzzles, or in a test. What
cannot be another stays where it is used: what a machine word or a library holds, codes, colours, sizes of a picture, what an
operation costs in steps. The limits of the supervisor stand in `cli/process`, which imports next to nothing.

Code asks for a limit when it needs it, and once for a loop:

    most = limits().presolve.tracked_combinations

A name says what is counted, and stands for one limit only. A test sets some of them:

    with replaced(tracked_combinations=4, listed_solutions=1):
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager


class Stage:
    """The limits of one stage, which are the attributes of its class. They are read, and never set."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} is a limit: replaced({name}=...) sets it for a time")

    @classmethod
    def names(cls) -> Iterator[str]:
        """The names of the limits."""
        return iter(cls.__annotations__)

    def but(self, values: Mapping[str, object]) -> Stage:
        """These limits with others."""
        made = type(self)()
        made.__dict__.update(self.__dict__, **values)
        return made


class Clock(Stage):
    """How the watch waits for the thread that it stops."""

    first_look_seconds: float = 0.005  # between two looks at a thread that may not be stopped where it is: at first,
    last_look_seconds: float = 0.05  # and at last
    raised_again_seconds: float = 0.4  # after which Stopped is raised again, where it was swallowed or its handlers take long
    sleep_seconds: float = 3_600.0  # of one wait for the deadline
    looks_in_libraries: int = 4  # after which a library's frame will do: some are seen nowhere else


class Reading(Stage):
    """What a type or a spec may hold."""

    file_characters: int = 300_000
    file_problems: int = 100  # that one run reports
    file_levels: int = 40  # of nesting
    file_nodes: int = 20_000  # keys and values
    board_side: int = 200  # rows or columns
    whole_number: int = 10**15
    type_tokens: int = 200  # names and signs in a field's type
    named_members: int = 12  # that a message lists
    compared_members: int = 1_000  # among which a hint looks for the nearest

    @property
    def file_bytes(self) -> int:
        """Four for a character, and a mark of the byte order."""
        return 4 * self.file_characters + 3


class Rules(Stage):
    """What the expressions of a type may be, and what they may take."""

    expression_characters: int = 20_000
    expression_levels: int = 100  # of nesting
    unknown_names: int = 20  # that are reported for one expression
    literal_number: int = 10**100
    number_bits: int = 512  # of what is worked out
    steps: int = 3_000_000  # that the expressions of one run may take together
    merged_terms: int = 50  # of a sum that another is added to in place
    unknowns: int = 300_000
    kept_values: int = 100_000  # of one rule's loops that are kept for checks
    range_numbers: int = 1_000_000
    range_end: int = 10**18
    pattern_characters: int = 500  # that a pattern reads, repetitions written out
    pattern_states: int = 1_000
    pattern_levels: int = 30  # parentheses in parentheses
    traced_cells: int = 2_500  # of a board on which words are traced
    marked_letters: int = 200  # in a word that is marked
    marked_pairs: int = 1_000_000_000  # of words that are marked against each other


class Boards(Stage):
    """What functions of boards and graphs may make."""

    window_cells: int = 1_000_000  # in all windows of one size together
    placements: int = 200_000  # of shapes on a board
    placement_cells: int = 1_000_000  # in all placements together
    cycles: int = 200_000
    cycle_arcs: int = 2_000_000  # in all cycles together
    cycle_steps: int = 2_000_000  # of the walks that find them
    packing_steps: int = 4_000_000  # of the search for the most cycles; a million take about a second


class Words(Stage):
    """What lexicons may hold, and what is done with their words."""

    lexicon_bytes: int = 64 * 2**20  # of a file
    uncached_bytes: int = 100_000  # of a file that is as quick to read as its arrays would be
    lexicon_parts: int = 16  # that are added up
    path_steps: int = 20_000_000
    tiles: int = 200_000  # that are traced on a board
    fill_steps: int = 100_000  # half a minute or more, with tens of thousands of words
    dive_steps: int = 200  # of the first random search for a fill; each one after it may take half as many again
    letter_unions: int = 20_000  # sets of words that are kept
    tallied_marks: int = 2_000  # patterns of marks up to which there is a counter for each
    marks_bytes: int = 64_000_000  # that are kept of what letters that stand several times add


class Presolve(Stage):
    """Up to where presolve works on tables."""

    tracked_combinations: int = 4_096  # of values up to which a condition is kept in step as a table of its truth
    truth_bits: int = 8  # values of a variable up to which such a table is kept as bits
    function_combinations: int = 400_000  # of values on which a function of unknowns may be worked out
    values_read_by_bit: int = 64  # up to which a mask is read bit by bit, and not as an array


class Lowering(Stage):
    """Up to where a lowering states things as tables."""

    table_combinations: int = 20_000  # of values up to which a condition becomes the table of its truth
    term_values: int = 5_000  # that a named term may take
    chain_totals: int = 20_000  # that a chain of counters may run through at one place
    chain_rows: int = 3_000_000  # that all tables of one model's counters may have together
    decoded_numbers: int = 8_192  # in arrays that are worked on one after the other: larger ones are new memory each time


class Counting(Stage):
    """How solutions are counted."""

    tried_solutions: int = 20  # that are listed before they are counted case by case
    tried_seconds: float = 0.5  # for that
    case_values: int = 32  # that are still open in a part which a backend is asked to list
    case_memo_entries: int = 500_000  # a count goes on without more
    block_variables: int = 4  # that are put into blocks beside other conditions: 15 ways,
    block_values: int = 100  # if each has so many; else all-different narrows the others well
    partitioned_variables: int = 10  # there are 3 to this power ways to choose blocks at most,
    partition_steps: int = 20_000_000  # and for each of the 2 to this power blocks the values are gone through
    multicover_memo_entries: int = 2_000_000  # a count goes on without more
    multicover_times: int = 2_000  # that all rows together are to be covered
    counter_steps: int = 4_000  # before the frontier is tried: a tenth of a second. No clock: a seed draws the same again
    frontier_pace: int = 400  # states for each of the counter's next steps: twice the time, as it is rarely far behind
    frontier_states: int = 30_000_000  # that one step makes, before equal ones are put together; beyond, memory is at risk
    frontier_words: int = 100_000_000  # of states that are kept to draw from
    trial_states: int = 200_000  # that are made each way before one is preferred
    scarce_options: int = 6  # up to which an item that lies ahead is looked at
    steps_ahead: int = 40  # that are looked at
    common_share: float = 0.8  # of the primary items, which a common item meets in options


class Searching(Stage):
    """How backends state a model and search it."""

    cover_memo_entries: int = 2_000_000  # a search goes on without more
    cached_options: int = 12_000  # of a cover up to which the effect of each is kept as one mask
    prime_columns: int = 8  # of a table that is tried without literals for its rows,
    prime_combinations: int = 1_024  # of values of such a table,
    prime_clauses: int = 4  # so many times its rows
    pairwise_literals: int = 6  # up to which "at most one" is a clause for each pair
    count_clauses: int = 100  # up to which a count is stated without new literals
    totalizer_size: int = 50_000  # literals times the bound
    network_literals: int = (
        4_000  # up to which a count is a cardinality network: its native code takes 0.2 s, and hears no clock
    )
    diagram_edges: int = 150_000  # of a decision diagram
    rule_memo_entries: int = 50_000  # of one rule of csp
    choice_pairs: int = 20_000  # that z3 puts together; beyond, arithmetic is done on integers
    solutions_ahead: int = 100  # that cp-sat may be ahead of who reads them
    single_solutions: int = 8  # with a shape that cp-sat is asked for one by one before all are listed
    vain_solutions: int = 64  # that cp-sat lists before what is known of them is stated, and the listing begins anew
    sum_span: int = 5_000  # between the least and the largest of a sum, beyond which `auto` takes it as one of many values
    cover_literals: int = 2  # that may hold at once in a cardinality of a cover
    block_options: int = 50_000  # of xcover's covers that are handed over together, or a few more
    block_seconds: float = 0.05  # that a cover may wait for others
    inline_options: int = 40  # of a cover that xcover searches in this very process: it takes less than a second
    sent_items: int = 1_000  # that a process sends together at most
    sent_seconds: float = 0.05  # that an item may wait for others
    rest_seconds: float = 1.0  # after which a process that is not asked again ends


class Ranking(Stage):
    """How solutions are put in order."""

    ranking_seconds: float = 3.0  # where nobody asked for an order
    sorted_solutions: int = 20_000  # of a part that are listed to be sorted,
    sorted_seconds: float = 1.5  # or as many as come in so many seconds; where there are more, they are asked for band by band
    band_solutions: int = 500  # up to which the next band is twice as wide
    open_combinations: int = 500_000  # that are kept in order at once


class Checking(Stage):
    """How many solutions are held to the rules at once, and how many to the rules' text."""

    checked_solutions: int = 16_384  # together,
    checked_values: int = 2_000_000  # or as many as have so many values
    checked_growth: int = 4  # so many times as many as before
    checked_alone: int = 12  # solutions up to which it is quicker to take them one by one
    checked_seconds: float = 0.1  # that a solution waits for others,
    checked_share: float = 0.2  # or, where they come in blocks, so much of the time so far
    reread_solutions: int = 100  # that are held to the rules' text as well as to the conditions that it made,
    reread_seconds: float = 0.002  # or as many as take so long


class Reporting(Stage):
    """What is found and shown of solutions where nobody says how many."""

    listed_solutions: int = 1_000  # of which the backbone is seen, or that are drawn at random where there are more
    listing_seconds: float = 10.0  # for that
    drawing_seconds: float = 5.0
    expected_solutions: int = 1_000  # among which an expected one is looked for
    chained_types: int = 20  # that may follow one another
    ranked_solutions: int = 10  # that are shown where they are ranked
    telling_facts: int = 5  # that would tell most
    named_indexes: int = 8  # of what is true in some solutions, where that cannot be drawn
    named_values: int = 8  # of each, those that most solutions have
    pictured_solutions: int = 200  # in one file
    counting_seconds: float = 1.0  # in which solutions are counted for the line before a picture
    small_columns: int = 12  # of a board that is drawn once for each word
    small_boards: int = 24  # such boards in one picture


class Web(Stage):
    """How services on the web are asked."""

    answer_seconds: float = 10.0
    answer_bytes: int = 2_000_000
    tries: int = 3
    pause_seconds: float = 0.5  # before the second try, and twice as long before each one after it


class Limits(Stage):
    """All limits, by the stage that they bound. No two have one name."""

    clock: Clock = Clock()
    reading: Reading = Reading()
    rules: Rules = Rules()
    boards: Boards = Boards()
    words: Words = Words()
    presolve: Presolve = Presolve()
    lowering: Lowering = Lowering()
    counting: Counting = Counting()
    searching: Searching = Searching()
    ranking: Ranking = Ranking()
    checking: Checking = Checking()
    reporting: Reporting = Reporting()
    web: Web = Web()

    def with_values(self, values: Mapping[str, float]) -> Limits:
        """These limits with others, each by its own name. Raises TypeError for a name that there is not."""
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
    """The limits that hold now, in all threads, and in the processes that are asked now."""
    return _limits


def adopt(held: Limits) -> None:
    """Let the limits hold that hold in the process which asks this one."""
    global _limits
    _limits = held


@contextmanager
def replaced(**values: float) -> Iterator[Limits]:
    """Let other limits hold meanwhile. They are those of the whole process."""
    global _limits
    before, _limits = _limits, _limits.with_values(values)
    try:
        yield _limits
    finally:
        _limits = before
