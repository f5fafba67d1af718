"""Words on boards, side by side as there is room, and the same picture drawn by each pen."""

from xml.etree import ElementTree

import pytest

from puzzlekit.api import load
from puzzlekit.api.pictures import sections
from puzzlekit.boards import Cell, Grid, hexagons
from puzzlekit.libraries.words import Mark, Tile
from puzzlekit.libraries.words.library import LIBRARY
from puzzlekit.libraries.words.paths import tiles
from puzzlekit.render.html_page import HtmlDocument, page
from puzzlekit.render.layout import draw, folded, plain_text, text_lines
from puzzlekit.render.picture import board, rows
from puzzlekit.render.svg import drawing, inline
from puzzlekit.scene import (
    FULL,
    ClueCell,
    Fill,
    Group,
    Outside,
    PencilMarks,
    Scene,
    Table,
    Text,
    TextSpan,
)

LETTERS = Grid.of_rows(["ilk", "nvi", "uti"])
KIVI = Tile(tuple(map(Cell, (1, 2, 2, 3), (3, 3, 2, 3))), ("kivi",))
LINTU = Tile(tuple(map(Cell, (1, 1, 2, 3, 3), (2, 1, 1, 2, 1))), ("lintu", "tulin"))
SVG = "{http://www.w3.org/2000/svg}"


def shown(parts: list, wide: int = 80) -> list[str]:
    return [str(line) for line in draw(parts, False, wide)]


def test_a_small_board_for_each_word_and_all_paths_on_one() -> None:
    assert shown(tiles([KIVI, LINTU], LETTERS)) == [
        "   kivi        lintu / tulin",
        "   ·  ·  K     I  L  ·",
        "   ·  V  I     N  ·  ·",
        "   ·  ·  I     U  T  ·",
        "",
        "  I───L   K",
        "  │       │",
        "  N   V───I",
        "    ╲   ╲",
        "  U───T   I",
    ]


def test_boards_stand_side_by_side_as_there_is_room() -> None:
    narrow = shown(tiles([KIVI, LINTU], LETTERS), 25)
    assert narrow[0] == "   kivi" and narrow[5] == "   lintu / tulin"
    assert all(len(line) <= 25 for line in narrow)


def test_paths_that_cross_are_drawn_as_a_cross() -> None:
    square = Grid.of_rows(["ab", "cd"])
    crossing = [Tile((Cell(1, 1), Cell(2, 2)), ("ad",)), Tile((Cell(1, 2), Cell(2, 1)), ("bc",))]
    assert shown(tiles(crossing, square))[-3:] == ["  A   B", "    ╳", "  C   D"]


def test_rows_of_hexagons_lie_half_a_cell_aside() -> None:
    square = hexagons(Grid.of_rows(["ab", "cd"]))
    tile = Tile((Cell(1, 1), Cell(2, 1), Cell(1, 2), Cell(2, 2)), ("acbd",))
    assert shown(tiles([tile], square))[-3:] == ["  A   B", "   ╲ ╱ ╲", "    C   D"]


def test_large_boards_are_drawn_once_with_the_cells_of_each_word() -> None:
    wide = Grid.of_rows(["a" * 13])
    tile = Tile((Cell(1, 1), Cell(1, 2)), ("aa",))
    assert shown(tiles([tile], wide))[1:] == ["   aa  r1c1 r1c2"]
    assert shown(tiles([], LETTERS))[0] == "  I   L   K"


def test_words_with_marks_are_coloured_rows() -> None:
    LIBRARY.register()
    words = rows(["ab", "ß"], [(Mark.GREEN, Mark.GREY), (Mark.YELLOW,)])
    assert shown([words]) == ["  [A] B", "  (ß)"]


@pytest.mark.parametrize(
    "spec",
    [
        *(
            "sanalouhos/tiny",
            "sanalouhos/hexagons",
            "unwordle/first",
            "waffle/first",
            "slitherlink/tiny",
            "masyu/tiny",
        ),
        *("nonogram/tiny", "pentominoes/3x20", "cipher/small", "zebra/fish", "sudoku/first"),
        *(
            "kakuro/tiny",
            "killer/tiny",
            "star_battle/six",
            "hitori/tiny",
            "nurikabe/tiny",
            "queens/n8",
        ),
    ],
)
def test_every_kind_of_picture_is_sound_svg_and_a_sound_page(spec: str) -> None:
    puzzle = load(None, f"specs/{spec}.yaml")
    solution = next(puzzle.solve())
    parts = [part for _, drawn in sections(solution) for part in drawn]
    sheet = HtmlDocument("A title & more", "a <fact>", [parts], "the end")
    root = ElementTree.fromstring(drawing(sheet.title, sheet.parts()))
    said = "".join(root.itertext())
    html = page(sheet)
    body = ElementTree.fromstring(html[html.index("<body>") : html.index("</body>") + 7])
    for part in parts:
        for text in words_of(part):
            assert text in said and text in "".join(body.itertext())
    assert root.get("role") == "img" and "A title & more" in said
    assert all(svg.get("aria-label") for svg in body.iter("svg"))
    assert not [
        element for element in root.iter() if element.get("href") or element.tag == f"{SVG}image"
    ]
    assert (width := float(root.get("width", 0))) > 0
    for rect in root.iter(f"{SVG}rect"):
        assert rect.get("width") == "100%" or float(rect.get("width", 0)) <= width


def words_of(part: object) -> list[str]:
    """The texts of a picture that a pen must write."""
    if isinstance(part, Group):
        return [text for scene in part.scenes for text in words_of(scene)]
    if isinstance(part, Scene):
        layers = [layer for layer in part.layers if isinstance(layer, Text)]
        clues = [
            clue
            for layer in part.layers
            if isinstance(layer, Outside)
            for line in layer.clues
            for clue in line
        ]
        split = [
            clue
            for layer in part.layers
            if isinstance(layer, ClueCell)
            for pair in layer.clues.values()
            for clue in pair
        ]
        return [
            part.title.text,
            *(text for layer in layers for text in layer.texts.values()),
            *clues,
            *split,
        ]
    if isinstance(part, Table):
        return [
            *part.columns,
            *(text for heading, texts in part.rows for text in (heading, *texts)),
        ]
    return [spot.text.strip() for spot in part if isinstance(spot, TextSpan) and spot.text.strip()]


def test_the_path_of_a_word_is_a_line_between_its_letters() -> None:
    root = ElementTree.fromstring(drawing("", tiles([KIVI, LINTU], LETTERS)))
    lines = [
        element.get("d", "")
        for element in root.iter(f"{SVG}path")
        if element.get("class") == "walk dark"
    ]
    assert [line.count("M") for line in lines] == [3, 4]
    assert (
        lines[0] == "M102.0 36.4L102.0 50.0M90.0 62.0L74.0 62.0M70.5 70.5L93.5 93.5"
    )  # none crosses a letter
    assert (
        len(
            [
                element
                for element in root.iter(f"{SVG}circle")
                if element.get("class") == "walk dark"
            ]
        )
        == 2
    )


def test_a_cell_that_is_true_is_a_full_square() -> None:
    root = ElementTree.fromstring(drawing("", [board({Cell(1, 1): True, Cell(1, 2): False})]))
    assert [r.get("class") for r in root.iter(f"{SVG}rect")] == ["back", "full-found"]


def test_a_script_finds_what_belongs_to_a_cell() -> None:
    cells = ((1, 1), (1, 2), (2, 1))
    layers = (
        Fill(False, {(1, 1): "green", (2, 1): FULL}),
        Text(True, {(1, 1): "a"}),
        Text(True, {(1, 1): "b"}, corner=True),
    )
    scene = Scene(
        cells,
        (*layers, PencilMarks(True, {(2, 1): ("1", "2")}), ClueCell(True, {(1, 2): ("3", "4")})),
    )
    root = ElementTree.fromstring(inline(scene, "", by_cell=True))
    named = {
        f"r{r}c{c}": [e for e in root.iter() if e.get("data-cell") == f"r{r}c{c}"] for r, c in cells
    }
    assert {name: [e.text for e in own if e.tag == "text"] for name, own in named.items()} == {
        "r1c1": ["a", "b"],
        "r1c2": ["4", "3"],
        "r2c1": ["1", "2"],
    }
    assert {
        name: [e.get("class") for e in own if e.tag != "text"] for name, own in named.items()
    } == {
        "r1c1": ["cell green"],
        "r1c2": ["cell full-given"],
        "r2c1": ["cell", "full-found"],
    }
    assert "data-cell" not in inline(scene, "")


def test_cells_that_are_alike_are_one_path_unless_a_script_needs_them() -> None:
    scene = Scene(((1, 1), (1, 2)))
    for by_cell, names in ((False, [None]), (True, ["r1c1", "r1c2"])):
        root = ElementTree.fromstring(inline(scene, "", by_cell))
        assert [e.get("data-cell") for e in root.iter("path") if e.get("class") == "cell"] == names


def test_a_page_has_the_text_of_its_pictures() -> None:
    html = page(HtmlDocument("t", "", [tiles([KIVI], LETTERS), []], "end\nof it"))
    assert plain_text(text_lines(tiles([KIVI], LETTERS))) in html
    assert html.count("<h2>") == 2 and "<p>of it</p>" in html


def test_whatever_the_text_what_is_drawn_is_well_formed() -> None:
    """U+FFFE made an SVG that no parser takes."""
    ends = (
        code
        for plane in range(1, 17)
        for code in range(0x10000 * plane + 0xFF00, 0x10000 * plane + 0x10000)
    )
    every = [chr(code) for code in (*range(0x10000), *ends)]
    for start in range(0, len(every), 0x4000):
        text = "".join(every[start : start + 0x4000])
        board = Scene(((1, 1),), (Text(True, {(1, 1): text}), Outside(True, [(text,)], "top")))
        for drawn in (
            drawing(text, [[TextSpan(text, "green")], board, Group([board])]),
            inline(board, text),
        ):
            ElementTree.fromstring(drawn.encode("utf-8"))
    odd = "a\ufffeb\ud800c\x00d\x1be\x85f\U0010ffff"
    sheet = HtmlDocument(odd, odd, [[[TextSpan(odd)]]], odd)
    html = page(sheet).encode("utf-8").decode("utf-8")
    assert not any(char in html for char in "\ufffe\ud800\x00\x1b\x85\U0010ffff")
    assert html.count("a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf\ufffd") == 5


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ([TextSpan("same: red dog, tea")], ["same: red dog, tea"]),
        (
            [TextSpan("  same: red dog, green tea, "), TextSpan("blue", "green"), TextSpan(" fox")],
            ["  same: red dog, green ", "    tea, blue fox"],
        ),
        ([TextSpan("x" * 50)], ["x" * 22, "  " + "x" * 22, "  " + "x" * 6]),
        ([TextSpan("字" * 14)], ["字" * 11, "  " + "字" * 3]),
    ],
)
def test_long_lines_are_folded(line: list[TextSpan], lines: list[str]) -> None:
    assert plain_text(folded(line, 24)).split("\n") == [own.rstrip() for own in lines]


def test_a_long_line_does_not_widen_a_picture() -> None:
    svg = drawing("t", [[TextSpan("word " * 100)]])
    width = float(ElementTree.fromstring(svg).attrib["width"])
    assert width < 800 and svg.count("</text>") == 6
