"""The fields of a spec, read as the types that a type declares."""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from unicodedata import normalize

from tests.reference.plain.boards import Board, Cell, Size
from tests.reference.plain.values import GREEN, GREY, YELLOW, Mark
from tests.reference.plain.words import Lexicon

MARKS: dict[str, Mark] = {
    "g": GREEN,
    "y": YELLOW,
    "b": GREY,
    "w": GREY,
    "🟩": GREEN,
    "🟨": YELLOW,
    "⬛": GREY,
    "⬜": GREY,
}


def declared(text: str) -> tuple[str, list[str], bool]:
    """A field's type: its name, its arguments, and whether the field may be left out."""
    text, optional = re.subn(r"\s*\|\s*None$", "", text.strip())
    name, _, rest = text.partition("[") if "[" in text else text.partition("(")
    args = (
        [part.strip() for part in _parts(rest[: max(rest.rfind("]"), rest.rfind(")"))])]
        if rest
        else []
    )
    return name, args, bool(optional)


def _parts(text: str, between: str = ",") -> list[str]:
    found, depth = [""], 0
    for sign in text:
        depth += (sign in "[(") - (sign in "])")
        if sign == between and not depth:
            found.append("")
        else:
            found[-1] += sign
    return found


def read(kind: str, node: Any) -> Any:
    """A value of this type, the first of several that can read it; None where it is left out."""
    several = [part.strip() for part in _parts(kind, "|") if part.strip() != "None"]
    for part in several if len(several) > 1 else ():
        with suppress(ValueError):
            return read(part, node)
    name, args, _ = declared(kind)
    match name:
        case _ if node is None:
            return None
        case "int":
            return int(node)
        case "bool":
            return node in ("true", "yes")
        case "text" | "symbol":
            return node
        case "choice" if node in args:
            return node
        case "letter" | "word" if node.isalpha():
            return normalize("NFC", node).casefold()
        case "cell" if found := re.fullmatch(r"r(\d+)c(\d+)", node):
            return Cell(int(found[1]), int(found[2]))
        case "size":
            return Size(*map(int, node.split("x")))
        case "mark":
            return MARKS[node]
        case "marks":
            return tuple(MARKS[sign] for sign in node)
        case "lexicon":
            return Lexicon.of_list(
                [word.strip() for word in (node if isinstance(node, list) else node.split())]
            )
        case "list":
            optional = declared(args[0])[2]
            return tuple(
                None if optional and item == "." else read(args[0], item)
                for item in (node if isinstance(node, list) else _items(node))
            )
        case "tuple":
            items = node if isinstance(node, list) else re.split(r"[\s,]+", node.strip())
            return tuple(read(part, item) for part, item in zip(args, items, strict=True))
        case "map":
            return {read(args[0], key): read(args[1], item) for key, item in node.items()}
        case "grid":
            return _grid(args[0], node)
        case "shape":
            rows = node.rstrip("\n").split("\n")
            return frozenset(
                (r, c)
                for r, line in enumerate(rows)
                for c, sign in enumerate(line.strip())
                if sign == "#"
            )
    raise ValueError(f"no type {kind}, or no value of it: {node}")


def _items(text: str) -> list[str]:
    return text.strip().split("\n") if "\n" in text else re.split(r"[\s,]+", text.strip())


def _grid(inner: str, node: Any) -> Board:
    optional = declared(inner)[2]
    rows = node if isinstance(node, list) else node.rstrip("\n").split("\n")
    split = any(isinstance(line, str) and " " in line.strip() for line in rows)
    found: dict[Cell, Any] = {}
    for r, line in enumerate(rows, 1):
        signs = line if isinstance(line, list) else line.split() if split else list(line)
        for c, sign in enumerate(signs, 1):
            if sign == "." and optional:
                found[Cell(r, c)] = None
            elif sign not in ("_", "."):
                found[Cell(r, c)] = read(inner, sign)
    return Board(found, size=(len(rows), max(map(len, rows)) if not split else 0))


def fields(declarations: Mapping[str, Any], spec: Mapping[str, Any]) -> dict[str, Any]:
    """Each field of the data, from the spec or by its default."""
    found = {}
    for name, field in declarations.items():
        if isinstance(field, str):
            kind, _, default = field.partition(" = ")
            given = spec.get(name, default if default else None)
        else:
            kind, given = field["type"], spec.get(name, field.get("default"))
        found[name] = read(kind, given)
    return found
