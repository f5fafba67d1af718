"""Boards in the making from the only solution of a spec, with entries, crosses and notes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import puzzlekit
from puzzlekit.model import Value, Values, Variable

WRONG_MARKS = 2  # at most


@dataclass(frozen=True)
class HalfFilled:
    """A board in the making.

    Attributes:
        progress: The marks, as a spec states them.
        is_right: Whether the solution has all of them.
    """

    progress: dict[str, Any]
    is_right: bool


def half_filled_boards(
    puzzle: puzzlekit.Puzzle, solution: Values, seeds: range
) -> Iterator[HalfFilled]:
    """Yield a board for each seed; every other one has a wrong mark or two."""
    unknowns = _visible(puzzle)
    for seed in seeds:
        rng = Random(f"{puzzle.type.name} {seed}")
        chosen = rng.sample(unknowns, rng.randint(1, max(1, len(unknowns) * 2 // 3)))
        wrong = set(chosen[: rng.randint(1, WRONG_MARKS)]) if seed % 2 else set()
        writer = _Writer(puzzle, solution, rng)
        for unknown in chosen:
            writer.write(unknown, unknown in wrong)
        yield HalfFilled(writer.progress, is_right=not writer.count_wrong)


def _visible(puzzle: puzzlekit.Puzzle) -> list[Variable]:
    """Return the unknowns that a player marks."""
    unknowns: list[Variable] = []
    for declared in puzzle.type.unknowns:
        if not declared.auxiliary:
            unknowns += puzzle.instance.families[declared.name]
    return unknowns


class _Writer:
    """Writes marks.

    Attributes:
        progress: The marks so far.
        count_wrong: How many of them the solution does not have.
    """

    def __init__(self, puzzle: puzzlekit.Puzzle, solution: Values, rng: Random) -> None:
        self.solution, self.rng = solution, rng
        self.progress: dict[str, Any] = {}
        self.count_wrong = 0
        self._domains = puzzle.model.domains
        self._keys: dict[Variable, tuple[str, Any]] = {}
        self._values: dict[str, dict[Value, None]] = {}  # of all unknowns of a name
        for name, array in puzzle.instance.families.items():
            for key, variable in array.members.items():
                self._keys[variable] = name, key
                self._values.setdefault(name, {}).update(dict.fromkeys(self._domains[variable]))

    def write(self, unknown: Variable, is_wrong: bool) -> None:
        """Write an entry, a cross or notes for an unknown."""
        value = self.solution[unknown]
        name, _ = self._keys[unknown]
        others = [other for other in self._values[name] if other != value]
        if not others:
            return
        self.count_wrong += is_wrong
        choice = self.rng.randrange(3)
        if choice == 0:
            self._add(self.progress, unknown, self.rng.choice(others) if is_wrong else value)
        elif choice == 1:
            excluded = self.progress.setdefault("not", {})
            self._add(excluded, unknown, [value] if is_wrong else self._some(others))
        else:
            notes = self._some(others)
            if not is_wrong:
                notes.insert(self.rng.randint(0, len(notes)), value)
            self._add(self.progress, unknown, notes)

    def _some(self, values: list[Value]) -> list[Value]:
        return self.rng.sample(values, self.rng.randint(1, min(3, len(values))))

    def _add(self, marks: dict[str, Any], unknown: Variable, mark: Any) -> None:
        name, key = self._keys[unknown]
        if isinstance(mark, list):
            mark = list(map(_text, mark))
        else:
            mark = _text(mark)
        if key == ():
            marks[name] = mark
        else:
            marks.setdefault(name, {})[_index_text(key)] = mark


def _text(value: Value) -> str:
    """Return a value as a spec writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _index_text(key: Any) -> str:
    """Return an index as a spec writes it."""
    if isinstance(key, tuple) and not hasattr(key, "_fields"):
        return f"[{', '.join(map(_index_text, key))}]"
    return str(key)
