"""Facts, instances of rules and steps as sentences, in the words of the puzzle's type."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any

from puzzlekit.boards import CIRCLE, Cell, Cells, Corner, Grid, Side
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import SourcePos
from puzzlekit.lang import Definition, Instance, Rule
from puzzlekit.model import Domain, Origin, Value, Variable
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.link_paths import are_beside_cells, path_texts
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
from puzzlekit.reasons.side_names import SideNames
from puzzlekit.sentences import (
    BRACES,
    MOST_NAMED,
    VALUE,
    Clause,
    CluesAt,
    GroupAt,
    Located,
    NumberAt,
    NumberBeside,
    NumberIn,
    PartAt,
    Pattern,
    RuleName,
    RulePart,
    and_list,
    counted,
    grouped_list,
    joined,
    joined_prepositions,
    or_list,
    saying_pattern,
    thing,
    true_or_false,
    value_of,
)

CELL_NAME = re.compile(r"r\d+c\d+")
FEW = 3  # remaining values, which a sentence names rather than those that are excluded

ValueRead = tuple[str, Any, Any]  # what a rule reads of the data: field, index and value
Subjects = dict[Located, ValueLiteral]  # the facts with one predicate, by what they are about
Predicates = dict[Clause, list[ValueLiteral]]  # clauses without a subject, with their facts
Templates = tuple[Pattern, tuple[int, ...] | None]  # with the order of indexes in the templates


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

    @property
    def location(self) -> str:
        """Where it is: its cells, or else its index, or its name without one."""
        cells = ", ".join(map(str, self.cells))
        if cells or self.index == ():
            return cells or spaced(self.name)
        index_text = place_text(self.index)
        return index_text if isinstance(self.index, str) else f"{spaced(self.name)} {index_text}"


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
        has_clue: Whether a clue stands where it is, so that this names it.
        names_values: Whether its name shows values of loop variables, so that it is a clue itself.
        vertex: The vertex that it is about, if it is the part of a rule for a vertex.
    """

    rule: str
    values: Mapping[str, Any]
    where: str
    position: SourcePos | None
    clues: tuple[tuple[str, Any], ...]
    indexes: tuple[Any, ...]
    group: str = ""
    about: str = ""
    has_clue: bool = False
    names_values: bool = False
    vertex: Any = None

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
        line: The first location, if it is a row or a column of the board.
        side: On which side of that line a clue stands that is about the order of its cells.
    """

    locations: list[str | CluesAt] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    is_group: bool = False
    line: Sequence[Cell] | None = None
    side: str = ""


class Words:
    """Makes sentences of facts and rules of a puzzle."""

    def __init__(self, puzzle: Instance) -> None:
        self.puzzle = puzzle
        self.keys: dict[Variable, tuple[str, Any]] = {}
        for name, array in puzzle.families.items():
            for key, variable in array.members.items():
                self.keys[variable] = (name, key)
        self._cells_by_name: dict[str, set[Cell]] = {}  # by the name of unknowns
        self._domains = puzzle.model.domains
        self._rules: dict[str, Rule | Definition] = {}
        rules: list[Rule | Definition] = [*puzzle.type.rules, *puzzle.type.definitions]
        for rule in rules:
            self._rules[_source_position(rule)] = rule
        self._declared = {unknowns.name: unknowns for unknowns in puzzle.type.unknowns}
        self._lines: dict[frozenset[Cell], str] = {}
        for line in _lines(puzzle):
            if len(line) > 1:
                self._lines[frozenset(line)] = str(line)
        self._group_names: dict[frozenset[Cell], str] = {}  # a name may show another group
        self._group_names = dict(self._named_groups())
        sides = (key for _, key in self.keys.values() if isinstance(key, Side))
        self.side_names = SideNames(sides, puzzle.grids)
        # by the identity of an origin and the number of an instance
        self._rule_instances: dict[tuple[int, int], RuleInstance] = {}
        # by the identity of an origin
        self._reads: dict[int, tuple[ValueRead, ...]] = {}
        # by the position of a rule
        self._numbers_are_clues: dict[str, bool] = {}
        # by the name of an unknown
        self._templates: dict[str, Templates] = {}
        over_cells = list(filter(self._has_values_of_cells, puzzle.families))
        # the values of cells need no name, if there is only one array of them
        self.unnamed_array = over_cells[0] if len(over_cells) == 1 else ""

    def _named_groups(self) -> Iterator[tuple[frozenset[Cell], str]]:
        """Yield the groups that the type names; those of the same name also by their first cell.

        A line of a board, and a group with two names, have the first of their names.
        """
        names: dict[frozenset[Cell], tuple[str, Cell]] = {}
        for template, values, cells in self.puzzle.named_groups():
            name = self._name_with_values(template, values)
            names.setdefault(frozenset(cells), (name, cells[0]))
        times = Counter(name for name, _ in names.values())
        for group, (name, first) in names.items():
            if group not in self._lines:
                yield group, str(GroupAt(name, str(first))) if times[name] > 1 else name

    def _has_values_of_cells(self, name: str) -> bool:
        """Return whether unknowns are values of cells that are no truth values."""
        array = self.puzzle.families[name]
        if not array.over_cells():
            return False
        if self._is_truth(next(iter(array))):
            return False
        return not self._declared[name].auxiliary

    def _is_truth(self, variable: Variable) -> bool:
        return all(isinstance(value, bool) for value in self._domains[variable])

    def is_auxiliary(self, name: str) -> bool:
        """Return whether unknowns of a name are no part of a solution."""
        return name in self._declared and self._declared[name].auxiliary

    def is_hidden(self, variable: Variable) -> bool:
        """Return whether an unknown is not of the type, but was made to state a rule."""
        return variable not in self.keys

    def index_text(self, index: Any) -> str:
        """Return an index in words: a row or column of a board by its number, and a group of cells
        by the name that the type gives it.
        """
        if isinstance(index, Corner):
            return self.side_names.corner(index)
        return self.group_name(index) or place_text(index)

    def location(self, index: Any) -> Located:
        """Return where a thing is, with a preposition."""
        if isinstance(index, Side):
            return self.side_names.side(index)
        if isinstance(index, Corner):
            return self.side_names.location(index)
        return index_location(index)

    def clue_text(self, index: Any) -> str:
        """Return an index in words, with the number that stands there as a clue."""
        if isinstance(index, Cell):
            for grid in self.puzzle.grids:
                number = grid.values.get(index) if isinstance(grid.values, Mapping) else None
                if type(number) is int:
                    return f"the {CluesAt(str(number), str(index))}"
        return self.index_text(index)

    def group_name(self, cells: Any) -> str:
        """Return the name of a row, a column or another group of cells; empty without a name."""
        if not isinstance(cells, tuple | list | frozenset) or isinstance(cells, Cell):
            return ""
        if not all(isinstance(cell, Cell) for cell in cells):
            return ""
        group = frozenset(cells)
        return self._lines.get(group, "") or self._group_names.get(group, "")

    def is_line(self, cells: Sequence[Cell]) -> bool:
        """Return whether cells are a row or a column of a board."""
        return frozenset(cells) in self._lines

    def only_corner(self, cells: Collection[Cell | None]) -> str:
        """Return the only corner of the board among cells: `top left`; empty if there is none, or
        several of them.
        """
        names = [name for name, corner in self._corners if corner in cells]
        return names[0] if len(names) == 1 else ""

    @cached_property
    def _corners(self) -> list[tuple[str, Cell]]:
        """The corners of the board, each with its name."""
        cells = frozenset[Cell]().union(*self._lines)
        if not cells:
            return []
        rows = [cell.row for cell in cells]
        columns = [cell.column for cell in cells]
        top, bottom = min(rows), max(rows)
        left, right = min(columns), max(columns)
        return [
            ("top left", Cell(top, left)),
            ("top right", Cell(top, right)),
            ("bottom left", Cell(bottom, left)),
            ("bottom right", Cell(bottom, right)),
        ]

    def is_one_of_several(self, variable: Variable) -> bool:
        """Return whether an unknown of the type is a truth with several indexes."""
        name, _ = self.keys.get(variable, ("", ()))
        return bool(name) and self.puzzle.families[name].arity > 1 and self._is_truth(variable)

    def is_auxiliary_of_several(self, variable: Variable) -> bool:
        """Return whether an unknown of the type is an auxiliary truth with several indexes."""
        if not self.is_one_of_several(variable):
            return False
        name, _ = self.keys[variable]
        return name in self._declared and self._declared[name].auxiliary

    def area(self, unknown: Variable) -> tuple[str, Any]:
        """Return to what an unknown with several indexes says that a cell belongs: its name and its
        first index.
        """
        name, key = self.keys[unknown]
        return name, key[0] if isinstance(key, tuple) and len(key) > 1 else key

    def is_alone(self, unknown: Variable) -> bool:
        """Return whether no other unknown of its name has the same first index."""
        name, key = self.keys[unknown]
        members = self.puzzle.families[name].members
        first_indexes = [index[0] for index in members]
        return first_indexes.count(key[0]) == 1

    def is_plain(self, variable: Variable) -> bool:
        """Return whether it is said of an unknown what it *is*."""
        clause = self._clause(ValueLiteral(variable, ""))
        return clause.pattern.yes.endswith(" is {value}")

    # Facts ----------------------------------------------------------------------------------------

    def fact_text(self, fact: ValueLiteral) -> FactText:
        """Return a fact in words."""
        name, key = self._key(fact.unknown)
        position = self.position(fact.unknown)
        text = self.fact(fact)
        return FactText(name, key, position, fact.value, fact.positive, text)

    def _key(self, variable: Variable) -> tuple[str, Any]:
        """Return the name and the index of an unknown; its own name if it is not of the type."""
        return self.keys.get(variable, (variable.name, ()))

    def position(self, variable: Variable) -> Any:
        """Return where an unknown is: its index, or the last of several."""
        if variable not in self.keys:
            return ()
        name, key = self.keys[variable]
        has_several = self.puzzle.families[name].arity > 1
        return key[-1] if has_several else key

    def fact(self, fact: ValueLiteral) -> str:
        """Return a fact as a clause, such as `r1c2 is 3`."""
        return str(self._clause(fact))

    def facts(
        self,
        facts: Iterable[ValueLiteral],
        most: int | None = MOST_NAMED,
        counted_from: int | None = None,
    ) -> str:
        """Return facts as clauses; those with the same predicate and several subjects are one.

        Args:
            facts: The facts.
            most: How many subjects are named before the others are counted; None for all.
            counted_from: From how many subjects on none of them is named.
        """
        by_predicate: dict[Clause, Subjects] = {}
        for fact in facts:
            clause = self._clause(fact)
            by_predicate.setdefault(clause.predicate(), {}).setdefault(clause.who, fact)
        # by clause, the facts of each value; the clauses of choices lack the value
        by_clause: dict[Clause, dict[str, list[ValueLiteral]]] = {}
        joined = {clause: self._as_paths(clause, who) for clause, who in by_predicate.items()}
        for who, predicates in _with_same_subjects(joined):
            clause = _joined_clause(who, list(predicates), most)
            if counted_from is not None and len(who) >= counted_from:
                clause = replace(clause, who=_counted_subject(who, clause.pattern))
            same_value = next(iter(predicates.values()))
            statement = clause
            if not clause.positive and self._is_choice(same_value[0]):
                statement = replace(clause, value="")
            by_clause.setdefault(statement, {})[clause.value] = same_value
        clauses = []
        for clause, values in by_clause.items():
            clauses.append(str(self._with_values(clause, values)))
        return and_list(clauses, most)

    def _as_paths(self, predicate: Clause, subjects: Subjects) -> Subjects:
        """Return lines from cell to cell as paths; other subjects as they are."""
        facts = list(subjects.values())
        links = [self.position(fact.unknown) for fact in facts]
        if not predicate.positive or len(links) < 2 or not self._is_truth(facts[0].unknown):
            return subjects
        if not are_beside_cells(links):
            return subjects
        first = next(iter(subjects))
        return {replace(first, index=text): facts[0] for text in path_texts(links)}

    def remaining(self, facts: Iterable[ValueLiteral], values: str) -> str:
        """Return that the unknowns of facts have one of some values."""
        by_predicate: dict[Clause, dict[Located, None]] = {}
        for fact in facts:
            clause = replace(self._clause(fact), positive=True, value=values)
            by_predicate.setdefault(clause.predicate(), {})[clause.who] = None
        clauses = []
        for predicate, subjects in by_predicate.items():
            clause = replace(predicate, value=values)
            clauses.append(str(_joined_clause(tuple(subjects), [clause], None)))
        return and_list(clauses, None)

    def denied_of_all(self, facts: Sequence[ValueLiteral]) -> str:
        """Return that none of some facts with the same predicate holds: `none of a and b is 3`."""
        clauses = [replace(self._clause(fact), positive=True) for fact in facts]
        indexes = [str(clause.who) for clause in clauses]
        named = and_list(indexes, None)
        subject = Located("", f"none of {named}")
        return str(replace(clauses[0], who=subject))

    def alternatives(self, facts: Iterable[ValueLiteral]) -> str:
        """Return facts, joined by *or*; those with the same predicate are one clause."""
        clauses = [self._clause(fact) for fact in facts]
        predicates = {clause.predicate() for clause in clauses}
        prepositions = {clause.who.preposition for clause in clauses}
        indexes = {clause.who.index for clause in clauses}
        is_joined = len(prepositions) == 1 or (len(indexes) == 1 and "" not in prepositions)
        if len(clauses) < 2 or len(predicates) > 1 or not is_joined:
            return or_list(list(map(str, clauses)))
        if len(prepositions) == 1:
            (preposition,) = prepositions
            subject = Located(preposition, or_list([clause.who.index for clause in clauses]))
        else:
            ordered = [clause.who.preposition for clause in clauses]
            subject = Located(joined_prepositions(ordered, "or"), clauses[0].who.index)
        return str(replace(clauses[0], who=subject))

    def _with_values(self, clause: Clause, values: Mapping[str, Sequence[ValueLiteral]]) -> Clause:
        """Return a clause with the values that it denies, or with the remaining values if these
        are fewer.
        """
        if clause.value or "" in values:
            return clause
        domains: dict[Domain, None] = {}
        for facts in values.values():
            for fact in facts:
                domains[self._domains.get(fact.unknown, ())] = None
        texts: dict[str, None] = {}
        for domain in domains:
            texts.update(dict.fromkeys(map(value_text, domain)))
        remaining = [text for text in texts if text not in values]
        if 0 < len(remaining) <= FEW and len(remaining) < len(values):
            return replace(clause, positive=True, value=or_list(remaining))
        denied = [text for text in texts if text in values] or [*values]
        return replace(clause, value=or_list(denied))

    def _is_choice(self, fact: ValueLiteral) -> bool:
        """Return whether an unknown has one of several values, of which each can be denied."""
        if self._is_truth(fact.unknown):
            return False
        name, _ = self.keys.get(fact.unknown, ("", ()))
        return name not in self.puzzle.type.say

    def _clause(self, fact: ValueLiteral) -> Clause:
        name, key = self._key(fact.unknown)
        positive = fact.positive
        if self._is_truth(fact.unknown):
            positive = fact.positive == (fact.value is not False)
        if name not in self._templates:
            self._templates[name] = self._templates_of(fact.unknown)
        pattern, order = self._templates[name]
        others: list[str] = []
        if order is not None:
            indexes = [key]
            if len(order) > 1:
                indexes = [key[position] for position in order]
            first = self.index_text(indexes[0])
            others = list(map(self.clue_text, indexes[1:]))
            subject = Located("", first)
        elif pattern.placed and name in self._declared:
            subject = self.location(key)
        else:
            subject = Located("", self._subject_text(name, key))
        text = value_text(fact.value)
        return Clause(pattern, positive, text, tuple(others), subject)

    def _templates_of(self, variable: Variable) -> Templates:
        """Return the templates for facts of an unknown, and the order of its indexes in them if
        they contain indexes.
        """
        name, key = self.keys.get(variable, ("", ()))
        say = self.puzzle.type.say
        if name in say:
            return saying_pattern(say[name], self._declared[name].indexes)
        if not name or name == self.unnamed_array:
            return VALUE, None
        words = spaced(name)
        if not self._is_truth(variable):
            is_placed = key != () or name not in self._declared
            return value_of(words, is_placed), None
        if not self._declared[name].indexes:
            return true_or_false(words), None
        return thing(words), None

    def _subject_text(self, name: str, key: Any) -> str:
        """Return what a fact is about: an index, or the name of an unknown without one."""
        if key == () and name not in self._declared:
            return name
        return place_text(key)

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
        visible = [variable for variable in variables if variable in self.keys]
        indexes = tuple(dict.fromkeys(map(self.position, visible)))
        name = origin.rule
        loop_values = {name: self._cells_of(value) for name, value in origin.bindings}
        if isinstance(rule, Rule) and origin.values_in_name:
            name = self._name_with_values(rule.name, loop_values)
            for variable_name in list(loop_values):
                if f"{{{variable_name}}}" in rule.name:
                    del loop_values[variable_name]
        where = self._where(loop_values, clue_texts, indexes, origin)
        vertex = shared_end(indexes) if rule_part and not where else None
        if vertex is not None:
            where = self.index_text(vertex)
        bindings = dict(origin.bindings)
        group = self._only_group(bindings.values(), indexes, self._cells_of_arrays(visible))
        has_more = any(isinstance(loop_value, int) for loop_value in loop_values.values())
        name_of_cells = self._group_names.get(frozenset(indexes), "")
        if name_of_cells and not has_more:
            where = group = name_of_cells
        clues = tuple((field_name, index) for field_name, index, _ in clues_read)
        about = "" if rule_part is None else str(rule_part)
        position = origin.position
        has_clue = bool(clues) or self._has_clues_as_numbers(origin)
        instance = RuleInstance(
            name, bindings, where, position, clues, indexes, group, about, has_clue
        )
        return replace(instance, names_values=bool(origin.values_in_name), vertex=vertex)

    def _has_clues_as_numbers(self, origin: Origin) -> bool:
        """Return whether the numbers among the loop values of a rule are clues of its other loop
        values: where there is one of them for each.
        """
        position = str(origin.position)
        if position not in self._numbers_are_clues:
            numbers: dict[str, set[str]] = {}
            for constraint in self.puzzle.model.constraints:
                if str(constraint.origin.position) == position:
                    by_type: dict[bool, list[str]] = {True: [], False: []}
                    for _, value in constraint.origin.bindings:
                        by_type[_is_number_or_several(value)].append(str(value))
                    others, integers = str(by_type[False]), str(by_type[True])
                    numbers.setdefault(others, set()).add(integers)
            has_others = all(others != "[]" for others in numbers)
            of_values = numbers.values()
            is_one = all(len(each) == 1 and "[]" not in each for each in of_values)
            self._numbers_are_clues[position] = has_others and is_one
        return self._numbers_are_clues[position]

    def _cells_of(self, loop_value: Any) -> Any:
        """Return where the unknowns of a group are; any other value as it is."""
        if not isinstance(loop_value, tuple | list) or not loop_value:
            return loop_value
        if not all(isinstance(each, Variable) for each in loop_value):
            return loop_value
        return tuple(map(self.position, loop_value))

    def _cells_of_arrays(self, variables: Iterable[Variable]) -> set[Cell]:
        """Return the cells that have an unknown of the same names as some unknowns."""
        cells: set[Cell] = set()
        for name in {self.keys[variable][0] for variable in variables}:
            if name not in self._cells_by_name:
                keys = self.puzzle.families[name].members
                self._cells_by_name[name] = {cell for key in keys for cell in cells_in(key)}
            cells |= self._cells_by_name[name]
        return cells

    def _only_group(
        self, values: Iterable[Any], indexes: Sequence[Any], cells: Collection[Cell]
    ) -> str:
        """Return the only group of several cells among values; empty if there is not just one.

        A rule that is about some cells of it, such as three cells of a column, is named by these.

        Args:
            values: The values.
            indexes: The indexes of the unknowns that the rule is about.
            cells: The cells that have such unknowns.
        """
        plain_groups = (value for value in values if depth(value) == 1)
        groups = [group for group in plain_groups if len(cells_in(group)) > 1]
        if len(groups) != 1:
            return ""
        cells_of_rule = {cell for index in indexes for cell in cells_in(index)}
        skipped = {cell for cell in cells_in(groups[0]) if cell in cells} - cells_of_rule
        if cells_of_rule and skipped and cells_of_rule.issubset(cells_in(groups[0])):
            return self.index_text(indexes)
        return self.index_text(groups[0])

    def _values_read(self, rule: Rule | Definition | None, origin: Origin) -> tuple[ValueRead, ...]:
        """Return what a rule reads of the data with the loop values of an origin; nothing if that
        is about all its loop values together.
        """
        if isinstance(rule, Rule) and rule.expression.loops and not origin.names:
            return ()
        if isinstance(rule, Rule) and id(origin) not in self._reads:
            self._reads[id(origin)] = self.puzzle.reads(rule, origin)
        return self._reads.get(id(origin), ())

    def _name_with_values(self, name: str, values: Mapping[str, Any]) -> str:
        """Return the name of a rule with loop values in place of its braces."""

        def replacement(braces: re.Match[str]) -> str:
            variable = braces[1]
            return self.index_text(values[variable]) if variable in values else braces[0]

        return BRACES.sub(replacement, name)

    def breach(self, instance: GroundRule) -> str:
        """Return what would be so if a rule was broken, in the words of the type; empty if it has
        none.
        """
        origin = instance.origin
        rule = self._rules.get(str(origin.position))
        if rule is None or rule.name not in self.puzzle.type.breaches:
            return ""
        template = self.puzzle.type.breaches[rule.name]
        return self._name_with_values(template, dict(origin.bindings))

    def _where(
        self,
        values: Mapping[str, Any],
        clues: Mapping[Any, list[str]],
        indexes: Sequence[Any],
        origin: Origin,
    ) -> str:
        """Return loop values in words: locations with the clues there, and all other values.

        Numbers that are clues are told without the names of their variables.
        """
        with_names = not self._has_clues_as_numbers(origin)
        texts = self._loop_values(values, clues, indexes, with_names)
        is_directed = str(origin.position) in self._rules_of_both_ends
        if is_directed and texts.line is not None:
            texts.side = _side(texts.line)
        if not _names_clue_of_cell(values, clues):
            for index in _indexes_outside(values, clues)[:MOST_NAMED]:
                texts.locations.append(self._clues_at(index, clues[index]))
        locations = dict.fromkeys(map(str, texts.locations))
        where = and_list(list(locations))
        number = and_list(texts.numbers)
        has_few = len(indexes) <= MOST_NAMED and len(indexes) < len(self.keys)
        if number and has_few and not texts.locations:
            where = and_list(list(map(self.index_text, indexes)))
            texts.is_group = len(indexes) > 1
        if where and number and texts.side:
            where = str(NumberBeside(number, texts.side, where))
        elif where and number:
            sentence_type = NumberIn if texts.is_group else NumberAt
            where = str(sentence_type(number, where))
        return joined((where or number, *texts.names), ", ")

    def _loop_values(
        self,
        values: Mapping[str, Any],
        clues: Mapping[Any, list[str]],
        indexes: Sequence[Any],
        with_names: bool,
    ) -> _LoopValues:
        """Return loop values as text, sorted by what they are; numbers perhaps with the names of
        their variables.
        """
        texts = _LoopValues()
        for name, value in values.items():
            if isinstance(value, int) and not isinstance(value, bool):
                is_named = with_names and len(name) > 1
                texts.numbers.append(f"{spaced(name)} {value}" if is_named else str(value))
            elif isinstance(value, str):
                if value not in CIRCLE:  # the facts beside it show a direction
                    texts.names.append(value_text(value))
            elif depth(value) == 1 and _has_clue_among(value, values, clues):
                continue  # that clue is named instead
            elif depth(value) == 1 and None in value:
                continue  # a list of clues, of which the rule reads one
            elif depth(value) == 1 and self._lies_within_cells(value, values, indexes):
                continue  # its cells that the rule is about are named instead
            elif depth(value) == 1 and _is_of_integers(value):
                numbers = and_list(list(map(str, value)))
                texts.numbers.append(f"{spaced(name)} {numbers}" if with_names else numbers)
            elif depth(value) < 2:
                clues_there = clues.get(value) if isinstance(value, Hashable) else None
                if not texts.locations:
                    texts.is_group = not clues_there and self._is_group(value)
                    texts.line = value if self._is_line(value) else None
                texts.locations.append(self._clues_at(value, clues_there))
        return texts

    def _is_line(self, value: Any) -> bool:
        """Return whether a loop value is a row or a column of a board."""
        if not self.group_name(value):
            return False
        return frozenset(value) in self._lines

    @cached_property
    def _rules_of_both_ends(self) -> set[str]:
        """The positions of the rules that read a line from both ends, for a clue at each."""
        orders: dict[tuple[str, frozenset[Cell]], set[tuple[Cell, ...]]] = {}
        for constraint in self.puzzle.model.constraints:
            position = str(constraint.origin.position)
            for _, value in constraint.origin.bindings:
                cells = self._cells_of(value)
                if self._is_line(cells):
                    line = frozenset(cells)
                    orders.setdefault((position, line), set()).add(tuple(cells))
        return {position for (position, _), each in orders.items() if len(each) > 1}

    def _lies_within_cells(
        self, group: Any, values: Mapping[str, Any], indexes: Sequence[Any]
    ) -> bool:
        """Return whether a rule is only about some cells of a group, which are loop values, too."""
        cells = {value for value in values.values() if isinstance(value, Cell)}
        return bool(indexes) and cells.issuperset(indexes) and cells.issubset(cells_in(group))

    def _is_group(self, value: Any) -> bool:
        """Return whether a value is a line of the board or another group of several things."""
        if depth(value) != 1:
            return False
        return len(value) > 2 or frozenset(value) in self._lines

    def _clues_at(self, index: Any, clues: Sequence[str] | None) -> str | CluesAt:
        """Return an index, with the clues that stand there; a cell by the name that the type gives
        it.
        """
        if isinstance(index, Cell) and frozenset([index]) in self._group_names:
            return self._group_names[frozenset([index])]
        index_text = self.index_text(index)
        return CluesAt(and_list(clues), index_text) if clues else index_text


def _counted_subject(subjects: Sequence[Located], pattern: Pattern) -> Located:
    """Return how many subjects there are: cells, or other places."""
    are_cells = all(CELL_NAME.fullmatch(subject.index) for subject in subjects)
    number = counted(len(subjects), "cell" if are_cells else "place")
    if not pattern.placed and not pattern.yes.startswith("{who}"):
        return Located("at", number)
    prepositions = {subject.preposition for subject in subjects}
    return Located(subjects[0].preposition if len(prepositions) == 1 else "", number)


def _side(line: Sequence[Cell]) -> str:
    """Return at which end of a board a row or a column begins."""
    first, last = line[0], line[-1]
    if first.column < last.column:
        return "at the left of"
    if first.column > last.column:
        return "at the right of"
    return "above" if first.row < last.row else "below"


def _with_same_subjects(
    by_predicate: Mapping[Clause, Subjects],
) -> Iterator[tuple[tuple[Located, ...], Predicates]]:
    """Yield subjects with their predicates, which differ at most in one further index."""
    alike: dict[tuple[Clause, tuple[Located, ...]], Predicates] = {}
    for predicate, subjects in by_predicate.items():
        template = predicate
        if len(predicate.others) == 1:
            template = replace(predicate, others=())
        group = alike.setdefault((template, tuple(subjects)), {})
        group[predicate] = list(subjects.values())
    for (_, who), predicates in alike.items():
        yield who, predicates


def _joined_clause(
    who: Sequence[Located], predicates: Sequence[Clause], most: int | None
) -> Clause:
    """Return one clause for several subjects and for predicates that differ in a further index."""
    predicate = predicates[0]
    subject = Located("", grouped_list(who, most))
    clause = replace(predicate, who=subject, many=len(who) > 1)
    if len(predicate.others) == 1:
        others = [alternative.others[0] for alternative in predicates if alternative.others]
        together = predicate.positive or len(predicates) == 1
        clause = replace(clause, others=(and_list(others) if together else or_list(others),))
    return clause


def _names_clue_of_cell(values: Mapping[str, Any], clues: Mapping[Any, list[str]]) -> bool:
    """Return whether a loop value is a cell with a clue, beside which no other need be told."""
    return any(isinstance(value, Cell) and value in clues for value in values.values())


def _indexes_outside(values: Mapping[str, Any], clues: Mapping[Any, list[str]]) -> list[Any]:
    """Return the indexes of clues in cells that are not among loop values, nor in their groups."""
    inside: set[Cell] = set()
    for value in values.values():
        if depth(value) == 1:
            inside.update(cells_in(value))
    outside = []
    for index in clues:
        is_loop_value = index in values.values()
        if not is_loop_value and index not in inside and cells_in(index):
            outside.append(index)
    return outside


def _has_clue_among(group: Any, values: Mapping[str, Any], clues: Mapping[Any, list[str]]) -> bool:
    """Return whether a group has a cell that is a loop value, too, and has a clue."""
    loop_values = values.values()
    return any(cell in clues for cell in cells_in(group) if cell in loop_values)


def _is_number_or_several(value: Any) -> bool:
    if type(value) is int:
        return True
    return depth(value) == 1 and bool(value) and _is_of_integers(value)


def _is_of_integers(group: Any) -> bool:
    if cells_in(group):
        return False
    return all(type(element) is int for element in group)


def shared_end(links: Sequence[Any]) -> Any:
    """Return the end that all links and cells share; None if there is not just one."""
    ends = []
    for link in links:
        is_link = isinstance(link, tuple) and len(link) == 2
        if isinstance(link, Cell):
            ends.append({link})
        else:
            ends.append({*link} if is_link else set())
    shared = set.intersection(*ends) if ends else set()
    return next(iter(shared)) if len(shared) == 1 else None


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
