"""Reads links of puzz.link and of the sites that share its notation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import unquote

from puzzlekit.catalogue import read_header, types
from puzzlekit.encodings import ENCODINGS, Cursor, EncodingError, Extent
from puzzlekit.errors import InputError
from puzzlekit.lang import LinkForm, LinkLayer, PuzzleType, read_type
from puzzlekit.lang.link_forms import HOLES, Settings
from puzzlekit.lang.schema import plain
from puzzlekit.limits import limits
from puzzlekit.links import Imported
from puzzlekit.links.link_layers import places_of
from puzzlekit.links.places import LABELS, Filling, WrongPart
from puzzlekit.source import Source

QUERY = re.compile(r"[^?]*\?(?:[\w.]+=[^&/]*&)*")
OLD = ("pzprv3", "pzprv3.1")


def read(text: str, kind: PuzzleType | None = None) -> list[Imported]:
    """Return the puzzle of a link.

    Raises:
        Problems: The link has an error, or has what the type cannot express.
        InputError: No type has such links.
    """
    text = text.strip()
    most = limits().reading.file_characters
    if len(text) > most:
        raise InputError(f"a link has at most {most:,} characters")
    try:
        return [_read(text, kind)]
    except InputError as error:
        with suppress(InputError):  # as chat programs write it; % alone is an old prefix of numbers
            return [_read(unquote(text), kind)]
        raise error


def _read(text: str, kind: PuzzleType | None) -> Imported:
    link = _parsed(text)
    kind = kind or _type_of(link)
    form, settings = kind.links, None if kind.links is None else kind.links.settings(link.name)
    if form is None or settings is None:
        link.refuse(f"{kind.name} has no links of the name {link.name}", link.name_at)
    filling = Filling(link.width, link.height)
    segments = iter(_segments(link, form.body.count(None)))
    cursor = next(segments)
    for layer in form.body:
        if layer is None:
            _finished(link, cursor)
            cursor = next(segments)
        else:
            _fill(link, layer, kind, cursor, filling)
    _finished(link, cursor)
    fields = {name: plain(node) for name, node in _chosen(link, form, settings).items()}
    return Imported(kind.name, {"source": text, **_in_order(kind, fields | _fields(kind, form, filling))})


@dataclass
class _Link:
    """The parts of a link, with the places where they begin."""

    text: str
    name: str
    name_at: int
    flags: str
    flags_at: int
    width: int
    height: int
    size_at: int
    body_at: int

    def refuse(self, message: str, at: int, hint: str = "") -> NoReturn:
        """Raise Problems with one problem at a place of the link."""
        _refuse(self.text, message, at, hint)


def _refuse(text: str, message: str, at: int, hint: str = "") -> NoReturn:
    source = Source("<link>", text)
    source.problem(message, source.place(0, at), hint)
    source.raise_problems()
    raise AssertionError("a problem was noted")


def _parsed(text: str) -> _Link:
    """Return the parts of a link before its body. Raises Problems."""
    found = QUERY.match(text)
    at = name_at = found.end() if found else 0
    parts: list[tuple[str, int]] = []
    while len(parts) < 5 and at <= len(text):
        end = text.find("/", at)
        end = len(text) if end < 0 else end
        parts.append((text[at:end], at))
        at = end + 1
    (name, _), *rest = parts
    name = re.sub(r"_(?:edit|play)$", "", name)
    if name in OLD:
        _refuse(text, f"{name} is a file in a link, which is not read", name_at, "open it on the site, and copy its link again")
    if rest and rest[0][0].startswith("v:"):
        _refuse(text, "this is a variant, whose rules are not known", rest[0][1])
    flags, flags_at = rest.pop(0) if rest and re.fullmatch(r"[a-z]+", rest[0][0]) else ("", name_at)
    sides = []
    most = limits().reading.board_side
    for what in ("width", "height"):
        side, place = rest.pop(0) if rest else ("", len(text))
        if not re.fullmatch(r"[0-9]+", side):
            _refuse(text, f"expected the {what} of the board, got {side[:20]!r}", min(place, max(len(text) - 1, 0)))
        if len(side) > 6 or not 1 <= int(side) <= most:
            _refuse(text, f"a board has from 1 to {most} rows and columns, got {side[:20]}", place)
        sides.append((int(side), place))
    body = min(sides[1][1] + len(text[sides[1][1] :].split("/", 1)[0]) + 1, len(text))
    return _Link(text, name, name_at, flags, flags_at, sides[0][0], sides[1][0], sides[0][1], body)


_found: dict[str, Path] = {}  # the files of types by names on the site, as they were found before


def _type_of(link: _Link) -> PuzzleType:
    """Return the type with links of this name. Raises Problems."""
    before = [_found[link.name]] if link.name in _found else []
    for path in chain(before, _files()):
        with suppress(InputError):
            if link.name in read_header(path).links.get("puzzlink", ()):
                kind = read_type(path)
                if kind.links is not None and kind.links.settings(link.name) is not None:
                    _found[link.name] = path
                    return kind
    return link.refuse(f"no type has links of the name {link.name[:40]}", link.name_at, "docs/links.md lists the known names")


def _files() -> Iterator[Path]:
    """Yield the files of all types."""
    yield from types().values()


def _segments(link: _Link, slashes: int) -> list[Cursor]:
    """Return the parts of the body before, between and after so many slashes."""
    end = len(link.text) - (link.text.endswith("/") and len(link.text) > link.body_at)
    found, at = [], link.body_at
    for _ in range(slashes):
        slash = link.text.find("/", at, end)
        stop = end if slash < 0 else slash
        found.append(Cursor(link.text, min(at, end), stop))
        at = min(stop + 1, end)
    return [*found, Cursor(link.text, min(at, end), end)]


def _finished(link: _Link, cursor: Cursor) -> None:
    """Refuse what follows the last layer of a segment."""
    if not cursor.ended:
        link.refuse("the link goes on after its last value", cursor.at)


def _fill(link: _Link, layer: LinkLayer, kind: PuzzleType, cursor: Cursor, filling: Filling) -> None:
    """Read a layer and put its values into the fields."""
    places = places_of(layer, kind)
    extent = Extent(link.width, link.height, places.count(filling))
    values: list[Any] = []
    begins: list[int] = []
    try:
        for value in ENCODINGS[layer.encoding].encoding.read(cursor, extent):
            values.append(value)
            begins.append(cursor.begin)
        places.fill(values, filling)
    except EncodingError as error:
        link.refuse(str(error), error.at)
    except WrongPart as error:
        link.refuse(str(error), begins[error.at] if error.at < len(begins) else cursor.at)


def _chosen(link: _Link, form: LinkForm, settings: Settings) -> Settings:
    """Return the values of fields that the name, the flags and the size stand for. Raises Problems."""
    found = dict(settings)
    for place, flag in enumerate(link.flags, link.flags_at):
        if flag not in form.flags:
            link.refuse(f"the flag {flag} changes rules in a way that is not known", place)
        found |= form.flags[flag]
    if form.sizes:
        if link.width != link.height or link.width not in form.sizes:
            sides = ", ".join(map(str, form.sizes))
            link.refuse(f"expected a square board with a side of {sides}, got {link.width}×{link.height}", link.size_at)
        found |= form.sizes[link.width]
    return found


def _fields(kind: PuzzleType, form: LinkForm, filling: Filling) -> dict[str, Any]:
    """Return the fields of a spec, as plain values."""
    for layer in form.layers:
        if layer.places == "edges" and layer.fields:
            filling.boards[layer.fields[0]] = _labels(layer, filling)
    found: dict[str, Any] = {}
    for name, board in filling.boards.items():
        blank = all(text is None for text in board.values())
        if not (blank and kind.fields[name].optional):
            found[name] = _rows({place: HOLES if place in filling.holes else text for place, text in board.items()})
    for name, value in filling.values.items():
        entry = kind.fields[name]
        if isinstance(value, list):
            if entry.optional and all(part is None for part in value):
                continue
            lines = [" ".join(part) for part in value if isinstance(part, list)]
            found[name] = lines or " ".join("." if part is None else part for part in value)
        elif entry.default is None or str(value) != str(plain(entry.default)):
            found[name] = value
    return found


def _labels(layer: LinkLayer, filling: Filling) -> dict[tuple[int, int], str | None]:
    """Return a label for each cell: that of its region."""
    name, outside = layer.outside or ("", ())
    free = {place for place, text in filling.boards[name].items() if text in outside} if name else set()
    inside = [place for place in filling.cells() if place not in free | filling.holes]
    numbers: dict[int, int] = {}
    for place in inside:
        numbers.setdefault(filling.regions[place], len(numbers))
    short = len(numbers) <= len(LABELS)
    labels = {region: LABELS[number] if short else str(number + 1) for region, number in numbers.items()}
    return {place: labels[filling.regions[place]] if place in inside else None for place in filling.cells()}


def _rows(board: dict[tuple[int, int], str | None]) -> list[str]:
    """Return the rows of a board as text: the cells side by side, or in columns."""
    rows: dict[int, list[str]] = {}
    for (row, _), text in board.items():
        rows.setdefault(row, []).append("." if text is None else text)
    if all(len(text) == 1 for row in rows.values() for text in row):
        return ["".join(row) for row in rows.values()]
    wide = [max(map(len, column)) for column in zip(*rows.values())]
    end = " _" if len(wide) == 1 else ""  # one column alone would be read character by character
    return [" ".join(text.ljust(width) for text, width in zip(row, wide)).rstrip() + end for row in rows.values()]


def _in_order(kind: PuzzleType, fields: dict[str, Any]) -> dict[str, Any]:
    return {name: fields[name] for name in kind.fields if name in fields}
