"""Links of Penpa+: the picture of a puzzle, which names no type.

A link that this module writes names the type as its source, and gives below the rules what the
picture does not show, so that it is read back without loss.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any
from urllib.parse import unquote

from yaml.nodes import MappingNode, Node, SequenceNode

from puzzlekit.boards import Grid
from puzzlekit.catalogue import called, find, is_known
from puzzlekit.errors import InputError
from puzzlekit.lang import Instance, PuzzleType, ReadContext, bind, read_type, spec_of_node
from puzzlekit.links import PROGRESS, ParsedPuzzle
from puzzlekit.links.drawing import (
    SIDES,
    Drawing,
    DrawnSymbol,
    Margins,
    drawing_of_scene,
    named,
)
from puzzlekit.links.drawn_fields import fields_of, positions_of
from puzzlekit.links.drawn_readers import IF_OUTSIDE, NOT_SHOWN, Plain, positions_in
from puzzlekit.links.penpa_drawing import drawing_of, page_with
from puzzlekit.links.penpa_format import Page, data_of, page_of
from puzzlekit.links.puzzlink import type_on_site
from puzzlekit.render import scenes_of
from puzzlekit.scene import Point, Scene
from puzzlekit.source import parse
from puzzlekit.yaml_nodes import plain_node

SITE = "https://swaroopg92.github.io/penpa-edit/"
MODE = r"m=(?:edit|solve)\b"
LINK = re.compile(rf"\s*[^\s?#]*[?#](?:(?!{MODE})[\w.]+=[^&\s]*&)*{MODE}\S*\s*", re.IGNORECASE)
DATA = re.compile(r"[?#&]p=([^&]*)")
OURS = "puzzlekit "  # before the name of the type, as the source of a page
LONGEST = 2_000_000  # characters of a link
UNSEEN = (NOT_SHOWN, IF_OUTSIDE)


def recognises(text: str) -> bool:
    """Return whether the text is a link with the mode and the data of a page."""
    if len(text) >= LONGEST or LINK.fullmatch(text) is None:
        return False
    return DATA.search(text) is not None


def read(text: str, puzzle_type: PuzzleType | None = None) -> list[ParsedPuzzle]:
    """Return the puzzle of a link.

    Args:
        text: The link.
        puzzle_type: The type; None if the link states it.

    Raises:
        InputError: The link has an error, or it does not state its type.
    """
    match = DATA.search(text)
    assert match is not None
    data = unquote(match[1])
    if data.startswith("http"):
        raise InputError(f"this link holds another link: {data[:100]}", help="import that one")
    page = page_of(data)
    puzzle_type = puzzle_type or read_type(find(_type_of(page)))
    is_ours = page.source.startswith(OURS)
    return [_parsed_ours(page, puzzle_type) if is_ours else _parsed(page, puzzle_type)]


def _parsed(page: Page, puzzle_type: PuzzleType) -> ParsedPuzzle:
    """Return the puzzle of a page that a user has drawn."""
    about = _about(page.title, page.author or page.source)
    return puzzle_of_drawing(drawing_of(page), puzzle_type, about)


def puzzle_of_drawing(
    drawing: Drawing, puzzle_type: PuzzleType, about: Mapping[str, Any]
) -> ParsedPuzzle:
    """Return the puzzle of a drawing.

    Args:
        drawing: The drawing.
        puzzle_type: The type.
        about: The title and the source.

    Raises:
        InputError: The drawing does not show what the type requires.
    """
    values = fields_of(puzzle_type, drawing)
    if not drawing.consumed:
        message = f"the link shows nothing that {puzzle_type.name} has"
        raise InputError("; ".join([message, *drawing.unread()]))
    names = [*_required(puzzle_type), *_unseen(puzzle_type, values)]
    missing = [name for name in names if name not in values]
    _check_unseen(puzzle_type, missing)
    fields = {**about, **values, **dict.fromkeys(missing)}
    return ParsedPuzzle(puzzle_type.name, fields, drawing.unread())


def _parsed_ours(page: Page, puzzle_type: PuzzleType) -> ParsedPuzzle:
    """Return the puzzle of a page that `write` has made."""
    page_type = _type_of(page)
    if page_type != puzzle_type.name and is_known(puzzle_type.name):
        raise InputError(f"the link is a puzzle of {page_type}, not of {puzzle_type.name}")
    about = _about(page.title, "")
    return puzzle_from_here(drawing_of(page), puzzle_type, page.rules, about, _redrawn)


def _redrawn(puzzle: Instance) -> Drawing:
    page, _ = _page_of(puzzle)
    return drawing_of(page)


def puzzle_from_here(
    drawing: Drawing,
    puzzle_type: PuzzleType,
    rules: str,
    about: Mapping[str, Any],
    redrawn: Callable[[Instance], Drawing],
) -> ParsedPuzzle:
    """Return the puzzle of a drawing that was made here.

    Args:
        drawing: The drawing.
        puzzle_type: The type.
        rules: The rules, and below them the fields that the picture does not show.
        about: The title and the source.
        redrawn: Draws a puzzle as it is drawn today.

    Raises:
        InputError: The drawing and the rules do not state what the type requires.
    """
    values: dict[str, Any] = dict(fields_of(puzzle_type, drawing))
    values |= below_rules(rules, puzzle_type)
    values = {name: value for name, value in values.items() if value is not None}
    progress = {}
    if PROGRESS in values:
        progress[PROGRESS] = _with_tuples(values.pop(PROGRESS))
    missing = [name for name in _required(puzzle_type) if name not in values]
    _check_unseen(puzzle_type, missing)
    values |= dict.fromkeys(missing)
    spec = spec_of_node(*parse("<link>", ParsedPuzzle(puzzle_type.name, values).text))
    unread = _changed(drawing, redrawn(bind(puzzle_type, spec)))
    return ParsedPuzzle(puzzle_type.name, {**about, **values, **progress}, unread)


def _about(title: str, source: str) -> dict[str, Any]:
    about = {"title": title, "source": source}
    return {key: text for key, text in about.items() if text}


def _with_tuples(progress: Any) -> Any:
    """Return progress whose lists are no boards."""
    if isinstance(progress, dict):
        return {key: _with_tuples(entries) for key, entries in progress.items()}
    return tuple(map(_with_tuples, progress)) if isinstance(progress, list) else progress


def _unseen(puzzle_type: PuzzleType, names: Collection[str]) -> list[str]:
    """Return the fields that no page shows, if it shows those of these names."""
    positions = positions_of(puzzle_type)
    has_clues_outside = any(positions.get(name) in SIDES for name in names)
    unseen = {NOT_SHOWN}
    if has_clues_outside:
        unseen.add(IF_OUTSIDE)
    return [name for name, where in positions.items() if unseen & set(positions_in(where))]


def _check_unseen(puzzle_type: PuzzleType, missing: Iterable[str]) -> None:
    """Raise InputError for a missing field that a page must show."""
    positions = positions_of(puzzle_type)
    for name in missing:
        if set(UNSEEN).isdisjoint(positions_in(positions.get(name, NOT_SHOWN))):
            field = puzzle_type.fields[name]
            raise InputError(
                f"the link does not show the field {name} of {puzzle_type.name}:"
                f" {field.about or field.type_text}"
            )


def _changed(drawing: Drawing, expected: Drawing) -> list[str]:
    """Return what the drawing of a puzzle from here has more or less than its picture has today."""
    drawn, redrawn = drawing.described(), expected.described()
    missing = [f"no {text}" for text in _named_without(redrawn, drawn)]
    return [*_named_without(drawn, redrawn), *missing]


def _named_without(
    symbols: Mapping[tuple[DrawnSymbol, str], Point], excluded: Collection[tuple[DrawnSymbol, str]]
) -> list[str]:
    """Return the descriptions of symbols, but for those that are excluded."""
    return named(
        (description, point)
        for (symbol, description), point in symbols.items()
        if (symbol, description) not in excluded
    )


def _type_of(page: Page) -> str:
    """Return the type that a page names: as its source, else as its only genre that is a type, or
    its title.
    """
    if page.source.startswith(OURS):
        return page.source.removeprefix(OURS)
    for texts in (page.tags, [page.title]):
        types = {name for text in texts for name in _types_called(text, texts is page.tags)}
        if len(types) == 1:
            return min(types)
    title = f" (its title is {page.title[:60]!r})" if page.title else ""
    help = (
        "write the type before the link, such as puzzlekit import TYPE LINK;"
        " puzzlekit list prints the types"
    )
    raise InputError(f"the link does not say the type of its puzzle{title}", help=help)


def _types_called(text: str, is_genre: bool) -> list[str]:
    """Return the types that a text names, by their names here or on puzz.link; a genre may have
    further names in parentheses, which count if the first one is unknown.
    """
    names = [text, *re.split(r"[()/]", text)] if is_genre else [text]
    for name in filter(None, map(str.strip, names)):
        types = called(name)
        on_site = type_on_site(name.lower()) if is_genre and not types else None
        if on_site is not None:
            types = [on_site.name]
        if types:
            return types
    return []


def below_rules(rules: str, puzzle_type: PuzzleType) -> dict[str, Any]:
    """Return the fields and the progress that stand below the rules; None for a field that the
    picture seems to show.

    Raises:
        InputError: The value of a field is not JSON.
    """
    values: dict[str, Any] = {}
    for line in rules.splitlines():
        name, colon, text = line.partition(": ")
        if colon and (name in puzzle_type.fields or name == PROGRESS):
            try:
                values[name] = json.loads(text)
            except (ValueError, RecursionError) as error:
                raise InputError(f"the value of {name} below the rules: {error}") from None
    return values


def write(puzzle: Instance) -> str:
    """Return a link to the picture of a puzzle.

    Raises:
        InputError: The puzzle has no picture of squares, or a field that cannot be written.
    """
    puzzle_type = puzzle.type
    assert puzzle.bound_from is not None
    spec = puzzle.bound_from[1]
    if spec.notation is not None:
        raise InputError(f"this spec is {spec.notation.text_name}; write it as YAML first")
    page, drawing = _page_of(puzzle)
    hidden = hidden_fields(puzzle, drawing)
    if PROGRESS in spec.about:
        hidden[PROGRESS] = plain_node(spec.about[PROGRESS])
    page.title = spec.text("title") or puzzle_type.title
    page.source = f"{OURS}{puzzle_type.name}"
    page.rules = rules_with(puzzle, hidden)
    return f"{SITE}#m=edit&p={data_of(page)}"


def rules_with(puzzle: Instance, hidden: Mapping[str, Any]) -> str:
    """Return the rules of a puzzle, and below them a line for each field that is hidden."""
    lines = [" ".join(puzzle.about.split())]
    lines += [f"{name}: {json.dumps(value)}" for name, value in hidden.items()]
    return "\n".join(lines)


def _page_of(puzzle: Instance) -> tuple[Page, Drawing]:
    """Return the page of the picture of a puzzle, and what is drawn there. Raises InputError if it
    has none of squares.
    """
    scene = _scene_of(puzzle, "Penpa+")
    drawing, margins = drawing_of_scene(scene)
    page = page_with(drawing, margins)
    page.open = scene.open
    return page, drawing


def picture_of(puzzle: Instance, site: str) -> tuple[Drawing, Margins]:
    """Return the drawing of the picture of a puzzle, and the margins that its clues need.

    Raises:
        InputError: It has no picture of squares, which a link of the site shows.
    """
    return drawing_of_scene(_scene_of(puzzle, site))


def _scene_of(puzzle: Instance, site: str) -> Scene:
    """Return the only picture of a puzzle, which is one of squares. Raises InputError."""
    scenes = scenes_of(puzzle, None)
    forms = {scene.form for scene in scenes}
    if len(scenes) == 1 and forms == {"square"}:
        return scenes[0]
    pictures = f"{len(scenes)} pictures"
    if len(scenes) == 1:
        pictures = f"a picture of {scenes[0].form}s"
    raise InputError(
        f"{puzzle.type.name} has {pictures}; a link of {site} has one board of squares"
    )


def _required(puzzle_type: PuzzleType) -> list[str]:
    return [field.name for field in puzzle_type.required()]


def hidden_fields(puzzle: Instance, drawing: Drawing) -> dict[str, Any]:
    """Return the fields of a puzzle that its drawing does not show as they are; None for a field
    that it shows, but that is not given.

    Raises:
        InputError: A field is neither shown nor given.
    """
    drawn_fields = fields_of(puzzle.type, drawing)
    hidden = _not_shown(puzzle, drawn_fields)
    carried = {**drawn_fields, **hidden}
    for name in _required(puzzle.type):
        if carried.get(name) is None:
            raise InputError(
                f"the spec does not give the field {name} by itself;"
                " write it as YAML with all fields first"
            )
    return hidden


def _not_shown(puzzle: Instance, drawn_fields: Mapping[str, Plain]) -> dict[str, Any]:
    """Return the given fields that a picture does not show as they are; None for one that it shows,
    but is not given.
    """
    puzzle_type = puzzle.type
    given = given_fields(puzzle)
    values_shown = _read_back(puzzle_type, drawn_fields)
    positions = positions_of(puzzle_type)
    labelled = [name for name, where in positions.items() if where in ("regions", "cages")]
    labels: dict[Any, Any] = {}  # of regions in the picture, with those in the puzzle
    hidden: dict[str, Any] = {}
    for name in puzzle_type.fields:
        value = puzzle.data[name]
        value_shown = values_shown.get(name)
        if name in labelled:
            renamed = _renamed(value_shown, value)
            if renamed:
                labels |= renamed
                continue
        if isinstance(value_shown, Mapping):
            value_shown = {labels.get(key, key): clue for key, clue in value_shown.items()}
        if name in given and (name not in drawn_fields or value_shown != value):
            hidden[name] = given[name]
        elif name in drawn_fields and value_shown != value:
            hidden[name] = None
    for name, where in positions.items():  # usual values that no page shows are stated, too
        value = puzzle.data[name]
        is_stated = name in hidden or name in given or name in drawn_fields
        if NOT_SHOWN in positions_in(where) and not is_stated and isinstance(value, int | str):
            hidden[name] = str(value)
    for name in labelled:  # a name of a region that is written must be that of the board
        if any(
            re.search(rf"\bin {name}\b", puzzle_type.fields[field].type_text) for field in hidden
        ):
            hidden[name] = given[name]
    return hidden


def _renamed(drawn: Any, board: Any) -> dict[Any, Any]:
    """Return the board's name of each region of a board that is drawn; empty if their regions
    differ.
    """
    if not isinstance(drawn, Grid) or not isinstance(board, Grid):
        return {}
    if set(drawn.cells) != set(board.cells):
        return {}
    pairs = {(label, board.values.get(cell)) for cell, label in drawn.values.items()}
    names = dict(pairs)
    is_bijective = len(pairs) == len(names) == len(set(names.values()))
    return names if is_bijective else {}


def given_fields(puzzle: Instance) -> dict[str, Any]:
    """Return the fields that the spec of a puzzle gives, as plain values."""
    assert puzzle.bound_from is not None
    _, spec, settings, *_ = puzzle.bound_from
    values = {name: _plain(node) for name, (_, node) in spec.nodes.items()}
    for name, setting in (settings or {}).items():
        values[name] = setting if isinstance(setting, str) else _plain(setting[1])
    return values


def _plain(node: Node) -> Any:
    """Return the value of a node; a block of text or a list as its lines, a list of lists of lists
    as lists of lines.
    """
    if isinstance(node, MappingNode):
        return {str(key.value): _plain(value) for key, value in node.value}
    if isinstance(node, SequenceNode):
        elements = list(map(_plain, node.value))
        if any(map(_has_lists, node.value)):
            return elements
        return list(map(_joined, elements)) or "[]"
    text = str(node.value)
    return text.rstrip("\n").split("\n") if "\n" in text else text


def _has_lists(node: Node) -> bool:
    """Return whether a node is a list of lists."""
    if not isinstance(node, SequenceNode):
        return False
    return any(isinstance(element, SequenceNode) for element in node.value)


def _joined(value: Any) -> Any:
    return " ".join(value) if isinstance(value, list) else value


def _read_back(puzzle_type: PuzzleType, drawn_fields: Mapping[str, Plain]) -> dict[str, Any]:
    """Return the values of the fields that a picture shows; None of a field that is not valid."""
    spec = spec_of_node(*parse("<link>", ParsedPuzzle(puzzle_type.name, drawn_fields).text))
    values = {}
    for name, (_, node) in spec.nodes.items():
        values[name] = puzzle_type.fields[name].type.read(node, ReadContext(spec.source))
    return values
