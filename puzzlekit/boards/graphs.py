"""Cycles in directed graphs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from puzzlekit.clock import checked
from puzzlekit.errors import InputError

CYCLE_STEPS = 2_000_000  # of the search for cycles
CYCLES = 200_000
CYCLE_ARCS = 2_000_000  # in all cycles together

Arc = tuple[Any, Any]


class Cycle(tuple[Arc, ...]):
    """The arcs of a closed walk that visits no node twice."""

    def __str__(self) -> str:
        if not self:
            return ""
        tails = [str(tail) for tail, _ in self]
        return "→".join([*tails, tails[0]])


def no_steps(amount: int) -> None:
    """Count no steps: the search has no bound but its own."""


def simple_cycles(
    arcs: Iterable[Arc], spend: Callable[[int], None] = no_steps
) -> tuple[Cycle, ...]:
    """Find every cycle that visits no node twice.

    The search starts from each node and walks over greater nodes that can still lead back to it.

    Args:
        arcs: Pairs (tail, head). Repeated arcs count once.
        spend: Counts steps.

    Returns:
        The cycles, each from its least node.

    Raises:
        InputError: The nodes cannot be ordered; or the cycles, the arcs in them or the steps of the
            search are more than the limits on boards allow.
    """
    heads: dict[Any, list[Any]] = {}
    try:
        for tail, head in sorted(set(arcs)):
            heads.setdefault(tail, []).append(head)
        starts = sorted(heads)
        sorted({head for tail_heads in heads.values() for head in tail_heads} | set(starts))
    except TypeError:
        raise InputError(
            "the nodes of arcs must have one type, such as letters, numbers or cells"
        ) from None
    cycles: list[Cycle] = []
    size = 0
    number = sum(map(len, heads.values()))
    steps = len(heads) * number  # the cost of _leading_to for all nodes
    for start in starts:
        spend(number)
        for cycle in checked(_cycles_from(start, heads)):
            steps += 1
            spend(1 if cycle is None else len(cycle))
            if cycle is not None:
                cycles.append(cycle)
                size += len(cycle)
            if len(cycles) > CYCLES or size > CYCLE_ARCS:
                limit = min(CYCLES, len(cycles) - 1)
                raise InputError(f"there are too many simple cycles: more than {limit:,}")
            if steps > CYCLE_STEPS:
                raise InputError(f"finding the simple cycles takes more than {CYCLE_STEPS:,} steps")
    return tuple(cycles)


def _cycles_from(start: Any, heads: Mapping[Any, Sequence[Any]]) -> Iterator[Cycle | None]:
    """Yield the cycles whose least node is `start`, and None for each step without a cycle."""
    leading_back = _leading_to(start, heads)
    path = {start: None}  # the nodes in order
    branches = [iter(heads[start])]
    while branches:
        for head in branches[-1]:
            if head == start:
                nodes = [*path]
                yield Cycle(zip(nodes, [*nodes[1:], start], strict=True))
            elif head in leading_back and head not in path:
                path[head] = None
                branches.append(iter(heads[head]))
                break
            yield None
        else:
            branches.pop()
            path.popitem()


def _leading_to(start: Any, heads: Mapping[Any, Sequence[Any]]) -> set[Any]:
    """The nodes from which a walk over nodes not less than `start` leads to it."""
    tails: dict[Any, list[Any]] = {}
    for tail, tail_heads in heads.items():
        if tail >= start:
            for head in tail_heads:
                tails.setdefault(head, []).append(tail)
    reached = {start}
    queue = deque([start])
    while queue:
        for tail in tails.get(queue.popleft(), ()):
            if tail not in reached:
                reached.add(tail)
                queue.append(tail)
    return reached
