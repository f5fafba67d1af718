"""A program as somebody writes it, for mypy alone: it sees the mistakes, and nothing else.

`make test` runs mypy on this file. A comment `type: ignore` where mypy sees no mistake is an error.
It uses each name that the package exports.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import puzzlekit
from puzzlekit import (
    Backbone,
    Batch,
    Check,
    Clock,
    Comparison,
    Conflict,
    ExplainedStep,
    Explanation,
    Exported,
    FactText,
    FileCheck,
    Header,
    Hint,
    Instance,
    Lexicon,
    Model,
    Objective,
    PaperOptions,
    ParsedPuzzle,
    Picture,
    Problem,
    Puzzle,
    PuzzleType,
    Query,
    Rating,
    ReadBack,
    Result,
    RuleConditions,
    RuleInstance,
    Run,
    Score,
    Sequel,
    Solution,
    SourcePos,
    Spec,
    Stopped,
    Task,
    Undecided,
    Upgrade,
    Variable,
    Web,
    errors,
)

# Loading

puzzle: Puzzle = puzzlekit.load("type", {"rows": [[1, None]]}, settings={"n": 3})
same: Puzzle = puzzlekit.load({"puzzle": "p"}, Path("spec.yaml"), timeout=2.5)
fields: Mapping[str, Any] = puzzle
type_: PuzzleType = puzzle.type
spec: Spec = puzzle.spec
instance: Instance = puzzle.instance
model: Model = puzzle.model
variables: list[Variable] = list(model.domains)
low: Objective | None = puzzle.goal("low")

# Solutions

clock = Clock(10.0)
number: int = puzzle.count(timeout=2.0)
best: Solution | None = puzzle.best()
drawn: list[Solution] = puzzle.sample(3, seed=1, clock=clock)
backbone: Backbone = puzzle.backbone(goal="low", timeout=1.0)
run: Run = puzzle.run(Query(Task.ENUMERATE, limit=2))
try:
    for solution in puzzle.solve(limit=3):
        values: dict[str, object] = dict(solution)
        then: Sequel = solution.sequels["next"]
        rank: int | None = solution.value
        plain: dict[str, Any] = solution.json()
except (Stopped, Undecided, errors.InputError):
    pass

# Reasons


def reasons(asked: Puzzle) -> Iterator[str]:
    """Yield what is said about a board in the making."""
    check: Check = asked.check({"x": 1})
    hint: Hint = asked.hint()
    step: ExplainedStep | None = hint.step
    explanation: Explanation = asked.explain(timeout=5.0)
    for step in explanation:
        facts: tuple[FactText, ...] = tuple(step.facts)
        rules: tuple[RuleInstance, ...] = tuple(step.rules)
        yield f"{step}: {facts}, {rules}"
    conflict: Conflict = asked.conflict(most=2)
    rating: Rating = asked.rate(clock=clock)
    yield from map(str, (check, hint, conflict, rating.level))


# Pictures


def pictures(asked: Puzzle, paper: PaperOptions) -> Iterator[str | bytes]:
    """Yield a picture in each format."""
    picture: Picture = asked.draw(solutions=True, backend="sat")
    yield picture.svg
    yield picture.png()
    yield picture.text(width=60)
    yield picture.html(paper)
    yield picture.pdf(paper, report=print)
    yield puzzlekit.draw([asked, same]).svg
    yield asked.hint().draw().text()
    yield asked.explain().draw().text()
    yield drawn[0].draw().text()
    yield puzzlekit.play_page(asked)


book = list(pictures(puzzle, PaperOptions(paper="a5", title="A book", per_page=2)))

# New puzzles, many puzzles, backends

for generated in puzzlekit.generate("type", count=3, seed=1, size="6x6", level="easy"):
    text: str = generated.spec.source.text
comparison: Comparison = puzzlekit.compare(puzzle, ["sat", "z3"], Query(), timeout=5.0)
results: Mapping[str, Result] = comparison.results
agreement: bool | None = comparison.agreement()
scores: Mapping[str, Score] = puzzlekit.scores([results], 5.0)
batch: Batch = puzzlekit.batch(
    ["specs", Path("more")], "results.jsonl", Query(Task.COUNT), workers=2
)
statuses: list[str] = [record["status"] for record in batch.records()]
rows: list[dict[str, Any]] = puzzlekit.to_records(puzzle.solve())
rows += puzzlekit.to_records([puzzle, same])
rows += puzzlekit.to_records(comparison)

# Other programs

exported: Exported = puzzle.export("minizinc", goal="low", presolve="full")
link: str = puzzle.link("penpa")
formats: list[str] = puzzlekit.formats()
parsed: list[ParsedPuzzle] = puzzlekit.read_link(link, type="type", ignore_symbols=True)
read: ReadBack = puzzlekit.read_solution(str(exported).splitlines(), "printed", puzzle)
fetched: str = puzzlekit.fetch("waffle", "1", web=Web(timeout=2.0))

# The catalogue

headers: dict[str, Header] = puzzlekit.types("loop")
loaded: PuzzleType = puzzlekit.load_type("type")
shipped: list[Path] = puzzlekit.examples("type")
extras: dict[str, str | None] = puzzlekit.list_backends()
conditions: list[RuleConditions] = puzzle.rules()
lexicon: Lexicon = puzzlekit.words("english", fold_accents=True)
lexicons: list[str] = puzzlekit.lexicons()

# Files

verdict: FileCheck = puzzlekit.check("type.yaml", timeout=1.0)
upgrade: Upgrade = puzzlekit.upgrade(Path("type.yaml"))
texts: tuple[str, ...] = (
    puzzlekit.new_type("mine"),
    puzzlekit.new_spec("type", size="4x4"),
    puzzlekit.schema("type"),
)

# Errors

try:
    puzzlekit.load("type")
except puzzlekit.Problems as error:
    problem: Problem = error.problems[0]
    position: SourcePos | None = problem.position
except puzzlekit.FunctionError as error:
    arguments: tuple[Any, ...] = error.arguments
except (puzzlekit.LexiconError, puzzlekit.MissingExtra, puzzlekit.InputError) as error:
    help: str = error.help
except (puzzlekit.Unsupported, puzzlekit.Unreachable, puzzlekit.BackendBug):
    pass
except puzzlekit.PuzzlekitError as error:
    message: str = str(error)

# Mistakes

puzzlekit.Answer  # type: ignore[attr-defined]  # noqa: B018
puzzlekit.lod("x")  # type: ignore[attr-defined]
puzzle.solv()  # type: ignore[attr-defined]
puzzlekit.load("type", spec=5)  # type: ignore[arg-type]
puzzle.count(5)  # type: ignore[arg-type]
puzzle.draw().png  # noqa: B018
puzzle.draw().jpeg()  # type: ignore[attr-defined]
puzzle.link(format="puzzlink")  # type: ignore[call-arg]
puzzlekit.generate("type", count="3")  # type: ignore[arg-type]
puzzlekit.compare("type")  # type: ignore[arg-type]
puzzlekit.check(puzzle)  # type: ignore[arg-type]
