"""Name the components of wholes: sizes of regions, and which faces lie inside a line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from puzzlekit.model import (
    Circuit,
    Comparison,
    Component,
    Constant,
    Constraint,
    Domain,
    Inside,
    Model,
    Origin,
    Regions,
    RegionSizes,
    Term,
    Variable,
    Whole,
    pieces,
)
from puzzlekit.presolve.normalise import rewrite


def name_components(model: Model) -> Model:
    """Name each component of a whole by an auxiliary variable, and add the rules that bind it.

    Needs:  any model.
    Leaves: no `Regions` and no `Inside`; the same visible solutions, each once, since the new
            variables are functions of the terms of the whole.
    """
    names = _Names(model)
    kept = [constraint for constraint in model.constraints if not names.takes(constraint)]
    constraints = [replace(each, condition=names.named(each.condition, each.origin)) for each in kept]
    goal = model.goal
    if goal is not None:
        goal = replace(goal, term=names.named(goal.term, Origin(f"goal {goal.name}")))
    if not names.origins:
        return model
    bound = [Constraint(condition, names.origins[whole]) for whole in names.origins for condition in names.bound(whole)]
    domains = {**model.domains, **names.domains}
    return Model(domains, (*constraints, *bound), goal, model.auxiliary | names.domains.keys())


class _Names:
    """The variables that name components."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.domains: dict[Variable, Domain] = {}  # of the new variables
        self.origins: dict[Whole, Origin] = {}  # the first rule with this whole
        self._named: dict[Whole, dict[int, Term]] = {}
        self._most: dict[Whole, dict[int, int]] = {}  # the largest possible size of each region
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
            if not isinstance(part, Component) or not isinstance(part.whole, Whole):
                return part if self._has_none(part) else None
            self.origins.setdefault(part.whole, origin)
            return self._name(part.whole, part.position)

        return rewrite(term, change)

    def _has_none(self, term: Term) -> bool:
        """Return whether no component of a whole occurs in the term."""
        if type(term) is Variable or term in self._plain:
            return True
        whole = isinstance(term, Component) and isinstance(term.whole, Whole)
        if whole or not all(map(self._has_none, term.parts())):
            return False
        self._plain.add(term)
        return True

    def _name(self, whole: Whole, place: int) -> Term:
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
            found = pieces(range(whole.count), whole.links)
            self._most[whole] = {vertex: len(piece) for piece in found for vertex in piece}
        return self._most[whole]

    def _name_faces(self, whole: Inside, names: dict[int, Term]) -> None:
        """Name the faces; where a step crosses nothing, both have one name."""
        names[0] = Constant(False)
        for one, other, place in whole.steps:
            if other not in names:
                names[other] = names[one] if place < 0 else self._new((False, True))

    def bound(self, whole: Whole) -> Iterator[Term]:
        """Yield the conditions that bind the names of a whole."""
        names = self._named[whole]
        if isinstance(whole, Regions):
            links, vertices = whole.links, tuple(sorted(names))
            yield RegionSizes((*whole.terms, *(names[vertex] for vertex in vertices)), links, vertices)
        elif isinstance(whole, Inside):
            closed = any(_is_closed(whole, constraint.condition) for constraint in self.model.constraints)
            known = {0}
            for one, other, place in whole.steps:
                if closed or other not in known:
                    known.add(other)
                    if place >= 0:
                        yield Comparison("==", whole.terms[place], Comparison("!=", names[one], names[other]))


def _is_closed(inside: Inside, condition: Term) -> bool:
    """Return whether the condition makes the line a loop: at each node it has no edge or two."""
    return isinstance(condition, Circuit) and condition.terms == inside.terms and condition.edges == inside.edges
