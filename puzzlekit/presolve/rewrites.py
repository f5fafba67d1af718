"""The first rewrites: terms without a value become safe, and components of tuples get names."""

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
# what the components of tuple functions say, where several rules use them
MEANING_OF_SIZES = "the size of a region is the number of its cells"
MEANING_OF_INSIDE = "the line separates inside from outside"


def require_values(model: Model) -> Model:
    """Add the conditions under which every term has a value.

    As in Python, `or`, `and` and conditional terms are evaluated from the left, and a term that is
    not evaluated needs no value. There, partial terms are replaced by total ones: safening (Frisch
    and Stuckey, "The proper treatment of undefinedness in constraint languages", 2009).

    Needs:  any model.
    Leaves: the same solutions; every term has a value for all values that the constraints allow.
    """
    definedness = _Definedness(model.domains)
    terms = [constraint.condition for constraint in model.constraints]
    if model.goal:
        terms.append(model.goal.term)
    if not definedness.any_partial(terms):
        return model
    constraints: list[Constraint] = []
    for constraint in model.constraints:
        for condition in _conjuncts(constraint.condition):
            for required in (definedness.safe(condition), *definedness.needs(condition)):
                unchanged = required is constraint.condition
                constraints.append(
                    constraint if unchanged else replace(constraint, condition=required)
                )
    goal = model.goal
    if goal is not None and (needs := definedness.needs(goal.term)):
        constraints += [Constraint(need, Origin(f"goal {goal.name}")) for need in needs]
        goal = replace(goal, term=definedness.safe(goal.term))
    return replace(model, constraints=tuple(constraints), goal=goal)


def _conjuncts(condition: Term) -> Iterator[Term]:
    """Yield the conjuncts: all of them are always evaluated."""
    if isinstance(condition, And):
        for operand in condition.conditions:
            yield from _conjuncts(operand)
    else:
        yield condition


class _Definedness:
    """The conditions under which terms have a value."""

    def __init__(self, domains: Mapping[Variable, Domain]) -> None:
        self.domains = domains
        self._cache: dict[Term, tuple[Term, ...]] = {}
        self._total_terms: set[Term] = set()  # made total, though their operator is partial

    def any_partial(self, terms: Sequence[Term]) -> bool:
        """Return whether any of these terms, or of their subterms, may have no value."""
        stack = list(terms)
        seen = set[Term]()
        while stack:
            term = stack.pop()
            if type(term) is not Variable and term not in seen:
                seen.add(term)
                if self._operator_need(term) is not None:
                    return True
                stack.extend(term.subterms())
        return False

    def needs(self, term: Term) -> tuple[Term, ...]:
        """Return the conditions for a term to have a value; an `Or` if it may not be evaluated."""
        if isinstance(term, Variable | Constant):
            return ()
        if term not in self._cache:
            self._cache[term] = tuple(dict.fromkeys(self._needs(term)))
        return self._cache[term]

    def _needs(self, term: Term) -> Iterator[Term]:
        match term:
            case Or(conditions):
                yield from self._short_circuit(conditions)
            case And(conditions):
                yield from self._short_circuit(conditions, negated=True)
            case IfElse(condition, then, otherwise):
                yield from self.needs(condition)
                unless_true = Not(self.total(condition))
                unless_false = self.total(condition)
                yield from (Or((unless_true, need)) for need in self.needs(then))
                yield from (Or((unless_false, need)) for need in self.needs(otherwise))
            case _:
                for operand in term.subterms():
                    yield from self.needs(operand)
                if term not in self._total_terms:
                    operator_need = self._operator_need(term)
                    if operator_need is not None:
                        yield operator_need

    def _short_circuit(self, conditions: Sequence[Term], negated: bool = False) -> Iterator[Term]:
        """Yield what each condition needs, if none before it decides the outcome."""
        for index, condition in enumerate(conditions):
            needs = self.needs(condition)
            if index == 0:
                yield from needs
                continue
            before = [self.total(operand) for operand in conditions[:index]] if needs else []
            decided = [Not(operand) if negated else operand for operand in before]
            for need in needs:
                yield Or((*decided, self.total(need)))

    def _operator_need(self, term: Term) -> Term | None:
        """Return what the operator of this term needs, apart from the needs of its operands."""
        match term:
            case Element(keys, _, index):
                if isinstance(index, Variable) and set(keys).issuperset(self.domains[index]):
                    return None
                return Member(index, frozenset(keys))
            case Operation("//" | "%", (_, divisor)):
                if isinstance(divisor, Constant) and divisor.constant:
                    return None
                return Comparison("!=", divisor, Constant(0))
            case _:
                return None

    def safe(self, term: Term) -> Term:
        """Return the term, made total if it is evaluated only under some condition."""
        is_conditional = any(isinstance(need, Or) for need in self.needs(term))
        return self.total(term) if is_conditional else term

    def total(self, term: Term) -> Term:
        """Return a term with the same value, or with an arbitrary one where this term has none."""
        return rewrite(term, self._total) if self.needs(term) else term

    def _total(self, term: Term) -> Term | None:
        """Return a partial term as a total one; None for any other term."""
        need = None if term in self._total_terms else self._operator_need(term)
        if need is None:
            return None
        need = self.total(need)
        total: Term
        match term:
            case Element(keys, items, index) if keys:
                valid_index = IfElse(need, self.total(index), Constant(keys[0]))
                total = Element(keys, tuple(map(self.total, items)), valid_index)
            case Operation(operator, (dividend, divisor)):
                valid_divisor = IfElse(need, self.total(divisor), Constant(1))
                total = Operation(operator, (self.total(dividend), valid_divisor))
            case _:
                total = Constant(0)
        self._total_terms.add(total)
        return total


def name_components(model: Model) -> Model:
    """Name each component of a tuple by an auxiliary variable, and add the rules that bind it.

    Needs:  any model.
    Leaves: no `Regions` and no `Inside`; the same visible solutions, each once, since the new
            variables are functions of the terms of the tuple function.
    """
    names = _Names(model)
    others = [constraint for constraint in model.constraints if not names.takes(constraint)]
    constraints = [
        replace(each, condition=names.named(each.condition, each.origin)) for each in others
    ]
    goal = model.goal
    if goal is not None:
        goal = replace(goal, term=names.named(goal.term, Origin(f"goal {goal.name}")))
    if not names.origins:
        return model
    for function in names.origins:
        origin = names.origin_of(function)
        constraints += [Constraint(condition, origin) for condition in names.bound(function)]
    domains = {**model.domains, **names.domains}
    auxiliary = model.auxiliary | names.domains.keys()
    return Model(domains, tuple(constraints), goal, auxiliary)


class _Names:
    """The variables that name components of tuple functions."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.domains: dict[Variable, Domain] = {}  # of the new variables
        # the origins of the conditions with a function, by their identities
        self.origins: dict[TupleFunction, dict[int, Origin]] = {}
        self._named: dict[TupleFunction, dict[int, Term]] = {}
        self._most: dict[TupleFunction, dict[int, int]] = {}  # the largest size of each region
        self._plain: set[Term] = set()  # terms without components

    def takes(self, constraint: Constraint) -> bool:
        """Let an unknown or a constant be the name of a size that it has to equal."""
        match constraint.condition:
            case Comparison("==", Component(Regions() as function, position), name):
                pass
            case Comparison("==", name, Component(Regions() as function, position)):
                pass
            case _:
                return False
        if not self._is_number(name):
            return False
        self._note_origin(function, constraint.origin)
        return self._named.setdefault(function, {}).setdefault(position, name) is name

    def _note_origin(self, function: TupleFunction, origin: Origin) -> None:
        self.origins.setdefault(function, {})[id(origin)] = origin

    def origin_of(self, function: TupleFunction) -> Origin:
        """Return the origin of the conditions that bind the names of a function's components.

        They belong to no single instance if several use the function: sizes then to their rule,
        and everything else to the meaning of the function.
        """
        first, *others = self.origins[function].values()
        if not others:
            return first
        if isinstance(function, Inside):
            return Origin(MEANING_OF_INSIDE)
        is_one_rule = all(each.position == first.position for each in others)
        if is_one_rule and not first.values_in_name:
            return Origin(first.rule, position=first.position)
        return Origin(MEANING_OF_SIZES)

    def _is_number(self, term: Term) -> bool:
        match term:
            case Variable():
                return all(type(value) is int for value in self.model.domains[term])
            case Constant(constant):
                return type(constant) is int
            case _:
                return False

    def named(self, term: Term, origin: Origin) -> Term:
        """Return the term with names in place of components."""
        if self._has_none(term):
            return term

        def change(subterm: Term) -> Term | None:
            if isinstance(subterm, Component) and isinstance(subterm.term, TupleFunction):
                self._note_origin(subterm.term, origin)
                return self._name(subterm.term, subterm.position)
            return subterm if self._has_none(subterm) else None

        return rewrite(term, change)

    def _has_none(self, term: Term) -> bool:
        """Return whether no component of a tuple function occurs in the term."""
        if type(term) is Variable or term in self._plain:
            return True
        if isinstance(term, Component) and isinstance(term.term, TupleFunction):
            return False
        if not all(map(self._has_none, term.subterms())):
            return False
        self._plain.add(term)
        return True

    def _name(self, function: TupleFunction, position: int) -> Term:
        names = self._named.setdefault(function, {})
        if position not in names:
            if isinstance(function, Regions):
                largest = self._largest(function)[position]
                names[position] = self._new(tuple(range(1, largest + 1)))
            elif isinstance(function, Inside):
                self._name_faces(function, names)
        return names[position]

    def _new(self, domain: Domain) -> Variable:
        variable = Variable(f"(component {len(self.domains) + 1})")
        self.domains[variable] = domain
        return variable

    def _largest(self, function: Regions) -> dict[int, int]:
        if function not in self._most:
            regions = connected_components(range(function.count), function.links)
            sizes = {vertex: len(region) for region in regions for vertex in region}
            self._most[function] = sizes
        return self._most[function]

    def _name_faces(self, function: Inside, names: dict[int, Term]) -> None:
        """Name the faces; where a step crosses nothing, both have one name."""
        names[0] = Constant(False)
        for face, next_face, edge in function.steps:
            if next_face not in names:
                names[next_face] = names[face] if edge < 0 else self._new((False, True))

    def bound(self, function: TupleFunction) -> Iterator[Term]:
        """Yield the conditions that bind the names of a function's components."""
        names = self._named[function]
        if isinstance(function, Regions):
            vertices = tuple(sorted(names))
            sizes = [names[vertex] for vertex in vertices]
            yield RegionSizes((*function.terms, *sizes), function.links, vertices)
        elif isinstance(function, Inside):
            yield from self._bound_faces(function, names)

    def _bound_faces(self, function: Inside, names: Mapping[int, Term]) -> Iterator[Term]:
        conditions = (constraint.condition for constraint in self.model.constraints)
        is_closed = any(_closes(condition, function) for condition in conditions)
        reached = {0}
        for face, next_face, edge in function.steps:
            if is_closed or next_face not in reached:
                reached.add(next_face)
                if edge >= 0:
                    crosses = Comparison("!=", names[face], names[next_face])
                    yield Comparison("==", function.terms[edge], crosses)


def _closes(condition: Term, inside: Inside) -> bool:
    """Return whether the condition makes the line a loop: at each node it has no edge or two."""
    if not isinstance(condition, Circuit):
        return False
    return condition.terms == inside.terms and condition.edges == inside.edges
