"""The interpreter of expressions: its bounds, what it knows of the unknowns, and its operations.

The operations compute with known values and build terms of unknowns. Each one counts steps for the
loop turns and the parts of values that it makes or searches, so every expression is bounded.
"""

from __future__ import annotations

import inspect
import operator
import os
import time
from collections.abc import (
    Callable,
    Container,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
    Sequence,
)
from itertools import chain
from math import prod
from types import GeneratorType, MethodType
from typing import Any
from weakref import proxy

import numpy as np

from puzzlekit.boards import Cell, Cells, Corner, Cycle, Grid, Placement, Shape, Side, Size
from puzzlekit.clock import check
from puzzlekit.errors import nearest
from puzzlekit.lang.aliases import Condition, DataValue, Operand
from puzzlekit.lang.expressions.automata import (
    MOST_STATES,
    of_product,
    of_run_rows,
    of_runs,
    opposite,
)
from puzzlekit.lang.expressions.draws import RandomChoices
from puzzlekit.lang.expressions.inference import NUMBERS, TEXT, Kinds
from puzzlekit.lang.expressions.values import (
    ATOMS,
    POINTS,
    Components,
    ExpressionError,
    Groups,
    Lengths,
    Runs,
    UndefinedError,
    VariableArray,
    display_text,
    in_order,
    is_number,
    is_row,
    same,
    value_type,
)
from puzzlekit.lowering.flattening import TABLE_COMBINATIONS
from puzzlekit.model import (
    And,
    Automaton,
    Comparison,
    Constant,
    Element,
    IfElse,
    Member,
    Not,
    Operation,
    Or,
    Sum,
    Table,
    Term,
    Value,
    Variable,
)

# Bounds
MAX_EVALUATIONS = 0  # of all expressions of one run together; 0 for no bound
# at the clock, the processor time and the memory: at most a tenth of a second
STEPS_BETWEEN_LOOKS = 20_000
RULE_SECONDS = 120.0  # of the processor, for all expressions of one run
RULE_BYTES = 3 * 2**30  # by which memory may grow meanwhile
PARTS = 10_000_000  # of a value that one operation makes or searches
NUMBER_BITS = 512  # of a computed number
MERGED_TERMS = 50  # of a sum that grows in place
INDEXES = 16  # of rows, that are kept

# Classes of values
UNKNOWN = (Term, Runs)
RUNS = (Runs, Lengths)
ROWS = frozenset({tuple, Cells})
ROWS_OR_SETS = (tuple, frozenset)
STREAMS = (VariableArray, range, GeneratorType)
# what a loop may run over, besides registered types
COLLECTIONS = (tuple, frozenset, range, str, Grid, VariableArray, Mapping)
KEYED = (VariableArray, Grid, Mapping, tuple, range, str)  # what `.at` looks into
ATOMS.update({int, bool, type(None), Cell, Corner, Side, Size, range, Placement, Shape})
BOOLS, VARIABLES, ONLY_CELLS = frozenset({bool}), frozenset({Variable}), frozenset({Cell})
# the most frequent types of conditions
PLAIN_CONDITIONS = frozenset({bool, And, Comparison, Not, Or})
SINGLE = frozenset({int, bool, str, type(None), Cell, Corner})  # compared directly
MEET_ALL = frozenset({int, bool, str, type(None), tuple, Cell, Cells})  # comparable with any value
NUMBER_OR_TEXT = {int, bool, str}  # a cell may hold either

# Signs
SIGNS: Mapping[str, Callable[[DataValue, DataValue], DataValue]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
}
PLAIN: Mapping[str, Callable[[DataValue, DataValue], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
COUNTED = frozenset({"==", "<", "<="})  # frequent comparisons of a sum
TURNED = {">": "<", ">=": "<="}

# Functions, methods and attributes
LAZY = frozenset({"any", "all", "first"})  # functions that may stop reading a loop early
KEPT = frozenset({"through", "of", "links", "sides"})  # methods whose results are kept, not made
SLICED = frozenset({"rays"})  # methods whose results are parts of rows, copied at once
NUMBERED = {"row": 0, "column": 1}  # attributes of cells
INDEXED = frozenset({"through", "of"})  # attributes of rows
# attributes of boards that are computed on first use: steps per cell
CALCULATED = dict.fromkeys(
    ("diagonals", "all_diagonals", "rows", "columns", "given", "regions", "adjacent", "touching"),
    16,
)
CALCULATED |= {"numbers": 4, "having": 4}
CALCULATED |= {"edges": 48, "corners": 48, "sides": 48, "links": 24}
# where a board keeps them
BEHIND = {"edges": "_sides_of", "corners": "_cells_at", "sides": "_sides_of", "links": "_links"}


class Interpreter:
    """Evaluates the expressions of one run, on known values and on unknowns.

    A compiled expression calls these methods in place of its operators: `names` says which. An
    operation on known values returns a value; one on unknowns returns a term of the model.

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
        # a reference cycle would keep what a solve has made until the collector runs
        interpreter = proxy(self)
        self.kinds = Kinds(lambda amount: interpreter.spend(amount))
        self.demands: list[Term] = []
        self.settled = self.solved = False
        self.kept: dict[Hashable, Any] = {}
        self.indexes: dict[tuple[str, int], tuple[Any, Groups]] = {}
        self.other_boards: list[tuple[str, Grid]] = []
        self.draws: RandomChoices | None = None
        # of each function called, unbound: whether a value's type has it
        self._methods: dict[Callable[..., Any], bool] = {}
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
            "_row": self.make_row,
            "_set": self.make_set,
            "_dict": self.make_mapping,
        }

    # steps, time and memory

    def begin(self) -> None:
        """Begin a run, with all steps and no time or memory used."""
        self.exceeded = ""
        self._began: tuple[float, int] | None = (
            None  # time and memory, once a run is not a short one
        )
        self.left = (
            STEPS_BETWEEN_LOOKS
            if not self.max_evaluations
            else min(self.max_evaluations, STEPS_BETWEEN_LOOKS)
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
        """Look at the clock and the bounds, and allow more steps if none is exceeded.

        Raises:
            Stopped: The time is up.
            ExpressionError: A bound is exceeded.
        """
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
            help = "that is the limit for the rules of one puzzle"
            raise ExpressionError(
                f"this takes more than {self.exceeded}",
                help=help + (", set by --max-evaluations" if self.max_evaluations else ""),
            )
        self.left = (
            STEPS_BETWEEN_LOOKS
            if not self.max_evaluations
            else min(self._later, STEPS_BETWEEN_LOOKS)
        )
        self._later -= self.left

    # values and their parts

    def symbolic(self, value: Operand) -> bool:
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
        elif isinstance(value, VariableArray | Grid):
            self.spend(len(value))
            if isinstance(value, Grid) and value.has_no_unknowns:
                return False
            return any(
                isinstance(part, Term) or (type(part) not in ATOMS and self.symbolic(part))
                for part in value
            )
        return False

    def known(self, value: Operand, what: str) -> DataValue:
        """Return the value. Raises ExpressionError, which calls it `what`, if it has an unknown."""
        if self.symbolic(value):
            raise ExpressionError(f"{what} cannot depend on an unknown")
        return value

    def whole(self, value: Operand, what: str) -> int:
        """Return the value as an int. Raises ExpressionError unless it is a known whole number."""
        if isinstance(value, Term):
            raise ExpressionError(f"{what} cannot depend on an unknown")
        if not isinstance(value, int):
            raise ExpressionError(f"expected a whole number as {what}, got {display_text(value)}")
        return int(value)

    def term(self, value: Operand) -> Term:
        """Return the value as a term. Raises ExpressionError unless an unknown can take it."""
        if isinstance(value, Term):
            return value
        known = value_type(value)
        choosable = isinstance(value, int | str | tuple | Placement) or (
            known is not None and known.choosable
        )
        if not choosable or self.symbolic(value):
            own = type(value).__module__.startswith(("builtins", "puzzlekit."))
            help = (
                ""
                if own
                else f"its library must register {type(value).__name__} with choosable=True"
            )
            help = (
                "no unknown is ever None: write another value, such as 0" if value is None else help
            )
            raise ExpressionError(f"expected a value, got {display_text(value)}", help=help)
        return Constant(value)

    def possible(self, value: Operand) -> tuple[Value, ...]:
        """Return the values that a known value or a term may take. Raises ExpressionError."""
        if not isinstance(value, Term):
            return (self.term(value).value({}),)
        found = self.kinds.possible(value)
        if found is None:
            help = "declare an auxiliary unknown that equals it, and use that"
            raise ExpressionError(
                "expected an unknown, got a value computed from unknowns", help=help
            )
        self.spend(len(found))
        return found

    def as_row(self, value: Operand) -> Operand:
        """Return a family, a range or the values of a loop as a row; any other value unchanged."""
        if isinstance(value, STREAMS):
            return tuple(self.iterate(value))
        return value

    # loops and collections

    def iterate(self, group: Operand, weight: int = 1) -> Iterable[Operand]:
        """Return the items of a collection. Each costs `weight` steps.

        The weight is more than 1 if each turn of the loop builds a large value.
        """
        if isinstance(group, GeneratorType):  # its own loops spend the steps
            return group
        if not isinstance(group, COLLECTIONS) and not (
            (known := value_type(group)) is not None and known.collection
        ):
            what = "an unknown" if isinstance(group, Variable) else display_text(group)
            help = (
                "a function of a library must return a tuple instead"
                if isinstance(group, list)
                else ""
            )
            if isinstance(group, Runs):
                help = "compare runs(…) with known rows of lengths, by == or in"
            if isinstance(group, MethodType):
                help = f"write its arguments after it: {group.__name__}(…)"
            raise ExpressionError(f"expected a collection to loop over, got {what}", help=help)
        self.spend(len(group) * weight)
        return in_order(group) if isinstance(group, frozenset) else group

    def items(self, group: Operand) -> tuple[Operand, ...]:
        """Return the items of a collection as a row. Each costs a step."""
        return tuple(self.iterate(group))

    def expand(
        self, loops: Callable[[], Iterable[tuple[Operand, ...]]]
    ) -> Iterable[tuple[Operand, ...]]:
        """Return the loop variables' values of an expression that is repeated for each of them."""
        return loops()

    def make_row(self, values: Iterator[Operand]) -> tuple[Operand, ...]:
        """Return a row of the values of a comprehension."""
        return tuple(values)

    def make_set(self, values: Iterable[Operand]) -> frozenset[DataValue]:
        """Return a set. Its members must be known, because it depends on which are equal."""
        return frozenset(self.known(value, "a member of a set") for value in values)

    def make_mapping(self, pairs: Iterable[tuple[Operand, Operand]]) -> dict[Operand, Operand]:
        """Return a mapping. Its keys must be known."""
        return {self.known(key, "a key"): value for key, value in pairs}

    # arithmetic

    def binary(self, sign: str, left: Operand, right: Operand) -> Operand:
        """`+ - * // %` of numbers.

        `+` also joins rows or mappings, `*` repeats rows, `-` subtracts sets.
        """
        self.left -= 1
        if self.left < 0:
            self.look(1)
        if type(left) is int and type(right) is int and sign != "*":
            return SIGNS[sign](left, right)
        if isinstance(left, Term) or isinstance(right, Term):
            return self._arithmetic(sign, self.number(left), self.number(right))
        if is_number(left) and is_number(right):
            if sign == "*" and left.bit_length() + right.bit_length() > NUMBER_BITS:
                raise ExpressionError(f"this number has more than {NUMBER_BITS} bits")
            return SIGNS[sign](left, right)
        if sign == "+" and all(
            is_row(side) or isinstance(side, str | range | VariableArray) for side in (left, right)
        ):
            self.spend(len(left) + len(right))
            return (
                left + right
                if isinstance(left, str) and isinstance(right, str)
                else tuple(left) + tuple(right)
            )
        if sign == "+" and (isinstance(left, Mapping) or isinstance(right, Mapping)):
            return self._joined_mappings(sign, left, right)
        if sign == "-" and isinstance(left, frozenset) and isinstance(right, frozenset):
            self.symbolic((left, right))
            return left - right
        if sign == "*":
            row, times = (right, left) if isinstance(left, int) else (left, right)
            if (isinstance(row, str) or is_row(row)) and isinstance(times, int):
                self.spend(len(row) * max(times, 0))
                return row * times if isinstance(row, str) else tuple(row) * times
        raise ExpressionError(
            f"{sign} is not defined for {display_text(left)} and {display_text(right)}"
        )

    def _joined_mappings(self, sign: str, left: Operand, right: Operand) -> dict[Operand, Operand]:
        """Return the mapping with the keys of both; unknowns of a name are a mapping, too."""
        one, other = (
            dict(side.members) if isinstance(side, VariableArray) else side
            for side in (left, right)
        )
        if not isinstance(one, Mapping) or not isinstance(other, Mapping):
            raise ExpressionError(
                f"{sign} is not defined for {display_text(left)} and {display_text(right)}"
            )
        self.spend(2 * (len(one) + len(other)))
        if twice := [key for key in other if key in one]:
            raise ExpressionError(f"both mappings have the key {display_text(twice[0])}")
        return {**one, **other}

    def number(self, value: Operand) -> Term:
        """Return a number as a term. Raises ExpressionError if the value is not a number."""
        if type(value) is Variable and value in self.kinds.truths:  # the most frequent case
            return value
        if is_number(value):
            return Constant(value)
        if not isinstance(value, Term):
            raise ExpressionError(f"expected a number, got {display_text(value)}")
        if self.kinds.of(value) not in (NUMBERS, None):
            what = (
                f"{value}, which is not a number"
                if isinstance(value, Variable)
                else "an expression that is not a number"
            )
            raise ExpressionError(f"expected a number, got {what}")
        return value

    def _arithmetic(self, sign: str, left: Term, right: Term) -> Term:
        self.spend(2)
        if sign in "+-":
            return _sum(left, right, 1 if sign == "+" else -1)
        if sign == "*":
            for one, other in ((left, right), (right, left)):
                if isinstance(one, Constant):
                    return Sum(((int(one.constant), other),))
            return Operation("*", (left, right))
        if not isinstance(right, Constant):
            raise ExpressionError(f"the right side of {sign} cannot depend on an unknown")
        if right.constant == 0:
            raise ZeroDivisionError
        return Operation("//" if sign == "//" else "%", (left, right))

    # conditions

    def condition(self, value: Operand) -> Condition:
        """Return a condition, a bool or a term. Raises ExpressionError for any other value."""
        kind = type(value)
        if kind in PLAIN_CONDITIONS or (kind is Variable and value in self.kinds.truths):
            return value  # type: ignore[no-any-return]
        if isinstance(value, Term) and self.kinds.truth(value):
            return value
        help = ""
        if isinstance(value, int | Term):
            help = "compare the value with something"
        elif isinstance(value, VariableArray):
            help = f"write {value.name}[c] for one of them, all(…) or any(…) for several"
        elif is_row(value):
            help = "write all(…) or any(…) for a row of conditions"
        raise ExpressionError(f"expected a condition, got {display_text(value)}", help=help)

    def as_conditions(self, group: Operand) -> tuple[Condition, ...]:
        """Return the items of a collection as conditions. Each costs a step."""
        if type(group) is tuple:  # rows of values or of unknown truths are the most frequent case
            kinds = {*map(type, group)}
            if kinds == BOOLS or (kinds == VARIABLES and self.kinds.truths.issuperset(group)):
                self.spend(len(group))
                return group
        return tuple(map(self.condition, self.iterate(group)))

    def every(self, first: Operand, *later: Callable[[], Operand]) -> Condition:
        """`and`: evaluates the parts after the first from the left until one is false."""
        return first if first is False else self._going_on(first, later, False)

    def some(self, first: Operand, *later: Callable[[], Operand]) -> Condition:
        """`or`: evaluates the parts after the first from the left until one is true."""
        return first if first is True else self._going_on(first, later, True)

    def _going_on(
        self, first: Operand, later: tuple[Callable[[], Operand], ...], decided: bool
    ) -> Condition:
        """Join conditions as `joined` does; the first one does not decide.

        Two unknowns are the most frequent case.
        """
        if len(later) > 1 or not (
            type(first) is bool or (type(first) is Variable and first in self.kinds.truths)
        ):
            return self.joined(chain((first,), map(operator.call, later)), decided)
        if isinstance(first, bool):
            return self.condition(later[0]())
        before = len(self.demands)
        second = later[0]()
        if len(self.demands) > before:
            self._guard(before, [first if decided else Not(first)])
        elif type(second) is Variable and second in self.kinds.truths:
            return Or((first, second)) if decided else And((first, second))
        return self.joined((first, second), decided)

    def joined(self, values: Iterable[Operand], decided: bool) -> Condition:
        """Join conditions by `or` if `decided` is True, by `and` if it is False.

        They are evaluated from the left until a known one equals `decided`. The demands of a
        condition apply only if none before it decides.
        """
        terms: list[Term] = []
        before = len(self.demands)
        truths = self.kinds.truths
        for value in values:
            kind = type(value)
            if kind not in PLAIN_CONDITIONS and not (kind is Variable and value in truths):
                value = self.condition(value)
            if len(self.demands) > before:
                self._guard(before, [term if decided else Not(term) for term in terms])
                before = len(self.demands)
            if value is decided:
                return decided  # type: ignore[no-any-return]
            if kind is not bool:
                terms.append(value)
        if len(terms) < 2:
            return terms[0] if terms else not decided
        return Or(tuple(terms)) if decided else And(tuple(terms))

    def _guard(self, before: int, instead: Sequence[Term]) -> None:
        """Let demands after the first `before` apply only if no condition in `instead` holds."""
        if instead:
            self.demands[before:] = [Or((*instead, demand)) for demand in self.demands[before:]]

    def take_demands(self) -> list[Term]:
        """Return the demands so far and clear them."""
        taken, self.demands = self.demands, []
        return taken

    def negate(self, value: Operand) -> Condition:
        """`not`."""
        kind = type(value)
        checked = kind in PLAIN_CONDITIONS or (kind is Variable and value in self.kinds.truths)
        condition = value if checked else self.condition(value)
        return Not(condition) if isinstance(condition, Term) else not condition

    def choose(
        self, test: Operand, then: Callable[[], Operand], otherwise: Callable[[], Operand]
    ) -> Operand:
        """`then if test else otherwise`. A choice between rows is made in each position."""
        test = self.condition(test)
        if not isinstance(test, Term):
            return then() if test else otherwise()
        before = len(self.demands)
        chosen = then()
        self._guard(before, [Not(test)])
        before = len(self.demands)
        other = otherwise()
        self._guard(before, [test])
        return self._choice(test, chosen, other)

    def _choice(self, test: Term, then: Operand, otherwise: Operand) -> Operand:
        then, otherwise = self.as_row(then), self.as_row(otherwise)
        if is_row(then) and isinstance(otherwise, str):
            otherwise = tuple(otherwise)
        elif is_row(otherwise) and isinstance(then, str):
            then = tuple(then)
        if is_row(then) and is_row(otherwise):
            if len(then) != len(otherwise):
                raise ExpressionError(
                    "both sides of a choice must have the same length,"
                    f" got {len(then)} and {len(otherwise)}"
                )
            self.spend(len(then))
            return tuple(self._choice(test, a, b) for a, b in zip(then, otherwise))
        if (is_row(then) and not isinstance(otherwise, Term)) or (
            is_row(otherwise) and not isinstance(then, Term)
        ):
            raise ExpressionError("one side of this choice is a row and the other is not")
        return IfElse(test, self.term(then), self.term(otherwise))

    def test(self, value: Operand) -> bool:
        """Evaluate the `if` of a comprehension, which must be known."""
        if isinstance(value, Term):
            raise ExpressionError(
                "an if inside a comprehension cannot depend on an unknown",
                help="use implies(…), or count what holds",
            )
        return value if type(value) is bool else bool(self.condition(value))

    # comparisons

    def chain(self, left: Operand, *rest: Operand) -> Condition:
        """`a < b < c`, where `rest` has signs and sides in turn.

        A side is evaluated at most once, and only if no comparison before it fails.
        """

        def links() -> Iterable[Operand]:
            before = left
            for sign, side in zip(rest[::2], rest[1::2]):
                after = side()
                yield self.compare(sign, before, after)
                before = after

        return self.joined(links(), False)

    def compare(self, sign: str, left: Operand, right: Operand) -> Condition:
        """Return a comparison, membership included, as a bool or a condition."""
        self.left -= 1
        if self.left < 0:
            self.look(1)
        if type(left) is int and type(right) is int and sign in PLAIN:  # the most frequent case
            return PLAIN[sign](left, right)
        if (
            type(left) is Sum and type(right) is int and sign in COUNTED and len(left.weighted) > 1
        ):  # so are these
            return Comparison(sign, left, Constant(right))  # type: ignore[arg-type]
        if sign == "in":
            return self._inside(left, right)
        if sign == "not in":
            return self.negate(self._inside(left, right))
        if type(left) in SINGLE and type(right) in SINGLE:
            for side in (left, right):
                if type(side) is str:
                    self.spend(len(side) >> 4)
            return self._compared(sign, left, right)
        if sign in TURNED:
            sign, left, right = TURNED[sign], right, left
        left, right = self.as_row(left), self.as_row(right)
        if isinstance(left, RUNS) or isinstance(right, RUNS):
            return self._equal_runs(sign, left, right)
        if isinstance(left, Term):
            right = self._as_text(left, right)
        elif isinstance(right, Term):
            left = self._as_text(right, left)
        if (isinstance(left, Term) and not is_row(right)) or (
            isinstance(right, Term) and not is_row(left)
        ):
            self.spend(1)
            self.kinds.comparable(left, right)
            if sign in ("==", "!="):
                for one, other in ((left, right), (right, left)):
                    if (
                        type(other) is int
                        and (found := self._equal_product(sign, one, other)) is not None
                    ):
                        return found
            return Comparison(sign, self.term(left), self.term(right))  # type: ignore[arg-type]
        if not self.symbolic(left) and not self.symbolic(right):
            return self._plain(sign, left, right)
        if sign not in ("==", "!="):
            raise ExpressionError(
                f"rows of unknowns can be compared with == and !=, not with {sign}"
            )
        equal = self._equal_rows(left, right)
        return equal if sign == "==" else self.negate(equal)

    def _equal_runs(self, sign: str, left: Operand, right: Operand) -> Condition:
        """Compare runs with a known row of lengths by == or !=."""
        runs, other = (left, right) if isinstance(left, Runs | Lengths) else (right, left)
        if (
            sign not in ("==", "!=")
            or isinstance(other, Runs)
            or not is_row(other)
            or self.symbolic(other)
        ):
            raise ExpressionError(
                "runs can only be compared with a row of known lengths, by == or !=",
                help="write runs(xs) == [3, 1]",
            )
        lengths = self._lengths(other)
        if isinstance(runs, Lengths):
            return (runs == lengths) == (sign == "==")
        return self._runs_among(runs, [lengths], sign == "==")

    def _lengths(self, row: tuple[Operand, ...]) -> tuple[int, ...]:
        """Return a row as the lengths of runs; `[0]` also stands for no runs."""
        lengths = () if row == (0,) else tuple(row)
        for length in lengths:
            if self.whole(length, "the length of a run") < 1:
                raise ExpressionError(
                    f"expected a run of length 1 or more, got {display_text(length)}",
                    help="for no runs write [] or [0]",
                )
        return lengths

    def _runs_among(self, runs: Runs, rows: Iterable[tuple[int, ...]], among: bool) -> Condition:
        """Return whether the lengths of the runs are one of these rows, or are none of them."""
        fitting = dict.fromkeys(
            row for row in rows if sum(row) + len(row) - 1 <= len(runs.conditions)
        )
        if runs.ascending:
            fitting = {row: None for row in fitting if list(row) == sorted(row)}
        if not fitting:
            return not among
        self.spend(len(runs.conditions) + sum(map(sum, fitting)))
        if len(fitting) > 1 or runs.cyclic or runs.ascending:
            steps, accepting = of_run_rows(fitting, runs.cyclic, runs.ascending, self.spend)
        else:
            steps, accepting = of_runs(next(iter(fitting)))
        if not among:
            steps, accepting = opposite(steps, accepting, (False, True))
        return Automaton(tuple(map(self.term, runs.conditions)), steps, accepting)

    def _equal_product(self, sign: str, product: Operand, number: int) -> Automaton | None:
        """Compare a product of many unknowns with a known number by an automaton of its divisors.

        None for other terms, and for few unknowns, whose product presolve tabulates.
        """
        if isinstance(product, Sum) and len(product.weighted) == 1 and not product.constant:
            ((weight, product),) = product.weighted
            if not weight or number % weight:
                return None
            number //= weight
        if not (isinstance(product, Operation) and product.operator == "*"):
            return None
        factors = _factors(product)
        domains = [self.kinds.possible(factor) for factor in factors]
        known = [domain for domain in domains if domain is not None]
        if number and len(known) == len(factors) and prod(map(len, known)) > TABLE_COMBINATIONS:
            values = [value for domain in known for value in domain if isinstance(value, int)]
            if made := of_product(number, values, MOST_STATES):
                steps, accepting = made if sign == "==" else opposite(*made, dict.fromkeys(values))
                self.spend(len(values) + sum(map(len, steps)))
                return Automaton(tuple(factors), steps, accepting)
        return None

    def _as_text(self, unknown: Term, value: Operand) -> Operand:
        """Return a row of known characters as text if the unknown takes texts; others unchanged."""
        if (
            is_row(value)
            and all(isinstance(part, str) for part in value)
            and self.kinds.of(unknown) == TEXT
        ):
            return "".join(value)
        return value

    def _plain(self, sign: str, left: DataValue, right: DataValue) -> bool:
        if is_row(left) and isinstance(right, str):
            right = tuple(right)
        elif is_row(right) and isinstance(left, str):
            left = tuple(left)
        for side in (left, right):
            if callable(side):
                raise ExpressionError(
                    f"expected a value, got {display_text(side)}",
                    help="call it: write its arguments in parentheses",
                )
        if type(left) not in MEET_ALL or type(right) not in MEET_ALL:
            self._alike(left, right)
        if sign in ("==", "!=") and is_row(left) and is_row(right):
            return same(left, right) == (sign == "==")
        return self._compared(sign, left, right)

    def _compared(self, sign: str, left: DataValue, right: DataValue) -> bool:
        """Compare two known values that are not rows."""
        try:
            return bool(PLAIN[sign](left, right))
        except TypeError:
            if self.settled or {type(left), type(right)} <= NUMBER_OR_TEXT:  # these have no order
                return False
            raise ExpressionError(
                f"{display_text(left)} and {display_text(right)} cannot be compared with {sign}"
            ) from None

    def _alike(self, left: DataValue, right: DataValue) -> None:
        """Raise ExpressionError if a board, or a value with its own scale, meets another type."""
        if left is not None and right is not None and _scale(left) is not _scale(right):
            help = (
                "the row of its values: board[board.cells]"
                if isinstance(left, Grid) or isinstance(right, Grid)
                else ""
            )
            raise ExpressionError(
                f"{display_text(left)} and {display_text(right)} are never equal and cannot be ordered",
                help=help,
            )

    def _equal_rows(self, left: Operand, right: Operand) -> Condition:
        if not all(is_row(side) or isinstance(side, str) for side in (left, right)):
            raise ExpressionError(
                f"{display_text(left)} and {display_text(right)} cannot be compared:"
                " one is a row, the other is not"
            )
        if len(left) != len(right):
            return False
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Components) and not self.symbolic(other):
                return Comparison("==", one.term, Constant(tuple(other)))
        return self.joined((self.compare("==", a, b) for a, b in zip(left, right)), False)

    def _inside(self, item: Operand, group: Operand) -> Condition:
        if type(group) is frozenset and type(item) in SINGLE and type(item) is not str:
            return item in group
        if type(group) is Cells and type(item) is Cell:
            if not group.looked_up:
                self.spend(2 * len(group))
            return item in group.members
        if isinstance(group, Term):
            raise ExpressionError(
                "an unknown is not a collection: in requires a collection on its right"
            )
        known = value_type(group)
        if known is not None and known.contains is not None:
            return known.contains(self, item, group)
        item = self.as_row(item)
        if isinstance(item, RUNS):
            return self._runs_inside(item, group)
        unknown = self.symbolic(item)
        if not unknown and isinstance(group, Mapping | frozenset):
            return _among(item, group)
        if not unknown and isinstance(group, range) and isinstance(item, int):
            return item in group
        members = tuple(map(self.as_row, self.items(group)))
        if self.symbolic(members):
            return self.joined((self.compare("==", item, member) for member in members), True)
        if not unknown:
            return _among(item, members)
        if isinstance(item, Term):
            return Member(item, frozenset(self._as_text(item, member) for member in members))
        row = self.items(item)
        return self._row_in(
            row, [tuple(member) for member in members if is_row(member) or isinstance(member, str)]
        )

    def _runs_inside(self, runs: Operand, group: Operand) -> Condition:
        """Return whether the lengths of runs are one of the known rows of a collection."""
        rows = tuple(map(self.as_row, self.known(self.items(group), "a row of lengths")))
        for row in rows:
            if not is_row(row):
                raise ExpressionError(
                    f"expected rows of lengths that runs are in, got {display_text(row)}",
                    help="write in [[3, 1], [2]]",
                )
        lengths = [self._lengths(row) for row in rows]
        return (
            runs in lengths if isinstance(runs, Lengths) else self._runs_among(runs, lengths, True)
        )

    def _row_in(self, row: tuple[Operand, ...], members: list[tuple[Operand, ...]]) -> Condition:
        fitting = list(dict.fromkeys(member for member in members if len(member) == len(row)))
        if not fitting:
            return False
        books = tuple(tuple(dict.fromkeys(column)) for column in zip(*fitting))
        codes = [{value: code for code, value in enumerate(book)} for book in books]
        rows = np.array(
            [[code[value] for code, value in zip(codes, member)] for member in fitting],
            dtype=np.uint32,
        )
        return Table(tuple(self.term(part) for part in row), rows, books)

    # parts of values

    def index(self, group: Operand, key: Operand) -> Operand:
        """`group[key]`."""
        self.left -= 1
        if self.left < 0:
            self.look(1)
        of, kind = type(group), type(key)
        if of is VariableArray:  # the most frequent cases come first
            if (
                kind in ATOMS
                or kind is Cells
                or (kind is tuple and ATOMS.issuperset(map(type, key)))
            ):
                member = group.members.get(key)
                if member is not None:
                    return member
                if (
                    kind is Cells
                    and group.arity == 1
                    and None not in (members := tuple(map(group.members.get, key)))
                ):
                    self.spend(len(members))
                    return members
        elif of in ROWS:
            if kind is int and -len(group) <= key < len(group):
                return group[key]
            if kind is slice:
                return self._part(group, key)
        elif of is Groups:
            return group.get(key, ()) if kind in ATOMS else self._group(group, key)
        elif of is dict:
            if kind in ATOMS and key in group:
                return group[key]
        elif kind is Cell and isinstance(group, Grid) and key in group.values:
            return group.values[key]
        if isinstance(group, Term):
            raise ExpressionError("an unknown cannot be indexed")
        if isinstance(key, Term):
            return self._element(group, key)
        if isinstance(group, VariableArray):
            return self._member(group, key)
        if isinstance(group, Grid):
            return self._on_board(group, key)
        if isinstance(group, Mapping):
            if self.known(key, "a key") not in group:
                raise UndefinedError(
                    f"this mapping has no key {display_text(key)}",
                    help=nearest(display_text(key), [display_text(k) for k in group]),
                )
            return group[key]
        if not (is_row(group) or isinstance(group, str | range)):
            raise ExpressionError(f"{display_text(group)} cannot be indexed")
        if isinstance(key, slice):
            return self._part(group, key)
        if not isinstance(key, int):
            places = is_row(group) and bool(group) and isinstance(group[0], Placement)
            help = (
                "the placements of a piece are .of(piece), those with a cell .through(cell)"
                if places
                else ""
            )
            raise ExpressionError(
                f"expected a number as the position, got {display_text(key)}", help=help
            )
        if not -len(group) <= key < len(group):
            where = f"positions run from 0 to {len(group) - 1}" if len(group) else "it is empty"
            lines = len(group) > 0 and key == len(group) and is_row(group[0])
            help = (
                "positions count from 0, the row and the column of a cell from 1: rows[c.row - 1]"
                if lines
                else ""
            )
            raise UndefinedError(f"there is no position {display_text(key)}: {where}", help=help)
        return group[key]

    def _group(self, groups: Groups, key: Operand) -> tuple[Operand, ...]:
        if self.symbolic(key):
            raise ExpressionError("the key of a mapping to groups cannot depend on an unknown")
        try:
            return groups.get(key, ())
        except TypeError:
            raise ExpressionError(f"{display_text(key)} cannot be a key") from None

    def through(self, groups: tuple[Operand, ...]) -> Groups:
        """Return the groups that have each thing; the things of a placement are its cells."""
        found: dict[Any, list[Any]] = {}
        for group in groups:
            known = value_type(group)
            cells = (
                known is not None and "cells" in known.attributes and not isinstance(group, Grid)
            )
            things = self.known(self.items(group.cells if cells else group), "a thing in a group")
            self.spend(2 * len(things))
            try:
                for thing in dict.fromkeys(things):
                    found.setdefault(thing, []).append(group)
            except TypeError:
                raise ExpressionError(
                    f"{display_text(group)} is not a group of things: a thing in it cannot be a key"
                ) from None
        return Groups((thing, tuple(having)) for thing, having in found.items())

    def _pieces(self, places: tuple[Operand, ...]) -> Groups:
        found: dict[Any, list[Any]] = {}
        for place in self.items(places):
            if not isinstance(place, Placement):
                raise ExpressionError(
                    f"only placements of shapes have .of(…), got {display_text(place)}"
                )
            found.setdefault(place.piece, []).append(place)
        return Groups((piece, tuple(of)) for piece, of in found.items())

    def index_of(
        self, row: tuple[Operand, ...], name: str
    ) -> Callable[[Operand], tuple[Operand, ...]]:
        """Return `row.through`, the groups that have a thing, or `row.of`, the placements of a
        piece.
        """
        known = self.indexes.get((name, id(row)))
        if known is None:
            known = row, self.through(self.items(row)) if name == "through" else self._pieces(row)
            if (
                len(self.indexes) >= INDEXES
            ):  # a row that is made anew in each turn of a loop is not worth keeping
                self.indexes.pop(next(iter(self.indexes)))
            self.indexes[name, id(row)] = known
        index = known[1]

        def found(key: DataValue) -> tuple[Operand, ...]:
            return self._group(index, key)

        found.__name__ = name
        return found

    def _part(self, group: Operand, key: slice) -> Operand:
        part = group[key]
        self.spend(len(part) if is_row(part) else len(part) >> 4)
        return part

    def _member(self, family: VariableArray, key: Operand) -> Operand:
        if self.symbolic(key):
            parts = key if is_row(key) and len(key) == family.arity else ()
            unknown = [place for place, part in enumerate(parts) if isinstance(part, Term)]
            if len(unknown) != 1:
                raise ExpressionError("only one part of an index may depend on an unknown")
            place = unknown[0]
            self.spend(len(family))
            fitting = {
                index[place]: member
                for index, member in family.members.items()
                if all(at == place or part == own for at, (part, own) in enumerate(zip(key, index)))
            }
            return self._element(fitting, key[place])
        found = family.at(key)
        if isinstance(found, tuple):
            self.spend(len(found))
        return found

    def _on_board(self, board: Grid, key: Operand) -> Operand:
        if isinstance(key, Cell):
            if key not in board.values:
                raise UndefinedError(f"this board has no cell {key}")
            return board.values[key]
        if not isinstance(key, tuple | frozenset):
            raise ExpressionError(
                f"expected a cell as the index of a board, got {display_text(key)}"
            )
        if (
            isinstance(key, tuple)
            and ONLY_CELLS.issuperset(map(type, key))
            and board.values.keys() >= set(key)
        ):
            self.spend(2 * len(key))
            return tuple(map(board.values.__getitem__, key))
        return tuple(self.index(board, cell) for cell in self.iterate(key))

    def _element(self, group: Operand, key: Term) -> Term:
        match group:
            case VariableArray():
                pairs = dict(group.members)
            case Grid():
                pairs = dict(group.values)
            case Mapping():
                pairs = dict(group)
            case tuple() | str() | range():
                pairs = self._positions(tuple(self.iterate(group)), key)
            case _:
                raise ExpressionError(f"{display_text(group)} cannot be indexed")
        self.spend(len(pairs))
        kinds = self.kinds.of(key)
        if not pairs or (
            kinds is not None and all(kinds.isdisjoint(self.kinds.of(at) or kinds) for at in pairs)
        ):
            raise ExpressionError(
                f"no value that {display_text(key)} may take is an index of {display_text(group)}"
            )
        possible = self.kinds.possible(key)
        if possible is None or not pairs.keys() >= set(possible):
            self.demands.append(Member(key, frozenset(pairs)))
        return Element(tuple(pairs), tuple(self.term(item) for item in pairs.values()), key)

    def _positions(self, row: tuple[Operand, ...], key: Term) -> dict[int, Operand]:
        """Return the items at positions that the key may take; negative ones count from the end."""
        possible = self.kinds.possible(key)
        reached = [at for at in range(-len(row), len(row)) if possible is None or at in possible]
        return {at: row[at] for at in reached or range(len(row))}

    def sliced(self, start: Operand, stop: Operand, step: Operand) -> slice:
        """Return the slice of a subscript. Its ends must be known."""
        ends = [
            None if end is None else self.whole(end, "the end of a slice")
            for end in (start, stop, step)
        ]
        if ends[2] == 0:
            raise ExpressionError("the step of a slice cannot be 0")
        return slice(*ends)

    def with_default(self, group: Operand) -> Callable[[Operand, Operand], Operand]:
        """Return `group.at`."""

        def at(key: DataValue, default: Operand) -> Operand:
            """Return `group[key]`, or the default if nothing stands there or the key is None."""
            if self.symbolic(key):
                help = (
                    "write x[key]: a rule that evaluates an index at which nothing stands"
                    " does not hold"
                )
                raise ExpressionError("the key of .at(…) cannot depend on an unknown", help=help)
            if key is None or not self._among_keys(group, key):
                return default
            return self.index(group, key)

        return at

    def _among_keys(self, group: Operand, key: DataValue) -> bool:
        """Return whether something stands at a known key.

        Raises:
            ExpressionError: No key of the group is like this one.
        """
        if isinstance(group, tuple | range | str):
            if not isinstance(key, int):
                raise ExpressionError(f"expected a number as the position, got {display_text(key)}")
            return 0 <= key < len(group)
        if isinstance(group, Grid):
            if not isinstance(key, Cell):
                raise ExpressionError(
                    f"expected a cell as the index of a board, got {display_text(key)}"
                )
            return key in group.values
        members = group.members if isinstance(group, VariableArray) else group
        try:
            if key in members:
                return True
        except TypeError:
            raise ExpressionError(f"expected a single key, got {display_text(key)}") from None
        if (
            isinstance(group, VariableArray)
            and group.arity > 1
            and not (is_row(key) and len(key) == group.arity)
        ):
            raise ExpressionError(
                f"{group.name} has {group.arity} indexes,"
                " which .at(…) takes as one row: .at((i, j), …)"
            )
        depth = _depth(key)
        if depth and members and all(_depth(other) != depth for other in members):
            raise ExpressionError(
                f"expected a single key, got {display_text(key)}",
                help="write a loop: [x.at(key, 0) for key in …]",
            )
        return False

    def attribute(self, value: Operand, name: str) -> Operand:
        """Return `value.name`, if the registered type of the value lists this attribute."""
        self.left -= 1
        if type(value) is Cell and name in NUMBERED and self.left >= 0:  # the most frequent case
            return value[NUMBERED[name]]
        if self.left < 0:
            self.look(1)
        if name == "at" and isinstance(value, KEYED) and not isinstance(value, POINTS):
            return self.with_default(value)
        if name in INDEXED and is_row(value):
            return self.index_of(value, name)
        known = value_type(value)
        if known is not None and known.attributes:
            if name not in known.attributes:
                raise ExpressionError(
                    f"a {known.type.__name__.lower()} has no .{name[:40]}",
                    help=nearest(name[:40], known.attributes),
                )
            if (
                name in CALCULATED
                and isinstance(value, Grid)
                and BEHIND.get(name, name) not in vars(value)
            ):
                self.spend(CALCULATED[name] * len(value))
            return getattr(value, name)
        unknown = isinstance(value, Term)
        help = (
            "a value that is not known yet has no attributes"
            if unknown
            else "only the documented attributes can be used"
        )
        raise ExpressionError(f"{display_text(value)} has no .{name[:40]}", help=help)

    # calls

    def call(self, function: Operand, /, *arguments: Operand, **words: Operand) -> Operand:
        """Call a function of the language or a method of a value."""
        self.left -= 1
        if self.left < 0:
            self.look(1)
        method = self._methods.get(function.__func__) if type(function) is MethodType else None
        if method is None:
            if not callable(function) or isinstance(function, type):
                help = (
                    "a row has no (…): write [0] for its first item, or loop over it"
                    if is_row(function)
                    else ""
                )
                help = f"write {function.name}[…]" if isinstance(function, VariableArray) else help
                raise ExpressionError(f"{display_text(function)} is not a function", help=help)
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
                raise ExpressionError(wrong[0], help=wrong[1]) from None
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

    def once(
        self, results: MutableMapping[int, Operand], number: int, call: Callable[[], Operand]
    ) -> Operand:
        """Return the result of a call that is the same in each turn of a loop.

        A stream is made anew, and so is what is drawn at random or has a value only under a
        condition.
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
    """Return why a function does not take so many arguments and these words, and how to write it.

    Returns:
        The message and the help; None if the function takes them.
    """
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


def _sum(left: Term, right: Term, sign: int) -> Sum:
    """Return left + sign · right. A short sum on the left is extended, not nested."""
    parts: list[tuple[int, Term]] = [(1, left)]
    constant = 0
    if isinstance(left, Constant):
        parts, constant = [], int(left.constant)
    elif isinstance(left, Sum) and len(left.weighted) < MERGED_TERMS:
        parts, constant = list(left.weighted), left.constant
    if isinstance(right, Constant):
        return Sum(tuple(parts), constant + sign * int(right.constant))
    return Sum((*parts, (sign, right)), constant)


def _factors(term: Term) -> list[Term]:
    if isinstance(term, Operation) and term.operator == "*":
        return [factor for operand in term.operands for factor in _factors(operand)]
    return [term]


def _scale(value: DataValue) -> type | None:
    """Return the only type that the value can be compared with; None if there are others."""
    if isinstance(value, Grid):
        return Grid
    known = value_type(value)
    return known.type if known is not None and known.scale else None


def _among(item: DataValue, members: Container[DataValue]) -> bool:
    """Return whether a known value is among others. A text equals the row of its characters."""
    if item in members:
        return True
    if isinstance(item, str):
        return tuple(item) in members
    if not is_row(item):
        return False
    if all(isinstance(part, str) for part in item) and "".join(item) in members:
        return True
    return (
        isinstance(members, tuple)
        and any(is_row(part) or isinstance(part, str) for part in item)
        and any(same(item, member) for member in members)
    )


def _depth(key: DataValue) -> int:
    """Return how deeply rows are nested in a key."""
    depth = 0
    while is_row(key):
        depth += 1
        key = key[0] if key else None
    return depth
