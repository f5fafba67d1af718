"""The pictures of solutions and puzzles, as parts that every renderer draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from rich.cells import cell_len

from puzzlekit.api.values import is_library_value
from puzzlekit.boards import Grid
from puzzlekit.lang import Instance, Picture, ShowEntry, VariableArray, all_of_one_type, value_type
from puzzlekit.model import Value, Variable
from puzzlekit.render import (
    as_mapping,
    board,
    drawn_unknowns,
    family_scene,
    fields_below,
    holds_shapes,
    legend,
    pictures_of,
    rows,
    scenes_of,
    shapes,
    table_entries,
    value_picture,
)
from puzzlekit.scene import Form, Group, PicturePart, Scene, Table, TextSpan, upper

Section = tuple[str, list[PicturePart]]  # a heading and a picture
SHORT = 2  # characters of a text; rows of such texts are shown as a table


class DrawableSolution(Protocol):
    """What a picture of a solution is drawn from; `Solution` has it."""

    instance: Instance
    assignment: Mapping[Variable, Value]
    sequels: Mapping[str, Any]

    @property
    def arrays(self) -> Mapping[str, VariableArray]:
        """The unknowns with their values."""

    @property
    def outputs(self) -> Mapping[str, Any]:
        """The values that the type shows beside them."""


def sections(solution: DrawableSolution) -> Iterator[Section]:
    """Yield the picture of a solution and those of what follows from it, with headings."""
    yield "", _solution_picture(solution)
    yield from _sequels(solution)


def solution_parts(solution: DrawableSolution) -> list[PicturePart]:
    """Return the picture of a solution, then those of what follows from it, below headings."""
    parts: list[PicturePart] = []
    for heading, section_parts in sections(solution):
        if heading:
            parts += [[TextSpan("")], [TextSpan(heading)]]
        parts += section_parts
    return parts


def common_parts(instance: Instance) -> list[PicturePart]:
    """Return the pictures that are the same for each solution; none if a picture shows unknowns."""
    pictures = drawable(instance)
    if drawn_unknowns(pictures, instance):
        return []
    return together(scenes_of(instance, None, pictures))


def drawable(instance: Instance) -> tuple[Picture, ...]:
    """Return the pictures of a puzzle.

    There are none if a library draws its unknowns, and no picture that the type states does.
    """
    if _has_library_indexes(instance) and not drawn_unknowns(instance.type.pictures, instance):
        return ()
    return pictures_of(instance)


def _has_library_indexes(instance: Instance) -> bool:
    """Whether unknowns have an index of a type that a library draws."""
    for family in instance.families.values():
        if len(family):
            library_type = value_type(next(iter(family.members)))
            if library_type is not None and library_type.chosen is not None:
                return True
    return False


def _solution_picture(solution: DrawableSolution, in_heading: str = "") -> list[PicturePart]:
    """Return the picture of a solution without what follows from it.

    The value whose name is `in_heading` is left out.
    """
    instance = solution.instance
    pictures = drawable(instance)
    drawn = drawn_unknowns(pictures, instance)
    parts: list[PicturePart] = []
    if drawn:
        parts = together(scenes_of(instance, solution.assignment, pictures))
    for entry in instance.type.show:
        name = entry.name
        if entry.expression is not None:
            if name != in_heading:
                parts += _value(name, solution.outputs[name], instance)
        elif name not in drawn:
            colours = None
            if entry.colour:
                colours = instance.evaluate(entry.colour, solution.assignment)
            parts += picture(solution.arrays[name], colours, instance)
    return parts


def together(scenes: Sequence[Scene]) -> list[PicturePart]:
    """Return scenes as one picture: side by side, with the names of pieces below."""
    if not scenes:
        return []
    return [scenes[0] if len(scenes) == 1 else Group(scenes), *legend(scenes)]


def _sequels(solution: DrawableSolution) -> Iterator[Section]:
    for sequel in solution.sequels.values():
        count = f"{sequel['count']}, " if "count" in sequel else ""
        heading = f"{sequel.title}: {count}{sequel.outcome}"
        if sequel.solution is None:
            yield heading, []
        else:
            yield heading, _solution_picture(sequel.solution, "count")
            yield from _sequels(sequel.solution)


def _value(name: str, output: Any, instance: Instance) -> list[PicturePart]:
    """Return the picture of a value that a type shows under a name."""
    if not isinstance(output, VariableArray) or output.over_cells():
        return value_picture(name, output, _form(output, instance))
    renamed = VariableArray(name, output.members, output.arity)
    return _named(name, picture(renamed, None, instance))


def _form(output: Any, instance: Instance) -> Form:
    """Return the form of the cells that a value is over.

    It is that of the first board that has all of them.
    """
    if isinstance(output, Grid):
        return output.form
    keys = (as_mapping(output) or {}).keys()
    for grid in instance.grids:
        if grid.values.keys() >= keys:
            return grid.form
    return "square"


def _named(name: str, parts: list[PicturePart]) -> list[PicturePart]:
    """Return parts below their name, unless it is in the first line or there are no parts."""
    if not parts:
        return parts
    first = parts[0]
    if isinstance(first, list) and first[0].text.startswith(f"  {name}:"):
        return parts
    below = ([TextSpan("  "), *piece] if isinstance(piece, list) else piece for piece in parts)
    return [[TextSpan(f"  {name}:")], *below]


def picture(family: VariableArray, colours: object, instance: Instance) -> list[PicturePart]:
    """Return the picture of the unknowns of one name."""
    members = family.members
    if not members:
        return []
    if family.arity == 0:
        return value_picture(family.name, members[()])
    if family.arity == 1 and all(isinstance(member, bool) for member in members.values()):
        return _true_indexes(family, colours, instance)
    if family.over_cells():
        scene = family_scene(instance, family, colours)
        return [] if scene is None else [scene]
    if table_entries(family):
        return value_picture(family.name, family)
    texts = [str(member) for member in members.values()]
    is_sequence = list(members) == list(range(len(members)))
    if is_sequence and any(map(str.isalpha, texts)):
        if isinstance(colours, tuple) and list(map(len, colours)) == list(map(len, texts)):
            return [rows(texts, colours)]
        return [[TextSpan(text)] for text in texts]
    row = {str(index): upper(member) for index, member in members.items()}
    row_texts = [*row, *row.values()]
    if len(row) > 2 and all(cell_len(text) <= SHORT for text in row_texts):
        return [Table([*row], [(family.name, [*row.values()])])]
    return value_picture(family.name, {str(index): member for index, member in members.items()})


def _true_indexes(family: VariableArray, colours: object, instance: Instance) -> list[PicturePart]:
    """Return the picture of the indexes for which Boolean unknowns are true."""
    true = [index for index, member in family.members.items() if member]
    library_type = all_of_one_type(family.members)
    if library_type is not None and library_type.chosen is not None:
        grids = instance.grids
        parts: list[PicturePart] = library_type.chosen(true, grids[0] if grids else None)
        return parts
    scene = family_scene(instance, family, colours)
    return value_picture(family.name, true) if scene is None else together([scene])


def puzzle_parts(instance: Instance, marked: Sequence[Scene] | None = None) -> list[PicturePart]:
    """Return the picture of a puzzle without a solution.

    It has the boards, with the marks of `marked` if it is given, and below them the fields that a
    player needs as well.
    """
    pictures = pictures_of(instance)
    scenes = scenes_of(instance, None, pictures) if marked is None else marked
    parts = together(scenes)
    below: Iterable[ShowEntry] | None = instance.type.below
    if below is None:
        below = map(ShowEntry, fields_below(instance.type, pictures if scenes else ()))
    for entry in below:
        name, expression = entry.name, entry.expression
        if name in instance.data and (expression is None or expression.names == {name}):
            parts += _field(name, instance, scenes)
        elif expression is not None:
            output = instance.evaluate(expression, None)
            if output is not None:
                parts += _named(name, value_picture(name, output, _form(output, instance)))
    return parts


def _field(name: str, instance: Instance, boards: Sequence[Scene]) -> list[PicturePart]:
    """Return the picture of a field of the data that stands below boards, or alone.

    A default of the type is left out, and so is a value of a library that is only named, as a
    lexicon may be. Shapes are always drawn.
    """
    field = instance.data[name]
    if holds_shapes(instance.type.fields[name]):
        return shapes(name, field, boards[0].form if boards else "square")
    position = instance.positions((name,))
    if field is None or position is None or position.path == instance.type.source.path:
        return []
    if isinstance(field, Grid):
        if not boards:
            return [board(field.values)]
        if len(set(field)) <= 1:  # it only gives the board its form
            return []
        return _named(name, [board(field.values)])
    if not is_library_value(field):
        return _named(name, value_picture(name, field))
    plain = field.as_data()
    if isinstance(plain, str):
        return []
    return _named(name, value_picture(name, plain))
