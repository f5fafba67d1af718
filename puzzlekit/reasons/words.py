"""Facts, instances of rules and steps as sentences, in the words of the puzzle's type."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from puzzlekit.boards import Cell, Cells, Grid
from puzzlekit.errors import SourcePos
from puzzlekit.lang import Instance
from puzzlekit.lang.puzzle_type import Definition, Rule
from puzzlekit.model import Origin, Value, Variable
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.literals import Literals, ValueLiteral
from puzzlekit.reasons.places import (
    cells_in,
    depth,
    index_location,
    is_clue,
    place_text,
    spaced,
    value_text,
)
from puzzlekit.sentences.clauses import (
    BRACES,
    VALUE,
    Clause,
    Pattern,
    saying_pattern,
    thing,
    true_or_false,
    value_of,
)
from puzzlekit.sentences.formatting import (
    MOST_NAMED,
    Located,
    and_list,
    grouped_list,
    joined,
    or_list,
)
from puzzlekit.sentences.steps import CluesAt, NumberAt, NumberIn, PartAt, RuleName, RulePart

FEW = 3  # remaining values, which a sentence names rather than those that are excluded

ValueRead = tuple[str, Any, Any]  # what a rule reads of the data: field, index and value
Subjects = dict[Located, ValueLiteral]  # the facts with one predicate, by what they are about


@dataclass(frozen=True)
class FactText:
    """A fact about an unknown of a puzzle, for people.

    Attributes:
        name: The name of the unknown, as the type declares it.
        index: Its index; () without one, a tuple if it has several.
        index_cell: Where it is: the index, or the last of several.
        value: The value.
        positive: Whether it has the value, or is known not to have it.
        text: The fact in words.
    """

    name: str
    index: Any
    index_cell: Any
    value: Value
    positive: bool
    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that it is about."""
        return cells_in(self.index_cell)


@dataclass(frozen=True)
class RuleInstance:
    """A rule with values of its loop variables.

    Attributes:
        rule: The name of the rule.
        values: The values of its loop variables by name.
        where: The values in words, with the clues there; may be empty.
        position: Where the rule stands in the type.
        clues: What it reads of the data there: the name of a field, or of what a `let` makes of
            fields, with the index of the value.
        indexes: The indexes of the unknowns that it is about; of several indexes, the last.
        group: The group of cells that it is about, such as `row 1`; empty if it has none, or
            several.
        about: Which part of its rule it is, in words; empty if it is the entire rule.
    """

    rule: str
    values: Mapping[str, Any]
    where: str
    position: SourcePos | None
    clues: tuple[tuple[str, Any], ...]
    indexes: tuple[Any, ...]
    group: str = ""
    about: str = ""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the unknowns that it is about."""
        return tuple(dict.fromkeys(cell for index in self.indexes for cell in cells_in(index)))

    def __str__(self) -> str:
        where = self.where
        if self.about:
            where = str(PartAt(self.about, where))
        return str(RuleName(self.rule, where))

    def json(self) -> dict[str, Any]:
        """Return its name, where it is and its cells as plain data."""
        return {"rule": self.rule, "where": self.where, "cells": list(map(str, self.cells))}


@dataclass
class _LoopValues:
    """The loop values of an instance, as text.

    Attributes:
        locations: Cells and groups of cells, with the clues there.
        numbers: Numbers, with the names of their variables.
        names: Values that are texts.
        is_group: Whether the first location is a group of several cells.
    """

    locations: list[str | CluesAt] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    is_group: bool = False


class Words:
    """Makes sentences of facts and rules of a puzzle."""

    def __init__(self, puzzle: Instance) -> None:
        self.puzzle = puzzle
        self.keys: dict[Variable, tuple[str, Any]] = {}
        for name, array in puzzle.families.items():
            for key, variable in array.members.items():
                self.keys[variable] = (name, key)
        self._domains = puzzle.model.domains
        self._rules: dict[str, Rule | Definition] = {}
        self._rules |= {_source_position(rule): rule for rule in puzzle.type.rules}
        for definition in puzzle.type.definitions:
            self._rules[_source_position(definition)] = definition
        self._declared = {unknowns.name: unknowns for unknowns in puzzle.type.unknowns}
        self._lines = {frozenset(line): str(line) for line in _lines(puzzle) if len(line) > 1}
        # by the identity of an origin and the number of an instance
        self._rule_instances: dict[tuple[int, int], RuleInstance] = {}
        # by the identity of an origin
        self._reads: dict[int, tuple[ValueRead, ...]] = {}
        # by the name of an unknown, with the order of its indexes in the template
        self._patterns: dict[str, tuple[Pattern, tuple[int, ...] | None]] = {}
        over_cells = [name for name in puzzle.families if self._has_values_of_cells(name)]
        # the values of cells need no name, if there is only one array of them
        self.unnamed_array = over_cells[0] if len(over_cells) == 1 else ""

    def _has_values_of_cells(self, name: str) -> bool:
        """Return whether unknowns are values of cells that are no truth values."""
        array = self.puzzle.families[name]
        if not array.over_cells() or self._is_truth(next(iter(array))):
            return False
        return not self._declared[name].auxiliary

    def _is_truth(self, variable: Variable) -> bool:
        return all(isinstance(value, bool) for value in self._domains[variable])

    def is_auxiliary_denial(self, fact: ValueLiteral) -> bool:
        """Return whether a fact only says that an auxiliary truth does not hold."""
        name = self.keys[fact.unknown][0]
        return name in self._declared and self._declared[name].auxiliary and fact.value is False

    def is_hidden(self, variable: Variable) -> bool:
        """Return whether an unknown is not of the type, but was made to state a rule."""
        return variable not in self.keys

    def index_text(self, index: Any) -> str:
        """Return an index in words; an entire row or column of a board by its number."""
        if isinstance(index, tuple) and all(isinstance(element, Cell) for element in index):
            line = self._lines.get(frozenset(index))
            if line:
                return line
        return place_text(index)

    # Facts ----------------------------------------------------------------------------------------

    def fact_text(self, fact: ValueLiteral) -> FactText:
        """Return a fact in words."""
        name, key = self.keys.get(fact.unknown, (fact.unknown.name, ()))
        position = self.position(fact.unknown)
        return FactText(name, key, position, fact.value, fact.positive, self.fact(fact))

    def position(self, variable: Variable) -> Any:
        """Return where an unknown is: its index, or the last of several."""
        name, key = self.keys.get(variable, ("", ()))
        return key[-1] if name and self.puzzle.families[name].arity > 1 else key

    def fact(self, fact: ValueLiteral) -> str:
        """Return a fact as a clause, such as `r1c2 is 3`."""
        return str(self._clause(fact))

    def facts(self, facts: Iterable[ValueLiteral], most: int = MOST_NAMED) -> str:
        """Return facts as clauses; those with the same predicate and several subjects are one."""
        by_predicate: dict[Clause, Subjects] = {}
        for fact in facts:
            clause = self._clause(fact)
            by_predicate.setdefault(clause.predicate(), {}).setdefault(clause.who, fact)
        # predicates with the same subjects, which differ at most in one further index
        alike: dict[tuple[Clause, tuple[Located, ...]], dict[Clause, list[ValueLiteral]]] = {}
        for predicate, subjects in by_predicate.items():
            template = predicate
            if len(predicate.others) == 1:
                template = replace(predicate, others=())
            group = alike.setdefault((template, tuple(subjects)), {})
            group[predicate] = list(subjects.values())
        # by clause, the facts of each value; the clauses of choices lack the value
        by_clause: dict[Clause, dict[str, list[ValueLiteral]]] = {}
        for (_, who), predicates in alike.items():
            clause = _joined_clause(who, list(predicates), most)
            same_value = next(iter(predicates.values()))
            statement = clause
            if not clause.positive and self._is_choice(same_value[0]):
                statement = replace(clause, value="")
            by_clause.setdefault(statement, {})[clause.value] = same_value
        clauses = [self._with_values(clause, values) for clause, values in by_clause.items()]
        return and_list(list(map(str, clauses)), most)

    def _with_values(self, clause: Clause, values: Mapping[str, Sequence[ValueLiteral]]) -> Clause:
        """Return a clause with the values that it denies, or with the remaining values if these
        are fewer.
        """
        if clause.value or "" in values:
            return clause
        unknowns = [fact.unknown for facts in values.values() for fact in facts]
        domains = dict.fromkeys(self._domains.get(unknown, ()) for unknown in unknowns)
        texts = [*dict.fromkeys(value_text(value) for domain in domains for value in domain)]
        remaining = [text for text in texts if text not in values]
        if 0 < len(remaining) <= FEW and len(remaining) < len(values):
            return replace(clause, positive=True, value=or_list(remaining))
        denied = [text for text in texts if text in values] or [*values]
        return replace(clause, value=or_list(denied))

    def _is_choice(self, fact: ValueLiteral) -> bool:
        """Return whether an unknown has one of several values, of which each can be denied."""
        if self._is_truth(fact.unknown):
            return False
        return self.keys.get(fact.unknown, ("",))[0] not in self.puzzle.type.say

    def _clause(self, fact: ValueLiteral) -> Clause:
        name, key = self.keys.get(fact.unknown, (fact.unknown.name, ()))
        positive = fact.positive
        if self._is_truth(fact.unknown):
            positive = fact.positive == (fact.value is not False)
        if name not in self._patterns:
            self._patterns[name] = self._pattern(fact.unknown)
        pattern, order = self._patterns[name]
        others: list[str] = []
        if order is not None:
            indexes = (key,) if len(order) == 1 else tuple(key[position] for position in order)
            first, *others = map(self.index_text, indexes)
            subject = Located("", first)
        elif pattern.placed and name in self._declared:
            subject = index_location(key)
        else:
            subject = Located("", self._subject_text(name, key))
        return Clause(pattern, positive, value_text(fact.value), tuple(others), subject)

    def _pattern(self, variable: Variable) -> tuple[Pattern, tuple[int, ...] | None]:
        """Return the templates for facts of an unknown, and the order of its indexes in them if
        they contain indexes.
        """
        name, key = self.keys.get(variable, ("", ()))
        if name in self.puzzle.type.say:
            return saying_pattern(self.puzzle.type.say[name], self._declared[name].indexes)
        if not name or name == self.unnamed_array:
            return VALUE, None
        if not self._is_truth(variable):
            return value_of(spaced(name), placed=key != () or name not in self._declared), None
        if not self._declared[name].indexes:
            return true_or_false(spaced(name)), None
        return thing(spaced(name)), None

    def _subject_text(self, name: str, key: Any) -> str:
        """Return what a fact is about: an index, or the name of an unknown without one."""
        return place_text(key) if key != () or name in self._declared else name

    # Rules ----------------------------------------------------------------------------------------

    def rules(self, instances: Iterable[GroundRule], literals: Literals) -> list[RuleInstance]:
        """Return instances of rules in words, each once."""
        rules: dict[str, RuleInstance] = {}
        for instance in instances:
            for origin in instance.origins:
                key = id(origin), instance.number
                if key not in self._rule_instances:
                    numbers = filter(literals.is_value_literal, instance.scope)
                    unknowns = dict.fromkeys(literals.fact(number).unknown for number in numbers)
                    self._rule_instances[key] = self._rule(origin, unknowns, instance.rule_part)
                rule = self._rule_instances[key]
                rules.setdefault(str(rule), rule)
        return list(rules.values())

    def _rule(
        self, origin: Origin, variables: Iterable[Variable], rule_part: RulePart | None
    ) -> RuleInstance:
        """Return an instance of a rule in words; `variables` are the unknowns that it is about."""
        rule = self._rules.get(str(origin.position))
        values_read = self._values_read(rule, origin)
        clues_read = [entry for entry in values_read if is_clue(entry[2])]
        clue_texts: dict[Any, list[str]] = {index: [] for _, index, _ in values_read}
        for _, index, clue in clues_read:
            clue_texts[index].append(value_text(clue))
        clue_texts = {index: texts for index, texts in clue_texts.items() if texts}
        positions = (self.position(variable) for variable in variables if variable in self.keys)
        indexes = tuple(dict.fromkeys(positions))
        name = origin.rule
        loop_values = dict(origin.bindings)
        if isinstance(rule, Rule) and origin.values_in_name:
            name = self._name_with_values(rule.name, loop_values)
            for variable_name in list(loop_values):
                if f"{{{variable_name}}}" in rule.name:
                    del loop_values[variable_name]
        where = self._where(loop_values, clue_texts, indexes)
        if rule_part and not where:
            where = _shared_end(indexes)
        bound_values = [value for _, value in origin.bindings]
        groups = [value for value in bound_values if len(cells_in(value)) > 1 and depth(value) == 1]
        return RuleInstance(
            rule=name,
            values=dict(origin.bindings),
            where=where,
            position=origin.position,
            clues=tuple((name, index) for name, index, _ in clues_read),
            indexes=indexes,
            group=self.index_text(groups[0]) if len(groups) == 1 else "",
            about="" if rule_part is None else str(rule_part),
        )

    def _values_read(self, rule: Rule | Definition | None, origin: Origin) -> tuple[ValueRead, ...]:
        """Return what a rule reads of the data with the loop values of an origin."""
        if isinstance(rule, Rule) and id(origin) not in self._reads:
            self._reads[id(origin)] = self.puzzle.reads(rule, origin)
        return self._reads.get(id(origin), ())

    def _name_with_values(self, name: str, values: Mapping[str, Any]) -> str:
        """Return the name of a rule with loop values in place of its braces."""
        texts = {variable: self.index_text(value) for variable, value in values.items()}
        return BRACES.sub(lambda braces: texts.get(braces[1], braces[0]), name)

    def _where(
        self, values: Mapping[str, Any], clues: Mapping[Any, list[str]], indexes: Sequence[Any]
    ) -> str:
        """Return loop values in words: locations with the clues there, and all other values."""
        texts = self._loop_values(values, clues)
        groups = [value for value in values.values() if depth(value) == 1]
        inside = {cell for group in groups for cell in cells_in(group)}
        outside = [index for index in clues if index not in values.values() and index not in inside]
        named = [index for index in outside if cells_in(index)][:MOST_NAMED]
        texts.locations += [self._clues_at(index, clues[index]) for index in named]
        where = and_list([*dict.fromkeys(map(str, texts.locations))])
        number = and_list(texts.numbers)
        few_indexes = len(indexes) <= MOST_NAMED and len(indexes) < len(self.keys)
        if not texts.locations and number and few_indexes:
            where = and_list([self.index_text(index) for index in indexes])
            texts.is_group = len(indexes) > 1
        if where and number:
            sentence_type = NumberIn if texts.is_group else NumberAt
            where = str(sentence_type(number, where))
        return joined((where or number, *texts.names), ", ")

    def _loop_values(
        self, values: Mapping[str, Any], clues: Mapping[Any, list[str]]
    ) -> _LoopValues:
        """Return loop values as text, sorted by what they are."""
        texts = _LoopValues()
        for name, value in values.items():
            if isinstance(value, int) and not isinstance(value, bool):
                texts.numbers.append(f"{spaced(name)} {value}" if len(name) > 1 else str(value))
            elif isinstance(value, str):
                texts.names.append(value_text(value))
            elif depth(value) == 1 and _has_clue_among(value, values, clues):
                continue  # that clue is named instead
            elif depth(value) == 1 and _is_of_integers(value):
                numbers = and_list(list(map(str, value)))
                texts.numbers.append(f"{spaced(name)} {numbers}")
            elif depth(value) < 2:
                clues_there = clues.get(value) if isinstance(value, Hashable) else None
                if not texts.locations:
                    texts.is_group = not clues_there and self._is_group(value)
                texts.locations.append(self._clues_at(value, clues_there))
        return texts

    def _is_group(self, value: Any) -> bool:
        """Return whether a value is a line of the board or another group of several things."""
        return depth(value) == 1 and (len(value) > 2 or frozenset(value) in self._lines)

    def _clues_at(self, index: Any, clues: Sequence[str] | None) -> str | CluesAt:
        """Return an index, with the clues that stand there."""
        index_text = self.index_text(index)
        return CluesAt(and_list(clues), index_text) if clues else index_text


def _joined_clause(who: Sequence[Located], predicates: Sequence[Clause], most: int) -> Clause:
    """Return one clause for several subjects and for predicates that differ in a further index."""
    predicate = predicates[0]
    subject = Located("", grouped_list(who, most))
    clause = replace(predicate, who=subject, many=len(who) > 1)
    if len(predicate.others) == 1:
        others = [alternative.others[0] for alternative in predicates if alternative.others]
        together = predicate.positive or len(predicates) == 1
        clause = replace(clause, others=(and_list(others) if together else or_list(others),))
    return clause


def _has_clue_among(group: Any, values: Mapping[str, Any], clues: Mapping[Any, list[str]]) -> bool:
    """Return whether a group has a cell that is a loop value, too, and has a clue."""
    loop_values = values.values()
    return any(cell in clues for cell in cells_in(group) if cell in loop_values)


def _is_of_integers(group: Any) -> bool:
    return not cells_in(group) and all(type(element) is int for element in group)


def _shared_end(links: Sequence[Any]) -> str:
    """Return the end that all links share, in words; empty if there is not just one."""
    ends = [{*link} if isinstance(link, tuple) and len(link) == 2 else set() for link in links]
    shared = set.intersection(*ends) if ends else set()
    return place_text(*shared) if len(shared) == 1 else ""


def _source_position(rule: Rule | Definition) -> str:
    text = rule.expression.text
    return str(text.source.start(text.node))


def _lines(puzzle: Instance) -> Iterable[Cells]:
    """Return the rows and columns of the boards of a puzzle, or of the cells with unknowns."""
    boards = puzzle.grids
    if not boards:
        arrays = [array for array in puzzle.families.values() if array.over_cells() and len(array)]
        boards = [Grid(dict.fromkeys(array.members)) for array in arrays]
    return (line for board in boards for line in (*board.rows, *board.columns))
