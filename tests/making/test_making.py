"""Puzzles that the rules of a type make: one solution, found by two backends,
and no clue too many.
"""

import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import puzzlekit
from puzzlekit import Query
from puzzlekit.api import Run, refusal_of_size
from puzzlekit.boards import Cell, Grid
from puzzlekit.catalogue import find
from puzzlekit.cli.generation import base_puzzle, parser_of
from puzzlekit.lang import Instance, read_type
from puzzlekit.making import PuzzleNumber, RuleGenerator, Tools
from puzzlekit.making.clues import Clues, ClueTable, InterdependentClues, clue_table
from puzzlekit.making.fields import clue_fields, clues_in
from puzzlekit.making.maker import Candidate, Maker
from puzzlekit.making.quality import quality
from tests.commands import called, started
from tests.shipped import MADE, SMALLEST, SPECS

# the types that make puzzles without a declaration
NAMES = """
    aqre aquarium binairo bosanowa bricks canal_view castle_wall cave choco_banana chocona
    cocktail_lamp country_road creek detour different_neighbours digital_battleships doors
    doppelblock fillomino forbidden_four futoshiki fuzuli gappy geradeweg
    graeco_latin_square hakoiri_masashi hanare_gumi heyawake juosan kakurasu kojun kuromasu
    kurotto magnets masyu minesweeper mosaic nanro number_ball number_cross nurimisaki one_to_x
    paint_area patchwork pills pipelink putteria regional_yajilin renban ripple_effect skyscrapers
    slant slitherlink snake squaro starry_sky statue_park str8ts sudoku suguru sukoro tenner_grid
    terra_x thermometers tilepaint tracks trinairo triplets yin_yang
"""
TYPES = NAMES.split()
SLOW = (
    *("bosanowa", "str8ts"),  # most of their solutions have others with the same clues
    *("castle_wall", "digital_battleships", "gappy", "snake", "tenner_grid"),
    *MADE,  # in tests/making/test_shipped.py
)
SECOND = {"bosanowa": "cp-sat"}  # where z3 needs minutes for a puzzle
MANY = 20


def table(name: str) -> ClueTable:
    return clue_table(
        puzzlekit.load(None, SPECS[next(own for own in SMALLEST if own.startswith(f"{name}/"))])
    )


def solutions(made: ClueTable, clues: Clues, backend: str) -> int:
    """How many solutions there are with these clues and no others, of at most two."""
    data = dict(made.puzzle.instance.data)
    for name in made.fields:
        own = data[name]
        if isinstance(own, Grid):
            data[name] = Grid({cell: clues.get((name, cell)) for cell in own.cells})
        else:
            data[name] = tuple(clues.get((name, number)) for number in range(len(own)))
    puzzle = puzzlekit.Puzzle(
        made.puzzle.type, made.puzzle.spec, Instance(made.puzzle.type, data, checked=False)
    )
    return len(list(puzzle.run(Query(limit=2, ordered=False), backend)))


def some(maker: Maker, seed: str) -> Candidate:
    found = (maker.make(Random(f"{seed} {attempt}")) for attempt in range(200))
    return next(one for one in found if one is not None)


@pytest.mark.sampled(20)
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] if n in SLOW else []) for n in TYPES]
)
def test_a_puzzle_of_each_type_has_one_solution(name: str) -> None:
    own = table(name)
    made = some(Maker(own), name)
    assert solutions(own, made.clues, "auto") == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", TYPES)
def test_many_puzzles_of_each_type_have_one_solution_by_two_backends(name: str) -> None:
    own = table(name)
    maker = Maker(own)
    for number in range(MANY):
        made = some(maker, f"{name} {number}")
        assert (
            solutions(own, made.clues, "auto")
            == solutions(own, made.clues, SECOND.get(name, "z3"))
            == 1
        )


@pytest.mark.parametrize("name", ["sudoku", "slant", "yin_yang", "skyscrapers", "nurimisaki"])
def test_no_clue_is_too_many(name: str) -> None:
    own = table(name)
    maker = Maker(own)
    made = some(maker, name)
    for spot in made.clues.keys() - made.forced:
        assert (
            solutions(
                own, {other: value for other, value in made.clues.items() if other != spot}, "auto"
            )
            == 2
        )


@pytest.mark.parametrize("symmetry", ["rotate", "mirror"])
def test_clues_are_symmetric(symmetry: str) -> None:
    own = table("sudoku")
    clues = some(Maker(own, symmetry), "x").clues  # type: ignore[arg-type]
    cells = {cell for _, cell in clues}
    assert cells == {
        type(c)(7 - c.row if symmetry == "rotate" else c.row, 7 - c.column) for c in cells
    }


def test_clues_lean_to_no_place_and_no_value() -> None:
    maker = Maker(table("sudoku"))
    made = [some(maker, f"{number}").clues for number in range(12)]
    rows, values = (
        Counter(found)
        for found in zip(*((c.row, value) for own in made for (_, c), value in own.items()))
    )
    assert sorted(rows) == sorted(values) == [1, 2, 3, 4, 5, 6]
    assert max(rows.values()) < 3 * min(rows.values())
    assert max(values.values()) < 3 * min(values.values())


@pytest.mark.parametrize(
    "name", ["slant", "yin_yang", pytest.param("masyu", marks=pytest.mark.slow)]
)
def test_the_same_random_numbers_make_the_same_puzzle(name: str) -> None:
    one, other = (Maker(table(name)) for _ in range(2))
    made = [one.make(Random(number)) for number in range(4)]
    again = {number: other.make(Random(number)) for number in (2, 0, 3, 1)}
    assert [own and own.clues for own in made] == [
        own and own.clues for _, own in sorted(again.items())
    ]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nurikabe", "which unknowns there are depends on the clues"),
        ("boggle", "no field whose parts may be empty"),
    ],
)
def test_a_type_whose_clues_do_not_act_one_by_one_says_why(name: str, message: str) -> None:
    with pytest.raises(InterdependentClues, match=message):
        table(name)


def values(name: str) -> set[tuple[str, Any]]:
    """Return the values of clues that a table has, with their fields."""
    return {(field, value) for (field, _), value in table(name).added}


def test_clues_that_state_together_what_each_of_them_implies_are_all_made() -> None:
    made = table("masyu")
    assert values("masyu") == {("pearls", "b"), ("pearls", "w")}
    (first, second), *_ = made.together
    assert made.added[first] and made.added[second]
    assert list(made.stated_together(dict([first, second]))) == [(first, second)]
    assert not list(made.stated_together(dict([first])))


BLACK_AND_WHITE = """
puzzle: colours
data: {clues: "grid[choice(b, w) | None]"}
variables:
  black[c]: bool for c in clues.cells
rules:
  "{c} is black": black[c] for c in clues.given if clues[c] == 'b'
  "{c} is white": not black[c] for c in clues.given if clues[c] == 'w'
  "{a} and {b} are not both black": |
    not (black[a] and black[b]) for a, b in clues.adjacent if clues[a] == clues[b] == 'COLOUR'
"""


@pytest.mark.parametrize(("colour", "made"), [("b", {"w"}), ("w", {"b", "w"})])
def test_clues_that_state_more_together_are_left_out(colour: str, made: set[str]) -> None:
    type_text = BLACK_AND_WHITE.replace("COLOUR", colour)
    clues = clue_table(puzzlekit.load(type_text, {"clues": ["...", "..."]})).added
    assert {value for _, value in clues} == made


def test_the_command_says_where_an_author_may_say_more() -> None:
    done = called("generate", "boggle")
    assert (
        done.returncode == 2
        and "say under make: in" in done.stderr
        and "boggle.yaml" in done.stderr
    )


def test_a_puzzle_is_printed_as_a_spec_that_check_accepts(tmp_path: Path) -> None:
    done = called(
        "generate", "slant", "--size", "4x5", "--seed", "7", "--count", "2", "--out", str(tmp_path)
    )
    assert done.returncode == 0
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["slant-7-1.yaml", "slant-7-2.yaml"]
    assert called("check", *map(str, files)).returncode == 0
    text = files[0].read_text(encoding="utf-8")
    assert "source: puzzlekit generate slant --size 4x5 --seed 7\n" in text
    assert called("generate", "slant", "--size", "4x5", "--seed", "7").stdout == text


def test_the_other_fields_are_those_of_a_spec_or_an_option() -> None:
    done = called("generate", "heyawake", "--like", "specs/heyawake/tiny.yaml", "--seed", "1")
    rooms = puzzlekit.load(None, "specs/heyawake/tiny.yaml")["rooms"]
    assert puzzlekit.load(None, done.stdout)["rooms"] == rooms
    done = called("generate", "sudoku", "--size", "4", "--set", "diagonals=yes", "--seed", "1")
    assert puzzlekit.load(None, done.stdout)["diagonals"] is True


DRAWN = {
    "heyawake": "rooms",
    "juosan": "regions",
    "number_cross": "numbers",
    "paint_area": "areas",
    "pills": "digits",
    "stitches": "regions",
    "thermometers": "thermometers",
}


@pytest.mark.parametrize("name", DRAWN)
def test_fields_that_are_no_clues_differ(name: str) -> None:
    puzzles = puzzlekit.generate(name, 3, seed=1, size="5x5")
    assert len({str(puzzle[DRAWN[name]]) for puzzle in puzzles}) == 3


def test_clues_may_be_members_of_a_collection() -> None:
    done = called("generate", "graeco_latin_square", "--size", "3", "--seed", "1")
    assert set(puzzlekit.load(None, done.stdout).instance.data["letters"].values.values()) > {None}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*TYPES, *MADE} - {"bosanowa"}))
def test_the_name_of_a_type_is_enough(name: str, tmp_path: Path) -> None:
    assert (
        called(
            "generate", name, "--seed", "3", "--count", "1", "--out", str(tmp_path / "one.jsonl")
        ).returncode
        == 0
    )


def test_density_is_how_many_walls_there_are_and_symmetry_how_they_lie() -> None:
    done = called(
        "generate", "akari", "--size", "6", "--seed", "1", "--density", "33", "--symmetry", "mirror"
    )
    walls = set(puzzlekit.load(None, done.stdout).instance.data["walls"].given)
    assert len(walls) == 12 and walls == {Cell(cell.row, 7 - cell.column) for cell in walls}
    assert "--symmetry mirror --density 33 --seed 1\n" in done.stdout


def test_symmetry_of_the_command_is_that_of_the_clues() -> None:
    done = called("generate", "sudoku", "--size", "4", "--seed", "1", "--symmetry", "rotate")
    given = set(puzzlekit.load(None, done.stdout).instance.data["givens"].given)
    assert given == {Cell(5 - cell.row, 5 - cell.column) for cell in given}


@pytest.mark.parametrize("name", ["slitherlink", "hashi", "zebra", "killer", "polyforms"])
def test_lines_of_specs_are_not_wide_and_read_the_same(name: str, tmp_path: Path) -> None:
    done = called("generate", name, "--seed", "1", "--out", str(tmp_path))
    spec = Path(done.stdout.strip())
    lines = spec.read_text("utf-8").splitlines()
    assert any(len(line) > 80 for line in lines) and max(map(len, lines)) <= 100
    assert called("check", str(spec)).returncode == 0


@pytest.mark.parametrize("size", ["3", "4"])  # numbers of one digit, and of two
def test_boards_of_answers_are_rows_of_text(size: str) -> None:
    done = called("generate", "hidato", "--size", size, "--seed", "1")
    answer = done.stdout.partition("  answer: |\n")[2].splitlines()
    assert len(answer) == int(size) and len({*map(len, answer)}) <= 2
    assert called("check", "-", stdin=done.stdout).returncode == 0


def test_boxes_fit_boards_of_other_sizes() -> None:
    done = called("generate", "killer", "--size", "4x4", "--seed", "1")
    assert puzzlekit.load(None, done.stdout)["box"] == [2, 2]


def test_a_size_that_the_type_never_allows_is_told_as_the_reason() -> None:
    done = called("generate", "killer", "--size", "5x5", "--seed", "1")
    assert done.stdout == "" and "a box holds as many cells as a row" in done.stderr


def test_minimal_takes_clues_away_that_a_type_leaves() -> None:
    command = ("generate", "nonogram", "--size", "5", "--seed", "1")
    lacking = []
    for options in ((), ("--minimal",)):
        puzzle = puzzlekit.load(None, called(*command, *options).stdout)
        lacking.append([*puzzle["rows"], *puzzle["columns"]].count(None))
        assert puzzle.count() == 1
    assert lacking[0] == 0 < lacking[1]


@pytest.mark.parametrize("name", ["star_battle", "nonogram"])  # regions; clues that all stay
def test_puzzles_that_differ_in_what_is_never_taken_away_are_not_the_same(name: str) -> None:
    done = called("generate", name, "--size", "5", "--seed", "1", "--count", "3")
    made = {str(dict(puzzlekit.load(None, text))) for text in done.stdout.split("\n---\n")}
    assert done.returncode == 0 and len(made) == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--size", "0x3"), "--size 0x3"),
        (("--symmetry", "round"), "invalid choice: 'round'"),
        (("--set", "box"), "argument --set: expected FIELD=VALUE, got box"),
        (("--workers", "2"), "--workers requires --out FILE.jsonl"),
        (("--size", "4", "--like", "x.yaml"), "not allowed with"),
        (("--like", "nothing.yaml"), "nothing.yaml"),
        (("--density", "0"), "expected a number from 1 to 99, got 0"),
        (("--density", "20"), "--density 20: no cells of sudoku are scattered"),
    ],
)
def test_wrong_options_are_refused(options: tuple[str, ...], message: str) -> None:
    done = called("generate", "sudoku", *options)
    assert done.returncode == 2 and message in done.stderr and "Traceback" not in done.stderr


@pytest.mark.sampled(2)
@pytest.mark.parametrize("level", ["easy", "medium", "expert", "60..120"])
def test_a_level_is_that_of_rate(level: str) -> None:
    done = called("generate", "slitherlink", "--size", "5x5", "--seed", "1", "--level", level)
    rating = puzzlekit.load(None, done.stdout).rate()
    wanted = 60 <= rating.score <= 120 if level == "60..120" else rating.level == level
    assert done.returncode == 0 and wanted and f"score: {rating.score}\n" in done.stdout


def test_a_level_that_no_puzzle_has_is_said() -> None:
    done = called("generate", "slant", "--size", "3x3", "--seed", "1", "--level", "90000..90001")
    assert (
        done.returncode == 1
        and "none in 24 tries, 24 too easy\n" in done.stderr
        and not done.stdout
    )


@pytest.mark.parametrize(("name", "size"), [("slitherlink", "1"), ("nurikabe", "1")])
def test_a_puzzle_without_a_clue_is_none(name: str, size: str) -> None:
    done = called("generate", name, "--size", size, "--seed", "1")
    assert (done.returncode, done.stdout) == (1, "")
    assert "none in 40 tries, 40 without a clue\n     = the board may be too small" in done.stderr


@pytest.mark.parametrize("levels", ["extreme", "easy,extreme"])
def test_the_advice_on_a_level_is_the_same_for_one_and_for_several(levels: str) -> None:
    done = called("generate", "sudoku", "--size", "4", "--seed", "1", "--level", levels)
    advice = "--level names an easier level, and --size a larger board"
    assert done.returncode == 1 and f"24 too easy\n     = {advice}\n" in done.stderr


def test_a_strangers_type_makes_puzzles(tmp_path: Path) -> None:
    type_ = tmp_path / "of mine" / "latin.yaml"
    type_.parent.mkdir()
    assert called("new", "type", "latin", "--out", str(type_)).returncode == 0
    done = called("generate", str(type_), "--size", "4", "--seed", "1")
    assert done.returncode == 0 and puzzlekit.load(type_, done.stdout).count() == 1
    again = called(*shlex.split(puzzlekit.load(type_, done.stdout).spec.text("source"))[1:])
    assert again.stdout == done.stdout


@pytest.mark.parametrize(
    "name",
    [
        *("sudoku", "slant"),
        *(pytest.param(n, marks=pytest.mark.slow) for n in ("masyu", "skyscrapers", "fillomino")),
    ],
)
def test_puzzles_have_different_solutions(name: str) -> None:
    """All sudokus had one solution: a search decided auxiliary unknowns first,
    and these were not random.
    """
    maker = Maker(table(name))
    solutions = {
        tuple(sorted(map(str, some(maker, f"{seed}").all_clues.items()))) for seed in range(4)
    }
    assert len(solutions) > 2


def test_fields_that_allow_no_puzzle_are_named(tmp_path: Path) -> None:
    spec = tmp_path / "ones.yaml"
    spec.write_text(
        "puzzle: suguru\ngivens: |\n  ..\n  ..\nregions: |\n  ab\n  cd\n", encoding="utf-8"
    )  # ones that touch
    done = called("generate", "suguru", "--like", str(spec), "--seed", "1")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "suguru 1: none in 40 tries\n     = all puzzles have the regions of one spec: "
        "--like names another one\n"
    )


@pytest.mark.parametrize(
    ("name", "size"), [("norinori", "2x2"), ("norinori", "3x3"), ("dominosa", "2x2")]
)
def test_where_nothing_is_found_another_size_is_proposed(name: str, size: str) -> None:
    """Some draws have nothing to draw from on so few cells;
    others have no puzzle with one solution.
    """
    done = called("generate", name, "--size", size, "--seed", "1")
    assert done.returncode != 0 and not done.stdout
    assert (
        f"{name} 1: none in 40 tries\n     = the board may be too small" in done.stderr
        and "--size names another" in done.stderr
    )


def test_a_file_with_another_text_is_refused_and_stays(tmp_path: Path) -> None:
    command = ("generate", "slant", "--seed", "1", "--out", str(tmp_path))
    assert called(*command, "--size", "4").returncode == 0
    file = tmp_path / "slant-1-1.yaml"
    text = file.read_text(encoding="utf-8")
    assert called(*command, "--size", "4").returncode == 0  # the same text again
    done = called(*command, "--size", "5")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{file}: the file exists and has another text")
    assert file.read_text(encoding="utf-8") == text and list(tmp_path.iterdir()) == [file]
    twice = called("generate", "slant:4,slant:5", "--out", str(tmp_path))
    assert twice.returncode == 2 and "slant is named twice" in twice.stderr


def test_a_set_that_comes_short_names_its_type(tmp_path: Path) -> None:
    """On so few cells there are fewer puzzles than the command asks for."""
    done = called("generate", "slant", "--size", "2x2", "--count", "30", "--seed", "1")
    assert done.returncode == 1 and done.stdout
    number = done.stdout.count("puzzle: slant")
    assert done.stderr.splitlines()[-1] == f"slant: {number} of 30 puzzles"
    assert "slant 30: none in 40 tries" in done.stderr


@pytest.mark.parametrize("module", ["by_rules", "quality"])
def test_an_interrupted_proof_is_no_verdict(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(run: Run) -> Iterator[Any]:
        run.interrupt()
        yield from ()

    type_ = read_type(find("slant"))
    options = parser_of("slant", RuleGenerator, False).parse_args(
        ["--size", "4"], SimpleNamespace()
    )
    generator = RuleGenerator(base_puzzle(type_, options))
    tools = Tools(type_, 1, print)
    generator.begin(options, tools)
    puzzle = generator.generated(PuzzleNumber(1))
    assert puzzle is not None
    monkeypatch.setattr(Run, "__iter__", interrupted)
    with pytest.raises(KeyboardInterrupt):
        if module == "by_rules":
            generator.generated(PuzzleNumber(2))
        else:
            quality(tools.puzzle(generator.spec(puzzle)), 10.0)


def test_the_same_seed_gives_the_same_bytes_whatever_the_order_of_sets(tmp_path: Path) -> None:
    kinds = "slant:5x5,akari:5x5,shikaku:5x5,hitori:4x4"  # clues alone, a layout, designs
    made = []
    for seed in ("1", "2"):
        done = started(
            "generate",
            kinds,
            "--seed",
            "3",
            "--count",
            "2",
            "--out",
            str(tmp_path / seed),
            PYTHONHASHSEED=seed,
        )
        assert done.returncode == 0
        made.append({file.name: file.read_bytes() for file in (tmp_path / seed).iterdir()})
    assert made[0] == made[1] and len(made[0]) == 8


@pytest.mark.parametrize(("name", "numbers"), [("slitherlink", "22..24"), ("sudoku", "14")])
def test_a_puzzle_has_as_many_clues_as_are_wished(name: str, numbers: str) -> None:
    least, most = numbers.split("..") if ".." in numbers else (numbers, numbers)
    size = "6x6"
    for puzzle in puzzlekit.generate(name, 3, seed=1, size=size, clues=numbers, minimal=True):
        data = puzzle.instance.data
        clues = clues_in(data, clue_fields(puzzle.type, data))
        assert int(least) <= len(clues) <= int(most)
        assert puzzle.count() == 1


def test_too_few_clues_are_refused_with_the_fewest() -> None:
    done = called("generate", "slitherlink", "--size", "5x5", "--seed", "1", "--clues", "1")
    assert done.returncode == 1
    assert "40 with another number of clues" in done.stderr
    assert "the fewest clues were" in done.stderr


def test_a_required_pattern_is_needed() -> None:
    (puzzle,) = puzzlekit.generate("slitherlink", seed=1, size="5x5", require="either way, chain")
    assert puzzle.rate(20, without=["set", "chain", "trial"]).status == "stuck"
    assert {"level", "hardest"} <= puzzle.spec.generated_by.keys()


def test_a_pattern_that_no_puzzle_needs_is_refused() -> None:
    done = called("generate", "tents", "--size", "4x4", "--seed", "1", "--require", "XY-wing")
    assert done.returncode == 1
    assert "without need of XY-wing" in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--clues", "9..3"), "expected a number of clues, or two such as 24..28, got 9..3"),
        (("--clues", "26"), "--clues 26: the board has 16 positions for clues"),
        (("--clues", "few"), "expected a number of clues, or two such as 24..28, got few"),
        (("--require", "X-wong"), "unknown pattern X-wong; did you mean X-wing?"),
        (("--require", ","), "expected names of patterns, separated by commas"),
        (("--level", "easy", "--require", "X-wing"), "not allowed with"),
    ],
)
def test_wrong_wishes_are_refused(options: tuple[str, ...], message: str) -> None:
    done = called("generate", "sudoku", "--size", "4x4", *options)
    assert done.returncode == 2
    assert message in done.stderr


def test_a_density_that_leaves_no_clue_is_refused() -> None:
    done = called("generate", "akari", "--size", "5x5", "--seed", "1", "--density", "97")
    assert done.returncode == 2
    assert "--density 97: what is scattered leaves no clue to a puzzle of akari" in done.stderr


def test_the_source_has_the_wishes() -> None:
    options = ("slitherlink", "--size", "5x5", "--clues", "16..20", "--seed", "1")
    done = called("generate", *options)
    assert f"source: puzzlekit generate {' '.join(options)}" in done.stdout


def test_what_an_empty_board_lacks_is_no_reason_against_a_size() -> None:
    assert refusal_of_size(read_type(find("makaro")), "11x11", "8x8") == ""
    assert "a box holds" in refusal_of_size(read_type(find("killer")), "7x7", "9x9")
