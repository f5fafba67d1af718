"""Chains: how facts, and then an assumption, lead to a contradiction through one instance of a rule
after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from puzzlekit.clock import check
from puzzlekit.reasons.assumption_model import AssumptionModel
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.literals import TRUE
from puzzlekit.sentences.steps import GraphReason


@dataclass(frozen=True)
class Link:
    """What an instance says of what is known.

    Attributes:
        instance: The instance.
        literals: What follows; nothing, if what is known breaks it.
        reasons: The literals from which it follows.
        otherwise: Whether it needs the assumption.
        how: Why, if the rule says more than the words of its name.
    """

    instance: GroundRule
    literals: tuple[int, ...]
    reasons: tuple[int, ...]
    needs_assumption: bool
    graph_reason: GraphReason | None = None


@dataclass(frozen=True)
class ImplicationChain:
    """Links, each of which but the last is needed by a later one.

    Attributes:
        links: In order; the last one is broken.
        facts: Those that are needed.
    """

    links: tuple[Link, ...]
    facts: tuple[int, ...]


def implication_chain(
    guarded: AssumptionModel, instances: Sequence[GroundRule], facts: Sequence[int], assumed: int
) -> ImplicationChain | None:
    """Return how facts and an assumption lead to a broken instance, by one instance after the
    other; None if they do not.

    Raises Stopped.
    """
    found = _Rounds(guarded, instances, facts, assumed)
    while not found.broken:
        if not found.look():
            return None
    return min(map(found.needed, found.broken), key=lambda one: len(one.links))


class _Rounds:
    """What is known, round by round, and which link said it."""

    def __init__(
        self,
        guarded: AssumptionModel,
        instances: Sequence[GroundRule],
        facts: Sequence[int],
        assumed: int,
    ) -> None:
        self.guarded, self.assumed = guarded, assumed
        self.instances = sorted(instances, key=lambda one: (one.shape, len(one.scope)))
        self.given = dict.fromkeys((*facts, assumed))
        self.known: dict[int, int] = {TRUE: 0}
        self.links: dict[int, Link] = {}  # by literal
        self.broken: list[Link] = []
        self._know(self.given)

    def _know(self, literals: Iterable[int]) -> None:
        """Note literals and what they say of other values, unless they contradict what is known."""
        for literal in literals:
            self.known |= self.guarded.consequences([literal], self.known) or {}

    def look(self) -> bool:
        """Look once at each instance; return whether something new is known, or an instance is
        broken.
        """
        check()
        links = [
            Link(instance, deduction.literals, deduction.reasons, False, deduction.graph_reason)
            for instance in self.instances
            for deduction in instance.inferences(self.known)
        ]
        self.broken = [link for link in links if not link.literals]
        before = len(self.known)
        said = [(literal, link) for link in links for literal in link.literals]
        for literal, link in sorted(said, key=lambda one: self.guarded.literals.denies(one[0])):
            if literal not in self.known:
                self.links[literal] = link
                self._know([literal])
        return bool(self.broken) or len(self.known) > before

    def needed(self, last: Link) -> ImplicationChain:
        """Return a link and those that it needs, with the literals that are needed; what is given
        needs nothing.
        """
        used: dict[int, tuple[Link, dict[int, None]]] = {}
        waiting, seen = list(last.reasons), set[int]()
        for literal in waiting:
            if literal not in seen:
                seen.add(literal)
                if literal in self.links:
                    used.setdefault(id(self.links[literal]), (self.links[literal], {}))[1][
                        literal
                    ] = None
                waiting += self._sources(literal)
        order = {literal: place for place, literal in enumerate(self.known)}
        links = [
            replace(link, literals=(*own,), needs_assumption=not self._assuming.isdisjoint(own))
            for link, own in used.values()
        ]
        links.sort(key=lambda one: (one.needs_assumption, min(order[literal] for literal in one.literals)))
        return ImplicationChain((*links, last), tuple(one for one in self.given if one in seen))

    @cached_property
    def _assuming(self) -> set[int]:
        """What is known, at the end of the rounds, and needs the assumption."""
        found = {self.assumed}
        for literal in self.known:  # after its sources
            if not found.isdisjoint(self._sources(literal)):
                found.add(literal)
        return found

    def _sources(self, literal: int) -> Sequence[int]:
        """Return the literals from which one follows: by its link, or as a value excludes others or
        is left alone.
        """
        literals = self.guarded.literals
        if literal in self.given or not literals.is_value_literal(literal):
            return ()
        if literal in self.links:
            return self.links[literal].reasons
        return literals.reasons(literal, self.known)
