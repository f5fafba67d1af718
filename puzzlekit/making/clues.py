"""Which clues a board may have, and what each of them states.

A field whose parts may be empty holds clues. The rules run on boards full of clues: a constraint
that an empty board lacks belongs to the clue whose place its turn of the rule is bound to. Boards
of random clues show whether this holds: whether each clue states the same whatever clues stand
elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from puzzlekit.api import Puzzle
from puzzlekit.boards import Cell, Grid
from puzzlekit.clock import check
from puzzlekit.errors import InputError, Problems
from puzzlekit.lang import Instance
from puzzlekit.lang.data.scalars import Choice, Scalar, Union
from puzzlekit.lang.puzzle_type import Field
from puzzlekit.making.fields import (
    Clues,
    FieldCell,
    clue_fields,
    clues_in,
    item_of,
    places_in,
    with_clues,
)
from puzzlekit.model import Constraint, Domain, Term, Variable, key_of
from puzzlekit.presolve.normal_form import substitute

NUMBERS = 40  # values of a clue
UNTOLD = "?"  # a clue that is there and tells nothing
TRIED = 3  # boards of random clues
SHARE = 0.4  # of their places have a clue

Signature = tuple[
    str, tuple[Any, ...], Hashable
]  # the rule of a constraint, its turn, and what it says


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
        spots: The places of clues.
        kept: What a layout put where a clue may be.
        empty: The puzzle without clues.
        base: Its constraints.
        added: The constraints that a clue adds, by its place and value.
        taken: The places of `base` that any clue at a place takes away.
    """

    puzzle: Puzzle
    fields: tuple[str, ...]
    spots: tuple[FieldCell, ...]
    retained: Clues
    empty: Instance
    base: tuple[Constraint, ...]
    added: dict[tuple[FieldCell, Any], list[Constraint]] = field(default_factory=dict)
    removed: dict[FieldCell, set[int]] = field(default_factory=dict)

    @property
    def domains(self) -> Mapping[Variable, Domain]:
        """The unknowns with their domains."""
        return self.empty.model.domains


def clue_values(puzzle: Puzzle, entry: Field) -> list[Any]:
    """Return the values that a clue of a field may have: names of a choice, numbers within bounds,
    members of a collection.
    """
    item = item_of(entry.type)
    kinds = item.items if isinstance(item, Union) else (item,)
    numbers: list[Any] = []
    names: list[Any] = []
    for kind in kinds:
        if isinstance(kind, Choice):
            names += [name for name in kind.names if name != UNTOLD]
        elif isinstance(kind, Scalar) and type(kind.convert("1")) is int:
            numbers += _numbers(puzzle, entry)
        else:
            names += _members(puzzle, entry)
    return [*numbers, *names]


def _members(puzzle: Puzzle, entry: Field) -> Iterator[Any]:
    """Yield the values of a field that may hold the members of a collection only."""
    for within in puzzle.type.within:
        if within.field == entry.name and len(within.ends) == 1 and within.ends[0] is not None:
            yield from puzzle.instance.evaluate(within.ends[0], None)


def _numbers(puzzle: Puzzle, entry: Field) -> Iterator[int]:
    """Yield the numbers of a field: within its bounds, or as far as the sides of the board."""
    low, high = 0, None
    for within in puzzle.type.within:
        if within.field == entry.name and len(within.ends) == 2:
            ends = [
                None if end is None else puzzle.instance.evaluate(end, None) for end in within.ends
            ]
            low = ends[0] if isinstance(ends[0], int) else low
            high = ends[1] if isinstance(ends[1], int) else high
    if high is None:
        value = puzzle.instance.data[entry.name]
        high = max(value.width, value.height) if isinstance(value, Grid) else len(value)
    yield from range(low, min(high, low + NUMBERS - 1) + 1)


def clue_table(
    puzzle: Puzzle,
    laid: Collection[str] = (),
    places: Mapping[str, Collection[Any]] | None = None,
    seed: int = 0,
) -> ClueTable:
    """Work out what each clue of a puzzle states. The clues that the puzzle has do not matter.

    But in the fields that a layout gives (`laid`), clues may stand only where it put something; in
    others perhaps only at some `places`. Values that do not act one by one are left out, if there
    are others.

    Raises:
        NotOneByOne: The puzzle has no clues, or what one states depends on others.
    """
    fields = [puzzle.type.fields[name] for name in clue_fields(puzzle.type, puzzle.instance.data)]
    kept = clues_in(puzzle.instance.data, [entry.name for entry in fields if entry.name in laid])
    spots = [
        (name, key)
        for name, key in places_in(puzzle.instance.data, [entry.name for entry in fields])
        if (name not in laid or (name, key) in kept) and key in (places or {}).get(name, (key,))
    ]
    values = {
        entry.name: own
        for entry in fields
        if (own := [v for v in clue_values(puzzle, entry) if v not in kept.values()])
    }
    if not values:
        raise InterdependentClues(
            f"{puzzle.type.name} has no field whose parts may be empty: which clues it has is not known"
        )
    try:
        return _table(puzzle, values, spots, kept, seed)
    except InterdependentClues:
        left = {
            name: [value for value in own if _acts(puzzle, name, value, spots, kept, seed)]
            for name, own in values.items()
        }
        if left == values or not any(left.values()):
            raise
        return _table(puzzle, {name: own for name, own in left.items() if own}, spots, kept, seed)


def _acts(
    puzzle: Puzzle, name: str, value: Any, spots: Sequence[FieldCell], kept: Clues, seed: int
) -> bool:
    """Return whether clues of one value act one by one."""
    try:
        _table(puzzle, {name: [value]}, spots, kept, seed)
    except InterdependentClues:
        return False
    return True


def _table(
    puzzle: Puzzle,
    values: Mapping[str, Sequence[Any]],
    spots: Sequence[FieldCell],
    kept: Clues,
    seed: int,
) -> ClueTable:
    names = tuple(values)
    spots = tuple(spot for spot in spots if spot[0] in names)
    binder = _Binder(puzzle, names, kept)
    empty = binder.bound({})
    binder.known = binder.signed(empty)
    base = tuple(binder.known.values())
    table = ClueTable(puzzle, names, spots, kept, empty, base)
    place = {signature: number for number, signature in enumerate(binder.known)}
    for turn in range(max(map(len, values.values()))):
        clues = {spot: own[turn] for spot in spots if turn < len(own := values[spot[0]])}
        bound = binder.bound(clues)
        found = binder.signed(bound)
        refused = {
            value
            for _, turn_of in bound.unmet_checks()
            for value in turn_of
            if isinstance(value, Cell)
        }
        new = {signature: found[signature] for signature in found if signature not in binder.known}
        gone = {
            signature: binder.known[signature]
            for signature in binder.known
            if signature not in found
        }
        owners = _owners(binder, clues, {**new, **gone})
        for spot, value in clues.items():
            if spot[1] not in refused:
                table.added[spot, value] = []
        for signature, constraint in new.items():
            if (spot := owners[signature])[1] not in refused:
                table.added[spot, clues[spot]].append(constraint)
        for signature in gone:
            table.removed.setdefault(owners[signature], set()).add(place[signature])
    _hold(table, binder, Random(seed))
    return table


def _owners(
    binder: _Binder, clues: Clues, changed: Mapping[Signature, Constraint]
) -> dict[Signature, FieldCell]:
    """Return the clue that each changed constraint belongs to. Raises NotOneByOne.

    It is the only one whose cell the turn of the rule is bound to; else boards with half of the
    clues tell.
    """
    owners: dict[Signature, FieldCell] = {}
    for signature, constraint in changed.items():
        bound = set(_turn(constraint))
        own = [spot for spot in clues if isinstance(spot[1], Cell) and spot[1] in bound]
        if len(own) == 1:
            owners[signature] = own[0]
    left = {signature: [0, 0] for signature in changed if signature not in owners}
    spots = list(clues)
    bits = (len(spots) - 1).bit_length() if left else 0
    for bit in range(bits):
        for half in (0, 1):
            found = binder.signed(
                binder.bound(
                    {spot: clues[spot] for n, spot in enumerate(spots) if n >> bit & 1 == half}
                )
            )
            for signature, seen in left.items():
                seen[half] |= ((signature in found) is not (signature in binder.known)) << bit
    for signature, (zeros, ones) in left.items():
        if zeros ^ ones != (1 << bits) - 1 or ones >= len(spots):
            raise InterdependentClues(
                f"the rule “{changed[signature].origin.rule}” reads several clues at once"
            )
        owners[signature] = spots[ones]
    return owners


class _Binder:
    """Runs the rules of a puzzle on boards of clues, over the same unknowns each time."""

    def __init__(self, puzzle: Puzzle, fields: Sequence[str], kept: Clues) -> None:
        self.puzzle = puzzle
        self.fields = fields
        self.kept = kept
        self.known: dict[Signature, Constraint] = {}
        self.unknowns: dict[tuple[str, Any], Variable] = {}
        self.domains: dict[Variable, Domain] = {}

    def bound(self, clues: Clues) -> Instance:
        """Return the puzzle with these clues and no others. Raises NotOneByOne where the rules do
        not run on it.
        """
        check()
        data = with_clues(self.puzzle.instance.data, self.fields, clues, self.kept)
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

        Raises NotOneByOne if the unknowns differ.
        """
        own = {
            (name, key): variable
            for name, family in bound.families.items()
            for key, variable in family.members.items()
        }
        if not self.unknowns:
            self.unknowns, self.domains = own, dict(bound.model.domains)
        if own.keys() != self.unknowns.keys() or len(own) != len(bound.model.domains):
            raise InterdependentClues("which unknowns there are depends on the clues")
        same: dict[Term, Term] = {}
        for key, variable in own.items():
            if bound.model.domains[variable] != self.domains[self.unknowns[key]]:
                raise InterdependentClues(f"the values of {variable} depend on the clues")
            same[variable] = self.unknowns[key]
        found: dict[Signature, Constraint] = {}
        memo: dict[int, Hashable] = {}
        for constraint in bound.model.constraints:
            condition = substitute(constraint.condition, same)
            signature = constraint.origin.rule, _turn(constraint), key_of(condition, keys=memo)
            found[signature] = Constraint(condition, constraint.origin)
        return found


def _turn(constraint: Constraint) -> tuple[Hashable, ...]:
    """Return what the turn of the rule is bound to."""
    return tuple(
        value if isinstance(value, Hashable) else str(value) for value in constraint.origin.values
    )


def _hold(table: ClueTable, binder: _Binder, random: Random) -> None:
    """Raise NotOneByOne unless random boards have the constraints that their clues say."""
    values: dict[FieldCell, list[Any]] = {}
    for spot, value in table.added:
        values.setdefault(spot, []).append(value)
    for _ in range(TRIED):
        clues = {
            spot: random.choice(own) for spot, own in values.items() if random.random() < SHARE
        }
        found = binder.signed(binder.bound(clues))
        taken = {number for spot in clues for number in table.removed.get(spot, ())}
        said = {signature for number, signature in enumerate(binder.known) if number not in taken}
        memo: dict[int, Hashable] = {}
        for spot, value in clues.items():
            for one in table.added[spot, value]:
                said.add((one.origin.rule, _turn(one), key_of(one.condition, keys=memo)))
        if said != found.keys():
            rule, *_ = next(iter(said ^ found.keys()))
            raise InterdependentClues(f"what the rule “{rule}” says of one clue depends on others")
