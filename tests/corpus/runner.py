"""The collection, read, and solved by `puzzlekit batch`: specs go to it as JSON lines,
and its results are compared.
"""

import hashlib
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

import puzzlekit
from tests.corpus.kinds import kinds
from tests.corpus.notation import Answer, Case, Refused, page

KINDS = kinds()
STATUSES = ("agree", "several", "differs", "stopped", "refused")
UNSOLVED = {
    "stopped": "stopped",
    "undecided": "stopped",
    "crashed": "stopped",
    "bug": "differs",
}  # all else is refused
PACKAGE = Path(puzzlekit.__file__).parent


@dataclass(frozen=True)
class Entry:
    """A puzzle of the collection."""

    kind: str
    name: str
    problem: str
    solution: str


@dataclass(frozen=True)
class Result:
    """What came of a puzzle, and how long it took."""

    status: str
    reason: str = ""
    seconds: float = 0.0


# Reading the collection ---------------------------------------------------------------------------


def read(file: Path) -> tuple[str, list[Entry], str]:
    """The kind of a file, its puzzles, and why it cannot be read (empty if it can)."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        return file.stem, [], f"{file.name} cannot be read: {error}"
    data = content.get("data", content) if isinstance(content, dict) else content
    kind = (
        content.get("name", file.stem)
        if isinstance(content, dict) and "data" in content
        else file.stem
    )
    if isinstance(data, list):
        data = {str(number): puzzle for number, puzzle in enumerate(data, 1)}
    if not isinstance(data, dict):
        return str(kind), [], f"{file.name} holds no puzzles"
    return str(kind), [_entry(str(kind), str(name), puzzle) for name, puzzle in data.items()], ""


def _entry(kind: str, name: str, puzzle: Any) -> Entry:
    parts = puzzle if isinstance(puzzle, dict) else {}
    return Entry(kind, name, *(str(parts.get(which) or "") for which in ("problem", "solution")))


def converted(entry: Entry) -> Case:
    """The spec of a puzzle, and the collection's answer. Raises Refused."""
    if entry.kind not in KINDS:
        raise Refused("the kind has no converter")
    if not entry.problem.strip() or not entry.solution.strip():
        raise Refused(f"the collection has no {'solution' if entry.problem.strip() else 'problem'}")
    kind = KINDS[entry.kind][0]
    try:
        spec, answer = kind.convert(page(entry.problem), page(entry.solution))
    except Refused:
        raise
    except Exception as error:  # a converter that meets a notation it does not know
        raise Refused(f"the converter failed: {type(error).__name__} {error}".strip()) from error
    fields = yaml.load(spec, yaml.BaseLoader) if isinstance(spec, str) else spec
    return {"puzzle": kind.type, "title": f"{entry.kind} {entry.name}", **fields}, answer


def spec_of(entry: Entry) -> dict[str, Any]:
    """The spec of a puzzle, for `puzzlekit batch`. Raises Refused."""
    return dict(converted(entry)[0])


# Solving ------------------------------------------------------------------------------------------


def run(
    entries: Sequence[Entry], seconds: float, workers: int, folder: Path
) -> dict[Entry, Result]:
    """The result of each puzzle of a kind.

    What `folder` has of the same specs and the same package is not done again.
    """
    results: dict[Entry, Result] = {}
    cases: dict[Entry, Case] = {}
    for entry in entries:
        try:
            cases[entry] = converted(entry)
        except Refused as refusal:
            results[entry] = Result("refused", str(refusal))
    if cases:
        found = _solved(
            [json.dumps(spec, ensure_ascii=False) for spec, _ in cases.values()],
            seconds,
            workers,
            folder,
        )
        results |= {
            entry: _compared(line, answer)
            for (entry, (_, answer)), line in zip(cases.items(), found)
        }
    return {entry: results[entry] for entry in entries}


def _solved(specs: list[str], seconds: float, workers: int, folder: Path) -> list[dict[str, Any]]:
    """The lines of `puzzlekit batch`, in the order of the specs.

    The files are called after what the results depend on.
    """
    files = [*sorted(PACKAGE.rglob("*.py")), *sorted((PACKAGE.parent / "puzzles").glob("*.yaml"))]
    texts = [*specs, *(file.read_text(encoding="utf-8") for file in files)]
    asked = folder / f"{hashlib.sha256(chr(0).join(texts).encode()).hexdigest()[:20]}.jsonl"
    results = asked.with_suffix(".results.jsonl")
    folder.mkdir(parents=True, exist_ok=True)
    asked.write_text("".join(f"{spec}\n" for spec in specs), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "puzzlekit",
        "batch",
        str(asked),
        "--out",
        str(results),
        "--limit",
        "2",
        "--goal",
        "none",
    ]
    subprocess.run(
        [*command, "--timeout", str(seconds), "--workers", str(workers), "--memory", "3G"],
        stdout=subprocess.DEVNULL,
    )
    last = {
        line["spec"]: line
        for line in map(json.loads, results.read_text(encoding="utf-8").splitlines())
    }
    return [last[f"{asked}:{number}"] for number in range(1, len(specs) + 1)]


def _compared(line: dict[str, Any], answer: Answer) -> Result:
    """The result of a puzzle by its line."""
    reason = str(line["reason"] or "").split("\n")[0]
    if line["status"] in UNSOLVED:
        return Result(UNSOLVED[line["status"]], reason, line["seconds"])
    if line["status"] in ("unsupported", "invalid"):
        return Result("refused", f"puzzlekit: {reason}", line["seconds"])
    try:
        normal = [answer.found(solution) for solution in line["solutions"]]
    except Exception as error:
        return Result(
            "refused",
            f"the solution could not be compared: {type(error).__name__} {error}",
            line["seconds"],
        )
    return Result(*_judged(normal, answer), line["seconds"])


def _judged(normal: list[Any], answer: Answer) -> tuple[str, str]:
    """The status of solutions in the collection's normal form,
    and why they are not its single one.
    """
    note = f"; {answer.note}" if answer.note else ""
    if normal == [answer.expected]:
        return "agree", ""
    if not normal:
        return "differs", f"the type has no solution{note}"
    if len(normal) == 1:
        return (
            "differs",
            (
                f"the only solution is not the collection's: "
                f"{_difference(normal[0], answer.expected)}{note}"
            ),
        )
    if normal[0] == normal[1]:
        return "several", f"two solutions which are the same in the collection's notation{note}"
    which = "one of them" if answer.expected in normal else "neither"
    return "several", f"two solutions, {which} the collection's{note}"


def _difference(found: Any, expected: Any) -> str:
    """Where two normal forms differ first."""
    if isinstance(found, frozenset) and isinstance(expected, frozenset):
        return (
            f"{len(found - expected)} lines or parts of ours, "
            f"{len(expected - found)} of the collection's"
        )
    if not isinstance(found, tuple) or not isinstance(expected, tuple):
        return f"{found}, not {expected}"
    if len(found) != len(expected):
        return f"{len(found)} rows or cells, not {len(expected)}"
    place = next(place for place, (a, b) in enumerate(zip(found, expected)) if a != b)
    return f"{place + 1}: {_difference(found[place], expected[place])}"
