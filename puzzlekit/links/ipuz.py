"""Files of ipuz: a board of letters as JSON. Clues, the solution, looks and what is filled in are
not read.

The type is the one that the file names by its kind, `http://ipuz.org/KIND#1`; its section `links`
has `ipuz: {kind: KIND, board: FIELD}`. The functions from `block_of` on serve other notations of
boards of letters as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from yaml.nodes import ScalarNode

from puzzlekit.boards import Grid, rows_over
from puzzlekit.catalogue import find, is_known
from puzzlekit.errors import InputError
from puzzlekit.lang import BOARD_SIDE, Choice, GridOf, Instance, PuzzleType, Union, read_type
from puzzlekit.links import ParsedPuzzle
from puzzlekit.links.link_format import links_of

NAME = "ipuz"
BEGIN = re.compile(r"\s*(?:ipuz\s*\(\s*)?\{")  # some files call a function with the data
SITE = re.compile(r'"(?:version|kind)"\s*:\s*(?:\[\s*)?"https?://ipuz\.org/')
HOLE = "_"
EMPTY = "."
# the value of each cell: a block, a letter or None; `_` for a hole
Rows = Sequence[Sequence[str | None]]
KIND = re.compile(r"https?://ipuz\.org/([a-z]{1,30})(?:#\d+)?")


def recognises(text: str) -> bool:
    """Return whether a text is JSON that names a version or a kind of ipuz."""
    return BEGIN.match(text) is not None and SITE.search(text) is not None


def read(text: str, puzzle_type: PuzzleType | None = None) -> list[ParsedPuzzle]:
    """Return the puzzle of a file.

    Raises:
        InputError: The text is no JSON, its kind is not known, or a cell has an error.
    """
    try:
        file = json.loads(re.sub(r"\A\s*ipuz\s*\(|\)\s*(?:;\s*)?\Z", "", text))
    except (ValueError, RecursionError) as error:
        raise InputError(f"the file is not JSON: {error}") from None
    name = _kind_name(file)
    if puzzle_type is None and is_known(name):
        puzzle_type = read_type(find(name))
    if puzzle_type is None:
        raise InputError(f"kind: no type has {name} as its kind of ipuz")
    names = links_of(puzzle_type).boards.get(NAME, {})
    if names.get("kind") != name:
        raise InputError(f"kind: {puzzle_type.name} does not have {name} as its kind of ipuz")
    rows = _rows(file, block_of(puzzle_type, NAME))
    title = _text(file, "title")
    return [imported(puzzle_type, NAME, rows, title, _text(file, "author"))]


def _text(file: Mapping[str, Any], key: str) -> str:
    text = file.get(key)
    return text if isinstance(text, str) else ""


def _kind_name(file: Mapping[str, Any]) -> str:
    """Return the name of the only kind that the file states."""
    kinds = file.get("kind")
    if not isinstance(kinds, list):
        kinds = [kinds]
    if len(kinds) == 1 and isinstance(kinds[0], str):
        match = KIND.fullmatch(kinds[0])
        if match is not None:
            return match[1]
    raise InputError(
        f"kind: expected one kind such as http://ipuz.org/name#1, got {str(kinds)[:80]}"
    )


def _rows(file: Mapping[str, Any], block: str) -> Rows:
    """Return the board in the file."""
    width, height = _dimensions(file)
    rows = file.get("puzzle")
    if not isinstance(rows, list) or len(rows) != height:
        raise InputError(f"puzzle: expected {height} rows")
    for number, row in enumerate(rows, 1):
        if not isinstance(row, list) or len(row) != width:
            raise InputError(f"puzzle: expected {width} cells in row {number}")
    file_block = str(file.get("block", "#"))
    board = []
    for number, row in enumerate(rows, 1):
        cells = enumerate(row, 1)
        values = [_value(cell, file_block, block, f"r{number}c{column}") for column, cell in cells]
        board.append(values)
    return board


def _dimensions(file: Mapping[str, Any]) -> tuple[int, int]:
    """Return the width and height of the board."""
    sides = file.get("dimensions")
    if isinstance(sides, dict):
        width = sides.get("width")
        height = sides.get("height")
        if _is_side(width) and _is_side(height):
            return width, height
    raise InputError(
        f"dimensions: expected a width and a height up to {BOARD_SIDE}, got {str(sides)[:60]}"
    )


def _is_side(side: Any) -> TypeGuard[int]:
    return type(side) is int and 1 <= side <= BOARD_SIDE


def _value(cell: Any, file_block: str, block: str, where: str) -> str | None:
    """Return what the board has in a cell: a number or a label of the file is an empty cell."""
    letter = None
    if isinstance(cell, dict):
        style = cell.get("style")
        if isinstance(style, dict) and "barred" in style:
            raise InputError(f"puzzle, {where}: bars between cells cannot be read")
        letter = cell.get("value")
        cell = cell.get("cell", 0)
    if cell is None:
        return HOLE
    if cell == file_block:
        return block
    if not isinstance(cell, int | str):
        raise InputError(f"puzzle, {where}: expected a cell, got {str(cell)[:40]!r}")
    if letter in (None, ""):
        return None
    if not isinstance(letter, str) or len(letter) != 1 or not letter.isalpha():
        raise InputError(
            f"puzzle, {where}: expected one letter as the value, got {str(letter)[:40]!r}"
        )
    return letter.lower()


def write(puzzle: Instance) -> str:
    """Return the file of a puzzle: its title and its board, with numbers where words begin, and no
    clues.

    Raises:
        InputError: The type has no such files, or the puzzle has more than a board.
    """
    rows = rows_of(puzzle, NAME)
    block = block_of(puzzle.type, NAME)
    board_type = links_of(puzzle.type).boards[NAME]["kind"]
    dimensions = {"width": len(rows[0]), "height": len(rows)}
    head = {
        "version": "http://ipuz.org/v2",
        "kind": [f"http://ipuz.org/{board_type}#1"],
        "title": title_of(puzzle),
        "dimensions": dimensions,
    }
    lines = [f'"{key}": {_json(value)}' for key, value in head.items()]
    board = ",\n".join(map(_json, _cells(rows, block)))
    lines.append(f'"puzzle": [\n{board}\n]')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _cells(rows: Rows, block: str) -> list[list[Any]]:
    """Return the cells of a file: null for a hole, `#` for a block, else a number."""
    word_numbers = numbers(rows, block)
    cells: list[list[Any]] = []
    for row, values in enumerate(rows):
        cells.append([])
        for column, value in enumerate(values):
            number = word_numbers.get((row, column), 0)
            cells[-1].append(_cell(value, number, block))
    return cells


def _cell(value: str | None, number: int, block: str) -> Any:
    if value is None:
        return number
    if value == HOLE:
        return None
    return "#" if value == block else {"cell": number, "value": value.upper()}


def block_of(puzzle_type: PuzzleType, notation: str) -> str:
    """Return how the board of a type writes a block.

    Raises:
        InputError: The type has no such notation, or its board has no blocks.
    """
    names = links_of(puzzle_type).boards.get(notation)
    if names is None:
        raise InputError(f"{puzzle_type.name} has no {notation} in its section links")
    board = names["board"]
    field = puzzle_type.fields[board].type
    cell_type: object = field.item if isinstance(field, GridOf) else None
    alternatives = cell_type.items if isinstance(cell_type, Union) else [cell_type]
    for alternative in alternatives:
        if isinstance(alternative, Choice):
            return alternative.names[0]
    raise InputError(f"{puzzle_type.name} has no blocks: the field {board} is a {field}")


def imported(
    puzzle_type: PuzzleType, notation: str, rows: Rows, title: str, author: str
) -> ParsedPuzzle:
    """Return the puzzle of a board."""
    fields: dict[str, Any] = {"title": title.strip(), "source": author.strip()}
    fields = {key: text for key, text in fields.items() if text}
    board = links_of(puzzle_type).boards[notation]["board"]
    fields[board] = [_line(row) for row in rows]
    return ParsedPuzzle(puzzle_type.name, fields)


def _line(row: Sequence[str | None]) -> str:
    return " ".join(EMPTY if cell is None else cell for cell in row)


def rows_of(puzzle: Instance, notation: str) -> Rows:
    """Return the board of a puzzle.

    Raises:
        InputError: The type has no such notation, or the spec has more: a list, or a value of
            `--set`. The name of a lexicon is left out.
    """
    block_of(puzzle.type, notation)
    name = links_of(puzzle.type).boards[notation]["board"]
    assert puzzle.bound_from is not None
    _, spec, settings, *_ = puzzle.bound_from
    extra = set(settings or ())
    for field, (_, node) in spec.nodes.items():
        if not isinstance(node, ScalarNode):
            extra.add(field)
    extra.discard(name)
    if extra:
        raise InputError(
            f"{notation} has only the board, and this puzzle has the field {min(extra)}"
        )
    board: Grid = puzzle.data[name]
    return rows_over(board.values, HOLE)


def title_of(puzzle: Instance) -> str:
    """Return the title of a puzzle, or of its type."""
    assert puzzle.bound_from is not None
    text: Any = puzzle.bound_from[1].text("title")
    return str(text or puzzle.type.title)


def numbers(rows: Rows, block: str) -> dict[tuple[int, int], int]:
    """Return the number of each cell, by row and column from 0, where a word of two letters or more
    begins.

    Examples:
        >>> numbers([["#", None, None], [None, None, "#"]], "#")
        {(0, 1): 1, (1, 0): 2}
    """
    white = set()
    for row, values in enumerate(rows):
        for column, value in enumerate(values):
            if value not in (block, HOLE):
                white.add((row, column))
    word_numbers: dict[tuple[int, int], int] = {}
    for row, column in sorted(white):
        before = row, column - 1
        after = row, column + 1
        above = row - 1, column
        below = row + 1, column
        begins_across = after in white and before not in white
        begins_down = below in white and above not in white
        if begins_across or begins_down:
            word_numbers[row, column] = len(word_numbers) + 1
    return word_numbers
