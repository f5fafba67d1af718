"""Makes puzzles of types whose clues decide what is unknown: a design first, whose solutions are
complete puzzles.

A random solution of the design gives the fields of a puzzle. If the puzzle has several solutions,
what was drawn near their differences is drawn again, until none is left (simulated annealing).
Then clues are taken away, each by solving the puzzle without it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field, replace
from math import inf, log
from random import Random
from typing import Any

from puzzlekit.backends import ConflictBudgetExceeded
from puzzlekit.boards import Cell, Grid, Symmetry
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import Problems
from puzzlekit.lang import (
    Instance,
    Interpreter,
    MakeSection,
    PuzzleType,
    RandomChoices,
    side_neighbours as adjacent_cells,
)
from puzzlekit.making.alternatives import Alternatives, UnknownKey
from puzzlekit.making.fields import (
    Base,
    Clues,
    Statements,
    around,
    cells_of,
    clue_fields,
    clues_in,
    item_of,
    lasting_spots,
    typed,
    with_clues,
)
from puzzlekit.making.maker import CONFLICTS, FAR, NEAR, Candidate, orbit
from puzzlekit.making.taste import DRAWN, Taste
from puzzlekit.making.variety import anchors
from puzzlekit.model import Value, Variable, reachable
from puzzlekit.reasons import AssumptionModel, AssumptionSolver

STEPS = 400  # of the search for one puzzle
STUCK = 80  # of them without getting better
# Of the annealing: something worse by so many unknowns is accepted with a probability of 1 / e.
HEAT = 2.0
LAYOUTS = 200  # that are drawn for one puzzle without clues
LASTING = 4  # clues that cannot be taken away before a field is left as it is

Data = Mapping[str, Any]
Values = dict[Variable, Value]


@dataclass
class Design:
    """A design with what was drawn for it.

    Attributes:
        data: The fields that it is drawn on.
        draws: What was drawn at random.
        instance: The rules of the design on these fields.
        values: The solution of the instance.
        varied: The fields that were changed since.
        model: Random solutions of the instance; None if its fields were changed.
    """

    data: Data
    draws: RandomChoices
    instance: Instance
    values: Values
    varied: dict[str, Any] = field(default_factory=dict)
    model: _LayoutModel | None = None


class DesignMaker:
    """Makes puzzles of one type and size by its design."""

    def __init__(
        self, base: Base, making: MakeSection, symmetry: Symmetry | None, density: int | None
    ) -> None:
        self.making, self.type_ = making, base.type
        self.given_names = [rule.name for rule in making.fields if rule.name not in base.assigned]
        clue_names = [name for name in self.given_names if item_of(base.type.fields[name].type)]
        present = [name for name in clue_names if base.data[name] is not None]
        self.base = replace(base, data=with_clues(base.data, present, {}, {}))
        self.symmetry: Symmetry = symmetry or "none"
        self.layout_symmetry = symmetry or "rotate"
        self.density = density
        self._cached_model: _LayoutModel | None = None

    def make(self, random: Random) -> Candidate | None:
        """Return a puzzle with one solution; None if none was found. Raises Problems, perhaps of
        what was drawn.
        """
        taste = Taste(self.making.prefer, random)
        design = self._best_drawn(random, taste)
        if design is None:
            return None
        data = self._fields(design)
        score = taste.score(data)
        loose = self._loose(data, inf)
        stuck, fewest_loose = 0, inf
        for _ in range(STEPS):
            if not loose or stuck > STUCK:
                break
            if len(loose) < fewest_loose:
                stuck, fewest_loose = 0, len(loose)
            else:
                stuck += 1
            loose_cells = {cell for _, index in loose for cell in cells_of(index)}
            changed = self._changed(design, random, loose_cells)
            if changed is None:
                continue
            changed_data = self._fields(changed)
            if changed_data == data:
                continue
            changed_score = taste.score(changed_data)
            most_loose = len(loose) + changed_score - score - HEAT * log(1 - random.random())
            still_loose = self._loose(changed_data, most_loose) if most_loose >= 0 else None
            if still_loose is not None:
                design, data, loose, score = changed, changed_data, still_loose, changed_score
        if loose is None or loose:
            return None
        return self._shrink_clues(design, data, random, taste)

    def _best_drawn(self, random: Random, taste: Taste) -> Design | None:
        """Return a design, with a solution: the best of several, if the type prefers some."""
        best, highest = None, -inf
        for _ in range(DRAWN):
            design = self._drawn(random)
            if design is None or taste.preferences is None:
                return design
            score = taste.score(self._fields(design))
            if score > highest:
                best, highest = design, score
            if taste.is_best(score):
                break
        return best

    def _drawn(self, random: Random) -> Design | None:
        """Return a design, with a solution."""
        draws = RandomChoices(random, self.layout_symmetry, self.density)
        data = dict(self.base.data)
        if self.making.layout is not None:
            data |= laid_out(self.making.layout, self.base, draws)
        model = self._model(data, draws)
        model.begin()
        values = model.solution(random)
        return None if values is None else Design(data, draws, model.instance, values, model=model)

    def _model(self, data: Data, draws: RandomChoices) -> _LayoutModel:
        """Return the model of the design on these fields: the one before if nothing is drawn for
        it.
        """
        cached = self._cached_model
        if cached is not None and data == cached.instance.data:
            return cached
        draws_before = len(draws.choices)
        model = _LayoutModel(self._instance(data, draws), self.making.bias)
        if len(draws.choices) == draws_before and not self.making.draws_values:
            self._cached_model = model
        return model

    def _instance(self, data: Data, draws: RandomChoices) -> Instance:
        assert self.making.design is not None
        return Instance(self.making.design, data, interpreter=_interpreter(draws), checked=False)

    def _fields(self, design: Design) -> Data:
        """Return the fields of the puzzle that a design gives."""
        data = dict(design.data)
        instance = design.instance
        instance.interpreter.draws = design.draws
        for rule in self.making.fields:
            if rule.name in self.base.assigned:
                continue
            design.draws.turns.clear()  # fields that draw alike have the same
            value = instance.evaluate(rule.expression, design.values)
            before = design.data[rule.name]
            data[rule.name] = typed(self.type_.fields[rule.name], before, value, rule.expression)
        for name in self.making.statements:
            if isinstance(data[name], tuple):
                data[name] = Statements(data[name])
        return {**data, **design.varied}

    def _loose(self, data: Data, most: float) -> set[UnknownKey] | None:
        """Return the unknowns in which solutions of a puzzle differ; None if it has none, or if
        they are more than `most`, or if that takes too long.
        """
        loose = set[UnknownKey]()
        try:
            # shapes of regions recur
            presolved = not self.making.reshape
            alternatives = Alternatives(self.base.puzzle(data), self.base.patterns, presolved)
            for differing in alternatives.differences():
                loose |= differing
                if len(loose) > most:
                    return None
        except ConflictBudgetExceeded:
            return None
        return loose if alternatives.solution is not None else None

    def _changed(self, design: Design, random: Random, cells: Collection[Cell]) -> Design | None:
        """Return a design that differs near these cells; None if there is none."""
        moves = [self._varied] * 3 if self.making.reshape else []
        moves.append(self._solved_again)
        if any(_is_about(key, cells) for key in design.draws.choices):
            moves.append(self._redrawn)
        return random.choice(moves)(design, random, cells)

    def _varied(self, design: Design, random: Random, cells: Collection[Cell]) -> Design | None:
        """Give a cell to another region."""
        name = random.choice(self.making.reshape)
        board: Grid = design.varied.get(name) or self._fields(design)[name]
        reshaped = _reshaped(board, random, cells)
        if reshaped is None:
            return None
        varied = {**design.varied, name: reshaped}
        layout = self.making.layout
        laid = [] if layout is None else [rule.name for rule in layout.info]
        if name not in design.data or name not in laid:
            return replace(design, varied=varied)
        data = {**design.data, name: reshaped}
        instance = self._instance(data, design.draws)
        values = _transferred(design.instance, instance, design.values)
        if values is None or instance.check(values) is not None:
            return None
        return Design(data, design.draws, instance, values, varied)

    def _redrawn(self, design: Design, random: Random, cells: Collection[Cell]) -> Design | None:
        """Draw again what a solution gives near these cells."""
        draws = design.draws
        retained = {
            key: value
            for key, value in draws.choices.items()
            if random.random() < 0.5 or not _is_about(key, cells)
        }
        if len(retained) == len(draws.choices):
            return None
        redrawn = RandomChoices(random, draws.symmetry, draws.density, retained)
        return replace(design, draws=redrawn, varied={})

    def _solved_again(
        self, design: Design, random: Random, cells: Collection[Cell]
    ) -> Design | None:
        """Take another solution of the design that differs near these cells."""
        model = design.model
        if model is None:
            return None
        cells_by_variable = model.cells_by_variable
        if cells:
            nearby = around([random.choice(sorted(cells))], random.choice(NEAR))
            retained = [
                variable
                for variable, own_cells in cells_by_variable.items()
                if own_cells.isdisjoint(nearby)
            ]
        else:
            retained = [variable for variable in cells_by_variable if random.random() < FAR]
        fixed = {variable: design.values[variable] for variable in retained}
        values = model.solution(random, fixed)
        if values is None or values == design.values:
            return None
        return replace(design, values=values, varied={})

    def _shrink_clues(self, design: Design, data: Data, random: Random, taste: Taste) -> Candidate:
        """Take clues away while the solution stays the only one; first those that make flaws."""
        fields = self._clue_fields(data)
        retained = self._retained(design, data, fields)
        all_clues = clues_in(data, fields)
        clues = {spot: clue for spot, clue in all_clues.items() if spot not in retained}
        chosen = dict(clues)
        lasting = dict.fromkeys(fields, 0)  # how many clues of each field could not be taken away
        making = self.making
        stays = lasting_spots(making.keep_all, making.lasting_cells, data, clues) | {*retained}
        removable = [spot for spot in clues if spot not in stays]
        order = random.sample(removable, len(removable))
        flawed = {cell for flaw in taste.flaws(data) for cell in flaw.cells}
        order.sort(key=lambda spot: spot[1] not in flawed)
        solution = (only_solution(self.base, data) if order else None) or {}
        for spot in order:
            name = spot[0]
            if spot not in chosen or lasting[name] >= LASTING:
                continue
            removed = orbit(spot, all_clues, self.symmetry, data[name])
            if not stays.isdisjoint(removed):
                continue
            fewer = {member: clue for member, clue in chosen.items() if member not in removed}
            try:
                remaining = only_solution(self.base, with_clues(data, fields, fewer, retained))
            except Problems:  # no rule runs without this clue
                self.type_.source.forget_problems()
                continue
            if remaining is not None and _agree(solution, remaining):
                chosen = fewer
                lasting[name] = -len(removable)
            else:
                lasting[name] += 1
        return Candidate(chosen, clues, data, tuple(fields), retained, self.symmetry)

    def _clue_fields(self, data: Data) -> list[str]:
        """Return the fields that hold clues, and those of statements that a solution gives."""
        others = (self._laid_names() | self.base.assigned) - set(self.given_names)
        names = [name for name in clue_fields(self.type_, data) if name not in others]
        return names + [name for name in self.making.statements if name not in others]

    def _laid_names(self) -> set[str]:
        """Return the fields that the layout draws."""
        layout = self.making.layout
        return set() if layout is None else {rule.name for rule in layout.info}

    def _retained(self, design: Design, data: Data, fields: Collection[str]) -> Clues:
        """Return what stands where the layout put something: it stays."""
        laid_names = self._laid_names()
        laid = clues_in(design.data, [name for name in fields if name in laid_names])
        clues = clues_in(data, fields)
        return {spot: clue for spot, clue in clues.items() if spot in laid}


class LayoutMaker:
    """Makes puzzles of a type without clues: its fields are drawn until they have one solution."""

    def __init__(self, base: Base, layout: PuzzleType, symmetry: Symmetry | None) -> None:
        self.base, self.layout = base, layout
        self.symmetry = symmetry or "rotate"

    def make(self, random: Random) -> Candidate | None:
        """Return a puzzle with one solution; None if none was found. Raises Problems of what was
        drawn.
        """
        for _ in range(LAYOUTS):
            draws = RandomChoices(random, self.symmetry)
            laid = laid_out(self.layout, self.base, draws)
            data = {**self.base.data, **laid}
            if only_solution(self.base, data) is not None:
                return Candidate({}, {}, data, ())
        return None


def only_solution(base: Base, data: Data) -> dict[UnknownKey, Value] | None:
    """Return the only solution of a puzzle; None if it has none or several, or if that takes too
    long.
    """
    try:
        alternatives = Alternatives(base.puzzle(data), base.patterns)
        differing = next(alternatives.differences(), None)
    except ConflictBudgetExceeded:
        return None
    return None if differing else alternatives.solution


class _LayoutModel:
    """The rules of a design on some fields, and random solutions of them."""

    def __init__(self, instance: Instance, bias: Mapping[str, int]) -> None:
        self.instance = instance
        self.assumption_model = AssumptionModel(instance.model)
        self.solver = AssumptionSolver(self.assumption_model)
        self.is_asked = False
        selectors = {*self.solver.all_selectors}
        top = self.assumption_model.literals.top
        self.numbers = [number for number in range(2, top + 1) if number not in selectors]
        self.cells_by_variable: dict[Variable, frozenset[Cell]] = {}
        self.share: dict[Variable, float] = {}
        for name, array in instance.families.items():
            for index, variable in array.members.items():
                self.cells_by_variable[variable] = frozenset(cells_of(index))
                if name in bias:
                    self.share[variable] = bias[name] / 100
        self.domains = instance.model.domains
        self.literals: list[int] = []
        for variable in self.cells_by_variable:
            literals = self.assumption_model.literals.of_all(variable)
            self.literals += [literal for literal in literals if abs(literal) > 1]

    def begin(self) -> None:
        """Forget earlier questions: each puzzle follows from its random numbers alone."""
        if self.is_asked:
            self.solver = AssumptionSolver(self.assumption_model)
            self.is_asked = False

    def solution(
        self, random: Random, fixed: Mapping[Variable, Value] | None = None
    ) -> Values | None:
        """Return a random solution, with these values.

        None if there is none, or if it takes too long.
        """
        self.is_asked = True
        of = self.assumption_model.literals.of
        self.solver.prefer(self._random_literals(random))
        assumed = []
        for variable, value in (fixed or {}).items():
            if len(self.domains[variable]) > 1:
                assumed.append(of(variable, value))
        self.solver.limit_conflicts(CONFLICTS)
        try:
            assumed += self.solver.all_selectors
            if fixed is None:
                assumed += anchors(self.solver, assumed, self.literals, random)
            model = self.solver.model(assumed, repair=True)
        except ConflictBudgetExceeded:
            return None
        if model is None:
            return None
        true = {1, *model}
        values: Values = {}
        for variable, domain in self.domains.items():
            values[variable] = next(value for value in domain if of(variable, value) in true)
        return values

    def _random_literals(self, random: Random) -> list[int]:
        """Return literals for a search to try first; a later one replaces an earlier one."""
        literals = [number if random.random() < 0.5 else -number for number in self.numbers]
        for variable, domain in self.domains.items():
            share = self.share.get(variable, 1 / len(domain))
            for value in domain[-1:] if domain == (False, True) else domain:
                literal = self.assumption_model.literals.of(variable, value)
                literals.append(literal if random.random() < share else -literal)
        return [literal for literal in literals if abs(literal) > 1]


def best_layout(
    layout: PuzzleType, base: Base, draws: RandomChoices, taste: Taste
) -> dict[str, Any]:
    """Return the fields that a layout draws: the best of several, if the type prefers some."""
    if taste.preferences is None:
        return laid_out(layout, base, draws)
    best, highest = dict[str, Any](), -inf
    for _ in range(DRAWN):
        fresh = RandomChoices(draws.random, draws.symmetry, draws.density)
        laid = laid_out(layout, base, fresh)
        score = taste.score({**base.data, **laid})
        if score > highest:
            best, highest = laid, score
        if taste.is_best(score):
            break
    return best


def laid_out(layout: PuzzleType, base: Base, draws: RandomChoices) -> dict[str, Any]:
    """Return the fields that a layout draws, but for those that the command sets."""
    instance = Instance(layout, base.data, interpreter=_interpreter(draws), checked=False)
    laid: dict[str, Any] = {}
    for rule in layout.info:
        name = rule.name
        if name not in base.assigned:
            entry, before = base.type.fields[name], base.data[name]
            value = instance.info[name]
            laid[name] = typed(entry, before, value, rule.expression)
    return laid


def _interpreter(draws: RandomChoices) -> Interpreter:
    interpreter = Interpreter()
    interpreter.draws = draws
    draws.turns.clear()
    return interpreter


def _is_about(key: Any, cells: Collection[Cell]) -> bool:
    """Return whether a choice is about some of these cells; without cells, any is."""
    return not cells or any(cell in cells for cell in cells_of(key))


def _reshaped(board: Grid, random: Random, cells: Collection[Cell]) -> Grid | None:
    """Return a board on which a cell near these cells is in another region; None if none can be."""
    nearby = sorted(around(cells, 1) & board.values.keys()) or list(board.cells)
    for cell in random.sample(nearby, len(nearby)):
        region = board[cell]
        neighbours = [neighbour for neighbour in adjacent_cells(cell) if neighbour in board.values]
        other_regions = {board[neighbour] for neighbour in neighbours} - {region, None}
        remaining = [member for member in board.cells if board[member] == region and member != cell]
        if other_regions and remaining and _is_connected(remaining):
            return Grid({**board.values, cell: random.choice(sorted(other_regions))})
    return None


def _is_connected(cells: Collection[Cell]) -> bool:
    area = set(cells)
    reached = reachable(next(iter(area)), lambda cell: area.intersection(adjacent_cells(cell)))
    return reached == area


def _transferred(before: Instance, after: Instance, values: Values) -> Values | None:
    """Return a solution of an instance as that of another one; None if its unknowns differ."""
    by_key = {key: values[variable] for key, variable in _variables(before).items()}
    variables = _variables(after)
    if by_key.keys() != variables.keys():
        return None
    return {variable: by_key[key] for key, variable in variables.items()}


def _variables(instance: Instance) -> dict[UnknownKey, Variable]:
    """Return the unknowns by name and index."""
    variables: dict[UnknownKey, Variable] = {}
    for name, array in instance.families.items():
        for index, variable in array.members.items():
            variables[name, index] = variable
    return variables


def _agree(first: Mapping[UnknownKey, Value], second: Mapping[UnknownKey, Value]) -> bool:
    """Return whether two solutions agree; an unknown that one of them lacks is false there."""
    keys = first.keys() | second.keys()
    return all(first.get(key, False) == second.get(key, False) for key in keys)
