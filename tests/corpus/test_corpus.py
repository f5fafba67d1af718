"""The corpus runner, on a small folder that is made here."""

import json
import re
from pathlib import Path

import pytest

from tests.corpus import runner
from tests.corpus.__main__ import SAVED, main
from tests.corpus.kinds import kinds, shipped
from tests.corpus.notation import (
    Case,
    Kind,
    Page,
    Refused,
    cells,
    line,
    lines_of,
    page,
    parts_of,
    regions,
)

ROOT = Path(__file__).resolve().parents[2]
SOLVED = "4 4\n1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1"
GIVENS = "4 4\n1 2 - -\n- - - -\n- - - 3\n4 - 2 -"
HITORI = "2 2\n1 1\n2 1", "2 2\n- x\n- -"
OPEN = "4 4\n1 2 - -\n- - - -\n- - - -\n- - - -"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(kind: str, **puzzles: tuple[str, str]) -> Path:
    """A file of the collection in the current folder."""
    data = {
        name: {"problem": problem, "solution": solution}
        for name, (problem, solution) in puzzles.items()
    }
    Path("folder").mkdir(exist_ok=True)
    Path(f"folder/{kind}.json").write_text(json.dumps({"name": kind, "data": data}))
    return Path("folder")


def test_each_status_is_counted_and_listed(capfd: pytest.CaptureFixture[str]) -> None:
    wrong = SOLVED.replace("1 2 3 4", "1 2 4 3")
    write("Hitori", square=HITORI)
    write("Unheard", a=("1 1\n-", "1 1\n1"), b=("1 1\n-", "1 1\n1"))
    write(
        "Sudoku",
        good=(GIVENS, SOLVED),
        differs=(GIVENS, wrong),
        none=(GIVENS.replace("1 2 - -", "1 2 1 -"), SOLVED),
        open=(OPEN, SOLVED),
        sign=(GIVENS.replace("3", "!"), SOLVED),
        narrow=("4 4\n1 2 -", SOLVED),
        unsolved=(GIVENS, ""),
    )
    assert main(["folder"]) == 1
    printed = capfd.readouterr().out.splitlines()
    assert (
        printed[0]
        == "Kind: agree/tried, several, differs, stopped, refused, median and largest seconds"
    )
    assert printed[1].startswith("Hitori: 1/1, several 0, differs 0, stopped 0, refused 0, ")
    assert printed[2].startswith("Sudoku: 1/7, several 1, differs 2, stopped 0, refused 3, ")
    assert re.fullmatch(
        r"  sign refused: puzzlekit: .*'givens'.*expected digit or one of e, o, got '!'",
        printed.pop(6),
    )
    assert printed[3:8] == [
        "  differs differs: the only solution is not the collection's: 1: 3: 3, not 4",
        "  none differs: the type has no solution",
        "  open several: two solutions, one of them the collection's",
        "  narrow refused: 1 rows of [3] words, where 4 of 4 are expected",
        "  unsolved refused: the collection has no solution",
    ]
    assert printed[8:10] == [
        "Unheard: 0/2, several 0, differs 0, stopped 0, refused 2, 0.00 and 0.00 s",
        "  all 2 refused: the kind has no converter",
    ]
    assert printed[10].startswith("3 kinds: 2/10, several 1, differs 2, stopped 0, refused 5, ")


def test_results_are_kept_until_a_puzzle_changes(capfd: pytest.CaptureFixture[str]) -> None:
    def results() -> int:
        return sum(len(path.read_text().splitlines()) for path in SAVED.glob("*.results.jsonl"))

    write("Sudoku", one=(GIVENS, SOLVED), two=(GIVENS, SOLVED))
    assert [main(["folder"]), main(["folder"])] == [0, 0]
    assert results() == 2
    write("Sudoku", one=(GIVENS, SOLVED), two=(GIVENS.replace("- - - 3", "- - 4 3"), SOLVED))
    assert main(["folder", "--results", "all.jsonl"]) == 0
    assert results() == 4
    assert [
        json.loads(line)["result"][0] for line in Path("all.jsonl").read_text().splitlines()
    ] == ["agree", "agree"]
    assert "2/2" in capfd.readouterr().out.splitlines()[-1]


def test_a_puzzle_that_takes_too_long_and_a_converter_that_fails_are_one_line(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def convert(problem: Page, solution: Page) -> Case:
        if problem.head == ["fail"]:
            raise ZeroDivisionError
        return shipped.masyu(problem, solution)

    empty = "100 100\n" + "\n".join(["- " * 100] * 100)
    monkeypatch.setitem(runner.KINDS, "Deadly", (Kind("masyu", convert), shipped))
    write("Deadly", long=(empty, empty), fail=("fail", "x"))
    assert main(["folder", "--seconds", "0.4", "--workers", "2"]) == 1
    printed = capfd.readouterr().out.splitlines()
    assert printed[1].startswith("Deadly: 0/2, several 0, differs 0, stopped 1, refused 1, ")
    assert printed[2].startswith("  long stopped: ")
    assert printed[3] == "  fail refused: the converter failed: ZeroDivisionError"


def test_what_cannot_be_run_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["nowhere"]) == 2
    write("Hitori", square=HITORI)
    assert main(["folder", "Hitory"]) == 2
    Path("folder/broken.json").write_text("{")
    Path("folder/text.json").write_text('"text"')
    Path("folder/list.json").write_text('[{"problem": "1 1"}, 7]')
    assert main(["folder"]) == 1
    printed = capfd.readouterr()
    assert printed.err.splitlines() == [
        "nowhere has no JSON files",
        "folder has no Hitory; did you mean Hitori?",
    ]
    assert printed.out.splitlines()[1].startswith("refused: broken.json cannot be read: ")
    assert printed.out.splitlines()[2] == "refused: text.json holds no puzzles"
    assert "list: 0/2, several 0, differs 0, stopped 0, refused 2, 0.00 and 0.00 s" in printed.out
    for wrong in (["--limit", "0"], ["--seconds", "-1"], ["--workers", "x"]):
        with pytest.raises(SystemExit, match="2"):
            main(["folder", *wrong])


def test_a_line_that_leaves_only_one_cell_is_refused() -> None:
    assert lines_of([["e", "w"], ["-", "x"]]) == {frozenset(("r1c1", "r1c2"))}
    with pytest.raises(Refused, match="do not meet: r1c1-r1c2"):
        lines_of([["e", "-"]])


def test_the_notation_is_read() -> None:
    read = page("2 3 x\n1 - b\n\n- 2 w\n[lines]\n- 1\nunit 27\n")
    assert (read.head, read.height, read.width) == (["2", "3", "x"], 2, 3)
    assert read.rows[:3] == [["1", "-", "b"], [], ["-", "2", "w"]]
    assert read.sections["lines"][0] == ["-", "1"]
    with pytest.raises(Refused, match="the first line has no size: x"):
        _ = page("x").height
    assert cells([["1", "-", "x"]], x="s") == [["1", None, "s"]]
    assert line(["3", "-", "10"]) == [3, None, 10]
    with pytest.raises(Refused, match="x is not a number"):
        line(["x"])
    assert parts_of([["1", "1"], ["2", "-"]], "-") == {
        frozenset(("r1c1", "r1c2")),
        frozenset(("r2c1",)),
    }
    assert regions([["a", "b"], ["a", "a"]]) == {"a": ["r1c1", "r2c1", "r2c2"], "b": ["r1c2"]}


def test_each_converter_has_a_type_that_ships() -> None:
    assert all((ROOT / f"puzzles/{kind.type}.yaml").is_file() for kind, _ in kinds().values())
