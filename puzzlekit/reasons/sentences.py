"""Steps as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from puzzlekit.reasons.assumption_model import AssumptionModel
from puzzlekit.reasons.chains import ImplicationChain, Link
from puzzlekit.reasons.instances import Step
from puzzlekit.reasons.literals import ValueLiteral
from puzzlekit.reasons.places import value_text
from puzzlekit.reasons.words import RuleInstance, Words
from puzzlekit.sentences import (
    AtVertex,
    BrokenBecause,
    BrokenRules,
    FactsByRules,
    Follows,
    FollowsAtVertex,
    FollowsByTrial,
    FollowsFromGraph,
    GivenAndSo,
    GraphReason,
    GroupHas,
    LeadsToContradiction,
    NothingElseLeft,
    OnlyPlace,
    PartAt,
    RuleInParentheses,
    RuleName,
    RulePart,
    Sentence,
    and_list,
    nested_list,
)

RULES = 4  # of one name, that a sentence tells apart
VALUES = 9  # that a sentence names


class Sentences:
    """Makes a sentence of a step."""

    def __init__(self, words: Words, assumption_model: AssumptionModel) -> None:
        self.words = words
        self.assumption_model = assumption_model

    def of_step(
        self,
        step: Step,
        facts: Sequence[ValueLiteral],
        rules: Sequence[RuleInstance],
        reasons: Sequence[ValueLiteral],
    ) -> Sentence:
        """Return the sentence that facts follow from rules and earlier facts."""
        new = self.words.facts(facts)
        given = self.words.facts(reasons) if reasons else ""
        if step.tier > 2:
            broken = BrokenRules.BROKEN.about(len(rules))
            return FollowsByTrial(new, broken, rule_names(rules), given)
        if step.graph_reason is not None:
            graph_reason = step.graph_reason.about(len(facts))
            return FollowsFromGraph(new, graph_reason, rule_names(rules))
        if step.tier == 1 and given and _is_at_a_vertex(step):
            loop = rules[0].rule
            further_rules = rule_names([rule for rule in rules if rule.rule != loop])
            return FollowsAtVertex(new, given, _at_a_vertex(reasons), (loop, *further_rules))
        if given and rules[0].group and self._is_only_place(step, facts):
            value = value_text(facts[0].value)
            return OnlyPlace(new, rules[0].group, value, given, names(rules))
        return Follows(new, rule_names(rules), given)

    def are_plain(self, step: Step, facts: Sequence[ValueLiteral]) -> bool:
        """Return whether facts follow from one rule in a way that needs only a few words."""
        if step.tier > 1:
            return False
        if step.graph_reason is not None or _is_at_a_vertex(step):
            return True
        return self._is_only_place(step, facts)

    def _is_only_place(self, step: Step, facts: Sequence[ValueLiteral]) -> bool:
        """Return whether a step says that the other unknowns of an instance do not have the value
        of one.
        """
        if len(facts) > 1 or step.tier > 1 or len(step.reasons) < 2:
            return False
        fact = facts[0]
        literals = self.assumption_model.literals
        if not fact.positive or len(literals.domains[fact.unknown]) < 3:
            return False
        name = self.words.keys[fact.unknown][0]
        if name != self.words.unnamed_array:
            return False
        for reason in map(literals.fact, step.reasons):
            reason_name = self.words.keys.get(reason.unknown, ("",))[0]
            denies_value = reason.positive == (reason.value != fact.value)
            if reason_name != name or not denies_value:
                return False
        return True

    def only_value(
        self, fact: ValueLiteral, rules: Sequence[RuleInstance], facts: Sequence[ValueLiteral]
    ) -> Sentence:
        """Return that an unknown has a value, since rules and facts exclude each other value."""
        remaining = [*facts]
        because: list[str | Sentence] = []
        for rule, values in self._values_of_groups(fact, rules, remaining):
            because.append(GroupHas(rule.group, and_list(values, VALUES)))
        if remaining:
            because.append(self.words.facts(remaining))
        new = self.words.fact(fact)
        if because:
            return NothingElseLeft(new, tuple(because), names(rules))
        rule_list = and_list(list(map(str, rule_names(rules))))
        return NothingElseLeft(new, (rule_list,))

    def _values_of_groups(
        self,
        fact: ValueLiteral,
        rules: Sequence[RuleInstance],
        facts: list[ValueLiteral],
    ) -> Iterator[tuple[RuleInstance, list[str]]]:
        """Yield the rules of groups, each with the values that facts say the group has, and remove
        these facts.
        """
        name = self.words.keys[fact.unknown][0]
        remaining = list(rules)
        while remaining:
            facts_of_rules = [self._values_in(rule, name, facts) for rule in remaining]
            most = max(map(len, facts_of_rules))
            index = next(i for i, values in enumerate(facts_of_rules) if len(values) == most)
            rule = remaining.pop(index)
            values_in_group = facts_of_rules[index]
            if values_in_group and rule.group:
                yield rule, [value_text(fact.value) for fact in values_in_group]
                facts[:] = [fact for fact in facts if fact not in values_in_group]

    def _values_in(
        self, rule: RuleInstance, name: str, facts: Iterable[ValueLiteral]
    ) -> list[ValueLiteral]:
        """Return the facts that are values of unknowns of a name in the cells of a rule."""
        values = []
        for fact in facts:
            if not fact.positive:
                continue
            fact_name, index = self.words.keys[fact.unknown]
            if fact_name == name and index in rule.cells:
                values.append(fact)
        return values

    def of_chain(
        self, fact: ValueLiteral, chain: ImplicationChain, reasons: Sequence[ValueLiteral]
    ) -> Sentence:
        """Return what the opposite of a fact leads to, one rule after the other, until a rule is
        broken.
        """
        *links, last = chain.links
        without_assumption = [link for link in links if not link.needs_assumption]
        before = ", so ".join(self._texts(without_assumption))
        after = ", then ".join(self._texts(link for link in links if link.needs_assumption))
        new = self.words.fact(fact)
        facts = self.words.facts(reasons)
        given: str | Sentence = facts or before
        if facts and before:
            given = GivenAndSo(facts, before)
        rules = self.words.rules([last.instance], self.assumption_model.literals)
        if not after:
            return Follows(new, rule_names(rules), given)
        return LeadsToContradiction(new, after, self._broken(last, rules), given)

    def _broken(self, last: Link, rules: Sequence[RuleInstance]) -> str | Sentence:
        """Return the rule that the last link of a chain breaks, and how."""
        if last.instance.rule_part is RulePart.AT_A_VERTEX:
            facts = map(self.assumption_model.literals.fact, last.reasons)
            return BrokenBecause(_at_a_vertex(facts), (last.instance.origin.rule,))
        if last.graph_reason is not None:
            return BrokenBecause(str(last.graph_reason), rule_names_inside(rules))
        return and_list(list(map(str, rule_names(rules))))

    def _texts(self, links: Iterable[Link]) -> Iterator[str]:
        """Yield what links say, with their rules.

        The rules of links that say nothing about unknowns of the type come with the next link.
        """
        literals = self.assumption_model.literals
        untold: list[RuleInstance] = []
        for (graph_reason, _), group in groupby(links, key=_reason_and_rule):
            alike = [*group]
            instances = [link.instance for link in alike]
            rules = [*untold, *self.words.rules(instances, literals)]
            facts = [fact for link in alike for fact in self._visible_facts(link)]
            untold = [] if facts else rules
            if facts:
                reasons: tuple[str | Sentence, ...] = rule_names_inside(rules)
                if graph_reason is not None:
                    reasons = (str(graph_reason), *reasons)
                yield str(FactsByRules(self.words.facts(facts), reasons))

    def _visible_facts(self, link: Link) -> list[ValueLiteral]:
        """Return what a link says of unknowns of the type."""
        literals = self.assumption_model.literals
        facts = map(literals.fact, filter(literals.is_value_literal, link.literals))
        return [fact for fact in facts if not self.words.is_hidden(fact.unknown)]


def _reason_and_rule(link: Link) -> tuple[GraphReason | None, str]:
    return link.graph_reason, link.instance.origin.rule


def _is_at_a_vertex(step: Step) -> bool:
    return step.instances[0].rule_part is RulePart.AT_A_VERTEX


def _at_a_vertex(facts: Iterable[ValueLiteral]) -> str:
    """Return what a loop does not do at a vertex with these lines."""
    lines = sum(fact.positive == (fact.value is not False) for fact in facts)
    return AtVertex.LOOP.about(max(1, lines))


def rule_names(rules: Sequence[RuleInstance]) -> tuple[RuleName, ...]:
    """Return the names of rules, each with its locations.

    The locations of rules of one name are joined; of many, some are only counted.
    """
    rule_names = []
    for (rule, rule_part), locations in _locations(rules).items():
        where = nested_list(locations, RULES)
        if rule_part:
            where = rule_part if len(locations) > 1 else str(PartAt(rule_part, where))
        rule_names.append(RuleName(rule, where))
    return tuple(rule_names)


def rule_names_inside(rules: Sequence[RuleInstance]) -> tuple[RuleInParentheses, ...]:
    """Return the names of rules as they stand in parentheses.

    A part of a rule has no location there, since its lines show it.
    """
    rule_names = []
    for (rule, rule_part), locations in _locations(rules).items():
        where = "" if rule_part else nested_list(locations, RULES)
        rule_names.append(RuleInParentheses(rule, where))
    return tuple(rule_names)


def _locations(rules: Sequence[RuleInstance]) -> dict[tuple[str, str], list[str]]:
    """Return the locations of rules, by their name and which part they are."""
    locations: dict[tuple[str, str], list[str]] = {}
    for rule in rules:
        of_name = locations.setdefault((rule.rule, rule.about), [])
        if rule.where:
            of_name.append(rule.where)
    return locations


def names(rules: Iterable[RuleInstance]) -> str:
    """Return the names of rules, without locations."""
    return and_list(list(dict.fromkeys(rule.rule for rule in rules)))
