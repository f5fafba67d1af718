"""Cycles in directed graphs, and things that are indexed by what they use."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

from puzzlekit.errors import InputError
from puzzlekit.limits import limits

Arc = tuple[Any, Any]
T = TypeVar("T")


class Pieces(tuple[T, ...], Generic[T]):
    """Things to cover with, indexed by the members that they use, `pieces.through(m)`, and by their kind, `pieces.of(k)`."""

    _through: Mapping[Hashable, tuple[T, ...]]
    _of: Mapping[Hashable, tuple[T, ...]] | None

    def __new__(
        cls, pieces: Iterable[T], members: Callable[[T], Iterable[Hashable]], kind: Callable[[T], Hashable] | None = None
    ) -> Pieces[T]:
        made = super().__new__(cls, tuple(pieces))
        made._through = _indexed((member, piece) for piece in made for member in members(piece))
        made._of = None if kind is None else _indexed((kind(piece), piece) for piece in made)
        return made

    def through(self, member: Hashable) -> tuple[T, ...]:
        """The pieces that use this member."""
        return self._through.get(member, ())

    def of(self, kind: Hashable) -> tuple[T, ...]:
        """The pieces of this kind. InputError where they are of no kinds."""
        if self._of is None:
            raise InputError("only the places of shapes are told apart by what lies there: .of(…) is not known for these")
        return self._of.get(kind, ())


def _indexed(pairs: Iterable[tuple[Hashable, T]]) -> Mapping[Hashable, tuple[T, ...]]:
    index: dict[Hashable, list[T]] = {}
    for key, piece in pairs:
        index.setdefault(key, []).append(piece)
    return {key: tuple(found) for key, found in index.items()}


class Cycle(tuple[Arc, ...]):
    """Arcs that lead back to where they begin, no node twice."""

    def __str__(self) -> str:
        return "→".join(str(tail) for tail, _ in self) + f"→{self[0][0]}" if self else ""


def simple_cycles(arcs: Iterable[Arc]) -> Pieces[Cycle]:
    """Every cycle along the arcs that meets no node twice; arcs that stand there more than once count as one.

    Each cycle begins at its least node and is found by walking from it over greater nodes that can still lead back.
    Raises InputError where the nodes have no order, where there are more cycles, or arcs in them, than the limits on boards
    allow, or where finding them takes more steps.
    """
    heads: dict[Any, list[Any]] = {}
    try:
        for tail, head in sorted(set(arcs)):
            heads.setdefault(tail, []).append(head)
        starts = sorted(heads)
        sorted({head for many in heads.values() for head in many} | set(starts))
    except TypeError:
        raise InputError("the nodes of arcs are of one kind, such as letters, numbers or cells") from None
    found: list[Cycle] = []
    most = limits().boards
    size = 0
    steps = len(heads) * sum(map(len, heads.values()))  # to see, from each node, which can lead back
    for start in starts:
        for cycle in _cycles_from(start, heads):
            steps += 1
            if cycle is not None:
                found.append(cycle)
                size += len(cycle)
            if len(found) > most.cycles or size > most.cycle_arcs:
                raise InputError(f"there are more than {min(most.cycles, len(found) - 1):,} simple cycles: too many")
            if steps > most.cycle_steps:
                raise InputError(f"the simple cycles take more than {most.cycle_steps:,} steps to find")
    return Pieces(found, lambda cycle: cycle)


def _cycles_from(start: Any, heads: Mapping[Any, Sequence[Any]]) -> Iterator[Cycle | None]:
    """The cycles whose least node is `start`; None for a step that completes none."""
    back = _leading_to(start, heads)
    path = {start: None}  # the nodes in order
    branches = [iter(heads[start])]
    while branches:
        for head in branches[-1]:
            if head == start:
                nodes = [*path]
                yield Cycle(zip(nodes, [*nodes[1:], start], strict=True))
            elif head in back and head not in path:
                path[head] = None
                branches.append(iter(heads[head]))
                break
            yield None
        else:
            branches.pop()
            path.popitem()


def _leading_to(start: Any, heads: Mapping[Any, Sequence[Any]]) -> set[Any]:
    """The nodes not less than `start` from which a walk over such nodes leads to it."""
    tails: dict[Any, list[Any]] = {}
    for tail, many in heads.items():
        if tail >= start:
            for head in many:
                tails.setdefault(head, []).append(tail)
    reached = {start}
    queue = deque([start])
    while queue:
        for tail in tails.get(queue.popleft(), ()):
            if tail not in reached:
                reached.add(tail)
                queue.append(tail)
    return reached
