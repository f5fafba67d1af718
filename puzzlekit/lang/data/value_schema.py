"""JSON Schemas of data types, for editors that know YAML but not puzzlekit.

An editor guesses what a plain scalar is before a schema sees it, and not all editors guess alike:
`no` is a text in YAML 1.2 and false in YAML 1.1, `010` is ten or eight, `1e3` is a number, `~` is
null. puzzlekit reads the text itself. So a schema here accepts every form that YAML may give to a
text that `read` accepts, and restricts texts by patterns only where `read` does at least the same:
what a schema refuses, `read` refuses. It need not refuse all else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import yaml
from yaml.nodes import ScalarNode

from puzzlekit.lang.data.board_text import ShapeType
from puzzlekit.lang.data.collections import GridOf, ListOf, MapOf, TupleOf
from puzzlekit.lang.data.scalars import Choice, DataType, OptionalType, Scalar, Union
from puzzlekit.lang.data.type_syntax import EACH, KEYS

Schema = dict[str, Any]
Bounds = Sequence[
    tuple[tuple[Any, ...], int | None, int | None]
]  # steps, the least and greatest number

ANY = ["string", "number", "boolean", "null"]  # the forms of a scalar
ANY_SCALAR: Schema = {"type": ANY}
LEFT_OUT: Schema = {"type": ["null", "string"], "pattern": r"^\s*[.?-]?\s*$"}
EMPTY_LIST = r"\s*\[\]\s*"
INT = r"\s*[+-]?[0-9]{1,16}\s*"
SIZE = r"\s*[0-9]{1,3}\s*[x×]\s*[0-9]{1,3}\s*"
CELL = r"^\s*r[0-9]{1,3}c[0-9]{1,3}\s*$"
TRUTH = r"\s*([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss\u017f][Ee]|[Yy][Ee][Ss\u017f]|[Nn][Oo])\s*"
CORE = (  # the scalars that the core schema of YAML 1.2 guesses
    (re.compile(r"(~|null|Null|NULL|)"), lambda text: None),
    (re.compile(r"(true|True|TRUE|false|False|FALSE)"), lambda text: text[0] in "tT"),
    (re.compile(r"[-+]?[0-9]+"), int),
    (re.compile(r"0o[0-7]+"), lambda text: int(text[2:], 8)),
    (re.compile(r"0x[0-9a-fA-F]+"), lambda text: int(text, 16)),
    (re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"), float),
    (
        re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"),
        lambda text: float(text.replace(".", "")),
    ),
)


def value_schema(type_: DataType, path: tuple[Any, ...] = (), bounds: Bounds = ()) -> Schema:
    """Return a schema of the values of a type.

    Args:
        kind: The type.
        path: The steps from the field to the value.
        bounds: What numbers may be at these steps, and below them.
    """
    match type_:
        case OptionalType(item):
            return any_of(LEFT_OUT, value_schema(item, path, bounds))
        case Union(items):
            return any_of(*(value_schema(item, path, bounds) for item in items))
        case Choice(names):
            return _choice(names)
        case Scalar("cell"):
            return text_like(CELL)
        case Scalar("int"):
            return {"type": ["integer", "string"], "pattern": anchored(INT), **_limits(path, bounds)}
        case Scalar("digit"):
            return {
                "type": ["integer", "string"],
                "pattern": anchored(rf"{INT}|\s*[A-Z]\s*"),
                **_limits(path, bounds),
            }
        case Scalar("bool"):
            return {"type": ["boolean", "string"], "pattern": anchored(TRUTH)}
        case Scalar("size"):
            return {"type": "string", "pattern": anchored(SIZE)}
        case Scalar("symbol"):
            return {"type": ANY, "pattern": r"^\s*\S+\s*$"}
        case Scalar("text"):
            return dict(ANY_SCALAR)
        case ListOf(item):
            return _list(item, path, bounds)
        case TupleOf(items):
            parts = [value_schema(item, (*path, at), bounds) for at, item in enumerate(items)]
            array = {
                "type": "array",
                "prefixItems": parts,
                "minItems": len(parts),
                "maxItems": len(parts),
            }
            return (
                any_of(array, {"type": ["string", "number"]})
                if all(item.single for item in items)
                else array
            )
        case MapOf(key, value):
            keys = _keys(key)
            return {
                "type": "object",
                **({"propertyNames": keys} if keys else {}),
                "additionalProperties": value_schema(value, (*path, EACH), bounds),
            }
        case GridOf():
            rows = _board(type_)
            return any_of(
                rows,
                {
                    "type": "array",
                    "items": any_of(rows, {"type": "array", "items": dict(ANY_SCALAR)}),
                },
            )
        case ShapeType():
            rows = {"type": "string", "pattern": r"^[\s#.]*$"}
            return any_of(
                rows,
                {
                    "type": "array",
                    "items": {"type": ["string", "number"], "pattern": rows["pattern"]},
                },
            )
        case _:
            return type_.json_schema()


def _list(item: DataType, path: tuple[Any, ...], bounds: Bounds) -> Schema:
    items = value_schema(item, (*path, EACH), bounds)
    if isinstance(item.item if isinstance(item, OptionalType) else item, ListOf):
        items = any_of({"type": "null"}, items)  # an empty list
    array = {"type": "array", "items": items}
    match item:
        case GridOf() | ShapeType() | MapOf():
            return any_of(array, {"type": "string", "pattern": anchored(EMPTY_LIST)})
        case Scalar("int") | OptionalType(Scalar("int")):
            return any_of(
                array,
                {"type": ["number", "string"], "pattern": rf"^[\s0-9+.,?-]*$|{anchored(EMPTY_LIST)}"},
            )
        case _:
            return any_of(array, dict(ANY_SCALAR))


def _board(kind: GridOf) -> Schema:
    """The block of a board, or one of its rows. Cells that a pattern cannot describe are not
    checked.
    """
    parts = kind.item.items if isinstance(kind.item, TupleOf) else (kind.item,)
    signs: set[str] = set("._\\" if len(parts) > 1 else "._")
    if kind.empty:
        signs.add("-")
    for part in chain.from_iterable(map(_alternatives, parts)):
        match part:
            case Scalar("int"):
                signs |= set("0123456789+-")
            case Scalar("digit"):
                signs |= set("0123456789+-ABCDEFGHIJKLMNOPQRSTUVWXYZ")
            case Choice(names) if all(map(str.isascii, names)):
                signs |= {char for name in names for char in name}
            case _:
                return dict(ANY_SCALAR)
    known = "".join(re.sub(r"[\\\]\[^-]", r"\\\g<0>", char) for char in sorted(signs))
    return {
        "type": ANY,
        "pattern": rf"^[\s\ufe0e\ufe0f{known}]*$",
    }  # the two only say how a sign is drawn


def _alternatives(kind: object) -> Sequence[object]:
    """The types that a value may be of, besides None."""
    kind = kind.item if isinstance(kind, OptionalType) else kind
    return kind.items if isinstance(kind, Union) else (kind,)


def _choice(names: Sequence[str]) -> Schema:
    found = [value for name in names for value in guesses(name)]
    pattern = anchored(rf"\s*({'|'.join(map(escaped, names))})\s*")
    return any_of(
        {"enum": list({(type(value), value): value for value in found}.values())},
        text_like(pattern),
    )


def _keys(kind: DataType) -> Schema:
    """A schema of the names of properties: an editor writes the keys that it guessed as texts
    again.
    """
    match kind:
        case Scalar("int"):
            return {"pattern": anchored(INT)}
        case Choice(names):
            found = dict.fromkeys(form for name in names for form in key_forms(name))
            return {"pattern": anchored(rf"\s*({'|'.join(map(escaped, found))})\s*")}
        case _:
            return {}


def _limits(path: tuple[Any, ...], bounds: Bounds) -> Schema:
    """The least and greatest number at a place, however it was read."""
    found: Schema = {}
    for steps, least, greatest in bounds:
        if path[: len(steps)] != steps or KEYS in path[len(steps) :]:
            continue
        if least is not None:
            found["minimum"] = max(
                _as_octal(least) if least > 0 else least, found.get("minimum", -(10**18))
            )
        if greatest is not None:
            found["maximum"] = min(
                -_as_octal(-greatest) if greatest < 0 else greatest, found.get("maximum", 10**18)
            )
    return found


def _as_octal(number: int) -> int:
    """The least value, in YAML 1.1, of digits after a 0 that are this number or more.

    >>> [_as_octal(number) for number in (1, 7, 8, 10, 19)]
    [1, 7, 8, 8, 16]
    """
    digits = str(number)
    odd = next((at for at, digit in enumerate(digits) if digit > "7"), len(digits))
    above = int(f"0{digits[:odd]}", 8) + (
        odd < len(digits)
    )  # digits that end here, and zeros after them
    return above << 3 * (len(digits) - odd)


def any_of(*schemas: Schema) -> Schema:
    return {
        "anyOf": [
            part
            for schema in schemas
            for part in (schema["anyOf"] if list(schema) == ["anyOf"] else [schema])
        ]
    }


def mapping_schema(properties: Schema, required: Sequence[str] = ()) -> Schema:
    """Return the schema of a mapping that has these keys and no others."""
    needed = {"required": [*required]} if required else {}
    return {"type": "object", "properties": properties, **needed, "additionalProperties": False}


def anchored(pattern: str) -> str:
    """Return a pattern of whole texts."""
    return f"^({pattern})$" if "|" in pattern else f"^{pattern}$"


def text_like(pattern: str) -> Schema:
    return {"type": "string", "pattern": pattern}


def escaped(text: str) -> str:
    """Return a pattern of this text, for the regular expressions of Python and of JavaScript."""
    return re.sub(r"([\^$\\.*+?()\[\]{}|/])", r"\\\1", text)


def guesses(text: str) -> list[Any]:
    """Return the values that YAML 1.1 and 1.2 may guess for a plain scalar, the text first.

    >>> guesses("no"), guesses("010"), guesses("a")
    (['no', False], ['010', 8, 10], ['a'])
    """
    found: list[Any] = [text]
    loader = yaml.SafeLoader("")
    tag = loader.resolve(ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
    if tag.rpartition(":")[2] in ("null", "bool", "int", "float"):
        found.append(loader.construct_object(ScalarNode(tag, text)))
    if text in ("y", "Y", "n", "N"):  # truth values in YAML 1.1, although not for PyYAML
        found.append(text in "yY")
    found += [make(text) for pattern, make in CORE if pattern.fullmatch(text)][:1]
    return list({(type(value), str(value)): value for value in found}.values())


def key_forms(text: str) -> Iterable[str]:
    """Return the texts that an editor may make of a key."""
    for value in guesses(text):
        if isinstance(value, bool) or value is None:
            yield {True: "true", False: "false", None: "null"}[value]
            yield str(value)
        else:
            yield str(value)
