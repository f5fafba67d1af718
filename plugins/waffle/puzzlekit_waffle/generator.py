"""Generate waffles: write words into a lattice, then shuffle and colour their letters.

A puzzle is accepted if it requires exactly --swaps swaps (proven), if its colours have one answer
among the words of --against, and if colours alone force no cell. A cell that is not green is not
forced if two or three cells of the answer, among them this one, can exchange their letters without
a change of colours. At the end the generator reports how many puzzles it dropped, and why.
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
from puzzlekit.making import GeneratedSpec, Parameter, Tools, positive
from puzzlekit.sentences import counted
from puzzlekit_waffle.board import Board, Colours, Letters, exchanged_words, forced, read_board
from puzzlekit_waffle.exchanges import fewest_exchanges

LISTED = 100_000  # steps to list all fills; beyond that they are drawn by search
TRIES = 2_000  # shuffles that may be dropped in a row
PER_FILL = 20  # shuffles tried per fill with --hard or --easy
SHORT = 5  # letters of a word below which too many names and abbreviations are words
FEW = 8  # otherwise: another fill is quicker found than a shuffle without forced cells
RANKED = 5  # of those, solved with --hard or --easy
GREENS = (0, 1, 1, 2, 2)  # letters in place by chance, as often as in the game's own puzzles
# Of the cells that may move and are not green; in the game's own puzzles 0.37 to 0.41.
YELLOWS = 0.37
SPREAD = (-1, 0, 0, 1, 2)  # how much their number differs from puzzle to puzzle
EXCHANGES = 6  # tried per cell that may move, for these numbers


def _size(text: str) -> tuple[int, int]:
    numbers = re.fullmatch(r"(\d{1,2})[x×](\d{1,2})", text)
    rows, columns = map(int, numbers.groups()) if numbers else (0, 0)
    if min(rows, columns) < 2 or max(rows, columns) > 25:
        raise InputError(f"expected a size such as 5x5, with 2 to 25 rows and columns, got {text}")
    return rows, columns


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
        "cells that keep their letter: none, corners, crossings, r1c1,r3c3, or game: "
        "corners and middle, from 7x7 on crossings except corners",
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
        "as many greens and yellows as in the game's own puzzles, or as they fall; "
        "{default} by default",
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
    generator = _PuzzleGenerator(options, tools)
    if options.fills:
        yield from _fills(generator, options, tools)
        return
    if options.all or options.number:
        raise InputError("--all and --number require --fills")
    ranked: Iterable[tuple[int, GeneratedSpec]] = generator.puzzles()
    try:
        if options.hard or options.easy:
            ranked = sorted(ranked, key=lambda pair: pair[0])
        yield from (spec for _, spec in ranked)
    finally:
        generator.report()


@dataclass
class _Candidate:
    letters: Letters
    colours: Colours
    rank: int  # lowest first


class _PuzzleGenerator:
    """Generates puzzles one by one, and counts the dropped ones."""

    def __init__(self, options: SimpleNamespace, tools: Tools) -> None:
        self.options = options
        self.tools = tools
        self.board = Board(read_board(options.size, options.solid, options.board))
        words = writable(options.lexicon, options.common, options.allow_offensive)
        lengths = sorted({len(slot) for slot in self.board.slots})
        for length in lengths:
            if not words.get(length):
                raise InputError(
                    f"{options.lexicon} has no words of {length} letters, which this board needs"
                )
        demanded: list[str] = []
        for text in vars(options)["with"]:
            demanded += filter(None, re.split(r"[\s,]+", text))
        self.fills = Fills(self.board.slots, words, demanded, self.board.mirror)
        self.per_fill = PER_FILL if options.hard or options.easy else FEW
        self.against = str(options.against or _against(options.lexicon, lengths[0]))
        self.dropped: Counter[str] = Counter()
        self.accepted = 0
        self._all_fills: list[Fill] | None = None
        self._listed = False
        self._seen: set[Fill] = set()
        self.used: Counter[str] = Counter()  # words of the accepted puzzles

    def fill(self, random: Random) -> Fill | None:
        """Return a random fill, uniform if all can be listed; None if there is none."""
        if not self._listed:
            self._listed = True
            try:
                self._all_fills = list(self.fills.every(None if self.options.uniform else LISTED))
            except Stopped:
                self.tools.report("too many fills to list: they are drawn by search, not uniformly")
        if self._all_fills is None:
            return self.fills.balanced(random, self.used)
        if not self._all_fills:
            return None
        return self._all_fills[random.randrange(len(self._all_fills))]

    def puzzles(self) -> Iterator[tuple[int, GeneratedSpec]]:
        """Yield the puzzles, each with its rank."""
        options, cells = self.options, self.board.grid.cells
        self.green = self.board.green(options.green)
        self.free = [cell for cell in cells if cell not in self.green]
        usual_swaps = min(len(cells) // 2, round(0.7 * len(self.free)))
        self.swaps = options.swaps or max(1, usual_swaps)
        if self.swaps >= len(self.free):
            raise InputError(
                f"{self.swaps} swaps are impossible with {len(self.free)} cells that may move; "
                "change --green or --swaps"
            )
        self._check_lexicon()
        for number in range(1, options.count + 1):
            puzzle = self._puzzle(number)
            if puzzle is None:
                return
            self.accepted += 1
            yield puzzle

    def _check_lexicon(self) -> None:
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
        """Return a puzzle with its rank; None if the board has no fill."""
        random = self.tools.random(number)
        tries = 0
        while tries < TRIES:
            fill = self.fill(random)
            if fill is None:
                self.tools.report(self.no_fill_message())
                return None
            tries += self.per_fill
            if fill in self._seen and not self._all_are_seen():
                continue
            answer = self.board.letters(fill)
            for candidate in self._candidates(answer, random):
                text = self._spec(number, candidate, answer)
                if self._has_one_answer(candidate, answer, text):
                    self._seen.add(fill)
                    self.used.update(fill)
                    name = f"{self.tools.type_.name}-{self.tools.seed}-{number}"
                    return candidate.rank, GeneratedSpec(name, text)
                self.dropped["had another answer"] += 1
        raise Stopped(
            f"{tries:,} shuffles in a row gave no puzzle; "
            "try another --green or --swaps, or --scramble exchanges"
        )

    def _all_are_seen(self) -> bool:
        """Return whether each fill of the board was used."""
        return self._all_fills is not None and len(self._seen) >= len(self._all_fills)

    def _has_one_answer(self, candidate: _Candidate, answer: Letters, text: str) -> bool:
        letters, colours = candidate.letters, candidate.colours
        if exchanged_words(self.board, letters, answer, colours, self.words):
            return False
        return len(self.tools.solutions(text)) == 1

    def _candidates(self, answer: Letters, random: Random) -> Iterator[_Candidate]:
        """Yield shuffles with the required optimum and no forced cell; the best ones if ranked."""
        shuffles = (self._candidate(answer, random) for _ in range(self.per_fill))
        candidates = filter(None, shuffles)
        if self.options.hard or self.options.easy:
            return iter(sorted(candidates, key=lambda candidate: candidate.rank)[:RANKED])
        return candidates

    def _candidate(self, answer: Letters, random: Random) -> _Candidate | None:
        letters = self._scrambled(answer, random)
        if fewest_exchanges(letters, answer) != self.swaps:
            self.dropped["required another number of swaps"] += 1
            return None
        colours = self.board.colours(letters, answer)
        if not self.options.allow_forced and forced(self.board, letters, answer, colours):
            self.dropped["had a cell that colours may force"] += 1
            return None
        yellows = 0
        for cell, mark in colours.items():
            yellows += mark == Mark.YELLOW and len(self.board.slots_of[cell]) == 1
        return _Candidate(letters, colours, -yellows if self.options.easy else yellows)

    def _scrambled(self, answer: Letters, random: Random) -> Letters:
        options = self.options
        if options.scramble == "exchanges":
            return _exchanged(answer, self.free, self.swaps, random)
        letters = _shuffled(answer, self.free, self.swaps, random)
        if options.colours == "any" or options.hard or options.easy:
            return letters
        return _coloured(self.board, letters, answer, self.free, self.swaps, random)

    def _spec(self, number: int, candidate: _Candidate, answer: Letters) -> str:
        rows = self.board.rows
        start = {
            "puzzle": self.tools.type_.name,
            "title": f"Seed {self.tools.seed}, number {number}",
            "letters": rows(candidate.letters),
            "colours": rows(candidate.colours),
        }
        words = ""
        if self.against != "english":
            lexicon = json.dumps(from_anywhere(self.against), ensure_ascii=False)
            words = f"words: {lexicon}\n"
        expect = {"solutions": 1, "swaps": self.swaps, "answer": rows(answer)}
        return spec_text(start) + words + spec_text({"expect": expect})

    def no_fill_message(self) -> str:
        """Return the message that there is no puzzle."""
        message = "proven: the board cannot be filled with these words"
        if self.fills.demanded:
            message += f" and {', '.join(self.fills.demanded)}"
        return message

    def report(self) -> None:
        """Report how many puzzles were kept and dropped, and why."""
        if not self.accepted and not self.dropped:
            return
        reasons = [f"{number:,} {reason}" for reason, number in sorted(self.dropped.items())]
        message = f"{self.accepted:,} kept, {self.dropped.total():,} dropped"
        if reasons:
            message += f": {', '.join(reasons)}"
        self.tools.report(message)


def _against(words: str, shortest: int) -> str:
    """Return the largest lexicon of the language.

    With short words, it is not english-wide, which has nearly every text of three letters: no
    puzzle of these has a single answer.
    """
    lexicon = largest(words)
    if shortest >= SHORT or "english-wide" in words:
        return lexicon
    return lexicon.replace("english-wide", "english")


def _shuffled(answer: Letters, free: Sequence[Cell], swaps: int, random: Random) -> Letters:
    """Return the free letters shuffled, then exchanged to approach the required number of swaps."""
    order = [answer[cell] for cell in free]
    random.shuffle(order)
    letters = {**answer, **dict(zip(free, order))}
    needed = fewest_exchanges(letters, answer)
    for _ in range(len(free)):
        if needed == swaps:
            break
        first = free[random.randrange(len(free))]
        second = free[random.randrange(len(free))]
        exchanged = _exchange(letters, first, second)
        needed_after = fewest_exchanges(exchanged, answer)
        if abs(needed_after - swaps) <= abs(needed - swaps):
            letters, needed = exchanged, needed_after
    return letters


def _exchange(letters: Letters, first: Cell, second: Cell) -> Letters:
    """Return letters of which two are exchanged."""
    return {**letters, first: letters[second], second: letters[first]}


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

    def distance_of(colours: Colours) -> int:
        marks = [colours[cell] for cell in free]
        excess_greens = marks.count(Mark.GREEN) - greens
        excess_yellows = marks.count(Mark.YELLOW) - yellows
        return abs(excess_greens) + abs(excess_yellows)

    distance = distance_of(colours)
    needed = fewest_exchanges(letters, answer)
    for _ in range(EXCHANGES * len(free)):
        if distance == 0 and needed == swaps:
            break
        first, second = random.sample(free, 2)
        if letters[first] == letters[second]:
            continue
        changed = _exchange(letters, first, second)
        changed_colours = _colours_after(board, colours, changed, answer, (first, second))
        changed_distance = distance_of(changed_colours)
        if changed_distance > distance:
            continue
        needed_after = needed
        if changed_distance == 0:
            needed_after = fewest_exchanges(changed, answer)
        if changed_distance < distance or abs(needed_after - swaps) <= abs(needed - swaps):
            letters, colours = changed, changed_colours
            distance, needed = changed_distance, needed_after
    return letters


def _colours_after(
    board: Board,
    colours: Colours,
    letters: Letters,
    answer: Letters,
    changed_cells: Sequence[Cell],
) -> Colours:
    """Return the colours of letters of which some were changed; other slots keep their colours."""
    slots = dict.fromkeys(slot for cell in changed_cells for slot in board.slots_of[cell])
    cells = [cell for slot in slots for cell in board.slots[slot]]
    slots_around = dict.fromkeys(slot for cell in cells for slot in board.slots_of[cell])
    marked = board.colours(letters, answer, slots_around)
    return {**colours, **{cell: marked[cell] for cell in cells}}


def _exchanged(answer: Letters, free: Sequence[Cell], swaps: int, random: Random) -> Letters:
    """Return free letters exchanged in pairs until the required number of swaps leads back."""
    letters = dict(answer)
    needed = 0
    for _ in range(50 * len(free)):
        if needed == swaps:
            break
        first = free[random.randrange(len(free))]
        second = free[random.randrange(len(free))]
        letters = _exchange(letters, first, second)
        needed = fewest_exchanges(letters, answer)
    return letters


def _fills(
    generator: _PuzzleGenerator, options: SimpleNamespace, tools: Tools
) -> Iterator[GeneratedSpec]:
    """Print boards of words, or only their number."""
    if options.out is not None or options.html is not None:
        raise InputError("--fills cannot be combined with --out or --html")
    if options.swaps or options.hard or options.easy or options.allow_forced or options.against:
        raise InputError(
            "--fills cannot be combined with --swaps, --hard, --easy, --allow-forced or --against"
        )
    total = 0
    if options.number:
        total = sum(1 for _ in generator.fills.every())
        if total:
            yield GeneratedSpec("number", f"{total}\n")
    else:
        for fill in _requested_fills(generator, options, tools):
            if fill is None:
                break
            total += 1
            rows = generator.board.rows(generator.board.letters(fill))
            text = "".join(f"{row}\n" for row in rows)
            yield GeneratedSpec(f"fill-{total}", text, separator="\n")
    if total:
        tools.report(f"{counted(total, 'board')} of words")
    else:
        tools.report(generator.no_fill_message())


def _requested_fills(
    generator: _PuzzleGenerator, options: SimpleNamespace, tools: Tools
) -> Iterable[Fill | None]:
    """Return all fills with --all, else as many random ones as are wanted."""
    if options.all:
        return generator.fills.every()
    return (generator.fill(tools.random(number)) for number in range(1, options.count + 1))
