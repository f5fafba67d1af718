"""Translate the nodes of a model to Z3's terms.

A variable is one boolean per value, exactly one of them true (a variable with two values is one
boolean). So is every term with few values. Tables, counts and sums over them are clauses and
pseudo-boolean constraints. Only arithmetic over many values creates integers.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from itertools import product
from math import prod
from typing import Any, cast

import z3

from puzzlekit.clock import checked
from puzzlekit.errors import Unsupported
from puzzlekit.lowering.lazy_cuts import separate_shapes, violated_clauses
from puzzlekit.model import (
    OPERATIONS,
    Acyclic,
    AllDifferent,
    And,
    Apply,
    Automaton,
    Cardinality,
    Circuit,
    Comparison,
    Component,
    Connected,
    Constant,
    Element,
    IfElse,
    Inside,
    Linear,
    Member,
    Model,
    Node,
    Not,
    Operation,
    Or,
    Regions,
    RegionSizes,
    Structure,
    Sum,
    Table,
    Term,
    Value,
    Values,
    Variable,
    compare,
)
from puzzlekit.presolve.normal_form import linear_form, literal_of, numeric

CHOICE_PAIRS = 20_000  # that z3 combines; beyond, it computes with integers

# the possible values of a term, each with the condition under which the term has it
Choices = Mapping[Value, Any]
LARGEST = 2**31 - 1  # the largest sum of weights that z3 can hold
TRUE, FALSE = z3.BoolVal(True), z3.BoolVal(False)


class Translation:
    """One model in Z3's terms: `facts` hold exactly for its solutions.

    `integers` is True if there are any.
    """

    def __init__(self, model: Model, pause: Callable[[], None]) -> None:
        model, self.shapes = separate_shapes(model)
        self.model = model
        self.domains = model.domains
        self.integers = False
        self.facts: list[Any] = []
        self.literals: dict[Variable, Choices] = {}
        self._choices: dict[Term, Choices] = {}
        self._conditions: dict[Term, Any] = {}
        for number, (variable, domain) in enumerate(model.domains.items()):
            pause()
            self.literals[variable] = self._variable(number, domain)
        for constraint in model.constraints:
            pause()
            self._post(constraint.condition, str(constraint.origin))

    def _variable(self, number: int, domain: Sequence[Value]) -> Choices:
        if len(domain) == 1:
            return {domain[0]: TRUE}
        if len(domain) == 2:
            one = z3.Bool(f"v{number}")
            return {domain[0]: z3.Not(one), domain[1]: one}
        each = [z3.Bool(f"v{number}_{code}") for code in range(len(domain))]
        self.facts.append(z3.PbEq([(one, 1) for one in each], 1))
        return dict(zip(domain, each))

    def literal(self, variable: Variable, value: Value) -> Any:
        """Return the condition that the variable has this value."""
        return self.literals[variable].get(value, FALSE)

    def cuts(self, values: Values) -> list[Any]:
        """Return clauses that forbid the wrong shapes of these values."""
        return [
            disjunction(
                [
                    self.literal(v, value) if has else z3.Not(self.literal(v, value))
                    for v, value, has in clause
                ]
            )
            for clause in violated_clauses(self.model, self.shapes, values)
        ]

    def _post(self, condition: Term, rule: str) -> None:
        try:
            if isinstance(condition, Table) and all(
                isinstance(term, Variable) for term in condition.terms
            ):
                self._table(condition)
            else:
                self.facts.append(self.condition(condition))
        except Unsupported as error:
            raise Unsupported(f"{rule}: {error}") from None

    def _table(self, table: Table) -> None:
        """Add a boolean per row, one of them true; a value holds if one of its rows is true."""
        rows = [z3.FreshBool("row") for _ in table.rows]
        self.facts.append(disjunction(rows))
        for place, term in enumerate(table.terms):
            support: dict[Value, list[Any]] = {}
            for row, code in zip(rows, table.rows[:, place].tolist()):
                support.setdefault(table.dictionaries[place][code], []).append(row)
            for value, holds in self.literals[cast(Variable, term)].items():
                self.facts.append(holds == disjunction(support.get(value, [])))

    def condition(self, term: Term) -> Any:
        """Return a boolean term as a Z3 condition."""
        if term not in self._conditions:
            self._conditions[term] = self._condition(cast(Node, term))
        return self._conditions[term]

    def _condition(self, node: Node) -> Any:
        match node:
            case Constant(value):
                return TRUE if value else FALSE
            case Not(inner):
                return z3.Not(self.condition(inner))
            case And(conditions):
                return conjunction([self.condition(part) for part in conditions])
            case Or(conditions):
                return disjunction([self.condition(part) for part in conditions])
            case Comparison():
                return self.comparison(node)
            case Member(inner, members):
                return disjunction(
                    [holds for value, holds in self.choices(inner).items() if value in members]
                )
            case AllDifferent(terms):
                return self._all_different(terms)
            case Cardinality(literals, low, high):
                return between(
                    [(self.literal(variable, value), 1) for variable, value in literals], low, high
                )
            case Linear(weighted, lowest, highest):
                found = self.weighted(Sum(weighted))
                assert found is not None, "a Linear is linear"
                return bounded(*found, lowest, highest)
            case Table(terms):
                every = [self.choices(term) for term in terms]
                rows = (zip(every, row, node.dictionaries) for row in node.rows.tolist())
                return disjunction(
                    [
                        conjunction([c.get(book[code], FALSE) for c, code, book in row])
                        for row in rows
                    ]
                )
            case Automaton() | Connected() | Circuit() | Acyclic() | RegionSizes():
                return self._shape(node)
            case (
                Variable()
                | Sum()
                | Operation()
                | IfElse()
                | Element()
                | Apply()
                | Component()
                | Regions()
                | Inside()
            ):
                return disjunction([holds for value, holds in self.choices(node).items() if value])

    def _all_different(self, terms: Sequence[Term]) -> Any:
        every = [self.choices(term) for term in terms]
        values = dict.fromkeys(value for choices in every for value in choices)
        facts = []
        for value in values:
            holders = [choices[value] for choices in every if value in choices]
            facts.append(
                between([(holder, 1) for holder in holders], int(len(values) == len(terms)), 1)
            )
        return conjunction(facts)

    def _shape(self, shape: Structure) -> Any:
        """Return a nested shape as the disjunction of all rows of values that meet it."""
        every = [self.choices(term) for term in shape.terms]
        if prod(map(len, every)) > CHOICE_PAIRS:
            raise Unsupported("a shape of many terms inside another condition")
        rows = (
            row
            for row in product(*(choices.items() for choices in every))
            if shape.met([value for value, _ in row])
        )
        return disjunction([conjunction([holds for _, holds in row]) for row in rows])

    def comparison(self, term: Comparison) -> Any:
        """Translate a comparison: sums pseudo-boolean, others by possible values or integers."""
        sign, left, right = term.operator, term.left, term.right
        numbers = numeric(left, self.domains) and numeric(right, self.domains)
        if numbers and (isinstance(left, Sum) or isinstance(right, Sum)):
            weighted = self.weighted(Sum(((1, left), (-1, right))))
            if weighted is not None:
                if sign in ("==", "!="):
                    equal = bounded(*weighted, 0, 0)
                    return equal if sign == "==" else z3.Not(equal)
                return bounded(*weighted, None, -1 if sign == "<" else 0)
        if numbers and (self._many(left) or self._many(right)):
            first, second = self.number(left), self.number(right)
            return {
                "==": first == second,
                "!=": first != second,
                "<": first < second,
                "<=": first <= second,
            }[sign]
        one, other = self.choices(left), self.choices(right)
        if sign in ("==", "!="):
            equal = disjunction(
                [
                    conjunction([holds, other[value]])
                    for value, holds in one.items()
                    if value in other
                ]
            )
            return equal if sign == "==" else z3.Not(equal)
        fitting = (
            (a, b) for a, b in product(one.items(), other.items()) if compare(sign, a[0], b[0])
        )
        return disjunction([conjunction([a[1], b[1]]) for a, b in fitting])

    def _many(self, term: Term) -> bool:
        """Return whether the term has too many values to enumerate."""
        try:
            self.choices(term)
        except Unsupported:
            return True
        return False

    def weighted(self, term: Term) -> tuple[list[tuple[Any, int]], int] | None:
        """Return the term as a weighted sum of conditions and a constant, if it is linear."""
        weights, constant = linear_form(term)
        pairs: list[tuple[Any, int]] = []
        for atom, weight in weights.items():
            literal = literal_of(atom, self.domains)
            if literal is not None:
                pairs.append((self.literal(*literal), weight))
                continue
            try:
                choices = self.choices(atom)
            except Unsupported:
                return None
            least = min((int(value) for value in choices), default=0)
            constant += weight * least
            pairs += [
                (holds, weight * (int(value) - least))
                for value, holds in choices.items()
                if int(value) != least
            ]
        return pairs, constant

    def choices(self, term: Term) -> Choices:
        """Return the possible values of the term, each with the condition under which it has it.

        Raises: Unsupported for a term with too many values.
        """
        if isinstance(term, Variable):
            return self.literals[term]
        if term not in self._choices:
            self._choices[term] = self._choices_of(cast(Node, term))
        return self._choices[term]

    def _choices_of(self, node: Node) -> Choices:
        match node:
            case Constant(value):
                return {value: TRUE}
            case IfElse(condition, then, otherwise):
                holds = self.condition(condition)
                return _either(
                    [(holds, self.choices(then)), (z3.Not(holds), self.choices(otherwise))]
                )
            case Element(keys, items, index):
                at = self.choices(index)
                return _either(
                    [(at[key], self.choices(item)) for key, item in zip(keys, items) if key in at]
                )
            case Sum(weighted, constant):
                total: Choices = {constant: TRUE}
                for weight, part in weighted:
                    scaled = _either(
                        [
                            (holds, {weight * int(v): TRUE})
                            for v, holds in self.choices(part).items()
                        ]
                    )
                    total = _joined(operator.add, total, scaled)
                return total
            case Operation("abs", (only,)):
                return _either(
                    [(holds, {abs(value): TRUE}) for value, holds in self.choices(only).items()]
                )
            case Operation(sign, operands):
                parts = [self.choices(operand) for operand in operands]
                return reduce(lambda one, other: _joined(OPERATIONS[sign], one, other), parts)
            case Apply() | Component() | Regions() | Inside():
                raise Unsupported("a function of unknowns that presolve did not evaluate")
            case Variable():
                return self.literals[node]
            case (
                Comparison()
                | Not()
                | And()
                | Or()
                | Member()
                | AllDifferent()
                | Cardinality()
                | Linear()
                | Table()
                | Structure()
            ):
                holds = self.condition(node)
                return {True: holds, False: z3.Not(holds)}

    def number(self, term: Term) -> Any:
        """Return a term as a Z3 integer."""
        self.integers = True
        if not self._many(term):
            found = [
                z3.If(holds, z3.IntVal(int(value)), 0)
                for value, holds in self.choices(term).items()
                if int(value)
            ]
            return z3.Sum(found) if found else z3.IntVal(0)
        match term:
            case Sum(weighted, constant):
                return z3.Sum(
                    [
                        z3.IntVal(constant),
                        *(weight * self.number(part) for weight, part in weighted),
                    ]
                )
            case Operation(sign, operands):
                return _OPERATIONS[sign](*(self.number(operand) for operand in operands))
            case IfElse(condition, then, otherwise):
                return z3.If(self.condition(condition), self.number(then), self.number(otherwise))
            case Element(keys, items, index):
                at = self.choices(index)
                pairs = [
                    (at[key], self.number(item)) for key, item in zip(keys, items) if key in at
                ]
                return reduce(
                    lambda rest, pair: z3.If(pair[0], pair[1], rest), pairs[1:], pairs[0][1]
                )
            case _:
                raise Unsupported("a term with too many values")


def _either(cases: Iterable[tuple[Any, Choices]]) -> Choices:
    found: dict[Value, list[Any]] = {}
    for holds, choices in checked(cases):
        for value, chosen in choices.items():
            found.setdefault(value, []).append(conjunction([holds, chosen]))
    return {value: disjunction(ways) for value, ways in found.items()}


def _joined(function: Callable[[Any, Any], Value], one: Choices, other: Choices) -> Choices:
    """Return the choices of a function of two terms.

    Where it has no value (a division by zero), the rule is violated anyway.
    """
    most = CHOICE_PAIRS
    if len(one) * len(other) > most:
        raise Unsupported(f"a term of more than {most} pairs of values")
    found: dict[Value, list[Any]] = {}
    for (a, p), (b, q) in checked(product(one.items(), other.items())):
        try:
            found.setdefault(function(a, b), []).append(conjunction([p, q]))
        except ZeroDivisionError:
            continue
    return {value: disjunction(ways) for value, ways in found.items()}


def _floor_quotient(a: Any, b: Any) -> Any:
    return z3.If(b > 0, a / b, -a / -b)  # z3 rounds so that the remainder is ≥ 0


_OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "*": lambda *factors: reduce(lambda a, b: a * b, factors),
    "//": _floor_quotient,
    "%": lambda a, b: a - b * _floor_quotient(a, b),
    "abs": lambda a: z3.If(a >= 0, a, -a),
    "min": lambda *items: reduce(lambda a, b: z3.If(a <= b, a, b), items),
    "max": lambda *items: reduce(lambda a, b: z3.If(a >= b, a, b), items),
}


def conjunction(parts: Sequence[Any]) -> Any:
    return _join(z3.Z3_mk_and, [part for part in parts if part is not TRUE], TRUE, FALSE)


def disjunction(parts: Sequence[Any]) -> Any:
    return _join(z3.Z3_mk_or, [part for part in parts if part is not FALSE], FALSE, TRUE)


def _join(make: Any, parts: Sequence[Any], none: Any, decided: Any) -> Any:
    """Call Z3's C function directly: its Python layer takes most of the time of a large model."""
    if len(parts) < 2:
        return parts[0] if parts else none
    if any(part is decided for part in parts):
        return decided
    context = TRUE.ctx
    return z3.BoolRef(
        make(context.ref(), len(parts), (z3.Ast * len(parts))(*(part.as_ast() for part in parts))),
        context,
    )


def bounded(
    pairs: Sequence[tuple[Any, int]], constant: int, low: int | None, high: int | None
) -> Any:
    """Return low ≤ Σ weight · condition + constant ≤ high.

    For a negative weight, the negated condition is counted.
    """
    shift = constant + sum(weight for _, weight in pairs if weight < 0)
    positive = [
        (holds if weight > 0 else z3.Not(holds), abs(weight)) for holds, weight in pairs if weight
    ]
    return between(
        positive, None if low is None else low - shift, None if high is None else high - shift
    )


def between(pairs: Sequence[tuple[Any, int]], low: int | None, high: int | None) -> Any:
    """Return low ≤ Σ weight · condition ≤ high, for positive weights.

    Raises Unsupported for sums that z3 cannot hold in this form.
    """
    pairs = [pair for pair in pairs if pair[0] is not FALSE]
    total = sum(weight for _, weight in pairs)
    if total > LARGEST:
        raise Unsupported(f"sums of {LARGEST:,} and more")
    if low is not None and low > (total if high is None else min(high, total)):
        return FALSE
    if high is not None and high < 0:
        return FALSE
    if low is not None and low == high and pairs:
        return z3.PbEq(list(pairs), low)
    facts = []
    if low is not None and low > 0:
        clause = all(weight >= low for _, weight in pairs)
        facts.append(
            disjunction([holds for holds, _ in pairs]) if clause else z3.PbGe(list(pairs), low)
        )
    if high is not None and high < total:
        facts.append(z3.PbLe(list(pairs), high))
    return conjunction(facts)
