"""Cells that are shaded."""

from functools import partial

from tests.corpus.notation import Case, Kind, Page, Refused, Rows, cells, line, shaded

ARROWS = {"n": "^", "e": ">", "s": "v", "w": "<"}


def clues(field: str, problem: Page, solution: Page) -> Case:
    """A board of clues, and nothing else."""
    return {field: problem.cells()}, shaded("shaded", solution)


def regions_alone(problem: Page, solution: Page) -> Case:
    """A board without clues stands before the regions."""
    return {"regions": holes(problem.board(1))}, shaded("shaded", solution)


def holes(regions: Rows) -> Rows:
    """Regions with _ for a cell of none."""
    return [["_" if word in ("-", "@", "#", ".") else word for word in row] for row in regions]


def with_regions(field: str, problem: Page, solution: Page) -> Case:
    """Numbers, then the regions."""
    regions = holes(problem.board(1))
    pairs = [zip(*rows) for rows in zip(problem.cells(), regions)]
    clues = [["_" if region == "_" else word for word, region in row] for row in pairs]
    return {"clues": clues, field: regions}, shaded("shaded", solution)


def cave(problem: Page, solution: Page) -> Case:
    """The solution marks the cave by x."""
    return {"clues": problem.cells()}, shaded("shaded", solution, "-")


def creek(problem: Page, solution: Page) -> Case:
    """The problem has one more row and column than its head says."""
    rows = problem.rows[: problem.height + 1]
    if len(rows) <= problem.height or any(len(row) != problem.width + 1 for row in rows):
        raise Refused("the corners are not one more than the cells")
    return {"corners": cells(rows)}, shaded("shaded", solution)


def lits(problem: Page, solution: Page) -> Case:
    return {"regions": holes(problem.board())}, shaded("shaded", solution, *"LITS")


def nurimisaki(problem: Page, solution: Page) -> Case:
    return {"capes": problem.cells(**{"?": "o"})}, shaded("white", solution, "-")


def tilepaint(problem: Page, solution: Page) -> Case:
    """The clues of columns, those of rows, and the tiles."""
    spec = {
        "columns": line(problem.rows[0]),
        "rows": line(problem.rows[1]),
        "tiles": holes(problem.board(after=2)),
    }
    return spec, shaded("shaded", solution)


def yajikabe(problem: Page, solution: Page) -> Case:
    """A clue is a number and the letter of its direction."""
    if unknown := {word[-1] for row in problem.board() for word in row} - {*ARROWS, "-"}:
        raise Refused(f"{unknown.pop()} is no direction")
    clues = [[word and [word[:-1], ARROWS[word[-1]]] for word in row] for row in problem.cells()]
    return {"clues": clues}, shaded("shaded", solution)


def yin_yang(problem: Page, solution: Page) -> Case:
    return {"stones": problem.cells()}, shaded("black", solution, "b")


KINDS: dict[str, Kind] = {
    "Aqre": Kind("aqre", partial(with_regions, "regions")),
    "CanalView": Kind("canal_view", partial(clues, "clues")),
    "Cave": Kind("cave", cave),
    "Chocona": Kind("chocona", partial(with_regions, "regions")),
    "CocktailLamp": Kind("cocktail_lamp", partial(with_regions, "regions")),
    "Creek": Kind("creek", creek),
    "CurvingRoad": Kind("curving_road", partial(clues, "circles")),
    "Heyawake": Kind("heyawake", partial(with_regions, "rooms")),
    "Kuromasu": Kind("kuromasu", partial(clues, "clues")),
    "Kuroshuto": Kind("kuroshuto", partial(clues, "clues")),
    "Kurotto": Kind("kurotto", partial(clues, "circles")),
    "LITS": Kind("lits", lits),
    "Norinori": Kind("norinori", regions_alone),
    "Nurimisaki": Kind("nurimisaki", nurimisaki),
    "PaintArea": Kind("paint_area", partial(with_regions, "areas")),
    "Shimaguni": Kind("shimaguni", partial(with_regions, "regions")),
    "TilePaint": Kind("tilepaint", tilepaint),
    "Usoone": Kind("usoone", partial(with_regions, "regions")),
    "Yajikabe": Kind("yajikabe", yajikabe),
    "YinYang": Kind("yin_yang", yin_yang),
}
