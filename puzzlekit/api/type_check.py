"""Check types: run their rules on specs, or on data that are made up."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

from puzzlekit.api.puzzle import load
from puzzlekit.api.second_types import check_then
from puzzlekit.catalogue import read_header
from puzzlekit.clock import Clock
from puzzlekit.errors import InputError, Problem, Problems, Stopped
from puzzlekit.lang import PuzzleType, example_data, read_type, unused_fields
from puzzlekit.limits import limits

SPECS = "[!.]*.yaml"  # files of specs, none that are hidden
SIDES, LENGTHS = (4, 9, 8, 6, 5), (4, 1, 0)  # of boards and of lists in data that are made up, tried in turn


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
    check_then(kind)
    unknowns = ", ".join(unknowns.name for unknowns in kind.unknowns)
    rules = f"{len(kind.rules)} rule{'s' * (len(kind.rules) != 1)}"
    ran = _run_rules(path, kind, Clock(limits().checking.type_seconds if timeout is None else timeout))
    verdict = "the text has no error" if ran.startswith("\n") else "a valid type"  # what failed stands on a line of its own
    return f"{verdict}: fields {', '.join(kind.fields) or '–'}; unknowns {unknowns}; {rules}{ran}"


def _run_rules(path: Path, kind: PuzzleType, clock: Clock) -> str:
    """Run the rules of a type on the smallest specs beside it, or on one that is made up. Return what was run.

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
                own = (problem for problem in error.problems if problem.place is not None and problem.place.path == str(path))
                found += [Problem(f"{problem.message} (with {spec})", problem.place, problem.hint) for problem in own]
        if found:
            raise Problems(found)
        if ran:
            return f", run on {ran} spec{'s' * (ran != 1)}"
        return _run_on_made_up(path, kind, clock)
    except Stopped:
        return "; there was no time to run them on a spec"
    except Problems:
        raise
    except InputError:  # as where a spec names a file that is missing
        return ""


def _run_on_made_up(path: Path, kind: PuzzleType, clock: Clock) -> str:
    """Run the rules on the first data that the type accepts: with boards that are empty, and with clues of all kinds.

    An error on empty boards is told only if none with clues is accepted: some rules need different labels.
    """
    hint = f"add a spec to specs/{kind.name}/, so that the rules run on it"
    refused = "no data could be made up"
    for side, items in product(SIDES, LENGTHS):
        ran: list[Problem | None] = []  # the first error on each of the data that the checks accept
        for varied in (False, True):
            values = example_data(kind, side, side, items, varied)
            if values is None:
                continue
            try:
                load(path, values, clock=clock)
            except Problems as error:
                if not values:  # no data were needed, so the error is the type's own
                    raise
                first = next((p for p in error.problems if p.place is not None and p.place.path == str(path)), None)
                if first is not None:
                    ran.append(first)
                elif (side, items, varied) == (SIDES[0], LENGTHS[0], False):
                    refused = f"with data that were made up, {error.problems[0].message}"
            else:
                ran.append(None)
        if ran:
            wrong = ran[-1]
            if wrong is None:
                return ", run on data that were made up"
            return f"\n{replace(wrong, message=f'{wrong.message} (with data that were made up)')}\n     = {hint}"
    return f"\n{path}: the rules were not run: {refused}; {hint}"


def _specs_of(path: Path, name: str) -> list[Path]:
    """Return the smallest specs of a type, in specs/NAME in its folder or beside that, or in its folder."""
    folder = path.resolve().parent
    most = limits().checking
    near = [place for beside in (folder, folder.parent) for place in sorted((beside / "specs" / name).glob(SPECS))]
    found = near or [place for place in sorted(folder.glob(SPECS))[: most.type_files] if _is_of(place, name)]
    sizes = {place: place.stat().st_size for place in found[: most.type_files] if place.is_file()}
    return sorted(sizes, key=lambda place: (sizes[place], place))[: most.type_specs]


def _is_of(path: Path, name: str) -> bool:
    """Return whether a file is a spec of a type."""
    try:
        header = read_header(path)
    except InputError:
        return False
    return header.name == name and not header.is_type
