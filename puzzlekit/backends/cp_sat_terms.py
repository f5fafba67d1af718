"""Translate the nodes of a model to CP-SAT's terms.

A value is an int: a number is itself (False is 0, True is 1), any other value has a code beyond all
numbers. Every added variable is a function of the model's own, so that solutions do not repeat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import Any, TypeAlias, cast

import numpy as np
from ortools.sat.python import cp_model

from puzzlekit.clock import checked
from puzzlekit.errors import Unsupported
from puzzlekit.lowering import ACCEPTING, Clause, Move, flatten, row_automaton
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
    Constraint,
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
)
from puzzlekit.presolve import literal_of, numeric

# for values that are not numbers; beyond 2³¹ − 1, ortools 9.15 loses rows of tables
FIRST_CODE = 1 << 30
LARGEST = 1 << 40  # the bound on computed numbers
# entries of a table; above this, ortools 9.15 ignores the clock for seconds while it expands the
# table
LARGEST_TABLE = 100_000
Number = tuple[Any, int, int]  # an expression with its lower and upper bound
LinearCondition: TypeAlias = Comparison | Member | Cardinality | Linear
NativeTerm: TypeAlias = Variable | Constant | Element | Member | Cardinality | Linear | AllDifferent
FlattenedTerm: TypeAlias = Table | Structure | Apply | Component | Regions | Inside
# the domain of left − right, by the operator
COMPARED = {
    "==": cp_model.Domain(0, 0),
    "!=": cp_model.Domain(0, 0).complement(),
    "<": cp_model.Domain(cp_model.INT_MIN, -1),
    "<=": cp_model.Domain(cp_model.INT_MIN, 0),
}


class Translation:
    """One model in CP-SAT's terms: `problem` has the same solutions.

    Conditions that are not native are flattened first.

    Raises: Unsupported, with the rule, for numbers that are too large, and whatever `flatten`
    raises.
    """

    def __init__(self, model: Model, pause: Callable[[], None]) -> None:
        self.problem = cp_model.CpModel()
        self.domains = dict(model.domains)
        self._codes: dict[Value, int] = {}
        self._numbers: dict[Term, Number] = {}
        self._literals: dict[object, Any] = {}
        self._automata: dict[bytes, tuple[list[Move], int]] = {}  # by the rows
        self.variables = {variable: self._variable(variable) for variable in checked(model.domains)}
        self._decoders = [{self.code(v): v for v in domain} for domain in model.domains.values()]
        self._order = list(self.variables.values())
        self.goal: Any = None

        native: list[Constraint] = []
        others: list[Constraint] = []
        for constraint in model.constraints:
            is_native = self._native(constraint.condition)
            (native if is_native else others).append(constraint)
        goal = model.goal if model.goal is None or self._plain(model.goal.term) else None
        goal_to_flatten = model.goal if goal is None else None
        flat = flatten(replace(model, constraints=tuple(others), goal=goal_to_flatten), pause)
        for variable in flat.domains.keys() - self.domains.keys():
            self.domains[variable] = flat.domains[variable]
            self.variables[variable] = self._variable(variable)
        for constraint in (*native, *flat.constraints):
            pause()
            try:
                self._post(constraint)
            except Unsupported as error:
                raise Unsupported(f"{constraint.origin}: {error}") from None
        goal = goal or flat.goal
        if goal is not None:
            self.goal = self.number(goal.term)[0]

    def values(self, row: Sequence[int]) -> Values:
        """Return the solution with these codes, which are in the order of the model's variables."""
        coded = zip(self.variables, self._decoders, row)
        return {variable: decoder[code] for variable, decoder, code in coded}

    def read(self, value: Callable[[Any], int]) -> list[int]:
        """Return the codes of the model's variables, read by `value`."""
        return [value(variable) for variable in self._order]

    def add_clause(self, clause: Clause) -> None:
        """Require at least one of the clause's conditions."""
        literals = []
        for variable, value, positive in clause:
            literal = self.equals(variable, value)
            literals.append(literal if positive else _negated(literal))
        self.problem.add_bool_or(literals)

    def code(self, value: Value) -> int:
        """Return the int that represents a value."""
        if isinstance(value, int):
            if abs(value) >= FIRST_CODE:
                raise Unsupported(f"numbers of {FIRST_CODE:,} and more")
            return int(value)
        return self._codes.setdefault(value, FIRST_CODE + len(self._codes))

    def _variable(self, variable: Variable) -> Any:
        codes = sorted({self.code(value) for value in self.domains[variable]})
        if codes == [0, 1]:
            return self.problem.new_bool_var("")
        return self.problem.new_int_var_from_domain(cp_model.Domain.from_values(codes), "")

    def _native(self, term: Term) -> bool:
        """Return whether CP-SAT can express a constraint without flattening."""
        match term:
            case Table(terms) | AllDifferent(terms):
                return all(map(self._plain, terms))
            case Automaton() | Connected() | Circuit() | Acyclic() | RegionSizes():
                return True
            case _:
                return self._plain(term)

    def _plain(self, term: Term) -> bool:
        """Return whether CP-SAT can express the term as a number or a truth, as in a goal.

        That is without flattening.
        """
        if not all(map(self._plain, term.subterms())):
            return False
        node = cast(Node, term)
        if isinstance(node, NativeTerm):
            return True
        if isinstance(node, FlattenedTerm):
            return False
        match node:
            case Sum(weighted):
                return all(self._numeric(operand) for _, operand in weighted)
            case Operation("//" | "%", (number, Constant(divisor))):
                return self._numeric(number) and isinstance(divisor, int) and divisor != 0
            case Operation(operator, operands):
                return operator not in ("//", "%") and all(map(self._numeric, operands))
            case Comparison("==" | "!="):
                return True
            case Comparison(_, left, right):
                return self._numeric(left) and self._numeric(right)
            case IfElse(condition):
                return self._numeric(condition)
            case Not() | And() | Or():
                return all(map(self._numeric, node.subterms()))

    def _numeric(self, term: Term) -> bool:
        return numeric(term, self.domains)

    def _post(self, constraint: Constraint) -> None:
        condition = cast(Node, constraint.condition)
        match condition:
            case Table():
                self._table(condition)
            case AllDifferent(terms):
                self.problem.add_all_different([self.number(term)[0] for term in terms])
            case Automaton():
                self._automaton(condition)
            case Circuit():
                self._circuit(condition)
            case Connected() | Acyclic() | RegionSizes():
                raise AssertionError("these shapes are left to lazy cuts")
            case Or(conditions):
                self.problem.add_bool_or([self.literal(operand) for operand in conditions])
            case And(conditions):
                for operand in conditions:
                    self._post(replace(constraint, condition=operand))
            case Comparison() | Member() | Cardinality() | Linear():
                expression, domain = self._bounded(condition)
                self._within(expression, domain)
            case _:
                self.problem.add_bool_or([self.literal(condition)])

    def _table(self, table: Table) -> None:
        if not len(table.rows):
            self.problem.add_bool_or([])
            return
        columns = []
        for book, column in zip(table.dictionaries, table.rows.T):
            codes = np.array([self.code(value) for value in book], dtype=np.int64)
            columns.append(codes[column])
        if not columns:
            return
        expressions = [self.number(term)[0] for term in table.terms]
        rows = np.stack(columns, axis=1)
        if rows.size <= LARGEST_TABLE:
            self.problem.add_allowed_assignments(expressions, rows.tolist())
            return
        key = rows.tobytes()
        if key not in self._automata:
            self._automata[key] = row_automaton(rows)
        moves, start = self._automata[key]
        self.problem.add_automaton(expressions, start, [ACCEPTING], moves)

    def _automaton(self, automaton: Automaton) -> None:
        moves: list[Move] = []
        for state, step in enumerate(automaton.steps):
            moves += [(state, self.code(value), after) for value, after in step.items()]
        if automaton.terms and moves and automaton.accepting:
            expressions = [self.number(term)[0] for term in automaton.terms]
            self.problem.add_automaton(expressions, 0, sorted(automaton.accepting), moves)
            return
        accepts_nothing_read = not automaton.terms and automaton.met(())
        self.problem.add_bool_or([bool(accepts_nothing_read)])

    def _circuit(self, circuit: Circuit) -> None:
        """Two arcs per edge, and a loop at each unused vertex; the first true edge goes forward."""
        arcs: list[tuple[int, int, Any]] = []
        before: Any = False  # whether one of the previous edges is true
        edges = [self.literal(term) for term in circuit.terms]
        for edge, (tail, head) in zip(edges, circuit.edges):
            forward = self.problem.new_bool_var("")
            back = self.problem.new_bool_var("")
            arcs.append((tail, head, forward))
            arcs.append((head, tail, back))
            self.problem.add(forward + back == edge)
            self.problem.add_bool_or([~back, before])
            before = self._disjunction([before, edge])
        vertices = {vertex for edge in circuit.edges for vertex in edge}
        arcs += [(vertex, vertex, self.problem.new_bool_var("")) for vertex in vertices]
        self.problem.add_bool_or(edges)
        self.problem.add_circuit(arcs)

    def _disjunction(self, literals: Sequence[Any]) -> Any:
        """Return a literal that is true if and only if one of these is."""
        disjunction = self.problem.new_bool_var("")
        self.problem.add_max_equality(disjunction, literals)
        return disjunction

    def equals(self, variable: Variable, value: Value) -> Any:
        """Return the literal that the variable has this value."""
        domain = self.domains[variable]
        if value not in domain:
            return False
        is_truth = all(isinstance(member, int) and member in (0, 1) for member in domain)
        if is_truth:
            return self.variables[variable] if value else ~self.variables[variable]
        equality = Comparison("==", variable, Constant(value))
        return self.literal(equality, (variable, value))

    def literal(self, condition: Term, key: object = None) -> Any:
        """Return a literal that is true if and only if the condition holds."""
        key = condition if key is None else key
        if key not in self._literals:
            self._literals[key] = self._literal(condition)
        return self._literals[key]

    def _literal(self, condition: Term) -> Any:
        pair = literal_of(condition, self.domains)
        if pair is not None and not isinstance(condition, Comparison):
            return self.equals(*pair)
        match condition:
            case Constant(value):
                return bool(value)
            case Not(inner):
                return _negated(self.literal(inner))
            case Or(conditions):
                literals = [self.literal(operand) for operand in conditions]
                return self._disjunction([False, *literals])
            case And(conditions):
                negated = tuple(Not(operand) for operand in conditions)
                any_is_false = Or(negated)
                return self.literal(Not(any_is_false))
            case AllDifferent(terms):
                pairs = combinations(terms, 2)
                inequalities = tuple(Comparison("!=", a, b) for a, b in pairs)
                return self.literal(And(inequalities))
            case Comparison() | Member() | Cardinality() | Linear():
                expression, domain = self._bounded(condition)
            case _:
                expression, _, _ = self.number(condition)
                domain = COMPARED["!="]
        literal = self.problem.new_bool_var("")
        self._within(expression, domain).only_enforce_if(literal)
        self._within(expression, domain.complement()).only_enforce_if(~literal)
        return literal

    def _bounded(self, condition: LinearCondition) -> tuple[Any, Any]:
        """Return a linear expression, and the domain in which the condition holds."""
        match condition:
            case Comparison(operator, left, right):
                self._require_small_numbers(left, right)
                self._require_small_numbers(right, left)
                left_expression, _, _ = self.number(left)
                right_expression, _, _ = self.number(right)
                difference = self._sum([(1, left_expression), (-1, right_expression)])
                return difference, COMPARED[operator]
            case Member(term, members):
                codes = sorted({self.code(value) for value in members})
                expression, _, _ = self.number(term)
                return expression, cp_model.Domain.from_values(codes)
            case Cardinality(literals, low, high):
                count = self._sum([(1, self.equals(*literal)) for literal in literals])
                return count, _between(low, high)
            case Linear(weighted, lowest, highest):
                total = self._sum([(weight, self.variables[v]) for weight, v in weighted])
                return total, _between(lowest, highest)

    def _require_small_numbers(self, number: Term, compared: Term) -> None:
        """Raise Unsupported for numbers that are mistaken for codes of values."""
        if not self._numeric(number) or self._numeric(compared):
            return
        _, _, high = self.number(number)
        if high >= FIRST_CODE:
            raise Unsupported(
                f"numbers of {FIRST_CODE:,} and more compared with values that are not numbers"
            )

    def _within(self, expression: Any, domain: Any) -> Any:
        """Post that the expression is in the domain; ortools 9.15 skips this for constants."""
        if isinstance(expression, int):
            expression = cp_model.LinearExpr.constant(expression)
        bounded = cp_model.BoundedLinearExpression(expression, domain)
        if bounded.vars:
            return self.problem.add(bounded)
        if domain.contains(bounded.offset):
            return self.problem.add_bool_and([])
        return self.problem.add_bool_or([])

    def _sum(self, weighted: Sequence[tuple[int, Any]], constant: int = 0) -> Any:
        weights = [weight for weight, _ in weighted]
        if any(abs(number) >= LARGEST for number in (constant, *weights)):
            raise Unsupported(f"numbers of {LARGEST:,} and more")
        expressions = [expression for _, expression in weighted]
        return cp_model.LinearExpr.weighted_sum(expressions, weights) + constant

    def number(self, term: Term) -> Number:
        """Return the term as an expression with bounds."""
        if term not in self._numbers:
            self._numbers[term] = self._number(term)
        return self._numbers[term]

    def _number(self, term: Term) -> Number:
        match term:
            case Variable():
                codes = [self.code(value) for value in self.domains[term]]
                return self.variables[term], min(codes), max(codes)
            case Constant(value):
                code = self.code(value)
                return code, code, code
            case Sum(weighted, constant):
                return self._number_of_sum(weighted, constant)
            case Operation():
                return self._operation(term)
            case IfElse(condition, then, otherwise):
                literal = self.literal(condition)
                cases = [(literal, self.number(then)), (_negated(literal), self.number(otherwise))]
                return self._chosen(cases)
            case Element(keys, items, index):
                equalities = [Comparison("==", index, Constant(key)) for key in keys]
                literals = [self.literal(equality) for equality in equalities]
                cases = [(literal, self.number(item)) for literal, item in zip(literals, items)]
                return self._chosen(cases)
            case _:
                return self.literal(term), 0, 1

    def _number_of_sum(self, weighted: Sequence[tuple[int, Term]], constant: int) -> Number:
        low = high = constant
        terms = []
        for weight, term in weighted:
            expression, term_low, term_high = self.number(term)
            terms.append((weight, expression))
            ends = (weight * term_low, weight * term_high)
            low += min(ends)
            high += max(ends)
        return self._sum(terms, constant), low, high

    def _new(self, low: int, high: int) -> Number:
        if max(abs(low), abs(high)) >= LARGEST:
            raise Unsupported(f"numbers of {LARGEST:,} and more")
        return self.problem.new_int_var(low, high, ""), low, high

    def _chosen(self, cases: Sequence[tuple[Any, Number]]) -> Number:
        """Return an expression that equals the one whose literal is true."""
        cases = [case for case in cases if case[0] is not False]
        numbers = [number for _, number in cases]
        low = min([low for _, low, _ in numbers])
        high = max([high for _, _, high in numbers])
        chosen = self._new(low, high)
        expression, _, _ = chosen
        for literal, (alternative, _, _) in cases:
            self.problem.add(expression == alternative).only_enforce_if(literal)
        return chosen

    def _operation(self, term: Operation) -> Number:
        operands = [self.number(operand) for operand in term.operands]
        expressions = [expression for expression, _, _ in operands]
        ends = [(low, high) for _, low, high in operands]
        first_low, first_high = ends[0]
        match term.operator:
            case "min" | "max":
                pick = OPERATIONS[term.operator]
                low = pick(*(low for low, _ in ends), first_low)
                high = pick(*(high for _, high in ends), first_high)
                number = self._new(low, high)
                if term.operator == "min":
                    self.problem.add_min_equality(number[0], expressions)
                else:
                    self.problem.add_max_equality(number[0], expressions)
                return number
            case "abs":
                number = self._new(0, max(abs(first_low), abs(first_high)))
                self.problem.add_abs_equality(number[0], expressions[0])
                return number
            case "*":
                corners = [a * b for a, b in product(*ends)]
                number = self._new(min(corners), max(corners))
                self.problem.add_multiplication_equality(number[0], expressions)
                return number
            case "//" | "%":
                divisor, _ = ends[1]
                quotients = [first_low // divisor, first_high // divisor]
                quotient = self._new(min(quotients), max(quotients))
                remainder = self._new(min(0, divisor + 1), max(0, divisor - 1))
                self.problem.add(expressions[0] == divisor * quotient[0] + remainder[0])
                return quotient if term.operator == "//" else remainder


def _negated(literal: Any) -> Any:
    return not literal if isinstance(literal, bool) else ~literal


def _between(low: int | None, high: int | None) -> Any:
    if low is not None and high is not None and low > high:
        return cp_model.Domain.from_values([])
    if any(bound is not None and abs(bound) >= LARGEST for bound in (low, high)):
        raise Unsupported(f"numbers of {LARGEST:,} and more")
    least = cp_model.INT_MIN if low is None else low
    largest = cp_model.INT_MAX if high is None else high
    return cp_model.Domain(least, largest)
