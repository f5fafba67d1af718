"""Generate waffles: write words into a lattice, then shuffle and colour their letters.

A puzzle is kept if it requires exactly --swaps swaps (proven), if its colours have one answer among
the words of --against, and if colours alone force no cell. A cell that is not green is not forced
if two or three cells of the answer, among them this one, can exchange their letters without a
change of colours. At the end the generator reports how many puzzles it dropped, and why.
"""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from random import Random

from puzzlekit.api.generate import Made, Tools, positive
from puzzlekit.boards import Cell, Grid
from puzzlekit.errors import InputError, Stopped
from puzzlekit.lang import read_text
from puzzlekit.libraries.exchanges import most_cycles
from puzzlekit.libraries.words import Fill, Fills, Mark, from_anywhere, largest, load, marks, writable
from puzzlekit.render import board as drawn_board
from puzzlekit.render.scene import Text
from puzzlekit.render.svg import inline
from puzzlekit.render.theme import STYLE

Letters = dict[Cell, str]
Colours = dict[Cell, Mark]

LISTED = 100_000  # steps to list all fills; beyond that they are drawn by search
TRIES = 2_000  # shuffles that may be dropped in a row
PER_FILL = 20  # shuffles tried per fill with --hard or --easy
SHORT = 5  # letters of a word below which too many names and abbreviations are words
FEW = 8  # otherwise: another fill is quicker found than a shuffle without forced cells
RANKED = 5  # of those, solved with --hard or --easy
FIRST = "english-familiar"
GREENS = (0, 1, 1, 2, 2)  # letters in place by chance, as often as in the game's own puzzles
YELLOWS = 0.37  # of the cells that may move and are not green; in the game's own puzzles 0.37 to 0.41
SPREAD = (-1, 0, 0, 1, 2)  # how much their number differs from puzzle to puzzle
EXCHANGES = 6  # tried per cell that may move, for these numbers
SPARE = 5  # additional swaps of a player
SIGNS = {Mark.GREY: "", Mark.YELLOW: "•", Mark.GREEN: "✓"}  # beside the letter, for who cannot tell the colours


def options(parser: ArgumentParser) -> None:
    """The options of this type."""
    board = parser.add_argument_group("the board and its words")
    shape = board.add_mutually_exclusive_group()
    shape.add_argument(
        "--size", type=_size, default=(5, 5), metavar="ROWSxCOLUMNS", help="a lattice of this size; 5x5 by default"
    )
    shape.add_argument("--board", type=Path, metavar="FILE", help="a board of any shape: # for a cell, . for a hole")
    board.add_argument("--solid", action="store_true", help="with --size: no holes; each row and column is a word")
    board.add_argument("--words", default=FIRST, metavar="LEXICON", help=f"the words to write; {FIRST} by default")
    board.add_argument("--common", type=positive, metavar="N", help="use only the N most common words of each length")
    board.add_argument(
        "--with", dest="demanded", action="append", default=[], metavar="WORD", help="a word that the board must contain"
    )
    board.add_argument("--allow-offensive", action="store_true", help="also write words that offend")
    board.add_argument("--uniform", action="store_true", help="draw each fill with the same probability, even from many")
    fills = parser.add_argument_group("only the words, not shuffled")
    fills.add_argument("--fills", action="store_true", help="print boards of words")
    fills.add_argument("--all", action="store_true", help="with --fills: print all")
    fills.add_argument("--number", action="store_true", help="with --fills: print only their number")
    puzzle = parser.add_argument_group("the puzzle")
    puzzle.add_argument(
        "--swaps", type=positive, metavar="N", help="the exact number of required swaps; 10 for 5x5, 20 for 7x7"
    )
    puzzle.add_argument(
        "--green",
        default="game",
        metavar="CELLS",
        help="cells that keep their letter: none, corners, crossings, r1c1,r3c3, or game: corners and middle,"
        " from 7x7 on crossings except corners",
    )
    puzzle.add_argument(
        "--scramble",
        choices=("shuffle", "exchanges"),
        default="shuffle",
        help="shuffle at once or by exchanges; shuffle by default",
    )
    puzzle.add_argument(
        "--colours",
        choices=("game", "any"),
        default="game",
        help="as many greens and yellows as in the game's own puzzles, or as they fall; game by default",
    )
    order = puzzle.add_mutually_exclusive_group()
    order.add_argument("--hard", action="store_true", help="prefer few yellows off the crossings, fewest first")
    order.add_argument("--easy", action="store_true", help="prefer many yellows off the crossings, most first")
    puzzle.add_argument("--allow-forced", action="store_true", help="keep puzzles with cells that colours alone may force")
    puzzle.add_argument(
        "--against",
        metavar="LEXICON",
        help="the lexicon for which the answer is unique; by default the largest of the language",
    )


def generate(options: Namespace, tools: Tools) -> Iterator[Made]:
    """Generate puzzles, or print fills."""
    maker = _Maker(options, tools)
    if options.fills:
        yield from _fills(maker, options, tools)
        return
    if options.all or options.number:
        raise InputError("--all and --number require --fills")
    made = maker.puzzles()
    try:
        if options.hard or options.easy:
            yield from (found for _, found in sorted(made, key=lambda pair: pair[0]))
        else:
            yield from (found for _, found in made)
    finally:
        maker.report()


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,2})[x×](\d{1,2})", text)
    if not found or min(int(found[1]), int(found[2])) < 2 or max(int(found[1]), int(found[2])) > 25:
        raise ArgumentTypeError(f"expected a size such as 5x5, with 2 to 25 rows and columns, got {text}")
    return int(found[1]), int(found[2])


def read_board(options: Namespace) -> Grid:
    """The requested board; the values of its cells have no meaning."""
    if options.board is None:
        rows, columns = options.size
        if options.solid:
            return Grid.of_rows(["#" * columns] * rows)
        if rows % 2 == 0 or columns % 2 == 0:
            raise InputError(f"expected odd sides of a lattice, got {rows}x{columns}: use --solid or --board FILE")
        return Grid.of_rows(["".join("." if r % 2 and c % 2 else "#" for c in range(columns)) for r in range(rows)])
    if options.solid:
        raise InputError("--solid cannot be combined with --board")
    return _drawn(options.board)


def _drawn(path: Path) -> Grid:
    """The board drawn in a file. Raises InputError."""
    lines = {number: line.rstrip() for number, line in enumerate(read_text(path).splitlines(), 1) if line.strip()}
    width = len(next(iter(lines.values()), ""))
    for number, line in lines.items():
        if odd := re.search(r"[^#._ ]", line):
            raise InputError(f"{path}:{number}:{odd.start() + 1}: expected # for a cell or . for a hole, got {odd[0]!r}")
        if len(line) != width:
            raise InputError(
                f"{path}:{number}: expected {width} characters, as in the first row, got {len(line)}; write . for a hole"
            )
    grid = Grid.of_rows(["".join("#" if char == "#" else "." for char in line) for line in lines.values()])
    if not grid.cells or grid.height > 25 or grid.width > 25:
        raise InputError(f"{path}: expected at least one cell (#) and at most 25 rows and columns")
    return grid


_marks = lru_cache(maxsize=100_000)(marks)


class Board:
    """A board, its slots, and its marking."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.slots = [tuple(slot) for slot in grid.slots(2)]
        self.slots_of: dict[Cell, list[int]] = {cell: [] for cell in grid.cells}
        for number, slot in enumerate(self.slots):
            for cell in slot:
                self.slots_of[cell].append(number)
        for cell, slots in self.slots_of.items():
            if not slots:
                raise InputError(f"{cell} is in no word of two letters or more")
        self.crossings = [cell for cell, slots in self.slots_of.items() if len(slots) > 1]
        turned = {slot: number for number, slot in enumerate(self.slots)}
        mirror = [turned.get(tuple(Cell(cell.column, cell.row) for cell in slot)) for slot in self.slots]
        self.mirror = [number for number in mirror if number is not None] if None not in mirror else []
        self.lines = [[Cell(r, c) for c in range(1, grid.width + 1)] for r in range(1, grid.height + 1)]

    def letters(self, fill: Fill) -> Letters:
        """The letters of a fill, in reading order."""
        found = {cell: letter for slot, word in zip(self.slots, fill) for cell, letter in zip(slot, word)}
        return {cell: found[cell] for cell in self.grid.cells}

    def colours(self, stand: Mapping[Cell, str], answer: Mapping[Cell, str], slots: Iterable[int] | None = None) -> Colours:
        """Mark each word as in Wordle; a cell shows its best mark."""
        shown: Colours = {}
        for number in range(len(self.slots)) if slots is None else slots:
            slot = self.slots[number]
            for cell, mark in zip(slot, _marks("".join([stand[c] for c in slot]), "".join([answer[c] for c in slot]))):
                shown[cell] = max(mark, shown.get(cell, Mark.GREY))
        return shown

    def rows(self, values: Mapping[Cell, object]) -> list[str]:
        """Lines of text, with a dot for a hole."""
        return ["".join([str(values.get(cell, ".")) for cell in line]) for line in self.lines]

    def green(self, option: str) -> list[Cell]:
        """The cells that keep their letter. Raises InputError."""
        grid = self.grid
        high, wide = grid.height, grid.width
        corners = [cell for cell in grid.cells if cell.row in (1, high) and cell.column in (1, wide)]
        match option:
            case "none":
                return []
            case "corners":
                return corners
            case "crossings":
                return list(self.crossings)
            case "game" if len(self.crossings) <= 4:
                return []
            case "game" if min(high, wide) < 7 or len(self.crossings) == len(grid.cells):
                middle = Cell((high + 1) // 2, (wide + 1) // 2)
                return [*corners, *([middle] if high % 2 and wide % 2 and middle in self.crossings else [])]
            case "game":
                return [cell for cell in self.crossings if cell not in corners]
            case _:
                return [self.named(name) for name in re.split(r"[\s,]+", option) if name]

    def named(self, name: str) -> Cell:
        """The cell with this name, such as r1c2. Raises InputError."""
        found = re.fullmatch(r"r(\d{1,2})c(\d{1,2})", name)
        cell = Cell(int(found[1]), int(found[2])) if found else None
        if cell is None or cell not in self.slots_of:
            raise InputError(f"--green {name}: there is no such cell; write game, none, corners, crossings or r1c1,r3c3")
        return cell


def fewest_swaps(stand: Mapping[Cell, str], answer: Mapping[Cell, str]) -> int:
    """The proven least number of swaps: the cells that move minus the most cycles of their arcs."""
    arcs = [(stand[cell], answer[cell]) for cell in stand if stand[cell] != answer[cell]]
    cut = most_cycles(arcs)
    if not cut.proven:
        raise Stopped("the least number of swaps could not be proven")
    return len(arcs) - len(cut.cycles)


@dataclass
class _Candidate:
    letters: Letters
    colours: Colours
    rank: int  # lowest first


class _Maker:
    """Generates puzzles one by one, and counts the dropped ones."""

    def __init__(self, options: Namespace, tools: Tools) -> None:
        self.options = options
        self.tools = tools
        self.board = Board(read_board(options))
        words = writable(options.words, options.common, options.allow_offensive)
        for length in sorted({len(slot) for slot in self.board.slots}):
            if not words.get(length):
                raise InputError(f"{options.words} has no words of {length} letters, which this board needs")
        demanded = [word for text in options.demanded for word in re.split(r"[\s,]+", text) if word]
        self.fills = Fills(self.board.slots, words, demanded, self.board.mirror)
        self.per_fill = PER_FILL if options.hard or options.easy else FEW
        self.against = str(options.against or _against(options.words, min(map(len, self.board.slots))))
        self.dropped: Counter[str] = Counter()
        self.kept = 0
        self._known: list[Fill] | None = None
        self._listed = False
        self._seen: set[Fill] = set()
        self.used: Counter[str] = Counter()  # words of the puzzles that were kept

    def fill(self, random: Random) -> Fill | None:
        """A random fill, uniform if all can be listed; None if there is none."""
        if not self._listed:
            self._listed = True
            try:
                self._known = list(self.fills.every(None if self.options.uniform else LISTED))
            except Stopped:
                self.tools.report("too many fills to list: they are drawn by search, not uniformly")
        if self._known is None:
            return self.fills.balanced(random, self.used)
        return self._known[random.randrange(len(self._known))] if self._known else None

    def puzzles(self) -> Iterator[tuple[int, Made]]:
        """The puzzles, each with its rank."""
        options, board = self.options, self.board
        self.green = board.green(options.green)
        self.free = [cell for cell in board.grid.cells if cell not in self.green]
        self.swaps = options.swaps or max(1, min(len(board.grid.cells) // 2, round(0.7 * len(self.free))))
        if self.swaps >= len(self.free):
            raise InputError(
                f"{self.swaps} swaps are impossible with {len(self.free)} cells that may move; change --green or --swaps"
            )
        self._hold_against()
        for number in range(1, options.count + 1):
            found = self._puzzle(number)
            if found is None:
                return
            self.kept += 1
            yield found

    def _hold_against(self) -> None:
        """Raise InputError unless the lexicon of answers has each word to write."""
        against = load(self.against)
        self.words = frozenset(word for length in self.fills.tables for word in against.of_length(length))
        for table in self.fills.tables.values():
            for word in table.words:
                if word not in self.words:
                    raise InputError(f"--against {self.against}: it lacks the word {word} of --words")

    def _puzzle(self, number: int) -> tuple[int, Made] | None:
        random = self.tools.random(number)
        tries = 0
        while tries < TRIES:
            fill = self.fill(random)
            if fill is None:
                self.tools.report(self.nothing())
                return None
            tries += self.per_fill
            if fill in self._seen and (self._known is None or len(self._seen) < len(self._known)):
                continue
            answer = self.board.letters(fill)
            for candidate in self._candidates(answer, random):
                text = self._spec(number, candidate, answer)
                if not exchanged_words(self.board, candidate, answer, self.words) and len(self.tools.solutions(text)) == 1:
                    self._seen.add(fill)
                    self.used.update(fill)
                    return candidate.rank, Made(self._name(number), text, self._page(number, candidate, answer))
                self.dropped["had another answer"] += 1
        raise Stopped(f"{tries:,} shuffles in a row gave no puzzle; try another --green or --swaps, or --scramble exchanges")

    def _candidates(self, answer: Letters, random: Random) -> Iterator[_Candidate]:
        """Shuffles with the required optimum and no forced cell; the best ones if ranked."""
        found = filter(None, (self._candidate(answer, random) for _ in range(self.per_fill)))
        if self.options.hard or self.options.easy:
            return iter(sorted(found, key=lambda candidate: candidate.rank)[:RANKED])
        return found

    def _candidate(self, answer: Letters, random: Random) -> _Candidate | None:
        letters = self._scrambled(answer, random)
        if fewest_swaps(letters, answer) != self.swaps:
            self.dropped["required another number of swaps"] += 1
            return None
        colours = self.board.colours(letters, answer)
        if not self.options.allow_forced and forced(self.board, letters, answer, colours):
            self.dropped["had a cell that colours may force"] += 1
            return None
        yellows = sum(mark == Mark.YELLOW and len(self.board.slots_of[cell]) == 1 for cell, mark in colours.items())
        return _Candidate(letters, colours, -yellows if self.options.easy else yellows)

    def _scrambled(self, answer: Letters, random: Random) -> Letters:
        options = self.options
        if options.scramble == "exchanges":
            return _exchanged(answer, self.free, self.swaps, random)
        letters = _shuffled(answer, self.free, self.swaps, random)
        if options.colours == "any" or options.hard or options.easy:
            return letters
        return _coloured(self.board, letters, answer, self.free, self.swaps, random)

    def _name(self, number: int) -> str:
        return f"{self.tools.kind.name}-{self.tools.seed}-{number}"

    def _spec(self, number: int, made: _Candidate, answer: Letters) -> str:
        def block(values: Mapping[Cell, object], indent: str) -> str:
            return "".join(f"{indent}{row}\n" for row in self.board.rows(values))

        words = "" if self.against == "english" else f"words: {json.dumps(from_anywhere(self.against), ensure_ascii=False)}\n"
        return (
            f"puzzle: {self.tools.kind.name}\n"
            f"title: Seed {self.tools.seed}, number {number}\n"
            f"letters: |\n{block(made.letters, '  ')}"
            f"colours: |\n{block(made.colours, '  ')}"
            f"{words}"
            f"expect:\n  solutions: 1\n  swaps: {self.swaps}\n  answer: |\n{block(answer, '    ')}"
        )

    def _page(self, number: int, made: _Candidate, answer: Letters) -> PlayedPuzzle:
        cells = list(self.board.grid.cells)
        place = {cell: i for i, cell in enumerate(cells)}
        game = {
            "rows": self.board.grid.height,
            "columns": self.board.grid.width,
            "cells": [[cell.row, cell.column] for cell in cells],
            "letters": [made.letters[cell] for cell in cells],
            "answer": [answer[cell] for cell in cells],
            "slots": [[place[cell] for cell in slot] for slot in self.board.slots],
            "fewest": self.swaps,
            "swaps": self.swaps + SPARE,
        }
        known = sha256(json.dumps(game).encode()).hexdigest()[:16]
        data = {"title": f"Seed {self.tools.seed}, number {number}", "id": known, **game}
        return PlayedPuzzle(start_svg(made.letters, made.colours), data)

    def nothing(self) -> str:
        """The message that there is no puzzle."""
        demanded = ", ".join(self.fills.demanded)
        return f"proven: the board cannot be filled with these words{f' and {demanded}' if demanded else ''}"

    def report(self) -> None:
        """Report how many puzzles were kept and dropped, and why."""
        if not self.kept and not self.dropped:
            return
        dropped = ", ".join(f"{number:,} {reason}" for reason, number in sorted(self.dropped.items()))
        self.tools.report(f"{self.kept:,} kept, {self.dropped.total():,} dropped{': ' if dropped else ''}{dropped}")


def _against(words: str, shortest: int) -> str:
    """The largest lexicon of the language.

    With short words, it is not english-wide, which has nearly every text of three letters: no
    puzzle of these has a single answer.
    """
    large = largest(words)
    return large if shortest >= SHORT or "english-wide" in words else large.replace("english-wide", "english")


def _shuffled(answer: Letters, free: Sequence[Cell], swaps: int, random: Random) -> Letters:
    """The free letters shuffled, then exchanged to approach the required number of swaps."""
    order = [answer[cell] for cell in free]
    random.shuffle(order)
    letters = {**answer, **dict(zip(free, order))}
    needed = fewest_swaps(letters, answer)
    for _ in range(len(free)):
        if needed == swaps:
            break
        one, other = (free[random.randrange(len(free))] for _ in range(2))
        nearer = {**letters, one: letters[other], other: letters[one]}
        after = fewest_swaps(nearer, answer)
        if abs(after - swaps) <= abs(needed - swaps):
            letters, needed = nearer, after
    return letters


def _coloured(board: Board, letters: Letters, answer: Letters, free: Sequence[Cell], swaps: int, random: Random) -> Letters:
    """Exchange free letters until there are about as many greens and yellows as in the game's own puzzles."""
    greens = random.choice(GREENS)
    yellows = round(YELLOWS * (len(free) - greens)) + random.choice(SPREAD)
    colours = board.colours(letters, answer)

    def away(shown: Colours) -> int:
        marks = [shown[cell] for cell in free]
        return abs(marks.count(Mark.GREEN) - greens) + abs(marks.count(Mark.YELLOW) - yellows)

    distance, needed = away(colours), fewest_swaps(letters, answer)
    for _ in range(EXCHANGES * len(free)):
        if distance == 0 and needed == swaps:
            break
        one, other = random.sample(free, 2)
        if letters[one] == letters[other]:
            continue
        changed = {**letters, one: letters[other], other: letters[one]}
        slots = dict.fromkeys((*board.slots_of[one], *board.slots_of[other]))
        around = dict.fromkeys(n for slot in slots for cell in board.slots[slot] for n in board.slots_of[cell])
        seen = board.colours(changed, answer, around)
        shown = {**colours, **{cell: seen[cell] for slot in slots for cell in board.slots[slot]}}
        if away(shown) > distance:
            continue
        after = fewest_swaps(changed, answer) if away(shown) == 0 else needed
        if away(shown) < distance or abs(after - swaps) <= abs(needed - swaps):
            letters, colours, distance, needed = changed, shown, away(shown), after
    return letters


def _exchanged(answer: Letters, free: Sequence[Cell], swaps: int, random: Random) -> Letters:
    """Free letters exchanged in pairs until the required number of swaps leads back."""
    letters = dict(answer)
    needed = 0
    for _ in range(50 * len(free)):
        if needed == swaps:
            break
        one, other = (free[random.randrange(len(free))] for _ in range(2))
        letters[one], letters[other] = letters[other], letters[one]
        needed = fewest_swaps(letters, answer)
    return letters


def forced(board: Board, letters: Letters, answer: Letters, colours: Colours) -> list[Cell]:
    """The cells that are not green and may be forced by the colours alone.

    A cell is not forced if two or three cells of the answer, among them this one, can exchange
    their letters without a change of colours.
    """
    loose = [cell for cell, mark in colours.items() if mark != Mark.GREEN]
    seen: set[Cell] = set()
    stood = ["".join([letters[cell] for cell in slot]) for slot in board.slots]
    marked = [_marks(word, "".join([answer[cell] for cell in slot])) for word, slot in zip(stood, board.slots)]

    def same(*moves: tuple[Cell, str]) -> bool:
        moved = dict(moves)
        if any(letters[cell] == letter for cell, letter in moves):  # would be green
            return False
        slots = dict.fromkeys(number for cell in moved for number in board.slots_of[cell])
        others = {n: _marks(stood[n], "".join([moved.get(c) or answer[c] for c in board.slots[n]])) for n in slots}
        return all(
            max(others.get(n, marked[n])[board.slots[n].index(cell)] for n in board.slots_of[cell]) == colours[cell]
            for number in slots
            if others[number] != marked[number]
            for cell in board.slots[number]
        )

    for a, b in combinations(loose, 2):
        if not {a, b} <= seen and answer[a] != answer[b] and same((a, answer[b]), (b, answer[a])):
            seen |= {a, b}
    for a, b, c in combinations(loose, 3):
        if len(seen) == len(loose):
            break
        if not {a, b, c} <= seen and len({answer[a], answer[b], answer[c]}) == 3:
            for x, y, z in ((b, c, a), (c, a, b)):
                if same((a, answer[x]), (b, answer[y]), (c, answer[z])):
                    seen |= {a, b, c}
    return [cell for cell in loose if cell not in seen]


def exchanged_words(board: Board, made: _Candidate, answer: Letters, words: frozenset[str]) -> bool:
    """Whether another answer is found by exchanging the letters of two cells.

    Many puzzles with several answers have such a one, and it is found without solving the puzzle.
    """
    loose = [cell for cell, mark in made.colours.items() if mark != Mark.GREEN]
    for a, b in combinations(loose, 2):
        if answer[a] == answer[b] or made.letters[a] == answer[b] or made.letters[b] == answer[a]:
            continue
        other = {**answer, a: answer[b], b: answer[a]}
        slots = dict.fromkeys((*board.slots_of[a], *board.slots_of[b]))
        if all("".join([other[cell] for cell in board.slots[slot]]) in words for slot in slots):
            fill = ["".join([other[cell] for cell in slot]) for slot in board.slots]
            if len(set(fill)) == len(fill) and board.colours(made.letters, other) == made.colours:
                return True
    return False


def _fills(maker: _Maker, options: Namespace, tools: Tools) -> Iterator[Made]:
    """Print boards of words, or only their number."""
    if options.out is not None or options.html is not None:
        raise InputError("--fills cannot be combined with --out or --html")
    if options.swaps or options.hard or options.easy or options.allow_forced or options.against:
        raise InputError("--fills cannot be combined with --swaps, --hard, --easy, --allow-forced or --against")
    total = 0
    if options.number:
        total = sum(1 for _ in maker.fills.every())
        if total:
            yield Made("number", f"{total}\n")
    else:
        fills: Iterable[Fill | None] = (
            maker.fills.every() if options.all else (maker.fill(tools.random(i)) for i in range(1, options.count + 1))
        )
        for fill in fills:
            if fill is None:
                break
            total += 1
            rows = maker.board.rows(maker.board.letters(fill))
            yield Made(f"fill-{total}", "".join(f"{row}\n" for row in rows), separator="\n")
    tools.report(f"{total:,} {'board' if total == 1 else 'boards'} of words" if total else maker.nothing())


@dataclass(frozen=True)
class PlayedPuzzle:
    """A puzzle of a page: its start as SVG, and what the script needs to know of it."""

    drawing: str
    data: Mapping[str, object]


def start_svg(letters: Mapping[Cell, str], colours: Mapping[Cell, Mark]) -> str:
    """The start as a picture whose letters and colours a script can change; a sign goes with each colour."""
    cells = sorted(letters)
    scene = drawn_board({cell: letters[cell] for cell in cells}, {cell: colours[cell] for cell in cells})
    signs = Text(True, {cell: SIGNS[colours[cell]] for cell in cells}, corner=True)
    layers = tuple(replace(layer, given=True) for layer in scene.layers)
    return inline(replace(scene, layers=(*layers, signs)), "The start", by_cell=True)


def page(made: Sequence[Made]) -> str:
    """A self-contained HTML page to play the puzzles on."""

    def script(data: object) -> str:
        return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")

    shown = [{"name": mark.name.lower(), "sign": sign, "square": mark.square} for mark, sign in SIGNS.items()]
    parts = {
        "/*STYLE*/": STYLE,
        "<!--BOARDS-->": "\n".join(puzzle.page.drawing for puzzle in made),
        "/*PUZZLES*/[]": script([puzzle.page.data for puzzle in made]),
        "/*MARKS*/[]": script(shown),
    }
    template = Path(__file__).with_name("waffle_page.html").read_text(encoding="utf-8")
    return re.sub("|".join(map(re.escape, parts)), lambda place: parts[place[0]], template)
