"""Makes puzzles of types whose clues decide what is unknown: a design first, whose solutions are
whole puzzles.

A random solution of the design gives the fields of a puzzle. If the puzzle has several solutions,
what was drawn near their differences is drawn again, until none is left (simulated annealing).
Then clues are taken away, each by solving the puzzle without it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from math import inf, log
from random import Random
from typing import Any

from puzzlekit.backends.incremental_solver import ConflictBudgetExceeded
from puzzlekit.boards import Cell, Grid
from puzzlekit.errors import Problems
from puzzlekit.lang import Instance, PuzzleType
from puzzlekit.lang.expressions.draws import RandomChoices
from puzzlekit.lang.expressions.interpreter import Interpreter
from puzzlekit.lang.functions.drawing import beside
from puzzlekit.lang.making_section import MakeSection
from puzzlekit.making.alternatives import Alternatives, UnknownKey
from puzzlekit.making.fields import (
    Base,
    around,
    cells_of,
    clue_fields,
    clues_in,
    item_of,
    typed,
    with_clues,
)
from puzzlekit.making.maker import CONFLICTS, FAR, NEAR, Candidate, Symmetry, orbit
from puzzlekit.model import Value, Variable
from puzzlekit.model.graphs import reachable
from puzzlekit.reasons.assumption_model import AssumptionModel, AssumptionSolver

STEPS = 400  # of the search for one puzzle
STUCK = 80  # of them without getting better
HEAT = (
    2.0  # of the annealing: something worse by so many places is taken with a probability of 1 / e
)
KEPT = 4  # clues that cannot be taken away before a field is left whole

Data = Mapping[str, Any]
Values = dict[Variable, Value]


@dataclass
class Design:
    """A design with what was drawn for it.

    Attributes:
        data: The fields that it is drawn on.
        draws: What was drawn at random.
        page: The page of rules on these fields.
        values: The solution of the page.
        varied: The fields that were changed since.
    """

    data: Data
    draws: RandomChoices
    model: Instance
    values: Values
    varied: dict[str, Any] = field(default_factory=dict)


class DesignMaker:
    """Makes puzzles of one type and size by its design."""

    def __init__(
        self, base: Base, making: MakeSection, symmetry: Symmetry | None, density: int | None
    ) -> None:
        self.making, self.type_ = making, base.type
        empty = [rule.name for rule in making.fields if item_of(base.type.fields[rule.name].type)]
        self.base = replace(
            base,
            data=with_clues(
                base.data, [name for name in empty if base.data[name] is not None], {}, {}
            ),
        )
        self.symmetry: Symmetry = symmetry or "none"
        self.layout_symmetry = symmetry or "rotate"
        self.density = density
        self._cached_model: tuple[Instance, _LayoutModel] | None = None

    def make(self, random: Random) -> Candidate | None:
        """Return a puzzle with one solution; None if none was found. Raises Problems, perhaps of
        what was drawn.
        """
        design = self._drawn(random)
        if design is None:
            return None
        data = self._fields(design)
        loose = self._loose(data, inf)
        stuck, fewest = 0, inf
        for _ in range(STEPS):
            if not loose or stuck > STUCK:
                break
            stuck, fewest = (stuck + 1, fewest) if len(loose) >= fewest else (0, len(loose))
            other = self._changed(
                design, random, {cell for key in loose for cell in cells_of(key[1])}
            )
            new = data if other is None else self._fields(other)
            if other is None or new == data:
                continue
            still = self._loose(new, len(loose) - HEAT * log(1 - random.random()))
            if still is not None:
                design, data, loose = other, new, still
        return self._fewest(data, random) if loose is not None and not loose else None

    def _drawn(self, random: Random) -> Design | None:
        """Return a design, with a solution."""
        draws = RandomChoices(random, self.layout_symmetry, self.density)
        data = dict(self.base.data)
        if self.making.layout is not None:
            data |= laid_out(self.making.layout, self.type_, data, draws)
        page = self._page(data, draws)
        page.begin()
        values = page.solution(random)
        return None if values is None else Design(data, draws, page.instance, values)

    def _page(self, data: Data, draws: RandomChoices) -> _LayoutModel:
        """Return the page of rules on these fields: the one before if nothing is drawn for it."""
        if self._cached_model is not None and data == self._cached_model[0].data:
            return self._cached_model[1]
        before = len(draws.known)
        page = _LayoutModel(self._bound(data, draws), self.making.bias)
        if len(draws.known) == before:
            self._cached_model = page.instance, page
        return page

    def _bound(self, data: Data, draws: RandomChoices) -> Instance:
        assert self.making.design is not None
        return Instance(self.making.design, data, interpreter=_interpreter(draws), checked=False)

    def _fields(self, design: Design) -> Data:
        """Return the fields of the puzzle that a design gives."""
        data = dict(design.data)
        design.model.interpreter.draws = design.draws
        design.draws.turns.clear()
        for rule in self.making.fields:
            value = design.model.evaluate(rule.expression, design.values)
            data[rule.name] = typed(
                self.type_.fields[rule.name], self.base.data[rule.name], value, rule.expression
            )
        return {**data, **design.varied}

    def _loose(self, data: Data, most: float) -> set[UnknownKey] | None:
        """Return where the solutions of a puzzle differ; None if it has none, or that is in more
        places, or takes too long.
        """
        loose = set[UnknownKey]()
        try:
            puzzle = Alternatives(self.base.puzzle(data))
            for apart in puzzle.differences():
                loose |= apart
                if len(loose) > most:
                    return None
        except ConflictBudgetExceeded:
            return None
        return loose if puzzle.solution is not None else None

    def _only(self, data: Data) -> dict[UnknownKey, Value] | None:
        """Return the only solution of a puzzle; None if it has none or several, or if that takes
        too long.
        """
        try:
            puzzle = Alternatives(self.base.puzzle(data))
            return (
                None
                if puzzle.solution is None or next(puzzle.differences(), None)
                else puzzle.solution
            )
        except ConflictBudgetExceeded:
            return None

    def _changed(self, design: Design, random: Random, cells: Collection[Cell]) -> Design | None:
        """Return a design that differs near these cells; None if there is none."""
        ways = [self._varied] * 3 * bool(self.making.reshape) + [self._solved_again]
        ways += [self._redrawn] * any(_about(key, cells) for key in design.draws.known)
        return random.choice(ways)(design, random, cells)

    def _varied(self, design: Design, random: Random, cells: Collection[Cell]) -> Design | None:
        """Give a cell to another region."""
        name = random.choice(self.making.reshape)
        board: Grid = design.varied.get(name) or self._fields(design)[name]
        near = sorted(around(cells, 1) & board.values.keys()) or list(board.cells)
        for cell in random.sample(near, len(near)):
            others = sorted(
                {board[other] for other in beside(cell) if other in board.values}
                - {board[cell], None}
            )
            left = [other for other in board.cells if board[other] == board[cell] and other != cell]
            if others and left and _hangs_together(left):
                changed = Grid({**board.values, cell: random.choice(others)})
                break
        else:
            return None
        if (
            name in design.data
            and self.making.layout is not None
            and any(f.name == name for f in self.making.layout.info)
        ):
            data = {**design.data, name: changed}
            page = self._bound(data, design.draws)
            values = _moved(design.model, page, design.values)
            if values is None or page.check(values) is not None:
                return None
            return Design(data, design.draws, page, values, {**design.varied, name: changed})
        return Design(
            design.data, design.draws, design.model, design.values, {**design.varied, name: changed}
        )

    def _redrawn(self, design: Design, random: Random, cells: Collection[Cell]) -> Design | None:
        """Draw again what a solution gives near these cells."""
        known = {
            key: value
            for key, value in design.draws.known.items()
            if random.random() < 0.5 or not _about(key, cells)
        }
        if len(known) == len(design.draws.known):
            return None
        draws = RandomChoices(random, design.draws.symmetry, design.draws.density, known)
        return Design(design.data, draws, design.model, design.values)

    def _solved_again(
        self, design: Design, random: Random, cells: Collection[Cell]
    ) -> Design | None:
        """Take another solution of the design that differs near these cells."""
        page = self._page(design.data, design.draws)
        if page.instance is not design.model:
            return None
        if cells:
            near = around([random.choice(sorted(cells))], random.choice(NEAR))
            kept = [variable for variable, at in page.cells_by_variable.items() if not at & near]
        else:
            kept = [variable for variable in page.cells_by_variable if random.random() < FAR]
        values = page.solution(random, {variable: design.values[variable] for variable in kept})
        return (
            None
            if values is None or values == design.values
            else Design(design.data, design.draws, design.model, values)
        )

    def _fewest(self, data: Data, random: Random) -> Candidate:
        """Take clues away while the solution stays the only one."""
        solution = self._only(data) or {}
        laid = {fact.name for fact in self.making.layout.info} if self.making.layout else set()
        fields = [name for name in clue_fields(self.type_, data) if name not in laid]
        clues = clues_in(data, fields)
        chosen, lasting = dict(clues), dict.fromkeys(fields, 0)
        tried = [spot for spot in clues if spot[0] not in self.making.keep_all]
        for spot in random.sample(tried, len(tried)):
            if spot not in chosen or lasting[spot[0]] >= KEPT:
                continue
            away = orbit(spot, clues, self.symmetry, data[spot[0]])
            rest = {other: value for other, value in chosen.items() if other not in away}
            try:
                found = self._only(with_clues(data, fields, rest, {}))
            except Problems:  # no rule runs without this clue
                self.type_.source.forget_problems()
                continue
            if found is not None and _same(solution, found):
                chosen, lasting[spot[0]] = rest, -len(tried)
            else:
                lasting[spot[0]] += 1
        return Candidate(chosen, clues, data, tuple(fields), {}, self.symmetry)


class _LayoutModel:
    """A bound page of rules, and random solutions of it."""

    def __init__(self, bound: Instance, likely: Mapping[str, int]) -> None:
        self.instance = bound
        self.assumption_model = AssumptionModel(bound.model)
        self.begin()
        selectors = {*self.solver.all_selectors}
        self.numbers = [
            number for number in range(2, self.assumption_model.literals.top + 1) if number not in selectors
        ]
        self.cells_by_variable: dict[Variable, frozenset[Cell]] = {}
        self.share: dict[Variable, float] = {}
        for name, family in bound.families.items():
            for key, variable in family.members.items():
                self.cells_by_variable[variable] = frozenset(cells_of(key))
                if name in likely:
                    self.share[variable] = likely[name] / 100
        self.domains = bound.model.domains

    def begin(self) -> None:
        """Forget what was asked before: each puzzle follows from its random numbers alone."""
        self.solver = AssumptionSolver(self.assumption_model)

    def solution(
        self, random: Random, fixed: Mapping[Variable, Value] | None = None
    ) -> Values | None:
        """Return a random solution, with these values; None if there is none, or it takes too long."""
        of = self.assumption_model.literals.of
        preferred = [
            one if random.random() < 0.5 else -one for one in self.numbers
        ]  # a later one replaces it
        for variable, domain in self.domains.items():
            share = self.share.get(variable, 1 / len(domain))
            values = domain[-1:] if domain == (False, True) else domain
            preferred += [
                of(variable, value) if random.random() < share else -of(variable, value)
                for value in values
            ]
        self.solver.prefer([one for one in preferred if abs(one) > 1])
        assumed = [
            of(variable, value)
            for variable, value in (fixed or {}).items()
            if len(self.domains[variable]) > 1
        ]
        self.solver.limit_conflicts(CONFLICTS)
        try:
            found = self.solver.model([*self.solver.all_selectors, *assumed], repair=True)
        except ConflictBudgetExceeded:
            return None
        if found is None:
            return None
        true = {1, *found}
        return {
            variable: next(x for x in domain if of(variable, x) in true)
            for variable, domain in self.domains.items()
        }


def laid_out(
    layout: PuzzleType, kind: PuzzleType, data: Data, draws: RandomChoices
) -> dict[str, Any]:
    """Return the fields that a layout draws."""
    bound = Instance(layout, data, interpreter=_interpreter(draws), checked=False)
    return {
        f.name: typed(kind.fields[f.name], data[f.name], bound.info[f.name], f.expression)
        for f in layout.info
    }


def _interpreter(draws: RandomChoices) -> Interpreter:
    interpreter = Interpreter()
    interpreter.draws = draws
    draws.turns.clear()
    return interpreter


def _about(key: Any, cells: Collection[Cell]) -> bool:
    return any(cell in cells for cell in cells_of(key))


def _hangs_together(cells: Collection[Cell]) -> bool:
    area = set(cells)
    reached = reachable(next(iter(area)), lambda cell: area.intersection(beside(cell)))
    return reached == area


def _moved(before: Instance, after: Instance, values: Values) -> Values | None:
    """Return a solution of a page as that of another page; None if its unknowns differ."""
    named = {
        (name, key): values[v]
        for name, family in before.families.items()
        for key, v in family.members.items()
    }
    own = {
        (name, key): v
        for name, family in after.families.items()
        for key, v in family.members.items()
    }
    return (
        {variable: named[key] for key, variable in own.items()}
        if named.keys() == own.keys()
        else None
    )


def _same(one: Mapping[UnknownKey, Value], other: Mapping[UnknownKey, Value]) -> bool:
    """Return whether two solutions agree; an unknown that one of them lacks is false there."""
    return all(one.get(key, False) == other.get(key, False) for key in one.keys() | other.keys())
