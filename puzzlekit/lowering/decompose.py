"""Flatten nested terms for backends of clauses: name parts where a table would have many rows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress

from puzzlekit.errors import Unsupported
from puzzlekit.limits import limits
from puzzlekit.lowering.flatten import Flattener, Weighted
from puzzlekit.model import (
    And,
    Cardinality,
    Comparison,
    Constant,
    Model,
    Not,
    Or,
    Sum,
    Term,
    Variable,
    variables_of,
)
from puzzlekit.presolve.normalise import Literal, linear_form, literal_of, pattern

TABLE_COLUMNS = 7  # of a condition that becomes its truth table for backends of clauses


def decompose(model: Model, small: int, equalities: bool = False, pause: Callable[[], None] = lambda: None) -> Model:
    """Do what `flatten` does, with few large tables.

    Needs:  a presolved model without automata.
    Leaves: what `flatten` leaves. What joins literals is never a table. Another condition is
            decomposed if its table has more than `small` rows, and a term if it has more than
            `small` combinations of values. With `equalities`: also two variables that are equal
            or differ, alone or in a disjunction after a literal.
    Raises: what `flatten` raises.
    """
    return _Decomposer(model, min(small, limits().lowering.table_combinations), equalities).result(pause)


class _Decomposer(Flattener):
    def __init__(self, model: Model, small: int, equalities: bool) -> None:
        super().__init__(model)
        self.small = small
        self.equalities = equalities
        self.known: dict[Hashable, Variable] = {}  # names by the patterns and variables of terms
        self.joined: dict[tuple[type, Sequence[Literal]], Variable] = {}

    def state(self, condition: Term) -> None:
        match condition:
            case Not(And() | Or() | Not() as inner):
                self.state(self._negated(inner))
            case Or((_, _)) if (guarded := self._guarded(condition)) is not None:
                self.post(guarded)
            case Comparison() if self._is_wide(condition):
                self.post(condition)
            case Or((_, *_)) if (conditions := _joined(condition)) and (
                all(self._known(part) for part in conditions) or not self._tabled(condition)
            ):
                literals = tuple(dict.fromkeys(self.literal(part) for part in conditions))
                self.post(Cardinality(literals, 1, len(literals)))
            case _:
                super().state(condition)

    def _guarded(self, term: Or) -> Term | None:
        """Return what to post if a literal decides whether two variables must be equal, or must differ."""
        plain, between = self._known(term.conditions[0]), term.conditions[1]
        if plain is None:
            plain, between = self._known(between), term.conditions[0]
        if plain is None or not _is_equality(between) or len(self.domains[plain[0]]) != 2:
            return None
        if self.equalities:
            return Or((Comparison("==", plain[0], Constant(plain[1])), between))
        return self._truth(term) if super()._tabled(term) else None  # large, but clauses of it are few

    def _is_wide(self, term: Term) -> bool:
        """Return whether this is an equality of too many values for a table, which need not be one."""
        return self.equalities and _is_equality(term) and not super()._tabled(term)

    def _tabled(self, term: Term) -> bool:
        variables = variables_of(term)
        if len(variables) <= 2:
            return super()._tabled(term)
        return len(variables) <= TABLE_COLUMNS and self._combinations(variables) <= self.small

    def _state_truth(self, condition: Term) -> None:
        table = self._truth(condition)
        if len(table.terms) > 2 and len(table.rows) > self.small and _is_compound(condition):
            with suppress(Unsupported):  # one large table is better than none
                table = self._truth(self._with_named_parts(condition))
        self.post(table)

    def _known(self, term: Term) -> Literal | None:
        """Return the term as a literal, if it is one without a new name."""
        match term:
            case Not(inner):
                found = self._known(inner)
                return found and self._opposite(*found)
            case Comparison("!=", Variable() as variable, Constant(value)):
                return self._opposite(variable, value)
            case _:
                return literal_of(term, self.domains)

    def _opposite(self, variable: Variable, value: object) -> Literal | None:
        """Return the literal that is true if and only if this one is not, if there is one."""
        others = [other for other in self.domains[variable] if other != value]
        return (variable, others[0]) if len(others) == 1 == len(self.domains[variable]) - 1 else None

    def literal(self, condition: Term) -> Literal:
        known = self._known(condition)
        if known is not None:
            return known
        if isinstance(condition, Not) and (opposite := self._opposite(*self.literal(condition.condition))):
            return opposite
        return self.variable(condition), True

    def variable(self, term: Term) -> Variable:
        if isinstance(term, Variable):
            return term
        if term not in self.names:
            variables = variables_of(term)
            same = pattern(term, variables)
            key = (same, variables)
            if same is None:
                self.names[term] = self._name(term)
            else:
                if key not in self.known:
                    self.known[key] = self._name(term)
                self.names[term] = self.known[key]
        return self.names[term]

    def _name(self, term: Term) -> Variable:
        tabled = self._tabled(term)
        if isinstance(term, Comparison) and self._is_wide(term):
            return self._name_equality(term)
        if isinstance(term, And | Or) and (not tabled or all(self._known(part) for part in _joined(term))):
            return self._name_joined(term)
        if not tabled and (isinstance(term, Sum) or _is_compound(term)):
            with suppress(Unsupported):
                return self._name_sum(term) if isinstance(term, Sum) else super()._name(self._with_named_parts(term))
        return super()._name(term)

    def _weighted(self, term: Term) -> tuple[Weighted, int]:
        weights, constant = linear_form(term)
        found: dict[Variable, int] = {}
        for atom, weight in weights.items():
            known = self._known(atom) or (self.literal(atom) if isinstance(atom, Not) else None)
            if known is None or not isinstance(known[1], bool) or set(self.domains[known[0]]) != {False, True}:
                variable = self.variable(atom)
            elif known[1]:
                variable = known[0]
            else:
                variable, weight, constant = known[0], -weight, constant + weight
            found[variable] = found.get(variable, 0) + weight
        return tuple((weight, variable) for variable, weight in found.items() if weight), constant

    def _name_joined(self, term: And | Or) -> Variable:
        conjunction = isinstance(term, And)
        parts = [self.literal(self._negated(part) if conjunction else part) for part in _joined(term)]
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
        unequal, equal = (Comparison("==", name, Constant(term.operator == operator)) for operator in ("!=", "=="))
        self.post(Or((unequal, Comparison("==", term.left, term.right))))
        self.post(Or((equal, Comparison("!=", term.left, term.right))))
        return name

    def _imply(self, variable: Variable, value: object, name: Variable, given: bool) -> None:
        opposite = self._opposite(variable, value)
        if opposite is None:
            super()._imply(variable, value, name, given)
        else:
            self.post(Cardinality((opposite, (name, given)), 1, 2))


def _joined(term: And | Or) -> list[Term]:
    """Return the conditions that the term joins, without terms of its own kind among them."""
    found: list[Term] = []
    for part in term.conditions:
        found += _joined(part) if isinstance(part, And | Or) and type(part) is type(term) else [part]
    return found


def _is_equality(term: Term) -> bool:
    """Return whether this says that two variables are equal, or that they differ."""
    if not isinstance(term, Comparison) or term.operator not in ("==", "!="):
        return False
    return isinstance(term.left, Variable) and isinstance(term.right, Variable)


def _is_compound(term: Term) -> bool:
    return isinstance(term, Cardinality) or any(not isinstance(part, Variable | Constant) for part in term.parts())
