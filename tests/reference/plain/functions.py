"""Counting, relations, sequences, values and rows, graphs."""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import groupby, pairwise, takewhile
from math import prod
from typing import Any

from tests.reference.plain.boards import Cell
from tests.reference.plain.values import Groups, Runs, VariableArray, Wrong, row, same


def _condition(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Wrong(f"{value!r} is no condition")
    return value


def _holding(xs: Any) -> int:
    return sum(_condition(x) for x in row(xs))


def count(xs: Any, v: Any) -> int:
    return sum(same(x, v) for x in row(xs))


def any_(xs: Iterable[Any]) -> bool:
    return any(map(_condition, xs if isinstance(xs, Iterable) else row(xs)))


def all_(xs: Iterable[Any]) -> bool:
    return all(map(_condition, xs if isinstance(xs, Iterable) else row(xs)))


def _of(xs: tuple[Any, ...]) -> tuple[Any, ...]:
    return row(xs[0]) if len(xs) == 1 else xs


def all_different(xs: Any) -> bool:
    items = row(xs)
    return not any(same(a, b) for i, a in enumerate(items) for b in items[:i])


def all_equal(xs: Any) -> bool:
    items = row(xs)
    return all(same(items[0], item) for item in items[1:])


def increasing(xs: Any) -> bool:
    items = row(xs)
    return all(a < b for a, b in pairwise(items))


def runs(xs: Any, cyclic: bool = False) -> Runs:
    flags = list(map(_condition, row(xs)))
    if cyclic and not all(flags) and flags and flags[0]:
        while flags[-1]:  # a run across the end is the first
            flags.insert(0, flags.pop())
    return Runs(len(list(part)) for holds, part in groupby(flags) if holds)


def leading(xs: Any) -> int:
    return len(list(takewhile(bool, map(_condition, row(xs)))))


def until(xs: Any, conditions: Any) -> Any:
    tests = list(map(_condition, row(conditions)))
    if len(tests) != len(row(xs)):
        raise Wrong("different lengths")
    end = [*tests, True].index(True)
    return xs[:end] if isinstance(xs, str) else row(xs)[:end]


def segments(xs: Any, labels: Any = None) -> tuple[Any, ...]:
    marks = row(xs if labels is None else labels)
    if len(marks) != len(row(xs)):
        raise Wrong("different lengths")
    parts: list[list[Any]] = []
    for at, x in enumerate(row(xs)):
        if at and same(marks[at - 1], marks[at]):
            parts[-1].append(x)
        else:
            parts.append([x])
    return tuple("".join(part) if isinstance(xs, str) else tuple(part) for part in parts)


def matches(xs: Any, pattern: Any) -> bool:
    signs = (str(int(x)) if isinstance(x, int) else x for x in row(xs))
    return re.fullmatch("".join(row(pattern)), "".join(signs), re.DOTALL) is not None


def visible(xs: Any) -> int:
    items = row(xs)
    return sum(all(other < item for other in items[:i]) for i, item in enumerate(items))


def distinct(xs: Any) -> tuple[Any, ...]:
    found: list[Any] = []
    for x in row(xs):
        if x is not None and not any(same(x, y) for y in found):
            found.append(x)
    return tuple(found)


def pairs(xs: Any) -> tuple[Any, ...]:
    items = row(xs)
    return tuple((a, b) for i, a in enumerate(items) for b in items[i + 1 :])


def zip_(xs: Any, ys: Any) -> tuple[Any, ...]:
    if len(row(xs)) != len(row(ys)):
        raise Wrong("different lengths")
    return tuple(zip(row(xs), row(ys)))


def number(digits: Any, base: int = 10) -> int:
    if isinstance(digits, str):
        return int(digits, base)
    total = 0
    for digit in row(digits):
        total = total * base + digit
    return total


def through(groups: Any) -> Groups:
    things = {thing for group in row(groups) for thing in _things(group)}
    return Groups(
        {
            thing: tuple(group for group in row(groups) if thing in _things(group))
            for thing in things
        }
    )


def _things(group: Any) -> tuple[Any, ...]:
    return row(getattr(group, "cells", group))


def grouped(pairs: Any) -> Groups:
    return Groups({key: tuple(x for k, x in row(pairs) if same(k, key)) for key, _ in row(pairs)})


def split(xs: Any, at: Any) -> tuple[Any, ...]:
    parts: list[list[Any]] = [[]]
    for x in row(xs):
        if same(x, at):
            parts.append([])
        else:
            parts[-1].append(x)
    return tuple("".join(part) if isinstance(xs, str) else tuple(part) for part in parts if part)


# graphs


def _flags(flags: Any) -> dict[Any, Any]:
    return dict(flags.members if isinstance(flags, VariableArray) else flags.items())


def _hang_together(nodes: Iterable[Any], links: Iterable[Any]) -> bool:
    left = set(nodes)
    steps: dict[Any, list[Any]] = {node: [] for node in left}
    for a, b in links:
        if a in left and b in left:
            steps[a].append(b)
            steps[b].append(a)
    todo = list(left)[:1]
    while todo:
        node = todo.pop()
        if node in left:
            left.remove(node)
            todo += steps[node]
    return not left


def _links(keys: Iterable[Any], links: Any, moves: str = "rook") -> list[tuple[Any, Any]]:
    if isinstance(links, VariableArray | dict):
        return [tuple(row(link)) for link, flag in _flags(links).items() if _condition(flag)]  # type: ignore[misc]
    if links is not None:
        return [tuple(row(link)) for link in row(links)]  # type: ignore[misc]
    nodes = list(keys)
    if not all(isinstance(node, Cell) for node in nodes):
        raise Wrong("only cells are linked by their numbers")

    def near(a: Cell, b: Cell) -> bool:
        apart = abs(a.row - b.row), abs(a.column - b.column)
        return sum(apart) == 1 or (moves == "king" and apart == (1, 1))

    return [(a, b) for i, a in enumerate(nodes) for b in nodes[:i] if near(a, b)]


def connected(flags: Any, links: Any = None, moves: str = "rook") -> bool:
    named = _flags(flags)
    return _hang_together(
        [k for k, flag in named.items() if _condition(flag)], _links(named, links, moves)
    )


def regions(labels: Any, links: Any = None) -> bool:
    named = _flags(labels)
    near = _links(named, links)
    values = {value for value in named.values() if value is not None}
    return all(_hang_together([k for k in named if named[k] == value], near) for value in values)


def region_sizes(labels: Any, links: Any = None) -> dict[Any, int]:
    if isinstance(labels, tuple | list):
        labels = dict.fromkeys(labels, 1)
    named = {key: label for key, label in _flags(labels).items() if label is not None}
    near = [
        (a, b)
        for a, b in _links(named, links)
        if a in named and b in named and same(named[a], named[b])
    ]
    sizes = dict.fromkeys(_flags(labels), 0)
    for key in named:
        region = {key}
        for _ in named:
            region |= {node for link in near if region & set(link) for node in link}
        sizes[key] = len(region)
    return sizes


def inside(line: Any, place: Any) -> bool:
    """Count what a ray to the left crosses; it starts between the nodes, a little below its row."""
    true = _lines(line)
    if any(place in e for e in true):
        return False
    nodes = [node for key in _flags(line) for node in key]
    half = 0.0 if not nodes or isinstance(place, type(nodes[0])) else 0.5
    down = half if isinstance(place, Cell) else -half
    high, far = (
        place.row + down + (0 if half else 0.25),
        place.column + down + (0 if half else 0.25),
    )
    if (
        not nodes
        or high > max(node.row for node in nodes)
        or far > max(node.column for node in nodes)
    ):
        return False
    crossed = [
        a for a, b in true if a.column == b.column and a.column < far and a.row < high < b.row
    ]
    return len(crossed) % 2 == 1


def _lines(line: Any) -> list[tuple[Any, Any]]:
    return [tuple(key) for key, flag in _flags(line).items() if _condition(flag)]


def _degrees(edges: list[tuple[Any, Any]]) -> Counter[Any]:
    return Counter(node for e in edges for node in e)


def single_loop(line: Any) -> bool:
    edges = _lines(line)
    degrees = _degrees(edges)
    return bool(edges) and set(degrees.values()) == {2} and _hang_together(degrees, edges)


def single_path(line: Any) -> bool:
    edges = _lines(line)
    degrees = _degrees(edges)
    return (
        sorted(degrees.values())[:3].count(1) == 2
        and max(degrees.values()) <= 2
        and _hang_together(degrees, edges)
    )


def path(line: Any, a: Any, b: Any) -> bool:
    degrees = _degrees(_lines(line))
    return single_path(line) and degrees[a] == degrees[b] == 1 and a != b


def acyclic(line: Any) -> bool:
    edges = _lines(line)
    while edges:
        degrees = _degrees(edges)
        kept = [(a, b) for a, b in edges if degrees[a] > 1 and degrees[b] > 1]
        if len(kept) == len(edges):
            return False
        edges = kept
    return True


FUNCTIONS: dict[str, Any] = {
    "sum": lambda xs: sum(row(xs)),
    "product": lambda xs: prod(row(xs)),
    "row": lambda xs: row(xs),
    "count": count,
    "len": lambda xs: len(xs) if hasattr(xs, "__len__") else len(row(xs)),
    "min": lambda *xs: min(_of(xs)),
    "max": lambda *xs: max(_of(xs)),
    "abs": abs,
    "any": any_,
    "all": all_,
    "exactly_one": lambda xs: _holding(xs) == 1,
    "at_most_one": lambda xs: _holding(xs) <= 1,
    "at_least": lambda n, xs: _holding(xs) >= n,
    "at_most": lambda n, xs: _holding(xs) <= n,
    "all_different": all_different,
    "all_equal": all_equal,
    "increasing": increasing,
    "iff": lambda p, q: _condition(p) == _condition(q),
    "runs": runs,
    "leading": leading,
    "until": until,
    "segments": segments,
    "matches": matches,
    "visible": visible,
    "lex_less": lambda a, b: row(a) < row(b),
    "between": lambda a, b: range(a, b + 1),
    "range": range,
    "distinct": distinct,
    "pairs": pairs,
    "zip": zip_,
    "enumerate": lambda xs, start=0: tuple(enumerate(row(xs), start)),
    "sorted": lambda xs: (Runs if isinstance(xs, Runs) else tuple)(sorted(row(xs))),
    "reversed": lambda xs: tuple(reversed(row(xs))),
    "first": lambda xs: row(xs)[0],
    "number": number,
    "split": split,
    "through": through,
    "grouped": grouped,
    "_through": lambda xs, thing: (
        xs.through(thing) if hasattr(xs, "through") else through(xs)[thing]
    ),
    "_of": lambda xs, piece: (
        xs.of(piece) if hasattr(xs, "of") else tuple(x for x in xs if x.piece == piece)
    ),
    "connected": connected,
    "regions": regions,
    "region_sizes": region_sizes,
    "inside": inside,
    "single_loop": single_loop,
    "single_path": single_path,
    "path": path,
    "acyclic": acyclic,
    "bool": (False, True),
    "king": "king",
    "rook": "rook",
    "minimise": lambda x: ("minimise", x),
    "maximise": lambda x: ("maximise", x),
}
