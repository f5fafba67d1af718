"""Instances of region sizes: links join places to regions, and some places know the size of theirs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from puzzlekit.model import Origin, RegionSizes, Value
from puzzlekit.model.graphs import DisjointSets
from puzzlekit.presolve.region_sizes import wrong_sizes
from puzzlekit.reasons.instances import TruthValues, Inference, Trail
from puzzlekit.reasons.literals import FALSE, TRUE
from puzzlekit.reasons.shapes import NO, OPEN, YES, ShapeInstance
from puzzlekit.sentences.steps import GraphReason

Choice = Sequence[tuple[int, Value]]  # the literals of the values that a size may have


class SizesInstance(ShapeInstance):
    """The regions that true links form have the sizes that are known at some vertices."""

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
        own = (abs(literal) for choice in choices for literal, _ in choice if abs(literal) != TRUE)
        self.scope = tuple(dict.fromkeys((*self.scope, *own)))

    def cuts(self, held: TruthValues) -> Iterator[list[int]]:
        sizes = [
            next(value for literal, value in choice if bool(held[abs(literal)]) == (literal > 0))
            for choice in self.choices
        ]
        for cut in wrong_sizes(self.sizes, {*self.true_flags(held)}.__contains__, sizes):
            taken = {*cut.sizes(value for _, value in self.choices[cut.size])}
            clause = [-self.flags[place] for place in cut.no] + [
                self.flags[place] for place in cut.yes
            ]
            clause += [literal for literal, value in self.choices[cut.size] if value in taken]
            if TRUE not in clause:
                yield [literal for literal in clause if literal != FALSE]

    def deductions(self, known: Trail, told: Collection[int] = ()) -> Iterator[Inference]:
        """Yield the sizes and links that the regions so far, and what they can still reach, decide."""
        states = self.states(known)
        board = _Board(self, known, states)
        for deduction in (*board.of_sizes(), *board.of_links()):
            new = tuple(one for one in deduction.literals if one not in known and one != TRUE)
            if any(-one in known or one == FALSE for one in new):
                false = next(one for one in new if -one in known or one == FALSE)
                more = () if false == FALSE else (-false,)
                yield Inference(
                    (), tuple(dict.fromkeys((*deduction.reasons, *more))), deduction.graph_reason
                )
                return
            if new:
                yield Inference(new, deduction.reasons, deduction.graph_reason)


class _Board:
    """The regions as far as they are known."""

    def __init__(
        self, instance: SizesInstance, known: Trail, states: Sequence[int]
    ) -> None:
        self.instance, self.known, self.states = instance, known, states
        shape = instance.sizes
        self.links = shape.links
        self.joined, self.reachable = DisjointSets[int](), DisjointSets[int]()
        self.tree: list[int] = []  # the true links that joined something
        for place, ((one, other), state) in enumerate(zip(self.links, states)):
            if state == YES and self.joined.join(one, other):
                self.tree.append(place)
            if state != NO:
                self.reachable.join(one, other)
        self.at: dict[int, list[int]] = {}  # by the root of a region the places of its sizes
        for place, vertex in enumerate(shape.vertices):
            self.at.setdefault(self.joined.root(vertex), []).append(place)
        self.trees: dict[int, list[int]] = {}
        for place in self.tree:
            self.trees.setdefault(self.joined.root(self.links[place][0]), []).append(place)

    def _left(self, place: int) -> list[Value]:
        """Return the values that a size may still have."""
        return [
            value
            for literal, value in self.instance.choices[place]
            if -literal not in self.known and literal != FALSE
        ]

    def _not(self, place: int, values: Sequence[Value]) -> list[int]:
        """Return facts that a size has none of these values: its value if that is known."""
        choice = self.instance.choices[place]
        if (
            fixed := next(
                (literal for literal, _ in choice if literal in self.known or literal == TRUE), None
            )
        ) is not None:
            return [] if fixed == TRUE else [fixed]
        return [-literal for literal, value in choice if value in values and literal != FALSE]

    def _because(
        self, yes: Sequence[int], no: Sequence[int], facts: Sequence[int] = ()
    ) -> tuple[int, ...]:
        return tuple(dict.fromkeys((*self.instance.reasons(yes, no), *facts)))

    def of_sizes(self) -> Iterator[Inference]:
        """Yield the values that sizes cannot have."""
        borders: dict[int, list[int]] = {}
        for place, (one, other) in enumerate(self.links):
            ends = self.reachable.root(one), self.reachable.root(other)
            if ends[0] != ends[1]:
                for end in ends:
                    borders.setdefault(end, []).append(place)
        for root, places in self.at.items():
            least, most = self.joined.size(root), self.reachable.size(root)
            tree, border = self.trees.get(root, []), borders.get(self.reachable.root(root), [])
            for place in places:
                choice = self.instance.choices[place]
                small = tuple(
                    -literal
                    for literal, value in choice
                    if value < least and -literal not in self.known
                )
                large = tuple(
                    -literal
                    for literal, value in choice
                    if value > most and -literal not in self.known
                )
                if small:
                    yield Inference(small, self._because(tree, ()), GraphReason.SO_MANY_JOINED)
                if large:
                    yield Inference(large, self._because((), border), GraphReason.NO_MORE_REACHED)
            for place in places[1:]:
                for (one, value), (other, same) in zip(
                    self.instance.choices[places[0]], self.instance.choices[place]
                ):
                    if value == same:
                        for from_, to in (
                            (one, other),
                            (-one, -other),
                            (other, one),
                            (-other, -one),
                        ):
                            if to not in self.known and (from_ in self.known or from_ == TRUE):
                                facts = () if from_ == TRUE else (from_,)
                                yield Inference(
                                    (to,), self._because(tree, (), facts), GraphReason.ONE_SIZE
                                )

    def of_links(self) -> Iterator[Inference]:
        """Yield the links that would make a region too large, and the only ways for one to grow."""
        ways: dict[int, list[int]] = {}
        for place, ((one, other), state) in enumerate(zip(self.links, self.states)):
            ends = self.joined.root(one), self.joined.root(other)
            if ends[0] != ends[1] and state == OPEN:
                for end in ends:
                    ways.setdefault(end, []).append(place)
                yield from self._apart(place, *ends)
        for root, places in self.at.items():
            size, out = self.joined.size(root), ways.get(root, [])
            first = places[0]
            if len(out) == 1 and size not in self._left(first) and self._left(first):
                tree = self.trees.get(root, [])
                inside = {root, *(vertex for place in tree for vertex in self.links[place])}
                border = [
                    p
                    for p, (one, other) in enumerate(self.links)
                    if (one in inside) != (other in inside) and p != out[0]
                ]
                facts = self._not(first, [size])
                yield Inference(
                    (self.instance.flags[out[0]],),
                    self._because(tree, border, facts),
                    GraphReason.GROWS_ONLY_THERE,
                )

    def _apart(self, place: int, one: int, other: int) -> Iterator[Inference]:
        """Yield that a link is false if the two regions it joins are too large together, or have
        different sizes.
        """
        total = self.joined.size(one) + self.joined.size(other)
        tree = [*self.trees.get(one, []), *self.trees.get(other, [])]
        link = (-self.instance.flags[place],)
        for root in (one, other):
            for size in self.at.get(root, [])[:1]:
                if all(value < total for value in self._left(size)):
                    larger = [value for _, value in self.instance.choices[size] if value >= total]
                    yield Inference(
                        link,
                        self._because(tree, (), self._not(size, larger)),
                        GraphReason.TOO_LARGE,
                    )
                    return
        if one in self.at and other in self.at:
            first, second = self.at[one][0], self.at[other][0]
            here, there = self._left(first), self._left(second)
            if not {*here} & {*there}:
                facts = [
                    *self._not(first, there),
                    *self._not(
                        second, [v for _, v in self.instance.choices[second] if v not in there]
                    ),
                ]
                yield Inference(link, self._because(tree, (), facts), GraphReason.DIFFERENT_SIZES)
