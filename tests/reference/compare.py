"""The package's solutions of a type, held to those of the reference interpreter."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any

from puzzlekit.api import Puzzle
from puzzlekit.backends import BACKENDS
from puzzlekit.errors import InputError, Stopped, Unsupported
from puzzlekit.lang import bind, read_spec, type_of_text
from tests.reference.plain import Interpreter
from tests.reference.plain.evaluate import Solution

Key = tuple[
    Any, ...
]  # the values of the visible unknowns, in the order in which the reference interpreter has them
REFEREED = 24  # combinations of each type that the plain referee is asked about
COVERS = ("exact-cover", "dlx", "xcover")
PATIENCE = 20.0  # seconds for a question to a backend


def canon(value: Any) -> Any:
    """A value or an index of either side, so that both can be compared."""
    match type(value).__name__:
        case "Mark":
            return "mark", getattr(value, "rank", None) if hasattr(value, "rank") else value.value
        case "Cell" | "Corner" as name:
            return name, value.row, value.column
        case "Tile":
            return "tile", frozenset(map(canon, value.cells)), tuple(sorted(value.words))
        case "Placement":
            return "place", value.piece, frozenset(map(canon, value.cells))
        case "Size":
            return value.rows, value.columns
    if isinstance(getattr(value, "members", None), Mapping):  # a family
        return tuple(map(canon, value.members.values()))
    if isinstance(value, Mapping):
        return {canon(key): canon(item) for key, item in value.items()}
    if isinstance(value, str) or not isinstance(value, Iterable):
        return value
    return tuple(map(canon, value))


@dataclass
class Case:
    """A type and a spec, as text."""

    type: str
    spec: str = ""
    name: str = ""

    @cached_property
    def read(self) -> Interpreter:
        """Before anything is tried."""
        return Interpreter(self.type, self.spec)

    @cached_property
    def reference(self) -> Interpreter:
        self.read.solve()
        return self.read

    @cached_property
    def wanted(self) -> dict[Key, Solution]:
        return {_key(solution): solution for solution in self.reference.solutions}

    def puzzle(self) -> Puzzle:
        """As the package reads it. Raises InputError where it is refused."""
        kind, spec = (
            type_of_text("type.yaml", self.type),
            read_spec("spec.yaml", self.spec or "title: a spec"),
        )
        return Puzzle(kind, spec, bind(kind, spec), 0.0)

    def __str__(self) -> str:
        return f"# {self.name}\n{self.type}" + (f"\n# its spec\n{self.spec}" if self.spec else "")


def _key(values: Iterable[Any]) -> Key:
    return tuple(
        value if isinstance(value, int | str) and type(value).__name__ != "Mark" else canon(value)
        for value in values
    )


class Reader:
    """Reads solutions of the package in the order in which the reference interpreter has the
    unknowns.
    """

    def __init__(self, puzzle: Puzzle, reference: Interpreter) -> None:
        variables = {
            (name, canon(index)): variable
            for name, family in puzzle.instance.families.items()
            for index, variable in family.members.items()
        }
        self.every = [variables[name, canon(index)] for name, index in reference.cells]
        self.visible = [variable for variable, seen in zip(self.every, reference.visible) if seen]

    def key(self, values: Mapping[Any, Any]) -> Key:
        return _key(values[variable] for variable in self.visible)


@dataclass
class Report:
    """What differs; the lines say what was asked, what was wanted and what came."""

    lines: list[str] = field(default_factory=list)

    def equal(self, what: str, found: Any, wanted: Any) -> None:
        if found != wanted:
            self.lines.append(f"{what}: {_short(found)}, and the reference says {_short(wanted)}")


def _short(value: Any) -> str:
    if isinstance(value, set | frozenset):
        return f"{len(value)} of them: " + "; ".join(sorted(map(str, value))[:6])
    return str(value)[:300]


def differences(case: Case, backends: Iterable[str] = ("auto",), seed: int = 0) -> list[str]:
    """Where the package and the reference interpreter differ.

    Raises InputError where the package refuses the type.
    """
    report = Report()
    puzzle = case.puzzle()
    wanted = set(case.wanted)
    for name in backends:
        try:
            _same_solutions(report, puzzle, name, case, wanted)
        except InputError as refused:
            report.lines.append(f"{name} refuses in the middle: {refused}")
        except Unsupported as refused:
            if name == "auto":
                report.lines.append(f"auto refuses: {refused}")
        except Stopped as stopped:
            if name not in COVERS:  # these exclude one wrong size of a region at a time
                report.lines.append(f"{name} stops: {stopped}")
        except Exception as error:
            report.lines.append(f"{name} raises {type(error).__name__}: {error}")
    try:
        _referee(report, puzzle, case, seed)
    except Exception as error:
        report.lines.append(f"the referee raises {type(error).__name__}: {error}")
    return report.lines


def _same_solutions(
    report: Report, puzzle: Puzzle, name: str, case: Case, wanted: set[Key]
) -> None:
    reader = Reader(puzzle, case.reference)
    found, shown = [], {}
    for solution in puzzle.solve(backend=name, timeout=PATIENCE):
        key = reader.key(solution.assignment)
        found.append(key)
        shown[key] = {show: canon(value) for show, value in solution.outputs.items()}
    report.equal(f"{name} gives solutions twice", len(found) - len(set(found)), 0)
    report.equal(f"{name} lacks", wanted - set(found), set())
    report.equal(f"{name} invents", set(found) - wanted, set())
    report.equal(f"{name} counts", puzzle.count(backend=name, timeout=PATIENCE), len(wanted))
    for key in sorted(wanted & set(found), key=str)[:20]:
        said = {
            show: canon(value) for show, value in case.reference.solutions[case.wanted[key]].items()
        }
        report.equal(f"{name} shows", shown[key], said)
    for goal in case.reference.goals:
        value, solutions = case.reference.best(goal)
        best = puzzle.best(goal, backend=name, timeout=PATIENCE)
        keys = set(map(_key, solutions))
        report.equal(
            f"{name} reaches {goal}",
            best is not None and reader.key(best.assignment) in keys,
            bool(keys),
        )
        optimal = {
            reader.key(solution.assignment)
            for solution in puzzle.solve(backend=name, timeout=PATIENCE, goal=goal)
        }
        report.equal(f"{name} lacks at {goal} = {value}", keys - optimal, set())
        report.equal(f"{name} invents at {goal} = {value}", optimal - keys, set())
        report.equal(
            f"{name} counts at {goal}",
            puzzle.count(backend=name, timeout=PATIENCE, goal=goal),
            len(keys),
        )
    rank = case.reference.type.get("rank")
    if rank and len(case.reference.values[rank]) == len(wanted):
        ranked = [
            (reader.key(solution.assignment), solution.value)
            for solution in puzzle.solve(backend=name, timeout=PATIENCE, rank=rank)
        ]
        values = {_key(solution): value for solution, value in case.reference.values[rank].items()}
        report.equal(f"{name} ranks by {rank}", dict(ranked), values)
        order = [value for _, value in ranked]
        report.equal(
            f"{name} ranks in order",
            order,
            sorted(order, reverse=case.reference.senses.get(rank) == "maximise"),
        )


def _referee(report: Report, puzzle: Puzzle, case: Case, seed: int) -> None:
    """The rules' text and the model's conditions on plain values,
    on every solution and on combinations at random.
    """
    reference = case.reference
    right = set(reference.right)
    source = Random(seed)
    some = (
        [tuple(source.choice(domain) for domain in reference.domains) for _ in range(REFEREED)]
        if all(reference.domains)
        else []
    )
    reader = Reader(puzzle, reference)
    domains = puzzle.model.domains
    for values in dict.fromkeys((*sorted(right, key=str)[:REFEREED], *some)):
        named = {
            v: next(d for d in domains[v] if canon(d) == canon(value))
            for v, value in zip(reader.every, values)
        }
        told = {str(v): str(value) for v, value in named.items()} if len(named) < 12 else "…"
        report.equal(
            f"the rules' text on {told}", puzzle.instance.check(named) is None, values in right
        )
        held = all(constraint.condition.value(named) for constraint in puzzle.model.constraints)
        report.equal(f"the conditions on {told}", held, values in right)


ENGINES = list(BACKENDS)
