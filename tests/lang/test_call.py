"""The section `call`: what groups of cells are called in explanations."""

import pytest

import puzzlekit
from puzzlekit.boards import Cell
from puzzlekit.errors import Problems
from puzzlekit.lang import type_of_text
from puzzlekit.reasons.words import Words

TYPE = """\
puzzle: t
data: {{cages: "grid[symbol]", sums: "map[symbol, int]"}}
variables:
  digit[c]: between(1, 4) for c in cages.cells
call:
  {call}
"""
CAGES = "cages: |\n  aab\n  ccb\n  dde\n"
SUMS = "sums: {a: 5, b: 4, c: 5}\n"


def group_names(call: str, groups: list[tuple[Cell, ...]], sums: str = SUMS) -> list[str]:
    """Return what explanations call these groups."""
    words = Words(puzzlekit.load(TYPE.format(call=call), CAGES + sums).instance)
    return [words.index_text(group) for group in groups]


def cells(*positions: tuple[int, int]) -> tuple[Cell, ...]:
    """Return the cells at these positions."""
    return tuple(Cell(row, column) for row, column in positions)


CAGE_A = cells((1, 1), (1, 2))
CAGE_B = cells((1, 3), (2, 3))
CAGE_C = cells((2, 1), (2, 2))
CAGE_D = cells((3, 1), (3, 2))
BY_SUM = (
    '"the cage of {total}": cage for cage in cages.regions if cages[cage[0]] in sums '
    "for total in [sums[cages[cage[0]]]]"
)


def test_a_name_shows_loop_variables_and_the_first_cell_where_two_groups_share_it() -> None:
    groups = [CAGE_A, CAGE_B, CAGE_C, CAGE_D]
    names = ["the cage of 5 at r1c1", "the cage of 4", "the cage of 5 at r2c1", "region D"]
    by_label = '"region {label}": c for c in cages.regions for label in [cages[c[0]]]'
    assert group_names(f"{BY_SUM}\n  {by_label}", groups) == names


def test_a_name_may_show_the_number_of_a_group() -> None:
    call = '"box {number}": cage for cage in cages.regions'
    assert group_names(call, [CAGE_B, tuple(reversed(CAGE_C))]) == ["box 2", "box 3"]


def test_only_a_group_with_exactly_these_cells_has_the_name() -> None:
    row = cells((1, 1), (1, 2), (1, 3))
    call = '"the top {number}": row for row in cages.rows'
    assert group_names(call, [row, CAGE_A]) == ["row 1", "r1c1–r1c2"]


@pytest.mark.parametrize(
    ("call", "line", "message"),
    [
        ('"box {k}": cage for cage in cages.regions', 6, "have no loop over k"),
        ("box: cage for cage in cage", 6, "cage"),
        ("box: digit[c] for c in cages.cells", 6, "digit is not known here"),
        ("box: [a, b]", 6, "expected an expression as the groups box, got a list"),
    ],
)
def test_a_mistake_is_reported_at_its_line(call: str, line: int, message: str) -> None:
    with pytest.raises(Problems) as caught:
        type_of_text("t.yaml", TYPE.format(call=call))
    assert f"t.yaml:{line}:" in str(caught.value)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("box: 3 for cage in cages.regions", "expected a group of cells to call box, got 3"),
        ("box: c for c in cages.cells", "expected a group of cells to call box, got r1c1"),
        ('"{n}": c for c in cages.regions for n in [sums[cages[c[0]]]]', "no key 'd'"),
    ],
)
def test_only_an_explanation_runs_the_expressions(call: str, message: str) -> None:
    puzzle = puzzlekit.load(TYPE.format(call=call), CAGES + SUMS)
    assert puzzle.solve() is not None
    with pytest.raises(Problems) as caught:
        list(puzzle.explain())
    assert "<type>:6:" in str(caught.value)
    assert message in str(caught.value)


def test_the_evaluations_of_names_are_bounded() -> None:
    call = '"g": cage for cage in cages.regions for i in range(100000)'
    puzzle = puzzlekit.load(TYPE.format(call=call), CAGES + SUMS, max_evaluations=10_000)
    with pytest.raises(Problems, match="10,000"):
        list(puzzle.explain())
