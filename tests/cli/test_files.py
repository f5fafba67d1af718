"""Files that commands write: whole, or not at all."""

import errno
import os
import subprocess
from pathlib import Path

import pytest

from puzzlekit.cli.files import writable, write
from puzzlekit.errors import InputError
from tests.commands import Command

SUDOKU = "specs/sudoku/first.yaml"
QUEENS = "specs/queens/n4.yaml"


def test_pictures_follow_links_and_go_into_pipes(puzzlekit: Command, tmp_path: Path) -> None:
    real, link, pipe = tmp_path / "real.svg", tmp_path / "link.svg", tmp_path / "pipe.svg"
    link.symlink_to(real)
    assert puzzlekit("solve", SUDOKU, "--svg", str(link)).returncode == 0
    assert link.is_symlink() and real.read_text(encoding="utf-8").startswith("<svg")
    os.mkfifo(pipe)
    with subprocess.Popen(
        ["cat", str(pipe)], stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as reader:
        assert puzzlekit("solve", SUDOKU, "--svg", str(pipe)).returncode == 0
        out, _ = reader.communicate(timeout=10)
    assert out.startswith("<svg") and out.endswith("</svg>\n")
    assert pipe.is_fifo()


def test_places_where_nothing_can_be_written_are_found_before_the_search(
    tmp_path: Path, puzzlekit: Command
) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere" / "a.svg")
    (tmp_path / "file").touch()
    names = [".", "loop", "dangling", "nowhere/a.svg", "file/a.svg", "n" * 300]
    for path in [*(tmp_path / name for name in names), Path("/proc/a.svg")]:
        with pytest.raises(
            InputError,
            match=r"^--svg .*(cannot write a file here: .|expected a file in an existing folder)",
        ):
            writable("--svg", path)
    done = puzzlekit("solve", QUEENS, "--html", str(tmp_path / "loop"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "the link leads to itself" in done.stderr or "levels of symbolic links" in done.stderr
    long = tmp_path / ("n" * 250 + ".svg")
    writable("--svg", long)
    write(long, "text")
    assert long.read_text(encoding="utf-8") == "text"
    assert {path.name for path in tmp_path.iterdir()} == {"loop", "dangling", "file", long.name}


def test_what_was_there_is_kept_where_a_file_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    old = tmp_path / "old.svg"
    old.write_text("old", encoding="utf-8")
    monkeypatch.setattr(Path, "write_bytes", full)
    for path, told in (
        (old, "the previous file is kept"),
        (tmp_path / "new.svg", "no file was written"),
    ):
        with pytest.raises(
            InputError,
            match=f"{path}: cannot write the file: No space left on device\n{told}",
        ):
            write(path, "text")
    assert [path.name for path in tmp_path.iterdir()] == ["old.svg"] and old.read_text(
        encoding="utf-8"
    ) == "old"
