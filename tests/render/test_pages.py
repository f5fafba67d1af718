"""The page of each type's puzzle and of its solution, in a real browser: wide and narrow,
light and dark.

Without a browser these tests are left out, and said to be;
with PUZZLEKIT_BROWSER=required a missing one fails.
"""

import re
import runpy
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from puzzlekit.api import Puzzle, load
from puzzlekit.boards import Grid
from puzzlekit.libraries.words import Mark
from puzzlekit.render.default_picture import pictures_of
from tests.browser import needs_browser, started
from tests.commands import ROOT, called

pytestmark = needs_browser
CHECKS = (Path(__file__).parent / "page_checks.js").read_text(encoding="utf-8")
WIDTHS, SCHEMES = (1200, 390), ("light", "dark")
GALLERY = runpy.run_path(str(ROOT / "docs" / "gallery.py"))
CLUED = (  # types of which it is known here as what each clue is found on the page
    *(
        "cipher",
        "cryptarithm",
        "cryptogram",
        "hitori",
        "kakuro",
        "killer",
        "masyu",
        "nonogram",
        "nurikabe",
        "pentominoes",
    ),
    *(
        "queens",
        "sanalouhos",
        "slitherlink",
        "star_battle",
        "strands",
        "sudoku",
        "swaps",
        "unwordle",
        "unwordle_answers",
    ),
    *("waffle", "word_search", "wordle", "zebra"),
)


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with started() as page:
        yield page


@pytest.mark.sampled(6)
@pytest.mark.parametrize("command", ["draw", "solve"])
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in CLUED or number % 10 == 0 else [pytest.mark.slow])
        for number, name in enumerate(GALLERY["SPECS"])
    ],
)
def test_a_page_shows_its_puzzle(name: str, command: str, page: Page, tmp_path: Path) -> None:
    spec = GALLERY["spec_of"](name)
    file = tmp_path / "page.html"
    limit = ["--limit", "1"] if command == "solve" else []
    assert called(command, spec, *limit, "--html", str(file)).returncode == 0
    puzzle = load(None, ROOT / spec)
    page.goto(file.as_uri())
    for width in WIDTHS:
        # so high that nothing has to be scrolled to
        page.set_viewport_size({"width": width, "height": 6000})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            found = page.evaluate(CHECKS)
            where = f"{name}, {command}, {width} px, {scheme}"
            assert found["sideways"] <= 0, where
            assert (found["outside"], found["hidden"], found["faint"]) == ([], [], []), where
            if name in CLUED:
                assert missing(puzzle, command == "draw", found) == Counter(), where


def missing(puzzle: Puzzle, whole: bool, found: Mapping[str, Any]) -> Counter[str]:
    """The clues of the data that the page does not show as text, sign or colour,
    as often as it does not.

    The page of the `whole` puzzle shows all fields,
    that of a solution those that are on its boards.
    """
    read = {
        name
        for picture in pictures_of(puzzle.instance)
        for e in picture.expressions
        for name in e.names
    }
    behind = puzzle.type.fields_behind(read)
    fields = {name: puzzle.instance.data[name] for name in puzzle.spec.nodes}
    if not whole:
        on_boards = behind if puzzle.type.name not in LISTED else set()
        fields = {
            name: value
            for name, value in fields.items()
            if name in on_boards and not isinstance(value, str | int)
        }
    wanted = Counter(
        clue for name, value in fields.items() for clue in clues(puzzle.type.name, name, value)
    )
    shown = Counter(part for text in found["texts"] for part in SPACES.split(text.lower()))
    shown.update({f".{shape}": count for shape, count in found["shapes"].items()})
    return wanted - shown


LISTED = ("swaps", "unwordle_answers", "wordle")  # their solutions are lists and show no board
SPACES = re.compile(r"[\s,:]+")
# The shape that stands for a value of a field, if that is no text.
SIGNS = {
    ("masyu", "pearls"): {"b": ".black", "w": ".white"},
    ("pentominoes", "field"): {"#": ".cell"},
}


def clues(kind: str, name: str, value: Any) -> Iterator[str]:
    """The texts that a value has to be found as, or the classes of shapes."""
    if isinstance(value, Grid) and (signs := SIGNS.get((kind, name))):
        yield from (
            set(signs.values())
            if kind == "pentominoes"
            else (signs[value[cell]] for cell in value.given)
        )
    elif isinstance(value, Grid) and (kind, name) in {
        ("star_battle", "regions"),
        ("killer", "cages"),
    }:
        differ = [1 for pair in value.adjacent if len({value[cell] for cell in pair}) == 2]
        yield from [".cage"] * len(set(value)) if kind == "killer" else [".side"] * len(differ)
    elif isinstance(value, Grid):
        yield from (clue for cell in value.given for clue in clues(kind, name, value[cell]))
    elif isinstance(value, Mapping):
        keys = () if kind == "killer" else "".join(value) if kind == "wordle" else value
        yield from (clue for item in (*keys, *value.values()) for clue in clues(kind, name, item))
    elif kind == "cryptarithm" and isinstance(value, tuple):
        yield from "".join(value)  # each letter has a cell of its own
    elif isinstance(value, tuple) and not isinstance(value, Mark):
        yield from (clue for item in value for clue in clues(kind, name, item))
    elif isinstance(value, Mark):
        yield f".{value.name.lower()}"
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield from filter(None, SPACES.split(str(value).lower()))
