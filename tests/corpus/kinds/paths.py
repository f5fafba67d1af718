"""Paths, chains of numbers, and links."""

from tests.corpus.kinds.sides import lines
from tests.corpus.notation import Case, Kind, Page, path, shaded, values


def hidato(problem: Page, solution: Page) -> Case:
    return {"givens": problem.cells(**{".": "_"})}, values("number", solution)


def number_snake(problem: Page, solution: Page) -> Case:
    return {"numbers": problem.board()}, path("line", solution)


def numberlink(problem: Page, solution: Page) -> Case:
    """Where cells may stay empty, a path that runs beside itself can be cut short:
    no only solution has one.
    """
    return {"numbers": problem.cells(), "detours": False}, path("line", solution)


def snake(problem: Page, solution: Page) -> Case:
    return {"ends": problem.cells(after=2), **lines(problem)}, shaded("snake", solution)


def tracks(problem: Page, solution: Page) -> Case:
    """The letters of a piece are put in the order of the type: n before s, both before e and w."""
    pieces = [
        [word and SORTED.get(frozenset(word), word) for word in row]
        for row in problem.cells(after=2)
    ]
    return {"pieces": pieces, **lines(problem)}, path("line", solution)


SORTED = {frozenset(word): word for word in ("ns", "ew", "ne", "se", "sw", "nw")}
KINDS: dict[str, Kind] = {
    "Hidoku": Kind("hidato", hidato),
    "NumberLink": Kind("numberlink", numberlink),
    "NumberSnake": Kind("number_snake", number_snake),
    "Pipeline": Kind("tracks", tracks),
    "Snake": Kind("snake", snake),
}
