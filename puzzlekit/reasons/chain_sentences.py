"""The sentences of chains: of an assumption that fails, and of what follows either way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from puzzlekit.model import Variable, variables_of
from puzzlekit.reasons.card_words import merged
from puzzlekit.reasons.chain_lines import ChainLines, all_lines
from puzzlekit.reasons.deductions import Card, Deduction, ForcingChain, Line, Pattern
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.step_context import FEW_GIVEN, StepContext, StepWords
from puzzlekit.sentences import (
    BranchLeads,
    DeadEnd,
    EitherWay,
    FollowsByRule,
    GroupsHaveShare,
    LineOfChain,
    LongChain,
    LongTrial,
    NoPlaceFor,
    OtherwiseBroken,
    OtherwiseChain,
    OtherwiseLong,
    RuleBroken,
    SearchRefutes,
    Sentence,
    SupposeChain,
    WithStrikers,
    WouldBreak,
    and_list,
)

SEVERAL = 2  # assumptions, which leave different values
MOST_OPEN = 3  # places of a group that are named
FEW_RULES = 4  # that a search is told with
LONGEST_TOLD = 2  # lines of a chain that are told in the sentence, and not below it
NEITHER_WORKS = "Neither way works"  # at the end of a trial in cases
NAMED_CHAINS = (Pattern.TURBOT_FISH, Pattern.X_CHAIN, Pattern.XY_WING, Pattern.XY_CHAIN)


class ChainSentences(StepWords):
    """Puts chains, and searches, into words."""

    def __init__(self, context: StepContext, chain_lines: ChainLines) -> None:
        super().__init__(context)
        self._chain_lines = chain_lines

    def chain(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return that an assumption leads to a contradiction, or to the same in all cases."""
        card_words = self._card_words
        chain = deduction.chains[0]
        if chain.alternatives:
            facts = card_words.facts(card_words.in_order(literals))
        else:
            facts = self._context.conclusion(literals)
        of_run = self._context.only_open_beside(literals) if self._context.adjacent else None
        if of_run is not None:
            return FollowsByRule(facts, (of_run,))
        opposites = [each for each in chain.assumptions if -each in literals]
        assumed = card_words.alternatives(opposites or chain.assumptions)
        self._chain_lines.begin(chain)
        conflict = self._chain_lines.conflict(chain)
        if chain.length == 0:
            chains = [each for each in deduction.chains if -each.assumed in literals]
            conflict = self._chain_lines.common_conflict(chains or [chain])
            rules = self._rules_of_conflict(deduction)
            if isinstance(conflict, WithStrikers | DeadEnd):
                rules = ""
            if len(deduction.chains) == 1 and len(opposites) < SEVERAL:
                values = self._values_left(deduction, [chain.assumed])
                if values:
                    line = LineOfChain(card_words.facts(values))
                    return OtherwiseChain(facts, (line,), conflict, "and")
            if isinstance(conflict, NoPlaceFor):
                conflict = conflict.naming(self._few_open(deduction, literals))
            closed = ""
            if not rules:
                closed = self._closed_places(deduction)
            if closed and isinstance(conflict, RuleBroken):
                return OtherwiseChain(facts, (LineOfChain(closed),), conflict.rule, "but")
            if isinstance(conflict, RuleBroken) and conflict.facts == assumed:
                return FollowsByRule(facts, card_words.rule_names(deduction.instances))
            return OtherwiseBroken(facts, conflict, rules)
        settled = self._chain_lines.settled_lines(all_lines(chain))
        told_lines = list(filter(self._chain_lines.is_visible, settled))
        self._chain_lines.forget_strikers()
        if deduction.pattern is Pattern.TRIAL:
            cases = "" if conflict else NEITHER_WORKS
            return LongTrial(assumed, conflict, facts, cases)
        is_opposite = {*self._context.literals} <= {-each for each in chain.assumptions}
        name = ""
        if deduction.pattern in NAMED_CHAINS:
            name = deduction.pattern.text
        if len(told_lines) > LONGEST_TOLD:
            if is_opposite:
                return OtherwiseLong(facts, conflict, name)
            return LongChain(assumed, conflict, facts)
        lines = tuple(map(self._chain_lines.line, told_lines))
        if not lines:
            return OtherwiseBroken(facts, conflict)
        second = self._second_value(chain, literals)
        if is_opposite and second:
            lines = (LineOfChain(second), *lines)
        holding = [chain.assumed] if len(opposites) < SEVERAL else []
        for told_line in told_lines:
            holding += told_line.literals
        values = self._values_left(deduction, holding)
        if values:
            lines = (*lines, LineOfChain(card_words.facts(values)))
        breach = self._breach(chain, told_lines[-1]) if is_opposite else ""
        if breach and isinstance(conflict, RuleBroken):
            broken = WouldBreak(breach, lines[-1].because)
            if len(lines) == 1:
                return OtherwiseBroken(facts, broken)
            return OtherwiseChain(facts, lines[:-1], broken, pattern=name)
        if is_opposite and isinstance(conflict, RuleBroken):
            return OtherwiseChain(facts, lines, conflict.rule, "but", name)
        if is_opposite:
            return OtherwiseChain(facts, lines, conflict, "and", name)
        return SupposeChain(assumed, lines, conflict, facts)

    def _few_open(self, deduction: Deduction, literals: Iterable[int]) -> str:
        """Return the open places of the card that an assumption breaks; empty if they are many, or
        among what follows.
        """
        contradiction = deduction.chains[0].contradiction
        source = None if contradiction is None else contradiction.source
        if not isinstance(source, Card):
            return ""
        opened = self._context.open_literals(source)
        positions = self._context.few_positions(opened)
        if not positions or len(opened) > MOST_OPEN:
            return ""
        numbers = {*map(abs, opened)}
        if not numbers.isdisjoint(map(abs, literals)):
            return ""
        return positions

    def _second_value(self, chain: ForcingChain, literals: Iterable[int]) -> str:
        """Return the value that an unknown has if it does not have another one, as a fact; empty if
        it may have several, if it is a truth, or if literals are about other unknowns, too.
        """
        of_fact = self._card_words.literals.fact
        unknown = of_fact(chain.assumed).unknown
        if any(of_fact(literal).unknown != unknown for literal in literals):
            return ""
        is_truth = len(self._card_words.literals.domains[unknown]) == 2
        if is_truth or not self._board.is_denial(chain.assumed):
            return ""
        value = self._context.last_value(unknown, (chain.assumed,))
        return self._card_words.facts([value]) if value else ""

    def _breach(self, chain: ForcingChain, last: Line) -> str:
        """Return what would be so by the last line of a chain, perhaps with what it assumes; empty
        if that is not what breaks a rule, or if it is not the same of a few unknowns.
        """
        source = None if chain.contradiction is None else chain.contradiction.source
        if not isinstance(source, Card):
            return ""
        unknowns = {*map(abs, source.literals)}
        assumed = [each for each in chain.assumptions if abs(each) in unknowns]
        literals = self._card_words.in_order({*assumed, *last.literals})
        if unknowns != {*map(abs, literals)}:
            return ""
        return self._card_words.would_be(literals)

    def either_way(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return that each alternative of a card leads to the same."""
        card_words = self._card_words
        opened = deduction.base[0]
        branches: list[Sentence] = []
        for chain in deduction.chains:
            self._chain_lines.begin(chain)
            assumed = card_words.facts([chain.assumed])
            visible = filter(self._chain_lines.is_visible, chain.lines)
            lines = tuple(map(self._chain_lines.line, visible))
            if not lines:
                lines = (LineOfChain(card_words.facts(literals)),)
            branches.append(BranchLeads(assumed, lines))
        # those that break a rule at once are out without a word
        choices = card_words.alternatives([chain.assumed for chain in deduction.chains])
        rule = self._context.name_and_group(opened.card)
        return EitherWay(choices, rule, tuple(branches), card_words.facts(literals))

    def search(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return that a search refutes the opposite."""
        instances = deduction.instances
        names = {instance.origin.rule for instance in instances}
        rules = self._card_words.names(instances) if len(names) <= FEW_RULES else ""
        return SearchRefutes(self._card_words.facts(literals), rules)

    def _values_left(self, deduction: Deduction, holding: Sequence[int]) -> tuple[int, ...]:
        """Return the last values of unknowns that literals leave at a look, as far as they strike
        the places of the card that is broken.

        Args:
            deduction: The deduction, with one chain.
            holding: What is assumed, and what follows by the lines.
        """
        contradiction = deduction.chains[0].contradiction
        source = None if contradiction is None else contradiction.source
        if not isinstance(source, Card):
            return ()
        denials = {-literal for literal in self._context.open_literals(source)}
        familiar = {*self._unknowns(holding), *self._unknowns(source.literals)}
        pairs = _of_two_unknowns(deduction.instances)
        struck: set[int] = set()
        for literal in holding:
            struck |= self._struck(literal, pairs)
        remaining = []
        for unknown in self._unknowns(struck):
            value = self._context.last_value(unknown, struck)
            if not value or unknown in familiar:
                continue
            if not denials.isdisjoint(self._struck(value, pairs)):
                remaining.append(value)
        return self._card_words.in_order(remaining)

    def _unknowns(self, literals: Iterable[int]) -> Iterable[Variable]:
        """Return the unknowns that the board shows of those that literals are about, each once."""
        visible = filter(self._board.is_visible, literals)
        return dict.fromkeys(self._card_words.literals.fact(each).unknown for each in visible)

    def _struck(self, literal: int, pairs: Iterable[GroundRule]) -> set[int]:
        """Return a literal with what it strikes by cards, and by rules about two unknowns."""
        struck = self._board.consequences([literal])
        literals = self._card_words.literals
        fact = literals.fact(literal)
        for instance in pairs if fact.positive else ():
            unknowns = variables_of(*instance.conditions)
            if fact.unknown not in unknowns:
                continue
            (second,) = (unknown for unknown in unknowns if unknown != fact.unknown)
            for value, candidate in zip(literals.domains[second], literals.of_all(second)):
                values = {fact.unknown: fact.value, second: value}
                if not all(condition.value(values) for condition in instance.conditions):
                    struck.add(-candidate)
        return struck

    def _closed_places(self, deduction: Deduction) -> str:
        """Return what becomes of the open literals of a rule that assumptions break at once; empty
        if the assumptions are about it themselves.
        """
        contradiction = deduction.chains[0].contradiction
        if contradiction is None or not isinstance(contradiction.source, Card):
            return ""
        card = contradiction.source
        literals = self._context.open_literals(card)
        assumed = {abs(chain.assumed) for chain in deduction.chains}
        if len(literals) > FEW_GIVEN or not assumed.isdisjoint(map(abs, literals)):
            return ""
        is_over = any(parent in card.literals for parent in contradiction.parents)
        return self._card_words.facts(literals if is_over else [-each for each in literals])

    def _rules_of_conflict(self, deduction: Deduction) -> str:
        """Return the rules that strike the positions of a contradiction, but not its own rule, and
        not that a cell belongs to one thing.
        """
        contradiction = deduction.chains[0].contradiction
        assert contradiction is not None
        if contradiction.area is not None:
            return ""
        hidden: set[str] = set()
        of_cells = (self._board.cards[number] for number in self._board.memberships.cards)
        for card in (contradiction.source, contradiction.packed, *of_cells):
            if isinstance(card, Card):
                hidden |= {instance.origin.rule for instance in card.instances}
        instances = [each for each in deduction.instances if each.origin.rule not in hidden]
        assumed = {chain.assumed for chain in deduction.chains}
        return self._new_names(instances, assumed)

    def _new_names(self, instances: Sequence[GroundRule], assumed: set[int]) -> str:
        """Return the names of rules that were not told yet; of those by which an assumption fills
        a group, what the group has.
        """
        card_words = self._card_words
        of_rules = {*instances}
        filled: dict[GroundRule, Card] = {}
        for card in self._board.cards:
            is_of_rules = len(card.instances) == 1 and card.instances[0] in of_rules
            if is_of_rules and self._is_filled(card, assumed):
                filled[card.instances[0]] = card
        groups: dict[str, list[str]] = {}  # by what each of them has
        for instance, card in filled.items():
            if instance.origin.rule not in card_words.told_rules:
                share = card_words.share(card, card.high)
                groups.setdefault(share, []).append(card_words.group(card))
        texts = []
        for share, of_share in groups.items():
            verb = "has its" if len(of_share) == 1 else "have their"
            texts.append(str(GroupsHaveShare(merged(of_share), share, verb)))
        card_words.told_rules.update(instance.origin.rule for instance in filled)
        names = card_words.new_names(each for each in instances if each not in filled)
        return and_list([*texts, names] if names else texts)

    def _is_filled(self, card: Card, assumed: set[int]) -> bool:
        """Return whether a card is about a group with a name, which has all that it needs, and no
        more is allowed, if one of some literals holds.
        """
        if card.low != card.high:
            return False
        if assumed.isdisjoint(card.literals) or not self._card_words.is_group(card):
            return False
        if card.high == 0 or not self._card_words.share(card, card.high):
            return False
        return sum(each in self._displayed for each in card.literals) == card.high - 1


def _of_two_unknowns(instances: Iterable[GroundRule]) -> list[GroundRule]:
    """Return the instances of rules that are about two unknowns."""
    return [each for each in instances if len(variables_of(*each.conditions)) == 2]
