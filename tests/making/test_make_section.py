"""The section `make`: what it draws, what its designs give, and what is wrong in it."""

import itertools
from pathlib import Path
from random import Random
from typing import Any

import pytest

import puzzlekit
from puzzlekit.boards import Cell, Grid, board
from puzzlekit.catalogue import find
from puzzlekit.errors import Problems
from puzzlekit.lang import read_type
from puzzlekit.lang.expressions.draws import RandomChoices
from puzzlekit.lang.expressions.interpreter import Interpreter
from puzzlekit.lang.expressions.values import ExpressionError
from puzzlekit.lang.functions.drawing import RandomFunctions
from puzzlekit.lang.making_section import making_of
from puzzlekit.lang.type_reader import type_of_text
from puzzlekit.making.designs import DesignMaker, laid_out
from puzzlekit.making.fields import base_of
from tests.commands import called

LATIN = """
puzzle: latin_rows
data: {sums: {type: "map[symbol, int]", default: {}}, regions: "grid[symbol]"}
variables:
  digit[c]: between(1, 4) for c in regions.cells
rules:
  lines differ: all_different(digit[line]) for line in regions.rows + regions.columns
  regions add up: sum(digit[r]) == sums[regions[r[0]]] for r in regions.regions
make:
"""
MADE = """\
  size: 4x4
  layout: {regions: "grown(regions, scattered(regions.cells, 50))"}
  drop_rules: regions add up
  fields: {sums: "{regions[r[0]]: sum(digit[r]) for r in regions.regions}"}
  reshape: regions
"""


def drawing(**options: Any) -> RandomFunctions:
    interpreter = Interpreter()
    interpreter.draws = RandomChoices(Random(1), **options)
    return RandomFunctions(interpreter)


def test_a_type_makes_puzzles_by_a_layout_and_a_design(tmp_path: Path) -> None:
    type_ = tmp_path / "latin_rows.yaml"
    type_.write_text(LATIN + MADE, encoding="utf-8")
    done = called("generate", str(type_), "--seed", "1", "--count", "2")
    assert done.returncode == 0, done.stderr
    for text in done.stdout.split("---\n"):
        puzzle = puzzlekit.load(type_, text)
        assert puzzle.count() == 1 and len(puzzle["sums"]) == len(
            {label for row in puzzle["regions"] for label in row}
        )
    assert called("generate", str(type_), "--seed", "1", "--count", "2").stdout == done.stdout


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ("  lay: {regions: 1}\n", "make has no key lay"),
        ("  places: {sum: 1}\n", "latin_rows has no field sum"),
        ("  keep: {sum: 1}\n", "latin_rows has no field sum"),
        ("  layout: {region: 1}\n", "latin_rows has no field region"),
        ("  layout: {regions: grow(regions)}\n", "grow is not known here"),
        ("  drop_rules: [rows]\n  fields: {sums: 1}\n", "there is no rule rows"),
        ("  fields: {sums: 1}\n  reshape: region\n", "there is no field region"),
        ("  fields: {sums: 1}\n  reshape: sums\n", "reshape: sums is no board"),
        ("  fields: {sums: 1}\n  bias: {digit: half}\n", "expected a number from 1 to 99"),
    ],
)
def test_what_is_wrong_in_make_is_said(made: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(Problems, match=message):
        making_of(type_of_text("latin_rows.yaml", LATIN + made))
    file = tmp_path / "latin_rows.yaml"
    file.write_text(LATIN + made, encoding="utf-8")
    assert message in called("check", str(file)).stderr


TOTALS = """
puzzle: totals
data: {total: {type: int, default: 0}, twos: {type: int, default: 0}}
variables: {"x[n]": "between(1, 3) for n in range(4)"}
rules:
  they grow: x[n] <= x[n + 1] for n in range(3)
  the total is told: sum(x) == total
  twos are counted: sum(x[n] == 2 for n in range(4)) == twos
make:
  drop_rules: [the total is told, twos are counted]
  fields: {total: sum(x), twos: "sum(x[n] == 2 for n in range(4))"}
"""
CAGES = """
puzzle: cages
data: {cages: "grid[symbol | None]", sums: {type: "map[symbol in cages, int]", default: {}}}
variables: {"x[c]": "between(1, 4) for c in cages.cells"}
rules:
  lines differ: all_different(x[line]) for line in cages.rows + cages.columns
  cages add up: sum(x[r]) == sums[cages[r[0]]] for r in cages.regions
make:
  size: 4x4
  layout: {cages: "{c: None if c.row == 1 else choice(row('abc')) for c in cages.cells}"}
  drop_rules: cages add up
  fields: {sums: "{cages[r[0]]: sum(x[r]) for r in cages.regions}"}
  reshape: cages
"""


@pytest.mark.parametrize(
    "text", [TOTALS, CAGES], ids=["without a board", "with cells in no region"]
)
def test_what_is_ambiguous_is_drawn_again(text: str, tmp_path: Path) -> None:
    file = tmp_path / f"{text.split()[1]}.yaml"
    file.write_text(text, encoding="utf-8")
    done = called("generate", str(file), "--seed", "1", "--count", "8")
    assert done.returncode == 0, done.stderr
    assert all(puzzlekit.load(file, made).count() == 1 for made in done.stdout.split("---\n"))


def test_the_search_for_a_design_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = read_type(find("simple_loop"))
    maker = DesignMaker(base_of(kind, f"walls: {['........'] * 8}"), making_of(kind), None, None)
    assert any(maker.make(Random(number)) for number in range(5))
    monkeypatch.setattr("puzzlekit.making.designs.CONFLICTS", 0)
    assert maker.make(Random(1)) is None


def test_clues_stand_where_they_may() -> None:
    done = called("generate", "heyawake", "--size", "6", "--seed", "1")
    puzzle = puzzlekit.load(None, done.stdout)
    rooms, clues = puzzle.instance.data["rooms"], puzzle.instance.data["clues"]
    assert clues.given and {*clues.given} <= {room[0] for room in rooms.regions}


def test_rules_do_not_draw() -> None:
    with pytest.raises(Problems, match="shuffled is not known here"):
        type_of_text("x.yaml", "puzzle: x\nvariables: {a: bool}\nrules: {r: shuffled(a) == a}\n")


@pytest.mark.parametrize(
    ("drawn", "message"),
    [
        ("cut(regions, 0)", "expected a number of cells from 1, got 0"),
        ("cut(5, 3)", "expected a board, got 5"),
        ("chopped(regions.cells, 0, 0)", "expected a length from 1, got 0"),
        ("clusters(range(5), 2)", "expected cells, got 0"),
        ("grown(regions, ['a', 'b'])", "expected cells, got 'a'"),
        ("scattered(regions.cells, 'x')", "expected a whole number as a share, got 'x'"),
        ("along(5)", "expected a value for each cell or pair of cells, got 5"),
        ("pieces({1: True})", "expected pairs of cells, got 1"),
        ("choice([])", "there is nothing to draw from"),
        ("5", "expected grid[symbol] as regions, got 5"),
    ],
)
def test_what_cannot_be_drawn_is_said_with_its_place(
    drawn: str, message: str, tmp_path: Path
) -> None:
    file, column = tmp_path / "latin_rows.yaml", 21 if drawn == "5" else 22
    file.write_text(f'{LATIN}  size: 4x4\n  layout: {{regions: "{drawn}"}}\n', encoding="utf-8")
    done = called("generate", str(file), "--seed", "1")
    assert done.returncode == 2 and f"latin_rows.yaml:11:{column}: {message}" in done.stderr


def test_each_turn_of_a_loop_draws_anew() -> None:
    text = f"{LATIN}  layout: {{regions: \"{{c: choice(row('ab')) for c in regions.cells}}\"}}\n"
    kind = type_of_text("latin_rows.yaml", text)
    layout = making_of(kind).layout
    assert layout is not None
    base = base_of(kind, "sums: {}\nregions: |\n" + "  aaaa\n" * 4)
    found = laid_out(layout, base, RandomChoices(Random(1)))
    assert {*found["regions"].values.values()} == {"a", "b"}


@pytest.mark.parametrize("symmetry", ["rotate", "mirror", "none"])
def test_scattered_cells_are_as_many_and_as_symmetric_as_asked(symmetry: str) -> None:
    cells = board(8, 8).cells
    found = drawing(symmetry=symmetry).scattered(cells, 25)
    assert len(found) == 16 and set(found) <= set(cells)
    turned = {Cell(9 - c.row if symmetry == "rotate" else c.row, 9 - c.column) for c in found}
    assert (turned == set(found)) is (symmetry != "none")
    assert len(drawing(density=50).scattered(cells, 25)) == 32
    apart = drawing().scattered(cells, 25, True)
    assert all(abs(a.row - b.row) + abs(a.column - b.column) != 1 for a in apart for b in apart)


def test_regions_are_connected_and_fill_the_board() -> None:
    own, grid = drawing(), board(7, 7)
    for labels in (own.grown(grid, own.scattered(grid.cells, 20)), own.cut(grid, 6)):
        assert labels.keys() == grid.values.keys()
        for name in set(labels.values()):
            assert len(own.pieces(labels, name)) == 1
    joined = own.grown(grid, ((Cell(1, 1), Cell(7, 7)), Cell(1, 7)))
    assert joined[Cell(1, 1)] == joined[Cell(7, 7)] != joined[Cell(1, 7)]


def test_what_is_drawn_stays_for_one_puzzle() -> None:
    own = drawing()
    first = [
        own.choice(range(100)),
        own.choice(range(100)),
        own.shuffled(range(9)),
        own.chopped(range(9), 2, 4),
    ]
    own.interpreter.draws.turns.clear()
    assert [
        own.choice(range(100)),
        own.choice(range(100)),
        own.shuffled(range(9)),
        own.chopped(range(9), 2, 4),
    ] == first
    assert (
        first[0] != first[1]
        and all(2 <= len(part) <= 4 for part in first[3])
        and sum(first[3], ()) == tuple(range(9))
    )


@pytest.mark.parametrize("diagonal", [False, True])
def test_a_tour_goes_through_all_cells_by_their_neighbours(diagonal: bool) -> None:
    grid, own = board(6, 6), drawing()
    first, second = own.tour(grid, diagonal), own.tour(grid, diagonal)
    neighbours = grid.around if diagonal else grid.neighbours
    for path in (first, second):
        assert {*path} == {*grid.cells} and len(path) == len(grid.cells)
        assert all(b in neighbours(a) for a, b in itertools.pairwise(path))
    assert first != second


def test_a_board_without_a_tour_says_so() -> None:
    corners = Grid({cell: None for cell in board(3, 3).cells if cell.row != 2})
    with pytest.raises(ExpressionError, match="no path through all cells was found"):
        drawing().tour(corners)


def test_lines_are_followed_and_texts_joined() -> None:
    own, cells = drawing(), board(1, 4).cells
    line = {(a, b): a != cells[1] for a, b in itertools.pairwise(cells)}
    assert own.pieces(line) == (tuple(cells[:2]), tuple(cells[2:]))
    assert own.along(dict.fromkeys(line, True)) == tuple(cells)
    assert own.text(2, ("n", 3)) == "2n3" and own.label(0) == "a" and len(own.label(60)) == 2
    near = own.clusters(cells, 2)
    assert len(near) == 2 and {cell for pair in near for cell in pair} == {*cells}
