"""Files of webpbn.com: the runs of the rows and columns of a picture, as XML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from puzzlekit.errors import InputError
from puzzlekit.lang import Instance, PuzzleType
from puzzlekit.links import ParsedPuzzle
from puzzlekit.links.line_clues import NO_RUN, clue_type, puzzle_of, runs_of
from puzzlekit.links.xml_text import parsed_xml, text_in

NAME = "webpbn"
HEAD = re.compile(r"\s*<")
ROOT = re.compile(r"<puzzleset[\s>]")
HEAD_LENGTH = 4000  # characters in which the root element begins


def recognises(text: str) -> bool:
    """Return whether a text is XML whose root is a set of puzzles."""
    return HEAD.match(text) is not None and ROOT.search(text[:HEAD_LENGTH]) is not None


def read(text: str, puzzle_type: PuzzleType | None = None) -> list[ParsedPuzzle]:
    """Return the puzzles of a file.

    Raises:
        InputError: The file is not well-formed, or has a puzzle that is no picture of one colour.
    """
    puzzle_type = clue_type(NAME, puzzle_type)
    puzzles = [_puzzle(element, puzzle_type) for element in parsed_xml(text).iter("puzzle")]
    if not puzzles:
        raise InputError("the file has no puzzle")
    return puzzles


def _puzzle(element: Element, puzzle_type: PuzzleType) -> ParsedPuzzle:
    if element.get("type", "grid") != "grid":
        raise InputError(f"a puzzle of the type {element.get('type', '')[:20]!r} is not read")
    _check_colours(element)
    runs = {clues.get("type", ""): list(_lines(clues)) for clues in element.iter("clues")}
    missing = {"rows", "columns"} - runs.keys()
    if missing:
        raise InputError(f"the puzzle has no clues of its {max(missing)}")
    about = {"title": text_in(element, "title"), "source": text_in(element, "author")}
    return puzzle_of(NAME, puzzle_type, about, runs["rows"], runs["columns"])


def _check_colours(element: Element) -> None:
    """Raise InputError if the runs have more than one colour."""
    usual = element.get("defaultcolor", "black")
    colours = {count.get("color", usual) for count in element.iter("count")}
    if len(colours) > 1:
        raise InputError(f"a picture of {len(colours)} colours is not read")


def _lines(clues: Element) -> Iterator[list[str]]:
    for line in clues.iter("line"):
        runs = ["".join(count.itertext()).strip() for count in line.iter("count")]
        yield [] if runs == [NO_RUN] else runs


def write(puzzle: Instance) -> str:
    """Return the file of a puzzle. Raises InputError if the notation cannot carry it."""
    rows, columns = runs_of(NAME, puzzle)
    assert puzzle.bound_from is not None
    root = Element("puzzleset")
    element = SubElement(root, "puzzle", type="grid", defaultcolor="black")
    for tag, key in (("title", "title"), ("author", "source")):
        text = puzzle.bound_from[1].text(key)
        if text:
            SubElement(element, tag).text = text
    for name, char, code in (("white", ".", "fff"), ("black", "X", "000")):
        SubElement(element, "color", name=name, char=char).text = code
    for name, lines in (("columns", columns), ("rows", rows)):
        clues = SubElement(element, "clues", type=name)
        for runs in lines:
            line = SubElement(clues, "line")
            for run in runs:
                SubElement(line, "count").text = run
    indent(root)
    return '<?xml version="1.0"?>\n' + tostring(root, encoding="unicode") + "\n"
