"""Encode shapes as conditions of a few variables each, for backends without lazy constraints.

Both encodings are level mappings: a vertex counts as reached only by one that is before it
(Niemelä, "Stable models and difference logic", 2008).

Levels: a vertex is at level n if n steps lead there from a root. All levels are functions of the
shape, so a backend finds them by propagation alone, but there are as many of them as steps.

Orders: each vertex but a root has a parent. Arcs that run in a circle would reach anything, so each
arc makes one step in an order: the child's state is the one after the parent's. The states are
those of a linear-feedback shift register, which returns to a state only after more steps than there
are vertices. They are few bits, but a backend must search for parents, which only one that learns
from conflicts does well (Heule compares such encodings for Hamiltonian cycles, SAT 2021).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from puzzlekit.model import (
    Acyclic,
    And,
    Cardinality,
    Circuit,
    Comparison,
    Connected,
    Constant,
    Constraint,
    Domain,
    IfElse,
    Model,
    Not,
    Or,
    Origin,
    RegionSizes,
    Structure,
    Sum,
    Term,
    Variable,
)
from puzzlekit.presolve import literal_of, with_degrees

YES = Constant(True)
NO = Constant(False)
# the bits of a register, and the second bit that it feeds back: all states but zero follow each
# other
REGISTERS = {2: 1, 3: 1, 4: 1, 5: 2, 6: 1, 7: 1, 9: 4, 10: 3, 11: 2, 15: 1}
Bits = Sequence[Variable]
Pause = Callable[[], None]


def encode_shapes(model: Model, levels: bool, pause: Pause = lambda: None) -> Model:
    """Replace connectedness, circuits and forests by levels, or by orders of their vertices.

    Needs:  a presolved model: shapes are over literals and constants.
    Leaves: the same visible solutions. With levels, the auxiliary values are functions of them;
            with orders, a solution may be repeated with other auxiliary values. No shapes but sizes
            of regions.
    """
    shapes = Connected, Circuit, Acyclic
    if not any(isinstance(constraint.condition, shapes) for constraint in model.constraints):
        return model
    with_all_degrees = with_degrees(model)
    encoder: _ShapeEncoder
    if levels:
        encoder = _LevelEncoder(with_all_degrees)
    else:
        encoder = _OrderEncoder(with_all_degrees)
    return encoder.encode(shapes, pause)


def encode_region_sizes(model: Model, pause: Pause = lambda: None) -> Model:
    """Replace sizes of regions by trees, in which the vertices below each one are counted.

    Needs:  a presolved model: links are literals or constants.
    Leaves: the same visible solutions, which may be repeated with other auxiliary values. No
            `RegionSizes`.
    """
    if not any(isinstance(constraint.condition, RegionSizes) for constraint in model.constraints):
        return model
    return _OrderEncoder(model).encode((RegionSizes,), pause)


class _ShapeEncoder(ABC):
    """A model in which shapes are replaced."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.domains: dict[Variable, Domain] = dict(model.domains)
        self.constraints: list[Constraint] = []
        self.origin = Origin("")

    def encode(self, shapes: tuple[type[Structure], ...], pause: Pause) -> Model:
        """Return the model with shapes of these classes replaced."""
        for constraint in self.model.constraints:
            self.origin = constraint.origin
            pause()
            condition = constraint.condition
            match condition if isinstance(condition, shapes) else None:
                case Connected() as shape:
                    self._connected(shape)
                case Circuit() as shape:
                    self._circuit(shape)
                case Acyclic() as shape:
                    self._forest(shape)
                case RegionSizes() as shape:
                    self._sizes(shape)
                case _:
                    self.constraints.append(constraint)
        added = self.domains.keys() - self.model.domains.keys()
        return replace(
            self.model,
            domains=self.domains,
            constraints=tuple(self.constraints),
            auxiliary=self.model.auxiliary | added,
        )

    def _variable(self, domain: Domain = (False, True)) -> Variable:
        variable = Variable(f"(order {len(self.domains) + 1})")
        self.domains[variable] = domain
        return variable

    def _post(self, condition: Term) -> None:
        self.constraints.append(Constraint(condition, self.origin))

    def _clause(self, *terms: Term) -> None:
        """Require one of the terms, of which some may be YES or NO."""
        open_terms = tuple(term for term in terms if term is not NO)
        if YES not in open_terms:
            self._post(Or(open_terms))

    def _named(self, condition: Term) -> Variable:
        name = self._variable()
        self._post(Comparison("==", name, condition))
        return name

    def _flags(self, terms: Iterable[Term]) -> list[Term]:
        """Return the terms, those that are fixed as YES or NO."""
        return [self._flag(term) for term in terms]

    def _flag(self, term: Term) -> Term:
        if isinstance(term, Constant):
            return YES if term.constant else NO
        literal = literal_of(term, self.domains)
        assert literal is not None, "a presolved model has shapes over literals"
        variable, value = literal
        if value not in self.domains[variable]:
            return NO
        return YES if len(self.domains[variable]) == 1 else term

    def _first(self, flags: Sequence[Term]) -> list[Term]:
        """Return conditions of which exactly one holds, one at a true flag; none if no flag is
        true.
        """
        if YES in flags:
            conditions: list[Term] = [NO] * len(flags)
            conditions[flags.index(YES)] = YES
            return conditions
        conditions = []
        before: Term = NO  # whether a flag before this one is true
        for flag in flags:
            if flag is NO or before is NO:
                conditions.append(flag)
                before = before if flag is NO else flag
            else:
                conditions.append(self._named(And((flag, Not(before)))))
                before = self._named(Or((before, flag)))
        return conditions

    @abstractmethod
    def _connected(self, shape: Connected) -> None:
        """State that the true vertices are connected."""

    @abstractmethod
    def _circuit(self, shape: Circuit) -> None:
        """State that there is a true edge, and that the true ones are connected; degrees are
        stated.
        """

    @abstractmethod
    def _forest(self, shape: Acyclic) -> None:
        """State that the true edges contain no cycle."""

    def _sizes(self, shape: RegionSizes) -> None:
        """Give each region one root and its number, and count the vertices below each vertex."""
        flags = self._flags(shape.terms[: len(shape.links)])
        links = []
        for link, flag in zip(shape.links, flags):
            if flag is not NO and link[0] != link[1]:
                links.append((link, flag))
        linked = [vertex for link, _ in links for vertex in link]
        vertices = list(dict.fromkeys([*linked, *shape.vertices]))
        totals = self._totals(shape, vertices)
        width = (len(vertices) - 1).bit_length()
        labels = {vertex: [self._variable() for _ in range(width)] for vertex in vertices}
        below: dict[int, Variable] = {}  # the number of vertices from each vertex downwards
        for vertex in vertices:
            possible = self._up_to(totals[vertex], len(vertices))
            below[vertex] = self._variable(possible)
        parents: dict[int, list[Variable]] = {vertex: [] for vertex in vertices}
        children: dict[int, list[Term]] = {vertex: [] for vertex in vertices}
        for link, flag in links:
            tail, head = link
            self._equal_if(flag, [*labels[tail], totals[tail]], [*labels[head], totals[head]])
            for parent, child in _both_ways([link]):
                arc = self._variable()
                self._clause(Not(arc), flag)
                parents[child].append(arc)
                children[parent].append(IfElse(arc, below[child], Constant(0)))
        for number, vertex in enumerate(vertices):
            root = self._named(_label_is(labels[vertex], number))
            self._post(_at_most_one([root, *parents[vertex]], 1))
            summands = tuple((1, count) for count in children[vertex])
            self._post(Comparison("==", below[vertex], Sum(summands, 1)))
            self._clause(Not(root), Comparison("==", below[vertex], totals[vertex]))

    def _equal_if(self, flag: Term, first: Sequence[Term], second: Sequence[Term]) -> None:
        """Require pairs of terms to be equal if the flag is true."""
        for left, right in zip(first, second):
            self._clause(_negated(flag), Comparison("==", left, right))

    def _totals(self, shape: RegionSizes, vertices: Sequence[int]) -> dict[int, Term]:
        """Return for each vertex the size of its region: a term of the shape, or a new variable."""
        sizes: dict[int, Term] = {}
        for vertex, term in zip(shape.vertices, shape.terms[len(shape.links) :]):
            if vertex in sizes:
                self._post(Comparison("==", sizes[vertex], term))
            else:
                sizes[vertex] = term
        possible = tuple(range(1, len(vertices) + 1))
        totals = {}
        for vertex in vertices:
            totals[vertex] = sizes[vertex] if vertex in sizes else self._variable(possible)
        return totals

    def _up_to(self, size: Term, most: int) -> Domain:
        """Return the numbers from 1 to the largest that the size may be."""
        values = self.domains[size] if isinstance(size, Variable) else (size.value({}),)
        possible = [value for value in values if isinstance(value, int) and 1 <= value <= most]
        return tuple(range(1, max(possible, default=1) + 1))


class _OrderEncoder(_ShapeEncoder):
    """Shapes as orders of their vertices."""

    def _order(self, number: int) -> Callable[[], Bits]:
        """Return a function that makes states of a register with more states than this number."""
        sizes = (size for size in REGISTERS if 2**size > number + 1)
        size = next(sizes)

        def state() -> Bits:
            bits = [self._variable() for _ in range(size)]
            self._clause(*bits)
            return bits

        return state

    def _arc(self, condition: Term, parent: Bits, child: Bits) -> Variable:
        """Return a flag that implies the condition and a step from the parent's state to the
        child's.
        """
        arc = self._variable()
        self._clause(Not(arc), condition)
        second = REGISTERS[len(parent)] - 1
        fed = Comparison("!=", parent[-1], parent[second])
        for bit, before in zip(child, (fed, *parent)):
            self._post(Or((Not(arc), Comparison("==", bit, before))))
        return arc

    def _reached(
        self,
        arcs: Iterable[tuple[int, int, Term]],
        roots: Mapping[int, Sequence[Term]],
        needs: Mapping[int, Sequence[Term]],
    ) -> None:
        """Require that each vertex is a root or has a parent if one of the conditions in `needs`
        holds.
        """
        state = self._order(len(needs))
        states = {vertex: state() for vertex in needs}
        parents: dict[int, list[Term]] = {vertex: [] for vertex in needs}
        for parent, child, condition in arcs:
            if condition is not NO:
                parents[child].append(self._arc(condition, states[parent], states[child]))
        for vertex, conditions in needs.items():
            for condition in conditions:
                if condition is not NO:
                    self._clause(_negated(condition), *roots.get(vertex, ()), *parents[vertex])

    def _connected(self, shape: Connected) -> None:
        flags = self._flags(shape.terms)
        roots = {vertex: (first,) for vertex, first in enumerate(self._first(flags))}
        needs = {vertex: (flag,) for vertex, flag in enumerate(flags) if flag is not NO}
        arcs = []
        for parent, child in _both_ways(shape.links):
            if parent in needs and child in needs:
                arcs.append((parent, child, flags[parent]))
        self._reached(arcs, roots, needs)

    def _circuit(self, shape: Circuit) -> None:
        flags = self._flags(shape.terms)
        self._clause(*flags)
        roots: dict[int, list[Term]] = {}
        needs: dict[int, list[Term]] = {}
        arcs = []
        for flag, first, edge in zip(flags, self._first(flags), shape.edges):
            roots.setdefault(edge[0], []).append(first)
            for vertex in edge:
                needs.setdefault(vertex, []).append(flag)
            for parent, child in _both_ways([edge]):
                arcs.append((parent, child, flag))
        self._reached(arcs, roots, needs)

    def _forest(self, shape: Acyclic) -> None:
        """Direct each true edge, so that at most one ends at each vertex."""
        vertices = dict.fromkeys(vertex for edge in shape.edges for vertex in edge)
        state = self._order(len(vertices))
        states = {vertex: state() for vertex in vertices}
        parents: dict[int, list[Variable]] = {vertex: [] for vertex in vertices}
        for flag, edge in zip(self._flags(shape.terms), shape.edges):
            if flag is NO:
                continue
            arcs = []
            for tail, head in _both_ways([edge]):
                arc = self._arc(flag, states[tail], states[head])
                arcs.append(arc)
                parents[head].append(arc)
            self._clause(_negated(flag), *arcs)
        for into in parents.values():
            if len(into) > 1:
                self._post(_at_most_one(into, 0))


class _LevelEncoder(_ShapeEncoder):
    """Shapes as levels: what is reached after each number of steps."""

    def _connected(self, shape: Connected) -> None:
        flags = self._flags(shape.terms)
        neighbours: dict[int, list[int]] = {}
        for vertex, flag in enumerate(flags):
            if flag is not NO:
                neighbours[vertex] = []
        for vertex, neighbour in _both_ways(shape.links):
            if vertex in neighbours and neighbour in neighbours:
                neighbours[vertex].append(neighbour)
        first = self._first(flags)
        reached = {vertex: first[vertex] for vertex in neighbours}
        for _ in range(len(neighbours) - 1):
            reachable = {}
            for vertex, around in neighbours.items():
                sources = [reached[source] for source in (vertex, *around)]
                reachable[vertex] = self._either(sources)
            reached = {
                vertex: self._both(flags[vertex], condition)
                for vertex, condition in reachable.items()
            }
        for vertex, condition in reached.items():
            self._clause(_negated(flags[vertex]), condition)

    def _circuit(self, shape: Circuit) -> None:
        flags = self._flags(shape.terms)
        self._clause(*flags)
        edges_at = _edges_at(shape.edges, flags)
        reached = self._first(flags)
        for _ in range(len(edges_at) // 2 + 1):  # in one direction or in both
            met = {}
            for vertex, edges in edges_at.items():
                met[vertex] = self._either([reached[edge] for edge in edges])
            following = []
            for flag, edge in zip(flags, shape.edges):
                if flag is not NO:
                    ends = [met[end] for end in dict.fromkeys(edge)]
                    flag = self._both(flag, self._either(ends))
                following.append(flag)
            reached = following
        for flag, condition in zip(flags, reached):
            self._clause(_negated(flag), condition)

    def _forest(self, shape: Acyclic) -> None:
        """Remove edges with an end at which there is no second one, until none is left."""
        remaining = self._flags(shape.terms)
        for edge, (tail, head) in enumerate(shape.edges):
            if tail == head:
                self._clause(_negated(remaining[edge]))
                remaining[edge] = NO
        edges_at = _edges_at(shape.edges, remaining)
        for _ in range(len(edges_at) // 2 + 1):
            # for each edge, whether there is a second one at each of its ends
            seconds: list[list[Term]] = []
            for edge, ends in enumerate(shape.edges):
                inner_ends = [end for end in ends if end in edges_at]
                seconds.append([self._second(edge, edges_at[end], remaining) for end in inner_ends])
            following = []
            for flag, at_ends in zip(remaining, seconds):
                following.append(flag if flag is NO else self._both(flag, *at_ends))
            remaining = following
        for flag in remaining:
            self._clause(_negated(flag))

    def _second(self, edge: int, edges: Sequence[int], flags: Sequence[Term]) -> Term:
        """Return the condition that one of the edges, except `edge`, is true."""
        return self._either([flags[second] for second in edges if second != edge])

    def _either(self, terms: Sequence[Term]) -> Term:
        return self._joined(Or, terms, NO, YES)

    def _both(self, *terms: Term) -> Term:
        return self._joined(And, terms, YES, NO)

    def _joined(
        self, node: type[And | Or], terms: Sequence[Term], neutral: Term, absorbing: Term
    ) -> Term:
        """Return the conjunction or disjunction as YES or NO, one of the terms, or a new variable.

        The neutral term changes nothing; the absorbing one decides the value.
        """
        operands = tuple(dict.fromkeys(term for term in terms if term is not neutral))
        if absorbing in operands:
            return absorbing
        if len(operands) < 2:
            return operands[0] if operands else neutral
        return self._named(node(operands))


def _edges_at(edges: Sequence[tuple[int, int]], flags: Sequence[Term]) -> dict[int, list[int]]:
    """Return the edges at each vertex that may be true, by index."""
    edges_at: dict[int, list[int]] = {}
    for index, (flag, edge) in enumerate(zip(flags, edges)):
        if flag is not NO:
            for vertex in dict.fromkeys(edge):
                edges_at.setdefault(vertex, []).append(index)
    return edges_at


def _at_most_one(flags: Sequence[Variable], low: int) -> Cardinality:
    """Return the condition that at most one flag is true, and at least `low`."""
    literals = tuple((flag, True) for flag in flags)
    return Cardinality(literals, low, 1)


def _label_is(bits: Bits, number: int) -> Term:
    """Return the condition that the bits of a label, the lowest first, form this number."""
    conditions: list[Term] = []
    for position, bit in enumerate(bits):
        is_one = number >> position & 1
        conditions.append(bit if is_one else Not(bit))
    return And(tuple(conditions))


def _negated(flag: Term) -> Term:
    if flag is YES:
        return NO
    if flag is NO:
        return YES
    return flag.condition if isinstance(flag, Not) else Not(flag)


def _both_ways(pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield each pair and its reverse, without loops."""
    for first, second in pairs:
        if first != second:
            yield first, second
            yield second, first
