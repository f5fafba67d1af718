"""The tutorials do what they say: each page is followed from top to bottom in an empty folder.

A block with a title is saved under it; the commands of a `console` block run, in their order. What stands below a command is
what it prints, but for times; a line with `…` stands for any lines. Where nothing stands below, the command has to succeed.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import called

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
FENCED = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
TIMES = re.compile(r"\b\d+\.\d{2,3}\b")


def commands(block: str) -> list[tuple[str, str]]:
    """Each command of a console block, with what stands below it."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(command, printed) for command, _, printed in (part.partition("\n") for part in parts)]


def described(printed: str) -> re.Pattern[str]:
    """What a page shows of an output, as a pattern that the output has to match."""
    lines = [".*?" if line == "…" else re.escape(TIMES.sub("#", line)) for line in printed.strip("\n").split("\n")]
    return re.compile("\n".join(lines).replace("\n.*?", "(?:\n.*)?").replace(".*?\n", "(?:.*\n)?"), re.DOTALL)


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of a page in the reader's folder."""
    name, *arguments = shlex.split(command)
    if name == "puzzlekit":
        return called(*arguments, cwd=folder)
    assert name == "python", name
    done = [sys.executable, *arguments]
    return subprocess.run(done, capture_output=True, text=True, cwd=folder, encoding="utf-8", check=False, timeout=120)


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_a_tutorial_can_be_followed(page: Path, tmp_path: Path) -> None:
    for kind, title, text in FENCED.findall(page.read_text(encoding="utf-8")):
        if title:
            (tmp_path / title).write_text(text, encoding="utf-8")
        for command, printed in commands(text) if kind == "console" else ():
            done = run(command, tmp_path)
            if not printed.strip():
                assert (done.returncode, done.stderr) == (0, ""), command
            else:
                found = TIMES.sub("#", done.stdout + done.stderr).strip("\n")
                assert described(printed).fullmatch(found), f"{command}\n{found}"


def test_the_tutorials_have_commands_and_no_python_that_is_not_run() -> None:
    blocks = [block for page in PAGES for block in FENCED.findall(page.read_text(encoding="utf-8"))]
    assert sum(len(commands(text)) for kind, _, text in blocks if kind == "console") > 25
    run_by_name = {command.split()[1] for kind, _, text in blocks if kind == "console" for command, _ in commands(text)}
    assert all(title in run_by_name for kind, title, _ in blocks if kind == "python")


@pytest.mark.parametrize(
    ("printed", "found"),
    [("a\n…\nd", "a\nb\nc\nd"), ("a\n…\nd", "a\nd"), ("a\n…", "a\nb"), ("…\nb", "a\nb"), ("…\nb", "b"), ("0.12 s", "# s")],
)
def test_a_line_of_dots_stands_for_any_lines(printed: str, found: str) -> None:
    assert described(printed).fullmatch(found)


@pytest.mark.parametrize(("printed", "found"), [("a\n…\nd", "a\nb"), ("a", "a\nb"), ("…\nb", "ab"), ("a\n…", "ab")])
def test_all_other_lines_are_as_they_stand(printed: str, found: str) -> None:
    assert not described(printed).fullmatch(found)
