"""Boards that are divided into regions."""

from tests.corpus.notation import Answer, Case, Kind, Page, Refused, cell, parts, parts_of


def _groups(name: str, solution: Page) -> Answer:
    """The groups of cells that are used, compared with a board of parts."""
    return Answer(
        parts_of(solution.board(), "-."),
        lambda json: frozenset(frozenset(map(str, group)) for group in json[name]),
    )


def rectangles(problem: Page, solution: Page) -> Case:
    return {"clues": problem.cells()}, _groups("use", solution)


def fivecells(problem: Page, solution: Page) -> Case:
    """The sides at which a part ends."""
    part = {
        (r, c): word for r, row in enumerate(solution.board(), 1) for c, word in enumerate(row, 1)
    }
    across = {(r, c) for r in range(1, solution.height + 2) for c in range(1, solution.width + 1)}
    down = {(r, c) for r in range(1, solution.height + 1) for c in range(1, solution.width + 2)}
    borders = [
        (f"+r{r}c{c}", f"+r{r}c{c + 1}")
        for r, c in across
        if part.get((r - 1, c)) != part.get((r, c))
    ]
    borders += [
        (f"+r{r}c{c}", f"+r{r + 1}c{c}")
        for r, c in down
        if part.get((r, c - 1)) != part.get((r, c))
    ]
    answer = Answer(
        frozenset(map(frozenset, borders)),
        lambda json: frozenset(frozenset(map(str, e)) for e in json["border"]),
    )
    return {"clues": problem.cells()}, answer


def tatamibari(problem: Page, solution: Page) -> Case:
    return {"signs": problem.cells(s="+", h="-", v="|")}, _groups("use", solution)


def galaxies(problem: Page, solution: Page) -> Case:
    """A centre is 0 in the middle of the cell, 1 on its right side, 2 on its lower side,
    3 in its lower right corner.
    """
    return {"circles": problem.cells(**dict(zip("0123", "o>vx")))}, parts("galaxy", solution)


def araf(problem: Page, solution: Page) -> Case:
    return {"clues": problem.cells()}, parts("region", solution)


def block_puzzle(problem: Page, solution: Page) -> Case:
    """The section [lines] gives some borders: 1 for one on the right side of the cell, 2 below it,
    3 for both.
    """
    walls = []
    for r, row in enumerate(problem.sections.get("lines", [])[: problem.height], 1):
        for c, word in enumerate(row, 1):
            if word not in ("-", "0", "1", "2", "3"):
                raise Refused(f"the line {word} is unknown")
            if word in "13":
                walls.append(f"{cell(r, c)} {cell(r, c + 1)}")
            if word in "23":
                walls.append(f"{cell(r, c)} {cell(r + 1, c)}")
    return {"signs": problem.board(), "walls": walls}, parts("region", solution)


def yonmasu(problem: Page, solution: Page) -> Case:
    return {"board": problem.cells()}, _groups("use", solution)


KINDS: dict[str, Kind] = {
    "Araf": Kind("araf", araf),
    "Burokku": Kind("block_puzzle", block_puzzle),
    "Galaxies": Kind("spiral_galaxies", galaxies),
    "Foseruzu": Kind("fivecells", fivecells),
    "Nawabari": Kind("nawabari", rectangles),
    "Rekuto": Kind("recto", rectangles),
    "Shikaku": Kind("shikaku", rectangles),
    "Tatamibari": Kind("tatamibari", tatamibari),
    "Yonmasu": Kind("yonmasu", yonmasu),
}
