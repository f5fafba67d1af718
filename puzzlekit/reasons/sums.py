"""Deductions from sums and other functions of a few unknowns: which sets of values are left.

A sum over cells with different digits allows few combinations: 16 in two cells can only be 7 and 9.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from puzzlekit.clock import check
from puzzlekit.model import Variable
from puzzlekit.reasons.assumption_model import AssumptionModel
from puzzlekit.reasons.combinations import MOST_SETS, Sets
from puzzlekit.reasons.deductions import Deduction, Line, Pattern, SumGroup
from puzzlekit.reasons.instances import GroundRule, shrink
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.marks import Marks, ViolatedInstance
from puzzlekit.reasons.rest_of_groups import RestOfGroups
from puzzlekit.reasons.sum_groups import Relation, differences_of, stated_relations

FEW_UNKNOWNS = 4  # of a sum that is seen with one look
OPEN_IN_REST = 3  # unknowns of a derived group, beyond which nobody looks at it
# the costs of patterns
ONE_OPEN, COMBINED = 1.2, 2.0
PART = 0.01  # more for a part of what a group says
REST_ONE_OPEN, DERIVED, DERIVED_BY = 1.5, 0.3, 0.3
CROSSED = 1.0  # more where crossing sums are added rather than houses

Struck = list[tuple[int, int]]  # for each number that is struck, the index of its unknown


def sum_groups(model: AssumptionModel) -> list[SumGroup]:
    """Return the groups of unknowns whose sum, or another function of them, is given or derived."""
    return [relation.group for relation in _relations_of(model)]


def _relations_of(model: AssumptionModel) -> list[Relation]:
    """Return the groups that rules state, and those that follow from them."""
    differences = differences_of(model)
    posted = stated_relations(model, differences)
    return [*posted, *RestOfGroups(model, posted, differences).relations()]


class SumGroups:
    """The sums of a puzzle, and what they say.

    Attributes:
        groups: The groups.
        consumed: The numbers of the instances that state a sum or a function, all of whose
            consequences are deduced here. (That values differ is an instance of its own.)
    """

    def __init__(self, model: AssumptionModel) -> None:
        self._model = model
        self._relations = _relations_of(model)
        self.groups = [relation.group for relation in self._relations]
        self.consumed: set[int] = set()
        for relation in self._relations:
            if relation.group.derivation is None:
                self.consumed.add(relation.instance.number)
        # by the number of a literal, the positions of the relations about it
        self._about: dict[int, list[int]] = {}
        for position, relation in enumerate(self._relations):
            for number in relation.numbers:
                self._about.setdefault(number, []).append(position)
        self._marks: Marks | None = None
        self._looked_at = 0  # literals of the marks
        self._changed: dict[int, None] = {}
        self._deductions: dict[int, tuple[Deduction, ...]] = {}
        self._memo: dict[tuple[int, tuple[int, ...]], tuple[Deduction, ...]] = {}

    # Steps ----------------------------------------------------------------------------------------

    def deductions(self, marks: Marks) -> Iterator[Deduction]:
        """Yield what each group says, the cheapest first.

        Only groups about which something new is known are looked at again.

        Raises:
            ViolatedInstance: A sum cannot be reached any more.
            Stopped: The time is up.
        """
        self._note_changes(marks)
        for position in sorted(self._changed):
            check()
            deductions = self._deductions_of(self._relations[position], marks.trail)
            self._deductions.pop(position, None)
            if deductions:
                self._deductions[position] = deductions
            del self._changed[position]  # only now: a run that was stopped may go on

        def cost(position: int) -> tuple[float, int]:
            first = self._deductions[position][0]
            return first.cost, position

        for position in sorted(self._deductions, key=cost):
            yield from self._deductions[position]

    def _note_changes(self, marks: Marks) -> None:
        """Note the groups that the literals since the last call are about."""
        if marks is not self._marks:
            self._marks, self._looked_at = marks, 0
            self._changed = dict.fromkeys(range(len(self._relations)))
            self._deductions.clear()
        for literal in islice(marks.trail, self._looked_at, None):
            self._changed.update(dict.fromkeys(self._about.get(abs(literal), ())))
        self._looked_at = len(marks.trail)

    def _deductions_of(self, relation: Relation, trail: Mapping[int, int]) -> tuple[Deduction, ...]:
        """Return what a group says of the marks."""
        choices = relation.choices(trail)
        opened = relation.open_indexes(trail)
        if not opened and relation.support(choices, relation.differences) is not None:
            return ()
        if relation.group.derivation is not None and len(opened) > OPEN_IN_REST:
            return ()
        facts = relation.facts(trail)
        key = relation.number, tuple(facts)
        if key not in self._memo:
            self._memo[key] = tuple(_Look(relation, facts).deductions())
        return self._memo[key]

    def combinations(self, group: SumGroup, trail: Collection[int]) -> tuple[tuple[int, ...], ...]:
        """Return the sets of values that are left for the open unknowns of a group."""
        relation = next(each for each in self._relations if each.group is group)
        return relation.sets(relation.choices(trail), relation.open_indexes(trail))

    def missing_facts(
        self, line: Line, displayed: Collection[int], trail: Collection[int]
    ) -> list[int]:
        """Return the known literals that a line of a chain needs from a sum besides those that are
        displayed.
        """
        relation = next(each for each in self._relations if each.group is line.source)
        struck = {-literal for literal in line.literals}

        def enough(subset: Sequence[int]) -> bool:
            choices = relation.choices({TRUE, *displayed, *line.parents, *subset})
            support = relation.support(choices, relation.differences)
            if support is None:
                return True
            supported: set[int] = set()
            for index, numbers in enumerate(support):
                supported.update(relation.literal(index, number) for number in numbers)
            return bool(struck) and struck.isdisjoint(supported)

        if enough(()):
            return []
        hidden = [fact for fact in relation.facts(trail) if fact not in displayed]
        return shrink(relation.literals.denials_first(hidden), enough)

    def struck_on(
        self, group: SumGroup, trail: Collection[int], unknowns: Collection[Variable]
    ) -> list[int]:
        """Return the denials of open numbers that no combination of a group has; of some unknowns,
        also those that follow as the numbers differ.
        """
        relation = next(each for each in self._relations if each.group is group)
        look = _Look(relation, relation.facts(trail))
        support = relation.support(look.choices, relation.differences)
        struck = dict.fromkeys(look.struck_by_condition(support))
        for index, number in look.struck(support):
            if group.unknowns[index] in unknowns:
                struck[index, number] = None
        return [-relation.literal(index, number) for index, number in struck]

    # Chains ---------------------------------------------------------------------------------------

    def consequences(
        self, trail: Collection[int], extension: Collection[int], newest: Iterable[int] = ()
    ) -> Iterator[Line]:
        """Yield what sums say where the known literals are extended by others.

        Args:
            trail: The known literals and the extension.
            extension: What was assumed, and what follows from it so far.
            newest: The literals of the extension whose groups are looked at; all, if there are
                none.

        Yields:
            Lines with literals that are not on the trail yet, or a line without literals if a sum
            cannot be reached. The parents are literals of the extension, none of which can be left
            out.
        """
        positions: dict[int, None] = {}
        for literal in newest or extension:
            positions.update(dict.fromkeys(self._about.get(abs(literal), ())))
        for position in sorted(positions):
            check()
            relation = self._relations[position]
            look = _Look(relation, relation.facts(trail))
            if relation.group.derivation and len(look.opened) > OPEN_IN_REST:
                continue
            line = look.line(extension)
            if line is not None:
                yield line


class _Look:
    """A look at a group with some facts."""

    def __init__(self, relation: Relation, facts: Sequence[int]) -> None:
        self.relation, self.facts = relation, facts
        self.choices = relation.choices({TRUE, *facts})
        self.opened = relation.open_indexes({TRUE, *facts})

    def struck(self, support: Sequence[frozenset[int]] | None) -> Struck:
        """Return the open numbers that are not supported."""
        if support is None:
            return []
        struck = []
        for index in self.opened:
            numbers = [each for each in self.choices[index] if each not in support[index]]
            struck += [(index, number) for number in numbers]
        return struck

    def struck_by_condition(self, support: Sequence[frozenset[int]] | None) -> Struck:
        """Return the open numbers that are not supported, but for those that follow from
        differences alone, as by a naked pair, and are not told as a sum.
        """
        struck = self.struck(support)
        relation = self.relation
        if not struck or not relation.differences:
            return struck
        by_differences = {*self.struck(relation.support_of_differences(self.choices))}
        if by_differences.issuperset(struck):
            return []
        by_differences.difference_update(self.struck(relation.support(self.choices, ())))
        return [each for each in struck if each not in by_differences]

    def _follows(
        self, facts: Iterable[int], struck: Struck, differences: Collection[GroundRule]
    ) -> bool:
        """Return whether numbers are struck with these facts already."""
        choices = self.relation.choices({TRUE, *facts})
        support = self.relation.support(choices, differences)
        if support is None:
            return True
        return all(number not in support[index] for index, number in struck)

    # A step ---------------------------------------------------------------------------------------

    def deductions(self) -> Iterator[Deduction]:
        """Yield what the group says, and then what of it is seen at one look. Raises
        ViolatedInstance.
        """
        relation = self.relation
        support = relation.support(self.choices, relation.differences)
        if support is None:
            raise ViolatedInstance(relation.instance)
        struck = self.struck_by_condition(support)
        if not struck:
            return
        combinations = relation.sets(self.choices, self.opened)
        in_no_set = self._in_no_set(struck, combinations)
        is_seen = in_no_set == struck
        yield self._deduction(struck, support, combinations, is_seen)
        if in_no_set and not is_seen:
            deduction = self._deduction(in_no_set, support, combinations, True)
            yield replace(deduction, cost=deduction.cost + PART)

    def _deduction(
        self,
        struck: Struck,
        support: Sequence[frozenset[int]],
        combinations: Sets,
        is_seen: bool,
    ) -> Deduction:
        """Return the deduction that numbers are struck."""
        relation = self.relation
        literals = self._literals(struck, support)
        if len(self.opened) == 1 and len(support[self.opened[0]]) == 1:
            struck = self._all_but(self.opened[0], support)
        differences = self._needed_differences(struck)
        order = relation.literals.denials_first(self.facts)
        reasons = shrink(order, lambda subset: self._follows(subset, struck, differences))
        pattern, cost = self._pattern(len(combinations) or MOST_SETS, is_seen)
        instances = (*relation.conditions, *differences)
        premises = tuple(sorted(reasons, key=abs))
        return Deduction(
            pattern,
            cost,
            literals,
            instances=instances,
            reasons=premises,
            sums=relation.group,
            combinations=combinations,
        )

    def _in_no_set(self, struck: Struck, sets: Sets) -> Struck:
        """Return what is struck of a few unknowns at one look: the numbers that are in no set of
        values, or all where values may be equal.
        """
        group = self.relation.group
        if len(group.unknowns) > FEW_UNKNOWNS:
            return []
        if group.derivation is not None or not sets:
            return []
        if not self.relation.differences:
            return struck
        in_sets = {number for each in sets for number in each}
        return [each for each in struck if each[1] not in in_sets]

    def _literals(self, struck: Struck, support: Sequence[frozenset[int]]) -> tuple[int, ...]:
        """Return the literals that strike numbers; the value if a single unknown is open."""
        relation = self.relation
        if len(self.opened) == 1:
            index = self.opened[0]
            if len(support[index]) == 1:
                return (relation.literal(index, next(iter(support[index]))),)
        denials = [-relation.literal(index, number) for index, number in struck]
        return tuple(dict.fromkeys(denials))

    def _all_but(self, index: int, support: Sequence[frozenset[int]]) -> Struck:
        """Return all numbers of an unknown that are not supported, also those struck before."""
        numbers = self.relation.numbers_of(index)
        return [(index, number) for number in numbers if number not in support[index]]

    def _needed_differences(self, struck: Struck) -> list[GroundRule]:
        """Return the instances, that numbers differ, without which the numbers are not struck."""
        differences = self.relation.differences
        if not differences:
            return []
        return shrink(differences, lambda subset: self._follows(self.facts, struck, subset))

    def _pattern(self, sets: int, is_seen: bool) -> tuple[Pattern, float]:
        """Return the pattern and its cost.

        Args:
            sets: How many sets of values are left.
            is_seen: Whether what is struck is seen at one look.
        """
        opened = len(self.opened)
        group = self.relation.group
        cost = COMBINED + 0.1 * opened + 0.1 * sets
        if group.derivation is not None:
            cost = REST_ONE_OPEN if len(group.unknowns) == 1 else cost
            outer = group.derivation.outer
            cost += DERIVED + DERIVED_BY * len(outer)
            if not all(isinstance(each, SumGroup) and each.is_house for each in outer):
                cost += CROSSED
            return Pattern.REST_OF_GROUP, cost
        if opened == 1:
            return Pattern.ONE_CELL_OF_SUM, ONE_OPEN
        if is_seen:
            return Pattern.SMALL_SUM, cost
        pattern = Pattern.ONLY_COMBINATION if sets == 1 else Pattern.COMBINATIONS
        return pattern, cost

    # A line of a chain ----------------------------------------------------------------------------

    def line(self, extension: Collection[int]) -> Line | None:
        """Return what the group says as a line of a chain, or None."""
        relation = self.relation
        differences = relation.differences
        support = relation.support(self.choices, differences)
        if support is not None and not self.struck(support):
            return None
        struck = self.struck(support)
        denials = [-relation.literal(index, number) for index, number in struck]
        premises = [fact for fact in self.facts if fact not in extension]
        new = [fact for fact in self.facts if fact in extension]

        def enough(subset: Sequence[int]) -> bool:
            facts = [*premises, *subset]
            if struck:
                return self._follows(facts, struck, differences)
            choices = relation.choices({TRUE, *facts})
            return relation.support(choices, differences) is None

        parents = shrink(relation.literals.denials_first(new), enough)
        return Line(tuple(dict.fromkeys(denials)), relation.group, tuple(parents))
