"""Rows of puzzles: whole lines, each once, the same whoever makes them,
gone on with where they were ended.
"""

import json
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import puzzlekit
from puzzlekit.boards import Cell
from puzzlekit.making.rows import symmetric_hash
from puzzlekit.processes import lock_file
from tests.commands import called

COMMAND = ("generate", "slant,yin_yang", "--size", "4", "--seed", "5", "--count", "3")


def rows(file: Path) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return sorted(found, key=lambda row: (row["type"], row["number"]))


def test_rows_do_not_depend_on_who_makes_them_and_are_gone_on_with(tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    assert called(*COMMAND, "--out", str(one), "--workers", "1").returncode in (0, 1)
    made = rows(one)
    assert {row["type"] for row in made} == {"slant", "yin_yang"} and len(
        {row["hash"] for row in made}
    ) == len(made)
    for row in made:
        puzzle = puzzlekit.load(None, row["spec"])
        (solution,) = puzzle.solve()
        assert solution.json() == row["solution"] and puzzle.rate().score == row["score"]
        assert (
            row["quality"]["redundant"] == 0 and 0 < row["quality"]["density"] < 1
        )  # as few clues as possible
    lines = one.read_bytes().splitlines(keepends=True)
    other.write_bytes(
        lines[0] + lines[1] + lines[2][:40]
    )  # which was ended in the middle of a line
    again = called(*COMMAND, "--out", str(other), "--workers", "2")
    assert "2 before" in again.stdout and rows(other) == made
    assert ": 0 rows" in called(*COMMAND, "--out", str(other)).stdout and rows(other) == made
    larger = (
        "generate",
        "slant,yin_yang",
        "--size",
        "5",
        *COMMAND[4:],
    )  # with the same seed and numbers
    assert ": 0 rows" not in called(*larger, "--out", str(other)).stdout and len(rows(other)) > len(
        made
    )


def test_a_file_that_another_process_writes_to_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    with file.open("ab") as writer:
        assert lock_file(writer.fileno())
        done = called(*COMMAND, "--out", str(file))
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"--out {file}: another generate writes to this file\n"
    assert file.read_bytes() == b""


@pytest.mark.slow
def test_two_processes_write_no_row_twice(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    command = [sys.executable, "-m", "puzzlekit", *COMMAND, "--out", str(file)]
    runs = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(2)]
    for run in runs:
        run.communicate()
    assert 2 in {run.returncode for run in runs}
    hashes = [row["hash"] for row in rows(file)]
    assert hashes and len(hashes) == len(set(hashes))


@pytest.mark.slow
def test_rows_of_several_types_are_whole_and_once_after_two_kills(tmp_path: Path) -> None:
    file, whole = tmp_path / "rows.jsonl", tmp_path / "whole.jsonl"
    command = [
        "generate",
        "slant:5,masyu:5,yin_yang:5,minesweeper:5",
        "--seed",
        "9",
        "--count",
        "12",
        "--workers",
        "2",
        "--out",
    ]
    for least in (6, 20):
        run = subprocess.Popen(
            [sys.executable, "-m", "puzzlekit", *command, str(file)], stdout=subprocess.DEVNULL
        )
        try:
            while run.poll() is None and (
                not file.exists() or file.read_bytes().count(b"\n") < least
            ):
                time.sleep(0.05)
        finally:
            run.kill()
            run.wait()
        with file.open("ab") as torn:
            torn.write(b'{"type": "sl')  # as if it had been ended while it wrote
    called(*command, str(file))
    called(*command, str(whole))
    made = rows(file)
    assert made == rows(whole) and len({row["hash"] for row in made}) == len(made) > 40
    assert all(puzzlekit.load(None, row["spec"]).count("z3") == 1 for row in made)


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"a": 1}\n', encoding="utf-8")
    done = called(*COMMAND, "--out", str(file))
    assert done.returncode == 2 and "x.jsonl:1: this is no row" in done.stderr
    assert file.read_text(encoding="utf-8") == '{"a": 1}\n'
    assert "several types require --out: a folder, or FILE.jsonl" in called(*COMMAND).stderr


def test_a_type_that_makes_no_puzzles_is_named(tmp_path: Path) -> None:
    done = called(
        "generate",
        "slant:4,boggle",
        "--count",
        "2",
        "--seed",
        "1",
        "--workers",
        "1",
        "--out",
        str(tmp_path / "x.jsonl"),
    )
    assert (
        done.returncode == 2
        and done.stderr.startswith("boggle has no field")
        and "puzzles of boggle" in done.stderr
    )


def test_an_interrupt_leaves_whole_rows(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    command = [
        sys.executable,
        "-m",
        "puzzlekit",
        "generate",
        "slant",
        "--size",
        "4",
        "--count",
        "100000",
        "--out",
        str(file),
    ]
    listen = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731  a job in the background is deaf to it
    run = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=listen
    )
    try:
        written = 0
        while written < 3 and run.poll() is None:
            with suppress(
                FileNotFoundError
            ):  # it is tried beforehand whether the file can be written
                written = file.read_bytes().count(b"\n")
        run.send_signal(signal.SIGINT)
        _, told = run.communicate(timeout=60)
    finally:
        run.kill()
    assert run.returncode == 130 and "Traceback" not in told and rows(file)


def test_images_of_a_board_have_one_hash() -> None:
    board = ["12.", "...", "..3"]
    images = [
        board,
        [row[::-1] for row in board],
        board[::-1],
        ["".join(column) for column in zip(*board)],
    ]
    puzzles = [
        puzzlekit.load("examples/magic_square.yaml", {"size": 3, "givens": image})
        for image in images
    ]
    hashes = {symmetric_hash(puzzle, {("givens", Cell(1, 1)): 1}) for puzzle in puzzles}
    other = puzzlekit.load(
        "examples/magic_square.yaml", {"size": 3, "givens": ["12.", "...", ".3."]}
    )
    assert len(hashes) == 1 and symmetric_hash(other, {}) not in hashes


def test_several_types_with_sizes_and_levels_fill_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "book"
    options = ("--count", "2", "--level", "easy,medium", "--seed", "3", "--out", str(folder))
    assert called("generate", "minesweeper:4x5,slant:5", *options).returncode == 0
    made = [puzzlekit.load(None, path) for path in sorted(folder.iterdir())]
    assert [(puzzle.type.name, puzzle.spec.generated_by["level"]) for puzzle in made] == [
        *(("minesweeper", "easy"), ("minesweeper", "medium")),
        *(("slant", "easy"), ("slant", "medium")),
    ]
    assert len(made[0]["clues"]) == 4
    again = called(*made[0].spec.text("source").split()[1:], "--count", "2").stdout
    assert again.split("---\n")[0] == Path(made[0].spec.source.path).read_text(encoding="utf-8")
