"""Puzzles that are bound and solved like others of their shape say the same as those that are run
alone.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

import puzzlekit
from puzzlekit import Query
from puzzlekit.api.sources import FileText
from puzzlekit.boards.grid import OF_VALUES, Grid
from puzzlekit.errors import InputError, Problems
from puzzlekit.lang import binding
from puzzlekit.lang.rebinding import Shapes
from puzzlekit.model.formatting import term_text
from puzzlekit.solve import compiled
from puzzlekit.solve.compiled import only_solution
from tests.commands import called

SPECS = Path(__file__).parents[2] / "specs"
# what they state: all-different, loops, areas, sums, tables of truths, inequalities of rows,
# lists beside a board
TYPES = (
    "sudoku",
    "slitherlink",
    "masyu",
    "kuromasu",
    "killer",
    "binairo",
    "mosaic",
    "heyawake",
    "minesweeper",
    "lits",
)
TYPES = (*TYPES, "skyscrapers", "kakurasu", "thermometers", "doppelblock")
SHARED = binding.shapes_of


def _variant(text: str, dice: random.Random) -> str:
    """A spec with some clues changed, and perhaps with errors."""
    head = text.partition("\nexpect:")[0]
    places = [
        place
        for place, sign in enumerate(head)
        if sign in ".0123456789?xo" and "\n" in head[:place]
    ]
    for place in dice.sample(places, min(len(places), dice.choice((0, 1, 1, 2, 4)))):
        head = head[:place] + dice.choice("......0123456789x?") + head[place + 1 :]
    return f"{head}\n"


def _told(path: Path, text: str) -> tuple[Any, bool]:
    """What a spec gives: its error, or its model and the result of a run;
    and whether it was answered like others.
    """
    try:
        puzzle = puzzlekit.load(None, FileText(path, text))
    except InputError as error:
        return str(error), False
    run = puzzle.run(Query(limit=2), timeout=20)
    solutions = [(solution.json(), str(solution)) for solution in run]
    if run.status != "complete":
        return None, False
    model = [(str(each.origin), term_text(each.condition)) for each in puzzle.model.constraints]
    return (
        model,
        solutions,
        run.count,
        run.counted,
        run.solved_by.replace(
            "presolve", "sat"
        ),  # a board that is searched directly skips presolve
        run.outcome(),
        run.conflict,
    ), bool(run.answered_by)


@pytest.mark.sampled(7)
@pytest.mark.parametrize("kind", TYPES)
def test_a_sequence_of_specs_gives_the_same_as_each_alone(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = random.Random(kind)
    files = sorted((SPECS / kind).glob("*.yaml"), key=lambda path: (path.stat().st_size, path))[:3]
    wrong = answered = 0
    for _ in range(12):
        path = dice.choice(files)
        text = _variant(path.read_text("utf-8"), dice)
        monkeypatch.setattr(binding, "shapes_of", SHARED)
        together, like = _told(path, text)
        monkeypatch.setattr(binding, "shapes_of", lambda _: Shapes())
        alone, _ = _told(path, text)
        if together is not None and alone is not None:
            assert together == alone, text
        wrong += isinstance(alone, str)
        answered += like
    assert wrong and answered, "the sequence shows neither errors nor puzzles that are answered so"


TWO = """
puzzle: two
data:
  board: {type: "grid[int | None] in 1..n"}
  extra: list[int] = []
let:
  n: len(board.rows)
  doubled: "{c: 2 * board[c] for c in board.numbers}"
  same: board
variables:
  x[c]: between(1, n) for c in board.cells
define:
  sum_of[i]: sum(x[row]) for i, row in enumerate(board.rows)
rules:
  rows differ: all_different(x[row]) for row in board.rows
  columns differ: all_different(x[column]) for column in board.columns
  givens stay: 2 * x[c] == doubled[c] for c in board.numbers
  another name is the same board: x[c] == same[c] for c in same.numbers
  the sums are known: sum_of[i] == n * (n + 1) // 2 for i in range(n)
  extra numbers: x[board.cells[i]] == k for i, k in enumerate(extra)
"""


@pytest.fixture
def loaded(tmp_path: Path) -> Iterator[Any]:
    (tmp_path / "two.yaml").write_text(TWO)

    def load(board: str, **fields: Any) -> puzzlekit.Puzzle:
        return puzzlekit.load(tmp_path / "two.yaml", {"board": board.split(), **fields})

    return load


def test_what_reads_no_value_that_differs_is_stated_once(loaded: Any) -> None:
    first, _, third, fourth = (
        loaded(board) for board in ("1.. ... ...", ".2. ... ...", "... 3.. ...", "3.. ..1 ...")
    )
    rules = lambda puzzle: {str(each.origin.rule): each for each in puzzle.model.constraints}  # noqa: E731
    shared = {rule for rule, each in rules(third).items() if each is rules(fourth)[rule]}
    assert shared == {"rows differ", "columns differ", "the sums are known"}
    assert not {*map(id, first.model.constraints)} & {*map(id, third.model.constraints)}, (
        "the first one pays nothing"
    )
    assert fourth.instance.scope["same"] is fourth.instance.data["board"]
    assert [dict(solution) for solution in fourth.solve()] == [
        {"x": [[3, 1, 2], [2, 3, 1], [1, 2, 3]]}
    ]


def test_no_goal_is_as_good_as_none_that_is_named(loaded: Any) -> None:
    boards = ("1.. .2. ...", ".2. ..1 ...", "... 3.. ..1", "1.. .3. ...")
    runs = [loaded(board).run(Query(limit=2, goal="none")) for board in boards]
    assert [len(list(run)) for run in runs] == [1] * 4
    assert [bool(run.answered_by) for run in runs] == [False, False, True, True]


def test_another_shape_or_another_field_is_not_mixed_up(loaded: Any) -> None:
    boards = [
        "12. ... ...",
        ".2. ... ..1",
        "12.. .... .... ...4",
        "... 3.. ..1",
        "1... .2.. .... ....",
        "21. ... ...",
    ]
    for board in boards:
        for extra in ([], [2], [1, 2]):
            puzzle = loaded(board, extra=extra)
            alone = binding.Instance(puzzle.type, puzzle.instance.data)
            assert [*map(_said, puzzle.model.constraints)] == [*map(_said, alone.model.constraints)]


def _said(constraint: puzzlekit.model.Constraint) -> tuple[str, str]:
    return str(constraint.origin), term_text(constraint.condition)


def test_unknowns_that_depend_on_clues_are_never_shared(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text("""
puzzle: own
data: {board: "grid[int | None]"}
variables: {"x[c]": "between(1, board[c]) for c in board.numbers"}
rules: {it is large: "x[c] == board[c] for c in board.numbers"}
""")
    for board in ("12", "21", "3.", "33"):
        puzzle = puzzlekit.load(path, {"board": [board]})
        assert puzzle.instance.plan is None
        assert [len(puzzle.model.domains), puzzle.count()] == [len(board.replace(".", "")), 1]
    assert binding.shapes_of(puzzle.type).reason == "the unknowns depend on board"


LISTS = """
puzzle: lists
data: {sums: "list[int | None]", extra: "list[int] = []"}
require: {the first is not 0: "sums[0] != 0"}
let:
  n: len(sums)
  places: board(1, n)
  one: "1 if sums[0] == None else sums[0] // sums[0]"
  half: one * n // 2
variables: {"x[c]": "between(0, 8 + one) for c in places.cells"}
rules:
  the sums are told: "x[c] == s for c, s in zip(places.cells, sums) if s != None"
  none is more than the half: "x[c] <= half + 9 for c in places.cells"
  the first is the least: "x[places.cells[0]] <= x[c] for c in places.cells"
"""


def test_a_value_of_let_stands_for_the_fields_behind_it(tmp_path: Path) -> None:
    (tmp_path / "lists.yaml").write_text(LISTS)
    told: list[object] = []
    for sums in (
        [1, 2],
        [2, None],
        [1, 3],
        [None, 3],
        [1, 3, 4],
        [2, 3, 4],
        [0, 3],
        [3, 3, 4],
        [3, 4],
    ):
        try:
            puzzle = puzzlekit.load(tmp_path / "lists.yaml", {"sums": sums})
        except Problems as error:
            told.append([problem.message for problem in error.problems])
            continue
        alone = binding.Instance(puzzle.type, puzzle.instance.data)
        assert [*map(_said, puzzle.model.constraints)] == [*map(_said, alone.model.constraints)]
        told.append(puzzle.instance.plan is not None)
    assert told == [
        False,
        False,
        True,
        True,
        False,
        False,
        ["this does not hold: the first is not 0"],
        True,
        True,
    ]


def test_boards_are_kept_within_a_bound(loaded: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlekit.lang.rebinding.ALL_KEPT", 40)
    small, large = ("12. 2.. ...", "13. 3.. ..."), ("1... .2.. .... ....", "2... .1.. .... ....")
    plans = [
        loaded(board).instance.plan is not None
        for board in (*small, small[0], *large, large[0], *small, small[0])
    ]
    assert plans == [False, False, True, False, False, True, False, True, True], (
        "each shape takes the place of the other"
    )


def test_variants_with_other_unknowns_are_kept_apart(tmp_path: Path) -> None:
    (tmp_path / "tall.yaml").write_text("""
puzzle: tall
data: {board: "grid[int | None]", high: int = 2}
variables: {"x[c]": "between(1, high) for c in board.cells"}
rules: {givens stay: "x[c] == board[c] for c in board.numbers"}
""")
    for high in (2, 3, 3, 2, 2, 3):
        for board in ("1.", ".2"):
            puzzle = puzzlekit.load(tmp_path / "tall.yaml", {"board": [board], "high": high})
            assert puzzle.count() == high
    assert puzzle.instance.plan is not None


NAMES = """
puzzle: names
data: {board: "grid[int | None]"}
let:
  doubled: sum(2 * board[c] for c in board.numbers)
variables: {"x[c]": "between(0, 9) for c in board.cells"}
define: {"more[c]": "x[c] + (1 if board[c] == 1 else 0) for c in board.cells"}
rules:
  doubled: sum(x) < 20
  more: all_different(x)
  all are known: sum(x) == doubled
  more than before: more[c] < 4 for c in board.cells
"""


def test_a_rule_may_have_the_name_of_a_value(tmp_path: Path) -> None:
    (tmp_path / "names.yaml").write_text(NAMES)
    for board in ("1..", ".2.", "2..", ".11", "3..", "..1"):
        puzzle = puzzlekit.load(tmp_path / "names.yaml", {"board": [board]})
        alone = binding.Instance(puzzle.type, puzzle.instance.data)
        assert [*map(_said, puzzle.model.constraints)] == [*map(_said, alone.model.constraints)]
    assert puzzle.instance.plan is not None


@pytest.mark.parametrize("anew", [0, 10_000])
@pytest.mark.parametrize(("literals", "additions"), [(30, 20_000), (40_000, 5)])
def test_literals_of_a_solver_are_not_those_of_the_next(
    anew: int, literals: int, additions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlekit.backends.sat.STORED_LITERALS", literals)
    monkeypatch.setattr("puzzlekit.backends.sat.REBUILT_CLAUSES", anew)
    monkeypatch.setattr(compiled, "CACHED_ADDITIONS", additions)
    rows = ["..222", "22.13", ".21..", "....1", ".21.3"]
    turned = [rows, rows[::-1], [row[::-1] for row in rows], [row[::-1] for row in rows[::-1]]]
    runs = [
        puzzlekit.load("slitherlink", {"clues": board}).run(Query(limit=2)) for board in turned * 3
    ]
    assert [(len([*run]), run.answered_by) for run in runs][2:] == [(1, "sat")] * 10


def test_a_solver_that_has_no_room_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlekit.backends.sat.STORED_LITERALS", 2)
    monkeypatch.setattr("puzzlekit.backends.sat.REBUILT_CLAUSES", 0)
    monkeypatch.setattr(compiled, "CACHED_ADDITIONS", 3)
    text = (SPECS / "sudoku" / "ai_escargot.yaml").read_text("utf-8").partition("\nexpect:")[0]
    answered = [
        puzzlekit.load(None, text.translate(str.maketrans(digits, digits[::-1])) + "\n").run(
            Query(limit=2)
        )
        for digits in ("12", "13", "24", "89", "35")
    ]
    assert [(len([*run]), run.answered_by) for run in answered][2:] == [(1, "sat")] * 3


def test_the_time_of_one_puzzle_does_not_stop_the_next(loaded: Any) -> None:
    for board in ("12. 2.. ...", "13. 3.. ...", "21. 1.. ...", "23. 3.. ...", "31. 1.. ..."):
        run = loaded(board).run(Query(limit=2), timeout=30)
        assert len([*run]) == 1 and run.status == "complete", run.reason
        run.clock.deadline = 0.0
    assert run.answered_by


@pytest.mark.parametrize("stage", ["addition", "propagated"])
def test_an_interrupt_leaves_nothing_half_made(
    stage: str, loaded: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    boards = ("12. 2.. ...", "13. 3.. ...", "21. 1.. ...", "23. 3.. ...", "31. 1.. ...")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(compiled.BasePresolve, stage, interrupt)
        runs = [loaded(board).run(Query(limit=2)) for board in boards]
        assert [len([*run]) for run in runs][:3] == [1, 1, 0]
        assert runs[2].interrupted and runs[2].status == "stopped"
    assert [len([*loaded(board).run(Query(limit=2))]) for board in boards] == [1] * 5


def test_check_says_the_same_of_many_specs_as_of_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (SPECS / "sudoku" / "ai_escargot.yaml").read_text("utf-8")
    names = []
    for digits in ("12", "13", "24", "89", "35"):
        names.append(f"{digits}.yaml")
        (tmp_path / names[-1]).write_text(
            text.translate(str.maketrans(digits, digits[::-1])).replace(
                "solutions: 1", "solutions: 2"
            )
        )
    answered: list[Any] = []
    monkeypatch.setattr(
        "puzzlekit.api.run.only_solution",
        lambda *given: answered.append(only_solution(*given)) or answered[-1],
    )
    together = called("check", *names, cwd=tmp_path)
    assert sum(map(bool, answered)) >= 3
    monkeypatch.setattr(binding, "shapes_of", lambda _: Shapes())
    alone = [called("check", name, cwd=tmp_path) for name in names]
    assert (together.returncode, together.stdout) == (
        alone[0].returncode,
        "".join(one.stdout for one in alone),
    )
    assert together.stderr == "".join(one.stderr for one in alone)


def test_a_search_of_more_than_a_moment_is_left_to_the_whole_machinery(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("puzzlekit.backends.sat.SHORT_CONFLICTS", 1)
    monkeypatch.setattr("puzzlekit.backends.sat.SHORT_PROPAGATIONS", 1)
    path = SPECS / "sudoku" / "golden_nugget.yaml"
    for _ in range(3):
        puzzle = puzzlekit.load(None, path)
        run = puzzle.run(Query(limit=2))
        found = [*run]
        assert (len(found), run.status, run.answered_by, run.conflict) == (1, "complete", "", "")
    assert only_solution(puzzle.instance, run.budget) is None


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("sudoku/first", "compiled once"),
        ("nurikabe/medium", "solved one by one: the unknowns depend on clues"),
        ("waffle/first", "solved one by one: the rules have a table of rows"),
    ],
)
def test_compare_tells_whether_a_type_is_compiled(spec: str, told: str) -> None:
    done = called("compare", f"specs/{spec}.yaml", "--limit", "2", "--verbose", "--backends", "sat")
    assert f"boards of this shape are {told}" in " ".join(done.stdout.split())


def test_nothing_is_said_at_the_end_of_a_program() -> None:
    program = (
        "import puzzlekit\nfor _ in range(4): print(*puzzlekit.load(None, "
        "'specs/sudoku/ai_escargot.yaml').solve())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=SPECS.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.count("Solution") == 4 and done.stderr == ""


def test_a_default_that_could_not_be_read_is_read_again() -> None:
    spec = SPECS / "waffle/first.yaml"
    with pytest.raises(InputError, match="there is no lexicon englsh"):
        puzzlekit.load("waffle", spec, lexicon="englsh")
    assert puzzlekit.load("waffle", spec).count() == 1


STARTED = """
puzzle: started
data:
  board: {type: "grid[int | None]"}
variables:
  x[c]: bool for c in board.cells
rules:
  given cells: all(x[board.given])
goals:
  most: known_best(maximise(sum(x)), bound=3, start=[(x[c], True) for c in board.cells])
"""


def test_what_the_start_of_a_goal_reads_is_not_shared() -> None:
    """Rules are run on the start, too, and read the given cells of the board that is retained."""
    conditions = []
    for row in ((1, None, None), (1, None, None), (1, 1, None), (None, 1, 1)):
        puzzle = puzzlekit.load(STARTED, {"board": [row]})
        conditions += [term_text(each.condition) for each in puzzle.model.constraints]
    first, second, third = "x[r1c1]", "x[r1c2]", "x[r1c3]"
    assert conditions == [first, first, f"{first} and {second}", f"{second} and {third}"]


def test_boards_share_the_attributes_of_their_cells_only() -> None:
    rows = [[1, "a", None], ["a", 1, None]], [[None, None, 1], ["a", "a", 1]]
    first, second = (Grid.of_rows(each, hole="x") for each in rows)
    names = {
        name
        for class_ in Grid.__mro__
        for name, member in vars(class_).items()
        if isinstance(member, cached_property)
    }
    different = {name for name in names if getattr(first, name) != getattr(second, name)}
    assert different == OF_VALUES
    assert not OF_VALUES & first.attributes_of_cells().keys()
