"""Links of SudokuPad: those written here, and drawings as others build them."""

import json
import re
from typing import Any
from urllib.parse import quote, unquote

import pytest

import puzzlekit
from puzzlekit import links
from puzzlekit.errors import InputError
from puzzlekit.lang import read_type
from puzzlekit.links import sudokupad
from puzzlekit.links.lz_string import compress, decompress
from tests.links.test_penpa import assert_alike
from tests.shipped import ROOT, SMALLER, SPECS

NO_SQUARES = "a link of SudokuPad has one board of squares"
FIRST = {name.split("/")[0]: path for name, path in reversed(SPECS.items())}
SMALL = {**FIRST, **{name: SPECS[f"{name}/{spec}"] for name, spec in SMALLER.items()}}


@pytest.mark.parametrize("name", SMALL)
def test_what_is_written_is_read_back(name: str) -> None:
    puzzle = puzzlekit.load(None, SMALL[name])
    try:
        link = sudokupad.write(puzzle.instance)
    except InputError as error:
        assert re.search(f"{NO_SQUARES}|does not give the field colours", str(error))
        return
    assert_alike(puzzle, puzzlekit.load(None, link))
    assert_alike(puzzle, puzzlekit.load(name, without_type(link)))


def data_of(link: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(decompress(unquote(link.removeprefix(sudokupad.SITE)), 10**6))
    return data


def without_type(link: str) -> str:
    """Return a link from here as the site shows it: its drawing and its rules."""
    data = data_of(link)
    if sudokupad.NOT_IN_PICTURE in data["metadata"]["rules"]:
        del data["metadata"]["puzzlekit"]
    return "scl" + compress(json.dumps(data))


@pytest.mark.parametrize(
    "spec",
    [
        "killer/tiny",
        "nurikabe/tiny",
        "masyu/tiny",
        "heyawake/tiny",
        "slitherlink/tiny",
        "tents/tiny",
        "starry_sky/first",
        "kenken/first",
        "kakuro/4x4",
        "coral/first",
        "arrow_numbers/first",
    ],
)
def test_a_drawing_says_what_its_board_shows(spec: str) -> None:
    puzzle = puzzlekit.load(None, SPECS[spec])
    data = data_of(sudokupad.write(puzzle.instance))
    del data["metadata"]
    again = puzzlekit.load(puzzle.type.name, "scl" + compress(json.dumps(data)))
    assert_alike(puzzle, again)


def test_what_somebody_draws_beside_a_board_from_here_is_named() -> None:
    puzzle = puzzlekit.load(None, SPECS["masyu/tiny"])
    data = data_of(sudokupad.write(puzzle.instance))
    data["cells"][0][0]["value"] = "7"
    with pytest.raises(InputError, match="text '7' at r1c1"):
        puzzlekit.load(None, "scl" + compress(json.dumps(data)))


def board(**more: object) -> dict[str, object]:
    """Return the data of a drawing of 4 × 4 cells with a 1 in the first one."""
    cells: list[list[dict[str, object]]] = [[{} for _ in range(4)] for _ in range(4)]
    cells[0][0] = {"value": 1}
    boxes = [
        [[row + r, column + c] for r in range(2) for c in range(2)]
        for row in (0, 2)
        for column in (0, 2)
    ]
    return {"id": "x", "cellSize": 64, "cells": cells, "regions": boxes, **more}


def fields_of(data: dict[str, object] | str, prefix: str = "scl") -> dict[str, object]:
    text = data if isinstance(data, str) else json.dumps(data)
    return dict(links.read_one(prefix + quote(compress(text), safe="")).fields)


CIRCLE = {"width": 0.2, "height": 0.2, "rounded": True, "borderColor": "#000000"}


def test_marks_of_a_drawing() -> None:
    data = board(
        cages=[
            {"cells": [[0, 1], [0, 2]], "value": "5"},
            {"cells": [], "value": "title: A test"},
            {"cells": [[0, 0], [0, 1]], "style": "rowcol", "hidden": True},
        ],
        lines=[{"wayPoints": [[3.5, 0.5], [1.5, 0.5]], "color": "#CCC", "thickness": 9}],
        underlays=[
            {**CIRCLE, "center": [3.5, 0.5], "backgroundColor": "#ccc"},
            {**CIRCLE, "center": [2.5, 3], "backgroundColor": "#FFFFFF"},
        ],
        arrows=[{"wayPoints": [[1.5, 3.5], [2.5, 3.5], [3.5, 3.5]], "color": "#888"}],
    )
    fields = fields_of(data)
    assert fields["title"] == "A test"
    assert fields["thermometers"] == ["r4c1 r3c1 r2c1"]
    assert fields["arrows"] == ["r2c4 r3c4 r4c4"]
    assert fields["differences"] == ["r3c3 r3c4 1"]
    assert fields["sums"] == {"A": "5"}


ZIPPED = (
    "{cs:64,ce:[[{v:1},,,],[,,,],[,,,],[,,,]],re:[[[0,0],[0,1],[1,0],[1,1]],"
    "[[0,2],[0,3],[1,2],[1,3]],[[2,0],[2,1],[3,0],[3,1]],[[2,2],[2,3],[3,2],[3,3]]],"
    "u:[{ct:[2.5,3],w:.2,h:.2,r:t,c1:#0,c2:#F}],metadata:{t:'It\\'s'}}"
)


def test_short_data_are_lengthened() -> None:
    zipped = ZIPPED.replace(":.2", ":0.2")
    for prefix in ("scl", "ctc", "https://sudokupad.app/scl", "sudokupad.app/?puzzleid=ctc"):
        fields = fields_of(zipped, prefix)
        assert fields["title"] == "It's"
        assert fields["differences"] == ["r3c3 r3c4 1"]
        assert str(fields["givens"]).startswith("['1 . . .")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("{", "not JSON"),
        ("[1, 2, 3, 4, 5, 6]", "expected an object"),
        (json.dumps({"cells": 5, "x": "y" * 20}), "an unknown form"),
        (json.dumps({"a": "no cells at all here"}), "an unknown form"),
        (json.dumps({"cells": [[{}] * 300]}), "rows and columns"),
        (json.dumps({**board(), "lines": [{"wayPoints": "x"}]}), "an unknown form"),
        (json.dumps({**board(), "lines": [{}] * 6000}), "more than 5000 lines"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_data_of_another_form_are_refused(data: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        links.read("scl" + compress(data).ljust(20, "="))


def test_marks_that_no_field_takes_are_named() -> None:
    data = board(lines=[{"wayPoints": [[0.2, 0.3], [1.1, 1.2]]}])
    with pytest.raises(InputError, match=r"line .*r1c1"):
        fields_of(data)


def test_links_are_cut_or_for_another_type() -> None:
    link = sudokupad.write(puzzlekit.load(None, SPECS["masyu/tiny"]).instance)
    with pytest.raises(InputError, match=r"cut off|ends"):
        links.read(link[: len(link) // 2])
    with pytest.raises(InputError, match="a puzzle of masyu, not of akari"):
        links.read(link, read_type(ROOT / "puzzles/akari.yaml"))
