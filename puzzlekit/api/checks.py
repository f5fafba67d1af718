"""Check specs and types.

Of a spec its values, its picture and its solutions are checked against its `expect`; a type is
checked by running its rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from yaml.nodes import MappingNode, Node

from puzzlekit.api.idle_rules import idle_rules
from puzzlekit.api.loading import load
from puzzlekit.api.puzzle import Puzzle
from puzzlekit.api.solution import Solution
from puzzlekit.api.values import matches, plain, rows_of
from puzzlekit.boards import Cell, Grid
from puzzlekit.catalogue import read_header
from puzzlekit.clock import Clock, choose_clock
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, Problem, Problems, Stopped, nearest, with_help
from puzzlekit.lang import (
    PuzzleType,
    VariableArray,
    check_sections,
    example_data,
    making_of,
    read_type,
    sections_of,
    unused_fields,
    unused_unknowns,
    unused_values,
)
from puzzlekit.query import Query, QueryOptions, Task
from puzzlekit.render import scenes_of
from puzzlekit.sentences import (
    Expected,
    IsNot,
    NotAsExpected,
    SizedBoard,
    ValidType,
    and_list,
    comma_list,
    counted,
)
from puzzlekit.yaml_nodes import plain_node

MAX_MESSAGE = 200  # characters of a message that states two complete values
FEW = 10  # a smaller number of expected solutions is checked by listing; a larger one by counting
NAMED_VALUES = 8  # printed of each difference, the most frequent first
EXPECTED_SOLUTIONS = 1_000  # searched for one with the expected values
TYPE_SPECS = 3  # on which the rules of a type are run
TYPE_SECONDS = 5.0  # for running the rules of a type
TYPE_FILES = 100  # among which specs of a type are looked for


def expected(puzzle: Puzzle) -> dict[str, Any]:
    """Return the `expect` of a spec as plain data; scalars are text.

    Raises:
        Problems: It is not a mapping.
    """
    node = puzzle.spec.about.get("expect")
    if node is None:
        return {}
    if not isinstance(node, MappingNode):
        source = puzzle.spec.source
        help = "write for example expect: {solutions: 1}"
        source.problem("expected expect to be a mapping", node, help)
        source.raise_problems()
    expectations: dict[str, Any] = plain_node(node)
    return expectations


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
    remark = ""
    try:
        check_fields_and_sections(puzzle.type)
    except Problems:
        remark = f"; its type has errors: see puzzlekit check {puzzle.type.source.path}"
    if "expect" not in puzzle.spec.about:
        return f"a valid spec; it has no expect{remark}"
    problems = unmet_problems(
        puzzle,
        backend,
        inspect=lambda solution: scenes_of(solution.instance, solution.assignment),
        clock=clock,
    )
    if problems:
        raise Problems(problems)
    return f"as expected{remark}"


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
    """As `unmet`, each with its position in the spec.

    `inspect` is called with the first solution of each search.
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
        """Yield a problem for each expectation that is not met."""
        type_ = self.puzzle.type
        families = [unknowns.name for unknowns in type_.unknowns if not unknowns.auxiliary]
        outputs = [output.name for output in type_.show if output.expression is not None]
        sequels = [name for section in sections_of(type_) for name in section.sequel_names()]
        names = [*families, *outputs, *sequels]
        in_solution: dict[str, str] = {}  # by the key of `expect`, the name in the solution
        for key, value in required.items():
            match key:
                case "solutions":
                    yield from self._number(key, str(value))
                case "goal" if isinstance(value, dict):
                    yield from self._goals(value)
                case "answer":
                    in_solution[key] = families[0]
                case _ if key in names:
                    in_solution[key] = key
                case _:
                    help = nearest(key, ["solutions", "goal", "answer", *names])
                    yield self._problem(f"expect has no key {key}", key, help=help)
        if in_solution:
            yield from self._values(in_solution, {key: required[key] for key in in_solution})

    def _number(self, key: str, text: str) -> Iterator[Problem]:
        """Check the number of solutions."""
        digits = text.replace("_", "")
        if not digits.isdecimal():
            help = "write for example solutions: 1"
            yield self._problem("expected the number of solutions", key, help=help)
            return
        required = int(digits)
        if required < FEW:
            actual = self._count_few(required)
        else:
            actual = self.puzzle.count(self.backend, clock=self.clock)
        if actual != required:
            or_more = " or more" if required < FEW and actual > required else ""
            message = Expected(_solutions(text, required), f"{actual}{or_more}")
            yield self._problem(str(message), key)

    def _count_few(self, required: int) -> int:
        """Count the solutions, but stop where there are more than required."""
        query = Query(limit=required + 1, goal="none", ordered=False)
        run = self.puzzle.run(query, self.backend, clock=self.clock)
        count = 0
        for solution in run:
            if count == 0:
                self.inspect(solution)
            count += 1
        run.raise_reason()
        return count

    def _goals(self, required: dict[str, str]) -> Iterator[Problem]:
        """Check the best value of each goal."""
        goals = self.puzzle.instance.goals
        for name, value in required.items():
            if name not in goals:
                message = f"{self.puzzle.type.name} has no goal {name}"
                yield self._problem(message, "goal", name, help=nearest(name, goals))
                continue
            run = self.puzzle.run(Query(Task.OPTIMISE, 1, name), self.backend, clock=self.clock)
            solutions = list(run)
            run.raise_reason()
            for solution in solutions[:1]:
                self.inspect(solution)
            if str(run.value) != value:
                actual = run.value if solutions else "no solution"
                yield self._problem(f"expected {name} {value}, found {actual}", "goal", name)

    def _values(self, names: dict[str, str], required: dict[str, Any]) -> Iterator[Problem]:
        """Check values of a solution.

        Yields nothing if a solution has all required values, else how the closest one differs.
        """
        goal = None if self.puzzle.instance.goals else "none"
        query = QueryOptions(goal, limit=EXPECTED_SOLUTIONS).query()
        run = self.puzzle.run(query, self.backend, clock=self.clock)
        closest: Solution | None = None
        fewest_misses: dict[str, Any] = {}  # the values of the closest solution that differ
        for number, solution in enumerate(run):
            if number == 0:
                self.inspect(solution)
            misses = _misses(solution, names, required)
            if not misses:
                return
            if closest is None or len(misses) < len(fewest_misses):
                closest, fewest_misses = solution, misses
        run.raise_reason()
        all_names = ", ".join(names.values())
        first_key = next(iter(names))
        if closest is None:
            yield self._problem(f"expected {all_names}, but there is no solution", first_key)
        elif not run.counted:
            none = f"none of the first {EXPECTED_SOLUTIONS:,} solutions has these values"
            yield self._problem(f"expected {all_names}, but {none}", first_key)
        else:
            for key, actual in fewest_misses.items():
                name = names[key]
                is_board = _is_board(closest, name)
                message, help = _mismatch(name, required[key], actual, is_board)
                yield self._problem(message, key, help=help)

    def _problem(self, message: str, *keys: str, help: str = "") -> Problem:
        """Return a problem at a key of `expect`, or at a key below it."""
        node: Node | None = self.puzzle.spec.about.get("expect")
        key_node = node
        for name in keys:
            pairs = node.value if isinstance(node, MappingNode) else []
            matching = [(key, value) for key, value in pairs if key.value == name]
            key_node, node = matching[0] if matching else (key_node, None)
        source = self.puzzle.spec.source
        position = None if key_node is None else source.start(key_node)
        return Problem(message, position, help)


def _misses(
    solution: Solution, names: Mapping[str, str], required: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the values of a solution that differ from those required, by the key of `expect`."""
    actual = {key: _plain_value(solution, names[key]) for key in required}
    return {key: actual[key] for key, value in required.items() if not matches(value, actual[key])}


def _plain_value(solution: Solution, name: str) -> Any:
    """Return a value of a solution, or of its sequel, as plain data."""
    sequel = solution.sequels.get(name)
    if sequel is not None:
        return sequel.get("count", sequel.json())
    return plain(solution.output_or_array(name))


def _is_board(solution: Solution, name: str) -> bool:
    if name in solution.sequels:
        return False
    value = solution.output_or_array(name)
    return isinstance(value, Grid) or (isinstance(value, VariableArray) and value.over_cells())


def _mismatch(name: str, required: Any, actual: Any, is_board: bool) -> tuple[str, str]:
    """Return what differs, and help on how to write it.

    Of a board this is its size or its first differing cells, of a long list its first differing
    members.
    """
    if is_board:
        return _different_board(name, rows_of(required), actual)
    message = str(Expected(f"{name} {required}", str(actual)))
    if len(message) > MAX_MESSAGE and isinstance(actual, list):
        message = _different_members(name, required, actual)
    return message, ""


def _different_board(name: str, required: Sequence[Any], actual: Any) -> tuple[str, str]:
    """Return how the size of a board or its cells differ, and help."""
    rows = [["." if cell is None else str(cell) for cell in row] for row in actual]
    help = "a hole is _ or ."
    if len(required) != len(rows):
        return _size_differs(name, len(required), len(rows), "row"), help
    for number, (required_row, row) in enumerate(zip(required, rows), 1):
        if len(required_row) != len(row):
            return _size_differs(name, len(required_row), len(row), "cell", number), help
    cells = []
    for row_number, (required_row, row) in enumerate(zip(required, rows), 1):
        for column, (required_cell, cell) in enumerate(zip(required_row, row), 1):
            if required_cell != cell and (required_cell, cell) != ("_", "."):
                label = str(Cell(row_number, column))
                cells.append(str(IsNot(label, _cell(cell), _cell(required_cell))))
    return str(NotAsExpected(name, comma_list(cells, NAMED_VALUES))), ""


def _different_members(name: str, required: Any, actual: list[Any]) -> str:
    """Return the first members of each list that the other list lacks."""
    expected = list(map(_text, required if isinstance(required, list) else [required]))
    texts = list(map(_text, actual))
    missing = [text for text in expected if text not in texts]
    extra = [text for text in texts if text not in expected]
    if not missing and not extra:  # the same members in another order
        pairs = enumerate(zip(texts, expected), 1)
        differing = ((number, pair) for number, pair in pairs if pair[0] != pair[1])
        number, pair = next(differing)
        return str(NotAsExpected(name, IsNot(f"item {number}", *pair)))
    named = [f"{text} is not in the solution" for text in missing[:1]]
    named += [f"{text} is not expected" for text in extra[:1]]
    unnamed = len(missing) + len(extra) - len(named)
    differ = f"{counted(unnamed, 'other item')} differ" if unnamed else ""
    return str(NotAsExpected(name, and_list(named), differ))


def _text(member: Any) -> str:
    if isinstance(member, list):
        return f"[{', '.join(map(_text, member))}]"
    return str(member)


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


SPECS = "[!.]*.yaml"  # files of specs that are not hidden
# Of boards and of lists in generated data, tried in turn
SIDES = (4, 9, 8, 6, 5)
LENGTHS = (4, 1, 0)


def check_type(path: Path, timeout: float | None) -> str:
    """Check a type, and run its rules.

    Returns:
        The result in words.

    Raises:
        Problems: The type has errors, or fields that are not used.
    """
    type_ = read_type(path)
    check_fields_and_sections(type_)
    unknowns = ", ".join(unknowns.name for unknowns in type_.unknowns)
    fields = ", ".join(type_.fields) or "–"
    rules = counted(len(type_.rules), "rule")
    clock = Clock(TYPE_SECONDS if timeout is None else timeout)
    boards: list[Puzzle] = []
    ran = _run_rules(path, type_, clock, boards)
    failed = ran.startswith("\n")  # errors stand on lines of their own
    verdict = "the text has no error" if failed else "a valid type"
    text = str(ValidType(verdict, fields, unknowns, rules, ran))
    remarks = [f"no rule uses the unknown {name}" for name in unused_unknowns(type_)]
    remarks += idle_rules(boards)
    return "\n".join([text, *(f"     = {remark}" for remark in remarks)])


def check_fields_and_sections(type_: PuzzleType) -> None:
    """Check what reading a type leaves open.

    Raises:
        Problems: A field is not used, or a section has errors.
    """
    if unused := unused_fields(type_):
        raise Problems(unused)
    check_sections(type_)
    making_of(type_)


def _run_rules(path: Path, type_: PuzzleType, clock: Clock, boards: list[Puzzle]) -> str:
    """Run the rules of a type on its smallest specs, or on generated data if it has none.

    Errors of a spec itself are left to its own check. Generated data may violate what the rules
    rely on, so errors on it are only reported.

    Args:
        path: The file of the type.
        type_: The type.
        clock: A running clock.
        boards: The puzzles on which the rules were run are added to it, but for those with clues
            that were made up, which may contradict the rules.

    Returns:
        What was run, in words.

    Raises:
        Problems: The type has errors.
    """
    problems: list[Problem] = []
    ran = 0
    try:
        for spec in _specs_of(path, type_.name):
            try:
                boards.append(load(path, spec, clock=clock))
                ran += 1
            except Problems as error:
                problems += _problems_at(path, error, str(spec))
        if problems:
            raise Problems(problems)
        if ran:
            return f", run on {counted(ran, 'spec')}"
        return _run_on_example(path, type_, clock, boards)
    except Stopped:
        return "; there was no time to run them on a spec"
    except Problems:
        raise
    except InputError:  # as where a spec names a file that is missing
        return ""


def _problems_at(path: Path, error: Problems, data: str) -> list[Problem]:
    """Return the problems in a file, with the data on which they occurred."""
    problems = []
    for problem in error.problems:
        position = problem.position
        if position is not None and position.path == str(path):
            message = f"{problem.message} (with {data})"
            problems.append(replace(problem, message=message))
    return problems


def _run_on_example(path: Path, type_: PuzzleType, clock: Clock, boards: list[Puzzle]) -> str:
    """Run the rules on the first generated data that the type accepts: on empty boards, and on
    boards with clues of all kinds.

    Errors on empty boards are reported only if no board with clues is accepted: some rules need
    different labels.
    """
    help = f"add a spec to specs/{type_.name}/, so that the rules run on it"
    refused = "no data could be made up"
    are_real = {str(field.type) for field in type_.required()} <= {"size"}
    for side, length in product(SIDES, LENGTHS):
        accepted: list[list[Problem]] = []  # the errors on each of the data that the checks accept
        for varied in (False, True):
            values = example_data(type_, side, side, length, varied)
            if values is None:
                continue
            try:
                board = load(path, values, clock=clock)
                if are_real:
                    boards.append(board)
            except Problems as error:
                if not values:  # no data were needed, so the error is the type's own
                    raise
                problems = _problems_at(path, error, "data that were made up")
                if problems:
                    accepted.append(problems)
                elif (side, length, varied) == (SIDES[0], LENGTHS[0], False):
                    refused = f"with data that were made up, {error.problems[0].message}"
            else:
                accepted.append([])
        if accepted:
            errors = "".join(f"\n{problem}" for problem in accepted[-1])
            return with_help(errors, help) if errors else ", run on data that were made up"
    return f"\n{path}: the rules were not run: {refused}; {help}"


def _specs_of(path: Path, name: str) -> list[Path]:
    """Return the smallest specs of a type.

    They are in specs/NAME in its folder or in the folder above, or else in its folder itself.
    """
    folder = path.resolve().parent
    specs: list[Path] = []
    for parent in (folder, folder.parent):
        specs += sorted((parent / "specs" / name).glob(SPECS))
    if not specs:
        specs = [spec for spec in sorted(folder.glob(SPECS))[:TYPE_FILES] if _is_of(spec, name)]
    sizes = {spec: spec.stat().st_size for spec in specs[:TYPE_FILES] if spec.is_file()}
    return sorted(sizes, key=lambda spec: (sizes[spec], spec))[:TYPE_SPECS]


def _is_of(path: Path, name: str) -> bool:
    """Whether a file is a spec of a type."""
    try:
        header = read_header(path)
    except InputError:
        return False
    return header.name == name and not header.is_type
