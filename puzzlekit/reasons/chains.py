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
from puzzlekit.sentences import GraphReason


@dataclass(frozen=True)
class Link:
    """What an instance says of what is known.

    Attributes:
        instance: The instance.
        literals: What follows; nothing, if what is known breaks it.
        reasons: The literals from which it follows.
        needs_assumption: Whether it needs the assumption.
        graph_reason: Why, if the rule says more than the words of its name.
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
    assumption_model: AssumptionModel,
    instances: Sequence[GroundRule],
    facts: Sequence[int],
    assumed: int,
) -> ImplicationChain | None:
    """Return how facts and an assumption lead to a broken instance, by one instance after the
    other; None if they do not.

    Raises Stopped.
    """
    rounds = _Rounds(assumption_model, instances, facts, assumed)
    while not rounds.broken:
        if not rounds.look():
            return None
    chains = map(rounds.needed, rounds.broken)
    return min(chains, key=lambda chain: len(chain.links))


class _Rounds:
    """What is known, round by round, and which link said it.

    Attributes:
        assumed: The assumption.
        given: The facts and the assumption.
        trail: What is known.
        links: By literal, the link that said it.
        broken: The links that break an instance.
    """

    def __init__(
        self,
        assumption_model: AssumptionModel,
        instances: Sequence[GroundRule],
        facts: Sequence[int],
        assumed: int,
    ) -> None:
        self.assumption_model, self.assumed = assumption_model, assumed
        self.instances = sorted(instances, key=lambda rule: (rule.shape, len(rule.scope)))
        self.given = dict.fromkeys((*facts, assumed))
        self.trail: dict[int, int] = {TRUE: 0}
        self.links: dict[int, Link] = {}
        self.broken: list[Link] = []
        self._establish(self.given)

    def _establish(self, literals: Iterable[int]) -> None:
        """Add literals and what they say of other values, unless they contradict the trail."""
        for literal in literals:
            self.trail |= self.assumption_model.consequences([literal], self.trail) or {}

    def look(self) -> bool:
        """Look once at each instance; return whether something new is known, or an instance is
        broken.
        """
        check()
        links = []
        for instance in self.instances:
            for inference in instance.inferences(self.trail):
                literals, reasons = inference.literals, inference.reasons
                links.append(Link(instance, literals, reasons, False, inference.graph_reason))
        self.broken = [link for link in links if not link.literals]
        length_before = len(self.trail)
        links_by_literal = [(literal, link) for link in links for literal in link.literals]
        denies = self.assumption_model.literals.denies
        for literal, link in sorted(links_by_literal, key=lambda pair: denies(pair[0])):
            if literal not in self.trail:
                self.links[literal] = link
                self._establish([literal])
        return bool(self.broken) or len(self.trail) > length_before

    def needed(self, last: Link) -> ImplicationChain:
        """Return a link and those that it needs, with the literals that are needed; what is given
        needs nothing.
        """
        literals_of: dict[int, list[int]] = {}  # by the identity of a link, what is used of it
        links: dict[int, Link] = {}
        pending = list(last.reasons)
        seen = set[int]()
        for literal in pending:
            if literal in seen:
                continue
            seen.add(literal)
            if literal in self.links:
                link = self.links[literal]
                links[id(link)] = link
                literals_of.setdefault(id(link), []).append(literal)
            pending += self._sources(literal)
        used = [self._used_link(link, literals_of[key]) for key, link in links.items()]
        order = {literal: index for index, literal in enumerate(self.trail)}

        def first_use(link: Link) -> tuple[bool, int]:
            return link.needs_assumption, min(order[literal] for literal in link.literals)

        used.sort(key=first_use)
        facts = tuple(literal for literal in self.given if literal in seen)
        return ImplicationChain((*used, last), facts)

    def _used_link(self, link: Link, literals: Sequence[int]) -> Link:
        """Return a link with those of its literals that are used."""
        needs_assumption = not self._assuming.isdisjoint(literals)
        return replace(link, literals=tuple(literals), needs_assumption=needs_assumption)

    @cached_property
    def _assuming(self) -> set[int]:
        """What is known, at the end of the rounds, and needs the assumption."""
        assuming = {self.assumed}
        for literal in self.trail:  # after its sources
            if not assuming.isdisjoint(self._sources(literal)):
                assuming.add(literal)
        return assuming

    def _sources(self, literal: int) -> Sequence[int]:
        """Return the literals from which one follows: by its link, or as a value that is excluded
        or the only one that remains.
        """
        literals = self.assumption_model.literals
        if literal in self.given or not literals.is_value_literal(literal):
            return ()
        if literal in self.links:
            return self.links[literal].reasons
        return literals.reasons(literal, self.trail)
