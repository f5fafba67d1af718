"""Rewrites before everything else: terms without a value become safe, components of wholes get
names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from puzzlekit.model import (
    And,
    Circuit,
    Comparison,
    Component,
    Constant,
    Constraint,
    Domain,
    Element,
    IfElse,
    Inside,
    Member,
    Model,
    Not,
    Operation,
    Or,
    Origin,
    Regions,
    RegionSizes,
    Term,
    TupleFunction,
    Variable,
    connected_components,
)
from puzzlekit.presolve.normal_form import rewrite

PARTIAL = frozenset({Element, Operation})  # terms of these classes may have no value


def require_values(model: Model) -> Model:
    """Add the conditions under which every term has a value.

    As in Python, `or`, `and` and conditional terms are evaluated from the left, and a term that is
    not evaluated needs no value. There, partial terms are replaced by total ones: safening (Frisch
    and Stuckey, "The proper treatment of undefinedness in constraint languages", 2009).

    Needs:  any model.
    Leaves: the same solutions; every term has a value for all values that the constraints allow.
    """
    values = _Values(model.domains)
    aims = [model.goal.term] if model.goal else []
    if not values.any_partial([*(constraint.condition for constraint in model.constraints), *aims]):
        return model
    constraints: list[Constraint] = []
    for constraint in model.constraints:
        for condition in _joined(constraint.condition):
            stated = (values.safe(condition), *values.needs(condition))
            constraints += [
                constraint if part is constraint.condition else replace(constraint, condition=part)
                for part in stated
            ]
    goal = model.goal
    if goal is not None and (needs := values.needs(goal.term)):
        constraints += [Constraint(need, Origin(f"goal {goal.name}")) for need in needs]
        goal = replace(goal, term=values.safe(goal.term))
    return replace(model, constraints=tuple(constraints), goal=goal)


def _joined(condition: Term) -> Iterator[Term]:
    """Yield the conjuncts: all of them are always evaluated."""
    if isinstance(condition, And):
        for part in condition.conditions:
            yield from _joined(part)
    else:
        yield condition


class _Values:
    """The conditions under which terms have a value."""

    def __init__(self, domains: Mapping[Variable, Domain]) -> None:
        self.domains = domains
        self.known: dict[Term, tuple[Term, ...]] = {}
        self.made: set[Term] = set()  # terms made total, though their operator is partial

    def any_partial(self, terms: Sequence[Term]) -> bool:
        """Return whether any of these terms, or of their subterms, may have no value."""
        stack, seen = list(terms), set[Term]()
        while stack:
            part = stack.pop()
            if type(part) is not Variable and part not in seen:
                seen.add(part)
                if self._own_need(part) is not None:
                    return True
                stack.extend(part.subterms())
        return False

    def needs(self, term: Term) -> tuple[Term, ...]:
        """Return the conditions for a term to have a value; an `Or` if it may not be evaluated."""
        if isinstance(term, Variable | Constant):
            return ()
        if term not in self.known:
            self.known[term] = tuple(dict.fromkeys(self._needs(term)))
        return self.known[term]

    def _needs(self, term: Term) -> Iterator[Term]:
        match term:
            case Or(conditions):
                yield from self._short_circuit(conditions)
            case And(conditions):
                yield from self._short_circuit(conditions, negated=True)
            case IfElse(condition, then, otherwise):
                yield from self.needs(condition)
                for side, instead in (
                    (then, Not(self.total(condition))),
                    (otherwise, self.total(condition)),
                ):
                    yield from (Or((instead, need)) for need in self.needs(side))
            case _:
                for part in term.subterms():
                    yield from self.needs(part)
                own = None if term in self.made else self._own_need(term)
                yield from () if own is None else (own,)

    def _short_circuit(self, conditions: Sequence[Term], negated: bool = False) -> Iterator[Term]:
        """Yield what each condition needs, if none before it decides the result."""
        for place, condition in enumerate(conditions):
            needs = self.needs(condition)
            before = [self.total(part) for part in conditions[:place]] if needs else []
            decided = [Not(part) if negated else part for part in before]
            yield from (Or((*decided, self.total(need))) if decided else need for need in needs)

    def _own_need(self, term: Term) -> Term | None:
        """Return what the operator of this term needs, apart from the needs of its operands."""
        match term:
            case Element(keys, _, index) if not (
                isinstance(index, Variable) and set(keys).issuperset(self.domains[index])
            ):
                return Member(index, frozenset(keys))
            case Operation("//" | "%", (_, divisor)) if not (
                isinstance(divisor, Constant) and divisor.constant
            ):
                return Comparison("!=", divisor, Constant(0))
            case _:
                return None

    def safe(self, term: Term) -> Term:
        """Return the term, made total if it is evaluated only under some condition."""
        return self.total(term) if any(isinstance(need, Or) for need in self.needs(term)) else term

    def total(self, term: Term) -> Term:
        """Return a term with the same value, or with an arbitrary one where this term has none."""
        return rewrite(term, self._total) if self.needs(term) else term

    def _total(self, part: Term) -> Term | None:
        need = None if part in self.made else self._own_need(part)
        if need is None:
            return None
        need = self.total(need)
        made: Term
        match part:
            case Element(keys, items, index) if keys:
                made = Element(
                    keys,
                    tuple(map(self.total, items)),
                    IfElse(need, self.total(index), Constant(keys[0])),
                )
            case Operation(operator, (dividend, divisor)):
                made = Operation(
                    operator, (self.total(dividend), IfElse(need, self.total(divisor), Constant(1)))
                )
            case _:
                made = Constant(0)
        self.made.add(made)
        return made


def name_components(model: Model) -> Model:
    """Name each component of a whole by an auxiliary variable, and add the rules that bind it.

    Needs:  any model.
    Leaves: no `Regions` and no `Inside`; the same visible solutions, each once, since the new
            variables are functions of the terms of the whole.
    """
    names = _Names(model)
    kept = [constraint for constraint in model.constraints if not names.takes(constraint)]
    constraints = [
        replace(each, condition=names.named(each.condition, each.origin)) for each in kept
    ]
    goal = model.goal
    if goal is not None:
        goal = replace(goal, term=names.named(goal.term, Origin(f"goal {goal.name}")))
    if not names.origins:
        return model
    bound = [
        Constraint(condition, names.origins[whole])
        for whole in names.origins
        for condition in names.bound(whole)
    ]
    domains = {**model.domains, **names.domains}
    return Model(domains, (*constraints, *bound), goal, model.auxiliary | names.domains.keys())


class _Names:
    """The variables that name components."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.domains: dict[Variable, Domain] = {}  # of the new variables
        self.origins: dict[TupleFunction, Origin] = {}  # the first rule with this whole
        self._named: dict[TupleFunction, dict[int, Term]] = {}
        self._most: dict[
            TupleFunction, dict[int, int]
        ] = {}  # the largest possible size of each region
        self._plain: set[Term] = set()  # terms without components of wholes

    def takes(self, constraint: Constraint) -> bool:
        """Let an unknown or a known number be the name of a size that it has to equal."""
        match constraint.condition:
            case Comparison("==", Component(Regions() as whole, place), name) if self._number(name):
                pass
            case Comparison("==", name, Component(Regions() as whole, place)) if self._number(name):
                pass
            case _:
                return False
        self.origins.setdefault(whole, constraint.origin)
        return self._named.setdefault(whole, {}).setdefault(place, name) is name

    def _number(self, term: Term) -> bool:
        match term:
            case Variable():
                return all(type(value) is int for value in self.model.domains[term])
            case _:
                return isinstance(term, Constant) and type(term.constant) is int

    def named(self, term: Term, origin: Origin) -> Term:
        """Return the term with names in place of components."""
        if self._has_none(term):
            return term

        def change(part: Term) -> Term | None:
            if not isinstance(part, Component) or not isinstance(part.term, TupleFunction):
                return part if self._has_none(part) else None
            self.origins.setdefault(part.term, origin)
            return self._name(part.term, part.position)

        return rewrite(term, change)

    def _has_none(self, term: Term) -> bool:
        """Return whether no component of a whole occurs in the term."""
        if type(term) is Variable or term in self._plain:
            return True
        whole = isinstance(term, Component) and isinstance(term.term, TupleFunction)
        if whole or not all(map(self._has_none, term.subterms())):
            return False
        self._plain.add(term)
        return True

    def _name(self, whole: TupleFunction, place: int) -> Term:
        names = self._named.setdefault(whole, {})
        if place not in names:
            if isinstance(whole, Regions):
                names[place] = self._new(tuple(range(1, self._largest(whole)[place] + 1)))
            elif isinstance(whole, Inside):
                self._name_faces(whole, names)
        return names[place]

    def _new(self, domain: Domain) -> Variable:
        variable = Variable(f"(component {len(self.domains) + 1})")
        self.domains[variable] = domain
        return variable

    def _largest(self, whole: Regions) -> dict[int, int]:
        if whole not in self._most:
            regions = connected_components(range(whole.count), whole.links)
            self._most[whole] = {vertex: len(region) for region in regions for vertex in region}
        return self._most[whole]

    def _name_faces(self, whole: Inside, names: dict[int, Term]) -> None:
        """Name the faces; where a step crosses nothing, both have one name."""
        names[0] = Constant(False)
        for one, other, place in whole.steps:
            if other not in names:
                names[other] = names[one] if place < 0 else self._new((False, True))

    def bound(self, whole: TupleFunction) -> Iterator[Term]:
        """Yield the conditions that bind the names of a whole."""
        names = self._named[whole]
        if isinstance(whole, Regions):
            links, vertices = whole.links, tuple(sorted(names))
            yield RegionSizes(
                (*whole.terms, *(names[vertex] for vertex in vertices)), links, vertices
            )
        elif isinstance(whole, Inside):
            closed = any(
                _is_closed(whole, constraint.condition) for constraint in self.model.constraints
            )
            known = {0}
            for one, other, place in whole.steps:
                if closed or other not in known:
                    known.add(other)
                    if place >= 0:
                        yield Comparison(
                            "==", whole.terms[place], Comparison("!=", names[one], names[other])
                        )


def _is_closed(inside: Inside, condition: Term) -> bool:
    """Return whether the condition makes the line a loop: at each node it has no edge or two."""
    return (
        isinstance(condition, Circuit)
        and condition.terms == inside.terms
        and condition.edges == inside.edges
    )
