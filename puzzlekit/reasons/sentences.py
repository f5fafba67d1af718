"""Steps as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from puzzlekit.reasons.assumption_model import AT_A_VERTEX, AssumptionModel
from puzzlekit.reasons.chains import Chain, Link
from puzzlekit.reasons.instances import Step
from puzzlekit.reasons.literals import Fact
from puzzlekit.reasons.places import listed, value_text
from puzzlekit.reasons.words import RuleAt, Words

RULES = 4  # of one name, that a sentence tells apart
VALUES = 9  # that a sentence names


class Sentences:
    """Makes a sentence of a step."""

    def __init__(self, words: Words, guarded: AssumptionModel) -> None:
        self.words, self.guarded = words, guarded

    def of_step(
        self, step: Step, facts: Sequence[Fact], rules: Sequence[RuleAt], why: Sequence[Fact]
    ) -> str:
        """Return why facts follow from rules and earlier facts."""
        new = self.words.facts(facts)
        because = "; ".join(few(rules))
        given = self.words.facts(why) if why else ""
        if step.tier > 2:
            also = f", given that {given}" if given else ""
            broken = "this rule" if len(rules) == 1 else "one of these rules"
            return begun(f"{new}, since otherwise {broken} would be broken{also}: {because}")
        if step.how:
            how = step.how if len(facts) == 1 else step.how.replace("it ", "they ", 1)
            return begun(f"{new}, since {how}: {because}")
        if step.tier == 1 and given and step.instances[0].about == AT_A_VERTEX:
            others = [rule for rule in rules if rule.rule != rules[0].rule]
            return begun(
                f"{new}, since {given}, and {_at_a_vertex(why)}: {'; '.join([rules[0].rule, *few(others)])}"
            )
        if given and rules[0].group and self._is_only_place(step, facts):
            only = f"nothing else in {rules[0].group} can be {value_text(facts[0].value)}"
            return begun(f"{new}, since {only}: {given} ({names(rules)})")
        return begun(f"{new}, since {given}: {because}" if given else f"{new}: {because}")

    def are_plain(self, step: Step, facts: Sequence[Fact]) -> bool:
        """Return whether facts follow from one rule in a way that needs no more than a few words."""
        at_a_vertex = step.instances[0].about == AT_A_VERTEX
        return step.tier == 1 and (
            bool(step.how) or at_a_vertex or self._is_only_place(step, facts)
        )

    def _is_only_place(self, step: Step, facts: Sequence[Fact]) -> bool:
        """Return whether a step says that the other unknowns of an instance do not have the value of one."""
        (fact, *more), reasons = facts, [self.guarded.literals.fact(one) for one in step.reasons]
        if (
            more
            or step.tier > 1
            or len(reasons) < 2
            or not fact.holds
            or len(self.guarded.literals.domains[fact.unknown]) < 3
        ):
            return False
        name = self.words.keys[fact.unknown][0]
        return name == self.words.plain and all(
            self.words.keys.get(one.unknown, ("",))[0] == name
            and one.holds == (one.value != fact.value)
            for one in reasons
        )

    def alone(self, fact: Fact, rules: Sequence[RuleAt], facts: Sequence[Fact]) -> str:
        """Return that an unknown has a value because each other one is excluded by rules and facts."""
        why = [*facts]
        because = [
            f"{rule.group} has {listed(own, VALUES)}"
            for rule, own in self._having(fact, rules, why)
        ]
        because += [self.words.facts(why)] if why else []
        named = names(rules) if because else listed(few(rules))
        text = "; ".join(
            [
                f"{self.words.fact(fact)}, since nothing else is left: {because[0] if because else named}",
                *because[1:],
            ]
        )
        return begun(f"{text} ({named})" if because and named else text)

    def _having(
        self, fact: Fact, rules: Sequence[RuleAt], why: list[Fact]
    ) -> Iterator[tuple[RuleAt, list[str]]]:
        """Yield which values the places of each rule have, for all facts of which that can be said, and leave the others."""
        keys, name = self.words.keys, self.words.keys[fact.unknown][0]
        left = list(rules)
        while left:
            own = {
                id(rule): [
                    one
                    for one in why
                    if one.holds
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

    def of_chain(self, fact: Fact, chain: Chain, why: Sequence[Fact]) -> str:
        """Return what the opposite of a fact leads to, one rule after the other, until a rule is broken."""
        *links, last = chain.links
        before = [*self._told(link for link in links if not link.otherwise)]
        after = [*self._told(link for link in links if link.otherwise)]
        text = self.words.fact(fact)
        if why or before:
            so = ", so ".join(before)
            given = self.words.facts(why)
            text += f", since {f'{given}, and so {so}' if given and so else given or so}"
        rules = self.words.rules([last.instance], self.guarded.literals)
        if not after:
            return begun(f"{text}: {'; '.join(few(rules))}")
        rule = listed(few(rules))
        if last.how:
            rule = f"{last.how} ({'; '.join(few(rules, apart=True))})"
        if last.instance.about == AT_A_VERTEX:
            rule = f"{_at_a_vertex(map(self.guarded.literals.fact, last.reasons))} ({last.instance.origin.rule})"
        return begun(f"{text}: otherwise {', then '.join(after)}, but {rule}")

    def _told(self, links: Iterable[Link]) -> Iterator[str]:
        """Yield what links say, with their rules; of those that say nothing that can be told, the rules come with the next."""
        literals = self.guarded.literals
        untold: list[RuleAt] = []
        for _, group in groupby(links, key=lambda link: (link.how, link.instance.origin.rule)):
            some = [*group]
            rules = [*untold, *self.words.rules((link.instance for link in some), literals)]
            facts = [
                literals.fact(one) for link in some for one in link.literals if literals.knows(one)
            ]
            facts = [fact for fact in facts if not self.words.hidden(fact.unknown)]
            untold = [] if facts else rules
            if facts:
                yield f"{self.words.facts(facts)} ({'; '.join([*filter(None, [some[0].how]), *few(rules, apart=True)])})"


def _at_a_vertex(facts: Iterable[Fact]) -> str:
    """Return what a loop does not do at a vertex with these lines."""
    lines = sum(fact.holds == (fact.value is not False) for fact in facts)
    return "a loop does not fork" if lines > 1 else "a loop does not end there"


def few(rules: Sequence[RuleAt], apart: bool = False) -> list[str]:
    """Return the names of rules; those of one name are joined, and what is too much is counted.

    Places stand in parentheses, or after a colon where they are told `apart`.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for rule in rules:
        groups.setdefault((rule.rule, rule.about), []).append(rule.where)
    found = []
    for (name, about), places in groups.items():
        some = [place for place in places if place]
        where = listed(
            some, RULES, "; " if any(" and " in place or ", " in place for place in some) else ", "
        )
        if about:  # it is seen from the lines
            where = (
                ""
                if apart
                else about
                if len(some) > 1
                else " at ".join(filter(None, (about, where)))
            )
        found.append((f"{name}: {where}" if apart else f"{name} ({where})") if where else name)
    return found


def names(rules: Iterable[RuleAt]) -> str:
    """Return the names of rules, without places."""
    return listed(list(dict.fromkeys(rule.rule for rule in rules)))


def begun(text: str) -> str:
    """Return a sentence with its first letter as one begins, unless it is a name such as r1c2."""
    return text if text[:2].lower()[1:].isdigit() else text[:1].upper() + text[1:]
