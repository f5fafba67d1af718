"""Regions that are the cells with equal numbers, as many as the number says: what they cannot have,
and where they must grow.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from puzzlekit.dataclass import dataclass
from puzzlekit.model import Comparison, Term
from puzzlekit.reasons.areas import Growth, Reach
from puzzlekit.reasons.assumption_model import AssumptionModel
from puzzlekit.reasons.instances import Area, GroundRule, Inference, Trail
from puzzlekit.reasons.literals import FALSE, TRUE
from puzzlekit.reasons.region_sizes import SizesInstance
from puzzlekit.sentences import GraphReason

Vertices = frozenset[int]
_State = tuple[int, int]  # the vertices that have a size, and those that may have it, as bits
MOST_REMEMBERED = 5_000  # states of a size


class NumberedRegions:
    """Region sizes whose links join just the vertices that state the same size.

    Attributes:
        instances: The instance of the sizes, and those that say which vertices are linked.
        numbers: The numbers of the literals of sizes.
    """

    def __init__(self, instance: SizesInstance, equalities: Iterable[GroundRule]) -> None:
        self.instances: tuple[GroundRule, ...] = (instance, *equalities)
        self._neighbours: list[list[int]] = [[] for _ in instance.choices]
        index = {vertex: position for position, vertex in enumerate(instance.sizes.vertices)}
        for first, second in instance.sizes.links:
            self._neighbours[index[first]].append(index[second])
            self._neighbours[index[second]].append(index[first])
        # by size, its literal at each vertex that may have it
        self._literals: dict[int, dict[int, int]] = {}
        self._sizes_of: dict[int, set[int]] = {}  # by the number of a literal
        for position, choice in enumerate(instance.choices):
            for literal, value in choice:
                if isinstance(value, int) and value > 0 and literal != FALSE:
                    self._literals.setdefault(value, {})[position] = literal
                    self._sizes_of.setdefault(abs(literal), set()).add(value)
        self.numbers = frozenset(self._sizes_of)
        self._remembered: dict[tuple[int, int, int], _RegionsOfSize] = {}
        # by literal, its sizes, each with the bit of the vertex
        self._bits: dict[int, list[tuple[int, int]]] = {}
        self._at_start: dict[int, _State] = {}
        for size, literals in self._literals.items():
            placed = sum(1 << vertex for vertex in literals if literals[vertex] == TRUE)
            possible = sum(1 << vertex for vertex in literals)
            self._at_start[size] = placed, possible & ~placed
            for vertex, literal in literals.items():
                self._bits.setdefault(literal, []).append((size, 1 << vertex))
        # of what is known: how many literals, the last one, and the states
        self._known: tuple[int, int, dict[int, _State]] = 0, 0, self._at_start

    @classmethod
    def of(cls, model: AssumptionModel, instance: SizesInstance) -> NumberedRegions | None:
        """Return the regions of an instance; None if its links are no equalities of sizes."""
        shape = instance.sizes
        number = len(shape.links)
        links = shape.terms[:number]
        size_terms = shape.terms[number:]
        if len({*shape.vertices}) < len(shape.vertices):
            return None
        equalities = _equalities(model, instance)
        term_of = dict(zip(shape.vertices, size_terms))
        needed = []
        for link, ends in zip(links, shape.links):
            sides = frozenset(term_of.get(end, link) for end in ends)
            equality = equalities.get((link, sides))
            if equality is None:
                return None
            needed.append(equality)
        return cls(instance, needed)

    def inferences(
        self,
        trail: Trail,
        newest: Collection[int] | None = None,
        extension: Collection[int] = (),
    ) -> list[Inference]:
        """Return what follows for the sizes, or one inference without literals.

        Args:
            trail: What is known.
            newest: Literals whose sizes are looked at; None for all. If there are some, what holds
                for several sizes is not joined.
            extension: The last literals of the trail, which were assumed or follow from that.
        """
        states = self._states(trail, extension)
        sizes: Iterable[int] = self._literals
        if newest is not None:
            touched = [self._sizes_of.get(abs(each), ()) for each in newest]
            sizes = sorted(set().union(*touched))
        inferences: list[Inference] = []
        without_room: dict[int, list[_NoRoom]] = {}  # by vertex
        for size in sizes:
            of_size = self._of_size(size, *states[size])
            contradiction = next((each for each in of_size.inferences if not each.literals), None)
            if contradiction is not None:
                return [contradiction]
            inferences += of_size.inferences
            for vertex, no_room in of_size.without_room.items():
                without_room.setdefault(vertex, []).append(no_room)
        return inferences + list(_joined(without_room, newest is None))

    def _states(self, trail: Trail, extension: Collection[int]) -> dict[int, _State]:
        """Return the states of the sizes, of which those without the extension are remembered."""
        number = len(trail) - len(extension)
        last = next(islice(trail, max(0, number - 1), None), 0)
        if self._known[:2] != (number, last):
            states = self._extended(self._at_start, islice(trail, number))
            self._known = number, last, states
        return self._extended(self._known[2], extension)

    def _extended(self, states: Mapping[int, _State], literals: Iterable[int]) -> dict[int, _State]:
        """Return the states of the sizes with further literals."""
        extended = dict(states)
        for literal in literals:
            for size, bit in self._bits.get(literal, ()):
                placed, is_open = extended[size]
                extended[size] = placed | bit, is_open & ~bit
            for size, bit in self._bits.get(-literal, ()):
                placed, is_open = extended[size]
                extended[size] = placed, is_open & ~bit
        return extended

    def _of_size(self, size: int, placed: int, is_open: int) -> _RegionsOfSize:
        """Return the regions of a size. Those of the last boards are remembered."""
        literals = self._literals[size]
        key = size, placed, is_open
        if key not in self._remembered:
            if len(self._remembered) > MOST_REMEMBERED:
                self._remembered.clear()
            vertices = (_of_bits(literals, placed), _of_bits(literals, is_open))
            regions = _RegionsOfSize(size, literals, self._neighbours, *vertices)
            self._remembered[key] = regions
        return self._remembered[key]


def _of_bits(vertices: Iterable[int], bits: int) -> list[int]:
    """Return the vertices whose bits are set."""
    return [vertex for vertex in vertices if bits >> vertex & 1]


@dataclass(frozen=True)
class _NoRoom:
    """A vertex that cannot have a size, as there is no room for it.

    Attributes:
        size: The size.
        literal: That it has the size.
        room: The vertices that may have the size with it.
        reasons: Why it has no more.
        area: That vertices of the room have the size.
        touching: That a vertex has the size that is too far away, and the vertices beside it.
    """

    size: int
    literal: int
    room: Vertices
    reasons: tuple[int, ...]
    area: tuple[int, ...]
    touching: tuple[int, ...]


def _joined(without_room: Mapping[int, Sequence[_NoRoom]], several: bool) -> Iterator[Inference]:
    """Yield that vertices cannot have sizes, those for the same reasons together."""
    groups: dict[object, list[_NoRoom]] = {}
    for vertex, all_sizes in without_room.items():
        alone = list(all_sizes)
        if several:  # those for which not even the widest room is enough
            widest_room = max(len(each.room) for each in all_sizes)
            together = [each for each in all_sizes if each.size > widest_room]
            alone = [each for each in all_sizes if each.size <= widest_room]
            rooms = Vertices().union(*(each.room for each in together))
            key: object = rooms, tuple(len(each.room) for each in together)
            groups.setdefault(key, []).extend(together)
        for each in alone:
            groups[vertex, each.size] = [each]
    for group in groups.values():
        literals = tuple(-each.literal for each in group)
        reasons = dict.fromkeys(reason for each in group for reason in each.reasons)
        widest = max(group, key=lambda each: len(each.room))
        touching = next((each.touching for each in group if each.touching), ())
        area = Area(widest.area, room=len(widest.room), touching=touching)
        yield Inference(literals, tuple(reasons), GraphReason.NO_ROOM, area)


class _RegionsOfSize:
    """The regions of one size.

    Attributes:
        inferences: What the size says, but for vertices without room.
        without_room: The vertices that cannot have the size, as there is no room for it.
    """

    def __init__(
        self,
        size: int,
        literals: Mapping[int, int],
        neighbours: Sequence[Sequence[int]],
        placed: Sequence[int],
        is_open: Sequence[int],
    ) -> None:
        self.size, self.literals, self.neighbours = size, literals, neighbours
        self.without_room: dict[int, _NoRoom] = {}
        self._placed, self._open = placed, frozenset(is_open)
        self._pieces = self._components(placed)
        self._growth = Growth(neighbours, self._open, self._pieces, are_counted=True)
        self.inferences = list(self._inferences())

    def _inferences(self) -> Iterator[Inference]:
        yield from self._completed()
        vertices = sorted(self._open)
        excluded = [vertex for vertex in vertices if self._size_with(vertex) > self.size]
        yield from self._too_large(excluded)
        for piece in self._pieces:
            if len(piece) < self.size:
                yield from self._growing(piece)
        self._look_for_room(self._open.difference(excluded))

    def _size_with(self, vertex: int) -> int:
        """Return how many vertices a vertex would join, with itself."""
        return 1 + sum(map(len, self._growth.adjacent_groups(vertex)))

    def _completed(self) -> Iterator[Inference]:
        """Yield that what is beside complete regions does not have the size."""
        complete = [piece for piece in self._pieces if len(piece) >= self.size]
        for piece in complete:
            if len(piece) > self.size:
                facts = self._facts(piece)
                area = Area(facts, self.size, len(piece))
                yield Inference((), facts, GraphReason.TOO_LARGE, area)
                return
        literals: dict[int, None] = {}
        members = [vertex for piece in complete for vertex in sorted(piece)]
        for vertex in members:
            for neighbour in self.neighbours[vertex]:
                if neighbour in self._open:
                    literals[-self.literals[neighbour]] = None
        if literals:
            facts = self._facts(members)
            yield Inference(tuple(literals), facts, GraphReason.COMPLETE, Area(facts, self.size))

    def _too_large(self, excluded: Iterable[int]) -> Iterator[Inference]:
        """Yield the vertices that would join too many, but for those beside complete regions."""
        for vertex in excluded:
            groups = self._growth.adjacent_groups(vertex)
            if any(len(group) >= self.size for group in groups):
                continue
            facts = self._facts(each for group in groups for each in sorted(group))
            area = Area(facts, self.size, self._size_with(vertex))
            yield Inference((-self.literals[vertex],), facts, GraphReason.TOO_LARGE, area)

    def _growing(self, piece: Vertices) -> Iterator[Inference]:
        """Yield where a region must grow that is too small."""
        most = self.size - len(piece)
        reach = self._growth.reach(sorted(piece), most, self.size + 1)
        room = len(reach.costs)
        area = Area(self._facts(piece), self.size, room)
        if room < self.size:
            yield Inference((), self._reasons(reach, piece), GraphReason.ROOM, area)
            return
        inside = sorted(self._open.intersection(reach.costs))
        if room == self.size:
            literals = tuple(self.literals[vertex] for vertex in inside)
            yield Inference(literals, self._reasons(reach, piece), GraphReason.ROOM, area)
            return
        for vertex in reach.needed(inside, self.size):
            without = self._growth.reach(sorted(piece), most, self.size, vertex)
            room = len(without.costs)
            if room < self.size:
                reasons = self._reasons(without, piece, vertex)
                area = Area(self._facts(piece), self.size, room)
                yield Inference((self.literals[vertex],), reasons, GraphReason.ROOM, area)

    def _look_for_room(self, vertices: Collection[int]) -> None:
        """Note those of some open vertices for which there is no room."""
        wide = self._with_room()
        for component in self._components([*self._open, *self._placed]):
            is_open = self._open.issuperset(component)
            if is_open and len(component) >= self.size:
                continue
            for vertex in sorted(component.intersection(vertices)):
                base = {vertex}.union(*self._growth.adjacent_groups(vertex))
                if any(not wide.isdisjoint(self.neighbours[each]) for each in base):
                    continue
                most = self.size - len(base)
                reach = self._growth.reach(sorted(base), most, self.size)
                if len(reach.costs) < self.size:
                    reasons = self._reasons(reach, base.difference([vertex]) if reach.far else ())
                    room = frozenset(reach.costs)
                    literal = self.literals[vertex]
                    facts = tuple(self.literals[each] for each in sorted(room))
                    touching = self._touching(reach, base)
                    no_room = _NoRoom(self.size, literal, room, reasons, facts, touching)
                    self.without_room[vertex] = no_room

    def _with_room(self) -> set[int]:
        """Return the open vertices that have room with others beside which none has the size."""
        free = [vertex for vertex in self._open if not self._growth.adjacent_groups(vertex)]
        wide: set[int] = set()
        for component in self._components(free):
            if len(component) >= self.size:
                wide |= component
        return wide

    def _components(self, vertices: Iterable[int]) -> list[Vertices]:
        """Return the connected components of vertices, that of the first one first."""
        remaining = set(vertices)
        components = []
        for start in sorted(remaining):
            if start not in remaining:
                continue
            remaining.discard(start)
            component = [start]
            for vertex in component:
                for neighbour in self.neighbours[vertex]:
                    if neighbour in remaining:
                        remaining.discard(neighbour)
                        component.append(neighbour)
            components.append(frozenset(component))
        return components

    def _touching(self, reach: Reach, base: Vertices | set[int]) -> tuple[int, ...]:
        """Return that the first vertex which is too far away has the size, and the vertices that
        it would join.
        """
        for vertex in sorted(reach.far):
            for group in self._growth.adjacent_groups(vertex):
                if group.isdisjoint(base):
                    return self._facts([vertex, *sorted(group)])
        return ()

    def _reasons(self, reach: Reach, base: Iterable[int], without: int = -1) -> tuple[int, ...]:
        """Return why a region reaches no more."""
        reasons = dict.fromkeys(self._facts(sorted(base)[:1]))
        if reach.far:
            reasons |= dict.fromkeys(self._facts(sorted(base)))
            groups = [piece for piece in self._pieces if not piece.isdisjoint(reach.costs)]
            for vertex in sorted(reach.far):
                groups += self._growth.adjacent_groups(vertex)
            for group in groups:
                reasons |= dict.fromkeys(self._facts(sorted(group)))
        for vertex in reach.border(self.neighbours):
            if vertex != without and vertex in self.literals:
                reasons[-self.literals[vertex]] = None
        return tuple(reasons)

    def _facts(self, vertices: Iterable[int]) -> tuple[int, ...]:
        """Return that vertices have the size, but for those where this is no question."""
        literals = (self.literals[vertex] for vertex in vertices)
        return tuple(literal for literal in literals if literal != TRUE)


def _equalities(
    model: AssumptionModel, instance: GroundRule
) -> dict[tuple[Term, frozenset[Term]], GroundRule]:
    """Return the instances of the rule of an instance that define a truth as the equality of two
    terms, by that truth and the two terms.
    """
    equalities = {}
    for each in model.instances:
        definition = each.conditions[0]
        if each.origin is not instance.origin or not isinstance(definition, Comparison):
            continue
        equality = definition.right
        if isinstance(equality, Comparison) and definition.operator == equality.operator == "==":
            sides = frozenset((equality.left, equality.right))
            equalities[definition.left, sides] = each
    return equalities
