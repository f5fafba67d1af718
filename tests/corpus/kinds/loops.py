"""Closed loops, and other lines."""

import re
from collections.abc import Iterator
from itertools import chain, pairwise, starmap

from tests.corpus.kinds.shipped import around
from tests.corpus.notation import (
    Answer,
    Case,
    Kind,
    Page,
    Refused,
    cell,
    every,
    line,
    path,
    shaded,
    values,
)


def empty(problem: Page, solution: Page) -> Case:
    """A board of regions only."""
    if any(word != "-" for row in problem.board() for word in row):
        raise Refused("a board without clues is expected")
    return {"regions": problem.cells(1)}, path("line", solution)


def regions(problem: Page, solution: Page) -> Case:
    return {"regions": problem.cells(**{"#": "_"})}, path("line", solution)


def clues(problem: Page, solution: Page) -> Case:
    return {"clues": problem.cells()}, path("line", solution)


def clued_regions(problem: Page, solution: Page) -> Case:
    return {"clues": problem.cells(), "regions": problem.cells(1)}, path("line", solution)


def shaded_cells(problem: Page, solution: Page) -> Case:
    """The solution marks shaded cells by x; so do some problems,
    where such a cell is no unknown.
    """
    grey = {
        (r, c) for r, row in enumerate(problem.board()) for c, word in enumerate(row) if word == "x"
    }
    rows = [
        ["-" if (r, c) in grey else word for c, word in enumerate(row)]
        for r, row in enumerate(solution.board())
    ]
    solution = Page(solution.head, rows, {})
    return {"clues": problem.cells()}, every(path("line", solution), shaded("shaded", solution))


def shaded_regions(problem: Page, solution: Page) -> Case:
    return {"clues": problem.cells(), "regions": problem.cells(1)}, every(
        path("line", solution), shaded("shaded", solution)
    )


def circles(problem: Page, solution: Page) -> Case:
    """A circle is b or w, with its number before it or behind it, or without one."""
    board = problem.cells()
    if wrong := next(
        (
            word
            for row in board
            for word in row
            if word and not re.fullmatch(r"[bw]\d*|\d*[bw]", word)
        ),
        None,
    ):
        raise Refused(f"{wrong} is no circle")
    colours = [[word and word.strip("0123456789") for word in row] for row in board]
    sums = [[(word and word.strip("bw")) or None for word in row] for row in board]
    return {"circles": colours, "sums": sums}, path("line", solution)


def country_road(problem: Page, solution: Page) -> Case:
    return {"clues": problem.cells(), "countries": problem.cells(1)}, path("line", solution)


def dotchi_loop(problem: Page, solution: Page) -> Case:
    return {"circles": problem.cells(), "regions": problem.cells(1)}, path("line", solution)


def grand_tour(problem: Page, solution: Page) -> Case:
    """The problem adds up 1 for the right side of a cell, 2 for the one below, 4 for the left,
    8 for the one above.
    """
    sides = {
        str(bits): "".join(way for way, bit in zip("nesw", (8, 1, 2, 4)) if bits & bit) or None
        for bits in range(16)
    }
    return {"given": problem.cells(**sides)}, around(solution)


def moon_or_sun(problem: Page, solution: Page) -> Case:
    return {"signs": problem.cells(o="m", x="s"), "regions": problem.cells(1)}, path(
        "line", solution
    )


def pipelink(problem: Page, solution: Page) -> Case:
    pieces = [
        [word and "".join(sorted(word, key="nsew".index)) for word in row]
        for row in problem.cells()
    ]
    return {"pieces": pieces}, path("line", solution)


def simple_loop(problem: Page, solution: Page) -> Case:
    return {"walls": problem.cells()}, path("line", solution)


def slant(problem: Page, solution: Page) -> Case:
    rows = problem.rows[: problem.height + 1]
    corners = Page([str(problem.height + 1), str(problem.width + 1)], rows, {})
    return {"clues": corners.cells()}, values("diagonal", solution)


def stitches(problem: Page, solution: Page) -> Case:
    """The head may say after the size how many stitches join two regions."""
    top, left = (line(row) for row in problem.rows[:2])
    number = problem.head[2] if len(problem.head) > 2 else "1"
    return {"regions": problem.cells(after=2), "top": top, "left": left, "stitches": number}, path(
        "stitch", solution
    )


def steps(one: str, other: str) -> Iterator[frozenset[str]]:
    """The pairs of neighbours along a straight line from cell to cell."""
    (r, c), (y, x) = sorted(tuple(map(int, re.findall(r"\d+", name))) for name in (one, other))
    cells = [cell(i, j) for i in range(r, y + 1) for j in range(c, x + 1)]
    return map(frozenset, pairwise(cells))


def wblink(problem: Page, solution: Page) -> Case:
    """Our lines join circles, the collection's neighbours."""
    expected = path("line", solution).expected
    return {"circles": problem.cells()}, Answer(
        expected, lambda json: frozenset(chain(*starmap(steps, json["line"])))
    )


KINDS: dict[str, Kind] = {
    "BalanceLoop": Kind("balance_loop", circles),
    "CountryRoad": Kind("country_road", country_road),
    "Detour": Kind("detour", clued_regions),
    "DotchiLoop": Kind("dotchi_loop", dotchi_loop),
    "DoubleBack": Kind("double_back", regions),
    "EntryExit": Kind("entry_exit", empty),
    "Geradeweg": Kind("geradeweg", clues),
    "GokigenNaname": Kind("slant", slant),
    "GrandTour": Kind("grand_tour", grand_tour),
    "Koburin": Kind("koburin", shaded_cells),
    "Linesweeper": Kind("linesweeper", clues),
    "MoonSun": Kind("moon_or_sun", moon_or_sun),
    "Pipelink": Kind("pipelink", pipelink),
    "RegionalYajilin": Kind("regional_yajilin", shaded_regions),
    "Shingoki": Kind("shingoki", circles),
    "Shirokuro": Kind("wblink", wblink),
    "SimpleLoop": Kind("simple_loop", simple_loop),
    "Stitches": Kind("stitches", stitches),
    "Yajilin": Kind("yajilin", shaded_cells),
}
