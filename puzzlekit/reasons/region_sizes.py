"""Instances of region sizes: links join vertices to regions, and some vertices state the size of
their region.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from puzzlekit.model import DisjointSets, Origin, RegionSizes, Value
from puzzlekit.presolve import wrong_sizes
from puzzlekit.reasons.instances import Inference, Trail, TruthValues
from puzzlekit.reasons.literals import FALSE, TRUE
from puzzlekit.reasons.shapes import NO, OPEN, YES, ShapeInstance
from puzzlekit.sentences import GraphReason

Choice = Sequence[tuple[int, Value]]  # the literals of the values that a size may have


class SizesInstance(ShapeInstance):
    """The regions that true links form have the sizes that some vertices state."""

    def __init__(
        self,
        number: int,
        origins: tuple[Origin, ...],
        selector: int,
        flags: Sequence[int],
        shape: RegionSizes,
        choices: Sequence[Choice],
    ) -> None:
        super().__init__(number, origins, selector, flags)
        self.sizes, self.choices = shape, choices
        self._preferred: dict[tuple[int, int], list[int]] = {}
        scope = dict.fromkeys(self.scope)
        for choice in choices:
            for literal, _ in choice:
                if abs(literal) != TRUE:
                    scope[abs(literal)] = None
        self.scope = tuple(scope)
        # by the number of a literal, the vertices beside which it says something
        self._vertices_of: dict[int, list[int]] = {}
        for flag, ends in zip(flags, shape.links):
            self._vertices_of.setdefault(abs(flag), []).extend(ends)
        for vertex, choice in zip(shape.vertices, choices):
            for literal, _ in choice:
                self._vertices_of.setdefault(abs(literal), []).append(vertex)

    def cuts(self, truth: TruthValues, assumed: Collection[int] = ()) -> Iterator[list[int]]:
        sizes = [_true_value(choice, truth) for choice in self.choices]
        for cut in wrong_sizes(self.sizes, {*self.true_flags(truth)}.__contains__, sizes):
            choice = self.choices[cut.size]
            allowed = {*cut.sizes(value for _, value in choice)}
            clause = [-self.flags[link] for link in cut.no]
            clause += [self.flags[link] for link in cut.yes]
            clause += [literal for literal, value in choice if value in allowed]
            if TRUE not in clause:
                yield from self.without_constants([clause])

    def first_preferences(self) -> list[int]:
        """Return the literals of regions of one vertex each."""
        return [*self._all_flags(False), *self._preferred_sizes(dict.fromkeys(self._vertices, 1))]

    def preferences(self, truth: TruthValues, repairs: int, trail: Trail) -> list[int]:
        """Return the literals of the regions of a model with the sizes that they have."""
        true = {*self.true_flags(truth)}
        regions = DisjointSets[int]()
        preferred = []
        for link, flag in enumerate(self.flags):
            if link in true:
                regions.join(*self.sizes.links[link])
            if abs(flag) != TRUE:
                preferred.append(flag if link in true else -flag)
        sizes = {vertex: regions.size(regions.root(vertex)) for vertex in self._vertices}
        return [*preferred, *self._preferred_sizes(sizes)]

    @property
    def _vertices(self) -> Sequence[int]:
        return self.sizes.vertices

    def _preferred_sizes(self, sizes: Mapping[int, int]) -> list[int]:
        """Return the literals that say that vertices state these sizes."""
        preferred: list[int] = []
        for position, vertex in enumerate(self._vertices):
            preferred += self._preferred_size(position, sizes[vertex])
        return preferred

    def _preferred_size(self, position: int, size: int) -> Sequence[int]:
        """Return the literals that say that a vertex states a size, which are made once."""
        key = position, size
        if key not in self._preferred:
            choice = self.choices[position]
            literals = (literal if value == size else -literal for literal, value in choice)
            self._preferred[key] = [literal for literal in literals if abs(literal) != TRUE]
        return self._preferred[key]

    def inferences(self, trail: Trail, omitted: Collection[int] = ()) -> Iterator[Inference]:
        """Yield the sizes and links that follow from the regions so far and what they can reach."""
        return self._inferences(_Regions(self, trail))

    def inferences_next_to(self, newest: Iterable[int], trail: Trail) -> Iterator[Inference]:
        """Yield what follows for regions about which some of the known literals say something."""
        vertices = {vertex for each in newest for vertex in self._vertices_of.get(abs(each), ())}
        return self._inferences(_Regions(self, trail, vertices))

    def _inferences(self, regions: _Regions) -> Iterator[Inference]:
        trail = regions.trail
        for inference in (*regions.of_sizes(), *regions.of_links()):
            new = []
            for literal in inference.literals:
                if -literal in trail or literal == FALSE:
                    yield _contradiction(inference, literal)
                    return
                if literal not in trail and literal != TRUE:
                    new.append(literal)
            if new:
                yield Inference(tuple(new), inference.reasons, inference.graph_reason)


def _contradiction(inference: Inference, false_literal: int) -> Inference:
    """Return that the reasons of an inference cannot all hold, since one of its literals is
    false.
    """
    reasons = dict.fromkeys(inference.reasons)
    if false_literal != FALSE:
        reasons[-false_literal] = None
    return Inference((), tuple(reasons), inference.graph_reason)


def _true_value(choice: Choice, truth: TruthValues) -> Value:
    """Return the value of a size in a model."""
    for literal, value in choice:
        if bool(truth[abs(literal)]) == (literal > 0):
            return value
    raise AssertionError("a size has a value in each model")


class _Regions:
    """The regions as far as they are known: joined by true links, or by those that may be true.

    Sizes and links are given by their positions, a region by its root.

    Args:
        instance: The instance.
        trail: What is known.
        vertices: Some vertices of the regions that are looked at; None if it is all of them.
    """

    def __init__(
        self, instance: SizesInstance, trail: Trail, vertices: Collection[int] | None = None
    ) -> None:
        self.instance, self.trail = instance, trail
        self.states = instance.states(trail)
        self.links = instance.sizes.links
        self.joined = DisjointSets[int]()
        self.reachable = DisjointSets[int]()
        joining: list[int] = []
        for link, ((first, second), state) in enumerate(zip(self.links, self.states)):
            if state == YES and self.joined.join(first, second):
                joining.append(link)
            if state != NO:
                self.reachable.join(first, second)
        # by link, the roots of its ends
        self._roots = [
            (self.joined.root(first), self.joined.root(second)) for first, second in self.links
        ]
        self._looked_at = None if vertices is None else {*map(self.joined.root, vertices)}
        self._possible_values: dict[int, list[Value]] = {}
        self.sizes_of: dict[int, list[int]] = {}
        for size, vertex in enumerate(instance.sizes.vertices):
            self.sizes_of.setdefault(self.joined.root(vertex), []).append(size)
        self.trees: dict[int, list[int]] = {}  # the links that span each region
        for link in joining:
            root = self.joined.root(self.links[link][0])
            self.trees.setdefault(root, []).append(link)

    def _is_looked_at(self, *roots: int) -> bool:
        """Return whether it is looked at one of these regions."""
        return self._looked_at is None or not self._looked_at.isdisjoint(roots)

    def _possible(self, size: int) -> list[Value]:
        """Return the values that a size may still have."""
        if size not in self._possible_values:
            values = self._possible_values[size] = []
            for literal, value in self.instance.choices[size]:
                if -literal not in self.trail and literal != FALSE:
                    values.append(value)
        return self._possible_values[size]

    def _denials(self, size: int, values: Sequence[Value]) -> list[int]:
        """Return facts that a size has none of these values: its value if that is known."""
        choice = self.instance.choices[size]
        for literal, _ in choice:
            if literal == TRUE:
                return []
            if literal in self.trail:
                return [literal]
        excluded = [literal for literal, value in choice if value in values]
        return [-literal for literal in excluded if literal != FALSE]

    def _reasons(
        self, yes: Sequence[int], no: Sequence[int], facts: Sequence[int] = ()
    ) -> tuple[int, ...]:
        of_links = self.instance.reasons(yes, no)
        return tuple(dict.fromkeys((*of_links, *facts)))

    def _values(self, size: int) -> list[Value]:
        """Return all values of a size."""
        return [value for _, value in self.instance.choices[size]]

    def of_sizes(self) -> Iterator[Inference]:
        """Yield the values that sizes cannot have."""
        within_reach = {*map(self.reachable.root, self._looked_at or ())}
        for root, sizes in self.sizes_of.items():
            is_looked_at = self._is_looked_at(root)
            if is_looked_at or self.reachable.root(root) in within_reach:
                for size in sizes:
                    yield from self._excluded_sizes(root, size)
            if is_looked_at:
                for size in sizes[1:]:
                    yield from self._equal_sizes(root, sizes[0], size)

    def _border(self, root: int) -> list[int]:
        """Return the links between what a region can reach and all else."""
        inside = self.reachable.root(root)
        border = []
        for link, (first, second) in enumerate(self.links):
            first_root, second_root = self.reachable.root(first), self.reachable.root(second)
            if first_root != second_root and inside in (first_root, second_root):
                border.append(link)
        return border

    def _excluded_sizes(self, root: int, size: int) -> Iterator[Inference]:
        """Yield the values of a size that its region has passed, or cannot reach."""
        least = self.joined.size(root)
        most = self.reachable.size(root)
        small, large = [], []
        for literal, value in self.instance.choices[size]:
            if -literal in self.trail:
                continue
            if value < least:
                small.append(-literal)
            if value > most:
                large.append(-literal)
        if small:
            reasons = self._reasons(self.trees.get(root, []), ())
            yield Inference(tuple(small), reasons, GraphReason.SO_MANY_JOINED)
        if large:
            reasons = self._reasons((), self._border(root))
            yield Inference(tuple(large), reasons, GraphReason.NO_MORE_REACHED)

    def _equal_sizes(self, root: int, first_size: int, second_size: int) -> Iterator[Inference]:
        """Yield what the value of one size of a region says of another size of it."""
        choices = self.instance.choices
        tree = self.trees.get(root, [])
        for (first, value), (second, same) in zip(choices[first_size], choices[second_size]):
            if value != same:
                continue
            implications = ((first, second), (-first, -second), (second, first), (-second, -first))
            for premise, conclusion in implications:
                if conclusion in self.trail:
                    continue
                if premise in self.trail or premise == TRUE:
                    facts = () if premise == TRUE else (premise,)
                    reasons = self._reasons(tree, (), facts)
                    yield Inference((conclusion,), reasons, GraphReason.ONE_SIZE)

    def of_links(self) -> Iterator[Inference]:
        """Yield the links that would make a region too large, and the only links by which a region
        can grow.
        """
        open_links: dict[int, list[int]] = {}
        for link, (roots, state) in enumerate(zip(self._roots, self.states)):
            if roots[0] != roots[1] and state == OPEN and self._is_looked_at(*roots):
                for root in roots:
                    open_links.setdefault(root, []).append(link)
                yield from self._apart(link, *roots)
        for root, sizes in self.sizes_of.items():
            if not self._is_looked_at(root):
                continue
            leaving = open_links.get(root, [])
            possible = self._possible(sizes[0])
            size = self.joined.size(root)
            if len(leaving) == 1 and possible and size not in possible:
                yield self._growth(root, leaving[0])

    def _growth(self, root: int, link: int) -> Inference:
        """Return that a region which is too small grows by the only link that is open."""
        tree = self.trees.get(root, [])
        inside = {root}
        for joining_link in tree:
            inside.update(self.links[joining_link])
        border = []
        for border_link, (first, second) in enumerate(self.links):
            if (first in inside) != (second in inside) and border_link != link:
                border.append(border_link)
        facts = self._denials(self.sizes_of[root][0], [self.joined.size(root)])
        literals = (self.instance.flags[link],)
        reasons = self._reasons(tree, border, facts)
        return Inference(literals, reasons, GraphReason.GROWS_ONLY_THERE)

    def _apart(self, link: int, first_root: int, second_root: int) -> Iterator[Inference]:
        """Yield that a link is false if the two regions that it joins are too large together, or
        have different sizes.
        """
        total = self.joined.size(first_root) + self.joined.size(second_root)
        tree = [*self.trees.get(first_root, []), *self.trees.get(second_root, [])]
        literals = (-self.instance.flags[link],)
        for root in (first_root, second_root):
            for size in self.sizes_of.get(root, [])[:1]:
                if all(value < total for value in self._possible(size)):
                    larger = [value for value in self._values(size) if value >= total]
                    facts = self._denials(size, larger)
                    reasons = self._reasons(tree, (), facts)
                    yield Inference(literals, reasons, GraphReason.TOO_LARGE)
                    return
        if first_root not in self.sizes_of or second_root not in self.sizes_of:
            return
        first, second = self.sizes_of[first_root][0], self.sizes_of[second_root][0]
        possible = self._possible(second)
        if {*self._possible(first)}.isdisjoint(possible):
            impossible = [value for value in self._values(second) if value not in possible]
            facts = self._denials(first, possible)
            facts += self._denials(second, impossible)
            reasons = self._reasons(tree, (), facts)
            yield Inference(literals, reasons, GraphReason.DIFFERENT_SIZES)
