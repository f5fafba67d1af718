"""The interpreter of expressions: what compiled expressions call in place of their operators.

The operations compute with values and build terms of unknowns. Each one counts steps for the loop
turns and the members of values that it builds or searches, so every expression is bounded.

Each class that the interpreter extends has the operations of one module, which need only those
before: the budget of steps (`budget`), operands, conditions, comparisons and indexing.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, MutableMapping
from types import FunctionType, GeneratorType, MethodType
from typing import Any

from puzzlekit.boards import Cell, Cells, Grid
from puzzlekit.errors import nearest
from puzzlekit.lang.aliases import DataValue, Operand
from puzzlekit.lang.expressions.draws import RandomChoices
from puzzlekit.lang.expressions.indexing import INDEXES, Indexer
from puzzlekit.lang.expressions.values import (
    ATOMS,
    POINTS,
    ExpressionError,
    VariableArray,
    display_text,
    is_number,
    is_row,
    value_type,
)
from puzzlekit.model import Constant, Operation, Sum, Term

NUMBER_BITS = 512  # of a computed number
MERGED_TERMS = 50  # of a sum that grows in place

SIGNS: Mapping[str, Callable[[DataValue, DataValue], DataValue]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
}

# Functions, methods and attributes
KEYED = (VariableArray, Grid, Mapping, tuple, range, str)  # what `.at` looks into
LAZY = frozenset({"any", "all", "first"})  # functions that may stop reading a loop early
CACHED_METHODS = frozenset({"through", "of", "links", "sides"})  # which build nothing when called
SLICED = frozenset({"rays"})  # methods whose results are pieces of rows, copied at once
NUMBERED = {"row": 0, "column": 1}  # attributes of cells
INDEXED = frozenset({"through", "of"})  # attributes of rows
# attributes of boards that are computed on first use: steps per cell
CALCULATED = dict.fromkeys(
    ("diagonals", "all_diagonals", "rows", "columns", "given", "regions", "adjacent", "touching"),
    16,
)
CALCULATED |= {"numbers": 4, "having": 4}
CALCULATED |= {"edges": 48, "corners": 48, "sides": 48, "links": 24}
# the names under which a board stores them
STORED_AS = {"edges": "_sides_of", "corners": "_cells_at", "sides": "_sides_of", "links": "_links"}


class Interpreter(Indexer):
    """Evaluates the expressions of one run, on values and on unknowns.

    A compiled expression calls these methods in place of its operators: `names` says which. An
    operation on values returns a value; one on unknowns returns a term of the model.

    Args:
        max_evaluations: The most steps of the run, by default the limit on rules; 0 for no bound.

    Attributes:
        cached: Results of functions that are cached for the run, by function.
        draws: The random choices; None where nothing may be chosen at random.
        unsquare_boards: Boards that link cells not as squares are, and the functions that built
            them.
    """

    def __init__(self, max_evaluations: int | None = None) -> None:
        super().__init__(max_evaluations)
        self.cached: dict[Hashable, Any] = {}
        self.unsquare_boards: list[tuple[str, Grid]] = []
        self.draws: RandomChoices | None = None
        # of each function called, unbound: whether a value's type has it
        self._methods: dict[Callable[..., Any], bool] = {}

    def names(self) -> dict[str, Any]:
        """Return the operations by the names that rewritten expressions call."""
        lookups = {
            "_index": self.index,
            "_at": self.index_or,
            "_slice": self.sliced,
            "_attribute": self.attribute,
        }
        return {
            "__builtins__": {},
            **lookups,
            "_and": self.conjunction,
            "_or": self.disjunction,
            "_not": self.negate,
            "_compare": self.compare,
            "_chain": self.chain,
            "_binary": self.binary,
            "_choose": self.choose,
            "_call": self.call,
            "_once": self.once,
            "_iterate": self.iterate,
            "_expand": self.expand,
            "_test": self.test,
            "_row": self.make_row,
            "_set": self.make_set,
            "_dict": self.make_mapping,
        }

    # comprehensions and displays

    def expand(
        self, loops: Callable[[], Iterable[tuple[Operand, ...]]]
    ) -> Iterable[tuple[Operand, ...]]:
        """Return the loop variables' values of an expression that is repeated for each of them."""
        return loops()

    def make_row(self, members: Iterator[Operand]) -> tuple[Operand, ...]:
        """Return a row of the values of a comprehension."""
        return tuple(members)

    def make_set(self, members: Iterable[Operand]) -> frozenset[DataValue]:
        """Return a set. Its members must be fixed, because it depends on which are equal."""
        return frozenset(self.require_fixed(member, "a member of a set") for member in members)

    def make_mapping(self, pairs: Iterable[tuple[Operand, Operand]]) -> dict[Operand, Operand]:
        """Return a mapping. Its keys must be fixed."""
        return {self.require_fixed(key, "a key"): value for key, value in pairs}

    # arithmetic

    def binary(self, sign: str, left: Operand, right: Operand) -> Operand:
        """`+ - * // %` of numbers.

        `+` also joins rows or mappings, `*` repeats rows, `-` subtracts sets.
        """
        self.remaining -= 1
        if self.remaining < 0:
            self.check_bounds(1)
        if type(left) is int and type(right) is int and sign != "*":
            return SIGNS[sign](left, right)
        if isinstance(left, Term) or isinstance(right, Term):
            return self._arithmetic(sign, self.number(left), self.number(right))
        if is_number(left) and is_number(right):
            if sign == "*" and left.bit_length() + right.bit_length() > NUMBER_BITS:
                raise ExpressionError(f"this number has more than {NUMBER_BITS} bits")
            return SIGNS[sign](left, right)
        return self._combine_collections(sign, left, right)

    def _arithmetic(self, sign: str, left: Term, right: Term) -> Term:
        self.spend(2)
        if sign in "+-":
            return _sum(left, right, 1 if sign == "+" else -1)
        if sign == "*":
            for number, term in ((left, right), (right, left)):
                if isinstance(number, Constant):
                    return Sum(((int(number.constant), term),))
            return Operation("*", (left, right))
        if not isinstance(right, Constant):
            cure = f"any(b == k and a {sign} k == c for k in range(1, n + 1))"
            raise ExpressionError(
                f"the right side of {sign} cannot depend on an unknown;"
                f" for a {sign} b == c, write {cure}"
            )
        if right.constant == 0:
            raise ZeroDivisionError
        return Operation("//" if sign == "//" else "%", (left, right))

    def _combine_collections(self, sign: str, left: Operand, right: Operand) -> Operand:
        """Join rows, texts or mappings, repeat a row or a text, or subtract a set from a set."""
        if sign == "+":
            if _joins_as_row(left) and _joins_as_row(right):
                self.spend(len(left) + len(right))
                if isinstance(left, str) and isinstance(right, str):
                    return left + right
                return tuple(left) + tuple(right)
            if isinstance(left, Mapping) or isinstance(right, Mapping):
                return self._join_mappings(left, right)
        if sign == "-" and isinstance(left, frozenset) and isinstance(right, frozenset):
            self.symbolic((left, right))  # spends the steps
            return left - right
        if sign == "*":
            row, times = (right, left) if isinstance(left, int) else (left, right)
            if (isinstance(row, str) or is_row(row)) and isinstance(times, int):
                self.spend(len(row) * max(times, 0))
                return row * times if isinstance(row, str) else tuple(row) * times
        raise _undefined_operation(sign, left, right)

    def _join_mappings(self, left: Operand, right: Operand) -> dict[Operand, Operand]:
        """Return the mapping with the keys of both; unknowns of a name are a mapping, too."""
        first, second = (
            side.members if isinstance(side, VariableArray) else side for side in (left, right)
        )
        if not isinstance(first, Mapping) or not isinstance(second, Mapping):
            raise _undefined_operation("+", left, right)
        self.spend(2 * (len(first) + len(second)))
        for key in second:
            if key in first:
                raise ExpressionError(f"both mappings have the key {display_text(key)}")
        return {**first, **second}

    # attributes

    def attribute(self, owner: Operand, name: str) -> Operand:
        """Return `owner.name`, if the registered type of the owner lists this attribute."""
        self.remaining -= 1
        if type(owner) is Cell and name in NUMBERED and self.remaining >= 0:  # the most frequent
            return owner[NUMBERED[name]]
        if self.remaining < 0:
            self.check_bounds(1)
        if name == "at" and (
            type(owner) is VariableArray
            or (isinstance(owner, KEYED) and not isinstance(owner, POINTS))
        ):
            return self.with_default(owner)
        if name in INDEXED and is_row(owner):
            return self.index_of(owner, name)
        type_ = value_type(owner)
        if type_ is None or not type_.attributes:
            help = "only the documented attributes can be used"
            if isinstance(owner, Term):
                help = "a value that is not known yet has no attributes"
            raise ExpressionError(f"{display_text(owner)} has no .{name[:40]}", help=help)
        if name not in type_.attributes:
            raise ExpressionError(
                f"a {type_.type.__name__.lower()} has no .{name[:40]}",
                help=nearest(name[:40], type_.attributes),
            )
        computed = name in CALCULATED and isinstance(owner, Grid)
        if computed and STORED_AS.get(name, name) not in vars(owner):
            self.spend(CALCULATED[name] * len(owner))
        return getattr(owner, name)

    # calls

    def call(self, function: Operand, /, *arguments: Operand, **words: Operand) -> Operand:
        """Call a function of the language or a method of a value."""
        self.remaining -= 1
        if self.remaining < 0:
            self.check_bounds(1)
        class_ = type(function)
        is_method = self._methods.get(function.__func__) if class_ is MethodType else None
        if is_method is None:
            is_method = class_ is not FunctionType and self._is_method(function)
        plain = not is_method or (not words and ATOMS.issuperset(map(type, arguments)))
        if not plain and (self.symbolic(arguments) or self.symbolic(words)):
            raise ExpressionError(
                f"the arguments of {function.__name__} cannot depend on an unknown"
            )
        for argument in arguments:
            if type(argument) is GeneratorType and function.__name__ not in LAZY:
                arguments = tuple(map(self.as_row, arguments))
                break
        try:
            returned = function(*arguments, **words)
        except TypeError:
            mistake = misfit(function, len(arguments), words)
            if mistake is None:
                raise
            message, help = mistake
            raise ExpressionError(message, help=help) from None
        if is_method and type(returned) is tuple and function.__name__ not in CACHED_METHODS:
            self._spend_on_row(returned, function.__name__ in SLICED)
        return returned

    def index_or(self, group: Operand, key: Operand, default: Operand) -> Operand:
        """`group.at(key, default)`; an unknown of a name is the most frequent case."""
        if type(group) is VariableArray:
            key_class = type(key)
            if key_class in INDEXES or (key_class is tuple and ATOMS.issuperset(map(type, key))):
                member = group.members.get(key)
                if member is not None:
                    self.spend(3)
                    return member
        return self.call(self.attribute(group, "at"), key, default)

    def _is_method(self, function: Operand) -> bool:
        """Return whether a function is a method of a value. Raises ExpressionError if it is no
        function.
        """
        if not callable(function) or isinstance(function, type):
            help = ""
            if isinstance(function, VariableArray):
                help = f"write {function.name}[…]"
            elif is_row(function):
                help = "a row has no (…): write [0] for its first item, or loop over it"
            raise ExpressionError(f"{display_text(function)} is not a function", help=help)
        owner = value_type(getattr(function, "__self__", None))
        is_method = owner is not None and bool(owner.attributes)
        if type(function) is MethodType:
            self._methods[function.__func__] = is_method
        return is_method

    def _spend_on_row(self, row: tuple[Operand, ...], sliced: bool) -> None:
        """Spend the steps for a row that a method built, and for the groups of cells in it."""
        steps = len(row)
        if Cells in set(map(type, row)):
            lengths = [len(group) for group in row if type(group) is Cells]
            steps += sum((length >> 4 if sliced else 3 * length) + 5 for length in lengths)
        self.spend(steps)

    def once(
        self, results: MutableMapping[int, Operand], number: int, call: Callable[[], Operand]
    ) -> Operand:
        """Return the result of a call that is the same in each turn of a loop.

        A stream is created anew, and so is what is chosen at random or has a value only under a
        condition.
        """
        if number in results:
            return results[number]
        before = self._effects()
        returned = call()
        if type(returned) is not GeneratorType and self._effects() == before:
            results[number] = returned
        return returned

    def _effects(self) -> tuple[int, int]:
        """Return the numbers of demands and of random choices so far."""
        return len(self.demands), 0 if self.draws is None else self.draws.requests


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
        parameters = [str(parameter).split(":")[0] for parameter in signature.parameters.values()]
        name = function.__name__
        return f"{name}: {error}", f"write {name}({', '.join(parameters)})"
    return None


def _sum(left: Term, right: Term, sign: int) -> Sum:
    """Return left + sign · right. A short sum on the left is extended, not nested."""
    weighted: list[tuple[int, Term]] = [(1, left)]
    constant = 0
    if isinstance(left, Constant):
        weighted, constant = [], int(left.constant)
    elif isinstance(left, Sum) and len(left.weighted) < MERGED_TERMS:
        weighted, constant = list(left.weighted), left.constant
    if isinstance(right, Constant):
        return Sum(tuple(weighted), constant + sign * int(right.constant))
    return Sum((*weighted, (sign, right)), constant)


def _joins_as_row(side: Operand) -> bool:
    return is_row(side) or isinstance(side, str | range | VariableArray)


def _undefined_operation(sign: str, left: Operand, right: Operand) -> ExpressionError:
    sides = f"{display_text(left)} and {display_text(right)}"
    return ExpressionError(f"{sign} is not defined for {sides}")
