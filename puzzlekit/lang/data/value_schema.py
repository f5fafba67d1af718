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
from string import ascii_uppercase, digits
from typing import Any

import yaml
from yaml.nodes import ScalarNode

from puzzlekit.lang.data.board_text import ShapeType
from puzzlekit.lang.data.collections import GridOf, ListOf, MapOf, TupleOf
from puzzlekit.lang.data.scalars import Choice, DataType, OptionalType, Scalar, Union
from puzzlekit.lang.data.type_syntax import EACH, KEYS

Schema = dict[str, Any]
# steps, the least and the greatest number
Bounds = Sequence[tuple[tuple[Any, ...], int | None, int | None]]

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
        type_: The type.
        path: The steps from the field to the value.
        bounds: What numbers may be at these steps, and below them.
    """
    match type_:
        case OptionalType(item):
            return any_of(LEFT_OUT, value_schema(item, path, bounds))
        case Union(items):
            return any_of(*(value_schema(item, path, bounds) for item in items))
        case Scalar():
            return _scalar(type_.name, path, bounds)
        case Choice(names):
            return _choice(names)
        case ListOf(item):
            return _list(item, path, bounds)
        case TupleOf(items):
            return _tuple(items, path, bounds)
        case MapOf():
            return _mapping(type_, path, bounds)
        case GridOf():
            return _board(type_)
        case ShapeType():
            return _shape()
        case _:
            return type_.json_schema()


def _scalar(name: str, path: tuple[Any, ...], bounds: Bounds) -> Schema:
    """Return a schema of the values of a scalar type that has a name."""
    match name:
        case "int":
            return _number(INT, path, bounds)
        case "digit":
            return _number(rf"{INT}|\s*[A-Z]\s*", path, bounds)
        case "bool":
            return {"type": ["boolean", "string"], "pattern": anchored(TRUTH)}
        case "cell":
            return text_like(CELL)
        case "size":
            return text_like(anchored(SIZE))
        case "symbol":
            return {"type": ANY, "pattern": r"^\s*\S+\s*$"}
        case _:
            return dict(ANY_SCALAR)


def _number(pattern: str, path: tuple[Any, ...], bounds: Bounds) -> Schema:
    schema = {"type": ["integer", "string"], "pattern": anchored(pattern)}
    return schema | _limits(path, bounds)


def _list(item: DataType, path: tuple[Any, ...], bounds: Bounds) -> Schema:
    items = value_schema(item, (*path, EACH), bounds)
    if isinstance(item.item if isinstance(item, OptionalType) else item, ListOf):
        items = any_of({"type": "null"}, items)  # an empty list
    array = _array(items)
    empty = anchored(EMPTY_LIST)
    match item:
        case GridOf() | ShapeType() | MapOf():
            return any_of(array, text_like(empty))
        case Scalar("int") | OptionalType(Scalar("int")):
            numbers = {"type": ["number", "string"], "pattern": rf"^[\s0-9+.,?-]*$|{empty}"}
            return any_of(array, numbers)
        case _:
            return any_of(array, dict(ANY_SCALAR))


def _array(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _tuple(items: Sequence[DataType], path: tuple[Any, ...], bounds: Bounds) -> Schema:
    schemas = [value_schema(item, (*path, position), bounds) for position, item in enumerate(items)]
    array: Schema = {"type": "array", "prefixItems": schemas}
    array |= {"minItems": len(schemas), "maxItems": len(schemas)}
    if all(item.single for item in items):
        return any_of(array, {"type": ["string", "number"]})
    return array


def _mapping(type_: MapOf, path: tuple[Any, ...], bounds: Bounds) -> Schema:
    schema: Schema = {"type": "object"}
    keys = _keys(type_.key)
    if keys:
        schema["propertyNames"] = keys
    schema["additionalProperties"] = value_schema(type_.value, (*path, EACH), bounds)
    return schema


def _board(type_: GridOf) -> Schema:
    rows = _board_text(type_)
    row = any_of(rows, _array(dict(ANY_SCALAR)))
    return any_of(rows, _array(row))


def _shape() -> Schema:
    pattern = r"^[\s#.]*$"
    row = {"type": ["string", "number"], "pattern": pattern}
    return any_of(text_like(pattern), _array(row))


def _board_text(type_: GridOf) -> Schema:
    """Return a schema of the block of a board, or of one of its rows.

    Cells that a pattern cannot describe are not checked.
    """
    items = type_.item.items if isinstance(type_.item, TupleOf) else (type_.item,)
    signs = {".", "_"}
    if len(items) > 1:
        signs.add("\\")
    if type_.empty:
        signs.add("-")
    for item in chain.from_iterable(map(_alternatives, items)):
        match item:
            case Scalar("int"):
                signs |= {*digits, "+", "-"}
            case Scalar("digit"):
                signs |= {*digits, "+", "-", *ascii_uppercase}
            case Choice(names) if all(map(str.isascii, names)):
                signs.update(*names)
            case _:
                return dict(ANY_SCALAR)
    characters = "".join(re.sub(r"[\\\]\[^-]", r"\\\g<0>", char) for char in sorted(signs))
    # the two selectors only say how a sign is drawn
    return {"type": ANY, "pattern": rf"^[\s\ufe0e\ufe0f{characters}]*$"}


def _alternatives(type_: object) -> Sequence[object]:
    """Return the types that a value may be of, besides None."""
    type_ = type_.item if isinstance(type_, OptionalType) else type_
    return type_.items if isinstance(type_, Union) else (type_,)


def _choice(names: Sequence[str]) -> Schema:
    guessed = [value for name in names for value in guesses(name)]
    distinct = {(type(value), value): value for value in guessed}
    return any_of({"enum": list(distinct.values())}, text_like(_one_of(names)))


def _one_of(texts: Iterable[str]) -> str:
    """Return a pattern of these texts, perhaps with blanks around."""
    return anchored(rf"\s*({'|'.join(map(escaped, texts))})\s*")


def _keys(type_: DataType) -> Schema:
    """Return a schema of the names of properties.

    An editor writes the keys that it guessed as texts again.
    """
    match type_:
        case Scalar("int"):
            return {"pattern": anchored(INT)}
        case Choice(names):
            forms = dict.fromkeys(form for name in names for form in key_forms(name))
            return {"pattern": _one_of(forms)}
        case _:
            return {}


def _limits(path: tuple[Any, ...], bounds: Bounds) -> Schema:
    """Return the least and the greatest number at a path, however it was read."""
    minima = []
    maxima = []
    for steps, least, greatest in bounds:
        if path[: len(steps)] != steps or KEYS in path[len(steps) :]:
            continue
        if least is not None:
            minima.append(_as_octal(least) if least > 0 else least)
        if greatest is not None:
            maxima.append(-_as_octal(-greatest) if greatest < 0 else greatest)
    limits: Schema = {}
    if minima:
        limits["minimum"] = max(minima)
    if maxima:
        limits["maximum"] = min(maxima)
    return limits


def _as_octal(number: int) -> int:
    """Return the least value, in YAML 1.1, of digits after a 0 that are this number or more.

    >>> [_as_octal(number) for number in (1, 7, 8, 10, 19)]
    [1, 7, 8, 8, 16]
    """
    text = str(number)
    octal = re.match("[0-7]*", text)
    assert octal is not None, "no digit is enough"
    prefix = octal[0]
    above = int(f"0{prefix}", 8)
    if len(prefix) < len(text):  # digits that end here, and zeros after them
        above += 1
    return above << 3 * (len(text) - len(prefix))


def any_of(*schemas: Schema) -> Schema:
    """Return a schema of what at least one of these accepts."""
    alternatives: list[Schema] = []
    for schema in schemas:
        alternatives += schema["anyOf"] if list(schema) == ["anyOf"] else [schema]
    return {"anyOf": alternatives}


def mapping_schema(properties: Schema, required: Sequence[str] = ()) -> Schema:
    """Return the schema of a mapping that has these keys and no others."""
    schema: Schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = [*required]
    return {**schema, "additionalProperties": False}


def anchored(pattern: str) -> str:
    """Return a pattern that matches only entire texts."""
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
    values: list[Any] = [text]
    loader = yaml.SafeLoader("")
    tag = loader.resolve(ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
    if tag.rpartition(":")[2] in ("null", "bool", "int", "float"):
        values.append(loader.construct_object(ScalarNode(tag, text)))
    if text in ("y", "Y", "n", "N"):  # truth values in YAML 1.1, although not for PyYAML
        values.append(text in "yY")
    for pattern, convert in CORE:
        if pattern.fullmatch(text):
            values.append(convert(text))
            break
    return list({(type(value), str(value)): value for value in values}.values())


def key_forms(text: str) -> Iterable[str]:
    """Return the texts that an editor may make of a key."""
    for value in guesses(text):
        if isinstance(value, bool) or value is None:
            yield {True: "true", False: "false", None: "null"}[value]
            yield str(value)
        else:
            yield str(value)
