"""The pictures of solutions and puzzles, as parts that every renderer draws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from rich.cells import cell_len

from puzzlekit.api.values import is_library_value
from puzzlekit.boards import Grid
from puzzlekit.lang import Instance, VariableArray
from puzzlekit.lang.expressions.values import all_of_one_type, value_type
from puzzlekit.lang.puzzle_type import Picture, Shown
from puzzlekit.model import Value, Variable
from puzzlekit.render.build import drawn_unknowns, family_scene, scenes_of
from puzzlekit.render.default_picture import fields_below, holds_shapes, pictures_of
from puzzlekit.render.grouping import as_mapping
from puzzlekit.render.make_layers import by_pair
from puzzlekit.render.picture import board, legend, rows, shapes, value_picture
from puzzlekit.scene import Form, Group, PicturePart, Scene, Table, TextSpan, upper

Section = tuple[str, list[PicturePart]]  # a heading and a picture
SHORT = 2  # characters of a text, so that a row of such texts is better than a list


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
    """The picture of a solution and of what follows from it, with headings."""
    yield "", _own(solution)
    yield from _sequels(solution)


def solution_parts(solution: DrawableSolution) -> list[PicturePart]:
    """The picture of a solution, then that of what follows from it, below headings."""
    parts: list[PicturePart] = []
    for heading, drawn in sections(solution):
        parts += [*([[TextSpan("")], [TextSpan(heading)]] if heading else []), *drawn]
    return parts


def common_parts(instance: Instance) -> list[PicturePart]:
    """The pictures that are the same for each solution; none if a picture shows unknowns."""
    pictures = drawable(instance)
    return (
        [] if drawn_unknowns(pictures, instance) else together(scenes_of(instance, None, pictures))
    )


def drawable(instance: Instance) -> tuple[Picture, ...]:
    """The pictures of a puzzle; none if a library draws its unknowns, and no picture that the type
    states does.
    """
    known = (
        value_type(next(iter(family.members)))
        for family in instance.families.values()
        if len(family)
    )
    by_library = any(kind is not None and kind.chosen is not None for kind in known)
    return (
        ()
        if by_library and not drawn_unknowns(instance.type.pictures, instance)
        else pictures_of(instance)
    )


def _own(solution: DrawableSolution, in_heading: str = "") -> list[PicturePart]:
    """The picture of a solution without what follows from it, and without the value in its heading."""
    instance = solution.instance
    pictures = drawable(instance)
    drawn = drawn_unknowns(pictures, instance)
    own = together(scenes_of(instance, solution.assignment, pictures)) if drawn else []
    for shown in instance.type.show:
        if shown.expression is None:
            if shown.name not in drawn:
                colours = (
                    instance.evaluate(shown.colour, solution.assignment) if shown.colour else None
                )
                own += picture(solution.arrays[shown.name], colours, instance)
        elif shown.name != in_heading:
            own += _value(shown.name, solution.outputs[shown.name], solution.instance)
    return own


def together(scenes: Sequence[Scene]) -> list[PicturePart]:
    """Scenes as parts of a picture: side by side if there are several, with the names of pieces
    below.
    """
    if not scenes:
        return []
    return [scenes[0] if len(scenes) == 1 else Group(scenes), *legend(scenes)]


def _sequels(solution: DrawableSolution) -> Iterator[Section]:
    for sequel in solution.sequels.values():
        count = f"{sequel['count']}, " if "count" in sequel else ""
        yield (
            f"{sequel.title}: {count}{sequel.outcome}",
            [] if sequel.solution is None else _own(sequel.solution, "count"),
        )
        if sequel.solution is not None:
            yield from _sequels(sequel.solution)


def _value(name: str, what: Any, instance: Instance) -> list[PicturePart]:
    """The picture of a value that a type shows under a name."""
    if not isinstance(what, VariableArray) or what.over_cells():
        return value_picture(name, what, _form(what, instance))
    drawn = picture(VariableArray(name, what.members, what.arity), None, instance)
    return _named(name, drawn)


def _form(what: Any, instance: Instance) -> Form:
    """The form of the cells that a value is over: that of the first board that has all of them."""
    if isinstance(what, Grid):
        return what.form
    keys = (as_mapping(what) or {}).keys()
    return next((grid.form for grid in instance.grids if grid.values.keys() >= keys), "square")


def _named(name: str, parts: list[PicturePart]) -> list[PicturePart]:
    """Parts below their name, unless it is in the first line or there is nothing to name."""
    if not parts or (isinstance(parts[0], list) and parts[0][0].text.startswith(f"  {name}:")):
        return parts
    return [
        [TextSpan(f"  {name}:")],
        *([TextSpan("  "), *part] if isinstance(part, list) else part for part in parts),
    ]


def picture(family: VariableArray, colours: object, instance: Instance) -> list[PicturePart]:
    """The picture of one unknown."""
    members = family.members
    if not members:
        return []
    if family.arity == 0:
        return value_picture(family.name, members[()])
    if family.arity == 1 and all(isinstance(item, bool) for item in members.values()):
        true = [index for index, item in members.items() if item]
        known = all_of_one_type(members)
        if known is not None and known.chosen is not None:
            grids = instance.grids
            own: list[PicturePart] = known.chosen(true, grids[0] if grids else None)
            return own
        scene = family_scene(instance, family, colours)
        return value_picture(family.name, true) if scene is None else together([scene])
    if family.over_cells():
        scene = family_scene(instance, family, colours)
        return [] if scene is None else [scene]
    if by_pair(family):
        return value_picture(family.name, family)
    texts = [str(item) for item in members.values()]
    if list(members) == list(range(len(members))) and any(map(str.isalpha, texts)):
        if isinstance(colours, tuple) and list(map(len, colours)) == list(map(len, texts)):
            return [rows(texts, colours)]
        return [[TextSpan(text)] for text in texts]
    row = {str(index): upper(item) for index, item in members.items()}
    if len(row) > 2 and all(cell_len(text) <= SHORT for pair in row.items() for text in pair):
        return [Table([*row], [(family.name, [*row.values()])])]
    return value_picture(family.name, {str(index): item for index, item in members.items()})


def puzzle_parts(instance: Instance, marked: Sequence[Scene] | None = None) -> list[PicturePart]:
    """The picture of a puzzle alone: its boards, perhaps with marks, and below them what else a
    player needs.
    """
    pictures = pictures_of(instance)
    scenes = scenes_of(instance, None, pictures) if marked is None else marked
    parts = together(scenes)
    below = instance.type.below
    stated = (
        map(Shown, fields_below(instance.type, pictures if scenes else ()))
        if below is None
        else below
    )
    for shown in stated:
        if shown.name in instance.data and (
            shown.expression is None or shown.expression.names == {shown.name}
        ):
            parts += _field(shown.name, instance, scenes)
        elif (
            shown.expression is not None
            and (what := instance.evaluate(shown.expression, None)) is not None
        ):
            parts += _named(shown.name, value_picture(shown.name, what, _form(what, instance)))
    return parts


def _field(name: str, instance: Instance, beside: Sequence[Scene]) -> list[PicturePart]:
    """The picture of a field of the data that stands `beside` boards, or alone.

    A default of the type is left out, and so is a value of a library that is only named, as a
    lexicon may be. Shapes are always drawn.
    """
    what = instance.data[name]
    if holds_shapes(instance.type.fields[name]):
        return shapes(name, what, beside[0].form if beside else "square")
    place = instance.positions((name,))
    if what is None or place is None or place.path == instance.type.source.path:
        return []
    if isinstance(what, Grid):
        if not beside:
            return [board(what.values)]
        return (
            _named(name, [board(what.values)]) if len(set(what)) > 1 else []
        )  # else it only gives the board its form
    plain = what.as_data() if is_library_value(what) else what
    return (
        []
        if plain is not what and isinstance(plain, str)
        else _named(name, value_picture(name, plain))
    )


def solution_html(solution: DrawableSolution) -> str:
    """The picture of a solution and of what follows from it, for a page such as a notebook."""
    parts = [*common_parts(solution.instance), *solution_parts(solution)]
    puzzle = solution.instance.type
    from puzzlekit.render.html_page import embedded

    return embedded(f"Solution of {puzzle.title or puzzle.name}", parts)


def puzzle_html(title: str, parts: Sequence[PicturePart]) -> str:
    """The picture of a puzzle for a page such as a notebook."""
    from puzzlekit.render.html_page import embedded

    return embedded(title, [[TextSpan(title)], *parts])
