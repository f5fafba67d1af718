"""The types of docs/suites.md: what they find is compared with plain Python, on data of our own."""

from collections.abc import Callable, Iterator
from itertools import combinations, permutations, product
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import pytest

import puzzlekit
from puzzlekit import Query
from puzzlekit.backends import missing_extra
from tests.commands import ROOT

SUITES = ROOT / "examples" / "suites"
GOALS = sorted((SUITES / "goals").glob("*_1.yaml"))
QUICK = ("langford_1", "set_cover_1", "coins_grid_1", "two_buckets_1")  # in less than a second
Case = tuple[str, dict[str, Any], Any]


def solutions(type_name: str, data: dict[str, Any]) -> list[puzzlekit.Solution]:
    """All solutions; of a type with a goal, those that are proven best."""
    (path,) = SUITES.glob(f"*/{type_name}.yaml")
    puzzle = puzzlekit.load(str(path), data)
    return list(puzzle.solve(goal=next(iter(puzzle.type.goals), None)))


def best(type_name: str, data: dict[str, Any]) -> int | None:
    """The best value of the goal."""
    (path,) = SUITES.glob(f"*/{type_name}.yaml")
    run = puzzlekit.load(str(path), data).run(Query(limit=1))
    assert list(run) or run.counted
    assert run.status == "complete"
    return run.value


# Goals --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param(path, marks=() if path.stem in QUICK else pytest.mark.slow, id=path.stem)
        for path in GOALS
    ],
)
def test_auto_proves_what_single_backends_prove(spec: Path) -> None:
    """Where one proves an optimum within its time, so does `auto`, and it is the same."""
    names = [name for name in ("sat", "cp-sat") if not missing_extra(name)]
    found = {}
    for name in names:
        run = puzzlekit.load(None, str(spec)).run(Query(limit=1), name, timeout=30)
        has_solution = bool(list(run))
        if run.status == "complete":
            found[name] = run.value if run.goal else has_solution
    run = puzzlekit.load(None, str(spec)).run(Query(limit=1), timeout=90)
    has_solution = bool(list(run))
    assert found and run.status == "complete"
    assert {run.value if run.goal else has_solution} == {*found.values()}


# Exercism -----------------------------------------------------------------------------------------


def change(random: Random) -> Case:
    coins = sorted({random.randint(2, 9) for _ in range(3)})
    amount = random.randint(8, 30)
    numbers = product(*(range(amount // coin + 1) for coin in coins))
    totals = [
        sum(number)
        for number in numbers
        if sum(map(prod, zip(number, coins, strict=True))) == amount
    ]
    return "change", {"coins": coins, "amount": amount}, min(totals, default=None)


def knapsack(random: Random) -> Case:
    items = [[f"i{k}", random.randint(1, 9), random.randint(1, 9)] for k in range(7)]
    room = random.randint(8, 25)
    worths = []
    for size in range(8):
        for chosen in combinations(items, size):
            fits = sum(weight for _, weight, _ in chosen) <= room
            worths.append(fits * sum(worth for *_, worth in chosen))
    return "knapsack", {"items": items, "room": room}, max(worths)


def book_store(random: Random) -> Case:
    price = (0, 800, 1520, 2160, 2560, 3000)
    basket = [random.randint(1, 4) for _ in range(6)]

    def cheapest(rest: tuple[int, ...]) -> int:
        if not rest:
            return 0
        first, *others = rest
        costs = []
        titles = sorted({*others} - {first})
        for size in range(len(titles) + 1):
            for more in combinations(titles, size):
                after = list(others)
                for title in more:
                    after.remove(title)
                costs.append(price[size + 1] + cheapest(tuple(after)))
        return min(costs)

    return "book_store", {"basket": basket}, cheapest(tuple(sorted(basket)))


def series_product(random: Random) -> Case:
    digits = [random.randint(0, 9) for _ in range(15)]
    span = random.randint(1, 5)
    largest = max(prod(digits[k : k + span]) for k in range(len(digits) - span + 1))
    return "series_product", {"digits": digits, "span": span}, largest


def two_buckets(random: Random) -> Case:
    sizes = (random.randint(1, 5), random.randint(2, 7))
    amount = random.randint(1, max(sizes))
    forbidden, start = (0, sizes[1]), (sizes[0], 0)
    reached, edge, actions, fewest = {start}, [start], 0, None
    while edge and fewest is None:
        if any(amount in state for state in edge):
            fewest = actions
        following = {after for state in edge for after in _poured(state, sizes)}
        edge = sorted(following - reached - {forbidden})
        reached |= following
        actions += 1
    one, two = sizes
    data = {"one": one, "two": two, "goal": amount, "start": "one", "steps": 14}
    return "two_buckets", data, fewest


def _poured(state: tuple[int, int], sizes: tuple[int, int]) -> Iterator[tuple[int, int]]:
    (x, y), (one, two) = state, sizes
    yield from ((one, y), (x, two), (0, y), (x, 0))
    to_second, to_first = min(x, two - y), min(y, one - x)
    yield from ((x - to_second, y + to_second), (x + to_first, y - to_first))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("make", [change, knapsack, book_store, series_product, two_buckets])
def test_best_values_are_those_of_plain_python(make: Callable[[Random], Case], seed: int) -> None:
    name, data, expected = make(Random(seed))
    assert best(name, data) == expected


def dominoes(random: Random) -> Case:
    stones = [[random.randint(1, 4), random.randint(1, 4)] for _ in range(random.randint(1, 5))]
    found = set()
    for order in permutations(range(1, len(stones))):
        for turned in product((False, True), repeat=len(order)):
            if any(flag and len({*stones[i]}) == 1 for i, flag in zip(order, turned, strict=True)):
                continue
            rest = [stones[i][:: -1 if flag else 1] for i, flag in zip(order, turned, strict=True)]
            ring = [stones[0], *rest]
            if all(left[1] == right[0] for left, right in zip(ring, [*ring[1:], ring[0]])):
                found.add((order, turned))
    return "dominoes", {"stones": stones}, len(found)


def killer_helper(random: Random) -> Case:
    size, total = random.randint(1, 5), random.randint(3, 30)
    excluded = random.sample(range(1, 10), 2)
    rest = [digit for digit in range(1, 10) if digit not in excluded]
    number = sum(sum(digits) == total for digits in combinations(rest, size))
    return "killer_helper", {"sum_of_cage": total, "size": size, "excluded": excluded}, number


def saddle_points(random: Random) -> Case:
    rows = [[random.randint(1, 4) for _ in range(4)] for _ in range(3)]
    columns = list(zip(*rows, strict=True))
    number = sum(
        rows[i][j] == max(rows[i]) and rows[i][j] == min(columns[j])
        for i in range(3)
        for j in range(4)
    )
    return "saddle_points", {"heights": rows}, number


def triplet(random: Random) -> Case:
    total = random.choice((12, 30, 31, 60, 84, 90, 120))
    number = 0
    for a in range(1, total):
        for b in range(a + 1, total - a):
            number += a * a + b * b == (total - a - b) ** 2 and b < total - a - b
    return "triplet", {"sum_of_sides": total}, number


def allergies(random: Random) -> Case:
    names = ["eggs", "nuts", "milk", "cats"]
    score = random.randint(0, 20)
    return "allergies", {"allergens": names, "score": score}, int(score < 16)


def rectangles(random: Random) -> Case:
    rows = ["".join(random.choice("++++-|.") for _ in range(5)) for _ in range(4)]
    number = 0
    for top, bottom in combinations(range(4), 2):
        for left, right in combinations(range(5), 2):
            flat = rows[top][left : right + 1] + rows[bottom][left : right + 1]
            steep = "".join(row[left] + row[right] for row in rows[top : bottom + 1])
            corners = rows[top][left] + rows[top][right] + rows[bottom][left] + rows[bottom][right]
            number += {*corners} == {"+"} and {*flat} <= {*"+-"} and {*steep} <= {*"+|"}
    return "rectangles", {"drawing": "\n".join(rows)}, number


def queen_attack(random: Random) -> Case:
    cells = [(row, column) for row in range(1, 9) for column in range(1, 9)]
    (a, b), (c, d) = random.sample(cells, 2)
    data = {"white": f"r{a}c{b}", "black": f"r{c}c{d}"}
    return "queen_attack", data, a == c or b == d or abs(a - c) == abs(b - d)


def connect(random: Random) -> Case:
    rows = ["".join(random.choice("XXO.") for _ in range(4)) for _ in range(4)]
    stones = {(i, j) for i in range(4) for j in range(4) if rows[i][j] == "X"}
    reached = {(i, j) for i, j in stones if i == 0}
    for _ in stones:
        for i, j in tuple(reached):
            around = {
                (i, j + 1),
                (i, j - 1),
                (i + 1, j),
                (i - 1, j),
                (i + 1, j - 1),
                (i - 1, j + 1),
            }
            reached |= around & stones
    data = {"stones": "\n".join(rows), "player": "X"}
    return "connect", data, any(i == 3 for i, _ in reached)


def flower_field(random: Random) -> Case:
    rows = ["".join(random.choice("*..") for _ in range(4)) for _ in range(3)]
    numbers = []
    for i, j in product(range(3), range(4)):
        if rows[i][j] == ".":
            near = [rows[r][max(0, j - 1) : j + 2] for r in range(max(0, i - 1), min(3, i + 2))]
            numbers.append("".join(near).count("*"))
    return "flower_field", {"garden": "\n".join(rows)}, numbers


COUNTED = [dominoes, killer_helper, saddle_points, triplet, allergies, rectangles]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("make", COUNTED)
def test_solutions_are_as_many_as_in_plain_python(
    make: Callable[[Random], Case], seed: int
) -> None:
    name, data, expected = make(Random(seed))
    assert len(solutions(name, data)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_queens_chains_and_flowers(seed: int) -> None:
    name, data, attack = queen_attack(Random(seed))
    (solution,) = solutions(name, data)
    assert solution["attack"] is attack
    name, data, wins = connect(Random(seed))
    assert bool(solutions(name, data)) is wins
    name, data, numbers = flower_field(Random(seed))
    (solution,) = solutions(name, data)
    in_rows = [number for row in solution["number"] for number in row if number is not None]
    assert in_rows == numbers


# Rosetta ------------------------------------------------------------------------------------------


def test_rosetta_tasks_have_the_solutions_of_plain_python() -> None:
    dwellings = [
        floors
        for floors in permutations(range(1, 6))
        if floors[0] != 5 and floors[1] != 1 and 1 < floors[2] < 5 and floors[3] > floors[1]
        if abs(floors[4] - floors[2]) != 1 and abs(floors[2] - floors[1]) != 1
    ]
    assert len(solutions("dwelling", {})) == len(dwellings) > 0
    departments = [
        numbers
        for numbers in permutations(range(1, 8), 3)
        if sum(numbers) == 12 and numbers[0] % 2 == 0
    ]
    assert len(solutions("departments", {})) == len(departments) > 0
    lines = [["a", "b"], ["b", "c"], ["c", "d"], ["d", "e"], ["e", "a"], ["a", "f"]]
    nodes = "abcdef"
    placings = 0
    for numbers in permutations(range(1, 7)):
        number = dict(zip(nodes, numbers, strict=True))
        placings += all(abs(number[a] - number[b]) > 1 for a, b in lines)
    assert len(solutions("no_connection", {"lines": lines})) == placings > 0
