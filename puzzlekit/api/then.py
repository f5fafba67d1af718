"""What a type says under `then`: second types, each fed from a solution."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from yaml.nodes import Node

from puzzlekit.catalogue import find, is_path
from puzzlekit.errors import InputError, Problem, Problems, nearest
from puzzlekit.lang import PuzzleType, Then, read_type
from puzzlekit.limits import limits


def second_type(kind: PuzzleType, then: Then) -> PuzzleType:
    """The type that follows, by name or by its path from the type's own folder. Raises InputError, Problems included."""
    folder = kind.source.folder
    return read_type(find(str(folder / then.name) if is_path(then.name) else then.name, folder))


def check_then(kind: PuzzleType) -> None:
    """Check what a type says under `then`, and what follows from there.

    Each second type exists and is sound, it has the fields that it is given, it is given all that it needs, and no type
    follows from itself. Raises Problems, each at its place in the type's file.
    """
    if not kind.then:
        return
    for problem in _problems(kind, (kind,), set()):
        kind.source.problem(problem.message, problem.place, problem.hint)
    kind.source.raise_problems()


def _problems(kind: PuzzleType, chain: tuple[PuzzleType, ...], seen: set[Path]) -> Iterator[Problem]:
    """The problems of a type that the others of the chain lead to; types that were seen are passed over."""
    for then in kind.then:
        place = kind.source.start(then.place)
        try:
            second = second_type(kind, then)
        except Problems as error:
            yield Problem(f"{then.name}, which follows here, has problems", place)
            yield from error.problems
            continue
        except InputError as error:
            yield Problem(str(error), place)
            continue
        for rule in then.data:
            if rule.name not in second.fields:
                yield _unknown(kind, second, rule.expression.text.node, rule.name)
        given = {rule.name for rule in then.data}
        for field in second.wanted():
            if field.name not in given:
                hint = f"{second.name} wants {field}; add: {field.name}: an expression"
                yield Problem(f"{then.name} is not given its field {field.name}", place, hint)
        path = _path(second)
        if path in map(_path, chain):
            way = " → ".join(type_.name for type_ in (*chain, second))
            yield Problem(f"{then.name} follows from itself: {way}", place, "what follows comes to an end")
        elif len(chain) > limits().reporting.chained_types:
            yield Problem(f"more than {limits().reporting.chained_types} types follow one another", place)
        elif path not in seen:
            yield from _problems(second, (*chain, second), seen)
            seen.add(path)


def _unknown(kind: PuzzleType, second: PuzzleType, node: Node, name: str) -> Problem:
    hint = nearest(name[:100], second.fields) if second.fields else f"{second.name} has no fields"
    return Problem(f"{second.name} has no field {name[:100]}", kind.source.start(node), hint)


def _path(kind: PuzzleType) -> Path:
    return Path(kind.source.path).absolute()
