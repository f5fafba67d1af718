"""The gallery of the site: a puzzle of each type and its solution, as pictures,
some also as the terminal prints them.

docs/hooks.py adds the page and the pictures to the site, and shows the pictures on the pages of the
types, too. `make gallery` writes those pictures that the README shows, and the pages in examples/
that play a Waffle.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from puzzlekit.api import Puzzle, Query, load, puzzle_parts, solution_parts
from puzzlekit.cli.run_report import print_run
from puzzlekit.errors import PuzzlekitError
from puzzlekit.making import load_page
from puzzlekit.play import play_page
from puzzlekit.render import drawing

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
PICTURES = "pictures/gallery"  # of the site
TIME = 20.0  # seconds for all solutions of a puzzle that can be played
README = ("killer",)  # the types whose pictures the README shows
# The spec of a type that is drawn, if it is not called `first`, nor, where there is no `first`,
# `tiny`: one that fits on a page of a magazine, and has one solution if there is such a spec.
CHOSEN = {
    "castle_wall": "small",
    "cipher": "music",
    "cryptarithm": "send",
    "cryptogram": "pangram",
    "fillomino": "medium",
    "hashi": "small",
    "hitori": "small",
    "kakuro": "small",
    "masyu": "small",
    "nonogram": "small",
    "nurikabe": "seven",
    "pentominoes": "8x8",
    "queens": "n8",
    "sanalouhos": "english",
    "slitherlink": "small",
    "star_battle": "nine",
    "swaps": "board",
    "unwordle_answers": "one",
    "zebra": "zebra",
}
TYPES = sorted(path.stem for path in (ROOT / "puzzles").glob("*.yaml"))
SPECS = {
    name: CHOSEN.get(name) or ("first" if (ROOT / f"specs/{name}/first.yaml").exists() else "tiny")
    for name in TYPES
}
# The types whose solution is shown as the terminal prints it, too.
PRINTED = (
    *("hitori", "kakuro", "killer", "masyu", "nonogram", "pentominoes", "queens"),
    *("slitherlink", "star_battle", "sudoku", "waffle", "wordle"),
)
HEAD = """# Gallery

A puzzle of each type that ships with puzzlekit, and a solution of it. `puzzlekit draw SPEC` draws
the puzzle, `puzzlekit solve SPEC` solves it and draws both, on the terminal or into a file with
`--svg` or `--html`. What is given is black; what is found among it is blue, or has a colour of its
own. A type says how it is drawn in its section `show`
([How puzzles are drawn](language.md#how-puzzles-are-drawn)). The build of this site makes this page
and its pictures from the specs.
"""


def spec_of(name: str) -> str:
    """Return the path of the spec that is drawn of a type, below the root."""
    return f"specs/{name}/{SPECS[name]}.yaml"


def picture_of(name: str, what: str) -> str:
    """Return the path of a picture of a type on the site: of the `puzzle` alone,
    or with its `solution`.
    """
    return f"{PICTURES}/{name}-{what}.svg"


def game_of(name: str) -> str:
    """Return the path of the page of the site that plays the puzzle of a type."""
    return f"play/{name}.html"


def images(name: str, title: str, up: str = "") -> list[str]:
    """Return the lines of Markdown that show both pictures of a type;
    `up` leads from the page to the root of the site.
    """
    return [
        f"![{title}, the {what}]({up}{picture_of(name, what)})" for what in ("puzzle", "solution")
    ]


def printed(puzzle: Puzzle) -> str:
    """Return what `solve` prints of a puzzle, without the title and without the last line,
    which has the time.
    """
    lines = StringIO()
    with redirect_stdout(lines), patch.dict(os.environ, {"COLUMNS": "80"}):
        print_run(puzzle, Query(limit=1), no_color=True, limited=False)
    _, *between = lines.getvalue().rstrip("\n").split("\n")
    return "\n".join(between[:-1]).strip("\n")


@dataclass(frozen=True)
class Drawn:
    """A puzzle of a type: its pictures, by what they show, the part of the gallery about it,
    and the page that plays it.

    The page is empty where the puzzle has too many solutions.
    """

    pictures: dict[str, str]
    section: str
    game: str = ""


def drawn(name: str) -> Drawn:
    """Solve and draw the puzzle of a type."""
    puzzle = load(None, ROOT / spec_of(name))
    (found,) = puzzle.run(Query(limit=1))
    pictures = {
        "puzzle": drawing(puzzle.title, puzzle_parts(puzzle.instance)),
        "solution": drawing(puzzle.title, solution_parts(found)),
    }
    try:
        game = play_page(puzzle, timeout=TIME)
    except PuzzlekitError:
        game = ""
    return Drawn(pictures, section(name, puzzle), game)


def section(name: str, puzzle: Puzzle) -> str:
    """Return the part of the page about a type."""
    title = puzzle.type.title or name
    spec = puzzle.spec.text("title") or SPECS[name]
    lines = [
        f"## {title}",
        "",
        f"[{spec}](../{spec_of(name)}),",
        f"a puzzle of the type [{name}](../puzzles/{name}.yaml):",
        "",
    ]
    lines += [*images(name, title), ""]
    if name in PRINTED:
        command = f"`puzzlekit solve {spec_of(name)}`"
        lines += [
            f"{command} prints, between its first line and its last one:",
            "",
            f"```text\n{printed(puzzle)}\n```",
            "",
        ]
    return "\n".join(lines)


def cached(file: Path) -> dict[str, Drawn]:
    """Return all that is drawn, by type.

    A file keeps it until something changes that a picture may depend on.
    """
    folders = (ROOT / name for name in ("docs", "plugins", "puzzlekit", "puzzles", "specs"))
    sources = sorted(
        path
        for folder in folders
        for path in folder.rglob("*")
        if path.suffix in (".py", ".yaml", ".js", ".css")
    )
    state = hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()
    kept = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    if kept.get("state") != state:
        kept = {"state": state, "drawn": {name: asdict(drawn(name)) for name in SPECS}}
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(kept), encoding="utf-8")
    return {name: Drawn(**own) for name, own in kept["drawn"].items()}


def page(shown: Mapping[str, Drawn]) -> str:
    """Return the page of the gallery."""
    return "\n".join([HEAD, *(own.section for own in shown.values())])


def played(spec: Path) -> str:
    """Return the page that plays a Waffle of examples/."""
    return load_page("waffle").page([load("waffle", spec)])


def kept() -> dict[str, str]:
    """Return the pictures that the README shows, by their path below docs/."""
    shown = {name: drawn(name).pictures for name in README}
    return {
        f"pictures/{name}-{what}.svg": text
        for name, own in shown.items()
        for what, text in own.items()
    }


def main() -> None:
    """Write the pictures of the README and the pages of examples/."""
    for name, text in kept().items():
        (DOCS / name).write_text(text, encoding="utf-8")
    for spec in sorted(ROOT.glob("examples/waffles/*.yaml")):
        spec.with_suffix(".html").write_text(played(spec), encoding="utf-8")


if __name__ == "__main__":
    main()
