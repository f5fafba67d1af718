"""Check marks on a board in the making: right so far, against a rule, or without a solution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal

from puzzlekit.boards import Cell
from puzzlekit.clock import Clock, check as check_clock, thread_seconds
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import Stopped
from puzzlekit.model import Value
from puzzlekit.reasons.explainer import Explainer, Solutions
from puzzlekit.reasons.instances import GroundRule, shrink
from puzzlekit.reasons.literals import TRUE, ValueLiteral
from puzzlekit.reasons.places import value_text
from puzzlekit.reasons.starting_facts import is_in_data
from puzzlekit.reasons.words import FactText, RuleInstance, Words
from puzzlekit.sentences import (
    AllOfThis,
    BreaksRule,
    IsSolution,
    LeadsNowhere,
    NeverPossible,
    NoSolutionAtAll,
    RightSoFar,
    Sentence,
    SolutionsLeft,
    and_list,
    or_list,
    shortened,
)

MOST_VALUES = 12  # that a verdict names
RULES_SECONDS = 0.8  # of processor time, for the rules that leave no solution

Verdict = Literal["ok", "violates", "dead_end"]


@dataclass(frozen=True)
class Check:
    """What is to be said of marks, without giving the solution away.

    Attributes:
        verdict: `ok`, if a solution continues the marks; `violates`, if they violate a rule by
            themselves; `dead_end`, if no rule is violated and yet no solution continues them.
        rules: The rules that are broken or that leave no solution; none if a value is marked that
            its unknown never has, or if they are not soon known.
        facts: The facts to blame, which the player wrote, of which none can be left out.
        several: Whether more than one solution continues the marks; None if there is none.
        complete: Whether the marks are a complete solution, or would be if they were right.
        sentence: The judgement as a sentence, with its parts.
    """

    verdict: Verdict
    rules: tuple[RuleInstance, ...]
    facts: tuple[FactText, ...]
    several: bool | None
    complete: bool
    sentence: Sentence

    def __bool__(self) -> bool:
        return self.verdict == "ok"

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """The judgement in words."""
        return str(self.sentence)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the marks to blame and of the broken rules."""
        described: list[FactText | RuleInstance] = [*self.facts, *self.rules]
        cells: dict[Cell, None] = {}
        for text in described:
            cells.update(dict.fromkeys(text.cells))
        return tuple(cells)

    def json(self) -> dict[str, Any]:
        """Return it as plain data."""
        rules = [rule.json() for rule in self.rules]
        facts = [fact.text for fact in self.facts]
        return {
            "verdict": self.verdict,
            "rules": rules,
            "facts": facts,
            "several": self.several,
            "complete": self.complete,
            "text": self.text,
        }


class _Mark:
    """What a player wrote about an unknown: a value, or which values it does not have.

    Attributes:
        facts: The value, or the values that it does not have.
        literals: Their literals.
    """

    def __init__(self, explainer: Explainer, facts: Sequence[ValueLiteral]) -> None:
        self.facts = tuple(facts)
        literals = explainer.assumption_model.literals
        self.literals = list(map(literals.of_fact, facts))
        unknown = facts[0].unknown
        self._domain = explainer.puzzle.model.domains[unknown]
        self.remaining = list(filter(self.allows, self._domain))

    @property
    def is_impossible(self) -> bool:
        """Whether the clues contradict it from the start."""
        all_crossed = len(self._domain) > 1 and not self.facts[0].positive
        return not self.remaining and not all_crossed

    def allows(self, value: Value) -> bool:
        """Return whether its unknown may have a value."""
        return all((fact.value == value) == fact.positive for fact in self.facts)

    def text(self, words: Words) -> str:
        """Return it in words: notes by the values that are left, if these are fewer."""
        fact = self.facts[0]
        if fact.positive or not 0 < len(self.remaining) < len(self.facts):
            return words.facts(self.facts)
        return words.fact(replace(fact, value=_alternatives(self.remaining), positive=True))

    def possible(self, words: Words) -> str:
        """Return in words which values its unknown may have without it."""
        return words.fact(replace(self.facts[0], value=_alternatives(self._domain), positive=True))


def _alternatives(values: Sequence[Value]) -> str:
    texts = list(map(value_text, values))
    if len(texts) > MOST_VALUES:
        return shortened(texts, MOST_VALUES)
    return or_list(texts)


def _marks_of(explainer: Explainer, facts: Iterable[ValueLiteral]) -> list[_Mark]:
    """Return the marks that state facts; all values that an unknown does not have are one."""
    groups: dict[object, list[ValueLiteral]] = {}
    for fact in facts:
        groups.setdefault(fact if fact.positive else fact.unknown, []).append(fact)
    return [_Mark(explainer, group) for group in groups.values()]


def check(
    explainer: Explainer,
    facts: Sequence[ValueLiteral],
    solutions: Callable[[], Solutions | None] | None = None,
) -> Check:
    """Return what is to be said of the facts that marks state.

    Args:
        explainer: The explainer of the puzzle.
        facts: The facts. Those that say which values an unknown does not have are one mark.
        solutions: Returns all solutions of the puzzle, or two of them if there are more; None if
            that takes long. It is asked at most once. Then the only solution judges the marks,
            which is quick.

    Raises:
        Stopped: The time is up.
    """
    marks = _marks_of(explainer, facts)
    goal = explainer.assumption_model.goal
    marked = {mark.facts[0].unknown for mark in marks if mark.facts[0].positive}
    complete = all(variable in marked for variable in goal)
    for mark in marks:
        if mark.is_impossible:
            return _impossible(explainer, mark, complete)
        if not mark.remaining:
            return _dead_end(explainer, [mark], complete)
    literals = [literal for mark in marks for literal in mark.literals]
    if broken := _broken(explainer, literals):
        return _violation(explainer, broken, literals, complete)
    if explainer.solutions is None and solutions is not None:
        explainer.solutions = solutions()
    only_solution = explainer.only_solution
    if only_solution is not None:
        wrong = [mark for mark in marks if not mark.allows(only_solution[mark.facts[0].unknown])]
        if wrong:
            return _dead_end(explainer, wrong[:1], complete)
        return _right(explainer, several=False, complete=complete)
    solver = explainer.solver
    model = solver.model([*solver.all_selectors, *literals])
    if model is None:
        return _dead_end(explainer, _blamed(explainer, marks), complete)
    several = explainer.another_model(literals, model) is not None
    return _right(explainer, several, complete)


def _right(explainer: Explainer, several: bool, complete: bool) -> Check:
    """Return that solutions continue the marks."""
    sentence: Sentence = IsSolution(explainer.aside)
    if several or not complete:
        solutions = SolutionsLeft.LEFT.about(2 if several else 1)
        sentence = RightSoFar(solutions, explainer.aside)
    return Check("ok", (), (), several, complete, sentence)


def _impossible(explainer: Explainer, mark: _Mark, complete: bool) -> Check:
    """Return that a mark leaves no value that its unknown may have."""
    words = explainer.words
    fact_texts = tuple(map(words.fact_text, mark.facts))
    sentence = NeverPossible(mark.text(words), mark.possible(words))
    return Check("violates", (), fact_texts, None, complete, sentence)


def _violation(
    explainer: Explainer,
    broken: Sequence[tuple[GroundRule, list[int]]],
    marks: Sequence[int],
    complete: bool,
) -> Check:
    """Return that marks break rules; the marks to blame are those for the first rule."""
    _, blamed = broken[0]
    # what a rule states about a name that is hidden, such as that a cell is inside
    hidden = {each: explainer.givens[each] for each in blamed if explainer.is_hidden(each)}
    instances = [*hidden.values(), *(rule for rule, _ in broken)]
    rules = tuple(explainer.rules(instances))
    blamed_marks = explainer.facts(literal for literal in blamed if literal in marks)
    visible = [literal for literal in blamed if literal not in hidden]
    unseen = [each for each in visible if each not in marks and not _is_seen(explainer, each)]
    seen = [literal for literal in visible if literal not in unseen]
    facts, further = (explainer.words.facts(explainer.facts(each)) for each in (seen, unseen))
    sentence = BreaksRule(str(rules[0]), facts, further)
    fact_texts = tuple(map(explainer.words.fact_text, blamed_marks))
    return Check("violates", rules, fact_texts, None, complete, sentence)


def _is_seen(explainer: Explainer, given: int) -> bool:
    """Return whether the data show a given."""
    fact = explainer.assumption_model.literals.fact(given)
    position = explainer.words.position(fact.unknown)
    return is_in_data(explainer.puzzle, position, fact.value)


def _broken(explainer: Explainer, marks: Sequence[int]) -> list[tuple[GroundRule, list[int]]]:
    """Return the instances that marks break beside what is given, each with the fewest marks and
    givens for it.
    """
    trail: dict[int, int] = {TRUE: 0}
    source: dict[int, int] = {}
    for mark in (*explainer.givens, *marks):
        new = explainer.assumption_model.consequences([mark], trail)
        if new is None:  # it has another value: a rule may say so by itself
            if instances := _broken_alone(explainer, mark):
                return [(instance, [mark]) for instance in instances]
            continue
        for literal in new:
            trail.setdefault(literal, 0)
            source.setdefault(literal, mark)
    broken = []
    for instance in _instances_about(explainer, trail):
        reasons = instance.violated(trail)
        if reasons is not None:
            blamed = {source[reason] for reason in reasons}
            broken.append((instance, sorted(blamed, key=abs)))
    return broken


def _instances_about(explainer: Explainer, literals: Iterable[int]) -> list[GroundRule]:
    """Return the instances that literals are about, in order."""
    by_number: dict[int, GroundRule] = {}
    for literal in literals:
        for instance in explainer.assumption_model.about(literal):
            by_number[instance.number] = instance
    return [by_number[number] for number in sorted(by_number)]


def _broken_alone(explainer: Explainer, mark: int) -> list[GroundRule]:
    """Return the instances that a mark breaks alone."""
    consequences = explainer.assumption_model.consequences([mark], {TRUE: 0}) or {}
    instances = _instances_about(explainer, consequences)
    fails = explainer.solver.fails
    return [instance for instance in instances if fails([instance.selector, mark])]


def _dead_end(explainer: Explainer, blamed: Sequence[_Mark], complete: bool) -> Check:
    """Return that no solution has marks, with the fewest rules that leave none."""
    literals = [literal for mark in blamed for literal in mark.literals]
    words = explainer.words
    sentence: Sentence = NoSolutionAtAll()
    if blamed:
        texts = [mark.text(words) for mark in blamed]
        if all(mark.facts[0].positive for mark in blamed):
            texts = [words.facts(mark.facts[0] for mark in blamed)]
        sentence = LeadsNowhere(AllOfThis.FACTS.about(len(blamed)), and_list(texts))
    fact_texts = tuple(words.fact_text(fact) for mark in blamed for fact in mark.facts)
    rules = _rules_against(explainer, literals)
    return Check("dead_end", rules, fact_texts, None, complete, sentence)


def _rules_against(explainer: Explainer, literals: Sequence[int]) -> tuple[RuleInstance, ...]:
    """Return the fewest rules that do not allow literals; none if they are not soon known."""
    mus = None
    with suppress(Stopped), _ProcessorClock(RULES_SECONDS).running():
        mus = explainer.mus(literals)
    check_clock()
    if mus is None:
        return ()
    selectors, _ = mus
    by_selector = explainer.assumption_model.by_selector
    return tuple(explainer.rules(by_selector[selector] for selector in selectors))


class _ProcessorClock(Clock):
    """A limit of the processor time of this thread, which other work of the machine leaves alone.

    Args:
        seconds: The limit.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._end = thread_seconds() + seconds

    def check(self) -> None:
        """Raise Stopped when the time is up."""
        if thread_seconds() > self._end:
            raise Stopped("the time is up")


def _blamed(explainer: Explainer, marks: Sequence[_Mark]) -> list[_Mark]:
    """Return the fewest marks with which there is no solution."""
    solver = explainer.solver
    literals = [literal for mark in marks for literal in mark.literals]
    core = {*(solver.core([*solver.all_selectors, *literals]) or ())}
    in_core = [mark for mark in marks if not core.isdisjoint(mark.literals)]

    def contradicts(subset: Sequence[_Mark]) -> bool:
        subset_literals = [literal for mark in subset for literal in mark.literals]
        return not solver.possible([*solver.all_selectors, *subset_literals])

    return shrink(in_core, contradicts)
