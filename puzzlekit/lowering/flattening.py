"""Flatten nested terms: as tables, or, for backends of clauses, by naming parts where a table would
have many rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from puzzlekit.clock import check
from puzzlekit.errors import Unsupported
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
    IfElse,
    Linear,
    Model,
    Not,
    Objective,
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
from puzzlekit.presolve.normal_form import (
    Literal,
    linear_form,
    literal_in,
    numeric,
    opposite,
    pattern,
    substitute,
)
from puzzlekit.presolve.tables import fitted
from puzzlekit.presolve.vector_eval import ColumnEvaluator, coded, column_of, every_combination

TABLE_COMBINATIONS = 20_000  # of values up to which a condition becomes its truth table
TERM_VALUES = 5_000  # of a term that is replaced by a variable
TABLE_COLUMNS = 7  # of a condition that becomes its truth table for backends of clauses
Codes = NDArray[np.uint32]
NEVER = Table((), np.zeros((0, 0), dtype=np.uint32), ())
KEPT = frozenset({Cardinality, Linear, Connected, Circuit, Acyclic, RegionSizes})  # these are flat


def flatten(
    model: Model,
    pause: Callable[[], None] = lambda: None,
    small: int | None = None,
    equalities: bool = False,
) -> Model:
    """Rewrite every constraint as a Table, AllDifferent, Cardinality or Linear over variables.

    Needs:  a presolved model without automata.
    Leaves: the same visible solutions, each once; shapes unchanged; every new variable is auxiliary
            and a function of the others; a goal is a weighted sum of variables. With `small`, few
            large tables, for backends of clauses: what joins literals is never a table; another
            condition is decomposed if its table has more than `small` rows, and a term if it has
            more than `small` combinations of values. With `equalities`: also two variables that are
            equal or differ, alone or in a disjunction after a literal.
    Raises: Unsupported, with the rule, for a term with too many values; whatever `pause` raises.
    """
    return _Flattener(model, small, equalities).run(pause)


class _Flattener:
    """Rewrites one model."""

    def __init__(self, model: Model, small: int | None, equalities: bool) -> None:
        self.model = model
        self.most = TABLE_COMBINATIONS
        self.small = small
        self.equalities = equalities
        self.domains = dict(model.domains)
        self.constraints: list[Constraint] = []
        self.added: list[Variable] = []
        self.names: dict[Hashable, Variable] = {}  # by terms, and by their patterns and variables
        self.joined: dict[tuple[type, Sequence[Literal]], Variable] = {}
        self.truths: dict[Hashable, Codes] = {}  # by the patterns of condition and domains
        self.origin = Origin("")

    def run(self, pause: Callable[[], None]) -> Model:
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
            goal = Objective(goal.name, Sum(*self._weighted(goal.term)), goal.maximise)
        return Model(
            self.domains,
            tuple(self.constraints),
            goal,
            self.model.auxiliary | frozenset(self.added),
        )

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
            case Not(And() | Or() | Not() as inner) if self.small is not None:
                self.state(self._negated(inner))
            case Or((_, _)) if (guarded := self._guarded(condition)) is not None:
                self.post(guarded)
            case Comparison() if self._is_wide(condition):
                self.post(condition)
            case Or() if not self._tabled(condition) or self._joins_literals(condition):
                literals = tuple(dict.fromkeys(self.literal(part) for part in _joined(condition)))
                self.post(Cardinality(literals, 1, len(literals)))
            case _ if self._tabled(condition):
                self._state_truth(condition)
            case Not(inner):
                self.state(self._negated(inner))
            case Comparison("==" | "<" | "<=" as sign, left, right) if self._are_numbers(
                left, right
            ):
                weighted, constant = self._weighted(Sum(((1, left), (-1, right))))
                high = -constant - (sign == "<")
                self.post(Linear(weighted, high if sign == "==" else None, high))
            case _ if self._fits(condition):
                self._state_truth(condition)
            case _:
                self._state_truth(self._with_named_parts(condition))

    def _state_table(self, table: Table) -> None:
        terms = [
            term if isinstance(term, Constant) else self.variable(term) for term in table.terms
        ]
        codes = {
            v: {value: code for code, value in enumerate(self.domains[v])}
            for v in terms
            if isinstance(v, Variable)
        }
        columns, count = fitted(terms, table.rows, table.dictionaries, codes.__getitem__)
        rows = (
            np.stack(list(columns.values()), axis=1)
            if columns
            else np.zeros((min(count, 1), 0), dtype=np.uint32)
        )
        self.post(
            Table(tuple(columns), rows, tuple(self.domains[variable] for variable in columns))
        )

    def _combinations(self, variables: Sequence[Variable]) -> int:
        return math.prod(len(self.domains[variable]) for variable in variables)

    def _fits(self, term: Term) -> bool:
        """Return whether a table can have all combinations of the term's variables."""
        return self._combinations(variables_of(term)) <= self.most

    def _tabled(self, term: Term) -> bool:
        """Return whether this term is best turned into a table."""
        variables = variables_of(term)
        if self.small is None or len(variables) <= 2:
            return self._fits(term)
        return len(variables) <= TABLE_COLUMNS and self._combinations(variables) <= min(
            self.small, self.most
        )

    def _joins_literals(self, term: And | Or) -> bool:
        """Return whether clauses say what the term says, without new names."""
        return self.small is not None and all(
            literal_in(part, self.domains) for part in _joined(term)
        )

    def _guarded(self, term: Or) -> Term | None:
        """Return what to post if a literal decides whether two variables must be equal, or must
        differ.
        """
        if not self.equalities:
            return None
        plain, between = literal_in(term.conditions[0], self.domains), term.conditions[1]
        if plain is None:
            plain, between = literal_in(between, self.domains), term.conditions[0]
        if plain is None or not _is_equality(between) or len(self.domains[plain[0]]) != 2:
            return None
        return Or((Comparison("==", plain[0], Constant(plain[1])), between))

    def _is_wide(self, term: Term) -> bool:
        """Return whether this is an equality of too many values for a table, which need not be one."""
        return self.equalities and _is_equality(term) and not self._fits(term)

    def _state_truth(self, condition: Term) -> None:
        """Post the table of the combinations for which the condition holds."""
        table = self._truth(condition)
        if (
            self.small is not None
            and len(table.terms) > 2
            and len(table.rows) > self.small
            and _is_compound(condition)
        ):
            with suppress(Unsupported):  # one large table is better than none
                table = self._truth(self._with_named_parts(condition))
        self.post(table)

    def _truth(self, condition: Term) -> Table:
        variables = variables_of(condition)
        same = pattern(condition, variables)
        key = (same, *(self.domains[variable] for variable in variables))
        rows = self.truths.get(key) if same is not None else None
        if rows is None:
            codes, sheet = self._every(variables)
            holds = sheet.is_true(condition)
            held = [column[holds] for column in codes]
            rows = np.stack(held, axis=1) if held else np.zeros((int(holds[0]), 0), np.uint32)
            self.truths[key] = rows
        return Table(variables, rows, tuple(self.domains[variable] for variable in variables))

    def _every(self, variables: Sequence[Variable]) -> tuple[list[Codes], ColumnEvaluator]:
        """Return every combination of values, as codes and as a sheet. Raises Unsupported for too
        many.
        """
        if self._combinations(variables) > self.most:
            raise Unsupported(f"{self.origin}: more than {self.most} combinations of values")
        codes = every_combination(
            [np.arange(len(self.domains[variable]), dtype=np.uint32) for variable in variables]
        )
        columns = {v: column_of(self.domains[v])[column] for v, column in zip(variables, codes)}
        return codes, ColumnEvaluator(columns, len(codes[0]) if codes else 1)

    def _weighted(self, term: Term) -> tuple[tuple[tuple[int, Variable], ...], int]:
        """Return a sum as weighted variables and a constant."""
        weights, constant = linear_form(term)
        found: dict[Variable, int] = {}
        for atom, weight in weights.items():
            known = literal_in(atom, self.domains) or (
                self.literal(atom) if isinstance(atom, Not) else None
            )
            if (
                known is None
                or not isinstance(known[1], bool)
                or set(self.domains[known[0]]) != {False, True}
            ):
                variable = self.variable(atom)
            elif known[1]:
                variable = known[0]
            else:
                variable, weight, constant = known[0], -weight, constant + weight
            found[variable] = found.get(variable, 0) + weight
        return tuple((weight, variable) for variable, weight in found.items() if weight), constant

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
            case Comparison("<" | "<=" as sign, left, right) if self._are_numbers(left, right):
                return Comparison("<=" if sign == "<" else "<", right, left)
            case Comparison("!=", left, right):
                return Comparison("==", left, right)
            case _:
                return Comparison("==", self.variable(condition), Constant(False))

    def literal(self, condition: Term) -> Literal:
        """Return the condition as a literal, naming it by a bool if it is not one."""
        known = literal_in(condition, self.domains)
        if known is not None:
            return known
        if isinstance(condition, Not) and (
            other := opposite(self.literal(condition.condition), self.domains)
        ):
            return other
        return self.variable(condition), True

    def variable(self, term: Term) -> Variable:
        """Return a variable that equals the term; equal terms have the same."""
        if isinstance(term, Variable):
            return term
        if term not in self.names:
            same = pattern(term, variables := variables_of(term))
            key: Hashable = term if same is None else (same, variables)
            if key not in self.names:
                self.names[key] = self._name(term)
            self.names[term] = self.names[key]
        return self.names[term]

    def _name(self, term: Term) -> Variable:
        if isinstance(term, Comparison) and self._is_wide(term):
            return self._name_equality(term)
        tabled = self._tabled(term)
        if isinstance(term, And | Or) and (not tabled or self._joins_literals(term)):
            return self._name_joined(term)
        if self.small is not None and not tabled and (isinstance(term, Sum) or _is_compound(term)):
            with suppress(Unsupported):
                return (
                    self._name_sum(term)
                    if isinstance(term, Sum)
                    else self._name_values(self._with_named_parts(term))
                )
        return self._name_values(term)

    def _name_values(self, term: Term) -> Variable:
        """Return a variable beside the term's variables in a table of all their combinations, or
        beside a sum.
        """
        if not self._fits(term):
            term = self._with_named_parts(term)
        if isinstance(term, Sum) and not self._fits(term):
            return self._name_sum(term)
        variables = variables_of(term)
        codes, sheet = self._every(variables)
        values, inverse = coded(sheet.column(term))
        name = self._new(tuple(values))
        rows = np.stack([*codes, inverse.astype(np.uint32)], axis=1)
        self.post(
            Table((*variables, name), rows, tuple(self.domains[v] for v in (*variables, name)))
        )
        return name

    def _name_joined(self, term: And | Or) -> Variable:
        """Return a bool that is true if and only if the conjunction or disjunction holds."""
        conjunction = isinstance(term, And)
        parts = [
            self.literal(self._negated(part) if conjunction else part) for part in _joined(term)
        ]
        key = type(term), tuple(dict.fromkeys(parts))
        if key not in self.joined:
            given = not conjunction
            shorter = self.joined.get((key[0], key[1][:-1]))
            parts = [*key[1]] if shorter is None else [(shorter, given), key[1][-1]]
            name = self.joined[key] = self._new((False, True))
            self.post(Cardinality((*parts, (name, not given)), 1, len(parts) + 1))
            for literal in parts:
                self._imply(*literal, name, given)
        return self.joined[key]

    def _name_equality(self, term: Comparison) -> Variable:
        name = self._new((False, True))
        self.post(
            Or(
                (
                    Comparison("==", name, Constant(term.operator == "!=")),
                    Comparison("==", term.left, term.right),
                )
            )
        )
        self.post(
            Or(
                (
                    Comparison("==", name, Constant(term.operator == "==")),
                    Comparison("!=", term.left, term.right),
                )
            )
        )
        return name

    def _imply(self, variable: Variable, value: object, name: Variable, given: bool) -> None:
        """Post that the name is `given` if the variable has the value."""
        other = None if self.small is None else opposite((variable, value), self.domains)
        if other is None:
            implied = Comparison("==", name, Constant(given))
            self._state_truth(Or((Comparison("!=", variable, Constant(value)), implied)))
        else:
            self.post(Cardinality((other, (name, given)), 1, 2))

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
                return Comparison(
                    "==" if every else "!=",
                    self.variable(counted),
                    Constant(len(conditions) if every else 0),
                )
            case AllDifferent(terms):
                return self._with_named_parts(
                    And(tuple(Comparison("!=", a, b) for a, b in combinations(terms, 2)))
                )
            case Cardinality(literals, low, high):
                total = Sum(
                    tuple(
                        (1, Comparison("==", variable, Constant(value)))
                        for variable, value in literals
                    )
                )
                return Comparison(
                    "==", self.variable(self._between(total, low, high)), Constant(True)
                )
            case Linear(weighted, low, high):
                return Comparison(
                    "==", self.variable(self._between(Sum(weighted), low, high)), Constant(True)
                )
            case Sum(weighted, constant):
                return Sum(
                    tuple((weight, self.variable(atom)) for weight, atom in weighted), constant
                )
            case Element(keys, items, index):
                return self._chosen(keys, items, self.variable(index))
            case Table():
                raise Unsupported(f"{self.origin}: a nested table")
            case _:
                parts = {
                    part: self.variable(part)
                    for part in term.subterms()
                    if not isinstance(part, Constant)
                }
                return substitute(
                    term, {part: name for part, name in parts.items() if part is not name}
                )

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


def _joined(term: And | Or) -> list[Term]:
    """Return the conditions that the term joins, without terms of its own kind among them."""
    found: list[Term] = []
    for part in term.conditions:
        found += (
            _joined(part) if isinstance(part, And | Or) and type(part) is type(term) else [part]
        )
    return found


def _is_equality(term: Term) -> bool:
    """Return whether this says that two variables are equal, or that they differ."""
    if not isinstance(term, Comparison) or term.operator not in ("==", "!="):
        return False
    return isinstance(term.left, Variable) and isinstance(term.right, Variable)


def _is_compound(term: Term) -> bool:
    return isinstance(term, Cardinality) or any(
        not isinstance(part, Variable | Constant) for part in term.subterms()
    )
