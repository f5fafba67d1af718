"""Links of Penpa+: the picture of a puzzle, which names no type.

A link that this module writes names the type as its source, and gives below the rules what the
picture does not show, so that it is read back whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from yaml.nodes import MappingNode, Node, SequenceNode

from puzzlekit.boards import Grid
from puzzlekit.catalogue import find, is_known
from puzzlekit.errors import InputError
from puzzlekit.lang import Instance, PuzzleType, bind, read_type
from puzzlekit.lang.binding import spec_of_node
from puzzlekit.lang.data.scalars import ReadContext
from puzzlekit.links import PROGRESS, ParsedPuzzle
from puzzlekit.links.drawing import SIDES, Drawing, drawing_of_scene, named
from puzzlekit.links.drawn_fields import fields_of, wheres
from puzzlekit.links.drawn_readers import IF_OUTSIDE, NOT_SHOWN, Plain, places_in
from puzzlekit.links.penpa_format import Page, data_of, page_of
from puzzlekit.links.penpa_marks import drawing_of, page_with
from puzzlekit.render.build import scenes_of
from puzzlekit.source import parse
from puzzlekit.yaml_nodes import plain_node

SITE = "https://swaroopg92.github.io/penpa-edit/"
MODE = r"m=(?:edit|solve)\b"
LINK = re.compile(rf"\s*[^\s?#]*[?#](?:(?!{MODE})[\w.]+=[^&\s]*&)*{MODE}\S*\s*", re.IGNORECASE)
DATA = re.compile(r"[?#&]p=([^&]*)")
OURS = "puzzlekit "


def recognises(text: str) -> bool:
    """Return whether the text is a link with the mode and the data of a page."""
    return (
        len(text) < 2_000_000 and LINK.fullmatch(text) is not None and DATA.search(text) is not None
    )


def read(text: str, kind: PuzzleType | None = None) -> list[ParsedPuzzle]:
    """Return the puzzle of a link.

    Args:
        text: The link.
        kind: The type; None if the link says it.

    Raises:
        InputError: The link has an error, or it does not say its type.
    """
    found = DATA.search(text)
    assert found is not None
    data = unquote(found[1])
    if data.startswith("http"):
        raise InputError(f"this link holds another link: {data[:100]}", help="import that one")
    page = page_of(data)
    ours = page.source.startswith(OURS)
    puzzle = kind or read_type(find(_type_of(page)))
    if ours and (own := _type_of(page)) != puzzle.name and is_known(puzzle.name):
        raise InputError(f"the link is a puzzle of {own}, not of {puzzle.name}")
    drawing = drawing_of(page)
    fields: dict[str, Any] = dict(fields_of(puzzle, drawing))
    if ours:
        fields |= _carried(page, puzzle)
    elif not drawing.taken:
        raise InputError(
            "; ".join([f"the link shows nothing that {puzzle.name} has", *drawing.unread()])
        )
    about = {
        "title": page.title,
        "source": "" if page.source.startswith(OURS) else page.author or page.source,
    }
    marks = {PROGRESS: _listed(fields.pop(PROGRESS))} if PROGRESS in fields else {}
    known = _with_not_shown(
        puzzle, {name: value for name, value in fields.items() if value is not None}, ours
    )
    unread = _changed(puzzle, known, drawing) if ours else drawing.unread()
    return [
        ParsedPuzzle(
            puzzle.name,
            {**{key: value for key, value in about.items() if value}, **known, **marks},
            unread,
        )
    ]


def _listed(marks: Any) -> Any:
    """Return marks whose lists are no boards."""
    if isinstance(marks, dict):
        return {key: _listed(value) for key, value in marks.items()}
    return tuple(map(_listed, marks)) if isinstance(marks, list) else marks


def _with_not_shown(kind: PuzzleType, known: Mapping[str, Any], ours: bool) -> dict[str, Any]:
    """Return fields, with those empty that no page shows. Raises InputError if one is lacking that
    it must show.
    """
    places = wheres(kind)
    clues = any(places.get(name) in SIDES for name in known)
    asked = [
        name
        for name, where in places.items()
        if not ours and (where == NOT_SHOWN or (clues and where == IF_OUTSIDE))
    ]
    lacking = [name for name in [*_required(kind), *asked] if name not in known]
    for name in lacking:
        if not any(
            where in (NOT_SHOWN, IF_OUTSIDE) for where in places_in(places.get(name, NOT_SHOWN))
        ):
            field = kind.fields[name]
            raise InputError(
                f"the link does not show the field {name} of {kind.name}: {field.about or field.type_text}"
            )
    return {**known, **dict.fromkeys(lacking)}


def _changed(kind: PuzzleType, fields: Mapping[str, Plain], drawing: Drawing) -> list[str]:
    """Return what the drawing of a puzzle from here has more or less than its picture has today."""
    spec = spec_of_node(*parse("<link>", ParsedPuzzle(kind.name, fields).text))
    own, shown = drawing.stated(), drawing_of(_page_of(bind(kind, spec))[0]).stated()
    more, less = (
        {key: one[key] for key in one.keys() - other.keys()}
        for one, other in ((own, shown), (shown, own))
    )
    return [
        *named((about, place) for (_, about), place in more.items()),
        *(f"no {text}" for text in named((about, place) for (_, about), place in less.items())),
    ]


def _type_of(page: Page) -> str:
    """Return the type that a page names: as its source, else as its only genre that is a type, or
    its title.
    """
    if page.source.startswith(OURS):
        return page.source.removeprefix(OURS)
    for names in (page.tags, [page.title]):
        known = {
            name
            for name in (re.sub(r"\W+", "_", text.strip().lower()) for text in names)
            if name and is_known(name)
        }
        if len(known) == 1:
            return known.pop()
    about = f" (its title is {page.title[:60]!r})" if page.title else ""
    help = "write the type before the link, such as puzzlekit import TYPE LINK; puzzlekit list prints the types"
    raise InputError(f"the link does not say the type of its puzzle{about}", help=help)


def _carried(page: Page, puzzle: PuzzleType) -> dict[str, Any]:
    """Return the fields and the marks that stand below the rules; None for a field that the picture
    seems to show.
    """
    found: dict[str, Any] = {}
    for line in page.rules.splitlines():
        name, colon, value = line.partition(": ")
        if colon and (name in puzzle.fields or name == PROGRESS):
            try:
                found[name] = json.loads(value)
            except (ValueError, RecursionError) as error:
                raise InputError(f"the value of {name} below the rules: {error}") from None
    return found


def write(puzzle: Instance) -> str:
    """Return a link to the picture of a puzzle.

    Raises:
        InputError: The puzzle has no picture of squares, or a field that cannot be written.
    """
    kind = puzzle.type
    assert puzzle.bound_from is not None
    spec = puzzle.bound_from[1]
    if spec.notation is not None:
        raise InputError(f"this spec is {spec.notation.what}; write it as YAML first")
    page, drawing = _page_of(puzzle)
    shown = fields_of(kind, drawing)
    rest = _not_shown(puzzle, shown)
    if lost := [
        name
        for name in _required(kind)
        if rest.get(name) is None and (name in rest or name not in shown)
    ]:
        raise InputError(
            f"the spec does not give the field {lost[0]} by itself; write it as YAML with all fields first"
        )
    if PROGRESS in spec.about:
        rest[PROGRESS] = plain_node(spec.about[PROGRESS])
    page.title = spec.text("title") or kind.title
    page.source = f"{OURS}{kind.name}"
    page.rules = "\n".join(
        [
            " ".join(puzzle.about.split()),
            *(f"{name}: {json.dumps(value)}" for name, value in rest.items()),
        ]
    )
    return f"{SITE}#m=edit&p={data_of(page)}"


def _page_of(puzzle: Instance) -> tuple[Page, Drawing]:
    """Return the page of the picture of a puzzle, and what is drawn there. Raises InputError if it
    has none of squares.
    """
    scenes = scenes_of(puzzle, None)
    if len(scenes) != 1 or scenes[0].form != "square":
        what = f"{len(scenes)} pictures" if len(scenes) != 1 else f"a picture of {scenes[0].form}s"
        raise InputError(
            f"{puzzle.type.name} has {what}; a link of Penpa+ has one board of squares"
        )
    drawing, margins = drawing_of_scene(scenes[0])
    page = page_with(drawing, margins)
    page.open = scenes[0].open
    return page, drawing


def _required(kind: PuzzleType) -> list[str]:
    return [field.name for field in kind.required()]


def _not_shown(puzzle: Instance, shown: Mapping[str, Plain]) -> dict[str, Any]:
    """Return the given fields that a picture does not show as they are; None for one that it shows,
    but is not given.
    """
    kind, given = puzzle.type, _given(puzzle)
    read = _read_back(kind, shown)
    labelled = [name for name, where in wheres(kind).items() if where in ("regions", "cages")]
    names: dict[Any, Any] = {}  # of regions in the picture, with those in the puzzle
    rest: dict[str, Any] = {}
    for name in kind.fields:
        value, back = puzzle.data[name], read.get(name)
        if (
            name in labelled
            and isinstance(value, Grid)
            and isinstance(back, Grid)
            and (own := _renamed(back, value))
        ):
            names |= own
            continue
        if isinstance(back, Mapping):
            back = {names.get(key, key): item for key, item in back.items()}
        if name in given and (name not in shown or back != value):
            rest[name] = given[name]
        elif name in shown and back != value:
            rest[name] = None
    for name in labelled:  # a name of a region that is written must be that of the board
        if any(re.search(rf"\bin {name}\b", kind.fields[other].type_text) for other in rest):
            rest[name] = given[name]
    return rest


def _renamed(board: Grid, other: Grid) -> dict[Any, Any]:
    """Return the other board's name of each region of a board; empty if their regions differ."""
    pairs = set(zip(board.values.values(), (other.values.get(cell) for cell in board.values)))
    names = dict(pairs)
    return (
        names
        if set(board.cells) == set(other.cells)
        and len(pairs) == len(names) == len(set(names.values()))
        else {}
    )


def _given(puzzle: Instance) -> dict[str, Any]:
    """Return the fields that the spec of a puzzle gives, as plain values."""
    assert puzzle.bound_from is not None
    _, spec, settings, *_ = puzzle.bound_from
    given = {name: _plain(node) for name, (_, node) in spec.nodes.items()}
    return given | {
        name: value if isinstance(value, str) else _plain(value[1])
        for name, value in (settings or {}).items()
    }


def _plain(node: Node) -> Any:
    """Return the value of a node; a block of text or a list as its lines, a list of lists of lists
    as lists of lines.
    """
    if isinstance(node, MappingNode):
        return {str(key.value): _plain(value) for key, value in node.value}
    if isinstance(node, SequenceNode):
        parts = [_plain(part) for part in node.value]
        inner = [one for part in node.value if isinstance(part, SequenceNode) for one in part.value]
        if any(isinstance(one, SequenceNode) for one in inner):
            return parts
        return [" ".join(part) if isinstance(part, list) else part for part in parts] or "[]"
    text = str(node.value)
    return text.rstrip("\n").split("\n") if "\n" in text else text


def _read_back(kind: PuzzleType, shown: Mapping[str, Plain]) -> dict[str, Any]:
    """Return the values of the fields that a picture shows; None of a field that is not valid."""
    spec = spec_of_node(*parse("<link>", ParsedPuzzle(kind.name, shown).text))
    return {
        name: kind.fields[name].type.read(node, ReadContext(spec.source))
        for name, (_, node) in spec.nodes.items()
    }
