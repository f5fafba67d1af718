"""Directions by name, and the steps that they take on boards."""

from __future__ import annotations

from typing import Any

from puzzlekit.errors import InputError

Step = tuple[int, int]  # rows and columns

WAYS = ("up", "right", "down", "left")
CIRCLE = ("up", "up_right", "right", "down_right", "down", "down_left", "left", "up_left")  # clockwise
STEPS: dict[str, Step] = {
    "up": (-1, 0),
    "right": (0, 1),
    "down": (1, 0),
    "left": (0, -1),
    "up_right": (-1, 1),
    "down_right": (1, 1),
    "down_left": (1, -1),
    "up_left": (-1, -1),
}
HEXAGON_STEPS: dict[str, Step] = {
    "up_right": (-1, 1),
    "right": (0, 1),
    "down_right": (1, 0),
    "down_left": (1, -1),
    "left": (0, -1),
    "up_left": (-1, 0),
}
NAMES: dict[object, str] = {
    **{name: name for name in CIRCLE},
    **{sign: way for signs in ("urdl", "^>v<", "nesw") for sign, way in zip(signs, WAYS)},
    **dict(enumerate(WAYS)),
}


def direction(way: Any) -> str:
    """Return the name of a direction, which is written as its name, a sign or a number.

    Raises:
        InputError: It is no direction.

    Examples:
        >>> direction("E"), direction("v"), direction(0), direction("up_left")
        ('right', 'down', 'up', 'up_left')
    """
    found = NAMES.get(way.lower() if isinstance(way, str) else way) if type(way) in (str, int) else None
    if found is None:
        what = repr(way[:20]) if isinstance(way, str) else str(way) if type(way) is int else "another value"
        raise InputError(f"expected a direction, such as up, u, ^, n or 0, got {what}")
    return found


def turned(way: Any, n: int) -> str:
    """Return the direction that n quarter turns clockwise make of a direction.

    Examples:
        >>> turned("up", 1), turned("left", 2), turned("up_right", -1)
        ('right', 'right', 'up_left')
    """
    return CIRCLE[(CIRCLE.index(direction(way)) + 2 * n) % len(CIRCLE)]
