"""Flatten nested terms: name them until an exact cover can express every constraint."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from puzzlekit.clock import check
from puzzlekit.errors import Unsupported
from puzzlekit.limits import limits
from puzzlekit.model import (
    Acyclic,
    AllDifferent,
    And,
    Cardinality,
    Circuit,
    Comparison,
    Connected,
    Constant,
    Constraint,
    Domain,
    Element,
    Goal,
    IfElse,
    Linear,
    Model,
    Not,
    Operation,
    Or,
    Origin,
    RegionSizes,
    Sum,
    Table,
    Term,
    Variable,
    variables_of,
)
from puzzlekit.presolve.normalise import linear_form, literal_of, numeric, pattern, substitute
from puzzlekit.presolve.tables import fitted
from puzzlekit.presolve.vector_eval import Sheet, coded, column_of, every_combination

TERM_VALUES = 5_000  # of a term that is replaced by a variable
Codes = NDArray[np.uint32]
Weighted = tuple[tuple[int, Variable], ...]
NEVER = Table((), np.zeros((0, 0), dtype=np.uint32), ())


def flatten(model: Model, pause: Callable[[], None] = lambda: None) -> Model:
    """Rewrite every constraint as a Table, AllDifferent, Cardinality or Linear over variables.

    Needs:  a presolved model without automata.
    Leaves: the same visible solutions, each once; shapes unchanged; every new variable is auxiliary
            and a function of the others; a goal is a weighted sum of variables.
    Raises: Unsupported, with the rule, for a term with too many values; whatever `pause` raises.
    """
    return Flattener(model).result(pause)


KEPT = frozenset({Cardinality, Linear, Connected, Circuit, Acyclic, RegionSizes})  # these are flat


class Flattener:
    """Rewrites one model; `decompose` overrides what is made a table and what is named."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.domains = dict(model.domains)
        self.constraints: list[Constraint] = []
        self.added: list[Variable] = []
        self.names: dict[Term, Variable] = {}
        self.truths: dict[Hashable, Codes] = {}  # by the patterns of condition and domains
        self.origin = Origin("")

    def result(self, pause: Callable[[], None]) -> Model:
        for constraint in self.model.constraints:
            if type(constraint.condition) in KEPT:
                self.constraints.append(constraint)
            else:
                pause()
                self.origin = constraint.origin
                self.state(constraint.condition)
        goal = self.model.goal
        if goal is not None:
            self.origin = Origin(f"goal {goal.name}")
            weights, constant = linear_form(goal.term)
            named = tuple((weight, self.variable(atom)) for atom, weight in weights.items())
            goal = Goal(goal.name, Sum(named, constant), goal.maximise)
        return Model(self.domains, tuple(self.constraints), goal, self.model.auxiliary | frozenset(self.added))

    def post(self, condition: Term) -> None:
        self.constraints.append(Constraint(condition, self.origin))

    def state(self, condition: Term) -> None:
        """Post the condition in one of the flat forms."""
        match condition:
            case Table():
                self._state_table(condition)
            case AllDifferent(terms):
                names = tuple(self.variable(term) for term in terms)
                self.post(AllDifferent(names) if len(set(names)) == len(names) else NEVER)
            case _ if type(condition) in KEPT:
                self.post(condition)
            case And(conditions):
                for part in conditions:
                    self.state(part)
            case _ if self._tabled(condition):
                self._state_truth(condition)
            case Or(conditions):
                literals = tuple(dict.fromkeys(self.literal(part) for part in conditions))
                self.post(Cardinality(literals, 1, len(literals)))
            case Not(inner):
                self.state(self._negated(inner))
            case Comparison("==" | "<" | "<=", left, right) if self._are_numbers(left, right):
                self._state_sum(condition)
            case _ if self._combinations(variables_of(condition)) <= limits().lowering.table_combinations:
                self._state_truth(condition)
            case _:
                self._state_truth(self._with_named_parts(condition))

    def _state_table(self, table: Table) -> None:
        terms = [term if isinstance(term, Constant) else self.variable(term) for term in table.terms]
        codes = {v: {value: code for code, value in enumerate(self.domains[v])} for v in terms if isinstance(v, Variable)}
        columns, count = fitted(terms, table.rows, table.books, codes.__getitem__)
        rows = np.stack(list(columns.values()), axis=1) if columns else np.zeros((min(count, 1), 0), dtype=np.uint32)
        self.post(Table(tuple(columns), rows, tuple(self.domains[variable] for variable in columns)))

    def _combinations(self, variables: Sequence[Variable]) -> int:
        return math.prod(len(self.domains[variable]) for variable in variables)

    def _tabled(self, term: Term) -> bool:
        """Return whether this term is best turned into a table."""
        return self._combinations(variables_of(term)) <= limits().lowering.table_combinations

    def _state_truth(self, condition: Term) -> None:
        """Post the table of the combinations for which the condition holds."""
        self.post(self._truth(condition))

    def _truth(self, condition: Term) -> Table:
        variables = variables_of(condition)
        most = limits().lowering.table_combinations
        if self._combinations(variables) > most:
            raise Unsupported(f"{self.origin}: more than {most} combinations of values")
        same = pattern(condition, variables)
        key = (same, *(self.domains[variable] for variable in variables))
        rows = self.truths.get(key) if same is not None else None
        if rows is None:
            codes = self._grid(variables)
            holds = self._sheet(variables, codes).holds(condition)
            rows = (
                np.stack([column[holds] for column in codes], axis=1) if variables else np.zeros((int(holds[0]), 0), np.uint32)
            )
            self.truths[key] = rows
        return Table(variables, rows, tuple(self.domains[variable] for variable in variables))

    def _grid(self, variables: Sequence[Variable]) -> list[Codes]:
        return every_combination([np.arange(len(self.domains[variable]), dtype=np.uint32) for variable in variables])

    def _sheet(self, variables: Sequence[Variable], codes: Sequence[Codes]) -> Sheet:
        columns = {v: column_of(self.domains[v])[column] for v, column in zip(variables, codes)}
        return Sheet(columns, len(codes[0]) if codes else 1)

    def _state_sum(self, condition: Comparison) -> None:
        weighted, constant = self._weighted(Sum(((1, condition.left), (-1, condition.right))))
        high = -constant - (condition.operator == "<")
        self.post(Linear(weighted, high if condition.operator == "==" else None, high))

    def _weighted(self, term: Term) -> tuple[Weighted, int]:
        """Return a sum as weighted variables and a constant."""
        weights, constant = linear_form(term)
        return tuple((weight, self.variable(atom)) for atom, weight in weights.items()), constant

    def _are_numbers(self, *terms: Term) -> bool:
        return all(numeric(term, self.domains) for term in terms)

    def _negated(self, condition: Term) -> Term:
        match condition:
            case And(conditions):
                return Or(tuple(Not(part) for part in conditions))
            case Or(conditions):
                return And(tuple(Not(part) for part in conditions))
            case Not(inner):
                return inner
            case Comparison("<" | "<=" as sign, left, right) if numeric(left, self.domains) and numeric(right, self.domains):
                return Comparison("<=" if sign == "<" else "<", right, left)
            case Comparison("!=", left, right):
                return Comparison("==", left, right)
            case _:
                return Comparison("==", self.variable(condition), Constant(False))

    def literal(self, condition: Term) -> tuple[Variable, object]:
        """Return the condition as a literal, naming it by a bool if it is not one."""
        known = literal_of(condition, self.domains)
        return known if known is not None else (self.variable(condition), True)

    def variable(self, term: Term) -> Variable:
        """Return a variable that equals the term."""
        if isinstance(term, Variable):
            return term
        if term not in self.names:
            self.names[term] = self._name(term)
        return self.names[term]

    def _name(self, term: Term) -> Variable:
        if isinstance(term, And | Or) and not self._tabled(term):
            return self._name_joined(term)
        if self._combinations(variables_of(term)) > limits().lowering.table_combinations:
            term = self._with_named_parts(term)
        variables = variables_of(term)
        if self._combinations(variables_of(term)) > limits().lowering.table_combinations:
            if isinstance(term, Sum):
                return self._name_sum(term)
            raise Unsupported(f"{self.origin}: more than {limits().lowering.table_combinations} combinations of values")
        codes = self._grid(variables)
        values, inverse = coded(self._sheet(variables, codes).column(term))
        name = self._new(tuple(values))
        rows = np.stack([*codes, inverse.astype(np.uint32)], axis=1)
        self.post(Table((*variables, name), rows, tuple(self.domains[v] for v in (*variables, name))))
        return name

    def _name_joined(self, term: And | Or) -> Variable:
        """Return a bool that is true if and only if the conjunction or disjunction holds."""
        if isinstance(term, And):
            parts, kept, given = [self.literal(self._negated(part)) for part in term.conditions], True, False
        else:
            parts, kept, given = [self.literal(part) for part in term.conditions], False, True
        name = self._new((False, True))
        literals = tuple(dict.fromkeys((*parts, (name, kept))))
        self.post(Cardinality(literals, 1, len(literals)))
        for variable, value in parts:
            self._imply(variable, value, name, given)
        return name

    def _imply(self, variable: Variable, value: object, name: Variable, given: bool) -> None:
        """Post that the name is `given` if the variable has the value."""
        implied = Comparison("==", name, Constant(given))
        self._state_truth(Or((Comparison("!=", variable, Constant(value)), implied)))

    def _new(self, values: Domain) -> Variable:
        check()
        variable = Variable(f"(part {len(self.added) + 1})")
        self.added.append(variable)
        self.domains[variable] = values
        return variable

    def _name_sum(self, term: Sum) -> Variable:
        weighted, constant = self._weighted(term)
        reachable = {constant}
        for weight, variable in weighted:
            steps = {weight * int(value) for value in self.domains[variable]}
            reachable = {total + step for total in reachable for step in steps}
            if len(reachable) > TERM_VALUES:
                raise Unsupported(f"{self.origin}: a sum with more than {TERM_VALUES} values")
        name = self._new(tuple(sorted(reachable)))
        self.post(Linear((*weighted, (-1, name)), -constant, -constant))
        return name

    def _with_named_parts(self, term: Term) -> Term:
        """Return the term over variables that name its parts; fold long operations pairwise."""
        match term:
            case Operation("min" | "max" | "*" as operator, operands) if len(operands) > 2:
                first = self.variable(operands[0])
                for operand in operands[1:]:
                    first = self.variable(Operation(operator, (first, operand)))
                return first
            case And(conditions) | Or(conditions):
                counted = Sum(tuple((1, self.variable(part)) for part in conditions))
                every = isinstance(term, And)
                return Comparison("==" if every else "!=", self.variable(counted), Constant(len(conditions) if every else 0))
            case AllDifferent(terms):
                return self._with_named_parts(And(tuple(Comparison("!=", a, b) for a, b in combinations(terms, 2))))
            case Cardinality(literals, low, high):
                total = Sum(tuple((1, Comparison("==", variable, Constant(value))) for variable, value in literals))
                return Comparison("==", self.variable(self._between(total, low, high)), Constant(True))
            case Linear(weighted, low, high):
                return Comparison("==", self.variable(self._between(Sum(weighted), low, high)), Constant(True))
            case Sum(weighted, constant):
                return Sum(tuple((weight, self.variable(atom)) for weight, atom in weighted), constant)
            case Element(keys, items, index):
                return self._chosen(keys, items, self.variable(index))
            case Table():
                raise Unsupported(f"{self.origin}: a nested table")
            case _:
                parts = {part: self.variable(part) for part in term.parts() if not isinstance(part, Constant)}
                return substitute(term, {part: name for part, name in parts.items() if part is not name})

    def _between(self, total: Term, low: int | None, high: int | None) -> Term:
        name = self.variable(self._with_named_parts(total))
        bounds = [Comparison("<=", Constant(low), name)] if low is not None else []
        bounds += [Comparison("<=", name, Constant(high))] if high is not None else []
        return And(tuple(bounds))

    def _chosen(self, keys: Sequence[object], items: Sequence[Term], index: Variable) -> Term:
        """Return an element as a chain of conditionals, each over few variables."""
        pairs: Iterator[tuple[object, Term]] = zip(reversed(keys), reversed(items))
        possible = set(self.domains[index])
        chosen = [(key, item) for key, item in pairs if key in possible]
        if set(possible) != {key for key, _ in chosen}:
            self.state(Or(tuple(Comparison("==", index, Constant(key)) for key, _ in chosen)))
        last: Term = chosen[0][1]
        for key, item in chosen[1:]:
            last = self.variable(IfElse(Comparison("==", index, Constant(key)), item, last))
        return last
