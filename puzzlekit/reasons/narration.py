"""Steps as people tell them: what anybody sees at once is told where it is used, and not as a step
of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property, partial, reduce
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
from puzzlekit.sentences import Sentence, WithMeaning


@dataclass(frozen=True)
class ExplainedStep:
    """A step of an explanation: new facts, the rules they follow from, and the facts that these
    need.

    Attributes:
        number: Its number in the explanation, from 1.
        tier: 1 for one instance of a rule, 2 for a pair, 3 for a failed literal, 4 for a search.
        facts: What is new.
        rules: The instances of rules.
        reasons: The earlier facts, none of which could be left out.
        sentence: The step as a sentence, with its parts.
        open: How many steps of its tier were open then; the fewer, the harder it is to find one.
        single: Whether the unknown has this value because each other one is excluded.
        trail_length: How many literals were known before.
    """

    number: int
    tier: int
    facts: tuple[FactText, ...]
    rules: tuple[RuleInstance, ...]
    reasons: tuple[FactText, ...]
    sentence: Sentence
    open: int
    single: bool = False
    trail_length: int = field(default=0, repr=False)

    def __str__(self) -> str:
        return self.text

    @cached_property
    def text(self) -> str:
        """The step in words."""
        return str(self.sentence)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that its rules are about."""
        cells: dict[Cell, None] = {}
        for rule in self.rules:
            cells.update(dict.fromkeys(rule.cells))
        return tuple(cells)

    def json(self) -> dict[str, Any]:
        """Return it as plain data."""
        head = {"number": self.number, "tier": self.tier, "text": self.text}
        return {
            **head,
            **self.sentence.json(),
            "facts": list(map(_plain, self.facts)),
            "rules": [rule.json() for rule in self.rules],
            "reasons": list(map(_plain, self.reasons)),
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
        explained: The steps that were told.
        literals: What each of them says, by its number.
    """

    def __init__(self, words: Words, assumption_model: AssumptionModel, steps: Steps) -> None:
        self.words = words
        self.assumption_model = assumption_model
        self.steps = steps
        self.sentences = Sentences(words, assumption_model)
        self.explained: list[ExplainedStep] = []
        self.literals: dict[int, tuple[int, ...]] = {}
        # by literal, the number of the step that told it; 0 for what is given
        self._told_by: dict[int, int] = {}
        # by the number of a told step, those that it needs, as bits
        self._needed: dict[int, int] = {}
        # by literal, the rule that states it, which is told where the literal is used
        self._untold: dict[int, GroundRule] = {}
        # by the number of an instance, whether it is about a single index
        self._local: dict[int, bool] = {}
        self._trail_length_before = self._trail_length = len(steps.trail)

    def narrate(self, step: Step) -> None:
        """Tell a step that was just taken: nothing of it, the step, or also remaining values."""
        new = list(islice(self.steps.trail, self._trail_length, None))
        self._trail_length_before = self._trail_length
        self._trail_length = len(self.steps.trail)
        new_values = [literal for literal in new if self._is_visible_value(literal)]
        if self._is_obvious(step):
            self._note_obvious(step)
        elif direct := self._untold_literals(step, new_values):
            self._tell(step, direct)
        for literal in new_values:
            if literal not in step.literals and literal not in self._told_by:
                self._narrate_only_value(literal, step)

    def _untold_literals(self, step: Step, new_values: Iterable[int]) -> list[int]:
        """Return what a step says that was not told, without denials of the unknowns of new
        values.
        """
        determined = {self._fact(literal).unknown for literal in new_values}
        untold = []
        for literal in step.literals:
            if not self._is_visible(literal) or literal in self._told_by:
                continue
            fact = self._fact(literal)
            if fact.positive or fact.unknown not in determined:
                untold.append(literal)
        return untold

    def _note_obvious(self, step: Step) -> None:
        """Note the values of a step that nobody has to be told."""
        source = self._told_by.get(step.reasons[0], 0) if step.reasons else 0
        rule = step.instances[0]
        for literal in filter(self._is_visible_value, step.literals):
            if step.reasons or self._is_given(rule, literal):
                self._note([literal], source)
            else:
                self._untold[literal] = rule

    def _fact(self, literal: int) -> ValueLiteral:
        return self.assumption_model.literals.fact(literal)

    def _facts(self, literals: Iterable[int]) -> list[ValueLiteral]:
        return list(map(self.assumption_model.literals.fact, literals))

    def _fact_texts(self, literals: Iterable[int]) -> tuple[FactText, ...]:
        return tuple(map(self.words.fact_text, self._facts(literals)))

    def _is_visible(self, literal: int) -> bool:
        """Return whether a literal is about an unknown of the type."""
        if not self.assumption_model.literals.is_value_literal(literal):
            return False
        return not self.words.is_hidden(self._fact(literal).unknown)

    def _is_visible_value(self, literal: int) -> bool:
        """Return whether a literal is the value of an unknown of the type."""
        return self._is_visible(literal) and self._fact(literal).positive

    def _is_auxiliary_denial(self, literal: int) -> bool:
        return self.words.is_auxiliary_denial(self._fact(literal))

    def _is_obvious(self, step: Step) -> bool:
        """Return whether anybody takes a step without a word.

        It strikes values because of one fact, reads what is given, or says of an index what a fact
        there means.
        """
        if step.tier > 1 or len(step.reasons) > 1:
            return False
        literals = self.assumption_model.literals
        if step.reasons and self._has_one_index((*step.reasons, *step.literals)):
            is_given = self._told_by.get(step.reasons[0]) == 0
            if is_given or all(map(self._is_auxiliary_denial, step.literals)):
                return True
        if all(map(literals.denies, step.literals)):
            return True
        unknowns = {literals.fact(number).unknown for number in step.instances[0].scope}
        return not step.reasons and len(unknowns) == 1

    def _is_given(self, instance: GroundRule, literal: int) -> bool:
        """Return whether a rule states a fact about an index that it names: nobody has to look
        elsewhere for it.
        """
        position = self.words.position(self._fact(literal).unknown)
        for rule in self._rules([instance]):
            clue_indexes = [index for _, index in rule.clues]
            if position in rule.values.values() or position in clue_indexes:
                return True
        return False

    def _rules(self, instances: Iterable[GroundRule]) -> list[RuleInstance]:
        return self.words.rules(instances, self.assumption_model.literals)

    def _has_one_index(self, literals: Sequence[int]) -> bool:
        """Return whether facts are about a single index."""
        if not all(map(self._is_visible, literals)):
            return False
        indexes = {self.words.position(fact.unknown) for fact in self._facts(literals)}
        return len(indexes) == 1 and indexes != {()}  # an unknown without an index has none

    def _tell(self, step: Step, literals: Sequence[int]) -> None:
        instances, reasons = self._trace_back(step.instances, step.reasons)
        facts = self._facts(literals)
        needs_chain = len(facts) == 1 and len(instances) > 1
        chain = None
        if needs_chain and not self.sentences.are_plain(step, facts):
            without_facts = _entailed_without_facts(instances)
            earlier = [reason for reason in reasons if reason not in without_facts]
            chain = implication_chain(self.assumption_model, instances, earlier, -literals[0])
        if chain is None:
            rules = self._rules(instances)
            sentence = self.sentences.of_step(step, facts, rules, self._facts(reasons))
        else:
            rules = self._rules(link.instance for link in chain.links)
            reasons = [reason for reason in reasons if reason in chain.facts]
            sentence = self.sentences.of_chain(facts[0], chain, self._facts(reasons))
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
        """Append a step to those that were told, with what its facts mean."""
        number = len(self.explained) + 1
        if meaning := self._meaning(literals):
            meaning_rules = self._rules(meaning.values())
            meaning_text = self.words.facts(self._facts(meaning))
            sentence = WithMeaning(sentence, meaning_text, names(meaning_rules))
            literals = [*literals, *meaning]
            new_rules = [rule for rule in meaning_rules if rule not in rules]
            rules = [*rules, *new_rules]
        explained = ExplainedStep(
            number=number,
            tier=step.tier,
            facts=self._fact_texts(literals),
            rules=tuple(rules),
            reasons=self._fact_texts(reasons),
            sentence=sentence,
            open=step.open,
            single=single,
            trail_length=self._trail_length_before,
        )
        self.explained.append(explained)
        self.literals[number] = tuple(literals)
        self._needed[number] = 1 << number | self._needs(reasons)
        self._note(literals, number)

    def _meaning(self, literals: Iterable[int]) -> dict[int, GroundRule]:
        """Return what each of some new facts means for the other unknowns of its index, with the
        rule that says it.
        """
        rules: dict[int, GroundRule] = {}
        for literal in literals:
            for instance in filter(self._is_local, self.assumption_model.about(literal)):
                for inference in instance.inferences(self.steps.trail):
                    if inference.reasons == (literal,):
                        rules.update(dict.fromkeys(inference.literals, instance))
        return {literal: rule for literal, rule in rules.items() if self._is_news(literal)}

    def _is_local(self, instance: GroundRule) -> bool:
        """Return whether an instance is about a single index."""
        if instance.number not in self._local:
            is_local = not instance.shape and self._has_one_index(instance.scope)
            self._local[instance.number] = is_local
        return self._local[instance.number]

    def _is_news(self, literal: int) -> bool:
        """Return whether a literal is a value that was not told."""
        if not self._fact(literal).positive or literal in self._told_by:
            return False
        return not self._is_auxiliary_denial(literal)

    def _note(self, literals: Iterable[int], number: int) -> None:
        """Note that facts were told, and with a value that others are excluded."""
        for literal in literals:
            self._told_by.setdefault(literal, number)
            fact = self._fact(literal)
            if not fact.positive:
                continue
            for value_literal in self.assumption_model.literals.of_all(fact.unknown):
                is_value = value_literal == literal
                self._told_by.setdefault(literal if is_value else -value_literal, number)

    def _trace_back(
        self, instances: Sequence[GroundRule], reasons: Iterable[int]
    ) -> tuple[list[GroundRule], list[int]]:
        """Return instances and facts: what was not told is replaced by what it follows from."""
        literals = self.assumption_model.literals
        rules: dict[GroundRule, None] = dict.fromkeys(instances)
        facts: dict[int, None] = {}
        struck: dict[int, Step] = {}
        pending = list(reasons)
        seen = set[int]()
        for literal in pending:
            if literal in seen or literal == TRUE:
                continue
            seen.add(literal)
            if literal in self._untold:
                rules[self._untold.pop(literal)] = None
                self._note([literal], len(self.explained) + 1)
            number = self.steps.trail.get(literal, 0)
            if number == 0 or literal in self._told_by:
                facts[literal] = None
                continue
            step = self.steps.steps[number - 1]
            if self._strikes(step, literal):
                struck[literal] = step
            elif not self._is_visible(literal) or literal in step.literals:
                rules.update(dict.fromkeys(step.instances))
                pending += step.reasons
            else:  # the only remaining value, or what a value excludes
                pending += literals.reasons(literal, self.steps.trail)
        self._add_strikes(struck, rules, facts)
        return list(rules), list(facts)

    def _is_told(self, literal: int) -> bool:
        """Return whether a literal was told or is given."""
        if literal in self._told_by:
            return True
        return self.steps.trail.get(literal) == 0

    def _strikes(self, step: Step, literal: int) -> bool:
        """Return whether a step strikes a value because of one fact that was told."""
        if step.tier > 1 or step.instances[0].shape or step.graph_reason is not None:
            return False
        if len(step.reasons) != 1 or not self._is_visible(literal):
            return False
        return self._is_told(step.reasons[0])

    def _add_strikes(
        self, struck: Mapping[int, Step], rules: dict[GroundRule, None], facts: dict[int, None]
    ) -> None:
        """Add the instances that strike values, as few as possible, and a fact for each value.

        Of equal choices, the one that needs the fewest further steps is taken.
        """
        needed = self._needs(facts)

        def preference(fact: int) -> tuple[bool, int]:
            return fact not in facts, self._further_steps([fact], needed)

        reasons = {
            literal: {step.instances[0]: step.reasons[0]} for literal, step in struck.items()
        }
        involved = {instance for by_instance in reasons.values() for instance in by_instance}
        if len(involved.union(rules)) > 1:
            for literal, by_instance in reasons.items():
                for instance in self.assumption_model.about(literal):
                    single_reasons = self._told_single_reasons(instance, literal)
                    if single_reasons:
                        by_instance[instance] = min(single_reasons, key=preference)
        chosen = self._covering_rules(reasons, rules, needed)
        rules.update(dict.fromkeys(chosen))
        needed = self._needs(facts)
        for by_instance in reasons.values():
            candidates = (by_instance[rule] for rule in chosen if rule in by_instance)
            fact = min(candidates, key=preference)
            facts[fact] = None
            needed |= self._needs([fact])

    def _told_single_reasons(self, instance: GroundRule, literal: int) -> list[int]:
        """Return told facts, each of which entails a literal by one instance."""
        trail = self.steps.trail
        single_reasons = instance.single_reasons(literal, trail)
        established = self.assumption_model.established(trail, single_reasons)
        return [reason for reason in established if self._is_told(reason)]

    def _covering_rules(
        self,
        reasons: Mapping[int, Mapping[GroundRule, int]],
        rules: Collection[GroundRule],
        needed: int,
    ) -> list[GroundRule]:
        """Return a minimal set of rules that strike all values, by a greedy set cover.

        Args:
            reasons: For each value, the rules that strike it, each with its fact.
            rules: The rules that are named anyway.
            needed: The steps that are needed anyway, as bits.
        """
        remaining = list(reasons)
        chosen: list[GroundRule] = []
        while remaining:
            strikes: dict[GroundRule, list[int]] = {}
            for literal in remaining:
                for rule, fact in reasons[literal].items():
                    strikes.setdefault(rule, []).append(fact)
            best = max(strikes, key=partial(self._usefulness, strikes, rules, needed))
            chosen.append(best)
            needed |= self._needs(strikes[best])
            remaining = [literal for literal in remaining if best not in reasons[literal]]

        def covers(subset: Sequence[GroundRule]) -> bool:
            return all(not by_rule.keys().isdisjoint(subset) for by_rule in reasons.values())

        return shrink(chosen[::-1], covers)[::-1]

    def _usefulness(
        self,
        strikes: Mapping[GroundRule, Sequence[int]],
        rules: Collection[GroundRule],
        needed: int,
        rule: GroundRule,
    ) -> tuple[bool, int, int, int]:
        """Return how useful a rule is to strike values: whether it is named anyway, how many values
        it strikes, how few further steps its facts need, and how early it stands.
        """
        facts = strikes[rule]
        return rule in rules, len(facts), -self._further_steps(facts, needed), -rule.number

    def only(self, numbers: Iterable[int]) -> Narrator:
        """Return a narrator of only these steps and those that they need, numbered anew."""
        narrator = copy(self)
        narrator.explained = []
        for number, old_number in enumerate(self.needed_steps(numbers), 1):
            step = self.explained[old_number - 1]
            narrator.explained.append(replace(step, number=number))
        return narrator

    def needed_steps(self, numbers: Iterable[int]) -> list[int]:
        """Return the numbers of these steps and those that they need, in order."""
        bits = reduce(or_, map(self._needed.__getitem__, numbers), 0)
        return [number for number in self._needed if bits >> number & 1]

    def _needs(self, facts: Iterable[int]) -> int:
        """Return the told steps that facts need, as bits."""
        bits = 0
        for fact in facts:
            bits |= self._needed.get(self._told_by.get(fact, 0), 0)
        return bits

    def _further_steps(self, facts: Iterable[int], needed: int) -> int:
        """Return how many steps facts need besides those that are needed anyway."""
        return (self._needs(facts) & ~needed).bit_count()

    def _narrate_only_value(self, literal: int, step: Step) -> None:
        """Tell that an unknown has a value because each other value is excluded."""
        denials = self.assumption_model.literals.reasons(literal, self.steps.trail)
        instances, reasons = self._trace_back((), denials)
        rules = self._rules(instances)
        sentence = self.sentences.only_value(self._fact(literal), rules, self._facts(reasons))
        self._append(step, [literal], rules, reasons, sentence, single=True)


def _entailed_without_facts(instances: Iterable[GroundRule]) -> set[int]:
    literals: set[int] = set()
    for instance in instances:
        literals.update(instance.entailed({TRUE: 0}) or ())
    return literals
