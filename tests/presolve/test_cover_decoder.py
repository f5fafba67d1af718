"""From covers back to values: one by one and as columns they are the same,
and a cover that contradicts itself is told.
"""

import numpy as np
import pytest

from puzzlekit.errors import BackendBug
from puzzlekit.lowering.cover_decoder import CoverDecoder, SolutionBlocks, block_of, columns_of
from puzzlekit.model import Layered, Variable

X, Y, FLAG, IDLE = (Variable(name) for name in ("x", "y", "flag", "idle"))
WORDS = np.array([[0, 1], [1, 0], [1, 1]], dtype=np.uint32)
MEANING = CoverDecoder(
    (
        (0, (X, Y), WORDS, (("a", "b"), ("c", "d"))),
        (3, (FLAG,), np.array([[1]]), ((False, True),)),
        (4, (Y,), np.array([[0], [1]]), (("d", "c"),)),  # another order of the same values
    ),
    ((FLAG, False), (IDLE, 7)),
    6,
)
COVERS = [[0], [1, 3], [3, 2], [2, 4], [1, 5, 3], [6, 0]]  # 6 is no option: it says nothing


def test_columns_are_the_values_of_each_cover() -> None:
    wanted = [
        {"x": "a", "y": "d", "flag": False, "idle": 7},
        {"x": "b", "y": "c", "flag": True, "idle": 7},
    ]
    solutions = [MEANING.values(cover) for cover in COVERS]
    for made in (
        MEANING.columns([block_of(COVERS, 6)]),
        MEANING.columns([block_of(COVERS[:2], 6), block_of(COVERS[2:], 6)]),
    ):
        for row, values in enumerate(solutions):
            assert {variable.name: made[variable].tolist()[row] for variable in made} == {
                v.name: values[v] for v in values
            }
    assert [{v.name: values[v] for v in values} for values in solutions[:2]] == wanted
    assert made[FLAG].dtype == bool and made[IDLE].tolist() == [7] * len(COVERS)


def test_options_may_say_less_than_others() -> None:
    three = (0, (X, Y, FLAG), np.array([[0, 0, 1]]), (("a",), ("c",), (False, True)))
    meaning = CoverDecoder(
        (three, (1, (X,), np.array([[0]]), (("b",),))), ((Y, "d"), (FLAG, False)), 2
    )
    columns = meaning.columns([block_of([[1], [1]], 2)])
    assert {variable: column.tolist() for variable, column in columns.items()} == {
        X: ["b", "b"],
        Y: ["d", "d"],
        FLAG: [False, False],
    }
    assert meaning.columns([block_of([[2]], 2)])[Y].tolist() == ["d"]


def test_blocks_are_read_one_by_one_or_whole() -> None:
    blocks = [block_of(COVERS[:1], 6), block_of(COVERS[1:], 6)]
    one_by_one = SolutionBlocks(MEANING, iter(blocks)).before({Variable("fixed"): 1})
    assert [dict(values) | {} for values in one_by_one] == [
        {**values.common, **values.overrides}
        for values in (MEANING.values(cover).over(one_by_one.common) for cover in COVERS)
    ]
    solutions = [*SolutionBlocks(MEANING, iter(blocks))]
    columns = columns_of(solutions)
    assert columns is not None and columns[X].tolist() == ["a", "b", "b", "b", "b", "a"]
    assert columns_of([*solutions, Layered({}, {})]) is None


def test_a_cover_that_contradicts_itself_is_told() -> None:
    with pytest.raises(BackendBug):
        MEANING.columns([block_of([[0, 5], [0, 4]], 6)])  # y is d and c
