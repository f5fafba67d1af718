"""Random paths through all cells of a board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from puzzlekit.boards import Cell

TURNS = 100  # for each cell, before a path that misses a cell is given up
MIXED = 10  # turns for each cell of a path that misses none

Neighbours = Mapping[Cell, Sequence[Cell]]


def tour(random: Random, neighbours: Neighbours) -> tuple[Cell, ...] | None:
    """Return a random path through all cells; None if none was found.

    A path goes on to a random cell that it has not visited. Where there is none, it turns: its end
    is joined to a cell of the path, and what follows that cell is gone in the other direction
    (L. Pósa, *Hamiltonian circuits in random graphs*, 1976). Further turns then mix the path.

    Args:
        random: The source of randomness.
        neighbours: By cell, the cells that may follow it.
    """
    path = [random.choice(sorted(neighbours))]
    unvisited = {*neighbours} - {*path}
    for _ in range(TURNS * len(neighbours)):
        if not unvisited:
            break
        following = [cell for cell in neighbours[path[-1]] if cell in unvisited]
        if following:
            path.append(random.choice(following))
            unvisited.remove(path[-1])
        else:
            _turn(random, path, neighbours)
    if unvisited:
        return None
    for _ in range(MIXED * len(neighbours)):
        _turn(random, path, neighbours)
    return tuple(path)


def _turn(random: Random, path: list[Cell], neighbours: Neighbours) -> None:
    """Give a path another end, or another beginning, with the same cells."""
    if random.random() < 0.5:
        path.reverse()
    turning_points = _turning_points(path, neighbours)
    if turning_points:
        following = path.index(random.choice(turning_points)) + 1
        path[following:] = reversed(path[following:])


def _turning_points(path: Sequence[Cell], neighbours: Neighbours) -> Sequence[Cell]:
    """Return the cells of a path that touch its end, but for the one before it."""
    reached = {*path[:-2]}
    return [cell for cell in neighbours[path[-1]] if cell in reached]
