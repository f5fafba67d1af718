"""Cards and sums in words: their groups, and what they count."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from puzzlekit.boards import Cell, Placement
from puzzlekit.model import Table, Value, Variable, variables_of
from puzzlekit.reasons.choices import Choices
from puzzlekit.reasons.deductions import Card, CardType, OpenCard, SumGroup
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.link_paths import are_beside_cells, path_texts
from puzzlekit.reasons.literals import Literals, ValueLiteral
from puzzlekit.reasons.places import cells_in, is_link, place_text, spaced, value_text
from puzzlekit.reasons.words import RuleInstance, Words
from puzzlekit.sentences import (
    AndSoOn,
    OneOfMany,
    PartAt,
    RuleName,
    Sentence,
    TheClue,
    and_list,
    number_word,
    or_list,
    plural_of,
    range_text,
    with_article,
    with_ranges,
    would_be,
)

ARTICLE = re.compile(r"^an? ")
IS_A = re.compile(r"\} is an? ([a-z ]+)$")  # what a type says that a thing is
PIECE = "piece"
CELL_NAME = re.compile(r"r\d")
NAMED_CLUE = re.compile(r"\d.* |the (\w+ )?\d\S* at ")  # such as `3 at r1c2`
ALL = None  # a sentence names them all
OPEN_VALUE = "?"  # in a row of values
MANY_SUBJECTS = 6  # of a clause, from which they may be counted
FEW_PLACES = 4  # of a rule, which are named
MOST_VALUES = 7  # of an unknown, which are told
MANY_ALIKE, FEW_ALIKE = 3, 2  # rules that differ in their values, of which only a few are told
BOTH = 2  # clues of the same words
NUMBER_OF_CLUE = re.compile(r"^the (\d+)")
FAMILIAR = 2  # times that a rule is told before a sentence with its facts can do without it
LONGEST_PATH = 2  # parts without a turn of a path that is named


class CardWords:
    """Puts cards into words.

    Attributes:
        told_rules: How often rules were told in full.
    """

    def __init__(
        self,
        words: Words,
        literals: Literals,
        at_start: Mapping[int, GroundRule],
        choices: Choices,
    ) -> None:
        """Prepare the words.

        Args:
            words: The words of facts and rules.
            literals: The literals.
            at_start: What rules about a single unknown state, with these rules.
            choices: The choices, which the board shows by their cells.
        """
        self.words = words
        self.literals = literals
        self._at_start = at_start
        self.choices, self.tie_rules = choices.unknowns, choices.tie_rules
        self.told_rules: Counter[str] = Counter()

    # Facts ----------------------------------------------------------------------------------------

    def visible_facts(self, literals: Iterable[int]) -> list[ValueLiteral]:
        """Return what literals say of unknowns of the type, but for choices that are rejected."""
        facts = self.facts_of_type(literals)
        return [fact for fact in facts if fact.unknown not in self.choices or fact.value is True]

    def facts_of_type(self, literals: Iterable[int]) -> list[ValueLiteral]:
        """Return what literals say of unknowns of the type."""
        facts = [
            self.literals.fact(each) for each in literals if self.literals.is_value_literal(each)
        ]
        return [fact for fact in facts if not self.words.is_hidden(fact.unknown)]

    def is_choice(self, literal: int) -> bool:
        """Return whether a literal is about a choice: one way to place a thing on several cells."""
        if not self.literals.is_value_literal(literal):
            return False
        return self.literals.fact(literal).unknown in self.choices

    def facts(self, literals: Iterable[int]) -> str:
        """Return what literals say, as clauses; all of them are named."""
        literals = list(literals)
        placed = [literal for literal in literals if self._places_piece(literal)]
        facts = self.visible_facts(literal for literal in literals if literal not in placed)
        clauses = [self.words.facts(facts, ALL)] if facts else []
        if placed:
            pieces = and_list(list(map(self.choice_text, placed)), ALL)
            verb = "is" if len(placed) == 1 else "are"
            clauses.append(f"{pieces} {verb} placed")
        rejected = [literal for literal in literals if self._rejects(literal)]
        if rejected and not facts:
            choices = and_list(list(map(self.choice_text, rejected)), ALL)
            verb = "does" if len(rejected) == 1 else "do"
            clauses.append(f"{choices} {verb} not fit")
        return and_list(clauses, ALL)

    def _places_piece(self, literal: int) -> bool:
        """Return whether a literal says that a piece with a name lies at some cells."""
        if not self.is_choice(literal) or self.literals.fact(literal).value is False:
            return False
        return isinstance(self.words.keys[self.literals.fact(literal).unknown][1], Placement)

    def _rejects(self, literal: int) -> bool:
        """Return whether a literal says that a choice is not taken."""
        return self.is_choice(literal) and self.literals.fact(literal).value is False

    def choice_text(self, choice: int) -> str:
        """Return a choice by its cells: `the L at r1c1–r3c1 and r3c2`."""
        index = self.words.keys[self.literals.fact(choice).unknown][1]
        if isinstance(index, Placement):
            cells = and_list(with_ranges(list(map(str, index.cells))), ALL)
            return f"the {value_text(index.piece)} at {cells}"
        return f"the {self.noun_of_choice(choice)} at {place_text(index)}"

    def noun_of_choice(self, choice: int) -> str:
        """Return what a choice is called: as the type says, or by the name of an unknown that is a
        noun; a placement in a solution is called a piece.
        """
        name, index = self.words.keys[self.literals.fact(choice).unknown]
        for saying in self.words.puzzle.type.say.get(name, ())[:1]:
            noun = IS_A.search(saying.singular)
            if noun is not None:
                return noun[1]
        is_placement = isinstance(index, Placement) and not self.words.is_auxiliary(name)
        return PIECE if is_placement else spaced(name)

    def would_be(self, literals: Sequence[int]) -> str:
        """Return that some literals would all hold, which say the same of a few unknowns; empty if
        they do not.
        """
        if len(literals) > FEW_PLACES or not all(map(self.literals.is_value_literal, literals)):
            return ""
        facts = map(self.literals.fact, literals)
        statements = {(self._array_name(fact), fact.value, fact.positive) for fact in facts}
        if len(statements) > 1:
            return ""
        return would_be(self.facts(literals), len(literals))

    def counted_facts(self, literals: Iterable[int]) -> str:
        """Return what literals say, as clauses; many subjects of a clause are only counted."""
        return self.words.facts(self.visible_facts(literals), ALL, counted_from=MANY_SUBJECTS)

    def alternatives(self, literals: Iterable[int]) -> str:
        """Return what literals say, joined by *or*."""
        return self.words.alternatives(self.visible_facts(literals))

    def denied_of_all(self, literals: Iterable[int]) -> str:
        """Return that none of some literals holds, which say the same of several unknowns."""
        return self.words.denied_of_all(self.visible_facts(literals))

    def values_text(self, unknown: Variable, values: Sequence[Value]) -> str:
        """Return values of an unknown, joined by *or*; of many numbers in a row only the ends, and
        of many other values how many they are.
        """
        domain = self.literals.domains[unknown]
        is_plain = self.words.is_plain(unknown)
        numbers = [int(value) for value in domain if isinstance(value, int)]
        if is_plain and len(numbers) == len(domain):
            remaining = [number for number in numbers if number in values]
            return range_text(remaining, numbers)
        if len(values) <= MOST_VALUES:
            return or_list(list(map(value_text, values)))
        noun = "letters" if self._is_letter(unknown) else "values"
        return str(OneOfMany(len(values), noun))

    # Lines ----------------------------------------------------------------------------------------

    def line(self, instance: GroundRule) -> str:
        """Return the name of what a rule is about, if it is about the values of a line of the
        board, or states that letters are a word; else empty.
        """
        unknowns = variables_of(*instance.conditions)
        names = {self.words.keys.get(unknown, ("", ()))[0] for unknown in unknowns}
        are_cells = names == {self.words.unnamed_array}
        cells = tuple(map(self.words.position, unknowns))
        if word_of(instance) and self.are_letters(unknowns):
            return self.words.index_text(cells) if are_cells else self.place_of_rule(instance)
        if not are_cells or not self.words.is_line(cells):
            return ""
        return self.words.group_name(cells)

    def are_letters(self, unknowns: Iterable[Variable]) -> bool:
        """Return whether all values of unknowns are letters."""
        return all(map(self._is_letter, unknowns))

    def _is_letter(self, unknown: Variable) -> bool:
        domain = self.literals.domains[unknown]
        return all(isinstance(value, str) and len(value) == 1 for value in domain)

    def rows(
        self,
        instance: GroundRule,
        unknowns: Sequence[Variable],
        rows: Iterable[Sequence[Value | None]],
    ) -> list[str]:
        """Return rows of values of unknowns as words, or as numbers in the order of their line,
        where a value that is open is a question mark.
        """
        order = word_of(instance)
        separator = ""
        if not order or not self.are_letters(unknowns):
            order = sorted(unknowns, key=self.words.position)
            separator = " "
        texts = []
        for row in rows:
            values = dict(zip(unknowns, map(_value_or_open, row)))
            texts.append(separator.join(values[unknown] for unknown in order))
        return texts

    # Places ---------------------------------------------------------------------------------------

    def position_text(self, literal: int) -> str:
        """Return where the unknown of a literal is."""
        fact = self.literals.fact(literal)
        if self.words.is_hidden(fact.unknown):
            return str(fact.unknown)
        return self.unknown_text(fact.unknown)

    def line_text(self, literals: Sequence[int]) -> str:
        """Return where the first line of a loop is among those that literals are about, with what
        it is joined to if that is short; empty if they are about something else.
        """
        facts = self.visible_facts(literals)
        links = [self.words.position(fact.unknown) for fact in facts]
        if not all(map(is_link, links)):
            return ""
        if not links:
            return ""
        first = links[0]
        if not are_beside_cells(links):
            return str(self.words.location(first))
        path = path_texts(links)[0]
        is_long = path.count("–") > LONGEST_PATH
        return self.words.index_text(first) if is_long else path

    def cell(self, literal: int) -> Cell | None:
        """Return the cell of the unknown of a literal; None if it is no unknown of a cell."""
        if not self.literals.is_value_literal(literal):
            return None
        position = self.words.position(self.literals.fact(literal).unknown)
        return position if isinstance(position, Cell) else None

    def unknown_text(self, unknown: Variable) -> str:
        """Return where an unknown is; its name if it has no index."""
        position = self.words.position(unknown)
        return unknown.name if position == () else self.words.index_text(position)

    def quantity_text(self, unknown: Variable) -> str:
        """Return the name of a number, such as *the carry from column 3*; empty if it has none, or
        if it stands in a cell.
        """
        position = self.words.position(unknown)
        if position != () and not isinstance(position, str | int):
            return ""
        value = self.literals.domains[unknown][0]
        fact = self.words.fact(ValueLiteral(unknown, value))
        predicate = f" is {value_text(value)}"
        return fact.removesuffix(predicate) if fact.endswith(predicate) else ""

    def positions(self, literals: Iterable[int]) -> list[str]:
        """Return where the unknowns of literals are, each once."""
        return list(dict.fromkeys(map(self.position_text, literals)))

    def position_list(self, literals: Iterable[int]) -> str:
        """Return where the unknowns of literals are as a list; cells that are a line by its
        ends.
        """
        return and_list(with_ranges(self.positions(literals)), ALL)

    def in_order(self, literals: Iterable[int]) -> tuple[int, ...]:
        """Return literals in the order of their cells; as they are, if one is not about a cell."""
        entries = [(self.cell(literal), literal) for literal in literals]
        if any(cell is None for cell, _ in entries):
            return tuple(literal for _, literal in entries)
        return tuple(literal for _, literal in sorted(entries))

    def decide(self, consequences: Iterable[int], literals: Iterable[int]) -> bool:
        """Return whether facts say to what the cells of some denials belong, or that they belong to
        nothing, so that the denials need not be told.
        """
        denied = self.visible_facts(literals)
        if not all(fact.value is False for fact in denied):
            return False
        facts = self.visible_facts(consequences)
        unknowns = [fact.unknown for fact in (*denied, *facts)]
        if not any(map(self.words.is_auxiliary_of_several, unknowns)):
            return False
        settled = {self.words.position(fact.unknown) for fact in facts}
        return settled.issuperset(self.words.position(fact.unknown) for fact in denied)

    def group(self, card: Card) -> str:
        """Return the group that a card is about: a cell, a row, a region, or its positions."""
        if card.unknown is not None:
            return self.unknown_text(card.unknown)
        if len(card.instances) == 1 and card.derivation is None:
            rule = self.rule(card.instances[0])
            where = rule.group or rule.where
            if where:
                return with_the(where)
        return self.position_list(card.literals)

    def is_everywhere(self, card: Card) -> bool:
        """Return whether a card counts its value wherever it is: its rule is about that alone."""
        if card.value is None or len(card.instances) != 1:
            return False
        rule = self.rule(card.instances[0])
        return not rule.group and rule.where.partition(" in ")[0] == value_text(card.value)

    def groups(self, cards: Sequence[OpenCard]) -> str:
        """Return the groups of cards: `rows 2 and 6`."""
        return merged([self.group(opened.card) for opened in cards])

    def is_group(self, card: Card) -> bool:
        """Return whether a card is about a group of cells that has a name, such as row 1."""
        if len(card.instances) != 1:
            return False
        return is_group_name(self.rule(card.instances[0]).group)

    def has_name(self, card: Card) -> bool:
        """Return whether a card is about a group with a name, or a clue: `the 3 at r1c2`."""
        if self.is_group(card):
            return True
        if len(card.instances) != 1 or self.is_everywhere(card):
            return False
        where = self.rule(card.instances[0]).where
        return NAMED_CLUE.match(where) is not None

    def has_clue(self, card: Card) -> bool:
        """Return whether a card is about a clue: `the 3 at r1c2`."""
        if len(card.instances) != 1:
            return False
        rule = self.rule(card.instances[0])
        return bool(self.clue(rule))

    # What is counted ------------------------------------------------------------------------------

    def thing(self, card: Card) -> tuple[str, str]:
        """Return what a card counts: of one and of several; empty if it counts different things."""
        return self.things(card.literals)

    def things(self, literals: Iterable[int]) -> tuple[str, str]:
        """Return what is where some literals hold: of one and of several; empty if these are
        different things.
        """
        facts = [self.literals.fact(literal) for literal in literals]
        names = {(self._array_name(fact), fact.value, fact.positive) for fact in facts}
        if len(names) != 1:
            return "", ""
        fact = facts[0]
        name = self._array_name(fact)
        if isinstance(fact.value, bool):
            return self._truth_noun(name, fact.value)
        text = value_text(fact.value)
        if not fact.positive:
            return "", ""
        return text, f"{text}s" if text.isalnum() else text

    def _array_name(self, fact: ValueLiteral) -> str:
        return self.words.keys.get(fact.unknown, ("", ()))[0]

    def _truth_noun(self, name: str, is_true: bool) -> tuple[str, str]:
        """Return the noun for a true or a false unknown, in the words of the type."""
        sayings = self.words.puzzle.type.say.get(name, ())
        words = [saying.singular for saying in sayings if "{" not in saying.singular]
        if sayings and not words:
            return "", ""
        positive = sayings[0] if sayings else None
        if is_true and positive is not None and positive.plural:
            return ARTICLE.sub("", positive.singular), positive.plural
        if is_true:
            if words:
                return f"{words[0]} cell", f"{words[0]} cells"
            noun = name.replace("_", " ")
            return noun, plural_of(noun)
        if len(words) > 1:
            return f"{words[1]} cell", f"{words[1]} cells"
        if words:
            return "", ""
        noun = name.replace("_", " ")
        return f"place without {noun}", f"places without {noun}"

    def needed_thing(self, card: Card) -> str:
        """Return what a card counts with its article: `a star`."""
        singular = self.thing(card)[0]
        return with_article(singular) if singular else ""

    def needed(self, card: Card, number: int) -> str:
        """Return a number of what a card counts, such as `two stars`; empty if that has no name."""
        singular, plural = self.thing(card)
        if not singular:
            return ""
        if card.card_type is CardType.VALUE:
            return singular
        return f"{number_word(number)} {singular if number == 1 else plural}"

    def share(self, card: Card, number: int) -> str:
        """Return what a group has of what a card counts, after *its*: `star`, `two stars`.

        Of a clue, which tells the number itself, `stars`.
        """
        singular, plural = self.thing(card)
        if number == 1:
            return singular
        is_told = re.match(rf"the {number}\b", self.group(card)) is not None
        return plural if is_told else self.needed(card, number)

    # Rules ----------------------------------------------------------------------------------------

    def rule(self, instance: GroundRule) -> RuleInstance:
        """Return an instance of a rule in words."""
        return self.words.rules([instance], self.literals)[0]

    def where(self, rule: RuleInstance) -> str:
        """Return where an instance of a rule is; a vertex from the cells that a sentence speaks
        of.
        """
        return rule.where if rule.vertex is None else self.words.index_text(rule.vertex)

    def place_of_rule(self, instance: GroundRule) -> str:
        """Return the group that a rule is about, or where it is in other words."""
        rule = self.rule(instance)
        return rule.group or rule.where

    def rules(self, instances: Iterable[GroundRule]) -> list[RuleInstance]:
        """Return instances of rules in words, each once."""
        return self.words.rules(instances, self.literals)

    def names(self, instances: Iterable[GroundRule]) -> str:
        """Return the names of rules, without where they are."""
        names = dict.fromkeys(rule.rule for rule in self.rules(instances))
        self.told_rules.update(list(names))
        return and_list(list(names), ALL)

    def new_names(self, instances: Iterable[GroundRule]) -> str:
        """Return the names of the rules that were not told yet, or that are clues themselves."""
        instances = list(instances)
        rules = {
            rule.rule
            for rule in self.rules(instances)
            if rule.names_values or rule.rule not in self.told_rules
        }
        return self.names(instance for instance in instances if self.rule(instance).rule in rules)

    def rules_at_start(self, literals: Iterable[int]) -> str:
        """Return the names of the rules by which truths do not hold from the start, as long as they
        are not familiar.
        """
        instances = []
        for literal in literals:
            instance = self._at_start.get(literal)
            if instance is not None and self.literals.fact(literal).value is False:
                rule = self.rule(instance)
                most = 1 if rule.names_values else FAMILIAR
                if not rule.clues and self.told_rules[rule.rule] < most:
                    instances.append(instance)
        return self.names(instances)

    def breach(self, instances: Sequence[GroundRule]) -> str:
        """Return what would be so if a single rule was broken, in the words of its type; empty if
        there are several rules, or if the type does not say it.
        """
        return self.words.breach(instances[0]) if len(instances) == 1 else ""

    def breach_of_card(self, card: Card, is_over: bool) -> str:
        """Return what would be so if the rule of a card was broken, in the words of its type.

        Args:
            card: The card.
            is_over: Whether more would hold than the card allows. What a type says of an exact
                number is that there would be too few.
        """
        is_exact = 0 < card.low == card.high
        return "" if is_over and is_exact else self.breach(card.instances)

    def clue(self, rule: RuleInstance) -> str:
        """Return the clue of an instance of a rule that names it: `the 3 at r1c2`; empty without
        one.
        """
        return with_the(rule.where) if rule.has_clue and " " in rule.where else ""

    def rule_names(
        self,
        instances: Iterable[GroundRule],
        named: Iterable[int] = (),
        without_familiar: bool = False,
    ) -> tuple[Sentence, ...]:
        """Return the names of rules; where there is one instance of a rule, or two that have a
        clue, also where it is.

        A rule with a clue is told in full once, and then by its clue. The meaning of a function is
        told once beside rules of the type, and then only alone.

        Args:
            instances: The instances.
            named: The literals that a sentence names anyway: a rule that is about nothing else
                needs no place.
            without_familiar: Whether rules without a clue are left out that were told several
                times: of these, only the groups with names are told.
        """
        cells = {
            cell
            for fact in self.visible_facts(named)
            for cell in cells_in(self.words.position(fact.unknown))
        }
        wheres: dict[str, list[str]] = {}
        parts: dict[str, list[str]] = {}
        clues: dict[str, list[str]] = {}
        rules = self._without_told_meanings(self.rules(instances))
        entire = {rule.rule for rule in rules if not rule.about}
        specific = {rule.rule for rule in rules if rule.names_values}
        groups = {rule.group for rule in rules}
        groups = set(filter(is_group_name, groups))
        for rule in rules:
            is_named = bool(rule.cells) and cells.issuperset(rule.cells)
            where = rule.where if rule.has_clue or not is_named else ""
            if rule.about and rule.rule not in entire:
                parts.setdefault(rule.about, []).append(self.where(rule))
            else:
                wheres.setdefault(rule.rule, []).append(where)
            clues.setdefault(rule.rule, []).append(self.clue(rule))
        names: list[Sentence] = []
        for rule_name, positions in wheres.items():
            where = positions[0] if len(positions) == 1 else ""
            if 1 < len(positions) <= FEW_PLACES and groups.issuperset(positions):
                where = merged(positions)
                groups.add(where)
            elif len(positions) == 2 and all(clues[rule_name]):
                where = and_list(positions)
            is_clear = where[:1].isdigit() or len(rules) == len(positions)
            clue = and_list(clues[rule_name]) if all(clues[rule_name]) else ""
            is_familiar = without_familiar and len(wheres) == 1 and not clue
            is_familiar = is_familiar and rule_name not in specific
            if is_familiar and self.told_rules[rule_name] >= FAMILIAR:
                if where in groups:
                    names.append(TheClue(where))
                continue
            is_short = rule_name in self.told_rules and is_clear and where and clue
            self.told_rules[rule_name] += 1
            names.append(TheClue(clue) if is_short else RuleName(rule_name, where))
        names = self._few_alike(names, rules)
        for rule_part, positions in parts.items():
            names.append(PartAt(rule_part, positions[0] if len(positions) == 1 else ""))
        return tuple(_with_equal_clues(names))

    def _few_alike(
        self, names: Sequence[Sentence], rules: Sequence[RuleInstance]
    ) -> list[Sentence]:
        """Return names of rules, where of many that differ in their values only two are told."""
        positions = {rule.rule: rule.position for rule in rules if rule.names_values}
        alike: Counter[object] = Counter(positions.values())
        counts: Counter[object] = Counter()
        shortened: list[Sentence] = []
        of_cells = _of_cells(names) if len(names) > 1 else ""
        if of_cells:
            return [RuleName(of_cells)]
        for name in names:
            position = positions.get(name.rule) if isinstance(name, RuleName) else None
            if not isinstance(name, RuleName) or alike[position] < MANY_ALIKE:
                shortened.append(name)
                continue
            counts[position] += 1
            if counts[position] < FEW_ALIKE:
                shortened.append(RuleName(name.rule))
            elif counts[position] == FEW_ALIKE:
                shortened.append(AndSoOn(name.rule))
        return shortened

    def _without_told_meanings(self, rules: Sequence[RuleInstance]) -> list[RuleInstance]:
        """Return rules of the type before the meanings of functions, without those that were told;
        these stay if there is nothing else.
        """
        of_type = [rule for rule in rules if rule.position is not None]
        meanings = [rule for rule in rules if rule.position is None]
        if of_type:
            meanings = [rule for rule in meanings if rule.rule not in self.told_rules]
        return of_type + meanings

    def sum_name(self, group: SumGroup) -> str:
        """Return what a sum is called: its clue and where that is, or its cells."""
        if group.derivation is None:
            rule = self.rule(group.instances[0])
            if rule.where:
                return with_the(rule.where)
        return self.sum_cells(group)

    def sum_cells(self, group: SumGroup) -> str:
        """Return the cells of a sum."""
        cells = [self.unknown_text(unknown) for unknown in group.unknowns]
        return and_list(with_ranges(cells), ALL)


def word_of(instance: GroundRule) -> list[Variable]:
    """Return the unknowns in the order of the rows of a table that a rule states; none if it states
    no table.
    """
    condition = instance.conditions[0]
    if not isinstance(condition, Table):
        return []
    variables = [term for term in condition.terms if isinstance(term, Variable)]
    return variables if len(variables) == len(condition.terms) else []


def _of_cells(names: Iterable[Sentence]) -> str:
    """Return one name for rules that say the same of cells, such as `r1c4 and r1c5 are nearer the
    bulb`; empty for others.
    """
    cells: list[str] = []
    predicates: set[str] = set()
    for name in names:
        if not isinstance(name, RuleName):
            return ""
        cell, _, predicate = name.rule.partition(" is ")
        if CELL_NAME.match(cell) is None:
            return ""
        cells.append(cell)
        predicates.add(predicate)
    if len(predicates) != 1:
        return ""
    subjects = and_list(with_ranges(cells), ALL)
    predicate = predicates.pop()
    return f"{subjects} are {predicate}"


def _value_or_open(value: Value | None) -> str:
    return OPEN_VALUE if value is None else value_text(value)


def is_group_name(name: str) -> bool:
    """Return whether a text is the name of a group, rather than cells."""
    return bool(name) and not CELL_NAME.match(name)


def with_the(where: str) -> str:
    """Return a group or a clue with its article: `the 3 at r1c2`."""
    return f"the {where}" if where[:1].isdigit() else where


def merged(names: Sequence[str]) -> str:
    """Return names of groups, where those with the same first word are joined.

    Examples:
        >>> merged(["row 2", "row 6"]), merged(["r1c1–r1c3", "row 6"])
        ('rows 2 and 6', 'r1c1–r1c3 and row 6')
        >>> merged(["row 4", "row 2", "row 3"])
        'rows 2 to 4'
        >>> merged(["the region of r1c1", "the region of r2c4"])
        'the regions of r1c1 and r2c4'
    """
    names = list(dict.fromkeys(names))
    heads = {name.rpartition(" ")[0] for name in names}
    if len(names) > 1 and len(heads) == 1:
        (head,) = heads
        plural = _plural_head(head)
        if plural:
            return f"{plural} {_numbers([name.rpartition(' ')[2] for name in names])}"
    return and_list(names, ALL)


def _plural_head(head: str) -> str:
    """Return the plural of `row`, and of `the region of`; else an empty text."""
    words = head.split()
    if len(words) == 1 and head.isalpha():
        return plural_of(head)
    if len(words) == 3 and words[0] == "the":
        return f"the {plural_of(words[1])} {words[2]}"
    return ""


def _numbers(texts: Sequence[str]) -> str:
    """Return a list of numbers or names; of three numbers or more in a row, the ends."""
    numbers = sorted(int(text) for text in texts if text.isdecimal())
    if len(numbers) == len(texts) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return and_list(texts, ALL)


def _with_equal_clues(names: Sequence[Sentence]) -> Iterator[Sentence]:
    """Yield names, two clues of the same words as one: *both 1s in row 2*."""
    numbers = Counter(name.clue for name in names if isinstance(name, TheClue))
    merged_clues: set[str] = set()
    for name in names:
        if not isinstance(name, TheClue) or numbers[name.clue] != BOTH:
            yield name
        elif name.clue not in merged_clues:
            merged_clues.add(name.clue)
            yield TheClue(NUMBER_OF_CLUE.sub(r"both \1s", name.clue))
