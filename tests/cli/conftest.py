"""The command line as a person types it: a real process, from the project's root."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import ROOT, Command


@pytest.fixture(scope="session")
def puzzlekit() -> Command:
    def run(*arguments: str, stdin: str = "", cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "puzzlekit", *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=cwd,
            env={**os.environ, "PYTHONWARNINGS": "error", **environment},
            timeout=120,
            check=False,
        )

    return run
