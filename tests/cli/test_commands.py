"""What each command prints, and its exit code."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

from puzzlekit.api import Query, Solution, load
from puzzlekit.backends import BACKENDS
from puzzlekit.cli.commands.list_types import list_types
from puzzlekit.cli.comparison_report import print_comparisons
from puzzlekit.cli.options import ComparisonOutput
from puzzlekit.cli.run_report import print_run
from puzzlekit.errors import MissingExtra
from puzzlekit.solve import auto
from puzzlekit.solve.solver import Solver
from tests.cli.running import wait_until_at_work
from tests.commands import ROOT, Command

WAFFLE = "specs/waffle/first.yaml"
SUDOKU = "specs/sudoku/first.yaml"
EMPTY = "puzzle: sudoku\ngivens: |\n" + "  .........\n" * 9
HARD_TO_COUNT = "puzzle: sudoku\nbox: 4x4\ngivens: |\n" + ("  " + " ".join(["."] * 16) + "\n") * 16


def test_solve_says_that_the_solution_is_the_only_one(started: Command) -> None:
    done = started("solve", "sudoku", SUDOKU)
    assert done.returncode == 0
    assert "┃ 5' 3' 4 ┃ 6  7' 8 ┃ 9  1  2 ┃\n" in done.stdout
    assert "the only solution · presolve" in done.stdout
    assert done.stderr == ""


def test_solve_says_that_there_are_more(puzzlekit: Command) -> None:
    done = puzzlekit("solve", "sudoku", "-", stdin=EMPTY)
    assert done.returncode == 0
    assert "one solution of several" in done.stdout


BOARD = "puzzle: unwordle\nboard: [wygww]\nanswer: their\nwords: {words}\n"


def test_solutions_of_words_come_likeliest_first(puzzlekit: Command) -> None:
    done = puzzlekit("solve", "-", stdin=BOARD.format(words="english"))
    ranks = [int(line.split()[1]) for line in done.stdout.splitlines() if line.startswith("    common: ")]
    assert len(ranks) == 10 and ranks == sorted(ranks)
    assert "\nthe first 10 solutions, ranked by common; there are more · exact-cover" in done.stdout
    every = json.loads(puzzlekit("solve", "-", "--all", "--json", stdin=BOARD.format(words="english-common")).stdout)
    goal = every["goal"]
    assert goal["values"] == sorted(goal["values"]) and len(goal["values"]) == every["count"] == len(every["solutions"])
    assert (goal["name"], goal["value"], goal["optimal"], every["counted"]) == ("common", goal["values"][0], True, True)
    assert (
        "the first solution, ranked by common; there are more · "
        in puzzlekit("solve", "-", "--limit", "1", stdin=BOARD.format(words="english")).stdout
    )


def test_one_solution_alone_has_no_rank_worth_telling(puzzlekit: Command) -> None:
    assert "common" not in puzzlekit("solve", "waffle", WAFFLE).stdout
    assert "common: " in puzzlekit("solve", "waffle", WAFFLE, "--rank", "common").stdout


def test_show_says_what_ranks_and_what_is_the_default(puzzlekit: Command) -> None:
    shown = puzzlekit("show", "waffle").stdout
    assert "\nGoals:\n  common: minimise(" in shown
    assert "\nSolutions are ranked by common; --rank takes another goal, or none\n" in shown
    assert "The default goal is least_words; --goal none drops it" in puzzlekit("show", "sanalouhos").stdout
    sudoku = puzzlekit("show", "Sudoku").stdout
    for field in ("box: size = 3x3  ", "corners: list[cell in givens] = [r1c1]\n", "sums: map[symbol, int in 1..] = {}  "):
        assert f"\n  {field}" in sudoku


def test_rank_by_any_goal_and_by_none(puzzlekit: Command) -> None:
    done = puzzlekit("solve", "specs/sanalouhos/five.yaml", "--rank", "most_words", "--all", "--json")
    values = json.loads(done.stdout)["goal"]["values"]
    assert len(values) > 2 and values == sorted(values, reverse=True)
    done = puzzlekit("solve", "-", "--rank", "none", "--json", stdin=BOARD.format(words="english"))
    assert (json.loads(done.stdout)["goal"], json.loads(done.stdout)["count"]) == (None, 1)


@pytest.mark.parametrize("more", [["--count"], ["--sample", "2"], ["--goal", "most_words"]])
def test_rank_is_for_lists(puzzlekit: Command, more: list[str]) -> None:
    done = puzzlekit("solve", "specs/sanalouhos/tiny.yaml", "--rank", "least_words", *more)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--rank cannot be combined with --goal, --count or --sample" in done.stderr
    done = puzzlekit("solve", "specs/sanalouhos/tiny.yaml", "--rank", "least")
    assert (done.returncode, done.stderr) == (2, "sanalouhos has no goal least; did you mean least_words?\n")


def test_a_lexicon_without_an_order_is_told(puzzlekit: Command, tmp_path: Path) -> None:
    (tmp_path / "sorted.txt").write_text("about\nabove\nbrown\ncrown\nmount\nsound\n")
    spec = "puzzle: unwordle\nboard: [wwwww]\nanswer: fizzy\n"
    done = puzzlekit("solve", "-", "--words", str(tmp_path / "sorted.txt"), stdin=spec)
    assert (done.returncode, "one solution of several · " in done.stdout) == (0, True)
    assert done.stderr == "the default ranking is dropped: the lexicon sorted.txt does not say which of its words are common\n"
    done = puzzlekit("solve", "-", "--words", str(tmp_path / "sorted.txt"), "--rank", "common", stdin=spec)
    assert (done.returncode, done.stdout) == (2, "")
    assert "unwordle has no goal common with these words: the lexicon sorted.txt does not say" in done.stderr


def test_accents_are_folded_where_that_is_asked_for(puzzlekit: Command, tmp_path: Path) -> None:
    (tmp_path / "mots.txt").write_text("élève\nétage\nforêt\n")
    spec = "puzzle: unwordle\nboard: [ggggg]\nanswer: ÉLEVE\n"
    command = ("solve", "-", "--words", str(tmp_path / "mots.txt"), "--json")
    assert puzzlekit(*command, stdin=spec).returncode == 1
    assert json.loads(puzzlekit(*command, "--fold-accents", stdin=spec).stdout)["solutions"] == [{"guess": ["eleve"]}]


def test_words_are_looked_up(puzzlekit: Command, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("The\nof\nco-op\nand\n")
    mine = str(tmp_path / "mine.txt")
    done = puzzlekit("words", mine, "the", "And")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "the: in mine.txt, rank 1 of 3, rarity 0\nAnd: in mine.txt, rank 3 of 3, rarity 16\n"
    done = puzzlekit("words", f"english-{mine}", "the", "water")
    assert done.returncode == 1
    assert done.stdout.startswith("the: not in english-mine.txt\nwater: in english-mine.txt, rank ")
    done = puzzlekit("words", mine)
    assert (done.stdout, done.stderr) == ("of\nand\nthe\n", "1 left out, because of a character that is not a letter\n")
    assert puzzlekit("words", mine, "the", "--length", "3").returncode == 2
    assert "Apache 2.0; wordsegment" in puzzlekit("words").stdout


def test_the_spec_names_the_type(puzzlekit: Command) -> None:
    assert puzzlekit("solve", SUDOKU).returncode == 0
    assert puzzlekit("solve", "-", stdin=EMPTY).returncode == 0


def test_waffle_shows_words_and_swaps(puzzlekit: Command) -> None:
    done = puzzlekit("solve", "waffle", WAFFLE)
    assert done.returncode == 0
    assert "Fewest swaps: 10, proven optimal" in done.stdout
    assert " ↔ " in done.stdout


def test_json_is_one_object_and_nothing_else(puzzlekit: Command) -> None:
    done = puzzlekit("solve", "waffle", WAFFLE, "--json")
    report = json.loads(done.stdout)
    assert done.stderr == ""
    assert list(report) == [
        "puzzle",
        "spec",
        "backend",
        "facts",
        "status",
        "reason",
        "count",
        "counted",
        "uniform",
        "goal",
        "solutions",
        "seconds",
    ]
    assert (report["puzzle"], report["status"], report["count"], report["counted"]) == ("waffle", "complete", 1, True)
    assert report["backend"] == "presolve"  # as the last line of the text says
    assert report["spec"] == WAFFLE
    swaps = report["solutions"][0]["then"]["swaps"]
    assert (swaps["count"], swaps["optimal"], len(swaps["steps"])) == (10, True, 10)
    assert set(report["seconds"]) == {"read", "presolve", "build", "search", "total"}


def test_a_goal_is_reached_and_proven(puzzlekit: Command) -> None:
    spec = "puzzle: swaps\nfrom: [abcab]\nto: [bcaba]\n"
    report = json.loads(puzzlekit("solve", "swaps", "-", "--json", stdin=spec).stdout)
    assert report["goal"] == {"name": "fewest_swaps", "value": 3, "optimal": True}
    assert "fewest_swaps: 3, proven optimal" in puzzlekit("solve", "swaps", "-", stdin=spec).stdout
    everything = json.loads(puzzlekit("solve", "-", "--goal", "fewest_swaps", "--all", "--json", stdin=spec).stdout)
    assert (everything["count"], everything["counted"]) == (1, True)


@pytest.mark.parametrize("count", [1, 3])
def test_limit(puzzlekit: Command, count: int) -> None:
    report = json.loads(puzzlekit("solve", "-", "--limit", str(count), "--json", stdin=EMPTY).stdout)
    assert len(report["solutions"]) == count
    assert report["counted"] is False


def test_nothing_is_proven_and_exits_with_1(started: Command) -> None:
    done = started("solve", "-", stdin=EMPTY.replace("  .........\n", "  11.......\n", 1))
    assert done.returncode == 1
    assert "no solution, proven" in done.stdout
    assert "every row holds each digit once" in done.stdout


def test_no_solution_in_a_lexicon_names_the_next_larger(puzzlekit: Command) -> None:
    spec = "puzzle: unwordle\nboard: [ggggg, ggggg]\nanswer: zzzzz\n"
    done = puzzlekit("solve", "-", stdin=spec)
    assert done.returncode == 1
    assert "english (178,758 words); the next larger lexicon is english-wide: --words english-wide" in done.stdout


def test_a_shared_result_is_a_spec(puzzlekit: Command) -> None:
    shared = "Wordle 812 3/6\n\n⬜🟦⬜⬜🟧\n⬜⬜🟦⬜🟧\n🟧🟧🟧🟧🟧\n"
    same = "puzzle: unwordle\nboard: [byybg, bbybg]\nanswer: crane\n".replace("byybg", "bybbg")
    count = [
        json.loads(puzzlekit("solve", *arguments, "--count", "--json", stdin=text).stdout)["count"]
        for arguments, text in ((["unwordle", "-", "--set", "answer=crane"], shared), (["-"], same))
    ]
    assert count[0] == count[1] > 0
    done = puzzlekit("solve", "unwordle", "-", "--set", "answer=crane", stdin=shared.replace("3/6", "4/6"))
    assert (done.returncode, "<stdin>:1:1: 4/6 announces 4 rows, but there are 3" in done.stderr) == (2, True)
    done = puzzlekit("solve", "-", stdin=shared)
    assert (done.returncode, "this spec does not name its type" in done.stderr) == (2, True)


def test_facts_are_told_before_the_solutions(puzzlekit: Command) -> None:
    spec = "puzzle: wordle\nguesses: {cab: bgb}\nanswers: [bat, cat, hat, dog]\nwords: [bat, cab]\nsuggestions: 1\n"
    done = puzzlekit("solve", "-", "--all", stdin=spec)
    assert "\nwords that remain: 1\nbest" in done.stdout and "\nthe only solution" in done.stdout
    assert "best next guesses:\n  bat  1.00 remain on average, 1 at worst\n" in done.stdout
    facts = json.loads(puzzlekit("solve", "-", "--json", stdin=spec).stdout)["facts"]
    assert facts["words that remain"] == [1]
    assert facts["best next guesses"] == {"bat": "1.00 remain on average, 1 at worst"}


def test_words_are_listed_once_a_line_each_below_the_guesses(puzzlekit: Command) -> None:
    spec = "puzzle: wordle\nguesses: {raise: bbbbb}\nanswers: [blood, clock, lunch]\nwords: [clock]\nsuggestions: 0\n"
    lines = puzzlekit("solve", "-", "--all", stdin=spec).stdout.splitlines()
    assert lines[:4] == ["Wordle", "", "   R  A  I  S  E", ""]
    assert lines[5:10] == ["", "  blood", "  clock", "  lunch", ""]
    two = puzzlekit("solve", "-", "--all", stdin=spec.replace("bbbbb", "[bbbbb, bbbbb]")).stdout
    assert "the most common on each board:\n  1  blood clock lunch\n  2  blood clock lunch\n" in two
    assert "\n  blood  blood\n  blood  clock\n" in two
    assert "\n\n  blood\n\none solution of several" in puzzlekit("solve", "-", stdin=spec).stdout


def test_words_are_joined(puzzlekit: Command, tmp_path: Path) -> None:
    (tmp_path / "more.txt").write_text("zzzzz\n")
    spec = "puzzle: unwordle\nboard: [ggggg]\nanswer: zzzzz\n"
    done = puzzlekit("solve", "-", "--words", f"english+{tmp_path / 'more.txt'}", stdin=spec)
    assert (done.returncode, "[Z][Z][Z][Z][Z]" in done.stdout) == (0, True)


def test_fields_are_set(puzzlekit: Command) -> None:
    spec = "puzzle: unwordle\nboard: [wygww]\nanswer: geese\nwords: english-common\n"
    counts = {
        marking: json.loads(puzzlekit("solve", "-", "--count", "--json", "--set", f"marking={marking}", stdin=spec).stdout)[
            "count"
        ]
        for marking in ("wordle", "set")
    }
    assert counts["wordle"] != counts["set"]


def test_timeout_stops_with_3_and_keeps_what_was_found(puzzlekit: Command) -> None:
    began = time.monotonic()
    done = puzzlekit("solve", "-", "--all", "--timeout", "1", "--json", stdin=EMPTY)
    report = json.loads(done.stdout)
    assert done.returncode == 3
    assert (report["status"], report["counted"]) == ("stopped", False)
    assert report["count"] == len(report["solutions"]) > 0
    assert time.monotonic() - began < 15


@pytest.mark.sampled(1)
@pytest.mark.parametrize("backend", ["exact-cover", "z3", "dlx"])
def test_timeout_on_every_backend(started: Command, backend: str) -> None:
    done = started("solve", "-", "--count", "--backend", backend, "--timeout", "1", stdin=HARD_TO_COUNT)
    assert done.returncode == 3
    assert "stopped: the time is up" in done.stdout


def test_timeout_stops_a_product_of_parts(puzzlekit: Command) -> None:
    done = puzzlekit("solve", "specs/unwordle/millions.yaml", "--all", "--timeout", "0.5")
    assert done.returncode == 3
    assert "stopped: the time is up" in done.stdout


@pytest.mark.sampled(2)
@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
@pytest.mark.parametrize("backend", ["exact-cover", "z3", "dlx"])
def test_interrupt(backend: str) -> None:
    command = [sys.executable, "-m", "puzzlekit", "solve", "-", "--count", "--backend", backend]
    listen = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731  a job in the background is deaf to it
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, text=True, cwd=ROOT, preexec_fn=listen) as process:
        try:
            assert process.stdin is not None
            process.stdin.write(HARD_TO_COUNT)
            process.stdin.close()
            process.stdin = None
            wait_until_at_work(process)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=10)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "stopped: interrupted" in out
    assert "Traceback" not in err


def test_compare(puzzlekit: Command) -> None:
    done = puzzlekit("compare", "sudoku", SUDOKU, "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 0
    assert report["agreement"] is True
    assert [backend["name"] for backend in report["backends"]] == [*BACKENDS]
    for backend in report["backends"]:
        assert (backend["status"], backend["count"], backend["unsupported"]) == ("complete", 1, None)
        assert {"presolve", "build", "first", "all"} <= set(backend["seconds"])
    assert "all that finished agree (2 of 2)" in puzzlekit("compare", SUDOKU, "--backends", "z3,dlx").stdout


def test_sample_draws_the_same_again_with_a_seed(puzzlekit: Command) -> None:
    board = "specs/queens/n6.yaml"
    drawn = [json.loads(puzzlekit("solve", board, "--sample", "3", "--seed", seed, "--json").stdout) for seed in "778"]
    assert [report["count"] for report in drawn] == [3, 3, 3]
    assert drawn[0]["solutions"] == drawn[1]["solutions"]
    assert "2 solutions drawn at random" in puzzlekit("solve", board, "--sample", "2").stdout


@pytest.mark.skipif(sys.platform != "linux", reason="the bound is on what Linux counts as data")
def test_memory_stops_a_backend_that_wants_too_much(started: Command) -> None:
    done = started("solve", "specs/pentominoes/6x10.yaml", "--count", "--backend", "z3", "--memory", "140M")
    assert done.returncode == 3
    assert "memory" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_list_show_words_check(puzzlekit: Command) -> None:
    assert "sanalouhos" in puzzlekit("list").stdout
    shown = puzzlekit("show", "unwordle").stdout
    assert "marking: choice(wordle, set) = wordle" in shown
    assert "every guess earns its colours" in shown
    assert "finnish" in puzzlekit("words").stdout
    assert "zebra\n" in puzzlekit("words", "english", "--length", "5").stdout
    checked = puzzlekit("check", SUDOKU, "puzzles/sudoku.yaml")
    assert checked.returncode == 0
    assert f"{SUDOKU}: as expected" in checked.stdout


def test_check_tells_what_is_not_as_expected(puzzlekit: Command, tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text((ROOT / SUDOKU).read_text().split("expect:")[0] + "expect: {solutions: 2}\n")
    done = puzzlekit("check", str(path))
    assert done.returncode == 2
    assert "expected 2 solutions, found 1" in done.stderr


BOARDS = """\
puzzle: boards
data: {b: "grid[int]"}
variables: {"x[c]": "between(1, b[c]) for c in b.cells"}
"""


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ("[11_, 1111]", "expected x with 4 cells in row 2, found 3 cells\n"),
        ("[11_]", "expected x with 1 row, found 2 rows\n"),
        ("[_1_, 121]", "x is not as expected: r1c1 is 1, not a hole, r2c2 is 1, not 2\n"),
        ("[111, 111]", "x is not as expected: r1c3 is a hole, not 1\n"),
    ],
)
def test_check_names_the_cells_that_differ(expected: str, said: str, puzzlekit: Command, tmp_path: Path) -> None:
    (tmp_path / "boards.yaml").write_text(BOARDS)
    spec = tmp_path / "spec.yaml"
    spec.write_text(f"puzzle: boards\nb: [1 1 _, 1 1 1]\nexpect:\n  x: {expected}\n")
    done = puzzlekit("check", "spec.yaml", cwd=tmp_path)
    assert (done.returncode, done.stderr.split(": ", 1)[1][: len(said)]) == (2, said)


@pytest.mark.parametrize("expected", ["[11_, 111]", "[11., 111]", "|\n    1 1 _\n    1 1 1"])
def test_a_hole_is_expected_as_a_board_writes_it(expected: str, puzzlekit: Command, tmp_path: Path) -> None:
    (tmp_path / "boards.yaml").write_text(BOARDS)
    (tmp_path / "spec.yaml").write_text(f"puzzle: boards\nb: [11_, 111]\nexpect:\n  x: {expected}\n")
    assert puzzlekit("check", "spec.yaml", cwd=tmp_path).stdout == "spec.yaml: as expected\n"


def test_check_counts_the_arguments_of_functions(puzzlekit: Command, tmp_path: Path) -> None:
    rules = [
        "sorted((1, 2), 3) == x",
        "rarity('a') == x",
        "count(xs=[x], v=1, w=2) == 1",
        "any(sum([x], 2, 3) == x for y in [1])",
    ]
    path = tmp_path / "calls.yaml"
    lines = "".join(f'  - "{rule}"\n' for rule in rules)
    path.write_text(f"puzzle: calls\nvariables: {{x: 'between(1, 2)'}}\nrules:\n  calls:\n{lines}")
    done = puzzlekit("check", str(path))
    said = [line.split(": ", 1)[1] for line in done.stderr.splitlines() if line.startswith(str(path))]
    assert done.returncode == 2
    assert [text.split(":")[0] for text in said] == ["sorted", "rarity", "count", "sum"]
    assert "     = write rarity(xs, words)\n" in done.stderr


def test_a_missing_library_is_reported_once(puzzlekit: Command, tmp_path: Path) -> None:
    path = tmp_path / "dice.yaml"
    rules = "rules:\n  a: pips(x) == opposite(x)\n  b: roll(x)\n"
    path.write_text(f"puzzle: d\nuses: [dice]\ndata: {{d: die}}\nvariables: {{x: 'between(1, 2)'}}\n{rules}")
    done = puzzlekit("check", str(path))
    assert (done.returncode, done.stderr.count(str(path))) == (2, 1)
    assert "there is no library dice\n" in done.stderr


def test_show_prints_no_blank_lines_for_what_a_type_lacks(puzzlekit: Command, tmp_path: Path) -> None:
    path = tmp_path / "bare.yaml"
    path.write_text("puzzle: bare\nvariables: {x: 'between(1, 2)'}\n")
    assert puzzlekit("show", str(path)).stdout == f"bare\n\n{path}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["solve", "sudko", SUDOKU], "did you mean sudoku?"),
        (["solve", "sudoku", "nowhere.yaml"], "nowhere.yaml: there is no such file\n"),
        (["solve", SUDOKU.replace("first", "frist")], "there is no such file\n     = did you mean first.yaml?\n"),
        (["solve", SUDOKU.removesuffix(".yaml")], "there is no such file\n     = did you mean first.yaml?\n"),
        (["solve", "qqqq"], "there is no such type, either; puzzlekit list names the types\n"),
        (["solve", "specs"], "specs: expected a file, got a folder"),
        (["solve", SUDOKU, "--backend", "z4"], "known here: auto, exact-cover, sat"),
        (["solve", SUDOKU, "--goal", "best"], "it has no goals"),
        (["solve", SUDOKU, "--words", "english"], "has no field of type lexicon"),
        (["solve", SUDOKU, "--set", "boxx=2x2"], "did you mean box?"),
        (["solve", SUDOKU, "--set", "box"], "expected FIELD=VALUE"),
        (["solve", SUDOKU, "--set", "box=three"], "'three' is not a size"),
        (["solve", SUDOKU, "--all", "--count"], "exclude each other"),
        (["solve", SUDOKU, "--all", "--sample", "2"], "exclude each other"),
        (["solve", SUDOKU, "--seed", "2"], "--seed requires --sample"),
        (["solve", WAFFLE, "--words", "englsh"], "did you mean english?"),
        (["solve", "unwordle", SUDOKU], "this spec is for sudoku, not for unwordle"),
        (["compare", SUDOKU, "--backends", "z3,zz"], "unknown backend zz"),
        (["solve", SUDOKU, "--png", "x.png"], "--png, but draw has it"),
        (["show", "nothing_like_it"], "there is no puzzle type nothing_like_it"),
    ],
)
def test_mistakes_are_told_and_exit_with_2(puzzlekit: Command, arguments: list[str], said: str) -> None:
    done = puzzlekit(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.sampled(2)
@pytest.mark.parametrize("command", ["solve", "draw", "compare", "check"])
def test_a_bound_on_steps(started: Command, command: str) -> None:
    done = started(command, SUDOKU, "--steps", "100")
    assert done.returncode == 2
    assert (done.stdout + done.stderr).count("this takes more than 100 steps") == 1


def test_a_bound_of_no_steps_is_none(puzzlekit: Command) -> None:
    assert puzzlekit("solve", SUDOKU, "--steps", "0").returncode == 2


def test_a_bound_on_memory_that_is_no_size(started: Command) -> None:
    done = started("solve", SUDOKU, "--memory", "much")
    assert (done.returncode, done.stdout) == (2, "")
    assert "expected a number with K, M, G or T" in done.stderr


def test_errors_point_at_the_place(started: Command) -> None:
    done = started("solve", "-", stdin=EMPTY.replace("  .........\n", "  ....x....\n", 1))
    assert done.returncode == 2
    assert "<stdin>:3:7: expected int or one of e, o, got 'x'" in done.stderr
    assert "   3 |   ....x....\n     |       ^" in done.stderr


def test_colour_only_on_a_terminal(puzzlekit: Command) -> None:
    assert "\x1b[" not in puzzlekit("solve", WAFFLE).stdout
    assert "\x1b[" not in puzzlekit("solve", WAFFLE, NO_COLOR="1", FORCE_COLOR="1").stdout


def test_help_imports_no_solver(puzzlekit: Command) -> None:
    assert "Exit codes" in puzzlekit("--help").stdout
    code = (
        "import sys\nfrom puzzlekit.cli.program import main\nsys.argv = ['puzzlekit', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'z3', 'dlx', 'constraint', 'numpy', 'yaml'} & set(sys.modules)\nassert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr


def test_output_that_was_closed_before_is_no_error() -> None:
    command = f'"{sys.executable}" -m puzzlekit solve sudoku {SUDOKU}'
    for closed in (">&-", "2>&-"):
        assert subprocess.run(f"{command} {closed}", shell=True, cwd=ROOT, capture_output=True, check=False).returncode == 0


def test_pictures_follow_links_and_go_into_pipes(puzzlekit: Command, tmp_path: Path) -> None:
    real, link, pipe = tmp_path / "real.svg", tmp_path / "link.svg", tmp_path / "pipe.svg"
    link.symlink_to(real)
    assert puzzlekit("solve", SUDOKU, "--svg", str(link)).returncode == 0
    assert link.is_symlink() and real.read_text(encoding="utf-8").startswith("<svg")
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True, encoding="utf-8") as reader:
        assert puzzlekit("solve", SUDOKU, "--svg", str(pipe)).returncode == 0
        out, _ = reader.communicate(timeout=10)
    assert out.startswith("<svg") and out.endswith("</svg>\n")
    assert pipe.is_fifo()


def test_a_file_that_is_no_text_is_listed_as_one_with_problems(puzzlekit: Command, tmp_path: Path) -> None:
    (tmp_path / "damaged.yaml").write_bytes(b"\xff\xfe")
    done = puzzlekit("list", PUZZLEKIT_PATH=str(tmp_path))
    assert done.returncode == 0
    assert re.search(r"^damaged +\(has errors", done.stdout, re.MULTILINE)
    assert "backends: " in done.stdout


def test_backends_whose_library_is_not_installed_are_listed_apart(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = metadata.distribution

    def lacking(name: str) -> object:
        if name in ("ortools", "xcover"):
            raise metadata.PackageNotFoundError(name)
        return found(name)

    monkeypatch.setattr(metadata, "distribution", lacking)
    list_types()
    *_, there, apart = capsys.readouterr().out.splitlines()
    assert there.startswith(f"backends: {', '.join(name for name in BACKENDS if name not in ('cp-sat', 'xcover'))}; ")
    assert apart == "not installed: cp-sat, xcover (pip install -e '.[cp-sat,fast]' in the clone of puzzlekit)"


def test_an_interrupt_while_solutions_are_printed_tells_how_many_there_were(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "puzzlekit", "solve", "specs/unwordle/millions.yaml", "--all", "--rank", "none"]
    listen = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731  a job in the background is deaf to it
    out = tmp_path / "out.txt"
    with (
        out.open("w") as file,
        subprocess.Popen(command, stdout=file, stderr=subprocess.PIPE, cwd=ROOT, preexec_fn=listen) as process,
    ):
        try:
            wait_until_at_work(process)
            while not out.stat().st_size and process.poll() is None:
                time.sleep(0.1)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=20)
        finally:
            process.kill()
    assert process.returncode == 130
    assert re.search(r"stopped: interrupted; [\d,]+ solutions so far", out.read_text(encoding="utf-8"))


def test_two_specs_are_not_a_type_and_a_spec(puzzlekit: Command) -> None:
    done = puzzlekit("solve", SUDOKU, WAFFLE)
    assert done.returncode == 2
    assert f"expected a puzzle type, got the spec {SUDOKU}\n" in done.stderr


def test_a_memory_error_that_a_destructor_drops_is_not_printed() -> None:
    code = "from puzzlekit.processes.command import limit_memory\nlimit_memory('4G')\n"
    code += "class Dropped:\n    def __del__(self):\n        raise {}\nDropped()\n"
    for error, printed in (("MemoryError", False), ("ValueError", True)):
        done = subprocess.run([sys.executable, "-c", code.format(error)], capture_output=True, text=True, cwd=ROOT, check=True)
        assert (error in done.stderr) == printed


@pytest.mark.sampled(1)
@pytest.mark.skipif(sys.platform != "linux", reason="the bounds are those of Linux")
@pytest.mark.parametrize("backend", ["z3", "cp-sat", "xcover"])
@pytest.mark.parametrize("bound", ["140M", pytest.param("120M", marks=pytest.mark.slow)])
def test_a_library_for_which_memory_is_short_is_told_in_a_line(started: Command, backend: str, bound: str) -> None:
    done = started("solve", "specs/queens/n5.yaml", "--all", "--backend", backend, "--memory", bound)
    assert done.returncode in (0, 3), done.stderr
    assert "Traceback" not in done.stderr


def interrupted_at(place: int, method: Callable[[Solution], object]) -> Callable[[Solution], object]:
    calls = iter(range(place))

    def call(solution: Solution) -> object:
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return method(solution)

    return call


def test_an_interrupt_while_solutions_are_made_into_json_keeps_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Solution, "json", interrupted_at(3, Solution.json))
    assert print_run(load("queens", ROOT / "specs/queens/n8.yaml"), Query(), as_json=True, no_color=True) == 130
    report = json.loads(capsys.readouterr().out)
    assert (report["status"], report["reason"], report["count"], len(report["solutions"])) == ("stopped", "interrupted", 3, 3)


def test_an_interrupt_while_backends_are_compared_keeps_what_was_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Solution, "key", interrupted_at(95, Solution.key))
    puzzle = load("queens", ROOT / "specs/queens/n8.yaml")
    assert print_comparisons([puzzle], Query(), ["exact-cover", "dlx", "sat"], ComparisonOutput(as_json=True)) == 130
    first, second = json.loads(capsys.readouterr().out)["backends"]
    assert (first["status"], first["count"]) == ("complete", 92)
    assert (second["name"], second["status"], second["reason"]) == ("dlx", "stopped", "interrupted")


def test_the_name_of_an_extra_is_not_cut_off(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "ortools", None)
    monkeypatch.delitem(sys.modules, "puzzlekit.backends.cp_sat", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    puzzle = load("queens", ROOT / "specs/queens/n4.yaml")
    assert print_comparisons([puzzle], Query(limit=1), ["cp-sat", "sat"], ComparisonOutput(no_color=True)) == 0
    assert "…" not in capsys.readouterr().out


def test_show_rules_says_what_each_rule_became(puzzlekit: Command) -> None:
    done = puzzlekit("show", "masyu", "specs/masyu/tiny.yaml", "--rules")
    assert done.returncode == 0
    parts = {part.split("\n")[0]: part.split("\n")[1:] for part in done.stdout.split("\n\n")[1:]}
    assert parts["the lines make one closed loop"][0].startswith("  1 condition, 0.")
    assert parts["the lines make one closed loop"][1].startswith("  - single_loop(line[r1c1–r1c2], ")
    number = int(parts["the loop turns on a black pearl"][0].split()[0])
    model = load("masyu", Path("specs/masyu/tiny.yaml")).model
    assert number == sum(constraint.origin.rule == "the loop turns on a black pearl" for constraint in model.constraints) > 0
    assert parts["the loop turns on a black pearl"][1].startswith("  - c = r")
    assert all(sum(line.startswith("  - ") for line in lines) <= 3 for lines in parts.values())
    assert all(len(line) <= 80 for line in done.stdout.split("\n"))


def test_show_takes_a_spec_only_for_rules(puzzlekit: Command) -> None:
    done = puzzlekit("show", "masyu", "specs/masyu/tiny.yaml")
    assert done.returncode == 2
    assert "show TYPE takes a spec only with --rules" in done.stderr
    assert "expected a spec, got only the type killer" in puzzlekit("show", "killer", "--rules").stderr


def test_a_backend_that_is_not_installed_is_recommended_where_it_could_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = auto.solver

    def solver(name: str, isolated: bool) -> Solver:
        if name == "cp-sat":
            raise MissingExtra("an extra")
        return made(name, isolated)

    monkeypatch.setattr(auto, "solver", solver)
    monkeypatch.setitem(auto.LIST, auto.SUMS, (("cp-sat", 1.0), ("sat", None)))
    monkeypatch.setattr("puzzlekit.cli.run_report.missing_extra", {"cp-sat": "cp-sat"}.__getitem__)
    puzzle = load("killer", ROOT / "specs/killer/hardest.yaml")
    for seconds, told in (
        (1e9, ""),
        (0.0, "cp-sat may be faster on this puzzle: pip install -e '.[cp-sat]' in the clone of puzzlekit\n"),
    ):
        monkeypatch.setattr("puzzlekit.cli.run_report.LONG_SECONDS", seconds)
        print_run(puzzle, Query(limit=2), as_json=True, no_color=True)
        assert capsys.readouterr().err == told
