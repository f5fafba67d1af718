"""What a type says under `then`: checked when it is read, fed as a spec is,
and told as what it is.
"""

from pathlib import Path

import pytest

from puzzlekit.api import Query, load
from puzzlekit.api.pictures import sections
from puzzlekit.errors import Problems
from puzzlekit.lang import read_type
from puzzlekit.lang.type_sections import check_sections

FIRST = (
    "puzzle: first\nvariables:\n  x: (1, 2)\nlet:\n  b: board(2, 2)\nrules:\n  a: x == 1\nthen:\n"
    "  {}\n"
)
SECOND = "puzzle: second\ntitle: The second\ndata:\n  {}\nvariables:\n  y: {}\nrules:\n  a: {}\n"


def write(folder: Path, **types: str) -> Path:
    for name, text in types.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder / "first.yaml"


def pair(
    folder: Path,
    then: str,
    data: str = "n: int",
    domain: str = "(1, 2)",
    rule: str = "y == n",
    more: str = "",
) -> Path:
    return write(folder, first=FIRST.format(then), second=SECOND.format(data, domain, rule) + more)


UNSOUND = {
    "second: {}": "first.yaml:9:3: second requires the field n",
    "second: {n: x, m: 1}": "first.yaml:9:21: second has no field m",
    "second: {n: z}": "first.yaml:9:15: z is not known here",
    "nothing: {n: x}": "first.yaml:9:3: there is no puzzle type nothing",
    "./nothing.yaml: {n: x}": "nothing.yaml: there is no such type file",
    "first: {n: x}": "first.yaml:9:3: first follows itself: first → first",
}


@pytest.mark.parametrize(("then", "said"), UNSOUND.items())
def test_what_follows_is_checked_before_anything_is_solved(
    then: str, said: str, tmp_path: Path
) -> None:
    first = pair(tmp_path, then)
    for check in (lambda: check_sections(read_type(first)), lambda: load(str(first))):
        with pytest.raises(Problems) as error:
            check()
        assert said in str(error.value)


@pytest.mark.parametrize("length", [2, 3, 7])
def test_a_cycle_of_any_length_is_found(length: int, tmp_path: Path) -> None:
    for place in range(length):
        text = f"puzzle: t{place}\nvariables:\n  x: bool\nthen:\n  t{(place + 1) % length}: {{}}\n"
        write(tmp_path, **{f"t{place}": text})
    write(tmp_path, first="puzzle: first\nvariables:\n  x: bool\nthen:\n  t0: {}\n")
    way = " → ".join([*(f"t{place}" for place in range(length)), "t0"])
    for name, before in (("first", "first → "), ("t0", "")):
        with pytest.raises(Problems, match=f"t0 follows itself: {before}{way}"):
            load(str(tmp_path / f"{name}.yaml"))


def test_types_that_meet_again_are_no_cycle(tmp_path: Path) -> None:
    plain = "puzzle: {}\nvariables:\n  x: bool\n"
    texts = {name: plain.format(name) + "then:\n  last: {}\n" for name in ("left", "right")}
    write(
        tmp_path,
        **texts,
        last=plain.format("last"),
        first=plain.format("first") + "then:\n  left: {}\n  right: {}\n",
    )
    (solution,) = load(str(tmp_path / "first.yaml")).solve(limit=1)
    assert [
        solution.sequels[name].solution.sequels["last"].outcome for name in ("left", "right")
    ] == ["one solution of several"] * 2  # type: ignore[union-attr]


def test_what_is_wrong_in_a_second_type_is_told_with_its_place(tmp_path: Path) -> None:
    first = pair(tmp_path, "second: {n: x}", rule="y == zz")
    with pytest.raises(Problems) as error:
        load(str(first))
    assert "first.yaml:9:3: the second type second has errors" in str(error.value)
    assert "second.yaml:8:11: zz is not known here" in str(error.value)


def test_a_second_type_is_found_by_its_path_from_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = pair(tmp_path, "./second.yaml: {n: x}")
    monkeypatch.chdir("/")
    (solution,) = load(str(first)).solve()
    assert solution.sequels["./second.yaml"].outcome == "the only solution"


OUTCOMES = [
    ("y == n", "", "the only solution", None, {"y": 1}),
    ("y >= n", "", "one solution of several", None, {"y": 1}),
    ("y > n + 1", "", "no solution, proven", None, {}),
    ("y >= n", "goals:\n  g: maximise(y)\n", "proven optimal", True, {"y": 2}),
    ("y > n + 1", "goals:\n  g: maximise(y)\n", "no solution, proven", False, {}),
]


@pytest.mark.parametrize(("rule", "goal", "outcome", "optimal", "shown"), OUTCOMES)
def test_what_follows_is_told_as_what_it_is(
    rule: str, goal: str, outcome: str, optimal: bool | None, shown: dict[str, int], tmp_path: Path
) -> None:
    (solution,) = load(str(pair(tmp_path, "second: {n: x}", rule=rule, more=goal))).solve()
    sequel = solution.sequels["second"]
    assert (sequel.outcome, sequel.optimal) == (outcome, optimal)
    more = {} if optimal is None else {"optimal": optimal}
    assert solution.json()["then"] == {"second": {**shown, **more, "outcome": outcome}}
    _, (heading, _) = sections(solution)
    assert heading == f"The second: {outcome}"


def test_a_second_type_without_a_goal_is_drawn(tmp_path: Path) -> None:
    """It was told as none, proven optimal."""
    (solution,) = load(str(write(tmp_path, first=FIRST.format("queens: {size: x + 3}")))).solve()
    _, (heading, parts) = sections(solution)
    assert heading == "Queens: one solution of several"
    assert len(parts) == 1 and solution.json()["then"]["queens"]["queen"] == [
        "-#--",
        "---#",
        "#---",
        "--#-",
    ]


def test_a_sequel_that_has_no_time_stops_the_run(tmp_path: Path) -> None:
    hard = "all_different(y) and sum(y[i] * (i + 7) for i in range(40)) == n"
    text = SECOND.format("n: int", "between(0, 60) for i in range(40)", hard).replace(
        "  y:", "  y[i]:"
    )
    first = write(
        tmp_path,
        first=FIRST.format("second: {n: 31337 + x}"),
        second=text + "goals:\n  g: minimise(y[0] * y[1])\n",
    )
    run = load(str(first)).run(Query(limit=1), "csp", 0.5)
    (solution,) = run
    assert run.status == "stopped"
    assert solution.sequels["second"].outcome.startswith(("stopped: the time is up", "not proven"))


DATA = {
    "n: int": {
        "x + 1": 2,
        "'7'": 7,
        "(1, 2)": "expected int, got a list",
        "b": "expected int",
        "'a'": "is not",
    },
    "n: bool": {"x == 1": True, "x": "'1' is not true or false"},
    "n: word": {"'Word'": "word", "'two words'": "is not a word"},
    "n: mark": {"green": "g", "'r'": "is not a mark"},
    "n: size": {"'2x3'": [2, 3], "x": "is not a size"},
    "n: choice(a, b)": {"'a'": "a", "'c'": "expected one of a, b, got 'c'"},
    "n: list[int]": {"(x, 2)": [1, 2], "()": [], "(x, 'a')": "'a' is not a whole number", "x": [1]},
    "n: tuple[int, word]": {"(x, 'A')": [1, "a"], "(x,)": "got 1 value"},
    "n: list[marks]": {"((green, grey),)": [["g", "b"]]},
    "n: map[word, int]": {"\"{'a': x}\"": {"a": 1}, "x": "expected map[word, int]"},
    "n: grid[int]": {"b": "r1c1 holds nothing (None)", "x == 1": "is not a whole number"},
    "n: grid[int | None]": {"b": ["..", ".."]},
    "n: list[word]": {"('b', 'a')": ["b", "a"]},
}


@pytest.mark.parametrize(
    ("data", "value", "told"), [(d, v, t) for d, cases in DATA.items() for v, t in cases.items()]
)
def test_values_are_held_to_the_type_of_their_field(
    data: str, value: str, told: object, tmp_path: Path
) -> None:
    shown = "show:\n  n: n\n"
    value = value if value.startswith('"') else f'"{value}"'
    puzzle = load(str(pair(tmp_path, f"second: {{n: {value}}}", data, rule="y == 1", more=shown)))
    (solution,) = puzzle.solve()
    sequel = solution.json()["then"]["second"]
    if "n" in sequel:
        assert sequel["n"] == told
    else:
        assert isinstance(told, str) and told in sequel["outcome"]
        assert "first.yaml:9:15: " in sequel["outcome"]


def test_defaults_likeness_and_checks_of_the_second_type_hold(tmp_path: Path) -> None:
    """A field with a default that was not given ended in a NameError."""
    data = "n: int = 2\n  a: grid[symbol] | None\n  c: {type: 'grid[symbol] | None', like: a}"
    (solution,) = load(str(pair(tmp_path, "second: {}", data, rule="y == n"))).solve()
    assert solution.sequels["second"]["y"].members == {(): 2}
    (solution,) = load(
        str(pair(tmp_path, "second: {a: \"('a b', 'c d')\", n: 1, c: \"('a b',)\"}", data))
    ).solve()
    assert solution.sequels["second"].outcome.endswith("first.yaml:9:42: c has 1 row, but a has 2")
    checked = pair(tmp_path, "second: {n: x}", more="require:\n  n is even: n % 2 == 0\n")
    (solution,) = load(str(checked)).solve()
    assert solution.sequels["second"].outcome.endswith(
        "first.yaml:9:15: this does not hold: n is even"
    )


def test_a_solution_from_which_nothing_can_follow_does_not_end_the_run(tmp_path: Path) -> None:
    """Where a value is missing, its field is left out."""
    first = (
        "puzzle: first\nvariables:\n  x[i]: (1, 2) for i in range(2)\n  y: (0, 5)\nthen:\n"
        "  second: {n: 'x[y]'}\n"
    )
    solved = list(
        load(
            str(write(tmp_path, first=first, second=SECOND.format("n: int", "(1, 2)", "y == n")))
        ).solve()
    )
    assert len(solved) == 8
    outcomes = {solution["y"]: solution.sequels["second"].outcome for solution in solved}
    assert outcomes[0] == "the only solution"
    assert outcomes[5].startswith("cannot be asked: ") and "the field n is missing" in outcomes[5]


def test_unknowns_and_boards_and_lexicons_are_handed_on(tmp_path: Path) -> None:
    first = (
        "puzzle: first\ndata:\n  words: lexicon = english\n  g: grid[int]\nvariables:\n"
        "  x[c]: (10, g[c]) for c in g.cells\n"
        "  z[i]: (i,) for i in range(3)\nrules:\n  a: x[c] == g[c] for c in g.cells\n"
        "then:\n  second: {words: words, n: x, z: z}\n"
    )
    second = (
        "puzzle: second\ndata:\n  words: lexicon\n  n: grid[int]\n  z: list[int]\nvariables:\n"
        "  y: (1, 2)\n"
        "rules:\n  a: y == 1\nshow:\n  n: n\n  z: z\n  number: len(words.of_length(5))\n"
    )
    write(tmp_path, first=first, second=second)
    boards = {
        "[12 3, 5 6]": [[12, 3], [5, 6]],
        "[12 _, 7 _]": [[12], [7]],
        "[_ 12, 7 _]": [[None, 12], [7, None]],
    }
    for board, wanted in boards.items():
        write(tmp_path, spec=f"puzzle: first\ng: {board}\nwords: [abcde, fghij, k]\n")
        (solution,) = load(None, tmp_path / "spec.yaml").solve(limit=1)
        assert solution.json()["then"]["second"] == {
            "n": wanted,
            "z": [0, 1, 2],
            "number": 2,
            "outcome": "the only solution",
        }


def test_what_follows_may_be_larger_than_a_file(tmp_path: Path) -> None:
    first = pair(
        tmp_path, "second: {n: range(30_000)}", "n: list[int]", rule="y == len(n) - 29_999"
    )
    (solution,) = load(str(first)).solve()
    assert solution.sequels["second"].outcome == "the only solution"
