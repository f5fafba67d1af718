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
from puzzlekit.sentences.formatting import and_list, nested_list
from puzzlekit.sentences.sentence import Sentence
from puzzlekit.sentences.steps import (
    AtVertex,
    BrokenBecause,
    BrokenRules,
    FactsByRules,
    Follows,
    FollowsAtVertex,
    FollowsByTrial,
    FollowsFromGraph,
    GivenAndSo,
    GroupHas,
    LeadsToContradiction,
    NothingElseLeft,
    OnlyPlace,
    PartAt,
    RuleInParentheses,
    RuleName,
    RulePart,
)

RULES = 4  # of one name, that a sentence tells apart
VALUES = 9  # that a sentence names


class Sentences:
    """Makes a sentence of a step."""

    def __init__(self, words: Words, assumption_model: AssumptionModel) -> None:
        self.words, self.assumption_model = words, assumption_model

    def of_step(
        self,
        step: Step,
        facts: Sequence[ValueLiteral],
        rules: Sequence[RuleInstance],
        why: Sequence[ValueLiteral],
    ) -> Sentence:
        """Return why facts follow from rules and earlier facts."""
        new = self.words.facts(facts)
        given = self.words.facts(why) if why else ""
        if step.tier > 2:
            broken = BrokenRules.BROKEN.about(len(rules))
            return FollowsByTrial(new, broken, rule_names(rules), given)
        if step.graph_reason is not None:
            return FollowsFromGraph(new, step.graph_reason.about(len(facts)), rule_names(rules))
        if step.tier == 1 and given and step.instances[0].rule_part is RulePart.AT_A_VERTEX:
            loop = rules[0].rule
            others = rule_names([rule for rule in rules if rule.rule != loop])
            return FollowsAtVertex(new, given, _at_a_vertex(why), (loop, *others))
        if given and rules[0].group and self._is_only_place(step, facts):
            value = value_text(facts[0].value)
            return OnlyPlace(new, rules[0].group, value, given, names(rules))
        return Follows(new, rule_names(rules), given)

    def are_plain(self, step: Step, facts: Sequence[ValueLiteral]) -> bool:
        """Return whether facts follow from one rule in a way that needs no more than a few words."""
        at_a_vertex = step.instances[0].rule_part is RulePart.AT_A_VERTEX
        return step.tier == 1 and (
            step.graph_reason is not None or at_a_vertex or self._is_only_place(step, facts)
        )

    def _is_only_place(self, step: Step, facts: Sequence[ValueLiteral]) -> bool:
        """Return whether a step says that the other unknowns of an instance do not have the value
        of one.
        """
        (fact, *more), reasons = facts, [self.assumption_model.literals.fact(one) for one in step.reasons]
        if (
            more
            or step.tier > 1
            or len(reasons) < 2
            or not fact.positive
            or len(self.assumption_model.literals.domains[fact.unknown]) < 3
        ):
            return False
        name = self.words.keys[fact.unknown][0]
        return name == self.words.unnamed_array and all(
            self.words.keys.get(one.unknown, ("",))[0] == name
            and one.positive == (one.value != fact.value)
            for one in reasons
        )

    def only_value(
        self, fact: ValueLiteral, rules: Sequence[RuleInstance], facts: Sequence[ValueLiteral]
    ) -> Sentence:
        """Return that an unknown has a value because each other one is excluded by rules and facts."""
        why = [*facts]
        because: list[str | Sentence] = [
            GroupHas(rule.group, and_list(values, VALUES))
            for rule, values in self._having(fact, rules, why)
        ]
        because += [self.words.facts(why)] if why else []
        new = self.words.fact(fact)
        if not because:
            return NothingElseLeft(new, (and_list(list(map(str, rule_names(rules)))),))
        return NothingElseLeft(new, tuple(because), names(rules))

    def _having(
        self, fact: ValueLiteral, rules: Sequence[RuleInstance], why: list[ValueLiteral]
    ) -> Iterator[tuple[RuleInstance, list[str]]]:
        """Yield which values the places of each rule have, for all facts of which that can be said,
        and leave the others.
        """
        keys, name = self.words.keys, self.words.keys[fact.unknown][0]
        left = list(rules)
        while left:
            own = {
                id(rule): [
                    one
                    for one in why
                    if one.positive
                    and keys[one.unknown][0] == name
                    and keys[one.unknown][1] in rule.cells
                ]
                for rule in left
            }
            rule = max(left, key=lambda one: len(own[id(one)]))
            left.remove(rule)
            if own[id(rule)] and rule.group:
                yield rule, [value_text(one.value) for one in own[id(rule)]]
                why[:] = [one for one in why if one not in own[id(rule)]]

    def of_chain(self, fact: ValueLiteral, chain: ImplicationChain, why: Sequence[ValueLiteral]) -> Sentence:
        """Return what the opposite of a fact leads to, one rule after the other, until a rule is
        broken.
        """
        *links, last = chain.links
        before = ", so ".join(self._texts(link for link in links if not link.needs_assumption))
        after = ", then ".join(self._texts(link for link in links if link.needs_assumption))
        new = self.words.fact(fact)
        facts = self.words.facts(why)
        given = GivenAndSo(facts, before) if facts and before else facts or before
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
        """Yield what links say, with their rules; of those that say nothing that can be told, the
        rules come with the next.
        """
        literals = self.assumption_model.literals
        untold: list[RuleInstance] = []
        for _, group in groupby(links, key=lambda link: (link.graph_reason, link.instance.origin.rule)):
            alike = [*group]
            rules = [*untold, *self.words.rules((link.instance for link in alike), literals)]
            numbers = [one for link in alike for one in link.literals if literals.is_value_literal(one)]
            facts = [
                fact for fact in map(literals.fact, numbers) if not self.words.is_hidden(fact.unknown)
            ]
            untold = [] if facts else rules
            if facts:
                how = () if alike[0].graph_reason is None else (str(alike[0].graph_reason),)
                reasons = (*how, *rule_names_inside(rules))
                yield str(FactsByRules(self.words.facts(facts), reasons))


def _at_a_vertex(facts: Iterable[ValueLiteral]) -> str:
    """Return what a loop does not do at a vertex with these lines."""
    lines = sum(fact.positive == (fact.value is not False) for fact in facts)
    return AtVertex.LOOP.about(max(1, lines))


def rule_names(rules: Sequence[RuleInstance]) -> tuple[RuleName, ...]:
    """Return the names of rules, each with its places; those of one name are joined, and what is
    too much is counted.
    """
    names = []
    for (rule, part), places in _places(rules).items():
        where = nested_list(places, RULES)
        if part:
            where = part if len(places) > 1 else str(PartAt(part, where))
        names.append(RuleName(rule, where))
    return tuple(names)


def rule_names_inside(rules: Sequence[RuleInstance]) -> tuple[RuleInParentheses, ...]:
    """Return the names of rules as they stand in parentheses; of a part of a rule, its place is
    seen from the lines.
    """
    return tuple(
        RuleInParentheses(rule, "" if part else nested_list(places, RULES))
        for (rule, part), places in _places(rules).items()
    )


def _places(rules: Sequence[RuleInstance]) -> dict[tuple[str, str], list[str]]:
    """Return the places of rules, by their name and which part they are."""
    places: dict[tuple[str, str], list[str]] = {}
    for rule in rules:
        together = places.setdefault((rule.rule, rule.about), [])
        if rule.where:
            together.append(rule.where)
    return places


def names(rules: Iterable[RuleInstance]) -> str:
    """Return the names of rules, without places."""
    return and_list(list(dict.fromkeys(rule.rule for rule in rules)))
