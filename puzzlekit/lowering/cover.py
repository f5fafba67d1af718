"""A model as exact cover with colours (Knuth, The Art of Computer Programming 7.2.2.1).

Options cover items. A primary item is covered exactly once. A secondary item is covered at most
once, or any number of times by options that give it the same colour.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzlekit.clock import checked
from puzzlekit.dataclass import dataclass
from puzzlekit.lowering.cover_decoder import Block, CoverDecoder
from puzzlekit.model import AllDifferent, Cardinality, Domain, Model, Table, Value, Variable
from puzzlekit.presolve import linear_form

PLAIN = -1  # the colour of an uncoloured item
Ints = NDArray[np.int64]
LiteralItems = dict[tuple[Variable, Value], list[int]]
DifferenceItems = dict[tuple[Variable, Value], list[tuple[int, int]]]


@dataclass(frozen=True, eq=False)
class Cover:
    """An exact cover problem with colours.

    Items 0 … primary − 1 are primary, the rest secondary. Entry i says that option[i] covers
    item[i] with colour[i]; entries are sorted by option. `costs` gives each option's cost for the
    goal, if there is one.
    """

    primary: int
    items: int
    options: int
    option: Ints
    item: Ints
    colour: Ints
    costs: tuple[int, ...] | None = None
    offset: int = 0  # the constant part of the goal

    @cached_property
    def starts(self) -> Ints:
        """The index of each option's first entry, and the number of entries."""
        return np.searchsorted(self.option, np.arange(self.options + 1))

    def entries(self, option: int) -> list[tuple[int, int]]:
        """Return the items of an option, each with its colour."""
        span = slice(self.starts[option], self.starts[option + 1])
        items = self.item[span].tolist()
        return list(zip(items, self.colour[span].tolist()))


def to_cover(model: Model, colour_differences: bool = True) -> tuple[Cover, CoverDecoder]:
    """Translate the model to an exact cover with colours.

    Needs:  a model of tables, all-different, and cardinalities for exactly or at most one (see
            `decompose_counts`); a goal is a weighted sum of variables.
    Leaves: covers that are one to one with the model's solutions, auxiliary values included. With
            `colour_differences`, an all-different over variables of tables is expressed on the
            rows: the item (constraint, value) takes the variable that has the value as its colour,
            so a chosen row immediately excludes the rows that clash. Without it, every coloured
            item belongs to a variable and is coloured by some option of every cover. The first
            secondary items are those of the variables in tables, in the model's order; a colour is
            the position of a value in its domain.
    """
    return _Builder(model, colour_differences).build()


class _Builder:
    """Collects the items and options of the cover of one model."""

    def __init__(self, model: Model, colour_differences: bool) -> None:
        self.model = model
        conditions = [constraint.condition for constraint in model.constraints]
        self.tables = [each for each in conditions if isinstance(each, Table)]
        self.counts = [each for each in conditions if isinstance(each, Cardinality)]
        in_tables = {term for table in self.tables for term in table.terms}
        self.tabled = {variable for variable in model.domains if variable in in_tables}
        # the variables with an option for each value
        self.literal_variables = {v for v in model.domains if v not in self.tabled}
        for count in self.counts:
            self.literal_variables.update([variable for variable, _ in count.literals])
        self.coloured: list[tuple[Variable, ...]] = []
        self.plain: list[tuple[Variable, ...]] = []
        for condition in conditions:
            if isinstance(condition, AllDifferent):
                self._sort_difference(condition, colour_differences)
        self.tables = [self._without_clashes(table) for table in self.tables]
        self.primaries = 0
        self.secondaries = 0
        self.options = 0
        self.entries: list[tuple[Ints, Ints, Ints]] = []  # arrays of options, items and colours
        self.single: list[tuple[int, int, int]] = []  # single entries
        self.costs: list[Ints] = []
        self.blocks: list[Block] = []
        self.defaults: list[tuple[Variable, Value]] = []
        self.value_items: dict[Variable, int] = {}  # of the variables in tables
        # for a literal, the items that all-different constraints give it, with their colours
        self.difference_items: DifferenceItems = {}
        weights, constant = linear_form(model.goal.term) if model.goal else ({}, 0)
        sign = -1 if model.goal and model.goal.maximise else 1
        self.offset = sign * constant
        self.weights = {term: sign * weight for term, weight in weights.items()}

    def _sort_difference(self, difference: AllDifferent, colour_differences: bool) -> None:
        """Decide whether an all-different is expressed by colours or by plain items."""
        variables = tuple([term for term in difference.terms if isinstance(term, Variable)])
        if colour_differences and not self.literal_variables.issuperset(variables):
            self.coloured.append(variables)
        else:
            self.plain.append(variables)
            self.literal_variables.update(variables)

    def _without_clashes(self, table: Table) -> Table:
        """Return the table without rows that give two all-different variables the same value."""
        retained = np.ones(len(table.rows), dtype=bool)
        for variables in self.coloured:
            code_of: dict[Value, int] = {}  # common to the variables
            columns = []
            entries = zip(table.terms, table.rows.T, table.dictionaries)
            for term, column, dictionary in entries:
                if term in variables:
                    codes = [code_of.setdefault(value, len(code_of)) for value in dictionary]
                    columns.append(np.array(codes)[column])
            for first, second in combinations(columns, 2):
                retained &= first != second
        if retained.all():
            return table
        return replace(table, rows=table.rows[retained])

    def primary(self) -> int:
        self.primaries += 1
        return self.primaries - 1

    def secondary(self) -> int:
        """Return a new secondary item, numbered from −1 down until all primary ones are counted."""
        self.secondaries += 1
        return -self.secondaries

    def build(self) -> tuple[Cover, CoverDecoder]:
        for variable in self.model.domains:
            if variable in self.tabled:
                self.value_items[variable] = self.secondary()
        for variables in self.coloured:
            self._colour_difference(variables)
        literal_items = self._literal_items()
        for table in checked(self.tables):
            self._table(table)
        for variable in checked(self.model.domains):
            if variable in self.literal_variables:
                self._literal_options(variable, literal_items)
        decoder = CoverDecoder(tuple(self.blocks), tuple(self.defaults), self.options)
        return self._cover(), decoder

    def _cover(self) -> Cover:
        """Return the cover of all items and options."""
        single = np.array(self.single, dtype=np.int64).reshape(-1, 3)
        option, item, colour = map(np.concatenate, zip(single.T, *self.entries))
        is_secondary = item < 0
        item[is_secondary] = self.primaries - 1 - item[is_secondary]
        order = np.lexsort((item, option))
        costs = None
        if self.model.goal and self.costs:
            costs = tuple(np.concatenate(self.costs).tolist())
        return Cover(
            self.primaries,
            self.primaries + self.secondaries,
            self.options,
            option[order],
            item[order],
            colour[order],
            costs,
            self.offset,
        )

    def _values(self, variables: Iterable[Variable]) -> dict[Value, None]:
        """Return the values of these variables, in order."""
        domains = self.model.domains
        return dict.fromkeys(value for variable in variables for value in domains[variable])

    def _colour_difference(self, variables: Sequence[Variable]) -> None:
        domains = self.model.domains
        for value in checked(self._values(variables)):
            holders = [variable for variable in variables if value in domains[variable]]
            if len(holders) > 1:
                item = self.secondary()
                for colour, variable in enumerate(holders):
                    self.difference_items.setdefault((variable, value), []).append((item, colour))

    def _literal_items(self) -> LiteralItems:
        """Return the uncoloured items that the option for a literal covers."""
        items: LiteralItems = {}
        for count in self.counts:
            item = self.primary() if count.low == 1 else self.secondary()
            for literal in count.literals:
                items.setdefault(literal, []).append(item)
        for variables in self.plain:
            values = self._values(variables)
            is_permutation = len(values) == len(variables)
            for value in checked(values):
                item = self.primary() if is_permutation else self.secondary()
                for variable in variables:
                    items.setdefault((variable, value), []).append(item)
        return items

    def _block(
        self,
        variables: tuple[Variable, ...],
        rows: NDArray[Any],
        dictionaries: tuple[Domain, ...],
        costs: Ints,
    ) -> int:
        start = self.options
        self.blocks.append((start, variables, rows, dictionaries))
        self.options += len(rows)
        self.costs.append(costs)
        return start

    def _add_entries(self, options: Ints, item: int, colour: int | Ints) -> None:
        items = np.full(len(options), item)
        colours = np.broadcast_to(np.asarray(colour), options.shape)
        self.entries.append((options, items, colours))

    def _table(self, table: Table) -> None:
        """Add one option per row: it covers the table's item and colours those of the variables."""
        variables = tuple([term for term in table.terms if isinstance(term, Variable)])
        costs = np.zeros(len(table.rows), dtype=np.int64)
        options = self.options + np.arange(len(table.rows))
        self._add_entries(options, self.primary(), PLAIN)
        entries = zip(variables, table.rows.T, table.dictionaries)
        for variable, column, dictionary in entries:
            domain = self.model.domains[variable]
            code_of = {value: code for code, value in enumerate(domain)}
            codes = [code_of.get(value, 0) for value in dictionary]
            recoded = np.array(codes, dtype=np.int64)[column]
            self._add_entries(options, self.value_items[variable], recoded)
            if variable in self.weights and variable not in self.literal_variables:
                numbers = np.array([int(value) for value in domain], dtype=np.int64)
                costs += self.weights.pop(variable) * numbers[recoded]
            for code, value in checked(enumerate(domain)):
                for item, colour in self.difference_items.get((variable, value), ()):
                    self._add_entries(options[recoded == code], item, colour)
        dictionaries = tuple(map(tuple, table.dictionaries))
        self._block(variables, table.rows, dictionaries, costs)

    def _literal_options(self, variable: Variable, literal_items: LiteralItems) -> None:
        """Add one option per value; a value that covers nothing becomes the default instead."""
        domain = self.model.domains[variable]
        items = {value: literal_items.get((variable, value), []) for value in domain}
        if self._is_flag(variable) and self._flag_option(variable, items):
            return
        weight = self.weights.pop(variable, 0)
        costs = {value: weight * int(value) if weight else 0 for value in domain}
        default = self._default_code(variable, items, costs)
        values = [value for code, value in enumerate(domain) if code != default]
        choice_item = None  # covered by each option of the variable
        if default is None:
            choice_item = self.primary()
        else:
            self.defaults.append((variable, domain[default]))
            if len(values) > 1:
                choice_item = self.secondary()
        for option, value in enumerate(values, self.options):
            entries = [(item, PLAIN) for item in items[value]]
            if choice_item is not None:
                entries.append((choice_item, PLAIN))
            if variable in self.tabled:
                entries.append((self.value_items[variable], domain.index(value)))
            entries += self.difference_items.get((variable, value), ())
            self.single += [(option, item, colour) for item, colour in entries]
        rows = _column(tuple(map(domain.index, values)))
        value_costs = _column(tuple(costs[value] for value in values))
        self._block((variable,), rows, (domain,), value_costs[:, 0])

    def _is_flag(self, variable: Variable) -> bool:
        """Return whether a variable has two values, of which only items may depend."""
        if len(self.model.domains[variable]) != 2 or self.difference_items:
            return False
        return variable not in self.tabled and variable not in self.weights

    def _flag_option(self, variable: Variable, items: Mapping[Value, list[int]]) -> bool:
        """Add the option of a flag of which only the second value covers items, a primary one too.

        This is the most frequent case. Returns whether it is this case.
        """
        domain = self.model.domains[variable]
        default, value = domain
        covered = items[value]
        if items[default] or max(covered, default=-1) < 0:
            return False
        self.single += [(self.options, item, PLAIN) for item in covered]
        self.defaults.append((variable, default))
        costs = _column((0,))[:, 0]
        self._block((variable,), _column((1,)), (domain,), costs)
        return True

    def _default_code(
        self, variable: Variable, items: Mapping[Value, list[int]], costs: Mapping[Value, int]
    ) -> int | None:
        """Return the code of the value that needs no option, if there is one.

        It covers nothing and costs nothing, and each other value covers a primary item.
        """
        if variable in self.tabled:
            return None
        for code, value in enumerate(self.model.domains[variable]):
            if items[value] or costs[value] or self.difference_items.get((variable, value)):
                continue
            rest = [covered for candidate, covered in items.items() if candidate != value]
            has_primary = [max(covered, default=-1) >= 0 for covered in rest]
            return code if all(has_primary) else None
        return None


@lru_cache(maxsize=256)
def _column(numbers: tuple[int, ...]) -> Ints:
    """Return an array of one column, cached."""
    return np.array(numbers, dtype=np.int64).reshape(len(numbers), 1)


def colours_to_items(cover: Cover, pause: Callable[[], None] = lambda: None) -> Cover:
    """Compile colours away, for backends that do not support them.

    Needs:  an exact cover in which every coloured item is coloured by some option of every cover,
            and every option covers a primary item.
    Leaves: one whose items have no colour; its options begin with those of `cover`, and its covers,
            restricted to these, are the covers of `cover`, one to one. An item's colours become
            options of a new primary item. Options that share their first primary item exclude each
            other. For each such group that colours the item, the option for colour a covers the
            items (group, b) of every other colour b, and an option of the group with colour b
            covers (group, b).
    """
    is_plain = cover.colour == PLAIN
    entries = [(cover.option[is_plain], cover.item[is_plain])]
    # entries are sorted by item within an option, primary ones first
    first = cover.item[cover.starts[:-1]]
    items = cover.items
    options = cover.options
    choosers: list[int] = []
    for coloured in np.unique(cover.item[~is_plain]):
        pause()
        of_item = cover.item == coloured
        users = cover.option[of_item]
        colours = cover.colour[of_item]
        groups = np.unique(first[users])
        distinct = np.unique(colours)
        if len(groups) == 1:
            continue
        chooser = items
        choosers.append(chooser)
        count = len(groups) * len(distinct)
        numbers = np.arange(items + 1, items + 1 + count)
        number = numbers.reshape(len(groups), len(distinct))
        items += 1 + count
        group_of_user = np.searchsorted(groups, first[users])
        colour_of_user = np.searchsorted(distinct, colours)
        entries.append((users, number[group_of_user, colour_of_user]))
        for colour_index in range(len(distinct)):
            excluded = np.delete(number, colour_index, axis=1).ravel()
            covered = np.append(excluded, chooser)
            entries.append((np.full(len(covered), options), covered))
            options += 1
    option, item = map(np.concatenate, zip(*entries))
    secondary = sorted({*range(cover.primary, items)}.difference(choosers))
    in_order = [*range(cover.primary), *choosers, *secondary]
    number_of = np.arange(items)
    number_of[in_order] = np.arange(items)
    item = number_of[item]
    order = np.lexsort((item, option))
    colour = np.full(len(option), PLAIN)
    primary = cover.primary + len(choosers)
    return Cover(primary, items, options, option[order], item[order], colour)
