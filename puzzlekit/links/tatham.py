"""Game IDs, links and saves of Simon Tatham's Portable Puzzle Collection, and tasks without a size.

An ID has parameters, a colon and a description: `5x5:4431445321521231445521434`. It does not name
its game, as a link and a save do. A type says under `links: tatham:` which parameters and which
layers an ID of it has. A task of a puzzle site is a description alone, of a square board.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NoReturn
from urllib.parse import unquote

from puzzlekit.catalogue import headers, types
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError
from puzzlekit.lang import BOARD_SIDE, Instance, PuzzleType, read_type
from puzzlekit.links import ParsedPuzzle, puzzlink
from puzzlekit.links.codecs import RunsCodec
from puzzlekit.links.layer_types import cell_layer
from puzzlekit.links.layers import LayerValueError
from puzzlekit.links.link_board import Board
from puzzlekit.links.link_format import GameFormat, LinkLayer, links_of
from puzzlekit.links.tokens import CodecError, Cursor, LayerSize

NAME = "tatham"
SITE = "https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/"
DESCRIPTION = r"[\w.,/*\[\]!+-]{1,100000}"
ID = re.compile(rf"\s*([0-9]{{1,3}}(?:x[0-9]{{1,3}})?[0-9a-zA-Z.]{{0,40}}):({DESCRIPTION})\s*")
LINK = re.compile(r"\s*\S{0,100}/puzzles/js/([a-z]{1,20})\.html#(\S{1,200000})\s*")
SAVE = re.compile(r"\s*SAVEFILE:41:Simon Tatham's Portable Puzzle Collection")
SAVE_LINE = re.compile(r"([A-Z]{1,8}) *:([0-9]{1,6}):(.*)")
TASK = re.compile(rf"\s*(?=\S*[0-9])(?!\S*\.[a-z]{{2,}}\s*$){DESCRIPTION[:-10]}{{9,100000}}\s*")
PARAMETER = re.compile(r"d[a-zA-Z]|[a-zA-Z](?:[0-9]+(?:\.[0-9]+)?)?|[0-9.]+")
LONGEST = 400_000  # characters of a save
SEPARATOR = ","


def recognises(text: str) -> bool:
    """Return whether a text is an ID, a link or a save, or a task."""
    if SAVE.match(text):
        return len(text) <= LONGEST
    return any(pattern.fullmatch(text) for pattern in (ID, LINK, TASK))


def read(text: str, puzzle_type: PuzzleType | None = None) -> list[ParsedPuzzle]:
    """Return the puzzle of a text.

    Raises:
        InputError: It has an error, or it names no type that is known.
    """
    name, game_id = _name_and_id(text)
    if puzzle_type is None:
        puzzle_type = _type_of(name, game_id) if name else _refuse_type(text)
    game_format = _format_of(puzzle_type)
    if name and name not in game_format.names:
        raise InputError(f"this is a board of {name}, not of {puzzle_type.name}")
    match = ID.fullmatch(game_id)
    if match is None:
        return [_task(game_id.strip(), puzzle_type)]
    return [_Reading(match[1], match[2], puzzle_type, game_format).puzzle()]


def _name_and_id(text: str) -> tuple[str, str]:
    """Return the name of the game, empty if the text does not state it, and the ID."""
    link = LINK.fullmatch(text)
    if link is not None:
        game_id = unquote(link[2])
        if ID.fullmatch(game_id) is None:
            raise InputError("the link has no game ID behind its #")
        return link[1], game_id
    return _of_save(text) if SAVE.match(text) else ("", text)


def _of_save(text: str) -> tuple[str, str]:
    """Return the game and the ID of a save. Raises InputError."""
    entries: dict[str, str] = {}
    for line in text.splitlines():
        match = SAVE_LINE.fullmatch(line.strip())
        if match is not None:
            entries.setdefault(match[1], match[3])
    missing = [key for key in ("GAME", "CPARAMS", "DESC") if key not in entries]
    if missing:
        raise InputError(f"the save has no {missing[0]}; it may be cut off")
    game_id = f"{entries['CPARAMS']}:{entries['DESC']}"
    if ID.fullmatch(game_id) is None:
        raise InputError(f"a save of {entries['GAME'][:20]} is not read")
    return entries["GAME"].lower().replace(" ", ""), game_id


def _formats() -> Iterator[PuzzleType]:
    """Yield the types that have game IDs."""
    for type_name, header in headers(types()).items():
        if header is not None and NAME in header.links:
            yield read_type(types()[type_name])


def _format_of(puzzle_type: PuzzleType) -> GameFormat:
    game_format = links_of(puzzle_type).game
    if game_format is None:
        raise InputError(f"{puzzle_type.name} has no game IDs of Simon Tatham's puzzles, or tasks")
    return game_format


def _type_of(name: str, game_id: str) -> PuzzleType:
    """Return the type of a game with the parameters of an ID."""
    candidates = [type_ for type_ in _formats() if name in _format_of(type_).names]
    if not candidates:
        raise InputError(f"no type is the game {name[:20]} of Simon Tatham's puzzles")
    parameters = _parameters(game_id.partition(":")[0])[1]
    requiring = [type_ for type_ in candidates if _requires(type_, parameters)]
    return (requiring or candidates)[-1]


def _requires(puzzle_type: PuzzleType, parameters: Sequence[str]) -> bool:
    requires = _format_of(puzzle_type).requires
    return bool(requires) and set(requires) <= set(parameters)


def _refuse_type(text: str) -> NoReturn:
    """Raise InputError: it says which types read an ID without the name of its game."""
    match = ID.fullmatch(text)
    if match is None:
        raise InputError(
            f"{text.strip()[:60]!r} may be a task of a puzzle site, which names no puzzle",
            help="write the type before it; if it is a file, there is none of this name",
        )
    readers = []
    for puzzle_type in _formats():
        try:
            _Reading(match[1], match[2], puzzle_type, _format_of(puzzle_type)).puzzle()
        except InputError:
            continue
        readers.append(puzzle_type.name)
    help = "write the type before it"
    if readers:
        help += f": {', '.join(sorted(readers))} can have it"
    raise InputError("a game ID of Simon Tatham's puzzles does not name its game", help=help)


def _parameters(text: str) -> tuple[str, list[str]]:
    """Return the size that parameters begin with, and the other parameters."""
    size = re.match(r"[0-9]+(?:x[0-9]+)?", text)
    assert size is not None
    return size[0], PARAMETER.findall(text[size.end() :])


def _task(text: str, puzzle_type: PuzzleType) -> ParsedPuzzle:
    """Return the puzzle of a description of a square board: of the only size that it fits."""
    game_format = _format_of(puzzle_type)
    fitting = []
    requires = "".join(game_format.requires)
    for side in range(1, 61):
        size = str(side) if game_format.size == "square" else f"{side}x{side}"
        try:
            fitting.append(_Reading(size + requires, text, puzzle_type, game_format).puzzle())
        except InputError as error:
            first_error = error
    if len(fitting) != 1:
        boards = "no square board"
        if fitting:
            boards = "several boards"
        raise InputError(
            f"the task fits {boards} of {puzzle_type.name}",
            help=f"write its size before it, as 10x8:{text[:12]}…",
        ) from (first_error if not fitting else None)
    return fitting[0]


@dataclass(frozen=True)
class _Reading:
    """Reads a game ID as a puzzle of a type.

    Attributes:
        parameters: The parameters, before the colon.
        description: What stands behind it.
        type: The type.
        format: How IDs of the type are written.
    """

    parameters: str
    description: str
    type: PuzzleType
    format: GameFormat

    def puzzle(self) -> ParsedPuzzle:
        """Return the puzzle. Raises InputError."""
        size, parameters = _parameters(self.parameters)
        missing = set(self.format.requires) - set(parameters)
        if missing:
            raise InputError(f"an ID of {self.type.name} has the parameter {min(missing)}")
        width, height = self._board_size(size)
        board = Board(width, height)
        flags = self._read_parameters(parameters, board)
        layers = [layer for layer in self.format.layers if layer.flag in ("", *flags)]
        if self.format.box and not any(layer.flag for layer in layers):
            board.values[self.format.box] = size
        link = self._link(flags, width, height)
        present = replace(self.format, body=tuple(layers))
        for layer, cursor in self._segments(link.text, set(flags)):
            self._fill(layer, cursor, board)
        return puzzlink.imported_from(link, self.type, present, board)

    def _link(self, flags: Sequence[str], width: int, height: int) -> puzzlink.Link:
        letters = "".join(flag for flag in flags if self.format.flags.get(flag))
        text = f"{self.parameters}:{self.description}"
        name = next(iter(self.format.names))
        return puzzlink.Link(text, name, 0, letters, 0, width, height, 0, len(self.parameters) + 1)

    def _board_size(self, size: str) -> tuple[int, int]:
        sides = [int(side) for side in size.split("x")]
        first, second = sides if len(sides) == 2 else (sides[0], sides[0])
        match self.format.size:
            case "square":
                if len(sides) == 2 and first != second:
                    raise InputError(f"{self.type.name} has a square board, got {size}")
                width, height = first, first
            case "box":
                side = first * second if len(sides) == 2 else first
                width, height = side, side
            case "pairs":
                width, height = first + 2, first + 1
            case _:
                width, height = first, second
        if not (1 <= width <= BOARD_SIDE and 1 <= height <= BOARD_SIDE):
            raise InputError(f"a board has from 1 to {BOARD_SIDE} rows and columns, got {size}")
        return width, height

    def _read_parameters(self, parameters: Sequence[str], board: Board) -> list[str]:
        """Return the flags among the parameters, and put the numbers into their fields."""
        flags = []
        layer_flags = {layer.flag for layer in self.format.layers}
        for parameter in parameters:
            letter, number = parameter[0], parameter[1:]
            if letter in self.format.numbers and number.isdecimal():
                board.values[self.format.numbers[letter]] = int(number)
            elif parameter in {*self.format.requires, *layer_flags, *self.format.flags}:
                flags.append(parameter)
            elif letter in self.format.flags and not self.format.flags[letter]:
                continue  # it says how the board was made
            else:
                raise InputError(
                    f"the parameter {parameter} changes rules in a way that is not known"
                )
        return flags

    def _segments(self, text: str, flags: set[str]) -> Iterator[tuple[LinkLayer, Cursor]]:
        """Yield the layers that an ID has with these flags, each with its segment of the text."""
        groups: list[list[LinkLayer]] = [[]]
        for layer in self.format.body:
            if layer is None:
                groups.append([])
            elif not layer.flag or layer.flag in flags:
                groups[-1].append(layer)
        groups = [group for group in groups if group]
        offset = len(self.parameters) + 1
        for number, group in enumerate(groups, 1):
            end = text.find(SEPARATOR, offset) if number < len(groups) else len(text)
            end = len(text) if end < 0 else end
            is_optional = group[0].optional and offset > len(text)
            if not is_optional:
                cursor = Cursor(text, min(offset, len(text)), end)
                for layer in group:
                    yield layer, cursor
                if not cursor.ended:
                    raise InputError(
                        f"the ID goes on after its last value: {text[cursor.position :][:20]!r}"
                    )
            offset = end + 1
        if offset <= len(text):
            raise InputError(f"the ID goes on after its last value: {text[offset:][:20]!r}")

    def _fill(self, layer: LinkLayer, cursor: Cursor, board: Board) -> None:
        """Read a layer and put its values into the fields. Raises InputError."""
        cells = cell_layer(layer, self.type)
        size = LayerSize(board.width, board.height, cells.count(board))
        begin = cursor.position
        try:
            values = list(layer.codec.read(cursor, size))
            _check_length(layer, values, size, cursor.text[begin : cursor.position])
            cells.fill(values, board)
        except (CodecError, LayerValueError) as error:
            where = f"character {error.index + 1}" if isinstance(error, CodecError) else ""
            fields = " and ".join(layer.fields)
            raise InputError(f"{fields}{f' ({where})' if where else ''}: {error}") from None


def _check_length(layer: LinkLayer, values: Sequence[Any], size: LayerSize, text: str) -> None:
    """Raise CodecError if a text does not state all values, or more. Of an optional layer, blanks
    at the end may be missing.
    """
    may_be_short = layer.optional or layer.target == "dots"
    if len(values) < size.count and not may_be_short:
        raise CodecError(f"expected {size.count} values, got {len(values)}", 0)
    if isinstance(layer.codec, RunsCodec) and layer.codec.write(values, size) != text:
        raise CodecError(f"expected {size.count} values, got more", 0)


def write(puzzle: Instance) -> str:
    """Return a link with the game ID of a puzzle.

    Raises:
        InputError: The type has no game IDs, or one cannot carry all of the puzzle.
    """
    game_format = _format_of(puzzle.type)
    width, height = puzzlink.size(puzzle, game_format)
    name, letters = puzzlink.carried(puzzle, game_format, width, height)
    board = Board(width, height, puzzle.data)
    flags = [layer.flag for layer in game_format.layers if _is_given(layer, puzzle)]
    present = [layer for layer in game_format.layers if layer.flag in ("", *flags)]
    for layer in present:
        if layer.target in ("edges", "dominoes"):
            board.number_regions(layer.fields[0])
    puzzlink.refuse_holes(puzzle.type, replace(game_format, body=tuple(present)), board)
    size = _written_size(puzzle, game_format, bool(flags), width, height)
    numbers = [f"{letter}{puzzle.data[field]}" for letter, field in game_format.numbers.items()]
    parameters = "".join((size, *flags, *letters, *game_format.requires, *numbers))
    return f"{SITE}{name}.html#{parameters}:{_description(puzzle, game_format, set(flags), board)}"


def _is_given(layer: LinkLayer, puzzle: Instance) -> bool:
    return bool(layer.flag) and puzzle.data[layer.fields[0]] is not None


def _written_size(
    puzzle: Instance, game_format: GameFormat, has_regions: bool, width: int, height: int
) -> str:
    match game_format.size:
        case "square":
            if width != height:
                raise InputError(f"a game ID of {puzzle.type.name} has a square board")
            return str(width)
        case "box":
            box = puzzle.data[game_format.box]
            if width != height or (not has_regions and box.rows * box.columns != width):
                raise InputError("a game ID has a square board with boxes of as many cells")
            return str(width) if has_regions else f"{box.rows}x{box.columns}"
        case "pairs":
            if width != height + 1:
                raise InputError("a game ID has a board with one column more than rows")
            return str(height - 1)
        case _:
            return f"{width}x{height}"


def _description(puzzle: Instance, game_format: GameFormat, flags: set[str], board: Board) -> str:
    """Return the layers of an ID. Raises InputError for what it cannot carry."""
    segments: list[str] = []
    length = 0  # of the segments that may not be left out at the end
    is_new = True
    for layer in game_format.body:
        if layer is None:
            is_new = True
            continue
        if layer.flag and layer.flag not in flags:
            continue
        text, is_blank = _layer_text(puzzle, layer, board)
        if is_new:
            segments.append("")
        segments[-1] += text
        is_new = False
        if not (layer.optional and is_blank):
            length = len(segments)
    return SEPARATOR.join(segments[:length])


def _without_end(layer: LinkLayer, values: list[Any]) -> list[Any]:
    """Return the values of a layer, without the blanks at its end if they may be missing."""
    end = len(values)
    if layer.optional and isinstance(layer.codec, RunsCodec):
        while end and values[end - 1] is None:
            end -= 1
    return values[:end]


def _layer_text(puzzle: Instance, layer: LinkLayer, board: Board) -> tuple[str, bool]:
    """Return the text of a layer, and whether it is blank."""
    cells = cell_layer(layer, puzzle.type)
    values = cells.take(board)
    size = LayerSize(board.width, board.height, len(values))
    try:
        text = layer.codec.write(_without_end(layer, values), size)
    except CodecError as error:
        fields = " and ".join(layer.fields)
        where = cells.where(error.index, board)
        raise InputError(f"a game ID cannot carry {fields}{where}: {error}") from None
    return text, all(value is None for value in values)
