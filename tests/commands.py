"""Commands as a person types them: `called` in this process, or `started` as one of its own.

Starting Python and loading libraries takes far longer than most commands, so a test takes `called`
unless it is about the process itself: signals, `--memory`, standard streams that are closed or
full, variables that Python reads at its start. `tests/cli` starts a process for each way out.
"""

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from puzzlekit.cli.program import main

ROOT = Path(__file__).resolve().parents[1]
Done = subprocess.CompletedProcess[str]
Command = Callable[..., Done]


def called(*arguments: str, stdin: str = "", cwd: Path = ROOT, **environment: str) -> Done:
    """Run a command in this process, from the project's root."""
    assert "--memory" not in arguments, "it would bound this process"
    given = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(cwd)
        patch.setenv("PYTHONSAFEPATH", "1")  # the command sets it for good
        for name, value in environment.items():
            patch.setenv(name, value)
        patch.setattr(sys, "argv", ["puzzlekit", *arguments])
        for name, stream in (("stdin", given), ("stdout", out), ("stderr", err)):
            patch.setattr(sys, name, stream)
        code: object = 0
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
    if not isinstance(code, int):
        err.write(f"{code}\n")
        code = 1
    return subprocess.CompletedProcess(arguments, code, *map(_text, (out, err)))


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


def started(*arguments: str, stdin: str = "", cwd: Path = ROOT, **environment: str) -> Done:
    """Run a command in a process of its own, from the project's root."""
    return subprocess.run(
        [sys.executable, "-m", "puzzlekit", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=cwd,
        env={**os.environ, "PYTHONWARNINGS": "error", **environment},
        timeout=300,
        check=False,
    )
