"""Translate the nodes of a model to CP-SAT's terms.

A value is an int: a number is itself (False is 0, True is 1), any other value has a code beyond all
numbers. Every added variable is a function of the model's own, so that solutions do not repeat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import Any, cast

import numpy as np
from ortools.sat.python import cp_model

from puzzlekit.clock import checked
from puzzlekit.errors import Unsupported
from puzzlekit.lowering.decomposition import ACCEPTING, Move, row_automaton
from puzzlekit.lowering.flattening import flatten
from puzzlekit.lowering.lazy_cuts import Clause
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
from puzzlekit.presolve.normal_form import literal_of, numeric

# for values that are not numbers; beyond 2³¹ − 1, ortools 9.15 loses rows of tables
FIRST_CODE = 1 << 30
LARGEST = 1 << 40  # the bound on computed numbers
# entries of a table; above this, ortools 9.15 ignores the clock for seconds while it expands the
# table
LARGEST_TABLE = 100_000
Number = tuple[Any, int, int]  # an expression with its lower and upper bound


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

        native = [
            constraint for constraint in model.constraints if self._native(constraint.condition)
        ]
        goal = model.goal if model.goal is None or self._plain(model.goal.term) else None
        others = tuple(constraint for constraint in model.constraints if constraint not in native)
        flat = flatten(
            replace(model, constraints=others, goal=model.goal if goal is None else None), pause
        )
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
        return {
            variable: decoder[code]
            for variable, decoder, code in zip(self.variables, self._decoders, row)
        }

    def read(self, value: Callable[[Any], int]) -> list[int]:
        """Return the codes of the model's variables, read by `value`."""
        return [value(variable) for variable in self._order]

    def state(self, clause: Clause) -> None:
        """Require at least one of the clause's conditions."""
        literals = [(self.equals(variable, value), has) for variable, value, has in clause]
        self.problem.add_bool_or(
            [literal if has else _negated(literal) for literal, has in literals]
        )

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
        """Return whether CP-SAT can express the term as a number or a truth, as in a goal, without
        flattening.
        """
        if not all(map(self._plain, term.subterms())):
            return False
        match cast(Node, term):
            case (
                Variable()
                | Constant()
                | Element()
                | Member()
                | Cardinality()
                | Linear()
                | AllDifferent()
            ):
                return True
            case Sum(weighted):
                return all(self._numeric(part) for _, part in weighted)
            case Operation("//" | "%", (number, Constant(divisor))):
                return self._numeric(number) and isinstance(divisor, int) and divisor != 0
            case Operation(operator, operands):
                return operator not in ("//", "%") and all(map(self._numeric, operands))
            case Comparison(operator, left, right):
                return operator in ("==", "!=") or (self._numeric(left) and self._numeric(right))
            case IfElse(condition):
                return self._numeric(condition)
            case Not() | And() | Or():
                return all(map(self._numeric, term.subterms()))
            case Table() | Structure() | Apply() | Component() | Regions() | Inside():
                return False

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
                self.problem.add_bool_or([self.literal(part) for part in conditions])
            case And(conditions):
                for part in conditions:
                    self._post(replace(constraint, condition=part))
            case Comparison() | Member() | Cardinality() | Linear():
                expression, domain = self._bounded(condition)
                self._within(expression, domain)
            case _:
                self.problem.add_bool_or([self.literal(condition)])

    def _table(self, table: Table) -> None:
        columns = [
            np.array([self.code(value) for value in book], dtype=np.int64)[column]
            for book, column in zip(table.dictionaries, table.rows.T)
        ]
        if not len(table.rows):
            self.problem.add_bool_or([])
        elif columns:
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
        moves = [
            (state, self.code(value), after)
            for state, step in enumerate(automaton.steps)
            for value, after in step.items()
        ]
        if not automaton.terms or not moves or not automaton.accepting:
            self.problem.add_bool_or([bool(not automaton.terms and automaton.met(()))])
        else:
            expressions = [self.number(term)[0] for term in automaton.terms]
            self.problem.add_automaton(expressions, 0, sorted(automaton.accepting), moves)

    def _circuit(self, circuit: Circuit) -> None:
        """Two arcs per edge, and a loop at each unused vertex; the first true edge goes forward."""
        arcs: list[tuple[int, int, Any]] = []
        before: Any = False  # whether one of the previous edges is true
        edges = [self.literal(term) for term in circuit.terms]
        for edge, (tail, head) in zip(edges, circuit.edges):
            forward, back = self.problem.new_bool_var(""), self.problem.new_bool_var("")
            arcs += [(tail, head, forward), (head, tail, back)]
            self.problem.add(forward + back == edge)
            self.problem.add_bool_or([~back, before])
            before = self._some([before, edge])
        for vertex in {vertex for edge in circuit.edges for vertex in edge}:
            arcs.append((vertex, vertex, self.problem.new_bool_var("")))
        self.problem.add_bool_or(edges)
        self.problem.add_circuit(arcs)

    def _some(self, literals: Sequence[Any]) -> Any:
        """Return a literal that is true if and only if one of these is."""
        holds = self.problem.new_bool_var("")
        self.problem.add_max_equality(holds, literals)
        return holds

    def equals(self, variable: Variable, value: Value) -> Any:
        """Return the literal that the variable has this value."""
        domain = self.domains[variable]
        if value not in domain:
            return False
        if all(isinstance(each, int) and each in (0, 1) for each in domain):
            return self.variables[variable] if value else ~self.variables[variable]
        return self.literal(Comparison("==", variable, Constant(value)), (variable, value))

    def literal(self, condition: Term, key: object = None) -> Any:
        """Return a literal that is true if and only if the condition holds."""
        key = condition if key is None else key
        if key not in self._literals:
            self._literals[key] = self._literal(condition)
        return self._literals[key]

    def _literal(self, condition: Term) -> Any:
        known = literal_of(condition, self.domains)
        if known is not None and not isinstance(condition, Comparison):
            return self.equals(*known)
        match condition:
            case Constant(value):
                return bool(value)
            case Not(inner):
                return _negated(self.literal(inner))
            case Or(conditions):
                return self._some([False, *(self.literal(part) for part in conditions)])
            case And(conditions):
                return self.literal(Not(Or(tuple(Not(part) for part in conditions))))
            case AllDifferent(terms):
                return self.literal(
                    And(tuple(Comparison("!=", a, b) for a, b in combinations(terms, 2)))
                )
            case Comparison() | Member() | Cardinality() | Linear():
                expression, domain = self._bounded(condition)
            case _:
                expression, domain = self.number(condition)[0], cp_model.Domain(0, 0).complement()
        holds = self.problem.new_bool_var("")
        self._within(expression, domain).only_enforce_if(holds)
        self._within(expression, domain.complement()).only_enforce_if(~holds)
        return holds

    def _bounded(self, condition: Term) -> tuple[Any, Any]:
        """Return a linear expression, and the domain in which the condition holds."""
        match condition:
            case Comparison(operator, left, right):
                domain = {
                    "==": cp_model.Domain(0, 0),
                    "!=": cp_model.Domain(0, 0).complement(),
                    "<": cp_model.Domain(cp_model.INT_MIN, -1),
                    "<=": cp_model.Domain(cp_model.INT_MIN, 0),
                }[operator]
                for number, other in ((left, right), (right, left)):
                    if (
                        self._numeric(number)
                        and not self._numeric(other)
                        and self.number(number)[2] >= FIRST_CODE
                    ):
                        raise Unsupported(
                            f"numbers of {FIRST_CODE:,} and more compared with values that are not numbers"
                        )
                return self._sum([(1, self.number(left)[0]), (-1, self.number(right)[0])]), domain
            case Member(term, members):
                return self.number(term)[0], cp_model.Domain.from_values(
                    sorted({self.code(value) for value in members})
                )
            case Cardinality(literals, low, high):
                return self._sum([(1, self.equals(*literal)) for literal in literals]), _between(
                    low, high
                )
            case Linear(weighted, lowest, highest):
                return self._sum(
                    [(weight, self.variables[variable]) for weight, variable in weighted]
                ), _between(lowest, highest)
            case _:
                raise AssertionError("not a linear condition")

    def _within(self, expression: Any, domain: Any) -> Any:
        """Post that the expression is in the domain; ortools 9.15 skips this for constants."""
        if isinstance(expression, int):
            expression = cp_model.LinearExpr.constant(expression)
        bounded = cp_model.BoundedLinearExpression(expression, domain)
        if bounded.vars:
            return self.problem.add(bounded)
        return (
            self.problem.add_bool_and([])
            if domain.contains(bounded.offset)
            else self.problem.add_bool_or([])
        )

    def _sum(self, weighted: Sequence[tuple[int, Any]], constant: int = 0) -> Any:
        if any(
            abs(number) >= LARGEST for number in (constant, *(weight for weight, _ in weighted))
        ):
            raise Unsupported(f"numbers of {LARGEST:,} and more")
        return (
            cp_model.LinearExpr.weighted_sum(
                [part for _, part in weighted], [weight for weight, _ in weighted]
            )
            + constant
        )

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
                return self.code(value), self.code(value), self.code(value)
            case Sum(weighted, constant):
                parts = [(weight, *self.number(part)) for weight, part in weighted]
                ends = [sorted((weight * low, weight * high)) for weight, _, low, high in parts]
                low, high = (constant + sum(end[side] for end in ends) for side in (0, 1))
                return (
                    self._sum([(weight, part) for weight, part, _, _ in parts], constant),
                    low,
                    high,
                )
            case Operation():
                return self._operation(term)
            case IfElse(condition, then, otherwise):
                holds = self.literal(condition)
                return self._chosen(
                    [(holds, self.number(then)), (_negated(holds), self.number(otherwise))]
                )
            case Element(keys, items, index):
                at = [self.literal(Comparison("==", index, Constant(key))) for key in keys]
                return self._chosen([(here, self.number(item)) for here, item in zip(at, items)])
            case _:
                return self.literal(term), 0, 1

    def _new(self, low: int, high: int) -> Number:
        if max(abs(low), abs(high)) >= LARGEST:
            raise Unsupported(f"numbers of {LARGEST:,} and more")
        return self.problem.new_int_var(low, high, ""), low, high

    def _chosen(self, cases: Sequence[tuple[Any, Number]]) -> Number:
        """Return an expression that equals the one whose literal is true."""
        cases = [case for case in cases if case[0] is not False]
        found = self._new(
            min(low for _, (_, low, _) in cases), max(high for _, (_, _, high) in cases)
        )
        for holds, (part, _, _) in cases:
            self.problem.add(found[0] == part).only_enforce_if(holds)
        return found

    def _operation(self, term: Operation) -> Number:
        parts = [self.number(operand) for operand in term.operands]
        expressions = [part for part, _, _ in parts]
        ends = [(low, high) for _, low, high in parts]
        match term.operator:
            case "min" | "max":
                pick = OPERATIONS[term.operator]
                found = self._new(
                    pick(*(low for low, _ in ends), *(ends[0][:1])),
                    pick(*(high for _, high in ends), ends[0][1]),
                )
                add = (
                    self.problem.add_min_equality
                    if term.operator == "min"
                    else self.problem.add_max_equality
                )
                add(found[0], expressions)
            case "abs":
                found = self._new(0, max(map(abs, ends[0])))
                self.problem.add_abs_equality(found[0], expressions[0])
            case "*":
                corners = [a * b for a, b in product(*ends)]
                found = self._new(min(corners), max(corners))
                self.problem.add_multiplication_equality(found[0], expressions)
            case "//" | "%":
                divisor = ends[1][0]
                quotients = [end // divisor for end in ends[0]]
                quotient = self._new(min(quotients), max(quotients))
                rest = self._new(min(0, divisor + 1), max(0, divisor - 1))
                self.problem.add(expressions[0] == divisor * quotient[0] + rest[0])
                found = quotient if term.operator == "//" else rest
        return found


def _negated(literal: Any) -> Any:
    return not literal if isinstance(literal, bool) else ~literal


def _between(low: int | None, high: int | None) -> Any:
    if low is not None and high is not None and low > high:
        return cp_model.Domain.from_values([])
    if any(bound is not None and abs(bound) >= LARGEST for bound in (low, high)):
        raise Unsupported(f"numbers of {LARGEST:,} and more")
    return cp_model.Domain(
        cp_model.INT_MIN if low is None else low, cp_model.INT_MAX if high is None else high
    )
