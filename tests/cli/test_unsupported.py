"""A backend that does not support a puzzle: each command has a word for it,
an exit code and a report in JSON.
"""

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path
from unittest.mock import patch

import pytest

from puzzlekit import Unsupported
from puzzlekit.api import Query, Run, load
from puzzlekit.api.backbone import Backbone
from puzzlekit.backends.csp import Csp
from puzzlekit.backends.sat import Sat
from puzzlekit.cli.commands.check import check_files
from puzzlekit.cli.comparison_report import print_comparisons
from puzzlekit.cli.options import ComparisonOutput
from puzzlekit.errors import BackendBug
from puzzlekit.lowering.planner import Form
from puzzlekit.query import Task
from puzzlekit.solve import auto
from tests.commands import ROOT, Command

WIDE = "specs/cryptarithm/cross.yaml"  # its sum is too wide for covers
QUEENS = "specs/queens/n4.yaml"
SUDOKU = "specs/sudoku/first.yaml"
BROKEN = "examples/broken/twice.yaml"
BROKEN_TYPE = "examples/broken/names.yaml"
WHY = "the total is right: a sum with more than 20000 totals"


@pytest.mark.parametrize(
    "options", [(), ("--all",), ("--count",), ("--sample", "2"), ("--backbone",)], ids=str
)
def test_solve_reports_it(options: tuple[str, ...], puzzlekit: Command) -> None:
    text = puzzlekit("solve", WIDE, "--backend", "dlx", *options)
    assert (text.returncode, text.stderr.splitlines()[0]) == (
        2,
        f"this backend does not support the puzzle: {WHY}",
    )
    assert "unsupported" not in text.stdout and "no solution" not in text.stdout
    done = puzzlekit("solve", WIDE, "--backend", "dlx", "--json", *options)
    report = json.loads(done.stdout)
    assert (done.returncode, report["status"], report["reason"]) == (2, "unsupported", WHY)
    assert report["puzzle"] == "cryptarithm" and not report["solutions"]
    assert WHY in done.stderr


def test_compare_reports_it(puzzlekit: Command) -> None:
    done = puzzlekit("compare", WIDE, "--backends", "dlx,sat,csp", "--json")
    report = json.loads(done.stdout)
    refused, *others = report["backends"]
    assert (done.returncode, report["agreement"]) == (0, True)
    assert (refused["status"], refused["reason"], refused["unsupported"], refused["count"]) == (
        "unsupported",
        WHY,
        WHY,
        None,
    )
    assert [(other["status"], other["reason"], other["unsupported"]) for other in others] == [
        ("complete", None, None)
    ] * 2


def test_compare_gives_a_reason_once_in_a_line_of_its_own(puzzlekit: Command) -> None:
    lines = puzzlekit("compare", WIDE, "--backends", "dlx,csp,xcover").stdout.splitlines()
    assert lines[-2] == f"dlx, xcover: unsupported: {WHY}"
    assert len(lines) == 7 and max(map(len, lines[:-2])) <= 80


def test_auto_is_proposed_only_where_it_may_help(puzzlekit: Command) -> None:
    assert "\n     = use --backend auto" in puzzlekit("solve", WIDE, "--backend", "dlx").stderr
    plans = auto.PLANS[Task.ENUMERATE]
    with patch.dict(plans, dict.fromkeys(plans, (("dlx", None),))):
        done = puzzlekit("solve", WIDE)
    assert (done.returncode, done.stderr) == (
        2,
        f"no installed backend supports the puzzle: {WHY}\n",
    )


@pytest.mark.parametrize(
    ("names", "code", "last"),
    [
        ("dlx,xcover", 2, "none finished (0 of 2); seconds"),
        ("dlx,csp", 0, "only one finished: nothing to compare (1 of 2); seconds; presolve"),
    ],
)
def test_where_nothing_is_compared_nothing_agrees(
    names: str, code: int, last: str, puzzlekit: Command
) -> None:
    done = puzzlekit("compare", WIDE, "--backends", names, "--json")
    assert (done.returncode, json.loads(done.stdout)["agreement"]) == (code, None)
    assert puzzlekit("compare", WIDE, "--backends", names).stdout.splitlines()[-1].startswith(last)


def test_backends_that_disagree_are_a_bug(
    monkeypatch: pytest.MonkeyPatch, puzzlekit: Command
) -> None:
    """One of them loses a solution."""
    run = Sat.run
    monkeypatch.setattr(Sat, "run", lambda self, *arguments: islice(run(self, *arguments), 1))
    done = puzzlekit("compare", QUEENS, "--backends", "dlx,sat,csp", "--all")
    assert (done.returncode, done.stdout.splitlines()[-1].partition(";")[0]) == (
        70,
        "THEY DO NOT AGREE (3 of 3)",
    )
    done = puzzlekit("compare", QUEENS, "--backends", "dlx,sat", "--all", "--json")
    assert (done.returncode, json.loads(done.stdout)["agreement"]) == (70, False)


def test_check_reports_it(puzzlekit: Command) -> None:
    text = puzzlekit("check", WIDE, QUEENS, "--backend", "dlx")
    assert (text.returncode, text.stdout) == (2, f"{QUEENS}: as expected\n")
    assert text.stderr == f"{WIDE}: unsupported: {WHY}\n"
    done = puzzlekit("check", WIDE, QUEENS, BROKEN, "--backend", "dlx", "--json")
    wide, queens, broken = json.loads(done.stdout)["files"]
    assert (done.returncode, done.stderr) == (2, "")
    assert wide == {
        "file": WIDE,
        "status": "unsupported",
        "message": WHY,
        "help": "",
        "progress": None,
    }
    assert queens == {
        "file": QUEENS,
        "status": "ok",
        "message": "as expected",
        "help": "",
        "progress": None,
    }
    assert (broken["status"], broken["message"].splitlines()[0]) == (
        "invalid",
        f"{BROKEN}:4:1: the key `answer` is given twice; the first is in line 2",
    )


@pytest.mark.parametrize(
    "files", [(QUEENS, BROKEN_TYPE), (BROKEN_TYPE, QUEENS)], ids=["error last", "error first"]
)
def test_an_error_in_one_file_matters_more_than_a_timeout_in_another(
    files: tuple[str, ...], puzzlekit: Command
) -> None:
    done = puzzlekit("check", *files, "--timeout", "0", "--json")
    found = {report["file"]: report["status"] for report in json.loads(done.stdout)["files"]}
    assert (done.returncode, found) == (2, {QUEENS: "stopped", BROKEN_TYPE: "invalid"})
    assert puzzlekit("check", QUEENS, "--timeout", "0").returncode == 3


def test_an_interrupted_check_reports_the_files_that_it_checked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: Path) -> bool:
        monkeypatch.undo()
        raise KeyboardInterrupt

    assert check_files([ROOT / QUEENS], "auto", None) == 0
    capsys.readouterr()
    monkeypatch.setattr("puzzlekit.catalogue.read_header", interrupted)
    assert check_files([ROOT / QUEENS], "auto", None, as_json=True) == 130
    assert json.loads(capsys.readouterr().out) == {"files": []}


def test_a_wrong_solution_is_a_bug_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wrong(*_: object) -> None:
        raise BackendBug("a wrong solution")

    monkeypatch.setattr(Run, "_read_again", wrong)
    puzzle = load("queens", ROOT / QUEENS)
    assert print_comparisons([puzzle], Query(), ["csp"], ComparisonOutput(as_json=True)) == 70
    (found,) = json.loads(capsys.readouterr().out)["backends"]
    assert (found["status"], found["reason"], found["unsupported"]) == (
        "bug",
        "the backend csp: a wrong solution",
        None,
    )
    assert check_files([ROOT / SUDOKU], "csp", None) == 70
    assert "first.yaml: bug: the backend csp: a wrong solution" in capsys.readouterr().err


def test_forms_that_no_pass_reaches_are_reported_with_the_backend(puzzlekit: Command) -> None:
    said = (
        "the backend csp: supports.forms must also have TABLE, CHOICE: "
        "no pass lowers them to the others"
    )
    with patch.object(
        Csp, "supports", replace(Csp.supports, forms=frozenset({Form.ALL_DIFFERENT}))
    ):
        done = puzzlekit("solve", QUEENS, "--backend", "csp")
        assert (done.returncode, done.stderr) == (
            70,
            f"this is a bug in puzzlekit, please report it: {said}\n",
        )
        for options in ((), ("--timeout", "30"), ("--verbose",)):
            done = puzzlekit("compare", QUEENS, "--backends", "csp,sat", *options)
            assert f"csp: bug: {said}" in " ".join(done.stdout.split()) and done.returncode == 70, (
                done.stdout
            )


def test_python_gets_a_status_or_the_error() -> None:
    puzzle = load(None, ROOT / WIDE)
    run = puzzle.run(Query(), "dlx")
    assert (list(run), run.status, str(run.reason), run.count, run.counted) == (
        [],
        "unsupported",
        WHY,
        0,
        False,
    )
    assert Backbone(puzzle, Query(limit=1), "dlx").status == "unsupported"
    for ask in (
        lambda: list(puzzle.solve("dlx")),
        lambda: puzzle.count("dlx"),
        lambda: puzzle.sample(1, backend="dlx"),
    ):
        with pytest.raises(Unsupported, match=WHY):
            ask()
