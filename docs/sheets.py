"""Draw the sheets of docs/making.md: thirty puzzles of a type each, as an editor looks at them.
`make sheets` runs it, with a browser. With names of types, it draws these alone.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import puzzlekit
from puzzlekit.api import puzzle_parts
from puzzlekit.render import drawing

PICTURES = Path(__file__).resolve().parent / "pictures"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PUZZLES = 30
SHEETS = {
    "slitherlink": "8x8",
    "akari": "8x8",
    "heyawake": "8x8",
    "yajilin": "6x6",
    "futoshiki": "5x5",
    "kenken": "6x6",
}
PAGE = """<body><style>
body { margin: 6px; display: grid; grid-template-columns: repeat(10, 1fr); gap: 10px; }
svg { width: 100%; height: auto; }
</style>"""


def sheet(name: str, size: str) -> str:
    """Return a page with puzzles of a type, without their titles."""
    pictures = []
    for puzzle in puzzlekit.generate(name, PUZZLES, seed=1, size=size):
        picture = drawing(puzzle.title, puzzle_parts(puzzle.instance))
        pictures.append(re.sub(r'<text[^>]*class="title".*?</text>', "", picture))
    return PAGE + "".join(f"<div>{picture}</div>" for picture in pictures)


def main() -> None:
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise SystemExit(f"a sheet requires a browser: {', '.join(BROWSERS)}")
    with TemporaryDirectory() as folder:
        page = Path(folder, "sheet.html")
        for name in sys.argv[1:] or SHEETS:
            page.write_text(sheet(name, SHEETS[name]), encoding="utf-8")
            picture = PICTURES / f"sheet-{name}.png"
            options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
            size = "--window-size=1200,380"
            command = [browser, *options, size, f"--screenshot={picture}", str(page)]
            subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
