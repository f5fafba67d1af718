"""Links of Penpa+: what others draw is read, and what is written is read back."""

import base64
import json
import random
import zlib
from collections.abc import Mapping
from typing import Any

import pytest

import puzzlekit
from puzzlekit import links
from puzzlekit.api import Puzzle
from puzzlekit.boards import Grid
from puzzlekit.errors import InputError
from puzzlekit.lang import read_type
from puzzlekit.links import penpa
from puzzlekit.links.penpa_format import Page, PointNumbers, data_of, page_of
from tests.shipped import ROOT, SMALLEST, SPECS

NOT_ON_A_BOARD = {
    "cryptogram",
    "polyforms",
    "swaps",
    "zebra",
}  # no board, several boards, or no squares


def link(page: Page) -> str:
    return f"{penpa.SITE}#m=edit&p={data_of(page)}"


def page(
    rows: int, columns: int, problem: Mapping[str, Any], top: int = 0, left: int = 0, **others: Any
) -> Page:
    """A page as others draw it: points are counted as the format says,
    `top` rows and `left` columns are margins.
    """
    across = columns + left + 4
    cells = [across * (2 + top + r) + 2 + left + c for r in range(rows) for c in range(columns)]
    return Page(columns + left, rows + top, cells, problem, margins=(top, 0, left, 0), **others)


def read(kind: str, page: Page) -> Mapping[str, Any]:
    (found,) = links.read(link(page), read_type(ROOT / f"puzzles/{kind}.yaml"))
    return found.fields


def test_points_are_numbered_as_the_format_says() -> None:
    points = PointNumbers(6, 5)
    assert (points.across, points.of_cell((1, 1))) == (10, 22)
    # the corners of the first cell, and its lower and its right side
    assert points.of_point((1, 1)) == points.size + 22 - 10 - 1
    assert points.of_point((3, 3)) == points.size + 22
    assert points.of_point((3, 2)) == 2 * points.size + 22
    assert points.of_point((2, 3)) == 3 * points.size + 22
    assert points.of_quarter((1, 1), 3) == 4 * points.size + 4 * 22 + 3
    assert all(
        points.point(points.of_point(point)) == point for point in [(2, 2), (1, 1), (2, 5), (9, 4)]
    )
    assert points.quarter(points.of_quarter((4, 2), 2)) == ((4, 2), 2)


def test_abbreviations_are_undone_in_one_pass() -> None:
    made = page(
        2,
        2,
        {"number": {"12": ["zzz z9", 1, "1"]}},
        title="Title, with a comma",
        rules="one\ntwo & x=1",
    )
    found = page_of(data_of(made))
    assert found.problem["number"] == {"12": ["zzz z9", 1, "1"]}
    assert (found.title, found.rules, found.cells) == (
        "Title, with a comma",
        "one\ntwo & x=1",
        made.cells,
    )


def test_numbers_in_cells() -> None:
    fields = read(
        "slitherlink",
        page(2, 3, {"number": {"16": [3, 1, "1"], "24": ["0", 1, "6"], "25": [[0, 1], 1, "7"]}}),
    )
    assert fields["clues"] == ["3 . .", ". 0 2"]


def test_regions_are_cut_by_thick_lines_only() -> None:
    size = 7 * 6
    thick = {
        f"{size + 9},{size + 16}": 2,
        f"{size + 16},{size + 23}": 21,
        f"{size + 10},{size + 17}": 80,
    }
    fields = read("star_battle", page(2, 3, {"lineE": thick}))
    assert fields["regions"] == ["A B B", "A B B"]


def test_clues_in_margins() -> None:
    across = 7
    fields = read(
        "aquarium",
        page(
            2,
            2,
            {"number": {str(across * 2 + 3): [2, 1, "1"], str(across * 4 + 2): [1, 1, "1"]}},
            1,
            1,
        ),
    )
    assert (fields["columns"], fields["rows"]) == ("2 .", ". 1")


def test_shaded_cells_and_circles() -> None:
    walls = read(
        "akari", page(1, 3, {"surface": {"16": 4, "17": 1}, "number": {"17": ["2", 4, "1"]}})
    )
    assert walls["walls"] == ["x 2 ."]
    symbols = {"16": [1, "circle_M", 1], "17": [2, "circle_SS", 2]}
    assert read("balance_loop", page(1, 3, {"symbol": symbols}))["circles"] == ["w b ."]


def test_cages_with_clues_in_their_corners() -> None:
    size = 6 * 6
    edges = {f"{size + 8},{size + 14}": 2, f"{size + 14},{size + 20}": 2}
    problem = {
        "lineE": edges,
        "numberS": {str(4 * size + 4 * 14): ["3+", 1], str(4 * size + 4 * 15): ["2", 1]},
    }
    fields = read("kenken", page(2, 2, problem))
    assert (fields["cages"], fields["clues"]) == (["A B", "A B"], {"A": "3+", "B": "2"})


def test_the_type_is_a_genre_or_the_title_or_named() -> None:
    clues = {"number": {"16": [3, 1, "1"]}}
    assert (
        links.read(link(page(2, 3, clues, tags=["classic", "Slitherlink"])))[0].type
        == "slitherlink"
    )
    assert links.read(link(page(2, 3, clues, title="slitherlink")))[0].type == "slitherlink"
    with pytest.raises(
        InputError,
        match=r"does not say the type of its puzzle.*Nice loop.*\n.*puzzlekit import TYPE LINK",
    ):
        links.read(link(page(2, 3, clues, title="Nice loop")))


@pytest.mark.sampled(40)
@pytest.mark.parametrize("spec", SPECS)
def test_what_is_written_is_read_back(spec: str) -> None:
    puzzle = puzzlekit.load(None, SPECS[spec])
    try:
        text = penpa.write(puzzle.instance)
    except InputError as error:
        assert (
            puzzle.type.name in NOT_ON_A_BOARD
            or "hexagons" in spec
            or "triangles" in spec
            or "waffle" in spec
        ), error
        return
    assert penpa.recognises(text)
    (found,) = links.read(text)
    assert_alike(puzzle, puzzlekit.load(None, found.text))


def test_most_types_need_no_text_below_the_rules() -> None:
    with_text = set()
    for spec in SMALLEST[::3]:
        if (kind := spec.split("/")[0]) not in {
            *NOT_ON_A_BOARD,
            "waffle",
        }:  # a spec of waffle may give two fields as one
            puzzle = puzzlekit.load(None, SPECS[spec])
            rules = page_of(penpa.write(puzzle.instance).split("p=")[1]).rules
            with_text |= {kind} if "\n" in rules else set()
    assert len(with_text) < 20, sorted(with_text)


def assert_alike(puzzle: Puzzle, other: Puzzle) -> None:
    """Both have the same data, except for the names of regions."""
    names: dict[Any, Any] = {}
    for name, value in puzzle.instance.data.items():
        back = other.instance.data[name]
        if isinstance(value, Grid) and "symbol" in puzzle.type.fields[name].type_text:
            assert value.values.keys() == back.values.keys(), name
            pairs = {(value.values[cell], back.values[cell]) for cell in value.cells}
            assert len(pairs) == len(dict(pairs)) == len({label for _, label in pairs}), name
            names |= dict(pairs)
        elif isinstance(value, Mapping) and not hasattr(value, "as_data"):
            assert {names.get(key, key): item for key, item in value.items()} == back, name
        else:
            assert puzzle[name] == other[name], name


def packed(text: str) -> str:
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(deflate.compress(text.encode()) + deflate.flush()).decode()


HEAD = "square,3,3,38,0,1,1,1,1,1,1\n[]\n{}\n"
MALFORMED = {
    "no base64": ("!!!!", "character 1 of the data: '!' is not base64"),
    "no deflate": ("AAAA", "cannot be unpacked|cut off"),
    "too short": (packed("square,2"), "the link is cut off"),
    "a bomb": (packed("x" * 50_000_000), "more than 1,200,003 bytes when unpacked"),
    "old": (packed("0,1,2\n"), "Penpa, version 1"),
    "hexagons": (
        packed("hex,3,3,38,0,1,1,1,1,1,1\n[]\n{}\n{}\n{}\n[]"),
        "line 1: the grid is 'hex'",
    ),
    "huge": (
        packed("square,999999999999,3,38,0,1,1,1,1,1,1\n[]\n{}\n{}\n{}\n[]"),
        "line 1: expected a number of rows or",
    ),
    "turned": (
        packed("square,3,3,38,90,1,1,1,1,1,1\n[]\n{}\n{}\n{}\n[]"),
        "line 1: the page is turned or mirrored",
    ),
    "outside": (
        packed(HEAD + "{}\n{}\n[16,900]"),
        "line 6: the cell 916 is not on a page of 3 × 3",
    ),
    "no cells": (packed(HEAD + "{}\n{}\n[]"), "line 6: the page has no cells"),
    "no JSON": (packed(HEAD + "{\n{}\n[16]"), "line 4: "),
    "deep": (packed(f"{HEAD}{'[' * 99999}\n{{}}\n[16]"), "line 4: "),
    "no point": (packed(HEAD + '{"number":{"x":[]}}\n{}\n[16]'), "line 4, number: 'x' is no point"),
    "a list": (packed(HEAD + '{"number":[3]}\n{}\n[16]'), "line 4, number: expected a mapping"),
    "no cell": (
        packed(HEAD + '{"thermo":[[16,17]]}\n{}\n[16]'),
        "thermo: row 1, column 2 is not on",
    ),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_pages(name: str) -> None:
    data, message = MALFORMED[name]
    kind = read_type(ROOT / "puzzles/slitherlink.yaml")
    with pytest.raises(InputError, match=message):
        links.read(f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={data}", kind)


def test_cut_and_changed_links_are_errors_or_other_puzzles() -> None:
    text = penpa.write(puzzlekit.load(None, SPECS["heyawake/first"]).instance)
    chance = random.Random(1)
    for _ in range(60):
        at = chance.randrange(text.index("p=") + 2, len(text))
        changed = (
            text[:at]
            if chance.random() < 0.5
            else text[:at] + chance.choice("Az09+/=") + text[at + 1 :]
        )
        try:
            links.read(changed)
        except InputError as error:
            assert str(error)


def test_random_marks_are_errors_or_fields() -> None:
    chance = random.Random(2)
    kind = read_type(ROOT / "puzzles/sudoku.yaml")
    values: list[Any] = [
        1,
        "2",
        None,
        [],
        ["3", 1, "2"],
        {"a": 1},
        [1, "circle_L", 1],
        [[1, 0], "tri", 1],
        -5,
        1e9,
        True,
    ]
    for _ in range(150):
        problem = {
            part: {str(chance.choice([16, 17, 40, 99, 500, "16,17", "x"])): chance.choice(values)}
            for part in ("number", "numberS", "symbol", "lineE", "surface", "killercages", "thermo")
        }
        try:
            links.read(link(page(2, 3, json.loads(json.dumps(problem)))), kind)
        except InputError as error:
            assert (
                "line 4" in str(error)
                or "no field of sudoku" in str(error)
                or "shows nothing" in str(error)
            )
