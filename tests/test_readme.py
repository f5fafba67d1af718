"""What the README and the pages on Wordle, Waffle and ciphers say happens: commands are run, files quoted as they are."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import called

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
WORDLE = (ROOT / "docs" / "wordle.md").read_text(encoding="utf-8")
WAFFLE = (ROOT / "docs" / "waffle.md").read_text(encoding="utf-8")
CIPHERS = (ROOT / "docs" / "ciphers.md").read_text(encoding="utf-8")
FENCED = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
BLOCKS = FENCED.findall(README)


def transcript() -> list[tuple[str, str]]:
    """Each command, with what is printed under it."""
    found = []
    for kind, text in (*BLOCKS, *FENCED.findall(WORDLE), *FENCED.findall(WAFFLE), *FENCED.findall(CIPHERS)):
        if kind == "console":
            for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, _, printed = part.partition("\n")
                found.append((command, printed))
    return found


def without_times(text: str) -> str:
    """The text with every time in seconds taken out: they differ from run to run."""
    return re.sub(r"\d+\.\d\d s", "# s", re.sub(r"\b\d+\.\d{3}\b", "#", text)).strip()


@pytest.mark.parametrize(("command", "printed"), transcript(), ids=[command for command, _ in transcript()])
def test_commands_print_what_the_readme_shows(command: str, printed: str) -> None:
    name, *arguments = shlex.split(command)
    assert name == "puzzlekit"
    done = called(*arguments)
    assert without_times(done.stdout + done.stderr) == without_times(printed)


@pytest.mark.parametrize("path", ["examples/magic_square.yaml", "examples/magic_square_4.yaml"])
def test_files_are_quoted_whole(path: str) -> None:
    assert any(text == (ROOT / path).read_text(encoding="utf-8") for kind, text in BLOCKS if kind == "yaml")


def test_specs_are_quoted_without_what_they_expect() -> None:
    quoted = [text for kind, text in FENCED.findall(WORDLE) if kind == "yaml"]
    specs = [path.read_text(encoding="utf-8") for path in (ROOT / "specs").glob("*wordle*/*.yaml")]
    assert len(quoted) == 3
    assert all(any(spec.startswith(text + "expect:") for spec in specs) for text in quoted)


def test_the_python_of_the_readme_runs() -> None:
    (script,) = (text for kind, text in BLOCKS if kind == "python")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "{'words': ['kivi'], 'cells': ['r1c3', 'r2c3', 'r2c2', 'r3c3']}" in done.stdout


def test_the_name_on_the_index_is_another_project() -> None:
    for path in ROOT.rglob("*.md"):
        if not any(part.startswith(".") for part in path.relative_to(ROOT).parts):
            assert not re.search(r"pip install '?puzzlekit(?!-yaml)", path.read_text(encoding="utf-8")), path
