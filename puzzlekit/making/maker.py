"""Makes puzzles with one solution: a random solution first, then as few of its clues as leave no
other.

One guarded model holds what the rules say without clues and what each clue adds; a set of clues is
a set of assumptions. *No other solution* is a contradiction between them and *another solution than
this one*, and its core is already a small set of clues.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, get_args

from puzzlekit.backends.incremental_solver import ConflictBudgetExceeded
from puzzlekit.boards import Cell, Grid
from puzzlekit.making.clues import ClueTable, InterdependentClues
from puzzlekit.making.fields import Clues, FieldCell, around, cells_of, with_clues
from puzzlekit.model import Constraint, Model, Origin, Value, Variable
from puzzlekit.reasons.assumption_model import AssumptionModel, AssumptionSolver

SOLUTIONS = 200  # that are tried for one puzzle
STUCK = 50  # of them one after the other that come no nearer to a puzzle
CONFLICTS = 40_000  # that are spent on it
OTHERS = 8  # solutions that are compared with one
AFRESH = 0.1  # how often one is a new one, though another is nearly determined
NEAR = (1, 2, 3, 4)  # how far from a difference something is drawn again
FAR = 0.7  # the share of a solution that stays where no difference has a place on the board
Symmetry = Literal["none", "rotate", "mirror"]
SYMMETRIES: tuple[str, ...] = get_args(Symmetry)


@dataclass
class Candidate:
    """A puzzle with its only solution.

    Attributes:
        clues: Its clues.
        all: All clues that its solution meets.
        data: Its fields; those of clues as they may be.
        fields: The fields of clues.
        kept: What stands where a clue may be, and is none.
        symmetry: Which places have clues together.
        forced: The places that need a clue: without one, a rule is broken.
    """

    clues: dict[FieldCell, Any]
    all_clues: dict[FieldCell, Any]
    data: Mapping[str, Any]
    fields: tuple[str, ...]
    retained: Clues = field(default_factory=dict)
    symmetry: Symmetry = "none"
    forced: frozenset[FieldCell] = frozenset()

    def with_clues(self, clues: Clues) -> dict[str, Any]:
        """Return the fields with these clues and no others."""
        return with_clues(self.data, self.fields, clues, self.retained)

    def orbit(self, spot: FieldCell) -> tuple[FieldCell, ...]:
        """Return the places that have clues together with a place."""
        return orbit(spot, self.all_clues, self.symmetry, self.data[spot[0]])


def orbit(
    spot: FieldCell, among: Collection[FieldCell], symmetry: Symmetry, board: Any
) -> tuple[FieldCell, ...]:
    """Return the places on a board that have clues together with a place."""
    name, cell = spot
    if symmetry == "none" or not isinstance(board, Grid):
        return (spot,)
    turned = Cell(
        board.height + 1 - cell.row if symmetry == "rotate" else cell.row,
        board.width + 1 - cell.column,
    )
    return (spot,) if turned == cell or (name, turned) not in among else (spot, (name, turned))


@dataclass
class _TrialSolution:
    """A solution, its clues, those that must stay, another solution that they allow, and the
    literals where it differs.
    """

    solution: Collection[int]
    clues: dict[FieldCell, Any]
    forced: set[FieldCell]
    alternative: list[int] | None
    apart: set[int]


@dataclass
class Maker:
    """Makes puzzles of one type and shape.

    Attributes:
        table: What each clue states.
        symmetry: Which places have clues together.
        guarded: The guarded model of the rules with all clues.
        top: Its largest number, from which each puzzle counts on.
        of_base: The instances of each constraint without clues, by their selectors.
        of_clue: Those of what a clue adds.
        literals: The literals of the values that make up a solution.
        numbers: All numbers of literals that are no selectors.
        at: The cells that each of them is about.
    """

    table: ClueTable
    symmetry: Symmetry = "none"
    assumption_model: AssumptionModel = field(init=False)

    def __post_init__(self) -> None:
        table = self.table
        empty = table.empty.model
        constraints = [
            Constraint(one.condition, Origin(one.origin.rule, ("",), (n,)))
            for n, one in enumerate(table.base)
        ]
        self._owner: dict[int, Any] = {
            id(one.origin): number for number, one in enumerate(constraints)
        }
        for key, added in table.added.items():
            origin = Origin("clue", ("",), (key,))
            self._owner[id(origin)] = key
            constraints += [Constraint(one.condition, origin) for one in added]
        self._constraints = constraints  # whose origins are told apart by identity
        model = Model(empty.domains, tuple(constraints), None, empty.auxiliary)
        self.assumption_model = AssumptionModel(model)
        AssumptionSolver(self.assumption_model)  # which numbers what clauses need besides
        self.top = self.assumption_model.literals.top
        self.of_base: dict[int, list[int]] = {}
        self.of_clue: dict[tuple[FieldCell, Any], list[int]] = {key: [] for key in table.added}
        for instance in self.assumption_model.instances:
            owners = {id(origin) for origin in instance.origins}
            if len(owners) > 1:
                raise InterdependentClues("clues share a table of words")
            owner = self._owner[owners.pop()]
            (
                self.of_base.setdefault(owner, [])
                if isinstance(owner, int)
                else self.of_clue[owner]
            ).append(instance.selector)
        selectors = {instance.selector for instance in self.assumption_model.instances}
        self.numbers = [number for number in range(2, self.top + 1) if number not in selectors]
        where = {
            v: frozenset(cells_of(k))
            for family in table.empty.families.values()
            for k, v in family.members.items()
        }
        of = self.assumption_model.literals.of
        self.literals = [of(v, value) for v in self.assumption_model.goal for value in empty.domains[v]]
        self.cells_by_literal = {
            of(v, value): where.get(v, frozenset())
            for v in self.assumption_model.goal
            for value in empty.domains[v]
        }

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
        fresh, stuck = True, 0
        for _ in range(SOLUTIONS):
            if stuck > STUCK:
                break
            solution = (
                search.solution()
                if best is None or fresh
                else search.nearby_solution(best.solution, best.apart)
            )
            fresh = best is None
            if solution is None:
                if best is None:
                    return None
                continue
            tried = self._tried(search, solution)
            while (
                tried is not None
                and tried.alternative
                and len(self.clues_of(self.values(tried.alternative))) > len(tried.clues)
            ):
                tried = self._tried(search, tried.alternative)
            if tried is None:
                continue
            if tried.alternative is None:
                table = self.table
                chosen = search.shrink_clues(tried.clues, tried.forced)
                data, forced = table.puzzle.instance.data, frozenset(tried.forced)
                return Candidate(
                    chosen, tried.clues, data, table.fields, table.retained, self.symmetry, forced
                )
            stuck = 0 if best is None or len(tried.apart) < len(best.apart) else stuck + 1
            if best is None or len(tried.apart) <= len(best.apart):
                best = tried
            fresh = random.random() < AFRESH
        return None

    def _tried(self, search: _Search, solution: Collection[int]) -> _TrialSolution | None:
        """Return a solution with its clues, and another one that they allow; None if its clues are
        no puzzle.
        """
        values = self.values(solution)
        clues, forced = self.clues_of(values), self.forced(values)
        if not forced <= clues.keys():
            return None
        other = search.another(clues, solution)
        apart = search.apart(clues, solution, other) if other else set()
        return _TrialSolution(solution, clues, forced, other, apart)

    def values(self, solution: Collection[int]) -> dict[Variable, Value]:
        """Return the values of all unknowns in a model."""
        true = {1, *solution}
        of, domains = self.assumption_model.literals.of, self.table.domains
        return {
            variable: next(x for x in domains[variable] if of(variable, x) in true)
            for variable in domains
        }

    def clues_of(self, values: Mapping[Variable, Value]) -> dict[FieldCell, Any]:
        """Return the clues that a solution meets: at each place the first of those that it meets."""
        found: dict[FieldCell, Any] = {}
        for (spot, value), added in self.table.added.items():
            if spot not in found and added and all(one.condition.value(values) for one in added):
                found[spot] = value
        return found

    def forced(self, values: Mapping[Variable, Value]) -> set[FieldCell]:
        """Return the places that need a clue: without one, a rule is broken."""
        base = self.table.base
        return {
            s
            for s, own in self.table.removed.items()
            if not all(base[n].condition.value(values) for n in own)
        }

    def orbit(self, spot: FieldCell, among: Collection[FieldCell]) -> tuple[FieldCell, ...]:
        """Return the places that have clues together with a place."""
        return orbit(spot, among, self.symmetry, self.table.puzzle.instance.data[spot[0]])


class _Search:
    """Questions to the guarded model for one puzzle, by a solver of its own: the puzzle follows
    from the random numbers.
    """

    def __init__(self, maker: Maker, random: Random) -> None:
        self.maker = maker
        self.random = random
        self.switch = 0
        maker.assumption_model.literals.top = maker.top  # the same numbers for each puzzle
        self.solver = asking = AssumptionSolver(maker.assumption_model)
        fresh = maker.assumption_model.literals.fresh
        self.removable = {number for own in maker.table.removed.values() for number in own}
        shapes = {instance.selector for instance in maker.assumption_model.instances if instance.shape}
        for number, selectors in maker.of_base.items():
            for selector in selectors:
                if number in self.removable or selector in shapes:
                    continue
                asking.add([selector])
        self.shapes = [
            s for n, own in maker.of_base.items() if n not in self.removable for s in own if s in shapes
        ]
        self.clue: dict[tuple[FieldCell, Any], tuple[int, ...]] = {}
        self.by_literal: dict[int, FieldCell] = {}
        for key, selectors in maker.of_clue.items():
            one = fresh()
            for selector in selectors:
                asking.add([-one, selector])
            self.clue[key] = (one, *(selector for selector in selectors if selector in shapes))
            self.by_literal[one] = key[0]

    def _assumed(self, clues: Clues) -> list[int]:
        """Return the assumptions that state a board with these clues and no others."""
        assumed = list(self.shapes)
        gone = {number for spot in clues for number in self.maker.table.removed.get(spot, ())}
        for number in sorted(self.removable - gone):
            assumed += self.maker.of_base.get(number, ())
        for spot, value in clues.items():
            assumed += self.clue[spot, value]
        return assumed

    def solution(self) -> list[int] | None:
        """Return a random solution of what the rules say whatever the clues are; None if there is
        none.
        """
        literals = self.maker.numbers  # a search may decide auxiliary ones first
        self.solver.prefer([one if self.random.random() < 0.5 else -one for one in literals])
        return self.solver.model(self.shapes, repair=True)

    def nearby_solution(self, solution: Collection[int], apart: Collection[int]) -> list[int] | None:
        """Return a random solution that is the same but near some of these literals; None if there
        is none.
        """
        cells = sorted({cell for one in apart for cell in self.maker.cells_by_literal[one]})
        true = {*solution}
        if cells:
            where = around([self.random.choice(cells)], self.random.choice(NEAR))
            kept = [
                one
                for one in self.maker.literals
                if one in true and where.isdisjoint(self.maker.cells_by_literal[one])
            ]
        else:
            kept = [
                one for one in self.maker.literals if one in true and self.random.random() < FAR
            ]
        self.solver.prefer(
            [one if self.random.random() < 0.5 else -one for one in self.maker.numbers]
        )
        return self.solver.model([*self.shapes, *kept], repair=True)

    def apart(self, clues: Clues, solution: Collection[int], other: Collection[int]) -> set[int]:
        """Return the literals of a solution that are not so in another one, or in some more with
        these clues.
        """
        true = {*solution}.intersection(self.maker.literals)
        found = true.difference(other)
        switch = self.switch
        for _ in range(OTHERS):
            more = self.another(clues, true - found)
            if more is None:
                break
            found |= true.difference(more)
        self.switch = switch
        return found

    def another(self, clues: Clues, solution: Collection[int]) -> list[int] | None:
        """Return another solution with these clues; None if there is none. Then `core` are enough
        of the clues.
        """
        true = {*solution}
        switch = self.maker.assumption_model.literals.fresh()
        self.solver.add([-switch, *(-one for one in self.maker.literals if one in true)])
        found = self.solver.model([*self._assumed(clues), switch])
        self.switch = switch
        return found

    def shrink_clues(
        self, clues: dict[FieldCell, Any], forced: Collection[FieldCell]
    ) -> dict[FieldCell, Any]:
        """Return as few clues as leave no other solution, each with its whole orbit; those that are
        forced stay.
        """
        mixed = dict(
            self.random.sample(list(clues.items()), len(clues))
        )  # a core leans to what is assumed first
        core = self.solver.core([*self._assumed(mixed), self.switch]) or []
        needed = {self.by_literal[one] for one in core if one in self.by_literal}
        own = {spot: self.maker.orbit(spot, clues) for spot in clues}
        if self.removable:
            needed = set(clues)  # what a clue takes away is not in a core
        chosen = {other for spot in needed for other in own[spot]}
        order = sorted(chosen, key=_order)
        self.random.shuffle(order)
        witnesses: list[set[FieldCell]] = []
        for spot in order:
            if spot not in chosen or not {*own[spot]}.isdisjoint(forced):
                continue
            rest = {
                other: value
                for other, value in mixed.items()
                if other in chosen and other not in own[spot]
            }
            if any(broken.isdisjoint(rest) for broken in witnesses):
                continue
            found = self.solver.model([*self._assumed(rest), self.switch])
            if found is None:
                if self.removable or self.maker.symmetry != "none":
                    chosen = set(rest)
                else:
                    kept = {*(self.solver.core([*self._assumed(rest), self.switch]) or ())}
                    chosen = {other for other in rest if self.clue[other, clues[other]][0] in kept}
            elif not self.removable:
                values = self.maker.values(found)
                added = self.maker.table.added
                witnesses.append(
                    {
                        s
                        for s, value in clues.items()
                        if not all(one.condition.value(values) for one in added[s, value])
                    }
                )
        return {spot: clues[spot] for spot in clues if spot in chosen}


def _order(spot: FieldCell) -> Any:
    return spot[0], spot[1]
