"""Flatten nested terms: as tables, or, for backends of clauses, by names of operands."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
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
    TermPattern,
    Value,
    Variable,
    pattern_of,
    variables_of,
)
from puzzlekit.presolve import (
    ColumnEvaluator,
    Literal,
    coded,
    column_of,
    every_combination,
    fitted,
    linear_form,
    literal_in,
    numeric,
    opposite,
    substitute,
)

TABLE_COMBINATIONS = 20_000  # of values up to which a condition becomes its truth table
TERM_VALUES = 5_000  # of a term that is replaced by a variable
SHARED_AXES = 20  # of an array of truths; numpy allows 32
SHARED_VALUES = 8  # of a domain that may be widened, and the combinations of widened domains
SHARED_COMBINATIONS = 2_000
CACHED_TABLES = 500  # patterns of conditions whose truth tables are cached
TABLE_COLUMNS = 7  # of a condition that becomes its truth table for backends of clauses
Codes = NDArray[np.uint32]
NEVER = Table((), np.zeros((0, 0), dtype=np.uint32), ())
# the classes of flat conditions
UNCHANGED = frozenset({Cardinality, Linear, Connected, Circuit, Acyclic, RegionSizes})


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
        self._patterns: dict[Term, TermPattern] = {}
        # all values of small domains, by their classes; filled when it is first needed
        self._values: dict[frozenset[type], dict[Value, None]] = {}
        self.origin = Origin("")

    def run(self, pause: Callable[[], None]) -> Model:
        for constraint in self.model.constraints:
            if type(constraint.condition) in UNCHANGED:
                self.constraints.append(constraint)
            else:
                pause()
                self.origin = constraint.origin
                self.flatten(constraint.condition)
        goal = self.model.goal
        if goal is not None:
            self.origin = Origin(f"goal {goal.name}")
            goal = Objective(goal.name, Sum(*self._weighted(goal.term)), goal.maximise)
        auxiliary = self.model.auxiliary | frozenset(self.added)
        return Model(self.domains, tuple(self.constraints), goal, auxiliary)

    def post(self, condition: Term) -> None:
        self.constraints.append(Constraint(condition, self.origin))

    def flatten(self, condition: Term) -> None:
        """Post the condition in one of the flat forms."""
        if type(condition) in UNCHANGED:
            self.post(condition)
            return
        match condition:
            case Table():
                self._flatten_table(condition)
            case AllDifferent(terms):
                names = tuple(self.variable(term) for term in terms)
                self.post(AllDifferent(names) if len(set(names)) == len(names) else NEVER)
            case And(conditions):
                for conjunct in conditions:
                    self.flatten(conjunct)
            case Not(And() | Or() | Not() as inner) if self.small is not None:
                self.flatten(self._negated(inner))
            case Or():
                self._flatten_disjunction(condition)
            case Comparison() if self._is_wide(condition):
                self.post(condition)
            case _:
                self._flatten_nested(condition)

    def _flatten_disjunction(self, disjunction: Or) -> None:
        guarded = self._guarded(disjunction)
        if guarded is not None:
            self.post(guarded)
        elif not self._tabled(disjunction) or self._joins_literals(disjunction):
            operands = _flat_operands(disjunction)
            literals = tuple(dict.fromkeys([self.literal(operand) for operand in operands]))
            self.post(Cardinality(literals, 1, len(literals)))
        else:
            self._post_truth(disjunction)

    def _flatten_nested(self, condition: Term) -> None:
        if self._tabled(condition):
            self._post_truth(condition)
            return
        match condition:
            case Not(inner):
                self.flatten(self._negated(inner))
            case Comparison("==" | "<" | "<=") if self._compares_numbers(condition):
                self._post_linear(condition)
            case _:
                if not self._fits(condition):
                    condition = self._with_named_operands(condition)
                self._post_truth(condition)

    def _post_linear(self, comparison: Comparison) -> None:
        difference = Sum(((1, comparison.left), (-1, comparison.right)))
        weighted, constant = self._weighted(difference)
        high = -constant - (comparison.operator == "<")
        low = high if comparison.operator == "==" else None
        self.post(Linear(weighted, low, high))

    def _flatten_table(self, table: Table) -> None:
        terms: list[Variable | Constant] = []
        codes: dict[Variable, dict[Value, int]] = {}
        for term in table.terms:
            if isinstance(term, Constant):
                terms.append(term)
                continue
            variable = self.variable(term)
            terms.append(variable)
            domain = self.domains[variable]
            codes[variable] = {value: code for code, value in enumerate(domain)}
        columns, count = fitted(terms, table.rows, table.dictionaries, codes.__getitem__)
        if columns:
            rows = np.stack(list(columns.values()), axis=1)
        else:
            rows = np.zeros((min(count, 1), 0), dtype=np.uint32)
        self.post(Table(tuple(columns), rows, self._domains_of(columns)))

    def _domains_of(self, variables: Iterable[Variable]) -> tuple[Domain, ...]:
        return tuple([self.domains[variable] for variable in variables])

    def _combinations(self, variables: Sequence[Variable]) -> int:
        return math.prod(len(self.domains[variable]) for variable in variables)

    def _pattern(self, term: Term) -> TermPattern:
        """Return the pattern of a term, which is read once."""
        pattern = self._patterns.get(term)
        if pattern is None:
            pattern = self._patterns[term] = pattern_of(term)
        return pattern

    def _fits(self, term: Term) -> bool:
        """Return whether a table can have all combinations of the term's variables."""
        return self._combinations(self._pattern(term).variables) <= self.most

    def _tabled(self, term: Term) -> bool:
        """Return whether this term is best turned into a table."""
        variables = self._pattern(term).variables
        if self.small is None or len(variables) <= 2:
            return self._combinations(variables) <= self.most
        if len(variables) > TABLE_COLUMNS:
            return False
        return self._combinations(variables) <= min(self.small, self.most)

    def _joins_literals(self, term: And | Or) -> bool:
        """Return whether clauses say what the term says, without new names."""
        if self.small is None:
            return False
        return all(literal_in(operand, self.domains) for operand in _flat_operands(term))

    def _guarded(self, term: Or) -> Term | None:
        """Return what to post if a literal decides whether two variables must be equal, or must
        differ.
        """
        if not self.equalities or len(term.conditions) != 2:
            return None
        first, second = term.conditions
        literal = literal_in(first, self.domains)
        equality = second
        if literal is None:
            literal = literal_in(second, self.domains)
            equality = first
        if literal is None or not _is_equality(equality):
            return None
        variable, value = literal
        if len(self.domains[variable]) != 2:
            return None
        return Or((Comparison("==", variable, Constant(value)), equality))

    def _is_wide(self, term: Term) -> bool:
        """Return whether this is an equality that is posted as it is: its table would be large."""
        return self.equalities and _is_equality(term) and not self._fits(term)

    def _post_truth(self, condition: Term) -> None:
        """Post the table of the combinations for which the condition holds."""
        table = self._truth(condition)
        if self._is_large(table) and _is_compound(condition):
            with suppress(Unsupported):  # one large table is better than none
                table = self._truth(self._with_named_operands(condition))
        self.post(table)

    def _is_large(self, table: Table) -> bool:
        if self.small is None:
            return False
        return len(table.terms) > 2 and len(table.rows) > self.small

    def _truth(self, condition: Term) -> Table:
        pattern = self._pattern(condition)
        variables = pattern.variables
        domains = self._domains_of(variables)
        self._require_few(variables)
        if not pattern.is_comparable or len(variables) > SHARED_AXES:
            codes, evaluator = _every(variables, domains)
            is_true = evaluator.is_true(condition)
            rows = np.zeros((int(is_true[0]), 0), np.uint32)
            if codes:
                rows = np.stack([column[is_true] for column in codes], axis=1)
            return Table(variables, rows, domains)
        classes = [frozenset(map(type, domain)) for domain in domains]
        key = (pattern.key, *classes)
        truths = _truths_of.get(key)
        if truths is None or not truths.cover(domains):
            evaluated: Sequence[Domain] = domains
            if truths is not None:  # other conditions of this pattern have other values
                evaluated = self._widened(domains, classes)
            _, evaluator = _every(variables, evaluated)
            if len(_truths_of) >= CACHED_TABLES:
                _truths_of.clear()
            truths = _truths_of[key] = _Truths(evaluated, evaluator.is_true(condition))
        return Table(variables, truths.rows(domains), domains)

    def _widened(
        self, domains: Sequence[Domain], classes: Sequence[frozenset[type]]
    ) -> Sequence[Domain]:
        """Return domains with all values that small domains of the same classes have, if these
        are few.
        """
        if not self._values:
            for domain in self.domains.values():
                if len(domain) <= SHARED_VALUES:
                    values = self._values.setdefault(frozenset(map(type, domain)), {})
                    values.update(dict.fromkeys(domain))
        widened = []
        for domain, classes_of_domain in zip(domains, classes):
            values = self._values.get(classes_of_domain, {})
            widened.append(tuple(dict.fromkeys((*domain, *values))))
        combinations_of_values = math.prod(map(len, widened))
        return widened if combinations_of_values <= SHARED_COMBINATIONS else domains

    def _require_few(self, variables: Sequence[Variable]) -> None:
        """Raise Unsupported for too many combinations of values."""
        if self._combinations(variables) > self.most:
            raise Unsupported(f"{self.origin}: more than {self.most} combinations of values")

    def _weighted(self, term: Term) -> tuple[tuple[tuple[int, Variable], ...], int]:
        """Return a sum as weighted variables and a constant."""
        weights, constant = linear_form(term)
        weight_of: dict[Variable, int] = {}
        for atom, weight in weights.items():
            literal = literal_in(atom, self.domains)
            if literal is None and isinstance(atom, Not):
                literal = self.literal(atom)
            if literal is None or not self._is_truth(literal):
                variable = self.variable(atom)
            else:
                variable, truth = literal
                if not truth:  # the weight of not x is that of 1 - x
                    constant += weight
                    weight = -weight
            weight_of[variable] = weight_of.get(variable, 0) + weight
        weighted = [(weight, variable) for variable, weight in weight_of.items() if weight]
        return tuple(weighted), constant

    def _is_truth(self, literal: Literal) -> bool:
        """Return whether this is a truth value of a variable that has both."""
        variable, value = literal
        return isinstance(value, bool) and set(self.domains[variable]) == {False, True}

    def _compares_numbers(self, comparison: Comparison) -> bool:
        sides = comparison.left, comparison.right
        return all(numeric(side, self.domains) for side in sides)

    def _negated(self, condition: Term) -> Term:
        match condition:
            case And(conditions):
                return Or(tuple(map(Not, conditions)))
            case Or(conditions):
                return And(tuple(map(Not, conditions)))
            case Not(inner):
                return inner
            case Comparison("!=", left, right):
                return Comparison("==", left, right)
            case Comparison("<", left, right) if self._compares_numbers(condition):
                return Comparison("<=", right, left)
            case Comparison("<=", left, right) if self._compares_numbers(condition):
                return Comparison("<", right, left)
            case _:
                return Comparison("==", self.variable(condition), Constant(False))

    def literal(self, condition: Term) -> Literal:
        """Return the condition as a literal, naming it by a bool if it is not one."""
        literal = literal_in(condition, self.domains)
        if literal is not None:
            return literal
        if isinstance(condition, Not):
            negation = opposite(self.literal(condition.condition), self.domains)
            if negation:
                return negation
        return self.variable(condition), True

    def variable(self, term: Term) -> Variable:
        """Return a variable that equals the term; equal terms have the same."""
        if isinstance(term, Variable):
            return term
        if term not in self.names:
            pattern = self._pattern(term)
            key: Hashable = term
            if pattern.is_comparable:
                key = (pattern.key, pattern.variables)
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
        if self.small is not None and not tabled:
            with suppress(Unsupported):
                if isinstance(term, Sum):
                    return self._name_sum(term)
                if _is_compound(term):
                    return self._name_values(self._with_named_operands(term))
        return self._name_values(term)

    def _name_values(self, term: Term) -> Variable:
        """Return a variable beside the term's variables in a table of all their combinations, or
        beside a sum.
        """
        if not self._fits(term):
            term = self._with_named_operands(term)
        if isinstance(term, Sum) and not self._fits(term):
            return self._name_sum(term)
        variables = variables_of(term)
        self._require_few(variables)
        codes, evaluator = _every(variables, self._domains_of(variables))
        values, inverse = coded(evaluator.column(term))
        name = self._new(tuple(values))
        rows = np.stack([*codes, inverse.astype(np.uint32)], axis=1)
        scope = (*variables, name)
        self.post(Table(scope, rows, self._domains_of(scope)))
        return name

    def _name_joined(self, term: And | Or) -> Variable:
        """Return a bool that is true if and only if the conjunction or disjunction holds."""
        operands = _flat_operands(term)
        if isinstance(term, And):
            sides = [self.literal(self._negated(operand)) for operand in operands]
        else:
            sides = [self.literal(operand) for operand in operands]
        literals = tuple(dict.fromkeys(sides))
        key = type(term), literals
        if key not in self.joined:
            truth = isinstance(term, Or)  # of the name if one of the literals holds
            shorter = self.joined.get((type(term), literals[:-1]))
            if shorter is not None:
                literals = (shorter, truth), literals[-1]
            name = self.joined[key] = self._new((False, True))
            clause = (*literals, (name, not truth))
            self.post(Cardinality(clause, 1, len(clause)))
            for variable, value in literals:
                self._imply(variable, value, name, truth)
        return self.joined[key]

    def _name_equality(self, term: Comparison) -> Variable:
        name = self._new((False, True))
        equal = Comparison("==", term.left, term.right)
        different = Comparison("!=", term.left, term.right)
        if_equal = term.operator == "=="
        if_different = term.operator == "!="
        self.post(Or((Comparison("==", name, Constant(if_different)), equal)))
        self.post(Or((Comparison("==", name, Constant(if_equal)), different)))
        return name

    def _imply(self, variable: Variable, value: object, name: Variable, truth: bool) -> None:
        """Post that the name has this truth value if the variable has the value."""
        negation = None
        if self.small is not None:
            negation = opposite((variable, value), self.domains)
        if negation is not None:
            self.post(Cardinality((negation, (name, truth)), 1, 2))
        else:
            denied = Comparison("!=", variable, Constant(value))
            self._post_truth(Or((denied, Comparison("==", name, Constant(truth)))))

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

    def _with_named_operands(self, term: Term) -> Term:
        """Return the term over variables that name its operands."""
        match term:
            case Operation("min" | "max" | "*") if len(term.operands) > 2:
                return self._folded(term)
            case And(conditions):
                return Comparison("==", self._count(conditions), Constant(len(conditions)))
            case Or(conditions):
                return Comparison("!=", self._count(conditions), Constant(0))
            case AllDifferent(terms):
                unequal = [Comparison("!=", a, b) for a, b in combinations(terms, 2)]
                return self._with_named_operands(And(tuple(unequal)))
            case Cardinality(literals, low, high):
                total = Sum(tuple([(1, _comparison(literal)) for literal in literals]))
                return self._between(total, low, high)
            case Linear(weighted, low, high):
                return self._between(Sum(weighted), low, high)
            case Sum(weighted, constant):
                names = [(weight, self.variable(atom)) for weight, atom in weighted]
                return Sum(tuple(names), constant)
            case Element(keys, items, index):
                return self._chosen(keys, items, self.variable(index))
            case Table():
                raise Unsupported(f"{self.origin}: a nested table")
            case _:
                return self._with_names(term)

    def _with_names(self, term: Term) -> Term:
        operands = [each for each in term.subterms() if not isinstance(each, Constant)]
        names = {operand: self.variable(operand) for operand in operands}
        changed = {operand: name for operand, name in names.items() if operand is not name}
        return substitute(term, changed)

    def _folded(self, operation: Operation) -> Variable:
        """Return a long operation as a chain of operations on two variables."""
        total = self.variable(operation.operands[0])
        for operand in operation.operands[1:]:
            total = self.variable(Operation(operation.operator, (total, operand)))
        return total

    def _count(self, conditions: Sequence[Term]) -> Variable:
        """Return a variable for the number of true conditions."""
        names = [(1, self.variable(condition)) for condition in conditions]
        return self.variable(Sum(tuple(names)))

    def _between(self, total: Term, low: int | None, high: int | None) -> Term:
        """Return the condition that a sum is within bounds, by a name."""
        name = self.variable(self._with_named_operands(total))
        bounds = []
        if low is not None:
            bounds.append(Comparison("<=", Constant(low), name))
        if high is not None:
            bounds.append(Comparison("<=", name, Constant(high)))
        is_within = self.variable(And(tuple(bounds)))
        return Comparison("==", is_within, Constant(True))

    def _chosen(self, keys: Sequence[object], items: Sequence[Term], index: Variable) -> Term:
        """Return an element as a chain of conditionals, each over few variables."""
        possible = set(self.domains[index])
        pairs = zip(reversed(keys), reversed(items))
        entries = [(key, item) for key, item in pairs if key in possible]
        if possible != {key for key, _ in entries}:
            allowed = [Comparison("==", index, Constant(key)) for key, _ in entries]
            self.flatten(Or(tuple(allowed)))
        chosen: Term = entries[0][1]
        for key, item in entries[1:]:
            condition = Comparison("==", index, Constant(key))
            chosen = self.variable(IfElse(condition, item, chosen))
        return chosen


class _Truths:
    """The combinations of values that make the conditions of one pattern true.

    Args:
        domains: The values of each variable.
        is_true: Whether it is true for each combination; the last value changes fastest.
    """

    def __init__(self, domains: Sequence[Domain], is_true: NDArray[np.bool_]) -> None:
        self.domains = domains
        self._is_true = is_true.reshape([*map(len, domains)])
        self._positions: list[dict[Value, int]] = []
        for domain in domains:
            positions = range(len(domain))
            self._positions.append(dict(zip(domain, positions)))

    def cover(self, domains: Sequence[Domain]) -> bool:
        """Return whether the combinations of these values are among them."""
        for positions, domain in zip(self._positions, domains):
            if not positions.keys() >= set(domain):
                return False
        return True

    def rows(self, domains: Sequence[Domain]) -> Codes:
        """Return the codes of these values in the combinations that make the condition true."""
        is_true = self._is_true
        for axis, (domain, positions) in enumerate(zip(domains, self._positions)):
            if domain != self.domains[axis]:
                chosen = [positions[value] for value in domain]
                is_true = is_true.take(chosen, axis=axis)
        return np.argwhere(is_true).astype(np.uint32)


# by the pattern of a condition and the classes of values of its variables
_truths_of: dict[Hashable, _Truths] = {}


def _every(
    variables: Sequence[Variable], domains: Sequence[Domain]
) -> tuple[list[Codes], ColumnEvaluator]:
    """Return every combination of values, as codes and as an evaluator over them."""
    codes = every_combination([np.arange(len(domain), dtype=np.uint32) for domain in domains])
    columns = {}
    for variable, domain, column in zip(variables, domains, codes):
        columns[variable] = column_of(domain)[column]
    return codes, ColumnEvaluator(columns, len(codes[0]) if codes else 1)


def _flat_operands(term: And | Or) -> list[Term]:
    """Return the conditions that the term joins, without terms of its class among them."""
    operands: list[Term] = []
    for operand in term.conditions:
        if isinstance(operand, type(term)):
            operands += _flat_operands(operand)
        else:
            operands.append(operand)
    return operands


def _comparison(literal: Literal) -> Comparison:
    variable, value = literal
    return Comparison("==", variable, Constant(value))


def _is_equality(term: Term) -> bool:
    """Return whether this says that two variables are equal, or that they differ."""
    if not isinstance(term, Comparison) or term.operator not in ("==", "!="):
        return False
    return isinstance(term.left, Variable) and isinstance(term.right, Variable)


def _is_compound(term: Term) -> bool:
    if isinstance(term, Cardinality):
        return True
    return any(not isinstance(operand, Variable | Constant) for operand in term.subterms())
