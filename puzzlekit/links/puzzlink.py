"""Links of puzz.link and of the sites that share its notation.

A type says under `links` which layers a link of it has; `docs/links.md` describes the notation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import unquote

import yaml

from puzzlekit.boards import Grid
from puzzlekit.catalogue import read_header, types
from puzzlekit.errors import InputError
from puzzlekit.lang import Instance, PuzzleType, Size, read_type
from puzzlekit.lang.data.collections import BOARD_SIDE
from puzzlekit.lang.data.scalars import ReadContext
from puzzlekit.lang.schema import plain
from puzzlekit.links import ParsedPuzzle
from puzzlekit.links.codecs import LayerSize
from puzzlekit.links.form import HOLES, LinkForm, LinkLayer, Settings, links_of
from puzzlekit.links.layers import WrongPart, bounds_of
from puzzlekit.links.link_board import Board, cell_at
from puzzlekit.links.places import places_of
from puzzlekit.links.tokens import CodecError, Cursor
from puzzlekit.source import FILE_CHARACTERS, SourceFile

SITE = "https://puzz.link/p?"
LINK = re.compile(
    r"[\s\"'<(]*(?:https?://)?[\w.-]+(?::\d+)?/[^\s?#]*\?(?:[\w.]+=[^&/]*&)*(?!pzprv3)[\w.-]+(?:/|%2[Ff])\S*\s*"
)
QUERY = re.compile(r"[^?]*\?(?:[\w.]+=[^&/]*&)*")
QUOTES = " \t\r\n\"'<>()[]{},;|"  # around a link in a text


def recognises(text: str) -> bool:
    """Return whether the text is a link whose query begins with a name and a slash."""
    return LINK.fullmatch(text) is not None


def read(text: str, kind: PuzzleType | None = None) -> list[ParsedPuzzle]:
    """Return the puzzle of a link.

    Raises:
        Problems: The link has an error, or has what the type cannot express.
        InputError: No type has such links.
    """
    text = text.strip(QUOTES)
    if len(text) > FILE_CHARACTERS:
        raise InputError(f"a link has at most {FILE_CHARACTERS:,} characters")
    try:
        return [_read(_address(text), kind)]
    except InputError as error:
        decoded = _address(unquote(text)).rstrip(
            QUOTES
        )  # as chat programs write it; % alone is an old prefix of numbers
        for other in dict.fromkeys(
            (decoded, decoded.removesuffix(".0"))
        ):  # as tables of numbers write it
            with suppress(InputError):
                return [_read(other, kind)]
        raise error


def _address(text: str) -> str:
    """Return a link without the parameters and the fragment behind its body."""
    page, mark, query = text.partition("?")
    return page + mark + re.sub(r"(/[^&#]*)[&#].*", r"\1", query)


def _read(text: str, kind: PuzzleType | None) -> ParsedPuzzle:
    link = _parsed(text)
    kind = kind or type_of(link)
    form = link.form_of(kind)
    board = Board(link.width, link.height)
    segments = iter(_segments(link, form.body.count(None)))
    cursor = next(segments)
    for layer in (*form.body, None):
        if layer is not None:
            _fill(link, layer, kind, cursor, board)
            continue
        if not cursor.ended:
            link.refuse("the link goes on after its last value", cursor.at)
        cursor = next(segments, cursor)
    imported = imported_from(link, kind, form, board)
    return replace(imported, fields={"source": text, **imported.fields})


def imported_from(link: Link, kind: PuzzleType, form: LinkForm, board: Board) -> ParsedPuzzle:
    """Return the puzzle of a board whose layers are filled. Raises Problems."""
    inner = _number_regions(form, board)
    found = {name: plain(node) for name, node in _chosen(link, form).items()} | _fields(
        kind, form, board
    )
    return ParsedPuzzle(
        kind.name, {name: found[name] for name in kind.fields if name in found}, inner
    )


@dataclass
class Link:
    """The parts of a link before its body, with the places where they begin."""

    text: str
    name: str
    name_at: int
    flags: str
    flags_at: int
    width: int
    height: int
    size_at: int
    body_at: int

    def refuse(self, message: str, at: int, help: str = "") -> NoReturn:
        """Raise Problems with one problem at a place of the link."""
        _refuse(self.text, message, at, help)

    def form_of(self, kind: PuzzleType) -> LinkForm:
        """Return the form of links of a type that has links of this name. Raises Problems."""
        form = links_of(kind).puzzlink
        if form is None or form.settings(self.name) is None:
            self.refuse(f"{kind.name} has no links of the name {self.name}", self.name_at)
        return form


def _refuse(text: str, message: str, at: int, help: str = "") -> NoReturn:
    source = SourceFile("<link>", text)
    source.problem(message, source.position(0, at), help)
    source.raise_problems()
    raise AssertionError("a problem was noted")


def _parsed(text: str) -> Link:
    """Return the parts of a link before its body. Raises Problems."""
    found = QUERY.match(text)
    at = name_at = found.end() if found else 0
    parts: list[tuple[str, int]] = []
    while len(parts) < 5 and at <= len(text):
        end = text.find("/", at)
        end = len(text) if end < 0 else end
        parts.append((text[at:end], at))
        at = end + 1
    (name, _), *rest = parts
    name = re.sub(r"_(?:edit|play)$", "", name)
    if rest and rest[0][0].startswith("v:"):
        _refuse(text, "this is a variant, whose rules are not known", rest[0][1])
    flags, flags_at = rest.pop(0) if rest and re.fullmatch(r"[a-z]+", rest[0][0]) else ("", name_at)
    sides = []
    for what in ("width", "height"):
        side, place = rest.pop(0) if rest else ("", len(text))
        if not re.fullmatch(r"[0-9]+", side):
            _refuse(
                text,
                f"expected the {what} of the board, got {side[:20]!r}",
                min(place, max(len(text) - 1, 0)),
            )
        if len(side) > 6 or not 1 <= int(side) <= BOARD_SIDE:
            _refuse(
                text, f"a board has from 1 to {BOARD_SIDE} rows and columns, got {side[:20]}", place
            )
        sides.append((int(side), place))
    body = min(sides[1][1] + len(text[sides[1][1] :].split("/", 1)[0]) + 1, len(text))
    return Link(text, name, name_at, flags, flags_at, sides[0][0], sides[1][0], sides[0][1], body)


_found: dict[str, Path] = {}  # the files of types by names on the site, as they were found before


def type_of(link: Link) -> PuzzleType:
    """Return the type with links of this name. Raises Problems."""
    before = [_found[link.name]] if link.name in _found else []
    for path in chain(before, _files()):
        with suppress(InputError):
            if link.name in read_header(path).links.get("puzzlink", ()):
                kind = read_type(path)
                form = links_of(kind).puzzlink
                if form is not None and form.settings(link.name) is not None:
                    _found[link.name] = path
                    return kind
    help = "docs/links.md lists the known names; or write the type before the link, as where it is a file of your own"
    return link.refuse(f"no type has links of the name {link.name[:40]}", link.name_at, help)


def _files() -> Iterator[Path]:
    """Yield the files of all types; they are looked for only if one is asked for."""
    yield from types().values()


def _segments(link: Link, slashes: int) -> list[Cursor]:
    """Return the parts of the body before, between and after so many slashes."""
    end = len(link.text) - (link.text.endswith("/") and len(link.text) > link.body_at)
    found, at = [], link.body_at
    for _ in range(slashes):
        slash = link.text.find("/", at, end)
        stop = end if slash < 0 else slash
        found.append(Cursor(link.text, min(at, end), stop))
        at = min(stop + 1, end)
    return [*found, Cursor(link.text, min(at, end), end)]


def _fill(link: Link, layer: LinkLayer, kind: PuzzleType, cursor: Cursor, board: Board) -> None:
    """Read a layer and put its values into the fields."""
    places = places_of(layer, kind)
    values: list[Any] = []
    begins: list[int] = []
    try:
        for value in layer.layout.read(
            cursor, LayerSize(link.width, link.height, places.count(board))
        ):
            values.append(value)
            begins.append(cursor.begin)
        if layer.fields:
            places.fill(values, board)
        elif (
            at := next((at for at, value in enumerate(values) if value is not None), None)
        ) is not None:
            raise WrongPart(f"{kind.name} has no field for this ({layer.name})", at)
    except CodecError as error:
        link.refuse(str(error), error.at)
    except WrongPart as error:
        link.refuse(str(error), begins[error.at] if error.at < len(begins) else cursor.at)


def _chosen(link: Link, form: LinkForm) -> Settings:
    """Return the values of fields that the name, the flags and the size stand for. Raises Problems."""
    found = dict(form.settings(link.name) or {})
    for place, flag in enumerate(link.flags, link.flags_at):
        if flag not in form.flags:
            link.refuse(f"the flag {flag} changes rules in a way that is not known", place)
        found |= form.flags[flag]
    if form.sizes:
        if link.width != link.height or link.width not in form.sizes:
            sides = ", ".join(map(str, form.sizes))
            link.refuse(
                f"expected a square board with a side of {sides}, got {link.width}×{link.height}",
                link.size_at,
            )
        found |= form.sizes[link.width]
    return found


def _number_regions(form: LinkForm, board: Board) -> list[str]:
    """Fill the field of the regions, now that all cells are known; return the walls that separate
    none.
    """
    inner: list[str] = []
    for layer in form.layers:
        if layer.places == "edges" and layer.fields:
            name, outside = layer.outside or ("", ())
            free = (
                {place for place, text in board.parts[name].items() if text in outside}
                if name
                else set()
            )
            board.find_regions()
            labels = board.parts[layer.fields[0]] = board.labels(free)
            for field, values in board.of_regions.items():
                board.values[field] = {labels[place]: value for place, value in values.items()}
            inner += board.inner_walls(free)
    return inner


def _fields(kind: PuzzleType, form: LinkForm, board: Board) -> dict[str, Any]:
    """Return the fields of a spec, as plain values."""
    found: dict[str, Any] = {}
    for name, parts in board.parts.items():
        if not (kind.fields[name].optional and all(text is None for text in parts.values())):
            blank = "0" if bounds_of(kind, name)[0] == 0 else "[]"
            found[name] = board.plain(name, kind.fields[name].type, blank)
    for name, value in board.values.items():
        default = kind.fields[name].default
        if (
            value is None
            or isinstance(value, list)
            or default is None
            or str(value) != str(plain(default))
        ):
            found[name] = " ".join(value) if isinstance(value, list) else value
    return found


def write(puzzle: Instance) -> str:
    """Return the link of a puzzle.

    Raises:
        InputError: The type has no links, or a link cannot carry all of the puzzle.
    """
    kind, form = puzzle.type, links_of(puzzle.type).puzzlink
    if form is None:
        raise InputError(
            f"{kind.name} has no links of puzz.link",
            help="docs/links.md lists the types that have them",
        )
    sizes = (places_of(layer, kind).size(puzzle.data) for layer in form.layers)
    width, height = next((size for size in sizes if size is not None), (0, 0))
    name, flags = _carried(puzzle, form, width, height)
    board = Board(width, height, puzzle.data)
    for layer in form.layers:
        if layer.places == "edges" and layer.fields:
            board.number_regions(layer.fields[0])
    _refuse_holes(kind, form, board)
    body = _body(form, kind, board)
    end = "" if not body or body[-1].isalnum() else "/"
    return f"{SITE}{name}/{flags + '/' if flags else ''}{width}/{height}/{body}{end}"


def _carried(puzzle: Instance, form: LinkForm, width: int, height: int) -> tuple[str, str]:
    """Return the name and the flags that a link states. Raises InputError for fields that it cannot
    carry.
    """
    kind = puzzle.type
    if form.sizes and (width != height or width not in form.sizes):
        raise InputError(
            f"a link of {kind.name} has a square board with a side of {', '.join(map(str, form.sizes))}"
        )

    def holds(settings: Settings) -> bool:
        return all(
            puzzle.data[field] == _value(kind, field, node) for field, node in settings.items()
        )

    flags = [flag for flag, settings in form.flags.items() if settings and holds(settings)]
    flagged = {field: node for flag in flags for field, node in form.flags[flag].items()}
    names = [name for name, settings in form.names.items() if holds({**settings, **flagged})]
    stated = {
        **form.names[names[0] if names else next(iter(form.names))],
        **flagged,
        **form.sizes.get(width, {}),
    }
    layers = {field for layer in form.layers for field in layer.fields}
    left = [
        field
        for field in kind.fields
        if field not in layers and not is_stated(puzzle, field, stated)
    ]
    if left:
        given = [
            field for field in left if not is_stated(puzzle, field, {})
        ] or left  # defaults only if there is nothing else
        raise InputError(
            f"a link of {kind.name} cannot carry {' and '.join(_shown(puzzle, field) for field in given)}"
        )
    return names[0], "".join(flags)


def is_stated(puzzle: Instance, field: str, stated: Settings) -> bool:
    """Return whether a field has the value that a link stands for: a stated one, or the default."""
    node = stated.get(field, puzzle.type.fields[field].default)
    return bool(puzzle.data[field] == (None if node is None else _value(puzzle.type, field, node)))


def _shown(puzzle: Instance, field: str) -> str:
    """Return a field for a message, with its value if that is short."""
    value = puzzle.data[field]
    return f"{field}: {str(value).lower()}" if isinstance(value, int | str | Size) else field


def _value(kind: PuzzleType, field: str, node: yaml.Node) -> Any:
    """Return the value of a field that a node states."""
    return kind.fields[field].type.read(node, ReadContext(kind.source))


def _refuse_holes(kind: PuzzleType, form: LinkForm, board: Board) -> None:
    """Raise InputError if a board has holes and no layer carries them."""
    if any(layer.fields == (HOLES,) for layer in form.layers):
        return
    for layer in form.layers:
        more = places_of(layer, kind).beyond
        for name in layer.fields:
            grid = board.data[name]
            if not isinstance(grid, Grid) or layer.has_holes(name):
                continue
            hole = next(
                (place for place in board.cells(more) if cell_at(place) not in grid.values), None
            )
            if hole is not None:
                raise InputError(
                    f"a link of {kind.name} cannot carry the hole of {name} at {cell_at(hole)}"
                )


def _body(form: LinkForm, kind: PuzzleType, board: Board) -> str:
    """Return the body of a link. Raises InputError for what it cannot carry."""
    written: list[tuple[str, bool]] = []  # with whether it may be left out at the end
    for layer in form.body:
        if layer is None:
            written.append(("/", False))
            continue
        places = places_of(layer, kind)
        values = places.take(board) if layer.fields else [None] * places.count(board)
        blank = layer.optional and all(value is None for value in values)
        try:
            written.append(
                (
                    layer.layout.write(values, LayerSize(board.width, board.height, len(values))),
                    blank,
                )
            )
        except CodecError as error:
            fields = " and ".join(layer.fields)
            raise InputError(
                f"a link cannot carry {fields}{places.where(error.at, board)}: {error}"
            ) from None
    while written and written[-1][1]:
        written.pop()
    return "".join(text for text, _ in written)
