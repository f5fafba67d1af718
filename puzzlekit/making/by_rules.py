"""A generator for every type whose clues act one by one: it needs nothing but the rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from puzzlekit.api import Puzzle, Query, Solution
from puzzlekit.api.generate import Made, Parameter, Tools
from puzzlekit.boards import Cell, Grid
from puzzlekit.errors import InputError, Problems
from puzzlekit.making.clues import Clues, clue_table
from puzzlekit.making.maker import Maker
from puzzlekit.yaml_nodes import spec_text

TRIES = 20  # for one puzzle
SYMMETRIES = ("none", "rotate", "mirror")


def symmetry(text: str) -> str:
    """Read a symmetry. Raises InputError."""
    if text not in SYMMETRIES:
        raise InputError(f"expected one of {', '.join(SYMMETRIES)}, got {text}")
    return text


def setting(text: str) -> tuple[str, str]:
    """Read FIELD=VALUE. Raises InputError."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise InputError(f"expected FIELD=VALUE, got {text}")
    return name, value


class ByRules:
    """Make puzzles with one solution: as few clues as leave no other.

    The clues are the fields whose parts may be empty. All other fields are those of one spec, which
    --size makes (as `puzzlekit new spec` does), or which --like names.
    """

    OPTIONS: tuple[Parameter, ...] = (
        Parameter("size", "the rows and columns of the board", metavar="ROWSxCOLUMNS"),
        Parameter("like", "a spec whose other fields all puzzles have", Path, metavar="SPEC", rival="size"),
        Parameter("set", "a field of all puzzles", setting, metavar="FIELD=VALUE", repeated=True),
        Parameter("symmetry", f"which places have clues together: {', '.join(SYMMETRIES)}", symmetry, "none", "NAME"),
    )

    def __init__(self, base: Callable[[SimpleNamespace], Puzzle]) -> None:
        self._made = base

    def generate(self, options: SimpleNamespace, tools: Tools) -> Iterator[Made]:
        """Generate `options.count` puzzles, no two with the same clues."""
        self.base = self._made(options)
        self.command = f"puzzlekit generate {self.base.type.name}{_told(options)}"
        maker = Maker(clue_table(self.base), options.symmetry)
        known = set[frozenset[Any]]()
        for number in range(1, options.count + 1):
            for attempt in range(TRIES):
                found = self._one(
                    maker, tools, tools.random(number) if not attempt else Random(f"{tools.seed} {number} {attempt}")
                )
                if found is not None and found[0] not in known:
                    known.add(found[0])
                    name = f"{self.base.type.name}-{tools.seed}-{number}"
                    yield Made(
                        f"{name}", self._text(f"{tools.seed}-{number}", f"{self.command} --seed {tools.seed}", *found[1:])
                    )
                    break
            else:
                tools.report(f"number {number}: none in {TRIES} tries")

    def _one(self, maker: Maker, tools: Tools, random: Random) -> tuple[frozenset[Any], str, Solution] | None:
        """Return a puzzle: its clues, its fields as text and its solution, which another backend finds alone, too."""
        made = maker.make(random)
        if made is None:
            return None
        fields = f"{spec_text({'puzzle': self.base.type.name})}{self._fields(maker, made.clues)}"
        try:
            puzzle = tools.puzzle(fields)
        except Problems as problems:
            tools.report(f"thrown away: {problems.problems[0].message}")
            return None
        solutions = list(puzzle.run(Query(limit=2, ordered=False)))
        if len(solutions) != 1:
            tools.report("thrown away: another backend finds another solution")
            return None
        return frozenset(made.clues.items()), fields, solutions[0]

    def _fields(self, maker: Maker, clues: Clues) -> str:
        """Return the fields of a spec with these clues."""
        text, parts = self.base.spec.source.text, []
        for name, (key, node) in self.base.spec.nodes.items():
            if name not in maker.table.fields:
                parts.append(text[key.start_mark.index : node.end_mark.index].rstrip() + "\n")
        for name in maker.table.fields:
            value = self.base.instance.data[name]
            if isinstance(value, Grid):
                parts.append(spec_text({name: _rows(name, value, clues)}))
            else:
                parts.append(f"{name}: [{', '.join(str(clues.get((name, number), '.')) for number in range(len(value)))}]\n")
        return "".join(parts)

    def _text(self, which: str, source: str, fields: str, solution: Solution) -> str:
        """Return the whole spec."""
        kind = self.base.type
        head = {"title": f"{kind.title or kind.name} {which}", "source": source}
        first, _, rest = fields.partition("\n")
        answer = next(iter(solution.json().values()))
        return f"{first}\n{spec_text(head)}{rest}{_expected(answer)}"


def _rows(name: str, board: Grid, clues: Clues) -> list[str]:
    """Return the rows of a board of clues; _ is no cell."""
    texts = {cell: str(clues.get((name, cell), ".")) for cell in board.cells}
    wide = max(map(len, texts.values()))
    height, width = max(cell.row for cell in texts), max(cell.column for cell in texts)
    rows = [[texts.get(Cell(row, column), "_") for column in range(1, width + 1)] for row in range(1, height + 1)]
    return ["".join(row) if wide == 1 else " ".join(text.rjust(wide) for text in row).strip() for row in rows]


def _expected(answer: Any) -> str:
    """Return what the spec expects."""
    if isinstance(answer, list) and all(isinstance(row, str) for row in answer):
        return spec_text({"expect": {"solutions": 1, "answer": answer}})
    return f"expect:\n  solutions: 1\n  answer: {json.dumps(answer, ensure_ascii=False)}\n"


def _told(options: SimpleNamespace) -> str:
    """Return the options that make the same puzzles again, as they are typed, but for the seed."""
    told = [f" --{name} {value}" for name in ("size", "like") if (value := getattr(options, name))]
    told += [f" --set {name}={value}" for name, value in options.set]
    return "".join([*told, f" --symmetry {options.symmetry}" * (options.symmetry != "none")])
