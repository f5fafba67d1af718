"""Deductions from shapes: what is cut off, what would close a loop, which size a region has."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from puzzlekit.clock import check
from puzzlekit.model import connected_components, reachable
from puzzlekit.reasons.areas import CountedArea
from puzzlekit.reasons.assumption_model import AssumptionModel
from puzzlekit.reasons.deductions import Card, ClosingEdge, Deduction, Line, Pattern
from puzzlekit.reasons.instances import GroundRule, Inference, Trail
from puzzlekit.reasons.literals import FALSE, TRUE
from puzzlekit.reasons.marks import ViolatedInstance
from puzzlekit.reasons.numbered_regions import NumberedRegions
from puzzlekit.reasons.region_sizes import SizesInstance
from puzzlekit.reasons.shapes import CircuitInstance, ConnectedInstance, ShapeInstance
from puzzlekit.sentences import GraphReason, RulePart

BESIDE, REACHED, CUT, FACT = 1.7, 2.4, 3.0, 0.02  # the costs of patterns, and of a fact
FORK = 3  # edges at a vertex, from which there can be more than those of a loop
FEW_FACTS = 6  # around an area that is seen with one look

# the instances and the facts from which something follows
Needed = tuple[tuple[GroundRule, ...], tuple[int, ...]]

# why something cannot have a number, which is seen beside the cells with the number
BESIDE_REGION = (GraphReason.COMPLETE, GraphReason.TOO_LARGE)
OF_AREAS = (GraphReason.ROOM, GraphReason.TOO_FAR)  # that a card counts
CLOSES_LOOP = (
    GraphReason.WOULD_CLOSE_SMALL_LOOP,
    GraphReason.WOULD_CLOSE_LOOP,
    GraphReason.LOOP_IS_CLOSED,
)
SMALL_LOOP = (GraphReason.WOULD_CLOSE_SMALL_LOOP, GraphReason.CLOSES_SMALL_LOOP)
DEAD_END = (GraphReason.WOULD_LEAD_TO_DEAD_END, GraphReason.LEADS_TO_DEAD_END)


def told_by_shapes(model: AssumptionModel) -> Iterator[int]:
    """Yield the numbers of the instances of which shapes say all that can be told."""
    for instance in model.instances:
        if isinstance(instance, SizesInstance):
            numbered = NumberedRegions.of(model, instance)
            if numbered is not None:
                yield from (each.number for each in numbered.instances[1:])


class ShapeRule:
    """An instance of a shape, with the instances at the vertices of a loop, and what counts the
    cells of an area.

    A loop has two edges at each of its vertices or none, which are instances of their own. What
    follows from it needs some of them.
    """

    def __init__(
        self, model: AssumptionModel, instance: ShapeInstance, cards: Sequence[Card] = ()
    ) -> None:
        self.instance = instance
        self._counted: CountedArea | None = None
        self._numbered: NumberedRegions | None = None
        self.numbers = frozenset(instance.scope)
        if isinstance(instance, ConnectedInstance):
            self._counted = CountedArea.of(instance, cards)
        if isinstance(instance, SizesInstance):
            self._numbered = NumberedRegions.of(model, instance)
        if self._numbered is not None:
            self.numbers = self._numbered.numbers
        self._at_vertices: dict[frozenset[int], GroundRule] = {}
        if isinstance(instance, CircuitInstance):
            for each in model.instances:
                if each.rule_part is RulePart.AT_A_VERTEX and each.origin is instance.origin:
                    self._at_vertices[frozenset(each.scope)] = each

    def deductions(self, trail: Trail) -> Iterator[Deduction]:
        """Yield what the shape says. Raises ViolatedInstance."""
        for inference in self._inferences(trail):
            check()
            if not inference.literals:
                raise ViolatedInstance(self.instance)
            instances, reasons = self.needed(inference)
            pattern, cost = _pattern_of(inference)
            if pattern in (Pattern.REACH, Pattern.CUT) and self._is_last_way_out(inference):
                pattern = Pattern.LAST_WAY_OUT
            price = cost + FACT * len(reasons)
            yield Deduction(
                pattern,
                price,
                inference.literals,
                instances=instances,
                reasons=reasons,
                graph_reason=inference.graph_reason,
                area=inference.area,
                is_minimal=inference.is_minimal,
            )

    def _is_last_way_out(self, inference: Inference) -> bool:
        """Return whether an inference is about what a single cell has beside it."""
        instance = self.instance
        if not isinstance(instance, ConnectedInstance):
            return False
        return instance.is_about_single(inference)

    def _inferences(
        self,
        trail: Trail,
        newest: Collection[int] | None = None,
        extension: Collection[int] = (),
    ) -> Iterable[Inference]:
        """Yield what the shape says; what does not need the newest literals may be left out."""
        if self._numbered is not None:
            return self._numbered.inferences(trail, newest, extension)
        if newest is None:
            of_shape = self.instance.inferences(trail)
        else:
            of_shape = self.instance.inferences_next_to(newest, trail)
        if self._counted is None:
            return of_shape
        return chain(self._counted.inferences(trail), of_shape)

    def closing_edges(self, trail: Trail) -> Iterator[ClosingEdge]:
        """Yield the open edges that would close a loop of all lines so far."""
        instance = self.instance
        if not isinstance(instance, CircuitInstance):
            return
        for literal in instance.closing_edges(trail):
            flags = [flag for flag in instance.flags if abs(flag) != TRUE]
            opened = (flag for flag in flags if flag not in trail and -flag not in trail)
            outside = [-flag for flag in opened if flag != literal]
            loop = tuple(flag for flag in flags if flag in trail)
            edge = _edges_of(instance, loop)
            vertices = {end for each in edge for end in instance.edges[each]}
            rules = tuple(self._rules_at(vertices, FORK))
            yield ClosingEdge(literal, tuple(outside), loop, instance, rules)

    def consequences(
        self, trail: Trail, extension: Collection[int], newest: Collection[int]
    ) -> Iterator[Line]:
        """Yield what the shape says of an extended trail, if it needs the extension.

        What does not need the newest literals may be left out.
        """
        for inference in self._inferences(trail, newest, extension):
            instances, reasons = self.needed(inference)
            if not any(reason in extension for reason in reasons):
                continue
            first, *further = instances
            yield Line(
                inference.literals,
                first,
                reasons,
                inference.graph_reason,
                instances=tuple(further),
                area=inference.area,
            )

    # The instances that are needed ----------------------------------------------------------------

    def needed(self, inference: Inference) -> Needed:
        """Return the instances and the facts from which it follows."""
        is_loop = isinstance(self.instance, CircuitInstance)
        if is_loop and inference.graph_reason in SMALL_LOOP:
            return self._of_small_loop(inference)
        if self._numbered is not None:
            return self._numbered.instances, inference.reasons
        if self._counted is not None and inference.graph_reason in OF_AREAS:
            return self._counted.instances, inference.reasons
        return self._instances(inference), inference.reasons

    def _instances(self, inference: Inference) -> tuple[GroundRule, ...]:
        """Return the instances from which it follows."""
        instance = self.instance
        if not isinstance(instance, CircuitInstance):
            return (instance,)
        edges = _edges_of(instance, inference.literals)
        facts = _edges_of(instance, inference.reasons)
        if inference.graph_reason in DEAD_END:
            # the number of lines into the area is even, since it is so at each vertex
            inside = _smaller_side(instance, edges or facts, {*edges, *facts})
            return tuple(self._rules_at(inside, 1)) or (instance,)
        if inference.graph_reason is GraphReason.LOOP_IS_CLOSED:
            loop = _component(instance, facts, instance.edges[facts[0]][0])
            return (instance, *self._rules_at(loop, FORK))
        return (instance,)

    def _of_small_loop(self, inference: Inference) -> Needed:
        """Return what is needed to see that a loop is closed before all lines are on it.

        A line outside can only be reached from some of its vertices. There the loop must not fork,
        and has its two lines.
        """
        instance = self.instance
        assert isinstance(instance, CircuitInstance)
        facts = _edges_of(instance, inference.reasons)
        edges = [*_edges_of(instance, inference.literals), *facts]
        loop = _component(instance, facts, instance.edges[edges[0]][0])
        ends = {end: edge for edge in facts for end in instance.edges[edge] if end not in loop}
        if not ends:  # something else than a line lies outside
            return self._instances(inference), inference.reasons
        start, outside = next(iter(ends.items()))
        arcs = instance.arcs(edge for edge, flag in enumerate(instance.flags) if flag != FALSE)

        def neighbours(vertex: int) -> list[int]:
            return [end for _, end in arcs[vertex] if end not in loop]

        beyond = reachable(start, neighbours)
        forks = [vertex for vertex in loop if any(end in beyond for _, end in arcs[vertex])]
        reasons = []
        for edge, reason in zip(facts, inference.reasons):
            if edge == outside or not {*instance.edges[edge]}.isdisjoint(forks):
                reasons.append(reason)
        return (instance, *self._rules_at(forks, FORK)), tuple(reasons)

    def _rules_at(self, vertices: Iterable[int], fewest_edges: int) -> Iterator[GroundRule]:
        """Yield the instances at some vertices, if these have enough edges."""
        assert isinstance(self.instance, CircuitInstance)
        flags = self.instance.flags
        numbers: dict[int, set[int]] = {vertex: set() for vertex in vertices}
        for edge, ends in enumerate(self.instance.edges):
            for vertex in ends:
                if vertex in numbers and flags[edge] != FALSE:
                    numbers[vertex].add(abs(flags[edge]))
        for vertex in sorted(numbers):
            rule = self._at_vertices.get(frozenset(numbers[vertex]))
            if rule is not None and len(numbers[vertex]) >= fewest_edges:
                yield rule


def _pattern_of(inference: Inference) -> tuple[Pattern, float]:
    """Return the pattern of an inference, and its cost without facts."""
    if inference.area is not None and inference.graph_reason in BESIDE_REGION:
        return Pattern.ONE_RULE, BESIDE
    is_parity = inference.graph_reason in DEAD_END
    is_seen = not is_parity or len(inference.reasons) <= FEW_FACTS
    if inference.graph_reason in CLOSES_LOOP:
        return Pattern.SMALL_LOOP, REACHED
    return (Pattern.REACH, REACHED) if is_seen else (Pattern.CUT, CUT)


def _edges_of(instance: CircuitInstance, literals: Iterable[int]) -> list[int]:
    """Return the edges that literals are about."""
    positions = instance.positions
    return [positions[abs(literal)] for literal in literals if abs(literal) in positions]


def _component(instance: CircuitInstance, edges: Sequence[int], vertex: int) -> set[int]:
    """Return the vertices that edges connect with a vertex."""
    pairs = [instance.edges[edge] for edge in edges]
    vertices = dict.fromkeys(end for pair in pairs for end in pair)
    components = connected_components(vertices, pairs)
    return next(component for component in components if vertex in component)


def _smaller_side(
    instance: CircuitInstance, edges: Sequence[int], cut: Collection[int]
) -> set[int]:
    """Return the smaller of the two areas that a cut separates, at one of these edges."""
    arcs = instance.arcs(
        edge for edge, flag in enumerate(instance.flags) if flag != FALSE and edge not in cut
    )
    first, second = instance.edges[edges[0]]

    def neighbours(vertex: int) -> list[int]:
        return [end for _, end in arcs.get(vertex, ())]

    sides = [set(reachable(end, neighbours)) for end in (first, second)]
    return min(sides, key=len)
