"""Conditions on sides of hexagons and triangles, each held to plain Python."""

from __future__ import annotations

import pytest

from tests.judge.compare import ENGINES, Case, differences

BOARDS = ["hex_board(1)", "triangle_board(2)", "triangles(board(1, 3))"]
FORMS = [
    "single_loop(line)",
    "not single_loop(line)",
    "single_path(line)",
    "path(line, b.corners[0], b.corners[3])",
    "acyclic(line) and sum(line) > 4",
    "single_loop(line) and sum(line[b.sides(c)]) == 2 for c in b.cells[:1]",
    "count(line[b.sides(k)], True) in (0, 2) for k in b.corners",
    "line[edge(s[1], s[0])] == (s[0].row < s[1].row) for s in b.sides(b.cells[0])",
    "sum(k.column * count(line[b.sides(k)], True) for k in b.corners) == 12",
]


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize(("place", "rule"), list(enumerate(FORMS)), ids=FORMS)
def test_sides_of_other_boards(place: int, rule: str, board: str) -> None:
    variables = "  line[e]: bool for e in b.edges\n"
    case = Case(f"puzzle: sides\nlet:\n  b: {board}\nvariables:\n{variables}rules:\n  r: |\n    {rule}\n", name=rule)
    assert differences(case, ("auto", ENGINES[place % len(ENGINES)])) == []
