"""A run of expressions: what it may use, what it knows of the unknowns, and its operations.

The operations compute with known values and build terms of unknowns. Each one counts steps for the
loop turns and the parts of values that it makes or searches, so every expression is bounded.
"""

from __future__ import annotations

import inspect
import os
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, MutableMapping
from types import GeneratorType, MethodType
from typing import Any
from weakref import proxy

from puzzlekit.boards import Cell, Cells, Corner, Cycle, Grid, Placement, Shape, Side, Size
from puzzlekit.clock import check
from puzzlekit.lang.expressions import access, comparisons, operations
from puzzlekit.lang.expressions.draws import Draws
from puzzlekit.lang.expressions.inference import Kinds
from puzzlekit.lang.expressions.values import (
    ATOMS,
    ExpressionError,
    Family,
    Groups,
    Runs,
    in_order,
    is_row,
    shown,
    value_type,
)
from puzzlekit.model import Constant, Term, Variable

MAX_EVALUATIONS = 0  # of all expressions of one run together; 0 for no bound

STEPS_BETWEEN_LOOKS = (
    20_000  # at the clock, the processor time and the memory: at most a tenth of a second
)
RULE_SECONDS = 120.0  # of the processor, for all expressions of one run
RULE_BYTES = 3 * 2**30  # by which memory may grow meanwhile
PARTS = 10_000_000  # of a value that one operation makes or searches

UNKNOWN = (Term, Runs)
ROWS_OR_SETS = (tuple, frozenset)
STREAMS = (Family, range, GeneratorType)
# what a loop may run over, besides registered types
COLLECTIONS = (tuple, frozenset, range, str, Grid, Family, Mapping)
ATOMS.update({int, bool, type(None), Cell, Corner, Side, Size, range, Placement, Shape})
LAZY = frozenset({"any", "all", "first"})  # functions that may stop reading a loop early
KEPT = frozenset({"through", "of", "links", "sides"})  # methods whose results are kept, not made
SLICED = frozenset({"rays"})  # methods whose results are parts of rows, copied at once


class Runtime:
    """One run of expressions.

    Args:
        max_evaluations: The most steps of the run, by default the limit on rules; 0 for no bound.

    Attributes:
        max_evaluations: The most steps; 0 for no bound.
        left: The steps until the next look at the bounds.
        exceeded: Why the run ended, once it has exceeded a bound.
        kinds: Infers the kinds of value that unknowns may take.
        demands: What must hold for all indexes so far to have a value.
        settled: Whether rules run on the values of a solution, or on the data alone.
        solved: Whether they run on the values of a solution: then no value contains an unknown.
        kept: Results of functions that are kept for the run, by function.
        indexes: The last indexes of rows, by the method that made them and the identity of the row.
        draws: What is drawn at random; None where nothing may be.
        other_boards: Boards that link cells not as squares are, and the functions that made them.
    """

    def __init__(self, max_evaluations: int | None = None) -> None:
        self.max_evaluations = MAX_EVALUATIONS if max_evaluations is None else max_evaluations
        run = proxy(
            self
        )  # a reference cycle would keep what a solve has made until the collector runs
        self.kinds = Kinds(lambda amount: run.spend(amount))
        self.demands: list[Term] = []
        self.settled = self.solved = False
        self.kept: dict[Hashable, Any] = {}
        self.indexes: dict[tuple[str, int], tuple[Any, Groups]] = {}
        self.other_boards: list[tuple[str, Grid]] = []
        self.draws: Draws | None = None
        self._methods: dict[
            Callable[..., Any], bool
        ] = {}  # of each function called, unbound: whether a value's type has it
        self.begin()

    def names(self) -> dict[str, Any]:
        """Return the operations by the names that rewritten expressions call."""
        return {
            "__builtins__": {},
            "_and": self.every,
            "_or": self.some,
            "_not": self.negate,
            "_compare": self.compare,
            "_chain": self.chain,
            "_binary": self.binary,
            "_choose": self.choose,
            "_index": self.index,
            "_slice": self.sliced,
            "_attribute": self.attribute,
            "_call": self.call,
            "_once": self.once,
            "_iterate": self.iterate,
            "_expand": self.expand,
            "_test": self.test,
            "_row": self.row,
            "_set": self.set,
            "_dict": self.dict,
        }

    # steps, time and memory

    def begin(self) -> None:
        """Begin a run, with all steps and no time or memory used."""
        self.exceeded = ""
        self._began: tuple[float, int] | None = (
            None  # time and memory, once a run is not a short one
        )
        self.left = (
            min(self.max_evaluations, STEPS_BETWEEN_LOOKS)
            if self.max_evaluations
            else STEPS_BETWEEN_LOOKS
        )
        self._later = (
            self.max_evaluations - self.left
        )  # steps after the next look, if they are bounded

    def spend(self, amount: int) -> None:
        """Spend so many steps. Raises ExpressionError if a bound is exceeded."""
        self.left -= amount
        if self.left < 0:
            self.look(amount)

    def look(self, amount: int) -> None:
        """Look at the clock and the bounds, and allow more steps if none is exceeded. Raises Stopped when the time is up."""
        check()
        if not self.exceeded:
            if self.max_evaluations:
                self._later += self.left  # less what was spent beyond the last look
                if self._later < 0:
                    self.exceeded = f"{self.max_evaluations:,} evaluations"
            elif amount > PARTS:
                self.exceeded = f"{PARTS:,} evaluations at once"
            elif self._began is None:
                self._began = time.thread_time(), _resident()
            elif time.thread_time() - self._began[0] > RULE_SECONDS:
                self.exceeded = f"{RULE_SECONDS:g} seconds"
            elif _resident() - self._began[1] > RULE_BYTES:
                self.exceeded = f"{RULE_BYTES // 2**20:,} MB of memory"
        if self.exceeded:
            hint = "that is the limit for the rules of one puzzle"
            raise ExpressionError(
                f"this takes more than {self.exceeded}",
                hint + (", set by --max-evaluations" if self.max_evaluations else ""),
            )
        self.left = (
            min(self._later, STEPS_BETWEEN_LOOKS) if self.max_evaluations else STEPS_BETWEEN_LOOKS
        )
        self._later -= self.left

    # values and their parts

    def symbolic(self, value: Any) -> bool:
        """Return whether the value contains an unknown.

        Each part costs a step, so the caller may go through the value once more without counting.
        """
        kind = type(value)
        if self.solved or kind in ATOMS:
            return False
        if kind is Variable:
            return True
        if kind is Cells or kind is Cycle or kind is str:
            self.spend(len(value) >> 4)
            return False
        if isinstance(value, UNKNOWN):
            return True
        if isinstance(value, ROWS_OR_SETS):
            self.spend(len(value))
            for part in value:
                if type(part) not in ATOMS and self.symbolic(part):
                    return True
        elif isinstance(value, Mapping):
            self.spend(2 * len(value))
            for key, part in value.items():
                if (type(key) not in ATOMS and self.symbolic(key)) or (
                    type(part) not in ATOMS and self.symbolic(part)
                ):
                    return True
        elif isinstance(value, Family | Grid):
            self.spend(len(value))
            if isinstance(value, Grid) and value.known:
                return False
            return any(
                isinstance(part, Term) or (type(part) not in ATOMS and self.symbolic(part))
                for part in value
            )
        return False

    def known(self, value: Any, what: str) -> Any:
        """Return the value. Raises ExpressionError, which calls it `what`, if it has an unknown."""
        if self.symbolic(value):
            raise ExpressionError(f"{what} cannot depend on an unknown")
        return value

    def whole(self, value: Any, what: str) -> int:
        """Return the value as an int. Raises ExpressionError unless it is a known whole number."""
        if isinstance(value, Term):
            raise ExpressionError(f"{what} cannot depend on an unknown")
        if not isinstance(value, int):
            raise ExpressionError(f"expected a whole number as {what}, got {shown(value)}")
        return int(value)

    def term(self, value: Any) -> Term:
        """Return the value as a term. Raises ExpressionError unless an unknown can take it."""
        if isinstance(value, Term):
            return value
        known = value_type(value)
        choosable = isinstance(value, int | str | tuple | Placement) or (
            known is not None and known.choosable
        )
        if not choosable or self.symbolic(value):
            own = type(value).__module__.startswith(("builtins", "puzzlekit."))
            hint = (
                ""
                if own
                else f"its library must register {type(value).__name__} with choosable=True"
            )
            hint = (
                "no unknown is ever None: write another value, such as 0" if value is None else hint
            )
            raise ExpressionError(f"expected a value, got {shown(value)}", hint)
        return Constant(value)

    def possible(self, value: Any) -> tuple[Any, ...]:
        """Return the values that a known value or a term may take. Raises ExpressionError."""
        if not isinstance(value, Term):
            return (self.term(value).value({}),)
        found = self.kinds.possible(value)
        if found is None:
            hint = "declare an auxiliary unknown that equals it, and use that"
            raise ExpressionError("expected an unknown, got a value computed from unknowns", hint)
        self.spend(len(found))
        return found

    def as_row(self, value: Any) -> Any:
        """Return a family, a range or the values of a loop as a row; any other value unchanged."""
        if isinstance(value, STREAMS):
            return tuple(self.iterate(value))
        return value

    # loops and collections

    def iterate(self, group: Any, weight: int = 1) -> Iterable[Any]:
        """Return the items of a collection. Each costs `weight` steps.

        The weight is more than 1 if each turn of the loop builds a large value.
        """
        if isinstance(group, GeneratorType):  # its own loops spend the steps
            return group
        if not isinstance(group, COLLECTIONS) and not (
            (known := value_type(group)) is not None and known.collection
        ):
            what = "an unknown" if isinstance(group, Variable) else shown(group)
            hint = (
                "a function of a library must return a tuple instead"
                if isinstance(group, list)
                else ""
            )
            if isinstance(group, Runs):
                hint = "compare runs(…) with known rows of lengths, by == or in"
            if isinstance(group, MethodType):
                hint = f"write its arguments after it: {group.__name__}(…)"
            raise ExpressionError(f"expected a collection to loop over, got {what}", hint)
        self.spend(len(group) * weight)
        return in_order(group) if isinstance(group, frozenset) else group

    def items(self, group: Any) -> tuple[Any, ...]:
        """Return the items of a collection as a row. Each costs a step."""
        return tuple(self.iterate(group))

    def expand(self, loops: Callable[[], Iterable[tuple[Any, ...]]]) -> Iterable[tuple[Any, ...]]:
        """Return the loop variables' values of an expression that is repeated for each of them."""
        return loops()

    def row(self, values: Iterator[Any]) -> tuple[Any, ...]:
        """Return a row of the values of a comprehension."""
        return tuple(values)

    def set(self, values: Iterable[Any]) -> frozenset[Any]:
        """Return a set. Its members must be known, because it depends on which are equal."""
        return frozenset(self.known(value, "a member of a set") for value in values)

    def dict(self, pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
        """Return a mapping. Its keys must be known."""
        return {self.known(key, "a key"): value for key, value in pairs}

    # operations, each a function of the run

    number, binary = operations.number, operations.binary
    condition, as_conditions, joined = (
        operations.condition,
        operations.as_conditions,
        operations.joined,
    )
    every, some, negate = operations.every, operations.some, operations.negate
    choose, test, take_demands = operations.choose, operations.test, operations.take_demands
    compare, chain = comparisons.compare, comparisons.chain
    index, sliced, attribute = access.index, access.sliced, access.attribute
    with_default, through, index_of = access.with_default, access.through, access.index_of

    # calls

    def call(self, function: Any, /, *arguments: Any, **words: Any) -> Any:
        """Call a function of the language or a method of a value."""
        self.left -= 1
        if self.left < 0:
            self.look(1)
        method = self._methods.get(function.__func__) if type(function) is MethodType else None
        if method is None:
            if not callable(function) or isinstance(function, type):
                hint = (
                    "a row has no (…): write [0] for its first item, or loop over it"
                    if is_row(function)
                    else ""
                )
                hint = f"write {function.name}[…]" if isinstance(function, Family) else hint
                raise ExpressionError(f"{shown(function)} is not a function", hint)
            owner = value_type(getattr(function, "__self__", None))
            method = owner is not None and bool(owner.attributes)
            if type(function) is MethodType:
                self._methods[function.__func__] = method
        plain = not method or (not words and ATOMS.issuperset(map(type, arguments)))
        if not plain and (self.symbolic(arguments) or self.symbolic(words)):
            raise ExpressionError(
                f"the arguments of {function.__name__} cannot depend on an unknown"
            )
        for argument in arguments:
            if type(argument) is GeneratorType and function.__name__ not in LAZY:
                arguments = tuple(map(self.as_row, arguments))
                break
        try:
            result = function(*arguments, **words)
        except TypeError:
            if wrong := misfit(function, len(arguments), words):
                raise ExpressionError(*wrong) from None
            raise
        if method and type(result) is tuple and function.__name__ not in KEPT:
            cells = (
                [part for part in result if type(part) is Cells]
                if Cells in set(map(type, result))
                else ()
            )
            sliced = function.__name__ in SLICED
            self.spend(
                len(result)
                + sum((len(part) >> 4 if sliced else 3 * len(part)) + 5 for part in cells)
            )
        return result

    def once(self, results: MutableMapping[int, Any], number: int, call: Callable[[], Any]) -> Any:
        """Return the result of a call that is the same in each turn of a loop.

        A stream is made anew, and so is what is drawn at random or has a value only under a condition.
        """
        if number in results:
            return results[number]
        before = len(self.demands), self.draws and self.draws.made
        result = call()
        if (
            type(result) is not GeneratorType
            and (len(self.demands), self.draws and self.draws.made) == before
        ):
            results[number] = result
        return result


def misfit(
    function: Callable[..., Any], count: int, words: Iterable[str]
) -> tuple[str, str] | None:
    """Return why a function does not take so many arguments and these words, and how to write it; None if it does."""
    signature = inspect.signature(function)
    try:
        signature.bind(*[None] * count, **dict.fromkeys(words))
    except TypeError as error:
        parameters = ", ".join(
            str(parameter).split(":")[0] for parameter in signature.parameters.values()
        )
        return f"{function.__name__}: {error}", f"write {function.__name__}({parameters})"
    return None


def _resident() -> int:
    """Return the memory that this process uses, in bytes; 0 where the system does not say."""
    try:
        with open("/proc/self/statm") as file:  # noqa: PTH123 (a path takes longer)
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0
