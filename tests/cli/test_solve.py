"""`puzzlekit solve`: what it prints, and its exit code."""

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from puzzlekit.api import Query, Solution, load
from puzzlekit.cli.run_report import print_run
from puzzlekit.errors import MissingExtra
from puzzlekit.query import Task
from puzzlekit.solve import auto
from puzzlekit.solve.solvers import Solver
from tests.cli.running import interrupted_at, listening, wait_until_at_work
from tests.commands import ROOT, Command

WAFFLE = "specs/waffle/first.yaml"
SUDOKU = "specs/sudoku/first.yaml"
EMPTY = "puzzle: sudoku\ngivens: |\n" + "  .........\n" * 9
HARD_TO_COUNT = "puzzle: sudoku\nbox: 4x4\ngivens: |\n" + ("  " + " ".join(["."] * 16) + "\n") * 16
BOARD = "puzzle: unwordle\nboard: [wygww]\nanswer: their\nwords: {words}\n"
DOMINOES = """
puzzle: dominoes
let:
  b: board(8, 10)
  pairs_of_cells: (c, e) for c in b.cells for e in b.neighbours(c) if c < e
variables:
  x[k]: bool for k in pairs_of_cells
rules:
  each cell once: count([x[k] for k in pairs_of_cells if c in k], True) == 1 for c in b.cells
"""


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


def test_solutions_of_words_come_likeliest_first(puzzlekit: Command) -> None:
    done = puzzlekit("solve", "-", stdin=BOARD.format(words="english"))
    ranks = [
        int(line.split()[1]) for line in done.stdout.splitlines() if line.startswith("    common: ")
    ]
    assert len(ranks) == 10 and ranks == sorted(ranks)
    assert "\nthe first 10 solutions, ranked by common; there are more · exact-cover" in done.stdout
    every = json.loads(
        puzzlekit(
            "solve", "-", "--all", "--json", stdin=BOARD.format(words="english-common")
        ).stdout
    )
    goal = every["goal"]
    assert goal["values"] == sorted(goal["values"]) and len(goal["values"]) == every[
        "count"
    ] == len(every["solutions"])
    assert (goal["name"], goal["value"], goal["optimal"], every["counted"]) == (
        "common",
        goal["values"][0],
        True,
        True,
    )
    assert (
        "the first solution, ranked by common; there are more · "
        in puzzlekit("solve", "-", "--limit", "1", stdin=BOARD.format(words="english")).stdout
    )


def test_one_solution_alone_has_no_rank_worth_telling(puzzlekit: Command) -> None:
    assert "common" not in puzzlekit("solve", "waffle", WAFFLE).stdout
    assert "common: " in puzzlekit("solve", "waffle", WAFFLE, "--rank", "common").stdout


def test_rank_by_any_goal_and_by_none(puzzlekit: Command) -> None:
    done = json.loads(
        puzzlekit(
            "solve", "specs/sanalouhos/five.yaml", "--rank", "most_words", "--all", "--json"
        ).stdout
    )
    values = done["goal"]["values"]
    assert len(values) == 14 and values == sorted(values, reverse=True) and values[0] > values[-1]
    assert values == [len(solution["use"]) for solution in done["solutions"]]
    done = json.loads(
        puzzlekit(
            "solve", "-", "--rank", "none", "--json", stdin=BOARD.format(words="english")
        ).stdout
    )
    assert (done["goal"], done["count"]) == (None, 1)


def test_a_lexicon_without_an_order_is_told(puzzlekit: Command, tmp_path: Path) -> None:
    (tmp_path / "sorted.txt").write_text("about\nabove\nbrown\ncrown\nmount\nsound\n")
    spec = "puzzle: unwordle\nboard: [wwwww]\nanswer: fizzy\n"
    done = puzzlekit("solve", "-", "--lexicon", str(tmp_path / "sorted.txt"), stdin=spec)
    assert (done.returncode, "one solution of several · " in done.stdout) == (0, True)
    assert done.stderr == (
        "the default ranking is dropped: the lexicon sorted.txt does not say which of its "
        "words are common\n"
    )
    done = puzzlekit(
        "solve", "-", "--lexicon", str(tmp_path / "sorted.txt"), "--rank", "common", stdin=spec
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        "unwordle has no goal common with these words: the lexicon sorted.txt does not say"
        in done.stderr
    )


def test_accents_are_folded_where_that_is_asked_for(puzzlekit: Command, tmp_path: Path) -> None:
    (tmp_path / "mots.txt").write_text("élève\nétage\nforêt\n")
    spec = "puzzle: unwordle\nboard: [ggggg]\nanswer: ÉLEVE\n"
    command = ("solve", "-", "--lexicon", str(tmp_path / "mots.txt"), "--json")
    assert puzzlekit(*command, stdin=spec).returncode == 1
    assert json.loads(puzzlekit(*command, "--fold-accents", stdin=spec).stdout)["solutions"] == [
        {"guess": ["eleve"]}
    ]


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
        "info",
        "status",
        "reason",
        "count",
        "counted",
        "uniform",
        "goal",
        "solutions",
        "seconds",
    ]
    assert (report["puzzle"], report["status"], report["count"], report["counted"]) == (
        "waffle",
        "complete",
        1,
        True,
    )
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
    everything = json.loads(
        puzzlekit("solve", "-", "--goal", "fewest_swaps", "--all", "--json", stdin=spec).stdout
    )
    assert (everything["count"], everything["counted"]) == (1, True)


@pytest.mark.parametrize("count", [1, 3])
def test_limit(puzzlekit: Command, count: int) -> None:
    report = json.loads(
        puzzlekit("solve", "-", "--limit", str(count), "--json", stdin=EMPTY).stdout
    )
    assert len(report["solutions"]) == count
    assert report["counted"] is False


def test_nothing_is_proven_and_exits_with_1(puzzlekit: Command) -> None:
    done = puzzlekit("solve", "-", stdin=EMPTY.replace("  .........\n", "  11.......\n", 1))
    assert done.returncode == 1
    assert "no solution, proven" in done.stdout
    assert "every row holds each digit once" in done.stdout


def test_no_solution_in_a_lexicon_names_the_next_larger(puzzlekit: Command) -> None:
    spec = "puzzle: unwordle\nboard: [ggggg, ggggg]\nanswer: zzzzz\n"
    done = puzzlekit("solve", "-", stdin=spec)
    assert done.returncode == 1
    assert (
        "english (178,758 words); the next larger lexicon is english-wide: --lexicon english-wide"
        in done.stdout
    )


def test_a_shared_result_is_a_spec(puzzlekit: Command) -> None:
    shared = "Wordle 812 3/6\n\n⬜🟦⬜⬜🟧\n⬜⬜🟦⬜🟧\n🟧🟧🟧🟧🟧\n"
    same = "puzzle: unwordle\nboard: [byybg, bbybg]\nanswer: crane\n".replace("byybg", "bybbg")
    count = [
        json.loads(puzzlekit("solve", *arguments, "--count", "--json", stdin=text).stdout)["count"]
        for arguments, text in ((["unwordle", "-", "--set", "answer=crane"], shared), (["-"], same))
    ]
    assert count[0] == count[1] > 0
    done = puzzlekit(
        "solve", "unwordle", "-", "--set", "answer=crane", stdin=shared.replace("3/6", "4/6")
    )
    assert (
        done.returncode,
        "<stdin>:1:1: 4/6 announces 4 rows, but there are 3" in done.stderr,
    ) == (2, True)
    done = puzzlekit("solve", "-", stdin=shared)
    assert (done.returncode, "this spec does not name its type" in done.stderr) == (2, True)


def test_info_is_told_before_the_solutions(puzzlekit: Command) -> None:
    spec = (
        "puzzle: wordle\nguesses: {cab: bgb}\nanswers: [bat, cat, hat, dog]\nwords: [bat, cab]\n"
        "suggestions: 1\n"
    )
    done = puzzlekit("solve", "-", "--all", stdin=spec)
    assert "\nwords that remain: 1\nbest" in done.stdout and "\nthe only solution" in done.stdout
    assert "best next guesses:\n  bat  1.00 remain on average, 1 at worst\n" in done.stdout
    info = json.loads(puzzlekit("solve", "-", "--json", stdin=spec).stdout)["info"]
    assert info["words that remain"] == [1]
    assert info["best next guesses"] == {"bat": "1.00 remain on average, 1 at worst"}


def test_words_are_listed_once_a_line_each_below_the_guesses(puzzlekit: Command) -> None:
    spec = (
        "puzzle: wordle\nguesses: {raise: bbbbb}\nanswers: [blood, clock, lunch]\nwords: [clock]\n"
        "suggestions: 0\n"
    )
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
    done = puzzlekit("solve", "-", "--lexicon", f"english+{tmp_path / 'more.txt'}", stdin=spec)
    assert (done.returncode, "[Z][Z][Z][Z][Z]" in done.stdout) == (0, True)


def test_fields_are_set(puzzlekit: Command) -> None:
    spec = "puzzle: unwordle\nboard: [wygww]\nanswer: geese\nwords: english-common\n"
    counts = {
        marking: json.loads(
            puzzlekit(
                "solve", "-", "--count", "--json", "--set", f"marking={marking}", stdin=spec
            ).stdout
        )["count"]
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
    done = started(
        "solve", "-", "--count", "--backend", backend, "--timeout", "1", stdin=HARD_TO_COUNT
    )
    assert done.returncode == 3
    assert "stopped: the time is up" in done.stdout


def test_timeout_stops_a_product_of_parts(puzzlekit: Command) -> None:
    done = puzzlekit("solve", "specs/unwordle/millions.yaml", "--all", "--timeout", "0.5")
    assert done.returncode == 3
    assert "stopped: the time is up" in done.stdout


@pytest.mark.sampled(1)
@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
@pytest.mark.parametrize("backend", ["exact-cover", "z3", "dlx"])
def test_interrupt(backend: str) -> None:
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with listening("solve", "-", "--count", "--backend", backend, **pipes, text=True) as process:
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


def test_sample_draws_the_same_again_with_a_seed(puzzlekit: Command) -> None:
    board = "specs/queens/n6.yaml"
    drawn = [
        json.loads(puzzlekit("solve", board, "--sample", "3", "--seed", seed, "--json").stdout)
        for seed in "778"
    ]
    assert [report["count"] for report in drawn] == [3, 3, 3]
    assert drawn[0]["solutions"] == drawn[1]["solutions"]
    assert "2 solutions drawn at random" in puzzlekit("solve", board, "--sample", "2").stdout


def test_an_interrupt_while_solutions_are_printed_tells_how_many_there_were(tmp_path: Path) -> None:
    arguments = ("solve", "specs/unwordle/millions.yaml", "--all", "--rank", "none")
    out = tmp_path / "out.txt"
    with (
        out.open("w") as file,
        listening(*arguments, stdout=file, stderr=subprocess.PIPE) as process,
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
    assert re.search(
        r"stopped: interrupted; [\d,]+ solutions so far", out.read_text(encoding="utf-8")
    )


def test_an_interrupt_while_solutions_are_made_into_json_keeps_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Solution, "json", interrupted_at(3, Solution.json))
    assert (
        print_run(
            load("queens", ROOT / "specs/queens/n8.yaml"), Query(), as_json=True, no_color=True
        )
        == 130
    )
    report = json.loads(capsys.readouterr().out)
    assert (report["status"], report["reason"], report["count"], len(report["solutions"])) == (
        "stopped",
        "interrupted",
        3,
        3,
    )


def test_a_backend_that_is_not_installed_is_recommended_where_it_could_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = auto.planned

    def solver(name: str, isolated: bool) -> Solver:
        if name == "cp-sat":
            raise MissingExtra("an extra")
        return made(name, isolated)

    monkeypatch.setattr(auto, "planned", solver)
    monkeypatch.setitem(auto.PLANS[Task.ENUMERATE], auto.SUMS, (("cp-sat", 1.0), ("sat", None)))
    monkeypatch.setattr("puzzlekit.cli.run_report.missing_extra", {"cp-sat": "cp-sat"}.__getitem__)
    puzzle = load("killer", ROOT / "specs/killer/hardest.yaml")
    for seconds, told in (
        (1e9, ""),
        (
            0.0,
            (
                "cp-sat may be faster on this puzzle: "
                "pip install -e '.[cp-sat]' in the clone of puzzlekit\n"
            ),
        ),
    ):
        monkeypatch.setattr("puzzlekit.cli.run_report.LONG_SECONDS", seconds)
        print_run(puzzle, Query(limit=2), as_json=True, no_color=True)
        assert capsys.readouterr().err == told


def test_a_bound_on_memory_draws_without_listing(
    tmp_path: Path, started: Command, puzzlekit: Command
) -> None:
    """There are 1,031,151,241 tilings; a backend in a process of its own listed them."""
    path = tmp_path / "dominoes.yaml"
    path.write_text(DOMINOES, encoding="utf-8")
    more = ("--sample", "2", "--seed", "1", "--json", "--timeout", "60")
    found = [
        puzzlekit("solve", str(path), *more),
        started("solve", str(path), *more, "--memory", "4G"),
    ]
    assert [done.returncode for done in found] == [0, 0], found
    one, other = (
        done.stdout.partition('"solutions": ')[2].partition('"seconds"')[0] for done in found
    )
    assert one == other and '"x"' in one
