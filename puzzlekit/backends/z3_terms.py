"""Translate the nodes of a model to Z3's terms.

A variable is one boolean per value, exactly one of them true (a variable with two values is one
boolean). So is every term with few values. Tables, counts and sums over them are clauses and
pseudo-boolean constraints. Only arithmetic over many values creates integers.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, reduce
from itertools import product
from math import prod
from typing import Any, TypeAlias, cast

import z3

from puzzlekit.clock import checked
from puzzlekit.errors import Unsupported
from puzzlekit.lowering import separate_shapes, violated_clauses
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
from puzzlekit.presolve import linear_form, literal_of, numeric

CHOICE_PAIRS = 20_000  # that z3 combines; beyond, it computes with integers

# terms whose values are truths, and the others
TruthTerm: TypeAlias = (
    Comparison | Not | And | Or | Member | AllDifferent | Cardinality | Linear | Table | Structure
)
ValueTerm: TypeAlias = (
    Variable | Sum | Operation | IfElse | Element | Apply | Component | Regions | Inside
)
# the possible values of a term, each with the condition under which the term has it
Choices = Mapping[Value, Any]
LARGEST = 2**31 - 1  # the largest sum of weights that z3 can hold
TRUE, FALSE = z3.BoolVal(True), z3.BoolVal(False)


class Translation:
    """One model in Z3's terms: the `assertions` hold exactly for its solutions.

    `integers` is True if there are any.
    """

    def __init__(self, model: Model, pause: Callable[[], None]) -> None:
        model, self.shapes = separate_shapes(model)
        self.model = model
        self.domains = model.domains
        self.integers = False
        self.assertions: list[Any] = []
        self.literals: dict[Variable, Choices] = {}
        self._choices: dict[Term, Choices] = {}
        self._conditions: dict[Term, Any] = {}
        for number, variable in enumerate(model.domains):
            pause()
            self.literals[variable] = self._variable(number, model.domains[variable])
        for constraint in model.constraints:
            pause()
            self._post(constraint.condition, str(constraint.origin))

    def _variable(self, number: int, domain: Sequence[Value]) -> Choices:
        if len(domain) == 1:
            return {domain[0]: TRUE}
        if len(domain) == 2:
            is_second = z3.Bool(f"v{number}")
            first, second = domain
            return {first: z3.Not(is_second), second: is_second}
        literals = [z3.Bool(f"v{number}_{code}") for code in range(len(domain))]
        self.assertions.append(z3.PbEq([(literal, 1) for literal in literals], 1))
        return dict(zip(domain, literals))

    def literal(self, variable: Variable, value: Value) -> Any:
        """Return the condition that the variable has this value."""
        return self.literals[variable].get(value, FALSE)

    def cuts(self, values: Values) -> list[Any]:
        """Return clauses that forbid the wrong shapes of these values."""
        clauses = violated_clauses(self.model, self.shapes, values)
        return [disjunction([self._signed(*literal) for literal in clause]) for clause in clauses]

    def _signed(self, variable: Variable, value: Value, positive: bool) -> Any:
        literal = self.literal(variable, value)
        return literal if positive else z3.Not(literal)

    def _post(self, condition: Term, rule: str) -> None:
        try:
            if isinstance(condition, Table) and _is_flat(condition):
                self._table(condition)
            else:
                self.assertions.append(self.condition(condition))
        except Unsupported as error:
            raise Unsupported(f"{rule}: {error}") from None

    def _table(self, table: Table) -> None:
        """Add a boolean per row, one of them true; a value holds if one of its rows is true."""
        selectors = [z3.FreshBool("row") for _ in table.rows]
        self.assertions.append(disjunction(selectors))
        for column, term in enumerate(table.terms):
            support: dict[Value, list[Any]] = {}
            book = table.dictionaries[column]
            for selector, code in zip(selectors, table.rows[:, column].tolist()):
                support.setdefault(book[code], []).append(selector)
            for value, literal in self.literals[cast(Variable, term)].items():
                supported = disjunction(support.get(value, []))
                self.assertions.append(literal == supported)

    def condition(self, term: Term) -> Any:
        """Return a boolean term as a Z3 condition."""
        if term not in self._conditions:
            self._conditions[term] = self._condition(cast(Node, term))
        return self._conditions[term]

    def _condition(self, node: Node) -> Any:
        if isinstance(node, ValueTerm):
            choices = self.choices(node)
            return disjunction([choices[value] for value in choices if value])
        match node:
            case Constant(value):
                return TRUE if value else FALSE
            case Not(inner):
                return z3.Not(self.condition(inner))
            case And(conditions):
                return conjunction([self.condition(operand) for operand in conditions])
            case Or(conditions):
                return disjunction([self.condition(operand) for operand in conditions])
            case Comparison():
                return self.comparison(node)
            case Member(inner, members):
                choices = self.choices(inner)
                return disjunction([choices[value] for value in choices if value in members])
            case AllDifferent(terms):
                return self._all_different(terms)
            case Cardinality(literals, low, high):
                pairs = [(self.literal(variable, value), 1) for variable, value in literals]
                return between(pairs, low, high)
            case Linear(weighted, lowest, highest):
                linear = self.weighted(Sum(weighted))
                assert linear is not None, "a Linear is linear"
                pairs, constant = linear
                return bounded(pairs, constant, lowest, highest)
            case Table():
                return self._nested_table(node)
            case Automaton() | Connected() | Circuit() | Acyclic() | RegionSizes():
                return self._shape(node)

    def _nested_table(self, table: Table) -> Any:
        """Return a table inside another condition as the disjunction of its rows."""
        choices = [self.choices(term) for term in table.terms]
        rows = []
        for codes in table.rows.tolist():
            cells = zip(choices, table.dictionaries, codes)
            conditions = [column.get(book[code], FALSE) for column, book, code in cells]
            rows.append(conjunction(conditions))
        return disjunction(rows)

    def _all_different(self, terms: Sequence[Term]) -> Any:
        choices = [self.choices(term) for term in terms]
        values = dict.fromkeys([value for column in choices for value in column])
        least = 1 if len(values) == len(terms) else 0
        counts = []
        for value in values:
            holders = [(column[value], 1) for column in choices if value in column]
            counts.append(between(holders, least, 1))
        return conjunction(counts)

    def _shape(self, shape: Structure) -> Any:
        """Return a nested shape as the disjunction of all rows of values that meet it."""
        choices = [self.choices(term) for term in shape.terms]
        if prod(map(len, choices)) > CHOICE_PAIRS:
            raise Unsupported("a shape of many terms inside another condition")
        rows = product(*(column.items() for column in choices))
        conditions = [
            conjunction([condition for _, condition in row])
            for row in rows
            if shape.met([value for value, _ in row])
        ]
        return disjunction(conditions)

    def comparison(self, term: Comparison) -> Any:
        """Translate a comparison: sums pseudo-boolean, others by possible values or integers."""
        sign, left, right = term.operator, term.left, term.right
        if numeric(left, self.domains) and numeric(right, self.domains):
            if isinstance(left, Sum) or isinstance(right, Sum):
                linear = self.weighted(Sum(((1, left), (-1, right))))
                if linear is not None:
                    pairs, constant = linear
                    return _compared_with_zero(sign, pairs, constant)
            if self._many(left) or self._many(right):
                return _compared_numbers(sign, self.number(left), self.number(right))
        return _compared_choices(sign, self.choices(left), self.choices(right))

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
            least = min([int(value) for value in choices], default=0)
            constant += weight * least
            for value, condition in choices.items():
                increase = int(value) - least
                if increase:
                    pairs.append((condition, weight * increase))
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
        if isinstance(node, TruthTerm):
            decided = self.condition(node)
            return {True: decided, False: z3.Not(decided)}
        match node:
            case Constant(value):
                return {value: TRUE}
            case IfElse(condition, then, otherwise):
                decided = self.condition(condition)
                cases = [
                    (decided, self.choices(then)),
                    (z3.Not(decided), self.choices(otherwise)),
                ]
                return _united(cases)
            case Element(keys, items, index):
                return _united(self._element_cases(keys, items, index))
            case Sum(weighted, constant):
                return self._sum(weighted, constant)
            case Operation("abs", (number,)):
                return _mapped(self.choices(number), abs)
            case Operation(sign, operands):
                function = OPERATIONS[sign]
                choices = [self.choices(operand) for operand in operands]
                return reduce(lambda left, right: _combined(function, left, right), choices)
            case Apply() | Component() | Regions() | Inside():
                raise Unsupported("a function of unknowns that presolve did not evaluate")
            case Variable():
                return self.literals[node]

    def _sum(self, weighted: Sequence[tuple[int, Term]], constant: int) -> Choices:
        total: Choices = {constant: TRUE}
        for weight, term in weighted:
            multiples = _mapped(self.choices(term), partial(_multiple, weight))
            total = _combined(operator.add, total, multiples)
        return total

    def _element_cases(
        self, keys: Sequence[Value], members: Sequence[Term], index: Term
    ) -> list[tuple[Any, Choices]]:
        """Return the choices of each member that the index may select, with the condition."""
        conditions = self.choices(index)
        return [
            (conditions[key], self.choices(member))
            for key, member in zip(keys, members)
            if key in conditions
        ]

    def number(self, term: Term) -> Any:
        """Return a term as a Z3 integer."""
        self.integers = True
        if not self._many(term):
            return _number_of(self.choices(term))
        match term:
            case Sum(weighted, constant):
                terms = [weight * self.number(operand) for weight, operand in weighted]
                return z3.Sum([z3.IntVal(constant), *terms])
            case Operation(sign, operands):
                return _OPERATIONS[sign](*(self.number(operand) for operand in operands))
            case IfElse(condition, then, otherwise):
                return z3.If(self.condition(condition), self.number(then), self.number(otherwise))
            case Element(keys, items, index):
                conditions = self.choices(index)
                possible = [(key, item) for key, item in zip(keys, items) if key in conditions]
                number = self.number(possible[0][1])
                for key, item in possible[1:]:
                    number = z3.If(conditions[key], self.number(item), number)
                return number
            case _:
                raise Unsupported("a term with too many values")


def _is_flat(table: Table) -> bool:
    return all(isinstance(term, Variable) for term in table.terms)


def _number_of(choices: Choices) -> Any:
    """Return a Z3 integer that has the value whose condition is true."""
    summands = []
    for value, condition in choices.items():
        number = int(value)
        if number:
            summands.append(z3.If(condition, z3.IntVal(number), 0))
    return z3.Sum(summands) if summands else z3.IntVal(0)


def _compared_with_zero(sign: str, pairs: Sequence[tuple[Any, int]], constant: int) -> Any:
    """Return the condition that a weighted sum of conditions compares with 0 as the sign says."""
    if sign == "==":
        return bounded(pairs, constant, 0, 0)
    if sign == "!=":
        return z3.Not(bounded(pairs, constant, 0, 0))
    return bounded(pairs, constant, None, -1 if sign == "<" else 0)


def _compared_numbers(sign: str, left: Any, right: Any) -> Any:
    match sign:
        case "==":
            return left == right
        case "!=":
            return left != right
        case "<":
            return left < right
        case _:
            return left <= right


def _compared_choices(sign: str, left: Choices, right: Choices) -> Any:
    if sign in ("==", "!="):
        shared = [value for value in left if value in right]
        equal = disjunction([conjunction([left[value], right[value]]) for value in shared])
        return equal if sign == "==" else z3.Not(equal)
    cases = [
        conjunction([condition, right_condition])
        for value, condition in left.items()
        for right_value, right_condition in right.items()
        if compare(sign, value, right_value)
    ]
    return disjunction(cases)


def _united(cases: Iterable[tuple[Any, Choices]]) -> Choices:
    """Return the choices of a term that has those of the case whose condition is true."""
    alternatives: dict[Value, list[Any]] = {}
    for case_condition, choices in checked(cases):
        for value, condition in choices.items():
            both = conjunction([case_condition, condition])
            alternatives.setdefault(value, []).append(both)
    return _disjunctions(alternatives)


def _multiple(weight: int, value: Any) -> int:
    return weight * int(value)


def _mapped(choices: Choices, function: Callable[[Any], Value]) -> Choices:
    """Return the choices of a function of a term."""
    alternatives: dict[Value, list[Any]] = {}
    for value, condition in checked(choices.items()):
        alternatives.setdefault(function(value), []).append(condition)
    return _disjunctions(alternatives)


def _combined(function: Callable[[Any, Any], Value], left: Choices, right: Choices) -> Choices:
    """Return the choices of a function of two terms.

    Where it has no value (a division by zero), the rule is violated anyway.
    """
    most = CHOICE_PAIRS
    if len(left) * len(right) > most:
        raise Unsupported(f"a term of more than {most} pairs of values")
    alternatives: dict[Value, list[Any]] = {}
    for (first, condition), (second, second_condition) in checked(
        product(left.items(), right.items())
    ):
        try:
            value = function(first, second)
        except ZeroDivisionError:
            continue
        both = conjunction([condition, second_condition])
        alternatives.setdefault(value, []).append(both)
    return _disjunctions(alternatives)


def _disjunctions(alternatives: Mapping[Value, Sequence[Any]]) -> Choices:
    return {value: disjunction(conditions) for value, conditions in alternatives.items()}


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


def conjunction(conditions: Sequence[Any]) -> Any:
    operands = [condition for condition in conditions if condition is not TRUE]
    return _join(z3.Z3_mk_and, operands, TRUE, FALSE)


def disjunction(conditions: Sequence[Any]) -> Any:
    operands = [condition for condition in conditions if condition is not FALSE]
    return _join(z3.Z3_mk_or, operands, FALSE, TRUE)


def _join(make: Any, operands: Sequence[Any], neutral: Any, decided: Any) -> Any:
    """Call Z3's C function directly: its Python layer takes most of the time of a large model."""
    if len(operands) < 2:
        return operands[0] if operands else neutral
    if any(operand is decided for operand in operands):
        return decided
    context = TRUE.ctx
    number = len(operands)
    array = (z3.Ast * number)(*(operand.as_ast() for operand in operands))
    return z3.BoolRef(make(context.ref(), number, array), context)


def bounded(
    pairs: Sequence[tuple[Any, int]], constant: int, low: int | None, high: int | None
) -> Any:
    """Return low ≤ Σ weight · condition + constant ≤ high.

    For a negative weight, the negated condition is counted.
    """
    shift = constant + sum([weight for _, weight in pairs if weight < 0])
    positive = []
    for condition, weight in pairs:
        if weight > 0:
            positive.append((condition, weight))
        elif weight < 0:
            positive.append((z3.Not(condition), -weight))
    shifted_low = None if low is None else low - shift
    shifted_high = None if high is None else high - shift
    return between(positive, shifted_low, shifted_high)


def between(pairs: Sequence[tuple[Any, int]], low: int | None, high: int | None) -> Any:
    """Return low ≤ Σ weight · condition ≤ high, for positive weights.

    Raises Unsupported for sums that z3 cannot hold in this form.
    """
    pairs = [pair for pair in pairs if pair[0] is not FALSE]
    total = sum([weight for _, weight in pairs])
    if total > LARGEST:
        raise Unsupported(f"sums of {LARGEST:,} and more")
    largest = total if high is None else min(high, total)
    if low is not None and low > largest:
        return FALSE
    if high is not None and high < 0:
        return FALSE
    if low is not None and low == high and pairs:
        return z3.PbEq(pairs, low)
    bounds = []
    if low is not None and low > 0:
        each_suffices = all(weight >= low for _, weight in pairs)
        if each_suffices:
            bounds.append(disjunction([condition for condition, _ in pairs]))
        else:
            bounds.append(z3.PbGe(pairs, low))
    if high is not None and high < total:
        bounds.append(z3.PbLe(pairs, high))
    return conjunction(bounds)
