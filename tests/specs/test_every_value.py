"""Every value that a shipped spec gives counts: changed, it changes the model,
the facts or the picture, or it is refused.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from puzzlekit.api import Puzzle, load
from puzzlekit.api.values import plain
from puzzlekit.boards import Cell, Grid, Shape
from puzzlekit.errors import Problems
from puzzlekit.lang import Instance, Size, read_type
from puzzlekit.lang.data.scalars import Choice, Key
from puzzlekit.lang.data_checks import members, singles
from puzzlekit.lang.type_sections import sections_of
from puzzlekit.lang.unused import unused_fields, unused_values
from puzzlekit.libraries.words import Lexicon, Mark
from tests import shipped
from tests.shipped import SOME

ROOT = Path(__file__).parents[2]
TYPES = sorted(ROOT.glob("puzzles/*.yaml"))
SPECS = [
    *sorted(ROOT.glob("specs/*/*.yaml")),
    *sorted(ROOT.glob("examples/waffles/*.yaml")),
    ROOT / "examples/magic_square_4.yaml",
]
TRIED = 4  # other values for one
FEW, MANY = 3, 60  # values of a spec that are changed


def loaded(spec: Path) -> Puzzle:
    own = {"waffles": "waffle", "examples": str(ROOT / "examples/magic_square.yaml")}.get(
        spec.parent.name
    )
    return load(own, spec)


def given(puzzle: Puzzle) -> list[tuple[Any, ...]]:
    """The path of each single value, and of each key, that the spec itself gives."""
    found = []
    for name, value in puzzle.instance.data.items():
        place = puzzle.instance.positions((name,))
        if place is not None and place.path == puzzle.spec.source.path:
            found += [path for path, single in singles(value, (name,)) if single is not None]
            found += list(keys(value, (name,)))
    return found


def keys(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        yield from ((*path, Key(key)) for key in value)
    for inner, part in members(value, path):
        yield from keys(part, inner)


def others(value: Any, field: Any, kind: Any, random: Random) -> list[Any]:
    """Values that may stand in place of this one."""
    beside = list(
        dict.fromkeys(single for _, single in singles(field, ()) if type(single) is type(value))
    )
    match value:
        case bool():
            return [not value]
        case int():
            new: list[Any] = [value + 1, value - 1, *random.sample(beside, min(3, len(beside)))]
        case Size():
            new = [Size(value.rows + 1, value.columns), Size(value.columns, value.rows)]
        case Cell():
            new = [
                Cell(value.row + 1, value.column),
                Cell(value.row, value.column + 1),
                *random.sample(beside, min(2, len(beside))),
            ]
        case Mark():
            new = list(Mark)
        case Shape():
            new = [Shape([*value, (9, 9)]), Shape(value[1:])]
        case Lexicon():
            new = [Lexicon.from_words("another", ["ab", "cab", "abcd", "abcde"])]
        case _:
            names = list(kind.names) if isinstance(kind, Choice) else []
            new = [
                *names,
                *random.sample(beside, min(2, len(beside))),
                "q" if len(value) == 1 else value[::-1] + "q",
            ]
    return [other for other in new if other != value]


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """The value with something else at the path; None takes a cell away."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(value, Grid):
        left = {
            cell: changed(part, rest, new) if cell == step else part
            for cell, part in value.values.items()
        }
        return Grid({cell: part for cell, part in left.items() if cell != step or new is not None})
    if isinstance(value, dict):
        if isinstance(step, Key):
            return {new if key == step.key else key: part for key, part in value.items()}
        return {
            key: changed(part, rest, new) if key == step else part for key, part in value.items()
        }
    return tuple(changed(part, rest, new) if at == step else part for at, part in enumerate(value))


def print_of(instance: Instance) -> str:
    """All that a puzzle comes to before it is solved: unknowns, conditions, goals, facts,
    and what is drawn of the data.
    """
    model = instance.model
    first = {variable: domain[0] for variable, domain in model.domains.items()}
    later = []
    drawn = [
        expression
        for shown in instance.type.show
        for expression in (shown.expression, shown.colour)
    ]
    drawn += [layer.expression for picture in instance.type.pictures for layer in picture.layers]
    for expression in [
        *drawn,
        *(part for section in sections_of(instance.type) for part in section.expressions()),
    ]:
        try:
            later.append(
                None if expression is None else plain(instance.evaluate(expression, first))
            )
        except Problems:  # it has no value in this solution, which is none
            later.append(None)
    background = not all(family.over_cells() for family in instance.families.values())
    return repr(
        [
            {variable.name: domain for variable, domain in model.domains.items()},
            [(constraint.origin.rule, constraint.condition) for constraint in model.constraints],
            [(name, goal.term) for name, goal in instance.goals.items()],
            plain(instance.info),
            [plain(grid) for grid in instance.grids[:1] if background],
            later,
        ]
    )


def counts(puzzle: Puzzle, path: tuple[Any, ...], before: str, random: Random) -> bool:
    """Whether another value there changes anything, or is refused."""
    name, *steps = path
    field = puzzle.instance.data[name]
    value: Any = field
    for step in steps:
        value = (
            step.key
            if isinstance(step, Key)
            else value.values[step]
            if isinstance(value, Grid)
            else value[step]
        )
    new = others(value, field, puzzle.type.fields[name].type, random)[:TRIED]
    if isinstance(steps[-1] if steps else None, Cell):
        new.append(None)
    for other in new:
        data = {**puzzle.instance.data, name: changed(field, tuple(steps), other)}
        try:
            if print_of(Instance(puzzle.type, data)) != before:
                return True
        except Problems:
            return True
    return False


def without_effect(spec: Path, most: int) -> list[str]:
    """The values of a spec that count for nothing, as their paths; `most` of them are tried."""
    puzzle, random = loaded(spec), Random(spec.stem)
    paths = given(puzzle)
    before = print_of(puzzle.instance)
    tried = random.sample(paths, min(most, len(paths)))
    return [str(path) for path in tried if not counts(puzzle, path, before, random)]


def test_every_field_of_each_type_is_used(subtests: pytest.Subtests) -> None:
    for kind in (*TYPES, ROOT / "examples/magic_square.yaml"):
        with subtests.test(kind.stem):
            assert unused_fields(read_type(kind)) == []


@pytest.mark.parametrize("name", SOME)
def test_some_values_of_a_spec_of_each_type_count(name: str) -> None:
    spec = shipped.SPECS[name]
    assert without_effect(spec, FEW) == []
    assert unused_values(loaded(spec).instance) == []


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_values_of_every_spec_count(spec: Path) -> None:
    assert without_effect(spec, MANY) == []
    assert unused_values(loaded(spec).instance) == []
