"""Measure docs/comparisons.md anew, and the table in docs/backends.md that sums it up.

`python docs/comparisons.py` runs each command of the page on this machine,
which should do nothing else: some three minutes.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from puzzlekit.backends import BACKENDS

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
BLOCK = re.compile(r"^\$ puzzlekit (compare .+)\n(?:(?!```).*\n)*", re.MULTILINE)
ROW = re.compile(
    rf"^({'|'.join(BACKENDS)}) +(?:.* (\d+\.\d{{3}}) +[\d.,]+ +\S.* complete)?", re.MULTILINE
)  # processor time
TABLE = re.compile(r"^\| spec \| exact-cover .+\n(?:\|.+\n)+", re.MULTILINE)


def printed(command: str) -> str:
    """Run a command, and return what it prints on a terminal of 80 columns."""
    made = subprocess.run(
        [sys.executable, "-m", "puzzlekit", *command.split()],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "80"},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    return "".join(f"{line.rstrip()}\n" for line in made.stdout.splitlines())


def row(block: str) -> list[str]:
    """Return the cells of the table for one comparison: the spec,
    and the seconds of each backend.
    """
    spec = re.search(r"specs/(\S+)\.yaml", block)
    assert spec, "a command names a spec"
    return [
        f"`{spec[1]}`",
        *(f"{float(seconds):.2f}" if seconds else "–" for _, seconds in ROW.findall(block)),
    ]


def main() -> None:
    """Write the pages anew."""
    page, backends = DOCS / "comparisons.md", DOCS / "backends.md"
    text = BLOCK.sub(
        lambda found: f"$ puzzlekit {found[1]}\n{printed(found[1])}", page.read_text("utf-8")
    )
    names = [name for name, _ in ROW.findall(BLOCK.search(text)[0])]  # type: ignore[index]
    rows = [f"| {' | '.join(row(found[0]))} |" for found in BLOCK.finditer(text)]
    table = "\n".join(
        (f"| spec | {' | '.join(names)} |", f"|---|{'---:|' * len(names)}", *rows, "")
    )
    page.write_text(text, "utf-8")
    backends.write_text(TABLE.sub(table, backends.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
