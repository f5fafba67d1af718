"""Links of puzz.link and of the sites that share its notation.

A type says under `links` which layers a link of it has; `docs/links.md` describes the notation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import unquote

import yaml

from puzzlekit.boards import Grid
from puzzlekit.catalogue import read_header, types
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError
from puzzlekit.lang import BOARD_SIDE, Instance, PuzzleType, ReadContext, Size, plain, read_type
from puzzlekit.links import ParsedPuzzle
from puzzlekit.links.layer_types import cell_layer
from puzzlekit.links.layers import LayerValueError, bounds_of
from puzzlekit.links.link_board import Board, cell_at
from puzzlekit.links.link_format import EDGES, LinkFormat, LinkLayer, Settings, links_of
from puzzlekit.links.tokens import CodecError, Cursor, LayerSize
from puzzlekit.source import FILE_CHARACTERS, SourceFile

SITE = "https://puzz.link/p?"
LINK = re.compile(
    r"[\s\"'<(]*(?:https?://)?[\w.-]+(?::\d+)?/[^\s?#]*\?(?:[\w.]+=[^&/]*&)*"
    r"(?!pzprv3)[\w.-]+(?:/|%2[Ff])\S*\s*"
)
QUERY = re.compile(r"[^?]*\?(?:[\w.]+=[^&/]*&)*")
QUOTES = " \t\r\n\"'<>()[]{},;|"  # around a link in a text


def recognises(text: str) -> bool:
    """Return whether the text is a link whose query begins with a name and a slash."""
    return LINK.fullmatch(text) is not None


def read(text: str, puzzle_type: PuzzleType | None = None) -> list[ParsedPuzzle]:
    """Return the puzzle of a link.

    Raises:
        Problems: The link has an error, or has what the type cannot express.
        InputError: No type has such links.
    """
    text = text.strip(QUOTES)
    if len(text) > FILE_CHARACTERS:
        raise InputError(f"a link has at most {FILE_CHARACTERS:,} characters")
    try:
        return [_read(_address(text), puzzle_type)]
    except InputError as error:
        # chat programs encode a link; % alone is an old prefix of numbers
        decoded = _address(unquote(text)).rstrip(QUOTES)
        without_fraction = decoded.removesuffix(".0")  # as tables of numbers write it
        for candidate in dict.fromkeys((decoded, without_fraction)):
            with suppress(InputError):
                return [_read(candidate, puzzle_type)]
        raise error


def _address(text: str) -> str:
    """Return a link without the parameters and the fragment behind its body."""
    page, mark, query = text.partition("?")
    return page + mark + re.sub(r"(/[^&#]*)[&#].*", r"\1", query)


def _read(text: str, puzzle_type: PuzzleType | None) -> ParsedPuzzle:
    link = _parsed(text)
    puzzle_type = puzzle_type or type_of(link)
    link_format = link.format_of(puzzle_type)
    board = Board(link.width, link.height)
    slashes = link_format.body.count(None)
    segments = iter(_segments(link, slashes))
    cursor = next(segments)
    for layer in (*link_format.body, None):
        if layer is not None:
            _fill(link, layer, puzzle_type, cursor, board)
            continue
        if not cursor.ended:
            link.refuse("the link goes on after its last value", cursor.position)
        cursor = next(segments, cursor)
    parsed = imported_from(link, puzzle_type, link_format, board)
    return replace(parsed, fields={"source": text, **parsed.fields})


def imported_from(
    link: Link, puzzle_type: PuzzleType, link_format: LinkFormat, board: Board
) -> ParsedPuzzle:
    """Return the puzzle of a board whose layers are filled. Raises Problems."""
    inner_walls = _number_regions(link_format, board)
    settings = _settings(link, link_format)
    values = {name: plain(node) for name, node in settings.items()}
    values |= _fields(puzzle_type, board)
    fields = {name: values[name] for name in puzzle_type.fields if name in values}
    return ParsedPuzzle(puzzle_type.name, fields, inner_walls)


@dataclass
class Link:
    """The segments of a link before its body, with the offsets at which they begin."""

    text: str
    name: str
    name_offset: int
    flags: str
    flags_offset: int
    width: int
    height: int
    size_offset: int
    body_offset: int

    def refuse(self, message: str, offset: int, help: str = "") -> NoReturn:
        """Raise Problems with one problem at an offset in the link."""
        _refuse(self.text, message, offset, help)

    def format_of(self, puzzle_type: PuzzleType) -> LinkFormat:
        """Return the format of links of a type that has links of this name. Raises Problems."""
        link_format = links_of(puzzle_type).puzzlink
        if link_format is None or link_format.settings(self.name) is None:
            message = f"{puzzle_type.name} has no links of the name {self.name}"
            self.refuse(message, self.name_offset)
        return link_format


def _refuse(text: str, message: str, offset: int, help: str = "") -> NoReturn:
    source = SourceFile("<link>", text)
    source.problem(message, source.position(0, offset), help)
    source.raise_problems()
    raise AssertionError("a problem was noted")


def _parsed(text: str) -> Link:
    """Return the segments of a link before its body. Raises Problems."""
    query = QUERY.match(text)
    name_offset = query.end() if query else 0
    (name, _), *segments = _leading_segments(text, name_offset)
    name = re.sub(r"_(?:edit|play)$", "", name)
    if segments and segments[0][0].startswith("v:"):
        _refuse(text, "this is a variant, whose rules are not known", segments[0][1])
    flags, flags_offset = "", name_offset
    if segments and re.fullmatch(r"[a-z]+", segments[0][0]):
        flags, flags_offset = segments.pop(0)
    missing = ("", len(text))
    width_text, width_offset = segments.pop(0) if segments else missing
    width = _side(text, "width", width_text, width_offset)
    height_text, height_offset = segments.pop(0) if segments else missing
    height = _side(text, "height", height_text, height_offset)
    body_offset = min(height_offset + len(height_text) + 1, len(text))
    return Link(
        text, name, name_offset, flags, flags_offset, width, height, width_offset, body_offset
    )


def _leading_segments(text: str, offset: int) -> list[tuple[str, int]]:
    """Return the first segments between slashes from an offset on, each with its offset."""
    segments: list[tuple[str, int]] = []
    while len(segments) < 5 and offset <= len(text):
        end = text.find("/", offset)
        if end < 0:
            end = len(text)
        segments.append((text[offset:end], offset))
        offset = end + 1
    return segments


def _side(text: str, side: str, digits: str, offset: int) -> int:
    """Return the width or height that a segment of a link states. Raises Problems."""
    if not re.fullmatch(r"[0-9]+", digits):
        last = max(len(text) - 1, 0)
        message = f"expected the {side} of the board, got {digits[:20]!r}"
        _refuse(text, message, min(offset, last))
    if len(digits) > 6 or not 1 <= int(digits) <= BOARD_SIDE:
        message = f"a board has from 1 to {BOARD_SIDE} rows and columns, got {digits[:20]}"
        _refuse(text, message, offset)
    return int(digits)


_files_by_site_name: dict[str, Path] = {}  # of types, as they were found before


def type_of(link: Link) -> PuzzleType:
    """Return the type with links of this name. Raises Problems."""
    puzzle_type = type_on_site(link.name)
    if puzzle_type is not None:
        return puzzle_type
    help = (
        "docs/links.md lists the known names; or write the type before the link, as where it is a"
        " file of your own"
    )
    message = f"no type has links of the name {link.name[:40]}"
    return link.refuse(message, link.name_offset, help)


def type_on_site(name: str) -> PuzzleType | None:
    """Return the type that the site calls so; None if there is none."""
    for path in _candidate_files(name):
        with suppress(InputError):
            if name not in read_header(path).links.get("puzzlink", ()):
                continue
            puzzle_type = read_type(path)
            link_format = links_of(puzzle_type).puzzlink
            if link_format is not None and link_format.settings(name) is not None:
                _files_by_site_name[name] = path
                return puzzle_type
    return None


def _candidate_files(name: str) -> Iterator[Path]:
    """Yield the file that had a name on the site before, then the files of all types."""
    if name in _files_by_site_name:
        yield _files_by_site_name[name]
    yield from types().values()


def _segments(link: Link, slashes: int) -> list[Cursor]:
    """Return the segments of the body before, between and after so many slashes."""
    text = link.text
    end = len(text)
    if text.endswith("/") and end > link.body_offset:
        end -= 1
    segments = []
    offset = link.body_offset
    for _ in range(slashes):
        slash = text.find("/", offset, end)
        stop = end if slash < 0 else slash
        segments.append(Cursor(text, min(offset, end), stop))
        offset = min(stop + 1, end)
    segments.append(Cursor(text, min(offset, end), end))
    return segments


def _fill(
    link: Link, layer: LinkLayer, puzzle_type: PuzzleType, cursor: Cursor, board: Board
) -> None:
    """Read a layer and put its values into the fields."""
    cells = cell_layer(layer, puzzle_type)
    size = LayerSize(link.width, link.height, cells.count(board))
    values: list[Any] = []
    begins: list[int] = []
    try:
        for value in layer.codec.read(cursor, size):
            values.append(value)
            begins.append(cursor.begin)
        if layer.fields:
            cells.fill(values, board)
        else:
            _require_blanks(values, f"{puzzle_type.name} has no field for this ({layer.name})")
    except CodecError as error:
        link.refuse(str(error), error.index)
    except LayerValueError as error:
        reached = error.index < len(begins)
        link.refuse(str(error), begins[error.index] if reached else cursor.position)


def _require_blanks(values: list[Any], message: str) -> None:
    for index, value in enumerate(values):
        if value is not None:
            raise LayerValueError(message, index)


def _settings(link: Link, link_format: LinkFormat) -> Settings:
    """Return the values of fields that the name, the flags and the size stand for.

    Raises:
        Problems: A flag is unknown, or the size is none of the type.
    """
    settings = dict(link_format.settings(link.name) or {})
    for offset, flag in enumerate(link.flags, link.flags_offset):
        if flag not in link_format.flags:
            link.refuse(f"the flag {flag} changes rules in a way that is not known", offset)
        settings |= link_format.flags[flag]
    if link_format.sizes:
        if link.width != link.height or link.width not in link_format.sizes:
            sides = ", ".join(map(str, link_format.sizes))
            size = f"{link.width}×{link.height}"
            message = f"expected a square board with a side of {sides}, got {size}"
            link.refuse(message, link.size_offset)
        settings |= link_format.sizes[link.width]
    return settings


def _number_regions(link_format: LinkFormat, board: Board) -> list[str]:
    """Fill the field of the regions, now that all cells are known; return the walls that separate
    none.
    """
    inner_walls: list[str] = []
    for layer in link_format.layers:
        if layer.target not in EDGES or not layer.fields:
            continue
        free = set()
        if layer.outside is not None:
            name, texts = layer.outside
            free = {cell for cell, text in board.texts[name].items() if text in texts}
        board.find_regions()
        labels = board.labels(free)
        board.texts[layer.fields[0]] = labels
        for field, values in board.of_regions.items():
            board.values[field] = {labels[cell]: value for cell, value in values.items()}
        inner_walls += board.inner_walls(free)
    return inner_walls


def _fields(puzzle_type: PuzzleType, board: Board) -> dict[str, Any]:
    """Return the fields of a spec, as plain values."""
    values: dict[str, Any] = {}
    for name, texts in board.texts.items():
        field = puzzle_type.fields[name]
        is_blank = all(text is None for text in texts.values())
        if not (field.optional and is_blank):
            lowest, _ = bounds_of(puzzle_type, name)
            blank = "0" if lowest == 0 else "[]"
            values[name] = board.plain(name, field.type, blank)
    for name, value in board.values.items():
        default = puzzle_type.fields[name].default
        if isinstance(value, list):
            is_one_line = all(" " not in text for text in value)
            values[name] = " ".join(value) if is_one_line else value
        elif value is None or default is None or str(value) != str(plain(default)):
            values[name] = value
    return values


def write(puzzle: Instance) -> str:
    """Return the link of a puzzle.

    Raises:
        InputError: The type has no links, or a link cannot carry all of the puzzle.
    """
    puzzle_type = puzzle.type
    link_format = links_of(puzzle_type).puzzlink
    if link_format is None:
        raise InputError(
            f"{puzzle_type.name} has no links of puzz.link",
            help="docs/links.md lists the types that have them",
        )
    width, height = size(puzzle, link_format)
    name, flags = carried(puzzle, link_format, width, height)
    board = Board(width, height, puzzle.data)
    for layer in link_format.layers:
        if layer.target in EDGES and layer.fields:
            board.number_regions(layer.fields[0])
    refuse_holes(puzzle_type, link_format, board)
    body = _body(link_format, puzzle_type, board)
    if flags:
        name = f"{name}/{flags}"
    ends_in_sign = body != "" and not body[-1].isalnum()
    end = "/" if ends_in_sign else ""
    return f"{SITE}{name}/{width}/{height}/{body}{end}"


def size(puzzle: Instance, link_format: LinkFormat) -> tuple[int, int]:
    """Return the width and height of the board, which the first layer that shows them states."""
    for layer in link_format.layers:
        board_size = cell_layer(layer, puzzle.type).size(puzzle.data)
        if board_size is not None:
            return board_size
    return 0, 0


def carried(puzzle: Instance, link_format: LinkFormat, width: int, height: int) -> tuple[str, str]:
    """Return the name and the flags that a link states. Raises InputError for fields that it cannot
    carry.
    """
    if link_format.sizes and (width != height or width not in link_format.sizes):
        sides = ", ".join(map(str, link_format.sizes))
        raise InputError(f"a link of {puzzle.type.name} has a square board with a side of {sides}")
    flags = ""
    flagged: dict[str, yaml.Node] = {}
    for flag, settings in link_format.flags.items():
        if settings and _has(puzzle, settings):
            flags += flag
            flagged |= settings
    names = [
        name
        for name, settings in link_format.names.items()
        if _has(puzzle, {**settings, **flagged})
    ]
    name = names[0] if names else next(iter(link_format.names))
    settings = {**link_format.names[name], **flagged, **link_format.sizes.get(width, {})}
    carried = link_format.carried
    lost = [
        field
        for field in puzzle.type.fields
        if field not in carried and not is_stated(puzzle, field, settings)
    ]
    if lost:
        # fields with their defaults are named only if there is nothing else
        changed = [field for field in lost if not is_stated(puzzle, field, {})]
        texts = " and ".join(_field_text(puzzle, field) for field in changed or lost)
        raise InputError(f"a link of {puzzle.type.name} cannot carry {texts}")
    return name, flags


def _has(puzzle: Instance, settings: Settings) -> bool:
    """Return whether the fields of a puzzle have these values."""
    for field, node in settings.items():
        if puzzle.data[field] != _value(puzzle.type, field, node):
            return False
    return True


def is_stated(puzzle: Instance, field: str, settings: Settings) -> bool:
    """Return whether a field has the value that a link stands for: a stated one, or the default."""
    node = settings.get(field, puzzle.type.fields[field].default)
    expected = None if node is None else _value(puzzle.type, field, node)
    return bool(puzzle.data[field] == expected)


def _field_text(puzzle: Instance, field: str) -> str:
    """Return a field for a message, with its value if that is short."""
    value = puzzle.data[field]
    if isinstance(value, int | str | Size):
        return f"{field}: {str(value).lower()}"
    return field


def _value(puzzle_type: PuzzleType, field: str, node: yaml.Node) -> Any:
    """Return the value of a field that a node states."""
    return puzzle_type.fields[field].type.read(node, ReadContext(puzzle_type.source))


def refuse_holes(puzzle_type: PuzzleType, link_format: LinkFormat, board: Board) -> None:
    """Raise InputError if a board has holes and no layer carries them."""
    if any(layer.is_holes for layer in link_format.layers):
        return
    for layer in link_format.layers:
        cells = board.cells(cell_layer(layer, puzzle_type).extra)
        for name in layer.fields:
            grid = board.data[name]
            if not isinstance(grid, Grid) or layer.has_holes(name):
                continue
            for cell in map(cell_at, cells):
                if cell not in grid.values:
                    raise InputError(
                        f"a link of {puzzle_type.name} cannot carry the hole of {name} at {cell}"
                    )


def _body(link_format: LinkFormat, puzzle_type: PuzzleType, board: Board) -> str:
    """Return the body of a link. Raises InputError for what it cannot carry."""
    texts: list[str] = []
    length = 0  # of the texts that may not be left out at the end
    for layer in link_format.body:
        if layer is None:
            texts.append("/")
            length = len(texts)
            continue
        cells = cell_layer(layer, puzzle_type)
        values = cells.take(board) if layer.fields else [None] * cells.count(board)
        size = LayerSize(board.width, board.height, len(values))
        try:
            texts.append(layer.codec.write(values, size))
        except CodecError as error:
            fields = " and ".join(layer.fields)
            where = cells.where(error.index, board)
            raise InputError(f"a link cannot carry {fields}{where}: {error}") from None
        if not layer.optional or any(value is not None for value in values):
            length = len(texts)
    return "".join(texts[:length])
