"""Puzzles and solutions as Python values: mappings that can be compared, hashed, copied,
pickled and drawn.
"""

import copy
import json
import pickle
import re
import subprocess
import sys
from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from puzzlekit import InputError, Puzzle, Query, Solution, load
from puzzlekit.libraries.words import Lexicon
from tests.shipped import SOME, SPECS

ROOT = Path(__file__).resolve().parents[2]
SQUARE = ROOT / "examples" / "magic_square.yaml"

MIXED = """
puzzle: mixed
title: All kinds of values
data:
  letters: grid[letter]
  box: size = 2x3
variables:
  free[c]: bool for c in letters.cells
  number[c]: between(1, 3) for c in letters.cells
  chosen[i]: bool for i in range(3)
  age[w]: between(5, 6) for w in ("ann", "bob")
  whole: between(7, 8)
auxiliary:
  spare: between(1, 2)
rules:
  numbers: number[c] == c.column for c in letters.cells
  cells: free[c] == (c.row == 1) for c in letters.cells
  some: chosen[i] == (i > 0) for i in range(3)
  ages: age["ann"] == 6 and age["bob"] == 5 and whole == 8
show:
  number:
  twice: 2 * whole
"""


@pytest.fixture
def mixed() -> Solution:
    (solution,) = load(MIXED, {"letters": ["ab", "c."]}).solve()
    return solution


def square(size: int = 3, **more: Any) -> Puzzle:
    return load(SQUARE, {"size": size, **more})


def test_a_solution_is_a_mapping_of_plain_values(mixed: Solution) -> None:
    values = {
        "free": ["##", "-."],
        "number": [[1, 2], [1, None]],
        "chosen": [1, 2],
        "age": {"ann": 6, "bob": 5},
        "whole": 8,
        "twice": 16,
    }
    assert dict(mixed) == values == dict(mixed.items()) == {name: mixed[name] for name in mixed}
    assert list(mixed) == list(mixed.keys()) == list(values) and list(mixed.values()) == list(
        values.values()
    )
    assert (
        len(mixed) == 6
        and "age" in mixed
        and "twice" in mixed
        and "spare" not in mixed
        and mixed.get("spare") is None
    )
    assert isinstance(mixed, Mapping) and mixed.json() == {**values, "number": ["12", "1."]}
    with pytest.raises(KeyError):
        mixed["spare"]


def test_a_puzzle_is_a_mapping_of_its_data(mixed: Solution) -> None:
    puzzle = load(MIXED, {"letters": ["ab", "c."]})
    assert (
        dict(puzzle) == {"letters": ["ab", "c."], "box": [2, 3]}
        and len(puzzle) == 2
        and "box" in puzzle
    )


def test_what_they_are_is_seen(mixed: Solution) -> None:
    assert repr(mixed).startswith(
        "<Solution of mixed: free=['##', '-.'], number=[[1, 2], [1, None]], chosen=[1, 2]"
    )
    (long,) = load(
        "puzzle: long\nvariables:\n  row[i, j]: between(i, i) for i in range(100, 120) "
        "for j in range(20)\n"
    ).solve()
    assert (
        repr(long).startswith("<Solution of long: row={'(100, 0)': 100, ") and len(repr(long)) < 140
    )
    assert repr(square()) == "<Puzzle magic_square: 9 unknowns, 9 constraints>"
    assert (
        repr(load(SQUARE, {"size": 3, "title": "Small"}))
        == "<Puzzle magic_square: Small, 9 unknowns, 9 constraints>"
    )


def test_solutions_are_equal_where_puzzle_and_unknowns_are() -> None:
    one, other = list(square().solve()), list(square().solve(backend="z3"))
    assert len(one) == 8 and set(one) == set(other) and len({*one, *other}) == 8
    assert one[0] == other[other.index(one[0])] and one[0] != one[1] and one[0] != dict(one[0])
    (given,) = square(givens=one[0]["number"]).solve()
    assert given["number"] == one[0]["number"] and given != one[0]
    hidden = load(MIXED, {"letters": ["ab"]})
    assert len({Solution(hidden.instance, solution.assignment) for solution in hidden.solve()}) == 1


def test_puzzles_are_equal_where_type_and_data_are() -> None:
    assert (
        square() == square()
        and hash(square()) == hash(square())
        and len({square(), square(4), square()}) == 2
    )
    assert square() != square(4) and square() != square(
        givens=[[1, None, None], [None] * 3, [None] * 3]
    )
    assert square() != load(
        SQUARE.read_text(encoding="utf-8").replace("== magic for line", ">= magic for line"),
        {"size": 3},
    )
    assert square() == load(SQUARE, "size: 3\ntitle: another")
    assert square() != 3


def test_lexicons_are_equal_where_their_words_are() -> None:
    kind = "puzzle: w\ndata:\n  words: lexicon\nvariables:\n  x: words\n"
    ranked = load(kind, {"words": ["to", "be", "or"]})
    assert (
        ranked
        == load(kind, {"words": ["to", "be", "or"]})
        != load(kind, {"words": ["be", "or", "to"]})
    )
    assert ranked != load(kind, {"words": ["to", "be", "of"]})
    assert (
        ranked["words"] == ["to", "be", "or"]
        and load(kind, {"words": "english"})["words"] == "english"
    )
    lexicon = ranked.instance.data["words"]
    again = pickle.loads(pickle.dumps(lexicon))
    assert (
        isinstance(again, Lexicon)
        and list(again) == list(lexicon)
        and again.rank("be") == lexicon.rank("be") == 2
    )


def test_copies_are_equal(mixed: Solution) -> None:
    puzzle = square()
    for copied in (copy.copy(puzzle), copy.deepcopy(puzzle), pickle.loads(pickle.dumps(puzzle))):
        assert copied == puzzle and copied.count() == 8
    for solution in (
        copy.copy(mixed),
        copy.deepcopy([mixed])[0],
        pickle.loads(pickle.dumps(mixed)),
    ):
        assert solution == mixed and dict(solution) == dict(mixed)


def test_the_value_of_a_ranked_solution_and_what_follows_are_pickled() -> None:
    puzzle = load("puzzle: r\nvariables:\n  x: between(1, 3)\ngoals:\n  high: maximise(x)\n")
    ranked = list(puzzle.solve(rank="high"))
    assert [solution.value for solution in pickle.loads(pickle.dumps(ranked))] == [3, 2, 1]


OTHER_PROCESS = """
import json, pickle, sys
for data in pickle.load(sys.stdin.buffer):
    solution = pickle.loads(data)
    puzzle = solution.instance.type.name
    html = len(solution._repr_html_())
    print(json.dumps([puzzle, solution.json(), repr(solution), html, str(solution.key())]))
"""


def test_solutions_of_every_type_cross_to_a_process_that_has_not_loaded_them() -> None:
    solutions = []
    for path in map(SPECS.__getitem__, SOME):
        puzzle = load(None, path)
        (solution,) = puzzle.run(Query(limit=1))
        solutions.append(solution)
    assert len(solutions) >= 20 and any(solution.sequels for solution in solutions)
    done = subprocess.run(
        [sys.executable, "-c", OTHER_PROCESS],
        input=pickle.dumps([pickle.dumps(solution) for solution in solutions]),
        capture_output=True,
        env={"PYTHONHASHSEED": "7"},
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr.decode()
    for solution, line in zip(solutions, done.stdout.decode().splitlines(), strict=True):
        name, values, shown, drawn, key = json.loads(line)
        assert name == solution.instance.type.name
        assert (values, shown) == (json.loads(json.dumps(solution.json())), repr(solution)), name
        assert drawn == len(solution._repr_html_()) and key == str(solution.key()), name


def test_a_solution_that_does_not_fit_is_no_solution(mixed: Solution) -> None:
    restore, (instance, chosen, value, then) = mixed.__reduce__()
    swapped = [
        (1 - position, text) if text == "True" else (position, text) for position, text in chosen
    ]
    assert restore(instance, swapped, value, then) == mixed  # the text says which value is meant
    with pytest.raises(InputError, match="is from another version"):
        restore(instance, chosen[1:], value, then)
    with pytest.raises(InputError, match="the value 9, which is not in the domain"):
        restore(instance, [(0, "9"), *chosen[1:]], value, then)


def image(html: str) -> ElementTree.Element:
    found = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', html)
    assert found is not None
    return ElementTree.fromstring(b64decode(found[1]).decode())


def test_a_notebook_draws_them(mixed: Solution) -> None:
    html = mixed._repr_html_()
    cells = [text.text for text in image(html).iter("{http://www.w3.org/2000/svg}text")]
    assert cells[1:4] == ["1", "2", "1"] and "<pre>" in html and "twice: 16" in html
    assert (
        html.count("<style") == 0 and "<script" not in html
    )  # nothing that reaches the page around it
    drawn = square(givens=[["5", None, None], [None] * 3, [None] * 3])._repr_html_()
    assert "5" in [text.text for text in image(drawn).iter("{http://www.w3.org/2000/svg}text")]
    assert " 5  ·  ·" in drawn and "size" not in drawn  # the board shows its size
    harmful = load(MIXED, {"letters": ["ab"], "title": "<script>alert(1)</script>"})
    assert "<script" not in harmful._repr_html_()
