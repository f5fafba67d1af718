"""Numbers and signs in regions."""

from collections.abc import Callable
from typing import Any

from tests.corpus.notation import Answer, Case, Kind, Page, shaded, values

HOLES = ("-", "#", "@")  # what stands for a region in a cell that belongs to none


def _fields(problem: Page, field: str = "givens", **signs: str) -> dict[str, Any]:
    """The clues, then the regions; a cell of no region is a hole of both."""
    areas, given = problem.board(1), problem.cells(**signs)
    holes = [[area in HOLES for area in row] for row in areas]
    return {
        field: [["_" if hole else word for word, hole in zip(*pair)] for pair in zip(given, holes)],
        "regions": [
            ["_" if hole else area for area, hole in zip(*pair)] for pair in zip(areas, holes)
        ],
    }


def _numbers(name: str) -> Callable[[Page, Page], Case]:
    return lambda problem, solution: (_fields(problem), values(name, solution))


def _here(problem: Page, solution: Page) -> Case:
    """Each number of the solution is the size of its region, so only the place matters."""
    return _fields(problem), _filled("here", solution)


def _filled(name: str, solution: Page) -> Answer:
    return shaded(name, solution, *{word for row in solution.board() for word in row} - {"-"})


def juosan(problem: Page, solution: Page) -> Case:
    return _fields(problem, "clues"), shaded("upright", solution, "v")


def makaro(problem: Page, solution: Page) -> Case:
    """n, e, s and w are arrows in black cells, x is a black cell,
    which belongs to no region of ours.
    """
    given = problem.cells(n="^", e=">", s="v", w="<")
    pairs = [zip(*rows) for rows in zip(given, problem.board(1))]
    areas = [
        [None if word in ("^", ">", "v", "<", "x") else area for word, area in row] for row in pairs
    ]
    return {"givens": given, "regions": areas}, values("number", solution)


def nanro(problem: Page, solution: Page) -> Case:
    return _fields(problem), _filled("filled", solution)


KINDS: dict[str, Kind] = {
    "Cojun": Kind("kojun", _numbers("number")),
    "DiffNeighbors": Kind("different_neighbours", _numbers("number")),
    "Hakoiri": Kind("hakoiri_masashi", _numbers("sign")),
    "Hakyuu": Kind("ripple_effect", _numbers("number")),
    "Hanare": Kind("hanare_gumi", _here),
    "Juosan": Kind("juosan", juosan),
    "Makaro": Kind("makaro", makaro),
    "Nanro": Kind("nanro", nanro),
    "Putteria": Kind("putteria", _here),
    "Suguru": Kind("suguru", _numbers("number")),
    "TerraX": Kind("terra_x", _numbers("digit")),
    "Tripletts": Kind("triplets", _numbers("sign")),
}
