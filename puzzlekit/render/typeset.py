"""PDF documents and PNG pictures by the library typst, which the extra `print` installs.

typst runs `document.typ` or `picture.typ`, sources of our own. Titles, texts and pictures are data
that these read, so nothing in them is interpreted. typst brings its own fonts; fonts of the machine
are looked at only for scripts that these lack.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import sqrt
from pathlib import Path
from typing import Any, Literal

from rich.cells import cell_len

from puzzlekit.errors import InputError, MissingExtra, installing, printable
from puzzlekit.render.layout import folded, plain_text, text_lines
from puzzlekit.render.page import Chapter, chapter_parts, numbered, small, solutions_title
from puzzlekit.render.scene import Group, Line, Part, Scene, Table
from puzzlekit.render.svg import CELL, bare, description, picture
from puzzlekit.render.svg_shapes import FORBIDDEN
from puzzlekit.render.theme import INK, MARKS, PAPER, REGIONS, STYLE

PNG_PIXELS = 25_000_000  # of a picture; it is drawn more coarsely instead

PIXEL = 0.75  # points
SHARP = 2.0  # pixels of a PNG for each of the SVG, unless there are too many
COARSE = 0.5  # below which small texts cannot be read
LARGE = 16 * 72 / 25.4 / CELL  # the scale at which a cell is 16 mm wide
WIDE, HIGH = 482.0, 640.0  # the largest picture on a page, in points
ROOMY = 520.0  # the height up to which boards are enlarged, so that titles and rules fit above them
COLUMN, BETWEEN = 148.0, 18.0  # the least width of a solution, so that three stand side by side
SHRUNK = 0.72  # of a small board on paper
FOLD = 87  # the letters of a line
LETTER = 4.3  # the width of a letter in the lines of a solution
FONT = ".letter,.text{font-family:'DejaVu Sans Mono'}"
LACKED = re.compile("[^\0-\u05ff\u1e00-\u2bff\ufffd]")  # characters that the fonts of typst may lack
LONG = re.compile(r"\S{24}(?=\S)")  # of a word; typst breaks a word only where it knows how
FILLS = {**MARKS, **{f"region {number}": colour for number, colour in enumerate(REGIONS)}}
PALE_ON = {"green", "grey"}  # the backgrounds of pale letters


def require_typst(option: str) -> None:
    """Raise InputError if an option needs typst, and it is not installed or cannot be loaded."""
    try:
        import typst  # noqa: F401
    except ModuleNotFoundError:
        raise MissingExtra(f"{option} requires an extra: {installing('print')}") from None
    except (ImportError, OSError) as error:  # for example under a memory limit
        raise InputError(f"{option}: the library typst cannot be loaded: {error}") from None


def lacked(chapters: Sequence[Chapter]) -> str:
    """Return the characters of a document that only fonts of the machine may have, in order."""
    lines = plain_text(text_lines(chapter_parts(chapters)))
    return "".join(sorted(set("".join(LACKED.findall(lines + "".join(chapter.text for chapter in chapters))))))


def png(title: str, parts: Sequence[Part]) -> bytes:
    """Return a PNG file of a picture, on white.

    Raises:
        InputError: The picture is so large that it could not be read.
    """
    width, height, svg = picture(title, parts, STYLE + FONT)
    sharp = min(SHARP, sqrt(PNG_PIXELS / (width * height)))
    if sharp < COARSE:
        hint = "draw fewer puzzles at once, or use --pdf or --svg"
        raise InputError(f"--png: the picture is too large: {width:,.0f} × {height:,.0f} pixels\n     = {hint}")
    return rasterised(svg, sharp)


def rasterised(svg: str, sharp: float) -> bytes:
    """Return a PNG file of an SVG one, with so many pixels for each of it."""
    # typst rounds the pixels of a drawing up: by a hair less, they are those of the page
    return _typeset("picture", svg, "png", sharp * 72 / PIXEL * (1 - 1e-5))


def pdf(title: str, chapters: Sequence[Chapter]) -> bytes:
    """Return a PDF document: each puzzle on a page of its own, the solutions at the end."""
    chapters = numbered(chapters)
    data = {
        "title": FORBIDDEN.sub("\ufffd", title),
        "chapters": [
            {"title": _unbroken(chapter.title), "text": _clean(chapter.text), "parts": _parts(chapter.parts, PIXEL, ROOMY)}
            for chapter in chapters
        ],
        "heading": solutions_title(chapters),
        "rows": _rows([_solution(chapter) for chapter in chapters if chapter.remark]),
        "gutter": BETWEEN,
    }
    return _typeset("document", json.dumps(data, ensure_ascii=False), "pdf")


def _typeset(source: str, data: str, form: Literal["pdf", "png"], resolution: float | None = None) -> bytes:
    """Run one of our sources on data. Raises InputError if typst fails, which has defects of its own."""
    import typst

    text = Path(__file__).with_name(f"{source}.typ").read_bytes()
    own = LACKED.search(data) is None
    try:
        with _silent():
            made = typst.compile(text, format=form, ppi=resolution, ignore_system_fonts=own, sys_inputs={"data": data})
    except BaseException as error:
        if not isinstance(error, typst.TypstError) and type(error).__module__ != "pyo3_runtime":  # a panic of Rust
            raise
        hint = "an unusual character of the puzzle may be the reason; --svg and --html draw it"
        raise InputError(f"--{form}: the library typst failed: {printable(str(error))}\n     = {hint}") from None
    return bytes(made)


@contextmanager
def _silent() -> Iterator[None]:
    """Drop what native code prints to standard error: Rust prints a trace for each panic."""
    try:
        kept = os.dup(2)
    except OSError:  # it is closed
        yield
        return
    try:
        with Path(os.devnull).open("w") as nothing:
            os.dup2(nothing.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _clean(text: str) -> str:
    """Replace what cannot be printed, and let long words break."""
    return LONG.sub("\\g<0>\u200b", FORBIDDEN.sub("\ufffd", printable(text)))


def _unbroken(title: str) -> str:
    """Keep sizes such as 9 × 9 on one line."""
    return _clean(title).replace(" × ", "\u00a0×\u00a0")


def _parts(parts: Sequence[Part], scale: float, roomy: float = 0.0) -> list[dict[str, Any]]:
    """Return a picture as data: boards and tables as SVG, other parts as lines of text, each with its width on the page.

    Args:
        parts: The picture.
        scale: The size of a pixel, in points.
        roomy: The height that all boards together may take if they are enlarged.
    """
    boards = sum(isinstance(part, Scene | Group) for part in parts)
    found: list[dict[str, Any]] = []
    for part in parts:
        if isinstance(part, Scene | Group | Table):
            found.append(_board(part, scale, 0.0 if isinstance(part, Table) else roomy / boards))
        else:
            found += (_line(own) for line in text_lines([part]) for own in folded(line, FOLD))
    return found


def _board(part: Scene | Group | Table, scale: float, roomy: float) -> dict[str, Any]:
    """Return a picture as data, enlarged as far as its height stays below `roomy`."""
    width, height, svg = bare(part, STYLE + FONT)
    fitting = min(width * scale, WIDE, HIGH * width / max(height, 1.0))
    fitting = max(fitting, min(width * LARGE, WIDE, roomy * width / max(height, 1.0)))
    return {"svg": svg, "width": fitting, "alt": FORBIDDEN.sub("\ufffd", description([part]))}


def _line(line: Line) -> dict[str, Any]:
    pieces = [
        {"text": _clean(spot.text), "fill": FILLS.get(spot.colour, ""), "ink": PAPER if spot.colour in PALE_ON else INK}
        for spot in line
    ]
    return {"line": pieces, "width": LETTER * sum(cell_len(spot.text) for spot in line)}


def _solution(chapter: Chapter) -> dict[str, Any]:
    parts = _parts(small(chapter.solution), PIXEL * SHRUNK)
    width = min(WIDE, max([COLUMN, *(part["width"] for part in parts)]))
    return {"title": _unbroken(chapter.title), "remark": _clean(chapter.remark), "parts": parts, "width": width}


def _rows(solutions: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Put as many solutions side by side as fit on a page."""
    rows: list[list[dict[str, Any]]] = []
    left = 0.0
    for solution in solutions:
        if not rows or solution["width"] > left:
            rows.append([])
            left = WIDE + 1.0  # for rounding
        rows[-1].append(solution)
        left -= solution["width"] + BETWEEN
    return rows
