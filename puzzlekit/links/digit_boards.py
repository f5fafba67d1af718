"""What notations of boards of digits share: the type that they are for, and the usual boxes."""

from __future__ import annotations

from math import isqrt

from puzzlekit.catalogue import headers, types
from puzzlekit.errors import InputError


def type_with(notation: str) -> str:
    """Return the name of the type whose section `links` names a notation.

    Raises:
        InputError: There is none.
    """
    for name, header in headers(types()).items():
        if header is not None and notation in header.links:
            return name
    raise InputError(f"no type has {notation} in its section links")


def box_of(size: int) -> tuple[int, int]:
    """Return the rows and the columns of the usual box: as square as it can be, wider than high.

    Examples:
        >>> box_of(9), box_of(6), box_of(7)
        ((3, 3), (2, 3), (1, 7))
    """
    high = next(rows for rows in range(isqrt(size), 0, -1) if size % rows == 0)
    return high, size // high
