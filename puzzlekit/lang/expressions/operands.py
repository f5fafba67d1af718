"""The operands of expressions: what they contain, the terms they become, and loops over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from types import GeneratorType, MethodType
from weakref import proxy

from puzzlekit.boards import Cell, Cells, Corner, Cycle, Grid, Placement, Shape, Side, Size
from puzzlekit.lang.aliases import DataValue, Operand
from puzzlekit.lang.expressions.budget import StepBudget
from puzzlekit.lang.expressions.inference import NUMBERS, Kinds
from puzzlekit.lang.expressions.values import (
    ATOMS,
    ExpressionError,
    Runs,
    VariableArray,
    display_text,
    in_order,
    is_number,
    value_type,
)
from puzzlekit.model import Constant, Term, Value, Variable

# Classes of operands
UNKNOWN = (Term, Runs)
ROWS_OR_SETS = (tuple, frozenset)
STREAMS = (VariableArray, range, GeneratorType)
# what a loop may run over, besides registered types
COLLECTIONS = (tuple, frozenset, range, str, Grid, VariableArray, Mapping)
CHOOSABLE = (int, str, tuple, Placement)  # what unknowns may take, besides registered types
ATOMS.update({int, bool, type(None), Cell, Corner, Side, Size, range, Placement, Shape})
BOOLS, VARIABLES, ONLY_CELLS = frozenset({bool}), frozenset({Variable}), frozenset({Cell})


class OperandReader(StepBudget):
    """Reads the operands of expressions within a budget of steps.

    Attributes:
        kinds: Infers the kinds of value that unknowns may take.
        settled: Whether rules run on the values of a solution, or on the data alone.
        solved: Whether they run on the values of a solution: then no value contains an unknown.
    """

    def __init__(self, max_evaluations: int | None = None) -> None:
        super().__init__(max_evaluations)
        # a reference cycle would keep what a solve has made until the collector runs
        budget = proxy(self)
        self.kinds = Kinds(lambda amount: budget.spend(amount))
        self.settled = False
        self.solved = False

    # what an operand contains

    def symbolic(self, operand: Operand) -> bool:
        """Return whether the operand contains an unknown.

        Each member costs a step, so the caller may go through the operand once more without
        counting.
        """
        class_ = type(operand)
        if self.solved or class_ in ATOMS:
            return False
        if class_ is Variable:
            return True
        if class_ is Cells or class_ is Cycle or class_ is str:
            self.spend(len(operand) >> 4)
            return False
        members: Iterable[Operand] = operand
        if class_ is tuple:  # `isinstance` takes longer
            self.spend(len(operand))
        elif isinstance(operand, UNKNOWN):
            return True
        elif isinstance(operand, ROWS_OR_SETS):
            self.spend(len(operand))
        elif isinstance(operand, Mapping):
            self.spend(2 * len(operand))
            members = chain.from_iterable(operand.items())
        elif isinstance(operand, VariableArray | Grid):
            self.spend(len(operand))
            if isinstance(operand, Grid) and operand.has_no_unknowns:
                return False
        else:
            return False
        for member in members:  # noqa: SIM110 (a generator takes longer)
            if type(member) not in ATOMS and self.symbolic(member):
                return True
        return False

    def require_fixed(self, operand: Operand, subject: str) -> DataValue:
        """Return an operand without unknowns. Raises ExpressionError, which calls it `subject`."""
        if self.symbolic(operand):
            raise ExpressionError(f"{subject} cannot depend on an unknown")
        return operand

    def whole_number(self, operand: Operand, subject: str) -> int:
        """Return the operand as an int. Raises ExpressionError unless it is a whole number."""
        if isinstance(operand, Term):
            raise ExpressionError(f"{subject} cannot depend on an unknown")
        if not isinstance(operand, int):
            text = display_text(operand)
            raise ExpressionError(f"expected a whole number as {subject}, got {text}")
        return int(operand)

    # terms of the model

    def term(self, operand: Operand) -> Term:
        """Return the operand as a term. Raises ExpressionError unless an unknown can take it."""
        if isinstance(operand, Term):
            return operand
        choosable = isinstance(operand, CHOOSABLE)
        if not choosable:
            type_ = value_type(operand)
            choosable = type_ is not None and type_.choosable
        if not choosable or self.symbolic(operand):
            message = f"expected a value, got {display_text(operand)}"
            raise ExpressionError(message, help=_help_for_no_value(operand))
        return Constant(operand)

    def number(self, operand: Operand) -> Term:
        """Return a number as a term. Raises ExpressionError if the operand is not a number."""
        if type(operand) is Variable and operand in self.kinds.truths:  # the most frequent case
            return operand
        if is_number(operand):
            return Constant(operand)
        if not isinstance(operand, Term):
            raise ExpressionError(f"expected a number, got {display_text(operand)}")
        if self.kinds.of(operand) not in (NUMBERS, None):
            text = "an expression that is not a number"
            if isinstance(operand, Variable):
                text = f"{operand}, which is not a number"
            raise ExpressionError(f"expected a number, got {text}")
        return operand

    def possible(self, operand: Operand) -> tuple[Value, ...]:
        """Return the values that a value or a term may take. Raises ExpressionError."""
        if not isinstance(operand, Term):
            return (self.term(operand).value({}),)
        values = self.kinds.possible(operand)
        if values is None:
            message = "expected an unknown, got a value computed from unknowns"
            help = "declare an auxiliary unknown that equals it, and use that"
            raise ExpressionError(message, help=help)
        self.spend(len(values))
        return values

    # loops and collections

    def as_row(self, operand: Operand) -> Operand:
        """Return unknowns of a name, a range or a loop as a row; any other operand unchanged."""
        if isinstance(operand, STREAMS):
            return tuple(self.iterate(operand))
        return operand

    def iterate(self, group: Operand, weight: int = 1) -> Iterable[Operand]:
        """Return the items of a collection. Each costs `weight` steps.

        The weight is more than 1 if each turn of the loop builds a large value.
        """
        if isinstance(group, GeneratorType):  # its own loops spend the steps
            return group
        if not isinstance(group, COLLECTIONS):
            type_ = value_type(group)
            if type_ is None or not type_.collection:
                raise _no_collection(group)
        self.spend(len(group) * weight)
        return in_order(group) if isinstance(group, frozenset) else group

    def items(self, group: Operand) -> tuple[Operand, ...]:
        """Return the items of a collection as a row. Each costs a step."""
        return tuple(self.iterate(group))


def _help_for_no_value(operand: Operand) -> str:
    """Return what to write instead of an operand that no unknown can take."""
    if operand is None:
        return "no unknown is ever None: write another value, such as 0"
    class_ = type(operand)
    if class_.__module__.startswith(("builtins", "puzzlekit.")):
        return ""
    return f"its library must register {class_.__name__} with choosable=True"


def _no_collection(operand: Operand) -> ExpressionError:
    """Return the error for a loop over an operand that is not a collection."""
    text = "an unknown" if isinstance(operand, Variable) else display_text(operand)
    help = ""
    if isinstance(operand, list):
        help = "a function of a library must return a tuple instead"
    elif isinstance(operand, Runs):
        help = "compare runs(…) with known rows of lengths, by == or in"
    elif isinstance(operand, MethodType):
        help = f"write its arguments after it: {operand.__name__}(…)"
    return ExpressionError(f"expected a collection to loop over, got {text}", help=help)
