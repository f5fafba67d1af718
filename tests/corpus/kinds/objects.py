"""Things put into cells."""

from tests.corpus.notation import (
    Answer,
    Case,
    Json,
    Kind,
    Page,
    Refused,
    cell,
    line,
    parts_of,
    shaded,
)


def akari(problem: Page, solution: Page) -> Case:
    return {"walls": problem.cells()}, shaded("lamp", solution, "o")


def tents(problem: Page, solution: Page) -> Case:
    """The numbers of the columns, then those of the rows, then the trees."""
    return {**sides(problem), "trees": problem.cells(after=2, x="T")}, shaded("tent", solution, "o")


def sides(problem: Page) -> dict[str, list[int | None]]:
    """Two lines of clues: for the columns, then for the rows."""
    columns, rows = line(problem.rows[0]), line(problem.rows[1])
    if (len(rows), len(columns)) != (problem.height, problem.width):
        raise Refused(
            f"{len(rows)} and {len(columns)} clues for {problem.height} rows "
            f"and {problem.width} columns"
        )
    return {"columns": columns, "rows": rows}


def mosaic(problem: Page, solution: Page) -> Case:
    return {"clues": problem.cells()}, shaded("shaded", solution)


def minesweeper(problem: Page, solution: Page) -> Case:
    """The third number of the head is how many mines there are."""
    return {
        "clues": problem.cells(),
        "mines": problem.head[2] if problem.head[2:] else None,
    }, shaded("mine", solution)


def dominosa(problem: Page, solution: Page) -> Case:
    expected = parts_of(solution.board(), "-")
    return {"numbers": problem.cells(**{"-": "_"})}, Answer(
        expected, lambda json: frozenset(map(frozenset, json["domino"]))
    )


def thermometers(problem: Page, solution: Page) -> Case:
    """3.2 is the second cell of thermometer 3, from its bulb on; - is in none."""
    found: dict[str, dict[int, str]] = {}
    for r, row in enumerate(problem.board(after=2), 1):
        for c, word in enumerate(row, 1):
            name, dot, place = word.partition(".")
            if word == "-":
                continue
            if not dot or not place.isdigit() or int(place) in found.setdefault(name, {}):
                raise Refused(
                    f"{word} at {cell(r, c)} is not a cell of a thermometer, or a second one"
                )
            found[name][int(place)] = cell(r, c)
    return {
        **sides(problem),
        "thermometers": [[t[i] for i in sorted(t)] for t in found.values()],
    }, shaded("filled", solution)


def magnets(problem: Page, solution: Page) -> Case:
    """Four lines of clues (plus and minus of the columns, then of the rows), then the plates;
    x is neutral.
    """
    clues = {
        side: line(problem.rows[number])
        for number, side in enumerate(("top", "bottom", "left", "right"))
    }
    expected = [["·" if word == "x" else word for word in row] for row in solution.board()]
    return {"plates": problem.board(after=4), **clues}, Answer(
        expected, lambda json: [list(row) for row in json["pole"]]
    )


def battleships(problem: Page, solution: Page) -> Case:
    """The head's further numbers: how many ships of one cell, of two, and so on."""
    return {**sides(problem), "given": problem.cells(after=2), "fleet": fleet(problem)}, ships(
        solution
    )


def digital_battleships(problem: Page, solution: Page) -> Case:
    return {**sides(problem), "numbers": problem.board(after=2), "fleet": fleet(problem)}, ships(
        solution
    )


def fleet(problem: Page) -> dict[int, int]:
    if not problem.head[2:]:
        raise Refused("the first line has no fleet")
    return {length: int(word) for length, word in enumerate(problem.head[2:], 1) if word != "0"}


def ships(solution: Page) -> Answer:
    """The cells of all ships."""
    expected = frozenset(
        cell(r, c)
        for r, row in enumerate(solution.board(), 1)
        for c, word in enumerate(row, 1)
        if word in "onmesw"
    )
    return Answer(expected, lambda json: frozenset(cell for ship in json["ship"] for cell in ship))


def nondango(problem: Page, solution: Page) -> Case:
    """x is a circle; the solution has x where it is black."""
    return {"circles": problem.cells(x="o"), "regions": problem.board(1)}, shaded("black", solution)


def forbidden_four(problem: Page, solution: Page) -> Case:
    return {"given": problem.cells()}, shaded("circle", solution, "o")


def squaro(problem: Page, solution: Page) -> Case:
    """The solution has a bit for each filled corner of a cell: 1 upper right, 2 lower right,
    4 lower left, 8 upper left.
    """
    corners = ((1, 0, 1), (2, 1, 1), (4, 1, 0), (8, 0, 0))
    expected = frozenset(
        f"+{cell(r + down, c + right)}"
        for r, row in enumerate(solution.board(), 1)
        for c, word in enumerate(row, 1)
        for bit, down, right in corners
        if int(word) & bit
    )
    return {"clues": problem.cells()}, Answer(expected, lambda json: frozenset(json["dot"]))


def bright_light(problem: Page, solution: Page) -> Case:
    return {"clues": problem.cells()}, shaded("star", solution, "*")


def starry_sky(problem: Page, solution: Page) -> Case:
    if problem.head[2:] not in ([], ["1"]):
        raise Refused(f"the first line ends in {' '.join(problem.head[2:])}, not in 1")
    return {**sides(problem), "arrows": problem.cells(after=2)}, shaded("star", solution, "*")


def pills(problem: Page, solution: Page) -> Case:
    """The puzzle does not say how many pills there are:
    the sums of all columns add up to 1 + 2 + ... + pills.
    """
    clues = sides(problem)
    totals = [sum(n for n in side if n is not None) for side in clues.values() if None not in side]
    number = next((n for n in range(1, 100) if totals and n * (n + 1) // 2 == totals[0]), None)
    if number is None:
        raise Refused("the sums do not say how many pills there are")
    spec = {**clues, "digits": problem.board(after=2), "pills": number}
    return spec, Answer(
        parts_of(solution.board(), "0"), lambda json: frozenset(map(frozenset, json["pill"]))
    )


def doors(problem: Page, solution: Page) -> Case:
    """The solution has a bit for each closed side of a cell: 1 to the left, 2 below,
    4 to the right, 8 above.
    """
    found = set()
    for r, row in enumerate(solution.board(), 1):
        for c, word in enumerate(row, 1):
            found |= (
                {(cell(r, c), cell(r, c + 1))} if int(word) & 4 and c < problem.width else set()
            )
            found |= (
                {(cell(r, c), cell(r + 1, c))} if int(word) & 2 and r < problem.height else set()
            )
    return {"rooms": problem.cells()}, Answer(
        found, lambda json: {tuple(map(str, pair)) for pair in json["wall"]}
    )


TRIANGLES = {"-": "·", "nw": "◤", "ne": "◥", "se": "◢", "sw": "◣"}


def shakashaka(problem: Page, solution: Page) -> Case:
    """5 is a black cell without a number, as x is."""
    walls = problem.cells(**{"5": "x"})
    found = [
        [TRIANGLES[word] if walls[r][c] is None else "." for c, word in enumerate(row)]
        for r, row in enumerate(solution.board())
    ]
    return {"walls": walls}, Answer(found, lambda json: [list(row) for row in json["half"]])


def shugaku(problem: Page, solution: Page) -> Case:
    """5 is an unknown number. The solution has # for a pillow and o for a foot."""
    found = {
        cell(r, c): word
        for r, row in enumerate(solution.board(), 1)
        for c, word in enumerate(row, 1)
        if word in "#o"
    }

    def ours(json: Json) -> dict[str, str]:
        return {place: sign for bed in json["bed"] for place, sign in zip(bed, "#o")}

    return {"posts": problem.cells(**{"5": "?"})}, Answer(found, ours)


KINDS: dict[str, Kind] = {
    "Akari": Kind("akari", akari),
    "Tent": Kind("tents", tents),
    "Mosaic": Kind("mosaic", mosaic),
    "Minesweeper": Kind("minesweeper", minesweeper),
    "Dominos": Kind("dominosa", dominosa),
    "Thermometer": Kind("thermometers", thermometers),
    "Magnetic": Kind("magnets", magnets),
    "Battleship": Kind("battleships", battleships),
    "DigitalBattleship": Kind("digital_battleships", digital_battleships),
    "Nondango": Kind("nondango", nondango),
    "Fobidoshi": Kind("forbidden_four", forbidden_four),
    "SquareO": Kind("squaro", squaro),
    "Buraitoraito": Kind("bright_light", bright_light),
    "Sternenhimmel": Kind("starry_sky", starry_sky),
    "Pills": Kind("pills", pills),
    "Doors": Kind("doors", doors),
    "Shakashaka": Kind("shakashaka", shakashaka),
    "Shugaku": Kind("shugaku", shugaku),
}
