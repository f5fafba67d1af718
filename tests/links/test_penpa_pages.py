"""Pages as authors and Penpa+ itself draw them: each is read as the puzzle that it was drawn from.

The drawings follow what Penpa+ makes of links of puzz.link, and what authors add by hand: titles,
frames, colours, circles, clues on any side, numbers that are not told, entered solutions.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

import puzzlekit
from puzzlekit import links
from puzzlekit.api import Puzzle
from puzzlekit.boards import Grid
from puzzlekit.errors import InputError
from tests.links.penpa_sheet import Sheet, Square
from tests.shipped import SPECS

Margin = tuple[int, int, int, int]
NONE: Margin = (0, 0, 0, 0)
Draw = Callable[[Sheet, Mapping[str, Any]], None]
WAYS = {"n": 0, "w": 1, "e": 2, "s": 3}  # the arrow behind a number


def values_of(board: Grid) -> dict[Square, Any]:
    return {(cell.row, cell.column): value for cell, value in board.values.items()}


def squares_with(board: Grid) -> dict[Square, Any]:
    return {square: value for square, value in values_of(board).items() if value is not None}


def numbers(
    field: str,
    style: int = 1,
    unknown: str = "?",
    mode: str = "1",
    unknowns: tuple[str, str] | None = None,
    text: Callable[[str], str] = str,
) -> Draw:
    """Draw the numbers of a board."""

    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        if data[field] is None:
            return
        for square, value in squares_with(data[field]).items():
            sign, replaced = unknowns or ("?", unknown)
            sheet.text(square, replaced if value == sign else text(str(value)), style, mode)

    return draw


def walls(field: str, style: int = 7) -> Draw:
    """Draw black cells, with white numbers in some."""

    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        for square, value in squares_with(data[field]).items():
            sheet.colour(square, 4)
            sheet.text(square, " " if value == "x" else str(value), style)

    return draw


def regions(field: str, style: int = 2) -> Draw:
    return lambda sheet, data: sheet.borders(values_of(data[field]), style)


def largest(row: int) -> Draw:
    """Write which numbers there are."""
    return lambda sheet, data: sheet.text((1 - row, 1), f"1-{data['highest']}", 1, "8")


def mines(sheet: Sheet, data: Mapping[str, Any]) -> None:
    if data["mines"] is not None:
        sheet.text((0, 1), f"Mines: {data['mines']}", 1, "8")


def letters_in_a_row(sheet: Sheet, data: Mapping[str, Any]) -> None:
    sheet.text((-1, 1), "".join(data["letters"]).upper(), 1, "8")


def labels(sheet: Sheet, data: Mapping[str, Any]) -> None:
    for column, name in enumerate(data["pieces"], 1):
        sheet.text((sheet.rows + 9, column), name)


def taken_out(sheet: Sheet, data: Mapping[str, Any]) -> None:
    """Take the holes out of the grid, and colour them."""
    for square in set(sheet.squares()) - set(values_of(data["regions"])):
        sheet.removed.add(square)
        sheet.colour(square, 4)


def str8ts(sheet: Sheet, data: Mapping[str, Any]) -> None:
    for square, value in squares_with(data["board"]).items():
        text = str(value)
        if text.endswith("x"):
            sheet.colour(square, 4)
        if text != "x":
            sheet.text(square, text.removesuffix("x"), 4 if text.endswith("x") else 1)


def kakuro_corner(sheet: Sheet, data: Mapping[str, Any]) -> None:
    """Colour the cells without a clue in another tone."""
    for square, value in squares_with(data["board"]).items():
        if not any(value):
            sheet.colour(square, 8)


def region_clues(board: str, field: str, quarter: int = 0) -> Draw:
    """Draw the clue of each region as a small text in its first cell."""

    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        firsts: dict[str, Square] = {}
        for square, label in sorted(values_of(data[board]).items()):
            firsts.setdefault(label, square)
        for label, clue in data[field].items():
            sheet.small(firsts[label], quarter, str(clue))

    return draw


def by_region(field: str) -> Draw:
    """Colour the regions, neighbours in two colours."""

    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        labels = values_of(data[field])
        neighbours: dict[str, set[str]] = {}
        for (row, column), label in labels.items():
            for square in ((row, column + 1), (row + 1, column)):
                neighbours.setdefault(label, set()).add(labels.get(square, label))
                neighbours.setdefault(labels.get(square, label), set()).add(label)
        tones: dict[str, int] = {}
        for label, adjacent in neighbours.items():
            used = {tones.get(name) for name in adjacent}
            tones[label] = next(tone for tone in (5, 6, 7, 9, 10, 11, 12) if tone not in used)
        for square, label in labels.items():
            sheet.colour(square, tones[label])

    return draw


def by_text(field: str) -> Draw:
    """Colour cells by their texts."""

    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        clues = squares_with(data[field])
        tones = {value: 5 + number for number, value in enumerate(sorted(set(clues.values())))}
        for square, value in clues.items():
            sheet.colour(square, tones[value])

    return draw


def chequered(size: int) -> Draw:
    """Colour every second box."""

    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        for row, column in sheet.squares():
            if ((row - 1) // size + (column - 1) // size) % 2:
                sheet.colour((row, column), 3)

    return draw


def unshaded(field: str, colour: int) -> Draw:
    """Colour the cells that have no clue."""

    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        for square in set(sheet.squares()) - set(squares_with(data[field])):
            sheet.colour(square, colour)

    return draw


def custom(field: str, colour: str) -> Draw:
    """Colour the cells with a clue in a colour that no style has."""

    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        for square in squares_with(data[field]):
            sheet.colour(square, 1)
            sheet.colours.setdefault("surface", {})[str(sheet.cell(square))] = colour

    return draw


def margins(colour: int) -> Draw:
    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        for line in range(1, sheet.rows + 1):
            sheet.colour((line, 0), colour)
        for line in range(sheet.columns + 1):
            sheet.colour((0, line), colour)

    return draw


def in_the_grid(sheet: Sheet, data: Mapping[str, Any]) -> None:
    """Let the margins be cells of the grid, with a frame around the board."""
    sheet.whole_grid = True
    sheet.frame((1, 1), (sheet.rows, sheet.columns))


def framed_twice(sheet: Sheet, data: Mapping[str, Any]) -> None:
    sheet.frame((1, 1), (sheet.rows, sheet.columns), 2)
    sheet.frame((1, 1), (sheet.rows, sheet.columns), 21)


def above(text: str, row: int = 1) -> Draw:
    """Write a text above the board."""
    return lambda sheet, data: sheet.text((1 - row, 1), text, 1, "8")


def small_outside(side: str, field: str, quarter: int) -> Draw:
    """Draw clues in half of a cell, as those of kakuro."""

    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        for line, clue in enumerate(data[field], 1):
            sheet.symbol(outer(sheet, side, line), "kakuro", 1)
            if clue is not None:
                sheet.small(outer(sheet, side, line), quarter, str(clue), 4)

    return draw


def numbers_on(field: str, name: str, style: int) -> Draw:
    """Draw numbers on symbols; one that is not told as the symbol alone."""

    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        for square, value in squares_with(data[field]).items():
            sheet.symbol(square, name, style)
            if value != "?":
                sheet.text(square, str(value), 4 if style == 2 else 1)

    return draw


def squares(field: str) -> Draw:
    """Draw walls as black squares."""

    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        for square, value in squares_with(data[field]).items():
            sheet.symbol(square, "square_LL", 2)
            if value != "x":
                sheet.text(square, str(value), 4)

    return draw


def edge_arrows(field: str) -> Draw:
    """Draw numbers in grey cells, with arrows at their edges."""
    number_of = {"e": 6, "n": 5, "s": 7, "w": 4}

    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        for square, value in squares_with(data[field]).items():
            sheet.colour(square, 3)
            if value[-1] in number_of:
                parts = [int(part == number_of[value[-1]]) for part in range(8)]
                sheet.symbol(square, "arrow_fouredge_B", parts, 2)
                sheet.text(square, value[:-1])

    return draw


def long_lines(field: str) -> Draw:
    """Draw borders as free lines, as long as they go."""

    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        labels = values_of(data[field])
        for row in range(1, sheet.rows):
            first = None
            for column in range(1, sheet.columns + 2):
                is_border = labels.get((row, column)) != labels.get((row + 1, column))
                if is_border and first is None:
                    first = column
                if not is_border and first is not None:
                    ends = sheet.corner((row, first - 1)), sheet.corner((row, column - 1))
                    sheet.add("freelineE", f"{ends[0]},{ends[1]}", 2)
                    first = None
        for row, column in labels:
            if labels.get((row, column + 1), labels[row, column]) != labels[row, column]:
                sheet.edge((row, column), "right")

    return draw


def pieces(sheet: Sheet, data: Mapping[str, Any]) -> None:
    """Draw pieces below the board."""
    left = 1
    for shape in data["pieces"].values():
        for row, column in shape:
            sheet.colour((sheet.rows + 2 + row, left + column), 3)
        left += 2 + max(column for _, column in shape)


def inequalities(sheet: Sheet, data: Mapping[str, Any]) -> None:
    for first, sign, second in data["signs"]:
        a, b = sorted([(first.row, first.column), (second.row, second.column)])
        less = (sign == "<") == ((first.row, first.column) == a)
        across = a[0] == b[0]
        style = (1 if less else 3) if across else (2 if less else 4)
        point = sheet.right(a) if across else sheet.below(a)
        sheet.add("symbol", point, [style, "inequality", 2])


def kakuro_of_colours(sheet: Sheet, data: Mapping[str, Any]) -> None:
    """Draw black cells, with small white clues."""
    for square, value in squares_with(data["board"]).items():
        sheet.colour(square, 4)
        for quarter, clue in ((2, value[0]), (1, value[1])):
            if clue is not None:
                sheet.small(square, quarter, str(clue), 4)


def star_at(square: Square) -> Draw:
    return lambda sheet, data: sheet.symbol(square, "star", 2, 2)


def given_stars(sheet: Sheet, data: Mapping[str, Any]) -> None:
    for square, value in squares_with(data["given"]).items():
        sheet.symbol(square, "star", 2 if value == "*" else 0)


def corner_clues(field: str) -> Draw:
    """Draw the clues of regions as small texts."""

    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        for square, value in squares_with(data[field]).items():
            sheet.small(square, 0, str(value))

    return draw


def signs(field: str, symbols: Mapping[str, tuple[str, object]], digits: bool = False) -> Draw:
    """Draw a symbol, of a name and a style, for each value; perhaps digits for the others."""

    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        for square, value in squares_with(data[field]).items():
            if digits and str(value) not in symbols:
                sheet.text(square, str(value))
            else:
                name, style = symbols[str(value)]
                sheet.symbol(square, name, style)

    return draw


CIRCLES: dict[str, tuple[str, object]] = {"w": ("circle_L", 1), "b": ("circle_L", 2)}


def holes(colour: int, boxed: bool = False) -> Draw:
    """Colour the cells that the board does not have."""

    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        board = next(value for value in data.values() if isinstance(value, Grid))
        for square in set(sheet.squares()) - set(values_of(board)):
            sheet.colour(square, colour)
            if boxed:
                sheet.box(square)

    return draw


def outside(
    side: str, field: str, style: int = 1, text: Callable[[Any], str] = str, first: int = 1
) -> Draw:
    """Draw a clue of each line, or several, the nearest last above and on the left."""

    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        for line, clue in enumerate(data[field] or (), 1):
            clues = clue if isinstance(clue, tuple | list) else [clue]
            for number, value in enumerate(clues):
                if value is not None:
                    depth = len(clues) - number if side in ("above", "left") else number + 1
                    depth += first - 1
                    sheet.text(outer(sheet, side, line, depth), text(value), style)

    return draw


def outer(sheet: Sheet, side: str, line: int, depth: int = 1) -> Square:
    """Return a square in the margin of a row or column."""
    return {
        "above": (1 - depth, line),
        "below": (sheet.rows + depth, line),
        "left": (line, 1 - depth),
        "right": (line, sheet.columns + depth),
    }[side]


def counted(*sides: str, style: int = 1) -> Draw:
    """Number the rows or columns on these sides."""

    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        for side in sides:
            for line in range(1, (sheet.rows if side in ("left", "right") else sheet.columns) + 1):
                sheet.text(outer(sheet, side, line), str(line), style)

    return draw


def arrows(field: str, shading: int | None) -> Draw:
    """Draw numbers with arrows behind them."""

    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        for square, value in squares_with(data[field]).items():
            if shading is not None:
                sheet.colour(square, shading)
                sheet.box(square)
            way = WAYS.get(value[-1])
            text = "" if value == "x" else value if way is None else f"{value[:-1]}_{way}"
            sheet.text(square, text, 1, "2")

    return draw


def boxes(high: int, wide: int) -> Draw:
    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        labels = {(r, c): ((r - 1) // high, (c - 1) // wide) for r, c in sheet.squares()}
        sheet.borders(labels)
        sheet.frame((1, 1), (sheet.rows, sheet.columns))

    return draw


def kakuro(sheet: Sheet, data: Mapping[str, Any]) -> None:
    for square, value in squares_with(data["board"]).items():
        sheet.symbol(square, "kakuro", 1 if any(value) else 2, 2)
        for quarter, clue in ((2, value[0]), (1, value[1])):
            if clue is not None:
                sheet.small(square, quarter, str(clue), 4)


def castle_wall(sheet: Sheet, data: Mapping[str, Any]) -> None:
    numbers, arrows = squares_with(data["numbers"]), squares_with(data["arrows"])
    for square, colour in squares_with(data["colours"]).items():
        if colour != "w":
            sheet.colour(square, {"g": 3, "b": 4}[colour])
        sheet.box(square)
        number = numbers.get(square, "")
        text = f"{number}_{WAYS[arrows[square]]}" if square in arrows else str(number)
        sheet.text(square, text, 7 if colour == "b" else 1, "2")


def galaxies(sheet: Sheet, data: Mapping[str, Any]) -> None:
    for square, value in squares_with(data["circles"]).items():
        point = {"o": sheet.cell, ">": sheet.right, "v": sheet.below, "x": sheet.corner}[value]
        sheet.add("symbol", point(square), [1, "circle_SS", 2])


def corner_numbers(field: str, first: int) -> Draw:
    """Draw circled numbers at corners of cells."""

    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        for (row, column), value in squares_with(data[field]).items():
            corner = sheet.corner((row - first, column - first))
            sheet.add("number", corner, [str(value), 6, "1"])

    return draw


def edge_lines(every: int, style: int) -> Draw:
    """Draw lines across the board."""

    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        for row, column in sheet.squares():
            if column % every == 0 and column < sheet.columns:
                sheet.edge((row, column), "right", style)
            if row % every == 0 and row < sheet.rows:
                sheet.edge((row, column), "below", style)
        sheet.frame((1, 1), (sheet.rows, sheet.columns))

    return draw


def killer(sheet: Sheet, data: Mapping[str, Any]) -> None:
    cages: dict[str, list[Square]] = {}
    for square, label in sorted(squares_with(data["cages"]).items()):
        cages.setdefault(label, []).append(square)
    for label, squares in cages.items():
        sheet.group("killercages", squares)
        if label in data["sums"]:
            sheet.small(squares[0], 0, str(data["sums"][label]))


def letters(sheet: Sheet, data: Mapping[str, Any]) -> None:
    """Write which letters there are."""
    last = str(data["letters"][-1]).upper()
    sheet.text((-1, sheet.columns), f"(A-{last})", 1, "8")


def balance(sheet: Sheet, data: Mapping[str, Any]) -> None:
    """Draw a number, or a blank, in each circle."""
    for square, colour in squares_with(data["circles"]).items():
        number = data["sums"].values.get(square)
        sheet.text(square, number or " ", 4 if colour == "b" else 1)


def shaded(field: str, colour: int = 4) -> Draw:
    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        for square in squares_with(data[field]):
            sheet.colour(square, colour)

    return draw


def stars(sheet: Sheet, data: Mapping[str, Any]) -> None:
    sheet.text((0, sheet.columns - 1), str(data["stars"]))
    sheet.symbol((0, sheet.columns), "star", 2, 2)


def entered(section: str, mark: object) -> Draw:
    """Enter a solution into the layer of the solver."""

    def draw(sheet: Sheet, data: Mapping[str, Any]) -> None:
        sheet.solution[section] = {str(sheet.cell(square)): mark for square in sheet.squares()[::2]}

    return draw


def titled(sheet: Sheet, data: Mapping[str, Any]) -> None:
    sheet.title, sheet.author = "A board, with a comma", "Somebody"
    sheet.rules = "Solve it.\nBe kind & = fair."


def tagged(*tags: str) -> Draw:
    return lambda sheet, data: sheet.tags.extend(tags)


ALL = (1, 1, 1, 1)
TOP_LEFT = (1, 0, 1, 0)
SYMBOLS: dict[str, dict[str, tuple[str, object]]] = {
    "circles": {"w": ("circle_L", 1), "b": ("circle_L", 2)},
    "middle": {"w": ("circle_M", 1), "b": ("circle_M", 2)},
    "moons": {"m": ("sun_moon", 2), "s": ("sun_moon", 1)},
    "ox": {"c": ("ox_B", 1), "t": ("ox_B", 2), "s": ("ox_B", 3)},
    "ends": {"x": ("circle_L", 2), "o": ("circle_L", 1)},
    "dango": {"o": ("circle_M", 4)},
    "tatami": {"+": ("line", 5), "-": ("line", 1), "|": ("line", 2)},
    "trees": {"T": ("tents", 1)},
    "ships": {
        "x": ("battleship_B", 7), "o": ("battleship_B", 1), "m": ("battleship_B", 2),
        "w": ("battleship_B", 3), "n": ("battleship_B", 4), "e": ("battleship_B", 5),
        "s": ("battleship_B", 6),
    },
}  # fmt: skip
AROUND = [
    outside(side, field)
    for side, field in (("above", "top"), ("below", "bottom"), ("left", "left"), ("right", "right"))
]
CAPITALS = [
    outside(side, field, text=str.upper)
    for side, field in (("above", "top"), ("below", "bottom"), ("left", "left"), ("right", "right"))
]
LINES = [outside("above", "columns"), outside("left", "rows")]
CORNERED = ("detour", "factors", "juosan", "regional_yajilin")
ROOMS = ("heyawake", "chocona", "aqre", "cocktail_lamp", "shimaguni", "country_road", *CORNERED)
BOARDS = {"country_road": "countries", "heyawake": "rooms"}
IN_ROOMS = ("nanro", "hanare_gumi", "kojun", "ripple_effect", "suguru", "putteria")


def imported() -> Iterator[tuple[str, Margin, list[Draw]]]:
    """Yield pages as Penpa+ draws them of links: the spec, the margins, and what is drawn."""
    for spec in ("akari/first", "shakashaka/first"):
        yield spec, NONE, [walls("walls")]
    for name in IN_ROOMS:
        draws = [regions("regions"), numbers("givens", unknown=" "), holes(4)]
        yield f"{name}/first", NONE, draws
    yield "nanro/untold", NONE, [regions("regions"), numbers("givens", unknown=" ")]
    yield "usoone/untold", NONE, [regions("regions"), numbers("clues")]
    yield "paint_area/first", NONE, [regions("areas"), numbers("clues")]
    for name in ROOMS:
        draw = corner_clues("clues") if name in CORNERED else numbers("clues")
        if name == "factors":
            draw = region_clues("regions", "products")
        spec = f"{name}/{'six' if name == 'juosan' else 'first'}"
        yield spec, NONE, [regions(BOARDS.get(name, "regions")), draw]
    for spec, field in CIRCLED.items():
        yield spec, NONE, [numbers(field, 6, " ")]
    for spec, field in PLAIN.items():
        yield spec, NONE, [numbers(field)]
    yield "shikaku/unknown", NONE, [numbers("clues", 7, " ")]
    yield "tapa/first", NONE, [numbers("clues", mode="4")]
    for spec, field, name in SIGNED:
        draws = [signs(field, SYMBOLS[name])]
        if name in ("moons", "ox", "dango") or spec.startswith("dotchi"):
            draws.append(regions("regions"))
        yield spec, NONE, draws
    yield "balance_loop/first", NONE, [signs("circles", SYMBOLS["circles"]), balance]
    yield "spiral_galaxies/first", NONE, [galaxies]
    yield "castle_wall/small", NONE, [castle_wall]
    yield "yajilin/unknown", NONE, [arrows("clues", None)]
    yield "yajilin/first", NONE, [arrows("clues", 3)]
    yield "simple_loop/first", NONE, [shaded("walls")]
    yield "double_back/first", NONE, [regions("regions"), holes(4)]
    yield "bosanowa/first", NONE, [numbers("givens"), holes(4)]
    yield "nawabari/untold", NONE, [numbers("clues"), holes(3, boxed=True)]
    yield "fivecells/first", NONE, [numbers("clues"), holes(3, boxed=True)]
    yield "slant/first", ALL, [corner_numbers("clues", 1)]
    yield "creek/first", ALL, [corner_numbers("corners", 1)]
    yield "kakuro/6x6", NONE, [kakuro]
    yield "lits/first", NONE, [regions("regions")]
    yield "norinori/first", NONE, [regions("regions")]
    yield "star_battle/two_stars", ALL, [regions("regions"), stars]
    yield "sudoku/first", NONE, [boxes(3, 3), numbers("givens")]
    yield "skyscrapers/first", ALL, [*AROUND, numbers("givens")]
    yield "abc_end_view/first", (2, 1, 1, 1), [*CAPITALS, letters]
    yield "tents/first", TOP_LEFT, [*LINES, signs("trees", SYMBOLS["trees"])]
    yield "snake/ends", TOP_LEFT, [*LINES, signs("ends", SYMBOLS["ends"])]
    yield "battleships/first", TOP_LEFT, [*LINES, signs("given", SYMBOLS["ships"])]
    yield "aquarium/first", TOP_LEFT, [*LINES, regions("tanks")]
    yield "doppelblock/givens", TOP_LEFT, [*LINES, numbers("givens")]
    yield "kakurasu/tiny", ALL, [*LINES, counted("below", "right", style=6)]
    yield "nonogram/small", (5, 0, 5, 0), [*LINES, edge_lines(5, 13)]
    yield "coral/first", (5, 0, 5, 0), [*LINES, edge_lines(5, 13)]


CIRCLED = {
    "kuromasu/unknown": "clues",
    "kurotto/first": "circles",
    "nurimisaki/first": "capes",
    "araf/untold": "clues",
    "geradeweg/unknown": "clues",
    "hashi/unknown": "islands",
}
PLAIN = {
    "nurikabe/unknown": "clues",
    "kuroshuto/unknown": "clues",
    "slitherlink/unknown": "clues",
    "koburin/unknown": "clues",
    "fillomino/small": "clues",
    "cave/first": "clues",
    "numberlink/untold": "numbers",
    "hitori/small": "numbers",
    "sukoro/untold": "givens",
    "minesweeper/unknown": "clues",
    "canal_view/unknown": "clues",
    "choco_banana/first": "clues",
}
SIGNED = [
    ("masyu/small", "pearls", "circles"),
    ("wblink/first", "circles", "circles"),
    ("moon_or_sun/first", "signs", "moons"),
    ("dotchi_loop/first", "circles", "circles"),
    ("statue_park/first", "clues", "middle"),
    ("yin_yang/first", "stones", "middle"),
    ("hakoiri_masashi/first", "givens", "ox"),
    ("nondango/first", "circles", "dango"),
    ("tatamibari/first", "signs", "tatami"),
]


def drawn_by_hand() -> Iterator[tuple[str, str, Margin, list[Draw]]]:
    """Yield pages with what authors add: a name, the spec, the margins, and what is drawn."""
    yield (
        "the range of numbers",
        "kenken/first",
        TOP_LEFT,
        [regions("cages"), region_clues("cages", "clues"), above("{1-6}")],
    )
    yield "cages with sums", "killer/6x6", NONE, [killer, boxes(2, 3), numbers("givens")]
    small = [small_outside("above", "columns", 2), small_outside("left", "rows", 1)]
    yield "clues in half of a cell", "tilepaint/first", TOP_LEFT, [*small, regions("tiles")]
    sums = [outside("above", "columns"), outside("left", "rows")]
    yield "sums before the board", "kakurasu/first", ALL, sums
    yield "sums and numbers", "kakurasu/first", ALL, [*sums, counted("below", "right")]
    after = [outside("below", "columns"), outside("right", "rows")]
    yield (
        "sums behind the board",
        "kakurasu/first",
        ALL,
        [*after, counted("above", "left", style=6)],
    )
    beyond = [outside("above", "columns", first=2), outside("left", "rows", first=2)]
    yield "sums beyond numbers", "kakurasu/first", (2, 0, 2, 0), [*beyond, counted("above", "left")]
    runs = [outside("below", "columns"), outside("right", "rows")]
    yield "runs behind the board", "nonogram/tiny", (0, 5, 0, 5), runs
    ruled = [*LINES, edge_lines(5, 2), edge_lines(5, 12)]
    yield "a thick ruling", "nonogram/small", (5, 0, 5, 0), ruled[:-1]
    under = numbers_on("clues", "circle_L", 2)
    yield "circles without a number", "shikaku/unknown", NONE, [under]
    yield "circles of walls", "shakashaka/first", NONE, [numbers("walls", 7, unknowns=("x", " "))]
    yield "stars entered", "star_battle/six", ALL, [regions("regions"), stars, star_at((2, 1))]
    yield "given stars", "star_battle/given", NONE, [regions("regions"), given_stars]
    counts = [regions("regions"), region_clues("regions", "counts"), numbers("givens")]
    yield "small numbers of regions", "nanro/counts", NONE, counts
    yield "coloured boxes", "sudoku/first", NONE, [boxes(3, 3), numbers("givens"), chequered(3)]
    yield "coloured pairs", "numberlink/first", NONE, [numbers("numbers"), by_text("numbers")]
    yield "coloured regions", "lits/first", NONE, [regions("regions"), by_region("regions")]
    yield "coloured rooms", "heyawake/first", NONE, [*ROOM, by_region("rooms")]
    yield "a title above", "slitherlink/small", ALL, [numbers("clues"), titled, above(TITLE)]
    size = "{1-4}"
    yield "numbers of towers", "skyscrapers/tiny", (2, 1, 1, 1), [*AROUND, above(size, 2)]
    framed = [*LINES, signs("trees", SYMBOLS["trees"])]
    yield "clues in cells of the grid", "tents/first", TOP_LEFT, [*framed, in_the_grid]
    yield "an entered loop", "masyu/small", NONE, [PEARLS, entered("line", 3)]
    yield "black squares", "akari/first", NONE, [squares("walls")]
    yield "numbers in circles", "nurikabe/unknown", NONE, [numbers("clues", 6, " ")]
    yield "grey cells with arrows", "yajilin/first", NONE, [edge_arrows("clues")]
    yield "grey clue cells", "fillomino/small", NONE, [numbers("clues"), shaded("clues", 3)]
    yield "grey free cells", "fillomino/small", NONE, [numbers("clues"), unshaded("clues", 3)]
    yield "a chessboard", "hitori/small", NONE, [numbers("numbers"), chequered(1)]
    yield "coloured margins", "tents/first", TOP_LEFT, [*framed, margins(8)]
    thin = [regions("regions", 8), stars]
    yield "regions in red lines", "star_battle/six", ALL, thin
    yield "long lines", "aqre/first", NONE, [long_lines("regions"), numbers("clues")]
    bank = [signs("clues", SYMBOLS["middle"]), pieces]
    yield "pieces beside the board", "statue_park/first", (0, 12, 0, 12), bank
    yield "digits of a colour", "binairo/first", NONE, [numbers("givens", 4)]
    yield "inequalities", "futoshiki/first", NONE, [numbers("givens"), inequalities]
    yield "corner numbers and colours", "juosan/six", NONE, [*JUOSAN, by_region("regions")]
    yield "a wall of colours", "kakuro/6x6", NONE, [kakuro_of_colours]
    yield "clues of mines", "minesweeper/unknown", NONE, [numbers("clues"), shaded("clues", 8)]
    yield "circles and numbers", "hashi/small", NONE, [numbers_on("islands", "circle_L", 1)]
    colours = [numbers("clues"), custom("clues", "#ffe0b2")]
    yield "a colour of its own", "kuromasu/first", NONE, colours
    yield "an answer beside", "hitori/tiny", NONE, [numbers("numbers"), entered("surface", 1)]
    yield "a double frame", "cave/first", NONE, [numbers("clues"), framed_twice]
    yield "text of another size", "kuroshuto/first", NONE, [numbers("clues", mode="6")]
    apart = numbers("clues", text=" ".join)
    yield "counts with blanks between", "tapa/first", NONE, [apart]
    yield "numbers of black cells", "str8ts/first", NONE, [str8ts]
    highest = [numbers("givens"), largest(1)]
    yield "the greatest number", "fuzuli/first", (1, 0, 0, 0), highest
    balls = [largest(1), signs("givens", {"o": ("circle_L", 1), "x": ("ox_B", 4)}, digits=True)]
    yield "balls and crosses", "number_ball/first", (1, 0, 0, 0), balls
    yield "parks", "skyscrapers/parks", (2, 1, 1, 1), [*AROUND, numbers("givens"), largest(2)]
    yield "the number of mines", "minesweeper/first", (1, 0, 0, 0), [numbers("clues"), mines]
    quarters = [regions("regions"), region_clues("regions", "counts", 1), numbers("givens")]
    yield "small numbers on the right", "nanro/counts", NONE, quarters
    yield "two tones of a wall", "kakuro/6x6", NONE, [kakuro_of_colours, kakuro_corner]
    labelled = [signs("clues", SYMBOLS["middle"]), pieces, labels]
    yield "names of pieces", "statue_park/first", (0, 12, 0, 12), labelled
    yield "cells taken out and coloured", "double_back/first", NONE, [regions("regions"), taken_out]
    yield "letters in a row", "abc_end_view/first", (2, 1, 1, 1), [*CAPITALS, letters_in_a_row]
    yield "cells taken out", "tents/tiny", TOP_LEFT, [*framed, titled, tagged("tents")]


TITLE = "A board, with a comma"
ROOM = [regions("rooms"), numbers("clues")]
PEARLS = signs("pearls", SYMBOLS["circles"])
JUOSAN = [regions("regions"), corner_clues("clues")]
IMPORTED = {spec: (margin, draws) for spec, margin, draws in imported()}
BY_HAND = {name: (spec, margin, draws) for name, spec, margin, draws in drawn_by_hand()}


def sheet_of(puzzle: Puzzle, margin: Margin, draws: Sequence[Draw]) -> Sheet:
    data = dict(puzzle.instance.data)
    boards = [value for value in data.values() if isinstance(value, Grid)]
    if boards:
        rows, columns = map(max, zip(*((cell.row, cell.column) for cell in boards[0].cells)))
    else:
        sides = [data.get(name) for name in ("rows", "columns", "left", "top")]
        lengths = [len(side) for side in sides if side is not None]
        rows, columns = lengths[0], lengths[-1]
    if puzzle.type.name == "creek":
        rows, columns = rows - 1, columns - 1
    if puzzle.type.name == "slant":
        rows, columns = rows - 1, columns - 1
    sheet = Sheet(rows, columns, margin)
    for draw in draws:
        draw(sheet, data)
    return sheet


NOT_SHOWN = {  # the fields that a page does not show
    "given stars": {"stars": "1"},
    "battleships/first": {"fleet": "{4: 1, 3: 2, 2: 3, 1: 4}"},
}


def without_names(value: Any) -> Any:
    """Return the shapes of a mapping of pieces, without their names; any other value as it is."""
    is_pieces = isinstance(value, Mapping) and all("#" in str(shape) for shape in value.values())
    return sorted(map(str, value.values())) if is_pieces and value else value


def is_same(puzzle: Puzzle, again: Puzzle) -> bool:
    """Return whether two puzzles have the same fields, or the same solutions."""
    fields = [
        {name: without_names(value) for name, value in each.items()} for each in (puzzle, again)
    ]
    if fields[0] == fields[1]:
        return True
    solutions = [[dict(solution) for solution in each.solve(limit=2)] for each in (puzzle, again)]
    return solutions[0] == solutions[1] != []


@pytest.mark.parametrize("name", BY_HAND)
def test_pages_of_authors_are_read(name: str) -> None:
    spec, margin, draws = BY_HAND[name]
    puzzle = puzzlekit.load(None, SPECS[spec])
    link = sheet_of(puzzle, margin, draws).link()
    again = puzzlekit.load(puzzle.type.name, link, settings=NOT_SHOWN.get(name))
    assert is_same(puzzle, again)


@pytest.mark.parametrize("spec", IMPORTED)
def test_pages_of_penpa_are_read(spec: str) -> None:
    puzzle = puzzlekit.load(None, SPECS[spec])
    margin, draws = IMPORTED[spec]
    link = sheet_of(puzzle, margin, draws).link()
    again = puzzlekit.load(puzzle.type.name, link, settings=NOT_SHOWN.get(spec))
    assert is_same(puzzle, again)


def test_so_many_pages_are_drawn() -> None:
    specs = [*IMPORTED, *(spec for spec, _, _ in BY_HAND.values())]
    assert len(specs) >= 115
    assert len({spec.split("/")[0] for spec in specs}) >= 75


CLUES = numbers("clues")


def mark(section: str, square: Square, value: object) -> Draw:
    return lambda sheet, data: sheet.add(section, sheet.cell(square), value)


def group(section: str, *squares: Square) -> Draw:
    return lambda sheet, data: sheet.group(section, squares)


REFUSED: dict[str, tuple[str, Margin, list[Draw], str]] = {
    "another range of numbers": (
        "kenken/first",
        TOP_LEFT,
        [regions("cages"), region_clues("cages", "clues"), above("{1-9}")],
        "text '{1-9}' at r0c1",
    ),
    "a coloured cell": ("slitherlink/small", NONE, [CLUES, mark("surface", (2, 3), 5)], "colour 5"),
    "a colour of its own": (
        "kuromasu/first",
        NONE,
        [CLUES, custom("clues", "#ffe0b2"), mark("surface", (1, 2), 7)],
        "colour 7 at r1c2",
    ),
    "a wall": (
        "nurikabe/unknown",
        NONE,
        [CLUES, lambda sheet, data: sheet.edge((2, 2), "right")],
        "thick line between r2c2 and r2c3",
    ),
    "an arrow": ("slitherlink/small", NONE, [CLUES, group("arrows", (1, 1), (1, 2))], "arrow at"),
    "a thermometer": (
        "hitori/small",
        NONE,
        [numbers("numbers"), group("thermo", (1, 1), (2, 1))],
        "thermometer",
    ),
    "a letter": ("nurikabe/unknown", NONE, [CLUES, mark("number", (1, 1), ["A", 1, "1"])], "'A'"),
    "a star among pearls": (
        "masyu/small",
        NONE,
        [PEARLS, mark("symbol", (1, 1), [2, "star", 1])],
        "star 2",
    ),
    "circles of two sizes": (
        "masyu/small",
        NONE,
        [PEARLS, mark("symbol", (1, 1), [1, "circle_SS", 1])],
        "circle_SS 1 at r1c1",
    ),
    "a number outside": (
        "slitherlink/small",
        ALL,
        [CLUES, mark("number", (0, 1), ["3", 1, "1"])],
        "'3'",
    ),
    "a clue of a column": (
        "minesweeper/first",
        ALL,
        [CLUES, mark("number", (0, 2), ["3", 1, "1"])],
        "text '3' at r0c2",
    ),
    "a rule about the number of stars": (
        "star_battle/six",
        ALL,
        [regions("regions"), above("2 per row, 1 per column")],
        "2 per row",
    ),
    "numbers of another side": (
        "kakurasu/first",
        ALL,
        [*LINES, outside("below", "columns"), outside("right", "rows")],
        "text",
    ),
    "a cage": ("slitherlink/small", NONE, [CLUES, group("killercages", (1, 1), (1, 2))], "cage at"),
    "a line": (
        "masyu/small",
        NONE,
        [
            PEARLS,
            entered("line", 3),
            lambda sheet, data: sheet.add("line", f"{sheet.cell((1, 1))},{sheet.cell((1, 2))}", 3),
        ],
        "line at",
    ),
    "a free line": (
        "cave/first",
        NONE,
        [
            CLUES,
            lambda sheet, data: sheet.add(
                "freeline", f"{sheet.cell((1, 1))},{sheet.cell((3, 2))}", 3
            ),
        ],
        "freeline",
    ),
    "hexagons": (
        "cave/first",
        NONE,
        [CLUES, lambda sheet, data: setattr(sheet, "grid", "hex")],
        "the grid is 'hex'",
    ),
    "two genres": (
        "cave/first",
        NONE,
        [CLUES, tagged("cave", "kuromasu")],
        "does not say the type",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_pages_of_another_puzzle_are_refused_in_one_line(name: str) -> None:
    spec, margin, draws, message = REFUSED[name]
    puzzle = puzzlekit.load(None, SPECS[spec])
    link = sheet_of(puzzle, margin, draws).link()
    type_name = None if name == "two genres" else puzzle.type.name
    with pytest.raises(InputError) as caught:
        puzzlekit.load(type_name, link)
    first, *_ = str(caught.value).splitlines()
    assert message in first


GENRES = {
    "starbattle": "star_battle",
    "slant (gokigen)": "slant",
    "hashiwokakero (hashi/bridges)": "hashi",
    "territory (nawabari)": "nawabari",
    "shimaguni (islands)": "shimaguni",
    "castlewall": "castle_wall",
    "balanceloop": "balance_loop",
    "spiralgalaxies": "spiral_galaxies",
    "kurochute": "kuroshuto",
    "box": "kakurasu",
    "easy as abc": "abc_end_view",
    "moon or sun": "moon_or_sun",
    "shirokuro-link": "wblink",
    "cojun": "kojun",
    "battleship": "battleships",
    "statuepark": "statue_park",
}


@pytest.mark.parametrize("genre", GENRES)
def test_a_genre_of_penpa_names_the_type(genre: str) -> None:
    sheet = Sheet(2, 2)
    sheet.tags = ["wordpuzzle", genre]
    with pytest.raises(InputError) as caught:
        links.read(sheet.link())
    assert f"the link shows nothing that {GENRES[genre]} has" in str(caught.value)
