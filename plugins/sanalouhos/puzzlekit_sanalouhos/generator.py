"""Generate boards of letters that words cover in exactly one way.

The generator draws a random walk over all cells, cuts it into as many paths as there are words, and
writes words along the paths, preferring rare letters. It replaces words until few words of the
lexicon can be traced on the board, then solves the board with the words of --against. If there are
other covers, it replaces a word that one of them lacks, and keeps the new word unless that adds
covers. After some attempts it draws another walk. At the end it reports how many boards it dropped.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any

from puzzlekit.boards import Cell, board
from puzzlekit.errors import InputError, LexiconError, Stopped
from puzzlekit.libraries.words import from_anywhere, largest, load, word_paths, writable
from puzzlekit.making import GeneratedSpec, Parameter, Tools, positive

Words = Mapping[int, Sequence[str]]
Paths = Sequence[Sequence[Cell]]

WORDS = "finnish-familiar"
LARGEST = 400  # cells
USUAL = 6  # letters per word, without --words-wanted
WALKS = 20  # walks for one board
CHANGES = 100  # words replaced on one walk
TILES = 8  # traced words per cell below which a board is solved; more give too many covers
SEEN = 40  # covers examined for the words they lack
LENGTHS = 200  # attempts to draw lengths


def _size(text: str) -> tuple[int, int]:
    numbers = re.fullmatch(r"(\d{1,2})[x×](\d{1,2})", text)
    rows, columns = map(int, numbers.groups()) if numbers else (0, 0)
    if min(rows, columns) < 2 or rows * columns > LARGEST:
        raise InputError(
            "expected a size such as 6x5, with 2 or more rows and columns and at most "
            f"{LARGEST} cells, got {text}"
        )
    return rows, columns


GROUP = "the board and its words"
OPTIONS = (
    Parameter("size", "the size; {default} by default", _size, "6x5", "ROWSxCOLUMNS", group=GROUP),
    Parameter(
        "words-wanted",
        "the number of words; by default a sixth of the number of cells",
        positive,
        metavar="N",
        group=GROUP,
    ),
    Parameter("lexicon", f"the words to write; {WORDS} by default", metavar="LEXICON", group=GROUP),
    Parameter("allow-offensive", "also write words that offend", bool, group=GROUP),
    Parameter(
        "unique",
        "what is the only one: the sets of cells, or also the word and the path on each of them; "
        "{default} by default",
        default="cells",
        choices=("cells", "paths"),
        group=GROUP,
    ),
    Parameter(
        "common",
        "use only the N most common words of each length",
        positive,
        metavar="N",
        group=GROUP,
    ),
    Parameter(
        "against",
        "the lexicon for which the cover is unique; by default the largest of the language",
        metavar="LEXICON",
        group=GROUP,
    ),
    Parameter(
        "shortest",
        "the length of the shortest word; {default} by default",
        positive,
        "4",
        "N",
        group=GROUP,
    ),
    Parameter(
        "moves",
        "moves to eight neighbours or to four; {default} by default",
        default="king",
        choices=("king", "rook"),
        group=GROUP,
    ),
)


def generate(options: SimpleNamespace, tools: Tools) -> Iterator[GeneratedSpec]:
    """Generate boards."""
    generator = _BoardGenerator(options, tools)
    try:
        for number in range(1, options.count + 1):
            yield generator.board(number)
    finally:
        tools.report(
            f"{generator.accepted:,} kept; {generator.dropped:,} boards dropped because they had "
            "another cover"
        )


@dataclass
class _Best:
    """The best words that were found for a walk.

    Attributes:
        words: The words.
        defects: The number of covers, and of words that are not in all covers.
        loose: The positions of those words.
    """

    words: list[str]
    defects: tuple[int, int]
    loose: list[int]


class _BoardGenerator:
    """Generates boards one by one, and counts the dropped ones."""

    def __init__(self, options: SimpleNamespace, tools: Tools) -> None:
        self.options = options
        self.tools = tools
        self.rows, self.columns = options.size
        self.cells = self.rows * self.columns
        usual_number = max(1, round(self.cells / USUAL))
        self.required = options.words_wanted or usual_number
        if options.lexicon is None:
            options.lexicon = self._usual_words()
        self.against = options.against or _largest_of_words(options.lexicon)
        self.lexicon = load(self.against)
        self.words = self._words()
        self.usual = Counter(letter for word in self.lexicon for letter in word)
        grid = board(self.rows, self.columns)
        self.neighbours = cache(grid.around if options.moves == "king" else grid.neighbours)
        self.accepted = self.dropped = 0

    def _usual_words(self) -> str:
        """Return the common words of Finnish if there is such a lexicon, else all."""
        try:
            load(WORDS)
        except LexiconError as error:
            self.tools.report(f"the words are not only common ones: {error}")
            return largest(WORDS)
        return WORDS

    def _words(self) -> Words:
        """Return the words to write, by length. Raises InputError if they cannot cover the
        board.
        """
        options = self.options
        all_words = writable(options.lexicon, options.common, options.allow_offensive)
        words = {
            length: of_length
            for length, of_length in all_words.items()
            if of_length and options.shortest <= length <= self.cells
        }
        for of_length in words.values():
            for word in of_length:
                if word not in self.lexicon:
                    raise InputError(
                        f"--against {self.against}: it lacks the word {word} of --lexicon"
                    )
        lengths = "of no suitable length"
        if words:
            shortest, longest = min(words), max(words)
            if self.required * shortest <= self.cells <= self.required * longest:
                return words
            lengths = f"of {shortest} to {longest} letters"
        raise InputError(
            f"{self.required} words cannot cover {self.cells} cells: {options.lexicon} has "
            f"words {lengths}"
        )

    def board(self, number: int) -> GeneratedSpec:
        """Return a board with one cover. Raises Stopped after too many attempts."""
        random = self.tools.random(number)
        for _ in range(WALKS):
            paths = self._paths(random)
            text = self._board_on(paths, number, random)
            if text is not None:
                self.accepted += 1
                name = f"{self.tools.type_.name}-{self.tools.seed}-{number}"
                return GeneratedSpec(name, text)
        raise Stopped(
            f"{WALKS * CHANGES:,} boards in a row had another cover; try longer words or a larger "
            "--shortest"
        )

    def _board_on(self, paths: Paths, number: int, random: Random) -> str | None:
        """Return the spec of a board with words along these paths and one cover, or None."""
        words = self._sparse(paths, random)
        best = _Best(list(words), (SEEN, len(words)), list(range(len(paths))))
        for _ in range(CHANGES):
            text = self._spec(number, paths, words)
            covers = [cover["use"] for cover in self.tools.solutions(text, SEEN)]
            loose = _loose(paths, words, covers)
            if len(covers) == 1 and not loose and self.options.unique == "paths":
                loose = self._ambiguous(paths, words)
            if len(covers) == 1 and not loose:
                return text + _expected(covers[0])
            self.dropped += 1
            defects = (len(covers), len(loose))
            if defects <= best.defects:
                best = _Best(list(words), defects, loose)
            words = list(best.words)
            position = random.choice(best.loose)
            words[position] = self._drawn(len(words[position]), random)
        return None

    def _drawn(self, length: int, random: Random) -> str:
        """Return the word with the rarer letters of two random words."""
        words = self.words[length]

        def commonness(word: str) -> float:
            return sum(map(self.usual.__getitem__, word)) / length

        return min(random.choice(words), random.choice(words), key=commonness)

    def _sparse(self, paths: Paths, random: Random) -> list[str]:
        """Return words for the paths, replaced one by one until few words can be traced on the
        board.
        """
        words = [self._drawn(len(path), random) for path in paths]
        tiles = self._tiles(paths, words)
        for _ in range(CHANGES * len(paths)):
            if tiles <= TILES * self.cells:
                break
            changed = list(words)
            position = random.randrange(len(paths))
            changed[position] = self._drawn(len(words[position]), random)
            changed_tiles = self._tiles(paths, changed)
            if changed_tiles <= tiles:
                words, tiles = changed, changed_tiles
        return words

    def _tiles(self, paths: Paths, words: Sequence[str]) -> int:
        """Return the number of words that can be traced on the board."""
        letters = _letters(paths, words)
        return len(word_paths(letters, self.neighbours, self.lexicon, self.options.shortest))

    def _ambiguous(self, paths: Paths, words: Sequence[str]) -> list[int]:
        """Return the positions of words on whose cells there is another word, or another path of
        the same one.
        """
        letters = _letters(paths, words)
        tiles = word_paths(letters, self.neighbours, self.lexicon, self.options.shortest)
        counts = {frozenset(tile.cells): tile.path_count for tile in tiles}
        ambiguous = []
        for position, path in enumerate(paths):
            if counts[frozenset(path)] > 1:
                ambiguous.append(position)
        return ambiguous

    def _paths(self, random: Random) -> Paths:
        """Return a random walk over the board, cut into the paths of the words."""
        walk = random_walk(self.rows, self.columns, self.options.moves, random)
        paths = []
        start = 0
        for length in self._lengths(random):
            paths.append(walk[start : start + length])
            start += length
        return paths

    def _lengths(self, random: Random) -> list[int]:
        """Return lengths of words that add up to the number of cells."""
        shortest = min(self.words)
        average = -(-self.cells // self.required)
        longest = max(2 * self.cells // self.required - shortest, average)
        longest = min(max(self.words), longest)
        for _ in range(LENGTHS):
            lengths: list[int] = []
            remaining = self.cells
            for words_after in reversed(range(self.required)):
                low = max(shortest, remaining - words_after * longest)
                high = min(longest, remaining - words_after * shortest)
                lengths.append(random.randint(low, high))
                remaining -= lengths[-1]
            if all(length in self.words for length in lengths):
                random.shuffle(lengths)
                return lengths
        raise Stopped(
            f"found no {self.required} lengths of words that add up to {self.cells} cells"
        )

    def _spec(self, number: int, paths: Paths, words: Sequence[str]) -> str:
        letters = _letters(paths, words)
        block = ""
        for row in range(1, self.rows + 1):
            cells = [Cell(row, column) for column in range(1, self.columns + 1)]
            line = " ".join([letters[cell] for cell in cells])
            block += f"  {line}\n"
        if len(block.upper()) == len(block):
            block = block.upper()
        lexicon = from_anywhere(self.against)
        return (
            f"puzzle: {self.tools.type_.name}\n"
            f"title: Seed {self.tools.seed}, number {number}\n"
            f"letters: |\n{block}"
            f"words: {_plain(lexicon)}\n"
            f"shortest: {self.options.shortest}\n"
            f"moves: {self.options.moves}\n"
        )


def _largest_of_words(expression: str) -> str:
    """Return the largest lexicon of the language, but without the names and misspellings of
    english-wide.

    So many of them can be traced on any board that none has a single cover.
    """
    if "english-wide" in expression:
        return expression
    return largest(expression).replace("english-wide", "english")


def _letters(paths: Paths, words: Sequence[str]) -> dict[Cell, str]:
    letters: dict[Cell, str] = {}
    for path, word in zip(paths, words):
        letters.update(zip(path, word))
    return letters


def _loose(paths: Paths, words: Sequence[str], covers: Sequence[Any]) -> list[int]:
    """Return the positions of words that occur twice or are missing from some cover."""
    tiles = [{frozenset(tile["cells"]) for tile in cover} for cover in covers]
    loose = []
    for position, path in enumerate(paths):
        cells = frozenset(map(str, path))
        is_missing = any(cells not in cover for cover in tiles)
        if is_missing or words.count(words[position]) > 1:
            loose.append(position)
    return loose


def _plain(text: str) -> str:
    """Return a text as YAML, quoted unless it is a plain name."""
    return text if re.fullmatch(r"[\w-]+", text) else json.dumps(text, ensure_ascii=False)


def _expected(cover: Sequence[Mapping[str, Sequence[str]]]) -> str:
    text = "expect:\n  solutions: 1\n  answer:\n"
    for tile in cover:
        words, cells = ", ".join(tile["words"]), ", ".join(tile["cells"])
        text += f"    - {{words: [{words}], cells: [{cells}]}}\n"
    return text


def random_walk(rows: int, columns: int, moves: str, random: Random) -> list[Cell]:
    """Return a random walk that visits each cell of a board once.

    The walk begins as a path back and forth. Repeatedly, one end is joined to a neighbouring cell,
    and the loop that results is opened on the other side of that cell (Mansfield's *backbite*
    move), so the walk still visits each cell.
    """
    grid = board(rows, columns)
    neighbours = grid.around if moves == "king" else grid.neighbours
    walk: list[Cell] = []
    for row in range(1, rows + 1):
        cells = [Cell(row, column) for column in range(1, columns + 1)]
        walk += cells if row % 2 else reversed(cells)
    positions = {cell: position for position, cell in enumerate(walk)}
    for _ in range(10 * len(walk)):
        if random.random() < 0.5:
            walk.reverse()
            positions = {cell: position for position, cell in enumerate(walk)}
        start = positions[random.choice(neighbours(walk[-1]))] + 1
        walk[start:] = reversed(walk[start:])
        for position in range(start, len(walk)):
            positions[walk[position]] = position
    return walk
