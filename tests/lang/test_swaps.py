"""Cutting arcs into the most cycles, goals that begin with a known answer, marks beside letters,
and how words are marked.
"""

from collections import Counter
from itertools import islice, permutations
from pathlib import Path
from random import Random

import pytest

from puzzlekit.api import Puzzle, Query, load
from puzzlekit.backends import BACKENDS
from puzzlekit.errors import Problems
from puzzlekit.lang import bind, read_spec, type_of_text
from puzzlekit.libraries.words import Mark, marks
from puzzlekit.query import Task
from tests.lang.languages import build, problems_of, refusal, type_text

EXACT = """\
puzzle: exact
data: {from: "grid[symbol]", to: "grid[symbol]"}
let:
  moving: c for c in from.cells if from[c] != to[c]
  arcs: (from[c], to[c]) for c in moving
  often: "{a: count(arcs, a) for a in distinct(arcs)}"
  cycles: simple_cycles(arcs)
variables:
  times[k]: between(0, min(often[a] for a in k)) for k in cycles
rules:
  all: sum(times[k] for k in cycles.through(a)) == often[a] for a in often
goals:
  fewest_swaps: minimise(len(moving) - sum(times))
"""


def puzzle_of(text: str, spec: str) -> Puzzle:
    kind, read = type_of_text("type.yaml", text), read_spec("spec.yaml", spec)
    return Puzzle(kind, read, bind(kind, read), 0.0)


@pytest.mark.parametrize("seed", range(25))
def test_shortest_ways_are_those_among_all_simple_cycles(seed: int, tmp_path: Path) -> None:
    """The type of the project counts what a model over every simple cycle counts at its goal."""
    source = Random(seed)
    start = source.choices("abcdefg", k=source.randint(2, 18))
    spec = f"from: [{''.join(start)}]\nto: [{''.join(source.sample(start, len(start)))}]\n"
    (tmp_path / "spec.yaml").write_text(spec)
    exact, swaps = puzzle_of(EXACT, spec), load("swaps", tmp_path / "spec.yaml")
    run = swaps.run(Query(limit=1))
    (solution,) = run
    least = exact.best("fewest_swaps")
    assert least is not None
    assert run.optimal
    assert solution["count"] == run.value == len(solution["steps"])
    assert run.value == len(exact.instance.scope["moving"]) - sum(least["times"].values())
    assert swaps.count() == swaps.count(goal="fewest_swaps") == exact.count(goal="fewest_swaps")


def large(tmp_path: Path) -> Path:
    """A board of 96 cells: more cycles to choose from than backends are asked about."""
    source = Random(4)
    start = source.choices("eeeeettttaaaooiinnsshhrrdlucmfwygpb", k=96)
    path = tmp_path / "large.yaml"
    path.write_text(f"from: [{''.join(start)}]\nto: [{''.join(source.sample(start, 96))}]\n")
    return path


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_large_board_is_proven_whatever_the_backend(backend: str, tmp_path: Path) -> None:
    puzzle = load("swaps", large(tmp_path))
    assert puzzle.instance.starts.keys() == {"fewest_swaps"}
    run = puzzle.run(Query(limit=1), backend)
    (solution,) = run
    cycles = puzzle.instance.scope["cycles"]
    assert (run.status, run.optimal) == ("complete", True)
    assert (
        run.value
        == solution["count"]
        == len(solution["steps"])
        == len(puzzle.instance.scope["moving"]) - cycles.bound
    )


def test_a_large_board_has_other_shortest_ways(tmp_path: Path) -> None:
    puzzle = load("swaps", large(tmp_path))
    run = puzzle.run(Query(Task.OPTIMISE, 2, "fewest_swaps"), "sat")
    solutions = list(run)
    assert len({tuple(solution["times"].items()) for solution in solutions}) == 2
    assert {solution["count"] for solution in solutions} == {run.value}
    assert run.optimal


def test_boards_of_other_symbols_have_no_way() -> None:
    with pytest.raises(Problems, match="this does not hold: both boards hold the same symbols"):
        load(
            "swaps",
            Path(__file__).parents[2] / "specs/swaps/row.yaml",
            settings={"to": "🍎 🍎 🍎 🍎 🍎 🍎"},
        )


def test_best_cycles_of_plain_values() -> None:
    for rule in (
        "len(best_cycles([(1, 2), (2, 1), (2, 3), (3, 1), (1, 2)])) == 2",
        "best_cycles([(1, 2), (2, 1)]).bound == 1 and len(best_cycles([(1, 2), (2, 1)]).cut) == 1",
        (
            "len(best_cycles([(1, 2), (2, 1)]).through((2, 1))) == 1 "
            "and len(best_cycles([(1, 2)])) == 0"
        ),
    ):
        assert build(rule).model.constraints == ()
    assert refusal("best_cycles([1]) == 1").message == "expected a pair (from, to) as an arc"
    assert refusal("best_cycles([(1, x[0])]) == 1").message == "an arc cannot depend on an unknown"


def goal(text: str) -> str:
    return type_text("x[0] + x[1] == 3") + f"goals:\n  g: {text}\n"


def test_a_goal_that_begins_at_its_bound_asks_no_backend() -> None:
    puzzle = puzzle_of(
        goal("known_best(minimise(x[0]), bound=1, start=[(x[0], 1), (x[1], 2)])"), "title: a spec"
    )
    run = puzzle.run(Query(limit=1))
    assert [solution["x"] for solution in run] == [[1, 2, 0]]
    assert (run.value, run.optimal, run.status, run.count) == (1, True, "complete", 1)
    run = puzzle.run(Query(Task.OPTIMISE, goal="g"))
    assert {tuple(solution["x"][:2]) for solution in islice(run, 100)} == {(1, 2)}
    assert run.value == 1


def test_a_start_short_of_the_bound_is_left_to_the_backend() -> None:
    puzzle = puzzle_of(
        goal("known_best(maximise(x[0]), bound=3, start=[(x[0], 1), (x[1], 2)])"), "title: a spec"
    )
    best = puzzle.best("g")
    assert best is not None
    assert best["x"][:2] == [2, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "known_best(minimise(x[0]), bound=0, start=[(x[1], 2)])",
            "the start value of the goal violates the rule: r",
        ),
        (
            "known_best(minimise(x[0]), bound=0, start=[(x[1], 7)])",
            "x[1] cannot take its start value in the goal",
        ),
        (
            "known_best(minimise(x[0]), bound=0, start=[(1, 2)])",
            "expected pairs of an unknown and its value as the start",
        ),
        (
            "known_best(minimise(x[0]), bound=0, start=[(x[0], x[1])])",
            "a value cannot depend on an unknown",
        ),
        (
            "known_best(minimise(x[0]), bound=x[1])",
            "the bound of a goal cannot depend on an unknown",
        ),
        ("known_best(x[0], 1)", "expected minimise(…) or maximise(…) as the goal, got x[0]"),
    ],
)
def test_starts_that_are_wrong(text: str, message: str) -> None:
    found = problems_of(goal(text))
    assert message in found[0].message


# marks beside letters

BOTH = """\
letters: |
  i🟨 b🟨 e⬜️
  t⬜ .   e🟩
  y⬜ gy  ob
"""


def test_letters_and_marks_in_one_block(tmp_path: Path) -> None:
    (tmp_path / "both.yaml").write_text(BOTH, encoding="utf-8")
    puzzle = load("waffle", tmp_path / "both.yaml")
    assert "".join(puzzle.instance.data["letters"].values.values()) == "ibeteygo"
    assert "".join(map(str, puzzle.instance.data["colours"].values.values())) == "yybbgbyb"
    (solution,) = puzzle.solve()
    assert solution["answer"] == ["boy", "i.e", "get"]


@pytest.mark.parametrize(
    "block",
    [
        "i🟨b🟨e⬜\n  t⬜.e🟩\n  y⬜g🟨o⬜",  # without blanks
        "i🟨b🟨e⬜\n  t⬜..e🟩\n  y⬜g🟨o⬜",
        "i🟨\tb🟨\te⬜\n  t⬜\t_\te🟩\n  y⬜\tg🟨\to⬜",
        "IY BY EW\n  TW .. EG\n  YW GY OW",
        "i🟦 b🟦 e⬛\n  t⬛ . e🟧\n  y⬛ g🟦 o⬛",  # of high contrast
    ],
)
def test_the_forms_of_one_block(block: str, tmp_path: Path) -> None:
    (tmp_path / "both.yaml").write_text(f"letters: |\n  {block}\n", encoding="utf-8")
    data = load("waffle", tmp_path / "both.yaml").instance.data
    assert "".join(data["letters"].values.values()) == "ibeteygo"
    assert "".join(map(str, data["colours"].values.values())) == "yybbgbyb"
    set_beside = load(
        "waffle", None, settings={"letters": block.replace("\n  ", "\n")}
    ).instance.data
    assert set_beside["colours"].values == data["colours"].values


def test_one_block_on_the_command_line_that_is_wrong() -> None:
    with pytest.raises(Problems) as raised:
        load("waffle", None, settings={"letters": "i🟨 b🟨\nt⬜ e"})
    assert [problem.message for problem in raised.value.problems] == [
        "'e' is a letter without a mark"
    ]


def test_a_hole_in_one_of_two_blocks_is_told_with_its_row(tmp_path: Path) -> None:
    text = "letters: |\n  ibe\n  t.e\n  ygo\ncolours: |\n  🟨🟨⬛\n  ⬛⬜🟩\n  ⬛🟨⬛\n"
    (tmp_path / "both.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(Problems) as raised:
        load("waffle", tmp_path / "both.yaml")
    (problem,) = raised.value.problems
    assert problem.message == "colours has a cell at r2c2, but letters has none"
    assert problem.position is not None and problem.position.line == 7


@pytest.mark.parametrize(
    ("old", "new", "message", "column"),
    [
        ("b🟨", "4🟨", "'4' is not a letter", 6),
        ("b🟨", "bb🟨", "'bb' is not a letter", 6),
        ("  t⬜ .", "  t⬜", "row 2 has 2 cells, but row 1 has 3", 3),
        ("t⬜ .", "t⬜ ⬛", "'⬛' is a mark without a letter", 6),
        ("ob", "o", "'o' is a letter without a mark", 10),
        ("ob", "oq", "'oq' is a letter without a mark", 10),
    ],
)
def test_one_block_that_is_wrong(
    old: str, new: str, message: str, column: int, tmp_path: Path
) -> None:
    (tmp_path / "both.yaml").write_text(BOTH.replace(old, new), encoding="utf-8")
    with pytest.raises(Problems) as raised:
        load("waffle", tmp_path / "both.yaml")
    first = raised.value.problems[0]
    assert first.message == message
    assert first.position is not None
    assert first.position.column == column


def test_marks_that_are_left_out_are_missed(tmp_path: Path) -> None:
    (tmp_path / "none.yaml").write_text("letters: |\n  abc\n  d.e\n  fgh\n")
    with pytest.raises(Problems, match="the field colours is missing"):
        load("waffle", tmp_path / "none.yaml")
    both = BOTH + "colours: |\n  ggg\n  g.g\n  ggg\n"
    (tmp_path / "none.yaml").write_text(both, encoding="utf-8")
    with pytest.raises(Problems, match=r"is not a letter|row 3 has"):
        load("waffle", tmp_path / "none.yaml")


@pytest.mark.parametrize(
    ("letters", "colours", "words", "message"),
    [
        ("i.e.x", "g.g.g", "boy, get, big, yet", "r2c5 stands in a word of two letters or more"),
        ("i.e..", "g.g..", "bold, gets", "the lexicon has words of 3 letters"),
    ],
)
def test_boards_that_no_words_can_fill(
    letters: str, colours: str, words: str, message: str, tmp_path: Path
) -> None:
    blocks = (
        f"letters: |\n  boy..\n  {letters}\n  get..\ncolours: |\n  ggg..\n  {colours}\n  ggg..\n"
    )
    (tmp_path / "spec.yaml").write_text(f"words: [{words}]\n{blocks}")
    with pytest.raises(Problems, match=message):
        load("waffle", tmp_path / "spec.yaml")


# markings

RING = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)]
SLOTS = [[0, 1, 2], [5, 6, 7], [0, 3, 5], [2, 4, 7]]


def rows(cells: object) -> str:
    text = "".join(map(str, cells))  # type: ignore[call-overload]
    return f"|\n  {text[:3]}\n  {text[3]}.{text[4]}\n  {text[5:]}\n"


def ring(letters: str, colours: str, words: str, marking: str) -> Puzzle:
    text = (
        f"puzzle: waffle\nmarking: {marking}\nwords: [{words}]\n"
        f"letters: {rows(letters)}colours: {rows(colours)}"
    )
    kind = load("waffle", Path(__file__).parents[2] / "specs/waffle/ring.yaml").type
    spec = read_spec("spec.yaml", text)
    return Puzzle(kind, spec, bind(kind, spec), 0.0)


@pytest.mark.parametrize(
    ("letters", "colours", "words", "solution", "game"),
    [
        ("eeabcbdd", "ywygwggg", "ace, bdd, abb, eed", "acebebdd", True),  # as the game marks it
        ("eeabcbdd", "wyygwggg", "ace, bdd, abb, eed", "acebebdd", False),  # crossings first
        (
            "acebdacc",
            "yggygywg",
            "cce, bac, cab, edc",
            "cceadbac",
            True,
        ),  # two yellow a's in a column that holds one
    ],
)
def test_where_the_markings_differ(
    letters: str, colours: str, words: str, solution: str, game: bool
) -> None:
    flat = rows(solution).split()[1:]
    assert [
        found["answer"] for found in ring(letters, colours, words, "any").solve(goal="none")
    ] == [flat]
    assert [
        found["answer"] for found in ring(letters, colours, words, "game").solve(goal="none")
    ] == [flat] * game


def consistent(letters: str, solution: str, colours: str) -> bool:
    """What `any` allows, by trying for each yellow every choice of words of which it is true."""
    if any((a == b) != (mark == "g") for a, b, mark in zip(letters, solution, colours)):
        return False
    yellows = [c for c, mark in enumerate(colours) if mark == "y"]
    choices: list[frozenset[tuple[int, int]]] = [frozenset()]
    for cell in yellows:
        of = [n for n, slot in enumerate(SLOTS) if cell in slot]
        ways = [{(n, cell) for n in of[:1]}, {(n, cell) for n in of[1:]}, {(n, cell) for n in of}]
        choices = [choice | frozenset(way) for choice in choices for way in ways if way]
    return any(
        all(_slot_agrees(n, letters, solution, colours, choice) for n in range(4))
        for choice in choices
    )


def _slot_agrees(
    n: int, letters: str, solution: str, colours: str, true: frozenset[tuple[int, int]]
) -> bool:
    slot = SLOTS[n]
    held = Counter(solution[c] for c in slot if colours[c] != "g")
    said = Counter(letters[c] for c in slot if (n, c) in true)
    greys = {letters[c] for c in slot if colours[c] == "b"}
    return all(held[x] >= said[x] for x in said) and all(held[x] == said[x] for x in greys)


@pytest.mark.parametrize("seed", range(12))
def test_any_is_what_a_consistent_marking_could_have_shown(seed: int) -> None:
    """Held to brute force over the fills,
    with colours of the game and with some of them changed.
    """
    source = Random(seed)
    solution = "".join(source.choices("aabc", k=8))
    letters = "".join(source.sample(solution, 8))
    best = [Mark.GREY] * 8
    for slot in SLOTS:
        for cell, mark in zip(slot, marks([letters[c] for c in slot], [solution[c] for c in slot])):
            best[cell] = max(best[cell], mark)
    colours = list(map(str, best))
    for cell in source.sample(range(8), seed % 3):
        colours[cell] = {"b": "y", "y": "b", "g": "g"}[colours[cell]]
    words = sorted({"".join(p) for p in permutations(sorted(letters), 3)})
    fills = {"".join(fill) for fill in set(permutations(letters))}
    wanted = {
        fill
        for fill in fills
        if len({"".join(fill[c] for c in slot) for slot in SLOTS}) == 4
        and consistent(letters, fill, "".join(colours))
    }
    puzzle = ring(letters, "".join(colours), ", ".join(words), "any")
    found = {"".join(solution["answer"]).replace(".", "") for solution in puzzle.solve(goal="none")}
    assert found == wanted
    game = {
        "".join(solution["answer"]).replace(".", "")
        for solution in ring(letters, "".join(colours), ", ".join(words), "game").solve(goal="none")
    }
    assert game <= found
