"""Steps as people tell them: what anybody sees at once is told where it is used, and not as a step
of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from itertools import islice
from operator import or_
from typing import Any

from puzzlekit.boards import Cell
from puzzlekit.reasons.assumption_model import AssumptionModel
from puzzlekit.reasons.chains import implication_chain
from puzzlekit.reasons.instances import GroundRule, Step, shrink
from puzzlekit.reasons.literals import TRUE, ValueLiteral
from puzzlekit.reasons.sentences import Sentences, names
from puzzlekit.reasons.steps import Steps
from puzzlekit.reasons.words import FactText, RuleInstance, Words
from puzzlekit.sentences.sentence import Sentence
from puzzlekit.sentences.steps import WithMeaning


@dataclass(frozen=True)
class ExplainedStep:
    """A step of an explanation: new facts, the rules they follow from, and the facts that these
    need.

    Attributes:
        number: Its place in the explanation, from 1.
        tier: 1 for one instance of a rule, 2 for a pair, 3 for a trial, 4 for a search.
        facts: What is new.
        rules: The instances of rules.
        reasons: The earlier facts, none of which could be left out.
        sentence: The step as a sentence, with its parts.
        open: How many steps of its tier were open then; the fewer, the harder it is to find one.
        single: Whether the unknown has this value because each other one is excluded.
    """

    number: int
    tier: int
    facts: tuple[FactText, ...]
    rules: tuple[RuleInstance, ...]
    reasons: tuple[FactText, ...]
    sentence: Sentence
    open: int
    single: bool = False
    trail_length: int = field(default=0, repr=False)  # how many literals were known before

    def __str__(self) -> str:
        return self.text

    @cached_property
    def text(self) -> str:
        """The step in words."""
        return str(self.sentence)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that its rules are about."""
        return tuple(dict.fromkeys(cell for rule in self.rules for cell in rule.cells))

    def json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "number": self.number,
            "tier": self.tier,
            "text": self.text,
            **self.sentence.json(),
            "facts": [_plain(fact) for fact in self.facts],
            "rules": [
                {"rule": rule.rule, "where": rule.where, "cells": list(map(str, rule.cells))}
                for rule in self.rules
            ],
            "reasons": [_plain(fact) for fact in self.reasons],
            "open": self.open,
        }


def _plain(fact: FactText) -> dict[str, Any]:
    return {
        "unknown": fact.name,
        "index": str(fact.index),
        "value": str(fact.value),
        "holds": fact.positive,
        "text": fact.text,
    }


class Narrator:
    """Tells the steps of a puzzle.

    Attributes:
        told: The steps that were told.
        literals: What each of them says, by its number.
    """

    def __init__(self, words: Words, assumption_model: AssumptionModel, steps: Steps) -> None:
        self.words, self.assumption_model, self.steps = words, assumption_model, steps
        self.sentences = Sentences(words, assumption_model)
        self.explained: list[ExplainedStep] = []
        self.literals: dict[int, tuple[int, ...]] = {}
        self._told_by: dict[
            int, int
        ] = {}  # by literal, the number of the told step; 0 for what is given
        self._needed: dict[
            int, int
        ] = {}  # by the number of a told step, those that it needs, as bits
        self._untold: dict[
            int, GroundRule
        ] = {}  # by literal, the rule that states it, which is told where it is used
        self._local: dict[int, bool] = {}  # by instance, whether it is about a single place
        self._before = self._seen = len(steps.trail)

    def narrate(self, step: Step) -> None:
        """Tell a step that was just taken: nothing of it, the step, or also values that are left
        alone.
        """
        new = list(islice(self.steps.trail, self._seen, None))
        self._before, self._seen = self._seen, len(self.steps.trail)
        values = {
            self._fact(one).unknown for one in new if self._is_visible(one) and self._fact(one).positive
        }
        direct = [
            one
            for one in step.literals
            if self._is_visible(one)
            and one not in self._told_by
            and (self._fact(one).positive or self._fact(one).unknown not in values)
        ]
        left = [
            one
            for one in new
            if self._is_visible(one) and self._fact(one).positive and one not in step.literals
        ]
        if self._obvious(step):
            behind = self._told_by.get(step.reasons[0], 0) if step.reasons else 0
            for one in step.literals:
                if self._is_visible(one) and self._fact(one).positive:
                    if step.reasons or self._is_given(step.instances[0], one):
                        self._note([one], behind)
                    else:
                        self._untold[one] = step.instances[0]
        elif direct:
            self._tell(step, direct)
        for literal in left:
            if literal not in self._told_by:
                self._narrate_only_value(literal, step)

    def _fact(self, literal: int) -> ValueLiteral:
        return self.assumption_model.literals.fact(literal)

    def _is_visible(self, literal: int) -> bool:
        return self.assumption_model.literals.is_value_literal(literal) and not self.words.is_hidden(
            self._fact(literal).unknown
        )

    def _obvious(self, step: Step) -> bool:
        """Return whether anybody takes a step without a word.

        It strikes values because of one fact, reads what is given, or says of a place what a fact
        there means.
        """
        if step.tier > 1 or len(step.reasons) > 1:
            return False
        literals = self.assumption_model.literals
        if step.reasons and self._is_of_a_place((*step.reasons, *step.literals)):
            given = self._told_by.get(step.reasons[0]) == 0
            if given or all(
                self.words.is_auxiliary_denial(self._fact(one)) for one in step.literals
            ):
                return True
        about = {literals.fact(one).unknown for one in step.instances[0].scope}
        return all(map(literals.denies, step.literals)) or (not step.reasons and len(about) == 1)

    def _is_given(self, instance: GroundRule, literal: int) -> bool:
        """Return whether a rule states a fact about a place that it names: nobody has to look
        elsewhere for it.
        """
        at = self.words.position(self._fact(literal).unknown)
        rules = self.words.rules([instance], self.assumption_model.literals)
        return any(
            at == place
            for rule in rules
            for place in (*rule.values.values(), *(index for _, index in rule.clues))
        )

    def _is_of_a_place(self, literals: Sequence[int]) -> bool:
        """Return whether facts are about a single place."""
        if not all(map(self._is_visible, literals)):
            return False
        places = {self.words.position(self._fact(one).unknown) for one in literals}
        return len(places) == 1 and places != {()}  # an unknown without an index has no place

    def _tell(self, step: Step, literals: Sequence[int]) -> None:
        instances, reasons = self._trace_back(step.instances, step.reasons)
        facts = [self._fact(one) for one in literals]
        several = (
            len(facts) == 1 and len(instances) > 1 and not self.sentences.are_plain(step, facts)
        )
        stated = (
            {one for instance in instances for one in instance.entailed({TRUE: 0}) or ()}
            if several
            else ()
        )
        earlier = [one for one in reasons if one not in stated]
        found = implication_chain(self.assumption_model, instances, earlier, -literals[0]) if several else None
        if found is not None:
            instances = [link.instance for link in found.links]
            reasons = [one for one in reasons if one in found.facts]
        rules = self.words.rules(instances, self.assumption_model.literals)
        why = [self._fact(one) for one in reasons]
        say = self.sentences
        sentence = (
            say.of_step(step, facts, rules, why)
            if found is None
            else say.of_chain(facts[0], found, why)
        )
        self._append(step, literals, rules, reasons, sentence)

    def _append(
        self,
        step: Step,
        literals: Sequence[int],
        rules: Sequence[RuleInstance],
        reasons: Sequence[int],
        sentence: Sentence,
        single: bool = False,
    ) -> None:
        number = len(self.explained) + 1
        said = self.words.fact_text
        if also := self._meaning(literals):
            means = self.words.rules(also.values(), self.assumption_model.literals)
            meaning = self.words.facts(map(self._fact, also))
            sentence = WithMeaning(sentence, meaning, names(means))
            literals, rules = (
                [*literals, *also],
                [*rules, *(rule for rule in means if rule not in rules)],
            )
        facts, why = (
            tuple(said(self._fact(one)) for one in literals),
            tuple(said(self._fact(one)) for one in reasons),
        )
        made = ExplainedStep(
            number, step.tier, facts, tuple(rules), why, sentence, step.open, single, self._before
        )
        self.explained.append(made)
        self.literals[number] = tuple(literals)
        self._needed[number] = 1 << number | self._needs(reasons)
        self._note(literals, number)

    def _meaning(self, literals: Iterable[int]) -> dict[int, GroundRule]:
        """Return what each of some new facts means for the other unknowns of its place, with the
        rule that says it.
        """
        found: dict[int, GroundRule] = {}
        for literal in literals:
            for instance in self.assumption_model.about(literal):
                if instance.number not in self._local:
                    self._local[instance.number] = not instance.shape and self._is_of_a_place(
                        instance.scope
                    )
                if self._local[instance.number]:
                    for deduction in instance.inferences(self.steps.trail):
                        if deduction.reasons == (literal,):
                            found.update(dict.fromkeys(deduction.literals, instance))
        return {
            one: instance
            for one, instance in found.items()
            if self._fact(one).positive
            and one not in self._told_by
            and not self.words.is_auxiliary_denial(self._fact(one))
        }

    def _note(self, literals: Iterable[int], number: int) -> None:
        """Note that facts were told, and with a value that others are excluded."""
        for literal in literals:
            self._told_by.setdefault(literal, number)
            for other in (
                self.assumption_model.literals.of_all(self._fact(literal).unknown)
                if self._fact(literal).positive
                else ()
            ):
                self._told_by.setdefault(other if other == literal else -other, number)

    def _trace_back(
        self, instances: Sequence[GroundRule], reasons: Iterable[int]
    ) -> tuple[list[GroundRule], list[int]]:
        """Return instances and facts, where what was not told is replaced by what it follows from."""
        found: dict[GroundRule, None] = dict.fromkeys(instances)
        facts: dict[int, None] = {}
        struck: dict[int, Step] = {}
        waiting, seen = list(reasons), set[int]()
        for literal in waiting:
            if literal in seen or literal == TRUE:
                continue
            seen.add(literal)
            if literal in self._untold:
                found[self._untold.pop(literal)] = None
                self._note([literal], len(self.explained) + 1)
            number = self.steps.trail.get(literal, 0)
            if number == 0 or literal in self._told_by:
                facts[literal] = None
                continue
            step = self.steps.steps[number - 1]
            if self._strikes(step, literal):
                struck[literal] = step
            elif not self._is_visible(literal) or literal in step.literals:
                found.update(dict.fromkeys(step.instances))
                waiting += step.reasons
            elif (
                literal not in step.literals
            ):  # the last value that is left, or what a value excludes
                waiting += self.assumption_model.literals.reasons(literal, self.steps.trail)
        self._strike(struck, found, facts)
        return list(found), list(facts)

    def _is_told(self, literal: int) -> bool:
        return literal in self._told_by or self.steps.trail.get(literal) == 0

    def _strikes(self, step: Step, literal: int) -> bool:
        """Return whether a step strikes a value because of one fact that was told."""
        plain = step.tier == 1 and not step.instances[0].shape and step.graph_reason is None
        return (
            plain
            and len(step.reasons) == 1
            and self._is_told(step.reasons[0])
            and self._is_visible(literal)
        )

    def _strike(
        self, struck: Mapping[int, Step], found: dict[GroundRule, None], facts: dict[int, None]
    ) -> None:
        """Add the instances that strike values, as few as possible, and a fact for each value.

        Of equal choices, that one is taken for which the fewest further steps are needed.
        """
        known, needed = self.steps.trail, self._needs(facts)

        def further(some: Iterable[int]) -> int:
            return (self._needs(some) & ~needed).bit_count()

        def better(fact: int) -> tuple[bool, int]:
            return fact not in facts, further([fact])

        ways = {literal: {step.instances[0]: step.reasons[0]} for literal, step in struck.items()}
        if len({*found, *(instance for own in ways.values() for instance in own)}) > 1:
            for literal, own in ways.items():
                for instance in self.assumption_model.about(literal):
                    if reasons := [
                        *filter(
                            self._is_told,
                            self.assumption_model.established(known, instance.single_reasons(literal, known)),
                        )
                    ]:
                        own[instance] = min(reasons, key=better)
        left, chosen = dict.fromkeys(ways), list[GroundRule]()
        while left:
            strikes = {
                one: [ways[literal][one] for literal in left if one in ways[literal]]
                for own in left
                for one in ways[own]
            }
            chosen.append(
                max(
                    strikes,
                    key=lambda one: (
                        one in found,
                        len(strikes[one]),
                        -further(strikes[one]),
                        -one.number,
                    ),
                )
            )
            needed |= self._needs(strikes[chosen[-1]])
            left = {literal: None for literal in left if chosen[-1] not in ways[literal]}
        chosen = shrink(
            chosen[::-1], lambda some: all(any(one in own for one in some) for own in ways.values())
        )[::-1]
        found.update(dict.fromkeys(chosen))
        needed = self._needs(facts)
        for own in ways.values():
            fact = min((own[one] for one in chosen if one in own), key=better)
            facts[fact] = None
            needed |= self._needs([fact])

    def only(self, numbers: Iterable[int]) -> Narrator:
        """Return a telling of only these steps and those that they need, numbered anew."""
        made = copy(self)
        made.explained = [
            replace(self.explained[old - 1], number=number)
            for number, old in enumerate(self.needed_steps(numbers), 1)
        ]
        return made

    def needed_steps(self, numbers: Iterable[int]) -> list[int]:
        """Return the numbers of these steps and those that they need, in order."""
        bits = reduce(or_, map(self._needed.__getitem__, numbers), 0)
        return [number for number in self._needed if bits >> number & 1]

    def _needs(self, facts: Iterable[int]) -> int:
        """Return the steps that facts need which were told, as bits."""
        return reduce(or_, (self._needed.get(self._told_by.get(fact, 0), 0) for fact in facts), 0)

    def _narrate_only_value(self, literal: int, step: Step) -> None:
        """Tell that an unknown has a value because each other one is excluded."""
        instances, reasons = self._trace_back(
            (), self.assumption_model.literals.reasons(literal, self.steps.trail)
        )
        rules = self.words.rules(instances, self.assumption_model.literals)
        facts = [self._fact(one) for one in reasons]
        sentence = self.sentences.only_value(self._fact(literal), rules, facts)
        self._append(step, [literal], rules, reasons, sentence, single=True)
