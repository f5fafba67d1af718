"""Conditions in expressions: joined by `and` and `or`, negated, and chosen by.

The value at an index that a solution chooses may be undefined. The conditions under which all
indexes are defined are collected as demands: a rule holds only if its demands do (the relational
semantics of Frisch and Stuckey, "The Proper Treatment of Undefinedness in Constraint Languages",
2009).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from puzzlekit.lang.aliases import Condition, Operand
from puzzlekit.lang.expressions.operands import BOOLS, VARIABLES, OperandReader
from puzzlekit.lang.expressions.values import ExpressionError, VariableArray, display_text, is_row
from puzzlekit.model import And, Comparison, IfElse, Not, Or, Term, Variable

# the most frequent types of conditions
PLAIN_CONDITIONS = frozenset({bool, And, Comparison, Not, Or})


class ConditionBuilder(OperandReader):
    """Joins conditions, and chooses by them.

    Attributes:
        demands: What must hold for all indexes so far to have a value.
    """

    def __init__(self, max_evaluations: int | None = None) -> None:
        super().__init__(max_evaluations)
        self.demands: list[Term] = []

    def condition(self, operand: Operand) -> Condition:
        """Return a condition, a bool or a term. Raises ExpressionError for any other operand."""
        class_ = type(operand)
        if class_ in PLAIN_CONDITIONS or (class_ is Variable and operand in self.kinds.truths):
            return operand  # type: ignore[no-any-return]
        if isinstance(operand, Term) and self.kinds.truth(operand):
            return operand
        help = ""
        if isinstance(operand, int | Term):
            help = "compare the value with something"
        elif isinstance(operand, VariableArray):
            help = f"write {operand.name}[c] for one of them, all(…) or any(…) for several"
        elif is_row(operand):
            help = "write all(…) or any(…) for a row of conditions"
        raise ExpressionError(f"expected a condition, got {display_text(operand)}", help=help)

    def as_conditions(self, group: Operand) -> tuple[Condition, ...]:
        """Return the items of a collection as conditions. Each costs a step."""
        if type(group) is tuple:  # rows of values or of unknown truths are the most frequent case
            classes = {*map(type, group)}
            truths = classes == VARIABLES and self.kinds.truths.issuperset(group)
            if truths or classes == BOOLS:
                self.spend(len(group))
                return group
        return tuple(map(self.condition, self.iterate(group)))

    # and, or, not

    def conjunction(self, first: Operand, *later: Callable[[], Operand]) -> Condition:
        """`and`: evaluates the operands after the first from the left until one is false."""
        return first if first is False else self._join_later(first, later, False)

    def disjunction(self, first: Operand, *later: Callable[[], Operand]) -> Condition:
        """`or`: evaluates the operands after the first from the left until one is true."""
        return first if first is True else self._join_later(first, later, True)

    def _join_later(
        self, first: Operand, later: tuple[Callable[[], Operand], ...], decided: bool
    ) -> Condition:
        """Join conditions as `joined` does; the first one does not decide.

        Two unknowns are the most frequent case.
        """
        class_ = type(first)
        simple = class_ is bool or (class_ is Variable and first in self.kinds.truths)
        if len(later) > 1 or not simple:
            return self.joined(chain((first,), map(operator.call, later)), decided)
        if isinstance(first, bool):
            return self.condition(later[0]())
        before = len(self.demands)
        second = later[0]()
        if len(self.demands) > before:
            self._guard_demands(before, [first if decided else Not(first)])
        elif type(second) is Variable and second in self.kinds.truths:
            return Or((first, second)) if decided else And((first, second))
        return self.joined((first, second), decided)

    def joined(self, operands: Iterable[Operand], decided: bool) -> Condition:
        """Join conditions by `or` if `decided` is True, by `and` if it is False.

        They are evaluated from the left until a fixed one equals `decided`. The demands of a
        condition apply only if none before it decides.
        """
        terms: list[Term] = []
        before = len(self.demands)
        truths = self.kinds.truths
        for operand in operands:
            class_ = type(operand)
            if class_ not in PLAIN_CONDITIONS and not (class_ is Variable and operand in truths):
                operand = self.condition(operand)
            if len(self.demands) > before:
                self._guard_demands(before, [term if decided else Not(term) for term in terms])
                before = len(self.demands)
            if operand is decided:
                return decided  # type: ignore[no-any-return]
            if class_ is not bool:
                terms.append(operand)
        if not terms:
            return not decided
        if len(terms) == 1:
            return terms[0]
        return Or(tuple(terms)) if decided else And(tuple(terms))

    def negate(self, operand: Operand) -> Condition:
        """`not`."""
        class_ = type(operand)
        checked = class_ in PLAIN_CONDITIONS or (
            class_ is Variable and operand in self.kinds.truths
        )
        condition = operand if checked else self.condition(operand)
        return Not(condition) if isinstance(condition, Term) else not condition

    # demands

    def _guard_demands(self, before: int, exceptions: Sequence[Term]) -> None:
        """Let the demands after the first `before` apply only where no exception holds."""
        if exceptions:
            demands = self.demands[before:]
            self.demands[before:] = [Or((*exceptions, demand)) for demand in demands]

    def take_demands(self) -> list[Term]:
        """Return the demands so far and clear them."""
        demands = self.demands
        self.demands = []
        return demands

    # choices

    def choose(
        self, test: Operand, then: Callable[[], Operand], otherwise: Callable[[], Operand]
    ) -> Operand:
        """`then if test else otherwise`. A choice between rows is made in each position."""
        test = self.condition(test)
        if not isinstance(test, Term):
            return then() if test else otherwise()
        before = len(self.demands)
        if_true = then()
        self._guard_demands(before, [Not(test)])
        before = len(self.demands)
        if_false = otherwise()
        self._guard_demands(before, [test])
        return self._choice(test, if_true, if_false)

    def _choice(self, test: Term, then: Operand, otherwise: Operand) -> Operand:
        then, otherwise = self.as_row(then), self.as_row(otherwise)
        if is_row(then) and isinstance(otherwise, str):
            otherwise = tuple(otherwise)
        elif is_row(otherwise) and isinstance(then, str):
            then = tuple(then)
        rows = is_row(then), is_row(otherwise)
        if all(rows):
            return self._choice_of_rows(test, then, otherwise)
        has_term = isinstance(then, Term) or isinstance(otherwise, Term)
        if any(rows) and not has_term:
            raise ExpressionError("one side of this choice is a row and the other is not")
        return IfElse(test, self.term(then), self.term(otherwise))

    def _choice_of_rows(
        self, test: Term, then: tuple[Operand, ...], otherwise: tuple[Operand, ...]
    ) -> tuple[Operand, ...]:
        if len(then) != len(otherwise):
            raise ExpressionError(
                "both sides of a choice must have the same length,"
                f" got {len(then)} and {len(otherwise)}"
            )
        self.spend(len(then))
        return tuple(self._choice(test, a, b) for a, b in zip(then, otherwise))

    def test(self, operand: Operand) -> bool:
        """Evaluate the `if` of a comprehension, which must be fixed."""
        if isinstance(operand, Term):
            raise ExpressionError(
                "an if inside a comprehension cannot depend on an unknown",
                help="use implies(…), or count what holds",
            )
        return operand if type(operand) is bool else bool(self.condition(operand))
