"""Reads the data of f-puzzles as the fields of a spec."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from puzzlekit.errors import InputError
from puzzlekit.links.digit_boards import box_of

Parts: TypeAlias = Mapping[str, tuple[str, str]]
CELL = re.compile(r"R(\d{1,2})C(\d{1,2})")
LARGEST = 36
LOOKS = ("size", "grid", "title", "author", "ruleset", "solution", "cage", "text", "line", "circle", "rectangle")
LINES = ("thermometer", "palindrome", "renban", "whispers", "betweenline")  # rows of cells
PAIRS = {"difference": 1, "ratio": 2, "xv": None}  # with their usual value
SUMS = {"V": 5, "X": 10}
FLAGS = ("antiknight", "antiking", "disjointgroups", "nonconsecutive")
OUTSIDE = ("sandwichsum", "xsum", "skyscraper")
PEAKS = ("minimum", "maximum")
PARITY = ("odd", "even")
WAYS = {"DR": "down_right", "DL": "down_left", "UR": "up_right", "UL": "up_left"}
SIDES = ("top", "bottom", "left", "right")


def fields_of_board(data: Mapping[str, Any], parts: Parts) -> dict[str, Any]:
    """Return the fields of a board.

    Args:
        data: The data of the link.
        parts: The field of each part of the data, and the value that it stands for.

    Raises:
        InputError: A part is not valid, or a constraint has no field. The message names the part.
    """
    return _Reader(data, parts).fields()


class _Reader:
    """Reads the parts of a board into fields."""

    def __init__(self, data: Mapping[str, Any], parts: Parts) -> None:
        self.data = data
        self.parts = parts
        size = data.get("size")
        if not isinstance(size, int) or not 1 <= size <= LARGEST:
            cut = "; the link may be cut off" if size is None else ""
            raise InputError(f"size: expected a number up to {LARGEST}, got {str(size)[:20]}{cut}")
        self.size = size
        self.box = box_of(size)
        self.found: dict[str, Any] = {}
        self.rows = [["."] * size for _ in range(size)]

    def fields(self) -> dict[str, Any]:
        """Return the fields of the spec."""
        about = {key: self.data.get(name) for key, name in (("title", "title"), ("source", "author"))}
        self._grid()
        readers: dict[str, Callable[[str, list[Mapping[str, Any]]], None]] = {
            **dict.fromkeys(LINES, self._lines),
            **dict.fromkeys(PAIRS, self._pairs),
            **dict.fromkeys(OUTSIDE, self._outside),
            **dict.fromkeys(PEAKS, self._peaks),
            **dict.fromkeys(PARITY, self._parity),
            "arrow": self._arrows,
            "killercage": self._cages,
            "extraregion": self._groups,
            "clone": self._clones,
            "quadruple": self._corners,
            "littlekillersum": self._diagonal_sums,
        }
        for name, value in self.data.items():
            if name in readers and (name in self.parts or not value):
                readers[name](name, self._objects(name, value))
            elif name in FLAGS and name in self.parts and value is True:
                field, own = self.parts[name]
                self.found[field] = f"{self.found[field]} {own}" if own and field in self.found else own or "yes"
            elif name not in (*LOOKS, "diagonal+", "diagonal-", "negative") and value and not isinstance(value, str):
                raise InputError(f"{name[:40]}: there is no such constraint here, and without it the puzzle is another one")
        self._diagonals()
        self._negative()
        high, wide = self.box
        board: dict[str, Any] = {self._field("grid"): [" ".join(row) for row in self.rows]}
        if (high, wide) != (3, 3):
            board[self._field("size")] = f"{high}x{wide}"
        known = {key: text for key, text in about.items() if isinstance(text, str) and text.strip()}
        return {**known, **board, **self.found, **self._answer()}

    def _field(self, part: str) -> str:
        """Return the field of a part."""
        if part not in self.parts:
            raise InputError(f"{part}: there is no such part here, and without it the puzzle is another one")
        return self.parts[part][0]

    def _objects(self, name: str, value: Any) -> list[Mapping[str, Any]]:
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise InputError(f"{name}: expected a list of objects")
        return [{**item, "where": f"{name}[{number}]"} for number, item in enumerate(value)]

    def _cell(self, text: Any, where: str, beyond: int = 0) -> tuple[int, int]:
        found = CELL.fullmatch(str(text))
        cell = (int(found[1]), int(found[2])) if found else (-1, -1)
        if not all(1 - beyond <= part <= self.size + beyond for part in cell):
            raise InputError(f"{where}: expected a cell of {self.size} × {self.size}, such as R1C2, got {str(text)[:20]!r}")
        return cell

    def _cells(self, item: Mapping[str, Any], key: str, number: int = 0) -> list[str]:
        cells, where = item.get(key), f"{item['where']}.{key}"
        if not isinstance(cells, list) or (number and len(cells) != number):
            raise InputError(f"{where}: expected {number or 'a list of'} cell{'s' * (number != 1)}, got {str(cells)[:40]}")
        return ["r{}c{}".format(*self._cell(cell, where)) for cell in cells]

    def _number(self, item: Mapping[str, Any], default: int | None = None) -> int:
        text = str(item.get("value", "") if item.get("value") is not None else "").strip()
        if not text and default is not None:
            return default
        if not re.fullmatch(r"\d{1,6}", text):
            raise InputError(f"{item['where']}.value: expected a number, got {text[:20]!r}")
        return int(text)

    def _add(self, field: str, lines: Sequence[str]) -> None:
        if lines:
            self.found.setdefault(field, []).extend(lines)

    def _grid(self) -> None:
        grid = self.data.get("grid")
        if not isinstance(grid, list) or len(grid) != self.size:
            raise InputError(f"grid: expected {self.size} rows")
        high, wide = self.box
        regions = [[r // high * (self.size // wide) + c // wide for c in range(self.size)] for r in range(self.size)]
        usual = [list(row) for row in regions]
        candidates = {}
        for r, row in enumerate(grid):
            if not isinstance(row, list) or len(row) != self.size:
                raise InputError(f"grid[{r}]: expected {self.size} cells")
            for c, cell in enumerate(row):
                where = f"grid[{r}][{c}]"
                if not isinstance(cell, dict):
                    raise InputError(f"{where}: expected an object, got {str(cell)[:20]}")
                if cell.get("given"):
                    self.rows[r][c] = str(self._number({**cell, "where": where}))
                if "region" in cell:
                    if not isinstance(cell["region"], int):
                        raise InputError(f"{where}.region: a cell in no region cannot be written here")
                    regions[r][c] = cell["region"]
                if marks := cell.get("givenPencilMarks"):
                    candidates[f"r{r + 1}c{c + 1}"] = " ".join(map(str, marks)) if isinstance(marks, list) else str(marks)
        if candidates:
            self.found[self._field("givenPencilMarks")] = candidates
        if regions != usual:
            self.found[self._field("region")] = [" ".join(f"R{number}" for number in row) for row in regions]

    def _lines(self, name: str, items: Sequence[Mapping[str, Any]]) -> None:
        for item in items:
            if name == "whispers" and self._number(item, 5) != 5:
                raise InputError(f"{item['where']}.value: neighbours differ by 5 here, not by {item['value']}")
            self._add(self._field(name), [" ".join(self._line(line, item)) for line in self._several(item)])

    def _several(self, item: Mapping[str, Any]) -> list[Any]:
        lines = item.get("lines", [])
        if not isinstance(lines, list):
            raise InputError(f"{item['where']}.lines: expected a list of lines")
        return [line for line in lines if line]

    def _line(self, line: Any, item: Mapping[str, Any]) -> list[str]:
        return self._cells({"lines": line, "where": item["where"]}, "lines")

    def _arrows(self, name: str, items: Sequence[Mapping[str, Any]]) -> None:
        for item in items:
            lines = self._several(item)
            if not lines:
                continue
            (circle,) = self._cells(item, "cells", 1)
            self._add(self._field(name), [" ".join([circle, *self._line(line, item)[1:]]) for line in lines])

    def _cages(self, name: str, items: Sequence[Mapping[str, Any]]) -> None:
        labels: dict[str, str] = {}
        sums = {}
        for number, item in enumerate(items, 1):
            for cell in self._cells(item, "cells"):
                if labels.setdefault(cell, f"K{number}") != f"K{number}":
                    raise InputError(f"{item['where']}.cells: {cell} is in two cages, which cannot be written here")
            if str(item.get("value", "") or "").strip():
                sums[f"K{number}"] = self._number(item)
        if labels:
            names = ([labels.get(f"r{r}c{c}", ".") for c in range(1, self.size + 1)] for r in range(1, self.size + 1))
            self.found[self._field(name)] = [" ".join(row) for row in names]
            if sums:
                self.found[self._field("killersum")] = sums

    def _groups(self, name: str, items: Sequence[Mapping[str, Any]]) -> None:
        self._add(self._field(name), [" ".join(self._cells(item, "cells")) for item in items])

    def _clones(self, name: str, items: Sequence[Mapping[str, Any]]) -> None:
        for item in items:
            cells = self._cells(item, "cells")
            self._add(self._field(name), list(map(" ".join, zip(cells, self._cells(item, "cloneCells", len(cells))))))

    def _pairs(self, name: str, items: Sequence[Mapping[str, Any]]) -> None:
        for item in items:
            pair = self._cells(item, "cells", 2)
            if name == "xv" and item.get("value") not in SUMS:
                raise InputError(f"{item['where']}.value: expected X or V, got {str(item.get('value'))[:20]}")
            number = SUMS[item["value"]] if name == "xv" else self._number(item, PAIRS[name])
            plain = name == "difference" and number == 1 and self.data.get("nonconsecutive") is True
            self._add(self._field("consecutive" if plain else name), [" ".join(pair if plain else [*pair, str(number)])])

    def _peaks(self, name: str, items: Sequence[Mapping[str, Any]]) -> None:
        self._add(
            self._field(name), ["r{}c{}".format(*self._cell(item.get("cell"), f"{item['where']}.cell")) for item in items]
        )

    def _parity(self, name: str, items: Sequence[Mapping[str, Any]]) -> None:
        for item in items:
            r, c = self._cell(item.get("cell"), f"{item['where']}.cell")
            text = self.rows[r - 1][c - 1]
            if text == "." or (text.isdigit() and int(text) % 2 == (name == "odd")):
                self.rows[r - 1][c - 1] = self.parts[name][1] if text == "." else text
            else:
                raise InputError(f"{item['where']}.cell: r{r}c{c} cannot be {name}, it is {text}")

    def _corners(self, name: str, items: Sequence[Mapping[str, Any]]) -> None:
        for item in items:
            cells, values = sorted(self._cell(cell, item["where"]) for cell in item.get("cells") or ()), item.get("values")
            r, c = cells[0] if cells else (0, 0)
            if cells != [(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)]:
                raise InputError(f"{item['where']}.cells: expected four cells around a corner")
            if not isinstance(values, list) or any(not re.fullmatch(r"[1-9]", str(value)) for value in values):
                raise InputError(f"{item['where']}.values: expected digits up to 9, got {str(values)[:40]}")
            self._add(self._field(name), [f"r{r}c{c} {''.join(map(str, values))}"] if values else [])

    def _outside(self, name: str, items: Sequence[Mapping[str, Any]]) -> None:
        if not items:
            return
        field, own = self.parts[name]
        if (other := self.found.setdefault(field, own)) != own:
            raise InputError(f"{name}: all clues outside are of one kind here, and others are {other}")
        for item in items:
            r, c = self._cell(item.get("cell"), f"{item['where']}.cell", 1)
            last = self.size + 1
            side = next((side for side, out in zip(SIDES, (r == 0, r == last, c == 0, c == last)) if out), "")
            line = c if side in ("top", "bottom") else r
            if not side or not 1 <= line <= self.size:
                raise InputError(f"{item['where']}.cell: expected a place beside the board, got {item.get('cell')}")
            field = self._field(side)
            clues = self.found.get(field, " ".join("." * self.size)).split()
            clues[line - 1] = str(self._number(item))
            self.found[field] = " ".join(clues)

    def _diagonal_sums(self, name: str, items: Sequence[Mapping[str, Any]]) -> None:
        for item in items:
            way, (r, c) = item.get("direction"), self._cell(item.get("cell"), f"{item['where']}.cell", 1)
            if way not in WAYS:
                raise InputError(f"{item['where']}.direction: expected one of {', '.join(WAYS)}, got {str(way)[:20]}")
            first = self._cell(f"R{r + (1 if 'D' in way else -1)}C{c + (1 if 'R' in way else -1)}", item["where"])
            self._add(self._field(name), ["r{}c{}".format(*first) + f" {WAYS[way]} {self._number(item)}"])

    def _diagonals(self) -> None:
        falling, rising = (self.data.get(name) is True for name in ("diagonal-", "diagonal+"))
        numbers = range(1, self.size + 1)
        if falling and rising:
            self.found[self._field("diagonal")] = "yes"
        elif falling or rising:
            self._add(self._field("extraregion"), [" ".join(f"r{n}c{n if falling else self.size + 1 - n}" for n in numbers)])

    def _negative(self) -> None:
        unmarked = set[int]()
        for name in self.data.get("negative") or ():
            if name == "xv":
                unmarked |= set(SUMS.values())
            elif name == "ratio":
                unmarked |= {2, *(int(line.split()[-1]) for line in self.found.get(self._field(name), ()))}
            else:
                raise InputError(f"negative: there is no such rule for {str(name)[:40]!r} here")
        if any(number >= SUMS["V"] for number in unmarked - set(SUMS.values())):
            raise InputError("negative: only ratios up to 4 can be ruled out here")
        if unmarked:
            self.found[self._field("negative")] = " ".join(map(str, sorted(unmarked)))

    def _answer(self) -> dict[str, Any]:
        digits = self.data.get("solution")
        if not isinstance(digits, list) or len(digits) != self.size**2 or not all(str(digit).isdigit() for digit in digits):
            return {}
        rows = [digits[start : start + self.size] for start in range(0, len(digits), self.size)]
        return {"expect": {"solutions": 1, "answer": [" ".join(map(str, row)) for row in rows]}}
