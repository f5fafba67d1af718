"""Why values are excluded on the board: by which placed facts, and by which rules about two
unknowns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from puzzlekit.model import Value, Variable, variables_of
from puzzlekit.reasons.deductions import Card
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.literals import ValueLiteral
from puzzlekit.reasons.marks import Marks

FEW_FACTS = 3  # that a sentence names instead of saying that nothing else is left
FEW_STRUCK = 2  # values that a sentence names beside rules
FEW_RULES = 4  # that a sentence names beside them


class Causes:
    """Finds why values are excluded.

    Args:
        marks: The board as it is displayed, with what was struck silently, and why.
        steps_marks: What the steps know, with what is never told, and why.
    """

    def __init__(self, marks: Marks, steps_marks: Marks) -> None:
        self._marks = marks
        self._silent = marks.silent_causes
        self._hidden = steps_marks.hidden_causes

    def is_seen(self, denial: int) -> bool:
        """Return whether a denial is displayed, and does not rest on a look that is never told."""
        return denial in self._marks.trail and denial not in self._hidden

    def facts(self, excluded: Sequence[int]) -> list[int]:
        """Return the placed facts that exclude values of an unknown, as few as a greedy cover
        gives; none if they are many.

        What was excluded when a step told the values that were left needs no fact.
        """
        trail = self._marks.trail
        strikers = {literal: list(self._strikers(literal)) for literal in excluded}
        explicit = [trail.get(-literal, 0) for literal in excluded if not strikers[literal]]
        last_told = max(explicit, default=0)
        later = [literal for literal in excluded if trail.get(-literal, 0) > last_told]
        if not any(strikers[literal] for literal in later):
            later = [literal for literal in excluded if trail.get(-literal, 0) >= last_told]
        strikes: dict[int, set[int]] = {}
        for literal in later:
            for fact in strikers[literal]:
                strikes.setdefault(fact, set()).add(literal)
        remaining = set().union(*strikes.values())
        cover: list[int] = []
        while remaining:
            best = max(strikes, key=lambda striker: len(strikes[striker] & remaining))
            remaining -= strikes[best]
            cover.append(best)
        if len(cover) > FEW_FACTS:
            return []
        return cover

    def single(self, excluded: Sequence[int]) -> tuple[int, GroundRule] | None:
        """Return the placed fact that excludes values of an unknown by one rule about two unknowns,
        with this rule; None if there is none.
        """
        literals = self._marks.literals
        unknown = literals.fact(excluded[0]).unknown
        for denied in excluded:
            if -denied not in self._silent:
                continue
            instance, _ = self._silent[-denied]
            placed = self._placed_beside(unknown, instance)
            if placed is None:
                continue
            pair = {placed.unknown: placed.value}
            if not any(self._allows(instance, each, pair) for each in excluded):
                return literals.of_fact(placed), instance
        return None

    def _placed_beside(self, unknown: Variable, instance: GroundRule) -> ValueLiteral | None:
        """Return the value of the second unknown of a rule about two; None if it has none."""
        unknowns = variables_of(*instance.conditions)
        if len(unknowns) != 2 or unknown not in unknowns:
            return None
        first, second = unknowns
        adjacent = second if unknown == first else first
        literals = self._marks.literals
        value = literals.established_value(adjacent, self._marks.trail)
        if value is None:
            return None
        literal = literals.of(adjacent, value)
        is_visible = self._marks.is_visible(literal)
        return ValueLiteral(adjacent, value) if is_visible else None

    def _allows(self, instance: GroundRule, literal: int, values: Mapping[Variable, Value]) -> bool:
        """Return whether a rule allows a value of an unknown beside those of others."""
        fact = self._marks.literals.fact(literal)
        pair = {**values, fact.unknown: fact.value}
        return all(condition.value(pair) for condition in instance.conditions)

    def _strikers(self, literal: int) -> Iterator[int]:
        """Yield the placed facts that exclude a literal, each of them by one look."""
        trail = self._marks.trail
        struck_at = trail.get(-literal, 0)
        for striker in self.strikers(literal):
            if trail[striker] <= struck_at:
                yield striker
        instance_and_facts = self._silent.get(-literal)
        if instance_and_facts is not None:
            _, facts = instance_and_facts
            yield from (fact for fact in facts if not self._marks.is_denial(fact))

    def strikers(self, literal: int) -> Iterator[int]:
        """Yield the placed facts that exclude a literal, each of them by one card."""
        return (striker for _, striker in self._marks.strikers(literal))

    def instances(self, hidden: int) -> Sequence[GroundRule]:
        """Return the rules from which something follows that no step tells; none if it is told."""
        return self._hidden.get(hidden, ((), ()))[0]

    def cards(self, literal: int) -> list[Card]:
        """Return the cards each of which excludes a literal, by a placed fact."""
        return [card for card, _ in self._marks.strikers(literal)]

    def rules(self, excluded: Iterable[int], by_values: bool = True) -> list[GroundRule]:
        """Return the rules about two unknowns by which literals are excluded that no placed fact
        excludes by a card; none if they are many.

        Args:
            excluded: The literals.
            by_values: Whether rules are among them that need a placed fact for that.
        """
        rules: dict[GroundRule, None] = {}
        pending = [-literal for literal in excluded]
        seen: set[int] = set()
        for denial in pending:
            if denial in seen or denial not in self._silent:
                continue
            seen.add(denial)
            if not self._marks.is_denial(denial):
                continue
            if any(self.strikers(-denial)):
                continue
            instance, facts = self._silent[denial]
            if by_values or all(map(self._marks.is_denial, facts)):
                rules[instance] = None
            pending += facts
        if len(rules) > FEW_RULES:
            return []
        return list(rules)

    def struck_facts(self, excluded: Iterable[int]) -> list[int]:
        """Return the values that a placed fact struck from unknowns that are still open, and
        because of which a rule about two unknowns excludes literals: where r1c1 is less than r1c2
        and not 1, r1c2 is not 2. None if they are many.
        """
        literals, trail = self._marks.literals, self._marks.trail
        facts: dict[int, None] = {}
        for literal in excluded:
            if -literal not in self._silent or any(self.strikers(literal)):
                continue
            _, reasons = self._silent[-literal]
            for denial in filter(self._marks.is_denial, reasons):
                unknown = literals.fact(denial).unknown
                is_open = literals.established_value(unknown, trail) is None
                if is_open and any(self.strikers(-denial)):
                    facts[denial] = None
        return list(facts) if len(facts) <= FEW_STRUCK else []
