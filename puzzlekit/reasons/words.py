"""Facts, instances of rules and steps as sentences, in the words of the puzzle's type."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
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
    is_clue,
    place_text,
    spaced,
    value_text,
    where,
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

FEW = 3  # values that are left, which a sentence names rather than those that are excluded


@dataclass(frozen=True)
class FactText:
    """A fact about an unknown of a puzzle, for people.

    Attributes:
        name: The name of the unknown, as the type declares it.
        index: Its index; () without one, a tuple if it has several.
        at: Where it is: the index, or the last of several.
        value: The value.
        holds: Whether it has the value, or is known not to have it.
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
        place: Where the rule stands in the type.
        clues: What it reads of the data there: the name of a field, or of what a `let` makes of
            fields, with the index of the value.
        places: The places of the unknowns that it is about: indexes, or of several indexes the
            last.
        group: The group of cells that it is about, such as `row 1`; empty if it has none, or
            several.
        about: Which part of its rule it is, in words; empty if it is the whole.
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
        return tuple(dict.fromkeys(cell for place in self.indexes for cell in cells_in(place)))

    def __str__(self) -> str:
        where = str(PartAt(self.about, self.where)) if self.about else self.where
        return str(RuleName(self.rule, where))


class Words:
    """Makes sentences of what is known of a puzzle."""

    def __init__(self, puzzle: Instance) -> None:
        self.puzzle = puzzle
        self.keys: dict[Variable, tuple[str, Any]] = {
            variable: (name, key)
            for name, family in puzzle.families.items()
            for key, variable in family.members.items()
        }
        self._domains = puzzle.model.domains
        self._rules: dict[str, Rule | Definition] = {}
        self._rules |= {_place(rule): rule for rule in puzzle.type.rules}
        self._rules |= {_place(made): made for made in puzzle.type.definitions}
        self._declared = {unknowns.name: unknowns for unknowns in puzzle.type.unknowns}
        self._lines = {frozenset(line): str(line) for line in _lines(puzzle) if len(line) > 1}
        self._told: dict[tuple[int, int], RuleInstance] = {}  # by origin and instance
        self._read: dict[
            int, tuple[tuple[str, Any, Any], ...]
        ] = {}  # by origin, what its turn reads
        self._patterns: dict[str, tuple[Pattern, tuple[int, ...] | None]] = {}  # by name
        over_cells = [
            name
            for name, family in puzzle.families.items()
            if family.over_cells()
            and not self._is_truth(next(iter(family)))
            and not self._declared[name].auxiliary
        ]
        self.unnamed_array = (
            over_cells[0] if len(over_cells) == 1 else ""
        )  # the values of cells need no name

    def _is_truth(self, variable: Variable) -> bool:
        return all(isinstance(value, bool) for value in self._domains[variable])

    def is_auxiliary_denial(self, fact: ValueLiteral) -> bool:
        """Return whether a fact only says that an auxiliary truth does not hold."""
        name = self.keys[fact.unknown][0]
        return name in self._declared and self._declared[name].auxiliary and fact.value is False

    def is_hidden(self, variable: Variable) -> bool:
        """Return whether an unknown is not of the type, but was made to state a rule."""
        return variable not in self.keys

    def index_text(self, value: Any) -> str:
        """Return an index in words; a whole row or column of a board by its number."""
        whole = (
            isinstance(value, tuple)
            and all(isinstance(part, Cell) for part in value)
            and self._lines.get(frozenset(value))
        )
        return whole or place_text(value)

    # Facts ----------------------------------------------------------------------------------------

    def fact_text(self, fact: ValueLiteral) -> FactText:
        """Return a fact in words."""
        name, key = self.keys.get(fact.unknown, (fact.unknown.name, ()))
        return FactText(
            name, key, self.position(fact.unknown), fact.value, fact.positive, self.fact(fact)
        )

    def position(self, variable: Variable) -> Any:
        """Return where an unknown is: its index, or the last of several."""
        name, key = self.keys.get(variable, ("", ()))
        return key[-1] if name and self.puzzle.families[name].arity > 1 else key

    def fact(self, fact: ValueLiteral) -> str:
        """Return a fact as a clause, such as `r1c2 is 3`."""
        return str(self._clause(fact))

    def facts(self, facts: Iterable[ValueLiteral], most: int = MOST_NAMED) -> str:
        """Return facts as clauses; those of several places that say the same are one."""
        same: dict[Clause, dict[Located, ValueLiteral]] = {}  # what is said, and of whom
        for fact in facts:
            clause = self._clause(fact)
            same.setdefault(clause.predicate(), {}).setdefault(clause.who, fact)
        alike: dict[
            tuple[Clause, tuple[Located, ...]], dict[Clause, list[ValueLiteral]]
        ] = {}  # by all places but one other
        for said, own in same.items():
            key = replace(said, others=()) if len(said.others) == 1 else said
            alike.setdefault((key, tuple(own)), {})[said] = [*own.values()]
        alternatives: dict[
            Clause, dict[str, list[ValueLiteral]]
        ] = {}  # of the same places, the values that are denied
        for (_, who), some in alike.items():
            said, known = next(iter(some.items()))
            others = [one.others[0] for one in some if one.others]
            clause = replace(said, who=Located("", grouped_list(who, most)), many=len(who) > 1)
            if len(clause.others) == 1:
                together = said.positive or len(some) == 1
                text = and_list(others) if together else or_list(others)
                clause = replace(clause, others=(text,))
            choice = not said.positive and self._is_choice(known[0])
            statement = replace(clause, value="") if choice else clause
            alternatives.setdefault(statement, {})[clause.value] = known
        return and_list(
            [str(self._denial(clause, own)) for clause, own in alternatives.items()], most
        )

    def _denial(self, clause: Clause, values: Mapping[str, Sequence[ValueLiteral]]) -> Clause:
        """Return a clause with the values that it denies, or that names those that are left if
        these are fewer.
        """
        if clause.value or "" in values:
            return clause
        domains = dict.fromkeys(
            self._domains.get(fact.unknown, ()) for own in values.values() for fact in own
        )
        every = [*dict.fromkeys(value_text(value) for domain in domains for value in domain)]
        left = [value for value in every if value not in values]
        if 0 < len(left) <= FEW and len(left) < len(values):
            return replace(clause, positive=True, value=or_list(left))
        denied = [value for value in every if value in values] or [*values]
        return replace(clause, value=or_list(denied))

    def _is_choice(self, fact: ValueLiteral) -> bool:
        """Return whether an unknown has one of several values, of which each can be denied."""
        return (
            not self._is_truth(fact.unknown)
            and self.keys.get(fact.unknown, ("",))[0] not in self.puzzle.type.say
        )

    def _clause(self, fact: ValueLiteral) -> Clause:
        name, key = self.keys.get(fact.unknown, (fact.unknown.name, ()))
        holds = (
            fact.positive == (fact.value is not False)
            if self._is_truth(fact.unknown)
            else fact.positive
        )
        if name not in self._patterns:
            self._patterns[name] = self._pattern(fact.unknown)
        pattern, order = self._patterns[name]
        if order is None:
            others = list[str]()
            if pattern.placed and name in self._declared:
                subject = where(key)
            else:
                subject = Located("", self._name_or_place(name, key))
        else:
            indexes = (key,) if len(order) == 1 else tuple(key[position] for position in order)
            first, *others = map(self.index_text, indexes)
            subject = Located("", first)
        text = value_text(fact.value)
        return Clause(pattern, holds, text, tuple(others), subject)

    def _pattern(self, variable: Variable) -> tuple[Pattern, tuple[int, ...] | None]:
        """Return how facts of an unknown are told, and the order of its indexes there if they stand
        there.
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

    def _name_or_place(self, name: str, key: Any) -> str:
        """Return what a fact is about: a place, or the name of an unknown without an index."""
        return place_text(key) if key != () or name in self._declared else name

    # Rules ----------------------------------------------------------------------------------------

    def rules(self, instances: Iterable[GroundRule], literals: Literals) -> list[RuleInstance]:
        """Return instances of rules in words, each once."""
        found: dict[str, RuleInstance] = {}
        for instance in instances:
            for origin in instance.origins:
                key = id(origin), instance.number
                if key not in self._told:
                    unknowns = dict.fromkeys(
                        literals.fact(one).unknown for one in instance.scope if literals.is_value_literal(one)
                    )
                    self._told[key] = self._rule(origin, unknowns, instance.rule_part)
                found.setdefault(str(self._told[key]), self._told[key])
        return list(found.values())

    def _rule(
        self, origin: Origin, variables: Iterable[Variable], part: RulePart | None
    ) -> RuleInstance:
        """Return an instance of a rule in words; `variables` are the unknowns that it is about."""
        rule = self._rules.get(str(origin.position))
        if isinstance(rule, Rule) and id(origin) not in self._read:
            self._read[id(origin)] = self.puzzle.reads(rule, origin)
        read = self._read.get(id(origin), ())
        clues = {
            index: [value_text(v) for _, i, v in read if i == index and is_clue(v)]
            for _, index, _ in read
        }
        values, name = dict(origin.bindings), origin.rule
        places = tuple(
            dict.fromkeys(self.position(variable) for variable in variables if variable in self.keys)
        )
        if isinstance(rule, Rule) and origin.values_in_name:
            shown = {key: self.index_text(value) for key, value in values.items()}
            name = BRACES.sub(lambda found: shown.get(found[1], found[0]), rule.name)
            values = {key: value for key, value in values.items() if f"{{{key}}}" not in rule.name}
        groups = [
            value for _, value in origin.bindings if len(cells_in(value)) > 1 and depth(value) == 1
        ]
        where = self._where(values, {index: own for index, own in clues.items() if own}, places)
        if part and not where:
            where = _shared_end(places)
        indexes = tuple((field, index) for field, index, value in read if is_clue(value))
        group = self.index_text(groups[0]) if len(groups) == 1 else ""
        about = "" if part is None else str(part)
        return RuleInstance(
            name, dict(origin.bindings), where, origin.position, indexes, places, group, about
        )

    def _where(
        self, values: Mapping[str, Any], clues: Mapping[Any, list[str]], places: Sequence[Any]
    ) -> str:
        """Return loop values in words: places with the clues there, and what else they are."""
        inside = {
            cell for value in values.values() if depth(value) == 1 for cell in cells_in(value)
        }
        said, plain, ways = list[str | CluesAt](), list[str](), list[str]()
        is_group = False  # whether the first of these places is one of several cells
        for name, value in values.items():
            own = clues.get(value) if isinstance(value, Hashable) else None
            if isinstance(value, int) and not isinstance(value, bool):
                plain.append(f"{spaced(name)} {value}" if len(name) > 1 else str(value))
            elif isinstance(value, str):
                ways.append(value_text(value))
            elif depth(value) == 1 and any(
                cell in clues for cell in cells_in(value) if cell in values.values()
            ):
                continue  # a clue stands in it, which is told
            elif (
                depth(value) == 1
                and not cells_in(value)
                and all(type(part) is int for part in value)
            ):
                plain.append(f"{spaced(name)} {and_list(list(map(str, value)))}")
            elif depth(value) < 2:
                if not said:
                    is_group = not own and self._is_group(value)
                said.append(self._clues_at(value, own))
        far = {
            index: own
            for index, own in clues.items()
            if index not in values.values() and index not in inside
        }
        named = [index for index in far if cells_in(index)][:MOST_NAMED]
        said += [self._clues_at(index, far[index]) for index in named]
        where, number = and_list([*dict.fromkeys(map(str, said))]), and_list(plain)
        if not said and plain and len(places) <= MOST_NAMED and len(places) < len(self.keys):
            where = and_list([self.index_text(place) for place in places])
            is_group = len(places) > 1
        if where and number:
            where = str((NumberIn if is_group else NumberAt)(number, where))
        return joined((where or number, *ways), ", ")

    def _is_group(self, value: Any) -> bool:
        """Return whether a value is a line of the board or another group of several things."""
        return depth(value) == 1 and (len(value) > 2 or frozenset(value) in self._lines)

    def _clues_at(self, index: Any, clues: Sequence[str] | None) -> str | CluesAt:
        """Return a place, with the clues that stand there."""
        place = self.index_text(index)
        return CluesAt(and_list(clues), place) if clues else place


def _shared_end(links: Sequence[Any]) -> str:
    """Return the end that all links share, in words; empty if there is not just one."""
    ends = [{*link} if isinstance(link, tuple) and len(link) == 2 else set() for link in links]
    shared = set.intersection(*ends) if ends else set()
    return place_text(*shared) if len(shared) == 1 else ""


def _place(rule: Rule | Definition) -> str:
    text = rule.expression.text
    return str(text.source.start(text.node))


def _lines(bound: Instance) -> Iterable[Cells]:
    """Return the rows and columns of the boards of a puzzle, and of the cells that have unknowns."""
    over = [
        family.members for family in bound.families.values() if family.over_cells() and len(family)
    ]
    boards = bound.grids or [Grid(dict.fromkeys(members)) for members in over]
    return (line for board in boards for line in (*board.rows, *board.columns))
