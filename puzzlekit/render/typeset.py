"""PDF documents and PNG pictures by the library typst, which the extra `print` installs.

typst runs one of our sources, `document.typ` or `picture.typ`. Titles, texts and pictures are data
that these read, so nothing in them is interpreted. typst brings its own fonts; fonts of the machine
are used only for scripts that these lack.
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

from puzzlekit.errors import InputError, MissingExtra, installing, option, printable
from puzzlekit.render.html_page import DocumentItem, chapter_parts
from puzzlekit.render.layout import plain_text, text_lines
from puzzlekit.render.svg import picture
from puzzlekit.render.theme import STYLE
from puzzlekit.scene import PicturePart

PNG_PIXELS = 25_000_000  # of a picture; it is drawn more coarsely instead

PIXEL = 0.75  # points
SHARP = 2.0  # pixels of a PNG for each of the SVG, unless there are too many
COARSE = 0.5  # below which small texts cannot be read
FONT = ".letter,.text{font-family:'DejaVu Sans Mono'}"
LACKED = re.compile("[^\0-\u05ff\u1e00-\u2bff\ufffd]")  # what the fonts of typst may lack


def require_typst(option: str) -> None:
    """Raise InputError if an option needs typst, and it is not installed or cannot be loaded."""
    try:
        import typst  # noqa: F401
    except ModuleNotFoundError:
        raise MissingExtra(f"{option} requires an extra: {installing('print')}") from None
    except (ImportError, OSError) as error:  # for example under a memory limit
        raise InputError(f"{option}: the library typst cannot be loaded: {error}") from None


def lacked(chapters: Sequence[DocumentItem], titles: Sequence[str]) -> str:
    """Return the characters of a document that only fonts of the machine may have, in order.

    Args:
        chapters: The puzzles of the document.
        titles: Its titles.
    """
    picture_text = plain_text(text_lines(chapter_parts(chapters)))
    rules = [chapter.text for chapter in chapters]
    characters = LACKED.findall("".join([picture_text, *rules, *titles]))
    return "".join(sorted(set(characters)))


def png(title: str, parts: Sequence[PicturePart]) -> bytes:
    """Return a PNG file of a picture, on white.

    Raises:
        InputError: The picture is so large that it could not be read.
    """
    width, height, svg = picture(title, parts, STYLE + FONT)
    sharp = min(SHARP, sqrt(PNG_PIXELS / (width * height)))
    if sharp < COARSE:
        size = f"{width:,.0f} × {height:,.0f} pixels"
        help = f"draw fewer puzzles at once, or use {option('pdf')} or {option('svg')}"
        raise InputError(f"{option('png')}: the picture is too large: {size}", help=help)
    return rasterised(svg, sharp)


def rasterised(svg: str, sharp: float) -> bytes:
    """Return a PNG file of an SVG one, with so many pixels for each of it."""
    # typst rounds the pixels of a drawing up: by a hair less, they are those of the page
    return typeset("picture", svg, "png", sharp * 72 / PIXEL * (1 - 1e-5))


def pages_of(source: str, data: str) -> int:
    """Return the number of pages that a source makes of data, as its mark `<pages>` says.

    Raises InputError.
    """
    import typst

    options = _options(data)
    with _failing("pdf"):
        compiler = typst.Compiler(_source(source), **options)
        return int(json.loads(compiler.query("<pages>", field="value", one=True)))


def typeset(
    source: str, data: str, form: Literal["pdf", "png"], resolution: float | None = None
) -> bytes:
    """Run one of our sources on data. Raises InputError."""
    import typst

    options = _options(data)
    with _failing(form):
        output = typst.compile(_source(source), format=form, ppi=resolution, **options)
        return bytes(output)


def _options(data: str) -> dict[str, Any]:
    return {"ignore_system_fonts": LACKED.search(data) is None, "sys_inputs": {"data": data}}


def _source(name: str) -> bytes:
    return Path(__file__).with_name(f"{name}.typ").read_bytes()


@contextmanager
def _failing(form: str) -> Iterator[None]:
    """Raise InputError if typst fails, which has defects."""
    try:
        with _silent():
            yield
    except BaseException as error:
        is_panic = type(error).__module__ == "pyo3_runtime"  # of Rust
        if not isinstance(error, RuntimeError) and not is_panic:
            raise
        message = f"{option(form)}: the library typst failed: {printable(str(error))}"
        drawn = f"{option('svg')} and {option('html')} draw it"
        help = f"an unusual character of the puzzle may be the reason; {drawn}"
        raise InputError(message, help=help) from None


@contextmanager
def _silent() -> Iterator[None]:
    """Drop what native code prints to standard error: Rust prints a trace for each panic."""
    try:
        saved = os.dup(2)
    except OSError:  # it is closed
        yield
        return
    try:
        with Path(os.devnull).open("w") as nothing:
            os.dup2(nothing.fileno(), 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
