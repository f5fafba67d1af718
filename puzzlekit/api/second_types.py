"""The `then` section of a type: second types that get their data from a solution."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from yaml.nodes import Node

from puzzlekit.catalogue import find, is_path
from puzzlekit.errors import InputError, Problem, Problems, nearest
from puzzlekit.lang import PuzzleType, Then, read_type
from puzzlekit.limits import limits


def second_type(kind: PuzzleType, then: Then) -> PuzzleType:
    """The second type, by name or by path from the folder of the type. Raises InputError."""
    folder = kind.source.folder
    return read_type(find(str(folder / then.name) if is_path(then.name) else then.name, folder))


def check_then(kind: PuzzleType) -> None:
    """Check the `then` section of a type, and those of its second types.

    Each second type must exist and be valid, have the fields that are given and be given the fields
    that it requires, and no type may follow itself. Raises Problems with places in the type's file.
    """
    if not kind.then:
        return
    for problem in _problems(kind, (kind,), set()):
        kind.source.problem(problem.message, problem.place, problem.hint)
    kind.source.raise_problems()


def _problems(kind: PuzzleType, chain: tuple[PuzzleType, ...], seen: set[Path]) -> Iterator[Problem]:
    """The problems of a type at the end of a chain; skips types that were already checked."""
    for then in kind.then:
        place = kind.source.start(then.place)
        try:
            second = second_type(kind, then)
        except Problems as error:
            yield Problem(f"the second type {then.name} has errors", place)
            yield from error.problems
            continue
        except InputError as error:
            yield Problem(str(error), place)
            continue
        for rule in then.data:
            if rule.name not in second.fields:
                yield _unknown(kind, second, rule.expression.text.node, rule.name)
        given = {rule.name for rule in then.data}
        for field in second.required():
            if field.name not in given:
                hint = f"{second.name} requires {field}; add {field.name}: EXPRESSION"
                yield Problem(f"{then.name} requires the field {field.name}", place, hint)
        path = _path(second)
        if path in map(_path, chain):
            way = " → ".join(type_.name for type_ in (*chain, second))
            yield Problem(f"{then.name} follows itself: {way}", place, "remove one of the types from the cycle")
        elif len(chain) > limits().reporting.chained_types:
            yield Problem(f"a chain has at most {limits().reporting.chained_types} types", place)
        elif path not in seen:
            yield from _problems(second, (*chain, second), seen)
            seen.add(path)


def _unknown(kind: PuzzleType, second: PuzzleType, node: Node, name: str) -> Problem:
    hint = nearest(name[:100], second.fields) if second.fields else f"{second.name} has no fields"
    return Problem(f"{second.name} has no field {name[:100]}", kind.source.start(node), hint)


def _path(kind: PuzzleType) -> Path:
    return Path(kind.source.path).absolute()
