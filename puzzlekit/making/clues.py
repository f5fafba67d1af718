"""Which clues a board may have, and what each of them states.

A field whose members may be empty holds clues. The rules run on boards full of clues: a constraint
that an empty board lacks belongs to the clue whose cell its turn of the rule is bound to. Boards
of random clues show whether this holds: whether each clue states the same whatever clues stand
elsewhere. What several clues state together has to follow from what each of them states.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from random import Random
from typing import Any

from puzzlekit.api import Puzzle
from puzzlekit.boards import Cell, Grid
from puzzlekit.clock import check
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, Problems
from puzzlekit.lang import Choice, Field, Instance, Scalar, Union
from puzzlekit.making.fields import (
    Clues,
    FieldCell,
    JointClue,
    clue_fields,
    clues_in,
    item_of,
    places_in,
    with_clues,
)
from puzzlekit.model import Constraint, Domain, Model, Not, Term, Variable, key_of, variables_of
from puzzlekit.presolve import substitute
from puzzlekit.reasons import AssumptionModel, AssumptionSolver

NUMBERS = 40  # values of a clue
UNTOLD = "?"  # a clue that is there and tells nothing
TRIED = 3  # boards of random clues
SHARE = 0.4  # of their spots have a clue

# the rule of a constraint, its turn, and what it says
Signature = tuple[str, tuple[Any, ...], Hashable]
SpotClues = tuple[tuple[FieldCell, Any], ...]  # clues with their spots


class InterdependentClues(InputError):
    """The clues of a type do not act one by one, so that its rules alone do not tell how to make a
    puzzle.
    """


@dataclass
class ClueTable:
    """What the rules state without clues, and what each clue adds or takes away.

    Attributes:
        puzzle: The puzzle whose other fields all boards have.
        fields: The fields of clues.
        spots: Where clues may stand.
        retained: What a layout put where a clue may be.
        empty: The puzzle without clues.
        base: Its constraints.
        added: The constraints that a clue adds, by its spot and value.
        removed: The numbers of constraints in `base` that any clue at a spot takes away.
        together: The constraints that several clues add together, by their spots and values. They
            follow from what each of these clues adds.
    """

    puzzle: Puzzle
    fields: tuple[str, ...]
    spots: tuple[FieldCell, ...]
    retained: Clues
    empty: Instance
    base: tuple[Constraint, ...]
    added: dict[tuple[FieldCell, Any], list[Constraint]] = field(default_factory=dict)
    removed: dict[FieldCell, set[int]] = field(default_factory=dict)
    together: dict[SpotClues, list[Constraint]] = field(default_factory=dict)

    @property
    def domains(self) -> Mapping[Variable, Domain]:
        """The unknowns with their domains."""
        return self.empty.model.domains

    def stated_together(self, clues: Clues) -> Iterator[SpotClues]:
        """Yield those of some clues that state something together."""
        for spot_clues in self.together:
            if all(spot in clues and clues[spot] == clue for spot, clue in spot_clues):
                yield spot_clues

    def constraints_of(self, clues: Clues) -> Iterator[Constraint]:
        """Yield the constraints that these clues add."""
        for spot_clue in clues.items():
            yield from self.added[spot_clue]
        for spot_clues in self.stated_together(clues):
            yield from self.together[spot_clues]


def clue_values(puzzle: Puzzle, entry: Field, possible_values: Mapping[str, Any]) -> list[Any]:
    """Return the values that a clue of a field may have: those that are possible as the type says,
    or else the names of a choice, numbers within bounds, members of a collection.
    """
    if entry.name in possible_values:
        return list(possible_values[entry.name])
    clue_type = item_of(entry.type)
    types = clue_type.items if isinstance(clue_type, Union) else (clue_type,)
    numbers: list[Any] = []
    names: list[Any] = []
    for type_ in types:
        if isinstance(type_, Choice):
            names += [name for name in type_.names if name != UNTOLD]
        elif isinstance(type_, Scalar) and type(type_.convert("1")) is int:
            numbers += _numbers(puzzle, entry)
        else:
            names += _members(puzzle, entry)
    return [*numbers, *names]


def _members(puzzle: Puzzle, entry: Field) -> Iterator[Any]:
    """Yield the values of a field that may hold the members of a collection only."""
    for within in puzzle.type.within:
        if within.field == entry.name and len(within.ends) == 1:
            (end,) = within.ends
            if end is not None:
                yield from puzzle.instance.evaluate(end, None)


def _numbers(puzzle: Puzzle, entry: Field) -> Iterator[int]:
    """Yield the numbers of a field: within its bounds, or as far as the sides of the board."""
    low, high = 0, None
    for within in puzzle.type.within:
        if within.field != entry.name or len(within.ends) != 2:
            continue
        evaluate = puzzle.instance.evaluate
        ends = [None if end is None else evaluate(end, None) for end in within.ends]
        low = ends[0] if isinstance(ends[0], int) else low
        high = ends[1] if isinstance(ends[1], int) else high
    if high is None:
        board = puzzle.instance.data[entry.name]
        high = max(board.width, board.height) if isinstance(board, Grid) else len(board)
    yield from range(low, min(high, low + NUMBERS - 1) + 1)


def _without_clues(puzzle: Puzzle) -> str:
    """Return the message that a puzzle has no field of clues; absent ones are named."""
    absent = []
    for name, entry in puzzle.type.fields.items():
        if puzzle.instance.data[name] is None and item_of(entry.type) is not None:
            absent.append(name)
    remark = f" but {', '.join(absent)}, which the puzzle does not have" if absent else ""
    return (
        f"{puzzle.type.name} has no field whose parts may be empty{remark}: which clues it has is"
        " not known"
    )


def clue_table(
    puzzle: Puzzle,
    laid: Collection[str] = (),
    allowed: Mapping[str, Collection[Any]] | None = None,
    possible_values: Mapping[str, Collection[Any]] | None = None,
    seed: int = 0,
) -> ClueTable:
    """Work out what each clue of a puzzle states. The clues that the puzzle has do not matter.

    Values that do not act one by one are left out, if there are others. What boards that are like
    each other have in one cell is one clue, if it does not act one by one either.

    Args:
        puzzle: The puzzle.
        laid: The fields that a layout gives: clues may stand only where it put something.
        allowed: By field, the keys where clues may stand; a field that is not here has no such
            restriction.
        possible_values: By field, the values of its clues; those of other fields follow from their
            types.
        seed: The seed of the boards of random clues.

    Raises:
        InterdependentClues: The puzzle has no clues, or what one states depends on others.
    """
    data = puzzle.instance.data
    fields = [puzzle.type.fields[name] for name in clue_fields(puzzle.type, data)]
    retained = clues_in(data, [entry.name for entry in fields if entry.name in laid])
    spots = []
    for spot in places_in(data, [entry.name for entry in fields]):
        name, key = spot
        is_allowed = allowed is None or name not in allowed or key in allowed[name]
        if is_allowed and (name not in laid or spot in retained):
            spots.append(spot)
    values: dict[str, list[Any]] = {}
    for entry in fields:
        possible = clue_values(puzzle, entry, possible_values or {})
        of_field = [value for value in possible if value not in retained.values()]
        if of_field:
            values[entry.name] = of_field
    if not values:
        raise InterdependentClues(_without_clues(puzzle))
    builder = _TableBuilder(puzzle, spots, retained, seed)
    try:
        return builder.table(values)
    except InterdependentClues as error:
        table = _table_of_joint_clues(builder, values)
        table = table or _table_of_some(builder, values)
        if table is None:
            raise error from None
        return table


def _table_of_joint_clues(
    builder: _TableBuilder, values: Mapping[str, Sequence[Any]]
) -> ClueTable | None:
    """Return the table in which what boards that are like each other have in one cell is one clue;
    None if there are no such boards, or if their clues do not act one by one.
    """
    fields = builder.puzzle.type.fields
    joint: dict[str, list[Any]] = {}
    for name, of_field in values.items():
        first = fields[name].like or ""
        if first not in values:
            continue
        if first not in joint:
            joint[first] = [JointClue(((first, value),)) for value in values[first]]
        joint[first] = list(_extended(joint[first], name, of_field))
    if not joint:
        return None
    others = {name: of_field for name, of_field in values.items() if not fields[name].like}
    try:
        return builder.table({**others, **joint}, tuple(values))
    except InterdependentClues:
        return None


def _extended(
    clues: Iterable[JointClue], name: str, of_field: Sequence[Any]
) -> Iterator[JointClue]:
    """Yield the clues with each value of a further field, or with none."""
    for clue in clues:
        for value in (*of_field, None):
            pair = (name, value)
            yield JointClue((*clue.values, pair))


def _table_of_some(builder: _TableBuilder, values: Mapping[str, Sequence[Any]]) -> ClueTable | None:
    """Return the table of the values that act one by one; None if these are all or none."""
    independent = {}
    for name, of_field in values.items():
        acting = [value for value in of_field if builder.acts(name, value)]
        if acting:
            independent[name] = acting
    if independent == values or not independent:
        return None
    return builder.table(independent)


@dataclass
class _TableBuilder:
    """Builds clue tables of a puzzle: of all clues, or of some."""

    puzzle: Puzzle
    spots: Sequence[FieldCell]
    retained: Clues
    seed: int

    def acts(self, name: str, value: Any) -> bool:
        """Return whether clues of one value act one by one."""
        try:
            self.table({name: [value]})
        except InterdependentClues:
            return False
        return True

    def table(self, values: Mapping[str, Sequence[Any]], fields: Sequence[str] = ()) -> ClueTable:
        """Return the table of clues with these values, by field. Raises InterdependentClues.

        Args:
            values: The values of each field whose spots are those of clues.
            fields: All fields that hold clues, if they are more.
        """
        fields = tuple(fields or values)
        spots = tuple(spot for spot in self.spots if spot[0] in values)
        binder = _Binder(self.puzzle, fields, self.retained)
        empty = binder.bound({})
        binder.base = binder.signed(empty)
        base = tuple(binder.base.values())
        table = ClueTable(self.puzzle, fields, spots, self.retained, empty, base)
        for turn in range(max(map(len, values.values()))):
            clues = {}
            for spot in spots:
                of_field = values[spot[0]]
                if turn < len(of_field):
                    clues[spot] = of_field[turn]
            _add_clues(table, binder, clues)
        _check_together(table)
        _check_random_boards(table, binder, Random(self.seed))
        return table


def _add_clues(table: ClueTable, binder: _Binder, clues: Clues) -> None:
    """Add to a table what each clue of a full board says. Raises InterdependentClues."""
    bound = binder.bound(clues)
    constraints = binder.signed(bound)
    refused = {cell for _, turn in bound.unmet_checks() for cell in turn if isinstance(cell, Cell)}
    base = binder.base
    new = {signature: each for signature, each in constraints.items() if signature not in base}
    gone = {signature: each for signature, each in base.items() if signature not in constraints}
    owners = _owners(binder, clues, {**new, **gone})
    for spot, clue in clues.items():
        if spot[1] not in refused:
            table.added[spot, clue] = []
    for signature, constraint in new.items():
        spot_clues = tuple((spot, clues[spot]) for spot in owners[signature])
        if refused.isdisjoint(spot[1] for spot, _ in spot_clues):
            if len(spot_clues) == 1:
                table.added[spot_clues[0]].append(constraint)
            else:
                table.together.setdefault(spot_clues, []).append(constraint)
    numbers = {signature: number for number, signature in enumerate(base)}
    for signature in gone:
        spot, *others = owners[signature]
        if others:
            raise _several_clues(base[signature])
        table.removed.setdefault(spot, set()).add(numbers[signature])


def _owners(
    binder: _Binder, clues: Clues, changed: Mapping[Signature, Constraint]
) -> dict[Signature, tuple[FieldCell, ...]]:
    """Return the clue that each changed constraint belongs to, or the clues that state it together.
    Raises InterdependentClues.

    It is the only one whose cell the turn of the rule is bound to; else boards with half of the
    clues tell. Several state it together if the turn is bound to their cells.
    """
    owners: dict[Signature, tuple[FieldCell, ...]] = {}
    unowned: dict[Signature, tuple[FieldCell, ...]] = {}
    for signature, constraint in changed.items():
        bound = set(_turn(constraint))
        candidates = [spot for spot in clues if isinstance(spot[1], Cell) and spot[1] in bound]
        of_signature = owners if len(candidates) == 1 else unowned
        of_signature[signature] = tuple(candidates)
    if not unowned:
        return owners
    spots = list(clues)
    bits = (len(spots) - 1).bit_length()
    changes = _changes_by_half(binder, clues, unowned, bits)
    for signature, (zeros, ones) in changes.items():
        # Each bit changes with just one half of the clues, whose numbers have that bit.
        is_of_one = zeros ^ ones == (1 << bits) - 1 and ones < len(spots)
        owners[signature] = (spots[ones],) if is_of_one else unowned[signature]
        if not owners[signature]:
            raise _several_clues(changed[signature])
    return owners


def _several_clues(constraint: Constraint) -> InterdependentClues:
    rule = constraint.origin.rule
    return InterdependentClues(f"the rule “{rule}” reads several clues at once")


def _check_together(table: ClueTable) -> None:
    """Raise InterdependentClues unless what several clues state together follows from what each of
    them states.
    """
    for spot_clues, constraints in table.together.items():
        added = [each for spot_clue in spot_clues for each in table.added[spot_clue]]
        for constraint in constraints:
            if not _follows(constraint, added, table.domains):
                raise _several_clues(constraint)


def _follows(
    constraint: Constraint, others: Sequence[Constraint], domains: Mapping[Variable, Domain]
) -> bool:
    """Return whether a constraint follows from others."""
    denied = Constraint(Not(constraint.condition), constraint.origin)
    constraints = (*others, denied)
    unknowns = variables_of(*(each.condition for each in constraints))
    model = Model({unknown: domains[unknown] for unknown in unknowns}, constraints)
    solver = AssumptionSolver(AssumptionModel(model))
    return not solver.possible(solver.all_selectors)


def _changes_by_half(
    binder: _Binder, clues: Clues, signatures: Iterable[Signature], bits: int
) -> dict[Signature, list[int]]:
    """Return for each signature, as bits, on which boards with half of the clues it changes: those
    whose clues have 0 as that bit of their numbers, and those whose clues have 1.
    """
    changes = {signature: [0, 0] for signature in signatures}
    for bit in range(bits):
        for half in (0, 1):
            half_clues = {}
            for number, (spot, clue) in enumerate(clues.items()):
                if number >> bit & 1 == half:
                    half_clues[spot] = clue
            constraints = binder.signed(binder.bound(half_clues))
            for signature, halves in changes.items():
                is_changed = (signature in constraints) is not (signature in binder.base)
                halves[half] |= is_changed << bit
    return changes


class _Binder:
    """Runs the rules of a puzzle on boards of clues, over the same unknowns each time.

    Attributes:
        base: The constraints of the board without clues.
        unknowns: Its unknowns, by name and index.
        domains: Their domains.
    """

    def __init__(self, puzzle: Puzzle, fields: Sequence[str], retained: Clues) -> None:
        self.puzzle = puzzle
        self.fields = fields
        self.retained = retained
        self.base: dict[Signature, Constraint] = {}
        self.unknowns: dict[tuple[str, Any], Variable] = {}
        self.domains: dict[Variable, Domain] = {}

    def bound(self, clues: Clues) -> Instance:
        """Return the puzzle with these clues and no others.

        Raises InterdependentClues where the rules do not run on it.
        """
        check()
        data = with_clues(self.puzzle.instance.data, self.fields, clues, self.retained)
        try:
            return Instance(self.puzzle.type, data, checked=False)
        except Problems as problems:
            self.puzzle.type.source.forget_problems()
            raise InterdependentClues(
                f"the rules do not run on a board with few clues: {problems.problems[0].message}"
            ) from None

    def signed(self, bound: Instance) -> dict[Signature, Constraint]:
        """Return the constraints of a board over the unknowns of the empty one, each by what it
        says.

        Raises InterdependentClues if the unknowns differ.
        """
        same = self._same_unknowns(bound)
        constraints: dict[Signature, Constraint] = {}
        memo: dict[int, Hashable] = {}
        for constraint in bound.model.constraints:
            condition = substitute(constraint.condition, same)
            signature = constraint.origin.rule, _turn(constraint), key_of(condition, keys=memo)
            constraints[signature] = Constraint(condition, constraint.origin)
        return constraints

    def _same_unknowns(self, bound: Instance) -> dict[Term, Term]:
        """Return the unknowns of a board with those of the empty one.

        Raises InterdependentClues if they differ.
        """
        unknowns: dict[tuple[str, Any], Variable] = {}
        for name, array in bound.families.items():
            for index, variable in array.members.items():
                unknowns[name, index] = variable
        domains = bound.model.domains
        if not self.unknowns:
            self.unknowns, self.domains = unknowns, dict(domains)
        if unknowns.keys() != self.unknowns.keys() or len(unknowns) != len(domains):
            raise InterdependentClues("which unknowns there are depends on the clues")
        same: dict[Term, Term] = {}
        for key, variable in unknowns.items():
            same[variable] = self.unknowns[key]
            if domains[variable] != self.domains[self.unknowns[key]]:
                raise InterdependentClues(f"the values of {variable} depend on the clues")
        return same


def _turn(constraint: Constraint) -> tuple[Hashable, ...]:
    """Return what the turn of the rule is bound to."""
    return tuple(map(_comparable, constraint.origin.values))


def _comparable(value: Any) -> Hashable:
    """Return a value that is the same for each board: the unknowns of boards differ."""
    if isinstance(value, Term) or not isinstance(value, Hashable):
        return str(value)
    if isinstance(value, tuple) and not isinstance(value, Cell):
        return tuple(map(_comparable, value))
    return value


def _check_random_boards(table: ClueTable, binder: _Binder, random: Random) -> None:
    """Raise InterdependentClues unless random boards have the constraints that their clues say."""
    values: dict[FieldCell, list[Any]] = {}
    for spot, value in table.added:
        values.setdefault(spot, []).append(value)
    for _ in range(TRIED):
        clues = {}
        for spot, of_spot in values.items():
            if random.random() < SHARE:
                clues[spot] = random.choice(of_spot)
        actual = binder.signed(binder.bound(clues)).keys()
        expected = _expected_signatures(table, binder, clues)
        if expected != actual:
            rule, *_ = next(iter(expected ^ actual))
            raise InterdependentClues(f"what the rule “{rule}” says of one clue depends on others")


def _expected_signatures(table: ClueTable, binder: _Binder, clues: Clues) -> set[Signature]:
    """Return the constraints that a board has by what a table says of its clues."""
    removed = {number for spot in clues for number in table.removed.get(spot, ())}
    expected = set[Signature]()
    for number, signature in enumerate(binder.base):
        if number not in removed:
            expected.add(signature)
    memo: dict[int, Hashable] = {}
    for constraint in table.constraints_of(clues):
        condition_key = key_of(constraint.condition, keys=memo)
        expected.add((constraint.origin.rule, _turn(constraint), condition_key))
    return expected
