"""Links of f-puzzles: each constraint is read, and what is written is read back."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import pytest

import puzzlekit
from puzzlekit import links
from puzzlekit.errors import InputError
from puzzlekit.lang import bind, read_spec, read_type, type_of_text
from puzzlekit.links import fpuzzles
from puzzlekit.links.fpuzzles_shapes import SHAPES
from puzzlekit.links.lz_string import compress
from tests.links.test_penpa import assert_alike
from tests.shipped import ROOT, SPECS

SUDOKUS = [name for name in SPECS if name.startswith("sudoku/")]
REGIONS = {"sudoku/cages", "sudoku/jigsaw"}  # whose labels differ


def read(size: int = 4, **parts: Any) -> Mapping[str, Any]:
    grid: list[list[dict[str, Any]]] = [[{} for _ in range(size)] for _ in range(size)]
    data = {"size": size, "grid": grid, **parts}
    (found,) = links.read(fpuzzles.SITE + compress(json.dumps(data)))
    assert found.type == "sudoku"
    return found.fields


def test_the_board_of_the_design() -> None:
    data = (
        "N4IgzglgXgpiBcAWANCA5gJwgEwQbT2AF9ljSTQA3AQwBsBXOeARlTQkpgDsEAXDRkQC6yQhXHkRY8jOJSyC8"
        "UKFEgA="
    )
    (found,) = links.read(f"https://www.f-puzzles.com/?load={data}")
    assert found.fields == {"givens": [". . . 1", *[". . . ."] * 3], "box": "2x2"}
    assert (
        links.read(f"https://f-puzzles.com/?load={data.replace('+', '%2B')}")[0].fields
        == found.fields
    )


@pytest.mark.parametrize(
    "address",
    [
        "https://sudokupad.app/fpuzzles{}",
        "https://sudokupad.app/sudoku/fpuzzles{}?setting-nogrid=1",
        "https://app.crackingthecryptic.com/sudoku/?puzzleid=fpuzzles{}",
        "https://sudocle.com/?fpuz={}",
        "https://sudocle.com/fpuz{}",
        "https://www.sudokulab.net/?fpuzzle={}",
        "https://f-puzzles.com/?x=1&load={}&y=2",
    ],
)
def test_other_sites_carry_the_same_data(address: str) -> None:
    data = fpuzzles.write(puzzlekit.load(None, SPECS["sudoku/six"]).instance).removeprefix(
        fpuzzles.SITE
    )
    for packed in (data, quote(data, safe="")):
        (found,) = links.read(address.format(packed))
        assert found.fields["box"] == "2x3"


@pytest.mark.parametrize("spec", SUDOKUS)
def test_what_is_written_is_read_back(spec: str) -> None:
    puzzle = puzzlekit.load(None, SPECS[spec])
    if spec == "sudoku/samurai":
        with pytest.raises(InputError, match="one square board"):
            fpuzzles.write(puzzle.instance)
        return
    other = puzzlekit.load(None, links.read(fpuzzles.write(puzzle.instance))[0].text)
    if spec in REGIONS:  # labels, and the sums by label, may differ
        assert len(list(other.solve(limit=2))) == 1
        assert [dict(s) for s in other.solve()] == [dict(s) for s in puzzle.solve()]
    else:
        assert_alike(puzzle, other)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"antiknight": True, "antiking": True}, {"moves": "knight king"}),
        (
            {"disjointgroups": True, "nonconsecutive": True},
            {"disjoint": "yes", "consecutive": "yes"},
        ),
        ({"diagonal+": True}, {"groups": ["r1c4 r2c3 r3c2 r4c1"]}),
        ({"diagonal+": True, "diagonal-": True}, {"diagonals": "yes"}),
        ({"difference": [{"cells": ["R1C1", "R1C2"]}]}, {"differences": ["r1c1 r1c2 1"]}),
        (
            {"ratio": [{"cells": ["R1C1", "R2C1"], "value": "3"}], "negative": ["ratio"]},
            {"unmarked": "2 3"},
        ),
        (
            {"xv": [{"cells": ["R1C1", "R1C2"], "value": "V"}], "negative": ["xv"]},
            {"pair_sums": ["r1c1 r1c2 5"], "unmarked": "5 10"},
        ),
        ({"killercage": [{"cells": ["R1C1", "R2C1"], "value": "3"}]}, {"sums": {"K1": 3}}),
        (
            {"odd": [{"cell": "R2C2"}], "even": [{"cell": "R2C3"}]},
            {"givens": [". . . .", ". o e .", ". . . .", ". . . ."]},
        ),
        (
            {"arrow": [{"lines": [["R1C1", "R1C2", "R1C3"]], "cells": ["R1C1"]}]},
            {"arrows": ["r1c1 r1c2 r1c3"]},
        ),
        ({"arrow": [{"lines": []}], "thermometer": [{"lines": [[]]}]}, {}),
        (
            {"arrow": [{"lines": [["R1C2", "R2C2", "R2C3"]], "cells": ["R1C1", "R1C2"]}]},
            {"pill_arrows": [[["r1c1", "r1c2"], ["r2c2", "r2c3"]]]},
        ),
        (
            {"slowthermometer": [{"lines": [["R1C1", "R1C2"]]}]},
            {"slow_thermometers": ["r1c1 r1c2"]},
        ),
        ({"entropicline": [{"lines": [["R1C1", "R1C2"]]}]}, {"entropic": ["r1c1 r1c2"]}),
        ({"regionsumline": [{"lines": [["R1C1", "R1C3"]]}]}, {"region_sums": ["r1c1 r1c3"]}),
        ({"zipperline": [{"lines": [["R1C1", "R1C2"]]}]}, {"zippers": ["r1c1 r1c2"]}),
        ({"rowindexer": [{"cells": ["R1C1", "R2C1"]}]}, {"row_indexers": ["r1c1", "r2c1"]}),
        ({"columnindexer": [{"cells": ["R1C1"]}]}, {"column_indexers": ["r1c1"]}),
        ({"boxindexer": [{"cells": ["R1C1"]}]}, {"box_indexers": ["r1c1"]}),
        ({"maximum": [{"cell": "R1C1"}, {"cell": "R1C2"}]}, {"maxima": ["r1c1", "r1c2"]}),
        (
            {"sandwichsum": [{"cell": "R0C2", "value": "5"}]},
            {"outside": "sandwich", "top": ". 5 . ."},
        ),
        (
            {"littlekillersum": [{"cell": "R0C1", "direction": "DR", "value": "7"}]},
            {"little_killers": ["r1c2 down_right 7"]},
        ),
        (
            {"clone": [{"cells": ["R1C1", "R1C2"], "cloneCells": ["R3C3", "R3C4"]}]},
            {"clones": ["r1c1 r3c3", "r1c2 r3c4"]},
        ),
        (
            {"quadruple": [{"cells": ["R1C1", "R1C2", "R2C1", "R2C2"], "values": [1, 1]}]},
            {"quadruples": ["r1c1 11"]},
        ),
        ({"solution": [1, 2, 3, 4] * 4}, {"expect": {"solutions": 1, "answer": ["1 2 3 4"] * 4}}),
        ({"text": [{"cells": ["R1C1"]}], "modularline": [], "title": " A "}, {"title": " A "}),
    ],
)
def test_constraints(parts: dict[str, Any], expected: dict[str, Any]) -> None:
    fields = read(**parts)
    assert {name: fields[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"modularline": [{"lines": [["R1C1", "R1C2"]]}]}, "the constraint modularline"),
        (
            {"arrow": [{"lines": [], "cells": ["R2C1", "R2C2"]}]},
            r"arrow\[0\] without a line or a value",
        ),
        (
            {"arrow": [{"lines": [["R1C1"]], "cells": ["R1C1"]}]},
            r"arrow\[0\] without a line or a value",
        ),
        (
            {"quadruple": [{"cells": ["R1C1", "R1C2", "R2C1", "R2C2"], "values": []}]},
            r"quadruple\[0\] without a line or a v",
        ),
        (
            {"thermometer": [{"lines": [["R1C1", "R9C9"]]}]},
            r"thermometer\[0\].lines: expected a cell of 4 × 4.*'R9C9'",
        ),
        (
            {"killercage": [{"cells": ["R1C1"]}, {"cells": ["R1C1"]}]},
            r"killercage\[1\].cells: r1c1 is in two cages",
        ),
        (
            {
                "xsum": [{"cell": "R1C0", "value": "3"}],
                "skyscraper": [{"cell": "R2C0", "value": "3"}],
            },
            "all clues outside are of one",
        ),
        (
            {"whispers": [{"lines": [["R1C1", "R1C2"]], "value": "4"}]},
            r"whispers\[0\].value: neighbours differ by 5",
        ),
        (
            {"arrow": [{"cells": "R1C1", "lines": [["R1C1", "R2C1"]]}]},
            r"arrow\[0\].cells: expected a list of cells,",
        ),
        ({"grid": [[{}]]}, "grid: expected 4 rows"),
        ({"grid": [[3] * 4] * 4}, r"grid\[0\]\[0\]: expected an object, got 3"),
        ({"odd": 7}, "odd: expected a list of objects"),
        ({"negative": ["king"]}, "negative: there is no such rule"),
        ({"negative": 5}, "negative: there is no such rule for '5' here"),
        (
            {"xv": [{"cells": ["R1C1", "R1C2"], "value": ["X"]}]},
            r"xv\[0\].value: expected X or V, got \['X'\]",
        ),
        (
            {"littlekillersum": [{"cell": "R0C1", "direction": {}}]},
            r"\[0\].direction: expected one of DR, DL, .*{}",
        ),
        (
            {"quadruple": [{"cells": 5, "values": [1]}]},
            r"quadruple\[0\]: expected a cell of 4 × 4, such as R1C2, got '5'",
        ),
    ],
)
def test_wrong_and_unknown_parts(parts: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(**parts)


WRONG: list[Any] = [
    None,
    True,
    5,
    1.5,
    "x",
    "",
    [],
    {},
    ["R1C1"],
    [[]],
    [{"cells": 1}],
    [{"lines": {}}],
    [{"cell": {}, "value": []}],
]


@pytest.mark.parametrize(
    "name",
    [*SHAPES, *fpuzzles.OUTSIDE, *fpuzzles.FLAGS, "negative", "solution", "title", "diagonal+"],
)
def test_any_part_is_read_or_refused(name: str) -> None:
    item = {
        "cells": ["R1C1", "R1C2"],
        "lines": [["R1C1", "R1C2"]],
        "cell": "R1C1",
        "value": 1,
        "values": [1],
        "cloneCells": [],
    }
    kind = read_type(ROOT / "puzzles" / "sudoku.yaml")
    for value in (
        *WRONG,
        *([{**item, key: wrong}] for key in (*item, "direction") for wrong in WRONG),
    ):
        data = {"size": 4, "grid": [[{}] * 4] * 4, name: value}
        try:
            links.read(fpuzzles.SITE + compress(json.dumps(data)), kind)
        except InputError as error:
            assert str(error)


FEW = """
puzzle: few
data:
  board: grid[int | None]
  block: {type: size, default: 3x3}
  moves: {type: "list[choice(king)]", default: []}
  circles: {type: "list[cell in board]", default: []}
variables: {x: bool}
links:
  fpuzzles: {grid: board, size: block, antiking: {moves: king}}
"""


def test_a_type_names_the_fields_of_parts() -> None:
    kind = type_of_text("<type>", FEW)
    grid = [[{"given": True, "value": 1}, *[{}] * 3], *[[{}] * 4] * 3]
    data = {"size": 4, "grid": grid, "antiking": True}
    (found,) = links.read(fpuzzles.SITE + compress(json.dumps(data)), kind)
    fields = {"board": ["1 . . .", *[". . . ."] * 3], "block": "2x2", "moves": "king"}
    assert (found.type, found.fields) == ("few", fields)
    text = "board: |\n  1...\n  ....\n  ....\n  ....\nblock: 2x2\nmoves: king\n"
    assert (
        links.read(fpuzzles.write(bind(kind, read_spec("<spec>", text))), kind)[0].fields == fields
    )
    with pytest.raises(InputError, match="f-puzzles has no circles"):
        fpuzzles.write(bind(kind, read_spec("<spec>", f"{text}circles: [r1c1]")))
    for other in ({"renban": [{"lines": [["R1C1"]]}]}, {"antiknight": True}):
        with pytest.raises(InputError, match=r"no field of few stands for this.*the constraint"):
            links.read(fpuzzles.SITE + compress(json.dumps({**data, **other})), kind)


def test_sizes_are_bounded_and_cut_links_are_errors() -> None:
    for size in (0, 37, 10**9, "9", None):
        with pytest.raises(InputError, match="size: expected a number up to 36"):
            links.read(fpuzzles.SITE + compress(json.dumps({"size": size, "grid": []})))
    text = fpuzzles.write(puzzlekit.load(None, SPECS["sudoku/first"]).instance)
    for end in range(len(fpuzzles.SITE), len(text) - 3, 29):
        with pytest.raises(InputError, match=r"character|data"):
            links.read(text[:end])
    with pytest.raises(InputError, match="more than 300,000 characters"):
        links.read(fpuzzles.SITE + compress("[" * 1_000_000))
