"""Check specs: their values, their pictures and their solutions against `expect`; and check types
by running their rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from yaml.nodes import MappingNode, Node

from puzzlekit.api.loading import load
from puzzlekit.api.puzzle import Puzzle
from puzzlekit.api.solution import Solution
from puzzlekit.api.values import matches, plain, rows_of
from puzzlekit.boards import Cell, Grid
from puzzlekit.catalogue import read_header
from puzzlekit.clock import Clock, choose_clock
from puzzlekit.errors import InputError, Problem, Problems, Stopped, nearest, with_help
from puzzlekit.lang import PuzzleType, VariableArray, read_type
from puzzlekit.lang.making_section import making_of
from puzzlekit.lang.schema import example_data
from puzzlekit.lang.type_sections import check_sections, sections_of
from puzzlekit.lang.unused import unused_fields, unused_values
from puzzlekit.query import Query, QueryOptions, Task
from puzzlekit.render.build import scenes_of
from puzzlekit.sentences.formatting import and_list, comma_list, counted
from puzzlekit.sentences.reports import Expected, IsNot, NotAsExpected, SizedBoard, ValidType
from puzzlekit.yaml_nodes import plain_node

NAMED_VALUES = 8  # printed of each difference, the most frequent first
EXPECTED_SOLUTIONS = 1_000  # searched for an expected one
TYPE_SPECS = 3  # on which they are run
TYPE_SECONDS = 5.0  # of running a type's rules on specs beside it
TYPE_FILES = 100  # in which specs are looked for

SHOWN_WHOLE = 200  # characters of a message with both values
FEW = 10  # expected solutions: they are listed, up to one more; of more, the number is counted


def expected(puzzle: Puzzle) -> dict[str, Any]:
    """The `expect` of a spec as plain data; scalars are text. Raises Problems if not a mapping."""
    node = puzzle.spec.about.get("expect")
    if node is None:
        return {}
    if not isinstance(node, MappingNode):
        puzzle.spec.source.problem(
            "expected expect to be a mapping", node, "write for example expect: {solutions: 1}"
        )
        puzzle.spec.source.raise_problems()
    found: dict[str, Any] = plain_node(node)
    return found


def check_spec(puzzle: Puzzle, backend: str = "auto", clock: Clock | None = None) -> str:
    """Check what the loading of a puzzle leaves open, and its solutions against its `expect`.

    Returns:
        The result in words.

    Raises:
        Problems: A value is not used, the picture cannot be drawn, or an expectation is not met.
        Stopped: The time is up.
        Undecided: The backend gave up.
    """
    if unused := unused_values(puzzle.instance):
        raise Problems(unused)
    scenes_of(puzzle.instance, None)  # raises what its picture cannot show
    if "expect" not in puzzle.spec.about:
        return "a valid spec; it has no expect"
    problems = unmet_problems(
        puzzle,
        backend,
        inspect=lambda solution: scenes_of(solution.instance, solution.assignment),
        clock=clock,
    )
    if problems:
        raise Problems(problems)
    return "as expected"


def unmet(puzzle: Puzzle, backend: str = "auto", timeout: float | None = None) -> list[str]:
    """The expectations of a spec that its solutions do not meet, as sentences.

    `solutions` is the number of solutions, and `goal` the best value of each named goal. The name
    of an unknown or a shown value, or `answer` for the first unknown, is its value in a solution.
    The name of what follows from a solution is the `count` of its solution.

    Args:
        puzzle: The puzzle.
        backend: The name of a backend, or "auto".
        timeout: Seconds for all queries together.

    Raises:
        Stopped: The time is up.
        Undecided: The backend gave up.
    """
    return [problem.message for problem in unmet_problems(puzzle, backend, timeout)]


def unmet_problems(
    puzzle: Puzzle,
    backend: str = "auto",
    timeout: float | None = None,
    inspect: Callable[[Solution], object] = lambda solution: None,
    clock: Clock | None = None,
) -> list[Problem]:
    """As `unmet`, each with its place in the spec; `inspect` is called with the first solution of
    each search.
    """
    expectation = _Expectation(puzzle, backend, choose_clock(timeout, clock), inspect)
    return list(expectation.unmet(expected(puzzle)))


@dataclass(frozen=True)
class _Expectation:
    puzzle: Puzzle
    backend: str
    clock: Clock  # of all queries together
    inspect: Callable[[Solution], object]

    def unmet(self, required: dict[str, Any]) -> Iterator[Problem]:
        families = [
            unknowns.name for unknowns in self.puzzle.type.unknowns if not unknowns.auxiliary
        ]
        shown = [shown.name for shown in self.puzzle.type.show if shown.expression is not None]
        sections = sections_of(self.puzzle.type)
        sequels = [name for section in sections for name in section.sequel_names()]
        values: dict[str, str] = {}  # by the key of `expect`, the name of the value
        for key, value in required.items():
            match key:
                case "solutions" if not str(value).replace("_", "").isdecimal():
                    yield self._problem(
                        "expected the number of solutions",
                        key,
                        help="write for example solutions: 1",
                    )
                case "solutions":
                    wanted = int(str(value).replace("_", ""))
                    found = (
                        self._few(wanted)
                        if wanted < FEW
                        else self.puzzle.count(self.backend, clock=self.clock)
                    )
                    if found != wanted:
                        more = " or more" if wanted < FEW and found > wanted else ""
                        yield self._problem(
                            str(Expected(_solutions(value, wanted), f"{found}{more}")),
                            key,
                        )
                case "goal" if isinstance(value, dict):
                    yield from self.goals(value)
                case "answer":
                    values[key] = families[0]
                case _ if key in (*families, *shown, *sequels):
                    values[key] = key
                case _:
                    known = ["solutions", "goal", "answer", *families, *shown, *sequels]
                    yield self._problem(f"expect has no key {key}", key, help=nearest(key, known))
        if values:
            yield from self.values(values, {key: required[key] for key in values})

    def _few(self, wanted: int) -> int:
        """Count the solutions, but stop where there are more than wanted."""
        run = self.puzzle.run(
            Query(limit=wanted + 1, goal="none", ordered=False), self.backend, clock=self.clock
        )
        found = 0
        for solution in run:
            if not found:
                self.inspect(solution)
            found += 1
        run.raise_reason()
        return found

    def goals(self, required: dict[str, str]) -> Iterator[Problem]:
        for name, value in required.items():
            if name not in self.puzzle.instance.goals:
                help = nearest(name, self.puzzle.instance.goals)
                yield self._problem(
                    f"{self.puzzle.type.name} has no goal {name}", "goal", name, help=help
                )
                continue
            run = self.puzzle.run(Query(Task.OPTIMISE, 1, name), self.backend, clock=self.clock)
            found = list(run)
            run.raise_reason()
            for solution in found[:1]:
                self.inspect(solution)
            if str(run.value) != value:
                got = run.value if found else "no solution"
                yield self._problem(f"expected {name} {value}, found {got}", "goal", name)

    def values(self, names: dict[str, str], required: dict[str, Any]) -> Iterator[Problem]:
        """Nothing if a solution has all required values; else what the closest solution lacks."""
        goal = None if self.puzzle.instance.goals else "none"
        most = EXPECTED_SOLUTIONS
        run = self.puzzle.run(
            QueryOptions(goal, limit=most).query(), self.backend, clock=self.clock
        )
        nearest_miss: dict[str, Any] | None = None
        boards: dict[str, bool] = {}
        for number, solution in enumerate(run):
            if number == 0:
                self.inspect(solution)
            misses = {
                key: got
                for key, value in required.items()
                if not matches(value, got := _part(solution, names[key]))
            }
            if not misses:
                return
            if nearest_miss is None or len(misses) < len(nearest_miss):
                nearest_miss = misses
                boards = {key: _is_board(solution, names[key]) for key in misses}
        run.raise_reason()
        listed, first = ", ".join(names.values()), next(iter(names))
        if nearest_miss is None:
            yield self._problem(f"expected {listed}, but there is no solution", first)
        elif not run.counted:
            message = (
                f"expected {listed}, but none of the first {most:,} solutions has these values"
            )
            yield self._problem(message, first)
        else:
            for key, got in nearest_miss.items():
                message, help = _mismatch(names[key], required[key], got, boards[key])
                yield self._problem(message, key, help=help)

    def _problem(self, message: str, *keys: str, help: str = "") -> Problem:
        """A problem at a key of `expect`, or at a key below it."""
        node: Node | None = self.puzzle.spec.about.get("expect")
        at = node
        for name in keys:
            pairs = node.value if isinstance(node, MappingNode) else []
            at, node = next(((key, value) for key, value in pairs if key.value == name), (at, None))
        return Problem(message, None if at is None else self.puzzle.spec.source.start(at), help)


def _part(solution: Solution, key: str) -> Any:
    if key in solution.sequels:
        return solution.sequels[key].get("count", solution.sequels[key].json())
    return plain(solution.output_or_array(key))


def _is_board(solution: Solution, key: str) -> bool:
    if key in solution.sequels:
        return False
    value = solution.output_or_array(key)
    return isinstance(value, Grid) or (isinstance(value, VariableArray) and value.over_cells())


def _mismatch(name: str, required: Any, got: Any, board: bool) -> tuple[str, str]:
    """What differs, and how to write it.

    Of a board this is its size or its first differing cells, of a long list its first differing
    items.
    """
    if not board:
        whole = str(Expected(f"{name} {required}", str(got)))
        return (
            whole
            if len(whole) <= SHOWN_WHOLE or not isinstance(got, list)
            else _different_items(name, required, got)
        ), ""
    rows, found = (
        rows_of(required),
        [["." if cell is None else str(cell) for cell in row] for row in got],
    )
    help = "a hole is _ or ."
    if len(rows) != len(found):
        return (
            _size_differs(name, len(rows), len(found), "row"),
            help,
        )
    for number, (row, other) in enumerate(zip(rows, found), 1):
        if len(row) != len(other):
            return _size_differs(name, len(row), len(other), "cell", number), help
    cells = [
        str(IsNot(str(Cell(r, c)), _cell(found_cell), _cell(cell)))
        for r, (row, other) in enumerate(zip(rows, found), 1)
        for c, (cell, found_cell) in enumerate(zip(row, other), 1)
        if cell != found_cell and (cell, found_cell) != ("_", ".")
    ]
    return str(NotAsExpected(name, comma_list(cells, NAMED_VALUES))), ""


def _different_items(name: str, required: Any, got: list[Any]) -> str:
    """The first items of one list that the other lacks."""
    expected = list(map(_item, required if isinstance(required, list) else [required]))
    actual = list(map(_item, got))
    missing = [item for item in expected if item not in actual]
    extra = [item for item in actual if item not in expected]
    if not missing and not extra:  # the same items in another order
        pairs = enumerate(zip(actual, expected), 1)
        number, (item, due) = next((number, pair) for number, pair in pairs if pair[0] != pair[1])
        return str(NotAsExpected(name, IsNot(f"item {number}", item, due)))
    named = [f"{item} is not in the solution" for item in missing[:1]]
    named += [f"{item} is not expected" for item in extra[:1]]
    others = len(missing) + len(extra) - len(named)
    differ = f"{counted(others, 'other item')} differ" if others else ""
    return str(NotAsExpected(name, and_list(named), differ))


def _item(part: Any) -> str:
    return f"[{', '.join(map(_item, part))}]" if isinstance(part, list) else str(part)


def _cell(text: str) -> str:
    return "a hole" if text in (".", "_") else text


def _size_differs(name: str, expected: int, actual: int, noun: str, row: int | None = None) -> str:
    """Return that a board has another number of rows, or a row another number of cells."""
    board = SizedBoard(name, counted(expected, noun), row)
    return str(Expected(str(board), counted(actual, noun)))


def _solutions(number: str, wanted: int) -> str:
    """Return a number of solutions as the spec writes it."""
    return f"{number} {'solution' if wanted == 1 else 'solutions'}"


# Types --------------------------------------------------------------------------------------------


SPECS = "[!.]*.yaml"  # files of specs, none that are hidden
SIDES, LENGTHS = (
    (4, 9, 8, 6, 5),
    (4, 1, 0),
)  # of boards and of lists in data that are made up, tried in turn


def check_type(path: Path, timeout: float | None) -> str:
    """Check a type, and run its rules.

    Returns:
        The result in words.

    Raises:
        Problems: The type has errors, or fields that are not used.
    """
    kind = read_type(path)
    if unused := unused_fields(kind):
        raise Problems(unused)
    check_sections(kind)
    making_of(kind)
    unknowns = ", ".join(unknowns.name for unknowns in kind.unknowns)
    rules = counted(len(kind.rules), "rule")
    ran = _run_rules(path, kind, Clock(TYPE_SECONDS if timeout is None else timeout))
    verdict = (
        "the text has no error" if ran.startswith("\n") else "a valid type"
    )  # what failed stands on a line of its own
    fields = ", ".join(kind.fields) or "–"
    return str(ValidType(verdict, fields, unknowns, rules, ran))


def _run_rules(path: Path, kind: PuzzleType, clock: Clock) -> str:
    """Run the rules of a type on the smallest specs beside it, or on one that is made up. Return
    what was run.

    Raises Problems with the errors of the type. Errors of a spec are found where that is checked.
    A spec that is made up may break what the type's rules rely on, so its errors are only told.
    """
    specs = _specs_of(path, kind.name)
    found: list[Problem] = []
    ran = 0
    try:
        for spec in specs:
            try:
                load(path, spec, clock=clock)
                ran += 1
            except Problems as error:
                found += _problems_at(path, error, str(spec))
        if found:
            raise Problems(found)
        if ran:
            return f", run on {counted(ran, 'spec')}"
        return _run_on_made_up(path, kind, clock)
    except Stopped:
        return "; there was no time to run them on a spec"
    except Problems:
        raise
    except InputError:  # as where a spec names a file that is missing
        return ""


def _problems_at(path: Path, error: Problems, data: str) -> list[Problem]:
    """Return the problems in a file, which say with what data they came up."""
    own = (
        problem
        for problem in error.problems
        if problem.position is not None and problem.position.path == str(path)
    )
    return [replace(problem, message=f"{problem.message} (with {data})") for problem in own]


def _run_on_made_up(path: Path, kind: PuzzleType, clock: Clock) -> str:
    """Run the rules on the first data that the type accepts: with boards that are empty, and with
    clues of all kinds.

    Errors on empty boards are told only if none with clues is accepted: some rules need different
    labels.
    """
    help = f"add a spec to specs/{kind.name}/, so that the rules run on it"
    refused = "no data could be made up"
    for side, items in product(SIDES, LENGTHS):
        ran: list[list[Problem]] = []  # the errors on each of the data that the checks accept
        for varied in (False, True):
            values = example_data(kind, side, side, items, varied)
            if values is None:
                continue
            try:
                load(path, values, clock=clock)
            except Problems as error:
                if not values:  # no data were needed, so the error is the type's own
                    raise
                if own := _problems_at(path, error, "data that were made up"):
                    ran.append(own)
                elif (side, items, varied) == (SIDES[0], LENGTHS[0], False):
                    refused = f"with data that were made up, {error.problems[0].message}"
            else:
                ran.append([])
        if ran:
            wrong = "".join(f"\n{problem}" for problem in ran[-1])
            return with_help(wrong, help) if wrong else ", run on data that were made up"
    return f"\n{path}: the rules were not run: {refused}; {help}"


def _specs_of(path: Path, name: str) -> list[Path]:
    """Return the smallest specs of a type, in specs/NAME in its folder or beside that, or in its
    folder.
    """
    folder = path.resolve().parent
    near = [
        place
        for beside in (folder, folder.parent)
        for place in sorted((beside / "specs" / name).glob(SPECS))
    ]
    found = near or [
        place for place in sorted(folder.glob(SPECS))[:TYPE_FILES] if _is_of(place, name)
    ]
    sizes = {place: place.stat().st_size for place in found[:TYPE_FILES] if place.is_file()}
    return sorted(sizes, key=lambda place: (sizes[place], place))[:TYPE_SPECS]


def _is_of(path: Path, name: str) -> bool:
    """Return whether a file is a spec of a type."""
    try:
        header = read_header(path)
    except InputError:
        return False
    return header.name == name and not header.is_type
