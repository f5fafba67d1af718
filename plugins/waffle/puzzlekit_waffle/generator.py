"""Generate waffles: write words into a lattice, then shuffle and colour their letters.

A puzzle is kept if it requires exactly --swaps swaps (proven), if its colours have one answer among
the words of --against, and if colours alone force no cell. A cell that is not green is not forced
if two or three cells of the answer, among them this one, can exchange their letters without a
change of colours. At the end the generator reports how many puzzles it dropped, and why.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import SimpleNamespace

from puzzlekit.boards import Cell
from puzzlekit.errors import InputError, Stopped
from puzzlekit.lang import spec_text
from puzzlekit.libraries.words import Fill, Fills, Mark, from_anywhere, largest, load, writable
from puzzlekit.making.generators import GeneratedSpec, Parameter, Tools, positive
from puzzlekit_waffle.board import Board, Colours, Letters, exchanged_words, forced, read_board
from puzzlekit_waffle.exchanges import fewest_exchanges

LISTED = 100_000  # steps to list all fills; beyond that they are drawn by search
TRIES = 2_000  # shuffles that may be dropped in a row
PER_FILL = 20  # shuffles tried per fill with --hard or --easy
SHORT = 5  # letters of a word below which too many names and abbreviations are words
FEW = 8  # otherwise: another fill is quicker found than a shuffle without forced cells
RANKED = 5  # of those, solved with --hard or --easy
GREENS = (0, 1, 1, 2, 2)  # letters in place by chance, as often as in the game's own puzzles
YELLOWS = (
    0.37  # of the cells that may move and are not green; in the game's own puzzles 0.37 to 0.41
)
SPREAD = (-1, 0, 0, 1, 2)  # how much their number differs from puzzle to puzzle
EXCHANGES = 6  # tried per cell that may move, for these numbers


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,2})[x×](\d{1,2})", text)
    if not found or min(int(found[1]), int(found[2])) < 2 or max(int(found[1]), int(found[2])) > 25:
        raise InputError(f"expected a size such as 5x5, with 2 to 25 rows and columns, got {text}")
    return int(found[1]), int(found[2])


BOARD, FILLS, PUZZLE = "the board and its words", "only the words, not shuffled", "the puzzle"
OPTIONS = (
    Parameter(
        "size",
        "a lattice of this size; {default} by default",
        _size,
        "5x5",
        "ROWSxCOLUMNS",
        group=BOARD,
    ),
    Parameter(
        "board",
        "a board of any shape: # for a cell, . for a hole",
        Path,
        metavar="FILE",
        group=BOARD,
        rival="size",
    ),
    Parameter("solid", "with --size: no holes; each row and column is a word", bool, group=BOARD),
    Parameter(
        "lexicon",
        "the words to write; {default} by default",
        default="english-familiar",
        metavar="LEXICON",
        group=BOARD,
    ),
    Parameter(
        "common",
        "use only the N most common words of each length",
        positive,
        metavar="N",
        group=BOARD,
    ),
    Parameter(
        "with", "a word that the board must contain", metavar="WORD", group=BOARD, repeated=True
    ),
    Parameter("allow-offensive", "also write words that offend", bool, group=BOARD),
    Parameter(
        "uniform", "draw each fill with the same probability, even from many", bool, group=BOARD
    ),
    Parameter("fills", "print boards of words", bool, group=FILLS),
    Parameter("all", "with --fills: print all", bool, group=FILLS),
    Parameter("number", "with --fills: print only their number", bool, group=FILLS),
    Parameter(
        "swaps",
        "the exact number of required swaps; 10 for 5x5, 20 for 7x7",
        positive,
        metavar="N",
        group=PUZZLE,
    ),
    Parameter(
        "green",
        "cells that keep their letter: none, corners, crossings, r1c1,r3c3, or game: corners and middle,"
        " from 7x7 on crossings except corners",
        default="game",
        metavar="CELLS",
        group=PUZZLE,
    ),
    Parameter(
        "scramble",
        "shuffle at once or by exchanges; {default} by default",
        default="shuffle",
        choices=("shuffle", "exchanges"),
        group=PUZZLE,
    ),
    Parameter(
        "colours",
        "as many greens and yellows as in the game's own puzzles, or as they fall; {default} by default",
        default="game",
        choices=("game", "any"),
        group=PUZZLE,
    ),
    Parameter("hard", "prefer few yellows off the crossings, fewest first", bool, group=PUZZLE),
    Parameter(
        "easy",
        "prefer many yellows off the crossings, most first",
        bool,
        group=PUZZLE,
        rival="hard",
    ),
    Parameter(
        "allow-forced", "keep puzzles with cells that colours alone may force", bool, group=PUZZLE
    ),
    Parameter(
        "against",
        "the lexicon for which the answer is unique; by default the largest of the language",
        metavar="LEXICON",
        group=PUZZLE,
    ),
)


def generate(options: SimpleNamespace, tools: Tools) -> Iterator[GeneratedSpec]:
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


@dataclass
class _Candidate:
    letters: Letters
    colours: Colours
    rank: int  # lowest first


class _Maker:
    """Generates puzzles one by one, and counts the dropped ones."""

    def __init__(self, options: SimpleNamespace, tools: Tools) -> None:
        self.options = options
        self.tools = tools
        self.board = Board(read_board(options.size, options.solid, options.board))
        words = writable(options.lexicon, options.common, options.allow_offensive)
        for length in sorted({len(slot) for slot in self.board.slots}):
            if not words.get(length):
                raise InputError(
                    f"{options.lexicon} has no words of {length} letters, which this board needs"
                )
        demanded = [
            word for text in vars(options)["with"] for word in re.split(r"[\s,]+", text) if word
        ]
        self.fills = Fills(self.board.slots, words, demanded, self.board.mirror)
        self.per_fill = PER_FILL if options.hard or options.easy else FEW
        self.against = str(
            options.against or _against(options.lexicon, min(map(len, self.board.slots)))
        )
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

    def puzzles(self) -> Iterator[tuple[int, GeneratedSpec]]:
        """The puzzles, each with its rank."""
        options, board = self.options, self.board
        self.green = board.green(options.green)
        self.free = [cell for cell in board.grid.cells if cell not in self.green]
        self.swaps = options.swaps or max(
            1, min(len(board.grid.cells) // 2, round(0.7 * len(self.free)))
        )
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
        self.words = frozenset(
            word for length in self.fills.tables for word in against.of_length(length)
        )
        for table in self.fills.tables.values():
            for word in table.words:
                if word not in self.words:
                    raise InputError(
                        f"--against {self.against}: it lacks the word {word} of --lexicon"
                    )

    def _puzzle(self, number: int) -> tuple[int, GeneratedSpec] | None:
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
                if (
                    not exchanged_words(
                        self.board, candidate.letters, answer, candidate.colours, self.words
                    )
                    and len(self.tools.solutions(text)) == 1
                ):
                    self._seen.add(fill)
                    self.used.update(fill)
                    return candidate.rank, GeneratedSpec(
                        f"{self.tools.type_.name}-{self.tools.seed}-{number}", text
                    )
                self.dropped["had another answer"] += 1
        raise Stopped(
            f"{tries:,} shuffles in a row gave no puzzle; try another --green or --swaps, or --scramble exchanges"
        )

    def _candidates(self, answer: Letters, random: Random) -> Iterator[_Candidate]:
        """Shuffles with the required optimum and no forced cell; the best ones if ranked."""
        found = filter(None, (self._candidate(answer, random) for _ in range(self.per_fill)))
        if self.options.hard or self.options.easy:
            return iter(sorted(found, key=lambda candidate: candidate.rank)[:RANKED])
        return found

    def _candidate(self, answer: Letters, random: Random) -> _Candidate | None:
        letters = self._scrambled(answer, random)
        if fewest_exchanges(letters, answer) != self.swaps:
            self.dropped["required another number of swaps"] += 1
            return None
        colours = self.board.colours(letters, answer)
        if not self.options.allow_forced and forced(self.board, letters, answer, colours):
            self.dropped["had a cell that colours may force"] += 1
            return None
        yellows = sum(
            mark == Mark.YELLOW and len(self.board.slots_of[cell]) == 1
            for cell, mark in colours.items()
        )
        return _Candidate(letters, colours, -yellows if self.options.easy else yellows)

    def _scrambled(self, answer: Letters, random: Random) -> Letters:
        options = self.options
        if options.scramble == "exchanges":
            return _exchanged(answer, self.free, self.swaps, random)
        letters = _shuffled(answer, self.free, self.swaps, random)
        if options.colours == "any" or options.hard or options.easy:
            return letters
        return _coloured(self.board, letters, answer, self.free, self.swaps, random)

    def _spec(self, number: int, made: _Candidate, answer: Letters) -> str:
        rows = self.board.rows
        start = {
            "puzzle": self.tools.type_.name,
            "title": f"Seed {self.tools.seed}, number {number}",
            "letters": rows(made.letters),
            "colours": rows(made.colours),
        }
        words = (
            ""
            if self.against == "english"
            else f"words: {json.dumps(from_anywhere(self.against), ensure_ascii=False)}\n"
        )
        expect = {"solutions": 1, "swaps": self.swaps, "answer": rows(answer)}
        return spec_text(start) + words + spec_text({"expect": expect})

    def nothing(self) -> str:
        """The message that there is no puzzle."""
        demanded = ", ".join(self.fills.demanded)
        return f"proven: the board cannot be filled with these words{f' and {demanded}' if demanded else ''}"

    def report(self) -> None:
        """Report how many puzzles were kept and dropped, and why."""
        if not self.kept and not self.dropped:
            return
        dropped = ", ".join(
            f"{number:,} {reason}" for reason, number in sorted(self.dropped.items())
        )
        self.tools.report(
            f"{self.kept:,} kept, {self.dropped.total():,} dropped{': ' if dropped else ''}{dropped}"
        )


def _against(words: str, shortest: int) -> str:
    """The largest lexicon of the language.

    With short words, it is not english-wide, which has nearly every text of three letters: no
    puzzle of these has a single answer.
    """
    large = largest(words)
    return (
        large
        if shortest >= SHORT or "english-wide" in words
        else large.replace("english-wide", "english")
    )


def _shuffled(answer: Letters, free: Sequence[Cell], swaps: int, random: Random) -> Letters:
    """The free letters shuffled, then exchanged to approach the required number of swaps."""
    order = [answer[cell] for cell in free]
    random.shuffle(order)
    letters = {**answer, **dict(zip(free, order))}
    needed = fewest_exchanges(letters, answer)
    for _ in range(len(free)):
        if needed == swaps:
            break
        one, other = (free[random.randrange(len(free))] for _ in range(2))
        nearer = {**letters, one: letters[other], other: letters[one]}
        after = fewest_exchanges(nearer, answer)
        if abs(after - swaps) <= abs(needed - swaps):
            letters, needed = nearer, after
    return letters


def _coloured(
    board: Board,
    letters: Letters,
    answer: Letters,
    free: Sequence[Cell],
    swaps: int,
    random: Random,
) -> Letters:
    """Exchange free letters until there are about as many greens and yellows as in the game's own
    puzzles.
    """
    greens = random.choice(GREENS)
    yellows = round(YELLOWS * (len(free) - greens)) + random.choice(SPREAD)
    colours = board.colours(letters, answer)

    def away(shown: Colours) -> int:
        marks = [shown[cell] for cell in free]
        return abs(marks.count(Mark.GREEN) - greens) + abs(marks.count(Mark.YELLOW) - yellows)

    distance, needed = away(colours), fewest_exchanges(letters, answer)
    for _ in range(EXCHANGES * len(free)):
        if distance == 0 and needed == swaps:
            break
        one, other = random.sample(free, 2)
        if letters[one] == letters[other]:
            continue
        changed = {**letters, one: letters[other], other: letters[one]}
        slots = dict.fromkeys((*board.slots_of[one], *board.slots_of[other]))
        around = dict.fromkeys(
            n for slot in slots for cell in board.slots[slot] for n in board.slots_of[cell]
        )
        seen = board.colours(changed, answer, around)
        shown = {**colours, **{cell: seen[cell] for slot in slots for cell in board.slots[slot]}}
        if away(shown) > distance:
            continue
        after = fewest_exchanges(changed, answer) if away(shown) == 0 else needed
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
        needed = fewest_exchanges(letters, answer)
    return letters


def _fills(maker: _Maker, options: SimpleNamespace, tools: Tools) -> Iterator[GeneratedSpec]:
    """Print boards of words, or only their number."""
    if options.out is not None or options.html is not None:
        raise InputError("--fills cannot be combined with --out or --html")
    if options.swaps or options.hard or options.easy or options.allow_forced or options.against:
        raise InputError(
            "--fills cannot be combined with --swaps, --hard, --easy, --allow-forced or --against"
        )
    total = 0
    if options.number:
        total = sum(1 for _ in maker.fills.every())
        if total:
            yield GeneratedSpec("number", f"{total}\n")
    else:
        fills: Iterable[Fill | None] = (
            maker.fills.every()
            if options.all
            else (maker.fill(tools.random(i)) for i in range(1, options.count + 1))
        )
        for fill in fills:
            if fill is None:
                break
            total += 1
            rows = maker.board.rows(maker.board.letters(fill))
            yield GeneratedSpec(f"fill-{total}", "".join(f"{row}\n" for row in rows), separator="\n")
    tools.report(
        f"{total:,} {'board' if total == 1 else 'boards'} of words" if total else maker.nothing()
    )
