"""Answers questions in a Python that lacks what a web page lacks: run as a program.

It reads lines of JSON, each a question, and prints a list of messages for each.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

ABSENT = {"resource", "_multiprocessing", "_posixsubprocess", "clingo", "z3", "ortools", "xcover"}


class Absence(MetaPathFinder):
    """Finds that a module is not there."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] in ABSENT:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        return None


def refuse(*_: Any, **__: Any) -> Any:
    raise OSError("there are neither threads nor processes")


def become_a_page() -> None:
    """Take away from this process what a web page does not have."""
    import _thread

    for name in [name for name in sys.modules if name.partition(".")[0] in ABSENT]:
        del sys.modules[name]
    sys.meta_path.insert(0, Absence())
    sys.platform = "emscripten"
    del time.thread_time
    _thread.start_new_thread = refuse
    subprocess.Popen = refuse  # type: ignore[assignment,misc]
    os.fork = refuse


def main() -> None:
    import json

    import numpy  # noqa: F401 (what it does on a platform is not the question here)

    become_a_page()
    from puzzlekit.playground import ask, load, prepare

    with tempfile.TemporaryDirectory() as folder:
        load(folder)
        prepare({}, refuse, folder)
        for line in sys.stdin:
            messages: list[Any] = []
            ask(line, lambda text, messages=messages: messages.append(json.loads(text)))
            print(json.dumps(messages), flush=True)


if __name__ == "__main__":
    main()
