"""`--watch`: again at each save, however the editor saves."""

import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.commands import ROOT, Command

SPEC = "puzzle: queens\nsize: {size}\nexpect:\n  solutions: {count}\n"


class Watched:
    """A command that runs, and the lines that it prints."""

    def __init__(self, *arguments: str, cwd: Path) -> None:
        command = [sys.executable, "-m", "puzzlekit", *arguments, "--watch"]
        listen: Callable[[], object] = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=cwd,
            preexec_fn=listen,
        )
        self.lines: queue.Queue[str] = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        with self.process.stdout as lines:
            for line in lines:
                self.lines.put(line)

    def until_it_waits(self) -> str:
        """What is printed before the command waits for the next change."""
        text = ""
        while "watching " not in text:
            text += self.lines.get(timeout=60)
        return text

    def end(self) -> int:
        """The exit code after Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(30)


@contextmanager
def watched(*arguments: str, cwd: Path = ROOT) -> Iterator[Watched]:
    run = Watched(*arguments, cwd=cwd)
    try:
        yield run
    finally:
        run.process.kill()
        run.process.wait()
        run.reader.join()


def test_check_runs_again_at_each_save(tmp_path: Path) -> None:
    spec, other = tmp_path / "spec.yaml", tmp_path / "spec.yaml~"
    spec.write_text(SPEC.format(size=4, count=2), encoding="utf-8")
    with watched("check", str(spec)) as run:
        text = run.until_it_waits()
        assert (
            "as expected" in text
            and " ·  ·  ·  ·\n" in text
            and f"watching {spec} and 1 more file; Ctrl-C ends\n" in text
        )
        spec.write_text(SPEC.format(size=4, count=3), encoding="utf-8")
        assert "expected 3 solutions, found 2" in run.until_it_waits()
        other.write_text(SPEC.format(size=5, count=10), encoding="utf-8")
        spec.unlink()  # an editor that removes the file first
        other.rename(spec)
        assert "as expected" in run.until_it_waits()
        other.write_text("puzzle: queens\nsize: x\n", encoding="utf-8")
        other.replace(spec)  # one that renames over it
        assert f"{spec}:2:7: 'x' is not a whole number" in run.until_it_waits()
        spec.write_text("", encoding="utf-8")  # one that truncates it first
        spec.write_text(SPEC.format(size=6, count=4), encoding="utf-8")
        text = run.until_it_waits()
        assert "as expected" in text and "no such file" not in text and "empty" not in text
        spec.unlink()
        assert (
            "there is no such file" in run.until_it_waits()
        )  # in the end it is an error, and watched for
        spec.write_text(SPEC.format(size=4, count=2), encoding="utf-8")
        assert "as expected" in run.until_it_waits()
        assert run.end() == 130
        assert run.lines.empty()


def test_solve_runs_again_when_its_type_is_saved(tmp_path: Path) -> None:
    kind, spec = tmp_path / "pair.yaml", tmp_path / "spec.yaml"
    text = (
        "puzzle: pair\ndata: {total: int}\nvariables: {x: 'between(1, 9)', y: 'between(1, 9)'}\n"
        "rules:\n  sum: x + y == total\n"
    )
    kind.write_text(text, encoding="utf-8")
    spec.write_text("puzzle: pair\ntotal: 18\n", encoding="utf-8")
    with watched("solve", "spec.yaml", "--timeout", "30", cwd=tmp_path) as run:
        assert "the only solution" in run.until_it_waits()
        kind.write_text(text + "  less: x < y\n", encoding="utf-8")
        assert "no solution" in run.until_it_waits()
        spec.write_text("puzzle: pair\ntotal: 16\n", encoding="utf-8")
        assert "the only solution" in run.until_it_waits()
        assert run.end() == 130


def test_marks_are_judged_again_when_their_file_is_saved(tmp_path: Path) -> None:
    marks = tmp_path / "marks.yaml"
    marks.write_text("digit: {r1c3: 4}\n")
    with watched("check", "specs/sudoku/first.yaml", "--progress", str(marks)) as run:
        assert run.until_it_waits().startswith("Right so far")
        marks.write_text("digit: {r1c3: 2}\n")
        assert "This leads nowhere" in run.until_it_waits()


def test_ctrl_c_during_a_run_ends_it(tmp_path: Path) -> None:
    with watched("solve", "specs/unwordle/millions.yaml", "--all", "--rank", "none") as run:
        for _ in range(50):
            run.lines.get(timeout=60)
        assert run.end() == 130


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("check", "none.yaml"), "none.yaml: there is no such file\n"),
        (("check", "specs/queens/n4.yaml", "--json"), "--watch cannot be combined with --json\n"),
        (
            ("solve", "-"),
            "--watch requires a file, not standard input or only the name of a type\n",
        ),
        (
            ("solve", "queens", "--set", "size=4"),
            "--watch requires a file, not standard input or only the name of a type\n",
        ),
    ],
)
def test_what_cannot_be_watched(
    arguments: tuple[str, ...], message: str, puzzlekit: Command
) -> None:
    done = puzzlekit(*arguments, "--watch")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)


def test_files_behind_a_spec_are_watched() -> None:
    from puzzlekit.cli.watch import _dependencies

    found = [path.name for path in _dependencies(ROOT / "specs" / "waffle" / "first.yaml")]
    assert found == ["first.yaml", "waffle.yaml", "swaps.yaml"]
