"""`.non` files: the runs of the rows and columns of a picture, below the words `rows` and
`columns`.

docs/links.md names the description of the format.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from puzzlekit.errors import InputError
from puzzlekit.lang import Instance, PuzzleType
from puzzlekit.links import ParsedPuzzle
from puzzlekit.links.line_clues import NO_RUN, clue_type, puzzle_of, runs_of

NAME = "non"
HEAD = re.compile(
    r"(?:\s*(?:#.*|(?!rows|columns)[a-z]+\s+\S.*|\s*)\n){0,40}\s*(?:width|height)\s+[0-9]+\s*\n"
)
SECTIONS = re.compile(r"^\s*(?:rows|columns)\s*$", re.MULTILINE)
WORDS = (
    "catalogue",
    "title",
    "by",
    "copyright",
    "license",
    "width",
    "height",
    "color",
    "goal",
    "number",
)
LONGEST = 200_000  # characters of a file


def recognises(text: str) -> bool:
    """Return whether a text states a size, and has a section of rows or columns."""
    if len(text) > LONGEST or "\n" not in text:
        return False
    return HEAD.match(text) is not None and SECTIONS.search(text) is not None


def read(text: str, puzzle_type: PuzzleType | None = None) -> list[ParsedPuzzle]:
    """Return the puzzle of a file.

    Raises:
        InputError: The file has an error, which the message names by its line.
    """
    puzzle_type = clue_type(NAME, puzzle_type)
    sections: dict[str, list[str]] = {"": []}
    lines = sections[""]
    for line in text.splitlines():
        word = line.strip()
        if word in ("rows", "columns"):
            if lines and not lines[-1]:  # a blank line before a section
                lines.pop()
            lines = sections.setdefault(word, [])
        elif re.match(r"[a-z]", word):
            sections[""].append(word)
        elif not word.startswith("#"):
            lines.append(word)
    about = _about(sections[""])
    size = {"rows": about.pop("height", ""), "columns": about.pop("width", "")}
    runs = {name: _runs(name, sections.get(name), count) for name, count in size.items()}
    return [puzzle_of(NAME, puzzle_type, about, runs["rows"], runs["columns"])]


def _about(lines: Sequence[str]) -> dict[str, str]:
    """Return the size, the title and the author that the head states. Raises InputError for colours
    and unknown words.
    """
    about = {}
    for line in filter(None, lines):
        word, _, text = line.partition(" ")
        text = text.strip().strip('"')
        if word not in WORDS:
            raise InputError(f"{line[:40]!r} has no meaning in a .non file")
        if word == "color":
            raise InputError("a .non file of several colours is not read")
        if word in ("title", "width", "height"):
            about[word] = text
        elif word == "by":
            about["source"] = text
    return about


def _runs(name: str, lines: Sequence[str] | None, count_text: str) -> list[list[str]]:
    """Return the runs of the lines of a section; a line may be blank where there is no run."""
    if lines is None:
        raise InputError(f"the file has no section {name}")
    if not re.fullmatch(r"[0-9]{1,4}", count_text):
        side = "height" if name == "rows" else "width"
        raise InputError(f"{side}: expected a number, got {count_text[:20]!r}")
    count = int(count_text)
    filled = list(filter(None, lines))
    if len(filled) != count:
        trailing = len(lines) - count
        if len(filled) > count or trailing < 0 or any(lines[count:]):
            raise InputError(f"{name}: expected {count} lines, got {len(filled)}")
        filled = list(lines[:count])
    runs = [re.split(r"[\s,]+", line) if line else [] for line in filled]
    return [[] if line == [NO_RUN] else line for line in runs]


def write(puzzle: Instance) -> str:
    """Return the file of a puzzle. Raises InputError if the notation cannot carry it."""
    rows, columns = runs_of(NAME, puzzle)
    assert puzzle.bound_from is not None
    spec = puzzle.bound_from[1]
    lines = []
    for word, key in (("title", "title"), ("by", "source")):
        text = " ".join(spec.text(key).split()).replace('"', "'")
        lines += [f'{word} "{text}"'] if text else []
    lines += [f"width {len(columns)}", f"height {len(rows)}"]
    for name, clues in (("rows", rows), ("columns", columns)):
        lines += ["", name, *(",".join(runs) or NO_RUN for runs in clues)]
    return "\n".join(lines) + "\n"
