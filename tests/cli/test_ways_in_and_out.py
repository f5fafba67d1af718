"""What comes in by odd ways, and what cannot be written: told in a line, with the right exit code, before the search."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.text import Text

from puzzlekit.api import load
from puzzlekit.cli.files import writable, write
from puzzlekit.cli.screen import console
from puzzlekit.errors import InputError
from tests.commands import ROOT, Command

QUEENS = "specs/queens/n4.yaml"
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


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A command of the shell; `puzzlekit` is this one."""
    text = command.replace("puzzlekit ", f'"{sys.executable}" -m puzzlekit ')
    env = {**os.environ, **environment}
    return subprocess.run(["bash", "-c", text], cwd=ROOT, capture_output=True, check=False, timeout=120, env=env)


@pytest.mark.sampled(4)  # each is a process
@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("puzzlekit solve - <&-", 2, "standard input is closed"),
        (
            "printf 'puzzle: queens\\nsize: 4\\ntitle: \\344\\n' | puzzlekit solve -",
            2,
            "<stdin>:3:8: this is not UTF-8 text (byte 0xE4)",
        ),
        ("printf 'puzzle: queens\\r\\nsize: 4\\r\\n' | puzzlekit solve - --count", 0, ""),
        ("yes 'a: b' | puzzlekit solve -", 2, "a type or spec has at most"),
        ("puzzlekit solve <(cat specs/queens/n4.yaml)", 2, ""),
        (f"puzzlekit solve {QUEENS} --all > /dev/full", 2, "cannot write to standard output: No space left on device"),
        ("puzzlekit --help > /dev/full", 2, "cannot write to standard output"),
        ("puzzlekit generate waffle --help > /dev/full", 2, "cannot write to standard output"),
        (f"puzzlekit solve {QUEENS} --html /dev/full", 2, "/dev/full: cannot write the file: No space left on device"),
    ],
)
def test_a_line_and_the_right_code(command: str, code: int, said: str) -> None:
    done = shell(command, PYTHONIOENCODING="utf-8:strict")
    error = done.stderr.decode()
    assert (done.returncode, "Traceback" in error) == (code, False), error
    assert said in error


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (f"solve {QUEENS} --limit 0", "--limit"),
        (f"solve {QUEENS} --timeout nan", "'--timeout'"),
        (f"compare {QUEENS} --limit 1 --count", "exclude each other"),
    ],
)
def test_options_that_make_no_sense(command: str, said: str, puzzlekit: Command) -> None:
    done = puzzlekit(*command.split())
    assert (done.returncode, done.stdout, said in done.stderr) == (2, "", True)


def test_places_where_nothing_can_be_written_are_found_before_the_search(tmp_path: Path, puzzlekit: Command) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere" / "a.svg")
    (tmp_path / "file").touch()
    names = [".", "loop", "dangling", "nowhere/a.svg", "file/a.svg", "n" * 300]
    for path in [*(tmp_path / name for name in names), Path("/proc/a.svg")]:
        with pytest.raises(InputError, match=r"^--svg .*(cannot write a file here: .|expected a file in an existing folder)"):
            writable("--svg", path)
    done = puzzlekit("solve", QUEENS, "--html", str(tmp_path / "loop"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "the link leads to itself" in done.stderr or "levels of symbolic links" in done.stderr
    long = tmp_path / ("n" * 250 + ".svg")
    writable("--svg", long)
    write(long, "text")
    assert long.read_text(encoding="utf-8") == "text"
    assert {path.name for path in tmp_path.iterdir()} == {"loop", "dangling", "file", long.name}


def test_what_was_there_is_kept_where_a_file_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    old = tmp_path / "old.svg"
    old.write_text("old", encoding="utf-8")
    monkeypatch.setattr(Path, "write_bytes", full)
    for path, told in ((old, "the previous file is kept"), (tmp_path / "new.svg", "no file was written")):
        with pytest.raises(InputError, match=f"{path}: cannot write the file: No space left on device\n     = {told}"):
            write(path, "text")
    assert [path.name for path in tmp_path.iterdir()] == ["old.svg"] and old.read_text(encoding="utf-8") == "old"


def test_narrow_terminals_show_all(puzzlekit: Command) -> None:
    done = puzzlekit("compare", QUEENS, "--backends", "exact-cover,xcover", COLUMNS="20")
    for part in ("exact-cover", "presolve", "solutions", "complete", "all that finished agree"):
        assert part in done.stdout
    shown = puzzlekit("solve", QUEENS, COLUMNS="0").stdout
    assert "   ·  ♛  ·  ·" in shown and "one solution of several" in shown


def test_a_terminal_gets_no_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    screen = console(True)
    screen.print("a\x1b[31mred\u202e\nb")
    screen.print(Text("\x1b]0;title\x07"))
    assert capsys.readouterr().out == "a·[31mred·\nb\n·]0;title\n"


def test_a_bound_on_memory_draws_without_listing(tmp_path: Path, started: Command, puzzlekit: Command) -> None:
    """There are 1,031,151,241 tilings; a backend in a process of its own listed them."""
    path = tmp_path / "dominoes.yaml"
    path.write_text(DOMINOES, encoding="utf-8")
    more = ("--sample", "2", "--seed", "1", "--json", "--timeout", "60")
    found = [puzzlekit("solve", str(path), *more), started("solve", str(path), *more, "--memory", "4G")]
    assert [done.returncode for done in found] == [0, 0], found
    one, other = (done.stdout.partition('"solutions": ')[2].partition('"seconds"')[0] for done in found)
    assert one == other and '"x"' in one


def test_a_folder_of_a_types_name_hides_no_type(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, puzzlekit: Command) -> None:
    (tmp_path / "queens").mkdir()
    done = puzzlekit("solve", "queens", "--set", "size=4", "--count", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    monkeypatch.chdir(tmp_path)
    assert load("queens", settings={"size": "4"}).count() == 2
