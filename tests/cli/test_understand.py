"""`check` with progress, `hint`, `explain`, `conflict` and `rate`."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from puzzlekit.sentences.steps import (
    LookAt,
    StepsContradicted,
    StepsSolve,
    StepsStuck,
    StuckWithout,
)
from puzzlekit.sentences.verdicts import (
    AllOfThis,
    LeadsNowhere,
    OneSolution,
    RightSoFar,
    SolutionsLeft,
)
from tests.commands import ROOT, Command
from tests.interrupts import run

SUDOKU = "specs/sudoku/first.yaml"
SIX = "specs/sudoku/six.yaml"
MARKS = "digit: {r1c3: 4, r1c4: 6}\n"
WRONG = "digit: {r1c3: 2}\n"
PAIR = "puzzle: pair\nvariables: {x: 'between(1, 3)', y: 'between(1, 3)'}\n"
NONE = PAIR + "rules: {x is greater: x > y, y is 3: y == 3, x is 2: x == 2, y is no 1: y != 1}\n"
SEVERAL = PAIR + "rules: {x is greater: x > y}\n"
RIGHT = f"{RightSoFar(SolutionsLeft.LEFT.about(1))}\n\n"
NOWHERE = str(LeadsNowhere(AllOfThis.FACTS.about(1), "r1c3 is 2"))


def test_check_judges_marks(puzzlekit: Command) -> None:
    done = puzzlekit("check", SUDOKU, "--progress", "-", stdin=MARKS)
    assert done.returncode == 0
    assert done.stdout.startswith(RIGHT) and "┃ 5' 3' 4 ┃" in done.stdout
    done = puzzlekit("check", "sudoku", SUDOKU, "--progress", "-", stdin=WRONG)
    assert done.returncode == 1
    assert done.stdout.startswith(f"{NOWHERE}\n- ")
    done = puzzlekit("check", SUDOKU, "--progress", "-", "--json", stdin="digit: {r1c3: 5}\n")
    found = json.loads(done.stdout)
    assert (done.returncode, found["verdict"], found["facts"]) == (1, "violates", ["r1c3 is 5"])


def test_specs_may_hold_marks_beside_what_they_expect(puzzlekit: Command, tmp_path) -> None:
    spec, other = tmp_path / "marked.yaml", tmp_path / "wrong.yaml"
    text = (ROOT / SUDOKU).read_text()
    spec.write_text(f"{text}progress:\n  {MARKS}")
    done = puzzlekit("check", str(spec))
    assert done.returncode == 0
    assert done.stdout.startswith(f"{spec}: as expected\n{RIGHT}")
    assert puzzlekit("solve", str(spec)).returncode == 0
    other.write_text(f"{text}progress:\n  {WRONG}")
    done = puzzlekit("check", str(spec), str(other), SUDOKU)  # several, each with its own
    assert done.returncode == 1
    assert f"{other}: as expected\n{NOWHERE}" in done.stdout
    assert f"{SUDOKU}: as expected" in done.stdout
    found = json.loads(
        puzzlekit("check", str(spec), str(other), SUDOKU, "--json", "--backend", "sat").stdout
    )["files"]
    assert [one["status"] for one in found] == ["ok", "wrong", "ok"]
    assert [one["progress"] and one["progress"]["verdict"] for one in found] == [
        "ok",
        "dead_end",
        None,
    ]
    spec.write_text(f"{text}progress:\n  digits: {{r1c3: 4}}\n")
    done = puzzlekit("check", str(spec))
    assert done.returncode == 2
    assert "sudoku has no unknown digits" in done.stderr and f"{spec}:" in done.stderr
    spec.write_text(text.replace("solutions: 1", "solutions: 2") + f"progress:\n  {MARKS}")
    assert puzzlekit("check", str(spec)).returncode == 2


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ((SUDOKU, "--backend", "sat"), "--backend"),
        ((SUDOKU, SIX, SUDOKU), "of one puzzle"),
        ((SUDOKU, "--watch"), "--watch"),
    ],
)
def test_what_says_nothing_about_marks_is_refused(
    puzzlekit: Command, options: tuple[str, ...], named: str
) -> None:
    done = puzzlekit("check", *options, "--progress", "-", stdin=MARKS)
    assert done.returncode == 2 and named in done.stderr


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("check", SUDOKU, "--progress", "-"), "stopped"),
        (("hint", SUDOKU), "stopped"),
        (("explain", SUDOKU), "running"),
        (("solve", SUDOKU, "--why"), "stopped"),
        (("conflict", SUDOKU), "stopped"),
        (("rate", SUDOKU, SIX), "stopped"),
    ],
)
def test_json_says_that_the_time_is_up(
    puzzlekit: Command, words: tuple[str, ...], status: str
) -> None:
    done = puzzlekit(*words, "--json", "--timeout", "0", stdin=MARKS)
    found = json.loads(done.stdout)
    assert (done.returncode, found["status"]) == (3, status) and found["reason"].startswith(
        "the time is up"
    )


def test_hint_tells_the_place_or_the_step(puzzlekit: Command) -> None:
    where = puzzlekit("hint", SUDOKU, "--where").stdout
    assert where.startswith(str(LookAt(""))[:-1]) and len(where.split()) < 5
    pattern = puzzlekit("hint", SUDOKU, "--pattern").stdout
    assert pattern == f"{where.strip()[:-1]}: hidden single.\n"
    both = puzzlekit("hint", SUDOKU, "--pattern", "--where")
    assert both.returncode == 2 and "--where and --pattern cannot be combined" in both.stderr
    done = puzzlekit("hint", SUDOKU)
    assert done.returncode == 0 and ": the only place for " in done.stdout
    done = puzzlekit("hint", SUDOKU, "--progress", "-", stdin=WRONG)  # wrong marks are told first
    assert done.returncode == 1 and done.stdout.startswith(NOWHERE)


ALL = "single,locked,set,chain,trial"


def test_patterns_can_be_left_out(puzzlekit: Command) -> None:
    done = puzzlekit("explain", SUDOKU, "--without", "hidden single, Last Place")
    assert done.returncode == 0 and ": the only place for " not in done.stdout
    done = puzzlekit("explain", SUDOKU, "--without", ALL)
    assert done.returncode == 1 and done.stdout.endswith(
        "follows without single, locked, set, chain or trial.\n"
    )
    rated = puzzlekit("rate", SUDOKU, "--without", ALL).stdout.split()
    assert " ".join(rated).endswith(
        " nothing more follows without single, locked, set, chain or trial"
    )
    reason = json.loads(puzzlekit("explain", SUDOKU, "--without", ALL, "--json").stdout)
    assert (reason["status"], reason["reason"]) == (
        "stuck",
        str(StuckWithout("", "single, locked, set, chain or trial")),
    )
    assert puzzlekit("rate", "specs/slitherlink/tiny.yaml", "--without", "single").returncode == 0
    lits = puzzlekit("rate", "specs/lits/tiny.yaml", "--without", "locked")
    assert lits.returncode == 0 and "either way" in lits.stdout
    wrong = puzzlekit("rate", SUDOKU, "--without", "fihs")
    assert wrong.returncode == 2
    assert "--without: unknown pattern fihs; did you mean fish?" in wrong.stderr


def test_one_solution_is_assumed_on_request(puzzlekit: Command) -> None:
    done = puzzlekit("explain", SUDOKU, "--assume-unique", "--json")
    assert done.returncode == 0
    assert not any(step["assumes_unique"] for step in json.loads(done.stdout)["steps"])
    spec = "puzzle: sudoku\ngivens:\n" + 9 * f"- {9 * '.'}\n"
    several = puzzlekit("explain", "-", "--assume-unique", stdin=spec)
    assert several.returncode == 2
    assert "--assume-unique: the puzzle has several solutions" in several.stderr


def test_explain_in_all_forms(puzzlekit: Command) -> None:
    done = puzzlekit("explain", SIX)
    assert done.returncode == 0 and done.stdout.endswith(f"\n{StepsSolve('26 steps')}\n")
    found = json.loads(puzzlekit("explain", SIX, "--json").stdout)
    assert found["status"] == "solved" and len(found["steps"]) == 26
    (placed,) = found["steps"][2]["placed"]
    assert placed["unknown"] == "digit" and placed["holds"] and not found["steps"][2]["struck"]
    assert placed["text"] == f"{placed['index']} is {placed['value']}"
    assert puzzlekit("explain", SIX, "--markdown").stdout.startswith("# Sudoku: Six by six\n\n1. ")
    until = puzzlekit("explain", SIX, "--until", "r4c6").stdout.splitlines()
    steps = [line for line in until if line[:1].isdigit() and ". r" in line]
    assert 1 < len(steps) < 26 and ". r4c6 is" in steps[-1]
    side = puzzlekit("explain", "specs/slitherlink/tiny.yaml", "--until", "top of r1c3").stdout
    assert "lines above and right of r1c3" in " ".join(side.split())


SLITHERLINK, MASYU = "specs/slitherlink/tiny.yaml", "specs/masyu/tiny.yaml"


@pytest.mark.parametrize(
    ("spec", "forms"),
    [
        (SIX, ("r4c6", "R4C6", "digit[r4c6]")),
        (SLITHERLINK, ("above r2c1", "below r1c1", "bottom of R1C1", "the top of r2c1")),
        (MASYU, ("r3c2–r3c3", "r3c3-r3c2", "between r3c2 and r3c3")),
    ],
)
def test_until_takes_a_position_as_steps_name_it(
    puzzlekit: Command, spec: str, forms: Sequence[str]
) -> None:
    outputs = {puzzlekit("explain", spec, "--until", form).stdout for form in forms}
    (steps,) = outputs
    assert "1. " in steps


def test_until_takes_a_cell_for_its_sides(puzzlekit: Command) -> None:
    done = puzzlekit("explain", SLITHERLINK, "--until", "r1c1")
    assert "lines above and left of r1c1" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("spec", "examples"),
    [(SIX, "r1c1"), (SLITHERLINK, "above r1c1 or r1c1"), (MASYU, "r1c1 or r1c1–r1c2")],
)
def test_a_wrong_position_names_forms(puzzlekit: Command, spec: str, examples: str) -> None:
    done = puzzlekit("explain", spec, "--until", "r1c40")
    assert (done.returncode, done.stdout) == (2, "")
    advice = f"write a position as the steps name it, such as {examples}"
    assert done.stderr == f"no unknown is at r1c40\n     = {advice}\n"


@pytest.mark.parametrize("row", ["3...", "2..."])
def test_explain_names_wrong_marks_as_check_does(
    puzzlekit: Command, tmp_path: Path, row: str
) -> None:
    spec, marks = tmp_path / "four.yaml", tmp_path / "marks.yaml"
    spec.write_text("puzzle: sudoku\nbox: 2x2\ngivens:\n- .2..\n- ..1.\n- ...3\n- 4...\n")
    marks.write_text(f"answer: ['{row}', '....', '....', '....']\n")
    files = (str(spec), "--progress", str(marks))
    checked = puzzlekit("check", *files)
    explained = puzzlekit("explain", *files)
    assert (explained.returncode, explained.stdout) == (1, checked.stdout)
    assert "r1c1" in explained.stdout
    report = json.loads(puzzlekit("explain", *files, "--json").stdout)
    assert (report["status"], report["steps"]) == ("unsatisfiable", [])
    assert report["check"] == json.loads(puzzlekit("check", *files, "--json").stdout)


@pytest.mark.parametrize("files", [(SUDOKU, SIX), (SUDOKU, "sudoku"), ("sudoku", SUDOKU, SIX)])
def test_progress_is_of_one_puzzle(puzzlekit: Command, files: Sequence[str]) -> None:
    done = puzzlekit("check", *files, "--progress", "-", stdin=MARKS)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "--progress is of one puzzle, got 2\n"
        "     = write check SPEC --progress FILE, or check TYPE SPEC --progress FILE\n"
    )


def test_a_spec_without_progress_is_no_progress(puzzlekit: Command) -> None:
    done = puzzlekit("check", SUDOKU, "--progress", SIX)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"--progress {SIX}: this spec has no progress\n" in done.stderr


def test_explain_says_where_it_ends(puzzlekit: Command, tmp_path) -> None:
    kind = tmp_path / "pair.yaml"
    kind.write_text(SEVERAL)
    done = puzzlekit("explain", str(kind))
    stuck = StepsStuck("0 steps", "there are several solutions")
    assert (done.returncode, done.stdout) == (1, f"pair\n\n{stuck}\n")
    kind.write_text(NONE)
    done = puzzlekit("explain", str(kind))
    contradicted = str(StepsContradicted("0 steps")).rstrip(".")
    assert done.returncode == 1 and done.stdout.startswith(f"pair\n\n{contradicted}")
    assert "`puzzlekit conflict`" in " ".join(done.stdout.split())
    for text in (SEVERAL, NONE):
        kind.write_text(text)
        done = puzzlekit("explain", str(kind), "--until", "z")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("no unknown is at z\n") and "x or y" in done.stderr


def test_why_there_is_none_or_several(puzzlekit: Command, tmp_path) -> None:
    kind = tmp_path / "pair.yaml"
    kind.write_text(NONE)
    done = puzzlekit("solve", str(kind), "--why")  # another name of conflict
    assert done.returncode == 1 and done.stdout.endswith("\n- x is greater\n- y is 3\n")
    assert puzzlekit("conflict", str(kind)).stdout == done.stdout
    found = json.loads(puzzlekit("conflict", str(kind), "--most", "9", "--json").stdout)
    rules = [sorted(rule["rule"] for rule in own) for own in found["conflicts"]]
    assert rules == [["x is greater", "y is 3"], ["x is 2", "x is greater", "y is no 1"]]
    kind.write_text(SEVERAL)
    done = puzzlekit("conflict", str(kind))
    assert done.returncode == 0 and "1 place" in done.stdout
    one = f"Sudoku: A first sudoku\n{OneSolution()}\n"
    assert puzzlekit("conflict", SUDOKU).stdout == one


@pytest.mark.parametrize("command", ["explain", "rate"])
def test_without_requires_a_name(puzzlekit: Command, command: str) -> None:
    done = puzzlekit(command, SUDOKU, "--without", " ")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == "--without: expected names of patterns, separated by commas\n"


def test_hint_refuses_options_that_exclude_each_other(puzzlekit: Command) -> None:
    done = puzzlekit("hint", SUDOKU, "--where", "--candidates")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "--where and --candidates cannot be combined\n"


def test_rate_goes_on_after_a_spec_that_cannot_be_read(puzzlekit: Command, tmp_path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("puzzle: sudoku\ngrid: 3\n")
    done = puzzlekit("rate", str(broken), SIX)
    assert done.returncode == 2 and f"{broken}:2:1: sudoku has no field grid" in done.stderr
    assert "easy: 13 hidden singles" in done.stdout and str(broken) not in done.stdout
    done = puzzlekit("rate", "--json", str(broken), SIX)
    unread, rated = json.loads(done.stdout)["puzzles"]
    assert (unread["spec"], unread["status"]) == (str(broken), "unread")
    assert (rated["level"], rated["status"]) == ("easy", "solved")


def test_rate_remarks_on_what_has_not_one_solution(puzzlekit: Command, tmp_path) -> None:
    several, none = tmp_path / "several.yaml", tmp_path / "none.yaml"
    several.write_text(SEVERAL)
    none.write_text(NONE)
    assert puzzlekit("rate", str(several)).stdout.endswith("several solutions\n")
    assert puzzlekit("rate", str(none)).stdout.endswith("no solution\n")


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_rate(puzzlekit: Command, form: tuple[str, ...]) -> None:
    done = puzzlekit("rate", SUDOKU, "specs/nurikabe/6x6.yaml", *form)
    assert done.returncode == 0
    if form:
        sudoku, nurikabe = json.loads(done.stdout)["puzzles"]
        assert (sudoku["level"], nurikabe["level"]) == ("easy", "hard")
        assert sudoku["status"] == nurikabe["status"] == "solved"
        assert {*sudoku["patterns"]} == {"hidden single", "last place"}
        assert nurikabe["text"].startswith("hard: ") and nurikabe["steps"]["set"] > 0
    else:
        assert [line.split()[0] for line in done.stdout.splitlines()] == [
            "puzzle",
            SUDOKU,
            "specs/nurikabe/6x6.yaml",
        ]


@pytest.mark.parametrize(
    "options",
    [
        *[
            ("--why", *more)
            for more in (
                ("--svg", "x.svg"),
                ("--html", "x.html"),
                ("--backbone",),
                ("--backend", "sat"),
            )
        ],
        *[
            ("--why", *more)
            for more in (
                ("--limit", "3"),
                ("--all",),
                ("--sample", "2"),
                ("--count",),
                ("--goal", "none"),
            )
        ],
    ],
)
def test_options_that_say_nothing_beside_why_are_refused(
    puzzlekit: Command, options: tuple[str, ...]
) -> None:
    done = puzzlekit("solve", "specs/sudoku/six.yaml", *options)
    assert done.returncode == 2 and "--why" in done.stderr


def test_an_interrupted_explanation_is_whole_json_with_its_steps_so_far() -> None:
    ended = run(("explain", "specs/hidato/extreme.yaml", "--json"), 3.0)
    told = json.loads(ended.out)
    assert (ended.code, told["status"], told["reason"]) == (130, "running", "interrupted")
    assert told["steps"] == sorted(told["steps"], key=lambda step: step["number"])


def test_an_interrupted_rating_is_json_that_says_so() -> None:
    ended = run(("rate", "specs/hidato/extreme.yaml", "--json"), 3.0)
    assert (ended.code, json.loads(ended.out)["reason"]) == (130, "interrupted")
