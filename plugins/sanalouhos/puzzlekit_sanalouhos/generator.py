"""Generate boards of letters that words cover in exactly one way.

The generator draws a random walk over all cells, cuts it into as many parts as there are words, and
writes words along the parts, preferring rare letters. It replaces words until few words of the
lexicon can be traced on the board, then solves the board with the words of --against. If there are
other covers, it replaces a word that one of them lacks, and keeps the new word unless that adds
covers. After some attempts it draws another walk. At the end it reports how many boards it dropped.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any

from puzzlekit.boards import Cell, board
from puzzlekit.errors import InputError, LexiconError, Stopped
from puzzlekit.libraries.words import from_anywhere, largest, load, word_paths, writable
from puzzlekit.making.generators import GeneratedSpec, Parameter, Tools, positive

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
    found = re.fullmatch(r"(\d{1,2})[x×](\d{1,2})", text)
    if (
        not found
        or min(int(found[1]), int(found[2])) < 2
        or int(found[1]) * int(found[2]) > LARGEST
    ):
        raise InputError(
            f"expected a size such as 6x5, with 2 or more rows and columns and at most {LARGEST} cells, got {text}"
        )
    return int(found[1]), int(found[2])


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
        "what is the only one: the sets of cells, or also the word and the path on each of them; {default} by default",
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
    maker = _Maker(options, tools)
    try:
        for number in range(1, options.count + 1):
            yield maker.made(number)
    finally:
        tools.report(
            f"{maker.kept:,} kept; {maker.dropped:,} boards dropped because they had another cover"
        )


class _Maker:
    """Generates boards one by one, and counts the dropped ones."""

    def __init__(self, options: SimpleNamespace, tools: Tools) -> None:
        self.options = options
        self.tools = tools
        self.rows, self.columns = options.size
        self.cells = self.rows * self.columns
        self.required = options.words_wanted or max(1, round(self.cells / USUAL))
        if options.lexicon is None:
            options.lexicon = self._usual_words()
        self.against = options.against or _largest_of_words(options.lexicon)
        self.lexicon = load(self.against)
        self.words = self._words()
        self.usual = Counter(letter for word in self.lexicon for letter in word)
        grid = board(self.rows, self.columns)
        self.near = cache(grid.around if options.moves == "king" else grid.neighbours)
        self.kept = self.dropped = 0

    def _usual_words(self) -> str:
        """The common words of Finnish if they are known, else all."""
        try:
            load(WORDS)
        except LexiconError as error:
            self.tools.report(f"the words are not only common ones: {error}")
            return largest(WORDS)
        return WORDS

    def _words(self) -> Words:
        """The words to write, by length. Raises InputError if they cannot cover the board."""
        options = self.options
        every = writable(options.lexicon, options.common, options.allow_offensive)
        words = {
            n: found for n, found in every.items() if found and options.shortest <= n <= self.cells
        }
        foreign = next(
            (word for found in words.values() for word in found if word not in self.lexicon), None
        )
        if foreign is not None:
            raise InputError(f"--against {self.against}: it lacks the word {foreign} of --lexicon")
        if not words or not self.required * min(words) <= self.cells <= self.required * max(words):
            lengths = (
                f"of {min(words)} to {max(words)} letters" if words else "of no suitable length"
            )
            raise InputError(
                f"{self.required} words cannot cover {self.cells} cells: {options.lexicon} has words {lengths}"
            )
        return words

    def made(self, number: int) -> GeneratedSpec:
        """A board with one cover. Raises Stopped after too many attempts."""
        random = self.tools.random(number)
        for _ in range(WALKS):
            paths = self._paths(random)
            kept = self._sparse(paths, random)
            words, least, loose = list(kept), (SEEN, len(kept)), list(range(len(paths)))
            for _ in range(CHANGES):
                text = self._spec(number, paths, words)
                covers = [cover["use"] for cover in self.tools.solutions(text, SEEN)]
                lacking = _loose(paths, words, covers)
                if len(covers) == 1 and not lacking and self.options.unique == "paths":
                    lacking = self._ambiguous(paths, words)
                if len(covers) == 1 and not lacking:
                    self.kept += 1
                    return GeneratedSpec(
                        f"{self.tools.type_.name}-{self.tools.seed}-{number}",
                        text + _expected(covers[0]),
                    )
                self.dropped += 1
                if (len(covers), len(lacking)) <= least:
                    kept, least, loose = list(words), (len(covers), len(lacking)), lacking
                words = list(kept)
                place = random.choice(loose)
                words[place] = self._drawn(len(words[place]), random)
        raise Stopped(
            f"{WALKS * CHANGES:,} boards in a row had another cover; try longer words or a larger --shortest"
        )

    def _drawn(self, length: int, random: Random) -> str:
        """The word with the rarer letters of two random words."""
        words = self.words[length]
        return min(
            random.choice(words),
            random.choice(words),
            key=lambda word: sum(map(self.usual.__getitem__, word)) / length,
        )

    def _sparse(self, paths: Paths, random: Random) -> list[str]:
        """Words for the paths, replaced one by one until few words can be traced on the board."""
        words = [self._drawn(len(path), random) for path in paths]
        tiles = self._tiles(paths, words)
        for _ in range(CHANGES * len(paths)):
            if tiles <= TILES * self.cells:
                break
            place = random.randrange(len(paths))
            changed = [*words[:place], self._drawn(len(words[place]), random), *words[place + 1 :]]
            if (left := self._tiles(paths, changed)) <= tiles:
                words, tiles = changed, left
        return words

    def _tiles(self, paths: Paths, words: Sequence[str]) -> int:
        """The number of words that can be traced on the board."""
        return len(
            word_paths(_letters(paths, words), self.near, self.lexicon, self.options.shortest)
        )

    def _ambiguous(self, paths: Paths, words: Sequence[str]) -> list[int]:
        """The places of words on whose cells there is another word, or another path of the same
        one.
        """
        options = self.options
        tiles = word_paths(_letters(paths, words), self.near, self.lexicon, options.shortest)
        ways = {frozenset(tile.cells): tile.ways for tile in tiles}
        return [place for place, path in enumerate(paths) if ways[frozenset(path)] > 1]

    def _paths(self, random: Random) -> Paths:
        """A random walk over the board, cut into the paths of the words."""
        walk = random_walk(self.rows, self.columns, self.options.moves, random)
        paths, start = [], 0
        for length in self._lengths(random):
            paths.append(walk[start : start + length])
            start += length
        return paths

    def _lengths(self, random: Random) -> list[int]:
        """Lengths of words that add up to the number of cells."""
        least = min(self.words)
        most = min(
            max(self.words),
            max(2 * self.cells // self.required - least, -(-self.cells // self.required)),
        )
        for _ in range(LENGTHS):
            left, found = self.cells, []
            for after in reversed(range(self.required)):
                found.append(
                    random.randint(max(least, left - after * most), min(most, left - after * least))
                )
                left -= found[-1]
            if all(length in self.words for length in found):
                random.shuffle(found)
                return found
        raise Stopped(
            f"found no {self.required} lengths of words that add up to {self.cells} cells"
        )

    def _spec(self, number: int, paths: Paths, words: Sequence[str]) -> str:
        letters = _letters(paths, words)
        rows = (
            " ".join(letters[Cell(r, c)] for c in range(1, self.columns + 1))
            for r in range(1, self.rows + 1)
        )
        block = "".join(f"  {row}\n" for row in rows)
        lexicon = from_anywhere(self.against)
        return (
            f"puzzle: {self.tools.type_.name}\n"
            f"title: Seed {self.tools.seed}, number {number}\n"
            f"letters: |\n{block.upper() if len(block.upper()) == len(block) else block}"
            f"words: {_plain(lexicon)}\n"
            f"shortest: {self.options.shortest}\n"
            f"moves: {self.options.moves}\n"
        )


def _largest_of_words(expression: str) -> str:
    """The largest lexicon of the language, but without the names and misspellings of english-wide.

    So many of them can be traced on any board that none has a single cover.
    """
    return (
        expression
        if "english-wide" in expression
        else largest(expression).replace("english-wide", "english")
    )


def _letters(paths: Paths, words: Sequence[str]) -> dict[Cell, str]:
    return {cell: letter for path, word in zip(paths, words) for cell, letter in zip(path, word)}


def _loose(paths: Paths, words: Sequence[str], covers: Sequence[Any]) -> list[int]:
    """The places of words that occur twice or are missing from some cover."""
    tiles = [{frozenset(tile["cells"]) for tile in cover} for cover in covers]
    return [
        place
        for place, path in enumerate(paths)
        if words.count(words[place]) > 1
        or any(frozenset(map(str, path)) not in cover for cover in tiles)
    ]


def _plain(text: str) -> str:
    """A text as YAML, quoted unless it is a plain name."""
    return text if re.fullmatch(r"[\w-]+", text) else json.dumps(text, ensure_ascii=False)


def _expected(cover: Sequence[Mapping[str, Sequence[str]]]) -> str:
    tiles = "".join(
        f"    - {{words: [{', '.join(t['words'])}], cells: [{', '.join(t['cells'])}]}}\n"
        for t in cover
    )
    return f"expect:\n  solutions: 1\n  answer:\n{tiles}"


def random_walk(rows: int, columns: int, moves: str, random: Random) -> list[Cell]:
    """A random walk that visits each cell of a board once.

    The walk begins as a path back and forth. Repeatedly, one end is joined to a neighbouring cell,
    and the loop that results is opened on the other side of that cell (Mansfield's *backbite*
    move), so the walk still visits each cell.
    """
    grid = board(rows, columns)
    near = grid.around if moves == "king" else grid.neighbours
    walk = [
        Cell(r, c if r % 2 else columns + 1 - c)
        for r in range(1, rows + 1)
        for c in range(1, columns + 1)
    ]
    at = {cell: place for place, cell in enumerate(walk)}
    for _ in range(10 * len(walk)):
        if random.random() < 0.5:
            walk.reverse()
            at = {cell: place for place, cell in enumerate(walk)}
        place = at[random.choice(near(walk[-1]))]
        walk[place + 1 :] = reversed(walk[place + 1 :])
        at.update({cell: place for place, cell in enumerate(walk[place + 1 :], place + 1)})
    return walk
