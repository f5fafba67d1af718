"""Completion in the shell: what is offered, quickly and without a word of error."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from puzzlekit.backends import BACKENDS
from puzzlekit.libraries.words import table
from tests.commands import ROOT

VARIABLE = "_PUZZLEKIT_COMPLETE"


def completed(line: str, cwd: Path = ROOT, shell: str = "bash", **environment: str) -> list[str]:
    """What is offered at the end of a line. Nothing may be printed as an error."""
    words = line.split() + [""] * line.endswith(" ")
    asked = {
        VARIABLE: f"complete_{shell}",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    program = "import sys; sys.argv[0] = 'puzzlekit'; from puzzlekit.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **asked, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr == ""
    return [text for text in done.stdout.split("\n") if text]


@pytest.mark.sampled(6)  # each is a process
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("puzzlekit so", ["solve"]),
        ("puzzlekit solve su", ["sudoku", "suguru", "sukoro"]),
        ("puzzlekit show sl", ["slant", "slitherlink"]),
        ("puzzlekit show picr", ["picross"]),
        ("puzzlekit new spec wa", ["waffle"]),
        ("puzzlekit generate san", ["sanalouhos"]),
        ("puzzlekit draw kakuro", ["kakuro"]),
        ("puzzlekit solve specs/su", []),
        ("puzzlekit solve --backend ", ["auto", *BACKENDS]),
        ("puzzlekit check x.yaml --backend exa", ["exact-cover"]),
        ("puzzlekit compare sudoku x --backends sat,c", ["sat,csp", "sat,cp-sat"]),
        (
            "puzzlekit solve sanalouhos x.yaml --goal ",
            ["least_words", "most_words", "most_letters", "common", "none"],
        ),
        ("puzzlekit solve specs/sanalouhos/tiny.yaml --rank l", ["least_words"]),
        ("puzzlekit solve sudoku x.yaml --goal ", ["none"]),
        ("puzzlekit solve nonsense x.yaml --goal ", []),
        ("puzzlekit solve x --lexicon english-c", ["english-common"]),
        ("puzzlekit words english+fi", ["english+finnish-familiar", "english+finnish"]),
        ("puzzlekit words ", [source.name for source in table()]),
        ("puzzlekit check ", []),
    ],
)
def test_what_is_offered(line: str, offered: list[str]) -> None:
    assert completed(line) == offered


def test_all_types_are_offered() -> None:
    assert completed("puzzlekit solve ") == sorted(
        path.stem for path in (ROOT / "puzzles").glob("*.yaml")
    )


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_show_titles(shell: str) -> None:
    (line,) = [line for line in completed("puzzlekit show sudo", shell=shell) if line.strip()]
    assert "sudoku" in line and "Sudoku" in line


def test_nothing_that_is_wrong_is_reported(tmp_path: Path) -> None:
    (tmp_path / "damaged.yaml").write_bytes(b"\xff\xfe")
    (tmp_path / "mine.yaml").write_text(
        "puzzle: mine\ngoals: [\nvariables: {x: bool}\n", encoding="utf-8"
    )
    assert "damaged" not in completed(
        "puzzlekit show ", PUZZLEKIT_PATH=f"{tmp_path}:/nonexistent:\udcff"
    )
    assert completed("puzzlekit solve damaged x --goal ", PUZZLEKIT_PATH=str(tmp_path)) == []
    assert completed("puzzlekit solve mine x --goal ", PUZZLEKIT_PATH=str(tmp_path)) == []
    assert completed("puzzlekit show ", COMP_CWORD="x") == []
    completed("puzzlekit 'solve ")


def test_completion_loads_no_solver() -> None:
    program = (
        "import sys, typer; from puzzlekit.cli import completion;"
        "[offer(None, '') for offer in (completion.types, completion.backends, completion.goals)];"
        "print(sorted({'numpy', 'z3', 'puzzlekit.lang'} & set(sys.modules)))"
    )
    environment = {"COMP_WORDS": "puzzlekit solve waffle"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.stdout == "[]\n"


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_one_command_installs_it_for_bash(tmp_path: Path) -> None:
    """The real shell completes after the installation: types by puzzlekit, files by itself."""
    environment = {
        "HOME": str(tmp_path),
        "PATH": f"{ROOT / '.venv/bin'}:{os.environ['PATH']}",
        "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1",
    }
    done = subprocess.run(
        ["puzzlekit", "--install-completion", "bash"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0 and "completion installed" in done.stdout, done.stderr
    script = (
        f"source {tmp_path}/.bash_completions/puzzlekit.sh; complete -p puzzlekit;"
        "COMP_WORDS=(puzzlekit solve sudo); COMP_CWORD=2; _puzzlekit_completion puzzlekit; "
        "echo ${COMPREPLY[@]}"
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (
        done.stdout == "complete -o default -F _puzzlekit_completion puzzlekit\nsudoku\n"
        and done.stderr == ""
    )
