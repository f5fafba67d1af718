"""Satisfiability modulo theories, by z3-solver: every node of the model.

A variable is a row of booleans, one a value, exactly one of them true (a bool is one boolean). Tables, counts and sums over
them go to Z3's finite-domain solver as clauses and pseudo-boolean constraints; only arithmetic that is not linear makes
integers, and then the general solver is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, cast

import z3

from puzzlekit.backends.base import Backend, Budget
from puzzlekit.errors import Refused, Stopped, Undecided
from puzzlekit.model import (
    COMPARISONS,
    AllDifferent,
    And,
    Apply,
    Cardinality,
    Comparison,
    Component,
    Constant,
    Constraint,
    Element,
    IfElse,
    Linear,
    Member,
    Model,
    Node,
    Not,
    Operation,
    Or,
    Sum,
    Table,
    Term,
    Value,
    Values,
    Variable,
)
from puzzlekit.passes.normalise import linear_form, literal_of

Choices = dict[Value, Any]  # the values that a term may take, each with the condition under which it does


class Z3(Backend):
    """Satisfiability modulo theories, by z3-solver."""

    name = "z3"
    about = "satisfiability modulo theories by z3-solver; every kind of rule"

    def answers(self, model: Model, budget: Budget) -> Iterator[Values]:
        """Ask, forbid the answer, ask again; stop when the solver proves there is no more."""
        translation = _Translation(model)
        visible = model.visible()
        while (values := translation.ask(budget)) is not None:
            yield values
            translation.solver.add(z3.Not(z3.And([translation.literal(v, values[v]) for v in visible])))

    def improve(self, model: Model, budget: Budget) -> Iterator[Values]:
        """Ask, demand better, ask again; the last is optimal when the solver proves that nothing is better."""
        assert model.goal is not None, "improve needs a goal"
        translation = _Translation(model)
        while (values := translation.ask(budget)) is not None:
            yield values
            reached = Constant(model.goal.term.value(values))
            sides = (reached, model.goal.term) if model.goal.maximise else (model.goal.term, reached)
            translation.solver.add(translation.comparison(Comparison("<", *sides)))


class _Translation:
    """One model in Z3's terms."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.integers = False
        self.facts: list[Any] = []
        self.literals: dict[Variable, Choices] = {}
        for number, (variable, domain) in enumerate(model.domains.items()):
            self.literals[variable] = self._choices_of(number, domain)
        for constraint in model.constraints:
            self._post(constraint)
        goal_is_linear = model.goal is None or self._weighted(model.goal.term) is not None
        plain = not self.integers and goal_is_linear
        self.solver = z3.SolverFor("QF_FD") if plain else z3.Solver()
        self.solver.add(*self.facts)

    def ask(self, budget: Budget) -> Values | None:
        """An answer, or None if the solver proves that there is none (left)."""
        left = budget.left()
        if left is not None:
            self.solver.set("timeout", max(1, int(left * 1000)))
        budget.step()
        outcome = self.solver.check()
        if outcome == z3.unsat:
            return None
        if outcome == z3.unknown:
            reason = str(self.solver.reason_unknown())
            if "interrupt" in reason or "cancel" in reason:
                if budget.left() == 0:
                    raise Stopped("the time is up")
                raise KeyboardInterrupt
            if "timeout" in reason or budget.left() == 0:
                raise Stopped("the time is up")
            raise Undecided(f"z3 gives up: {reason}")
        found = self.solver.model()
        return {
            variable: next(v for v, holds in choices.items() if z3.is_true(found.eval(holds, model_completion=True)))
            for variable, choices in self.literals.items()
        }

    def _choices_of(self, number: int, domain: Sequence[Value]) -> Choices:
        if len(domain) == 1:
            return {domain[0]: z3.BoolVal(True)}
        if len(domain) == 2:
            one = z3.Bool(f"v{number}")
            return {domain[0]: z3.Not(one), domain[1]: one}
        each = [z3.Bool(f"v{number}_{code}") for code in range(len(domain))]
        self.facts += [z3.Or(each), z3.AtMost(*each, 1)]
        return dict(zip(domain, each))

    def literal(self, variable: Variable, value: Value) -> Any:
        """The condition that the variable has this value."""
        return self.literals[variable].get(value, _FALSE)

    def _post(self, constraint: Constraint) -> None:
        match constraint.condition:
            case Table() as table if all(isinstance(term, Variable) for term in table.terms):
                self._table(table)
            case condition:
                try:
                    self.facts.append(self.condition(condition))
                except Refused as refusal:
                    raise Refused(f"{constraint.origin}: {refusal}") from None

    def _table(self, table: Table) -> None:
        """A boolean a row; the true one fixes its values, and a value needs a row that is true."""
        rows = [z3.FreshBool("row") for _ in table.rows]
        self.facts.append(z3.Or(rows))
        for position, term in enumerate(table.terms):
            support: dict[Value, list[Any]] = {}
            for row, code in zip(rows, table.rows[:, position].tolist()):
                support.setdefault(table.books[position][code], []).append(row)
            for value, holds in self.literals[cast(Variable, term)].items():
                supported = support.get(value, [])
                self.facts.append(z3.Implies(holds, z3.Or(supported)))
                self.facts += [z3.Implies(row, holds) for row in supported]

    def condition(self, term: Term) -> Any:
        """A term whose value is a bool."""
        node = cast(Node, term)
        match node:
            case Constant(value):
                return z3.BoolVal(bool(value))
            case Not(inner):
                return z3.Not(self.condition(inner))
            case And(conditions):
                return z3.And([self.condition(part) for part in conditions])
            case Or(conditions):
                return z3.Or([self.condition(part) for part in conditions])
            case Comparison():
                return self.comparison(node)
            case Member(inner, members):
                return z3.Or([holds for value, holds in self.choices(inner).items() if value in members])
            case AllDifferent(terms):
                return self._all_different(terms)
            case Cardinality(literals, low, high):
                return self._between([(self.literal(variable, value), 1) for variable, value in literals], low, high)
            case Linear(weighted, lowest, highest):
                return self._bounded(*self._pairs(weighted), lowest, highest)
            case Table(terms):
                return z3.Or([self._row(table_row, node) for table_row in node.rows.tolist()])
            case Variable() | Sum() | Operation() | IfElse() | Element() | Apply() | Component():
                return self.choices(node).get(True, _FALSE)

    def _row(self, row: Sequence[int], table: Table) -> Any:
        parts = zip(table.terms, row, table.books)
        return z3.And([self.choices(term).get(book[code], _FALSE) for term, code, book in parts])

    def _all_different(self, terms: Sequence[Term]) -> Any:
        every = [self.choices(term) for term in terms]
        values = dict.fromkeys(value for choices in every for value in choices)
        facts = []
        for value in values:
            holders = [choices[value] for choices in every if value in choices]
            facts.append(z3.AtMost(*holders, 1))
            if len(values) == len(terms):
                facts.append(z3.Or(holders))
        return z3.And(facts)

    def comparison(self, term: Comparison) -> Any:
        """A comparison: of sums as a pseudo-boolean constraint, of values by what they may be, else of integers."""
        operator, left, right = term.operator, term.left, term.right
        if isinstance(left, Sum) or isinstance(right, Sum):
            weighted = self._weighted(Sum(((1, left), (-1, right))))
            if weighted is not None:
                pairs, constant = weighted
                if operator in ("==", "!="):
                    equal = self._bounded(pairs, constant, 0, 0)
                    return equal if operator == "==" else z3.Not(equal)
                return self._bounded(pairs, constant, None, -1 if operator == "<" else 0)
        if not _arithmetic(left) and not _arithmetic(right):
            one, other = self.choices(left), self.choices(right)
            if operator in ("==", "!="):
                equal = z3.Or([z3.And(holds, other[value]) for value, holds in one.items() if value in other])
                return equal if operator == "==" else z3.Not(equal)
            holds_for = COMPARISONS[operator]
            return z3.Or([z3.And(p, q) for a, p in one.items() for b, q in other.items() if holds_for(a, b)])
        first, second = self.number(left), self.number(right)
        return {"==": first == second, "!=": first != second, "<": first < second, "<=": first <= second}[operator]

    def _weighted(self, term: Term) -> tuple[list[tuple[Any, int]], int] | None:
        """The term as a weighted sum of conditions and a constant, if it is linear in them."""
        weights, constant = linear_form(term)
        pairs: list[tuple[Any, int]] = []
        for atom, weight in weights.items():
            literal = literal_of(atom, self.model.domains)
            if literal is not None:
                pairs.append((self.literal(*literal), weight))
            elif isinstance(atom, Variable):
                pairs += [(holds, weight * int(value)) for value, holds in self.literals[atom].items() if int(value)]
            elif isinstance(atom, Comparison | Not | And | Or | Member | AllDifferent | Cardinality | Linear | Table):
                pairs.append((self.condition(atom), weight))
            else:
                return None
        return pairs, constant

    def _pairs(self, weighted: Sequence[tuple[int, Variable]]) -> tuple[list[tuple[Any, int]], int]:
        found = self._weighted(Sum(tuple(weighted)))
        assert found is not None, "a Linear is linear"
        return found

    def _bounded(self, pairs: Sequence[tuple[Any, int]], constant: int, low: int | None, high: int | None) -> Any:
        """low ≤ Σ weight · condition + constant ≤ high; a negative weight counts the condition's opposite instead."""
        shift = constant + sum(weight for _, weight in pairs if weight < 0)
        positive = [(holds if weight > 0 else z3.Not(holds), abs(weight)) for holds, weight in pairs if weight]
        return self._between(positive, None if low is None else low - shift, None if high is None else high - shift)

    def _between(self, pairs: Sequence[tuple[Any, int]], low: int | None, high: int | None) -> Any:
        """low ≤ Σ weight · condition ≤ high, all weights positive."""
        total = sum(weight for _, weight in pairs)
        if (high is not None and high < 0) or (low is not None and low > total):
            return _FALSE
        if low is not None and low == high and pairs:
            return z3.PbEq(list(pairs), low)
        facts = []
        if low is not None and low > 0:
            facts.append(z3.PbGe(list(pairs), low))
        if high is not None and high < total:
            facts.append(z3.PbLe(list(pairs), high))
        return z3.And(facts)

    def choices(self, term: Term) -> Choices:
        """What the term may be, each value with the condition under which it is that."""
        match term:
            case Variable():
                return self.literals[term]
            case Constant(value):
                return {value: z3.BoolVal(True)}
            case IfElse(condition, then, otherwise):
                holds = self.condition(condition)
                return _either([(holds, self.choices(then)), (z3.Not(holds), self.choices(otherwise))])
            case Element(keys, items, index):
                at = self.choices(index)
                return _either([(at[key], self.choices(item)) for key, item in zip(keys, items) if key in at])
            case Comparison() | Not() | And() | Or() | Member() | AllDifferent() | Cardinality() | Linear() | Table():
                holds = self.condition(term)
                return {True: holds, False: z3.Not(holds)}
            case Apply() | Component():
                raise Refused("a function of unknowns that was not worked out before")
            case _:
                raise Refused("arithmetic where a choice of values is wanted")

    def number(self, term: Term) -> Any:
        """A term as an integer."""
        self.integers = True
        match term:
            case Constant(value):
                return z3.IntVal(int(value))
            case Sum(weighted, constant):
                return z3.Sum([z3.IntVal(constant), *(weight * self.number(part) for weight, part in weighted)])
            case Operation(operator, operands):
                return _OPERATIONS[operator](*(self.number(operand) for operand in operands))
            case IfElse(condition, then, otherwise) if _arithmetic(term):
                return z3.If(self.condition(condition), self.number(then), self.number(otherwise))
            case Element(keys, items, index) if _arithmetic(term):
                at = self.choices(index)
                pairs = [(at[key], self.number(item)) for key, item in zip(keys, items) if key in at]
                self.facts.append(z3.Or([holds for holds, _ in pairs]))
                return reduce(lambda rest, pair: z3.If(pair[0], pair[1], rest), pairs[1:], pairs[0][1])
            case _:
                found = [z3.If(holds, z3.IntVal(int(value)), 0) for value, holds in self.choices(term).items() if int(value)]
                return z3.Sum(found) if found else z3.IntVal(0)


_FALSE = z3.BoolVal(False)


def _either(cases: Sequence[tuple[Any, Choices]]) -> Choices:
    found: dict[Value, list[Any]] = {}
    for holds, choices in cases:
        for value, chosen in choices.items():
            found.setdefault(value, []).append(z3.And(holds, chosen))
    return {value: z3.Or(ways) for value, ways in found.items()}


def _arithmetic(term: Term) -> bool:
    match term:
        case Sum() | Operation():
            return True
        case IfElse(_, then, otherwise):
            return _arithmetic(then) or _arithmetic(otherwise)
        case Element(_, items, _):
            return any(_arithmetic(item) for item in items)
        case _:
            return False


def _floor_quotient(a: Any, b: Any) -> Any:
    return z3.If(b > 0, a / b, -a / -b)  # z3 rounds towards what leaves a remainder ≥ 0


_OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "*": lambda *factors: reduce(lambda a, b: a * b, factors),
    "//": _floor_quotient,
    "%": lambda a, b: a - b * _floor_quotient(a, b),
    "abs": lambda a: z3.If(a >= 0, a, -a),
    "min": lambda *items: reduce(lambda a, b: z3.If(a <= b, a, b), items),
    "max": lambda *items: reduce(lambda a, b: z3.If(a >= b, a, b), items),
}
