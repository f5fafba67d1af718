"""A model as exact cover with colours (Knuth, The Art of Computer Programming 7.2.2.1).

Options cover items. A primary item is covered exactly once. A secondary item is covered at most
once, or any number of times by options that give it the same colour.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzlekit.clock import checked
from puzzlekit.lowering.cover_decoder import Block, CoverDecoder
from puzzlekit.model import AllDifferent, Cardinality, Domain, Model, Table, Value, Variable
from puzzlekit.presolve.normal_form import linear_form

PLAIN = -1  # the colour of an uncoloured item
Ints = NDArray[np.int64]


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
        return list(zip(self.item[span].tolist(), self.colour[span].tolist()))


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
    def __init__(self, model: Model, colour_differences: bool) -> None:
        self.model = model
        self.tables = [c.condition for c in model.constraints if isinstance(c.condition, Table)]
        self.counts = [
            c.condition for c in model.constraints if isinstance(c.condition, Cardinality)
        ]
        differences = [
            c.condition for c in model.constraints if isinstance(c.condition, AllDifferent)
        ]
        in_tables = {term for table in self.tables for term in table.terms}
        self.tabled = {v for v in model.domains if v in in_tables}
        self.own = {v for v in model.domains if v not in self.tabled}
        self.own |= {variable for count in self.counts for variable, _ in count.literals}
        self.coloured: list[tuple[Variable, ...]] = []
        self.plain: list[tuple[Variable, ...]] = []
        for difference in differences:
            variables = tuple(v for v in difference.terms if isinstance(v, Variable))
            if colour_differences and not self.own.issuperset(variables):
                self.coloured.append(variables)
            else:
                self.plain.append(variables)
                self.own |= set(variables)
        self.tables = [self._without_clashes(table) for table in self.tables]
        self.primaries = 0
        self.secondaries = 0
        self.options = 0
        self.parts: list[tuple[Ints, Ints, Ints]] = []
        self.single: list[tuple[int, int, int]] = []  # single entries
        self.costs: list[Ints] = []
        self.blocks: list[Block] = []
        self.defaults: list[tuple[Variable, Value]] = []
        weights, constant = linear_form(model.goal.term) if model.goal else ({}, 0)
        sign = -1 if model.goal and model.goal.maximise else 1
        self.offset = sign * constant
        self.weights = {term: sign * weight for term, weight in weights.items()}

    def _without_clashes(self, table: Table) -> Table:
        """Return the table without rows that give two all-different variables the same value."""
        kept = np.ones(len(table.rows), dtype=bool)
        for variables in self.coloured:
            shared: dict[Value, int] = {}
            columns = [
                np.array([shared.setdefault(value, len(shared)) for value in book])[column]
                for term, column, book in zip(table.terms, table.rows.T, table.dictionaries)
                if term in variables
            ]
            for one, other in combinations(columns, 2):
                kept &= one != other
        return table if kept.all() else replace(table, rows=table.rows[kept])

    def primary(self) -> int:
        self.primaries += 1
        return self.primaries - 1

    def secondary(self) -> int:
        """Return a new secondary item, numbered from −1 down until all primary items are known."""
        self.secondaries += 1
        return -self.secondaries

    def build(self) -> tuple[Cover, CoverDecoder]:
        self.value_items = {v: self.secondary() for v in self.model.domains if v in self.tabled}
        self.difference_items: dict[tuple[Variable, Value], list[tuple[int, int]]] = {}
        for variables in self.coloured:
            self._colour_difference(variables)
        own_items = self._own_items()
        for table in checked(self.tables):
            self._table(table)
        for variable in checked(self.model.domains):
            if variable in self.own:
                self._own_options(variable, own_items)
        single = np.array(self.single, dtype=np.int64).reshape(-1, 3).T
        option, item, colour = (
            np.concatenate([single[k], *(part[k] for part in self.parts)]) for k in range(3)
        )
        np.subtract(self.primaries - 1, item, out=item, where=item < 0)
        order = np.lexsort((item, option))
        costs = (
            tuple(np.concatenate(self.costs).tolist()) if self.model.goal and self.costs else None
        )
        cover = Cover(
            self.primaries,
            self.primaries + self.secondaries,
            self.options,
            option[order],
            item[order],
            colour[order],
            costs,
            self.offset,
        )
        return cover, CoverDecoder(tuple(self.blocks), tuple(self.defaults), self.options)

    def _colour_difference(self, variables: Sequence[Variable]) -> None:
        values = dict.fromkeys(
            value for variable in variables for value in self.model.domains[variable]
        )
        for value in checked(values):
            holders = [variable for variable in variables if value in self.model.domains[variable]]
            if len(holders) > 1:
                item = self.secondary()
                for colour, variable in enumerate(holders):
                    self.difference_items.setdefault((variable, value), []).append((item, colour))

    def _own_items(self) -> dict[tuple[Variable, Value], list[int]]:
        """Return the uncoloured items that the option for a literal covers."""
        items: dict[tuple[Variable, Value], list[int]] = {}
        for count in self.counts:
            item = self.primary() if count.low == 1 else self.secondary()
            for literal in count.literals:
                items.setdefault(literal, []).append(item)
        for variables in self.plain:
            values = dict.fromkeys(
                value for variable in variables for value in self.model.domains[variable]
            )
            for value in checked(values):
                item = self.primary() if len(values) == len(variables) else self.secondary()
                for variable in variables:
                    items.setdefault((variable, value), []).append(item)
        return items

    def _block(
        self,
        variables: tuple[Variable, ...],
        rows: NDArray[Any],
        books: tuple[Domain, ...],
        costs: Ints,
    ) -> int:
        start = self.options
        self.blocks.append((start, variables, rows, books))
        self.options += len(rows)
        self.costs.append(costs)
        return start

    def _entries(self, options: Ints, item: int, colour: int | Ints) -> None:
        self.parts.append(
            (
                options,
                np.full(len(options), item),
                np.broadcast_to(np.asarray(colour), options.shape),
            )
        )

    def _table(self, table: Table) -> None:
        """Add one option per row: it covers the table's item and colours those of the variables."""
        variables = tuple(v for v in table.terms if isinstance(v, Variable))
        costs = np.zeros(len(table.rows), dtype=np.int64)
        options = self.options + np.arange(len(table.rows))
        self._entries(options, self.primary(), PLAIN)
        for position, variable in enumerate(variables):
            book = table.dictionaries[position]
            codes = {value: code for code, value in enumerate(self.model.domains[variable])}
            column = np.array([codes.get(value, 0) for value in book], dtype=np.int64)[
                table.rows[:, position]
            ]
            self._entries(options, self.value_items[variable], column)
            if variable in self.weights and variable not in self.own:
                worth = np.array([int(v) for v in self.model.domains[variable]], dtype=np.int64)
                costs += self.weights.pop(variable) * worth[column]
            for code, value in checked(enumerate(self.model.domains[variable])):
                for item, colour in self.difference_items.get((variable, value), ()):
                    self._entries(options[column == code], item, colour)
        self._block(variables, table.rows, tuple(tuple(book) for book in table.dictionaries), costs)

    def _own_options(
        self, variable: Variable, own_items: dict[tuple[Variable, Value], list[int]]
    ) -> None:
        """Add one option per value; a value that covers nothing becomes the default instead."""
        domain = self.model.domains[variable]
        if (
            len(domain) == 2
            and variable not in self.tabled
            and variable not in self.weights
            and not self.difference_items
        ):
            none, some = (own_items.get((variable, value)) for value in domain)
            if none is None and some is not None and max(some) >= 0:  # the most frequent case
                self.single += [(self.options, item, PLAIN) for item in some]
                self.defaults.append((variable, domain[0]))
                self._block((variable,), _column((1,)), (domain,), _column((0,))[:, 0])
                return
        weight = self.weights.pop(variable, 0)
        plain = {value: own_items.get((variable, value), []) for value in domain}
        costs = {value: weight * int(value) if weight else 0 for value in domain}
        idle = None
        if variable not in self.tabled:
            silent = [
                v
                for v in domain
                if not plain[v] and not costs[v] and not self.difference_items.get((variable, v))
            ]
            others = [v for v in domain if not silent or v != silent[0]]
            if silent and all(any(item >= 0 for item in plain[value]) for value in others):
                idle = silent[0]
        values = [value for value in domain if idle is None or value != idle]
        item = self.primary() if idle is None else self.secondary() if len(values) > 1 else None
        for number, value in enumerate(values):
            entries = [(own, PLAIN) for own in plain[value]]
            if item is not None:
                entries.append((item, PLAIN))
            if variable in self.tabled:
                entries.append((self.value_items[variable], domain.index(value)))
            entries += self.difference_items.get((variable, value), ())
            self.single += [(self.options + number, own, colour) for own, colour in entries]
        if idle is not None:
            self.defaults.append((variable, idle))
        rows = _column(tuple(map(domain.index, values)))
        self._block(
            (variable,), rows, (domain,), _column(tuple(costs[value] for value in values))[:, 0]
        )


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
    plain = cover.colour == PLAIN
    parts = [(cover.option[plain], cover.item[plain])]
    # entries are sorted by item within an option, primary ones first
    first = cover.item[cover.starts[:-1]]
    items, options = cover.items, cover.options
    primaries: list[int] = []
    for coloured in np.unique(cover.item[~plain]):
        pause()
        here = cover.item == coloured
        users, colours = cover.option[here], cover.colour[here]
        groups, kinds = np.unique(first[users]), np.unique(colours)
        if len(groups) == 1:
            continue
        chooser = items
        primaries.append(chooser)
        number = items + 1 + np.arange(len(groups) * len(kinds)).reshape(len(groups), len(kinds))
        items += 1 + number.size
        parts.append(
            (users, number[np.searchsorted(groups, first[users]), np.searchsorted(kinds, colours)])
        )
        for kind in range(len(kinds)):
            others = np.delete(number, kind, axis=1).ravel()
            covered = np.append(others, chooser)
            parts.append((np.full(len(covered), options), covered))
            options += 1
    option = np.concatenate([part[0] for part in parts])
    item = np.concatenate([part[1] for part in parts])
    order_of = np.arange(items)
    chosen = set(primaries)
    later = [number for number in range(cover.primary, items) if number not in chosen]
    order_of[[*range(cover.primary), *primaries, *later]] = np.arange(items)
    item = order_of[item]
    order = np.lexsort((item, option))
    colour = np.full(len(option), PLAIN)
    return Cover(cover.primary + len(primaries), items, options, option[order], item[order], colour)
