"""Messages on a terminal are wrapped, and long commands show that they run; pipes get neither."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from puzzlekit.cli.messages import print_message, progress_line
from tests.commands import ROOT, called

pty = pytest.importorskip("pty")
LONG = "generate", "nurikabe", "--size", "5", "--symmetry", "rotate", "--seed", "1"
SLOW = "generate", "nurikabe", "--size", "100x100", "--seed", "1"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def on_terminal(*arguments: str, cwd: Path = ROOT, seconds: float = 60) -> str:
    """Return what a command writes on standard error, if that is a terminal of 80 columns."""
    ours, theirs = pty.openpty()
    command = subprocess.Popen(
        [sys.executable, "-m", "puzzlekit", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        cwd=cwd,
        env={**os.environ, "COLUMNS": "80"},
    )
    try:
        command.wait(seconds)
    except subprocess.TimeoutExpired:
        command.terminate()
        command.wait()
    finally:
        os.close(theirs)
        written = os.read(ours, 100_000)
        os.close(ours)
    return written.decode().replace("\r\n", "\n")


def test_messages_are_wrapped_on_a_terminal_only() -> None:
    (line,) = called(*LONG).stderr.splitlines()
    assert len(line) > 80
    lines = on_terminal(*LONG).splitlines()
    assert max(map(len, lines)) <= 80 and lines[1].startswith("  ")
    assert " ".join(" ".join(lines).split()) == line


def test_positions_and_excerpts_stay_whole(tmp_path: Path) -> None:
    folder = (
        tmp_path / "a folder whose name has blanks and is as long as eighty columns or more, too"
    )
    folder.mkdir()
    spec = folder / "spec.yaml"
    spec.write_text("puzzle: sudoku\ngivens:  1 2 3 4 5 6 7 8 9" + 20 * " x" + "\n")
    lines = on_terminal("check", str(spec)).splitlines()
    assert lines[0].startswith(f"{spec}:2:")
    assert any(line.startswith("   2 | givens:  1 2") and " x" in line for line in lines)


def test_a_message_replaces_the_line_of_progress() -> None:
    terminal = Terminal()
    print_message("first", terminal)
    progress_line.set()
    print_message("second", terminal)
    progress_line.clear()
    assert terminal.getvalue() == "first\n\r\033[Ksecond\n"


def test_tries_are_shown_on_a_terminal() -> None:
    shown = on_terminal("generate", "sudoku", "--require", "swordfish", "--seed", "1", seconds=15)
    assert re.search(r"generating sudoku … try \d+ of 40, \d+ s", shown)


def test_a_long_command_shows_on_a_terminal_that_it_runs() -> None:
    assert "generating nurikabe …" in on_terminal(*SLOW, seconds=5)
