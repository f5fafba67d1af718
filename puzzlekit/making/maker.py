"""Makes puzzles with one solution: a random solution first, then as few of its clues as leave no
other.

One assumption model has what the rules say without clues and what each clue adds; a set of clues is
a set of assumptions. *No other solution* is a contradiction between them and *another solution than
this one*, and its core is already a small set of clues.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from functools import cached_property
from random import Random
from typing import Any

from puzzlekit.backends import ConflictBudgetExceeded
from puzzlekit.boards import Cell, Grid, Symmetry, images
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import Problems
from puzzlekit.lang import Preferences, PuzzleType
from puzzlekit.making.clues import ClueTable, InterdependentClues
from puzzlekit.making.fields import (
    Clues,
    FieldCell,
    around,
    cells_of,
    lasting_spots,
    with_clues,
)
from puzzlekit.making.taste import Remark, Taste
from puzzlekit.making.variety import anchors
from puzzlekit.model import Constraint, Model, Value, Variable
from puzzlekit.reasons import AssumptionModel, AssumptionSolver, Explainer

SOLUTIONS = 200  # that are tried for one puzzle
STUCK = 50  # of them one after the other that come no nearer to a puzzle
CONFLICTS = 40_000  # that are spent on it
OTHERS = 8  # solutions that are compared with one
AFRESH = 0.1  # how often one is a new one, though another is nearly determined
MEANING = -1  # the number that the meaning of functions has instead of a constraint's
NEAR = (1, 2, 3, 4)  # how far from a difference something is drawn again
FAR = 0.7  # the share of a solution that stays where no difference has a place on the board


@dataclass
class Candidate:
    """A puzzle with its only solution.

    Attributes:
        clues: Its clues.
        all_clues: All clues that its solution meets.
        data: Its fields; those of clues as they may be.
        fields: The fields of clues.
        retained: What stands where a clue may be, and is none.
        symmetry: Which spots have clues together.
        forced: The spots that need a clue: without one, a rule is broken.
        explainer: Returns the explainer of the puzzle with some of the clues, all over the same
            literals, or None if it cannot be had so; None if clues decide which unknowns there are.
        again: Returns the candidate with as few clues again, which others may be; None if it has
            no others.
    """

    clues: dict[FieldCell, Any]
    all_clues: dict[FieldCell, Any]
    data: Mapping[str, Any]
    fields: tuple[str, ...]
    retained: Clues = field(default_factory=dict)
    symmetry: Symmetry = "none"
    forced: frozenset[FieldCell] = frozenset()
    explainer: Callable[[Clues], Explainer | None] | None = None
    again: Callable[[], Candidate] | None = None

    def with_clues(self, clues: Clues) -> dict[str, Any]:
        """Return the fields with these clues and no others."""
        return with_clues(self.data, self.fields, clues, self.retained)

    def orbit(self, spot: FieldCell) -> tuple[FieldCell, ...]:
        """Return the spots that have clues together with a spot."""
        return orbit(spot, self.all_clues, self.symmetry, self.data[spot[0]])

    @property
    def further_spots(self) -> list[FieldCell]:
        """The spots that have no clue, though the solution meets one there."""
        return [spot for spot in self.all_clues if spot not in self.clues]

    def clues_at(self, spots: Collection[FieldCell]) -> dict[FieldCell, Any]:
        """Return the clues of the solution at these spots."""
        return {spot: clue for spot, clue in self.all_clues.items() if spot in spots}


def orbit(
    spot: FieldCell, among: Collection[FieldCell], symmetry: Symmetry, board: Any
) -> tuple[FieldCell, ...]:
    """Return the spots on a board that have clues together with a spot."""
    name, cell = spot
    if symmetry == "none" or not isinstance(board, Grid):
        return (spot,)
    image_cells = images(cell, board.height, board.width, symmetry) - {cell}
    image_spots = [(name, image) for image in sorted(image_cells)]
    return (spot, *(image for image in image_spots if image in among))


@dataclass
class _TrialSolution:
    """A solution that may become a puzzle.

    Attributes:
        solution: A model, as true and false literals.
        clues: The clues that it meets.
        forced: The spots that need a clue.
        alternative: Another solution with these clues; None if there is none.
        differing: The literals in which other solutions differ.
    """

    solution: Collection[int]
    clues: dict[FieldCell, Any]
    forced: set[FieldCell]
    alternative: list[int] | None
    differing: set[int]


@dataclass
class Maker:
    """Makes puzzles of one type and shape.

    Attributes:
        table: What each clue states.
        symmetry: Which spots have clues together.
        keep_all: The fields from which no clue is taken away.
        preferences: What is preferred among puzzles; None for nothing.
        lasting_cells: A type whose `info` says which clues stay; None for none.
        assumption_model: The rules with all clues.
        top: The largest number of the model, from which each puzzle counts on.
        of_base: The instances of each constraint without clues, by their selectors.
        of_clue: Those of what a clue adds.
        literals: The literals of the values that make up a solution.
        numbers: All numbers of literals that are no selectors.
        cells_by_literal: The cells that each of the literals is about.
    """

    table: ClueTable
    symmetry: Symmetry = "none"
    keep_all: tuple[str, ...] = ()
    preferences: Preferences | None = None
    lasting_cells: PuzzleType | None = None
    assumption_model: AssumptionModel = field(init=False)

    def __post_init__(self) -> None:
        owners = self._build_model()
        self.top = self.assumption_model.literals.top
        self._sort_selectors(owners)
        instances = self.assumption_model.instances
        selectors = {instance.selector for instance in instances}
        self.numbers = [number for number in range(2, self.top + 1) if number not in selectors]
        cells: dict[Variable, frozenset[Cell]] = {}
        for array in self.table.empty.families.values():
            for index, variable in array.members.items():
                cells[variable] = frozenset(cells_of(index))
        self.cells_by_literal: dict[int, frozenset[Cell]] = {}
        for variable in self.assumption_model.goal:
            for literal in self.assumption_model.literals.of_all(variable):
                self.cells_by_literal[literal] = cells.get(variable, frozenset())
        self.literals = list(self.cells_by_literal)

    def _build_model(self) -> dict[int, Any]:
        """Build the assumption model; return by the identity of an origin the number of a
        constraint without clues, the spot and value of a clue, or several of them that state it
        together.
        """
        table = self.table
        owners: dict[int, Any] = {}
        constraints = []
        for number, constraint in enumerate(table.base):
            origin = replace(constraint.origin)
            owners[id(origin)] = number
            constraints.append(Constraint(constraint.condition, origin))
        for owner, added in (*table.added.items(), *table.together.items()):
            for constraint in added:
                origin = replace(constraint.origin)
                owners[id(origin)] = owner
                constraints.append(Constraint(constraint.condition, origin))
        self._constraints = constraints  # whose origins are told apart by identity
        empty = table.empty.model
        model = Model(empty.domains, tuple(constraints), None, empty.auxiliary)
        self.assumption_model = AssumptionModel(model)
        AssumptionSolver(self.assumption_model)  # which numbers what clauses need besides
        return owners

    def _sort_selectors(self, owners: Mapping[int, Any]) -> None:
        """Sort the selectors of instances by the constraint or the clue that they belong to.

        Raises InterdependentClues.
        """
        self._numbers_of: dict[Any, list[int]] = {}
        self.of_base: dict[int, list[int]] = {}
        self.of_clue: dict[tuple[FieldCell, Any], list[int]] = {}
        for clue in self.table.added:
            self.of_clue[clue] = []
        for instance in self.assumption_model.instances:
            origins = {id(origin) for origin in instance.origins}
            if len(origins) > 1:
                raise InterdependentClues("clues share a table of words")
            # what functions mean that several clues use belongs to none of them
            owner = owners.get(origins.pop(), MEANING)
            self._numbers_of.setdefault(owner, []).append(instance.number)
            if isinstance(owner, int):
                self.of_base.setdefault(owner, []).append(instance.selector)
            elif owner in self.of_clue:
                self.of_clue[owner].append(instance.selector)

    def make(self, random: Random) -> Candidate | None:
        """Return a puzzle with one solution; None if none was found among some solutions.

        A solution whose clues allow another one is left for that one, if it meets more clues; else
        for one that is drawn again near the differences, if there are then fewer.
        """
        search = _Search(self, random)
        search.solver.limit_conflicts(CONFLICTS)
        with suppress(ConflictBudgetExceeded):
            return self._searched(search, random)
        return None

    def _searched(self, search: _Search, random: Random) -> Candidate | None:
        best: _TrialSolution | None = None
        is_fresh = True
        stuck = 0
        for _ in range(SOLUTIONS):
            if stuck > STUCK:
                break
            if best is None or is_fresh:
                solution = search.solution()
            else:
                solution = search.nearby_solution(best.solution, best.differing)
            is_fresh = best is None
            if solution is None:
                if best is None:
                    return None
                continue
            trial = self._improved_trial(search, solution)
            if trial is None:
                continue
            if trial.alternative is None:
                return self._candidate(search, trial)
            if best is None or len(trial.differing) < len(best.differing):
                stuck = 0
            else:
                stuck += 1
            if best is None or len(trial.differing) <= len(best.differing):
                best = trial
            is_fresh = random.random() < AFRESH
        return None

    def _improved_trial(self, search: _Search, solution: Collection[int]) -> _TrialSolution | None:
        """Return a trial of a solution, or of alternatives to it as long as these meet more clues;
        None if the clues are no puzzle.
        """
        trial = self._trial(search, solution)
        while trial is not None and trial.alternative:
            clues = self.clues_of(self.values(trial.alternative))
            if len(clues) <= len(trial.clues):
                break
            trial = self._trial(search, trial.alternative)
        return trial

    def _trial(self, search: _Search, solution: Collection[int]) -> _TrialSolution | None:
        """Return a solution with its clues, and another one that they allow; None if its clues are
        no puzzle.
        """
        values = self.values(solution)
        clues, forced = self.clues_of(values), self.forced(values)
        if not forced <= clues.keys():
            return None
        alternative = search.another(clues, solution)
        differing = set[int]()
        if alternative:
            differing = search.differing(clues, solution, alternative)
        return _TrialSolution(solution, clues, forced, alternative, differing)

    def _candidate(self, search: _Search, trial: _TrialSolution) -> Candidate:
        """Return the puzzle of a solution that its clues determine, with few of them.

        Clues that the type avoids go first, and none of them is among all clues of the candidate.
        """
        table = self.table
        data = self._data(trial.clues)
        lasting = lasting_spots(self.keep_all, self.lasting_cells, data, trial.clues)
        forced = trial.forced | lasting
        clues, wanted = trial.clues, set[FieldCell]()
        if self.preferences is not None:
            taste = Taste(self.preferences, search.random)
            clues = search.without_flaws(clues, forced, taste)
            merits = taste.merits(self._data(clues))
            wanted = taste.spots_of(merits, clues)

        def explainer(clues: Clues) -> Explainer | None:
            return self.explainer(clues, [*trial.solution])

        def again() -> Candidate:
            return replace(candidate, clues=search.shrink_clues(clues, forced, wanted))

        shrunk = search.shrink_clues(clues, forced, wanted)
        candidate = Candidate(
            clues=shrunk,
            all_clues=clues,
            data=table.puzzle.instance.data,
            fields=table.fields,
            retained=table.retained,
            symmetry=self.symmetry,
            forced=frozenset(trial.forced),
            explainer=explainer,
            again=again,
        )
        return candidate

    def _data(self, clues: Clues) -> dict[str, Any]:
        """Return the fields of the puzzle that has these clues."""
        table = self.table
        data = table.puzzle.instance.data
        return with_clues(data, table.fields, clues, table.retained)

    def flaws(self, clues: Clues, taste: Taste) -> list[Remark]:
        """Return the flaws of the puzzle that has these clues."""
        return taste.flaws(self._data(clues))

    def values(self, solution: Collection[int]) -> dict[Variable, Value]:
        """Return the values of all unknowns in a model."""
        true = {1, *solution}
        of = self.assumption_model.literals.of
        values: dict[Variable, Value] = {}
        for variable, domain in self.table.domains.items():
            values[variable] = next(value for value in domain if of(variable, value) in true)
        return values

    def clues_of(self, values: Mapping[Variable, Value]) -> dict[FieldCell, Any]:
        """Return the clues that a solution meets: at each spot the first of those that it meets."""
        clues: dict[FieldCell, Any] = {}
        for (spot, clue), added in self.table.added.items():
            if spot not in clues and added and _are_met(added, values):
                clues[spot] = clue
        return clues

    def forced(self, values: Mapping[Variable, Value]) -> set[FieldCell]:
        """Return the spots that need a clue: without one, a rule is broken."""
        base = self.table.base
        forced: set[FieldCell] = set()
        for spot, removed in self.table.removed.items():
            if not _are_met((base[number] for number in removed), values):
                forced.add(spot)
        return forced

    def explainer(self, clues: Clues, solution: Sequence[int]) -> Explainer | None:
        """Return the explainer of the board with these clues and no others; None if words of the
        type need clues.

        Args:
            clues: The clues.
            solution: A model of their only solution.
        """
        if self._explainer is None:
            return None
        removed: set[int] = set()
        for spot in clues:
            removed |= self.table.removed.get(spot, set())
        owners = [number for number in self.of_base if number not in removed]
        numbers: set[int] = set()
        for owner in (*owners, *clues.items(), *self.table.stated_together(clues)):
            numbers.update(self._numbers_of.get(owner, ()))
        explainer = self._explainer.restricted(self.assumption_model.restricted(numbers))
        explainer.solution_literals = solution
        return explainer

    @cached_property
    def _explainer(self) -> Explainer | None:
        """The explainer of the empty board; None if words of the type need clues."""
        try:
            return Explainer(self.table.empty)
        except Problems:
            self.table.puzzle.type.source.forget_problems()
            return None

    def orbit(self, spot: FieldCell, among: Collection[FieldCell]) -> tuple[FieldCell, ...]:
        """Return the spots that have clues together with a spot."""
        return orbit(spot, among, self.symmetry, self.table.puzzle.instance.data[spot[0]])


def _are_met(constraints: Iterable[Constraint], values: Mapping[Variable, Value]) -> bool:
    return all(constraint.condition.value(values) for constraint in constraints)


class _Search:
    """Questions to the assumption model for one puzzle, by a solver of its own, so that the puzzle
    follows from the random numbers.
    """

    def __init__(self, maker: Maker, random: Random) -> None:
        self.maker = maker
        self.random = random
        self.switch = 0  # the literal of *another solution than the last one*
        literals = maker.assumption_model.literals
        literals.top = maker.top  # the same numbers for each puzzle
        self.solver = AssumptionSolver(maker.assumption_model)
        self.removable: set[int] = set()  # constraints that some clue takes away
        for removed in maker.table.removed.values():
            self.removable |= removed
        instances = maker.assumption_model.instances
        shape_selectors = {instance.selector for instance in instances if instance.shape}
        self.shapes: list[int] = []  # the selectors of shapes that hold on each board
        for number, selectors in maker.of_base.items():
            if number in self.removable:
                continue
            for selector in selectors:
                if selector in shape_selectors:
                    self.shapes.append(selector)
                else:
                    self.solver.add([selector])
        # by clue, a literal that switches it on, and the selectors of its shapes
        self.assumed_by_clue: dict[tuple[FieldCell, Any], tuple[int, ...]] = {}
        self.by_literal: dict[int, FieldCell] = {}
        for clue, selectors in maker.of_clue.items():
            literal = literals.fresh()
            for selector in selectors:
                self.solver.add([-literal, selector])
            shapes = [selector for selector in selectors if selector in shape_selectors]
            self.assumed_by_clue[clue] = (literal, *shapes)
            self.by_literal[literal] = clue[0]

    def _assumed(self, clues: Clues) -> list[int]:
        """Return the assumptions that state a board with these clues and no others."""
        assumed = list(self.shapes)
        remaining = set(self.removable)
        for spot in clues:
            remaining -= self.maker.table.removed.get(spot, set())
        for number in sorted(remaining):
            assumed += self.maker.of_base.get(number, ())
        for spot, clue in clues.items():
            assumed += self.assumed_by_clue[spot, clue]
        return assumed

    def _prefer_random_literals(self) -> None:
        numbers = self.maker.numbers  # a search may decide auxiliary ones first
        uniform = self.random.random
        self.solver.prefer([number if uniform() < 0.5 else -number for number in numbers])

    def solution(self) -> list[int] | None:
        """Return a random solution of what the rules say whatever the clues are; None if there is
        none.
        """
        chosen = anchors(self.solver, self.shapes, self.maker.literals, self.random)
        self._prefer_random_literals()
        return self.solver.model([*self.shapes, *chosen], repair=True)

    def nearby_solution(
        self, solution: Collection[int], differing: Collection[int]
    ) -> list[int] | None:
        """Return a random solution that is the same but near some of these literals; None if there
        is none.
        """
        cells_by_literal = self.maker.cells_by_literal
        cells = sorted({cell for literal in differing for cell in cells_by_literal[literal]})
        true = {*solution}
        true_literals = [literal for literal in self.maker.literals if literal in true]
        if cells:
            nearby = around([self.random.choice(cells)], self.random.choice(NEAR))
            retained = [
                literal for literal in true_literals if nearby.isdisjoint(cells_by_literal[literal])
            ]
        else:
            retained = [literal for literal in true_literals if self.random.random() < FAR]
        self._prefer_random_literals()
        return self.solver.model([*self.shapes, *retained], repair=True)

    def differing(
        self, clues: Clues, solution: Collection[int], alternative: Collection[int]
    ) -> set[int]:
        """Return the literals of a solution that are not so in an alternative, or in some more with
        these clues.
        """
        true = {*solution}.intersection(self.maker.literals)
        differing = true.difference(alternative)
        switch = self.switch
        for _ in range(OTHERS):
            another = self.another(clues, true - differing)
            if another is None:
                break
            differing |= true.difference(another)
        self.switch = switch
        return differing

    def another(self, clues: Clues, solution: Collection[int]) -> list[int] | None:
        """Return another solution with these clues; None if there is none. Then `core` are enough
        of the clues.
        """
        true = {*solution}
        switch = self.maker.assumption_model.literals.fresh()
        opposite = [-literal for literal in self.maker.literals if literal in true]
        self.solver.add([-switch, *opposite])
        another = self.solver.model([*self._assumed(clues), switch])
        self.switch = switch
        return another

    def without_flaws(
        self, clues: dict[FieldCell, Any], forced: Collection[FieldCell], taste: Taste
    ) -> dict[FieldCell, Any]:
        """Return clues that leave no other solution: all but those that make flaws, as far as
        that can be.
        """
        removed = taste.without_flaws(clues, self.maker.flaws(clues, taste), forced)
        batches = [removed] if removed else []
        while batches:
            batch = batches.pop()
            orbits = {member for spot in batch for member in self.maker.orbit(spot, clues)}
            fewer = {spot: clue for spot, clue in clues.items() if spot not in orbits}
            is_allowed = orbits.isdisjoint(forced)
            if is_allowed and not self.solver.possible([*self._assumed(fewer), self.switch]):
                clues = fewer
            elif len(batch) > 1:
                middle = len(batch) // 2
                batches += [batch[:middle], batch[middle:]]
        return clues

    def shrink_clues(
        self,
        clues: dict[FieldCell, Any],
        forced: Collection[FieldCell],
        wanted: Collection[FieldCell] = (),
    ) -> dict[FieldCell, Any]:
        """Return as few clues as leave no other solution, each with its orbit; those that are
        forced stay, and those that are wanted go last.
        """
        # a core leans to what is assumed first
        mixed = dict(self.random.sample(list(clues.items()), len(clues)))
        needed = set(clues)
        core = self.solver.core([*self._assumed(mixed), self.switch]) or []
        if not self.removable:  # what a clue takes away is not in a core
            needed = {self.by_literal[literal] for literal in core if literal in self.by_literal}
        orbits = {spot: self.maker.orbit(spot, clues) for spot in clues}
        chosen = {member for spot in needed.union(forced) for member in orbits[spot]}
        order = sorted(chosen, key=_order)
        self.random.shuffle(order)
        order.sort(key=lambda spot: spot in wanted)
        # for each other solution that was seen, the clues that it does not meet
        witnesses: list[set[FieldCell]] = []
        for spot in order:
            orbit_of_spot = {*orbits[spot]}
            if spot not in chosen or not orbit_of_spot.isdisjoint(forced):
                continue
            remaining = chosen - orbit_of_spot
            fewer = {member: clue for member, clue in mixed.items() if member in remaining}
            if any(unmet.isdisjoint(fewer) for unmet in witnesses):
                continue
            another = self.solver.model([*self._assumed(fewer), self.switch])
            if another is None:
                chosen = self._needed(fewer) | remaining.intersection(forced)
            elif not self.removable:
                witnesses.append(self._unmet(clues, another))
        return {spot: clue for spot, clue in clues.items() if spot in chosen}

    def _needed(self, clues: Clues) -> set[FieldCell]:
        """Return the spots of clues that leave no other solution: of a core, if it has them."""
        if self.removable or self.maker.symmetry != "none":
            return set(clues)
        core = {*(self.solver.core([*self._assumed(clues), self.switch]) or ())}
        needed = set()
        for spot, clue in clues.items():
            if self.assumed_by_clue[spot, clue][0] in core:
                needed.add(spot)
        return needed

    def _unmet(self, clues: Clues, solution: Collection[int]) -> set[FieldCell]:
        """Return the spots of the clues that a solution does not meet."""
        values = self.maker.values(solution)
        added = self.maker.table.added
        return {spot for spot, clue in clues.items() if not _are_met(added[spot, clue], values)}


def _order(spot: FieldCell) -> Any:
    return spot[0], spot[1]
