"""Steps as people tell them: an elimination is told only when a step needs it."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import field, replace
from functools import cached_property
from itertools import islice
from operator import itemgetter
from string import ascii_lowercase
from typing import Any

from puzzlekit.boards import Cell
from puzzlekit.clock import check
from puzzlekit.dataclass import dataclass
from puzzlekit.model import Value, Variable
from puzzlekit.reasons.card_words import ALL, CardWords
from puzzlekit.reasons.causes import Causes
from puzzlekit.reasons.deductions import (
    Card,
    Deduction,
    ForcingChain,
    Line,
    OpenCard,
    Pattern,
    instances_of,
    is_about_areas,
)
from puzzlekit.reasons.displayed_chains import chain_as_displayed
from puzzlekit.reasons.explainer import Explainer
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.literals import TRUE, ValueLiteral
from puzzlekit.reasons.marks import HiddenCause, Marks, ViolatedInstance
from puzzlekit.reasons.places import value_text
from puzzlekit.reasons.positions import Positions
from puzzlekit.reasons.repeated_lines import RepeatedLines, repeated_lines
from puzzlekit.reasons.singles import NAKED_SINGLE, Singles
from puzzlekit.reasons.starting_facts import COST, single_values
from puzzlekit.reasons.step_sentences import StepSentences
from puzzlekit.reasons.steps import Step, Steps
from puzzlekit.reasons.words import FactText, RuleInstance
from puzzlekit.sentences import (
    AndSo,
    FullStop,
    LongChain,
    LongTrial,
    OnlyValue,
    OtherwiseLong,
    Sentence,
    SoFacts,
    Supposed,
)

# patterns whose cards may say more than what is told
EXTENDED = (Pattern.PACKED, Pattern.ONLY_CANDIDATE, Pattern.EVERY_OPTION)
FEW_CLUES = 2  # of steps that are told as one
Premises = tuple[list[GroundRule], list[int]]  # the instances and the reasons of a step


@dataclass(frozen=True)
class CardText:
    """A card of a step, for people: a group with the open places that it counts.

    Attributes:
        name: The group, such as `row 2`, or the cell.
        card_type: What it counts: `cell` for the values of an unknown, `value` for the places of a
            value in a group, `count`, `clause` and `pair` for truths.
        value: The value that it counts; empty if it is not a single one.
        needed: How many of the open places are taken at least.
        allowed: How many of them are taken at most.
        facts: The open places: what each of them would be.
        indexes: Where all its places are, open or not.
    """

    name: str
    card_type: str
    value: str
    needed: int
    allowed: int
    facts: tuple[FactText, ...]
    indexes: tuple[Any, ...] = ()

    def json(self) -> dict[str, Any]:
        """Return it as plain data."""
        facts = list(map(_plain, self.facts))
        return {
            "name": self.name,
            "card_type": self.card_type,
            "value": self.value,
            "needed": self.needed,
            "allowed": self.allowed,
            "facts": facts,
        }


@dataclass(frozen=True)
class ChainLine:
    """A line of a chain.

    Attributes:
        depth: How many assumptions it is below.
        text: The line in words.
        facts: What is assumed, or follows; nothing at a contradiction.
        is_assumption: Whether it is an assumption.
        indexes: Where there is no way on, at a contradiction.
    """

    depth: int
    text: str
    facts: tuple[FactText, ...]
    is_assumption: bool = False
    indexes: tuple[Any, ...] = ()

    def json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "depth": self.depth,
            "text": self.text,
            "assumption": self.is_assumption,
            "facts": list(map(_plain, self.facts)),
        }


@dataclass(frozen=True)
class ExplainedStep:
    """A step of an explanation.

    Attributes:
        number: Its number in the explanation, from 1.
        pattern: The pattern.
        cost: What must be looked at; the easier patterns have the lower costs.
        sentence: The step as a sentence, with its parts.
        placed: The values that are placed, and truths that hold.
        struck: The values that are struck, and truths that do not hold.
        base: The cards that need open places.
        cover: The cards that allow no more than these.
        rules: The instances of rules from which it follows.
        reasons: The earlier facts from which it follows, besides its rules.
        lines: The lines of a chain, the contradiction among them; none for other patterns.
        repeated: Which of them an earlier step has, too, if they are several.
        assumes_unique: Whether it follows only as the puzzle has one solution.
        trail_length: How many literals were displayed before.
    """

    number: int
    pattern: Pattern
    cost: float
    sentence: Sentence
    placed: tuple[FactText, ...] = ()
    struck: tuple[FactText, ...] = ()
    base: tuple[CardText, ...] = ()
    cover: tuple[CardText, ...] = ()
    rules: tuple[RuleInstance, ...] = ()
    reasons: tuple[FactText, ...] = ()
    lines: tuple[ChainLine, ...] = ()
    repeated: RepeatedLines | None = None
    assumes_unique: bool = False
    trail_length: int = field(default=0, repr=False)

    def __str__(self) -> str:
        return self.text

    @cached_property
    def text(self) -> str:
        """The step in words."""
        return str(self.sentence)

    @property
    def facts(self) -> tuple[FactText, ...]:
        """All that is new."""
        return (*self.placed, *self.struck)

    @property
    def lines_below(self) -> tuple[ChainLine, ...]:
        """The lines of a chain that its sentence does not tell: those between the assumption and
        the contradiction.
        """
        sentence = self._chain_sentence
        if sentence is None:
            return ()
        return self.lines[1:-1] if sentence.conflict else self.lines[1:]

    @property
    def _chain_sentence(self) -> OtherwiseLong | LongChain | LongTrial | None:
        """The sentence of a chain whose lines are told one by one; None of another pattern."""
        sentence = self.sentence.step if isinstance(self.sentence, AndSo) else self.sentence
        return sentence if isinstance(sentence, OtherwiseLong | LongChain | LongTrial) else None

    @property
    def paragraphs(self) -> list[str]:
        """The step as it is told in full: its sentence, or of a long chain what is assumed, the
        lines with their numbers, and to what they lead.
        """
        sentence = self._chain_sentence
        if sentence is None:
            return [str(FullStop(self.sentence))]
        above, below = sentence.around_lines()
        if isinstance(self.sentence, AndSo):
            also = self.sentence
            below = SoFacts(also.facts) if below is None else AndSo(below, also.facts, also.was)
        ending = [] if below is None else [f"   {FullStop(below)}"]
        return [f"{above}:", *self.numbered_lines, *ending]

    @property
    def numbered_lines(self) -> list[str]:
        """The lines of a long chain, with their numbers; cases have letters."""
        lines = list(_with_labels(self.lines_below))
        repeated = self.repeated
        if repeated is None:
            return lines
        end = repeated.start + repeated.length
        return [*lines[: repeated.start], f"   {repeated.text}", *lines[end:]]

    @property
    def has_cases(self) -> bool:
        """Whether lines of it are below a further assumption."""
        return any(line.depth for line in self.lines_below)

    @property
    def level(self) -> str:
        """The level of a puzzle that needs such a pattern."""
        return self.pattern.pattern_class.level

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that its rules are about."""
        cells: dict[Cell, None] = {}
        for rule in self.rules:
            cells.update(dict.fromkeys(rule.cells))
        return tuple(cells)

    def json(self) -> dict[str, Any]:
        """Return it as plain data."""
        pattern = {
            "number": self.number,
            "pattern": self.pattern.text,
            "class": self.pattern.pattern_class.text,
            "level": self.level,
            "cost": round(self.cost, 2),
        }
        cards = {
            "base": [card.json() for card in self.base],
            "cover": [card.json() for card in self.cover],
        }
        placed = list(map(_plain, self.placed))
        struck = list(map(_plain, self.struck))
        premises = {
            "lines": [line.json() for line in self.lines],
            "rules": [rule.json() for rule in self.rules],
            "reasons": list(map(_plain, self.reasons)),
        }
        return {
            **pattern,
            "text": self.text,
            **self.sentence.json(),
            "placed": placed,
            "struck": struck,
            **cards,
            **premises,
            "assumes_unique": self.assumes_unique,
        }


def _with_labels(lines: Iterable[ChainLine]) -> Iterator[str]:
    """Yield the lines of a chain with their numbers; the assumptions of cases with letters."""
    number = 0
    letters: dict[int, int] = {}  # by depth, of the last case there
    for line in lines:
        indent = "   " + "    " * line.depth
        if line.is_assumption:
            letters[line.depth] = letters.get(line.depth, 0) + 1
            label = ascii_lowercase[(letters[line.depth] - 1) % len(ascii_lowercase)]
            yield f"{indent[:-2]}{label}) {line.text}:"
            continue
        letters = {depth: last for depth, last in letters.items() if depth <= line.depth}
        number += 1
        yield f"{indent}{number}) {line.text}"


def _plain(fact: FactText) -> dict[str, Any]:
    return {
        "unknown": fact.name,
        "index": str(fact.index),
        "value": value_text(fact.value),
        "holds": fact.positive,
        "text": fact.text,
    }


@dataclass(frozen=True)
class _Strike:
    """A told step that only strikes, by a single rule: others for the same reasons may join it.

    Attributes:
        number: The number of the step of `Steps`.
        literals: What is struck.
        instances: The instances of the rule.
        reasons: The reasons.
        has_untold_reasons: Whether the reasons are only pencil marks, which no sentence names.
        values: What is struck because of what, without positions: several neighbours of 1 that are
            not 1. Empty if it has a second index.
        unknown: The unknown from which it takes values; None if there are several.
        clues: The clues of the instances, by which a sentence names them.
    """

    number: int
    literals: tuple[int, ...]
    instances: tuple[GroundRule, ...]
    reasons: tuple[int, ...]
    has_untold_reasons: bool
    values: frozenset[tuple[str, Value, bool]]
    unknown: Variable | None = None
    clues: frozenset[str] = frozenset()

    def allows(self, strike: _Strike) -> bool:
        """Return whether another strike can join this one."""
        clues = self.clues | strike.clues
        numbers = {clue.split()[1] for clue in clues if " " in clue}
        if len(clues) > FEW_CLUES or len(numbers) > 1:
            return False
        if self._strikes_as(strike):
            return True
        names = {instance.origin.rule for instance in self.instances}
        further_names = {instance.origin.rule for instance in strike.instances}
        if names != further_names or len(names) != 1:
            return False
        if set(self.reasons) == set(strike.reasons):
            return True
        are_untold = self.has_untold_reasons and strike.has_untold_reasons
        is_alike = bool(self.values) and self.values == strike.values
        return (are_untold or is_alike) and set(self.literals).isdisjoint(strike.reasons)

    def _strikes_as(self, strike: _Strike) -> bool:
        """Return whether another strike takes values from the same unknown by like instances."""
        if self.unknown is None or self.unknown != strike.unknown:
            return False
        if not self.has_untold_reasons or not strike.has_untold_reasons:
            return False
        positions = {instance.origin.position for instance in self.instances}
        return positions == {instance.origin.position for instance in strike.instances}

    def joined_by(self, strike: _Strike) -> _Strike:
        """Return this strike and another one as one."""
        instances = dict.fromkeys((*self.instances, *strike.instances))
        literals = (*self.literals, *strike.literals)
        reasons = dict.fromkeys((*self.reasons, *strike.reasons))
        for literal in literals:
            reasons.pop(literal, None)
        joined = replace(self, literals=literals, clues=self.clues | strike.clues)
        return replace(joined, instances=tuple(instances), reasons=tuple(reasons))


class Narrator:
    """Tells the steps of a puzzle.

    A step that only strikes values waits until another one needs it; what no step needs is never
    told.

    Attributes:
        explained: The steps that were told.
    """

    def __init__(
        self, explainer: Explainer, steps: Steps, marked: Collection[Variable] = ()
    ) -> None:
        """Prepare to tell the steps.

        Args:
            explainer: The explainer of the puzzle.
            steps: The steps.
            marked: The unknowns of which a player wrote something.
        """
        self.steps = steps
        self.words = explainer.words
        self.literals = explainer.assumption_model.literals
        choices = steps.choices
        self.card_words = CardWords(self.words, self.literals, explainer.givens, choices)
        self.explained: list[ExplainedStep] = []
        # the board as the told steps show it, with the numbers of these steps in its trail
        self._shown = self._new_board()
        self._singles = Singles(self._shown, Positions(self.words, self.literals))
        self._show_literals(steps.trail, 0)
        # by the number of a step of `steps`, the number of the told step
        self._told: dict[int, int] = {}
        # by the number of a told step, the numbers of those that it needs
        self._needs: dict[int, set[int]] = {}
        self._trail_length = len(steps.trail)
        causes = Causes(self._shown, steps.marks)
        adjacent = steps.cells_beside
        self._sentences = StepSentences(self.card_words, self._shown, causes, adjacent)
        self._line_rows = self._sentences.line_rows
        self._told_rejections: set[int] = set()  # of choices, beside a step that rests on them
        self._excluded_choices: set[int] = set()  # by steps of their own
        # by the number of a told step, the numbers of the lines of its chain by text
        self._told_lines: dict[int, dict[str, int]] = {}
        # by the lines of a chain with cases, but for the last one, the step that tells them
        self._told_cases: dict[tuple[str, ...], int] = {}
        self._last_strike: _Strike | None = None  # the last told step, if another may join it
        self._told_rules = self.card_words.told_rules  # before the last told step
        self._tell_single_values(marked)

    def narrate(self, step: Step) -> None:
        """Take in a step that was just taken, and tell it and what it needs if it is no mere
        elimination.
        """
        if not self._told:
            self._display_start()
        self._last_strike = None  # a reader has what was told before
        if any(map(self._shown.is_decision, step.literals)):
            self._tell(len(self.steps.steps))

    def narrate_shown_single(self) -> bool:
        """Take and tell the cheapest single on the board as it is shown, and return whether there
        is one.

        The steps know more than the board shows. Without this, they would ask for an elimination
        while a single that needs none is there.
        """
        if not self._told or self.steps.has_candidates:
            return False
        try:
            deductions = self._singles.deductions()
        except ViolatedInstance:  # the steps say so
            return False
        looked_for = filter(self.steps.permits, deductions)
        placing = [each for each in looked_for if self._is_new_placement(each)]
        if not placing:
            return False
        self.steps.take(min(placing, key=lambda deduction: deduction.cost))
        self._tell(len(self.steps.steps))
        return True

    def _is_new_placement(self, deduction: Deduction) -> bool:
        """Return whether a deduction decides only what the steps do not know, and what is not the
        only candidate from the start.
        """
        if any(len(opened.card.literals) == 1 for opened in deduction.base):
            return False
        are_new = not any(map(self.steps.marks.is_known, deduction.literals))
        return are_new and any(map(self._shown.is_decision, deduction.literals))

    def _display_start(self) -> None:
        """Display what was struck silently before the first step."""
        trail = self.steps.trail
        self._show_literals([literal for literal, number in trail.items() if number == 0], 0)

    def _tell_single_values(self, marked: Collection[Variable]) -> None:
        """Tell the values of unknowns that never had another one, as far as they are not shown and
        not marked: a step for each value.
        """
        by_value: dict[str, list[ValueLiteral]] = {}
        for unknown, value in single_values(self.steps.explainer).items():
            if unknown in marked:
                continue
            facts = by_value.setdefault(value_text(value), [])
            facts.append(ValueLiteral(unknown, value))
        for facts in by_value.values():
            sentence = OnlyValue(self.words.facts(facts, ALL))
            number = len(self.explained) + 1
            step = ExplainedStep(number, Pattern.ONLY_CANDIDATE, COST, sentence)
            step = replace(step, placed=tuple(map(self.words.fact_text, facts)))
            self.explained.append(step)

    @property
    def displayed(self) -> list[int]:
        """The literals that the told steps show, in order, those at the start first."""
        return [literal for literal in self._shown.trail if literal != TRUE]

    def _show_literals(self, literals: Iterable[int], told_number: int) -> None:
        """Show literals, and what they strike silently on the board as it is shown.

        The steps may have struck it before for a reason that is harder to see.
        """
        seen = len(self._shown.trail)
        with suppress(ViolatedInstance):  # where there is no solution, the steps say so
            self._shown.establish(literals, told_number)
            while seen < len(self._shown.trail):
                new = list(islice(self._shown.trail, seen, None))
                seen = len(self._shown.trail)
                for literal in filter(self._is_visible, new):
                    self._strike_by_pairs(literal, told_number)

    def _strike_by_pairs(self, literal: int, told_number: int) -> None:
        """Show what rules about a shown literal and a second unknown strike silently."""
        board = self._shown
        for denial, cause in self.steps.strikes(literal, board):
            if denial not in board.trail:
                board.silent_causes[denial] = cause
                board.establish([denial], told_number)

    def finish(self) -> None:
        """Tell all that waits, where the steps do not lead to the solution."""
        for number in range(1, len(self.steps.steps) + 1):
            self._tell(number)

    def _is_visible(self, literal: int) -> bool:
        """Return whether a literal is about an unknown of the type."""
        if not self.literals.is_value_literal(literal):
            return False
        return not self.words.is_hidden(self.literals.fact(literal).unknown)

    # Telling --------------------------------------------------------------------------------------

    def _tell(self, number: int) -> None:
        """Tell a step, after those that it needs."""
        if number in self._told:
            return
        self._told[number] = 0
        before = self.steps.steps[number - 1]
        step = self.steps.with_room_on(before, self._shown.trail)
        self.steps.steps[number - 1] = step
        new = self._new_literals(step)
        premises = self._traced_back(step, number)
        if step is not before or self._may_say_more(step, new, premises):
            premises = self._shrunk(step, new, premises)
        needed = self._tell_reasons(step, number, new, premises)
        still_new = [literal for literal in new if not self._shown.is_known(literal)]
        further = self._struck_besides(step.deduction, still_new) if still_new else []
        is_changed = bool(further) or 0 < len(still_new) < len(new)  # what it needed showed some
        new = [*still_new, *further]
        if is_changed:
            premises = self._shrunk(step, new, premises)
        visible = self._displayed(filter(self._is_visible, new))
        if visible:
            self._append(number, visible, *premises)
            self._excluded_choices.update(filter(self.card_words.is_choice, visible))
            told_number = len(self.explained)
            self._told[number] = told_number
            self._needs.setdefault(told_number, set()).update(needed)
        self._show(number, new)

    def _may_say_more(self, step: Step, new: Sequence[int], premises: Premises) -> bool:
        """Return whether the rules and reasons of a step may say more than what is told of it."""
        deduction = step.deduction
        if step.last_values or step.meaning or step.struck:
            return True
        # groups may overlap, and one instance may say what several of its rule say
        if deduction.pattern in EXTENDED or premises[1] != list(deduction.reasons):
            return True
        is_partly_shown = any(map(self._shown.is_known, step.literals))
        return is_partly_shown or len(self._displayed(new)) < len(new)

    def _displayed(self, literals: Iterable[int]) -> list[int]:
        """Return those of some literals that a reader sees; all, if a reader sees none."""
        literals = list(literals)
        return list(filter(self._shown.is_visible, literals)) or literals

    def _shrunk(self, step: Step, literals: Sequence[int], premises: Premises) -> Premises:
        """Return the rules and reasons of a step that literals need, if they follow from these
        alone.
        """
        if step.deduction.rectangle is not None:
            return premises
        displayed = self._displayed(literals)
        facts = self._told_facts()
        return self.steps.search.shrink_premises(*premises, displayed, facts)

    def _tell_reasons(
        self, step: Step, number: int, new: Sequence[int], premises: Premises
    ) -> set[int]:
        """Tell the steps that a step needs, and return their numbers."""
        instances, reasons = premises
        of_pattern = [] if step.deduction.chains else list(step.deduction.reasons)
        of_values = list(self._denials_at(step.last_values, step))
        if not is_about_areas(step.deduction):
            # the rules may strike the other values by themselves
            of_values = [each for each in of_values if each in reasons]
        marks = self._marks_of_lines(step, number)
        _, looked_at = self._traced((), [*of_pattern, *marks, *of_values])
        rests_on = [*reasons, *looked_at]
        if self._strike(number, new, instances, reasons):
            rests_on.sort(key=self._about(new))  # the last of them may be joined
        needed: set[int] = set()
        for reason in rests_on:
            if reason not in self._shown.trail and reason in self.steps.trail:
                self._tell(self.steps.trail[reason])
                while self.narrate_shown_single():
                    check()
                self._show_struck(reason)
            told_number = self._shown.trail.get(reason, 0)
            if told_number:
                needed.add(told_number)
        return needed

    def _about(self, literals: Iterable[int]) -> Callable[[int], bool]:
        """Return what says whether a literal is about an unknown of these literals."""
        facts = map(self.literals.fact, filter(self._is_visible, literals))
        numbers = {abs(each) for fact in facts for each in self.literals.of_all(fact.unknown)}
        return lambda literal: abs(literal) in numbers

    def _told_facts(self) -> list[int]:
        """Return what the board shows that needs no further reason."""
        hidden = self.steps.marks.hidden_causes
        visible = filter(self._is_visible, self._shown.trail)
        return [literal for literal in visible if literal not in hidden]

    def _show_struck(self, literal: int) -> None:
        """Show what was struck silently after a step that is told, as a later step needs it."""
        number = self.steps.trail[literal]
        if self._told.get(number) and not self._shown.is_known(literal):
            self._show_literals([literal], self._told[number])

    def _show(self, number: int, new: Sequence[int]) -> None:
        """Show what a step says, silent strikes among it."""
        self._show_literals((*new, *self.steps.established_by(number)), self._told[number])

    def _new_literals(self, step: Step) -> list[int]:
        """Return what a step says that was not displayed; of a cover, all that is open there."""
        deduction = step.deduction
        literals = dict.fromkeys(
            each
            for each in step.literals
            if each not in step.meaning or not self.steps.marks.is_denial(each)
        )
        if deduction.base and deduction.cover and not deduction.chains:
            # on the board as it is displayed: the steps may know that more places are closed
            displayed = [self._open_card(opened.card) for opened in deduction.base]
            inside = {each for opened in displayed for each in opened.literals}
            for opened in deduction.cover:
                outside = (each for each in opened.card.literals if each not in inside)
                literals.update(dict.fromkeys(-each for each in outside))
        return [each for each in literals if not self._shown.is_known(each)]

    def _struck_besides(self, deduction: Deduction, new: Sequence[int]) -> list[int]:
        """Return what the combinations of a sum, the rows that are left to a line, or a rule strike
        besides, on the board as it is shown, and the last values that this leaves.

        The steps may have struck it before for another reason that nobody needs to be told.
        """
        about = dict.fromkeys(self.literals.fact(literal).unknown for literal in new)
        if deduction.sums is not None:
            unknowns: Sequence[Variable] = deduction.sums.unknowns
            struck = self.steps.struck_by_sum(deduction.sums, self._shown.trail, about)
        else:
            rows = self._line_rows.short_list(deduction)
            if rows is not None:
                unknowns, struck = rows.unknowns, self._line_rows.excluded(rows)
            else:
                unknowns = () if deduction.base or deduction.chains else tuple(about)
                struck = self.steps.struck_by_rule(deduction, self._shown.trail)
        placed = [each for each in new if not self.steps.marks.is_denial(each)]
        settled = {self.literals.fact(literal).unknown for literal in placed}
        unsettled = (each for each in struck if self.literals.fact(each).unknown not in settled)
        further = [literal for literal in unsettled if literal not in new]
        denied = {*new, *further}
        for unknown in unknowns:
            if unknown in settled:
                continue
            values = self.literals.of_all(unknown)
            remaining = [
                each for each in values if -each not in denied and -each not in self._shown.trail
            ]
            is_new = remaining[:1] != [] and remaining[0] not in denied
            if len(remaining) == 1 and is_new and not self._shown.is_known(remaining[0]):
                further += remaining
        return further

    def _traced_back(self, step: Step, number: int) -> Premises:
        """Return the instances and the reasons of a step, where what is hidden is replaced by what
        it follows from.
        """
        instances = list(instances_of(step.deduction))
        reasons = [*step.deduction.reasons, *self._denials_at(step.last_values, step)]
        cards = [*step.meaning.values(), *step.struck.values()]
        before = set(self.steps.known_before(number)) if cards else ()
        for card in dict.fromkeys(cards):
            instances += card.instances
            for literal in (*card.literals, card.guard):
                reasons += [each for each in (literal, -literal) if each in before]
        return self._traced(instances, reasons)

    def _traced(self, steps_instances: Iterable[GroundRule], pending: Sequence[int]) -> Premises:
        """Return instances and reasons, where what is hidden is replaced by what it follows
        from.
        """
        instances = dict.fromkeys(steps_instances)
        pending = list(pending)
        reasons: dict[int, None] = {}
        seen = {TRUE}
        for reason in pending:
            if reason in seen:
                continue
            seen.add(reason)
            cause = self._shown_cause(reason, reasons)
            if cause is None and reason not in self._excluded_choices:
                cause = self.steps.marks.hidden_causes.get(reason)
            if cause is None:
                reasons[reason] = None
                continue
            further_instances, further_reasons = cause
            instances.update(dict.fromkeys(further_instances))
            pending += further_reasons
        return list(instances), list(reasons)

    def _shown_cause(self, denial: int, reasons: Collection[int]) -> HiddenCause | None:
        """Return the told fact about a cell that excludes a choice by a single card, with the rules
        of the card: if it can be, one of some reasons, or else the latest.

        The choice may have been excluded before, for a reason that is harder to see.
        """
        is_choice = self.card_words.is_choice
        if not is_choice(denial):
            return None
        trail = self._shown.trail
        strikers = [
            (literal in reasons, trail[literal], literal, card)
            for card, literal in self._shown.strikers(-denial)
            if trail[literal] and not is_choice(literal) and self._is_visible(literal)
        ]
        if not strikers:
            return None
        _, _, literal, card = max(strikers, key=itemgetter(0, 1))
        return card.instances, (literal,)

    def _new_rejections(self, step: Step) -> list[Deduction]:
        """Return how choices were rejected that a step rests on, unless that was told before."""
        rejections = self.steps.marks.rejections
        of_cards = set(step.deduction.reasons)
        new = [each for each in rejections if each in of_cards]
        new = [each for each in new if each not in self._told_rejections]
        self._told_rejections.update(new)
        return list({id(rejections[each]): rejections[each] for each in new}.values())

    def _marks_of_lines(self, step: Step, number: int) -> Iterator[int]:
        """Yield what the lines of chains look at on the board, besides the lines before them.

        The rules and reasons of a chain are enough without some of that, but not line by line.
        """
        if not step.deduction.chains:
            return
        before = set(self.steps.known_before(number))
        for line in _lines_of(step.deduction.chains):
            if not isinstance(line.source, Card):
                displayed = {*self._shown.trail, *self._shown.consequences(line.parents)}
                yield from self.steps.missing_facts(line, displayed, before)
                continue
            for literal in line.source.group_card.literals:
                is_struck = -literal in before and -literal not in self._shown.trail
                if is_struck and not self._excludes(line.parents, literal):
                    yield -literal

    def _excludes(self, literals: Iterable[int], excluded: int) -> bool:
        """Return whether one of these literals strikes a literal without a word."""
        cards_of = self._shown.cards_of
        numbers = {number for literal in literals for number in cards_of.get(literal, ())}
        cards = (self._shown.cards[number] for number in numbers)
        return any(card.high == 1 and excluded in card.literals for card in cards)

    def _denials_at(self, last_values: Iterable[int], step: Step) -> Iterator[int]:
        """Yield the denials that leave last values, but for those of the step itself."""
        for literal in last_values:
            for value in self.literals.of_all(self.literals.fact(literal).unknown):
                if value != literal and -value not in step.literals:
                    yield -value

    def _append(
        self,
        number: int,
        literals: Sequence[int],
        instances: Sequence[GroundRule],
        reasons: Sequence[int],
    ) -> None:
        """Append a step to those that were told, or let it join the last one."""
        step = self.steps.steps[number - 1]
        trail_length = len(self._shown.trail) - 1  # without TRUE
        strike = self._strike(number, literals, instances, reasons)
        if strike and self._last_strike and self._last_strike.allows(strike):
            strike = self._last_strike.joined_by(strike)
            number, literals = strike.number, strike.literals
            instances, reasons = strike.instances, strike.reasons
            trail_length = self.explained.pop().trail_length
            self.card_words.told_rules = self._told_rules  # of the sentence that is replaced
            joined = replace(step.deduction, instances=strike.instances, reasons=strike.reasons)
            step = replace(step, deduction=joined)
        self._last_strike = strike
        self._told_rules = self.card_words.told_rules.copy()
        deduction = self._as_shown(step.deduction)
        if self._rests_on_hidden(deduction):
            deduction = replace(deduction, instances=tuple(instances))
        if not instances and deduction.pattern is not Pattern.NAKED_SINGLE:
            deduction = self._only_values(literals)
            step = replace(step, last_values=(), meaning={}, struck={})
        meant = [each for each in literals if each in step.meaning]
        consequences = [each for each in literals if each in step.last_values]
        consequences += [each for each in meant if not self.steps.marks.is_denial(each)]
        # last values that it leaves on the board as it is shown
        placed = (each for each in literals if not self.steps.marks.is_denial(each))
        consequences += [each for each in placed if each not in step.literals]
        consequences += [each for each in literals if each in step.struck]
        consequences = list(dict.fromkeys(consequences))
        direct = tuple(each for each in literals if each not in (*meant, *consequences))
        before = set(self.steps.known_before(number))
        cells = self._sentences.cells_spoken_of(deduction, direct)
        with self.words.side_names.speaking_of(cells):
            rejections = self._new_rejections(step)
            sentence = self._sentences.sentence(
                deduction, direct, consequences, before, rejections, instances, reasons
            )
            told_number = len(self.explained) + 1
            hardest = max([deduction, *rejections], key=lambda each: each.cost)
            explained = ExplainedStep(told_number, hardest.pattern, hardest.cost, sentence)
            if self.card_words.decide(consequences, direct):
                literals = [each for each in literals if each not in direct]
                instances, reasons = self._shrunk(step, literals, (list(instances), list(reasons)))
            rules = self.words.rules(instances, self.literals)
            explained = replace(explained, rules=tuple(rules), reasons=self._fact_texts(reasons))
            explained = replace(explained, assumes_unique=deduction.rectangle is not None)
            explained = self._with_cards(explained, deduction)
            explained = self._with_facts(explained, literals)
        explained = replace(explained, repeated=self._repeated_lines(explained))
        self.explained.append(replace(explained, trail_length=trail_length))

    def _repeated_lines(self, explained: ExplainedStep) -> RepeatedLines | None:
        """Return which lines of a chain an earlier one has, too, and note them all."""
        below = [line.text for line in explained.lines_below]
        if not below:
            return None
        if explained.has_cases:
            if any(line.is_assumption for line in explained.lines_below):
                return None
            *lines, _ = below  # the last one says what is proven
            step = self._told_cases.setdefault(tuple(lines), explained.number)
            is_new = step == explained.number
            return None if is_new else RepeatedLines(step, 0, 1, len(lines))
        repeated = repeated_lines(below, reversed(self._told_lines.items()))
        displayed = below if repeated is None else below[: repeated.start]
        numbers = {text: number for number, text in enumerate(displayed, 1)}
        self._told_lines[explained.number] = numbers
        return repeated

    def _with_cards(self, explained: ExplainedStep, deduction: Deduction) -> ExplainedStep:
        """Return a step with the cards and the lines of a deduction."""
        base = tuple(map(self._card_text, deduction.base))
        cover = tuple(map(self._card_text, deduction.cover))
        return replace(explained, base=base, cover=cover, lines=self._lines(deduction))

    def _with_facts(self, explained: ExplainedStep, literals: Iterable[int]) -> ExplainedStep:
        """Return a step with what is placed and what is struck."""
        placed: list[int] = []
        struck: list[int] = []
        for literal in literals:
            is_denial = self.steps.marks.is_denial(literal)
            group = struck if is_denial else placed
            group.append(literal)
        placed_facts = self._fact_texts(placed)
        return replace(explained, placed=placed_facts, struck=self._fact_texts(struck))

    def _only_values(self, literals: Sequence[int]) -> Deduction:
        """Return the deduction of last values, where nothing else of a step is left to be told."""
        unknowns = {self.literals.fact(literal).unknown for literal in literals}
        cards = [card for card in self.steps.marks.cards if card.unknown in unknowns]
        base = tuple(map(self._open_card, cards))
        return Deduction(Pattern.NAKED_SINGLE, NAKED_SINGLE, tuple(literals), base)

    def _strike(
        self,
        number: int,
        literals: Sequence[int],
        instances: Sequence[GroundRule],
        reasons: Sequence[int],
    ) -> _Strike | None:
        """Return a step as a strike; None if it is more than what one rule strikes."""
        step = self.steps.steps[number - 1]
        deduction = step.deduction
        has_cards = deduction.base or deduction.cover or deduction.sums is not None
        if has_cards or deduction.chains or deduction.graph_reason is not None:
            return None
        if self._line_rows.short_list(deduction) is not None:
            return None
        unknowns = {self.literals.fact(literal).unknown for literal in literals}
        unknown = unknowns.pop() if len(unknowns) == 1 else None
        last_values = step.last_values if unknown is not None else ()
        struck = [literal for literal in literals if literal not in last_values]
        if len(last_values) < len(step.last_values):
            return None
        if not struck or not all(map(self.steps.marks.is_denial, struck)):
            return None
        is_untold = all(map(self.literals.denies, reasons))
        values = frozenset[tuple[str, Value, bool]]()
        if len(reasons) == 1 and not is_untold:
            values = self._values_of((*literals, *reasons))
        premises = tuple(instances), tuple(reasons)
        rules = map(self.card_words.rule, instances)
        clues = frozenset(filter(None, map(self.card_words.clue, rules)))
        return _Strike(number, tuple(literals), *premises, is_untold, values, unknown, clues)

    def _values_of(self, literals: Iterable[int]) -> frozenset[tuple[str, Value, bool]]:
        """Return the names of unknowns, the values, and whether they have them; empty if an
        unknown has several indexes.
        """
        values = set()
        for fact in map(self.literals.fact, literals):
            if self.words.is_one_of_several(fact.unknown):
                return frozenset()
            name, _ = self.words.keys[fact.unknown]
            values.add((name, fact.value, fact.positive))
        return frozenset(values)

    def _rests_on_hidden(self, deduction: Deduction) -> bool:
        """Return whether a rule is told that says something only because of what is hidden."""
        if deduction.base or deduction.cover or deduction.chains:
            return False
        return not self.steps.marks.hidden_causes.keys().isdisjoint(deduction.reasons)

    def _as_shown(self, deduction: Deduction) -> Deduction:
        """Return a deduction with the open places of its cards on the board as it is shown.

        Choices that are out are seen at a look: those that are left stay as they are.
        """
        if deduction.pattern is Pattern.EVERY_OPTION:
            return deduction
        base, cover = (
            tuple(self._open_card(opened.card) for opened in cards)
            for cards in (deduction.base, deduction.cover)
        )
        if deduction.pattern is Pattern.HIDDEN_SINGLE:
            deduction = self._single_as_shown(deduction)
        combinations = deduction.combinations
        if deduction.sums is not None:
            combinations = self.steps.combinations(deduction.sums, self._shown.trail)
        chains = deduction.chains
        if deduction.pattern is not Pattern.EITHER_WAY:
            chains = tuple(chain_as_displayed(each, self._shown) for each in chains)
        deduction = replace(deduction, base=base, cover=cover, chains=chains)
        return replace(deduction, combinations=combinations)

    def _single_as_shown(self, deduction: Deduction) -> Deduction:
        """Return a hidden single, or the last place that it is on the board as it is shown."""
        with suppress(ViolatedInstance):
            for single in self._singles.deductions():
                is_same = single.literals == deduction.literals and single.base[:1] != ()
                if is_same and single.base[0].card is deduction.base[0].card:
                    return replace(deduction, pattern=single.pattern, cost=single.cost)
        return deduction

    def _open_card(self, card: Card) -> OpenCard:
        """Return a card on the board as it is shown."""
        true = sum(literal in self._shown.trail for literal in card.literals)
        open_literals = self._shown.open_literals(card)
        return OpenCard(card, card.low - true, card.high - true, open_literals)

    def _fact_texts(self, literals: Iterable[int]) -> tuple[FactText, ...]:
        facts = self.card_words.facts_of_type(literals)
        return tuple(map(self.words.fact_text, facts))

    def _card_text(self, opened: OpenCard) -> CardText:
        card: Card = opened.card
        name = self.card_words.group(card)
        value = "" if card.value is None else value_text(card.value)
        facts = self._fact_texts(opened.literals)
        return CardText(
            name=name,
            card_type=card.card_type.value,
            value=value,
            needed=opened.needed,
            allowed=opened.allowed,
            facts=facts,
            indexes=self._indexes(card.literals),
        )

    def _indexes(self, literals: Iterable[int]) -> tuple[Any, ...]:
        """Return where literals are, each once."""
        facts = self.card_words.visible_facts(literals)
        return tuple(dict.fromkeys(self.words.position(fact.unknown) for fact in facts))

    def _lines(self, deduction: Deduction) -> tuple[ChainLine, ...]:
        """Return the lines of the chains of a deduction."""
        lines = []
        for chain in deduction.chains:
            for line in self._sentences.lines(chain):
                facts = self._fact_texts(line.literals)
                indexes = self._indexes(line.failing)
                assumed = isinstance(line.sentence, Supposed)
                lines.append(ChainLine(line.depth, str(line.sentence), facts, assumed, indexes))
        return tuple(lines)

    # Excerpts -------------------------------------------------------------------------------------

    def only(self, numbers: Iterable[int]) -> Narrator:
        """Return a narrator of only these steps and those that they need, numbered anew."""
        narrator = copy(self)
        narrator.explained, narrator._needs = [], {}
        narrator._shown = self._new_board()
        by_number: dict[int, list[int]] = {}
        for literal, told_number in self._shown.trail.items():
            by_number.setdefault(told_number, []).append(literal)
        narrator._show_literals(by_number.get(0, ()), 0)
        new_numbers: dict[int, int] = {}
        for number, old_number in enumerate(self.needed_steps(numbers), 1):
            new_numbers[old_number] = number
            step = self.explained[old_number - 1]
            repeated = step.repeated
            if repeated is not None:
                there = new_numbers.get(repeated.step)
                repeated = None if there is None else replace(repeated, step=there)
            step = replace(step, number=number, repeated=repeated)
            narrator.explained.append(replace(step, trail_length=len(narrator.displayed)))
            narrator._show_literals(by_number.get(old_number, ()), number)
            needed = self._needs.get(old_number, ())
            narrator._needs[number] = {new_numbers[each] for each in needed if each in new_numbers}
        return narrator

    def _new_board(self) -> Marks:
        """Return a board on which nothing is shown."""
        steps = self.steps
        model = self.steps.explainer.assumption_model
        board = Marks(model, steps.marks.cards, self.words.keys, steps.choices)
        board.memberships = steps.marks.memberships
        # what it strikes by itself is no cause for the steps
        board.silent_causes = ChainMap({}, steps.marks.silent_causes)
        return board

    def needed_steps(self, numbers: Iterable[int]) -> list[int]:
        """Return the numbers of these steps and those that they need, in order."""
        needed: set[int] = set()
        pending = list(numbers)
        for number in pending:
            if number not in needed:
                needed.add(number)
                pending += self._needs.get(number, ())
        return sorted(needed)


def _lines_of(chains: Iterable[ForcingChain]) -> Iterator[Line]:
    """Yield the lines of chains, those of their branches among them."""
    for chain in chains:
        yield from chain.lines
        if chain.contradiction is not None:
            yield chain.contradiction
        yield from _lines_of(chain.branches)
