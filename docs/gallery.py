"""Make docs/gallery.md: a puzzle of each type and its solution, as pictures, some also as the terminal prints them.

`make gallery` writes the page and its pictures anew, and the pages in examples/ that play a Waffle.
docs/hooks.py shows the same pictures on the pages of the types.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from puzzlekit.api import Puzzle, Query, load
from puzzlekit.api.generate import Made, load_generator
from puzzlekit.api.pictures import puzzle_parts, solution_parts
from puzzlekit.cli.run_report import print_run
from puzzlekit.render import drawing

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
PAGE, PICTURES = "gallery.md", "pictures/gallery"  # below docs/
# The spec of a type that is drawn, if it is not called `first`, nor, where there is no `first`, `tiny`: one that fits on a
# page of a magazine, and has one solution if there is such a spec.
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
SPECS = {name: CHOSEN.get(name) or ("first" if (ROOT / f"specs/{name}/first.yaml").exists() else "tiny") for name in TYPES}
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
([How puzzles are drawn](language.md#how-puzzles-are-drawn)). `make gallery` makes this page and its
pictures from the specs.
"""


def spec_of(name: str) -> str:
    """Return the path of the spec that is drawn of a type, below the root."""
    return f"specs/{name}/{SPECS[name]}.yaml"


def picture_of(name: str, what: str) -> str:
    """Return the path of a picture of a type, below docs/: of the `puzzle` alone, or with its `solution`."""
    return f"{PICTURES}/{name}-{what}.svg"


def images(name: str, title: str, up: str = "") -> list[str]:
    """Return the lines of Markdown that show both pictures of a type; `up` leads from the page to docs/."""
    return [f"![{title}, the {what}]({up}{picture_of(name, what)})" for what in ("puzzle", "solution")]


def printed(puzzle: Puzzle) -> str:
    """Return what `solve` prints of a puzzle, without the title and without the last line, which has the time."""
    lines = StringIO()
    with redirect_stdout(lines), patch.dict(os.environ, {"COLUMNS": "80"}):
        print_run(puzzle, Query(limit=1), no_color=True, limited=False)
    _, *between = lines.getvalue().rstrip("\n").split("\n")
    return "\n".join(between[:-1]).strip("\n")


def section(name: str, puzzle: Puzzle) -> str:
    """Return the part of the page about a type."""
    title = puzzle.type.title or name
    spec = puzzle.spec.text("title") or SPECS[name]
    lines = [f"## {title}", "", f"[{spec}](../{spec_of(name)}),", f"a puzzle of the type [{name}](../puzzles/{name}.yaml):", ""]
    lines += [*images(name, title), ""]
    if name in PRINTED:
        command = f"`puzzlekit solve {spec_of(name)}`"
        lines += [f"{command} prints, between its first line and its last one:", "", f"```text\n{printed(puzzle)}\n```", ""]
    return "\n".join(lines)


def made_of(name: str) -> tuple[str, dict[str, str]]:
    """Return the part of the page about a type, and its pictures by their path below docs/."""
    puzzle = load(None, ROOT / spec_of(name))
    (found,) = puzzle.run(Query(limit=1))
    pictures = {
        picture_of(name, "puzzle"): drawing(puzzle.title, puzzle_parts(puzzle.instance)),
        picture_of(name, "solution"): drawing(puzzle.title, solution_parts(found)),
    }
    return section(name, puzzle), pictures


def made() -> dict[str, str]:
    """Return the text of each file of the gallery, by its path below docs/."""
    parts = [made_of(name) for name in SPECS]
    pictures = {path: text for _, own in parts for path, text in own.items()}
    return {PAGE: "\n".join([HEAD, *(text for text, _ in parts)]), **pictures}


def played(spec: Path) -> str:
    """Return the page that plays a Waffle of examples/, with the data of the page that is there."""
    generator, _ = load_generator("waffle")
    found = re.search(r"^const puzzles = (.*);$", spec.with_suffix(".html").read_text("utf-8"), re.MULTILINE)
    assert found is not None
    (data,) = json.loads(found[1])
    grids = load("waffle", spec).instance.data
    start = generator.start_svg(grids["letters"].values, grids["colours"].values)
    page: str = generator.page([Made("", "", generator.PlayedPuzzle(start, data))])
    return page


def present() -> set[str]:
    """Return the paths of the files of the gallery that are there, below docs/."""
    return {PAGE, *(f"{PICTURES}/{path.name}" for path in (DOCS / PICTURES).glob("*"))}


def main() -> None:
    """Write the files of the gallery, and delete pictures that it no longer has."""
    files = made()
    (DOCS / PICTURES).mkdir(exist_ok=True)
    for name in present() - files.keys():
        (DOCS / name).unlink()
    for name, text in files.items():
        (DOCS / name).write_text(text, encoding="utf-8")
    for spec in sorted(ROOT.glob("examples/waffles/*.yaml")):
        spec.with_suffix(".html").write_text(played(spec), encoding="utf-8")


if __name__ == "__main__":
    main()
